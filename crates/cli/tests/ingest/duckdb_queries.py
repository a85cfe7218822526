"""Runs the queries in a folder on a dataset, with DuckDB. Prints the results as JSON."""

import json
import sys
from pathlib import Path

import duckdb

dataset, queries = Path(sys.argv[1]), Path(sys.argv[2])
database = duckdb.connect()
for table in ["events", "spans", "dropped", "traces"]:
    database.sql(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{dataset}/{table}/**/*.parquet', union_by_name = true)")
for event in (dataset / "events").iterdir():
    name = event.name.removeprefix("event=")
    database.sql(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{event}/**/*.parquet', union_by_name = true)")


def text(value):
    return None if value is None else str(value)


results = {}
for path in sorted(queries.glob("*.sql")):
    rows = database.sql(path.read_text()).fetchall()
    results[path.stem] = [[text(value) for value in row] for row in rows]
print(json.dumps(results))
