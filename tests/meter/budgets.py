"""What a budget keeps: how its columns are read, and what was asked under a
release id."""
import concurrent.futures
import itertools
import json
import os
import random
import shutil
import subprocess
import time

import gate

DIES = {"METER_DIE": "1"}		# at its first draw
# Types, and properties by which a field of one reads some cell otherwise.
TYPES = {"any": [], "string": [], "boolean": ["trueValues", "falseValues"],
         "integer": ["groupChar", "bareNumber"],
         "number": ["groupChar", "decimalChar", "bareNumber"],
         "date": ["format"], "datetime": ["format"], "time": ["format"]}
PROPERTIES = {"trueValues": [["1"], ["yes", "1"]], "falseValues": [["2"]],
              "groupChar": [","], "decimalChar": [","], "bareNumber": [False],
              "format": ["%d/%m/%Y", "%m/%d/%Y", "%H:%M"],
              "missingValues": [[], ["1"], ["", "1"], ["1", "2"]]}


def fields():
    """Any two types, and of each any two values of a property, or none."""
    yield from (({"type": a}, {"type": b}) for a, b in itertools.combinations(
        TYPES, 2) if (a, b) != ("any", "string"))
    for type_, own in TYPES.items():
        for name in own + ["missingValues"]:
            every = [{"type": type_}] + [{"type": type_, name: x}
                                         for x in PROPERTIES[name]]
            yield from itertools.combinations(every, 2)


LIMITS = [{"type": "integer", "constraints": {"minimum": x, "maximum": y}}
          for x, y in ((0, 99), (5, 99), (0, 60))]
AS_TEXT = [{"type": "any"}, {"type": "string"}]
DIALECTS = {}, {"quoteChar": ""}, {"header": False}
# With what a release says for a budget without a schema.
ROLES = {("--unit=k",): ["--unit=k", "--per=any"], ("--weight=k",): [
    "--weight=k"], ("--by=k",): ["--slice=k=1"], (
        "--neighbors=swap", "--public=k"): ["--neighbors=swap", "--public=k"]}


def schema(path, field, dialect):
    gate.put(path, json.dumps({"dialect": dialect, "fields": [
        {"name": "k", **field}]}))


def readings(whole):
    """(budget, its field and dialect, those of another schema); fields have the
    roles in turns, or all of them."""
    for i, two in enumerate(fields()):
        for role in list(ROLES) if whole else [list(ROLES)[i % len(ROLES)]]:
            yield role, *[(x, {}) for x in two[::1 if i % 8 < 4 else -1]]
    for two in itertools.permutations(LIMITS, 2):
        yield ("--by=k@10",), *[(x, {}) for x in two]
    for role, two in itertools.product(
            ROLES, itertools.permutations(DIALECTS, 2)):
        yield role, *[({"type": "any"}, x) for x in two]


def reading(binaries, at, number, what):
    """A schema under which cells mean something else is refused, as is a
    release with a schema for a budget that has none."""
    role, *schemas = what
    names = ["%s/schema%d%s" % (at, number, x) for x in "ab"]
    for name, own in zip(names, schemas):
        schema(name, *own)
    ledger = "%s/reading%d" % (at, number)
    create = [binaries + "/dp-budget", "create", "-e", "9", *role]
    if gate.run(create + [ledger, "--schema=" + names[0]])[0]:
        return None		# as a weight that is a date
    took = gate.run([binaries + "/dp-budget", "schema", ledger, names[1]])[
        0] not in (2, 3)
    if not took and role in ROLES and schemas[0][0] not in AS_TEXT:
        gate.run(create + [ledger + "n"])
        gate.put(names[0] + "in", "k\n1\n2\n")
        took = gate.run([binaries + "/laplace", "count", "-e1", "--schema=" +
                         names[0], "--ledger=" + ledger + "n", names[0] + "in"]
                        + ROLES[role])[0] not in (2, 3)
    return "takes another reading: %s" % (what,) if took else ""


# --- release ids -----------------------------------------------------------

