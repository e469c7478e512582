"""`articles.next` is followed as it stands; what is another article is refused, and told. By crawls of scripted portals."""

from __future__ import annotations

import json
from typing import Any

import pytest
from case_files import cases
from scripted_portal import BROKEN, Crawler, Reply, listing

from webarticlecurator import load_portal, read_corpus

OK, NOT_WHOLE = 0, 1
ARCHIVE = 'archive: {url: "HOME/l/{page}", pages: infinite, item: li.t}\n'
RULES = ARCHIVE + "articles: {next: a.tovabb}\n"
WORDS = ["elso", "masodik", "harmadik", "negyedik"]


def part(word: str, next: str = "", *, title: str = "Híd épül", canonical: str = "", more: str = "") -> str:
    """A page of an article: one word of its own, and the link to the next one."""
    head = f"<link rel=canonical href='{canonical}'>" if canonical else ""
    arrow = f"<a class=tovabb href='{next}'>tovább</a>" if next else ""
    text = f"<p>Itt pedig {word} áll, és mellette még néhány mondat a hídról. " * 5
    return f"<html><head><title>{title}</title>{head}</head><body><article><h1>{title}</h1>{text}</article>{arrow}{more}</body></html>"


def chain(crawler: Crawler, *pages: str) -> None:
    """An article of these pages, each of which leads to the next one."""
    crawler.portal.script["/l/1"] = listing(pages[0])
    for word, page, following in zip(WORDS, pages, (*pages[1:], ""), strict=False):
        crawler.portal.script[page] = part(word, following)


def crawled(crawler: Crawler) -> dict[str, list[str]]:
    """Path of each article -> the words of its pages that its text has."""
    read = read_corpus(load_portal(crawler.file), corpus=crawler.corpus)
    return {
        article.url.removeprefix(crawler.portal.home): [word for word in (*WORDS, "mas") if f"pedig {word} áll" in article.text]
        for article in read
    }


def led(crawler: Crawler) -> list[str]:
    """What problems.jsonl says of `articles.next`, without the host."""
    return [line["reason"].replace(crawler.portal.home, "") for line in crawler.problems if line["reason"].startswith("articles.next")]


PAGERS = {
    "a query only on the second page": ("/c/hid", "/c/hid?oldal=2", "/c/hid?oldal=3"),
    "from the last page to the first": ("/c/hid?oldal=4", "/c/hid?oldal=3", "/c/hid?oldal=2", "/c/hid?oldal=1"),
    "a folder below a file": ("/c/hid.html", "/c/hid.html/2", "/c/hid.html/3"),
    "paths with nothing in common": ("/c/hid", "/c/x/hid-epul-folytatas", "/c/masutt/veg"),
}


@pytest.mark.parametrize("pages", PAGERS.values(), ids=PAGERS)
def test_an_article_is_fetched_and_read_whole_whatever_its_pager_looks_like(crawler: Crawler, pages: tuple[str, ...]) -> None:
    chain(crawler, *pages)
    assert crawler.crawl() == OK
    assert crawler.portal.articles_asked == list(pages)
    assert crawler.outcomes == {pages[0]: "fetched"}
    assert led(crawler) == []
    assert crawled(crawler) == {pages[0]: WORDS[: len(pages)]}
    assert crawler.crawl("--articles-only") == OK
    assert crawler.portal.articles_asked == []


@pytest.mark.parametrize("is_cut_off", [False, True])
def test_a_rule_that_gives_all_numbers_of_a_pager_leads_through_all_pages_once(crawler: Crawler, is_cut_off: bool) -> None:
    pages = [f"/c/hid?p={number}" for number in (1, 2, 3, 4)]
    pager = "".join(f"<a class=tovabb href='{page}'>{page[-1]}</a>" for page in pages)
    script = {page: part(page[-1], more=pager) for page in pages} | {"/l/1": listing(pages[0])}
    crawler.portal.script |= script | ({pages[2]: BROKEN} if is_cut_off else {})
    if is_cut_off:
        crawler.crawl()
        crawler.portal.script |= script
    assert crawler.crawl() == OK
    assert crawler.portal.articles_asked == (pages[2:] if is_cut_off else pages)


