"""A look at a site whose pages are told as text: what its plan asks for, answered without any network."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from webarticlecurator.document.page import read_page
from webarticlecurator.learning.site.look_plan import Answer, Looking, Purpose, SiteSeen, look_at_home
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.page import Page

HOME = "https://pelda.example/"
FETCHED, GONE = Verdict(FetchOutcome.FETCHED, "HTTP 200"), Verdict(FetchOutcome.GONE, "HTTP 404")


def capture(path: str, body: str) -> Capture:
    kind = "application/xml" if body.startswith("<?xml") else "text/html; charset=utf-8"
    url, headers = f"{HOME}{path}", (("Content-Type", kind),)
    when = datetime(2024, 5, 1, tzinfo=UTC)
    return Capture(url=url, requested_url=url, status=200, headers=headers, entity=body.encode(), date=when)


def page(path: str, body: str) -> Page:
    read = read_page(capture(path, f"<html><body>{body}</body></html>"))
    assert isinstance(read, Page)
    return read


def follow(plan: Looking, site: Mapping[str, str], *, robots: str = "") -> list[tuple[str, Purpose]]:
    """What the plan asks for, answered by a site of paths and bodies."""
    asked = []
    try:
        ask = next(plan)
        while True:
            path = ask.url.removeprefix(HOME)
            asked.append((path, ask.purpose))
            body = site.get(path)
            if body is None:
                ask = plan.send(Answer(GONE, robots=robots))
            elif body.startswith("<?xml"):
                ask = plan.send(Answer(FETCHED, None, capture(path, body), robots))
            else:
                ask = plan.send(Answer(FETCHED, page(path, body), capture(path, body), robots))
    except StopIteration:
        return asked


def sitemap(*urls: str, index: bool = False) -> str:
    outer, inner = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    entries = "".join(f"<{inner}><loc>{HOME}{url}</loc></{inner}>" for url in urls)
    return f"<?xml version='1.0'?><{outer} xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</{outer}>"


def looked_home(body: str, *, robots: str = "") -> SiteSeen:
    seen = SiteSeen()
    assert follow(look_at_home(HOME, seen), {"": body}, robots=robots) == [("", Purpose.HOME)]
    return seen
