"""What a budget allows: histories of charges beside a sum that is made anew.

A person is in so many slices as the budget says, at most; so she loses the
charges for all records and those of her dearest slices.  A charge is taken if
the account, or the part of the total that no account has, can pay it.  One of a
tool that dies at its first draw is spent."""
import collections
import concurrent.futures
import itertools
import math
import os
import random
from fractions import Fraction

import gate

BUDGETS = [x.split() for x in ("", "--by=region", "--unit=id",
                               "--unit=id --by=region --max-slices=2",
                               "--unit=id --by=region --max-slices=3",
                               "--neighbors=swap", "--sampled=0.1",
                               "--neighbors=swap --by=region --public=region",
                               "--sampled=0.5 --by=region")]
OWN = ("--unit", "--public")		# of a release as of its budget
HISTORIES, LONG = 3, 16			# of each budget
SIZES = [Fraction(x, 100) for x in (5, 10, 15, 25, 30, 45)]


class Purse:
    """Of an account, or of all without one (None)."""

    def __init__(self, total, slices):
        self.total, self.slices = total, slices
        self.whole, self.parts = 0, collections.Counter()

    def spent(self, slice_=None, charge=0):
        parts = self.parts + collections.Counter({slice_: charge} if slice_
                                                 else {})
        return self.whole + (0 if slice_ else charge) + sum(
            sorted(parts.values())[-1:]) * self.slices

    def pays(self, slice_, charge):
        if slice_:
            self.parts[slice_] += charge
        else:
            self.whole += charge


def total_of(promise, words):
    """What a secret sample may lose, as its population loses the promise."""
    q = float(words.get("--sampled", 1))
    return promise if q == 1 else math.log1p(math.expm1(promise) / q)


class History:
    """One budget, and what becomes of it."""

    def __init__(self, binaries, made, at, options, seed):
        self.binaries, self.made, self.at = binaries, made, at
        self.options, self.r, self.told = options, random.Random(seed), []
        self.ids = {}		# words and answer
        self.words = dict(x.split("=") for x in options)
        self.promise, self.slices = Fraction(1), int(self.words.get(
            "--max-slices", 1))
        self.purses = {None: Purse(total_of(1, self.words), self.slices)}
        self.budget("create", "-e", "1", *options)

    def budget(self, verb, *words):
        self.told.append("dp-budget %s %s" % (verb, " ".join(words)))
        return gate.run([self.binaries + "/dp-budget", verb, self.at, *words])

    def fits(self, account, slice_, charge):
        """None: too near to tell by a float."""
        purse = self.purses[account]
        left = purse.total - purse.spent(slice_, charge)
        return None if 0 < abs(left) < 1e-6 else left >= 0

    def takes(self, due, status):
        """`' where the tool did as it should."""
        return "" if due is None or due == (status in (0, -9)) else (
            "%s, and should %s" % ("; ".join(self.told), [
                "be refused", "be taken"][due]))

    def adds(self):
        e = self.r.choice(SIZES)
        self.promise += e
        old = sum(x.total for x in self.purses.values())
        self.purses[None].total += total_of(self.promise, self.words) - old
        return self.takes(True, self.budget("add", "-e", str(float(e)))[0])

    def allots(self):
        name, e = self.r.choice("uv"), self.r.choice(SIZES)
        due = self.fits(None, None, e)
        status = self.budget("allot", name, "-e", str(float(e)))[0]
        if status == 0:
            self.purses[None].total -= e
            self.purses.setdefault(name, Purse(0, self.slices)).total += e
        return self.takes(due, status)

    def words_of(self):
        """Of a count, of all or of a slice, with account, slice and charge; it
        may be for nearer neighbors than the budget's, which are two steps apart
        then."""
        e, n, account = self.r.choice(SIZES), self.r.choice("113"), (
            self.r.choice(list(self.purses)))
        slice_ = self.r.choice("NS") if self.r.random() < 0.6 and (
            "--by" in self.words) else None
        own = self.words.get("--neighbors", "add-remove")
        relation = own if "--public" in self.words else self.r.choice(
            [own, "add-remove"])
        words = ["-e%s" % float(e), "-n" + n, "--neighbors=" + relation] + [
            "--account=%s" % account] * bool(account) + [
            "--slice=region=%s" % slice_] * bool(slice_) + [
            x for x in self.options if x.startswith(OWN)]
        self.r.shuffle(words)
        return words, account, slice_, e * int(n) * (1 + (own != relation))

    def count(self, words, dies):
        """Status and answer."""
        self.told.append("laplace count %s%s" % (" ".join(words), [
            "", " (dies)"][dies]))
        with open(self.made + "/data", "rb") as f:
            return gate.run([self.binaries + "/laplace", "count",
                             "--ledger=" + self.at] + words, f,
                            env={"METER_DIE": "1"} if dies else {})[:2]

    def asks(self):
        words, account, slice_, charge = self.words_of()
        dies, due = self.r.random() < 0.3, self.fits(account, slice_, charge)
        id_ = self.r.choice(["", "", "a", "b"])
        known = self.ids.get((account, id_))
        if known and set(known[0]) == set(words):
            return ""
        if id_:
            words = words + ["--release-id=" + id_]
        status, answer = self.count(words, dies)
        if status in (0, -9):
            self.purses[account].pays(slice_, charge)
            if id_:
                self.ids[account, id_] = words[:-1], answer
        return self.takes(due and not known, status)

    def again(self):
        """A release that was paid is asked for once more: it costs nothing,
        and who has its answer gets this one."""
        if not self.ids:
            return ""
        id_ = self.r.choice(list(self.ids))	# of an account
        words, old = self.ids[id_]
        status, answer = self.count(words + ["--release-id=" + id_[1]],
                                    self.r.random() < 0.3)
        self.ids[id_] = words, answer or old
        return self.takes(True, status) or (
            "two answers: " + "; ".join(self.told)) * (
                old not in (b"", answer))

    def goes_on(self):
        """What is wrong; `' for each thing that is not."""
        for _ in range(LONG):
            yield self.r.choice([self.asks] * 7 + [
                self.again, self.adds, self.allots])()


def looks(binaries, folder, whole):
    """Findings, and how many looks found nothing."""
    made, at = folder + "/made", folder + "/purse"
    os.mkdir(at)
    todo = [History(binaries, made, "%s/%d" % (at, i), words, i)
            for i, words in enumerate(BUDGETS * (HISTORIES if whole else 1))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(itertools.chain(*pool.map(lambda x: list(x.goes_on()),
                                              todo)))
    return [("by a budget: " + x, "", "", "") for x in said if x][:4], (
        said.count(""))
