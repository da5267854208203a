#!/usr/bin/env python3
"""facts.py: statements of the papers that follow from definitions alone.

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


def bits_of_an_output_are_flipped_with_less_bias_than_printed(_rng):
    """[DMNS06 Theorem 2, Remark 1] Section 3.3 flips each bit of an output
    with a chance of roughly 1/2 - E/(2 S), where a record changes S of d bits:
    that costs 2 E and more.  The normalization is the same for all outputs, so
    1/(1 + e^(E/S)) costs E, and that is roughly 1/2 - E/(4 S); with the 2 of
    Theorem 2 it would be 1/2 - E/(8 S)."""
    def cost(flip, d, changed):
        """The largest log ratio over all outputs for 0 and `changed' ones."""
        def law(x):
            return [math.prod(flip if x >> i & 1 != z >> i & 1 else 1 - flip
                              for i in range(d)) for z in range(1 << d)]
        return max(abs(math.log(p / q)) for p, q in zip(
            law(0), law((1 << changed) - 1)))
    for d in range(1, 5):
        for changed in range(1, d + 1):
            for eps in (0.01, 0.1, 0.5):
                right = 1 / (1 + math.exp(eps / changed))
                below(abs(cost(right, d, changed) - eps), 0, d, changed)
                below(2 * eps, cost(0.5 - eps / 2 / changed, d, changed))
                below(abs(right - (0.5 - eps / 4 / changed)),
                      (eps / changed) ** 3 / 48)
                below(cost(0.5 - eps / 8 / changed, d, changed), eps / 2 * (
                    1 + eps ** 2 / 4))


def a_noisy_sum_loses_epsilon_times_the_distance(_rng):
    """[DMNS06 Example 1] h(y)/h(y') of noise Lap(1/E) is e^(E |y - y'|) at
    most; the paper leaves E out of this exponent, and out of that of the sums.
    Printed, it is too small for E above 1, and proves no E below 1."""
    for eps in (0.25, 1, 3):
        ratios = [(math.exp(eps * (abs(b) - abs(a))), abs(a - b))
                  for a in range(-9, 10) for b in range(-9, 10)]
        for ratio, apart in ratios:
            below(ratio, math.exp(eps * apart) * (1 + HAIR))
        above = sum(r > math.exp(d) + HAIR for r, d in ratios)
        assert (above > 0) == (eps > 1)


# -- preprocessing: what binds g, how far it is from f, who errs less

def held(f, sens):
    """[CD20 Definition 3.1] literally: g of f, a table over all subsets."""
    g = list(f)
    for d in range(1, len(f)):
        near = [(g[d ^ 1 << i], s) for i, s in enumerate(sens) if d >> i & 1]
        g[d] = min(min(v + s for v, s in near),
                   max(max(v - s for v, s in near), f[d]))
    return g


def table(rng, n, most=20):
    """An f of all subsets of n records and an S of each record."""
    return ([rng.randint(-most, most) for _ in range(1 << n)],
            [rng.randrange(5) for _ in range(n)])


def what_binds_g_is_the_value_of_a_subset(rng):
    """[CD20 Lemma 4.3] Where g is below f of d, it is as large as f of some
    subset e and the S of all that e lacks; above, as small.  The twin asks
    for a step more of each record."""
    def binds(f, g, sens, d, more):
        sign = 1 if f[d] > g[d] else -1
        return any(sign * g[d] >= sign * f[e] + sum(
            s + more for i, s in enumerate(sens) if (d & ~e) >> i & 1)
            for e in range(d) if e & ~d == 0)
    twin = 0
    for _ in range(300):
        f, sens = table(rng, rng.randint(1, 5))
        g = held(f, sens)
        for d in range(1, len(f)):
            if f[d] != g[d]:
                assert binds(f, g, sens, d, 0), (f, sens, d)
                twin += not binds(f, g, sens, d, 1)
    caught(twin, 100)


def nobody_is_closer_somewhere_and_farther_nowhere(rng):
    """[CD20 Lemma 4.5] Of all h of two records that move by S at most; the
    twin is the constant f of nobody."""
    def beaten(f, g, sens):
        room = [range(a - abs(a - b), a + abs(a - b) + 1)
                for a, b in zip(f, g)]
        return any(all(abs(h[d] - h[d ^ 1 << i]) <= s for d in range(4)
                       for i, s in enumerate(sens))
                   and any(abs(a - c) < abs(a - b)
                           for a, b, c in zip(f, g, h))
                   for h in itertools.product(*room))
    twin = 0
    for _ in range(150):
        f, sens = table(rng, 2, 5)
        assert not beaten(f, held(f, sens), sens), (f, sens)
        twin += beaten(f, [f[0]] * 4, sens)
    caught(twin, 50)


def the_gadget_tells_whether_a_formula_can_be_satisfied(_rng):
    """[CD20 Proposition 4.6] f(D) = |D| - phi(D, the others true) with S = 1:
    g of all variables false is below their number where phi can be satisfied,
    for each phi of clauses of two of three variables.  The paper sets f of
    nobody to 0, which overlooks a phi that only "all true" satisfies.
    (tests/cli/sp-exec.cases has the gadget as a command.)"""
    clauses = [sum(1 << d for d in range(8) if d >> a & 1 == x
                   or d >> b & 1 == y)
               for a, b in itertools.combinations(range(3), 2)
               for x in (0, 1) for y in (0, 1)]
    overlooked = 0
    for formula in range(1 << len(clauses)):
        true = 255
        for i, clause in enumerate(clauses):
            if formula >> i & 1:
                true &= clause
        f = [bin(d).count("1") - (true >> d & 1) for d in range(8)]
        assert (held(f, [1] * 3)[7] < 3) == (true != 0), formula
        printed = held([0] + f[1:], [1] * 3)[7] < 3
        assert true == 1 or printed == (true != 0), formula
        overlooked += true == 1 and not printed
    caught(overlooked, 0)


def spread(f, d, e):
    """|f(d) - f(e)|, of a pair in the l1 norm: it is kept as sum and
    difference, of which the larger is that norm."""
    return max(abs(t[d] - t[e]) for t in f)


def balls_about_neighbours_of_one_database_meet(rng):
    """[CD20 Lemma 8.4, Definition 8.1] g of all but i and of all but j are
    within S_i + S_j.  The twin asks that f be so."""
    twin = 0
    for _ in range(300):
        n = rng.randint(2, 5)
        f, sens = [table(rng, n)[0] for _ in "uv"], table(rng, n)[1]
        g = [held(t, sens) for t in f]
        for i, j in itertools.combinations(range(n), 2):
            two = [(1 << n) - 1 ^ 1 << k for k in (i, j)]
            assert spread(g, *two) <= sens[i] + sens[j], (f, sens)
            twin += spread(f, *two) > sens[i] + sens[j]
    caught(twin, 100)


def errors_stay_within_the_sum_over_an_order_of_arrival(rng):
    """[CD20 Theorem 1.2, Theorem 3.3, Lemma 3.6, Theorem 8.3, Lemma 8.9] of
    what each record moves f beyond its S, for one number and for a pair.  The
    twin has half of that."""
    twin = 0
    for run in range(400):
        n = rng.randint(1, 5)
        f, sens = [table(rng, n)[0] for _ in "uv"[run % 2:]], table(rng, n)[1]
        g, worst = [held(t, sens) for t in f], [0] * (1 << n)
        for d in range(1, 1 << n):
            worst[d] = max(worst[d ^ 1 << i] + max(0, spread(
                f, d, d ^ 1 << i) - s) for i, s in enumerate(sens)
                if d >> i & 1)
            off = max(abs(a[d] - b[d]) for a, b in zip(f, g))
            assert off <= worst[d], (f, sens, d)
            twin += off > worst[d] / 2
    caught(twin, 100)


def nobody_errs_less_than_half_as_much(rng):
    """[CD20 Lemma 4.2, Corollary 4.4] A function of sensitivity S is a
    Lipschitz one, and the least error of one is half of the largest |f(A) -
    f(B)| - S |A - B|, by the middle of McShane's extensions.  The twin has 1.5
    for the 2."""
    twin = 0
    for _ in range(200):
        n = rng.randint(1, 5)
        f, s = table(rng, n)[0], rng.randrange(9)
        err = max(abs(a - b) for a, b in zip(f, held(f, [s] * n)))
        least = max(abs(f[a] - f[b]) - s * bin(a ^ b).count("1")
                    for a in range(len(f)) for b in range(len(f))) / 2
        assert err <= 2 * least, (f, s)
        twin += err > 1.5 * least
    caught(twin, 20)


# -- preprocessing of means and medians

def by_windows(f, x, s):
    """g of x, sorted, for an f that grows with each value: CD20, Lemma 5.2."""
    g = [f([])] * (len(x) + 1)
    for k in range(1, len(x) + 1):
        g = [min(g[i] + s, max(g[i + 1] - s, f(x[i:i + k])))
             for i in range(len(x) - k + 1)]
    return g[0]


def median_about(center):
    return lambda x: (x[(len(x) - 1) // 2] + x[len(x) // 2]) / 2 if x else (
        center)


def mean_about(center):
    """Exact, where up to seven multiples of 420 are added."""
    return lambda x: sum(x) // len(x) if x else center


def as_far_as_allowed(rng, n, s, more):
    """Sorted values about a median of 0, with A^(k) <= 2 (k + 1) S for odd n
    and k <= n/4, A^(k) = max of x[m + t] - x[m + t - k - 1], 0 <= t <= k + 1.
    The next value goes as far out as that leaves room, or not so far.  With
    `more' A^(k) may be so many times that."""
    m, near = n // 2, n // 4 + 1
    x = {m: 0}
    for j in range(1, m + 1):
        for side in (1, -1):
            room = min((side * x[m + side * (j - k)] + 2 * k * s * more
                        for k in range(j, near + 1)
                        if m + side * (j - k) in x),
                       default=side * x[m + side * (j - 1)] + 1000 * s)
            low = side * x[m + side * (j - 1)]
            x[m + side * j] = side * rng.choice((room, rng.randint(low, room)))
    return [x[i] for i in range(n)]


