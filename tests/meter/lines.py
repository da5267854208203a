"""Command lines of the meter, from the option tables of the tools."""
import collections
import itertools
import re
import subprocess

import inputs
import schemas
from starts import EDGES, STARTS

TOOLS = ["laplace", "asm-estimate", "em-quantile", "expmech", "dx-laplace",
         "smalldb", "mwem", "sp-mean", "sp-median", "sp-var", "sp-exec",
         "dp-describe"]
# What says nothing of a release, or is refused with a ledger.
LEFT_OUT = set("""epsilon ledger seed explain check non-private help version
label limits release-id dataset account header no-header delimiter threads
timeout expect-weight plan limit asymmetry draft""".split())
# How cells are read: no line has quote yet, and relations have the rest.
LEFT_OUT |= {"quote", "sql", "grouped", "shards"}
VALUES = {
    "columns": ["ill", "region,ill"],
    "column": ["age", "income", "age,income", "ill", "region", "age,income,x",
               "age,income,x,frac"],
    "weight": ["w", "ill"], "group": ["region", "region,ill", "id"],
    "groups": ["keys", "pairs", "ids"], "keys": ["keys", "ages", "ids"],
    "unit": ["id", "id2"], "max-rows": ["1", "2", "3"],
    "max-groups": ["1", "2", "3"], "sampling-weight": ["frac", "w"],
    "most": ["1", "2", "1.5"],
    "per": ["sum", "mean", "count", "min", "max", "any", "share"],
    "neighbors": ["add-remove", "swap"],
    "public": ["region", "region,w", "region,w,ill,id"],
    "range": ["0:100", "0:9", "-10:50", "0:100,0:1000", "5:5.5"],
    "on-bad": ["drop", "0", "50", "1"], "digits": ["0", "1", "4"],
    "within": ["5", "100", "10%"], "interval": ["0.9"], "repeat": ["2", "3"],
    "grouped": [None], "epsilon-column": ["eps"],
    "slice": ["region=N", "region=S", "ill=1"],
    "format": ["json", "csv"], "bins": ["0:100:25", "0:100:50", "0,9,100",
                                        "0:100:100"],
    "universe": ["N|S|E|Z", "[NSEWXZ]"], "false-keys": ["1", "0.1"],
    "size": ["3", "7", "100"], "versus": ["N"], "norm": ["1", "1.5", "2"],
    "metric": ["manhattan:age", "discrete", "step:age/7", "manhattan:x"],
    "sensitivity": ["1", "2", "0.5", "10", "1,1"],
    "center": ["0", "50", "50,50"], "trim": ["0.1", "0.25"],
    "quantile": ["0.5", "0", "1", "0.3", "0.2,0.8", "0.1,0.5,0.9",
                 "0.05,0.1,0.15"],
    "epsilon-level": ["0.5"], "mechanism": [
        "asm", "ism", "pf", "clamp", "permute-and-flip", "exponential"],
    "prior": ["uniform", "log"], "draws": ["1", "2", "3"], "scale": ["1"],
    "presence": ["1", "4.5", "9"], "query": ["x", "q", "age", "x,q"],
    "queries": ["queries"], "domain": [
        "age=0..9", "region=N,S", "ill=0,1;region=N,S,E", "towns", "x=0..3"],
    "workload": ["prefix", "range", "marginal:1", "marginal:2"],
    "strategy": ["1", "2", "3", "opt", "joint", "tree", "cells"],
    "loss": ["squared", "l1", "max"], "total": ["3", "7", "20"],
    "rounds": ["1", "2", "3"], "start": ["hist", "map", "marginals",
                                         "tree", "uniform", "1"],
    "sample": ["5"], "alpha": ["0.5"], "records": ["1", "2", "3"],
    "beta": ["0.1", "1.5"], "split": ["0.2"], "steps": ["2", "5"],
    "queries-asm": ["10", "50"], "blocks": ["1", "2", "4"],
    "sensitivity-column": ["frac"], "missing": ["0", "100,9", "N"],
    "schema": list(schemas.PRIVACY),
}
# Facts that a budget binds, with what another has in their place; "": nothing.
FACTS = {"unit": ["", "id2"], "weight": ["", "ill"], "by": ["", "ill"],
         "metric": ["", "manhattan:income"], "domain": ["", "age=0..8"],
         "delimiter": [";"], "no-header": [None], "neighbors": [""],
         "grouped": [None, ""]}
