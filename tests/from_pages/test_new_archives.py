"""Where `curator new` sees that a site lists its articles: one archive, columns, a calendar, a sitemap."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from new_site import HOME, WORDS, Looking, feed, sitemap
from scripted_portal import Reply, moved

SECTIONS = ("belfold", "kultura", "sport")
FEED_LINK = "<link rel=alternate type=application/rss+xml href=/feed.xml>"


def menu(*paths: str) -> str:
    links = (f"<a href=/{path}>{path.rstrip('/').rpartition('/')[2].partition('.')[0].title()}</a>" for path in paths)
    return f"<nav>{''.join(links)}</nav>"


MAPPED = (*SECTIONS, "sitemap")
MENU = menu(*(f"{name}/" for name in SECTIONS))


def teasers(section: str, start: int, count: int = 6) -> str:
    return "".join(
        f"<div class=hir><h2><a href=/{section}/cikk/{number}-cim>{WORDS[number % 4]} {section} {number}</a></h2><p>Bevezető.</p></div>"
        for number in range(start, start + count)
    )


def titles(*paths: str) -> str:
    """Entries that look like articles."""
    return "".join(f"<div class=hir><h2><a href=/{path}>{path.rstrip('/').rpartition('/')[2].title()}</a></h2></div>" for path in paths)


def onward(path: str) -> str:
    return f"<a class=kov href=/{path}>Következő</a>"


def of_sections(sections: tuple[str, ...] = SECTIONS, top: str = "") -> dict[str, str]:
    """Sections of two pages or more, in the menu of all pages."""
    top = top or menu(*(f"{name}/" for name in sections))
    site = {"": f"{top}{''.join(teasers(name, 0, 1) for name in sections)}"}
    for name in sections:
        site[f"{name}/"] = f"{top}{teasers(name, 0)}{onward(f'{name}/?page=2')}"
        site[f"{name}/?page=2"] = f"{top}{teasers(name, 6)}{onward(f'{name}/?page=3')}"
    return site


def of_a_blog() -> dict[str, str]:
    older = "<a class=older href=/page/{}/>Older posts</a>"
    return {"": teasers("naplo", 0) + older.format(2), "page/2/": teasers("naplo", 6) + older.format(3)}


def urls_of(sections: tuple[str, ...], count: int) -> str:
    return sitemap(*(f"{name}/cikk/{number}-cim" for name in sections for number in range(count)))


ALL = MENU + "".join(teasers(name, 0, 12) for name in SECTIONS)
"""A page that lists every article of the sections."""
TO_ALL = "<a href=/archivum>Archívum</a>"


def with_all(site: dict[str, str]) -> dict[str, str]:
    return site | {"": f"{TO_ALL}{site['']}", "archivum": ALL}


def test_sections_are_columns(look: Looking) -> None:
    seen = look(of_sections())
    assert seen.columns == list(SECTIONS)
    assert [column.paging.mode for column in seen.portal.columns] == ["next-link"] * 3
    assert seen.listed == dict.fromkeys(SECTIONS, 6)


def test_pages_about_the_site_are_no_columns_whatever_their_names_are_made_of(look: Looking) -> None:
    house = "<nav><a href=/ueber-uns/>Wir</a> <a href=/seite7/>Chi siamo</a> <a href=/mediadaten/>Mediadaten</a></nav>"
    site = of_sections(top=MENU + house)
    assert look({**site, "ueber-uns/": "<p>Wir.", "seite7/": "<p>Noi.", "mediadaten/": "<p>Preise."}).columns == list(SECTIONS)


def test_the_folder_of_all_articles_is_looked_at_before_the_topics_of_the_menus_whatever_it_is_called(look: Looking) -> None:
    topics = [f"tema/{name}/" for name in ("gat", "hid", "iskola", "konyv", "malom", "ut", "vasut", "viz", "zene")]
    top = menu(*topics)
    entries = [f"<div class=hir><h2><a href=/irat/{n}-cim/>{WORDS[n % 4]} {n}</a></h2></div>" for n in range(24)]
    site = {topic: top + "".join(entries[number : number + 7]) for number, topic in enumerate(topics)}
    site |= {"": f"{top}{''.join(entries[16:])}<p><a href=/irat/>Mind a 24</a></p>", "irat/": top + "".join(entries)}
    assert re.findall(r"^ +url: \S+?(/\w+/)$", look(site).text, re.MULTILINE) == ["/irat/"]


def test_the_dates_that_only_the_lists_of_sections_show_are_read_there(look: Looking) -> None:
    site = of_sections()
    site[""] = re.sub(r"<div class=hir>(<h2>)(.*?)</h2>.*?</div>", r"<header>\2</header>", site[""])  # the home page lists otherwise
    for path in [path for path in site if path]:
        days = iter(range(1, 30))
        site[path] = re.sub("Bevezető", lambda _, days=days: f"<time datetime=2024-05-{next(days):02}>Május</time>", site[path])
    seen = look(site)
    assert seen.rules["archive"]["fields"] == {"datePublished": {"css": "time", "attr": "datetime"}}
    assert not any("no date that could be read" in remark for remark in seen.remarks)


@pytest.mark.parametrize(("sections", "unsure"), [(SECTIONS, 0), (SECTIONS[:2], 2)])
def test_how_sections_of_two_pages_go_on_is_sure_where_several_go_on_alike(look: Looking, sections: tuple[str, ...], unsure: int) -> None:
    first = "<ul class=pager><li>1<li><a class=lap href=/{0}/page/2/>2</a></ul>"
    second = "<ul class=pager><li><a class=lap href=/{0}/>1</a><li>2</ul>"
    site = {"": f"{MENU}{''.join(teasers(name, 0, 1) for name in sections)}"}
    for name in sections:
        site |= {f"{name}/": MENU + teasers(name, 0) + first.format(name), f"{name}/page/2/": MENU + teasers(name, 6) + second.format(name)}
    seen = look(site)
    assert len([name for name in seen.unsure if name.startswith("columns.")]) == unsure
    assert seen.listed == dict.fromkeys(sections, 6), "whatever the address of the first page will be"


def test_a_home_page_that_goes_on_is_the_archive(look: Looking) -> None:
    seen = look(of_a_blog())
    assert (seen.columns, seen.rules["archive"]["pages"]) == (["archive"], "next-link")
    assert "the home page goes on to older articles" in seen.comments
    beside = look(of_a_blog(), **{"sitemap.xml": urls_of(SECTIONS, 20)})
    assert any("sitemap.xml" in remark for remark in beside.remarks), "what is left out is told"


def test_an_address_that_leads_to_the_list_of_a_blog_begins_where_it_leads(look: Looking) -> None:
    below = {f"blog/{path}": body.replace("=/page", "=/blog/page") for path, body in of_a_blog().items()}
    seen = look({"": moved("/blog/"), **below})
    assert seen.rules["home"] == seen.rules["archive"]["url"] == f"{seen.home}/blog/"
    assert seen.listed == {"archive": 6}


def test_an_address_of_an_article_stands_for_its_site(look: Looking) -> None:
    path = "belfold/cikk/0-ujra-jarnak-a-villamosok"
    text = f"<article><h1>{WORDS[0]}</h1><p>{'Hosszú szöveg a hídról. ' * 60}</p></article>"
    seen = look(of_sections() | {path: MENU + text}, home=path)
    assert (seen.rules["home"], seen.columns) == (f"{seen.home}/", list(SECTIONS))
    assert any(f"{HOME}{path} is an article: the home page of its site was looked at" in remark for remark in seen.remarks)
    assert any(f"if it is a list, write a column for it with `url: {HOME}{path}`" in remark for remark in seen.remarks)


def test_of_pages_that_list_all_one_is_enough(look: Looking) -> None:
    seen = look(with_all(of_sections()))
    assert seen.columns == ["archive"]
    assert "it lists every article that any page lists which was looked at" in seen.comments
    site = with_all(of_sections())
    site["sport/"] = site["sport/"].replace("/sport/cikk/0-cim", "/sport/cikk/99-cim")
    seen = look(site)
    assert "it lists every article that any page lists which was looked at, but 1 link, of lists perhaps, such as" in seen.comments
    assert "/sport/cikk/99-cim" in seen.comments
    site[""] = FEED_LINK + site[""]
    assert set(look(site, **{"feed.xml": feed("sport/cikk/99-cim")}).columns) >= set(SECTIONS), "it passes over one of the feed"


def test_a_feed_whose_links_lead_to_another_site_is_told_as_such(look: Looking) -> None:
    entries = "".join(f"<item><title>{word}</title><link>https://example.com/{n}</link></item>" for n, word in enumerate(WORDS))
    of_others = f"<?xml version='1.0'?><rss version='2.0'><channel><title>Napló</title>{entries}</channel></rss>"
    seen = look(of_a_blog() | {"": FEED_LINK + of_a_blog()[""]}, **{"feed.xml": of_others})
    assert f"{HOME}feed.xml gave nothing: its 4 links lead to example.com, another site" in seen.remarks
    seen = look(of_a_blog() | {"": FEED_LINK + of_a_blog()[""]}, **{"feed.xml": "<?xml version='1.0'?><html/>"})
    assert f"{HOME}feed.xml gave nothing: it is no feed" in seen.remarks


def archive_and_home() -> dict[str, str]:
    """An archive that goes on, a home page that does, and a page of what is new in each category."""
    older = "<a class=older href=/{}>Older</a>"
    site = {
        "": teasers("naplo", 0) + older.format("page/2/"),
        "page/2/": teasers("naplo", 6) + older.format("page/3/"),
        "archivum/": teasers("naplo", 0) + older.format("archivum/page/2/"),
        "archivum/page/2/": teasers("naplo", 6) + older.format("archivum/page/3/"),
        "kategoriak/": teasers("naplo", 0, 12),
    }
    top = "<nav><a href=/archivum/>Archívum</a><a href=/kategoriak/>Kategóriák</a></nav>"
    return {path: top + body for path, body in site.items()}


def threads() -> dict[str, str]:
    top = menu("hirek/", "forum/")
    topics = titles(*(f"forum/tema/{word}" for word in ("dam", "erdo", "hid", "fal", "kert")))
    return {"": top, "hirek/": top + teasers("naplo", 0, 9), "forum/": top + topics}


def boxed(box: str, site: dict[str, str]) -> dict[str, str]:
    return {path: f"{body}<aside>{box}</aside>" for path, body in site.items()}


def paused() -> dict[str, str]:
    """A section that has nothing but the box that stands everywhere."""
    top = "".join(f"<li><a href=/sport/cikk/{n}-cim>{WORDS[n % 4]} sport {n}</a>" for n in range(5))
    site = boxed(f"<ol class=top>{top}</ol>", of_sections() | {"sport/": f"{MENU}<p>A rovat szünetel.</p>"})
    return {path: body for path, body in site.items() if path != "sport/?page=2"}


def down_to_articles() -> dict[str, str]:
    """A menu of the whole site that goes down to articles, on pages of the house, too."""
    links = "".join(f"<a href=/{name}/cikk/{number}-cim>{WORDS[number % 4]}</a>" for name in SECTIONS for number in range(12))
    house = {f"{path}/": f"{MENU}<p>Szöveg.</p>" for path in ("rolunk", "kapcsolat", "adatvedelem")}
    return {path: f"<nav>{links}</nav>{body}" for path, body in (of_sections() | house).items()}


def public_archive() -> dict[str, str]:
    """News, and the documents that an institution called archive lists."""
    site = of_sections(("hirek", "kozleveltar"), menu("hirek/", "kozleveltar/").replace("Kozleveltar", "Közlevéltár (Archívum)"))
    return site | {"": site[""].replace(teasers("kozleveltar", 0, 1), "")}


def years() -> dict[str, str]:
    site = of_sections()
    for number, year in enumerate((2024, 2018)):
        site[""] = site[""].replace("</nav>", f"<a href=/archivum/{year}/>{year}</a></nav>")
        site[f"archivum/{year}/"] = f"{MENU}{teasers('belfold', 40 + 10 * number)}"
    return site


def whole_site() -> dict[str, str]:
    """A page that lists all, and menus with a page of the house."""
    top = "<nav><a href=/archivum.html>Archívum</a><a href=/rolunk/>Rólunk</a></nav>"
    site = {"": f"{top}{teasers('naplo', 0)}", "archivum.html": f"{top}{teasers('naplo', 0, 30)}"}
    return site | {f"naplo/cikk/{number}-cim": f"{top}<h1>{WORDS[number % 4]}</h1>" for number in range(30)}


ARTICLES = tuple(f"naplo/cikk/{number}-cim" for number in range(30))
DATES = ("2024/", "2024/05/", "2024/05/12/", "page/7/")
LISTS = (*DATES, "tag/kenyer/", "category/kert/", "auteurs/ines", "tagi/chleb/", "archivum.html", "rolunk/", "archivum?rovat=kert&page=7")
PARTS = {f"{name}.xml": sitemap(*ARTICLES) for name in "abc"}
UNREAD = {"sitemap.xml": sitemap(*PARTS, index=True), **PARTS}
SITES: dict[str, tuple[Callable[[], dict[str, str]], dict[str, str], list[str]]] = {
    "an archive before the home page and what is new": (archive_and_home, {}, ["archive"]),
    "what is called archive lists other things": (public_archive, {}, ["kozleveltar", "hirek"]),
    "threads of a forum are no topics": (threads, {}, ["hirek", "forum"]),
    "a box of every page": (
        lambda: boxed(teasers("sport", 0, 4), with_all(of_sections())),
        {"sitemap.xml": urls_of(SECTIONS, 12)},
        ["archive"],
    ),
    "a sitemap beside sections": (of_sections, {"sitemap.xml": urls_of(SECTIONS, 20)}, [*SECTIONS, "sitemap"]),
    "a sitemap beside a section of its name": (lambda: of_sections(MAPPED), {"sitemap.xml": urls_of(SECTIONS, 20)}, [*MAPPED, "sitemap-2"]),
    "a sitemap beside a whole archive": (of_a_blog, {"sitemap.xml": urls_of(SECTIONS, 20)}, ["archive"]),
    "a sitemap of lists and listed articles": (whole_site, {"sitemap.xml": sitemap(*ARTICLES, *LISTS)}, ["archive"]),
    "a sitemap with an article more": (whole_site, {"sitemap.xml": sitemap(*ARTICLES, "naplo/cikk/30-cim")}, ["archivum", "sitemap"]),
    "sitemaps that were not read may list more": (whole_site, UNREAD, ["archivum", "sitemap"]),
    "nothing but the box that stands everywhere": (paused, {}, ["belfold", "kultura", "sport"]),
    "a menu that goes down to articles": (down_to_articles, {}, list(SECTIONS)),
    "several years of a calendar": (years, {}, [*SECTIONS, "archivum"]),
}


@pytest.mark.parametrize(("pages", "lists", "columns"), SITES.values(), ids=SITES)
def test_a_site_gets_the_columns_that_its_articles_need(
    look: Looking, pages: Callable[[], dict[str, str]], lists: dict[str, str], columns: list[str]
) -> None:
    assert look(pages(), **lists).columns == columns


def test_of_many_links_of_a_menu_one_to_the_news_is_followed_early(look: Looking) -> None:
    house = [f"{service}/{page}" for service in ("adok", "utak", "iskolak", "egeszseg") for page in ("rend", "ar", "ido", "hely", "lap")]
    top = "<nav><a href=/varos/hirek>Hírek</a></nav>"
    pages = {"": "", "varos/hirek": teasers("varos/hirek", 0, 20), **dict.fromkeys(house, "<p>Szöveg.</p>")}
    seen = look({path: menu(*house) + top + body for path, body in pages.items()})
    assert seen.listed == {"archive": 20}
    assert seen.asked.index("/varos/hirek") < seen.asked.index("/adok/rend")


def test_pages_of_a_menu_are_left_out_of_a_sitemap_and_articles_below_them_are_not(look: Looking) -> None:
    site = of_sections()
    cards = "".join(f"<div class=hir><h2><a href=/en/{name}/>News of the {name}</a></h2><p>Read on.</p></div>" for name in SECTIONS)
    site[""] = site[""].replace("<nav>", "<nav><a href=/en/>English</a>")
    site["en/"] = menu(*(f"en/{name}" for name in SECTIONS)) + cards
    seen = look(site, **{"sitemap.xml": sitemap("en/", "en/belfold/2024/a-story-of-the-town", "sport/cikk/0-cim")})
    assert seen.left_out(seen.columns.index("sitemap"), ["en/", "en/belfold/2024/a-story-of-the-town"]) == ["en/"]


def test_lists_of_topics_and_sections_are_no_columns(look: Looking) -> None:
    kinds = {kind: [f"{kind}/{word}/" for word in ("dam", "erdo", "hid", "fal", "kert", "part")] for kind in ("tag", "category")}
    top = "<nav><a href=/archivum>Archívum</a><a href=/tag>Címkék</a><a href=/category>Rovatok</a></nav>"
    site = {"": top + teasers("naplo", 0), "archivum": top + teasers("naplo", 0, 30)}
    site |= {kind: top + titles(*paths) for kind, paths in kinds.items()}
    seen = look(site)
    assert seen.columns == ["archive"]
    assert "lists 30 articles on its first pages; it lists every article" in seen.comments
    complete = look(site, **{"sitemap.xml": sitemap(*ARTICLES)})
    assert any("list 30 of 30 addresses" in remark for remark in complete.remarks)


NEWS = menu(*(f"{name}/" for name in (*SECTIONS, "podcast")))


@pytest.mark.parametrize(
    ("podcast", "why"),
    [
        ({"podcast/": f"{NEWS}<h1>Podcast</h1><script src=/podcast.js></script>"}, "it shows hardly anything as it was sent"),
        ({"podcast/": Reply("", status=503)}, "it was not had: HTTP 503"),
        ({}, None),
        ({"podcast/": f"{NEWS}<p>{'Így készül a podcast, erről szól. ' * 20}"}, None),
    ],
    ids=["shows nothing", "fails", "is gone", "is a text"],
)
def test_a_section_of_the_menu_that_could_not_be_read_is_a_column_until_somebody_decides(
    look: Looking, podcast: dict[str, str | Reply], why: str | None
) -> None:
    seen = look(of_sections(top=NEWS) | podcast)
    assert seen.columns == ([*SECTIONS, "podcast"] if why else list(SECTIONS))
    assert (why or "not looked at") in seen.comments or why is None
    assert ("columns.podcast" in seen.unsure) is (why is not None)


def test_sections_of_a_long_menu_that_were_not_looked_at_are_columns(look: Looking) -> None:
    names = tuple(f"rovat{chr(ord('a') + number)}" for number in range(26))
    seen = look(of_sections(names, top=menu(*(f"{name}/" for name in names))))
    assert sorted(seen.columns) == sorted(names)
    assert "it was not looked at" in seen.comments


def test_of_a_sitemap_that_has_more_the_pages_that_list_are_left_out(look: Looking) -> None:
    others = [f"mas/cikk/{number}-cim" for number in range(9)]
    seen = look(whole_site(), **{"sitemap.xml": sitemap(*ARTICLES, *LISTS, *others)})
    assert seen.columns == ["archivum", "sitemap"]
    assert seen.left_out(1, [*LISTS, *ARTICLES, *others]) == list(LISTS)


def test_no_pattern_leaves_out_articles_that_are_listed(look: Looking) -> None:
    site = {path: body.replace("/naplo/cikk/", "/archivum/") for path, body in whole_site().items()}
    seen = look(site, **{"sitemap.xml": sitemap(*(f"archivum/{number}-cim" for number in range(50)))})
    assert seen.columns[-1] == "sitemap"
    assert seen.left_out(-1, ["archivum/7-cim"]) == []


def test_where_no_page_lists_articles_a_sitemap_is_the_archive(look: Looking) -> None:
    seen = look({"": "<p>Üdvözöljük</p>"}, **{"sitemap.xml": sitemap("cikk/1", "cikk/2")})
    assert (seen.columns, seen.rules["archive"]["format"]) == (["archive"], "sitemap")
    assert seen.unsure


def test_a_menu_of_what_is_new_hides_no_archive_that_begins_with_it(look: Looking) -> None:
    newest = f"<nav>{''.join(f'<a href=/naplo/cikk/{n}-cim>{WORDS[n % 4]} naplo {n}</a>' for n in range(12))}</nav>"
    old = "<p><a href=/naplo/cikk/9{}-regi>Egy régi cikkünk a híd első tervéről</a></p>"
    site = {
        "": f"<main><a href=/naplo/>Napló</a></main>{FEED_LINK}",
        "naplo/": f"{teasers('naplo', 0)}{old.format('')}<a rel=next href=/naplo/2/>Következő</a>",
        "naplo/2/": teasers("naplo", 6) + old.format("2"),
    }
    lists = {"feed.xml": feed(*(f"naplo/cikk/{number}-cim" for number in range(12)))}
    seen = look({path: newest + body for path, body in site.items()}, **lists)
    assert (seen.columns, seen.listed) == (["archive"], {"archive": 7})


def calendar(day: str = "archivum/2024/04/29/") -> dict[str, str]:
    site = of_sections()
    site[""] = site[""].replace("</nav>", f"<a href=/{day}>Naptár</a></nav>")
    return site | {day: f"{MENU}{teasers('belfold', 40, 2)}"}


def test_a_calendar_begins_with_the_oldest_date_that_was_seen(look: Looking) -> None:
    seen = look(calendar())
    (column,) = [column for column in seen.rules["columns"].values() if "dates" in column]
    begins = str(column["dates"]["from"])
    assert begins == "2024-04-29"
    (remark,) = [remark for remark in seen.remarks if "dates.from" in remark]
    assert begins in remark
    comments = " ".join(line.strip("# ") for line in seen.text.splitlines())
    assert f"`from` {begins} was only seen, and said by nobody" in comments, "which `status` says again"


LED_TO = (
    "<a href=/archivum>Archívum</a><a href=/archive.html>Older</a>",
    "<a href=/lista>Összes cikk</a><a href=/x>Alle Beiträge</a>",
    "<a href=/x>Все новости</a><a href=/y>All posts</a>",
    "<a href=/z>Friss hírek</a><a href=/blog/>Blog</a>",
    "<a href=/2024/05/>Május</a>",
    "<a href=/hirek-2011/>2011</a>",
    "<a href=/regi.php?ev=2011&ho=02>Régi</a>",
    "<nav><a href=/kultura/>Kultúra</a><a href=/blog/page/1/>Napló</a></nav>",
    "<div class=navbar><ul><li><a href=/lista?rovat=sport>Sport</a></ul></div>",
)
NOT_LED_TO = (
    "<nav><a href=/impresszum>Impresszum</a><a href=/login>Belépés</a><a href=/datenschutz>Datenschutz</a></nav>"
    "<nav><a href=/terkep.pdf>Térkép</a><a href=https://masik.example/zene/>Zene</a><a href=mailto:iroda@pelda.example>Levél</a></nav>"
    "<p><a href=/kultura/>Kultúra</a><a href=/cimke/koltsegvetes-2024/>Költségvetés 2024</a></p>",
)


@pytest.mark.parametrize(("links", "is_followed"), [(LED_TO, True), (NOT_LED_TO, False)], ids=["archives", "others"])
def test_what_is_written_and_where_it_stands_tell_which_links_lead_to_an_archive(
    look: Looking, links: tuple[str, ...], is_followed: bool
) -> None:
    for html in links:
        asked = look({"": html}).asked
        paths = [part.partition(">")[0] for part in html.split("href=")[1:]]
        assert [path for path in paths if (path in asked) is not is_followed] == []


def test_of_a_calendar_two_pages_are_enough_and_of_a_long_menu_some(look: Looking) -> None:
    days = "".join(f"<a href=/2024/05/{day:02}/>{day}</a>" for day in range(1, 31))
    assert len([path for path in look({"": days}).asked if path.startswith("/2024/05/")]) == 2
    names = [f"{name}/" for name in ("sport", "zene", "film", "konyv", "tudomany", "utazas", "szinhaz", "kert", "auto", "eg", "haz", "ut")]
    asked = look({"": menu(*names), **dict.fromkeys(names, "x")}).asked
    assert 8 <= len([path for path in asked if path.strip("/") + "/" in names]) <= 12
    assert len(asked) <= 30


def test_sitemaps_that_robots_txt_names_are_read_and_of_an_index_its_ends(look: Looking) -> None:
    lists = {
        "robots.txt": f"User-agent: *\nSitemap: {HOME}terkep.xml\n",
        "terkep.xml": sitemap("a.xml", "b.xml", "c.xml", index=True),
        "a.xml": sitemap("cikk/1", "cikk/2"),
        "c.xml": sitemap("cikk/9"),
    }
    asked = [path for path in look({"": "<p>Helló"}, **lists).asked if path.endswith(".xml")]
    assert asked[:3] == ["/terkep.xml", "/a.xml", "/c.xml"]
    usual = [path for path in look({"": "<p>Helló"}).asked if "sitemap" in path]
    assert usual[:2] == ["/sitemap.xml", "/sitemap_index.xml"]


@pytest.mark.parametrize(("home", "asked"), [("", "/archives/"), ("<nav><a href=/archivum>Archívum</a></nav>", "/archivum")])
def test_an_archive_that_the_sitemap_alone_names_is_looked_at_where_no_menu_leads_to_one(look: Looking, home: str, asked: str) -> None:
    seen = look({"": home}, **{"sitemap.xml": sitemap("cikk/1", "archives/", "cikk/az-archivum-tortenete")})
    assert [path for path in seen.asked if "archiv" in path] == [asked]
