"""Comments below an article that no rule describes: texts of one make among what is called comments, each
with the name of whoever wrote it, and a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, takewhile
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.dates import NO_ZONE, Clock, read_visible
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.signs import Sign, all_hold, reason_by
from webarticlecurator.extraction.body.structure import unwrapped
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.forum_posts import id_of
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.metadata.dates import read_iso
from webarticlecurator.extraction.opening_posts import first_read, is_as_old_as_page
from webarticlecurator.extraction.page_context import PageContext
from webarticlecurator.extraction.repeated_posts import TEXT_HOLDERS, alike_texts
from webarticlecurator.extraction.signs_of_posts import LONGEST_NAME, SignsOfPost
from webarticlecurator.extraction.threads import (
    PagePosts,
    moments,
    ordered_fields,
    with_answers,
    with_sources,
)
from webarticlecurator.labelling.comment_boxes import called_comments
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.model.article import Post, first_value
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.text import HEADINGS, element_text, label_of, letters_of, squeeze

_MOST_GROUPS = 3
"""Groups of elements that are looked at of a page."""
_LOOKED_AT = 6
"""Elements of one make that are looked at, before all are."""
_LEAST_SHARE = 0.25
"""The share of the text in what is called comments that comments have."""
_ASKING = ("input", "select", "textarea")
"""Elements by which a reader is asked to write."""
_LINES = 16
"""Lines of a comment in which its name and its time are looked for."""
_COUNT = linear_at(r"\(?[1-9][\d.,]{0,6}\)?\s|.*[\s:(][1-9][\d.,]{0,6}\)?$")
"""A headline that begins or ends with a number."""
_PROPERTY = "comment"
"""The property by which microdata name a comment."""
_LONGEST_TIME = 45
"""Characters of a line that is a time."""
_NOT_SAID = "posts.comments: not its text"


class _Dates(NamedTuple):
    """Readers of dates, which remember what they have read: on one page many texts are looked at again."""

    read: Callable[[str], str | None]
    read_shown: Callable[[str], str | None]
    """Reads ages, too, though nobody may know from when they count."""


class _Item(NamedTuple):
    """The block that a comment is, by its row."""

    row: int
    text: int
    """The row of its text; of the block itself, where it is not known which of the blocks in it that is."""
    place: int
    """The row of the block around the text that is as near to it as those of other comments are to theirs."""


class _Line(NamedTuple):
    """A string of a comment that readers see."""

    text: str
    row: int
    """The block that it stands in."""
    is_said: bool
    """True if it is of the text, where that is known."""
    is_before: bool
    """True unless it stands behind the text."""

    def stands_before(self) -> bool:
        return self.is_before

    def is_no_number(self) -> bool:
        return not self.text.isdigit()

    def is_as_long_as_name(self) -> bool:
        return 0 < len(letters_of(self.text)) <= LONGEST_NAME


_SIGNS_OF_NAME = (_Line.stands_before, _Line.is_no_number, _Line.is_as_long_as_name)


@dataclass(frozen=True, slots=True)
class _Comment:
    """One comment, as elements of the page."""

    item: Element
    place: Element
    """The element that tells by where it stands which comment this one answers."""
    texts: tuple[Element, ...]
    buttons: tuple[Element, ...]
    """Elements in the texts that stand in most comments."""
    author: str | None
    is_sure: bool
    """True if data, a class or a link say that it is the author."""
    when: str | None
    times: tuple[str, ...]
    """Times as readers see them."""

    @property
    def is_signed(self) -> bool:
        """Return True if a name stands beside a text, and a time or a sign that it is the author."""
        return all_hold(_SIGNS_OF_COMMENT, self)

    @property
    def is_signed_alone(self) -> bool:
        """Return True if a name and one time stand beside it: of several, others are those of other texts."""
        return all_hold(_SIGNS_OF_SINGLE_COMMENT, self)

    def has_text(self) -> bool:
        return bool(self.texts)

    def has_author(self) -> bool:
        return bool(self.author)

    def has_author_or_time_for_sure(self) -> bool:
        return self.is_sure or bool(self.times or self.when)

    def has_time_that_is_read(self) -> bool:
        return self.when is not None

    def has_one_time_at_most(self) -> bool:
        return len(self.times) < 2

    def has_author_or_time_that_is_seen(self) -> bool:
        """Return False for a day in the data alone, which is no sign that somebody wrote it then."""
        return self.is_sure or bool(self.times)


_SIGNS_OF_COMMENT = (_Comment.has_text, _Comment.has_author, _Comment.has_author_or_time_for_sure)
_SIGNS_OF_SINGLE_COMMENT = (
    *_SIGNS_OF_COMMENT,
    _Comment.has_time_that_is_read,
    _Comment.has_one_time_at_most,
    _Comment.has_author_or_time_that_is_seen,
)


def read_comments(
    context: PageContext, container: Container, lookup: Lookup, taken: Iterable[Element]
) -> PagePosts:
    """Return the comments of a page, with whom they answer; none around what is `taken` for other posts.
    Raises PatternTimeout."""
    found = PagePosts()
    blocks = _blocks_with_comments(context.page, container)
    if blocks is None:
        return found
    clock = Clock(context.portal.timezone, context.language, context.page.date, context.page.is_dated)
    comments = [
        comment for comment in find_comments(blocks, (*container.elements, *taken), clock) if comment.texts
    ]
    ids = [id_of(comment.texts[0], [comment.item], 1) for comment in comments]
    page, read = context.page, list[tuple[Element, Post, int | None]]()
    for comment, id in zip(comments, ids, strict=True):
        around = RewriteContext(
            base=page.base,
            encoding=page.encoding,
            without=dict.fromkeys(comment.buttons, _NOT_SAID),
            within=frozenset(comment.texts),
            outside=_NOT_SAID,
            budget=page.budget,
        )
        blocks_said, account = rewrite((comment.item,), lookup, around)
        found.elsewhere[comment.item] = account
        found.unknown_tags.extend(account.unknown_tags())
        if not blocks_said:
            continue
        post = Post(
            kind=PostKind.COMMENTS.value,
            id=id if ids.count(id) == 1 else None,
            when=comment.when,
            time=next(iter(comment.times), None),
            author=comment.author,
            blocks=with_sources(unwrapped(blocks_said, "lead")),
        )
        read.append((comment.place, post, None))
    found.posts = with_answers(read)
    return found


def _called_comments(page: Page, container: Container) -> Sequence[Element]:
    """Return the elements that are called comments, by the blocks of the page where they are known."""
    if container.judged is None:
        return called_comments(page.outline)
    blocks = container.judged.blocks
    return [blocks.elements[row] for row in blocks.by_part[PagePart.COMMENTS]]


def _blocks_with_comments(page: Page, container: Container) -> PageBlocks | None:
    """Return the blocks of a page, if any of them is called comments."""
    if not _called_comments(page, container) and _PROPERTY not in page.outline.attribute("itemprop"):
        return None
    return container.judged.blocks if container.judged is not None else PageBlocks(page.outline)


def find_comments(blocks: PageBlocks, body: Iterable[Element], clock: Clock) -> list[_Comment]:
    """Return the comments among what is called so: elements of one make, most of them signed, that are texts
    with a name beside them, or comments with a name in them."""
    boxes = _boxes(blocks, body)
    read = cache(partial(read_visible, clock=clock))
    # an age is a time, be it that nobody knows from when it counts
    dates = _Dates(
        read,
        read
        if clock.is_capture_known
        else cache(partial(read_visible, clock=replace(clock, is_capture_known=True))),
    )
    for rows in _alike_in(blocks, boxes)[:_MOST_GROUPS]:
        for items in (_items_around(blocks, rows, boxes), [_Item(row, row, row) for row in rows]):
            comments = _comments_of(blocks, items[:_LOOKED_AT], dates)
            if len(items) > _LOOKED_AT and any(comment.is_signed for comment in comments):
                comments = _comments_of(blocks, items, dates)
            if len(comments) == len(items) and _are_signed(comments):
                return comments
    return []


def _are_signed(comments: Sequence[_Comment]) -> bool:
    """Return True if most of several comments are signed, and not all alike; or the only one is."""
    signed = [(comment.author, comment.when, comment.times) for comment in comments if comment.is_signed]
    if len(comments) == 1:
        return comments[0].is_signed_alone
    return 2 * len(signed) > len(comments) and len(set(signed)) > 1


def _boxes(blocks: PageBlocks, body: Iterable[Element]) -> list[int]:
    """Return the outermost blocks that are called comments, but for those around the text of the article."""
    row_of = blocks.outline.row_of
    rows_of_body = [blocks.of[row_of[element]] for element in body if element in row_of]
    around = set(chain.from_iterable(map(blocks.above, rows_of_body)))
    called = {*blocks.by_part[PagePart.COMMENTS], *_boxes_of_microdata(blocks)}
    return list(blocks.outermost(sorted(called - around), lambda _: "comments"))


def _boxes_of_microdata(blocks: PageBlocks) -> list[int]:
    """Return the blocks that microdata call comments; none where they are most of the page: a thread."""
    rows = blocks.with_attribute("itemprop", _PROPERTY)
    return rows if 2 * sum(map(blocks.characters.__getitem__, rows)) < blocks.characters[0] else []


def _alike_in(blocks: PageBlocks, boxes: Sequence[int]) -> list[list[int]]:
    """Return the rows of one make that hold much of the text in some boxes: those of which there are most
    first, and those that hold least of them."""
    text = blocks.summed(blocks.plain)
    asking = (blocks.of[blocks.outline.parents[row]] for row in blocks.outline.rows(*_ASKING))
    around_forms = set(chain.from_iterable(map(blocks.above, asking)))
    inside = set(chain(boxes, *map(blocks.below, boxes))) - around_forms
    whole = sum(map(text.__getitem__, boxes))
    groups = []
    for rows in alike_texts(blocks, sorted(inside)):
        length = sum(map(text.__getitem__, rows))
        said = Counter(map(blocks.text, rows))
        # more than all there is: they stand in one another; of notices one is as the other
        if _LEAST_SHARE * whole <= length <= whole and len(said) >= min(2, len(rows)):
            groups.append((-len(rows), length, rows))
    return [rows for *_, rows in sorted(groups)]


def _items_around(blocks: PageBlocks, texts: Sequence[int], boxes: Sequence[int]) -> list[_Item]:
    """Return for each text the largest block around it that holds no other."""
    held = Counter(chain.from_iterable(map(blocks.above, texts)))
    lists = boxes if len(texts) == 1 else map(blocks.parents.__getitem__, boxes)
    held.update(2 * list(chain.from_iterable(map(blocks.above, lists))))
    chains = []
    for text in texts:
        around = takewhile(lambda row: held[row] == 1, sorted(blocks.above(text), reverse=True))
        chains.append([text, *around])
    nearest = min(map(len, chains))
    return [_Item(around[-1], _text_in(blocks, *around), around[nearest - 1]) for around in chains]


def _text_in(blocks: PageBlocks, text: int, *around: int) -> int:
    """Return the row of a text; of the outermost block around it where nothing stands beside it, since then
    name and time stand in it."""
    outermost = (text, *around)[-1]
    return text if blocks.characters[outermost] > blocks.characters[text] else outermost


def _comments_of(blocks: PageBlocks, items: Sequence[_Item], dates: _Dates) -> list[_Comment]:
    lines = [list(_lines_in(blocks, item)) for item in items]
    # what is longer is a post that others quote
    short = [{line.text for line in of_item if len(line.text) <= LONGEST_NAME} for of_item in lines]
    often = Counter(chain.from_iterable(short))
    labels = {text for text, number in often.items() if 2 * number > max(len(items), 2)}
    return [
        _comment(blocks, item, of_item, labels, dates) for item, of_item in zip(items, lines, strict=True)
    ]


def _lines_in(blocks: PageBlocks, item: _Item) -> Iterator[_Line]:
    """Yield what a reader sees in an item."""
    outline = blocks.outline
    strings, said = outline.strings_in(blocks.rows[item.row]), outline.strings_in(blocks.rows[item.text])
    said = said if item.text != item.row else range(strings.stop, strings.stop)
    for place in strings:
        if outline.lengths[place]:
            row = blocks.of[outline.owners[place]]
            yield _Line(squeeze(outline.strings[place]), row, place in said, place < said.start)


def _comment(
    blocks: PageBlocks,
    item: _Item,
    lines: Sequence[_Line],
    labels: Collection[str],
    dates: _Dates,
) -> _Comment:
    beside = [line for line in lines if not (line.is_said or line.text in labels)][:_LINES]
    times = [line for line in beside if len(line.text) <= _LONGEST_TIME and dates.read_shown(line.text)]
    shown = tuple(line.text for line in times)
    signs = _signs_of(blocks, item)
    _, sign = signs.author
    names = [line for line in beside if line not in times and _is_name(line, sign)]
    heads = {line.row for line in (*times[:1], *names[:1])}
    texts = (
        [item.text]
        if item.row != item.text
        else _texts_in(
            blocks, item.row, heads, labels, begin=item.row if sign else max(heads, default=item.row)
        )
    )
    return _Comment(
        item=blocks.elements[item.row],
        place=blocks.elements[item.place],
        texts=tuple(map(blocks.elements.__getitem__, texts)),
        buttons=tuple(_labelled_in(blocks, texts, labels)),
        author=next((line.text for line in names), sign),
        is_sure=sign is not None,
        when=first_read((*signs.times_in_order, *shown), dates.read),
        times=shown,
    )


def _labelled_in(blocks: PageBlocks, texts: Iterable[int], labels: Collection[str]) -> Iterator[Element]:
    """Yield the elements below texts that say nothing but a label."""
    for row in chain.from_iterable(map(blocks.below, texts)):
        if squeeze(blocks.text(row)) in labels:
            yield blocks.elements[row]


def _signs_of(blocks: PageBlocks, item: _Item) -> SignsOfPost:
    """Return what is said around a text, the nearest first; where it is the item, what is said in it."""
    signs, inner = SignsOfPost(), None
    rows = [row for row in sorted(blocks.above(item.text), reverse=True) if row >= item.row]
    for row in rows[min(1, len(rows) - 1) :]:
        signs.take_in(blocks.elements[row], inner)
        inner = blocks.elements[row]
    return signs


def _is_name(line: _Line, sign: str | None) -> bool:
    """Return True for a line of what a sign tells; where none does, for one before the text."""
    if sign is not None:
        return set(sign.split()).issuperset(line.text.split())
    return all_hold(_SIGNS_OF_NAME, line)


def _texts_in(
    blocks: PageBlocks, item: int, heads: Iterable[int], labels: Collection[str], begin: int
) -> list[int]:
    """Return the outermost blocks in an item behind a row, in which neither name nor time stands."""
    around = set(chain.from_iterable(map(blocks.above, heads)))

    def reason(row: int) -> str | None:
        # a link by itself is something to press, unless somebody gave it a paragraph
        has_text = blocks.tags[row] == "p" or any(blocks.plain[row : blocks.ends[row]])
        return "text" if has_text and squeeze(blocks.text(row)) not in labels else None

    return list(blocks.outermost(sorted(set(range(begin + 1, blocks.ends[item])) - around), reason))


# --- what comments are for the article ---


def with_signs_of_readers(
    read: ReadMetadata, posts: Sequence[Post], page: Page, container: Container
) -> ReadMetadata:
    """Return the metadata of an article without dates that are those of its comments, and with a flag where
    comments are seen and not read."""
    if all(post.kind != PostKind.COMMENTS for post in posts):
        unread = _Unread(first_value(read.metadata, "commentCount"), _called_comments(page, container))
        why = reason_by(_SIGNS_OF_UNREAD, unread)
        flags = (f"comments are not read: {why}",) if why is not None else ()
        return replace(read, flags=(*read.flags, *flags))
    if is_as_old_as_page(posts[0], read):
        return read
    times = set[object](
        chain.from_iterable(
            (when, str(posts[number].time)) for number, when in moments(posts, PostKind.COMMENTS)
        )
    )
    dates = read.metadata.get("datePublished", ())
    own = tuple(date for date in dates if times.isdisjoint((date.raw, read_iso(date.value, NO_ZONE)[1])))
    return replace(read, metadata=ordered_fields({**read.metadata, "datePublished": own}))


class _Unread(NamedTuple):
    """A page of which no comments were read."""

    number: str
    """How many its data count; empty where they say nothing."""
    called: Sequence[Element]
    """The elements that are called comments."""

    def are_counted(self) -> bool:
        return self.number not in ("", "0")

    def headline_with_count(self) -> str | None:
        """Return a headline in what is called comments that says how many there are."""
        headings = chain.from_iterable(box.iter(*HEADINGS) for box in self.called)
        shown = (label_of(heading, LONGEST_NAME) for heading in headings)
        return next((f"“{heading}” stands above them" for heading in shown if _COUNT.match(heading)), None)

    def may_be_some(self) -> bool:
        return self.number != "0"

    def have_one_place(self) -> bool:
        return len(self.called) == 1

    def may_hold_text(self) -> bool:
        return self.called[0].tag in TEXT_HOLDERS

    def hold_no_elements(self) -> bool:
        return len(self.called[0]) == 0

    def say_nothing(self) -> bool:
        return not element_text(self.called[0]).strip()


_SIGNS_OF_UNREAD: tuple[Sign[_Unread], ...] = (
    Sign(lambda unread: f"the page's data count {unread.number}", (_Unread.are_counted,)),
    Sign(_Unread.headline_with_count, ()),
    # an empty element, which only a script can fill
    Sign(
        lambda unread: f"{tag_of(unread.called[0]).text} waits for a script",
        (
            _Unread.have_one_place,
            _Unread.may_be_some,
            _Unread.may_hold_text,
            _Unread.hold_no_elements,
            _Unread.say_nothing,
        ),
    ),
)
"""Signs that a page without comments has some all the same."""
