"""Samples, references and methods that figure/errors and figure/goals compare.

The references, written here from their definitions, are those of many
libraries: quantiles by the exponential mechanism over the intervals between
sorted values; plain Laplace noise on median, clamped mean and variance; a mean
and a variance of noisy sums.  They use floating point, so they are good for
accuracy and not for privacy.
"""
import collections
import csv
import itertools
import math
import os
import random
import statistics
from bisect import bisect_left, bisect_right
from fractions import Fraction

import common
from common import BLUE, GOLD, GREEN, GREY, PINK, RED, SKY

RECORDS = 1001          # odd: a sample has one median
NINE = ["0.%d" % k for k in range(1, 10)]
ADD, SWAP = "add-remove", "swap"
TRUE = {"median": statistics.median, "mean": statistics.fmean,
        "variance": statistics.pvariance}


# The references.  x is sorted and clamped to [lo, hi]; n is public.

def clamped(x, lo, hi):
    return [min(max(v, lo), hi) for v in x]


def around(value, scale, r, times):
    """Laplace noise."""
    return [value + scale * r.expovariate(1) * r.choice((-1, 1))
            for _ in range(times)]


def interval_quantile(x, lo, hi, q, rate, r, times):
    """
    The exponential mechanism on [lo, hi] whose score of a point with k values
    below it is -|k - q n|: equal within an interval, so an interval is drawn
    with a weight of its length times exp(rate score), and a point in it
    evenly.  The rate is epsilon / (2 sensitivity).  One record replaced
    changes k by 1 at most; one more or less changes k by 0 or 1 and q n by q,
    so the score by the larger of q and 1 - q.
    """
    z = [lo] + x + [hi]
    aim = q * len(x)
    log = [math.log(b - a) - rate * abs(k - aim)
           if b > a else -math.inf
           for k, (a, b) in enumerate(zip(z, z[1:]))]
    top = max(log)
    sums = list(itertools.accumulate(math.exp(v - top) for v in log))
    drawn = r.choices(range(len(log)), cum_weights=sums, k=times)
    return [r.uniform(z[k], z[k + 1]) for k in drawn]


def interval_median(x, lo, hi, epsilon, relation, r, times):
    most = 1 if relation == SWAP else 0.5
    return interval_quantile(x, lo, hi, 0.5, epsilon / (2 * most), r, times)


def intervals(*quantiles):
    """Each quantile with its part of epsilon, in whole numbers."""
    def run(x, lo, hi, epsilon, relation, r, times):
        most = [1 if relation == SWAP else max(float(q), 1 - float(q))
                for q in quantiles]
        each = [interval_quantile(
            x, lo, hi, float(q), epsilon / len(quantiles) / (2 * s), r, times)
                for q, s in zip(quantiles, most)]
        return zip(*([float(round(v)) for v in values] for values in each))
    return theirs(run)


def plain_median(x, lo, hi, epsilon, _, r, times):
    """Half the records at each end: one record moves it all the way."""
    return around(statistics.median(x), (hi - lo) / epsilon, r, times)


def clamped_mean(x, lo, hi, epsilon, _, r, times):
    """One record replaced moves the sum by hi - lo at most."""
    return around(statistics.fmean(x), (hi - lo) / len(x) / epsilon, r, times)


def noisy_mean(x, lo, hi, epsilon, _, r, times):
    """Sum over count, half of epsilon each: one record more or less moves
    the sum by max(|lo|, |hi|) at most and the count by 1."""
    sums = around(math.fsum(x), 2 * max(abs(lo), abs(hi)) / epsilon, r, times)
    counts = around(len(x), 2 / epsilon, r, times)
    return [min(max(a / max(b, 1), lo), hi) for a, b in zip(sums, counts)]


def plain_variance(x, lo, hi, epsilon, _, r, times):
    """
    The variance is the sum of the squares of all differences of two records
    over n^2.  One record replaced changes n - 1 of them by (hi - lo)^2 at
    most: sensitivity (hi - lo)^2 (n - 1) / n^2, which is reached.
    """
    n = len(x)
    return around(statistics.pvariance(x), (hi - lo) ** 2 * (n - 1) / n ** 2 /
                  epsilon, r, times)


