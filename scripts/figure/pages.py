"""figures fill | check | typed PAGE ... | keep FOLDER [PART ...] |
    compare FOLDER [PART ...]

Numbers of the manual pages come from man/figures/PART.csv, what a full run of
scripts/figure/PART left: a number has a figure, a row and a column, and where
it was measured a standard error and the draws behind it.

A line of a page that begins with .\\"= PART has a template, with fields
{figure/row/column:format}, {one // other} for a quotient, or {min ...} and
{max ...} of all that a pattern matches.  One that begins with
.\\"# PART "FIGURE" has the form of each row of a table: {} for its name, or for
each part of it, and {column:format}.  What follows is made, to the next line
that is empty or begins with a point.

All other numbers of dputils-results(7) stand in man/figures/given, each by the
entry of the page and by words beside it in a file: settings in the scripts,
numbers of the papers in man/figures/papers, formulas on the page; or it is
worked out.

fill writes the pages; check says whether they are what fill would write and
every other number is where the file says, and that another digit in any of them
is noticed.  typed lists the other numbers of any PAGE.  keep takes the numbers
of those parts in FOLDER that scripts/figures ran in full, and compare holds any
run's against the files: none may be off by more than SIGMAS times what its
draws and the file's allow.
Last line of both: `N passed, N failed`.
"""
import collections
import csv
import datetime
import fnmatch
import functools
import glob
import math
import os
import re
import string
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
FILES = TOP + "/man/figures/"
GIVEN = FILES + "given"
MARK = re.compile(r'\.\\"([=#]) (\w+) (.*)')
SIGMAS = 5
COLUMNS = ["figure", "row", "column", "value", "error", "draws"]
NUMBER = re.compile(r"(?<![\w.^-])-?\d+(?:,\d{3})*(?:\.\d+)?(?:\^\d+)?")
# In man/figures/given: a number, and how often it stands on the page.
GIVES = re.compile(r"<(-?\d[\d,.]*(?:\^\d+)?)(?:\*(\d+))?>")
# Names of places in the papers are no numbers, nor what macros name.
PLACE = re.compile(
    r"(?i)(sections?|figures?|lemmas?|theorems?|algorithms?|remark|footnote|"
    r"claim|fact|definition|proposition|corollary|equation|problems?|example|"
    r"mechanism|strategy) (\(?([A-Z]\.)?\d[\d.]*[a-z]?\)?(, | and | to )?)+")
MACRO = re.compile(r"\.(?!(It|Ss|Pq|Dq) )")


def numbers(path):
    """{(figure, row, column): [value, error, draws]}"""
    with open(path, newline="", encoding="utf-8") as f:
        head, *lines = f if path.startswith(FILES) else ["", *f]
    found = {(r["figure"], r["row"], r["column"]):
             [number(r[k]) for k in ("value", "error", "draws")]
             for r in csv.DictReader(lines)}
    for date in re.findall(r", (\d{4}-\d\d-\d\d)", head)[:1]:
        found["file", "head", "date"] = [date, "", ""]
    return found


of_page = functools.cache(numbers)     # of the files that no run writes


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


class Fields(string.Formatter):
    """Fields named by figure/row/column, or in order; words as wide as the
    numbers beside them."""
    used = []       # what the fields of all lines took, but for min and max

    def __init__(self, found):
        self.names = {"/".join(key): value for key, value in found.items()}

    def parse(self, format_string):
        """The format stands behind the last colon."""
        for text, name, form, how in super().parse(format_string):
            if name:    # "=", as a name may be a number
                name, form = ("=" + name + ":" + form).rsplit(":", 1)
            yield text, name, form, how

    def get_field(self, field_name, args, kwargs):
        if field_name.isdigit():
            return args[int(field_name)], field_name
        field_name = field_name[1:]
        least = re.match(r"(min|max) (.*)", field_name)
        names = self.names
        if least:
            return {"min": min, "max": max}[least[1]](
                names[n][0] for n in fnmatch.filter(names, least[2])), ""
        one, *other = field_name.split(" // ")
        for name in (one, *other):
            if name not in names:
                sys.exit("no number " + name)
            self.used.append(names[name])
        return names[one][0] / names[other[0]][0] if other else (
            names[one][0]), ""

    def format_field(self, value, format_spec):
        if isinstance(value, str):
            return format(value, re.sub(r"(\.\d+)?[a-z]$", "", re.sub(
                r"^(?=\d)", ">", format_spec)))
        if format_spec[-1:] == "r":     # so many digits, without a power
            width, digits = map(int, format_spec[:-1].lstrip(">").split("."))
            places = digits - 1 - math.floor(math.log10(value))
            return "%*.*f" % (width, max(0, places), round(value, places))
        return format(value, format_spec)


