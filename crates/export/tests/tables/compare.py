"""Compares exported tables with the same trace as read by ringtrace.

usage: compare.py REFERENCE PARQUET CSV JSONL

tables.rs writes REFERENCE. The other arguments are exports. Prints the number of comparisons.
"""

import collections
import csv
import datetime
import glob
import json
import math
import os
import re
import struct
import sys
import urllib.parse

import duckdb
import pyarrow.dataset
import pyarrow.parquet

RESERVED = "event time_ns time pid tid thread cause args surplus trace pair span track latency_ns record wall_ns cpu".split()
reference, parquet, csv_file, jsonl_file = sys.argv[1:]
with open(reference) as lines:
    reference = [json.loads(line) for line in lines]
# Only Parquet has these columns.
cpus = [line.pop("cpu", None) for line in reference]
arguments_of_spans = {line["span"]: (line.pop("begin_args"), line.pop("end_args")) for line in reference if line["kind"] == "span"}
counts = collections.Counter()


def equal(what, found, expected):
    counts[what] += 1
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def equal_lists(what, found, expected):
    for index, (one, other) in enumerate(zip(found, expected)):
        equal(what, one, other)
    equal(what + ", number", len(found), len(expected))


def of(kind):
    return [line for line in reference if line["kind"] == kind]


def signed(number):
    """Converts a time to Int64, which is its type in Parquet. Times beyond 2^63 become negative."""
    return number - (1 << 64) if number is not None and number >= 1 << 63 else number


def raw(text):
    """Returns the bytes that the text of a Parquet column represents."""
    if "\\x" not in text:
        return text.encode().hex()
    byte = lambda match: bytes([int(match[1], 16)]).decode("latin-1") if match[1] else "\\"
    parts = re.split(r"(\\x[0-9a-f]{2}|\\\\)", text)
    return b"".join(
        part.encode() if index % 2 == 0 else b"\\" if part == "\\\\" else bytes([int(part[2:], 16)])
        for index, part in enumerate(parts)
    ).hex()


def text_of(json_text):
    return json_text.encode("utf-8", "surrogateescape").hex()


def bits_of(number, expected):
    """Returns the bits of a double. A NaN has no particular bits, so any is like the expected one."""
    if math.isnan(number) and math.isnan(struct.unpack("<d", struct.pack("<Q", expected["double"]))[0]):
        return expected
    return {"double": struct.unpack("<Q", struct.pack("<d", number))[0]}


def of_json(value, expected):
    """Converts a value of JSON lines to the form and type of the value in the reference."""
    if "text" in expected:
        return {"text": text_of(value)}
    if "pointer" in expected:
        return {"pointer": int(value, 16)}
    if "bool" in expected:
        return {"bool": value}
    if "double" in expected:
        return bits_of(float(value), expected)
    if not isinstance(value, str) and abs(value) > 1 << 53:
        sys.exit(f"{value} must be a string, because a double cannot represent it")
    return {"number": int(value)}


def arguments_of_json(found, expected):
    return {name: of_json(value, expected["args"].get(name, {})) for name, value in found.items()}


def nanoseconds(date):
    """Converts a date to nanoseconds since 1970. Python's dates have only microseconds."""
    whole, fraction = date.removesuffix("Z").split(".")
    seconds = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc).timestamp()
    return int(seconds) * 1_000_000_000 + int(fraction)


def record_of_json(found, expected):
    record = {"kind": expected["kind"], "event": found["event"], "time_ns": int(found["time_ns"])}
    record["time"] = nanoseconds(found["time"]) if found.get("time") else None
    for name in ["pid", "tid"]:
        record[name] = int(found[name]) if found.get(name) not in (None, "") else None
    for name in ["thread", "cause"]:
        record[name] = found.get(name) or None
    record["args"] = arguments_of_json(found["args"], expected)
    return record


def span_of_json(found):
    number = lambda name: int(found[name]) if found.get(name) not in (None, "") else None
    text = lambda name: found.get(name) or None
    return {
        "kind": "span",
        **{name: text(name) for name in ["pair", "track", "outcome", "begin_event", "end_event"]},
        **{name: number(name) for name in ["span", "begin_ns", "end_ns", "latency_ns"]},
    }


# --- JSON lines, read by Python

records = [line for line in reference if line["kind"] in ("event", "dropped")]
with open(jsonl_file, encoding="utf-8", newline="\n") as lines:
    lines = [json.loads(line) for line in lines]
equal("jsonl: the first line", (lines[0]["row"], lines[0]["version"]), ("schema", 1))
found = [line for line in lines if "row" not in line]
equal("jsonl: records", len(found), len(records))
equal_lists("jsonl: record", [record_of_json(*both) for both in zip(found, records)], records)
rows = collections.defaultdict(list)
for line in lines:
    if "row" in line:
        rows[line.pop("row")].append(line)
