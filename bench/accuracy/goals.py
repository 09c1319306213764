"""What docs/results/accuracy.md was to show, computed from its rows."""
import dataclasses
import math
import statistics

QUERIES = ["COUNT", "COUNT_DISTINCT", "SUM", "AVG", "VAR", "STDDEV", "COVAR", "JOIN", "GROUPBY",
           "GROUPBY_JOIN"]
LAPLACE_IS_BEST = QUERIES[:3]
EPSILONS = [0.1, 1, 10]
ERROR_OF_25 = 0.2  # the standard error of a peer's figure, as a share of it


class Figures:
    """The rows of accuracy.json by system, query and epsilon."""

    def __init__(self, rows):
        self.rows = rows
        self.found = {(row["system"], row["query"], row["epsilon"]): row for row in rows
                      if row["part"] != "peers"}

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


def ratios(figures, system, queries):
    """(ratio, query at epsilon) of ours to a system, where it has a figure."""
    for query in queries:
        for epsilon in EPSILONS:
            theirs = figures.error(system, query, epsilon)
            if theirs:
                yield (figures.error("ours", query, epsilon) / theirs,
                       f"{query} at ε = {epsilon:g}")


def at_most(figures, words, system, queries, most):
    found = sorted(ratios(figures, system, queries), reverse=True)
    above = [f"{value:.2f} {where}" for value, where in found if value > most]
    return Goal(words, f"{found[0][0]:.2f}, {found[0][1]}", "; ".join(above))


def no_worse(figures):
    """Ours is the same mechanism there; the peer's 25 trials scatter."""
    above, worst = [], (0, "")
    for query in LAPLACE_IS_BEST:
        for epsilon in EPSILONS:
            ours = figures.row("ours", query, epsilon)
            theirs = figures.error("SmartNoise SQL", query, epsilon)
            spread = math.hypot(ours["standard_error"], ERROR_OF_25 * theirs)
            score = (ours["mre"] - theirs) / spread
            where = f"{query} at ε = {epsilon:g}: {ours['mre'] / theirs:.2f} times"
            worst = max(worst, (score, where))
            if score > 2:
                above.append(f"{where}, {score:.1f} standard errors above")
    shown = f"{worst[1]}, {worst[0]:.1f} standard errors above" if worst[1] else "below on all"
    return Goal("not above SmartNoise on COUNT, COUNT_DISTINCT, SUM beyond sampling error", shown,
                "; ".join(above))


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
        no_worse(figures),
        at_most(figures, "at most 0.65 times SmartNoise on the other seven", "SmartNoise SQL",
                QUERIES[3:], 0.65),
        at_most(figures, "below Qrlew on all", "Qrlew", QUERIES, 0.999),
        all_keys(figures)]
    if figures.has("session"):
        found.append(session_goal(figures))
    return found
