"""References for figure/people: totals of a column where a person may have any
number of rows, written down from the papers' facts.

All take the list of people's totals, whole numbers from 0 up, and give the
mean absolute error of a release by the exact law, with pure epsilon; neighbors
differ by one person more or less.  `broken' puts a fault into a reference,
which check() has to notice: it enumerates small data sets and their neighbors.

Race to the top (R2T; Dong, Fang, Yi, Tao, Machanavajjhala 2022): for t = 2, 4,
8, ... up to the public bound GS of a person's total, the sum of all totals cut
at t, plus Laplace noise of scale L t/epsilon, less L ln(L/beta) t/epsilon, L =
log2 GS; the largest of these and of 0.  Without joins its linear program is
this very cut.

Shifted inverse (Fang, Dong, Yi 2022), for any function that does not grow when
people are taken away: down(j) is the least it can become without j people,
here the sum without the j largest.  A value y of the public range 0..D has the
distance max(l - s, s - h) from the goal down(s), l the least j with
down(j) <= y, h the largest with down(j) >= y (-1 above the sum), and is drawn
with a weight of exp(-epsilon distance/2); the shift s is the least whole
number from 2/epsilon ln((D + 1)/beta) up.

Both promise something with chance 1 - beta, and a mean error counts the other
releases too; of four values of beta the best for each data set is taken.

Ceiling by AboveThreshold (Dwork and Roth 2014; monotone queries as in Lyu, Su
and Li 2017): for t = 1, 2, 4, ... up to a public bound the number of people
above t, with noise of scale 2/e1, until it falls below a threshold with noise
of that scale; then the sum of the totals cut at t, with noise of scale t/e2.
All queries move one way between neighbors, so the walk costs e1.  e1 is two
fifths of epsilon, as the tool's choice of a ceiling; of seven thresholds the
best for each data set is taken.

Nothing here is part of the tools.
"""
import bisect
import itertools
import math

BETA = 0.1
BETAS = [0.1, 0.01, 1e-3, 1e-4]
THRESHOLDS = [0, 0.5, 1, 2, 4, 8, 16]   # in scales of the noise
STEPS = 800


def laplace_cdf(x, scale):
    return (0.5 * math.exp(x / scale) if x < 0 else
            1 - 0.5 * math.exp(-x / scale))


def off(bias, scale):
    """E |bias + Laplace noise|."""
    return abs(bias) + scale * math.exp(-abs(bias) / scale)


# The race.

def race_parts(totals, bound, epsilon, beta=BETA, broken=""):
    """(centre, scale) of the racers."""
    levels = round(math.log2(bound))
    share = 1 if broken == "whole epsilon" else levels
    penalty = 1 if broken == "no logarithm" else math.log(levels / beta)
    ordered = sorted(totals)
    sums = list(itertools.accumulate(ordered, initial=0))
    for j in range(1, levels + 1):
        t = 2 ** j
        scale = share * t / epsilon
        k = bisect.bisect_right(ordered, t)
        cut = sums[k] + t * (len(ordered) - k)
        yield cut - levels * penalty * t / epsilon, scale


def race_cdf(parts, x):
    if x < 0:
        return 0.0
    return math.prod(laplace_cdf(x - centre, scale)
                     for centre, scale in parts)


def race_error(totals, bound, epsilon, betas=tuple(BETAS)):
    return min(race_error_of(list(race_parts(totals, bound, epsilon, beta)),
                             sum(totals)) for beta in betas)


def race_error_of(parts, true):
    """E |X - sum| is the integral of the distribution function below the sum
    and of what it lacks above; that tail is even in the logarithm."""
    step = true / STEPS
    error = sum(race_cdf(parts, (k + 0.5) * step) for k in range(STEPS)) * step
    far = 60 * max(scale for _, scale in parts)
    ratio = (far / step) ** (1 / STEPS)
    for k in range(STEPS):
        x = step * ratio ** k
        error += (1 - race_cdf(parts, true + x * math.sqrt(ratio))) * (
            ratio - 1) * x
    return error + (1 - race_cdf(parts, true)) * step


# The shifted inverse.

def shift_of(most, epsilon, beta=BETA):
    return math.ceil(2 / epsilon * math.log((most + 1) / beta))


