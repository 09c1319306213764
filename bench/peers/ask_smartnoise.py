"""Asks SmartNoise SQL. Usage: ask_smartnoise.py SOCKET-FOLDER TRIALS SECONDS EPSILON…; prints JSON.

Its epsilon is for each noisy column, so a query gets its epsilon divided by what SmartNoise itself says
that the query costs. Joins, and values whose noise it finds too large, are asked of views.
"""
import json
import sys
import warnings

import psycopg2
from snsql import Privacy, from_connection
from snsql.sql.odometer import OdometerHeterogeneous

from trials import DELTA, JOIN, rows_of

warnings.filterwarnings("ignore")
VIEWS = f"""
CREATE OR REPLACE VIEW scaled_customer AS SELECT c_custkey, c_acctbal / 1000 AS c_acctbal FROM customer;
CREATE OR REPLACE VIEW scaled_orders AS
  SELECT o_custkey, o_orderstatus, o_totalprice / 1000000 AS o_totalprice FROM orders;
CREATE OR REPLACE VIEW joined AS
  SELECT o_custkey, c_mktsegment, o_totalprice / 1000000 AS o_totalprice {JOIN};
CREATE OR REPLACE VIEW joined_lines AS
  SELECT o_custkey, l_extendedprice / 1000000 AS p, l_discount AS d, l_extendedprice / 1000000 * l_discount AS pd
  FROM lineitem JOIN orders ON l_orderkey = o_orderkey"""


def number(low, high):
    return {"type": "float", "lower": low, "upper": high}


def table(rows, unit, **columns):
    return {"max_ids": rows, "row_privacy": False, unit: {"type": "int", "private_id": True},
            **columns}


TEXT = {"type": "string"}
PRICE = number(0.00085771, 0.55528516)
TABLES = {"": {"public": {
    "customer": table(1, "c_custkey", c_nationkey={"type": "int"}, c_acctbal=number(-999.99, 9999.99)),
    "scaled_customer": table(1, "c_custkey", c_acctbal=number(-0.99999, 9.99999)),
    "scaled_orders": table(41, "o_custkey", o_orderstatus=TEXT, o_totalprice=PRICE),
    "joined": table(41, "o_custkey", c_mktsegment=TEXT, o_totalprice=PRICE),
    "joined_lines": table(178, "o_custkey", p=number(0.000901, 0.1049495), d=number(0, 0.1),
                          pd=number(0, 0.01049495))}}}


def rescaled(factor):
    return lambda rows: [(*row[:-1], None if row[-1] is None else row[-1] * factor) for row in rows]


def covariance(rows):
    return [(1e6 * (pd - p * d),) for p, d, pd in rows if None not in (p, d, pd)]


def as_is(rows):
    return rows


VIEW, JOINED = "on a view with scaled values", "on a view that joins beforehand"
# query, how, SQL, what makes rows of (key…, value) of its answer
QUESTIONS = [
    ("COUNT", "", "SELECT COUNT(*) AS n FROM public.customer", as_is),
    ("COUNT_DISTINCT", "", "SELECT COUNT(DISTINCT c_nationkey) AS n FROM public.customer", as_is),
    ("SUM", "", "SELECT SUM(c_acctbal) AS n FROM public.customer", as_is),
    ("AVG", "", "SELECT AVG(c_acctbal) AS n FROM public.customer", as_is),
    ("VAR", VIEW, "SELECT VAR(c_acctbal) AS n FROM public.scaled_customer", rescaled(1e6)),
    ("STDDEV", VIEW, "SELECT STDDEV(c_acctbal) AS n FROM public.scaled_customer", rescaled(1e3)),
    ("COVAR", f"three AVGs {JOINED}", "SELECT AVG(p) AS a, AVG(d) AS b, AVG(pd) AS c "
     "FROM public.joined_lines", covariance),
    ("JOIN", JOINED, "SELECT AVG(o_totalprice) AS n FROM public.joined "
     "WHERE c_mktsegment = 'BUILDING'", rescaled(1e6)),
    ("GROUPBY", VIEW, "SELECT o_orderstatus, AVG(o_totalprice) AS n FROM public.scaled_orders "
     "GROUP BY o_orderstatus", rescaled(1e6)),
    ("GROUPBY_JOIN", JOINED, "SELECT c_mktsegment, AVG(o_totalprice) AS n FROM public.joined "
     "GROUP BY c_mktsegment", rescaled(1e6))]


def reader(connection, epsilon):
    return from_connection(connection, privacy=Privacy(epsilon=epsilon, delta=DELTA),
                           metadata=TABLES, engine="postgres")


def prepared(connection, sql, shape):
    def prepare(epsilon):
        # At a small epsilon its composition is the plain sum, so this is the number of columns.
        columns = round(reader(connection, 1e-3).get_privacy_cost(sql)[0] / 1e-3)
        private = reader(connection, epsilon / columns)
        return lambda: shape([tuple(row) for row in private.execute(sql)[1:]])
    return prepare


def session_length(epsilon, delta, total_epsilon, total_delta):
    """How many questions of one price its odometer admits."""
    odometer = OdometerHeterogeneous(Privacy(epsilon=epsilon, delta=delta))
    for count in range(10_000):
        odometer.spend(Privacy(epsilon=epsilon, delta=delta))
        spent = odometer.spent
        if spent[0] > total_epsilon * (1 + 1e-9) or spent[1] > total_delta * (1 + 1e-9):
            return count
    return 10_000


def main():
    folder, *how = sys.argv[1:]
    connection = psycopg2.connect(host=folder, user="postgres", dbname="postgres")
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute(VIEWS)

    def truth(sql):
        cursor.execute(sql)
        return cursor.fetchall()

    questions = [(query, note, prepared(connection, sql, shape))
                 for query, note, sql, shape in QUESTIONS]
    rows = rows_of("SmartNoise SQL, here", questions, truth, how)
    print(json.dumps({"rows": rows, "session": session_length(0.09, 1e-7, 1, 1e-6),
                      "figure2": [session_length(0.1, 1e-7, 0.2, 1e-6),
                                  session_length(0.1, 1e-7, 1, 2e-7)]}))


if __name__ == "__main__":
    main()
