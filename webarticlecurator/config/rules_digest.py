"""The digest of a column's archive rules: a proof holds as long as the rules that it was made under."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from webarticlecurator.config.merge import as_pages
from webarticlecurator.config.portal import UrlRules
from webarticlecurator.config.yaml_nodes import ListNode, MapNode, Node, ScalarNode, is_null

_LEFT_OUT = {
    "": frozenset({"fields", "language", "settle", "drift_after"}),
    "skip": frozenset({"when"}),
    "dates": frozenset({"from", "until", "order", "settle", "drift_after"}),
}
"""Where -> keys that cannot lose a link of an interval that was walked; ranges of dates are those of `dates`."""
_SHORT_FORMS = {"pages": as_pages}


def rules_digest(walk: MapNode, urls: UrlRules, skip: Node | None) -> str:
    """Of the rules after merging, of what the files they name hold, and of `articles.skip`, which refuses links, too."""
    files = [*sorted(f"map {old} {new}" for old, new in urls.map.items()), *sorted(urls.exclude_urls)]
    lines = [*_lines(walk, ""), *files, *(_lines(skip, "skip") if skip is not None else ())]
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def _lines(node: Node, path: str) -> Iterator[str]:
    """One line a scalar, with its place; keys in their own order, comments and quotes aside."""
    name = path.partition(".")[0]
    if isinstance(node, MapNode):
        for key in sorted(node.entries.keys() - _LEFT_OUT.get(name, frozenset())):
            value = node.entries[key]
            if not is_null(value) or key == "stop":
                yield from _lines(_SHORT_FORMS[key](value) if not path and key in _SHORT_FORMS else value, f"{path}.{key}".lstrip("."))
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from _lines(item, path)
    elif isinstance(node, ScalarNode):
        yield f"{path} {node.text}"
