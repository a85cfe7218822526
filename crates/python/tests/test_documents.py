"""Examples in docstrings and documents, and the types of the package."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, tool

import ringtrace
import ringtrace._duckdb
import ringtrace._emit
import ringtrace._open
import ringtrace._table
import ringtrace._trace

MODULES = [
    ringtrace,
    ringtrace._duckdb,
    ringtrace._emit,
    ringtrace._open,
    ringtrace._table,
    ringtrace._trace,
]

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def work_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes to a folder for examples, which read testdata and write files."""
    (folder / "testdata").symlink_to(ROOT / "testdata")
    monkeypatch.chdir(folder)


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(
    module: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work_in(tmp_path, monkeypatch)
    results = doctest.testmod(module, extraglobs={"ringtrace": ringtrace}, optionflags=FLAGS)  # type: ignore[arg-type]
    assert results.attempted > 0 and results.failed == 0


@pytest.mark.parametrize(("document", "least"), [("docs/python.md", 20), ("README.md", 3)])
def test_examples_in_documents_are_true(
    document: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / document).read_text()
    examples = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    work_in(tmp_path, monkeypatch)
    tool("ingest", "fleet", "testdata/export/everything.trace")
    tool("ingest", "fleet", "testdata/boot-small.bin", "--events", "testdata/boot-small.events")
    test = doctest.DocTestParser().get_doctest(examples, {}, document, None, 0)
    assert len(test.examples) > least
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0


def test_all_public_names_have_a_docstring() -> None:
    for name in ringtrace.__all__:
        value = getattr(ringtrace, name)
        assert value.__doc__, name
        if isinstance(value, type):
            for member, function in vars(value).items():
                if not member.startswith("_") and (callable(function) or isinstance(function, property)):
                    assert function.__doc__, f"{name}.{member}"


def test_types_are_right(tmp_path: Path) -> None:
    package = ROOT / "crates/python"
    checked = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--config-file", package / "pyproject.toml"),
            *("--cache-dir", tmp_path, package / "python/ringtrace"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
