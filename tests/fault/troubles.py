"""troubles: ledgers and disks in a bad state.

Each function takes a folder, the environment with the tools in PATH, and a
list that gets a line for everything that is not as it should be; it returns
how many runs it made.
"""
import collections
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


def refused(got, wrong, where, statuses=(1,), tool="sp-mean"):
    """Nothing printed, one line of words."""
    status, out, err = got
    if status not in statuses or out or err.count(b"\n") != 1 or \
            not err.startswith(tool.encode() + b": "):
        wrong.append("%s: %r" % (where, got))


def writers(path):
    """All that changes a ledger that has slices and an account."""
    return [JOB + [path],
            ["laplace", "count", "-e", "1/7", "--slice", "v=1", "--account",
             "jo", "--release-id", "x%d", "--ledger", path],
            ["dp-budget", "add", path, "-e", "1/7"],
            ["dp-budget", "allot", path, "jo", "-e", "1/7"]]


def with_slices(env, path):
    ledgers.create(env, path, "1000000", options=["--by", "v"])
    run(["dp-budget", "allot", path, "jo", "-e", "1000"], env)


def account_of(path):
    """The state, and how many entries the log has."""
    [(entries,)] = ledgers.rows(path, "SELECT count(*) FROM entry")
    return entries, ledgers.state(path)


