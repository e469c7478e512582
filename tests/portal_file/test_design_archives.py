"""Archive rules and merging, as a person who only read about them writes portal files: whole pages of made-up portals."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from case_files import cases
from written_portal import HOME, WrittenPortal

# --- whole portals ---


@dataclass(frozen=True)
class Made:
    """A portal that was made up, and one of its archive pages."""

    name: str
    rules: str
    at: str
    page: str | bytes
    articles: list[dict[str, Any]]
    next: str | None
    files: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


WORDPRESS = Made(
    "a WordPress theme: nav links in the header, thumbnails before titles, Hungarian dates",
    """
    archive:
      url: "https://pelda.example/{year}/{month}/page/{page}/"
      dates: {from: 2009-03-01}
      item: article.post
      link: .entry-title a
      fields:
        headline: .entry-title
        datePublished: {css: .posted-on, date: "yyyy. MMMM d."}
        author: .author a
        articleSection: {css: "a[rel~=category]"}
        keywords: "a[rel=tag]"
      pages: {mode: infinite, start: 1}
    """,
    "/2012/05/page/2/",
    """<!DOCTYPE html><html lang="hu-HU"><head><title>2012. május</title><link rel="prev" href="https://pelda.example/2012/05/"/>
<link rel='next' href='https://pelda.example/2012/05/page/3/' /></head><body class="archive date paged">
<header><nav><ul><li><a href="/">Címlap</a></li><li class=current-menu-item><a href="/rolunk/">Rólunk</a></li></ul></nav></header>
<main><article id="post-31" class="post-31 post type-post sticky"><a class=thumb href="https://pelda.example/2012/05/30/egy/#more-31"><img
 src="a-150x150.jpg" srcset="a-150x150.jpg 150w, a-300x300.jpg 300w"></a><h2 class="entry-title">
