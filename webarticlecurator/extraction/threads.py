"""Posts beside one another: which answers which, whom they quote, and each of them once, from whichever pages it stands on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise

from lxml.etree import _Element as Element
from msgspec import structs

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.dates import written_moment
from webarticlecurator.extraction.body.walked_text import Account
from webarticlecurator.extraction.picked_values import PageNode, is_element
from webarticlecurator.model.article import HOLDS, Block, Content, Post, UnknownTag, plain_text
from webarticlecurator.own_patterns import linear

MAX_POSTS = 5_000
"""Of one page."""
_OF_ANSWERS = linear(
    r"(?:^|[\s_-])(?:child(?:ren)?|repl(?:y|ies)|answers?|nested|sub-?(?:comments?|thread)|responses?|indent(?:ed)?)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""What holds the answers to a post, where it stands behind that post."""
_NUMBER_AT_END = linear(r"\d{1,18}$")


@dataclass(slots=True)
class PagePosts:
    """The posts of one page."""

    posts: list[Post] = field(default_factory=list)
    elsewhere: dict[Element, Account] = field(default_factory=dict)
    """Their elements, each with the account of its text."""
    unknown_tags: list[UnknownTag] = field(default_factory=list)


def with_sources(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Some sites say before a quotation whom it quotes: that is said in it."""
    with_source: list[Block] = []
    for block in blocks:
        has_source = any(isinstance(child, Block) and child.type == "source" for child in block.children)
        if block.type == "quote" and not has_source and with_source and with_source[-1].type == "source":
            source = with_source.pop()
            attributes = {**source.attributes, **block.attributes}
            block = structs.replace(block, children=(structs.replace(source, attributes={}), *block.children), attributes=attributes)
        with_source.append(block)
    return tuple(with_source)


def with_answers(posts: Sequence[tuple[PageNode, Post, int | None]]) -> list[Post]:
    """The posts of one kind on a page, each with its element and how deep it stands where a rule says so, with what they answer.

    What a rule tells stands. Otherwise a post answers the last one before it that stands less deep, or the one that it stands in,
    or behind which the list stands that it is in.
    """
    answered = _by_depth([depth for *_, depth in posts]) if any(depth is not None for *_, depth in posts) else _by_place(posts)
    found = [post for _, post, _ in posts]
    ids = _ids(found)
    return [
        replace(post, reply_to=ids[answered[number]]) if number in answered and post.reply_to is None else post
        for number, post in enumerate(found)
    ]


def _ids(posts: Sequence[Post]) -> list[str]:
    """The ids of posts; those without one are called by what they say, each by a name of its own."""
    often: Counter[str] = Counter()
    ids: list[str] = []
    for post in posts:
        id = post.id or post.fingerprint
        often[id] += post.id is None
        ids.append(id if often[id] < 2 or post.id else f"{id}-{often[id]}")
    return ids


def _by_depth(depths: Sequence[int | None]) -> dict[int, int]:
    answered: dict[int, int] = {}
    above: list[tuple[int, int]] = []
    for number, depth in enumerate(depths):
        depth = depth or 0
        while above and above[-1][1] >= depth:
            above.pop()
        if above:
            answered[number] = above[-1][0]
        above.append((number, depth))
    return answered


def _by_place(posts: Sequence[tuple[PageNode, Post, int | None]]) -> dict[int, int]:
    answered: dict[int, int] = {}
    numbers: dict[Element, int] = {}
    last_in: dict[Element, int] = {}
    """By the parent of a post, the last one there."""
    for number, (node, *_) in enumerate(posts):
        if not is_element(node):
            continue
        inside = node
        for around in node.iterancestors():
            parent = numbers.get(around)
            if parent is None and around in last_in and inside is not node:
                names = (inside.get("class") or "")[:500]
                parent = last_in[around] if inside.tag in {"ul", "ol", "dl"} or _OF_ANSWERS.search(names) is not None else None
            if parent is not None:
                answered[number] = parent
                break
            inside = around
        numbers[node] = number
        if (holder := node.getparent()) is not None:
            last_in[holder] = number
    return answered


def joined(pages: Sequence[Sequence[Post]], zone: tzinfo) -> list[Post]:
    """The posts of an article from all its pages, each once, with their days and with what they answer."""
    # an article may show the newest page of its comments, and lead to the ones before
    written = [[when for _, when in moments(page, PostKind.COMMENTS)] for page in pages]
    backwards = len(pages) > 1 and all(written) and all(max(after) < min(before) for before, after in pairwise(written))
    posts = _each_once(pages[::-1] if backwards and all(max(page) > page[0] for page in written if len(page) > 1) else pages)
    posts = in_order(posts, zone) or posts
    for kind in dict.fromkeys(post.kind for post in posts):
        found, names, answered = list(posts), _PostNames(posts, kind), set[int]()
        for number in names.ids:
            post, quoted = posts[number], list[int]()
            blocks = tuple(_quoting(block, names, quoted) for block in post.blocks)
            # who quotes an earlier one, and says nothing else, answers it
            parent = names.number_of(post.reply_to) if post.reply_to else next((earlier for earlier in quoted if earlier < number), None)
            answered.update(place for place in (parent, *quoted) if place is not None)
            reply_to = None if parent == number else names.ids[parent] if parent is not None else post.reply_to
            found[number] = replace(post, blocks=blocks, reply_to=reply_to)
        posts = [replace(post, id=names.ids[number]) if number in answered else post for number, post in enumerate(found)]
    return posts


def _each_once(pages: Sequence[Sequence[Post]]) -> list[Post]:
    """A post may stand on several pages: what opens a thread on each, what was new while they were fetched.

    An entry of a live blog that is pinned to the top of its page counts where it stands below.
    """
    kept: dict[tuple[object, ...], tuple[Post, int]] = {}
    """Each by kind and id, or what it says; with its page."""
    for page, number, post in ((page, number, post) for page, posts in enumerate(pages) for number, post in enumerate(posts)):
        key: tuple[object, ...] = (post.kind, post.id or f" {post.fingerprint}")
        if key in kept:
            before, page_before = kept[key]
            if not _is_same(before, post, page == page_before):
                key = (*key, page, number)
            elif post.kind == PostKind.LIVEBLOG and page == page_before:
                del kept[key]
            else:
                continue
        kept[key] = post, page
    return [post for post, _ in kept.values()]


def _is_same(post: Post, other: Post, on_one_page: bool) -> bool:
    """Whether posts of one id, or that say the same, are one. What a page shows twice without an id was sent twice."""
    if post.id is not None:
        return not on_one_page or post.fingerprint == other.fingerprint
    return not on_one_page and (len(post.when or "") > len("2024-05-01") or len(plain_text(post.blocks)) >= 60)  # which nobody writes twice


def moments(posts: Sequence[Post], kind: PostKind = PostKind.LIVEBLOG) -> list[tuple[int, datetime]]:
    """The places of the posts of a kind of which it is known when they were written, and when that was."""
    timed = []
    for number, post in enumerate(posts):
        if post.kind == kind and post.when and len(post.when) > len("2024-05-01"):
            when = datetime.fromisoformat(post.when)
            if when.tzinfo is not None and when.year in range(1900, 2200):  # with others, slips of the pen, nobody can count
                timed.append((number, when))
    return timed


def in_order(posts: Sequence[Post], zone: tzinfo) -> list[Post] | None:
    """The posts, if the entries of a live blog among them are in the order of their times, newest or oldest first.

    Where the page shows times without days, another day begins where the clock goes back.
    """
    entries = moments(posts)
    if sum(later < earlier for (_, earlier), (_, later) in pairwise(entries)) > (len(entries) - 1) / 2:  # the newest comes first
        entries.reverse()
    counted = {number: when for number, when in entries if posts[number].day_counted}
    day = min(counted.values(), default=datetime.max).date()
    settled: list[datetime] = []
    found = list(posts)
    for number, when in entries:
        if number in counted:
            # data may have told another zone than the portal's
            local = when.replace(tzinfo=zone)
            clock = (local if local.utcoffset() == when.utcoffset() else when).timetz()
            when = datetime.combine(day, clock)
            if settled and settled[-1] - when > timedelta(hours=8):
                day += timedelta(days=1)
                when = datetime.combine(day, clock)
            found[number] = replace(posts[number], when=written_moment(when))
        settled.append(when)
    ordered = sum(earlier <= later for earlier, later in pairwise(settled))
    return found if ordered >= 0.85 * (len(settled) - 1) else None


class _PostNames:
    """What sites call the posts of a kind: by their id, by the number at its end, by their number in the thread."""

    def __init__(self, posts: Sequence[Post], kind: str) -> None:
        of_kind = [number for number, post in enumerate(posts) if post.kind == kind]
        self.ids = dict(zip(of_kind, _ids([posts[number] for number in of_kind]), strict=True))
        self._known = {id: number for number, id in reversed(self.ids.items())}
        ends = {number: end[0] for number, id in self.ids.items() if posts[number].id and (end := _NUMBER_AT_END.search(id))}
        often = Counter(ends.values())
        self._at_end = {end: number for number, end in ends.items() if often[end] == 1}
        self._numbers = {told.lstrip("#"): number for number in reversed(self.ids) if (told := posts[number].number)}

    def number_of(self, name: str) -> int | None:
        """The place of a post among all; None: it is not here."""
        if name in self._known:
            return self._known[name]
        end = _NUMBER_AT_END.search(name)
        if end is None:
            return None
        by_number, by_id = self._numbers.get(end[0]), self._at_end.get(end[0])
        return by_number if by_id is None or (by_number is not None and name.startswith("#")) else by_id


def _quoting(block: Block, names: _PostNames, quoted: list[int]) -> Block:
    """A block whose quotations name posts by their ids; `quoted` is given the places of those."""
    if HOLDS[block.type] is Content.INLINES:
        return block
    children = tuple(_quoting(child, names, quoted) if isinstance(child, Block) else child for child in block.children)
    number = names.number_of(block.attributes["post"]) if "post" in block.attributes and block.type == "quote" else None
    if number is None:
        return block if children == block.children else structs.replace(block, children=children)
    quoted.append(number)
    return structs.replace(block, children=children, attributes={**block.attributes, "post": names.ids[number]})
