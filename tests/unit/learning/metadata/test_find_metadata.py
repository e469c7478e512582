from __future__ import annotations

import json
import subprocess
import sys
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from trial_portal import page_of, portal_of

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.metadata.reader import read_metadata
from webarticlecurator.learning.metadata import find_metadata
from webarticlecurator.learning.metadata.candidates import candidates, general
from webarticlecurator.learning.metadata.days import days_by_clock
from webarticlecurator.learning.metadata.read_pages import read_page
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Learned, Proposal

TITLES = ("The dam has broken", "Six villages are without water", "Who pays for the bridge", "A quiet election", "Snow closes the pass")
NAMES = ("Ann Lee", "Bob Ray", "Eve Kis", "Tom Orr", "Joan Fox")


def url(number: int) -> str:
    return f"https://pelda.example/news/{number}"


def page(number: int, body: str, **data: Any) -> Page:
    ld = json.dumps({"@type": "NewsArticle", "url": url(number), **data})
    return page_of(f'<html lang=en><head><script type="application/ld+json">{ld}</script></head><body>{body}</body></html>', url(number))


def found(pages: list[Page], **more: Any) -> Learned:
    return find_metadata(pages, portal_of(title="Példa Hírek"), **more)


def proposal(name: str, pages: list[Page], **more: Any) -> Proposal | None:
    return next((one for one in found(pages, **more).proposals if one.name == name), None)


def agreeing() -> list[Page]:
    return [
        page(
            at, f"<h1>{title}</h1><p class=byline>By {name}</p>", headline=title, author={"name": name}, datePublished=f"2024-05-0{at + 1}"
        )
        for at, (title, name) in enumerate(zip(TITLES, NAMES, strict=True))
    ]


def with_other_headings() -> list[Page]:
    return [page(at, f"<h1>{title}, seen from the hill</h1>", headline=f"{title} and nobody knows why") for at, title in enumerate(TITLES)]


def with_signatures(data_on: int) -> list[Page]:
    """Data name the authors of the first ones alone; all pages have a line whose class says nothing to anybody else."""
    return [
        page(
            at,
            f"<h1>{title}</h1><p>Text.</p><i class=kqline>{name}</i>",
            headline=title,
            **({"author": {"name": name}} if at < data_on else {}),
        )
        for at, (title, name) in enumerate(zip(TITLES, NAMES, strict=True))
    ]


def test_a_portal_without_a_file_has_the_clock_that_it_was_given() -> None:
    portal = Portal(name="pelda", title="Példa Hírek", home="https://pelda.example/", timezone=ZoneInfo("UTC"))
    assert find_metadata(agreeing(), portal).proposals == found(agreeing()).proposals


def with_tags_beside(*tags: str) -> list[Page]:
    def beside(at: int) -> str:
        links = " ".join(f"<a href=/tag/{word} rel=tag>{word}</a>" for word in (tags or (f"dam{at}", "bridge")))
        return f"<aside class=sidebar>{links}</aside>"

    return [page(at, f"<h1>{title}</h1><p>Text.</p>{beside(at)}", headline=title) for at, title in enumerate(TITLES)]


def test_tags_beside_the_text_are_asked_about_if_pages_have_others() -> None:
    asked = proposal("keywords", with_tags_beside())
    assert asked is not None
    assert [choice.value for choice in asked.choices] == [None, 'a[rel~="tag"]']
    assert not asked.sure
    assert proposal("keywords", with_tags_beside("dam", "bridge")) is None


# --- where nothing is proposed ---


def test_where_the_sources_agree_no_rule_is_proposed() -> None:
    learned = found(agreeing())
    assert learned.proposals == ()
    assert learned.remarks[0].startswith("metadata: read on all pages, so that no rule is needed,")
    assert learned.remarks[0].endswith(": headline, author, datePublished")
    assert "and no element of them is called so: dateModified, articleSection, keywords; " in learned.remarks[1]


def test_a_field_with_a_rule_of_its_own_is_left_alone() -> None:
    portal = portal_of(metadata={"headline": "h1"})
    assert not [one for one in find_metadata(with_other_headings(), portal).proposals if one.name == "headline"]


