from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trial_portal import capture_of, page_of, portal_of

from webarticlecurator.document.page import read_page
from webarticlecurator.extraction.metadata import ReadMetadata, read_metadata
from webarticlecurator.model.page import Page

URL = "https://pelda.example/2024/05/02/gat"


def read(html: str | bytes, url: str = URL, *, listing: dict[str, tuple[str, ...]] | None = None, **rules: Any) -> ReadMetadata:
    portal = portal_of(title="Példa Hírek", **rules)
    return read_metadata(page_of(html, url), portal, portal.metadata, listing=listing)


def values(html: str | bytes, field: str, url: str = URL, **more: Any) -> list[str]:
    return [found.value for found in read(html, url, **more).metadata.get(field, ())]


def ld(*things: Any) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in things)


def meta(**named: str) -> str:
    return "".join(f'<meta property="{name.replace("__", ":")}" content="{content}">' for name, content in named.items())


ARTICLE = {
    "@type": "NewsArticle",
    "headline": "The dam has broken",
    "datePublished": "2024-05-01T10:00:00+02:00",
    "author": {"name": "Ann Lee"},
}
OTHER = {"@type": "NewsArticle", "headline": "Something else", "url": "https://pelda.example/other", "author": "Bob Ray"}


# --- the order of sources ---


def test_a_feed_that_names_the_portal_as_the_author_of_all_hides_nobody_whom_the_page_names() -> None:
    feed = {"feed:author": ("Példa Hírek",)}
    named, nobody = (f"<html lang=en><h1>A dam</h1><p>{line}</p><p>It broke in the night.</p>" for line in ("By Ann Lee", "At night"))
    assert values(named, "author", listing=feed) == ["Ann Lee"]
    assert values(nobody, "author", listing=feed) == ["Példa Hírek"]


def test_the_portals_rule_goes_before_the_listing_and_both_before_the_page() -> None:
    html = ld({**ARTICLE, "articleSection": "Page"}) + "<b class=s>Rule</b>"
    assert values(html, "articleSection") == ["Page"]
    assert values(html, "articleSection", listing={"articleSection": ("Listing",)}) == ["Listing"]
    assert values(html, "articleSection", listing={"articleSection": ("Listing",)}, metadata={"articleSection": "b.s"}) == ["Rule"]


@pytest.mark.parametrize(
    ("listed", "on_page", "taken"),
    [
        ("2024-05-01", "2024-05-01T10:00:00+02:00", "2024-05-01T10:00:00+02:00"),  # the time, too
        ("2024-05-01", "2024-05-02T10:00:00+02:00", "2024-05-01"),  # another day
        ("2024-05", "2024-05-01T10:00:00+02:00", "2024-05"),
        ("2024-05-01T22:30:00+00:00", "2024-05-02T00:30:00+02:00", "2024-05-02T00:30:00+02:00"),  # the day of those who wrote it
        ("2024-05-02T00:30:00+02:00", "2024-05-01T22:30:00+00:00", "2024-05-02T00:30:00+02:00"),
        ("2024-05-01T22:31:00+00:00", "2024-05-02T00:30:00+02:00", "2024-05-01T22:31:00+00:00"),  # another moment
        ("2024-05-01T22:30:00+00:00", "2024-05-01", "2024-05-01T22:30:00+00:00"),
        ("2024-05-01", "2024-05-01T10:00:00+00:00", "2024-05-01T10:00:00+00:00"),
    ],
)
def test_a_listed_date_is_taken_from_the_page_where_that_says_it_more_exactly(listed: str, on_page: str, taken: str) -> None:
    html = ld({**ARTICLE, "datePublished": on_page})
    assert values(html, "datePublished", "https://pelda.example/gat", listing={"datePublished": (listed,)}) == [taken]
    ruled = taken if "22:30:00+00:00" in listed else listed  # what a rule says of the page counts, but for the clock by which it is told
    assert values(html, "datePublished", metadata={"datePublished": {"const": listed}}) == [ruled]


def test_a_section_has_the_letters_that_readers_see_where_a_template_changed_them() -> None:
    path = "<nav class=breadcrumb><a href=/>Home</a> <a href=/n>Local news</a></nav><h1>A dam</h1>"
    assert values(meta(article__section="local-news") + path, "articleSection") == ["Local news"]
    assert values(meta(article__section="Local News") + path, "articleSection") == ["Local news"]
    assert values(meta(article__section="sport") + path, "articleSection") == ["sport"]


def test_what_the_winner_contradicts_is_kept_as_a_disagreement() -> None:
    result = read(ld({**ARTICLE, "articleSection": "World"}) + meta(article__section="Foreign"))
    assert [one.value for one in result.metadata["articleSection"]] == ["World"]
    assert [(one.value, one.source) for one in result.disagreements["articleSection"]] == [("Foreign", "meta:article:section")]


