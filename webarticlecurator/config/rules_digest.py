"""The digest of a column's rules: a proof holds as long as the rules that it was made under."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from webarticlecurator.config.merge import as_mapping
from webarticlecurator.config.yaml_reading import ListNode, MapNode, YamlNode, is_null

_LEFT_OUT = {
    "": frozenset({"fields", "fetch", "language", "kind"}),
    "skip": frozenset({"when"}),
    "dates": frozenset({"from", "until", "order", "settle"}),
}
"""The keys, by where they stand, that cannot lose a link of an interval that was walked."""


def digest_of(lines: Iterable[str]) -> str:
    """Return a short name for lines of rules."""
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def rule_lines(node: YamlNode, path: str) -> Iterator[str]:
    """Yield a line a scalar, with its place; keys in their own order, comments and quotes aside."""
    if isinstance(node, MapNode):
        for key in sorted(node.entries.keys() - _LEFT_OUT.get(path.partition(".")[0], frozenset())):
            value = node.entries[key]
            if not is_null(value) or key == "stop":
                yield from rule_lines(
                    as_mapping(value, "mode") if (path, key) == ("", "pages") else value,
                    f"{path}.{key}".lstrip("."),
                )
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from rule_lines(item, path)
    else:
        yield f"{path} {node.text}"
