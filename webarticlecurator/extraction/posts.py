"""Posts on a page by the portal's rules: entries of a live blog, posts of a forum or a blog, comments; and where comments seem to be."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, time
from itertools import takewhile
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
from webarticlecurator.extraction.picked_values import TEXT, PageContext, PageNode, PickedValue, is_element, pick_nodes, pick_values
from webarticlecurator.extraction.threads import MAX_POSTS, PagePosts, with_answers, with_sources
from webarticlecurator.labelling.element_names import PagePart, sure_part
from webarticlecurator.model.article import Post
from webarticlecurator.model.page import Outline
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import UNSEEN, element_text, short_text, squeeze, visible

_SINGLE = ("author", "title", "reply_to", "number", "editor", "likes", "url")
"""Fields of a post that are the first value of the rule of that name."""
_LONGEST_TIME, _LONGEST_SIGN = 60, 200
CLOCK = linear(r"(?<![\d:.])([01]?\d|2[0-3])[:.h]([0-5]\d)(?::[0-5]\d)?(?![\d:]|\.\d)(?:\s?([ap])\.?m\b\.?)?", re.IGNORECASE)
"""Hour, minute, and which half of the day."""
_KINDS = {**dict.fromkeys(("time", "edited", "day"), Field(Holds.DATE)), "url": Field(Holds.URL)}


def read_posts(context: PageContext, rules: Mapping[PostKind, PostRules], lookup: Lookup, day: date | None) -> PagePosts:
    """All posts, kind by kind in page order. `day`: of times that have none. Raises PatternTimeout."""
    found = PagePosts()
    by_kind: dict[PostKind, list[Post]] = {}
    for kind, items in _items(context, rules):
        items = [node for node in items if not (is_element(node) and node in found.elsewhere)]
        others = found.elsewhere.keys() | {node for node in items if is_element(node)}
        read: list[tuple[PageNode, Post, int | None]] = []
        for node in reversed(items):  # posts may stand in the post they answer: the inner ones are taken out first
            item = PostItem(context.item(node, others), kind, rules[kind])
            if (post := item.read(lookup, day, found)) is not None:
                read.append((node, post, item.depth))
        by_kind[kind] = with_answers(read[::-1]) if read else []
    found.posts = [post for kind in rules for post in by_kind.get(kind, ())]
    return found


def _items(context: PageContext, rules: Mapping[PostKind, PostRules]) -> Iterator[tuple[PostKind, list[PageNode]]]:
    """By kind, those that may stand in others first.

    Posts of a blog that have addresses are articles of their own (see `index_posts`); on its own page a post is the article.
    """
    for kind in (PostKind.COMMENTS, PostKind.FORUM, PostKind.BLOG, PostKind.LIVEBLOG):
        if kind in rules and (kind is not PostKind.BLOG or rules[kind].url is None):
            yield kind, pick_nodes(rules[kind].item, context)[:MAX_POSTS]


def post_parts(context: PageContext, rules: Mapping[PostKind, PostRules]) -> dict[Element, str]:
    """The elements that the rules for posts decide, each with the rule: an item, its parts, and what of it is not its text.

    The same as reading the posts, without what they say. Raises PatternTimeout.
    """
    parts: dict[Element, str] = {}
    for kind, nodes in _items(context, rules):
        items = [node for node in nodes if is_element(node)]
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
        self._known: dict[str, Sequence[PickedValue]] = {}
        own = (context.node,) if is_element(context.node) else ()
        self.texts: tuple[Element, ...] = own if rules.text is None else self.elements("text")

    def _values(self, name: str) -> Sequence[PickedValue]:
        if name not in self._known:
            picks: Picks | None = getattr(self._rules, name)
            self._known[name] = pick_values(picks, self._context, _KINDS.get(name, TEXT)).values if picks is not None else ()
        return self._known[name]

    def _first(self, name: str) -> str | None:
        return _shown(self._values(name))

    def elements(self, name: str) -> tuple[Element, ...]:
        """What a rule points at."""
        picks: Picks | None = getattr(self._rules, name)
        part = picked_container(picks, self._context) if picks is not None else None
        return part.elements if part is not None else ()

    @property
    def depth(self) -> int | None:
        """How deep it stands, where a rule says so."""
        depth = self._first("depth")
        return int(depth) if depth and depth.isdecimal() and len(depth) < 6 else None

    def read(self, lookup: Lookup, article_day: date | None, page: PagePosts, container: Container | None = None) -> Post | None:
        """The post; None if nothing is said in it. The page is given the account of its text. Raises PatternTimeout.

        What is furniture of the `container` is none of it.
        """
        context, node, texts = self._context, self._context.node, self.texts

        def quotation(element: Element) -> dict[str, str]:
            quoting = PostItem(context.item(element), self._kind, self._rules)
            return {name: value for name, rule in {"post": "quoted", "who": "quoted_author"}.items() if (value := quoting._first(rule))}

        signs = (sign for sign in self.elements("more") if sign is not node)  # the link to the rest is nothing that its author wrote
        way_on = {
            sign: f"{self._source}.more"
            for sign in signs
            if squeeze(element_text(sign)) == squeeze("".join(map(element_text, sign.iter("a"))))
        }
        around = RewriteContext(
            base=context.base or context.page.base,
            encoding=context.page.encoding,
            without={**(self._marked_parts() if self._rules.text is None else {}), **self._notices(), **way_on},
            furniture=container.furniture if container is not None else {},
            captions=container.captions if container is not None else {},
            elsewhere=page.elsewhere,
            within=frozenset(texts) if is_element(node) and node not in texts else None,
            outside=f"{self._source}: not its text",
            quotation=quotation if self._rules.quoted or self._rules.quoted_author else None,
            budget=context.page.budget,
        )
        blocks, account = rewrite((node,) if is_element(node) else texts, lookup, around)
        id = self._first("id")
        if is_element(node):
            id = id or node.get("id")
            page.elsewhere[node] = account
            if texts and not any(node in (text, *text.iterancestors()) for text in texts):  # it stands behind its item
                blocks, account = rewrite(texts, lookup, replace(around, within=None))
                page.elsewhere |= {text: account if text is texts[0] else Account() for text in texts}
        page.unknown_tags.extend(account.unknown_tags())
        edited = self._first("edited")
        post = Post(
            kind=self._kind.value,
            id=id or None,
            edited=moment(edited, context, article_day) or edited,
            deleted=self._first("deleted") or self._beside_sign(),
            blocks=with_sources(unwrapped(blocks, "lead")),
            **{**{name: self._first(name) for name in _SINGLE}, **self._written(article_day)},
        )
        return post if post.blocks or post.title or post.deleted else None

    def _written(self, article_day: date | None) -> dict[str, Any]:
        """When it was written, whether the day of that is the article's, and the time as the page shows it."""
        times, context = self._values("time"), self._context
        time, day = _shown(times), first_day((self._first("day"),))
        when = moment(time, context, day or article_day) or (day.isoformat() if day else None)
        is_counted = day is None and when is not None and time_of_day(time) is not None
        shown = seen(time) or seen(squeeze(times[0].raw) if times else None)
        if self._kind is PostKind.LIVEBLOG and times:
            # a rule may take what is told to machines, beside which the page shows the time
            beside = seen(short_text(times[0].node, _LONGEST_TIME)) if is_element(times[0].node) else None
            shown = next((text for text in (shown, beside) if text and CLOCK.search(text)), shown)
            clock = CLOCK.search(shown or "")
            if clock and len(when or "") <= len("2024-05-01"):
                is_counted = when is None
                when = moment(clock[0], context, first_day((when,)) or article_day) or when
        return {"when": when, "day_counted": is_counted, "time": shown}

    def _beside_sign(self) -> str | None:
        """Where what says that a post was deleted has no words, as an icon has none, those that stand beside it."""
        for sign in pick_nodes(self._rules.deleted, self._context)[:1] if self._rules.deleted is not None else ():
            if is_element(sign) and not element_text(sign).strip():  # words that it has may be refused by the rule
                around = takewhile(lambda element: element is not self._context.node, sign.iterancestors())
                return next((text for element in around if (text := short_text(element, _LONGEST_SIGN))), "deleted")
        return None

    def parts(self) -> dict[Element, str]:
        """The elements that the rules decide, each with the rule."""
        node, texts = self._context.node, frozenset(self.texts)
        parts = {node: self._source, **self._marked_parts(), **self._notices()}
        parts |= {element: f"{self._source}.text" for element in texts if element is not node}
        if node not in texts:
            holding = {ancestor for text in texts for ancestor in text.iterancestors()}
            parts |= {child: f"{self._source}: not its text" for child in beside(node, texts, holding) if child not in parts}
        return parts

    def _marked_parts(self) -> dict[Element, str]:
        """What is kept as time, author and title."""
        parts = {element: f"{self._source}.{name}" for name in ("title", "author", "time") for element in self.elements(name)}
        return {element: rule for element, rule in parts.items() if element is not self._context.node}

    def _notices(self) -> dict[Element, str]:
        """The elements that say something about the post; where the text stands in one, only that it was deleted takes it away."""
        holding = {element for text in self.texts for element in (text, *text.iterancestors())}
        notices = [(name, value.node) for name in ("number", "edited", "editor", "deleted", "likes") for value in self._values(name)]
        for name in ("author", "title"):  # in the text they are none of it, where they are all that their element says
            whole = [value.node for value in self._values(name) if squeeze(value.raw) == value.text and is_element(value.node)]
            notices += [(name, element) for element in whole if not set(self.texts).isdisjoint(element.iterancestors())]
        return {
            element: f"{self._source}.{name}"
            for name, element in notices
            if is_element(element) and element is not self._context.node and (name == "deleted" or element not in holding)
        }


