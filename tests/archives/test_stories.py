"""Stories of crawls, as `stories/*.yaml` tell them: what a portal serves, what its file says, and what a person then gets.

A file has stories by name; a story is a step or several, each of which ends with a crawl. HOME stands for the address of the portal,
a number for that article's. What a step may say:

- `rules`: those of the portal file; `serve`: what is answered at these paths; both stay so in the next step. A list is an archive page with
  these articles; `links`, `next` and `more` one with more on it; `sitemap`, `index` and `feed` what they are called, the first two perhaps
  with one `lastmod`; `empty`, `missing`, `gone`, `broken`, `HTTP 403`, `moved to /`; any other text is the answer, null is none.
- `crawl`: flags; `ends`: how (ok). `says` and `never says`: words of the crawl; `status`: words of the status as data.
- `asked`, `asked in any order`: archive pages; `articles asked`, `fetched`, `outcomes`: articles. `proved`: column -> intervals.
  `gaps` and `problems`: words of the reason of each; `problems at`: where they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from case_files import read_yaml
from scripted_portal import Crawler, Script, feed, sitemap_index, told_page, urlset

FILES = sorted((Path(__file__).parent / "stories").glob("*.yaml"))
STORIES = {f"{file.stem}: {name}": story for file in FILES for name, story in read_yaml(file).items()}
CODES = {"ok": 0, "failures": 1, "usage": 2, "blocked": 3, "incomplete": 4, "drift": 5}


def page(told: Any) -> Script:
    if not isinstance(told, dict) or "links" in told:
        return told_page(told)
    if "feed" in told:
        return feed(*paths(told["feed"]))
    make, places = (urlset, told["sitemap"]) if "sitemap" in told else (sitemap_index, told["index"])
    return make(*paths(places), lastmod=str(told.get("lastmod", "")))


def paths(articles: list[int | str]) -> list[str]:
    return [f"/c/{article}" if isinstance(article, int) else article for article in articles]


def texts(told: str | list[str]) -> list[str]:
    return [told] if isinstance(told, str) else told


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_a_crawl(crawler: Crawler, story: dict[str, Any] | list[dict[str, Any]]) -> None:
    for step in story if isinstance(story, list) else [story]:
        crawled(crawler, dict(step))


def crawled(crawler: Crawler, step: dict[str, Any]) -> None:
    portal = crawler.portal
    crawler.rules = step.pop("rules", crawler.rules)
    for path, told in step.pop("serve", {}).items():
        portal.script.pop(path, None)
        portal.script |= {} if told is None else {path: page(told)}
    assert crawler.crawl(*step.pop("crawl", "").split()) == CODES[step.pop("ends", "ok")], crawler.said
    said, status, problems = crawler.said.replace(portal.home, "HOME"), crawler.status(), crawler.problems
    places = {row["column"]: row["proved"] for row in status["completeness"]}
    found = {
        "says": all(text in said for text in texts(step.get("says", ""))),
        "never says": not any(text in said for text in texts(step.get("never says", "-" * 99))),
        "status": step.get("status", "") in str(status).replace(portal.home, "HOME"),
        "asked": portal.archive_asked,
        "asked in any order": sorted(portal.archive_asked),
        "articles asked": sorted(portal.articles_asked),
        "fetched": sorted(crawler.fetched),
        "outcomes": crawler.outcomes,
        "proved": {column: places.get(column) for column in step.get("proved", ())},
        "problems at": [problem["url"].removeprefix(portal.home) for problem in problems],
    }
    wanted = {key: True if key in ("says", "never says", "status") else value for key, value in step.items()}
    wanted |= {key: sorted(paths(step[key])) for key in ("articles asked", "fetched", "asked in any order") if key in step}
    for key, told in (("gaps", status["gaps"]), ("problems", problems)):
        if key in step:
            reasons = [str(row["reason"]).replace(portal.home, "HOME") for row in told]
            found[key] = [words for words, reason in zip(step[key], reasons, strict=True) if words in reason]
    assert {key: found[key] for key in wanted} == wanted, said
