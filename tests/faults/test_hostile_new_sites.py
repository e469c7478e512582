"""Sites that `curator new` knows nothing of may be traps: it ends after few requests, in little time, and says what it saw."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from scripted_portal import AnyPath, Reply, ScriptedPortal, moved
from seams import without_waiting
from working_time import at_most

from webarticlecurator import load_portal

OK, FAILURES, BLOCKED, INCOMPLETE = 0, 1, 3, 4
MOST_REQUESTS = 30
PATIENCE = 60.0
"""Seconds of work on any pages that come at once."""
WORDS = ("folyó", "híd", "városi", "tanács", "régi", "könyvtár", "tegnap", "megnyílt", "vita", "piac")


@pytest.fixture
def look(curator: Any, site: ScriptedPortal, tmp_path: Path) -> Callable[[], tuple[int, dict[str, Any]]]:
    """Looks at the site; gives the exit code, and what was found."""

    def looked() -> tuple[int, dict[str, Any]]:
        with without_waiting(), at_most(PATIENCE):
            ended = curator("new", f"{site.home}/", "-o", tmp_path / "portal.yaml", "--json")
        assert len(site.asked) <= MOST_REQUESTS
        assert "Traceback" not in ended.err
        if (tmp_path / "portal.yaml").exists():
            load_portal(tmp_path / "portal.yaml")
        return ended.code, json.loads(ended.out)

    return looked


def any_words(path: str, count: int) -> list[str]:
    draw = Random(path)
    return [" ".join(draw.choices(WORDS, k=5)) for _ in range(count)]


def trap(path: str) -> str:
    """Sections that lead to sections, pages that lead to pages, for ever."""
    draw = Random(path)
    menu = "".join(f"<a href='/{draw.choice(WORDS)}-{draw.choice(WORDS)}/'>Rovat {number}</a>" for number in range(40))
    items = "".join(
        f"<h2><a href='{path}{number}/cikk-{draw.randrange(10**6)}'>{text}</a></h2>" for number, text in enumerate(any_words(path, 20))
    )
    return f"<html lang=hu><body><nav>{menu}</nav>{items}<a rel=next href='{path}?page={draw.randrange(10**6)}'>2</a></body></html>"


def calendar(path: str) -> str:
    """More days than may be asked for, each of them empty."""
    days = "".join(
        f"<a href='/{year}/{month:02}/{day:02}/'>{day}</a>" for year in (1900, 2030) for month in (1, 12) for day in range(1, 29)
    )
    return f"<html lang=hu><body><table class=naptar>{days}</table><p>{path}</p></body></html>"


@pytest.mark.parametrize("answer", [trap, calendar], ids=["links", "calendar"])
def test_what_has_no_end_is_looked_at_a_little(answer: Callable[[str], str], look: Any, site: ScriptedPortal) -> None:
    site.script = AnyPath(answer)
    code, told = look()
    assert code in (OK, FAILURES)
    assert told["requests"] <= MOST_REQUESTS


@pytest.mark.parametrize(("links", "remark"), [(300, None), pytest.param(100_000, "MB", marks=pytest.mark.nightly)])
def test_a_hundred_thousand_links_in_a_few_packed_bytes(look: Any, site: ScriptedPortal, links: int, remark: str | None) -> None:
    words = any_words("x", 100) * (links // 100)
    items = "".join(f"<li><a href=/rovat{number % 977}/cikk-{number}>{text} {number}</a></li>" for number, text in enumerate(words))

    def answer(path: str) -> Reply:
        body = f"<html lang=hu><body><nav><a href=/belfold/>Belföld</a></nav><ul>{items}</ul><p>{path}</p></body></html>".encode()
        return Reply(gzip.compress(body, 1), headers={"Content-Encoding": "gzip"})

    site.script = AnyPath(answer)
    code, told = look()
    assert code in (OK, FAILURES)
    assert remark is None or any(remark in said for said in told["remarks"]), "what was not looked at is told"


def test_redirects_without_end_are_given_up(look: Any, site: ScriptedPortal) -> None:
    site.script = AnyPath(lambda path: moved(f"{path}x"))
    code, told = look()
    assert (code, told["file"]) == (FAILURES, None)
    assert told["failed"]


@pytest.mark.parametrize("status", [403, 429, 503])
def test_a_site_that_refuses_after_its_home_page_is_not_asked_on_and_on(status: int, look: Any, site: ScriptedPortal) -> None:
    site.script = AnyPath(lambda path: trap(path) if path == "/" else Reply("no", status))
    code, told = look()
    assert (code, len(site.asked) < MOST_REQUESTS / 2) == (BLOCKED, True)
    assert "failures in a row" in told["blocked"]
    assert any(f"HTTP {status}" in remark for remark in told["remarks"])


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 5_000 + "mély" + "</div>" * 5_000,
        "<a href=/x/>" + "szó " * 500_000 + "</a>",
        "<nav>" + "<a href='/{year}/{page}/'>Kapcsos {zárójel}</a>" * 30 + "</nav>",
        "<nav>"
        + "".join(
            f"<a href=/{chr(number)}/>: [{chr(number)}] # - &quot; &#10;</a>" for number in range(0x21, 0x7F) if chr(number) not in "<>'"
        )
        + "</nav>",
        "\x00\x01\ufffe" * 100,
        "<base href='http://[::1'><a href=//[>x</a><a href=javascript:alert(1)>y</a>",
    ],
    ids=["deep", "long", "braces", "signs", "no text", "no addresses"],
)
def test_strange_pages_give_a_file_that_can_be_loaded(body: str, look: Any, site: ScriptedPortal) -> None:
    site.script = AnyPath(lambda path: f"<html lang='x\n: y'><title>: - # '\"\n</title><body>{body}<p>{path}</p></body></html>")
    code, _ = look()
    assert code in (OK, FAILURES, BLOCKED)


def test_a_sitemap_that_names_itself_is_read_once(look: Any, site: ScriptedPortal) -> None:
    index = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>{}</loc></sitemap></sitemapindex>"
    site.script["/"] = trap("/")
    site.script["/sitemap.xml"] = Reply(index.format(f"{site.home}/sitemap.xml"), kind="application/xml")
    look()
    assert site.asked.count("/sitemap.xml") == 1
