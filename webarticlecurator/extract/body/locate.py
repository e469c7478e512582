"""The general finder: where on a page an article's body is, when no rule of a portal says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml.etree import _Element as Element


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What the page's metadata say that helps to find the body."""

    headline: str | None = None
    article_body: str | None = None
    """`articleBody` of the page's JSON-LD."""
    description: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The elements that together hold an article's body."""

    elements: tuple[Element, ...]
    """In page order, none inside another."""
    how: str
    """By which evidence they were chosen: "articleBody of JSON-LD", "[itemprop=articleBody]", "text density"."""
    furniture: Mapping[Element, str] = field(default_factory=dict)
    """Elements inside them that are no part of the article, each with the reason: "share bar", "related articles"."""


def locate(tree: Element, *, hints: Hints) -> Located | None:
    """The body of the article on a page, None if there is no running text."""
    raise NotImplementedError
