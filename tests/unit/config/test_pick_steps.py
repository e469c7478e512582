from __future__ import annotations

from typing import Any

import pytest
from trial_portal import archive_of, values_of

LINKS = "<a href=/l/2>2</a><a href=/l/3>3</a><a href=/l/4>4</a><a href=/l/5>5</a>"


def following(html: str, url: str = "https://pelda.example/l/x", *, within: str | None = None, **rule: Any) -> str | None:
    pick = {"css": "a", "page_number": {"step": 1, **rule}, **({"within": within} if within else {})}
    found = archive_of(html, url, link="h2 a", next=pick).next_url
    return found.removeprefix("https://pelda.example/l/") if found else None


@pytest.mark.parametrize(
    ("current", "page"),
    [
        ("<b aria-current=page>3</b>", "4"),
        ("<b class=current> 3 </b>", "4"),
        ("<li class='x active'><a>3</a><i>(most)</i></li>", "4"),
        ("<b class=active>3. oldal</b>", None),
        ("<b class=active>Belföld</b><b class=current>4</b>", "5"),
        ("<b>3</b>", None),
    ],
)
def test_the_current_number_is_the_first_whole_number_in_what_is_marked(current: str, page: str | None) -> None:
    assert following(current + LINKS) == page


def test_else_it_is_that_of_the_link_to_this_page_itself() -> None:
    assert following(LINKS, "https://pelda.example/l/3") == "4"


def test_a_selector_may_say_where_the_current_number_is() -> None:
    assert following("<b class=current>2</b><u>4</u>" + LINKS, current="u") == "5"
    assert following("<b class=current>2</b>" + LINKS, current="u") is None


def test_the_pager_goes_before_the_rest_of_the_page() -> None:
    html = f"<i class=active>2</i><nav>{LINKS}<b class=active>4</b></nav>"
    assert following(html, within="nav") == "5"


def test_a_link_whose_text_is_more_than_the_number_does_not_count() -> None:
    assert following("<b class=current>3</b><a href=/l/4>4. oldal</a>") is None


def test_a_day_in_the_text_and_its_time_in_an_attribute_are_one_date() -> None:
    html = '<a title="7:51" class=d><i>2012. október 23.</i></a>'
    assert values_of({"css": ".d", "with_attr": "title", "date": "auto"}, html, field="datePublished") == ["2012-10-23T07:51:00+02:00"]
    assert values_of({"css": ".d i", "with_attr": "title"}, html) == ["2012. október 23."]


def test_a_date_may_be_told_from_the_moment_of_the_capture() -> None:
    html = "<p class=last>by Anna <b>Today</b> at 09:05:00 AM</p>"
    read = values_of({"css": ".last", "date": "auto"}, html, field="dateModified")
    assert [value[10:] for value in read] == ["T09:05:00" + read[0][19:]] and values_of({"css": ".last", "date": "yyyy"}, html) == []
