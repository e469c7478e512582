"""Structure repair: whatever blocks came to stand in one another on a page, what comes out fits the content model `HOLDS`.

Every rule keeps all text, in its order; docs/reference/portal-file.md states the most frequent ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from webarticlecurator.extraction.body.targets import LinkTarget, best_of, embed_kind, is_credit, network
from webarticlecurator.model.article import HOLDS, STANDS_ALONE, Block, Content, ContentNode, Inline, blocks_in, plain_text
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import letters_of, squeeze

_WRAPPED_ONCE = frozenset({"box", "quote", "lead", "note", "social", "quiz", "question", "answer"})
"""Blocks that mean no more when they stand in themselves."""
_SHOWN = {"figure": frozenset({"alt", "credit"}), "embed": frozenset({"kind", "title"})}
"""What is shown, with the attributes that it may have."""
_CAPTIONED = frozenset({Content.INLINES, Content.CAPTION})
"""Content of the blocks that may be in a figure: text, and other figures."""


class BlockDraft(Struct, eq=False):
    """A block that is or was being filled."""

    type: str
    children: list[Block] = []
    target: LinkTarget | None = None
    """Where the element, or a rule for it, says that its content lies."""
    ruled: bool = False
    """The target is a rule's."""
    last_link: LinkTarget | None = None
    """The last link in it: embedded posts end with the link to themselves."""
    attributes: dict[str, str] = {}


def _block_of(draft: BlockDraft, children: Iterable[ContentNode], target: LinkTarget | None = None) -> Block:
    """The block with these children, which fit."""
    url, original_url = target or (None, None)
    return Block(type=draft.type, children=tuple(children), url=url, original_url=original_url, attributes=draft.attributes)


def fitted(draft: BlockDraft) -> list[Block]:
    """The block as the content model has it, with what it cannot hold before, between or after; nothing, if nothing is in it."""
    return _FITTERS[HOLDS[draft.type]](draft)


def standing(blocks: Iterable[Block]) -> list[Block]:
    """Blocks as they may stand by themselves: stray items, cells and captions find what they belong to."""
    blocks = list(blocks)
    if _HOMES.keys().isdisjoint([block.type for block in blocks]):
        return blocks
    housed: list[Block] = []
    for kind, group in groupby(blocks, key=lambda block: _HOMES.get(block.type)):
        if kind is None:
            housed.extend(group)
        elif kind == "caption":
            for caption in group:  # it belongs to what is shown before it
                shown = housed[-1] if housed and HOLDS[housed[-1].type] in (Content.CAPTION, Content.FIGURES) else None
                if shown is not None and all(block.type != "caption" for block in blocks_in(shown)):
                    housed[-1] = replace(shown, children=(*shown.children, caption))
                else:
                    housed.append(caption)
        elif kind == "paragraph":
            housed.extend(replace(block, type="paragraph", attributes={}) for block in group)
        else:
            housed.extend(fitted(BlockDraft(type=kind, children=list(group))))
    return _captions_before(housed)


_LINES = dict.fromkeys(("table-heading", "time", "author"), "paragraph")
_HOMES = {"item": "list", "row": "table", "cell": "table", "caption": "caption", **_LINES}
"""What may not stand alone, and where it belongs."""
assert set(_HOMES) == set(HOLDS) - STANDS_ALONE
_UNSETTLED = frozenset((*_HOMES, "lead"))


def _captions_before(blocks: list[Block]) -> list[Block]:
    """Else to the picture after it; else to one that no reader can see, unless it stands behind a text that may have one, too."""
    captioned: list[Block] = []
    for block in blocks:
        if captioned and captioned[-1].type == "caption" and HOLDS[block.type] is Content.CAPTION and not block.children:
            captioned[-1] = replace(block, children=(captioned[-1],))
        else:
            captioned.append(block)
    for number, block in enumerate(captioned):
        if block.type == "caption":
            is_text = number > 0 and captioned[number - 1].type in {"code", "list", "quote", "table"}
            captioned[number] = replace(block, type="paragraph", attributes={}) if is_text else Block(type="figure", children=(block,))
    return captioned


def _with_blocks(draft: BlockDraft) -> list[Block]:
    children = draft.children
    settled = _UNSETTLED.isdisjoint([block.type for block in children])
    if not settled:
        children = standing(children)
    if draft.type in _WRAPPED_ONCE and len(children) == 1 and children[0].type == draft.type:
        return children
    if draft.type != "lead" and not settled:
        children = unwrapped(children, "lead")
    target = best_of((draft.target, draft.last_link)) if draft.type == "social" else None
    if not children and target is None and draft.type != "cell":
        return []
    if target is not None and "kind" not in draft.attributes and (name := network("", target.url)):
        draft.attributes["kind"] = name
    if not children and draft.type == "social":
        draft.type = "embed"
        draft.attributes = {"kind": "frame", **{name: value for name, value in draft.attributes.items() if name in _SHOWN["embed"]}}
    return [_block_of(draft, children, target)]


