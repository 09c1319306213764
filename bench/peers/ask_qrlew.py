"""Asks Qrlew. Usage: ask_qrlew.py SOCKET-FOLDER TRIALS SECONDS EPSILON…; prints JSON.

It rewrites a query, and PostgreSQL runs it with its own random(). Each noisy column gets the whole
(epsilon, delta) that it is told, so a query is rewritten with its own divided by the number of columns that
Qrlew says it noised. Variances and the covariance are made of means.
"""
import json
import sys
import warnings

import pyqrlew
import sqlalchemy
from pyqrlew import Dialect

from trials import DELTA, rows_of

warnings.filterwarnings("ignore")
RANGES = [("customer", "c_acctbal", -999.99, 9999.99), ("orders", "o_totalprice", 857.71, 555285.16),
          ("lineitem", "l_extendedprice", 901, 104949.5), ("lineitem", "l_discount", 0, 0.1)]
KEYS = [("orders", "o_orderstatus", ["F", "O", "P"]),
        ("customer", "c_mktsegment",
         ["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"])]
UNITS = [("customer", [], "c_custkey"), ("orders", [], "o_custkey"),
         ("lineitem", [("l_orderkey", "orders", "o_orderkey")], "o_custkey")]
JOIN = "FROM public.customer AS c JOIN public.orders AS o ON c.c_custkey = o.o_custkey"
TWO_MEANS = "SELECT AVG(c_acctbal) AS a, AVG(c_acctbal * c_acctbal) AS b FROM public.customer"


def as_is(rows):
    return rows


def variance(rows):
    mean, square = rows[0]
    return [(square - mean * mean,)]


def deviation(rows):
    return [(max(variance(rows)[0][0], 0) ** 0.5,)]


def covariance(rows):
    p, d, pd = rows[0]
    return [(pd - p * d,)]


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
     "AVG(l_extendedprice * l_discount) AS c FROM public.lineitem", covariance)]


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
            whole = rewritten(dataset, sql, most_rows, epsilon, DELTA)
            columns = max(1, str(whole.dp_event()).count("Gaussian"))
            parts = rewritten(dataset, sql, most_rows, epsilon / columns, DELTA / columns)
            text = parts.relation().to_query(Dialect.PostgreSql)
            return lambda: shape(fetched(text))
        return prepare

    questions = [(query, note, prepared(sql, most_rows, shape))
                 for query, note, most_rows, sql, shape in QUESTIONS]
    rows = rows_of("Qrlew, here", questions, fetched, how)
    print(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
