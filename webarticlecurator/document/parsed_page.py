"""From a response to a parsed page, its tree or its JSON, and what its links are joined with; or that it is a wall instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.document.decode import Decoded, decode
from webarticlecurator.document.xml import has_root, local_name, read_xml
from webarticlecurator.http.message import GONE, header, mime_of, unpacked_body
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page, Wall, relations, whole_json
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import element_text, short_text, squeeze
from webarticlecurator.urls import is_http, join
from webarticlecurator.word_lists import read_word_lists

MAX_TAGS = 1_000_000
"""Tags of one page; a tree of more would fill the memory."""
MAX_ATTRIBUTES = 5_000
"""Of one tag; to libxml2 each costs as much as all before it, so that a tag of a megabyte would take hours."""
# Both cases are spelled out: so they are found several times faster than with IGNORECASE.
_END_OF_PAGE = linear(rb"</(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])\s*>")
_START_TAG = linear(rb"<[A-Za-z]")
FEED_ENTRIES = frozenset({"item", "entry"})
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"})


def read_page(capture: Capture, *, encoding: str | None = None, format: str = "html", classified: bool = False) -> Page | NoPage:
    """The page that a response is, read as `html`, `json`, `urls` or `feed`, or why it is none. `classified`: it is known to be no wall."""
    wall = None if classified else classify(capture)
    if wall is not None:
        return wall
    mime = mime_of(capture.headers)
    if mime.startswith(("audio/", "font/", "image/", "video/", "application/pdf", "application/zip")):
        return NoPage(f"{mime} is no page")
    decoded = decode(capture, encoding=encoding)
    if isinstance(decoded, NoPage):
        return decoded
    if not decoded.text.strip("\x00 \t\r\n"):
        return NoPage("the page is empty")
    content = _READERS[format](decoded, capture.url)
    if isinstance(content, NoPage):
        return content
    return Page(
        url=capture.url,
        requested_url=capture.requested_url,
        date=capture.date,
        encoding=decoded.encoding,
        evidence=decoded.evidence,
        headers=capture.headers,
        **{"base": capture.url, **content},
    )


def parse_html(text: str) -> Element | None:
    """The tree of an HTML text, without comments; never more of it lost than its broken tags. None: no tree can be made of it."""
    tree = _parsed(text.encode("utf-8", "replace"))
    return None if isinstance(tree, NoPage) else tree


def _parsed(content: bytes) -> Element | NoPage:
    if len(content) > MAX_TAGS and content.count(b"<") > MAX_TAGS:
        return NoPage(f"more than {MAX_TAGS:,} tags")
    content = content.replace(b"\x00", b"")
    end = _END_OF_PAGE.search(content)
    if end is not None and _START_TAG.search(content, end.end()) is not None:
        # it goes on after its end, of which nothing is kept: libxml2 would put the rest into a tree of its own
        content = _END_OF_PAGE.sub(b"", content)
    if len(content) > 200_000:  # in a shorter page even many attributes take no more than a second or two
        counter: Any = _MostAttributes()
        with suppress(etree.LxmlError, ValueError):  # of what cannot be parsed, the parser of the tree says why
            etree.fromstring(content, etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, target=counter))
        if counter.most > MAX_ATTRIBUTES:
            return NoPage(f"a tag of more than {MAX_ATTRIBUTES:,} attributes")
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, remove_comments=True, remove_pis=True, collect_ids=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.LxmlError, ValueError) as problem:
        return NoPage(f"not HTML: {problem}")
    if root is None:
        return NoPage("no HTML in it")
    # libxml2 leaves out what lies deeper, and says so nowhere else
    if any("Excessive depth" in (entry.message or "") for entry in parser.error_log):
        return NoPage("tags are nested more than 2,048 levels deep")
    return root


class _MostAttributes:
    """What a parser may tell instead of making a tree: how many attributes the tag with most of them has."""

    most = 0

    def start(self, _tag: str, attrib: Mapping[str, str]) -> None:
        if len(attrib) > self.most:
            self.most = len(attrib)

    def close(self) -> int:
        return self.most


def _html(decoded: Decoded, url: str) -> dict[str, Any] | NoPage:
    content = decoded.utf8 or decoded.text.encode("utf-8", "replace")
    root = _parsed(content)
    if isinstance(root, NoPage):
        return root
    special: dict[str, list[Element]] = {"base": [], "noscript": [], "template": []}
    for element in root.iter(*special):
        special[element.tag].append(element)
    if special["template"]:
        _place_streamed(root, special["template"])
    if special["noscript"]:
        _show_noscript(root, special["noscript"])
    has_end = _END_OF_PAGE.search(content) is not None
    return {"tree": root, "base": _base_of(special["base"], url) if special["base"] else url, "has_end": has_end}


def _place_streamed(root: Element, templates: list[Element]) -> None:
    """React sends what takes long at the end of the page and hidden; a script puts it where a `template` with its number waits."""
    waiting = [template for template in templates if (template.get("id") or "").startswith(("B:", "P:"))][:50]
    streamed = {id: element for element in root.iter("div") if (id := element.get("id", "")).startswith("S:")} if waiting else {}
    for template in waiting:
        piece = streamed.get(f"S:{template.get('id', '')[2:]}")
        if piece is not None and piece.attrib.pop("hidden", "no") != "no" and piece not in template.iterancestors():
            template.addprevious(piece)


def _show_noscript(root: Element, noscripts: list[Element]) -> None:
    """Where a script would fill the page, its text is what readers without scripts are shown: that `noscript` becomes a `div`."""
    for noscript in noscripts[:20]:
        if len(noscript) and next(noscript.iter("article", "h1", "main", "p"), None) is not None:
            length = len(squeeze(element_text(noscript)))
            if length >= 400 and short_text(root, length // 2) is not None:  # who only asks for a browser with scripts needs fewer
                noscript.tag = "div"
                return


def _base_of(bases: list[Element], url: str) -> str:
    """The first `<base href>` counts, as in browsers."""
    href = next((href for base in bases if (href := base.get("href")) is not None), None)
    joined = join(url, href) if href is not None else None
    return joined if joined is not None and is_http(joined) else url


def _json(decoded: Decoded, _: str) -> dict[str, Any] | NoPage:
    try:
        return {"json": whole_json(decoded.text.strip("\ufeff\x00"))}
    except ValueError as problem:
        return NoPage(f"not JSON: {problem}")


def _feed(decoded: Decoded, url: str) -> dict[str, Any] | NoPage:
    if decoded.text.lstrip("\ufeff\x00 \t\r\n").startswith("{"):
        return _json(decoded, url)
    if not has_root(decoded.text) and (html := _html(decoded, url)) and not isinstance(html, NoPage) and html["tree"].tag == "html":
        named = any(feed_links(html["tree"]))
        return {"xml": html["tree"], "base": html["base"]} if named else NoPage("no feed: a page of HTML, which names none")
    document = read_xml(decoded.text, FEED_ENTRIES)
    if isinstance(document, NoPage):
        return document
    root, broken = document
    name = local_name(root)
    if name.lower() not in {"rss", "feed", "rdf", "channel"}:
        return NoPage(f"no feed: the document is `{name}`")
    return {"xml": root, "broken": broken}


def feed_links(tree: Element) -> Iterator[str]:
    """Where a page of HTML says that its feeds are, the comments' ones last."""
    links = [link for link in tree.iter("link") if "alternate" in relations(link) and link.get("href")]
    named = [link.get("href", "") for link in links if (link.get("type") or "").partition(";")[0].strip().lower() in _FEED_TYPES]
    return iter(sorted(named, key=lambda href: "comment" in href.lower()))


