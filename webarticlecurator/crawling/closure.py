"""Is every address that the crawl has seen, and that is written like an article's, somewhere in its lists?

Of each form of such addresses a few are asked for, once, and read as builds read them. Where one is an
article of the portal, the portal has more than its columns list: a gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from webarticlecurator.corpus.events import FormState, SeenEvent
from webarticlecurator.corpus.seen_addresses import (
    SeenAddress,
    SeenForm,
    is_unlisted,
    left_unasked,
    missing_articles,
)
from webarticlecurator.crawling.counted_posts import compare_counted_posts
from webarticlecurator.crawling.crawl_options import CrawlSummary
from webarticlecurator.crawling.further_pages import ask_further_pages, unasked_further_pages
from webarticlecurator.crawling.looks import article_of, page_in, probe
from webarticlecurator.crawling.missing_articles import FoundPage, KnownArticles, is_page_of_list
from webarticlecurator.crawling.requests import article_request
from webarticlecurator.crawling.run import Run
from webarticlecurator.dates import latest_moment
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.labelling.element_names import link_kind
from webarticlecurator.model.article import Article
from webarticlecurator.urls import normalise
from webarticlecurator.warc.store import Series

MOST_OF_FORM = 3
_MOST_KEPT = 20
"""Addresses of a form that the ledger keeps."""


def close(run: Run) -> None:
    """Ask of each form a few, and write down what they are, and which are left to the next crawl.

    While lists are not read to their end, what they do not name yet may stand on what is left of them: then
    nobody is asked.
    """
    run.seen.learn()
    is_read = not first_reason(NOT_READ, run.summary)
    asking = _Asking(run, is_read)
    asking.decide_all(1)
    if is_read and not run.options.offline:
        ask_further_pages(run)
        compare_counted_posts(run)
    asking.decide_all(MOST_OF_FORM)
    asking.decide_all(MOST_OF_FORM)  # what is asked for may lead to further forms
    if not run.probes.left:
        _leave_to_next(run)
    _write(run)


def _leave_to_next(run: Run) -> None:
    """Note of what nobody has asked that the next crawl is to do so."""
    for form in (*_forms_to_ask(run), *unasked_further_pages(run)):
        if form.is_unasked:
            form.state = FormState.LEFT


NOT_READ: tuple[Check[CrawlSummary], ...] = (
    Check("something failed", lambda summary: bool(summary.failures)),
    Check("the layout seems to have changed", lambda summary: bool(summary.drift)),
    Check("a limit was hit", lambda summary: bool(summary.incomplete)),
    Check("the portal keeps us out", lambda summary: summary.blocked is not None),
)
"""Why lists were not read to their end."""


def gaps(run: Run) -> list[str]:
    """Return what pages lead to, is an article, and stands in no list, in words."""
    return list(map(str, missing_articles(run.portal, run.ledger)))


def left_to_ask(run: Run) -> list[str]:
    """Return what crawls have left to the next, in words."""
    return list(map(str, left_unasked(run.portal, run.ledger)))


def _in_order(run: Run) -> list[SeenForm]:
    """Return the forms that may hide articles, those first that the fewest words speak against, and of these
    the largest."""
    forms = [form for form in _forms_to_ask(run) if form.is_open]
    return sorted(forms, key=lambda form: (link_kind(next(iter(form.addresses))) is not None, -form.number))


def _forms_to_ask(run: Run) -> Iterator[SeenForm]:
    """Give the forms with addresses that no list names, and that no person leaves out."""
    return (form for _, form in run.seen.unlisted() if run.seen.to_ask(form))


def _write(run: Run) -> None:
    """Write down what is known now, where that is something new."""
    kept = []
    for name, form in (*run.seen.unlisted(), *run.seen.further.items(), *run.seen.counted.items()):
        addresses = tuple((url, *seen) for url, seen in list(form.addresses.items())[:_MOST_KEPT])
        kept.append((name, form.number, form.state, addresses))
    if run.seen.has_changed(kept):
        event = SeenEvent(pages=run.seen.pages, forms=tuple(kept), **run.recorder.stamp())
        run.recorder.write(Series.ARCHIVE, run.portal.home, event)


@dataclass
class _Asking:
    """Asks for addresses while there is room."""

    run: Run
    is_read: bool
    """All lists were read to their ends."""
    _answers: dict[str, bool | None] = field(default_factory=dict)
    """Address -> whether it is an article, as far as this crawl has asked; None: nobody may be asked."""

    @cached_property
    def _known_articles(self) -> KnownArticles:
        """The articles to compare with: where nothing is asked for, they need not be read."""
        return KnownArticles(self.run)

    def decide_all(self, most: int) -> None:
        """Ask for so many addresses of each form that is open."""
        for form in _in_order(self.run):
            self.decide(form, most)

    def decide(self, form: SeenForm, most: int) -> None:
        """Ask for addresses of a form until one is an article, or so many are none."""
        answered = 0
        for url in self.run.seen.to_ask(form)[:most]:
            if url not in self._answers:
                self._answers[url] = self._ask(url, form.addresses[url])
            is_article = self._answers[url]
            if is_article:
                form.state, form.addresses = FormState.ARTICLES, {url: form.addresses[url], **form.addresses}
                return
            answered += is_article is not None
        if answered:
            form.state, form.asked, form.asked_of = FormState.OTHERS, max(form.asked, answered), form.number

    def _ask(self, url: str, seen: SeenAddress) -> bool | None:
        """Say whether an address is an article of the portal; None: nobody may be asked."""
        request = article_request(self.run.portal, url, identity_of(url, self.run.portal), first=True)
        is_new = not self.run.ledger.answers(request.key)
        if is_new and first_reason(MAY_NOT_ASK, self):
            return None
        capture = probe(self.run, request)
        if capture is None or not is_unlisted(self.run.portal, self.run.ledger, normalise(capture.url)):
            return False
        self.run.seen.take_page(capture)
        if is_page_of_list(self.run, capture.url):  # it need not be read
            return False
        page = page_in(self.run, capture)
        article = article_of(self.run, page)
        if article is None:
            return False
        assert page is not None  # it was read
        if self._is_newer_than_crawl(article):
            return None
        return self._known_articles.reason_against(FoundPage(page, article, seen)) is None

    def _is_newer_than_crawl(self, article: Article) -> bool:
        """Say whether it was published since the crawl began: then the next one lists it."""
        moment = latest_moment(article.date) if article.date is not None and ":" in article.date else None
        return moment is not None and moment >= self.run.began


MAY_NOT_ASK: tuple[Check[_Asking], ...] = (
    Check("lists were not read to their ends", lambda asking: not asking.is_read),
    Check("as many were asked for as may be", lambda asking: asking.run.probes.left == 0),
    Check("nobody is asked anything", lambda asking: asking.run.options.offline),
    Check("a person has stopped the crawl", lambda asking: asking.run.stopped),
)
"""Why nothing more is asked for."""
