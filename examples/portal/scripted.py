"""The part of the portal that needs scripts: the same articles under /app/, as data that `content/app.js` makes pages of."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import escape
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .answers import Answer, Request, html_answer
from .article_pages import Beside, article_head, news_body
from .articles import Article
from .furniture import Frame, page
from .prose import prose
from .sections import SECTIONS
from .shelves import Shelves

PREFIX = "/app/"
_CONTENT = Path(__file__).parent / "content"
_CONSENT = "hozzajarulas=igen"
_POLICY = ("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src *; frame-src *")
"""What runs in these pages is the portal's own: a reader of them may not lean on scripts of its own among theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedColumn:
    """One column: which articles it shows. How it shows them is in the script, under its name."""

    name: str
    title: str
    section: str
    asks_consent: bool = False
    """Nothing is listed before the reader has agreed to its cookies."""


SCRIPTED: Mapping[str, ScriptedColumn] = MappingProxyType(
    {
        column.name: column
        for column in (
            ScriptedColumn(name="hirek", title="Hírek", section="belfold"),
            ScriptedColumn(name="gorgetett", title="Endless", section="english"),
            ScriptedColumn(name="tovabbi", title="Weitere", section="deutsch"),
            ScriptedColumn(name="alkalmazas", title="Sportolvasó", section="sport"),
            ScriptedColumn(name="arnyek", title="Árnyékban", section="podcast"),
            ScriptedColumn(name="hozzajarulas", title="Sütik után", section="gyorshirek", asks_consent=True),
        )
    }
)


def scripted(article: Article) -> Article:
    """The article as the scripts show it: at an address of its own, and whole on one page."""
    section = article.section
    there = replace(section, path=f"{PREFIX}cikk/{section.name}/{{number}}/{{slug}}")
    return replace(article, section=there, pages=(tuple(chain.from_iterable(article.pages)),))


def scripted_place(path: str) -> tuple[str, int] | None:
    """Section and number that the address of such an article names."""
    found = _ARTICLE.fullmatch(path)
    return (found["section"], int(found["number"])) if found else None


