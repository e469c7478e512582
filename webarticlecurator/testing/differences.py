"""What a page gave, beside what was expected of it: the differences in plain English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from webarticlecurator.config.expectations import HASH, Expectation, fingerprint, normal
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.testing.measures import BlockObject, Measures, same_address

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
            yield _difference(name, values, there, f"expected {_listed(values, there)}, found {_listed(there, values)}")
    for name, count in expected.counts.items():
        if found.counts[name] != count:
            yield _difference(name, count, found.counts[name], f"expected {count}, found {found.counts[name]}")
    yield from _post("first_post", found.posts[:1], expected.first_post)
    yield from _post("last_post", found.posts[-1:], expected.last_post)
    yield from _texts(found, expected)
    for name, address in expected.addresses.items():
        there_is = found.addresses[name]
        if not same_address(there_is, address):
            yield _difference(name, address, there_is, f"expected {address or 'nothing'}, found {there_is or 'nothing'}")


def _post(name: str, posts: Sequence[BlockObject], expected: Mapping[str, str | None] | None) -> Iterator[Difference]:
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


def _listed(texts: Sequence[str], others: Sequence[str]) -> str:
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
