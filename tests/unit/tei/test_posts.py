"""Live blogs, forums, blogs and comments are structure, not paragraphs."""

from __future__ import annotations

import pytest

from webarticlecurator.model.article import Block, Inline, Post
from webarticlecurator.tei.references import digest

TEXT = (Block(type="paragraph", children=("Szöveg.",)),)


def test_comments_stand_beside_the_article(write) -> None:
    document = write(*TEXT, posts=(Post(kind="comments", id="c7", author="Kati", when="2024-05-01T10:02", blocks=TEXT),))
    kati = f"person-{digest('Kati')}"
    assert document.written("//t:body/t:div[@type='comments']/*") == (
        f'<post xml:id="comment-c7" n="c7" who="#{kati}" when="2024-05-01T10:02:00" modality="written" generatedBy="human">'
        "<p>Szöveg.</p></post>"
    )
    assert document.written("//t:person") == f'<person xml:id="{kati}"><persName>Kati</persName></person>'


def test_a_forum_thread_is_the_article(write) -> None:
    document = write(posts=(Post(kind="forum", title="Cím", blocks=TEXT),))
    assert document.texts("//t:div[@type='article']/t:div[@type='thread']/t:post/t:head") == ["Cím"]


@pytest.mark.parametrize(("kind", "group", "each"), [("liveblog", "liveBlog", "liveBlogUpdate"), ("blog", "blogPosts", "blogPost")])
def test_texts_beside_one_another_are_divisions(write, kind: str, group: str, each: str) -> None:
    post = Post(kind=kind, id="3", title="Cím", author="Anna", when="2024-05-01T10:00:00Z", url="https://pelda.example/1#3", blocks=TEXT)
    document = write(posts=(post,))
    assert document.written(f"//t:div[@type='{group}']/*") == (
        f'<div type="{each}" xml:id="post-3" n="3" source="https://pelda.example/1#3"><head>Cím</head><byline><docAuthor>Anna</docAuthor></byline>'
        '<dateline><time when="2024-05-01T10:00:00Z">2024-05-01T10:00:00Z</time></dateline><p>Szöveg.</p></div>'
    )


def test_answers_point_to_what_they_answer(write) -> None:
    posts = [
        Post(kind="comments", id="a"),
        Post(kind="forum", id="a"),
        Post(kind="comments", id="b", reply_to="a"),
        Post(kind="comments", id="a", reply_to="gone"),
    ]
    document = write(posts=tuple(posts))
    assert document.names("//t:div[@type='comments']/t:post[2]/@replyTo") == ["#comment-a"]
    assert document.texts("//t:div[@type='comments']/t:post[3]/t:note[@type='replyTo']") == ["gone"]


def test_posts_count_but_comments_are_not_the_article_s_words(write) -> None:
    document = write(*TEXT, posts=(Post(kind="comments", blocks=TEXT), Post(kind="forum", blocks=TEXT)))
    assert document.all("//t:measure[@unit='posts']/@quantity") == ["2"]
    assert document.all("//t:measure[@unit='words']/@quantity") == ["2"]


def test_a_nick_is_one_person_however_often_it_writes(write) -> None:
    document = write(posts=tuple(Post(kind="forum", author=author) for author in ("a", "b", " a ", "", None)))
    assert document.names("//t:post/@who") == [f"#person-{digest(name)}" for name in "aba"]
    assert document.texts("//t:listPerson/t:person") == ["a", "b"]


def post_ids(document) -> list[str]:
    return document.names("//t:post/@xml:id | //t:div[@type='liveBlogUpdate']/@xml:id")


@pytest.mark.parametrize("kind", ["liveblog", "forum", "comments"])
def test_a_post_keeps_its_name_when_others_come_before_it(write, kind: str) -> None:
    old = [Post(kind=kind, id="17"), Post(kind=kind, when="2024-05-01T10:00:00Z", blocks=TEXT), Post(kind=kind, id="#/á 1", blocks=TEXT)]
    new = Post(kind=kind, when="2024-05-01T10:05:00Z", blocks=TEXT)
    before, after = write(posts=tuple(old)), write(posts=(new, *old))
    assert post_ids(after)[1:] == post_ids(before)
    assert post_ids(before)[0] == ("comment-17" if kind == "comments" else "post-17")
    assert set(before.all("//t:p/@xml:id")) < set(after.all("//t:p/@xml:id"))


