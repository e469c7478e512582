"""Draws the choice of docs/how-to/archives.md: docs/images/paging-choice.svg, for light and dark surroundings; `make docs` writes it."""

from __future__ import annotations

from html import escape

_STYLE = """\
.card{fill:#f6f8f8;stroke:#c9d3d3}.sheet{fill:#fff;stroke:#7a8a8a}
text{font:12px system-ui,sans-serif;fill:#1d2b2b}.say{font-style:italic;fill:#4a5a5a}.link{fill:#006e62;font-weight:600}
.way{stroke:#006e62;fill:none;stroke-width:1.6}.tip{fill:#006e62}.mode{fill:#d6efe9;stroke:#006e62}
@media(prefers-color-scheme:dark){.card{fill:#1b2226;stroke:#3b474c}.sheet{fill:#262f34;stroke:#8a999f}
text{fill:#e4ebeb}.say{fill:#b4c0c0}.link{fill:#6fd6c6}.way{stroke:#6fd6c6}.tip{fill:#6fd6c6}
.mode{fill:#17433d;stroke:#6fd6c6}}"""
_TIP = """\
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">\
<path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>"""
_WIDTH = 720


def _svg(title: str, *parts: str, height: int) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img">'
    card = f'<rect class="card" x=".5" y=".5" width="{_WIDTH - 1}" height="{height - 1}" rx="8"/>'
    return "\n".join([head, f"<title>{escape(title)}</title><style>{_STYLE}</style>{_TIP}", card, *parts, "</svg>", ""])


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'


def _box(kind: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4"/>'


def _way(path: str) -> str:
    return f'<path class="way" d="{path}" marker-end="url(#tip)"/>'


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
            parts += [_box("mode", 380 + 98 * place, y, 90, 34), _text(425 + 98 * place, y + 22, mode, "link")]
        parts.append(_text(382 + 98 * len(modes), y + 22, meaning, "say", "start"))
        if onward:
            parts += [_way(f"M60 {y + 34}V{y + 60}"), _text(70, y + 52, onward, "say", "start")]
    return _svg("Questions that lead to the way of paging", *parts, height=20 + 62 * len(_QUESTIONS) - 8)
