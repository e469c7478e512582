"""From the pages of an article to the article: the steps in their order, and the module to read first.

    layout -> metadata -> posts -> container -> blocks -> the pages joined -> language -> outcome

Whatever a page is like, there is an article with an outcome and its reason; nothing is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from zoneinfo import ZoneInfo

from lxml.etree import _Element as Element

from webarticlecurator.budget import one_page
from webarticlecurator.config.article_rules import BodyRules, Layout, PostKind
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import first_day
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article_pages import next_article_page, skip_reason
from webarticlecurator.extraction.body.footnotes import notes_beyond
from webarticlecurator.extraction.body.locate import Container, find_container
from webarticlecurator.extraction.body.neighbouring_blocks import with_bold_headings, without_repeated_descriptions
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import opened
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.body.walked_text import Account
from webarticlecurator.extraction.forums import read_thread, with_opening
from webarticlecurator.extraction.index_posts import NO_DATE, NO_TITLE, TRUNCATED, IndexPage, IndexPost, page_of_post, told_by
from webarticlecurator.extraction.language_guess import Identified, identify, with_languages
from webarticlecurator.extraction.live_blogs import TYPE as LIVE_BLOG
from webarticlecurator.extraction.live_blogs import as_shown, read_entries, told_entries, with_coverage, without_entries
from webarticlecurator.extraction.metadata import ReadMetadata, read_metadata, rules_for
from webarticlecurator.extraction.metadata.sources import SOURCES
from webarticlecurator.extraction.page_outcome import judge
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.extraction.posts import PostItem, read_posts
from webarticlecurator.extraction.signs_of_more import sign_of_more
from webarticlecurator.extraction.threads import PagePosts, joined
from webarticlecurator.extraction.url_rules import article_id, identity_of
from webarticlecurator.model.article import COMMENTS, Article, Block, CaptureRef, Post, UnknownTag, first_value, plain_text
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import Fields
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Scope
from webarticlecurator.text import primary
from webarticlecurator.urls import bare_host, join

_NO_TEXT = "there is no text in the post on the index page"
_MOST_SAME, _SHORT = 12, 40
"""Blocks that may be the same on all pages of an article; characters of one that only one of the pages has."""
_LOOKUPS: dict[int, tuple[BodyRules, Lookup]] = {}
"""By the identity of the rules, which are kept so that it stays theirs: comparing hundreds of rules on every page would cost more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReading:
    """What one page of an article gave."""

    page: Page
    rules: Portal | Layout
    read: ReadMetadata
    container: Container | None
    blocks: list[Block]
    posts: list[Post]
    accounts: tuple[Account, ...]
    """Of each post, and last of the text, which has those of the posts in it in their places."""
    unknown_tags: tuple[UnknownTag, ...]


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
    """One article from all its pages, in order; the first decides what it is. `readings` is given what each page gave; `no_page` is where
    `articles.next` leads that is known to be no page of it."""
    identity = identity_of(url, portal) if identity is None else identity
    id = article_id(identity, portal) if id is None else id
    blank = Article(id=id, url=url, identity=identity, outcome=PageOutcome.EMPTY, captures=captures, versions=versions)
    try:
        with one_page():
            return _read_in_time(pages, portal, blank, listing or {}, readings, no_page)
    except PatternTimeout as problem:
        return replace(blank, outcome=PageOutcome.UNREADABLE, reason=str(problem))


def _read_in_time(
    pages: Sequence[Page], portal: Portal, blank: Article, listing: Fields, readings: list[PageReading] | None, no_page: str | None
) -> Article:
    """Raises PatternTimeout."""
    skipped = skip_reason(pages[0], portal)
    if skipped is not None:
        return replace(blank, outcome=PageOutcome.NOT_ARTICLE, reason=skipped)
    read = [_read(page, portal, listing) for page in pages]
    seen = [page.requested_url for page in pages]
    next_page = next_article_page(pages[-1], portal, seen)
    next_page = next_page if next_page != no_page else None
    if readings is not None:
        readings.extend(read)
    article = replace(_article_of(blank, read, portal), next_page=next_page)
    if next_page is not None or article.outcome is not PageOutcome.ARTICLE:
        return article
    return replace(article, goes_on=sign_of_more(pages[-1], pages[0].requested_url, seen, portal))


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
    if isinstance(html, Capture):
        capture = html
    elif url is None:
        raise TypeError("extract() needs the URL of the page beside its HTML: links and dates are read by it")
    else:
        body, date = html.encode("utf-8", "replace") if isinstance(html, str) else html, captured or datetime.now(UTC)
        capture = Capture(url=url, requested_url=url, status=200, headers=(), entity=body, date=date)
    url, portal = url if url is not None else capture.requested_url, portal or any_portal(capture.url)
    encoding = "utf-8" if isinstance(html, str) else portal.fetch.encoding
    page = read_page(capture, encoding=encoding, format=portal.articles.format)
    if isinstance(page, Page):
        return read_article([page], portal, url=url)
    identity = identity_of(url, portal)
    return Article(id=article_id(identity, portal), url=url, identity=identity, outcome=page.outcome, reason=page.reason)


