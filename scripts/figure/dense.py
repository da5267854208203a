"""figure/dense.py: made universes and general queries, for figure/synthetic.

A setting is a universe of a few sizes, a shape of its counts, queries of one
kind, a metric and a number of records; which settings is drawn, with a seed.
"""
import math
import operator
import random

CELLS = [8, 20, 64, 256, 1000]
QUERIES = [1, 5, 40, 200, 1000]
RECORDS = [100, 1000, 10000]
ROOM = 64000            # cells times queries at most
ANSWERS = 800           # of the releases of a setting, at least


def weights(shape, n, r):
    """Chances of cells; `slope' and `one' are kept aside, see the page."""
    if shape == "uniform":
        return [1] * n
    if shape == "peaked":
        return [math.exp(-50 * (i / n - 0.4) ** 2) + 0.01 for i in range(n)]
    if shape == "sparse":
        w = [r.paretovariate(1.2) if r.random() < 0.1 else 0
             for _ in range(n)]
        w[r.randrange(n)] = 1
        return w
    if shape == "slope":
        return [0.1 + i / n for i in range(n)]
    if shape == "census":
        return [math.exp(r.gauss(0, 1.5)) for _ in range(n)]
    return [int(i == n // 3) + 0.2 / n for i in range(n)]


SHAPES = ["uniform", "peaked", "sparse", "census", "slope", "one"]


def query(kind, n, number, r):
    """Whole coefficients and their unit."""
    unit = 1
    if kind == "half":
        q = [r.randrange(2) for _ in range(n)]
    elif kind == "tenth":
        q = [int(r.random() < 0.1) for _ in range(n)]
    elif kind == "cells":
        q = [0] * n
    elif kind == "intervals":
        first, last = sorted((r.randrange(n), r.randrange(n)))
        q = [int(first <= i <= last) for i in range(n)]
    else:
        q = [r.randrange(1000) for _ in range(n)]
        unit = 10 ** (number % 7 - 3) if kind == "units" else 1
    if min(q) == max(q):
        q[r.randrange(n)] += 1
    return q, unit


KINDS = ["half", "tenth", "cells", "intervals", "real", "units"]


class Setting:
    """A universe with counts, and its queries."""

    def __init__(self, n, k, kind, shape, r):
        self.n, self.k, self.kind, self.shape = n, k, kind, shape
        self.metric, self.r = "discrete", r
        self.weights = weights(shape, n, r)
        self.queries = [query(kind, n, j, r) for j in range(k)]

    def fill(self, records):
        """So many records."""
        self.records = records
        self.x = [0] * self.n
        for i in self.r.choices(range(self.n), self.weights, k=records):
            self.x[i] += 1

    def name(self):
        return [self.n, self.k, self.kind, self.records, self.shape,
                self.metric]

    def universe(self):
        return "i,n\n" + "".join("%d,%d\n" % p for p in enumerate(self.x))

    def columns(self):
        """The queries as a file."""
        out = [",".join("q%d" % j for j in range(self.k))]
        for i in range(self.n):
            out.append(",".join("%.12g" % (q[i] * unit)
                                for q, unit in self.queries))
        return "\n".join(out) + "\n"

    def releases(self, least):
        return max(least, min(20 * least, ANSWERS // self.k))

    def error(self, got):
        """Mean error of an answer as a part of the width of its query."""
        total = releases = 0
        for at in range(0, len(got), self.n):
            off = list(map(operator.sub, got[at:at + self.n], self.x))
            whole = math.fsum(off)
            releases += 1
            # tables add up to n, noisy counts do not: neither is helped
            for q, _ in self.queries:
                low, high = min(q), max(q)
                total += abs(sum(map(operator.mul, q, off)) -
                             low * whole) / (high - low)
        return total / self.k / releases


def settings(epsilon, count):
    """General ones."""
    r = random.Random("settings for %s" % epsilon)
    for _ in range(count):
        n, k = r.choice(CELLS), r.choice(QUERIES)
        while n * k > ROOM:
            k = r.choice(QUERIES)
        s = Setting(n, k, r.choice(KINDS), r.choice(SHAPES), r)
        s.metric = r.choice(["discrete", "discrete", "euclid:i"])
        s.fill(r.choice(RECORDS))
        yield s


# Cells, queries, their kind, records of the small database, epsilon, shape.
FEW = [(6, 10, "half", 8, "0.01", "peaked"),
       (6, 10, "half", 8, "0.1", "census"),
       (12, 20, "half", 6, "0.03", "peaked"),
       (12, 20, "real", 6, "0.1", "census"),
       (20, 10, "tenth", 5, "0.03", "sparse"),
       (20, 40, "half", 5, "0.3", "peaked"),
       (8, 5, "cells", 10, "0.03", "census"),
       (16, 30, "intervals", 5, "0.03", "slope"),
       (10, 100, "half", 8, "1", "peaked"),
       (8, 40, "real", 8, "0.01", "one")]
