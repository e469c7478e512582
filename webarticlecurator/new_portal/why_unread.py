"""Find why a site could not be read: it keeps us out, it wants something first, or it shows nothing without
its scripts."""

from __future__ import annotations

from webarticlecurator.crawling.run import wall_in
from webarticlecurator.learning.site import about
from webarticlecurator.learning.site.scripts_needed import shown_on, shows_hardly_anything
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import Wall
from webarticlecurator.new_portal.look import Look

_WANTS = {
    Wall.CONSENT: "it asks for consent to cookies first",
    Wall.CAPTCHA: "it asks to prove to be a person",
}
_LOGIN, _REFUSALS = (401, 407), (401, 403, 407, 429, 451)


def why_unread(named: str, look: Look) -> dict[str, str]:
    """Return why the home page could not be read: `blocked`, it keeps us out, or `failed`, something else."""
    if look.asked.first is None:
        return {"failed": look.stopped or "nothing was asked"}
    if (blocked := _why_blocked(look)) is not None:
        return {"blocked": blocked}
    return {"failed": _why_failed(named, look)}


def _why_blocked(look: Look) -> str | None:
    """Return who keeps us out: a wall in place of the page, robots.txt, a status; None if nobody does."""
    fetched, page = look.asked.first, look.asked.no_page
    assert fetched is not None
    if page is not None and page.wall is not None:
        return f"{_WANTS.get(page.wall, 'it keeps us out')} ({page.reason})"
    if (wall := wall_in(fetched)) is not None:
        return f"it keeps us out ({wall})"
    if fetched.verdict.outcome is FetchOutcome.ROBOTS:
        return "its robots.txt forbids programs to read it"
    last = look.asked.last_answer
    if last is not None and last.status in _REFUSALS:
        asks = "which asks for a login" if last.status in _LOGIN else "a refusal"
        return f"it answers HTTP {last.status}, {asks}"
    return None


def _why_failed(named: str, look: Look) -> str:
    fetched, last = look.asked.first, look.asked.last_answer
    assert fetched is not None
    if last is not None and "other host" in fetched.verdict.reason:
        targets = [value for name, value in last.headers if name.lower() == "location"]
        return (
            f"{named} leads to another site ({targets[0] if targets else ''}): if that is meant, give its "
            "address"
        )
    return look.asked.why_no_page


def what_it_wants(seen: SiteSeen) -> str | None:
    """Return what a home page that can be read tells of what cannot; a page of greetings says nothing of
    articles that have text."""
    text, shown, outline = len(about.body_text(seen.home)), shown_on(seen.home), seen.home.outline
    has_password = any(field.get("type") == "password" for field in outline.named("input"))
    if text < 300 and len(shown.links) < 5 and has_password:
        return f"it asks for a login: its home page has {text} characters of text and a field for a password"
    if all(
        page.outline.rows("script") and shows_hardly_anything(page) for page in (seen.home, *seen.articles)
    ):
        without = (
            f"without its scripts the home page has {shown.words} words and {len(shown.links)} links outside "
            "of menus"
        )
        then = "`fetch: {via: browser}` crawls with one (docs/how-to/kinds-of-portals.md)"
        return f"it seems to need a browser: {without}; {then}"
    return None
