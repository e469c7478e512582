"""A crawl ends with 0 only if every address like an article's that it has seen is in its lists, or left out by a person's word."""

from __future__ import annotations

import gzip
import re
from html import unescape
from pathlib import Path

import pytest
from scripted_portal import MISSING, Crawler, Reply, listing, moved

OK, FAILURES, INCOMPLETE = 0, 1, 4
RULES = "archive: {url: HOME/x/, item: li.t, link: a}\n"
TEXT = "".join(f"<p>On day {number} the council met and, after a long debate, voted for the new bridge.</p>" for number in range(6))


def article(title: str, more: str = "", date: str = "2024-05-01") -> str:
    """A page as most sites have it."""
    head = f'<title>{title}</title><meta property="article:published_time" content="{date}T10:00:00Z">'
    return (
        f"<html><head>{head}{more}</head><body><article><h1>{title}</h1><time datetime={date}>{date}</time>{TEXT}</article></body></html>"
    )


def list_of(*paths: str, more: str = "") -> str:
    items = "".join(f"<li class=t><a href='{path}'>About {path}</a></li>" for path in paths)
    return f"<html><body><ul class=lijst>{items}</ul>{more}</body></html>"


def paths(folder: str, first: int = 0, last: int = 10) -> list[str]:
    return [f"{folder}verhaal-{number}/" for number in range(first, last)]


def articles(*found: str, more: str = "") -> dict[str, str]:
    return {path: article(f"About {path}", more) for path in found}


def followed(crawler: Crawler) -> str:
    """The line that a crawl says would leave out for good what it names as missing."""
    lines = re.findall(r"(not_collected: \[.*?\])`", crawler.said)
    assert lines, crawler.said
    return f"{lines[0]}\n"


def packed(page: str) -> Reply:
    """A page as most servers send it."""
    return Reply(gzip.compress(page.encode()), headers={"Content-Encoding": "gzip"})


# --- addresses that pages lead to ---


def edition(crawler: Crawler) -> None:
    """Posts in two languages, each of which names its translation."""
    for here, there in (("/posts/", "/de/posts/"), ("/de/posts/", "/posts/")):
        crawler.portal.script[here] = list_of(*paths(here))
        for path in paths(here):
            alternate = f"<link rel=alternate hreflang=x href='{there}{path.removeprefix(here)}'>"
            crawler.portal.script[path] = article(f"About {path}", alternate)
    crawler.rules = "archive: {url: HOME/posts/, item: li.t, link: a}\n"


def test_an_edition_in_another_language_that_no_column_reads_is_missing_until_a_person_says_so(crawler: Crawler, tmp_path: Path) -> None:
    edition(crawler)
    for _ in range(2):
        assert crawler.crawl() == FAILURES
        assert f"Missing: 10 articles that no list names, such as {crawler.portal.home}/de/posts/verhaal-" in crawler.said
    assert crawler.run("status").code == FAILURES
    assert crawler.status()["missing"][0]["number"] == 10
    crawler.run("report", "-o", tmp_path / "report.html")
    assert "Nothing that is known of" not in (tmp_path / "report.html").read_text("utf-8")

    line = followed(crawler)
    crawler.rules += line
    assert crawler.crawl() == OK, crawler.said
    shown = crawler.run("status")
    assert (shown.code, "Knowingly not collected, by `not_collected`: `/de/posts/`, 10 addresses seen" in shown.out) == (OK, True)

    crawler.rules = "archive: {item: li.t, link: a}\ncolumns: {en: {url: HOME/posts/}, de: {url: HOME/de/posts/}}\n"
    assert crawler.crawl() == OK, crawler.said
    assert len(crawler.fetched) == 20


def test_links_of_pages_that_came_packed_count_too(crawler: Crawler) -> None:
    edition(crawler)
    crawler.portal.script |= {path: packed(page) for path, page in crawler.portal.script.items() if isinstance(page, str)}
    assert crawler.crawl() == FAILURES
    assert "Missing: 10 articles that no list names" in crawler.said


FURTHER = {
    "an icon": "<a href='/topic?t={0}&amp;start=5'><i></i></a>",
    "words": "<a href='/topic?t={0}&start=5'>Further replies in this discussion</a>",
    "the last page alone": "<a href='/topic?t={0}&page=3'>Last page</a>",
    "a list to choose from": "<select><option>1<option value='/topic?t={0}&page=2'>2</select>",
    "an attribute for scripts": "<div data-next='/topic?t={0}&page=2'></div>",
    "a script": "<script>load_replies('/topic?t={0}&all')</script>",
    "who has no scripts": "<noscript><a href='/topic?t={0}&noscript'>All</a></noscript>",
}


@pytest.mark.parametrize("sign", FURTHER.values(), ids=FURTHER)
@pytest.mark.parametrize("is_more", [True, False])
def test_an_article_with_another_text_at_its_own_address_and_more_is_not_whole(crawler: Crawler, sign: str, is_more: bool) -> None:
    threads = [f"/topic?t={number}" for number in range(1, 7)]
    crawler.portal.script = {"/x/": list_of(*threads)}
    for path in threads:
        own = TEXT.replace("bridge", f"bridge of {path}")
        page = article(f"About {path}").replace(TEXT, own)
        leading = sign.format(path.removeprefix("/topic?t="))
        crawler.portal.script[path] = page.replace("</article>", f"</article>{leading}")
        for further in re.findall(r"/topic\?[^'\"]+", unescape(leading)):
            crawler.portal.script[further] = page.replace("day", "evening") if is_more else page
    crawler.rules = RULES
    for _ in range(2):
        assert crawler.crawl() == int(is_more), crawler.said
        assert ("6 articles show further pages where articles.next does not lead" in crawler.said) is is_more
    assert crawler.run("status").code == int(is_more)


def test_a_section_in_the_menu_that_no_column_reads_is_missing(crawler: Crawler) -> None:
    menu = "<nav><a href=/x/>Posts</a> <a href=/essays/>Essays</a> <a href=/about/>About us</a></nav>"
    crawler.portal.script = {"/x/": list_of(*paths("/x/"), more=menu), "/essays/": list_of(*paths("/essays/"), more=menu)}
    crawler.portal.script |= articles(*paths("/x/"), *paths("/essays/")) | {"/about/": "<h1>About us</h1>" + TEXT}
    crawler.rules = RULES
    assert crawler.crawl() == FAILURES
    assert "Missing: 10 articles that no list names" in crawler.said
    assert "/about/" not in crawler.said.partition("Missing: ")[2]