def table(found, figure, form):
    rows = {}
    for (of, row, column), value in found.items():
        if fnmatch.fnmatch(of, figure):
            rows.setdefault(row, {})[column,] = value
    names = sum(field == "" for _, field, *_ in Fields({}).parse(form))
    for row, values in rows.items():
        head = [row] if names == 1 else row.split(", ")
        yield Fields(values).format(form, *head).rstrip()


def filled(lines):
    """(line, made): the lines of the page as they are to be."""
    files, skip = {}, None
    for line in lines:
        if skip == "one" or skip == "rows" and line and line[0] != ".":
            skip = skip if skip == "rows" else None
            continue
        skip = None
        yield line, False
        mark = MARK.fullmatch(line)
        if not mark:
            continue
        kind, part, form = mark.groups()
        if part not in files:
            files[part] = of_page(FILES + part + ".csv")
        if kind == "=":
            skip = "one"
            yield Fields(files[part]).format(form), True
        else:
            skip = "rows"
            figure, form = re.fullmatch(r'"(.*?)" (.*)', form).groups()
            for row in table(files[part], figure, form):
                yield row, True


def fill(lines):
    return [line for line, _ in filled(lines)]


def pages():
    """(path, lines) of the pages that have marks."""
    for path in sorted(glob.glob(TOP + "/man/*.[157]")):
        with open(path, encoding="utf-8") as f:
            lines = f.read().splitlines()
        if any(map(MARK.fullmatch, lines)):
            yield path, lines


def typed(lines):
    """{entry: Counter of the numbers that fill does not write}"""
    found, entry = {}, ""
    for line, made in filled(lines):
        head = re.match(r"\.(It|Ss|Sh) (.*)", line)
        entry = head[2] if head else entry
        if not made and not MACRO.match(line):
            found.setdefault(entry, collections.Counter()).update(
                plain(NUMBER.findall(PLACE.sub("", line))))
    return {k: v for k, v in found.items() if v}


def plain(numbers):
    return [re.sub(r"\.0$", "", n.replace(",", "")) for n in numbers]


def given():
    """[(entry, file, words with marks)]"""
    with open(GIVEN, encoding="utf-8") as f:
        return [line.rstrip("\n").split(" | ", 2) for line in f
                if line[0] != "#"]


def strange(lines):
    """What is wrong with the numbers that fill does not write."""
    said = {}
    for entry, _, words in given():
        said.setdefault(entry, collections.Counter()).update(plain(
            n for n, times in GIVES.findall(words)
            for _ in range(int(times or 1))))
    found = typed(lines)
    for entry in found.keys() | said.keys():
        one, other = (x.get(entry, collections.Counter())
                      for x in (found, said))
        if one != other:
            yield "%s: not in man/figures/given, or not on the page: %s" % (
                entry, " ".join(((one - other) + (other - one)).elements()))


@functools.cache
def text_of(name):
    with open(os.path.join(TOP, name), encoding="utf-8") as f:
        return " ".join(f.read().split())


def stands(words, text):
    """Do the words stand once in a text, or is their formula right?"""
    plainly = GIVES.sub(r"\1", words)
    if text is not None:
        return text.count(plainly) == 1
    formula, result = plainly.split(" = ")
    base, _, power = result.partition("^")
    digits = len(base.partition(".")[2])
    near = float(base) ** float(power or 1)
    return abs(eval(formula, vars(math)) - near) <= (
        near / 20 if power else 0.5 / 10 ** digits)


