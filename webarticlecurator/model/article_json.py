"""An article as JSON: the object that `curator try` prints, and the line that a build keeps of it; and the article made again of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from webarticlecurator.model.article import (
    COMMENTS,
    HOLDS,
    Article,
    Block,
    CaptureRef,
    ContentNode,
    Fate,
    Inline,
    MissingPage,
    Piece,
    Post,
    UnknownTag,
    plain_text,
)
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.outcome import PageOutcome

Json = Mapping[str, Any]
_POST_NAMES = {"author": "who"}
_POST_FIELDS = tuple(one.name for one in fields(Post) if one.name != "blocks")
_NODE = frozenset({"type", "text", "children", "url", "original_url"})
"""What every node may have; of a block the rest is attributes."""
_BESIDE = ("identity", "type", "language", "language_certainty", "layout")
"""What of an article its line does not hold, and is in JSON as it is here."""
_WITHOUT_TEXT = frozenset({"line-break", "emoji"})
"""Inlines whose text stands for nothing that they hold."""


# --- written ---


def to_json(article: Article) -> dict[str, Any]:
    """What `Article.to_dict` gives."""
    head = {"url": article.url, "kind": "article", "outcome": article.outcome.value, "reason": article.reason}
    if article.outcome is PageOutcome.UNREADABLE:
        return head
    blocks = [*map(_node, article.blocks), *map(_post, article.own_posts)]
    comments = [_post(post) for post in article.posts if post.kind == COMMENTS]
    return {
        **head,
        "metadata": _metadata(article.metadata),
        "next_page": article.next_page,
        **({"goes_on": article.goes_on} if article.goes_on else {}),
        **({"missing_pages": [str(one) for one in article.missing_pages]} if article.missing_pages else {}),
        **({"text_changed": article.text_changed} if article.text_changed else {}),
        "text": "\n".join(block["text"] for block in blocks if block["text"]),
        "blocks": blocks,
        **({"comments": comments} if comments else {}),
        "unknown_tags": [{"tag": one.tag, "count": one.count, "words": one.words} for one in article.unknown_tags],
        "dropped": [{"text": one.text, "rule": one.rule, "tag": one.tag} for one in article.pieces if one.fate is Fate.DROPPED],
        "disagreements": _metadata(article.disagreements),
    }


def stored_line(article: Article) -> dict[str, Any]:
    """The same, with what names the article and the captures that it was read from: a line of the JSON Lines export."""
    return {"id": article.id, "captures": [one.to_json() for one in article.captures], **to_json(article)}


def beside_line(article: Article) -> dict[str, Any]:
    """What a document tells of an article and its line does not, ready for JSON."""
    agents = {
        name: [[one.value, one.written, one.kind, one.url] for one in values if one.written or one.kind or one.url]
        for name, values in article.metadata.items()
    }
    return {
        **{name: getattr(article, name) for name in _BESIDE},
        "flags": list(article.flags),
        "versions": [one.to_json() for one in article.versions],
        "missing_pages": [[page.number, page.url] for page in article.missing_pages],
        "values": {name: values for name, values in agents.items() if values},
    }


def _metadata(metadata: Metadata) -> dict[str, list[dict[str, str]]]:
    return {name: [{"value": one.value, "raw": one.raw, "source": one.source} for one in found] for name, found in metadata.items()}


def _post(post: Post) -> dict[str, Any]:
    children = list(map(_node, post.blocks))
    given = {_POST_NAMES.get(name, name): value for name in _POST_FIELDS if (value := getattr(post, name))}
    return {"type": "post", "text": "\n".join(block["text"] for block in children if block["text"]), "children": children, **given}


def _node(node: ContentNode) -> dict[str, Any]:
    """Text alone is the parent's `text`; beside inlines it is a child like them. A text is put together of those of the children."""
    if isinstance(node, str):
        return {"type": "text", "text": node, "children": []}
    if all(isinstance(child, str) for child in node.children):
        text, children = plain_text(node), []
    else:
        children = list(map(_node, node.children))
        between = "\n" if any(isinstance(child, Block) for child in node.children) else ""
        text = between.join(child["text"] for child in children if child["text"])
    told = {"url": node.url, "original_url": node.original_url}
    told |= node.attributes if isinstance(node, Block) else {"language": node.language, "note": node.note, "alt": node.alt}
    given = {name: value for name, value in told.items() if value}
    return {"type": node.type, "text": text, "children": children, **given}


# --- read again ---


def from_json(line: Json, beside: Json) -> Article:
    """The article of a stored line, with what stands beside it; of what became of its characters, only what was dropped."""
    posts = [one for one in line.get("blocks", ()) if _is_post(one)]
    return Article(
        id=line["id"],
        url=line["url"],
        outcome=PageOutcome(line["outcome"]),
        reason=line["reason"],
        metadata=_metadata_again(line.get("metadata", {}), beside["values"]),
        disagreements=_metadata_again(line.get("disagreements", {}), {}),
        blocks=tuple(_block_again(one) for one in line.get("blocks", ()) if not _is_post(one)),
        posts=tuple(map(_post_again, (*posts, *line.get("comments", ())))),
        pieces=tuple(Piece(Fate.DROPPED, one["text"], one["rule"], one["tag"]) for one in line.get("dropped", ())),
        unknown_tags=tuple(UnknownTag(**one) for one in line.get("unknown_tags", ())),
        next_page=line.get("next_page"),
        goes_on=line.get("goes_on"),
        captures=tuple(map(CaptureRef.of_json, line["captures"])),
        text_changed=line.get("text_changed"),
        **{name: beside[name] for name in _BESIDE},
        flags=tuple(beside["flags"]),
        versions=tuple(map(CaptureRef.of_json, beside["versions"])),
        missing_pages=tuple(MissingPage(*page) for page in beside["missing_pages"]),
    )


def _metadata_again(metadata: Json, more: Json) -> Metadata:
    """`more` holds only for a value that is still the one of the page: what stands for a name has no page about it."""
    known = {(name, value): told for name, values in more.items() for value, *told in values}
    return {
        name: tuple(
            Found(**one, **dict(zip(("written", "kind", "url"), known.get((name, one["value"]), ()), strict=False))) for one in values
        )
        for name, values in metadata.items()
    }


def _is_post(node: Json) -> bool:
    """Whether it is one of the article's posts, and not the block of that name in its body."""
    return node["type"] == "post" and "kind" in node


def _post_again(node: Json) -> Post:
    told = {name: node[said] for name in _POST_FIELDS if (said := _POST_NAMES.get(name, name)) in node}
    return Post(**told, blocks=tuple(map(_block_again, node["children"])))


def _block_again(node: Json) -> Block:
    attributes = {name: value for name, value in node.items() if name not in _NODE}
    children = _children_again(node)
    return Block(type=node["type"], children=children, url=node.get("url"), original_url=node.get("original_url"), attributes=attributes)


def _children_again(node: Json) -> tuple[ContentNode, ...]:
    children = node["children"]
    if children:
        return tuple(map(_node_again, children))
    return (node["text"],) if node["text"] and node["type"] not in _WITHOUT_TEXT else ()


def _node_again(node: Json) -> ContentNode:
    if node["type"] == "text":
        return str(node["text"])
    if node["type"] in HOLDS:
        return _block_again(node)
    told = {name: node[name] for name in ("url", "original_url", "language", "note", "alt") if name in node}
    inlines = tuple(child for child in _children_again(node) if not isinstance(child, Block))  # which an inline never holds
    return Inline(type=node["type"], children=inlines, **told)