def unwrapped(blocks: Iterable[Block], *kinds: str) -> list[Block]:
    """Of blocks of these kinds the content stays, and they go: a lead has its place only at the start of an article."""
    return [child for block in blocks for child in (blocks_in(block) if block.type in kinds else (block,))]


def _list(draft: BlockDraft) -> list[Block]:
    """What stands between items belongs to the item before it if it is a list, else it is an item itself; notes need no list."""
    if draft.children and all(block.type == "note" for block in draft.children):
        return draft.children
    if pictures := _only_pictures(draft.children):
        return standing(_gallery(BlockDraft(type="gallery", children=pictures)))
    items: list[Block] = []
    for is_item, group in groupby(draft.children, key=lambda block: block.type == "item"):
        if is_item:
            items.extend(group)
            continue
        for is_list, blocks in groupby(standing(unwrapped(group, "lead")), key=lambda block: block.type == "list"):
            if is_list and items:
                items[-1] = replace(items[-1], children=(*items[-1].children, *blocks))
            else:
                items.extend(Block(type="item", children=(block,)) for block in blocks)
    return [_block_of(draft, items)] if items else []


def _row(draft: BlockDraft) -> list[Block]:
    cells: list[Block] = []
    for is_cell, group in groupby(draft.children, key=lambda block: block.type == "cell"):
        if is_cell:
            cells.extend(group)
        elif content := standing(group):
            cells.append(Block(type="cell", children=tuple(unwrapped(content, "lead"))))
    return [_block_of(draft, cells)] if any(cell.children for cell in cells) else []


def _table(draft: BlockDraft) -> list[Block]:
    """A table has two cells side by side somewhere; one that has not is a box, one with a table in it is mere layout."""
    before: list[Block] = []
    heading: list[Block] = []
    rows: list[Block] = []
    for kind, group in groupby(draft.children, key=lambda block: block.type):
        if kind == "row":
            rows.extend(group)
        elif kind in ("table-heading", "caption") and not rows and not heading:
            first, *others = group
            heading = [replace(first, type="table-heading", attributes={})]
            rows.extend(_row(BlockDraft(type="row", children=others)))
        elif kind == "cell" or rows or heading:
            rows.extend(_row(BlockDraft(type="row", children=list(group))))
        else:
            before.extend(standing(group))
    if not rows:
        return [*before, *standing(heading)]
    cells = [cell for row in rows for cell in blocks_in(row)]
    content = [child for cell in cells for child in blocks_in(cell)]
    if any(block.type == "table" for block in content):
        return [*before, *standing(heading), *content]
    if max(len(row.children) for row in rows) == 1:
        if not heading and all(block.type == "code" for block in content):
            return [*before, *content]
        is_framed = len(content) <= 3 and all(HOLDS[block.type] in _CAPTIONED for block in content)
        if is_framed and sum(block.type in _SHOWN for block in content) == 1:
            return [*before, *_figure_or_embed(BlockDraft(type="figure", children=[*heading, *content]))]
        return [*before, *fitted(BlockDraft(type="box", children=[*heading, *content]))]
    if pictures := _only_pictures(cells):
        return [*before, *standing(_gallery(BlockDraft(type="gallery", children=[*pictures, *heading])))]
    return [*before, _block_of(draft, (*heading, *rows))]


