"""Comments and threads: which rules for posts are proposed, and what the articles have by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from learning_from import Learned, learn

TEXT = "The council met on Tuesday and talked for hours about the bridge, and nobody went home before midnight. "
NAMES = ("Ann Lee", "Bob Ray", "Eve Kis", "Tom Orr")


def comment(page: int, number: int, *, name: str | None = "", time: str = "", inner: str = "") -> str:
    """All of a page are by one person, and of one minute: the reader takes these for no comments."""
    who = f"<b class=nev>{name or NAMES[page % 4]}</b>" if name is not None else ""
    when = time or f'<time datetime="2024-05-0{page + 1}T10:00:00+02:00">hours ago</time>'
    said = f"<div class=szoveg><p>What number {number} says of page {page} is this.</p></div>"
    return f"<li class=komment>{who} {when} <a href=#>Reply</a>{said}{inner}</li>"


def article(page: int, below: str, *, signed: str = "") -> str:
    return f"<html lang=en><body><article><h1>Title {page}</h1>{signed}<p>{TEXT * 4}{page}</p></article>{below}</body></html>"


def with_comments(*, path: str = "/news/{}", **more: Any) -> dict[str, str]:
    lists = ["".join(comment(at, number, **more) for number in range(4)) for at in range(3)]
    return {path.format(at): article(at, f"<section class=kommentek><ol>{items}</ol></section>") for at, items in enumerate(lists)}


def posts(pages: Mapping[str, str], rules: str = "") -> Learned:
    return learn(rules, articles=pages, parts=("metadata",))


def comments_rule(learned: Learned) -> dict[str, Any]:
    return dict(learned.values()["posts.comments"])


def test_comments_are_proposed_with_all_their_parts_and_read_so_afterwards() -> None:
    pages = with_comments()
    learned = posts(pages)
    proposal = learned.proposals["posts.comments"]
    assert (proposal["path"], proposal["sure"]) == (["posts", "comments"], True)
    (rule,) = proposal["choices"]
    assert rule["value"] == {
        "item": "li.komment",
        "author": "b.nev",
        "time": {"css": "time", "attr": "datetime"},
        "text": "div.szoveg",
    }
    assert "finds 12 comments on 3 of 3 pages, 12 with an author, 12 with a time" in rule["reason"]
    assert rule["samples"][0].startswith("2024-05-01T10:00:00+02:00 · What number 0 says"), "without the name"
    read = learned.document(pages["/news/1"], "/news/1").posts
    assert [post.author for post in read] == [NAMES[1]] * 4


def test_comments_that_are_read_well_without_a_rule_need_none() -> None:
    said = "<li class=komment><b>{1}</b> <time datetime='2024-05-01T1{0}:00:00Z'>x</time><div><p>Says {0} of {2}, at last.</p></div></li>"
    pages = {f"/news/{at}": article(at, f"<ol class=kommentek>{below(said, at)}</ol>") for at in range(3)}
    learned = posts(pages)
    assert "posts.comments" not in learned.proposals
    assert [post.author for post in learned.document(pages["/news/1"], "/news/1").posts] == [*NAMES]


def test_an_empty_item_behind_the_comments_takes_no_part_away() -> None:
    items = ["".join(comment(at, number) for number in range(2)).replace(" class=komment", "") for at in range(4)]
    lists = [f"<ol class=comments>{said}<li id=comment_shim></li></ol>" for said in items]
    rule = comments_rule(posts({f"/news/{at}": article(at, said) for at, said in enumerate(lists)}))
    assert (rule["author"], rule["time"]) == ("b.nev", {"css": "time", "attr": "datetime"})


FORM = "<form><div class='field input_id_name'><label>Name (required)</label><input name=name></div></form>"


@pytest.mark.parametrize(
    ("pages", "author", "counts"),
    [
        (with_comments(inner=FORM), "b.nev", "12 with an author, 12 with a time"),
        (with_comments(inner=FORM, name=None), None, "0 with an author, 12 with a time"),
        (with_comments(time="<time>yesteryear</time>"), "b.nev", "12 with an author, 0 with a time"),
    ],
    ids=["the label of a form is no name", "without names", "times that nobody can read"],
)
def test_what_comments_have_not_is_not_made_up(pages: dict[str, str], author: str | None, counts: str) -> None:
    learned = posts(pages)
    rule = comments_rule(learned)
    assert (rule.get("author"), "time" in rule) == (author, "12 with a time" in counts)
    assert counts in learned.best("posts.comments")["reason"]
    lacks = "author" if author is None else "time" if "time" not in rule else None
    told = f"posts.comments: no {lacks} was found; where the pages tell it, write a rule (docs/how-to/article-rules.md#posts)"
    assert [remark for remark in learned.remarks if "posts.comments" in remark] == ([told] if lacks else [])


@pytest.mark.parametrize("rules", ["posts: {comments: {item: li.komment, text: div}}\n", "posts: {comments: null}\n"])
def test_kinds_that_have_rules_or_that_nobody_wants_are_left_alone(rules: str) -> None:
    assert "posts.comments" not in posts(with_comments(), rules).proposals


ARTICLE_LIKE = (
    "<article class=comment-body id='c{0}'><footer class=comment-metadata><b class=fn>Ann {2}</b>"
    " <time datetime='2024-05-01T10:00:00Z'>x</time></footer><div class=comment-content><p>Says {0} of {2}, at last.</p></div></article>"
)
SIGNED = "<p><a href=/author/ann class=author>Ann Lee</a> <time datetime='2024-05-01'>1 May</time></p>"


def below(template: str, at: int) -> str:
    return "".join(template.format(number, name, at) for number, name in enumerate(NAMES))


def test_a_selector_that_finds_the_article_too_is_not_taken() -> None:
    pages = {f"/news/{at}": article(at, f"<ol class=comment-list>{below(ARTICLE_LIKE, at)}</ol>", signed=SIGNED) for at in range(3)}
    learned = posts(pages)
    assert comments_rule(learned)["item"] == "article.comment-body"
    assert "finds 12 comments" in learned.best("posts.comments")["reason"]


def test_answers_in_what_they_answer_are_posts_of_their_own() -> None:
    nested = comment(0, 0, inner=f"<ol>{comment(0, 1)}</ol>")
    pages = {f"/news/{at}": article(at, f"<ol class=kommentek>{nested}{comment(at, 2)}</ol>") for at in range(2)}
    assert "finds 6 comments" in posts(pages).best("posts.comments")["reason"]


def test_comments_without_a_class_of_their_own_are_found_below_what_holds_them() -> None:
    said = "".join(f"<li>What number {number} says is this, and no more than it has to.</li>" for number in range(4))
    assert comments_rule(posts({"/news/0": article(0, f"<div id=comments><ul>{said}</ul></div>")})) == {"item": "div#comments > ul > li"}


TEASERS = "".join(f"<div class=teaser><time>2024-05-0{n}</time><a href=/x/{n}>Story {n}</a></div>" for n in range(1, 6))
MATCHES = "".join(f"<tr class=row><td><time>1{n}:00</time><td class=name>Match {n}</tr>" for n in range(5))
NO_POSTS = {
    "a form": "<section class=kommentek><form><textarea></textarea></form></section>",
    "teasers": f"<aside class=related>{TEASERS}</aside>",
    "a table": f"<table>{MATCHES}</table>",
    "what the site says below every article": "<ul class=comments><li>Be kind to the others here.</li><li>Stay with the bridge.</li></ul>",
}


@pytest.mark.parametrize("under", NO_POSTS.values(), ids=NO_POSTS)
def test_what_repeats_and_is_no_post_is_not_proposed(under: str) -> None:
    assert not [name for name in posts({f"/news/{at}": article(at, under) for at in range(3)}).proposals if name.startswith("posts.")]


ADA = ("Ada Byron", "bob", "Zsófia Kis", "Tom Orr")
BARE = {
    "a name and a day in one line": "<div class=entry><small>{who}, {n} March 2024</small><div>{said}</div></div>",
    "a name and a colon": "<p class=entry><b>{who}:</b> {said}</p>",
    "nothing but the text": "<div class=entry>{said}</div>",
}


@pytest.mark.parametrize("entry", BARE.values(), ids=BARE)
def test_what_repeats_among_comments_is_taken_though_nothing_marks_who_wrote_it(entry: str) -> None:
    counts = (4, 1, 0, 3)
    pages = {}
    for at, count in enumerate(counts):
        said = (f"What number {n} says of page {at} is this, and no more than it has to." for n in range(1, 1 + count))
        entries = "".join(entry.format(who=ADA[n - 1], n=n, said=words) for n, words in enumerate(said, start=1))
        around = f"<section class=reader-comments><h3>What you say</h3>{entries}<form>Say something, too</form></section>"
        pages[f"/news/{at}"] = article(at, around)
    learned = posts(pages)
    assert {"author", "time"}.isdisjoint(comments_rule(learned))
    read = [learned.document(html, path) for path, html in pages.items()]
    assert [len(one.posts) for one in read] == [*counts]
    written = [post for one in read for post in one.posts]
    assert all("What number" in str(post.blocks) for post in written)


def test_threads_that_are_read_well_without_a_rule_need_none() -> None:
    post = (
        "<div class='post' id='p{0}'><a class=username href=/user/{0}>{1}</a>"
        " <time datetime='2024-05-01T1{0}:00:00Z'>x</time><div class=content><p>{2}</p></div></div>"
    )
    pages = {
        f"https://forum.pelda.example/t/thread/{at}": f"<html><body><h1>Thread {at}</h1>"
        f"{''.join(post.format(n, NAMES[n], TEXT * 2) for n in range(4))}</body></html>"
        for at in range(1, 4)
    }
    assert not [name for name in posts(pages).proposals if name.startswith("posts.")]
