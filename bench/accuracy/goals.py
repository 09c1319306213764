"""What docs/results/accuracy.md was to show, computed from its rows."""
import dataclasses
import math
import pathlib
import statistics
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
from trials import RANGES  # noqa: E402

QUERIES = ["COUNT", "COUNT_DISTINCT", "SUM", "AVG", "VAR", "STDDEV", "COVAR", "JOIN", "GROUPBY",
           "GROUPBY_JOIN"]
LAPLACE_IS_BEST = QUERIES[:3]
EPSILONS = [0.1, 1, 10]
SELECTED = "ours, keys unknown"
SMARTNOISE_HERE, QRLEW_HERE = "SmartNoise SQL, here", "Qrlew, here"
ERROR_OF_25 = 0.2  # the standard error of a peer's figure, as a share of it
GROUPS = {"GROUPBY": 3, "GROUPBY_JOIN": 5}  # in the true answer
FEW = 100  # trials: what was released of so few is counted, not a share


BALANCE = max(abs(bound) for _, column, *bounds in RANGES if column == "c_acctbal" for bound in bounds)
# The mean |x| of continuous Laplace noise at epsilon, by what one customer can change. For COUNT of the noise
# rounded to whole numbers, which is not the discrete Laplace of the same epsilon.
LAPLACE_MEAN = {"COUNT": lambda epsilon: 1 / (2 * math.sinh(epsilon / 2)),
                "SUM": lambda epsilon: BALANCE / epsilon}
LAPLACE_TEXT = """
Continuous Laplace noise at the whole ε has an expected error, at ε = 0.1, 1 and 10, of {COUNT} % for COUNT, which
one customer changes by 1 and where it is rounded to whole numbers, and of {SUM} % for SUM, which one changes by
{balance:,.2f} at most.
{ours}
{theirs}
"""


class Figures:
    """The rows of accuracy.json by system, query and epsilon."""

    def __init__(self, rows):
        self.rows = rows
        self.found = {(row["system"], row["query"], row["epsilon"]): row for row in rows}

    def row(self, system, query, epsilon):
        return self.found.get((system, query, epsilon))

    def error(self, system, query, epsilon):
        row = self.row(system, query, epsilon)
        return row["mre"] if row else None

    def has(self, part):
        return any(row["part"] == part for row in self.rows)


@dataclasses.dataclass
class Goal:
    words: str
    worst: str  # nothing where nothing was compared
    missed: str  # where, or nothing
    compared: int = 0  # of so many cells; both 0 where no one is compared with
    cells: int = 0

    def reached(self):
        if not self.worst:
            return "not measured"
        some = f", {self.compared} of {self.cells} cells compared" if self.compared < self.cells else ""
        return f"**missed**{some}: {self.missed}" if self.missed else f"yes{some}"


def gaussian_sigma(epsilon, delta):
    """The standard deviation of the analytic Gaussian mechanism at sensitivity 1."""
    normal = statistics.NormalDist()
    low, high = 1e-6, 1e3
    for _ in range(200):
        mu = math.sqrt(low * high)
        spent = normal.cdf(-epsilon / mu + mu / 2) - math.exp(epsilon) * normal.cdf(
            -epsilon / mu - mu / 2)
        low, high = (mu, high) if spent <= delta else (low, mu)
    return 1 / low


def some_released(row):
    """How much of it a row released, where it is not all: counted where its trials are few."""
    share, trials = row.get("keys_released"), row["trials"]
    if share in (None, 1) or not trials:
        return ""
    if trials > FEW:
        return f"{100 * share:.3g} % of keys"
    groups = GROUPS.get(row["query"])
    if groups is None:
        return f"{round(share * trials)} trials of {trials}"
    return f"{round(share * trials * groups)} groups of {trials * groups} in {trials} trials"


def released(row):
    """What to know of an error that is not over all keys."""
    some = some_released(row)
    return f" (theirs over {some}, ours over all)" if some else ""


