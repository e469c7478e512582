"""Articles that the site edited, deleted or moved after they were stored: `crawl --recheck`, `build`, `status` and exports say which."""

from __future__ import annotations

import json
import re
import shutil
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from ledgers import differences
from scripted_portal import GONE, Crawler, Reply, ScriptedPortal, listing, moved

RULES = "archive: {url: HOME/, item: li.t, pages: none}\nmetadata: {headline: h1}\nbody: {root: div.text}\n"
LONG = "The old bridge over the river was closed for repairs in the spring, and nobody knows yet when it will be open again to carts. " * 3
VISITS = count()
ADVICE = "where the addresses show it, `articles.identity` makes them one (what is stored takes that by an import into a new corpus)"


def article(headline: str = "The bridge is closed", text: str = LONG) -> Reply:
    """A page whose bytes are others at each visit, whatever its article says."""
    return Reply(f"<h1>{headline}</h1><div class=text><p>{text}</p></div><p>Visit {next(VISITS)}</p>")


def shown(headline: str = "The bridge is closed", text: str = LONG) -> Any:
    """What a script says at the path of an article."""
    return lambda _: article(headline, text)


@pytest.fixture
def crawler(curator: Any, tmp_path: Path, site: ScriptedPortal) -> Crawler:
    site.script |= {"/": listing(1, 2, 3), **{f"/c/{number}": shown(f"Bridge {number}", f"{number}. {LONG}") for number in (1, 2, 3)}}
    return Crawler(curator, tmp_path, site, rules=RULES)


def build(crawler: Crawler, *flags: object) -> dict[str, Any]:
    return dict(json.loads(crawler.run("build", "--jobs", 1, "--json", *flags).out))


def screen(crawler: Crawler) -> str:
    """What `status` shows."""
    return str(crawler.run("status").out)


def exported(crawler: Crawler, to: str, *flags: object) -> list[str]:
    ended = crawler.run("export", "--to", to, "-o", "-", *flags)
    return [line.replace(crawler.portal.home, "") for line in ended.out.splitlines()]


@pytest.mark.parametrize("edited", [("Bridge 2", f"Reopened. {LONG}"), ("Bridge 2 reopens", f"2. {LONG}")], ids=["text", "headline"])
def test_of_pages_with_other_bytes_those_are_told_whose_text_changed(crawler: Crawler, edited: tuple[str, str]) -> None:
    crawler.crawl()
    build(crawler)
    assert crawler.status()["text_changed"] == 0

    crawler.portal.script["/c/2"] = shown(*edited)
    crawler.crawl("--recheck", "30d")
    assert "3 of them with other bytes than before (perhaps only around the article: after a build, `curator status`" in crawler.said
    crawler.run("build", "--jobs", 1)
    assert crawler.status()["text_changed"] == 1

    changed = [line.split(",") for line in exported(crawler, "csv", "--fields", "url,text_changed", "--where", "text_changed!=")[1:]]
    assert [url for url, _ in changed] == ["/c/2"]
    (line,) = map(json.loads, exported(crawler, "jsonl", "--where", "text_changed!="))
    assert line["text_changed"] == changed[0][1] == line["captures"][0]["date"]

    crawler.portal.script["/c/2"] = shown("Bridge 2", f"2. {LONG}")
    crawler.crawl("--recheck", "30d")
    build(crawler)
    assert crawler.status()["text_changed"] == 0


def test_when_a_text_changed_follows_from_what_is_stored_however_often_it_is_built(crawler: Crawler) -> None:
    crawler.crawl()
    build(crawler)
    for text in (f"Reopened. {LONG}", f"Reopened. {LONG}", f"Reopened. {LONG}"):
        crawler.portal.script["/c/2"] = shown("Bridge 2", text)
        crawler.crawl("--recheck", "30d")
        build(crawler)
    night_by_night = exported(crawler, "csv", "--fields", "url,text_changed,versions")
    (crawler.corpus / "build.sqlite").unlink()
    build(crawler)
    assert exported(crawler, "csv", "--fields", "url,text_changed,versions") == night_by_night
    (edited,) = [line for line in night_by_night if line.startswith("/c/2,")]
    (line,) = map(json.loads, exported(crawler, "jsonl", "--where", "text_changed!="))
    assert edited.endswith(",3") and line["text_changed"] < line["captures"][0]["date"]


