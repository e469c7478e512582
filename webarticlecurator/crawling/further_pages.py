"""Does an article go on at its own address with a query or a number behind it, whatever is written on the
link that leads there?

Of each form of such addresses a few are asked for, once: where the same headline stands above another text,
the articles go on there.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from webarticlecurator.corpus.events import FormState
from webarticlecurator.corpus.seen_addresses import SeenForm, left_out_by
from webarticlecurator.crawling.looks import article_on, articles_of, pages_of, probe
from webarticlecurator.crawling.requests import article_request
from webarticlecurator.crawling.run import Run
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.signs_of_more import is_left_out
from webarticlecurator.extraction.url_rules import cleaned, identity_of
from webarticlecurator.model.article import Article, plain_text
from webarticlecurator.urls import normalise

_MOST_OF_FORM = 2
_FEWEST_CHARACTERS = 60
"""Characters of new text that make a further page: fewer may be words of the portal around its articles."""


def ask_further_pages(run: Run) -> None:
    """Ask of each form a few, those first that most articles have, and keep in mind what they are."""
    for form in unasked_further_pages(run):
        for url in _to_ask(run, form)[: min(run.probes.left, _MOST_OF_FORM)]:
            form.state = FormState.OTHERS
            if _goes_on_at(run, url, form.addresses[url].via):
                form.state = FormState.ARTICLES
                break


def unasked_further_pages(run: Run) -> list[SeenForm]:
    """Return the forms of which nobody has asked for anything that may be a further page, those first that
    most articles have."""
    forms = [form for form in run.seen.further.values() if form.is_unasked]
    return sorted(filter(partial(_to_ask, run), forms), key=lambda form: -form.number)


def _to_ask(run: Run, form: SeenForm) -> list[str]:
    """Return the addresses of a form that nobody has read as a page of an article, and no rule leaves out, or
    makes the article's own."""
    return [
        url
        for url, seen in form.addresses.items()
        if not first_reason(NO_FURTHER_PAGE, MaybeFurther(run, url, seen.via))
    ]


class MaybeFurther(NamedTuple):
    """An address at which an article may go on."""

    run: Run
    url: str
    article: str

    @property
    def cleaned(self) -> str:
        """The address as the rules of the portal file leave it."""
        return normalise(cleaned(self.url, self.run.portal.article_urls))


NO_FURTHER_PAGE: tuple[Check[MaybeFurther], ...] = (
    Check("a person leaves it out", lambda maybe: left_out_by(maybe.run.portal, maybe.url) is not None),
    Check("rules leave it out", lambda maybe: is_left_out(maybe.url, maybe.run.portal)),
    Check("rules make it the article's own", lambda maybe: maybe.cleaned == normalise(maybe.article)),
    Check(
        "it was read", lambda maybe: any(map(maybe.run.ledger.is_further_page, (maybe.cleaned, maybe.url)))
    ),
)
"""Why nobody need ask whether an article goes on at an address."""


def _goes_on_at(run: Run, url: str, of_article: str) -> bool:
    """Say whether an address shows the same headline above a text that no page of the article has."""
    request = article_request(run.portal, url, identity_of(of_article, run.portal), first=False)
    capture = probe(run, request)
    known = articles_of(run, pages_of(run, of_article))
    article = article_on(run, capture)
    if article is None or not known or article.title != known[0].title:
        return False
    paragraphs = paragraphs_of(article).difference(*map(paragraphs_of, known))
    return sum(map(len, paragraphs)) >= _FEWEST_CHARACTERS


def paragraphs_of(article: Article) -> frozenset[str]:
    """Return the texts of an article's blocks and posts."""
    of_posts = (block for post in article.posts for block in post.blocks)
    return frozenset(plain_text(block) for block in (*article.blocks, *of_posts))
