"""Live blogs, forums, blogs and comments are structure, not paragraphs."""

from __future__ import annotations

import pytest
from tei_documents import Document, Node, node, p, person, post, write

TEXT = (p("Szöveg."),)


def test_comments_stand_beside_the_article() -> None:
    document = write(*TEXT, comments=(post("comments", *TEXT, id="c7", who="Kati", when="2024-05-01T10:02"),))
    kati = person("Kati")
    assert document.written("//t:body/t:div[@type='comments']/*") == (
        f'<post xml:id="comment-c7" n="1" who="#{kati}" when="2024-05-01T10:02:00" modality="written"><p>Szöveg.</p></post>'
    )
    assert document.written("//t:person") == f'<person xml:id="{kati}"><persName>Kati</persName></person>'


def test_a_forum_thread_is_the_article() -> None:
    document = write(post("forum", *TEXT, title="Cím"))
    assert document.texts("//t:div[@type='article']/t:div[@type='thread']/t:post/t:head") == ["Cím"]


@pytest.mark.parametrize(("kind", "group", "each"), [("liveblog", "liveBlog", "liveBlogUpdate"), ("blog", "blogPosts", "blogPost")])
def test_texts_beside_one_another_are_divisions(kind: str, group: str, each: str) -> None:
    document = write(post(kind, *TEXT, id="3", title="Cím", who="Anna", when="2024-05-01T10:00:00Z", url="https://pelda.example/1#3"))
    assert document.written(f"//t:div[@type='{group}']/*") == (
        f'<div type="{each}" xml:id="post-3" n="3" source="https://pelda.example/1#3"><head>Cím</head><byline><docAuthor>Anna</docAuthor></byline>'
        '<dateline><time when="2024-05-01T10:00:00Z">2024-05-01T10:00:00Z</time></dateline><p>Szöveg.</p></div>'
    )


def test_answers_point_to_what_they_answer() -> None:
    comments = (post("comments", id="a"), post("comments", id="b", reply_to="a"), post("comments", id="a", reply_to="gone"))
    document = write(post("forum", id="a"), comments=comments)
    assert document.names("//t:div[@type='comments']/t:post[2]/@replyTo") == ["#comment-a"]
    assert document.texts("//t:div[@type='comments']/t:post[3]/t:note[@type='replyTo']") == ["gone"]


def test_posts_count_but_comments_are_not_the_article_s_words() -> None:
    document = write(*TEXT, post("forum", *TEXT), comments=(post("comments", *TEXT), post("comments", *TEXT)))
    assert document.all("//t:measure[@unit='posts']/@quantity") == ["1"], "as in tables"
    assert document.all("//t:measure[@unit='comments']/@quantity") == ["2"]
    assert document.all("//t:measure[@unit='words']/@quantity") == ["2"]


def test_a_nick_is_one_person_however_often_it_writes() -> None:
    document = write(*(post("forum", **({"who": name} if name else {})) for name in ("a", "b", " a ", "", None)))
    assert document.names("//t:post/@who") == [f"#{person(name)}" for name in "aba"]
    assert document.texts("//t:listPerson/t:person") == ["a", "b"]


def post_ids(document: Document) -> list[str]:
    return document.names("//t:post/@xml:id | //t:div[@type='liveBlogUpdate']/@xml:id")


def of_kind(kind: str, posts: list[Node]) -> Document:
    return write(comments=tuple(posts)) if kind == "comments" else write(*posts)


@pytest.mark.parametrize("kind", ["liveblog", "forum", "comments"])
def test_a_post_keeps_its_name_when_others_come_before_it(kind: str) -> None:
    old = [post(kind, id="17"), post(kind, *TEXT, when="2024-05-01T10:00:00Z"), post(kind, *TEXT, id="#/á 1")]
    new = post(kind, *TEXT, when="2024-05-01T10:05:00Z")
    before, after = of_kind(kind, old), of_kind(kind, [new, *old])
    assert post_ids(after)[1:] == post_ids(before)
    assert post_ids(before)[0] == ("comment-17" if kind == "comments" else "post-17")
    assert set(before.all("//t:p/@xml:id")) < set(after.all("//t:p/@xml:id"))


