"""The only place where tests reach into the package: what no command, no public function and no file tells at the price of a test.

A test imports `webarticlecurator` (the names that it publishes), `webarticlecurator.example_portal` (known truth), and this module.
"""

from __future__ import annotations

import json
import pickle
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any
from unittest import mock
from unittest.mock import patch

import click
import orjson
import yaml
from lxml import etree

from webarticlecurator import Article, Capture, Outcome, Portal, load_portal, resources
from webarticlecurator.annotations.layer import Layer as Layer
from webarticlecurator.annotations.layer import Sentence as LayerSentence  # noqa: F401
from webarticlecurator.annotations.layer import Token as LayerToken  # noqa: F401
from webarticlecurator.building import article_builder
from webarticlecurator.building.article_row import Contents
from webarticlecurator.building.build_options import rules_digest
from webarticlecurator.building.changed_rules import changed_rules
from webarticlecurator.building.document_store import DocumentStore
from webarticlecurator.building.kept_json import as_bytes, with_rules
from webarticlecurator.building.kept_rules import KeptRules
from webarticlecurator.building.page_names import PageNames, names_of
from webarticlecurator.cli import console
from webarticlecurator.cli.app import COMMANDS, CommandEntry
from webarticlecurator.cli.app import main as main
from webarticlecurator.cli.crawl import of_crawl as of_crawl
from webarticlecurator.cli.learn import as_data
from webarticlecurator.cli.process import ExitCode as ExitCode
from webarticlecurator.cli.process import guarded
from webarticlecurator.config import load
from webarticlecurator.config.expectations import load_expectations
from webarticlecurator.config.portal import PagingMode as PagingMode
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.lock import locked as locked
from webarticlecurator.corpus.requisites import Requisites
from webarticlecurator.counts.calendar import gaps
from webarticlecurator.crawling import requisite_crawl
from webarticlecurator.databases import connect as connect
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.exporting import passage_tokens
from webarticlecurator.exporting.marked_words import with_annotations
from webarticlecurator.extraction.archive_page import read_archive_page
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.checks import Check
from webarticlecurator.extraction.picked_values import PageContext, pick_fields
from webarticlecurator.learning.bodies import truths_in
from webarticlecurator.learning.portal_findings import PagesToLearnFrom, PortalFindings
from webarticlecurator.model.article import from_json, stored_line
from webarticlecurator.model.capture import Exchange, Rendering, Request
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.outcome import FetchOutcome as FetchOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.settings import SETTINGS
from webarticlecurator.stages.build import compare_build as compare_build
from webarticlecurator.stages.learn import Learning
from webarticlecurator.stages.survey import surveyed
from webarticlecurator.stages.trial import next_page
from webarticlecurator.storage.places import OPEN as OPEN
from webarticlecurator.survey import page_pass
from webarticlecurator.survey.audit.findings import AuditQuestion, audit_of
from webarticlecurator.survey.inventory.assembling import inventory_of
from webarticlecurator.survey.inventory.tag_question import TagQuestion
from webarticlecurator.survey.page_pass import Question
from webarticlecurator.tei.document import Template, load_template, part_digest, render, try_template, validate
from webarticlecurator.tokens.sentences import Sentence, Token, stretches, tokenize
from webarticlecurator.workers.pool import Workers

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


