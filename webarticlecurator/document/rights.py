"""Statements of a response on the rights in it: headers and meta tags, as they stand there, not
interpreted."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from itertools import chain, islice

from webarticlecurator.model.capture import Capture
from webarticlecurator.own_patterns import linear
from webarticlecurator.protocol.message import unpacked_body

_HEADERS = frozenset({"x-robots-tag", "tdm-reservation", "tdm-policy", "content-usage"})
_METAS = frozenset(
    {
        "robots",
        "tdm-reservation",
        "tdm-policy",
        "content-usage",
        "dc.rights",
        "dcterms.rights",
        "dcterms.license",
    }
)
_LONGEST = 1_000
"""Characters of one signal."""
_MOST = 20
"""Signals of one response."""
_WITHIN = 128 << 10
"""Bytes at the beginning of a page in which its meta tags stand."""
# It is searched for in lower case, or with both cases spelled out: several times faster than with IGNORECASE.
_META = linear(rb"<meta\s([^<>]{1,3000})>")
_BODY = linear(rb"<[bB][oO][dD][yY][\s>]")
_NAMED = linear("|".join(map(re.escape, sorted(_METAS))).encode())
"""The names that a tag must have to be taken apart: most tags have none of them."""
_ATTRIBUTE = linear(
    rb"""([a-z-]{1,40})\s{0,20}=\s{0,20}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))""",
    re.IGNORECASE,
)


def rights_signals(capture: Capture) -> dict[str, str]:
    """Return what stands where, the headers first: `header x-robots-tag` -> `noai; otherbot: noindex`."""
    signals = defaultdict[str, list[str]](list)
    for where, value in islice(dict.fromkeys(chain(_headers(capture), _metas(capture))), _MOST):
        signals[where].append(value)
    return {where: "; ".join(values) for where, values in signals.items()}


def _headers(capture: Capture) -> Iterator[tuple[str, str]]:
    for name, value in capture.headers:
        if name.lower() in _HEADERS:
            yield f"header {name.lower()}", value[:_LONGEST]


def _metas(capture: Capture) -> Iterator[tuple[str, str]]:
    head = _BODY.split(unpacked_body(capture, _WITHIN), maxsplit=1)[0]
    for tag in filter(lambda tag: _NAMED.search(tag[1]), _META.finditer(head.lower())):
        # a value stands in double marks, in single ones, or in none
        attributes = {
            key.lower(): doubly + singly + bare
            for key, doubly, singly, bare in _ATTRIBUTE.findall(head, *tag.span(1))
        }
        name = attributes.get(b"name", b"").decode("ascii", "replace").lower()
        if name in _METAS:
            value = unescape(attributes.get(b"content", b"").decode("utf-8", "replace"))
            yield f"meta {name}", " ".join(value.split())[:_LONGEST]
