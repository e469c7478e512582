"""What a page gave, beside what was expected of it: the differences in plain English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any
from unicodedata import normalize

from webarticlecurator.config.expectations import Expectation
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.text import squeeze

HASH = "sha256:"
_LONGEST_SHOWN = 80
_LONGEST_HASH = len(HASH) + 12
Node = Mapping[str, Any]
"""A block or inline, as JSON has it."""


def fingerprint(text: str) -> str:
    """A text as it is expected without being told: the hash of it, normalised."""
    return HASH + sha256(_normal(text).encode()).hexdigest()


def differences(line: Mapping[str, Any], expected: Expectation) -> list[str]:
    """`line`: what `curator try --json` says of the page. Nothing: all is as expected."""
    outcome = line.get("outcome", "article")
    if outcome != expected.outcome:
        return [f"outcome: expected {expected.outcome}, found {outcome}{' (' + line['reason'] + ')' if line.get('reason') else ''}"]
    if expected.kind == "archive":
        return [*_counts({"articles": len(line["articles"])}, expected), *_next(line.get("next"), expected)]
    return list(_of_article(line, expected)) if "metadata" in line else []


def _of_article(line: Mapping[str, Any], expected: Expectation) -> Iterator[str]:
    for name, values in expected.metadata.items():
        yield from _field(name, [found["value"] for found in line["metadata"].get(name, ())], values)
    nodes, comments = list(_walk(line["blocks"])), line.get("comments", [])
    posts = [node for node in nodes if node["type"] == "post"] + comments
    inside = {id(node) for post in posts for node in _walk(post["children"])}
    found = {
        "paragraphs": sum(node["type"] == "paragraph" and id(node) not in inside for node in nodes),
        "links": sum(node["type"] == "link" for node in nodes),
        "posts": len(posts),
    }
    yield from _counts(found, expected)
    yield from _post("first post", posts[:1], expected.first_post)
    yield from _post("last post", posts[-1:], expected.last_post)
    yield from _texts(_Text([*nodes, *_walk(comments)]), expected)
    yield from _next(line.get("next_page"), expected)


def _field(name: str, found: Sequence[str], expected: Sequence[str]) -> Iterator[str]:
    is_date = name in FIELDS and FIELDS[name].holds is Holds.DATE
    right = len(found) == len(expected) and all(_same(one, other, is_date) for one, other in zip(found, expected, strict=True))
    if not right:
        yield f"{name}: expected {_listed(expected)}, found {_listed(found)}"


def _counts(found: Mapping[str, int], expected: Expectation) -> Iterator[str]:
    for name, count in expected.counts.items():
        if found[name] != count:
            yield f"{name}: expected {count}, found {found[name]}"


def _post(name: str, posts: Sequence[Node], expected: Mapping[str, str | None]) -> Iterator[str]:
    if expected and not posts:
        yield f"{name}: there is none"
        return
    for key, value in expected.items():
        found = posts[0].get(key)
        if (found is None or value is None) and found is value:
            continue
        if found is None or value is None or not _same(found, value, is_date=key == "when"):
            yield f"{name}, {key}: expected {_shown(value)}, found {_shown(found)}"


def _texts(text: _Text, expected: Expectation) -> Iterator[str]:
    for wanted in expected.contains:
        if wanted not in text:
            yield f"contains: there is no {_shown(wanted)} in the text"
    for unwanted in expected.lacks:
        if unwanted in text:
            yield f"lacks: {_shown(unwanted)} is in the text"


def _next(found: str | None, expected: Expectation) -> Iterator[str]:
    if expected.next is not None and expected.next != (found,):
        yield f"next: expected {_shown(expected.next[0])}, found {_shown(found)}"


class _Text:
    """All texts of a page: told plainly, one may be any part; told as a hash, it is a whole block or a post's title."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        blocks = [_normal(told) for node in nodes for told in (node["text"], node.get("title")) if told]
        self._all = "\n".join(blocks)
        self._hashes = {fingerprint(block) for block in blocks}

    def __contains__(self, wanted: str) -> bool:
        return wanted in self._hashes if wanted.startswith(HASH) else _normal(wanted) in self._all


def _walk(nodes: Sequence[Node]) -> Iterator[Node]:
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node["children"]))


def _same(found: str, expected: str, is_date: bool) -> bool:
    if expected.startswith(HASH):
        return fingerprint(found) == expected
    return _normal(found) == _normal(expected) or (is_date and _instant(found) is not None and _instant(found) == _instant(expected))


def _instant(written: str) -> datetime | None:
    """A moment with an offset; a day is none."""
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


def _normal(text: str) -> str:
    return squeeze(normalize("NFC", text))


def _listed(texts: Sequence[str]) -> str:
    return "; ".join(map(_shown, texts)) or "nothing"


def _shown(text: str | None) -> str:
    if text is None:
        return "nothing"
    longest = _LONGEST_HASH if text.startswith(HASH) else _LONGEST_SHOWN
    return text if len(text) <= longest else text[:longest] + "..."
