"""`articles.next` is followed as it stands; what is another article is refused, and told. By crawls of scripted portals."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from ledgers import differences
from scripted_portal import BROKEN, Crawler, Reply, ScriptedPortal, listing, scripted_portal

from webarticlecurator.crawling import further_pages

OK = 0
ARCHIVE = 'archive: {url: "HOME/l/{page}", pages: infinite, item: li.t}\n'


@pytest.fixture
def portal() -> Iterator[ScriptedPortal]:
    with scripted_portal() as served:
        yield served


@pytest.fixture
def crawler(curator: Callable[..., Any], tmp_path: Path, portal: ScriptedPortal) -> Crawler:
    return Crawler(curator, tmp_path, portal, ARCHIVE + "articles: {next: a.tovabb}\n")


def part(word: str, next: str = "", *, title: str = "Híd épül", canonical: str = "") -> str:
    """A page of an article: one word of its own, and the link to the next one."""
    head = f"<link rel=canonical href='{canonical}'>" if canonical else ""
    arrow = f"<a class=tovabb href='{next}'>tovább</a>" if next else ""
    text = f"<p>Itt pedig {word} áll, és mellette még néhány mondat a hídról. " * 5
    return f"<html><head><title>{title}</title>{head}</head><body><article><h1>{title}</h1>{text}</article>{arrow}</body></html>"


def chain(portal: ScriptedPortal, *pages: str) -> list[str]:
    """An article of these pages, each of which leads to the next one; gives the word of each."""
    words = ["elso", "masodik", "harmadik", "negyedik"][: len(pages)]
    portal.script["/l/1"] = listing(pages[0])
    for word, page, following in zip(words, pages, (*pages[1:], ""), strict=True):
        portal.script[page] = part(word, following)
    return words


def documents(crawler: Crawler) -> list[str]:
    """The documents that a build makes of what was crawled."""
    assert crawler.curator("build", crawler.file, "--corpus", crawler.corpus, "--jobs", 1).code == OK
    return [path.read_text(encoding="utf-8") for path in sorted((crawler.corpus / "tei").rglob("*.xml"))]


def words_in(document: str, words: list[str]) -> list[str]:
    return [word for word in words if f"pedig {word} áll" in document]


def led(crawler: Crawler) -> list[str]:
    """What problems.jsonl says of `articles.next`, without the host."""
    return [line["reason"].replace(crawler.portal.home, "") for line in crawler.problems if line["reason"].startswith("articles.next")]


PAGERS = {
    "a query only on the second page": ("/c/hid", "/c/hid?oldal=2", "/c/hid?oldal=3"),
    "a query only on the first page": ("/c/hid?print=no", "/c/hid-2", "/c/hid-3"),
    "numbers of four and more digits": ("/c/hid/1001", "/c/hid/1002", "/c/hid/10003"),
    "cursors": ("/c/hid", "/c/hid?after=Zm9v", "/c/hid?after=YmFy"),
    "offsets behind a topic's number": ("/c/t.php?topic=123.0", "/c/t.php?topic=123.20", "/c/t.php?topic=123.40"),
    "from the last page to the first": ("/c/hid?oldal=4", "/c/hid?oldal=3", "/c/hid?oldal=2", "/c/hid?oldal=1"),
    "from the last page, which has no number": ("/c/hid", "/c/hid/3", "/c/hid/2", "/c/hid/1"),
    "a folder below a file": ("/c/hid.html", "/c/hid.html/2", "/c/hid.html/3"),
    "a folder in the place of a file": ("/c/hid.html", "/c/hid/2", "/c/hid/3"),
    "a file type only on the first page": ("/c/hid.html", "/c/hid,2", "/c/hid,3"),
    "steps of more than one": ("/c/hid/1", "/c/hid/21", "/c/hid/41"),
    "several parameters at once": ("/c/hid?p=1&s=a", "/c/hid?p=2&s=b", "/c/hid?p=3&s=c"),
    "paths with nothing in common": ("/c/hid", "/c/x/hid-epul-folytatas", "/c/masutt/veg"),
}


@pytest.mark.parametrize("pages", PAGERS.values(), ids=PAGERS)
def test_an_article_is_fetched_and_built_whole_whatever_its_pager_looks_like(crawler: Crawler, pages: tuple[str, ...]) -> None:
    words = chain(crawler.portal, *pages)
    assert crawler.crawl() == OK
    assert crawler.portal.articles_asked == list(pages)
    assert crawler.outcomes == {pages[0]: "fetched"}
    assert led(crawler) == []
    (document,) = documents(crawler)
    assert words_in(document, words) == words
    assert crawler.crawl("--articles-only") == OK
    assert crawler.portal.articles_asked == []


def test_a_rule_that_gives_all_numbers_of_a_pager_leads_through_all_pages_once(crawler: Crawler) -> None:
    pages = [f"/c/hid?p={number}" for number in (1, 2, 3)]
    pager = "".join(f"<a class=tovabb href='{page}'>{page[-1]}</a>" for page in pages)
    crawler.portal.script |= {page: part(page[-1]) + pager for page in pages} | {"/l/1": listing(pages[0])}
    assert crawler.crawl() == OK
    assert crawler.portal.articles_asked == pages


def test_such_an_article_goes_on_where_an_earlier_crawl_was_cut_off(crawler: Crawler) -> None:
    pages = [f"/c/hid?p={number}" for number in (1, 2, 3, 4)]
    pager = "".join(f"<a class=tovabb href='{page}'>{page[-1]}</a>" for page in pages)
    crawler.portal.script |= {page: part(page[-1]) + pager for page in pages} | {"/l/1": listing(pages[0])}
    kept, crawler.portal.script[pages[2]] = crawler.portal.script[pages[2]], BROKEN
    crawler.crawl()
    crawler.portal.script[pages[2]] = kept
    assert crawler.crawl() == OK
    assert crawler.portal.articles_asked == pages[2:]


def test_a_page_may_lie_on_any_host_of_the_portal(crawler: Crawler) -> None:
    elsewhere = crawler.portal.home.replace("127.0.0.1", "localhost")
    chain(crawler.portal, "/c/1", f"{elsewhere}/c/1/2")
    crawler.portal.script["/c/1/2"] = part("masodik")
    crawler.rules = crawler.rules.replace("item: li.t", "item: li.t, urls: {hosts: [localhost]}")
    crawler.fetch = "fetch: {delay: 0s, retries: 0, timeout: 5s, private_hosts: [localhost]}\n"
    assert crawler.crawl() == OK
    assert crawler.portal.articles_asked == ["/c/1", "/c/1/2"]


def test_a_page_on_a_foreign_host_is_not_fetched_and_told_with_what_would_allow_it(crawler: Crawler) -> None:
    chain(crawler.portal, "/c/1", "http://idegen.example/c/1/2")
    assert crawler.crawl() == OK
    (told,) = led(crawler)
    assert told.startswith("articles.next (a.tovabb) led from /c/1 to http://idegen.example/c/1/2, which is on no host of the portal")
    assert "urls: {hosts: [idegen.example]}" in told


def test_a_rule_that_came_later_brings_the_further_pages_of_what_was_fetched_before(crawler: Crawler) -> None:
    words = chain(crawler.portal, "/c/1", "/c/1?p=2", "/c/1?p=3")
    crawler.rules = ARCHIVE
    assert crawler.crawl() == OK
    crawler.portal.script["/c/1"] = Reply(status=304)
    crawler.rules = ARCHIVE + "articles: {next: a.tovabb}\n"
    assert crawler.crawl("--articles-only", "--recheck", "30d") == OK
    assert crawler.portal.articles_asked == ["/c/1", "/c/1?p=2", "/c/1?p=3"]
    (document,) = documents(crawler)
    assert words_in(document, words) == words


def test_a_further_page_that_is_gone_is_told_as_that_and_stays_in_the_document(crawler: Crawler) -> None:
    words = chain(crawler.portal, "/c/1", "/c/1?p=2")
    assert crawler.crawl() == OK
    crawler.portal.script["/c/1?p=2"] = Reply("<p>Elment.", status=404)
    assert crawler.crawl("--recheck", "30d") == OK
    assert "gone" not in crawler.said
    assert [(one["outcome"], one["reason"]) for one in crawler.status()["not_again"]] == [("gone", "its page 2, HTTP 404")]
    (document,) = documents(crawler)
    assert words_in(document, words) == words


def test_what_the_portal_file_skips_is_not_asked_for_again_and_stays_as_it_is(crawler: Crawler) -> None:
    chain(crawler.portal, "/c/1")
    chain(crawler.portal, "/c/2")
    crawler.portal.script["/l/1"] = listing("/c/1", "/c/2")
    assert crawler.crawl() == OK
    crawler.rules = ARCHIVE + "articles: {skip: {url: [/c/1]}}\n"
    assert crawler.crawl("--recheck", "30d") == OK
    assert crawler.portal.articles_asked == ["/c/2"]
    assert crawler.status()["outcomes"] == {"fetched": 2}


class TestAnotherArticle:
    """The only guard: what is known as another article, or says so itself."""

    def test_a_link_that_the_archive_lists_is_refused_with_a_line_that_names_the_rule(self, crawler: Crawler) -> None:
        crawler.portal.script |= {
            "/l/1": listing("/c/1", "/c/2"),
            "/c/1": part("elso", "/c/1?p=2"),
            "/c/1?p=2": part("masodik", "/c/2"),
            "/c/2": part("mas", title="Iskola nyílik"),
        }
        assert crawler.crawl() == OK
        assert sorted(crawler.portal.articles_asked) == ["/c/1", "/c/1?p=2", "/c/2"]
        (told,) = led(crawler)
        assert told.startswith("articles.next (a.tovabb) led from /c/1?p=2 to /c/2, which is another article: ")
        assert [line["url"].removeprefix(crawler.portal.home) for line in crawler.problems] == ["/c/1"]

    def test_the_identity_tells_another_article_too(self, crawler: Crawler) -> None:
        crawler.rules = ARCHIVE + "articles: {next: a.tovabb, identity: '-(\\d+)'}\n"
        crawler.portal.script |= {
            "/l/1": listing("/c/hid-1", "/c/iskola-2"),
            "/c/hid-1": part("elso", "/c/uj-cim-2"),
            "/c/iskola-2": part("mas", title="Iskola nyílik"),
        }
        assert crawler.crawl() == OK
        assert crawler.portal.articles_asked == ["/c/hid-1", "/c/iskola-2"]
        assert "led from /c/hid-1 to /c/uj-cim-2, which is another article" in led(crawler)[0]

    def test_a_listed_page_of_the_same_identity_is_followed(self, crawler: Crawler) -> None:
        crawler.rules = ARCHIVE + "articles: {next: a.tovabb, identity: '/c/(\\d+)'}\n"
        crawler.portal.script |= {"/l/1": listing("/c/1", "/c/1/2"), "/c/1": part("elso", "/c/1/2"), "/c/1/2": part("masodik")}
        assert crawler.crawl() == OK
        assert crawler.outcomes == {"/c/1": "fetched", "/c/1/2": "duplicate"}
        assert led(crawler) == []

    @pytest.fixture
    def astray(self, crawler: Crawler) -> Crawler:
        """The second page leads to an article that the archive does not list yet."""
        home = crawler.portal.home
        crawler.portal.script |= {
            "/l/1": listing("/c/1"),
            "/c/1": part("elso", "/c/1?p=2", canonical=f"{home}/c/1"),
            "/c/1?p=2": part("masodik", "/c/9", canonical=f"{home}/c/1"),
            "/c/9": part("mas", "/c/8", title="Iskola nyílik", canonical=f"{home}/c/9"),
        }
        assert crawler.crawl() == OK
        return crawler

    def test_a_page_with_a_canonical_url_and_a_headline_of_its_own_is_none_of_the_article(self, astray: Crawler) -> None:
        assert astray.portal.articles_asked == ["/c/1", "/c/1?p=2", "/c/9"]
        assert astray.outcomes == {"/c/1": "fetched"}
        (told,) = led(astray)
        assert told.startswith("articles.next (a.tovabb) led from /c/1?p=2 to /c/9, which is another article: ")
        assert "'Iskola nyílik'" in told
        assert "'Híd épül'" in told
        (document,) = documents(astray)
        assert words_in(document, ["elso", "masodik", "mas"]) == ["elso", "masodik"]
        assert led(astray) == [told]

    def test_it_is_stored_but_not_asked_again(self, astray: Crawler) -> None:
        stored = b"".join(gzip.decompress(path.read_bytes()) for path in (astray.corpus / "warc").glob("*-articles-*"))
        assert b"pedig mas" in stored
        assert astray.crawl() == OK
        assert astray.portal.articles_asked == []
        assert len(led(astray)) == 1

    def test_it_becomes_an_article_of_its_own_when_the_archive_lists_it(self, astray: Crawler) -> None:
        astray.portal.script["/l/1"] = listing("/c/9", "/c/1")
        assert astray.crawl() == OK
        assert astray.outcomes == {"/c/1": "fetched", "/c/9": "fetched"}
        assert sorted(words_in(one, ["elso", "mas"])[0] for one in documents(astray)) == ["elso", "mas"]

    def test_a_ledger_made_again_from_the_warcs_knows_the_same(self, astray: Crawler, tmp_path: Path) -> None:
        ledger, first = astray.corpus / "ledger.sqlite", tmp_path / "first.sqlite"
        ledger.replace(first)
        assert astray.curator("warc", "index", astray.file, "--corpus", astray.corpus).code == OK
        assert differences(first, ledger) == []

    def test_the_line_goes_when_the_article_was_read_again_without_it(self, astray: Crawler) -> None:
        astray.portal.script["/c/1?p=2"] = part("masodik")
        astray.portal.script["/c/1"] = part("elso javitva", "/c/1?p=2")
        assert astray.crawl("--articles-only", "--recheck", "30d") == OK
        assert led(astray) == []

    @pytest.mark.parametrize(
        ("title", "canonical"),
        [
            ("Híd épül", "/c/9"),  # the same headline
            ("Híd épül – 2. oldal", "/c/1/2"),  # as good as the same
            ("A pillérek", "/c/1"),  # the first page's address
            ("A pillérek", "/c/1/2"),  # an address below that
            ("A pillérek", ""),  # none
        ],
    )
    def test_one_of_the_two_alone_says_nothing(self, crawler: Crawler, title: str, canonical: str) -> None:
        crawler.portal.script |= {
            "/l/1": listing("/c/1"),
            "/c/1": part("elso", "/c/1/2"),
            "/c/1/2": part("masodik", title=title, canonical=canonical and crawler.portal.home + canonical),
        }
        assert crawler.crawl() == OK
        assert led(crawler) == []
        (document,) = documents(crawler)
        assert words_in(document, ["elso", "masodik"]) == ["elso", "masodik"]


def test_an_article_of_too_many_pages_is_told(crawler: Crawler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(further_pages, "MOST_PARTS", 3)
    chain(crawler.portal, "/c/1", "/c/1?p=2", "/c/1?p=3", "/c/1?p=4")
    assert crawler.crawl() == OK
    assert crawler.portal.articles_asked == ["/c/1", "/c/1?p=2", "/c/1?p=3"]
    assert led(crawler) == ["articles.next (a.tovabb) led from /c/1?p=3 to /c/1?p=4, but an article may have 3 pages at most"]


class TestNoRuleFollows:
    """An article shows that it goes on, and no rule leads there: `try` tells it, `crawl` and `build` count it, `audit` gives the rule."""

    @pytest.fixture
    def unruly(self, crawler: Crawler) -> Crawler:
        """Two articles of two pages each, a pager of numbers, and a rule that finds nothing."""
        crawler.rules = ARCHIVE + "articles: {next: a.nincs}\n"
        crawler.portal.script["/l/1"] = listing(1, 2, 3)
        crawler.portal.script["/c/3"] = part("egyetlen")
        for number in (1, 2):
            pager = f"<div class='lapozo x{number}'><b>1</b> <a href='/c/{number}?p=2'>2</a></div>"
            crawler.portal.script[f"/c/{number}"] = part("elso").replace("</body>", f"{pager}</body>")
            crawler.portal.script[f"/c/{number}?p=2"] = part("masodik")
        return crawler

    def told(self, crawler: Crawler, *command: object) -> str:
        ended = crawler.curator(command[0], crawler.file, *command[1:], "--corpus", crawler.corpus)
        return str((ended.out + ended.err).replace(crawler.portal.home, ""))

    def test_crawl_and_build_count_them(self, unruly: Crawler) -> None:
        count = '2 articles seem to have further pages where articles.next does not lead, such as /c/1 (a link "2" to /c/1?p=2)'
        assert unruly.crawl() == OK
        assert count in unruly.said.replace(unruly.portal.home, "")
        assert count in self.told(unruly, "build")
        assert count in self.told(unruly, "build"), "also when nothing was built anew"

    def test_a_crawl_that_needs_no_look_into_the_pages_leaves_the_counting_to_the_build(self, unruly: Crawler) -> None:
        unruly.rules = ARCHIVE
        assert unruly.crawl() == OK
        assert "further pages" not in unruly.said
        assert "2 articles seem to have further pages" in self.told(unruly, "build")

    def test_programs_read_the_count(self, unruly: Crawler) -> None:
        expected = {"articles": 2, "url": f"{unruly.portal.home}/c/1", "sign": f'a link "2" to {unruly.portal.home}/c/1?p=2'}
        ended = unruly.curator("crawl", unruly.file, "--corpus", unruly.corpus, "--json")
        assert json.loads(ended.out)["going_on"] == expected
        assert json.loads(unruly.curator("build", unruly.file, "--corpus", unruly.corpus, "--json").out)["going_on"] == expected

    def test_try_tells_it(self, unruly: Crawler) -> None:
        unruly.crawl()
        told = self.told(unruly, "try", f"{unruly.portal.home}/c/1")
        assert 'next page of the article: none\n    but it seems to go on (a link "2" to /c/1?p=2): articles.next' in told
        assert "seems to go on" not in self.told(unruly, "try", f"{unruly.portal.home}/c/3")

    def test_audit_gives_the_rule_and_with_it_the_articles_become_whole(self, unruly: Crawler) -> None:
        unruly.crawl()
        audit = unruly.curator("audit", unruly.file, "--corpus", unruly.corpus, "--jobs", 1, "--json")
        (finding,) = (one for one in json.loads(audit.out)["findings"] if one["kind"] == "pages-not-followed")
        assert finding["pages"] == 2
        assert finding["rule"] == "articles: {next: 'div.lapozo a'}"
        assert finding["tag"] == "div.lapozo a"
        assert [example["url"].removeprefix(unruly.portal.home) for example in finding["examples"]] == ["/c/1", "/c/2"]
        assert "rule: articles: {next: 'div.lapozo a'}" in self.told(unruly, "audit", "--jobs", 1)

        unruly.rules = ARCHIVE + finding["rule"] + "\n"
        assert unruly.crawl("--recheck", "30d") == OK
        assert [words_in(document, ["elso", "masodik"]) for document in documents(unruly)].count(["elso", "masodik"]) == 2
        assert "further pages" not in unruly.said
        assert "pages-not-followed" not in self.told(unruly, "audit", "--jobs", 1)
