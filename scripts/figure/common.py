"""What all figures share: where the data are, the tools and their answers,
tables, progress, confidence, and one look for every plot.

DPUTILS_DATA names the folder of the public data (see figure/data), else
../shared/data; DPUTILS_PAPERS the papers' texts, else the folder beside it.
The tools are those of BIN, by default bin/, where they are built, else the
installed ones.
"""
import argparse
import atexit
import csv
import itertools
import math
import os
import statistics
import subprocess
import sys
import textwrap
import time
from collections import namedtuple

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
os.environ["PATH"] = os.path.abspath(
    os.environ.get("BIN") or TOP + "/bin") + ":" + os.environ["PATH"]
os.environ["LC_ALL"] = "C"
sys.dont_write_bytecode = True
DATA = os.environ.get("DPUTILS_DATA") or os.path.join(TOP, "../shared/data")
PAPERS = os.environ.get("DPUTILS_PAPERS") or os.path.join(DATA, "../papers")
SMOKE, QUICK, FULL = range(3)
NORMAL = 1.96                       # two-sided 0.95


def options(doc):
    """--smoke, --quick or neither as 0, 1, 2, the folder, and what follows."""
    p = argparse.ArgumentParser(usage=doc.replace("%", "%%"))
    p.add_argument("--quick", dest="mode", action="store_const", const=QUICK)
    p.add_argument("--smoke", dest="mode", action="store_const", const=SMOKE)
    p.add_argument("folder")
    p.add_argument("more", nargs="*")
    p.set_defaults(mode=FULL)
    a = p.parse_args()
    folder = os.path.abspath(a.folder)
    os.makedirs(folder, exist_ok=True)
    atexit.register(write_kept, folder)
    return a.mode, folder, a.more


def study(doc, figure, columns, rows, lines, few):
    """A figure that is a table: the lines of each ROW that is named, else of
    all, or of a few where it is no full run: lines(row) has a name and values,
    none where there are no data."""
    mode, _, asked = options(doc)
    print("%-32s" % figure + "".join("%11s" % c for c in columns))
    for row in asked or (rows if mode == FULL else few):
        for name, *values in lines(row):
            keep_rows(figure, [[name, *values]], columns)
            print("%-32s" % name + "".join("%11s" % (
                v if isinstance(v, str) else "%.4g" % v) for v in values),
                  flush=True)


