"""What a look asks for, and in which order: told page by page, without any network."""

from __future__ import annotations

from scripted_look import GONE, HOME, follow, looked_home, page, sitemap

from webarticlecurator.learning.site.look_plan import (
    Purpose,
    SiteSeen,
    look_at_archives,
    look_at_articles,
    look_at_home,
    look_at_lists,
    look_at_more_sections,
    second_page,
)
from webarticlecurator.learning.site.site_rules import RulesOfPreset

TITLE = "Újra járnak a villamosok a hídon"
SECTIONS = ("sport", "kultura", "belfold", "kulfold", "tudomany", "zene", "szinhaz", "film", "utazas", "konyv")


def test_a_home_page_that_cannot_be_had_ends_it() -> None:
    seen = SiteSeen()
    follow(look_at_home(HOME, seen), {})
    assert (seen.home, seen.verdict) == (None, GONE)
    for plan in (look_at_archives(seen), look_at_articles(seen)):
        assert follow(plan, {}) == []


def test_sitemaps_that_robots_txt_names_are_read_and_of_an_index_its_ends() -> None:
    seen = looked_home("", robots=f"User-agent: *\nSitemap: {HOME}terkep.xml\n")
    site = {"terkep.xml": sitemap("a.xml", "b.xml", "c.xml", index=True), "a.xml": sitemap("cikk/1", "cikk/2"), "c.xml": sitemap("cikk/9")}
    asked = follow(look_at_lists(seen, RulesOfPreset(HOME)), site)
    assert asked == [(path, Purpose.SITEMAP) for path in ("terkep.xml", "a.xml", "c.xml")]
    assert [one.count for one in seen.sitemaps] == [0, 2, 1]


def test_usual_places_of_sitemaps_are_tried_until_one_is_there() -> None:
    seen = looked_home("")
    assert [path for path, _ in follow(look_at_lists(seen, RulesOfPreset(HOME)), {})] == ["sitemap.xml", "sitemap_index.xml"]
    assert seen.failed == [], "a usual place where nothing is, is none"


def test_of_each_archive_the_second_page_is_asked_for_too() -> None:
    seen = looked_home("<nav><a href=/kultura/>Kultúra</a><a href=/archivum>Archívum</a></nav><a rel=next href=/?page=2>2</a>")
    site = {
        "?page=2": "x",
        "archivum": "minden",
        "kultura/": "<a href=/kultura/?oldal=2>2</a><a href=/kultura/?oldal=3>3</a>",
        "kultura/?oldal=2": "tovább",
    }
    asked = follow(look_at_archives(seen), site)
    assert [path for path, _ in asked] == ["?page=2", "archivum", "kultura/", "kultura/?oldal=2"]
    assert [len(one.pages) for one in seen.archives] == [2, 1, 2]


def test_an_archive_that_the_sitemap_alone_names_is_looked_at() -> None:
    lists = {"sitemap.xml": sitemap("cikk/1", "archives/", "cikk/az-archivum-tortenete")}
    for home, asked in (("", ["archives/"]), ("<nav><a href=/archivum>Archívum</a></nav>", ["archivum"])):
        seen = looked_home(home)
        follow(look_at_lists(seen, RulesOfPreset(HOME)), lists)
        assert [path for path, _ in follow(look_at_archives(seen), {})] == asked, "where no menu leads to one"


def test_what_cannot_be_had_is_noted_with_its_reason() -> None:
    seen = looked_home("<nav><a href=/kultura/>Kultúra</a></nav>")
    follow(look_at_archives(seen), {})
    assert [(ask.url.removeprefix(HOME), why) for ask, why in seen.failed] == [("kultura/", "HTTP 404")]


def test_a_menu_of_any_length_is_looked_at_in_two_rounds() -> None:
    menu = "".join(f"<a href=/{one}/>{one}</a>" for one in SECTIONS)
    seen = looked_home(f"<nav>{menu}</nav>")
    site = {f"{one}/": "x" for one in SECTIONS}
    first, rest = follow(look_at_archives(seen), site), follow(look_at_more_sections(seen), site)
    assert (len(first), len(rest)) == (8, 2)


def test_one_or_two_articles_are_looked_at() -> None:
    links = "".join(f"<a href=/cikk/{number}>{TITLE} {number}</a>" for number in range(9))
    seen = looked_home(links)
    follow(look_at_archives(seen), {})
    asked = follow(look_at_articles(seen), {f"cikk/{number}": "szöveg" for number in range(9)})
    assert asked == [("cikk/0", Purpose.ARTICLE)]
    assert len(seen.articles) == 1


def test_of_a_sitemap_neither_the_home_page_nor_what_every_site_has_is_taken_for_an_article() -> None:
    seen = looked_home("<p>Helló")
    files = {"sitemap.xml": sitemap("", "kapcsolat/", "tag/hid/", "cikk/7")}
    follow(look_at_lists(seen, RulesOfPreset(HOME)), files)
    follow(look_at_archives(seen), {})
    assert follow(look_at_articles(seen), {"cikk/7": "szöveg"}) == [("cikk/7", Purpose.ARTICLE)]


def test_the_second_page_is_the_next_number_or_where_it_says_next() -> None:
    assert second_page(page("lista", "<a href=/lista?page=3>3</a><a href=/lista?page=2>2</a>")) == f"{HOME}lista?page=2"
    assert second_page(page("lista", "<a rel=next href=/lista/b>Tovább</a>")) is None, "nothing says that this goes on here"
    assert second_page(page("lista", "<a href=/lista/page/2/>Next</a>")) == f"{HOME}lista/page/2/"
    assert second_page(page("mehr/1", "<p>button</p>")) == f"{HOME}mehr/2"
    assert second_page(page("mehr/12", "<p>button</p>")) is None