def test_pages_whose_layout_has_a_rule_for_a_field_are_not_asked_about() -> None:
    portal = portal_of(layouts=[{"name": "old", "url": "/news/[0-3]$", "metadata": {"headline": "h1"}}])
    (headline,) = (one for one in find_metadata(with_other_headings(), portal).proposals if one.name == "headline")
    assert "1 of 1 page" in headline.choices[0].reason
    everywhere = portal_of(layouts=[{"name": "old", "url": "/news/", "metadata": {"headline": "h1"}}])
    learned = find_metadata(with_other_headings(), everywhere)
    assert "headline" not in {one.name for one in learned.proposals}
    assert not any("headline" in remark for remark in learned.remarks)


def test_one_of_two_authors_is_no_other_answer() -> None:
    pages = [
        page(at, f"<meta name=author content='{name}'><h1>{title}</h1>", headline=title, author=[{"name": name}, {"name": "Pia Moss"}])
        for at, (title, name) in enumerate(zip(TITLES, NAMES, strict=True))
    ]
    assert proposal("author", pages) is None


def test_no_page_is_no_mistake() -> None:
    assert found([]).proposals == ()


def test_the_sites_name_behind_the_headline_is_no_other_headline() -> None:
    pages = [
        page(at, f"<h1>{title}</h1><meta property=og:title content='{title} | Something Daily'>", headline=title)
        for at, title in enumerate(TITLES)
    ]
    assert proposal("headline", pages) is None


@pytest.mark.parametrize("name", ["Példa Hírek", "Small Harbour"], ids=["of the portal file", "of the pages"])
def test_the_sites_own_name_is_nobody_who_wrote_the_article(name: str) -> None:
    pages = [
        page(
            at,
            f"<meta property=og:site_name content='{name}'><h1>{title}</h1><a rel=author href=/>{name}</a>",
            headline=title,
            author={"name": author},
        )
        for at, (title, author) in enumerate(zip(TITLES, NAMES, strict=True))
    ]
    assert proposal("author", pages) is None


# --- the day that readers see ---


def late_in_the_evening(shown: tuple[int, ...] = (2, 3, 4, 5, 6)) -> list[Page]:
    """Published at 22:30 in UTC on the first days of a month, with these days for readers."""
    return [
        page(
            at,
            f"<h1>{title}</h1><time datetime=2024-05-0{day}>That day</time>",
            headline=title,
            datePublished=f"2024-05-0{at + 1}T22:30:00Z",
        )
        for at, (title, day) in enumerate(zip(TITLES, shown, strict=True))
    ]


def in_zone(zone: str | None, pages: list[Page]) -> Learned:
    return find_metadata(pages, portal_of(timezone=zone))


def asks_for_dates(learned: Learned) -> bool:
    return any(one.name == "datePublished" for one in learned.proposals)


def days_told(learned: Learned) -> list[str]:
    return [remark for remark in learned.remarks if "timezone" in remark]


def test_where_nobody_told_the_zone_another_day_for_readers_is_no_question_but_a_missing_key() -> None:
    learned = in_zone(None, late_in_the_evening((2, 3, 4, 4, 5)))
    assert not asks_for_dates(learned)
    told = "metadata: on 3 of 5 pages the day that readers see is not that of UTC: `timezone` is missing in the portal file"
    assert days_told(learned) == [told]
    assert not any("nothing trusted says otherwise" in remark and "datePublished" in remark for remark in learned.remarks)


def test_a_day_that_the_portals_zone_explains_is_no_question() -> None:
    learned = in_zone("Europe/Helsinki", late_in_the_evening())
    assert not asks_for_dates(learned)
    assert days_told(learned) == []


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_a_day_that_the_told_zone_does_not_explain_is_asked_about(zone: str) -> None:
    learned = in_zone(zone, late_in_the_evening())
    assert asks_for_dates(learned)
    assert days_told(learned) == []


@pytest.mark.parametrize("zone", [None, "Europe/Helsinki"])
def test_a_day_that_no_zone_explains_is_asked_about(zone: str | None) -> None:
    learned = in_zone(zone, late_in_the_evening((4, 5, 6, 7, 8)))
    assert asks_for_dates(learned)
    assert days_told(learned) == []


def test_days_that_no_one_zone_explains_are_asked_about() -> None:
    times = ("08:00", "12:00", "23:30", "10:00", "23:00")
    days = (2, 3, 3, 5, 5)
    pages = [
        page(at, f"<h1>{TITLES[at]}</h1><time datetime=2024-05-0{day}>Changed</time>", datePublished=f"2024-05-0{at + 1}T{time}:00Z")
        for at, (time, day) in enumerate(zip(times, days, strict=True))
    ]
    learned = in_zone(None, pages)
    assert asks_for_dates(learned)
    assert days_told(learned) == []


