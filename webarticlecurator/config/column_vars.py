"""`vars` of columns: what differs between columns that share one template."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import cast

from webarticlecurator.config.node_compiler import NodeCompiler, entries, text
from webarticlecurator.config.template import placeholders
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, Node, ScalarNode

_MOST_LISTED = 8


def vars_of_columns(
    compiler: NodeCompiler, walks: Mapping[str, MapNode], lost: Callable[[tuple[str, ...]], bool]
) -> dict[str, dict[str, str]]:
    """Column -> its values as they are written; what a template asks for and a column lacks is a mistake, told once for all of them."""
    values = {column: _own(walk) for column, walk in walks.items()}
    given = set(chain.from_iterable(values.values()))
    lacking: dict[tuple[FilePlace, str], list[str]] = {}
    for column, walk in walks.items():
        asked_for = dict(_asked_for(walk))
        for name in values[column].keys() - asked_for.keys():
            message = f"`{name}` stands in no template of the column {column!r}; write {{{name}}} where it goes, or delete it here"
            compiler.warn(cast(MapNode, walk.get("vars")).keys[name], message)
        for name in sorted(asked_for.keys() - values[column].keys()):
            refused = lost(("columns", column, "vars", name))
            if name in given and not refused:
                lacking.setdefault((asked_for[name], name), []).append(column)
            if name in given or refused:
                values[column][name] = column  # so that nothing else is said of its templates
    for (place, name), columns in lacking.items():
        who = f"the column{'s' if len(columns) > 1 else ''} {', '.join(columns[:_MOST_LISTED])}"
        more = f" and {len(columns) - _MOST_LISTED} more" if len(columns) > _MOST_LISTED else ""
        compiler.note(place, f"{{{name}}} has no value in {who}{more}; give it there: `vars: {{{name}: ...}}`")
    return values


def _own(walk: MapNode) -> dict[str, str]:
    return {name: value for name, node in entries(walk.get("vars")).items() if (value := text(node)) is not None}


def _asked_for(walk: MapNode) -> Iterator[tuple[str, FilePlace]]:
    """The placeholders in all that is filled in like the URL."""
    for scalar in chain.from_iterable(_scalars(node) for key in ("url", "dates", "request") if (node := walk.get(key))):
        yield from ((name, scalar.place) for name in placeholders(scalar.text))


def _scalars(node: Node) -> Iterator[ScalarNode]:
    if isinstance(node, ScalarNode):
        yield node
    else:
        for child in node.items if isinstance(node, ListNode) else node.entries.values():
            yield from _scalars(child)
