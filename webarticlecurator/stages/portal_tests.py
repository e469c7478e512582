"""A portal's rules held against what is expected of its stored pages, the work of `curator test`; and what is
expected from now on."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import filterfalse
from pathlib import Path
from typing import Any

from webarticlecurator import resources
from webarticlecurator.amounts import text_if
from webarticlecurator.config.expectations import (
    HASH,
    POST_KEYS,
    Expectation,
    entry_of,
    fingerprint,
    normal,
    texts_in,
    with_entry,
)
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Portal, fitting_column
from webarticlecurator.config.yaml_edits import came_with_curator
from webarticlecurator.corpus.stored_pages import PagesOfCorpus
from webarticlecurator.databases import Row
from webarticlecurator.dates import instant
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.picked_values import TEXT
from webarticlecurator.model.capture import PageKind, Request
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.stages.trial import look
from webarticlecurator.storage.places import draft_of
from webarticlecurator.urls import is_http, normalise

_EXPECTABLE = frozenset(PageOutcome) - {PageOutcome.INVALID}
"""Outcomes that a page has by the rules; others say that there is no page."""
_LONGEST_SHOWN = 80
_LONGEST_HASH = len(HASH) + 12
_BEFORE_THE_DIFFERENCE = 20
_ADDRESSES = frozenset(("first_article", "last_article", "next"))
_POSTS = ("first_post", "last_post")
Value = str | int | tuple[str, ...] | None
Block = Mapping[str, Any]
"""A block or inline, as JSON has it."""
Expect = dict[str, Any]
"""The mapping under `expect` in a tests.yaml."""


class Result(StrEnum):
    """The results of comparing a page with what is expected of it."""

    AS_EXPECTED = "as-expected"
    DIFFERS = "differs"
    NOT_STORED = "not-stored"


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that is not as expected."""

    what: str
    """The name of the value in the file of expectations: headline, paragraphs, first_post.who."""
    expected: Value
    found: Value
    sentence: str
    """The sentence in plain English, long texts cut to where they begin to differ."""


@dataclass(frozen=True, slots=True)
class Tested:
    """A page beside what is expected of it."""

    url: str
    kind: PageKind
    differences: tuple[Difference, ...] = ()
    missing: str = ""
    """The reason why there is no page to look at."""

    @property
    def result(self) -> Result:
        if self.missing:
            return Result.NOT_STORED
        return Result.DIFFERS if self.differences else Result.AS_EXPECTED


def tests_file(portal: Portal) -> Path:
    return resources.tests_of(portal.sources[0].path)


def writable_tests_file(portal: Portal) -> Path:
    """Return the same file, to be written. Raises UsageError for a portal that came with the program."""
    path, file = portal.sources[0].path, tests_file(portal)
    if resources.is_inside_package(path) or file.parent != path.parent:
        raise came_with_curator(path)
    return file


def tested(expectations: Iterable[Expectation], portal: Portal, pages: PagesOfCorpus) -> Iterator[Tested]:
    """Yield every page that something is expected of, in the order of the file."""
    for expected in expectations:
        seen = _seen(expected.url, expected.kind, portal, pages)
        if isinstance(seen, str):
            yield Tested(expected.url, expected.kind, missing=seen)
        else:
            yield Tested(expected.url, expected.kind, tuple(_differences(seen, expected)))


def accept(
    urls: Sequence[str], kind: PageKind | None, portal: Portal, pages: PagesOfCorpus, *, hashed: bool
) -> Row:
    """Expect of these pages what the rules make of them now; the file is written when something in it
    changes.

    Gives the `file`, its text `before` and `after`, and the pages that were `accepted` and `refused`, as JSON
    tells them. Raises PortalFileError with all mistakes in the file as it is, UsageError where a program
    cannot change it.
    """
    file = writable_tests_file(portal)
    try:
        content = file.read_bytes().decode("utf-8-sig") if file.exists() else ""
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8 text; save it in UTF-8.") from None
    text = content.replace("\r\n", "\n")
    result = Row(file=file, before=text, after=text, accepted=[], refused=[])
    for url in dict.fromkeys(urls):
        if refusal := _accept(result, url, kind, portal, pages, hashed):
            result.refused.append({"url": url, "reason": refusal})
    if result.after != text:
        with draft_of(file) as draft:
            draft.write_text(result.after, encoding="utf-8", newline="\r\n" if "\r\n" in content else "\n")
    return result


