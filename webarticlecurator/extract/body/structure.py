"""Structure repair: whatever blocks came to stand in one another on a page, what comes out fits the content model `HOLDS`.

Every rule keeps all text, in its order; docs/body.md states them one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from webarticlecurator.extract.body.links import Target
from webarticlecurator.extract.body.media import embed_kind, network
from webarticlecurator.model.article import HOLDS, STANDS_ALONE, Block, Content, Inline, Node

_LINE_BREAK = Inline(type="line-break")
_SHOWN = {"figure": frozenset({"alt", "credit"}), "embed": frozenset({"kind", "title"})}
"""What is shown from elsewhere, with the attributes that it may have."""
_WRAPPED_ONCE = frozenset({"box", "quote", "lead", "note", "social", "quiz", "question", "answer"})
"""Blocks that mean no more when they stand in themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """A block whose children are all there, before it is made to fit."""

    type: str
    children: Sequence[Block]
    target: Target | None = None
    """Where the element, or a rule for it, says that its content lies."""
    ruled: bool = False
    """The target is a rule's."""
    last_link: Target | None = None
    """The last link in it: embedded posts end with the link to themselves."""
    attributes: Mapping[str, str] = field(default_factory=dict)


def fitted(shell: Shell) -> list[Block]:
    """The block as the content model has it, with what it cannot hold before, between or after; nothing, if nothing is in it."""
    return _FITTERS[HOLDS[shell.type]](shell)


# --- blocks that hold blocks ---


def standing(blocks: Iterable[Block]) -> list[Block]:
    """Blocks as they may stand by themselves: stray items, cells and captions find what they belong to."""
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
            found.extend(fitted(Shell(type=kind, children=list(group))))
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


def _attach(found: list[Block], caption: Block) -> None:
    """A caption belongs to what is shown before it."""
    if found and HOLDS[found[-1].type] in (Content.CAPTION, Content.FIGURES) and not _has_caption(found[-1]):
        found[-1] = replace(found[-1], children=(*found[-1].children, caption))
    else:
        found.append(caption)


def _captions_before(blocks: list[Block]) -> list[Block]:
    """Else to the picture after it; else it is a paragraph."""
    found: list[Block] = []
    for block in blocks:
        if found and found[-1].type == "caption" and HOLDS[block.type] is Content.CAPTION and not block.children:
            found[-1] = replace(block, children=(found[-1],))
        else:
            found.append(block)
    return [replace(block, type="paragraph", attributes={}) if block.type == "caption" else block for block in found]


def _has_caption(block: Block) -> bool:
    return any(isinstance(child, Block) and child.type == "caption" for child in block.children)


def _with_blocks(shell: Shell) -> list[Block]:
    children = standing(shell.children)
    if shell.type in _WRAPPED_ONCE and len(children) == 1 and children[0].type == shell.type:
        return children
    if shell.type != "lead":
        children = without_leads(children)
    target = (shell.target or shell.last_link) if shell.type == "social" else None
    if not children and target is None and shell.type != "cell":
        return []
    if target is not None and "kind" not in shell.attributes and (name := network("", target.url)):
        shell = replace(shell, attributes={**shell.attributes, "kind": name})
    return [_block(shell, children, target)]


def without_leads(blocks: Iterable[Block]) -> list[Block]:
    """A lead stands at the start of an article: anywhere else its content stays, and it goes."""
    return [child for block in blocks for child in (_blocks_in(block) if block.type == "lead" else (block,))]


def _blocks_in(block: Block) -> list[Block]:
    return [child for child in block.children if isinstance(child, Block)]


def _block(shell: Shell, children: Iterable[Node], target: Target | None = None) -> Block:
    return Block(
        type=shell.type,
        children=tuple(children),
        url=target.url if target else None,
        original_url=target.original if target else None,
        attributes=shell.attributes,
    )


# --- lists ---


def _list(shell: Shell) -> list[Block]:
    """What stands between items belongs to the item before it if it is a list, else it is an item itself."""
    items: list[Block] = []
    for is_item, group in groupby(shell.children, key=lambda block: block.type == "item"):
        if is_item:
            items.extend(group)
            continue
        for block in standing(group):
            if block.type == "list" and items:
                items[-1] = replace(items[-1], children=(*items[-1].children, block))
            else:
                items.append(Block(type="item", children=tuple(without_leads([block]))))
    return [_block(shell, items)] if items else []


# --- tables ---


def _row(shell: Shell) -> list[Block]:
    cells: list[Block] = []
    for is_cell, group in groupby(shell.children, key=lambda block: block.type == "cell"):
        if is_cell:
            cells.extend(group)
        elif content := standing(group):
            cells.append(Block(type="cell", children=tuple(without_leads(content))))
    return [_block(shell, cells)] if any(cell.children for cell in cells) else []


def _table(shell: Shell) -> list[Block]:
    """A table has two cells side by side somewhere; one that has not is a box, one with a table in it is mere layout."""
    before: list[Block] = []
    heading: list[Block] = []
    rows: list[Block] = []
    for kind, group in groupby(shell.children, key=lambda block: block.type):
        if kind == "row":
            rows.extend(group)
        elif kind == "cell":
            rows.extend(_row(Shell(type="row", children=list(group))))
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
        content = [child for row in rows for cell in _blocks_in(row) for child in _blocks_in(cell)]
        return [*before, *standing(heading), *content]
    if max(len(row.children) for row in rows) == 1:
        return [*before, *_box(heading, rows)]
    return [*before, _block(shell, (*heading, *rows))]


def _rows(blocks: Iterable[Block]) -> list[Block]:
    return _row(Shell(type="row", children=list(blocks)))


