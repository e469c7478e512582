"""`curator audit --archive`: articles that a site's own feeds and sitemaps name and the corpus does not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import BROKEN, Crawler, Reply, ScriptedPortal, listing, sitemap_index, urlset
from small_corpus import SmallCorpus

RULES = "archive: {url: HOME/l, item: li.t, next: a.next}\n"


def _audit(curator: Any, file: Path, corpus: Path, *flags: object) -> Any:
    return curator("audit", file, "--archive", "--corpus", corpus, "--jobs", "1", *flags)


def _source(told: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in told["sources"] if one["source"] == name)


def test_without_a_ledger_it_says_what_makes_one(curator: Any, corpus: SmallCorpus) -> None:
    ended = _audit(curator, corpus.portal.sources[0].path, corpus.base / "nowhere")
    assert ended.code == 2
    assert "` begins it" in ended.err and "`curator crawl " in ended.err


@pytest.fixture
def blog(crawler: Crawler) -> Crawler:
    """Ten articles, of which the archive lists all but 4 and 7; the feed names the last six."""
    crawler.portal.script |= {
        "/": "<link rel=alternate type=application/rss+xml href=/feed.rss>",
        "/l": listing(10, 9, 8, 6, 5, next="/l/2"),
        "/l/2": listing(3, 2, 1),
        "/feed.rss": Reply(_feed(10, 9, 8, 7, 6, 4), kind="application/rss+xml"),
    }
    assert crawler.crawl() == 0, crawler.said
    crawler.portal.asked.clear()
    return crawler


def _feed(*articles: int) -> str:
    items = "".join(f"<item><link>/c/{one}</link><pubDate>Mon, 06 Sep 2021 00:01:00 GMT</pubDate></item>" for one in articles)
    return f"<rss><channel>{items}</channel></rss>"


def test_what_the_feed_names_and_the_archive_does_not_is_told_by_source(curator: Any, blog: Crawler) -> None:
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--json").out)
    assert ended.code == told["exit_code"] == 1
    assert "The feed names 6 articles: 4 are in the ledger, 2 are not (33.3%)" in ended.out
    assert [(one["url"], one["sources"]) for one in told["unlisted"]] == [(f"{blog.portal.home}/c/{number}", ["feed"]) for number in (7, 4)]
    feed = _source(told, "feed")
    assert (feed["named"], feed["known"], feed["missing"]) == (6, 4, 2)
    assert "may list only the newest" in feed["read"]


def test_before_any_article_is_fetched_the_lists_say_what_may_be_one(curator: Any, blog: Crawler, tmp_path: Path) -> None:
    blog.portal.script["/sitemap.xml"] = urlset(*(f"{blog.portal.home}/c/{number}" for number in range(1, 11)))
    curator("crawl", blog.file, "--archive-only", "--corpus", tmp_path / "lists", "--contact", "me@example.org")
    ended = _audit(curator, blog.file, tmp_path / "lists", "--fetch", "--contact", "me@example.org")
    assert "The sitemaps name 10 articles: 8 are in the ledger, 2 are not (20.0%)" in ended.out


def test_sitemaps_are_compared_and_what_can_be_no_article_is_told(curator: Any, blog: Crawler) -> None:
    home = blog.portal.home
    sitemap = urlset(*(f"{home}/{path}" for path in ("c/1", "c/2", "c/4", "c/7", "c/10", "", "rolunk")))
    blog.portal.script |= {"/sitemap.xml": sitemap, "/feed.rss": Reply(_feed(10, 9, 8))}
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--json").out)
    assert "The sitemaps name 5 articles: 3 are in the ledger, 2 are not (40.0%)" in ended.out
    assert {one["url"] for one in told["unlisted"]} == {f"{home}/c/4", f"{home}/c/7"}
    assert f"Next: `curator crawl {blog.file} --full` finds what" in ended.err.replace(f" --corpus {blog.corpus}", "")
    assert _source(told, "sitemap")["others"] == [[1, f"{home}/rolunk"]]
    assert f"passed over, since no article of the portal has such an address: 1 such as {home}/rolunk" in ended.out


def test_what_the_root_of_the_host_names_is_missing_of_a_portal_in_a_folder_of_it(crawler: Crawler, site: ScriptedPortal) -> None:
    site.script |= {"/pt/": listing(1), "/sitemap.xml": urlset(f"{site.home}/c/2")}
    crawler.rules = "archive: {url: '{home}', item: li.t, pages: none}\n"
    crawler.head = crawler.head.replace("HOME/", "HOME/pt/")
    assert crawler.crawl() == 1, crawler.said
    told = json.loads(crawler.run("audit", "--archive", "--jobs", 1, "--fetch", "--json").out)
    assert [one["url"] for one in told["unlisted"]] == [f"{site.home}/c/2"]


def test_a_site_without_sitemaps_is_told_where_they_were_looked_for_and_nothing_of_their_end(curator: Any, blog: Crawler) -> None:
    blog.portal.script["/robots.txt"] = Reply("User-agent: *\nDisallow:\n", kind="text/plain")
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--json").out)
    home = blog.portal.home
    assert f"No sitemap was found: {home}/robots.txt (it lists nothing), {home}/sitemap.xml (HTTP 404), " in ended.out
    assert "The sitemaps name" not in ended.out
    assert "its end was not reached" not in ended.out
    sitemap = _source(told, "sitemap")
    assert (sitemap["read"], len(sitemap["looked_at"]), _source(told, "feed")["looked_at"]) == ("", 5, [])


@pytest.mark.parametrize(("known", "unlisted"), [((), set()), (("/tags/a-ferry/",), {"/tags/tide-tables/"})])
def test_lists_of_authors_topics_and_sections_in_a_sitemap_are_no_articles_unless_articles_have_such_addresses(
    crawler: Crawler, site: ScriptedPortal, known: tuple[str, ...], unlisted: set[str]
) -> None:
    lists = "/authors/ida-thornbeck/", "/tags/tide-tables/", "/categories/field-notes/", "/essays/salt-without-a-signature/"
    articles = "/blog/the-long-winter/", *known
    listed = "".join(f'<li class=t><a href="{path}">x</a></li>' for path in articles)
    site.script |= {"/l": listed, "/sitemap.xml": urlset(*(site.home + path for path in lists))}
    site.script |= dict.fromkeys(articles, "<h1>Winter</h1><p>It was long.")
    crawler.rules = "archive: {url: HOME/l, item: li.t, pages: none}\n"
    assert crawler.crawl() == 0, crawler.said
    told = json.loads(crawler.run("audit", "--archive", "--jobs", 1, "--fetch", "--json").out)
    home = site.home
    assert {one["url"].removeprefix(home) for one in told["unlisted"]} == unlisted | {"/essays/salt-without-a-signature/"}


def test_only_fetch_asks_the_site_and_what_it_read_is_compared_from_then_on(curator: Any, blog: Crawler) -> None:
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


def test_a_feed_whose_links_lead_to_another_site_is_told_as_such(curator: Any, blog: Crawler) -> None:
    blog.portal.script["/feed.rss"] = Reply(_feed(10, 9).replace("<link>", "<link>https://example.com"), kind="application/rss+xml")
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    assert "this feed never listed an article of this site; look at its address, and where its links lead" in ended.out


def test_a_fetch_that_failed_says_so_and_is_not_well(curator: Any, blog: Crawler) -> None:
    blog.portal.script |= dict.fromkeys(("/", "/feed.rss", "/sitemap.xml"), BROKEN)
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    assert ended.code == 1
    assert f"The feed could not be fetched: {blog.portal.home}/" in ended.out
    assert f"The sitemaps could not be fetched: {blog.portal.home}/sitemap.xml (HTTP 500" in ended.out
    assert "nothing came that could be compared" in ended.out
    assert "No feed was found" not in ended.out
    assert "--archive --fetch` asks for them again" in ended.err.splitlines()[-1]
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--fetch", "--json").out)
    assert (told["exit_code"], told["complete"]) == (1, False)
    assert ("HTTP 500" in _source(told, "feed")["failed"], _source(told, "feed")["fetched_at"]) == (True, None)
    assert _audit(curator, blog.file, blog.corpus).code == 1, "what was asked for is still not there to be compared"


def test_sitemaps_that_answer_with_a_failure_are_not_well_though_a_feed_was_read(curator: Any, blog: Crawler) -> None:
    blog.portal.script |= {"/sitemap.xml": BROKEN, "/feed.rss": Reply(_feed(10, 9, 8), kind="application/rss+xml")}
    for flags in (("--fetch",), ()):
        ended = _audit(curator, blog.file, blog.corpus, *flags)
        assert "The feed names 3 articles: 3 are in the ledger" in ended.out
        assert f"The sitemaps could not be fetched: {blog.portal.home}/sitemap.xml (HTTP 500" in ended.out
        assert ended.code == 1
    blog.portal.script["/sitemap.xml"] = Reply("gone", 404)
    assert _audit(curator, blog.file, blog.corpus, "--fetch").code == 0, "many sites have but one of the two"


def test_sitemaps_of_which_a_part_failed_are_told_as_not_read_to_their_end(curator: Any, blog: Crawler) -> None:
    home = blog.portal.home
    index = sitemap_index(f"{home}/s1.xml", f"{home}/s2.xml")
    parts = {"/s1.xml": urlset(f"{home}/c/10"), "/s2.xml": BROKEN}
    blog.portal.script |= {"/sitemap.xml": index, **parts, "/feed.rss": Reply(_feed(10, 9, 8))}
    ended = _audit(curator, blog.file, blog.corpus, "--fetch")
    assert ended.code == 1
    assert f"The sitemaps could not all be fetched: {home}/s2.xml (HTTP 500" in ended.out
    assert "The sitemaps name 1 article" in ended.out


NAMED = {
    "/c/10?utm_source=x": "known, but for what never parts two articles",
    "/c/10#comments": "the page itself",
    "//www.HOST/c/10/": "known, with another host's name",
    "https://masik.example/c/11": "another host",
    "/pr/11": "urls.exclude",
    "/galeria/11": "articles.skip.url",
    "/l": "an archive page",
    "/": "the front page",
    "http://[::1/x": "no address",
}


@pytest.mark.parametrize(("href", "why"), NAMED.items(), ids=NAMED.values())
def test_what_no_article_of_the_portal_can_be_or_what_is_known_is_not_listed(curator: Any, blog: Crawler, href: str, why: str) -> None:
    rules = "archive: {url: HOME/l, item: li.t, next: a.next, urls: {exclude: [/pr/], drop_params: ['utm_*']}}\n"
    blog.rules = f"{rules}articles: {{skip: {{url: [/galeria/]}}}}\n"
    href = href.replace("HOST", blog.portal.home.partition("://")[2])
    items = "".join(f"<item><link>{one}</link></item>" for one in (href, "/c/99"))
    blog.portal.script["/feed.rss"] = Reply(f"<rss><channel>{items}</channel></rss>", kind="application/rss+xml")
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--fetch", "--json").out)
    assert [one["url"] for one in told["unlisted"]] == [f"{blog.portal.home}/c/99"], why


def test_what_lies_beyond_the_dates_of_the_archive_is_no_hole(curator: Any, blog: Crawler) -> None:
    blog.rules = "archive: {url: HOME/l, item: li.t, next: a.next, stop: {after: 2021-09-07}}\n"
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--fetch", "--json").out)
    assert (told["exit_code"], told["total"], told["at_the_edge"]) == (0, 0, 2)
    said = _audit(curator, blog.file, blog.corpus).out
    assert "perhaps beyond the beginning or the end of the archive that the portal file describes: 2" in said
    assert "All others are in the ledger" in said


def test_what_lies_between_the_dates_of_two_columns_is_not_beyond_them(curator: Any, blog: Crawler) -> None:
    blog.rules = (
        "archive: {url: 'HOME/{year}-{month}', item: li.t}\n"
        "columns: {a: {dates: {from: 2021-01-01, until: 2021-08-31}}, b: {dates: {from: 2021-10-01}}}\n"
    )
    told = json.loads(_audit(curator, blog.file, blog.corpus, "--fetch", "--json").out)
    assert (told["exit_code"], told["total"], told["at_the_edge"]) == (1, 2, 0)
    blog.rules = blog.rules.replace("2021-08-31", "2021-08-15").replace("2021-10-01", "2021-09-07").replace("{month}", "{month}-{day}")
    assert json.loads(_audit(curator, blog.file, blog.corpus, "--json").out)["total"] == 2
    blog.rules = blog.rules.replace("from: 2021-01-01, until: 2021-08-15", "from: 2021-09-09")
    assert json.loads(_audit(curator, blog.file, blog.corpus, "--json").out)["at_the_edge"] == 2


def test_addresses_like_those_of_articles_that_the_portal_file_leaves_out_are_counted(curator: Any, blog: Crawler) -> None:
    sitemap = urlset(*(f"{blog.portal.home}/c/{number}" for number in range(1, 11)))
    blog.portal.script |= {"/sitemap.xml": sitemap, "/feed.rss": Reply(_feed(10, 9))}
    blog.rules = "archive: {url: HOME/l, item: li.t, next: a.next, urls: {only: ['/c/(?:[1-3]|[5689]|10)$']}}\n"
    said = _audit(curator, blog.file, blog.corpus, "--fetch").out
    assert f"2 addresses like those of articles are left out by the portal file, such as {blog.portal.home}/c/4 (urls.only)" in said
    assert "All others are in the ledger" in said
