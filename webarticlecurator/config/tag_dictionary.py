"""The tag dictionary's vocabulary and rules: which portal HTML becomes which portal-independent block."""

from __future__ import annotations

from dataclasses import dataclass

from webarticlecurator.selectors import Selector

# fmt: off
BLOCKS = (
    "paragraph", "heading", "subheading", "lead", "list", "item", "quote", "table", "row", "cell",
    "table-heading", "box", "figure", "caption", "gallery", "embed", "social", "code", "note", "source",
    "question", "answer", "quiz", "verse", "divider",
)
POST_PARTS = ("post", "time", "author")
INLINES = (
    "bold", "italic", "emphasis", "underline", "strike", "superscript", "subscript", "link",
    "inline-quote", "code-inline", "line-break", "language",
)
# fmt: on
NAMES = (*BLOCKS, *POST_PARTS, *INLINES)
"""What an element can be renamed to."""
REMOVALS = ("decompose", "unwrap", "unwrap-all")
OPERATIONS = (*REMOVALS, "split", *NAMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class TagRule:
    """What is done to the elements that a selector matches."""

    operation: str
    """One of OPERATIONS."""
    css: Selector
    url: str | None = None
    """The attribute that holds the element's address."""
    split: tuple[str, str] | None = None
    """The outer and the inner name, for `split`."""
    source: str = ""
    """Where the rule stands: "portal.yaml:31"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagLayer:
    """The rules of one file, in its order."""

    rules: tuple[TagRule, ...] = ()
    forgotten: frozenset[str] = frozenset()
    """Operations that this layer makes all farther layers forget."""
