"""What the programs that ask peers share: the questions' truth, trials, and rows."""
import dataclasses
import json
import math
import pathlib
import resource
import statistics
import time
import typing

import server_cpu

SYSTEMS = {"smartnoise": "SmartNoise SQL, here", "qrlew": "Qrlew, here"}
DELTA = 1e-7
STATEMENT = 20 * 60  # seconds after which PostgreSQL ends one of a peer
# Table, column, least and greatest value: what everyone is told.
RANGES = [("customer", "c_acctbal", -999.99, 9999.99), ("orders", "o_totalprice", 857.71, 555285.16),
          ("lineitem", "l_extendedprice", 901, 104949.5), ("lineitem", "l_discount", 0, 0.1),
          ("lineitem", "l_quantity", 1, 50), ("lineitem", "l_tax", 0, 0.08)]
JOIN = "FROM customer c JOIN orders o ON c.c_custkey = o.o_custkey"
# What is true, by PostgreSQL itself: rows of (key…, value).
PAPER = {
    "COUNT": "SELECT count(*) FROM customer",
    "COUNT_DISTINCT": "SELECT count(DISTINCT c_nationkey) FROM customer",
    "SUM": "SELECT sum(c_acctbal) FROM customer",
    "AVG": "SELECT avg(c_acctbal) FROM customer",
    "VAR": "SELECT var_samp(c_acctbal) FROM customer",
    "STDDEV": "SELECT stddev_samp(c_acctbal) FROM customer",
    "COVAR": "SELECT covar_samp(l_extendedprice, l_discount) FROM lineitem",
    "JOIN": f"SELECT avg(o_totalprice) {JOIN} WHERE c.c_mktsegment = 'BUILDING'",
    "GROUPBY": "SELECT o_orderstatus, avg(o_totalprice) FROM orders GROUP BY o_orderstatus",
    "GROUPBY_JOIN": f"SELECT c_mktsegment, avg(o_totalprice) {JOIN} GROUP BY c_mktsegment"}
TPCH_QUERIES = pathlib.Path(__file__).resolve().parent.parent.parent / "tests/tpch"
TPCH = {f"TPC-H Q{number}": (TPCH_QUERIES / f"q{number:02}.sql").read_text(encoding="utf-8")
        for number in (1, 5, 6, 14, 19)}
SETS = {"paper": PAPER, "all": {**PAPER, **TPCH}}

# The parts of Q19: brand, containers, least quantity, largest size.
WANTED = [("Brand#12", "'SM CASE', 'SM BOX', 'SM PACK', 'SM PKG'", 1, 5),
          ("Brand#23", "'MED BAG', 'MED BOX', 'MED PKG', 'MED PACK'", 10, 10),
          ("Brand#34", "'LG CASE', 'LG BOX', 'LG PACK', 'LG PKG'", 20, 15)]
Q19_CONDITION = " OR ".join(
    f"(p_brand = '{brand}' AND p_container IN ({containers}) AND l_quantity >= {least} "
    f"AND l_quantity <= {least + 10} AND p_size BETWEEN 1 AND {size} "
    "AND l_shipmode IN ('AIR', 'AIR REG') AND l_shipinstruct = 'DELIVER IN PERSON')"
    for brand, containers, least, size in WANTED)


def as_is(rows):
    return rows


def in_cells(keys):
    """Rows of (key…, place, value) of rows with several values behind `keys` keys."""
    return lambda rows: [(*row[:keys], place, value) for row in rows
                         for place, value in enumerate(row[keys:])]


TRUTH_SHAPES = {"TPC-H Q1": in_cells(2)}


def by_key(rows):
    return {tuple(row[:-1]): float(row[-1]) for row in rows if row[-1] is not None}


def mre_row(truth, answers):
    """The paper's mean relative error in % over what was released, and the share released."""
    errors = [abs(answer[key] - value) / abs(value) for answer in answers
              for key, value in truth.items() if key in answer]
    share = len(errors) / len(truth) / len(answers) if answers else 0
    return {"mre": 100 * math.fsum(errors) / len(errors) if errors else None,
            "trials": len(answers), "keys_released": share}


def forget_peak():
    """From here on the peak of this process is counted anew (proc(5), clear_refs). Whether it is: a container
    may forbid it."""
    try:
        pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return False
    return True


