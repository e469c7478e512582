"""What a page, the archive and the portal file say of an article, and which of it counts."""

from __future__ import annotations

from typing import Any

import pytest
from told import CIKK, GAT, Case, check, ld, meta, read, values

ARTICLE = {
    "@type": "NewsArticle",
    "headline": "The dam has broken",
    "datePublished": "2024-05-01T10:00:00+02:00",
    "author": {"name": "Ann Lee"},
}
OTHER = {"@type": "NewsArticle", "headline": "Something else", "url": "https://pelda.example/other", "author": "Bob Ray"}
AT_GAT = {"url": GAT}


def article(**fields: Any) -> str:
    return ld({**ARTICLE, **fields})


NAMED, NOBODY = (f"<html lang=en><h1>A dam</h1><p>{line}</p><p>It broke in the night.</p>" for line in ("By Ann Lee", "At night"))
FEED = {"listing": {"feed:author": ("Példa Hírek",)}}
WORLD = article(articleSection="Page") + "<b class=s>Rule</b>"
LISTED = {"listing": {"articleSection": ("Listing",)}}
OWN = article(author={"@type": "Organization", "name": "Példa Hírek"})
SEARCHED = "<title>Dams in 2024: all you need to know | Példa Hírek</title>" + meta(og__title="Dams in 2024: all you need to know")
SEARCHED_FOR = ["Dams in 2024: all you need to know"]
RAIN = "<h1><a href=/news/>The Light of Rain</a></h1><h2><a href=/1>In praise of rain and of wind</a></h2>"
PRAISE = meta(og__title="In praise of rain and of wind")
PART_OF = article(isPartOf={"@type": ["CreativeWork", "Product"], "name": "Példa Plus"}) + meta(og__site_name="Példa Kft.")
BYLINE = "<p class=documentPublished>Megjelent: 2019. március 6.</p>"
FAR_BELOW = f"<p>{'The dam is old. ' * 90}</p><div><a href=/x>Another one</a> <time>2026. november 17.</time></div>"
WORKS = ["https://www.pelda.example/cikk/7?utm_source=x#top", "https://masik.example/1"]
CUT, WHOLE, NEWS = "The dam broke in the night, and the", "A report from the dam that broke last night.", "News"
SLOGAN = "All of the valley"


def described(cut: str, other: str, expected: str) -> Case:
    return meta(og__description=cut, description=other), "description", [expected]


