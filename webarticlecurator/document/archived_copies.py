"""Find the page that a web archive shows a copy of, and when it was captured.

Archives write the time of the capture and the page's own address into the path of the copy, and the same
before every link.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from webarticlecurator.document.decode import MAX_UNPACKED
from webarticlecurator.model.capture import Capture
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.protocol.message import unpacked_body

_TIME = r"(?:/[\w.-]{1,40}){0,3}/(\d{14})(?:[a-z]{2}_)?/"
_COPY = linear_at(rf"https?://[^/?#]+{_TIME}(https?:/{{1,2}}[^/?#].*)")
_LINK = linear(
    rb"(?<=[\"'=(,\s])(?:https?://[\w.:-]{1,100})?(?:/[\w.-]{1,40}){0,3}/\d{14}(?:[a-z]{2}_)?/(?=https?:/)"
)
_SHOWN_AROUND = linear(rb"<!--\s*BEGIN WAYBACK TOOLBAR INSERT\s*-->|<!--\s*END WAYBACK TOOLBAR INSERT\s*-->")
"""The marks around what an archive itself shows above the page."""


def own_page(capture: Capture) -> Capture:
    """Return a copy of an archive as if the page had been had from its own address at the time of the
    capture; others as they are."""
    copy = _COPY.fullmatch(capture.url)
    time = _moment(copy[1]) if copy is not None else None
    if copy is None or time is None:
        return capture
    url = copy[2] if "://" in copy[2] else copy[2].replace(":/", "://", 1)
    body = _LINK.sub(b"", _without_toolbar(unpacked_body(capture, MAX_UNPACKED)))
    headers = tuple((name, value) for name, value in capture.headers if name.lower() != "content-encoding")
    return replace(
        capture, url=url, requested_url=url, date=time, is_dated=True, headers=headers, entity=body
    )


def _moment(digits: str) -> datetime | None:
    """Return the time that fourteen digits say; None if they are none."""
    try:
        return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _without_toolbar(body: bytes) -> bytes:
    """Return a page without what its archive shows above it."""
    parts = _SHOWN_AROUND.split(body)
    return body if len(parts) != 3 else parts[0] + parts[2]