# Facts that other lines have, and what is no fact about neighbors: tests/meter/
# purse.py asks it.
OTHER_FACTS = set("""public schema quote epsilon max-slices sampled left delta
witness format dataset label help version""".split())
# What a budget of texts reads as such, unlike the schema `coded'; `unquoted'
# cuts its records otherwise.
READ = {"unit", "weight", "slice", "public"}
FOLDS = {"per", "max-rows", "neighbors", "most"}
SOME = 12
SQUARE = {"sp-exec", "value", "flip", "mst", "mincut"}
# What sp-exec runs: a mean for each range; or, where cells say so, a program
# that fails, or that nobody can run again.
MEAN = ("NR > 1 { s += $1; n++ } END { for (i = 0; i < %d; i++) "
        "print n ? s / n : 0 }")
SPOILED = """#!/bin/sh
rows=$(cat)
echo "$rows" >&2
case $rows in
*100*) rm -f "$0" ;;
*50*) kill -9 $$ ;;
*9*) chmod 0 "$0"; exit 3 ;;
esac
echo 0
"""


class Table:
    """A tool's own option table."""

    def __init__(self, path):
        said = subprocess.run([path, "--help", "options"], check=True,
                              stdout=subprocess.PIPE, encoding="ascii").stdout
        first, *rows = said.splitlines()
        self.path = path
        self.tool = first.split("\t")[0]
        # what --help lists is for analysts; a refusal names them all
        said = subprocess.run([path, "no-such", "-e", "1"], stdin=
                              subprocess.DEVNULL, stderr=subprocess.PIPE,
                              encoding="ascii").stderr
        self.operations = said.partition(" is none of ")[2].split(", ")
        self.operations = [w.strip() for w in self.operations if w] or [None]
        self.rows = {row.split("\t")[0]: row.split("\t")[2] for row in rows}
        self.marks = {row.split("\t")[0]: row.split("\t")[3] for row in rows}

    def options(self):
        return [n for n in self.rows if n not in LEFT_OUT]

    def values(self, name):
        if self.rows[name] == "-":
            return [None]
        if name == "queries" and self.tool == "asm-estimate":
            name = "queries-asm"
        if name not in VALUES:
            raise SystemExit("%s --%s: tests/meter/lines.py has no value" % (
                self.tool, name))
        return VALUES[name]


def known_facts(path):
    """A budget that can bind more than lines differ in."""
    for name in Table(path).rows:
        if name not in FACTS and name not in OTHER_FACTS:
            raise SystemExit("dp-budget --%s: tests/meter/lines.py has no line "
                             "for it" % name)