SAID: dict[str, list[Case]] = {
    "a feed that names the portal as the author of all hides nobody whom the page names": [
        (NAMED, "author", ["Ann Lee"], FEED),
        (NOBODY, "author", ["Példa Hírek"], FEED),
    ],
    "the portal's rule goes before the listing and both before the page": [
        (WORLD, "articleSection", ["Page"]),
        (WORLD, "articleSection", ["Listing"], LISTED),
        (WORLD, "articleSection", ["Rule"], {**LISTED, "metadata": {"articleSection": "b.s"}}),
    ],
    "entities are undone as often as they were written": [
        (meta(description=f"The{blank}dam has broken."), "description", ["The dam has broken."])
        for blank in ("&nbsp;", "&amp;nbsp;", "&amp;amp;nbsp;")
    ],
    "an author does not contribute too, and the description is no headline": [
        (article(author=[{"name": "Ann Lee"}], contributor=[{"name": "Ann Lee"}, {"name": "Bob Ray"}]), "contributor", ["Bob Ray"]),
        (article(description="It broke.", alternativeHeadline="It broke."), "alternativeHeadline", []),
    ],
    "only markup is taken out of a title": [
        (article(headline="The dam &lt;soon&gt; opens <b>again</b>"), "headline", ["The dam <soon> opens again"])
    ],
    "a description that breaks off gives way to one that does not": [
        described(f"{CUT} …", WHOLE, WHOLE),
        described(f"{CUT}...", WHOLE, WHOLE),
        described(f"{CUT} ...", NEWS, f"{CUT} ..."),
        described(f"{CUT} ...", f"{CUT} [...]", f"{CUT} ..."),
        described("The dam broke in the night.", WHOLE, "The dam broke in the night."),
        described(CUT, f"{CUT} town was flooded.", f"{CUT} town was flooded."),
        described("The dam broke.", "The dam broke. The town was flooded.", "The dam broke."),
        (f"<h1>{CUT} town was flooded</h1>{meta(og__description=CUT, description=WHOLE)}", "description", [WHOLE]),
    ],
    "what a page says it is part of is not the outlet": [
        (PART_OF, "isPartOf", []),
        (PART_OF + "<b class=m>Melléklet</b>", "isPartOf", ["Melléklet"], {"metadata": {"isPartOf": "b.m"}}),
    ],
    "a long text that a rule takes for a date is none": [
        (f"<p class=datum>{'tavaly ' * 20}</p>", "datePublished", [], {**AT_GAT, "metadata": {"datePublished": "p.datum"}})
    ],
    "objects of other articles alone tell nothing": [(ld({"@type": "ItemList", "itemListElement": [{"item": OTHER}]}), "headline", [])],
    "a reference is followed within the page": [
        (ld({"@graph": [{**ARTICLE, "author": {"@id": "#a"}}, {"@type": "Person", "@id": "#a", "name": "Zoe Ray"}]}), "author", ["Zoe Ray"])
    ],
    "a name may lie anywhere in an author": [
        (article(author=["Ann Lee", [["Cy Fox"]], None]), "author", ["Ann Lee", "Cy Fox"]),
        (article(author=[{"name": ["Ann Lee", {"name": "Bob Ray"}]}]), "author", ["Ann Lee", "Bob Ray"]),
        (article(author=[{"givenName": "Di", "familyName": "Elk"}, {"url": "https://x.example/"}]), "author", ["Di Elk"]),
    ],
    "the outlet is an author only where nobody else is": [
        (OWN, "author", ["Példa Hírek"]),
        (OWN + "<h1>x</h1><span class=author>Kiss Éva</span>", "author", ["Kiss Éva"]),
    ],
    "a person who publishes her own site is its author": [
        (
            article(author="Ann Lee", publisher={"@type": "Person", "name": "Ann Lee"}) + "<p class=byline>Ann LeeIn Travel Guides</p>",
            "author",
            ["Ann Lee"],
        )
    ],
    "a card may name its labels in its elements": [
        (meta(**{"twitter:misc:Written by": "Ann Lee", "twitter:misc:Est. reading time": "3 minutes"}), "author", ["Ann Lee"])
    ],
    "a section is no author": [(meta(author="Belföld", article__section="Belföld"), "author", [])],
    "where libraries look the family name may stand first": [
        (meta(citation_author="Lee, Ann"), "author", ["Ann Lee"]),
        (meta(citation_author="van der Berg, Ann"), "author", ["Ann van der Berg"]),
        (meta(citation_author="Ann Lee, Bob Ray"), "author", ["Ann Lee", "Bob Ray"]),
    ],
    "the heading that readers see goes before what search engines are told": [
        (SEARCHED + "<h1>What you need to know of dams</h1>", "headline", ["What you need to know of dams"]),
        (SEARCHED + "<h1>Know your dams</h1>", "headline", SEARCHED_FOR),
        (SEARCHED + "<h1>The best news of the whole country</h1>", "headline", SEARCHED_FOR),
        (SEARCHED + "<h1>What you need to know of dams</h1><h1>More for you to know</h1>", "headline", ["What you need to know of dams"]),
        (SEARCHED + article(headline=SEARCHED_FOR[0]) + "<h1>What you need to know of dams</h1>", "headline", SEARCHED_FOR),
    ],
    "the name of the site is no headline though it shares words with it": [
        (f"<title>In praise of rain and of wind | The Light of Rain</title>{PRAISE}{RAIN}", "headline", ["In praise of rain and of wind"]),
        (meta(og__site_name="The Light of Rain") + PRAISE + RAIN, "headline", ["In praise of rain and of wind"]),
        ("<title>Rain: The dam has broken</title><h1>Rain</h1><h3>The dam has broken</h3>", "headline", ["The dam has broken"]),
    ],
    "a headline is never taken for the site's name": [
        (article() + meta(**{"application-name": "The dam has broken"}), "headline", ["The dam has broken"])
    ],
    "the portal knows its language where no words of the page show another": [
        ('<html lang="en">', "inLanguage", ["hu"]),
        ('<html lang="hu-HU">' + meta(og__locale="en_US") + meta(language="en"), "inLanguage", ["hu"]),
        ('<html lang="sr-latn-rs">', "inLanguage", ["sr-Latn-RS"], {"language": None}),
    ],
    "several sections in one text are several": [
        (article(articleSection="Sport,Labdarúgás"), "articleSection", ["Sport", "Labdarúgás"]),
        (article(articleSection="Sport; Labdarúgás | Helyi"), "articleSection", ["Sport", "Labdarúgás", "Helyi"]),
        (article(articleSection="Sport, Labdarúgás, Helyi"), "articleSection", ["Sport", "Labdarúgás", "Helyi"]),
        (article(articleSection="Arts, Food and Drink"), "articleSection", ["Arts, Food and Drink"]),
        (article(articleSection="Helena, MT"), "articleSection", ["Helena, MT"]),
        (article(articleSection=["Sport", "Helyi"]), "articleSection", ["Sport", "Helyi"]),
    ],
    "an article is not based on itself and has no other headline that is the same": [
        (article(url="https://pelda.example/cikk/7", isBasedOn=WORKS), "isBasedOn", ["https://masik.example/1"]),
        (article(alternativeHeadline="THE DAM has broken"), "alternativeHeadline", []),
        (article(alternativeHeadline="Nobody was hurt"), "alternativeHeadline", ["Nobody was hurt"]),
    ],
    "a date close to the heading goes before times further down": [
        (f"<h1>A dam</h1>{BYLINE}{FAR_BELOW}", "datePublished", ["2019-03-06"], AT_GAT),
        (f"<h1>A dam</h1>{FAR_BELOW}", "datePublished", ["2026-11-17"], AT_GAT),
    ],
    "a later edition does not hide the publication": [
        (article(datePublished="2024-05-20T10:00:00+02:00"), "datePublished", [day], {"url": f"https://pelda.example/{path}/gat"})
        for path, day in (("2019/07/12", "2019-07-12"), ("2024/05/19", "2024-05-20T10:00:00+02:00"))
    ],
}


