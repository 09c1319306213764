"""Asks SmartNoise SQL. Usage: ask_smartnoise.py SOCKET-FOLDER SERVER SET TRIALS SECONDS EPSILON…; prints JSON,
a line for each row and one for its odometer.

Its epsilon is for each noisy column, so a query gets its epsilon divided by what SmartNoise itself says
that the query costs. Joins, sums of expressions, and values whose noise it finds too large, are asked of
views.
"""
import json
import sys
import warnings

import psycopg2
from snsql import Privacy, from_connection
from snsql.sql.odometer import OdometerHeterogeneous

from trials import DELTA, JOIN, Q19_CONDITION, SYSTEMS, Prepared, as_is, in_cells, print_rows

warnings.filterwarnings("ignore")
VIEWS = f"""
CREATE OR REPLACE VIEW scaled_customer AS SELECT c_custkey, c_acctbal / 1000 AS c_acctbal FROM customer;
CREATE OR REPLACE VIEW scaled_orders AS
  SELECT o_custkey, o_orderstatus, o_totalprice / 1000000 AS o_totalprice FROM orders;
CREATE OR REPLACE VIEW joined AS
  SELECT o_custkey, c_mktsegment, o_totalprice / 1000000 AS o_totalprice {JOIN};
CREATE OR REPLACE VIEW lines AS
  SELECT l_custkey, l_returnflag, l_linestatus, l_shipdate, l_quantity, l_extendedprice / 1000000 AS p,
    l_discount AS d, l_extendedprice / 1000000 * l_discount AS pd,
    l_extendedprice / 1000000 * (1 - l_discount) AS revenue,
    l_extendedprice / 1000000 * (1 - l_discount) * (1 + l_tax) AS charge
  FROM lineitem;
CREATE OR REPLACE VIEW lines_with_nations AS
  SELECT l_custkey, n_name, r_name, o_orderdate, l_extendedprice / 1000000 * (1 - l_discount) AS revenue
  FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON l_orderkey = o_orderkey
  JOIN supplier ON l_suppkey = s_suppkey AND c_nationkey = s_nationkey
  JOIN nation ON s_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey;
CREATE OR REPLACE VIEW lines_with_parts AS
  SELECT l_custkey, l_shipdate, l_quantity, l_shipmode, l_shipinstruct, p_brand, p_size, p_container,
    l_extendedprice / 1000000 * (1 - l_discount) AS revenue,
    CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice / 1000000 * (1 - l_discount) ELSE 0 END AS promo
  FROM lineitem JOIN part ON l_partkey = p_partkey"""


def number(low, high):
    return {"type": "float", "lower": low, "upper": high}


def table(rows, unit, **columns):
    return {"max_ids": rows, "row_privacy": False, unit: {"type": "int", "private_id": True},
            **columns}


TEXT, DATE = {"type": "string"}, {"type": "datetime"}
QUANTITY, REVENUE = number(1, 50), number(0, 0.105)
PRICE = number(0.00085771, 0.55528516)
TABLES = {"": {"public": {
    "customer": table(1, "c_custkey", c_nationkey={"type": "int"}, c_acctbal=number(-999.99, 9999.99)),
    "scaled_customer": table(1, "c_custkey", c_acctbal=number(-0.99999, 9.99999)),
    "scaled_orders": table(41, "o_custkey", o_orderstatus=TEXT, o_totalprice=PRICE),
    "joined": table(41, "o_custkey", c_mktsegment=TEXT, o_totalprice=PRICE),
    "lines": table(178, "l_custkey", l_returnflag=TEXT, l_linestatus=TEXT, l_shipdate=DATE,
                   l_quantity=QUANTITY, p=number(0.000901, 0.1049495), d=number(0, 0.1),
                   pd=number(0, 0.01049495), revenue=REVENUE, charge=number(0, 0.1134)),
    "lines_with_nations": table(178, "l_custkey", n_name=TEXT, r_name=TEXT, o_orderdate=DATE,
                                revenue=REVENUE),
    "lines_with_parts": table(178, "l_custkey", l_shipdate=DATE, l_quantity=QUANTITY, l_shipmode=TEXT,
                              l_shipinstruct=TEXT, p_brand=TEXT, p_size={"type": "int"},
                              p_container=TEXT, revenue=REVENUE, promo=REVENUE)}}}


def rescaled(factor):
    return lambda rows: [(*row[:-1], None if row[-1] is None else row[-1] * factor) for row in rows]


def covariance(rows):
    return [(1e6 * (pd - p * d),) for p, d, pd in rows if None not in (p, d, pd)]


def pricing(rows):
    """Q1: its values in the order of the query; price, revenue and charge are scaled."""
    scales = (1, 1e6, 1e6, 1e6, 1, 1e6, 1, 1)
    return in_cells(2)([(*row[:2], *(None if value is None else value * scale
                                     for value, scale in zip(row[2:], scales))) for row in rows])


def share(rows):
    return [(100 * promo / revenue,) for promo, revenue in rows if promo is not None and revenue]


