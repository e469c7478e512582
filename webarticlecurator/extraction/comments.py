"""Comments below an article that no rule describes: texts of one make among what is called comments, each with
the name of whoever wrote it, and a time."""

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
from webarticlecurator.extraction.alike import by_make
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import unwrapped
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.forum_posts import id_of
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.metadata.dates import read_iso
from webarticlecurator.extraction.opening_posts import OF_PAGE, first_read
from webarticlecurator.extraction.page_context import PageContext
from webarticlecurator.extraction.repeated_posts import TEXT_HOLDERS, make_of_text
from webarticlecurator.extraction.signs_of_posts import LONGEST_NAME, SignsOfPost
from webarticlecurator.extraction.threads import PagePosts, moments, ordered_fields, with_answers, with_sources
from webarticlecurator.labelling.comment_boxes import called_comments
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.model.article import Post, first_value
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.text import HEADINGS, element_text, letters_of, short_text, squeeze

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
"""What microdata call a comment."""
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
        return bool(self.texts and self.author and (self.is_sure or self.when or self.times))

    @property
    def is_signed_alone(self) -> bool:
        """Return True if a name and one time stand beside it: of several, others are those of other texts."""
        fewest = 0 if self.is_sure else 1  # a day in a text is no sign that somebody wrote it then
        return self.is_signed and self.when is not None and fewest <= len(self.times) < 2


def read_comments(context: PageContext, container: Container, lookup: Lookup, taken: Iterable[Element]) -> PagePosts:
    """Return the comments of a page, with whom they answer; none around what is `taken` for other posts.
    Raises PatternTimeout."""
    found = PagePosts()
    blocks = _blocks_with_comments(context.page, container)
    if blocks is None:
        return found
    clock = Clock(context.portal.timezone, context.language, context.page.date, context.page.is_dated)
    comments = [comment for comment in find_comments(blocks, (*container.elements, *taken), clock) if comment.texts]
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
    return [blocks.elements[row] for row in blocks.by_part[PagePart.COMMENTS] if blocks.roles[row].certain]


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
    dates = _Dates(read, read if clock.is_capture_known else cache(partial(read_visible, clock=replace(clock, is_capture_known=True))))
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
    around = {above for element in body for above in (element, *element.iterancestors())}
    called = {*blocks.by_part[PagePart.COMMENTS], *_boxes_of_microdata(blocks)}
    rows = (row for row in sorted(called) if blocks.elements[row] not in around)
    return list(blocks.outermost(rows, lambda _: "comments"))


def _boxes_of_microdata(blocks: PageBlocks) -> list[int]:
    """Return the blocks that microdata call comments; none where they are most of the page: a thread."""
    properties = blocks.outline.attribute("itemprop")
    rows = [number for number, row in enumerate(blocks.rows) if properties[row] == _PROPERTY]
    return rows if 2 * sum(map(blocks.characters.__getitem__, rows)) < blocks.characters[0] else []


def _alike_in(blocks: PageBlocks, boxes: Sequence[int]) -> list[list[int]]:
    """Return the rows of one make that hold much of the text in some boxes: those of which there are most
    first, and those that hold least of them."""
    text = blocks.summed(blocks.plain)
    inside = sorted(chain(boxes, *map(blocks.below, boxes)))
    asking = (blocks.of[blocks.outline.parents[row]] for row in blocks.outline.rows(*_ASKING))
    around_forms = set(chain.from_iterable(map(blocks.above, asking)))
    marked = (row for row in inside if row not in around_forms and blocks.elements[row].attrib)
    holders = (row for row in marked if blocks.tags[row] in TEXT_HOLDERS)
    whole = sum(map(text.__getitem__, boxes))
    groups = []
    for rows in by_make(holders, lambda row: make_of_text(blocks.elements[row])).values():
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
    often = Counter(chain.from_iterable({line.text for line in of_item} for of_item in lines))
    labels = {text for text, number in often.items() if 2 * number > max(len(items), 2)}
    return [_comment(blocks, item, of_item, labels, dates) for item, of_item in zip(items, lines, strict=True)]


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
        else _texts_in(blocks, item.row, heads, labels, begin=item.row if sign else max(heads, default=item.row))
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
    is_word = not line.text.isdigit() and 0 < len(letters_of(line.text)) <= LONGEST_NAME
    return line.is_before and is_word


def _texts_in(blocks: PageBlocks, item: int, heads: Iterable[int], labels: Collection[str], begin: int) -> list[int]:
    """Return the outermost blocks in an item behind a row, in which neither name nor time stands."""
    around = set(chain.from_iterable(map(blocks.above, heads)))

    def reason(row: int) -> str | None:
        if row in around or squeeze(blocks.text(row)) in labels:
            return None
        # a link by itself is something to press, unless somebody gave it a paragraph
        return "text" if blocks.tags[row] == "p" or any(blocks.plain[row : blocks.ends[row]]) else None

    return list(blocks.outermost(range(begin + 1, blocks.ends[item]), reason))


# --- what comments are for the article ---


def with_signs_of_readers(read: ReadMetadata, posts: Sequence[Post], page: Page, container: Container) -> ReadMetadata:
    """Return the metadata of an article without dates that are those of its comments, and with a flag where
    comments are seen and not read."""
    if all(post.kind != PostKind.COMMENTS for post in posts):
        number, called = first_value(read.metadata, "commentCount"), _called_comments(page, container)
        reasons = filter(None, (reason(number, called) for reason in _SIGNS_OF_UNREAD))
        flags = (f"comments are not read: {reason}" for reason in reasons)
        return replace(read, flags=(*read.flags, *list(flags)[:1]))
    of_comments = moments(posts, PostKind.COMMENTS)
    times = {when for _, when in of_comments}
    shown = {posts[number].time for number, _ in of_comments}
    dates = read.metadata.get("datePublished", ())

    def is_of_comment(date: Found) -> bool:
        is_same = date.raw in shown or read_iso(date.value, NO_ZONE)[1] in times
        return is_same and date.source.startswith(OF_PAGE)

    own = tuple(date for date in dates if not is_of_comment(date))
    return replace(read, metadata=ordered_fields({**read.metadata, "datePublished": own}))


def _counted_in_data(number: str, _called: Sequence[Element]) -> str | None:
    return f"the page's data count {number}" if number not in ("", "0") else None


def _counted_above(_number: str, called: Sequence[Element]) -> str | None:
    """Return a headline in what is called comments that says how many there are."""
    headings = chain.from_iterable(box.iter(*HEADINGS) for box in called)
    shown = (short_text(heading, LONGEST_NAME) or "" for heading in headings)
    return next((f"“{heading}” stands above them" for heading in shown if _COUNT.match(heading)), None)


def _awaited(number: str, called: Sequence[Element]) -> str | None:
    """Return the element for comments, if there is one, and it is empty: only a script can fill it."""
    if len(called) != 1 or number == "0":
        return None
    is_holder = called[0].tag in TEXT_HOLDERS and len(called[0]) == 0
    return f"{tag_of(called[0]).text} waits for a script" if is_holder and not element_text(called[0]).strip() else None


_SIGNS_OF_UNREAD = (_counted_in_data, _counted_above, _awaited)
"""Questions of a page without comments, whose answers tell where some are seen; each is asked with how many its
data count, and with what is called so."""
