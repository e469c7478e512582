"""What is counted of one article container: nodes, words, examples, texts that recur."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest
from decided_on_pages import counts_of, page_of, stored
from trial_portal import portal_of

from webarticlecurator.survey.inventory import path_tree, tag_question
from webarticlecurator.survey.inventory.assembling import inventory_of
from webarticlecurator.survey.inventory.path_tree import PathNode
from webarticlecurator.survey.inventory.results import Inventory, TagRow
from webarticlecurator.survey.inventory.tag_counts import TagCounts
from webarticlecurator.survey.inventory.tag_question import TagQuestion

_LONG = "The council met on Tuesday and talked for hours about the bridge, the school and the money that both of them need."


def seen(*bodies: str, **rules: object) -> TagCounts:
    """What is counted of pages with these bodies."""
    pages = [page_of(f"<html><body class=single><main>{body}</main></body></html>") for body in bodies]
    return counts_of(pages, portal_of(**{"body": {"root": "main"}, **rules}))


def inventory(counts: TagCounts) -> Inventory:
    return inventory_of(counts, portal_of(), of_pages=counts.years.total())


def row(counts: TagCounts, tag: str) -> TagRow:
    return next(one for one in inventory(counts).rows if one.tag == tag)


def paths(counts: TagCounts) -> Iterator[tuple[str, PathNode]]:
    told: dict[int, str] = {}
    for node in counts.tree.nodes():
        told[node.id] = f"{told[node.parent]} {node.tag.text}" if node.parent is not None else node.tag.text
        yield told[node.id], node


def nodes(counts: TagCounts) -> list[tuple[str, int, int, int]]:
    """Path, frequency, words, own words."""
    return [(path, node.total.frequency, node.total.words, node.total.own_words) for path, node in paths(counts)]


def test_a_lead_before_the_container_is_a_tag_that_a_rule_may_decide() -> None:
    above = "<p class=lead>Whoever crosses the river by boat today may walk over it in spring.</p>"
    page = f"<main><header><h1>The bridge over the river</h1>{above}</header><div class=text>{f'<p>{_LONG * 2}</p>' * 4}</div></main>"
    found = seen(page, body={})
    assert ("header p.lead", 1) in [(path, frequency) for path, frequency, *_ in nodes(found)]
    lead = row(found, "p.lead")
    assert (lead.words, lead.frequency, lead.pages, len(lead.examples)) == (13, 1, 1, 1)
    assert row(seen(page, body={"tags": {"lead": ["p.lead"]}}), "p.lead").decided.operation == "lead"


def test_equal_paths_of_all_pages_are_one_node() -> None:
    found = seen("<p>one <b>two</b> three</p><p>four</p>", "<p>five</p><div><p>six</p></div>")

    assert nodes(found) == [
        ("main", 2, 6, 0),
        ("main p", 3, 5, 4),
        ("main p b", 1, 1, 1),
        ("main div", 1, 1, 0),
        ("main div p", 1, 1, 1),
    ]
    assert row(found, "p").pages == 2
    assert found.years == {2024: 2}


_DATED = '<meta name="date" content="2012-01-01"><p class=when>Monday, 3 May 2021</p><main><p>x</p></main>'


@pytest.mark.parametrize(
    "rules",
    [
        {"metadata": {"datePublished": {"css": "p.when", "date": "EEEE, d MMMM y"}}},
        {"layouts": [{"name": "old", "when": "main", "metadata": {"datePublished": {"css": "p.when", "date": "EEEE, d MMMM y"}}}]},
        {"metadata": {"datePublished": {"css": "p.when", "date": "EEEE, d MMMM y"}}, "body": None},
    ],
    ids=["of the portal", "of a layout", "without a rule for the container"],
)
def test_the_portal_s_own_rule_dates_a_page_before_what_the_page_says_of_itself(rules: dict[str, object]) -> None:
    portal = portal_of(**{"body": {"root": "main"}, "language": "en", **rules})
    found = counts_of([page_of(_DATED)], portal, year=None)

    assert found.years == {2021: 1}


def test_posts_beside_the_article_are_looked_at_too() -> None:
    portal = portal_of(body={"root": "main"}, posts={"comments": {"item": "li.k", "author": "b", "text": ".sz"}})
    comment = "<li class=k><b>Anna</b><div class=sz><p>no</p></div></li>"
    page = page_of(f"<body><main><p>yes</p></main><ul>{comment}</ul></body>")
    found = counts_of([page], portal)
    assert [(path, node.decided.operation) for path, node in paths(found)] == [
        ("main", "unwrap"),
        ("main p", "paragraph"),
        ("li.k", "post"),
        ("li.k b", "author"),
        ("li.k div.sz", "unwrap"),
        ("li.k div.sz p", "paragraph"),
    ]


def test_what_stands_around_posts_or_their_text_is_no_question_unless_a_rule_decides_it() -> None:
    page = page_of("<main><div class=talk><li class=k><div class=comment-body><div class=sz><p>no</p></div></div></li></div></main>")

    def rows(**tags: list[str]) -> dict[str, tuple[str, str]]:
        portal = portal_of(body={"root": "main", "tags": tags}, posts={"comments": {"item": "li.k", "text": ".sz"}})
        counts = counts_of([page], portal)
        assert [node.decided.operation for _, node in paths(counts) if node.is_container] == ["unwrap"]
        decided = ((one.tag, one.decided) for one in inventory(counts).rows)
        return {tag: (one.operation, one.rule.rpartition(" ")[2]) for tag, one in decided if tag.startswith("div.") and tag != "div.sz"}

    around = ("unwrap", "posts.comments.around")
    assert rows() == {"div.talk": around, "div.comment-body": around}
    assert rows(box=["div.comment-body"]) == {"div.talk": around, "div.comment-body": ("box", "div.comment-body")}


def test_what_posts_hold_is_never_suggested_to_be_left_out() -> None:
    said = "<li class=k><div class=comment-body><p>no</p></div></li>"
    beside = "<div class=comment-body><p>an answer that no rule finds</p></div>"
    counts = seen(f"<ul>{said}</ul>{beside}<div class=comments><p>x</p></div>", posts={"comments": {"item": "li.k"}})
    suggested = {one.tag: one.suggestion.operation for one in inventory(counts).rows if one.suggestion is not None}
    assert suggested == {"div.comment-body": "unwrap", "div.comments": "decompose"}


@pytest.mark.parametrize("notice", ["number", "edited", "editor", "likes"])
def test_what_the_site_says_of_a_post_is_left_out_and_the_page_is_read(notice: str) -> None:
    portal = portal_of(body={"root": "main"}, posts={"forum": {"item": "div.post", "text": "div.text", notice: "p.notice"}})
    page = page_of("<main><div class=post><p class=notice>2 May 2021, 10:00</p><div class=text><p>yes</p></div></div></main>")
    found = counts_of([page], portal)
    assert found.passed_over == {}
    assert [node.decided.operation for path, node in paths(found) if path.endswith("p.notice")] == ["decompose"]


def test_words_in_links_count_for_all_that_is_around_and_inside() -> None:
    found = seen("<div>far <a href=/x>near <b>in</b></a></div>")

    assert [(path, node.total.words, node.total.link_words, node.total.descendants) for path, node in paths(found)][1:] == [
        ("main div", 3, 2, 2),
        ("main div a[href]", 2, 2, 1),
        ("main div a[href] b", 1, 1, 0),
    ]


@pytest.mark.parametrize("unseen", ["<script>var x = 1;</script>", "<style>p {}</style>", "<noscript><p>x</p></noscript>", "<!-- <p>x -->"])
def test_scripts_styles_and_comments_are_not_looked_at(unseen: str) -> None:
    assert nodes(seen(f"<p>a {unseen} b</p>")) == [("main", 1, 2, 0), ("main p", 1, 2, 2)]


def test_different_start_tags_are_counted_with_all_their_attributes() -> None:
    found = seen("<a href=/1>x</a><a href=/2>y</a><a href=/2>z</a>", "<a href=/2></a><img src=/3>")

    assert (found.start_tags.count, found.start_tags_with_text.count) == (3, 2)


def test_an_example_shows_the_text_around_and_is_safe_to_cut() -> None:
    found = seen(f"<p>before it</p><p class=x title='{'t' * 500}'>the <b>text</b></p><p>after {'word ' * 200}</p>")

    (example,) = row(found, "p.x").examples
    assert example.before == "before it"
    assert example.text == "the text"
    assert example.after.startswith("after word word")
    assert max(map(len, (example.after, example.start_tag))) <= 160
    assert example.start_tag.startswith('<p class="x" title="ttt')


def test_a_tag_has_three_examples_of_different_pages_those_with_text_first() -> None:
    found = seen(*(f"<p></p><p>page {number}</p>" for number in range(5)))

    assert [example.text for example in row(found, "p").examples] == ["page 0", "page 1", "page 2"]


def test_examples_are_of_different_years_where_there_are() -> None:
    portal = portal_of(body={"root": "main"})
    question, whole = TagQuestion(portal), TagCounts()
    for number, year in enumerate((2001, 2001, 2001, 2005, 2001, 2009, 2010)):
        tally = question.tally()
        question.look(page_of("<main><p>x</p></main>"), stored(f"https://pelda.example/{number}", year), tally)
        whole.join(pickle.loads(pickle.dumps(tally)))

    (examples,) = whole.examples.values()
    assert [one.year for one in examples] == [2001, 2005, 2009]


def test_short_texts_on_several_pages_recur() -> None:
    found = seen(*(f"<p>Read more about it here</p><p>{_LONG * 9} {number}</p><div>Two words</div>" for number in range(3)))

    assert [(text, pages) for (_, text), pages in found.texts.items() if pages > 1] == [("Read more about it here", 3)]


def test_a_page_without_a_container_is_passed_over() -> None:
    portal = portal_of(body={"root": "article"})
    whole = counts_of([page_of("<p>x</p>")], portal)

    assert dict(whole.passed_over) == {"empty": 1}


def test_without_a_root_the_general_finder_says_what_it_leaves_out() -> None:
    portal = portal_of()
    share = "<div class=share-buttons><a href=/f>Share</a></div>"
    html = f"<body><article><h1>Title of it</h1><p>{_LONG}</p><p>{_LONG}</p>{share}</article></body>"
    found = counts_of([page_of(html)], portal)

    left_out = {node.tag.text: node.decided for _, node in paths(found) if node.decided.operation == "decompose" and node.step.is_in_a_row}
    assert left_out["div.share-buttons"].decider == "general finder"


def test_a_very_deep_page_ends_in_one_node_and_no_word_is_lost() -> None:
    found = seen("<div>" * 400 + "deep words" + "</div>" * 400)

    found_nodes = list(found.tree.nodes())
    assert sum(node.total.own_words for node in found_nodes) == 2
    assert sum(node.total.frequency for node in found_nodes) == 401
    assert found_nodes[-1].step.is_folded
    assert inventory(found).notes


def test_a_million_class_names_are_folded_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_tree, "MOST_NODES", 50)
    monkeypatch.setattr(tag_question, "MOST_NODES", 50)
    letters = "abcdefghijklmnopqrst"
    bodies = [
        "".join(f"<p class=x{letters[page]}{letters[one]}>some <b>words</b></p>" for one in range(8)) + "<p>y</p>" for page in range(20)
    ]

    found = seen(*bodies)

    container, *others = found.tree.nodes()
    assert len(others) < 50
    assert sum(node.total.frequency for node in others) == 20 * 17
    assert sum(node.total.own_words for node in others) == 20 * 17
    assert container.total.words == sum(node.total.words for node in others if node.parent == container.id) == 20 * 17
    assert next(node.total.frequency for node in others if node.tag.text == "p") == 20
    assert any(node.step.is_folded for node in others)
    assert "counted together" in inventory(found).notes[0]
