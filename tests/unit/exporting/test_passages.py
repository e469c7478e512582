"""An article as running text: what is shown, in which order, and what is counted as left out."""

from __future__ import annotations

from built_corpora import article, block, paragraph, post

from webarticlecurator.exporting.options import Part
from webarticlecurator.exporting.passages import Passage, Passages, PostHead, passages_of
from webarticlecurator.model.article import Article, Inline
from webarticlecurator.model.article_json import stored_line


def read(one: Article, *parts: Part, headline: bool = True, languages: dict[int, str] | None = None) -> Passages:
    return passages_of(stored_line(one), parts=frozenset(parts), headline=headline, language=one.language, languages=languages)


def texts(passages: Passages) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in passages.shown]


def test_text_comes_in_the_order_of_the_page_with_the_headline_first() -> None:
    one = article(
        1,
        block("lead", paragraph("The lead.")),
        block("heading", "Why", level="3"),
        paragraph("It ", Inline(type="bold", children=("was",)), " old."),
        block("list", block("item", paragraph("one"), block("list", block("item", paragraph("in it")))), block("item", paragraph("two"))),
        block("table", block("table-heading", "Costs"), block("row", block("cell", paragraph("a")), block("cell", paragraph("b")))),
        block("quote", paragraph("Said."), who="Ada"),
    )
    assert texts(read(one)) == [
        *(("title", "A bridge"), ("p", "The lead."), ("head", "Why"), ("p", "It was old."), ("li", "one"), ("li", "in it"), ("li", "two")),
        *(("head", "Costs"), ("cell", "a"), ("cell", "b"), ("p", "Said.")),
    ]
    assert [one.level for one in read(one).shown if one.kind == "head"] == [3, 6]
    assert [passage.block for passage in read(one).shown][:5] == [-1, 0, 1, 2, 3]
    assert texts(read(one, headline=False))[0] == ("p", "The lead.")


def test_boxes_captions_comments_and_posts_are_left_out_and_counted_unless_they_are_wanted() -> None:
    one = article(
        1,
        "Text.",
        block("box", paragraph("Aside.")),
        block("figure", block("caption", "A boat."), url="https://pelda.example/a.jpg"),
        posts=(post("Live.", "liveblog", author="Ada", id="7"), post("Nonsense!")),
    )
    plain = read(one)
    assert texts(plain) == [("title", "A bridge"), ("p", "Text.")]
    assert plain.left_out == {Part.BOXES: 1, Part.CAPTIONS: 1, Part.POSTS: 1, Part.COMMENTS: 1}
    everything = read(one, *Part)
    assert [text for _, text in texts(everything)] == ["A bridge", "Text.", "Aside.", "A boat.", "Live.", "Nonsense!"]
    assert everything.left_out == {}
    assert everything.shown[4].post == PostHead(kind="liveblog", id="7", who="Ada")
    assert everything.shown[5].post == PostHead(kind="comments")


def test_an_article_that_has_nothing_but_posts_keeps_them() -> None:
    thread = article(1, posts=(post("Who knows?", "forum", title="A question"), post("I do.", "forum"), post("Aside", "comments")))
    assert [text for _, text in texts(read(thread))] == ["A bridge", "A question", "Who knows?", "I do."]
    assert read(thread).left_out == {Part.COMMENTS: 1}


def test_the_break_between_two_pages_or_a_poll_above_makes_a_thread_no_article_with_posts() -> None:
    posts = (post("Who knows?", "forum"), post("I do.", "forum"))
    for above in (block("page-break", page="2"), paragraph("A poll.")):
        assert [text for _, text in texts(read(article(1, above, posts=posts)))][-2:] == ["Who knows?", "I do."]
    live = article(1, block("divider"), posts=(post("Live.", "liveblog"),))
    assert [text for _, text in texts(read(live))] == ["A bridge", "Live."]


def test_a_language_is_told_only_where_it_is_another_than_the_article_s() -> None:
    one = article(1, "Text.", paragraph("Szöveg.", language="hu"), paragraph("More.", language="en"), "Und das auf Deutsch.")
    assert [passage.language for passage in read(one, headline=False, languages={3: "de"}).shown] == [None, "hu", None, "de"]


def test_what_is_empty_is_no_passage() -> None:
    one = article(1, paragraph(" "), block("divider"), block("figure", url="https://pelda.example/a.jpg"), title=None)
    assert read(one, *Part) == Passages(())
    assert isinstance(read(article(1, "x")).shown[0], Passage)


def test_the_number_of_a_note_is_no_part_of_the_word_before_it() -> None:
    address = "https://pelda.example/a#fn1"
    mark = Inline(type="superscript", children=(Inline(type="link", children=("1",), url=address, note="fn1"),))
    words = Inline(type="link", children=("the first note",), url=address, note="fn1")
    one = article(1, paragraph("It stood for long", mark, ", see ", words, "."))
    assert texts(read(one, headline=False)) == [("p", "It stood for long, see the first note.")]