def test_a_page_on_a_foreign_host_is_not_fetched_and_told_with_what_would_allow_it(crawler: Crawler) -> None:
    chain(crawler, "/c/1", "http://idegen.example/c/1/2")
    assert crawler.crawl() == OK
    (told,) = led(crawler)
    assert told.startswith("articles.next (a.tovabb) led from /c/1 to http://idegen.example/c/1/2")
    assert "urls: {hosts: [idegen.example]}" in told


def test_a_rule_that_came_later_brings_the_further_pages_of_what_was_fetched_before(crawler: Crawler) -> None:
    chain(crawler, "/c/1", "/c/1?p=2", "/c/1?p=3")
    crawler.rules = ARCHIVE
    assert crawler.crawl() == NOT_WHOLE
    crawler.portal.script["/c/1"] = Reply(status=304)
    crawler.rules = RULES
    assert crawler.crawl("--articles-only", "--recheck", "30d") == OK
    assert crawler.portal.articles_asked == ["/c/1", "/c/1?p=2", "/c/1?p=3"]
    assert crawled(crawler) == {"/c/1": WORDS[:3]}


def test_a_further_page_that_is_gone_is_told_as_that_and_stays_in_the_article(crawler: Crawler) -> None:
    chain(crawler, "/c/1", "/c/1?p=2")
    assert crawler.crawl() == OK
    crawler.portal.script["/c/1?p=2"] = Reply("<p>Elment.", status=404)
    assert crawler.crawl("--recheck", "30d") == OK
    assert "gone" not in crawler.said
    assert [(one["outcome"], one["reason"]) for one in crawler.status()["not_again"]] == [("gone", "its page 2, HTTP 404")]
    assert crawled(crawler) == {"/c/1": WORDS[:2]}


def test_what_the_portal_file_skips_is_not_asked_for_again_and_stays_as_it_is(crawler: Crawler) -> None:
    crawler.portal.script |= {"/l/1": listing("/c/1", "/c/2"), "/c/1": part("elso"), "/c/2": part("elso")}
    assert crawler.crawl() == OK
    crawler.rules = ARCHIVE + "articles: {skip: {url: [/c/1]}}\n"
    assert crawler.crawl("--recheck", "30d") == OK
    assert crawler.portal.articles_asked == ["/c/2"]
    assert crawler.status()["outcomes"] == {"fetched": 2}


# --- what is known as another article, or says so itself ---


def test_a_link_that_the_archive_lists_is_refused_with_a_line_that_names_the_rule(crawler: Crawler) -> None:
    crawler.portal.script |= {
        "/l/1": listing("/c/1", "/c/2"),
        "/c/1": part("elso", "/c/1?p=2"),
        "/c/1?p=2": part("masodik", "/c/2"),
        "/c/2": part("mas", title="Iskola nyílik"),
    }
    assert crawler.crawl() == OK
    assert sorted(crawler.portal.articles_asked) == ["/c/1", "/c/1?p=2", "/c/2"]
    (told,) = led(crawler)
    assert told.startswith("articles.next (a.tovabb) led from /c/1?p=2 to /c/2, which is another article")
    assert [line["url"].removeprefix(crawler.portal.home) for line in crawler.problems] == ["/c/1"]


