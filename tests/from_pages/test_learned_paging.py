"""How the pages of an archive, and those of an article, follow one another: `archive.paging` and `articles.next` as they are proposed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from case_files import cases
from learning_from import AT, Learned, learn
from seams import archive_of, portal_of

TITLES = ("Megnyílt az új híd", "Rekordot döntött a búza", "Három napig lesz hőség", "Vita a piac sorsáról", "Elkészült a töltés")


def listing(path: str, pager: str = "", *, head: str = "", articles: str | None = None) -> str:
    """An archive page with articles of its own, unless told otherwise."""
    own = path if articles is None else articles
    number = sum(ord(letter) * place for place, letter in enumerate(own, start=7))
    items = "".join(
        f'<h2><a class=cim href="/cikk/{number}{at}-egy-hosszabb-cim">{title} a folyónál {number}</a>'
        f' <a class="kommentek" href="/cikk/{number}{at}-egy-hosszabb-cim#k">{at}</a></h2>'
        for at, title in enumerate(TITLES)
    )
    return f"<html><head><title>Lista</title>{head}</head><body><main>{items}</main>{pager}</body></html>"


def numbers(own: int, last: int, *, window: int = 100) -> str:
    shown = [number for number in range(1, last + 1) if abs(number - own) <= window]
    links = (f'<b class="current">{n}</b>' if n == own else f'<a href="/lista?oldal={n}">{n}</a>' for n in shown)
    return f'<div class="lapok">{" ".join(links)}</div>'


def paged(*pages: tuple[str, str] | str, **more: Any) -> Learned:
    """Learned from these paths, each perhaps with its pager."""
    given = [page if isinstance(page, tuple) else (page, "") for page in pages]
    return learn(archive={path: listing(path, pager) for path, pager in given}, **more)


def first(learned: Learned) -> dict[str, Any]:
    return dict(learned.best("archive.paging")["value"])


def next_of(learned: Learned, path: str, pager: str) -> str | None:
    """Where the first choice leads from a page, once it stands in a portal file."""
    rules = {name: value for name, value in first(learned).items() if value is not None}
    following = archive_of(listing(path, pager), f"{AT}{path}", **{"link": "h2 a", **rules}).next_url
    return following and following.removeprefix(AT)


@cases("pager, rule", "from_pages/cases/the-link-to-the-next-page-is-found-by-whatever-says-so")
def test_the_link_to_the_next_page_is_found_by_whatever_says_so(pager: str, rule: Any) -> None:
    pagers = {f"/lista?oldal={number}": pager.replace("{}", "{0}").format(number + 1) for number in (1, 2)}
    learned = paged(*pagers.items(), "/lista?oldal=3")
    assert (first(learned)["pages"], first(learned)["next"]) == ("next-link", rule)
    assert learned.proposals["archive.paging"]["sure"]
    following = next_of(learned, *next(iter(pagers.items())))
    assert following is not None and following.startswith("/lista?oldal=2")


def test_both_ways_are_proposed_where_both_work_with_what_the_other_gives_otherwise() -> None:
    learned = paged(*((f"/lista?oldal={own}", f'<a rel="next" href="/lista?oldal={own + 1}">x</a>') for own in (1, 2)), "/lista?oldal=3")
    link, counted = learned.proposals["archive.paging"]["choices"]
    assert (link["value"]["pages"], counted["value"]["pages"]) == ("next-link", "infinite")
    assert link["reason"] == "the link leads on from 2 of 3 archive pages; 1 have none and are the last"
    assert link["samples"][0] == f"{AT}/lista?oldal=1 -> {AT}/lista?oldal=2"
    assert counted["differs"] == [f"+ {AT}/lista?oldal=3 -> {AT}/lista?oldal=4"]


OLDER = '<div><a href="/{}/archivum?oldal=2">Korábbi cikkek</a></div>'
LEADS_TO: dict[str, tuple[list[tuple[str, str]], str]] = {
    "how many follow is said on the link": (
        [(f"/lista?tol={number}", f'<a href="/lista?tol={number + 20}">Következő 20</a>') for number in (20, 0, 40)],
        "/lista?tol=40",
    ),
    "the second page has another address": ([(f"/{name}", OLDER.format(name)) for name in ("sport", "kultura")], "/sport/archivum?oldal=2"),
    "a link named by what it is for, on one page": (
        [("/lista", '<a class="older-posts" href="/lista/page/2">Lapozás</a>')],
        "/lista/page/2",
    ),
    "a window of numbers": ([(f"/lista?oldal={own}", numbers(own, 40, window=2)) for own in (20, 3, 4)], "/lista?oldal=21"),
}


def test_where_two_pages_were_seen_the_pages_own_number_is_known_on_a_third_one_too() -> None:
    def pager(own: int, last: int) -> str:
        others = {number: f'<span class="szam"><a href="/lista?oldal={number}">{number}</a></span>' for number in range(1, last + 1)}
        others[own] = f'<span class="szam {"elso" if own == 1 else ""} itt">{own}</span>'
        return f"<div class=lapok>{' '.join(others.values())}</div>"

    learned = paged(("/lista", pager(1, 2)), ("/lista?oldal=2", pager(2, 2)))
    assert next_of(learned, "/lista?oldal=2", pager(2, 3)) == "/lista?oldal=3"


@pytest.mark.parametrize(("pages", "following"), LEADS_TO.values(), ids=LEADS_TO)
def test_what_is_proposed_leads_on_from_a_page(pages: list[tuple[str, str]], following: str) -> None:
    learned = paged(*pages)
    assert next_of(learned, *pages[0]) == following


def test_where_pages_count_downwards_what_says_to_be_next_leads_on() -> None:
    pagers = {place: f'<a rel=next href="/index-{number}.html">Older</a>' for place, number in (("/", 3), ("/index-3.html", 2))}
    learned = paged(*pagers.items(), "/index-1.html")
    assert (first(learned)["pages"], next_of(learned, "/index-3.html", pagers["/index-3.html"])) == ("next-link", "/index-2.html")


def test_links_back_are_none() -> None:
    learned = paged(("/lista?oldal=2", '<a class="prev" href="/lista?oldal=1">előző</a>'))
    assert "next-link" not in json.dumps(learned.choices("archive.paging"))


MENU = '<nav><a href="/blog/page/1/">Blog</a></nav>'
COUNTED: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "a number in the query": ([f"/lista?oldal={n}" for n in (1, 2, 3)], {"url": f"{AT}/lista?oldal={{page}}", "pages": "infinite"}),
    "a number in the path": ([f"/lista/page/{n}/" for n in (1, 2, 3)], {"url": f"{AT}/lista/page/{{page}}/", "pages": "infinite"}),
    "from 0 where there is such a page": (["/lista?page=0", "/lista?page=1"], {"pages": {"mode": "infinite", "start": 0}}),
    "a menu that leads to page 1 ends nothing": ([(f"/blog/page/{own}/", MENU) for own in (1, 2, 3)], {"pages": "infinite"}),
    "the page alone": (["/lista"], {"pages": None}),
}


@pytest.mark.parametrize(
    "pages",
    [["/rovat/1", "/rovat/2"], ["/", "/page/2/", "/page/3/"], ["/lista"], [("/a/oldal/5/", '<p><a href="/a/oldal/4/">újabb</a></p>')]],
    ids=["perhaps two sections", "the first has no number", "one page", "the last page"],
)
def test_how_pages_go_on_is_asked_where_they_do_not_show_it(pages: list[Any]) -> None:
    proposal = paged(*pages).proposals["archive.paging"]
    assert (proposal["sure"], bool(proposal["question"])) == (False, True)


def test_pages_that_share_some_articles_are_expanding() -> None:
    def items(part: str) -> str:
        return listing("", articles=part).partition("<main>")[2].partition("</main>")[0]

    pages = {f"/lista?oldal={n}": f"<main>{items(parts[0])}{items(parts[1])}</main>" for n, parts in enumerate(("ab", "bc"), start=1)}
    assert first(learn(archive=pages))["pages"] == "expanding"


DATED: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "from the earliest that a calendar links to": (
        [(f"/2024/05/{day}/", '<a href="/2019/03/02/">2</a>') for day in ("01", "02")],
        {"url": f"{AT}/{{year}}/{{month}}/{{day}}/", "dates": {"from": "2019-03-02"}, "pages": None},
    ),
    "a link to the next day is none to a next page": (
        [(f"/2024/05/{day}/", f'<a rel="next" href="/2024/05/{day + 1}/">következő nap</a>') for day in (11, 12)],
        {"pages": None, "dates": {"from": "2024-05-11"}},
    ),
    "each day has pages of its own": (
        [("/2018/04/08", '<a class="next" href="/2018/04/08?page=2">több</a>'), "/2018/04/08?page=3", "/2013/04/13"],
        {"url": f"{AT}/{{year}}/{{month}}/{{day}}", "next": "a.next"},
    ),
}


@pytest.mark.parametrize(("pages", "rules"), [*COUNTED.values(), *DATED.values()], ids=[*COUNTED, *DATED])
def test_without_a_link_on_pages_are_counted_and_dates_in_addresses_become_placeholders(pages: list[Any], rules: dict[str, Any]) -> None:
    value = first(paged(*pages))
    assert {name: value[name] for name in ("next", *rules)} == {"next": None, **rules}


WALKED = "archive: {link: h2 a.cim, next: a.older, pages: next-link}\ncolumns: {belfold: 'https://pelda.example/belfold/1'}\n"


@pytest.mark.parametrize(("walked", "proposed"), [(0, True), (1, True), (3, False)])
def test_where_the_rules_have_led_to_the_end_nothing_is_learned_of_paging(walked: int, proposed: bool) -> None:
    pages = {f"/belfold/{n}": listing(f"/belfold/{n}", f"<a class=next rel=next href=/belfold/{n + 1}>x</a>") for n in (1, 2, 3)}
    learned = learn(WALKED, archive={"belfold": pages}, walked={"belfold": walked})
    assert any(name.endswith(".paging") for name in learned.proposals) is proposed


def test_pages_of_several_listings_that_lead_nowhere_are_told_with_the_keys_to_give() -> None:
    learned = paged("/belfold", "/kulfold")
    assert "archive.paging" not in learned.proposals
    said = learned.remark("no link on")
    assert "2 pages have 2 forms of addresses" in said and "`next`" in said


PATHS = (
    "/lista?oldal={}", "/lista/page/{}/", "/mehr/{}", "/2024/05/0{}/", "/2024/0{}/", "/2024/{}/", "/201{}/", "/a.php?ev=2010&ho=0{}",
    "/a.php?y=2010&m={}", "/2024050{}/", "/q?x={{%22tol%22:%222018-04-0{}T00:00%22}}&page=2", "/2024/05/?page={}", "/{{x}}/?p={}",
)  # fmt: skip
PAGERS = (
    "", '<a class="next" href="?oldal=9">x</a>', '<p><a href="/lista?oldal=1">1</a> <b>2</b> <a href="/lista?oldal=3">3</a></p>',
    '<a href="/lista/page/1/">← előző</a>', '<a rel="next" title="it\'s \"so\" [1]" href="/lista?oldal=9"><img alt=\'"][\'></a>',
)  # fmt: skip


@pytest.mark.parametrize("path", [*PATHS[:3], *(pytest.param(path, marks=pytest.mark.nightly) for path in PATHS[3:])])
def test_every_choice_is_one_that_a_portal_file_may_say(path: str) -> None:
    for pager in PAGERS:
        for pages in ([(path.format(number), pager) for number in (2, 3, 4)], [(path.format(3), pager)]):
            for choice in paged(*pages).proposals.get("archive.paging", {}).get("choices", []):
                lines = {name: setting for name, setting in choice["value"].items() if setting is not None}
                assert portal_of(archive={"url": f"{AT}/lista", "link": "h2 a", **lines}).columns


def article(pager: str = "") -> str:
    return f"<html><head><title>Cikk</title></head><body><article><p>Szöveg.</p></article>{pager}</body></html>"


NEIGHBOUR = '<a rel="next" href="/cikk/13-masik-cim">Következő cikk</a>'
NEXT_OF_ARTICLE: dict[str, tuple[dict[str, str], Any]] = {
    "the next page and not the next article": (
        {
            "/cikk/12-egy-cim": article(f'{NEIGHBOUR}<a class="lap" href="/cikk/12-egy-cim?oldal=2">Következő oldal »</a>'),
            "/cikk/12-egy-cim?oldal=2": article(NEIGHBOUR),
            "/cikk/15-harmadik": article(NEIGHBOUR),
        },
        {"css": "a.lap", "having": {"text": "^Következő oldal"}},
    ),
    "comments and print versions are none": (
        {
            "/cikk/12": article(
                '<a class="older" href="/cikk/12/comment-page-2">Older comments</a><a class="next" href="/cikk/12?print=1">tovább</a>'
            )
        },
        None,
    ),
    "the next article by name": (
        {f"/cikk/{n}/cim": article(f'<a href="/cikk/{n + 1}/cim">Nächster Beitrag</a>') for n in (85, 86, 87)},
        None,
    ),
    "the next page of the article by name": (
        {"/cikk/85": article('<a href="/cikk/85/2">A cikk következő oldala</a>'), "/cikk/85/2": article()},
        {"css": "a", "having": {"text": "^A cikk következő oldala"}},
    ),
}


@pytest.mark.parametrize(("pages", "rule"), NEXT_OF_ARTICLE.values(), ids=NEXT_OF_ARTICLE)
def test_the_next_page_of_an_article_is_told_from_all_else(pages: dict[str, str], rule: Any) -> None:
    learned = learn(articles=pages)
    assert learned.choices("articles.next")[:1] == [rule] if rule is not None else "articles.next" not in learned.proposals


def test_a_link_to_another_article_of_the_archive_leads_to_no_page_of_this_one() -> None:
    pages = {f"/cikk/{number}": article(f'<a href="/cikk/{number + 1}">Következő</a>') for number in (85, 86, 87)}
    assert "articles.next" in learn(articles=pages).proposals
    assert "articles.next" not in learn(articles=pages, listings={f"/cikk/{number}": {} for number in range(85, 89)}).proposals


@pytest.mark.parametrize(("next_", "state"), [("a.next", "there"), ("a.wrong", "differs")])
def test_columns_that_are_only_names_get_no_address_of_one_of_them(next_: str, state: str) -> None:
    def pages(name: str) -> dict[str, str]:
        return {f"/{name}/{n}": listing(f"/{name}/{n}", f"<a class=next href=/{name}/{n + 1}>Next</a>") for n in (1, 2, 3)}

    rules = f"archive: {{url: '{AT}/{{column}}/1', link: a.cim, pages: next-link, next: {next_}}}\ncolumns: [belfold, kulfold]\n"
    learned = learn(rules, archive={name: pages(name) for name in ("belfold", "kulfold")})
    assert (learned.choices("archive.paging"), learned.states()["archive.paging"]) == ([{"pages": "next-link", "next": "a.next"}], state)
