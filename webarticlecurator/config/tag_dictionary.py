"""The tag dictionary's vocabulary and rules: which portal HTML becomes which portal-independent block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from webarticlecurator.config.keys import Key, Shape, one_of
from webarticlecurator.config.scalars import SELECTOR, SELECTORS, TEXT, NodeCompiler
from webarticlecurator.config.yaml_reading import (
    FilePlace,
    MapNode,
    ScalarNode,
    YamlNode,
    entries,
    is_null,
    items,
    mapping,
    text,
    texts,
)
from webarticlecurator.selectors import Selector


class OperationKind(StrEnum):
    """The kinds of operations, by what they do to an element."""

    REMOVAL = "removal"
    """The element goes, alone or with what is in it."""
    SPLIT = "split"
    """The element becomes two: under this operation selectors are keys, with both names behind them."""
    BLOCK = "block"
    POST_PART = "part of a post"
    INLINE = "inline"


class Operation(NamedTuple):
    """An operation of the tag dictionary; all that portal files, tables of tags and learning know of it
    follows from here."""

    name: str
    kind: OperationKind

    @property
    def renames(self) -> bool:
        """True if the element becomes what the operation is called; then it may keep an address."""
        return self.kind in (OperationKind.BLOCK, OperationKind.POST_PART, OperationKind.INLINE)


# fmt: off
_NAMES_OF_KINDS = {
    OperationKind.REMOVAL: ("decompose", "unwrap", "unwrap-all"),
    OperationKind.SPLIT: ("split",),
    OperationKind.BLOCK: (
        "paragraph", "heading", "subheading", "lead", "list", "item", "quote", "table", "row", "cell",
        "table-heading", "box", "figure", "caption", "gallery", "embed", "social", "code", "note", "source",
        "question", "answer", "quiz", "verse", "divider",
    ),
    OperationKind.POST_PART: ("post", "time", "author"),
    OperationKind.INLINE: (
        "bold", "italic", "emphasis", "underline", "strike", "superscript", "subscript", "link",
        "inline-quote", "code-inline", "formula", "line-break", "language",
    ),
}
# fmt: on
OPERATIONS = {name: Operation(name, kind) for kind, names in _NAMES_OF_KINDS.items() for name in names}
NAMES = tuple(name for name, operation in OPERATIONS.items() if operation.renames)
"""The names that an element can be given."""
REMOVALS = _NAMES_OF_KINDS[OperationKind.REMOVAL]
INLINES = _NAMES_OF_KINDS[OperationKind.INLINE]
(SPLIT,) = _NAMES_OF_KINDS[OperationKind.SPLIT]


@dataclass(frozen=True, slots=True, kw_only=True)
class TagRule:
    """An operation on the elements that a selector matches."""

    operation: str
    """The name of the operation: one of OPERATIONS."""
    css: Selector
    url: str | None = None
    """The attribute that holds the element's address."""
    split: tuple[str, str] | None = None
    """The outer and the inner name, for `split`."""
    source: str = ""
    """The place of the rule: "portal.yaml:31"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagLayer:
    """The rules of one file, in its order."""

    rules: tuple[TagRule, ...] = ()
    forgotten: frozenset[str] = frozenset()
    """Operations that this layer makes all farther layers forget."""


def read_tags(compiler: NodeCompiler, node: YamlNode) -> tuple[TagLayer, ...]:
    """Return what stands under `body.tags`: after merging, one layer for each file."""
    layers: list[TagLayer] = []
    for layer in (layer for layer in items(node) if isinstance(layer, MapNode)):
        rules: list[TagRule] = []
        first: dict[str, str] = {}
        for operation, place, css, said in _written_rules(layer):
            is_split = operation == SPLIT
            selector, split = compiler.parse(css, Selector.parse), texts(said) if is_split else ("", "")
            if selector is None or len(split) != 2:
                continue
            url, source = text(mapping(said).get("url")), place.named
            pair = (split[0], split[1]) if is_split else None
            rules.append(TagRule(operation=operation, css=selector, url=url, split=pair, source=source))
            one_line = " ".join(selector.text.split())
            if first.setdefault(one_line, operation) != operation:
                both = f"`{one_line}` stands under `{first[one_line]}` and under `{operation}`"
                compiler.note(place, f"{both}; an element has one fate: keep one")
        forgotten = frozenset(operation for operation, said in layer.entries.items() if is_null(said))
        layers.append(TagLayer(rules=tuple(rules), forgotten=forgotten))
    return tuple(layers)


def _written_rules(layer: MapNode) -> Iterator[tuple[str, FilePlace, YamlNode | None, YamlNode]]:
    """Yield the rules of a layer: operation, place, selector, and what is said beside it."""
    for operation, node in layer.entries.items():
        if operation == SPLIT:
            keys = mapping(node).keys
            yield from (
                (operation, keys[css], ScalarNode(keys[css], css, css), names)
                for css, names in entries(node).items()
            )
        else:
            yield from (
                (operation, item.place, item.get("css") if isinstance(item, MapNode) else item, item)
                for item in items(node)
            )


_RULE = replace(
    SELECTOR,
    kinds=("string", "object"),
    title="a selector, or {css: SELECTOR, url: ATTRIBUTE}",
    known={
        "css": Key(SELECTOR, "The elements.", ("div.kep-doboz",)),
        "url": Key(TEXT.given, "The attribute that holds the element's address.", ("data-eredeti",)),
    },
    needed=("css",),
    keys_name="tagRuleKeys",
    name="tagRule",
    read=None,
)
_RULES = replace(
    _RULE,
    kinds=("string", "object", "array"),
    title="a selector, {css, url}, or a list of these",
    null=True,
    items=_RULE,
    name="tagRules",
)
_FORGET = "null: forget this operation of all farther layers."
_SPLIT = Shape(
    kinds=("object",),
    others=Shape(
        kinds=("array",),
        title="[outer, inner]",
        null=False,
        items=one_of(*NAMES).given,
        fewest=2,
        most_in_it=2,
    ),
)
_EXAMPLES: dict[str, Any] = {
    "lead": "p.lead",
    "figure": {"css": "div.kep-doboz", "url": "data-eredeti"},
    "embed": "blockquote.twitter-tweet",
}


def _renaming(name: str) -> Key:
    kind = OPERATIONS[name].kind
    more = "; their text is TeX" if name == "formula" else ""
    example = _EXAMPLES.get(name, f"{'span' if name in INLINES else 'div'}.{name}")
    return Key(_RULES, f"Elements that become `{name}` ({kind}){more}.", (example,), default=[])


_LAYER = Shape(
    kinds=("object",),
    title="a mapping: operation → selectors",
    null=False,
    known={
        "decompose": Key(
            SELECTORS,
            f"The element and all in it goes; its text is counted and reported. {_FORGET}",
            (["div.ajanlo"],),
            default=[],
        ),
        "unwrap": Key(
            SELECTORS,
            f"The element goes, its content stays; where it began a new line, one still begins. {_FORGET}",
            (["span.kiemelo"],),
            default=[],
        ),
        "unwrap-all": Key(
            SELECTORS,
            f"All elements inside it go, their content stays. {_FORGET}",
            (["div.egyszeru"],),
            default=[],
        ),
        SPLIT: Key(
            _SPLIT,
            "Selector → [outer, inner]: one element becomes an outer and an inner one.",
            ({"strong.bekezdes": ["paragraph", "bold"]},),
            default={},
        ),
        **{name: _renaming(name) for name in NAMES},
    },
    keys_name="tags",
)
TAGS = replace(_LAYER, kinds=("object", "array"), null=True, items=_LAYER, merges="layers", read=read_tags)
