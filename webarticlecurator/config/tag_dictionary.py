"""The tag dictionary's vocabulary and rules: which portal HTML becomes which portal-independent block."""

from __future__ import annotations

from dataclasses import dataclass

from webarticlecurator.config.node_compiler import NodeCompiler, entries, items, mapping, text, texts
from webarticlecurator.config.yaml_nodes import FilePlace, MapNode, ScalarNode, YamlNode, is_null
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
    "inline-quote", "code-inline", "formula", "line-break", "language",
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


def read_tags(compiler: NodeCompiler, node: YamlNode) -> tuple[TagLayer, ...]:
    """What stands under `body.tags`: after merging, one layer for each file."""
    return tuple(_layer(compiler, layer) for layer in items(node) if isinstance(layer, MapNode))


def _layer(compiler: NodeCompiler, layer: MapNode) -> TagLayer:
    found: list[tuple[FilePlace, TagRule]] = []
    for operation, node in layer.entries.items():
        found += _splits(compiler, node) if operation == "split" else _renames(compiler, operation, node)
    first: dict[str, TagRule] = {}
    for place, rule in found:
        selector = " ".join(rule.css.text.split())
        earlier = first.setdefault(selector, rule)
        if earlier.operation != rule.operation:
            compiler.note(
                place, f"`{selector}` stands under `{earlier.operation}` and under `{rule.operation}`; an element has one fate: keep one"
            )
    forgotten = frozenset(operation for operation, node in layer.entries.items() if is_null(node))
    return TagLayer(rules=tuple(rule for _, rule in found), forgotten=forgotten)


def _renames(compiler: NodeCompiler, operation: str, node: YamlNode) -> list[tuple[FilePlace, TagRule]]:
    rules = []
    for item in items(node):
        css = item.get("css") if isinstance(item, MapNode) else item
        selector = compiler.parse(css, Selector.parse)
        if selector is not None:
            url = text(mapping(item).get("url"))
            rules.append((item.place, TagRule(operation=operation, css=selector, url=url, source=_source(item.place))))
    return rules


def _splits(compiler: NodeCompiler, node: YamlNode) -> list[tuple[FilePlace, TagRule]]:
    rules = []
    for css, names in entries(node).items():
        place = mapping(node).keys[css]
        selector = compiler.parse(ScalarNode(place, css, css), Selector.parse)
        outer_and_inner = texts(names)
        if selector is not None and len(outer_and_inner) == 2:
            outer, inner = outer_and_inner
            rules.append((place, TagRule(operation="split", css=selector, split=(outer, inner), source=_source(place))))
    return rules


def _source(place: FilePlace) -> str:
    return f"{place.file.name}:{place.line}"