@pytest.mark.parametrize("edited", [True, False], ids=["edited", "found by a new rule"])
def test_a_further_page_is_a_changed_text_where_it_was_edited_and_none_where_a_new_rule_finds_it(crawler: Crawler, edited: bool) -> None:
    following = f"{RULES}articles: {{next: a.on}}\n"
    crawler.rules = following if edited else RULES
    crawler.portal.script |= {
        "/": listing(1),
        "/c/1": f"<h1>Long</h1><div class=text><p>{LONG}</p></div><a class=on href=/c/1/2>on</a>",
        "/c/1/2": f"<div class=text><p>And on. {LONG}</p></div>",
    }
    crawler.crawl()
    build(crawler)
    crawler.rules = following
    if edited:
        crawler.portal.script["/c/1/2"] = f"<div class=text><p>And further on. {LONG}</p></div>"
    crawler.crawl("--recheck", "30d")
    build(crawler)
    assert crawler.status()["text_changed"] == int(edited)


def test_an_article_that_moved_is_none_of_a_login_whatever_its_headline_says(crawler: Crawler) -> None:
    crawler.crawl()
    form = "<form><input name=user><input type=password name=p></form>"
    moved_to = "/blog-in-town/entrar-identification-of-login"
    crawler.portal.script |= {"/c/3": moved(moved_to), moved_to: f"{form}<article><h1>Bridge 3</h1><p>3. {LONG}</article>"}
    crawler.crawl("--recheck", "30d")
    assert " gone " not in crawler.said


NOT_THERE = shown("Page not found", "Perhaps it was moved; the search finds it.")
ENDS = [(GONE, "HTTP 410"), (moved("/"), "it redirects to the home page"), (moved("/login"), "it redirects to a login page")]


@pytest.mark.parametrize(
    "later",
    [
        "<p>The front page</p>",
        "<div class=text><p>The old</p><div class=paywall>Subscribe now to go on</div></div>",
        f"<div class=text><p>Reopened. {LONG[:100]}…</p><p>A tovább olvasáshoz fizessen elő.</p></div>",
    ],
)
def test_an_article_stays_whose_address_shows_a_wall_or_something_else_later(crawler: Crawler, later: str) -> None:
    crawler.crawl()
    crawler.portal.script["/c/2"] = shown("Bridge 2", f"Reopened. {LONG}")
    crawler.crawl("--recheck", "30d")
    for _ in range(2):
        crawler.portal.script["/c/2"] = lambda _: Reply(f"<h1>Bridge 2</h1>{later}<p>Visit {next(VISITS)}</p>")
        crawler.crawl("--recheck", "30d")
    built = build(crawler)
    assert built["outcomes"] == {"article": 3}
    (doubt,) = (doubt for doubt in built["doubts"] if "older capture" in doubt)
    assert (
        doubt == "1 document keeps the text of an older capture, since in the newest the rules find a paywall, a part of it, or no article"
    )
    assert sum(json.loads(line)["text"].startswith("Reopened.") for line in exported(crawler, "jsonl")) == 1


@pytest.mark.parametrize(("kept", "behind", "stays"), [(6, "Щоб читати далі.", True), (6, "", True), (9, "", False)])
def test_an_article_stays_of_which_the_address_shows_the_first_paragraphs_later(
    crawler: Crawler, kept: int, behind: str, stays: bool
) -> None:
    paragraphs = [f"{number}. {LONG}" for number in range(10)]
    crawler.portal.script["/c/2"] = shown("Bridge 2", "</p><p>".join(paragraphs))
    crawler.crawl()
    crawler.portal.script["/c/2"] = shown("Bridge 2", "</p><p>".join([*paragraphs[:kept], behind]))
    crawler.crawl("--recheck", "30d")
    assert any("1 document keeps the text of an older capture" in doubt for doubt in build(crawler)["doubts"]) is stays


def test_an_article_stays_that_was_written_out_between_its_first_news_and_a_wall(crawler: Crawler) -> None:
    for text in ("The old bridge is closed, for now.", f"Reopened. {LONG}", f"Reopened. {LONG[:100]}…"):
        crawler.portal.script["/c/2"] = shown("Bridge 2", text)
        crawler.crawl("--recheck", "30d")
    assert any("1 document keeps the text of an older capture" in doubt for doubt in build(crawler)["doubts"])
    (kept,) = (json.loads(line) for line in exported(crawler, "jsonl") if json.loads(line)["text"].startswith("Reopened."))
    assert kept["text"].endswith("carts.") and kept["text_changed"] == kept["captures"][0]["date"]


