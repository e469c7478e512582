from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from invented_articles import paragraphs, sentence, written

from webarticlecurator.config.portal import Portal
from webarticlecurator.learning.bodies import undecided
from webarticlecurator.learning.bodies.undecided import undecided_rows
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Proposal

Asked = Callable[..., dict[str, Proposal]]


@pytest.fixture
def asked(portal_of: Callable[..., Portal], page_of: Callable[..., Page]) -> Asked:
    """What is asked of three pages with this in their articles, by selector."""

    def ask(inside: Callable[[int], str], rules: str = "") -> dict[str, Proposal]:
        bodies = [
            f"<div class=story>{written(paragraphs(100 * n))}{inside(n)}{written(paragraphs(100 * n + 50, 2))}</div>" for n in range(3)
        ]
        pages = [page_of(body, f"https://pelda.example/{number}") for number, body in enumerate(bodies)]
        return {one.name: one for one in undecided_rows(pages, portal_of(rules), {}, words=3 * 250)}

    return ask


def operations(proposal: Proposal) -> list[str]:
    return [next(iter(choice.value)) for choice in proposal.choices if isinstance(choice.value, dict)]


def test_a_tag_whose_whole_name_says_what_it_is_needs_no_answer(asked: Asked) -> None:
    proposals = asked(lambda n: f"<div class=infobox><p>{sentence(900 + n)}</p></div>")
    assert {name: (one.path, one.choices[0].value, one.sure) for name, one in proposals.items()} == {
        "body.tags.box.named": (("body", "tags", "box"), ["div.infobox"], True)
    }


@pytest.mark.parametrize(
    ("rules", "selector"),
    [("", "div.infobox"), ("body: {tags: {unwrap: [.xyla]}}\n", "div.infobox.qorn")],
    ids=["all boxes", "one is none"],
)
def test_boxes_of_one_name_are_told_by_it(asked: Asked, rules: str, selector: str) -> None:
    def boxes(n: int) -> str:
        rare = f"<div class='infobox xyla'><p>{sentence(800)}</p></div>" if n == 1 else ""
        return f"<div class='infobox qorn'><p>{sentence(900 + n)}</p></div>{rare}"

    proposals = asked(boxes, rules)
    assert proposals.keys() == {"body.tags.box.named"}
    assert proposals["body.tags.box.named"].choices[0].value == [selector]


@pytest.mark.parametrize(("own", "is_sure"), [("infobox", True), ("qorn", False)])
def test_a_rule_for_boxes_does_not_bring_back_what_is_left_out(asked: Asked, own: str, is_sure: bool) -> None:
    def boxes(n: int) -> str:
        share = "<a href=https://facebook.com/sharer/>Facebook</a> <a href=https://twitter.com/share>Twitter</a>"
        return f"<div class={own}><p>{sentence(900 + n)}</p></div><div class='{own} share-buttons'>{share}</div>"

    (proposal,) = asked(boxes).values()
    assert (proposal.choices[0].value, proposal.sure) == (
        [f"div.{own}:not(.share-buttons)"] if is_sure else {"unwrap": [f"div.{own}:not(.share-buttons)"]},
        is_sure,
    )


def test_of_elements_around_the_same_words_one_is_asked_about(asked: Asked) -> None:
    proposals = asked(lambda n: f"<div class=xyla><div class=qorn><p>{sentence(900 + n)}</p></div></div>")
    assert len(proposals) == 1


def test_boxes_that_differ_in_their_ids_alone_are_one_question(asked: Asked) -> None:
    def boxes(n: int) -> str:
        return "".join(f"<div class=qorn id={id}><p>{sentence(900 + 9 * n + m)}</p></div>" for m, id in enumerate(("fares", "views")))

    assert asked(boxes).keys() == {"body.tags.div.qorn"}


def test_boxes_in_several_colours_are_one_question_by_the_class_that_says_what_they_are(asked: Asked) -> None:
    def boxes(n: int) -> str:
        return "".join(f"<div class='xyla-callout {colour}-{n}'><p>{sentence(900 + 9 * n)}</p></div>" for colour in ("vorn", "qorn"))

    assert asked(boxes).keys() == {"body.tags.div.xyla-callout"}


def test_what_holds_footnotes_is_not_asked_about(asked: Asked) -> None:
    def notes(n: int) -> str:
        text = f"<p>{sentence(800 + n)} <a href='#fn1' id=r1>1</a></p>"
        return f"{text}<section class=footnotes><h2>Notes</h2><ol><li id=fn1><p>{sentence(900 + n)} <a href='#r1'>↩</a></p></ol></section>"

    assert asked(notes) == {}


