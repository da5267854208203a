"""Lines by dp-gate: whatever becomes of the tool, what the asker gets is paid
for, waits for the pace, and is the tool's own answer or none."""
import concurrent.futures
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import time

import inputs
import schemas

# A stand-in in the tool's place runs the tool, and ends in one of these ways.
ENDS = {"answers": "exit $?", "fails": "exit 1", "dies": "kill -9 $$"}
# Its entry stays open, and another question comes before.
OPEN = {**ENDS, "is killed": "exit 1"}
KILLED = "sleep 0.5; METER_DIE=1 "
STAND_IN = '#!/bin/sh\n[ "$1" = --help ] && exec %s "$@"\n%s "$@"\n%s\n'
PACE = 2
LATE = 5			# times to ask on a machine that is busy
CLOSED = {"sp-exec"}


def put(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, 0o700)


def run(argv, stdin=subprocess.DEVNULL, folder="/", env=None):
    p = subprocess.run(argv, env=env or {}, stdin=stdin, cwd=folder,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout, p.stderr


def spent(binaries, ledger):
    """What a ledger shows, but for the digest of all that it holds."""
    return re.sub(rb'"digest": "\w*"', b"", run([
        binaries + "/dp-budget", "show", ledger, "-f", "json"])[1])


def asked(line):
    """What reaches a gate: a schema and the relation are the budget's words."""
    return [x for x in line.command()
            if not x.startswith(("--neighbors", "--schema"))]


def set_up(binaries, made, at, line, end):
    """A folder with a gate, a budget and a stand-in; nothing runs while these
    are written, since what is open for writing cannot be run."""
    os.mkdir(at)
    run([binaries + "/dp-budget", "create", at + "/new", "-e", "1000000"] + [
        x for x in line.command() if x.startswith("--schema")] + (
            inputs.RELATIONS[line.relation].create), folder=made)
    tool = "%s/%s" % (binaries, line.table.tool)
    put("%s/%s" % (at, line.table.tool), STAND_IN % (
        tool, KILLED * (end == "is killed") + tool, OPEN[end]))
    shutil.copy(binaries + "/dp-gate", at)
    for name in ("own", "ledger"):
        shutil.copy(at + "/new", at + "/" + name)
    shutil.copy(made + "/data", at)
    policy(made, at, line, "pace %d\n" % PACE)


def policy(made, at, line, more, data="data"):
    put(at + "/policy", "data %s/%s\nledger %s/ledger\npublic %s\n"
        "tools %s\nleast 0.001\n%s" % (at, data, at, made, line.table.tool,
                                       more))


def wrong(binaries, made, at, line, end):
    """What is; None where the tool or the gate refuses the line."""
    with open(made + "/data", "rb") as f:
        status, out, _ = run([line.table.path] + line.command()[1:] + [
            "--ledger=" + at + "/own"], f, made)
    for _ in range(LATE):
        shutil.copy(at + "/new", at + "/ledger")
        begun = time.monotonic()
        *said, words = run([at + "/dp-gate", at + "/policy"] + asked(line))
        seconds = time.monotonic() - begun
        if b"not in time" not in words:
            break
    if status or said[0] == 2:
        return None
    due = {"answers": [0, out], "fails": [1, out], "dies": [1, b""]}[end]
    return ", ".join(itertools.compress(("answer", "charge", "pace"), (
        said != due, spent(binaries, at + "/ledger") != spent(
            binaries, at + "/own"), seconds < PACE)))


# --- what a gate refuses -----------------------------------------------------

def charges(at):
    """As dp-gate shows them to its owner."""
    return [json.loads(x)["charged"] for x in run([
        at + "/dp-budget", "log", at + "/ledger", "-f", "json"])[
            1].splitlines()][1:]


def open_to_others(at):
    """Nobody else may write to what a gate reads."""
    for name, bit in itertools.product(("policy", "data", "ledger", "."),
                                       (0o020, 0o002)):
        path = os.path.join(at, name)
        os.chmod(path, 0o700 | bit)
        yield "" if run([at + "/dp-gate", at + "/policy", "show"])[
            0] == 1 else "others may write to %s" % name
        os.chmod(path, 0o700)


def at_once(at, line):
    """Two questions whose tool is killed: the second finds an open entry."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: run([at + "/dp-gate", at + "/policy"] + asked(
            line)), range(2)))
    return "two were killed" if len(charges(at)) > 1 else ""


def above(made, at, line, name, value):
    """No option and no order of words takes more than max-epsilon."""
    words = {**line.words, "epsilon": "1", "repeat": "3", name: value}
    if name == "within":
        words.pop("epsilon")
    policy(made, at, line, "max-epsilon 2\n")
    for order in (1, -1):
        shutil.copy(at + "/new", at + "/ledger")
        run([at + "/dp-gate", at + "/policy"] + asked(line._replace(
            words=dict(list(words.items())[::order]))))
        yield "above max-epsilon by --" + name if max(
            charges(at), default=0) > 2 else ""


def named(words):
    """Columns of words of a line, in their order."""
    return [n for n in dict.fromkeys(re.split("[,;=@]", ";".join(
        x or "" for x in words.values()))) if n in inputs.NAMES]


def shown(made, at, line, own):
    """What an asker sees of two files that differ in columns but for these; one
    has a list for its name."""
    r = random.Random(line.seed)
    rows, lists = [inputs.record(r) for _ in range(9)], line.value("column")
    odd = lists if "," in (lists or "") else "ill,region"
    for data in ("one", "two"):
        put("%s/%s" % (at, data), '%s,"%s"\n' % (inputs.HEADER, odd) + "".join(
            inputs.filled(inputs.record(r), {n: inputs.at(x, n) for n in own})
            + ",%d\n" % r.randrange(100) for x in rows))
        policy(made, at, line, "columns %s\n" % ",".join(own or ["eps"]), data)
        shutil.copy(at + "/new", at + "/ledger")
        yield run([at + "/dp-gate", at + "/policy"] + asked(line))


def sealed(made, at, line):
    """No answer hangs on a column that the policy has closed: a line that names
    one is refused, and what the closed columns hold is not to be seen, also by
    a look that names none."""
    own = named(line.words)
    for name in own:
        rest = [n for n in own if n != name] + [name + "2"]
        policy(made, at, line, "columns %s\n" % ",".join(rest))
        yield "names the closed " + name if run([
            at + "/dp-gate", at + "/policy"] + asked(line))[0] != 2 else ""
    for words in [line.words] + [{n: x for n, x in line.words.items() if
                                  n != "columns"}] * ("columns" in line.words):
        one, two = shown(made, at, line._replace(words=words), own)
        yield "shows closed columns" if one != two else ""


def naming(bases):
    """A line of each operation and option that names columns, as many as can
    be, with a range for all rather than one for each; the columns of a public
    domain, and who is a person by a schema, are the curator's choice."""
    every = [("," not in (x.value("range") or ""), len(named({n: x.words[n]})),
              n, x) for x in bases if x.table.tool not in CLOSED and
             x.relation in ("record", "record-slices") and
             x.data == "people" and x.value("domain") not in inputs.PUBLIC and
             not schemas.PRIVACY.get(x.value("schema")) for n in x.words]
    return list({x.kind()[:2] + (n,): x for _, most, n, x in sorted(
        every, key=lambda y: y[:2]) if most}.values())


def closed(made, at, line):
    """Options that only the curator has, and files that would open columns."""
    policy(made, at, line, "")
    for name, mark in line.table.marks.items():
        if mark == "closed" and name not in line.words:
            yield "takes --" + name if run([
                at + "/dp-gate", at + "/policy"] + asked(line) + [
                    "--" + name if line.table.rows[name] == "-" else
                    "--%s=1" % name])[0] != 2 else ""
    policy(made, at, line, "columns id\n")
    for name, words in line.table.rows.items():
        if words.startswith("FILE|"):	# it has a header
            plain_ = line._replace(words={n: x for n, x in line.words.items()
                                          if n != name and not named({n: x})})
            with open(at + "/data", "rb") as sent:
                yield "takes a sent --" + name if run([
                    at + "/dp-gate", at + "/policy"] + asked(plain_) + [
                        "--%s=-" % name], sent)[0] != 2 else ""


def refusing_set_up(binaries, made, at, line):
    for folder, end in ((at, "answers"), (at + "2", "is killed")):
        set_up(binaries, made, folder, line, end)
        shutil.copy(binaries + "/dp-budget", folder)


def refuses(made, at, line, whole):
    """What is wrong; `' for each thing that is not."""
    r, names = random.Random(line.seed), line.table.options()
    if line.table.tool == "laplace":
        yield from open_to_others(at + "2")
        yield at_once(at + "2", line)
    yield from closed(made, at, line)
    for name in names if whole else {"within"}.intersection(names) | set(
            r.sample(names, 3)):
        yield from above(made, at, line, name, "1" if name == "within" else
                         r.choice(line.table.values(name)))


def plain(bases):
    """A line of each tool and operation, for records."""
    return list({x.kind()[:2]: x for x in sorted(reversed(
        bases), key=lambda x: x.value("schema") is None)
             if (x.relation, x.data) == ("record", "people")
             and (x.value("column") or "").count(",") < 2}.values())


def looks(binaries, folder, bases, whole):
    """A line of each tool and operation, with each end, and one of each tool
    that is to be refused: findings, and how many lines were as they should be.
    Each tool that is open has some; of a sample each that has a line that a
    gate may ask.  For many columns a tool may want more memory than a gate
    gives.  A schema is for tools that need one."""
    made, r = folder + "/made", random.Random(1)
    put(made + "/data", "\n".join([inputs.HEADER] + [
        inputs.record(r) for _ in range(9)]) + "\n")
    lines = plain(bases)
    todo = list(itertools.product(lines, ENDS))
    at = ["%s/gate%d" % (folder, i) for i in range(len(todo))]
    for i, x in enumerate(todo):
        set_up(binaries, made, at[i], *x)
    one = {x.table.tool: x for x in lines if x.table.tool not in CLOSED}
    for tool, line in one.items():
        refusing_set_up(binaries, made, folder + "/" + tool, line)
    seals = [("%s/seal%d" % (folder, i), x)
             for i, x in enumerate(naming(bases))]
    for place, line in seals:
        set_up(binaries, made, place, line, "answers")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        refused = pool.map(lambda x: list(refuses(
            made, folder + "/" + x.table.tool, x, whole)), one.values())
        kept = pool.map(lambda x: list(sealed(made, *x)), seals)
        found = list(pool.map(lambda i: wrong(binaries, made, at[i], *todo[i]),
                              range(len(todo))))
    refused = list(refused) + list(kept)
    looked = {x.table.tool for (x, _), what in zip(todo, found)
              if what is not None} | CLOSED
    return [("by a gate whose tool %s: %s" % (end, what), line.show(), "", "")
            for (line, end), what in zip(todo, found) if what] + [
                ("by a gate no line is answered", tool, "", "")
                for tool in sorted({x.table.tool for x in (
                    bases if whole else lines)} - looked)] + [
                ("by a gate: " + what, line.show(), "", "")
                for line, all_ in zip(itertools.chain(one.values(), (
                    x for _, x in seals)), refused)
                for what in all_ if what
            ], found.count("") + sum(x.count("") for x in refused)
