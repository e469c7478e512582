"""What archive pages amount to: one archive, columns, a sitemap; the same under any hash seed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from scripted_look import HOME, follow, looked_home, sitemap

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import PagingMode, Portal
from webarticlecurator.learning.portal_text import PortalFacts, first_portal_file
from webarticlecurator.learning.site.archive_candidates import Candidate, LeadsTo
from webarticlecurator.learning.site.archive_columns import name_of_column
from webarticlecurator.learning.site.archive_proposals import ArchiveProposals, propose_archives
from webarticlecurator.learning.site.look_plan import SiteSeen, look_at_archives, look_at_articles, look_at_lists
from webarticlecurator.learning.site.since_when import look_at_older_dates
from webarticlecurator.learning.site.site_rules import RulesOfPreset

WORDS = ("Újra járnak a villamosok a hídon", "Elkészült a folyó új töltése", "Vita a régi piac sorsáról", "Megnyílt a felújított múzeum")
SECTIONS = ("belfold", "kultura", "sport")
MENU = "<nav>" + "".join(f"<a href=/{one}/>{one.title()}</a>" for one in SECTIONS) + "</nav>"


def teasers(section: str, start: int, count: int = 6) -> str:
    return "".join(
        f"<div class=hir><h2><a href=/{section}/cikk/{number}-cim>{WORDS[number % 4]} {section} {number}</a></h2><p>Bevezető.</p></div>"
        for number in range(start, start + count)
    )


def sections_site() -> dict[str, str]:
    site = {"": f"{MENU}{''.join(teasers(one, 0, 1) for one in SECTIONS)}"}
    for one in SECTIONS:
        site[f"{one}/"] = f"{MENU}{teasers(one, 0)}<a class=kov href=/{one}/?page=2>Következő</a>"
        site[f"{one}/?page=2"] = f"{MENU}{teasers(one, 6)}<a class=kov href=/{one}/?page=3>Következő</a>"
    return site


def blog_site() -> dict[str, str]:
    pages = {"": teasers("naplo", 0), "page/2/": teasers("naplo", 6)}
    return {path: f"{body}<a class=older href=/page/{2 if not path else 3}/>Older posts</a>" for path, body in pages.items()}


def looked(site: dict[str, str], **lists: str) -> tuple[SiteSeen, ArchiveProposals]:
    seen = looked_home(site[""])
    follow(look_at_lists(seen, RulesOfPreset(HOME)), lists)
    follow(look_at_archives(seen), site)
    return seen, propose_archives(seen)


def written(found: ArchiveProposals) -> Portal:
    text = first_portal_file(PortalFacts(name="pelda", home=HOME), found.proposals)
    return load_portal(Path("portal.yaml"), content=text.encode())


def test_sections_are_columns() -> None:
    _, found = looked(sections_site())
    portal = written(found)
    assert [column.name for column in portal.columns] == list(SECTIONS)
    assert {column.paging.mode for column in portal.columns} == {PagingMode.NEXT_LINK}
    assert found.listed == dict.fromkeys(SECTIONS, 6)


@pytest.mark.parametrize(("sections", "sure"), [(SECTIONS, True), (SECTIONS[:2], False)])
def test_how_sections_of_two_pages_go_on_is_sure_where_several_go_on_alike(sections: tuple[str, ...], sure: bool) -> None:
    pager = "<ul class=pager><li><a class=lap href=/{0}/>1</a><li><a class=lap href=/{0}/page/2/>2</a></ul>"
    site = {"": f"{MENU}{''.join(teasers(one, 0, 1) for one in sections)}"}
    for one in sections:
        site[f"{one}/"] = MENU + teasers(one, 0) + pager.format(one).replace(f"<a class=lap href=/{one}/>1</a>", "1")
        site[f"{one}/page/2/"] = MENU + teasers(one, 6) + pager.format(one).replace(f"<a class=lap href=/{one}/page/2/>2</a>", "2")
    _, found = looked(site)
    assert [one.sure for one in found.proposals if one.name.startswith("columns.")] == [sure] * len(sections)


def test_cards_of_the_sections_that_the_menu_leads_to_are_no_articles() -> None:
    site = sections_site()
    cards = "".join(f"<div class=hir><h2><a href=/en/{one}/>News of the {one}</a></h2><p>Read on.</p></div>" for one in SECTIONS)
    menu = "<nav>" + "".join(f"<a href=/en/{one}/>{one}</a>" for one in SECTIONS) + "</nav>"
    site[""] = f"<link rel=alternate type=application/rss+xml href=/feed.xml>{site['']}".replace("<nav>", "<nav><a href=/en/>English</a>")
    site["en/"] = menu + cards
    feed = f"<?xml version='1.0'?><rss version='2.0'><channel><item><link>{HOME}sport/cikk/0-cim</link></item></channel></rss>"
    for lists, columns in (({"feed.xml": feed}, set(SECTIONS)), ({}, {*SECTIONS, "en"})):
        assert {column.name for column in written(looked(site, **lists)[1]).columns} == columns

    more = sitemap("en/", "en/belfold/2024/a-story-of-the-town", "sport/cikk/0-cim")
    (column,) = (one for one in written(looked(site, **{"feed.xml": feed, "sitemap.xml": more})[1]).columns if one.name == "sitemap")
    urls = (f"{HOME}en/", f"{HOME}en/belfold/2024/a-story-of-the-town")
    assert [any(one.search(url) for one in column.urls.exclude) for url in urls] == [True, False]


def test_cards_of_pages_that_list_articles_themselves_are_no_articles() -> None:
    cards = "".join(f"<div class=hir><h2><a href=/temak/{one}/>{one.title()}</a></h2><p>Tovább.</p></div>" for one in SECTIONS)
    menu = "".join(f"<a href=/temak/{one}/>{one.title()}</a>" for one in SECTIONS)
    site = {"": f"<nav><a href=/cikkek/>Cikkek</a><a href=/temak/>Témák</a>{menu}</nav>", "temak/": cards}
    site["cikkek/"] = f"{teasers('cikkek', 6)}<a class=kov href=/cikkek/?page=2>Következő</a>"
    site["cikkek/?page=2"] = f"{teasers('cikkek', 12)}<a class=kov href=/cikkek/?page=3>Következő</a>"
    site |= {f"temak/{one}/": teasers("cikkek", 6 + 4 * number, 4) for number, one in enumerate(SECTIONS)}
    assert [column.name for column in written(looked(site)[1]).columns] == ["archive"]


def test_a_home_page_that_goes_on_is_the_archive() -> None:
    _, found = looked(blog_site())
    (column,) = written(found).columns
    assert (column.name, column.paging.mode) == ("archive", PagingMode.NEXT_LINK)
    assert "the home page goes on to older articles" in found.proposals[0].choices[0].reason


def test_nothing_is_said_of_further_pages_of_the_archive_that_were_looked_at_by_themselves() -> None:
    def page(number: int) -> str:
        numbers = "".join(f"<a href=/blog/?page={one}>{one}</a>" for one in (2, 3, 15, 16, 17) if one != number)
        older = f"<a href=/blog/?page={number + 1}>Older posts</a>" if number < 17 else ""
        return f"{teasers('naplo', 6 * number)}<div class=pagination><strong>{number}</strong>{numbers}{older}</div>"

    seen, found = looked({"": page(1), **{f"blog/?page={number}": page(number) for number in (2, 3, 15, 16, 17)}})
    assert sum(one.candidate is not None for one in seen.archives) > 1
    assert found.remarks == ()


def test_a_page_that_lists_all_is_enough() -> None:
    site = sections_site() | {"archivum": MENU + "".join(teasers(one, 0, 12) for one in SECTIONS)}
    site[""] = f"<a href=/archivum>Archívum</a>{site['']}"
    _, found = looked(site)
    (column,) = written(found).columns
    assert column.paging.mode is PagingMode.NONE
    assert "it lists every article that any page lists which was looked at;" in f"{found.proposals[0].choices[0].reason};"

    site["sport/"] = site["sport/"].replace("/sport/cikk/0-cim", "/sport/cikk/99-cim")
    _, found = looked(site)
    assert "36 of the 37 articles that any page lists which was looked at, not " in found.proposals[0].choices[0].reason
    assert "/sport/cikk/99-cim" in found.proposals[0].choices[0].reason


def test_an_archive_that_goes_on_is_taken_before_the_home_page_and_a_page_that_lists_what_is_new_in_each_category() -> None:
    site = {
        "": teasers("naplo", 0),
        "page/2/": teasers("naplo", 6),
        "archivum/": teasers("naplo", 0),
        "archivum/page/2/": teasers("naplo", 6),
    }
    site = {
        path: f"{body}<a class=older href=/{'archivum/' * ('arch' in path)}page/{2 + ('2' in path)}/>Older</a>"
        for path, body in site.items()
    }
    site["kategoriak/"] = teasers("naplo", 0, 12)
    menu = "<nav><a href=/archivum/>Archívum</a><a href=/kategoriak/>Kategóriák</a></nav>"
    (column,) = written(looked({path: menu + body for path, body in site.items()})[1]).columns
    assert column.template.text == f"{HOME}archivum/"


def test_a_page_that_passes_over_an_article_of_the_feed_does_not_list_all() -> None:
    site = sections_site() | {"archivum": MENU + "".join(teasers(one, 0, 12) for one in SECTIONS)}
    site[""] = f"<link rel=alternate type=application/rss+xml href=/feed.xml><a href=/archivum>Archívum</a>{site['']}"
    site["sport/"] = site["sport/"].replace("/sport/cikk/0-cim", "/sport/cikk/99-cim")
    feed = f"<?xml version='1.0'?><rss version='2.0'><channel><item><link>{HOME}sport/cikk/99-cim</link></item></channel></rss>"
    _, found = looked(site, **{"feed.xml": feed})
    assert {column.name for column in written(found).columns} >= set(SECTIONS)


def test_a_list_of_tags_or_sections_is_no_archive_though_a_page_lists_articles_in_the_same_markup() -> None:
    lists = {kind: [f"{kind}/{word}/" for word in ("dam", "erdo", "hid", "fal", "kert", "part")] for kind in ("tag", "category")}
    pages = {kind: "".join(f"<div class=hir><h2><a href=/{one}>{one}</a></h2></div>" for one in urls) for kind, urls in lists.items()}
    menu = "<nav><a href=/archivum>Archívum</a><a href=/tag>Címkék</a><a href=/category>Rovatok</a></nav>"
    site = {"": menu + teasers("naplo", 0), "archivum": menu + teasers("naplo", 0, 30)}
    site |= {kind: menu + page for kind, page in pages.items()}

    _, found = looked(site)

    assert len(written(found).columns) == 1
    assert "lists 30 articles on its first page; it lists every article" in found.proposals[0].choices[0].reason
    (told,) = [remark for remark in found.remarks if "its links lead to lists" in remark]
    assert "1 other page alike" in told

    _, found = looked(site, **{"sitemap.xml": sitemap(*(f"naplo/cikk/{number}-cim" for number in range(30)))})
    assert len(found.remarks) == 1, "the sitemap says that all is found"
    assert "list 30 of 30 addresses" in found.remarks[0]


def test_a_list_whose_pages_are_in_doubt_is_no_column_where_others_list_its_articles() -> None:
    menu = "<nav><a href=/hirek/>Hírek</a><a href=/szerzok/>Szerzőink</a></nav>"
    site = {"": menu, "szerzok/": menu + teasers("naplo", 3, 5)}
    site |= {f"hirek/{page}": f"{menu}{teasers('naplo', 6 * number)}" for number, page in enumerate(("", "?page=2"))}
    for page, after in (("hirek/", 2), ("hirek/?page=2", 3)):
        site[page] += f"<a class=kov href=/hirek/?page={after}>Következő</a>"

    _, found = looked(site)

    assert [column.name for column in written(found).columns] == ["archive"]
    assert any(f"no columns are made of {HOME}szerzok/ (5 articles)" in remark for remark in found.remarks)

    counted = {path.replace("szerzok/", "szerzok/1/"): body.replace("/szerzok/", "/szerzok/1/") for path, body in site.items()}
    counted["szerzok/1/"] += "<a href=/szerzok/2/>2</a>"
    _, found = looked(counted)
    assert [column.name for column in written(found).columns] == ["hirek", "szerzok"], "it goes on"

    site["szerzok/"] += teasers("vendeg", 1, 1)
    _, found = looked(site)
    assert [column.name for column in written(found).columns] == ["hirek", "szerzok"], "it lists one that nothing else does"


def test_a_section_is_kept_and_goes_on_as_the_others_do() -> None:
    site = sections_site()
    site["sport/?page=2"] = MENU + teasers("sport", 6, 2)  # its last page
    site[""] += "<nav><a href=/csalad/>Család</a><a href=/sport/cikk/0-cim>Derbi</a></nav>"
    site["csalad/"] = MENU + teasers("csalad", 0, 5)
    site["sport/cikk/0-cim"] = MENU + teasers("sport", 1, 3)
    urls = sitemap(*(f"{one}/cikk/{number}-cim" for one in (*SECTIONS, "csalad") for number in range(20)))

    _, found = looked(site, **{"sitemap.xml": urls})

    assert [column.name for column in written(found).columns] == [*SECTIONS, "csalad", "sitemap"]
    assert [one.name for one in found.proposals if not one.sure] == ["columns.csalad"]


def test_a_calendar_is_named_after_no_year_and_columns_after_what_is_below_the_home_page() -> None:
    def one(url: str, leads_to: LeadsTo, text: str) -> Candidate:
        return Candidate(f"https://pelda.example/{url}", leads_to, text, 10, in_menu=True)

    home = "https://pelda.example/hu/"
    assert name_of_column(one("hu/2026/", LeadsTo.DATES, "2026"), home, set()) == "by-date"
    assert name_of_column(one("hu/hirek/2026/", LeadsTo.DATES, "2026"), home, {"hirek"}) == "by-date"
    assert name_of_column(one("hu/hirek/", LeadsTo.LATEST, "Hírek"), home, set()) == "hirek"
    assert name_of_column(one("hu/", LeadsTo.SECTION, "Kezdőlap"), home, set()) == "kezdolap"


def test_the_threads_of_a_forum_are_no_list_of_topics() -> None:
    threads = "".join(
        f"<div class=hir><h2><a href=/forum/tema/{word}>{word}</a></h2></div>" for word in ("dam", "erdo", "hid", "fal", "kert")
    )
    menu = "<nav><a href=/hirek/>Hírek</a><a href=/forum/>Fórum</a></nav>"
    site = {"": menu, "hirek/": menu + teasers("naplo", 0, 9), "forum/": menu + threads}

    _, found = looked(site)

    assert [column.name for column in written(found).columns] == ["hirek", "forum"]


def test_what_stands_in_a_box_of_every_page_is_listed_by_the_page_that_lists_all() -> None:
    box = f"<aside>{teasers('sport', 0, 4)}</aside>"
    site = {path: f"{body}{box}" for path, body in sections_site().items()}
    site |= {"archivum": MENU + "".join(teasers(one, 0, 12) for one in SECTIONS)}
    site[""] = f"<a href=/archivum>Archívum</a>{site['']}"
    urls = sitemap(*(f"{one}/cikk/{number}-cim" for one in SECTIONS for number in range(12)))

    _, found = looked(site, **{"sitemap.xml": urls})

    assert [column.name for column in written(found).columns] == ["archive"]
    assert any("list 36 of 36 addresses of a sitemap" in remark for remark in found.remarks)


def test_of_lists_whose_pages_scripts_turn_only_those_with_more_are_columns() -> None:
    pager = "<div class=pagination><span>1</span><span>2</span><span>3</span></div>"
    site = {"": MENU, **{f"{one}/": f"{MENU}{teasers(one, 0)}{pager}" for one in SECTIONS[:2]}}
    site["sport/"] = MENU + teasers("sport", 0) + teasers("kultura", 0, 12)

    _, found = looked(site)

    assert [(column.name, column.paging.stated) for column in written(found).columns] == [("belfold", False), ("sport", False)]
    told = "its pager (3 pages) works by script alone"
    assert any(one.startswith(f"no column is made of {HOME}kultura/: {told}") for one in found.remarks)
    assert not any(one.startswith(f"no column is made of {HOME}belfold/") for one in found.remarks)


def test_a_sitemap_stands_beside_sections_and_is_only_told_of_beside_a_whole_archive() -> None:
    urls = sitemap(*(f"{one}/cikk/{number}-cim" for one in SECTIONS for number in range(20)))
    _, found = looked(sections_site(), **{"sitemap.xml": urls})
    assert [column.name for column in written(found).columns] == [*SECTIONS, "sitemap"]
    _, found = looked(blog_site(), **{"sitemap.xml": urls})
    assert [column.name for column in written(found).columns] == ["archive"]
    assert any("sitemap.xml" in remark for remark in found.remarks)


def whole_site() -> dict[str, str]:
    """A page that lists all, and menus with a page of the house."""
    menu = "<nav><a href=/archivum.html>Archívum</a><a href=/rolunk/>Rólunk</a></nav>"
    site = {"": f"{menu}{teasers('naplo', 0)}", "archivum.html": f"{menu}{teasers('naplo', 0, 30)}"}
    return site | {f"naplo/cikk/{number}-cim": f"{menu}<h1>{WORDS[number % 4]}</h1>" for number in range(30)}


ARTICLES = tuple(f"naplo/cikk/{number}-cim" for number in range(30))
DATES = ("2024/", "2024/05/", "2024/05/12/", "page/7/")
LISTS = (*DATES, "tag/kenyer/", "category/kert/", "auteurs/ines", "tagi/chleb/", "archivum.html", "rolunk/")


def looked_with_articles(site: dict[str, str], *urls: str) -> ArchiveProposals:
    seen, _ = looked(site, **{"sitemap.xml": sitemap(*urls)})
    follow(look_at_articles(seen), site)
    return propose_archives(seen)


def test_a_sitemap_of_nothing_but_lists_and_listed_articles_is_no_column() -> None:
    found = looked_with_articles(whole_site(), *ARTICLES, *LISTS)
    (column,) = written(found).columns
    assert column.name == "archive"
    assert any("list 30 of 30 addresses of a sitemap" in remark for remark in found.remarks)


def test_one_more_article_of_their_folder_is_enough_to_make_a_sitemap_a_column() -> None:
    found = looked_with_articles(whole_site(), *ARTICLES, "naplo/cikk/30-cim")
    assert [column.name for column in written(found).columns] == ["archivum", "sitemap"]
    found = looked_with_articles(whole_site(), *ARTICLES, "terkep/vac")
    assert [column.name for column in written(found).columns] == ["archive"]


def test_of_a_sitemap_that_has_more_the_pages_that_list_are_left_out() -> None:
    found = looked_with_articles(whole_site(), *ARTICLES, *LISTS, *(f"mas/cikk/{number}-cim" for number in range(9)))
    archive, beside = written(found).columns
    assert (archive.name, beside.name) == ("archivum", "sitemap")
    left_out = [url for url in (*LISTS, *ARTICLES) if any(one.search(f"{HOME}{url}") for one in beside.urls.exclude)]
    assert left_out == list(LISTS)


def test_a_menu_that_goes_down_to_articles_leaves_out_none_of_their_folder() -> None:
    below = "<a href=/rolunk/>Rólunk</a><a href=/hirek/2024/ar/>Ár</a><a href=/hirek/2024/hid/>Híd</a>"
    pages = [*(f"{one}/" for one in SECTIONS), "rolunk/", "hirek/2024/ar/", "hirek/2024/hid/", "hirek/2024/gat/"]
    site = dict.fromkeys(("", *pages), f"{MENU}<nav>{below}</nav><p>Szöveg.</p>")
    urls = pages[len(SECTIONS) :]
    seen, _ = looked(site, **{"sitemap.xml": sitemap(*urls)})
    follow(look_at_articles(seen), site)

    (archive,) = written(propose_archives(seen)).columns

    assert [url for url in urls if any(one.search(f"{HOME}{url}") for one in archive.urls.exclude)] == ["rolunk/"]


def test_no_pattern_leaves_out_articles_that_are_listed() -> None:
    site = {path: body.replace("/naplo/cikk/", "/archivum/") for path, body in whole_site().items()}
    found = looked_with_articles(site, *(f"archivum/{number}-cim" for number in range(50)))
    beside = written(found).columns[-1]
    assert beside.format.value == "sitemap"
    assert not any(one.search(f"{HOME}archivum/7-cim") for one in beside.urls.exclude)


def test_what_was_not_read_of_a_tree_of_sitemaps_may_list_more() -> None:
    site = whole_site()
    parts = {f"{name}.xml": sitemap(*ARTICLES) for name in "abc"}
    _, found = looked(site, **{"sitemap.xml": sitemap(*parts, index=True)}, **parts)
    assert [column.name for column in written(found).columns] == ["archivum", "sitemap"]


def test_pages_of_the_menus_are_left_out_of_what_was_not_read() -> None:
    site = whole_site()
    parts = {f"{name}.xml": sitemap(*ARTICLES) for name in "abc"}
    seen, _ = looked(site, **{"sitemap.xml": sitemap(*parts, index=True)}, **parts)
    follow(look_at_articles(seen), site)

    column = written(propose_archives(seen)).columns[-1]

    left_out = [url for url in ("rolunk/", "archivum.html", *ARTICLES) if any(one.search(f"{HOME}{url}") for one in column.urls.exclude)]
    assert left_out == ["rolunk/", "archivum.html"]


def test_where_no_page_lists_articles_a_sitemap_is_the_archive() -> None:
    _, found = looked({"": "<p>Üdvözöljük</p>"}, **{"sitemap.xml": sitemap("cikk/1", "cikk/2")})
    (column,) = written(found).columns
    assert column.format.value == "sitemap"
    assert not found.proposals[0].sure


@pytest.mark.parametrize("menu", ["<nav>{}</nav>", "<ul class=navbar-nav><li>{}</li></ul>"])
def test_a_menu_of_the_whole_site_that_goes_down_to_articles_hides_no_archive(menu: str) -> None:
    below = "".join(f"<a href=/{one}/cikk/{number}-cim>{WORDS[number % 4]}</a>" for one in SECTIONS for number in range(12))
    site = {path: f"{menu.format(below)}{body}" for path, body in sections_site().items()}
    site |= {f"{path}/": f"{menu.format(below)}{MENU}<p>Szöveg.</p>" for path in ("rolunk", "kapcsolat", "adatvedelem")}
    _, found = looked(site)
    portal = written(found)
    assert [column.name for column in portal.columns] == list(SECTIONS)
    assert found.listed == dict.fromkeys(SECTIONS, 6)


def test_a_menu_of_what_is_new_hides_no_archive_that_begins_with_it() -> None:
    newest = (
        "<nav>" + "".join(f"<a href=/naplo/cikk/{number}-cim>{WORDS[number % 4]} naplo {number}</a>" for number in range(12)) + "</nav>"
    )
    site = {"": "<main><a href=/naplo/>Napló</a></main>", "naplo/": teasers("naplo", 0), "naplo/2/": teasers("naplo", 6)}
    for number in ("", "2/"):
        site[f"naplo/{number}"] += f"<p><a href=/naplo/cikk/9{number.strip('/')}-regi>Egy régi cikkünk a híd első tervéről</a></p>"
    site["naplo/"] += "<a rel=next href=/naplo/2/>Következő</a>"
    site[""] += "<link rel=alternate type=application/rss+xml href=/feed.xml>"
    entries = "".join(f"<item><link>{HOME}naplo/cikk/{number}-cim</link></item>" for number in range(12))
    feed = f"<?xml version='1.0'?><rss version='2.0'><channel>{entries}</channel></rss>"
    _, found = looked({path: newest + body for path, body in site.items()}, **{"feed.xml": feed})
    (column,) = written(found).columns
    assert (column.name, found.listed) == ("archive", {"archive": 7})


def test_a_box_that_stands_everywhere_is_no_archive() -> None:
    box = f"<aside><ol class=top>{''.join(f'<li><a href=/sport/cikk/{n}-cim>{WORDS[n % 4]} sport {n}</a>' for n in range(5))}</ol></aside>"
    site = {path: body + box for path, body in sections_site().items()}
    site["sport/"] = f"{MENU}<p>A rovat szünetel.</p>{box}"
    site.pop("sport/?page=2")
    _, found = looked(site)
    assert [column.name for column in written(found).columns] == ["belfold", "kultura"]
    assert any("/sport/" in remark for remark in found.remarks)


def test_a_list_whose_first_page_is_the_box_of_news_on_each_page_is_a_column() -> None:
    box = f"<aside>{teasers('naplo', 0, 5)}</aside>"
    site = sections_site() | {"naplo/": teasers("naplo", 0, 5), "naplo/?page=2": teasers("naplo", 5)}
    site["naplo/"] += "<a class=kov href=/naplo/?page=2>Következő</a>"
    site = {path: f"<a href=/naplo/>Napló</a>{body}{box}" for path, body in site.items()}
    assert "naplo" in {column.name for column in written(looked(site)[1]).columns}


def test_several_years_of_a_calendar_are_one_column() -> None:
    site = sections_site()
    for number, year in enumerate((2024, 2018)):
        site[""] = site[""].replace("</nav>", f"<a href=/archivum/{year}/>{year}</a></nav>")
        site[f"archivum/{year}/"] = f"{MENU}{teasers('belfold', 40 + 10 * number)}"
    _, found = looked(site)
    assert [column.name for column in written(found).columns] == [*SECTIONS, "archivum"]
    assert sum(one.path[:1] == ("columns",) for one in found.proposals) == len(SECTIONS) + 1


def test_a_calendar_without_a_beginning_is_told() -> None:
    site = sections_site()
    day = "archivum/2024/05/14/"
    site[""] = site[""].replace("</nav>", f"<a href=/{day}>Naptár</a></nav>")
    site[day] = f"{MENU}{teasers('belfold', 40, 2)}"
    _, found = looked(site)
    portal = written(found)
    assert portal.columns[-1].dates is not None
    assert any("`dates.from`" in remark and "archivum" in remark for remark in found.remarks)


def calendar_site(day: str = "archivum/2024/04/29/") -> dict[str, str]:
    site = sections_site()
    site[""] = site[""].replace("</nav>", f"<a href=/{day}>Naptár</a></nav>")
    return site | {day: f"{MENU}{teasers('belfold', 40, 2)}"}


@pytest.mark.parametrize(
    ("older", "begins", "asked"),
    [
        ({}, "2023-09-18", 2),
        ({"archivum/2023/09/18/": 60}, "2014-07-07", 4),  # after a gap
        ({"archivum/2024/03/04/": 60, "archivum/2023/09/18/": 40}, "2021-11-15", 3),  # the articles of the second are known
        ({f"archivum/{day}/": n for n, day in enumerate(("2024/03/04", "2023/09/18", "2021/11/15", "2014/07/07"), 70)}, "2014-07-07", 4),
    ],
)
def test_a_calendar_is_looked_at_further_back(older: dict[str, int], begins: str, asked: int) -> None:
    site = calendar_site() | {path: f"{MENU}{teasers('belfold', number, 2)}" for path, number in older.items()}
    seen, _ = looked(site)
    assert len(follow(look_at_older_dates(seen), site)) == asked
    found = propose_archives(seen)
    dates = written(found).columns[-1].dates
    assert dates is not None
    assert str(dates.ranges[0].start) == begins
    (remark,) = (one for one in found.remarks if "dates.from" in one)
    assert begins in remark
    assert any(remark.removeprefix("archivum: ") in one.choices[0].reason for one in found.proposals)


def test_parameters_that_count_visits_make_no_second_article() -> None:
    site = calendar_site()
    site["archivum/2024/04/29/"] = f"{MENU}{teasers('belfold', 40, 2)}".replace("40-cim", "40-cim?utm_source=naptar")
    assert "utm_*" in str(written(looked(site)[1]).columns[0])


def test_where_only_known_articles_are_listed_that_is_said() -> None:
    site = calendar_site()
    for one in SECTIONS:
        site[f"{one}/"] += "<aside>" + teasers("sport", 90, 4) + "</aside>"
    site["archivum/2024/04/29/"] = MENU + teasers("sport", 90, 4)
    _, found = looked(site)
    assert any("only articles that most of the other pages link to" in remark for remark in found.remarks)


def test_sections_that_were_not_looked_at_follow_the_others() -> None:
    names = [*SECTIONS, *(f"rovat-{word}" for word in ("egy", "ket", "har", "negy", "ot", "hat", "het"))]
    menu = "<nav>" + "".join(f"<a href=/{one}/>{one.title()}</a>" for one in names) + "</nav>"
    site = {"": menu}
    for one in names:
        site[f"{one}/"] = f"{menu}{teasers(one, 0)}<a class=kov href=/{one}/?page=2>Következő</a>"
        site[f"{one}/?page=2"] = f"{menu}{teasers(one, 6)}<a class=kov href=/{one}/?page=3>Következő</a>"
    _, found = looked(site)
    assert len(written(found).columns) == len(names)
    guessed = [one for one in found.proposals if "not looked at" in one.choices[0].reason]
    assert len(guessed) == 2
    assert not any(one.sure for one in guessed)


SCRIPT = """
import sys
sys.path[:0] = {path!r}
from test_archive_proposals import looked, sections_site
from webarticlecurator.learning.portal_text import PortalFacts, first_portal_file
_, found = looked(sections_site())
print(first_portal_file(PortalFacts(name="pelda", home="https://pelda.example/"), found.proposals), found.remarks)
"""


@pytest.mark.slow
def test_the_same_lines_come_of_the_same_pages_under_any_hash_seed() -> None:
    script = SCRIPT.format(path=[str(Path(__file__).parent), str(Path(__file__).parents[3] / "support")])
    one, other = (
        subprocess.run([sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    )
    assert one == other
    assert b"belfold" in one
