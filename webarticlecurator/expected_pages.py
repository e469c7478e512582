"""What a page gave, beside what is expected of it: the differences in plain English, and an expectation made of what it gives now."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from typing import Any

from webarticlecurator.config.expectations import HASH, Expectation, Kind, fingerprint, normal
from webarticlecurator.config.fields import FIELDS, Holds
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


# --- the differences ---

_LONGEST_SHOWN = 80
_LONGEST_HASH = len(HASH) + 12
_BEFORE_THE_DIFFERENCE = 20
Value = str | int | tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that is not as expected."""

    what: str
    """As the file of expectations names it: headline, paragraphs, first_post.who."""
    expected: Value
    found: Value
    sentence: str
    """In plain English, long texts cut to where they begin to differ."""


def differences(found: Measures, expected: Expectation) -> tuple[Difference, ...]:
    """Nothing: all is as expected. A page of another outcome is asked for nothing else."""
    if found.outcome != expected.outcome:
        shown = f"{found.outcome} ({found.reason})" if found.reason else found.outcome
        return (_difference("outcome", expected.outcome, found.outcome, f"expected {expected.outcome}, found {shown}"),)
    return tuple(_in_detail(found, expected)) if found.readable else ()


def same_values(field: str, found: Sequence[str], expected: Sequence[str]) -> bool:
    """Whether these are the values that a metadata field is expected to have."""
    is_date = field in FIELDS and FIELDS[field].holds is Holds.DATE
    return len(found) == len(expected) and all(_same(one, other, is_date) for one, other in zip(found, expected, strict=True))


def same_in_post(key: str, found: str | None, expected: str | None) -> bool:
    """Whether this is what a post is expected to have."""
    if found is None or expected is None:
        return found is expected
    return _same(found, expected, is_date=key == "when")


def _in_detail(found: Measures, expected: Expectation) -> Iterator[Difference]:
    for name, values in expected.metadata.items():
        there = found.metadata.get(name, ())
        if not same_values(name, there, values):
            yield _difference(name, values, there, f"expected {_in_order(values, there)}, found {_in_order(there, values)}")
    for name, count in expected.counts.items():
        if found.counts[name] != count:
            yield _difference(name, count, found.counts[name], f"expected {count}, found {found.counts[name]}")
    yield from _differences_of_post("first_post", found.posts[:1], expected.first_post)
    yield from _differences_of_post("last_post", found.posts[-1:], expected.last_post)
    yield from _texts(found, expected)
    for name, address in expected.addresses.items():
        there_is = found.addresses[name]
        if not same_address(there_is, address):
            yield _difference(name, address, there_is, f"expected {address or 'nothing'}, found {there_is or 'nothing'}")


def _differences_of_post(name: str, posts: Sequence[BlockObject], expected: Mapping[str, str | None] | None) -> Iterator[Difference]:
    if expected and not posts:
        yield _difference(name, tuple(expected), None, "there is no post")
        return
    for key, value in (expected or {}).items():
        there = posts[0].get(key)
        if not same_in_post(key, there, value):
            shown = _shown(value, there or ""), _shown(there, value or "")
            yield _difference(f"{name}.{key}", value, there, f"expected {shown[0]}, found {shown[1]}")


def _texts(found: Measures, expected: Expectation) -> Iterator[Difference]:
    where = "among the articles" if expected.kind == "archive" else "in the text"
    for wanted in expected.contains:
        if wanted not in found.texts:
            yield _difference("contains", wanted, None, f"{_shown(wanted)} is not {where}")
    for unwanted in expected.lacks:
        if unwanted in found.texts:
            yield _difference("lacks", None, unwanted, f"{_shown(unwanted)} is {where}")


def _difference(what: str, expected: Value, found: Value, how: str) -> Difference:
    return Difference(what=what, expected=expected, found=found, sentence=f"{what}: {how}")


def _same(found: str, expected: str, is_date: bool) -> bool:
    if expected.startswith(HASH):
        return fingerprint(found) == expected
    return normal(found) == normal(expected) or (is_date and _instant(found) is not None and _instant(found) == _instant(expected))


def _instant(written: str) -> datetime | None:
    """A moment with an offset; a day is none."""
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


def _in_order(texts: Sequence[str], others: Sequence[str]) -> str:
    beside = [*others, *[""] * len(texts)]
    return ", ".join(_shown(text, other) for text, other in zip(texts, beside, strict=False)) or "nothing"


def _shown(text: str | None, beside: str = "") -> str:
    """In quotes; of a long text the place where it begins to differ from the one `beside` it."""
    if text is None:
        return "nothing"
    if text.startswith(HASH):
        return f"{text[:_LONGEST_HASH]}..."
    text = normal(text)
    if len(text) <= _LONGEST_SHOWN:
        return f'"{text}"'
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, normal(beside), strict=False)))
    start = max(0, min(alike, len(text) - _LONGEST_SHOWN) - _BEFORE_THE_DIFFERENCE)
    end = start + _LONGEST_SHOWN
    return f'"{"..." if start else ""}{text[start:end]}{"..." if end < len(text) else ""}"'


