"""`curator watch`, and the look of every build: a changed layout is named with its first article, and what could be written for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pytest
import yaml
from warc_records import write_warc
from watched_portal import html

AT = "https://pelda.example"
HEAD = f"portal: pelda\ntitle: Example\nhome: {AT}/\nlanguage: en\n"
RULE = "body: {root: div.story}\n"
OK, DRIFT = 0, 5


def pages(numbers: Iterable[int], *, section: str = "cikk", **how: Any) -> dict[str, str]:
    """Articles of successive days."""
    return {f"{AT}/{section}/{number}": html(number, **how) for number in numbers}


@dataclass
class Watched:
    """A corpus that grows, and what is said of it."""

    curator: Callable[..., Any]
    folder: Path
    rules: str = RULE

    @property
    def file(self) -> Path:
        path = self.folder / "portal.yaml"
        path.write_text(HEAD + self.rules, encoding="utf-8")
        return path

    @property
    def corpus(self) -> Path:
        return self.folder / "corpus"

    def store(self, *parts: dict[str, str]) -> Watched:
        for part in parts:
            file = write_warc(self.folder / "in.warc.gz", part)
            assert self.curator("warc", "import", self.file, file, "--corpus", self.corpus).code == 0
        return self

    def build(self) -> Any:
        return self.curator("build", self.file, "--corpus", self.corpus, "--jobs", "1")

    def watch(self, *flags: object) -> dict[str, Any]:
        ended = self.curator("watch", self.file, "--corpus", self.corpus, "--json", "-q", *flags)
        told: dict[str, Any] = json.loads(ended.out)
        assert told["exit_code"] == ended.code
        return told

    def drifts(self, *parts: dict[str, str]) -> list[tuple[str, str]]:
        """Where the layout changed, and by which sign that is surest, once these pages are stored and built."""
        self.store(*parts)
        self.build()
        return [(drift["url"].rpartition("/")[2], drift["kinds"][0]) for drift in self.watch()["drifts"]]

    @property
    def problems(self) -> list[dict[str, str]]:
        lines = (self.corpus / "problems.jsonl").read_text(encoding="utf-8").splitlines()
        return [one for one in map(json.loads, lines) if one["outcome"] == "article-drift"]


@pytest.fixture
def watched(curator: Callable[..., Any], tmp_path: Path) -> Watched:
    return Watched(curator, tmp_path)


@pytest.fixture
def drifted(watched: Watched) -> Watched:
    """From the fifteenth article on the rule for the text finds none."""
    watched.store(pages(range(14)), pages(range(14, 20), suffix="-new"))
    watched.build()
    return watched


def test_after_a_build_a_drift_is_told_and_is_a_problem_and_an_exit_code(watched: Watched) -> None:
    assert watched.store(pages(range(14))).build().code == OK
    built = watched.store(pages(range(14, 20), suffix="-new")).build()
    assert built.code == DRIFT
    assert f"{AT}/cikk/14" in built.out + built.err
    (problem,) = watched.problems
    assert problem["url"] == f"{AT}/cikk/14"
    assert "6 of 6 articles" in problem["reason"] and "0 of 14 articles" in problem["reason"]
    assert watched.build().code == DRIFT, "with nothing new it still tells what is known"
    status = watched.curator("status", watched.file, "--corpus", watched.corpus)
    assert f"{AT}/cikk/14" in status.out + status.err
    assert "curator watch" in status.err.splitlines()[-1]


def test_a_watch_names_the_first_article_shows_three_pages_and_proposes_a_layout(drifted: Watched) -> None:
    told = drifted.watch("-o", drifted.folder / "drift.html")
    (drift,) = told["drifts"]
    assert (told["exit_code"], drift["url"], drift["day"][:10]) == (DRIFT, f"{AT}/cikk/14", "2024-01-15")
    assert drift["kinds"][0] == "empty"
    assert [(page["role"], page["url"].rpartition("/")[2], page["outcome"]) for page in drift["pages"]] == [
        ("last before", "13", "article"),
        ("first after", "14", "empty"),
        ("another after", "19", "empty"),
    ]
    before, after, _ = drift["pages"]
    assert any(block["kept"] for block in before["blocks"]) and not any(block["kept"] for block in after["blocks"])
    assert (drift["proposal"]["name"], drift["proposal"]["from"]) == ("since-2024-01-15", "2024-01-15")
    shown = (drifted.folder / "drift.html").read_text(encoding="utf-8")
    assert shown.count("<iframe") == 3 and "Most read" in shown
    drifted.rules += yaml.safe_dump({"layouts": [drift["proposal"]]})
    assert (drifted.build().code, drifted.watch()["drifts"], drifted.problems) == (OK, [], []), "what is proposed ends the alarm"


def test_what_a_watch_remembers_can_be_made_again_and_what_is_known_is_told_once(drifted: Watched) -> None:
    first = drifted.watch()
    (drifted.corpus / "watch.json").unlink()
    assert drifted.watch()["drifts"] == first["drifts"]
    drifted.store(pages(range(20, 22), suffix="-new"))
    assert drifted.build().code == DRIFT
    assert drifted.watch()["pages"] == 22
    assert len(drifted.problems) == 1, "what is known is told once, however often one builds"


def test_a_build_without_an_alarm_leaves_no_file_of_the_watch_behind(watched: Watched) -> None:
    watched.store(pages(range(22)))
    assert watched.build().code == OK
    assert not list(watched.corpus.glob("watch.*"))


def test_people_are_told_its_first_article_its_signs_and_an_entry_that_can_be_copied(drifted: Watched) -> None:
    ended = drifted.curator("watch", drifted.file, "--corpus", drifted.corpus)
    assert ended.code == DRIFT
    assert "1. From 2024-01-15" in ended.out and f"{AT}/cikk/14" in ended.out and f"{AT}/cikk/13\n" in ended.out
    assert "last before (2024-01-14" in ended.out and "first after (2024-01-15" in ended.out and "`layouts`" in ended.out
    assert "from: '2024-01-15" in ended.out


HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">'


def test_on_the_page_for_the_browser_nothing_of_the_portal_runs(watched: Watched) -> None:
    hostile = pages(range(14, 20), suffix="-new", widget=f"{HOSTILE}<p>{escape(HOSTILE)}</p>")
    watched.store(pages(range(14)), hostile).build()
    assert watched.watch("-o", watched.folder / "drift.html")["exit_code"] == DRIFT
    shown = (watched.folder / "drift.html").read_text(encoding="utf-8")
    assert HOSTILE not in shown and "<script" not in shown and "&lt;script&gt;" in shown
    assert 'sandbox=""' in shown and "default-src" in shown


@pytest.mark.parametrize(("flags", "noun"), [((), "portal.yaml` begins it"), (("-o", "-"), "name its file")])
def test_what_comes_first_is_told(flags: tuple[str, ...], noun: str, watched: Watched) -> None:
    ended = watched.curator("watch", watched.file, *flags)
    assert (ended.code, noun in ended.err) == (2, True)


WIDGET = '<div class="promo"><h4>Read on</h4><a href="/x">Only {0} knows why</a><a href="/y">Where number {0} is</a></div>'
BEFORE = pages(range(14))
LATER = range(14, 22)


LETTER = "<p>Subscribe to our letter and never miss a story again.</p>"
CHANGED = "<p>Last changed on 27 November 2026 15:{}</p>"
CHANGES: dict[str, tuple[str, Callable[[], dict[str, str]], list[tuple[str, str]]]] = {
    "shorter articles": (RULE, lambda: BEFORE | pages(LATER, paragraphs=3), []),
    "odd pages among others": (RULE, lambda: pages(range(40)) | pages((20, 21, 26, 30, 33, 37), suffix="-live"), []),
    "few odd pages at the end": (RULE, lambda: pages(range(20)) | pages(range(20, 23), suffix="-video"), []),
    "articles without text": (RULE, lambda: BEFORE | pages(LATER, suffix="-new"), [("14", "empty")]),
    "other names while the text is found": ("", lambda: BEFORE | pages(LATER, suffix="-new"), []),
    "half of the body elsewhere": (RULE, lambda: BEFORE | pages(LATER, kept=("story", "story-goes-on")), [("14", "lost-text")]),
    "authors that stop": (RULE, lambda: pages(range(20)) | pages(range(20, 34), byline=False), [("20", "metadata")]),
    "authors that a few have not": (RULE, lambda: pages(range(20)) | pages(range(20, 26), byline=False), []),
    "too few articles": (RULE, lambda: pages(range(5)) | pages(range(5, 9), suffix="-new"), []),
    "several changes": (
        RULE,
        lambda: pages(range(30)) | pages(range(30, 70), widget=LETTER) | pages(range(70, 100), suffix="-newest"),
        [("30", "repeated-text"), ("70", "empty")],
    ),
    "the same line in all newer articles": (RULE, lambda: BEFORE | pages(LATER, widget=LETTER), [("14", "repeated-text")]),
    "a moment of change that many tell alike": (
        RULE,
        lambda: pages(range(14), widget=CHANGED.format(33)) | pages(LATER, widget=CHANGED.format(34)),
        [],
    ),
    "a foreign box whose words differ": (
        RULE,
        lambda: BEFORE | {url: html(n, widget=WIDGET.format(n)) for n in LATER for url in pages([n])},
        [("14", "foreign-text")],
    ),
}
MANY = ("several changes", "odd pages among others", "authors that a few have not", "few odd pages at the end")
"""Which take seconds."""


@pytest.mark.parametrize(
    ("rules", "made", "found"),
    [pytest.param(*case, marks=[pytest.mark.nightly] * (name in MANY)) for name, case in CHANGES.items()],
    ids=CHANGES,
)
def test_a_change_is_told_where_it_began_if_it_goes_on_to_the_newest_articles(
    watched: Watched, rules: str, made: Callable[[], dict[str, str]], found: list[tuple[str, str]]
) -> None:
    watched.rules = rules
    assert watched.drifts(made()) == found


def test_two_columns_without_dates_differ_and_nothing_has_changed_until_a_later_crawl_brings_the_other(watched: Watched) -> None:
    news, essays = pages(range(20), dated=False), pages(range(20, 34), section="esszek", widget=LETTER, dated=False)
    assert watched.store({**news, **essays}).build().code == OK
    assert watched.watch()["drifts"] == []
    later = write_warc(watched.folder / "later.warc.gz", pages(range(34, 48), suffix="-new", dated=False), date="2024-07-01T00:00:00Z")
    assert watched.curator("warc", "import", watched.file, later, "--corpus", watched.corpus).code == OK
    assert watched.build().code == DRIFT


def test_of_few_articles_nothing_is_said_and_a_portal_that_stays_as_it_is_is_well(watched: Watched) -> None:
    watched.store(pages(range(4))).build()
    assert watched.watch()["too_few"] is True
    watched.store(pages(range(4, 20))).build()
    told = watched.watch()
    assert (told["exit_code"], told["drifts"], told["articles"], told["pages"], told["too_few"]) == (OK, [], 20, 20, False)


def test_what_only_the_pages_show_is_found_by_a_watch_and_by_no_build(watched: Watched) -> None:
    built = watched.store(pages(range(14)), pages(range(14, 22), kept=("story", "story-goes-on"))).build()
    assert (built.code, watched.problems, watched.watch()["exit_code"]) == (OK, [], DRIFT)


def test_the_entry_for_a_layout_of_the_portal_file_stands_above_it_and_ends_the_alarm(watched: Watched) -> None:
    layout = "layouts:\n- {name: old, until: 2024-12-31, body: {root: div.story}}\n"
    watched.rules = layout
    watched.store(pages(range(14)), pages(range(14, 24), suffix="-new")).build()
    (drift,) = watched.watch()["drifts"]
    assert (drift["layout"], "above the entry old" in drift["proposed_for"]) == ("old", True)
    assert drift["proposal"] == {
        "name": "since-2024-01-15",
        "from": "2024-01-15",
        "body": {"root": None},
    }
    watched.rules = layout.replace("layouts:\n", f"layouts:\n{yaml.safe_dump([drift['proposal']])}")
    assert (watched.build().code, watched.watch()["drifts"]) == (OK, [])


@pytest.mark.nightly
def test_the_redesign_of_one_section_is_found_and_its_entry_leaves_the_others_as_they_are(watched: Watched) -> None:
    watched.store(pages(range(24), section="sport"), pages(range(14)), pages(range(14, 24), suffix="-new")).build()
    (drift,) = watched.watch()["drifts"]
    assert drift["url"] == f"{AT}/cikk/14"
    watched.rules += yaml.safe_dump({"layouts": [drift["proposal"]]})
    assert (watched.build().code, watched.watch()["drifts"]) == (OK, [])
