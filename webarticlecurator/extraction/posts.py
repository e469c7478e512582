"""Posts on a page by the portal's rules: entries of a live blog, posts of a forum or a blog, comments."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, time
from functools import cache
from itertools import chain, takewhile
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind, PostRules
from webarticlecurator.config.fields import Field, Holds
from webarticlecurator.config.picks import Picks
from webarticlecurator.dates import Clock, first_day, read_visible, written_moment
from webarticlecurator.extraction.body.locate import Container, picked_container
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import unwrapped
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.body.walked_text import Account
from webarticlecurator.extraction.picked_values import (
    TEXT,
    PageContext,
    PageNode,
    PickedValue,
    is_element,
    pick_nodes,
    pick_values,
)
from webarticlecurator.extraction.stated_dates import date_stated_in
from webarticlecurator.extraction.threads import MAX_POSTS, PagePosts, tells_hour, with_answers, with_sources
from webarticlecurator.model.article import Block, Post
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import element_text, label_of, short_text, squeeze, visible

_SINGLE = ("author", "title", "reply_to", "number", "editor", "likes", "url")
"""Fields of a post that are the first value of the rule of that name."""
_MARKED = ("title", "author", "time")
_SIGNED = ("author", "title")
_NOTICES = ("number", "edited", "editor", "deleted", "likes", *_SIGNED)
"""Fields of a post whose elements say something about it; of two for one element the last one counts."""
_LONGEST_TIME, _LONGEST_SIGN = 60, 200
_DEPTH = linear_at(r"\d{1,5}")
_FOR_MACHINES = linear_at(r"\d{4}-\d\d-\d\d[T ].*|\d+", re.DOTALL)
"""A time that no reader sees."""
CLOCK = linear(
    r"(?<![\d:.])([01]?\d|2[0-3])[:.h]([0-5]\d)(?::[0-5]\d)?(?![\d:]|\.\d)(?:\s?([ap])\.?m\b\.?)?",
    re.IGNORECASE,
)
"""Hour, minute, and which half of the day."""
_KINDS = {**dict.fromkeys(("time", "edited", "day"), Field(Holds.DATE)), "url": Field(Holds.URL)}


def read_posts(
    context: PageContext,
    rules: Mapping[PostKind, PostRules],
    lookup: Lookup,
    day: date | None,
) -> PagePosts:
    """Return all posts, kind by kind in page order. `day`: of times that have none. Raises PatternTimeout."""
    found = PagePosts()
    by_kind: dict[PostKind, list[Post]] = {kind: [] for kind in rules}
    for kind, items in _items(context, rules):
        by_kind[kind] = _read_kind(kind, items, context, rules[kind], lookup, day, found)
    found.posts = list(chain.from_iterable(by_kind.values()))
    return found


def _read_kind(
    kind: PostKind,
    items: Sequence[PageNode],
    context: PageContext,
    rules: PostRules,
    lookup: Lookup,
    day: date | None,
    page: PagePosts,
) -> list[Post]:
    """Return the posts of one kind; the page is given their accounts."""
    others = page.elsewhere.keys() | set(filter(is_element, items))
    read: list[tuple[PageNode, Post, int | None]] = []
    for node in reversed(items):  # posts may stand in the post they answer: inner ones are taken out first
        item = PostItem(context.item(node, others), kind, rules)
        post = item.read(lookup, day, page)
        if post is not None:
            read.append((node, post, item.depth))
    return with_answers(read[::-1])


def _items(
    context: PageContext,
    rules: Mapping[PostKind, PostRules],
) -> Iterator[tuple[PostKind, list[PageNode]]]:
    """Give the items by kind, those that may stand in others first.

    Posts of a blog that have addresses are articles of their own (see `index_posts`); on its own page a post
    is the article.
    """
    for kind in (PostKind.COMMENTS, PostKind.FORUM, PostKind.BLOG, PostKind.LIVEBLOG):
        if kind in rules and (kind is not PostKind.BLOG or rules[kind].url is None):
            yield kind, pick_nodes(rules[kind].item, context)[:MAX_POSTS]


def post_parts(context: PageContext, rules: Mapping[PostKind, PostRules]) -> dict[Element, str]:
    """Return the elements that the rules for posts decide, each with the rule.

    An item, its parts, and what of it is not its text. Raises PatternTimeout.
    """
    parts: dict[Element, str] = {}
    for kind, nodes in _items(context, rules):
        items = list(filter(is_element, nodes))
        others = parts.keys() | set(items)
        for node in items:
            if node not in parts:
                parts |= PostItem(context.item(node, others), kind, rules[kind]).parts()
    return parts


class PostItem:
    """A post on a page, and what the rules find in it."""

    def __init__(self, context: PageContext, kind: PostKind, rules: PostRules) -> None:
        self._context, self._kind, self._rules = context, kind, rules
        self._source = f"posts.{kind.value}"
        self._values = cache(self._picked_values)
        self._own: tuple[Element, ...] = (context.node,) if is_element(context.node) else ()
        """Its element, if it is one; a rule may find no more than a text."""
        self.texts: tuple[Element, ...] = self._own if rules.text is None else self.elements("text")
        """The elements with what it says."""

    def _picked_values(self, name: str) -> Sequence[PickedValue]:
        picks: Picks | None = getattr(self._rules, name)
        return pick_values(picks, self._context, _KINDS.get(name, TEXT)).values

    def _first(self, name: str) -> str:
        return _shown(self._values(name))

    def elements(self, name: str) -> tuple[Element, ...]:
        """Return what a rule points at."""
        picks: Picks | None = getattr(self._rules, name)
        part = picked_container(picks, self._context) if picks is not None else None
        return part.elements if part is not None else ()

    @property
    def depth(self) -> int | None:
        """Return how deep it stands, where a rule says so."""
        depth = _DEPTH.fullmatch(self._first("depth"))
        return int(depth[0]) if depth is not None else None

    def read(
        self,
        lookup: Lookup,
        article_day: date | None,
        page: PagePosts,
        container: Container | None = None,
    ) -> Post | None:
        """Return the post; None if nothing is said in it. The page is given the account of its text. Raises
        PatternTimeout.

        What is furniture of the `container` is none of it.
        """
        around = self._rewrite_context(page)
        if container is not None:
            around = replace(around, furniture=container.furniture, captions=container.captions)
        blocks, account = self._rewritten(lookup, around, page)
        page.unknown_tags.extend(account.unknown_tags())
        edited = self._first("edited")
        single = {name: self._first(name) or None for name in _SINGLE}
        post = Post(
            kind=self._kind.value,
            id=self._first("id") or self._id_of_element(),
            edited=moment(edited, self._context, article_day) or edited or None,
            deleted=self._first("deleted") or self._beside_sign(),
            blocks=with_sources(unwrapped(blocks, "lead")),
            **{**single, **self._written(article_day)},
        )
        return post if any((post.blocks, post.title, post.deleted)) else None

    def _rewrite_context(self, page: PagePosts) -> RewriteContext:
        """Return what of the post is its text."""
        context, rules = self._context, self._rules
        is_within = not frozenset(self._own).issubset(self.texts)
        marked = self._marked_parts() if rules.text is None else {}
        return RewriteContext(
            base=context.base or context.page.base,
            encoding=context.page.encoding,
            without={**marked, **self._notices(), **self._ways_on()},
            elsewhere=page.elsewhere,
            within=frozenset(self.texts) if is_within else None,
            outside=f"{self._source}: not its text",
            quotation=self._quotation,
            budget=context.page.budget,
        )

    def _rewritten(
        self,
        lookup: Lookup,
        around: RewriteContext,
        page: PagePosts,
    ) -> tuple[list[Block], Account]:
        """Return what the post says, with the account of that; the page is given the accounts of its
        elements."""
        if not self._own:
            return rewrite(self.texts, lookup, around)
        blocks, account = rewrite(self._own, lookup, around)
        page.elsewhere[self._own[0]] = account
        if self.texts and self._is_apart_from_texts():
            blocks, account = rewrite(self.texts, lookup, replace(around, within=None))
            page.elsewhere.update({**dict.fromkeys(self.texts, Account()), self.texts[0]: account})
        return blocks, account

    def _is_apart_from_texts(self) -> bool:
        """Return True if its texts stand behind its element, and not in it."""
        return not any(self._own[0] in (text, *text.iterancestors()) for text in self.texts)

    def _id_of_element(self) -> str | None:
        return next(filter(None, (element.get("id") for element in self._own)), None)

    def _quotation(self, element: Element) -> dict[str, str]:
        """Return whom and which post a quotation in the text quotes."""
        quoting = PostItem(self._context.item(element), self._kind, self._rules)
        quoted = {"post": quoting._first("quoted"), "who": quoting._first("quoted_author")}
        return {name: value for name, value in quoted.items() if value}

    def _ways_on(self) -> dict[Element, str]:
        """Return the links to the rest of a text, which its author did not write."""
        signs = filter(_is_all_link, self.elements("more"))
        return self._without_itself(dict.fromkeys(signs, f"{self._source}.more"))

    def _without_itself(self, parts: dict[Element, str]) -> dict[Element, str]:
        """Return the parts of the post, and not the element that it is."""
        for element in self._own:
            parts.pop(element, None)
        return parts

    def _written(self, article_day: date | None) -> dict[str, Any]:
        """Return when it was written, whether the day of that is the article's, and the time as the page
        shows it."""
        day = first_day((self._first("day"),))
        times = self._values("time")
        if not times:
            return {"when": _iso(day), "day_counted": False, "time": None}
        time, raw = _shown(times), squeeze(times[0].raw)
        stated = date_stated_in(times[0].node) if is_element(times[0].node) else ""
        when = moment(time, self._context, day or article_day, stated) or _iso(day)
        is_counted = day is None and when is not None and time_of_day(time) is not None
        written = {"when": when, "day_counted": is_counted, "time": seen(time) or seen(raw)}
        return {**written, **self._by_clock(written, times[0], article_day)}

    def _by_clock(
        self,
        written: dict[str, Any],
        time: PickedValue,
        article_day: date | None,
    ) -> dict[str, Any]:
        """Return when an entry of a live blog was written, by the time that the page shows.

        A rule may take a time for machines, beside which the page shows another.
        """
        if self._kind is not PostKind.LIVEBLOG:
            return {}
        beside = seen(label_of(time.node, _LONGEST_TIME)) if is_element(time.node) else None
        shown = next(filter(CLOCK.search, filter(None, (written["time"], beside))), None)
        when = written["when"]
        if shown is None or tells_hour(when):
            return {"time": shown or written["time"]}
        clock = next(CLOCK.finditer(shown))[0]
        day = first_day((when, _iso(article_day)))
        return {"time": shown, "when": moment(clock, self._context, day) or when, "day_counted": when is None}

    def _beside_sign(self) -> str | None:
        """Return the words beside the sign that a post was deleted, where it has none, like an icon."""
        for sign in filter(is_element, pick_nodes(self._rules.deleted, self._context)[:1]):
            if not element_text(sign).strip():  # words that it has may be refused by the rule
                around = takewhile(lambda element: element is not self._context.node, sign.iterancestors())
                words = (short_text(element, _LONGEST_SIGN) for element in around)
                return next(filter(None, words), "deleted")
        return None

    def parts(self) -> dict[Element, str]:
        """Return the elements that the rules decide, each with the rule."""
        node, texts = self._context.node, frozenset(self.texts)
        parts = {
            **self._marked_parts(),
            **self._notices(),
            **dict.fromkeys(self.texts, f"{self._source}.text"),
            node: self._source,
        }
        if node not in texts:
            holding = set(chain.from_iterable(text.iterancestors() for text in texts))
            parts = {**dict.fromkeys(beside(node, texts, holding), f"{self._source}: not its text"), **parts}
        return parts

    def _marked_parts(self) -> dict[Element, str]:
        """Return what is kept as time, author and title."""
        return self._without_itself(
            {element: f"{self._source}.{name}" for name in _MARKED for element in self.elements(name)}
        )

    def _notices(self) -> dict[Element, str]:
        """Return the elements that say something about the post."""
        holding = set(chain(self.texts, *(text.iterancestors() for text in self.texts)))
        notices: dict[Element, str] = {}
        for name in _NOTICES:
            values = (value for value in self._values(name) if is_element(value.node))
            of_name = [value.node for value in values if self._is_notice(name, value, holding)]
            notices |= dict.fromkeys(of_name, f"{self._source}.{name}")
        return self._without_itself(notices)

    def _is_notice(self, name: str, value: PickedValue, holding: Collection[PageNode]) -> bool:
        """Return True if an element is no text of the post; where the text stands in it, only that it was
        deleted takes it away.

        Author and title are none of a text in which they stand where they are all that their element says.
        """
        if name == "deleted":
            return True
        if value.node in holding:
            return False
        is_in_text = not set(self.texts).isdisjoint(value.node.iterancestors())
        return name not in _SIGNED or (is_in_text and squeeze(value.raw) == value.text)


def _is_all_link(element: Element) -> bool:
    return squeeze(element_text(element)) == squeeze("".join(map(element_text, element.iter("a"))))


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def beside(node: Element, texts: frozenset[Element], holding: Collection[Element]) -> Iterator[Element]:
    """Return the largest elements in another that hold none of these texts, and are none."""
    for child in node.iterchildren(tag=etree.Element):
        if child in holding:
            yield from beside(child, texts, holding)
        elif child not in texts:
            yield child


def _shown(values: Sequence[PickedValue]) -> str:
    return visible(values[0].text) if values else ""


def seen(time: str) -> str | None:
    """Return a time as readers see it; None for what only machines read."""
    is_readable = 0 < len(time) <= _LONGEST_TIME and not _FOR_MACHINES.fullmatch(time)
    return time if is_readable else None


def moment(written: str | None, context: PageContext, day: date | None, stated: str = "") -> str | None:
    """Return a time in ISO 8601; a time alone is of the article's day, an age counts from the capture, unless
    a date is `stated` beside it."""
    if not written:
        return None
    zone, clock = context.portal.timezone, time_of_day(written)
    if clock is not None and day is not None:
        return written_moment(datetime.combine(day, clock, zone))
    clock_of_page = Clock(zone, context.portal.language, context.page.date, context.page.is_dated)
    return read_visible(written, clock_of_page, stated)


def time_of_day(written: str) -> time | None:
    """Return a time without a day; None where it is none, or more than that."""
    written = written.strip()
    with suppress(ValueError):
        return time.fromisoformat(written.zfill(5))
    match = CLOCK.fullmatch(written)
    return clock_of(match) if match else None


def clock_of(match: re.Match[str]) -> time:
    """Return the time that `CLOCK` found."""
    hour = int(match[1]) if match[3] is None else int(match[1]) % 12 + 12 * (match[3] in "pP")
    return time(hour, int(match[2]))
