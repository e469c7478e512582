"""The selector that a simplified tag stands for, as a rule of the tag dictionary would be written."""

from __future__ import annotations

import re

from webarticlecurator.survey.tag import Tag

_NEEDS_ESCAPE = re.compile(r"[^A-Za-z0-9_\-\u0080-\U0010ffff]")
_BAD_START = re.compile(r"-?[0-9]|-$|--")


def selector_of(tag: Tag) -> str:
    """`div.post[class*="item-"][data-src]`: what is a star in the tag is left open; never narrower than the tag."""
    id = f"#{identifier(tag.id)}" if tag.id else ""
    plain = "".join(f".{identifier(name)}" for name in tag.classes if "*" not in name)
    general = "".join(_containing("class", name) for name in tag.classes if "*" in name)
    attributes = "".join(_attribute(name, value) for name, value in tag.attributes if "*" not in name)
    return f"{identifier(tag.name)}{id}{plain}{general}{attributes}"


def _attribute(name: str, value: str) -> str:
    if "*" in value:
        return _containing(name, value) or f"[{identifier(name)}]"
    return f"[{identifier(name)}={quoted(value)}]" if value else f"[{identifier(name)}]"


def _containing(attribute: str, general: str) -> str:
    """What stands around the stars; a hyphen alone says nothing."""
    pieces = dict.fromkeys(piece for piece in general.split("*") if any(map(str.isalpha, piece)))
    return "".join(f"[{identifier(attribute)}*={quoted(piece)}]" for piece in pieces)


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
