"""The report of one corpus, section by section."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from webarticlecurator.model.statistics import CorpusStatistics
from webarticlecurator.report.html import Html, element
from webarticlecurator.report.page import completeness, growth, metadata, outcomes, provenance, rules, summary, texts
from webarticlecurator.report.page.frame import page
from webarticlecurator.report.page.parts import Section

SECTIONS: tuple[Callable[[CorpusStatistics], Section], ...] = (
    outcomes.problems_section,
    growth.section,
    completeness.section,
    outcomes.section,
    metadata.section,
    rules.section,
    texts.section,
    texts.posts_section,
    provenance.section,
)
"""In the order in which a reader needs them."""


def corpus_page(statistics: CorpusStatistics, *, made_on: date) -> bytes:
    """The whole file; the same bytes of the same numbers and day."""
    sections = [make(statistics) for make in SECTIONS]
    entries = [element("li", element("a", one.title, href=f"#{one.id}")) for one in sections]
    contents = element("nav", element("h2", "Contents", id="contents"), element("ol", entries), aria_labelledby="contents")
    main = element("main", summary.summary(statistics), (_section(one) for one in sections), id="main")
    title = f"{statistics.portal.title or statistics.portal.name}: report of the corpus"
    return page(title, (summary.head(statistics, made_on.isoformat()), element("div", contents, main, class_="pages")))


def _section(one: Section) -> Html:
    return element("section", element("h2", one.title, id=one.id), one.content, aria_labelledby=one.id, class_="part")
