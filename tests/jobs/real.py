"""Files that are no CSV, as other programs make them.

Each is refused with one command, and with -H too where the curator asks for
--check.  Where the command's program is installed, the command is run, and
what it writes must give the answer.  real/ has files of DuckDB (Parquet) and
Gnumeric (xlsx), ages.xls.gz one of Gnumeric (xls) that is mostly zeros; Python,
SQLite and, where it is there, zstd make the others.
"""
import bz2
import csv
import gzip
import json
import lzma
import os
import re
import shutil
import sqlite3
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
CURE = re.compile(r"laplace: (.*) is [^:]*: (.*) \|\n")
ASK = ["-e", "5", "--range", "0:120"]


def make(folder):
    """The files of 200 people, and their mean age."""
    with open(HERE + "/../../data/people.csv", encoding="utf-8") as f:
        rows = [{"id": r["id"], "age": int(r["age"])} for r in
                list(csv.DictReader(f))[:200]]
    text = "id,age\n" + "".join("%(id)s,%(age)d\n" % r for r in rows)
    with gzip.open(HERE + "/ages.xls.gz") as f:
        xls = f.read()
    found = {
        "ages.xls": xls,
        "ages.gz": gzip.compress(text.encode()),
        "ages.bz2": bz2.compress(text.encode()),
        "ages.xz": lzma.compress(text.encode()),
        "ages16.csv": text.encode("utf-16"),
        "array.json": json.dumps(rows).encode(),
        "indented.json": json.dumps(rows, indent=4).encode(),
        "windows.json": json.dumps(rows, indent=4).replace(
            "\n", "\r\n").encode(),
        "lines.json": "".join(json.dumps(r) + "\n" for r in rows).encode()}
    for name in os.listdir(HERE + "/real"):
        shutil.copy(HERE + "/real/" + name, folder)
    for name, content in found.items():
        with open(folder + "/" + name, "wb") as f:
            f.write(content)
    db = sqlite3.connect(folder + "/ages.db")
    db.execute("create table ages (id, age)")
    db.executemany("insert into ages values (:id, :age)", rows)
    db.commit()
    names = [*found, "ages.db", *os.listdir(HERE + "/real")]
    if shutil.which("zstd"):
        with open(folder + "/ages.zst", "wb") as f:
            subprocess.run(["zstd", "-qc"], input=text.encode(), stdout=f,
                           check=True)
        names.append("ages.zst")
    return names, sum(r["age"] for r in rows) / len(rows)


def fault(folder, env, name, truth):
    """What is wrong with the refusal of a file and its cure, or nothing."""
    def said(words, name=()):
        return subprocess.run(["sh", "-c", words, "sh", *ASK, *name],
                              cwd=folder, env=env, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              check=False)

    got = said('laplace mean -c age "$@"', [name])
    look = said('laplace mean --check -H -c 2 "$@"', [name])
    cure = CURE.fullmatch(got.stderr)
    if got.returncode != 1 or got.stdout or not cure or cure[1] != name:
        return "no cure: %r" % got.stderr
    if look.stderr != got.stderr:
        return "--check -H: %r" % look.stderr
    command = cure[2].replace("TABLE", "ages")
    if not shutil.which(command.split()[0], path=env["PATH"]):
        return ""
    got = said(command + ' | laplace mean -c age "$@"')
    try:
        return "" if abs(float(got.stdout) - truth) < 5 else got.stdout
    except ValueError:
        return "%s: %s" % (command, got.stderr)


def run(folder, env):
    """(name, what is wrong or nothing) of each file."""
    names, truth = make(folder)
    for name in sorted(names):
        yield name, fault(folder, env, name, truth)