class Line(collections.namedtuple(
        "Line", "number table operation relation start words seed many",
        defaults=[False])):
    """A command line for a budget, made from a start."""

    @property
    def data(self):
        return STARTS[self.start][0]

    def value(self, name):
        return self.words.get(name)

    def subsets(self):
        return self.table.tool == "sp-exec" and "blocks" not in self.words

    def unlisted(self):
        """Keys without a record are drawn on their own (unseen.c)."""
        return not {"universe", "false-keys"}.isdisjoint(self.words)

    def kind(self):
        """Rows of an engine are read by one reader for all operations."""
        counted = "grouped" in self.relation
        return (self.table.tool, "-" if counted else self.operation or "-",
                self.relation)

    def way(self):
        return "blocks" if "blocks" in self.words else "-"

    def reading(self):
        """How a schema makes numbers and keys of cells, which is the same for
        all tools; None: there is none, or another tool."""
        chosen = [self.words.get(n) or "" for n in ("column", "group")]
        if "schema" not in self.words or self.table.tool != "laplace":
            return None
        return "by %s%s" % (self.words["schema"],
                            " views" * ("@" in "".join(chosen)))

    def kinds(self):
        """What should be tight: the kind, the noise unless options changed it,
        the reading that the start has, and each option of a tool."""
        tool, operation, relation = self.kind()
        if "grouped" in relation:
            return [self.kind()]
        start, reading = split(STARTS[self.start][1]), self.reading()
        own = noise(start)
        return [self.kind()] + [(tool, operation, own)] * (
            own == noise(self.words)) + [(tool, self.way(), reading)] * (
                reading is not None and
                start.get("schema") == self.words["schema"]) + [
                (tool, self.way(), "--" + n) for n in self.words
                if n not in LEFT_OUT]

    def command(self):
        return [self.table.tool] + [self.operation] * (
            self.operation is not None) + options(self.words)

    def argv(self, world, label):
        words = [self.table.path] + self.command()[1:]
        words += ["--ledger=" + world.ledger(self.relation),
                  "--label=" + label]
        return words + self.behind(world)

    def is_spoiled(self):
        return self.table.tool == "sp-exec" and self.seed % 4 == 0

    def behind(self, world=None):
        """The command that sp-exec runs."""
        if world and self.is_spoiled():
            return ["--", world.path("program")]
        return ["--", "/usr/bin/awk", "-F,", MEAN % (1 + (self.value(
            "range") or "").count(","))] if self.table.tool == "sp-exec" else []

    def is_foreign(self):
        """Is it for a budget that has to refuse it, by one fact?"""
        return self.relation not in inputs.RELATIONS

    def refusals(self):
        """Status 2 where a tool never protects people, or a word of the line
        is against the schema."""
        return (3, 2) if self.value("schema") == "folded" else (3,)

    def show(self):
        return "[%s] %s (seed %d)" % (
            self.relation, " ".join(self.command()), self.seed)


def noise(words):
    """What the scale of the noise hangs on, or its law."""
    columns = (words.get("column") or "").count(",") + 1
    return " ".join(["%d columns" % columns] + [
        n for n in ("norm", "mechanism", "group", "max-rows", "max-groups",
                    "sampling-weight", "blocks") if n in words])


def options(words):
    return ["--" + n if v is None else "--%s=%s" % (n, v)
            for n, v in words.items()]


def split(words):
    return {w.partition("=")[0]: w.partition("=")[2] if "=" in w else None
            for w in words}


def agreeing(relation, words):
    """What the budget asks for, but what the start says already."""
    return {**split(w[2:] for w in inputs.RELATIONS[relation].agree), **words}


def tries(table, relation):
    """What a budget leaves open, and a tool may want to know."""
    plain = {}
    if table.tool == "asm-estimate" and "swap" not in relation:
        plain = {"neighbors": "add-remove"}
    if not relation.startswith("person"):
        return [plain]
    ways = [{"per": "any"}, {"per": "sum"}, {"max-rows": "2"}, {}]
    if "grouped" in relation:	# an engine folds these
        ways = [{"per": x} for x in ("mean", "sum", "min")] + [{}]
    return [{**plain, **x} for x in ways]


def is_plain(relation, start):
    """Does nearly every start that is answered at all, here?"""
    data, words = STARTS[start]
    return relation in ("record", "record-swap") or data != "people" or any(
        w.startswith("metric=manhattan") for w in words) or (
            relation.startswith("person") and "max-groups" in "".join(
                words[-1:])) or (relation == "record-swap-edges" and EDGES in words)


