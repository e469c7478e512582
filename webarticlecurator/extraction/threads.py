"""Posts beside one another: each of them once, from all pages, with the posts that it answers and quotes."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta, tzinfo
from itertools import pairwise, starmap
from operator import itemgetter

from lxml.etree import _Element as Element
from msgspec import structs

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.dates import NO_ZONE, with_zone, written_moment
from webarticlecurator.extraction.alike import by_make
from webarticlecurator.extraction.body.structure import kinds_of
from webarticlecurator.extraction.body.walked_text import Account
from webarticlecurator.extraction.picked_values import PageNode, is_element
from webarticlecurator.model.article import HOLDS, Block, Content, Post, UnknownTag, blocks_in, plain_text
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.own_patterns import linear

MAX_POSTS = 5_000
"""Posts of one page that are read."""
_OF_ANSWERS = linear(
    r"(?:^|[\s_-])(?:child(?:ren)?|repl(?:y|ies)|answers?|nested|sub-?(?:comments?|thread)|responses?|indent(?:ed)?)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Names of elements with the answers to a post, where they stand behind that post."""
_LISTS = frozenset(("ul", "ol", "dl"))
_NUMBER_AT_END = linear(r"\d{1,18}$")


@dataclass(slots=True)
class PagePosts:
    """The posts of one page."""

    posts: list[Post] = field(default_factory=list)
    elsewhere: dict[Element, Account] = field(default_factory=dict)
    """Their elements, each with the account of its text."""
    unknown_tags: list[UnknownTag] = field(default_factory=list)


def ordered_fields(metadata: Metadata) -> Metadata:
    """Return metadata in the order of the fields, without those of which nothing is known."""
    return {name: metadata[name] for name in FIELDS if metadata.get(name)}


