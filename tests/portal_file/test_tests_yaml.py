"""tests.yaml beside a portal file: what is wrong in it is told where it stands, and `--accept` leaves the rest as a person wrote it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warc_records import write_warc

HOME = "https://pelda.example"
URL = f"{HOME}/cikk/1"
RULES = (
    "portal: pelda\nhome: https://pelda.example/\nlanguage: hu\ntimezone: Europe/Budapest\n"
    "archive: {url: '{home}', link: a, next: a.n}\nmetadata: {headline: h1, author: b.a, datePublished: {css: time, date: iso}}\n"
    "body: {root: article}\nposts: {comments: {item: li, author: i}}\n"
)
SENTENCE = "A város új hidat kap, és a munka jövőre kezdődik. "


def article(number: int = 4, title: str = "Híd", *authors: str) -> str:
    paragraphs = "".join(f"<p>{SENTENCE * 2}{one}</p>" for one in range(number))
    names = "".join(f"<b class=a>{name}</b>" for name in authors or ("A", "B"))
    return f"<h1>{title}</h1>{names}<time>2024-05-01</time><article>{paragraphs}</article><ul><li><i>C</i> Szép.</ul>"


class TestedPortal:
    """A portal file with its tests.yaml, and a WARC file with pages."""

    __test__ = False

    def __init__(self, curator: Callable[..., Any], folder: Path) -> None:
        self.curator, self.folder, self.tests = curator, folder, folder / "tests.yaml"
        self.warc = folder / "pages.warc.gz"
        self.rules = folder / "portal.yaml"
        self.rules.write_text(RULES, encoding="utf-8")
        self.store({"/cikk/1": article(), "/cikk/12": article(5), "/": "<a href=/cikk/1>1</a><a href=/cikk/2>2</a>"})

    def store(self, pages: dict[str, str]) -> None:
        write_warc(self.warc, {HOME + path: html for path, html in pages.items()})

    def test(self, text: str | None = None, *flags: str) -> Any:
        if text is not None:
            self.tests.write_text(text, encoding="utf-8", newline="")
        return self.curator("test", self.rules, "--warc", self.warc, *flags)

    def accept(self, text: str, *flags: str, url: str = URL) -> str:
        """What the file says then."""
        ended = self.test(text, "--accept", url, *flags)
        assert ended.code == 0, ended.err
        return self.tests.read_bytes().decode()


@pytest.fixture
def portal(curator: Callable[..., Any], tmp_path: Path) -> TestedPortal:
    return TestedPortal(curator, tmp_path)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("", ["1:1: - url"]),
        (f"url: {URL}\n", ["1:1: - url"]),
        (f"- url: {URL}\n", ["1:3: `expect` is missing"]),
        ("- {url: pelda, expect: {posts: 1}}\n", ["1:9: web address"]),
        (f"- {{url: '{URL}', expect: {{paragraf: 1}}}}\n", ["1:50: `paragraphs`"]),
        (f"- url: {URL}\n  expect:\n    metadata: {{autor: A}}\n    posts: -1\n", ["3:16: `author`", "4:12: -1"]),
        (f"- url: {URL}\n  as: archive\n  expect:\n    paragraphs: 3\n", ["4:5: an article"]),
        (f"- {{url: '{URL}', expect: {{articles: 3}}}}\n", ["1:50: an archive"]),
        (f"- {{url: '{URL}', expect: {{posts: 0}}}}\n- {{url: '{URL}', expect: {{posts: 1}}}}\n", ["2:3: line 1"]),
        (f"- {{url: '{URL}', expect: {{outcome: nice}}}}\n", ["1:59: nice"]),
    ],
)
def test_every_mistake_is_told_where_it_stands(portal: TestedPortal, text: str, places: list[str]) -> None:
    ended = portal.test(text)
    told = (ended.out + ended.err).replace(f"{portal.tests}:", "").splitlines()
    assert ended.code == 2
    for line, expected in zip(told, places, strict=False):
        place, noun = expected.split(": ", 1)
        assert line.startswith(f"{place}: ") and noun in line, told


def test_a_file_that_is_not_there_is_said_to_be_unreadable(portal: TestedPortal) -> None:
    ended = portal.test()
    assert (ended.code, str(portal.tests) in ended.err) == (2, True)


def test_all_fields_that_an_article_can_have_may_be_expected(portal: TestedPortal, schema: dict[str, Any]) -> None:
    fields = schema["definitions"]["metadata"]["properties"]
    told = "".join(f"- url: {URL}{number}\n  expect: {{metadata: {{{name}: x}}}}\n" for number, name in enumerate(fields))
    assert portal.test(told).code == 1


@pytest.mark.parametrize("outcome", ["article", "paywall", "empty", "unreadable", "not-article"])
def test_each_outcome_may_be_expected(portal: TestedPortal, outcome: str) -> None:
    assert portal.test(f"- url: {URL}\n  expect: {{outcome: {outcome}}}\n").code == (outcome != "article")


# --- what a program writes ---

WRITTEN = f"""\
# Ours.

