"""troubles: ledgers and disks in a bad state.

Each function takes a folder, the environment with the tools in PATH, and a
list that gets a line for everything that is not as it should be; it returns
how many runs it made.
"""
import contextlib
import fractions
import os
import random
import shutil
import sqlite3
import subprocess

import ledgers

TEXT = b"v\n1\n2\n"
JOB = ["sp-mean", "-e", "1", "-s", "1", "-m", "0", "--ledger"]
NOBODY, OTHER = 65534, 65533


def run(argv, env, before=None):
    p = subprocess.run(argv, input=TEXT, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, env=env, preexec_fn=before,
                       timeout=200)
    return p.returncode, p.stdout, p.stderr


def drop():
    """A process that may do no more than anybody else."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def refused(got, wrong, where, statuses=(1,), tool="sp-mean"):
    """Nothing printed, one line of words."""
    status, out, err = got
    if status not in statuses or out or err.count(b"\n") != 1 or \
            not err.startswith(tool.encode() + b": "):
        wrong.append("%s: %r" % (where, got))


def writers(path):
    """All that changes a ledger."""
    return [JOB + [path],
            ["laplace", "count", "-e", "1/7", "--slice", "v=1", "--account",
             "jo", "--release-id", "x", "--ledger", path],
            ["dp-budget", "add", path, "-e", "1/7"],
            ["dp-budget", "allot", path, "jo", "-e", "1/7"]]


def read_only(folder, env, wrong):
    """A ledger that cannot be written, and one whose folder cannot."""
    place = os.path.join(folder, "only")
    os.mkdir(place)
    tool = shutil.copy(shutil.which("sp-mean", path=env["PATH"]), place)
    path = os.path.join(place, "ro.db")
    ledgers.create(env, path, "10")
    was = ledgers.state(path)

    for file_mode, folder_mode in ((0o444, 0o777), (0o666, 0o555)):
        os.chmod(folder, 0o755)
        os.chmod(path, file_mode)
        os.chmod(place, folder_mode)
        refused(run([tool] + JOB[1:] + [path], env, before=drop), wrong,
                "read-only %o %o" % (file_mode, folder_mode))
        os.chmod(place, 0o777)
    if ledgers.state(path) != was:
        wrong.append("read-only: charged")
    return 2


def filled(folder, env, name):
    """A ledger with twenty charges in it, the same bytes every time."""
    path = os.path.join(folder, name)
    ledgers.create(env, path, "1000")
    for i in range(20):
        run(JOB + [path, "--label", "l%d" % i, "--release-id", "r%d" % i],
            env)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE entry SET time = '2026-11-20T00:00:00Z', "
                   "output = x'302e3132330a', "
                   "report = replace(report, ?, '')", (folder,))
        db.execute("UPDATE data_set SET created = '2026-11-20T00:00:00Z'")
        db.commit()
        db.execute("VACUUM")
    return path


def spent(path, env):
    """What dp-budget says, and None where it can say nothing."""
    status, out, _ = run(["dp-budget", "show", path, "-f", "csv"], env)
    if status != 0 or out.count(b"\n") != 2:
        return None
    return fractions.Fraction(out.split(b"\n")[1].split(b",")[-3].decode())


def after_damage(path, env, wrong, where):
    """A job on a damaged ledger: refused, or charged as ever."""
    was = spent(path, env)
    got = run(JOB + [path], env)
    if got[0] != 0:
        refused(got, wrong, where, (1, 3))
    elif was is None or not got[1] or spent(path, env) != was + 1:
        wrong.append("%s: %s spent, then %s, and %r" % (
            where, was, spent(path, env), got))


def corrupt(folder, env, wrong, times=150):
    """Bytes changed at random, and ends cut off."""
    good = filled(folder, env, "good.db")
    bad = os.path.join(folder, "bad.db")
    with open(good, "rb") as f:
        whole = f.read()
    r = random.Random(7)
    for i in range(times):
        data = bytearray(whole)
        if i % 3 == 0:
            del data[r.randrange(len(data)):]
        for _ in range(0 if i % 3 == 0 else r.choice([1, 4, 40])):
            data[r.randrange(len(data))] = r.randrange(256)
        if i % 3 == 2:      # in the header and the schema
            data[r.randrange(1024)] ^= 1 << r.randrange(8)
        for end in ("-journal", "-wal", "-shm"):
            if os.path.exists(bad + end):
                os.unlink(bad + end)
        with open(bad, "wb") as f:
            f.write(data)
        after_damage(bad, env, wrong, "damage %d" % i)
    return times


def other_versions(folder, env, wrong):
    """A ledger of another version is refused, and left as it was."""
    path, runs = filled(folder, env, "other.db"), 0
    for version, status, words in ((1, 3, b"earlier dputils"),
                                   (6, 1, b"version 6")):
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA user_version = %d" % version)
        with open(path, "rb") as f:
            before = f.read()
        for argv in writers(path) + [["dp-budget", "show", path],
                                     ["dp-budget", "log", path]]:
            got, runs = run(argv, env), runs + 1
            refused(got, wrong, "version %d" % version, (status,), argv[0])
            if words not in got[2]:
                wrong.append("version %d: %r" % (version, got))
        with open(path, "rb") as f:
            if f.read() != before:
                wrong.append("version %d: the file is changed" % version)
    return runs


def readers(folder, env, wrong):
    """People who may only read can look at a ledger in such a folder."""
    place = os.path.join(folder, "readers")
    os.mkdir(place)
    tool = shutil.copy(shutil.which("dp-budget", path=env["PATH"]), place)
    new = os.path.join(place, "new.db")
    ledgers.create(env, new, "10")
    run(JOB + [new], env)

    os.chmod(folder, 0o755)
    os.chmod(new, 0o444)
    os.chmod(place, 0o555)
    for verb in ("show", "log"):
        got = run([tool, verb, new], env, before=drop)
        if got[0] != 0 or got[2] or not got[1]:
            wrong.append("readers: %s: %r" % (verb, got))
    got = run([tool, "add", new, "-e", "1"], env, before=drop)
    if got[0] != 1 or got[1] or got[2].count(b"\n") != 1:
        wrong.append("readers: add: %r" % (got,))
    os.chmod(place, 0o755)
    return 3


def owners(folder, env, wrong):
    """A folder, a journal or a file of another user's is refused to anybody,
    and root may charge a user's ledger; what root makes there is the user's."""
    if os.getuid() != 0:
        return 0
    runs = 0
    for owner, folders, journals, status in (
            (NOBODY, NOBODY, None, 0), (NOBODY, NOBODY, 0, 0),
            (NOBODY, 0, NOBODY, 0), (0, 0, None, 0), (0, NOBODY, None, 1),
            (NOBODY, OTHER, None, 1), (0, 0, NOBODY, 1),
            (NOBODY, NOBODY, OTHER, 1)):
        place = os.path.join(folder, "owners%d" % runs)
        path = os.path.join(place, "l.db")
        os.mkdir(place)
        ledgers.create(env, path, "10")
        for name, who in ((path, owner), (place, folders),
                          (path + "-journal", journals)):
            if who is not None:
                with open(name, "a") if name != place else os.scandir(name):
                    os.chown(name, who, who)
        got, runs = run(JOB + [path], env), runs + 1
        if got[0] != status or (got[0] == 1) != (b"others may" in got[2]):
            wrong.append("owners: %r: %r" % ((owner, folders, journals), got))
    place = os.path.join(folder, "made")
    os.mkdir(place)
    os.chown(place, NOBODY, NOBODY)
    ledgers.create(env, os.path.join(place, "l.db"), "10")
    made = os.stat(os.path.join(place, "l.db"))
    if (made.st_uid, made.st_mode & 0o777) != (NOBODY, 0o600):
        wrong.append("owners: made %r" % (made,))
    return runs + 1


ALL = [read_only, corrupt, other_versions, readers, owners]
