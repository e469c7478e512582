"""What stands at the head of every WARC file: who made it, with what, how politely, and by which portal file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from webarticlecurator.version import NAME

LAYOUT_FIELD = "curator-exchanges"
"""Says that each exchange of the file is completed by a metadata record, and in which version of that layout."""
CONFORMS_TO = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_SOFTWARE = f"software: {NAME} ".encode()
_ROBOTS = {"obey": "obeyed as RFC 9309 says", "record": "recorded, not obeyed"}
PORTAL_FILE = "urn:curator:portal-file:"
"""What the URIs of portal files begin with."""
_DESCRIPTIONS = {"archive": "archive pages", "articles": "articles"}
_REDACTED = "the captures were made with credentials ({}); their values are replaced by [redacted] in the request records"


def is_ours(beginning: bytes) -> bool:
    """Whether a WARC file that begins so is ours: by the `software` of its warcinfo. Such files need no tolerance when they are read."""
    head, _, rest = beginning.partition(b"\r\n\r\n")
    return b"WARC-Type: warcinfo" in head and rest.partition(b"\r\n\r\n")[0].startswith(_SOFTWARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A portal file, as it was when the crawl began."""

    name: str
    content: bytes

    @property
    def uri(self) -> str:
        """Names the content, so that equal files have equal URIs in every WARC."""
        return f"{PORTAL_FILE}{sha256(self.content).hexdigest()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcInfo:
    """What every file of one run says of itself. Nothing about the machine: host names and addresses are not the reader's business."""

    portal: str
    software: str
    """"webarticlecurator 1.0.0"."""
    operator: str | None = None
    """Who crawls: the contact that the User-Agent names."""
    user_agent: str | None = None
    robots: Literal["obey", "record"] = "obey"
    credentials: tuple[str, ...] = ()
    """With what the captures were made that others do not have: "cookies", "Authorization", "proxy"."""
    sources: tuple[StoredFile, ...] = ()
    """The portal file and those that it extends."""
    effective: StoredFile | None = None
    """All of them merged: the rules that were in force."""

    @property
    def files(self) -> tuple[StoredFile, ...]:
        """Every portal file to keep, the effective one last."""
        return (*self.sources, self.effective) if self.effective else self.sources

    def fields(self, series: str, browser: str | None = None) -> Iterator[tuple[str, str]]:
        """The body of the warcinfo record; `browser`: what showed pages of the file."""
        yield "software", self.software
        yield "format", "WARC File Format 1.1"
        yield "conformsTo", CONFORMS_TO
        if self.operator:
            yield "operator", self.operator
        if self.user_agent:
            yield "http-header-user-agent", self.user_agent
        if browser:
            yield "curator-browser", browser
        yield "robots", _ROBOTS[self.robots]
        yield "isPartOf", self.portal
        yield LAYOUT_FIELD, "1"
        yield "description", f"{_DESCRIPTIONS.get(series, series)} of the portal {self.portal}"
        for source in self.sources:
            yield "curator-portal-file", f"{source.name} {source.uri}"
        if self.effective:
            yield "curator-effective-file", self.effective.uri
        if self.credentials:
            yield "curator-credentials", _REDACTED.format(", ".join(self.credentials))