def down(totals):
    return list(itertools.accumulate(sorted(totals, reverse=True),
                                     lambda a, b: a - b, initial=sum(totals)))


def shifted_runs(totals, most, shift):
    """(first, last, distance) of runs of values; the far ones, whose weights
    are nothing, are left out."""
    f = down(totals)
    yield f[0] + 1, most, shift + 1
    for j in range(min(len(f), 4 * shift + 400)):
        low = j
        while low + 1 < len(f) and f[low + 1] == f[j]:
            low += 1
        if j > 0 and f[j] == f[j - 1]:
            continue
        yield f[j], f[j], max(j - shift, 0 if f[j] == 0 else shift - low, 0)
        if low + 1 < len(f):
            yield f[low + 1] + 1, f[j] - 1, max(low + 1 - shift, shift - low)


def shifted_law(totals, most, shift, epsilon, broken=""):
    """(first, last, weight of each value), not normalised."""
    half = 1 if broken == "whole exponent" else 2
    for first, last, distance in shifted_runs(totals, most, shift):
        if first <= last:
            yield first, last, math.exp(-epsilon * distance / half)


def shifted_error(totals, most, epsilon, betas=tuple(BETAS)):
    return min(shifted_error_of(totals, most, shift_of(most, epsilon, beta),
                                epsilon) for beta in betas)


def shifted_error_of(totals, most, shift, epsilon):
    true = sum(totals)
    mass = error = 0.0
    for first, last, weight in shifted_law(totals, most, shift, epsilon):
        mass += weight * (last - first + 1)
        error += weight * (last - first + 1) * abs((first + last) / 2 - true)
    return error / mass


def best_shift(totals, most, epsilon):
    """With the shift that is best in hindsight: not private."""
    most_shift = shift_of(most, epsilon)
    return min(shifted_error_of(totals, most, max(1, round(
        most_shift * k / 40)), epsilon) for k in range(1, 41))


# A ceiling by AboveThreshold.

def halting_law(totals, levels, epsilon, threshold, broken=""):
    """{ceiling: chance}, with the threshold's noise at its quantiles."""
    ordered, scale = sorted(totals), (1 if broken else 2) / epsilon
    above = [len(ordered) - bisect.bisect_right(ordered, 2 ** i)
             for i in range(levels)]
    law = dict.fromkeys((2 ** i for i in range(levels + 1)), 0.0)
    for k in range(STEPS):
        u = (k + 0.5) / STEPS
        at = scale * (threshold + (math.log(2 * u) if u < 0.5
                                   else -math.log(2 - 2 * u)))
        going = 1 / STEPS
        for i, f in enumerate(above):
            halts = laplace_cdf(at - f, scale)
            law[2 ** i] += going * halts
            going *= 1 - halts
        law[2 ** levels] += going
    return law


def halting_error(totals, bound, epsilon, thresholds=tuple(THRESHOLDS)):
    return min(law_error(totals, halting_law(
        totals, round(math.log2(bound)), 0.4 * epsilon, t), epsilon)
               for t in thresholds)


def law_error(totals, law, epsilon):
    """Of a sum cut at a ceiling of this law, with three fifths of epsilon."""
    ordered = sorted(totals)
    sums = list(itertools.accumulate(ordered, initial=0))
    return sum(chance * cut_error(ordered, sums, t, 0.6 * epsilon)
               for t, chance in law.items())


# Some rows of each person.

def kept(people, rows, r):
    """Up to `rows` random rows of each person."""
    return [p if len(p) <= rows else r.sample(p, rows) for p in people]


def rows_reach(kind, rows, value, most):
    """By how much a person may move the answer."""
    return value * (most if kind == "weighted" else rows)


def rows_answer(kind, people, chosen):
    """plain: the rows that were kept; weighted: each stands for as many of its
    person's rows as it is one of (Horvitz and Thompson)."""
    if kind == "plain":
        return sum(map(sum, chosen))
    return sum(sum(c) * len(p) / len(c) for p, c in zip(people, chosen))