def _figure_or_embed(draft: BlockDraft) -> list[Block]:
    """A figure or an embed: one thing shown, its caption around it; several are a gallery; with anything else it is unwrapped."""
    children = unwrapped(draft.children, "gallery")
    shown = [block for block in children if block.type in _SHOWN]
    things = list({thing.url or thing.original_url: thing for thing in reversed(shown)}.values())[::-1]  # in two sizes: one address
    is_player = draft.type == "embed" and all(thing.type == "figure" for thing in things)  # with its still
    own = draft.target if draft.target and (not things or (draft.target.url and (draft.ruled or is_player))) else None
    if not things and draft.type == "embed":
        own = best_of((own, draft.last_link))
    if not own and not things and any(block.type == "code" for block in children):
        return [replace(block, type="paragraph") if block.type == "caption" else block for block in children]  # the title of a listing
    if any(HOLDS[block.type] not in _CAPTIONED or block.type == "code" for block in children) or not (own or things):
        lifted = [_block_of(draft, (), own)] if own and not things else []
        return [*lifted, *children]
    if len(things) > 1:
        return _gallery(BlockDraft(type="gallery", children=children))
    thing = things[0] if things else None
    # the rule's address before the element's; an embed in a figure is an embed, one without an address the figure in it
    is_embed = (draft.type == "embed" and own is not None) or (thing is not None and thing.type == "embed")
    url, original_url = own or ((thing.url, thing.original_url) if thing else (None, None))
    attributes, caption = {**(thing.attributes if thing else {}), **draft.attributes}, _joined(children)
    if caption and is_credit(said := plain_text(caption)):
        attributes.setdefault("credit", said)
    if is_embed:
        attributes.setdefault("kind", embed_kind(url))
    kind = "embed" if is_embed else "figure"
    attributes = {name: value for name, value in attributes.items() if name in _SHOWN[kind]}
    return [Block(type=kind, children=caption, url=url, original_url=original_url, attributes=attributes)]


