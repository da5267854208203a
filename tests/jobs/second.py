"""More jobs, with data of their own, of kinds that run has not; see run."""
import random


def write(path, head, rows):
    with open(path, "w", encoding="utf-8") as f:
        f.write(head + "\n")
        f.writelines(",".join(str(c) for c in r) + "\n" for r in rows)


def requests(path):
    """30,000 lines of a server's log."""
    draw = random.Random(5)
    write(path, "day,hour,status,ms,path,client", (
        ("2026-02-%02d" % draw.randint(1, 28), draw.randint(0, 23),
         draw.choice([200] * 17 + [301, 404, 500]),
         "%.1f" % draw.lognormvariate(4, 1),
         draw.choice(["/", "/help", "/shop", "/shop", "/cart"]),
         "c%d" % int(2500 * draw.random() ** 2)) for _ in range(30000)))


def orders(path):
    """9,000 orders of 2,000 customers."""
    draw = random.Random(6)
    write(path, "customer,price,refund", (
        ("k%d" % draw.randint(1, 2000), "%.2f" % draw.uniform(1, 400),
         "%.2f" % draw.gauss(-5, 30)) for _ in range(9000)))


def trips(path):
    """12,000 trips: short, long, and nearly proportional."""
    draw = random.Random(7)
    def one():
        km = draw.expovariate(1 / 6)
        return ("%.3f" % km, "%.1f" % (4 + 2.5 * km + draw.gauss(0, 2)),
                draw.choice(["bus", "bike", "car"]), draw.randint(1, 400))
    write(path, "km,minutes,mode,driver", (one() for _ in range(12000)))


TABLES = {"requests": requests, "orders": orders, "trips": trips}

FILES = {
    "codes.txt": "200\n301\n404\n500\n",
    "modes.txt": "bike\nbus\ncar\n",
    "crlf.txt": "bike\r\nbus\r\ncar\r\n",
    "paths.txt": "/\n/cart\n/help\n/shop\n",
    "sex.txt": "F\nM\n",
    "tally.csv": "candidate,votes\nAda,1901\nBo,1560\nCy,842\n",
}

# what somebody wants; the command; the truth, or the cure that is named; FAR
JOBS = [
    ("status codes of a server", "laplace hist -e 1 -c status --keys "
     "codes.txt requests.csv", "select count(*) from requests group by status"
     " order by status", 20),
    ("the largest value", "em-quantile -e 1 -c ms -q 1 requests.csv",
     r"= 0\.99", 0),
    ("latency of each path", "em-quantile -e 1 -c ms --range 0:60000 -g path "
     "--groups paths.txt requests.csv", "select ms from (select path, ms, "
     "row_number() over (partition by path order by ms) as i, count(*) over "
     "(partition by path) as n from requests) where i = (n + 1) / 2 order by "
     "path", 4),
    ("the median spending of a customer", "em-quantile -e 1 --unit customer "
     "--per sum -c price --range 0:5000 orders.csv", "select s from (select "
     "sum(price) as s, row_number() over (order by sum(price)) as i, count(*)"
     " over () as n from orders group by customer) where i = (n + 1) / 2",
     60),
    ("a total with refunds, no range known", "asm-estimate sum -e 1 -c refund"
     " orders.csv", "select sum(refund) from orders", 8000),
    ("keys of a Windows file", "laplace count -e 1 -g mode --groups crlf.txt "
     "trips.csv", "select count(*) from trips group by mode order by mode",
     20),
    ("men and women compared", "laplace mean -e 1 -c income --range 0:500000 "
     "-g sex --groups sex.txt --interval .95 --versus F -f csv "
     "data/people.csv | tail -n 1 | cut -d, -f2", "select avg(income) - "
     "(select avg(income) from people where sex = 'F') from people where sex "
     "= 'M'", 3000),
    ("minutes by kilometers", "laplace cov -e 1 -c km,minutes --range "
     "0:60,0:200 -f plain trips.csv | sed -n 2p", "select avg(min(km, 60) * "
     "min(max(minutes, 0), 200)) - avg(min(km, 60)) * avg(min(max(minutes, 0)"
     ", 200)) from trips", 20),
    ("who won, from a tally", "expmech -e 1 -s 1 tally.csv | grep -c Ada",
     "select 1", .1),
    ("a synthetic table", "mwem -e 1 --domain 'sex=F,M;age=0..119/20' "
     "--workload marginal:2 data/people.csv | awk -F, 'NR > 1 { n += $NF } "
     "END { print n }'", "select count(*) from people", 200),
    ("people in any range of ages", "mwem -e 1 --domain age=17..90 --workload"
     " range data/people.csv | awk -F, '$1 >= 30 && $1 < 40 { n += $2 } END "
     "{ print n }'", "select count(*) from people where age between 30 and "
     "39", 100),
    ("a name in other letters", "laplace mean -e 1 -c Age --range 0:120 "
     "data/people.csv", "= head -n 1 shows the names", 0),
    ("a command of one's own", "sp-exec -e 2 --blocks 101 --range 0:120 -c "
     "age -- awk 'NR > 1 { s += $1 } END { print s / (NR - 1) }' < "
     "data/people.csv", "select avg(age) from people", 3),
]