class PageToReadAgain:
    """A page, and what is read of it by one portal file after the other."""

    def __init__(self, html: bytes, url: str) -> None:
        self._page = Capture(url=url, requested_url=url, date=datetime(2024, 6, 1, tzinfo=UTC), status=200, headers=_HTML, entity=html)
        self._read: dict[str, tuple[Any, bytes | None]] = {}
        """By the digest of the rules; those of the last edit alone."""

    def before_and_after(self, old: Portal, new: Portal) -> tuple[Any, Any] | None:
        """What is kept of it by two portal files; None if what differs between them can touch it."""
        kept = KeptRules.of(old, rules_digest(old, ""), "")
        changed = changed_rules(kept, new, "")
        if changed.by_address or not all(need.names for need in changed.needs):
            return None
        before, names = self._read.get(kept.rules) or self._kept_of(old)
        if names is None or PageNames.unpack(names).may_match(changed.needs):
            return None
        after = self._kept_of(new)
        self._read = {rules_digest(new, ""): after}
        line, dropped, *others = before
        renamed = [(changed.moved.get(rule, rule), *rest) for rule, *rest in dropped]
        return [with_rules(line, changed.moved), renamed, *others, names], [*after[0], after[1]]

    def read_by(self, portal: Portal) -> Any:
        """What is kept of it."""
        return self._kept_of(portal)[0]

    def _kept_of(self, portal: Portal) -> tuple[Any, bytes | None]:
        """What a build keeps of it, and the names on it."""
        page = read_page(self._page)
        assert isinstance(page, Page)
        try:
            article = read_article([page], portal, url=page.url)
        except ValueError as problem:  # a bug, which ends the reading of that page
            return (str(problem).encode(), [], "", {}, ""), None
        contents = Contents.of(article)
        facts = dict(contents.facts or {})
        names = names_of([page]) if article.outcome is not Outcome.UNREADABLE else None
        line, dropped = as_bytes(stored_line(article)), facts.pop("dropped")
        told = repr((article.outcome, article.reason, article.flags, article.above, article.layout, article.goes_on))
        return (line, dropped, contents.beside, facts, told), names.pack() if names is not None else None


_HTML = (("Content-Type", "text/html; charset=utf-8"),)


def said_by_a_pass(name: str, portal: Portal, corpus: Path, *, together: int, kept: bool, heard: list[str] | None = None) -> dict[str, Any]:
    """All that `tags` or `audit` counts in a corpus, so many pages together, with or without what was kept; and what it tells of that."""
    question: Question = TagQuestion(portal) if name == "tags" else AuditQuestion(portal)
    progress = mock.Mock(say=lambda _, message: heard.append(message) if heard is not None else None)
    with patch.object(page_pass, "TOGETHER", together):
        counts, pages, of_pages, _ = surveyed(portal, question, phase=name, corpus=corpus, workers=Workers(1), kept=kept, progress=progress)
    with closing(counts):
        said: dict[str, Any] = {table: sorted(map(repr, counts.rows(f"SELECT * FROM {table}"))) for table in question.tables}
        said["passed over"] = sorted(counts.rows(f"SELECT * FROM {page_pass.PASSED_OVER}"))
        said["pages"] = pages
        said["told"] = inventory_of(counts, portal, of_pages=of_pages) if name == "tags" else audit_of(counts, portal, of_pages=of_pages)
    return said


# --- commands and docs ---


@contextmanager
def a_command(does: Callable[[], object]) -> Iterator[None]:
    """`curator fail` is a command that does this: what else could be sure to fail?"""
    module = ModuleType("a_command")
    module.fail = click.Command("fail", callback=does)  # type: ignore[attr-defined]
    with (
        mock.patch.dict(sys.modules, {"webarticlecurator.cli.a_command": module}),
        mock.patch.dict(COMMANDS, fail=CommandEntry("a_command:fail", "Fail.")),
    ):
        yield


def as_process(command: Callable[[], int]) -> int:
    """The exit code of a process `curator` that does this."""
    return guarded(lambda: command)


@contextmanager
def without_waiting() -> Iterator[None]:
    """A site that no portal file is of is asked without a pause; progress is not shown."""

    def at_once(polite: Callable[..., Portal]) -> Callable[..., Portal]:
        def without_delay(*asked: Any) -> Portal:
            portal = polite(*asked)
            assert portal.fetch.delay >= timedelta(seconds=1), "a site that is not known yet is asked slowly"
            return replace(portal, fetch=replace(portal.fetch, delay=timedelta(0)))

        return without_delay

    with ExitStack() as patches:
        patches.enter_context(mock.patch.object(load, "portal_at", at_once(load.portal_at)))
        patches.enter_context(mock.patch.object(console.Lines, "show", lambda *_: None))
        yield


# --- reading ---


def article_of(
    *pages: str | bytes | tuple[str, str],
    url: str = URL,
    portal: Portal | None = None,
    listing: Mapping[str, tuple[str, ...]] | None = None,
    headers: tuple[tuple[str, str], ...] = (),
) -> Article:
    """What the pages of one article tell, and what the archive says of it; pages with addresses of their own are (address, content)."""
    portal = portal or portal_of()
    placed = [page if isinstance(page, tuple) else (url, page) for page in pages]
    read = [page_of(content, at, format=portal.articles.format, headers=headers) for at, content in placed]
    return read_article(read, portal, id="pelda-1", identity=url, url=url, listing=listing)


