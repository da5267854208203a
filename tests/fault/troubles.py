"""troubles: ledgers and disks in a bad state.

Each function takes a folder, the environment with the tools in PATH, and a
list that gets a line for everything that is not as it should be; it returns
how many runs it made.
"""
import contextlib
import fractions
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import threading

import ledgers

TEXT = b"v\n1\n2\n"
JOB = ["sp-mean", "-e", "1", "-s", "1", "-m", "0", "--ledger"]
NOBODY = 65534


def run(argv, env, text=TEXT, out=subprocess.PIPE, before=None):
    p = subprocess.run(argv, input=text, stdout=out, stderr=subprocess.PIPE,
                       env=env, preexec_fn=before, timeout=200)
    return p.returncode, p.stdout or b"", p.stderr


def refused(got, wrong, where, statuses=(1,)):
    """Nothing printed, one line of words."""
    status, out, err = got
    if status not in statuses or out or err.count(b"\n") != 1 or \
            not err.startswith(b"sp-mean: "):
        wrong.append("%s: %r" % (where, got))


def small_disk(folder, env, wrong):
    """A limit on file sizes, from nothing to enough, is a full disk."""
    path, runs, good = os.path.join(folder, "full.db"), 0, 0
    ledgers.create(env, path, "1000000")
    while os.path.getsize(path) < 40960:
        run(JOB + [path, "--label", "x" * 3000], env)
    for limit in range(0, 90000, 3000):
        was = ledgers.state(path)
        got = run(JOB + [path, "--label", "y" * 5000], env,
                  before=lambda: resource.setrlimit(
                      resource.RLIMIT_FSIZE, (limit, limit)))
        now, runs = ledgers.state(path), runs + 1
        if got[0] == 0:
            good += 1
            if now[0] != was[0] + 1 or not got[1]:
                wrong.append("limit %d: %r, %r to %r" % (limit, got, was,
                                                         now))
        else:
            refused(got, wrong, "limit %d" % limit)
            if now != was:
                wrong.append("limit %d: a charge that failed" % limit)
    if good in (0, runs):
        wrong.append("%d of %d limits were enough" % (good, runs))
    return runs


def full_device(folder, env, wrong):
    """What is printed goes nowhere: status 1 and words, whatever it is."""
    calls = [["--help"], ["--version"], ["--explain", "-e", "1", "-s", "1",
             "-m", "0"], ["-e", "1", "-s", "1", "-m", "0"]]
    for argv in calls:
        with open("/dev/full", "wb") as full:
            refused(run(["sp-mean"] + argv, env, out=full), wrong,
                    "/dev/full %s" % argv[0])
    return len(calls)


def read_only(folder, env, wrong):
    """A ledger that cannot be written, and one whose folder cannot."""
    place = os.path.join(folder, "only")
    os.mkdir(place)
    tool = shutil.copy(shutil.which("sp-mean", path=env["PATH"]), place)
    path = os.path.join(place, "ro.db")
    ledgers.create(env, path, "10")
    was = ledgers.state(path)

    def drop():
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

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


def locked(folder, env, wrong):
    """Another process holds the lock for two seconds: the jobs wait."""
    path = os.path.join(folder, "locked.db")
    ledgers.create(env, path, "10")
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.execute("BEGIN EXCLUSIVE")
    timer = threading.Timer(2, lambda: db.execute("ROLLBACK"))
    timer.start()
    jobs = [subprocess.Popen(JOB + [path], env=env, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(5)]
    got = [(p.communicate(TEXT), p.returncode) for p in jobs]
    timer.join()
    db.close()
    if any(status != 0 or not out or err for (out, err), status in got) or \
            ledgers.state(path)[0] != 5:
        wrong.append("locked: %r" % got)
    return 5


def filled(folder, env, name):
    """A ledger with twenty charges in it, the same bytes every time."""
    path = os.path.join(folder, name)
    ledgers.create(env, path, "1000")
    for i in range(20):
        run(JOB + [path, "--label", "l%d" % i, "--release-id", "r%d" % i],
            env)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE charge SET time = '2026-11-20T00:00:00Z', "
                   "output = x'302e3132330a', "
                   "report = replace(report, ?, '')", (folder,))
        db.execute("UPDATE budget SET created = '2026-11-20T00:00:00Z'")
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


def newer(folder, env, wrong):
    """A version that is not known is left alone."""
    path = filled(folder, env, "newer.db")
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 2")
    was = ledgers.state(path)
    got = run(JOB + [path], env)
    refused(got, wrong, "newer")
    if b"version 2" not in got[2] or ledgers.state(path) != was:
        wrong.append("newer: %r" % (got,))
    return 1


ALL = [small_disk, full_device, read_only, locked, corrupt, newer]