@pytest.mark.parametrize(("shown", "is_told"), [("2024-05-01", False), ("2024-05-02", True)])
def test_midnight_contradicts_no_rule_that_tells_the_day_alone(shown: str, is_told: bool) -> None:
    page = page_of(f"{meta(article__published_time='2024-05-01T00:00:00Z')}<h1>A dam</h1><i class=day>{shown}</i>")
    portal = portal_of(metadata={"datePublished": "i.day"})
    assert ("datePublished" in read_metadata(page, portal, portal.metadata).disagreements) == is_told


@pytest.mark.parametrize("blank", ["&nbsp;", "&amp;nbsp;", "&amp;amp;nbsp;"])
def test_entities_are_undone_as_often_as_they_were_written(blank: str) -> None:
    assert values(meta(description=f"The{blank}dam has broken."), "description") == ["The dam has broken."]


def test_an_author_does_not_contribute_too_and_the_description_is_no_headline() -> None:
    told = {
        **ARTICLE,
        "author": [{"name": "Ann Lee"}],
        "contributor": [{"name": "Ann Lee"}, {"name": "Bob Ray"}],
        "description": "It broke.",
    }
    html = ld({**told, "alternativeHeadline": "It broke."})
    assert (values(html, "contributor"), values(html, "alternativeHeadline")) == (["Bob Ray"], [])


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        ("https://static.ghost.org/v5.0.0/images/publication-cover.jpg", []),
        ("https://s0.wp.com/i/blank.jpg", []),
        ("https://pelda.example/dam.jpg", ["https://pelda.example/dam.jpg"]),
    ],
)
def test_what_software_shows_of_everything_is_no_picture_of_the_article(picture: str, expected: list[str]) -> None:
    assert values(ld(ARTICLE) + meta(og__image=picture), "image") == expected


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("The dam has broken \u2013 The River Post", []),
        ("The River Post | The dam has broken", []),
        ("The dam has broken \u2013 nobody was hurt", ["The dam has broken \u2013 nobody was hurt"]),
        ("The River Post", ["The River Post"]),
    ],
)
def test_a_title_that_only_adds_the_name_of_the_site_is_no_disagreement(title: str, told: list[str]) -> None:
    home = "<header><p><a href='https://pelda.example/'>The River Post</a></p></header>"
    html = f"<html><head><title>{title}</title></head><body>{home}<h2 class=t>The dam has broken</h2></body></html>"
    result = read(html, metadata={"headline": "h2.t"})
    assert [one.value for one in result.disagreements.get("headline", ())] == told


@pytest.mark.parametrize("marks", ["itemscope itemtype='https://schema.org/{}'", "vocab='https://schema.org/' typeof='{}'"])
@pytest.mark.parametrize(("told", "expected"), [("BlogPosting", "BlogPosting"), ("Article", "NewsArticle")])
def test_the_type_is_told_by_marks_in_the_text_as_well(marks: str, told: str, expected: str) -> None:
    title = "<h1 itemprop=headline property=headline>The dam has broken</h1>"
    assert read(f"<article {marks.format(told)}>{title}<p>It broke.</p></article>").type == expected
    assert read(ld({**ARTICLE, "@type": "Report"}) + f"<article {marks.format(told)}>{title}</article>").type == expected


def test_the_same_moment_in_another_offset_is_no_disagreement() -> None:
    html = ld(ARTICLE) + meta(article__published_time="2024-05-01T08:00:00Z", date="2024-05-01")
    assert "datePublished" not in read(html, "https://pelda.example/gat").disagreements


def test_every_value_says_where_it_stood_and_how() -> None:
    (found,) = read(ld({**ARTICLE, "datePublished": "2024-05-01 10:00"})).metadata["datePublished"]
    assert (found.value, found.raw, found.source) == ("2024-05-01T10:00:00+02:00", "2024-05-01 10:00", "json-ld:datePublished")


def test_a_value_that_a_rule_sends_elsewhere_does_not_come_back() -> None:
    html = ld({**ARTICLE, "author": "MTI"}) + "<i class=a>MTI</i>"
    result = read(html, metadata={"author": {"css": "i.a", "route": {"source": ["MTI"]}}})
    assert [one.value for one in result.metadata["source"]] == ["MTI"]
    assert "author" not in result.metadata


@pytest.mark.parametrize(("published", "modified"), [("2024-05-02T00:00:00+02:00", "2024-05-02T00:01:00+02:00"), ("2024-05-01", None)])
def test_a_change_is_told_by_the_clock_of_the_publication(published: str, modified: str | None) -> None:
    in_utc = "2024-05-01T22:01:00Z"
    result = read(ld({**ARTICLE, "datePublished": published}) + f'<meta property="article:modified_time" content="{in_utc}">')
    (found,) = result.metadata["dateModified"]
    assert (found.value, found.raw) == (modified or "2024-05-01T22:01:00+00:00", in_utc)


def test_only_markup_is_taken_out_of_a_title() -> None:
    assert values(ld({**ARTICLE, "headline": "The dam &lt;soon&gt; opens <b>again</b>"}), "headline") == ["The dam <soon> opens again"]


