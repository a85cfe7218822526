"""The notebooks run, and their stored output is what they print."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import notebook as runner
import pytest
from conftest import ROOT

FOLDER = ROOT / "examples/notebooks"


def without_pictures(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Replaces pictures, whose bytes depend on the fonts of the machine."""
    return [
        output | {"data": {kind: "picture" if kind == "image/png" else text for kind, text in output["data"].items()}}
        for output in outputs
    ]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks_contain_their_output(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = json.loads(path.read_text())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])
    found = runner.run(notebook, tmp_path)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if os.environ.get("RINGTRACE_ACCEPT") == "1":
        for number, (cell, outputs) in enumerate(zip(cells, found, strict=True), 1):
            cell |= {"outputs": outputs, "execution_count": number}
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    pictures = 0
    for cell, outputs in zip(cells, found, strict=True):
        assert without_pictures(cell["outputs"]) == without_pictures(outputs), "".join(cell["source"])
        pictures += sum("image/png" in output["data"] for output in cell["outputs"])
    assert pictures >= 2