@pytest.mark.parametrize(("kind", "ends"), [("website", OK), ("article", FAILURES), ("", FAILURES)])
def test_a_page_that_calls_itself_something_else_than_all_articles_do_is_none_that_is_missing(
    crawler: Crawler, kind: str, ends: int
) -> None:
    """Makers of sites write pages about them as they write articles, with a date."""
    called = '<meta property="og:type" content="{}">'
    crawler.portal.script = {"/x/": list_of(*paths("/"), more="<footer><a href=/about-us-9/>About us</a></footer>")}
    crawler.portal.script |= articles(*paths("/"), more=called.format("article"))
    crawler.portal.script["/about-us-9/"] = article("About us", called.format(kind) if kind else "").replace("the council", "we all")
    crawler.rules = RULES
    assert crawler.crawl() == ends, crawler.said


LINKS = {
    "a box of any name on all pages": ("<div class=foo><p><a href=/hu/>Magyar</a> <a href=/about/>About</a></p></div>", "/hu/", "/x/"),
    "a footer": ("<footer><a href=/list.php?rubric=sport>Sport</a></footer>", "/list.php?rubric=sport", "/x/"),
    "a menu that leads to another depth": ("<nav><a href=/x/>News</a> <a href=/de/berichte/>Berichte</a></nav>", "/de/berichte/", "/x/"),
    "a pager to an address unlike the list's": ("<div><b>1</b> <a href=/m/zr10x-news->2</a></div>", "/m/zr10x-news-", "/x/"),
    "a list of what is written otherwise": ("<p>Before 2021: <a href=/cellar.html>here</a></p>", "/cellar.html", "/cellar/"),
}


@pytest.mark.parametrize(("link", "other", "folder"), LINKS.values(), ids=LINKS)
def test_what_the_site_leads_to_and_lists_articles_is_looked_at_whatever_holds_the_link(
    crawler: Crawler, link: str, other: str, folder: str
) -> None:
    unknown = [path.removesuffix("/") + ".html" if folder == "/cellar/" else path for path in paths(folder, 20, 25)]
    crawler.portal.script = {"/x/": list_of(*paths("/x/"), more=link), other: list_of(*unknown).replace("class=t", "class=u")}
    crawler.portal.script |= articles(*paths("/x/"), *unknown, more=link)
    crawler.rules = RULES
    for _ in range(2):
        assert crawler.crawl() == FAILURES
        assert "Missing: 5 articles that no list names" in crawler.said
    assert crawler.run("status").code == FAILURES


def test_a_section_that_the_home_page_alone_leads_to_is_missing_from_the_first_crawl_on(crawler: Crawler) -> None:
    crawler.portal.script = {"/": "<nav><a href=/x/>News</a> <a href=/essays/>Essays</a></nav>", "/x/": list_of(*paths("/x/"))}
    crawler.portal.script |= {"/essays/": list_of(*paths("/essays/"))}
    home = "<p><a href=/>Home</a></p>"
    crawler.portal.script |= articles(*paths("/x/"), *paths("/essays/"), more=home)
    crawler.rules = RULES
    for _ in range(2):
        assert crawler.crawl() == FAILURES
        assert "Missing: 10 articles that no list names" in crawler.said


def test_a_single_article_in_an_item_of_another_list_is_missing_though_boxes_of_all_pages_lead_to_it(crawler: Crawler) -> None:
    box = "<aside><a href=/tales/harbour.html>The harbour</a> <a href=/tales/>All tales</a></aside>"
    crawler.portal.script = {"/x/": list_of(*paths("/x/"), more=box), "/tales/": list_of("/tales/harbour.html", more=box)}
    crawler.portal.script |= articles(*paths("/x/"), "/tales/harbour.html", more=box)
    crawler.rules = RULES
    assert crawler.crawl() == FAILURES
    assert "Missing: 1 article that no list names" in crawler.said


def test_what_a_person_leaves_out_is_not_looked_at_for_lists(crawler: Crawler) -> None:
    menu = "<nav><a href=/de/>Deutsch</a> <a href=/de/berichte/>Berichte</a> <a href=/fr/>French</a></nav>"
    crawler.portal.script = {"/x/": list_of(*paths("/x/"), more=menu)} | articles(*paths("/x/"), more=menu)
    crawler.portal.script |= dict.fromkeys(("/de/", "/de/berichte/", "/fr/"), list_of(*paths("/de/")))
    crawler.rules = RULES + "not_collected: ['/de/']\n"
    assert crawler.crawl() == OK, crawler.said
    assert {"/de/", "/de/berichte/", "/fr/"}.intersection(crawler.portal.asked) == {"/fr/"}


def test_without_dates_articles_are_missing_that_are_written_as_those_of_a_list_that_goes_back_to_its_end(crawler: Crawler) -> None:
    menu = "<nav><a href=/news/2024/>News</a> <a href=/sport/>Sport</a> <a href=/essays/>Essays</a></nav>"
    found = {"/news/2024/": [f"/article?id={number}" for number in range(5)]}
    found |= {"/sport/": paths("/a/sport-"), "/essays/": paths("/a/essays-")}
    crawler.portal.script = {at: list_of(*listed, more=menu) for at, listed in found.items()}
    crawler.portal.script |= {path: f"<h1>About {path}</h1>{TEXT}" for listed in found.values() for path in listed}
    dated = "n: {url: 'HOME/news/{year}/', dates: {from: 2024-01-01, until: 2024-12-31}}"
    crawler.rules = f"archive: {{item: li.t, link: a}}\ncolumns: {{{dated}, s: {{url: HOME/sport/}}}}\n"
    assert crawler.crawl() == FAILURES
    assert "Missing: 10 articles that no list names" in crawler.said


def test_what_gives_pages_their_looks_is_not_asked_for(crawler: Crawler) -> None:
    looks = "<link rel=stylesheet href=/looks.css?v=2><link rel=icon href=/icon.png>"
    crawler.portal.script = {"/x/": list_of(*paths("/x/"), more=looks)}
    crawler.portal.script |= articles(*paths("/x/"), more=f"{looks}<a href=/cgi/list.pl>Notes</a>") | {
        "/looks.css?v=2": Reply("p {}", kind="text/css")
    }
    crawler.rules = RULES
    assert crawler.crawl() == OK, crawler.said
    assert {"/looks.css?v=2", "/icon.png", "/cgi/list.pl"}.intersection(crawler.portal.asked) == {"/cgi/list.pl"}


