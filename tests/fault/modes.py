"""modes: the tools and ways of calling them that are put under stress.

One row is one way of calling a tool: what it is, its options, the header of
its input, and the kinds of the cells of a record:

    n number    g key of the file `groups`    w weight    b 0 or 1
    x, y public names of an edge's ends, c public name of a candidate
    d public number    i id of a person, the first cell

A number behind < is the most records, one behind = how many there are; in
capitals stand the words of SHORT.  A record with public cells changes in its
last cell only.  Where the number of records is promised, no cell opens a quote
or ends its line.  Of the others any bytes may come, go or change.  Where there
are ids all records of one person come, go or change at once.  The scripts of
tests/fault go through these rows: a new tool is a row more.
"""
import collections
import re

SHORT = {"SP": "-e 1 -s 1 -m 0", "GROUPS": "-g k --groups groups",
         "SWAP": "--neighbors swap"}
Mode = collections.namedtuple("Mode", "tool options header cells most exactly")


def mode(line):
    """A line of the table: header, cells, call."""
    header, cells, call = line.split(" ", 2)
    kinds, most, exactly = re.match(r"(\w+)(?:<(\d+))?(?:=(\d+))?", cells).groups()
    for word, text in SHORT.items():
        call = call.replace(" " + word, " " + text)
    tool, *options = call.split()
    return Mode(tool, options, None if header == "-" else header, kinds,
                int(most or 8), int(exactly) if exactly else None)


# Some that differ late or early, in length alone, or in what is not seen.
PEOPLE = [b"a", b"b", b"\0", b"a\0", b"07", b"7", b"fifteen bytes.a",
          b"fifteen bytes.b", b"sixteen bytes..a", b"sixteen bytes..b"]