def noisy_sums(x, lo, hi, epsilon, _, r, times):
    """Count, sum and sum of squares about the middle, a third of epsilon
    each; one record moves them by 1, h and h^2 at most."""
    middle, h, e = (lo + hi) / 2, (hi - lo) / 2, epsilon / 3
    about = [v - middle for v in x]
    sums = (around(total, scale, r, times) for total, scale in (
        (len(x), 1 / e), (math.fsum(about), h / e),
        (math.fsum(v * v for v in about), h * h / e)))
    for n, one, two in zip(*sums):
        n = max(n, 1)
        yield min(max(two / n - (one / n) ** 2, 0), h * h)


# Samples.  draw(r, n) gives one; seed names the generator, with n or without.

Data = collections.namedtuple("Data", "name title unit lo hi draw seed")


class Case:
    """Samples of one data set, as groups of one table; moved by -lo for a
    sum of terms that must not be negative."""

    def __init__(self, data, samples, folder, n=RECORDS):
        self.name, self.title, self.unit, self.lo, self.hi, draw, seed = data
        r = random.Random(seed.replace("N", str(n)))
        self.samples = [sorted(draw(r, n)) for _ in range(samples)]
        self.truth = {}
        self.keys = os.path.join(folder, "%d.tmp" % samples)
        with open(self.keys, "w", encoding="utf-8") as f:
            f.writelines("%d\n" % k for k in range(samples))
        self.text = self.table(0)

    def true(self, statistic):
        """Of each sample."""
        if statistic not in self.truth:
            self.truth[statistic] = list(map(TRUE[statistic], self.samples))
        return self.truth[statistic]

    def table(self, low):
        return "x,sample\n" + "".join(
            "%r,%d\n" % (round(v - low, 6), k)
            for k, x in enumerate(self.samples) for v in x)

    def bounds(self, width):
        """The range, as many times as wide; it starts at 0 or is symmetric.
        """
        if self.lo == 0:
            return 0, round(self.hi * width)
        return round(self.lo * width), round(self.hi * width)

    def answers(self, command, epsilon, times, seed, names=(), text=None):
        """For each sample the lists of numbers of its releases; where there
        are several, those of these names."""
        command = command + ["-e", epsilon, "-n", str(times), "--seed",
                             str(seed), "-c", "x", "-g", "sample", "--groups",
                             self.keys, "-f", "csv"]
        if SWAP in command:
            command += ["--public", "sample"]
        out = [[] for _ in self.samples]
        head, *rows = csv.reader(common.run(
            command, text or self.text).splitlines())
        own = [k for k, name in enumerate(head) if name.startswith("x_")]
        at = own if len(own) == 1 else [head.index("x_" + name)
                                        for name in names]
        sample = head.index("sample")
        for row in rows:
            out[int(row[sample])].append([float(row[k]) for k in at])
        return out

    def errors(self, statistic, releases):
        """Of each sample's releases; of quantiles by the ranks."""
        if statistic == "quantiles":
            return [[rank_error(x, v) for v in values]
                    for x, values in zip(self.samples, releases)]
        return [[abs(v - truth) for v, in values]
                for values, truth in zip(releases, self.true(statistic))]


def rank_error(x, answers):
    """Records between an answer and its quantile, none where it is one."""
    n = len(x)
    return statistics.fmean(max(
        0.0, bisect_left(x, v) - float(q) * n,
        n - bisect_right(x, v) - (1 - float(q)) * n)
                            for q, v in zip(NINE, answers))


def drawn(make, lo, hi, number=float):
    """Rounded to hundredths and to the range."""
    return lambda r, n: [number(min(max(round(make(r), 2), lo), hi))
                         for _ in range(n)]


NORMAL = (lambda r: r.gauss(0, 1)), -5, 5
INCOMES = (lambda r: r.lognormvariate(10.3, 0.8)), 0, 250000
TWO = (lambda r: r.gauss(r.choice((20, 60)), 4)), 0, 100
FILES = {"hours": ("adult, hours a week", "hours", 100, "adult.csv",
                   "hours-per-week"),
         "price": ("diamonds, price", "dollars", 20000, "diamonds.csv",
                   "price"),
         "bike": ("bike rentals an hour", "rentals", 1000, "bike-hour.csv",
                  "cnt")}


