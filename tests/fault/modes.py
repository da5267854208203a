"""modes: the tools and ways of calling them that are put under stress.

One row is one way of calling a tool: what it is, its options, the header of
its input, and the kinds of the cells of a record:

    n number    g key of the file `groups`    w weight    b 0 or 1
    x, y public names of an edge's ends, c public name of a candidate
    d public number    i id of a person, the first cell

A record with public cells changes in its last cell only.  Where the number of
records is promised (`exactly`), no cell opens a quote or ends its line.  Of
the others any bytes may come, go or change.  Where there are ids all records
of one person come, go or change at once.  tests/fault/leaks, tests/fault/run
and tests/fault/kills go through these rows: a new tool is a row more.
"""
import collections

Mode = collections.namedtuple("Mode", "tool options header cells most exactly")


def mode(call, header, cells, most=8, exactly=None):
    tool, *options = call.split()
    return Mode(tool, options, header, cells, most, exactly)


# Some that differ late or early, in length alone, or in what is not seen.
PEOPLE = [b"a", b"b", b"\0", b"a\0", b"07", b"7", b"fifteen bytes.a",
          b"fifteen bytes.b", b"sixteen bytes..a", b"sixteen bytes..b"]
SP = " -e 1 -s 1 -m 0"
MODES = [
    mode("sp-median" + SP, "v", "n"),
    mode("sp-median" + SP + " -c v --quantile 0.9 -f json", "a,v", "nn"),
    mode("sp-median -e 1/3 --range 0:9 --size 9 --neighbors swap", "v", "n"),
    mode("sp-median" + SP + " -c v -w w", "v,w", "nw"),
    mode("sp-mean" + SP, "v", "n"),
    mode("sp-mean" + SP + " -c v -g k --groups groups -f csv", "k,v", "gn"),
    mode("sp-mean" + SP + " -c v -w w -g k --groups groups", "v,w,k", "nwg"),
    mode("sp-mean -e 1 -s 1 -m 0,0 -c a,b -n 3", "a,b", "nn"),
    mode("sp-mean" + SP + " --trim 0.1 -H -d ; -c 2", None, "nn"),
    mode("sp-mean" + SP + " --neighbors swap --on-bad 4 --digits 3", "v",
         "n"),
    mode("sp-mean" + SP + " -c v -g k --groups groups --threads 2", "k,v",
         "gn"),
    mode("sp-var -e 1 -s 1 -f json", "v", "n"),
    mode("sp-var -e 1 -s 1 -c v -w w", "v,w", "nw"),
    mode("sp-var -e 1 --range 0:9 --size 5 -g k --groups groups -c v",
         "v,k", "ng"),
    mode("sp-mean" + SP + " -c v --epsilon-column p", "v,p", "nn"),
    mode("sp-median" + SP + " -c v --epsilon-column p -w w", "v,p,w", "nnw"),
    mode("sp-median" + SP + " -c v --unit k --per any", "v,k", "ng"),
    mode("sp-mean" + SP + " -c v --unit k --per sum --neighbors swap "
         "--interval 0.9", "v,k", "ng"),
    mode("laplace stats -e 1 --range 0:9 -c v --unit k --per share -w w",
         "v,k,w", "ngw"),
    mode("laplace sum -e 1 --range 0:9 -c v --unit k --max-rows 2", "v,k",
         "ng"),
    mode("asm-estimate mse -e 1 -c y,p --unit k --per mean", "y,p,k", "nng"),
    mode("asm-estimate accuracy -e 1 -c y,z", "y,z", "bn"),
    mode("sp-exec" + SP + " -- awk {s+=length+($1==\"a_long_name\")}"
         "END{print(s+0)}", "a_long_name", "n", 2),
    mode("sp-exec" + SP + " -c v --sensitivity-column p -- wc -c", "v,p",
         "nn", 2),
    mode("sp-exec -e 1 -s 1 -m 0,0 -c v -- wc -lc", "k,v", "gn", 2),
    mode("laplace count -e 1", "v", "n"),
    mode("laplace sum -e 1 --range 0:9 -c v -w w --threads 3", "w,v", "wn"),
    mode("laplace count -e 1 -c v -g k --groups groups", "v,k", "ng"),
    mode("laplace sum -e 1 --range 0:9 -c v -w w", "v,w", "nw"),
    mode("laplace sum -e 1 --range 0:9,0:4 -c a,b -f json", "a,b", "nn"),
    mode("laplace mean -e 1 --range 0:9 -f json", "v", "n"),
    mode("laplace stats -e 1 --range 0:9 -c a,b --interval 0.9", "a,b",
         "nn"),
    mode("laplace stats -e 1 --range 0:9 -c v -g k --groups groups", "v,k",
         "ng"),
    mode("laplace mean -e 1 --range 0:9 --neighbors swap --size 6", "v",
         "n", exactly=6),
    mode("laplace cov -e 1 --range 0:9 -c a,b -f json", "a,b", "nn",
         exactly=5),
    mode("laplace cov -e 1 --range 0:9 -c a,b --neighbors add-remove",
         "a,b", "nn"),
    mode("laplace hist -e 1 --keys groups", "k", "g"),
    mode("laplace hist -e 1 --bins 0:10:2 -w w", "v,w", "nw"),
    # thresholds that no noise reaches: the header alone
    mode("laplace hist -e 1 --universe [a-c] --false-keys 1e-18", "k", "g"),
    mode("laplace hist -e 1 --universe (a|b|c)c?[0-9]{0,2} --unit p "
         "--max-rows 2 --false-keys 1e-18", "k,p", "gg"),
    mode("laplace value -e 1 -s 1 -c v", "v,u", "cn"),
    mode("laplace mst -e 1", "a,b,weight", "xyn"),
    mode("laplace mincut -e 1", "a,b,weight", "xyn"),
    mode("laplace flip -e 1 -c v", "a,v", "cb"),
    mode("laplace flip -e 1 --estimate", "v", "b"),
    mode("laplace flip -e 1 --estimate -f json", "v", "b"),
    mode("expmech -e 1 -s 1 -f json", "c,u", "cn"),
    mode("expmech -e 1 --keys groups -w w", "k,w", "gw"),
    mode("expmech -e 1 --keys groups -c k --unit p --per share", "k,p",
         "gn"),
    mode("em-quantile -e 1 --range 0:9", "v", "n"),
    mode("em-quantile -e 1 --range 0:9 -c v -q 0.1,0.5,0.9 -g k "
         "--groups groups --digits 1", "v,k", "ng"),
    mode("em-quantile -e 1 --range 0:9 --neighbors swap -c v -w w -f json "
         "--mechanism exponential", "v,w", "nw"),
    mode("em-quantile -e 1 --range 0:9 -c v --unit k --per share -q 0.2,0.3",
         "v,k", "ng"),
    mode("sp-mean -e 1 -s 1 -m 0 --neighbors swap --expect-weight 5", "v",
         "n", exactly=5),
    mode("expmech -e 1 -s 1 --range 0:9 -k 2 --mechanism permute-and-flip",
         "c,u", "cn"),
    mode("laplace mean -e 1 --range 0:9 --metric step:v/2", "v", "n",
         exactly=6),
    mode("dx-laplace -e 1 --metric discrete -q q -w n", "q,n", "dn"),
    mode("dx-laplace -e 1 --metric smooth:2:euclid:x -q q,x -w n -n 2 "
         "-f json", "x,q,n", "ddn"),
    mode("dx-laplace -e 1 --metric smooth:2:max:x -q q,x -w n "
         "--strategy joint --total 9 --loss max", "x,q,n", "ddn"),
    mode("asm-estimate var -e 1", "v", "n"),
    mode("asm-estimate var -e 1 --neighbors add-remove -c v -g k "
         "--groups groups", "v,k", "ng"),
    mode("asm-estimate var -e 1 --range 0:9 --paper -n 2 -f csv", "v", "n"),
    mode("asm-estimate quantile -e 1 --range 0:9 --mechanism ism", "v", "n"),
    mode("asm-estimate quantile -e 1 --range 0:9 --mechanism pf --quantile "
         "0.9 --digits 1", "v", "n"),
    mode("asm-estimate sum -e 1 --range 0:9 -c v -w w", "v,w", "nw"),
    mode("asm-estimate sum -e 1 --mechanism asm --range 0:9 -c v -w w",
         "v,w", "nw"),
    mode("asm-estimate mse -e 1", "y,p", "nn"),
    mode("asm-estimate mae -e 1 -f json", "y,p", "nn"),
    mode("asm-estimate bce -e 1", "y,z", "bn"),
    mode("asm-estimate ce -e 1 -c y,a,b", "y,a,b", "bnn"),
    mode("asm-estimate r2 -e 1 -f json", "y,p", "nn"),
    mode("dx-laplace -e 1 --metric euclid:a,b -q q -w n", "a,b,q,n", "dddw"),
    mode("dx-laplace -e 1 --metric manhattan:a --workload prefix -w n -f csv",
         "a,n", "dw"),
    mode("dx-laplace -e 1 --metric discrete --workload range --strategy tree "
         "-w n -n 2", "a,n", "dw"),
    mode("dx-laplace -e 1 --metric smooth:2:max:a --workload range "
         "--strategy cells -w n", "a,n", "dw"),
    mode("dx-laplace -e 1 --metric discrete -q q --domain domain -f json",
         "k", "g"),
    mode("smalldb -e 1 --records 2 -q q -w n", "q,n", "dw", 5),
    mode("smalldb -e 1 --records 2 --workload prefix --domain domain -c k",
         "k", "g", 6),
    mode("mwem --zeros -e 1 -T 2 -q q -w n", "q,n", "dw", 5),
    mode("mwem --zeros -e 1 -T 2 --workload range --domain domain -c k",
         "k", "g"),
    mode("mwem --zeros -e 1 --workload prefix --start tree -w n", "q,n",
         "dw", 5),
    mode("mwem --zeros -e 1 --workload marginal:1 --start marginals "
         "--domain domain -c k", "k", "g"),
    mode("mwem --zeros -e 1 --workload prefix --start hist -w n", "q,n",
         "dw", 5),
    mode("sp-mean" + SP + " -c v --unit u --per mean", "u,v", "in"),
    mode("sp-mean" + SP + " -c v --unit u --per sum --neighbors swap "
         "--interval 0.9", "u,v", "in"),
    mode("sp-mean" + SP + " -c v --unit u --max-rows 2 -g k --groups groups",
         "u,v,k", "ing"),
    mode("sp-median" + SP + " -c v --unit u --per count -w w", "u,v,w",
         "inw"),
    mode("sp-var" + SP[:-5] + " -c v --unit u --per max -f json", "u,v",
         "in"),
    mode("laplace count -e 1 --unit u --per any", "u,v", "in"),
    mode("laplace sum -e 1 --range 0:9 -c v --unit u --per min --neighbors "
         "swap", "u,v", "in"),
    mode("laplace sum -e 1 --range 0:9 -c v --unit u --max-rows 2 -g k "
         "--groups groups", "u,v,k", "ing"),
    mode("laplace mean -e 1 --range 0:9 -c v --unit u --per count --threads "
         "3", "u,v", "in"),
    mode("laplace stats -e 1 --range 0:9 -c v --unit u --per share -w w "
         "-g k --groups groups", "u,v,w,k", "inwg"),
    mode("laplace hist -e 1 -c k --keys groups --unit u --per share", "u,k",
         "ig"),
    mode("laplace hist -e 1 -c v --bins 0:9:3 --unit u --max-rows 3", "u,v",
         "in"),
    mode("laplace hist -e 1 -c k --keys groups --unit u --max-groups 2",
         "u,k", "ig"),
    mode("laplace sum -e 1 --range 0:9 -c v --unit u --per sum --max-groups "
         "2 -g k --groups groups", "u,v,k", "ing"),
    mode("laplace stats -e 1 --range 0:9 -c v --sampling-weight w --most 3",
         "v,w", "nn"),
    mode("em-quantile -e 1 --range 0:9 --unit u --per count "
         "--sampling-weight w --most 2.5", "u,v,w", "inn"),
    mode("em-quantile -e 1 --range 0:9 -c v --unit u --per share -q 0.2,0.3",
         "u,v", "in"),
    mode("em-quantile -e 1 --range 0:9 -c v --unit u --per any --neighbors "
         "swap", "u,v", "in"),
    mode("em-quantile -e 1 --range 0:9 -c v --unit u --max-rows 2", "u,v",
         "in"),
    mode("asm-estimate sum -e 1 -c v --unit u --per sum", "u,v", "in"),
    mode("asm-estimate var -e 1 -c v --unit u --per mean --neighbors "
         "add-remove", "u,v", "in"),
    mode("asm-estimate quantile -e 1 --range 0:9 -c v --unit u --per max "
         "-g k --groups groups --neighbors add-remove", "u,v,k", "ing"),
    mode("asm-estimate mae -e 1 -c y,p --unit u --per mean", "u,y,p",
         "inn"),
    mode("asm-estimate var -e 1 -c v --unit u --max-rows 2 --neighbors "
         "add-remove -w w", "u,v,w", "inw"),
    mode("sp-mean" + SP + " -c v --unit u --per share --trim 0.2", "u,v",
         "in"),
    mode("expmech -e 1 --keys groups -c k --unit u --per share", "u,k",
         "ig"),
    mode("expmech -e 1 --keys groups -c k --unit u --max-rows 2", "u,k",
         "ig"),
    mode("mwem --zeros -e 1 -T 2 --workload range --domain domain -c k "
         "--unit u --per any --neighbors swap", "u,k", "ig"),
    mode("smalldb -e 1 --records 2 --workload prefix --domain domain -c k "
         "--unit u --per any --neighbors swap", "u,k", "ig", 6),
    mode("dx-laplace -e 1 --metric discrete -q q --domain domain --unit u "
         "--per any --neighbors swap", "u,k", "ig"),
]

FILES = {"groups": "a\nb\nc\n", "domain": "k,q\na,0\nb,1\nc,2.5\n"}


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