@pytest.mark.parametrize(
    ("before", "later"),
    [
        (LONG, "It was opened again, and the town is glad of it."),
        (LONG, LONG[:250]),
        ("The bridge is closed. As soon as we know more of it, you can read it here, so come back later!", "The bridge is closed."),
    ],
)
def test_an_article_that_was_made_shorter_or_written_anew_is_the_newer_one(crawler: Crawler, before: str, later: str) -> None:
    crawler.portal.script["/c/2"] = shown("Bridge 2", before)
    crawler.crawl()
    crawler.portal.script["/c/2"] = shown("Bridge 2", later)
    crawler.crawl("--recheck", "30d")
    assert not any("older capture" in doubt for doubt in build(crawler)["doubts"])


@pytest.mark.parametrize(("said", "reason"), [*ENDS, (NOT_THERE, "it says that what was asked for is not there")])
def test_an_article_that_is_gone_from_the_site_keeps_its_document_and_is_told_everywhere(
    crawler: Crawler, said: Reply, reason: str
) -> None:
    crawler.crawl()
    build(crawler)
    crawler.portal.script |= {"/c/3": said, "/login": "<h1>Log in</h1><p>Cookies are not enabled here.</p><input type=password name=p>"}
    crawler.crawl("--recheck", "30d")
    assert f"  1 article is gone from the site: {crawler.portal.home}/c/3 ({reason}); what is stored stays\n" in crawler.said
    assert crawler.said.count(" gone ") == 1
    assert build(crawler)["outcomes"] == {"article": 3}
    assert crawler.status()["gone"] == 1
    told, lists = (
        screen(crawler).split("\n1 stored page could not be had when last asked for again; what is stored stays\n")[1].splitlines()[:2]
    )
    assert told == f"  1 gone: {reason} (such as {crawler.portal.home}/c/3)"
    assert "--to csv --where gone!=` lists articles that are gone from the site" in lists
    assert (screen(crawler).count(" gone"), screen(crawler).count(" stay")) == (3, 1), "nothing is told twice"
    assert [line.split(",")[0] for line in exported(crawler, "csv", "--fields", "url,gone", "--where", "gone!=")] == ["url", "/c/3"]
    lines = list(map(json.loads, exported(crawler, "jsonl")))
    assert [line["url"].endswith("/c/3") for line in lines] == ["gone" in line for line in lines]

    crawler.crawl("--recheck", "30d")
    shutil.copytree(crawler.corpus, copy := crawler.folder / "copy")
    crawler.curator("warc", "index", crawler.file, "--corpus", copy)
    assert differences(copy / "ledger.sqlite", crawler.corpus / "ledger.sqlite") == []
    crawler.portal.script["/c/3"] = shown("Bridge 3", f"3. {LONG}")
    ended = crawler.run("crawl", "--recheck", "30d", "--json")
    assert json.loads(ended.out)["asked_again_counts"] == {"asked": 3, "other_bytes": 3, "gone": 0}
    assert crawler.status()["gone"] == 0, "it is back"


def test_the_crawl_that_meets_removed_articles_counts_them_and_status_names_each(crawler: Crawler) -> None:
    crawler.crawl("--limit", 1)
    assert "from the site" not in crawler.said
    crawler.portal.script |= {"/c/2": GONE, "/c/3": GONE}
    crawler.crawl()
    status = ("status", crawler.file, "--corpus", crawler.corpus, "--verbose")
    home = crawler.portal.home
    example = rf"such as {home}/c/[23] \(HTTP 410\)"  # both are asked for at once
    assert re.search(f"2 articles are not there, {example}; `curator status ", crawler.said)
    assert " --verbose` lists them" in crawler.said
    assert f"2 gone: HTTP 410\n    {home}/c/2\n    {home}/c/3" in crawler.curator(*status).out
    crawler.crawl()
    assert "from the site" not in crawler.said, "they are not asked for again"

    crawler.portal.script["/c/1"] = GONE
    crawler.crawl("--recheck", "30d")
    assert f"1 article is gone from the site: {home}/c/1 (HTTP 410)" in crawler.said
    assert f"1 gone: HTTP 410\n    {home}/c/1" in crawler.curator(*status).out
    assert json.loads(crawler.run("crawl", "--recheck", "30d", "--json").out)["gone"] == 1


@pytest.mark.parametrize("there", [0, 1])
def test_a_crawl_whose_new_articles_are_nearly_all_gone_has_failed_and_says_what_makes_the_addresses(crawler: Crawler, there: int) -> None:
    crawler.portal.script |= {"/": listing(*range(20)), **{f"/c/{number}": GONE for number in range(there, 20)}}
    assert crawler.crawl() == 1
    example = rf"such as {crawler.portal.home}/c/\d+ \(HTTP 410\); if a browser shows them at another"  # several are asked for at once
    assert re.search(f"Failed: {20 - there} of 20 new articles are not there, {example}", crawler.said)
    assert "look at `link`, and at `replace`" in crawler.said and "were never there" not in crawler.said
    assert (crawler.crawl(), crawler.run("status").code) == (1, 1), "as long as hardly any is there"


