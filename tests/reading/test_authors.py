"""Names of authors, out of what stands around them."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from case_files import cases
from hypothesis import given
from hypothesis import strategies as st
from seams import article_of, portal_of
from told import GAT, ld, news, values

from webarticlecurator import Article


def signed(*texts: str, language: str | None, place: str) -> Article:
    """An article with these bylines."""
    lines = "".join(place.format(text) for text in texts)
    html = f"<title>A dam</title><h1>A dam</h1>{lines}<p>It broke in the night, and the town was flooded by morning.</p>"
    return article_of(html, url=GAT, portal=portal_of(title="Példa Hírek", language=language))


def names(*texts: str, language: str | None = "en", visible: bool = False) -> list[str]:
    place = "<p class=byline>{}</p>" if visible else "<meta name=author content='{}'>"
    return list(signed(*(text.replace("'", "&#39;") for text in texts), language=language, place=place).authors)


@cases("text, language, expected", "reading/cases/names-come-out-of-what-stands-around-them")
def test_names_come_out_of_what_stands_around_them(text: str, language: str, expected: list[str]) -> None:
    assert names(text, language=language) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "https://www.facebook.com/pelda", "@pelda", "admin", "Photo: Ann Lee", "12", "szerző"),
        "a" * 100,
        "ann@pelda.example",
        "Hírek",
        "Agentur",
    ],
)
def test_what_names_nobody_is_no_author(text: str) -> None:
    assert names(text, language="hu") == []


def test_one_person_is_one_author_however_often_and_however_written() -> None:
    assert names("Kovács Anna", "kovacs anna", "Anna Kovács", "Kovács") == ["Kovács Anna"]


def test_an_organisation_is_kept_whole_and_known_as_one() -> None:
    data = ld({"@type": "NewsArticle", "headline": "A dam", "author": {"@type": "Organization", "name": "Ministry of Trade and Industry"}})
    (author,) = article_of(data, url=GAT).metadata["author"]
    assert (author.value, author.kind) == ("Ministry of Trade and Industry", "organization")
    (house,) = article_of(data.replace("Ministry of Trade and Industry", "hid24.at"), url=GAT).metadata["author"]
    assert house.value == "hid24.at"
    assert signed("Ann Lee, Reuters", language="en", place="<meta name=author content='{}'>").authors == ("Ann Lee",)


@cases("text, kind", "reading/cases/a-company-is-known-by-its-legal-form")
def test_a_company_is_known_by_its_legal_form(text: str, kind: str) -> None:
    authors = signed(text, language="hu", place="<meta name=parsely-author content='{}'>").metadata["author"]
    assert [(author.value.rstrip("."), author.kind) for author in authors] == [(text.rstrip("."), kind)]


@cases("text, expected", "reading/cases/in-running-text-only-what-looks-like-a-name-is-one")
def test_in_running_text_only_what_looks_like_a_name_is_one(text: str, expected: list[str]) -> None:
    assert names(text, visible=True) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Ruth von der Heide", "de", ["Ruth von der Heide"]),
        ("von Ruth von der Heide und Max Berg am 3. Mai", "de", ["Ruth von der Heide", "Max Berg"]),
        ("Eine Reportage von Ruth von der Heide", "de", ["Ruth von der Heide"]),
        ("Un commento di Lia Di Stefano e Mario Rossi", "it", ["Lia Di Stefano", "Mario Rossi"]),
    ],
)
def test_a_word_of_bylines_may_be_part_of_a_name(text: str, language: str, expected: list[str]) -> None:
    assert names(text, language=language, visible=True) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("이보람·최은별 기자", "ko", ["이보람", "최은별"]),
        ("본보 김하늘기자", "ko", ["김하늘"]),
        ("이기자", "ko", ["이기자"]),
        ("本报记者李明", "zh", ["李明"]),
        ("山田太郎、高橋美咲記者", "ja", ["山田太郎", "高橋美咲"]),
    ],
)
def test_what_somebody_does_is_no_part_of_a_name_in_scripts_without_capitals(text: str, language: str, expected: list[str]) -> None:
    assert names(text, language=language, visible=True) == expected


@pytest.mark.parametrize(("text", "expected"), [("& Ann Lee, Hardware", ["Ann Lee"]), ("annlee", ["annlee"])])
def test_one_word_is_a_name_where_an_element_for_the_author_has_it_alone(text: str, expected: list[str]) -> None:
    assert list(signed(text, language="en", place="<p><a rel=author href=/author/1>{}</a></p>").authors) == expected
    assert names("annlee", visible=True) == []


@given(
    st.lists(st.text(st.characters(exclude_characters="<&'", exclude_categories=["Cs"]), max_size=60), max_size=4),
    st.sampled_from(["hu", "de", None]),
    st.booleans(),
)
def test_no_name_comes_twice_and_none_is_empty(texts: list[str], language: str | None, visible: bool) -> None:
    found = names(*texts, language=language, visible=visible)
    assert len({frozenset(normalize("NFC", name).casefold().split()) for name in found}) == len(found)
    assert all(name.strip() == name and name for name in found)


BYLINES = """
bg: автор, от; ca: per; cs: napsala; da: skrevet af; de: ein Beitrag von; el: γράφει η; en: written by; es: escrito por; et: kirjutas;
fi: kirjoittanut; fr: propos recueillis par; hr: piše; hu: írta; id: oleh; it: a cura di; ko: 기자; lt: autorius; lv: teksts;
nl: geschreven door; no: skrevet av; pl: opracowała; pt: publicado por; ro: scris de; ru: автор; sk: napísala; sl: besedilo; sr: пише;
sv: skriven av; tr: yazan, kaleme alan; af: deur; az: müəllif; be: аўтар; mk: пишува; sq: shkruar nga; uk: авторка; uz: muallif
"""
WORDS = [(language, word) for one in BYLINES.split(";") for language, _, words in [one.strip().partition(":")] for word in words.split(",")]


@pytest.mark.parametrize(("language", "word"), WORDS)
def test_a_line_below_the_headline_that_begins_as_bylines_do_in_its_language_names_the_author(language: str, word: str) -> None:
    for shown in (word.strip(), word.strip().upper()):
        assert signed(f"{shown}: Ann Lee", language=language, place="<p>{}</p>").authors == ("Ann Lee",)


@pytest.mark.parametrize(
    ("language", "words", "expected"),
    [
        ("fa", "نوشتهٔ <a href=/n/a>علی رضایی</a>", ["علی رضایی"]),
        ("fa", "نوشته‌ی <a href=/n/a>علی رضایی</a> و <a href=/n/b>گلناز احمدی</a>", ["علی رضایی", "گلناز احمدی"]),
        (
            "fa",
            "نوشتۀ <a href=/n/a>علی رضایی</a>، <a href=/n/b>گلناز احمدی</a> و <a href=/n/c>نیما صدری</a>",
            ["علی رضایی", "گلناز احمدی", "نیما صدری"],
        ),
        ("ar", "إعداد: <a href=/n/a>أحمد علي</a>", ["أحمد علي"]),
        ("ur", "تحریر: <a href=/n/a>احمد خان</a>", ["احمد خان"]),
        ("bn", "লেখক: <a href=/n/a>রহিম উদ্দিন</a>", ["রহিম উদ্দিন"]),
        ("ka", "ავტორი: <a href=/n/a>გიორგი ბერიძე</a>", ["გიორგი ბერიძე"]),
        ("el", "Γράφει ο <a href=/n/a>Νίκος Παππάς</a>", ["Νίκος Παππάς"]),
    ],
)
def test_links_behind_the_word_of_a_byline_name_the_authors(language: str, words: str, expected: list[str]) -> None:
    page = f"<h1>سد شکست</h1><p><span>{words}</span> <span>۲۴ اردیبهشت ۱۴۰۳</span></p><p>متن متن متن متن.</p>"
    assert values(page, "author", GAT, language=language) == expected


def test_a_login_counts_only_where_no_person_is_named() -> None:
    byline = "<h1>A dam</h1><p class=byline>By Ann Lee</p>"
    assert values(news(author="KatieS") + byline, "author", GAT, language="en") == ["Ann Lee"]
    assert values(news(author="KatieS") + "<h1>A dam</h1>", "author", GAT, language="en") == ["KatieS"]
    thread = ld({"@type": "DiscussionForumPosting", "headline": "A dam", "author": "KatieS"})
    assert values(thread + byline, "author", GAT, language="en") == ["KatieS"]


def test_a_byline_of_several_is_taken_whole() -> None:
    page = "<h1>A dam</h1><p>By <b>Ann Lee</b>, <b>Bob Ray</b>, and <b>Cy Fox</b></p><p>It broke in the night.</p>"
    assert values(page, "author", GAT, language="en") == ["Ann Lee", "Bob Ray", "Cy Fox"]


def test_what_a_teaser_tells_is_not_the_author_s_nor_the_headline() -> None:
    item = "<div itemscope itemtype=https://schema.org/NewsArticle><a itemprop=url href={}>More</a><b itemprop=author>Ann Lee</b></div>"
    assert values("<h1>A dam</h1>" + item.format("/other"), "author", GAT, language="en") == []
    assert values("<h1>A dam</h1>" + item.format("/gat"), "author", GAT, language="en") == ["Ann Lee"]


SLOGAN = "Your source for Pelda news"
AUTHOR = "<meta name=author content='{}'>"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (news(author="Sport", articleSection="Sport"), []),
        (news(author=["Ann Lee", "Sport"], articleSection="Sport"), ["Ann Lee"]),
        (news(author="Ann Lee", articleSection="Ann Lee"), ["Ann Lee"]),
        ("<h1>A dam</h1><p class=byline>Smart Home</p><p><a href=/category/smart-home>Smart Home</a></p>", []),
        (AUTHOR.format("Pelda") + "<h1>A dam</h1><p>PELDA, May 1 (Reuters) – The dam broke in the night.</p>", []),
        (AUTHOR.format("New Pelda") + "<h1>A dam</h1><p>NEW PELDA (AP) — The dam broke in the night.</p>", []),
        (AUTHOR.format("Ann Lee") + "<h1>A dam</h1><p>Ann Lee – May 1, 2024</p><p>The dam broke.</p>", ["Ann Lee"]),
        (AUTHOR.format("Ann Lee") + "<h1>A dam</h1><p>Ann Lee – The dam broke in the night.</p>", ["Ann Lee"]),
        (f"<title>A dam | {SLOGAN}</title>" + AUTHOR.format(SLOGAN), []),
        (f"<meta name=description content='{SLOGAN}'>" + AUTHOR.format(SLOGAN), []),
        ("<title>A dam | Ann Lee</title>" + AUTHOR.format("Ann Lee"), ["Ann Lee"]),
        (AUTHOR.format("Web Makers GmbH"), []),
        (news(author="We report what happens at the dam."), []),
    ],
)
def test_what_the_page_shows_to_be_something_else_is_no_author(page: str, expected: list[str]) -> None:
    assert values(page, "author", GAT, language="en") == expected


def test_a_company_that_data_have_for_an_author_is_the_publisher() -> None:
    company = {"@type": "Organization", "name": "Dams Ltd"}
    assert values(news(author=company), "publisher", GAT) == ["Dams Ltd"]
    assert values(news(author=company, publisher={"@type": "Organization", "name": "Rivers Ltd"}), "publisher", GAT) == ["Rivers Ltd"]