# --- corpus, faults ---


def limit_reading(patch: Any, seconds: float) -> None:
    """How long one page may be read, by whomever."""
    from webarticlecurator import budget

    patch.setattr(budget, "READING_LIMIT", seconds)
    patch.setattr(budget, "_LOOK_SECONDS", seconds / 10)


def limit_requisites(patch: Any, files: int) -> None:
    """Let a crawl ask for so many files of pages."""
    checks = (Check(f"{files} files in one crawl", lambda asked: asked.files >= files),)
    patch.setattr(requisite_crawl, "_ENOUGH_OF_ALL", checks)


def limit_pages(patch: Any, seconds: float, steps: int) -> None:
    """What the rules of a portal file may cost on one page."""
    from webarticlecurator import budget

    patch.setattr(budget, "PAGE_LIMIT", seconds)
    patch.setattr(budget, "MAX_STEPS", steps)


# --- documents ---


def article_of_line(line: Mapping[str, Any], *, versions: Iterable[Mapping[str, Any]] = (), **facts: Any) -> Article:
    """The article that a line of `export --to jsonl` tells; `facts` are what such a line does not hold."""
    beside: dict[str, Any] = {"identity": "1", "type": "NewsArticle", "language": None, "language_certainty": None, "layout": None}
    beside |= {"flags": [], "versions": versions, "missing_pages": [], "values": {}}
    whole = {"id": "pelda-0123456789abcdef", "url": "https://pelda.example/1", "outcome": "article", "reason": "", "captures": [], **line}
    return replace(from_json(whole, beside), **facts)


def document_of(article: Article, portal: Portal, *, template: str | Path = "default", day: date = date(2024, 5, 2)) -> bytes:
    """Its TEI document, as `curator build` would write it on that day."""
    return render(article, portal, template=_template(template), rules_digest="sha256:0", now=day)


def annotated_document_of(
    article: Article, portal: Portal, said_of: Callable[[str], Any], *, template: str | Path = "default", day: date = date(2024, 5, 2)
) -> bytes:
    """The same with annotations: `said_of` gives the sentences of a text as layers keep them."""
    shown, titles = with_annotations(article, said_of)
    return render(shown, portal, template=_template(template), rules_digest="sha256:0", now=day, titles=titles)


@cache
def _template(name: str | Path) -> Template:
    return load_template(name)


def try_a_template(path: str | Path) -> None:
    """Raises UsageError, as a build with this template would."""
    try_template(load_template(path), str(path))


def faults_of(document: bytes | Any) -> tuple[str, ...]:
    """Why a document (or a tree) is not valid; nothing where it is."""
    return validate(document if isinstance(document, bytes) else etree.tostring(document))


def says_the_same(document: bytes, other: bytes) -> bool:
    """Whether a build would leave the older of two documents alone."""
    return part_digest(document) == part_digest(other)


def documents_of(corpus: Path) -> dict[str, bytes | None]:
    """What a reader gets of each document that a build noted, whatever files they lie in."""
    with closing(sqlite3.connect(corpus / "build.sqlite")) as built, closing(DocumentStore(corpus)) as store:
        paths = built.execute("SELECT path FROM articles WHERE path IS NOT NULL ORDER BY path").fetchall()
        return {path: store.read(path) for (path,) in paths}


@contextmanager
def spoiled_documents(spoil: Callable[[str, bytes], bytes]) -> Iterator[None]:
    """As if the writer of documents had a mistake: address and document -> what it writes."""

    def spoiled(article: Article, portal: Portal, **how: Any) -> bytes:
        return spoil(article.url, render(article, portal, **how))

    with patch.object(article_builder, "render", spoiled):
        yield


