"""A wall instead of what was asked for: a block, a captcha, a consent page. The one classifier, for crawl
and build.

It works on bytes and by strong signs only. An article may embed a captcha for its comments, carry a cookie
banner or write about either: so a page counts as a wall by what only a wall has (the challenge of a named
product, on a page of a wall's size), or by a wall's title on a page that has next to no text and nothing of
an article.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Wall
from webarticlecurator.own_patterns import linear
from webarticlecurator.protocol.message import GONE, header, unpacked_body
from webarticlecurator.resources import read_word_lists
from webarticlecurator.urls import join

_BIGGEST_PRODUCT = 40 << 10
"""Bytes of a page that a product of protection sends."""
_BIGGEST_TITLED_WALL = 256 << 10
"""Bytes of a page that calls itself a wall: consent pages bring their scripts and styles along."""
_TITLE_WITHIN = 32 << 10
"""Bytes at the beginning of a page in which its title stands."""
_MOST_LINKS = 30
"""Links of a wall; a page with more has the menus of a portal."""

# Both cases are spelled out: so they are found several times faster than with IGNORECASE.
_TITLE = linear(rb"<[tT][iI][tT][lL][eE][^>]{0,200}>([^<]{0,300})</[tT][iI][tT][lL][eE]")
_HEADING = linear(rb"<[hH]1[^>]{0,300}>([^<]{0,400})</[hH]1")
_INVISIBLE = linear(
    rb"<(script|style|noscript|template|svg|head)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_TAG = linear(rb"<[^<>]*>")
_ARTICLE_SIGNS = linear(
    rb"<article\b|newsarticle|blogposting|articlebody|article:published_time|og:type[\"'] "
    rb"content=[\"']article",
)
_CAPTCHA_WIDGET = linear(
    rb"challenges\.cloudflare\.com|hcaptcha\.com|recaptcha/(?:api|enterprise)|cf-turnstile|"
    rb"(?:id|class|name|src|action|data-[a-z]{1,20})=[\"']?[^\"'<> ]{0,80}captcha"
)
_ACCEPT = linear(
    rb"(?:<(?:button|a|span|div|label)(?:\s[^<>]{0,400})?>|value=[\"'])[^<>\"']{0,60}(?:"
    + "|".join(
        (
            *(
                "accept", "agree", "consent", "continue", "elfogad", "hozzájárul", "egyetért", "zustimm",
                "akzept", "einverstanden",
            ),
            *("consentir", "aceptar", "acepto", "accett", "zgadzam", "akkoord"),
        )
    ).encode()
    + rb")"
)  # fmt: skip
"""A control that gives consent."""
_CONSENT_HOST = linear(
    r"\A(?:consent|cmp|myprivacy|privacy-?gate|cookie-?wall|guce|zustimmung|toestemming)\..|.\.(?:privacymanager\.io|consentmanager\.net)\Z",
)
_CONSENT_PATH = linear(
    r"/(?:[a-z0-9_-]*consent|cookie-?wall|privacy-?(?:gate|wall)|zustimmung|einwilligung|toestemming|(?:suti-)?hozzajarulas|consentement)"
    r"(?:/|\.[a-z]+$|$)"
)
_LOGIN = linear(
    r"/(?:[a-z]{1,12}[-_])?(?:log[-_]?[io]n|sign[-_]?in|anmelden|anmeldung|einloggen|connexion|identification|accedi|acceso|entrar"
    r"|belepes|bejelentkezes|prihlaseni|prihlasenie|logowanie)(?:[-_]form)?(?:\.[a-z]+)?(?=[/?#]|$)|[?&]came_from=",
    re.IGNORECASE,
)
"""A whole part of an address: words of a headline may be the same."""
_PASSWORD = linear(rb"<input\b[^<>]{0,400}\btype=[\"']?password", re.IGNORECASE)
_CAPTCHA_PATH = linear(
    r"/(?:captcha|recaptcha|sorry/index|validate-?captcha|human-?verification)(?:/|\.[a-z]+$|$)",
)


class _BarePage(NamedTuple):
    """The most text that may stand on a page that calls itself a wall."""

    most_text: int
    """Bytes of text that may be seen on it."""
    most_text_alone: int
    """Bytes of text of a page that needs no control to be such a wall."""
    control: re.Pattern[bytes]
    """The control that opens the wall."""


_BARE_PAGES = {
    Wall.BLOCK: _BarePage(800, 800, linear(rb"(?!)")),
    Wall.CAPTCHA: _BarePage(1_500, 400, _CAPTCHA_WIDGET),
    Wall.CONSENT: _BarePage(8_000, -1, _ACCEPT),
}
"""The limits of bare pages by their wall: consent pages are the talkative ones."""
_WALLS_OF_ADDRESSES = (
    (Wall.CONSENT, "host", _CONSENT_HOST),
    (Wall.CONSENT, "path", _CONSENT_PATH),
    (Wall.CAPTCHA, "path", _CAPTCHA_PATH),
)
"""The walls that an address tells, by which part of it, and how that is written."""


@cache
def _products() -> list[tuple[str, Wall, int, list[bytes]]]:
    """Return the pages that only one product sends: its name, the wall, the most bytes, and all that is in
    them, in lower case."""
    lines = Path(__file__).with_name("wall_products.txt").read_text(encoding="utf-8").splitlines()[1:]
    rows = (line.split(" | ") for line in lines)
    return [
        (name, Wall(wall), int(kib) << 10, [needle.encode() for needle in needles])
        for name, wall, kib, *needles in rows
    ]


@cache
def _titles() -> dict[Wall, re.Pattern[str]]:
    """Return a pattern a wall, for a whole title in lower case, without the site's name and closing marks."""
    titles = read_word_lists(__file__, "wall_titles.txt", r"\n+")
    return {Wall(name): linear("|".join(patterns)) for name, patterns in titles.items()}