def test_an_author_that_a_rule_names_keeps_the_page_about_them() -> None:
    html = ld({**ARTICLE, "author": {"name": "Ann Lee", "url": "https://pelda.example/author/ann"}}) + "<i class=a>ANN LEE</i><b>Bob</b>"
    (author,) = read(html, metadata={"author": "i.a"}).metadata["author"]
    assert (author.value, author.source, author.url) == ("ANN LEE", "metadata.author", "https://pelda.example/author/ann")
    (author,) = read(html, metadata={"author": "b"}).metadata["author"]
    assert author.url == ""


SLOGAN = "All of the valley"


@pytest.mark.parametrize(
    ("drop", "page", "expected"),
    [
        ([SLOGAN], meta(description=SLOGAN), []),
        ([SLOGAN], meta(description="The bridge."), ["The bridge."]),
        ([SLOGAN], meta(og__description=SLOGAN, description="The bridge."), ["The bridge."]),
        (["^All of"], meta(og__description=SLOGAN, twitter__description=SLOGAN), []),
        ([".*"], meta(og__description="The bridge.", description="A bridge."), []),
    ],
)
@pytest.mark.parametrize("place", [{"css": "p.summary"}, {"meta": "description"}])
def test_what_a_rule_drops_is_no_value_of_the_field_whoever_tells_it(
    place: dict[str, str], drop: list[str], page: str, expected: list[str]
) -> None:
    told = read(page, listing={"description": (SLOGAN,)}, metadata={"description": {**place, "drop": drop}})

    assert [one.value for one in told.metadata.get("description", ())] == expected
    assert "description" not in told.disagreements


@pytest.mark.parametrize(
    ("cut", "other", "expected"),
    [
        ("The dam broke in the night, and the …", "A report from the dam that broke last night.", "other"),
        ("The dam broke in the night, and the...", "A report from the dam that broke last night.", "other"),
        ("The dam broke in the night, and the ...", "News", "cut"),
        ("The dam broke in the night, and the ...", "The dam broke in the night, and the [...]", "cut"),
        ("The dam broke in the night.", "A report from the dam that broke last night.", "cut"),
    ],
    ids=["an ellipsis", "three dots", "a slogan", "both", "none"],
)
def test_a_description_that_breaks_off_gives_way_to_one_that_does_not(cut: str, other: str, expected: str) -> None:
    html = meta(og__description=cut, description=other)
    assert values(html, "description") == [{"cut": cut, "other": other}[expected]]


def test_a_json_article_has_what_its_portal_file_says_of_all() -> None:
    portal = portal_of(articles={"format": "json"}, publisher={"name": "Példa Kft."})
    result = read_metadata(page_of('{"title": "x"}', URL, format="json"), portal, {})
    found = {name: (values[0].value, values[0].source) for name, values in result.metadata.items()}
    assert found == {
        "publisher": ("Példa Kft.", "publisher.name"),
        "inLanguage": ("hu", "language"),
        "datePublished": ("2024-05-02", "url:date"),
    }


def test_what_a_page_says_it_is_part_of_is_not_the_outlet() -> None:
    html = ld({**ARTICLE, "isPartOf": {"@type": ["CreativeWork", "Product"], "name": "Példa Plus"}}) + meta(og__site_name="Példa Kft.")
    assert values(html, "isPartOf") == []
    assert values(html + "<b class=m>Melléklet</b>", "isPartOf", metadata={"isPartOf": "b.m"}) == ["Melléklet"]


def test_a_date_keeps_the_words_of_the_page_that_say_it() -> None:
    def written(html: str, **rules: Any) -> str:
        return read(html, "https://pelda.example/gat", **rules).metadata["datePublished"][0].written

    text = "<h1>A gát</h1><p class=datum>Budapest, 2024. május 1. 10:00 óra</p>"
    assert written(text) == "2024. május 1. 10:00"
    assert written(text, metadata={"datePublished": "p.datum"}) == "2024. május 1. 10:00"
    assert written(text, metadata={"datePublished": {"css": "p.datum", "date": "yyyy. MMMM d."}}) == "2024. május 1."
    assert written("<h1>A gát</h1><time datetime='2024-05-01'>máj. 1.</time>") == ""
    assert written(ld({**ARTICLE, "datePublished": "May 1, 2024"})) == ""
    data = f"<h1>A gát</h1><div id=data data-json='{'x' * 90} 2024-05-01'></div>"
    assert written(data, metadata={"datePublished": {"css": "#data", "attr": "data-json", "match": r"\S+$"}}) == ""


def test_a_long_text_that_a_rule_takes_for_a_date_is_none() -> None:
    html = f"<h1>A gát</h1><p class=datum>{'tavaly ' * 20}</p>"
    assert values(html, "datePublished", "https://pelda.example/gat", metadata={"datePublished": "p.datum"}) == []


# --- JSON-LD: the right object ---


