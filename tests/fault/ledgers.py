"""ledgers: what stands in a budget ledger, read without dputils."""
import collections
import contextlib
import fractions
import hashlib
import sqlite3
import subprocess

F = fractions.Fraction


def create(env, path, total, dataset=None, options=()):
    more = ["--dataset", dataset] if dataset else []
    subprocess.run(["dp-budget", "create", path, "-e", total] + more
                   + list(options), env=env, check=True)


def opened(path):
    return contextlib.closing(sqlite3.connect(path, timeout=60))


def rows(path, sql, values=()):
    with opened(path) as db:
        return db.execute(sql, values).fetchall()


def by_log(entries):
    """Accounts, and slices of accounts, as the log alone has them."""
    total, whole = collections.Counter(), collections.Counter()
    slices = collections.Counter()
    for data_set, account, verb, amount, part in entries:
        amount = F(amount)
        if verb == "release" and part is None:
            whole[data_set, account] += amount
        elif verb == "release":
            slices[data_set, account, part] += amount
        else:
            total[data_set, account] += amount
        if verb == "allot":
            total[data_set, ""] -= amount
    return total, whole, slices


def sha(data):
    return hashlib.sha256(data).hexdigest().encode()


def chain(db):
    """What is wrong with the digests of a ledger's past, if anything."""
    [(key,)] = db.execute("SELECT key FROM secret")
    key = key.encode()
    last, made = sha(key + sha(key)), set()
    rows_ = db.execute("SELECT * FROM entry").fetchall()
    names = [c[1] for c in db.execute("PRAGMA table_info(entry)")]
    entries = {r[0]: dict(zip(names, r)) for r in rows_}
    for number, entry, how, digest in db.execute(
            "SELECT * FROM chain ORDER BY number"):
        now = dict(entries[entry], state=how)
        if how == 0:
            now["output"] = None
        made.add((entry, how))
        text = b"before " + last + b"\n"
        for name in names:
            x = now[name]
            x = x if x is None or isinstance(x, bytes) else str(x).encode()
            text += b"%s %s\n" % (name.encode(), b"-" if x is None else
                                  b"%d:%s" % (len(x), x))
        last = sha(text)
        if last.decode() != digest:
            return "row %d of the chain" % number
    want = {(n, e["state"]) for n, e in entries.items()}
    want |= {(n, 0) for n, e in entries.items() if e["verb"] == "release"}
    return "" if made == want else "the chain lacks %s" % (want ^ made)


def state(path):
    """
    Number of releases and what they cost, after looking that all is in
    order: what stands in the tables is what the log says, and the chain has
    every change of it.
    """
    with opened(path) as db:
        [(check,)] = db.execute("PRAGMA integrity_check")
        if check != "ok":
            raise ValueError(check)
        wrong = chain(db)
        if wrong:
            raise ValueError(wrong)
        entries, accounts, parts = (db.execute(sql).fetchall() for sql in (
            "SELECT data_set, account, verb, amount, slice FROM entry "
            "ORDER BY number",
            "SELECT data_set, name, total, whole, top, releases FROM account",
            "SELECT data_set, account, value, spent FROM slice"))
    total, whole, slices = by_log(entries)
    spent = F(0)
    for data_set, name, *texts, releases in accounts:
        key = data_set, name
        top = max([v for k, v in slices.items() if k[:2] == key],
                  default=F(0))
        if [F(t) for t in texts] != [total[key], whole[key], top]:
            raise ValueError("%s: %s, logged %s %s %s" % (
                key, texts, total[key], whole[key], top))
        if releases != sum(e[:3] == (*key, "release") for e in entries):
            raise ValueError("%s: %d releases" % (key, releases))
        if whole[key] + top > total[key]:
            raise ValueError("%s is overspent" % (key,))
        spent += whole[key] + top
    stored = {tuple(k): F(v) for *k, v in parts}
    if stored != dict(slices):
        raise ValueError("slices %s, logged %s" % (stored, slices))
    return sum(e[2] == "release" for e in entries), spent


def changed(path):
    """How many changes by dp-budget are logged."""
    [(n,)] = rows(path, "SELECT count(*) FROM entry WHERE verb <> 'release'")
    return n


def charges(path, label):
    """How many charges carry this label."""
    [(n,)] = rows(path, "SELECT count(*) FROM entry WHERE label = ?",
                  (label,))
    return n


def ended(path, label=None):
    """How the entries, or those with a label, ended, in order."""
    return [("open", "settled", "closed")[s] for (s,) in rows(
        path, "SELECT state FROM entry WHERE ? IS NULL OR label = ? "
        "ORDER BY number", (label, label))]
