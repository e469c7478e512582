"""Tag rules are put into a portal file, and taken out of it; every character that is not about them stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webarticlecurator.config.yaml_edits import CannotEdit, YamlStyle, edited, said_in
from webarticlecurator.config.yaml_reading import MapNode, read_yaml
from webarticlecurator.errors import Mistake, PortalFileError
from webarticlecurator.survey.applying.table import TagDecision

_SPLIT = "split"
_STYLE = YamlStyle(in_line=lambda path, _: len(path) > len(("body", "tags", "operation")))


@dataclass(frozen=True, slots=True)
class NewRule:
    """A rule to be written."""

    selector: str
    decision: TagDecision

    @property
    def operation(self) -> str:
        return _SPLIT if " > " in self.decision.operation else self.decision.operation


def nearest_layer(content: bytes) -> dict[str, Any] | None:
    """The tag rules of a portal file, as far as they can be edited: operation -> what is said of it. None where it has none."""
    return _layer_in(said_in(content.decode("utf-8")) or {})


def _layer_in(said: Mapping[str, Any]) -> dict[str, Any] | None:
    tags = (said.get("body") or {}).get("tags")
    return next((layer for layer in (tags if isinstance(tags, list) else [tags]) if isinstance(layer, dict)), None)


def with_rules(content: bytes, path: Path, remaining: Mapping[int, Sequence[str]], new: Sequence[NewRule]) -> bytes:
    """The file with these rules added, and of the rules with these numbers only these selectors left. Raises PortalFileError."""
    text = content.decode("utf-8")
    said = said_in(text) or {}
    layer = _layer_in(said)
    if layer is None:  # the first place that is not there yet, or says nothing
        layer = {}
        said["body"] = {**(said.get("body") or {}), "tags": layer}
    for operation in {rule.operation for rule in new}:
        if operation in layer and layer[operation] is None:
            raise PortalFileError((_mistake_of_null(content, path, operation),))
    number = 0
    for operation, rules in list(layer.items()):
        entries = (
            list(rules.items()) if operation == _SPLIT and rules else rules if isinstance(rules, list) else [] if rules is None else [rules]
        )
        kept: list[Any] = []
        for entry in entries:
            kept += _left_of(entry, remaining[number]) if number in remaining else [entry]
            number += 1
        more = [_written(rule) for rule in new if rule.operation == operation]
        if more or kept != entries:
            layer[operation] = dict([*kept, *more]) if operation == _SPLIT else [*kept, *more]
    for rule in new:
        if rule.operation not in layer:
            more = [_written(other) for other in new if other.operation == rule.operation]
            layer[rule.operation] = dict(more) if rule.operation == _SPLIT else more
    for operation in [name for name, rules in layer.items() if rules == [] and len(layer) > 1]:
        del layer[operation]
    try:
        return edited(text, said, _STYLE).encode("utf-8")
    except CannotEdit as problem:
        raise PortalFileError(
            (Mistake(path, problem.line, 1, f"rules cannot be written here: {problem}; write out what it stands for"),)
        ) from None


def _left_of(entry: Any, selectors: Sequence[str]) -> list[Any]:
    """Of a rule that has lost some of its selectors."""
    left = ", ".join(selectors)
    if isinstance(entry, tuple):
        return [(left, entry[1])] if left else []
    return [{**entry, "css": left} if isinstance(entry, dict) else left] if left else []


def _written(rule: NewRule) -> Any:
    """As an item of a list; of `split` as an entry."""
    if rule.operation == _SPLIT:
        return rule.selector, rule.decision.operation.split(" > ")
    return {"css": rule.selector, "url": rule.decision.url} if rule.decision.url else rule.selector


def _mistake_of_null(content: bytes, path: Path, operation: str) -> Mistake:
    node: Any = read_yaml(content, path)[0]
    for key in ("body", "tags"):
        node = node.entries[key]
    layer = node if isinstance(node, MapNode) else next(item for item in node.items if isinstance(item, MapNode))
    message = f"`{operation}: null` forgets the `{operation}` rules of farther files; a list of new ones in its place would not"
    return layer.keys[operation].mistake(f"{message}. Write `[]` there if the old ones may come back, and apply again")
