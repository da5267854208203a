"""Inputs of the meter, and what a neighbor is under each relation of a budget.

A row is a record of 12 cells, as in HEADER, with extremes in every column.
"""
import collections
from fractions import Fraction

import engine
import odd
from schemas import ALIKE, HEADER, NAMES, PUBLIC

# Regions that share a place and 8 bytes, too, and more records than a window.
KEYS, LONG = ["Kentucky103", "Kentucky190", "N"], 131
CELLS = {
    "id": ["ann", "bob", "cy", "dan", "", '" ann"'],
    "id2": ["2024-01-05", "2024-02-29", "2024-12-31"] + ALIKE,
    "age": ["0", "9", "100", "50", "3", "-7", "250", "99.5", "1e9", "", "old",
            '"9"', "0", "100"],
    "income": ["0", "100", "1000", "10", "-1e12", "7.25", "", "5"],
    "ill": ["0", "1", "1", "2", ""],
    "region": ["N", "S", "N", "X", "", "E"] + KEYS,
    "w": ["1", "1", "0", "2", "5", "", "1.5"],
    "eps": ["0.5", "0.1", "1", "2", "0", "", "no"],
    "a": ["u", "v"],
    "b": ["v", "u"],
    "frac": ["0", "1", "0.5", "2", ""],
    "x": ["0", "1", "3"],
}
# Where all records count, and lie at the ends of ranges.
PLAIN = {"id": ["ann", "bob", "cy"], "age": ["0", "9", "100"], "ill": "01",
         "income": ["0", "100", "1000"], "region": ["N", "N", "S"], "w": "12",
         "eps": "1", "frac": "01", "x": "03"}
# The ends of ranges, by column, as starts have columns.
ENDS = {"age": ("0", "100"), "income": ("0", "1000"), "x": "03",
        "frac": "01", "ill": "01"}
Input = collections.namedtuple("Input", "header rows skip")
Input.show = lambda self: " / ".join([self.header] + self.rows) + (
    "" if not self.skip else " (without %s)" % self.skip)


def at(row, name):
    return row.split(",")[NAMES.index(name)]


def put(row, name, value):
    cells = row.split(",")
    cells[NAMES.index(name)] = value
    return ",".join(cells)


def ends(line):
    """Of the line's own ranges, by column."""
    words = line.words if line else {}
    own = [x.split(":")[:2] for x in (words.get("range") or words.get(
        "bins") or "").split(",") if ":" in x]
    names = [n for n in (words.get("column") or "").split(",") if n in ENDS]
    return {**ENDS, **dict(zip(names, own * len(names) if len(own) == 1
                               else own))}


def corner(r, line):
    """All columns at one end, each at any, or one alone at the upper."""
    own = ends(line)
    alone = r.choice(list(own))
    if r.random() < 0.2:	# the others at 0, if the range has it
        return {n: x[1] if n == alone else "0" for n, x in own.items()}
    high = r.choice([lambda n: 0, lambda n: 1, lambda n: r.choice([0, 1]),
                     lambda n: n == alone])
    return {n: x[high(n)] for n, x in own.items()}


def record(r, line=None, plain=(), end=True, **fixed):
    cells = {n: r.choice(x) for n, x in {**CELLS, **dict(plain)}.items()}
    if end and r.random() < 0.6:
        cells.update(corner(r, line))
    cells["b"] = "v" if cells["a"] == "u" else "u"
    return ",".join(fixed.get(n, cells[n]) for n in NAMES)


def filled(row, cells, keep=()):
    for name in cells:
        row = row if name in keep else put(row, name, cells[name])
    return row


def much(r, row, i, cells):
    """Row i of one person, in the groups of the lists in turn or as it is; all
    rows may lie at one end."""
    row = put(filled(row, cells), "id", "ann")
    keys = PUBLIC["keys"].split()
    return put(row, "region", keys[i % 3]) if r.random() < 0.5 else row


def chosen(line):
    """Columns that a line names, or else all."""
    named = ",".join(line.words.get(x) or "" for x in (
        "column", "sampling-weight", "weight", "epsilon-column",
        "sensitivity-column"))
    return [n for n in NAMES if n in named.split(",")] or NAMES


def emptied(r, line, rows, keep=("id",)):
    """Now and then a column has no number in some records."""
    own = [n for n in chosen(line) if n not in ("a", "b", *keep)]
    if not own or r.random() < 0.75:
        return rows
    name = r.choice(own)
    return [put(x, name, "") if r.random() < 0.5 else x for x in rows]


