"""Names of people who post are replaced, wherever an export could tell them."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from published import Publish, Published, article, post
from seams import all_formats

THREAD = article(
    1,
    title="Welcome, Kovács Anna",
    author="Kovács Anna",
    url="https://pelda.example/t/kovacs-anna",
    keywords="Kovács Anna",
    type="DiscussionForumPosting",
    posts=(
        post("Who knows?", "forum", id="kovacs-anna-1", who="Kovács Anna", url="https://pelda.example/u/kovacsanna"),
        post(
            "",
            "forum",
            id="2",
            who="Bob99",
            editor="Mod Erator",
            reply_to="kovacs-anna-1",
            title="Re: Kovács Anna",
            html='<blockquote data-post="kovacs-anna-1" data-of="Kovács Anna"><p>Who knows?</p></blockquote>'
            '<p>@<a href="https://pelda.example/user/Kovacs-Anna">Kovács Anna</a>: I do.</p>',
        ),
    ),
)
NAMES = ("Kovács", "Bob99", "Mod Erator", "Anna", "Kovacs", "kovacs")


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "own.key"
    path.write_bytes(b"0123456789abcdef\n")
    return path


@pytest.fixture
def told(publish: Publish, export: Any, key: Path) -> Callable[..., dict[str, Any]]:
    """The line of an article with pseudonyms."""

    def line(page: Published, whose: str = "who") -> dict[str, Any]:
        made = export(publish(page), "jsonl", "a.jsonl", "--pseudonymise", whose, "--key", key, "--with", "comments,posts")
        assert str(key) in made.said
        return dict(json.loads(made.text))

    return line


AS_RECEIVED = {"wacz", "cdxj"}
"""Pages as they came: no name in them can be replaced."""


@pytest.mark.parametrize("to", sorted(AS_RECEIVED))
def test_pages_as_they_came_are_not_handed_on_where_names_are_to_be_replaced(publish: Publish, export: Any, key: Path, to: str) -> None:
    made = export(publish(THREAD), to, "out", "--pseudonymise", "who", "--key", key, code=2)
    assert not made.path.exists()


@pytest.mark.parametrize("to", sorted(all_formats().keys() - {"parquet"} - AS_RECEIVED))  # parquet has the rows of csv, and needs a library
def test_a_thread_tells_no_name_in_any_format(publish: Publish, export: Any, key: Path, tmp_path: Path, to: str) -> None:
    name = "out/" if to == "txm" else "out/a"
    (tmp_path / "out").mkdir(exist_ok=True)
    given = ("--with", "comments,posts") if to not in ("rdf",) else ()
    path = export(publish(THREAD), to, name, "--pseudonymise", "who", "--key", key, *given).path
    content = {file.name: file.read_bytes().decode("utf-8", "replace") for file in (path if path.is_dir() else path.parent).iterdir()}
    assert content
    assert [(file, name) for file, text in content.items() for name in NAMES if name in text and "manifest" not in file] == []


def test_the_same_person_has_the_same_pseudonym_everywhere(told: Callable[..., dict[str, Any]]) -> None:
    line = told(THREAD)
    first, second = line["blocks"]
    anna, bob = first["who"], second["who"]
    assert len({anna, bob, second["editor"]}) == 3
    assert line["metadata"]["author"][0]["value"] == line["metadata"]["author"][0]["raw"] == anna
    assert "url" not in first
    assert second["title"] == f"Re: {anna}"
    assert second["reply_to"] == first["id"]
    quote, answer = second["children"]
    assert quote["who"] == anna
    assert answer["text"] == f"@{anna}: I do."
    assert line["metadata"]["headline"][0]["value"] == f"Welcome, {anna}"
    assert "dropped" not in line


def test_a_person_is_the_same_whatever_the_case_of_the_name(told: Callable[..., dict[str, Any]]) -> None:
    page = article(1, "Text.", posts=(post("Yes.", who="Bob  Gray"), post("No.", who="bob gray")))
    one, other = told(page)["comments"]
    assert one["who"] == other["who"]


def test_the_address_of_a_thread_that_names_who_began_it_is_left_out(told: Callable[..., dict[str, Any]]) -> None:
    page = article(1, url="https://pelda.example/t/ada-lovelace", posts=(post("Hi.", "forum", who="Ada Lovelace"),))
    assert "lovelace" not in json.dumps(told(page)).lower()


def test_a_key_that_is_too_short_is_refused(publish: Publish, export: Any, tmp_path: Path) -> None:
    (tmp_path / "short.key").write_text("abc")
    flags = ("--pseudonymise", "who", "--key", tmp_path / "short.key")
    assert "too short" in export(publish(article(1, "Text.")), "jsonl", "a", *flags, code=2).said


def test_bylines_have_pseudonyms_only_where_they_are_asked_for(told: Callable[..., dict[str, Any]]) -> None:
    page = article(1, "Bob wrote this.", author="Bob", editor="Eve", posts=(post("Bob is wrong.", who="Bob"),))
    line, with_authors = told(page), told(page, "who,author")
    bob = line["comments"][0]["who"]
    assert (line["metadata"]["author"][0]["value"], line["text"]) == ("Bob", "Bob wrote this.")
    assert line["comments"][0]["text"] == f"{bob} is wrong."
    assert with_authors["metadata"]["author"][0]["value"] == with_authors["comments"][0]["who"] != "Bob"
    assert with_authors["metadata"]["editor"][0]["value"] != "Eve"


def test_an_embedded_post_has_no_address_and_who_speaks_in_an_interview_stays(told: Callable[..., dict[str, Any]]) -> None:
    social = (
        '<blockquote class="twitter-tweet"><p>Look at it!</p>&mdash; Anna K (@annak) '
        '<a href="https://twitter.com/annak/status/1">May 1, 2024</a></blockquote>'
    )
    line = told(article(1, "Text.", social, posts=(post("x", who="Bob"),)))
    assert not [name for name in ("Anna K", "annak") if name in json.dumps(line)]
    (block,) = [block for block in line["blocks"] if block["type"] == "social"]
    assert "url" not in block


def test_a_pseudonym_is_one_of_a_portal_and_of_a_key(publish: Publish, export: Any, key: Path, tmp_path: Path) -> None:
    posts = (post("x", who="Ada"),)
    portals = [publish(article(1, "Text.", posts=posts, portal=name), name=name).file for name in ("pelda", "masik")]
    (other_key := tmp_path / "other.key").write_bytes(b"f" * 16)
    made = [export(portals, "jsonl", "a", "--pseudonymise", "who", "--with", "comments", "--key", given).text for given in (key, other_key)]
    names = [json.loads(line)["comments"][0]["who"] for text in made for line in text.splitlines()]
    assert len(set(names)) == 4


def test_the_key_is_made_once_beside_the_settings_where_only_the_person_reads_it(
    publish: Publish, export: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    portal = publish(article(1, "Text.", posts=(post("x", who="Bob"),)))
    first = export(portal, "jsonl", "a.jsonl", "--pseudonymise", "who", "--with", "comments")
    (key,) = (path for path in (tmp_path / "config").rglob("*") if path.is_file())
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert str(key) in first.said
    assert first.said.count("with the key") == 1, "it is told once"
    assert export(portal, "jsonl", "b.jsonl", "--pseudonymise", "who", "--with", "comments").text == first.text
    assert key.read_text().strip() not in (tmp_path / "b.jsonl.manifest.json").read_text()


@pytest.mark.parametrize("place", ["portals/corpora/pelda/export/a.key", "texts/a.key"])
def test_a_key_is_never_given_away_with_what_it_protects(publish: Publish, export: Any, tmp_path: Path, place: str) -> None:
    made = export(publish(article(1, "Text.")), "text", "texts/", "--pseudonymise", "who", "--key", tmp_path / place, code=2)
    assert "given away" in made.said
    assert not (tmp_path / place).exists()


@pytest.mark.parametrize(
    ("name", "written"),
    [
        *(("Zebulon Quagmire", one) for one in ("ZEBULON QUAGMIRE", "zebulon quagmire", "Zebulon  Quagmire", "Zebulon\xa0Quagmire")),
        ("Zébulon Quagmire", "Ze\u0301bulon Quagmire"),
        ("Zébulon Quagmire", "@zébulon quagmire"),
        ("Will", "Will"),
    ],
)
def test_a_name_is_found_however_a_post_writes_it(told: Callable[..., dict[str, Any]], name: str, written: str) -> None:
    line = told(article(1, "News.", posts=(post("Hm.", who=name), post(f"So says {written}!", who="Bob"))))
    assert line["comments"][1]["text"].replace("@", "") == f"So says {line['comments'][0]['who']}!"


def test_a_word_that_is_also_a_name_stays_a_word(told: Callable[..., dict[str, Any]]) -> None:
    line = told(article(1, "News.", posts=(post("It will. Will knows, WILL!", who="Will"),)))
    will = line["comments"][0]["who"]
    assert line["comments"][0]["text"] == f"It will. {will} knows, {will}!"


POSTS = (
    post("As Béla said, Jo!", id="dániel-dúró-7", who="Dániel Dúró", url="https://pelda.example/users/daniel/Anna#7"),
    post("@Anna: no. Annales is a journal.", id="2", who="Béla", reply_to="dániel-dúró-7", editor="Anna"),
    post("Yes.", id="béla-3", who="Anna"),
    post("", who="Jo", html='<blockquote data-post="2" data-of="Dániel Dúró"><p>Anna was right.</p></blockquote><p>No.</p>'),
)


def test_documents_tell_no_name_and_are_still_valid(publish: Publish, export: Any, key: Path, faults: Callable[[Any], Any]) -> None:
    page = article(1, "The council met. Anna Kovács spoke.", author="Dániel Dúró", posts=POSTS)
    flags = ("--pseudonymise", "who", "--key", key, "--with", "comments")
    path = export(publish(page), "teicorpus", "out/", *flags).path
    tree = etree.parse(path / "corpus.xml")
    tree.xinclude()
    assert faults(tree) == ()
    whole = etree.tostring(tree, encoding="unicode")
    text = whole.partition("<text")[2]
    assert [name for name in ("Dúró", "dúró", "Béla", "béla", "@Anna") if name in text] == []
    assert "Anna Kovács spoke" in whole, "the text of the article is no post"
    assert "Annales is a journal" in whole, "a name is a whole word"
    first, second, *_ = tree.iter("{*}post")
    identifier = "{http://www.w3.org/XML/1998/namespace}id"
    assert second.get("replyTo") == f"#{first.get(identifier)}"
    people = {person.get(identifier) for person in tree.iter("{*}person")}
    documents = Path(path).parent.rglob("portals/**/*.xml")
    built = {person.get(identifier) for document in documents for person in etree.parse(document).iter("{*}person")}
    assert people and built and not people & built, "an identifier that is made of a name would prove a guess"


def test_authors_are_chosen_by_their_names_and_no_name_is_told_that_is_near_to_one(publish: Publish, export: Any, key: Path) -> None:
    portal = publish(article(1, "One.", author="Ada Byron"), article(2, "Two.", author="Bob Ross"))
    flags = ("--pseudonymise", "author", "--key", key)
    made = export(portal, "jsonl", "a.jsonl", "--where", "author=ada byron", *flags)
    assert json.loads(made.text)["id"] == article(1).id
    assert "Byron" not in made.text
    wrong = export(portal, "jsonl", "b.jsonl", "--where", "author=Ada Byrom", *flags, code=1)
    assert "--where author=Ada Byrom: no article has it" in wrong.said
    assert "Byron" not in wrong.said + (wrong.path.parent / "b.jsonl.manifest.json").read_text("utf-8")
