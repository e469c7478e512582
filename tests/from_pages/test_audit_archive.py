"""`curator audit --archive`: articles that stored articles lead to and the corpus does not know; without a hole there are none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from crawling import WITHOUT_CALENDAR, Crawling, clock_at, crawling
from scripted_portal import BROKEN, Crawler, Reply, listing, scripted_portal
from small_corpus import SmallCorpus, page

Curator = Callable[..., Any]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Crawling]:
    with crawling(tmp_path, articles=60, columns=WITHOUT_CALENDAR) as crawl:
        yield crawl


def _audit(curator: Curator, file: Path, corpus: Path, *flags: object) -> Any:
    return curator("audit", file, "--archive", "--corpus", corpus, "--jobs", "1", *flags)


def test_of_a_complete_corpus_no_article_is_missing(curator: Curator, site: Crawling) -> None:
    site.crawl()
    ended = _audit(curator, site.file, site.corpus)
    told = json.loads(_audit(curator, site.file, site.corpus, "--json").out)
    assert ended.code == told["exit_code"] == 0
    assert "All of these are in the ledger." in ended.out
    assert (told["unlisted"], told["total"], told["at_the_edge"], told["complete"]) == ([], 0, 0, True)
    assert (told["links"] > 60, told["passed_over"]) == (True, 0)


@pytest.mark.parametrize(
    ("column", "right", "wrong"),
    [
        ("english", "pages: infinite, language: en", 'pages: {mode: infinite, values: "1-2, 4-99"}, language: en'),
        ("podcast", '"adasok[]"', '"adasok[1:]"'),
        ("blog", "item: div.bejegyzes-kivonat", 'item: "div.bejegyzes-kivonat:last-of-type"'),
    ],
    ids=["a page is skipped", "the first of each page is missed", "only the last of each page is taken"],
)
def test_what_the_rules_of_one_column_miss_is_listed_and_nothing_else(
    curator: Curator, site: Crawling, column: str, right: str, wrong: str
) -> None:
    rules = site.file.read_text("utf-8")
    assert rules.count(right) == 1
    broken = site.folder / "broken.yaml"
    broken.write_text(rules.replace(right, wrong), "utf-8")
    site.portal.publish(4, column)
    curator("crawl", broken, "--corpus", site.corpus, *(flag for name in WITHOUT_CALENDAR for flag in ("--column", name)))
    urls = site.portal.articles[column]
    missed = [url for url in urls if url not in site.outcomes]
    assert missed
    ended = _audit(curator, broken, site.corpus)
    told = json.loads(_audit(curator, broken, site.corpus, "--json").out)
    assert ended.code == told["exit_code"] == 1
    assert {one["url"]: set(one["seen_on"]) for one in told["unlisted"]} == {
        url: {near for near in urls[max(0, at - 1) : at + 2] if near in site.fetched} for at, url in enumerate(urls) if url in missed
    }
    assert told["total"] == len(missed)
    assert all(f"  {url}\n    named by " in ended.out for url in missed)
    assert "curator try" in ended.err.splitlines()[-1]


def test_what_was_published_after_the_walk_is_no_hole(curator: Curator, site: Crawling) -> None:
    today = clock_at(2024, 5, 15)
    site.crawl(articles=False, now=today)
    site.portal.publish(2, "english")
    site.crawl(archive=False, now=today)
    told = json.loads(_audit(curator, site.file, site.corpus, "--json").out)
    assert (told["exit_code"], told["total"], told["at_the_edge"]) == (0, 0, 1)
    said = _audit(curator, site.file, site.corpus).out
    assert "perhaps beyond the beginning or the end of the archive that the portal file describes: 1" in said
    assert "All others are in the ledger" in said


def test_what_lies_beyond_the_dates_of_the_archive_is_no_hole(curator: Curator, site: Crawling) -> None:
    rules = site.file.read_text("utf-8").replace("from: 2024-03-01, until: 2024-05-15", "from: 2024-04-10, until: 2024-05-05")
    short = site.folder / "short.yaml"
    short.write_text(rules, "utf-8")
    curator("crawl", short, "--corpus", site.corpus, "--column", "naptar")
    assert all("/sport/" in url for url in site.fetched)
    told = json.loads(_audit(curator, short, site.corpus, "--json").out)
    assert (told["exit_code"], told["total"], told["at_the_edge"]) == (0, 0, 2)


# -- which links count, on pages that a test writes ---------------------------------------------------------------------

RULES = """
archive:
  url: "https://pelda.example/lista/{page}"
  item: article
  dates: null
  urls: {exclude: ["/pr/"], drop_params: ["utm_*"]}
