"""Names and texts as CSS takes them, for selectors that are written by the program."""

from __future__ import annotations

import re

_NEEDS_ESCAPE = re.compile(r"[^A-Za-z0-9_\-\u0080-\U0010ffff]")
_BAD_START = re.compile(r"-?[0-9]|-$|--")


def identifier(name: str) -> str:
    """A name as CSS takes it: `md:flex` is `md\\:flex`, `2col` is `\\32 col`."""
    escaped = _NEEDS_ESCAPE.sub(lambda found: _code_point(found[0]) if found[0] < " " or found[0] == "\x7f" else f"\\{found[0]}", name)
    if _BAD_START.match(name) is None:
        return escaped
    return f"\\-{identifier(name[1:])}" if name.startswith("-") else f"{_code_point(name[0])}{escaped[1:]}"


def quoted(text: str) -> str:
    return '"' + re.sub(r'["\\\x00-\x1f\x7f]', lambda found: _code_point(found[0]), text) + '"'


def _code_point(character: str) -> str:
    return f"\\{ord(character):x} "
