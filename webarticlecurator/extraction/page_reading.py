"""The reading of one page of an article: layout, metadata, posts, the container of its text, blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import BodyRules, Layout, PostKind
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import first_day
from webarticlecurator.extraction.body.footnotes import notes_beyond
from webarticlecurator.extraction.body.locate import Container, find_container, with_links
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.body.walked_text import Account
from webarticlecurator.extraction.comments import read_comments, with_signs_of_readers
from webarticlecurator.extraction.forums import read_thread
from webarticlecurator.extraction.listings import why_listing
from webarticlecurator.extraction.live_blogs import TYPE as LIVE_BLOG
from webarticlecurator.extraction.live_blogs import as_shown, read_entries, told_entries, without_entries
from webarticlecurator.extraction.metadata import ReadMetadata, read_metadata, rules_for
from webarticlecurator.extraction.opening_posts import with_opening
from webarticlecurator.extraction.page_context import PageContext
from webarticlecurator.extraction.posts import read_posts
from webarticlecurator.extraction.threads import PagePosts
from webarticlecurator.model.article import COMMENTS, Block, Post, UnknownTag, first_value
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Scope

_LOOKUPS: dict[int, tuple[BodyRules, Lookup]] = {}
"""Lookups by the identity of their rules, which are kept so that it stays theirs: comparing them would cost
more."""
_MOST_LOOKUPS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReading:
    """The reading of one page of an article."""

    page: Page
    rules: Portal | Layout
    read: ReadMetadata
    container: Container | None
    listing: str | None
    """The reason to take the page for a listing; None if it may be an article."""
    blocks: list[Block]
    posts: list[Post]
    accounts: tuple[Account, ...]
    """Accounts of each post, and last of the text, which has those of the posts in their places."""
    unknown_tags: tuple[UnknownTag, ...]

    @property
    def roots(self) -> tuple[Element, ...]:
        """Return the elements that hold its text."""
        return self.container.elements if self.container is not None else ()


def read_page_of_article(page: Page, portal: Portal, listing: Fields) -> PageReading:
    """Read one page by the rules of a portal. Raises PatternTimeout."""
    rules, read = _layout(page, portal, listing)
    context = PageContext.whole(page, portal, listing=listing)
    body, lookup = rules.body, lookup_of(rules.body)
    container = find_container(body.root, context, read.metadata, within=body.within, labeller=body.labeller)
    thread, read = _posts_and_metadata(context, rules, container, read, lookup)
    posts = thread.posts
    entries = told_entries(context, lookup) if read.type == LIVE_BLOG and not _has_entries(posts) else []
    posts = [*entries, *posts]
    why = (
        why_listing(page, container, read.metadata, home=portal.home) if _kinds(posts) <= {COMMENTS} else None
    )
    # a corpus keeps no listings: their links are the text of pages that are read for themselves
    if why is not None and container is not None and not portal.sources:
        container = with_links(container, read.metadata)
    blocks, account = (
        _text(page, container, read, thread, lookup) if container is not None else ([], Account())
    )
    return PageReading(
        page=page,
        rules=rules,
        read=read,
        container=container,
        listing=why,
        blocks=without_entries(blocks, entries),
        posts=as_shown(posts),
        accounts=(*thread.elsewhere.values(), account),
        unknown_tags=(*account.unknown_tags(), *thread.unknown_tags),
    )


def lookup_of(rules: BodyRules) -> Lookup:
    """Return what decides the tags of a text, compiled once for each layout of a portal."""
    if id(rules) not in _LOOKUPS:
        if len(_LOOKUPS) >= _MOST_LOOKUPS:
            _LOOKUPS.clear()
        _LOOKUPS[id(rules)] = rules, Lookup(rules.tags)
    return _LOOKUPS[id(rules)][1]


def _layout(page: Page, portal: Portal, listing: Fields) -> tuple[Portal | Layout, ReadMetadata]:
    """Return the layout by whose rules a page is read, and the metadata by these."""
    read_by_base = cache(lambda: read_metadata(page, portal, portal.metadata, listing=listing))
    rules = rules_for(page, portal, listing, read_by_base)
    if rules.metadata == portal.metadata:
        return rules, read_by_base()
    return rules, read_metadata(page, portal, rules.metadata, listing=listing)


# --- posts ---


def _posts_and_metadata(
    context: PageContext,
    rules: Portal | Layout,
    container: Container | None,
    read: ReadMetadata,
    lookup: Lookup,
) -> tuple[PagePosts, ReadMetadata]:
    """Return the posts of a page, and its metadata with what these say of it."""
    if container is not None and container.posts:
        thread = read_thread(context, container.posts, lookup)
        opening = thread.posts[0] if thread.posts and container.posts[0].opens else None
        return thread, with_opening(read, opening, thread.posts, context.page)
    thread = _posts(context, rules, container, read, lookup)
    of_forum = [post for post in thread.posts if post.kind == PostKind.FORUM]
    if of_forum:
        read = with_opening(read, of_forum[0], of_forum, context.page)
    if container is None or PostKind.COMMENTS in rules.posts:
        return thread, read
    thread = _together(thread, read_comments(context, container, lookup, thread.elsewhere))
    return thread, with_signs_of_readers(read, thread.posts, context.page, container)


def _posts(
    context: PageContext,
    rules: Portal | Layout,
    container: Container | None,
    read: ReadMetadata,
    lookup: Lookup,
) -> PagePosts:
    """Return the posts that the rules tell, and without rules the entries of a live blog by what repeats."""
    day = first_day(found.value for found in read.metadata.get("datePublished", ())[:1])
    thread = read_posts(context, rules.posts, lookup, day)
    is_read = _has_entries(thread.posts) or not _may_have_entries(context.page)
    if container is None or is_read:
        return thread
    return _together(read_entries(container, context, read, day, lookup), thread)


def _may_have_entries(page: Page) -> bool:
    """Say whether a page has times: most have one at most."""
    return page.tree is None or len(page.outline.rows("time")) > 1


def _kinds(posts: Iterable[Post]) -> set[str]:
    """Return of which kinds some posts are."""
    return {post.kind for post in posts}


def _has_entries(posts: Iterable[Post]) -> bool:
    return PostKind.LIVEBLOG in _kinds(posts)


def _together(first: PagePosts, others: PagePosts) -> PagePosts:
    """Return the posts with others behind them."""
    unknown = [*first.unknown_tags, *others.unknown_tags]
    return PagePosts([*first.posts, *others.posts], first.elsewhere | others.elsewhere, unknown)


# --- the text ---


def _text(
    page: Page,
    container: Container,
    read: ReadMetadata,
    thread: PagePosts,
    lookup: Lookup,
) -> tuple[list[Block], Account]:
    """Return the blocks of the text, with what became of all that stands in it."""
    own = _in_named_boxes(container.elements, lookup) if container.apart else list(container.elements)
    notes = notes_beyond(container.root, page.base) if container.judged is not None else []
    around = RewriteContext(
        base=page.base,
        encoding=page.encoding,
        headline=first_value(read.metadata, "headline"),
        apart=_apart(container, own, notes, lookup),
        furniture=container.furniture,
        captions=container.captions,
        elsewhere=thread.elsewhere,
        budget=page.budget,
    )
    return rewrite([*own, *notes], lookup, around)


def _in_named_boxes(parts: Sequence[Element], lookup: Lookup) -> list[Element]:
    """Return the parts of a text; those before its body as the boxes around them that the portal file
    decides."""

    def is_named(element: Element) -> bool:
        decision = lookup.decide(element, Scope(None))
        return not decision.general and (decision.drop or bool(decision.blocks))

    around_body = {above for part in parts[-1:] for above in part.iterancestors()}
    boxes = []
    for part in parts[:-1]:
        around = [above for above in (part, *part.iterancestors()) if above not in around_body]
        boxes.append(next(filter(is_named, reversed(around)), around[0]))
    return [*dict.fromkeys(boxes), *parts[-1:]]


def _apart(
    container: Container,
    own: list[Element],
    notes: list[Element],
    lookup: Lookup,
) -> frozenset[Element]:
    """Return the parts of the text that a rule of the portal may decide."""
    if container.judged is not None:
        return frozenset((*own, *notes)) - {container.root}
    if len(own) <= 1:
        return frozenset()
    # who names a part of the text wants it
    return frozenset(part for part in own if not lookup.decide(part, Scope(None)).drop)