def column(name, number, seed):
    """A column of the public data, none without the file."""
    title, unit, hi, file, head = FILES[name]
    found = common.read(os.path.join(common.DATA, file), head)
    if found:
        x = list(map(number, found[0]))
        yield Data(name, title, unit, 0, hi, lambda r, n: (
            r.sample(x, n) if len(x) > n else list(x)), seed)


def replaced():
    """Six data sets, for one record replaced."""
    yield Data("normal", "normal, the range symmetric", "", *NORMAL[1:],
               drawn(*NORMAL), "normal")
    yield Data("incomes", "lognormal incomes", "dollars", *INCOMES[1:],
               drawn(*INCOMES), "incomes")
    yield Data("two", "two groups, at 20 and 60", "years", *TWO[1:],
               drawn(*TWO), "two")
    for name in FILES:
        yield from column(name, float, name)


def coming():
    """Eight, all whole numbers, for one record that comes or goes."""
    for name, title, unit, hi in (
            ("income", "income of people.csv, 250,000 at most", "dollars",
             250000), ("age", "age of people.csv", "years", 120)):
        values = [min(int(v), hi) for v in common.read(
            common.TOP + "/data/people.csv", name)[0]]
        yield Data(name, title, unit, 0, hi, lambda r, n, values=values:
                   r.choices(values, k=n), name + " N")
    for name in ("hours", "price"):
        yield from column(name, int, name + " N")
    yield Data("normal", "normal, in hundredths", "hundredths", -500, 500,
               drawn(*NORMAL, lambda v: round(100 * v)), "normal")
    yield Data("incomes", "lognormal incomes", "dollars", *INCOMES[1:],
               drawn(*INCOMES, round), "incomes")
    yield Data("two", "two groups, at 20 and 60", "years", *TWO[1:],
               drawn(*TWO, round), "two")
    yield from column("bike", lambda v: round(float(v)), "bike")


# Methods: run(case, lo, hi, epsilon, times, seed, relation) gives the releases
# for each sample; `relation' of a method stands for the one that is asked.

Method = collections.namedtuple("Method", "name colour ours run relation",
                                defaults=(None,))


def ours(command, *names, bounds=True):
    """names: of the answers that count."""
    def run(case, lo, hi, epsilon, times, seed, relation):
        more = ["--neighbors", relation]
        more += ["--range=%d:%d" % (lo, hi)] if bounds else []
        return case.answers(command.split() + more, epsilon, times, seed,
                            names)
    return run


def preprocessed(tool):
    """What --range with --size would set, but without clamping: preprocessing
    does not need it."""
    def run(case, lo, hi, epsilon, times, seed, relation):
        power = 2 if tool == "sp-var" else 1
        s = (hi - lo) ** power / len(case.samples[0])
        command = [tool, "--neighbors", relation, "-s", "%.*f" % (max(
            0, 9 - math.floor(math.log10(s))), s)]
        if power == 1:
            command.append("--center=%g" % ((lo + hi) / 2))
        return case.answers(command, epsilon, times, seed)
    return run


def asm_mean(case, lo, hi, epsilon, times, seed, relation):
    """A sum over the public number of records, moved to start at 0."""
    sums = case.answers(["asm-estimate", "sum", "--range=0:%d" % (hi - lo),
                         "--neighbors", relation], epsilon, times, seed,
                        text=case.table(lo) if lo else None)
    return [[[lo + v / len(x)] for v, in got]
            for got, x in zip(sums, case.samples)]


def apart(command):
    """Nine releases, a ninth of epsilon each."""
    def run(case, lo, hi, epsilon, times, seed, relation):
        share = Fraction(epsilon) / 9
        each = [ours("%s %s" % (command, q))(
            case, lo, hi, "%d/%d" % share.as_integer_ratio(), times,
            9 * seed + k, relation) for k, q in enumerate(NINE)]
        return [[[v[0] for v in release] for release in zip(*of_sample)]
                for of_sample in zip(*each)]
    return run


def theirs(make):
    """A reference, by what makes the lists of numbers of its releases."""
    def run(case, lo, hi, epsilon, times, seed, relation):
        r = random.Random(seed)
        return [list(make(clamped(x, lo, hi), lo, hi, float(epsilon),
                          relation, r, times)) for x in case.samples]
    return run


