"""Where in the portal file itself a pick stands, for the person who has to change it."""

from __future__ import annotations

from webarticlecurator.config.portal import Portal


def place_of(portal: Portal, source: str, css: str = "") -> str | None:
    """ "portal.yaml:105 metadata.author a.szerzo"; None for a pick of a preset."""
    if not portal.sources:
        return None
    file = portal.sources[0]
    key = f"{source.rpartition('.')[2]}:"
    lines = [line.partition(" #")[0] for line in file.content.decode("utf-8", "replace").splitlines()]
    start = next((number for number, line in enumerate(lines) if key in line), None)
    if start is None:
        return None
    behind = list(enumerate(lines[start:], start=start + 1))
    number = next((number for wanted in ((key, css), (css,)) for number, line in behind if all(one in line for one in wanted)), None)
    return None if number is None else " ".join(filter(None, (f"{file.path.name}:{number}", source, css)))
