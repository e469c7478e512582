"""What of the proposals becomes lines of a portal file that a person writes, too: everything else in it stays as it was."""

from __future__ import annotations

import json

import pytest
import yaml
from invented_articles import paragraphs, written
from learning_from import AT, HEAD, Learned, learn

ASKED_FOR = "Give us your address and we send you the river news."
PLEA = f"<p class=plea>{ASKED_FOR}</p>"
WITHOUT_PLEA = json.dumps([{"url": f"{AT}/1", "expect": {"outcome": "article", "lacks": [ASKED_FOR]}}])
"""tests.yaml, with what a person said of one page."""


def story(number: int, inside: str) -> str:
    first, *rest = paragraphs(100 * number)
    return f"<html><head><title>{number}</title></head><body><div class=story>{written([first])}{inside}{written(rest)}</div></body></html>"


def with_further_page(rules: str = "", **answers: int) -> Learned:
    """Articles, one of which has a second page, by a link that only its words tell: so one question is asked."""

    def page(number: int) -> str:
        further = "<p><a href=?page=2>Next page</a></p>" if number == 1 else ""
        title = f"<head><title>{number}</title></head>"
        return (
            f"<html>{title}<body><h1>Bridge {number}</h1><div class=story>{written(paragraphs(100 * number))}</div>{further}</body></html>"
        )

    given = {name.replace("_", "."): number for name, number in answers.items()}
    return learn(rules, articles={f"/{n}": page(n) for n in range(1, 6)}, parts=("articles",), answers=given)


def listing(number: int) -> str:
    words = ("bridge", "school", "river", "museum", "council")
    items = "".join(f'<div class=lista><h2><a href="/2024/{word}-{number}">The {word} is opened, {number}</a></h2></div>' for word in words)
    return f"<nav><a href=/a>About</a></nav><main>{items}</main>"


LISTINGS = {f"/archive/{n}": listing(n) for n in (1, 2, 3)}
ARCHIVE = f"archive:\n  url: {AT}/archive/{{page}}\n  link: h3 a   # every headline\n"


def with_links(rules: str, **answers: int) -> Learned:
    given = {name.replace("_", "."): number for name, number in answers.items()}
    return learn(rules, archive=LISTINGS, parts=("archive",), answers=given)


def test_what_is_sure_is_written_with_its_reason_as_a_comment_and_everything_else_stays() -> None:
    before = f"# the archive\n{ARCHIVE}\n# bodies\nbody:   # by hand\n  within:   div.story\n"
    # pages of which `body.tags.decompose: [p.plea]` is sure
    learned = learn(before, articles={f"/{n}": story(n, PLEA) for n in range(1, 4)}, parts=("articles",), expected=WITHOUT_PLEA)
    added = learned.after.replace(HEAD + before, "")
    assert learned.after.startswith(HEAD + before)
    assert added.splitlines()[0] == "  tags:"
    comments = [line for line in added.splitlines() if line.strip().startswith("#")]
    assert comments[0].strip().startswith("# learned")
    assert len(comments) > 1, "with samples"
    assert yaml.safe_load(learned.after)["body"] == {"within": "div.story", "tags": {"decompose": ["p.plea"]}}


def test_an_alias_is_not_written_through() -> None:
    before = f"metadata: {{headline: &one h3 a}}\narchive:\n  url: {AT}/archive/{{page}}\n  link: *one\n"
    learned = with_links(before, archive_link=1)
    assert (learned.states()["archive.link"], "link: *one\n" in learned.after) == ("refused", True)
    assert learned.proposals["archive.link"]["reason"]


def test_a_column_that_is_only_its_address_gets_keys() -> None:
    before = f"{ARCHIVE}columns:\n  belfold: {AT}/archive/{{page}}   # home affairs\n"
    pages = {"belfold": {f"/archive/{n}": listing(n) for n in (1, 2, 3)}}
    learned = learn(before, archive=pages, parts=("archive",), answers={"columns.belfold.paging": 1})
    assert yaml.safe_load(learned.after)["columns"]["belfold"]["pages"] == "infinite"
    assert "# home affairs\n" in learned.after


@pytest.mark.parametrize("rules", ["", "body: {root: div.story}\n"])
def test_what_is_not_sure_waits_for_an_answer(rules: str) -> None:
    waiting = with_further_page(rules)
    assert (waiting.states()["articles.next"], waiting.after) == ("open", HEAD + rules)
    declined = with_further_page(rules, articles_next=0)
    assert (declined.states()["articles.next"], declined.after) == ("declined", HEAD + rules)
    assert "next: " in with_further_page(rules, articles_next=1).after


DRAFTED = f"""\
archive:
  url: {AT}/archive/{{page}}
  # learned, but NOT SURE: 5 links a page
  #   {AT}/2024/bridge-1
  link: h3 a
  # or, in its place (2): 1 link a page
  #   {AT}/2024/school-1
  # link: nav a
  # learned, but NOT SURE: they differ in a number
  pages: infinite
"""


def test_the_evidence_and_the_alternatives_of_a_first_file_go_with_the_line() -> None:
    after = with_links(DRAFTED, archive_link=1).after
    assert "in its place" not in after
    assert "NOT SURE: they differ in a number\n  pages: infinite\n" in after, "what stands beside it stays"


@pytest.mark.parametrize("name", ["archive.link", "archive.paging"])
def test_the_answer_that_a_line_of_a_first_file_is_right_settles_it(name: str) -> None:
    drafted = DRAFTED.replace("h3 a", "h2 a")
    answered = with_links(drafted, **{name: 1})
    assert (answered.states()[name], answered.after.count("NOT SURE"), answered.after.count("chosen by a person")) == ("written", 1, 1)
    assert (yaml.safe_load(answered.after), "in its place" in answered.after) == (yaml.safe_load(HEAD + drafted), name == "archive.paging")
    again = with_links(answered.after.removeprefix(HEAD), **{name: 1})
    assert (again.states()[name], again.after) == ("there", answered.after)


def test_another_answer_takes_the_evidence_of_the_first_one_away() -> None:
    once = with_links(ARCHIVE, archive_link=1)
    again = learn(once.after, archive=LISTINGS, parts=("archive",), answers={"archive.link": 2}, head="")
    first, second = (choice["reason"] for choice in once.proposals["archive.link"]["choices"][:2])
    assert first in once.after
    assert first not in again.after
    assert second.partition(";")[0] in again.after


def test_no_rule_as_an_answer_is_remembered_as_null() -> None:
    titles = ("The dam has broken", "Six villages are dry", "Who pays for the bridge", "A quiet election", "Snow closes the pass")
    pages = {
        f"/news/{at}": f"<html><head><meta property=og:title content='{title}'></head><body><h1>{title}, they say</h1><p>Text.</p>"
        for at, title in enumerate(titles)
    }
    corrected = json.dumps([{"url": f"{AT}/news/2", "expect": {"metadata": {"headline": titles[2]}}}])

    def asked(rules: str, **answers: int) -> Learned:
        return learn(rules, articles=pages, parts=("metadata",), head="", answers=answers, expected=corrected)

    assert asked(HEAD).choices("headline")[1] is None
    text = asked(HEAD, headline=2).after
    assert "headline: null\n" in text
    assert asked(text, headline=2).states()["headline"] == "there"
