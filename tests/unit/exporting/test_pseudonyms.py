"""Names of people who post are replaced, wherever an export could tell them."""

from __future__ import annotations

import csv
import io
import stat
from pathlib import Path

import orjson
import pytest
from built_corpora import article, block, built_corpus, paragraph, post

from webarticlecurator.exporting.pseudonyms import Pseudonyms, key_file, read_key
from webarticlecurator.model.article import Fate, Inline, Piece, Post

KEY = b"0123456789abcdef"


def pseudonym(name: str, portal: str = "pelda") -> str:
    return Pseudonyms(frozenset({"who"}), KEY).of(name, portal)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "own.key"
    path.write_bytes(KEY + b"\n")
    return path


def exported(tmp_path: Path, curator, key: Path, *articles, whose: str = "who", to: str = "jsonl", flags: tuple[str, ...] = ()) -> str:
    file = built_corpus(tmp_path, articles)
    ended = curator("export", file, "--to", to, "--pseudonymise", whose, "--key", key, "--with", "comments,posts", *flags)
    assert ended.code == 0, ended.err
    assert str(key) in ended.err
    return ended.out


THREAD = article(
    1,
    title="A question",
    metadata={"author": "Kovács Anna"},
    type="DiscussionForumPosting",
    posts=(
        Post(
            kind="forum",
            id="kovacs-anna-1",
            author="Kovács Anna",
            url="https://pelda.example/u/kovacsanna",
            blocks=(paragraph("Who knows?"),),
        ),
        Post(
            kind="forum",
            id="2",
            author="Bob99",
            editor="Mod Erator",
            reply_to="kovacs-anna-1",
            title="Re: Kovács Anna",
            blocks=(
                block("quote", paragraph("Who knows?"), who="Kovács Anna", post="kovacs-anna-1"),
                paragraph("@", Inline(type="link", children=("Kovács Anna",), url="https://pelda.example/user/Kovacs-Anna"), ": I do."),
            ),
        ),
    ),
    pieces=(Piece(Fate.DROPPED, "Kovács Anna wrote at noon", "general", "div"),),
)
NAMES = ("Kovács", "Kovacs", "kovacs", "Anna", "Bob99", "Mod Erator")


@pytest.mark.parametrize("to", ["jsonl", "csv", "text", "markdown"])
def test_a_thread_tells_no_name_in_any_format(tmp_path: Path, curator, key: Path, to: str) -> None:
    out = exported(tmp_path, curator, key, THREAD, to=to)
    assert [name for name in NAMES if name in out] == []


def test_the_same_person_has_the_same_pseudonym_everywhere(tmp_path: Path, curator, key: Path) -> None:
    line = orjson.loads(exported(tmp_path, curator, key, THREAD))
    first, second = line["blocks"]
    anna = pseudonym("Kovács Anna")
    assert line["metadata"]["author"][0] == {"value": anna, "raw": anna, "source": "css"}
    assert (first["who"], second["who"], second["editor"]) == (anna, pseudonym("Bob99"), pseudonym("mod  erator"))
    assert "url" not in first
    assert second["title"] == f"Re: {anna}"
    quote, answer = second["children"]
    assert quote["who"] == anna
    assert answer["text"] == f"@{anna}: I do."
    assert "dropped" not in line


def test_bylines_stay_unless_they_are_asked_for(tmp_path: Path, curator, key: Path) -> None:
    one = article(1, "Bob wrote this.", metadata={"author": "Bob", "editor": "Eve"}, posts=(post("Bob is wrong.", author="Bob"),))
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    line = orjson.loads(exported(tmp_path / "a", curator, key, one))
    assert line["metadata"]["author"][0]["value"] == "Bob"
    assert line["text"] == "Bob wrote this."
    assert line["comments"][0]["text"] == f"{pseudonym('Bob')} is wrong."
    both = orjson.loads(exported(tmp_path / "b", curator, key, one, whose="who,author"))
    assert [found["value"] for name in ("author", "editor") for found in both["metadata"][name]] == [pseudonym("Bob"), pseudonym("Eve")]


def test_an_embedded_post_has_no_address_and_who_speaks_in_an_interview_stays(tmp_path: Path, curator, key: Path) -> None:
    social = block("social", paragraph("Look!"), url="https://x.example/annak/status/1", who="Anna K", kind="x")
    answer = block("answer", paragraph("Yes."), who="The Mayor")
    line = orjson.loads(exported(tmp_path, curator, key, article(1, social, answer)))
    assert "url" not in line["blocks"][0]
    assert [one["who"] for one in line["blocks"]] == [pseudonym("Anna K"), "The Mayor"]


def test_another_portal_or_another_key_gives_another_pseudonym() -> None:
    assert pseudonym("Ada") == pseudonym(" ADA ")
    assert len({pseudonym("Ada"), pseudonym("Ada", "masik"), Pseudonyms(frozenset({"who"}), b"f" * 16).of("Ada", "pelda")}) == 3


