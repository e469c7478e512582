"""Whatever goes wrong on whichever page of several ways: what a way lists is fetched, and nothing is proved that is not all there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from scripted_portal import API_WAY, BROKEN, GONE, Crawler, Reply, ScriptedPortal, listing, moved, scripted_portal

OK, ARTICLES, ON_A_PAGE = 0, 6, 2
RULES = f"""{API_WAY}\
    pages: {{url: "{{home}}l?{{page}}", pages: {{mode: numbered, last: .last}}}}
    list: {{url: "{{home}}m?{{page}}", pages: infinite}}
"""
WRONG: dict[str, Reply | str] = {
    "denied": Reply("{}", 401),
    "broken": BROKEN,
    "a login": "<html><form><input type=password></form></html>",
    "cut": Reply('[{"link": "/c/1"}, {"li', kind="application/json"),
    "nothing": "",
    "led home": moved("/"),
}
"""What may stand where a page of the archive should."""
ENDS = {"nothing", "led home", "cut"}
"""What archives answer beyond their last page, or a page without articles: there, and where none says which is the last, it is the end."""
PAGES = ["/api?page=1", "/api?page=2", "/api?page=3", "/l?1", "/l?2", "/l?3", "/m?1", "/m?2", "/m?3"]


def publish(site: ScriptedPortal) -> None:
    for number in range(1, 4):
        articles = [ARTICLES - ON_A_PAGE * (number - 1) - one for one in range(ON_A_PAGE)]
        counts = {"X-WP-Total": str(ARTICLES), "X-WP-TotalPages": "3"}
        said = json.dumps([{"link": f"{site.home}/c/{one}"} for one in articles])
        site.script[f"/api?page={number}"] = Reply(said, headers=counts, kind="application/json")
        site.script[f"/l?{number}"] = listing(*articles, more="<b class=last>3</b>")
        site.script[f"/m?{number}"] = listing(*articles)
    site.script |= {"/m?4": GONE, "/": "<h1>Címlap</h1>"}


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(PAGES), st.sampled_from(sorted(WRONG)), max_size=7))
@example({"/api?page=2": "nothing", "/l?1": "led home", "/m?2": "broken"})
@example(dict.fromkeys(PAGES, "denied"))
def test_any_pattern_of_failures(curator: Callable[..., Any], wrong: dict[str, str]) -> None:
    wrong = {path: "broken" if kind in ENDS and path.startswith(("/l?3", "/m")) else kind for path, kind in wrong.items()}
    everything = {f"/c/{number}" for number in range(1, ARTICLES + 1)}
    with scripted_portal() as site, TemporaryDirectory() as folder:
        publish(site)
        right = {path: site.script[path] for path in wrong}
        site.script |= {path: WRONG[kind] for path, kind in wrong.items()}
        crawler = Crawler(curator, Path(folder), site, RULES)
        code = crawler.crawl()
        listed = {number for number in range(3) for path in PAGES[number::3] if path in site.asked and path not in wrong}
        fetched = {f"/c/{ARTICLES - ON_A_PAGE * number - one}" for number in listed for one in range(ON_A_PAGE)}
        assert fetched <= crawler.fetched
        assert crawler.fetched == everything or code != OK, crawler.said
        proved = any(way["state"] == "proved" for way in crawler.status()["ways"])
        assert proved == (code == OK), crawler.said
        assert bool(crawler.problems) == (code != OK)

        site.script |= right
        assert crawler.crawl() == OK, crawler.said
        assert crawler.fetched == everything
        assert not crawler.problems