def test_posts_that_are_alike_still_have_names_of_their_own() -> None:
    alike = [post("forum", id="a"), post("forum", id="a-2"), post("forum", id="a"), post("liveblog", id="a")]
    assert len(set(post_ids(write(*alike)))) == 4


def test_the_time_of_an_entry_is_what_readers_see() -> None:
    entry = post("liveblog", p("a"), when="2024-05-01T10:00:00+02:00", time="10.00")
    (time,) = write(entry).all("//t:div[@type='liveBlogUpdate']/t:dateline/t:time")
    assert (time.get("when"), time.text) == ("2024-05-01T10:00:00+02:00", "10.00")


def test_what_a_site_says_about_a_post_is_told_behind_it() -> None:
    document = write(post("forum", *TEXT, id="p7", number="#3", edited="2024-05-01T10:05:00+02:00", editor="Béla", likes="12"))
    date = '<date type="modified" when="2024-05-01T10:05:00+02:00"/>'
    assert document.written("//t:note[@type='edited']/*[1]") == date
    assert document.written("//t:note[@type='edited']/*[2]") == f'<name ref="#{person("Béla")}">Béla</name>'
    assert document.written("//t:post/*[last()]") == (
        '<note type="interactionStatistic" generatedBy="system"><measure type="LikeAction" quantity="12" unit="count"/></note>'
    )
    assert document.names("//t:post/@n") == ["#3"]
    assert document.texts("//t:listPerson/t:person") == ["Béla"]


def test_a_deleted_post_is_a_gap() -> None:
    document = write(comments=(post("comments", id="c1", who="Anna", deleted="Ezt törölték."),))
    assert document.written("//t:post/*") == '<gap reason="deleted"><desc>Ezt törölték.</desc></gap>'
    assert document.texts("//t:listPerson/t:person") == ["Anna"]


@pytest.mark.parametrize(
    ("source", "bibl"),
    [
        (("Anna írta:",), "<author>Anna</author> írta:"),
        (
            (node("link", "Anna írta:", url="https://pelda.example/?p=1#p1"),),
            '<ref type="internal" target="https://pelda.example/?p=1#p1"><name>Anna</name> írta:</ref>',
        ),
        ((), "<author>Anna</author>"),
    ],
)
def test_a_quotation_names_its_author_and_leads_to_the_post(source: tuple[Node | str, ...], bibl: str) -> None:
    sources = (node("source", *source),) if source else ()
    quote = node("quote", *sources, *TEXT, post="p1", who="Anna")
    document = write(post("forum", *TEXT, id="p1", who="Anna"), post("forum", quote, id="p2"))
    cited = f'<bibl>{bibl}</bibl><quote source="#post-p1"><p>Szöveg.</p></quote>'
    assert document.written("//t:post[2]/t:cit") == f'<cit type="blockquote">{cited}</cit>'


def test_a_quotation_of_what_is_not_there_leads_nowhere() -> None:
    document = write(post("forum", node("quote", *TEXT, post="p9"), id="p2"))
    assert document.written("//t:quote") == '<quote type="blockquote"><p>Szöveg.</p></quote>'


@pytest.mark.parametrize(("hours", "rend"), [("321", "newest-first"), ("123", "oldest-first"), ("132", None), ("1", None)])
def test_a_live_blog_says_in_which_order_it_runs(hours: str, rend: str | None) -> None:
    document = write(*(post("liveblog", *TEXT, when=f"2024-05-01T1{hour}:00:00Z") for hour in hours))
    assert document.all("//t:div[@type='liveBlog']")[0].get("rend") == rend
