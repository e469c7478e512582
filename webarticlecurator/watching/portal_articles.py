"""A portal's articles in the order of their dates, as the watch sees them: what the build tells of each, and
what its page shows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from webarticlecurator.building.database import BuiltArticle, BuiltArticles
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.databases import rows_of
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import CorpusError, PatternTimeout
from webarticlecurator.model.article import INDEX_SIGN
from webarticlecurator.model.capture import NotedRecord, Request
from webarticlecurator.model.metadata import OF_BODY
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.warc.exchanges import CaptureReader
from webarticlecurator.watching.page_facts import PageFacts, page_facts

_WATCHED = "a.outcome IN ('article', 'paywall', 'empty')"
_COLUMNS = f"""
    a.number, a.id, a.url, a.outcome = 'empty' AS "is_empty?", coalesce(a.headline, '') AS headline, a.words, a.layout,
    coalesce(a.published, '') AS own_day, coalesce(a.captured, '') AS captured, a.flags AS "flags[]",
    (SELECT json_group_array(DISTINCT field) FROM metadata WHERE article = a.number AND NOT disagrees
        AND source NOT GLOB '{OF_BODY}*') AS "fields[]",
    (SELECT json_group_array(tag) FROM undecided WHERE article = a.number) AS "unknown_tags[]"
"""
_NEIGHBOUR = (
    "SELECT published FROM articles a WHERE published IS NOT NULL AND rowid < ? ORDER BY rowid DESC LIMIT 1",
    "SELECT published FROM articles a WHERE published IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT 1",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WatchedArticle:
    """An article of a portal, as it is watched."""

    id: str
    url: str
    headline: str = ""
    day: str = ""
    """The day when it was published, or (where it does not say) when its neighbours were: ISO 8601."""
    own_day: str = ""
    """The day when it was published; empty where it does not say."""
    captured: str = ""
    """The time when its page came: ISO 8601."""
    is_empty: bool = False
    """The rules found no text in it."""
    words: int = 0
    fields: frozenset[str] = frozenset()
    """The metadata that it has."""
    unknown_tags: frozenset[str] = frozenset()
    """Tags that no rule decides."""
    lines: frozenset[int] = frozenset()
    """Hashes of the lines of its text; none where the text was not looked at."""
    layout: str | None = None
    page: PageFacts | None = field(default=None, repr=False)
    number: int = 0
    """The article's place in the build."""
    has_own_page: bool = True

    @property
    def order(self) -> tuple[str, int]:
        return self.day, self.number


@dataclass(frozen=True, slots=True)
class PortalArticles:
    """The articles of a portal, with their texts and pages."""

    portal: Portal
    built: BuiltArticles
    ledger: Ledger
    captures: CaptureReader

    def sampled(self, sample: int, newest: int) -> list[WatchedArticle]:
        """Return about so many articles of all times, and the newest, by their dates, and by when they were
        collected, since some have none.

        A larger corpus has a part of the same sample.
        """
        mask, of = 0, self.total()
        while of / (mask + 1) > sample:
            mask = 2 * mask + 1
        by = f"SELECT id FROM articles a WHERE {_WATCHED} ORDER BY"
        among_newest = (
            f"a.id IN ({by} published DESC, id LIMIT {newest}) OR a.id IN ({by} rowid DESC LIMIT {newest})"
        )
        return self._articles(f"(a.key & {mask}) = 0 OR {among_newest}")

    def total(self) -> int:
        (number,) = next(self.built.rows(f"SELECT count(*) FROM articles a WHERE {_WATCHED}"))
        return int(number)

    def between(self, first: WatchedArticle, last: WatchedArticle) -> list[WatchedArticle]:
        """Return all of one layout behind the one and before the other."""
        articles = self._articles(
            "a.published BETWEEN ? AND ? AND a.layout IS ?", (first.day, last.day, first.layout)
        )
        return [article for article in articles if first.order < article.order < last.order]

    def text(self, article: WatchedArticle) -> str:
        """Return what was kept of it."""
        kept = self._kept(article)
        return "" if kept is None else str(kept.record["text"])

    def _kept(self, article: WatchedArticle) -> BuiltArticle | None:
        """Return what was built of an article; None of an empty one."""
        return self.built.by_id(article.id) if not article.is_empty else None

    def page(self, article: WatchedArticle) -> Page | None:
        """Return the first page of an article, with a tree; None where it has none of its own, or that cannot
        be read."""
        if not article.has_own_page:
            return None
        kept = self._kept(article)
        if kept is not None and (captures := kept.record["captures"]):
            place = NotedRecord.of_capture(captures[0])
        elif (stored := self.ledger.latest_response(Request(url=article.url).key)) is not None:
            place = stored.location  # where nothing was kept, only the ledger knows it
        else:
            return None
        with suppress(CorpusError, PatternTimeout):
            if (capture := self.captures.read(place)) is not None:
                page = read_page(
                    capture,
                    encoding=self.portal.fetch.encoding,
                    format=self.portal.articles.format,
                    classified=True,
                )
                return page if isinstance(page, Page) and page.tree is not None else None
        return None

    def read(self, article: WatchedArticle) -> WatchedArticle:
        """Return an article with its lines, and with what its page shows."""
        text, page = self.text(article), self.page(article)
        facts = None if page is None or page.tree is None else page_facts(page.tree, text)
        return replace(article, lines=lines_of(text), page=facts)

    def _articles(self, where: str, values: Sequence[object] = ()) -> list[WatchedArticle]:
        """Return articles in the order of their dates."""
        articles: list[WatchedArticle] = []
        for row in list(
            rows_of(
                self.built.rows(f"SELECT {_COLUMNS} FROM articles a WHERE {_WATCHED} AND ({where})", values)
            )
        ):
            # an article without a date stands where it was collected
            near = (
                ()
                if row.own_day
                else (str(day) for sql in _NEIGHBOUR for (day,) in self.built.rows(sql, (row.number,)))
            )
            row |= {name: frozenset(row[name]) for name in ("fields", "unknown_tags")}
            has_own_page = not any(flag.startswith(INDEX_SIGN) for flag in row.pop("flags"))
            articles.append(
                WatchedArticle(**row, day=row.own_day or next(iter(near), ""), has_own_page=has_own_page)
            )
        return sorted(articles, key=lambda article: article.order)


def lines_of(text: str) -> frozenset[int]:
    """Return hashes of the lines that are long enough to tell something; what was changed in one minute tells
    the same time."""
    lines = {line.strip() for line in text.split("\n")}
    telling = (line for line in lines if len(line) >= 20 and not linear(r"\d:\d\d").search(line))
    return frozenset(
        int.from_bytes(blake2b(line.encode("utf-8", "replace"), digest_size=8).digest()) for line in telling
    )