def test_of_addresses_that_all_lead_to_one_page_a_few_are_asked_for(crawler: Crawler) -> None:
    crawler.portal.script = {"/x/": list_of(*paths("/x/")), "/login": "<form method=post><input type=password></form>"}
    for number, path in enumerate(paths("/x/")):
        crawler.portal.script |= articles(path, more=f"<a href=/m/{number}/write>Reply</a>")
        crawler.portal.script[f"/m/{number}/write"] = moved("/login")
    crawler.rules = RULES
    assert crawler.crawl() == OK, crawler.said
    assert len([path for path in crawler.portal.asked if path.endswith("/write")]) == 2


def test_what_was_asked_as_a_list_and_is_an_article_is_missing(crawler: Crawler) -> None:
    cards = [f"/stories/{number}-tale.html" for number in range(6)]
    beside = "".join(f"<a href={card}><img src=i.png><b>About {card}</b></a>" for card in cards)
    crawler.portal.script = {"/": list_of(*paths("/x/"), more=beside)} | articles(*paths("/x/"), *cards)
    crawler.rules = RULES.replace("/x/", "/")
    assert crawler.crawl() == FAILURES
    assert "Missing: 6 articles that no list names" in crawler.said


def test_without_dates_nothing_is_said_to_be_older_than_a_rule_lets_the_lists_be(crawler: Crawler) -> None:
    menu = "<nav><a href=/news/2024/>News</a> <a href=/sport/>Sport</a></nav>"
    found = [*paths("/news/"), *paths("/sport/")]
    crawler.portal.script = {"/news/2024/": list_of(*paths("/news/"), more=menu), "/sport/": list_of(*paths("/sport/"), more=menu)}
    crawler.portal.script |= {path: f"<h1>About {path}</h1>{TEXT}" for path in found}
    crawler.rules = "archive: {url: 'HOME/news/{year}/', dates: {from: 2024-01-01, until: 2024-12-31}, item: li.t, link: a}\n"
    assert crawler.crawl() == FAILURES
    assert "Missing: 10 articles that no list names" in crawler.said


def test_a_board_that_only_another_board_leads_to_is_looked_at(crawler: Crawler) -> None:
    crawler.portal.script = {"/": "<a class=b href='/board?f=1'>1</a> <a class=b href='/board?f=2'>2</a>"}
    for board in (1, 2, 3):
        more = "<a class=s href='/board?f=3'>Board 3</a>" if board == 2 else ""
        crawler.portal.script[f"/board?f={board}"] = list_of(*(f"/topic?t={board}{number}" for number in range(6)), more=more)
    crawler.portal.script |= articles(*(f"/topic?t={board}{number}" for board in (1, 2, 3) for number in range(6)))
    crawler.rules = "archive: {url: HOME/, sections: a.b, item: li.t, link: a}\n"
    assert crawler.crawl() == FAILURES
    assert "Missing: 6 articles that no list names" in crawler.said


JUMPS = {
    "numbers": "<form action=/board><select name=f>{}</select><input type=submit value=Go></form>",
    "numbers and what is hidden": "<form action=/board><input type=hidden name=v value=1><select name=f>{}</select></form>",
}


@pytest.mark.parametrize("jump", JUMPS.values(), ids=JUMPS)
@pytest.mark.parametrize("on_threads", [True, False])
def test_a_board_that_only_a_form_leads_to_is_looked_at(crawler: Crawler, jump: str, on_threads: bool) -> None:
    crawler.portal.script = {"/": "<a class=b href='/board?f=1'>1</a> <a class=b href='/board?f=2'>2</a>"}
    form = jump.format("<option value=>Jump to<option value=1>1<option value=2>2<option value=3>Board 3")
    hidden = "v=1&" if "hidden" in jump else ""
    for board in (1, 2, 3):
        topics = [f"/topic?t={board}{number}" for number in range(6)]
        listed = list_of(*topics, more="" if on_threads else form)
        crawler.portal.script |= {f"/board?f={board}": listed, f"/board?{hidden}f={board}": listed}
        crawler.portal.script |= {path: article(f"About {path}").replace("</article>", f"</article>{form}") for path in topics}
    crawler.rules = "archive: {url: HOME/, sections: a.b, item: li.t, link: a}\n"
    assert crawler.crawl() == FAILURES
    assert "Missing: 6 articles that no list names" in crawler.said


@pytest.mark.parametrize("link", ["a", "a[href*=topic]"])
def test_announcements_that_stand_in_rows_of_threads_under_another_address_are_missing_or_read(crawler: Crawler, link: str) -> None:
    topics, announcements = [f"/topic?t={number}" for number in range(10)], ["/announcement?a=1", "/announcement?a=2"]
    crawler.portal.script = {"/x/": list_of(*announcements, *topics)} | articles(*topics, *announcements)
    crawler.rules = f"archive: {{url: HOME/x/, item: li.t, link: '{link}'}}\n"
    if link == "a":
        assert crawler.crawl() == OK, crawler.said
        assert len(crawler.fetched) == 12
    else:
        assert crawler.crawl() == FAILURES, crawler.said
        assert "Missing: 2 articles that no list names" in crawler.said


@pytest.mark.parametrize("address", ["/topic/{0}/?page={1}", "/topic/{0}/{1}"])
def test_a_link_to_the_last_post_of_a_listed_thread_leads_to_a_page_of_it_whatever_is_written_on_it(crawler: Crawler, address: str) -> None:
    rows = ""
    for thread in range(6):
        last = address.format(thread, 1 + thread % 2)
        rows += f"<tr><td><a href=/topic/{thread}/>About {thread}</a><td><a href='{last}#post-{7 * thread}'>Apr {thread + 1}, 2024</a></tr>"
        crawler.portal.script |= {f"/topic/{thread}/": article(f"About {thread}"), last: article(f"About {thread}", f"<!-- {last} -->")}
    crawler.portal.script["/x/"] = f"<table>{rows}</table>"
    crawler.rules = RULES.replace("li.t", "td")
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {f"/topic/{thread}/" for thread in range(6)}