@pytest.mark.parametrize(
    "html",
    [
        ld(OTHER, {**ARTICLE, "url": URL}),
        ld([OTHER, {**ARTICLE, "mainEntityOfPage": {"@type": "WebPage", "@id": URL}}]),
        ld({"@graph": [OTHER, {**ARTICLE, "@id": URL + "#article"}]}),
        ld({"@type": "ItemList", "itemListElement": [{"item": OTHER}]}, ARTICLE),
        ld({"@type": "WebPage", "mainEntity": ARTICLE, "hasPart": [OTHER]}),
        ld({**ARTICLE, "url": "http://www.pelda.example/2024/05/02/gat/?utm_source=x"}, OTHER),
        "<h1>The dam has broken</h1>" + ld(OTHER, ARTICLE),
    ],
)
def test_the_article_object_is_the_one_about_this_page(html: str) -> None:
    assert values(html, "author") == ["Ann Lee"]
    assert values(html, "headline") == ["The dam has broken"]


def test_objects_of_other_articles_alone_tell_nothing() -> None:
    assert values(ld({"@type": "ItemList", "itemListElement": [{"item": OTHER}]}), "headline") == []


def test_a_reference_is_followed_within_the_page() -> None:
    person = {"@type": "Person", "@id": "#ann", "name": "Ann Lee", "url": "https://pelda.example/ann"}
    assert values(ld({"@graph": [{**ARTICLE, "author": {"@id": "#ann"}}, person]}), "author") == ["Ann Lee"]


def test_a_name_may_lie_anywhere_in_an_author() -> None:
    authors = [
        {"name": ["Ann Lee", {"name": "Bob Ray"}]},
        [["Cy Fox"]],
        {"givenName": "Di", "familyName": "Elk"},
        {"url": "https://x.example/"},
        None,
    ]
    assert values(ld({**ARTICLE, "author": authors}), "author") == ["Ann Lee", "Bob Ray", "Cy Fox", "Di Elk"]


def test_data_that_name_all_who_sign_complete_those_that_name_one_of_them() -> None:
    def signed(*names: str, by: str) -> str:
        said = ", ".join(f"<span itemprop=author class={by}>{name}</span>" for name in names)
        article = f"<article itemscope itemtype=https://schema.org/NewsArticle><h1>A gát</h1><p>{said}</p></article>"
        return ld({**ARTICLE, "author": {"@type": "Person", "name": "Ann Lee"}}) + article

    assert values(signed("Ann Lee", "Bob Ray", by="author"), "author") == ["Ann Lee", "Bob Ray"]
    assert values(signed("Ann Lee", "Bob Ray", by="x"), "author") == ["Ann Lee"]
    assert values(signed("Bob Ray", by="author"), "author") == ["Ann Lee"]


MIXED_UP = {**ARTICLE, "headline": "Why the old mill is gone", "datePublished": "2023-03-03", "mainEntityOfPage": "https://pelda.example/"}


@pytest.mark.parametrize(
    ("title", "address", "day"),
    [
        ("Why our rope is long", "", "2024-05-02"),  # a generator has put in the data of another article of this kind
        ("Why the old mill on the river matters", "", "2023-03-03"),  # longer in the page than in its data
        ("Bridges of our town", URL, "2023-03-03"),  # its address is the page's, whatever its title is
    ],
)
def test_data_of_an_article_that_the_page_is_not_about_count_only_where_they_have_its_address(title: str, address: str, day: str) -> None:
    front = meta(og__url="https://pelda.example/", og__title=title)  # a template that names the site on every page
    data = ld({**MIXED_UP, **({"url": address} if address else {})})
    html = f"<head>{front}{data}</head><h1>{title}</h1><span class=posted-on><time>2024-05-02</time></span>"
    assert [one[:10] for one in values(html, "datePublished")] == [day]


def test_broken_json_ld_is_read() -> None:
    html = '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "The "dam" has\nbroken", "author": "Ann Lee",}</script>'
    assert values(html, "headline") == ['The "dam" has broken']


# --- other sources ---


