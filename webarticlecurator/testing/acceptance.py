"""An expectation made of what a page gives now: a new one, or an old one with only that changed which no longer holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from webarticlecurator.config.expectations import HASH, Kind, fingerprint
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.testing.differences import same_in_post, same_values
from webarticlecurator.testing.measures import BlockObject, Measures, same_address

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
    posts = {"posts": len(found.posts), "first_post": _post(found.posts[0], _POST, hashed)} if found.posts else {}
    return {
        **outcome,
        "metadata": {name: _values(name, found.metadata.get(name, ()), hashed) for name in _FIELDS},
        "paragraphs": found.counts["paragraphs"],
        **posts,
        **_present("contains", _first_and_last(found, hashed)),
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
            new |= _present(name, _texts_now(name, old, found, hashed))
        elif name in found.addresses:
            new[name] = old if same_address(found.addresses[name], old) else found.addresses[name]
        else:
            new[name] = found.counts.get(name, old)
    return new or expect_of(found, kind, hashed=hashed)


def _value_now(field: str, old: Any, found: Measures, hashed: bool) -> Any:
    now, texts = found.metadata.get(field, ()), _listed(old)
    return old if same_values(field, now, texts) else _values(field, now, hashed or _is_hashed(texts))


def _post_now(old: Mapping[str, str | None], post: BlockObject, hashed: bool) -> Mapping[str, str | None]:
    hashed = hashed or _is_hashed(list(filter(None, old.values())))
    now = _post(post, old, hashed)
    return {key: value if same_in_post(key, post.get(key), value) else now[key] for key, value in old.items()}


def _texts_now(name: str, old: Any, found: Measures, hashed: bool) -> Any:
    texts = _listed(old)
    kept = [text for text in texts if (text in found.texts) is (name == "contains")]
    if len(kept) == len(texts):
        return old
    if name == "contains":
        kept += [text for text in _first_and_last(found, hashed or _is_hashed(texts)) if text not in kept]
    return kept


def _first_and_last(found: Measures, hashed: bool) -> list[str]:
    ends = dict.fromkeys([*found.paragraphs[:1], *found.paragraphs[-1:]])
    return [_words(hashed)(text) for text in ends]


def _values(field: str, values: Sequence[str], hashed: bool) -> Any:
    """As a person writes them: null for none, one text where the field has one."""
    known = FIELDS[field]
    words = _words(hashed and known.holds is Holds.TEXT and field not in _FACTS)
    written = [words(value) for value in values]
    return written if written and (known.many or len(written) > 1) else next(iter(written), None)


def _post(post: BlockObject, keys: Sequence[str] | Mapping[str, Any], hashed: bool) -> dict[str, str | None]:
    return {key: _words(hashed and key not in _FACTS)(post[key]) if post.get(key) else None for key in keys}


def _words(hashed: bool) -> Callable[[str], str]:
    return fingerprint if hashed else str


def _is_hashed(texts: Sequence[str]) -> bool:
    return any(text.startswith(HASH) for text in texts)


def _present(name: str, texts: Any) -> Expect:
    return {name: texts} if texts else {}


def _listed(written: Any) -> list[str]:
    if written is None:
        return []
    return [written] if isinstance(written, str) else list(written)
