"""An entry of a tests.yaml is written or changed by program, and the rest of the file stays as a person wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.config.expectation_edits import entry_of, with_entry
from webarticlecurator.config.expectations import parse_expectations
from webarticlecurator.errors import PortalFileError, UsageError

FILE = Path("tests.yaml")
URL = "https://pelda.example/cikk/1"
WRITTEN = f"""\
# Ours.

- url: "{URL}"     # the first one
  expect:
    metadata: {{headline: Híd, author: [A, B]}}   # as printed
    # counted by hand
    paragraphs: 3
    contains:
      - "Az új híd."

# The archive.
- url: https://pelda.example/
  as: archive
  expect: {{articles: 2}}
"""


def page(expect: dict[str, Any], url: str = URL, **more: str) -> dict[str, Any]:
    return {"url": url, **more, "expect": expect}


def test_only_the_value_that_is_another_changes() -> None:
    expect = {"metadata": {"headline": "Híd", "author": ["A", "B"]}, "paragraphs": 4, "contains": ["Az új híd."]}
    assert with_entry(WRITTEN, FILE, page(expect)) == WRITTEN.replace("paragraphs: 3", "paragraphs: 4")


def test_an_entry_on_one_line_stays_on_one_line() -> None:
    changed = with_entry(WRITTEN, FILE, page({"articles": 3}, "https://pelda.example/", **{"as": "archive"}))
    assert changed == WRITTEN.replace("articles: 2", "articles: 3")


def test_a_new_entry_goes_to_the_end() -> None:
    changed = with_entry(WRITTEN, FILE, page({"outcome": "empty"}, f"{URL}2"))
    assert changed == f'{WRITTEN}- url: "{URL}2"\n  expect:\n    outcome: empty\n'


def test_a_date_is_quoted_so_that_every_program_reads_it_as_text() -> None:
    changed = with_entry("", FILE, page({"metadata": {"datePublished": "2024-05-01T10:00:00+02:00", "dateModified": "2024-05-02"}}))
    assert 'datePublished: "2024-05-01T10:00:00+02:00"' in changed
    assert 'dateModified: "2024-05-02"' in changed


def test_the_same_address_as_archive_and_as_article_is_two_entries() -> None:
    changed = with_entry(WRITTEN, FILE, page({"articles": 3}, **{"as": "archive"}))
    assert changed.startswith(WRITTEN)
    assert [one.kind for one in parse_expectations(changed.encode(), FILE)] == ["article", "archive", "archive"]
    assert entry_of(changed, FILE, URL, None) == entry_of(WRITTEN, FILE, URL, "article")


def test_a_file_begins_with_a_word_on_what_it_is() -> None:
    assert with_entry("", FILE, page({"next": None})) == (
        f'# What must come out of named pages of this portal; `curator test` checks it.\n- url: "{URL}"\n  expect:\n    next: null\n'
    )
    assert with_entry("# Nothing yet.", FILE, page({"next": None})).startswith(f'# Nothing yet.\n- url: "{URL}"\n')


def comments(text: str) -> list[str]:
    return [line[line.index("#") :] for line in text.splitlines() if "#" in line]


@pytest.mark.parametrize(
    "text",
    [
        f"  - url: {URL}\n    expect:\n      posts: 1   # one\n",
        f"-\n  url: {URL}\n  expect:\n    posts: 1\n",
        f"- {{url: '{URL}', expect: {{posts: 1}}}}\n",
        f"---\n- expect: {{posts: 1}}\n  url: {URL}\n",
        f"-   url: {URL}\n    expect:\n# here\n      posts: 1\n- url: {URL}2\n  expect: {{posts: 1}}\n",
        f"- url: {URL}\n  expect:\n    contains: |-\n      # not a comment\n    posts: 1\n",
    ],
)
def test_however_an_entry_is_laid_out(text: str) -> None:
    entry = entry_of(text, FILE, URL, "article")
    assert entry is not None
    changed = with_entry(text, FILE, {**entry, "expect": {**entry["expect"], "posts": 2}})
    said = parse_expectations(changed.encode(), FILE)
    assert said[0].counts["posts"] == 2
    assert said[1:] == parse_expectations(text.encode(), FILE)[1:]
    assert comments(changed) == comments(text)


@pytest.mark.parametrize(
    "text",
    [
        f"[{{url: '{URL}', expect: {{posts: 1}}}}, {{url: '{URL}2', expect: {{posts: 1}}}}]\n",
        f"- url: {URL}2\n  expect: &same {{posts: 1}}\n- url: {URL}\n  expect: *same\n",
        f"- url: {URL}2\n  expect: &same {{posts: 1}}\n- url: {URL}\n  expect: &same {{posts: 1}}\n",
    ],
)
def test_what_a_program_cannot_change_without_harm_is_left_to_a_person(text: str) -> None:
    with pytest.raises(UsageError, match="by hand"):
        with_entry(text, FILE, page({"posts": 2}))


def test_a_file_with_mistakes_is_not_touched() -> None:
    with pytest.raises(PortalFileError, match="paragraf"):
        with_entry(f"- url: {URL}\n  expect: {{paragraf: 1}}\n", FILE, page({"posts": 2}))


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\x85\u2028\u2029"), min_size=1)


@given(st.lists(TEXTS, min_size=1), TEXTS)
@pytest.mark.slow
def test_any_text_is_read_as_it_was_written(contains: list[str], headline: str) -> None:
    expect = {"metadata": {"headline": headline, "author": contains}, "contains": contains, "next": None}
    for text in ("", WRITTEN):
        changed = with_entry(text, FILE, page(expect))
        assert entry_of(changed, FILE, URL, "article") == page(expect)
        assert with_entry(changed, FILE, page(expect)) == changed
