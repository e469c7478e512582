"""A thread is not whole while more posts are stated of it, in the list or in its head, than its pages show."""

from __future__ import annotations

import pytest
from scripted_portal import Crawler

OK, NOT_WHOLE = 0, 1
RULES = """\
kind: forum
archive: {url: HOME/x/, item: tr.t, link: a}
posts: {forum: {item: div.post, author: b, time: time, text: p}}
"""
POSTS = [1, 3, 2, 5, 12, 4, 1, 9]
"""Posts of each thread: a page has five."""


def thread(number: int, posts: int, shown: int, head: str = "") -> str:
    entries = "".join(
        f"<div class=post id=p{number}{at}><b>Anna</b> <time datetime=2024-05-0{1 + at % 9}T10:00>{1 + at % 9} May</time>"
        f"<p>In post {at} of thread {number} somebody says at length what the bridge will cost.</p></div>"
        for at in range(shown)
    )
    return f"<html><head><title>Thread {number}</title></head><body><h1>Thread {number}</h1>{head.format(posts)}{entries}</body></html>"


def board(crawler: Crawler, row: str, head: str, *, a_page: int, deleted: int = 0) -> None:
    """Threads of which each page shows so many posts at most, and no link leads on."""
    rows = "".join(
        f"<tr class=t><td><a href=/topic/{number}/>About {number}</a><td>{row.format(posts - 1)}<td>{7 * number + 31}</tr>"
        for number, posts in enumerate(POSTS)
    )
    crawler.portal.script = {"/x/": f"<table><tr><th>Topic<th>A<th>B</tr>{rows}</table>"}
    for number, posts in enumerate(POSTS):
        shown = min(a_page, posts) - (deleted if number == 1 else 0)
        crawler.portal.script[f"/topic/{number}/"] = thread(number, posts, shown, head)
    crawler.rules = RULES


STATED = {
    "a cell of the row": ("{}", ""),
    "a cell of the row, with words": ("{} blorps", ""),
    "the head of the thread": ("", "<div class=head><span>{} posts</span></div>"),
    "the head, in no language": ("", "<p>Blorp: <i>{}</i></p>"),
}


@pytest.mark.parametrize(("row", "head"), STATED.values(), ids=STATED)
def test_a_thread_is_not_whole_that_shows_fewer_posts_than_are_stated(crawler: Crawler, row: str, head: str) -> None:
    board(crawler, row, head, a_page=5)
    for _ in range(2):
        assert crawler.crawl() == NOT_WHOLE, crawler.said
        assert "2 articles show further pages where articles.next does not lead" in crawler.said
        assert "it shows fewer than the 12 posts that are stated on" in crawler.said
    assert crawler.run("status").code == NOT_WHOLE
    built = crawler.run("build", "--jobs", 1)
    assert (built.code, built.err.count("2 articles show further pages")) == (NOT_WHOLE, 1)

    board(crawler, row, head, a_page=20)
    assert crawler.crawl("--recheck", "30d") == OK, crawler.said
    assert crawler.run("status").code == OK


@pytest.mark.parametrize(("row", "head"), STATED.values(), ids=STATED)
def test_threads_that_show_what_is_stated_are_whole_and_one_deleted_post_is_no_sign(crawler: Crawler, row: str, head: str) -> None:
    board(crawler, row, head, a_page=20, deleted=1)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.run("build", "--jobs", 1).code == OK


def test_a_number_that_counts_something_else_is_no_sign(crawler: Crawler) -> None:
    board(crawler, "{}", "", a_page=1)
    assert crawler.crawl() == OK, crawler.said


def test_a_person_may_say_that_one_page_is_enough(crawler: Crawler) -> None:
    board(crawler, "{}", "", a_page=5)
    crawler.rules += "articles: {one_page: true}\n"
    assert crawler.crawl() == OK, crawler.said
