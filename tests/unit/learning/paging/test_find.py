"""How the pages of an archive, and those of an article, follow one another, by the pages alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from trial_portal import page_of

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.extraction.links import read_archive_page
from webarticlecurator.learning.paging import PagingFindings, find_article_paging, find_paging
from webarticlecurator.learning.paging.rules import counted_rules
from webarticlecurator.learning.paging.series import series_of
from webarticlecurator.model.page import Page

AT = "https://pelda.example"
ARTICLES = "".join(
    f'<h2><a href="/cikk/{number}-egy-cim">Egy cím</a> <a class="kommentek" href="/cikk/{number}#k">{number}</a></h2>'
    for number in range(1, 8)
)


def listing(path: str, pager: str = "", *, head: str = "") -> Page:
    return page_of(f"<html><head><title>Lista</title>{head}</head><body><main>{ARTICLES}</main>{pager}</body></html>", f"{AT}{path}")


def numbers(own: int, last: int, *, window: int = 100, mark: str = ' class="current"', path: str = "/lista?oldal=") -> str:
    shown = [number for number in range(1, last + 1) if abs(number - own) <= window]
    return '<div class="lapok">' + " ".join(
        f"<b{mark}>{number}</b>" if number == own else f'<a href="{path}{number}">{number}</a>' for number in shown
    ) + "</div>"  # fmt: skip


def settings(pages: list[Page]) -> dict[str, Any]:
    return dict(find_paging(pages).rules[0].settings)


def next_in_portal_file(findings: PagingFindings, page: Page, folder: Path) -> str | None:
    """What the archive's reader finds on a page by the proposed lines, written into a file and loaded."""
    lines = {name: value for name, value in findings.rules[0].settings.items() if value is not None}
    content = json.dumps({"portal": "pelda", "home": AT, "archive": {"url": AT, "link": "h2 a", **lines}}).encode()
    portal = load_portal(folder / "portal.yaml", content=content)
    return read_archive_page(page, portal.columns[0], portal).next_url


# --- links ---

