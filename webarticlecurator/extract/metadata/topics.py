"""Keywords: separated, cleaned, each once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from webarticlecurator.extract.metadata.authors import folded

MAX_TOPICS = 100
_LONGEST = 100
_SEPARATORS = re.compile(r"\s*[,;|，、；\n]\s*")
_EDGES = " \t\"'“”„.,:;|/"
_NONE = frozenset({"", "null", "none", "undefined", "keywords", "tags", "tag", "na"})


def topics_in(texts: Iterable[str], *, separate: bool = True) -> list[tuple[str, str]]:
    """(topic, as it stood), in page order; a text may be a list of them."""
    found: dict[str, tuple[str, str]] = {}
    for text in texts:
        for piece in _SEPARATORS.split(text) if separate else [text]:
            topic = piece.strip(_EDGES)
            key = folded(topic)
            if key not in _NONE and len(topic) <= _LONGEST:
                found.setdefault(key or topic, (topic, text))
    return list(found.values())[:MAX_TOPICS]