equal_lists("jsonl: span", [span_of_json(row) for row in rows["span"]], of("span"))
owner = lambda row: {**{name: int(row[name]) if row.get(name) not in (None, "") else None for name in ["pid", "tid"]}, "thread": row.get("thread") or None}
step = lambda row: {"kind": "step", **owner(row), "pair": row["pair"], "span": int(row["span"]), "step": row["step"], "time_ns": int(row["time_ns"])}
equal_lists("jsonl: step", [step(row) for row in rows["step"]], of("step"))
counter = lambda row: {"kind": "counter", **owner(row), "counter": row["counter"], "track": row["track"], "time_ns": int(row["time_ns"]), "value": int(row["value"])}
equal_lists("jsonl: counter", [counter(row) for row in rows["counter"]], of("counter"))
pause = lambda row: {"kind": "pause", **{name: int(row[name]) if row.get(name) is not None else None for name in ["begin_ns", "end_ns", "duration_ns"]}}
equal_lists("jsonl: pause", [pause(row) for row in rows["pause"]], of("pause"))

# --- CSV, read by Python's csv

csv.field_size_limit(1 << 30)
with open(csv_file, encoding="utf-8", newline="") as file:
    rows = collections.defaultdict(list)
    records_of_csv = []
    for row in csv.DictReader(file, strict=True):
        equal("csv: all columns are present", None in row or None in row.values(), False)
        if row["row"] in ("event", "dropped"):
            records_of_csv.append({**row, "args": json.loads(row["args"])})
        else:
            rows[row["row"]].append(row)
equal("csv: records", len(records_of_csv), len(records))
equal_lists("csv: row", [row["row"] for row in records_of_csv], [record["kind"] for record in records])
equal_lists("csv: record", [record_of_json(*both) for both in zip(records_of_csv, records)], records)
equal_lists("csv: span", [span_of_json({**row, "begin_event": row["event"]}) for row in rows["span"]], of("span"))
equal_lists("csv: step", [step({**row, "step": row["event"]}) for row in rows["step"]], of("step"))
equal_lists("csv: counter", [counter(row) for row in rows["counter"]], of("counter"))
equal_lists("csv: pause", [pause(json.loads(row["args"])) for row in rows["pause"]], of("pause"))

# --- Parquet, read by DuckDB and Arrow

db = duckdb.connect()


def rows_of(sql):
    cursor = db.execute(sql)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def columns_of(event):
    """Returns the columns of an event's arguments by name."""
    taken, columns = set(RESERVED), {}
    for name in event:
        column = name
        while column.lower() in taken:
            column = "arg_" + column
        taken.add(column.lower())
        columns[name] = column
    return columns


def of_column(value, expected):
    if value is None:
        return None
    if "text" in expected:
        return {"text": raw(value)}
    if "bool" in expected:
        return {"bool": value}
    if "double" in expected:
        return bits_of(value, expected)
    return {next(iter(expected)): value}


def record_of_parquet(found, expected):
    record = {"kind": "event", "event": expected["event"], "time_ns": found["time_ns"]}
    record["time"] = found["wall_ns"]
    microseconds = None if found["wall_ns"] is None else found["wall_ns"] // 1000
    equal("parquet: time in microseconds", found["time_of_row"], microseconds)
    for name in ["pid", "tid", "thread", "cpu"]:
        record[name] = found[name]
    record["cause"] = None
    columns = columns_of(expected["args"])
    record["args"] = {name: of_column(found[columns[name]], value) for name, value in expected["args"].items()}
    return record


by_event = collections.defaultdict(list)
for record, cpu in zip(reference, cpus):
    if record["kind"] == "event":
        by_event[record["event"]].append({**record, "time_ns": signed(record["time_ns"]), "cpu": cpu})
for event, expected in by_event.items():
    files = sorted(glob.glob(os.path.join(parquet, "events", f"event={event}", "*.parquet")))
    metadata = pyarrow.parquet.read_metadata(files[0]).metadata
    equal("parquet: version in the metadata", metadata[b"ringtrace.schema_version"], b"2")
    equal("parquet: event in the metadata", metadata[b"ringtrace.event"].decode(), event)
    by_duckdb, by_arrow = [], []
    for file in files:
        by_duckdb += rows_of(f"SELECT *, epoch_us(time) AS time_of_row FROM read_parquet('{file}', hive_partitioning = false)")
        table = pyarrow.parquet.ParquetFile(file).read()
        table.validate(full=True)
        equal("parquet: type of the time", str(table["time"].type), "timestamp[us]")
        table = table.append_column("time_of_row", table["time"].cast("int64"))
        table = table.drop(["time"])
        by_arrow += table.to_pylist()
        times = [int(number) for number in os.path.basename(file).removesuffix(".parquet").split("-")[1:]]
        inside = [row["time_ns"] % (1 << 64) for row in table.to_pylist()]
        equal("parquet: times in a file's name", times, [min(inside), max(inside)])
    equal_lists("arrow: record", [record_of_parquet(*both) for both in zip(by_arrow, expected)], expected)
    equal_lists("duckdb: record", [record_of_parquet(*both) for both in zip(by_duckdb, expected)], expected)