def test_an_address_whose_parameter_has_brackets_is_no_page_of_itself(crawler: Crawler) -> None:
    terms = [f"/terms?t%5Bid%5D={number}" for number in range(3)]
    rows = "".join(f"<li class=t><a href='{path}#term'>About it</a></li>" for path in terms)
    crawler.portal.script = {"/x/": f"<ul>{rows}</ul>"} | articles(*terms)
    crawler.rules = RULES
    assert crawler.crawl() == OK, crawler.said
    assert len(crawler.fetched) == 3


def test_a_page_about_a_member_beside_sections_lists_nothing_that_these_do_not(crawler: Crawler) -> None:
    boards = {f"/board/{name}/": [f"/topic/{name}-{number}/" for number in range(5)] for name in ("harbour", "gardens", "trains")}
    rows = "".join(f"<tr><td><a class=b href={board}>Board</a><td><a href=/members/1/>anna</a></tr>" for board in boards)
    newest = "".join(f"<li class=t><a href='{topics[0]}'>About it</a></li>" for topics in boards.values())
    crawler.portal.script = {"/": f"<table>{rows}</table><ul>{newest}</ul>"} | {at: list_of(*topics) for at, topics in boards.items()}
    every = [topic for topics in boards.values() for topic in topics]
    crawler.portal.script |= articles(*every) | {"/members/1/": list_of(*every[1::2])}
    crawler.rules = "kind: forum\narchive: {url: HOME/, sections: a.b, item: li.t, link: a}\n"
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said


def test_articles_that_links_of_a_list_lead_past_are_missing(crawler: Crawler) -> None:
    items = [
        f"<li class=t><a href='{'https://elders.example/a' if number % 4 == 3 else path}'>Title</a>"
        f"<footer><a rel=bookmark href='{path}'>#</a></footer></li>"
        for number, path in enumerate(paths("/x/", last=12))
    ]
    crawler.portal.script = {"/x/": f"<ul>{''.join(items)}</ul>"} | articles(*paths("/x/", last=12))
    crawler.rules = RULES
    assert crawler.crawl() == FAILURES
    assert "Missing: 3 articles that no list names" in crawler.said


@pytest.mark.parametrize(
    "other",
    [
        "/print/verhaal-{0}/",
        "/verhaal-{0}/reply/",
        "/authors/anna-lee-{0}/",
        "/x/verhaal-{0}/amp/",
    ],
)
def test_other_views_of_articles_and_pages_about_authors_are_not_missing(crawler: Crawler, other: str) -> None:
    canonical = "<link rel=canonical href='HOME{}'>"
    for number, path in enumerate(paths("/x/")):
        view = other.format(number)
        crawler.portal.script[path] = article(f"About {path}", f"<link rel=alternate href='{view}'>")
        crawler.portal.script[view] = article(f"About {path}", canonical.format(path).replace("HOME", crawler.portal.home))
    crawler.portal.script["/x/"] = list_of(*paths("/x/"))
    crawler.rules = RULES
    assert crawler.crawl() == OK, crawler.said


@pytest.mark.parametrize("is_list", [True, False])
def test_a_page_on_which_rules_find_known_articles_as_on_no_article_is_a_list(crawler: Crawler, is_list: bool) -> None:
    menu = "".join(f"<a href=/kinds/soort-{number}/>Kind {number}</a>" for number in range(3))
    about = TEXT.replace("bridge", "river")
    crawler.portal.script = {"/x/": list_of(*paths("/x/"))} | articles(*paths("/x/"), more=menu)
    for number in range(3):
        listed = list_of(*paths("/x/", 3 * number, 3 * number + 3)) if is_list else ""
        crawler.portal.script[f"/kinds/soort-{number}/"] = article(f"Kind {number}").replace(TEXT, about + listed)
    crawler.rules = RULES
    assert crawler.crawl() == int(not is_list), crawler.said


@pytest.mark.parametrize(
    "view",
    [
        "<html><body><h2>For printers</h2>" + TEXT,
        Reply(TEXT.encode(), {"Content-Type": "text/x-rst"}),
    ],
    ids=["to print, under another headline", "the file that it was made from"],
)
def test_the_text_of_an_article_in_another_form_is_not_missing(crawler: Crawler, view: str | Reply) -> None:
    for number, path in enumerate(paths("/x/")):
        own = TEXT.replace("bridge", f"bridge number {number}")
        crawler.portal.script[path] = f"<html><body><h1>About {path}</h1>{own}<a href=/x/blatt-{number}/>Print</a>"
        crawler.portal.script[f"/x/blatt-{number}/"] = view if isinstance(view, Reply) else view.replace(TEXT, own)
    crawler.portal.script["/x/"] = list_of(*paths("/x/"))
    crawler.rules = RULES
    assert crawler.crawl() == OK, crawler.said


def test_a_page_made_of_the_beginnings_of_known_articles_that_it_leads_to_is_not_missing(crawler: Crawler) -> None:
    """Of a page of a topic, the reader may take the first headline for a title, and the last text for no text."""
    begun = {}
    for number, path in enumerate(paths("/x/")):
        own = TEXT.replace("bridge", f"bridge number {number} over the river")
        begun[path] = own.partition("</p>")[0]
        tag = f"<a href=/topics/stem-{number // 2}/>Topic</a>"
        crawler.portal.script[path] = article(f"About {path}").replace(TEXT, f"{own}{tag}")
    for number in range(5):
        first, second = paths("/x/", 2 * number, 2 * number + 2)
        beginnings = (
            f"{begun[first]}</p><h2><a href={second}>About the other</a></h2>{begun[second]}</p><p><a href={first}>All of it</a></p>"
        )
        crawler.portal.script[f"/topics/stem-{number}/"] = article(f"Topic {number}").replace(TEXT, beginnings)
    crawler.portal.script["/x/"] = list_of(*paths("/x/"))
    crawler.rules = RULES
    assert crawler.crawl() == OK, crawler.said


def test_what_is_published_while_the_crawl_goes_on_is_the_next_crawl_s(crawler: Crawler) -> None:
    newest = article("The newest", date="2999-01-01")
    aside = "<aside><a href=/x/verhaal-99/>The newest</a></aside>"
    crawler.portal.script = {"/x/": list_of(*paths("/x/"))} | articles(*paths("/x/"), more=aside) | {"/x/verhaal-99/": newest}
    crawler.rules = RULES
    assert crawler.crawl() == OK, crawler.said


