"""What a portal file says already, key by key, with what it extends: for comparing a proposal with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from webarticlecurator.config.portal import Portal
from webarticlecurator.config.yaml_edits import said_in
from webarticlecurator.model.proposals import Choice, Plain, Proposal

Path = tuple[str, ...]
ABSENT = object()
_OF_ARCHIVE: tuple[Path, ...] = ((), ("urls",), ("fields",), ("stop",))
_SECTIONS: frozenset[Path] = frozenset(
    {
        *((), ("columns",), ("publisher",), ("fetch",), ("articles",), ("articles", "skip"), ("metadata",)),
        *(("body",), ("body", "tags"), ("body", "tags", "split"), ("posts",), ("posts", "*")),
        *((*above, *below) for above in (("archive",), ("columns", "*")) for below in _OF_ARCHIVE),
    }
)
_GROWING: frozenset[Path] = frozenset(
    {
        *(("layouts",), ("articles", "skip", "*"), ("body", "tags", "*")),
        *((*above, "urls", name) for above in (("archive",), ("columns", "*")) for name in ("drop_params", "exclude", "hosts", "only")),
    }
)
_LEAVES_OUT: Mapping[str, Mapping[str, Plain]] = {"pages": {"start": 1, "empty_pages": 1, "order": "newest-first"}}
"""What a mapping of this key says by saying nothing."""
_SHORT = {"pages": "mode", "columns": "url"}
"""A key, or what stands below it, -> what a single text in place of its mapping means."""


class KeyValue(NamedTuple):
    """A key of the portal file with what it is to be; None: it should not be there."""

    path: Path
    value: Plain


def key_values(path: Path, value: Plain) -> Iterator[KeyValue]:
    """What a choice says there, key by key."""
    if is_section(path) and isinstance(value, Mapping):
        for key, inner in value.items():
            yield from key_values((*path, str(key)), inner)
    else:
        yield KeyValue(path, value)


def is_section(path: Path) -> bool:
    """Whether a mapping there is merged key by key; any other value is replaced as a whole."""
    return any(_fits(path, pattern) for pattern in _SECTIONS)


def grows(path: Path) -> bool:
    """Whether a list there is added to."""
    return any(_fits(path, pattern) for pattern in _GROWING)


def _fits(path: Path, pattern: Path) -> bool:
    return len(path) == len(pattern) and all(want in ("*", name) for name, want in zip(path, pattern, strict=True))


class FileRules:
    """A portal file that has no mistakes."""

    def __init__(self, portal: Portal) -> None:
        self._own, self._effective = (plain_file(text) for text in (portal.sources[0].content.decode("utf-8-sig"), portal.effective))

    def value(self, path: Path) -> Any:
        """What holds there, presets and `archive` (for columns) with it; ABSENT where nothing does."""
        value = value_at(self._effective, path)
        if value is ABSENT and path[0] == "columns" and len(path) > 2:
            value = value_at(self._effective, ("archive", *path[2:]))
        return ABSENT if value is None else value

    def own_value(self, path: Path) -> Any:
        """What the file itself says there; ABSENT where it says nothing."""
        return value_at(self._own, path)

    def has(self, wanted: KeyValue) -> bool:
        """Whether the file says this already; of a list that grows: all of it.

        What a column inherits from `archive` is not its own: with another rule there it would have another one, too.
        """
        if wanted.value is None:
            return self.value(wanted.path) is ABSENT
        now = value_at(self._effective, wanted.path)
        if now is None or now is ABSENT:
            return False
        return not missing_in(now, wanted.value) if grows(wanted.path) else same(wanted.path, now, wanted.value)

    def says(self, proposal: Proposal, choice: Choice) -> bool:
        """Whether the file says all of a choice; that there should be no rule it says by `null`."""
        wanted = list(key_values(proposal.path, choice.value))
        if all(value is None for _, value in wanted):
            return all(self.own_value(path) is None for path, _ in wanted)
        return all(map(self.has, wanted))

    def contradicts(self, proposal: Proposal, choice: Choice) -> tuple[KeyValue, ...]:
        """Keys that the file says otherwise, with what it says."""
        wanted = [(path, value, self.value(path)) for path, value in key_values(proposal.path, choice.value) if not grows(path)]
        narrowed = any(path[-1] == "item" and now is ABSENT and value is not None for path, value, now in wanted)
        return tuple(
            KeyValue(path, now)
            for path, value, now in wanted
            if now is not ABSENT and (not same(path, now, value) or (narrowed and path[-1] == "link"))
        )


def missing_in(there: Any, wanted: Plain) -> list[Any]:
    """What a list, or a single value in its place, does not hold yet; of a `name` there is one."""
    has = items(there)
    names = {item.get("name") for item in has if isinstance(item, Mapping)}
    new = [item for item in items(wanted) if item not in has]
    return [item for item in new if not (isinstance(item, Mapping) and item.get("name") in names - {None})]


def same(path: Path, value: Any, other: Any) -> bool:
    """Whether two values of a key mean the same."""
    return bool(_normal(path, value) == _normal(path, other))


def _normal(path: Path, value: Any) -> Any:
    short = _SHORT.get(path[-1]) or (_SHORT.get(path[-2]) if len(path) > 1 else None)
    if short is not None and isinstance(value, str):
        value = {short: value}
    if isinstance(value, Mapping):
        usual = _LEAVES_OUT.get(path[-1], {})
        inner = {key: _normal(("",), below) for key, below in value.items() if key not in usual or usual[key] != below}
        return inner["css"] if set(inner) == {"css"} else inner
    if isinstance(value, Sequence) and not isinstance(value, str):
        normal = [_normal(("",), item) for item in value]
        return normal[0] if len(normal) == 1 else normal
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
        nearest = next((number for number, layer in enumerate(place) if isinstance(layer, Mapping)), len(place))
        layer = place[nearest] if nearest < len(place) else {}
        return [*place[:nearest], _assigned(layer, ("",), path, value), *place[nearest + 1 :]]
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


def plain_file(text: str) -> dict[str, Any]:
    """A portal file as plain data."""
    return dict(said_in(text) or {})
