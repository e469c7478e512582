from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RULES = """
portal: pelda
home: https://pelda.example/
archive: {url: "https://pelda.example/lista/{page}", item: li, fields: {headline: a}}
metadata: {headline: h1}
"""
ARCHIVE = "https://pelda.example/lista/1"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "portal.yaml"
    path.write_text(RULES, encoding="utf-8")
    return path


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text("<h1>Cím</h1><li><a href=/cikk/1>Egy</a>", encoding="utf-8")
    return path


def test_one_json_object_a_page(curator: Callable[..., Any], rules: Path, page: Path) -> None:
    ended = curator("try", rules, ARCHIVE, "https://pelda.example/cikk/1", "--html", page, "--json")
    archive, article = map(json.loads, ended.out.splitlines())
    assert ended.code == 0
    assert archive["articles"] == [{"url": "https://pelda.example/cikk/1", "headline": "Egy"}]
    assert article["metadata"]["headline"][0]["value"] == "Cím"


def test_a_list_of_pages_comes_from_stdin(curator: Callable[..., Any], rules: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{ARCHIVE}\n\n  https://pelda.example/lista/2\n"))
    ended = curator("try", rules, "-", "--html", page, "--json")
    assert [json.loads(line)["next"] for line in ended.out.splitlines()] == [
        "https://pelda.example/lista/2",
        "https://pelda.example/lista/3",
    ]


def test_people_get_words(curator: Callable[..., Any], rules: Path, page: Path) -> None:
    ended = curator("try", rules, ARCHIVE, "--html", page)
    assert "headline: Egy" in ended.out
    assert "1 article; next page: https://pelda.example/lista/2" in ended.out
    assert f"Next: `curator crawl {rules} --limit 20`" in ended.err


def test_a_list_without_a_url_is_a_mistake(curator: Callable[..., Any], rules: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    ended = curator("try", rules, "-", "--html", page)
    assert (ended.code, ended.out) == (2, "")
    assert "no URL on stdin" in ended.err


def test_people_see_the_text_and_what_became_of_the_rest(curator: Callable[..., Any], rules: Path, tmp_path: Path) -> None:
    rules.write_text(f"{RULES}body: {{root: main, tags: {{decompose: [div.ajanlo]}}}}\n", encoding="utf-8")
    saved = tmp_path / "article.html"
    saved.write_text(
        "<h1>Cím</h1><main><p>Első bekezdés.</p><div class=ajanlo>Olvasson még</div><div class=uj>Mi ez itt</div></main>", encoding="utf-8"
    )
    ended = curator("try", rules, "https://pelda.example/cikk/1", "--html", saved)
    assert "paragraph  Első bekezdés." in ended.out
    left_out = ended.out.partition("Left out:")[2]
    assert "2  words" in left_out and "div.ajanlo" in left_out and "Olvasson még" in left_out
    undecided = ended.out.partition("Undecided")[2]
    assert "div.uj" in undecided and "3  words" in undecided


def test_an_address_that_a_column_almost_has_is_told_before_it_is_taken_for_an_article(
    curator: Callable[..., Any], rules: Path, page: Path
) -> None:
    ended = curator("try", rules, "http://www.pelda.example/lista/1", "--html", page, "--json")
    assert json.loads(ended.out)["kind"] == "article"
    assert (
        "http://www.pelda.example/lista/1 is taken for an article, but almost fits the column archive:"
        " https://, not http://, without www. (https://pelda.example/lista/{page})"
    ) in ended.err
    assert f"`curator try {rules} http://www.pelda.example/lista/1 --html {page} --column archive`" in ended.err


@pytest.mark.parametrize("flags", [("--as", "article"), ("--as", "archive")])
def test_a_person_who_says_what_the_page_is_needs_no_such_hint(
    curator: Callable[..., Any], rules: Path, page: Path, flags: tuple[str, ...]
) -> None:
    assert "almost fits" not in curator("try", rules, "http://pelda.example/lista/1", "--html", page, *flags).err


def test_of_columns_with_one_template_only_the_one_that_is_meant_almost_fits(curator: Callable[..., Any], rules: Path, page: Path) -> None:
    rules.write_text(RULES.replace("lista/{page}", "{column}/{page}/") + "columns: [belfold, kulfold]\n", encoding="utf-8")
    told = curator("try", rules, "https://pelda.example/kulfold/2", "--html", page).err
    assert "the column kulfold: with / at the end" in told
    assert "belfold" not in told


def test_a_page_that_cannot_be_read_is_told_by_the_exit_code(curator: Callable[..., Any], rules: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.html").touch()
    ended = curator("try", rules, ARCHIVE, "--html", tmp_path / "empty.html", "--json")
    assert ended.code == 1
    assert json.loads(ended.out)["outcome"] == "unreadable"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--html", "nincs.html"), "no such file"),
        (("--warc", "nincs.warc.gz"), "no such file"),
        ((), "no corpus of pelda at /"),
        (("--html", "x", "--fetch"), "exclude each other"),
        (("--fetch",), "contact"),
        (("--as", "foo"), "'foo' is no kind of page; write archive (a page that lists articles) or article"),
        (("--column", "nincs", "--html", __file__), "no column"),
        (("--column", "archive", "--as", "article", "--html", __file__), "archive pages"),
    ],
)
def test_mistakes_of_the_command_line_are_explained(
    curator: Callable[..., Any], rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = curator("try", rules, ARCHIVE, *arguments)
    assert ended.code == 2
    assert message in ended.err


# --- with marks ---


def test_a_page_is_written_with_marks(curator: Callable[..., Any], rules: Path, page: Path, tmp_path: Path) -> None:
    file = tmp_path / "marked.html"
    ended = curator("try", rules, "https://pelda.example/cikk/1", "--html", page, "--highlight", "-o", file)
    assert ended.code == 0
    assert "words  kept: text of the article" in ended.out
    assert f"open {file} in a browser" in ended.err
    assert "curator-mark" in file.read_text(encoding="utf-8")


def test_what_is_told_of_the_marks_can_be_read_by_programs(
    curator: Callable[..., Any], rules: Path, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = curator("try", rules, "https://pelda.example/cikk/1", "--html", page, "--highlight", "--json")
    told = json.loads(ended.out)
    assert told["file"] == "highlight.html"
    assert set(told["words"]) == {"kept", "post", "undecided", "said", "dropped", "general", "outside"}


@pytest.mark.parametrize("more", [("-o", "x.html"), ("--highlight", "--as", "archive"), ("--highlight", "https://pelda.example/cikk/2")])
def test_marks_are_for_one_article(curator: Callable[..., Any], rules: Path, page: Path, more: tuple[str, ...]) -> None:
    ended = curator("try", rules, "https://pelda.example/cikk/1", "--html", page, *more)
    assert ended.code == 2
    assert "--highlight" in ended.err


def test_a_file_that_cannot_be_written_is_told(curator: Callable[..., Any], rules: Path, page: Path, tmp_path: Path) -> None:
    ended = curator("try", rules, "https://pelda.example/cikk/1", "--html", page, "--highlight", "-o", tmp_path / "no" / "x.html")
    assert ended.code == 2
    assert "cannot be written" in ended.err


def test_marks_are_not_written_over_a_portal_file(curator: Callable[..., Any], rules: Path, page: Path) -> None:
    ended = curator("try", rules, "https://pelda.example/cikk/1", "--html", page, "--highlight", "-o", rules)
    assert ended.code == 2
    assert "may be a portal file, which would be lost" in ended.err
    assert rules.read_text(encoding="utf-8") == RULES


def test_marks_do_not_go_to_stdout(curator: Callable[..., Any], rules: Path, page: Path) -> None:
    ended = curator("try", rules, "https://pelda.example/cikk/1", "--html", page, "--highlight", "-o", "-")
    assert ended.code == 2
    assert "name its file" in ended.err


def test_a_page_that_is_not_stored_is_no_success(curator: Callable[..., Any], rules: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.html"
    empty.touch()
    ended = curator("try", rules, "https://pelda.example/cikk/1", "--html", empty, "--highlight", "-o", tmp_path / "x.html")
    assert ended.code == 1
    assert "the page is empty" in ended.out


@pytest.mark.parametrize(
    ("columns", "rules_of"), [("{hirek: {}}", None), ("{hirek: {}, sport: {url: 'https://pelda.example/sport/{page}', item: li}}", "hirek")]
)
def test_whose_rules_read_an_address_that_no_column_makes_is_said(
    curator: Callable[..., Any], tmp_path: Path, page: Path, columns: str, rules_of: str | None
) -> None:
    file = tmp_path / "portal.yaml"
    hirek = "{url: 'https://pelda.example/hirek/{page}', item: li}"
    file.write_text(f"portal: pelda\nhome: https://pelda.example/\ncolumns: {columns.replace('{}', hirek, 1)}\n", encoding="utf-8")
    ended = curator("try", file, "https://pelda.example/hirek/?p=2", "--html", page, "--as", "archive")
    assert ended.code == 0
    assert (f"read by the rules of {rules_of!r}; `--column NAME` takes those of another one" in ended.out) is (rules_of is not None)
    named = curator("try", file, "https://pelda.example/hirek/?p=2", "--html", page, "--column", "hirek")
    assert "No column makes this address" not in named.out
