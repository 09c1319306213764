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
SMARTNOISE_HERE, QRLEW_HERE = "SmartNoise SQL, here", "Qrlew, here"
ERROR_OF_25 = 0.2  # the standard error of a peer's figure, as a share of it


BALANCE = max(abs(bound) for _, column, *bounds in RANGES if column == "c_acctbal" for bound in bounds)
# The mean |x| of Laplace noise at epsilon, by what one customer can change: COUNT rounds to whole numbers.
LAPLACE_MEAN = {"COUNT": lambda epsilon: 1 / (2 * math.sinh(epsilon / 2)),
                "SUM": lambda epsilon: BALANCE / epsilon}
LAPLACE_TEXT = """
Exact Laplace noise at the whole ε has an expected error, at ε = 0.1, 1 and 10, of {COUNT} % for COUNT,
which one customer changes by 1, and of {SUM} % for SUM, which one changes by {balance:,.2f} at most.
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
    worst: str
    missed: str  # where, or nothing


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


def released(row):
    """What to know of an error that is not over all keys."""
    share = row.get("keys_released")
    if share is None or share == 1:
        return ""
    return f" (theirs over the {100 * share:.3g} % of keys that it released, ours over all)"


def ratios(figures, system, queries):
    """(ratio, query at epsilon) of ours to a system, where it has a figure."""
    for query in queries:
        for epsilon in EPSILONS:
            theirs = figures.row(system, query, epsilon)
            if theirs and theirs["mre"]:
                yield (figures.error("ours", query, epsilon) / theirs["mre"],
                       f"{query} at ε = {epsilon:g}{released(theirs)}")


def unanswered(figures, system):
    """Where a system has no figure of its own to compare with."""
    return [f"{query} at ε = {epsilon:g}" for query in QUERIES for epsilon in EPSILONS
            if not figures.error(system, query, epsilon)]


def divided_twice(figures):
    """Whether there are rows of Qrlew from before its own division of epsilon was known: only newer ones tell
    their number of columns."""
    return any(row["system"] == QRLEW_HERE and row["trials"] and "columns" not in row for row in figures.rows)


def at_most(figures, words, system, queries, most):
    found = sorted(ratios(figures, system, queries), reverse=True) or [(0, "it answered nothing")]
    above = [f"{value:.2f} {where}" for value, where in found if value > most]
    return Goal(words, f"{found[0][0]:.2f}, {found[0][1]}", "; ".join(above))


def no_worse(figures, name, system):
    """Ours is the same mechanism there; the peer's 25 trials scatter."""
    above, worst = [], (0, "")
    for query in LAPLACE_IS_BEST:
        for epsilon in EPSILONS:
            ours = figures.row("ours", query, epsilon)
            theirs = figures.error(system, query, epsilon)
            if not theirs:
                continue
            spread = math.hypot(ours["standard_error"], ERROR_OF_25 * theirs)
            score = (ours["mre"] - theirs) / spread
            where = f"{query} at ε = {epsilon:g}: {ours['mre'] / theirs:.2f} times"
            worst = max(worst, (score, where))
            if score > 2:
                above.append(f"{where}, {score:.1f} standard errors above")
    shown = f"{worst[1]}, {worst[0]:.1f} standard errors above" if worst[1] else "below on all"
    return Goal(f"not above {name} on COUNT, COUNT_DISTINCT, SUM beyond sampling error", shown,
                "; ".join(above))


def expected_by_theory(figures, query, epsilon):
    """The error in % that exact Laplace noise has on average, where the truth was recorded."""
    truth = figures.row("ours", query, epsilon).get("truth")
    return 100 * LAPLACE_MEAN[query](epsilon) / abs(truth) if truth else None


def beside_theory(figures):
    """Why 25 trials of the same noise may be below ours: both scatter around what theory expects."""
    cells = [(query, epsilon) for query in LAPLACE_MEAN for epsilon in EPSILONS]
    theory = {cell: expected_by_theory(figures, *cell) for cell in cells}
    if None in theory.values():
        return ""
    ours = {cell: figures.row("ours", *cell) for cell in cells}
    apart, where = max((abs(ours[cell]["mre"] - theory[cell]) / ours[cell]["standard_error"], cell) for cell in cells)
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
              for query in QUERIES for epsilon in EPSILONS]
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


def goals(figures):
    found = [
        at_most(figures, "at most 0.4 times DPSQL+", "DPSQL+", QUERIES, 0.4),
        at_most(figures, "at most 0.55 times DPSQL+ with PLD", "DPSQL+ with PLD", QUERIES, 0.55),
        no_worse(figures, "SmartNoise", "SmartNoise SQL"),
        at_most(figures, "at most 0.65 times SmartNoise on the other seven", "SmartNoise SQL",
                QUERIES[3:], 0.65),
        at_most(figures, "below Qrlew on all", "Qrlew", QUERIES, 0.999),
        all_keys(figures)]
    if figures.has("peers"):
        found += [no_worse(figures, "SmartNoise run here", SMARTNOISE_HERE),
                  at_most(figures, "at most 0.65 times SmartNoise run here on the other seven",
                          SMARTNOISE_HERE, QUERIES[3:], 0.65),
                  at_most(figures, "below Qrlew run here on all"
                          + (", whose ε was divided twice then" if divided_twice(figures) else ""),
                          QRLEW_HERE, QUERIES, 0.999)]
    if figures.has("session"):
        found.append(session_goal(figures))
    return found