def rows_error(people, kind, rows, value, draws):
    """draws: (generator, times, epsilon); value: the public bound of a row;
    the bound of a person's rows, for the weights, is the true one."""
    r, times, epsilon = draws
    true = sum(map(sum, people))
    most = max(map(len, people))
    scale = rows_reach(kind, rows, value, most) / epsilon
    return sum(off(rows_answer(kind, people, kept(people, rows, r)) - true,
                   scale) for _ in range(times)) / times


def scaled_error(people, rows, value, draws):
    """Plain, times all rows over those kept, were both public: they are
    not."""
    r, times, epsilon = draws
    true = sum(map(sum, people))
    error = 0.0
    for _ in range(times):
        chosen = kept(people, rows, r)
        up = sum(map(len, people)) / sum(map(len, chosen))
        error += off(up * sum(map(sum, chosen)) - true,
                     up * rows * value / epsilon)
    return error / times


# The best cut in hindsight, and the tool's mechanism.

def cut_error(ordered, sums, t, epsilon):
    """ordered totals, sums of the first k of them."""
    k = bisect.bisect_right(ordered, t)
    lost = sums[-1] - sums[k] - t * (len(ordered) - k)
    return off(lost, t / epsilon)


def best_cut(totals, epsilon):
    """Between two totals the error is convex nowhere it matters: the best of
    the totals and of 20 values between each two of the largest hundred."""
    ordered = sorted(totals)
    sums = list(itertools.accumulate(ordered, initial=0))
    tries = set(ordered)
    for a, b in itertools.pairwise(ordered[-101:]):
        tries.update(a + (b - a) * k / 20 for k in range(1, 20))
    return min(cut_error(ordered, sums, t, epsilon) for t in tries if t > 0)


def ceiling_law(totals, epsilon):
    """{ceiling: chance} of asm-estimate sum, by the definition of
    permute-and-flip: with u even below 1, i is first with the chance of the
    integral of w_i times the product of 1 - w_j u over the others."""
    at = [2 ** i for i in range(41)]
    ordered = sorted(totals)
    loss = [0.4 * epsilon * (len(ordered) - bisect.bisect_right(ordered, t))
            + 1.5 * i for i, t in enumerate(at)]
    best = min(loss)
    near = [(t, math.exp(best - v)) for t, v in zip(at, loss)
            if v - best < 40]
    law = dict.fromkeys((t for t, _ in near), 0.0)
    for k in range(500):
        u = (k + 0.5) / 500
        every = math.prod(1 - w * u for _, w in near)
        for t, w in near:
            law[t] += w * every / (1 - w * u) / 500
    return law


def ceiling_error(totals, epsilon):
    return law_error(totals, ceiling_law(totals, epsilon), epsilon)


# The checks.

SMALL = [list(x) for n in range(4)
         for x in itertools.combinations_with_replacement((0, 1, 2, 3, 8), n)]


def neighbors():
    for x in SMALL:
        for k in range(len(x)):
            yield x, x[:k] + x[k + 1:]


def race_loss(epsilon, broken=""):
    """Largest log ratio over neighbors of the densities of all racers
    together, of which the answer is a function."""
    return max(sum(abs(a - b) / scale for (a, scale), (b, _) in zip(
        *(race_parts(z, 8, epsilon, broken=broken) for z in pair)))
               for pair in neighbors())


def halting_loss(epsilon, broken=""):
    return max(abs(math.log(p / q)) for x, y in neighbors() for t in (0, 1)
               for p, q in zip(*(halting_law(z, 4, epsilon, t, broken).values()
                                 for z in (x, y))))


def shifted_values(x, shift, epsilon, broken=""):
    """The law value by value, 0 to 30."""
    law = {}
    for first, last, w in shifted_law(x, 30, shift, epsilon, broken):
        for v in range(first, last + 1):
            law[v] = w
    mass = sum(law.values())
    return [law[v] / mass for v in range(31)]


def shifted_brute(x, shift, epsilon):
    """The same from all subsets."""
    least = [min(sum(x) - sum(c) for c in itertools.combinations(x, j))
             for j in range(len(x) + 1)]
    weights = []
    for v in range(31):
        low = min(j for j, f in enumerate(least) if f <= v)
        high = max((j for j, f in enumerate(least) if f >= v), default=-1)
        high = math.inf if v == 0 else high
        weights.append(math.exp(-epsilon / 2 * max(low - shift, shift - high,
                                                   0)))
    return [w / sum(weights) for w in weights]


