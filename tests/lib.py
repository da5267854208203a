"""lib: what the Python scripts of tests/ share.

A script finds it by three lines:

    sys.dont_write_bytecode = True
    sys.path.insert(1, sys.path[0] + "/..")
    import lib  # noqa: E402
"""
import argparse
import contextlib
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import traceback

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
JOBS = os.cpu_count() or 1


def arguments(doc, flags="", **more):
    """-b BIN, flags of one letter, and options with their defaults; more than
    a letter names an operand.  The tools of BIN are put first in PATH."""
    p = argparse.ArgumentParser(usage=doc.replace("%", "%%"))
    p.add_argument("-b", default=TOP + "/bin")
    for letter in flags:
        p.add_argument("-" + letter, action="store_true")
    for name, default in more.items():
        kind = {"type": str if default is None else type(default),
                "default": default}
        if default == []:
            kind = {"nargs": "*"}
        elif len(name) > 1:
            kind["nargs"] = "?"
        p.add_argument("-" + name if len(name) == 1 else name, **kind)
    args = p.parse_args()
    args.b = os.path.abspath(args.b)
    os.environ.update(PATH=args.b + ":" + os.environ["PATH"], LC_ALL="C")
    return args


def asked(sample, number):
    """Is it in a sample DAY/N, which is one in N, and all in N days?"""
    day, n = map(int, sample.split("/"))
    return (day + number) % n == 0


def sampled(things, sample):
    """Those of the things that are asked."""
    return [x for i, x in enumerate(things) if asked(sample, i)]


def environment():
    """What a tool is run with: PATH, and where sanitizers write."""
    return {k: v for k, v in os.environ.items()
            if k in ("PATH", "LC_ALL") or k.endswith("SAN_OPTIONS")}


def module(path):
    """A script of the tree as a module."""
    loader = importlib.machinery.SourceFileLoader(
        os.path.basename(path), os.path.join(TOP, path))
    found = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(found)
    return found


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return f.read()


def write(path, *texts):
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write("".join(texts))
    return path


@contextlib.contextmanager
def folder():
    """A folder of its own to stand in, in memory where there is room: what
    SIGKILL leaves is seen there as well as on a disk."""
    room = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="dputils-", dir=room) as path:
        os.chdir(path)
        try:
            yield os.path.realpath(path)
        finally:
            os.chdir(TOP)


def compile_c(source, to, *flags):
    subprocess.run([os.environ.get("CC", "cc"), "-O1", "-D_GNU_SOURCE", "-o",
                    to, os.path.join(TOP, source), *flags], check=True)


def forked(do, shares):
    """What do(share) returns for each, each in a process of its own; words
    where one died."""
    ends = []
    sys.stdout.flush()
    for share in shares:
        get, put = os.pipe()
        if os.fork() == 0:
            os.close(get)
            try:
                said = json.dumps(do(share))
            except BaseException:
                said = json.dumps(traceback.format_exc())
            sys.stdout.flush()
            with open(put, "w", encoding="utf-8") as f:
                f.write(said)
            os._exit(0)
        os.close(put)
        ends.append(get)
    found = []
    for end in ends:
        with open(end, encoding="utf-8") as f:
            found.append(json.loads(f.read() or '"a process died"'))
        os.wait()
    return found


class Count:
    """Cases, and what is said of them at the end."""

    def __init__(self, verbose=False):
        self.passed = self.failed = 0
        self.verbose = verbose

    def case(self, good, *words):
        self.passed += bool(good)
        self.failed += not good
        if not good or self.verbose:
            print("ok" if good else "FAILED", *words, flush=True)
        return good

    def found(self, wrong, words):
        """A case that is good where the list is empty."""
        for text in wrong[:20]:
            print("FAILED " + text)
        return self.case(not wrong, "%s: %d wrong" % (words, len(wrong)))

    def end(self):
        print("%d passed, %d failed" % (self.passed, self.failed))
        return self.failed > 0 or not self.passed


def page(faults, text, twins):
    """Of a page: its faults are told, and those of each twin must be found."""
    count = Count()
    count.found(list(faults(text)), "the page")
    for i, twin in enumerate(twins):
        count.case(any(faults(twin)), "twin %d is not found" % i)
    return count.end()