def all_given(lines):
    """(what, holds): the other numbers of a page; one more of them, another
    digit of one, and another digit where it is found."""
    found = [*strange(lines)]
    for entry, name, words in given():
        text = None if name == "worked out" else text_of(name)
        if not stands(words, text) or text and not re.search(
                "[A-Za-z]{2}", GIVES.sub("", words)):
            found.append("%s: not once in %s: %s" % (entry, name, words))
            continue
        at = GIVES.search(words)
        digit = words[:at.start(1)] + another(at[1]) + words[at.end(1):]
        yield "another number was not noticed in %s: %s" % (
            name, digit), not stands(digit if text is None else words,
                                     text and text.replace(*(
                                         GIVES.sub(r"\1", w)
                                         for w in (words, digit))))
    yield from ((what, False) for what in found)
    yield "", not found
    at = [i for i, (line, made) in enumerate(filled(lines))
          if line and line[0].isupper() and not made]
    for i in at[::max(1, len(at) // 10)]:
        yield "a number typed by hand was not noticed after: " + lines[i], any(
            strange(lines[:i + 1] + ["It is 1.37 there."] + lines[i + 1:]))
    at = [i for i in at if NUMBER.search(PLACE.sub("", lines[i]))]
    for i in at[::max(1, len(at) // 10)]:
        twin = PLACE.sub("", lines[i])
        twin = NUMBER.sub(lambda n: another(n[0]), twin, count=1)
        yield "another number was not noticed: " + twin, any(
            strange(lines[:i] + [twin] + lines[i + 1:]))


def another(number):
    """With another first digit that counts."""
    return re.sub("[1-9]|$", lambda d: str(int(d[0] or 0) % 9 + 1), number,
                  count=1)


def check(lines):
    """(what, holds): the page, pages with another digit in a line that was
    made, and files with another number that the page names."""
    Fields.used.clear()
    want, used = list(filled(lines)), list(Fields.used)
    yield "not what `scripts/figures fill' writes", [
        line for line, _ in want] == lines
    twins = [i for i, (line, made) in enumerate(want)
             if made and re.search(r"\d", line)]
    for i in twins[::max(1, len(twins) // 10)]:
        twin = list(lines)
        twin[i] = re.sub(r"\d", lambda d: str((int(d[0]) + 1) % 10), twin[i],
                         count=1)
        yield "another digit was not noticed: " + twin[i], fill(twin) != twin
    for found in used[::max(1, len(used) // 10)]:
        value = found[0]
        found[0] = number(another(str(value or 9.0)))
        yield "another number was not noticed: %s" % value, fill(
            lines) != lines
        found[0] = value


def put(name, source, rows):
    """A file of numbers from a run of a source, today."""
    commit = subprocess.run(["git", "-C", TOP, "rev-parse", "--short", "HEAD"],
                            capture_output=True, text=True,
                            check=True).stdout.strip()
    os.makedirs(FILES, exist_ok=True)
    with open(FILES + name + ".csv", "w", newline="", encoding="utf-8") as f:
        f.write("# %s, %s, commit %s\n" % (source, datetime.date.today(),
                                           commit))
        csv.writer(f, lineterminator="\n").writerows(
            [COLUMNS, *([*row, "", ""][:len(COLUMNS)] for row in rows)])


def keep(folder, parts):
    for part in parts or [name for name in sorted(os.listdir(folder))
                          if os.path.exists("%s/%s/numbers.csv" % (
                              folder, name))]:
        path = "%s/%s/" % (folder, part)
        with open(path + "done", encoding="utf-8") as f:
            if f.read() != "figures with data\n":
                sys.exit(part + ": no full run with the data")
        with open(path + "numbers.csv", newline="", encoding="utf-8") as f:
            put(part, "scripts/figure/" + part, list(csv.reader(f))[1:])


def off(run, file):
    """Are the two values of a number further apart than their noise?"""
    (value, _, draws), (known, error, behind) = run, file
    if error == "":
        return False
    return abs(value - known) > 1e-4 * abs(known) + SIGMAS * error * math.sqrt(
        1 + behind / draws)


def compare(folder, parts, numbers_of="*"):
    """(what, holds): every number that the file has, too."""
    for part in parts or sorted(os.listdir(folder)):
        path, known = "%s/%s/numbers.csv" % (folder, part), \
            FILES + part + ".csv"
        if not (os.path.exists(path) and os.path.exists(known)):
            continue
        run, file = numbers(path), numbers(known)
        for key in run.keys() & file.keys():
            if fnmatch.fnmatch("/".join(key), numbers_of):
                yield "%s: %s: %s, and %s on the page" % (
                    part, "/".join(key), run[key][0], file[key][0]), not off(
                        run[key], file[key])


def main():
    verb, *more = sys.argv[1:] or ["help"]
    if verb == "fill":
        for path, lines in pages():
            text = "\n".join(fill(lines)) + "\n"
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        return 0
    if verb == "typed":
        for path in more:
            with open(path, encoding="utf-8") as f:
                for entry, n in typed(f.read().splitlines()).items():
                    print("%s | %s | %s" % (path, entry, " ".join(
                        n.elements())))
        return 0
    if verb == "keep" and more:
        return keep(more[0], more[1:])
    if verb == "check":
        found = [(os.path.basename(path) + ": " + what, holds)
                 for path, lines in pages() for what, holds in (
                     *check(lines), *(all_given(lines) if "results" in path
                                      else ()))]
    elif verb == "compare" and more:
        found = list(compare(more[0], more[1:]))
    else:
        sys.exit(__doc__.split("\n\n", maxsplit=1)[0])
    print("".join(what + "\n" for what, holds in found if not holds), end="")
    bad = sum(not holds for _, holds in found)
    print("%d passed, %d failed" % (len(found) - bad, bad))
    return bad > 0 or not found


if __name__ == "__main__":
    sys.exit(main())
