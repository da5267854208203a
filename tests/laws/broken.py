#!/usr/bin/env python3
"""broken NAME N: N draws of a mechanism with a known fault, a line each.

Reads a CSV of one column.  Every one claims epsilon 1.5 for the pair that
tests/laws/auditor gives it; `sound` keeps the claim.
"""
import math
import random
import sys

EPS = 1.5
rng = random.Random()        # seeded by the system at every start


def geometric(ratio):
    """P[k] proportional to ratio^k, by float, good enough for counts."""
    return int(math.log(1 - rng.random()) / math.log(ratio))


def discrete(scale):
    while True:
        sign, k = rng.choice((1, -1)), geometric(math.exp(-1 / scale))
        if k or sign > 0:
            return sign * k


def textbook(scale):
    u = rng.random() - 0.5
    return -scale * math.copysign(math.log(1 - 2 * abs(u)), u)


def sound(x):
    return "%d" % (sum(x) + discrete(1 / EPS))


def weak(x):
    """Noise a fifth too small."""
    return "%d" % (sum(x) + discrete(0.8 / EPS))


def floats(x):
    """Floating point noise with all its digits, and all its gaps."""
    return repr(sum(x) + textbook(1 / EPS))


def reused(x):
    """Two counts, each with 1.5/2, and one draw of noise for both."""
    z = discrete(2 / EPS)
    return "%d %d" % (sum(x) + z, len(x) - sum(x) + z)


def threshold(x, redraw=True):
    """AboveThreshold over 20 equal queries: eps1 = 0.3, eps2 = 0.6."""
    bar = geometric(math.exp(-0.3))
    for i in range(20):
        if redraw:
            bar = geometric(math.exp(-0.3))
        if sum(x) + geometric(math.exp(-0.6)) >= 2 + bar:
            return "%d" % i
    return "none"


def kept(x):
    """The same with the noise of the threshold drawn once: sound."""
    return threshold(x, False)


def current(x):
    """A mean of values in 0..1 with the sensitivity of the n at hand."""
    n = max(1, len(x))
    return "%.3f" % (sum(x) / n + discrete(1000 / n / EPS) / 1000)


def zero(x):
    """Minus zero is not drawn again."""
    z = geometric(math.exp(-EPS))
    return "%d" % (sum(x) + rng.choice((1, -1)) * z)


def clamped(x):
    """Noise cut off before it is added."""
    return "%d" % (sum(x) + max(-2, min(2, discrete(1 / EPS))))


def main():
    text = sys.stdin.read().split("\n")[1:]
    x = [float(line) for line in text if line]
    make = globals()[sys.argv[1]]
    out = [make(x) for _ in range(int(sys.argv[2]))]
    print("\n".join(out))


if __name__ == "__main__":
    main()
