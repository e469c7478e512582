"""The checker that the other tests rely on finds what is broken."""

from __future__ import annotations

import pytest
from vertical_checker import Fault, read_registry, read_vertical

REGISTRY = """\
# a comment
NAME "Pelda"
PATH "/corpora/pelda/indexed"
VERTICAL "/corpora/pelda.vert"
ENCODING "UTF-8"
DOCSTRUCTURE "doc"
DEFAULTATTR "word"
FULLREF "doc.id,doc.author"
ATTRIBUTE word
ATTRIBUTE lc {
    DYNAMIC utf8lowercase
    DYNLIB internal
    ARG1 "C"
    FUNTYPE s
    FROMATTR word
}
STRUCTURE doc {
    ATTRIBUTE id {
        TYPE "UNIQUE"
    }
    ATTRIBUTE author {
        MULTIVALUE yes
        MULTISEP "|"
    }
}
STRUCTURE p
STRUCTURE head
STRUCTURE s
STRUCTURE g {
    DISPLAYTAG 0
    DISPLAYBEGIN "_EMPTY_"
}
"""
DOCUMENT = """\
<doc id="1" author="Anna|Pál &amp; co">
<head>
<s>
Cím
</s>
</head>
<p>
<s>
&lt;p>
<g/>
!
</s>
</p>
</doc>
"""


def test_what_is_right_is_read() -> None:
    (doc,) = read_vertical(DOCUMENT.encode(), read_registry(REGISTRY))
    assert doc.attributes == {"id": "1", "author": "Anna|Pál & co"}
    assert [one.text for one in doc.all("head", "p")] == ["Cím", "<p>!"]


@pytest.mark.parametrize(
    ("good", "bad", "fault"),
    [
        ("</p>\n", "", "</doc> where <p> is open"),
        ("</doc>\n", "", "not closed"),
        ("</head>\n<p>", "</p>\n<p>", "</p> where <head> is open"),
        ("<p>\n", '<p type="p">\n', "only here, or only declared"),
        (' author="Anna|Pál &amp; co"', "", "only here, or only declared"),
        ("<p>\n", "<q>\n", "not declared"),
        ("&amp;", "&", "no entity"),
        ("Anna|Pál", "Anna||Pál", "an empty one among"),
        ("Anna|Pál &amp; co", "", "is empty"),
        ("Anna|", 'An"na|', "neither a tag nor a word"),
        ("&lt;p>", "<p>", "a p in a p"),
        ("&lt;p>", "<", "neither a tag nor a word"),
        ("!\n", "!\tx\n", "columns"),
        ("!\n", "!\x07\n", "control character"),
        ("!\n", "!\u2028\n", "control character"),
        ("!\n", "!\r\n", "control character"),
        ("!\n", "\n!\n", "empty line"),
        ("!\n", " !\n", "white space"),
        ("<s>\nCím\n</s>\n", "Cím\n", "outside of a sentence"),
        ("<head>\n<s>\nCím\n</s>\n</head>\n", "<s>\nCím\n</s>\n", "outside of a paragraph"),
        ("Cím\n", "", "nothing in s"),
        ("<s>\nCím\n</s>\n", "", "nothing in head"),
        ("!\n", "", "glue where it joins nothing"),
        ("<g/>\n", "<g/>\n<g/>\n", "glue where it joins nothing"),
        ("<g/>\n", "<g>\n", "glue where it joins nothing"),
        ("</doc>\n", "</doc>", "no end"),
        ("</doc>\n", "</doc>\n" + DOCUMENT, "not unique"),
        ('id="1"', 'id="1" id="2"', "twice"),
    ],
)
def test_a_broken_file_is_found(good: str, bad: str, fault: str) -> None:
    assert good in DOCUMENT
    with pytest.raises(Fault, match=fault.replace("|", r"\|")):
        read_vertical(DOCUMENT.replace(good, bad, 1).encode(), read_registry(REGISTRY))


@pytest.mark.parametrize(
    ("good", "bad", "fault"),
    [
        ('ENCODING "UTF-8"\n', "", "no ENCODING"),
        ('"word"', '"lemma"', "DEFAULTATTR"),
        ('DOCSTRUCTURE "doc"', 'DOCSTRUCTURE "text"', "DOCSTRUCTURE"),
        ("doc.author", "doc.title", "not declared"),
        ("FROMATTR word", "FROMATTR lemma", "not there"),
        ("    FUNTYPE s\n", "", "FUNTYPE"),
        ("        MULTIVALUE yes\n", "", "only one of"),
        ("STRUCTURE p\n", "STRUCTURE doc\n", "twice"),
        ("STRUCTURE p\n", "STRUKTURE p\n", "unknown option"),
        ("STRUCTURE p\n", "STRUCTURE 1p\n", "no name"),
        ('    DISPLAYBEGIN "_EMPTY_"\n}\n', '    DISPLAYBEGIN "_EMPTY_"\n', "not closed"),
        ('NAME "Pelda"', 'NAME "Pelda', "cannot be read"),
    ],
)
def test_a_broken_registry_is_found(good: str, bad: str, fault: str) -> None:
    assert good in REGISTRY
    with pytest.raises(Fault, match=fault):
        read_registry(REGISTRY.replace(good, bad, 1))