# Thresholds of --false-keys that no noise reaches: the header alone.
MODES = [mode(line) for line in r"""
v n sp-median SP
a,v nn sp-median SP -c v --quantile 0.9 -f json
v n sp-median -e 1/3 --range 0:9 --size 9 SWAP
v,w nw sp-median SP -c v -w w
v n sp-mean SP
k,v gn sp-mean SP -c v GROUPS -f csv
v,w,k nwg sp-mean SP -c v -w w GROUPS
a,b nn sp-mean SP,0 -c a,b -n 3
- nn sp-mean SP --trim 0.1 -H -d ; -c 2
v n sp-mean SP SWAP --on-bad 4 --digits 3
k,v gn sp-mean SP -c v GROUPS --threads 2
v n sp-var -e 1 -s 1 -f json
v,w nw sp-var -e 1 -s 1 -c v -w w
v,k ng sp-var -e 1 --range 0:9 --size 5 GROUPS -c v
v,p nn sp-mean SP -c v --epsilon-column p
v,p,w nnw sp-median SP -c v --epsilon-column p -w w
v,k ng sp-median SP -c v --unit k --per any
v,k ng sp-mean SP -c v --unit k --per sum SWAP --interval 0.9
v,k,w ngw laplace stats -e 1 --range 0:9 -c v --unit k --per share -w w --digits 3
v,k ng laplace sum -e 1 --range 0:9 -c v --unit k --max-rows 2
y,p,k nng asm-estimate mse -e 1 -c y,p --unit k --per mean
y,z bn asm-estimate accuracy -e 1 -c y,z
a_long_name n<2 sp-exec SP -- awk {s+=length+($1=="a_long_name")}END{print(s+0)}
v,p nn<2 sp-exec SP -c v --sensitivity-column p -- wc -c
k,v gn<2 sp-exec SP,0 -c v -- wc -lc
v n laplace count -e 1
w,v wn laplace sum -e 1 --range 0:9 -c v -w w --threads 3
v,k ng laplace count -e 1 -c v GROUPS
v,w nw laplace sum -e 1 --range 0:9 -c v -w w
a,b nn laplace sum -e 1 --range 0:9,0:4 -c a,b -f json
v n laplace mean -e 1 --range 0:9 -f json --digits 3
a,b nn laplace stats -e 1 --range 0:9 -c a,b --interval 0.9 --digits 3
v,k ng laplace stats -e 1 --range 0:9 -c v GROUPS --digits 3
v n=6 laplace mean -e 1 --range 0:9 SWAP --size 6
a,b nn=5 laplace cov -e 1 --range 0:9 -c a,b -f json --digits 3
a,b nn laplace cov -e 1 --range 0:9 -c a,b --neighbors add-remove --digits 3
k g laplace hist -e 1 --keys groups
v,w nw laplace hist -e 1 --bins 0:10:2 -w w
k g laplace hist -e 1 --universe [a-c] --false-keys 1e-18
k,p gg laplace hist -e 1 --universe (a|b|c)c?[0-9]{0,2} --unit p --max-rows 2 --false-keys 1e-18
v,u cn laplace value -e 1 -s 1 -c v
a,b,weight xyn laplace mst -e 1
a,b,weight xyn laplace mincut -e 1
a,v cb laplace flip -e 1 -c v
v b laplace flip -e 1 --estimate
v b laplace flip -e 1 --estimate -f json
c,u cn expmech -e 1 -s 1 -f json
k,w gw expmech -e 1 --keys groups -w w
k,p gn expmech -e 1 --keys groups -c k --unit p --per share
v n em-quantile -e 1 --range 0:9
v,k ng em-quantile -e 1 --range 0:9 -c v -q 0.1,0.5,0.9 GROUPS --digits 1
v,w nw em-quantile -e 1 --range 0:9 SWAP -c v -w w -f json --mechanism exponential
v,k ng em-quantile -e 1 --range 0:9 -c v --unit k --per share -q 0.2,0.3
v n=5 sp-mean SP SWAP --expect-weight 5
c,u cn expmech -e 1 -s 1 --range 0:9 -k 2 --mechanism permute-and-flip
q,n dn dx-laplace -e 1 --metric discrete -q q -w n
x,q,n ddn dx-laplace -e 1 --metric smooth:2:euclid:x -q q,x -w n -n 2 -f json
x,q,n ddn dx-laplace -e 1 --metric smooth:2:max:x -q q,x -w n --strategy joint --total 9 --loss max
v n asm-estimate var -e 1
v,k ng asm-estimate var -e 1 --neighbors add-remove -c v GROUPS
v n asm-estimate var -e 1 --range 0:9 --paper -n 2 -f csv
v n asm-estimate quantile -e 1 --range 0:9 --mechanism ism
v n asm-estimate quantile -e 1 --range 0:9 --mechanism pf --quantile 0.9 --digits 1
v,w nw asm-estimate sum -e 1 --range 0:9 -c v -w w
v,w nw asm-estimate sum -e 1 --mechanism asm --range 0:9 -c v -w w
y,p nn asm-estimate mse -e 1
y,p nn asm-estimate mae -e 1 -f json
y,z bn asm-estimate bce -e 1
y,a,b bnn asm-estimate ce -e 1 -c y,a,b
y,p nn asm-estimate r2 -e 1 -f json
a,b,q,n dddw dx-laplace -e 1 --metric euclid:a,b -q q -w n
a,n dw dx-laplace -e 1 --metric manhattan:a --workload prefix -w n -f csv
a,n dw dx-laplace -e 1 --metric discrete --workload range --strategy tree -w n -n 2
a,n dw dx-laplace -e 1 --metric smooth:2:max:a --workload range --strategy cells -w n
k g dx-laplace -e 1 --metric discrete -q q --domain domain -f json
q,n dw<5 smalldb -e 1 --records 2 -q q -w n
k g<6 smalldb -e 1 --records 2 --workload prefix --domain domain -c k
q,n dw<5 mwem --zeros -e 1 -T 2 -q q -w n
k g mwem --zeros -e 1 -T 2 --workload range --domain domain -c k
q,n dw<5 mwem --zeros -e 1 --workload prefix --start tree -w n
k g mwem --zeros -e 1 --workload marginal:1 --start marginals --domain domain -c k
q,n dw<5 mwem --zeros -e 1 --workload prefix --start hist -w n
k g mwem --zeros -e 1 --workload marginal:1 --start map --domain k=a,b,c -c k
u,v in sp-mean SP -c v --unit u --per mean
u,v in sp-mean SP -c v --unit u --per sum SWAP --interval 0.9
u,v,k ing sp-mean SP -c v --unit u --max-rows 2 GROUPS
u,v,w inw sp-median SP -c v --unit u --per count -w w
u,v in sp-var -e 1 -s 1 -c v --unit u --per max -f json
u,v in laplace count -e 1 --unit u --per any
u,v in laplace sum -e 1 --range 0:9 -c v --unit u --per min SWAP
u,v,k ing laplace sum -e 1 --range 0:9 -c v --unit u --max-rows 2 GROUPS
u,v in laplace mean -e 1 --range 0:9 -c v --unit u --per count --threads 3 --digits 3
u,v,w,k inwg laplace stats -e 1 --range 0:9 -c v --unit u --per share -w w GROUPS --digits 3
u,k ig laplace hist -e 1 -c k --keys groups --unit u --per share
u,v in laplace hist -e 1 -c v --bins 0:9:3 --unit u --max-rows 3
u,k ig laplace hist -e 1 -c k --keys groups --unit u --max-groups 2
u,v,k ing laplace sum -e 1 --range 0:9 -c v --unit u --per sum --max-groups 2 GROUPS
v,w nn laplace stats -e 1 --range 0:9 -c v --sampling-weight w --most 3 --digits 3
u,v,w inn em-quantile -e 1 --range 0:9 --unit u --per count --sampling-weight w --most 2.5
u,v in em-quantile -e 1 --range 0:9 -c v --unit u --per share -q 0.2,0.3
u,v in em-quantile -e 1 --range 0:9 -c v --unit u --per any SWAP
u,v in em-quantile -e 1 --range 0:9 -c v --unit u --max-rows 2
u,v in asm-estimate sum -e 1 -c v --unit u --per sum
u,v in asm-estimate var -e 1 -c v --unit u --per mean --neighbors add-remove
u,v,k ing asm-estimate quantile -e 1 --range 0:9 -c v --unit u --per max GROUPS --neighbors add-remove
u,y,p inn asm-estimate mae -e 1 -c y,p --unit u --per mean
u,v,w inw asm-estimate var -e 1 -c v --unit u --max-rows 2 --neighbors add-remove -w w
u,v in sp-mean SP -c v --unit u --per share --trim 0.2
u,k ig expmech -e 1 --keys groups -c k --unit u --per share
u,k ig expmech -e 1 --keys groups -c k --unit u --max-rows 2
u,k ig mwem --zeros -e 1 -T 2 --workload range --domain domain -c k --unit u --per any SWAP
u,k ig<6 smalldb -e 1 --records 2 --workload prefix --domain domain -c k --unit u --per any SWAP
u,k ig dx-laplace -e 1 --metric discrete -q q --domain domain --unit u --per any SWAP
a,b nn laplace ratio -e 1 --range 0:9,1:4 -c a,b --digits 3
v,k ng laplace mean -e 1 -c v -g k --schema schema --digits 3
v,k ng laplace hist -e 1 -c v@3 --schema schema
v,k ng dp-describe -e 1 --schema schema -c k
""".strip().split("\n")]

