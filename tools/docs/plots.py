#!/usr/bin/env python3
"""Writes the tables and the plots of docs/owners.md and docs/tutorial.md from the program's plans.

Usage: plots.py SOURCE BUILD [--update]. Without --update it fails where one of them is stale.

Between `<!-- table NAME -->` and `<!-- end -->` stands the table of that name; the plots are
docs/figures/owners-NAME.svg. Every error, threshold and number of questions is read from
`EXPLAIN (DP)` on a policy made for it, in the tutorial on the demo shop's. What is not the
program's is said in the table's function.
"""
import json
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from line_chart import line_chart

TABLE = re.compile(r"^<!-- table (\w+) -->\n.*?^<!-- end -->$", re.M | re.S)
POLICY = """[dataset]
name = "people"
unit = "person"
[budget]
epsilon = {budget}
delta = 1e-6
accountant = "{accountant}"
[query]
epsilon_max = {budget}
delta_max = 1e-6
min_frequency = 1
[tables.people]
source = "people.csv"
unit = "person"
[tables.people.columns]
person = {{ type = "BIGINT" }}
city = {{ type = "VARCHAR" }}
amount = {{ type = "DOUBLE", lower = -5000, upper = 5000 }}
"""
SETTINGS = {"epsilon": 0.5, "delta": 1e-7, "min_frequency": 10, "max_groups_contributed": 1,
            "contribution_bound": 1}
COUNT = "SELECT count(*) FROM people"
BY_CITY = "SELECT city, count(*) FROM people GROUP BY city"
SUM = "SELECT sum(amount, {}, {}) FROM people"
FEW_DELTA = 1e-8  # of a question, where many must fit: under basic their deltas add up
EPSILONS = [0.05, 0.1, 0.25, 0.5, 1, 2]
CAPS = (1, 5, 20)
HALF = 0.347  # twice its mu squared is that of 0.5, at delta 1e-7
TARGETS = [5, 15, 25, 50, 100, 250]  # errors of a count, in people


class Planner:
    """Plans questions, each with settings that differ from SETTINGS in what is named."""

    def __init__(self, source, build, folder):
        self.program, self.folder, self.runs = build / "dpsql", folder, 0
        (folder / "people.csv").write_text("person,city,amount\n")
        shutil.copy(source / "tools/demo/shop.toml", folder)
        subprocess.run([build / "tools/duckdb-load", "shop.duckdb",
                        source / "tools/demo/shop.sql"], cwd=folder, check=True, timeout=60)

    def plans(self, questions, budget=4, accountant="gdp"):
        """The plans of pairs of SQL and settings, by one process under one policy."""
        self.runs += 1
        name = f"policy{self.runs}.toml"
        (self.folder / name).write_text(POLICY.format(budget=budget, accountant=accountant))
        return self.explained([(sql, {**SETTINGS, **changes}) for sql, changes in questions],
                              "--policy", name)

    def explained(self, questions, *where):
        statements = []
        for sql, settings in questions:
            statements += [f"SET dp.{key} = {value}" for key, value in settings.items()]
            statements.append(f"EXPLAIN (DP) {sql}")
        done = subprocess.run([self.program, *where, "--format", "json", "-c",
                               "; ".join(statements)], cwd=self.folder, capture_output=True,
                              text=True, check=True, timeout=60)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def shop(self, sql, **settings):
        """Error and threshold of a question to the demo shop."""
        plan = self.explained([(sql, settings)], "shop.duckdb", "--policy", "shop.toml")[0]
        door = plan["doors"][0]
        return door["answers"][0]["error95"], door["release"]["threshold"]

    def errors(self, questions, **policy):
        """Half the widths of the 95 % intervals of the last answers."""
        return [plan["doors"][0]["answers"][-1]["error95"]
                for plan in self.plans(questions, **policy)]

    def thresholds(self, settings):
        return [plan["doors"][0]["release"]["threshold"]
                for plan in self.plans([(BY_CITY, changes) for changes in settings])]

    def questions(self, settings, **policy):
        """How many fit in the budget, of each kind."""
        asked = [(BY_CITY, {"delta": FEW_DELTA, **changes}) for changes in settings]
        return [plan["remaining"]["queries_like_this"] for plan in self.plans(asked, **policy)]


def shown(value):
    """Three digits are enough to choose by."""
    if value >= 100:
        digits = max(0, int(math.log10(value)) - 2)
        return f"{round(value, -digits):,.0f}"
    return f"{value:.3g}"


