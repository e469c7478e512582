"""Which metadata rules a correction teaches, and that nothing is proposed without one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from learning_from import AT, Learned, learn
from seams import portal_of

TITLES = ("The dam has broken", "Six villages are without water", "Who pays for the bridge", "A quiet election", "Snow closes the pass")
NAMES = ("Ann Lee", "Bob Ray", "Eve Kis", "Tom Orr", "Joan Fox")
Body = Callable[[int], str]
Data = Callable[[int], Mapping[str, Any]]


def headline(at: int) -> dict[str, Any]:
    return {"headline": TITLES[at]}


def news(body: Body = lambda _: "", data: Data = headline, *, head: Body = lambda _: "") -> dict[str, str]:
    """Five articles with structured data, the title as a heading, and this below it."""

    def html(at: int) -> str:
        ld = json.dumps({"@type": "NewsArticle", "url": f"{AT}/news/{at}", **data(at)})
        start = f'<html lang=en><head>{head(at)}<script type="application/ld+json">{ld}</script></head>'
        return f"{start}<body><h1>{TITLES[at]}</h1>{body(at)}</body></html>"

    return {f"/news/{at}": html(at) for at in range(len(TITLES))}


def metadata(pages: Mapping[str, str], rules: str = "", **more: Any) -> Learned:
    return learn(rules, articles=pages, parts=("metadata",), **more)


OTHER_HEADINGS = {
    path: html.replace("</h1>", ", seen from the hill</h1>")
    for path, html in news(data=lambda at: {"headline": f"{TITLES[at]}, they say"}).items()
}


PRINTED = "Printed in the morning issue of the River Gazette"


def signed(line: str) -> dict[str, str]:
    """All pages have a line whose class says nothing to anybody."""
    return news(lambda at: f"<p>Text.</p>{line.format(NAMES[at], day=at + 1, printed=PRINTED)}")


def test_without_a_correction_nothing_is_proposed() -> None:
    assert metadata(OTHER_HEADINGS).proposals == {}


def confirmed(at: int, **fields: str | list[str]) -> str:
    """tests.yaml, with what a person said of one page."""
    return json.dumps([{"url": f"{AT}/news/{at}", "expect": {"metadata": fields}}])


def test_a_confirmed_page_teaches_the_rule_that_says_so() -> None:
    learned = metadata(OTHER_HEADINGS, expected=confirmed(2, headline=f"{TITLES[2]}, seen from the hill"))
    assert learned.values() == {"headline": "h1"}
    assert "headline: h1" in learned.after
    reason = learned.best("headline")["reason"]
    assert reason == "says what was confirmed on 1 page, and otherwise than is read on 4 of 4 other pages"
    assert learned.choices("headline")[1] is None, "a person may still say that no rule is right"


def test_what_is_read_rightly_without_a_rule_needs_none() -> None:
    assert metadata(OTHER_HEADINGS, expected=confirmed(2, headline=f"{TITLES[2]}, they say")).proposals == {}


LINES: dict[str, tuple[str, dict[str, str], Any]] = {
    "a name": ("<i class=kqline>{}</i>", {"author": NAMES[2]}, "i.kqline"),
    "a class of a block and a part": ("<i class=kq__maker>{}</i>", {"author": NAMES[2]}, "i.kq__maker"),
    "a word that holds the name of a state": ("<i class=firstkq>{}</i>", {"author": NAMES[2]}, "i.firstkq"),
    "a name in a link": ("<div class=kqline><a href=/by>{}</a>, editor</div>", {"author": NAMES[2]}, "div.kqline > a"),
    "a day": ("<div><i class=kqline>{printed} on its third page, {day} May 2024</i></div>", {"datePublished": "2024-05-03"}, "i.kqline"),
}


@pytest.mark.parametrize(("line", "said", "rule"), LINES.values(), ids=LINES)
def test_where_a_confirmed_value_stands_is_found_by_what_it_says(line: str, said: dict[str, str], rule: Any) -> None:
    assert metadata(signed(line), expected=confirmed(2, **said)).values() == {next(iter(said)): rule}


def test_what_a_person_has_confirmed_to_be_a_name_is_one() -> None:
    pages = news(lambda at: f"<div class=authors><a href=/by/{at}>{'the night desk' if at == 2 else NAMES[at]}</a></div>")
    assert metadata(pages, expected=confirmed(2, author="the night desk")).values() == {"author": "div.authors a"}


@pytest.mark.parametrize(
    ("rules", "at", "is_learned"),
    [
        ("metadata: {headline: h1}\n", 2, False),
        ("layouts: [{name: old, url: '/news/[0-3]$', metadata: {headline: h1}}]\n", 2, False),
        ("layouts: [{name: old, url: '/news/[0-3]$', metadata: {headline: h1}}]\n", 4, True),
    ],
    ids=["of all pages", "of its layout", "of the others"],
)
def test_pages_that_have_a_rule_for_a_field_teach_none(rules: str, at: int, *, is_learned: bool) -> None:
    learned = metadata(OTHER_HEADINGS, rules, expected=confirmed(at, headline=f"{TITLES[at]}, seen from the hill"))
    assert ("headline" in learned.proposals) is is_learned


def test_every_choice_is_a_pick_that_a_portal_file_may_say() -> None:
    proposals = metadata(OTHER_HEADINGS, expected=confirmed(2, headline=f"{TITLES[2]}, seen from the hill")).proposals
    for field, proposal in proposals.items():
        for choice in proposal["choices"]:
            assert choice["value"] is None or portal_of(metadata={field: choice["value"]}).metadata[field]
