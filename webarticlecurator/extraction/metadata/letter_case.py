"""Topics and sections in the letters that readers see, where the data of a page have them as a template changed them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webarticlecurator.extraction.metadata.authors import folded
from webarticlecurator.model.metadata import Found


def as_shown(values: Sequence[Found], shown: Iterable[Found]) -> tuple[Found, ...]:
    """Such as "High water" for "High Water" and for "high-water"; what is `shown` is looked at only where a value is written so."""
    written = {one.value for one in values}
    changed = {folded(one.value) for one in values if _may_be_changed(one.value)}
    if not changed:
        return tuple(values)
    seen: dict[str, Found] = {}
    for one in shown:
        if folded(one.value) in changed and one.value[0].isupper() and not one.value.isupper() and one.value not in written:
            seen.setdefault(folded(one.value), one)
    return tuple(seen.get(folded(one.value), one) for one in values)


def _may_be_changed(text: str) -> bool:
    """Whether all of it is small, or each of several words has a capital."""
    words = text.split()
    capitals = [word[0].isupper() for word in words if word[0].isalpha()]
    return text.islower() or (len(words) > 1 and all(capitals) and not text.isupper())
