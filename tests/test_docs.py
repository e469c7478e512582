"""The documents say what the program does, or a test fails."""

from __future__ import annotations

import configparser
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from webarticlecurator.cli.exit_codes import MEANING
from webarticlecurator.model.outcome import ASKED_AGAIN, FAILURES, FetchOutcome, PageOutcome
from webarticlecurator.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def rows(page: str) -> dict[str, list[str]]:
    """The rows of all tables of a page: first cell -> the other cells."""
    lines = [line for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    cells = [[cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return {first: rest for first, *rest in cells}


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_what_the_program_says(generator: ModuleType) -> None:
    for name, write in generator.PAGES.items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == write(), f"docs/{name} is out of date: run `make docs`"


def test_the_reference_names_every_option_that_help_names(generator: ModuleType, curator) -> None:
    page = generator.command_line_page()
    for flag in set(re.findall(r"--[a-z][a-z-]+", curator("crawl", "--help").out)):
        assert flag in page


def test_every_dependency_is_explained_and_every_explained_one_is_there() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    required = {re.match(r"[A-Za-z0-9.-]+", line)[0].lower() for line in setup["options"]["install_requires"].split("\n") if line}
    explained = set(rows("dependencies.md")) - {"library", "---"}
    assert explained == required


IMPORTED_AS = {"beautifulsoup4": "bs4", "pyyaml": "yaml", "python-dateutil": "dateutil"}


def test_every_dependency_is_used_by_the_program() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "webarticlecurator").rglob("*.py"))
    named = set(rows("dependencies.md")) - {"library", "---"} - {"tzdata", "charset-normalizer"}  # used by others that we use
    assert {name for name in named if not re.search(rf"^\s*(from|import) {IMPORTED_AS.get(name, name)}\b", sources, re.MULTILINE)} == set()


def test_every_outcome_is_explained_with_what_happens_to_it_next() -> None:
    table = rows("outcomes.md")
    for outcome in FetchOutcome:
        meaning, again, failure = table[outcome]
        assert meaning
        assert again.startswith("yes") is (outcome in ASKED_AGAIN)
        assert (failure == "yes") is (outcome in FAILURES)
    assert {str(outcome) for outcome in PageOutcome} <= set(table)


def test_every_exit_code_is_explained_in_the_program_s_words() -> None:
    table = rows("outcomes.md")
    for code, meaning in MEANING.items():
        assert table[str(code.value)] == [meaning]


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_page_of_docs_is_named_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert [page.name for page in (ROOT / "docs").glob("*.md") if page.name != "index.md" and page.name not in index] == []


def test_the_architecture_page_names_only_modules_that_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_]*(?:\.py)?)`", text))
    assert named
    assert [name for name in sorted(named) if not (ROOT / "webarticlecurator" / name).exists() and not (ROOT / name).exists()] == []


def test_one_version_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, re.MULTILINE)[1] == VERSION
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