@pytest.mark.parametrize("moment", ["9999-12-31T23:30:00+00:00", "0001-01-01T00:30:00+00:00", "2024-99-99T00:00:00+00:00"])
@pytest.mark.parametrize("zone", [None, ZoneInfo("Asia/Tokyo"), ZoneInfo("America/New_York")])
def test_a_moment_at_the_end_of_time_explains_nothing(moment: str, zone: ZoneInfo | None) -> None:
    assert days_by_clock([((moment,), ("2024-05-02",)), ((), ("2024-05-02",))], zone) == 0


def test_where_all_see_the_day_of_utc_no_zone_is_missed() -> None:
    assert days_told(in_zone(None, late_in_the_evening((1, 2, 3, 4, 5)))) == []


# --- what is asked ---


def test_where_sources_differ_one_question_shows_their_texts_side_by_side() -> None:
    asked = proposal("headline", with_other_headings())
    assert asked is not None and asked.question is not None and not asked.sure
    assert asked.path == ("metadata", "headline")
    assert asked.choices[0].value is None, "first what is read without a rule"
    values = [choice.value for choice in asked.choices]
    assert "h1" in values or {"jsonld": "headline"} in values
    assert all(len(choice.samples) == 3 for choice in asked.choices), "on the same three pages"
    assert all(choice.differs for choice in asked.choices[1:])
    assert asked.question.count("https://pelda.example/news/") == 3


def test_what_archive_pages_say_is_called_so_and_comes_after_what_the_pages_themselves_say() -> None:
    listings = {url(at): {"headline": (f"{title} 3 May 2024",)} for at, title in enumerate(TITLES)}
    pages = [page(at, f"<h1>{title}</h1>", headline=title) for at, title in enumerate(TITLES)]
    asked = proposal("headline", pages, listings=listings)
    assert asked is not None
    assert not asked.sure
    assert asked.choices[0].samples[0] == TITLES[0]
    assert asked.choices[0].reason.endswith("on 5 of 5 pages; on 5 of 5 it says otherwise than `archive.fields`")
    assert asked.choices[-1].value is None
    assert asked.choices[-1].reason == "no rule here: `archive.fields`, which tells it on 5 of 5 pages"


def test_a_confirmed_page_answers_the_question() -> None:
    told = proposal("headline", with_other_headings(), confirmed={url(2): {"headline": (f"{TITLES[2]}, seen from the hill",)}})
    assert told is not None and told.sure and told.choices[0].value == "h1"


def test_a_confirmed_page_that_the_general_reader_reads_right_needs_no_rule() -> None:
    confirmed = {url(2): {"headline": (f"{TITLES[2]} and nobody knows why",)}}
    assert proposal("headline", with_other_headings(), confirmed=confirmed) is None


def test_what_no_source_finds_is_asked_with_the_places_of_the_page() -> None:
    pages = [page(at, f"<h1>{title}</h1><p class=rovat>Rubrik {'AB'[at % 2]}</p>", headline=title) for at, title in enumerate(TITLES)]
    asked = proposal("articleSection", pages)
    assert asked is not None and not asked.sure
    assert [choice.value for choice in asked.choices] == [None, "p.rovat"]
    assert asked.choices[1].samples == ("Rubrik A", "Rubrik B", "Rubrik A")


def test_a_line_of_the_page_is_asked_for_without_the_word_before_the_name() -> None:
    names = ("Lee Park", "Ray Moss", "Kis Todd", "Orr Webb", "Fox Hart")
    pages = [
        page(at, f"<h1>{title}</h1><p>Text.</p><aside class='author-line-kq'>by {name}</aside>", headline=title, author="Redaction")
        for at, (title, name) in enumerate(zip(TITLES, names, strict=True))
    ]
    portal = portal_of(title="Példa Hírek")
    read = [read_page(one, portal) for one in pages]
    values = [one.pick for one in candidates("author", general("author", read), read, portal)]
    assert {"css": "aside.author-line-kq", "replace": [[r"^(?:by\s+)", ""]]} in values


