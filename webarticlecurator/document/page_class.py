"""Is this page a wall instead of what was asked for: a block, a captcha, a consent page? The one classifier, for crawl and build.

It works on bytes and by strong signs only. An article may embed a captcha for its comments, carry a cookie banner or write
about either: so a page counts as a wall by what only a wall has (the challenge of a named product, on a page of a wall's
size), or by a wall's title on a page that has next to no text and nothing of an article.
"""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

from webarticlecurator.document.decode import beginning_of
from webarticlecurator.document.walls import BIGGEST_WALL, CAPTCHA_PATH, CONSENT_HOST, CONSENT_PATH, PRODUCTS, TITLES
from webarticlecurator.http.message import GONE
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Wall
from webarticlecurator.urls import join

_BIGGEST_TITLED_WALL = 256 << 10
"""Bytes: consent pages bring their scripts and styles along."""
_TITLE_WITHIN = 32 << 10

# Both cases are spelled out: so they are found several times faster than with IGNORECASE.
_TITLE = re.compile(rb"<[tT][iI][tT][lL][eE][^>]{0,200}>([^<]{0,300})</[tT][iI][tT][lL][eE]")
_HEADING = re.compile(rb"<[hH]1[^>]{0,300}>([^<]{0,400})</[hH]1")
_INVISIBLE = re.compile(rb"<(script|style|noscript|template|svg|head)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(rb"<[^<>]*>")
_SITE_NAME = re.compile(r"\s+[|–—·»:-]\s+")
_ARTICLE_SIGNS = re.compile(rb"<article\b|newsarticle|blogposting|articlebody|article:published_time|og:type[\"'] content=[\"']article")
_CAPTCHA_WIDGET = re.compile(
    rb"challenges\.cloudflare\.com|hcaptcha\.com|recaptcha/(?:api|enterprise)|cf-turnstile|"
    rb"(?:id|class|name|src|action|data-[a-z]{1,20})=[\"']?[^\"'<> ]{0,80}captcha"
)
_ACCEPT = re.compile(
    rb"(?:<(?:button|a|span|div|label)(?:\s[^<>]{0,400})?>|value=[\"'])[^<>\"']{0,60}(?:"
    + "|".join(
        (
            *("accept", "agree", "consent", "continue", "elfogad", "hozzájárul", "egyetért", "zustimm", "akzept", "einverstanden"),
            *("consentir", "aceptar", "acepto", "accett", "zgadzam", "akkoord"),
        )
    ).encode()
    + rb")"
)
"""A control that gives consent."""
_MOST_TEXT = {Wall.BLOCK: 800, Wall.CAPTCHA: 1_500, Wall.CONSENT: 8_000}
"""Bytes of text that may be seen on such a page: consent pages are the talkative ones."""
_MOST_TEXT_WITHOUT_WIDGET = 400
_MOST_LINKS = 30
"""A page with the menus of a portal is no wall, whatever it says first."""


def classify(capture: Capture) -> NoPage | None:
    """The wall that a capture is, None for everything else."""
    if any(name.lower() == "cf-mitigated" and value.lower() == "challenge" for name, value in capture.headers):
        return _of_wall(Wall.CAPTCHA, "Cloudflare challenge")
    target = _redirect_target(capture) or capture.url
    redirect = _of_redirect(capture.requested_url, target) if target != capture.requested_url else None
    if redirect is not None:
        return redirect
    body = beginning_of(capture, _BIGGEST_TITLED_WALL + 1)
    if len(body) > _BIGGEST_TITLED_WALL or capture.status in GONE:
        return None
    found = _product_of(body) or _titled_wall(body)
    # One refusal that says it is one is an error like others; only a streak of them is a block.
    return None if found is not None and found.wall is Wall.BLOCK and capture.status >= 400 else found


def _of_wall(wall: Wall, name: str) -> NoPage:
    return NoPage(name, PageOutcome.CONSENT if wall is Wall.CONSENT else PageOutcome.NOT_ARTICLE, wall)


def _redirect_target(capture: Capture) -> str | None:
    """Where a redirect that was not followed would have led."""
    location = capture.header("Location") if 300 <= capture.status < 400 else None
    return join(capture.url, location) if location else None


def _of_redirect(url: str, target: str) -> NoPage | None:
    """The wall that a redirect from one URL to another leads to, as far as the target's address tells."""
    try:
        parts, asked = urlsplit(target.lower()), urlsplit(url.lower())
        host, asked_host = parts.hostname or "", asked.hostname
    except ValueError:
        return None
    if host != asked_host and CONSENT_HOST.fullmatch(host):
        return _of_wall(Wall.CONSENT, f"redirect to {host}")
    for wall, pattern in ((Wall.CONSENT, CONSENT_PATH), (Wall.CAPTCHA, CAPTCHA_PATH)):
        if parts.path != asked.path and pattern.search(parts.path) and not pattern.search(asked.path):
            return _of_wall(wall, f"redirect to {parts.path[:80]}")
    return None


def _product_of(body: bytes) -> NoPage | None:
    if len(body) > BIGGEST_WALL:
        return None
    lowered = body.lower()
    for product in PRODUCTS:
        if len(body) <= product.biggest and all(needle in lowered for needle in product.needles):
            return None if _ARTICLE_SIGNS.search(lowered) else _of_wall(product.wall, product.name)
    return None


def _titled_wall(body: bytes) -> NoPage | None:
    """A page that calls itself a wall, and has nothing that would make it anything else."""
    titles = [_text(found[1]) for found in (_TITLE.search(body, 0, _TITLE_WITHIN), _HEADING.search(body, 0, _TITLE_WITHIN)) if found]
    names = {part.strip(" .!?…") for title in titles for part in (title, *_SITE_NAME.split(title))}
    for wall, pattern in TITLES:
        if any(map(pattern.fullmatch, names)) and _is_bare(body, wall):
            return _of_wall(wall, f"{wall} page")
    return None


def _is_bare(body: bytes, wall: Wall) -> bool:
    """Whether a page has only what such a wall has."""
    lowered = body.lower()
    if _ARTICLE_SIGNS.search(lowered) or lowered.count(b"<a ") > _MOST_LINKS:
        return False
    visible = len(b" ".join(_TAG.sub(b" ", _INVISIBLE.sub(b" ", body)).split()))
    if visible > _MOST_TEXT[wall]:
        return False
    if wall is Wall.CAPTCHA:
        return visible <= _MOST_TEXT_WITHOUT_WIDGET or _CAPTCHA_WIDGET.search(lowered) is not None
    if wall is Wall.CONSENT:
        return _ACCEPT.search(lowered) is not None
    return True


def _text(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("iso-8859-2")
    return " ".join(unescape(text).split()).casefold()
