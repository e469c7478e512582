"""What a page gave, in the words in which it is expected: from a line of `curator try --json` to counts, addresses and texts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from webarticlecurator.config.expectations import fingerprint, normal
from webarticlecurator.urls import normalise

BlockObject = Mapping[str, Any]
"""A block or inline, as JSON has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What can be asked of a page, and the answers; a page that could not be read has nothing but its outcome."""

    outcome: str
    reason: str = ""
    readable: bool = False
    metadata: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    posts: tuple[BlockObject, ...] = ()
    """Comments too."""
    addresses: Mapping[str, str | None] = field(default_factory=dict)
    paragraphs: tuple[str, ...] = ()
    """Their texts, those of posts too."""
    texts: Container[str] = ()
    """Whatever may be looked for with `contains` and `lacks`."""


def measure(line: Mapping[str, Any]) -> Measures:
    """`line`: what `curator try --json` says of the page."""
    outcome, reason = line.get("outcome", "article"), line.get("reason", "")
    if "articles" in line:
        return _of_archive_page(line, outcome)
    if "metadata" in line:
        return _of_article(line, outcome, reason)
    return Measures(outcome=outcome, reason=reason)


def same_address(one: str | None, other: str | None) -> bool:
    """Whether two addresses differ only in their spelling."""
    return one == other or (one is not None and other is not None and normalise(one) == normalise(other))


def _of_archive_page(line: Mapping[str, Any], outcome: str) -> Measures:
    urls = [article["url"] for article in line["articles"]]
    ends = {"first_article": urls[0] if urls else None, "last_article": urls[-1] if urls else None}
    return Measures(
        outcome=outcome,
        readable=True,
        counts={"articles": len(urls)},
        addresses={**ends, "next": line.get("next")},
        texts=_Texts((), urls),
    )


def _of_article(line: Mapping[str, Any], outcome: str, reason: str) -> Measures:
    nodes, comments = list(_walk(line["blocks"])), line.get("comments", [])
    posts = [node for node in nodes if node["type"] == "post"] + comments
    inside = {id(node) for post in posts for node in _walk(post["children"])}
    paragraphs = [node for node in nodes if node["type"] == "paragraph"]
    return Measures(
        outcome=outcome,
        reason=reason,
        readable=True,
        metadata={name: tuple(one["value"] for one in values) for name, values in line["metadata"].items()},
        counts={
            "paragraphs": sum(id(node) not in inside for node in paragraphs),
            "links": sum(node["type"] == "link" for node in nodes),
            "posts": len(posts),
        },
        posts=tuple(posts),
        addresses={"next": line.get("next_page")},
        paragraphs=tuple(node["text"] for node in paragraphs if normal(node["text"])),
        texts=_Texts(normal(text) for node in (*nodes, *_walk(comments)) for text in (node["text"], node.get("title")) if text),
    )


class _Texts:
    """What may be looked for: plainly, any part of a text; as a hash, a whole block or a post's title; of an archive page, an address."""

    def __init__(self, texts: Iterable[str], addresses: Iterable[str] = ()) -> None:
        texts, addresses = list(texts), list(addresses)
        self._all = "\n".join(texts)
        self._known = {*map(fingerprint, (*texts, *addresses)), *map(normalise, addresses)}

    def __contains__(self, wanted: object) -> bool:
        text = str(wanted)
        return text in self._known or normalise(text) in self._known or normal(text) in self._all


def _walk(nodes: Sequence[BlockObject]) -> Iterator[BlockObject]:
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node["children"]))
