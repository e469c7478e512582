"""Comments below an article that no rule describes: texts of one make among what is called comments, each with
the name of whoever wrote it, and a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, takewhile
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.dates import Clock, instant, read_visible
from webarticlecurator.extraction.alike import by_make, held_in
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import unwrapped
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.forum_posts import id_of
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.opening_posts import OF_PAGE, first_read
from webarticlecurator.extraction.page_context import PageContext
from webarticlecurator.extraction.repeated_posts import TEXT_HOLDERS, make_of_text
from webarticlecurator.extraction.signs_of_posts import LONGEST_NAME, LONGEST_TIME, SignsOfPost
from webarticlecurator.extraction.threads import (
    MAX_POSTS,
    PagePosts,
    moments,
    ordered_fields,
    with_answers,
    with_sources,
)
from webarticlecurator.labelling.comment_boxes import called_comments
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.model.article import Block, Post, first_value
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.text import HEADINGS, short_text, squeeze

_MOST_GROUPS = 8
"""Groups of elements that are looked at of a page."""
_LEAST_SHARE = 0.25
"""The share of the text in what is called comments that comments have."""
_ASKING = ("form", "input", "select", "textarea")
"""Elements by which a reader is asked to write."""
_OF_LISTS = (*_ASKING, *HEADINGS)
"""Elements that stand beside comments rather than in one."""
_LINES = 16
"""Lines of a comment in which its name and its time are looked for."""
_COUNT = linear_at(r"\(?[1-9][\d.,]{0,6}\)?\s|.*[\s:(][1-9][\d.,]{0,6}\)?$")
"""A headline that begins or ends with a number."""
_PROPERTY = "comment"
"""What microdata call a comment."""
_NOT_SAID = "posts.comments: not its text"


class _Line(NamedTuple):
    """A string of a comment that readers see, and that is not known to be of its text."""

    text: str
    row: int
    """The block that it stands in."""
    is_before: bool
    """True unless it stands behind the text."""


@dataclass(frozen=True, slots=True)
class _Comment:
    """One comment, as elements of the page."""

    item: Element
    """The largest element that holds no other comment."""
    texts: tuple[Element, ...]
    author: str | None
    is_signed: bool
    """True if data, a class or a link say that it is the author."""
    when: str | None
    times: tuple[str, ...]
    """Times as readers see them."""


class _Found(NamedTuple):
    """Elements of one make that may be comments, or the texts of comments."""

    blocks: PageBlocks
    rows: Sequence[int]
    boxes: Sequence[int]
    """The outermost blocks that are called comments."""

    @property
    def elements(self) -> list[Element]:
        return [self.blocks.elements[row] for row in self.rows]


def read_comments(context: PageContext, container: Container, lookup: Lookup, taken: Iterable[Element]) -> PagePosts:
    """Return the comments of a page, with whom they answer; none around what is `taken` for other posts.
    Raises PatternTimeout."""
    found = PagePosts()
    blocks = _blocks_with_comments(context.page, container)
    if blocks is None:
        return found
    clock = Clock(context.portal.timezone, context.language, context.page.date, context.page.is_dated)
    comments = [comment for comment in find_comments(blocks, (*container.elements, *taken), clock) if comment.texts]
    buttons = dict.fromkeys(_repeated_in(blocks, comments), _NOT_SAID)
    around = RewriteContext(
        base=context.page.base,
        encoding=context.page.encoding,
        without=buttons,
        outside=_NOT_SAID,
        budget=context.page.budget,
    )
    ids = [id_of(comment.texts[0], [comment.item], 1) for comment in comments]
    read: list[tuple[Element, Post, int | None]] = []
    for comment, id in zip(comments, ids, strict=True):
        written, account = rewrite((comment.item,), lookup, replace(around, within=frozenset(comment.texts)))
        found.elsewhere[comment.item] = account
        found.unknown_tags.extend(account.unknown_tags())
        if written:
            said = with_sources(unwrapped(written, "lead"))
            read.append((comment.item, _post(comment, id if ids.count(id) == 1 else None, said), None))
    found.posts = with_answers(read)
    return found


def with_signs_of_readers(read: ReadMetadata, posts: Sequence[Post], page: Page) -> ReadMetadata:
    """Return the metadata of an article without dates that are those of its comments, and with a flag where
    comments are seen and not read."""
    comments = [post for post in posts if post.kind == PostKind.COMMENTS]
    reasons = () if comments else (reason(page, read.metadata) for reason in _SIGNS_OF_UNREAD)
    for reason in list(filter(None, reasons))[:1]:
        return replace(read, flags=(*read.flags, f"comments are not read: {reason}"))
    times = {when for _, when in moments(comments, PostKind.COMMENTS)}
    dates = read.metadata.get("datePublished", ())
    own = tuple(date for date in dates if not (date.source.startswith(OF_PAGE) and instant(date.value) in times))
    metadata = ordered_fields({**read.metadata, "datePublished": own}) if own != dates else read.metadata
    return replace(read, metadata=metadata)


def _counted_in_data(_page: Page, metadata: Metadata) -> str | None:
    number = first_value(metadata, "commentCount")
    return f"the page's data count {number}" if number not in ("", "0") else None


def _counted_above(page: Page, _metadata: Metadata) -> str | None:
    """Return a headline in what is called comments that says how many there are."""
    headings = chain.from_iterable(box.iter(*HEADINGS) for box in called_comments(page.outline))
    shown = filter(None, (short_text(heading, LONGEST_NAME) for heading in headings))
    counted = (heading for heading in shown if _COUNT.match(heading))
    return next((f"“{heading}” stands above them" for heading in counted), None)


def _awaited(page: Page, metadata: Metadata) -> str | None:
    """Return an empty element for comments that only a script can fill: the page has no form to write one."""
    called = [box for box in called_comments(page.outline) if box.tag in TEXT_HOLDERS]
    asking = chain.from_iterable(box.iter("textarea") for box in called)
    if first_value(metadata, "commentCount") == "0" or next(asking, None) is not None:
        return None
    empty = (box for box in called if len(box) == 0 and not (box.text or "").strip())
    return next((f"{tag_of(box).text} waits for a script" for box in empty), None)


_SIGNS_OF_UNREAD = (_counted_in_data, _counted_above, _awaited)
"""Questions of a page without comments, whose answers tell where some are seen."""


def _post(comment: _Comment, id: str | None, said: tuple[Block, ...]) -> Post:
    return Post(
        kind=PostKind.COMMENTS.value,
        id=id,
        when=comment.when,
        time=next(iter(comment.times), None),
        author=comment.author,
        blocks=said,
    )


def _blocks_with_comments(page: Page, container: Container) -> PageBlocks | None:
    """Return the blocks of a page, if any of them is called comments."""
    judged = container.judged
    is_called = judged.blocks.by_part[PagePart.COMMENTS] if judged is not None else called_comments(page.outline)
    if not is_called and _PROPERTY not in page.outline.attribute("itemprop"):
        return None
    return judged.blocks if judged is not None else PageBlocks(page.outline)


def find_comments(blocks: PageBlocks, body: Sequence[Element], clock: Clock) -> Sequence[_Comment]:
    """Return the comments among what is called so: elements of one make, most of them signed, that are texts
    with a name beside them, or comments with a name in them."""
    boxes = _boxes(blocks, body)
    for rows in _alike_in(blocks, boxes)[:_MOST_GROUPS]:
        found = _Found(blocks, rows, boxes)
        if _in_most([[blocks.text(row)] for row in rows]):  # a form, or a notice, that stands in each
            continue
        for items in (_items_around(found), found.elements):
            comments = _comments_of(found, items, clock)
            if _are_signed(comments):
                return comments
    return ()


def _are_signed(comments: Sequence[_Comment]) -> bool:
    """Return True if most have a name and a time, or one that is surely a name, and not all of them the
    same."""
    signs = [(comment.author, comment.when, comment.times) for comment in comments if comment.texts]
    if len(comments) == 1:  # of several times one is that of another comment, or of an article
        return any(author and when and len(set(times)) < 2 for author, when, times in signs)
    signed = [sign for sign in signs if sign[0] and sign[1:] != (None, ())]
    are_sure = 2 * sum(comment.is_signed for comment in comments) > len(comments)
    signed = signs if are_sure else signed
    return 2 * len(signed) > len(comments) and len(set(signed)) > 1


def _boxes(blocks: PageBlocks, body: Iterable[Element]) -> list[int]:
    """Return the outermost blocks that are called comments, but for those around the text of the article."""
    outline = blocks.outline
    rows = [blocks.of[outline.row_of[element]] for element in body if element in outline.row_of]
    around = set(chain.from_iterable(map(blocks.above, rows)))
    properties = map(outline.attribute("itemprop").__getitem__, blocks.rows)
    marked = (row for row, name in enumerate(properties) if name == _PROPERTY)
    named = (row for row in sorted({*blocks.by_part[PagePart.COMMENTS], *marked}) if row not in around)
    return list(blocks.outermost(named, lambda _: "comments"))


def _alike_in(blocks: PageBlocks, boxes: Sequence[int]) -> list[list[int]]:
    """Return the rows of one make that hold much of the text in some boxes: those of which there are most
    first, and those that hold least of them."""
    text = blocks.summed(blocks.plain)
    inside = sorted(chain(boxes, *map(blocks.below, boxes)))
    holders = (row for row in inside if blocks.tags[row] in TEXT_HOLDERS and text[row])
    marked = (row for row in holders if blocks.elements[row].attrib)
    whole = sum(map(text.__getitem__, boxes))
    groups = []
    for rows in by_make(marked, lambda row: make_of_text(blocks.elements[row])).values():
        length = sum(map(text.__getitem__, rows))  # more than all there is: they stand in one another
        if _LEAST_SHARE * whole <= length <= whole and len(rows) <= MAX_POSTS:
            groups.append((-len(rows), length, rows))
    return [rows for *_, rows in sorted(groups)]


def _items_around(found: _Found) -> list[Element]:
    """Return for each of the elements one around it that holds no other: of answers in what they answer, as
    near as that of the nearest."""
    blocks, texts = found.blocks, found.elements
    held = held_in(texts)
    beyond = {blocks.elements[row] for box in found.boxes for row in blocks.above(blocks.parents[box])}
    boxes = (blocks.elements[box] for box in found.boxes)
    beyond.update(box for box in boxes if next(box.iter(*_OF_LISTS), None) is not None)
    chains = []
    for text in texts:
        around = takewhile(lambda above: held[above] == 1 and above not in beyond, text.iterancestors())
        chains.append([text, *around])
    nearest = min(map(len, chains))
    return [chain[-1] if nearest == 1 else chain[nearest - 1] for chain in chains]


def _comments_of(found: _Found, items: Sequence[Element], clock: Clock) -> list[_Comment]:
    """Return the comments with these elements as their texts, or, where they are the items, with texts in them."""
    texts = found.elements
    if len(texts) == 1 and next(texts[0].iter(*_ASKING), None) is not None:
        return []
    lines = [list(_lines_in(found.blocks, item, text)) for item, text in zip(items, texts, strict=True)]
    labels = _in_most([{line.text for line in of_item} for of_item in lines])
    comments = []
    for text, item, of_item in zip(texts, items, lines, strict=True):
        comments.append(_comment(found.blocks, text, item, of_item, labels, clock))
    return _with_bare_names(comments)


def _in_most(texts: Sequence[Collection[str]]) -> set[str]:
    """Return what more than half of several comments say: labels and buttons."""
    often = Counter(chain.from_iterable(map(set, texts)))
    return {text for text, number in often.items() if 2 * number > max(len(texts), 2)}


def _lines_in(blocks: PageBlocks, item: Element, text: Element) -> Iterator[_Line]:
    """Yield what a reader sees in an item, but for the text of the comment where that is an element in it."""
    outline = blocks.outline
    strings = outline.strings_in(outline.row_of[item])
    of_text = outline.strings_in(outline.row_of[text]) if text is not item else strings[len(strings) :]
    for place in strings:
        if outline.lengths[place] and place not in of_text:
            row = blocks.of[outline.owners[place]]
            yield _Line(squeeze(outline.strings[place]), row, place < of_text.start)


def _comment(
    blocks: PageBlocks,
    text: Element,
    item: Element,
    lines: Sequence[_Line],
    labels: Collection[str],
    clock: Clock,
) -> _Comment:
    signs = _signs_of(text, item)
    near = [line for line in lines[:_LINES] if len(line.text) <= LONGEST_TIME]
    # an age is a time, be it that nobody knows from when it counts
    as_of_capture = partial(read_visible, clock=replace(clock, is_capture_known=True))
    times = [line for line in near if as_of_capture(line.text) is not None]
    shown = tuple(line.text for line in times)
    _, sign = signs.author
    names = _names_in([line for line in near if line not in times and line.text not in labels], sign)
    heads = {line.row for line in (*times[:1], *names[:1])}
    return _Comment(
        item=item,
        texts=(text,) if item is not text else _texts_in(blocks, item, heads, labels),
        author=names[0].text if names else sign,
        is_signed=sign is not None,
        when=first_read((*signs.times_in_order, *shown), partial(read_visible, clock=clock)),
        times=shown,
    )


def _signs_of(text: Element, item: Element) -> SignsOfPost:
    """Return what is said around a text, the nearest first; where it is the item, what is said in it."""
    signs = SignsOfPost()
    if text is item:
        signs.take_in(item)
        return signs
    inner = text
    for around in (*takewhile(lambda above: above is not item, text.iterancestors()), item):
        signs.take_in(around, inner)
        inner = around
    return signs


def _names_in(lines: Iterable[_Line], sign: str | None) -> list[_Line]:
    """Return the lines that may be the name: those of what a sign tells, else those before the text."""
    telling = [line for line in lines if len(line.text) <= LONGEST_NAME and any(map(str.isalpha, line.text))]
    if sign is None:
        return [line for line in telling if line.is_before]
    words = set(sign.split())
    return [line for line in telling if words.issuperset(line.text.split())]


def _with_bare_names(comments: Sequence[_Comment]) -> list[_Comment]:
    """Return the comments, their names without the first and the last word that different names have in
    common."""
    names = {tuple(comment.author.split()) for comment in comments if comment.author}
    if len(names) <= 2 or min(map(len, names)) < 2:
        return list(comments)
    firsts, lasts = {name[0] for name in names}, {name[-1] for name in names}
    begin, end = int(len(firsts) == 1), int(len(lasts) == 1)
    bare = []
    for comment in comments:
        words = (comment.author or "").split()
        name = " ".join(words[begin : len(words) - end]) if len(words) > begin + end else comment.author
        bare.append(replace(comment, author=name))
    return bare


def _texts_in(blocks: PageBlocks, item: Element, heads: Collection[int], labels: Collection[str]) -> tuple[Element, ...]:
    """Return the outermost blocks in an item in which neither name nor time stands."""

    def reason(row: int) -> str | None:
        is_text = row not in around and any(blocks.plain[row : blocks.ends[row]])
        return "text" if is_text and squeeze(blocks.text(row)) not in labels else None

    around = set(chain.from_iterable(map(blocks.above, heads)))
    inside = blocks.below(blocks.of[blocks.outline.row_of[item]])
    return tuple(blocks.elements[row] for row in blocks.outermost(inside, reason))


def _repeated_in(blocks: PageBlocks, comments: Iterable[_Comment]) -> Iterator[Element]:
    """Yield the blocks in texts of comments that say what most others say, too: buttons."""
    inner = []
    for comment in comments:
        rows = [blocks.of[blocks.outline.row_of[text]] for text in comment.texts]
        below = chain.from_iterable(map(blocks.below, rows))
        inner.append({blocks.elements[row]: squeeze(blocks.text(row)) for row in below})
    buttons = _in_most([set(texts.values()) for texts in inner])
    for element, text in chain.from_iterable(map(dict.items, inner)):
        if text in buttons:
            yield element