@pytest.mark.parametrize(("gone", "code"), [(2, 0), (4, 0), (5, 1), (11, 1)])
def test_a_fifth_of_a_list_that_was_never_there_is_told_until_a_person_says_so_and_a_few_dead_links_are_usual(
    crawler: Crawler, gone: int, code: int
) -> None:
    dead = [f"/c/old-{number}" for number in range(gone)]
    crawler.portal.script |= {"/": listing(*range(23 - gone), *dead), **dict.fromkeys(dead, GONE)}
    for _ in range(2):
        assert crawler.crawl() == code
        told = f"Failed: {gone} of 23 articles of column archive were never there, such as {crawler.portal.home}/c/old-"
        assert (told in crawler.said) is bool(code)
        assert crawler.run("status").code == code
    crawler.rules = f"{crawler.rules or RULES}not_collected: [/old-]\n"
    assert (crawler.crawl(), crawler.run("status").code) == (0, 0), crawler.said


@pytest.mark.parametrize(("rule", "is_told"), [("[['-2024$', '']]", True), ("[['[?]x$', '']]", False)])
def test_addresses_that_a_rule_spoils_are_a_failure_and_dead_links_of_the_list_are_none(crawler: Crawler, rule: str, is_told: bool) -> None:
    paths = ["/c/1", "/c/2", "/c/3", "/c/7", "/c/4-2024", "/c/5-2024"]
    crawler.portal.script |= {"/": listing(*paths), **{path: shown(path, f"{path} {LONG}") for path in paths}}
    crawler.portal.script |= dict.fromkeys(("/c/4", "/c/5") if is_told else paths[4:], GONE)
    crawler.rules = RULES.replace("item:", f"urls: {{replace: {rule}}}, item:")
    assert crawler.crawl() == int(is_told)
    address = f"{crawler.portal.home}/c/4"
    told = f"2 articles that are not there have an address made by rules: {address} is written {address}-2024 in the list, and is there"
    assert (told in crawler.said) is is_told
    assert "2 articles are not there, such as" in crawler.said


@pytest.mark.parametrize("old", [GONE, moved("/c/new-name")])
def test_two_documents_of_one_article_under_two_addresses_are_one_problem(crawler: Crawler, old: Reply) -> None:
    crawler.portal.script |= {"/": listing("/c/old-name", 2), "/c/old-name": shown(), "/c/2": shown("Bridge 2", f"2. {LONG}")}
    crawler.crawl()
    build(crawler)
    crawler.portal.script |= {"/": listing("/c/new-name", 2), "/c/old-name": old, "/c/new-name": shown()}
    crawler.crawl("--recheck", "30d", "--full")
    build(crawler)
    home = crawler.portal.home
    told = f"two addresses of one article, with the same headline and text: {home}/c/new-name and {home}/c/old-name"
    assert [one["reason"] for one in crawler.problems if "addresses" in one["reason"]] == [f"{told}; {ADVICE}"]


def test_listed_addresses_that_redirect_to_another_listed_article_are_told(crawler: Crawler) -> None:
    crawler.portal.script |= {"/": listing(*range(1, 7)), **{f"/c/{number}": moved("/c/6") for number in (1, 2, 3)}}
    crawler.portal.script |= {f"/c/{number}": shown(f"Bridge {number}", f"{number}. {LONG}") for number in (4, 5, 6)}
    assert crawler.crawl() == 0
    home = crawler.portal.home
    told = f"3 listed addresses redirect to articles that are listed by another one, too, such as {home}/c/1 to {home}/c/6: "
    assert told in crawler.said


def test_of_many_problems_it_is_told_what_most_of_them_are(crawler: Crawler) -> None:
    crawler.portal.script |= {"/": listing(*range(24))} | {f"/c/{number}": shown(f"Bridge {number // 2}", LONG) for number in range(24)}
    crawler.crawl()
    assert "13 problems for a human, 12 of them `conflict`: " in crawler.run("build", "--jobs", 1).err
    assert "13 problems for a human, 12 of them `conflict`: " in screen(crawler)


def test_articles_that_only_look_alike_are_no_problem(crawler: Crawler) -> None:
    crawler.portal.script |= {
        "/": listing(1, 2, 3, 4),
        "/c/1": shown("Weather", "Sunny."),
        "/c/2": shown("Weather", "Sunny."),
        "/c/3": shown("One column", LONG),
        "/c/4": shown("Another column", LONG),
    }
    crawler.crawl()
    build(crawler)
    assert crawler.problems == []
