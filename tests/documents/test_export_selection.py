"""Which articles are exported: filters combine, are the same for every format, and say what they left out; samples are drawn."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from case_files import cases
from published import Publish, PublishedPortal, article, post, published
from scripted_portal import Crawler, listing

ARTICLES = [
    article(1, "One two three.", title="The bridge", date="2024-05-01T23:30:00+02:00", author=["Ada", "Bob"], articleSection="Sport"),
    article(2, "One.", title="A school", date="2024-05-03", author="Eve", articleSection="Külföld", language="de-AT"),
    article(3, "One two.", title="A post", date="2023", type="BlogPosting", keywords=["money", "Town  Hall"], layout="old"),
    article(4, "Only the beginning.", title="Wall", author="Ada", isAccessibleForFree="false"),
    article(5, "One two three four.", title="Undated", date=None, type="LiveBlogPosting", language="hu", isAccessibleForFree="true"),
]


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> PublishedPortal:
    return published(tmp_path_factory.mktemp("selection"), *ARTICLES)


def numbers(content: str) -> list[int]:
    known = {page.id: number for number, page in enumerate(ARTICLES, start=1)}
    return [known[json.loads(line)["id"]] for line in content.splitlines()]


@cases("flags, expected", "documents/cases/what-is-chosen")
def test_what_is_chosen(portal: PublishedPortal, export: Any, flags: str, expected: list[int]) -> None:
    given = [flag.replace("%20", " ") for flag in flags.split()]
    assert numbers(export(portal, "jsonl", "x.jsonl", *given, code=0 if expected else 1).text) == expected


@pytest.mark.parametrize(
    ("flags", "paths"),
    [
        (("--where", "column=news"), {"/c/1", "/c/2"}),
        (("--where", "column~^blogs"), {"/c/2", "/c/3", "/c/4"}),
        (("--where", "column=blogs » /b"), {"/c/3", "/c/4"}),
    ],
)
def test_columns_of_the_archive_and_their_sections_choose_too(crawler: Crawler, flags: tuple[str, str], paths: set[str]) -> None:
    site = crawler.portal
    crawler.rules = "archive: {item: li.t, pages: none}\ncolumns:\n  news: {url: HOME/n}\n  blogs: {url: HOME/, sections: a.s}\n"
    site.script |= {"/n": listing(1, 2), "/": "<a class=s href=/a>A</a><a class=s href=/b>B</a>", "/a": listing(2), "/b": listing(3, 4)}
    assert crawler.crawl() == 0
    assert crawler.run("build", "--jobs", 1).code == 0
    lines = crawler.run("export", "--to", "jsonl", *flags).out.splitlines()
    assert {json.loads(line)["url"].removeprefix(site.home) for line in lines} == paths


@cases("flags, said", "documents/cases/what-cannot-be-is-a-sentence-and-nothing-is-written-or-analysed")
def test_what_cannot_be_is_a_sentence_and_nothing_is_written_or_analysed(
    portal: PublishedPortal, curator: Any, tmp_path: Path, flags: str, said: str
) -> None:
    ended = curator("export", portal.file, "-o", tmp_path / "x.jsonl", *([] if "--to " in flags else ["--to", "jsonl"]), *flags.split())
    assert (ended.code, said in " ".join(ended.err.split())) == (2, True), ended.err
    assert list(tmp_path.iterdir()) == []
    assert not (portal.corpus / "analysis.sqlite").exists()


def test_a_regex_that_never_ends_is_stopped(publish: Publish, export: Any) -> None:
    made = export(publish(article(1, "Text.", title="a" * 40 + "!")), "jsonl", "x.jsonl", "--where", "headline~^(a|aa)+$", code=2)
    assert "needed more than" in made.said
    assert not made.path.exists()


@pytest.mark.parametrize(
    ("flags", "near"),
    [
        ("--where section=Sprot", "'Sport'"),
        ("--where section=Kulfold", "'Külföld'"),
        ("--where author=Ev", "'Eve'"),
        ("--where author=BÖB", "'Bob'"),
    ],
)
def test_a_value_that_no_article_has_is_told_with_what_is_near(portal: PublishedPortal, export: Any, flags: str, near: str) -> None:
    said = export(portal, "jsonl", "x.jsonl", *flags.split(), code=1).said
    assert f"{flags}: no article has it" in said
    assert near in said
    assert "Next: `curator export" in said


def test_case_does_not_count_in_any_language_and_accents_do(publish: Publish, export: Any) -> None:
    names = {"SÖYLEŞİ": "Söyleşi", "IŞIL  ÖĞÜT": "Işıl Öğüt", "STRASSE": "Straße"}
    portal = publish(*(article(number, "Text.", articleSection=name) for number, name in enumerate(names.values())))
    for typed, name in names.items():
        (line,) = export(portal, "jsonl", "x.jsonl", "--where", f"section={typed}").text.splitlines()
        assert json.loads(line)["metadata"]["articleSection"][0]["value"] == name
    export(portal, "jsonl", "x.jsonl", "--where", "section=Isil Ogut", code=1)


def test_what_was_left_out_is_told_by_filter_with_what_else_there_is(portal: PublishedPortal, export: Any) -> None:
    said = export(portal, "jsonl", "x", "--where", "type!=BlogPosting", "--where", "author=Ada").said
    assert "1 of 5 built articles exported as jsonl" in said
    assert "Left out: 1 by --outcome, 3 by --where author=Ada" in said, said
    assert "--outcome article,paywall" in said


def test_articles_that_are_stored_and_not_built_or_built_by_other_rules_are_told(publish: Publish, export: Any) -> None:
    portal = publish(article(1, "Text."))
    assert "not built" not in export(portal, "jsonl", "x").said
    portal.take_in(article(2, "Text."))
    assert "1 article is stored and not built yet: `curator build" in export(portal, "jsonl", "x").said
    portal.more["publisher"] = {"name": "Another"}
    assert "1 article is not built by the rules" in export(portal, "jsonl", "x").said


def test_several_portals_are_one_export_each_article_once(library: Any, export: Any) -> None:
    made = export(library.files, "jsonl", "x.jsonl", "--dedup", "exact")
    ids = [json.loads(line)["id"] for line in made.text.splitlines()]
    assert len(ids) == len(set(ids)) == 8
    manifest = json.loads((made.path.parent / "x.jsonl.manifest.json").read_text("utf-8"))
    assert [portal["name"] for portal in manifest["portals"]] == ["pelda", "masik"]


TEXT = "The council met on Tuesday and talked for hours about the bridge, the school and the money that both of them need to be built."


def test_of_articles_with_the_same_text_one_is_kept_among_those_that_are_chosen(publish: Publish, export: Any) -> None:
    pages = [article(n, TEXT, title="Same", date=f"2024-05-0{n}", articleSection=name) for n, name in ((1, "a"), (2, "b"), (3, "b"))]
    made = export(publish(*pages), "jsonl", "x.jsonl", "--dedup", "exact", "--where", "section=b")
    assert [json.loads(line)["id"] for line in made.text.splitlines()] == [pages[1].id]
    assert "1 by --dedup exact" in made.said


@pytest.mark.parametrize(("filters", "kept"), [((), {2, 4}), (("--until", "2024-05-03"), {2}), (("--from", "2024-05-03"), {3, 4})])
def test_of_nearly_the_same_articles_the_first_that_is_chosen_is_kept(
    publish: Publish, export: Any, filters: tuple[str, ...], kept: set[int]
) -> None:
    text = " ".join(f"The council met in room {number} and talked of the bridge." for number in range(30))
    days = {1: "2024-05-02", 2: "2024-05-01", 3: "2024-05-03", 4: "2024-05-04"}
    pages = {n: article(n, "Of something else." if n == 4 else f"{text} Part {n}.", date=day) for n, day in days.items()}
    made = export(publish(*pages.values()), "jsonl", "x.jsonl", "--dedup", "near", *filters)
    assert {json.loads(line)["id"] for line in made.text.splitlines()} == {pages[n].id for n in kept}


DRAWN_FROM = [
    article(number, f"Text {number}.", date=f"{2020 + number % 3}-01-01", articleSection="a" if number % 5 else "b", posts=(post("x"),))
    for number in range(60)
]


@pytest.fixture(scope="module")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> PublishedPortal:
    return published(tmp_path_factory.mktemp("sixty"), *DRAWN_FROM)


def drawn(export: Any, portal: PublishedPortal, *flags: object) -> list[str]:
    return [json.loads(line)["id"] for line in export(portal, "jsonl", "x.jsonl", *flags).text.splitlines()]


def test_the_same_seed_draws_the_same_in_whatever_order_the_articles_were_built(
    sixty: PublishedPortal, export: Any, tmp_path: Path
) -> None:
    other = published(tmp_path / "other", *DRAWN_FROM[::-1])
    flags = ("--sample", 12, "--by", "year,section", "--seed", 3)
    assert drawn(export, sixty, *flags) == drawn(export, other, *flags)
    assert drawn(export, sixty, *flags) != drawn(export, sixty, *flags[:-1], 4)
    assert len(drawn(export, sixty, *flags)) == 12


def test_a_larger_sample_of_one_stratum_holds_the_smaller_one(sixty: PublishedPortal, export: Any) -> None:
    assert set(drawn(export, sixty, "--sample", 5)) < set(drawn(export, sixty, "--sample", 20))


SHARES = [
    (("--sample", 10, "--by", "section"), {"a": 8, "b": 2}),
    (("--sample", 10, "--by", "section", "--equal"), {"a": 5, "b": 5}),
    (("--sample", 30, "--by", "section", "--equal"), {"a": 18, "b": 12}),
    (("--sample", 9, "--by", "section"), {"a": 7, "b": 2}),
]


@pytest.mark.parametrize(("flags", "expected"), SHARES)
def test_each_stratum_gives_its_share_or_as_many_as_any_other(
    sixty: PublishedPortal, export: Any, flags: tuple[object, ...], expected: dict[str, int]
) -> None:
    section: dict[str, str] = {page.id: "a" if number % 5 else "b" for number, page in enumerate(DRAWN_FROM)}
    assert Counter(section[id] for id in drawn(export, sixty, *flags)) == expected


def test_a_stratum_that_is_too_small_and_a_sample_that_is_too_large_are_told(sixty: PublishedPortal, export: Any) -> None:
    said = export(sixty, "jsonl", "x", "--sample", 2, "--by", "section").said
    assert "Drawn: a 2 of 48, b 0 of 12" in said
    assert "1 stratum is too small" in said
    assert "--sample 99: there are no more than 60" in export(sixty, "jsonl", "x", "--sample", 99).said


def test_of_a_sample_only_the_drawn_articles_are_analysed_unless_all_are_asked_for(publish: Publish, export: Any) -> None:
    portal = publish(*(article(number, TEXT, title="Same", date=f"2024-05-0{number}") for number in range(1, 6)))
    fields = ("--fields", "id,language_identified,duplicates")
    first, second = csv.DictReader(export(portal, "csv", "x.csv", "--sample", 2, *fields).text.splitlines())
    assert (first["language_identified"], first["duplicates"], second["duplicates"]) == ("en", first["id"], first["id"])
    assert not (portal.corpus / "analysis.sqlite").exists()
    (only,) = csv.DictReader(export(portal, "csv", "x.csv", "--sample", 1, *fields).text.splitlines())
    assert only["duplicates"] == "", "there is no other in the sample"
    (only,) = csv.DictReader(export(portal, "csv", "x.csv", "--sample", 1, "--analyse", *fields).text.splitlines())
    assert only["duplicates"] == article(1).id, "the first of the corpus"


@pytest.mark.parametrize("to", ["csv", "jsonl", "vertical"])
def test_a_language_means_the_same_in_every_format(publish: Publish, export: Any, to: str) -> None:
    german = "Der Rat der Stadt zählt die Brücken einmal im Jahr, meist am 3. Mai, und findet beinahe jedes Mal eine mehr als vorher."
    portal = publish(article(1, german, language="en"), article(2, "Text.", language="de-AT"))
    content = export(portal, to, "x", "--where", "language_code=de").text
    assert (article(1).id in content, article(2).id in content) == (False, True)