@pytest.mark.parametrize(
    ("html", "field", "expected"),
    [
        (meta(og__title="A dam"), "headline", ["A dam"]),
        (meta(**{"parsely-author": "Ann Lee"}), "author", ["Ann Lee"]),
        (meta(citation_author="Ann Lee") + meta(citation_author="Bob Ray"), "author", ["Ann Lee", "Bob Ray"]),
        (meta(**{"DC.date.issued": "2024-05-01"}), "datePublished", ["2024-05-01"]),
        (meta(**{"dmp:tags": "dam,flood"}), "keywords", ["dam", "flood"]),
        (meta(article__tag="dam") + meta(article__tag="flood"), "keywords", ["dam", "flood"]),
        (meta(og__image="/a b.png"), "image", ["https://pelda.example/a%20b.png"]),
        (meta(og__image="https://pelda.example/a b.png"), "image", ["https://pelda.example/a%20b.png"]),
        (meta(og__image="https://pelda.example/a.png https://pelda.example/b.png"), "image", []),
        (meta(og__image="/a.png &quot;The dam&quot;"), "image", ["https://pelda.example/a.png"]),
        (meta(og__image="No picture"), "image", []),
        (meta(og__image="/a.png"), "image", ["https://pelda.example/a.png"]),
        (meta(article__content_tier="locked"), "isAccessibleForFree", ["false"]),
        ('<link rel=canonical href="/2024/05/02/gat">', "url", [URL]),
        ('<link rel=canonical href="/">', "url", []),
        ('<div itemscope itemtype="https://schema.org/NewsArticle"><h1 itemprop=headline>A dam</h1></div>', "headline", ["A dam"]),
        (
            '<div itemscope itemtype="http://schema.org/Article"><p itemprop=author itemscope itemtype="http://schema.org/Person">'
            "<a itemprop=name>Ann Lee</a><i itemprop=jobTitle>Editor</i></p></div>",
            "author",
            ["Ann Lee"],
        ),
        (
            "<ul itemscope><a itemprop=articleSection>Menu</a></ul><b itemprop=articleSection>World</b>",
            "articleSection",
            ["World"],
        ),
        (
            '<div vocab="https://schema.org/" typeof=Article><b property="schema:articleSection">World</b></div>',
            "articleSection",
            ["World"],
        ),
        (
            ld({"@type": "BreadcrumbList", "itemListElement": [{"name": n} for n in ("Home", "World", "A dam")]}),
            "articleSection",
            ["World"],
        ),
        ("<title>A dam | Példa Hírek</title>", "headline", ["A dam"]),
        (
            "<h1><a href='/'>Példa</a></h1><h2>The dam has broken</h2><title>The dam has broken - x</title>",
            "headline",
            ["The dam has broken"],
        ),
        ("<h1>A dam</h1><p class='post-meta'>Írta: <a rel=author>Kiss Éva</a></p>", "author", ["Kiss Éva"]),
        ("<h1>A dam</h1><p>Írta: Kiss Éva</p>", "author", ["Kiss Éva"]),
        ("<h1>A dam</h1><ul class=tags><li><a>dam</a><li><a>flood</a></ul>", "keywords", ["dam", "flood"]),
    ],
)
def test_each_source_is_read(html: str, field: str, expected: list[str]) -> None:
    assert values(html, field) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>A dam</h1><time datetime='2024-05-01T10:00'>today</time>", "2024-05-01T10:00:00+02:00"),
        ("<h1>A dam</h1><p class=datum>2024. május 1. 10:00</p>", "2024-05-01T10:00:00+02:00"),
        ("<h1>A dam</h1><p>2024. május 1. 10:00 - Budapest</p>", "2024-05-01T10:00:00+02:00"),
        ("<aside class=related><time datetime='2001-01-01'></time></aside><h1>A</h1><time datetime='2024-05-01'></time>", "2024-05-01"),
        (ld({**ARTICLE, "datePublished": "2024-05-01"}) + "<h1>A dam</h1><time datetime='2024-05-01T09:30'>", "2024-05-01T09:30:00+02:00"),
        (
            ld({**ARTICLE, "datePublished": "2024-05-01T10:00"}) + meta(article__published_time="2024-05-01T08:00:00Z"),
            "2024-05-01T08:00:00+00:00",
        ),
    ],
)
def test_the_date_is_found_and_as_exact_as_the_page_tells_it(html: str, expected: str) -> None:
    assert values(html, "datePublished", "https://pelda.example/gat") == [expected]


TODAY, LOCALLY_TODAY = "2024. június 1.", "2024. június 2."
OWN = "<p>2024. május 1. | A folyó</p>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<ul class=breadcrumb><li>Belföld</li><li class=date>{TODAY}</li></ul><h1>A gát</h1>{OWN}", "2024-05-01"),
        (f"<ul class=breadcrumb><li class=date>{LOCALLY_TODAY}</li></ul><h1>A gát</h1>{OWN}", "2024-05-01"),
        (f"<div><ul class=crumbs><li class=date>{TODAY}</li></ul><h1>A gát</h1>{OWN}</div>", "2024-05-01"),
        (f"<div class=top><b class=datum>{TODAY}</b></div><div><div><h1>A gát</h1>{OWN}</div></div>", "2024-05-01"),
        (f"<header><time>{TODAY}</time></header><main><h1>A gát</h1><p class=datum>2024. május 1.</p></main>", "2024-05-01"),
        (f"<p class=datum>{TODAY}</p><article><h1>A gát</h1><p>A gát 1999-ben épült.</p></article>", "2024-06-01"),
        (f"<article><p class=datum>{TODAY}</p><div><h1>A gát</h1></div><p>1999. május 1. nagy nap volt.</p></article>", "2024-06-01"),
        (f"<div><p class=datum>{TODAY}</p><h1>A gát</h1></div><p>1999. május 1. nagy nap volt.</p>", "2024-06-01"),
        (f"<h1>A gát</h1><p class=datum>{TODAY}</p><p>1999. május 1. nagy nap volt.</p>", "2024-06-01"),
        ("<div class=top><p class=datum>2024. május 9.</p></div><article><h1>A gát</h1><p>1999. május 1.</p></article>", "2024-05-09"),
    ],
    ids=[
        *("in the breadcrumbs", "by the portal's clock", "in breadcrumbs beside the headline", "in the page's head"),
        *("before a marked date", "the only date", "inside the article", "beside the headline", "below it", "of another day"),
    ],
)
def test_the_day_of_the_visit_above_the_article_counts_only_where_nothing_else_tells_a_date(html: str, expected: str) -> None:
    assert values(html, "datePublished", "https://pelda.example/gat") == [expected]


