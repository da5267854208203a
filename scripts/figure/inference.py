"""References for figure/synthetic, written down from their definitions.

Tables from noisy marginals by maximum entropy, as packages for synthetic data
make them ("private PGM", McKenna, Sheldon and Miklau 2019): the table with the
least squared error of the measured marginals, found by mirror descent with
momentum from equal counts, until SOME steps lessen the error by less than
1 %.  What is measured: all marginals of the workload
with an equal part of epsilon each; or, in three equal parts, single
attributes, a spanning tree of pairs chosen by the exponential mechanism, and
these pairs (as "MST", McKenna, Miklau and Sheldon 2021, with Laplace noise for
pure epsilon).

Counts of intervals in a tree ("Hb", Qardaji, Yang and Li 2013): the branching
with the least mean variance of a range, the same part of epsilon for each
level, least squares.

Noise is Laplace's in floating point, good enough for a reference.  Neighbors
swap one record.  Nothing here is part of the tools.
"""
import copy
import math
import operator
import random

SOME = 25
LEAST = 0.01


def laplace(scale):
    return scale * (random.expovariate(1) - random.expovariate(1))


def picker(places):
    """What takes these places out of a list, as a tuple."""
    if len(places) > 1:
        return operator.itemgetter(*places)
    return lambda x: (x[places[0]],)


class Marginal:
    """The sums of a table over the elements that agree in some attributes."""

    def __init__(self, elements, attributes):
        number = {}
        cell = [number.setdefault(tuple(e[a] for a in attributes),
                                  len(number)) for e in elements]
        members = [[] for _ in number]
        for i, k in enumerate(cell):
            members[k].append(i)
        self.attributes, self.cells = set(attributes), len(number)
        self.spread = picker(cell)
        self.members = list(map(picker, members))

    def of(self, y):
        return [sum(pick(y)) for pick in self.members]

    def away(self, x, y):
        return sum(abs(a - b) for a, b in zip(self.of(x), self.of(y)))

    def measure(self, x, scale):
        """A marginal with its noisy count."""
        m = copy.copy(self)
        m.count = [v + laplace(scale) for v in self.of(x)]
        m.weight = 1 / (2 * scale * scale)
        return m

    def off(self, y):
        return list(map(operator.sub, self.of(y), self.count))


def squares(marginals, y):
    """Half the weighted squares, and their gradient by marginal."""
    loss, gradient = 0.0, []
    for m in marginals:
        off = m.off(y)
        loss += m.weight / 2 * sum(map(operator.mul, off, off))
        gradient.append([m.weight * d for d in off])
    return loss, gradient


def raised(marginals, tilt, total):
    """The table of log-linear form with these tilts."""
    log = list(map(sum, zip(*(m.spread(t) for m, t in zip(marginals, tilt)))))
    top = max(log)
    y = [math.exp(v - top) for v in log]
    whole = sum(y)
    return [v * total / whole for v in y]


def descent(marginals, total, tilt, first=1.0):
    """Mirror descent with momentum, which begins again where it hurts: the
    loss and the table of each step, None where it hurts, and the tilts."""
    last, age, least = tilt, 0, math.inf
    step = first / (total * max(m.weight for m in marginals))
    while True:
        pull = age / (age + 3)
        here = [[a + pull * (a - b) for a, b in zip(t, old)]
                for t, old in zip(tilt, last)]
        y = raised(marginals, here, total)
        loss, slope = squares(marginals, y)
        if loss > least:
            last, age, step, least = tilt, 0, step / 1.5, math.inf
            yield loss, None, tilt
            continue
        least, age, last = loss, age + 1, tilt
        tilt = [[a - step * d for a, d in zip(t, g)]
                for t, g in zip(here, slope)]
        step *= 1.05
        yield loss, y, tilt


def entropy_table(marginals, total):
    steps, before = 0, math.inf
    for loss, y, tilt in descent(marginals, total,
                                 [[0.0] * m.cells for m in marginals]):
        steps += y is not None
        if y and steps % SOME == 0:
            if loss > (1 - LEAST) * before:
                return raised(marginals, tilt, total)
            before = loss


def all_marginals(pairs, x, epsilon):
    scale = 2 * len(pairs) / epsilon
    return entropy_table([m.measure(x, scale) for m in pairs], sum(x))


def spanning_tree(singles, pairs, ends, x, epsilon):
    """ends: the two attributes of each pair."""
    part = epsilon / 3
    measured = [m.measure(x, 2 * len(singles) / part) for m in singles]
    y = entropy_table(measured, sum(x))
    score = [m.away(x, y) for m in pairs]
    group, chosen = list(range(len(singles))), []
    for _ in range(len(singles) - 1):
        free = [k for k, (i, j) in enumerate(ends) if group[i] != group[j]]
        best = max(score[k] for k in free)
        # a swap moves a score by 2
        weight = [math.exp((score[k] - best) * part / (len(singles) - 1) / 4)
                  for k in free]
        k = random.choices(free, weight)[0]
        chosen.append(pairs[k])
        i, j = (group[a] for a in ends[k])
        group = [i if g == j else g for g in group]
    measured += [m.measure(x, 2 * len(chosen) / part) for m in chosen]
    return entropy_table(measured, sum(x))


def levels(n, branching):
    h = 0
    while branching ** h < n:
        h += 1
    return h


def best_branching(n):
    """[QYL13] the least (b - 1) h^3 - 2 (b + 1) h^2 / 3."""
    def cost(b):
        h = levels(n, b)
        return (b - 1) * h ** 3 - 2 * (b + 1) * h * h / 3
    return min(range(2, min(n, 1024) + 1), key=cost)


def hierarchy(x, epsilon):
    """Counts of the leaves after least squares [Hay et al. 2010]; the root
    is public."""
    b = best_branching(len(x))
    h = levels(len(x), b)
    scale = 2 * h / epsilon
    exact = [list(x) + [0] * (b ** h - len(x))]
    while len(exact[-1]) > 1:
        last = exact[-1]
        exact.append([sum(last[i:i + b]) for i in range(0, len(last), b)])
    noisy = [[v + laplace(scale) for v in row] for row in exact[:-1]]
    noisy.append([float(sum(x))])
    up = [noisy[0]]
    for level in range(1, h + 1):
        own = (b ** (level + 1) - b ** level) / (b ** (level + 1) - 1)
        below = up[-1]
        up.append([own * v + (1 - own) * sum(below[b * i:b * i + b])
                   for i, v in enumerate(noisy[level])])
    down = noisy[h]
    for level in range(h - 1, -1, -1):
        here = up[level]
        more = [(v - sum(here[b * i:b * i + b])) / b
                for i, v in enumerate(down)]
        down = [v + more[i // b] for i, v in enumerate(here)]
    return down[:len(x)]
