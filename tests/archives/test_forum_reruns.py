"""A forum that lives on between two crawls, collected with a file that says no more than its address and its software."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Crawler, ScriptedPortal

LONG_AGO = "2024-01-03T10:00:00+00:00"


@pytest.fixture
def crawler(curator: Any, tmp_path: Path, site: ScriptedPortal) -> Crawler:
    site.script |= {
        "/": "<ul class='topiclist forums'><li><dl><dt><a class=forumtitle href='viewforum.php?f=2&amp;sid=1'>Hidak</a></dl></ul>",
        "/viewforum.php?f=2": board({1: LONG_AGO, 2: LONG_AGO}),
        "/viewtopic.php?f=2&t=1": thread(1, 2, next="viewtopic.php?f=2&amp;t=1&amp;sid=7&amp;start=2"),
        "/viewtopic.php?f=2&t=1&start=2": thread(1, 3),
        "/viewtopic.php?f=2&t=2": thread(4),
    }
    return Crawler(curator, tmp_path, site, rules="extends: phpbb\n")


def board(last_posts: dict[int, str]) -> str:
    rows = (
        f"<li class=row><dl><dt><a class=topictitle href='viewtopic.php?f=2&amp;t={topic}&amp;sid=5'>Téma {topic}</a></dt>"
        f"<dd class=lastpost><span><time datetime='{when}'>akkor</time></span></dd></dl></li>"
        for topic, when in last_posts.items()
    )
    return f"<h2 class=forum-title>Hidak</h2><ul class='topiclist topics'>{''.join(rows)}</ul>"


def thread(*posts: int, next: str | None = None) -> str:
    pager = f"<div class=pagination><ul><li class='arrow next'><a href='{next}'>tovább</a></li></ul></div>" if next else ""
    each = (
        f"<div id=p{post} class='post bg1'><div class=postbody><p class=author><strong><a class=username>tag{post}</a></strong> » "
        f"<time datetime='2024-01-0{post}T10:00:00+00:00'>akkor</time></p><div class=content>A {post}. üzenet szövege.</div></div></div>"
        for post in posts
    )
    return f"<h2 class=topic-title><a href=#>Téma</a></h2>{pager}{''.join(each)}"


def posts_of(crawler: Crawler) -> list[list[str]]:
    """The ids of the posts of each document."""
    assert crawler.run("build").code == 0
    documents = sorted(crawler.corpus.glob("tei/*/*/*/*.xml"))
    return sorted(re.findall(r'<post xml:id="[^"]*\.post-(p\d)"', document.read_text(encoding="utf-8")) for document in documents)


def test_a_thread_that_was_answered_is_asked_for_again_with_all_its_pages(crawler: Crawler) -> None:
    assert crawler.crawl() == 0, crawler.said
    assert posts_of(crawler) == [["p1", "p2", "p3"], ["p4"]]

    assert crawler.crawl() == 0, crawler.said
    assert not [path for path in crawler.portal.asked if "viewtopic" in path], "nobody answered"

    crawler.portal.script |= {
        "/viewforum.php?f=2": board({1: datetime.now(UTC).isoformat(), 2: LONG_AGO}),
        "/viewtopic.php?f=2&t=1&start=2": thread(1, 3, 5),
    }
    assert crawler.crawl() == 0, crawler.said
    assert [path for path in crawler.portal.asked if "viewtopic" in path] == ["/viewtopic.php?f=2&t=1", "/viewtopic.php?f=2&t=1&start=2"]
    assert posts_of(crawler) == [["p1", "p2", "p3", "p5"], ["p4"]]
