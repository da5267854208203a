"""What is rare in inputs: cells that few files have, many records of a few
kinds, and as many records as a line says."""
from fractions import Fraction

LONG = "1" * 250
# Where no column has an end, and no reader an easy way.
CELLS = [LONG, "0." + LONG, "1e40", "-1e400", "--5", "9-", " 9 ", '"9\n1"',
         "9\0", "x" * 300, '"9""1"', "+9", "9" * 19]
# Alike for 8 bytes and for 16; longer than what is kept by place.
NAMES = ["abcdefgh1", "abcdefgh2", "abcdefghijklmnop1", "abcdefghijklmnop2",
         "x" * 300]
CUTS = [63, 64]			# a window of records, and less than it
MANY = [65535, 65536]		# of a line that is asked for so many
PUBLIC = {"age": "0009", "region": "NS", "ill": "01", "x": "03", "w": "1",
          "frac": "1", "income": "0"}	# in each range, and most domains


def is_odd(row):
    return any(c in CELLS or c in NAMES for c in row.split(","))


def some(r, given):
    """A record's number: of few that are told apart more often."""
    rows = given.rows
    if len(rows) > CUTS[0] and r.random() < 0.7:
        cut = next((i for i, x in enumerate(rows) if x != rows[0]), 0)
        return r.choice([0, cut, max(0, cut - 1), len(rows) - 1])
    odd = [i for i, x in enumerate(rows) if is_odd(x)]
    return r.choice(odd) if odd and r.random() < 0.6 else r.randrange(
        len(rows))


def cells(r, line, rows, names, put):
    """One record has an odd cell now and then."""
    if "grouped" in line.words or r.random() < 0.75:
        return rows
    i, name = r.randrange(len(rows)), r.choice(names)
    rows[i] = put(rows[i], name, r.choice(NAMES if name == "id" else
                                         CELLS + NAMES[:-1]))
    return rows


def many(r, line, rows, put):
    """Those of one record with another at the end of a window, or in turns;
    people have three."""
    a, b = r.sample(rows, 2)
    cut = r.choice(MANY if line.many else CUTS)
    rows = [a] * cut + [b] + [r.choice([a, b])] * r.choice([1, 100])
    if r.random() < 0.3:
        rows[::2] = [b] * len(rows[::2])
    if "person" not in line.relation:
        return rows
    return [put(x, "id", "p%d" % (i // 3)) for i, x in enumerate(rows)]


def promised(line, most):
    """How many records a line says that there are; 0: none, or too many."""
    n = line.value("size") or line.value("total") or "0"
    return int(n) if n.isdigit() and int(n) <= most else 0


def as_promised(r, record, n, put):
    """All count, and each is a person's."""
    return [put(record(r, plain={n: list(x) for n, x in PUBLIC.items()},
                       end=False), "id", "p%d" % i) for i in range(n)]


def is_free(line, names):
    """Is any number one, as no schema of line or budget says otherwise?"""
    return line.value("column") in names and "schema" not in line.words and (
        "headless" not in line.relation)


def part(s, rows):
    """What each number may move by, in decimals that a float has."""
    return Fraction(1000 * s // len(rows), 1000)


def halves(r, line, rows, put):
    """Numbers that all move to another step of the grid when each moves by its
    part of S."""
    stated = (line.value("sensitivity") or "1").split(",")[0]
    far = part(Fraction(stated), rows)
    step = Fraction(1, 10 ** int(line.value("digits") or r.choice("01")))
    return [put(x, line.value("column"), str(float(
        (i + Fraction(1, 2)) * step - far / 2))) for i, x in enumerate(rows)]


def without_ledger(line, given):
    """A promise that neighbors by one record cannot keep both."""
    if "swap" in line.relation or "expect-weight" not in line.table.rows or (
            "weight" not in line.words):
        return []
    at = given.header.split(",").index(line.words["weight"].split("@")[0])
    found = [x.split(",")[at] for x in given.rows]
    return ["--expect-weight=%d" % sum(int(x) for x in found if x.isdigit())]
