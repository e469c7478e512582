"""The page of `curator try --highlight`: an archived page whose texts are marked by what became of them, with a legend and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webarticlecurator.amounts import amount
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.text_marks import DIFFERS, FIRST, MARK, PREFIX
from webarticlecurator.report.html import Html, element, joined, link, stranger
from webarticlecurator.report.whole_page import framed, whole_page

_LONG = 300
_MOST_ROWS = 300


class Kind(NamedTuple):
    """One way in which texts are marked: by colours, and by a line for those who do not see them."""

    told: str
    ink: str
    paper: str
    line: str
    """How `text-decoration` draws it."""


KINDS = {
    "kept": Kind("kept: text of the article", "#0b3d1e", "#d3f2dc", "none"),
    "post": Kind("kept: a post (comment, entry, answer)", "#0b2f5c", "#d6e6fb", "overline"),
    "undecided": Kind("kept, though no rule says what its element is", "#4a3000", "#ffe9a8", "underline wavy"),
    "said": Kind("left out here: the article has it elsewhere", "#3c1361", "#eadcf8", "underline double"),
    "dropped": Kind("dropped by a rule of the portal file", "#6b0f12", "#fbd9d9", "line-through"),
    "general": Kind("dropped by the general reader", "#5a2a00", "#fde3cf", "line-through dotted"),
    "outside": Kind("outside of the article", "#333333", "#e8e8e8", "underline dotted"),
}
"""In the order of the legend; the classes of the marks end in these names."""
_DIFFERS = "the labeller thinks otherwise"
_STYLE = """
header, main { padding: .5rem 1rem; overflow-wrap: anywhere } h1 { font-size: 1.2rem; margin: 0 } h2 { font-size: 1rem }
ul.legend { list-style: none; margin: .5rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: .4rem .8rem }
summary h2 { display: inline }
"""


def _style_of_marks() -> str:
    """What the marks look like, in the page and in the legend, whatever the page's own style says."""
    mark = f".{MARK}" * 4
    rules = [
        f"{mark} {{ display: inline; padding: 0 .15em; border-radius: .15em; text-shadow: none; opacity: 1; visibility: visible; "
        "font-size: inherit; float: none; position: static }",
        f"{mark}.{FIRST}::before {{ content: '[' attr(title) '] '; font: 600 .7rem/1.2 system-ui, sans-serif; letter-spacing: 0; "
        "text-transform: none; text-decoration: none; display: inline-block; margin-right: .3em }",
        f"{mark}.{DIFFERS} {{ outline: 2px dashed #b30059; outline-offset: 1px }}",
    ]
    rules += [
        f"{mark}.{PREFIX}{name} {{ color: {kind.ink}; background: {kind.paper}; text-decoration: {kind.line} }}"
        for name, kind in KINDS.items()
    ]
    return "\n".join(rule.replace("; ", " !important; ").replace(" }", " !important }") for rule in rules)


@dataclass(frozen=True, slots=True)
class MarkedText:
    """One text of the page."""

    kind: str
    label: str
    text: str
    differs: bool
    """The labeller thinks otherwise."""


class Source(NamedTuple):
    """A value of the metadata."""

    field: str
    value: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HighlightView:
    """All that is shown of a page."""

    url: str
    portal: str
    outcome: str
    reason: str = ""
    container: str = ""
    """By which rule or evidence the text was found."""
    layout: str = ""
    html: str | None = None
    """Made harmless already; None where it cannot be shown."""
    is_cut: str = ""
    labelled: bool = False
    """The labeller was asked of its texts."""
    texts: tuple[MarkedText, ...] = ()
    values: tuple[Source, ...] = ()

    @property
    def words(self) -> tuple[tuple[str, int], ...]:
        """By kind, in the order of the legend."""
        counted: Counter[str] = Counter()
        for one in self.texts:
            counted[one.kind] += len(one.text.split())
        return tuple((name, counted[name]) for name in KINDS)


def highlight_page(view: HighlightView) -> str:
    """One self-contained file."""
    frame = (
        framed(f"<style>{_style_of_marks()}</style>{view.html}", "The archived page, with marks")
        if view.html is not None
        else element("p", "The page cannot be shown: there is no page of HTML.")
    )
    main = element("main", _legend(view), frame, _tables(view))
    return whole_page(f"What became of {view.url}", f"{_STYLE}{_style_of_marks()}", joined([_top(view), main]))


def _top(view: HighlightView) -> Html:
    outcome = element("strong", view.outcome)
    told = [element("p", f"{view.portal} · ", outcome, f": {view.reason}" if view.reason else "", " · ", link(view.url))]
    if view.container:
        told.append(
            element("p", "The text was found by: ", stranger(view.container, _LONG), f" · layout: {view.layout}" if view.layout else "")
        )
    if view.html is not None and view.outcome != PageOutcome.ARTICLE:
        told.append(element("p", "It is no article to these rules, so that nothing of it is kept: the marks show what was looked at."))
    if view.is_cut:
        told.append(element("p", f"The page is long: {view.is_cut}."))
    return element("header", element("h1", "What became of the texts of a page"), told)


def _legend(view: HighlightView) -> Html:
    words = dict(view.words)
    rows = [element("li", _sample(name, kind.told), f" {amount(words[name], 'word')}") for name, kind in KINDS.items()]
    if view.labelled:
        otherwise = sum(len(one.text.split()) for one in view.texts if one.differs)
        rows.append(element("li", element("span", _DIFFERS, class_=f"{MARK} {PREFIX}outside {DIFFERS}"), f" {amount(otherwise, 'word')}"))
    note = (
        "Each stretch of text begins with what became of it, in brackets. Scripts do not run, links lead nowhere, pictures are not stored."
    )
    return element("section", element("h2", "Legend"), element("ul", rows, class_="legend"), element("p", note), aria_label="Legend")


def _sample(name: str, told: str) -> Html:
    return element("span", told, class_=f"{MARK} {PREFIX}{name}")


def _tables(view: HighlightView) -> Html:
    rows = list(_rows(view.texts))
    parts = [
        ("What became of its texts, in their order", ("what", "text"), rows[:_MOST_ROWS], len(rows)),
        ("Metadata, with the source of each value", ("field", "value", "source"), [tuple(one) for one in view.values], len(view.values)),
    ]
    return joined([_table(title, heads, body, total) for title, heads, body, total in parts if body])


def _rows(texts: Sequence[MarkedText]) -> Iterator[tuple[str, ...]]:
    """Of texts alike behind one another one row."""
    run: list[MarkedText] = []
    for one in texts:
        if run and one.label != run[0].label:
            yield run[0].label, " ".join(part.text for part in run)
            run = []
        run.append(one)
    if run:
        yield run[0].label, " ".join(part.text for part in run)


def _table(title: str, heads: Sequence[str], body: Sequence[tuple[str, ...]], total: int) -> Html:
    head = element("tr", [element("th", name, scope="col") for name in heads])
    rows = [element("tr", [element("td", stranger(cell, _LONG)) for cell in row]) for row in body]
    more = element("p", f"{amount(total - len(body), 'more row is', 'more rows are')} not shown.") if total > len(body) else None
    return element("details", element("summary", element("h2", f"{title} ({total:,})")), element("table", head, rows), more)
