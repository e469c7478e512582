"""Whether pages that `articles.skip.when` leaves out are articles all the same: what it matches may be a box beside the text of some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from webarticlecurator.config.article_rules import SkipRules
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.article_reader import PageReading, read_article
from webarticlecurator.extraction.body.tag_rules import VOID_MEDIA
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.survey.page_pass import Columns, Counted
from webarticlecurator.survey.stored_page_sample import StoredPage
from webarticlecurator.text import element_text, word_count

_FEWEST_WORDS = 5
"""Of a box; one word beside a text may well tell what kind of page it is."""


@dataclass(frozen=True, slots=True)
class SkippedQuestion:
    """Asks each page whether it is an article if nothing skips it: with headline and date, and none of its text in what is matched."""

    portal: Portal
    tables: ClassVar[Mapping[str, Columns]] = {"skipped": Columns("rule, url", facts="words")}

    def look(self, page: Page, stored: StoredPage, counted: Counted) -> None:
        """Count one page; `words` are nothing where it is no such article. Raises PatternTimeout."""
        readings: list[PageReading] = []
        listing, portal = stored.listing, without_skip(self.portal)
        article = read_article([page], portal, url=stored.url, listing=listing, readings=readings)
        is_article = article.outcome is PageOutcome.ARTICLE and article.metadata.keys() >= {"headline", "datePublished"}
        container = readings[0].container if readings else None
        around = {above for root in container.elements for above in (root, *root.iterancestors())} if container is not None else set()
        for selector in self.portal.articles.skip.when:
            matched = selector.select(page.tree) if page.tree is not None else []
            words = word_count(" ".join(map(element_text, matched)))
            is_box = around.isdisjoint(matched) and (words >= _FEWEST_WORDS or any(element.tag in VOID_MEDIA for element in matched))
            if matched:
                counted.note("skipped", (selector.text, stored.url), article.extent.words if is_article and is_box else 0)


def without_skip(portal: Portal) -> Portal:
    """With all pages for articles."""
    return replace(portal, articles=replace(portal.articles, skip=SkipRules()))
