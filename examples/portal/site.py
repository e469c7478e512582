"""The well-behaved portal: which page answers which request."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from html import escape
from pathlib import Path

from .answers import HTML, Answer, Request, html_answer
from .article_pages import Beside, article_page
from .articles import Article
from .columns import Column, Listing, column_at, listing
from .furniture import TITLE, Frame, page
from .listing_pages import listing_page
from .scripted import PREFIX, ScriptedPages, scripted_place
from .sections import SECTIONS
from .shelves import Shelves

_STYLE = Path(__file__).parent / "content" / "stilus.css"
_CACHE_BYTES = 64_000_000
_IN_A_SITEMAP = 20
_SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_CHARSETS = (("text/html", "iso-8859-2"), ("text/html; charset=iso-8859-2", None), ("text/html; charset=utf-8", "iso-8859-2"))
"""How the ISO-8859-2 section declares its encoding, in turn: in `meta` only, in the header only, wrongly in the header: (header, meta)."""


class Site:
    """Answers requests from what stands on the shelves."""

    def __init__(self, shelves: Shelves, home: str, *, page_size: int, filling: int) -> None:
        self.shelves = shelves
        self.home = home
        self._page_size = page_size
        most_read = [shelves.article(name, 1) for name in ("belfold", "english", "kultura", "deutsch", "sport")]
        self._frame = Frame(home=home, most_read=tuple((a.path, a.title) for a in most_read), filling=filling)
        self._scripted = ScriptedPages(shelves, home, page_size=page_size, filling=filling)
        self._cache: dict[str, tuple[int, Answer]] = {}
        self._cached_bytes = 0

    def answer(self, request: Request) -> Answer:
        """The page, from memory where it was made before and nothing has changed since."""
        if request.path.startswith(PREFIX):
            # What depends on cookies is made anew each time.
            return _conditional(request, _tagged(self._scripted.answer(request) or self._not_found()))
        if request.method not in ("GET", "HEAD"):
            return self._make(request)
        version = self.shelves.version
        kept = self._cache.get(request.target)
        if kept is None or kept[0] != version:
            kept = (version, _tagged(self._make(request)))
            self._keep(request.target, kept)
        return _conditional(request, kept[1])

    def listing(self, request: Request) -> Listing | None:
        """What an archive page has to show; None when the request is for none."""
        column = column_at(request.path)
        if column is None:
            return None
        values = column.match(request.path, request.form if column.method == "POST" else request.query)
        return listing(self.shelves, column, self._page_size, values or {})

    def place(self, target: str) -> tuple[str, int] | None:
        """Section and number that an article's URL names; the words after the number may be any, as on many portals."""
        request = Request(target=target)
        found = _ARTICLE.fullmatch(request.path)
        if found:
            return _SECTION_OF[found["place"]], int(found["number"])
        if request.path == "/regi/cikk.php" and (number := request.number("id")):
            return "regi", number
        return scripted_place(request.path)

    def _keep(self, target: str, entry: tuple[int, Answer]) -> None:
        if self._cached_bytes > _CACHE_BYTES:
            self._cache, self._cached_bytes = {}, 0
        self._cache[target] = entry
        self._cached_bytes += len(entry[1].body) + 500

    def _make(self, request: Request) -> Answer:
        column = column_at(request.path)
        allowed = (column.method,) if column else ("GET", "HEAD")
        if request.method not in allowed and request.method != "HEAD":
            return html_answer("<h1>405</h1>", status=405).with_headers(("Allow", ", ".join(allowed)))
        if column is not None:
            return self._archive(request, column)
        place = self.place(request.target)
        if place is not None:
            return self._article(*place, part=request.number("oldal"))
        found = ((handler, pattern.fullmatch(request.path)) for pattern, handler in _ROUTES)
        return next((handler(self, match.groupdict()) for handler, match in found if match), None) or self._not_found()

    def _archive(self, request: Request, column: Column) -> Answer:
        found = self.listing(request)
        # The editors' favourite stands at the top of every page of its column.
        pinned = self.shelves.article("belfold", 1) if column.name == "belfold" else None
        return listing_page(found, self._frame, pinned) if found else self._not_found()

    def _article(self, section: str, number: int, part: int) -> Answer:
        status = self.shelves.status(section, number)
        if status != 200:
            return self._not_found(status)
        article = self.shelves.article(section, number)
        beside = Beside(previous=self.shelves.beside(section, number, -1), next=self.shelves.beside(section, number, 1))
        return _encoded(article, part, beside, self._frame) if 1 <= part <= article.page_count else self._not_found()

    def _not_found(self, status: int = 404) -> Answer:
        return html_answer(page(self._frame, f"<h1>{status}</h1><p>Nincs ilyen oldal.</p>", title=str(status), kind="hiba"), status=status)

    def _home(self, _found: Mapping[str, str]) -> Answer:
        newest = [article for name in SECTIONS for article in self.shelves.slice(name, 0, 2)]
        items = "".join(f'<li><a href="{escape(a.path)}">{escape(a.title)}</a></li>' for a in newest)
        return html_answer(page(self._frame, f'<h1>{TITLE}</h1><ul class="cimlap">{items}</ul>', title="Címlap", kind="cimlap"))

    def _plain(self, found: Mapping[str, str]) -> Answer:
        return html_answer(page(self._frame, f"<h1>{escape(found['name'])}</h1>", title=found["name"], kind="oldal"))

    def _robots(self, _found: Mapping[str, str]) -> Answer:
        return plain_text("User-agent: *\nDisallow: /kereses\n")

    def _sitemap_index(self, _found: Mapping[str, str]) -> Answer:
        """As many portals have it: a file for each section, packed, and only the newest articles in it."""
        entries = "".join(f"<sitemap><loc>{self.home}/sitemap-{name}.xml.gz</loc></sitemap>" for name in SECTIONS)
        return Answer(headers=(("Content-Type", "application/xml"),), body=f"<sitemapindex {_SITEMAPS}>{entries}</sitemapindex>".encode())

    def _sitemap(self, found: Mapping[str, str]) -> Answer:
        newest = self.shelves.slice(found["name"], 0, _IN_A_SITEMAP)
        entries = "".join(
            f"<url><loc>{escape(self.home + one.path)}</loc><lastmod>{one.published.isoformat()}</lastmod></url>" for one in newest
        )
        body = gzip.compress(f"<urlset {_SITEMAPS}>{entries}</urlset>".encode(), mtime=0)
        return Answer(headers=(("Content-Type", "application/gzip"),), body=body)

    def _style(self, _found: Mapping[str, str]) -> Answer:
        return Answer(headers=(("Content-Type", "text/css"),), body=_STYLE.read_bytes())

    def _picture(self, _found: Mapping[str, str]) -> Answer:
        return Answer(headers=(("Content-Type", "image/gif"),), body=b"GIF89a\x01\x00\x01\x00\x00\x00\x00;")