@pytest.mark.parametrize("cases", SAID.values(), ids=SAID)
def test_what_counts(cases: list[Case]) -> None:
    check(cases)


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
    ],
)
def test_a_listed_date_is_taken_from_the_page_where_that_says_it_more_exactly(listed: str, on_page: str, taken: str) -> None:
    html = ld({**ARTICLE, "datePublished": on_page})
    assert values(html, "datePublished", GAT, listing={"datePublished": (listed,)}) == [taken]
    ruled = taken if "22:30:00+00:00" in listed else listed  # what a rule says of the page counts, but for the clock by which it is told
    assert values(html, "datePublished", metadata={"datePublished": {"const": listed}}) == [ruled]


def test_what_the_winner_contradicts_is_kept_as_a_disagreement() -> None:
    result = read(ld({**ARTICLE, "articleSection": "World"}) + meta(article__section="Foreign"))
    assert [one.value for one in result.metadata["articleSection"]] == ["World"]
    assert [(one.value, one.source) for one in result.disagreements["articleSection"]] == [("Foreign", "meta:article:section")]


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("The dam has broken \u2013 The River Post", []),
        ("The River Post | The dam has broken", []),
        ("The dam has broken \u2013 nobody was hurt", ["The dam has broken \u2013 nobody was hurt"]),
    ],
)
def test_a_title_that_only_adds_the_name_of_the_site_is_no_disagreement(title: str, told: list[str]) -> None:
    site = meta(og__site_name="The River Post")
    html = f"<html><head><title>{title}</title>{site}</head><body><h2 class=t>The dam has broken</h2></body></html>"
    result = read(html, metadata={"headline": "h2.t"})
    assert [one.value for one in result.disagreements.get("headline", ())] == told


