"""How much one exchange may take: nothing that a stranger's server sends is unbounded."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Caps of one exchange, and of what follows from it."""

    body: int = 20 * MEGABYTE
    """Bytes of a body: as they cross the wire, and once more when unpacked."""
    take_start: bool = False
    """Read the start of a body whose announced length is over the cap, rather than nothing of it."""
    head: int = 64 * 1024
    """Bytes of a response's head, interim responses included."""
    header_lines: int = 256
    redirects: int = 10
    robots: int = 500 * 1024
    """Bytes of robots.txt that are read and obeyed (RFC 9309 asks for at least these)."""
    redirects_of_robots: int = 5
    cookies: int = 500
    """Cookies kept of one portal and all it leads to."""
