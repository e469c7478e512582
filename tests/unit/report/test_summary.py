"""The first screen says no more than is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from lxml import html
from reports import statistics_saying

from webarticlecurator.model.statistics import CorpusStatistics, FieldStatistics, LanguageCount
from webarticlecurator.model.status import Completeness
from webarticlecurator.report.page import rules
from webarticlecurator.report.page.completeness import section
from webarticlecurator.report.page.summary import summary


def corpus(**changes: Any) -> CorpusStatistics:
    return replace(statistics_saying(lambda: "some text"), **{"proofs": (), **changes})


def walked(proved: int, intervals: int) -> Mapping[str, Any]:
    made = corpus()
    assert made.status is not None
    rows = (Completeness(column="home", intervals=intervals, proved=proved),)
    return {"status": replace(made.status, completeness=rows, waiting=0, unbuilt=0, lost=(), unlisted=())}


def answer(statistics: CorpusStatistics, question: str) -> tuple[str, str]:
    """The mark, and what is said."""
    lines = html.fromstring(summary(statistics)).cssselect(".answers li")
    line = next(one for one in lines if one.findtext(".//strong/a") == question)
    return line.cssselect(".mark")[0].text_content(), line.text_content()


@pytest.mark.parametrize(("proved", "mark", "share"), [(3, "✓good: ", "100.0 %"), (2, "!look at this: ", "66.7 %")])
def test_an_archive_is_only_good_when_all_of_it_is_proved(proved: int, mark: str, share: str) -> None:
    found, said = answer(corpus(**walked(proved, 3)), "Complete?")
    assert found == mark
    assert f"{proved} of 3" in said and share in said.replace("\u00a0", " ")


def test_a_column_that_was_only_read_is_not_called_proved_in_its_row() -> None:
    made = corpus()
    assert made.status is not None
    rows = (Completeness(column="feed", intervals=1, only_read=1), Completeness(column="home", intervals=2, proved=2))
    shown = section(replace(made, status=replace(made.status, completeness=rows))).content
    page = html.fromstring("<div>" + "".join(shown) + "</div>")
    table = [[cell.text_content() for cell in row] for row in page.cssselect("tr") if row[0].text_content() in ("feed", "home")]
    assert [(row[0], " ".join(row[2].split()), row[-1]) for row in table] == [
        ("feed", "0.0 %", "only read"),
        ("home", "100.0 %", "proved"),
    ]


def test_columns_that_the_portal_file_has_no_more_neither_raise_nor_lower_the_share() -> None:
    made = walked(2, 3)["status"]
    gone = (
        Completeness(column="old", intervals=5, proved=5, removed=True),
        Completeness(column="older", intervals=9, open=9, removed=True),
    )
    _, said = answer(corpus(status=replace(made, completeness=(*made.completeness, *gone))), "Complete?")
    assert "2 of 3" in said


def test_a_sitemap_that_was_read_beside_a_proved_archive_takes_nothing_from_it_and_proves_nothing_alone() -> None:
    made = walked(3, 3)["status"]
    read = Completeness(column="sitemap", intervals=1, only_read=1)
    found, said = answer(corpus(status=replace(made, completeness=(*made.completeness, read))), "Complete?")
    assert "look at this" not in found
    assert "3 of 3" in said
    assert "1 feed or sitemap was read to the end, which need not list everything" in said
    found, said = answer(corpus(status=replace(made, completeness=(read,))), "Complete?")
    assert "look at this" in found
    assert "Nothing proves it" in said


def test_a_proved_archive_makes_nothing_complete_while_articles_wait() -> None:
    status = replace(walked(3, 3)["status"], waiting=450)
    found, said = answer(corpus(status=status), "Complete?")
    assert found == "!look at this: "
    assert "not every article that it lists is in the corpus" in said


@pytest.mark.parametrize(("authors", "mark"), [(1, "✓good: "), (0, "!look at this: ")])
def test_metadata_without_any_author_are_not_called_good(authors: int, mark: str) -> None:
    fields = [
        FieldStatistics(field=name, filled=number, years=(), sources=(), disagreeing=0)
        for name, number in (("datePublished", 3), ("author", authors))
    ]
    made = corpus()
    found, said = answer(replace(made, totals=replace(made.totals, articles=3), fields=tuple(fields), names=()), "Metadata")
    assert found == mark
    assert said


@pytest.mark.parametrize("differing", [2, 20])
def test_a_language_that_the_words_contradict_is_looked_at_unless_it_is_rare(differing: int) -> None:
    languages = [
        LanguageCount(language="en", declared=True, identified=found, articles=number, certain=0, disagree=found != "en", examples=())
        for found, number in (("en", 100 - differing), ("da", differing - 1), ("sv", 1))
    ]
    made = corpus()
    made = replace(made, totals=replace(made.totals, articles=100), languages=tuple(languages))
    if differing == 2:
        assert "another language than is declared" not in summary(made)
    else:
        said = "The words of 20 articles are in another language than is declared: most often da, not en."
        assert answer(made, "Language") == ("!look at this: ", f"!look at this: Language {said}")


def test_without_a_ledger_nothing_is_called_complete() -> None:
    assert answer(corpus(status=None), "Complete?") == (
        "!look at this: ",
        "!look at this: Complete? Nothing proves it: no archive was walked.",
    )


def test_words_in_undecided_tags_are_told_and_without_any_nothing_is_said_of_rules_for_every_tag() -> None:
    """A footnote is told by its links and not counted here: `curator tags` lists its tag as undecided."""
    coverage = tuple(replace(one, undecided=0) for one in corpus().coverage)
    lengths = replace(corpus().lengths, uncounted=0)
    for none in (corpus(coverage=coverage, lengths=lengths), corpus(coverage=coverage, lengths=lengths, undecided=())):
        assert answer(none, "Text")[1].endswith("were kept; tags that no rule decides hold no words of their own.")
        assert "left out; tags that no rule decides hold no words of their own." in str(rules.section(none).content)
        assert "every tag" not in answer(none, "Text")[1]
    assert "stand in tags that no rule decides" in answer(corpus(), "Text")[1]
    assert "stand in tags that no rule decides" in str(rules.section(corpus()).content)


def test_nothing_is_missing_only_where_nothing_failed_waits_or_looks_like_a_gap() -> None:
    made = corpus()
    assert made.status is not None
    current = tuple(replace(one, current=True) for one in made.provenance.rules)
    well: dict[str, Any] = {
        "provenance": replace(made.provenance, rules=current),
        "outcomes": (),
        "gaps": (),
        "other_gaps": 0,
        "status": replace(made.status, outcomes={}, waiting=0, unbuilt=0, lost=(), drift=()),
    }
    assert answer(corpus(**well), "Missing")[0] == "✓good: "
    assert "no address of the portal is known" in answer(corpus(**{**well, "status": None}), "Missing")[1]
    stale = replace(made.provenance, rules=(replace(made.provenance.rules[0], current=False, articles=7),))
    assert "7 documents were made by other rules" in answer(corpus(**{**well, "provenance": stale}), "Missing")[1]
    drifted = replace(well["status"], drift=("home: no links",))
    assert "1 column seems to have changed its layout" in answer(corpus(**{**well, "status": drifted}), "Missing")[1]
    lost = replace(well["status"], lost=(replace(made.status.lost[0], waiting=0),))
    assert "1 WARC file is missing or cut" in answer(corpus(**{**well, "status": lost}), "Missing")[1]
    assert "1 stretch of days looks like a gap" in answer(corpus(**{**well, "other_gaps": 1}), "Missing")[1]
    assert "2,021 are stored and not built" in answer(corpus(**{**well, "status": made.status}), "Missing")[1]


def test_what_could_not_be_counted_is_among_what_to_look_at_first() -> None:
    made = corpus()
    shown = html.fromstring(summary(made)).cssselect(".first")[0].text_content()
    assert shown.count("some text") >= len(made.lacks)


def test_articles_whose_words_are_not_counted_change_no_mean_and_are_told() -> None:
    made = corpus()
    made = replace(made, totals=replace(made.totals, articles=10, words=600), lengths=replace(made.lengths, uncounted=7))
    cards = {card.findtext("dt/a"): card.text_content() for card in html.fromstring(summary(made)).cssselect(".cards > div")}
    assert "200 an article; 7 articles not counted" in cards["Words"]
    assert "7 articles are in languages without blanks" in answer(made, "Text")[1]