def with_sources(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return the blocks; whom a quotation quotes, which some sites say before it, is said in it."""
    with_source: list[Block] = []
    for block in blocks:
        if _is_without_source(block) and kinds_of(with_source[-1:]) == {"source"}:
            source = with_source.pop()
            attributes = {**source.attributes, **block.attributes}
            block = structs.replace(
                block,
                children=(structs.replace(source, attributes={}), *block.children),
                attributes=attributes,
            )
        with_source.append(block)
    return tuple(with_source)


def _is_without_source(block: Block) -> bool:
    """Return True if it is a quotation that does not say whom it quotes."""
    return block.type == "quote" and "source" not in kinds_of(blocks_in(block))


def with_answers(posts: Sequence[tuple[PageNode, Post, int | None]]) -> list[Post]:
    """Return the posts of one kind on a page, each with its element and how deep it stands where a rule says
    so, with what they answer.

    What a rule tells stands. Otherwise a post answers the last one before it that stands less deep, or the
    one that it stands in, or behind which the list stands that it is in.
    """
    depths = list(map(itemgetter(2), posts))
    is_depth_told = depths.count(None) < len(depths)
    answered = _by_depth(depths) if is_depth_told else _by_place(posts)
    found = list(map(itemgetter(1), posts))
    ids = _ids(found)
    for number, parent in answered.items():
        if found[number].reply_to is None:
            found[number] = replace(found[number], reply_to=ids[parent])
    return found


def _ids(posts: Sequence[Post]) -> list[str]:
    """Return the ids of posts; those without one are called by what they say, each by a name of its own."""
    often: Counter[str] = Counter()
    ids: list[str] = []
    for post in posts:
        id = post.id or post.fingerprint
        often[id] += not post.id
        ids.append(f"{id}-{often[id]}" if often[id] > 1 else id)
    return ids


def _by_depth(depths: Sequence[int | None]) -> dict[int, int]:
    """Return which post each answers: the last one before it that stands less deep."""
    answered: dict[int, int] = {}
    above: list[tuple[int, int]] = []
    for number, written in enumerate(depths):
        depth = written or 0
        while above and above[-1][1] >= depth:
            above.pop()
        answered.update((number, parent) for parent, _ in above[-1:])
        above.append((number, depth))
    return answered


def _by_place(posts: Sequence[tuple[PageNode, Post, int | None]]) -> dict[int, int]:
    answered: dict[int, int] = {}
    numbers: dict[Element, int] = {}
    last_in: dict[Element | None, int] = {}
    """The last post in each element that holds any."""
    elements = [(number, node) for number, (node, *_) in enumerate(posts) if is_element(node)]
    for number, node in elements:
        parent = _answered_by_place(node, numbers, last_in)
        if parent is not None:
            answered[number] = parent
        numbers[node] = number
        last_in[node.getparent()] = number
    return answered


def _answered_by_place(
    node: Element,
    numbers: Mapping[Element, int],
    last_in: Mapping[Element | None, int],
) -> int | None:
    """Return the post that a post stands in, or behind which the list stands that it is in."""
    inside = node
    for around in node.iterancestors():
        if around in numbers:
            return numbers[around]
        if around in last_in and inside is not node and _holds_answers(inside):
            return last_in[around]
        inside = around
    return None


def _holds_answers(element: Element) -> bool:
    return element.tag in _LISTS or _OF_ANSWERS.search(element.get("class", "")[:500]) is not None


def joined(pages: Sequence[Sequence[Post]], zone: tzinfo) -> list[Post]:
    """Return the posts of an article from all its pages, each once, with their days and with what they
    answer."""
    posts = _each_once(_oldest_first(pages))
    posts = in_order(posts, zone) or posts
    for kind in dict.fromkeys(post.kind for post in posts):
        posts = _with_answers_to_quotations(posts, kind)
    return posts


def _oldest_first(pages: Sequence[Sequence[Post]]) -> Sequence[Sequence[Post]]:
    """Return the pages in the order of their comments: an article may show the newest page of these, and lead
    to the ones before."""
    written = [[when for _, when in moments(page, PostKind.COMMENTS)] for page in pages]
    if not all(written):
        return pages
    is_backwards = all(max(after) < min(before) for before, after in pairwise(written))
    # on each page the newest comes last
    return pages[::-1] if is_backwards and all(page[0] <= page[-1] for page in written) else pages


def _with_answers_to_quotations(posts: Sequence[Post], kind: str) -> list[Post]:
    """Return all posts; those of a kind name the post that they answer by its id: who quotes an earlier one,
    and says nothing else, answers it."""
    found, names, answered = list(posts), _PostNames(posts, kind), set[int | None]()
    for number in names.ids:
        post, quoted = posts[number], list[int]()
        blocks = tuple(_quoting(block, names, quoted) for block in post.blocks)
        earlier = (other for other in quoted if other < number)
        parent = names.number_of(post.reply_to) if post.reply_to else next(earlier, None)
        answered.update((parent, *quoted))
        reply_to = names.ids[parent] if parent is not None else post.reply_to
        found[number] = replace(post, blocks=blocks, reply_to=reply_to)
    return [
        replace(post, id=names.ids[number]) if number in answered else post
        for number, post in enumerate(found)
    ]


def _each_once(pages: Sequence[Sequence[Post]]) -> list[Post]:
    """Return each post once: it may stand on several pages, as what opens a thread on each, what was new
    while they were fetched.

    An entry of a live blog that is pinned to the top of its page counts where it stands below.
    """
    kept: dict[tuple[object, ...], tuple[Post, int | None]] = {}
    """Each by kind and id, or what it says; with its page."""
    numbered = ((page, number, post) for page, posts in enumerate(pages) for number, post in enumerate(posts))
    for page, number, post in numbered:
        key: tuple[object, ...] = (post.kind, post.id or f" {post.fingerprint}")
        before, page_before = kept.get(key, (post, None))
        if not _is_same(before, post, on_one_page=page == page_before):
            key = (*key, page, number)
        elif post.kind == PostKind.LIVEBLOG and page == page_before:
            del kept[key]
        kept.setdefault(key, (post, page))
    return [post for post, _ in kept.values()]


def _is_same(post: Post, other: Post, *, on_one_page: bool) -> bool:
    """Return True if posts of one id, or that say the same, are one. What a page shows twice without an id
    was sent twice."""
    if post.id is not None:
        return not on_one_page or post.fingerprint == other.fingerprint
    is_said_once = has_hour(post) or len(plain_text(post.blocks)) >= 60  # which nobody writes twice
    return is_said_once and not on_one_page


def has_hour(post: Post) -> bool:
    """Return True if it is known of more than a day when it was written."""
    return tells_hour(post.when)


def tells_hour(when: str | None) -> bool:
    """Return True for a time that is more than a day."""
    return len(when or "") > len("2024-05-01")


def moments(posts: Sequence[Post], kind: PostKind = PostKind.LIVEBLOG) -> list[tuple[int, datetime]]:
    """Return the places of the posts of a kind of which it is known when they were written, and when that
    was."""
    times = ((number, _moment_of(post)) for number, post in enumerate(posts) if post.kind == kind)
    return [(number, when) for number, when in times if when is not None]


def _moment_of(post: Post) -> datetime | None:
    """Return when a post was written; None where that is not known, or is a slip of the pen with which nobody
    can count."""
    if not has_hour(post):
        return None
    when = with_zone(datetime.fromisoformat(post.when or ""), NO_ZONE)
    return when if when.year in range(1900, 2200) else None


def in_order(posts: Sequence[Post], zone: tzinfo) -> list[Post] | None:
    """Return the posts, if the entries of a live blog among them are in the order of their times, newest or
    oldest first.

    Where the page shows times without days, another day begins where the clock goes back.
    """
    entries = moments(posts)
    times = [when for _, when in entries]
    if _steps(times, operator.gt) > (len(entries) - 1) / 2:  # the newest comes first
        entries.reverse()
    counted = {number: when for number, when in entries if posts[number].day_counted}
    day = min(counted.values(), default=datetime.max).date()
    settled: list[datetime] = []
    found = list(posts)
    for number, when in entries:
        if number in counted:
            when = _on_day(day, when, zone)
            if any(last - when > _BACK_BY for last in settled[-1:]):
                day += timedelta(days=1)
                when = datetime.combine(day, when.timetz())
            found[number] = replace(posts[number], when=written_moment(when))
        settled.append(when)
    return found if _steps(settled, operator.le) >= 0.85 * (len(settled) - 1) else None


_BACK_BY = timedelta(hours=8)
"""Hours by which the clock goes back where another day begins."""


def _steps(times: Iterable[datetime], compare: Callable[[datetime, datetime], bool]) -> int:
    """Return how many times stand so to the one that follows."""
    return sum(starmap(compare, pairwise(times)))


def _on_day(day: date, when: datetime, zone: tzinfo) -> datetime:
    """Return a time on another day; data may have told another zone than the portal's."""
    local = when if zone is NO_ZONE else when.replace(tzinfo=zone)
    clock = (local if local.utcoffset() == when.utcoffset() else when).timetz()
    return datetime.combine(day, clock)


class _PostNames:
    """Names that sites give the posts of a kind: id, the number at its end, the number in the thread."""

    def __init__(self, posts: Sequence[Post], kind: str) -> None:
        of_kind = {number: post for number, post in enumerate(posts) if post.kind == kind}
        self.ids = dict(zip(of_kind, _ids(list(of_kind.values())), strict=True))
        self._known = {id: number for number, id in reversed(self.ids.items())}
        by_ends = by_make(of_kind, lambda number: _number_at_end(of_kind[number].id))
        by_end = {end: numbers[0] for end, numbers in by_ends.items() if len(numbers) == 1}
        by_number = {_number_at_end(post.number): number for number, post in reversed(of_kind.items())}
        self._by_number_first = {**by_end, **by_number, "": None}
        self._by_end_first = {**by_number, **by_end, "": None}

    def number_of(self, name: str) -> int | None:
        """Return the place of a post among all; None: it is not here."""
        places = self._by_number_first if name.startswith("#") else self._by_end_first
        return self._known.get(name, places.get(_number_at_end(name)))


def _number_at_end(name: str | None) -> str:
    """Return the number with which the name of a post ends; empty where there is none."""
    return "".join(_NUMBER_AT_END.findall(name or ""))


def _quoting(block: Block, names: _PostNames, quoted: list[int]) -> Block:
    """Return a block whose quotations name posts by their ids; `quoted` is given the places of those."""
    if HOLDS[block.type] is Content.INLINES:
        return block
    children = tuple(_quoting(child, names, quoted) for child in blocks_in(block))
    number = (
        names.number_of(block.attributes["post"])
        if "post" in block.attributes and block.type == "quote"
        else None
    )
    if number is None:
        return structs.replace(block, children=children)
    quoted.append(number)
    return structs.replace(
        block, children=children, attributes={**block.attributes, "post": names.ids[number]}
    )
