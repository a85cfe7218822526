"""Compares the dataset `dataset` of one trace with its export `out.parquet`, in a folder."""

import os
import sys
from pathlib import Path

import duckdb

os.chdir(sys.argv[1])


def rows(exported, ingested):
    """Returns the number of rows of two tables. Fails if a column of the first one differs."""
    exported, ingested = (f"read_parquet('{files}', hive_partitioning = false)" for files in [exported, ingested])
    names = [row[0] for row in duckdb.sql(f"DESCRIBE SELECT * FROM {exported}").fetchall()]
    # The dataset has these in the names of folders.
    columns = ", ".join(f'"{name}"' for name in names if name != "pair")
    tables = [f"SELECT {columns} FROM {table}" for table in [exported, ingested]]
    for one, other in [tables, tables[::-1]]:
        differences = duckdb.sql(f"{one} EXCEPT ALL {other}").fetchall()
        assert not differences, (exported, differences)
    return duckdb.sql(f"SELECT count(*) FROM {ingested}").fetchall()[0][0]


for table in ["events", "spans"]:
    count = 0
    for folder in sorted(Path("out.parquet", table).iterdir()):
        count += rows(f"{folder}/*.parquet", f"dataset/{table}/{folder.name}/**/*.parquet")
    print(table, count)
for table in ["dropped", "steps", "counters", "pauses"]:
    print(table, rows(f"out.parquet/{table}.parquet", f"dataset/{table}/**/*.parquet"))
