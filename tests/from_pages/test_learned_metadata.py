"""Which metadata rules are proposed, what is asked, and what is left alone because the sources agree."""

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


AGREEING = news(
    lambda at: f"<p class=byline>By {NAMES[at]}</p>",
    lambda at: {"headline": TITLES[at], "author": {"name": NAMES[at]}, "datePublished": f"2024-05-0{at + 1}"},
)
OTHER_HEADINGS = {
    path: html.replace("</h1>", ", seen from the hill</h1>")
    for path, html in news(data=lambda at: {"headline": f"{TITLES[at]}, they say"}).items()
}


def with_signatures(data_on: int) -> dict[str, str]:
    """Data name the authors of the first ones alone; all pages have a line whose class says nothing to anybody else."""
    return news(
        lambda at: f"<p>Text.</p><i class=kqline>{NAMES[at]}</i>",
        lambda at: {"headline": TITLES[at], **({"author": {"name": NAMES[at]}} if at < data_on else {})},
    )


def with_imprints(data_on: int) -> dict[str, str]:
    """Data tell the day of the first ones alone; all pages show it below the text, where nothing says so to anybody else."""
    imprint = "<p>Text.</p><div><i class=kqline>Printed in the morning issue of the River Gazette on its third page, {} May 2024</i></div>"
    return news(
        lambda at: imprint.format(at + 1),
        lambda at: {"headline": TITLES[at], **({"datePublished": f"2024-05-0{at + 1}"} if at < data_on else {})},
    )


def site_as_author(head: str, name: str) -> dict[str, str]:
    return news(
        lambda _: f"<a rel=author href=/>{name}</a>",
        lambda at: {"headline": TITLES[at], "author": {"name": NAMES[at]}},
        head=lambda _: head,
    )


def with_comments(item: str, article: Body = lambda _: "") -> dict[str, str]:
    """Below each article what two readers wrote."""

    def body(at: int) -> str:
        items = "".join(f"<li>{item.format(NAMES[at - by])}, moderator, 3 May 2024<p>That is true, I think." for by in (1, 2))
        return f"{article(at)}<p>Text.</p><section id=comments><h2>Comments</h2><ol>{items}</ol></section>"

    return news(body)


TWO_AUTHORS = news(
    head=lambda at: f"<meta name=author content='{NAMES[at]}'>",
    data=lambda at: {"headline": TITLES[at], "author": [{"name": NAMES[at]}, {"name": "Pia Moss"}]},
)
NOTHING_ASKED: dict[str, tuple[str, Mapping[str, str]]] = {
    "one of two authors is no other answer": ("author", TWO_AUTHORS),
    "the site's name behind the headline": (
        "headline",
        news(head=lambda at: f"<meta property=og:title content='{TITLES[at]} | Something Daily'>"),
    ),
    "the portal's own name is no author": ("author", site_as_author("", "Példa")),
    "nor is that which the pages tell": ("author", site_as_author("<meta property=og:site_name content='Small Harbour'>", "Small Harbour")),
    "who wrote comments": ("author", with_comments("<span class=author>{}</span>")),
    "data of who wrote comments": (
        "author",
        with_comments(
            "<b itemscope itemtype=https://schema.org/Comment><i itemprop=author>{}</i></b>",
            lambda at: f"<p class=byline>By {NAMES[at]}</p>",
        ),
    ),
}


@pytest.mark.parametrize(("field", "pages"), NOTHING_ASKED.values(), ids=NOTHING_ASKED)
def test_where_pages_say_nothing_else_no_rule_is_proposed(field: str, pages: Mapping[str, str]) -> None:
    assert field not in metadata(pages).proposals


def test_where_the_sources_agree_it_is_told_what_was_read_and_what_is_nowhere() -> None:
    learned = metadata(AGREEING)
    assert learned.proposals == {}
    told = learned.remark("nothing is proposed")
    assert told.endswith(": headline on 5 of 5, author on 5 of 5, datePublished on 5 of 5")


def name_in_menu(at: int) -> str:
    return f"<nav><div class=post__authors><b><a href=/x/{at}>{NAMES[at]}</a></b><br>Contributor</div></nav><p>Text.</p>"


COMMENTED = with_comments("<a class=author href=/u/>{}</a>", name_in_menu)
ASKED: dict[str, tuple[str, Mapping[str, str], list[Any]]] = {
    "a name in an id of several words": (
        "author",
        news(lambda at: f"<li id='entry item__writer'><a href=/x/{at}>{NAMES[at]}</a></li><p>Text.</p>"),
        [None, 'li[id~="entry"]'],
    ),
    "a name above comments that are signed, too": ("author", COMMENTED, [None, "div.post__authors a"]),
}


@pytest.mark.parametrize(("field", "pages", "choices"), ASKED.values(), ids=ASKED)
def test_what_pages_may_tell_is_asked_about(field: str, pages: Mapping[str, str], choices: list[Any]) -> None:
    learned = metadata(pages)
    assert (learned.choices(field)[:2], learned.proposals[field]["sure"]) == (choices, False)


