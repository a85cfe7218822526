"""The queries of ``testdata/queries`` give the same rows over traces as everywhere else."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from conftest import TESTDATA, tool

import ringtrace

TRACES = sorted((TESTDATA / "queries/traces").glob("*.trace"))
QUERIES = sorted((TESTDATA / "queries").glob("*.sql"))
PAIRS = "pair disk_read:disk_done:req\n  begin disk_read req\n  end disk_done req\n"


@pytest.fixture(scope="module", params=["traces", "dataset"])
def fleet(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ringtrace.Trace:
    folder = tmp_path_factory.mktemp("fleet")
    pairs = folder / "pairs"
    pairs.write_text(PAIRS)
    if request.param == "traces":
        return ringtrace.open(TRACES, pairs=pairs)
    tool("ingest", folder / "set", "--pairs", pairs, *TRACES)
    return ringtrace.open(folder / "set")


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: str(query.stem))
def test_queries_have_their_results(fleet: ringtrace.Trace, query: Path) -> None:
    rows = fleet.sql(query.read_text()).fetchall()
    expected = json.loads(query.with_suffix(".json").read_text())
    assert [[None if value is None else str(value) for value in row] for row in rows] == expected


def test_all_queries_are_there() -> None:
    assert len(QUERIES) == 12
    assert len(TRACES) == 4


def test_traces_are_a_table(tmp_path: Path) -> None:
    """The facts about a trace are those in a dataset."""
    query = "select trace, host, boot, pid, command, build_id from traces order by trace"
    rows = ringtrace.open(TRACES).sql(query).fetchall()
    assert rows[0][1:5] == ("alpha", "11111111-1111-4111-8111-111111111111", 4711, "/usr/bin/engine --name alpha-1.trace")
    tool("ingest", tmp_path / "set", *TRACES)
    dataset = duckdb.sql(query.replace("traces", f"'{tmp_path}/set/traces/*.parquet'"))
    assert dataset.fetchall() == rows
