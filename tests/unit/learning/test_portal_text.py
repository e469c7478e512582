"""A first portal file: what is sure as lines, what is not with its alternatives, and always a file that loads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.learning.portal_text import PortalFacts, first_portal_file
from webarticlecurator.model.proposals import Choice, Plain, Proposal

FACTS = PortalFacts(name="pelda", home="https://pelda.example/", title="Példa: Hírek", opening=("Drafted from 6 pages.",))


def proposal(name: str, *values: Plain, sure: bool = True, path: tuple[str, ...] | None = None, reason: str = "6 of 6 pages") -> Proposal:
    choices = tuple(Choice(value=value, reason=reason, samples=("https://pelda.example/a",)) for value in values)
    return Proposal(name=name, path=path or tuple(name.split(".")), choices=choices, sure=sure)


LINKS = proposal(
    "archive.links", {"item": "article.teaser", "link": "h2 a"}, {"item": None, "link": "div.list > a"}, sure=False, path=("archive",)
)
PAGES = proposal(
    "archive.pages", {"url": "https://pelda.example/{page}/", "pages": {"mode": "numbered", "start": 1, "last": 9}}, path=("archive",)
)


def loaded(text: str) -> Portal:
    return load_portal(Path("portal.yaml"), content=text.encode())


def test_a_first_file_says_what_is_sure_with_its_reason() -> None:
    text = first_portal_file(
        FACTS, [PAGES, proposal("archive.link", "h2 a"), proposal("language", "hu", reason="<html lang> of 5 of 5 pages")]
    )
    assert text == (
        "# Drafted from 6 pages.\n"
        "portal: pelda\n"
        'title: "Példa: Hírek"\n'
        "home: https://pelda.example/\n"
        "# learned: <html lang> of 5 of 5 pages\n"
        "#   https://pelda.example/a\n"
        "language: hu\n"
        "\n"
        "archive:\n"
        "  # learned: 6 of 6 pages\n"
        "  #   https://pelda.example/a\n"
        "  url: https://pelda.example/{page}/\n"
        "  pages: {mode: numbered, start: 1, last: 9}\n"
        "  # learned: 6 of 6 pages\n"
        "  #   https://pelda.example/a\n"
        "  link: h2 a\n"
    )


def test_what_is_not_sure_stands_there_with_its_alternatives_as_comments() -> None:
    text = first_portal_file(FACTS, [PAGES, LINKS])
    assert (
        "  # learned, but NOT SURE: 6 of 6 pages\n"
        "  #   https://pelda.example/a\n"
        "  item: article.teaser\n"
        "  link: h2 a\n"
        "  # or, in its place (2): 6 of 6 pages\n"
        "  #   https://pelda.example/a\n"
        "  # item: null\n"
        "  # link: div.list > a\n"
    ) in text
    assert loaded(text).columns[0].item is not None


def test_an_alternative_can_be_uncommented() -> None:
    text = first_portal_file(FACTS, [PAGES, LINKS])
    changed = text.replace("  item: article.teaser\n  link: h2 a\n", "").replace("# item:", "item:").replace("# link:", "link:")
    assert loaded(changed).columns[0].item is None


def test_alternatives_stand_where_their_keys_belong_though_the_first_choice_ends_deeper() -> None:
    deep = Choice(value={"item": "tr", "link": "a", "fields": {"headline": "a"}}, reason="one")
    text = first_portal_file(FACTS, [PAGES, replace(LINKS, choices=(deep, *LINKS.choices[1:]))])
    assert "    headline: a\n  # or, in its place (2)" in text


def test_a_proposal_that_the_loader_refuses_becomes_a_comment() -> None:
    text = first_portal_file(FACTS, [PAGES, LINKS, proposal("body.root", "div[["), proposal("language", "hu")])
    assert "`body.root` is left out" in text
    assert loaded(text).language == "hu"


def test_a_proposal_that_is_impossible_beside_another_one_becomes_a_comment() -> None:
    text = first_portal_file(FACTS, [proposal("archive.link", "h2 a"), proposal("language", "hu")])
    assert "`archive.link` is left out" in text  # an archive without an address
    assert loaded(text).language == "hu"


def test_a_column_that_is_another_one_is_a_comment_and_what_follows_stays() -> None:
    calendar = {"url": "https://pelda.example/{year}/", "dates": {"from": "2015-01-01"}}
    columns = [proposal(f"columns.{name}", calendar) for name in ("a", "b", "c")]
    text = first_portal_file(FACTS, [LINKS, *columns, proposal("columns.rest", {"url": "https://pelda.example/rest"})])
    assert [column.name for column in loaded(text).columns] == ["a", "rest"]
    assert "`columns.b` is left out: the columns 'a' and 'b' begin with the same page" in text


def test_of_two_proposals_for_one_key_the_first_is_written() -> None:
    text = first_portal_file(FACTS, [PAGES, proposal("archive.link", "h2 a"), LINKS])
    assert "`archive.links` is left out" in text
    assert "link: h2 a" in text


@pytest.mark.parametrize("name", ["belfold", "on", "1999", "a: b", "#x", "null", "a,b{c}"])
def test_any_name_of_a_column_is_quoted_as_it_needs(name: str) -> None:
    text = first_portal_file(
        FACTS, [proposal("archive.link", "h2 a"), proposal("columns", {name: {"url": "https://pelda.example/x/{page}"}})]
    )
    assert [column.name for column in loaded(text).columns] == [name]


@given(st.text(), st.text())
def test_no_text_of_a_page_breaks_the_file(reason: str, sample: str) -> None:
    choice = Choice(value="hu", reason=reason, samples=(sample,), differs=(sample,))
    text = first_portal_file(FACTS, [Proposal(name="language", path=("language",), choices=(choice, choice), sure=False)])
    assert loaded(text).language == "hu"
    assert "left out" not in text


@given(st.text(min_size=1))
def test_any_text_is_written_so_that_it_is_read_back(title: str) -> None:
    text = first_portal_file(FACTS, [proposal("publisher.name", title)])
    assert loaded(text).publisher.name in (title, title.strip()) or "left out" in text
