"""Keywords: which list of a page has them, and how they are told apart."""

from __future__ import annotations

import pytest
from case_files import cases
from told import GAT, news, read, values


def topics(html: str) -> list[str]:
    return values(html, "keywords", GAT)


def meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


@cases("texts, expected", "reading/cases/topics-are-separated-cleaned-and-kept-once")
def test_topics_are_separated_cleaned_and_kept_once(texts: list[str], expected: list[str]) -> None:
    assert topics(news(keywords=texts)) == expected


def test_a_topic_knows_how_it_stood() -> None:
    found = read(news(keywords="dam, flood"), GAT).metadata["keywords"]
    assert [(topic.value, topic.raw) for topic in found] == [("dam", "dam, flood"), ("flood", "dam, flood")]


def tagged(*links: str, around: str = "div class=tags") -> str:
    """A page with these topics below its text."""
    topics_ = " ".join(f"<a href=/tag/{number}>{link}</a>" for number, link in enumerate(links))
    return f"<h1>A dam</h1><p>Text.</p><{around}>{topics_}</{around.split()[0]}>"


USUAL = meta("news_keywords", "Példa Hírek, News, World, Sport")
SECTION = news(keywords=["World"], articleSection="World")
LINKS = "<a href=/t/dam rel=tag>dam</a> <a href=/t/flood rel=tag>flood</a>"
MENU = f"<nav id=pageinfo><div><a href=/b>Next</a></div><nav class=tags>Tags: {LINKS}</nav></nav>"
DAM, FLOOD = "<a href=/tags/dam class=md-tag>dam</a>", "<a href=/tags/flood class=md-tag>flood</a>"
BOTH = ["dam", "flood"]
OTHER = "<div class=item><h3><a href=/other>Another town</a></h3><div>May 2 <a class=tag href=/f/town>town</a></div></div>"
SAID = meta("description", "The dam broke in the flood.")

LISTS: dict[str, list[tuple[str, list[str]]]] = {
    "a longer list further down does not win": [
        (news(keywords=["Dam", "Flood"]) + meta("sailthru.tags", "dam,flood,standard-page,web"), ["Dam", "Flood"]),
    ],
    "a list that names the portal is the portal's unless readers see it": [
        (USUAL + meta("keywords", "dam, flood"), BOTH),
        (USUAL + tagged("dam", "flood"), BOTH),
        (USUAL, ["News", "World", "Sport"]),
        (tagged("Példa Hírek", "Dam"), ["Példa Hírek", "Dam"]),
    ],
    "a list of topics is known by its name": [
        (f"<h1>A dam</h1><div class={name}><a href=/s?q=1>dam</a> <a href=/s?q=2>flood</a></div>", BOTH)
        for name in ("tags", "post-tags", "keywords-viewlet", "tags-block", "tag-list-wrapper")
    ],
    "topics may be marked up as a way to others, or stand in a menu of all that is told of the page": [
        (f"<h1>A dam</h1><nav class=md-tags>{DAM} {FLOOD}</nav>", BOTH),
        (f"<h1>A dam</h1><nav>{DAM} {FLOOD}</nav>", []),
        (f"<h1>A dam</h1><nav class=site-menu>{DAM} {FLOOD}</nav>", []),
        (f"<article class=page><h1>A dam</h1><p>Text.</p><footer class=pagefooter>{MENU}</footer></article>", BOTH),
    ],
    "what is told of another article in its teaser, or in a quotation, is no topic": [
        (f"<h1>A dam</h1><p>Text.</p>{OTHER * 2}", []),
        (f"<h1>A dam</h1><blockquote>Look at that! {LINKS} <a href=/hashtag/river>#river</a></blockquote>", []),
        (f"<blockquote><h1>A dam</h1><p>Text.</p>{LINKS}</blockquote>", BOTH),
        (f"<h1>A dam</h1>{OTHER * 2}<div class=p-related-tags>{LINKS} <button>All topics</button></div>", BOTH),
    ],
    "what the page shows goes before words of its head that nothing else says": [
        (meta("keywords", "news, events, today") + "<h1>A break</h1>" + tagged("dam", "flood"), BOTH),
        (meta("keywords", "news, dam, today") + "<h1>A break</h1>" + tagged("dam", "flood"), ["news", "dam", "today"]),
        (meta("keywords", "river, dam") + SAID + tagged("town", "flood"), ["river", "dam"]),
        (meta("keywords", "news, events, today") + "<h1>A break</h1>", ["news", "events", "today"]),
    ],
    "one topic that is only the section gives way": [(SECTION + meta("keywords", "dam, flood"), BOTH), (SECTION, ["World"])],
    "a long list of links is a menu": [
        (tagged(*(f"topic {number}" for number in range(10))), [f"topic {number}" for number in range(10)]),
        (tagged(*(f"topic {number}" for number in range(30))), []),
    ],
}


