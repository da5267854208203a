"""Counts along a line for figure/synthetic, by their weights."""
import itertools
import math
import random


def drawn(weights, n, records, r):
    """So many records, drawn by each of the weights."""
    out = {}
    for name, w in weights.items():
        count = [0] * n
        for i in r.choices(range(n), w, k=records):
            count[i] += 1
        out[name] = count
    return out


def ordered(n, records):
    """Six shapes as benchmarks of counts along a line have them."""
    r = random.Random(n)
    weights = {
        "uniform": [1] * n,
        "spikes": [20 * r.random() if r.random() < 12 / n else 0.001
                   for _ in range(n)],
        "two bumps": [math.exp(-((i / n - 0.3) / 0.06) ** 2) +
                      0.5 * math.exp(-((i / n - 0.7) / 0.1) ** 2)
                      for i in range(n)],
        "heavy tail": [(1 + i) ** -1.1 for i in range(n)],
        "steps": [[1, 4, 0.5, 8, 2, 0, 3, 1][8 * i // n] for i in range(n)],
        "sorted": sorted(r.paretovariate(1.5) for _ in range(n))}
    return drawn(weights, n, records, r)


def aside(n, records):
    """Six shapes on which no constant of mwem was chosen."""
    r = random.Random(7919 * n)
    walk = list(itertools.accumulate(r.gauss(0, 0.3) for _ in range(n)))
    knots = sorted(r.random() for _ in range(9))
    weights = {
        "sine": [1.2 + math.sin(9 * i / n) for i in range(n)],
        "random walk": [math.exp(v - max(walk)) for v in walk],
        "bell and comb": [math.exp(-((i / n - 0.5) / 0.2) ** 2) *
                          (3 if i % 10 == 0 else 1) for i in range(n)],
        "pieces": [(7 * sum(k < i / n for k in knots)) % 11 + 0.2
                   for i in range(n)],
        "one cell": [100 if i == n // 5 else 0.1 for i in range(n)],
        "weak slope": [1 + 0.2 * i / n for i in range(n)]}
    return drawn(weights, n, records, r)
