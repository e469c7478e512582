"""Show one article beside its archived pages: each of their texts with what became of it, the metadata with
their sources, what was left out by which rule, the document, and the captures."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from webarticlecurator.amounts import amount, those_that_hold
from webarticlecurator.building.corrected import PortalCorrections, portal_with_selectors
from webarticlecurator.building.database import BuiltArticle, BuiltArticles
from webarticlecurator.building.document_store import DocumentStore
from webarticlecurator.config.corrections import OPERATIONS
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.requisites import Requisites
from webarticlecurator.corpus.stored_pages import LedgerSource, PagesOfCorpus
from webarticlecurator.databases import Row
from webarticlecurator.document.still_page import MOST, Files, no_files, still_page
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.article import INDEX_SIGN
from webarticlecurator.model.capture import Capture, Fetched, NotedRecord, Request
from webarticlecurator.model.links import NO_FIELDS, Fields
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.report.pages import page as html_page
from webarticlecurator.stages.fix import STATES, corrections_with_states
from webarticlecurator.stages.marked_pages import (
    KINDS,
    LEFT_OUT,
    MAX_TEXTS,
    MarkedPages,
    marked_pages,
    shown_pages,
    words_of,
)
from webarticlecurator.stages.named_article import Match
from webarticlecurator.warc.exchanges import CaptureReader


class Form(NamedTuple):
    """The form by which values are mended in the view, what came of it the last time, and what was typed that
    was refused."""

    told: str = ""
    is_refused: bool = False
    field: str = ""
    change: str = "="
    value: str = ""
    because: str = ""


@dataclass(kw_only=True)
class _Contents:
    """The article that is shown, beside what its pages show."""

    portal: Portal
    url: str
    outcome: str = "not built"
    id: str = ""
    headline: str = ""
    listed_on: str | None = None
    record: Mapping[str, Any] = field(default_factory=dict)
    """The article as exports have it; empty where there is none."""
    language: str | None = None
    flags: Sequence[str] = ()
    document: bytes = b""
    history: Sequence[Mapping[str, Any]] = ()
    """Its captures, of which the first are those that it is made of."""
    lost: Sequence[str] = ()
    """Why pages cannot be shown."""
    corrections: Sequence[Row] = ()
    diff: str = ""
    """The command that tells what changed between the captures."""
    form: Form | None = None


def view_page(
    url: str,
    portal: Portal,
    fetched: Fetched,
    *,
    listing: Fields = NO_FIELDS,
    corpus: Corpus | None = None,
) -> Row:
    """Return the view of a page with what the rules make of it, whatever it is; `corpus`: where its style
    sheets and pictures are looked for.

    `words`: how many have which mark; `html`: the file that shows it; `is_shown`: a page can be looked at.
    """
    contents = _Contents(portal=portal, url=url)
    captures = _answer(fetched, contents)
    marked = MarkedPages(outcome=str(fetched.verdict.outcome), reason=fetched.verdict.reason, pages=())
    if captures:
        marked = marked_pages(captures, portal, url, listing)
    contents.outcome, article = _outcome(marked.outcome, marked.reason), marked.article
    if article is not None:
        contents.record, contents.language = article.to_dict(), article.language
        contents.headline, contents.flags = article.title or "", article.flags
        contents.document = article.tei() if article.outcome in DOCUMENTED else b""
    html = _html(contents, marked, corpus)
    is_shown = any(_is_shown(page) for page in marked.pages)
    return Row(
        outcome=marked.outcome,
        reason=marked.reason,
        words=words_of(marked.texts),
        html=html,
        is_shown=is_shown,
    )


def view_article(
    portal: Portal, corpus: Corpus, match: Match, *, typed: str = "", form: Form | None = None
) -> str:
    """Return the view of an article of a corpus; `typed`: its portal in commands."""
    contents = _Contents(portal=portal, id=match.id, url=match.url, headline=match.headline, form=form)
    contents.diff = f"curator diff {typed} {shlex.quote(match.url)}"
    contents.corrections = corrections_with_states(portal, corpus=corpus.folder, article=match.url)
    with BuiltArticles.of(corpus.build_database, portal.name) as articles:
        built = articles.by_id(match.id)
        rows = articles.rows("SELECT outcome, reason FROM articles WHERE id = ?", (match.id,))
        contents.outcome = next((_outcome(*row) for row in rows), contents.outcome)
    with closing(LedgerSource(corpus)) as stored:
        source = PagesOfCorpus(stored, portal, corpus)
        contents.listed_on, listing = source.listed_on(match.url), source.listing(match.url)
        if built is None:
            captures = _answer(source.fetch(Request(url=match.url)), contents)
        else:
            _add_built(contents, built, corpus)
            captures = _captures(contents, built, corpus)
    return _html(contents, _marked(contents, captures, listing), corpus)


@contextmanager
def files_of(corpus: Corpus | None) -> Iterator[Files]:
    """Give what reads the style sheets, pictures and fonts that a corpus has."""
    if corpus is None or not corpus.ledger.exists():
        yield no_files
        return
    with Requisites.of(corpus) as requisites:
        yield requisites.read


def _outcome(outcome: str, reason: str) -> str:
    return ": ".join(filter(None, (outcome, reason)))


def _answer(fetched: Fetched, contents: _Contents) -> list[Capture]:
    """Return the page that came for an address, if one did."""
    if fetched.capture is None:
        contents.lost = [fetched.verdict.reason]
        return []
    contents.history = [{"url": fetched.capture.url, "date": fetched.capture.date.isoformat()}]
    return [fetched.capture]


def _add_built(contents: _Contents, built: BuiltArticle, corpus: Corpus) -> None:
    """Add what a build made of an article. Raises CorpusError where its document is lost."""
    with closing(DocumentStore(corpus.folder)) as store:
        document = store.read(built.path)
    if document is None:
        raise CorpusError(
            f"The document of {built.id} is not where the build put it ({built.path}): build all again."
        )
    contents.record, contents.document = built.record, document
    contents.language, contents.flags = built.language, built.flags
    contents.history = [*built.record["captures"], *built.versions]


def _captures(contents: _Contents, built: BuiltArticle, corpus: Corpus) -> list[Capture]:
    """Return the pages that an article was made of, as far as they can be read."""
    captures: list[Capture] = []
    lost: list[str] = []
    with CaptureReader(corpus.warc) as reader:
        for stored in built.record["captures"]:
            try:
                capture = reader.read(NotedRecord.of_capture(stored))
            except CorpusError as problem:
                lost.append(str(problem))
                continue
            if capture is not None:
                captures.append(capture)
            else:
                lost.append("the stored answer is not whole.")
    contents.lost = lost
    return captures


def _marked(contents: _Contents, captures: Sequence[Capture], listing: Fields) -> MarkedPages:
    """Return the pages of an article of a corpus; without marks where it was not read from its own."""
    portal = contents.portal
    is_of_index = any(flag.startswith(INDEX_SIGN) for flag in contents.flags)
    if is_of_index or not captures:
        return MarkedPages(outcome="", reason="", pages=shown_pages(captures, portal))
    mended = PortalCorrections.of(portal).named(contents.url, portal)
    selectors = [correction for correction in mended if correction.field in OPERATIONS]
    return marked_pages(captures, portal_with_selectors(portal, selectors), contents.url, listing)


def _html(contents: _Contents, marked: MarkedPages, corpus: Corpus | None) -> str:
    with files_of(corpus) as files:
        pages = [_shown(page, files) for page in marked.pages]
    is_long = len(marked.texts) == MAX_TEXTS
    remarks = [
        *(f"A page cannot be shown: {why}" for why in contents.lost),
        *those_that_hold((is_long, f"Only the first {MAX_TEXTS:,} texts are marked.")),
    ]
    values = {**vars(contents), "portal": contents.portal.title}
    return html_page(
        "article.html",
        frames=True,
        script="article.js",
        sends=contents.form is not None,
        **values,
        remarks=remarks,
        container=marked.container,
        layout=marked.article.layout if marked.article is not None else None,
        kinds=KINDS,
        words=words_of(marked.texts),
        differing=marked.differing,
        left_out=_by_rule(marked, contents.record.get("dropped", ())),
        pages=pages,
        states=STATES,
        fields=[*FIELDS, *OPERATIONS],
        lists=[name for name in FIELDS if FIELDS[name].many],
    )


def _by_rule(
    marked: MarkedPages, dropped: Sequence[Mapping[str, Any]]
) -> list[tuple[str, list[tuple[int | None, str]]]]:
    """Return the texts that each rule left out, with the numbers of their marks: those of most texts first,
    and last what is outside of the article."""
    by_rule: defaultdict[str, list[tuple[int | None, str]]] = defaultdict(list)
    for number, (mark, text) in enumerate(marked.texts):
        if mark.kind in LEFT_OUT:
            by_rule[mark.label].append((number, text))
    for piece in [] if marked.texts else dropped:
        by_rule[piece["rule"] or piece["tag"]].append((None, piece["text"]))
    return sorted(by_rule.items(), key=_rank)


def _rank(rule: tuple[str, Sequence[object]]) -> tuple[bool, int]:
    return rule[0].startswith(KINDS["outside"]), -len(rule[1])


def _is_shown(page: Page | NoPage) -> bool:
    return isinstance(page, Page) and page.tree is not None


def _shown(page: Page | NoPage, files: Files) -> dict[str, Any]:
    """The page, made harmless, or nothing, with what is not shown of it and why."""
    if isinstance(page, NoPage):
        return {"html": None, "remarks": [f"It cannot be shown: {page.reason}."]}
    if page.tree is None:
        return {"html": None, "remarks": ["It cannot be shown: it is no HTML."]}
    still = still_page(page.tree, base=page.base, files=files)
    sheets = amount(still.styles, "style sheet is", "style sheets are")
    pictures = amount(still.pictures, "picture or player is", "pictures and players are")
    remarks = those_that_hold(
        (still.styles, f"{sheets} not stored: it looks plainer than it did."),
        (still.pictures, f"{pictures} not stored: boxes stand in their places."),
        (still.cut, f"It is longer than what is shown ({MOST:,} characters)."),
    )
    return {"html": still.html, "remarks": remarks}
