"""Posts of a forum as elements of a page: around each text who wrote it, when, and the page's name for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, islice, takewhile
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.extraction.alike import held_in
from webarticlecurator.extraction.body.furniture import is_label
from webarticlecurator.extraction.signs_of_posts import (
    DAY_ALONE,
    LONGEST_NAME,
    LONGEST_TIME,
    TIMES,
    SignsOfPost,
)
from webarticlecurator.own_patterns import linear
from webarticlecurator.selectors import Selector
from webarticlecurator.text import label_of, squeeze

_IDS = (
    "id", "data-post-id", "data-questionid", "data-answerid", "data-commentid", "data-pid", "data-id",
    "data-content",
)  # fmt: skip
"""Attributes that name a post."""
SIGNATURE = linear("signature", re.IGNORECASE)
"""Names of what writers put below all their posts."""
_SURE_SIGN = 5
"""The rank of a sure author: a name in data, one called a user's name, or a link to the page of a user."""
_MOST_AROUND = 12
"""Elements around the text of a single post in which its author may stand."""
_BEYOND_AUTHOR = 3
"""Elements around the author of a single post in which its time and its id may stand."""
_WHOLE_PAGE = frozenset(("body", "html", "main", "noscript"))


class ForumSoftware(NamedTuple):
    """The markup that one system gives the posts of a thread."""

    name: str = ""
    text: str = ""
    """Selects the texts, one a post."""
    author: str = ""
    time: str = ""
    """Select who wrote it, and when; empty where the general signs tell."""
    opening: str = "post"
    """The kind of thing that opens its threads: where that is a `link`, the first post is an answer."""


UNKNOWN_SOFTWARE = ForumSoftware()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPost:
    """One post, as elements of the page."""

    text: Element
    id: str | None
    author: str | None
    times: tuple[str, ...]
    """Texts that may be its time, the likeliest first."""
    signs: SignsOfPost = field(default_factory=SignsOfPost)
    """Names and times that stand around the text."""
    opens: bool = False
    """True if it surely opens the thread, if that begins on this page."""

    @property
    def is_signed(self) -> bool:
        """Return True if a name and a time stand beside it."""
        return bool(self.author and self.times)

    @property
    def is_surely_signed(self) -> bool:
        """Return True if a user's name and a time stand beside it."""
        return bool(self.times) and self.sign is not None and self.sign <= _SURE_SIGN

    @property
    def sign(self) -> int | None:
        """Return the rank of the sign that tells an author, be it that the markup of a software tells one,
        too."""
        return self.signs.author[0]

    def signed(self, signs: SignsOfPost) -> FoundPost:
        """Return the post with the times of the signs behind its own, and with their author where it has
        none."""
        author = self.author or signs.author[1]
        return replace(self, author=author, times=(*self.times, *signs.times_in_order), signs=signs)

    def signed_anew(self, signs: SignsOfPost) -> FoundPost:
        """Return the post with the author and the times of these signs in place of its own."""
        return replace(self, author=signs.author[1], times=tuple(signs.times_in_order))


@cache
def _parsed(selector: str) -> Selector:
    return Selector.parse(selector)


def selected(selector: str, within: Element) -> list[Element]:
    """Return the elements that a selector finds; nothing where it is empty."""
    return _parsed(selector).select(within) if selector else []


def posts_of(texts: Sequence[Element], software: ForumSoftware = UNKNOWN_SOFTWARE) -> list[FoundPost]:
    """Return the posts with these texts, but for those in others, signatures, and advertisements."""
    wanted = set(texts)
    outermost = [text for text in texts if wanted.isdisjoint(text.iterancestors())]
    outermost = [text for text in outermost if not _is_signature(text)]
    held = held_in(outermost)
    is_alone = len(outermost) == 1
    posts = _with_ids_of_their_own([_post(text, held, is_alone, software) for text in outermost])
    return [post for post in posts if not is_label(post.author or "")]  # "Advertisement" writes posts, too


def _is_signature(text: Element) -> bool:
    near = islice(chain((text,), text.iterancestors()), 4)
    return any(SIGNATURE.search(f"{element.get('class')} {element.get('data-role')}") for element in near)


def _with_ids_of_their_own(posts: Sequence[FoundPost]) -> list[FoundPost]:
    """Return the posts without the ids that several of them have."""
    times = Counter(post.id for post in posts)
    return [post if times[post.id] == 1 else replace(post, id=None) for post in posts]


def _post(text: Element, held: Counter[Element], is_alone: bool, software: ForumSoftware) -> FoundPost:
    """Return the post with a text: what holds no other text is of the same post: its author, its time, its
    buttons."""
    signs = SignsOfPost()
    item = _item_around(text, held, is_alone, signs)
    parts = [item]
    head = item.getprevious()
    if not signs.times and head is not None and not held[head]:
        parts = [item, head]  # some have a row of their own for what is told of the post below
        signs.take_in(head)
    authors, times = _selected_in(software.author, parts), _selected_in(software.time, parts)
    post = FoundPost(
        text=text,
        id=id_of(text, parts, _BEYOND_AUTHOR * is_alone),
        author=_name_in(authors),
        times=_time_in(times),
    )
    return post.signed(signs)


def _item_around(text: Element, held: Counter[Element], is_alone: bool, signs: SignsOfPost) -> Element:
    """Return the largest element around a text that holds no other; `signs` take in what is said in it."""
    item, left = text, _MOST_AROUND
    for ancestor in text.iterancestors():
        if not left or held[ancestor] > 1 or ancestor.tag in _WHOLE_PAGE:
            break
        signs.take_in(ancestor, item)
        item = ancestor
        if is_alone:
            left = min(left - 1, _left_to_look_at(signs))
    return item


def _left_to_look_at(signs: SignsOfPost) -> int:
    """Return around how many more elements of a single post may be looked for what is not known yet."""
    if not signs.authors:
        return _MOST_AROUND
    return 0 if any(sign.rank < DAY_ALONE for sign in signs.times) else _BEYOND_AUTHOR


def _selected_in(selector: str, parts: Iterable[Element]) -> list[Element]:
    return list(chain.from_iterable(selected(selector, part) for part in parts))


def _name_in(elements: Sequence[Element]) -> str | None:
    """Return the author that the first of the elements names."""
    return next(filter(None, [label_of(element, LONGEST_NAME) for element in elements[:1]]), None)


def _time_in(elements: Sequence[Element]) -> tuple[str, ...]:
    """Return the time for machines of the first of the elements, else what the first two show."""
    stated = chain.from_iterable(map(element.get, TIMES) for element in elements[:1])
    shown = squeeze(" ".join(label_of(element, LONGEST_TIME) for element in elements[:2]))
    return tuple(filter(None, (*stated, shown)))[:1]


def id_of(text: Element, parts: Sequence[Element], above: int) -> str | None:
    """Return the nearest id with a number in it around the text, else that of an anchor beside it, else one
    of so many elements above."""
    around = takewhile(lambda element: element is not parts[0], (text, *text.iterancestors()))
    anchors = chain.from_iterable(part.iter("a", "span") for part in parts)
    beyond = takewhile(
        lambda element: element.tag not in _WHOLE_PAGE, islice(parts[0].iterancestors(), above)
    )
    ids = chain(
        _values_of(chain(around, parts), _IDS), _values_of(anchors, ("name", "id")), _values_of(beyond, _IDS)
    )
    return next((id for id in ids if linear(r"\d").search(id)), None)


def _values_of(elements: Iterable[Element], attributes: Sequence[str]) -> Iterator[str]:
    return (element.get(attribute, "") for element in elements for attribute in attributes)
