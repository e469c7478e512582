"""What a corpus linguist was promised: a corpus as built, for the programs they know, each file read again by that program's rules."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from published import Publish, article
from scripts import program
from vertical_checker import Structure, read_registry, read_vertical

conllu = pytest.importorskip("conllu", reason="CoNLL-U is read by conllu (pip install conllu)")
PARTS = ("--with", "posts,comments,boxes,captions")
MAIN = {"vertical": "both.vert.gz", "cwb": "both.vrt", "conllu": "both.conllu"}
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "hand-it-on.md"


def vertical(export: Any, portals: Any, *flags: object, name: str = "pelda.vert") -> list[Structure]:
    """The documents, read again with the registry file that lies beside them."""
    made = export(portals, "vertical", name, *flags)
    return read_vertical(made.content, read_registry(made.path.with_name(f"{name.partition('.')[0]}.registry").read_text("utf-8")))


def texts(export: Any, portals: Any, *flags: object) -> list[Any]:
    """Read as XML: that is how `cwb-encode -x` takes entities."""
    return list(etree.fromstring(b"<corpus>\n" + export(portals, "cwb", "pelda.vrt", *flags).content + b"</corpus>"))


def sentences(export: Any, portals: Any, *flags: object) -> list[Any]:
    return list(conllu.parse(export(portals, "conllu", "pelda.conllu", *flags).text))


def letters(text: str) -> str:
    return "".join(text.split())


HU = {"title": "A híd", "language": "hu"}
BRIDGE = article(
    1, "Megnyílt a híd. Szép!", "<h3>Hol?</h3>", author=["Kovács Anna", "Kiss | Pál"], articleSection="Belföld", keywords=["híd"], **HU
)


# --- all three ---


@pytest.mark.parametrize("to", MAIN)
def test_the_same_export_gives_the_same_bytes_and_names_its_files(library: Any, export: Any, tmp_path: Path, to: str) -> None:
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        export(library.files, to, f"{folder}/{MAIN[to]}", *PARTS)
    manifest = json.loads((tmp_path / "first" / f"{MAIN[to]}.manifest.json").read_text("utf-8"))
    names = sorted(one.name for one in (tmp_path / "first").iterdir() if not one.name.endswith("manifest.json"))
    assert sorted(one["name"] for one in manifest["files"]) == names
    for name in names:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def test_an_article_without_a_word_is_left_out_and_told(library: Any, export: Any) -> None:
    for to, name in MAIN.items():
        made = export(library.pelda, to, name)
        assert "1 article without a word" in made.said or "which are not in this file: 1." in made.said
        assert library["wordless"].id not in made.text


def test_comments_are_posts_with_their_authors_where_somebody_asks_for_them(library: Any, export: Any) -> None:
    flags = ("--with", "comments", "--where", "author=Kiss Anna", "--where", "words>=9")
    found = [one for document in vertical(export, library.pelda, *flags) for one in document.all("post")]
    workbench = [one for text in texts(export, library.pelda, *flags) for one in text.iter("post")]
    assert [one.attributes for one in found] == [dict(one.attrib) for one in workbench]
    assert [(one.attributes["who"], one.attributes["reply_to"], one.text) for one in found] == [
        ("Zed Quill", "===NONE===", "Nonsense!"),
        ("Eve", "1", "Well said!"),
    ]
    said = [one for one in sentences(export, library.pelda, *flags) if "post_who" in one.metadata]
    assert [(one.metadata["post_who"], one.metadata["text"]) for one in said] == [("Zed Quill", "Nonsense!"), ("Eve", "Well said!")]
    (without, *_) = vertical(export, library.pelda, *flags[2:])
    assert not list(without.all("post"))


def test_a_token_or_a_value_of_endless_length_is_cut_and_that_is_told(publish: Publish, export: Any) -> None:
    many = [f"{number:03}" * 100 for number in range(60)]
    portal = publish(article(1, "a" * 2_500, title='á"' * 5_000, keywords=many))
    (document,) = vertical(export, portal)
    (sentence,) = next(iter(document.all("p"))).children
    assert [len(one) for one in sentence.words] == [1_000, 1_000, 500]
    assert letters(sentence.text) == "a" * 2_500
    assert document.attributes["title"].endswith("…")
    assert set(document.attributes["keywords"].split("|")) <= set(many), "whole ones"
    made = export(portal, "vertical", "b.vert")
    assert "keywords (1), title (1)" in made.said
    (text,) = texts(export, portal)
    assert max(map(len, export(portal, "cwb", "pelda.vrt").content.split(b"\n"))) < 65_536
    assert set(str(text.get("keywords"))[1:-1].split("|")) <= set(many)


def test_a_passage_is_cut_by_the_rules_of_its_own_language(publish: Publish, export: Any) -> None:
    portal = publish(article(1, "Ez kb. öt.", '<p lang="de">Am 3. Mai.</p>', title=None, language="hu"))
    (document,) = vertical(export, portal)
    assert [(one.attributes["language"], len(one.children)) for one in document.all("p")] == [("hu", 1), ("de", 1)]
    assert [one.metadata.get("lang") for one in sentences(export, portal)] == [None, "de"]


def test_where_nobody_declares_a_language_the_identified_one_counts(publish: Publish, export: Any) -> None:
    text = "Der Rat der Stadt zählt die Brücken einmal im Jahr, meist am 3. Mai, und findet beinahe jedes Mal eine mehr als vorher."
    (document,) = vertical(export, publish(article(1, text, title=None, language=None), language="en"))
    assert document.attributes["language_identified"] == "de"


# --- vertical ---


def test_a_line_of_the_vertical_file_holds_a_token_and_tags_stand_between(publish: Publish, export: Any) -> None:
    assert export(publish(BRIDGE), "vertical", "pelda.vert").text.split("\n")[1:] == [
        *('<head type="title" level="1" language="hu" part="headline">', "<s>", "A", "híd", "</s>", "</head>"),
        *(
            '<p type="p" language="hu" part="body">',
            "<s>",
            "Megnyílt",
            "a",
            "híd",
            "<g/>",
            ".",
            "</s>",
            "<s>",
            "Szép",
            "<g/>",
            "!",
            "</s>",
            "</p>",
        ),
        *('<head type="head" level="3" language="hu" part="body">', "<s>", "Hol", "<g/>", "?", "</s>", "</head>"),
        *("</doc>", ""),
    ]


def test_a_document_tells_what_is_known_of_the_article_and_what_is_missing_is_none_in_one_way_only(
    library: Any, publish: Publish, export: Any
) -> None:
    (document,) = vertical(export, publish(BRIDGE))
    expected = {
        "id": BRIDGE.id,
        "portal": "pelda",
        "date": "2024-05-01",
        "datetime": "2024-05-01T10:00:00+02:00",
        "year": "2024",
        "month": "05",
        "yearmonth": "2024-05",
        "author": "Kovács Anna|Kiss , Pál",
        "section": "Belföld",
        "keywords": "híd",
        "type": "NewsArticle",
        "url": BRIDGE.url,
        "title": "A híd",
        "language": "hu",
        "near_duplicates": "===NONE===",
    }
    assert {name: document.attributes[name] for name in expected} == expected
    undated = next(one for one in vertical(export, library.pelda) if one.attributes["id"] == library["undated"].id)
    missing = {"date", "datetime", "year", "month", "yearmonth", "title", "section", "keywords", "duplicates"}
    assert {name for name, value in undated.attributes.items() if value == "===NONE==="} >= missing


@pytest.mark.parametrize(("date", "yearmonth"), [("2024", "===NONE==="), ("2024-05", "2024-05"), ("2024-05-01", "2024-05")])
def test_a_date_is_as_exact_as_it_is_known(publish: Publish, export: Any, date: str, yearmonth: str) -> None:
    (document,) = vertical(export, publish(article(1, "Text.", date=date)))
    assert (document.attributes["date"], document.attributes["yearmonth"]) == (date, yearmonth)


def test_lists_tables_captions_and_posts_are_structures_of_a_type(library: Any, export: Any) -> None:
    documents = {one.attributes["id"]: one for one in vertical(export, library.files, *PARTS)}
    bridge, live, copy = (documents[library[name].id] for name in ("bridge", "live", "copy"))
    kinds = [one.attributes["type"] for one in bridge.all("p", "head")]
    assert kinds == ["title", "p", "li", "li", "li", "head", "head", "cell", "cell", "p", "p", "caption", "quote", "p", "p", "p"]
    (post,) = live.all("post")
    assert (post.attributes["kind"], post.attributes["who"], [one.text for one in post.all("head", "p")]) == (
        "liveblog",
        "Ada",
        ["First", "At ten."],
    )
    assert copy.attributes["portal"] == "masik"


def test_code_is_code_and_a_quote_is_one_in_every_format_that_tells_kinds(publish: Publish, export: Any) -> None:
    portal = publish(article(1, "Text.", "<pre>a = 1</pre>", "<blockquote><p>Said.</p><ul><li>one</li></ul></blockquote>", title=None))
    kinds = ["p", "code", "quote", "li"]
    (document,) = vertical(export, portal)
    assert [one.attributes["type"] for one in document.all("p")] == kinds
    assert [one.metadata["par_type"] for one in sentences(export, portal) if "par_type" in one.metadata] == kinds
    folder = export(portal, "txm", "out/").path
    tree = etree.parse(folder / f"{article(1).id}.xml")
    assert [(one.tag, one.get("rend")) for one in tree.find(".//body")] == [("p", None), ("p", "code"), ("p", "quote"), ("item", None)]


@pytest.mark.parametrize(
    ("language", "name"),
    [("hu", "Hungarian"), ("en", "English"), ("de-AT", "German"), ("zh-Hant", "Chinese Traditional"), ("tlh", "Klingon")],
)
def test_the_registry_file_names_language_and_place(publish: Publish, export: Any, language: str, name: str | None) -> None:
    export(publish(article(1, "Text.", language=language), language=language), "vertical", "hírek-2024.vert.gz")
    made = export(publish(), "vertical", "hírek-2024.vert.gz")
    registry = read_registry(made.path.with_name("hírek-2024.registry").read_text("utf-8"))
    assert registry.values.get("LANGUAGE") == name
    assert registry.values["VERTICAL"] == "| zcat '/corpora/h_rek_2024/vertical/hírek-2024.vert.gz'"
    assert registry.values["PATH"] == "/corpora/h_rek_2024/indexed"


def test_the_docs_name_what_is_in_a_doc_with_its_attributes(publish: Publish, export: Any) -> None:
    made = export(publish(BRIDGE), "vertical", "pelda.vert")
    registry = read_registry(made.path.with_name("pelda.registry").read_text("utf-8"))
    rows = {
        row[0].strip(" `"): row[1].strip(" `").split()
        for row in re.findall(r"^\|([^|]*)\|([^|]*)\|", PAGE.read_text("utf-8"), re.MULTILINE)
    }
    inside = {name: set(structure.attributes) for name, structure in registry.structures.items() if name != "doc"}
    assert {name: set(rows[name]) for name in inside} == inside


# --- Corpus Workbench ---


def test_the_root_is_a_text_whose_id_is_letters_digits_and_lines_and_nothing_is_glued(publish: Publish, export: Any) -> None:
    names = ["pelda-hu", "pelda.at", "pelda", "444"]
    portals = [publish(article(1, "A híd, itt.", title=None, portal=name, language="hu"), name=name).file for name in names]
    found = texts(export, portals)
    assert [one.tag for one in found[0].iter()] == ["text", "p", "s"]
    assert (found[0][0][0].text or "").split("\n") == ["", "A", "híd", ",", "itt", ".", ""]
    ids = [str(one.get("id")) for one in found]
    assert all(re.fullmatch("[A-Za-z0-9_]{1,255}", one) for one in ids)
    assert len({one.lower() for one in ids}) == len(names)
    assert [str(one.get("original_id")).rpartition("-")[0] for one in found] == names
    assert [one.get("id") for one in texts(export, portals[:1])] == ids[:1], "whatever stands beside it"


def test_the_script_declares_exactly_what_the_file_holds(library: Any, export: Any) -> None:
    found = texts(export, library.pelda, *PARTS)
    script = export(library.pelda, "cwb", "pelda.vrt", *PARTS).path.with_name("pelda.cwb.sh").read_text("utf-8")
    declared = {name: attributes.split("+")[1:] for name, attributes in re.findall(r"-S (\w+):(\S+)", script)}
    assert {one.tag: list(one.attrib) for text in found for one in text.iter()} == declared
    assert [one.get("author") for one in found if one.get("original_id") == library["bridge"].id] == ["|Kiss Anna|Nagy Béla|"]


STAND_IN = """\
#!/bin/sh
# In the place of the programs of the Workbench: notes how it was called, an argument a line.
printf '%s\\n' "$(basename -- "$0")" "$@" "-" >> "$CALLS"
if [ "$(basename -- "$0")" = cwb-encode ]; then case " $* " in *" -f "*) ;; *) cat > "$CALLS.input" ;; esac; fi
"""


@pytest.mark.parametrize("stem", ["pelda", "$(touch hurt) `touch hurt` 'a\" b; touch hurt", "-rf"])
def test_the_script_runs_what_it_says_and_nothing_else(library: Any, export: Any, tmp_path: Path, stem: str) -> None:
    packed = shutil.which("zstd") is not None and stem == "pelda"
    programs = tmp_path / "bin"
    for name in ("cwb-encode", "cwb-make"):
        program(programs / name, STAND_IN)
    path = export(library.masik, "cwb", f"{stem}.vrt{'.zst' if packed else ''}").path
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "CALLS": str(tmp_path / "calls")}
    subprocess.run(["sh", str(path.with_name(f"{stem}.cwb.sh"))], check=True, env=environment, cwd="/", timeout=60)
    encode, make = (call.strip("\n").split("\n") for call in (tmp_path / "calls").read_text("utf-8").split("\n-\n")[:-1])
    assert encode[0] == "cwb-encode"
    if packed:
        assert (tmp_path / "calls.input").read_text("utf-8").startswith("<text id=")
    else:
        assert encode[encode.index("-f") + 1] == f"./{stem}.vrt"
    assert make[0] == "cwb-make"
    registry = Path(encode[encode.index("-R") + 1]).name
    assert make[-1] == registry.upper()
    assert re.fullmatch("[a-z][a-z0-9_]*", registry)
    assert not list(tmp_path.rglob("hurt"))


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("cwb-encode") is None, reason="needs the Corpus Workbench")
def test_the_workbench_makes_a_corpus_of_it_and_gives_it_back(publish: Publish, export: Any, tmp_path: Path) -> None:
    path = export(publish(article(1, "<p>A &lt;híd&gt; &amp; Duna.</p>", title=None, language="hu")), "cwb", "pelda.vrt").path
    subprocess.run(["sh", str(path.with_name("pelda.cwb.sh"))], check=True, timeout=120)
    command = ["cwb-decode", "-r", str(tmp_path / "cwb/registry"), "PELDA", "-P", "word"]
    words = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.split("\n")
    assert " ".join(filter(None, map(str.strip, words))) == "A < híd > & Duna ."


# --- CoNLL-U ---


def test_a_document_of_conllu_begins_with_what_is_known_of_it(publish: Publish, export: Any) -> None:
    name = BRIDGE.id
    assert export(publish(BRIDGE), "conllu", "pelda.conllu").text.split("\n")[:34] == [
        f"# newdoc id = {name}",
        "# annotation = tokens only",
        "# doc_portal = pelda",
        "# doc_title = A híd",
        "# doc_date = 2024-05-01T10:00:00+02:00",
        "# doc_author = Kovács Anna; Kiss | Pál",
        "# doc_section = Belföld",
        "# doc_keywords = híd",
        "# doc_url = https://pelda.example/1",
        "# doc_lang = hu",
        "# doc_type = NewsArticle",
        *(
            f"# newpar id = {name}-p1",
            "# par_type = title",
            "# par_part = headline",
            "# par_level = 1",
            f"# sent_id = {name}-p1-s1",
            "# text = A híd",
        ),
        *("1\tA" + "\t_" * 8, "2\thíd" + "\t_" * 8, ""),
        *(f"# newpar id = {name}-p2", "# par_type = p", "# par_part = body", f"# sent_id = {name}-p2-s1", "# text = Megnyílt a híd."),
        *("1\tMegnyílt" + "\t_" * 8, "2\ta" + "\t_" * 8, "3\thíd" + "\t_" * 7 + "\tSpaceAfter=No", "4\t." + "\t_" * 8, ""),
        *(f"# sent_id = {name}-p2-s2", "# text = Szép!", "1\tSzép" + "\t_" * 7 + "\tSpaceAfter=No", "2\t!" + "\t_" * 8),
    ]


def test_sentences_have_names_that_occur_once_and_paragraphs_are_never_glued(library: Any, export: Any) -> None:
    read = sentences(export, library.files, *PARTS)
    names = [one.metadata["sent_id"] for one in read]
    assert len(set(names)) == len(names) > 20
    assert not any("/" in one or " " in one for one in names)
    assert {(one[-1]["misc"] or {}).get("SpaceAfter") for one in read} == {None}
    assert {one.metadata.get("par_type") for one in read} == {None, "title", "head", "p", "li", "cell", "caption", "quote"}
    (live,) = [one for one in read if one.metadata.get("post_when") == "2023-03-01T10:00:00+01:00"]
    assert live.metadata["post_who"] == "Ada"


def test_white_space_is_one_blank_and_what_it_was_is_told(publish: Publish, export: Any) -> None:
    portal = publish(article(1, "<p>egy<br>két</p>", "<pre>egy  \t két</pre>", "<p>egy&nbsp;két</p>", title=None, language="hu"))
    read = sentences(export, portal)
    assert [one.metadata["text"] for one in read] == ["egy két"] * 3
    assert [(one[0]["misc"] or {}).get("SpacesAfter") for one in read] == [r"\n", r"\s\s\t\s", None]


@pytest.mark.parametrize("level", [1, 2])
def test_the_validator_of_universal_dependencies_finds_only_trees_missing(publish: Publish, export: Any, level: int) -> None:
    validator = pytest.importorskip("udtools.validator", reason="CoNLL-U is checked by udtools (pip install udtools)")
    from udtools.incident import IncidentType

    hard = (
        "A 3,5%-kal nőtt, kb. 18-án.",
        "„Jó!” – mondta (l. https://pelda.example/?a=1&b=2).",
        "ок. 东西。",
        "👩‍👩‍👧",
        "...",
        "Egy.Két.",
        "# newdoc",
        "_",
    )
    path = export(publish(article(1, *hard, **HU), article(2, "<p>egy<br>két</p>", **HU)), "conllu", "pelda.conllu").path
    state = validator.Validator(lang="hu", level=level, output=None).validate_files([str(path)])
    missing = {"unknown-upos", "invalid-head", "unknown-head", "invalid-deprel", "multiple-roots", "non-tree"}
    assert {one.testid for one in state.error_tracker if one.get_type() is IncidentType.ERROR} <= (missing if level == 2 else set())


# --- TXM ---


def test_the_folder_for_txm_has_flat_files_and_a_table_whose_first_column_names_them(library: Any, export: Any) -> None:
    from csv import DictReader

    folder = export(library.pelda, "txm", "out/", "--with", "boxes").path
    with (folder / "metadata.csv").open(encoding="utf-8", newline="") as file:
        rows = list(DictReader(file))
    assert next(iter(rows[0])) == "id"
    assert sorted(row["id"] for row in rows) == sorted(path.stem for path in folder.glob("*.xml"))
    assert all(re.fullmatch(r"[a-z][a-z0-9]*", name) for name in rows[0])
    assert all(None not in row and None not in row.values() for row in rows), "each row has as many cells as there are names"
    assert [row["date"] for row in rows] == sorted(row["date"] for row in rows), "dates sort as text"
    assert [row["textorder"] for row in rows] == [f"{number:09}" for number in range(1, len(rows) + 1)]
    by_id = {row["id"]: row for row in rows}
    assert by_id[library["hostile"].id]["title"].startswith("'=1+1"), "a spreadsheet would run it"
    for row in rows:
        tree = etree.parse(folder / f"{row['id']}.xml")
        (text,) = tree.iter("text")
        told = {key: value.removeprefix("'") for key, value in row.items() if value and key != "textorder"}
        assert told == {key: value for key, value in text.attrib.items() if key in told}
        assert {one.tag for one in text.iter()} <= {"text", "body", "head", "p", "item", "cell", "post", "lb"}
    thread = etree.parse(folder / f"{library['thread'].id}.xml")
    assert dict(next(thread.iter("post")).attrib) == {"kind": "forum", "n": "1", "who": "Anna", "when": "2023-02-03T10:00:00+00:00"}
    assert "Aside." in [one.text for one in etree.parse(folder / f"{library['bridge'].id}.xml").iter("p")]