# --- a new expectation, or an old one with only that changed which no longer holds ---

_FIELDS = ("headline", "author", "datePublished", "articleSection")
_POST = ("id", "when", "who", "title")
_FACTS = frozenset(("articleSection", "id", "when", "reply_to", "url"))
"""Texts that nobody wrote as a sentence or is named by: they need no hash."""
Expect = dict[str, Any]
"""What stands under `expect` in a tests.yaml."""


def expect_of(found: Measures, kind: Kind, *, hashed: bool) -> Expect:
    """What is worth expecting of any page. `hashed`: the page's own words as fingerprints."""
    outcome = {"outcome": found.outcome} if found.outcome != "article" else {}
    if not found.readable:
        return outcome or {"outcome": found.outcome}
    if kind == "archive":
        return {**outcome, **found.counts, **found.addresses}
    posts = {"posts": len(found.posts), "first_post": _told_post(found.posts[0], _POST, hashed)} if found.posts else {}
    return {
        **outcome,
        "metadata": {name: _values(name, found.metadata.get(name, ()), hashed) for name in _FIELDS},
        "paragraphs": found.counts["paragraphs"],
        **posts,
        **({"contains": texts} if (texts := _first_and_last(found, hashed)) else {}),
        **found.addresses,
    }


def corrected(expect: Mapping[str, Any], found: Measures, kind: Kind, *, hashed: bool) -> Expect:
    """What a person asked of the page stays asked, and what still holds stays as it is written; the rest is as the page gives it now."""
    if expect.get("outcome", "article") != found.outcome or not found.readable:
        return expect_of(found, kind, hashed=hashed)
    new: Expect = {}
    for name, old in expect.items():
        if name == "metadata":
            new[name] = {field: _value_now(field, values, found, hashed) for field, values in old.items()}
        elif name in ("first_post", "last_post"):
            posts = found.posts[:1] if name == "first_post" else found.posts[-1:]
            new |= {name: _post_now(old, posts[0], hashed)} if posts else {}
        elif name in ("contains", "lacks"):
            texts = _texts_now(name, old, found, hashed)
            new |= {name: texts} if texts else {}
        elif name in found.addresses:
            new[name] = old if same_address(found.addresses[name], old) else found.addresses[name]
        else:
            new[name] = found.counts.get(name, old)
    return new or expect_of(found, kind, hashed=hashed)


def _value_now(field: str, old: Any, found: Measures, hashed: bool) -> Any:
    now, texts = found.metadata.get(field, ()), _as_list(old)
    return old if same_values(field, now, texts) else _values(field, now, hashed or _is_hashed(texts))


def _post_now(old: Mapping[str, str | None], post: BlockObject, hashed: bool) -> Mapping[str, str | None]:
    hashed = hashed or _is_hashed(list(filter(None, old.values())))
    now = _told_post(post, old, hashed)
    return {key: value if same_in_post(key, post.get(key), value) else now[key] for key, value in old.items()}


def _texts_now(name: str, old: Any, found: Measures, hashed: bool) -> Any:
    texts = _as_list(old)
    kept = [text for text in texts if (text in found.texts) is (name == "contains")]
    if len(kept) == len(texts):
        return old
    if name == "contains":
        kept += [text for text in _first_and_last(found, hashed or _is_hashed(texts)) if text not in kept]
    return kept


def _first_and_last(found: Measures, hashed: bool) -> list[str]:
    ends = dict.fromkeys([*found.paragraphs[:1], *found.paragraphs[-1:]])
    return [fingerprint(text) if hashed else text for text in ends]


def _values(field: str, values: Sequence[str], hashed: bool) -> Any:
    """As a person writes them: null for none, one text where the field has one."""
    known = FIELDS[field]
    is_told = not hashed or known.holds is not Holds.TEXT or field in _FACTS
    written = [value if is_told else fingerprint(value) for value in values]
    return written if written and (known.many or len(written) > 1) else next(iter(written), None)


def _told_post(post: BlockObject, keys: Sequence[str] | Mapping[str, Any], hashed: bool) -> dict[str, str | None]:
    told = {key: post.get(key) or None for key in keys}
    return {key: fingerprint(text) if text and hashed and key not in _FACTS else text for key, text in told.items()}


def _is_hashed(texts: Sequence[str]) -> bool:
    return any(text.startswith(HASH) for text in texts)


def _as_list(written: Any) -> list[str]:
    if written is None:
        return []
    return [written] if isinstance(written, str) else list(written)
