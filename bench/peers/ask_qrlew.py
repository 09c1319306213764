"""Asks Qrlew. Usage: ask_qrlew.py SOCKET-FOLDER SERVER SET TRIALS SECONDS EPSILON…; prints JSON, a line for each row
and an empty one.

It rewrites a query, and PostgreSQL runs it with its own random(). It is told the whole (epsilon, delta) of a
query, and itself divides both by the number of sums that it noises (gaussian_mechanisms in its aggregates.rs);
only its dp_event() names the undivided ones for each. That event is where a row's number of columns is from.
Each trial rewrites the query anew, which is timed; what finds the number of columns is not. Variances and the
covariance are made of means, the share of Q14 of sums. Dates are compared as text, because DATE '…' is not
implemented there.
"""
import sys
import warnings

import pyqrlew
import sqlalchemy
from pyqrlew import Dialect

from trials import DELTA, Q19_CONDITION, RANGES, SYSTEMS, Prepared, as_is, in_cells, print_rows

warnings.filterwarnings("ignore")
KEYS = [("orders", "o_orderstatus", ["F", "O", "P"]),
        ("customer", "c_mktsegment",
         ["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"]),
        ("lineitem", "l_returnflag", ["A", "N", "R"]), ("lineitem", "l_linestatus", ["F", "O"])]
UNITS = [("customer", [], "c_custkey"), ("orders", [], "o_custkey"),
         ("lineitem", [], "l_custkey")]
JOIN = "FROM public.customer AS c JOIN public.orders AS o ON c.c_custkey = o.o_custkey"
TWO_MEANS = "SELECT AVG(c_acctbal) AS a, AVG(c_acctbal * c_acctbal) AS b FROM public.customer"


def released(rows):
    """Those without a NULL, which is what an aggregate over no rows is."""
    return [row for row in rows if None not in row]


def variance(rows):
    return [(square - mean * mean,) for mean, square in released(rows)]


def deviation(rows):
    return [(max(value, 0) ** 0.5,) for value, in variance(rows)]


def covariance(rows):
    return [(pd - p * d,) for p, d, pd in released(rows)]


def share(rows):
    return [(100 * promo / revenue,) for promo, revenue in released(rows) if revenue]