def classify(capture: Capture) -> NoPage | None:
    """Return the wall that a capture is; None for everything else."""
    if (header(capture.headers, "cf-mitigated") or "").lower() == "challenge":
        return _of_wall(Wall.CAPTCHA, "Cloudflare challenge")
    return _wall_behind_redirect(capture) or _wall_in_body(capture)


def is_login(capture: Capture, asked: str) -> bool:
    """Return True if a page that was redirected to asks for a password, and its address says so."""
    is_called_so = _LOGIN.search(unquote(capture.url)) is not None and _LOGIN.search(unquote(asked)) is None
    return is_called_so and _PASSWORD.search(unpacked_body(capture, _BIGGEST_TITLED_WALL)) is not None


def _of_wall(wall: Wall, name: str) -> NoPage:
    return NoPage(name, PageOutcome.CONSENT if wall is Wall.CONSENT else PageOutcome.NOT_ARTICLE, wall)


def _wall_behind_redirect(capture: Capture) -> NoPage | None:
    """Return the wall that a redirect led to, as far as the address tells; or would have led to, where it
    was not followed."""
    url = capture.url
    if 300 <= capture.status < 400:
        url = join(url, header(capture.headers, "location") or "") or url
    try:
        asked, target = _parts(capture.requested_url), _parts(url)
    except ValueError:
        return None
    for wall, part, pattern in _WALLS_OF_ADDRESSES:
        if pattern.search(target[part]) and not pattern.search(asked[part]):
            return _of_wall(wall, f"redirect to {target[part][:80]}")
    return None


def _parts(url: str) -> dict[str, str]:
    parts = urlsplit(url.lower())
    return {"host": parts.hostname or "", "path": parts.path}


def _wall_in_body(capture: Capture) -> NoPage | None:
    """Return the wall that a page is by its bytes."""
    body = unpacked_body(capture, _BIGGEST_TITLED_WALL + 1)
    if len(body) > _BIGGEST_TITLED_WALL or capture.status in GONE:
        return None
    page = _product_of(body) or _titled_wall(body)
    if page is None or _ARTICLE_SIGNS.search(body.lower()):
        return None
    # One refusal that says it is one is an error like others; only a streak of them is a block.
    return None if page.wall is Wall.BLOCK and capture.status >= 400 else page


def _product_of(body: bytes) -> NoPage | None:
    """Return the wall of the product that sends such a page."""
    lowered = body[:_BIGGEST_PRODUCT].lower()
    for name, wall, biggest, needles in _products():
        if len(body) <= biggest and all(needle in lowered for needle in needles):
            return _of_wall(wall, name)
    return None


def _titled_wall(body: bytes) -> NoPage | None:
    """Return the wall that a page calls itself, if it has nothing that would make it anything else."""
    names = set[str]()
    for written in filter(
        None,
        (_TITLE.search(body, 0, _TITLE_WITHIN), _HEADING.search(body, 0, _TITLE_WITHIN)),
    ):
        title = " ".join(unescape(_decoded(written[1])).split()).casefold()
        names.update(name.strip(" .!?…") for name in (title, *linear(r"(?<!\s)\s+[|–—·»:-]\s+").split(title)))
    for wall, pattern in _titles().items():
        if any(map(pattern.fullmatch, names)) and _is_bare(body, _BARE_PAGES[wall]):
            return _of_wall(wall, f"{wall} page")
    return None


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("iso-8859-2")


def _is_bare(body: bytes, most: _BarePage) -> bool:
    """Return True if a page has only what such a wall has."""
    lowered = body.lower()
    if lowered.count(b"<a ") > _MOST_LINKS:
        return False
    visible = len(b" ".join(_TAG.sub(b" ", _INVISIBLE.sub(b" ", body)).split()))
    has_control = visible <= most.most_text_alone or most.control.search(lowered) is not None
    return visible <= most.most_text and has_control
