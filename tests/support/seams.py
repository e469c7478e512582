"""The only place where tests reach into the package: what no command, no public function and no file tells at the price of a test.

A test imports `webarticlecurator` (the names that it publishes), `webarticlecurator.example_portal` (known truth), and this module.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import yaml

from webarticlecurator import Capture, Portal, load_portal, resources
from webarticlecurator.cli.app import main as main
from webarticlecurator.cli.learn_report import Asked, Told
from webarticlecurator.config.expectations import parse_expectations
from webarticlecurator.corpus_learning import Learning
from webarticlecurator.document.page import read_page
from webarticlecurator.extraction.links import read_archive_page
from webarticlecurator.extraction.picks import PageContext, pick_fields
from webarticlecurator.learning.article_findings import PagesToLearnFrom
from webarticlecurator.learning.bodies.findings import truths_in
from webarticlecurator.learning.portal_findings import PortalFindings
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.page import Page
from webarticlecurator.new_portal import begin
from webarticlecurator.settings import SETTINGS
from webarticlecurator.trial import next_page

ENVIRONMENT = tuple(setting.env for setting in SETTINGS)
"""The variables that `curator` heeds."""

URL = "https://pelda.example/lista/3"
WHEN = datetime(2024, 6, 1, 12, tzinfo=UTC)


def portal_of(files: Mapping[str, str] | None = None, **rules: Any) -> Portal:
    """A portal with these parts of its file; `files` lie beside it."""
    base = {"portal": "pelda", "home": "https://pelda.example/", "language": "hu", "timezone": "Europe/Budapest"}
    with TemporaryDirectory() as folder:
        for name, content in (files or {}).items():
            (Path(folder) / name).write_text(content, encoding="utf-8")
        path = Path(folder) / "portal.yaml"
        path.write_text(yaml.safe_dump({**base, **rules}, allow_unicode=True), encoding="utf-8")
        return load_portal(path)


def capture_of(content: str | bytes, url: str = URL, *, requested: str | None = None, headers: tuple[tuple[str, str], ...] = ()) -> Capture:
    """A response with this body."""
    body = content.encode() if isinstance(content, str) else content
    return Capture(url=url, requested_url=requested or url, status=200, headers=headers, entity=body, date=WHEN)


def page_of(content: str | bytes, url: str = URL, *, format: str = "html", **more: Any) -> Page:
    page = read_page(capture_of(content, url, **more), format=format)
    assert isinstance(page, Page), page
    return page


def archive_of(
    content: str | Any, at: str = URL, *, articles: dict[str, Any] | None = None, files: Mapping[str, str] | None = None, **archive: Any
) -> ArchivePage:
    """What an archive page says by these `archive` rules; anything but a text is served as JSON."""
    next_link = "next" in archive
    rules = {"url": "https://pelda.example/lista/1" if next_link else "https://pelda.example/lista/{page}", **archive}
    if not isinstance(content, str):
        content, rules = json.dumps(content), {"format": "json", **rules}
    portal = portal_of(files, archive=rules, **({"articles": articles} if articles else {}))
    (column,) = portal.columns
    return read_archive_page(page_of(content, at, format=column.format), column, portal)


def links_of(content: str | Any, **archive: Any) -> list[str]:
    return [link.url for link in archive_of(content, **archive).articles]


def values_of(
    pick: Any, html: str, url: str = URL, *, field: str = "keywords", listing: Mapping[str, tuple[str, ...]] | None = None
) -> list[str]:
    """What a metadata pick gives for a field (default: a list of texts)."""
    return all_values_of({field: pick}, html, url, listing=listing).get(field, [])


def all_values_of(
    metadata: Mapping[str, Any], html: str, url: str = URL, *, listing: Mapping[str, tuple[str, ...]] | None = None
) -> dict[str, list[str]]:
    portal = portal_of(metadata=dict(metadata))
    place = PageContext.whole(page_of(html, url), portal, listing=listing or {})
    return {name: [one.value for one in found] for name, found in pick_fields(portal.metadata, place).items()}


def known_urls(corpus: Path) -> dict[str, str]:
    """Address -> outcome of everything that the crawls of a corpus know."""
    with closing(sqlite3.connect(corpus / "ledger.sqlite")) as ledger:
        return dict(ledger.execute("SELECT url, outcome FROM urls").fetchall())


# --- from_pages ---


@contextmanager
def new_asks_at_once() -> Iterator[None]:
    """`curator new` waits a second or more between two requests to a site that it does not know; here it only must want to."""
    polite = begin.portal_to_be

    def without_delay(url: str, output: Path) -> Portal:
        portal = polite(url, output)
        assert portal.fetch.delay >= timedelta(seconds=1), "a site that is not known yet is asked slowly"
        return replace(portal, fetch=replace(portal.fetch, delay=timedelta(0)))

    with patch.object(begin, "portal_to_be", without_delay):
        yield


@contextmanager
def shipped(folder: Path) -> Iterator[None]:
    """As if this folder had come with the program."""
    with patch.object(resources, "_PACKAGE", folder.resolve()):
        yield


@contextmanager
def training_is_interrupted() -> Iterator[None]:
    """As if a person pressed Ctrl-C while a labeller is trained, however quickly that goes."""
    with patch("webarticlecurator.corpus_labelling.train", side_effect=KeyboardInterrupt):
        yield


def learned(
    rules: str,
    *,
    archive: Mapping[str, Mapping[str, str]],
    articles: Mapping[str, str],
    expected: str = "",
    answers: Mapping[str, int] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """What `curator learn --json` prints of these pages, and in "after" the file with what is sure or answered.

    `archive`: archive pages of each column; `expected`: what stands in tests.yaml; `more`: examples, listings, walked, parts.
    """
    portal = load_portal(Path("portal.yaml"), content=rules.encode())
    told = [one for one in parse_expectations(expected.encode(), Path("tests.yaml")) if one.kind == "article"] if expected else []
    pages = PagesToLearnFrom(
        archive={
            name: tuple(page_of(content, url, format="json" if content.startswith(("{", "[")) else "html") for url, content in some.items())
            for name, some in archive.items()
        },
        articles=tuple(page_of(content, url) for url, content in articles.items()),
        walked=more.pop("walked", {}),
        listings=more.pop("listings", {}),
        truths=truths_in(told),
        confirmed={one.url: one.metadata for one in told},
    )
    findings = PortalFindings(portal, pages, next_page, **more)
    assert findings.find(lambda _: None, lambda: False)
    learning = Learning(portal, findings, pages, 0, 0, (), complete=True)
    proposals = learning.learned(answers or {})
    file = learning.file(proposals, answers or {})
    data = Told(learning, proposals, file, Asked(typed="", write=False, answers=answers or {}, seen=frozenset()), None).as_data()
    return {**data, "after": file.after.decode()}