def any_portal(url: str) -> Portal:
    """A portal that nothing is known of but that this page is on it."""
    home = join(url, "/") or url
    host = bare_host(home)
    return Portal(name=host or "page", title=host or "page", home=home, language=None, timezone=ZoneInfo("UTC"))


def _read(page: Page, portal: Portal, listing: Fields) -> PageReading:
    """Raises PatternTimeout."""
    read_by_base = cache(lambda: read_metadata(page, portal, portal.metadata, listing=listing))
    rules = rules_for(page, portal, listing, read_by_base)
    read = read_by_base() if rules.metadata == portal.metadata else read_metadata(page, portal, rules.metadata, listing=listing)
    context = PageContext.whole(page, portal, listing=listing)
    body, lookup = rules.body, _lookup(rules.body)
    container = find_container(body.root, context, read.metadata, within=body.within, labeller=body.labeller)
    if container is not None and container.posts:
        thread = read_thread(context, container.posts, lookup)
        read = with_opening(read, thread.posts[0] if thread.posts and container.posts[0].opens else None, thread.posts, page)
    else:
        # the posts that the rules tell; where they tell nothing of a live blog, its entries by what repeats
        day = first_day(found.value for found in read.metadata.get("datePublished", ())[:1])
        thread = read_posts(context, rules.posts, lookup, day) if rules.posts else PagePosts()
        has_times = page.tree is None or len(page.outline.rows("time")) > 1  # on most pages there is one at most
        if container is not None and has_times and not _has_entries(thread.posts):
            live = read_entries(container, context, read, day, lookup) or PagePosts()
            unknown = [*live.unknown_tags, *thread.unknown_tags]
            thread = PagePosts([*live.posts, *thread.posts], live.elsewhere | thread.elsewhere, unknown)
        if of_forum := [post for post in thread.posts if post.kind == PostKind.FORUM]:
            read = with_opening(read, of_forum[0], of_forum, page)
    blocks, account = list[Block](), Account()
    if container is not None:
        # the text of a post is none of the thread's own
        of_posts = thread.elsewhere.keys() if any(post.kind == PostKind.FORUM for post in thread.posts) else frozenset()
        own = [element for element in container.elements if of_posts.isdisjoint(element.iterancestors())]
        own = _in_named_boxes(own, lookup) if container.apart else own
        notes = notes_beyond(container.root, page.base) if own and container.judged is not None else []
        kept = (part for part in own if not lookup.decide(part, Scope(None)).drop)  # who names a part of the text wants it
        around = RewriteContext(
            base=page.base,
            encoding=page.encoding,
            headline=first_value(read.metadata, "headline"),
            apart=frozenset({*own, *notes} - {container.root} if container.judged is not None else kept if len(own) > 1 else ()),
            furniture=container.furniture,
            captions=container.captions,
            elsewhere=thread.elsewhere,
            budget=page.budget,
        )
        blocks, account = rewrite([*own, *notes], lookup, around)
    posts = thread.posts
    if read.type == LIVE_BLOG and not _has_entries(posts):
        entries = told_entries(context, lookup)
        posts, blocks = [*entries, *posts], without_entries(blocks, entries)
    return PageReading(
        page=page,
        rules=rules,
        read=read,
        container=container,
        blocks=blocks,
        posts=as_shown(posts) if posts else [],
        accounts=(*thread.elsewhere.values(), account),
        unknown_tags=(*account.unknown_tags(), *thread.unknown_tags),
    )


