"""What every chart stands in: a title, one sentence that says the same, the drawing, its legend, and the numbers as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webarticlecurator.amounts import percent
from webarticlecurator.report.html import Child, Html, element, joined

WIDTH = 760
"""Units of a drawing, which is never shown narrower than is legible: on a phone it scrolls within its box."""
TONES = 8
"""Colours that can be told apart; what is more folds into one series."""


@dataclass(frozen=True, slots=True)
class Series:
    """One kind of thing over all periods."""

    name: str
    values: tuple[float, ...]
    tone: str
    """The class of its colour: `t0` to `t7`, or one with a meaning: `good`, `bad`, `open`, `other`."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under headings; the first cell of a row is its heading."""

    headings: Sequence[Child]
    rows: Sequence[Sequence[Child]]
    numbers: frozenset[int] = frozenset()
    """Columns that are aligned to the right."""
    note: Child = None
    """What is not in it."""


def figure(
    ident: str, title: str, said: Child, drawing: Html, *, legend: Iterable[tuple[str, Child]] = (), table: Table | None = None
) -> Html:
    """`said`: one sentence that tells what is seen; `legend`: class of the colour, and its name."""
    head = element("figcaption", element("h3", title, id=f"{ident}-title"), element("p", said, id=f"{ident}-said"))
    marks = [element("li", element("span", class_=f"swatch {tone}", aria_hidden="true"), name) for tone, name in legend]
    return element(
        "figure",
        head,
        element("ul", marks, class_="legend", aria_label="Legend") if marks else None,
        _box(drawing, f"{ident}-title"),
        _folded(table, title) if table else None,
        id=ident,
    )


def drawing(ident: str, height: int, *content: Child, width: int = WIDTH, kind: str = "chart") -> Html:
    """The SVG of a figure, which names it and says what is in it."""
    return element(
        "svg",
        content,
        class_=kind,
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_labelledby=f"{ident}-title",
        aria_describedby=f"{ident}-said",
    )


def table(content: Table, *, label: str, kind: str | None = None) -> Html:
    """A table in a box of its own, which scrolls where there is no room and can be reached by the keyboard."""
    if not content.rows:
        return element("p", content.note, class_="note") if content.note else Html("")
    head = element("tr", [element("th", cell, scope="col", class_=_number(place, content)) for place, cell in enumerate(content.headings)])
    rows = (element("tr", [_cell(place, cell, content) for place, cell in enumerate(row)]) for row in content.rows)
    made = element("table", element("caption", label, class_="unseen"), element("thead", head), element("tbody", rows), class_=kind)
    boxed = element("div", made, class_="wide", tabindex=0, role="group", aria_label=label)
    return joined((boxed, element("p", content.note, class_="note") if content.note else None))


def bar(part: float, whole: float, tone: str = "t0") -> Html:
    """A share as a small bar for the eye; the number stands beside it."""
    width = f"{100 * part / whole:.3g}" if whole else "0"
    filled = element("rect", width=width, height="8", class_=tone)
    return element(
        "svg",
        element("rect", width="100", height="8", class_="track"),
        filled,
        class_="bar",
        viewBox="0 0 100 8",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def share(part: float, whole: float) -> Html:
    """A share as a bar with its percentage."""
    return element("span", bar(part, whole), percent(part, whole), class_="share")


def folded(series: Sequence[Series], most: int = TONES) -> tuple[Series, ...]:
    """The largest, in their order; all others as one, which says how many they are."""
    if len(series) <= most:
        return tuple(series)
    largest = sorted(series, key=lambda one: -sum(one.values))[: most - 1]
    rest = [one for one in series if one not in largest]
    others = tuple(sum(values) for values in zip(*(one.values for one in rest), strict=True))
    kept = [one for one in series if one in largest]
    return (*kept, Series(f"{len(rest):,} others", others, "other"))


def _box(content: Html, labelled_by: str) -> Html:
    return element("div", content, class_="wide drawn", tabindex=0, role="group", aria_labelledby=labelled_by)


def _folded(content: Table, title: str) -> Html:
    return element("details", element("summary", f"The numbers: {title[0].lower()}{title[1:]}"), table(content, label=title))


def _cell(place: int, cell: Child, content: Table) -> Html:
    if isinstance(cell, Html) and cell.startswith("<td"):
        return cell
    kind = _number(place, content)
    return element("td", cell, class_=kind) if place else element("th", cell, scope="row", class_=kind)


def _number(place: int, content: Table) -> str | None:
    return "number" if place in content.numbers else None
