"""What is remembered of a page is small, and says of its layout what a designer would."""

from __future__ import annotations

import numpy
from trial_portal import page_of
from watched_portal import article, html

from webarticlecurator.watching.block_model import agreement, learned
from webarticlecurator.watching.page_facts import MOST_BLOCKS, PageFacts, page_facts


def facts(content: str, text: str) -> PageFacts:
    tree = page_of(content).tree
    assert tree is not None
    return page_facts(tree, text)


def test_names_are_those_of_the_layout_and_not_of_one_page() -> None:
    content = '<body><div id="main" class="story post-17 css-1x2y9z8"><p id="n8812" class="lead">Long enough to be read.</p></div></body>'
    assert facts(content, "").names == {"#main", "div.story", "div.post-*", "div.css-*", "#n*", "p.lead"}


def test_of_the_kept_text_what_parts_it_is_named_but_not_what_holds_it() -> None:
    content = (
        '<body><div class="story"><p class="lead">The ferry stopped in the night and nobody knew why.</p>'
        '<p>The mayor said that the council would meet on Monday to talk.</p></div><div class="foot">All rights reserved</div></body>'
    )
    text = "The ferry stopped in the night and nobody knew why.\nThe mayor said that the council would meet on Monday to talk."
    assert facts(content, text).body_names == {"p.lead"}


def test_an_id_that_is_made_of_the_words_of_a_heading_is_no_name_of_the_layout() -> None:
    kept = ("What the council says about it today", "Hyvä tietää", "Ferries are to go again on Monday.")
    content = (
        f'<body><div class="story"><p class="lead">{kept[0]}</p><h2 id="hyva-tietaa" class="rubrik">{kept[1]}</h2>'
        f'<p id="answer">{kept[2]}</p></div></body>'
    )
    assert facts(content, "\n".join(kept)).body_names == {"p.lead", "h2.rubrik", "#answer"}


def test_what_is_packed_comes_back_as_it_was() -> None:
    before = article(1).page
    assert before is not None
    after = PageFacts.unpacked(before.packed())
    assert (after.names, after.body_names) == (before.names, before.body_names)
    assert numpy.array_equal(after.features, before.features) and numpy.array_equal(after.words, before.words)
    assert numpy.allclose(after.kept, before.kept, atol=1e-3)
    assert len(before.packed()) < 6_000


def test_a_page_without_text_can_be_packed() -> None:
    empty = facts("<body><div class='x'></div></body>", "")
    assert PageFacts.unpacked(empty.packed()).names == {"div.x"}


def test_a_model_learns_what_the_rules_keep_and_tells_what_they_lose_elsewhere() -> None:
    model = learned([facts(*html(number)) for number in range(8)])
    assert model is not None
    usual, moved = agreement(model, facts(*html(50))), agreement(model, facts(*html(51, kept=("story", "more"))))
    assert usual.lost < 5 and usual.foreign < 5
    assert moved.lost > 40


def test_pages_of_which_all_or_nothing_is_kept_teach_nothing() -> None:
    assert learned([facts(html(1)[0], "")]) is None


def test_of_a_hostile_page_only_so_much_is_looked_at() -> None:
    links = "".join(
        f'<div class="c{number % 26 * 2}x n-{"abcdefghij"[number % 10]}{number}"><a href="/">x y</a></div>' for number in range(10_000)
    )
    deep = "<div class='d'>" * 1_500 + "<p>The end of it all lies deep.</p>" + "</div>" * 1_500
    seen = facts(f"<body>{links}{deep}</body>", "The end of it all lies deep. " * 1_000)
    assert len(seen.words) == MOST_BLOCKS
    assert len(seen.names) <= 600
    assert len(seen.packed()) < 50_000
