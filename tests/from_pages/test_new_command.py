"""`curator new`: from an address to a portal file that a crawl goes on with."""

from __future__ import annotations

import gzip
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from new_site import WORDS
from scripted_portal import BROKEN, AnyPath, Reply, ScriptedPortal, feed

from webarticlecurator import load_portal

pytestmark = pytest.mark.usefixtures("at_once")
MOST_REQUESTS = 30
OK, FAILURES, USAGE, BLOCKED, INCOMPLETE = 0, 1, 2, 3, 4
SECTIONS = {"belfold": "Belföld", "kultura": "Kultúra"}
MENU = "".join(f"<a href=/{path}/>{name}</a> " for path, name in SECTIONS.items())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def site(site: ScriptedPortal) -> ScriptedPortal:
    """Two sections of three pages each, and articles."""
    site.script["/"] = page("Példa Hírek", "".join(teaser(section, number) for section in SECTIONS for number in (0, 1)))
    for section in SECTIONS:
        for number in range(3):
            path = f"/{section}/" if not number else f"/{section}/?page={number + 1}"
            following = f"<a class=kov href='/{section}/?page={number + 2}'>Következő</a>" if number < 2 else ""
            teasers = "".join(teaser(section, 4 * number + one) for one in range(4))
            site.script[path] = page(SECTIONS[section], f"{teasers}<p class=lapozo>{following}</p>")
        for number in range(12):
            title = f"{WORDS[number % 4]} {number}"
            site.script[f"/{section}/cikk/{number}-cim"] = page(title, f"<article><p>{title}. {'Hosszú szöveg. ' * 40}</p></article>")
    return site


def page(title: str, body: str) -> str:
    return (
        f"<!DOCTYPE html><html lang=hu><head><meta charset=utf-8><title>{title} - Példa Hírek</title></head>"
        f"<body><nav>{MENU}</nav><main><h1>{title}</h1>{body}</main><footer><a href=/impresszum>Impresszum</a></footer></body></html>"
    )


def teaser(section: str, number: int) -> str:
    return f"<div class=hir><h2><a href=/{section}/cikk/{number}-cim>{WORDS[number % 4]} {number}</a></h2><p>Rövid bevezető.</p></div>"