class ScriptedPages:
    """Answers what is asked under /app/."""

    def __init__(self, shelves: Shelves, home: str, *, page_size: int, filling: int) -> None:
        self._shelves = shelves
        self._page_size = page_size
        most_read = [scripted(shelves.article(column.section, 1)) for column in SCRIPTED.values()]
        self._frame = Frame(
            home=home,
            most_read=tuple((article.path, article.title) for article in most_read),
            navigation={PREFIX: "Címlap"} | {f"{PREFIX}{column.name}": column.title for column in SCRIPTED.values()},
            filling=filling,
        )

    def answer(self, request: Request) -> Answer | None:
        """None: there is nothing here."""
        found = ((handler, pattern.fullmatch(request.path)) for pattern, handler in _ROUTES)
        return next((handler(self, request, match.groupdict()) for handler, match in found if match), None)

    def _front(self, _request: Request, _found: Mapping[str, str]) -> Answer:
        return self._shell("cimlap", "Címlap", "hu")

    def _column(self, _request: Request, found: Mapping[str, str]) -> Answer | None:
        column = SCRIPTED.get(found["column"])
        return self._shell(column.name, column.title, SECTIONS[column.section].language) if column else None

    def _article(self, _request: Request, found: Mapping[str, str]) -> Answer:
        """As applications do: whatever the address, the frame is there, and the script finds out that there is no such article."""
        return self._shell("cikk", "Cikk", SECTIONS[found["section"]].language)

    def _shell(self, view: str, title: str, language: str) -> Answer:
        words = prose(language).words
        said = "".join(f' data-{name}="{escape(words[name])}"' for name in ("older", "nothing", "cookies"))
        body = f'<div id="app" data-view="{view}"{said}><noscript>Kapcsolja be a JavaScriptet!</noscript></div>'
        head = '<link rel="stylesheet" href="/app/app.css">\n<script src="/app/app.js" defer></script>\n'
        return html_answer(page(self._frame, body, title=title, head=head, language=language, kind="app")).with_headers(_POLICY)

    def _asset(self, _request: Request, found: Mapping[str, str]) -> Answer:
        kind = {"js": "text/javascript; charset=utf-8", "css": "text/css"}[found["kind"]]
        kept = ("Cache-Control", "public, max-age=3600")
        return Answer(headers=(("Content-Type", kind), kept), body=(_CONTENT / f"app.{found['kind']}").read_bytes())

    def _list(self, request: Request, found: Mapping[str, str]) -> Answer | None:
        column, number = SCRIPTED.get(found["column"]), int(found["page"])
        if column is None:
            return None
        if column.asks_consent and _CONSENT not in request.headers.get("cookie", ""):
            return _json({"hiba": "A sütikhez való hozzájárulás hiányzik."}, status=403)
        count = self._shelves.count(column.section)
        articles = self._shelves.slice(column.section, max(0, (number - 1) * self._page_size), number * self._page_size)
        onward = number + 1 if number * self._page_size < count else None
        return _json({"cikkek": [_item(scripted(article)) for article in articles], "kovetkezo": onward, "osszesen": count})

    def _newest(self, _request: Request, _found: Mapping[str, str]) -> Answer:
        shown = [article for column in SCRIPTED.values() for article in self._shelves.slice(column.section, 0, 2)]
        return _json({"cikkek": [_item(scripted(article)) for article in shown]})

    def _content(self, _request: Request, found: Mapping[str, str]) -> Answer:
        section, number = found["section"], int(found["number"])
        status = self._shelves.status(section, number)
        if status != 200:
            return _json({"hiba": "Nincs ilyen cikk."}, status=status)
        article = scripted(self._shelves.article(section, number))
        body = news_body(article, 1, Beside(previous=None, next=None))
        return _json({"cim": article.title, "fej": article_head(article, self._frame), "html": body})

    def _agree(self, _request: Request, _found: Mapping[str, str]) -> Answer:
        return Answer(status=204, headers=(("Set-Cookie", f"{_CONSENT}; Path={PREFIX}; HttpOnly; SameSite=Lax"),))

    def _count(self, _request: Request, _found: Mapping[str, str]) -> Answer:
        return Answer(status=204)


def _item(article: Article) -> dict[str, Any]:
    return {
        "cim": article.title,
        "link": article.path,
        "megjelent": article.published.isoformat(),
        "mikor": prose(article.section.language).date(article.published),
        "rovat": article.section.title,
        "szerzok": list(article.authors),
        "bevezeto": article.lead,
    }


def _json(thing: object, status: int = 200) -> Answer:
    headers = (("Content-Type", "application/json"), ("Cache-Control", "no-store"))
    return Answer(status=status, headers=headers, body=json.dumps(thing, ensure_ascii=False).encode())


_PLACE = rf"(?P<section>{'|'.join(column.section for column in SCRIPTED.values())})/(?P<number>[0-9]{{1,9}})"
_ARTICLE = re.compile(rf"/app/cikk/{_PLACE}(/[^/]*)?")
_ROUTES: tuple[tuple[re.Pattern[str], Callable[[ScriptedPages, Request, Mapping[str, str]], Answer | None]], ...] = (
    (re.compile(r"/app/"), ScriptedPages._front),
    (re.compile(r"/app/app\.(?P<kind>js|css)"), ScriptedPages._asset),
    (re.compile(r"/app/api/lista/(?P<column>[a-z]+)/(?P<page>[0-9]{1,6})"), ScriptedPages._list),
    (re.compile(rf"/app/api/cikk/{_PLACE}"), ScriptedPages._content),
    (re.compile(r"/app/api/cimlap"), ScriptedPages._newest),
    (re.compile(r"/app/api/hozzajarulas"), ScriptedPages._agree),
    (re.compile(r"/app/api/szamlalo"), ScriptedPages._count),
    (_ARTICLE, ScriptedPages._article),
    (re.compile(r"/app/(?P<column>[a-z]+)(/[0-9]{1,6})?"), ScriptedPages._column),
)
