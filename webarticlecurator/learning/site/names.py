"""The names of a site, and what it says of itself, by its home page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from ipaddress import ip_address
from itertools import chain

from webarticlecurator.extraction.site_entrances import metas_of
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import squeeze
from webarticlecurator.urls import bare_host

_PARTED = linear(r"(?<!\s)\s+(?:[|–—·»:-]+)\s+")
_ENDING = linear(
    r"\.(?:blogspot|wordpress|substack|tumblr|typepad|livejournal|medium)\.com$|\.ghost\.io$|(?<=.)\.[^.]*$"
)
"""The end of a host that many sites share."""
_PLAIN_NAME = linear_at(r"(?!(?:true|false|null)$)[a-z]")
"""The beginning of a name that YAML takes for a text without quotation marks."""


def site_titles(home: Page, others: Sequence[Page], of_feed: str = "") -> list[str]:
    """Return the names of a site: the part of its home page's title that is its feed's, or that most share.

    Of several that may be it all, as they stand there.
    """
    shared = Counter(chain.from_iterable(set(_parts_of_title(page)) for page in others))
    of_feed_parts = {of_feed, *_PARTED.split(of_feed)}
    named = squeeze(next(metas_of(home, "property", "og:site_name"), ""))
    parts = [named] if named else _parts_of_title(home)
    ranks = {part: (part in of_feed_parts, shared[part]) for part in filter(str.isprintable, parts)}
    return [part[:120] for part, rank in ranks.items() if rank == max(ranks.values())]


def _parts_of_title(page: Page) -> list[str]:
    return list(filter(None, _PARTED.split(_title(page))))


def _title(page: Page) -> str:
    """Return what stands in the title of a page; empty where it has none."""
    titles = (title.text or "" for title in page.outline.named("title"))
    return squeeze(next(titles, ""))


def name_of(home: str) -> str:
    """Return a name for folders and files: of pelda.example `pelda`, of naplo.blogspot.com `naplo`."""
    host = bare_host(home)
    try:
        return json.dumps(str(ip_address(host.strip("[]"))).replace(":", "-").strip("-") or "0")
    except ValueError:
        name = _ENDING.sub("", host)
        name = linear(r"[^a-z0-9._-]").sub("-", name.lower())[:64].strip("._-") or "portal"
        return name if _PLAIN_NAME.match(name) else json.dumps(name)
