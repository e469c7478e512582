"""Whether pages of articles lead to articles that no list gave: what says that a list is whole does not say that the portal has no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Column
from webarticlecurator.crawling.article_fetching import page_of
from webarticlecurator.crawling.run import Run
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article_pages import linked_from
from webarticlecurator.extraction.url_rules import article_url, identity_of, url_shape
from webarticlecurator.labelling.names import link_kind
from webarticlecurator.model.page import Page
from webarticlecurator.urls import normalise

_SAMPLE, _SAMPLES = 5, 50
"""Articles at either end of what a column listed, where the neighbours of those that are missing may be; and at one end of all columns."""
_KNOWN = 200
"""Articles by which the addresses of a column are known."""
_FEWEST = 3
"""Articles of one kind of address; and addresses of that kind that nobody knows."""
_EXAMPLES = 3


def unlisted_articles(run: Run, columns: Sequence[Column]) -> Iterator[str]:
    """Of each column that is proved, what its articles lead to and no archive page named."""
    for column in columns:
        if column.section_of is None and column.rules in run.ledger.proved(column.name):
            shapes = Counter(url_shape(url, sections=True) for url in run.ledger.listed_by(column.name, _KNOWN))
            usual = {shape for shape, articles in shapes.items() if articles >= _FEWEST}
            sample = max(1, min(_SAMPLE, _SAMPLES // len(columns)))
            articles = dict.fromkeys(url for last in (False, True) for url in run.ledger.listed_by(column.name, sample, last=last))
            stored = (answer for url in articles for answer in run.ledger.first_pages_of(url)[:1])
            pages = [page for answer in stored if isinstance(page := page_of(run.stored(answer), run.portal), Page)]
            linked = Counter(url for page in pages for url in linked_from(page))
            # what most of them have in common is the portal's menu
            few = (url for url, times in linked.items() if 2 * times <= max(2, len(pages)))
            unlisted = [url for url in few if url_shape(url, sections=True) in usual and _is_unknown(run, column, url)]
            if len(unlisted) >= _FEWEST:
                addresses = amount(len(unlisted), "address like theirs", "addresses like theirs")
                yield (
                    f"column {column.name}: pages of its articles lead to {addresses} that no list named (such as"
                    f" {', '.join(unlisted[:_EXAMPLES])}); if these are articles, its pages do not list all"
                )


def _is_unknown(run: Run, column: Column, url: str) -> bool:
    """Whether it may be an article's, and no crawl has met it."""
    try:
        listed = article_url(url, column.urls, run.portal)
    except PatternTimeout:
        return False
    if not isinstance(listed, str) or link_kind(url) is not None:
        return False
    url = normalise(listed)
    return not run.ledger.knows(url, identity_of(url, run.portal)) and run.ledger.column_of_page(url) is None