def peak_megabytes():
    status = pathlib.Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@dataclasses.dataclass
class Prepared:
    """A question at one epsilon."""
    ask: typing.Callable  # gives rows of (key…, value)
    columns: int  # the noised ones, which share its epsilon: we divide it for SmartNoise, Qrlew itself
    withheld: typing.Callable  # after it was asked: why the peer would leave out a cell


class Trials:
    """Answers of one question, and what each took in this process and in the server, which is told by its
    process."""

    def __init__(self, ask, trials, seconds, server):
        """The first trial warms up, and counts only where none is behind it: it took all the time, or the
        next one failed. A trial that fails ends them, and loses none before it."""
        self.ask, self.answers, self.times, self.cpu = ask, [], [], []
        self.wanted, self.seconds = trials, seconds
        self.server, self.server_ms, self.failure = server, [], ""
        is_anew = forget_peak()
        begin = time.monotonic()
        self.one()
        if time.monotonic() - begin < seconds:
            self.go_on(trials, seconds)
        self.peak = {"peak_mb": peak_megabytes()} if is_anew else {}

    def go_on(self, trials, seconds):
        begin = time.monotonic()
        while len(self.answers) <= trials and time.monotonic() - begin < seconds:
            try:
                self.one()
            except BaseException as error:
                self.failure = f"trial {len(self.answers)} failed: {words_of(error)}"
                break
        if len(self.answers) > 1:
            for warm in (self.answers, self.times, self.cpu, self.server_ms):
                del warm[0]

    def one(self):
        server = server_cpu.seconds_below(self.server)
        cpu, begin = cpu_seconds(), time.monotonic()
        answer = self.ask()
        times, cpu = 1e3 * (time.monotonic() - begin), 1e3 * (cpu_seconds() - cpu)
        server = 1e3 * (server_cpu.seconds_below(self.server) - server)
        self.answers.append(by_key(answer))  # it may fail, and leaves nothing then
        self.server_ms.append(server)
        self.times.append(times)
        self.cpu.append(cpu)

    def shortfall(self):
        """Why there are fewer trials than wanted, or nothing."""
        if len(self.answers) >= self.wanted:
            return ""
        return f"{len(self.answers)} of {self.wanted} trials: " + (
            self.failure or f"none begins after {self.seconds:g} s")

    def row(self, truth):
        return {**mre_row(truth, self.answers), "ms": statistics.median(self.times),
                "cpu_ms": statistics.median(self.cpu), **self.peak,
                # The mean, because one trial may take less than a tick of its clock.
                "server_cpu_ms": statistics.fmean(self.server_ms)}


def words_of(failure):
    """In one line. An interrupt ends the program; Qrlew's failures are panics, which are not Exceptions."""
    if isinstance(failure, KeyboardInterrupt):
        raise failure
    return " ".join(str(failure).split())[:160]


def cannot(row, failure):
    return {**row, "mre": None, "trials": 0, "keys_released": 0, "note": f"cannot: {words_of(failure)}"}


def print_rows(system, questions, truth_of, how):
    """A line of JSON for each row. `questions`: query to (note, prepare), where prepare(epsilon) gives it
    Prepared; `how`: the words SERVER SET TRIALS SECONDS EPSILON… of the command line.

    A question that a peer refuses has a row with its words, cut to one line.
    """
    server, trials, seconds = int(how[0]), int(how[2]), float(how[3])
    epsilons = [float(word) for word in how[4:]]
    for query, sql in SETS[how[1]].items():
        note, prepare = questions[query]
        truth = by_key(TRUTH_SHAPES.get(query, as_is)(truth_of(sql)))
        for epsilon in epsilons:
            row = {"query": query, "epsilon": epsilon, "system": system}
            row.update({"truth": value for key, value in truth.items() if not key})
            try:
                prepared = prepare(epsilon)
                done = Trials(prepared.ask, trials, seconds, server)
                row.update(done.row(truth), columns=prepared.columns)
                withheld = f"withheld: {prepared.withheld()}" if row["keys_released"] < 1 else ""
                row["note"] = "; ".join(filter(None, [note, withheld, done.shortfall()]))
            except BaseException as error:
                row = cannot(row, error)
            print(json.dumps(row), flush=True)
