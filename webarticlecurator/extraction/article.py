"""From the pages of an article to the article: the steps in their order, and the module to read first.

    layout -> metadata -> posts -> container -> blocks -> outcome

Whatever a page is like, there is an article with an outcome and its reason; nothing is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import BodyRules, PostKind
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article_pages import goes_on, next_article_page, skip_reason
from webarticlecurator.extraction.article_parts import Part, article_of
from webarticlecurator.extraction.body.account import Account
from webarticlecurator.extraction.body.footnotes import Footnotes, TextOfPage, footnotes_in
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, Rewritten, rewrite
from webarticlecurator.extraction.container import Container, find_container
from webarticlecurator.extraction.forums import read_thread, with_opening
from webarticlecurator.extraction.index_posts import NO_DATE, NO_TITLE, TRUNCATED, IndexPage, IndexPost, page_of_post, told_by
from webarticlecurator.extraction.layouts import Rules, first_day, rules_for
from webarticlecurator.extraction.live_blogs import TYPE as LIVE_BLOG
from webarticlecurator.extraction.live_blogs import as_shown, claimed, read_entries, told_entries
from webarticlecurator.extraction.metadata import ReadMetadata, read_metadata
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.posts import called_comments, read_blog_post, read_posts, unread_comments
from webarticlecurator.extraction.threads import PagePosts
from webarticlecurator.extraction.url_rules import article_id, identity_of
from webarticlecurator.model.article import Article, CaptureRef, Piece, Post
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import Fields
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.urls import bare_host, join

_NO_TEXT = "there is no text in the post on the index page"
_MOST_LOOKUPS = 64
_LOOKUPS: dict[int, tuple[BodyRules, Lookup]] = {}
"""By the identity of the rules, which are kept so that it stays theirs: comparing hundreds of rules on every page would cost more."""


def read_article(
    pages: Sequence[Page],
    portal: Portal,
    *,
    id: str,
    identity: str,
    url: str,
    listing: Fields | None = None,
    captures: tuple[CaptureRef, ...] = (),
    versions: tuple[CaptureRef, ...] = (),
    containers: list[Container | None] | None = None,
    accounted: bool = True,
) -> Article:
    """One article from all its pages, in order; the first decides what it is. `containers` is given that of each page.

    Who does not want to know what became of every character (`accounted`) gets no `pieces`, and the rest sooner.
    """
    blank = Article(id=id, url=url, identity=identity, outcome=PageOutcome.EMPTY, captures=captures, versions=versions)
    if not pages:
        return replace(blank, outcome=PageOutcome.UNREADABLE, reason="none of its pages could be read")
    try:
        skipped = skip_reason(pages[0], portal)
        if skipped is not None:
            return replace(blank, outcome=PageOutcome.NOT_ARTICLE, reason=skipped)
        looks = [_look(page, portal, listing or {}) for page in pages]
        footnotes = _footnotes_across(looks) if len(looks) > 1 else None
        parts = [_read(look, footnotes, accounted) for look in looks]
        seen = [page.requested_url for page in pages]
        next_page = next_article_page(pages[-1], portal, seen)
    except PatternTimeout as problem:
        return replace(blank, outcome=PageOutcome.UNREADABLE, reason=str(problem))
    if containers is not None:
        containers.extend(part.container for part in parts)
    article = replace(article_of(blank, parts, portal), next_page=next_page)
    sign = goes_on(pages[-1], pages[0].requested_url, seen) if next_page is None and article.outcome is PageOutcome.ARTICLE else None
    return article if sign is None else replace(article, goes_on=sign.text)


def extract(
    html: str | bytes | Capture, url: str | None = None, portal: Portal | None = None, *, captured: datetime | None = None
) -> Article:
    """The article on one page: by the rules of a portal, or without one as the general reader sees it.

    `html` is a text, or bytes as they came, or a capture of `iter_warc`, which knows its URL, its date and its encoding.
    `captured` is the time that relative dates ("two hours ago") count from; without it, now. Without a portal a time without
    an offset is taken for UTC. Whatever the page is, there is an article, with an outcome and its reason.

    >>> from webarticlecurator import extract
    >>> article = extract("<title>Not much here</title>", "https://pelda.example/empty")
    >>> article.outcome
    <PageOutcome.EMPTY: 'empty'>
    """
    capture = html if isinstance(html, Capture) else _capture(html, url, captured)
    url, portal = url if url is not None else capture.requested_url, portal or _any_portal(capture.url)
    identity = identity_of(url, portal)
    id = article_id(identity, portal)
    encoding = "utf-8" if isinstance(html, str) else portal.fetch.encoding
    page = read_page(capture, encoding=encoding, format=portal.articles.format)
    if not isinstance(page, Page):
        return Article(id=id, url=url, identity=identity, outcome=page.outcome, reason=page.reason)
    return read_article([page], portal, id=id, identity=identity, url=url)


def _capture(html: str | bytes, url: str | None, captured: datetime | None) -> Capture:
    if url is None:
        raise TypeError("extract() needs the URL of the page beside its HTML: links and dates are read by it")
    body = html.encode("utf-8", "replace") if isinstance(html, str) else html
    return Capture(url=url, requested_url=url, status=200, headers=(), entity=body, date=captured or datetime.now(UTC))


def _any_portal(url: str) -> Portal:
    """A portal that nothing is known of but that this page is on it."""
    host = bare_host(url)
    return Portal(name=host or "page", title=host, home=join(url, "/") or url, language=None, timezone=ZoneInfo("UTC"))


# --- one page ---


@dataclass(frozen=True, slots=True)
class _Look:
    """At a page, before its text is read."""

    context: PageContext
    rules: Rules
    read: ReadMetadata
    container: Container | None


def _look(page: Page, portal: Portal, listing: Fields) -> _Look:
    rules = rules_for(page, portal, listing)
    read = read_metadata(page, portal, rules.metadata, listing=listing)
    context = PageContext.whole(page, portal, listing=listing)
    body = rules.body
    return _Look(context, rules, read, find_container(body.root, context, read.metadata, within=body.within, labeller=body.labeller))


def _footnotes_across(looks: Iterable[_Look]) -> Footnotes:
    """A note may stand on another page than what refers to it."""
    return footnotes_in(*(TextOfPage(look.container.elements, look.context.page.base) for look in looks if look.container is not None))


def _read(look: _Look, footnotes: Footnotes | None, accounted: bool) -> Part:
    context, rules, read, container = look.context, look.rules, look.read, look.container
    page, lookup = context.page, _lookup(rules.body)
    if container is not None and container.posts:
        found = read_thread(context, container.posts, lookup)
        read = with_opening(read, found.posts[0] if found.posts and container.posts[0].opens else None, page)
    else:
        found = _posts(context, rules, read, container, lookup)
        opening = next((post for post in found.posts if post.kind == PostKind.FORUM), None)
        read = with_opening(read, opening, page) if opening is not None else read
    body = _rewritten(container, page, lookup, read.metadata, found.elsewhere, footnotes)
    posts, blocks = found.posts, body.blocks
    if read.type == LIVE_BLOG and not _has_entries(posts):
        entries, blocks = claimed(told_entries(context, lookup), blocks, context.portal.timezone)
        posts = [*entries, *posts]
    return Part(
        page=page,
        rules=rules,
        read=read,
        container=container,
        blocks=blocks,
        pieces=body.pieces if accounted else (),
        posts=as_shown(posts),
        unread_comments=_unread_comments(look, found, body, lookup),
        unknown_tags=(*body.unknown_tags, *found.unknown_tags),
    )


def _unread_comments(look: _Look, posts: PagePosts, body: Rewritten, lookup: Lookup) -> tuple[Piece, ...]:
    tree, container, rules = look.context.page.tree, look.container, look.rules
    if tree is None or container is None or PostKind.COMMENTS in rules.unwanted_posts:
        return ()
    called = container.comments if container.comments is not None else called_comments(look.context.page.outline.elements)
    read = frozenset((*container.elements, *posts.elsewhere))
    has_rule = PostKind.COMMENTS in rules.posts
    return unread_comments(called, lookup, read, dict(body.account.dropped_elements()), has_rule=has_rule)


def _posts(context: PageContext, rules: Rules, read: ReadMetadata, container: Container | None, lookup: Lookup) -> PagePosts:
    """The posts that the rules tell; where they tell nothing of a live blog, its entries by what repeats."""
    day = first_day(found.value for found in read.metadata.get("datePublished", ())[:1])
    found = read_posts(context, rules.posts, lookup, day)
    if container is None or _has_entries(found.posts):
        return found
    entries = read_entries(container, context, read, day, lookup)
    if entries is None:
        return found
    return PagePosts([*entries.posts, *found.posts], entries.elsewhere | found.elsewhere, [*entries.unknown_tags, *found.unknown_tags])


def _has_entries(posts: Iterable[Post]) -> bool:
    return any(post.kind == PostKind.LIVEBLOG for post in posts)


def _rewritten(
    container: Container | None,
    page: Page,
    lookup: Lookup,
    metadata: Metadata,
    elsewhere: Mapping[Element, Sequence[Piece]],
    footnotes: Footnotes | None,
) -> Rewritten:
    if container is None:
        return Rewritten([], Account())
    headline = metadata.get("headline")
    return rewrite(
        container.elements,
        lookup,
        RewriteContext(
            base=page.base,
            encoding=page.encoding,
            headline=headline[0].value if headline else "",
            apart=container.apart,
            furniture=container.furniture,
            captions=container.captions,
            elsewhere=elsewhere,
            footnotes=footnotes,
            budget=page.budget,
        ),
    )


def _lookup(rules: BodyRules) -> Lookup:
    """Compiled once for each layout of a portal."""
    key = id(rules)
    known = _LOOKUPS.get(key)
    if known is None:
        if len(_LOOKUPS) >= _MOST_LOOKUPS:
            _LOOKUPS.clear()
        known = _LOOKUPS[key] = (rules, Lookup(rules.tags))
    return known[1]


# --- a post on an index page ---


def read_index_post(
    index: IndexPage,
    post: IndexPost,
    *,
    id: str,
    listing: Fields | None = None,
    captures: tuple[CaptureRef, ...] = (),
    versions: tuple[CaptureRef, ...] = (),
    flags: tuple[str, ...] = (),
) -> Article:
    """The article that a post is. What its page shows beside it is of other articles, so only what is said of the whole blog counts."""
    url = post.url or index.page.url
    blank = Article(id=id, url=url, identity=post.identity or url, outcome=PageOutcome.EMPTY, captures=captures, versions=versions)
    try:
        found = read_blog_post(index.context, index.rules.posts[PostKind.BLOG], post.node, _lookup(index.rules.body))
        if not found.posts:
            return replace(blank, reason=_NO_TEXT)
        page, told = page_of_post(index, post), told_by(index, post, found.posts[0])
        read = read_metadata(page, index.context.portal, index.rules.metadata, listing=listing, certain=told)
    except PatternTimeout as problem:
        return replace(blank, outcome=PageOutcome.UNREADABLE, reason=str(problem))
    if index.rules.posts[PostKind.BLOG].title is not None and read.metadata.get("headline", ()) and "headline" not in told:
        # a heading beside the text that is not its title: "Share", "Tags"
        seen = {name: found for name, found in read.metadata.items() if name != "headline" or not found[0].source.startswith("html:")}
        read = replace(read, metadata=seen)
    lacks = {NO_TITLE: "headline" not in read.metadata, NO_DATE: "datePublished" not in read.metadata, TRUNCATED: not post.whole}
    flags = (*read.flags, *flags, *(flag for flag, holds in lacks.items() if holds))
    part = Part(
        page=replace(page, tree=None),
        rules=index.rules,
        read=replace(read, flags=flags),
        container=None,
        blocks=list(found.posts[0].blocks),
        pieces=tuple(found.elsewhere[post.node]),
        posts=[],
        unread_comments=(),
        unknown_tags=tuple(found.unknown_tags),
    )
    article = article_of(blank, [part], index.context.portal)
    return replace(article, reason=_NO_TEXT) if article.outcome is PageOutcome.EMPTY else article
