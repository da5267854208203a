"""Inputs as the rows of an engine that was asked, and rows that no release may
be made of."""
import csv
import functools
import io
import math
import random
import re
import sqlite3
import subprocess

ENGINE = ["--grouped", "--shards=2"]
# What SQLite has otherwise; the others' queries take more of the steps.
FAR = 2 ** 62
SPELLINGS = {"sqlite": [], "mysql": [(" MOD ", " % "), ("BINARY", "TEXT")],
             "postgres": [(' COLLATE "C"', ""), ("E' \\t'", "' \t'"),
                          (" ~ '", " REGEXP '")]}
FUNCTIONS = {"CONCAT": (-1, lambda *x: "".join(map(str, x))),
             "REGEXP": (2, lambda p, x: bool(re.search(p, x))),
             "REGEXP_REPLACE": (3, lambda x, p, s: re.sub(p, s, x)),
             "BTRIM": (2, lambda x, s: x and x.strip(s)),
             "octet_length": (1, lambda x: x and len(x)),
             "div": (2, lambda x, n: x and x // n),
             "mod": (2, lambda x, n: x and x % n)}


@functools.lru_cache(8)
def query(argv, dialect):
    """What a command asks an engine; None where it asks none."""
    said = subprocess.run(argv + ("--sql=%s:t" % dialect,),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, encoding="ascii",
                          check=False).stdout
    for theirs, ours in SPELLINGS[dialect]:
        said = said.replace(theirs, ours)
    return said or None


def floor(x):
    """Of what is beyond 64 bits the sign is enough."""
    return x if x is None else max(-FAR, min(FAR, math.floor(x)))


class Sum:
    """SQLite's own fails beyond 64 bits."""

    def __init__(self):
        self.all = []

    def step(self, x):
        self.all += [] if x is None else [x]

    def finalize(self):
        return floor(sum(self.all)) if self.all else None


def counted(given, asked, shards):
    """Lines of CSV, as so many engines answer the query."""
    header, *rows = csv.reader([given.header] + given.rows)
    out = io.StringIO()
    for i in range(shards):
        db = sqlite3.connect(":memory:")
        db.create_function("FLOOR", 1, floor)
        db.create_aggregate("SUM", 1, Sum)
        for name, (width, does) in FUNCTIONS.items():
            db.create_function(name, width, does)
        db.execute("CREATE TABLE t (%s)" % ", ".join(header))
        db.executemany("INSERT INTO t VALUES (%s)" % ", ".join(
            "?" for _ in header), rows[i::shards])
        found = db.execute(asked)
        csv.writer(out, lineterminator="\n").writerows(
            [[x[0] for x in found.description], *found])
        db.close()
    return out.getvalue()


def asked(line):
    return query(tuple([line.table.path] + [
        x for x in line.command()[1:] if x not in ENGINE]),
        sorted(SPELLINGS)[line.seed % 3])


def text(line, given):
    """A file of the input, as the line reads it."""
    own = "grouped" in line.words and asked(line)
    head = [given.header] * (line.value("schema") != "headless")
    return counted(given, own, int(line.value("shards") or 1)) if own else (
        "\n".join(head + given.rows) + "\n")


def body(asked_):
    """A query but for the name of its facts."""
    return re.sub(r"dputils_[0-9a-f]{16}", "", asked_)


def others(line, r):
    """Words without one of the line's, or with another value of it."""
    for name in line.words:
        words = {n: x for n, x in line.words.items() if n != name}
        if name in line.table.options() and r.random() < 0.5:
            words[name] = r.choice(line.table.values(name))
        yield words


def wrong_rows(line, given):
    """What no release may be made of: a part of an engine's rows, and those of
    another query, which lacks a word or has another value."""
    own = "grouped" in line.words and asked(line)
    if not own:
        return
    shards = int(line.value("shards") or 1)
    rows = counted(given, own, shards).splitlines(True)
    for i in (1, len(rows) - 1):
        yield "a row is lost", "".join(rows[:i] + rows[i + 1:])
    if shards > 1:
        yield "a shard is lost", counted(given, own, shards - 1)
    for words in others(line, random.Random(line.seed)):
        other = asked(line._replace(words=words))
        if not other or body(other) == body(own):
            continue
        try:
            yield "rows of the query of %s" % words, counted(
                given, other, shards)
        except sqlite3.Error:	# a column that the table has not
            pass