def test_a_date_close_to_the_heading_goes_before_times_further_down() -> None:
    byline = "<p class=documentPublished>Megjelent: 2019. március 6.</p>"
    latest = "<div><a href=/x>Another one</a> <time>2026. november 17.</time></div>"
    page = f"<h1>A dam</h1>{byline}<p>{'The dam is old. ' * 90}</p>{latest}"
    assert values(page, "datePublished", "https://pelda.example/gat") == ["2019-03-06"]
    assert values(page.replace(byline, ""), "datePublished", "https://pelda.example/gat") == ["2026-11-17"]


def test_the_day_in_the_address_counts_before_that_of_the_visit() -> None:
    html = f"<ul class=breadcrumb><li class=date>{TODAY}</li></ul><h1>A gát</h1>"
    assert values(html, "datePublished", URL) == ["2024-05-02"]


def test_a_later_edition_does_not_hide_the_publication() -> None:
    html = ld({**ARTICLE, "datePublished": "2024-05-20T10:00:00+02:00"})
    assert values(html, "datePublished", "https://pelda.example/2019/07/12/gat") == ["2019-07-12"]
    assert values(html, "datePublished", "https://pelda.example/2024/05/19/gat") == ["2024-05-20T10:00:00+02:00"]


def test_the_outlet_is_an_author_only_where_nobody_else_is() -> None:
    own = {**ARTICLE, "author": {"@type": "Organization", "name": "Példa Hírek"}}
    assert values(ld(own), "author") == ["Példa Hírek"]
    assert values(ld(own) + "<h1>x</h1><span class=author>Kiss Éva</span>", "author") == ["Kiss Éva"]


def test_a_person_who_publishes_her_own_site_is_its_author() -> None:
    own = {**ARTICLE, "author": "Ann Lee", "publisher": {"@type": "Person", "name": "Ann Lee"}}
    assert values(ld(own) + "<h1>x</h1><p class=byline>Ann LeeIn Travel Guides</p>", "author") == ["Ann Lee"]


def test_a_card_may_name_its_labels_in_its_elements() -> None:
    assert values(meta(**{"twitter:misc:Written by": "Ann Lee", "twitter:misc:Est. reading time": "3 minutes"}), "author") == ["Ann Lee"]


def test_a_section_is_no_author() -> None:
    assert values(meta(author="Belföld", article__section="Belföld"), "author") == []


@pytest.mark.parametrize(
    ("written", "expected"),
    [("Lee, Ann", ["Ann Lee"]), ("van der Berg, Ann", ["Ann van der Berg"]), ("Ann Lee, Bob Ray", ["Ann Lee", "Bob Ray"])],
)
def test_where_libraries_look_the_family_name_may_stand_first(written: str, expected: list[str]) -> None:
    assert values(meta(citation_author=written), "author") == expected


# --- the headline ---


SEARCHED = "<title>Dams in 2024: all you need to know | Példa Hírek</title>" + meta(og__title="Dams in 2024: all you need to know")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>What you need to know of dams</h1>", "What you need to know of dams"),
        ("<h1>Know your dams</h1>", "Dams in 2024: all you need to know"),
        ("<h1>The best news of the whole country</h1>", "Dams in 2024: all you need to know"),
        ("<h1>What you need to know of dams</h1><h1>More for you to know</h1>", "Dams in 2024: all you need to know"),
        (ld({**ARTICLE, "headline": "Dams in 2024: all you need to know"}) + "<h1>What you need to know of dams</h1>", None),
    ],
    ids=["in other words", "in few words", "a slogan", "one of two", "news"],
)
def test_the_heading_that_readers_see_goes_before_what_search_engines_are_told(html: str, expected: str | None) -> None:
    assert values(SEARCHED + html, "headline") == [expected or "Dams in 2024: all you need to know"]


@pytest.mark.parametrize(
    "told", ["<title>In praise of rain and of wind | The Light of Rain</title>", meta(og__site_name="The Light of Rain")]
)
def test_the_name_of_the_site_is_no_headline_though_it_shares_words_with_it(told: str) -> None:
    html = (
        told
        + meta(og__title="In praise of rain and of wind")
        + "<h1><a href=/news/>The Light of Rain</a></h1><h2><a href=/1>In praise of rain and of wind</a></h2>"
    )
    assert values(html, "headline") == ["In praise of rain and of wind"]


