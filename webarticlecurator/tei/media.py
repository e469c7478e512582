"""Media types, guessed from addresses."""

from __future__ import annotations

import re

_ENDING = re.compile(r"\.([A-Za-z0-9]{2,5})(?:[?#]|\Z)")
# A table of our own: the standard library's depends on the machine, and the same article has to give the same bytes everywhere.
_TYPES = {
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "png": "image/png",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "svg": "image/svg+xml",
    "mp4": "video/mp4",
    "webm": "video/webm",
    "mp3": "audio/mpeg",
    "ogg": "audio/ogg",
    "wav": "audio/wav",
    "pdf": "application/pdf",
}


def media_type(address: str | None) -> str | None:
    """By the ending of the path."""
    found = _ENDING.search(address or "")
    return _TYPES.get(found[1].lower()) if found else None
