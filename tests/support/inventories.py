"""Inventories made by hand: a small one of every kind of row, one of any size, and one whose texts are script code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from webarticlecurator.survey.inventory.inventory_page import inventory_page
from webarticlecurator.survey.inventory.results import (
    DecidedOperation,
    Decider,
    Example,
    Inventory,
    JsonRow,
    Suggestion,
    TagRow,
)
from webarticlecurator.survey.tag_table import write_table

UNDECIDED = DecidedOperation("unwrap", Decider.NOBODY)


def row(
    tag: str,
    decided: DecidedOperation = UNDECIDED,
    *,
    words: int = 0,
    frequency: int = 10,
    years: tuple[int | None, int | None] = (2019, 2024),
    suggestion: Suggestion | None = None,
    examples: tuple[Example, ...] = (),
) -> TagRow:
    """A row with figures that follow from few."""
    return TagRow(
        tag=tag,
        decided=decided,
        frequency=frequency,
        pages=max(1, frequency // 2),
        first_year=years[0],
        last_year=years[1],
        words=words,
        own_words=words // 2,
        link_words=words // 4,
        descendants=frequency * 3,
        suggestion=suggestion,
        examples=examples,
    )


def node(tag: str, *children: JsonRow, words: int = 0, decided: DecidedOperation = UNDECIDED, more: int = 0) -> JsonRow:
    """A node of the content tree."""
    said = {"operation": None if decided is UNDECIDED else decided.operation, "decided_by": decided.decider.value, "rule": decided.rule}
    figures = {"frequency": 10, "words": words, "own_words": words // 2, "more": more, "more_words": more}
    return {"tag": tag, **said, **figures, "leaf": not children and not more, "children": list(children)}


def year(year: int | None, pages: int, elements: int, decided_elements: int, words: int, decided_words: int, **more: bool) -> JsonRow:
    """A year that is so much decided."""
    counts = {"elements": elements, "decided_elements": decided_elements, "words": words, "decided_words": decided_words}
    shares = {"word_share": decided_words / (words or 1), "element_share": decided_elements / (elements or 1)}
    return {"year": year, "pages": pages, **counts, **shares, "layout_change": False, **more}


def pair(outer: str, inner: str, operation: str, *, adjacent: bool = True, frequency: int = 1, words: int = 1) -> JsonRow:
    """A tag in another one."""
    return {"outer": outer, "inner": inner, "adjacent": adjacent, "frequency": frequency, "words": words, "operation": operation}


def small_inventory() -> Inventory:
    """A row of every kind."""
    paragraph = DecidedOperation("paragraph", Decider.GENERAL, "general table p")
    advert = DecidedOperation("decompose", Decider.PORTAL, "portal.yaml:31 div.ajanlo")
    bold = Suggestion(operation="bold", evidence=("its class says bold", "short"))
    examples = (
        Example(url="https://pelda.example/1", before="Tegnap", text="kövér szöveg", after="állt itt.", start_tag='<span class="kiemelt">'),
        Example(url="https://pelda.example/2", text="Another text"),
    )
    rows = (
        row("p", paragraph, words=9000, frequency=300),
        row("span.kiemelt", words=400, suggestion=bold, examples=examples),
        row("div.ajanlo", advert, words=700, frequency=90, years=(2020, 2024)),
        row("div.post-*.wide", words=120, frequency=7, years=(2015, 2018)),
        row("a", DecidedOperation("link", Decider.GENERAL, "general table a"), words=300),
        row("blockquote", DecidedOperation("quote", Decider.PRESET, "wordpress.yaml:8 blockquote"), words=80),
        row("strong.bekezdes", DecidedOperation("paragraph > bold", Decider.PORTAL, "portal.yaml:40 strong.bekezdes"), words=60),
        row("p", DecidedOperation("unwrap", Decider.PORTAL, "portal.yaml:33 blockquote p", condition="blockquote p"), words=55),
        row("div.menu", DecidedOperation("decompose", Decider.FINDER, "mostly links"), words=50),
        row("img[data-src]", DecidedOperation("figure", Decider.PORTAL, "portal.yaml:35 img", url="data-src"), years=(None, None)),
        row("hr.vonal", frequency=3),
    )
    tree = node(
        "div#content",
        node("p", node("span.kiemelt", words=400), words=9000, decided=paragraph),
        node("div.box", node("p", node("em", words=5), words=30, decided=paragraph), words=40, more=2),
        node("hr.vonal"),
        words=9900,
    )
    return Inventory(
        portal="pelda",
        pages=150,
        of_pages=3000,
        passed_over={"captcha": 2},
        notes=("A sample.",),
        rows=rows,
        trees={"": (tree,), "old": (node("td.cikk", words=3),)},
        pairs=(
            pair("blockquote", "p", "unwrap", frequency=5, words=55),
            pair("p", "span.kiemelt", "undecided", adjacent=False, frequency=10, words=400),
        ),
        reduction={"tags": 33466, "with_text": 18517, "simplified": 359, "undecided": 267},
        coverage=(
            year(2019, 70, 900, 870, 6000, 5900),
            year(2020, 70, 900, 500, 6000, 3000, layout_change=True),
            year(None, 10, 0, 0, 0, 0),
        ),
    )


def large_inventory(rows: int) -> Inventory:
    """As many rows as asked for, a third of them undecided; the tree and the pairs are as large as they get."""
    decisions = (
        UNDECIDED,
        DecidedOperation("paragraph", Decider.GENERAL, "general table p"),
        DecidedOperation("decompose", Decider.PORTAL, "portal.yaml:3 div"),
    )
    text = "Szavak, amelyek egy hírportál oldalán állhatnak, és amelyekben keresni is lehet. "
    examples = tuple(Example(url=f"https://pelda.example/{n}", before=text, text=text, after=text, start_tag="<div>") for n in range(3))
    many = tuple(
        row(f"div.kind-{n}", decisions[n % 3], words=(n * 7919) % 10007, frequency=1 + n % 501, examples=examples) for n in range(rows)
    )
    tree = tuple(node(f"div.part-{n}", *(node(f"p.kind-{m}", words=m) for m in range(100)), words=5000) for n in range(40))
    pairs = tuple(pair("div", f"p.kind-{n}", "paragraph", frequency=n, words=n) for n in range(1_000))
    return replace(small_inventory(), rows=many, trees={"": tree}, pairs=pairs)


def inventory_of(text: Callable[[], str]) -> Inventory:
    """Every text in it is the next one that is given."""
    decided = DecidedOperation("unwrap", Decider.PORTAL, text(), condition=text(), url=text())
    example = Example(url=text(), before=text(), text=text(), after=text(), start_tag=text())
    rows = (
        row(text(), examples=(example,), suggestion=Suggestion(operation=text(), evidence=(text(),)), words=9),
        row(text(), decided, examples=(example,), words=8),
    )
    return replace(
        small_inventory(),
        portal=text(),
        passed_over={text(): 3},
        notes=(text(),),
        rows=rows,
        trees={text(): (node(text(), node(text())),)},
        pairs=(pair(text(), text(), text()),),
    )


def page_of_inventory(inventory: Inventory, **more: str) -> str:
    """As `curator tags --html` writes it."""
    return inventory_page(inventory, write_table(inventory.rows), **more)
