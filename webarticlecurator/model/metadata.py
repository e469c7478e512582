"""Metadata values, and how we came to believe them; and whether two of them name one language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

AgentKind = Literal["", "person", "organization"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One metadata value, and how we came to believe it."""

    value: str
    """Normalised; dates as ISO 8601, with the page's offset or the portal's."""
    raw: str
    """As it stood in the page."""
    source: str
    """Which reader, or which rule of the portal file, gave it."""
    written: str = ""
    """Of a date that readers of the page see: the words that say it. Empty where an attribute or data told it."""
    kind: AgentKind = ""
    """Of an author or publisher: what the page, or a known name, says it is; empty where nothing does."""
    url: str = ""
    """Of an author: the page about them that the page names or links to, by which namesakes are told apart."""


Metadata = Mapping[str, tuple[Found, ...]]
"""Schema.org's field name -> the values that were chosen, in page order."""


def first_value(metadata: Metadata, name: str) -> str:
    """Of a field; empty where there is none."""
    return metadata[name][0].value if metadata.get(name) else ""


_SAME = {"nb": "no", "nn": "no", "cmn": "zh", "yue": "zh", "wuu": "zh", "iw": "he", "in": "id", "fil": "tl", "arz": "ar", "ary": "ar"}
_SAME |= dict.fromkeys(("bs", "hr", "sr", "sh", "cnr"), "sh")
"""Languages that are declared by more than one name, or told apart by convention: they are no disagreement."""


def primary(tag: str) -> str:
    """The language of a BCP 47 tag, whatever the script or the country: `pt` of `pt-BR`."""
    return tag.replace("_", "-").partition("-")[0].lower()


def same_language(language: str, other: str) -> bool:
    """Whether two BCP 47 tags name one language: regions and scripts do not count, nor names of the same."""
    first, second = primary(language), primary(other)
    return _SAME.get(first, first) == _SAME.get(second, second)
