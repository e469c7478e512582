"""Structure repair: whatever blocks came to stand in one another on a page, what comes out fits the content
model `HOLDS`.

Every rule keeps all text, in its order; docs/reference/portal-file.md states the most frequent ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, takewhile
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.body.signs import all_hold
from webarticlecurator.extraction.body.targets import LinkTarget, best_of, embed_kind, network_at
from webarticlecurator.model.article import (
    HOLDS,
    STANDS_ALONE,
    Block,
    Content,
    ContentNode,
    Inline,
    blocks_in,
    plain_text,
)

_WRAPPED_ONCE = frozenset({"box", "quote", "lead", "note", "social", "quiz", "question", "answer"})
"""Blocks that mean no more when they stand in themselves."""
_SHOWN = {"figure": frozenset({"alt", "credit"}), "embed": frozenset({"kind", "title"})}
"""Kinds of blocks that show something, with the attributes that each may have."""


def _kinds_holding(*contents: Content) -> frozenset[str]:
    return frozenset(kind for kind, content in HOLDS.items() if content in contents)


_CAPTIONED = _kinds_holding(Content.INLINES, Content.CAPTION)
"""Blocks that may be in a cell around a picture: text, and other figures."""
_IN_FIGURES = _CAPTIONED - {"code"}
_LONGEST_CAPTION = 1_000
"""Characters of the paragraphs beside a picture."""


class BlockDraft(Struct, eq=False):
    """A block that is or was being filled."""

    type: str
    children: list[Block] = []
    target: LinkTarget | None = None
    """The address at which its content lies, by the element or a rule for it."""
    ruled: bool = False
    """The target is a rule's."""
    last_link: LinkTarget | None = None
    """The last link in it: embedded posts end with the link to themselves."""
    attributes: dict[str, str] = {}


def kinds_of(blocks: Iterable[Block]) -> set[str]:
    """Return the kinds of blocks that are among these."""
    return {block.type for block in blocks}


def _block_of(draft: BlockDraft, children: Iterable[ContentNode], target: LinkTarget | None = None) -> Block:
    """Return the block with these children, which fit."""
    url, original_url = target or (None, None)
    return Block(
        type=draft.type,
        children=tuple(children),
        url=url,
        original_url=original_url,
        attributes=draft.attributes,
    )


def _filled(draft: BlockDraft, children: Sequence[ContentNode]) -> list[Block]:
    """Return the block with these children; nothing, if there are none."""
    return [_block_of(draft, children)] if children else []


def fitted(draft: BlockDraft) -> list[Block]:
    """Return the block as the content model has it, with what it cannot hold before, between or after;
    nothing, if nothing is in it."""
    return _FITTERS[HOLDS[draft.type]](draft)


def standing(blocks: Iterable[Block]) -> list[Block]:
    """Blocks as they may stand by themselves: stray items, cells and captions find what they belong to."""
    blocks = list(blocks)
    if _HOMES.keys().isdisjoint([block.type for block in blocks]):
        return blocks
    housed: list[Block] = []
    for home, group in groupby(blocks, key=lambda block: _HOMES.get(block.type, _as_they_are)):
        home(housed, group)
    return _captions_before(housed)


def _as_they_are(housed: list[Block], blocks: Iterable[Block]) -> None:
    housed.extend(blocks)


def _as(blocks: Iterable[Block], kind: str) -> list[Block]:
    """Return the blocks with their content as blocks of another kind."""
    return [replace(block, type=kind, attributes={}) for block in blocks]


def _in_paragraphs(housed: list[Block], lines: Iterable[Block]) -> None:
    housed.extend(_as(lines, "paragraph"))


def _in_a_list(housed: list[Block], items: Iterable[Block]) -> None:
    housed.extend(fitted(BlockDraft(type="list", children=list(items))))


def _in_a_table(housed: list[Block], cells: Iterable[Block]) -> None:
    housed.extend(fitted(BlockDraft(type="table", children=list(cells))))