def markdown(head, rows, align="---:"):
    lines = [head, [align] * len(head), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def chunks(values, size):
    return [values[i:i + size] for i in range(0, len(values), size)]


def meaning(planner):
    """How often the best guess can be right whether somebody is in the data, where it was even
    before: e^ε / (1 + e^ε) by ε alone, and Φ(μ/2) for the μ of the whole budget (δ left out)."""
    rows = []
    for budget in [0.5, 1, 2, 4, 8]:
        whole = {"epsilon": budget, "delta": 1e-6, "min_frequency": 1}
        mu = planner.plans([(COUNT, whole)], budget=budget)[0]["price"]["mu"]
        pure = 1 / (1 + math.exp(-budget))
        gaussian = statistics.NormalDist().cdf(mu / 2)
        rows.append([budget, f"{100 * pure:.1f} %", shown(mu), f"{100 * gaussian:.1f} %"])
    return markdown(["ε of the budget", "by ε alone", "μ at δ 1e-6", "under `gdp`"], rows)


def count_errors(planner):
    """For each epsilon the errors under each cap."""
    asked = [(COUNT, {"epsilon": epsilon, "contribution_bound": cap})
             for epsilon in EPSILONS for cap in CAPS]
    return chunks(planner.errors(asked), len(CAPS))


def count(planner):
    """The last column is the first one over 5 %."""
    rows = [[epsilon, *(f"± {shown(error)}" for error in errors), shown(errors[0] / 0.05)]
            for epsilon, errors in zip(EPSILONS, count_errors(planner))]
    return markdown(["ε of the question", "1 row each", "5 rows", "20 rows",
                     "people for ± 5 %, 1 row each"], rows)


def delta(planner):
    deltas = ["1e-6", "1e-7", "1e-8", "1e-9", "1e-12"]
    errors = planner.errors([(COUNT, {"delta": value}) for value in deltas])
    thresholds = planner.thresholds([{"delta": value} for value in deltas])
    rows = [[value, f"± {shown(error)}", reached]
            for value, error, reached in zip(deltas, errors, thresholds)]
    return markdown(["δ of the question", "error of a count", "threshold of a group, k = 10"], rows)


def bounds(planner):
    pairs = [(0, 50), (0, 100), (0, 500), (0, 5000), (-500, 500), (400, 500)]
    errors = planner.errors([(SUM.format(*pair), {"contribution_bound": cap})
                             for pair in pairs for cap in CAPS])
    rows = [[f"{lower} to {upper}", *(f"± {shown(error)}" for error in of_pair)]
            for (lower, upper), of_pair in zip(pairs, chunks(errors, len(CAPS)))]
    return markdown(["bounds of x", "1 row each", "5 rows", "20 rows"], rows)


def threshold(planner):
    columns = [{"epsilon": 0.1}, {"epsilon": 0.5}, {"epsilon": 1}, {"max_groups_contributed": 3},
               {"max_groups_contributed": 10}]
    ks = [1, 5, 10, 50, 200]
    found = planner.thresholds([{"min_frequency": k, **column} for k in ks for column in columns])
    rows = [[k, *of_k] for k, of_k in zip(ks, chunks(found, len(columns)))]
    return markdown(["k", "ε 0.1", "ε 0.5", "ε 1", "ε 0.5, 3 groups each", "10 groups each"], rows)


def questions(planner):
    """The errors are those of a count, whatever the budget."""
    asked = [{"epsilon": epsilon} for epsilon in EPSILONS[:5]]
    errors = [[f"± {shown(error)}" for error in planner.errors(
        [(BY_CITY, {"delta": FEW_DELTA, **changes}) for changes in asked], accountant=accountant)]
              for accountant in ("gdp", "basic")]
    numbers = [[f"{number:,}" for number in planner.questions(asked, budget=budget,
                                                              accountant=accountant)]
               for budget, accountant in [(1, "gdp"), (4, "gdp"), (4, "rdp"), (4, "basic"),
                                          (8, "gdp")]]
    return markdown(["ε of each", "error, `gdp`", "error, `basic`", "budget 1, `gdp`", "4, `gdp`",
                     "4, `rdp`", "4, `basic`", "8, `gdp`"],
                    list(zip(EPSILONS, *errors, *numbers)))


def same_error(planner):
    """Questions of one error each, and how many fit in a budget, by accountant."""
    targets = [{"target_error": error} for error in TARGETS[1:]]
    columns = [planner.questions(targets, budget=budget, accountant=accountant)
               for budget in (1, 4) for accountant in ("gdp", "rdp", "basic")]
    rows = [[f"± {error}", *(f"{number:,}" for number in numbers)]
            for error, numbers in zip(TARGETS[1:], zip(*columns))]
    return markdown(["error of a count", "budget 1, `gdp`", "`rdp`", "`basic`", "budget 4, `gdp`",
                     "`rdp`", "`basic`"], rows)


def tips(planner):
    """Two ways to ask the shop, at one price: two questions of HALF cost as much as one of 0.5."""
    orders = "SELECT count(*) FROM orders"
    pieces = "SELECT sum(quantity) FROM item GROUP BY product"
    pairs = [
        ("`count(*)` of orders", planner.shop(orders),
         "`count(DISTINCT customer_id)`: their buyers",
         planner.shop("SELECT count(DISTINCT customer_id) FROM orders")),
        ("`count(*)` of orders, up to 20 of each customer", planner.shop(orders),
         "`SET dp.contribution_bound = 5`", planner.shop(orders, contribution_bound=5)),
        ("`sum(amount)`, bounds 0 to 500", planner.shop("SELECT sum(amount) FROM orders"),
         "`sum(amount, 0, 300)`", planner.shop("SELECT sum(amount, 0, 300) FROM orders")),
        (f"`sum(age)` and `count(age)` in two questions of ε {HALF}",
         planner.shop("SELECT sum(age) FROM customer", epsilon=HALF),
         "both in one of ε 0.5, for the same price", planner.shop("SELECT sum(age), count(age) FROM customer")),
        ("`sum(quantity)` by product, 3 groups each", planner.shop(pieces),
         "`SET dp.max_groups_contributed = 1`", planner.shop(pieces, max_groups_contributed=1))]
    rows = [[before, f"± {shown(old[0])}", old[1], after, f"± {shown(new[0])}", new[1]]
            for before, old, after, new in pairs]
    return markdown(["instead of", "error", "threshold", "ask", "error", "threshold"], rows,
                    "---")


def count_plot(planner):
    by_cap = zip(*count_errors(planner))
    lines = {f"{cap} row{'s' * (cap > 1)} each": list(zip(EPSILONS, errors))
             for cap, errors in zip(CAPS, by_cap)}
    return line_chart("The error of a count", ("ε of the question", "± rows, 95 %"),
                      (EPSILONS, [1, 10, 100, 1000, 10000]), lines)


def bounds_plot(planner):
    """What a bound cuts off is that of 3,000 invented people whose amounts are exponential with
    mean 50: an upper bound U cuts off 50 e^(-U/50) of each on average."""
    people, mean = 3000, 50
    uppers = [25, 50, 100, 200, 400, 800, 1600]
    noise = planner.errors([(SUM.format(0, upper), {}) for upper in uppers])
    cut = [people * mean * math.exp(-upper / mean) for upper in uppers]
    both = [error + lost for error, lost in zip(noise, cut)]
    return line_chart("The error of a sum over 3,000 people, mean 50",
                      ("the upper bound", "± 95 %"), (uppers, [10, 100, 1000, 10000, 100000]),
                      {"noise": list(zip(uppers, noise)), "cut off": list(zip(uppers, cut))[:5],
                       "both": list(zip(uppers, both))})


def threshold_plot(planner):
    groups = (1, 3, 10)
    found = planner.thresholds([{"epsilon": epsilon, "max_groups_contributed": most}
                                for most in groups for epsilon in EPSILONS])
    lines = {f"{most} group{'s' * (most > 1)} each": list(zip(EPSILONS, of_most))
             for most, of_most in zip(groups, chunks(found, len(EPSILONS)))}
    return line_chart("How many people a group needs to be shown, k = 10",
                      ("ε of the question", "threshold"), (EPSILONS, [10, 100, 1000, 10000]), lines)


def questions_plot(planner):
    targets = [{"target_error": error} for error in TARGETS]
    lines = {name: list(zip(TARGETS, planner.questions(targets, accountant=name)))
             for name in ("gdp", "rdp", "basic")}
    return line_chart("How many counts fit in a budget of ε 4",
                      ("the error of each, ± people, 95 %", "questions"),
                      (TARGETS, [1, 10, 100, 1000, 10000]), lines)


TABLES = {"meaning": meaning, "count": count, "delta": delta, "bounds": bounds,
          "threshold": threshold, "questions": questions, "same_error": same_error,
          "tips": tips}
PLOTS = {"count": count_plot, "bounds": bounds_plot, "threshold": threshold_plot,
         "questions": questions_plot}


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    pages = [source / "docs/owners.md", source / "docs/tutorial.md"]
    with tempfile.TemporaryDirectory() as folder:
        planner = Planner(source, build, pathlib.Path(folder))
        fresh = {page: TABLE.sub(lambda match: f"<!-- table {match[1]} -->\n"
                                 f"{TABLES[match[1]](planner)}<!-- end -->", page.read_text())
                 for page in pages}
        used = {name for page in pages for name in TABLE.findall(fresh[page])}
        for name, draw in PLOTS.items():
            fresh[source / f"docs/figures/owners-{name}.svg"] = draw(planner)
    failures = [f"no page has the table {name}" for name in set(TABLES) - used]
    for path, text in fresh.items():
        if "--update" in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            failures.append(f"{path.name} is stale; run  make reference")
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