def test_a_rule_that_leads_from_article_to_article_is_told_with_an_example(crawler: Crawler) -> None:
    crawler.portal.script |= {"/l/1": listing(*(f"/c/{number}" for number in range(1, 6)))}
    crawler.portal.script |= {f"/c/{number}": part(f"szo{number}", f"/c/{number % 5 + 1}") for number in range(1, 6)}
    for _ in range(2):
        assert crawler.crawl() == NOT_WHOLE
        assert crawler.said.count("Failed: `articles.next` leads from 5 articles to what is no further page of them, which are most") == 1
        assert "which is another article: the archive lists" in crawler.said
    built = run(crawler, "build", "--jobs", 1, "--json")
    assert (built.code, json.loads(built.out)["missing_pages"]) == (OK, 0), "the rule is wrong, and no document lacks a page"
    crawler.rules = ARCHIVE
    assert crawler.crawl() == OK


def test_the_identity_tells_another_article_and_a_listed_page_of_the_same_article(crawler: Crawler) -> None:
    crawler.rules = ARCHIVE + "articles: {next: a.tovabb, identity: '-(\\d+)'}\n"
    crawler.portal.script |= {
        "/l/1": listing("/c/hid-1", "/c/iskola-2", "/c/hid-1/2"),
        "/c/hid-1": part("elso", "/c/hid-1/2"),
        "/c/hid-1/2": part("masodik", "/c/uj-cim-2"),
        "/c/iskola-2": part("mas", title="Iskola nyílik"),
    }
    assert crawler.crawl() == OK
    assert sorted(crawler.portal.articles_asked) == ["/c/hid-1", "/c/hid-1/2", "/c/iskola-2"]
    assert crawler.outcomes == {"/c/hid-1": "fetched", "/c/hid-1/2": "duplicate", "/c/iskola-2": "fetched"}
    assert "led from /c/hid-1/2 to /c/uj-cim-2, which is another article" in led(crawler)[0]


@pytest.fixture
def astray(crawler: Crawler) -> Crawler:
    """The second page leads to an article that the archive does not list yet."""
    home = crawler.portal.home
    crawler.portal.script |= {
        "/l/1": listing("/c/1"),
        "/c/1": part("elso", "/c/1?p=2", canonical=f"{home}/c/1"),
        "/c/1?p=2": part("masodik", "/c/9", canonical=f"{home}/c/1"),
        "/c/9": part("mas", "/c/8", title="Iskola nyílik", canonical=f"{home}/c/9"),
    }
    crawler.rules += 'not_collected: ["/c/[89]$"]\n'
    assert crawler.crawl() == OK
    return crawler


def test_a_page_with_a_canonical_url_and_a_headline_of_its_own_is_none_of_the_article_and_not_asked_again(astray: Crawler) -> None:
    assert astray.portal.articles_asked == ["/c/1", "/c/1?p=2", "/c/9"]
    assert astray.outcomes == {"/c/1": "fetched"}
    told = led(astray)
    assert len(told) == 1
    assert told[0].startswith("articles.next (a.tovabb) led from /c/1?p=2 to /c/9, which is another article: ")
    assert "'Iskola nyílik'" in told[0] and "'Híd épül'" in told[0]
    assert crawled(astray) == {"/c/1": ["elso", "masodik"]}
    for command in (("warc", "index"), ("crawl",)):
        if command[0] == "warc":
            (astray.corpus / "ledger.sqlite").unlink()
        astray.portal.asked.clear()
        assert astray.curator(*command, astray.file, "--corpus", astray.corpus).code == OK
        assert astray.portal.articles_asked == []
    assert (led(astray), astray.outcomes) == (told, {"/c/1": "fetched"})


@cases("title, canonical, first, is_another", "reading/cases/a-headline-and-a-canonical-url-make-another-article-but-neither-alone")
def test_a_headline_and_a_canonical_url_make_another_article_but_neither_alone(
    crawler: Crawler, title: str, canonical: str, first: str, is_another: bool
) -> None:
    own, other = (path and crawler.portal.home + path for path in (first, canonical))
    crawler.portal.script |= {
        "/l/1": listing("/c/1"),
        "/c/1": part("elso", "/c/1/2", canonical=own),
        "/c/1/2": part("masodik", title=title, canonical=other),
    }
    assert crawler.crawl() == OK
    assert (led(crawler) != []) is is_another
    assert crawled(crawler) == {"/c/1": WORDS[: 1 if is_another else 2]}