def _joined(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """All text of a figure as its one caption; each block of it is a line."""
    content: list[ContentNode] = []
    for part in unwrapped(blocks, *_SHOWN):
        content.extend((*((Inline(type="line-break"),) if content else ()), *part.children))
    return (Block(type="caption", children=tuple(content)),) if content else ()


def _gallery(draft: BlockDraft) -> list[Block]:
    """Text after a picture is its caption; after the last of many that have none, or have their own, the gallery's.

    Text before them stands before.
    """
    finished: list[Block] = []
    things: list[Block] = []

    def kind_of(block: Block) -> str:
        is_text = HOLDS[block.type] is Content.INLINES and block.type != "code"
        return "shown" if block.type in _SHOWN else "text" if is_text else "other"

    groups = [(kind, list(group)) for kind, group in groupby(unwrapped(draft.children, "gallery"), key=kind_of)]
    side_by_side = [kind for kind, _ in groups].count("shown") == 1
    for kind, group in groups:
        if kind == "shown":
            things.extend(group)
        elif kind == "text" and len(things) > 1 and side_by_side and any(thing.children for thing in things):
            finished.append(_block_of(draft, (*things, *_joined(group))))
            things = []
        elif kind == "text" and things:
            things[-1] = replace(things[-1], children=_joined([things[-1], *group]))
        else:
            finished.extend((*_closed(draft, things), *group))
            things = []
    return [*finished, *_closed(draft, things)]


def _closed(draft: BlockDraft, things: list[Block]) -> list[Block]:
    """A gallery of one picture is that picture; the only caption, at the last one, is the gallery's."""
    if len(things) < 2:
        return things
    *others, last = things
    if last.children and not any(thing.children for thing in others):
        things = [*others, replace(last, children=()), *blocks_in(last)]
    return [_block_of(draft, things)]


def _only_pictures(frames: Sequence[Block]) -> list[Block]:
    """What items or cells show, with captions, if that is all they hold; with text beside it a picture is the mark of an item."""
    pictures: list[Block] = []
    for frame in frames:
        inside = [frame] if frame.type == "caption" else unwrapped(blocks_in(frame), "gallery")
        if not inside or frame.type not in ("item", "cell", "caption") or any(block.type not in (*_SHOWN, "caption") for block in inside):
            return []
        pictures.extend(inside)
    return pictures


_FITTERS: Mapping[Content, Callable[[BlockDraft], list[Block]]] = {
    Content.INLINES: lambda draft: [_block_of(draft, draft.children)] if draft.children else [],
    Content.BLOCKS: _with_blocks,
    Content.NOTHING: lambda draft: [_block_of(draft, ())],
    Content.ITEMS: _list,
    Content.ROWS: _table,
    Content.CELLS: _row,
    Content.FIGURES: lambda draft: standing(_gallery(draft)),
    Content.CAPTION: lambda draft: standing(_figure_or_embed(draft)),
}


def opened(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The top of an article: one lead, before anything that is said; later ones are unwrapped."""
    top: list[Block] = []
    said = False
    for is_lead, group in groupby(standing(blocks), key=lambda block: block.type == "lead"):
        if not is_lead:
            top.extend(group)
            said = said or any(block.type not in {"figure", "embed", "gallery", "heading", "subheading", "divider"} for block in top)
            continue
        children = unwrapped(group, "lead")
        if said:
            top.extend(children)
        else:
            top.append(Block(type="lead", children=tuple(children)))
        said = True
    return tuple(top)


_RUNNING = 40
"""Characters of a paragraph that is none of names or labels."""
_CLOSING = " \"'»«”“’‘›)]」』"
_SENTENCES = linear(r"\w{2}[.!?…]\s+\w|[|@\n]|\bwww\.|://")
"""More than one sentence, or none at all: addresses, parts set side by side."""
_SHAPES = frozenset({"bold", "italic", "emphasis", "underline", "language"})
_TEXT = frozenset({"paragraph", "list", "quote", "table", "box"})


def with_bold_headings(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Whole short bold paragraphs between texts are headings, where authors had no others at hand; below those that there are."""
    lines = [squeeze(plain_text(block)) if block.type == "paragraph" and _is_bold(block.children) else None for block in blocks]
    if not any(lines):
        return tuple(blocks)
    times, asked = Counter(lines), [line for line in lines if line is not None and line.rstrip(_CLOSING).endswith(("?", "？"))]
    # bold questions before every answer are an interview, and then all that is bold may be said by who asks
    if len(asked) > 1 and 2 * len(asked) >= sum(line is not None for line in lines):
        return tuple(blocks)
    no_headings = {*asked} if len(asked) > 1 else set()
    kind = "subheading" if any(block.type == "heading" for block in blocks) else "heading"
    finished: list[Block] = []
    has_begun = False
    for block, line, before, after in zip(blocks, lines, (None, *blocks), (*blocks[1:], None), strict=False):
        is_heading = False
        if has_begun and line is not None and times[line] == 1 and line not in no_headings:
            stem = line.rstrip(_CLOSING)
            may_be_one = 2 <= len(line) <= 100 and stem and stem[-1] not in ".!…:,;|。！：，、।؟۔" and _SENTENCES.search(line) is None
            is_heading = bool(may_be_one) and any(map(str.isalpha, line)) and _is_between_texts(before, after, line)
        if not has_begun and block.type == "paragraph" and line is None:  # with sentences: no name, no standfirst without an end
            text = plain_text(block)
            has_begun = len(text) >= _RUNNING and text.rstrip(_CLOSING)[-1:] in ".!?…:。！？؟۔।"
        has_begun = has_begun or block.type == "heading"
        only = block.children[0] if len(block.children) == 1 else None
        children = only.children if isinstance(only, Inline) and only.type == "bold" else block.children  # it need not be bold, too
        finished.append(replace(block, type=kind, children=children) if is_heading else block)
    return tuple(finished)


def _is_bold(nodes: Sequence[ContentNode], *, inside: bool = False) -> bool:
    """Whether all of it is bold and nothing of it a link: bold links lead to other articles."""
    return bool(nodes) and all(
        (inside or not node.strip())
        if isinstance(node, str)
        else isinstance(node, Inline) and node.type in _SHAPES and _is_bold(node.children, inside=inside or node.type == "bold")
        for node in nodes
    )


def _is_between_texts(before: Block | None, after: Block | None, heading: str) -> bool:
    """Under a picture a bold line is its caption, beside another one part of a list."""
    if before is None or after is None or _is_bold(before.children) or _is_bold(after.children):
        return False
    if HOLDS[before.type] in (Content.CAPTION, Content.FIGURES) and not (before.children and before.type != "gallery"):
        return False
    return after.type in _TEXT and (after.type != "paragraph" or len(plain_text(after)) >= max(_RUNNING, len(heading)))


def without_repeated_descriptions(blocks: Sequence[Block]) -> Sequence[Block]:
    """The same blocks; of pictures that are described in their captions, or in a text next to them, without the description."""
    finished = list(blocks)
    for number, block in enumerate(blocks):
        if block.type == "figure":
            alt = letters_of(block.attributes.get("alt", ""))
            captions = map(letters_of, map(plain_text, block.children))
            beside = map(plain_text, (*blocks[number - 1 : number], *blocks[number + 1 : number + 2]))
            if alt and (
                any(alt in caption or (caption in alt and len(caption) > 0.8 * len(alt)) for caption in captions)
                or any(len(text) <= 3 * len(alt) and letters_of(text) == alt for text in beside)
            ):
                finished[number] = replace(block, attributes={name: value for name, value in block.attributes.items() if name != "alt"})
        elif HOLDS[block.type] not in (Content.INLINES, Content.NOTHING, Content.CAPTION):
            inner = blocks_in(block)
            settled = without_repeated_descriptions(inner)
            finished[number] = block if settled == inner else replace(block, children=tuple(settled))
    return finished
