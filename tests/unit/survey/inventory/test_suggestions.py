"""What an undecided tag may be: each kind of evidence, and which side wins where there are several."""

from __future__ import annotations

from typing import Any

import pytest

from webarticlecurator.config.tag_dictionary import OPERATIONS
from webarticlecurator.survey.inventory.name_words import hints
from webarticlecurator.survey.inventory.results import DecidedOperation, Decider, Example
from webarticlecurator.survey.inventory.suggestions import PLAUSIBLE, SIGNS, suggested
from webarticlecurator.survey.inventory.tag_facts import Neighbours, TagFacts
from webarticlecurator.survey.tag import Tag

NOBODY = DecidedOperation("unwrap", Decider.NOBODY)
IN_THE_CONTAINER = {"": 100}


def facts(tag: str, **known: Any) -> TagFacts:
    around = {name: known.pop(name) for name in ("inside", "beside", "holds") if name in known}
    known.setdefault("mean_descendants", 1.0 if around.get("holds") else 0.0)
    return TagFacts(
        tag=Tag.parse(tag), frequency=100, neighbours=Neighbours(**{"inside": IN_THE_CONTAINER, **around}), **{"pages": 90, **known}
    )


def examples(*texts: str, before: str = "before", after: str = "after") -> tuple[Example, ...]:
    return tuple(Example(url="https://pelda.example/1", before=before, text=text, after=after) for text in texts)


@pytest.mark.parametrize(
    ("known", "operation", "told"),
    [
        (facts("div.x", mean_words=9, most_repeated=80, repeated_text="Follow us"), "decompose", "80 of its 90 pages have the same text"),
        (facts("div.x", mean_words=9, repeated_on=80, repeated_text="Follow us"), "decompose", "have a text in it that others have, too"),
        (facts("div.x", mean_words=30, mean_own_words=0, link_share=0.9), "decompose", "90% of its words are links"),
        (facts("div.x", mean_words=20, mean_own_words=3, examples=examples("a", after="")), "decompose", "the last text of the article"),
        (facts("div.x", mean_words=30, mean_own_words=4, examples=examples("a", before="")), "lead", "the first text of the article"),
        (facts("div.x", mean_words=3, examples=examples("2024. május 1."), dated_examples=1), "time", "it is short, and a date"),
        (facts("div.x", mean_words=40, mean_own_words=35), "paragraph", "35 words stand immediately in it"),
        (facts("div.x", mean_words=4, mean_own_words=4, beside={"paragraph": 90, "figure": 10}), "paragraph", "90% of what stands beside"),
        (facts("div.x", mean_words=8, holds={"figure": 100, "caption": 100}), "figure", "it holds 1.0 pictures on average, and 8 words"),
        (facts("div.x", mean_words=300, holds={"paragraph": 700}), "unwrap", "it only wraps: 7.0 blocks of text on average"),
        (facts("span.x", mean_words=30, mean_own_words=30, inside={"paragraph": 100}), "unwrap", "100% stand inside a line of text"),
        (facts("div.x"), "unwrap", "nothing is in it"),
        (facts("div.x", mean_words=8, holds={"figure": 100, "code": 100}), "unwrap", "it only wraps"),
        (facts("div.x", holds={"figure": 100}), "unwrap", "it has no words"),
        (facts("div.x", mean_words=2, mean_own_words=2), "unwrap", "a <div> has no meaning of its own"),
    ],
    ids=lambda given: given if isinstance(given, str) else None,
)
def test_each_kind_of_evidence_is_told_with_its_figures(known: TagFacts, operation: str, told: str) -> None:
    found = suggested(known, NOBODY)

    assert found is not None
    assert found.operation == operation
    assert any(told in sentence for sentence in found.evidence), found.evidence