def test_where_sources_differ_one_question_shows_their_texts_side_by_side() -> None:
    asked = metadata(OTHER_HEADINGS).proposals["headline"]
    assert (asked["path"], asked["sure"], asked["state"]) == (["metadata", "headline"], False, "open")
    first, *others = asked["choices"]
    assert first["value"] is None, "first what is read without a rule"
    assert "h1" in [choice["value"] for choice in others]
    assert all(len(choice["samples"]) == 3 for choice in asked["choices"]), "of the same three pages"
    assert all(choice["differs"] for choice in others)
    assert asked["question"].count(f"{AT}/news/") == 3


def confirmed(at: int, **fields: str | list[str]) -> str:
    """tests.yaml, with what a person said of one page."""
    return json.dumps([{"url": f"{AT}/news/{at}", "expect": {"metadata": fields}}])


def test_a_confirmed_page_answers_the_question() -> None:
    learned = metadata(OTHER_HEADINGS, expected=confirmed(2, headline=f"{TITLES[2]}, seen from the hill"))
    assert learned.values() == {"headline": "h1"}
    assert "headline: h1" in learned.after
    as_read = metadata(OTHER_HEADINGS, expected=confirmed(2, headline=f"{TITLES[2]}, they say"))
    assert as_read.proposals == {}, "read rightly without a rule"


def test_what_a_person_has_confirmed_to_be_a_name_is_one() -> None:
    pages = news(lambda at: f"<div class=authors><a href=/by/{at}>{'the night desk' if at == 2 else NAMES[at]}</a></div>")
    assert metadata(pages, expected=confirmed(2, author="the night desk")).values() == {"author": "div.authors a"}


@pytest.mark.parametrize(
    ("rules", "pages_without"),
    [
        ("metadata: {headline: h1}\n", 0),
        ("layouts: [{name: old, url: '/news/[0-3]$', metadata: {headline: h1}}]\n", 1),
        ("layouts: [{name: old, url: /news/, metadata: {headline: h1}}]\n", 0),
    ],
    ids=["of all pages", "of the layout of four", "of the layout of all"],
)
def test_pages_that_have_a_rule_for_a_field_are_not_asked_about(rules: str, pages_without: int) -> None:
    learned = metadata(OTHER_HEADINGS, rules)
    assert ("headline" in learned.proposals) == bool(pages_without)
    assert not pages_without or "1 of 1 page" in learned.best("headline")["reason"]
    assert pages_without or not any("headline" in remark for remark in learned.remarks)


@pytest.mark.parametrize("pages", [OTHER_HEADINGS, with_signatures(3)])
def test_every_choice_is_a_pick_that_a_portal_file_may_say(pages: Mapping[str, str]) -> None:
    proposals = metadata(pages).proposals
    assert proposals
    for field, proposal in proposals.items():
        for choice in proposal["choices"]:
            assert choice["value"] is None or portal_of(metadata={field: choice["value"]}).metadata[field]


def test_where_a_date_stands_far_from_the_headline_is_found_by_the_days_that_other_pages_tell() -> None:
    learned = metadata(with_imprints(3))
    assert learned.values() == {"datePublished": "i.kqline"}
    assert learned.best("datePublished")["reason"] == "says the same as the general reader on 3 pages, and 2 more that it does not find"
    assert [value.value for value in learned.document(with_imprints(3)["/news/4"], "/news/4").metadata["datePublished"]] == ["2024-05-05"]
    assert "datePublished" not in metadata(with_imprints(0)).proposals and "datePublished" not in metadata(with_imprints(5)).proposals


def late_in_the_evening(*shown: int) -> dict[str, str]:
    """Published late in UTC on the first days of a month, with these days for readers."""
    return news(
        lambda at: f"<time datetime=2024-05-0{shown[at]}>That day</time>",
        lambda at: {"headline": TITLES[at], "datePublished": f"2024-05-0{at + 1}T22:30:00Z"},
    )


NEXT_DAY, SAME_DAY = (2, 3, 4, 5, 6), (1, 2, 3, 4, 5)
CLOCKS: dict[str, tuple[str, dict[str, str], bool]] = {
    "the zone explains the day": ("Europe/Helsinki", late_in_the_evening(*NEXT_DAY), False),
    "UTC does not": ("UTC", late_in_the_evening(*NEXT_DAY), True),
    "a zone in the west does not": ("America/New_York", late_in_the_evening(*NEXT_DAY), True),
    "all see the day of UTC": ("UTC", late_in_the_evening(*SAME_DAY), False),
}


@pytest.mark.parametrize(("zone", "pages", "is_asked"), CLOCKS.values(), ids=CLOCKS)
def test_another_day_for_readers_is_a_question_unless_a_clock_explains_it(zone: str, pages: dict[str, str], is_asked: bool) -> None:
    assert ("datePublished" in metadata(pages, f"timezone: {zone}\n").proposals) is is_asked
