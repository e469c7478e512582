"""Archive rules and merging, as a person who only read about them writes portal files: whole pages of made-up portals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from case_files import cases
from written_portal import HOME, WrittenPortal

# --- whole portals ---

MADE_UP = sorted((Path(__file__).parent / "made_up").glob("*.yaml"))


@pytest.mark.parametrize("file", MADE_UP, ids=lambda file: file.stem)
def test_the_archive_page_of_a_made_up_portal(written: WrittenPortal, file: Path) -> None:
    made = yaml.safe_load(file.read_text("utf-8"))
    line = written.archive(made["rules"], made["page"].encode(made.get("encoding", "utf-8")), made["at"], files=made.get("files"))
    assert line["articles"] == made["articles"]
    assert line["next"] == (made["next"] and (made["next"] if "://" in made["next"] else HOME + made["next"]))


# --- the next page in counted modes ---


@cases("archive, page, at, expected", "portal_file/cases/the-next-page-of-a-counted-archive")
def test_the_next_page_of_a_counted_archive(written: WrittenPortal, archive: str, page: str, at: str, expected: str | None) -> None:
    rules = "archive:\n  link: h2 a\n  " + archive.replace("\n", "\n  ") + "\n"
    assert written.next(rules, page, at) == expected


# --- columns ---

COLUMNS = """
archive:
  url: "https://pelda.example/{column}/{page}"
  item: div.t
  link: h2 a
  fields: {headline: h2}
  urls: {drop_params: [s], exclude: [/pr/]}
columns:
  belfold: {}
  kulfold: {link: h3 a, urls: {exclude: [/cikk/2]}}
  sport: {urls: {exclude+: [/cikk/2]}, fields: {headline: null, alternativeHeadline: h2}}
  minden: {url: "https://pelda.example/belfold/{page}?minden=1", link: h3 a}
  blog: "https://blog.pelda.example/?lap={page}"
  english: {url: "https://en.pelda.example/all", pages: next-link, next: a.next, language: en,
    fields: {datePublished: {css: i, date: "d MMMM yyyy"}}}
"""
COLUMN_PAGE = """<div class=t><h2><a href="/cikk/1?s=1">Egy</a></h2><h3><a href=/cikk/9>Kilenc</a></h3><i>5 May 2020</i></div>
<div class=t><h2><a href=/cikk/2>Kettő</a></h2></div>
<div class=t><h2><a href=/pr/3>PR</a></h2></div><a class=next href=/all?page=2>next</a>"""
ONE, TWO = {"url": HOME + "/cikk/1", "headline": "Egy"}, {"url": HOME + "/cikk/2", "headline": "Kettő"}


@pytest.mark.parametrize(
    ("at", "flags", "articles", "following"),
    [
        ("/belfold/1", (), [ONE, TWO], "/belfold/2"),
        ("/kulfold/1", (), [{"url": HOME + "/cikk/9", "headline": "Egy"}], "/kulfold/2"),
        ("/sport/1", (), [{"url": HOME + "/cikk/1", "alternativeHeadline": "Egy"}], "/sport/2"),
        ("https://blog.pelda.example/?lap=1", (), [], "?"),
        ("/belfold/1?minden=1", (), [{"url": HOME + "/cikk/9", "headline": "Egy"}], "/belfold/2?minden=1"),
        ("/belfold/1", ("--column", "sport"), [{"url": HOME + "/cikk/1", "alternativeHeadline": "Egy"}], "?"),
        ("/valami/mas", ("--as", "archive"), [ONE, TWO], "?"),
        ("/valami/mas", (), None, "?"),
        ("/belfold/cikk/1", (), None, "?"),
    ],
)
def test_the_column_whose_url_fits_gives_the_rules_and_without_one_a_page_is_an_article(
    written: WrittenPortal, at: str, flags: tuple[str, ...], articles: list[Any] | None, following: str
) -> None:
    line = written.look(COLUMNS, COLUMN_PAGE, at, *flags)
    assert line["kind"] == ("article" if articles is None else "archive")
    if articles:
        assert line["articles"] == articles
    if following != "?":
        assert line["next"] == HOME + following


def test_a_column_may_have_its_own_language_and_paging(written: WrittenPortal) -> None:
    line = written.look(COLUMNS, COLUMN_PAGE, "https://en.pelda.example/all")
    assert line["articles"][0] == {"url": "https://en.pelda.example/cikk/1", "headline": "Egy", "datePublished": "2020-05-05"}
    assert line["next"] == "https://en.pelda.example/all?page=2"
