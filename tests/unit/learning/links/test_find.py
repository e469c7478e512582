"""Rules for the links of archive pages, found in the pages alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from trial_portal import page_of, portal_of
from working_time import at_most

from webarticlecurator.learning.links import find_links, narrowed, proposals
from webarticlecurator.learning.links.candidates import names_of
from webarticlecurator.model.page import Page

HOME = "https://pelda.example"
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


def listing(number: int, *, top: str = "", items: str | None = None, below: str = BOX) -> Page:
    """An archive page with three articles of its own, the menu, and a box that is the same on all pages."""
    links = "".join(teaser(number, index) for index in range(3)) if items is None else items
    html = f"<html><body>{MENU}<main>{top}<div class=lista>{links}</div></main>{below}</body></html>"
    return page_of(html, f"{HOME}/lista/{number}")


def first_found(pages: list[Page], **asked: object) -> list[set[str]]:
    """What the best rule finds on each page, without the host."""
    rules = find_links(pages, **asked).rules  # type: ignore[arg-type]
    return [{url.removeprefix(HOME) for url in urls} for urls in rules[0].found]


PAGES = [listing(number) for number in (1, 2, 3)]
ARTICLES = [{article(number, index) for index in range(3)} for number in (1, 2, 3)]


def test_the_links_that_each_page_has_for_itself_are_the_articles() -> None:
    assert first_found(PAGES) == ARTICLES
    findings = find_links(PAGES)
    assert findings.links_of(listing(7)) == {HOME + article(7, index) for index in range(3)}


def test_a_leading_article_in_a_template_of_its_own_is_found_with_the_others() -> None:
    top = '<section class="kiemelt"><h1><a href="/cikk/{0}9-a-vezeto-hir-hosszu-cime">A vezető hír hosszú címe</a></h1></section>'
    pages = [listing(number, top=top.format(number)) for number in (1, 2, 3)]
    assert first_found(pages) == [own | {f"/cikk/{number}9-a-vezeto-hir-hosszu-cime"} for number, own in enumerate(ARTICLES, 1)]


def test_a_rule_by_a_name_that_a_program_made_says_so() -> None:
    def styled(number: int, index: int) -> str:
        return f'<div class="css-xjohwe"><a href="{article(number, index)}">{TITLES[index]}</a></div>'

    def other(number: int) -> str:
        return f'<div class="css-vurnku"><a href="/cimke/{number}-viz-es-levego">Minden cikk a vízről</a></div>'

    pages = [listing(number, items="".join(styled(number, index) for index in range(3)) + other(number)) for number in (1, 2, 3)]
    rule = find_links(pages).rules[0]
    assert rule.link == "div.css-xjohwe a"
    assert "a program made the name css-xjohwe, and makes another one when the site's styles change" in rule.reason
    assert "a program made" not in find_links(PAGES).rules[0].reason


def test_a_rule_of_many_lists_is_narrowed_to_what_finds_something_on_those_that_are_kept() -> None:
    top = '<section class="kiemelt"><h1><a href="/cikk/{0}9-a-vezeto-hir-hosszu-cime">A vezető hír hosszú címe</a></h1></section>'
    with_lead, plain = [listing(number, top=top.format(number)) for number in (1, 2, 3)], [listing(number) for number in (4, 5)]
    findings = find_links([*with_lead, *plain])
    assert ", " in str(findings.rules[0].link)

    for pages in (with_lead, plain):
        found = narrowed(findings, pages)
        assert found.rules[0].link == (findings.rules[0].link if pages is with_lead else "h2 a")
        assert [found.links_of(page) for page in pages] == [findings.links_of(page) for page in pages]
        assert f"links a page on {len(pages)} of {len(pages)} pages" in found.rules[0].reason
    assert narrowed(findings, [page_of("<p>Semmi</p>", HOME)]) == findings


def test_the_id_of_a_heading_says_nothing_of_a_list() -> None:
    page = page_of("<section id=hirek><h3 id=a-vezeto-hir><a href=/1>A vezető hír</a></h3></section>", HOME)
    assert page.tree is not None
    assert [names_of(one) for one in page.tree.iter("section", "h3")] == [("section#hirek", "section"), ("h3",)]


def test_a_lead_far_above_the_list_of_some_pages_is_found_with_the_others() -> None:
    lead = (
        '<div class="vezeto"><div class="kep"><h1><a href="/cikk/19-a-vezeto-hir-hosszu-cime">A vezető hír hosszú címe</a></h1></div></div>'
    )
    html = "<html><body><div>{}</div><div><div><div>{}</div></div></div></body></html>"
    items = ["".join(teaser(number, index) for index in range(3)) for number in (1, 2, 3)]
    pages = [page_of(html.format(lead * (number == 1), one), f"{HOME}/lista/{number}") for number, one in enumerate(items, 1)]
    assert first_found(pages) == [ARTICLES[0] | {"/cikk/19-a-vezeto-hir-hosszu-cime"}, *ARTICLES[1:]]


def test_entries_of_the_list_in_another_template_are_found_with_the_others() -> None:
    gallery = '<div class="teaser galeria"><a href="/galeria/kepek-az-unneprol-{0}"><h2>Képek az ünnepről {0}</h2></a></div>'
    plain = '<div class="teaser hir"><a href="{}"><h2>{} ({})</h2></a><p>Egy hosszabb bevezető szöveg a cikkről, hogy miről szól.</p></div>'
    items = {number: "".join(plain.format(article(number, at), TITLES[at % 3], number) for at in range(9)) for number in (1, 2, 3)}
    pages = [listing(number, items=own + gallery.format(number)) for number, own in items.items()]
    expected = [{f"/galeria/kepek-az-unneprol-{number}", *(article(number, at) for at in range(9))} for number in items]
    assert first_found(pages) == expected
    assert first_found(pages, examples=[HOME + article(1, 1)]) == expected


def test_a_box_of_other_articles_that_follows_the_list_is_no_part_of_it() -> None:
    said = '<div class="sor"><span>május {0}.</span> <a class="cim" href="{1}">{2} ({0})</a></div>'
    box = '<div class="friss">' + "".join(
        f'<a href="/cikk/{at}{{0}}-masik-rovat-hosszu-cimu-cikke">Másik rovat cikke, {at}</a>' for at in range(5)
    )
    items = {number: "".join(said.format(number, article(number, at), TITLES[at % 3]) for at in range(9)) for number in (1, 2, 3)}
    pages = [listing(number, items=own, below=box.format(number) + "</div>") for number, own in items.items()]
    assert first_found(pages) == [{article(number, at) for at in range(9)} for number in items]


OLDER = '<a href="/cikk/{}7-egy-regebbi-cikkunk-errol">egy régebbi cikkünk erről</a>'


@pytest.mark.parametrize(
    "said", ["<p>Ahogyan arról nemrég már mi is írtunk: {}.</p>", "<p>Olvasható nálunk itt: {}, amelyhez még ősszel is visszatérünk.</p>"]
)
@pytest.mark.parametrize("in_menu", [False, True])
def test_links_in_the_sentences_of_an_excerpt_are_no_articles_of_the_list(said: str, in_menu: bool) -> None:
    def excerpts(number: int) -> str:
        older = [said.format(OLDER.format(f"{number}{at}")) for at in range(3)]
        return "".join(teaser(number, at).replace("</h2>", f"</h2>{older[at]}") for at in range(3))

    menu = f"<nav>{''.join(OLDER.format(f'{number}{at}') for number in (1, 2, 3) for at in range(3))}</nav>" * in_menu
    assert first_found([listing(number, items=excerpts(number), below=menu) for number in (1, 2, 3)]) == ARTICLES


def test_pages_in_two_layouts_give_one_rule_for_both() -> None:
    old = [
        listing(number, items="".join(f'<p class="regi"><a href="{article(number, index)}">{TITLES[index]}</a></p>' for index in range(3)))
        for number in (4, 5)
    ]
    assert first_found([*PAGES, *old]) == [*ARTICLES, *({article(number, index) for index in range(3)} for number in (4, 5))]


def test_neither_the_pager_nor_authors_and_topics_are_articles() -> None:
    numbers = " ".join(f'<a href="/lista/{number}">{number}</a>' for number in (1, 2, 3))
    pager = f'<div class="lapozo">{numbers} <a href="/lista/4">Következő</a></div>'
    links = '<a href="/szerzo/nagy-anna-maria-{2}">Nagy Anna Mária</a> <a href="/cimke/az-uj-hid-{2}">az új híd</a>'
    items = '<p><a href="{0}">{1}</a> ' + links + "</p>"
    pages = [
        listing(number, items="".join(items.format(article(number, index), TITLES[index], number) for index in range(3)) + pager, below="")
        for number in (1, 2, 3)
    ]
    found = find_links(pages).rules
    assert ARTICLES in [[{url.removeprefix(HOME) for url in urls} for urls in rule.found] for rule in found]
    assert not any("/lista/" in url for url in found[0].urls)


def test_an_example_decides_between_two_lists_of_one_page() -> None:
    others = [f"/velemeny/{index}7-masok-szerint-ez-is-fontos-volt" for index in range(4)]
    below = (
        '<div class="masik">'
        + "".join(f'<div class="doboz"><h2><a href="{url}">{TITLES[0]} másutt</a></h2></div>' for url in others)
        + "</div>"
    )
    pages = [listing(1, below=below)]
    assert first_found(pages, examples=[HOME + article(1, 1)]) == [ARTICLES[0]]
    assert first_found(pages, examples=[HOME + others[2]]) == [set(others)]


def test_an_example_that_no_page_links_to_is_told() -> None:
    findings = find_links(PAGES, examples=[f"{HOME}/nincs"])
    assert findings.remarks == (f"no page links to the example {HOME}/nincs",)
    assert findings.rules


def test_the_same_page_twice_does_not_make_its_articles_a_menu() -> None:
    assert first_found([PAGES[0], PAGES[0], PAGES[1]])[-1] == ARTICLES[1]


def test_what_the_rules_for_urls_refuse_is_no_article() -> None:
    portal = portal_of(archive={"url": f"{HOME}/lista/{{page}}", "link": "a", "urls": {"exclude": ["hid|egy-hosszabb-cim-2"]}})
    assert not any("cim-2" in url for rule in find_links(PAGES, portal=portal).rules for url in rule.urls)


# --- what stands beside the links ---


@pytest.mark.parametrize(("day", "is_headline"), [("6 de janeiro - ", False), ("", True)])
def test_a_day_and_a_title_in_one_link_are_no_headline(day: str, is_headline: bool) -> None:
    def item(number: int, index: int) -> str:
        return f'<li class=kartya><a href="{article(number, index)}">{day}{TITLES[index]} {"abc"[number - 1]}</a></li>'

    pages = [listing(number, items="".join(item(number, index) for index in range(3))) for number in (1, 2, 3)]
    assert ("headline" in find_links(pages).rules[0].fields) == is_headline


def test_items_and_fields_are_proposed_where_most_items_have_them() -> None:
    rule = find_links(PAGES).rules[0]
    assert rule.item == "div.teaser"
    assert rule.fields == {"headline": "h2", "datePublished": {"css": "time", "attr": "datetime"}}
    assert rule.reason.endswith("beside them headline of 9 of 9, datePublished of 9 of 9")


def card(number: int, index: int, *, item: str = "li", heading: str = "h4") -> str:
    title = f"<{heading}>{TITLES[index]} ({number})</{heading}>"
    return f'<{item}><a href="{article(number, index)}">{title}<p class="date">2024-05-0{number}</p></a>'


def cards(**how: str) -> list[Page]:
    """Lists of cards, on pages whose menu is a list, too."""
    lists = ["".join(card(number, index, **how) for index in range(3)) for number in (1, 2, 3)]
    return [page_of(f"<body>{MENU}<ul>{items}</ul></body>", f"{HOME}/lista/{number}") for number, items in enumerate(lists, start=1)]


def test_a_card_that_is_all_link_has_its_heading_as_the_headline_and_not_its_date_too() -> None:
    rule = find_links(cards()).rules[0]
    assert rule.item == "li"
    assert rule.fields == {"headline": "h4", "datePublished": "p.date"}


def test_a_link_that_holds_more_than_a_headline_is_none() -> None:
    rule = find_links(cards(item="li class=kartya", heading="span")).rules[0]
    assert (rule.item, rule.fields) == ("li.kartya", {"datePublished": "p.date"})


def test_an_author_without_a_name_in_the_markup_is_known_by_where_the_link_leads_and_never_by_the_first_link() -> None:
    def entry(number: int, index: int) -> str:
        title = f'<h2><a href="{article(number, index)}">{TITLES[index]} {"még egyszer " * number}</a></h2>'
        return f'<div class="teaser">{title}<p><a href="/szerzo/kiss-anna/">Kiss Anna</a></p></div>'

    pages = [listing(number, items="".join(entry(number, index) for index in range(3))) for number in (1, 2, 3)]
    rule = find_links(pages).rules[0]
    assert rule.fields["author"] == 'a[href*="/szerzo/"]'


def test_of_a_box_for_the_author_the_name_is_taken_and_not_what_its_bearer_does() -> None:
    def entry(number: int, index: int) -> str:
        title = f'<h2><a href="{article(number, index)}">{TITLES[index]} {"még egyszer " * number}</a></h2>'
        author = "<div class=c-author-name>Kiss Anna</div><div class=c-author-job>Rovatvezető</div>"
        return f'<div class="teaser">{title}<div class=c-author>{author}</div></div>'

    pages = [listing(number, items="".join(entry(number, index) for index in range(3))) for number in (1, 2, 3)]
    assert find_links(pages).rules[0].fields["author"] == "div.c-author-name"


def test_where_articles_have_several_sections_the_field_takes_all() -> None:
    def entry(number: int, index: int) -> str:
        title = f'<h2><a href="{article(number, index)}">{TITLES[index]} {"még egyszer " * number}</a></h2>'
        sections = "".join(f"<li><a href=/rovat/{one}/>{one}</a></li>" for one in ("sport", "bel")[: 1 + index % 2])
        return f'<div class="teaser">{title}<ul>{sections}</ul></div>'

    pages = [listing(number, items="".join(entry(number, index) for index in range(3))) for number in (1, 2, 3)]
    assert find_links(pages).rules[0].fields["articleSection"] == {"css": 'a[href*="/rovat/"]', "take": "all"}


# --- JSON ---


def json_page(document: object, number: int) -> Page:
    return page_of(json.dumps(document), f"{HOME}/api/{number}", format="json")


def test_addresses_in_json_are_found_by_their_path() -> None:
    pages = [
        json_page(
            {
                "hirek": [
                    {
                        "cim": f"{TITLES[index]} ({number})",
                        "oldal": {"url": HOME + article(number, index)},
                        "kep": f"/kep/{number}{index}.jpg",
                        "mikor": "2024-05-01",
                    }
                    for index in range(3)
                ],
                "kovetkezo": f"/api/{number + 1}",
            },
            number,
        )
        for number in (1, 2)
    ]
    (proposal,) = proposals(find_links(pages))
    assert proposal.choices[0].value == {
        "format": "json",
        "item": {"json": "hirek[]"},
        "link": {"json": "oldal.url"},
        "fields": {"headline": {"json": "cim"}, "datePublished": {"json": "mikor"}},
    }


def test_what_articles_in_json_are_related_to_is_not_the_list() -> None:
    related = {at: [{"url": article(8, at)}, {"url": article(9, at)}] for at in range(3)}
    pages = [json_page({"hirek": [{"url": article(number, at), "hasonlo": related[at]} for at in range(3)]}, number) for number in (1, 2)]
    assert first_found(pages[:1]) == ARTICLES[:1]


def test_links_in_html_in_json_are_found() -> None:
    pages = [json_page({"html": "".join(teaser(number, index) for index in range(3))}, number) for number in (1, 2)]
    rule = find_links(pages).rules[0]
    assert rule.link == {"html_in": "html", "css": "h2 a"}
    assert [set(urls) for urls in rule.found] == [{HOME + url for url in own} for own in ARTICLES[:2]]


# --- what is proposed ---


def test_the_best_rule_is_proposed_with_counts_samples_and_what_the_others_find_otherwise() -> None:
    (first,) = proposals(find_links(PAGES), ("columns", "belfold"))
    assert (first.name, first.path) == ("columns.belfold.link", ("columns", "belfold"))
    assert first.choices[0].reason.startswith("3 links a page on 3 of 3 pages; 9 of 9 stand on one page alone")
    assert first.choices[0].samples[0] == HOME + article(1, 0)
    assert all(choice.differs for choice in first.choices[1:])


def test_a_rule_of_tags_alone_is_never_sure_since_side_columns_have_the_same_tags() -> None:
    def page(number: int, name: str) -> Page:
        lines = "".join(
            f'<{name}><a href="{article(number, index)}">{TITLES[index]} ({number})</a></{name.split()[0]}>' for index in range(3)
        )
        return page_of(f"<html><body><div>{lines}</div></body></html>", f"{HOME}/lista/{number}")

    bare, named = (find_links([page(number, name) for number in (1, 2, 3)]) for name in ("li", 'div class="sor"'))
    assert [len(found) for found in bare.rules[0].found] == [len(found) for found in named.rules[0].found] == [3, 3, 3]
    assert named.sure and not bare.sure


def test_an_item_of_the_file_goes_where_the_rule_has_none() -> None:
    portal = portal_of(archive={"url": f"{HOME}/lista/{{page}}", "item": "li", "link": "a"})
    pages = [page_of(f'<p class=x><a href="{article(number, 0)}">{TITLES[0]}</a></p>', f"{HOME}/lista/{number}") for number in (1, 2)]
    (proposal,) = proposals(find_links(pages, portal=portal))
    value = proposal.choices[0].value
    assert isinstance(value, dict)
    assert "item" in value
    assert value["item"] != "li"


@pytest.mark.parametrize("pages", [PAGES, [json_page([{"link": HOME + article(1, index)} for index in range(3)], 1)]])
def test_the_loader_takes_every_choice(pages: list[Page]) -> None:
    for choice in proposals(find_links(pages))[0].choices:
        assert isinstance(choice.value, dict)
        portal = portal_of(archive={"url": f"{HOME}/lista/{{page}}", **choice.value})
        assert portal.columns


def test_nothing_is_found_in_pages_without_links() -> None:
    assert find_links([page_of("<p>Semmi</p>")]).rules == ()
    assert proposals(find_links([])) == ()


# --- bounds ---


def test_a_page_of_100_000_links_is_read_from_its_beginning_and_that_is_told() -> None:
    pages = [
        page_of("".join(f'<p class="t"><a href="/cikk/{page}-{index}-egy-cim">{TITLES[0]} {index}</a></p>' for index in range(100_000)))
        for page in (1, 2)
    ]
    with at_most(30):
        findings = find_links(pages)
    assert findings.remarks == ("of pages with more than 1,500 links rules were made from the first of them",)
    assert [len(urls) for urls in findings.rules[0].found] == [1500, 1500]


def test_pages_nested_very_deep_are_left_out_and_that_is_told() -> None:
    deep = page_of("<div class=a>" * 500 + "".join(f'<a href="/cikk/{index}-egy-cim">{TITLES[0]}</a>' for index in range(50)))
    findings = find_links([deep, *PAGES])
    assert findings.remarks == ("1 archive page is nested more than 200 elements deep: no rules are made of them",)
    assert len(findings.pages) == 3


@pytest.mark.slow
def test_the_same_is_proposed_under_any_hash_seed() -> None:
    program = "from test_find import *; print(proposals(find_links(PAGES)), proposals(find_links(PAGES, examples=[HOME + article(1, 1)])))"
    support = Path(__file__).parents[3] / "support"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(support), str(Path(__file__).parent)])},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1


def test_hosts_below_the_portal_s_own_are_proposed_with_the_links_that_lead_there() -> None:
    own = '<p class="t"><a href="/{0}-egy-masik-cim">{1}</a></p>'
    other = '<p class="t"><a href="https://sport.pelda.example/{0}-egy-cim">{1}</a></p>'
    items = own + other
    pages = [listing(number, items="".join(items.format(f"{number}{index}", TITLES[index]) for index in range(3))) for number in (1, 2)]
    value = proposals(find_links(pages))[0].choices[0].value
    assert isinstance(value, dict)
    assert value["urls"] == {"hosts": ["sport.pelda.example"]}


@pytest.mark.parametrize("name", ["kortJj", "huZCWi", "comASk", "post-1234", "is-active"])
def test_classes_that_are_made_anew_with_each_page_are_in_no_selector(name: str) -> None:
    pages = [
        listing(
            number, items="".join(f'<p class="{name}"><a href="{article(number, index)}">{TITLES[index]}</a></p>' for index in range(3))
        )
        for number in (1, 2)
    ]
    assert all(name not in str(rule.picks) for rule in find_links(pages).rules)


@pytest.mark.parametrize("name", ["két szó", "x\\y", "md:flex", "né", "a,b", "[q]", "'"])
def test_names_that_css_must_escape_do_no_harm(name: str) -> None:
    pages = [
        listing(number, items="".join(f'<p id="{name}" class="{name}"><a href="{article(number, index)}">x</a></p>' for index in range(3)))
        for number in (1, 2)
    ]
    for choice in proposals(find_links(pages))[0].choices:
        assert isinstance(choice.value, dict)
        assert portal_of(archive={"url": f"{HOME}/lista/{{page}}", **choice.value}).columns
