"""Portals that come with curator, by name: listed, copied, extended, crawled, and asked whether they are still as described."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from scripted_portal import MISSING, Reply, ScriptedPortal, feed, listing, moved, sitemap_index, urlset

SITES = Path(__file__).resolve().parents[2] / "site_configs"


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CURATOR_CONTACT", "somebody@pelda.example")  # the files let in hosts of others, of which none is asked
    return tmp_path


def listed(curator: Callable[..., Any], *words: str) -> dict[str, dict[str, Any]]:
    rows = json.loads(curator("portals", *words, "--json").out)
    names = {row["name"]: row for row in rows}
    assert len(names) == len(rows), "no two are called alike"
    return names


# --- which there are ---


def test_every_portal_file_and_preset_that_ships_is_listed_by_the_name_that_stands_for_it(curator) -> None:
    rows = listed(curator)
    files = {str(path) for path in SITES.rglob("*.yaml") if path.name != "tests.yaml"}
    assert {row["file"] for row in rows.values()} == files
    assert all(row["known"] or not row["country"] for row in rows.values())
    texts = {name: Path(row["file"]).read_text(encoding="utf-8") for name, row in rows.items() if row["country"]}
    assert [name for name, text in texts.items() if f"\nportal: {name}\n" not in f"\n{text}"] == []
    assert "elsewhere" not in {row["country"] for row in rows.values()}
    assert rows["derstandard"] == {
        "name": "derstandard",
        "title": "Der Standard",
        "country": "Austria",
        "languages": ["de"],
        "columns": ["feed", "news", "sitemap"],
        "lists": ["feed", "news", "sitemap"],
        "since": "",
        "known": "fundus 0.5.7",
        "date": "2026-11-30",
        "rights": "",
        "file": str(SITES / "newspapers/austria/derstandard.yaml"),
        "home": "https://derstandard.at/",
    }
    assert (rows["publico"]["since"], rows["telex"]["known"], rows["telex"]["lists"]) == ("2020-01-01", "tested on 3 pages", ["pages"])
    assert rows["dw"]["languages"] == ["de", "en"]


@pytest.mark.parametrize(("name", "country", "has_one_zone"), [("westaustralian", "Australia", False), ("orf", "Austria", True)])
def test_a_time_zone_is_said_where_a_country_has_one(curator, name: str, country: str, has_one_zone: bool) -> None:
    row = listed(curator, country)[name]
    text = Path(row["file"]).read_text(encoding="utf-8")
    assert ("\ntimezone: " in text, "`timezone` says" in text, "stands at the end" in text.splitlines()[0]) == (
        has_one_zone,
        not has_one_zone,
        not has_one_zone,
    )


@pytest.mark.parametrize(
    ("words", "some", "others"),
    [
        (("austria",), {"orf", "derstandard"}, {"theguardian"}),
        (("de", "ZEITUNG"), {"faz", "nzz"}, {"theguardian"}),
        (("de",), {"faz", "nzz", "orf"}, {"expressen", "theindependent"}),
        (("SV",), {"expressen"}, {"theguardian"}),
        (("Swedish",), {"expressen"}, {"theguardian"}),
        (("svenska",), {"expressen"}, {"theguardian"}),
        (("german",), {"faz", "nzz", "orf"}, {"expressen", "theindependent"}),
        (("uk",), {"theguardian", "metro"}, {"faz"}),
        (("us",), {"cnbc"}, {"westaustralian", "kommersant", "orf"}),
        (("united", "kingdom"), {"theguardian", "metro"}, {"cnbc"}),
        (("Der Stand",), {"derstandard"}, {"eveningstandard"}),
        (("derstandard.at",), {"derstandard"}, {"diepresse"}),
        (("https://www.vg.no/nyheter/",), {"verdensgang"}, {"nrk"}),
        (("xenforo",), {"xenforo"}, {"theguardian"}),
    ],
)
def test_words_choose_by_name_title_country_language_and_address(curator, words: tuple[str, ...], some: set[str], others: set[str]) -> None:
    ended = curator("portals", *words)
    assert ended.code == 0
    assert ("--column" in ended.err) == ("xenforo" not in words)
    assert all(name in ended.out for name in some)
    rows = listed(curator, *words)
    assert rows.keys() >= some
    assert rows.keys().isdisjoint(others)


@pytest.mark.parametrize(
    ("word", "meaning", "some", "others"),
    [
        ("austria", "of Austria", {"orf", "derstandard", "diepresse", "kleinezeitung", "salzburgernachrichten"}, {"westaustralian"}),
        ("Österreich", "of Austria", {"orf", "derstandard", "diepresse", "kleinezeitung", "salzburgernachrichten"}, set()),
        ("OESTERREICH", "of Austria", {"orf", "derstandard"}, set()),
        ("Norge", "of Norway", {"nrk", "verdensgang"}, {"expressen"}),
        ("Noreg", "of Norway", {"nrk", "verdensgang"}, {"expressen"}),
        ("Magyarország", "of Hungary", {"telex", "merce"}, set()),
        ("日本", "of Japan", {"asahishimbun"}, set()),
        ("usa", "of United States", {"cnbc"}, {"theguardian"}),
        ("Türkiye", "of Turkey", {"haberturk"}, set()),
        ("norwegian", "in Norwegian", {"nrk"}, {"expressen"}),
        ("nb", "in Norwegian Bokmål", {"nrk", "verdensgang"}, {"cnbc", "aftonbladet"}),
        ("deutsch", "in German", {"faz", "nzz", "orf"}, {"theguardian"}),
        ("German", "in German", {"faz", "nzz", "orf"}, {"theguardian"}),
        ("no", "of Norway or in Norwegian", {"nrk"}, {"nzz"}),
    ],
)
def test_countries_and_languages_go_by_their_names_here_and_there(
    curator, word: str, meaning: str, some: set[str], others: set[str]
) -> None:
    assert f"; {word}: {meaning}\n" in curator("portals", word).err
    rows = listed(curator, word)
    assert rows.keys() >= some
    assert rows.keys().isdisjoint(others)


def test_a_word_is_not_found_inside_of_others(curator) -> None:
    assert listed(curator, "standard").keys() == {"derstandard", "eveningstandard"}
    assert listed(curator, "presse").keys() == {"diepresse"}


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("standart", "derstandard"),
        ("derstandart", "derstandard"),
        ("autria", "Austria"),
        ("vg", "verdensgang"),
        ("???????", ""),
    ],
)
def test_where_nothing_fits_what_is_near_is_told(curator, word: str, near: str) -> None:
    ended = curator("portals", word)
    assert (ended.code, ended.out, "curator new URL" in ended.err) == (1, "", True)
    assert (f"did you mean {near}" if near else "Next: `curator new") in ended.err


def test_names_alone_are_arguments_of_other_commands(curator) -> None:
    names = curator("portals", "austria", "--names").out.split()
    assert names == ["derstandard", "diepresse", "kleinezeitung", "orf", "salzburgernachrichten"]
    assert curator("check", *names).code == 0
    assert json.loads(curator("portals", "austria", "--names", "--json").out) == names


def test_a_table_has_headings_for_what_stands_in_it(curator) -> None:
    assert curator("portals", "austria").out.split("\n")[0].split() == ["country", "name", "title", "language", "lists", "known"]
    assert curator("portals", "publico").out.split("\n")[0].split()[-2:] == ["since", "known"]


def test_what_nothing_fits_is_told_by_the_exit_code(curator) -> None:
    ended = curator("portals", "austria", "sv")
    assert (ended.code, ended.out, "curator new URL" in ended.err) == (1, "", True)


@pytest.mark.nightly
def test_every_portal_that_ships_passes_check_without_a_warning(curator) -> None:
    names = [name for name, row in listed(curator).items() if row["country"]]
    ended = curator("check", *names)
    assert (ended.code, ended.err.count("no mistakes"), ended.out) == (0, len(names), "")


def test_all_newspapers_together_are_short(curator) -> None:
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in SITES.glob("newspapers/*/*.yaml"))
    assert lines < 4000


# --- a name is as good as a file ---


def test_new_copies_the_file_of_a_name_and_overwrites_nothing(curator) -> None:
    assert curator("new", "orf", "-o", "orf/portal.yaml").code == 0
    assert Path("orf/portal.yaml").read_bytes() == (SITES / "newspapers/austria/orf.yaml").read_bytes()
    ended = curator("new", "orf", "-o", "orf/portal.yaml")
    assert (ended.code, "is there already" in ended.err) == (2, True)
    printed = curator("new", "orf", "-o", "-")
    assert (printed.code, printed.out, Path("-").exists()) == (0, Path("orf/portal.yaml").read_text(encoding="utf-8"), False)
    assert curator("new", "orf", "-o", "-", "--json").code == 2
    assert "telex/tests.yaml" in curator("new", "telex", "-o", "telex.yaml").err


def test_copies_go_by_their_names_into_this_folder_or_another(curator) -> None:
    ended = curator("new", "orf")
    assert (ended.code, "orf still means the file that came with curator: call your copy orf.yaml" in ended.err) == (0, True)
    assert curator("new", "derstandard").code == 0
    Path("papers").mkdir()
    assert curator("new", "orf", "-o", "papers/").code == 0
    assert [*map(str, sorted(Path().rglob("*.yaml")))] == ["derstandard.yaml", "orf.yaml", "papers/orf.yaml"]


def test_a_name_says_which_file_it_stands_for_and_begins_no_second_corpus_unasked(curator, site: ScriptedPortal) -> None:
    site.script |= {"/news.xml": feed("/c/1"), "/": "<h1>Home</h1>"}
    file = on_loopback("orf", site)
    assert "stands for" not in curator("crawl", file).err
    ended = curator("crawl", "orf", "--dry-run")
    assert f"orf stands for {SITES}/newspapers/austria/orf.yaml, which came with curator. orf.yaml is another" in ended.err
    ended = curator("new", "orf", "-o", "orf/portal.yaml")
    assert "Here orf means this copy from now on, and its corpus lies in orf/corpora" in ended.err
    for command in ("status", "crawl"):
        ended = curator(command, "orf")
        assert (ended.code, "orf stands for orf/portal.yaml" in ended.err) == (2, True), ended.err
        assert "--corpus corpora/orf" in ended.err


@pytest.mark.parametrize("flags", [(), ("--accept", "https://www.derstandard.at/story/1")])
def test_a_file_among_others_of_its_country_has_no_tests_and_gets_none_there(curator, flags: tuple[str, ...]) -> None:
    ended = curator("test", "derstandard", *flags)
    assert (ended.code, "`curator new derstandard -o derstandard/portal.yaml`" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("check", "wordpress"), "`extends: wordpress`"),
        (("new", "wordpress"), "`extends: wordpress`"),
        (("check", "derstandart"), "did you mean derstandard?"),
        (("check", "presse"), "did you mean diepresse or freiepresse"),
        (("check", "austria"), "`curator portals austria`"),
        (("check", "https://www.derstandard.at/"), "derstandard, which came with curator, describes that site"),
        (("new", "derstandar"), "did you mean derstandard?"),
        (("new", "Österreich"), "portals of Austria may be meant. `curator portals 'Österreich'`"),
        (("new", "pelda"), "begins with http"),
    ],
)
def test_a_name_that_is_none_is_told_what_may_be_meant(curator, typed: tuple[str, ...], says: str) -> None:
    ended = curator(*typed)
    assert (ended.code, says in ended.err) == (2, True), ended.err


def test_a_file_extends_a_portal_by_its_name(curator) -> None:
    Path("own.yaml").write_text("portal: own\nhome: https://www.orf.at/\nextends: [orf]\ncolumns: {more: {url: '{home}m', link: a}}\n")
    shown = yaml.safe_load(curator("check", "own.yaml", "--show").out)
    assert (shown["portal"], shown["title"], [*shown["columns"]]) == ("own", "Österreichischer Rundfunk", ["feed", "more"])
    Path("own.yaml").write_text("portal: own\nextends: orf\n")
    assert yaml.safe_load(curator("check", "own.yaml", "--show").out)["home"] == "https://www.orf.at/"
    Path("own.yaml").write_text("portal: own\nhome: https://www.pelda.example/\nextends: orf\n")
    assert "warning: `home` is on another site than https://www.orf.at/" in curator("check", "own.yaml").out
    Path("own.yaml").write_text("portal: own\nextends: wordpress\n")
    assert "`home` is missing here, and in what is extended" in curator("check", "own.yaml").out
    Path("own.yaml").write_text("portal: own\nextends: diepresse\ncolumns: {nwes: null}\n")
    assert "did you mean `news: null`" in curator("check", "own.yaml").out
    Path("own.yaml").write_text("portal: own\nhome: https://www.orf.at/\nextends: derstandart\n")
    assert "did you mean `derstandard`?" in curator("check", "own.yaml").out


def test_a_shell_completes_names_and_the_files_beside_them(curator, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("derbeste.yaml", "derfreitag"):
        Path(name).touch()
    monkeypatch.setenv("_CURATOR_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "curator crawl der")
    monkeypatch.setenv("COMP_CWORD", "2")
    assert curator().out.split() == ["plain,derfreitag", "plain,derstandard", "plain,derbeste.yaml"]
    monkeypatch.setenv("COMP_WORDS", "curator new derst")
    assert curator().out.split() == ["plain,derstandard"]
    monkeypatch.setenv("COMP_WORDS", "curator crawl xyz")
    assert curator().out.split() == ["file,xyz"]


# --- their facts are enough for a crawl ---


def on_loopback(name: str, site: ScriptedPortal) -> Path:
    """The portal file of a name, as if its hosts were that portal; nothing else in it is changed."""
    text = next(SITES.glob(f"newspapers/*/{name}.yaml")).read_text(encoding="utf-8")
    text = re.sub(r'"https?://[^/"]+', f'"{site.home}', text)
    path = Path(f"{name}.yaml")
    path.write_text(f"{text}\nfetch: {{delay: 0s, retries: 0}}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "script", "articles"),
    [
        ("publico", {"/sitemap-noticias-202001.xml": urlset("/c/1", "/c/2"), "/sitemap-noticias-202403.xml": urlset("/c/3")}, 3),
        ("mainichishimbun", {"/rss/etc/mainichi-flash.rss": feed("/c/1", "/c/2")}, 2),
        ("waz", {"/sitemaps/news.xml": urlset("/c/1", "/c/2", "/c/3", "/c/4")}, 4),
        (
            "seznamzpravy",
            {
                "/rss": feed("/c/1"),
                "/sitemaps/sitemap_news.xml": urlset("/c/1", "/c/2"),
                "/sitemaps/sitemap_articles.xml": sitemap_index("/a.xml"),
                "/a.xml": urlset("/c/2", "/c/3"),
            },
            3,
        ),
    ],
)
def test_by_its_facts_a_crawl_finds_all_that_a_portal_lists(
    curator, site: ScriptedPortal, name: str, script: dict[str, Any], articles: int
) -> None:
    site.script |= {"/": "<h1>Home</h1>", **script}
    file = on_loopback(name, site)
    ended = curator("crawl", file)
    assert f"{articles} new articles found, {articles} fetched" in ended.err
    assert (ended.code, curator("crawl", file).code) == (0, 0)
    assert json.loads(curator("status", file, "--json").out)["outcomes"] == {"fetched": articles}


# --- whether they are still as described ---

WELL = {"/rss": feed("/c/1"), "/sitemaps/sitemap_articles.xml": sitemap_index("/a.xml"), "/": "<h1>Home</h1>"}


def online(curator: Callable[..., Any], file: Path) -> tuple[int, dict[str, tuple[bool, str]]]:
    ended = curator("check", "--online", file, "--json")
    answers = json.loads(ended.out)["online"]
    return ended.code, {answer["kind"]: (answer["well"], answer["says"]) for answer in answers}


def test_what_a_file_leans_on_is_asked_for_with_about_five_requests_to_a_host(curator, site: ScriptedPortal) -> None:
    site.script |= WELL
    assert online(curator, on_loopback("seznamzpravy", site)) == (
        0,
        {
            "home": (True, "answers"),
            "robots.txt": (True, "there is none (HTTP 404)"),
            "feed": (True, "gives 1 article"),
            "sitemap": (True, "gives 1 sitemap"),
        },
    )
    asked = sorted(site.asked)
    assert asked == ["/", "/.well-known/tdmrep.json", "/robots.txt", "/rss", "/sitemaps/sitemap_articles.xml"]
    ended = curator("check", "--online", "seznamzpravy.yaml")
    assert f"seznamzpravy column sitemap {site.home}/sitemaps/sitemap_articles.xml: gives 1 sitemap" in ended.out
    assert "\nseznamzpravy: asked 2 of 3 lists\n" in ended.out
    Path("bare.yaml").write_text(f"portal: bare\nhome: {site.home}/\nfetch: {{delay: 0s}}\n", encoding="utf-8")
    ended = curator("check", "--online", "bare.yaml")
    assert (ended.code, "curator crawl" in ended.err) == (0, False)


ROBOTS = Reply("User-agent: *\nDisallow: /private\nSitemap: https://new.example/s.xml\n", kind="text/plain")


@pytest.mark.parametrize(
    ("script", "kind", "says"),
    [
        ({"/": MISSING}, "home", "HTTP 404"),
        ({"/": moved("http://localhost:1/")}, "home", "has moved: write http://localhost:1/"),
        ({"/robots.txt": Reply("User-agent: *\nDisallow: /\n", kind="text/plain")}, "robots.txt", "forbids the home page"),
        ({"/rss": "<h1>No feed any more</h1>"}, "feed", "no feed"),
        ({"/rss": feed()}, "feed", "gives no articles"),
        ({"/rss": feed("https://other.example/1")}, "feed", "gives no articles (refused: other host)"),
        ({"/sitemaps/sitemap_articles.xml": MISSING, "/robots.txt": ROBOTS}, "sitemap", "robots.txt names https://new.example/s.xml"),
    ],
)
def test_what_does_not_answer_as_described_is_named_and_changes_the_exit_code(
    curator, site: ScriptedPortal, script: dict[str, Any], kind: str, says: str
) -> None:
    site.script |= WELL | script
    file = on_loopback("seznamzpravy", site)
    code, answers = online(curator, file)
    assert (code, answers[kind][0], says in answers[kind][1]) == (1, False, True), answers
    ended = curator("check", "--online", file)
    assert (ended.code, "NOT AS DESCRIBED" in ended.out) == (1, True)
    assert "Next: where the portal has changed, its file must" in ended.err


def test_where_nothing_answers_the_portal_is_not_blamed(curator) -> None:
    nowhere = "http://localhost:1/"
    rules = f"fetch: {{delay: 0s, retries: 0}}\narchive: {{url: {nowhere}rss, format: feed}}\n"
    Path("own.yaml").write_text(f"portal: own\nhome: {nowhere}\n{rules}", encoding="utf-8")
    ended = curator("check", "--online", "own.yaml")
    assert (ended.code, ended.out.count("COULD NOT BE ASKED"), "robots.txt: there is none" in ended.out) == (1, 2, False)
    assert "NOT AS DESCRIBED" not in ended.out
    assert "see whether this machine is on the network" in ended.err
    answers = json.loads(curator("check", "--online", "own.yaml", "--json").out)["online"]
    assert {(answer["well"], answer["reached"]) for answer in answers} == {(False, False)}


def test_a_page_of_a_list_is_read_by_the_rules_and_of_several_ways_one_is_enough(curator, site: ScriptedPortal) -> None:
    site.script |= {"/": listing(1, 2), "/feed.xml": MISSING}
    rules = "archive: {ways: {api: {url: '{home}api', format: feed}, pages: {url: '{home}', link: h2 a}}}"
    Path("own.yaml").write_text(f"portal: own\nhome: {site.home}/\nfetch: {{delay: 0s, retries: 0}}\n{rules}\n", encoding="utf-8")
    code, answers = online(curator, Path("own.yaml"))
    assert (code, answers["list"], "feed" in answers) == (0, (True, "gives 2 articles"), False)


def test_a_crawl_and_status_say_which_list_does_not_answer(curator, site: ScriptedPortal) -> None:
    site.script |= {**WELL, "/sitemaps/sitemap_articles.xml": MISSING, "/sitemaps/sitemap_news.xml": urlset("/c/1")}
    file = on_loopback("seznamzpravy", site)
    assert curator("crawl", file).code == 1
    ended = curator("status", file)
    assert "/sitemaps/sitemap_articles.xml" in ended.out
    assert "HTTP 404" in ended.out
