"""TEI corpora: valid whoever validates them, in one file or with inclusions; and what of the documents is changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import tei_validators
from built_corpora import article, block, paragraph, post
from documented_corpora import documented_corpus, exported
from lxml import etree
from small_corpus import SmallCorpus, page

from webarticlecurator import resources
from webarticlecurator.tei import validate

T = {"t": "http://www.tei-c.org/ns/1.0"}
COMPACT, TEI_ALL = resources.schema("tei/webarticle.rng"), resources.schema("tei/tei_all.rng")
THREAD = tuple(post(f"Post {number}.", "forum", id=str(number), author=who) for number, who in enumerate(("Anna", "Béla"), start=1))


def articles() -> list:
    quoted = block("quote", paragraph("I said so."), who="Cecil")
    return [
        article(1, "The council met.", quoted, posts=(post("Nonsense!", id="7", author="Dániel Dúró", url="https://pelda.example/1#7"),)),
        article(2, "Live.", date="2023-02-03", language="hu", posts=(post("12:00 It begins.", "liveblog", author="Eva"),)),
        article(3, "What this is about.", title="A thread", date=None, type="DiscussionForumPosting", posts=THREAD),
    ]


def resolved(path: Path) -> etree._ElementTree:
    tree = etree.parse(path)
    tree.xinclude()
    return tree


def corpus_of(folder: Path, *parts: str, per_article: bool = False, **options) -> etree._ElementTree:
    output = folder / ("out" if per_article else "out.xml")
    exported(documented_corpus(folder, articles()), "teicorpus", output, *parts, per_article=per_article, **options)
    return resolved(output / "corpus.xml" if per_article else output)


@pytest.mark.parametrize("per_article", [False, True], ids=["one file", "inclusions"])
@pytest.mark.parametrize("parts", [(), ("comments", "posts")], ids=["without posts", "with posts"])
def test_a_corpus_is_valid(tmp_path: Path, per_article: bool, parts: tuple[str, ...]) -> None:
    tree = corpus_of(tmp_path, *parts, per_article=per_article)
    assert validate(tree) == ()
    assert len(tree.findall("t:TEI", T)) == 3


@pytest.mark.slow
def test_it_is_tei_whoever_validates_it(tmp_path: Path) -> None:
    tree = corpus_of(tmp_path, per_article=True)
    whole = tmp_path / "resolved.xml"
    tree.write(whole, encoding="UTF-8")
    assert tei_validators.jing(COMPACT, [whole]) == ""
    assert tei_validators.jing(TEI_ALL, [whole]) == ""
    assert etree.RelaxNG(etree.parse(TEI_ALL)).validate(tree)
    assert tei_validators.schematron(TEI_ALL)(whole.read_bytes()) == []


def test_only_documents_may_say_where_they_lay(tmp_path: Path) -> None:
    """What resolves inclusions adds it."""
    tree = corpus_of(tmp_path, per_article=True)
    base = "{http://www.w3.org/XML/1998/namespace}base"
    assert all(one.get(base) for one in tree.findall("t:TEI", T))
    tree.find(".//t:p", T).set(base, "https://pelda.example/")
    assert any("xml:base" in reason or "base" in reason for reason in validate(tree))


def test_the_header_counts_what_is_there(tmp_path: Path) -> None:
    tree = corpus_of(tmp_path)
    inside = Counter(etree.QName(one).localname for text in tree.findall("t:TEI/t:text", T) for one in text.iter(etree.Element))
    used = {one.get("gi"): int(one.get("occurs")) for one in tree.findall("t:teiHeader//t:tagUsage", T)}
    assert used == dict(inside)
    measures = {one.get("unit"): int(one.get("quantity")) for one in tree.findall("t:teiHeader//t:extent/t:measure", T)}
    each = [int(one.get("quantity")) for one in tree.findall("t:TEI//t:extent/t:measure[@unit='words']", T)]
    assert (measures["texts"], measures["words"]) == (3, sum(each))
    date = tree.find("t:teiHeader//t:sourceDesc/t:bibl/t:date", T)
    assert (date.get("from"), date.get("to")) == ("2023-02-03", "2024-05-01")
    assert {one.get("ident") for one in tree.findall("t:teiHeader//t:language", T)} == {"en", "hu"}


def test_documents_that_do_not_change_are_those_of_the_build(tmp_path: Path) -> None:
    corpus_of(tmp_path, "comments", "posts", per_article=True)
    built, given = ({path.name: path.read_bytes() for path in (tmp_path / top / "tei").rglob("*.xml")} for top in ("corpora/pelda", "out"))
    assert built == given
    assert len(built) == 3


def test_comments_and_posts_are_left_out_unless_they_are_wanted(tmp_path: Path) -> None:
    tree = corpus_of(tmp_path)
    first, live, thread = sorted(tree.findall("t:TEI", T), key=lambda one: one.findtext(".//t:idno[@subtype='requested']", "", T))
    assert first.find(".//t:div[@type='comments']", T) is None
    assert first.find(".//t:particDesc", T) is None
    assert first.find(".//t:measure[@unit='posts']", T) is None
    assert live.find(".//t:div[@type='liveBlog']", T) is None
    assert live.find(".//t:measure[@unit='words']", T).get("quantity") == "1"
    assert len(thread.findall(".//t:post", T)) == 2, "in a thread they are the text"
    told = " ".join(tree.find("t:teiHeader//t:samplingDecl", T).itertext())
    assert "Left out of the documents: comments (1), posts (1)." in told


def test_what_points_to_comments_goes_with_them(tmp_path: Path) -> None:
    answers = (post("Why?", id="1", author="Anna"), post("Because.", id="2", author="Béla", reply_to="1"))
    one = article(1, "Text.", block("quote", paragraph("Why?"), post="1"), posts=answers)
    exported(documented_corpus(tmp_path, [one]), "teicorpus", tmp_path / "out.xml")
    assert validate((tmp_path / "out.xml").read_bytes()) == ()


def test_the_documents_of_several_portals_stand_together(tmp_path: Path) -> None:
    files = [documented_corpus(tmp_path, [article(1, "Text.", portal=name)], portal=name) for name in ("pelda", "masik")]
    exported(files, "teicorpus", tmp_path / "out.xml")
    tree = etree.parse(tmp_path / "out.xml")
    assert validate(tree) == ()
    assert [one.get("n") for one in tree.findall("t:teiHeader//t:sourceDesc/t:bibl", T)] == ["pelda", "masik"]


@pytest.mark.parametrize("form", ["zip", "shards"])
def test_documents_in_zips_are_found(corpus: SmallCorpus, tmp_path: Path, form: str) -> None:
    corpus.store(("/1", page("One")), ("/2", page("Two", published=None)))
    corpus.build(**{form: True})
    file = corpus.base / "portal.yaml"
    (corpus.base / "corpora").mkdir()
    corpus.folder.rename(corpus.base / "corpora" / "pelda")
    exported(file, "teicorpus", tmp_path / "out.xml")
    assert len(etree.parse(tmp_path / "out.xml").findall("t:TEI", T)) == 2


def test_a_document_that_is_missing_is_told(tmp_path: Path) -> None:
    file = documented_corpus(tmp_path, articles())
    next((tmp_path / "corpora/pelda/tei").rglob("*.xml")).unlink()
    exported(file, "teicorpus", tmp_path / "out.xml")
    written = (tmp_path / "out.xml").read_text(encoding="utf-8")
    assert re.search(r"1 document is missing or not as the build wrote them \(pelda-\w+\)", written)


@pytest.mark.parametrize(
    "damage", [lambda content: content[: len(content) // 2], lambda content: content.replace(b"council", b"c\0uncil", 1)]
)
def test_a_damaged_document_is_told_and_spoils_no_corpus(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    file = documented_corpus(tmp_path, articles())
    document = next(path for path in (tmp_path / "corpora/pelda/tei").rglob("*.xml") if b"council" in path.read_bytes())
    document.write_bytes(damage(document.read_bytes()))
    assert exported(file, "teicorpus", tmp_path / "out.xml").counts.failed == 1
    assert len(etree.parse(tmp_path / "out.xml").findall("t:TEI", T)) == len(articles()) - 1
    assert f"as the build wrote them ({document.stem})" in (tmp_path / "out.xml").read_text(encoding="utf-8")


@pytest.mark.parametrize("per_article", [False, True], ids=["one file", "inclusions"])
def test_no_name_of_a_commenter_remains_where_they_have_pseudonyms(tmp_path: Path, per_article: bool) -> None:
    options = {"pseudonymise": frozenset({"who"}), "key": tmp_path / "key"}
    tree = corpus_of(tmp_path, "comments", "posts", per_article=per_article, **options)
    assert validate(tree) == ()
    assert len(tree.findall(".//t:post", T)) == 3
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("out*/**/*.xml" if per_article else "out.xml"))
    for name in ("Anna", "Béla", "Cecil", "Dániel", "Dúró", "Eva"):
        assert name.encode() not in written, name
