"""Inventories made by hand: a small one of every kind of row, one of any size, and one whose texts are script code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from webarticlecurator.databases import Row
from webarticlecurator.survey.inventory.inventory_page import inventory_page
from webarticlecurator.survey.tag_table import write_table

UNDECIDED = {"operation": None, "decided_by": "undecided", "rule": "", "where": "", "url": None}


def decided(operation: str, by: str, rule: str, *, where: str = "", url: str | None = None) -> Row:
    """By whose rule."""
    return Row(operation=operation, decided_by=by, rule=rule, where=where, url=url)


def row(
    tag: str,
    decision: Mapping[str, object] = UNDECIDED,
    *,
    words: int = 0,
    frequency: int = 10,
    years: tuple[int | None, int | None] = (2019, 2024),
    suggestion: Row | None = None,
    examples: Sequence[Row] = (),
) -> Row:
    """A row with figures that follow from few."""
    figures = {
        "frequency": frequency,
        "pages": max(1, frequency // 2),
        "from": years[0],
        "to": years[1],
        "words": words,
        "mean_words": words / frequency,
        "mean_immediate_words": words // 2 / frequency,
        "mean_descendants": 3.0,
        "link_share": 0.25 if words else 0.0,
    }
    return Row(table="text" if words else "notext", tag=tag, **figures, **decision, suggestion=suggestion, examples=examples)


def example(url: str, before: str = "", text: str = "", after: str = "", start_tag: str = "") -> Row:
    """A place where a tag stands."""
    return Row(url=url, before=before, text=text, after=after, start_tag=start_tag)


def node(tag: str, *children: Row, words: int = 0, decision: Mapping[str, object] = UNDECIDED, more: int = 0) -> Row:
    """A node of the content tree."""
    said = {name: decision[name] for name in ("operation", "decided_by", "rule")}
    figures = {"frequency": 10, "words": words, "own_words": words // 2, "more": more, "more_words": more}
    return Row(tag=tag, **said, **figures, leaf=not children and not more, children=list(children))


def year(year: int | None, pages: int, elements: int, decided_elements: int, words: int, decided_words: int, **more: bool) -> Row:
    """A year that is so much decided."""
    counts = {"elements": elements, "decided_elements": decided_elements, "words": words, "decided_words": decided_words}
    shares = {"word_share": decided_words / (words or 1), "element_share": decided_elements / (elements or 1)}
    return Row({"year": year, "pages": pages, **counts, **shares, **more})


def pair(outer: str, inner: str, operation: str, *, adjacent: bool = True, frequency: int = 1, words: int = 1) -> Row:
    """A tag in another one."""
    return Row(outer=outer, inner=inner, adjacent=adjacent, frequency=frequency, words=words, operation=operation)


def small_inventory() -> Row:
    """A row of every kind."""
    paragraph = decided("paragraph", "general table", "general table p")
    advert = decided("decompose", "portal", "portal.yaml:31 div.ajanlo")
    bold = Row(operation="bold", evidence=("its class says bold", "short"))
    examples = (
        example("https://pelda.example/1", "Tegnap", "kövér szöveg", "állt itt.", '<span class="kiemelt">'),
        example("https://pelda.example/2", text="Another text"),
    )
    rows = (
        row("p", paragraph, words=9000, frequency=300),
        row("span.kiemelt", words=400, suggestion=bold, examples=examples),
        row("div.ajanlo", advert, words=700, frequency=90, years=(2020, 2024)),
        row("div.post-*.wide", words=120, frequency=7, years=(2015, 2018)),
        row("a", decided("link", "general table", "general table a"), words=300),
        row("blockquote", decided("quote", "preset", "wordpress.yaml:8 blockquote"), words=80),
        row("strong.bekezdes", decided("paragraph > bold", "portal", "portal.yaml:40 strong.bekezdes"), words=60),
        row("p", decided("unwrap", "portal", "portal.yaml:33 blockquote p", where="blockquote p"), words=55),
        row("div.menu", decided("decompose", "general finder", "mostly links"), words=50),
        row("img[data-src]", decided("figure", "portal", "portal.yaml:35 img", url="data-src"), years=(None, None)),
        row("hr.vonal", frequency=3),
    )
    tree = node(
        "div#content",
        node("p", node("span.kiemelt", words=400), words=9000, decision=paragraph),
        node("div.box", node("p", node("em", words=5), words=30, decision=paragraph), words=40, more=2),
        node("hr.vonal"),
        words=9900,
    )
    return Row(
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
        reduction=Row(simplified=359, undecided=267),
        coverage=(
            year(2019, 70, 900, 870, 6000, 5900),
            year(2020, 70, 900, 500, 6000, 3000),
            year(None, 10, 0, 0, 0, 0),
        ),
    )


def large_inventory(rows: int) -> Row:
    """As many rows as asked for, a third of them undecided; the tree and the pairs are as large as they get."""
    decisions = (
        UNDECIDED,
        decided("paragraph", "general table", "general table p"),
        decided("decompose", "portal", "portal.yaml:3 div"),
    )
    text = "Szavak, amelyek egy hírportál oldalán állhatnak, és amelyekben keresni is lehet. "
    examples = tuple(example(f"https://pelda.example/{n}", text, text, text, "<div>") for n in range(3))
    many = tuple(
        row(f"div.kind-{n}", decisions[n % 3], words=(n * 7919) % 10007, frequency=1 + n % 501, examples=examples) for n in range(rows)
    )
    tree = tuple(node(f"div.part-{n}", *(node(f"p.kind-{m}", words=m) for m in range(100)), words=5000) for n in range(40))
    pairs = tuple(pair("div", f"p.kind-{n}", "paragraph", frequency=n, words=n) for n in range(1_000))
    return Row(small_inventory(), rows=many, trees={"": tree}, pairs=pairs)


def inventory_of(text: Callable[[], str]) -> Row:
    """Every text in it is the next one that is given."""
    decision = decided("unwrap", "portal", text(), where=text(), url=text())
    places = (example(text(), text(), text(), text(), text()),)
    rows = (
        row(text(), examples=places, suggestion=Row(operation=text(), evidence=(text(),)), words=9),
        row(text(), decision, examples=places, words=8),
    )
    return Row(
        small_inventory(),
        portal=text(),
        passed_over={text(): 3},
        notes=(text(),),
        rows=rows,
        trees={text(): (node(text(), node(text())),)},
        pairs=(pair(text(), text(), text()),),
    )


def page_of_inventory(inventory: Row, **more: str) -> str:
    """As `curator tags --html` writes it."""
    return inventory_page(inventory, write_table(inventory.rows), **more)
