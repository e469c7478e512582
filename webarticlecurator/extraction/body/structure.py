"""Structure repair: whatever blocks came to stand in one another on a page, what comes out fits the content model `HOLDS`.

Every rule keeps all text, in its order; docs/reference/body.md states them one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import groupby

from webarticlecurator.extraction.body.block_drafts import BlockDraft, block_of, blocks_in
from webarticlecurator.extraction.body.embedded_posts import told_by
from webarticlecurator.extraction.body.figures import CAPTIONED, SHOWN, figure_or_embed, gallery, only_pictures
from webarticlecurator.extraction.body.links import best_of
from webarticlecurator.extraction.body.media import network
from webarticlecurator.extraction.body.speakers import with_speaker
from webarticlecurator.model.article import HOLDS, STANDS_ALONE, Block, Content

_WRAPPED_ONCE = frozenset({"box", "quote", "lead", "note", "social", "quiz", "question", "answer"})
"""Blocks that mean no more when they stand in themselves."""


def fitted(draft: BlockDraft) -> list[Block]:
    """The block as the content model has it, with what it cannot hold before, between or after; nothing, if nothing is in it."""
    return _FITTERS[HOLDS[draft.type]](draft)


# --- blocks that hold blocks ---


def standing(blocks: Iterable[Block]) -> list[Block]:
    """Blocks as they may stand by themselves: stray items, cells and captions find what they belong to."""
    blocks = list(blocks)
    for block in blocks:
        if block.type in _HOMES:
            return _housed(blocks)
    return blocks


def _housed(blocks: list[Block]) -> list[Block]:
    found: list[Block] = []
    for kind, group in groupby(blocks, key=lambda block: _HOMES.get(block.type)):
        if kind is None:
            found.extend(group)
        elif kind == "caption":
            for caption in group:
                _attach(found, caption)
        elif kind == "paragraph":
            found.extend(replace(block, type="paragraph", attributes={}) for block in group)
        else:
            found.extend(fitted(BlockDraft(type=kind, children=list(group))))
    return _captions_before(found)


_HOMES = {
    "item": "list",
    "row": "table",
    "cell": "table",
    "caption": "caption",
    "table-heading": "paragraph",
    "time": "paragraph",
    "author": "paragraph",
}
"""What may not stand alone, and where it belongs."""
assert set(_HOMES) == set(HOLDS) - STANDS_ALONE
_CAPTIONED_TEXT = frozenset({"code", "list", "quote", "table"})
_UNSETTLED = frozenset((*_HOMES, "lead"))


def _attach(found: list[Block], caption: Block) -> None:
    """A caption belongs to what is shown before it."""
    if found and HOLDS[found[-1].type] in (Content.CAPTION, Content.FIGURES) and not _has_caption(found[-1]):
        found[-1] = replace(found[-1], children=(*found[-1].children, caption))
    else:
        found.append(caption)


def _captions_before(blocks: list[Block]) -> list[Block]:
    """Else to the picture after it; else to one that no reader can see, unless it stands behind a text that may have one, too."""
    found: list[Block] = []
    for block in blocks:
        if found and found[-1].type == "caption" and HOLDS[block.type] is Content.CAPTION and not block.children:
            found[-1] = replace(block, children=(found[-1],))
        else:
            found.append(block)
    return [_alone(block, before) if block.type == "caption" else block for before, block in zip([None, *found], found, strict=False)]


def _alone(caption: Block, before: Block | None) -> Block:
    if before is not None and before.type in _CAPTIONED_TEXT:
        return replace(caption, type="paragraph", attributes={})
    return Block(type="figure", children=(caption,))


def _has_caption(block: Block) -> bool:
    return any(isinstance(child, Block) and child.type == "caption" for child in block.children)


def _with_blocks(draft: BlockDraft) -> list[Block]:
    children, settled = draft.children, _are_settled(draft.children)
    if not settled:
        children = standing(children)
    if draft.type in _WRAPPED_ONCE and len(children) == 1 and children[0].type == draft.type:
        return children
    if draft.type != "lead" and not settled:
        children = without_leads(children)
    target = best_of((draft.target, draft.last_link)) if draft.type == "social" else None
    if not children and target is None and draft.type != "cell":
        return []
    if target is not None and "kind" not in draft.attributes and (name := network("", target.url)):
        draft.attributes["kind"] = name
    if draft.type == "quote":
        children = with_speaker(children)
    if draft.type == "social":
        draft.attributes |= told_by(children, target.url if target is not None else None)
    if not children and draft.type == "social":
        draft.type = "embed"
        draft.attributes = {"kind": "frame", **{name: value for name, value in draft.attributes.items() if name in SHOWN["embed"]}}
    return [block_of(draft, children, target)]


def _are_settled(blocks: list[Block]) -> bool:
    """Whether they may stand in a block as they are, which most do."""
    for block in blocks:  # noqa: SIM110 - a generator would cost more than all it asks
        if block.type in _UNSETTLED:
            return False
    return True


def without_leads(blocks: Iterable[Block]) -> list[Block]:
    """A lead stands at the start of an article: anywhere else its content stays, and it goes."""
    found: list[Block] = []
    for block in blocks:
        if block.type == "lead":
            found.extend(blocks_in(block))
        else:
            found.append(block)
    return found


# --- lists ---


def _list(draft: BlockDraft) -> list[Block]:
    """What stands between items belongs to the item before it if it is a list, else it is an item itself; notes need no list."""
    if draft.children and all(block.type == "note" for block in draft.children):
        return draft.children
    if pictures := only_pictures(draft.children):
        return standing(gallery(BlockDraft(type="gallery", children=pictures)))
    items: list[Block] = []
    for is_item, group in groupby(draft.children, key=lambda block: block.type == "item"):
        if is_item:
            items.extend(group)
            continue
        for is_list, blocks in groupby(standing(without_leads(group)), key=lambda block: block.type == "list"):
            if is_list and items:
                items[-1] = replace(items[-1], children=(*items[-1].children, *blocks))
            else:
                items.extend(Block(type="item", children=(block,)) for block in blocks)
    return [block_of(draft, items)] if items else []


# --- tables ---


def _row(draft: BlockDraft) -> list[Block]:
    cells: list[Block] = []
    for is_cell, group in groupby(draft.children, key=lambda block: block.type == "cell"):
        if is_cell:
            cells.extend(group)
        elif content := standing(group):
            cells.append(Block(type="cell", children=tuple(without_leads(content))))
    return [block_of(draft, cells)] if any(cell.children for cell in cells) else []


def _table(draft: BlockDraft) -> list[Block]:
    """A table has two cells side by side somewhere; one that has not is a box, one with a table in it is mere layout."""
    before: list[Block] = []
    heading: list[Block] = []
    rows: list[Block] = []
    for kind, group in groupby(draft.children, key=lambda block: block.type):
        if kind == "row":
            rows.extend(group)
        elif kind == "cell":
            rows.extend(_row(BlockDraft(type="row", children=list(group))))
        elif kind in ("table-heading", "caption") and not rows and not heading:
            first, *others = group
            heading = [replace(first, type="table-heading", attributes={})]
            rows.extend(_rows(others))
        elif rows or heading:
            rows.extend(_rows(group))
        else:
            before.extend(standing(group))
    if not rows:
        return [*before, *standing(heading)]
    if _is_layout(rows):
        content = [child for row in rows for cell in blocks_in(row) for child in blocks_in(cell)]
        return [*before, *standing(heading), *content]
    if max(len(row.children) for row in rows) == 1:
        return [*before, *_box(heading, rows)]
    if pictures := only_pictures([cell for row in rows for cell in blocks_in(row)]):
        return [*before, *standing(gallery(BlockDraft(type="gallery", children=[*pictures, *heading])))]
    return [*before, block_of(draft, (*heading, *rows))]


def _rows(blocks: Iterable[Block]) -> list[Block]:
    return _row(BlockDraft(type="row", children=list(blocks)))


def _box(heading: list[Block], rows: list[Block]) -> list[Block]:
    content = [child for row in rows for cell in blocks_in(row) for child in blocks_in(cell)]
    if not heading and all(block.type == "code" for block in content):
        return content
    pictures = [block for block in content if block.type in SHOWN]
    if len(pictures) == 1 and len(content) <= _MOST_CAPTION_LINES and all(HOLDS[block.type] in CAPTIONED for block in content):
        return figure_or_embed(BlockDraft(type="figure", children=[*heading, *content]))
    return fitted(BlockDraft(type="box", children=[*heading, *content]))


_MOST_CAPTION_LINES = 3
"""Blocks of a table that is only a frame for a picture."""


def _is_layout(rows: Iterable[Block]) -> bool:
    return any(child.type == "table" for row in rows for cell in blocks_in(row) for child in blocks_in(cell))


# --- the rest ---


def _inlines(draft: BlockDraft) -> list[Block]:
    return [block_of(draft, draft.children)] if draft.children else []


def _nothing(draft: BlockDraft) -> list[Block]:
    return [block_of(draft, ())]


_FITTERS: Mapping[Content, Callable[[BlockDraft], list[Block]]] = {
    Content.INLINES: _inlines,
    Content.BLOCKS: _with_blocks,
    Content.NOTHING: _nothing,
    Content.ITEMS: _list,
    Content.ROWS: _table,
    Content.CELLS: _row,
    Content.FIGURES: lambda draft: standing(gallery(draft)),
    Content.CAPTION: lambda draft: standing(figure_or_embed(draft)),
}


# --- the whole article ---


def opened(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The top of an article: one lead, before anything that is said; later ones are unwrapped."""
    found: list[Block] = []
    said = False
    for is_lead, group in groupby(standing(blocks), key=lambda block: block.type == "lead"):
        if not is_lead:
            found.extend(group)
            said = said or any(block.type not in _BEFORE_A_LEAD for block in found)
            continue
        children = without_leads(group)
        if said:
            found.extend(children)
        else:
            found.append(Block(type="lead", children=tuple(children)))
        said = True
    return tuple(found)


_BEFORE_A_LEAD = frozenset({"figure", "embed", "gallery", "heading", "subheading", "divider"})