@pytest.mark.parametrize(
    "kicker",
    ["<span class=article__kicker>Politics</span>", "<small class=dachzeile>Politics</small> ", "<span class=sr-only>Headline:</span>"],
)
def test_a_line_above_the_headline_is_no_part_of_it(kicker: str) -> None:
    assert values(f"<h1>{kicker}The dam has broken</h1>", "headline") == ["The dam has broken"]


def test_a_headline_is_never_taken_for_the_sites_name() -> None:
    html = ld({**ARTICLE}) + meta(**{"application-name": "The dam has broken"})
    assert values(html, "headline") == ["The dam has broken"]


# --- language and type ---


def test_the_portal_knows_its_language_unless_the_page_says_twice_it_is_another() -> None:
    assert values('<html lang="en">', "inLanguage") == ["hu"]
    assert values('<html lang="en-GB">' + meta(og__locale="en_GB"), "inLanguage") == ["en-GB"]
    assert values('<html lang="hu-HU">' + meta(og__locale="en_US") + meta(language="en"), "inLanguage") == ["hu"]
    assert values('<html lang="sr-latn-rs">', "inLanguage", language=None) == ["sr-Latn-RS"]


@pytest.mark.parametrize(
    ("told", "kind", "expected"),
    [
        ("NewsArticle", "blog", "NewsArticle"),
        ("https://schema.org/LiveBlogPosting", "news", "LiveBlogPosting"),
        ("Article", "news", "NewsArticle"),
        ("Article", "blog", "BlogPosting"),
        ("Recipe", "news", "NewsArticle"),
    ],
)
def test_the_type_is_the_pages_own_where_it_says_more_than_the_portals_kind(told: str, kind: str, expected: str) -> None:
    assert read(ld({**ARTICLE, "@type": told}), kind=kind).type == expected


def test_an_entry_of_a_live_blog_is_not_the_page_though_it_has_its_address() -> None:
    entry = {"@type": "BlogPosting", "url": f"{URL}#e1", "headline": "Polls are closed", "author": {"@type": "Person", "name": "Kis Anna"}}
    found = read(ld({"@type": "LiveBlogPosting", "headline": "Election night", "liveBlogUpdate": [entry]}))
    assert found.type == "LiveBlogPosting" and "author" not in found.metadata


# --- the sanity gate ---


@pytest.mark.parametrize(
    ("published", "flag"),
    [
        ("2031-01-01T00:00:00Z", "datePublished lies after the capture: 2031-01-01T00:00:00+00:00"),
        ("1971-01-01", "datePublished lies before there were portals: 1971-01-01"),
    ],
)
def test_a_date_that_cannot_be_is_flagged_and_kept(published: str, flag: str) -> None:
    result = read(ld({**ARTICLE, "datePublished": published}), "https://pelda.example/gat")
    assert result.flags == (flag,)
    assert result.metadata["datePublished"][0].value[:4] == published[:4]


def test_a_date_before_the_portals_archive_is_flagged() -> None:
    archive = {"url": "https://pelda.example/{year}/", "link": "a", "dates": {"from": "2010-01-01", "step": "year"}}
    (flag,) = read(ld({**ARTICLE, "datePublished": "2009-01-01"}), "https://pelda.example/gat", archive=archive).flags
    assert flag == "datePublished lies before the portal's archive begins: 2009-01-01"


@pytest.mark.parametrize("told", ["json-ld", "html"])
def test_the_crumb_of_the_one_archive_is_no_section(told: str) -> None:
    steps = [("Home", "https://pelda.example/"), ("Posts", "https://pelda.example/blog/"), ("Local", "/blog/local/"), ("A dam", URL)]

    def page(*named: str) -> str:
        chosen = [step for step in steps if step[0] in named]
        items = [{"@type": "ListItem", "name": name, "item": url} for name, url in chosen]
        links = "".join(f"<li><a href='{url}'>{name}</a></li>" for name, url in chosen)
        crumbs = ld({"@type": "BreadcrumbList", "itemListElement": items}) if told == "json-ld" else f"<ol class=breadcrumb>{links}</ol>"
        return f"<title>A dam</title>{crumbs}<h1>A dam</h1><p>It broke.</p>"

    archive = {"url": "https://pelda.example/blog/", "link": "a"}
    assert values(page("Home", "Posts", "A dam"), "articleSection", archive=archive) == []
    assert values(page("Home", "Posts", "Local", "A dam"), "articleSection", archive=archive) == ["Local"]
    assert values(page("Home", "Posts", "A dam"), "articleSection") == ["Posts"], "it may be one of several sections"


def test_a_change_behind_the_publication_is_none_before_it_by_whatever_clock() -> None:
    told = {"datePublished": "2024-05-02T00:10:00+02:00", "dateModified": "2024-05-01T22:30:00+00:00"}
    assert read(ld({**ARTICLE, **told})).flags == ()
    assert read(ld({**ARTICLE, **told, "dateModified": "2024-05-01T22:00:00+00:00"})).flags != ()


