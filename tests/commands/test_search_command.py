"""`curator search`: where words stand in the texts of a corpus, each place with its context, and how many there are."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from published import PublishedPortal, article, post, published

from webarticlecurator import UsageError, search

FLOOD = article(
    1,
    "Az árvíz elvitte a hidat, mondta a polgármester.",
    '<div class="x-box"><p>Boxed words.</p></div>',
    "<ul><li>The ferry goes.</li></ul>",
    title="Árvíz a Dunán",
    date="2020-03-01",
    author=["Kiss Anna", "Nagy Béla"],
    posts=(post("The bridge was ugly.", who="Eve"),),
)
BRIDGE = article(
    2,
    "The old bridge is closed. A new bridge opens in May.",
    "Ships went below it.",
    title="Bridges",
    date="2021-05-02",
    author="Kiss Anna",
)
CHINESE = article(3, "北京的大桥今天开放了。", title="大桥", date="2022-01-01", language="zh")
PAGES = (FLOOD, BRIDGE, CHINESE, article(4, "An arviz of letters.", title="Letters", date="2021-07-02"))
LEMMAS = """
import sys
LEMMAS = {"went": "go", "goes": "go", "is": "be", "was": "be", "ships": "ship"}
for line in sys.stdin:
    columns = line.split("\\t")
    if len(columns) == 10:
        columns[2] = LEMMAS.get(columns[1].lower(), columns[1].lower())
        line = "\\t".join(columns)
    sys.stdout.write(line)
