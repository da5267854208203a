"""model: the accounting of a budget, from its definition, in exact fractions."""
import collections
import fractions

F = fractions.Fraction
Release = collections.namedtuple("Release",
                                 "argv epsilon relation people who part")


class Model:
    """A budget as the manual describes it.

    Each account has its own limit; a record pays in it what was charged for
    all records and what was charged for one slice, at most for the largest.
    Where people are protected, `most` slices may be one person's: each charge
    to a slice counts as often.
    """

    def __init__(self, total, relation, most=0, people=False, broken=""):
        self.limit = {None: total}
        self.whole, self.slices = {None: F(0)}, {None: {}}
        self.relation, self.most, self.broken = relation, most, broken
        self.people = people
        self.ids = {}

    def spent(self, who):
        parts = self.slices[who].values()
        largest = sum(parts) if self.broken == "slices add up" else \
            max(parts, default=F(0))
        return self.whole[who] + largest

    def left(self, who, part=None):
        if part is None:
            return self.limit[who] - self.spent(who)
        return self.limit[who] - self.whole[who] - \
            self.slices[who].get(part, F(0))

    def cost(self, epsilon, relation, people, part):
        """What it counts, None where there is no bound."""
        if people != self.people and self.broken != "anybody":
            return None
        if part is not None and not self.most:
            return None
        if part is not None and self.broken != "a person is in one slice":
            epsilon *= self.most
        if relation == self.relation:
            return epsilon
        if self.relation == "swap":
            return epsilon if self.broken == "2E is E" else 2 * epsilon
        return epsilon if self.broken == "swap anywhere" else None

    def answer(self, release):
        """Exit status of a release, and its cost."""
        who, part = release.who, release.part
        if who not in self.limit:
            return 1, None
        cost = self.cost(release.epsilon, release.relation, release.people,
                         part)
        if cost is None:
            return 3, None
        if cost > self.left(who, part):
            return 3, cost
        return 0, cost

    def charge(self, cost, who, part):
        if part is None:
            self.whole[who] += cost
        else:
            self.slices[who][part] = self.slices[who].get(part, F(0)) + cost

    def add(self, more):
        self.limit[None] += more

    def allot(self, who, more):
        """True where it is covered."""
        if more > self.left(None):
            return False
        self.limit.setdefault(who, F(0))
        self.whole.setdefault(who, F(0))
        self.slices.setdefault(who, {})
        self.limit[who] += more
        if self.broken != "allotted twice":
            self.limit[None] -= more
        return True
