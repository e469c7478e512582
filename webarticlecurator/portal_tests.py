"""A portal's rules held against what is expected of its stored pages, the work of `curator test`; and what is expected from now on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import takewhile
from pathlib import Path
from typing import Any

from webarticlecurator.config.expectations import FILE_NAME, HASH, Expectation, entry_of, fingerprint, normal, with_entry
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Portal, fitting_column
from webarticlecurator.corpus.stored_pages import PagesOfCorpus
from webarticlecurator.errors import UsageError
from webarticlecurator.model.capture import PageKind, Request
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.storage.places import draft_of
from webarticlecurator.trial import look
from webarticlecurator.urls import is_http, normalise

_EXPECTABLE = frozenset(PageOutcome) - {PageOutcome.INVALID}
"""Outcomes that a page has by the rules; others say that there is no page."""
_LONGEST_SHOWN = 80
_LONGEST_HASH = len(HASH) + 12
_BEFORE_THE_DIFFERENCE = 20
Value = str | int | tuple[str, ...] | None
Block = Mapping[str, Any]
"""A block or inline, as JSON has it."""
Expect = dict[str, Any]
"""What stands under `expect` in a tests.yaml."""


class Result(StrEnum):
    """How a page compares with what is expected of it."""

    AS_EXPECTED = "as-expected"
    DIFFERS = "differs"
    NOT_STORED = "not-stored"


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that is not as expected."""

    what: str
    """As the file of expectations names it: headline, paragraphs, first_post.who."""
    expected: Value
    found: Value
    sentence: str
    """In plain English, long texts cut to where they begin to differ."""


@dataclass(frozen=True, slots=True)
class Tested:
    """A page beside what is expected of it."""

    url: str
    kind: PageKind
    differences: tuple[Difference, ...] = ()
    missing: str = ""
    """Why there is no page to look at."""

    @property
    def result(self) -> Result:
        if self.missing:
            return Result.NOT_STORED
        return Result.DIFFERS if self.differences else Result.AS_EXPECTED