def over(ours, theirs):
    """How many times theirs ours is, also where one of them saw no error."""
    if theirs:
        return ours / theirs
    return math.inf if ours else 0


def cells_of(queries):
    return [(query, epsilon) for query in queries for epsilon in EPSILONS]


def ratios(figures, system, queries, own="ours"):
    """(ratio, query at epsilon) of ours to a system, where it has a figure."""
    for query, epsilon in cells_of(queries):
        theirs = figures.row(system, query, epsilon)
        if theirs and theirs["mre"] is not None:
            yield (over(figures.error(own, query, epsilon), theirs["mre"]),
                   f"{query} at ε = {epsilon:g}{released(theirs)}")


def why_unanswered(row):
    if row is None or not row.get("asked", True):
        return "was not asked"
    return "released nothing to compare with" if row["trials"] else "has no answer, as its rows say"


def unanswered(figures, system):
    """Why a system has no figure of its own to compare with, to where."""
    found = {}
    for query, epsilon in cells_of(QUERIES):
        row = figures.row(system, query, epsilon)
        if row is None or row["mre"] is None:
            found.setdefault(why_unanswered(row), {}).setdefault(query, []).append(f"{epsilon:g}")
    return {why: "; ".join(query + ("" if len(where) == len(EPSILONS) else f" at ε = {', '.join(where)}")
                           for query, where in queries.items()) for why, queries in found.items()}


def divided_twice(figures):
    """Whether there are rows of Qrlew from before its own division of epsilon was known: only newer ones tell
    their number of columns."""
    return any(row["system"] == QRLEW_HERE and row["trials"] and "columns" not in row for row in figures.rows)


def at_most(figures, words, pair, queries, most):
    """`pair`: the systems whose errors are compared, ours first."""
    own, system = pair
    found = sorted(ratios(figures, system, queries, own), reverse=True)
    above = [f"{value:.2f} {where}" for value, where in found if value > most]
    worst = f"{found[0][0]:.2f}, {found[0][1]}" if found else ""
    return Goal(words, worst, "; ".join(above), len(found), len(cells_of(queries)))


def score_above(ours, theirs):
    """How many standard errors ours is above a peer's 25 trials."""
    spread = math.hypot(ours["standard_error"], ERROR_OF_25 * theirs)
    return (ours["mre"] - theirs) / spread if spread else 0


def no_worse(figures, name, system):
    """Ours is the same mechanism there; the peer's 25 trials scatter."""
    found = []
    for query, epsilon in cells_of(LAPLACE_IS_BEST):
        ours, theirs = figures.row("ours", query, epsilon), figures.error(system, query, epsilon)
        if theirs is not None:
            score = score_above(ours, theirs)
            found.append((score, f"{query} at ε = {epsilon:g}: {over(ours['mre'], theirs):.2f} times, "
                          f"{score:.1f} standard errors above"))
    worst = max(found, default=(0, ""))
    return Goal(f"not above {name} on COUNT, COUNT_DISTINCT, SUM beyond sampling error",
                worst[1] if worst[0] > 0 or not found else "below on all",
                "; ".join(where for score, where in found if score > 2), len(found), len(cells_of(LAPLACE_IS_BEST)))


def expected_by_theory(figures, query, epsilon):
    """The error in % that exact Laplace noise has on average, where the truth was recorded."""
    truth = figures.row("ours", query, epsilon).get("truth")
    return 100 * LAPLACE_MEAN[query](epsilon) / abs(truth) if truth else None


