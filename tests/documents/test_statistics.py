"""`curator stats --json`: what a corpus is made of, counted, and what cannot be counted, told; and the same asked of build.sqlite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from published import Publish, PublishedPortal, article, post
from scripted_portal import Crawler, listing
from seams import gaps_in

TEXT = "The council counts the bridges of the town once a year, and finds one more of them nearly every time it does so."
WORDS = len(TEXT.split())


def day(number: int, year: int = 2024) -> str:
    return f"{year}-05-{number:02d}T10:00:00+02:00"


@pytest.fixture
def count(curator: Callable[..., Any]) -> Callable[..., Any]:
    """The numbers of a portal, by name: rows whose columns are attributes."""

    def counted(portal: PublishedPortal, *flags: str, code: int = 0) -> Any:
        ended = curator("stats", portal.file, "--json", "-q", *(flags or ("--no-analyse",)))
        assert ended.code == code, ended.err
        numbers = json.loads(ended.out)
        return {name: [SimpleNamespace(**row) for row in rows] for name, rows in numbers.items()}

    return counted


def of_field(rows: Any, field: str) -> list[Any]:
    return [row for row in rows if row.field == field]


# --- how much there is, and when ---


def test_articles_and_words_are_counted_by_year_and_years_between_are_told(publish: Publish, count: Any) -> None:
    told = count(
        publish(
            article(1, TEXT, date=day(1, 2022), articleSection="Home"),
            article(2, TEXT, f"More: {TEXT}", date=day(3), articleSection="Sport", author="Sport"),
            article(3, TEXT, date=None),
        )
    )
    assert [(one.year, one.articles, one.words) for one in told["articles-by-year"]] == [
        (2022, 1, WORDS),
        (2023, 0, 0),
        (2024, 1, 2 * WORDS + 1),
        (None, 1, WORDS),
    ]
    (totals,) = told["totals"]
    assert (totals.articles, totals.words, totals.undated) == (3, 4 * WORDS + 1, 1)
    assert [one.month for one in told["articles-by-month"]] == ["2022-05", "2024-05", None]
    assert (totals.first_url, totals.last_url) == ("https://pelda.example/1", "https://pelda.example/2")
    assert {one.name: one.articles for one in told["sections"]} == {"Home": 1, "Sport": 1, None: 1}
    assert sum(one.count for one in told["outcomes"]) == totals.urls == 3
    (suspect,) = told["suspicious-names"]
    assert (suspect.name, len(suspect.suspicious)) == ("Sport", 1)
    assert any(one.kind == "suspicious" and "Sport" in one.reason for one in told["problems"])


def test_a_date_that_tells_the_month_or_the_year_alone_counts_in_it_and_as_one_without_a_day(publish: Publish, count: Any) -> None:
    dates = [day(1, 2022), "2022-06", "2023", None]
    told = count(publish(*(article(number, TEXT, date=one) for number, one in enumerate(dates, 1))))
    assert [(one.year, one.articles) for one in told["articles-by-year"]] == [(2022, 2), (2023, 1), (None, 1)]
    assert [(one.month, one.articles) for one in told["articles-by-month"]] == [("2022-05", 1), ("2022-06", 1), (None, 2)]
    assert told["totals"][0].undated == 3


def test_an_article_counts_in_each_column_that_lists_it_and_numbers_agree_with_status(crawler: Crawler) -> None:
    crawler.rules = "archive: {link: h2 a}\ncolumns:\n  news: {url: HOME/n}\n  blog: {url: HOME/b}\n"
    crawler.portal.script |= {"/n": listing(1, 2), "/b": listing(2, 3)}
    assert crawler.crawl() == 0
    crawler.run("build", "--jobs", 1)
    told = json.loads(crawler.run("stats", "--json", "--no-analyse").out)
    assert {one["name"]: one["articles"] for one in told["columns"]} == {"news": 2, "blog": 2}
    assert sum(one["count"] for one in told["outcomes"]) == sum(crawler.status()["outcomes"].values()) == 3
    files = {path.name: path.stat().st_size for path in (crawler.corpus / "warc").iterdir()}
    assert {one["file"]: one["bytes"] for one in told["warc-files"]} == files


def test_rights_signals_are_counted_by_what_they_say(crawler: Crawler) -> None:
    crawler.rules = "archive: {url: HOME/n, link: h2 a}\n"
    page = "<meta name=robots content=noai><h1>Cikk</h1><p>Szöveg."
    crawler.portal.script |= {"/n": listing(1, 2, 3), "/c/1": page, "/c/2": page}
    crawler.crawl()
    for _ in range(2):
        told = json.loads(crawler.run("stats", "--json", "--no-analyse").out)
        assert told["signals"] == [{"name": "meta robots", "value": "noai", "pages": 2, "url": f"{crawler.portal.home}/c/1"}]
        (crawler.corpus / "ledger.sqlite").unlink()
        assert crawler.run("warc", "index").code == 0


def test_lengths_posts_layouts_and_access_are_counted(publish: Publish, count: Any) -> None:
    posts = (post("Two words", when=day(2)), post("Me too", reply_to="a"), post("News", "liveblog"))
    pages = [
        article(1, " ".join(["word"] * 10), date=day(9), posts=posts, isAccessibleForFree="true"),
        article(2, " ".join(["word"] * 60), date=day(1, 2010), layout="old"),
        article(3, " ".join(["word"] * 130), title="Paid", isAccessibleForFree="false"),
    ]
    told = count(publish(*pages))
    assert {one.name: (one.articles, one.first) for one in told["layouts"]} == {None: (2, "2024-05-01"), "old": (1, "2010-05-01")}
    assert [(one.kind, one.posts, one.words, one.answers, one.undated) for one in told["posts"]] == [
        ("comments", 2, 4, 1, 1),
        ("liveblog", 1, 1, 0, 1),
    ]
    assert {one.least: one.articles for one in told["lengths"] if one.articles} == {1: 1, 50: 1, 100: 1}
    assert told["longest-articles"][0].url == "https://pelda.example/3"
    assert sum(one.free for one in told["access"]) == 1
    assert sum(one.paid for one in told["access"]) == 1
    assert sum(one.undeclared for one in told["access"]) == 1


# --- metadata ---


NAMES = [
    *("Kovács Anna", "Anna Kovács-Tóth", "Kiss", "MTI", "MTI/AP", "dpa", "Reuters", "bloomberg", "szerkesztőség", "NVIDIA", "McDonald"),
    *("MacDonald", "DeVito", "LaFontaine", "FitzGerald", "VanDyke", "O'Brien", "D'Annunzio", "iPhone", "eBay", "YouTube", "EuroNews"),
    *("MaryAnn", "JoAnn", "HarperCollins Publishers", "Madonna", "Björk", "grimes", "moby", "k.d. lang", "bell hooks", "will.i.am"),
    *("田中太郎", "田中_太郎", "김민수", "გიორგი", "გიორგიმაისურაძე", "محمد_علي", "मोहनदासगांधी"),
]
NO_NAMES = {
    "Example": "portal",
    "kis@pelda.example": "address",
    "kis_anna@pelda.example": "address",
    "By one of our own and many other writers": "too long",
    "admin": "login",
}


def test_names_that_may_be_none_are_marked_and_what_may_be_a_name_is_let_alone(publish: Publish, count: Any) -> None:
    pages = [article(number, f"{TEXT} {number}", author=name) for number, name in enumerate([*NO_NAMES, *NAMES])]
    suspicious = {one.name: " ".join(one.suspicious) for one in count(publish(*pages))["suspicious-names"]}
    assert {name for name in NAMES if name in suspicious} == set()
    assert {name: why in suspicious.get(name, "") for name, why in NO_NAMES.items()} == dict.fromkeys(NO_NAMES, True)


def test_one_author_of_nearly_everything_and_a_keyword_of_everything_are_marked(publish: Publish, count: Any) -> None:
    told = count(publish(*(article(n, f"{TEXT} {n}", author="Anna Kis", keywords="bridge") for n in range(1, 31))))
    assert "30 of the 30" in of_field(told["names"], "author")[0].suspicious[0]
    assert of_field(told["names"], "keywords")[0].suspicious


def test_fields_tell_how_they_are_filled_and_from_where_and_sources_that_disagree_are_told(publish: Publish, count: Any) -> None:
    heading = "<h1>Title {} - Invented News</h1>"
    pages = [
        article(1, heading.format(1), TEXT, title="Title 1", author="A"),
        article(2, "<h1>Title 2</h1>", TEXT, title="Another", author="B", date=day(2)),
        article(3, heading.format(3), TEXT, title="Title 3", date=day(3)),
    ]
    told = count(publish(*pages, publisher={"name": "Invented News"}))
    (author,), of_years = of_field(told["fields"], "author"), of_field(told["fields-by-year"], "author")
    assert (author.filled, [(year.year, year.articles, year.filled) for year in of_years]) == (2, [(2024, 3, 2)])
    assert [(one.source, one.articles) for one in of_field(told["sources"], "author")] == [("metadata.author", 2)]
    pairs = of_field(told["disagreements"], "headline")
    assert [(one.chosen, one.articles) for one in pairs] == [("metadata.headline", 1)], "the portal's name behind it is no other headline"
    assert pairs[0].text == "Another / Title 2"


@pytest.mark.parametrize(
    ("published", "why"), [("2020-01-01", "1 January without a time"), ("2020", "no whole day"), ("2024-05-09T00:00:00+02:00", "midnight")]
)
def test_dates_that_nobody_meant_are_told(publish: Publish, count: Any, published: str, why: str) -> None:
    told = count(publish(article(1, TEXT, date=published), article(2, TEXT)))
    assert [(why in one.why, one.articles) for one in told["odd-dates"]] == [(True, 1)]


def test_many_articles_of_one_second_are_told(publish: Publish, count: Any) -> None:
    told = count(publish(*(article(number, f"{TEXT} {number}") for number in range(1, 13))))
    assert [(one.articles, day(1) in one.why) for one in told["odd-dates"]] == [(12, True)]


# --- text ---


def test_dropped_text_is_counted_by_rule_and_undecided_tags_are_told(publish: Publish, count: Any) -> None:
    body = {"root": "div.body", "tags": {"decompose": ["p.advert", "aside"]}}
    pages = [
        article(1, TEXT, '<p class="advert">three more words</p>', "<aside>one</aside>", "<x-odd>five words in odd tags</x-odd>"),
        article(2, TEXT),
    ]
    told = count(publish(*pages, body=body))
    assert {(one.rule.rpartition(" ")[2], one.words, one.articles, one.text) for one in told["dropped"]} == {
        ("p.advert", 3, 1, "three more words"),
        ("aside", 1, 1, "one"),
    }
    (year,) = told["coverage"]
    assert (year.kept, year.dropped, year.undecided, year.articles_undecided) == (2 * WORDS + 5, 4, 5, 1)
    assert [(one.tag, one.words) for one in told["undecided"]] == [("x-odd", 5)]


# --- languages and duplicates ---

ENGLISH = (
    "The new bridge over the river was opened on Monday morning by the mayor, who said that nobody had believed in it. "
    "More than four hundred people had come to see how the first bus drove across it, although it was raining heavily."
)
HUNGARIAN = "Aki tegnap reggel a folyónál járt, az láthatta, hogy mennyien várták a híd megnyitását, és hogy senkit sem zavart az eső."
GERMAN = "Wir haben jahrelang auf diese Brücke gewartet, und jetzt, wo sie endlich steht, will keiner mehr mit der alten Fähre fahren."
RUSSIAN = "Мост через реку строили больше десяти лет, и никто уже не верил, что по нему когда-нибудь поедет первый автобус из города."


def test_languages_are_identified_and_what_is_declared_otherwise_is_told(publish: Publish, count: Any) -> None:
    texts = {"en": ENGLISH, "hu": HUNGARIAN, "de": GERMAN, "ru": RUSSIAN}
    nothing = ("Photo: AP", "12. 34. 56. 78. " * 40)
    told = count(publish(*(article(number, text) for number, text in enumerate((*texts.values(), *nothing)))), "--jobs", "1")
    assert {one.identified: one.articles for one in told["languages"]} == {**dict.fromkeys(texts, 1), None: 2}
    assert {one.identified for one in told["languages"] if one.disagree} == {"hu", "de", "ru"}


def test_the_same_and_nearly_the_same_are_clusters_whose_first_was_published_first(publish: Publish, export: Any) -> None:
    story = [" ".join(f"word{(number * 7919 + seed * 104729) % 5003}" for number in range(200)) for seed in range(4)]
    nearly = " ".join([*story[1].split()[:-20], *(f"other{number}" for number in range(20))])
    pages = {
        "another": article(1, story[0]),
        "second": article(2, story[1], date=day(3)),
        "nearly": article(3, nearly, date=day(4)),
        "first": article(4, story[1].replace(" ", "  \n"), title="Other", date=day(2)),
        "appendix 1": article(5, story[2], story[0][:600]),
        "appendix 2": article(6, story[3], story[0][:600]),
    }
    fields = ("--fields", "id,duplicates,near_duplicates")
    portal = publish(*pages.values())
    rows = [line.split(",") for line in export(portal, "csv", "a.csv", *fields).text.splitlines()[1:]]
    found = {name: next(tuple(row[1:]) for row in rows if row[0] == page.id) for name, page in pages.items()}
    first = pages["first"].id
    assert found == {
        "another": ("", ""),
        "second": (first, first),
        "nearly": ("", first),
        "first": (first, first),
        "appendix 1": ("", ""),
        "appendix 2": ("", ""),
    }
    portal.take_in(article(7, story[0], date=day(9)))
    portal.build()
    again = {row[0]: row[1] for row in (line.split(",") for line in export(portal, "csv", "a.csv", *fields).text.splitlines()[1:])}
    assert again[article(7).id] == again[pages["another"].id] == pages["another"].id, "what is new is compared with all"


def test_while_it_is_analysed_it_says_that_only_new_and_changed_articles_are(publish: Publish, curator: Any) -> None:
    portal = publish(article(1, TEXT), article(2, TEXT))
    assert "new or changed articles analysed: 2 of 2" in curator("stats", portal.file, "--verbose").err
    portal.take_in(article(3, TEXT))
    portal.build()
    assert "new or changed articles analysed: 1 of 1" in curator("stats", portal.file, "--verbose").err


def test_a_damaged_analysis_says_so(publish: Publish, curator: Any) -> None:
    portal = publish(article(1, TEXT))
    (portal.corpus / "analysis.sqlite").write_bytes(b"no database at all" * 100)
    ended = curator("export", portal.file, "--to", "jsonl", "--analyse")
    assert (ended.code, "analysis.sqlite" in ended.err) == (2, True)


# --- what cannot be counted ---


def lacking(told: Any) -> dict[str, str]:
    return {one.what: one.command or "" for one in told["lacks"]}


def test_a_corpus_that_is_not_built_tells_what_the_ledger_knows(tmp_path: Path, count: Any) -> None:
    portal = PublishedPortal(tmp_path)
    portal.take_in(article(1, TEXT))
    told = count(portal)
    assert (told["totals"][0].articles, told["totals"][0].urls, told["outcomes"][0].outcome) == (0, 1, "fetched")
    assert "curator build" in lacking(told)["articles"]


def test_a_corpus_without_articles_or_dates_says_so(publish: Publish, count: Any) -> None:
    told = count(publish())
    assert (told["totals"][0].articles, told["articles-by-year"], told["length-quantiles"], told["gaps"]) == (0, [], [], [])
    assert "articles" in lacking(told)
    assert "dates" in lacking(count(publish(article(1, TEXT, date=None), name="undated", home="https://pelda.example/")))


def test_a_missing_file_is_told(publish: Publish, count: Any, tmp_path: Path) -> None:
    portal = publish(article(1, TEXT, '<meta name="robots" content="noai">'))
    file = next((portal.corpus / "warc").glob("*articles*"))
    assert file.name in {one.file for one in count(portal)["warc-files"]}
    file.rename(tmp_path / "away")
    lost = count(portal)["problems"][0]
    assert (lost.kind, file.name in lost.reason) == ("lost", True)


def test_the_same_corpus_gives_the_same_numbers_and_nothing_is_written_into_ledger_and_build(publish: Publish, curator: Any) -> None:
    portal = publish(*(article(number, TEXT, date=day(number), author=f"A {number % 3}") for number in range(1, 9)))
    before = [_tables(portal.corpus / name) for name in ("ledger.sqlite", "build.sqlite")]
    first, second = (curator("stats", portal.file, "--json", "-q").out for _ in range(2))
    assert first == second
    assert [_tables(portal.corpus / name) for name in ("ledger.sqlite", "build.sqlite")] == before


def _tables(database: Path) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(database)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
        return [(name, db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in tables]


def test_problems_are_ranked_and_joined_where_only_numbers_differ(publish: Publish, count: Any) -> None:
    portal = publish(article(1, TEXT))
    lines = [
        {"url": "https://pelda.example/9", "outcome": "error", "reason": "HTTP 503 after 5 attempts", "since": "2024-06-02"},
        {"url": "https://pelda.example/8", "outcome": "error", "reason": "HTTP 503 after 4 attempts", "since": "2024-06-01"},
        {"url": "https://pelda.example/7", "outcome": "drift", "reason": "no links", "since": "2024-06-01"},
    ]
    (portal.corpus / "problems.jsonl").write_text("\n".join([*map(json.dumps, lines), "no JSON"]) + "\n")
    told = count(portal)
    assert [(one.kind, one.count, one.since) for one in told["problems"]] == [("drift", 1, "2024-06-01"), ("error", 2, "2024-06-01")]
    assert told["problems"][1].command.startswith("curator crawl ")
    assert "problems" in lacking(told)


def test_a_document_that_a_build_found_to_be_right_counts_as_made_by_the_rules_of_now(publish: Publish, count: Any) -> None:
    body = {"root": "div.body", "tags": {"decompose": ["b.ad"]}}
    portal = publish(article(1, TEXT, '<p>Well, <b class="ad">buy this</b></p>'), article(2, TEXT))
    assert [(one.articles, one.current) for one in count(portal)["rules"]] == [(2, True)]
    portal.more["body"] = body
    assert [(one.articles, one.current) for one in count(portal)["rules"]] == [(2, False)]
    portal.build()
    rules = count(portal)["rules"]
    assert sorted((one.articles, one.current) for one in rules) == [(1, True), (1, True)]


# --- what a person asks of build.sqlite ---


def test_the_views_of_a_build_answer_own_questions_and_follow_what_is_built(publish: Publish) -> None:
    pages = [
        article(
            1, TEXT, author=["Anna Kis", "Béla Nagy"], keywords=["bridge", "river"], posts=(post("Two words", who="Cili", when=day(2)),)
        ),
        article(2, TEXT, author="Anna Kis", date="2022-06"),
    ]
    portal = publish(*pages)

    def asked(sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(portal.corpus / "build.sqlite")) as db:
            return db.execute(sql).fetchall()

    by_author = "SELECT author, count(*), min(year) FROM authors JOIN articles ON number = article GROUP BY author ORDER BY 2 DESC"
    assert asked(by_author) == [("Anna Kis", 2, 2022), ("Béla Nagy", 1, 2024)]
    assert asked("SELECT keyword FROM keywords ORDER BY 1") == [("bridge",), ("river",)]
    assert asked("SELECT url, kind, author, p.day, p.words FROM posts p JOIN articles ON number = article") == [
        ("https://pelda.example/1", "comments", "Cili", "2024-05-02", 2)
    ]
    assert asked("SELECT headline, day, month, year, words FROM articles WHERE url LIKE '%/2'") == [
        ("A bridge", None, "2022-06", 2022, WORDS)
    ]
    portal.more["articles"] = {"skip": {"when": ["body"]}}
    portal.build()
    assert asked("SELECT (SELECT count(*) FROM metadata), (SELECT count(*) FROM posts)") == [(0, 0)]


# --- gaps ---

MONDAY = date(2024, 1, 1)
WEEKLY, WEEKDAYS, DAILY = (0, 1, 0, 0, 0, 0, 0), (14, 14, 14, 14, 14, 0, 0), (5, 5, 5, 5, 5, 5, 5)


def rhythm(weeks: int, week: tuple[int, ...], without: range = range(0)) -> dict[str, int]:
    """Articles by day; `week`: how many from Monday to Sunday; `without`: days, from 0, on which there were none."""
    numbers = {number: week[number % 7] for number in range(7 * weeks) if number not in without}
    return {(MONDAY + timedelta(days=number)).isoformat(): articles for number, articles in numbers.items() if articles}


BY_CHANCE = {(MONDAY + timedelta(days=number * number * 7 % 800)).isoformat(): 1 for number in range(200)}
TWICE = {day: number for day, number in rhythm(60, DAILY, range(200, 214)).items() if not "2024-09-17" <= day <= "2024-09-30"}
GAPS: dict[str, tuple[dict[str, int], int | None, list[tuple[str, str, float]]]] = {
    "a blog that writes once a week": (rhythm(60, WEEKLY), None, []),
    "a newspaper": (rhythm(60, WEEKDAYS), None, []),
    "a blog that paused once": (rhythm(60, WEEKLY, range(210, 217)), None, []),
    "a blog that paused for a month": (rhythm(60, WEEKLY, range(210, 238)), None, [("2024-07-24", "2024-08-26", 4.0)]),
    "one working day, with the weekend before it": (rhythm(60, WEEKDAYS, range(203, 204)), None, [("2024-07-20", "2024-07-22", 14.0)]),
    "where few articles come by chance a longer silence is needed": (BY_CHANCE, None, []),
    "two near each other": (TWICE, None, [("2024-07-19", "2024-08-01", 67.3), ("2024-09-17", "2024-09-30", 67.0)]),
    "up to the last crawl": (rhythm(20, DAILY), 149, [("2024-05-20", "2024-05-29", 50.0)]),
    "no silence before the last crawl": (rhythm(20, DAILY), 139, []),
    "a few weeks are no rhythm": ({"2024-05-01": 9, "2024-05-02": 9}, 200, []),
    "dates that lie an age apart": ({"0001-01-01": 5, "2024-05-01": 5}, None, []),
    "no dates": ({}, None, []),
}


@pytest.mark.parametrize("case", GAPS)
def test_a_silence_that_the_rhythm_of_a_portal_does_not_explain_is_a_gap(case: str) -> None:
    days, until, expected = GAPS[case]
    found = gaps_in(days, until=None if until is None else MONDAY + timedelta(days=until))
    assert [(gap.first, gap.last, gap.expected) for gap in found] == expected


@pytest.mark.parametrize(("last", "is_proved"), [(420, True), (205, False)])
def test_a_gap_says_whether_its_days_are_proved(last: int, is_proved: bool) -> None:
    (gap,) = gaps_in(rhythm(60, DAILY, range(200, 214)), proved=[(MONDAY, MONDAY + timedelta(days=last))])
    assert gap.proved is is_proved


def test_a_column_that_was_closed_is_no_gap_where_its_archive_proves_its_end() -> None:
    later = MONDAY + timedelta(days=839)
    assert gaps_in(rhythm(40, DAILY), until=later, proved=[(date.min, date.max)] * 2) == []
    (gap,) = gaps_in(rhythm(40, DAILY), until=later)
    assert (gap.days, gap.proved) == (560, False)


@pytest.mark.parametrize("until", ["2024-05-25", "today"])
def test_silence_after_the_end_that_the_portal_file_names_is_no_gap(publish: Publish, count: Any, until: str) -> None:
    archive = {"url": "https://pelda.example/{year}/{month}/{day}/", "dates": {"from": "2024-01-01", "until": until}, "item": "article"}
    days = [f"2024-{month:02d}-{day:02d}" for month in (1, 2, 3, 4, 5) for day in range(1, 26, 3)]
    pages = [article(number, f"{TEXT} {number}", date=one, captured="2024-09-25T00:00:00Z") for number, one in enumerate(days, start=1)]
    told = count(publish(*pages, archive=archive))
    assert any(gap.first == "2024-05-26" for gap in told["gaps"]) is (until == "today")