def run(command, text=""):
    """What a tool prints; the figure ends where it fails."""
    done = subprocess.run(command, input=text, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit("%s: %s" % (" ".join(command), done.stderr))
    return done.stdout


def progress(what=""):
    """A line on a terminal that the next one replaces; nothing elsewhere."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K" + what)
        sys.stderr.flush()


def read(path, *names):
    """These columns of a CSV as lists of texts, or None without the file."""
    if not os.path.exists(path):
        return None
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    if not set(names) <= set(rows[0]):
        return None
    return [[row[name] for row in rows] for name in names]


def save(folder, name, head, rows):
    with open("%s/%s.csv" % (folder, name), "w", newline="",
              encoding="utf-8") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerows([head] if head else [])
        w.writerows(["%.6g" % c if isinstance(c, float) else c for c in row]
                    for row in rows)


# What the pages print goes through keep() to FOLDER/numbers.csv, from where
# scripts/figure/pages takes it.

class Measured(float):
    """A number with its standard error, by so many draws."""

    def __new__(cls, value, error, draws):
        self = super().__new__(cls, value)
        self.error, self.draws = error, draws
        return self


KEPT = []
BEGUN = time.monotonic()


def exact(value):
    """What any run has to the digit."""
    return Measured(value, 0, 1)


def keep(figure, row, column, value):
    KEPT.append([figure, row, column, value, getattr(value, "error", ""),
                 getattr(value, "draws", "")])


def keep_rows(figure, rows, columns):
    """rows: a name, and as many values as there are columns."""
    for name, *values in rows:
        for column, value in zip(columns, values):
            keep(figure, name, column, value)


def write_kept(folder):
    keep("run", "full", "seconds", round(time.monotonic() - BEGUN))
    save(folder, "numbers", ["figure", "row", "column", "value", "error",
                             "draws"], KEPT)


def mean(values):
    return Measured(statistics.fmean(values), statistics.stdev(values) /
                    math.sqrt(len(values)), len(values))


def root_mean(squares):
    """Root of the mean of squares."""
    m = mean(squares)
    root = math.sqrt(m)
    return Measured(root, m.error / (2 * root) if root else 0, m.draws)


def quotient(a, b):
    """Of two measured numbers that do not depend on each other."""
    part = a / b
    return Measured(part, part * math.hypot(a.error / a, b.error / b),
                    min(a.draws, b.draws))


def band(values, normal=NORMAL):
    """Mean, and the ends of its confidence interval."""
    middle = mean(values)
    half = normal * middle.error
    return middle, max(middle - half, 0.0), middle + half


def range_error(off):
    """Mean distance of all ranges, by what the cells are off."""
    ends = sorted(itertools.accumulate(off, initial=0))
    n = len(ends)
    return sum(d * (2 * i - n + 1) for i, d in enumerate(ends)) / (
        n * (n - 1) / 2)


def geometric(values):
    """Of numbers that do not depend on each other, where they are measured."""
    values = list(values)
    middle = math.exp(statistics.fmean(map(math.log, values)))
    if not isinstance(values[0], Measured):
        return middle
    return Measured(middle, middle / len(values) * math.hypot(
        *(v.error / v for v in values)), min(v.draws for v in values))


# Plots.  A panel has a heading, the name of its y axis, lines, and commands of
# its own.  A line is rows (x, y), or (x, y, low, high) for one with a band.
# The same name has the same look in all panels of a figure, and one key for
# all of them stands below, where no data are.

Panel = namedtuple("Panel", "heading ylabel lines more", defaults=("",))
BLUE, RED, GREEN, GOLD = "#0072b2", "#d55e00", "#009e73", "#e69f00"
PINK, SKY, GREY, BLACK = "#cc79a7", "#56b4e9", "#888888", "#222222"
PAGE, PHONE = 760, 380              # as wide as they are, in pixels
PALETTE = [BLUE, RED, GREEN, GOLD, PINK, SKY, GREY, BLACK]
KINDS = {"ours": "linespoints lw 2 pt 7 ps 0.7",
         "theirs": "linespoints lw 2 pt 6 ps 0.8 dt 2",
         "law": "lines lw 1.5 dt 3", "line": "lines lw 2",
         "dots": "points pt 7 ps 0.6", "rings": "points pt 6 ps 0.8",
         "corners": "points pt 9 ps 0.9", "hollow": "points pt 8 ps 0.9",
         "bars": "boxes fill solid 0.6 noborder",
         "colours": "points pt 7 ps 0.5 palette"}
LOOK = """set encoding utf8
set border 3 lc rgb "#444444"
set tics nomirror
set grid back lc rgb "#dddddd" lw 1 dt 1
set style fill transparent solid 0.2 noborder
set key off
"""
EMPTY = """unset title
unset border
unset tics
unset grid
unset logscale
unset xlabel
unset ylabel
unset colorbox
set xrange [0:1]
set yrange [0:1]
"""


def decades(axis):
    """A logarithmic axis, its numbers as powers of ten."""
    return 'set logscale %s\nset format %s "10^{%%L}"\n' % (axis, axis)


def tics(texts):
    """A logarithmic x axis with these marks and no others."""
    first, *_, last = map(float, texts)
    return "set logscale x\nset xrange [%g:%g]\nset xtics (%s)\n" % (
        first / 1.15, last * 1.15, ", ".join('"%s" %s' % (t, t)
                                             for t in texts))


def drawing(line, kind, colour, block):
    """What plots a line: its band first, cut where it is far below."""
    paint = "" if kind == "colours" else ' lc rgb "%s"' % colour
    if len(line[0]) > 3:
        yield "$%s using 1:($3>$2/9?$3:$2/9):4 with filledcurves%s notitle" % (
            block, paint)
    yield "$%s using 1:2%s with %s%s notitle" % (
        block, ":3" if kind == "colours" else "", KINDS[kind], paint)


def wrapped(text, width):
    """In as few lines, of about equal length."""
    def fold(width):
        return textwrap.wrap(text, width, break_on_hyphens=False) or [""]

    lines = len(fold(width))
    while lines > 1 and len(fold(width - 1)) == lines:
        width -= 1
    return fold(width)


def script_of(title, panels, looks, more, width):
    """Commands and height of a whole figure, as wide as a page or a phone, in
    which nothing is made smaller."""
    columns = 1 if len(panels) == 1 else width // PHONE
    rows = -(-len(panels) // columns)
    plot = width * 6 // 11 if len(panels) == 1 else 230
    headings = ["\\n".join(
        part for line in panel.heading.split("\\n")
        for part in wrapped(line, (width // columns - 110) // 8))
                for panel in panels]
    labels = [wrapped(panel.ylabel, plot // 8) for panel in panels]
    left = 70 + 15 * max(map(len, labels))
    title = wrapped(title, width // 11)
    # names that differ in blanks alone are one in the key
    named = list({name.strip(): name for name in looks if name.strip()}.
                 values())
    longest = max(map(len, named), default=1)
    across = max(1, min(len(named), width // (75 + 9 * longest)))
    key = 24 * -(-len(named) // across) + 8 if len(named) > 1 else 0
    lines = 1 + max(h.count("\\n") for h in headings)
    head = 40 + 22 * len(title) + 17 * lines
    foot, gap = 62 + key, 85 + 17 * lines
    # a scale of colours stands on the right
    right = 60 + width // 11 if "colours" in (
        kind for kind, _ in looks.values()) else 35
    height = head + foot + rows * plot + (rows - 1) * gap
    text = LOOK
    for i, panel in enumerate(panels):
        for j, line in enumerate(panel.lines.values()):
            text += "$d%d_%d << EOD\n%s\nEOD\n" % (i, j, "\n".join(
                " ".join("%.8g" % v for v in row) for row in line))
    text += 'set multiplot layout %d,%d title "%s" font ",14" ' % (
        rows, columns, "\\n".join(title))
    text += "margins %g,%g,%g,%g spacing %g,%g\n%s\n" % (
        left / width, 1 - right / width, foot / height, 1 - head / height,
        (left + 10) / width, gap / height, more)
    for i, (panel, heading, label) in enumerate(zip(
            panels, headings, labels)):
        text += 'set title "%s" noenhanced\nset ylabel "%s"\n%s\nplot ' % (
            heading, "\\n".join(label), panel.more)
        text += ", ".join(", ".join(drawing(
            line, *looks[name], "d%d_%d" % (i, j)))
            for j, (name, line) in enumerate(panel.lines.items())) + "\n"
    if key:
        text += EMPTY + "set origin 0,0\nset size 1,%g\n" % (key / height)
        text += "set margins 0,0,0,0\nset key on center center horizontal " \
            "noenhanced samplen 3 spacing 1.2 maxcols %d font \",%d\"\n" \
            "plot " % (across, 9 if 75 + 9 * longest > width else 11)
        text += ", ".join('1/0 with %s lc rgb "%s" title "%s"' % (
            KINDS[looks[name][0]], looks[name][1], name) for name in named)
    return text + "\nunset multiplot\n", height


def plot(folder, name, title, panels, more="", looks=()):
    """NAME.png and NAME.svg, and NAME-phone.svg.  looks: {line: (kind,
    colour)} for those that are not ours, or not of the palette's next colour.
    Lines and panels without data are left out."""
    panels = [p._replace(lines={k: v for k, v in p.lines.items() if v})
              for p in panels]
    panels = [p for p in panels if p.lines]
    names = dict.fromkeys(n for p in panels for n in p.lines)
    looks = {**{n: ("ours", c) for n, c in zip(
        names, itertools.cycle(PALETTE))},
             **dict(looks)}
    for kind, terminal, width in ((".png", "pngcairo", PAGE), (
            ".svg", "svg", PAGE), ("-phone.svg", "svg", PHONE)):
        script, height = script_of(title, panels, {
            n: looks[n] for n in names}, more, width)
        run(["gnuplot"], 'set terminal %s size %d,%d font "DejaVu Sans,11" '
            'background "white"\nset output "%s/%s%s"\n%s' % (
                terminal, width, height, folder, name, kind, script))
