"""Reads a dataset with Arrow, Polars and DataFusion."""

import pathlib
import sys

dataset, libraries = sys.argv[1:]

import pyarrow.dataset

# Arrow takes the columns of the first file unless it is given all.
folder = f"{dataset}/events/event=disk_read"
parts = pyarrow.dataset.dataset(folder, partitioning="hive")
schemas = [fragment.physical_schema for fragment in parts.get_fragments()]
schema = pyarrow.unify_schemas([parts.schema, *schemas])
reads = pyarrow.dataset.dataset(folder, partitioning="hive", schema=schema).to_table()
priorities = len(reads) - reads["priority"].null_count
print(f"arrow: {len(reads)} requests, {priorities} with a priority")
assert reads.schema.field("size").type == "int64" and reads.schema.field("size__uint64").type == "uint64"
assert reads.schema.field("time").type == pyarrow.timestamp("us")
spans = pyarrow.dataset.dataset(f"{dataset}/spans", partitioning="hive").to_table()
assert len(spans) == 570 and set(spans["host"].to_pylist()) == {"alpha", "beta"}

sys.path.append(libraries)
try:
    import datafusion
    import polars
except ImportError:
    print("no polars")
    sys.exit()

reads = polars.scan_parquet(f"{folder}/**/*.parquet", missing_columns="insert", extra_columns="ignore")
assert reads.select(polars.len()).collect().item() == 570
# Polars takes the columns of the first file.
newest = [*pathlib.Path(folder).rglob("b2*.parquet"), *pathlib.Path(folder).rglob("host=beta/merged.*.parquet")]
columns = dict(polars.read_parquet_schema(newest[0]))
columns |= {"size": polars.Int64}
reads = polars.scan_parquet(
    f"{folder}/**/*.parquet",
    schema=columns,
    missing_columns="insert",
    extra_columns="ignore",
    hive_partitioning=True,
)
counts = reads.select(polars.len(), polars.col("priority").count()).collect().row(0)
print(f"polars: {counts[0]} requests, {counts[1]} with a priority")

context = datafusion.SessionContext()
context.register_parquet("disk_read", folder, table_partition_cols=[("date", "string"), ("host", "string")])
context.register_parquet("spans", f"{dataset}/spans", table_partition_cols=[("pair", "string"), ("date", "string"), ("host", "string")])
counts = context.sql("SELECT count(*) AS requests, count(priority) AS priorities FROM disk_read").to_pydict()
print(f"datafusion: {counts['requests'][0]} requests, {counts['priorities'][0]} with a priority")
assert context.sql("SELECT count(*) AS spans FROM spans WHERE host = 'beta'").to_pydict() == {"spans": [270]}
