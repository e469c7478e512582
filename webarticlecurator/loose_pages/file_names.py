"""The names of files that are written of pages, by which it is seen of which page each is."""

from __future__ import annotations

import re
from hashlib import sha256

from webarticlecurator.loose_pages.page_task import PageTask
from webarticlecurator.own_patterns import linear, linear_at

_ENDING = linear_at(r"(.+?)\.(?:x?html|htm)(?:\.gz)?", re.IGNORECASE)
_SCHEME = linear(r"^[A-Za-z][A-Za-z0-9+.-]*:/*")
_NOT_IN_NAMES = linear(r"[^\w.=&,+@-]+")
_LONGEST = 150
"""Characters of a name; systems allow 255 bytes."""


def name_of(task: PageTask) -> str:
    """Return the name of what is written of a page, without its ending: the path of its file, or its address
    with `_` for each `/`."""
    return _without_ending(task.name) if task.name else long_name(task.source)


def long_name(source: str) -> str:
    """Return a name that tells a whole address, or the path of a file as it was typed."""
    name = _NOT_IN_NAMES.sub("_", _SCHEME.sub("", source, count=1)).strip("_.") or "page"
    short = (
        name
        if len(name) <= _LONGEST
        else f"{name[:_LONGEST]}-{sha256(source.encode('utf-8', 'replace')).hexdigest()[:8]}"
    )
    return _without_ending(short)


def _without_ending(name: str) -> str:
    match = _ENDING.fullmatch(name)
    return match[1] if match is not None else name
