"""Index pages of a blog, which hold several whole posts: those that stand on one, by `posts.blog`.

Each with what it says of itself.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import one_page
from webarticlecurator.config.article_rules import Layout, PostKind, PostRules
from webarticlecurator.config.fetch_rules import UrlRules
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.metadata import rules_for
from webarticlecurator.extraction.picked_values import (
    TEXT,
    PageContext,
    is_element,
    pick_fields,
    pick_nodes,
    pick_values,
)
from webarticlecurator.extraction.posts import PostItem
from webarticlecurator.extraction.site_entrances import only_related
from webarticlecurator.extraction.threads import MAX_POSTS
from webarticlecurator.extraction.url_rules import article_url, cleaned, identity_of
from webarticlecurator.model.article import INDEX_SIGN, Post
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.protocol.message import mime_of
from webarticlecurator.text import element_text, squeeze
from webarticlecurator.urls import normalise

NO_TITLE, NO_DATE = f"{INDEX_SIGN}the post has no title there", f"{INDEX_SIGN}the post has no date there"
TRUNCATED = f"{INDEX_SIGN}only the beginning of the post stands there"
_TOLD = {
    "headline": "title",
    "datePublished": "time",
    "articleSection": "section",
    **{name: name for name in ("author", "keywords", "url")},
}
"""Metadata field -> the rule for posts that gives it."""
_OF_WHOLE_BLOG = frozenset(
    (
        "og:site_name",
        "og:locale",
        "application-name",
        "content-language",
        "language",
        "dc.language",
    )
)
"""Names of `meta` that say something of a whole blog, and not of the page or a post."""
_PICTURES = ("img", "picture", "video", "audio", "iframe", "embed", "object", "svg")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndexPost:
    """One post, as it stands on an index page."""

    node: Element
    url: str | None
    """Its permalink, normalised; None where `posts.blog.url` finds none, or one that the `urls` rules
    refuse."""
    identity: str | None
    characters: int
    """The length of its text, whatever becomes of it."""
    digest: str
    """The digest of its text."""
    whole: bool
    """True if nothing shows that there is more of it elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """A page with its posts."""

    page: Page
    context: PageContext
    rules: Portal | Layout
    urls: UrlRules
    """The rules for its addresses."""
    posts: tuple[IndexPost, ...] = ()
    """In page order; those without an address, too."""

    @property
    def by_identity(self) -> dict[str, IndexPost]:
        """Return the fullest post of each article: one that is pinned may stand on the page twice."""
        posts: dict[str, IndexPost] = {}
        for post in self.posts:
            if post.identity is not None:
                posts[post.identity] = max(
                    posts.get(post.identity, post), post, key=lambda other: (other.whole, other.characters)
                )
        return posts

    @property
    def is_index(self) -> bool:
        """Return True if it is a page of posts, and not the own page of one of them, which may show others
        below.

        That one is the fullest there, and has no link to itself or one to the page; where it is none of the
        posts, its text stands beside.
        """
        return not first_reason(NO_INDEX, self)

    @property
    def fullest(self) -> list[IndexPost]:
        """Return the post with most text, if there is any."""
        return sorted(self.posts, key=lambda post: -post.characters)[:1]

    def address_of(self, post: IndexPost) -> str:
        """Return the address of a post; that of the page where it has none of its own."""
        return post.url or self.page.url

    @property
    def paragraphs_beside(self) -> list[int]:
        """Return the rows of paragraphs that stand in none of the posts."""
        outline = self.page.outline
        inside = chain.from_iterable(outline.rows_in(outline.row_of[post.node], "p") for post in self.posts)
        return sorted(set(outline.rows("p")).difference(inside))

    @property
    def own_identities(self) -> set[str]:
        """Return what the page is by its addresses and by what it calls its own."""
        canonical = self.page.joined(only_related(self.page, "canonical", "link"))
        urls = (self.page.url, self.page.requested_url, *canonical)
        return {identity_of(normalise(cleaned(url, self.urls)), self.context.portal) for url in urls}


def _has_nameless_post(index: IndexPage) -> bool:
    return any(post.identity is None for post in index.fullest)


def _is_post(index: IndexPage) -> bool:
    return not index.own_identities.isdisjoint(index.by_identity)


def _has_more_beside(index: IndexPage) -> bool:
    beside = sum(map(index.page.outline.length, index.paragraphs_beside))
    return beside > sum(post.characters for post in index.posts)


NO_INDEX: tuple[Check[IndexPage], ...] = (
    Check("it has no posts", lambda index: not index.posts),
    Check("its fullest post has no address", _has_nameless_post),
    Check("it is the own page of a post", _is_post),
    Check("more text stands beside its posts", _has_more_beside),
)