@pytest.mark.parametrize(("published", "modified"), [("2024-05-02T00:00:00+02:00", "2024-05-02T00:01:00+02:00"), ("2024-05-01", None)])
def test_a_change_is_told_by_the_clock_of_the_publication(published: str, modified: str | None) -> None:
    in_utc = "2024-05-01T22:01:00Z"
    result = read(ld({**ARTICLE, "datePublished": published}) + f'<meta property="article:modified_time" content="{in_utc}">')
    (found,) = result.metadata["dateModified"]
    assert (found.value, found.raw) == (modified or "2024-05-01T22:01:00+00:00", in_utc)


@pytest.mark.parametrize(
    ("drop", "page", "expected"),
    [
        ([SLOGAN], meta(description=SLOGAN), []),
        ([SLOGAN], meta(description="The bridge.") + "<p>It is old.</p>", ["The bridge."]),
        ([SLOGAN], meta(og__description=SLOGAN, description="The bridge."), ["The bridge."]),
        (["^All of"], meta(og__description=SLOGAN, twitter__description=SLOGAN), []),
        ([".*"], meta(og__description="The bridge.", description="A bridge."), []),
    ],
)
@pytest.mark.parametrize("place", [{"css": "p.summary"}, {"meta": "description"}, {}])
def test_what_a_rule_drops_is_no_value_of_the_field_whoever_tells_it(
    place: dict[str, str], drop: list[str], page: str, expected: list[str]
) -> None:
    told = read(page, listing={"description": (SLOGAN,)}, metadata={"description": {**place, "drop": drop}})

    assert [one.value for one in told.metadata.get("description", ())] == expected
    assert "description" not in told.disagreements


def test_a_date_keeps_the_words_of_the_page_that_say_it() -> None:
    def written(html: str, **rules: Any) -> str:
        return read(html, GAT, **rules).metadata["datePublished"][0].written

    text = "<h1>A gát</h1><p class=datum>Budapest, 2024. május 1. 10:00 óra</p>"
    assert written(text) == "2024. május 1. 10:00"
    assert written(text, metadata={"datePublished": "p.datum"}) == "2024. május 1. 10:00"
    assert written(text, metadata={"datePublished": {"css": "p.datum", "date": "yyyy. MMMM d."}}) == "2024. május 1."
    assert written("<h1>A gát</h1><time datetime='2024-05-01'>máj. 1.</time>") == ""
    assert written(ld({**ARTICLE, "datePublished": "May 1, 2024"})) == ""
    data = f"<h1>A gát</h1><div id=data data-json='{'x' * 90} 2024-05-01'></div>"
    assert written(data, metadata={"datePublished": {"css": "#data", "attr": "data-json", "match": r"\S+$"}}) == ""


@pytest.mark.parametrize(
    "html",
    [
        ld(OTHER, {**ARTICLE, "url": CIKK}),
        ld([OTHER, {**ARTICLE, "mainEntityOfPage": {"@type": "WebPage", "@id": CIKK}}]),
        ld({"@graph": [OTHER, {**ARTICLE, "@id": CIKK + "#article"}]}),
        ld({"@type": "WebPage", "mainEntity": ARTICLE, "hasPart": [OTHER]}),
        ld({**ARTICLE, "url": "http://www.pelda.example/2024/05/02/gat/?utm_source=x"}, OTHER),
        "<h1>The dam has broken</h1>" + ld(OTHER, ARTICLE),
    ],
)
def test_the_article_object_is_the_one_about_this_page(html: str) -> None:
    assert values(html, "author") == ["Ann Lee"]
    assert values(html, "headline") == ["The dam has broken"]