FILES = {"groups": "a\nb\nc\n", "domain": "k,q\na,0\nb,1\nc,2.5\n",
         "schema": """{"fields": [{"name": "v", "type": "number",
    "constraints": {"minimum": 0, "maximum": 9}, "missingValues": ["", "7"]},
    {"name": "k", "constraints": {"enum": ["a", "b", "c"]}}]}"""}


def write_files():
    """The public files that the calls name, into the present folder."""
    for name, text in FILES.items():
        with open(name, "w") as f:
            f.write(text)


def tools():
    """The tools in their order, each once."""
    return list(dict.fromkeys(m.tool for m in MODES))


def delimiter(mode):
    return b";" if ";" in mode.options else b","


def public(mode):
    """Does the list of records itself belong to the public part?"""
    return mode.cells[0] in "xycd"


def good_cell(kind, random, number):
    """A cell as it should be; `number` tells public records apart."""
    if kind == "g":
        return random.choice([b"a", b"b", b"c", b"d"])
    if kind == "i":
        return random.choice(PEOPLE)
    if kind == "b":
        return random.choice([b"0", b"1"])
    if kind == "w":
        return b"%d" % random.randrange(4)
    if kind == "d":
        return b"%d" % (number * number % 17)
    if kind in "xyc":
        return b"%c%d" % (ord(kind), number)
    return random.choice([b"%d", b"%d.5", b"-%d", b"%de-1"]) % (
        random.randrange(10))


def good_record(mode, random, number):
    return delimiter(mode).join(
        good_cell(kind, random, number) for kind in mode.cells)


def join(mode, records, end=b"\n", open_end=False):
    """The bytes of an input."""
    lines = list(records)
    if mode.header is not None:
        lines.insert(0, mode.header.encode())
    text = b"".join(line + end for line in lines)
    return text[:-len(end)] if open_end and lines else text


def edges(mode, records):
    """Public names that make a graph one piece: a path."""
    if mode.cells[0] != "x":
        return records
    return [b",".join([b"n%d,n%d" % (i, i + 1)] + r.split(b",", 2)[2:])
            for i, r in enumerate(records)]