@dataclass(slots=True)
class Acceptance:
    """What became of the pages whose present result was to be expected from now on."""

    file: Path
    before: str
    after: str
    accepted: list[tuple[str, PageKind]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    """URL and reason."""


def tests_file(portal: Portal) -> Path:
    return portal.sources[0].path.with_name(FILE_NAME)


def tested(expectations: Iterable[Expectation], portal: Portal, pages: PagesOfCorpus) -> Iterator[Tested]:
    """Every page that something is expected of, in the order of the file."""
    for expected in expectations:
        seen = _seen(expected.url, expected.kind, portal, pages)
        if isinstance(seen, str):
            yield Tested(expected.url, expected.kind, missing=seen)
        else:
            yield Tested(expected.url, expected.kind, tuple(_differences(seen, expected)))


def accept(urls: Sequence[str], kind: PageKind | None, portal: Portal, pages: PagesOfCorpus, *, hashed: bool) -> Acceptance:
    """Expect of these pages what the rules make of them now; the file is written when something in it changes.

    Raises PortalFileError with all mistakes in the file as it is, UsageError where a program cannot change it.
    """
    file = tests_file(portal)
    try:
        content = file.read_bytes().decode("utf-8-sig") if file.exists() else ""
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8 text; save it in UTF-8.") from None
    text = content.replace("\r\n", "\n")
    acceptance = Acceptance(file, before=text, after=text)
    for url in dict.fromkeys(urls):
        refusal = _accept(acceptance, url, kind, portal, pages, hashed)
        acceptance.refused += [(url, refusal)] if refusal else []
    if acceptance.after != text:
        with draft_of(file) as draft:
            draft.write_text(acceptance.after, encoding="utf-8", newline="\r\n" if "\r\n" in content else "\n")
    return acceptance


def _accept(acceptance: Acceptance, url: str, kind: PageKind | None, portal: Portal, pages: PagesOfCorpus, hashed: bool) -> str:
    """Why not, if not."""
    if not is_http(url):
        return "this is not a web address with http or https"
    entry = entry_of(acceptance.after, acceptance.file, url, kind)
    if kind is None and entry is not None:
        kind = entry.get("as", "article")
    kind = kind or ("archive" if fitting_column(portal, url) is not None or pages.walked_by(url) is not None else "article")
    seen = _seen(url, kind, portal, pages)
    if isinstance(seen, str):
        return seen
    if seen.outcome not in _EXPECTABLE:
        return f"there is no page to expect something of: {seen.outcome} ({seen.reason})"
    expect = _corrected(entry["expect"], seen, hashed) if entry is not None else _expect_of(seen, hashed)
    lines = {"url": url, **({"as": kind} if kind == "archive" else {}), "expect": expect}
    acceptance.after = with_entry(acceptance.after, acceptance.file, lines)
    acceptance.accepted.append((url, kind))
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What can be asked of a page, and the answers; a page that could not be read has nothing but its outcome."""

    outcome: str
    reason: str = ""
    is_readable: bool = True
    metadata: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    posts: Sequence[Block] = ()
    """Comments too."""
    addresses: Mapping[str, str | None] = field(default_factory=dict)
    paragraphs: Sequence[str] = ()
    """Their texts, those of posts too."""
    texts: Sequence[str] = ()
    """Of whole blocks and titles of posts, in any part of which may be looked for."""
    articles: Sequence[str] = ()
    """Of an archive page: their addresses."""

    def has(self, wanted: str) -> bool:
        """Plainly, any part of a text; as a hash, a whole block or a post's title; of an archive page, an address."""
        if wanted.startswith(HASH):
            return wanted in map(fingerprint, (*self.texts, *self.articles))
        return normal(wanted) in "\n".join(self.texts) or normalise(wanted) in map(normalise, self.articles)


def _seen(url: str, kind: PageKind, portal: Portal, pages: PagesOfCorpus) -> _Seen | str:
    """What the page gives, or why there is none."""
    answer = pages.fetch(Request(url=url))
    if answer.capture is None and not answer.exchanges:
        return answer.verdict.reason
    of_article = kind == "article"
    column, listing = None if of_article else pages.walked_by(url), pages.listing(url) if of_article else None
    line = look(url, portal=portal, source=pages, kind=kind, column=column, listing=listing)
    outcome, reason = line.get("outcome", PageOutcome.ARTICLE.value), line.get("reason", "")
    if "articles" in line:
        urls = [article["url"] for article in line["articles"]]
        ends = {"first_article": urls[0] if urls else None, "last_article": urls[-1] if urls else None}
        return _Seen(outcome=outcome, counts={"articles": len(urls)}, addresses={**ends, "next": line.get("next")}, articles=urls)
    if "metadata" not in line:
        return _Seen(outcome=outcome, reason=reason, is_readable=False)
    nodes, comments = list(_walk(line["blocks"])), line.get("comments", [])
    posts = [node for node in nodes if node["type"] == "post"] + comments
    inside = {id(node) for post in posts for node in _walk(post["children"])}
    paragraphs = [node for node in nodes if node["type"] == "paragraph"]
    counts = {"paragraphs": sum(id(node) not in inside for node in paragraphs), "posts": len(posts)}
    return _Seen(
        outcome=outcome,
        reason=reason,
        metadata={name: tuple(value["value"] for value in values) for name, values in line["metadata"].items()},
        counts=counts | {"links": sum(node["type"] == "link" for node in nodes)},
        posts=posts,
        addresses={"next": line.get("next_page")},
        paragraphs=[node["text"] for node in paragraphs if normal(node["text"])],
        texts=[normal(text) for node in (*nodes, *_walk(comments)) for text in (node["text"], node.get("title")) if text],
    )


def _walk(nodes: Sequence[Block]) -> Iterator[Block]:
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node["children"]))


def _differences(seen: _Seen, expected: Expectation) -> Iterator[Difference]:
    """Nothing: all is as expected. A page of another outcome is asked for nothing else."""
    if seen.outcome != expected.outcome:
        shown = f"{seen.outcome} ({seen.reason})" if seen.reason else seen.outcome
        yield _difference("outcome", expected.outcome, seen.outcome, expected.outcome, shown)
        return
    if not seen.is_readable:
        return
    for name, values in expected.metadata.items():
        there = seen.metadata.get(name, ())
        if not _same_values(name, there, values):
            yield _difference(name, values, there, _in_order(values, there), _in_order(there, values))
    for name, count in expected.counts.items():
        if seen.counts[name] != count:
            yield _difference(name, count, seen.counts[name], str(count), str(seen.counts[name]))
    for name, posts, wanted in (("first_post", seen.posts[:1], expected.first_post), ("last_post", seen.posts[-1:], expected.last_post)):
        if wanted and not posts:
            yield Difference(name, tuple(wanted), None, f"{name}: there is no post")
        for key, value in wanted.items() if wanted and posts else ():
            has = posts[0].get(key)
            if not _same(has, value, is_date=key == "when"):
                yield _difference(f"{name}.{key}", value, has, _shown(value, has or ""), _shown(has, value or ""))
    where = "among the articles" if expected.kind == "archive" else "in the text"
    for text in expected.contains:
        if not seen.has(text):
            yield Difference("contains", text, None, f"contains: {_shown(text)} is not {where}")
    for text in expected.lacks:
        if seen.has(text):
            yield Difference("lacks", None, text, f"lacks: {_shown(text)} is {where}")
    for name in ("first_article", "last_article", "next"):
        address, leads_to = getattr(expected, name), seen.addresses.get(name)
        if name in expected.named and not _same_address(leads_to, address):
            yield _difference(name, address, leads_to, address or "nothing", leads_to or "nothing")