"""


@pytest.fixture
def portal(tmp_path: Path) -> PublishedPortal:
    return published(tmp_path, *PAGES)


@pytest.fixture
def places(curator: Callable[..., Any], portal: PublishedPortal) -> Callable[..., list[tuple[str, str]]]:
    """The address of each article that a query finds, by its last part, and what was found there."""

    def find(query: str, *flags: object) -> list[tuple[str, str]]:
        ended = curator("search", portal.file, query, "--json", *flags)
        assert ended.code == 0, ended.err
        told = json.loads(ended.out)
        assert told["total"] == len(told["hits"])
        return [(hit["url"].rpartition("/")[2], hit["hit"]) for hit in told["hits"]]

    return find


def annotate(portal: PublishedPortal, curator: Callable[..., Any], script: str = LEMMAS, *flags: str, name: str = "x") -> None:
    (portal.folder / "lemmas.py").write_text(script, encoding="utf-8")
    ended = curator("annotate", portal.file, "--with", f"{sys.executable} {portal.folder}/lemmas.py", "--name", name, *flags)
    assert ended.code == 0, ended.err


def test_a_person_sees_each_place_in_its_context_below_its_article(curator: Callable[..., Any], portal: PublishedPortal) -> None:
    ended = curator("search", portal.file, "bridge", "--context", "12")
    assert ended.out.splitlines() == [
        "2021-05-02  Bridges  https://pelda.example/2",
        "    The old   bridge   is closed. ",
        "osed. A new   bridge   opens in Ma",
    ]
    assert "2 places in 1 article\n" in ended.err


@pytest.mark.parametrize(
    ("query", "flags", "found"),
    [
        ("árvíz", (), [("1", "Árvíz"), ("1", "árvíz"), ("4", "arviz")]),
        ("ARVIZ", (), [("1", "Árvíz"), ("1", "árvíz"), ("4", "arviz")]),
        ("arviz", ("--accents",), [("4", "arviz")]),
        ("a\u0301rvi\u0301z", ("--accents",), [("1", "Árvíz"), ("1", "árvíz")]),
        ('"new bridge"', (), [("2", "new bridge")]),
        ("hid* OR ship*", (), [("1", "hidat"), ("2", "Ships")]),
        ("bridge NOT old", (), []),
        ("old AND (bridge OR ship)", (), [("2", "old"), ("2", "bridge"), ("2", "bridge")]),
        ("bridge", ("--with", "comments"), [("1", "bridge"), ("2", "bridge"), ("2", "bridge")]),
        ("words", ("--with", "captions,boxes"), [("1", "words")]),
        ("words", (), []),
        ("大桥", (), [("3", "大桥"), ("3", "大桥")]),
        ("桥今", (), [("3", "桥今")]),
        ("árvíz", ("--from", "2021-01-01"), [("4", "arviz")]),
        ("árvíz", ("--until", "2020-12-31"), [("1", "Árvíz"), ("1", "árvíz")]),
        ("árvíz", ("--where", "author=Nagy Béla"), [("1", "Árvíz"), ("1", "árvíz")]),
        ("árvíz", ("--where", "author=Nagy Béla", "--where", "year>=2021"), []),
        ("árvíz", ("--where", "headline~^Let"), [("4", "arviz")]),
        ("nowhere", (), []),
        ("bridge-is", (), [("2", "bridge is")]),
        ("(hidat, OR ship*) NOT old", (), [("1", "hidat"), ("2", "Ships")]),
        ("old-bri*", (), [("2", "old bridge")]),
        ("text:hidat", (), []),
        ("l'hidat ^", (), []),
    ],
)
def test_a_query_finds(places: Any, query: str, flags: tuple[str, ...], found: list[tuple[str, str]]) -> None:
    assert places(query, *flags) == found


def test_no_more_places_are_shown_than_are_wanted(curator: Callable[..., Any], portal: PublishedPortal) -> None:
    ended = curator("search", portal.file, "bridge", "--json", "--limit", "1")
    told = json.loads(ended.out)
    assert (len(told["hits"]), told["total"]) == (1, 2)
    assert "2 places in 1 article; the first 1 are shown, --limit N shows more" in ended.err


@pytest.mark.parametrize("query", ['"open', "(open", "open)", "AND", "a NEAR(", "*"])
def test_a_query_that_cannot_be_read_is_told_with_what_to_type(curator: Callable[..., Any], portal: PublishedPortal, query: str) -> None:
    ended = curator("search", portal.file, query)
    assert (ended.code, ended.out) == (2, "")
    assert "cannot be read" in ended.err
    suggested = ended.err.partition("second half: '")[2].rpartition("' finds")[0]
    assert curator("search", portal.file, suggested).code == 0


def test_a_query_of_too_many_words_is_told(curator: Callable[..., Any], portal: PublishedPortal) -> None:
    ended = curator("search", portal.file, " OR ".join(["bridge"] * 301))
    assert (ended.code, ended.err) == (2, "The query has 301 words; 300 are the most. Search for a part of them at a time.\n")


def columns(text: str) -> int:
    """The columns of a text of Latin and Chinese letters, an emoji and the dot below."""
    return sum(0 if letter == "\u0323" else 1 + (letter > "\u2fff") for letter in text)


@pytest.mark.parametrize("flags", [(), ("--context", "30")])
def test_what_was_found_stands_in_one_column_whatever_is_before_it(
    tmp_path: Path, curator: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...]
) -> None:
    lines = ("A plain line before the bridge " + "and behind " * 20, "开放" * 30 + " bridge " + "今天" * 30, "🙂 q\u0323q\u0323 bridge")
    portal = published(tmp_path, article(1, *lines, title="Lines"))
    monkeypatch.setenv("COLUMNS", "80")
    _, *found = curator("search", portal.file, "bridge", *flags).out.splitlines()
    assert len({columns(line.partition("  bridge  ")[0]) for line in found}) == 1
    assert len(found) == 3
    assert bool(flags) or max(map(columns, found)) <= 80


def test_a_chart_fits_the_screen(curator: Callable[..., Any], portal: PublishedPortal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    lines = curator("search", portal.file, "bridge", "--count", "year").out.splitlines()
    assert max(map(len, lines)) == 72
    assert lines[3].endswith("  " + "#" * 18)


def test_how_often_by_time_is_shown_with_bars(curator: Callable[..., Any], portal: PublishedPortal) -> None:
    ended = curator("search", portal.file, "bridge", "--count", "year")
    assert [line.split() for line in ended.out.splitlines()] == [
        ["By", "year"],
        ["year", "hits", "found", "in", "articles", "words", "per", "million", "chart"],
        ["2020", "0", "0", "1", "14", "0.0"],
        ["2021", "2", "1", "2", "21", "95,238.1", "#" * 30],
        ["2022", "0", "0", "1", "6", "0.0"],
    ]
    months = json.loads(curator("search", portal.file, "bridge", "--count", "month", "--json").out)["counts"]
    assert [(month["value"], month["hits"]) for month in months] == [("2020-03", 0), ("2021-05", 2), ("2021-07", 0), ("2022-01", 0)]


def test_how_often_by_a_field_counts_each_of_its_values(portal: PublishedPortal) -> None:
    found = search(portal.file, "a", count="author", where="year<=2021")
    assert [(row.value, row.hits, row.found_in, row.articles) for row in found.counts] == [("Kiss Anna", 4, 2, 2), ("Nagy Béla", 3, 1, 1)]
    assert sum(row.hits for row in search(portal.file, "a", count="language").counts) == found.total


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("--count", "nowhere"), "There is no column nowhere"),
        (("--with", "links"), "--with links cannot be searched"),
        (("--where", "year"), "is no condition"),
        (("--lemma",), "`curator annotate`"),
    ],
)
def test_what_cannot_be_is_told_before_an_index_is_made(
    curator: Any, portal: PublishedPortal, flags: tuple[str, ...], sentence: str
) -> None:
    ended = curator("search", portal.file, "bridge", *flags)
    assert (ended.code, sentence in ended.err) == (2, True), ended.err
    assert not (portal.corpus / "search.sqlite").exists()


def test_a_build_is_followed_article_by_article(portal: PublishedPortal, places: Any, curator: Callable[..., Any]) -> None:
    assert places("ship*") == [("2", "Ships")]
    portal.take_in(
        article(2, "A ship came.", title="Ship ahoy", date="2021-05-02", captured="2024-07-01T00:00:00Z"),
        article(5, "Another ship.", title="x", date="2025-01-01"),
    )
    portal.build()
    assert "indexed: 2 of 2 articles" in curator("search", portal.file, "ship*", "--verbose").err
    assert places("ship*") == [("2", "Ship"), ("2", "ship"), ("5", "ship")]
    assert places("bridge") == []
    assert "indexed" not in curator("search", portal.file, "ship*", "--verbose").err
    portal.more = {"articles": {"skip": {"url": ["/5$"]}}}
    portal.build()
    assert ("5", "ship") not in places("ship*")


def test_lemmas_are_found_and_shown_as_they_are_written(portal: PublishedPortal, places: Any, curator: Callable[..., Any]) -> None:
    annotate(portal, curator)
    assert places("go", "--lemma") == [("1", "goes"), ("2", "went")]
    assert places('"ship go"', "--lemma") == [("2", "Ships went")]
    assert places("be", "--lemma", "--with", "comments") == [("1", "was"), ("2", "is")]
    assert places("go") == []
    (counted,) = json.loads(curator("search", portal.file, "go", "--lemma", "--count", "type", "--json").out)["counts"]
    assert counted["hits"] == 2


def test_lemmas_follow_the_annotations(portal: PublishedPortal, places: Any, curator: Callable[..., Any]) -> None:
    annotate(portal, curator)
    assert places("go", "--lemma") == [("1", "goes"), ("2", "went")]
    portal.take_in(article(6, "She goes.", title="x"))
    portal.build()
    assert places("go", "--lemma") == [("1", "goes"), ("2", "went")]
    annotate(portal, curator)
    assert places("go", "--lemma") == [("1", "goes"), ("2", "went"), ("6", "goes")]
    annotate(portal, curator, LEMMAS.replace('"go"', '"move"'), name="y")
    assert "--layer: x, y" in curator("search", portal.file, "go", "--lemma").err
    assert places("go", "--lemma", "--layer", "y") == []
    assert len(places("move", "--lemma", "--layer", "y")) == 3
    assert len(places("go", "--lemma", "--layer", "x")) == 3
    annotate(portal, curator, LEMMAS.replace('"go"', '"walk"'), "--all")
    assert places("go", "--lemma", "--layer", "x") == []
    assert len(places("walk", "--lemma", "--layer", "x")) == 3


@pytest.mark.parametrize("damage", ["no database", "another version", "half made", "bytes that are no text"])
def test_an_index_that_cannot_be_used_is_made_again(portal: PublishedPortal, places: Any, curator: Callable[..., Any], damage: str) -> None:
    assert places("ship*") == [("2", "Ships")]
    index = portal.corpus / "search.sqlite"
    if damage == "no database":
        index.write_bytes(b"no database at all" * 1000)
    elif damage == "half made":
        content = index.read_bytes()
        index.write_bytes(content[: len(content) // 2])
    elif damage == "bytes that are no text":
        index.write_bytes(index.read_bytes().replace(b"Ships went", b"Ships \xff\xff\xff\xff"))
    else:
        with sqlite3.connect(index) as db:
            db.execute("PRAGMA user_version = 99")
        db.close()
    ended = curator("search", portal.file, "ship*")
    assert ended.code == 0, ended.err
    assert ("search.sqlite was damaged, and has been made again.\n" in ended.err) == (damage != "another version")
    assert places("ship*") == [("2", "Ships")]
    assert "damaged" not in curator("search", portal.file, "ship*").err


def test_an_index_stays_where_a_layer_is_damaged(portal: PublishedPortal, places: Any, curator: Callable[..., Any]) -> None:
    annotate(portal, curator)
    assert places("go", "--lemma") == [("1", "goes"), ("2", "went")]
    index = portal.corpus / "search.sqlite"
    (layer,) = (portal.corpus / "annotations").glob("*.sqlite")
    before = index.stat().st_ino
    layer.write_bytes(b"no database at all" * 1000)
    assert f"{layer.name} is damaged" in curator("search", portal.file, "go", "--lemma").err
    assert index.stat().st_ino == before
    assert places("ship*") == [("2", "Ships")]


KILLED = """
import os, signal, sys
from webarticlecurator import search
class Progress:
    def show(self, snapshot):
        if snapshot.articles == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
search(sys.argv[1], "ship*", progress=Progress())
"""


@pytest.mark.parametrize("at", [0, 4])
def test_a_search_that_is_killed_goes_on_the_next_time(portal: PublishedPortal, places: Any, at: int) -> None:
    ended = subprocess.run([sys.executable, "-c", KILLED, str(portal.file), str(at)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert places("ship*") == [("2", "Ships")]


def test_a_search_that_is_ended_goes_on_the_next_time(portal: PublishedPortal, places: Any) -> None:
    stop = Event()
    stop.set()
    with pytest.raises(Exception, match=r"^$") as ended:
        search(portal.file, "ship*", stop=stop)
    assert type(ended.value).__name__ == "Stopped"
    assert places("ship*") == [("2", "Ships")]


def test_a_search_from_python_gives_the_same(portal: PublishedPortal) -> None:
    found = search(portal.file, "ship*", context=5)
    assert (found.total, found.articles, found.hits[0].right, found.hits[0].date) == (1, 1, " went", "2021-05-02")
    with pytest.raises(UsageError, match="--with links"):
        search(portal.file, "ship*", with_="links")