def beside(node: Element, texts: frozenset[Element], holding: Collection[Element]) -> Iterator[Element]:
    """The largest elements in another that hold none of these texts, and are none."""
    for child in node.iterchildren(tag=etree.Element):
        if child in holding:
            yield from beside(child, texts, holding)
        elif child not in texts:
            yield child


def _shown(values: Sequence[PickedValue]) -> str | None:
    return visible(values[0].text) or None if values else None


def seen(time: str | None) -> str | None:
    """A time as readers see it; None for what only machines read."""
    return time if time and len(time) <= _LONGEST_TIME and not linear_at(r"\d{4}-\d\d-\d\d[T ].*|\d+", re.DOTALL).fullmatch(time) else None


def moment(written: str | None, context: PageContext, day: date | None) -> str | None:
    """ISO 8601; a time alone is of the article's day, an age counts from the capture."""
    if not written:
        return None
    zone, clock = context.portal.timezone, time_of_day(written)
    if clock is not None and day is not None:
        return written_moment(datetime.combine(day, clock, zone))
    return read_visible(written, Clock(zone, context.portal.language, context.page.date))


def time_of_day(written: str | None) -> time | None:
    """A time without a day; None where it is none, or more than that."""
    written = (written or "").strip()
    with suppress(ValueError):
        return time.fromisoformat(written.zfill(5))
    match = CLOCK.fullmatch(written)
    return clock_of(match) if match else None