def _accept(
    result: Row, url: str, kind: PageKind | None, portal: Portal, pages: PagesOfCorpus, hashed: bool
) -> str:
    """Accept a page as it is; return why not, if it cannot be."""
    if not is_http(url):
        return "this is not a web address with http or https"
    entry = entry_of(result.after, result.file, url, kind)
    if kind is None and entry is not None:
        kind = entry.get("as", "article")
    kind = kind or (
        "archive"
        if fitting_column(portal, url) is not None or pages.walked_by(url) is not None
        else "article"
    )
    seen = _seen(url, kind, portal, pages)
    if isinstance(seen, str):
        return seen
    if seen.outcome not in _EXPECTABLE:
        return f"there is no page to expect something of: {seen.outcome} ({seen.reason})"
    expect = _corrected(entry["expect"], seen, hashed) if entry is not None else _expect_of(seen, hashed)
    lines = {"url": url, **({"as": kind} if kind == "archive" else {}), "expect": expect}
    result["after"] = with_entry(result.after, result.file, lines)
    result.accepted.append({"url": url, "as": kind})
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The answers to all that can be asked of a page."""

    outcome: str
    reason: str = ""
    facts: Mapping[str, Value] = field(default_factory=dict)
    """The single values, by the name that a difference of it has; a page that could not be read has none."""
    paragraphs: Sequence[str] = ()
    """The texts of the paragraphs, those of posts too."""
    texts: Sequence[str] = ()
    """The texts of whole blocks and titles of posts, in any part of which may be looked for."""
    articles: Sequence[str] = ()
    """The addresses of the articles of an archive page."""

    def has(self, wanted: str) -> bool:
        """Return True if something stands there: plainly, any part of a text; as a hash, a whole block or a
        post's title; of an archive page, an address."""
        if wanted.startswith(HASH):
            return wanted in map(fingerprint, (*self.texts, *self.articles))
        return normal(wanted) in "\n".join(self.texts) or normalise(wanted) in map(normalise, self.articles)


def _seen(url: str, kind: PageKind, portal: Portal, pages: PagesOfCorpus) -> _Seen | str:
    """Return what the page gives, or why there is none."""
    answer = pages.fetch(Request(url=url))
    if answer.capture is None and not answer.exchanges:
        return answer.verdict.reason
    if kind == "article":
        line = look(url, portal=portal, source=pages, kind=kind, listing=pages.listing(url))
    else:
        line = look(url, portal=portal, source=pages, kind=kind, column=pages.walked_by(url))
    outcome, reason = line.get("outcome", PageOutcome.ARTICLE.value), line.get("reason", "")
    if "articles" in line:
        urls = [article["url"] for article in line["articles"]]
        return _Seen(outcome=outcome, facts=_facts_of_list(urls, line.get("next")), articles=urls)
    if "metadata" not in line:
        return _Seen(outcome=outcome, reason=reason)
    nodes, comments = list(_walk(line["blocks"])), line.get("comments", [])
    paragraphs = [node["text"] for node in nodes if node["type"] == "paragraph"]
    texts = (text for node in (*nodes, *_walk(comments)) for text in (node["text"], node.get("title")))
    return _Seen(
        outcome=outcome,
        reason=reason,
        facts=_facts_of_article(line, nodes),
        paragraphs=[text for text in paragraphs if normal(text)],
        texts=[normal(text) for text in texts if text],
    )


def _facts_of_list(urls: Sequence[str], next_page: str | None) -> Mapping[str, Value]:
    first, last = (urls[0], urls[-1]) if urls else (None, None)
    return {"articles": len(urls), "first_article": first, "last_article": last, "next": next_page}


def _facts_of_article(line: Mapping[str, Any], nodes: Sequence[Block]) -> Mapping[str, Value]:
    """Return the single values of an article; `nodes`: all blocks and inlines of its text."""
    posts = [node for node in nodes if node["type"] == "post"] + line.get("comments", [])
    inside = {id(node) for post in posts for node in _walk(post["children"])}
    outside = [node for node in nodes if id(node) not in inside]
    facts: dict[str, Value] = {
        name: tuple(value["value"] for value in line["metadata"].get(name, ())) for name in FIELDS
    }
    facts |= {
        "paragraphs": [node["type"] for node in outside].count("paragraph"),
        "links": [node["type"] for node in nodes].count("link"),
        "posts": len(posts),
        "next": line.get("next_page"),
    }
    if posts:
        for name, post in zip(_POSTS, (posts[0], posts[-1]), strict=True):
            facts |= {f"{name}.{key}": post.get(key) or None for key in POST_KEYS}
    return facts


