"""What is shown: figures, players and galleries with their captions, made to fit the content model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from webarticlecurator.extraction.body.block_drafts import BlockDraft, block_of, blocks_in
from webarticlecurator.extraction.body.links import LinkTarget, best_of
from webarticlecurator.extraction.body.media import embed_kind
from webarticlecurator.extraction.body.speakers import quote_with_caption
from webarticlecurator.model.article import HOLDS, Block, Content, ContentNode, Inline

SHOWN = {"figure": frozenset({"alt", "credit"}), "embed": frozenset({"kind", "title"})}
"""What is shown, with the attributes that it may have."""
CAPTIONED = frozenset({Content.INLINES, Content.CAPTION})
"""Content of the blocks that may be in a figure: text, and other figures."""
_IN_FRAME = frozenset({*SHOWN, "paragraph", "caption"})
_LINE_BREAK = Inline(type="line-break")


def figure_or_embed(draft: BlockDraft) -> list[Block]:
    """A figure or an embed: one thing shown, its caption around it; several are a gallery; with anything else it is unwrapped."""
    children = _flat_galleries(_out_of_frame(draft.children))
    things = _distinct([block for block in children if block.type in SHOWN])
    is_player = draft.type == "embed" and all(thing.type == "figure" for thing in things)  # with its still
    own = draft.target if draft.target and (not things or (draft.target.url and (draft.ruled or is_player))) else None
    if not things and draft.type == "embed":
        own = best_of((own, draft.last_link))
    if not own and (framed := quote_with_caption(children) or _table_with_caption(children)):
        return [framed]
    if not own and not things and any(block.type == "code" for block in children):
        return [replace(block, type="paragraph") if block.type == "caption" else block for block in children]  # the title of a listing
    if any(HOLDS[block.type] not in CAPTIONED or block.type == "code" for block in children) or not (own or things):
        lifted = [block_of(draft, (), own)] if own and not things else []
        return [*lifted, *children]
    if len(things) > 1:
        return gallery(BlockDraft(type="gallery", children=children))
    thing = things[0] if things else None
    return [_one_shown(draft, thing, own, _joined(children))]


def _out_of_frame(blocks: Sequence[Block]) -> Sequence[Block]:
    """A table may be a frame for a picture, as wikis write them: its heading is the caption, and what is in its cells is in the figure."""
    rows = [row for row in blocks if row.type == "row"]
    inside = [block for row in rows for cell in blocks_in(row) for block in blocks_in(cell)]
    if not any(block.type in SHOWN for block in inside) or any(block.type not in _IN_FRAME for block in inside):
        return blocks
    captions = [replace(block, type="caption") if block.type == "table-heading" else block for block in blocks if block.type != "row"]
    return [*inside, *captions]


def _table_with_caption(blocks: Sequence[Block]) -> Block | None:
    """A figure may be a frame for a table: its caption is the table's heading. None for any other figure."""
    tables, captions = ([block for block in blocks if (block.type == "caption") is told] for told in (False, True))
    if len(tables) != 1 or not captions or tables[0] not in (blocks[0], blocks[-1]) or not _is_bare_table(tables[0]):
        return None
    heading = [replace(caption, type="table-heading") for caption in _joined(captions)]
    rows = tables[0].children
    return replace(tables[0], children=(*rows, *heading) if tables[0] is blocks[0] else (*heading, *rows))


def _is_bare_table(block: Block) -> bool:
    return block.type == "table" and all(row.type == "row" for row in blocks_in(block))


def _one_shown(draft: BlockDraft, thing: Block | None, own: LinkTarget | None, caption: tuple[Block, ...]) -> Block:
    """The rule's address before the element's; an embed in a figure is an embed, one without an address the figure in it."""
    is_player = (draft.type == "embed" and own is not None) or (thing is not None and thing.type == "embed")
    kind = "embed" if is_player else "figure"
    url = own.url if own else thing.url if thing else None
    attributes = {**(thing.attributes if thing else {}), **draft.attributes}
    if kind == "embed":
        attributes.setdefault("kind", embed_kind(url))
    return Block(
        type=kind,
        children=caption,
        url=url,
        original_url=own.original if own else thing.original_url if thing else None,
        attributes={name: value for name, value in attributes.items() if name in SHOWN[kind]},
    )


def _flat_galleries(blocks: Iterable[Block]) -> list[Block]:
    return [child for block in blocks for child in (blocks_in(block) if block.type == "gallery" else (block,))]


def _distinct(things: list[Block]) -> list[Block]:
    """One picture in two sizes or formats has one address."""
    return list({thing.url or thing.original_url: thing for thing in reversed(things)}.values())[::-1]


def _joined(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """All text of a figure as its one caption; each block of it is a line."""
    lines = [line for block in blocks for line in (_caption_lines(block) if block.type in SHOWN else [block.children])]
    content: list[ContentNode] = []
    for line in lines:
        content.extend((*((_LINE_BREAK,) if content else ()), *line))
    return (Block(type="caption", children=tuple(content)),) if content else ()


def _caption_lines(thing: Block) -> list[tuple[ContentNode, ...]]:
    return [caption.children for caption in blocks_in(thing)]


def gallery(draft: BlockDraft) -> list[Block]:
    """Text after a picture is its caption; after the last of many that have none, or have their own, the gallery's.

    Text before them stands before.
    """
    found: list[Block] = []
    things: list[Block] = []
    groups = [(kind, list(group)) for kind, group in groupby(_flat_galleries(draft.children), key=_in_gallery)]
    side_by_side = [kind for kind, _ in groups].count("shown") == 1
    for kind, group in groups:
        if kind == "shown":
            things.extend(group)
        elif kind == "text" and len(things) > 1 and side_by_side and any(thing.children for thing in things):
            found.append(block_of(draft, (*things, *_joined(group))))
            things = []
        elif kind == "text" and things:
            things[-1] = replace(things[-1], children=_joined([things[-1], *group]))
        else:
            found.extend((*_closed(draft, things), *group))
            things = []
    return [*found, *_closed(draft, things)]


def _in_gallery(block: Block) -> str:
    if block.type in SHOWN:
        return "shown"
    return "text" if HOLDS[block.type] is Content.INLINES and block.type != "code" else "other"


def _closed(draft: BlockDraft, things: list[Block]) -> list[Block]:
    """A gallery of one picture is that picture."""
    return things if len(things) < 2 else [block_of(draft, _gallery_caption(things))]


def _gallery_caption(things: list[Block]) -> list[Block]:
    *others, last = things
    if others and last.children and not any(thing.children for thing in others):
        return [*others, replace(last, children=()), *blocks_in(last)]
    return things


def only_pictures(frames: Sequence[Block]) -> list[Block]:
    """What items or cells show, with captions, if that is all they hold; with text beside it a picture is the mark of an item."""
    found: list[Block] = []
    for frame in frames:
        inside = [frame] if frame.type == "caption" else _flat_galleries(blocks_in(frame))
        if not inside or frame.type not in ("item", "cell", "caption") or any(block.type not in _PICTURED for block in inside):
            return []
        found.extend(inside)
    return found


_PICTURED = frozenset((*SHOWN, "caption"))
