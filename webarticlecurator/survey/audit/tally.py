"""The pass of an audit: every page is read by the real rules, and what is odd about the article is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import chain, islice

from webarticlecurator.config.portal import BodyRules, Portal
from webarticlecurator.extraction.article import read_article
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.container import Container
from webarticlecurator.extraction.url_rules import article_id, identity_of
from webarticlecurator.model.article import Article, Fate
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.survey.audit import furniture, further, lost, root, shape
from webarticlecurator.survey.audit.counting import Text, Year
from webarticlecurator.survey.audit.counts import Amount, Cell, Counts
from webarticlecurator.survey.audit.page import Looked, Sign
from webarticlecurator.survey.audit.rules import Watched, watched_rules
from webarticlecurator.survey.audit.text import fingerprint, shortened, word_count
from webarticlecurator.survey.stored_page_sample import StoredPage

LOOKED_AT = frozenset({PageOutcome.ARTICLE, PageOutcome.EMPTY, PageOutcome.LISTING})
"""What the rules may be wrong about; a page behind a wall, or one that a rule skips, is none of their doing."""
_MOST_SIGNS = 500
_SHORTEST_TEXT = 5
"""Characters of a kept text that is counted across pages."""
_SHORTEST_BODY = 5
"""Words of an article that may be the same as another's; "See the pictures" is all that some galleries have."""
_SIGNS: tuple[Callable[[Looked], Iterator[Sign]], ...] = (
    root.no_root,
    root.listing,
    further.unfollowed_pages,
    root.text_outside,
    root.text_around,
    lost.lost_text,
    lost.interrupted_sentences,
    lost.grown_together,
    furniture.kept_links,
    furniture.bylines,
    shape.cut_paragraphs,
    shape.glued_paragraphs,
    shape.prose_headings,
    shape.flattened,
    shape.almost_empty,
    shape.kept_twice,
)


class AuditQuestion:
    """What an audit asks of a pass: each process is given it once, and compiles the rules once."""

    def __init__(self, portal: Portal) -> None:
        self.portal = portal
        self._lookups: dict[int, Lookup] = {}

    def __reduce__(self) -> tuple[type[AuditQuestion], tuple[Portal]]:
        return AuditQuestion, (self.portal,)

    def tally(self) -> AuditTally:
        """An empty one."""
        return AuditTally()

    def look(self, page: Page, stored: StoredPage, tally: AuditTally) -> None:
        """Add one page. Raises PatternTimeout."""
        tally.look(page, stored, self)

    @cached_property
    def watched(self) -> tuple[Watched, ...]:
        return watched_rules(self.portal)

    def lookup(self, rules: BodyRules) -> Lookup:
        """The tag rules of a layout; the portal keeps them alive, so that their identity stays theirs."""
        if id(rules) not in self._lookups:
            self._lookups[id(rules)] = Lookup(rules.tags)
        return self._lookups[id(rules)]


class AuditTally:
    """What some pages gave."""

    def __init__(self) -> None:
        self.counts = Counts()

    def look(self, page: Page, stored: StoredPage, question: AuditQuestion) -> None:
        """Take in one page. Raises PatternTimeout."""
        portal = question.portal
        identity = identity_of(stored.url, portal)
        id = article_id(identity, portal)
        containers: list[Container | None] = []
        article = read_article([page], portal, id=id, identity=identity, url=stored.url, listing=stored.listing, containers=containers)
        if article.outcome not in LOOKED_AT:
            self.counts.outcomes[article.outcome.value] += 1
            return
        looked = Looked(page, portal, article, *containers)
        cell = (article.layout or "", stored.year or _year(article))
        signs = chain(*(signs(looked) for signs in _SIGNS), furniture.named_blocks(looked, question.lookup(looked.rules)))
        found = list(islice(signs, _MOST_SIGNS))
        self.counts.pages[cell] += 1
        self.counts.show(cell[0], (stored.url,))
        self.counts.add(found, cell, stored.url)
        self._count_words(looked, cell)
        self._count_texts(looked, cell, stored.url)
        self.counts.rules.look(looked, question.watched, cell[1])

    def pass_over(self, stored: StoredPage, outcome: str, reason: str) -> None:  # noqa: ARG002
        """A stored response that gives no page."""
        self.counts.outcomes[outcome] += 1

    def join(self, other: AuditTally) -> None:
        """Take in what another process gathered."""
        self.counts.join(other.counts)

    def _count_words(self, looked: Looked, cell: Cell) -> None:
        counts, layout = self.counts, cell[0]
        counts.kept[cell] += looked.kept_words
        here: set[tuple[str, str, str]] = set()
        for piece in looked.article.pieces:
            if piece.fate is Fate.DROPPED:
                words, drop = word_count(piece.text), (piece.rule, piece.tag, layout)
                counts.lost[cell] += words
                counts.dropped.setdefault(drop, Amount()).add(drop not in here, words)
                here.add(drop)
        for tag in looked.article.unknown_tags:
            if tag.words:
                counts.undecided.setdefault((tag.tag, layout), Amount()).add(1, tag.words)

    def _count_texts(self, looked: Looked, cell: Cell, url: str) -> None:
        seen: set[int] = set()
        whole = "\n".join(leaf.text for leaf in looked.leaves)
        if looked.kept_words >= _SHORTEST_BODY:
            text = Text(looked.tag_of(0), "body", looked.kept_words, shortened(whole))
            self.counts.bodies.add(cell[0], fingerprint(whole), text, cell[1], url)
        for number, leaf in enumerate(looked.leaves):
            same = fingerprint(leaf.text)
            if len(leaf.text) >= _SHORTEST_TEXT and same not in seen:
                seen.add(same)
                text = Text(looked.tag_of(number), leaf.type, leaf.words, shortened(leaf.text))
                self.counts.recurring.add(cell[0], same, text, cell[1], url)


def _year(article: Article) -> Year:
    """The year that the article itself gives."""
    published = article.metadata.get("datePublished")
    year = published[0].value[:4] if published else ""
    return int(year) if year.isdecimal() and year.isascii() else None
