"""What the header says of an article."""

from __future__ import annotations

import pytest

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.model.article import Block, MissingPage
from webarticlecurator.model.metadata import Found

TEXT = Block(type="paragraph", children=("Két szó",))
BIBL = "//t:sourceDesc/t:biblStruct"


@pytest.mark.parametrize(
    ("field", "value", "path"),
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
def test_every_field_has_its_place(write, field: str, value: str, path: str) -> None:
    assert write(TEXT, metadata={field: value}).texts(path) == [value]


def test_keywords_are_terms_one_each(write) -> None:
    assert write(TEXT, metadata={"keywords": ["híd", "Duna & part"]}).texts("//t:keywords/t:term") == ["híd", "Duna & part"]


@pytest.mark.parametrize(("field", "type_"), [("datePublished", "published"), ("dateModified", "modified"), ("expires", "expires")])
def test_dates_carry_their_property(write, field: str, type_: str) -> None:
    document = write(TEXT, metadata={field: "2024-05-01T10:00:00+02:00"})
    assert document.written(f"{BIBL}//t:imprint/t:date") == (
        f'<date type="{type_}" when="2024-05-01T10:00:00+02:00" ana="schema:{field}"/>'
    )


def test_the_words_that_say_a_date_are_kept(write) -> None:
    found = Found(value="2024-05-01", raw="Budapest, 2024. május 1. - 3 perc", source="test", written="2024. május 1.")
    document = write(TEXT, metadata={"datePublished": [found]})
    assert (
        document.written("//t:imprint/t:date")
        == '<date type="published" when="2024-05-01" ana="schema:datePublished">2024. május 1.</date>'
    )


def test_a_date_that_no_words_say_has_no_text(write) -> None:
    for found in (
        Found(value="2024-05-01", raw='{"created_at": "2024-05-01"}', source="test"),
        Found(value="no date, " * 20, raw="no date, " * 20, source="test"),
    ):
        assert write(TEXT, metadata={"datePublished": [found]}).written("//t:imprint/t:date").endswith(' ana="schema:datePublished"/>')


def test_a_date_that_is_none_stays_as_text(write) -> None:
    document = write(TEXT, metadata={"datePublished": "tavaly"})
    assert document.written("//t:imprint/t:date") == '<date type="published" ana="schema:datePublished">tavaly</date>'


def test_names_that_are_known_to_be_organisations_are_no_persons(write) -> None:
    document = write(TEXT, metadata={"author": ["Anna", "MTI", "Példa Hírek"], "source": "MTI"})
    assert document.texts("//t:titleStmt/t:author/t:persName") == ["Anna"]
    assert document.texts("//t:titleStmt/t:author/t:orgName") == ["MTI", "Példa Hírek"]


def test_what_the_page_says_of_an_agent_counts_before_known_names(write) -> None:
    given = [("Anna", "person"), ("MTI", "person"), ("Hírügynökség", "organization"), ("Reuters", "")]
    authors = [Found(value=name, raw=name, source="test", kind=kind) for name, kind in given]
    document = write(TEXT, metadata={"author": authors, "source": ["MTI", "Reuters"]})
    assert document.texts("//t:analytic/t:author/t:persName") == ["Anna", "MTI"]
    assert document.texts("//t:analytic/t:author/t:orgName") == ["Hírügynökség", "Reuters"]
    assert document.texts("//t:byline/t:docAuthor") == ["Anna", "MTI"]
    assert document.texts("//t:byline/t:orgName") == ["Hírügynökség", "Reuters"]


def test_an_author_is_told_from_namesakes_by_the_page_about_them(write) -> None:
    anna = Found(value="Anna", raw="Anna", source="test", url="https://pelda.example/szerző/anna")
    document = write(TEXT, metadata={"author": [anna, "Béla"]})
    assert document.all("//t:analytic/t:author/t:persName/@ref") == ["https://pelda.example/szerz%C5%91/anna"]


def test_a_person_may_be_the_publisher(write) -> None:
    blogger = Found(value="Anna", raw="Anna", source="test", kind="person")
    document = write(TEXT, metadata={"author": "Anna", "publisher": [blogger]})
    assert document.texts("//t:imprint/t:publisher/t:persName") == ["Anna"]
    assert document.texts("//t:titleStmt/t:author/t:persName") == ["Anna"]
    assert write(TEXT).texts("//t:imprint/t:publisher/t:orgName") == ["Példa Kft."]


def test_captures_and_versions_say_where_in_the_archive_they_lie(write, capture) -> None:
    document = write(TEXT, captures=(capture, capture), versions=(capture,))
    assert document.all(f"{BIBL}/t:relatedItem/@type") == ["capture", "capture", "version"]
    assert document.names("//t:bibl/@xml:id") == ["capture-1", "capture-2", "version-1"]
    assert document.written("//t:bibl[@n='2']") == (
        '<bibl n="2" xml:id="capture-2"><idno type="URI">https://pelda.example/1</idno>'
        '<idno type="WARC-Record-ID">urn:uuid:1dc5cbb2-9a4c-4a39-93d6-0a9d6d6b9d5e</idno>'
        '<idno type="WARC-Payload-Digest">sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ</idno>'
        '<idno type="filename">pelda-articles-20240501-1.warc.gz</idno><biblScope unit="byte" from="100" to="299"/>'
        '<date type="capture" when="2024-05-01T08:00:00Z"/></bibl>'
    )


def test_program_version_and_rules_are_named(write) -> None:
    document = write(TEXT)
    assert document.all("//t:application/@ident") == ["webarticlecurator", "rules"]
    assert document.all("//t:application/@version") == ["2.0.0", "1"]
    assert document.all("//t:application[2]/@n") == ["sha256:0"]


def test_words_and_characters_are_counted(write) -> None:
    document = write(TEXT, TEXT, metadata={"headline": "Nem számít"})
    assert document.all("//t:measure/@quantity") == ["4", str(len("Két szó Két szó"))]


def test_words_that_no_blank_parts_are_not_counted(write) -> None:
    assert write(TEXT, language="ja").all("//t:measure/@unit") == ["characters"]


def test_what_looks_odd_is_said(write) -> None:
    """By us, and so not in the description of the article."""
    document = write(TEXT, flags=("datePublished lies after the capture",))
    assert document.texts("//t:fileDesc/t:notesStmt/t:note[@type='flag']") == ["datePublished lies after the capture"]
    assert document.all(f"{BIBL}/t:note") == []


def test_a_page_that_is_not_stored_is_named_with_what_is_known_of_it(write) -> None:
    missing = (MissingPage(2, "https://pelda.example/a?page=2"), MissingPage(3, None), MissingPage(None, "https://pelda.example/a?after=x"))
    document = write(TEXT, missing_pages=missing)
    note = "//t:fileDesc/t:notesStmt/t:note[@type='missingPage']"
    assert document.all(f"{note}/@n") == ["2", "3"]
    assert document.all(f"{note}/@target") == ["https://pelda.example/a?page=2", "https://pelda.example/a?after=x"]
    assert document.texts(note)[1:] == ["page 3 is not stored", "a page is not stored (https://pelda.example/a?after=x)"]


@pytest.mark.parametrize(("language", "expected"), [("de", "de"), ("de_AT", "de-AT"), (None, "hu"), ("két szó", "hu")])
def test_the_language_is_the_article_s_else_the_portal_s(write, language: str | None, expected: str) -> None:
    document = write(TEXT, language=language)
    assert document.all("/t:TEI/@xml:lang") == document.all("//t:language/@ident") == document.all("//t:textLang/@mainLang") == [expected]


def test_without_a_headline_the_title_is_the_address(write) -> None:
    assert write(TEXT).texts("//t:titleStmt/t:title") == ["https://pelda.example/1"]


@pytest.mark.parametrize("type_", ["NewsArticle", "DiscussionForumPosting"])
def test_the_type_is_schema_org_s(write, type_: str) -> None:
    assert write(TEXT, type=type_).all(f"{BIBL}/@ana") == [f"schema:{type_}"]


def test_every_field_at_once_is_valid(write) -> None:
    samples = {
        Holds.DATE: "2024-05-01",
        Holds.URL: "https://pelda.example/x",
        Holds.LANGUAGE: "hu",
        Holds.NUMBER: "3",
        Holds.YES_NO: "true",
    }
    document = write(TEXT, metadata={name: samples.get(field.holds, "érték") for name, field in FIELDS.items()})
    assert document.all("//t:relatedItem/@type") == ["isBasedOn", "citation", "translationOfWork", "workTranslation"]
    assert document.all("//t:licence/@target") == ["https://pelda.example/x"]


def test_a_property_is_named_only_where_what_the_article_is_has_it(write) -> None:
    metadata = {"coverageEndTime": "2024-05-01T10:00:00+02:00", "articleSection": "Belföld"}
    news, live, review = (write(TEXT, type=type_, metadata=metadata) for type_ in ("NewsArticle", "LiveBlogPosting", "Review"))
    assert [document.all("//t:date[@type='coverageEnd']/@ana") for document in (news, live)] == [[], ["schema:coverageEndTime"]]
    assert [document.all("//t:biblScope/@ana") for document in (news, review)] == [["schema:articleSection"], []]
    assert write(TEXT, metadata={"source": "MTI"}).all("//t:respStmt/t:orgName/@ana") == ["schema:sourceOrganization"]


def test_the_genre_is_a_category_of_a_taxonomy(write) -> None:
    document = write(TEXT, metadata={"genre": ["Interjú", "Sport"]})
    assert document.texts("//t:taxonomy/t:category/t:catDesc") == ["NewsArticle", "Interjú", "Sport"]
    assert document.names("//t:textClass/t:catRef/@target") == ["#genre-1", "#genre-2 #genre-3"]
    assert document.names("//t:textClass/t:catRef/@scheme") == ["#genre", "#genre"]
    assert document.all("//t:textClass/t:catRef/@ana") == ["schema:genre"]


def test_languages_are_named(write) -> None:
    english = Block(type="paragraph", children=("It is.",), attributes={"language": "en-GB"})
    document = write(TEXT, english, language="hu")
    assert document.texts("//t:langUsage/t:language") == ["Hungarian", "English"]
    assert document.all("//t:langUsage/t:language/@ident") == ["hu", "en-GB"]
    assert document.all("//t:p[@xml:lang='en-GB']/text()") == ["It is."]


def test_a_language_that_was_identified_says_how_sure_that_is(write) -> None:
    document = write(TEXT, language="hu", language_certainty="medium")
    assert document.all("//t:text/@cert") == document.all("//t:language/@cert") == ["medium"]
    assert write(TEXT, language="hu").all("//@cert") == []


@pytest.mark.parametrize(
    ("metadata", "status"),
    [
        ({"license": "https://creativecommons.org/licenses/by/4.0/"}, "free"),
        ({"license": "https://rightsstatements.org/vocab/InC/1.0/"}, "restricted"),
        ({"isAccessibleForFree": "false"}, "restricted"),
        ({"copyrightHolder": "Példa Kft."}, "unknown"),
    ],
)
def test_who_may_have_the_text_is_said(write, metadata: dict, status: str) -> None:
    assert write(TEXT, metadata=metadata).all("//t:monogr/t:availability/@status") == [status]


def test_a_document_says_where_the_schema_lies_in_the_corpus(write) -> None:
    dated, undated = write(TEXT, metadata={"datePublished": "2024-05-01"}), write(TEXT)
    assert [document.all("//t:schemaRef/@url")[0] for document in (dated, undated)] == [
        "../../../../schema/webarticle.rng",
        "../../schema/webarticle.rng",
    ]
    assert dated.content.splitlines()[1].startswith(b'<?xml-model href="../../../../schema/webarticle.rng" ')
