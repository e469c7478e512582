"""The selector that a simplified tag stands for, as a rule of the tag dictionary would be written."""

from __future__ import annotations

from webarticlecurator.selectors.escaping import identifier, quoted
from webarticlecurator.survey.tag import Tag


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
