"""What a linguist was promised of annotations in exports: each format shows them in its own way, over the text as it is."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from published import Publish, PublishedPortal, article, post
from tei_documents import COMPACT, TEI_ALL
from vertical_checker import read_registry, read_vertical

TAGGER = """
import sys
NAMES = {"Ada": "B-PER", "Lovelace": "I-PER"}
number = 0
for line in sys.stdin:
    columns = line.rstrip("\\n").split("\\t")
    if len(columns) < 10:
        number = 0
        sys.stdout.write(line)
        continue
    form, misc = columns[1], columns[9]
    if form == "gap":
        continue
    words = {"zum": ["zu", "dem"]}.get(form, [form])
    if len(words) > 1:
        print(f"{number + 1}-{number + 2}\\t{form}" + "\\t_" * 7 + f"\\t{misc}")
    for word in words:
        number += 1
        upos = "NOUN" if word[0].isalnum() else "PUNCT"
        head = ["1", "dep"] if number > 1 else ["0", "root"]
        label = f"NER={NAMES[word]}" if word in NAMES else "_"
        print("\\t".join([str(number), word, word.lower(), upos, "_", "Case=Nom|Number=Sing", *head, "_", label]))
"""
PAGE = article(
    1,
    "Er geht zum Haus.",
    "<p>A <b>bold. New</b> sen<i>ten</i>ce by <b>my Ada</b> Lovelace.</p>",
    "There is a gap here.",
    title="Ein Haus",
    language="de",
    posts=(post("Well said!", who="Eve"),),
)


@pytest.fixture
def annotated(publish: Publish, curator: Callable[..., Any], tmp_path: Path) -> Callable[..., PublishedPortal]:
    """A portal with layers of these names by a small program."""

    def make(*pages: Any, names: tuple[str, ...] = ("toy",)) -> PublishedPortal:
        portal = publish(*pages)
        (tmp_path / "tagger.py").write_text(TAGGER, encoding="utf-8")
        for name in names:
            command = f"{sys.executable} {tmp_path}/tagger.py"
            assert curator("annotate", portal.file, "--with", command, "--name", name, "--model", "tiny").code == 0
        return portal

    return make


def rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines() if "\t" in line]


def test_conllu_has_all_columns_over_the_text_as_it_is(annotated: Any, export: Any) -> None:
    made = export(annotated(PAGE), "conllu", "a.conllu")
    assert "# annotation = toy\n# annotation_by = `" in made.text
    assert "tiny" in made.text
    _, _, third, fourth, *_ = made.text.split("\n\n")
    assert rows(third)[0] == ["1", "A", "a", "NOUN", "_", "Case=Nom|Number=Sing", "0", "root", "_", "_"]
    assert rows(fourth)[-2][-1] == "SpaceAfter=No|NER=I-PER"
    second = made.text.split("\n\n")[1]
    assert "# text = Er geht zum Haus." in second
    assert [row[:3] for row in rows(second)] == [
        *(["1", "Er", "er"], ["2", "geht", "geht"], ["3-4", "zum", "_"], ["3", "zu", "zu"], ["4", "dem", "dem"]),
        *(["5", "Haus", "haus"], ["6", ".", "."]),
    ]
    (unsaid,) = [row for row in rows(made.text) if row[1] == "gap"]
    assert unsaid == ["4", "gap", *"________"], "what the program left out stands in the text"
    assert re.search(r"\n5\there\there\tNOUN\t_\tCase=Nom\|Number=Sing\t1\t", made.text), "and words are counted with it"
    assert "tokens only" in export(PublishedPortal(made.path.parent / "portals"), "conllu", "b.conllu", "--layer", "none").text


@pytest.mark.parametrize("level", [1, 2])
def test_the_validator_of_universal_dependencies_finds_nothing(annotated: Any, export: Any, level: int) -> None:
    validator = pytest.importorskip("udtools.validator", reason="CoNLL-U is checked by udtools (pip install udtools)")
    from udtools.incident import IncidentType

    whole = article(1, "Er geht zum Haus. A <b>bold</b> one!", "egy<br>két", title="Ein Haus", language="de")
    path = export(annotated(whole), "conllu", "a.conllu").path
    state = validator.Validator(lang="de", level=level, output=None).validate_files([str(path)])
    assert [str(one) for one in state.error_tracker if one.get_type() is IncidentType.ERROR] == []


def test_vertical_has_a_column_each_and_a_line_for_what_is_one_word_in_the_text(annotated: Any, export: Any) -> None:
    portal = annotated(PAGE)
    made = export(portal, "vertical", "a.vert")
    registry = read_registry(made.path.with_name("a.registry").read_text("utf-8"))
    assert list(registry.attributes) == ["word", "lc", "lemma", "upos", "feats", "head", "deprel", "entity"], "xpos has no value"
    assert read_vertical(made.content, registry)
    nothing = "===NONE==="
    assert rows(made.text)[2:7] == [
        ["Er", "er", "NOUN", "Case=Nom|Number=Sing", "0", "root", nothing],
        ["geht", "geht", "NOUN", "Case=Nom|Number=Sing", "1", "dep", nothing],
        ["zum", "zu|dem", "NOUN|NOUN", "Case=Nom|Number=Sing|Case=Nom|Number=Sing", "1", "dep|dep", nothing],
        ["Haus", "haus", "NOUN", "Case=Nom|Number=Sing", "1", "dep", nothing],
        [".", ".", "PUNCT", "Case=Nom|Number=Sing", "1", "dep", nothing],
    ]
    assert ["gap", *[nothing] * 6] in rows(made.text)
    assert "\t" not in export(portal, "vertical", "b.vert", "--layer", "none").text


def test_the_workbench_is_told_of_the_columns(annotated: Any, export: Any) -> None:
    made = export(annotated(PAGE), "cwb", "a.vrt")
    script = made.path.with_name("a.cwb.sh").read_text("utf-8")
    assert re.findall(r"-P (\S+)", script) == ["lemma", "upos", "feats/", "head", "deprel", "entity"]
    assert rows(made.text)[2] == ["Er", "er", "NOUN", "|Case=Nom|Number=Sing|", "0", "root", "__UNDEF__"]
    assert ["gap", *["__UNDEF__"] * 2, "|", *["__UNDEF__"] * 3] in rows(made.text)


def test_tei_has_sentences_words_and_names_in_the_structure_of_the_document(annotated: Any, export: Any) -> None:
    portal = annotated(PAGE)
    made = export(portal, "teicorpus", "tei/", "--with", "comments")
    (path,) = [one for one in made.path.rglob("*.xml") if one.name != "corpus.xml"]
    document = etree.parse(path)
    for schema in (COMPACT, TEI_ALL):
        etree.RelaxNG(etree.parse(schema)).assertValid(document)
    text = document.find(".//{*}text")
    before = export(portal, "teicorpus", "plain/", "--with", "comments", "--layer", "none").path / path.relative_to(made.path)
    assert "".join(text.itertext()) == "".join(etree.parse(before).find(".//{*}text").itertext())
    w, s = '<w lemma="{}" pos="NOUN" msd="Case=Nom|Number=Sing">{}</w>'.format, "<s>{}</s>".format
    written = re.sub(r'<pc [^>]*>(.)</pc>| xml:id="[^"]*\.b\d+"', lambda match: match[1] or "", path.read_text("utf-8"))
    both = "".join(f'<w norm="{one}" lemma="{one}" pos="NOUN" msd="Case=Nom|Number=Sing"/>' for one in ("zu", "dem"))
    first = f"{w('er', 'Er')} {w('geht', 'geht')} <w>zum{both}</w> {w('haus', 'Haus')}."
    assert f"<p>{s(first)}</p>" in written
    assert (
        f'<s part="I">{w("a", "A")} </s><hi rend="bold"><s part="F">{w("bold", "bold")}.</s> <s part="I">{w("new", "New")}</s></hi>'
        in written
    )
    assert w("sentence", 'sen<hi rend="italic">ten</hi>ce') in written
    name = f"{PAGE.id}.name"
    ada = f'<hi rend="bold">{w("my", "my")} <name type="PER" xml:id="{name}-1">{w("ada", "Ada")}</name></hi>'
    assert f'{ada}<name type="PER" xml:id="{name}-2" prev="#{name}-1"> {w("lovelace", "Lovelace")}</name>.' in written
    assert f'<head type="main">{s(w("ein", "Ein") + " " + w("haus", "Haus"))}</head>' in written
    (application,) = document.iterfind(".//{*}application[@ident='toy']")
    assert "tagger.py" in application.findtext("{*}desc")


def test_tables_have_tokens_where_somebody_asks_for_them(annotated: Any, export: Any) -> None:
    portal = annotated(PAGE)
    assert "tokens" not in json.loads(export(portal, "jsonl", "a.jsonl").text)
    tokens = json.loads(export(portal, "jsonl", "a.jsonl", "--tokens").text)["tokens"]
    assert json.loads(export(portal, "jsonl", "b.jsonl", "--tokens", "--fields", "genre").text) == {"tokens": tokens}
    said = {"part": "body", "type": "p", "sentence": 1, "upos": "NOUN", "feats": "Case=Nom|Number=Sing", "deprel": "dep", "head": 1}
    word = {"passage": 2, "number": 4, "form": "dem", "multiword": "zum", "space": True, "lemma": "dem", **said}
    assert tokens[5] == word
    with closing(sqlite3.connect(export(portal, "sqlite", "a.sqlite", "--tokens").path)) as db:
        db.row_factory = sqlite3.Row
        stored = [dict(row) for row in db.execute("SELECT * FROM tokens ORDER BY article, passage, sentence, number")]
        assert {name: value for name, value in stored[5].items() if value is not None} == {"article": 1, **word}
        assert len(stored) == len(tokens)
        counted = db.execute("SELECT * FROM lemmas WHERE lemma = 'haus'").fetchall()
        assert [tuple(row) for row in counted] == [(2024, "haus", "NOUN", 2)]
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet is read by pyarrow (pip install pyarrow)")
    (packed,) = parquet.read_table(export(portal, "parquet", "a.parquet", "--tokens").path).column("tokens").to_pylist()
    assert {name: value for name, value in packed[5].items() if value is not None} == word


def test_the_manifest_names_the_layer_that_was_taken_by_itself(annotated: Any, export: Any) -> None:
    made = export(annotated(PAGE), "conllu", "a.conllu")
    manifest = json.loads(made.path.with_name("a.conllu.manifest.json").read_text("utf-8"))
    assert (manifest["options"]["layer"], manifest["command"].endswith(" --layer toy")) == ("toy", True)


def test_tokens_without_a_layer_are_those_that_the_program_cuts(publish: Publish, export: Any) -> None:
    tokens = json.loads(export(publish(article(1, "One.", title=None)), "jsonl", "a.jsonl", "--tokens").text)["tokens"]
    assert [(token["form"], token["space"]) for token in tokens] == [("One", False), (".", False)]
    assert "lemma" not in tokens[0]


def test_what_was_changed_since_is_not_annotated_and_that_is_told(annotated: Any, export: Any) -> None:
    portal = annotated(PAGE)
    portal.take_in(article(1, "Er geht zum Haus.", "Another text.", title="Ein Haus", language="de", captured="2024-07-01T00:00:00Z"))
    portal.build()
    made = export(portal, "conllu", "a.conllu")
    assert "2 passages annotated; 1 passage is not annotated" in made.said
    assert ["1", "Another", *"________"] in rows(made.text)
    assert made.text.count("# annotation = tokens only") == 1


@pytest.mark.parametrize("to", ["conllu", "vertical", "cwb", "teicorpus", "jsonl"])
def test_names_that_are_replaced_are_not_told_by_lemmas(annotated: Any, export: Any, tmp_path: Path, to: str) -> None:
    thread = article(
        1,
        title="Welcome, Kovács",
        type="DiscussionForumPosting",
        posts=(post("Kovács asks.", "forum", id="1", who="Kovács", title="Of Kovács"), post("Well asked.", "forum", id="2", who="Bob99")),
    )
    portal = annotated(thread)
    flags = ["--tokens"] if to == "jsonl" else []
    (key := tmp_path / "own.key").write_bytes(b"0123456789abcdef\n")
    assert "kovács" in export(portal, to, "open.txt", *flags).text.lower()
    made = export(portal, to, "closed.txt", "--pseudonymise", "who", "--key", key, *flags)
    assert "kovács" not in made.text.lower()
    assert "asked" in made.text
    assert re.search('lemma="asked"|"lemma":"asked"|asked\tasked', made.text), "what names nobody keeps its lemmas"


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("--to vertical", "several layers of annotations: one, two. Name one with --layer"),
        ("--to vertical --layer tow", "Did you mean two? There are: one, two, none."),
        ("--to csv --layer one", "--layer one means nothing to --to csv."),
        ("--to jsonl --layer one", "--layer one means nothing to --to jsonl without --tokens."),
        ("--to csv --tokens", "--tokens means nothing to --to csv"),
        ("--to jsonl --flat --tokens --layer one", "--tokens has no place in flat lines"),
    ],
)
def test_a_layer_that_cannot_be_shown_is_a_sentence(annotated: Any, curator: Any, tmp_path: Path, flags: str, said: str) -> None:
    portal = annotated(article(1, "Text."), names=("one", "two"))
    ended = curator("export", portal.file, "-o", tmp_path / "x", *flags.split())
    assert (ended.code, said in " ".join(ended.err.split())) == (2, True), ended.err
    assert not (tmp_path / "x").exists()


PARTED = article(
    1,
    '<div class="x-lead"><p>Lead.</p></div>',
    "Body.",
    "<blockquote><p>Quote.</p></blockquote>",
    "<ul><li>Item.</li></ul>",
    "<table><tr><td>Cell.</td><td>Another.</td></tr></table>",
    '<div class="x-box"><p>Box.</p><blockquote><p>Boxed quote.</p></blockquote></div>',
    '<figure><img src="https://pelda.example/a.jpg"><figcaption>Caption.</figcaption></figure>',
    title="Title.",
    posts=(post("Entry.", "liveblog", id="7", title="Of entry."), post("Comment.")),
)
PARTS = {
    "headline": ["Title."],
    "lead": ["Lead."],
    "body": ["Body."],
    "quote": ["Quote."],
    "list": ["Item."],
    "table": ["Cell.", "Another."],
    "box": ["Box.", "Boxed quote."],
    "caption": ["Caption."],
    "entry": ["Of entry.", "Entry."],
    "comment": ["Comment."],
}


def test_the_parts_of_a_text_are_told_apart_in_every_format_of_tokens(publish: Publish, export: Any) -> None:
    portal = publish(PARTED, article(2, posts=(post("Post.", "forum", id="1"),), title=None, type="DiscussionForumPosting"))
    told = {name: [text.replace(".", " .") for text in texts] for name, texts in {**PARTS, "post": ["Post."]}.items()}
    for to in ("vertical", "cwb"):
        content = export(portal, to, "a.vert", "--parts", "all").text
        passages = re.findall(r'<(?:p|head) [^>]*part="(\w+)">(.*?)</(?:p|head)>', content, re.DOTALL)
        assert _by_part((part, " ".join(re.findall("(?m)^[^<\n]+", inside))) for part, inside in passages) == told
    pairs = re.findall(r"# par_part = (\w+)\n(?:#.*\n)*?# text = (.*)\n", export(portal, "conllu", "a.conllu", "--parts", "all").text)
    assert _by_part((part, text.replace(".", " .")) for part, text in pairs) == told
    tokens = [
        json.loads(line)["tokens"]
        for line in export(portal, "jsonl", "a.jsonl", "--tokens", "--with", "comments,boxes,captions").text.splitlines()
    ]
    assert {token["part"] for each in tokens for token in each} == set(told)


def _by_part(pairs: Any) -> dict[str, list[str]]:
    told: dict[str, list[str]] = {}
    for part, text in pairs:
        told.setdefault(part, []).append(text)
    return told


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("", "headline lead body quote list table entry"),
        ("--parts headline,body,comments", "headline body comment"),
        ("--parts body --with boxes,quotes", "body quote box"),
        ("--parts all --without posts,lists --no-headline", "lead body quote table box caption comment"),
        ("--without quotes,lead", "headline body list table entry"),
    ],
)
def test_parts_choose_what_is_shown_of_an_article(publish: Publish, export: Any, flags: str, expected: str) -> None:
    made = export(publish(PARTED), "text", "a.txt", *flags.split())
    shown = {line for name in expected.split() for line in PARTS[name]}
    both_parts = {"Boxed quote."} if "quote" not in expected.split() else set()
    assert set(re.split("[\t\n]", made.text)) - {""} == shown - both_parts


def test_tei_holds_the_parts_that_are_chosen_and_always_headline_and_body(publish: Publish, export: Any) -> None:
    made = export(publish(PARTED), "teicorpus", "a.xml", "--parts", "quotes")
    text = "".join(etree.fromstring(made.content).find(".//{*}text").itertext())
    assert {name for name, texts in PARTS.items() if texts[0] in text} == {"headline", "body", "quote"}
    assert (
        "means nothing to --to html"
        in export(PublishedPortal(made.path.parent / "portals"), "html", "a.html", "--parts", "body", code=2).said
    )
