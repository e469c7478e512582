"""robots.txt as text: by which coding it is read, and how much of it."""

from __future__ import annotations

MOST_BYTES = 500 << 10
"""The bytes that RFC 9309 asks to be read and obeyed, at least."""
_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""The encoding by its mark."""


def robots_text(content: bytes) -> str:
    """Return the text in UTF-8, as RFC 9309 has it, whatever the header says; in UTF-16 where its first bytes
    show that.

    Half a character at its end is left out: as a part of a rule it would open what the rule closes.
    """
    return _decoded(content).rstrip("\ufffd")


def _decoded(content: bytes) -> str:
    for mark, codec in _UTF_16.items():
        if content.startswith(mark):
            return content.decode(codec, "replace").lstrip("\ufeff")
    if content[:4].isascii() and content[1:4:2] == b"\0\0":
        return content.decode("utf-16-le", "replace")
    if content[:4].isascii() and content[:4:2] == b"\0\0":
        return content.decode("utf-16-be", "replace")
    return content.decode("utf-8-sig", "replace").replace("\0", "")  # as in pages
