"""What a choice says of single keys of a portal file: which mappings are merged key by key, and which lists only grow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from webarticlecurator.model.proposals import Choice, Plain, Proposal

Path = tuple[str, ...]
_ARCHIVE: tuple[Path, ...] = (("urls",), ("fields",), ("stop",))
_SECTIONS: frozenset[Path] = frozenset(
    {
        (),
        ("archive",),
        *(("archive", *below) for below in _ARCHIVE),
        ("columns",),
        ("columns", "*"),
        *(("columns", "*", *below) for below in _ARCHIVE),
        ("publisher",),
        ("fetch",),
        ("articles",),
        ("articles", "skip"),
        ("metadata",),
        ("body",),
        ("body", "tags"),
        ("body", "tags", "split"),
        ("posts",),
        ("posts", "*"),
    }
)
_MOST_DEEP = 4
_GROWING: tuple[Path, ...] = (
    ("layouts",),
    ("articles", "skip", "*"),
    ("body", "tags", "*"),
    *((*above, "urls", name) for above in (("archive",), ("columns", "*")) for name in ("drop_params", "exclude", "hosts", "only")),
)
_ORDER = (
    *("portal", "title", "home", "language", "timezone", "kind", "extends", "publisher", "fetch", "archive", "columns"),
    *("articles", "metadata", "body", "posts", "layouts"),
    *("url", "ways", "base", "dates", "settle", "drift_after", "pages", "item", "link", "next", "sections", "fields", "urls", "stop"),
    *("request", "format", "vars", "skip", "identity", "root", "within", "tags"),
)
_RANK = {name: place for place, name in enumerate(_ORDER)}
"""Keys as a person writes them one after the other."""


class KeyValue(NamedTuple):
    """A key of the portal file with what it is to be; None: it should not be there."""

    path: Path
    value: Plain


def key_values(proposal: Proposal, choice: Choice) -> Iterator[KeyValue]:
    """What a choice says, key by key."""
    yield from _below(proposal.path, choice.value)


def _below(path: Path, value: Plain) -> Iterator[KeyValue]:
    if is_section(path) and isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _below((*path, str(key)), inner)
    else:
        yield KeyValue(path, value)


def is_section(path: Path) -> bool:
    """Whether a mapping there is merged key by key; any other value is replaced as a whole."""
    return len(path) <= _MOST_DEEP and any(_fits(path, pattern) for pattern in _SECTIONS)


def grows(path: Path) -> bool:
    """Whether a list there is added to."""
    return any(_fits(path, pattern) for pattern in _GROWING)


def rank(key: str) -> int:
    """Where a key usually stands among its neighbours."""
    return _RANK.get(key, len(_RANK))


def _fits(path: Path, pattern: Path) -> bool:
    return len(path) == len(pattern) and all(want in ("*", name) for name, want in zip(path, pattern, strict=True))
