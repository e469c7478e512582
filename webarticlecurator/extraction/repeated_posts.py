"""Posts on the page of a forum of unknown software: texts of one make, each with an author and a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, takewhile
from operator import attrgetter
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.extraction.alike import by_make
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.signs import all_hold
from webarticlecurator.extraction.forum_posts import FoundPost, posts_of
from webarticlecurator.extraction.signs_of_posts import SignsOfPost
from webarticlecurator.extraction.threads import MAX_POSTS
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.own_patterns import linear

TEXT_HOLDERS = frozenset(("article", "blockquote", "div", "dd", "li", "section", "td"))
"""Elements that may hold a post."""
_WHOLE_PAGE = frozenset(("html", "body", "main"))
_SENTENCES = 80
"""Characters of a text that is running text."""
_MOST_GROUPS = 8
"""Blocks that are looked at of a page: on pages made to be slow there are thousands."""
_LEAST_SHARE = 0.4
"""The share of a page's running text that its posts hold."""
_NEARLY_MOST = 0.8
"""The share of the largest group's text that another one holds that may be the posts."""
_LIKE_OTHERS = 0.7
"""The share of an answer's text that an opening post holds that is not marked in any way."""


class _RunningText(NamedTuple):
    """Characters of text in each row of the blocks and below it, but for links and notices of the site."""

    sentences: Sequence[float]
    """Only that of running text."""
    all: Sequence[float]


class _Group(NamedTuple):
    """Elements of one make."""

    rows: list[int]
    sentences: float
    """Characters of running text in them."""
    rest: float
    """Characters of other text in them."""


_Make = tuple[str, str, str]
"""The tag of an element, its first two classes, and of which property it is."""


def repeated_posts(blocks: PageBlocks, authors: Collection[str], *, alone: bool) -> Sequence[FoundPost]:
    """Return the texts of one make, each signed, that are most of what is to be read on the page.

    Else, if it may stand `alone`, one text with a user's name and a time beside it.
    """
    text = _running_text(blocks)
    alike = alike_texts(blocks, [row for row, length in enumerate(text.all) if length])
    for group in _likely_groups(alike, text)[:_MOST_GROUPS]:
        posts = _posts_in(blocks, group.rows)
        signed = [post for post in posts if post.is_signed]
        if len(signed) > 1 and 2 * len(signed) >= len(group.rows):
            return posts if signed[0].author in authors else _with_opening(blocks, text, group)
    return _single_post(blocks, alike, text) if alone else ()


def _posts_in(blocks: PageBlocks, rows: Iterable[int]) -> list[FoundPost]:
    return posts_of(list(map(blocks.elements.__getitem__, rows)))


def _running_text(blocks: PageBlocks) -> _RunningText:
    plain = list(blocks.plain)
    notices = [row for row in blocks.by_part[PagePart.NOTICE] if blocks.tags[row] not in _WHOLE_PAGE]
    for row in chain(notices, *map(blocks.below, notices)):
        plain[row] = 0
    sentences = [
        length if length >= _SENTENCES or row in blocks.has_stops else 0 for row, length in enumerate(plain)
    ]
    return _RunningText(blocks.summed(sentences), blocks.summed(plain))


def alike_texts(blocks: PageBlocks, rows: Iterable[int]) -> Collection[list[int]]:
    """Return those of the rows that may be texts of posts, of one make together."""
    holders = [row for row in rows if blocks.tags[row] in TEXT_HOLDERS]
    marked = (row for row in holders if blocks.elements[row].attrib)
    return by_make(marked, lambda row: _make_of_text(blocks.elements[row])).values()


def _make_of_text(element: Element) -> _Make:
    """Return what texts of posts have in common that one program wrote."""
    names = linear(r"\d+").sub("", element.get("class", "")).split()
    return element.tag, " ".join(names[:2]), element.get("itemprop", "")


def _likely_groups(alike: Iterable[list[int]], text: _RunningText) -> list[_Group]:
    """Return the groups that hold most of the page's running text, those with little else first."""
    groups = [_group_of(rows, text) for rows in alike if 2 <= len(rows) <= MAX_POSTS]
    whole = text.sentences[0]
    # more than all there is: they stand in one another
    groups = [group for group in groups if _LEAST_SHARE * whole <= group.sentences <= whole]
    groups.sort(key=attrgetter("sentences"), reverse=True)
    with_most = takewhile(lambda group: group.sentences >= _NEARLY_MOST * groups[0].sentences, groups)
    return sorted(with_most, key=lambda group: (group.rest, group.rows))


