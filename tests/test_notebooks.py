"""The notebooks of the documents: small, without errors, and they run."""

import asyncio
import json
import os
from pathlib import Path

import pytest

import indistinct as ind

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))
LARGEST = 20_000  # bytes


def outputs(document: dict) -> list[dict]:
    return [output for cell in document["cells"] for output in cell.get("outputs", [])]


def test_there_are_notebooks() -> None:
    assert {"publish", "graph", "ask", "compare"} <= {file.stem for file in NOTEBOOKS}


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_stands_with_its_results(file: Path) -> None:
    """It is a valid notebook, every cell was run in order, and no output is an error."""
    nbformat = pytest.importorskip("nbformat")
    document = json.loads(file.read_text("utf-8"))
    nbformat.validate(document)
    code = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert outputs(document)
    assert {output["output_type"] for output in outputs(document)} <= {"execute_result", "stream"}
    assert {output.get("name", "stdout") for output in outputs(document)} == {"stdout"}
    assert file.stat().st_size < LARGEST


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells run from the first to the last, and each shows as many results as before."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    source = str(Path(ind.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([source, os.environ.get("PYTHONPATH", "")]))
    document = nbformat.read(file, as_version=4)
    before = [len(cell.get("outputs", [])) for cell in document.cells]
    client = nbclient.NotebookClient(
        document, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    asyncio.run(client.async_execute())
    assert [len(cell.get("outputs", [])) for cell in document.cells] == before