def _in_what_is_shown(housed: list[Block], captions: Iterable[Block]) -> None:
    """Add captions to what is shown before them, unless that has one."""
    for caption in captions:
        if housed and _lacks_caption(housed[-1]):
            housed[-1] = replace(housed[-1], children=(*housed[-1].children, caption))
        else:
            housed.append(caption)


def _lacks_caption(block: Block) -> bool:
    return HOLDS[block.type] in _WITH_CAPTIONS and "caption" not in kinds_of(blocks_in(block))


_HOMES: Mapping[str, Callable[[list[Block], Iterable[Block]], None]] = {
    "item": _in_a_list,
    "row": _in_a_table,
    "cell": _in_a_table,
    "caption": _in_what_is_shown,
    **dict.fromkeys(("table-heading", "time", "author"), _in_paragraphs),
}
"""Blocks that may not stand alone, and how they are added to those before them."""
assert set(_HOMES) == set(HOLDS) - STANDS_ALONE
_WITH_CAPTIONS = frozenset({Content.CAPTION, Content.FIGURES})
_WITH_TITLES = frozenset({"code", "list", "quote", "table"})
"""Texts that may have a caption, too."""


def _captions_before(blocks: list[Block]) -> list[Block]:
    """Add captions to the pictures after them; else to one that no reader can see, unless it stands behind a
    text that may have one, too."""
    captioned: list[Block] = []
    for block in blocks:
        if _is_bare_picture(block) and kinds_of(captioned[-1:]) == {"caption"}:
            captioned[-1] = replace(block, children=(captioned[-1],))
        else:
            captioned.append(block)
    before = ("", *(block.type for block in captioned))
    return [_at_home(kind, block) for kind, block in zip(before, captioned, strict=False)]


def _is_bare_picture(block: Block) -> bool:
    return HOLDS[block.type] is Content.CAPTION and not block.children


def _at_home(before: str, block: Block) -> Block:
    """Return what a caption becomes that found no picture, by the kind of the block before it; any other
    block stays."""
    if block.type != "caption":
        return block
    if before in _WITH_TITLES:
        return replace(block, type="paragraph", attributes={})
    return Block(type="figure", children=(block,))


_UNWRAPPED_IN: Mapping[str, tuple[str, ...]] = {"lead": ()}
"""Kinds of blocks that are unwrapped in a block; in most a lead is."""


def _with_blocks(draft: BlockDraft) -> list[Block]:
    children = standing(draft.children)
    if draft.type in _WRAPPED_ONCE and [block.type for block in children] == [draft.type]:
        return children
    children = unwrapped(children, *_UNWRAPPED_IN.get(draft.type, ("lead",)))
    return _FILLERS.get(draft.type, _filled)(draft, children)


def _cell(draft: BlockDraft, children: list[Block]) -> list[Block]:
    """Return a cell, which may be empty."""
    return [_block_of(draft, children)]


def _social(draft: BlockDraft, children: list[Block]) -> list[Block]:
    """Return a post of a network, by its words or at least by its address."""
    target = best_of((draft.target, draft.last_link))
    if target is None:
        return _filled(draft, children)
    name = network_at(target.url)
    if name:
        draft.attributes.setdefault("kind", name)
    if not children:
        draft.type = "embed"
        draft.attributes = {"kind": "frame", **_attributes_of("embed", draft.attributes)}
    return [_block_of(draft, children, target)]


_FILLERS: Mapping[str, Callable[[BlockDraft, list[Block]], list[Block]]] = {"social": _social, "cell": _cell}
"""Ways to fill blocks that hold blocks, but for those of which nothing is left when they are empty."""