def test_older_articles_than_a_stop_rule_lets_the_list_be_are_not_missing(crawler: Crawler) -> None:
    aside = "<aside><a href=/x/verhaal-99/>Long ago</a></aside>"
    crawler.portal.script = {"/x/": list_of(*paths("/x/"), more="<a class=next href=/x/old/>Older</a>")}
    crawler.portal.script |= articles(*paths("/x/"), more=aside) | {"/x/verhaal-99/": article("Long ago", date="2003-01-01")}
    crawler.rules = "archive: {url: HOME/x/, item: li.t, link: a, next: a.next, stop: {at_url: HOME/x/old/}}\n"
    assert crawler.crawl() == OK, crawler.said


# --- what stands beside a list ---

ADDRESSES = [
    *("/x/2025/", "/x/2025/12/", "/x/older/", "/x/2/", "/x/vorige/1834/", "/x/archief-2025.html", "/x/page/2/", "/x/p2", "/x/oud"),
    *("/x/?cursor=abc", "/x/?maand=2025-11", "/x/?jaar=2025", "/x/?nr=1834", "/x/?page=2", "/x/?p=2", "/x/?start=10", "/x/index2.html"),
    "/x/2025",
]
LINKS = [
    "<nav><a href='{}'>Oudere Blogposts</a></nav>",
    "<a href='{}'><i class=icon></i></a>",
    "<b>1</b> <a href='{}'>2</a>",
    "<a class=btn role=button href='{}'>Blorp</a>",
]


def beside(crawler: Crawler, link: str, address: str, *, is_more: bool) -> int:
    """The exit code of a list of ten, beside which a link leads to ten others, or to some of the same."""
    others = paths("/a/", 10, 20) if is_more else paths("/a/", 2, 8)
    crawler.portal.script = {"/x/": list_of(*paths("/a/"), more=link.format(address)), address: list_of(*others)}
    crawler.portal.script |= articles(*paths("/a/", 0, 20))
    crawler.rules = RULES
    return crawler.crawl("--archive-only", "--corpus", crawler.folder / f"{is_more}")


@pytest.mark.parametrize("number", range(len(ADDRESSES)))
def test_a_list_that_goes_on_beside_its_own_address_is_not_proved_whatever_the_link_says(crawler: Crawler, number: int) -> None:
    link, address = LINKS[number % len(LINKS)], ADDRESSES[number]
    assert beside(crawler, link, address, is_more=True) == FAILURES
    assert beside(crawler, link, address, is_more=False) == OK, crawler.said


@pytest.mark.nightly
@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_list_that_goes_on_is_not_proved_by_any_link_to_any_address(crawler: Crawler, link: str, address: str) -> None:
    assert beside(crawler, link, address, is_more=True) == FAILURES
    assert beside(crawler, link, address, is_more=False) == OK, crawler.said


