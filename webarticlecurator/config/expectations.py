"""What must come out of named pages of a portal: the file tests.yaml beside its portal file, read and checked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from jsonschema import Draft7Validator

from webarticlecurator import resources
from webarticlecurator.config.structure import check_shape
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, plain
from webarticlecurator.config.yaml_reading import content_of, read_document
from webarticlecurator.errors import Mistake, PortalFileError

FILE_NAME = "tests.yaml"
Kind = Literal["article", "archive"]
_ASKED_OF: dict[str, Kind] = {
    **dict.fromkeys(("metadata", "paragraphs", "links", "posts", "first_post", "last_post"), "article"),
    **dict.fromkeys(("articles", "first_article", "last_article"), "archive"),
}
"""What makes no sense of the other kind of page."""
_COUNTS = ("paragraphs", "links", "posts", "articles")
_ADDRESSES = ("first_article", "last_article", "next")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What must come out of one page; of what is not named anything may come."""

    url: str
    kind: Kind = "article"
    outcome: str = "article"
    """Of an archive page only that it can be read."""
    metadata: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Field -> all its values in order; nothing: it must have none."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Of paragraphs, links, posts, articles."""
    first_post: Mapping[str, str | None] = field(default_factory=dict)
    last_post: Mapping[str, str | None] = field(default_factory=dict)
    contains: tuple[str, ...] = ()
    """Texts, as they are or as "sha256:" and the hash; of an archive page addresses of articles."""
    lacks: tuple[str, ...] = ()
    addresses: Mapping[str, str | None] = field(default_factory=dict)
    """Of the next page, the first and the last article; None: there must be none."""


def load_expectations(path: Path) -> tuple[Expectation, ...]:
    """Read a tests.yaml. Raises PortalFileError with all mistakes, and UsageError where the file cannot be read."""
    return parse_expectations(content_of(path), path)


def parse_expectations(content: bytes, path: Path) -> tuple[Expectation, ...]:
    """What a tests.yaml says; `path` is for messages. Raises PortalFileError with all mistakes."""
    return tuple(_expectation(plain(page)) for page in read_pages(content, path).items)


def read_pages(content: bytes, path: Path) -> ListNode:
    """The list of pages, each as it stands in the file, when nothing is wrong with any. Raises PortalFileError with all mistakes."""
    root, mistakes = read_document(content, path, "a file of expectations")
    if not isinstance(root, ListNode):
        place = root.place if root is not None else FilePlace(path, 1, 1)
        raise PortalFileError(tuple(mistakes) or (place.mistake("expected a list of pages: `- url: ...` with `expect: ...`"),))
    checked = check_shape(root, _validator(), {})
    mistakes += [*checked.mistakes, *_contradictions(checked.root)]
    if mistakes:
        raise PortalFileError(tuple(dict.fromkeys(mistakes)))
    return root


@cache
def _validator() -> Draft7Validator:
    return Draft7Validator(json.loads(resources.schema("site-tests.schema.json").read_bytes()))


def _contradictions(root: ListNode) -> Iterator[Mistake]:
    """What no schema can tell."""
    seen: dict[tuple[str, str], int] = {}
    for page in root.items:
        if not isinstance(page, MapNode):
            continue
        url, kind = (str(plain(page.entries[key])) if key in page.entries else "" for key in ("url", "as"))
        kind = kind or "article"
        line = seen.setdefault((url, kind), page.place.line)
        if url and line != page.place.line:
            yield page.place.mistake(f"this page was already told of in line {line}; say all about it there")
        expect = page.entries.get("expect")
        if isinstance(expect, MapNode):
            for name, place in expect.keys.items():
                if name in expect.entries and _ASKED_OF.get(name, kind) != kind:
                    yield place.mistake(f"`{name}` is asked of an {_ASKED_OF[name]}, and this page is read as an {kind}")


def _expectation(page: Mapping[str, Any]) -> Expectation:
    expect = page["expect"]
    return Expectation(
        url=page["url"],
        kind=page.get("as", "article"),
        outcome=expect.get("outcome", "article"),
        metadata={name: _texts(values) for name, values in expect.get("metadata", {}).items()},
        counts={name: expect[name] for name in _COUNTS if name in expect},
        first_post=expect.get("first_post", {}),
        last_post=expect.get("last_post", {}),
        contains=_texts(expect.get("contains")),
        lacks=_texts(expect.get("lacks")),
        addresses={name: expect[name] for name in _ADDRESSES if name in expect},
    )


def _texts(written: str | list[str] | None) -> tuple[str, ...]:
    if written is None:
        return ()
    return (written,) if isinstance(written, str) else tuple(written)