def test_an_archive_page_is_none_of_an_article(crawler: Crawler) -> None:
    crawler.portal.script |= {"/l/1": listing("/c/1", "/c/2"), "/c/1": part("elso", "/l/1"), "/c/2": part("masodik", "/l/1")}
    assert crawler.crawl() == OK
    assert crawler.portal.asked.count("/l/1") == 1
    assert sorted(led(crawler)) == [
        f"articles.next (a.tovabb) led from /c/{n} to /l/1, which is an archive page of column archive" for n in "12"
    ]
    assert crawled(crawler) == {"/c/1": WORDS[:1], "/c/2": WORDS[1:2]}


def test_a_page_belongs_to_one_article(crawler: Crawler) -> None:
    crawler.portal.script |= {
        "/l/1": listing("/c/1", "/c/2"),
        "/c/1": part("elso", "/c/rolunk"),
        "/c/2": part("masodik", "/c/rolunk"),
        "/c/rolunk": part("mas", title="Rólunk"),
    }
    assert crawler.crawl() == OK
    for again in (False, True):
        assert not again or crawler.crawl("--recheck", "30d") == OK
        assert ["to /c/rolunk, which was asked for as a further page of /c/" in told for told in led(crawler)] == [True]
        assert sorted(crawled(crawler).values()) in ([["elso"], ["masodik", "mas"]], [["elso", "mas"], ["masodik"]])


LIST = "<ul><li class=t><h2><a href=/c/2>Iskola</a></h2><li class=t><h2><a href=/c/3>Templom</a></h2></ul>"
FURTHER = {
    "a list": ("/temak/hid", "", LIST, False),
    "a page with what the first one has beside it, too": ("/temak/hid", LIST, LIST, True),
    "a page with other articles, at the address of the article": ("/c/1?p=2", "", LIST, True),
}


@pytest.mark.parametrize(("address", "beside_first", "more", "is_page"), FURTHER.values(), ids=FURTHER)
def test_what_lists_articles_as_the_archive_does_is_a_page_only_by_its_address(
    crawler: Crawler, address: str, beside_first: str, more: str, is_page: bool
) -> None:
    crawler.portal.script |= {
        "/l/1": listing("/c/1", "/c/4"),
        "/c/1": part("elso", address, more=beside_first),
        address: part("masodik", more=more),
        "/c/4": part("negyedik", address if not is_page else ""),
    }
    crawler.crawl()  # what these pages list is missing, too
    assert [address in told for told in led(crawler)] == ([] if is_page else [True, True])
    assert is_page or "which lists 2 articles by `archive.item`, such as /c/2" in led(crawler)[0]
    assert crawled(crawler) == {"/c/1": WORDS[: 1 + is_page], "/c/4": WORDS[3:]}


# --- an article shows that it goes on, and no rule leads there ---


@pytest.fixture
def unruly(crawler: Crawler) -> Crawler:
    """Two articles of two pages each, a pager of numbers, and a rule that finds nothing."""
    crawler.rules = ARCHIVE + "articles: {next: a.nincs}\n"
    crawler.portal.script |= {"/l/1": listing(1, 2, 3), "/c/3": part("elso")}
    for number in (1, 2):
        pager = f"<div class='lapozo x{number}'><b>1</b> <a href='/c/{number}?p=2'>2</a></div>"
        crawler.portal.script |= {f"/c/{number}": part("elso", more=pager), f"/c/{number}?p=2": part("masodik")}
    return crawler


def run(crawler: Crawler, *command: object) -> Any:
    return crawler.curator(command[0], crawler.file, *command[1:], "--corpus", crawler.corpus)


