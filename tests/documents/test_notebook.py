"""The notebook in examples/ runs on the corpus of the example portal.

Its cells are run in their order in one namespace, as Jupyter does it, but without Jupyter: what would be shown is not drawn.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from webarticlecurator import CrawlOptions, build, crawl, read_corpus
from webarticlecurator.example_portal import ExamplePortal

nbformat = pytest.importorskip("nbformat", reason="notebooks are read by nbformat (pip install nbformat)")
pytestmark = pytest.mark.nightly
NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "corpus_in_pandas.ipynb"
CORPUS = "curator-demo/corpora/kilenchid"


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of what `curator demo` makes."""
    folder = tmp_path / "curator-demo"
    folder.mkdir()
    with ExamplePortal(articles=40) as served:
        file = served.portal_file(folder, delay="0s")
        crawl(file, options=CrawlOptions(columns=("english", "kultura")))
    build(file)
    monkeypatch.chdir(tmp_path)


def run(source: str, names: dict[str, Any]) -> Any:
    """What a cell shows: the value of its last line, where that is one."""
    *statements, last = ast.parse(source).body
    shown = isinstance(last, ast.Expr)
    exec(compile(ast.Module(statements if shown else [*statements, last], []), NOTEBOOK.name, "exec"), names)
    return eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names) if shown else None


def test_it_is_a_notebook_without_results_of_anybody_s_machine() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.outputs for cell in cells] == [[]] * len(cells)
    assert {cell.execution_count for cell in cells} == {None}


def test_its_cells_run_one_after_the_other(demo: None) -> None:
    names: dict[str, Any] = {}
    shown = [run(cell.source, names) for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    table = names["table"]
    articles = {article.id: article for article in read_corpus(CORPUS)}
    assert set(table["id"]) == set(articles)
    assert names["per_month"]["articles"].sum() == sum(article.date is not None for article in articles.values())
    assert set(names["per_section"].index) == {found.value for one in articles.values() for found in one.metadata.get("articleSection", ())}
    assert set(names["per_keyword"].index) == {found.value for one in articles.values() for found in one.metadata.get("keywords", ())}
    assert all(one is None or isinstance(one, tuple) or len(one) > 0 for one in shown)