- url: "{URL}"     # the first one
  expect:
    metadata: {{headline: Híd, author: [A, B]}}   # as printed
    # counted by hand
    paragraphs: 3
    contains:
      - "A város új hidat kap"

# The archive.
- url: {HOME}/
  as: archive
  expect: {{articles: 1}}
"""


def said(text: str) -> list[dict[str, Any]]:
    return list(yaml.load(text, yaml.BaseLoader))


def comments(text: str) -> list[str]:
    return [line[line.index("#") :] for line in text.splitlines() if "#" in line]


def test_only_the_entry_that_was_accepted_changes(portal: TestedPortal) -> None:
    changed = portal.accept(WRITTEN)
    assert comments(changed) == comments(WRITTEN)
    assert changed[changed.index("# The archive") :] == WRITTEN[WRITTEN.index("# The archive") :]
    assert f'- url: "{URL}"     # the first one\n' in changed
    assert said(changed)[0]["expect"]["paragraphs"] == "4"
    assert portal.accept(changed) == changed, "nothing new, nothing changed"
    assert portal.accept(changed.replace("\n", "\r\n")) == changed.replace("\n", "\r\n")


def test_a_file_begins_with_a_word_on_what_it_is_and_a_date_is_a_text(portal: TestedPortal) -> None:
    portal.tests.unlink(missing_ok=True)
    assert portal.test(None, "--accept", URL).code == 0
    assert portal.tests.read_text("utf-8").startswith("# What must come out")
    assert 'datePublished: "2024-05-01"' in portal.tests.read_text("utf-8")
    assert portal.accept("# Nothing yet.").startswith(f'# Nothing yet.\n- url: "{URL}"\n')


@pytest.mark.parametrize(
    "text",
    [
        f"  - url: {URL}\n    expect:\n      posts: 2   # one\n",
        f"-\n  url: {URL}\n  expect:\n    posts: 2\n",
        f"- {{url: '{URL}', expect: {{posts: 2}}}}\n",
        f"---\n- expect: {{posts: 2}}\n  url: {URL}\n",
        f"-   url: {URL}\n    expect:\n# here\n      posts: 2\n- url: {URL}2\n  expect: {{posts: 1}}\n",
        f"- url: {URL}\n  expect:\n    contains: |-\n      A város\n    posts: 2\n- url: {URL}3\n  expect: {{contains: '# x'}}\n",
        f"[{{url: '{URL}', expect: {{posts: 3}}}}, {{url: '{URL}2', expect: {{posts: 1}}}}]\n",
    ],
)
def test_however_an_entry_is_laid_out(portal: TestedPortal, text: str) -> None:
    changed = portal.accept(text)
    assert said(changed)[0]["expect"]["posts"] == "1"
    assert said(changed)[1:] == said(text)[1:]
    assert comments(changed) == comments(text)


@pytest.mark.parametrize(
    "text",
    [
        f"- url: {URL}2\n  expect: &same {{posts: 3}}\n- url: {URL}\n  expect: *same\n",
        f"- url: {URL}\n  expect: {{paragraf: 1}}\n",
    ],
)
def test_what_a_program_cannot_change_without_harm_is_left_to_a_person(portal: TestedPortal, text: str) -> None:
    assert portal.test(text, "--accept", URL).code == 2
    assert portal.tests.read_text("utf-8") == text


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text("ab:#-[]{}>|*&!%@`'\" ,?=~\\é", min_size=1, max_size=12), min_size=1, max_size=3), st.text("#'\":-{ \\a", min_size=1)
)
def test_any_text_is_read_as_it_was_written(portal: TestedPortal, authors: list[str], title: str) -> None:
    portal.store(
        {
            "/": "<a href=/cikk/1>1</a><a href=/cikk/2>2</a>",
            "/cikk/1": article(4, *(text.replace("&", "&amp;").replace("<", "&lt;") for text in (title, *authors))),
        }
    )
    for text in ("# x\n", WRITTEN.replace("articles: 1", "articles: 2")):
        written = portal.accept(text)
        assert portal.test().code == 0, written
        assert portal.accept(written) == written