_READERS: dict[str, Callable[[Decoded, str], dict[str, Any] | NoPage]] = {
    "html": _html,
    "json": _json,
    "urls": lambda decoded, _: {"text": decoded.text},
    "feed": _feed,
}


# --- is it a wall instead of what was asked for: a block, a captcha, a consent page? The one classifier, for crawl and build. ---

# It works on bytes and by strong signs only. An article may embed a captcha for its comments, carry a cookie banner or write
# about either: so a page counts as a wall by what only a wall has (the challenge of a named product, on a page of a wall's
# size), or by a wall's title on a page that has next to no text and nothing of an article.
_BIGGEST_TITLED_WALL = 256 << 10
"""Bytes: consent pages bring their scripts and styles along."""
_TITLE_WITHIN = 32 << 10

# Both cases are spelled out: so they are found several times faster than with IGNORECASE.
_TITLE = linear(rb"<[tT][iI][tT][lL][eE][^>]{0,200}>([^<]{0,300})</[tT][iI][tT][lL][eE]")
_HEADING = linear(rb"<[hH]1[^>]{0,300}>([^<]{0,400})</[hH]1")
_INVISIBLE = linear(rb"<(script|style|noscript|template|svg|head)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = linear(rb"<[^<>]*>")
_ARTICLE_SIGNS = linear(rb"<article\b|newsarticle|blogposting|articlebody|article:published_time|og:type[\"'] content=[\"']article")
_CAPTCHA_WIDGET = linear(
    rb"challenges\.cloudflare\.com|hcaptcha\.com|recaptcha/(?:api|enterprise)|cf-turnstile|"
    rb"(?:id|class|name|src|action|data-[a-z]{1,20})=[\"']?[^\"'<> ]{0,80}captcha"
)
_ACCEPT = linear(
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
_CONSENT_HOST = linear_at(
    r"(?:consent|cmp|myprivacy|privacy-?gate|cookie-?wall|guce|zustimmung|toestemming)\..+|.+\.(?:privacymanager\.io|consentmanager\.net)"
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
_CAPTCHA_PATH = linear(r"/(?:captcha|recaptcha|sorry/index|validate-?captcha|human-?verification)(?:/|\.[a-z]+$|$)")


@cache
def _products() -> list[tuple[str, Wall, int, list[bytes]]]:
    """Pages that only one product sends: its name, the wall, the most bytes, and what all is in them, in lower case."""
    lines = Path(__file__).with_name("wall_products.txt").read_text(encoding="utf-8").splitlines()[1:]
    rows = (line.split(" | ") for line in lines)
    return [(name, Wall(wall), int(kib) << 10, [needle.encode() for needle in needles]) for name, wall, kib, *needles in rows]


@cache
def _titles() -> dict[Wall, re.Pattern[str]]:
    """For a whole title, lower case, without the site's name and closing marks."""
    titles = read_word_lists(__file__, "wall_titles.txt", r"\n+")
    return {Wall(name): linear("|".join(patterns)) for name, patterns in titles.items()}


def classify(capture: Capture) -> NoPage | None:
    """The wall that a capture is, None for everything else."""
    if any(name.lower() == "cf-mitigated" and value.lower() == "challenge" for name, value in capture.headers):
        return _of_wall(Wall.CAPTCHA, "Cloudflare challenge")
    # where a redirect that was not followed would have led
    location = header(capture.headers, "location") if 300 <= capture.status < 400 else None
    target = (join(capture.url, location) if location else None) or capture.url
    redirect = _of_redirect(capture.requested_url, target) if target != capture.requested_url else None
    if redirect is not None:
        return redirect
    body = unpacked_body(capture, _BIGGEST_TITLED_WALL + 1)
    if len(body) > _BIGGEST_TITLED_WALL or capture.status in GONE:
        return None
    page = _product_of(body) or _titled_wall(body)
    # One refusal that says it is one is an error like others; only a streak of them is a block.
    return None if page is not None and page.wall is Wall.BLOCK and capture.status >= 400 else page


def is_login(capture: Capture, asked: str) -> bool:
    """Whether a page that was redirected to asks for a password, and its address says so."""
    is_called_so = _LOGIN.search(unquote(capture.url)) is not None and _LOGIN.search(unquote(asked)) is None
    return is_called_so and _PASSWORD.search(unpacked_body(capture, _BIGGEST_TITLED_WALL)) is not None


def _of_wall(wall: Wall, name: str) -> NoPage:
    return NoPage(name, PageOutcome.CONSENT if wall is Wall.CONSENT else PageOutcome.NOT_ARTICLE, wall)


def _of_redirect(url: str, target: str) -> NoPage | None:
    """The wall that a redirect from one URL to another leads to, as far as the target's address tells."""
    try:
        parts, asked = urlsplit(target.lower()), urlsplit(url.lower())
        host, asked_host = parts.hostname or "", asked.hostname
    except ValueError:
        return None
    if host != asked_host and _CONSENT_HOST.fullmatch(host):
        return _of_wall(Wall.CONSENT, f"redirect to {host}")
    for wall, pattern in ((Wall.CONSENT, _CONSENT_PATH), (Wall.CAPTCHA, _CAPTCHA_PATH)):
        if parts.path != asked.path and pattern.search(parts.path) and not pattern.search(asked.path):
            return _of_wall(wall, f"redirect to {parts.path[:80]}")
    return None


def _product_of(body: bytes) -> NoPage | None:
    if len(body) > 40 << 10:  # what products of protection send is smaller
        return None
    lowered = body.lower()
    for name, wall, biggest, needles in _products():
        if len(body) <= biggest and all(needle in lowered for needle in needles):
            return None if _ARTICLE_SIGNS.search(lowered) else _of_wall(wall, name)
    return None


def _titled_wall(body: bytes) -> NoPage | None:
    """A page that calls itself a wall, and has nothing that would make it anything else."""
    titles: list[str] = []
    for title in filter(None, (_TITLE.search(body, 0, _TITLE_WITHIN), _HEADING.search(body, 0, _TITLE_WITHIN))):
        try:
            text = title[1].decode("utf-8")
        except UnicodeDecodeError:
            text = title[1].decode("iso-8859-2")
        titles.append(" ".join(unescape(text).split()).casefold())
    names = {part.strip(" .!?…") for title in titles for part in (title, *linear(r"(?<!\s)\s+[|–—·»:-]\s+").split(title))}
    for wall, pattern in _titles().items():
        if any(map(pattern.fullmatch, names)) and _is_bare(body, wall):
            return _of_wall(wall, f"{wall} page")
    return None


def _is_bare(body: bytes, wall: Wall) -> bool:
    """Whether a page has only what such a wall has."""
    lowered = body.lower()
    if _ARTICLE_SIGNS.search(lowered) or lowered.count(b"<a ") > 30:  # with the menus of a portal
        return False
    visible = len(b" ".join(_TAG.sub(b" ", _INVISIBLE.sub(b" ", body)).split()))
    if visible > _MOST_TEXT[wall]:
        return False
    if wall is Wall.CAPTCHA:
        return visible <= 400 or _CAPTCHA_WIDGET.search(lowered) is not None
    if wall is Wall.CONSENT:
        return _ACCEPT.search(lowered) is not None
    return True
