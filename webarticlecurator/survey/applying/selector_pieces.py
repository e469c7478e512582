"""What a selector can ask of a simplified tag: each class, id and attribute as a piece of a selector, and which other tags have it, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from cssselect import parser as css

from webarticlecurator.extraction.body.tag_names import Tag
from webarticlecurator.selectors import Selector
from webarticlecurator.selectors.dialect import identifier, quoted
from webarticlecurator.survey.rule_selectors import selectors_in

Specificity = tuple[int, int, int]
HAS_CLASS = "[class]"


def selector_pieces(tags: Sequence[Tag]) -> list[tuple[str, ...]]:
    """For each of these tags (of one name) all that a selector can ask so that it matches, first what people would write first.

    What comes of a star (`[class*="post-"]`) is also true of tags that spell it out (`.post-body`).
    """
    parts = sorted({(attribute, part) for tag in tags for attribute, part in _parts(tag)})
    return [tuple(dict.fromkeys((*_own(tag), *_shared(tag, parts), *([HAS_CLASS] if tag.classes else [])))) for tag in tags]


def _own(tag: Tag) -> Iterator[str]:
    yield from (f".{identifier(name)}" for name in tag.classes if "*" not in name)
    if tag.id and "*" not in tag.id:
        yield f"#{identifier(tag.id)}"
    for name, value in tag.attributes:
        if "*" not in name and name:
            if value and "*" not in value:
                yield f"[{identifier(name)}={quoted(value)}]"
            yield f"[{identifier(name)}]"


def _parts(tag: Tag) -> Iterator[tuple[str, str]]:
    """Attribute and what stands around the stars in its value."""
    values = [("class", name) for name in tag.classes] + [("id", tag.id or "")] + [(name, value) for name, value in tag.attributes]
    for attribute, value in values:
        if "*" in value and "*" not in attribute:
            yield from ((attribute, part) for part in value.split("*") if any(map(str.isalpha, part)))


def _shared(tag: Tag, parts: Iterable[tuple[str, str]]) -> Iterator[str]:
    values = {"class": " ".join(tag.classes), "id": tag.id or "", **dict(tag.attributes)}
    for attribute, part in parts:
        if part in values.get(attribute, ""):
            yield f"[{identifier(attribute)}*={quoted(part)}]"


def selector(name: str, where: str, pieces: Iterable[str], without: Iterable[str] = ()) -> str:
    """A selector of the forms `tag.class`, `blockquote.tweet p.class`, `tag:not(.class)`."""
    suffix = "".join(pieces) + "".join(f":not({piece})" for piece in without)
    return ", ".join(base + suffix for base in _bases(name.lower(), where))


def specificity(name: str, where: str, pieces: Iterable[str]) -> Specificity:
    """Of the selector of these pieces, asked for or ruled out."""
    ids, classes, names = _base_specificity(name.lower(), where)
    for piece in pieces:
        ids, classes = (ids + 1, classes) if piece.startswith("#") else (ids, classes + 1)
    return ids, classes, names


@lru_cache(maxsize=1024)
def _base_specificity(name: str, where: str) -> Specificity:
    return Selector.parse(", ".join(_bases(name, where))).specificity


@lru_cache(maxsize=1024)
def _bases(name: str, where: str) -> tuple[str, ...]:
    """The tag, or each alternative of `where` that may be about it, with the tag's name said where it is left open."""
    if not where:
        return (identifier(name),)
    subjects = [(one.text, one.alternatives[0].subject.tag) for one in selectors_in(where)]
    return tuple(text if tag is not None else _named(text, name) for text, tag in subjects if tag in (None, name))


def _named(text: str, name: str) -> str:
    start, star = 0, False
    for depth, token in _tokens(text):
        if depth == 0 and (token.type == "S" or token.is_delim(">", "+", "~")):
            start, star = token.pos + 1, False
        elif depth == 0 and token.pos == start:
            star = token.is_delim("*")
    return f"{text[:start]}{identifier(name)}{text[start + star :]}"


def _tokens(text: str) -> Iterator[tuple[int, css.Token]]:
    """Each with how many brackets are open around it."""
    depth = 0
    for token in css.tokenize(text):
        depth += token.is_delim("(", "[")
        depth -= token.is_delim(")", "]")
        yield depth, token