dropped = rows_of(f"SELECT * FROM '{parquet}/dropped.parquet'")
expected = of("dropped")
as_row = lambda row: (row["time_ns"], row["pid"], row["tid"], row["thread"], row["cause"], row["dropped"])
as_expected = lambda row: (signed(row["time_ns"]), row["pid"], row["tid"], row["thread"], row["cause"], row["args"]["num_events_dropped"]["number"])
equal_lists("duckdb: dropped", [as_row(row) for row in dropped], [as_expected(row) for row in expected])
equal_lists("duckdb: pause", [{"kind": "pause", **row} for row in rows_of(f"SELECT * FROM '{parquet}/pauses.parquet'")], of("pause"))
by_pair = collections.defaultdict(list)
for span in of("span"):
    by_pair[span["pair"]].append(span)
found_pairs = set()
spans_found = 0
names = "pair, track, outcome, begin_event, end_event, span, begin_ns, end_ns, latency_ns"
for folder in sorted(glob.glob(os.path.join(parquet, "spans", "*"))):
    pair = urllib.parse.unquote(os.path.basename(folder).removeprefix("pair="))
    found_pairs.add(pair)
    # DuckDB takes the column `pair` from the file; it must be the folder's name as well.
    rows = rows_of(f"SELECT {names} FROM read_parquet('{folder}/*.parquet', hive_partitioning = false, union_by_name = true)")
    spans_found += len(rows)
    equal_lists("duckdb: span", [{"kind": "span", **row} for row in rows], by_pair[pair])
    rows = rows_of(f"SELECT * FROM read_parquet('{folder}/*.parquet', hive_partitioning = false, union_by_name = true)")
    for row in rows:
        columns = set()
        for side, arguments in zip(["begin", "end"], arguments_of_spans[row["span"]]):
            for name, expected in (arguments or {}).items():
                # If two events declare an argument with different types, one column has a suffix.
                of_argument = [c for c in row if re.fullmatch(f"{side}_{re.escape(name)}(__\\w+)?", c) and row[c] is not None]
                equal("duckdb: argument of a span", [of_column(row[c], expected) for c in of_argument], [expected])
                columns.update(of_argument)
        for column in row:
            if column.startswith(("begin_", "end_")) and column not in columns | {"begin_ns", "end_ns", "begin_event", "end_event"}:
                equal("duckdb: other argument of a span", row[column], None)
equal("duckdb: pairs with spans", found_pairs.issuperset(by_pair), True)
equal("duckdb: span, number", spans_found, len(of("span")))
equal_lists("duckdb: step", [{"kind": "step", **row} for row in rows_of(f"SELECT pair, span, step, time_ns, pid, tid, thread FROM '{parquet}/steps.parquet'")], of("step"))
names = "counter, track, time_ns, value, pid, tid, thread"
found = [{"kind": "counter", **row} for row in rows_of(f"SELECT {names} FROM '{parquet}/counters.parquet'")]
equal_lists("duckdb: counter", found, [{**row, "time_ns": signed(row["time_ns"])} for row in of("counter")])
# --- SQL over all events at once

if by_event:
    everything = f"read_parquet('{parquet}/events/*/*.parquet', hive_partitioning = true, union_by_name = true)"
    found = db.execute(f"SELECT event, count(*), min(time_ns), max(time_ns) FROM {everything} GROUP BY event ORDER BY event").fetchall()
    times = {event: [row["time_ns"] for row in rows] for event, rows in by_event.items()}
    equal_lists("duckdb: partition", found, [(event, len(times[event]), min(times[event]), max(times[event])) for event in sorted(times)])
    plain = db.execute(f"SELECT count(*) FROM '{parquet}/events/*/*.parquet' WHERE pid IS NOT NULL AND event <> ''").fetchall()
    equal("duckdb: without options", plain, [(sum(row["pid"] is not None for rows in by_event.values() for row in rows),)])
    dataset = pyarrow.dataset.dataset(os.path.join(parquet, "events"), partitioning="hive")
    equal("arrow: rows of the dataset", dataset.count_rows(), sum(len(rows) for rows in by_event.values()))
    found = dataset.to_table(columns=["event", "time_ns"]).group_by("event").aggregate([("time_ns", "min")]).to_pylist()
    found = sorted((row["event"], row["time_ns_min"]) for row in found)
    equal_lists("arrow: partition", found, [(event, min(times[event])) for event in sorted(times)])

for what, count in counts.items():
    print(what, count)