NEXT_LINKS = {
    "said by rel": ('<p><a rel="next" href="/lista?oldal={}">Lapozás</a></p>', "a[rel=next]"),
    "said by a class": ('<a class="kovetkezo" href="/lista?oldal={}">Lapozás</a>', "a.kovetkezo"),
    "said by a class around it": ('<li class="pager-next"><a href="/lista?oldal={}">Lapozás</a></li>', "li.pager-next a"),
    "said by words": (
        '<p class="lapozo"><a href="/">vissza</a> <a href="/lista?oldal={}">következő oldal &gt;&gt;</a></p>',
        {"css": "p.lapozo a", "having": {"text": "^következő oldal"}},
    ),
    "said by words that nobody sees": (
        '<a href="/lista?oldal={}" aria-label="Next page"><i></i></a>',
        {"css": "a", "having": {"aria-label": "^Next page"}},
    ),
    "said by a picture": ('<a href="/lista?oldal={}"><img src="x.gif" alt="weiter"></a>', 'a:has(img[alt="weiter"])'),
    "an arrow": (
        '<div class="pager"><a href="/">«</a><a href="/lista?oldal={}">»</a></div>',
        {"css": "div.pager a", "having": {"text": "^»$"}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("sign", NEXT_LINKS)
def test_the_link_to_the_next_page_is_found_by_whatever_says_so(sign: str, tmp_path: Path) -> None:
    pager, expected = NEXT_LINKS[sign]
    pages = [listing(f"/lista?oldal={number}", pager.format(number + 1)) for number in (1, 2)]
    findings = find_paging([*pages, listing("/lista?oldal=3")])
    assert findings.rules[0].settings == {"url": f"{AT}/lista?oldal=1", "pages": "next-link", "next": expected}
    assert findings.sure
    assert next_in_portal_file(findings, pages[0], tmp_path) == findings.next_of(pages[0]) == f"{AT}/lista?oldal=2"


def test_how_many_follow_may_be_said_on_the_link(tmp_path: Path) -> None:
    pages = [listing(f"/lista?tol={number}", f'<a href="/lista?tol={number + 20}">Következő 20</a>') for number in (0, 20, 40)]
    assert next_in_portal_file(find_paging(pages), pages[1], tmp_path) == "https://pelda.example/lista?tol=40"


def test_the_second_page_may_have_an_address_unlike_that_of_the_first(tmp_path: Path) -> None:
    pages = [listing(f"/{name}", f'<div><a href="/{name}/archivum?oldal=2">Korábbi cikkek</a></div>') for name in ("sport", "kultura")]
    assert next_in_portal_file(find_paging(pages), pages[0], tmp_path) == "https://pelda.example/sport/archivum?oldal=2"


def test_one_page_is_enough_where_the_link_is_named_by_what_it_is_for() -> None:
    findings = find_paging([listing("/lista", '<a class="older-posts" href="/lista/page/2">Lapozás</a>')])
    assert findings.rules[0].settings["next"] == "a.older-posts"
    assert findings.sure


def test_a_link_in_the_head_counts_only_where_no_page_shows_its_readers_one() -> None:
    head = '<link rel="next" href="/lista?oldal={}">'
    shown = '<a rel="next" href="/lista?oldal=2">tovább</a>'
    first, last = listing("/lista?oldal=1", shown, head=head.format(2)), listing("/lista?oldal=2", head=head.format(3))
    findings = find_paging([first, last])
    assert findings.rules[0].settings["next"] == "a[rel=next]"
    assert findings.next_of(last) is None
    alone = [listing(f"/lista?oldal={number}", head=head.format(number + 1)) for number in (1, 2)]
    assert settings(alone)["next"] == {"head_link": "next"}


def test_layouts_with_links_of_their_own_get_one_pick_each() -> None:
    old = listing("/lista?oldal=1", '<p class="regi"><a class="older" href="/lista?oldal=2">2. lap</a></p>')
    new = listing("/lista?oldal=7", '<nav class="uj"><a rel="next" href="/lista?oldal=8">8. lap</a></nav>')
    assert settings([old, new])["next"] == ["a[rel=next]", "a.older"]


def test_links_back_are_none() -> None:
    pager = '<a class="prev" href="/lista?oldal=1">előző</a>'
    assert all(rule.mode is not PagingMode.NEXT_LINK for rule in find_paging([listing("/lista?oldal=2", pager)]).rules)


def test_a_last_page_that_shows_readers_only_the_way_back_is_not_led_on_by_its_head() -> None:
    last = listing("/lista?oldal=8", '<a href="/lista?oldal=7">← previous page</a>', head='<link rel="next" href="/lista?oldal=9">')
    assert find_paging([last]).next_of(last) is None


def test_what_a_session_adds_to_addresses_does_not_hide_that_they_follow_one_another() -> None:
    pages = [
        listing(f"/lista?oldal={own}", f'<li class="next"><a href="/lista?oldal={own + 1}&cHash=0a{own}b">x</a></li>') for own in (1, 2)
    ]
    assert settings(pages)["next"] == "li.next a"


# --- numbers ---


def test_a_window_of_numbers_is_followed_from_number_to_number(tmp_path: Path) -> None:
    pages = [listing(f"/lista?oldal={own}", numbers(own, 40, window=2)) for own in (3, 4, 20)]
    findings = find_paging(pages)
    assert findings.rules[0].settings["next"] == {"css": "div.lapok a", "page_number": {"step": 1}}
    assert next_in_portal_file(findings, pages[2], tmp_path) == f"{AT}/lista?oldal=21"


def test_a_pager_that_names_the_last_page_on_every_page_is_counted_up_to_it() -> None:
    findings = find_paging([listing(f"/lista?oldal={own}", numbers(own, 9)) for own in (1, 2, 9)])
    assert findings.rules[0].settings == {
        "url": AT + "/lista?oldal={page}", "pages": {"mode": "numbered", "last": "div.lapok > *"}, "next": None,
    }  # fmt: skip
    assert findings.rules[1].mode is PagingMode.NEXT_LINK


@pytest.mark.parametrize(("first", "elsewhere"), [("/", True), ("/page/1/", False)])
def test_counting_is_not_sure_where_the_first_page_has_an_address_without_a_number(first: str, elsewhere: bool) -> None:
    pages = [listing(path) for path in (first, "/page/2/", "/page/3/")]
    following = {page.requested_url: f"{AT}/page/{number}/" for number, page in enumerate(pages, start=2)}
    (series,) = series_of(pages, following)
    (rule,) = counted_rules([series], [], None, None)
    assert (series.begins_elsewhere, rule.settings["url"], rule.sure) == (elsewhere, AT + "/page/{page}/", not elsewhere)


def test_the_own_number_may_have_a_mark_that_is_no_usual_one(tmp_path: Path) -> None:
    def pager(own: int) -> str:
        links = "".join(f'<a class="lap {"itt" if number == own else ""}" href="/k/{number}0/">{number}</a>' for number in range(1, 7))
        return f'<div class="sor">{links}<a class="lap" href="/k/70/">További oldalak</a></div>'

    pages = [listing("/k/", pager(1)), listing("/k/60/", pager(6))]
    findings = find_paging(pages)
    following = {"css": "a.lap", "having": {"text": "^További oldalak"}}
    assert findings.rules[0].settings["next"] == [{"css": "a.lap", "page_number": {"step": 1, "current": "a.itt"}}, following]
    assert next_in_portal_file(findings, pages[0], tmp_path) == f"{AT}/k/20/"
    assert next_in_portal_file(findings, pages[1], tmp_path) == f"{AT}/k/70/"


@pytest.mark.parametrize("path", ["/lista?oldal={}", "/lista/page/{}/", "/de/mehr/{}"])
def test_without_a_link_the_number_in_the_address_is_counted(path: str) -> None:
    rule = find_paging([listing(path.format(number)) for number in (1, 2, 3)]).rules[0]
    assert rule.settings == {"url": AT + path.format("{page}"), "pages": "infinite", "next": None}


def test_two_pages_whose_addresses_differ_in_a_number_that_nothing_names_may_be_two_sections() -> None:
    findings = find_paging([listing("/rovat/1"), listing("/rovat/2")])
    assert [rule.mode for rule in findings.rules] == [PagingMode.NONE, PagingMode.INFINITE]
    assert not findings.sure


def test_a_page_that_only_links_back_is_the_last_and_its_links_tell_the_highest_number() -> None:
    page = listing("/a/oldal/5/", '<p><a href="/a/oldal/4/">újabb</a></p>')
    findings = find_paging([page])
    last = {"css": "a", "attr": "href", "match": r"/oldal/(\d+)"}
    assert findings.rules[0].settings["pages"] == {"mode": "numbered", "last": last}
    assert not findings.sure
    assert findings.next_of(page) is None


def test_a_menu_that_links_to_the_first_page_does_not_make_it_the_last() -> None:
    menu = '<nav><a href="/blog/page/1/">Blog</a></nav>'
    assert settings([listing(f"/blog/page/{own}/", menu) for own in (1, 2, 3)])["pages"] == "infinite"
    assert settings([listing("/blog/page/3/", menu)])["pages"] == "infinite"
    assert settings([listing("/blog/page/2/", menu)])["pages"] == "infinite"


def test_a_pager_that_does_not_show_its_own_number_as_an_element_is_counted_as_far_as_it_shows_more() -> None:
    def pager(own: int) -> str:
        shown = (f'<a href="/lista?oldal={n}">{n}</a>' if n != own else str(n) for n in range(max(1, own - 2), min(own + 2, 12) + 1))
        return f'<div class="lapok">{" | ".join(shown)}</div>'

    pages = [listing(f"/lista?oldal={own}", pager(own)) for own in (1, 6, 12)]
    findings = find_paging(pages)
    assert findings.rules[0].settings["pages"] == {"mode": "numbered", "last": "div.lapok > *"}
    assert [findings.next_of(page) for page in pages] == [f"{AT}/lista?oldal=2", f"{AT}/lista?oldal=7", None]


def test_counting_begins_with_0_where_such_a_page_is_known() -> None:
    rule = find_paging([listing("/lista?page=0"), listing("/lista?page=1")]).rules[0]
    assert rule.settings["pages"] == {"mode": "infinite", "start": 0}


def test_pieces_of_pages_that_a_button_fetches_are_expanding() -> None:
    pages = [page_of("<div><h2><a href=/cikk/1>Cím</a></h2></div>", f"{AT}/mehr/{number}") for number in (1, 2, 3)]
    for page in pages:
        assert page.tree is not None
        etree.strip_elements(page.tree, "head")
    assert find_paging(pages).rules[0].mode is PagingMode.EXPANDING


def test_pages_that_share_some_articles_are_expanding() -> None:
    pages = [listing(f"/lista?oldal={number}") for number in (1, 2)]
    shared = {pages[0].url: frozenset("ab"), pages[1].url: frozenset("bc")}
    assert find_paging(pages, lambda page: shared[page.url]).rules[0].mode is PagingMode.EXPANDING


def test_both_ways_are_proposed_where_both_work_with_what_the_other_gives_otherwise() -> None:
    pages = [listing(f"/lista?oldal={own}", f'<a rel="next" href="/lista?oldal={own + 1}">x</a>') for own in (1, 2)]
    last = listing("/lista?oldal=3")
    (proposal,) = find_paging([*pages, last]).proposals(("columns", "belfold"))
    assert (proposal.name, proposal.path, proposal.sure) == ("columns.belfold.paging", ("columns", "belfold"), True)
    assert [choice.value["pages"] for choice in proposal.choices] == ["next-link", "infinite"]  # type: ignore[index,call-overload]
    assert proposal.choices[0].reason == "the link leads on from 2 of 3 archive pages; 1 have none and are the last"
    assert proposal.choices[0].samples[0] == f"{AT}/lista?oldal=1 -> {AT}/lista?oldal=2"
    assert proposal.choices[1].differs == (f"+ {AT}/lista?oldal=3 -> {AT}/lista?oldal=4",)


def test_a_page_alone_that_leads_nowhere_is_the_only_one_and_that_is_not_sure() -> None:
    findings = find_paging([listing("/lista")])
    assert (findings.rules[0].settings["pages"], findings.sure) == (None, False)
    assert findings.proposals()[0].question is not None


# --- dates ---


def test_dates_in_addresses_become_placeholders_from_the_earliest_that_is_known() -> None:
    calendar = '<a href="/2019/03/02/">2</a>'
    pages = [listing(f"/2024/05/{day}/", calendar) for day in ("01", "02")]
    assert settings(pages) == {"url": AT + "/{year}/{month}/{day}/", "dates": {"from": "2019-03-02"}, "pages": None, "next": None}


def test_a_link_to_the_next_date_is_not_one_to_the_next_page() -> None:
    pages = [listing(f"/2024/05/{day}/", f'<a rel="next" href="/2024/05/{day + 1}/">következő nap</a>') for day in (11, 12)]
    assert settings(pages)["pages"] is None
    assert settings(pages)["dates"] == {"from": "2024-05-11"}


def test_each_date_has_pages_of_its_own() -> None:
    pages = [
        listing("/2018/04/08", '<a class="next" href="/2018/04/08?page=2">több</a>'),
        listing("/2018/04/08?page=3"),
        listing("/2013/04/13"),
    ]
    first, second = find_paging(pages).rules[:1], find_paging(pages[:2]).rules[1]
    assert first[0].settings["url"] == AT + "/{year}/{month}/{day}"
    assert second.settings["url"] == AT + "/{year}/{month}/{day}?page={page}"


# --- JSON ---


def test_the_address_of_the_next_page_is_found_in_json() -> None:
    def answer(number: int, following: str | None) -> Page:
        return page_of(json.dumps({"a": [], "lap": {"következő": following}}), f"{AT}/api?kurzor={number}", format="json")

    findings = find_paging([answer(9, "/api?kurzor=4"), answer(4, None)])
    assert findings.rules[0].settings["next"] == {"json": 'lap."következő"'}


def test_of_pages_that_only_what_is_sent_for_them_tells_apart_that_is_told() -> None:
    pages = [page_of(json.dumps({"hir": number}), f"{AT}/api", format="json") for number in (1, 2)]
    findings = find_paging(pages)
    assert findings.proposals() == ()
    assert "2 different pages have the address https://pelda.example/api" in findings.remarks[0]


# --- articles ---


def article(path: str, pager: str = "") -> Page:
    return page_of(f"<html><head><title>Cikk</title></head><body><article><p>Szöveg.</p></article>{pager}</body></html>", f"{AT}{path}")


def test_the_next_page_of_an_article_is_told_from_the_next_article() -> None:
    neighbours = '<a rel="next" href="/cikk/13-masik-cim">Következő cikk</a>'
    pages = [
        article("/cikk/12-egy-cim", f'{neighbours}<a class="lap" href="/cikk/12-egy-cim?oldal=2">Következő oldal »</a>'),
        article("/cikk/12-egy-cim?oldal=2", neighbours),
        article("/cikk/15-harmadik", neighbours),
    ]
    findings = find_article_paging(pages)
    (proposal,) = findings.proposals()
    assert (proposal.name, proposal.path) == ("articles.next", ("articles", "next"))
    assert [findings.next_of(page) for page in pages] == [f"{AT}/cikk/12-egy-cim?oldal=2", None, None]


def test_a_live_blog_that_begins_on_its_last_page_is_counted_down() -> None:
    def pager(own: int) -> str:
        return numbers(own, 3, path="/elo?oldal=")

    findings = find_article_paging([article("/elo", pager(3)), article("/elo?oldal=2", pager(2))])
    assert findings.choices[0].value == {"css": "div.lapok a", "page_number": {"step": -1}}


def test_further_comments_and_print_versions_are_no_pages_of_an_article() -> None:
    pager = '<a class="older" href="/cikk/12/comment-page-2">Older comments</a><a class="next" href="/cikk/12?print=1">tovább</a>'
    assert find_article_paging([article("/cikk/12", pager)]).proposals() == ()


@pytest.mark.parametrize("label", ["Következő cikk", "Next article: the bridge", "Nächster Beitrag"])
def test_a_link_that_names_the_next_article_leads_to_no_page_of_this_one(label: str) -> None:
    pages = [article(f"/cikk/{number}/cim", f'<a href="/cikk/{number + 1}/cim">{label}</a>') for number in (85, 86, 87)]
    assert find_article_paging(pages).proposals() == ()


def test_a_link_to_another_article_of_the_archive_leads_to_no_page_of_this_one() -> None:
    pages = [article(f"/cikk/{number}", f'<a href="/cikk/{number + 1}">Következő</a>') for number in (85, 86, 87)]
    assert find_article_paging(pages).proposals()
    assert find_article_paging(pages, [f"{AT}/cikk/{number}" for number in range(85, 89)]).proposals() == ()


def test_a_link_that_names_the_next_page_of_the_article_leads_there() -> None:
    pages = [article("/cikk/85", '<a href="/cikk/85/2">A cikk következő oldala</a>'), article("/cikk/85/2", "")]
    assert find_article_paging(pages).proposals()


# --- bounds ---


def test_a_page_with_a_hundred_thousand_links_takes_seconds_at_most() -> None:
    many = "".join(f'<a class="next" href="/lista?oldal={number}">{number}</a>' for number in range(100_000))
    findings = find_paging([listing("/lista?oldal=1", f"<div class='lapok'>{many}</div>")])
    assert findings.rules


def test_of_many_pages_some_are_read_and_that_is_told() -> None:
    findings = find_paging([listing(f"/lista?oldal={number}") for number in range(1, 90)])
    assert findings.remarks == ("29 of 89 archive pages were not read for this",)


def test_pages_of_several_listings_that_lead_nowhere_give_no_lines_but_a_remark_that_names_the_keys() -> None:
    findings = find_paging([listing("/belfold"), listing("/kulfold")])
    assert findings.rules == ()
    told = "2 pages have 2 forms of addresses and no link on, so that no way from one to the next is seen"
    assert findings.remarks == (f"{told}; if there is one, give `next` or `pages` in the portal file",)


# --- in a portal file ---

PATHS = (
    "/lista?oldal={}", "/lista/page/{}/", "/mehr/{}", "/2024/05/0{}/", "/2024/0{}/", "/2024/{}/", "/201{}/", "/a.php?ev=2010&ho=0{}",
    "/a.php?y=2010&m={}", "/2024050{}/", "/q?x={{%22tol%22:%222018-04-0{}T00:00%22}}&page=2", "/2024/05/?page={}", "/{{x}}/?p={}",
)  # fmt: skip
PAGERS = (
    "", '<a class="next" href="?oldal=9">x</a>', '<p><a href="/lista?oldal=1">1</a> <b>2</b> <a href="/lista?oldal=3">3</a></p>',
    '<a href="/lista/page/1/">← előző</a>', '<a rel="next" title="it\'s \"so\" [1]" href="/lista?oldal=9"><img alt=\'"][\'></a>',
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("pager", PAGERS)
def test_every_choice_is_one_that_a_portal_file_may_say(path: str, pager: str, tmp_path: Path) -> None:
    for pages in ([listing(path.format(number), pager) for number in (2, 3, 4)], [listing(path.format(3), pager)]):
        for rule in find_paging(pages).rules:
            lines = {name: value for name, value in rule.settings.items() if value is not None}
            archive = {"url": f"{AT}/lista", "link": "h2 a", **lines}
            content = json.dumps({"portal": "pelda", "home": AT, "archive": archive}).encode()
            portal = load_portal(tmp_path / "portal.yaml", content=content)
            assert portal.columns[0].paging.mode is rule.mode