@pytest.mark.parametrize("text", ["", ", text: .qorn"], ids=["a post is all text", "a rule says where its text is"])
def test_what_holds_comments_or_stands_in_them_is_not_asked_about(asked: Asked, text: str) -> None:
    def comments(n: int) -> str:
        said = (
            f"<li class=k><article class=comment-body><div class=qorn><p>{sentence(900 + 9 * n + m)}</p></div></article>" for m in range(3)
        )
        return f"<div class=responses><ol>{''.join(said)}</ol></div><div class=xyla><p>{sentence(800 + n)}</p></div>"

    assert asked(comments, f"posts: {{comments: {{item: li.k{text}}}}}\n").keys() == {"body.tags.div.xyla"}


@pytest.mark.parametrize(
    "inside", ["<pre><code>{}</code></pre>", "<div class=qorn><pre>{}</pre></div>", "<table><tr><td><pre>{}</pre></table>"]
)
def test_what_holds_nothing_but_code_is_not_asked_about(asked: Asked, inside: str) -> None:
    def code(n: int) -> str:
        return f"<div class=xyla>{inside.format(f'loaves = {n} # ' + sentence(900 + n))}</div>"

    assert asked(code) == {}
    assert asked(lambda n: code(n).removesuffix("</div>") + f"<p>{sentence(800 + n)}</p></div>").keys() == {"body.tags.div.xyla"}


def test_what_holds_nothing_but_tabs_and_what_they_unfold_is_not_asked_about(asked: Asked) -> None:
    def tabs(n: int) -> str:
        panels = "".join(f"<div class=qorn role=tabpanel><p>{sentence(900 + 9 * n + m)}</p></div>" for m in range(2))
        return f"<div class=xyla><div class=labels role=tablist><button role=tab>a</button><button role=tab>b</button></div>{panels}</div>"

    assert asked(tabs) == {}
    (proposal,) = asked(lambda n: f"{tabs(n).removesuffix('</div>')}<p>{sentence(800 + n)}</p></div>").values()
    assert proposal.question == "What is div.xyla, with 168 words on 3 of 3 pages, such as https://pelda.example/0?"


def test_what_holds_most_of_the_article_is_not_asked_about(asked: Asked) -> None:
    assert asked(lambda n: f"<div class=qorn>{written(paragraphs(700 + 10 * n, 9))}</div>") == {}


def test_what_the_general_labeller_takes_for_no_text_may_first_of_all_be_none(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    def shares(blocks: Sequence[object]) -> list[float]:
        return [0.1] * len(blocks)

    monkeypatch.setattr(undecided, "content_shares", shares)
    proposal = asked(lambda n: f"<div class=qorn><p>{sentence(900 + n)}</p></div>")["body.tags.div.qorn"]
    assert operations(proposal) == ["decompose", "unwrap", "box"]
    assert proposal.choices[0].reason.startswith("all in it is left out: the general labeller takes only 10% of its words")


def test_what_is_called_something_is_first_of_all_that(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undecided, "content_shares", lambda blocks: [0.1] * len(blocks))
    proposal = asked(lambda n: f"<div class=qorn-infobox><p>{sentence(900 + n)}</p></div>")["body.tags.div.qorn-infobox"]
    assert operations(proposal) == ["box", "decompose", "unwrap"]


def test_a_title_above_code_does_not_make_it_what_is_left_out(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undecided, "content_shares", lambda blocks: [0.1] * len(blocks))
    proposal = asked(lambda n: f"<div class=qorn><p>loaves.py</p><pre>loaves = {n} # {sentence(900 + n)}</pre></div>")["body.tags.div.qorn"]
    assert operations(proposal)[0] == "unwrap"


def test_where_the_labeller_is_not_asked_what_speaks_for_it_comes_first(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undecided, "content_shares", lambda _: None)
    assert operations(asked(lambda n: f"<div class=qorn><p>{sentence(900 + n)}</p></div>")["body.tags.div.qorn"])[0] == "unwrap"


def test_that_it_is_a_box_may_always_be_said(asked: Asked) -> None:
    proposal = asked(lambda n: f"<div class=qorn><b>Background.</b> {sentence(900 + n)}</div>")["body.tags.div.qorn"]
    assert operations(proposal) == ["paragraph", "unwrap", "decompose", "box"]
