"""What the addresses of one kind of page have in common: numbers, titles and words are each as good as any other."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

_NUMBER = re.compile(r"\d+", re.ASCII)
_TITLE = re.compile(r"[-_,+]|%20|\d")


def url_shape(url: str) -> str:
    """`/hirek/2021/06/a-bridge.html` is `/w/9/9/s.html`; before a query the path is a program's, which stays as it is."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.query:
        values = (f"{name}={_kind(value)}" for name, value in sorted(parse_qsl(parts.query, keep_blank_values=True)))
        return f"{parts.path}?{'&'.join(values)}"
    path, dot, ending = parts.path.rpartition(".")
    if not dot or not ending.isalpha():
        path, dot, ending = parts.path, "", ""
    return "/".join(map(_kind, path.split("/"))) + dot + ending


def _kind(segment: str) -> str:
    if not segment or _NUMBER.fullmatch(segment):
        return segment and "9"
    return "s" if _TITLE.search(segment) else "w"
