"""Keywords: separated, cleaned of what is meant for machines, each once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from webarticlecurator.extraction.metadata.authors import folded

MAX_TOPICS = 100
_LONGEST = 100
_SEPARATORS = re.compile(r"\s*[,;|，、；\n]\s*")
_EDGES = " \t\"'“”„,:;|/#"
_COUNT = re.compile(r"\s*\(\d+[^()]{0,12}\)$")
_LABEL = re.compile(r"^(?:categor(?:y|ies)|tags?|topics?|subjects?|keywords?|section|thema|tagek|cimkék):\s*", re.IGNORECASE)
_FOR_MACHINES = re.compile(r"[@_].*|[\w-]*:\S.*|nlp .*|[0-9a-f]{8}-[0-9a-f-]{20,}|[0-9a-f]{24,}|\d+|https?:.*|.*=.*", re.IGNORECASE)
_CODE = re.compile(r"[A-Z][A-Z0-9_]{1,11}")
_MIN_CODES, _MOSTLY = 5, 0.6
_NONE = frozenset({"", "null", "none", "undefined", "keywords", "tags", "tag", "na", "default", "uncategorized", "article"})


def topics_in(texts: Sequence[str]) -> list[tuple[str, str]]:
    """(topic, as it stood), in page order; a text may be a list of them. None at all where they are codes."""
    found: dict[str, tuple[str, str]] = {}
    for topic, raw in _pieces(texts):
        key = folded(topic)
        if key not in _NONE and len(topic) <= _LONGEST:
            found.setdefault(key, (topic, raw))
    topics = list(found.values())[:MAX_TOPICS]
    codes = sum(_CODE.fullmatch(topic) is not None for topic, _ in topics)
    return [] if codes >= _MIN_CODES and codes > _MOSTLY * len(topics) else topics


def _pieces(texts: Sequence[str]) -> Iterable[tuple[str, str]]:
    for text in texts:
        for piece in _SEPARATORS.split(text):
            topic = _COUNT.sub("", _LABEL.sub("", piece.strip(_EDGES))).strip(_EDGES)
            if not _FOR_MACHINES.fullmatch(topic):
                yield topic, text
