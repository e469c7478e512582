"""Which links of archive pages lead to articles: `archive.link` as `curator learn` proposes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest
from learning_from import AT, Learned, Pages, learn
from seams import archive_of, portal_of
from working_time import at_most

MENU = '<nav><ul><li><a href="/belfold">Belföld</a><li><a href="/kulfold">Külföld</a><li><a href="/rolunk">Rólunk</a></ul></nav>'
TITLES = ("Megnyílt az új híd a folyón", "Rekordot döntött a búza ára idén", "Három napig lesz hőség az országban")
BOX = '<div class="olvasott"><h3><a href="/cikk/99-a-legolvasottabb-cikk-mind-kozul">A legolvasottabb cikk mind közül</a></h3></div>'


def article(number: int, index: int) -> str:
    return f"/cikk/{number}{index}-egy-hosszabb-cim-{number}"


def teaser(number: int, index: int) -> str:
    return (
        f'<div class="teaser"><h2><a href="{article(number, index)}">{TITLES[index]} ({number})</a></h2>'
        f'<time datetime="2024-05-0{number}T10:0{index}">május {number}.</time> <a class="tema" href="/cimke/viz">víz</a></div>'
    )


def listing(number: int, *, item: Callable[[int, int], str] = teaser, count: int = 3, top: str = "", below: str = BOX) -> str:
    """An archive page with articles of its own, the menu, and a box that is the same on all pages."""
    items = "".join(item(number, index) for index in range(count))
    return f"<html><body>{MENU}<main>{top}<div class=lista>{items}</div></main>{below}</body></html>"


def listings(*numbers: int, **how: Any) -> dict[str, str]:
    return {f"/lista/{number}": listing(number, **how) for number in numbers or (1, 2, 3)}


def found(learned: Learned, pages: Pages, choice: int = 0) -> list[set[str]]:
    """The paths that a choice finds on each page, once it stands in a portal file."""
    rules = learned.proposals["archive.link"]["choices"][choice]["value"]
    return [links(html, rules) for html in pages.values()]


def links(html: str, rules: dict[str, Any]) -> set[str]:
    return {link.url.removeprefix(AT) for link in archive_of(html, **rules).articles}


PAGES = listings()
OWN = [{article(number, index) for index in range(3)} for number in (1, 2, 3)]


def test_the_links_that_each_page_has_for_itself_are_the_articles() -> None:
    learned = learn(archive=PAGES)
    assert found(learned, PAGES) == OWN
    assert found(learned, listings(7)) == [{article(7, index) for index in range(3)}]
    best = learned.best("archive.link")
    assert best["reason"].startswith("3 links a page on 3 of 3 pages; 9 of 9 stand on no other page, unlike menus")
    assert best["samples"][0] == AT + article(1, 0)
    assert all(choice["differs"] for choice in learned.proposals["archive.link"]["choices"][1:])


LEAD = '<section class="kiemelt"><h1><a href="/cikk/{0}9-a-vezeto-hir-hosszu-cime">A vezető hír hosszú címe</a></h1></section>'


def with_author(number: int, index: int) -> str:
    beside = f'<a href="/szerzo/nagy-anna-maria-{number}">Nagy Anna Mária</a> <a href="/cimke/az-uj-hid-{number}">az új híd</a>'
    return f'<p class=egy><a class=cim href="{article(number, index)}">{TITLES[index]}</a> {beside}</p>'


def row(number: int, index: int) -> str:
    title = f'<a class="cim" href="{article(number, index)}">{TITLES[index % 3]} ({number})</a>'
    return f'<div class="sor"><span>május {number}.</span> {title}</div>'


def other_box(number: int) -> str:
    inside = "".join(f'<a href="/cikk/{at}{number}-masik-rovat-hosszu-cimu-cikke">Másik rovat cikke, {at}</a>' for at in range(5))
    return f'<div class="friss">{inside}</div>'


PAGER = '<div class="lapozo"><a href="/lista/1">1</a> <a href="/lista/2">2</a> <a href="/lista/4">Következő</a></div>'
LISTS: dict[str, tuple[Callable[[int], str], int, Callable[[int], set[str]]]] = {
    "a leading article in a template of its own": (
        lambda number: listing(number, top=LEAD.format(number)),
        3,
        lambda number: {f"/cikk/{number}9-a-vezeto-hir-hosszu-cime"},
    ),
    "one in a box that is called by its words": (
        lambda number: listing(
            number, top=LEAD.format(number).replace("class=", f"id=a-vezeto-hir-kicsit-hosszabb-cime-{'abcd'[number - 1]} title=")
        ),
        3,
        lambda number: {f"/cikk/{number}9-a-vezeto-hir-hosszu-cime"},
    ),
    "a box of other articles below": (lambda number: listing(number, item=row, count=9, below=other_box(number)), 9, lambda _: set()),
    "authors and topics": (lambda number: listing(number, item=with_author, below=""), 3, lambda _: set()),
    "the pager": (lambda number: listing(number).replace("</main>", f"{PAGER}</main>"), 3, lambda _: set()),
}


@pytest.mark.parametrize(("page", "count", "more"), LISTS.values(), ids=LISTS)
def test_of_all_links_of_a_page_those_of_the_list_are_taken(
    page: Callable[[int], str], count: int, more: Callable[[int], set[str]]
) -> None:
    pages = {f"/lista/{number}": page(number) for number in (1, 2, 3, 4)}
    expected = [{article(number, at) for at in range(count)} | more(number) for number in (1, 2, 3, 4)]
    assert found(learn(archive=dict(islice(pages.items(), 3))), pages) == expected


def test_pages_in_two_layouts_give_one_rule_for_both() -> None:
    old = listings(4, 5, item=lambda number, index: f'<p class="regi"><a href="{article(number, index)}">{TITLES[index]}</a></p>')
    pages = PAGES | old
    assert found(learn(archive=pages), pages) == [*OWN, *({article(number, index) for index in range(3)} for number in (4, 5))]


def test_a_rule_by_a_name_that_a_program_made_says_so() -> None:
    pages = listings(item=lambda number, index: f'<div class="css-xjohwe"><a href="{article(number, index)}">{TITLES[index]}</a></div>')
    topics = '<div class="css-vurnku"><a href="/cimke/{0}-viz-es-levego">Minden cikk a vízről</a></div></div></main>'
    best = learn(archive={path: html.replace("</div></main>", topics.format(path[-1])) for path, html in pages.items()}).best(
        "archive.link"
    )
    assert (best["value"]["link"], "css-xjohwe" in best["reason"]) == ("div.css-xjohwe a", True)


def test_an_example_decides_between_two_lists_of_one_page() -> None:
    others = [f"/velemeny/{index}7-masok-szerint-ez-is-fontos-volt" for index in range(4)]
    boxes = "".join(f'<div class="doboz"><h2><a href="{url}">{TITLES[0]} másutt</a></h2></div>' for url in others)
    pages = listings(1, below=f'<div class="masik">{boxes}</div>')
    assert found(learn(archive=pages, examples=[article(1, 1)]), pages) == [OWN[0]]
    assert found(learn(archive=pages, examples=[others[2]]), pages) == [set(others)]
    nowhere = learn(archive=pages, examples=["/nincs"])
    assert "archive.link" in nowhere.proposals
    assert f"{AT}/nincs" in nowhere.remark("no page links to the example")


def test_what_the_rules_for_addresses_refuse_is_no_article() -> None:
    rules = "archive: {url: 'https://pelda.example/lista/{page}', link: a.none, urls: {exclude: [egy-hosszabb-cim-2]}}\n"
    learned = learn(rules, archive=PAGES)
    samples = [url for choice in learned.proposals["archive.link"]["choices"] for url in (*choice["samples"], *choice["differs"])]
    assert samples
    assert not any("cim-2" in url for url in samples)


NAMES = ("Kiss Anna", "Nagy Béla Ádám", "Tóth Éva")


def entry(number: int, index: int, beside: str) -> str:
    return f'<li class=hir><h2><a href="{article(number, index)}">{TITLES[index]} {number}</a></h2>{beside}</li>'


BESIDE: dict[str, tuple[Callable[[int, int], str], dict[str, Any]]] = {
    "a moment for machines goes before a day": (
        lambda number, index: teaser(number, index).replace("<time", f"<p class=datum>2024-05-0{number}</p><time"),
        {"datePublished": {"css": "time", "attr": "datetime"}},
    ),
    "authors are left to the articles, since lists like to name the first alone": (
        lambda number, index: entry(number, index, f'<a class=szerzo href="/szerzo/{index}/">{NAMES[index]}</a>'),
        {},
    ),
    "what all have alike is nothing of an article": (
        lambda number, index: entry(number, index, "<time>2024-05-01</time>"),
        {},
    ),
    "a link that holds its heading stays whole": (
        lambda number, index: (
            f'<div class=hir><a href="{article(number, index)}"><h3>{TITLES[index]} {number}</h3></a> 2024-05-0{number}</div>'
        ),
        {},
    ),
    "a day without its year is none": (lambda number, index: entry(number, index, f"<p class=datum>május {number}.</p>"), {}),
}


@pytest.mark.parametrize(("item", "fields"), BESIDE.values(), ids=BESIDE)
def test_a_date_beside_the_links_becomes_a_field(item: Callable[[int, int], str], fields: dict[str, Any]) -> None:
    learned, pages = learn(archive=listings(item=item)), listings(item=item)
    assert learned.best("archive.link")["value"].get("fields", {}) == fields
    assert found(learned, pages) == OWN


@pytest.mark.parametrize(("name", "is_sure"), [("li", False), ('div class="sor"', True)], ids=["a tag", "a class"])
def test_a_rule_of_tags_alone_is_never_sure_since_side_columns_have_the_same_tags(name: str, is_sure: bool) -> None:
    def lines(number: int) -> str:
        rows = (f'<{name}><a href="{article(number, at)}">{TITLES[at]} ({number})</a></{name.split()[0]}>' for at in range(3))
        return f"<html><body><div>{''.join(rows)}</div></body></html>"

    pages = {f"/lista/{number}": lines(number) for number in (1, 2, 3)}
    learned = learn(archive=pages)
    assert (found(learned, pages), learned.proposals["archive.link"]["sure"]) == (OWN, is_sure)


def test_hosts_below_the_portal_s_own_are_proposed_with_the_links_that_lead_there() -> None:
    def item(number: int, index: int) -> str:
        own, other = f"/{number}{index}-egy-masik-cim", f"https://sport.pelda.example/{number}{index}-egy-cim"
        return "".join(f'<p class="t"><a href="{url}">{TITLES[index]}</a></p>' for url in (own, other))

    assert learn(archive=listings(1, 2, item=item)).best("archive.link")["value"]["urls"] == {"hosts": ["sport.pelda.example"]}


MADE_ANEW = ("kortJj", "huZCWi", "comASk", "post-1234", "is-active")
TO_BE_ESCAPED = ("két szó", "x\\y", "md:flex", "né", "a,b", "[q]", "'")


@pytest.mark.parametrize("name", [*MADE_ANEW, *TO_BE_ESCAPED])
def test_any_name_gives_rules_that_load_and_classes_made_anew_with_each_page_are_in_none(name: str) -> None:
    def item(number: int, index: int) -> str:
        return f'<p id="{name}" class="{name}"><a href="{article(number, index)}">{TITLES[index]}</a></p>'

    choices = learn(archive=listings(1, 2, item=item)).choices("archive.link")
    for value in choices:
        assert portal_of(archive={"url": f"{AT}/lista/{{page}}", **value})
    assert name not in MADE_ANEW or name not in json.dumps(choices)


COLUMNS = "columns:\n" + "".join(f'  {name}: {{url: "{AT}/{name}/{{page}}"}}\n' for name in ("belfold", "kulfold", "forum"))
WORDS = ("bridge", "school", "river", "museum", "council", "harbour", "market", "garden", "railway", "library")


def column(name: str, *numbers: int) -> dict[str, str]:
    """Pages of one section, all of which look alike."""

    def page(number: int) -> str:
        rows = [(word, f"/{name}/2024/05/the-{word}-of-{name}-{number}") for word in WORDS]
        items = (
            f'<article class="teaser"><h2><a href="{url}">The {word} is opened on page {number}</a></h2></article>' for word, url in rows
        )
        return f"{MENU}<main>{''.join(items)}<a class='next' rel='next' href='/{name}/{number + 1}'>Next</a></main>"

    return {f"/{name}/{number}": page(number) for number in numbers or (1, 2, 3)}


def threads(*numbers: int) -> dict[str, str]:
    def page(number: int) -> str:
        rows = (
            f'<tr class="topic"><td><a href="/forum/topic-{number}-{at}">What of the {word}, page {number}?</a></td></tr>'
            for at, word in enumerate(WORDS)
        )
        return f"{MENU}<main><table>{''.join(rows)}</table></main>"

    return {f"/forum/{number}": page(number) for number in numbers}


SECTIONS = {name: column(name) for name in ("belfold", "kulfold")}


def test_columns_of_one_layout_share_a_rule_and_others_get_their_own() -> None:
    learned = learn(f"archive: {{link: a}}\n{COLUMNS}", archive={**SECTIONS, "forum": threads(1, 2, 3)})
    assert {name for name in learned.proposals if name.endswith(".link")} == {"archive.link", "columns.forum.link"}
    assert all("/forum/" in sample for sample in learned.best("columns.forum.link")["samples"])


def test_rules_of_the_file_that_find_the_same_are_left_alone() -> None:
    learned = learn(f"archive: {{link: 'main article a', next: a.next}}\n{COLUMNS}", archive=SECTIONS)
    assert set(learned.states().values()) == {"there"}


def test_a_rule_that_finds_other_links_is_shown_beside_those_of_the_file() -> None:
    learned = learn(f"archive: {{link: 'main article:first-child a', next: a.next}}\n{COLUMNS}", archive=SECTIONS)
    best = learned.best("archive.link")
    assert learned.states()["archive.link"] == "differs"
    assert best["reason"].endswith("beside the rules of the file 54 more and 0 fewer")
    assert best["differs"] and all(url.startswith("+ https://") for url in best["differs"])


@pytest.mark.nightly
def test_pages_of_100_000_links_end_in_time() -> None:
    teasers = (f'<p class="t"><a href="/cikk/{{0}}-{index}-egy-cim">{TITLES[0]} {index}</a></p>' for index in range(100_000))
    page = "".join(teasers)
    with at_most(90):
        assert "archive.link" in learn(archive={f"/lista/{number}": page.format(number) for number in (1, 2)}).proposals
