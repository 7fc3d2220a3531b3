"""The notebooks run from their first cell to the last, and are kept without outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from support.docs.doc_pages import ROOT

FOLDER = ROOT / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
CELL_TIMEOUT_S = 600


def name_of(path: Path) -> str:
    return path.stem


def read_notebook(path: Path) -> Any:
    read: Any = nbformat.read
    return read(path, as_version=4)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    book = read_notebook(path)
    client = NotebookClient(
        book, timeout=CELL_TIMEOUT_S, resources={"metadata": {"path": str(FOLDER)}}
    )
    client.execute()
    assert any(cell.get("outputs") for cell in book.cells)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    book = read_notebook(path)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert len(code) >= 3
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    assert book.metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }


def test_all_of_them_are_named_in_the_docs() -> None:
    page = (ROOT / "docs" / "learning.md").read_text("utf-8")
    assert len(NOTEBOOKS) == 6
    for path in NOTEBOOKS:
        assert f"examples/notebooks/{path.name}" in page
