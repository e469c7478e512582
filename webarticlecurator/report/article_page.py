"""One article as a page of HTML: the archived page beside what was made of it. The page has no script, and may ask for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from webarticlecurator.report.html import Html, element, joined, link, stranger
from webarticlecurator.report.whole_page import framed, whole_page

_LONG = 2_000
_STYLE = """
body { display: flex; flex-direction: column; min-height: 100vh }
header, .notes { padding: .5rem 1rem } h1 { font-size: 1.2rem; margin: 0 } .notes { font-size: .85rem }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; padding: 0 1rem 1rem; flex: 1 }
@media (max-width: 60rem) { main { grid-template-columns: minmax(0, 1fr) } }
.made { height: 85vh; overflow: auto; padding-right: .5rem } .made, .made * { overflow-wrap: anywhere }
@media (max-width: 60rem) { .made { height: auto } }
@media (min-width: 60.01rem) { th { white-space: nowrap } td:last-child { min-width: 9rem } }
header, table { overflow-wrap: anywhere }
summary h2 { display: inline; font-size: 1rem } pre { white-space: pre-wrap; font-size: .8rem }
.link { text-decoration: underline dotted }
.post, aside, blockquote { border-left: 3px solid GrayText; margin-left: 0; padding-left: .8rem }
@media print { iframe, .made { height: auto } }
"""


class ValueRow(NamedTuple):
    """A value of the metadata."""

    field: str
    value: str
    raw: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedPage:
    """One stored page of the article."""

    html: str | None
    """Made harmless already; None where it cannot be shown."""
    remarks: tuple[str, ...]
    """What is not shown of it, and why."""
    facts: tuple[tuple[str, str], ...]
    """Where it lies, and since when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleView:
    """All that is shown of one article."""

    portal: str
    id: str
    url: str
    headline: str
    outcome: str
    pages: tuple[ArchivedPage, ...]
    readable: str | None = None
    """Its text as HTML; None where it has no document."""
    document: str = ""
    """Its TEI, as it is."""
    values: tuple[ValueRow, ...] = ()
    disagreements: tuple[ValueRow, ...] = ()
    flags: tuple[str, ...] = ()
    dropped: tuple[tuple[str, str], ...] = field(default=())
    """Texts of the page that are not in the document, and the rules that left them out."""


def article_page(view: ArticleView) -> str:
    """One self-contained file."""
    main = element(
        "main",
        element("section", _archived(view), aria_label="The archived page"),
        element("section", _made(view), class_="made", aria_label="What was made of it"),
    )
    return whole_page(view.headline, _STYLE, joined([_top(view), main]))


def _top(view: ArticleView) -> Html:
    facts = element("p", f"{view.portal} · {view.id} · {view.outcome} · ", link(view.url), class_="notes")
    return element("header", element("h1", stranger(view.headline)), facts)


def _archived(view: ArticleView) -> Html:
    return joined(
        [_page(page, number, len(view.pages)) for number, page in enumerate(view.pages, start=1)]
        or [element("p", "No page of it is stored.")]
    )


def _page(page: ArchivedPage, number: int, of: int) -> Html:
    title = "The archived page" if of == 1 else f"Archived page {number} of {of}"
    remarks = element("p", " ".join(page.remarks), class_="notes") if page.remarks else None
    frame = framed(page.html, title) if page.html is not None else None
    return element("details", element("summary", element("h2", title)), remarks, frame, _pairs(page.facts), open=number == 1)


def _made(view: ArticleView) -> Html:
    nothing = element("p", "It has no document: ", stranger(view.outcome, _LONG))
    parts = [
        ("What is read in its document", Html(view.readable) if view.readable is not None else nothing, True),
        (f"Metadata, with the source of each value ({len(view.values)})", _values(view.values), True),
        (f"What the sources disagree on ({len(view.disagreements)})", _values(view.disagreements), False),
        (f"What is odd about it ({len(view.flags)})", element("ul", [element("li", stranger(flag, _LONG)) for flag in view.flags]), False),
        (f"Texts of the page that are not in it ({len(view.dropped)})", _dropped(view.dropped), False),
        ("TEI", element("pre", element("code", Html(escape(view.document)))), False),
    ]
    shown = [
        (title, content, is_open) for title, content, is_open in parts if not title.endswith("(0)") and (title != "TEI" or view.document)
    ]
    return joined(
        [element("details", element("summary", element("h2", title)), content, open=is_open) for title, content, is_open in shown]
    )


def _values(rows: Sequence[ValueRow]) -> Html:
    head = element("tr", [element("th", name, scope="col") for name in ("field", "value", "as the page has it", "source")])
    body = [
        element(
            "tr",
            element("th", row.field, scope="row"),
            [element("td", stranger(cell, _LONG)) for cell in (row.value, row.raw if row.raw != row.value else "=", row.source)],
        )
        for row in rows
    ]
    return element("table", head, body)


def _dropped(rows: Sequence[tuple[str, str]]) -> Html:
    head = element("tr", element("th", "text", scope="col"), element("th", "rule", scope="col"))
    return element("table", head, [element("tr", [element("td", stranger(cell, _LONG)) for cell in row]) for row in rows])


def _pairs(facts: Sequence[tuple[str, str]]) -> Html:
    return element(
        "table", [element("tr", element("th", name, scope="row"), element("td", stranger(value, _LONG))) for name, value in facts]
    )
