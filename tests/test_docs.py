"""The documents say what the program does, or a test fails."""

from __future__ import annotations

import configparser
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import webarticlecurator
from webarticlecurator.cli.exit_codes import MEANING
from webarticlecurator.model.outcome import ASKED_AGAIN, FAILURES, FetchOutcome, PageOutcome
from webarticlecurator.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def rows(page: str) -> dict[str, list[str]]:
    """The rows of all tables of a page, whichever part of docs/ it is in: first cell -> the other cells."""
    (path,) = ROOT.glob(f"docs/*/{page}")
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    cells = [[cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return {first: rest for first, *rest in cells}


def script(name: str) -> ModuleType:
    """A module of docs/, which is no package."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    return script("generate")


def test_generated_pages_are_what_the_program_says(generator: ModuleType) -> None:
    for name, write in generator.PAGES.items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == write(), f"docs/{name} is out of date: run `make docs`"


def test_the_python_reference_names_every_public_name_and_says_what_every_field_holds() -> None:
    page = (ROOT / "docs" / "reference" / "python-api.md").read_text(encoding="utf-8")
    assert [name for name in webarticlecurator.__all__ if f"`{name}`" not in page] == []
    assert re.findall(r"^.*\|  \|$", page, re.MULTILINE) == []


def test_the_tei_reference_has_every_element_of_the_schema_and_no_other() -> None:
    schema = (ROOT / "schemas" / "tei" / "webarticle.rng").read_text(encoding="utf-8")
    written = set(re.findall(r'<element name="(\w+)"', schema))
    assert {element for element, cells in rows("tei-elements.md").items() if len(cells) == 3 and element.isalnum()} - {"element"} == written


def test_the_reference_names_every_option_that_help_names(generator: ModuleType, curator) -> None:
    page = generator.command_line_page()
    named = {flag for name in generator.COMMANDS for flag in re.findall(r"--[a-z][a-z0-9-]+", curator(name, "--help").out)}
    assert [flag for flag in sorted(named - generator._EVERYWHERE) if f"`{flag}`" not in page] == []


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
    written = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\((?!<?https?:)([^)#]*)#?([^)]*)", written)
    assert [target for target, _ in links if not (page.parent / target).exists()] == []
    assert [(target, part) for target, part in links if part and part not in parts(page.parent / target if target else page)] == []


def parts(page: Path) -> set[str]:
    """The anchors that forges give the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def pages_of_docs() -> list[str]:
    return [page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").glob("*/*.md")]


def test_every_page_of_docs_is_named_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert [page for page in pages_of_docs() if f"]({page})" not in index] == []


def test_every_page_is_in_the_menu_of_the_site_once() -> None:
    menu = re.findall(r"^ +- (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    outside = [page for name, page in script("site_hook").OUTSIDE.items() if (ROOT / name).exists()]
    assert sorted(menu) == sorted(["index.md", *pages_of_docs(), *outside])


@pytest.mark.parametrize(
    ("page", "written", "in_the_site"),
    [
        ("recipes/a.md", "[warc](../reference/warc.md#files)", "[warc](../reference/warc.md#files)"),
        ("index.md", "[tei.md](reference/tei.md)", "[The TEI documents](reference/tei.md)"),
        ("recipes/a.md", "See [the changes](../../CHANGELOG.md).", "See [the changes](../project/changelog.md)."),
        ("project/readme.md", "[![Tags](docs/images/tags.png)](docs/index.md)", "[![Tags](../images/tags.png)](../index.md)"),
        ("project/readme.md", "under [Apache](LICENSE)", "under Apache (`LICENSE`)"),
        ("explanation/a.md", "in [`webarticlecurator/urls.py`](../../webarticlecurator/urls.py)", "in `webarticlecurator/urls.py`"),
        ("recipes/a.md", "`[text](../../LICENSE)` [in](#here) [out](https://pelda.example/)", None),
        ("recipes/a.md", "```text\n[text](../../LICENSE)\n```", None),
    ],
)
def test_links_of_the_site_lead_to_its_pages_and_files_without_a_page_are_named(page: str, written: str, in_the_site: str | None) -> None:
    assert script("site_hook").for_the_site(written, page) == (written if in_the_site is None else in_the_site)


def test_the_architecture_page_names_only_modules_that_exist() -> None:
    text = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_]*(?:\.py)?)`", text))
    assert named
    assert [name for name in sorted(named) if not (ROOT / "webarticlecurator" / name).exists() and not (ROOT / name).exists()] == []


def test_one_version_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, re.MULTILINE)[1] == VERSION
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
