"""A portal of which all is known: lists with pagers of many kinds, articles, and what stands beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scripted_portal import MISSING, Reply

HOME = "Home page"
SENTENCE = "<p>On day {0} of {1} the council met and, after a long debate, voted for bridge number {0}.</p>"
NOUNS = ("harbour", "lantern", "orchard", "theatre", "railway", "chapel", "meadow")
BEHIND = {
    "?page=": "?page={n}",
    "?start=": "?start={offset}",
    "/page/": "page/{n}/",
    "below": "{n}/",
    "older": "older-{n}.html",
    "elsewhere": "/m/zr{offset}x",
}
"""Where the further pages of a list or an article are: behind the address of the first, or elsewhere."""
BY_KIND = {
    "years": "?year={year}",
    "months": "2025/{month:02d}/",
    "index": "2025/{month:02d}/",
    "button": "?page={n}",
}
"""The same where the kind of pager decides it."""
KINDS = ("numbers", "word", "icon", "button", "years", "months", "index")
LABELS = ("Next", "Older posts", "Blorp", "Sfurgl quavit", "»")
BUTTONS = ("<button>{}</button>", "<a href='#'>{}</a>", "<div role=button tabindex=0>{}</div>")
ON_BUTTONS = ("Load more", "Blorp", "Show columns", "nothing")
AT = ("/{name}/", "/list.php?rubric={name}")
ARTICLES = (
    "/{name}/{noun}-story-{n}/",
    "/2025/{month:02d}/{noun}-{name}-{n}/",
    "/article.php?id={id}",
    "/{name}/{n}-{noun}.html",
)
"""Addresses of articles."""
SHOWN = {"numbers": "Further", "word": "Blorp", "icon": "<svg></svg>"}
"""What is written on the link to the next page of an article."""
PARTS = tuple(f"{label} {way}" for label in SHOWN for way in ("?page=", "?start=", "below"))
"""What leads to the further pages of an article, and where they are."""
PARAMETERS = ("rubric", "page", "start", "year", "id", "sort")
"""What the software knows in a query."""
EXTRAS = ("side boxes", "notes in teasers", "sort links", "back links", "empty end")


def behind(address: str, template: str, number: int) -> str:
    """Return the address of a further page."""
    rest = template.format(n=number, offset=10 * (number - 1), year=2026 - number, month=13 - number)
    if rest.startswith("/"):
        return rest + address.translate(str.maketrans("/?", "--"))
    return address + (rest.replace("?", "&") if "?" in address else rest)


def anchor(url: str, text: object, name: str = "") -> str:
    """Return a link of this class."""
    return f"<a class='{name}' href='{url}'>{text}</a>"


@dataclass(frozen=True)
class Section:
    """One list with a pager, and the articles on it."""

    name: str
    kind: str
    articles: int
    size: int
    at: str
    further: str
    label: str
    button: str
    counts: str
    written: str

    @property
    def pages(self) -> int:
        return -(-self.articles // self.size)

    def url(self, page: int) -> str:
        return self.at if page == 1 else behind(self.at, self.further, page)

    def shown(self, page: int) -> range:
        return range((page - 1) * self.size, min(page * self.size, self.articles))

    def date(self, number: int) -> str:
        """Return the day of an article: the newest stands first, and years and months hold their own."""
        page, place = divmod(number, self.size)
        month = f"{2025 - page}-06" if self.kind == "years" else f"2025-{12 - page:02d}"
        return f"{month}-{28 - place}"

    def article(self, number: int) -> str:
        """Return the address of an article."""
        noun, id = NOUNS[number % len(NOUNS)], 1000 * sum(self.name.encode()) + number
        return self.written.format(name=self.name, noun=noun, n=number, month=1 + number % 12, id=id)

    def title(self, number: int) -> str:
        return f"The {NOUNS[number % len(NOUNS)]} of {self.name} in year {1900 + number}"

    def pager(self, page: int, *, goes_back: bool) -> str:
        """Return what leads to the other pages, as the kind of pager has it."""
        if self.pages == 1:
            return ""
        written: dict[str, Callable[[], str]] = {
            "numbers": lambda: self._numbers(page),
            "button": lambda: self.button.format(self.label),
            "years": self._years,
            "months": self._months,
            "index": self._months,
        }
        return written.get(self.kind, lambda: self._links(page, goes_back=goes_back))()

    def _numbers(self, page: int) -> str:
        numbers = [anchor(self.url(each), each, "n") for each in range(1, self.pages + 1)]
        numbers[page - 1] = f"<b class=current>{page}</b>"
        return f"<div class=w>{' '.join(numbers)}</div>"

    def _years(self) -> str:
        options = "".join(f"<option value={2026 - each}>{2026 - each}" for each in range(1, self.pages + 1))
        hidden = f"<input type=hidden name=rubric value={self.name}>" if "?" in self.at else ""
        path = self.at.partition("?")[0]
        return f"<form action='{path}'>{hidden}<select name=year>{options}</select></form>"

    def _months(self) -> str:
        months = range(1, self.pages + 1)
        links = [anchor(behind(self.at, self.further, each), f"Month {13 - each}") for each in months]
        return f"<div class=box><h3>Archive</h3><ul><li>{'<li>'.join(links)}</ul></div>"

    def _links(self, page: int, *, goes_back: bool) -> str:
        back = anchor(self.url(page - 1), self.label[::-1], "k1") if goes_back and page > 1 else ""
        onward = anchor(self.url(page + 1), self.label, "k2") if page < self.pages else ""
        return f"<p>{back} {onward}</p>"

    def right_rules(self) -> dict[str, Any]:
        """Return the rules of a column that finds all of its articles."""
        first = f"HOME{self.at}"
        further = f"HOME{self.at}{self.further.replace('?', '&') if '?' in self.at else self.further}"
        oldest = f"{2026 - self.pages}-01-01" if self.kind == "years" else f"2025-{13 - self.pages:02d}-01"
        by_date: dict[str, Any] = {"dates": {"from": oldest, "until": "2025-12-31"}}
        by_date["url"] = further.replace("{month:02d}", "{month}").replace("2025", "{year}")
        by_link: dict[str, Any] = {"url": first, "next": "a.k2"}
        by_kind: dict[str, dict[str, Any]] = {
            "numbers": {"url": first, "next": {"css": "a.n", "page_number": {"step": 1}}},
            "button": {"url": further.replace("{n}", "{page}"), "pages": "infinite"},
            "index": {"url": first, "sections": ".box a"},
            "years": by_date,
            "months": by_date,
        }
        return by_kind.get(self.kind, by_link) if self.pages > 1 else {"url": first}


@dataclass(frozen=True)
class Site:
    """A generated portal: its lists, its articles, and what stands beside them."""

    sections: tuple[Section, ...]
    edition: Section | None
    edition_by: str
    """How readers come to the edition."""
    last_by: str
    """How they come to the last section."""
    menu: str
    dates: str
    long: int
    """Articles whose number this divides have several pages; 0: none has."""
    parts_by: str
    extras: frozenset[str]

    @property
    def lists(self) -> tuple[Section, ...]:
        return (*self.sections, self.edition) if self.edition else self.sections

    def parts(self, section: Section, number: int) -> list[str]:
        """Return the addresses of all pages of an article."""
        first = section.article(number)
        pages = 2 + number % 2 if self.long and number % self.long == 0 else 1
        way = self.parts_by.partition(" ")[2] if first.endswith("/") else "?page="
        return [first, *(behind(first, BEHIND[way], page) for page in range(2, pages + 1))]

    @cached_property
    def script(self) -> dict[str, str]:
        """What is said at each address."""
        said = {"/": self._html("<h1>Welcome</h1>", HOME)}
        for name in ("about", "imprint"):
            said[f"/{name}/"] = self._html(f"<h1>{name}</h1><p>We are four people.</p>", name)
        for section in self.lists:
            said |= self._lists_of(section) | self._articles_of(section)
        if self.edition:
            newest = self._items(self.edition, self.edition.shown(1))
            said["/de/"] = self._html(newest + anchor(self.edition.at, "Berichte"), "Deutsch", self.edition)
        return said

    def answer(self, path: str) -> str | Reply:
        """Return what software says that ignores what it does not know in a query."""
        base, _, query = path.partition("?")
        known = [one for one in query.split("&") if one.partition("=")[0] in PARAMETERS]
        return self.script.get(f"{base}?{'&'.join(known)}" if known else base, MISSING)

    def _lists_of(self, section: Section) -> dict[str, str]:
        oldest_first = range(section.articles)[::-1][: section.size]
        said = {behind(section.at, "?sort=old", 1): self._list(section, 1, oldest_first)}
        if "empty end" in self.extras:
            beyond = behind(section.at, section.further, section.pages + 1)
            said[beyond] = self._html("<p>Nothing.</p>", "Nothing")
        for page in range(1, section.pages + 1):
            content = self._list(section, page, section.shown(page))
            said |= {section.url(page): content, behind(section.at, section.further, page): content}
        return said

    def _articles_of(self, section: Section) -> dict[str, str]:
        said: dict[str, str] = {}
        for number in range(section.articles):
            parts = self.parts(section, number)
            said |= {url: self._article(section, number, parts, part) for part, url in enumerate(parts, 1)}
        return said

    def _items(self, section: Section, shown: range) -> str:
        note = "<sup><a href='#fn{0}'>{0}</a></sup>" if "notes in teasers" in self.extras else ""
        item = "<li class=t>{}<p>It is about it.{}</p></li>"
        links = [anchor(section.article(number), section.title(number), "h") for number in shown]
        items = (item.format(link, note.format(number)) for link, number in zip(links, shown, strict=True))
        return f"<ul class=list>{''.join(items)}</ul>"

    def _list(self, section: Section, page: int, shown: range) -> str:
        sorting = anchor(behind(section.at, "?sort=old", 1), "oldest") if "sort links" in self.extras else ""
        count = section.counts.format(section.articles)
        pager = section.pager(page, goes_back="back links" in self.extras)
        body = f"<h1>{section.name}</h1>{sorting}{count}{self._items(section, shown)}{pager}"
        other = self._other_language(section)
        return self._html(body, section.name, section, other.at if other else "")

    def _article(self, section: Section, number: int, parts: list[str], part: int) -> str:
        date, title = section.date(number), section.title(number)
        time = f"<time datetime={date}>{date}</time>" if self.dates == "dated" else ""
        text = "".join(SENTENCE.format(100 * number + 10 * part + one, section.name) for one in range(6))
        translated = self._other_language(section)
        other = translated.article(number) if translated and number < translated.articles else ""
        body = f"<article><h1>{title}</h1>{time}{text}{self._part_links(parts, part)}</article>"
        if other and self.edition_by == "translations":
            body += anchor(other, "Translation")
        if self.last_by == "by articles":
            body += anchor(self.sections[-1].at, "More stories")
        return self._html(body, title, section, other)

    def _part_links(self, parts: list[str], part: int) -> str:
        label = self.parts_by.partition(" ")[0]
        others = [anchor(url, number, "p") for number, url in enumerate(parts, 1) if number != part]
        onward = anchor(parts[part], SHOWN[label], "onward") if part < len(parts) else ""
        return f"<div>{' '.join(others if label == 'numbers' else [])} {onward}</div>"

    def _other_language(self, section: Section) -> Section | None:
        pairs = {self.sections[0]: self.edition, self.edition: self.sections[0]}
        return pairs.get(section) if self.edition else None

    def _html(self, body: str, title: str, section: Section | None = None, other: str = "") -> str:
        language = "de" if section and section is self.edition else "en"
        is_linked = other and self.edition_by == "hreflang"
        alternate = f"<link rel=alternate hreflang=x href='{other}'>" if is_linked else ""
        menu = self._menu() if self.menu == "everywhere" or title == HOME else ""
        last = anchor(self.sections[-1].at, "More stories") if self.last_by == "by footer" else ""
        return (
            f"<!DOCTYPE html><html lang={language}><head><title>{title}</title>{alternate}</head>"
            f"<body>{menu}<main>{body}</main>{self._box()}"
            f"<footer>{last} {anchor('/about/', 'About us')} {anchor('/imprint/', 'Imprint')}</footer>"
            "</body></html>"
        )

    def _box(self) -> str:
        links = "".join(f"<li>{anchor(each.article(0), each.title(0))}</li>" for each in self.sections)
        return f"<aside><h3>Popular</h3><ul>{links}</ul></aside>" if "side boxes" in self.extras else ""

    def _menu(self) -> str:
        named = [each.at for each in self.sections]
        if self.last_by != "by menu":
            named.pop()
        if self.edition:
            named += {"menu": [self.edition.at], "its home": ["/de/"]}.get(self.edition_by, [])
        return f"<nav>{' '.join(anchor(url, url.strip('/') or 'Home') for url in ('/', *named))}</nav>"
