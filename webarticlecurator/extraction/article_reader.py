"""The way from the pages of an article to the article in steps, and the module to read first.

    layout -> metadata -> posts -> container -> blocks -> the pages joined -> language -> outcome

Whatever a page is like, there is an article with an outcome and its reason; nothing is raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from webarticlecurator.budget import no_collector, one_page
from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import NO_ZONE
from webarticlecurator.document.archived_copies import own_page
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article_pages import next_article_page, skip_reason
from webarticlecurator.extraction.index_posts import (
    NO_DATE,
    NO_TITLE,
    TRUNCATED,
    IndexPage,
    IndexPost,
    page_of_post,
    told_by,
)
from webarticlecurator.extraction.joined_pages import article_of
from webarticlecurator.extraction.metadata import read_metadata
from webarticlecurator.extraction.page_reading import PageReading, lookup_of, read_page_of_article
from webarticlecurator.extraction.posts import PostItem
from webarticlecurator.extraction.signs_of_more import sign_of_more
from webarticlecurator.extraction.site_entrances import address_of
from webarticlecurator.extraction.threads import PagePosts
from webarticlecurator.extraction.url_rules import article_id, identity_of
from webarticlecurator.model.article import Article, CaptureRef
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import NO_FIELDS, Fields
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.urls import bare_host, join, same_page

_NO_TEXT = "there is no text in the post on the index page"


def read_article(
    pages: Sequence[Page],
    portal: Portal,
    *,
    url: str,
    id: str | None = None,
    identity: str | None = None,
    listing: Fields | None = None,
    captures: tuple[CaptureRef, ...] = (),
    versions: tuple[CaptureRef, ...] = (),
    readings: list[PageReading] | None = None,
    no_page: str | None = None,
) -> Article:
    """Return one article from all its pages, in order; the first decides what it is.

    `readings` is given what each page gave.
    `no_page` is where `articles.next` leads that is known to be no page of it.
    """
    identity = identity_of(url, portal) if identity is None else identity
    id = article_id(identity, portal) if id is None else id
    blank = Article(
        id=id,
        url=url,
        identity=identity,
        outcome=PageOutcome.EMPTY,
        captures=captures,
        versions=versions,
    )
    try:
        with one_page():
            return _read_in_time(pages, portal, blank, listing or NO_FIELDS, readings, no_page)
    except PatternTimeout as problem:
        return replace(blank, outcome=PageOutcome.UNREADABLE, reason=str(problem))


def _read_in_time(
    pages: Sequence[Page],
    portal: Portal,
    blank: Article,
    listing: Fields,
    readings: list[PageReading] | None,
    no_page: str | None,
) -> Article:
    """Return the article, if the rules of the portal need not too long. Raises PatternTimeout."""
    skipped = skip_reason(pages[0], portal)
    if skipped is not None:
        return replace(blank, outcome=PageOutcome.NOT_ARTICLE, reason=skipped)
    read = [read_page_of_article(page, portal, listing) for page in pages]
    seen = [page.requested_url for page in pages]
    next_page = next_article_page(pages[-1], portal, seen)
    next_page = next_page if next_page != no_page else None
    if readings is not None:
        readings.extend(read)
    article = replace(article_of(blank, read, portal), next_page=next_page)
    if next_page is not None or article.outcome is not PageOutcome.ARTICLE:
        return article
    return replace(article, goes_on=sign_of_more(pages[-1], pages[0].requested_url, seen, portal))


@no_collector()
def read_capture(capture: Capture, portal: Portal | None = None) -> Article:
    """Return the article on one page, of which nothing else is known: by the rules of a portal, or by the
    general rules."""
    capture = own_page(capture)
    url = capture.requested_url
    rules = portal or any_portal(capture.url)
    page = read_page(capture, encoding=rules.fetch.encoding, format=rules.articles.format)
    if isinstance(page, Page):
        return read_article([page], portal or _with_certain_home(rules, page), url=url)
    identity = identity_of(url, rules)
    return Article(
        id=article_id(identity, rules), url=url, identity=identity, outcome=page.outcome, reason=page.reason
    )


def _with_certain_home(portal: Portal, page: Page) -> Portal:
    """Return a portal without its home where a page with that address does not tell it itself.

    People write the address of a site for any page of it.
    """
    is_doubtful = same_page(page.url, portal.home) and not same_page(address_of(page) or "", portal.home)
    return replace(portal, home="") if is_doubtful else portal


def any_portal(url: str) -> Portal:
    """Return a portal that nothing is known of but that this page is on it."""
    home = join(url, "/") or ""
    return Portal(name=bare_host(home) or "page", title="", home=home, language=None, timezone=NO_ZONE)


def read_index_post(
    index: IndexPage,
    post: IndexPost,
    *,
    id: str,
    listing: Fields = NO_FIELDS,
    captures: tuple[CaptureRef, ...] = (),
    versions: tuple[CaptureRef, ...] = (),
    flags: tuple[str, ...] = (),
) -> Article:
    """Return the article that a post is.

    Its page shows other articles beside it, so only what is said of the whole blog counts.
    """
    url = index.address_of(post)
    blank = Article(
        id=id,
        url=url,
        identity=post.identity or url,
        outcome=PageOutcome.EMPTY,
        captures=captures,
        versions=versions,
    )
    try:
        with one_page():
            alone, lookup = PagePosts(), lookup_of(index.rules.body)
            item = PostItem(index.context.item(post.node), PostKind.BLOG, index.rules.posts[PostKind.BLOG])
            whole = item.read(lookup, None, alone)
            if whole is None:
                return replace(blank, reason=_NO_TEXT)
            page, said = page_of_post(index, post), told_by(index, post, whole)
            read = read_metadata(
                page, index.context.portal, index.rules.metadata, listing=listing, certain=said
            )
    except PatternTimeout as problem:
        return replace(blank, outcome=PageOutcome.UNREADABLE, reason=str(problem))
    lacks = {
        NO_TITLE: "headline" not in read.metadata,
        NO_DATE: "datePublished" not in read.metadata,
        TRUNCATED: not post.whole,
    }
    flags = (*read.flags, *flags, *(flag for flag, holds in lacks.items() if holds))
    reading = PageReading(
        page=replace(page, tree=None),
        rules=index.rules,
        read=replace(read, flags=flags),
        container=None,
        listing=None,
        blocks=list(whole.blocks),
        posts=[],
        accounts=(alone.elsewhere[post.node],),
        unknown_tags=tuple(alone.unknown_tags),
    )
    article = article_of(blank, [reading], index.context.portal)
    return replace(article, reason=_NO_TEXT) if article.outcome is PageOutcome.EMPTY else article
