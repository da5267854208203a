"""What meets in a line: a scale that is wrong for one kind of people and one
sort of range is seen only where both are.

A level is `factor=value'.  Of each operation any two levels of FIRST meet in an
answered line, of each tool any level and any option.  Pairs for which no line
can be made stand in tests/meter/never with the reason."""
import collections
import fnmatch
import functools
import itertools
import os

import inputs
import lines

RANGES = {"above": ["50:100", "1000:1001"], "below": ["-100:-50"],
          "from 0": ["0:100", "0:9"], "to 0": ["-9:0"], "even": ["-50:50"],
          "low": ["-90:10"], "high": ["-10:50"]}
COLUMNS = ["age", "age,income", "age,income,x"]
ALONE = ["weight", "sampling-weight", "epsilon-column", "group", "max-groups",
         "repeat", "slice", "grouped"]
FIRST = {"neighbors", "people", "range", "numbers", "weight", "group",
         "sampling-weight", "epsilon-column"}
# Operations that are one search with other queries.
ALIKE = {x: "losses" for x in ("mse", "rmse", "mae", "bce", "ce", "r2",
                               "accuracy")}
FILES = {"groups", "keys", "domain", "queries", "query", "missing", "versus"}
# What a relation says; the rest of a line stays as it is.
WORDS = {"unit", "per", "max-rows", "weight", "neighbors", "public", "slice",
         "grouped", "shards"}


def shape(range_):
    """Of `A:B'."""
    lo, hi = map(float, range_.split(":")[:2])
    at = [lo > 0, hi < 0, lo == 0, hi == 0, -lo == hi, -lo > hi, True]
    return dict(zip(at[::-1], ["high", "low", "even", "to 0", "from 0", "below",
                               "above"]))[True]


def sort(name, value):
    """Of an option's values: a word is one of its own, numbers are alike."""
    value = value or ""
    if name in ALONE or name in FILES:
        return ""
    return value if value.isalpha() else "several" * ("," in value)


@functools.cache
def own(table):
    """The options whose presence is a level."""
    return [n for n in table.rows if n in ALONE or (
        n in table.options() and n not in WORDS | {"column", "range"})]


def people(line):
    if "person" not in line.relation:
        return "none"
    if "max-rows" in line.words:
        return "max-rows"
    return line.words.get("per") or "all"


def levels(line):
    words, column = line.words, line.words.get("column")
    found = ["people=" + people(line)] if "unit" in line.table.rows else []
    if "neighbors" in line.table.rows and "metric" not in line.relation:
        found.append("neighbors=" + (
            "swap" if "swap" in line.relation else "add-remove"))
    if words.get("range") and column:
        found += sorted({"range=" + shape(x)
                         for x in words["range"].split(",")})
        found.append("numbers=%d" % min(3, 1 + column.count(",")))
    return found + [n + "=" + sort(n, x) for n, x in words.items()
                    if n in own(line.table)]


def key(table, operation, two):
    first = all(x.partition("=")[0] in FIRST for x in two)
    return (table.tool, ALIKE.get(operation, operation or "-") if first else
            "*") + tuple(sorted(two))


def met(line):
    return {key(line.table, line.operation, x)
            for x in itertools.combinations(levels(line), 2)
            if x[0].partition("=")[0] != x[1].partition("=")[0]}


def alone(found):
    """The levels of pairs."""
    return {x[:2] + (level,) for x in found for level in x[2:]}


def all_levels(table):
    rows = table.rows
    all_ = ["neighbors=" + x for x in ("add-remove", "swap")
            if "neighbors" in rows]
    if "unit" in rows:
        all_ += ["people=" + x for x in [
            "none", "all"] + lines.VALUES["per"] * ("per" in rows) + [
                "max-rows"] * ("max-rows" in rows)]
    if "range" in rows:
        all_ += ["range=" + x for x in RANGES]
        all_ += ["numbers=%d" % n for n in (1, 2, 3)]
    return all_ + sorted({n + "=" + sort(n, x) for n in own(table)
                          for x in table.values(n)})


def wanted(tables):
    """All pairs, with the tool and the operations in which they may meet, but
    those that never do."""
    found, rows = {}, never()
    for table in tables:
        for operation, x in itertools.product(
                table.operations, itertools.combinations(all_levels(table), 2)):
            pair = key(table, operation, x)
            if x[0].partition("=")[0] != x[1].partition("=")[0]:
                found.setdefault(pair, (table.tool, []))[1].append(operation)
    return {pair: where for pair, where in found.items() if not any(
        fnmatch.fnmatchcase(" ".join(y), row) for row in rows
        for y in (pair, pair[:2] + pair[:1:-1]))}


def relation(line, changes):
    """The budget's for a line with such levels; None: there is none."""
    old = line.relation.split("-")
    has = {n: n in old for n in ("person", "weight", "swap", "grouped",
                                 "slices", "public", "open")}
    for level in changes:
        factor, _, value = level.partition("=")
        if factor == "people":
            has["person"] = value != "none"
        elif factor == "neighbors":
            has["swap"] = value == "swap"
        elif factor == "max-groups":
            has["person"] = True
        elif factor in ("weight", "grouped", "slice"):
            has["slices" if factor == "slice" else factor] = True
    if not has["swap"]:
        has["public"] = has["open"] = False
    name = "-".join(["record"] * (not has["person"] and not has["weight"]) + [
        n for n in has if has[n]])
    return line.relation if name == line.relation or (
        set(old) & {"metric", "edges", "headless"}) else (
            name if name in inputs.RELATIONS else None)


def changed(r, line, changes):
    """A line with such levels, as far as there is one."""
    name = relation(line, changes)
    if name is None:
        return None
    words = dict(line.words)
    if name != line.relation:
        kept = {"per", "max-rows"} if "person" in name else set()
        words = {n: x for n, x in words.items() if n not in WORDS - kept}
    n, shapes = None, None
    for level in changes:
        factor, _, value = level.partition("=")
        if factor == "people":
            words.pop("per", None)
            words.pop("max-rows", None)
            if value == "max-rows":
                words[value] = r.choice("123")
            elif value not in ("none", "all"):
                words["per"] = value
        elif factor == "range":
            shapes = value
        elif factor == "numbers":
            n = int(value)
        elif factor not in ("neighbors", "weight", "slice", "grouped"):
            lines.put(r, line.table, words, factor)
            words[factor] = r.choice([
                x for x in line.table.values(factor) if sort(factor, x) ==
                value] or [words[factor]])
    if n or shapes:
        column = COLUMNS[n - 1] if n else words.get("column") or "age"
        words["column"] = column
        first = r.choice(RANGES[shapes]) if shapes else (
            words.get("range") or "0:100").split(",")[0]
        words["range"] = ",".join([first] * (1 + column.count(",")))
    return line._replace(relation=name, seed=r.getrandbits(30),
                         words=lines.agreeing(name, words))


def todo(bases, r, unmet, most=12):
    """A line for each pair that no other of these has."""
    of, found, seen = collections.defaultdict(list), [], set()
    for x in bases:
        of[x.table.tool, x.operation].append(x)
    for pair, (tool, operations) in r.sample(list(unmet.items()), len(unmet)):
        some = [x for o in operations for x in of[tool, o]]
        if pair in seen or not some:
            continue
        for base in r.sample(some, min(most, len(some))):
            line = changed(r, base, pair[2:])
            if line and pair in met(line):
                found.append(line)
                seen |= met(line)
                break
    return found


def never():
    with open(os.path.join(os.path.dirname(__file__), "never"),
              encoding="ascii") as f:
        return [x.split(": ")[0] for x in f if x[0] != "#"]
