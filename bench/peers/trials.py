"""What the programs that ask peers share: the questions' truth, trials, and rows."""
import math
import statistics
import sys
import time

DELTA = 1e-7
JOIN = "FROM customer c JOIN orders o ON c.c_custkey = o.o_custkey"
# What is true, by PostgreSQL itself: rows of (key…, value).
TRUTH = {
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


def by_key(rows):
    return {tuple(row[:-1]): float(row[-1]) for row in rows if row[-1] is not None}


def mre_row(truth, answers):
    """The paper's mean relative error in % over what was released, and the share released."""
    errors = [abs(answer[key] - value) / abs(value) for answer in answers
              for key, value in truth.items() if key in answer]
    share = len(errors) / len(truth) / len(answers) if answers else 0
    return {"mre": 100 * math.fsum(errors) / len(errors) if errors else None,
            "trials": len(answers), "keys_released": share}


def run_trials(ask, trials, seconds):
    """(answers, median milliseconds). A trial that fails ends them."""
    answers, times = [], []
    begin = time.monotonic()
    while len(answers) < trials and (not answers or time.monotonic() - begin < seconds):
        started = time.monotonic()
        answers.append(by_key(ask()))
        times.append(1e3 * (time.monotonic() - started))
    return answers, statistics.median(times)


def rows_of(system, questions, truth_of, how):
    """`questions`: (query, note, prepare), where prepare(epsilon) gives what asks once; `how`: the
    words TRIALS SECONDS EPSILON… of the command line.

    A question that a peer refuses has a row with its words, cut to one line.
    """
    trials, seconds, epsilons = int(how[0]), float(how[1]), [float(word) for word in how[2:]]
    rows = []
    for query, note, prepare in questions:
        truth = by_key(truth_of(TRUTH[query]))
        for epsilon in epsilons:
            row = {"query": query, "epsilon": epsilon, "system": system}
            try:
                answers, milliseconds = run_trials(prepare(epsilon), trials, seconds)
                row.update(mre_row(truth, answers), ms=milliseconds, note=note)
            except BaseException as error:  # Qrlew's failures are panics, which are not Exceptions
                if isinstance(error, KeyboardInterrupt):
                    raise
                words = " ".join(str(error).split())[:160]
                row.update(mre=None, trials=0, keys_released=0, note=f"cannot: {words}")
            print(row, file=sys.stderr, flush=True)
            rows.append(row)
    return rows