def _group_of(rows: list[int], text: _RunningText) -> _Group:
    sentences = sum(map(text.sentences.__getitem__, rows))
    return _Group(rows, sentences, sum(map(text.all.__getitem__, rows)) - sentences)


def _single_post(blocks: PageBlocks, alike: Iterable[list[int]], text: _RunningText) -> Sequence[FoundPost]:
    """Return the innermost of the elements with most of the page's text and little else, if a user's name and
    a time stand beside it."""
    single = [rows[0] for rows in alike if len(rows) == 1]
    long = [row for row in single if text.sentences[row] >= _LEAST_SHARE * text.sentences[0]]
    innermost = sorted(long, key=lambda row: (text.all[row] - text.sentences[row], -row))[:1]
    return [post for post in _posts_in(blocks, innermost) if post.is_surely_signed]


class _Opening(NamedTuple):
    """A text that may open a thread."""

    row: int
    is_comment: bool
    """True if it is called a comment."""
    has_comments: bool
    """True if only the texts behind it are called comments."""


def _with_opening(blocks: PageBlocks, text: _RunningText, group: _Group) -> Sequence[FoundPost]:
    """Return the posts with what opens the thread, which may be of another make than the answers.

    A text before them is an article, and they are no thread, where they are called comments, or where it is
    neither signed as they are nor has a class of theirs.
    """
    opening = _opening_before(blocks, text, group.rows[0])
    usual = group.sentences / len(group.rows)
    if opening is None:
        return _posts_in(blocks, group.rows)
    if text.sentences[opening.row] < _shortest_opening(opening, usual):
        return _posts_in(blocks, group.rows)
    posts = _posts_in(blocks, [_innermost(blocks, text, opening.row), *group.rows])
    if _have_name_in_common(posts[0].text, posts[-1].text):
        return posts
    if posts[0].sign is None:  # its author does not stand around its text: whoever is named in it
        signs = SignsOfPost()
        signs.take_in(posts[0].text)
        posts[0] = posts[0].signed(signs)
    return posts if opening.is_comment or all_hold(_SIGNS_OF_OPENING, _SignedThread(posts, opening)) else ()


def _opening_before(blocks: PageBlocks, text: _RunningText, first: int) -> _Opening | None:
    """Return what holds most running text between the headline and the first of the texts that are alike."""
    headline = max((row for row in range(first) if blocks.tags[row] == "h1"), default=0)
    around = blocks.above(first) | blocks.above(headline)
    between = sorted(set(range(headline + 1, first)) - around)
    row = max(
        (row for row in between if blocks.parents[row] in around),
        key=text.sentences.__getitem__,
        default=None,
    )
    if row is None:
        return None
    comments = blocks.by_part[PagePart.COMMENTS]
    is_comment = not (blocks.above(row) - around).isdisjoint(comments)
    has_comments = not is_comment and not (blocks.above(first) - blocks.above(row)).isdisjoint(comments)
    return _Opening(row, is_comment, has_comments)


def _shortest_opening(opening: _Opening, usual: float) -> float:
    """Return how many characters of running text a text has at least that opens a thread; `usual`: those of
    an answer."""
    if opening.is_comment:
        return 0
    return _SENTENCES if opening.has_comments else max(_SENTENCES, _LIKE_OTHERS * usual)


def _innermost(blocks: PageBlocks, text: _RunningText, row: int) -> int:
    """Return the innermost element with nearly all of its running text."""
    full = (inner for inner in blocks.below(row) if text.sentences[inner] > 0.9 * text.sentences[row])
    return max((inner for inner in full if blocks.tags[inner] in TEXT_HOLDERS), default=row)


def _have_name_in_common(element: Element, other: Element) -> bool:
    return not set(element.get("class", "").split()).isdisjoint(other.get("class", "").split())


class _SignedThread(NamedTuple):
    """A text that may open a thread, with the posts behind it."""

    posts: Sequence[FoundPost]
    opening: _Opening

    def has_no_comments(self) -> bool:
        return not self.opening.has_comments

    def has_time(self) -> bool:
        return bool(self.posts[0].times)

    def is_signed_alike(self) -> bool:
        """Return True if the opening post is signed as most answers are."""
        usual_sign = Counter(post.sign for post in self.posts[1:]).most_common(1)[0][0]
        return self.posts[0].sign == usual_sign


_SIGNS_OF_OPENING = (_SignedThread.has_no_comments, _SignedThread.has_time, _SignedThread.is_signed_alike)
"""Signs of an opening post; the comments below an article are not signed as that is."""