@pytest.mark.parametrize(
    ("tag", "known", "operation"),
    [
        ("div.keretes", {"mean_words": 60, "holds": {"paragraph": 200}}, "box"),
        ("div.admonition.note", {"mean_words": 60, "holds": {"paragraph": 200}}, "box"),
        ("div.footnote", {"mean_words": 20, "holds": {"paragraph": 100}}, "note"),
        ("div.article-body", {"mean_words": 400, "holds": {"paragraph": 900}}, "unwrap"),
        ("div.image-caption", {"mean_words": 8, "mean_own_words": 8}, "caption"),
        ("div.image_container", {"mean_words": 50, "holds": {"paragraph": 100}}, "unwrap"),
        ("div.standfirst", {"mean_words": 30, "mean_own_words": 30}, "lead"),
        ("div.share-buttons", {"mean_words": 4, "mean_own_words": 4}, "decompose"),
        ("div.fb-post[data-href]", {"mean_words": 20, "mean_own_words": 1}, "social"),
        ("span.photo__credit", {"mean_words": 3, "mean_own_words": 3, "inside": {"caption": 100}}, "source"),
        ("div.gallery", {"mean_words": 9, "holds": {"figure": 900}}, "gallery"),
        ("advanced-image[pic*]", {}, "figure"),
        ("div._embed_youtube[data-youtube]", {}, "embed"),
        ("span.alcim", {"mean_words": 4, "mean_own_words": 4}, "heading"),
        ("div.alcim", {"mean_words": 400, "holds": {"paragraph": 900}}, "unwrap"),
        ("div.pull-quote", {"mean_words": 22, "mean_own_words": 0, "holds": {"paragraph": 100}}, "quote"),
    ],
)
def test_names_count_where_what_they_say_is_plausible(tag: str, known: dict[str, Any], operation: str) -> None:
    found = suggested(facts(tag, **known), NOBODY)

    assert found is not None
    assert found.operation == operation


def test_evidence_of_several_kinds_adds_up_and_the_strongest_is_told_first() -> None:
    known = facts("div.newsletter", mean_words=9, most_repeated=80, repeated_text="Subscribe", link_share=0.8)

    found = suggested(known, NOBODY)

    assert found is not None
    assert found.operation == "decompose"
    assert [sentence.split()[0] for sentence in found.evidence] == ["80", "its", "80%"]


def test_a_sidebar_of_sentences_is_no_list_of_related_articles() -> None:
    sentences, links = (suggested(facts("div.sidebar", mean_words=30, link_share=share), NOBODY) for share in (0.0, 0.3))
    assert sentences is None or sentences.operation != "decompose"
    assert links is not None
    assert links.operation == "decompose"


def test_what_a_person_decided_is_not_doubted() -> None:
    assert suggested(facts("div.newsletter", mean_words=9, most_repeated=80), DecidedOperation("paragraph", Decider.PORTAL)) is None


def test_a_piece_of_code_is_what_the_program_calls_it() -> None:
    comment = facts("span.token.comment", mean_words=9, most_repeated=80)
    by_table = (DecidedOperation("unwrap", Decider.GENERAL, f"general table {css}", condition=css) for css in ("code span", "p span"))
    assert [found is None for found in (suggested(comment, one) for one in by_table)] == [True, False]


@pytest.mark.parametrize(
    ("tag", "known", "operation"),
    [
        ("p.lead", {"mean_words": 30, "mean_own_words": 30, "examples": examples("a", before="")}, "lead"),
        ("p.x", {"mean_words": 9, "mean_own_words": 9, "most_repeated": 80, "repeated_text": "Follow us"}, "decompose"),
        ("p.x", {"mean_words": 40, "mean_own_words": 40}, None),
        ("p.intro", {"mean_words": 300, "mean_own_words": 300}, None),
    ],
)
def test_the_general_table_is_doubted_only_where_much_speaks_against_it(tag: str, known: dict[str, Any], operation: str | None) -> None:
    found = suggested(facts(tag, **known), DecidedOperation("paragraph", Decider.GENERAL, "general table p"))

    assert (found.operation if found else None) == operation


