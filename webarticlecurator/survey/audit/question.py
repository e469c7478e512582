"""What an audit asks of every stored page: it is read by the real rules, and what is odd about the article is counted."""

from __future__ import annotations

from itertools import islice

from webarticlecurator.config.article_rules import Layout
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.article import PageReading, read_article
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.url_rules import article_id, identity_of
from webarticlecurator.model.article import Article, Fate
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.survey.audit.counting import Counts, Text
from webarticlecurator.survey.audit.findings import ON_PAGES
from webarticlecurator.survey.audit.page import AuditedPage
from webarticlecurator.survey.audit.rule_use import portal_selectors
from webarticlecurator.survey.audit.text import fingerprint, shortened
from webarticlecurator.survey.stored_page import StoredPage, Year
from webarticlecurator.text import word_count

_LOOKED_AT = frozenset({PageOutcome.ARTICLE, PageOutcome.EMPTY, PageOutcome.LISTING})
"""What the rules may be wrong about; a page behind a wall, or one that a rule skips, is none of their doing."""
_MOST_FINDINGS = 500
_SHORTEST_TEXT = 5
"""Characters of a kept text that is counted across pages."""
_SHORTEST_BODY = 5
"""Words of an article that may be the same as another's; "See the pictures" is all that some galleries have."""


class AuditQuestion:
    """What an audit asks of every page: each process is given it once, and compiles the rules once."""

    def __init__(self, portal: Portal) -> None:
        self.portal = portal
        self._selectors = portal_selectors(portal)
        self._lookups: dict[str | None, Lookup] = {}

    def __reduce__(self) -> tuple[type[AuditQuestion], tuple[Portal]]:
        return AuditQuestion, (self.portal,)

    def tally(self) -> Counts:
        """An empty one."""
        return Counts()

    def look(self, page: Page, stored: StoredPage, tally: Counts) -> None:
        """Add one page. Raises PatternTimeout."""
        portal = self.portal
        identity = identity_of(stored.url, portal)
        id = article_id(identity, portal)
        readings: list[PageReading] = []
        article = read_article([page], portal, id=id, identity=identity, url=stored.url, listing=stored.listing, readings=readings)
        if article.outcome not in _LOOKED_AT:
            tally.outcomes[article.outcome.value] += 1
            return
        layout = next((one for one in portal.layouts if one.name == article.layout), None)
        audited = AuditedPage(page, portal, article, readings[0].container if readings else None, layout, self._lookup(layout))
        name, year = article.layout or "", _year(article) or stored.year
        found = ((kind, one) for kind, find in ON_PAGES for one in find(audited))
        tally.add(islice(found, _MOST_FINDINGS), name, year, stored.url)
        tally.pages[name, year] += 1
        tally.show(name, (stored.url,))
        _count_words(audited, name, year, tally)
        _count_texts(audited, name, year, stored.url, tally)
        tally.rules.add(audited, self._selectors, year)

    def _lookup(self, layout: Layout | None) -> Lookup:
        name = layout.name if layout is not None else None
        if name not in self._lookups:
            self._lookups[name] = Lookup((layout or self.portal).body.tags)
        return self._lookups[name]


def _count_words(audited: AuditedPage, layout: str, year: Year, counts: Counts) -> None:
    counts.kept[layout, year] += audited.kept_words
    seen: set[tuple[str, str, str]] = set()
    for piece in audited.article.pieces:
        if piece.fate is Fate.DROPPED:
            words, drop = word_count(piece.text), (piece.rule, piece.tag, layout)
            counts.lost[layout, year] += words
            counts.dropped[drop] += words
            seen.add(drop)
    counts.dropped_pages.update(seen)
    for tag in audited.article.unknown_tags:
        if tag.words:
            counts.undecided[tag.tag, layout] += tag.words
            counts.undecided_pages[tag.tag, layout] += 1


def _count_texts(audited: AuditedPage, layout: str, year: Year, url: str, counts: Counts) -> None:
    whole = "\n".join(block.text for block in audited.blocks)
    if audited.kept_words >= _SHORTEST_BODY:
        text = Text(audited.tag_of(0), "body", audited.kept_words, shortened(whole))
        counts.bodies.add(layout, fingerprint(whole), text, year, url)
    seen: set[int] = set()
    for number, block in enumerate(audited.blocks):
        same = fingerprint(block.text)
        if len(block.text) >= _SHORTEST_TEXT and same not in seen:
            seen.add(same)
            if audited.is_told_by_name(number) or "note" in (*block.inside, block.type):  # the text refers to it
                continue
            if audited.is_head_of_column(number):  # tables of one kind have the same
                continue
            tag = audited.tag_of(number)
            kind = "cell" if block.inside[-1:] == ("cell",) else block.type
            text = Text(tag, kind, block.words, shortened(block.text))
            counts.recurring.add(layout, same, text, year, url)


def _year(article: Article) -> Year:
    """The year that the article itself gives."""
    published = article.metadata.get("datePublished")
    year = published[0].value[:4] if published else ""
    return int(year) if year.isdecimal() and year.isascii() else None
