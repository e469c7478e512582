"""The language of a site, and the clock of its dates."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from webarticlecurator.document.page import read_page
from webarticlecurator.learning.site.locale import language_proposal, timezone_proposal
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page

URL = "https://pelda.example/"
HUNGARIAN = "A város és a folyó között nem volt híd, de most már van, és ez jó hír az itt élőknek, mert így nem kell kerülni. " * 8


def page(body: str, lang: str = "") -> Page:
    entity = f"<html{f' lang={lang}' if lang else ''}><body>{body}</body></html>".encode()
    kind = (("Content-Type", "text/html; charset=utf-8"),)
    read = read_page(Capture(url=URL, requested_url=URL, status=200, headers=kind, entity=entity, date=datetime(2024, 5, 1, tzinfo=UTC)))
    assert isinstance(read, Page)
    return read


def dated(*moments: str) -> Page:
    return page("".join(f"<time datetime={moment}>x</time>" for moment in moments))


def test_the_language_is_what_the_pages_say() -> None:
    pages = [page(HUNGARIAN, "hu"), page(HUNGARIAN, "hu")]
    found = language_proposal(pages[0], pages)
    assert found is not None
    assert (found.choices[0].value, found.sure) == ("hu", True)
    assert "2 of 2 pages" in found.choices[0].reason


def test_where_they_say_nothing_their_words_do() -> None:
    found = language_proposal(page(HUNGARIAN), [page(HUNGARIAN)])
    assert found is not None
    assert (found.choices[0].value, found.sure) == ("hu", True)


def test_words_of_few_pages_tell_no_language() -> None:
    pages = [page(HUNGARIAN), *(page(f"{number}") for number in range(4))]
    assert language_proposal(pages[0], pages) is None


def test_pages_that_say_most_tell_the_language() -> None:
    pages = [*(page(f"{number}") for number in range(6)), *[page(HUNGARIAN)] * 3]
    found = language_proposal(pages[0], pages)
    assert found is not None
    assert found.choices[0].value == "hu"


def test_where_the_two_differ_a_person_is_asked() -> None:
    found = language_proposal(page(HUNGARIAN, "en"), [page(HUNGARIAN, "en")])
    assert found is not None
    assert ([one.value for one in found.choices], found.sure) == (["en", "hu"], False)
    assert found.question
    alike = language_proposal(page(HUNGARIAN, "en"), [page(HUNGARIAN, "en")] * 2)
    assert alike is not None
    assert ([one.value for one in alike.choices], alike.sure) == (["hu", "en"], False), "templates keep a system's default"


def test_nothing_is_made_up() -> None:
    assert language_proposal(page("123"), [page("123")]) is None
    assert timezone_proposal("https://pelda.example/", None, [page("")]) is None
    assert timezone_proposal("https://pelda.example/", "de", [page("")]) is None
    assert timezone_proposal("https://pelda.com/", "en", [dated("2024-05-01T10:00:00+02:00")]) is None


@pytest.mark.parametrize(
    ("home", "language", "moments", "zone", "sure"),
    [
        ("https://pelda.hu/", None, ["2024-05-01T10:00:00+02:00", "2024-01-01T10:00:00+01:00"], "Europe/Budapest", True),
        ("https://pelda.hu/", None, [], "Europe/Budapest", True),
        ("https://pelda.co.uk/", "en", [], "Europe/London", True),
        ("https://pelda.example/", "hu", ["2024-05-01T10:00:00+02:00"], "Europe/Budapest", True),
        ("https://pelda.example/", "hu", [], "Europe/Budapest", False),
        ("https://pelda.com/", "de-AT", ["2024-05-01T10:00:00+0200"], "Europe/Vienna", True),
        ("https://pelda.es/", "es", [], "Europe/Madrid", False),
        ("https://pelda.pt/", "pt", [], "Europe/Lisbon", False),
        ("https://pelda.example/", "de", ["2024-05-01T10:00:00+02:00"], "Europe/Berlin", False),
    ],
)
def test_the_clock_is_that_of_the_country_if_dates_fit(home: str, language: str, moments: list[str], zone: str, sure: bool) -> None:
    found = timezone_proposal(home, language, [dated(*moments)])
    assert found is not None
    assert (found.choices[0].value, found.sure) == (zone, sure)


def test_a_date_may_stand_with_blanks_for_machines() -> None:
    written = "".join(f"<meta name=date content='{moment}'>" for moment in ("2026-10-28 12:33:00 +0100", "2026-08-25 10:53:00 +0200"))
    found = timezone_proposal("https://pelda.example/", "hu", [page(written)])
    assert found is not None
    assert (found.choices[0].value, found.sure) == ("Europe/Budapest", True)


def test_dates_that_do_not_fit_speak_against_it() -> None:
    assert timezone_proposal("https://pelda.hu/", "hu", [dated("2024-05-01T10:00:00-05:00")]) is None


def test_of_several_zones_those_that_fit_are_proposed() -> None:
    found = timezone_proposal("https://pelda.pt/", "pt", [dated("2024-05-01T10:00:00+01:00", "2024-01-01T10:00:00+00:00")])
    assert found is not None
    assert "Europe/Lisbon" in [one.value for one in found.choices]
    assert "Atlantic/Azores" not in [one.value for one in found.choices]