def _in_named_boxes(parts: Sequence[Element], lookup: Lookup) -> list[Element]:
    """Leads and pictures that the general finder put before a body, as the boxes around them that the portal file drops or makes blocks."""

    def is_named(element: Element) -> bool:
        decision = lookup.decide(element, Scope(None))
        return not decision.general and (decision.drop or bool(decision.blocks))

    around_body = {above for part in parts[-1:] for above in part.iterancestors()}
    boxes = ([above for above in (part, *part.iterancestors()) if above not in around_body] for part in parts[:-1])
    named = [next(filter(is_named, reversed(around)), around[0]) for around in boxes]
    return [*dict.fromkeys(named), *parts[-1:]]


def _has_entries(posts: Iterable[Post]) -> bool:
    return any(post.kind == PostKind.LIVEBLOG for post in posts)


def _lookup(rules: BodyRules) -> Lookup:
    """Compiled once for each layout of a portal."""
    if id(rules) not in _LOOKUPS:
        if len(_LOOKUPS) >= 64:
            _LOOKUPS.clear()
        _LOOKUPS[id(rules)] = rules, Lookup(rules.tags)
    return _LOOKUPS[id(rules)][1]


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
        with one_page():
            alone, lookup = PagePosts(), _lookup(index.rules.body)
            whole = PostItem(index.context.item(post.node), PostKind.BLOG, index.rules.posts[PostKind.BLOG]).read(lookup, None, alone)
            if whole is None:
                return replace(blank, reason=_NO_TEXT)
            page, said = page_of_post(index, post), told_by(index, post, whole)
            read = read_metadata(page, index.context.portal, index.rules.metadata, listing=listing, certain=said)
    except PatternTimeout as problem:
        return replace(blank, outcome=PageOutcome.UNREADABLE, reason=str(problem))
    lacks = {NO_TITLE: "headline" not in read.metadata, NO_DATE: "datePublished" not in read.metadata, TRUNCATED: not post.whole}
    flags = (*read.flags, *flags, *(flag for flag, holds in lacks.items() if holds))
    reading = PageReading(
        page=replace(page, tree=None),
        rules=index.rules,
        read=replace(read, flags=flags),
        container=None,
        blocks=list(whole.blocks),
        posts=[],
        accounts=(alone.elsewhere[post.node],),
        unknown_tags=tuple(alone.unknown_tags),
    )
    article = _article_of(blank, [reading], index.context.portal)
    return replace(article, reason=_NO_TEXT) if article.outcome is PageOutcome.EMPTY else article


def _article_of(blank: Article, readings: Sequence[PageReading], portal: Portal) -> Article:
    """Texts one behind the other, posts once; the first page decides what it is. Of `blank` only is known what it is called."""
    first = readings[0]
    together, all_posts = _pages_joined(readings) if len(readings) > 1 else (first.blocks, [first.posts])
    blocks = with_bold_headings(opened(together))
    posts = joined(all_posts, portal.timezone) if any(all_posts) else []
    # metadata are those of the first page; but what was changed last was changed on any of them
    modified = [found for reading in readings for found in reading.read.metadata.get("dateModified", ())[:1]]
    latest = {"dateModified": (max(modified, key=lambda found: found.value),)} if len(readings) > 1 and modified else {}
    read = replace(first.read, metadata={**first.read.metadata, **latest})
    if entries := [post for post in posts if post.kind == PostKind.LIVEBLOG]:
        read = with_coverage(read, entries)
    parts = [without_repeated_descriptions(part) for part in (blocks, *(post.blocks for post in posts))]
    texts = [[plain_text(block) for block in part] for part in parts]
    # code is in no language
    pairs = (pair for part, lines in zip(parts, texts, strict=True) for pair in zip(part, lines, strict=True))
    said = "\n".join([text for block, text in pairs if block.type != "code"])
    metadata, disagreements = read.metadata, read.disagreements
    if "inLanguage" in metadata.keys() & disagreements.keys():
        metadata, disagreements = _in_its_language(metadata, disagreements, said)
    language = Identified(metadata["inLanguage"][0].value, None) if "inLanguage" in metadata else identify(said)
    settled = [with_languages(*pair, language.language) if language else tuple(pair[0]) for pair in zip(parts, texts, strict=True)]
    posts = [replace(post, blocks=part) for post, part in zip(posts, settled[1:], strict=True)]
    unknown: dict[str, UnknownTag] = {}
    for tag in (tag for reading in readings for tag in reading.unknown_tags):
        before = unknown.get(tag.tag)
        unknown[tag.tag] = replace(tag, count=tag.count + before.count, words=tag.words + before.words) if before else tag
    of_article = (lines for kind, lines in zip(("", *(post.kind for post in posts)), texts, strict=True) if kind != COMMENTS)
    length = sum(map(len, chain.from_iterable(of_article)))
    outcome, reason, observed = judge(first.page, first.container, settled[0], posts, metadata, portal.home, length)
    return replace(
        blank,
        outcome=outcome,
        reason=reason,
        type=read.type,
        language=language.language if language else None,
        language_certainty=language.certainty if language else None,
        metadata=metadata,
        disagreements=disagreements,
        flags=(*read.flags, *observed),
        blocks=settled[0],
        posts=tuple(posts),
        pieces=tuple(piece for reading in readings for piece in reading.accounts[-1].pieces()),
        unknown_tags=tuple(unknown.values()),
        layout=first.rules.name if first.rules is not portal else None,
        breaks_off=any(not reading.page.has_end and _is_last(reading) for reading in readings),
    )