def clock_of(match: re.Match[str]) -> time:
    """What `CLOCK` found."""
    hour = int(match[1]) if match[3] is None else int(match[1]) % 12 + 12 * (match[3] in "pP")
    return time(hour, int(match[2]))


NOT_WRITTEN = ("h1", "h2", "h3", "h4", "h5", "h6", "a", "button", "form", "label", "select", "svg", *UNSEEN)
"""What stands among comments and is none: headings, links, forms."""


def written_in(element: Element, *, without: Collection[Element] = ()) -> str:
    """What somebody may have written in an element."""
    return squeeze(element_text(element, without={*without, *element.iter(*NOT_WRITTEN)}))


def called_comments(outline: Outline) -> tuple[Element, ...]:
    """The elements whose class or id surely says so, in their order."""
    classes, ids = outline.attribute("class"), outline.attribute("id")
    names = {name for name in {*classes, *ids} if name and sure_part(name, None) is PagePart.COMMENTS}
    telling = (row for row, pair in enumerate(zip(classes, ids, strict=True)) if not names.isdisjoint(pair)) if names else ()
    return tuple(outline.elements[row] for row in telling if sure_part(classes[row], ids[row]) is PagePart.COMMENTS)


def comment_boxes(called: Iterable[Element], *, holding: Collection[Element] = ()) -> Iterator[Element]:
    """Of elements that are called comments the outermost that hold nothing else, but for forms and what is in these."""
    every = frozenset(called)
    for element in called:
        inside = any(above in every and above not in holding for above in element.iterancestors())
        if not inside and element not in holding and element.tag not in NOT_WRITTEN:
            yield element
