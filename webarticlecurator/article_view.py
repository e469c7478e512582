"""One article of a corpus as a page that shows all there is of it: found by its URL, its id, or a part of either."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, NamedTuple

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
from webarticlecurator.report.article_page import ArchivedPage, ArticleView, ValueRow, article_page
from webarticlecurator.report.html import Html, element, joined
from webarticlecurator.urls import normalise, split
from webarticlecurator.warc.reader import CaptureReader

_WORD = re.compile(r"[^\W_]{4,}")
MOST_MATCHES = 10
_CANDIDATES = 500
"""Of which the nearest are looked for."""
_LONGEST_DOCUMENT = 1_000_000


class Match(NamedTuple):
    """An article that may be meant."""

    id: str
    url: str
    headline: str


@dataclass(frozen=True, slots=True)
class Found:
    """What somebody may have meant."""

    matches: tuple[Match, ...]
    total: int
    """Of them all; `matches` are the first. 0: none is called so, and these are only like it."""
    exact: bool
    """The first is what was said; the others need not be looked at."""


def find_article(portal: Portal, corpus: Corpus, wanted: str) -> Found:
    """The articles that are called so: by URL or id, else by a part of these or of the headline, else what is most like it."""
    with BuiltArticles.of(corpus.build_database, portal.name) as articles:
        columns = "SELECT id, url, coalesce(headline, '') FROM articles a WHERE"
        exact = [Match(*row) for row in articles.rows(f"{columns} ? IN (a.id, a.url, a.canonical, a.identity)", (wanted,))]
        if exact:
            return Found(tuple(exact[:MOST_MATCHES]), len(exact), exact=True)
        _without_article(corpus, wanted)
        names = "a.id || char(10) || a.url || char(10) || coalesce(a.canonical, '') || char(10) || coalesce(a.headline, '')"
        parts = f"instr(lower({names}), ?)"
        (total,) = next(articles.rows(f"SELECT count(*) FROM articles a WHERE {parts}", (wanted.lower(),)))
        rows = (
            articles.rows(f"{columns} {parts} ORDER BY a.url LIMIT {MOST_MATCHES}", (wanted.lower(),)) if total else _like(articles, wanted)
        )
        matches = tuple(Match(*row) for row in rows)
        return Found(matches, total, exact=total == 1)


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


def _like(articles: BuiltArticles, wanted: str) -> Iterator[tuple[Any, ...]]:
    """Those that share a word of the address, the likest first."""
    words = _WORD.findall(split(wanted.lower()).path)[-5:]
    where = " OR ".join(["instr(lower(a.url), ?)"] * len(words))
    if not words:
        return iter(())
    rows = articles.rows(f"SELECT id, url, coalesce(headline, '') FROM articles a WHERE {where} LIMIT {_CANDIDATES}", words)
    return iter(sorted(rows, key=lambda row: -SequenceMatcher(None, wanted, row[1]).ratio())[:MOST_MATCHES])


def view_article(portal: Portal, corpus: Corpus, match: Match) -> str:
    """The page of an article."""
    with BuiltArticles.of(corpus.build_database, portal.name) as articles:
        built = articles.by_id(match.id)
        if built is None:
            outcome = next(articles.rows("SELECT outcome || ': ' || reason FROM articles WHERE id = ?", (match.id,)), ("not built",))[0]
            return article_page(_without_document(portal, corpus, match, outcome))
    return article_page(_with_document(portal, corpus, built))


def _with_document(portal: Portal, corpus: Corpus, built: BuiltArticle) -> ArticleView:
    record = built.record
    with closing(DocumentStore(corpus.folder)) as store:
        document, lies = store.read(built.path), store.named(built.path)
    if document is None:
        raise CorpusError(f"The document of {built.id} is not where the build put it ({built.path}): build all again.")
    written = document.decode("utf-8", "replace")
    more = len(written) - _LONGEST_DOCUMENT
    rest = f"\n... and {amount(more, 'more character')}: {lies}" if more > 0 else ""
    return ArticleView(
        portal=portal.title or portal.name,
        id=built.id,
        url=built.url,
        headline=built.headline or built.url,
        outcome=" ".join(filter(None, [built.outcome.value, built.reason])),
        pages=tuple(_pages(portal, corpus, record["captures"])),
        readable=_readable(record, built.language),
        document=written[:_LONGEST_DOCUMENT] + rest,
        values=tuple(_rows(record["metadata"])),
        disagreements=tuple(_rows(record["disagreements"])),
        flags=built.flags,
        dropped=tuple((one["text"], one["rule"] or one["tag"]) for one in record["dropped"]),
    )


# --- the text, to be read: no styles, and no links that lead away ---

_TAGS = {
    **dict.fromkeys(("paragraph", "verse", "time", "author", "source"), "p"),
    **dict.fromkeys(("box", "lead", "quiz", "social"), "aside"),
    **dict.fromkeys(("figure", "embed", "gallery"), "figure"),
    "caption": "figcaption",
    "table-heading": "caption",
    "quote": "blockquote",
    "post": "article",
    "note": "small",
    "divider": "hr",
    "question": "div",
    "answer": "div",
    "item": "li",
    "table": "table",
    "row": "tr",
    "cell": "td",
    "code": "pre",
    "subheading": "h6",
    "bold": "b",
    "italic": "i",
    "underline": "u",
    "strike": "s",
    "superscript": "sup",
    "subscript": "sub",
    "emphasis": "em",
    "inline-quote": "q",
    "code-inline": "code",
    "formula": "code",
    "line-break": "br",
}
"""Blocks and inlines -> HTML; what is not named is a `span`."""


def _readable(record: Mapping[str, Any], language: str | None) -> Html:
    """All that is to be read in a record; its headings begin at the third level."""
    values = {name: [one["value"] for one in found] for name, found in record["metadata"].items()}
    heads = [
        *(element("h3", one) for one in values.get("headline", ())),
        *(element("h4", one) for one in values.get("alternativeHeadline", ())),
        element("p", ", ".join(values["author"])) if values.get("author") else "",
    ]
    posts = element("section", map(_node, record["comments"])) if "comments" in record else ""
    return element("div", heads, map(_node, record["blocks"]), posts, lang=language)


def _node(node: Mapping[str, Any]) -> Html | str:
    kind = node["type"]
    if kind == "text":
        return str(node["text"])
    if not node["children"]:
        content = joined(node.get("alt") or node["text"] if kind == "emoji" else node["text"])
    else:
        content = joined(map(_node, node["children"]))
    if kind == "line-break":
        return element("br")
    if kind == "link":
        return element("span", content, title=node.get("url"), class_="link")
    if kind == "ruby":
        return element("ruby", content, element("rt", node.get("alt")))
    tag = f"h{min(int(node.get('level', 2)) + 2, 6)}" if kind == "heading" else _TAGS.get(kind, "span")
    if kind == "list":
        tag = "ol" if node.get("ordered") else "ul"
    # What a reader would otherwise not see: who writes when, and where a picture lies.
    said = " · ".join(filter(None, [node.get("who"), node.get("when"), node.get("title")]))
    lies = f"[{'picture' if kind == 'figure' else 'player'}: {node.get('url', '')}]" if kind in ("figure", "embed") else ""
    return element(
        tag,
        element("p", element("b", said)) if said else "",
        element("small", lies) if lies else "",
        content,
        lang=node.get("language"),
        class_="post" if kind == "post" else None,
        rowspan=node.get("rows"),
        colspan=node.get("columns"),
    )


def _rows(metadata: dict[str, Sequence[dict[str, str]]]) -> Iterator[ValueRow]:
    for name, values in metadata.items():
        yield from (ValueRow(name, one["value"], one["raw"], one["source"]) for one in values)


def _pages(portal: Portal, corpus: Corpus, captures: Iterable[dict[str, Any]]) -> Iterator[ArchivedPage]:
    with CaptureReader(corpus.warc) as reader:
        for told in captures:
            facts = (
                ("address", told["url"]),
                ("collected", told["date"]),
                ("WARC file", f"{told['file']}, bytes {told['offset']:,} to {told['offset'] + told['length'] - 1:,}"),
                ("record", told["record_id"]),
                ("digest", told["digest"]),
            )
            try:
                capture = reader.read(Location(file=told["file"], offset=told["offset"], length=told["length"]))
            except CorpusError as problem:
                yield ArchivedPage(html=None, remarks=(f"It cannot be shown: {problem}",), facts=facts)
                continue
            yield _page(capture, portal, facts)


def _page(capture: Capture | None, portal: Portal, facts: tuple[tuple[str, str], ...]) -> ArchivedPage:
    if capture is None:
        return ArchivedPage(html=None, remarks=("It cannot be shown: the stored answer is not whole.",), facts=facts)
    page = read_page(capture, encoding=portal.fetch.encoding, classified=True)
    if isinstance(page, NoPage) or page.tree is None:
        reason = page.reason if isinstance(page, NoPage) else "it is no HTML"
        return ArchivedPage(html=None, remarks=(f"It cannot be shown: {reason}.",), facts=facts)
    still = still_page(page.tree)
    remarks = [
        "Its scripts do not run, its links lead nowhere, and style sheets outside of it are not stored: it looks plainer than it did.",
        f"Pictures and players are not stored ({still.pictures:,}): words stand in their places." if still.pictures else "",
        f"It is longer than what is shown ({MOST:,} characters)." if still.cut else "",
    ]
    return ArchivedPage(html=still.html, remarks=tuple(filter(None, remarks)), facts=facts)


def _without_document(portal: Portal, corpus: Corpus, match: Match, outcome: str) -> ArticleView:
    """What is stored of a page that the build made no article of."""
    with closing(LedgerSource(corpus)) as stored:
        fetched = StoredPages(stored, portal, corpus).fetch(Request(url=match.url))
    capture = fetched.capture
    facts = (("address", match.url), ("collected", capture.date.isoformat() if capture else fetched.verdict.reason))
    headline = match.headline or match.url
    shown = (_page(capture, portal, facts),)
    return ArticleView(portal=portal.title or portal.name, id=match.id, url=match.url, headline=headline, outcome=outcome, pages=shown)
