"""Runs SQL over a dataset with Spark.

    spark-submit query.py [--json] DATASET FILE.sql...

Each event is a table with its name, and there are the tables `events` (all events, without
arguments), `spans`, `dropped`, `pauses`, `steps`, `counters` and `traces`.
"""

import argparse
import json
import os
import sys
from urllib.parse import unquote

from pyspark.sql import SparkSession

COMMON = ["event", "host", "date", "trace", "time_ns", "wall_ns", "time", "pid", "tid", "thread", "cpu"]


def register(spark, dataset):
    """Creates a temporary view for each table of a dataset in a folder."""
    spark.read.parquet(f"{dataset}/traces").createOrReplaceTempView("traces")
    events = f"{dataset}/events"
    if os.path.isdir(events):
        # All files have these columns, so reading the schema of one of them is enough.
        spark.read.parquet(events).select(COMMON).createOrReplaceTempView("events")
        for folder in sorted(os.listdir(events)):
            name = unquote(folder.removeprefix("event="))
            # A file has the columns of the program's version.
            table = spark.read.option("mergeSchema", "true").parquet(f"{events}/{folder}")
            table.createOrReplaceTempView(f"`{name}`")
    for name in ["spans", "dropped", "pauses", "steps", "counters"]:
        if os.path.isdir(f"{dataset}/{name}"):
            table = spark.read.option("mergeSchema", "true").parquet(f"{dataset}/{name}")
            table.createOrReplaceTempView(name)


def text(value):
    return None if value is None else str(value)


def main(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the rows of all queries as JSON")
    parser.add_argument("dataset")
    parser.add_argument("queries", nargs="+", metavar="FILE.sql")
    arguments = parser.parse_args(words)
    spark = SparkSession.builder.appName("ringtrace query").getOrCreate()
    register(spark, arguments.dataset)
    results = {}
    for path in arguments.queries:
        with open(path, encoding="utf-8") as file:
            result = spark.sql(file.read())
        if arguments.json:
            name = os.path.basename(path).removesuffix(".sql")
            results[name] = [[text(value) for value in row] for row in result.collect()]
        else:
            result.show(100, truncate=False)
    if arguments.json:
        print(json.dumps(results))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