def beside_theory(figures):
    """Why 25 trials of the same noise may be below ours: both scatter around what theory expects."""
    cells = cells_of(LAPLACE_MEAN)
    theory = {cell: expected_by_theory(figures, *cell) for cell in cells}
    ours = {cell: figures.row("ours", *cell) for cell in cells}
    spread = [cell for cell in cells if ours[cell]["standard_error"]]  # none where all draws hit the truth
    if None in theory.values() or not spread:
        return ""
    apart, where = max((abs(ours[cell]["mre"] - theory[cell]) / ours[cell]["standard_error"], cell) for cell in spread)
    lower = {cell: 1 - figures.error("SmartNoise SQL", *cell) / theory[cell] for cell in cells}
    least = max(cells, key=lower.get)
    shown = {query: ", ".join(f"{theory[query, epsilon]:.3g}" for epsilon in EPSILONS) for query in LAPLACE_MEAN}
    far = f"at most {apart:.1f} of its own standard errors away from it ({where[0]} at ε = {where[1]:g})"
    return LAPLACE_TEXT.format(
        **shown, balance=BALANCE,
        ours=f"Ours is {far}." if apart < 3 else f"**Sampling does not explain ours**: {far}.",
        theirs=f"SmartNoise's 25 trials are at most {max(lower[least], 0) / ERROR_OF_25:.1f} of theirs below it "
        f"({least[0]} at ε = {least[1]:g}):\nwhere they are below ours, 25 draws of the same noise came out small.")


def all_keys(figures):
    shares = [(figures.row("ours", query, epsilon)["keys_released"], f"{query} at ε = {epsilon:g}")
              for query, epsilon in cells_of(QUERIES)]
    least = min(shares)
    return Goal("every key released", f"{100 * least[0]:.4g} %, {least[1]}",
                "" if least[0] == 1 else least[1])


def session_goal(figures):
    scaled = gaussian_sigma(0.045, 5e-8) / gaussian_sigma(0.05, 5e-8)
    found = sorted(((figures.error("ours, session under gdp", query, 0.09)
                     / figures.error("DPSQL+", query, 0.1) / scaled, query) for query in QUERIES),
                   reverse=True)
    above = [f"{value:.2f} {query}" for value, query in found if value > 0.55]
    return Goal("a session under `gdp`: at most 0.55 times DPSQL+ at the same (ε, δ)",
                f"{found[0][0]:.2f}, {found[0][1]}", "; ".join(above))


def selected(figures):
    """Against those that select their keys, ours where it selects them too."""
    found = [("DPSQL+", 0.4), ("DPSQL+ with PLD", 0.55), ("SmartNoise SQL", 0.65)]
    found += [(SMARTNOISE_HERE, 0.65)] if figures.has("peers") else []
    return [at_most(figures, f"keys selected by both: at most {most} times {system}", (SELECTED, system),
                    list(GROUPS), most) for system, most in found]


def goals(figures):
    found = [
        at_most(figures, "at most 0.4 times DPSQL+", ("ours", "DPSQL+"), QUERIES, 0.4),
        at_most(figures, "at most 0.55 times DPSQL+ with PLD", ("ours", "DPSQL+ with PLD"), QUERIES, 0.55),
        no_worse(figures, "SmartNoise", "SmartNoise SQL"),
        at_most(figures, "at most 0.65 times SmartNoise on the other seven", ("ours", "SmartNoise SQL"),
                QUERIES[3:], 0.65),
        at_most(figures, "below Qrlew on all", ("ours", "Qrlew"), QUERIES, 0.999),
        all_keys(figures)]
    if figures.has("peers"):
        found += [no_worse(figures, "SmartNoise run here", SMARTNOISE_HERE),
                  at_most(figures, "at most 0.65 times SmartNoise run here on the other seven",
                          ("ours", SMARTNOISE_HERE), QUERIES[3:], 0.65),
                  at_most(figures, "below Qrlew run here on all"
                          + (", whose ε was divided twice then" if divided_twice(figures) else ""),
                          ("ours", QRLEW_HERE), QUERIES, 0.999)]
    found += selected(figures) if figures.has("unknown") else []
    if figures.has("session"):
        found.append(session_goal(figures))
    return found
