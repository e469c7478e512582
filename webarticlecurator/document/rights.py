"""What a response says of the rights in it: headers and meta tags, as they stand there, not interpreted."""

from __future__ import annotations

import re
from html import unescape
from itertools import islice

from webarticlecurator.http.message import unpacked_body
from webarticlecurator.model.capture import Capture
from webarticlecurator.own_patterns import linear

_HEADERS = frozenset({"x-robots-tag", "tdm-reservation", "tdm-policy", "content-usage"})
_METAS = frozenset({"robots", "tdm-reservation", "tdm-policy", "content-usage", "dc.rights", "dcterms.rights", "dcterms.license"})
_NAMES = tuple(name.encode() for name in sorted(_METAS))
_LONGEST = 1_000
# Both cases are spelled out: so they are found several times faster than with IGNORECASE.
_META = linear(rb"<[mM][eE][tT][aA]\s([^<>]{1,3000})>")
_ATTRIBUTE = linear(rb"""([a-z-]{1,40})\s{0,20}=\s{0,20}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))""", re.IGNORECASE)


def rights_signals(capture: Capture) -> dict[str, str]:
    """What stands where, the headers first: `header x-robots-tag` -> `noai; otherbot: noindex`."""
    written = [(f"header {name.lower()}", value[:_LONGEST]) for name, value in capture.headers if name.lower() in _HEADERS]
    start = unpacked_body(capture, 128 << 10)  # meta tags stand in the head
    body = linear(rb"<[bB][oO][dD][yY][\s>]").search(start)
    tags: list[bytes] = _META.findall(start[: body.start()] if body else start)
    # Most pages have none of these names, or one; most tags need not be taken apart.
    together = b"\n".join(tags).lower()
    names = [name for name in _NAMES if name in together]
    for tag in tags if names else ():
        if not any(name in tag.lower() for name in names):
            continue
        attributes = {key.lower(): doubly or singly or bare for key, doubly, singly, bare in _ATTRIBUTE.findall(tag)}
        name = attributes.get(b"name", b"").decode("ascii", "replace").lower()
        if name in _METAS:
            value = unescape(attributes.get(b"content", b"").decode("utf-8", "replace"))
            written.append((f"meta {name}", " ".join(value.split())[:_LONGEST]))
    signals: dict[str, str] = {}
    for where, value in islice(dict.fromkeys(written), 20):
        signals[where] = f"{signals[where]}; {value}" if where in signals else value
    return signals