def test_a_portal_file_is_written_that_finds_the_articles(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    ended = curator("new", f"{site.home}/", "-o", "portal.yaml")
    assert ended.code == OK, ended.err
    portal = load_portal(folder / "portal.yaml")
    assert [column.name for column in portal.columns] == ["belfold", "kultura"]
    assert (portal.language, str(portal.timezone)) == ("hu", "Europe/Budapest")
    assert "the language is hu" in (folder / "portal.yaml").read_text(encoding="utf-8")
    for told in ("belfold", "4 articles", "`curator crawl portal.yaml --limit 50`", "`curator learn portal.yaml`"):
        assert told in ended.err
    assert len(site.asked) <= MOST_REQUESTS


@pytest.mark.parametrize(
    ("setting", "flags", "creators"),
    [
        ("", (), ()),
        ("Kovács Anna", (), ("Kovács Anna",)),
        ("Kovács Anna", ("--creator", "Nagy: Béla", "--creator", "Egyetem"), ("Nagy: Béla", "Egyetem")),
    ],
)
def test_who_makes_the_corpus_is_written_into_the_portal_file(
    curator: Any,
    site: ScriptedPortal,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    setting: str,
    flags: tuple[str, ...],
    creators: object,
) -> None:
    monkeypatch.setenv("CURATOR_CREATOR", setting)
    assert curator("new", f"{site.home}/", "-o", "portal.yaml", *flags).code == OK
    assert load_portal(folder / "portal.yaml").creator == creators


def test_what_failed_is_asked_for_once_more_at_the_end_of_the_look(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    answer = site.script["/kultura/"]
    site.script["/kultura/"] = lambda _: BROKEN if site.asked.count("/kultura/") == 1 else answer
    ended = curator("new", f"{site.home}/", "-o", "portal.yaml")
    assert ended.code == OK, ended.err
    assert [column.name for column in load_portal(folder / "portal.yaml").columns] == ["belfold", "kultura"]
    assert "HTTP 500" not in ended.err


@pytest.mark.parametrize("dated", [False, True])
def test_articles_without_a_date_are_told(curator: Any, site: ScriptedPortal, folder: Path, dated: bool) -> None:
    head = "<link rel=alternate type=application/rss+xml href=/feed/>"
    head += "<meta property=article:published_time content=2024-05-01>" if dated else ""
    site.script = {path: str(body).replace("</head>", f"{head}</head>") for path, body in site.script.items()}
    site.script["/feed/"] = feed(*(f"{site.home}/belfold/cikk/{number}" for number in range(4)))
    ended = curator("new", f"{site.home}/", "-o", "portal.yaml")
    assert ("no date that could be read (such as " in ended.err) is not dated, ended.err
    assert (f"{site.home}/feed/ is a feed, which may tell it of the newest ones" in " ".join(ended.err.split())) is not dated


def test_a_crawl_goes_on_from_what_was_looked_at(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    curator("new", f"{site.home}/")
    file = folder / "portal.yaml"
    file.write_text(file.read_text(encoding="utf-8") + "\nfetch: {delay: 0s}\n", encoding="utf-8")
    assert "; 0 archive pages, " in (said := curator("status", "portal.yaml").out) and "0 article URLs" in said
    ended = curator("crawl", "portal.yaml")
    assert ended.code == OK, ended.err
    assert "24 fetched" in ended.err
    crawled = curator("status", "portal.yaml", "--json").out
    told = json.loads(crawled)
    assert told["archive_pages"] == sum(row["pages"] for row in told["completeness"]) > 0, "what was looked at before is no page of a walk"
    assert curator("warc", "index", "portal.yaml").code == OK
    assert curator("status", "portal.yaml", "--json").out == crawled


def test_a_section_that_could_not_be_read_stays_told_by_each_crawl(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    script = {path: str(body).replace("<nav>", "<nav><a href=/podcast/>Podcast</a>") for path, body in site.script.items()}
    site.script = script | {"/podcast/": page("Podcast", "<div id=app></div><script src=/podcast.js></script>")}
    assert curator("new", f"{site.home}/").code == OK
    file = folder / "portal.yaml"
    file.write_text(file.read_text(encoding="utf-8") + "\nfetch: {delay: 0s}\n", encoding="utf-8")
    for _ in range(2):
        ended = curator("crawl", "portal.yaml")
        assert (ended.code, "column podcast: no archive page ever gave an article link" in ended.err) == (FAILURES, True), ended.err
        assert "podcast: no archive page ever gave an article link" in curator("status", "portal.yaml").out


def test_stored_pages_do_as_well(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    assert curator("new", f"{site.home}/", "-o", "one/portal.yaml").code == OK
    warc = next((folder / "one").rglob("*.warc.gz"))
    asked = len(site.asked)
    ended = curator("new", "--warc", warc, "-o", "other.yaml")
    assert ended.code == OK, ended.err
    assert len(site.asked) == asked
    assert "nothing was asked" in ended.err
    rules = [(column.name, column.template) for column in load_portal(folder / "other.yaml").columns]
    assert rules == [(column.name, column.template) for column in load_portal(folder / "one" / "portal.yaml").columns]


def test_a_file_that_is_there_is_not_overwritten(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    (folder / "portal.yaml").write_text("portal: enyem\n", encoding="utf-8")
    ended = curator("new", f"{site.home}/")
    assert ended.code == USAGE
    assert "not overwritten" in ended.err
    assert (folder / "portal.yaml").read_text(encoding="utf-8") == "portal: enyem\n"
    assert not site.asked


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "in one way"),
        (("pelda.example",), "https://"),
        (("https://pelda.example/", "--warc", "x.warc.gz"), "in one way"),
    ],
)
def test_what_cannot_be_looked_at_is_said_before_anything_is_asked(
    curator: Any, folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    (folder / "page.html").write_text("<html><p>Semmi</p></html>", encoding="utf-8")
    ended = curator("new", *arguments)
    assert ended.code == USAGE
    assert said in ended.err
    assert [path.name for path in folder.iterdir()] == ["page.html"]


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        ({"/robots.txt": Reply("User-agent: *\nDisallow: /\n", kind="text/plain")}, "robots.txt forbids"),
        ({"/": Reply("Forbidden", 403)}, "HTTP 403"),
        ({"/": Reply("Log in", 401)}, "asks for a login"),
        ({"/": Reply("wait", headers={"cf-mitigated": "challenge"})}, "prove to be a person"),
        ({"/": "<html><body><div id=app></div><script src=/app.js></script></body></html>"}, "need a browser"),
        ({"/": "<html><body><form><input name=u><input type=password></form></body></html>"}, "asks for a login"),
    ],
)
def test_a_site_that_keeps_us_out_is_told_as_such(
    curator: Any, site: ScriptedPortal, folder: Path, replies: dict[str, Any], said: str
) -> None:
    site.script.update(replies)
    ended = curator("new", f"{site.home}/")
    assert ended.code == BLOCKED, ended.err
    assert said in ended.err


def test_a_site_without_articles_says_so(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    site.script["/"] = f"<html lang=en><body><h1>Company</h1><p>{'We make bolts. ' * 60}</p><a href=/contact>Contact</a></body></html>"
    ended = curator("new", f"{site.home}/")
    assert ended.code == FAILURES
    assert "no articles were found" in ended.err
    assert load_portal(folder / "portal.yaml").columns == ()


def test_another_site_is_not_followed_to(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    site.script["/"] = Reply("", 301, headers={"Location": "https://masik.example/"})
    ended = curator("new", f"{site.home}/")
    assert ended.code == FAILURES
    assert "https://masik.example/" in ended.err
    assert not (folder / "portal.yaml").exists()


def test_a_known_software_is_met_by_its_preset(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    head = "<meta name=generator content='WordPress 6.4'><link rel='https://api.w.org/' href=/wp-json/>"
    site.script["/"] = (
        f"<html lang=hu><head>{head}</head><body><article id=post-7 class=hentry><a href=/c/1>Egy</a></article></body></html>"
    )
    posts = [{"id": number, "link": f"{site.home}/2024/05/{number}/", "title": {"rendered": "Cím"}} for number in range(5)]
    answer = Reply(json.dumps(posts), headers={"X-WP-TotalPages": "1"}, kind="application/json")
    site.script = AnyPath(lambda path: answer if path.startswith("/wp-json/wp/v2/posts") else None, site.script)
    ended = curator("new", f"{site.home}/", "--json")
    told = json.loads(ended.out)
    assert (ended.code, told["system"], told["preset"]) == (OK, "WordPress", "wordpress")
    assert "its archive answers: `api` gives 5 articles" in (folder / "portal.yaml").read_text(encoding="utf-8").replace("\n# ", " ")


def test_where_nothing_lists_articles_a_feed_is_looked_for(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    home = "<html lang=hu><body><main><h1>Hírek</h1><p>Hamarosan.</p></main></body></html>"
    site.script = {"/": home, "/rss.xml": feed(*(f"{site.home}/c/{number}" for number in range(4)))}
    ended = curator("new", f"{site.home}/")
    assert ended.code == OK, ended.err
    assert "rss.xml" in ended.err
    assert "extends: feed" in (folder / "portal.yaml").read_text(encoding="utf-8")


def test_an_interrupted_look_stores_what_it_had_and_writes_no_file(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    def pressed(_: str) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return page("Belföld", teaser("belfold", 1))

    site.script["/belfold/"] = pressed
    ended = curator("new", f"{site.home}/", "--json")
    assert (ended.code, json.loads(ended.out)["interrupted"]) == (INCOMPLETE, True)
    assert not (folder / "portal.yaml").exists()
    assert "/kultura/" not in site.asked
    (warc,) = folder.rglob("*.warc.gz")
    assert b"/belfold/" in gzip.decompress(warc.read_bytes())


# --- a list that is added to the file that is there ---

PAGED = "".join("<h2><a href=/{0}/" + f"{n}-a-folyo-napja/>A folyó {n}. napja megint</a></h2><p>Bevezető szavak.</p>" for n in range(9))


def with_essays(site: ScriptedPortal) -> None:
    for name in ("posts", "essays", "notes"):
        page = f"<!DOCTYPE html><html lang=hu><body><main>{PAGED.format(name)}</main>"
        older = page.replace("-a-folyo", "0-a-folyo")
        site.script |= {f"/{name}/": f"{page}<a class=older href=/{name}/2/>Régebbi</a>", f"/{name}/2/": older}


WRITTEN_BY_HAND = """# Az én fájlom: a sorrend és a szóközök is maradnak.
portal:   folyo
home: HOME/posts/

archive: {url: "{home}", link: h2 a,   next: a.older}   # régebbi
fetch: {delay: 0s}
"""


def test_a_second_list_of_a_site_is_added_to_its_file_which_stays_as_it_is(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    with_essays(site)
    file = folder / "portal.yaml"
    before = WRITTEN_BY_HAND.replace("HOME", site.home)
    file.write_text(before, encoding="utf-8")
    ended = curator("new", f"{site.home}/essays/")
    assert ended.code == OK, ended.err
    assert "the column `essays`" in ended.err
    after = file.read_text(encoding="utf-8")
    assert after.startswith(before)
    portal = load_portal(file)
    assert [column.name for column in portal.columns] == ["archive", "essays"]
    curator("crawl", "portal.yaml", "--archive-only")
    status = json.loads(curator("status", "portal.yaml", "--json").out)
    assert {column["column"]: column["proved"] for column in status["completeness"]} == {"archive": 1, "essays": 1}


def test_a_list_that_the_file_has_already_is_told_and_costs_no_request(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    with_essays(site)
    assert curator("new", f"{site.home}/essays/").code == OK
    assert curator("new", f"{site.home}/notes/").code == OK
    before, asked = (folder / "portal.yaml").read_bytes(), len(site.asked)
    ended = curator("new", f"{site.home}/notes/")
    assert (ended.code, len(site.asked)) == (OK, asked)
    assert "has a column for" in ended.err and "`notes`" in ended.err
    assert (folder / "portal.yaml").read_bytes() == before


def test_what_is_no_list_is_not_added(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    with_essays(site)
    site.script["/about/"] = "<!DOCTYPE html><html lang=hu><body><h1>Rólunk</h1><p>Egy szó a folyóról.</p>"
    assert curator("new", f"{site.home}/essays/").code == OK
    before = (folder / "portal.yaml").read_bytes()
    ended = curator("new", f"{site.home}/about/")
    assert (ended.code, "no list of articles was found there" in ended.err) == (FAILURES, True)
    assert (folder / "portal.yaml").read_bytes() == before


def test_no_list_of_another_site_is_added(curator: Any, site: ScriptedPortal, folder: Path) -> None:
    with_essays(site)
    assert curator("new", f"{site.home}/essays/").code == OK
    ended = curator("new", "https://masik.example/posts/")
    assert (ended.code, "not overwritten" in ended.err) == (USAGE, True)