articles: {skip: {url: ["/galeria/"]}}
"""
MISSING = "https://pelda.example/hirek/3-hid-epul"
HERE = "/hirek/2-komp"


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    return SmallCorpus(tmp_path, rules=RULES)


def _told(curator: Curator, corpus: SmallCorpus, *flags: object) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(_audit(curator, corpus.portal.sources[0].path, corpus.folder, "--json", *flags).out)
    return told


def _listed(curator: Curator, corpus: SmallCorpus, html: str, *others: tuple[str, bytes], path: str = HERE) -> list[str]:
    """What an article that holds this leads to, and is not known."""
    corpus.store((path, page("Komp").replace(b"</article>", f"</article>{html}".encode())), *others)
    return [one["url"] for one in _told(curator, corpus)["unlisted"]]


@pytest.mark.parametrize(
    "html",
    [
        '<link rel="next" href="/hirek/3-hid-epul">',
        '<a rel="nofollow prev" href="/hirek/3-hid-epul?utm_source=x#top">«</a>',
        '<div class="nav-previous"><a href="/hirek/3-hid-epul">A bridge</a></div>',
        '<nav class="navigation post-navigation"><div><div><a href="/hirek/3-hid-epul">A bridge</a></div></div></nav>',
        '<a class="btn nextArticle" href="/hirek/3-hid-epul">A bridge</a>',
        '<a href="/hirek/3-hid-epul">« Előző cikk</a>',
        '<a href="/hirek/3-hid-epul">Nächster Beitrag: Eine Brücke</a>',
        '<a href="/hirek/3-hid-epul"><span>Article</span> <b>précédent</b></a>',
        '<a href="/hirek/3-hid-epul">Следующая новость</a>',
        '<a href="/hirek/3-hid-epul" aria-label="Previous story"><img src="x.jpg"></a>',
        '<nav class="vp-page-nav"><a class="auto-link next" href="/hirek/3-hid-epul"><b>Tovább</b> A bridge</a></nav>',
        '<p>Next article: <a href="/hirek/3-hid-epul">A bridge</a></p>',
        '<p><span>Następny artykuł</span><a href="/hirek/3-hid-epul">Most</a></p>',
        '<link rel="canonical" href="/hirek/"><a rel="next" href="/hirek/3-hid-epul">»</a>',
    ],
)
def test_links_to_the_article_before_and_after_count(curator: Curator, corpus: SmallCorpus, html: str) -> None:
    assert _listed(curator, corpus, html) == [MISSING]


@pytest.mark.parametrize(
    "html",
    [
        '<p>The next bridge <a href="/hirek/3-hid-epul">is being built</a>.</p>',
        '<a href="/hirek/3-hid-epul">The previous government</a>',
        '<div class="related-posts"><a href="/temak/3-hid-epul">Bridges</a><a href="https://masik.example/hirek/3-hid">x</a></div>',
        '<a class="slick-prev" href="/hirek/3-hid-epul">A bridge</a>',
        '<div class="gallery-nav-next"><a href="/hirek/3-hid-epul">A bridge</a></div>',
        '<nav><a class="next" href="/hirek/3-hid">x</a><a href="/hirek/4-hid">x</a><a href="/hirek/5-hid">x</a></nav>',
        '<div class="next-post">' + "".join(f'<a href="/hirek/{number}-hid">x</a>' for number in range(9)) + "</div>",
    ],
)
def test_other_links_do_not(curator: Curator, corpus: SmallCorpus, html: str) -> None:
    assert _listed(curator, corpus, html) == []


@pytest.mark.parametrize(
    ("href", "why"),
    [
        ("/hirek/2-komp?oldal=2", "a further page"),
        ("/hirek/2-komp/2", "a further page"),
        ("/hirek/2-komp-2", "a further page"),
        ("/hirek/2-komp#kommentek", "the page itself"),
        ("https://masik.example/hirek/3-hid-epul", "another host"),
        ("/pr/3-hid-epul", "urls.exclude"),
        ("/galeria/3-hid-epul", "articles.skip.url"),
        ("/lista/2-hid", "an archive page"),
        ("/", "the front page"),
        ("/2021/05/", "no article has such an address"),
        ("/rovat.php?id=3", "no article has such an address"),
        ("javascript:void(0)", "no address"),
        ("http://[::1/x", "no address"),
        ("http://pelda.example/hirek/1-regi", "known, with another scheme"),
        ("https://www.pelda.example/hirek/1-regi/", "known, with another host's name"),
        ("/hirek/1-regi-hid-kanonikus", "known, by its canonical address"),
    ],
)
def test_what_no_article_of_the_portal_can_be_or_what_is_known_is_not_listed(
    curator: Curator, corpus: SmallCorpus, href: str, why: str
) -> None:
    canonical = '<link rel="canonical" href="https://pelda.example/hirek/1-regi-hid-kanonikus">'
    assert _listed(curator, corpus, f'<a rel="next" href="{href}">»</a>', ("/hirek/1-regi", page("Old", head=canonical))) == [], why


def test_the_identity_counts_not_the_address(curator: Curator, corpus: SmallCorpus) -> None:
    corpus.rules = RULES.replace("articles: {", 'articles: {identity: "/hirek/(\\\\d+)", ')
    links = '<a rel="prev" href="/hirek/1-uj-cim">«</a><a rel="next" href="/hirek/3-hid-epul">»</a>'
    assert _listed(curator, corpus, links, ("/hirek/1-regi", page("Old"))) == [MISSING]


def _with_link(number: int) -> bytes:
    html = page(f"Komp {number}")
    return html.replace(b"</article>", f'</article><a rel="prev" href="/hirek/{100 + number}-x">«</a>'.encode())


def test_articles_that_name_no_other_prove_nothing(curator: Curator, corpus: SmallCorpus) -> None:
    corpus.store(("/hirek/1-regi", page()))
    ended = _audit(curator, corpus.portal.sources[0].path, corpus.folder)
    assert ended.code == 0
    assert "no link of 1 stored article was recognised as one to the article before or after it" in ended.out
    assert "So this says nothing of whether an article is missing." in ended.out


def test_links_that_cannot_be_compared_are_told(curator: Curator, corpus: SmallCorpus) -> None:
    other = '<a rel="next" href="https://masik.example/hirek/3-hid-epul">»</a>'
    corpus.store((HERE, page("Komp").replace(b"</article>", f"</article>{other}".encode())))
    ended = _audit(curator, corpus.portal.sources[0].path, corpus.folder)
    assert ended.code == 0
    assert "no article of the portal has such an address: 1 (such as https://masik.example/hirek/3-hid-epul)" in ended.out
    assert "this says nothing" in ended.out


@pytest.mark.nightly
def test_several_processes_find_the_same(curator: Curator, corpus: SmallCorpus) -> None:
    corpus.store(*((f"/hirek/{number}-x", _with_link(number)) for number in range(80)))
    alone, together = (_told(curator, corpus, "--jobs", jobs) for jobs in (1, 2))
    assert alone == together
    assert alone["total"] == 80


def test_without_a_ledger_it_says_what_makes_one(curator: Curator, corpus: SmallCorpus) -> None:
    ended = _audit(curator, corpus.portal.sources[0].path, corpus.base / "nowhere")
    assert ended.code == 2
    assert "`curator crawl` begins it" in ended.err


@pytest.mark.parametrize("flags", [("--warc", "in-1.warc.gz"), ("--sample", "5")])
def test_a_part_of_a_corpus_cannot_be_compared(curator: Curator, corpus: SmallCorpus, flags: tuple[str, str]) -> None:
    corpus.store(("/hirek/1-regi", page()))
    ended = _audit(curator, corpus.portal.sources[0].path, corpus.folder, *flags)
    assert ended.code == 2
    assert "leave out --warc and --sample" in ended.err


# -- feeds and sitemaps -------------------------------------------------------------------------------------------------


@pytest.fixture
def blog(curator: Curator, tmp_path: Path) -> Iterator[Crawler]:
    """Ten articles, of which the archive lists all but 4 and 7; the feed names the last six."""
    with scripted_portal() as portal:
        portal.script |= {
            "/": "<link rel=alternate type=application/rss+xml href=/feed.rss>",
            "/l": listing(10, 9, 8, 6, 5, next="/l/2"),
            "/l/2": listing(3, 2, 1),
            "/feed.rss": Reply(_feed(10, 9, 8, 7, 6, 4), kind="application/rss+xml"),
        }
        crawler = Crawler(curator, tmp_path, portal, rules="archive: {url: HOME/l, item: li.t, next: a.next}\n")
        assert crawler.crawl() == 0, crawler.said
        portal.asked.clear()
        yield crawler


def _feed(*articles: int) -> str:
    items = "".join(f"<item><link>/c/{one}</link><pubDate>Mon, 06 Sep 2021 00:01:00 GMT</pubDate></item>" for one in articles)
    return f"<rss><channel>{items}</channel></rss>"


def test_what_the_feed_names_and_the_archive_does_not_is_told_by_source(curator: Curator, blog: Crawler) -> None:
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--json").out)
    assert ended.code == told["exit_code"] == 1
    assert "The feed names 6 articles: 4 are in the ledger, 2 are not (33.3%)" in ended.out
    assert [(one["url"], one["sources"]) for one in told["unlisted"]] == [(f"{blog.portal.home}/c/{number}", ["feed"]) for number in (7, 4)]
    (feed,) = (one for one in told["sources"] if one["source"] == "feed")
    assert (feed["named"], feed["known"], feed["missing"], feed["only_archive"]) == (6, 4, 2, 4)
    assert "may list only the newest" in feed["read"]


def test_what_a_feed_names_is_an_article_though_its_address_ends_otherwise(curator: Curator, blog: Crawler) -> None:
    feed = _feed(10, 7).replace("</link>", "/</link>")
    blog.portal.script["/feed.rss"] = Reply(feed, kind="application/rss+xml")
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    assert ended.code == 1
    assert "The feed names 2 articles: 1 is in the ledger, 1 is not" in ended.out
    assert blog.status()["unlisted"] == [f"{blog.portal.home}/c/7/"]
    blog.portal.script["/l"] = listing(10, 9, 8, 7, 6, 5, next="/l/2")
    blog.crawl("--full")
    assert blog.status()["unlisted"] == []


def test_sitemaps_are_compared_and_what_only_the_archive_has_is_told(curator: Curator, blog: Crawler) -> None:
    home = blog.portal.home
    urls = "".join(f"<url><loc>{home}/c/{one}</loc><lastmod>2021-09-06</lastmod></url>" for one in (1, 2, 4, 7, 10))
    urls += f"<url><loc>{home}/</loc></url><url><loc>{home}/rolunk</loc></url>"
    blog.portal.script |= {"/sitemap.xml": Reply(f"<urlset>{urls}</urlset>", kind="application/xml"), "/feed.rss": Reply(_feed(10, 9, 8))}
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--json").out)
    assert "The sitemaps name 5 articles: 3 are in the ledger, 2 are not (40.0%)" in ended.out
    assert {one["url"] for one in told["unlisted"]} == {f"{home}/c/4", f"{home}/c/7"}
    sitemap = next(one for one in told["sources"] if one["source"] == "sitemap")
    assert sitemap["only_archive"] == 5
    assert "only in the archive: 5 fetched articles" in ended.out
    assert sitemap["others"] == [[1, f"{home}/rolunk"]]
    assert f"passed over, since no article of the portal has such an address: 1 such as {home}/rolunk" in ended.out


def test_what_the_root_of_the_host_names_is_missing_of_a_portal_in_a_folder_of_it(curator: Curator, tmp_path: Path) -> None:
    with scripted_portal() as portal:
        sitemap = f"<urlset><url><loc>{portal.home}/c/2</loc></url></urlset>"
        portal.script |= {"/pt/": listing(1), "/sitemap.xml": Reply(sitemap, kind="application/xml")}
        crawler = Crawler(curator, tmp_path, portal, rules="archive: {url: '{home}', item: li.t, pages: none}\n")
        crawler.head = crawler.head.replace("HOME/", "HOME/pt/")
        assert crawler.crawl() == 0, crawler.said
        told = json.loads(_audit(curator, crawler.file, crawler.corpus, "--fetch", "--json").out)
        assert [one["url"] for one in told["unlisted"]] == [f"{portal.home}/c/2"]


def test_a_site_without_sitemaps_is_told_where_they_were_looked_for_and_nothing_of_their_end(curator: Curator, blog: Crawler) -> None:
    blog.portal.script["/robots.txt"] = Reply("User-agent: *\nDisallow:\n", kind="text/plain")
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--json").out)
    home = blog.portal.home
    assert f"No sitemap was found: {home}/robots.txt (it lists nothing), {home}/sitemap.xml (HTTP 404), " in ended.out
    assert "The sitemaps name" not in ended.out
    assert "its end was not reached" not in ended.out
    sitemap = next(one for one in told["sources"] if one["source"] == "sitemap")
    assert (sitemap["read"], sitemap["only_archive"], len(sitemap["looked_at"])) == ("", None, 5)
    assert [one["looked_at"] for one in told["sources"] if one["source"] == "feed"] == [[]]


def test_a_site_without_feed_and_sitemaps_is_not_advised_to_ask_for_them_again(curator: Curator, blog: Crawler) -> None:
    del blog.portal.script["/feed.rss"]
    blog.portal.script["/"] = "<p>Nothing here"
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    assert "No feed was found: " in ended.out
    assert "So this says nothing of whether an article is missing." in ended.out
    assert "--fetch" not in ended.err.splitlines()[-1]


@pytest.mark.parametrize(("known", "unlisted"), [((), set()), (("/tags/a-ferry/",), {"/tags/tide-tables/"})])
def test_lists_of_authors_topics_and_sections_in_a_sitemap_are_no_articles_unless_articles_have_such_addresses(
    curator: Curator, tmp_path: Path, known: tuple[str, ...], unlisted: set[str]
) -> None:
    lists = "/authors/ida-thornbeck/", "/tags/tide-tables/", "/categories/field-notes/", "/essays/salt-without-a-signature/"
    with scripted_portal() as portal:
        articles = "/blog/the-long-winter/", *known
        listed = "".join(f'<li class=t><a href="{path}">x</a></li>' for path in articles)
        sitemap = "".join(f"<url><loc>{portal.home}{path}</loc></url>" for path in lists)
        portal.script |= {"/l": listed, "/sitemap.xml": Reply(f"<urlset>{sitemap}</urlset>", kind="application/xml")}
        portal.script |= dict.fromkeys(articles, "<h1>Winter</h1><p>It was long.")
        crawler = Crawler(curator, tmp_path, portal, rules="archive: {url: HOME/l, item: li.t, pages: none}\n")
        assert crawler.crawl() == 0, crawler.said
        told = json.loads(_audit(curator, crawler.file, crawler.corpus, "--fetch", "--json").out)
        home = portal.home
    assert {one["url"].removeprefix(home) for one in told["unlisted"]} == unlisted | {"/essays/salt-without-a-signature/"}


def test_what_a_sitemap_names_is_told_however_new_it_is_until_a_crawl_knows_it(curator: Curator, blog: Crawler, tmp_path: Path) -> None:
    today = datetime.now(UTC).date().isoformat()
    urls = f"<url><loc>{blog.portal.home}/c/11</loc><lastmod>{today}</lastmod></url>"
    blog.portal.script |= {"/sitemap.xml": Reply(f"<urlset>{urls}</urlset>", kind="application/xml"), "/feed.rss": Reply(_feed(10, 9, 8))}
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--fetch", "--json").out)
    assert (told["exit_code"], told["total"], told["at_the_edge"]) == (1, 1, 0)
    assert blog.status()["unlisted"] == [f"{blog.portal.home}/c/11"]
    assert (
        "1 article is named by the site's own feeds or sitemaps and not known here"
        in curator("status", blog.file, "--corpus", blog.corpus).out
    )
    report = tmp_path / "report.html"
    assert curator("report", blog.file, "--corpus", blog.corpus, "-o", report).code == 0
    assert "feeds or sitemaps name 1 article that no archive page listed" in report.read_text("utf-8")
    blog.portal.script["/l"] = listing(11, 10, 9, 8, next="/l/2")
    blog.crawl("--full")
    assert blog.status()["unlisted"] == []


def test_only_fetch_asks_the_site_and_what_it_read_is_compared_from_then_on(curator: Curator, blog: Crawler) -> None:
    before = blog.outcomes
    assert _audit(curator, blog.file, blog.corpus).code == 0
    assert not blog.portal.asked
    _audit(curator, blog.file, blog.corpus, "--fetch")
    assert "/feed.rss" in blog.portal.asked
    assert not blog.portal.articles_asked
    blog.portal.asked.clear()
    assert _audit(curator, blog.file, blog.corpus).code == 1
    assert not blog.portal.asked
    assert blog.outcomes == before
    assert list((blog.corpus / "audit" / "feed" / "warc").glob("*.warc.gz"))


def _source(told: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in told["sources"] if one["source"] == name)


def test_after_a_new_fetch_only_what_it_brought_is_named_by_the_source(curator: Curator, blog: Crawler) -> None:
    home = blog.portal.home
    maps = ("".join(f"<url><loc>{home}/c/{one}</loc></url>" for one in some) for some in ((1, 2, 4), (7, 10)))
    parts = {f"/s{number}.xml": Reply(f"<urlset>{urls}</urlset>", kind="application/xml") for number, urls in enumerate(maps)}
    index = "".join(f"<sitemap><loc>{home}{path}</loc><lastmod>2021-09-06</lastmod></sitemap>" for path in parts)
    blog.portal.script |= {**parts, "/sitemap.xml": Reply(f"<sitemapindex>{index}</sitemapindex>", kind="application/xml")}
    _audit(curator, blog.file, blog.corpus, "--fetch")
    blog.portal.script["/feed.rss"] = Reply(_feed(10, 9, 8), kind="application/rss+xml")
    blog.portal.script["/s1.xml"] = Reply(f"<urlset><url><loc>{home}/c/10</loc></url></urlset>", kind="application/xml")
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--json").out)
    assert "The feed names 3 articles: 3 are in the ledger, 0 are not (0.0%)" in ended.out
    feed, sitemap = _source(told, "feed"), _source(told, "sitemap")
    assert (feed["named"], feed["missing"], feed["only_archive"]) == (3, 0, 5)
    assert (sitemap["named"], sitemap["missing"], sitemap["only_archive"]) == (4, 1, 5)
    assert [one["url"] for one in told["unlisted"]] == [f"{home}/c/4"]


def test_a_fetch_that_failed_is_told_with_the_age_of_what_is_compared_instead_and_is_not_well(curator: Curator, blog: Crawler) -> None:
    blog.portal.script["/feed.rss"] = Reply(_feed(10, 9, 8), kind="application/rss+xml")
    assert _audit(curator, blog.file, blog.corpus, "--fetch").code == 0
    blog.portal.script |= dict.fromkeys(("/", "/feed.rss", "/sitemap.xml"), BROKEN)
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    day = datetime.now(UTC).date().isoformat()
    assert ended.code == 1
    assert f"The feed could not be fetched: {blog.portal.home}/" in ended.out
    assert f"compared is what an earlier fetch brought on {day}" in ended.out
    assert "The feed names 3 articles" in ended.out
    assert f"The sitemaps could not be fetched: {blog.portal.home}/sitemap.xml" in ended.out
    assert f"an earlier fetch, on {day}" in ended.out
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--fetch", "--json").out)
    assert (told["exit_code"], told["complete"]) == (1, False)
    feed = _source(told, "feed")
    assert "HTTP 500" in feed["failed"]
    assert (feed["named"], feed["fetched_at"][:10]) == (3, day)
    assert _audit(curator, blog.file, blog.corpus).code == 0, "without --fetch nothing was to be fetched"


def test_a_first_fetch_that_failed_says_that_there_is_nothing_to_compare(curator: Curator, blog: Crawler) -> None:
    blog.portal.script |= dict.fromkeys(("/", "/feed.rss", "/sitemap.xml"), BROKEN)
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    assert ended.code == 1
    assert f"The sitemaps could not be fetched: {blog.portal.home}/sitemap.xml (HTTP 500" in ended.out
    assert "no earlier fetch brought anything" in ended.out
    assert "No feed was found" not in ended.out
    assert "--archive --fetch` asks for them again" in ended.err.splitlines()[-1]


def test_sitemaps_of_which_a_part_failed_are_told_as_not_read_to_their_end(curator: Curator, blog: Crawler) -> None:
    home = blog.portal.home
    index = "".join(f"<sitemap><loc>{home}/s{number}.xml</loc></sitemap>" for number in (1, 2))
    part = Reply(f"<urlset><url><loc>{home}/c/10</loc></url></urlset>", kind="application/xml")
    sitemap = Reply(f"<sitemapindex>{index}</sitemapindex>", kind="application/xml")
    blog.portal.script |= {"/sitemap.xml": sitemap, "/s1.xml": part, "/s2.xml": BROKEN, "/feed.rss": Reply(_feed(10, 9, 8))}
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    assert ended.code == 1
    assert f"The sitemaps could not all be fetched: {home}/s2.xml (HTTP 500" in ended.out
    assert "The sitemaps name 1 article" in ended.out


def test_fetch_belongs_to_archive(curator: Curator, blog: Crawler) -> None:
    ended = curator("audit", blog.file, "--corpus", blog.corpus, "--fetch")
    assert ended.code == 2
    assert "say both" in ended.err


@pytest.mark.parametrize(
    "html",
    [
        '<div class="related-posts"><ul><li><a href="/hirek/3-hid-epul">A bridge</a></li></ul></div>',
        '<aside class="widget widget_recent_entries"><a href="/hirek/3-hid-epul">A bridge</a></aside>',
        '<ul class="wp-block-latest-posts"><li><a href="/hirek/3-hid-epul">A bridge</a></li></ul>',
        '<section id="latest-news"><a href="/hirek/3-hid-epul">A bridge</a></section>',
    ],
)
def test_boxes_of_related_and_latest_articles_name_articles_that_a_later_walk_must_have_seen(
    curator: Curator, corpus: SmallCorpus, html: str
) -> None:
    corpus.store((HERE, page("Komp").replace(b"</article>", f"</article>{html}".encode())))
    told = _told(curator, corpus)
    assert [(one["url"], one["sources"]) for one in told["unlisted"]] == [(MISSING, ["beside"])]
