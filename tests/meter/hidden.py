"""What an asker sees of the data by dp-gate: numbers with noise, and words of
public lists, each once; whatever the budget binds, and words are left out."""
import concurrent.futures
import itertools
import os
import random
import re
import shutil

import gate
import inputs
import schemas

MANY, FEW = 4000, 300
# Cells that no list has, by these letters or digits; others come again.
LETTERS, DIGITS = "zqz", "31415926"
SECRET = {"id": LETTERS, "id2": LETTERS, "age": "31." + DIGITS,
          "income": "71." + DIGITS, "ill": LETTERS, "region": LETTERS,
          "w": "1", "eps": "1", "frac": "0." + DIGITS, "x": "1"}
COLUMNS = ["region", "region,ill", "age", "income,age"]


def data(r):
    rows = [inputs.record(r, plain=inputs.PLAIN, end=False, w="1")
            for _ in range(8)]
    rows += [inputs.filled(x, {n: x_ + str(i) * (x_ == LETTERS) for n, x_ in
                               SECRET.items()}) for i, x in enumerate(rows)]
    return "\n".join([inputs.HEADER] + r.sample(rows, len(rows))) + "\n"


def lists(line):
    return [n for n in line.words if line.table.rows[n].startswith("FILE") and
            n in ("domain", "keys", "groups")]


def asked(line, without, column):
    """The words that are an asker's."""
    marks = line.table.marks
    own = {n: x for n, x in line.words.items() if n != without and (
        marks[n] == "open" or marks[n] == "only " + (x or ""))}
    return line._replace(words={**own, "epsilon": "1", "column": column})


def bare(bases):
    """Lines without their lists, which a schema may have, and what a budget is
    made of."""
    kinds = {}
    for x in bases:
        if x.table.tool not in gate.CLOSED and "grouped" not in x.relation:
            for name in lists(x):
                kinds.setdefault(x.kind() + (name, x.value("workload")), x)
    for (*_, name, _), line in kinds.items():
        for column, schema in itertools.product(
                COLUMNS, [None, "schema", *schemas.PRIVACY]):
            yield asked(line, name, column), [
                "--schema=" + x for x in [schema] if x] + (
                    inputs.RELATIONS[line.relation].create)


def seen(out):
    """Secrets of an output, and names that come again."""
    names = [x.rpartition(",")[0] for x in out.splitlines() if "," in x]
    again = {x for x in names if names.count(x) > 1 and "{" not in x}
    return " ".join(sorted(again.union(re.findall(
        "%s|%s" % (LETTERS, DIGITS), out))))


def look(binaries, at, made, line, create):
    """What is seen that should not be; None: the line is refused."""
    os.mkdir(at)
    gate.run([binaries + "/dp-budget", "create", at + "/ledger", "-e", "9"] +
             create, folder=made)
    gate.policy(made, at, line, "", "../../made/hidden")
    status, out, words = gate.run([binaries + "/dp-gate", at + "/policy"] +
                                  line.command())
    shutil.rmtree(at)
    return None if status else seen((out + words).decode())


def looks(binaries, folder, bases, whole):
    """Findings, and how many lines were answered as they should be."""
    made, at = folder + "/made", folder + "/hidden"
    r = random.Random(len(bases))
    os.mkdir(at)
    gate.put(made + "/hidden", data(r))
    every = list(bare(bases))
    todo = r.sample(every, min(len(every), MANY if whole else FEW))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda x: look(
            binaries, "%s/%d" % (at, x[0]), made, *x[1]), enumerate(todo)))
    return [("by a gate of a budget %s: shows %s" % (" ".join(create), what),
             line.show(), "", "") for (line, create), what in zip(
                 todo, found) if what], found.count("")
