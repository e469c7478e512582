"""The reference that an account of a body is checked against, and the content model as a check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import normalize

from lxml.etree import _Element as Element
from read_bodies import BASE

from webarticlecurator.config.tag_dictionary import INLINES, TagLayer
from webarticlecurator.document.parsed_page import parse_html
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import opened
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.body.targets import mail_address
from webarticlecurator.model.article import ATTRIBUTES, HOLDS, STANDS_ALONE, Block, Content, ContentNode, Fate, Inline, Piece, plain_text
from webarticlecurator.text import UNSEEN

_CHILDREN = {Content.ITEMS: {"item"}, Content.ROWS: {"row", "table-heading"}, Content.CELLS: {"cell"}}


def body_of(html: str) -> Element:
    """Everything in the body of a page."""
    tree = parse_html(f"<html><body>{html}</body></html>")
    assert tree is not None, tree
    body = tree.find("body")
    assert body is not None
    return body


def bare(text: str) -> str:
    """Every character but white space."""
    return "".join(normalize("NFC", text).split())


def reference(roots: Iterable[Element]) -> str:
    """All text under the roots but that of scripts, styles, templates and noscript; protected mail addresses are decoded."""
    return bare("".join(_texts(roots)))


def _texts(roots: Iterable[Element]) -> list[str]:
    found: list[str] = []
    waiting: list[Element | str] = list(roots)[::-1]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
            continue
        for child in reversed(one):
            waiting.append(child.tail or "")
            if child.tag not in UNSEEN:
                waiting.append(child)
        found.append(mail_address(one.get("data-cfemail") or "") or one.text or "")
    return found


def accounted(pieces: Iterable[Piece]) -> str:
    return bare("".join(piece.text for piece in pieces if piece.fate is not Fate.ADDED))


def kept(pieces: Iterable[Piece]) -> str:
    return bare("".join(piece.text for piece in pieces if piece.fate is not Fate.DROPPED))


def written(blocks: Iterable[Block]) -> str:
    return bare("\n".join(map(plain_text, blocks)))


def misfits(blocks: Iterable[Block]) -> list[str]:
    """Where blocks do not fit the content model."""
    found = [f"{block.type} at the top" for block in blocks if block.type not in STANDS_ALONE]
    for block in blocks:
        found.extend(_misfits(block, depth=1))
    return found


def _misfits(block: Block, depth: int) -> Iterable[str]:
    content, types = HOLDS[block.type], [child.type for child in block.children if isinstance(child, Block)]
    if depth > 100:
        yield "too deep"
        return
    if set(block.attributes) - set(ATTRIBUTES) or not all(block.attributes.values()):
        yield f"{block.type} with {dict(block.attributes)}"
    if content is Content.INLINES:
        if types or not block.children or not plain_text(block.children).strip():
            yield f"{block.type} with {block.children}"
        yield from _inline_misfits(block.children, ())
        return
    if len(types) != len(block.children):
        yield f"text immediately in {block.type}"
    if not _fits(content, block, types):
        yield f"{block.type} with {types}"
    for child in block.children:
        if isinstance(child, Block):
            yield from _misfits(child, depth + 1)


def _fits(content: Content, block: Block, types: list[str]) -> bool:
    if content is Content.BLOCKS:
        return set(types) <= STANDS_ALONE and (bool(types) or block.type == "cell")
    if content is Content.NOTHING:
        return not types
    if content is Content.CAPTION:
        return types in ([], ["caption"]) and (bool(block.url) or bool(types))
    if content is Content.FIGURES:
        shown = types[:-1] if types[-1:] == ["caption"] else types
        return bool(shown) and set(shown) <= {"figure", "embed"}
    if content is Content.ROWS and ("table-heading" in types[1:-1] or types.count("table-heading") > 1):
        return False
    return bool(set(types) - {"table-heading"}) and set(types) <= _CHILDREN[content]


def _inline_misfits(children: Iterable[ContentNode], around: tuple[str, ...]) -> Iterable[str]:
    for child in children:
        if isinstance(child, Block):
            yield f"{child.type} in {around}"
        elif isinstance(child, Inline):
            if child.type == "emoji" and child.alt and not child.children:
                continue
            if child.type not in (*INLINES, "ruby") or child.type in around:
                yield f"{child.type} in {around}"
            if child.type == "link" and not (child.url or child.original_url):
                yield "link to nowhere"
            if child.type != "line-break" and not child.children:
                yield f"empty {child.type}"
            yield from _inline_misfits(child.children, (*around, child.type))


def assert_nothing_is_lost(root: Element, layers: Sequence[TagLayer] = (), headline: str = "") -> None:
    """Rewritten by these rules, every character is kept, or dropped by a rule, and all blocks fit the model."""
    standing, account = rewrite([root], Lookup(layers), RewriteContext(base=BASE, headline=headline))
    blocks, pieces = opened(standing), account.pieces()
    assert accounted(pieces) == reference([root])
    assert kept(pieces) == written(blocks)
    assert misfits(blocks) == []
    assert all(piece.rule for piece in pieces if piece.fate is Fate.DROPPED)