@pytest.mark.parametrize("day", ["{0} May 2024 by", "May 2024 by", "2024-05-0{0} by", "On 0{0}/05/24 by"])
def test_no_rule_is_made_of_the_days_that_stand_before_the_names(day: str) -> None:
    pages = [
        page(at, f"<h1>{title}</h1><p>Text.</p><aside class=author-line-kq>{day.format(at + 1)} {name}</aside>", author="Redaction")
        for at, (title, name) in enumerate(zip(TITLES, NAMES, strict=True))
    ]
    told = proposal("author", pages, confirmed={url(1): {"author": (NAMES[1],)}})
    assert told is None or "replace" not in str([choice.value for choice in told.choices])


# --- what fills gaps ---


def test_a_place_that_agrees_where_data_tell_the_field_fills_its_gaps() -> None:
    told = proposal("author", with_signatures(3))
    assert told is not None and told.sure and told.question is None
    assert told.choices[0].value == "i.kqline"
    assert "on 3 pages, and 2 more" in told.choices[0].reason
    assert told.choices[1].value is None, "the other way is to leave it"


def test_too_few_agreeing_pages_are_no_ground_for_a_rule() -> None:
    told = proposal("author", with_signatures(2))
    assert told is None or not told.sure


@pytest.mark.parametrize("pages", [with_other_headings(), with_signatures(3), agreeing()])
def test_every_choice_is_a_pick_that_the_loader_takes(pages: list[Page], tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("portal") / "portal.yaml"
    for one in found(pages).proposals:
        for choice in one.choices:
            if choice.value is not None:
                rules = {"portal": "pelda", "home": "https://pelda.example/", "metadata": {one.name: choice.value}}
                file.write_text(yaml.safe_dump(rules), encoding="utf-8")
                assert load_portal(file).metadata[one.name]


# --- evidence, order, bounds ---


def test_of_many_pages_some_are_read_and_that_is_told() -> None:
    remarks = found(agreeing() * 10).remarks
    assert any(remark.startswith("metadata: 24 of 50 pages were looked at") for remark in remarks)


def test_pages_that_are_made_to_be_slow_are_left_out_and_that_is_told() -> None:
    endless = page(9, "<b class=byline><i>Ann Lee</i></b>" * 10_001)
    learned = found([*agreeing(), endless])
    assert learned.remarks[0].startswith("metadata: 5 of 6 pages were looked at")


@pytest.mark.slow
def test_the_findings_are_the_same_under_any_hash_seed() -> None:
    program = (
        "import sys; sys.path[:0] = ['tests', 'tests/unit/learning/metadata', *sys.argv[1:]]\n"
        "import test_find_metadata as t\n"
        "print([t.found(pages) for pages in (t.with_other_headings(), t.with_signatures(3), t.agreeing())])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program, *sys.path], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_a_tag_that_looks_like_the_links_to_sections_fills_no_gap() -> None:
    def pages(mark: str) -> list[Page]:
        sections = ("Sport", "World", "Sport", "World", None)
        links = [f'<a class="post-category transition" href="/c/{one}">{one}</a>' if one else "" for one in sections]
        data = [{"articleSection": one} if one else {} for one in sections]
        return [
            page(at, f"<h1>{title}</h1>{links[at]}<a class=transition {mark}>smithy</a>", **data[at]) for at, title in enumerate(TITLES)
        ]

    filled = proposal("articleSection", pages("href=/x/7"))
    assert filled is not None and filled.sure, "the place says the same on four pages"
    assert proposal("articleSection", pages("rel=tag href=/tags/smithy")) is None


def test_one_author_of_all_pages_is_told_and_is_not_called_right() -> None:
    remarks = found([page(at, f"<h1>{title}</h1>", headline=title, author={"name": "Ann Lee"}) for at, title in enumerate(TITLES)]).remarks
    assert any(told.startswith("metadata: the author is Ann Lee on each of 5 pages that have one;") for told in remarks), remarks
    assert not any("no rule is needed" in told and "author" in told for told in remarks)


@pytest.mark.parametrize("declared", [False, True])
def test_a_day_that_the_address_alone_tells_is_not_called_right(declared: bool) -> None:
    pages = []
    for number, title in enumerate(TITLES, 1):
        day = f"2024-05-0{number}"
        ld = json.dumps({"@type": "NewsArticle", "headline": title} | ({"datePublished": day} if declared else {}))
        html = f'<html lang=en><head><script type="application/ld+json">{ld}</script></head><body><h1>{title}</h1></body></html>'
        pages.append(page_of(html, f"https://pelda.example/{day.replace('-', '/')}/{number}"))
    (told,) = [one for one in found(pages).remarks if "datePublished" in one]
    assert ("no rule is needed" in told, "the day that the address tells" in told) == (declared, not declared)


def test_a_day_that_nothing_marks_as_the_articles_is_not_called_right() -> None:
    pages = [page(at, f"<h1>{title}</h1><p>Text.</p><p>2024-05-0{at + 1}</p>", headline=title) for at, title in enumerate(TITLES)]
    (told,) = [one for one in found(pages).remarks if "datePublished" in one]
    assert told.startswith("metadata: datePublished is a day with which a line begins, and that nothing marks as the article's")


def test_names_in_an_id_of_several_words_are_looked_at_and_a_list_that_all_pages_have_is_no_section() -> None:
    sections = "<div class=rubrics>" + "".join(f"<a href=/r/{word}>{word}</a>" for word in ("River", "Town")) + "</div>"
    pages = [
        page(at, f"<h1>{title}</h1>{sections}<li id='entry item__writer'><a href=/x/{at}>{name}</a></li><p>Text.</p>", headline=title)
        for at, (title, name) in enumerate(zip(TITLES, NAMES, strict=True))
    ]
    assert [one.name for one in found(pages).proposals] == ["author"]
    asked = proposal("author", pages)
    assert asked is not None and [choice.value for choice in asked.choices][1] in ('li[id~="entry"]', 'li[id~="item__writer"]')


@pytest.mark.parametrize("others", [0, 2])
def test_a_heading_that_readers_see_in_the_place_of_a_first_level_one_is_asked_about_where_it_says_otherwise(others: int) -> None:
    pages = [
        page_of(
            f"<html lang=en><head><meta property=og:title content='{title}'></head><body><article class=post><header>"
            f"<h2>{title if at >= others else f'{title}, as seen by us'}</h2></header><h2>Background</h2></article></body></html>",
            url(at),
        )
        for at, title in enumerate(TITLES)
    ]
    asked = proposal("headline", pages)
    assert (asked is not None) == bool(others)
    assert asked is None or [choice.value for choice in asked.choices] == [None, "article > header > h2"]


def test_keywords_that_are_but_the_section_are_told() -> None:
    def remarks(own_tags_on: int) -> list[str]:
        tags = [["Boats"] if at >= own_tags_on else ["Boats", f"river {at}"] for at in range(len(TITLES))]
        pages = [
            page(at, f"<h1>{title}</h1>", headline=title, articleSection="Boats", keywords=tags[at]) for at, title in enumerate(TITLES)
        ]
        return [one for one in found(pages).remarks if "keywords" in one]

    assert ["all keywords are the sections on 1 page" in one for one in remarks(len(TITLES) - 1)] == [True]
    assert ["no rule is needed" in one for one in remarks(len(TITLES))] == [True]


def with_times(*times: str) -> list[Page]:
    return [
        page(at, f"<h1>{TITLES[at]}</h1>", headline=TITLES[at], datePublished=f"2024-05-0{at + 1}{time}") for at, time in enumerate(times)
    ]


NEW, NOON, LATE = "T00:00:00.000Z", "T12:30:00.000Z", "T00:00:07.000Z"


def test_midnights_to_the_second_are_asked_of_and_the_rule_keeps_all_other_times() -> None:
    pages = with_times(NEW, NOON, NEW, LATE, NEW)
    question = proposal("datePublished", pages)
    assert question is not None and not question.sure
    unruled, days = question.choices
    assert (unruled.value, unruled.samples[0], days.samples) == (
        None,
        "2024-05-01T00:00:00+00:00",
        ("2024-05-01", "2024-05-03", "2024-05-05"),
    )
    assert "the day alone where the time is midnight to the second: on 5 of 5 pages; on 3 of 5 it says otherwise" in days.reason
    portal = portal_of(title="Példa Hírek", metadata={"datePublished": days.value})
    said = [read_metadata(one, portal, portal.metadata).metadata["datePublished"][0].value for one in pages]
    assert said == ["2024-05-01", "2024-05-02T12:30:00+00:00", "2024-05-03", "2024-05-04T00:00:07+00:00", "2024-05-05"]


@pytest.mark.parametrize("times", [(NEW, NOON, NEW, LATE, NOON), ("T22:00:00Z",) * 5, ("",) * 5], ids=["rare", "of another clock", "days"])
def test_of_rare_midnights_and_those_that_no_rule_can_tell_nothing_is_asked(times: tuple[str, ...]) -> None:
    assert proposal("datePublished", with_times(*times)) is None
