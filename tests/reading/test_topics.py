"""Keywords: which list of a page has them, and how they are told apart."""

from __future__ import annotations

import pytest
from told import GAT, news, read, values


def topics(html: str) -> list[str]:
    return values(html, "keywords", GAT)


def meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["dam, flood; Danube|rain"], ["dam", "flood", "Danube", "rain"]),
        (["Dam", "dam", "DAM", "#flood"], ["Dam", "flood"]),
        (["Category: Economy", "Danube (12)", "News, "], ["Economy", "Danube", "News"]),
        (["isRepublished:false", "98be933f-38cf-4fba-b6c6-ad438e82010a", "https://pelda.example/", "a=b", "dam"], ["dam"]),
        (["displayType: standard article", "content-type: Feature", "Danube: a river"], ["Danube: a river"]),
        (["/news/world/Europe", "water/rivers/Danube", "Race/Ethnicity"], ["Europe", "Danube", "Race/Ethnicity"]),
        (["AER,AERO,AIR,AIRL,INDG08"], []),
        (["EU, NATO, UN"], ["EU", "NATO", "UN"]),
        (["新聞、速報"], ["新聞", "速報"]),
        (["新聞 速報　政治"], ["新聞", "速報", "政治"]),
        (["the flooded town"], ["the flooded town"]),
        (["dam", "More", "Alle Themen"], ["dam"]),
        (["1956", "2023", "20230", "17"], ["1956", "2023"]),
        (['"dam"', "choir „Cantus”", "“Cantus”, a choir"], ["dam", "choir „Cantus”", "Cantus", "a choir"]),
    ],
)
def test_topics_are_separated_cleaned_and_kept_once(texts: list[str], expected: list[str]) -> None:
    assert topics(news(keywords=texts)) == expected


def test_a_topic_knows_how_it_stood() -> None:
    found = read(news(keywords="dam, flood"), GAT).metadata["keywords"]
    assert [(topic.value, topic.raw) for topic in found] == [("dam", "dam, flood"), ("flood", "dam, flood")]


# --- which list ---


@pytest.mark.parametrize(
    ("said", "shown", "expected"),
    [
        ("High Water", "High water", "High water"),
        ("high-water", "High water", "High water"),
        ("High Water", "high water", "High Water"),
        ("high water", "HIGH WATER", "high water"),
        ("High water", "High Water", "High water"),
        ("NATO", "Nato", "NATO"),
    ],
)
def test_topics_have_the_letters_that_readers_see_where_a_template_changed_them(said: str, shown: str, expected: str) -> None:
    links = f"<div class=tags><a href=/tag/a>{shown}</a><a href=/tag/b>Dam</a></div>"
    assert topics(meta("article:tag", said) + meta("article:tag", "Dam") + f"<h1>A dam</h1><p>Text.</p>{links}") == [expected, "Dam"]


def test_a_longer_list_further_down_does_not_win() -> None:
    assert topics(news(keywords=["Dam", "Flood"]) + meta("sailthru.tags", "dam,flood,standard-page,web")) == ["Dam", "Flood"]


def test_a_list_that_names_the_portal_is_the_portals() -> None:
    usual = meta("news_keywords", "Példa Hírek, News, World, Sport")
    assert topics(usual + meta("keywords", "dam, flood")) == ["dam", "flood"]
    assert topics(usual + "<h1>A dam</h1><p class=tags><a>dam</a> <a>flood</a></p>") == ["dam", "flood"]
    assert topics(usual) == ["News", "World", "Sport"]


def test_the_name_of_the_portal_is_a_topic_where_readers_see_it_as_one() -> None:
    assert topics("<h1>A dam</h1><p>Text.</p><div class=tags><a href=/tag/a>Példa Hírek</a><a href=/tag/b>Dam</a></div>") == [
        "Példa Hírek",
        "Dam",
    ]


@pytest.mark.parametrize("named", ["tags", "post-tags", "keywords-viewlet", "tags-block", "tag-list-wrapper"])
def test_a_list_of_topics_is_known_by_its_name(named: str) -> None:
    assert topics(f"<h1>A dam</h1><div class={named}><a href=/s?q=1>dam</a> <a href=/s?q=2>flood</a></div>") == ["dam", "flood"]


@pytest.mark.parametrize(("nav", "expected"), [("<nav class=md-tags>", ["dam", "flood"]), ("<nav>", []), ("<nav class=site-menu>", [])])
def test_topics_may_be_marked_up_as_a_way_to_others(nav: str, expected: list[str]) -> None:
    assert topics(f"<h1>A dam</h1>{nav}<a href=/tags/dam class=md-tag>dam</a> <a href=/tags/flood class=md-tag>flood</a></nav>") == expected


def test_topics_may_stand_in_a_menu_of_all_that_is_told_of_the_page() -> None:
    tags = "<nav class=tags>Tags: <a href=/t/dam rel=tag>dam</a> <a href=/t/flood rel=tag>flood</a></nav>"
    foot = f"<footer class=pagefooter><nav id=pageinfo><div><a href=/b>Next</a></div>{tags}</nav></footer>"
    assert topics(f"<article class=page><h1>A dam</h1><p>Text.</p>{foot}</article>") == ["dam", "flood"]


def test_one_topic_that_is_only_the_section_gives_way() -> None:
    section = news(keywords=["World"], articleSection="World")
    assert topics(section + meta("keywords", "dam, flood")) == ["dam", "flood"]
    assert topics(section) == ["World"]


def test_words_parted_by_commas_win_over_the_same_words_parted_by_blanks() -> None:
    assert topics(meta("news_keywords", "dam broken-bridge flood") + meta("keywords", "dam, broken bridge, flood")) == [
        "dam",
        "broken bridge",
        "flood",
    ]


def test_a_long_list_of_links_is_a_menu() -> None:
    def links(count: int) -> str:
        return "<h1>A dam</h1><p class=tags>" + " ".join(f"<a>topic {number}</a>" for number in range(count)) + "</p>"

    assert len(topics(links(10))) == 10
    assert topics(links(30)) == []
