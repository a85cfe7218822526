"""Runs a notebook as Jupyter does, as far as our notebooks need it."""

from __future__ import annotations

import ast
import base64
import io
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

#: The number of points per inch in pictures.
DPI = 72


def run(notebook: dict[str, Any], folder: Path) -> list[list[dict[str, Any]]]:
    """Runs all cells in `folder`, which is the current one. Returns the outputs of each code cell."""
    names: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [_outputs("".join(cell["source"]), names, number) for number, cell in enumerate(code, 1)]


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"cell {number}", "exec"), names)
    value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names) if last else None
    outputs = [_picture(figure) for figure in plt.get_fignums()]
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = _lines(value._repr_html_())
        result = {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}
        outputs.append(result)
    return outputs


def _picture(figure: int) -> dict[str, Any]:
    png = io.BytesIO()
    plt.figure(figure).savefig(png, format="png", dpi=DPI, metadata={"Software": None})
    plt.close(figure)
    data = {"image/png": base64.b64encode(png.getvalue()).decode()}
    return {"output_type": "display_data", "metadata": {}, "data": data}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
