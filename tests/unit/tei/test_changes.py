"""Documents with other names of those who post: whatever named them is gone, and the documents are still valid."""

from __future__ import annotations

from datetime import date

from built_corpora import article, block, paragraph, post
from lxml import etree

from webarticlecurator.tei import load_template, render, validate
from webarticlecurator.tei.changes import DocumentChange, changed

from .conftest import PORTAL

NAMES = {"Dániel Dúró": "person-1", "Béla": "person-2", "Anna": "person-3", "Jo": "person-4"}
POSTS = (
    post("As Béla said, Jo!", id="dániel-dúró-7", author="Dániel Dúró", url="https://pelda.example/users/daniel/Anna#7"),
    post("@Anna: no. Annales is a journal.", id="2", author="Béla", reply_to="dániel-dúró-7", editor="Anna", edited="2024-05-01T10:00:00Z"),
    post("Yes.", id="béla-3", author="Anna", reply_to="Béla"),
)


def document(*blocks, posts=POSTS, **told) -> bytes:
    one = article(1, "The council met. Anna Kovács spoke.", *blocks, posts=posts, metadata={"author": ["Dániel Dúró"]}, **told)
    return render(one, PORTAL, template=load_template("default"), rules_digest="d", now=date(2024, 5, 2)).document


def renamed(written: bytes) -> etree._Element:
    found = changed(written, DocumentChange(names=NAMES)).document
    assert validate(found) == ()
    return etree.fromstring(found)


def test_no_name_of_a_commenter_remains() -> None:
    quoted = block("quote", paragraph("Anna was right."), block("source", "Dániel Dúró wrote:"), who="Dániel Dúró", post="2")
    found = etree.tostring(renamed(document(quoted)), encoding="unicode")
    for name in ("Dániel", "Dúró", "dániel", "Béla", "béla", "@Anna"):
        assert name not in found, name
    assert "Anna Kovács spoke" in found, "the text of the article is no post"
    assert "Annales is a journal" in found, "a name is a whole word"


def test_identifiers_do_not_prove_a_guessed_name() -> None:
    before, after = etree.fromstring(document()), renamed(document())
    ids = [{one.get("{http://www.w3.org/XML/1998/namespace}id") for one in tree.iter("{*}person")} for tree in (before, after)]
    assert ids[0].isdisjoint(ids[1])
    assert [one.get("who") for one in after.iter("{*}post")] != [one.get("who") for one in before.iter("{*}post")]


def test_answers_still_lead_to_what_they_answer() -> None:
    first, second, _ = renamed(document()).iter("{*}post")
    assert second.get("replyTo") == f"#{first.get('{http://www.w3.org/XML/1998/namespace}id')}"


def test_the_page_about_an_author_goes_with_the_name() -> None:
    data = next(renamed(document()).iter("{*}xenoData")).text
    assert '"name":"person-1"' in data


def test_a_document_with_nothing_to_change_stays_as_it_is() -> None:
    written = document(posts=())
    assert changed(written, DocumentChange(comments=False, posts=False)).document is written