def small_disk(folder, env, wrong):
    """A limit on file sizes, from nothing to enough, is a full disk."""
    path, runs = os.path.join(folder, "full.db"), 0
    for k, argv in enumerate(writers(path)):
        good = 0
        if os.path.exists(path):
            os.unlink(path)
        with_slices(env, path)
        while os.path.getsize(path) < 40960:
            run(JOB + [path, "--label", "x" * 3000], env)
        limits = range(0, 90000, 3000 if k == 0 else 9000)
        for limit in limits:
            was = account_of(path)
            one = [a.replace("%d", str(limit)) for a in argv]
            got = run(one + ["--label", "y" * 5000], env,
                      before=lambda: resource.setrlimit(
                          resource.RLIMIT_FSIZE, (limit, limit)))
            now, runs = account_of(path), runs + 1
            if got[0] == 0:
                good += 1
                if now[0] != was[0] + 1 or now[1] == was[1] and k < 2 or \
                        bool(got[1]) != (argv[0] != "dp-budget"):
                    wrong.append("limit %d: %s: %r, %r to %r" % (
                        limit, one, got, was, now))
            else:
                refused(got, wrong, "limit %d" % limit, tool=argv[0])
                if now != was:
                    wrong.append("limit %d: %s that failed" % (limit, one))
        if good in (0, len(limits)):
            wrong.append("%s: %d limits were enough" % (argv, good))
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
    with_slices(env, path)
    was = account_of(path)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.execute("BEGIN EXCLUSIVE")
    timer = threading.Timer(2, lambda: db.execute("ROLLBACK"))
    timer.start()
    calls = [[a.replace("%d", str(i)) for a in argv] for i in range(3)
             for argv in writers(path)]
    jobs = [subprocess.Popen(argv, env=env, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for argv in calls]
    got = [(p.communicate(TEXT), p.returncode) for p in jobs]
    timer.join()
    db.close()
    for argv, ((out, err), status) in zip(calls, got):
        if status != 0 or bool(out) != (argv[0] != "dp-budget") or err:
            wrong.append("locked: %s: %r" % (argv, (status, out, err)))
    now = account_of(path)
    if now[0] != was[0] + len(calls) or now[1][0] != was[1][0] + 6:
        wrong.append("locked: %r became %r" % (was, now))
    return len(calls)


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


def newer(folder, env, wrong):
    """A version that is not known is left alone."""
    path = filled(folder, env, "newer.db")
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 3")
    was = account_of(path)
    for argv in writers(path) + [["dp-budget", "show", path],
                                 ["dp-budget", "log", path]]:
        got = run(argv, env)
        refused(got, wrong, "newer", tool=argv[0])
        if b"version 3" not in got[2] or account_of(path) != was:
            wrong.append("newer: %s: %r" % (argv, got))
    return 6


FIRST = """
CREATE TABLE budget (dataset TEXT PRIMARY KEY, total TEXT NOT NULL,
 spent TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE charge (number INTEGER PRIMARY KEY, time TEXT NOT NULL,
 dataset TEXT NOT NULL REFERENCES budget(dataset), tool TEXT NOT NULL,
 amount TEXT NOT NULL, options TEXT NOT NULL, report TEXT NOT NULL,
 label TEXT, id TEXT, output BLOB, UNIQUE (dataset, id));
PRAGMA application_id = 1685091700;
PRAGMA user_version = 1;
"""


def first_version(path, logs, total="10/1"):
    """A ledger as version 1 wrote it: data sets with (neighbors, metric,
    group) of each of their charges of 1/2."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(FIRST)
        for data_set, log in logs.items():
            db.execute("INSERT INTO budget VALUES (?, ?, ?, 'then')",
                       (data_set, total, "%d/2" % len(log)))
            for i, (neighbors, metric, group) in enumerate(log):
                options = {"tool": "laplace", "epsilon": "0.5",
                           "dataset": data_set, "metric": metric,
                           "group": group}
                text = "{" + "".join('"%s": "%s", ' % kv for kv in
                                     options.items() if kv[1]) + \
                    '"operands": ["count"]}'
                db.execute(
                    "INSERT INTO charge (time, dataset, tool, amount, "
                    "options, report, id, output) VALUES ('then', ?, "
                    "'laplace', '1/2', ?, ?, ?, x'370a')",
                    (data_set, text, '{"tool": "laplace", "neighbors": '
                     '"%s", "epsilon": 0.5}' % neighbors, "r%d" % i))
        db.commit()


OLD = {
    "none": [], "plain": [("add-remove", "", "")] * 3,
    "swap": [("swap", "", ""), ("swap", "discrete", "g")],
    "both": [("add-remove", "", "")] * 2 + [("swap", "", "h")],
    "metric": [("swap", "step:x/7", "")] * 2,
    "lost": [("swap", "step:x/7", ""), ("swap", "", "")],
    "stated": [("that of the scores", "", ""), ("swap", "", "")],
}
# What each has to be: neighbors, metric, public columns, spent of 10.
BECOME = {
    "none": ("add-remove", None, None, "0"),
    "plain": ("add-remove", None, None, "3/2"),
    "swap": ("swap", None, "g", "1"),
    "both": ("swap", None, "h", "5/2"),
    "metric": ("metric", "step:x/7", None, "1"),
    "lost": ("mixed", None, None, "10"),
    "stated": ("swap", None, None, "1"),
}


def older_log(path, wrong):
    """Each entry has its own relation, and what they count is what was
    spent, but where no bound is left."""
    log = collections.defaultdict(list)
    for name, neighbors, amount in ledgers.rows(
            path, "SELECT data_set, neighbors, amount FROM entry WHERE "
            "time = 'then' AND id IS NOT NULL ORDER BY number"):
        log[name].append((neighbors, fractions.Fraction(amount)))
    for name, charges in OLD.items():
        kinds = ["metric" if metric not in ("", "discrete") else
                 {"add-remove": "add-remove", "swap": "swap"}.get(
                     neighbors, "stated") for neighbors, metric, _ in charges]
        if [kind for kind, _ in log[name]] != kinds:
            wrong.append("older %s: entries of %s" % (name, log[name]))
        if BECOME[name][0] != "mixed" and sum(
                x for _, x in log[name]) != fractions.Fraction(
                    BECOME[name][3]):
            wrong.append("older %s: entries count %s" % (name, log[name]))


def unready(got, wrong, where, tool="laplace"):
    """Of version 1: refused, and in words what to do."""
    refused(got, wrong, where, (3,), tool)
    if b"dp-budget upgrade" not in got[2]:
        wrong.append("%s: %r" % (where, got))


def older(folder, env, wrong):
    """A ledger of version 1 is read as what its log says; releases from it
    are refused until one of ten upgrades at once brings it to this version."""
    path = os.path.join(folder, "older.db")
    first_version(path, OLD)
    with open(path, "rb") as f:
        before = f.read()
    shown = run(["dp-budget", "show", path, "-f", "csv"], env)
    with open(path, "rb") as f:
        if f.read() != before:
            wrong.append("older: show changes the file")
    for argv in writers(path):
        unready(run(argv, env), wrong, "older", argv[0])
    with open(path, "rb") as f:
        if f.read() != before:
            wrong.append("older: what is refused changes the file")
    for argv in (["dp-budget", "upgrade", path],
                 ["laplace", "count", "-e", "0.5", "--ledger", path,
                  "--dataset", "plain"]):
        jobs = [subprocess.Popen(
            argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE) for _ in range(10)]
        got = [(p.communicate(TEXT), p.returncode) for p in jobs]
        if any(status != 0 for _, status in got):
            wrong.append("older: %r" % got)
    found = {name: (neighbors, metric, fixed) for
             name, neighbors, metric, fixed in ledgers.rows(
        path, "SELECT name, neighbors, metric, fixed FROM data_set")}
    spent = {name: fractions.Fraction(whole) for name, whole in ledgers.rows(
        path, "SELECT data_set, whole FROM account")}
    for name, (*kind, cost) in BECOME.items():
        cost = fractions.Fraction(cost) + 5 * (name == "plain")
        if list(found[name]) != kind or spent[name] != cost:
            wrong.append("older %s: %s %s" % (name, found[name],
                                              spent[name]))
    older_log(path, wrong)
    again = run(["laplace", "count", "-e", "0.5", "--ledger", path,
                 "--dataset", "plain", "--release-id", "r1"], env)
    if again[:2] != (0, b"7\n"):
        wrong.append("older: a retry gives %r" % (again,))
    lines = sorted(",".join(x.split(",")[:1] + x.split(",")[-3:-2]) for x in
                   shown[1].decode().splitlines()[1:])
    want = sorted("%s,%s" % (n, float(fractions.Fraction(b[3]))) for n, b in
                  BECOME.items())
    if lines != [w.replace(".0", "") for w in want]:
        wrong.append("older: shown as %r" % (shown,))
    return 22 + len(writers(path))


def older_file(folder, env, wrong):
    """Version 1 kept the name of a public file, not its bytes: a retry of
    such a release is refused before the upgrade and after it, and is free."""
    path = os.path.join(folder, "filed.db")
    keys = os.path.join(folder, "keys")
    with open(keys, "w") as f:
        f.write("1\n2\n")
    first_version(path, {"default": OLD["plain"]})
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE charge SET options = replace(options, '\"operands"
                   "\"', '\"group\": \"v\", \"groups\": \"%s\", "
                   "\"operands\"') WHERE id = 'r1'" % keys)
        db.commit()
    job = ["laplace", "count", "-e", "0.5", "-g", "v", "--groups", keys,
           "--ledger", path, "--dataset", "default", "--release-id"]
    unready(run(job + ["r1"], env), wrong, "older_file")
    run(["dp-budget", "upgrade", path], env)
    got = [run(job + ["r1"], env), run(job + ["r3"], env),
           run(job + ["r1"], env)]
    for retry in got[0], got[2]:
        if retry[:2] != (3, b"") or b"other public files" not in retry[2]:
            wrong.append("older_file: %r" % (retry,))
    spent = ledgers.rows(path, "SELECT whole, releases FROM account")
    if got[1][0] != 0 or got[1][1].count(b"\n") != 3 or \
            spent != [("2/1", 4)]:
        wrong.append("older_file: %r, %r" % (got, spent))
    return 5


def readers(folder, env, wrong):
    """Who may only read can look at a ledger, its folder or an old one."""
    place = os.path.join(folder, "readers")
    os.mkdir(place)
    tool = shutil.copy(shutil.which("dp-budget", path=env["PATH"]), place)
    new, old = os.path.join(place, "new.db"), os.path.join(place, "old.db")
    ledgers.create(env, new, "10")
    run(JOB + [new], env)
    first_version(old, OLD)

    def drop():
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    os.chmod(folder, 0o755)
    for path in (new, old):
        os.chmod(path, 0o444)
    os.chmod(place, 0o555)
    for path in (new, old):
        for verb in ("show", "log"):
            got = run([tool, verb, path], env, before=drop)
            if got[0] != 0 or got[2] or not got[1]:
                wrong.append("readers: %s: %r" % (verb, got))
        got = run([tool, "add", path, "-e", "1"], env, before=drop)
        if got[0] != 1 or got[1] or got[2].count(b"\n") != 1:
            wrong.append("readers: add: %r" % (got,))
    os.chmod(place, 0o755)
    return 6


def shared(folder, env, wrong):
    """In a folder of a group the ledger and its journals are the group's,
    whatever the umask; elsewhere they are not."""
    for mode, want in ((0o2770, 0o660), (0o755, 0o600)):
        place = os.path.join(folder, "shared%o" % mode)
        os.mkdir(place)
        os.chmod(place, mode)
        path = os.path.join(place, "l.db")
        run(["dp-budget", "create", path, "-e", "10"], env,
            before=lambda: os.umask(0o077))
        got = os.stat(path).st_mode & 0o777
        if got != want:
            wrong.append("shared: mode %o in a folder %o" % (got, mode))
    return 2


ALL = [small_disk, full_device, read_only, locked, corrupt, newer, older,
       older_file, readers, shared]