def _is_last(reading: PageReading) -> bool:
    """Whether nothing that is read stands behind the text."""
    outline, roots = reading.page.outline, reading.container.elements if reading.container is not None else ()
    last = next((row for row, length in zip(reversed(outline.owners), reversed(outline.lengths), strict=True) if length), -1)
    return any(last in range(row, outline.ends[row]) for row in map(outline.row_of.get, roots) if row is not None)


def _pages_joined(readings: Sequence[PageReading]) -> tuple[list[Block], list[list[Post]]]:
    """The blocks of all pages, and the posts of each, with where each page begins: one of nothing but posts in the first that it adds."""
    first = readings[0]
    together, all_posts, known = list(first.blocks), [first.posts], {post.id or post.fingerprint for post in first.posts}
    for number, reading in enumerate(readings[1:], start=2):
        # portals like to begin each page with the same lead and picture: they are said once, be there a short line between
        kept, place = list[Block](), -1
        for place, block in enumerate(reading.blocks):
            text = plain_text(block)  # links within a page lead elsewhere on another page
            of_same_place = [] if kept else first.blocks[place : place + 1]
            said = of_same_place if 0 < len(text) <= _SHORT else [*of_same_place, *first.blocks[:_MOST_SAME]]
            if not any(block == other or (block.type == other.type and text == plain_text(other) != "") for other in said):
                kept.append(block)
                if len(text) > _SHORT or place >= _MOST_SAME:
                    break
        rest, posts = [*kept, *reading.blocks[place + 1 :]], list(reading.posts)
        begins, names = Block(type="page-break", attributes={"page": str(number)}), [post.id or post.fingerprint for post in posts]
        added = (place for place, post in enumerate(posts) if post.kind == PostKind.FORUM and names[place] not in known)
        if rest or (first_new := next(added, None)) is None:
            together += [begins, *rest]
        else:
            posts[first_new] = replace(posts[first_new], blocks=(begins, *posts[first_new].blocks))
        all_posts.append(posts)
        known.update(names)
    return together, all_posts


def _in_its_language(metadata: Metadata, disagreements: Metadata, said: str) -> tuple[Metadata, Metadata]:
    """Of the page's languages and the portal's that which its text shows: parts of a portal are in others, and templates, too.

    What a rule says stands.
    """
    chosen, others = metadata["inLanguage"], disagreements["inLanguage"]
    if chosen[0].source not in SOURCES["inLanguage"]:
        return metadata, disagreements
    shown = identify(said, frozenset(primary(found.value) for found in (*chosen, *others)))
    fitting = [found for found in others if shown and primary(found.value) == primary(shown.language)]
    if shown is None or shown.certainty == "low" or not fitting or primary(chosen[0].value) == primary(shown.language):
        return metadata, disagreements
    rest = (*chosen, *(found for found in others if found not in fitting))
    return {**metadata, "inLanguage": (fitting[0],)}, {**disagreements, "inLanguage": rest}
