"""One article of a corpus as a page that shows all there is of it: found by its URL, its id, or a part of either."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from difflib import SequenceMatcher
from typing import Any, NamedTuple
from unicodedata import normalize

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuiltArticle, BuiltArticles
from webarticlecurator.building.documents import DocumentStore
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.stored_pages import LedgerSource, StoredPages
from webarticlecurator.document.page import read_page
from webarticlecurator.document.still_page import MOST, still_page
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import Capture, Location, Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import NoPage
from webarticlecurator.report.pages import page
from webarticlecurator.urls import normalise, split
from webarticlecurator.warc.reader import CaptureReader

_WORD = re.compile(r"[^\W_]{4,}")
_ACCENTS = re.compile("[\u0300-\u036f]")
MOST_MATCHES = 10
_CANDIDATES = 500
"""Of which the nearest are looked for."""
_LONGEST_DOCUMENT = 1_000_000


class Match(NamedTuple):
    """An article that may be meant."""

    id: str
    url: str
    headline: str


class Matches(NamedTuple):
    """What somebody may have meant."""

    first: list[Match]
    total: int
    """Of them all. 0: none is called so, and these are only like it."""
    exact: bool
    """The first is what was said; the others need not be looked at."""


def find_article(portal: Portal, corpus: Corpus, wanted: str) -> Matches:
    """The articles that are called so: by URL or id, else by a part of these or of the headline, else what is most like it."""
    with BuiltArticles.of(corpus.build_database, portal.name) as articles:
        columns = "SELECT id, url, coalesce(headline, ''), coalesce(canonical, '') FROM articles a"
        exact = [Match(*row[:3]) for row in articles.rows(f"{columns} WHERE ? IN (a.id, a.url, a.canonical, a.identity)", (wanted,))]
        if exact:
            return Matches(exact[:MOST_MATCHES], len(exact), exact=True)
        _without_article(corpus, wanted)
        total, fitting, near = 0, list[Match](), list[Match]()
        sought, words = _folded(wanted), _WORD.findall(split(wanted.lower()).path)[-5:]
        for *names, canonical in articles.rows(f"{columns} ORDER BY a.url"):
            match = Match(*names)
            if sought in _folded("\n".join((*names, canonical))):
                total += 1
                if total <= MOST_MATCHES:
                    fitting.append(match)
            elif not total and len(near) < _CANDIDATES and any(word in match.url.lower() for word in words):
                near.append(match)
    if total:
        return Matches(fitting, total, exact=total == 1)
    near.sort(key=lambda match: -SequenceMatcher(None, wanted, match.url).ratio())
    return Matches(near[:MOST_MATCHES], 0, exact=False)


def _folded(text: str) -> str:
    """As people type it: whatever the case, with accents or without."""
    return text.lower() if text.isascii() else _ACCENTS.sub("", normalize("NFD", text.casefold()))


def _without_article(corpus: Corpus, wanted: str) -> None:
    """Raises CorpusError where the address is known, and no article: those that are like it were not meant."""
    if not corpus.ledger.exists():
        return
    with Ledger.reading(corpus.ledger) as ledger:
        url = normalise(wanted) if "://" in wanted else wanted
        known = ledger.outcome_of(url)
        if known is not None:
            outcome, reason = known
            if outcome == FetchOutcome.FETCHED:
                raise CorpusError(f"{url} is stored and not built.", advice="build")
            raise CorpusError(f"{url} is known, and there is no article of it: {f'{outcome}: {reason}'.rstrip(': ')}")
        if ledger.column_of_page(url) is not None:
            raise CorpusError(f"{url} is a page of the archive, and no article")


def view_article(portal: Portal, corpus: Corpus, match: Match) -> str:
    """The page of an article."""
    content = {"portal": portal.title or portal.name, "id": match.id, "url": match.url}
    with BuiltArticles.of(corpus.build_database, portal.name) as articles:
        built = articles.by_id(match.id)
        if built is not None:
            return page("article.html", frames=True, **content, **_with_document(portal, corpus, built))
        outcome = next(articles.rows("SELECT outcome || ': ' || reason FROM articles WHERE id = ?", (match.id,)), ("not built",))[0]
    with closing(LedgerSource(corpus)) as stored:
        fetched = StoredPages(stored, portal, corpus).fetch(Request(url=match.url))
    collected = fetched.capture.date.isoformat() if fetched.capture else fetched.verdict.reason
    shown = {**_shown(fetched.capture, portal), "facts": (("address", match.url), ("collected", collected))}
    nothing: dict[str, Any] = dict.fromkeys(("values", "disagreements", "flags", "dropped", "document"), ())
    headline = match.headline or match.url
    return page("article.html", frames=True, **content, **nothing, headline=headline, outcome=outcome, pages=[shown], record=None)


def _with_document(portal: Portal, corpus: Corpus, built: BuiltArticle) -> dict[str, Any]:
    record = built.record
    with closing(DocumentStore(corpus.folder)) as store:
        document, lies = store.read(built.path), store.named(built.path)
    if document is None:
        raise CorpusError(f"The document of {built.id} is not where the build put it ({built.path}): build all again.")
    written = document.decode("utf-8", "replace")
    more = len(written) - _LONGEST_DOCUMENT
    rest = f"\n... and {amount(more, 'more character')}: {lies}" if more > 0 else ""
    return {
        "headline": built.headline or built.url,
        "outcome": " ".join(filter(None, [built.outcome.value, built.reason])),
        "pages": list(_pages(portal, corpus, record["captures"])),
        "record": record,
        "language": built.language,
        "document": written[:_LONGEST_DOCUMENT] + rest,
        "values": list(_values(record["metadata"])),
        "disagreements": list(_values(record["disagreements"])),
        "flags": built.flags,
        "dropped": record["dropped"],
    }


def _values(metadata: Mapping[str, Iterable[dict[str, str]]]) -> Iterator[dict[str, str]]:
    """Each with its field."""
    for name, values in metadata.items():
        yield from ({"field": name, **value} for value in values)


def _pages(portal: Portal, corpus: Corpus, captures: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each stored page of an article, with where it lies and since when."""
    with CaptureReader(corpus.warc) as reader:
        for stored in captures:
            facts = (
                ("address", stored["url"]),
                ("collected", stored["date"]),
                ("WARC file", f"{stored['file']}, bytes {stored['offset']:,} to {stored['offset'] + stored['length'] - 1:,}"),
                ("record", stored["record_id"]),
                ("digest", stored["digest"]),
            )
            try:
                shown = _shown(reader.read(Location(file=stored["file"], offset=stored["offset"], length=stored["length"])), portal)
            except CorpusError as problem:
                shown = {"html": None, "remarks": [f"It cannot be shown: {problem}"]}
            yield {**shown, "facts": facts}


def _shown(capture: Capture | None, portal: Portal) -> dict[str, Any]:
    """The page, made harmless, or nothing, with what is not shown of it and why."""
    if capture is None:
        return {"html": None, "remarks": ["It cannot be shown: the stored answer is not whole."]}
    stored = read_page(capture, encoding=portal.fetch.encoding, classified=True)
    if isinstance(stored, NoPage) or stored.tree is None:
        reason = stored.reason if isinstance(stored, NoPage) else "it is no HTML"
        return {"html": None, "remarks": [f"It cannot be shown: {reason}."]}
    still = still_page(stored.tree)
    remarks = [
        "Its scripts do not run, its links lead nowhere, and style sheets outside of it are not stored: it looks plainer than it did."
    ]
    if still.pictures:
        remarks.append(f"Pictures and players are not stored ({still.pictures:,}): words stand in their places.")
    if still.cut:
        remarks.append(f"It is longer than what is shown ({MOST:,} characters).")
    return {"html": still.html, "remarks": remarks}
