"""ledgers: what stands in a budget ledger, read without dputils."""
import contextlib
import fractions
import sqlite3
import subprocess


def create(env, path, total, dataset=None):
    more = ["--dataset", dataset] if dataset else []
    subprocess.run(["dp-budget", "create", path, "-e", total] + more,
                   env=env, check=True)


def rows(path, sql, values=()):
    with contextlib.closing(sqlite3.connect(path, timeout=60)) as db:
        return db.execute(sql, values).fetchall()


def state(path):
    """Number of charges and their sum, after looking that all is in order."""
    [(check,)] = rows(path, "PRAGMA integrity_check")
    if check != "ok":
        raise ValueError(check)
    spent = sum(fractions.Fraction(s) for (s,) in
                rows(path, "SELECT spent FROM budget"))
    amounts = [fractions.Fraction(a) for (a,) in
               rows(path, "SELECT amount FROM charge")]
    if sum(amounts) != spent:
        raise ValueError("%s spent, %s charged" % (spent, sum(amounts)))
    return len(amounts), spent


def charges(path, label):
    """How many charges carry this label."""
    [(n,)] = rows(path, "SELECT count(*) FROM charge WHERE label = ?",
                  (label,))
    return n