def test_the_key_is_made_once_beside_the_settings_where_only_the_person_reads_it(tmp_path: Path, curator, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = built_corpus(tmp_path, [article(1, "Text.", posts=(post("x", author="Bob"),))])
    first = curator("export", file, "--to", "jsonl", "--pseudonymise", "who", "--with", "comments")
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600
    assert str(key_file()) in first.err
    assert curator("export", file, "--to", "jsonl", "--pseudonymise", "who", "--with", "comments").out == first.out
    curator("export", file, "--to", "jsonl", "--pseudonymise", "who", "-o", tmp_path / "x.jsonl")
    told = (tmp_path / "x.jsonl.manifest.json").read_text()
    assert key_file().read_text().strip() not in told
    assert Pseudonyms(frozenset(), read_key(key_file())).key_mark in told


@pytest.mark.parametrize("place", ["corpora/pelda/export/a.key", "texts/a.key"])
def test_a_key_is_never_given_away_with_what_it_protects(tmp_path: Path, curator, place: str) -> None:
    file = built_corpus(tmp_path, [article(1, "Text.")])
    ended = curator("export", file, "--to", "text", "-o", f"{tmp_path}/texts/", "--pseudonymise", "who", "--key", tmp_path / place)
    assert ended.code == 2
    assert "given away" in ended.err
    assert not (tmp_path / place).exists()


def test_a_key_that_is_too_short_is_refused(tmp_path: Path, curator) -> None:
    (tmp_path / "short.key").write_text("abc")
    file = built_corpus(tmp_path, [article(1, "Text.")])
    assert "too short" in curator("export", file, "--to", "jsonl", "--pseudonymise", "who", "--key", tmp_path / "short.key").err


def test_tables_show_pseudonyms_too(tmp_path: Path, curator, key: Path) -> None:
    out = exported(tmp_path, curator, key, THREAD, to="csv", flags=("--fields", "author,text"))
    (row,) = csv.DictReader(io.StringIO(out, newline=""))
    assert row["author"] == pseudonym("Kovács Anna")


def test_somebody_is_called_in_any_case_and_a_thread_may_have_thousands_of_posters(tmp_path: Path, curator, key: Path) -> None:
    posts = tuple(post(f"@poster number {number}: no! " * 5, "forum", author=f"Poster Number {number}") for number in range(1_500))
    (line,) = exported(tmp_path, curator, key, article(1, posts=posts)).splitlines()
    shown = orjson.loads(line)["blocks"]
    assert shown[77]["text"].startswith(f"@{pseudonym('Poster Number 77')}: no! @")
    assert "number" not in line.lower()


def test_the_text_is_that_of_the_blocks(tmp_path: Path, curator, key: Path) -> None:
    one = article(1, "Bob came.", posts=(post("Bob left.", "liveblog", author="Bob"),))
    line = orjson.loads(exported(tmp_path, curator, key, one))
    assert line["text"] == f"Bob came.\n{pseudonym('Bob')} left."


@pytest.mark.parametrize(
    "written",
    ["ZEBULON QUAGMIRE", "zebulon quagmire", "Zebulon  Quagmire", "Zebulon\xa0Quagmire", "Ze\u0301bulon Quagmire", "@zébulon quagmire"],
)
def test_a_name_is_found_however_a_post_writes_it(tmp_path: Path, curator, key: Path, written: str) -> None:
    name = "Zébulon Quagmire" if "b" in written and ("\u0301" in written or "é" in written) else "Zebulon Quagmire"
    line = orjson.loads(
        exported(tmp_path, curator, key, article(1, "News.", posts=(post("Hm.", author=name), post(f"So says {written}!", author="Bob"))))
    )
    assert line["comments"][1]["text"].removeprefix("So says ").removeprefix("@") == f"{pseudonym(name)}!"


def test_a_word_that_is_also_a_name_stays_a_word(tmp_path: Path, curator, key: Path) -> None:
    line = orjson.loads(exported(tmp_path, curator, key, article(1, "News.", posts=(post("It will. Will knows, WILL!", author="Will"),))))
    assert line["comments"][0]["text"] == f"It will. {pseudonym('Will')} knows, {pseudonym('Will')}!"


def test_the_id_of_a_post_may_be_a_name_and_answers_still_lead_to_it(tmp_path: Path, curator, key: Path) -> None:
    first, second = post("One.", author="Ada", id="ixchel99-1"), post("Two.", author="Bob", id="2", reply_to="ixchel99-1")
    line = orjson.loads(exported(tmp_path, curator, key, article(1, "News.", posts=(first, second))))
    assert "ixchel" not in orjson.dumps(line).decode().lower()
    assert line["comments"][1]["reply_to"] == line["comments"][0]["id"]


def test_what_is_told_of_a_thread_names_nobody(tmp_path: Path, curator, key: Path) -> None:
    told = {"headline": "Welcome, Ada Lovelace", "keywords": "Ada Lovelace", "url": "https://pelda.example/t/ada-lovelace"}
    line = orjson.loads(
        exported(tmp_path, curator, key, article(1, metadata=told, posts=(post("Hi.", author="Ada Lovelace", kind="forum"),)))
    )
    assert "Lovelace" not in orjson.dumps(line["metadata"]).decode()
    assert line["metadata"]["headline"][0]["value"] == f"Welcome, {pseudonym('Ada Lovelace')}"
    assert line["metadata"]["url"] == []