def test_a_change_before_the_publication_is_flagged() -> None:
    assert read(ld({**ARTICLE, "dateModified": "2023-01-01"})).flags == ("dateModified lies before datePublished: 2023-01-01",)


# --- hostile pages ---


@pytest.mark.parametrize(
    "html",
    [
        "<h1>" * 300 + "x",
        "<p class=author>" * 1500 + "By Ann Lee",
        "<div itemscope itemtype=Article itemprop=author>" * 500 + "x",
        ld([{"@type": "NewsArticle", "@id": "a", "headline": "x", "author": [{"@id": "a"}] * 300, "name": [{"@id": "a"}] * 300}] * 20),
        '<script type="application/ld+json">' + '{"a":' * 5000,
        "<title>" + "a - " * 100_000,
        meta(author="(" * 1900, keywords=", " * 900),
        "<p class=date>2024" + " 1" * 100_000,
        "<h1>A</h1>" + "<a rel=author href=/author/x>Ann Lee</a><time title=2024-05-01></time><a href=/tag/x>x</a>By" * 20_000,
        "<div>" * 230 + "<h2><a href=/b>b</a></h2><p class=byline>By Ann Lee</p>" * 20_000,
    ],
)
def test_a_hostile_page_is_read_in_bounded_time(html: str) -> None:
    page = read_page(capture_of(html, URL))
    portal = portal_of()
    if isinstance(page, Page):
        assert read_metadata(page, portal, {}).metadata["inLanguage"]


@given(
    st.lists(
        st.sampled_from(
            ["<h1>", "</h1>", "<p class=author>", "By Ann", "<time datetime=", "2024-", "<meta name=author content=", '"', ">", "é", "</p>"]
        ),
        max_size=30,
    )
)
def test_nothing_on_a_page_raises(pieces: list[str]) -> None:
    page = read_page(capture_of("<body>x" + "".join(pieces), URL))
    if isinstance(page, Page):
        read_metadata(page, PORTAL, {})


PORTAL = portal_of()


@pytest.mark.parametrize(
    ("written", "sections"),
    [
        ("Sport,Labdarúgás", ["Sport", "Labdarúgás"]),
        ("Sport; Labdarúgás | Helyi", ["Sport", "Labdarúgás", "Helyi"]),
        ("Sport, Labdarúgás, Helyi", ["Sport", "Labdarúgás", "Helyi"]),
        ("Arts, Food and Drink", ["Arts, Food and Drink"]),
        ("Helena, MT", ["Helena, MT"]),
        ("Belföld", ["Belföld"]),
    ],
)
def test_several_sections_in_one_text_are_several(written: str, sections: list[str]) -> None:
    assert values(ld({**ARTICLE, "articleSection": written}), "articleSection") == sections


def test_several_sections_of_the_data_are_all_told() -> None:
    assert values(ld({**ARTICLE, "articleSection": ["Sport", "Helyi"]}), "articleSection") == ["Sport", "Helyi"]


def test_an_article_is_not_based_on_itself_and_has_no_other_headline_that_is_the_same() -> None:
    page = {**ARTICLE, "headline": "A híd megnyílt", "url": "https://pelda.example/cikk/7"}
    works = ["https://www.pelda.example/cikk/7?utm_source=x#top", "https://masik.example/1"]
    assert values(ld({**page, "isBasedOn": works}), "isBasedOn") == ["https://masik.example/1"]
    assert values(ld({**page, "alternativeHeadline": "A HÍD megnyílt"}), "alternativeHeadline") == []
    assert values(ld({**page, "alternativeHeadline": "Átadták"}), "alternativeHeadline") == ["Átadták"]


@pytest.mark.parametrize(
    ("below", "found"),
    [
        ("<header><h2>A híd megnyílt</h2><h3>Két évig épült</h3><p>Kis Anna</p></header>", ["Két évig épült"]),
        ("<hgroup><h2>A híd megnyílt</h2><p>Két évig épült</p></hgroup>", ["Két évig épült"]),
        ("<header><h2>A híd megnyílt</h2><p>Két évig épült</p></header>", []),
        ("<div><h2>A híd megnyílt</h2><h3>Két évig épült</h3></div>", []),
        ("<header><h2>A híd megnyílt</h2><h2>Két évig épült</h2></header>", []),
        ("<header><h2>A híd megnyílt</h2><h3><a href=/rovat>Két évig épült</a></h3></header>", []),
        ("<header><h2>A híd megnyílt</h2><h3 class=byline>Kis Anna írása</h3></header>", []),
        (f"<header><h2>A híd megnyílt</h2><h3>{'Két évig épült az új híd a folyón, ' * 4}és most kész.</h3></header>", []),
    ],
)
def test_a_smaller_heading_right_behind_the_headline_is_a_second_one(below: str, found: list[str]) -> None:
    assert values(f"<title>A híd megnyílt</title><article>{below}<p>Szöveg.</p></article>", "alternativeHeadline") == found