<a href="https://pelda.example/2012/05/30/egy/" rel="bookmark">Egy &#8222;szép&#8221; nap</a></h2>
<span class="posted-on"><time>2012. Május 30.</time></span>
<span class=author>írta <a href=/author/anna>Kiss Anna</a>, <a href=/author/bela>Nagy Béla</a></span>
<a href="/category/kert/" rel="category tag">Kert</a><footer><a rel=tag href=/tag/rozsa>rózsa</a> <a rel=tag href=/tag/to>tó</a></footer>
</article>
<article class="post post-30"><h2 class="entry-title"><a href="https://pelda.example/2012/05/29/ketto/">Kettő</a></h2>
<span class="posted-on">2012. május 29.</span><span class=author>írta <a href=/author/anna>Kiss Anna</a></span></article></main>
<aside><article class="widget"><h2 class=entry-title><a href="/2010/01/01/regi/">Régi</a></h2></article></aside>
<nav class="pagination"><a class="prev page-numbers" href="/2012/05/">1</a><span class="page-numbers current">2</span></nav></body>
</html>""",
    [
        {
            "url": HOME + "/2012/05/30/egy/",
            "headline": "Egy „szép” nap",
            "datePublished": "2012-05-30",
            "author": ["Kiss Anna", "Nagy Béla"],
            "articleSection": "Kert",
            "keywords": ["rózsa", "tó"],
        },
        {"url": HOME + "/2012/05/29/ketto/", "headline": "Kettő", "datePublished": "2012-05-29", "author": ["Kiss Anna"]},
    ],
    "/2012/05/page/3/",
)
TABLES = Made(
    "tables of 1999: uppercase tags, no quotes, unclosed cells, ISO-8859-2, a script in the way",
    """
    archive:
      url: "https://pelda.example/cgi-bin/lista.pl?datum={year}{month}{day}"
      dates: {from: 1999-06-30, until: 2003-12-31}
      item: TD.cim
      fields: {headline: "> a", articleSection: {css: FONT, match: "\\\\[(.*)\\\\]"}}
      urls: {replace: [["cikk\\\\.pl\\\\?(?:sid=\\\\w+&)?id=(\\\\d+)", "cikk/\\\\1"]]}
    """,
    "/cgi-bin/lista.pl?datum=20000229",
    """<HTML><HEAD><META HTTP-EQUIV=Content-Type CONTENT="text/html; charset=iso-8859-2"><SCRIPT>document.write('<td class=cim>
<a href="/x">');</SCRIPT></HEAD>
<BODY BGCOLOR=#FFFFFF><TABLE><TR><TD CLASS=menu><A HREF=/>Főoldal</A><TR><TD CLASS=cim>
<A HREF=cikk.pl?sid=ab12&id=101>Árvíz&nbsp;és őszi szél</A> <FONT SIZE=-1>[Belföld]</FONT>
<TR><TD CLASS=cim><A NAME=ket><A HREF="cikk.pl?id=102">Kettő<BR>sorban</A> <FONT SIZE=-1>[Kül
föld]</FONT><TR><TD CLASS=cim>&nbsp;</TABLE></BODY></HTML>""".encode("iso-8859-2"),
    [
        {"url": HOME + "/cgi-bin/cikk/101", "headline": "Árvíz és őszi szél", "articleSection": "Belföld"},
        {"url": HOME + "/cgi-bin/cikk/102", "headline": "Kettő sorban", "articleSection": "Kül föld"},
    ],
    None,
)
WEEKS = Made(
    "weeks: cards that are links themselves, tracking parameters, fragments",
    """
    archive:
      url: "https://pelda.example/archivum/{iso_year}-{week}"
      dates: {from: 2019-01-07, step: week}
      item: a.kartya
      urls: {drop_fragment: true, drop_params: ["utm_*", ref], exclude: ["^https://pelda\\\\.example/(pr|jatek)/"]}
      fields: {headline: {css: h3}, azonosito: {attr: data-id}}
    """,
    "/archivum/2020-53",
    """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><body>
<a class="kartya" data-id="5" href="/a/5?utm_source=x&amp;utm_medium=y&amp;id=5&amp;ref=fooldal#eleje"><h3>Öt</h3><p>...</p></a>
<a class="kartya nagy" data-id="6" href="/pr/6"><h3>PR</h3></a><a class="kartya" data-id="7" href="/a/7?ref=1"><h3>Hét</h3></a>
<a class="kartya" data-id="7" href="/a/7#vege"><h3>Hét újra</h3></a></body></html>""",
    [{"url": HOME + "/a/5?id=5", "headline": "Öt", "azonosito": "5"}, {"url": HOME + "/a/7", "headline": "Hét", "azonosito": "7"}],
    None,
)
FORUM = Made(
    "a forum: topics in a table, sticky ones twice, session ids, the pager's arrow is its last link",
    """
    kind: forum
    archive:
      url: https://pelda.example/forum/viewforum.php?f=3
      link: {css: a.topictitle}
      next: {css: "div.pagination a", take: last, unless: "span.utolso"}
      urls: {drop_params: [sid]}
    """,
    "/forum/viewforum.php?f=3&start=25",
    """<base href="https://pelda.example/forum/"><div class="pagination"><a href="./viewforum.php?f=3">1</a><strong>2</strong>
<a href="./viewforum.php?f=3&amp;start=50&amp;sid=9f">3</a>
<a href="./viewforum.php?f=3&amp;start=75&amp;sid=9f">4</a> <a href="./viewforum.php?f=3&amp;start=50&amp;sid=9f">Következő</a></div>
<table><tr><td><a class="topictitle" href="./viewtopic.php?f=3&amp;t=9&amp;sid=9f">Kiemelt</a><tr><td>
<a class=topictitle href='./viewtopic.php?f=3&t=8&sid=9f'>Nyolc</a>
<tr><td><a class=topictitle href="./viewtopic.php?f=3&amp;t=9&amp;sid=77">Kiemelt</a></table>""",
    [{"url": HOME + "/forum/viewtopic.php?f=3&t=9"}, {"url": HOME + "/forum/viewtopic.php?f=3&t=8"}],
    "/forum/viewforum.php?f=3&start=50",
)
LOAD_MORE = Made(
    "load more: JSON with HTML in it, and the address of the next portion",
    """
    archive:
      url: https://pelda.example/api/tovabb?utolso=0
      format: json
      item: {html_in: data.html, css: "div.hir:not(.hirdetes)"}
      link: "h4 > a"
      next: {json: data.last_id, make_url: "https://pelda.example/api/tovabb?utolso={value}"}
      fields: {headline: h4, description: {css: p, without: "a.tovabb"}}
    """,
    "/api/tovabb?utolso=900",
    json.dumps(
        {
            "ok": True,
            "data": {
                "last_id": 880,
                "html": '<div class="hir"><h4><a href="/hir/900">Kilencszáz</a></h4'
                '><p>Rövid &amp; velős <a class=tovabb href="/hir/900">tovább</a></p></div>'
                '<div class="hir hirdetes"><h4><a href="/hir/1">Hirdetés</a></h4></div>'
                '<div class="hir"><h4><a href="/hir/881">Nyolc</a></h4></div>',
            },
        }
    ),
    [
        {"url": HOME + "/hir/900", "headline": "Kilencszáz", "description": "Rövid & velős"},
        {"url": HOME + "/hir/881", "headline": "Nyolc"},
    ],
    "/api/tovabb?utolso=880",
)
REST = Made(
    "a REST interface: an array, entities in titles, links on two hosts",
    """
    archive:
      url: "https://api.pelda.example/wp-json/wp/v2/posts?per_page=2&page={page}"
      format: json
      item: {json: "[]"}
      link: {json: link}
      fields: {headline: {json: title.rendered}, datePublished: {json: date, date: iso}, keywords: {json: "tags[].name"}}
    """,
    "https://api.pelda.example/wp-json/wp/v2/posts?per_page=2&page=7",
    json.dumps(
        [
            {
                "link": "https://pelda.example/a/1/",
                "title": {"rendered": "Ki&#8217;k &amp; mik"},
                "date": "2020-01-05T09:00:00",
                "tags": [{"name": "x"}],
            },
            {"link": "https://idegen.example/a/2/", "title": {"rendered": "Idegen"}, "date": "2020-01-05T09:00:00"},
            {"link": "https://www.pelda.example/a/3/", "title": {"rendered": "Három"}, "date": None, "tags": None},
        ]
    ),
    [
        {"url": HOME + "/a/1/", "headline": "Ki’k & mik", "datePublished": "2020-01-05T09:00:00+01:00", "keywords": ["x"]},
        {"url": "https://www.pelda.example/a/3/", "headline": "Három"},
    ],
    "https://api.pelda.example/wp-json/wp/v2/posts?per_page=2&page=8",
)
PLAIN_LIST = Made(
    "a text file of article URLs",
    """
    archive: {url: "https://pelda.example/urls-{year}.txt", format: urls,
      dates: {from: 2001-01-01, until: 2005-12-31}, urls: {only: ["/cikk/"]}}
    """,
    "/urls-2003.txt",
    "\ufeffhttps://pelda.example/cikk/1\r\n\r\n  https://pelda.example/cikk/2  \r\nhttps://pelda.example/kep/3.jpg\r\nhttps://pelda.example/cikk/1\r\n/cikk/4\r\n",
    [{"url": HOME + "/cikk/1"}, {"url": HOME + "/cikk/2"}, {"url": HOME + "/cikk/4"}],
    None,
)
DEAD_LINKS = Made(
    "dead addresses with a table of live ones, a list of what is no article, a host of its own",
    """
    archive:
      url: "https://pelda.example/lista?p={page}"
      link: "#lista a"
      urls: {map_file: elo.tsv, exclude_file: rossz.txt, hosts: ["*.pelda-blog.example"]}
      pages: {mode: numbered, first: 0, start: 1, last: 12}
    """,
    "/lista?p=0",
    """<div id=lista><a href="http://regi.example/1.html">1</a><a href="/cikk/2">2</a><a href="/cikk/3">3</a>
<a href="https://anna.pelda-blog.example/4">4</a>
<a href="https://pelda-blog.example.rossz.example/5">5</a><a href="ftp://pelda.example/6">6</a></div>""",
    [{"url": HOME + "/cikk/1"}, {"url": HOME + "/cikk/2"}, {"url": "https://anna.pelda-blog.example/4"}],
    "/lista?p=1",
    {"elo.tsv": "http://regi.example/1.html\thttps://pelda.example/cikk/1\n", "rossz.txt": "https://pelda.example/cikk/3\n"},
)


@pytest.mark.parametrize("made", [WORDPRESS, TABLES, WEEKS, FORUM, LOAD_MORE, REST, PLAIN_LIST, DEAD_LINKS], ids=str)
def test_the_archive_page_of_a_made_up_portal(written: WrittenPortal, made: Made) -> None:
    line = written.archive(made.rules, made.page, made.at, files=made.files)
    assert line["articles"] == made.articles
    assert line["next"] == (made.next and (made.next if "://" in made.next else HOME + made.next))


# --- the next page in counted modes ---

SOME, NONE = "<h2><a href=/cikk/1>x</a></h2>", "<p>Nincs találat</p>"
PAGER = SOME + "<div class=lapozo><a>1</a><a>2</a> ... <a href=?>17</a><a href=?>»</a></div>"


@cases("archive, page, at, expected", "portal_file/cases/the-next-page-of-a-counted-archive")
def test_the_next_page_of_a_counted_archive(written: WrittenPortal, archive: str, page: str, at: str, expected: str | None) -> None:
    rules = "archive:\n  link: h2 a\n  " + archive.replace("\n", "\n  ") + "\n"
    assert written.next(rules, page, at) == expected


def test_a_list_of_ranges_is_an_archive_whose_granularity_changed(written: WrittenPortal) -> None:
    rules = """
    archive:
      url: "https://pelda.example/{year}/{month}/{day}/?p={page}"
      link: h2 a
      dates:
        - {from: 2010-01-01, until: yesterday}
        - {from: 2005-01-01, until: 2009-12-31, step: month, url: "https://pelda.example/{year}/{month}/?p={page}"}
        - {from: 1999-01-01, until: 2004-12-31, step: year, url: "https://pelda.example/regi/{year}?p={page}"}
    """
    assert written.check(rules).code == 0
    for at, following in (
        ("/2011/02/03/?p=1", "/2011/02/03/?p=2"),
        ("/2006/02/?p=4", "/2006/02/?p=5"),
        ("/regi/2001?p=2", "/regi/2001?p=3"),
    ):
        assert written.look(rules, SOME, at) == {
            "url": HOME + at,
            "kind": "archive",
            "articles": [{"url": HOME + "/cikk/1"}],
            "next": HOME + following,
            "refused": [],
            "remarks": [],
        }


# --- columns ---

COLUMNS = """
archive:
  url: "https://pelda.example/{column}/{page}"
  item: div.t
  link: h2 a
  fields: {headline: h2}
  urls: {drop_params: [s], exclude: [/pr/]}
columns:
  belfold: {}
  kulfold: {link: h3 a, urls: {exclude: [/cikk/2]}}
  sport: {urls: {exclude+: [/cikk/2]}, fields: {headline: null, alternativeHeadline: h2}}
  blog: "https://blog.pelda.example/?lap={page}"
  english: {url: "https://en.pelda.example/all", pages: next-link, next: a.next, language: en,
    fields: {datePublished: {css: i, date: "d MMMM yyyy"}}}
"""
COLUMN_PAGE = """<div class=t><h2><a href="/cikk/1?s=1">Egy</a></h2><h3><a href=/cikk/9>Kilenc</a></h3><i>5 May 2020</i></div>
<div class=t><h2><a href=/cikk/2>Kettő</a></h2></div>
<div class=t><h2><a href=/pr/3>PR</a></h2></div><a class=next href=/all?page=2>next</a>"""
ONE, TWO = {"url": HOME + "/cikk/1", "headline": "Egy"}, {"url": HOME + "/cikk/2", "headline": "Kettő"}


@pytest.mark.parametrize(
    ("at", "flags", "articles", "following"),
    [
        ("/belfold/1", (), [ONE, TWO], "/belfold/2"),
        ("/kulfold/1", (), [{"url": HOME + "/cikk/9", "headline": "Egy"}], "/kulfold/2"),
        ("/sport/1", (), [{"url": HOME + "/cikk/1", "alternativeHeadline": "Egy"}], "/sport/2"),
        ("https://blog.pelda.example/?lap=1", (), [], "?"),
        ("/belfold/1", ("--column", "sport"), [{"url": HOME + "/cikk/1", "alternativeHeadline": "Egy"}], "?"),
        ("/valami/mas", ("--as", "archive"), [ONE, TWO], "?"),
    ],
)
def test_the_column_whose_url_fits_gives_the_rules(
    written: WrittenPortal, at: str, flags: tuple[str, ...], articles: list[Any], following: str
) -> None:
    line = written.look(COLUMNS, COLUMN_PAGE, at, *flags)
    assert line["kind"] == "archive"
    if articles:
        assert line["articles"] == articles
    if following != "?":
        assert line["next"] == HOME + following


def test_a_column_may_have_its_own_language_and_paging(written: WrittenPortal) -> None:
    line = written.look(COLUMNS, COLUMN_PAGE, "https://en.pelda.example/all")
    assert line["articles"][0] == {"url": "https://en.pelda.example/cikk/1", "headline": "Egy", "datePublished": "2020-05-05"}
    assert line["next"] == "https://en.pelda.example/all?page=2"


def test_an_article_is_what_fits_no_column(written: WrittenPortal) -> None:
    assert written.look(COLUMNS, COLUMN_PAGE, "/cikk/1")["kind"] == "article"
    assert written.look(COLUMNS, COLUMN_PAGE, "/belfold/1", "--as", "article")["kind"] == "article"


def test_columns_may_be_a_list_of_names(written: WrittenPortal) -> None:
    rules = 'archive: {url: "https://pelda.example/{column}?p={page}", link: h2 a}\ncolumns: [itthon, "1", világ]\n'
    assert written.next(rules, SOME, "/itthon?p=3") == "/itthon?p=4"
    assert written.next(rules, SOME, "/1?p=3") == "/1?p=4"
    assert written.look(rules, SOME, "/masik?p=3")["kind"] == "article"


def test_a_column_without_dates_of_its_own_says_null(written: WrittenPortal) -> None:
    rules = """
    archive: {url: "https://pelda.example/{column}/{year}", link: h2 a, dates: {from: 2010-01-01}}
    columns: {a: {}, b: {url: "https://pelda.example/b/{page}", dates: null, pages: {mode: numbered, last: 2}}}
    """
    assert written.check(rules).code == 0
    assert written.next(rules, SOME, "/b/1") == "/b/2"
    assert written.next(rules, SOME, "/a/2012") is None


# --- merging ---


def test_the_nearer_file_wins_key_by_key(written: WrittenPortal) -> None:
    far = {
        "tavoli.yaml": """\
            archive:
              item: article
              link: {css: h1 a, having: {href: /x/}}
              fields: {headline: h2, author: .szerzo, description: .leiras}
              urls: {drop_params: [a], exclude: [/pr/], drop_fragment: true}
              pages: {mode: infinite, empty_pages: 3, start: 0}
              stop: {known_pages: 7, when: .vege}
            """
    }
    rules = """
    extends: ./tavoli.yaml
    archive:
      url: "https://pelda.example/{page}"
      link: h2 a
      fields: {headline: .cim, description: null}
      urls: {drop_params+: [b], exclude: [/hird/]}
    """
    page = (
        "<article><h2><a href='/1?a=1&b=2&c=3#x'>A</a></h2><b class=cim>Cím</b><i class=szerzo>Sz</i><p class=leiras>L</p></article>"
        "<article><h2><a href=/pr/2>B</a></h2></article>"
        "<article><h2><a href=/hird/2>C</a></h2></article>"
    )
    line = written.archive(rules, page, "/0", files=far)
    assert line["articles"] == [{"url": HOME + "/1?c=3", "headline": "Cím", "author": ["Sz"]}, {"url": HOME + "/pr/2"}]
    assert line["next"] == HOME + "/1"


def test_of_several_presets_the_last_one_is_the_nearest(written: WrittenPortal) -> None:
    files = {
        "a.yaml": "archive: {link: h1 a, fields: {headline: h1, author: h1}}\n",
        "b.yaml": "extends: a.yaml\narchive: {link: h3 a, fields: {author: h3}}\n",
        "c.yaml": "archive: {link: h2 a}\n",
    }
    page = "<h1><a href=/1>1</a></h1><h2><a href=/2>2</a></h2><h3><a href=/3>3</a></h3>"
    archive = 'archive: {url: "https://pelda.example/{page}"}\n'
    assert written.links("extends: [a.yaml, c.yaml]\n" + archive, page, "/9", files=files) == ["/2"]
    assert written.links("extends: [c.yaml, a.yaml]\n" + archive, page, "/9", files=files) == ["/1"]
    assert written.links("extends: b.yaml\n" + archive, page, "/9", files=files) == ["/3"]


# --- what was asked with POST ---


def test_the_next_page_of_a_posted_archive_has_the_same_url(written: WrittenPortal) -> None:
    rules = 'archive: {url: "https://pelda.example/api", request: {method: POST, form: {p: "{page}"}}, pages: infinite, link: h2 a}'
    line = written.archive(rules, SOME, "/api")
    assert line["articles"] == [{"url": HOME + "/cikk/1"}]


# --- several URLs ---


def test_every_url_gives_its_line(written: WrittenPortal) -> None:
    saved = written.folder / "saved.html"
    saved.write_text(SOME, encoding="utf-8")
    path = written.write('archive: {url: "https://pelda.example/{page}", link: h2 a}')
    ended = written.curator("try", path, HOME + "/1", "nem-url", HOME + "/cikk/x", "--html", saved, "--json")
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert [line["kind"] for line in lines] == ["archive", "article", "article"]
    assert set(lines[1]) == {"url", "kind", "outcome", "reason"}
