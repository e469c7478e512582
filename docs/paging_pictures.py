"""Draws the archives of docs/reference/paging.md: docs/images/paging/*.svg, for light and dark surroundings; `make docs` writes them."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from itertools import pairwise

_STYLE = """\
.card{fill:#f6f8f8;stroke:#c9d3d3}.sheet{fill:#fff;stroke:#7a8a8a}.bar{fill:#b7c4c4}.new{fill:#e09a3e}.head{fill:#e3eaea}
text{font:12px system-ui,sans-serif;fill:#1d2b2b}.say{font-style:italic;fill:#4a5a5a}.link{fill:#006e62;font-weight:600}
.way{stroke:#006e62;fill:none;stroke-width:1.6}.tip{fill:#006e62}.soft{stroke-dasharray:4 3}.mode{fill:#d6efe9;stroke:#006e62}
@media(prefers-color-scheme:dark){.card{fill:#1b2226;stroke:#3b474c}.sheet{fill:#262f34;stroke:#8a999f}.bar{fill:#55646b}.new{fill:#c98a35}
.head{fill:#323d43}text{fill:#e4ebeb}.say{fill:#b4c0c0}.link{fill:#6fd6c6}.way{stroke:#6fd6c6}.tip{fill:#6fd6c6}
.mode{fill:#17433d;stroke:#6fd6c6}}"""
_TIP = """\
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">\
<path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>"""
_WIDTH, _HEIGHT = 720, 190
_SHEET = 130


def _svg(title: str, *parts: str, height: int = _HEIGHT) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img">'
    card = f'<rect class="card" x=".5" y=".5" width="{_WIDTH - 1}" height="{height - 1}" rx="8"/>'
    return "\n".join([head, f"<title>{escape(title)}</title><style>{_STYLE}</style>{_TIP}", card, *parts, "</svg>", ""])


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'


def _box(kind: str, x: float, y: float, width: float, height: float, *, round: int = 4) -> str:
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round}"/>'


def _way(path: str, kind: str = "way") -> str:
    return f'<path class="{kind}" d="{path}" marker-end="url(#tip)"/>'


def _sheet(x: float, address: str, articles: int, foot: str = "", *, new: tuple[int, ...] = (), below: str = "", height: int = 126) -> str:
    """An archive page: its address, its articles as bars (`new` are marked), what leads on, and what is said of it."""
    middle = x + _SHEET / 2
    bars = [
        _box("new" if one in new else "bar", x + 10, 54 + 14 * one, _SHEET - 20 - 18 * (one % 3), 7, round=2) for one in range(articles)
    ]
    return "\n".join(
        [
            _box("sheet", x, 24, _SHEET, height),
            _box("head", x + 1, 25, _SHEET - 2, 20),
            _text(middle, 39, address),
            *bars,
            _text(middle, 24 + height - 9, foot, "link"),
            _text(middle, 24 + height + 20, below, "say"),
        ]
    )


_AT = (30, 205, 380, 555)
"""Where four sheets stand."""
_ON = tuple(_way(f"M{x + _SHEET + 6} 90H{following - 8}") for x, following in pairwise(_AT))


def none() -> str:
    """All articles on one page."""
    return _svg("One page with all articles", _sheet(295, "/all/", 7, height=134, below="the only page: the end"))


def next_link() -> str:
    """Each page links to the one below."""
    feet = ("Older »", "Older »", "Older »", "")
    sheets = [_sheet(x, f"/news/{'' if n == 0 else f'?from={n * 20}'}", 4, foot) for n, (x, foot) in enumerate(zip(_AT, feet, strict=True))]
    return _svg(
        "Four pages, each with a link to the next; the last has none", *sheets, *_ON, _text(620, 170, "no such link: the end", "say")
    )


def numbered() -> str:
    """A pager tells the last page."""
    pages = (1, 2, 3, 9)
    sheets = [_sheet(x, f"/news/{page}", 4, "1 2 3 … 9") for x, page in zip(_AT, pages, strict=True)]
    ways = (*_ON[:2], _way(f"M{_AT[2] + _SHEET + 6} 90H{_AT[3] - 8}", "way soft"))
    return _svg("Pages with a pager that names the last number", *sheets, *ways, _text(620, 170, "the highest number: the end", "say"))


def infinite() -> str:
    """The address counts until a page is empty."""
    sheets = [_sheet(x, f"?page={n}", 0 if n == 4 else 4) for n, x in enumerate(_AT, start=1)]
    return _svg(
        "Pages with numbers in the address; the fourth lists nothing", *sheets, *_ON, _text(620, 170, "no articles: the end", "say")
    )


def expanding() -> str:
    """Articles are published and removed while the walk goes down."""
    return _svg(
        "Pieces that a button brings, while articles appear above and others are removed",
        _sheet(30, "/more/1", 5, "More", new=(0,), below="published meanwhile"),
        _sheet(205, "/more/2", 5, "More"),
        _sheet(380, "/more/3", 5, "More"),
        _sheet(555, "/more/4", 0, below="no articles"),
        *_ON,
        _way("M430 153C430 180 285 180 280 156", "way soft"),
        _text(357, 193, "no article in common: asked again", "say"),
        height=204,
    )


def scroll() -> str:
    """One page grows when its end is reached."""
    grown = (3, 5, 7)
    sheets = [
        _sheet(x, "/latest", n, height=44 + 15 * n, new=tuple(range(n - 2, n)) if n > 3 else ()) for x, n in zip(_AT, grown, strict=False)
    ]
    return _svg(
        "One page in a browser that grows at each scroll, until nothing more comes",
        *sheets,
        *_ON[:2],
        *(_text((x + _SHEET + following) / 2, 80, "scroll", "say") for x, following in pairwise(_AT[:3])),
        _text(630, 85, "nothing new, and nothing", "say"),
        _text(630, 102, "being loaded: the end", "say"),
    )


def load_more() -> str:
    """One page grows when its button is clicked."""
    grown = ((3, "[ More ]"), (5, "[ More ]"), (7, ""))
    sheets = [
        _sheet(x, "/latest", n, foot, height=58 + 14 * n, new=tuple(range(n - 2, n)) if n > 3 else ())
        for x, (n, foot) in zip(_AT, grown, strict=False)
    ]
    return _svg(
        "One page in a browser with a button that brings more, until the button is gone",
        *sheets,
        *_ON[:2],
        *(_text((x + _SHEET + following) / 2, 80, "click", "say") for x, following in pairwise(_AT[:3])),
        _text(620, 95, "the button is gone: the end", "say"),
    )


def dates() -> str:
    """A page, or several, for each day."""
    days = [
        _box("new" if day == 11 else "sheet", 40 + 26 * (day % 7), 24 + 26 * (day // 7), 22, 22)
        + _text(51 + 26 * (day % 7), 39 + 26 * (day // 7), str(day + 1))
        for day in range(31)
    ]
    return _svg(
        "A calendar; each day has an archive page of its own, and one without articles is no end",
        *days,
        _way("M228 61H372"),
        _sheet(380, "/2024/05/12/", 4, below="a walk for each day"),
        _sheet(555, "/2024/05/13/", 0, below="an empty day is no fault"),
    )


_QUESTIONS: tuple[tuple[str, str, tuple[str, ...], str, str], ...] = (
    ("Is there a day, month or year in the address?", "yes", ("dates",), "beside one of these:", "go on"),
    ("Are the links there without scripts?", "no", ("scroll", "load-more"), "in a browser", "yes"),
    ("Is all on one page?", "yes", ("none",), "the only page", "no"),
    ("Does each page link to the next?", "yes", ("next-link",), "follow that link", "no"),
    ("Does a pager name the last number?", "yes", ("numbered",), "count up to it", "no"),
    ("Do new articles push others down meanwhile?", "yes", ("expanding",), "count, and compare", "no"),
    ("Nothing of that, but the address counts?", "yes", ("infinite",), "count until a page is empty", ""),
)
"""A question; the answer that leads to ways of paging, these, and what is said of them; the answer that leads on."""


def choice() -> str:
    """The questions from top to bottom."""
    parts = []
    for number, (question, answer, modes, meaning, onward) in enumerate(_QUESTIONS):
        y = 20 + 62 * number
        parts += [_box("sheet", 20, y, 300, 34), _text(32, y + 22, question, anchor="start")]
        parts += [_way(f"M320 {y + 17}H376"), _text(346, y + 11, answer, "say")]
        for place, mode in enumerate(modes):
            parts += [
                _box("mode", 380 + 98 * place, y, 90, 34),
                _text(425 + 98 * place, y + 22, mode, "link"),
            ]
        parts.append(_text(382 + 98 * len(modes), y + 22, meaning, "say", "start"))
        if onward:
            parts += [_way(f"M60 {y + 34}V{y + 60}"), _text(70, y + 52, onward, "say", "start")]
    return _svg("Questions that lead to the way of paging", *parts, height=20 + 62 * len(_QUESTIONS) - 8)


PICTURES: dict[str, Callable[[], str]] = {
    f"images/paging/{name}.svg": draw
    for name, draw in {
        "none": none, "next-link": next_link, "numbered": numbered, "infinite": infinite, "expanding": expanding,
        "scroll": scroll, "load-more": load_more, "dates": dates, "choice": choice,
    }.items()
}  # fmt: skip
"""File in docs/ -> what draws it."""