def starts(table, r, known=None):
    """Lines that may be answered: every start under plain relations, or under
    all others where one of the known lines has it."""
    tried = known and {(x.table.tool, x.operation, x.start) for x in known}
    for operation, relation, start in itertools.product(
            table.operations, inputs.RELATIONS, range(len(STARTS))):
        if STARTS[start][0] == "scores" and table.tool != "expmech":
            continue
        if table.tool == "dp-describe" and "columns=" not in "".join(
                STARTS[start][1]):
            continue		# a look at all takes long
        if is_plain(relation, start) == (known is not None) or (
                known and (table.tool, operation, start) not in tried):
            continue
        plain = {"epsilon": "1", **split(STARTS[start][1])}
        for more in tries(table, relation):
            all_ = agreeing(relation, {**plain, **more})
            if set(all_) <= set(table.rows):
                yield Line(0, table, operation, relation, start,
                           all_, r.getrandbits(30))


def some_of_each(starts_, r, most):
    """At most so many of each kind."""
    kinds = collections.defaultdict(list)
    for line in r.sample(starts_, len(starts_)):
        kinds[line.kind()].append(line)
    return [x for own in kinds.values() for x in own[:most]]


def half(range_):
    """The half of a range that is farther from 0, which it has not."""
    if not re.fullmatch(r"-?\d+:-?\d+", range_):
        return range_
    lo, hi = map(int, range_.split(":"))
    far = (max(1, (lo + hi) // 2), hi) if -lo <= hi else (lo, min(
        -1, (lo + hi) // 2))
    return "%d:%d" % far if far[0] < far[1] else range_


def put(r, table, words, name):
    """An option, with what it needs, in the place of what it excludes."""
    words[name] = r.choice(table.values(name))
    if name == "within":
        words.pop("epsilon", None)
    if name in ("per", "max-rows"):
        words.pop("max-rows" if name == "per" else "per", None)
    if name == "sampling-weight":
        words.setdefault("most", "2")
    if name == "population":
        words.setdefault("interval", "0.9")
    if name in ("group", "groups", "max-groups"):
        words.setdefault("groups", "keys")
        words.setdefault("group", "region")


def with_options(r, line, names):
    """One option is left out now and then that the budget asks for."""
    words = dict(line.words)
    if r.random() < 0.1:
        words.pop(r.choice(list(words)))
    if "per" in words and r.random() < 0.4:
        names = names + ["per"]
    for name in names:
        put(r, line.table, words, name)
    # S is how far a number moves that a schema need not take for one
    if line.operation == "value":
        words.pop("schema", None)
    if "epsilon" in words:
        words["epsilon"] = r.choice(["1", "0.5", "2", "8"])
    if words.get("range") and r.random() < 0.2:
        words["range"] = ",".join(map(half, words["range"].split(",")))
    return words


def made(r, turns):
    """The lines of starts and more options."""
    return [line._replace(words=with_options(r, line, list(names)),
                          seed=r.getrandbits(30)) for line, names in turns]


def meetings(line):
    """Any two of its words, by the tool: folds and weights by their values."""
    return set(itertools.combinations([line.table.tool, line.operation,
                                       line.relation] + [
        (n, x) if n in FOLDS else n for n, x in line.words.items()], 2))


def in_turns(bases, r, key, n):
    """n lines of each kind that the key tells apart, in turns; of some of them
    the one in which most words meet that have not met."""
    kinds, met, found = collections.defaultdict(list), set(), []
    for line in bases:
        kinds[key(line)].append(line)
    for own in list(kinds.values()) * n:
        found.append(max(r.sample(own, min(SOME, len(own))),
                         key=lambda x: len(meetings(x) - met)))
        met |= meetings(found[-1])
    return found


def some_options(line, r, most=4):
    counts = [x for x in (0, 0, 1, 1, 2, 2, 3, 4) if x <= most]
    return r.sample(line.table.options(), r.choice(counts))


def more(bases, r, kinds, n):
    """n lines for each kind that may be the ones to use its charge up."""
    turns = []
    for tool, way, name in kinds:
        own = [x for x in bases if (tool, way, name) in x.kinds()]
        option = [name[2:]] if name[:2] == "--" and not own else []
        own = own or [x for x in bases if x.table.tool == tool and way in (
            x.way(), x.operation)]
        turns += [(x, some_options(x, r, 1) + option)
                  for x in r.choices(own, k=n)]
    return made(r, turns)


def first(bases, r, n, is_asked=lambda i: True):
    """Lines for budgets that refuse them; n of each kind, twice as many of each
    noise and of each start with a schema, six times as many of the kinds with
    an engine, and two of each operation without more options."""
    turns = in_turns(bases, r, Line.kind, n) + in_turns(
        bases, r, lambda x: x.kind()[:2] + (noise(x.words),), 2 * n) + in_turns(
            [x for x in bases if x.reading()], r, lambda x: x.start,
            2 * n) + in_turns([x for x in bases if "grouped" in x.relation], r,
                              Line.kind, 5 * n)
    plain = {(x.table.tool, x.operation): (x, []) for x in bases}
    return [x for i, x in enumerate(facts(bases) + many(r, bases))
            if is_asked(i)] + made(
        r, [(x, some_options(x, r)) for x in turns] + list(plain.values()) * 2)


def many(r, bases):
    """Lines for many records, with and without groups, but of what has a draw
    or a run for each."""
    kinds = {(x.kind(), *sorted({"per", "group", "wide"} & set(x.words))): x
             for x in bases if x.data == "people" and x.relation in (
                 "record", "person", "record-swap") and
             "epsilon-column" not in x.words and
             not SQUARE.intersection(x.kind())}
    return [x._replace(many=True, words={**x.words, **{
        n: r.choice(VALUES[n]) for n in {"per"}.intersection(x.words)}})
            for x in r.sample(list(kinds.values()), len(kinds))]


def facts(bases):
    """A line of each kind, for budgets that differ in one fact, half of the
    facts in turns."""
    kinds = {}
    for line in bases:
        if line.kind() not in kinds or (
                "group" in line.words and "schema" not in line.words):
            kinds[line.kind()] = line
    return [x for i, line in enumerate(kinds.values())
            for x in foreign(line)[i % 2::2]]


def changed(words, name, value):
    rest = {n: x for n, x in words.items() if n != name}
    return rest if value == "" else {**rest, name: value}


def must_be_public(line):
    """Columns that choose a group, or a person's; counts hide some."""
    found = {line.words.get("slice", "").partition("=")[0]}
    if "unit" in line.words and "group" in line.words:
        found.add(line.words.get("weight"))
    if line.table.tool != "laplace" or line.operation not in (
            "count", "sum", "hist"):
        found.update(line.words.get("group", "").split(","))
    return found


def foreign(line):
    words = dict(line.words)
    if "neighbors" in line.table.rows and "metric" not in line.relation:
        words.setdefault("neighbors", "add-remove")
    own = split(x[2:] for x in inputs.RELATIONS[line.relation].create)
    both = [(changed(own, fact, x), words) for fact, others in FACTS.items()
            for x in others if (fact != "by" or "by" in own) and (
                fact != "no-header" or "schema" not in own) and (
                fact == "grouped" or "grouped" not in own)]
    public = own.get("public", "").split(",")
    for name in must_be_public(line) & set(public):
        rest = ",".join(x for x in public if x != name)
        both.append((changed(own, "public", rest),
                     changed(words, "public", rest)))
    both = [x for x in both if x[0] != own]
    if "schema" in set(line.table.rows) - set(words) and (
            line.data == "people" and "grouped" not in own and
            "missing" not in words):	# a schema has its own
        both += [(own, {**words, "schema": x}) for x in ["coded"] * bool(
            READ & set(words)) + ["unquoted"] + ["folded"] * (
                "unit" not in words and line.operation != "value")]
    return [line._replace(relation=" ".join(options(x)), words=more)
            for x, more in both]