@pytest.mark.parametrize(
    ("html", "field", "expected"),
    [
        (meta(og__title="A dam"), "headline", ["A dam"]),
        (meta(**{"parsely-author": "Ann Lee"}), "author", ["Ann Lee"]),
        (meta(citation_author="Ann Lee") + meta(citation_author="Bob Ray"), "author", ["Ann Lee", "Bob Ray"]),
        (meta(**{"DC.date.issued": "2024-05-01"}), "datePublished", ["2024-05-01"]),
        (meta(article__tag="dam") + meta(article__tag="flood"), "keywords", ["dam", "flood"]),
        (meta(og__image="https://pelda.example/a b.png"), "image", ["https://pelda.example/a%20b.png"]),
        (meta(og__image="https://pelda.example/a.png https://pelda.example/b.png"), "image", []),
        (meta(og__image="/a.png &quot;The dam&quot;"), "image", ["https://pelda.example/a.png"]),
        (meta(og__image="No picture"), "image", []),
        (meta(article__content_tier="locked"), "isAccessibleForFree", ["false"]),
        ("<p itemscope itemtype=https://schema.org/Article><meta itemprop=articleSection content=World>", "articleSection", ["World"]),
        ("<p itemscope itemtype=https://schema.org/Article><img itemprop=image src=/a.png>", "image", ["https://pelda.example/a.png"]),
        ('<link rel=canonical href="/2024/05/02/gat">', "url", [CIKK]),
        ('<link rel=canonical href="/">', "url", []),
        ('<div itemscope itemtype="https://schema.org/NewsArticle"><h1 itemprop=headline>A dam</h1></div>', "headline", ["A dam"]),
        ("<ul itemscope><a itemprop=articleSection>Menu</a></ul><b itemprop=articleSection>World</b>", "articleSection", ["World"]),
        ("<h1>A dam</h1><p>2024. május 1. · Írta: Kiss Éva</p>", "author", ["Kiss Éva"]),
        ("<h1>A dam</h1><p>Posted on May 1, 2024 by Ann Lee and Bob Ray</p>", "author", ["Ann Lee", "Bob Ray"]),
        ("<h1>A dam</h1><p><time datetime=2024-05-01>May 1, 2024</time> | by Ann Lee</p>", "author", ["Ann Lee"]),
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
    assert values(html, "datePublished", GAT) == [expected]


@pytest.mark.parametrize(
    ("told", "kind", "expected"),
    [
        ("NewsArticle", "blog", "NewsArticle"),
        ("https://schema.org/LiveBlogPosting", "news", "LiveBlogPosting"),
        ("Article", "blog", "BlogPosting"),
        ("Recipe", "news", "NewsArticle"),
    ],
)
def test_the_type_is_the_pages_own_where_it_says_more_than_the_portals_kind(told: str, kind: str, expected: str) -> None:
    assert read(ld({**ARTICLE, "@type": told}), kind=kind).type == expected


def test_an_entry_of_a_live_blog_is_not_the_page_though_it_has_its_address() -> None:
    entry = {"@type": "BlogPosting", "url": f"{CIKK}#e1", "headline": "Polls are closed", "author": {"@type": "Person", "name": "Kis Anna"}}
    found = read(ld({"@type": "LiveBlogPosting", "headline": "Election night", "liveBlogUpdate": [entry]}))
    assert found.type == "LiveBlogPosting" and "author" not in found.metadata


ARCHIVE = {"url": "https://pelda.example/{year}/", "link": "a", "dates": {"from": "2010-01-01", "step": "year"}}


@pytest.mark.parametrize(
    ("address", "rules", "told", "flags"),
    [
        (GAT, {}, {"datePublished": "2031-01-01T00:00:00Z"}, ["datePublished lies after the capture: 2031-01-01T00:00:00+00:00"]),
        (GAT, {}, {"datePublished": "1971-01-01"}, ["datePublished lies before there were portals: 1971-01-01"]),
        (GAT, {"archive": ARCHIVE}, {"datePublished": "2009-01-01"}, ["datePublished lies before the portal's archive begins: 2009-01-01"]),
        (CIKK, {}, {"dateModified": "2023-01-01"}, ["dateModified lies before datePublished: 2023-01-01"]),
        (CIKK, {}, {"datePublished": "2024-05-02T00:10:00+02:00", "dateModified": "2024-05-01T22:30:00+00:00"}, []),
    ],
)
def test_a_date_that_cannot_be_is_flagged_and_kept(address: str, rules: dict[str, Any], told: dict[str, str], flags: list[str]) -> None:
    result = read(article(**told), address, **rules)
    assert list(result.flags) == flags
    assert all(result.metadata[name][0].value[:4] == date[:4] for name, date in told.items())


# --- what says nothing, and what a page declares itself to be ---


@pytest.mark.parametrize("nothing", ["Loading...", "Please wait…", "index.html", "dam-at-night.jpg", "undefined"])
def test_a_description_that_says_nothing_is_none(nothing: str) -> None:
    assert values(meta(og__description=nothing), "description") == []
    assert values(meta(og__description=nothing, description=WHOLE), "description") == [WHOLE]


@pytest.mark.parametrize(
    ("page", "declared"),
    [
        (article(**{"@type": ["NewsArticle", "Recipe"]}), ["Recipe"]),
        (article() + ld({"@type": "Product", "name": "The dam has broken"}), ["Product"]),
        (article() + ld({"@type": "Product", "name": "A raincoat"}), []),
        (article(), []),
        ("<p itemscope itemtype=https://schema.org/Recipe><b itemprop=name>Soup</b></p>", ["Recipe"]),
    ],
)
def test_the_type_that_a_page_declares_is_kept_beside_ours(page: str, declared: list[str]) -> None:
    read_page = read(f"<title>The dam has broken</title>{page}")
    assert read_page.type == "NewsArticle"
    assert [one.value for one in read_page.metadata.get("additionalType", ())] == declared


# --- what no page says, and its text shows ---

LINE = "The council met on Monday, and after a long debate it voted for the new bridge."
TEXT = f"<article><h1>A bridge</h1><p>Monday</p><p>{LINE} {LINE}</p><p>{LINE * 4}</p></article>"


@pytest.mark.parametrize(
    ("first", "excerpt"),
    [
        (LINE, LINE),
        ("It stands. " + f"{LINE} " * 5, f"It stands. {LINE} {LINE} {LINE}"),
        ("and the bridge " * 30, f"{'and the bridge ' * 19}and the bridge…"),
        ("橋" * 400, f"{'橋' * 300}…"),
    ],
)
def test_a_page_without_a_description_has_the_beginning_of_its_text_and_says_so(first: str, excerpt: str) -> None:
    (found,) = read(TEXT.replace(f"{LINE} {LINE}", first)).metadata["description"]
    assert (found.value, found.source) == (excerpt, "body:first-paragraph")
    assert found.raw == excerpt.rstrip("…")


def test_a_page_without_a_picture_in_its_data_has_the_first_of_its_text_that_is_none_of_the_small_ones() -> None:
    pictures = "<p><img src=/a/face.jpg width=48 height=48></p><figure><img src=/a/bridge.jpg></figure><img src=/a/b.jpg>"
    page = TEXT.replace("<p>Monday</p>", "<p>Monday</p>" + pictures)
    (found,) = read(page).metadata["image"]
    assert (found.value, found.source) == ("https://pelda.example/a/bridge.jpg", "body:first-picture")


def test_what_the_page_or_a_rule_says_stands_and_so_does_a_rule_that_finds_nothing() -> None:
    page = TEXT.replace("<p>Monday</p>", "<img src=/a/bridge.jpg>")
    told = read(meta(og__description="A bridge.", og__image="/b.jpg") + page).metadata
    assert [told[name][0].source for name in ("description", "image")] == ["meta:og:description", "meta:og:image"]
    ruled = read(page, metadata={"description": {"css": "p.none"}, "image": {"css": "img.none", "attr": "src"}}).metadata
    assert not {"description", "image"} & ruled.keys()


def test_documents_and_their_data_have_the_excerpt_and_the_document_says_where_it_is_from() -> None:
    article = read(TEXT)
    excerpt = f"{LINE} {LINE}"
    assert f'<abstract n="body:first-paragraph" ana="schema:description"><p>{excerpt}</p></abstract>' in article.tei().decode()
    assert article.to_dict()["metadata"]["description"] == [{"value": excerpt, "raw": excerpt, "source": "body:first-paragraph"}]
    assert "n=" not in read(meta(description="A bridge.") + TEXT).tei().decode().partition("<abstract")[2].partition(">")[0]