def plain_text(text: str) -> Answer:
    return Answer(headers=(("Content-Type", "text/plain; charset=utf-8"),), body=text.encode())


def _encoded(article: Article, part: int, beside: Beside, frame: Frame) -> Answer:
    header: str
    meta: str | None
    header, meta = HTML, "utf-8"
    if article.section.encoding != "utf-8":
        header, meta = _CHARSETS[article.number % len(_CHARSETS)]
    text = article_page(article, part, beside, frame, charset=meta)
    return Answer(headers=(("Content-Type", header),), body=text.encode(article.section.encoding, "xmlcharrefreplace"))


def _tagged(answer: Answer) -> Answer:
    return answer.with_headers(("ETag", f'"{sha256(answer.body).hexdigest()[:16]}"')) if answer.status == 200 else answer


def _conditional(request: Request, answer: Answer) -> Answer:
    """304 for a client that has this very page already."""
    tag = ("ETag", request.headers.get("if-none-match", ""))
    return Answer(status=304, headers=(tag,)) if tag in answer.headers else answer


_SECTION_OF = {section.path.partition("{number}")[0].strip("/"): name for name, section in SECTIONS.items()}
_ARTICLE = re.compile(rf"/(?P<place>{'|'.join(map(re.escape, _SECTION_OF))})/(?P<number>[0-9]{{1,9}})(/[^/]*)?")
# Imprint, author and keyword pages hold nothing; they are there so that no link of the portal is dead.
_ROUTES: tuple[tuple[re.Pattern[str], Callable[[Site, Mapping[str, str]], Answer]], ...] = (
    (re.compile(r"/"), Site._home),
    (re.compile(r"/robots\.txt"), Site._robots),
    (re.compile(r"/sitemap\.xml"), Site._sitemap_index),
    (re.compile(rf"/sitemap-(?P<name>{'|'.join(SECTIONS)})\.xml\.gz"), Site._sitemap),
    (re.compile(r"/stilus\.css"), Site._style),
    (re.compile(r"/(kepek/[0-9]+\.jpg|hirdetes\.gif)"), Site._picture),
    (re.compile(r"/(?P<name>impresszum|hozzajarulas|regi/index\.php|(szerzo|cimke)/[0-9]+)"), Site._plain),
    (re.compile(rf"/(?P<name>{'|'.join(SECTIONS)})/"), Site._plain),
)