# Why a view, in its own words, which are constant there.
ONE_KEY = '"We only know how to handle tables with one key"'
NO_EXPRESSIONS = '"We don\'t support aggregation over expressions"'
VIEW, JOINED = 'on a view with scaled values: "Noise scale is too large"', f"on a view that joins beforehand: {ONE_KEY}"
WORKED_OUT = f"on a view that computes beforehand: {NO_EXPRESSIONS}"
COMPUTED = f"on a view that joins and computes beforehand: {ONE_KEY}, {NO_EXPRESSIONS}"
# query, how, SQL, what makes rows of (key…, value) of its answer
QUESTIONS = [
    ("COUNT", "", "SELECT COUNT(*) AS n FROM public.customer", as_is),
    ("COUNT_DISTINCT", "", "SELECT COUNT(DISTINCT c_nationkey) AS n FROM public.customer", as_is),
    ("SUM", "", "SELECT SUM(c_acctbal) AS n FROM public.customer", as_is),
    ("AVG", "", "SELECT AVG(c_acctbal) AS n FROM public.customer", as_is),
    ("VAR", VIEW, "SELECT VAR(c_acctbal) AS n FROM public.scaled_customer", rescaled(1e6)),
    ("STDDEV", VIEW, "SELECT STDDEV(c_acctbal) AS n FROM public.scaled_customer", rescaled(1e3)),
    ("COVAR", f"three AVGs {VIEW}", "SELECT AVG(p) AS a, AVG(d) AS b, AVG(pd) AS c FROM public.lines",
     covariance),
    ("JOIN", JOINED, "SELECT AVG(o_totalprice) AS n FROM public.joined "
     "WHERE c_mktsegment = 'BUILDING'", rescaled(1e6)),
    ("GROUPBY", VIEW, "SELECT o_orderstatus, AVG(o_totalprice) AS n FROM public.scaled_orders "
     "GROUP BY o_orderstatus", rescaled(1e6)),
    ("GROUPBY_JOIN", JOINED, "SELECT c_mktsegment, AVG(o_totalprice) AS n FROM public.joined "
     "GROUP BY c_mktsegment", rescaled(1e6)),
    ("TPC-H Q1", WORKED_OUT, "SELECT l_returnflag, l_linestatus, "
     "SUM(l_quantity) AS a, SUM(p) AS b, SUM(revenue) AS c, SUM(charge) AS d, AVG(l_quantity) AS e, "
     "AVG(p) AS f, AVG(d) AS g, COUNT(*) AS h FROM public.lines WHERE l_shipdate <= '1998-09-02' "
     "GROUP BY l_returnflag, l_linestatus", pricing),
    ("TPC-H Q5", COMPUTED, "SELECT n_name, SUM(revenue) AS n FROM public.lines_with_nations "
     "WHERE r_name = 'ASIA' AND o_orderdate >= '1994-01-01' AND o_orderdate < '1995-01-01' "
     "GROUP BY n_name", rescaled(1e6)),
    ("TPC-H Q6", WORKED_OUT, "SELECT SUM(pd) AS n FROM public.lines "
     "WHERE l_shipdate >= '1994-01-01' AND l_shipdate < '1995-01-01' AND d BETWEEN 0.05 AND 0.07 "
     "AND l_quantity < 24", rescaled(1e6)),
    ("TPC-H Q14", f"two SUMs {COMPUTED}", "SELECT SUM(promo) AS a, SUM(revenue) AS b "
     "FROM public.lines_with_parts WHERE l_shipdate >= '1995-09-01' AND l_shipdate < '1995-10-01'", share),
    ("TPC-H Q19", COMPUTED, "SELECT SUM(revenue) AS n FROM public.lines_with_parts "
     f"WHERE {Q19_CONDITION}", rescaled(1e6))]


def reader(connection, epsilon):
    return from_connection(connection, privacy=Privacy(epsilon=epsilon, delta=DELTA),
                           metadata=TABLES, engine="postgres")


def tau(private):
    """The threshold of the last question, if it says so."""
    found = getattr(private, "tau", None)
    return "its threshold" if found is None else f"its threshold {found:,.0f}"


def prepared(connection, sql, shape):
    def prepare(epsilon):
        # At a small epsilon its composition is the plain sum, so this is the number of columns.
        columns = round(reader(connection, 1e-3).get_privacy_cost(sql)[0] / 1e-3)
        private = reader(connection, epsilon / columns)
        return Prepared(lambda: shape([tuple(row) for row in private.execute(sql)[1:]]), columns,
                        lambda: f"a row is shown only where its noisy count of people is above {tau(private)}")
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

    questions = {query: (note, prepared(connection, sql, shape))
                 for query, note, sql, shape in QUESTIONS}
    print_rows(SYSTEMS["smartnoise"], questions, truth, how)
    print(json.dumps({"session": session_length(0.09, 1e-7, 1, 1e-6),
                      "figure2": [session_length(0.1, 1e-7, 0.2, 1e-6),
                                  session_length(0.1, 1e-7, 1, 2e-7)]}))


if __name__ == "__main__":
    main()