def test_crawl_and_build_count_articles_that_go_on_and_programs_read_the_count(unruly: Crawler) -> None:
    home = unruly.portal.home
    expected = {
        "articles": 2,
        "url": f"{home}/c/1",
        "sign": f'a link "2" to {home}/c/1?p=2',
        "rule": "articles.next (a.nincs)",
        "line": None,
    }
    shows = f'Failed: 2 articles show further pages where articles.next (a.nincs) does not lead, such as {home}/c/1 (a link "2" to'
    for command in (("crawl",), ("crawl",), ("build", "--jobs", 1), ("build", "--jobs", 1)):
        ended = run(unruly, *command, "--json", "--verbose")
        assert (ended.code, json.loads(ended.out)["going_on"]) == (NOT_WHOLE, expected)
        assert ended.err.count(shows) == 1


def test_where_there_is_no_rule_a_crawl_names_the_line_that_would_follow(unruly: Crawler) -> None:
    unruly.rules = ARCHIVE
    assert unruly.crawl() == NOT_WHOLE
    line = json.loads(run(unruly, "crawl", "--json").out)["going_on"]["line"]
    assert f"`articles: {{next: {line}}}` would follow them" in unruly.said
    unruly.rules = f"{ARCHIVE}articles: {{next: {line}}}\n"
    assert unruly.crawl("--recheck", "30d") == OK
    assert crawled(unruly) == {"/c/1": WORDS[:2], "/c/2": WORDS[:2], "/c/3": WORDS[:1]}
    assert run(unruly, "build", "--jobs", 1).code == OK


@pytest.mark.parametrize("word", ["articles: {one_page: true}\n", "articles: {skip: {url: ['[?]p=']}}\n"])
def test_a_person_may_leave_further_pages_out(unruly: Crawler, word: str) -> None:
    unruly.rules = ARCHIVE + word
    assert unruly.crawl() == OK
    assert run(unruly, "build", "--jobs", 1).code == OK


SIGNS = {
    "the next page by number": "<b>1</b> <a href='/c/{0}?page=2'>2</a>",
    "the next page in other words": "<a href='/c/{0}?page=2'>And what became of the bridge</a>",
    "a segment": "<a href='/c/{0}/2/'>Folytatás</a>",
    "an offset": "<b>1</b> <a href='/c/{0}?start=20'>2</a>",
    "a relative address": "<b>1</b> <a href='?p=2'>2</a>",
    "a number of pages that nothing leads to": "<div><span>Pages (7):</span> <button>2</button></div>",
    "which page of how many it is": "<p>Page 1 of 3</p>",
    "which page of how many, with marks": "<div class=pager><b>1</b>. oldal / <b>3</b></div>",
    "which page of how many, the word in an element of its own": "<div><span>Seite</span> <span>1</span> von <span>3</span></div>",
    "which of the posts it shows": "<p>Viewing 1 - 15 of 42 posts</p>",
}


@pytest.mark.parametrize("sign", SIGNS.values(), ids=SIGNS)
def test_an_article_is_not_whole_while_it_leads_to_a_page_at_its_own_address(crawler: Crawler, sign: str) -> None:
    crawler.rules = ARCHIVE
    crawler.portal.script |= {"/l/1": listing("/c/hidepules"), "/c/hidepules": part("elso", more=sign.format("hidepules"))}
    assert crawler.crawl() == NOT_WHOLE
    assert crawler.run("status").code == NOT_WHOLE
    assert run(crawler, "build", "--jobs", 1).code == NOT_WHOLE
    for said in (crawler.said, run(crawler, "build", "--jobs", 1).err):
        assert "1 article shows further pages" in said and "articles.next" in said


def test_what_a_link_says_that_leads_on_is_told_whole_whatever_it_says(crawler: Crawler) -> None:
    crawler.rules = ARCHIVE
    label = "part (2); led from it to x, which"
    more = f"<a href='/c/hidepules?page=2'>{label}</a>"
    crawler.portal.script |= {"/l/1": listing("/c/hidepules"), "/c/hidepules": part("elso", more=more)}
    assert crawler.crawl() == NOT_WHOLE
    sign = json.loads(run(crawler, "crawl", "--json").out)["going_on"]["sign"]
    assert sign == f'a link "{label}" to {crawler.portal.home}/c/hidepules?page=2'


