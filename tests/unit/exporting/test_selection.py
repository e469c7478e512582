"""Filters combine, are the same for every format, and say what they left out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import orjson
import pytest
from built_corpora import article, built_corpus, post

from webarticlecurator import corpus_export, export
from webarticlecurator.config.load import load_portal
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.conditions import folded
from webarticlecurator.model.article import Article
from webarticlecurator.model.outcome import PageOutcome

ARTICLES = [
    article(
        1,
        "One two three.",
        title="The bridge",
        date="2024-05-01T23:30:00+02:00",
        metadata={"author": ["Ada", "Bob"], "articleSection": "Sport"},
    ),
    article(
        2,
        "One.",
        title="A school",
        date="2024-05-03",
        metadata={"author": "Eve", "articleSection": "Külföld", "isAccessibleForFree": "false"},
        language="de-AT",
        layout="old",
    ),
    article(3, "One two.", title="A post", date="2023", type="BlogPosting", metadata={"keywords": ["money", "Town  Hall"]}, language=None),
    article(4, "Only the beginning.", title="Wall", outcome=PageOutcome.PAYWALL, metadata={"author": "Ada"}),
    article(5, "One two three four.", title="Undated", date=None, type="LiveBlogPosting", language="hu"),
]


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_corpus(tmp_path_factory.mktemp("selection"), ARTICLES, columns={"news": [1, 2], "blog": [3]})


def chosen(portal: Path, tmp_path: Path, **options: object) -> list[int]:
    export(portal, output=tmp_path / "x.jsonl", **options)
    numbers = {one.id: number for number, one in enumerate(ARTICLES, start=1)}
    return [numbers[orjson.loads(line)["id"]] for line in (tmp_path / "x.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [5, 3, 1, 2]),
        ({"from_": "2024-05-01"}, [1, 2]),
        ({"from_": date(2024, 5, 2)}, [2]),
        ({"from_": "2023-06-01"}, [3, 1, 2]),  # 2023 may be after that
        ({"until": "2024-05-01"}, [3, 1]),
        ({"section": "sport"}, [1]),
        ({"section": ["SPORT", "Külföld"]}, [1, 2]),
        ({"author": "bob"}, [1]),
        ({"author": ["Eve"], "section": "Sport"}, []),
        ({"keyword": "town hall"}, [3]),
        ({"language": "de"}, [2]),
        ({"language": "en,hu"}, [5, 1]),
        ({"kind": "blog"}, [3]),
        ({"kind": "news"}, [5, 1, 2]),
        ({"kind": "LiveBlogPosting"}, [5]),
        ({"words": "2..3"}, [3, 1]),
        ({"words": "..1"}, [2]),
        ({"outcome": "paywall"}, [4]),
        ({"outcome": ["article", "paywall"], "author": "Ada"}, [4, 1]),
        ({"layout": "old"}, [2]),
        ({"column": "news"}, [1, 2]),
        ({"column": ["blog"], "until": "2023-12-31"}, [3]),
        ({"where": "headline~(?i)BRIDGE"}, [1]),
        ({"where": "headline!~^A"}, [5, 1]),
        ({"where": "author=ada"}, [1]),
        ({"where": "author!=ada"}, [5, 3, 2]),
        ({"where": "author="}, [5, 3]),
        ({"where": "author!="}, [1, 2]),
        ({"where": ["author!=", "section=Külföld"]}, [2]),
        ({"where": "words>2"}, [5, 1]),
        ({"where": "datePublished>=2024"}, [1, 2]),
        ({"where": "date<2024-05-03"}, [3, 1]),
        ({"where": "column=blog"}, [3]),
        ({"where": "isAccessibleForFree=no"}, [2]),
        ({"where": "isAccessibleForFree=false"}, [2]),
    ],
)
def test_what_is_chosen(portal: Path, tmp_path: Path, options: dict[str, object], expected: list[int]) -> None:
    assert chosen(portal, tmp_path, **options) == expected


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"words": "many"}, "100..500"),
        ({"words": "5..2"}, "at least 5 and at most 2"),
        ({"where": "words==500"}, "there is no sign =="),
        ({"where": "words=>500"}, "there is no sign =>"),
        ({"sample": 2, "by": "yaer"}, "Did you mean year?"),
        ({"from_": "2024-13-01"}, "write it as 2024-05-01"),
        ({"from_": "2024-05-02", "until": "2024-05-01"}, "no article can be of both"),
        ({"where": "headline"}, "FIELD=VALUE"),
        ({"where": "hedline=x"}, "headline"),
        ({"where": "headline~("}, "not a valid pattern"),
        ({"where": "words>many"}, "neither"),
        ({"outcome": "listing"}, "article and paywall"),
        ({"dedup": "nera"}, "Did you mean near?"),
        ({"with_": "coments"}, "Did you mean comments?"),
        ({"by": "year"}, "--sample N"),
        ({"to": "jsnl"}, "Did you mean jsonl?"),
        ({"bom": True}, "--bom means nothing to --to jsonl"),
        ({"per_article": True}, "one file"),
        ({"headline": False}, "--no-headline means nothing"),
        ({"tokenizer": "spacy"}, "--tokenizer means nothing"),
        ({"to": "rdf", "fields": "id"}, "--fields means nothing"),
        ({"to": "text", "fields": "id"}, "in one file"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_nothing_is_written(portal: Path, tmp_path: Path, options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("(", "\\(").replace(".", "\\.")):
        export(portal, output=tmp_path / "x.jsonl", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_regex_that_never_ends_is_stopped(tmp_path: Path, curator) -> None:
    file = built_corpus(tmp_path, [article(1, "Text.", title="a" * 40 + "!")])
    ended = curator("export", file, "--to", "jsonl", "--where", "headline~^(a|aa)+$", "-o", tmp_path / "x.jsonl")
    assert ended.code == 2
    assert "needed more than" in ended.err
    assert not (tmp_path / "x.jsonl").exists()


def test_a_value_that_no_article_has_is_told_with_what_is_near(portal: Path, tmp_path: Path, curator) -> None:
    flags = ("--section", "Sprot", "--section", "Kulfold", "--author", "Adam", "--column", "nesw", "--layout", "odl")
    one = curator("export", portal, "--to", "jsonl", "-o", tmp_path / "x", "--section", "Sprot", "--section", "Kulfold")
    assert one.code == 1  # an export of nothing
    assert "--section Sprot: no article has it; near to it: 'Sport'" in one.err
    assert "--section Kulfold: no article has it; near to it: 'Külföld'" in one.err
    two = curator("export", portal, "--to", "jsonl", "-o", tmp_path / "x", *flags)
    assert "--column nesw: no article has it; near to it: 'news'" in two.err
    assert "--layout odl: no article has it; near to it: 'old'" in two.err
    assert "Next: `curator export" in two.err


@pytest.mark.parametrize("typed", ["Kovács", "kovacs", "Kov", "Bernadett"])
def test_a_part_of_a_name_is_told_with_the_whole_names(tmp_path: Path, curator, typed: str) -> None:
    file = built_corpus(
        tmp_path,
        [article(1, "Text.", metadata={"author": "Kovács-Szentgyörgyi Bernadett"}), article(2, "Text.", metadata={"author": "Kiss Éva"})],
    )
    ended = curator("export", file, "--to", "jsonl", "-o", tmp_path / "x", "--author", typed)
    assert f"--author {typed}: no article has it; near to it: 'Kovács-Szentgyörgyi Bernadett'\n" in ended.err


@pytest.mark.parametrize("analyse", [(), ("--analyse",)])
def test_a_language_that_no_article_has_is_told_with_those_that_there_are(portal: Path, tmp_path: Path, curator, analyse) -> None:
    ended = curator("export", portal, "--to", "jsonl", "-o", tmp_path / "x", "--language", "Hungarian", "--language", "de", *analyse)
    assert "--language Hungarian: no article has it; there are: de-AT, en, hu" in ended.err
    assert "--language de:" not in ended.err


def test_a_sample_of_more_than_there_is_is_told(portal: Path, tmp_path: Path, curator) -> None:
    assert "--sample 9: there are no more than 4 to draw from" in curator("export", portal, "--to", "jsonl", "--sample", "9").err


def test_a_wrong_condition_is_told_before_anything_is_analysed_or_written(portal: Path, curator) -> None:
    ended = curator("export", portal, "--to", "csv", "--sample", "2", "--by", "yaer")
    assert (ended.code, ended.out) == (2, "")
    assert "analysing" not in curator("export", portal, "--to", "csv", "--outcome", "listing").err


def test_a_file_without_a_format_is_no_list_of_formats(portal: Path, tmp_path: Path, curator) -> None:
    assert curator("export", portal, "-o", tmp_path / "x.csv").code == 2


def test_a_value_that_other_filters_leave_out_is_not_called_unknown(portal: Path, tmp_path: Path, curator) -> None:
    ended = curator("export", portal, "--to", "jsonl", "-o", tmp_path / "x", "--author", "Eve", "--until", "2024-05-01")
    assert "--author Eve: none of the articles that other filters leave has it" in ended.err


def test_what_gave_no_document_is_told(tmp_path: Path, curator) -> None:
    portal = built_corpus(tmp_path, [article(1, "Text."), article(2, "More.")])
    with closing(sqlite3.connect(tmp_path / "corpora" / "pelda" / "build.sqlite")) as db, db:
        db.execute("UPDATE articles SET outcome = 'unreadable', path = NULL WHERE key = 2")
        db.execute("DELETE FROM contents WHERE id NOT IN (SELECT id FROM articles WHERE key = 1)")
    ended = curator("export", portal, "--to", "jsonl", "-o", tmp_path / "x.jsonl")
    assert "1 of 1 built article exported" in ended.err
    assert "Stored, but no documents: 1 unreadable" in ended.err
    counts = orjson.loads((tmp_path / "x.jsonl.manifest.json").read_bytes())["counts"]
    assert counts["without_document"] == {"unreadable": 1}


def test_strata_of_several_fields_are_those_of_their_values(tmp_path: Path) -> None:
    def of(number: int, author: str | None, section: str) -> Article:
        return article(number, "Text.", metadata={"author": author or [], "articleSection": section})

    portal = built_corpus(tmp_path, [of(1, "a, b", "c"), of(2, "a", "b, c"), of(3, "(none)", "c"), of(4, None, "c")])
    strata = export(portal, output=tmp_path / "x.jsonl", sample=4, by=["author", "section"]).counts.strata
    assert sorted((one.name, one.drawn) for one in strata) == [("(none), c", 1), ("(none), c", 1), ("a, b, c", 1), ("a, b, c", 1)]


def test_what_was_left_out_is_told_by_filter_with_what_else_there_is(portal: Path, tmp_path: Path, curator) -> None:
    ended = curator("export", portal, "--to", "jsonl", "-o", tmp_path / "x", "--kind", "news", "--author", "Ada")
    assert "1 of 5 built articles exported as jsonl" in ended.err
    assert "Left out: 1 by --outcome, 1 by --kind, 2 by --author" in ended.err
    assert "1 of the articles left out is behind a wall; `--outcome article,paywall` adds what can be seen of them" in ended.err


def test_articles_that_are_stored_and_not_built_are_told(tmp_path: Path, curator) -> None:
    import sqlite3

    file = built_corpus(tmp_path, [article(1, "Text."), article(2, "Text.")])
    with sqlite3.connect(tmp_path / "corpora/pelda/build.sqlite") as db:
        db.execute("DELETE FROM articles WHERE key = 2")
    assert "1 article is stored and not built yet: `curator build" in curator("export", file, "--to", "jsonl").err


def test_articles_that_are_built_by_other_rules_are_told(tmp_path: Path, curator) -> None:
    import sqlite3

    file = built_corpus(tmp_path, [article(1, "Text."), article(2, "Text.")])
    assert "2 articles are not built by the rules" in curator("export", file, "--to", "jsonl").err
    rules = corpus_export._rules(load_portal(file))
    with sqlite3.connect(tmp_path / "corpora/pelda/build.sqlite") as db:
        db.execute("UPDATE articles SET rules = ?", (rules,))
    assert "not built by" not in curator("export", file, "--to", "jsonl").err


def test_of_several_portals_each_is_to_be_built(tmp_path: Path, curator) -> None:
    portals = [built_corpus(tmp_path, [article(1, "Text.", portal=name)], portal=name) for name in ("pelda", "masik")]
    assert "`curator build PORTAL --compare`" in curator("export", *portals, "--to", "jsonl").err


def test_several_portals_are_one_export(tmp_path: Path, curator) -> None:
    one = built_corpus(tmp_path, [article(1, "Text.")])
    two = built_corpus(tmp_path, [article(1, "Text.", portal="masik")], portal="masik")
    ended = curator("export", one, two, "--to", "jsonl")
    assert [orjson.loads(line)["id"].split("-")[0] for line in ended.out.splitlines()] == ["pelda", "masik"]
    curator("export", one, two, "--to", "jsonl", "-o", tmp_path / "x.jsonl", "--section", "x")
    assert [portal["name"] for portal in orjson.loads((tmp_path / "x.jsonl.manifest.json").read_bytes())["portals"]] == ["pelda", "masik"]


def test_of_articles_with_the_same_text_one_is_kept_among_those_that_are_chosen(tmp_path: Path, curator) -> None:
    text = "The council met on Tuesday and talked for hours about the bridge, the school and the money that both of them need to be built."
    articles = [
        article(number, text, title="Same", date=f"2024-05-0{number}", metadata={"articleSection": name})
        for number, name in ((1, "a"), (2, "b"), (3, "b"))
    ]
    file = built_corpus(tmp_path, articles)
    ended = curator("export", file, "--to", "jsonl", "--dedup", "exact", "--section", "b")
    assert [orjson.loads(line)["id"] for line in ended.out.splitlines()] == [articles[1].id]
    assert "1 by --dedup exact" in ended.err


@pytest.mark.parametrize(("filters", "kept"), [((), [2, 4]), (("--until", "2024-05-03"), [2]), (("--from", "2024-05-03"), [3, 4])])
def test_of_nearly_the_same_articles_the_first_that_is_chosen_is_kept(
    filters: tuple[str, ...], kept: list[int], tmp_path: Path, curator
) -> None:
    text = " ".join(f"The council met in room {number} and talked of the bridge." for number in range(30))
    days = {1: "2024-05-02", 2: "2024-05-01", 3: "2024-05-03", 4: "2024-05-04"}
    articles = [article(n, "Of something else." if n == 4 else f"{text} Part {n}.", date=day) for n, day in days.items()]
    ended = curator("export", built_corpus(tmp_path, articles), "--to", "jsonl", "--dedup", "near", *filters)
    assert {orjson.loads(line)["id"] for line in ended.out.splitlines()} == {articles[n - 1].id for n in kept}


def test_fields_of_a_line_can_be_chosen(tmp_path: Path, curator) -> None:
    file = built_corpus(tmp_path, [article(1, "Text.", metadata={"author": "Ada"}, posts=(post("x"),))])
    assert orjson.loads(curator("export", file, "--to", "jsonl", "--fields", "id,text,author").out) == {
        "id": article(1).id,
        "text": "Text.",
        "metadata": {"author": [{"value": "Ada", "raw": "Ada", "source": "css"}]},
    }
    assert "Did you mean text?" in curator("export", file, "--to", "jsonl", "--fields", "txet").err


def test_where_nothing_is_built_no_filter_is_blamed(tmp_path: Path, curator) -> None:
    ended = curator("export", built_corpus(tmp_path, []), "--to", "jsonl")
    assert ended.code == 1
    assert "Next: `curator status" in ended.err
    assert "filters" not in ended.err


@pytest.mark.parametrize(("typed", "told"), [("SÖYLEŞİ", "Söyleşi"), ("IŞIL  ÖĞÜT", "Işıl Öğüt"), ("STRASSE", "Straße")])
def test_case_does_not_count_in_any_language(typed: str, told: str) -> None:
    assert folded(typed) == folded(told)
    assert folded("Öğüt") != folded("Ogut"), "accents do"
