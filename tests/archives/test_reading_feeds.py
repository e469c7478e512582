"""Feeds of every format, as they are met: entries with their fields, the way on, what is counted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from case_files import cases
from collected import tried
from scripted_portal import Crawler, Reply
from seams import archive_of
from working_time import at_most

FEED = "https://pelda.example/feed/"
ATOM = 'xmlns="http://www.w3.org/2005/Atom"'


def feed(content: str, **rules: Any) -> Any:
    return archive_of(content, at=FEED, **{"url": FEED, "format": "feed", **rules})


def rss(items: str, head: str = "") -> str:
    return f"<rss version='2.0'><channel><title>Példa</title><link>https://pelda.example/</link>{head}{items}</channel></rss>"


def atom(entries: str, head: str = "", attributes: str = ATOM) -> str:
    return f"<feed {attributes}><title>Példa</title>{head}{entries}</feed>"


def urls(content: str, **rules: Any) -> list[str]:
    return [link.url for link in feed(content, **rules).articles]


def fields(content: str, **rules: Any) -> dict[str, Any]:
    (link,) = feed(content, **rules).articles
    return {name.removeprefix("feed:"): values if len(values) > 1 else values[0] for name, values in link.fields.items()}


RSS_2 = rss(
    "<item><title>Árvíz</title><link>https://pelda.example/a</link><guid isPermaLink='false'>1</guid>"
    "<pubDate>Mon, 06 Sep 2021 00:01:00 +0200</pubDate><dc:creator>Kiss Anna</dc:creator><dc:creator>Nagy Béla</dc:creator>"
    "<category>Tisza</category><category>árvíz</category><description>&lt;p&gt;Jön a víz.&lt;/p&gt;&lt;p&gt;Nagy.&lt;/p&gt;</description>"
    "</item>"
)
RSS_1 = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><items><rdf:Seq/></items></channel>'
    '<item rdf:about="https://pelda.example/a"><title>Árvíz</title><dc:date>2021-09-06T00:01:00+02:00</dc:date>'
    "<dc:creator>Kiss Anna</dc:creator>"
    "<dc:creator>Nagy Béla</dc:creator><dc:subject>Tisza</dc:subject><dc:subject>árvíz</dc:subject>"
    "<description>Jön a víz. Nagy.</description></item></rdf:RDF>"
)
ATOM_1 = atom(
    '<entry><title type="html">Árvíz</title><link rel="alternate" href="/a"/><id>tag:x</id><published>2021-09-06T00:01:00+02:00</published>'
    "<author><name>Kiss Anna</name></author><author><name>Nagy Béla</name></author>"
    "<category term='Tisza'/><category term='x' label='árvíz'/>"
    '<summary type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Jön a víz.</p><p>Nagy.</p></div></summary></entry>'
)
ATOM_03 = (
    ATOM_1.replace("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")
    .replace("published>", "issued>")
    .replace("<category term='Tisza'/><category term='x' label='árvíz'/>", "<dc:subject>Tisza</dc:subject><dc:subject>árvíz</dc:subject>")
)
JSON_FEED = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "items": [
            {
                "id": "1",
                "url": "/a",
                "title": "Árvíz",
                "date_published": "2021-09-06T00:01:00+02:00",
                "authors": [{"name": "Kiss Anna"}, {"name": "Nagy Béla"}],
                "tags": ["Tisza", "árvíz"],
                "summary": "Jön a víz. Nagy.",
            }
        ],
    }
)


@pytest.mark.parametrize("content", [RSS_2, RSS_1, ATOM_1, ATOM_03, JSON_FEED], ids=["RSS 2.0", "RSS 1.0", "Atom 1.0", "Atom 0.3", "JSON"])
def test_every_format_tells_the_same_of_an_article(content: str) -> None:
    assert urls(content) == ["https://pelda.example/a"]
    assert fields(content) == {
        "headline": "Árvíz",
        "author": ("Kiss Anna", "Nagy Béla"),
        "keywords": ("Tisza", "árvíz"),
        "description": "Jön a víz. Nagy.",
        "datePublished": "2021-09-06T00:01:00+02:00",
    }


@cases("entry, url", "archives/cases/the-address-of-an-article-is-found")
def test_the_address_of_an_article_is_found(entry: str, url: str) -> None:
    assert urls(rss(f"<item><title>x</title>{entry}</item>")) == [url]


def test_relative_links_are_joined_with_every_xml_base_around_them() -> None:
    entries = '<entry xml:base="2021/"><link href="a"/></entry><entry><link href="b"/></entry>'
    assert urls(atom(entries, attributes=f'{ATOM} xml:base="/blog/"')) == [
        "https://pelda.example/blog/2021/a",
        "https://pelda.example/blog/b",
    ]


def test_an_entry_without_an_address_is_told() -> None:
    page = feed(rss("<item><title>x</title></item><item><link>/a</link></item><item><guid>17</guid></item>"))
    assert [link.url for link in page.articles] == ["https://pelda.example/a"]
    assert [(link.url, link.reason) for link in page.refused] == [(f"{FEED}#{number}", "an entry without an address") for number in (1, 2)]


@pytest.mark.parametrize(
    ("entry", "name", "told"),
    [
        # a headline is what a reader sees
        ("<title>Q&amp;amp;A &amp;#8211; x</title>", "headline", "Q&A – x"),
        ("<title>a&amp;copy=3</title>", "headline", "a&copy=3"),
        ("<title>Q&A &nbsp; x</title>", "headline", "Q&A x"),
        ("<title><![CDATA[<b>a</b>b &amp; c]]></title>", "headline", "ab & c"),
        ("<title>1 < 2</title>", "headline", "1 2"),
        ("<title>a\n   b</title>", "headline", "a b"),
        # authors are names
        ("<author>anna@pelda.example (Kiss Anna)</author>", "author", "Kiss Anna"),
        ("<author>Kiss Anna</author>", "author", "Kiss Anna"),
        ("<author>anna@pelda.example</author>", "author", None),
        ("<dc:creator>Anna</dc:creator><author>x@y.hu (Béla)</author>", "author", ("Anna", "Béla")),
        ("<itunes:author>Anna</itunes:author>", "author", "Anna"),
        # dates are read with the time zone of the portal
        ("<pubDate>Mon, 06 Sep 2021 00:01:00 GMT</pubDate>", "datePublished", "2021-09-06T02:01:00+02:00"),
        ("<pubDate>Mon, 06 Sep 2021 00:01:00 EST</pubDate>", "datePublished", "2021-09-06T00:01:00-05:00"),
        ("<pubDate>06 Sep 21 00:01 +0000</pubDate>", "datePublished", "2021-09-06T02:01:00+02:00"),
        ("<pubDate>2021-09-06 00:01:00</pubDate>", "datePublished", "2021-09-06T00:01:00+02:00"),
        ("<pubDate>2021-09-06</pubDate>", "datePublished", "2021-09-06"),
        ("<pubDate>Mon, 06 Sep 2021 00:01:00</pubDate>", "datePublished", "2021-09-06T00:01:00+02:00"),
        ("<pubDate>2021. szeptember 6.</pubDate>", "datePublished", "2021-09-06"),
        # a category is the section only where it says so, and a whole post is no description
        ("<category domain='https://pelda.example/section'>Belföld</category>", "articleSection", "Belföld"),
        ("<category>Tisza</category>", "keywords", "Tisza"),
        (f"<description>{'szó ' * 500}</description>", "description", None),
    ],
)
def test_what_rss_says_of_an_entry(entry: str, name: str, told: Any) -> None:
    assert fields(rss(f"<item><link>/a</link>{entry}</item>")) == ({name: told} if told else {})


@cases("entry, told", "archives/cases/what-atom-says-of-an-entry")
def test_what_atom_says_of_an_entry(entry: str, told: dict[str, str]) -> None:
    assert fields(atom(f'<entry><link href="/a"/>{entry}</entry>')) == told


def test_the_author_of_an_atom_feed_is_that_of_its_entries() -> None:
    head = "<author><name>Anna</name></author>"
    assert fields(atom('<entry><link href="/a"/></entry>', head)) == {"author": "Anna"}
    assert fields(atom('<entry><link href="/a"/><author><name>Béla</name></author></entry>', head)) == {"author": "Béla"}


def test_fields_of_the_portal_file_come_before_those_of_the_feed() -> None:
    entry = "<item><link>/a</link><title>x</title><category>Belföld</category><category>árvíz</category></item>"
    rules = {"fields": {"articleSection": {"json": "keywords[0]"}}}
    assert fields(rss(entry), **rules)["articleSection"] == "Belföld"


@pytest.mark.parametrize(
    ("head", "following"),
    [
        ('<atom:link rel="next" href="?page=2"/>', "https://pelda.example/feed/?page=2"),
        ('<link rel="prev-archive" href="/feed/2020"/>', "https://pelda.example/feed/2020"),
        ('<link rel="prev-archive" href="/feed/2020"/><link rel="next" href="/feed/2"/>', "https://pelda.example/feed/2"),
        ('<link rel="previous" href="/feed/0"/><link rel="self" href="/feed/1"/>', None),
    ],
)
def test_a_feed_names_its_next_page(head: str, following: str | None) -> None:
    assert feed(rss("<item><link>/a</link></item>", head)).next_url == following
    assert feed(atom('<entry><link href="/a"/></entry>', head.replace("atom:", ""))).next_url == following
    in_json = {"items": [{"url": "/a"}], "next_url": following}
    assert feed(json.dumps(in_json)).next_url == following


def test_where_pages_are_counted_no_link_is_followed() -> None:
    page = feed(rss("<item><link>/a</link></item>", '<atom:link rel="next" href="?x"/>'), url=f"{FEED}?paged={{page}}")
    assert page.next_url is None


def test_a_mistake_changes_no_address_behind_it() -> None:
    assert urls(rss("<item><title>1 < 2</title><link>/a?b=1&amp;c=2</link></item>")) == ["https://pelda.example/a?b=1&c=2"]


@pytest.mark.parametrize(
    "content",
    [
        "<rss>" + "<a xml:base='x/'>" * 200 + "<item>" + "<link href='q'/>" * 50_000 + "</item></rss>",
        "<rss>" + "<item><title>" * 120 + "<b>x</b>" * 20_000 + "</title></item>" * 120 + "</rss>",
        "<rss><item><link>/a</link>" + "<category>x y</category>" * 50_000 + "</item></rss>",
        rss(f"<item><link>/a</link><author>{'a' * 90_000}{'@' * 9_000}</author><pubDate>Mon, 06 Sep 2021 0{'(' * 90_000}</pubDate></item>"),
        '<!DOCTYPE rss [<!ENTITY a "a"><!ENTITY b "' + "&a;" * 99 + '">]>' + rss("<item><link>/&b;</link></item>"),
    ],
    ids=["many bases", "entries in entries", "many categories", "patterns", "entities"],
)
def test_no_feed_takes_more_than_moments(content: str) -> None:
    with at_most(10):
        feed(content)


def test_what_pages_tell_better_is_only_taken_where_they_do_not(crawler: Crawler) -> None:
    own = """<meta name=description content="Saját"><script type="application/ld+json">{"@type": "NewsArticle", "headline": "x",
        "author": [{"@type": "Person", "name": "Szabó Éva"}], "keywords": ["víz"]}</script>"""
    crawler.rules = "archive: {url: HOME/feed, format: feed}\n"
    item = RSS_2[RSS_2.index("<item>") : RSS_2.index("</channel>")].replace("https://pelda.example", crawler.portal.home)
    items = rss(item + item.replace("/a<", "/b<"))
    crawler.portal.script |= {"/feed": Reply(items, kind="text/xml"), "/a": "<article><h1>x</h1>", "/b": f"<article><h1>x</h1>{own}"}
    assert crawler.crawl() == 0, crawler.said
    said = {path: tried(crawler, path, "--as", "article", "--corpus", crawler.corpus)["metadata"] for path in ("/a", "/b")}
    told = {path: [[one["value"] for one in said[path][name]] for name in ("author", "keywords", "description")] for path in said}
    assert told == {
        "/a": [["Kiss Anna", "Nagy Béla"], ["Tisza", "árvíz"], ["Jön a víz. Nagy."]],
        "/b": [["Szabó Éva"], ["víz"], ["Saját"]],
    }
