"""What an audit asks of every stored page: it is read by the real rules, and what is odd about the article is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice, takewhile
from typing import ClassVar

from webarticlecurator.config.article_rules import Layout
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.article_reader import PageReading, read_article
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.url_rules import article_id, identity_of
from webarticlecurator.model.article import Article, Fate
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.survey.audit.across_pages import MOST_EXAMPLES
from webarticlecurator.survey.audit.audited_page import AuditedPage, PageFinding, fingerprint, shortened
from webarticlecurator.survey.audit.finding_kinds import KINDS
from webarticlecurator.survey.audit.rule_use import MAIN_FIELDS, RuleMatches, is_by_rule
from webarticlecurator.survey.page_pass import NO_YEAR, PASSED_OVER, Columns, Counted, hash_of
from webarticlecurator.survey.stored_page_sample import StoredPage, Year
from webarticlecurator.text import word_count

_LOOKED_AT = frozenset({PageOutcome.ARTICLE, PageOutcome.EMPTY, PageOutcome.LISTING})
"""What the rules may be wrong about; a page behind a wall, or one that a rule skips, is none of their doing."""
_MOST_FINDINGS = 500
_SHORTEST_TEXT = 5
"""Characters of a kept text that is counted across pages."""
_SHORTEST_BODY = 5
"""Words of an article that may be the same as another's; "See the pictures" is all that some galleries have."""
_MOST_SUBJECTS = 30_000
_MOST_TEXTS, _MOST_TEXT_PAGES, _MOST_NAMES = 100_000, 400_000, 10_000


class AuditQuestion:
    """What an audit asks of every page: each process is given it once, and compiles the rules once."""

    tables: ClassVar[Mapping[str, Columns]] = {
        "looked_at": Columns("page", facts="url, layout, year, kept, dropped"),
        "subjects": Columns("subject", facts="kind, rule, tag, layout"),
        "found": Columns("subject, page", "times, words"),
        "found_texts": Columns("subject, text", "times"),
        "examples": Columns("subject, page", facts="text"),
        "texts": Columns(
            "text",
            facts="layout, tag, type, words, shown",
            most=_MOST_TEXTS,
            rarest="text NOT IN (SELECT text FROM text_pages GROUP BY text HAVING count(*) > ?)",
        ),
        "text_pages": Columns(
            "text, page", most=_MOST_TEXT_PAGES, rarest="text IN (SELECT text FROM text_pages GROUP BY text HAVING count(*) <= ?)"
        ),
        "dropped": Columns("rule, tag, layout", "words, pages"),
        "undecided": Columns("tag, layout", "words, pages"),
        "metadata": Columns("field, layout, year", "present, ruled"),
        "lacking": Columns("field, page"),
        "matched": Columns("rule"),
        "names": Columns("name", "pages", most=_MOST_NAMES, rarest="pages <= ?"),
    }
    """A subject is what findings are counted together by; its kind the number of a row of `KINDS`. Words that stand on a page are told by
    their text; the type of a whole article is `body`. Names are the classes and ids of pages that were searched for rules."""

    def __init__(self, portal: Portal) -> None:
        self.portal = portal
        self._lookups: dict[str | None, Lookup] = {}
        self._rules = RuleMatches(portal)
        self._shown = Counter[int]()
        """Subject -> its examples."""

    def __reduce__(self) -> tuple[type[AuditQuestion], tuple[Portal]]:
        return AuditQuestion, (self.portal,)

    def look(self, page: Page, stored: StoredPage, counted: Counted) -> None:
        """Count one page. Raises PatternTimeout."""
        portal = self.portal
        identity = identity_of(stored.url, portal)
        id = article_id(identity, portal)
        readings: list[PageReading] = []
        article = read_article([page], portal, id=id, identity=identity, url=stored.url, listing=stored.listing, readings=readings)
        if article.outcome not in _LOOKED_AT:
            counted.add(PASSED_OVER, (article.outcome.value,), 1)
            return
        layout = next((layout for layout in portal.layouts if layout.name == article.layout), None)
        audited = AuditedPage(page, portal, article, readings[0].container if readings else None, layout, self._lookup(layout))
        name, year = article.layout or "", _year(article) or stored.year
        findings = ((number, finding) for number, kind in enumerate(KINDS) if kind.on_page is not None for finding in kind.on_page(audited))
        for number, finding in list(islice(findings, _MOST_FINDINGS)):  # nothing is counted of a page on which a pattern takes too long
            self._count(number, finding, name, stored.number, counted)
        dropped = _count_words(audited, name, counted)
        counted.note("looked_at", (stored.number,), stored.url, name, year, audited.kept_words, dropped)
        _count_texts(audited, name, stored.number, counted)
        _count_metadata(audited, name, year or NO_YEAR, stored.number, counted)
        self._rules.add(audited, name, counted)

    def _lookup(self, layout: Layout | None) -> Lookup:
        name = layout.name if layout is not None else None
        if name not in self._lookups:
            self._lookups[name] = Lookup((layout or self.portal).body.tags)
        return self._lookups[name]

    def _count(self, kind: int, finding: PageFinding, layout: str, page: int, counted: Counted) -> None:
        facts = kind, finding.rule, finding.tag, layout
        subject = hash_of(repr(facts))
        counted.note("subjects", (subject,), *facts)
        counted.add("found", (subject, page), 1, finding.words)
        counted.add("found_texts", (subject, fingerprint(finding.text)), 1)
        if self._shown[subject] < MOST_EXAMPLES and (subject, page) not in counted.tables["examples"]:
            if len(self._shown) > _MOST_SUBJECTS:
                self._shown.clear()
            self._shown[subject] += 1
            counted.note("examples", (subject, page), shortened(finding.text))


