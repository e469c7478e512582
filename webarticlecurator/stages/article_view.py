"""Show one article of a corpus on a page with all there is of it: found by its URL, its id, or a part of
either."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any, NamedTuple
from urllib.parse import unquote

from webarticlecurator.amounts import those_that_hold
from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.building.document_store import DocumentStore
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.stored_pages import LedgerSource, PagesOfCorpus
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.document.still_page import MOST, still_page
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import Capture, NotedRecord, Request
from webarticlecurator.model.page import NoPage
from webarticlecurator.own_patterns import linear
from webarticlecurator.report.pages import page
from webarticlecurator.text import normalised
from webarticlecurator.urls import is_http, normalise
from webarticlecurator.warc.exchanges import CaptureReader

_ACCENTS = linear("[\u0300-\u036f]")
_PLAINER = (
    "Its scripts do not run, its links lead nowhere, and style sheets outside of it are not stored: it looks "
    "plainer than it did."
)


class Match(NamedTuple):
    """An article that fits what was asked for."""

    id: str
    url: str
    headline: str


def find_article(portal: Portal, corpus: Corpus, wanted: str) -> tuple[list[Match], int]:
    """The articles that are called so: by URL or id, else by a part of these or of the headline; at most ten,
    and how many there are.

    Raises CorpusError.
    """
    with BuiltArticles.of(corpus.build_database, portal.name) as articles:
        columns = "SELECT id, url, coalesce(headline, ''), coalesce(canonical, '') FROM articles a"
        exact = [
            Match(*row[:3])
            for row in articles.rows(
                f"{columns} WHERE ? IN (a.id, a.url, a.canonical, a.identity)", (wanted,)
            )
        ]
        if exact:
            return exact[:1], 1
        if corpus.ledger.exists() and is_http(
            wanted
        ):  # where the address is known, those that are like it were not meant
            with Ledger.reading(corpus.ledger) as ledger:
                if known := ledger.outcome_of(normalise(wanted)):
                    raise CorpusError(
                        f"{wanted} is known, and there is no article of it: "
                        f"{': '.join(filter(None, known))}.",
                        advice="build",
                    )
        sought, fitting, total = _folded(wanted), list[Match](), 0
        for *names, canonical in articles.rows(f"{columns} ORDER BY a.url"):
            if sought in _folded("\n".join((*names, canonical))):
                total += 1
                fitting += [Match(*names)] if total <= 10 else []
    return fitting, total


def _folded(text: str) -> str:
    """Return a text as people type it: whatever the case, with accents or without, addresses as a browser
    shows them."""
    text = unquote(text)
    return text.lower() if text.isascii() else _ACCENTS.sub("", normalised("NFD", text.casefold()))


def view_article(portal: Portal, corpus: Corpus, match: Match) -> str:
    """The page that shows an article beside its archived page."""
    content: dict[str, Any] = {"portal": portal.title, "id": match.id, "url": match.url}
    content |= {"headline": match.headline or match.url, "record": None}
    content |= dict.fromkeys(("values", "disagreements", "flags", "dropped", "document"), ())
    with BuiltArticles.of(corpus.build_database, portal.name) as articles:
        built = articles.by_id(match.id)
        outcome = next(
            articles.rows("SELECT outcome || ': ' || reason FROM articles WHERE id = ?", (match.id,)),
            ("not built",),
        )[0]
    with closing(LedgerSource(corpus)) as stored:
        source = PagesOfCorpus(stored, portal, corpus)
        content["listed_on"] = source.listed_on(match.url)
        if built is None:
            fetched = source.fetch(Request(url=match.url))
            collected = fetched.capture.date.isoformat() if fetched.capture else fetched.verdict.reason
            shown = {
                **_shown(fetched.capture, portal),
                "facts": (("address", match.url), ("collected", collected)),
            }
            return page("article.html", frames=True, **content, outcome=outcome, pages=[shown])
    with closing(DocumentStore(corpus.folder)) as store:
        document = store.read(built.path)
    if document is None:
        raise CorpusError(
            f"The document of {built.id} is not where the build put it ({built.path}): build all again."
        )
    record = built.record
    for part, values in (("metadata", "values"), ("disagreements", "disagreements")):
        content[values] = [
            {"field": name, **value} for name, found in record[part].items() for value in found
        ]
    content |= {"record": record, "language": built.language, "document": document.decode("utf-8", "replace")}
    content |= {
        "flags": built.flags,
        "dropped": record["dropped"],
        "pages": list(_pages(portal, corpus, record["captures"])),
    }
    return page(
        "article.html",
        frames=True,
        **content,
        outcome=" ".join(filter(None, [built.outcome.value, built.reason])),
    )


def _pages(portal: Portal, corpus: Corpus, captures: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield each stored page of an article, with where it lies and since when."""
    with CaptureReader(corpus.warc) as reader:
        for stored in captures:
            facts = (
                ("address", stored["url"]),
                ("collected", stored["date"]),
                (
                    "WARC file",
                    f"{stored['file']}, bytes {stored['offset']:,} to "
                    f"{stored['offset'] + stored['length'] - 1:,}",
                ),
                ("record", stored["record_id"]),
                ("digest", stored["digest"]),
            )
            try:
                shown = _shown(reader.read(NotedRecord.of_capture(stored)), portal)
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
    remarks = those_that_hold(
        (True, _PLAINER),
        (
            still.pictures,
            f"Pictures and players are not stored ({still.pictures:,}): words stand in their places.",
        ),
        (still.cut, f"It is longer than what is shown ({MOST:,} characters)."),
    )
    return {"html": still.html, "remarks": remarks}