def test_a_pager_whose_first_page_has_a_number_too_is_no_sign_of_more(crawler: Crawler) -> None:
    pages = ["/c/hidepules", "/c/hidepules?page=2", "/c/hidepules?page=3"]
    crawler.portal.script["/l/1"] = listing(pages[0])
    for word, page, following in zip(WORDS, pages, [*pages[1:], ""], strict=False):
        numbers = "".join(f"<a href='/c/hidepules?page={number}'>{number}</a>" for number in (1, 2, 3))
        crawler.portal.script[page] = part(word, following, more=f"<ul class=pagination>{numbers}</ul>")
    assert crawler.crawl() == OK, crawler.said
    assert run(crawler, "build", "--jobs", 1).code == OK


def test_a_page_that_was_read_is_no_sign_where_its_link_has_a_parameter_that_a_rule_drops(crawler: Crawler) -> None:
    pages = ["/c/tema?t=5", "/c/tema?t=5&start=5", "/c/tema?t=5&start=10"]
    crawler.rules = 'archive: {url: "HOME/l/{page}", pages: infinite, item: li.t, urls: {drop_params: [sid]}}\narticles: {next: a.tovabb}\n'
    crawler.portal.script["/l/1"] = listing(pages[0])
    for word, page, following in zip(WORDS, pages, [*pages[1:], ""], strict=False):
        numbers = "".join(f"<a href='{url}&sid=0123abcd'>{number}</a>" for number, url in enumerate(pages, 1) if url != page)
        crawler.portal.script[page] = part(word, following, more=f"<div class=pagination>{numbers}</div>")
        crawler.portal.script[f"{page}&sid=0123abcd"] = crawler.portal.script[page]
    assert crawler.crawl() == OK, crawler.said


NO_SIGNS = {
    "the next article": "<a href='/c/hidepules-2'>Épül a második híd is</a>",
    "an answer to a comment": "<a href='/c/hidepules?replytocom=2'>Válasz</a>",
    "a page for printers": "<a href='/c/hidepules?print=1'>Nyomtatás</a>",
    "comments": "<a href='/c/hidepules#comment-2'>2</a><a href='/c/hidepules/comment-page-2'>Régebbi hozzászólások</a>",
    "pictures": "<span>1 / 3</span><img src=a.jpg><img src=b.jpg><img src=c.jpg>",
    "stars": "<span>4 / 5</span>",
    "a part of its text": "<p>On page 1 of 3 newspapers it said so, and 10 of 12 pages were of the bridge.</p>",
    "pages of a book in its text": "<p>It is a book of few pages (7).</p>",
}


@pytest.mark.parametrize("more", NO_SIGNS.values(), ids=NO_SIGNS)
def test_what_else_stands_at_the_address_of_an_article_is_no_page_of_it(crawler: Crawler, more: str) -> None:
    crawler.rules = ARCHIVE
    crawler.portal.script |= {"/l/1": listing("/c/hidepules"), "/c/hidepules": part("elso", more=more)}
    assert crawler.crawl() == OK
    assert run(crawler, "build", "--jobs", 1).code == OK


def test_a_rule_that_leads_to_the_board_is_named_once_with_those_threads_that_do_go_on(crawler: Crawler) -> None:
    pager = "<b>1</b> <a href='/c/{0}?p=2'>2</a>"
    crawler.portal.script |= {"/l/1": listing(*range(1, 7)), "/l/2": listing()}
    crawler.portal.script |= {f"/c/{n}": part(f"szo{n}", "/l/2", more=pager.format(n) if n < 3 else "") for n in range(1, 7)}
    assert crawler.crawl() == NOT_WHOLE
    assert "2 articles show further pages where articles.next (a.tovabb) does not lead" in crawler.said
    assert "`articles.next` leads from 4 articles to what is no further page of them" in crawler.said
    built = json.loads(run(crawler, "build", "--jobs", 1, "--json").out)
    assert (built["exit_code"], built["missing_pages"], built["going_on"]["articles"]) == (NOT_WHOLE, 0, 2)