def _walk(nodes: Sequence[Block]) -> Iterator[Block]:
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node["children"]))


def _asked_facts(name: str, asked: Any) -> Mapping[str, Any]:
    """The facts that are asked for under this name."""
    if name in _POSTS:
        return {f"{name}.{key}": wanted for key, wanted in asked.items()}
    facts: Mapping[str, Any] = asked if name == "metadata" else {name: asked}
    return facts


def _differences(seen: _Seen, expected: Expectation) -> Iterator[Difference]:
    """Yield the differences in the order of the file; if there is none, all is as expected. A page of another
    outcome is asked for nothing else."""
    if seen.outcome != expected.outcome:
        shown = f"{seen.outcome} ({seen.reason})" if seen.reason else seen.outcome
        yield Difference(
            "outcome", expected.outcome, seen.outcome, f"outcome: expected {expected.outcome}, found {shown}"
        )
        return
    for name, asked in expected.asked.items() if seen.facts else ():
        if name in _PARTS:
            yield from _differing_parts(name, seen, expected)
        elif name in _POSTS and not seen.facts["posts"]:
            yield Difference(name, tuple(asked), None, f"{name}: there is no post")
        elif name != "outcome":
            yield from _differing_facts(name, asked, seen)


_PARTS = ("contains", "lacks")
"""The keys under which parts of the text, or of the list, are asked for."""


def _differing_parts(name: str, seen: _Seen, expected: Expectation) -> Iterator[Difference]:
    where = "among the articles" if expected.kind == "archive" else "in the text"
    if name == "contains":
        for text in filterfalse(seen.has, expected.contains):
            yield Difference(name, text, None, f"contains: {_in_quotes(text)} is not {where}")
    else:
        for text in filter(seen.has, expected.lacks):
            yield Difference(name, None, text, f"lacks: {_in_quotes(text)} is {where}")


def _differing_facts(name: str, asked: Any, seen: _Seen) -> Iterator[Difference]:
    for fact, wanted in _asked_facts(name, asked).items():
        found = seen.facts[fact]
        if not _same(fact, found, wanted):
            sentence = f"{fact}: expected {_shown(fact, wanted, found)}, found {_shown(fact, found, wanted)}"
            yield Difference(fact, texts_in(wanted) if name == "metadata" else wanted, found, sentence)


def _same(fact: str, found: Any, wanted: Any) -> bool:
    there, expected = _as_texts(found), _as_texts(wanted)
    return len(there) == len(expected) and all(
        _same_text(fact, *pair) for pair in zip(there, expected, strict=True)
    )


def _same_text(fact: str, found: str, wanted: str) -> bool:
    if fact in _ADDRESSES:
        return found == wanted or normalise(found) == normalise(wanted)
    if wanted.startswith(HASH):
        return fingerprint(found) == wanted
    is_date = fact.endswith(".when") or FIELDS.get(fact, TEXT).holds is Holds.DATE
    return normal(found) == normal(wanted) or (
        is_date and instant(found) is not None and instant(found) == instant(wanted)
    )


def _as_texts(value: Any) -> tuple[str, ...]:
    return (str(value),) if isinstance(value, int) else texts_in(value)


def _shown(fact: str, value: Any, other: Any) -> str:
    texts = _as_texts(value)
    is_text = fact not in _ADDRESSES and not isinstance(value, int)
    return (
        ", ".join(map(_in_quotes, texts, (*_as_texts(other), *[""] * len(texts))) if is_text else texts)
        or "nothing"
    )


def _in_quotes(text: str, beside: str = "") -> str:
    """Return a text in quotes: of a long one the place where it begins to differ from the one `beside` it; of
    a hash its beginning, without quotes."""
    if text.startswith(HASH):
        return f"{text[:_LONGEST_HASH]}..."
    text = normal(text)
    if len(text) <= _LONGEST_SHOWN:
        return f'"{text}"'
    alike = len(os.path.commonprefix([text, normal(beside)]))  # noqa: RUF071  # of letters
    start = max(0, min(alike, len(text) - _LONGEST_SHOWN) - _BEFORE_THE_DIFFERENCE)
    end = start + _LONGEST_SHOWN
    before, behind = text_if(start, "..."), text_if(end < len(text), "...")
    return f'"{before}{text[start:end]}{behind}"'


