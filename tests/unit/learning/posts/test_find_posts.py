from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
import yaml
from trial_portal import page_of, portal_of

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.article import read_article
from webarticlecurator.learning.posts import find_posts
from webarticlecurator.model.article import plain_text
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Learned

TEXT = "The council met on Tuesday and talked for hours about the bridge, and nobody went home before midnight. "
NAMES = ("Ann Lee", "Bob Ray", "Eve Kis", "Tom Orr")


def comment(page: int, number: int, *, name: str | None = "", time: str = "", inner: str = "") -> str:
    who = f"<b class=nev>{name or NAMES[number % 4]}</b>" if name is not None else ""
    when = time or f'<time datetime="2024-05-0{page + 1}T1{number}:00:00+02:00">{number} hours ago</time>'
    answers = f"k{number - 1}" if number else ""
    said = f"<div class=szoveg><p>What number {number} says of page {page} is this.</p></div>"
    return f'<li class=komment data-id="k{number}" data-parent="{answers}">{who} {when} <a href=#>Reply</a>{said}{inner}</li>'


def article(page: int, below: str) -> Page:
    html = f"<html lang=en><body><article><h1>Title {page}</h1><p>{TEXT * 4}{page}</p></article>{below}</body></html>"
    return page_of(html, f"https://pelda.example/news/{page}")


def with_comments(pages: int = 3, **more: str | None) -> list[Page]:
    below = [
        f"<section class=kommentek><ol>{''.join(comment(at, number, **more) for number in range(4))}</ol></section>" for at in range(pages)
    ]  # type: ignore[arg-type]
    return [article(at, one) for at, one in enumerate(below)]


def found(pages: list[Page], portal: Portal | None = None) -> Learned:
    return find_posts(pages, portal or portal_of())


def test_comments_are_proposed_with_all_their_parts() -> None:
    (told,) = found(with_comments()).proposals
    assert (told.name, told.path, told.sure) == ("posts.comments", ("posts", "comments"), True)
    assert told.choices[0].value == {
        "item": "li.komment",
        "id": {"attr": "data-id"},
        "author": "b.nev",
        "time": {"css": "time", "attr": "datetime"},
        "text": "div.szoveg",
        "reply_to": {"attr": "data-parent"},
    }
    assert "finds 12 posts on 3 of 3 pages, 12 with a text, 12 with an author, 12 with a time" in told.choices[0].reason
    assert told.choices[0].samples[0].startswith("2024-05-01T10:00:00+02:00 · What number 0 says"), "without the name"
    assert told.choices[1].value is None


def test_the_label_of_a_form_in_each_comment_is_nobodys_name() -> None:
    form = "<form><div class='field input_id_name'><label>Name (required)</label><input name=name></div></form>"
    (told,) = found(with_comments(inner=form)).proposals
    assert told.choices[0].value["author"] == "b.nev"
    (told,) = found(with_comments(inner=form, name=None)).proposals
    assert "author" not in told.choices[0].value