PAGES_IN_LISTS = {
    "a query": ("/c/tema?id={0}", "/c/tema?id={0}&p={1}"),
    "a segment": ("/t/{0}/", "/t/{0}/{1}/"),
    "a word and a number": ("/t/hir{0}.html", "/t/hir{0}-oldal-{1}.html"),
}


@pytest.mark.parametrize(("first", "further"), PAGES_IN_LISTS.values(), ids=PAGES_IN_LISTS)
def test_a_page_number_in_a_list_is_a_page_of_the_article_beside_it(crawler: Crawler, first: str, further: str) -> None:
    crawler.rules = 'archive: {url: "HOME/l/{page}", pages: infinite, link: li a}\narticles: {next: a.tovabb}\n'
    further_pages = "".join(f" <a href='{further.replace('{1}', number)}'>{number}</a>" for number in "23")
    rows = "".join(f"<li><a href='{first}'>Hídépítés</a>{further_pages}".format(n) for n in (5, 6))
    crawler.portal.script |= {"/l/1": f"<ul>{rows}</ul>"}
    for n in (5, 6):
        pages = (first.format(n), further.format(n, 2), further.format(n, 3))
        crawler.portal.script |= {page: part(word, after) for page, word, after in zip(pages, WORDS, (*pages[1:], ""), strict=False)}
    assert crawler.crawl() == OK, crawler.said
    assert crawled(crawler) == {first.format(n): WORDS[:3] for n in (5, 6)}
    assert "4 links to" in crawler.said and "a page of an article that is listed, too" in crawler.said
    assert crawler.status()["outcomes"] == {"fetched": 2}


def test_an_article_with_a_title_is_one_though_its_address_ends_in_a_number(crawler: Crawler) -> None:
    crawler.rules = 'archive: {url: "HOME/l/{page}", pages: infinite, link: li a}\n'
    crawler.portal.script |= {"/l/1": "<ul><li><a href=/c/hid>Hídépítés</a><li><a href=/c/hid/2>A híd másodszor</a></ul>"}
    crawler.portal.script |= {"/c/hid": part("elso"), "/c/hid/2": part("masodik")}
    assert crawler.crawl() == OK
    assert crawled(crawler) == {"/c/hid": WORDS[:1], "/c/hid/2": WORDS[1:2]}


def test_a_listing_with_a_pager_is_no_article_that_goes_on(unruly: Crawler) -> None:
    teasers = "".join(f"<div class=doboz><h2><a href=/c/{n}>A hídról szóló {n}. cikk címe itt</a></h2></div>" for n in range(10, 40))
    pager = "<div class=lapozo><b>1</b> <a href='/c/temak?p=2'>2</a></div>"
    unruly.portal.script |= {"/l/1": listing("/c/temak"), "/c/temak": f"<html><body><main>{teasers}</main>{pager}</body></html>"}
    assert json.loads(run(unruly, "crawl", "--json").out)["going_on"] is None
    assert json.loads(run(unruly, "build", "--jobs", 1, "--json").out)["outcomes"] == {"listing": 1}
    assert unruly.crawl("--recheck", "30d") == OK and "further pages" not in unruly.said


def test_try_tells_it(unruly: Crawler) -> None:
    unruly.crawl()
    first, third = (run(unruly, "try", f"{unruly.portal.home}/c/{number}").out for number in (1, 3))
    assert f'it seems to go on (a link "2" to {unruly.portal.home}/c/1?p=2): articles.next' in first
    assert "seems to go on" not in third
