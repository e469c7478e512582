"""The digest of all that decides what building makes of a page, apart from the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from webarticlecurator.config.portal import Portal
from webarticlecurator.version import VERSION

_ELSEWHERE = frozenset({"fetch", "columns", "archive", "sources", "effective", "warnings"})
"""Parts of a portal that only crawling looks at; what a listing told of an article counts with the article's captures."""
_SPEAKS_OF_PLACES = "source"
"""Fields that say where a rule stands in its file: a new comment above it changes no document."""


def rules_digest(portal: Portal, documents: str) -> str:
    """Of a portal's rules, the program, and `documents`: whatever else the documents depend on (their template)."""
    portal = replace(portal, articles=replace(portal.articles, fetch="all", rendering=None))  # what was asked for shows in the captures
    rules = {key.name: _plain(getattr(portal, key.name)) for key in fields(portal) if key.name not in _ELSEWHERE}
    rules["encoding"] = portal.fetch.encoding
    return sha256(orjson.dumps([VERSION, documents, rules], option=orjson.OPT_SORT_KEYS)).hexdigest()


def _plain(value: Any) -> Any:
    """A setting as JSON that is the same whenever, and in whichever process, it is made."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        names = [member.name for member in fields(value) if member.compare and member.name != _SPEAKS_OF_PLACES]
        return [type(value).__name__, {name: _plain(getattr(value, name)) for name in names}]
    if isinstance(value, Mapping):
        return {str(_plain(key)): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, ZoneInfo):
        return value.key
    if isinstance(value, Path):
        return value.name
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)