@pytest.mark.parametrize("cases", LISTS.values(), ids=LISTS)
def test_which_list_has_the_topics(cases: list[tuple[str, list[str]]]) -> None:
    assert [topics(html) for html, _ in cases] == [expected for _, expected in cases]


@pytest.mark.parametrize(("end", "expected"), [("</a>", ["dam", "ship", "lock"]), ("</a> (18)", []), (" (18)</a>", [])])
@pytest.mark.parametrize("label", ["", "<li>Topics</li>"])
def test_a_list_that_counts_the_articles_of_each_topic_is_the_sites(label: str, end: str, expected: list[str]) -> None:
    links = label + "".join(f"<li><a href=/tag/{name}/>{name}{end}</li>" for name in ("dam", "ship", "lock"))
    text = "<p>It was opened on Monday, and the whole town came to see how it looks.</p>" * 20
    assert values(f"<main><h1>The old bridge</h1>{text}</main><ul>{links}</ul>", "keywords", GAT) == expected


@pytest.mark.parametrize(("several", "sections"), [(2, ["Town", "River"]), (4, [])])
def test_a_card_beside_the_text_may_list_the_sections_of_the_article(several: int, sections: list[str]) -> None:
    links = [f"<li><a href=/categories/{name.lower()}/>{name}</a></li>" for name in ("Town", "River", "Bridges", "Fairs")]
    card = f"<div class=categories><b>Categories</b><ul>{''.join(links[:several])}</ul></div>"
    text = "<p>It was opened on Monday, and the whole town came to see how it looks.</p>" * 20
    assert values(f"<main><h1>The old bridge</h1>{text}{card}</main>", "articleSection", GAT) == sections


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("<p class=x><a href=/>Start</a> / <a href=/varos/>Helyi hírek</a></p>", ["Helyi hírek"]),
        ("<p><a href=../../../>Start</a> › <a href=../../>Helyi hírek</a> › <a href=../>Sport</a></p>", ["Helyi hírek"]),
        ("<ul><li><a href=/>Start</a></li><li><a href=/varos>Helyi hírek</a></li></ul>", ["Helyi hírek"]),
        ("<p><a href=/varos/>Város</a></p>", ["Város"]),
        ("<p><a href=/varos/>← Vissza a cikkekhez</a></p>", []),
        ("<p><a href=/>Start</a></p><div><div><div><a href=/varos/>Vissza</a></div></div></div>", []),
        ("<p><a href=/>Start</a> / <a href=/masik/>Másik</a></p>", []),
        ("<nav><a href=/>Start</a> <a href=/varos/>Helyi hírek</a></nav>", []),
        ("<p><a href=/>Start</a> <a href=/varos/sport/gat/>Gát</a></p>", []),
    ],
)
def test_a_link_to_what_the_address_of_the_article_goes_on_from_names_its_section(above: str, expected: list[str]) -> None:
    page = f"{above}<h1>A gát átszakadt</h1><p>A folyó reggel elöntötte a rétet.</p>"
    assert values(page, "articleSection", "https://pelda.example/varos/sport/gat/") == expected


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("<a href=/2024/05/02/>2024. május 2.</a>", "https://pelda.example/2024/05/02/gat"),
        ("<a href=/>Start</a> <a href=/hu/>Magyar</a>", "https://pelda.example/hu/gat"),
        ("<a href=/szerzo/kiss-eva>Kiss Éva</a>", "https://pelda.example/szerzo/kiss-eva/gat"),
        ("<a href=/@eva>@eva</a>", "https://pelda.example/@eva/gat"),
    ],
)
def test_days_languages_and_people_in_addresses_are_no_sections(link: str, url: str) -> None:
    assert values(f"<p>{link}</p><h1>A gát átszakadt</h1><p>A folyó kiöntött.</p>", "articleSection", url) == []


SPELT = "<h1>A dam</h1><p>It broke in the night, and the town was flooded by morning.</p><div>{}</div>"


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        (["/category/rivers", "/category/ann-lee", "/category/dams"], ["rivers", "ann lee", "dams"]),
        (["/category/rivers", "/category/dams"], []),
        (["/category/rivers", "/other/ann-lee", "/category/dams"], []),
        (["/rivers", "/ann-lee", "/dams"], []),
    ],
)
def test_links_that_are_called_as_they_are_addressed_are_topics(links: list[str], expected: list[str]) -> None:
    shown = " ".join(f"<a href={link}>{link.rpartition('/')[2].replace('-', ' ')}</a>" for link in links)
    assert values(SPELT.format(shown), "keywords", GAT, language="en") == expected
    numbered = " ".join(f"<a href=/category/{number}>{link}</a>" for number, link in enumerate(links))
    assert values(SPELT.format(numbered), "keywords", GAT, language="en") == []