def _box(heading: list[Block], rows: list[Block]) -> list[Block]:
    content = [child for row in rows for cell in _blocks_in(row) for child in _blocks_in(cell)]
    pictures = [block for block in content if block.type in _SHOWN]
    if len(pictures) == 1 and len(content) <= _MOST_CAPTION_LINES and all(HOLDS[block.type] in _CAPTIONED for block in content):
        return _shown(Shell(type="figure", children=[*heading, *content]))
    return fitted(Shell(type="box", children=[*heading, *content]))


_CAPTIONED = frozenset({Content.INLINES, Content.CAPTION})
_MOST_CAPTION_LINES = 3


def _is_layout(rows: Iterable[Block]) -> bool:
    return any(child.type == "table" for row in rows for cell in _blocks_in(row) for child in _blocks_in(cell))


# --- what is shown ---


def _shown(shell: Shell) -> list[Block]:
    """A figure or an embed: one thing shown, its caption around it; several are a gallery; with anything else it is unwrapped."""
    children = _flat_galleries(shell.children)
    things = _distinct([block for block in children if block.type in _SHOWN])
    own = shell.target if shell.target and (shell.ruled or not things) else None
    if own is None and not things and shell.type == "embed":
        own = shell.last_link
    if any(HOLDS[block.type] not in _CAPTIONED or block.type == "code" for block in children) or not (own or things):
        lifted = [_block(shell, (), own)] if own and not things else []
        return standing([*lifted, *children])
    if len(things) > 1:
        return _gallery(replace(shell, type="gallery", children=children, attributes={}))
    thing = things[0] if things else None
    return [_one_shown(shell, thing, own, _joined(children))]


def _one_shown(shell: Shell, thing: Block | None, own: Target | None, caption: tuple[Block, ...]) -> Block:
    """The rule's address before the element's; an embed in a figure is an embed."""
    kind = "embed" if "embed" in (shell.type, thing.type if thing else "") else "figure"
    url = own.url if own else thing.url if thing else None
    attributes = {**(thing.attributes if thing else {}), **shell.attributes}
    if kind == "embed":
        attributes.setdefault("kind", embed_kind(url))
    return Block(
        type=kind,
        children=caption,
        url=url,
        original_url=own.original if own else thing.original_url if thing else None,
        attributes={name: value for name, value in attributes.items() if name in _SHOWN[kind]},
    )


def _flat_galleries(blocks: Iterable[Block]) -> list[Block]:
    return [child for block in blocks for child in (_blocks_in(block) if block.type == "gallery" else (block,))]


def _distinct(things: list[Block]) -> list[Block]:
    """One picture in two sizes or formats has one address."""
    return list({thing.url: thing for thing in reversed(things)}.values())[::-1]


def _joined(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """All text of a figure as its one caption; each block of it is a line."""
    lines = [line for block in blocks for line in (_caption_lines(block) if block.type in _SHOWN else [block.children])]
    content: list[Node] = []
    for line in lines:
        content.extend((*((_LINE_BREAK,) if content else ()), *line))
    return (Block(type="caption", children=tuple(content)),) if content else ()


def _caption_lines(thing: Block) -> list[tuple[Node, ...]]:
    return [caption.children for caption in _blocks_in(thing)]


def _gallery(shell: Shell) -> list[Block]:
    """Text after a picture is its caption; after the last of many that have none, the gallery's; text before them stands before."""
    found: list[Block] = []
    things: list[Block] = []

    def close() -> None:
        if things:
            found.append(replace(_block(shell, _gallery_caption(things)), url=None, original_url=None))
            things.clear()

    for block in _flat_galleries(shell.children):
        if block.type in _SHOWN:
            things.append(block)
        elif things and HOLDS[block.type] is Content.INLINES and block.type != "code":
            things[-1] = replace(things[-1], children=_joined([things[-1], block]))
        else:
            close()
            found.append(block)
    close()
    return standing(_no_lonely(found))


def _gallery_caption(things: list[Block]) -> list[Block]:
    *others, last = things
    if others and last.children and not any(thing.children for thing in others):
        return [*others, replace(last, children=()), *_blocks_in(last)]
    return things


def _no_lonely(blocks: Iterable[Block]) -> Iterator[Block]:
    """A gallery of one picture is that picture."""
    for block in blocks:
        yield _blocks_in(block)[0] if block.type == "gallery" and len(block.children) == 1 else block


# --- the rest ---


def _inlines(shell: Shell) -> list[Block]:
    return [_block(shell, shell.children)] if shell.children else []


def _nothing(shell: Shell) -> list[Block]:
    return [_block(shell, ())]


_FITTERS: Mapping[Content, Callable[[Shell], list[Block]]] = {
    Content.INLINES: _inlines,
    Content.BLOCKS: _with_blocks,
    Content.NOTHING: _nothing,
    Content.ITEMS: _list,
    Content.ROWS: _table,
    Content.CELLS: _row,
    Content.FIGURES: _gallery,
    Content.CAPTION: _shown,
}


# --- the whole article ---


def opened(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The top of an article: one lead, before anything that is said; later ones are unwrapped."""
    found: list[Block] = []
    for block in standing(blocks):
        before = next((one for one in reversed(found) if one.type not in _BEFORE_A_LEAD), None)
        if block.type != "lead" or before is None:
            found.append(block)
        elif before.type == "lead" and found[-1] is before:
            found[-1] = replace(before, children=(*before.children, *block.children))
        else:
            found.extend(_blocks_in(block))
    return tuple(found)


_BEFORE_A_LEAD = frozenset({"figure", "embed", "gallery", "heading", "subheading", "divider"})
