"""What the header says of an article."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from case_files import cases
from tei_documents import CAPTURE, p, value, write

TEXT = p("Két szó")
BIBL = "//t:sourceDesc/t:biblStruct"
AUTHORS = "//t:analytic/t:author"
STATUS = "//t:monogr/t:availability/@status"


@pytest.mark.parametrize(
    ("field", "text", "path"),
    [
        ("headline", "Cím", "//t:titleStmt/t:title[@type='main']"),
        ("headline", "Cím", f"{BIBL}/t:analytic/t:title[@type='main']"),
        ("headline", "Cím", "//t:body//t:head[@type='main']"),
        ("alternativeHeadline", "Alcím", "//t:titleStmt/t:title[@type='alt']"),
        ("author", "Anna", "//t:titleStmt/t:author/t:persName"),
        ("author", "Anna", f"{BIBL}/t:analytic/t:author/t:persName"),
        ("author", "Anna", "//t:byline/t:docAuthor"),
        ("editor", "Anna", f"{BIBL}/t:analytic/t:editor[@role='editor']"),
        ("translator", "Anna", f"{BIBL}/t:analytic/t:editor[@role='translator']"),
        ("source", "MTI", f"{BIBL}/t:analytic/t:respStmt/t:orgName"),
        ("identifier", "77", f"{BIBL}/t:analytic/t:idno[@type='source-id']"),
        ("url", "https://pelda.example/kanon", f"{BIBL}/t:analytic/t:idno[@subtype='canonical']"),
        ("isPartOf", "Melléklet", f"{BIBL}/t:monogr/t:title"),
        ("publisher", "Kiadó", f"{BIBL}/t:monogr/t:imprint/t:publisher"),
        ("articleSection", "Belföld", f"{BIBL}/t:monogr/t:biblScope[@unit='section']"),
        ("copyrightNotice", "© Példa", f"{BIBL}/t:monogr/t:availability/t:p"),
        ("correction", "Javítva", f"{BIBL}/t:note[@type='correction']"),
        ("description", "Összegzés", "//t:profileDesc/t:abstract/t:p"),
        ("about", "híd", "//t:textClass/t:keywords[@ana='schema:about']/t:term"),
        ("dateline", "Budapest", "//t:body//t:dateline"),
    ],
)
def test_every_field_has_its_place(field: str, text: str, path: str) -> None:
    assert write(TEXT, metadata={field: text}).texts(path) == [text]


@pytest.mark.parametrize(
    ("told", "path", "said"),
    [
        ({"metadata": {"keywords": ["híd", "Duna & part"]}}, "//t:keywords/t:term/text()", ["híd", "Duna & part"]),
        ({}, "//t:titleStmt/t:title/text()", ["https://pelda.example/1"]),  # the address, without a headline
        ({"type": "NewsArticle"}, f"{BIBL}/@ana", ["schema:NewsArticle"]),
        ({"type": "DiscussionForumPosting"}, f"{BIBL}/@ana", ["schema:DiscussionForumPosting"]),
        # words that no blank parts are not counted
        ({"language": "ja"}, "//t:measure/@unit", ["characters"]),
        # who may have the text
        ({"metadata": {"license": "https://creativecommons.org/licenses/by/4.0/"}}, STATUS, ["free"]),
        ({"metadata": {"license": "https://rightsstatements.org/vocab/InC/1.0/"}}, STATUS, ["restricted"]),
        ({"metadata": {"isAccessibleForFree": "false"}}, STATUS, ["restricted"]),
        ({"metadata": {"copyrightHolder": "Példa Kft."}}, STATUS, ["unknown"]),
        ({"metadata": {"isAccessibleForFree": "true"}}, "//t:monogr//t:p/text()", ["The page says that everybody may read it."]),
        ({"metadata": {"license": "https://creativecommons.org/licenses/by/4.0/"}}, "//t:publicationStmt/t:availability/@status", ["free"]),
        ({}, "//t:publicationStmt/t:availability/@status", ["unknown"]),
        # how much it is of what
        ({}, "//t:measure/text()", ["2 words", "7 characters"]),
        ({}, "//t:tagsDecl/t:namespace/t:tagUsage[@gi='p']/@occurs", ["1"]),
        # the program and the rules
        ({}, "//t:application/@ident", ["webarticlecurator", "rules"]),
        ({}, "//t:application/@version", ["2.0.0", "1"]),
        ({}, "//t:application[2]/@n", ["sha256:0"]),
        # the language of the article, else that of the portal; how sure it is where it was identified
        *(
            ({"language": language}, path, [expected])
            for language, expected in (("de", "de"), ("de_AT", "de-AT"), (None, "hu"), ("két szó", "hu"))
            for path in ("/t:TEI/@xml:lang", "//t:language/@ident", "//t:textLang/@mainLang")
        ),
        ({"language": "hu", "language_certainty": "medium"}, "//t:text/@cert", ["medium"]),
        ({"language": "hu", "language_certainty": "medium"}, "//t:language/@cert", ["medium"]),
        ({"language": "hu"}, "//@cert", []),
        # what looks odd is said by us, and so not in the description of the article
        ({"flags": ("odd",)}, "//t:notesStmt/t:note[@type='flag']/text()", ["odd"]),
        ({"flags": ("odd",)}, f"{BIBL}/t:note", []),
        # names that are known to be those of organisations are no persons'; an author is told from namesakes by the page about them
        ({"metadata": {"author": ["Anna", "MTI"], "source": "MTI"}}, f"{AUTHORS}/t:persName/text()", ["Anna"]),
        ({"metadata": {"author": ["MTI", "Példa Hírek"], "source": "MTI"}}, f"{AUTHORS}/t:orgName/text()", ["MTI", "Példa Hírek"]),
        ({"metadata": {"author": [value("A", url="https://p.example/ő"), "B"]}}, f"{AUTHORS}/*/@ref", ["https://p.example/%C5%91"]),
        # how much text it is, without the headline
        ({"metadata": {"headline": "Nem számít"}}, "//t:measure/@quantity", ["2", "7"]),
        # a date that is none stays as text
        ({"metadata": {"datePublished": "tavaly"}}, "//t:imprint/t:date[@ana='schema:datePublished'][not(@when)]/text()", ["tavaly"]),
    ],
)
def test_what_is_known_of_an_article_is_said_in_its_place(told: dict[str, Any], path: str, said: list[str]) -> None:
    assert write(TEXT, **told).all(path) == said


@pytest.mark.parametrize(("field", "type_"), [("datePublished", "published"), ("dateModified", "modified"), ("expires", "expires")])
def test_dates_carry_their_property(field: str, type_: str) -> None:
    document = write(TEXT, metadata={field: "2024-05-01T10:00:00+02:00"})
    assert document.written(f"{BIBL}//t:imprint/t:date") == (
        f'<date type="{type_}" when="2024-05-01T10:00:00+02:00" ana="schema:{field}"/>'
    )


def test_the_words_that_say_a_date_are_kept() -> None:
    found = {"value": "2024-05-01", "raw": "Budapest, 2024. május 1. - 3 perc", "source": "test", "written": "2024. május 1."}
    document = write(TEXT, metadata={"datePublished": [found]})
    assert (
        document.written("//t:imprint/t:date")
        == '<date type="published" when="2024-05-01" ana="schema:datePublished">2024. május 1.</date>'
    )


@pytest.mark.parametrize(
    "found", [{**value("2024-05-01"), "raw": '{"created_at": "2024-05-01"}'}, value("no date, " * 20)], ids=["JSON", "no date"]
)
def test_a_date_that_no_words_say_has_no_text(found: dict[str, Any]) -> None:
    assert write(TEXT, metadata={"datePublished": [found]}).written("//t:imprint/t:date").endswith(' ana="schema:datePublished"/>')


def test_what_the_page_says_of_an_agent_counts_before_known_names() -> None:
    given = [("Anna", "person"), ("MTI", "person"), ("Hírügynökség", "organization"), ("Reuters", "")]
    authors = [value(name, kind=kind) for name, kind in given]
    document = write(TEXT, metadata={"author": authors, "source": ["MTI", "Reuters"]})
    assert document.texts("//t:analytic/t:author/t:persName") == ["Anna", "MTI"]
    assert document.texts("//t:analytic/t:author/t:orgName") == ["Hírügynökség", "Reuters"]
    assert document.texts("//t:byline/t:docAuthor") == ["Anna", "MTI"]
    assert document.texts("//t:byline/t:orgName") == ["Hírügynökség", "Reuters"]


def test_a_word_in_capitals_with_which_the_publisher_begins_is_no_person() -> None:
    document = write(TEXT, metadata={"publisher": ["PHÍR Kiadó"], "author": ["PHÍR", "Kiadó", "Anna"]})
    assert document.texts("//t:analytic/t:author/t:orgName") == ["PHÍR"]
    assert document.texts("//t:analytic/t:author/t:persName") == ["Kiadó", "Anna"]


def test_captures_and_versions_say_where_in_the_archive_they_lie() -> None:
    document = write(TEXT, captures=2, versions=(CAPTURE,))
    assert document.all(f"{BIBL}/t:relatedItem/@type") == ["capture", "capture", "version"]
    assert document.names("//t:bibl/@xml:id") == ["capture-1", "capture-2", "version-1"]
    assert document.written("//t:bibl[@n='2']") == (
        '<bibl n="2" xml:id="capture-2"><idno type="URI">https://pelda.example/1</idno>'
        '<idno type="WARC-Record-ID">urn:uuid:1dc5cbb2-9a4c-4a39-93d6-0a9d6d6b9d5e</idno>'
        '<idno type="WARC-Payload-Digest">sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ</idno>'
        '<idno type="filename">pelda-articles-20240501-1.warc.gz</idno><biblScope unit="byte" from="100" to="299"/>'
        '<date type="capture" when="2024-05-01T08:00:00Z"/></bibl>'
    )


def test_every_field_at_once_is_valid(repo_root: Path) -> None:
    schema = json.loads((repo_root / "schemas/portal.schema.json").read_text("utf-8"))
    samples = {"a date": "2024-05-01", "an address": "https://pelda.example/x", "a language": "hu", "a number": "3", "yes or no": "true"}
    described = {name: one["description"] for name, one in schema["definitions"]["metadata"]["properties"].items()}
    fields = [(name, re.findall(r"Schema.org `\w+`: ([^,.]+)", says)[0]) for name, says in described.items()]
    assert len(fields) > 40
    document = write(TEXT, metadata={name: samples.get(holds, "érték") for name, holds in fields})
    assert document.all("//t:relatedItem/@type") == ["isBasedOn", "citation", "translationOfWork", "workTranslation"]
    assert document.all("//t:licence/@target") == ["https://pelda.example/x"]


def test_a_property_is_named_only_where_what_the_article_is_has_it() -> None:
    metadata = {"coverageEndTime": "2024-05-01T10:00:00+02:00", "articleSection": "Belföld"}
    news, live, review = (write(TEXT, type=type_, metadata=metadata) for type_ in ("NewsArticle", "LiveBlogPosting", "Review"))
    assert [document.all("//t:date[@type='coverageEnd']/@ana") for document in (news, live)] == [[], ["schema:coverageEndTime"]]
    assert [document.all("//t:biblScope/@ana") for document in (news, review)] == [["schema:articleSection"], []]
    assert write(TEXT, metadata={"source": "MTI"}).all("//t:respStmt/t:orgName/@ana") == ["schema:sourceOrganization"]


def test_the_genre_is_a_category_of_a_taxonomy() -> None:
    document = write(TEXT, metadata={"genre": ["Interjú", "Sport"]})
    assert document.texts("//t:taxonomy/t:category/t:catDesc") == ["NewsArticle", "Interjú", "Sport"]
    assert document.names("//t:textClass/t:catRef/@target") == ["#genre-1", "#genre-2 #genre-3"]
    assert document.names("//t:textClass/t:catRef/@scheme") == ["#genre", "#genre"]
    assert document.all("//t:textClass/t:catRef/@ana") == ["schema:genre"]


def test_languages_are_named() -> None:
    english = p("It is.", language="en-GB")
    document = write(TEXT, english, language="hu")
    assert document.texts("//t:langUsage/t:language") == ["Hungarian", "English"]
    assert document.all("//t:langUsage/t:language/@ident") == ["hu", "en-GB"]
    assert document.all("//t:p[@xml:lang='en-GB']/text()") == ["It is."]


def test_a_document_says_where_the_schema_lies_in_the_corpus() -> None:
    dated, undated = write(TEXT, metadata={"datePublished": "2024-05-01"}), write(TEXT)
    assert [document.all("//t:schemaRef/@url")[0] for document in (dated, undated)] == [
        "../../../../schema/webarticle.rng",
        "../../schema/webarticle.rng",
    ]
    assert dated.content.splitlines()[1].startswith(b'<?xml-model href="../../../../schema/webarticle.rng" ')


@cases("date, expected", "documents/cases/dates-get-seconds-and-a-colon-or-stay-text")
def test_dates_get_seconds_and_a_colon_or_stay_text(date: str, expected: str | None) -> None:
    assert write(TEXT, metadata={"dateModified": date}).all("//t:imprint/t:date[@type='modified']/@when") == (
        [expected] if expected else []
    )


def json_of(metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    (written,) = write(p(), metadata=metadata).texts("//t:xenoData")
    return dict(json.loads(written))


@cases("field, values, expected", "documents/cases/values-have-the-shape-that-schema-org-wants")
def test_values_have_the_shape_that_schema_org_wants(field: str, values: str | list[str], expected: object) -> None:
    assert json_of({field: values})[field] == expected


def test_what_every_article_says() -> None:
    assert json_of() == {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "@id": "https://pelda.example/1",
        "url": "https://pelda.example/1",
        "inLanguage": "hu",
        "publisher": {"@type": "Organization", "@id": "https://pelda.example/#publisher", "name": "Példa Kft."},
        "isPartOf": {"@type": "WebSite", "@id": "https://pelda.example/", "name": "Példa Hírek", "url": "https://pelda.example/"},
    }


def test_the_publisher_that_pages_name_is_one_for_the_whole_corpus() -> None:
    assert json_of({"publisher": "Példa Kft."})["publisher"]["@id"] == json_of()["publisher"]["@id"]


def test_agencies_are_organisations_under_one_property() -> None:
    written = json_of({"source": "MTI", "sourceOrganization": "Reuters"})
    assert [one["name"] for one in written["sourceOrganization"]] == ["MTI", "Reuters"]
    assert "source" not in written
