"""The examples of docs/reference/python.md and of the public names run, and give what is written there."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from inspect import getmodule
from pathlib import Path

import pytest

import webarticlecurator
from webarticlecurator import CrawlOptions, crawl
from webarticlecurator.example_portal import ExamplePortal

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "python.md"
PUBLIC = {name: getattr(webarticlecurator, name) for name in webarticlecurator.__all__}
SHOWN = ("Article", "build", "crawl", "export", "extract", "iter_warc", "read_corpus", "search", "status")


@pytest.fixture
def portal_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the portal file of an example portal that is running."""
    monkeypatch.chdir(tmp_path)
    with ExamplePortal() as served:
        yield served.portal_file(tmp_path, delay="0s")


def run(example: doctest.DocTest) -> None:
    assert example.examples
    told: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=told.append)
    assert results.failed == 0, "".join(told)


def test_the_examples_of_the_page_run(portal_file: Path) -> None:
    run(doctest.DocTestParser().get_doctest(PAGE.read_text(encoding="utf-8"), {}, PAGE.name, str(PAGE), 0))


@pytest.mark.nightly
@pytest.mark.parametrize("name", SHOWN)
def test_the_examples_of_a_public_name_run(name: str, portal_file: Path) -> None:
    crawl(portal_file, options=CrawlOptions(columns=("francais",)))
    shown = PUBLIC[name]
    (example,) = doctest.DocTestFinder(recurse=False).find(shown, name, module=getmodule(shown), globs={})
    run(example)


def test_every_public_name_says_what_it_is() -> None:
    assert [name for name, value in PUBLIC.items() if not getattr(value, "__doc__", None)] == []