def index_page_of(capture: Capture, portal: Portal, column: Column | None = None) -> IndexPage | NoPage:
    """Return the posts on a stored page; none on what is no HTML. Raises PatternTimeout."""
    mime = mime_of(capture.headers)
    if mime and "html" not in mime:
        return NoPage(f"{mime} holds no posts")
    page = read_page(capture, encoding=portal.fetch.encoding)
    return page if isinstance(page, NoPage) else read_index_page(page, portal, column)


@one_page()
def read_index_page(page: Page, portal: Portal, column: Column | None = None) -> IndexPage:
    """Return the posts on a page, by the `urls` rules of its column or else those of the archive. Raises
    PatternTimeout."""
    rules = rules_for(page, portal, {})
    base, urls = (column.base, column.urls) if column is not None else (None, portal.article_urls)
    context = PageContext.whole(page, portal, base=base)
    index = IndexPage(page=page, context=context, rules=rules, urls=urls)
    blog = rules.posts.get(PostKind.BLOG)
    if blog is None or blog.url is None:
        return index
    with page.budget:
        items = list(filter(is_element, pick_nodes(blog.item, context)[:MAX_POSTS]))
        known = frozenset(items)
        outermost = [node for node in items if known.isdisjoint(node.iterancestors())]
        posts = [_index_post(node, blog, blog.url, context, urls) for node in outermost]
    return replace(index, posts=tuple(filter(None, posts)))


def _index_post(
    node: Element,
    blog: PostRules,
    address: Picks,
    context: PageContext,
    urls: UrlRules,
) -> IndexPost | None:
    """Return one post; None where nothing is said or shown."""
    item = context.item(node)
    texts = PostItem(item, PostKind.BLOG, blog).texts
    text = "\n".join([squeeze(element_text(element)) for element in texts])
    if not text.strip() and all(next(element.iter(*_PICTURES), None) is None for element in texts):
        return None
    url = _permalink(address, item, urls)
    return IndexPost(
        node=node,
        url=url,
        identity=identity_of(url, context.portal) if url is not None else None,
        characters=len(text),
        digest=sha256(text.encode("utf-8", "replace")).hexdigest()[:16],
        whole=not pick_values(blog.more, item, TEXT).values,
    )


def _permalink(address: Picks, item: PageContext, urls: UrlRules) -> str | None:
    """Return the address that a post gives itself; None where there is none, or one that the `urls` rules
    refuse."""
    addresses = pick_fields({"url": address}, item).get("url")
    joined = article_url(addresses[0].value, urls, item.portal) if addresses else None
    return normalise(joined) if isinstance(joined, str) else None


def has_several_articles(page: Page, portal: Portal, *, listed: bool) -> bool:
    """Return True if it is an index page of more than one. Raises PatternTimeout.

    `listed`: an archive page leads to it as to an article.
    """
    index = read_index_page(page, portal)
    articles = index.by_identity
    # only the beginning of the post of this address is here, and more of others: it is the blog's first page
    own = [articles[identity] for identity in index.own_identities & articles.keys()]
    is_another_pages = any(not post.whole and post not in index.fullest for post in own)
    return len(articles) > 1 and (is_another_pages or (not listed and index.is_index))


def told_by(index: IndexPage, post: IndexPost, read: Post) -> Metadata:
    """Return the metadata that the post has by the rules for posts; `read` is the same post, whose time has
    found its day."""
    rules = index.rules.posts[PostKind.BLOG]
    picks = {field: getattr(rules, name) for field, name in _TOLD.items() if getattr(rules, name) is not None}
    with index.page.budget:
        metadata = pick_fields(picks, index.context.item(post.node))
    dates = metadata.pop("datePublished", ())
    if read.when is not None:
        by_day = Found(value=read.when, raw=read.when, source="posts.blog.day")
        metadata["datePublished"] = (replace(next(iter(dates), by_day), value=read.when),)
    if post.url is not None:
        metadata["url"] = (replace(metadata["url"][0], value=post.url),)
    return metadata


def page_of_post(index: IndexPage, post: IndexPost) -> Page:
    """Return a page at the post's own address with what the index page says of the whole blog; all else there
    is of other posts, too."""
    url = index.address_of(post)
    root = etree.Element("html")
    for page_root in index.page.outline.elements[:1]:
        root.set("lang", page_root.get("lang", ""))
    head = etree.SubElement(root, "head")
    for meta in index.page.outline.named("meta"):
        if not _OF_WHOLE_BLOG.isdisjoint(
            meta.get(name, "").lower() for name in ("name", "property", "http-equiv")
        ):
            head.append(copy(meta))
    return replace(index.page, url=url, requested_url=url, tree=root)