WITHHELD = "it selects keys that nobody declared by a threshold, and NULL is no answer"
REVENUE = "SUM(l_extendedprice * (1 - l_discount))"
PARTS = "FROM public.lineitem JOIN public.part ON l_partkey = p_partkey"
# query, how, most rows of a unit, SQL, what makes rows of (key…, value) of its answer
QUESTIONS = [
    ("COUNT", "", 1, "SELECT COUNT(*) AS n FROM public.customer", as_is),
    ("COUNT_DISTINCT", "it counts rows, not different values", 1,
     "SELECT COUNT(DISTINCT c_nationkey) AS n FROM public.customer", as_is),
    ("SUM", "", 1, "SELECT SUM(c_acctbal) AS n FROM public.customer", as_is),
    ("AVG", "", 1, "SELECT AVG(c_acctbal) AS n FROM public.customer", as_is),
    ("VAR", "derived from AVGs", 1, TWO_MEANS, variance),
    ("STDDEV", "derived from AVGs", 1, TWO_MEANS, deviation),
    ("JOIN", "", 41, f"SELECT AVG(o.o_totalprice) AS n {JOIN} WHERE c.c_mktsegment = 'BUILDING'",
     as_is),
    ("GROUPBY", "keys declared", 41,
     "SELECT o_orderstatus AS k, AVG(o_totalprice) AS n FROM public.orders GROUP BY o_orderstatus",
     as_is),
    ("GROUPBY_JOIN", "keys declared", 41,
     f"SELECT c.c_mktsegment AS k, AVG(o.o_totalprice) AS n {JOIN} GROUP BY c.c_mktsegment", as_is),
    ("COVAR", "derived from three AVGs", 178, "SELECT AVG(l_extendedprice) AS a, AVG(l_discount) AS b, "
     "AVG(l_extendedprice * l_discount) AS c FROM public.lineitem", covariance),
    ("TPC-H Q1", "keys declared", 178, "SELECT l_returnflag, l_linestatus, SUM(l_quantity) AS a, "
     f"SUM(l_extendedprice) AS b, {REVENUE} AS c, "
     "SUM(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS d, AVG(l_quantity) AS e, "
     "AVG(l_extendedprice) AS f, AVG(l_discount) AS g, COUNT(*) AS h FROM public.lineitem "
     "WHERE l_shipdate <= '1998-09-02' GROUP BY l_returnflag, l_linestatus", in_cells(2)),
    ("TPC-H Q5", "", 178, f"SELECT n_name, {REVENUE} AS n FROM public.customer "
     "JOIN public.orders ON c_custkey = o_custkey JOIN public.lineitem ON l_orderkey = o_orderkey "
     "JOIN public.supplier ON l_suppkey = s_suppkey JOIN public.nation ON s_nationkey = n_nationkey "
     "JOIN public.region ON n_regionkey = r_regionkey WHERE c_nationkey = s_nationkey "
     "AND r_name = 'ASIA' AND o_orderdate >= '1994-01-01' AND o_orderdate < '1995-01-01' "
     "GROUP BY n_name", as_is),
    ("TPC-H Q6", "", 178, "SELECT SUM(l_extendedprice * l_discount) AS n FROM public.lineitem "
     "WHERE l_shipdate >= '1994-01-01' AND l_shipdate < '1995-01-01' "
     "AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24", as_is),
    ("TPC-H Q14", "two SUMs", 178, "SELECT SUM(CASE WHEN p_type LIKE 'PROMO%' "
     f"THEN l_extendedprice * (1 - l_discount) ELSE 0 END) AS a, {REVENUE} AS b {PARTS} "
     "WHERE l_shipdate >= '1995-09-01' AND l_shipdate < '1995-10-01'", share),
    ("TPC-H Q19", "", 178, f"SELECT {REVENUE} AS n {PARTS} WHERE {Q19_CONDITION}", as_is)]


def described(engine):
    """The tables with the ranges and keys that all systems are told."""
    dataset = pyqrlew.Dataset.from_database("tpch", engine, schema_name="public", ranges=False)
    for table, column, low, high in RANGES:
        dataset = dataset.with_range("public", table, column, low, high)
    for table, column, values in KEYS:
        dataset = dataset.with_possible_values("public", table, column, values)
    return dataset


def rewritten(dataset, sql, most_rows, epsilon, delta):
    relation = dataset.relation(sql, Dialect.PostgreSql)
    return relation.rewrite_with_differential_privacy(
        dataset, UNITS, {"epsilon": epsilon, "delta": delta}, most_rows, 1.0)


def main():
    folder, *how = sys.argv[1:]
    engine = sqlalchemy.create_engine(f"postgresql+psycopg2://postgres@/postgres?host={folder}")
    dataset = described(engine)

    def fetched(sql):
        with engine.connect() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(sql.replace("%", "%%")).fetchall()]

    def prepared(sql, most_rows, shape):
        def prepare(epsilon):
            def rewrite():
                return rewritten(dataset, sql, most_rows, epsilon, DELTA)

            def ask():
                return shape(fetched(rewrite().relation().to_query(Dialect.PostgreSql)))
            columns = max(1, str(rewrite().dp_event()).count("Gaussian"))
            return Prepared(ask, columns, lambda: WITHHELD)
        return prepare

    questions = {query: (note, prepared(sql, most_rows, shape))
                 for query, note, most_rows, sql, shape in QUESTIONS}
    print_rows(SYSTEMS["qrlew"], questions, fetched, how)
    print("{}")


if __name__ == "__main__":
    main()