def test_what_is_proposed_is_what_the_loader_takes(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("portal") / "portal.yaml"
    (told,) = found(with_comments()).proposals
    file.write_text(yaml.safe_dump({"portal": "pelda", "home": "https://pelda.example/", "posts": {"comments": told.choices[0].value}}))
    assert PostKind.COMMENTS in load_portal(file).posts


def test_kinds_that_have_rules_are_left_alone() -> None:
    portal = portal_of(posts={"comments": {"item": "li.komment", "text": "div"}})
    assert found(with_comments(), portal).proposals == ()


def test_bare_paragraphs_beside_the_rest_are_the_text() -> None:
    said = (
        "<div class='comment' id='c{0}'><cite class=fn>{1}</cite> <span>says:</span>"
        " <time datetime='2024-05-01T1{0}:00:00Z'>x</time><p>Says {0}, at length.</p></div>"
    )
    pages = [article(0, "".join(said.format(number, name) for number, name in enumerate(NAMES)))]
    (told,) = found(pages).proposals
    assert isinstance(told.choices[0].value, dict)
    assert told.choices[0].value["text"] == {"css": "p", "take": "all"}
    assert "says:" not in "".join(told.choices[0].samples)


def test_a_selector_that_finds_the_article_too_is_not_taken() -> None:
    """Here both are `article`; only what stands where comments do is a comment."""
    said = (
        "<article class=comment-body id='c{0}'><footer class=comment-metadata><b class=fn>{1}</b>"
        " <time datetime='2024-05-01T1{0}:00:00Z'>x</time></footer>"
        "<div class=comment-content><p>Says {0} of {2}, at last.</p></div></article>"
    )
    signed = "<p><a href=/author/ann class=author>Ann Lee</a> <time datetime='2024-05-01'>1 May</time></p>"
    pages = [
        page_of(
            f"<html><body><article><h1>Title {at}</h1>{signed}<p>{TEXT * 4}{at}</p></article><ol class=comment-list>"
            f"{''.join(said.format(n, name, at) for n, name in enumerate(NAMES))}</ol></body></html>",
            f"https://pelda.example/news/{at}",
        )
        for at in range(3)
    ]
    (told,) = found(pages).proposals
    assert isinstance(told.choices[0].value, dict)
    assert told.choices[0].value["item"] == "article.comment-body", "though what holds its time is called a time as well"
    assert "finds 12 posts" in told.choices[0].reason


def test_answers_in_what_they_answer_are_posts_of_their_own() -> None:
    inner = f"<ol>{comment(0, 1)}</ol>"
    pages = [article(at, f"<ol class=kommentek>{comment(at, 0, inner=inner)}{comment(at, 2)}</ol>") for at in range(2)]
    (told,) = found(pages).proposals
    assert "finds 6 posts" in told.choices[0].reason


def test_of_comments_without_times_that_can_be_read_a_rule_takes_the_rest() -> None:
    (told,) = found(with_comments(time="<time>yesteryear</time>")).proposals
    assert told.sure
    assert "time" not in told.choices[0].value and told.choices[0].value["author"] == "b.nev"
    assert "12 with a text, 12 with an author, 0 with a time" in told.choices[0].reason


@pytest.mark.parametrize(
    "below",
    [
        "<section class=kommentek><form><textarea></textarea></form></section>",
        "<aside class=related>"
        + "".join(f"<div class=teaser><time>2024-05-0{n}</time><a href=/x/{n}>Story {n}</a></div>" for n in range(1, 6))
        + "</aside>",
        "<table>" + "".join(f"<tr class=row><td><time>1{n}:00</time><td class=name>Match {n}</tr>" for n in range(5)) + "</table>",
    ],
)
def test_what_repeats_and_is_no_post_is_not_proposed(below: str) -> None:
    assert found([article(at, below) for at in range(3)]).proposals == ()


def test_comments_without_names_are_taken_without_names() -> None:
    (told,) = found(with_comments(name=None)).proposals
    assert told.sure and "author" not in told.choices[0].value
    assert "finds 12 posts on 3 of 3 pages, 12 with a text, 0 with an author, 12 with a time" in told.choices[0].reason


ADA = ("Ada Byron", "bob", "Zsófia Kis", "Tom Orr")
SAID = "What number {n} says of page {at} is this, and no more than it has to."
BARE = {
    "a sentence with the name": ("<div class=entry><p>{who} wrote:</p><p class=said>{said}</p></div>", "author"),
    "a name and an age, without a class": ("<div class=entry><b>{who}</b> {n} days ago<p>{said}</p></div>", "author time"),
    "an age with a class": ("<div class=entry><i class=ago>{n} days ago</i><p>{said}</p></div>", "time"),
    "a name and a day in one line": ("<div class=entry><small>{who}, {n} March 2024</small><div>{said}</div></div>", "author time"),
    "the same as bare text": ("<div class=entry>{who}, {n} March 2024<p>{said}</p></div>", "author time"),
    "an age in brackets": ("<div class=entry><div>{who} (1{n} hours ago)</div><p>{said}</p></div>", "author time"),
    "a name and a colon": ("<p class=entry><b>{who}:</b> {said}</p>", "author"),
    "who lives where": ("<div class=entry><p>{said}</p><i>from {who}</i></div>", ""),
    "nothing but the text": ("<div class=entry>{said}</div>", ""),
}


@pytest.mark.parametrize(("entry", "picked"), BARE.values(), ids=BARE)
def test_what_repeats_among_comments_is_taken_and_of_bare_text_what_is_sure(entry: str, picked: str) -> None:
    pages = [
        article(
            at,
            "<section class=reader-comments><h3>What you say</h3>"
            + "".join(entry.format(who=ADA[n - 1], n=n, said=SAID.format(n=n, at=at)) for n in range(1, 1 + count))
            + "<form>Say something, too</form></section>",
        )
        for at, count in enumerate((4, 1, 0, 3))
    ]
    portal = portal_of()
    (told,) = found(pages, portal).proposals
    assert told.sure and isinstance(told.choices[0].value, dict)
    assert {"author", "time"} & told.choices[0].value.keys() == set(picked.split())
    rules = portal_of(posts={"comments": told.choices[0].value})
    read = [read_article([page], rules, id="pelda-0", identity=page.url, url=page.url) for page in pages]
    assert [len(one.posts) for one in read] == [4, 1, 0, 3]
    assert all(not one.unread_comments for one in read)
    posts = [post for one in read for post in one.posts]
    assert {post.author for post in posts} == ({*ADA} if "author" in picked else {None})
    assert all((post.when is not None) == ("time" in picked) for post in posts)
    assert all("What number" in plain_text(post.blocks) for post in posts)


def test_comments_without_a_class_of_their_own_are_found_below_what_holds_them() -> None:
    said = "".join(f"<li>{SAID.format(n=n, at=0)}</li>" for n in range(4))
    (told,) = found([article(0, f"<div id=comments><ul>{said}</ul></div>")]).proposals
    assert told.choices[0].value == {"item": "div#comments > ul > li"}


def test_what_the_site_writes_below_every_article_is_no_comment() -> None:
    rules = "<ul class=comments><li>Be kind to the others here.</li><li>Stay with the bridge, please.</li></ul>"
    assert found([article(at, rules) for at in range(3)]).proposals == ()


def test_comments_that_nobody_wants_are_not_proposed() -> None:
    assert found(with_comments(), portal_of(posts={"comments": None})).proposals == ()


def test_threads_that_the_general_reader_reads_well_need_no_rule() -> None:
    post = (
        "<div class='post' id='p{0}'><a class=username href=/user/{0}>{1}</a>"
        " <time datetime='2024-05-01T1{0}:00:00Z'>x</time><div class=content><p>{2}</p></div></div>"
    )
    pages = [
        page_of(
            f"<html><body><h1>Thread {at}</h1>{''.join(post.format(n, NAMES[n], TEXT * 2) for n in range(4))}</body></html>",
            f"https://forum.pelda.example/t/thread/{at}",
        )
        for at in range(1, 4)
    ]
    assert found(pages).proposals == ()


def test_posts_of_threads_that_a_rule_for_the_body_hides_are_those_of_a_forum() -> None:
    """With a root of its own the general reader looks for no thread; that its posts are called comments does not make them some."""
    pages = [replace(page, url=f"https://pelda.example/forum/tema/{at}") for at, page in enumerate(with_comments())]
    (told,) = found(pages, portal_of(body={"root": "section.kommentek"})).proposals
    assert told.path == ("posts", "forum")


def test_of_many_pages_those_of_each_part_of_the_site_are_looked_at() -> None:
    pages = with_comments() + [replace(article(at, ""), url=f"https://pelda.example/sport/{at}") for at in range(80)]
    learned = found(pages)
    assert "posts: 60 of 83 pages were looked at" in learned.remarks[0]
    assert len(learned.proposals) == 1


@pytest.mark.slow
def test_the_findings_are_the_same_under_any_hash_seed() -> None:
    program = (
        "import sys; sys.path[:0] = ['tests/unit/learning/posts', *sys.argv[1:]]\n"
        "import test_find_posts as t\n"
        "print(t.found(t.with_comments()))"
    )
    told = {
        subprocess.run([sys.executable, "-c", program, *sys.path], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