OLDER = (Path(__file__).parent / "cases" / "what-leads-to-older-articles.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("is_more", [True, False])
def test_a_list_that_goes_on_is_not_proved_whatever_usual_phrase_leads_on_in_whatever_language(crawler: Crawler, is_more: bool) -> None:
    columns = []
    for number, phrase in enumerate(OLDER):
        own, others = paths(f"/a{number}/", 0, 4), paths(f"/a{number}/", 4, 7)
        at, beside = f"/x{number}/", f"<nav class=traversal><ul><li><a href=/x{number}/2025/>{phrase}</a></ul></nav>"
        crawler.portal.script |= {at: list_of(*own, more=beside), f"{at}2025/": list_of(*(others if is_more else own))}
        columns.append(f"  c{number}: HOME{at}\n")
    crawler.rules = f"archive: {{item: li.t, link: a}}\ncolumns:\n{''.join(columns)}"
    assert crawler.crawl("--archive-only") == int(is_more)
    proved = {row["column"] for row in crawler.status()["completeness"] if row["proved"]}
    assert [phrase for number, phrase in enumerate(OLDER) if (f"c{number}" in proved) is is_more] == []


CUT = "<option value=1>Today<option value=30>The last month<option value=365{}>The last year<option value=9999{}>The beginning"
CHOICE = "<form action=/board><input type=hidden name=f value={}><select name=cut>{}</select></form>"


def boards(crawler: Crawler, cut: set[int], choice: str = CHOICE) -> None:
    """Seven boards, of which some show their last year alone."""
    rows = []
    for board in range(1, 8):
        every = [f"/topic?t={board}{number}" for number in range(10, 18 + board)]
        shown = every[:5] if board in cut else every
        chosen = CUT.format(" selected" * (board in cut), " selected" * (board not in cut))
        rows.append(f"<tr><td><a class=b href=/board?f={board}>Board {board}</a></tr>")
        crawler.portal.script[f"/board?f={board}"] = list_of(*shown, more=choice.format(board, chosen))
        for value in (1, 30, 365, 9999):
            crawler.portal.script[f"/board?f={board}&cut={value}"] = list_of(*(every if value == 9999 else every[: min(value, 5)]))
        crawler.portal.script |= articles(*every)
    crawler.portal.script["/"] = f"<table>{''.join(rows)}</table>"
    crawler.rules = "kind: forum\narchive: {url: HOME/, sections: a.b, item: li.t, link: a}\n"


@pytest.mark.parametrize("cut", [set(), {1}, {5}, {7}, {2, 4}, set(range(1, 8))], ids=str)
def test_boards_that_show_their_last_year_alone_are_not_proved_in_any_crawl(crawler: Crawler, cut: set[int]) -> None:
    boards(crawler, cut)
    for _ in range(3):
        assert crawler.crawl() == (FAILURES if cut else OK), crawler.said
    assert crawler.run("status").code == (FAILURES if cut else OK)


FRAMES = {
    "a count of comments": "<div class=box><a href=/article/7#comments>106</a> <a href=/article/8#comments>3</a></div>",
    "a number of an issue": "<aside><a href=/issues/106/>106</a><a href=/issues/105/>105</a></aside>",
    "numbers of a gallery": "<div><a href=/gallery/5/1>1</a> <a href=/gallery/5/2>2</a> <a href=/gallery/5/106>106</a></div>",
    "a place in a ranking": "<ol class=top><li><a href=/song/a>1</a><li><a href=/song/b>2</a><li><a href=/song/c>106</a></ol>",
    "pages of another list": "<div><a href=/archive-of-music/1>1</a> <a href=/archive-of-music/106>106</a></div>",
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_numbers_in_the_page_around_a_list_keep_no_whole_list_from_being_proved(crawler: Crawler, frame: str) -> None:
    for page in range(1, 5):
        urls = [f"/article/{4 * page + number}" for number in range(4)] if page < 4 else []
        crawler.portal.script[f"/archive/{page}"] = list_of(*urls, more=frame if page > 1 else "")
        crawler.portal.script |= articles(*urls)
    crawler.rules = "archive: {url: 'HOME/archive/{page}', pages: infinite, item: li.t, link: a}\n"
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said


@pytest.mark.parametrize(("links", "is_more"), [(["/2023/"], False), (["/2023/", "/2024/"], False), (["/tales/1.html"], True)])
def test_what_a_page_beside_a_list_holds_and_is_written_otherwise_is_asked_what_it_is(
    crawler: Crawler, links: list[str], is_more: bool
) -> None:
    crawler.portal.script = {"/x/": list_of(*paths("/x/"), more="<nav><a href=/archive.html>Archives</a></nav>")}
    crawler.portal.script |= {"/archive.html": list_of(*links), "/2023/": list_of(*paths("/x/", 5)), "/2024/": list_of(*paths("/x/", 0, 5))}
    crawler.portal.script |= articles(*paths("/x/"), "/tales/1.html")
    crawler.rules = RULES
    for _ in range(2):
        assert crawler.crawl() == int(is_more), crawler.said
        assert ("Missing: 1 article that no list names" in crawler.said) is is_more
    assert len(crawler.fetched) == 10


def test_years_on_a_page_beside_a_list_are_no_links_that_a_rule_misses(crawler: Crawler) -> None:
    older = "".join(f"<p><a href=/{year}/>{year}</a></p>" for year in range(2010, 2023))
    years = list_of("/2023/", more=f"<div class=old>{older}</div>")
    crawler.portal.script = {"/x/": list_of(*paths("/x/"), more="<nav><a href=/archive.html>Archives</a></nav>"), "/archive.html": years}
    crawler.portal.script |= {f"/{year}/": list_of(*paths("/x/", 5)) for year in range(2010, 2024)} | articles(*paths("/x/"))
    crawler.rules = RULES
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said


def test_two_notes_in_the_only_article_of_a_list_are_no_pager(crawler: Crawler) -> None:
    note = "<sup id=fnref{0}><a href='#fn{0}'>{0}</a></sup>"
    notes = "<ol><li id=fn1>One</li><li id=fn2>Two</li></ol>"
    teaser = f"<p>Text{note.format(1)} and more{note.format(2)}</p>{notes}"
    crawler.portal.script = {"/x/": f"<ul><li class=t><a href=/x/verhaal-0/>Verhaal</a>{teaser}</li></ul>"} | articles("/x/verhaal-0/")
    crawler.rules = RULES
    assert crawler.crawl() == OK, crawler.said


def test_a_theme_that_swaps_next_and_previous_keeps_no_whole_list_from_being_proved(crawler: Crawler) -> None:
    pages = {
        "/x/": paths("/x/", 0, 4),
        "/x/?page=2": paths("/x/", 4, 8),
        "/x/?page=3": paths("/x/", 8, 10),
        "/x/?page=1": paths("/x/", 0, 4),
    }
    ways = {"/x/": "<a class=older href='/x/?page=2'>Elöző</a>"}
    ways["/x/?page=2"] = "<a rel=next href='/x/?page=1'>Következő</a> <a class=older href='/x/?page=3'>Elöző</a>"
    ways["/x/?page=3"] = "<a rel=next href='/x/?page=2'>Következő</a>"
    crawler.portal.script = {path: list_of(*listed, more=ways.get(path, "")) for path, listed in pages.items()} | articles(*paths("/x/"))
    crawler.rules = "archive: {url: HOME/x/, item: li.t, link: a, next: a.older}\n"
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said


def test_an_archive_for_printers_keeps_no_whole_list_from_being_proved(crawler: Crawler) -> None:
    footer = "<footer><a href=/archive/>Lite (Archive) Mode</a></footer>"
    crawler.portal.script = {"/x/": list_of(*paths("/x/"), more=footer), "/archive/": "<a href=/archive/thread-1.html>About it</a>"}
    crawler.portal.script |= articles(*paths("/x/"))
    crawler.rules = RULES
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said


@pytest.mark.parametrize("ending", ["mbox", "txt.gz", "zip", "pdf", "csv"])
def test_a_download_beside_sections_is_no_archive_page(crawler: Crawler, ending: str) -> None:
    more = f"<p><a href=/m/all.{ending}>Archive</a></p>"
    crawler.portal.script = {"/": f"<a class=b href=/m/1/>1</a> <a class=b href=/m/2/>2</a>{more}"}
    for month in (1, 2):
        crawler.portal.script[f"/m/{month}/"] = list_of(*paths(f"/m/{month}/", last=4), more=more)
        crawler.portal.script |= articles(*paths(f"/m/{month}/", last=4))
    crawler.rules = "archive: {url: HOME/, sections: a.b, item: li.t, link: a}\n"
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said


@pytest.mark.parametrize("address", ["/x/?page={}", "/x/{}/", "/x/page/{}/", "/x/?n={}"])
@pytest.mark.parametrize("skips_from", [1, 2])
def test_a_next_rule_that_skips_pages_is_told_by_the_numbers_in_their_addresses(crawler: Crawler, address: str, skips_from: int) -> None:
    addresses = {number: address.format(number) if number > 1 else "/x/" for number in range(1, 8)}
    for number, url in addresses.items():
        following = 7 if skips_from <= number < 7 else number + 1
        arrow = f"<a class=n href='{addresses[following]}'><i></i></a>" if number < 7 else ""
        crawler.portal.script[url] = list_of(*paths("/a/", 4 * number, 4 * number + 4), more=arrow)
    crawler.portal.script |= articles(*paths("/a/", 4, 32))
    crawler.rules = "archive: {url: HOME/x/, item: li.t, link: a, next: a.n}\n"
    assert crawler.crawl("--archive-only") == FAILURES
    assert f"{addresses[skips_from + 1]}, which has 4 articles that no page of the walk lists" in crawler.said


@pytest.mark.parametrize("address", ["/x/?start={}", "/x/?before={}", "/x/?page={}"])
def test_offsets_and_pages_that_are_counted_in_steps_skip_nothing(crawler: Crawler, address: str) -> None:
    addresses = {number: address.format(4 * number) if number else "/x/" for number in range(4)}
    for number, url in addresses.items():
        arrow = f"<a class=n href='{addresses[number + 1]}'><i></i></a>" if number < 3 else ""
        crawler.portal.script[url] = list_of(*paths("/a/", 4 * number, 4 * number + 4), more=arrow)
    crawler.portal.script[address.format(1)] = list_of(*paths("/a/", 1, 5))
    crawler.portal.script[address.format(2)] = list_of(*paths("/a/", 2, 6))
    crawler.portal.script |= articles(*paths("/a/", 0, 16))
    crawler.rules = "archive: {url: HOME/x/, item: li.t, link: a, next: a.n}\n"
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said


def test_a_page_behind_the_end_of_a_list_that_looks_like_an_article_is_none_that_is_missing(crawler: Crawler) -> None:
    behind, urls = "<p><a href=/archive/7>7</a></p>", [f"/article/{number}" for number in range(14)]
    crawler.portal.script = {"/archive/1": list_of(*urls[:10]), "/archive/2": list_of(*urls[10:]), "/archive/3": list_of()}
    crawler.portal.script |= articles(*urls, more=behind) | articles("/archive/7")
    crawler.rules = "archive: {url: 'HOME/archive/{page}', item: li.t, link: a}\n"
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said


YEARS = {
    "a list to choose from": "<select>{0}</select>",
    "one of a form for scripts": "<form method=post action=/filter><select name=y>{0}</select></form>",
    "buttons": "<button>2022</button> <button>2023</button> <button>2024</button>",
    "links to nowhere": "<ul><li><a href='#'>2022 (31)</a><li><a href='#'>2023 (28)</a></ul>",
}
OPTIONS = "".join(f"<option value={year}>{year}</option>" for year in (2025, 2024, 2023, 2022))


def dated(*found: str, year: int) -> str:
    items = "".join(f"<li class=t><a href='{path}'>About {path}</a> <i>{day} May {year}</i></li>" for day, path in enumerate(found, 1))
    return f"<html><body><ul class=lijst>{items}</ul>{{}}</body></html>"


@pytest.mark.parametrize("choice", YEARS.values(), ids=YEARS)
def test_years_that_a_script_brings_and_no_item_is_of_are_told(crawler: Crawler, choice: str) -> None:
    page = dated(*paths("/x/"), year=2025)
    crawler.portal.script = {"/x/": page.format(choice.format(OPTIONS))} | articles(*paths("/x/"))
    crawler.rules = RULES
    for _ in range(2):
        assert crawler.crawl() == FAILURES
        assert "it names 2022, 2023" in crawler.said and "lists nothing before 2025" in crawler.said
    assert crawler.run("status").code == FAILURES
    word = re.search(r"`(stop: .*?)`", crawler.said)
    assert word is not None
    crawler.rules = RULES.replace("link: a", f"link: a, {word[1]}")
    assert crawler.crawl() == OK, crawler.said


@pytest.mark.parametrize("choice", YEARS.values(), ids=YEARS)
def test_years_of_which_the_list_has_articles_are_no_sign_nor_are_those_of_a_form_that_people_fill_in(
    crawler: Crawler, choice: str
) -> None:
    shown = choice.format(OPTIONS)
    older = dated(*paths("/x/", 10, 14), year=2022).format(shown)
    crawler.portal.script = {
        "/x/": dated(*paths("/x/"), year=2025).format(f"{shown}<a class=n href='/x/?page=2'>Older</a>"),
        "/x/?page=2": older,
    }
    crawler.portal.script |= articles(*paths("/x/", last=14))
    crawler.rules = "archive: {url: HOME/x/, item: li.t, link: a, next: a.n}\n"
    assert crawler.crawl() == OK, crawler.said

    born = f"<form method=post action=/join><input name=name><select name=born>{OPTIONS}</select></form>"
    crawler.portal.script = {"/x/": dated(*paths("/x/"), year=2025).format(born)} | articles(*paths("/x/"))
    crawler.rules = RULES
    assert crawler.crawl("--corpus", crawler.folder / "another") == OK, crawler.said


TOTALS = ["<div data-total={}></div>", "<p>{} articles in all</p>"]


def months(crawler: Crawler, total: str, *numbers: int) -> None:
    """Months of five articles, each page with a count."""
    for month, number in enumerate(numbers, start=1):
        listed = paths(f"/c/{month}-", last=5)
        crawler.portal.script[f"/2024/0{month}/"] = list_of(*listed, more=total.format(number))
        crawler.portal.script |= articles(*listed)
    crawler.rules = (
        "archive:\n  url: HOME/{year}/{month}/\n  item: li.t\n  link: a\n"
        f"  dates: {{from: 2024-01-01, until: 2024-0{len(numbers)}-28}}\n"
    )


@pytest.mark.parametrize("total", TOTALS)
def test_a_count_that_stands_alike_on_all_months_is_that_of_all_and_speaks_against_none(crawler: Crawler, total: str) -> None:
    months(crawler, total, 20, 20, 20, 20)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.crawl("--full", "--from", "2024-04-01") == OK, crawler.said
    assert crawler.run("status").code == OK


@pytest.mark.parametrize("total", TOTALS)
def test_a_month_that_says_how_many_it_has_and_shows_fewer_is_not_proved(crawler: Crawler, total: str) -> None:
    months(crawler, total, 5, 5, 9, 5)
    assert crawler.crawl() == FAILURES
    assert [line.split()[2] for line in crawler.said.splitlines() if "Failed: " in line] == ["2024-03:"]


def test_a_link_to_what_is_not_there_is_no_article(crawler: Crawler) -> None:
    crawler.portal.script = {"/l": listing(1, 2, 3, more="<aside><a href=/c/99>Gone</a></aside>"), "/c/99": MISSING}
    crawler.rules = "archive: {url: HOME/l, item: li.t, pages: none}\n"
    assert crawler.crawl() == OK, crawler.said


def test_a_blog_whose_pages_do_not_name_all_goes_on_to_the_next_way(crawler: Crawler) -> None:
    posts, essays, home = paths("/posts/", last=8), paths("/essays/", last=6), crawler.portal.home
    items = "".join(f"<li><article><h2><a href='{path}'>About {path}</a></h2><p>Excerpt</p></article></li>" for path in posts)
    places = "".join(f"<url><loc>{home}{path}</loc></url>" for path in (*posts, *essays))
    crawler.portal.script = {"/": f"<ul>{items}</ul>"} | articles(*posts, *essays)
    crawler.portal.script["/sitemap.xml"] = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'
    crawler.rules = "extends: blog\n"
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said
        assert "`pages` came to a proved end, and does not name all; walked besides: `sitemap`" in crawler.said, crawler.said
    assert crawler.fetched == {*posts, *essays}


# --- how much is asked ---


def asked_beside(crawler: Crawler, *named: str) -> list[str]:
    """What was asked for beside these pages, the articles and robots.txt."""
    return [path for path in dict.fromkeys(crawler.portal.asked) if path not in {*named, *crawler.fetched, "/robots.txt"}]


def test_of_months_beside_a_list_that_name_nothing_new_the_first_and_the_last_are_asked_for(crawler: Crawler) -> None:
    found = paths("/x/")
    months = [f"/x/2024/{month:02}/" for month in range(12, 0, -1)]
    crawler.portal.script = {"/x/": list_of(*found, more="".join(f"<a href={month}>{month}</a> " for month in months))}
    crawler.portal.script |= articles(*found) | {month: list_of(*found[:2]) for month in months}
    crawler.rules = RULES
    assert crawler.crawl() == OK, crawler.said
    assert {months[0], months[-1]} <= {*crawler.portal.asked}
    assert crawler.crawl("--full") == OK, crawler.said
    # one more is read as an article may be
    assert len([path for path in months if path in crawler.portal.asked]) <= 3


def test_a_last_month_with_what_no_list_names_is_seen(crawler: Crawler) -> None:
    found = paths("/x/")
    months = [f"/x/2024/{month:02}/" for month in range(12, 0, -1)]
    crawler.portal.script = {"/x/": list_of(*found, more="".join(f"<a href={month}>{month}</a> " for month in months))}
    crawler.portal.script |= articles(*found, "/x/oldest-1/") | {month: list_of(*found[:2]) for month in months}
    crawler.portal.script[months[-1]] = list_of("/x/oldest-1/")
    crawler.rules = RULES
    assert crawler.crawl() == FAILURES


def test_a_column_takes_at_most_twelve_requests_beside_what_its_file_names(crawler: Crawler) -> None:
    found = paths("/x/")
    menu = "".join(f"<a href=/menu{'abcdefghijklmnopqrst'[number]}/>Menu</a>" for number in range(20))
    near = "".join(f"<a href='/x/?by{letter}=1'>By {letter}</a>" for letter in "abcdefghijkl")
    crawler.portal.script = {"/x/": list_of(*found, more=menu + near)} | articles(*found, more=menu)
    for path in re.findall(r"href='?(/(?:menu|x/\?)[^'>]+)", menu + near):
        crawler.portal.script[path] = list_of(*found[:3])
    crawler.rules = RULES
    assert crawler.crawl() == OK, crawler.said
    assert "pages that may list more, such as" in crawler.said
    first = asked_beside(crawler, "/x/", *found)
    assert 8 <= len(first) <= 12, first
    assert crawler.crawl() == OK, crawler.said
    assert len(asked_beside(crawler, "/x/", *found)) <= len(first) + 12


def more_than_may_be_asked(crawler: Crawler) -> None:
    """Pages that lead to twenty addresses, each written like an article's in its own way."""
    found = paths("/x/")
    others = [f"/part{'abcdefghijklmnopqrst'[number]}/verhaal-{number}/" for number in range(20)]
    links = "".join(f"<a href={path}>About</a>" for path in others)
    crawler.portal.script = {"/x/": list_of(*found)} | articles(*found, more=f"<nav>{links}</nav>")
    crawler.portal.script |= dict.fromkeys(others, "<p>Nothing.</p>")
    crawler.rules = RULES


def test_what_a_crawl_may_not_ask_any_more_is_told_alike_by_crawl_status_audit_and_report_until_the_next_has_asked(
    crawler: Crawler, tmp_path: Path
) -> None:
    more_than_may_be_asked(crawler)
    assert crawler.crawl() == INCOMPLETE, crawler.said
    (told,) = re.findall(r"Incomplete: (.* written like an article's.*)", crawler.said)
    shown, audited = crawler.run("status", "--verbose"), crawler.run("audit", "--archive")
    assert (shown.code, f"Incomplete: {told}" in shown.out) == (INCOMPLETE, True), shown.out
    assert (audited.code, f"Incomplete: {told}" in audited.out) == (INCOMPLETE, True), audited.out
    assert crawler.run("status", "--json").code == INCOMPLETE
    assert crawler.curator("crawl", crawler.file).code == INCOMPLETE  # into the folder where commands about several portals look
    assert crawler.curator("status", crawler.file, crawler.file).code == INCOMPLETE
    crawler.run("report", "-o", tmp_path / "report.html")
    report = (tmp_path / "report.html").read_text("utf-8")
    assert "Nothing that is known of" not in report
    assert "that nobody has asked for" in report

    assert crawler.crawl("--archive-only") == INCOMPLETE  # looks for nothing else, and so changes nothing
    assert crawler.run("status").code == INCOMPLETE
    assert crawler.crawl() == OK, crawler.said
    assert "written like an article's" not in crawler.said
    assert [crawler.run(*command).code for command in (("status",), ("audit", "--archive"))] == [OK, OK]


def test_a_list_that_a_bound_of_the_portal_file_ends_is_incomplete_for_crawl_and_status(crawler: Crawler) -> None:
    crawler.portal.script = {f"/x/{page}/": list_of(*paths("/a/", 4 * page, 4 * page + 4)) for page in (1, 2, 3)} | articles(
        *paths("/a/", 4, 16)
    )
    crawler.rules = "archive: {url: 'HOME/x/{page}/', pages: {last: 2}, item: li.t, link: a}\n"
    for _ in range(2):
        assert crawler.crawl() == INCOMPLETE, crawler.said
        assert crawler.run("status").code == INCOMPLETE


def test_what_a_person_leaves_out_need_not_be_asked(crawler: Crawler) -> None:
    more_than_may_be_asked(crawler)
    assert crawler.crawl() == INCOMPLETE, crawler.said
    crawler.rules += "not_collected: ['/part[a-z]/']\n"
    assert crawler.run("status").code == OK
    assert crawler.crawl() == OK, crawler.said