def people(r, line):
    """Up to seven records; for sp-exec on all subsets two, in blocks more; of
    groups there are long runs, and by a crossed schema three with what it
    crosses."""
    most = 2 if line.subsets() else 16 if "blocks" in line.words else 7
    plain = r.choice([{}, {}, PLAIN])
    if "group" in line.words and r.random() < 0.15:
        most, plain = LONG, {"region": KEYS}
    elif line.value("schema") == "crossed":
        most, plain = min(most, 3), {"id2": ALIKE, "ill": "01", "frac": "01"}
    n = r.choice([1, 2, most, most]) if most < LONG else most
    rows = [record(r, line, plain) for _ in range(n)]
    turn = r.choice([2, 3, most])	# the same records in turns
    rows = [rows[i % turn] for i in range(len(rows))]
    if r.random() < (0.5 if "sensitivity" in line.words else 0.1):
        rows[1:] = [put(x, "age", str(i)) for i, x in enumerate(
            rows[1:])]			# a body in even steps
    rows = emptied(r, line, rows)
    if "person" in line.relation and r.random() < 0.6:
        own = r.choice([len(rows), len(rows) // 2])	# others may be there, too
        cells = r.choice([{}, corner(r, line)])
        rows = [much(r, x, i, cells) for i, x in enumerate(
            rows[:own])] + rows[own:]
    return Input(HEADER, rare(r, line, rows[:most], most), [])


def rare(r, line, rows, most):
    """What few inputs have, in place of rows."""
    n = odd.promised(line, most)
    if line.many or (len(rows) > 2 and r.random() < 0.04):
        return odd.many(r, line, odd.as_promised(
            r, record, 2, put) if line.many else rows, put)
    if n and r.random() < 0.5:
        return odd.as_promised(r, record, n, put)
    if line.operation == "value" and odd.is_free(line, NAMES) and (
            r.random() < 0.5):
        return odd.halves(r, line, rows, put)
    return odd.cells(r, line, rows, r.choice([chosen(line)] * 2 + [NAMES]), put)


def universe(r, line):
    """A histogram: public elements, private counts."""
    rows = ["%s,%d,%d,%s" % (name, x, q, r.choice(["0", "1", "3", "20"]))
            for name, x, q in (("N", 0, 1), ("S", 1, 0), ("E", 3, 1))]
    return Input("region,x,q,w", rows, [])


def scores(r, line):
    """Candidates with scores, of expmech."""
    return Input("c,s", ["%s,%s" % (c, r.choice(["0", "5", "-5", "2.5", "1000",
                                                 ""])) for c in "pqrs"], [])


DATA = {"people": people, "universe": universe, "scores": scores}


def base(r, line):
    return DATA[line.data](r, line)


# --- neighbors --------------------------------------------------------------

def own_epsilon(line, rows):
    """The part of the charge that a record pays by its own epsilon, or a person
    by the least of the rows'."""
    if line.value("epsilon-column") is None:
        return 1
    own = Fraction(line.value("epsilon"))
    for row in rows:
        try:
            own = min(own, Fraction(at(row, line.value("epsilon-column"))))
        except ValueError:
            return 0
    return max(own, 0) / Fraction(line.value("epsilon"))


def without(given, gone):
    return given._replace(rows=[x for i, x in enumerate(given.rows)
                                if i not in gone],
                          skip=[i + 1 for i in gone])


def replaced(given, new):
    return given._replace(rows=[new.get(i, x)
                                for i, x in enumerate(given.rows)])


def comes(r, line, given):
    i = odd.some(r, given)
    return without(given, [i]), own_epsilon(line, [given.rows[i]])


def slice_comes(r, line, given):
    """Who is in another slice than the charged one pays nothing."""
    right, level = comes(r, line, given)
    column, _, key = (line.value("slice") or "").partition("=")
    if column == "region" and at(given.rows[right.skip[0] - 1], column) != key:
        level = 0
    return right, level


def fixed(row, public):
    return {n: at(row, n) for n in public}


def turned(row, public, own):
    """A record with each column at the end where the one before it was, or at
    0."""
    names = [n for n in own if n not in public]
    high = [at(row, n) == own[n][1] for n in names]
    zero = [at(row, n) == "0" for n in names]
    return filled(row, {n: "0" if zero[i - 1] else own[n][high[i - 1]]
                        for i, n in enumerate(names)})


def opposite(row, public, own):
    """A record with each column at the other end."""
    return filled(row, {n: x[at(row, n) != x[1]]
                        for n, x in own.items()}, public)


def swaps(public):
    def neighbor(r, line, given):
        i = r.choice([0, odd.some(r, given)])
        old = given.rows[i]
        new, kind = record(r, line, **fixed(old, public)), r.random()
        if kind < 0.4:			# one cell alone
            own = r.choice([chosen(line), NAMES])
            name = r.choice([n for n in own if n not in public] or NAMES[2:3])
            new = put(old, name, at(new, name))
            new = put(new, "b", "v" if at(new, "a") == "u" else "u")
        elif kind < 0.65:
            new = r.choice([turned, opposite])(old, public, ends(line))
        elif kind < 0.85:		# as another is
            new = filled(old, dict(zip(NAMES, r.choice(given.rows).split(
                ","))), public)
        return replaced(given, {i: new}), 1
    return neighbor


def person(row):
    """Blanks around an id are no part of it."""
    return at(row, "id").strip('" ')


def rows_of(r, given):
    """A person's rows."""
    who = person(r.choice(given.rows))
    rows = [i for i, x in enumerate(given.rows) if person(x) == who]
    return rows if who else rows[:1]


def person_comes(r, line, given):
    rows = rows_of(r, given)
    return without(given, rows), own_epsilon(line, [given.rows[i]
                                                    for i in rows])


def person_swaps(public):
    """The person stays, and so do public cells and their rows."""
    def neighbor(r, line, given):
        rows = rows_of(r, given)
        keep = ["id"] + list(public)
        if not public and len(rows) > 1 and r.random() < 0.5:
            given, gone = without(given, rows[1:]), rows[1:]
            rows = rows[:1]
        cells = r.choice([{}, corner(r, line)])	# all rows at one end
        new = emptied(r, line, [filled(record(r, line, **fixed(
            given.rows[i], keep)), cells, keep) for i in rows], keep)
        return replaced(given, dict(zip(rows, new))), 1
    return neighbor


def weight(given, i, more):
    """A line's weight; a bad one is 0 or 1, and is left alone."""
    *cells, last = given.rows[i].split(",") if given.header[-1] == "w" else (
        None, None)
    if cells[0] is None:
        w = at(given.rows[i], "w")
        return w if not more else put(given.rows[i], "w", str(int(w) + more))
    return last if not more else ",".join(cells + [str(int(last) + more)])


def weighed(given):
    return [i for i in range(len(given.rows))
            if weight(given, i, 0).isdigit() and weight(given, i, 0) != "0"]


def weight_comes(r, line, given):
    """A unit of a line's weight is gone."""
    lines = weighed(given)
    if not lines:
        return given, 1
    i = r.choice(lines)
    level = own_epsilon(line, [given.rows[i]])
    return replaced(given, {i: weight(given, i, -1)}), level


def weight_moves(r, line, given):
    lines = weighed(given)
    if len(lines) < 2:
        return given, 1
    i, j = r.sample(lines, 2)
    return replaced(given, {i: weight(given, i, -1),
                            j: weight(given, j, 1)}), 1


def moves(r, line, given):
    """A record of the domain age=0..9 moves there."""
    inside = [i for i, x in enumerate(given.rows)
              if at(x, "age") in ("0", "3", "9")]
    if not inside:
        return given, 1
    i = r.choice(inside)
    to = r.choice(["0", "1", "3", "8", "9"])
    return (replaced(given, {i: put(given.rows[i], "age", to)}),
            abs(int(to) - int(at(given.rows[i], "age"))))


def unit_moves(r, line, given):
    """A unit of weight between elements x of a histogram."""
    lines = weighed(given)
    if not lines:
        return given, 1
    i = r.choice(lines)
    j = r.choice([k for k in range(len(given.rows)) if k != i])
    far = [int(given.rows[k].split(",")[1]) for k in (i, j)]
    return (replaced(given, {i: weight(given, i, -1),
                             j: weight(given, j, 1)}), abs(far[0] - far[1]))


def units(line, relation):
    """By how many of the line's own neighbors a neighbor of the budget is
    reached, for a sensitivity that is given for the line's own; 1 where the
    line leaves the relation to who gives it."""
    if line.value("neighbors") is None:
        return 1
    swap = "swap" in relation and line.value("neighbors") != "swap"
    return (2 if swap else 1) * (3 if "person" in relation else 1)


def states(r, line, given, relation):
    """Numbers move by S together, or scores by S each.  A number may be
    one of the line's."""
    column, s = line.value("column") or "s", Fraction(line.value("sensitivity")
                                                      or 1)
    s *= units(line, relation)
    if line.data == "scores":
        steps = r.choice([[s, 0], [-s, 0]]) if "monotonic" in line.words else [
            s, -s, s, -s, 0]
        return given._replace(rows=[moved(x, r.choice(steps))
                                    for x in given.rows]), 1
    i = odd.some(r, given)
    if r.random() < 0.4 and odd.is_free(line, NAMES):
        part = odd.part(s, given.rows)
        return spread(given, column, r.choice([part, -part])), 1
    number = at(given.rows[i], column)
    if number in odd.CELLS:
        return given, 1
    try:
        new = str(float(Fraction(number) + r.choice([s, -s])))
    except ValueError:
        return given, 1
    return replaced(given, {i: put(given.rows[i], column, new)}), 1


def spread(given, column, by):
    """Each number moves by its part, where all are numbers."""
    try:
        new = [put(x, column, str(float(Fraction(at(x, column)) + by)))
               for x in given.rows if at(x, column) not in odd.CELLS]
    except ValueError:
        return given
    return given._replace(rows=new) if len(new) == len(given.rows) else given


def moved(row, by):
    name, score = row.split(",")
    return row if not score else "%s,%s" % (name, float(Fraction(score) + by))


def tells(r, line, given):
    """Cells of which a record changes S: bits, or keys."""
    column = (line.value("column") or "ill").partition("@")[0]
    n = int(line.value("sensitivity") or 1)
    rows = r.sample(range(len(given.rows)), min(n, len(given.rows)))
    return replaced(given, {i: put(given.rows[i], column, r.choice([
        c for c in CELLS[column] if c != at(given.rows[i], column)]))
        for i in rows}), 1


def weighs(r, line, given):
    """A record of a graph: its weight."""
    i = odd.some(r, given)
    return replaced(given, {i: put(given.rows[i], "frac",
                                   r.choice(CELLS["frac"]))}), 1


OPERATIONS = {"flip": tells, "mst": weighs, "mincut": weighs}

# What dp-budget is told, what a release says to agree, and the neighbor.
Relation = collections.namedtuple("Relation", "create agree neighbor")
SWAP = ["--neighbors=swap"]
RELATIONS = {
    "record": Relation([], [], comes),
    "record-swap": Relation(SWAP, SWAP, swaps([])),
    "record-swap-public": Relation(
        SWAP + ["--public=region,w,ill,id"], SWAP + [
            "--public=region,w,ill,id"], swaps(["region", "w", "ill", "id"])),
    "record-swap-edges": Relation(SWAP + ["--public=a,b"], SWAP, swaps(
        ["a", "b"])),
    "record-slices": Relation(["--by=region"], ["--slice=region=N"],
                              slice_comes),
    "person": Relation(["--unit=id"], ["--unit=id"], person_comes),
    "person-swap": Relation(["--unit=id"] + SWAP, ["--unit=id"] + SWAP,
                            person_swaps([])),
    "person-swap-public": Relation(
        ["--unit=id", "--public=region"] + SWAP,
        ["--unit=id", "--public=region"] + SWAP, person_swaps(["region"])),
    "record-headless": Relation(["--schema=headless"], ["--schema=headless"],
                                comes),
    "record-grouped": Relation(["--grouped"], ["--grouped"], comes),
    "record-swap-grouped": Relation(
        SWAP + ["--grouped"], SWAP + engine.ENGINE, swaps([])),
    "person-grouped": Relation(["--unit=id", "--grouped"],
                               ["--unit=id", "--grouped"], person_comes),
    "weight": Relation(["--weight=w"], ["--weight=w"], weight_comes),
    "weight-swap": Relation(["--weight=w"] + SWAP, ["--weight=w"] + SWAP,
                            weight_moves),
    "person-weight": Relation(["--unit=id", "--weight=w"],
                              ["--unit=id", "--weight=w"], person_comes),
    "person-weight-swap": Relation(
        ["--unit=id", "--weight=w", "--public=region,w"] + SWAP,
        ["--unit=id", "--weight=w", "--public=region,w"] + SWAP,
        person_swaps(["region", "w"])),
    "person-weight-swap-open": Relation(
        ["--unit=id", "--weight=w", "--public=region"] + SWAP,
        ["--unit=id", "--weight=w", "--public=region"] + SWAP,
        person_swaps(["region"])),
    "metric": Relation(["--metric=manhattan:age", "--domain=age=0..9"],
                       ["--metric=manhattan:age", "--domain=age=0..9"], moves),
    "metric-age": Relation(["--metric=manhattan:age"],
                           ["--metric=manhattan:age", "--column=age",
                            "--range=0:9"], moves),
    "metric-weight": Relation(["--metric=manhattan:x", "--weight=w"],
                              ["--metric=manhattan:x", "--weight=w"],
                              unit_moves),
}


def neighbor(r, line, given):
    """An input and the part of the charge that the two may differ by."""
    if line.data == "scores" or line.operation == "value":
        return states(r, line, given, line.relation)
    find = RELATIONS[line.relation].neighbor
    if "weight" not in line.relation:
        find = OPERATIONS.get(line.operation, find)
    return find(r, line, given)