def _attributes_of(kind: str, attributes: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes that what is shown may have."""
    return {name: value for name, value in attributes.items() if name in _SHOWN[kind]}


def unwrapped(blocks: Iterable[Block], *kinds: str) -> list[Block]:
    """Return the blocks, those of these kinds replaced by their content: a lead has its place only at the
    start of an article."""
    return [child for block in blocks for child in (blocks_in(block) if block.type in kinds else (block,))]


def _parted(blocks: Iterable[Block], kind: str) -> Iterator[tuple[bool, Iterator[Block]]]:
    """Yield neighbours that are of a kind, or are not, in turn."""
    return groupby(blocks, key=lambda block: block.type == kind)


def _arranged(
    blocks: Iterable[Block],
    kind: str,
    add_others: Callable[[list[Block], Iterable[Block]], None],
) -> list[Block]:
    """Return blocks of one kind, to which those between them are added in a way of their own."""
    arranged: list[Block] = []
    for is_of_kind, group in _parted(blocks, kind):
        add = list.extend if is_of_kind else add_others
        add(arranged, group)
    return arranged


def _list(draft: BlockDraft) -> list[Block]:
    """Return the list: what stands between items belongs to the item before it if it is a list, else it is an
    item itself; notes need no list."""
    if kinds_of(draft.children) == {"note"}:
        return draft.children
    pictures = _only_pictures(draft.children)
    if pictures:
        return standing(_gallery(BlockDraft(type="gallery", children=pictures)))
    return _filled(draft, _arranged(draft.children, "item", _add_between_items))


def _add_between_items(items: list[Block], others: Iterable[Block]) -> None:
    for is_list, group in _parted(standing(unwrapped(others, "lead")), "list"):
        if is_list and items:
            items[-1] = replace(items[-1], children=(*items[-1].children, *group))
        else:
            items.extend(Block(type="item", children=(block,)) for block in group)


def _row(draft: BlockDraft) -> list[Block]:
    cells = _arranged(draft.children, "cell", _add_between_cells)
    return [_block_of(draft, cells)] if any(cell.children for cell in cells) else []


def _add_between_cells(cells: list[Block], others: Iterable[Block]) -> None:
    content = unwrapped(standing(others), "lead")
    cells.extend(_filled(BlockDraft(type="cell"), content))


class _TableParts(NamedTuple):
    """The blocks in the element of a table."""

    before: list[Block]
    """Blocks that are no part of the table, and are left before it."""
    heading: list[Block]
    """At most one."""
    rows: list[Block]


def _parts_of_table(blocks: Sequence[Block]) -> _TableParts:
    before = list(takewhile(lambda block: block.type not in _OF_TABLES, blocks))
    inside = blocks[len(before) :]
    first = [block for block in inside[:1] if block.type in _TITLES_OF_TABLES]
    heading = _as(first, "table-heading")
    return _TableParts(standing(before), heading, _arranged(inside[len(heading) :], "row", _add_between_rows))


def _add_between_rows(rows: list[Block], others: Iterable[Block]) -> None:
    for _, group in groupby(others, key=lambda block: block.type):
        rows.extend(_row(BlockDraft(type="row", children=list(group))))


_TITLES_OF_TABLES = frozenset({"table-heading", "caption"})
_OF_TABLES = _TITLES_OF_TABLES | {"row", "cell"}


def _table(draft: BlockDraft) -> list[Block]:
    """Return the table, if it is one: it has two cells side by side somewhere; one that has not is a box, one
    with a table in it is mere layout."""
    before, heading, rows = _parts_of_table(draft.children)
    if not rows:
        return [*before, *standing(heading)]
    return [*before, *_laid_out(draft, heading, rows)]


def _laid_out(draft: BlockDraft, heading: list[Block], rows: list[Block]) -> list[Block]:
    """Return a table with rows by what its cells hold."""
    cells = unwrapped(rows, "row")
    content = unwrapped(cells, "cell")
    if "table" in kinds_of(content):
        return [*standing(heading), *content]
    if max(len(row.children) for row in rows) == 1:
        return _one_column(heading, content)
    if pictures := _only_pictures(cells):
        return standing(_gallery(BlockDraft(type="gallery", children=[*pictures, *heading])))
    return [_block_of(draft, (*heading, *rows))]


def _one_column(heading: list[Block], content: list[Block]) -> list[Block]:
    """Return what a table without two cells side by side is: code with its lines numbered, a picture with its
    caption, or a box."""
    kinds = kinds_of(content)
    if not heading and kinds <= {"code"}:
        return content
    is_framed = len(content) <= 3 and kinds <= _CAPTIONED
    if is_framed and len(_shown_among(content)) == 1:
        return _figure_or_embed(BlockDraft(type="figure", children=[*heading, *content]))
    return fitted(BlockDraft(type="box", children=[*heading, *content]))


def _shown_among(blocks: Iterable[Block]) -> list[Block]:
    return [block for block in blocks if block.type in _SHOWN]


def _figure_or_embed(draft: BlockDraft) -> list[Block]:
    """Return a figure or an embed: one thing shown, its caption around it; several are a gallery; with
    anything else it is unwrapped."""
    children = _with_titled_table(unwrapped(draft.children, "gallery"))
    things = first_of_each(_shown_among(children), _address_of)  # one may be there in two sizes
    target = _target_of(draft, things)
    kinds = kinds_of(children)
    if target is None and not things:
        return _titles_as_text(children) if "code" in kinds else children
    if not kinds <= _IN_FIGURES or _is_article(children):
        lifted = [] if things else [_block_of(draft, (), target)]
        return [*lifted, *children]
    if len(things) > 1:
        return _gallery(BlockDraft(type="gallery", children=children))
    return [_one_shown(draft, things, target, _joined(children))]


def _address_of(thing: Block) -> str | None:
    return thing.url or thing.original_url


def _is_article(blocks: Iterable[Block]) -> bool:
    """Return True for more text than any caption has: the frame stands around a whole article."""
    return sum(len(plain_text(block)) for block in blocks if block.type == "paragraph") > _LONGEST_CAPTION


def _titles_as_text(blocks: Iterable[Block]) -> list[Block]:
    """Return the blocks with captions as paragraphs: the title of a listing is no caption of a picture."""
    return [replace(block, type="paragraph") if block.type == "caption" else block for block in blocks]


def _with_titled_table(blocks: list[Block]) -> list[Block]:
    """Return what a figure around a table holds, with its caption as the title of the table."""
    tables = [block for block in blocks if block.type == "table"]
    captions = [block for block in blocks if block.type == "caption"]
    if len(tables) != 1 or len(captions) != 1 or "table-heading" in kinds_of(blocks_in(tables[0])):
        return blocks
    titled = replace(tables[0], children=(*_as(captions, "table-heading"), *tables[0].children))
    others = [block for block in blocks if block is not captions[0]]
    return [titled if block is tables[0] else block for block in others]


def _target_of(draft: BlockDraft, things: Sequence[Block]) -> LinkTarget | None:
    """Return where the content lies by the element, or by a rule for it; None where the things in it say
    that."""
    if not things:
        return best_of((draft.target, draft.last_link))
    is_player_with_its_still = draft.type == "embed" and kinds_of(things) == {"figure"}
    leads_on = draft.target is not None and bool(draft.target.url)
    return draft.target if leads_on and (draft.ruled or is_player_with_its_still) else None


def _one_shown(
    draft: BlockDraft,
    things: Sequence[Block],
    target: LinkTarget | None,
    caption: tuple[Block, ...],
) -> Block:
    """Return one figure or embed. An embed in a figure is an embed, one without an address the figure in
    it."""
    [thing] = things or [Block(type=draft.type)]
    is_embed = thing.type == "embed" or (draft.type == "embed" and target is not None)
    kind = "embed" if is_embed else "figure"
    url, original_url = target or (thing.url, thing.original_url)  # the rule's address before the element's
    attributes = {**thing.attributes, **draft.attributes}
    attributes.setdefault("kind", embed_kind(url))
    attributes = _attributes_of(kind, attributes)
    return Block(type=kind, children=caption, url=url, original_url=original_url, attributes=attributes)


def _joined(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return all text of a figure as its one caption; each block of it is a line."""
    content: list[ContentNode] = []
    for part in unwrapped(blocks, *_SHOWN):
        content.extend((Inline(type="line-break"), *part.children))
    return (Block(type="caption", children=tuple(content[1:])),) if content else ()


_IN_GALLERY = {
    **dict.fromkeys(_kinds_holding(Content.INLINES) - {"code"}, "text"),
    **dict.fromkeys(_SHOWN, "shown"),
}
"""The part that kinds of blocks have in a gallery."""


def _gallery(draft: BlockDraft) -> list[Block]:
    """Return a gallery: text after a picture is its caption; after the last of many that have none, or have
    their own, the gallery's.

    Text before them stands before.
    """
    finished: list[Block] = []
    things: list[Block] = []
    parts = groupby(
        unwrapped(draft.children, "gallery"),
        key=lambda block: _IN_GALLERY.get(block.type, "other"),
    )
    groups = [(kind, list(group)) for kind, group in parts]
    side_by_side = [kind for kind, _ in groups].count("shown") == 1
    for kind, group in groups:
        if kind == "shown":
            things.extend(group)
        elif kind == "text" and things:
            things = _with_caption(draft, things, group, side_by_side=side_by_side)
        else:
            finished.extend((*_closed(draft, things), *group))
            things = []
    return [*finished, *_closed(draft, things)]


def _with_caption(
    draft: BlockDraft,
    things: list[Block],
    texts: list[Block],
    *,
    side_by_side: bool,
) -> list[Block]:
    """Text behind pictures is the gallery's where they stand side by side and one has a caption; else it is
    that of the last."""
    if side_by_side and len(things) > 1 and any(thing.children for thing in things):
        return [_block_of(draft, (*things, *_joined(texts)))]
    *others, last = things
    return [*others, replace(last, children=_joined([last, *texts]))]


def _closed(draft: BlockDraft, things: list[Block]) -> list[Block]:
    """Return the finished gallery: that of one picture is that picture; the only caption, at the last one, is
    the gallery's."""
    if len(things) < 2:
        return things
    *others, last = things
    if last.children and not any(thing.children for thing in others):
        things = [*others, replace(last, children=()), *blocks_in(last)]
    return [_block_of(draft, things)]


_FRAMES = frozenset({"item", "cell", "caption"})


def _only_pictures(frames: Sequence[Block]) -> list[Block]:
    """Return what items or cells show, with captions, if that is all they hold; with text beside it a picture
    is the mark of an item."""
    inside = [unwrapped(unwrapped((frame,), "item", "cell"), "gallery") for frame in frames]
    framed = list(map(_PictureFrame, frames, inside))
    are_pictures = all(all_hold(_SIGNS_OF_PICTURE_FRAME, frame) for frame in framed)
    return list(chain.from_iterable(inside)) if are_pictures else []


class _PictureFrame(NamedTuple):
    """An item or a cell that may hold pictures alone."""

    block: Block
    inside: list[Block]

    def is_frame(self) -> bool:
        return self.block.type in _FRAMES

    def holds_something(self) -> bool:
        return bool(self.inside)

    def holds_pictures_alone(self) -> bool:
        return kinds_of(self.inside) <= {*_SHOWN, "caption"}


_SIGNS_OF_PICTURE_FRAME = (
    _PictureFrame.is_frame,
    _PictureFrame.holds_something,
    _PictureFrame.holds_pictures_alone,
)


_FITTERS: Mapping[Content, Callable[[BlockDraft], list[Block]]] = {
    Content.INLINES: lambda draft: _filled(draft, draft.children),
    Content.BLOCKS: _with_blocks,
    Content.NOTHING: lambda draft: [_block_of(draft, ())],
    Content.ITEMS: _list,
    Content.ROWS: _table,
    Content.CELLS: _row,
    Content.FIGURES: lambda draft: standing(_gallery(draft)),
    Content.CAPTION: lambda draft: standing(_figure_or_embed(draft)),
}
_ABOVE_LEADS = frozenset({"figure", "embed", "gallery", "heading", "subheading", "divider"})
"""Blocks that say nothing of the article's text."""


def opened(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return the top of an article: one lead, before anything that is said; later ones are unwrapped."""
    top: list[Block] = []
    for is_lead, group in _parted(standing(blocks), "lead"):
        children = unwrapped(group, "lead")
        is_first = is_lead and kinds_of(top) <= _ABOVE_LEADS
        top.extend((Block(type="lead", children=tuple(children)),) if is_first else children)
    return tuple(top)