def _count_words(audited: AuditedPage, layout: str, counted: Counted) -> int:
    """Gives how many words were dropped."""
    dropped = Counter[tuple[str, str]]()
    for piece in audited.article.pieces:
        if piece.fate is Fate.DROPPED:
            dropped[piece.rule, piece.tag] += word_count(piece.text)
    for (rule, tag), words in dropped.items():
        counted.add("dropped", (rule, tag, layout), words, 1)
    for unknown in audited.article.unknown_tags:
        if unknown.words:
            counted.add("undecided", (unknown.tag, layout), unknown.words, 1)
    return dropped.total()


def _count_texts(audited: AuditedPage, layout: str, page: int, counted: Counted) -> None:
    whole = "\n".join(block.text for block in audited.blocks)
    if audited.kept_words >= _SHORTEST_BODY:
        text = hash_of(f"{layout} body {fingerprint(whole)}")
        counted.note("texts", (text,), layout, audited.tag_of(0), "body", audited.kept_words, shortened(whole))
        counted.note("text_pages", (text, page))
    for number, block in enumerate(audited.blocks):
        if len(block.text) < _SHORTEST_TEXT:
            continue
        text = hash_of(f"{layout} {fingerprint(block.text)}")
        if (text, page) in counted.tables["text_pages"] or audited.is_told_by_name(number):
            continue
        is_head_of_column = any(element.tag == "th" for element in takewhile(lambda element: element.tag != "tr", audited.around[number]))
        if is_head_of_column or "note" in (*block.inside, block.type):  # tables of one kind have the same; the text refers to it
            continue
        kind = "cell" if block.inside[-1:] == ("cell",) else block.type
        if (text,) not in counted.tables["texts"]:
            counted.note("texts", (text,), layout, audited.tag_of(number), kind, block.words, shortened(block.text))
        counted.note("text_pages", (text, page))


def _count_metadata(audited: AuditedPage, layout: str, year: int, page: int, counted: Counted) -> None:
    for name, values in audited.article.metadata.items():
        counted.add("metadata", (name, layout, year), 1, is_by_rule(name, values, audited))
    for name in MAIN_FIELDS:
        if name not in audited.article.metadata:
            counted.note("lacking", (name, page))


def _year(article: Article) -> Year:
    """The year that the article itself gives."""
    published = article.metadata.get("datePublished")
    year = published[0].value[:4] if published else ""
    return int(year) if year.isdecimal() and year.isascii() else None