@pytest.mark.parametrize(
    ("tag", "decided", "known"),
    [
        ("pre", "code", {"mean_words": 14, "most_repeated": 40, "repeated_text": "make install"}),
        ("pre.language-bash", "code", {"mean_words": 14, "most_repeated": 40, "repeated_text": "make install"}),
        ("th", "cell", {"mean_words": 2, "most_repeated": 90, "repeated_text": "Share in %"}),
        ("td.number", "cell", {"mean_words": 2, "most_repeated": 90, "repeated_text": "none"}),
        ("h3.small", "heading", {"mean_words": 1, "most_repeated": 90, "repeated_text": "Background"}),
        ("figcaption", "caption", {"mean_words": 2, "most_repeated": 90, "repeated_text": "Stock picture"}),
        ("li", "item", {"mean_words": 5, "most_repeated": 90, "repeated_text": "a torch and stout shoes"}),
        ("p", "paragraph", {"mean_words": 5, "most_repeated": 90, "repeated_text": "More soon."}),
        ("figure.lead", "figure", {"mean_words": 6, "holds": {"figure": 100, "caption": 100}}),
        ("pre.lead", "code", {"mean_words": 14}),
        ("th.title", "cell", {"mean_words": 2}),
        ("li.lead", "item", {"mean_words": 12}),
    ],
)
def test_what_a_tag_says_itself_is_not_doubted_for_text_that_recurs_or_a_name_that_it_contradicts(
    tag: str, decided: str, known: dict[str, Any]
) -> None:
    found = suggested(facts(tag, **known), DecidedOperation(decided, Decider.GENERAL, f"general table {tag.partition('.')[0]}"))

    assert found is None


@pytest.mark.parametrize(
    ("tag", "decided", "known", "operation"),
    [
        ("li.share", "item", {"mean_words": 3}, "decompose"),
        ("li.x", "item", {"mean_words": 5, "most_repeated": 90, "repeated_text": "Follow us"}, "decompose"),
        ("figure.advertisement", "figure", {"mean_words": 3, "holds": {"figure": 100}}, "decompose"),
        ("figure.gallery", "figure", {"mean_words": 3, "holds": {"figure": 300}}, "gallery"),
        ("figure.pullquote", "figure", {"mean_words": 20, "holds": {"paragraph": 100}}, "quote"),
        ("pre.poem", "code", {"mean_words": 60}, "verse"),
        ("td.advertisement", "cell", {"mean_words": 9, "holds": {"paragraph": 100}}, "decompose"),
        ("td.lead", "cell", {"mean_words": 30, "holds": {"paragraph": 100}}, "lead"),
    ],
)
def test_names_of_the_sites_own_parts_and_what_goes_with_a_tag_are_believed(
    tag: str, decided: str, known: dict[str, Any], operation: str
) -> None:
    found = suggested(facts(tag, **known), DecidedOperation(decided, Decider.GENERAL, f"general table {tag.partition('.')[0]}"))

    assert found is not None
    assert found.operation == operation


def test_everything_that_is_suggested_is_in_the_vocabulary() -> None:
    words = {hint.operation for sign in SIGNS for hint in hints(Tag.parse(f"div.{sign.operation}"))}

    assert {sign.operation for sign in SIGNS} | set(PLAUSIBLE) | words <= set(OPERATIONS)


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("div.image_container", ["image", "container"]),
        ("div.commentText", []),
        ("div.hasSidebar.keretesDoboz", ["keretes", "doboz"]),
        ("div", []),
        ("div.has-quote__text", ["quote"]),
    ],
)
def test_words_are_found_in_names_however_they_are_joined(tag: str, words: list[str]) -> None:
    found = [hint.sentence for hint in hints(Tag.parse(tag)) if hint.sentence.startswith("“")]

    assert [sentence.split("”")[0][1:] for sentence in found] == words


def test_a_name_that_forum_software_gives_suggests_nothing_by_itself() -> None:
    assert [hint.operation for hint in hints(Tag.parse("div.usertext-body"))] == ["unwrap"]


def test_a_role_says_more_than_a_name() -> None:
    assert [hint.operation for hint in hints(Tag.parse("div.citation[role=doc-biblioentry]"))] == ["note"]
    assert "quote" in [hint.operation for hint in hints(Tag.parse("div.citation[role=group]"))]
