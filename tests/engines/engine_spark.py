"""Spark in one process, in ANSI mode. The grid is read from a file, so that Spark compiles each
call as it would over a real table."""

import contextlib
import sys
import tempfile

from run import NotInstalled

try:
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession
except ImportError as error:
    raise NotInstalled(f"{sys.executable} has no pyspark") from error

ERRORS = (PySparkException, Exception)
TYPES = {
    "VARCHAR": "STRING",
    "UUID": "STRING",
    "HUGEINT": "DECIMAL(38,0)",
    "TIMESTAMP": "TIMESTAMP_NTZ",
}


class Engine:
    def __init__(self, spark):
        self.spark = spark

    def query(self, sql):
        answer = self.spark.sql(sql)
        as_text = [f"CAST(`{name}` AS STRING) AS `{name}`" for name in answer.columns]
        return [list(row) for row in answer.selectExpr(*as_text).collect()]

    def call(self, sql, _family):
        answers = self.spark.sql(f"SELECT id, CAST({sql} AS STRING) AS x FROM grid AS s0").collect()
        return [row.x for row in sorted(answers, key=lambda row: row.id)]


@contextlib.contextmanager
def open_engine(columns, rows):
    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.sql.ansi.enabled", "true")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.sql.caseSensitive", "true")
        .config("spark.sql.decimalOperations.allowPrecisionLoss", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.session.timeZone", "America/New_York")
        .config("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED")
        .config("spark.sql.parquet.datetimeRebaseModeInRead", "CORRECTED")
        .config("spark.driver.host", "localhost")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.memory", "1g")
        .config("spark.log.level", "OFF")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    with tempfile.TemporaryDirectory() as folder:
        schema = ", ".join(f"{name} STRING" for name, _ in columns)
        typed = [f"CAST({name} AS {TYPES.get(kind, kind)}) AS {name}" for name, kind in columns]
        table = spark.createDataFrame([tuple(row) for row in rows], schema).selectExpr(*typed)
        table.coalesce(1).write.mode("overwrite").parquet(folder)
        spark.read.parquet(folder).createOrReplaceTempView("grid")

        try:
            yield Engine(spark)
        finally:
            spark.stop()
