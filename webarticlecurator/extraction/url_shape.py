"""What the addresses of one kind of page have in common: numbers are as good as any other, and so are titles."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from webarticlecurator.urls import split_path

_NUMBER = re.compile(r"\d+", re.ASCII)
_TITLE = re.compile(r"[-_,+]|%20|\d")


def url_shape(url: str, *, sections: bool) -> str:
    """`/hirek/2021/06/a-bridge.html` is `/hirek/9/9/s.html`; where `sections` do not matter, `/w/9/9/s.html`.

    Before a query the path is a program's, which stays as it is. The last of several words may be a title.
    """
    path, query = split_path(url)
    if query:
        values = (f"{name}={_kind(value, word='w')}" for name, value in sorted(parse_qsl(query, keep_blank_values=True)))
        return f"{path}?{'&'.join(values)}"
    stem, dot, ending = path.rpartition(".")
    if not dot or not ending.isalpha():
        stem, dot, ending = path, "", ""
    segments = stem.split("/")
    last = len(stem.rstrip("/").split("/")) - 1
    kinds = [_kind(one, word=(None if last < 2 or number < last else "s") if sections else "w") for number, one in enumerate(segments)]
    return "/".join(kinds) + dot + ending.lower()


def _kind(segment: str, *, word: str | None) -> str:
    """`word`: what stands for a word; None: the word itself."""
    if not segment or _NUMBER.fullmatch(segment):
        return segment and "9"
    return "s" if _TITLE.search(segment) else word or segment.lower()
