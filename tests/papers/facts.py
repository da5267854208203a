#!/usr/bin/env python3
"""facts.py: statements of the papers that no source implements.

Each function tries to refute what its words say, on small cases, and then
refutes a broken twin: a promise that is a little stronger, or the statement as
it is printed where that is wrong.  The last line is `N passed, M failed`.
"""
import itertools
import math
import random
import sys
import traceback
from fractions import Fraction

HAIR = 1e-9


def below(a, b, *what):
    """a <= b but for the last digits of doubles."""
    if a > b + HAIR:
        raise AssertionError("%r is above %r: %r" % (a, b, what))


def caught(count, least):
    """A twin must be refuted so often."""
    if count <= least:
        raise AssertionError("a twin is refuted %d times" % count)


# -- calibrating noise: what no private mechanism can do

def moves(f, n):
    """By how much one record of 0 or 1 moves f, a table of all data sets."""
    return max(abs(f[x] - f[x ^ 1 << i]) for x in range(1 << n)
               for i in range(n))


def least_error(f, n, seen, beta, above):
    """A looks at `seen' of n records, by lot, and says the lower median of f
    over all data sets that agree with them: the least error within which it
    is with a chance of beta or more, or above beta, for every data set."""
    worst, sets = 0, range(1 << n)
    masks = [m for m in sets if bin(m).count("1") == seen]
    for x in sets:
        errors = []
        for mask in masks:
            may = sorted(f[y] for y in sets if (x ^ y) & mask == 0)
            errors.append(abs(may[(len(may) - 1) // 2] - f[x]))
        errors.sort()
        need = math.floor(beta * len(masks) + HAIR) + 1 if above else (
            math.ceil(beta * len(masks) - HAIR))
        worst = max(worst, errors[max(need, 1) - 1])
    return worst


def what_few_records_tell_moves_little(rng):
    """[DMNS06 Lemma 1] A function that few records tell within sigma, with a
    chance above (1 + alpha)/2, moves by 2 sigma at most.  The paper allows a
    chance of just (1 + alpha)/2, and that is not enough: a fair coin, alpha =
    0, is off by 0 from the parity of two with a chance of 1/2."""
    loose = 0
    for run in range(100):
        n = rng.randint(2, 4)
        seen = rng.randrange(n)
        alpha = Fraction(seen, n)
        f = [bin(x).count("1") * (1 + run % 5) if run % 2 else
             rng.randrange(30) for x in range(1 << n)]
        below(moves(f, n), 2 * least_error(f, n, seen, (1 + alpha) / 2, True),
              f, seen)
        loose += moves(f, n) > 2 * least_error(f, n, seen, alpha / 2, True)
    caught(loose, 5)
    below(1, moves([0, 1, 1, 0], 2))


ANSWERS = 4


def transform(t):
    """Walsh-Hadamard: sums of t[x] (-1)^(r . x)."""
    t, h = list(t), 1
    while h < len(t):
        for i in range(0, len(t), 2 * h):
            for j in range(i, i + h):
                t[j], t[j + h] = t[j] + t[j + h], t[j] - t[j + h]
        h *= 2
    return t


def random_map(rng, eps, n):
    """A law of ANSWERS outputs for each of n inputs, eps-private: weights are
    1 or e^(eps/2), so sums and each are within that."""
    law = [[] for _ in range(ANSWERS)]
    for _ in range(n):
        w = [rng.choice((1, math.exp(eps / 2))) for _ in range(ANSWERS)]
        for z in range(ANSWERS):
            law[z].append(w[z] / sum(w))
    return law


def open_map(n):
    """What tells its input, as far as the outputs go."""
    return [[float(x % ANSWERS == z) for x in range(n)]
            for z in range(ANSWERS)]


def chebyshev(eps, alpha, bits):
    return 4 * (2 * math.expm1(eps) ** 2 / (alpha * 2 ** bits)) ** (1 / 3)


def distances(law, eps):
    """SD(Z(D_r), Z(D)) for every r, sorted, and the largest variance of the
    chance of an output over r and b, over p^2 (e^eps - 1)^2 / 2^d."""
    side = len(law[0])
    apart, worst = [0] * (side - 1), 0
    for t in map(transform, law):
        for r in range(1, side):
            apart[r - 1] += abs(t[r]) / side / 2
        var = sum(x * x for x in t[1:]) / side ** 2 / (side - 1)
        worst = max(worst, var * side / (t[0] / side * math.expm1(eps)) ** 2)
    return sorted(apart), worst


def parities_of_private_maps_are_hidden(rng):
    """[DMNS06 Lemma 2, Claim 1, Proposition 2] Half of the domain, cut by a
    random parity, looks like all of it: with the constants of the proof, whose
    delta is the cube root of 2 (e^eps - 1)^2 / (alpha 2^d) (the paper writes
    alpha in the numerator there).  Two values of a parity in n records are
    apart by 2n times that.  The twin is no private map, as that of
    [DMNS06 Example 2]."""
    bits = 8
    side = 1 << bits
    for run in range(20):
        eps = 0.01 if run % 2 else 0.1
        apart, worst = distances(random_map(rng, eps, side), eps)
        below(worst, 2)
        for k in range(1, 7):
            at = math.ceil((1 - 2 ** -k) * (side - 1)) - 1
            below(apart[at], chebyshev(eps, 2 ** -k, bits), eps, k)
    apart, worst = distances(open_map(side), 0.1)
    caught(worst, 2)
    # of two bits: three parities of 255 tell all they can
    caught(apart[-3], chebyshev(0.01, 1 / 128, bits))
    caught(distances(random_map(rng, 4, side), 0.1)[1], 2)


def one_release_answers_no_parity_that_comes_later(rng):
    """[DMNS06 Theorem 3] Two records, any private mechanism that releases
    once: the data sets with all parities 0 and with all parities 1 look alike
    for two thirds of the pairs of parities.  Their chances differ by twice the
    two single transforms."""
    bits, eps, n = 6, 0.01, 2
    side = 1 << bits
    most = 2 * n * chebyshev(eps, 1 / (6 * n), bits)
    below(most, 1)
    for law in (random_map(rng, eps, side ** 2), random_map(rng, eps,
                side ** 2), open_map(side ** 2)):
        law, private = [transform(t) for t in law], law[0][0] < 1
        near = sum(sum(abs(t[r] + t[s * side]) for t in law) / side ** 2
                   <= most for r in range(1, side) for s in range(1, side))
        if private:
            below(2 * (side - 1) ** 2, 3 * near)
        else:
            caught((side - 1) ** 2, near)


def a_single_report_tells_a_parity_by_the_part_that_is_kept(_rng):
    """The figure of results(7): a value of d bits, kept with chance e^E /
    (e^E + 2^d - 1) and else any other.  Halves of a parity are (e^E - 1) /
    (e^E + 2^d - 1) apart, as the chances of x in its half and outside differ
    by that."""
    e = math.e
    for bits in range(1, 8):
        n = 1 << bits
        apart = sum(abs(transform((e if x == z else 1) / (e + n - 1)
                                  for x in range(n))[1]) / n
                    for z in range(n))
        below(abs(apart - (e - 1) / (e + n - 1)), 0, bits)


def worst_belief(rng, eps, scale, two):
    """Of a record of 0 to 4 with a prior: how far a sum with noise of this
    scale moves the odds of a predicate, and its chance over the bound."""
    values = range(5)
    prior = [0 if two and v % 4 else rng.randint(1, 99) for v in values]
    worst = odds = 0
    for y in range(-20, 25):
        joint = [p * math.exp(-abs(y - v) / scale)
                 for v, p in zip(values, prior)]
        for f in range(1, 31):
            inside = [v for v in values if f >> v & 1]
            p = sum(prior[v] for v in inside) / sum(prior)
            if not 0 < p < 1:
                continue
            after = sum(joint[v] for v in inside) / sum(joint)
            bound = p * math.exp(eps) / (1 - p + p * math.exp(eps))
            worst = max(worst, abs(math.log(after / p)))
            odds = max(odds, after / bound)
    return worst, odds


def beliefs_change_by_the_charge_at_most(rng):
    """[DMNS06 Definition 4, Definition 6, Claim 2, Claim 3] The adversary
    knows all but one record of 0 to 4 and has an opinion of it; a sum with
    noise of scale 4/E may change the odds of no predicate by more than e^E,
    nor its chance, and a prior of p becomes at most p e^E / (1 - p + p e^E),
    reached where two values are possible (report.c).  Who simulates the
    release with 0 for the record is off by e^E at most.  The twin has half the
    noise."""
    twin = 0
    for run in range(40):
        eps = rng.randint(1, 30) / 10
        worst, odds = worst_belief(rng, eps, 4 / eps, run % 2 == 0)
        below(worst, eps)
        below(odds, 1)
        if run % 2 == 0:
            below(1, odds, "reached")
        for v, y in itertools.product(range(5), range(-30, 34)):
            below(abs(abs(y - v) - abs(y)) * eps / 4, eps, "simulated from 0")
        twin += worst_belief(rng, eps, 2 / eps, True)[1] > 1 + HAIR
    caught(twin, 20)


# -- sensitivity preprocessing: the variance, in exact fractions

def sample(rng):
    return sorted(rng.randrange(90 if rng.randrange(3) == 0 else 9)
                  for _ in range(rng.randint(2, 6)))


def var(x):
    if not x:
        return Fraction(0)
    return Fraction(len(x) * sum(v * v for v in x) - sum(x) ** 2,
                    len(x) ** 2)


def less(x, *gone):
    return [v for i, v in enumerate(x) if i not in gone]


def by_pairs(x):
    """[CD20 Definition 6.1] [D24 Definition 5.1, Definition D.1] Half of all
    squared differences, over n^2."""
    return Fraction(sum((a - b) ** 2 for a in x for b in x), 2 * len(x) ** 2)


def a_variance_of_one_record_less(rng):
    """[CD20 Fact 6.2, Fact 6.3, Fact 6.7, Lemma 6.10] Twins: an end is not
    always the record to remove for the largest variance, n/(n-1) has no room,
    and the sum of Lemma 6.10 is needed whole."""
    inner = tight = half = 0
    for _ in range(2000):
        x = sample(rng)
        n, v = len(x), var(x)
        first, last = var(x[1:]), var(x[:-1])
        assert v == by_pairs(x), x
        for i, one in enumerate(x):
            w, far = var(less(x, i)), sum((one - y) ** 2 for y in x)
            assert min(first, last) <= w <= Fraction(n, n - 1) * v, x
            assert v - w <= Fraction(far, n * n), x
            inner += w > max(first, last)
            tight += w > v
            half += v - w > Fraction(far, 2 * n * n)
        if n > 2:
            assert v == Fraction((n - 1) ** 2, n * n) * (first + last) - (
                Fraction((n - 2) ** 2, n * n) * var(x[1:-1])) + (
                Fraction((x[-1] - x[0]) ** 2, n * n)), x
    caught(min(inner, tight, half), 20)


def free_records_go_to_the_mean_of_the_others(rng):
    """[CD20 Fact A.2] [D24 Lemma D.2] The variance of n records of which those
    outside a set may be anything is least where they are its mean, and is
    |set|/n of the set's."""
    for _ in range(500):
        x = sample(rng)
        kept = x[:rng.randint(1, len(x) - 1)]
        free = len(x) - len(kept)
        mean = Fraction(sum(kept), len(kept))
        least = Fraction(len(kept), len(x)) * var(kept)
        for y in range(-3, 4):
            v = var(kept + [mean + y] * free)
            assert v == least if y == 0 else v > least, (x, kept, y)


def preprocess(x, s):
    """[CD20 Definition 3.1] literally, of all subsets, f(empty) = 0."""
    g = [Fraction(0)]
    for d in range(1, 1 << len(x)):
        own = [i for i in range(len(x)) if d >> i & 1]
        near = [g[d & ~(1 << i)] for i in own]
        g.append(min(min(near) + s, max(max(near) - s,
                                        var([x[i] for i in own]))))
    return g


def bound(x, s, factor):
    """Lemma 6.11's, with `factor' for 4."""
    n = len(x)
    return max(by_pairs(x) - Fraction(n, 2) * s, 0) + sum(
        max(factor * sum(Fraction((a - b) ** 2, n * n) for b in x) - s, 0)
        for a in x)


def preprocessing_only_lowers_a_variance(rng):
    """[CD20 Lemma 6.5, Lemma 6.6, Lemma 6.9, Lemma 6.11]"""
    lowered = twin = 0
    for _ in range(300):
        x, s = sample(rng), rng.randrange(60)
        g, everyone, v = preprocess(x, s), (1 << len(x)) - 1, var(x)
        assert g[-1] <= v, x
        for i in range(len(x)):
            assert min(g[everyone & ~1], g[everyone >> 1]) <= (
                g[everyone & ~(1 << i)]), x
        assert any(g[-1] == var([x[i] for i in range(len(x)) if d >> i & 1]) +
                   s * (len(x) - bin(d).count("1"))
                   for d in range(everyone + 1)), x
        assert v - g[-1] <= bound(x, s, 4), x
        lowered += g[-1] < v
        twin += v - g[-1] > bound(x, s, 0)
    caught(lowered, 50)
    caught(twin, 1)


def a_value_has_less_before_it_than_after_k(rng):
    """[CD20 Fact A.1] says: where x_k is as near to the values up to k as to
    those after, in total, so is every x_i before it.  With the sums cut at k
    that is false (0, 10, 10, 10, 20: x_4 is 10 from either side, x_1 is 30
    from the first four and 20 from the last).  With the left sum cut at i it
    holds: that sum grows with i, the right one falls.  Lemma 5.12 needs no
    more."""
    printed = 0
    for _ in range(5000):
        x = sample(rng)
        for k in range(len(x)):
            def cut(i, left):
                return sum(abs(x[i] - y) for y in x[:left + 1]) - sum(
                    abs(x[i] - y) for y in x[k + 1:])
            if cut(k, k) > 0:
                continue
            for i in range(k + 1):
                assert cut(i, i) <= 0, (x, k, i)
                printed += cut(i, k) > 0
    caught(printed, 2)


def late_values_are_far_from_the_mean_where_they_are_from_others(rng):
    """[CD20 Lemma 5.12] The twin has 1 for its third."""
    twin = 0
    for _ in range(2000):
        x = sample(rng)
        mean = Fraction(sum(x), len(x))
        for k in range(len(x)):
            pairs = sum(a - b for i, a in enumerate(x) if i >= k
                        for b in x[:i])
            away = len(x) * sum(abs(a - mean) for a in x[k:])
            assert pairs <= 3 * away, (x, k)
            twin += pairs > away
    caught(twin, 100)


# -- pairs: balls that meet

def squares_that_meet_in_pairs_meet_in_a_point(rng):
    """[CD20 Lemma 8.5] Squares |u - u_i|, |v - v_i| <= S_i of which each two
    meet have a point in common; the twin has the paper's min for max, which
    finds one where there is none."""
    met = twin = 0
    for _ in range(5000):
        squares = [[rng.randrange(12) for _ in range(3)] for _ in range(4)]
        pairs = all(abs(a[k] - b[k]) <= a[2] + b[2] for k in (0, 1)
                    for a, b in itertools.combinations(squares, 2))
        sides = [[(q[k] - q[2], q[k] + q[2]) for q in squares] for k in (0, 1)]
        common = all(max(lo for lo, _ in side) <= min(hi for _, hi in side)
                     for side in sides)
        assert pairs == common, squares
        met += common
        twin += not common and all(min(lo for lo, _ in side) <= min(
            hi for _, hi in side) for side in sides)
    caught(min(met, twin), 50)


def radius(points, far, step):
    """The least over a grid of how far the farthest point is from it, and then
    less what a point of the grid may be away."""
    axis = [i * step for i in range(-int(2 / step), int(2 / step) + 1)]
    return min(max(far(x, y) for y in points) for x in itertools.product(
        axis, repeat=len(points[0]))) - step * len(points[0]) / 2


def l1(x, y):
    return sum(abs(a - b) for a, b in zip(x, y))


def three_dimensions_have_balls_that_only_meet_in_pairs(_rng):
    """[CD20 Remark 8.6] Three numbers; without the last ball 0 is in all."""
    y = [(1, 1, -1), (1, -1, 1), (-1, 1, 1), (1, -1, -1), (-1, 1, -1),
         (-1, -1, 1), (1.5, 1.5, 1.5)]
    below(max(l1(a, b) for a in y for b in y), 2 * 3)
    caught(radius(y, l1, 0.125), 3)
    below(max(l1((0, 0, 0), a) for a in y[:6]), 3, "twin")


def discs_meet_in_pairs_only_and_squares_in_a_point(_rng):
    """[CD20 Remark 8.7] Discs in the plane; squares about the same points
    meet."""
    y = [(-1, 0), (1, 0), (0, math.sqrt(3))]
    below(max(math.dist(a, b) for a in y for b in y), 2)
    caught(radius(y, math.dist, 0.05), 1)
    below(max(l1((0, 0.4), a) for a in y),
          max(l1(a, b) for a in y for b in y) / 2 + 0.05, "twin")


# -- linear queries under a metric

def a_small_database_answers_all_queries(rng):
    """[KPAK20 Theorem 9] log |Q| / alpha^2 records answer every query of
    coefficients from 0 to 1 within alpha n, at the scale of n.  The twin has
    one record."""
    def nearest(queries, x, m):
        """Of all multisets of m of three elements the least error."""
        return min(max(abs(sum(q[u] * (x[u] - y[u] / m) for u in range(3)))
                       for q in queries)
                   for i in range(m + 1) for j in range(m + 1 - i)
                   for y in [(i, j, m - i - j)])
    twin = 0
    for _ in range(150):
        alpha = 0.25 + rng.randrange(3) / 10
        queries = [[rng.randrange(5) / 4 for _ in range(3)]
                   for _ in range(rng.randint(2, 12))]
        x = [1 + rng.randrange(99) for _ in range(3)]
        x = [v / sum(x) for v in x]
        below(nearest(queries, x, math.ceil(math.log(len(queries)) /
                                            alpha ** 2)), alpha, queries, x)
        twin += nearest(queries, x, 1) > alpha
    caught(twin, 30)


FACTS = (
    what_few_records_tell_moves_little,
    parities_of_private_maps_are_hidden,
    one_release_answers_no_parity_that_comes_later,
    a_single_report_tells_a_parity_by_the_part_that_is_kept,
    beliefs_change_by_the_charge_at_most,
    a_variance_of_one_record_less,
    free_records_go_to_the_mean_of_the_others,
    preprocessing_only_lowers_a_variance,
    a_value_has_less_before_it_than_after_k,
    late_values_are_far_from_the_mean_where_they_are_from_others,
    squares_that_meet_in_pairs_meet_in_a_point,
    three_dimensions_have_balls_that_only_meet_in_pairs,
    discs_meet_in_pairs_only_and_squares_in_a_point,
    a_small_database_answers_all_queries,
)


def main():
    failed = 0
    for fact in FACTS:
        try:
            fact(random.Random(fact.__name__))
        except AssertionError:
            failed += 1
            print("%s:\n%s" % (fact.__name__, traceback.format_exc()))
    print("%d passed, %d failed" % (len(FACTS) - failed, failed))
    return 1 if failed else 0


sys.exit(main())
