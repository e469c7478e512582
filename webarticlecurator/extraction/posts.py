"""Posts on a page: entries of a live blog, posts of a forum or a blog, comments; by the portal's rules, or as forums do."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, time
from itertools import takewhile

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind, PostRules
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.pick_places import PageNode, PickedValue, is_element
from webarticlecurator.config.pick_steps import Wanted
from webarticlecurator.config.picks import Picks
from webarticlecurator.dates import written_moment
from webarticlecurator.extraction.body.account import Account
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import without_leads
from webarticlecurator.extraction.container import picked_container
from webarticlecurator.extraction.forums import OF_PAGE, FoundPost
from webarticlecurator.extraction.layouts import first_day
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.metadata.dates import Clock, read_visible
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.threads import with_answers, with_sources
from webarticlecurator.model.article import Post, UnknownTag
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Page
from webarticlecurator.text import element_text, short_text, squeeze, visible

MAX_POSTS = 5_000
"""Of one page."""
_PARTS = ("time", "author", "title")
"""Parts of a post that are kept as what they are, and not as its text, where no rule says what that is."""
_NOTICES = ("number", "edited", "editor", "deleted", "likes")
"""What the site says about a post, which is no text of it wherever it stands."""
_OF_QUOTATIONS = {"post": "quoted", "who": "quoted_author"}
"""Attributes of a quotation, and the rules that tell them."""
_LONGEST_TIME, _LONGEST_SIGN = 60, 200
_HALF_DAY = re.compile(r"(1[0-2]|0?[1-9])[:.]([0-5]\d)\s?([AaPp])\.?[Mm]\.?")
_MACHINES = re.compile(r"\d{4}-\d\d-\d\d[T ].*|\d+", re.DOTALL)
_INNER_FIRST = (PostKind.COMMENTS, PostKind.FORUM, PostKind.BLOG, PostKind.LIVEBLOG)
_TEXT, _DATE = Wanted(), Wanted(holds=Holds.DATE)
_WANTED = {"time": _DATE, "edited": _DATE, "day": _DATE, "url": Wanted(holds=Holds.URL)}
_NOT_ASKED = frozenset(("item", "text", "keywords", "section", *_OF_QUOTATIONS.values()))
_VALUES = tuple(one.name for one in fields(PostRules) if one.name not in _NOT_ASKED)
Values = Mapping[str, Sequence[PickedValue]]
"""What the rules find in a post, by the name of the rule."""


@dataclass(slots=True)
class PagePosts:
    """The posts of one page."""

    posts: list[Post] = field(default_factory=list)
    elsewhere: dict[Element, Account] = field(default_factory=dict)
    """Their elements, each with the account of its text."""
    unknown_tags: list[UnknownTag] = field(default_factory=list)


def read_posts(context: PageContext, rules: Mapping[PostKind, PostRules], lookup: Lookup, day: date | None) -> PagePosts:
    """All posts, kind by kind in page order. `day`: of times that have none. Raises PatternTimeout."""
    found = PagePosts()
    by_kind: dict[PostKind, list[Post]] = {}
    for kind in _INNER_FIRST:
        if _is_part_of_page(kind, rules):
            picked = rules[kind].item.find_nodes(context)[:MAX_POSTS]
            items = [node for node in picked if not (is_element(node) and node in found.elsewhere)]
            others = found.elsewhere.keys() | {node for node in items if is_element(node)}
            reader = _Reader(context, kind, rules[kind], lookup, day, found, others)
            # posts may stand in the post they answer: the inner ones are taken out first
            read = [(node, reader.read(node)) for node in reversed(items)]
            by_kind[kind] = with_answers([(node, *one) for node, one in reversed(read) if one is not None])
    found.posts = [post for kind in rules for post in by_kind.get(kind, ())]
    return found


def _is_part_of_page(kind: PostKind, rules: Mapping[PostKind, PostRules]) -> bool:
    """Posts of a blog that have addresses are articles of their own (see `index_posts`); on its own page a post is the article."""
    return kind in rules and (kind is not PostKind.BLOG or rules[kind].url is None)


def read_post(context: PageContext, kind: PostKind, rules: PostRules, node: PageNode, lookup: Lookup) -> PagePosts:
    """One post alone, if there is anything in it. Raises PatternTimeout."""
    found = PagePosts()
    read = _Reader(context, kind, rules, lookup, None, found).read(node)
    found.posts = [read[0]] if read is not None else []
    return found


def read_thread(context: PageContext, thread: Sequence[FoundPost], lookup: Lookup) -> PagePosts:
    """The posts of a forum that no rule describes."""
    found = PagePosts()
    around = RewriteContext(base=context.page.base, encoding=context.page.encoding, budget=context.page.budget)
    clock = Clock(context.portal.timezone, context.language, context.page.date)
    for post in thread:
        rewritten = rewrite((post.text,), lookup, around)
        found.elsewhere[post.text] = rewritten.account
        found.unknown_tags.extend(rewritten.account.unknown_tags())
        if rewritten.blocks:
            when = next((when for time in post.times if (when := read_visible(time, clock))), None)
            blocks = with_sources(without_leads(rewritten.blocks))
            found.posts.append(Post(kind=PostKind.FORUM.value, id=post.id, when=when, author=post.author, blocks=blocks))
    return found


def with_opening(read: ReadMetadata, opening: Post | None, page: Page) -> ReadMetadata:
    """A thread is by whoever wrote its first post, and of that time, where nothing surer says otherwise."""
    read = replace(read, type="DiscussionForumPosting")
    links = page.tree.iter("link") if page.tree is not None else ()
    if opening is None or any("prev" in (link.get("rel") or "").lower() for link in links):
        return read  # the thread began elsewhere
    said = {"author": opening.author, "datePublished": opening.when}
    told = {
        name: (Found(value=value, raw=value, source="posts.forum"),)
        for name, value in said.items()
        if value and all(found.source.startswith(OF_PAGE) or found.value == value[:10] for found in read.metadata.get(name, ()))
    }
    both = {**read.metadata, **told}
    return replace(read, metadata={name: both[name] for name in FIELDS if name in both})


def post_parts(context: PageContext, rules: Mapping[PostKind, PostRules]) -> dict[Element, str]:
    """The elements that the rules for posts decide, each with the rule: an item, its parts, and what of it is not its text.

    The same as reading the posts, without what they say. Raises PatternTimeout.
    """
    found: dict[Element, str] = {}
    for kind in _INNER_FIRST:
        picked = rules[kind].item.find_nodes(context)[:MAX_POSTS] if _is_part_of_page(kind, rules) else ()
        items = [node for node in picked if is_element(node)]
        others = found.keys() | set(items)
        for node in items:
            if node not in found:
                found |= _parts_of(context.item(node, others), node, rules[kind], f"posts.{kind.value}")
    return found


def _parts_of(item: PageContext, node: Element, rules: PostRules, source: str) -> dict[Element, str]:
    texts = frozenset(_texts_of(rules, item))
    values = {name: _values(rules, name, item) for name in (*_NOTICES, "author", "title")}
    found = {node: source, **_marked_parts(item, rules, source), **_notices(values, texts, node, source)}
    found |= {element: f"{source}.text" for element in texts if element is not node}
    if node not in texts:
        holding = {ancestor for text in texts for ancestor in text.iterancestors()}
        found |= {child: f"{source}: not its text" for child in _beside(node, texts, holding) if child not in found}
    return found


def _texts_of(rules: PostRules, item: PageContext) -> tuple[Element, ...]:
    return _elements(rules.text, item) if rules.text is not None else (item.node,) if is_element(item.node) else ()


def _values(rules: PostRules, name: str, item: PageContext) -> Sequence[PickedValue]:
    picks: Picks | None = getattr(rules, name)
    return picks.find(item, _WANTED.get(name, _TEXT)).values if picks is not None else ()


def _marked_parts(item: PageContext, rules: PostRules, source: str) -> dict[Element, str]:
    """What is kept as time, author and title, and not as text."""
    found: dict[Element, str] = {}
    for name in _PARTS:
        for element in _elements(getattr(rules, name), item):
            if element is not item.node:
                found.setdefault(element, f"{source}.{name}")
    return found


def _notices(values: Values, texts: Collection[Element], node: PageNode, source: str) -> dict[Element, str]:
    """The elements that say something about the post; where the text stands in one, only that it was deleted takes it away."""
    holding = {element for text in texts for element in (text, *text.iterancestors())}
    told = [(name, value) for name in _NOTICES for value in values[name]]
    # a name or a title that stands in the text is none of it, where that is all its element says
    whole = [(name, value) for name in ("author", "title") for value in values[name] if squeeze(value.raw) == value.text]
    told += [(name, value) for name, value in whole if is_element(value.node) and not set(texts).isdisjoint(value.node.iterancestors())]
    return {
        value.node: f"{source}.{name}"
        for name, value in told
        if is_element(value.node) and value.node is not node and (name == "deleted" or value.node not in holding)
    }


def _way_on(item: PageContext, rules: PostRules, source: str) -> dict[Element, str]:
    """The link to the rest of a post is nothing that its author wrote."""
    signs = (one for one in _elements(rules.more, item) if one is not item.node)
    return {one: f"{source}.more" for one in signs if squeeze(element_text(one)) == squeeze("".join(map(element_text, one.iter("a"))))}


def _elements(picks: Picks | None, item: PageContext) -> tuple[Element, ...]:
    part = picked_container(picks, item) if picks is not None else None
    return part.elements if part is not None else ()


def _beside(node: Element, texts: frozenset[Element], holding: set[Element]) -> Iterator[Element]:
    """The largest elements in an item that hold nothing of its text."""
    for child in node.iterchildren(tag=etree.Element):
        if child in holding:
            yield from _beside(child, texts, holding)
        elif child not in texts:
            yield child


@dataclass(slots=True)
class _Reader:
    """Reads the posts of one kind."""

    context: PageContext
    kind: PostKind
    rules: PostRules
    lookup: Lookup
    day: date | None
    found: PagePosts
    others: Collection[Element] = frozenset()
    """All elements that are posts."""

    def read(self, node: PageNode) -> tuple[Post, int | None] | None:
        """One post, and how deep it stands where a rule says so; None if nothing is said in it."""
        item = self.context.item(node, self.others)
        values = {name: _values(self.rules, name, item) for name in _VALUES}
        deleted = _first(values["deleted"]) or _beside_sign(self.rules.deleted, item)
        texts = _texts_of(self.rules, item)
        source = f"posts.{self.kind.value}"
        notices = {**_notices(values, texts, node, source), **_way_on(item, self.rules, source)}
        around = self._rewrite_context(item, texts, notices)
        rewritten = rewrite((node,) if is_element(node) else texts, self.lookup, around)
        id = _first(values["id"])
        if is_element(node):
            id = id or node.get("id")
            self.found.elsewhere[node] = rewritten.account
        if is_element(node) and texts and not any(node in (text, *text.iterancestors()) for text in texts):  # it stands behind its item
            rewritten = rewrite(texts, self.lookup, replace(around, within=None))
            self.found.elsewhere |= {text: rewritten.account if text is texts[0] else Account() for text in texts}
        self.found.unknown_tags.extend(rewritten.account.unknown_tags())
        time, edited = _first(values["time"]), _first(values["edited"])
        day = first_day((_first(values["day"]),))
        when = moment(time, self.context, day or self.day) or (day.isoformat() if day else None)
        post = Post(
            kind=self.kind.value,
            id=id or None,
            when=when,
            day_counted=day is None and when is not None and _is_clock(time),
            time=seen(time) or seen(squeeze(values["time"][0].raw) if values["time"] else None),
            edited=moment(edited, self.context, self.day) or edited,
            blocks=with_sources(without_leads(rewritten.blocks)),
            deleted=deleted,
            **{name: _first(values[name]) for name in _SINGLE},
        )
        depth = _first(values["depth"])
        said = post.blocks or post.title or post.deleted
        return (post, int(depth) if depth and depth.isdecimal() and len(depth) < 6 else None) if said else None

    def _quotation(self, element: Element) -> dict[str, str]:
        """Which post it quotes, and whom."""
        item = self.context.item(element)
        told = {name: _first(_values(self.rules, rule, item)) for name, rule in _OF_QUOTATIONS.items()}
        return {name: value for name, value in told.items() if value}

    def _rewrite_context(self, item: PageContext, texts: Sequence[Element], notices: Mapping[Element, str]) -> RewriteContext:
        source = f"posts.{self.kind.value}"
        in_page = is_element(item.node) and item.node not in texts
        return RewriteContext(
            base=item.base or item.page.base,
            encoding=item.page.encoding,
            without=notices if self.rules.text is not None else {**_marked_parts(item, self.rules, source), **notices},
            elsewhere=self.found.elsewhere,
            within=frozenset(texts) if in_page else None,
            outside=f"{source}: not its text",
            quotation=self._quotation if self.rules.quoted or self.rules.quoted_author else None,
            budget=item.page.budget,
        )


_SINGLE = ("author", "title", "reply_to", "number", "editor", "likes", "url")
"""Fields of a post that are the first value of the rule of that name."""


def _beside_sign(sign: Picks | None, item: PageContext) -> str | None:
    """Where what says that a post was deleted has no words, as an icon has none, those that stand beside it."""
    found = sign.find_nodes(item)[:1] if sign is not None else ()
    for node in found:
        if is_element(node) and not element_text(node).strip():  # words that it has may be refused by the rule
            around = takewhile(lambda one: one is not item.node, node.iterancestors())
            return next((text for one in around if (text := short_text(one, _LONGEST_SIGN))), "deleted")
    return None


def _first(values: Sequence[PickedValue]) -> str | None:
    return visible(values[0].text) or None if values else None


def seen(time: str | None) -> str | None:
    """A time as readers see it; None for what only machines read."""
    return time if time and len(time) <= _LONGEST_TIME and not _MACHINES.fullmatch(time) else None


def _is_clock(written: str | None) -> bool:
    """Whether it is a time without a day."""
    try:
        return bool(written and _time_of_day(written))
    except ValueError:
        return False


def moment(written: str | None, context: PageContext, day: date | None) -> str | None:
    """ISO 8601; a time alone is of the article's day, an age counts from the capture."""
    if not written:
        return None
    zone = context.portal.timezone
    with suppress(ValueError):
        if len(written) >= 10:
            read = datetime.fromisoformat(written)
            return written if len(written) == 10 or read.tzinfo is not None else written_moment(read.replace(tzinfo=zone))
    with suppress(ValueError):
        if day is not None:
            return written_moment(datetime.combine(day, _time_of_day(written), zone))
    return read_visible(written, Clock(zone, context.portal.language, context.page.date))


def _time_of_day(written: str) -> time:
    """Raises ValueError where it is none, or more than that."""
    halves = _HALF_DAY.fullmatch(written.strip())
    if halves is None:
        return time.fromisoformat(written.strip().zfill(5))
    return time(int(halves[1]) % 12 + (12 if halves[3] in "pP" else 0), int(halves[2]))