def shifted_loss(epsilon, broken=""):
    worst = 0.0
    for shift in (1, 2, 3):
        for x, y in neighbors():
            a, b = (shifted_values(z, shift, epsilon, broken) for z in (x, y))
            worst = max(worst, max(abs(math.log(p / q))
                                   for p, q in zip(a, b)))
    return worst


def rows_move(kind, rows, value):
    """The most by which a person with up to 4 rows moves the answer."""
    worst = 0.0
    for n in range(1, 5):
        for p in itertools.product((0, value), repeat=n):
            for chosen in itertools.combinations(p, min(n, rows)):
                worst = max(worst, rows_answer(kind, [p], [chosen]))
    return worst


def race_above(totals, bound, epsilon, broken=""):
    """Chance of more than the sum: at most beta/2."""
    return 1 - race_cdf(list(race_parts(totals, bound, epsilon,
                                        broken=broken)), sum(totals))


def shifted_within(totals, most, epsilon, shift):
    """Chance of the promised down(2 s) to the sum: at least 1 - beta."""
    low = down(totals)[min(2 * shift, len(totals))]
    mass = good = 0.0
    for first, last, w in shifted_law(totals, most, shift, epsilon):
        mass += w * (last - first + 1)
        if first >= low and last <= sum(totals):
            good += w * (last - first + 1)
    return good / mass


def check():
    """(what, holds) of every reference, and of its broken twins."""
    for name, loss, twin in (
            ("R2T", race_loss, "whole epsilon"),
            ("shifted inverse", shifted_loss, "whole exponent"),
            ("AboveThreshold", halting_loss, "half")):
        yield name + " keeps its epsilon", all(
            loss(e) <= e + 1e-9 for e in (0.5, 1, 3))
        yield "%s with %s is refuted" % (name, twin), loss(1, twin) > 1.01
    yield "R2T uses all of it", abs(race_loss(1) - 1) < 1e-9
    many = [k % 7 for k in range(400)]
    yield "R2T: above the sum with chance beta/2 at most", \
        race_above(many, 8, 1) <= BETA / 2
    yield "R2T without the logarithm is above it too often", \
        race_above(many, 8, 1, "no logarithm") > BETA / 2
    parts = list(race_parts(many, 8, 1))
    yield "R2T: error and law agree", abs(
        race_error_of(parts, sum(many)) - sum(abs(v - sum(many)) * (
            race_cdf(parts, v + 0.5) - race_cdf(parts, v - 0.5))
            for v in range(3000))) < 2
    yield "shifted inverse comes near it", shifted_loss(1) > 0.7
    yield "shifted inverse is that of all subsets", all(
        abs(p - q) < 1e-12 for x in SMALL for s in (1, 2, 3)
        for p, q in zip(shifted_values(x, s, 1), shifted_brute(x, s, 1)))
    yield "AboveThreshold comes near it", halting_loss(3) > 2
    yield "the law of AboveThreshold is a law", abs(
        sum(halting_law(many, 8, 1, 1).values()) - 1) < 1e-9
    s = shift_of(4000, 1)
    yield "shifted inverse holds its promise", \
        shifted_within(many, 4000, 1, s) >= 1 - BETA
    yield "and a quarter of its shift does not", \
        shifted_within(many, 4000, 1, s // 4) < 1 - BETA
    for kind, rows in (("plain", 1), ("plain", 2), ("weighted", 1),
                       ("weighted", 2)):
        yield "%s, %d rows: a person moves as much as is said" % (
            kind, rows), rows_move(kind, rows, 5) == rows_reach(
                kind, rows, 5, 4)
    fine = [k / 50 for k in range(1, 400)]
    ordered = sorted(many)
    sums = list(itertools.accumulate(ordered, initial=0))
    yield "the best cut is the best of all", abs(best_cut(many, 0.05) - min(
        cut_error(ordered, sums, t, 0.05) for t in fine)) < 1
    yield "the law of the ceiling is a law", abs(
        sum(ceiling_law(many, 1).values()) - 1) < 1e-3