def test_posts_that_are_alike_still_have_names_of_their_own(write) -> None:
    alike = [Post(kind="forum", id="a"), Post(kind="forum", id="a-2"), Post(kind="forum", id="a"), Post(kind="liveblog", id="a")]
    assert len(set(post_ids(write(posts=tuple(alike))))) == 4


def test_the_time_of_an_entry_is_what_readers_see(write) -> None:
    entry = Post(kind="liveblog", when="2024-05-01T10:00:00+02:00", time="10.00", blocks=(Block(type="paragraph", children=("a",)),))
    (time,) = write(posts=(entry,)).all("//t:div[@type='liveBlogUpdate']/t:dateline/t:time")
    assert (time.get("when"), time.text) == ("2024-05-01T10:00:00+02:00", "10.00")


def test_what_a_site_says_about_a_post_is_told_behind_it(write) -> None:
    post = Post(kind="forum", id="p7", number="#3", edited="2024-05-01T10:05:00+02:00", editor="Béla", likes="12", blocks=TEXT)
    document = write(posts=(post,))
    bela = f"person-{digest('Béla')}"
    date = '<date type="modified" when="2024-05-01T10:05:00+02:00"/>'
    assert document.written("//t:note[@type='edited']/*[1]") == date
    assert document.written("//t:note[@type='edited']/*[2]") == f'<name ref="#{bela}">Béla</name>'
    assert document.written("//t:post/*[last()]") == (
        '<note type="interactionStatistic" generatedBy="system"><measure type="LikeAction" quantity="12" unit="count"/></note>'
    )
    assert document.names("//t:post/@n") == ["#3"]
    assert document.texts("//t:listPerson/t:person") == ["Béla"]


def test_a_deleted_post_is_a_gap(write) -> None:
    document = write(posts=(Post(kind="comments", id="c1", author="Anna", deleted="Ezt törölték."),))
    assert document.written("//t:post/*") == '<gap reason="deleted"><desc>Ezt törölték.</desc></gap>'
    assert document.texts("//t:listPerson/t:person") == ["Anna"]


@pytest.mark.parametrize(
    ("source", "bibl"),
    [
        (("Anna írta:",), "<author>Anna</author> írta:"),
        (
            (Inline(type="link", children=("Anna írta:",), url="https://pelda.example/?p=1#p1"),),
            '<ref type="internal" target="https://pelda.example/?p=1#p1"><name>Anna</name> írta:</ref>',
        ),
        ((), "<author>Anna</author>"),
    ],
)
def test_a_quotation_names_its_author_and_leads_to_the_post(write, source, bibl: str) -> None:
    sources = (Block(type="source", children=source),) if source else ()
    quote = Block(type="quote", children=(*sources, *TEXT), attributes={"post": "p1", "who": "Anna"})
    document = write(posts=(Post(kind="forum", id="p1", author="Anna", blocks=TEXT), Post(kind="forum", id="p2", blocks=(quote,))))
    cited = f'<bibl>{bibl}</bibl><quote source="#post-p1"><p>Szöveg.</p></quote>'
    assert document.written("//t:post[2]/t:cit") == f'<cit type="blockquote">{cited}</cit>'


def test_a_quotation_of_what_is_not_there_leads_nowhere(write) -> None:
    quote = Block(type="quote", children=TEXT, attributes={"post": "p9"})
    assert document_quote(write(posts=(Post(kind="forum", id="p2", blocks=(quote,)),))) == '<quote type="blockquote"><p>Szöveg.</p></quote>'


def document_quote(document) -> str:
    return document.written("//t:quote")


@pytest.mark.parametrize(("hours", "rend"), [("321", "newest-first"), ("123", "oldest-first"), ("132", None), ("1", None)])
def test_a_live_blog_says_in_which_order_it_runs(write, hours: str, rend: str | None) -> None:
    document = write(posts=tuple(Post(kind="liveblog", when=f"2024-05-01T1{hour}:00:00Z", blocks=TEXT) for hour in hours))
    assert document.all("//t:div[@type='liveBlog']")[0].get("rend") == rend
