"""What a tests.yaml says is read whole, and all that is wrong with it is told at once, where it stands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from webarticlecurator import resources
from webarticlecurator.config.expectations import Expectation, load_expectations
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.errors import PortalFileError, UsageError
from webarticlecurator.model.outcome import PageOutcome

URL = "https://pelda.example/cikk/1"
Load = Callable[[str], tuple[Expectation, ...]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def load_text(text: str) -> tuple[Expectation, ...]:
        file = tmp_path / "tests.yaml"
        file.write_text(text, encoding="utf-8")
        return load_expectations(file)

    return load_text


def mistakes(load: Load, text: str) -> list[str]:
    with pytest.raises(PortalFileError) as caught:
        load(text)
    return [f"{mistake.line}:{mistake.column}: {mistake.message}" for mistake in caught.value.mistakes]


def test_everything_that_can_be_expected_is_read(load: Load) -> None:
    text = f"""
- url: {URL}
  expect:
    outcome: paywall
    metadata: {{headline: Híd, author: [A, B], articleSection: null, datePublished: 2024-05-01}}
    paragraphs: 3
    links: 0
    posts: 2
    first_post: {{who: A, title: null}}
    last_post: {{when: "2024-05-01T10:00:00Z"}}
    contains: Az új híd
    lacks: [Hirdetés]
    next: null
- url: {URL}
  as: archive
  expect: {{articles: 20, first_article: "{URL}/1", last_article: null, contains: "{URL}/2", next: "{URL}?oldal=2"}}
"""
    assert load(text) == (
        Expectation(
            url=URL,
            outcome="paywall",
            metadata={"headline": ("Híd",), "author": ("A", "B"), "articleSection": (), "datePublished": ("2024-05-01",)},
            counts={"paragraphs": 3, "links": 0, "posts": 2},
            first_post={"who": "A", "title": None},
            last_post={"when": "2024-05-01T10:00:00Z"},
            contains=("Az új híd",),
            lacks=("Hirdetés",),
            addresses={"next": None},
        ),
        Expectation(
            url=URL,
            kind="archive",
            counts={"articles": 20},
            contains=(f"{URL}/2",),
            addresses={"first_article": f"{URL}/1", "last_article": None, "next": f"{URL}?oldal=2"},
        ),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ["1:1: expected a list of pages: `- url: ...` with `expect: ...`"]),
        (f"url: {URL}\n", ["1:1: expected a list of pages: `- url: ...` with `expect: ...`"]),
        (f"- url: {URL}\n", ["1:3: `[1]`: `expect` is missing"]),
        ("- {url: pelda, expect: {posts: 1}}\n", ['1:9: `[1].url`: "pelda" is not a web address with http or https']),
        (f"- {{url: '{URL}', expect: {{paragraf: 1}}}}\n", ["1:50: unknown key `paragraf` in `[1].expect`; did you mean `paragraphs`?"]),
        (
            f"- url: {URL}\n  expect:\n    metadata: {{autor: A}}\n    posts: -1\n",
            [
                "3:16: unknown key `autor` in `[1].expect.metadata`; did you mean `author`?",
                "4:12: `[1].expect.posts`: -1 is too small; the least is 0",
            ],
        ),
        (
            f"- url: {URL}\n  as: archive\n  expect:\n    paragraphs: 3\n",
            ["4:5: `paragraphs` is asked of an article, and this page is read as an archive"],
        ),
        (
            f"- {{url: '{URL}', expect: {{articles: 3}}}}\n",
            ["1:50: `articles` is asked of an archive, and this page is read as an article"],
        ),
        (
            f"- {{url: '{URL}', expect: {{posts: 0}}}}\n- {{url: '{URL}', expect: {{posts: 1}}}}\n",
            ["2:3: this page was already told of in line 1; say all about it there"],
        ),
    ],
)
def test_every_mistake_is_told_where_it_stands(load: Load, text: str, told: list[str]) -> None:
    assert mistakes(load, text) == told


def test_the_same_page_may_be_asked_of_as_archive_and_as_article(load: Load) -> None:
    assert len(load(f"- {{url: '{URL}', expect: {{posts: 0}}}}\n- {{url: '{URL}', as: archive, expect: {{articles: 1}}}}\n")) == 2


def test_a_file_that_is_not_there_is_said_to_be_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"tests\.yaml cannot be read: No such file"):
        load_expectations(tmp_path / "tests.yaml")


def test_the_schema_knows_all_fields_and_outcomes() -> None:
    expect = json.loads(resources.schema("site-tests.schema.json").read_bytes())["definitions"]["expect"]["properties"]
    assert list(expect["metadata"]["properties"]) == list(FIELDS)
    # an article whose document is invalid has no line to compare
    assert {*expect["outcome"]["enum"], PageOutcome.INVALID} == set(PageOutcome)