def widest(x, k):
    """A^(k) of the median of an odd number of sorted values."""
    m = len(x) // 2
    return max(x[m + t] - x[m + t - k - 1] for t in range(k + 2)
               if m + t < len(x) and m + t - k - 1 >= 0)


def medians_are_exact_where_the_middle_half_is_dense(rng):
    """[CD20 Theorem 1.6, Lemma 5.6, Lemma 5.7] An odd number of values, whose
    A^(k) is 2 (k + 1) S at most for k <= n/4, and a center within n S / 2: g
    is the median, and g of the first k is at most (n - k) S below it, where
    the center is.  The twin has A^(k) of 3 (k + 1) S."""
    def failures(more):
        bad = wide = 0
        for _ in range(300):
            n, s = 3 + 2 * rng.randrange(12), 2 * rng.randint(1, 25)
            x, mid = as_far_as_allowed(rng, n, s, more), n // 2
            for k in range(n // 4 + 1):
                below(widest(x, k), 2 * (k + 1) * s * more, x, k)
            wide += any(x[i + 1] - x[i] > 2 * s * more for i in range(
                mid - n // 4 - 1, mid + n // 4 + 1) if 0 <= i < n - 1)
            c = rng.randint(-(n * s // 2), n * s // 2)
            f = median_about(c)
            bad += by_windows(f, x, s) != 0
            for k in range(mid + 1, n + 1) if c <= 0 else ():
                bad += by_windows(f, x[:k], s) < -(n - k) * s
        caught(wide, 50)
        return bad
    below(failures(1), 0)
    caught(failures(1.5), 0)


def an_even_number_of_values_needs_gaps_of_2_s(rng):
    """[CD20 Theorem 1.6, Lemma 5.6, Lemma 5.7] are false for even n, as the
    local sensitivity is half of a gap there: 0, 0, 0, 0, 4, 4, 4, 4 with S = 1
    has A^(k) = 2 for k = 0, 1, 2, by all databases that k changes reach, under
    both relations, and the center -2 is 4 = n S / 2 below the median 2; yet g
    is 1.  For gaps of 2 S at most near the median it holds for even n, too.
    The twin has gaps of 3 S."""
    def changed(x, swap):
        gone = {x[:i] + x[i + 1:] for i in range(len(x))}
        more = {tuple(sorted((*y, v))) for y in (gone if swap else {x})
                for v in range(-1, 6)}
        return more if swap else more | gone

    def failures(gap):
        bad = 0
        for _ in range(300):
            n, s = 2 + 2 * rng.randrange(12), 2 * rng.randint(1, 25)
            mid, x = n // 2 - 1, [0]
            for i in range(1, n):
                x.append(x[-1] + rng.choice((1, rng.random())) * s * (
                    gap if abs(i - mid) <= n // 4 + 1 else 1000))
            median = (x[mid] + x[mid + 1]) / 2
            c = median + rng.randint(-(n * s // 2), n * s // 2)
            bad += abs(by_windows(median_about(c), x, s) - median) > HAIR
        return bad
    f, x = median_about(-2), (0, 0, 0, 0, 4, 4, 4, 4)
    for swap in (False, True):
        reached = {x}
        for k in range(3):
            below(max(abs(f(y) - f(z)) for y in reached
                      for z in changed(y, swap)), 2, k)
            reached |= {z for y in reached for z in changed(y, swap)}
    below(f(x) - -2, len(x) / 2)
    assert by_windows(f, x, 1) == 1
    below(failures(2), 0)
    caught(failures(3), 0)


def medians_lie_between_the_plain_one_and_the_center(rng):
    """[CD20 Lemma 5.4, Lemma 5.5] The second display of the paper's proof has
    med(D) - S where induction gives center - S, as g of the middle is no less
    than the center: enough for g(D) >= center.  The twin's center is
    another."""
    twin = 0
    for _ in range(500):
        x = sorted(rng.randint(-99, 99) for _ in range(rng.randint(1, 20)))
        c = rng.randint(-99, 99)
        f, s = median_about(c), rng.randint(1, 20)
        ends = sorted((c, f(x)))
        assert ends[0] <= by_windows(f, x, s) <= ends[1], (x, c, s)
        twin += not ends[0] <= by_windows(median_about(c + 9), x, s) <= ends[1]
    caught(twin, 20)


def by_classes(f, center, classes, parts):
    """g of `classes', lists of sorted values whose records have the same S
    each, by windows of each class; f takes sorted values."""
    most = [len(x) for x in classes]
    g = {}
    for at in sorted(itertools.product(*(
            [(i, j) for i in range(n + 1) for j in range(i, n + 1)]
            for n in most)), key=lambda at: sum(j - i for i, j in at)):
        near = [(g[at[:c] + ((i, j - 1),) + at[c + 1:]],
                 g[at[:c] + ((i + 1, j),) + at[c + 1:]], parts[c])
                for c, (i, j) in enumerate(at) if i < j]
        g[at] = center if not near else min(
            min(low + s for low, _, s in near),
            max(max(high - s for _, high, s in near), f(sorted(
                v for x, (i, j) in zip(classes, at) for v in x[i:j]))))
    return g[tuple((0, n) for n in most)]


def windows_of_each_sensitivity_are_enough_and_windows_of_all_are_not(rng):
    """[CD20 Lemma 5.2, Definition 2.3] Where records have a S_i of their own.

    Records of one S.  If a value grows, g of an ordered f grows, by induction,
    as f and all neighbours do.  D less its smallest record of one S has, value
    by value, no less than D less another record of that S, and the same S: so
    the largest record of each S decides UPPER, the smallest LOWER, and windows
    of each S are enough.  With m values of S these are n^(2m) windows and not
    n^2.

    Windows of all.  Over these, shifted as in ordered.c, g falls with the
    first record, as LOWER <= UPPER.  But a record inside may bind, so two
    windows do not decide the next one: 0, 9, 10 with S 100, 0, 100 and center
    0 has 5, windows 9.  Nor is there one path of windows of each S: which S
    binds first depends on more than the order of values.  The twin is that of
    windows."""
    def windows(f, center, x, parts):
        g = {(i, i): center for i in range(len(x) + 1)}
        for k in range(1, len(x) + 1):
            for i in range(len(x) - k + 1):
                j = i + k
                g[i, j] = min(g[i, j - 1] + parts[j - 1], max(
                    g[i + 1, j] - parts[i], f(x[i:j])))
        return g[0, len(x)]
    assert held([0, 0, 9, 4.5, 10, 5, 9.5, 9], [100, 0, 100])[7] == 5
    assert windows(median_about(0), 0, [0, 9, 10], [100, 0, 100]) == 9
    twin, binds = 0, {}
    for run in range(300):
        n, c = rng.randint(1, 6), 420 * rng.randint(-5, 5)
        x = sorted(420 * rng.randint(-9, 9) for _ in range(n))
        two = [420 * s for s in rng.sample(range(7), 2)]
        of = [rng.randrange(2) for _ in x]
        f = (median_about if run % 2 else mean_about)(c)
        parts = [two[k] for k in of]
        g = held([f([v for i, v in enumerate(x) if d >> i & 1])
                  for d in range(1 << n)], parts)
        split = [[v for v, k in zip(x, of) if k == which] for which in (0, 1)]
        assert by_classes(f, c, split, two) == g[-1], (x, parts, c)
        twin += windows(f, c, x, parts) != g[-1]
        for k in range(n):
            payoff = [g[((1 << k) - 1) << i] + sum(parts[i + k:]) -
                      sum(parts[:i]) for i in range(n - k + 1)]
            assert payoff == sorted(payoff, reverse=True), (x, parts, c, k)
    for _ in range(300):
        x = sorted(rng.sample(range(-50, 50), 3))
        g = held([median_about(0)([v for i, v in enumerate(x) if d >> i & 1])
                  for d in range(8)], [20, 10, 10])
        binds[g[6] - 20 < g[5] - 10] = x
    caught(twin, 5)
    caught(len(binds), 1)


def means_lie_between_the_two_one_sided_recursions(rng):
    """[CD20 Definition 5.8, Lemma 5.9, Lemma 5.10] Of the last k records the
    paper has, for k = n - l + 1, the smallest l with h_upper >= mu and the
    value min(center + (n - l) S, mu).  It is the smallest l with h_upper <=
    mu, and (n - l + 1) S; the twin is the lemma as it is printed."""
    def recursion(c, means, s):
        h = [c]
        for mu in means:
            h.append(min(h[-1] + s, max(h[-1] - s, mu)))
        return h
    printed = between = 0
    for _ in range(3000):
        x = sorted(420 * rng.randint(-20, 20) * rng.choice((1, 1, 1, 9))
                   for _ in range(rng.randint(1, 7)))
        n, c, s = len(x), 420 * rng.randint(-40, 40), 420 * rng.randrange(12)
        f, ks = mean_about(c), range(1, len(x) + 1)
        low, mus = [f(x[:k]) for k in ks], [f(x[n - k:]) for k in ks]
        lower, upper = recursion(c, low, s), recursion(c, mus, s)
        g = by_windows(f, x, s)
        assert lower[n] <= g <= upper[n], (x, c, s)
        between += lower[n] < g < upper[n]
        last = max((k for k in ks if lower[k] >= low[k - 1]), default=0)
        assert last == 0 or lower[last] == max(c - last * s, low[last - 1])
        last = max((k for k in ks if upper[k] <= mus[k - 1]), default=0)
        assert last == 0 or upper[last] == min(c + last * s, mus[last - 1])
        last = max((k for k in ks if upper[k] >= mus[k - 1]), default=0)
        printed += last > 0 and upper[last] != min(
            c + (last - 1) * s, mus[last - 1])
    caught(min(printed, between), 50)


def means_err_by_no_more_than_outliers_and_a_far_center_cost(rng):
    """[CD20 Theorem 1.7, Lemma 5.11, Lemma 5.13] n times the error; and none
    where the data lie within n S from a on, a S below the center at most.
    Twins: 0 for the factor 27, and data within 2 n S."""
    def bound(x, c, s, factor):
        n, mu = len(x), sum(x) // len(x)
        return max(n * abs(c - mu) - n * n * s // 3, 0) + sum(
            max(factor * abs(y - mu) - n * s, 0) for y in x)
    off = moved = 0
    for _ in range(3000):
        n, s, c = rng.randint(1, 7), 420 * rng.randrange(12), 420 * (
            rng.randint(-40, 40))
        x = sorted(420 * rng.randint(-20, 20) * rng.choice((1, 1, 1, 9))
                   for _ in range(n))
        f = mean_about(c)
        err = n * abs(by_windows(f, x, s) - f(x))
        assert err <= bound(x, c, s, 27), (x, c, s)
        off += err > bound(x, c, s, 0)
        a = c - 420 * rng.randint(0, n * s // 420)
        near = [sorted(a + 420 * rng.choice((0, m, rng.randint(0, m)))
                       for _ in range(n))
                for m in (n * s // 420, 2 * n * s // 420)]
        assert by_windows(f, near[0], s) == f(near[0]), (near, c, s)
        moved += by_windows(f, near[1], s) != f(near[1])
    caught(min(off, moved), 50)


def a_lower_mean_lacks_one_s_for_each_value_after_k(rng):
    """[CD20 Lemma 5.11] In the last display of the proof the sum of 27 |x_i -
    mu|/n - S begins at k, so it takes S off n - k + 1 times where the line
    before has n - k.  It holds from k + 1 on; the twin is the display as it is
    printed."""
    printed = 0
    for _ in range(3000):
        x = sorted(420 * rng.randint(-9, 9) for _ in range(rng.randint(1, 7)))
        n, c, s = len(x), 420 * rng.randint(-9, 9), 420 * rng.randrange(1, 9)
        means = [sum(x[:k]) // k for k in range(1, n + 1)]
        h = [c]
        for mu in means:
            h.append(min(h[-1] + s, max(h[-1] - s, mu)))
        k = max((k for k in range(1, n + 1) if h[k] >= means[k - 1]),
                default=0)
        if 3 * k < n:
            continue
        right, wrong = (sum(27 * abs(v - means[-1]) - n * s for v in x[at:])
                        for at in (k, k - 1))
        assert n * (means[-1] - h[n]) <= right, (x, c, s)
        printed += n * (means[-1] - h[n]) > wrong
    caught(printed, 50)


# -- preprocessing before a choice

def choices_by_scores_that_each_record_moves_by_its_own_part(rng):
    """[CD20 Proposition 7.5, Remark 7.6] Scores of S_i = S eps_i / E change
    the law of exp(E q / 2 S) by no more than e^(eps_i).  The twin has S for
    everybody."""
    def excess(scores, rate, eps):
        law = [[rate * q[d] - math.log(sum(math.exp(rate * p[d])
                                           for p in scores))
                for d in range(len(q))] for q in scores]
        return max(abs(q[d] - q[d & ~(1 << i)]) - e for q in law
                   for d in range(len(q)) for i, e in enumerate(eps))
    twin = 0
    for _ in range(200):
        s, total = rng.randint(1, 30), rng.randint(1, 30) / rng.randint(1, 20)
        eps = [total * rng.randint(1, 20) / 20
               for _ in range(rng.randint(1, 4))]
        scores = [table(rng, len(eps), 50)[0] for _ in range(3)]
        own, same = ([held(q, [s * e / total for e in of]) for q in scores]
                     for of in (eps, [total] * len(eps)))
        below(excess(own, total / 2 / s, eps), 0, s, eps)
        twin += excess(same, total / 2 / s, eps) > HAIR
    caught(twin, 50)


# -- how far from f a search stops

def stopping(h, eps):
    """Chances that a search of outputs with these queries stops at each: where
    V_i >= 1 + T - h_i of geometric noise, T from 0 on."""
    p = [0] * len(h)
    for bar in range(int(45 / eps)):
        left = math.exp(-eps * bar) * -math.expm1(-eps)
        for i, q in enumerate(h):
            stop = left * math.exp(-eps * max(0, 1 + bar - q))
            p[i] += stop
            left -= stop
    return p


def a_search_stops_early_and_late_as_seldom_as_that(rng):
    """[D24 Lemma 4.1, Lemma C.2, Lemma C.3] They say that M(x) is between
    L^(ln k + 1) and what is k outputs above f but for a chance of O(1/k), with
    eps1 = eps2 = eps/3.  That holds above f and not below.

    Below.  Let q = exp(-eps2) and m outputs be below L^l.  Such an output has
    h <= -l, and stops the search only where V_i >= 1 + l + T: with the chance
    q^(1 + l) E[q^T] = q^(1 + l)/(1 + q).  Hence P[M < L^l] <= m q^(1 + l)/(1 +
    q).  With l = ln k this is of the order of k^(-eps/3), as in the paper's own
    Lemma C.2; its proof of Lemma 4.1 goes on with 1/k, which takes l = (3/eps)
    ln k.

    Above.  h >= 1 from f on.  To pass k outputs takes T > max of k V_i, all
    alike and independent of T: at most one of k + 1 is the only largest, so
    the chance is 1/(k + 1) at most."""
    for run in range(30):
        eps = (1 / 12, 1 / 3, 1)[run % 3]
        q = math.exp(-eps)
        h = sorted(-rng.randrange(60) for _ in range(rng.randint(1, 60)))
        f, h = len(h), h + [1 + rng.randrange(2) for _ in range(60)]
        p = stopping(h, eps)
        for l in range(1, 60, 7):
            m = sum(x <= -l for x in h)
            below(sum(p[:m]), m * q ** (1 + l) / (1 + q), h, l)
        for k in range(1, 61):
            below(1 - sum(p[:f + k]), 1 / (k + 1), h, k)


def one_over_k_is_no_bound_from_below(_rng):
    """[D24 Corollary C.4] Nor can a better proof save Lemma 4.1: one output
    just below f stops the search with exactly q^(1 + l)/(1 + q), and k = e^l
    times that grows by e^(1 - eps/3) with l."""
    for eps in (1 / 12, 1 / 6, 1 / 3):
        q, last = math.exp(-eps), 0
        for l in range(2, 24):
            p = stopping([-l], eps)[0]
            below(abs(p * (1 + q) / q ** (1 + l) - 1), 0)
            assert l == 2 or p * math.exp(l) > 1.9 * last
            last = p * math.exp(l)
        assert last > 1e6


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


def a_record_adds_its_part_of_the_squared_range_at_most(rng):
    """[D24 Lemma 5.4] Var[x'] <= Var[x] + (b - a)^2/n for x' that differs in
    one value of a..b, and with l values l times that; the proof has it
    reversed, Var[x] >= Var[x'] + (b - a)^2/n, which is the twin."""
    reversed_ = 0
    for _ in range(2000):
        x = [rng.randrange(10) for _ in range(rng.randint(1, 6))]
        y, l = list(x), rng.randint(1, len(x))
        for i in rng.sample(range(len(x)), l):
            y[i] = rng.choice((0, 9, rng.randrange(10)))
        assert var(y) <= var(x) + Fraction(81 * l, len(x)), (x, y)
        reversed_ += var(x) < var(y) + Fraction(81, len(x))
    caught(reversed_, 1000)


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
    """g of all subsets, f(empty) = 0."""
    return held([var([v for i, v in enumerate(x) if d >> i & 1])
                 for d in range(1 << len(x))], [s] * len(x))


def bound(x, s, factor):
    """Lemma 6.11's, with `factor' for 4."""
    n = len(x)
    return max(by_pairs(x) - Fraction(n, 2) * s, 0) + sum(
        max(factor * sum(Fraction((a - b) ** 2, n * n) for b in x) - s, 0)
        for a in x)


def preprocessing_only_lowers_a_variance(rng):
    """[CD20 Lemma 6.5, Lemma 6.6, Lemma 6.9, Lemma 6.11, Theorem 1.8]"""
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


def a_table_of_rounds_errs_as_seldom_as_that(rng):
    """[KPAK20 Theorem 8, Section 3.4] T rounds of multiplicative weights err
    by at most 2 n sqrt(log N / T) + 10 c T log |Q| on every range, but for a
    chance of 2 T / |Q|.  The twin is the uniform table."""
    size, rounds, c = 24, 40, 2
    queries = list(itertools.combinations(range(size + 1), 2))

    def errors(x, y):
        at = [0, *itertools.accumulate(a - b for a, b in zip(x, y))]
        return [at[j] - at[i] for i, j in queries]
    missed = twin = 0
    for _ in range(20):
        x = [rng.randrange(10 ** 5 if i < 4 else 3000) for i in range(size)]
        n = sum(x)
        y, mean, scale = [n / size] * size, [0] * size, 2 * rounds * c
        bound = 2 * n * math.sqrt(math.log(size) / rounds) + (
            10 * c * rounds * math.log(len(queries)))
        twin += max(map(abs, errors(x, y))) > bound
        for _ in range(rounds):
            off = errors(x, y)
            top = max(map(abs, off))
            k = rng.choices(range(len(off)), [
                math.exp((abs(e) - top) / 2 / scale) for e in off])[0]
            noise = rng.expovariate(1 / scale) - rng.expovariate(1 / scale)
            y = [v * math.exp((off[k] + noise) / 2 / n) if
                 queries[k][0] <= i < queries[k][1] else v
                 for i, v in enumerate(y)]
            y = [v * n / sum(y) for v in y]
            mean = [a + b / rounds for a, b in zip(mean, y)]
        missed += max(map(abs, errors(x, mean))) > bound
    below(missed / 20, 2 * rounds / len(queries))
    caught(twin, 5)


def answers_err_by_bias_and_noise(rng):
    """[KPAK20 Theorem 2, Theorem 11] of queries that are answered for as
    others: biases b, which add up over records and are largest for records of
    one kind, and noise of scales c.  In closed form E (b + Y)^2 = b^2 + 2 c^2,
    E |b + Y| = |b| + c e^(-|b|/c), and P[|b + Y| > t] is the mean of
    e^((b - t)/c) and e^((-b - t)/c) for t >= |b|.  Twins: a bias without
    noise, and ln(1/delta) for ln(k/delta)."""
    twins = [0, 0, 0]
    for _ in range(60):
        k = rng.randint(1, 4)
        c = [0.1 + rng.randrange(20) / 10 for _ in range(k)]
        kinds = [[rng.randint(-8, 8) / 8 for _ in range(k)] for _ in range(4)]
        one, square, top = (max(norm(b) for b in kinds) for norm in (
            lambda b: sum(map(abs, b)), lambda b: sum(x * x for x in b),
            lambda b: max(map(abs, b))))
        for records in itertools.product(kinds, repeat=3):
            b = [sum(bias) / 3 for bias in zip(*records)]
            off = sum(x * x + 2 * y * y for x, y in zip(b, c))
            below(off, 2 * square + 4 * sum(y * y for y in c), b, c)
            twins[0] += off > 2 * square
            off = sum(abs(x) + y * math.exp(-abs(x) / y)
                      for x, y in zip(b, c))
            below(off, one + sum(c), b, c)
            twins[1] += off > one
            for delta in (1, 0.1, 1e-3):
                def beyond(of):
                    t = top + math.log(of / delta) * max(c)
                    return 1 - math.prod(1 - (
                        math.exp((x - t) / y) + math.exp((-x - t) / y)) / 2
                        for x, y in zip(b, c))
                below(beyond(k), delta, b, c)
                twins[2] += beyond(1) > delta + HAIR
    caught(min(twins), 20)


def what_is_chosen_by_another_score_is_nearly_as_good(rng):
    """[KPAK20 Theorem 4] The law exp(v / 2 c) chooses what is good by u, too,
    but for a chance of e^-t: with -delta, where the paper has +delta, which
    is the twin."""
    twins = [0, 0]
    for _ in range(1000):
        c, u = rng.randint(1, 9), [rng.randrange(40) for _ in range(6)]
        v = [x + rng.randint(-3, 3) for x in u]
        delta = max(abs(x - y) for x, y in zip(u, v))
        law = [math.exp(y / 2 / c) for y in v]

        def chance(floor):
            return sum(p for p, x in zip(law, u) if x <= floor + HAIR) / sum(
                law)
        for t in range(6):
            slack = 2 * c * math.log(6 / v.count(max(v)))
            room = max(v) - slack - 2 * c * t
            below(chance(room - delta), math.exp(-t), u, v, c)
            twins[0] += chance(room + delta) > math.exp(-t) + HAIR
            twins[1] += chance(room - delta + slack) > math.exp(-t) + HAIR
    caught(min(twins), 20)


def the_smaller_of_two_budgets_is_no_metric(_rng):
    """[KPAK20 Definition 2] Appendix C calls min(eps_u, eps_v) a metric.  Two
    elements of 5 and one of 1: 5 is more than 1 + 1, by way of the third.
    Closed under shortest paths it is min(eps_u, eps_v, 2 min of all), which is
    one, and so is the sum eps_u + eps_v of the paper's section 5."""
    def broken(d, size):
        return sum(d(u, w) > d(u, v) + d(v, w) + HAIR
                   for u, v, w in itertools.permutations(range(size), 3))
    bad = 0
    for size in (3, 4):
        for eps in itertools.product((1, 2, 5), repeat=size):
            bad += broken(lambda u, v: min(eps[u], eps[v]), size) > 0
            low = min(eps)
            assert not broken(lambda u, v: min(eps[u], eps[v], 2 * low), size)
            assert not broken(lambda u, v: eps[u] + eps[v], size)
            for u, w in itertools.permutations(range(size), 2):
                short = min(min(eps[u], eps[w]), *(
                    min(eps[u], eps[v]) + min(eps[v], eps[w])
                    for v in range(size) if v not in (u, w)))
                assert short == min(eps[u], eps[w], 2 * low), eps
    caught(bad, 10)


def releases_add_up_and_groups_pay_for_each_record(rng):
    """[KPAK20 Fact 1] Of noise on counts the log ratio of releases about x and
    x' is the sum of |q(x) - q(x')| / c at most; k moves of records cost k
    times the largest distance.  The twin charges a group as one record."""
    twin = 0
    for _ in range(60):
        at = rng.sample(range(1000), 8)
        q = [at, [rng.randrange(100) for _ in at]]
        c = [max(abs(one[i] - one[j]) / abs(at[i] - at[j])
                 for i, j in itertools.combinations(range(8), 2)) for one in q]
        far = max(at) - min(at)
        for _ in range(100):
            moves_of = [rng.sample(range(8), 2)
                        for _ in range(rng.randint(2, 5))]
            cost = [abs(sum(one[i] - one[j] for i, j in moves_of)) / d
                    for one, d in zip(q, c) if d > 0]
            below(sum(cost), len(q) * len(moves_of) * far, at, q)
            twin += cost[0] > far
    caught(twin, 20)


FACTS = (
    what_few_records_tell_moves_little,
    parities_of_private_maps_are_hidden,
    one_release_answers_no_parity_that_comes_later,
    a_single_report_tells_a_parity_by_the_part_that_is_kept,
    beliefs_change_by_the_charge_at_most,
    bits_of_an_output_are_flipped_with_less_bias_than_printed,
    a_noisy_sum_loses_epsilon_times_the_distance,
    what_binds_g_is_the_value_of_a_subset,
    nobody_is_closer_somewhere_and_farther_nowhere,
    the_gadget_tells_whether_a_formula_can_be_satisfied,
    balls_about_neighbours_of_one_database_meet,
    errors_stay_within_the_sum_over_an_order_of_arrival,
    nobody_errs_less_than_half_as_much,
    medians_are_exact_where_the_middle_half_is_dense,
    an_even_number_of_values_needs_gaps_of_2_s,
    medians_lie_between_the_plain_one_and_the_center,
    windows_of_each_sensitivity_are_enough_and_windows_of_all_are_not,
    means_lie_between_the_two_one_sided_recursions,
    means_err_by_no_more_than_outliers_and_a_far_center_cost,
    a_lower_mean_lacks_one_s_for_each_value_after_k,
    choices_by_scores_that_each_record_moves_by_its_own_part,
    a_search_stops_early_and_late_as_seldom_as_that,
    one_over_k_is_no_bound_from_below,
    a_variance_of_one_record_less,
    a_record_adds_its_part_of_the_squared_range_at_most,
    free_records_go_to_the_mean_of_the_others,
    preprocessing_only_lowers_a_variance,
    a_value_has_less_before_it_than_after_k,
    late_values_are_far_from_the_mean_where_they_are_from_others,
    squares_that_meet_in_pairs_meet_in_a_point,
    three_dimensions_have_balls_that_only_meet_in_pairs,
    discs_meet_in_pairs_only_and_squares_in_a_point,
    a_small_database_answers_all_queries,
    a_table_of_rounds_errs_as_seldom_as_that,
    answers_err_by_bias_and_noise,
    what_is_chosen_by_another_score_is_nearly_as_good,
    the_smaller_of_two_budgets_is_no_metric,
    releases_add_up_and_groups_pay_for_each_record,
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