def _difference(what: str, expected: Value, actual: Value, expected_shown: str, found_shown: str) -> Difference:
    return Difference(what, expected, actual, f"{what}: expected {expected_shown}, found {found_shown}")


def _same_values(name: str, actual: Sequence[str], expected: Sequence[str]) -> bool:
    """Whether these are the values that a metadata field is expected to have."""
    is_date = name in FIELDS and FIELDS[name].holds is Holds.DATE
    return len(actual) == len(expected) and all(_same(*pair, is_date=is_date) for pair in zip(actual, expected, strict=True))


def _same(actual: str | None, expected: str | None, *, is_date: bool) -> bool:
    if actual is None or expected is None:
        return actual is expected
    if expected.startswith(HASH):
        return fingerprint(actual) == expected
    return normal(actual) == normal(expected) or (is_date and _instant(actual) is not None and _instant(actual) == _instant(expected))


def _same_address(actual: str | None, expected: str | None) -> bool:
    return actual == expected or (actual is not None and expected is not None and normalise(actual) == normalise(expected))


def _instant(written: str) -> datetime | None:
    """A moment with an offset; a day is none."""
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


def _in_order(texts: Sequence[str], others: Sequence[str]) -> str:
    return ", ".join(map(_shown, texts, (*others, *[""] * len(texts)))) or "nothing"


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


def _expect_of(seen: _Seen, hashed: bool) -> Expect:
    """What is worth expecting of any page. `hashed`: the page's own words as fingerprints."""
    outcome = {"outcome": seen.outcome} if seen.outcome != PageOutcome.ARTICLE or not seen.is_readable else {}
    if not seen.is_readable or "articles" in seen.counts:
        return {**outcome, **seen.counts, **seen.addresses}
    posts = {"posts": len(seen.posts), "first_post": _post_of(seen.posts[0], _POST, hashed)} if seen.posts else {}
    return {
        **outcome,
        "metadata": {name: _values(name, seen.metadata.get(name, ()), hashed) for name in _FIELDS},
        "paragraphs": seen.counts["paragraphs"],
        **posts,
        **({"contains": texts} if (texts := _first_and_last(seen, hashed)) else {}),
        **seen.addresses,
    }


def _corrected(expect: Mapping[str, Any], seen: _Seen, hashed: bool) -> Expect:
    """What a person asked of the page stays asked, and what still holds stays as it is written; the rest is as the page gives it now."""
    if expect.get("outcome", PageOutcome.ARTICLE) != seen.outcome or not seen.is_readable:
        return _expect_of(seen, hashed)
    new: Expect = {}
    for name, old in expect.items():
        if name == "metadata":
            new[name] = dict(old)
            for key, values in old.items():
                there, texts = seen.metadata.get(key, ()), _as_list(values)
                if not _same_values(key, there, texts):
                    new[name][key] = _values(key, there, hashed or _is_hashed(texts))
        elif name in ("first_post", "last_post"):
            for post in seen.posts[:1] if name == "first_post" else seen.posts[-1:]:
                now = _post_of(post, old, hashed or _is_hashed(filter(None, old.values())))
                new[name] = {key: value if _same(post.get(key), value, is_date=key == "when") else now[key] for key, value in old.items()}
        elif name in ("contains", "lacks"):
            texts = _as_list(old)
            kept = [text for text in texts if seen.has(text) is (name == "contains")]
            if name == "contains" and len(kept) < len(texts):
                kept = list(dict.fromkeys([*kept, *_first_and_last(seen, hashed or _is_hashed(texts))]))
            new |= {name: old if kept == texts else kept} if kept else {}
        elif name in seen.addresses:
            new[name] = old if _same_address(seen.addresses[name], old) else seen.addresses[name]
        else:
            new[name] = seen.counts.get(name, old)
    return new or _expect_of(seen, hashed)


def _first_and_last(seen: _Seen, hashed: bool) -> list[str]:
    ends = dict.fromkeys([*seen.paragraphs[:1], *seen.paragraphs[-1:]])
    return [fingerprint(text) if hashed else text for text in ends]


def _values(name: str, values: Sequence[str], hashed: bool) -> Any:
    """As a person writes them: null for none, one text where the field has one."""
    is_plain = not hashed or FIELDS[name].holds is not Holds.TEXT or name in _FACTS
    written = [value if is_plain else fingerprint(value) for value in values]
    return written if written and (FIELDS[name].many or len(written) > 1) else next(iter(written), None)


def _post_of(post: Block, keys: Iterable[str], hashed: bool) -> dict[str, str | None]:
    texts = {key: post.get(key) or None for key in keys}
    return {key: fingerprint(text) if text and hashed and key not in _FACTS else text for key, text in texts.items()}


def _is_hashed(texts: Iterable[str]) -> bool:
    return any(text.startswith(HASH) for text in texts)


def _as_list(written: Any) -> list[str]:
    return [] if written is None else [written] if isinstance(written, str) else list(written)
