"""What a response is: a page, parsed once, or the reason why it is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.budget import Budget
from webarticlecurator.model.capture import Headers
from webarticlecurator.model.json_ld import objects_in, read_json_ld
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.outline import Outline
from webarticlecurator.urls import same_page


class Evidence(StrEnum):
    """Who says which encoding it is, the most trustworthy first."""

    BOM = "byte order mark"
    PORTAL = "portal file"
    HEADER = "HTTP header"
    META = "meta charset"
    DETECTION = "detection"


@dataclass(frozen=True, kw_only=True, eq=False)
class Page:
    """One page, parsed once."""

    url: str
    """After redirects."""
    requested_url: str
    date: datetime
    """When it was captured."""
    tree: Element | None = None
    """The root of an HTML page."""
    xml: Element | None = None
    """The root of a feed; or that of a page of HTML that was read as one, and names one."""
    broken: str = ""
    """Why a part of the feed could not be read."""
    json: Any = None
    """The document of a JSON response."""
    text: str = ""
    """The text of a plain list of URLs."""
    base: str
    """What its links are joined with: the page's URL, or its `<base href>`."""
    encoding: str
    evidence: Evidence
    """Why it was read in this encoding."""
    headers: Headers = ()
    """Of the response."""
    budget: Budget = field(default_factory=Budget, repr=False)
    """What the portal's rules may still do with it."""

    @cached_property
    def outline(self) -> Outline:
        """Of its tree; empty where it has none."""
        return Outline(self.tree)

    @cached_property
    def json_ld(self) -> list[Any]:
        """The values in its JSON-LD, in page order."""
        return read_json_ld(self.outline.elements[row] for row in self.outline.rows("script"))

    @cached_property
    def json_ld_objects(self) -> list[dict[str, Any]]:
        """What is at the top of its JSON-LD, or in a list or `@graph` there; its own object first."""
        return objects_in(self.json_ld, self.url)

    def is_at(self, url: str) -> bool:
        """Whether a URL is its own, before redirects or after."""
        return same_page(url, self.url) or same_page(url, self.requested_url)


class Wall(StrEnum):
    """What stands in the way."""

    BLOCK = "block"
    """We are kept out."""
    CAPTCHA = "captcha"
    """A person is asked to prove to be one."""
    CONSENT = "consent"
    """The page comes only after consent to cookies."""


@dataclass(frozen=True, slots=True)
class NoPage:
    """What a response is instead of a page."""

    reason: str
    """In words; of a wall by what it was recognised: "Cloudflare challenge", "consent page"."""
    outcome: PageOutcome = PageOutcome.UNREADABLE
    wall: Wall | None = None