# --- a new expectation, or an old one with only that changed which no longer holds ---

_FIELDS = ("headline", "author", "datePublished", "articleSection")
_POST = ("id", "when", "who", "title")
_PLAIN = _ADDRESSES | {"articleSection", "id", "when", "reply_to", "url"}
"""Texts that nobody wrote as a sentence or is named by: they need no hash."""


def _expect_of(seen: _Seen, hashed: bool) -> Expect:
    """Return what is worth expecting of any page. `hashed`: the page's own words as fingerprints."""
    facts = seen.facts
    outcome = {"outcome": seen.outcome} if seen.outcome != PageOutcome.ARTICLE or not facts else {}
    if not facts or "articles" in facts:
        return {**outcome, **facts}
    expect: Expect = {
        **outcome,
        "metadata": {name: _written(name, seen, hashed) for name in _FIELDS},
        "paragraphs": facts["paragraphs"],
    }
    if facts["posts"]:
        expect["posts"] = facts["posts"]
        expect["first_post"] = {key: _written(f"first_post.{key}", seen, hashed) for key in _POST}
    texts = _first_and_last(seen, hashed)
    if texts:
        expect["contains"] = texts
    return {**expect, "next": facts["next"]}


def _corrected(expect: Mapping[str, Any], seen: _Seen, hashed: bool) -> Expect:
    """Correct an entry: what a person asked of the page stays asked, and what still holds stays as it is
    written; the rest is as the page gives it now."""
    if expect.get("outcome", PageOutcome.ARTICLE) != seen.outcome or not seen.facts:
        return _expect_of(seen, hashed)
    new: Expect = {}
    for name, old in expect.items():
        if name == "outcome":
            new[name] = old
        elif name in _PARTS:
            texts = _corrected_parts(name, old, seen, hashed)
            if texts:
                new[name] = texts
        elif name not in _POSTS or seen.facts["posts"]:
            new[name] = _corrected_facts(name, old, seen, hashed)
    return new or _expect_of(seen, hashed)


def _corrected_parts(name: str, old: Any, seen: _Seen, hashed: bool) -> Any:
    """Return the texts that still hold; where one that must be there is gone, with the first and the last of
    the page as it is."""
    texts = list(texts_in(old))
    is_wanted = name == "contains"
    kept = [text for text in texts if seen.has(text) is is_wanted]
    if is_wanted and len(kept) < len(texts):
        kept = list(dict.fromkeys([*kept, *_first_and_last(seen, hashed or _is_hashed(old))]))
    return old if kept == texts else kept


def _corrected_facts(name: str, old: Any, seen: _Seen, hashed: bool) -> Any:
    """Return what is asked, with the values that do not hold any more as they are now."""
    asked = _asked_facts(name, old)
    hides = hashed or (name in _POSTS and any(_is_hashed(wanted) for wanted in asked.values()))
    now = []
    for fact, wanted in asked.items():
        holds = _same(fact, seen.facts[fact], wanted)
        now.append(wanted if holds else _written(fact, seen, hides or _is_hashed(wanted)))
    return dict(zip(old, now, strict=True)) if isinstance(old, Mapping) else now[0]


def _first_and_last(seen: _Seen, hashed: bool) -> list[str]:
    return [
        fingerprint(text) if hashed else text
        for text in dict.fromkeys([*seen.paragraphs[:1], *seen.paragraphs[-1:]])
    ]


def _written(fact: str, seen: _Seen, hashed: bool) -> Any:
    """Return a value as a person writes it: null for none, one text where there cannot be more."""
    value, rules = seen.facts[fact], FIELDS.get(fact, TEXT)
    if isinstance(value, int):
        return value
    is_plain = not hashed or fact.rpartition(".")[2] in _PLAIN or rules.holds is not Holds.TEXT
    written = [text if is_plain else fingerprint(text) for text in texts_in(value)]
    is_list = len(written) > 1 or (written and rules.many)
    return written if is_list else next(iter(written), None)


def _is_hashed(asked: Any) -> bool:
    return any(text.startswith(HASH) for text in _as_texts(asked))