class Kept:
    """Releases of a line, each on a ledger of its own."""

    def __init__(self, binaries, made, at, line):
        self.binaries, self.made, self.at = binaries, made, at
        self.line = line
        os.mkdir(at)
        gate.run([binaries + "/dp-budget", "create", at + "/new", "-e",
                  "1000000"])

    def ledger(self, name, like="new"):
        return shutil.copy("%s/%s" % (self.at, like),
                           "%s/%s" % (self.at, name))

    def argv(self, ledger, words, id_="--release-id=a"):
        line = self.line._replace(words=words)
        return [line.table.path] + line.command()[1:] + [
            "--ledger=%s/%s" % (self.at, ledger), id_] + line.behind()

    def run(self, ledger, words, id_="--release-id=a", env=None, out=None):
        with open(self.made + "/data", "rb") as f:
            return subprocess.run(
                self.argv(ledger, words, id_), stdin=f, env=env or {},
                cwd=self.made, stdout=out or subprocess.DEVNULL,
                stderr=subprocess.DEVNULL).returncode

    def spent(self, ledger):
        return json.loads(gate.run([self.binaries + "/dp-budget", "show",
                                    "%s/%s" % (self.at, ledger), "-f",
                                    "json"])[1])["spent"]

    def states(self, ledger):
        said = gate.run([self.binaries + "/dp-budget", "log", "%s/%s" % (
            self.at, ledger), "-f", "json"])[1]
        return [json.loads(x)["state"] for x in said.splitlines()][1:]

    def printed(self):
        """What is printed is settled before its first byte leaves."""
        ours, theirs = os.pipe()
        os.close(ours)
        self.ledger("printed")
        self.run("printed", self.line.words, out=theirs)
        os.close(theirs)
        return "printed before it is kept" if "open" in self.states(
            "printed") else ""

    def dies(self):
        """Is an entry open after that?"""
        self.ledger("open")
        self.run("open", self.line.words, env=DIES)
        return self.states("open") == ["open"]

    def at_once(self):
        """Of two retries with other coins, which both have a header and no
        record yet, one waits for the other, and has its answer."""
        self.ledger("both", "open")
        both = [subprocess.Popen(
            self.argv("both", self.line.words), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.made,
            env={"METER_SEED": str(i)}) for i in range(2)]
        with open(self.made + "/data", "rb") as f:
            head, rows = f.readline(), f.read()
        for one in both:
            one.stdin.write(head)
            one.stdin.flush()
        time.sleep(0.3)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            said = list(pool.map(lambda x: x.communicate(rows)[0], both))
        return "two retries at once have no or two answers" if len(
            set(said)) > 1 or said[0] == b"" else ""

    def retried(self, name, value):
        """A retry in other words costs what they cost alone, or more."""
        words = {**self.line.words, name: value}
        self.ledger("own", "open")
        self.ledger("alone")
        if self.run("own", words) or self.run("alone", words, "--label=a"):
            return ""
        return "a retry with --%s costs less" % name if self.spent(
            "own") < self.spent("alone") else ""


def looks_at(binaries, made, at, line, whole):
    """What is wrong; `' for each thing that is not."""
    kept, r = Kept(binaries, made, at, line), random.Random(line.seed)
    yield kept.printed()
    if not kept.dies():
        return
    yield kept.at_once()
    names = [n for n in line.table.rows if n != "help" and (
        n in ("repeat", "epsilon") or n in line.table.options())]
    for name in names if whole else {"repeat", "epsilon"}.intersection(
            names) | set(r.sample(names, 6)):
        yield kept.retried(name, "3" if name in ("repeat", "epsilon") else
                           r.choice(line.table.values(name)))


def looks(binaries, folder, plain, whole):
    """Findings, and how many looks found nothing."""
    made, at = folder + "/made", folder + "/kept"
    os.mkdir(at)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = [("", x) for x in pool.map(
            lambda x: reading(binaries, at, *x), enumerate(readings(whole)))]
        said += itertools.chain(*pool.map(lambda x: [
            (x[1].show(), what) for what in looks_at(
                binaries, made, "%s/line%d" % (at, x[0]), x[1], whole)],
                enumerate(plain)))
    return [("by a ledger: " + what, line, "", "")
            for line, what in said if what], sum(x[1] == "" for x in said)
