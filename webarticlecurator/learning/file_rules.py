"""What a portal file says already, key by key, with what it extends: for comparing a proposal with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any

from webarticlecurator.config.portal import Portal
from webarticlecurator.config.yaml_reading import plain, read_yaml
from webarticlecurator.learning.key_values import KeyValue, Path, grows, key_values
from webarticlecurator.model.proposals import Choice, Plain, Proposal

ABSENT = object()
_LEAVES_OUT: Mapping[str, Mapping[str, Plain]] = {"pages": {"start": 1, "empty_pages": 1, "order": "newest-first"}}
"""What a mapping of this key says by saying nothing."""
_SHORT = {"pages": "mode", "columns": "url"}
"""A key, or what stands below it, -> what a single text in place of its mapping means."""


class FileRules:
    """A portal file that has no mistakes."""

    def __init__(self, portal: Portal) -> None:
        source = portal.sources[0]
        self.own: dict[str, Any] = plain_file(source.content, source.path)
        self._effective: dict[str, Any] = plain_file(portal.effective.encode("utf-8"), source.path)

    def value(self, path: Path) -> Any:
        """What holds there, presets and `archive` (for columns) with it; ABSENT where nothing does."""
        found = value_at(self._effective, path)
        if found is ABSENT and path[0] == "columns" and len(path) > 2:
            found = value_at(self._effective, ("archive", *path[2:]))
        return ABSENT if found is None else found

    def own_value(self, path: Path) -> Any:
        """What the file itself says there; ABSENT where it says nothing."""
        return value_at(self.own, path)

    def has(self, one: KeyValue) -> bool:
        """Whether the file says this already; of a list that grows: all of it.

        What a column inherits from `archive` is not its own: with another rule there it would have another one, too.
        """
        now = value_at(self._effective, one.path)
        now = ABSENT if now is None else now
        if one.value is None:
            return self.value(one.path) is ABSENT
        if grows(one.path):
            return now is not ABSENT and not missing_in(now, one.value)
        return now is not ABSENT and same(one.path, now, one.value)

    def says(self, proposal: Proposal, choice: Choice) -> bool:
        """Whether the file says all of a choice; that there should be no rule it says by `null`."""
        said = list(key_values(proposal, choice))
        if all(one.value is None for one in said):
            return all(self.own_value(one.path) is None for one in said)
        return all(map(self.has, said))

    def contradicts(self, proposal: Proposal, choice: Choice) -> tuple[KeyValue, ...]:
        """Keys that the file says otherwise, with what it says."""
        said = [(one, self.value(one.path)) for one in key_values(proposal, choice) if not grows(one.path)]
        narrowed = any(one.path[-1] == "item" and now is ABSENT and one.value is not None for one, now in said)
        return tuple(
            KeyValue(one.path, now)
            for one, now in said
            if now is not ABSENT and (not same(one.path, now, one.value) or (narrowed and one.path[-1] == "link"))
        )


def missing_in(there: Any, wanted: Plain) -> list[Any]:
    """What a list, or a single value in its place, does not hold yet; of a `name` there is one."""
    has = items(there)
    names = {one.get("name") for one in has if isinstance(one, Mapping)}
    return [one for one in items(wanted) if one not in has and not (isinstance(one, Mapping) and one.get("name") in names - {None})]


def same(path: Path, one: Any, other: Any) -> bool:
    """Whether two values of a key mean the same."""
    return bool(_normal(path, one) == _normal(path, other))


def _normal(path: Path, value: Any) -> Any:
    short = _SHORT.get(path[-1]) or (_SHORT.get(path[-2]) if len(path) > 1 else None)
    if short is not None and isinstance(value, str):
        value = {short: value}
    if isinstance(value, Mapping):
        usual = _LEAVES_OUT.get(path[-1], {})
        inner = {key: _normal(("",), below) for key, below in value.items() if key not in usual or usual[key] != below}
        return inner["css"] if set(inner) == {"css"} else inner
    if isinstance(value, Sequence) and not isinstance(value, str):
        items = [_normal(("",), one) for one in value]
        return items[0] if len(items) == 1 else items
    return value


def items(value: Any) -> list[Any]:
    """Of a list, or of a single value in its place."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return list(value)
    return [] if value is None or value is ABSENT else [value]


def value_at(root: Mapping[str, Any], path: Path) -> Any:
    """What a file says under a path of keys; ABSENT where it says nothing. Of layers of tag rules the nearest counts."""
    place: Any = root
    for number, name in enumerate(path):
        place = _mapping(place, path[:number])
        if name not in place:
            return ABSENT
        place = place[name]
    return place


def assigned(root: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """The same file with another value there; ABSENT: without the key, and without those above it that say nothing more."""
    return dict(_assigned(root, (), path, value))


def _assigned(place: Any, above: Path, path: Path, value: Any) -> Any:
    if isinstance(place, list) and above == ("body", "tags"):
        number = next((number for number, layer in enumerate(place) if isinstance(layer, Mapping)), len(place))
        layers = [_assigned(layer, ("",), path, value) if one == number else layer for one, layer in enumerate(place)]
        return layers if number < len(place) else [*place, _assigned({}, ("",), path, value)]
    changed = dict(_mapping(place, above))
    name, *left = path
    new = _assigned(changed.get(name), (*above, name), tuple(left), value) if left else value
    changed[name] = new
    if new is ABSENT:
        del changed[name]
    return changed if changed or not above else ABSENT


def _mapping(place: Any, above: Path) -> Mapping[str, Any]:
    if isinstance(place, list) and above == ("body", "tags"):
        place = next((layer for layer in place if isinstance(layer, Mapping)), None)
    if isinstance(place, str) and len(above) == 2 and above[0] == "columns":
        return {"url": place}
    return place if isinstance(place, Mapping) else {}


def plain_file(content: bytes, path: FilePath) -> dict[str, Any]:
    """A portal file as plain data."""
    root, _ = read_yaml(content, path)
    return dict(plain(root)) if root is not None else {}
