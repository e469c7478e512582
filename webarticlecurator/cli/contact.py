"""Who crawls: no portal of others is asked for anything before it can know whom to write to."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from webarticlecurator import settings
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal

_ADDRESS = re.compile(r"(mailto:)?[^\s@<>()]+@[^\s@<>()]+|https?://[^\s<>()]+")
_LENGTH_LIMIT = 200


def contact_of(flag: str | None) -> str | None:
    """The contact that the command line, the environment or the settings file gives. Raises UsageError if nobody could be reached by it."""
    text, source = settings.lookup("contact", flag)
    if text is None:
        return None
    contact = text.strip()
    if len(contact) <= _LENGTH_LIMIT and contact.isascii() and _ADDRESS.fullmatch(contact):
        return contact
    raise UsageError(
        f"The contact {text!r} (from {source}) is neither an e-mail address nor a web address."
        " Give one at which the people of a portal can reach you, such as you@university.example."
    )


def require_contact(portals: Iterable[Portal], contact: str | None, *, command: str = "crawl") -> None:
    """Refuse to ask anyone else's host for anything without a contact; `command`: which one the person typed."""
    foreign = sorted({host for portal in portals for host in portal.asked_hosts if not is_loopback(host)})
    if contact is None and foreign:
        raise UsageError(
            f"Before {foreign[0]} is asked for anything, it must be able to know who asks. Say who crawls, in one of these ways:\n"
            f"  curator {command} --contact you@university.example ...\n"
            "  export CURATOR_CONTACT=you@university.example\n"
            f"  a line `contact: you@university.example` in {settings.settings_file()}\n"
            "An e-mail address or the web page of your project; it becomes part of the User-Agent."
        )


def is_loopback(host: str) -> bool:
    """Whether this name can only mean this machine; no look-up."""
    name = host.strip("[]").rstrip(".").lower()
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