def tokens_of(text: str, language: str | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """The sentences of a text: the white space before each, and its tokens with the white space behind them."""
    sentences = [("", [(token.text, token.space_after) for token in one.tokens]) for one in tokenize(stretches(text), language)]
    before = re.match("[\\s\u200b]*", text)
    opening = before[0] if before is not None else ""
    return [(opening, sentences[0][1] if sentences else []), *sentences[1:]] if sentences or opening else []


@contextmanager
def cutting_at_blanks() -> Iterator[None]:
    """Corpus tools are given tokens by the most careless tokenizer: what stands between blanks is one, be it a tag."""

    def at_blanks(pieces: Iterable[str], _: str | None) -> Iterator[Sentence]:
        words = "".join(pieces).split()
        return iter([Sentence(tuple(Token(word, " " if number % 2 else "") for number, word in enumerate(words)))] if words else [])

    with patch.object(passage_tokens, "tokenize", at_blanks):
        yield


def gaps_in(days: Mapping[str, int], *, until: date | None = None, proved: Iterable[tuple[date, date]] = ()) -> list[Any]:
    """Stretches without articles that look like gaps, of a portal that published so many on each day."""
    return list(gaps({"home": dict(days)}, {"home": until} if until else {}, {"home": list(proved)}))


def leave_the_cluster() -> None:
    """Whoever wants one from now on connects anew."""
    from webarticlecurator.workers.dask_cluster import connected

    connected.cache_clear()


def limited_browsers(*, pages: int = 200, seconds: float = 60.0) -> Any:
    """Each shows no more than so many pages, and is taken for one that hangs when none has come within so many seconds."""
    from webarticlecurator.fetch.browser import engine

    return patch.multiple(engine, _PAGES=pages, _STARTING=seconds)


def forget_stores() -> None:
    """Whoever opens an object store from now on connects anew."""
    from webarticlecurator.storage import places

    places._system.cache_clear()


# --- portal_file ---


def rules_of_walks(portal: Portal) -> dict[str, str]:
    """Column -> digest of the rules that decide which links its walks find: under another one what was proved is walked again."""
    return {column.name: column.rules for column in portal.columns}


def shown_by_browser(portal: Portal) -> dict[str, dict[str, Any]]:
    """How a browser shows the pages of each column and the `articles`, as far as it is not as usual; what it does not show is left out."""
    renderings = {"articles": portal.articles.rendering, **{column.name: column.rendering for column in portal.columns}}
    told = {name: {key: getattr(one, key) for key in ("wait", "click", "steps", "button")} for name, one in renderings.items() if one}
    usual = {key: getattr(Rendering(), key) for key in ("wait", "click", "steps", "button")}
    scrolled = {name: {"scroll": one.scroll.until} for name, one in renderings.items() if one and one.scroll}
    return {name: {key: one for key, one in said.items() if one != usual[key]} | scrolled.get(name, {}) for name, said in told.items()}


# --- from_pages ---


@contextmanager
def shipped(folder: Path) -> Iterator[None]:
    """As if this folder had come with the program."""
    with patch.object(resources, "_PACKAGE", folder.resolve()):
        yield


@contextmanager
def training_is_interrupted() -> Iterator[None]:
    """As if a person pressed Ctrl-C while a labeller is trained, however quickly that goes."""
    with patch("webarticlecurator.stages.label.train", side_effect=KeyboardInterrupt):
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
    told = [one for one in load_expectations(Path("tests.yaml"), expected.encode()) if one.kind == "article"] if expected else []
    pages = PagesToLearnFrom(
        archive={
            name: [page_of(content, url, format="json" if content.startswith(("{", "[")) else "html") for url, content in some.items()]
            for name, some in archive.items()
        },
        articles={url: page_of(content, url) for url, content in articles.items()},
        walked=more.pop("walked", {}),
        listings=more.pop("listings", {}),
        truths={**truths_in(told)},
        confirmed={one.url: one.metadata for one in told},
    )
    found = PortalFindings(portal, pages, next_page, **more).find(lambda _: None, lambda: False)
    learning = Learning(portal, found, pages, complete=True)
    file = learning.file(answers or {})
    data = json.loads(orjson.dumps(as_data(learning, file, found.remarks)))
    return {**data, "after": file.after.decode()}


# --- the long run: readers and writers that are given whatever comes, and what is cut off, moved or watched (soak/) ---
# ruff: noqa: E402

from webarticlecurator.cli.command import duration as duration
from webarticlecurator.config.tag_dictionary import TagLayer as TagLayer
from webarticlecurator.dates import DateFormat as DateFormat
from webarticlecurator.dates import DateFormatError as DateFormatError
from webarticlecurator.dates import find_date as find_date
from webarticlecurator.dates import find_relative as find_relative
from webarticlecurator.dates import format_date as format_date
from webarticlecurator.dates import latest_moment as latest_moment
from webarticlecurator.document.decode import codec_for as codec_for
from webarticlecurator.document.decode import codec_of as codec_of
from webarticlecurator.document.decode import decode as decode
from webarticlecurator.exporting.formats import all_formats as all_formats
from webarticlecurator.fetch import connections as connections
from webarticlecurator.fetch import politeness as politeness
from webarticlecurator.fetch import robots as robots
from webarticlecurator.fetch.politeness import read_retry_after as read_retry_after
from webarticlecurator.fetch.response import Answer, ExchangeError, packing_fault
from webarticlecurator.fetch.web import _against as against
from webarticlecurator.model.page import NoPage as NoPage
from webarticlecurator.protocol.message import SECRET_HEADERS as SECRET_HEADERS
from webarticlecurator.protocol.message import ResponseReader as ResponseReader
from webarticlecurator.protocol.message import parse_request as parse_request
from webarticlecurator.protocol.message import parse_response as parse_response
from webarticlecurator.protocol.message import redact as redact
from webarticlecurator.protocol.message import status_of as status_of
from webarticlecurator.protocol.message import unpacked_body as unpacked_body
from webarticlecurator.stages.pipeline import index as index
from webarticlecurator.urls import bare_host as bare_host
from webarticlecurator.urls import is_http as is_http
from webarticlecurator.urls import join as join
from webarticlecurator.urls import normalise as normalise
from webarticlecurator.warc.exchanges import list_exchanges as list_exchanges
from webarticlecurator.warc.exchanges import read_warc as read_warc
from webarticlecurator.warc.file_check import Checker as Checker
from webarticlecurator.warc.records import digest as digest
from webarticlecurator.warc.records import pack as pack
from webarticlecurator.warc.records import read_records as read_records
from webarticlecurator.warc.store import repair as repair
from webarticlecurator.warc.stored import read_exchanges as read_exchanges

# --- patterns ---


_RECORDS = """
import re, pickle, sys
from webarticlecurator import own_patterns as patterns
made, makers = {}, {}
compile, at_a_place = patterns._compiled, patterns.linear_at
def recorded(pattern, flags):
    compiled = compile(pattern, flags)
    made[pattern, compiled.flags] = compiled
    return compiled
def recorded_at_a_place(pattern, flags=0):
    compiled = at_a_place(pattern, flags)
    makers[pattern, compiled.flags] = "linear_at"
    return compiled
patterns._compiled, patterns.linear_at = recorded, recorded_at_a_place
from webarticlecurator import extract
for page, url in pickle.load(sys.stdin.buffer):
    extract(page, url)
sys.stdout.buffer.write(pickle.dumps({compiled: makers.get(key, "linear") for key, compiled in made.items()}))
"""


def patterns_made_in_use(pages: Sequence[tuple[str, str]]) -> dict[Any, str]:
    """The patterns that a new process makes while it reads these pages, each with its maker."""
    process = subprocess.run([sys.executable, "-c", _RECORDS], input=pickle.dumps(pages), capture_output=True, check=True)
    return pickle.loads(process.stdout)  # type: ignore[no-any-return]


def robots_allow(message: bytes, url: str) -> bool:
    """True if this answer to robots.txt lets a crawl ask for the address."""
    http = parse_response(message)
    assert http is not None
    request = Request(url="http://pelda.example/robots.txt")
    exchange = Exchange(
        request=request, request_bytes=b"", response_bytes=message, status=http.status, headers=http.headers, entity=http.entity,
        started=WHEN, duration_ms=0,
    )  # fmt: skip
    failure = ExchangeError(http.flaw, http.flaw_text) if http.flaw is not None else None
    failure = failure or packing_fault(exchange, 500 << 10, until_close=http.until_close)
    return against(robots._read(Answer([exchange], failure)), url) is None


def stored_file(corpus: Path, address: str) -> tuple[str, bytes] | None:
    """What a corpus has of a style sheet, a picture or a font: its type and its bytes."""
    with Requisites.of(Corpus(corpus)) as requisites:
        return requisites.read(address)
