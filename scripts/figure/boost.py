"""Boosted trees for two classes, as xgboost grows them by default.

100 trees of depth 6, rate 0.3, l2 penalty 1, least weight of a leaf 1, splits
chosen among all values (Chen and Guestrin 2016, equations 5 to 7).  Enough for
some hundred records.
"""
import math

RATE, ROUNDS, DEPTH, L2, LEAST = 0.3, 100, 6, 1.0, 1.0


def worth(g, h):
    return g * g / (h + L2)


def best_split(rows, at, g, h):
    """The gain, column and threshold of the best split, or None."""
    total_g, total_h = sum(g[i] for i in at), sum(h[i] for i in at)
    best = 1e-9, None, None
    for column in range(len(rows[0])):
        order = sorted(at, key=lambda i, c=column: rows[i][c])
        left_g = left_h = 0.0
        for i, j in zip(order, order[1:]):
            left_g, left_h = left_g + g[i], left_h + h[i]
            low, high = rows[i][column], rows[j][column]
            if low == high or min(left_h, total_h - left_h) < LEAST:
                continue
            gain = (worth(left_g, left_h) - worth(total_g, total_h) +
                    worth(total_g - left_g, total_h - left_h))
            best = max(best, (gain, column, (low + high) / 2),
                       key=lambda b: b[0])
    return best[1:]


def grow(rows, at, g, h, depth=DEPTH):
    """A tree: a leaf's value, or (column, threshold, left, right)."""
    column, edge = best_split(rows, at, g, h) if depth else (None, None)
    if column is None:
        return -RATE * sum(g[i] for i in at) / (sum(h[i] for i in at) + L2)
    return (column, edge) + tuple(
        grow(rows, [i for i in at if (rows[i][column] < edge) == side], g, h,
             depth - 1) for side in (True, False))


def value(tree, row):
    while isinstance(tree, tuple):
        tree = tree[2] if row[tree[0]] < tree[1] else tree[3]
    return tree


def logits(rows, labels, others):
    """Trains on rows; the logit of label 1 for each of the others."""
    here, there = [0.0] * len(rows), [0.0] * len(others)
    for _ in range(ROUNDS):
        p = [1 / (1 + math.exp(-x)) for x in here]
        g = [a - y for a, y in zip(p, labels)]
        tree = grow(rows, range(len(rows)), g, [a * (1 - a) for a in p])
        here = [x + value(tree, row) for x, row in zip(here, rows)]
        there = [x + value(tree, row) for x, row in zip(there, others)]
    return there