def singly(mechanism):
    """A reference whose releases are one number."""
    return theirs(lambda *asked: ([v] for v in mechanism(*asked)))


SPLIT = "asm-estimate quantile"
METHODS = {
    SWAP: {
        "median": [
            Method("interval exponential", RED, False,
                   singly(interval_median)),
            Method("plain Laplace", GREY, False, singly(plain_median)),
            Method("sp-median", BLUE, True, preprocessed("sp-median")),
            Method("asm-estimate", GREEN, True, ours(SPLIT)),
            Method("asm-estimate, no range", SKY, True,
                   ours(SPLIT, bounds=False)),
            Method("asm-estimate pf", PINK, True,
                   ours(SPLIT + " --mechanism pf")),
            Method("em-quantile", GOLD, True, ours("em-quantile"))],
        "mean": [
            Method("clamped mean", RED, False, singly(clamped_mean)),
            Method("sp-mean", BLUE, True, preprocessed("sp-mean")),
            Method("asm-estimate sum / n", GREEN, True, asm_mean)],
        "variance": [
            Method("plain Laplace", GREY, False, singly(plain_variance)),
            Method("sp-var", BLUE, True, preprocessed("sp-var")),
            Method("asm-estimate", GREEN, True, ours("asm-estimate var")),
            Method("asm-estimate, no range", SKY, True,
                   ours("asm-estimate var", bounds=False))]},
    ADD: {
        "mean": [
            Method("noisy sum / noisy count", RED, False, singly(noisy_mean)),
            Method("clamped mean, n public", GREY, False,
                   singly(clamped_mean)),
            Method("laplace mean", BLUE, True, ours("laplace mean")),
            Method("laplace stats", GREEN, True,
                   ours("laplace stats", "mean")),
            Method("sp-mean", PINK, True, preprocessed("sp-mean"))],
        "variance": [
            Method("three noisy sums", RED, False, singly(noisy_sums)),
            Method("plain Laplace, n public", GREY, False,
                   singly(plain_variance)),
            Method("laplace stats", GREEN, True,
                   ours("laplace stats", "var")),
            Method("sp-var", PINK, True, preprocessed("sp-var")),
            Method("asm-estimate", SKY, True, ours("asm-estimate var"))],
        "median": [
            Method("interval exponential", RED, False, intervals("0.5")),
            Method("em-quantile", GOLD, True, ours("em-quantile --digits 0")),
            Method("sp-median", PINK, True, preprocessed("sp-median")),
            Method("asm-estimate", SKY, True, ours(SPLIT + " --digits 0"))],
        "quantiles": [
            Method("interval exponential, E/9", RED, False, intervals(*NINE)),
            Method("em-quantile", GOLD, True,
                   ours("em-quantile --digits 0 -q " + ",".join(NINE),
                        *("p%d0" % k for k in range(1, 10)))),
            Method("em-quantile, E/9", BLUE, True,
                   apart("em-quantile --digits 0 -q")),
            Method("asm-estimate, E/9", SKY, True,
                   apart(SPLIT + " --digits 0 --quantile"))]}}
# Beside SWAP, for comparison only: the reference again with the tool's exact
# integers, the tool's clamped mean, and neighbours that add or remove a record.
CHECKS = {
    "median": [
        Method("asm-estimate ism", "", True,
               ours(SPLIT + " --mechanism ism")),
        Method("interval exponential, add-remove", "", False,
               singly(interval_median), ADD),
        Method("sp-median, add-remove", "", True, preprocessed("sp-median"),
               ADD),
        Method("asm-estimate pf, add-remove", "", True,
               ours(SPLIT + " --mechanism pf"), ADD),
        Method("em-quantile, add-remove", "", True, ours("em-quantile"), ADD)],
    "mean": [
        Method("laplace mean", "", True, ours("laplace mean")),
        Method("laplace mean, add-remove", "", True, ours("laplace mean"),
               ADD),
        Method("noisy sum and count, add-remove", "", False,
               singly(noisy_mean), ADD),
        Method("sp-mean, add-remove", "", True, preprocessed("sp-mean"), ADD)],
    "variance": [
        Method("laplace stats, add-remove", "", True,
               ours("laplace stats", "var"), ADD)]}
