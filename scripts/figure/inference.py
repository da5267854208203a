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
import math
import operator
import random

SOME = 25
LEAST = 0.01


def laplace(scale):
    return scale * (random.expovariate(1) - random.expovariate(1))


def sums(cell, y, cells):
    out = [0.0] * cells
    for c, v in zip(cell, y):
        out[c] += v
    return out


def picker(places):
    """What takes these places out of a list, as a tuple."""
    if len(places) > 1:
        return operator.itemgetter(*places)
    return lambda x: (x[places[0]],)


class Marginal:
    """cell: the cell of each element; total: their sum, which is public."""

    def __init__(self, cell):
        self.cell = cell
        self.cells = max(cell) + 1
        self.spread = picker(cell)
        self.members = [picker([i for i, c in enumerate(cell) if c == k])
                        for k in range(self.cells)]

    def measure(self, x, scale):
        m = [v + laplace(scale) for v in sums(self.cell, x, self.cells)]
        self.weight = 1 / (2 * scale * scale)
        self.count = m
        return self

    def off(self, y):
        return [sum(pick(y)) - b for pick, b in zip(self.members, self.count)]


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


def entropy_table(marginals, total):
    """Mirror descent with momentum, which begins again where it hurts."""
    tilt = last = [[0.0] * m.cells for m in marginals]
    step = 1 / (total * max(m.weight for m in marginals))
    least, age, steps, before = math.inf, 0, 0, math.inf
    while True:
        pull = age / (age + 3)
        here = [[a + pull * (a - b) for a, b in zip(t, old)]
                for t, old in zip(tilt, last)]
        loss, slope = squares(marginals, raised(marginals, here, total))
        if loss > least:
            last, age = tilt, 0
            step /= 1.5
            least = math.inf
            continue
        least, age, last = loss, age + 1, tilt
        tilt = [[a - step * d for a, d in zip(t, g)]
                for t, g in zip(here, slope)]
        step *= 1.05
        steps += 1
        if steps % SOME == 0:
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
    score = [sum(abs(a - b) for a, b in zip(
        sums(m.cell, x, m.cells), sums(m.cell, y, m.cells))) for m in pairs]
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
