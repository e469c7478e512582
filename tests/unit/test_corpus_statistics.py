from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from built_corpora import article, built_corpus, post

from webarticlecurator.corpus.events import ProofGround
from webarticlecurator.corpus_statistics import overview, statistics
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.article import Article, Fate, Piece, UnknownTag
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.statistics import CorpusStatistics, Names

TEXT = "The council counts the bridges of the town once a year, and finds one more of them nearly every time it does so."


def day(number: int, year: int = 2024) -> str:
    return f"{year}-05-{number:02d}T10:00:00+02:00"


def counted(folder: Path, *articles: Article, more: str = "", columns: dict[str, range] | None = None) -> CorpusStatistics:
    return statistics(built_corpus(folder, articles, more=more, columns=columns), analysed=False)


def names(told: CorpusStatistics, field: str) -> Names:
    return next(one for one in told.names if one.field == field)


@pytest.fixture
def three(tmp_path: Path) -> CorpusStatistics:
    return counted(
        tmp_path,
        article(1, TEXT, date=day(1, 2022), metadata={"articleSection": "Home", "author": "Anna Kis"}),
        article(2, TEXT, TEXT, date=day(3), metadata={"articleSection": "Sport", "author": "Sport"}),
        article(3, TEXT, date=None),
        columns={"front": range(1, 3), "sport": range(2, 3)},
    )


def test_articles_and_words_are_counted_by_year_and_years_between_are_told(three: CorpusStatistics) -> None:
    words = len(TEXT.split())
    assert [(one.name, one.articles, one.words) for one in three.years] == [
        ("2022", 1, words),
        ("2023", 0, 0),
        ("2024", 1, 2 * words),
        (None, 1, words),
    ]
    assert (three.totals.articles, three.totals.words, three.totals.undated) == (3, 4 * words, 1)
    assert [one.name for one in three.months] == ["2022-05", "2024-05", None]


def test_a_date_that_tells_the_month_or_the_year_alone_counts_in_it_and_as_one_without_a_day(tmp_path: Path) -> None:
    dates = [day(1, 2022), "2022-06", "2023", "2023-13", "0000", None]
    told = counted(tmp_path, *(article(number, TEXT, date=date) for number, date in enumerate(dates, 1)))
    assert [(one.name, one.articles) for one in told.years] == [("2022", 2), ("2023", 1), (None, 3)]
    assert [(one.name, one.articles) for one in told.months] == [("2022-05", 1), ("2022-06", 1), (None, 4)]
    assert told.totals.undated == 5


def test_the_first_and_the_last_article_are_named(three: CorpusStatistics) -> None:
    assert three.totals.first is not None and three.totals.last is not None
    assert (three.totals.first.url, three.totals.last.url) == ("https://pelda.example/1", "https://pelda.example/2")


def test_an_article_counts_in_each_column_that_lists_it_and_the_unlisted_are_told(three: CorpusStatistics) -> None:
    assert {one.name: one.articles for one in three.columns} == {"front": 2, "sport": 1, None: 1}
    assert {one.name: one.articles for one in three.sections} == {"Home": 1, "Sport": 1, None: 1}


def test_every_known_url_has_one_outcome(three: CorpusStatistics) -> None:
    assert three.status is not None
    assert sum(one.count for one in three.outcomes) == sum(three.status.outcomes.values()) == three.totals.urls == 3
    assert sum(one.links for one in three.days) == 2  # the third has no day


def test_an_author_that_is_a_section_is_suspicious(three: CorpusStatistics) -> None:
    (suspect,) = names(three, "author").suspicious
    assert (suspect.name, suspect.suspicious) == ("Sport", ("a section has this name, too",))
    assert any(one.kind == "suspicious" and "Sport" in one.reason for one in three.problems)


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("author", "Example", "it is the portal's own name"),
        ("author", "admin", "it is a login or a placeholder"),
        ("author", "kovacs_anna", "it is a login or a placeholder"),
        ("author", "SzaboIstvan", "it is a login or a placeholder"),
        ("author", "tothgergely", "it is a login or a placeholder"),
        ("author", "kis@pelda.example", "it holds an address"),
        ("author", "kis_anna@pelda.example", "it holds an address"),
        ("author", "By one of our own and many other writers", "it is too long for a name"),
        ("keywords", "example", "it is the portal's own name"),
    ],
)
def test_names_that_may_be_none_are_marked(field: str, value: str, why: str, tmp_path: Path) -> None:
    told = counted(tmp_path, article(1, TEXT, metadata={field: value}), article(2, TEXT, metadata={field: "Anna Kis"}))
    assert [(one.name, one.suspicious) for one in names(told, field).suspicious] == [(value, (why,))]


def test_one_author_of_nearly_everything_and_a_keyword_of_everything_are_marked(tmp_path: Path) -> None:
    told = counted(tmp_path, *(article(n, TEXT, metadata={"author": "Anna Kis", "keywords": "bridge"}) for n in range(1, 31)))
    assert names(told, "author").rows[0].suspicious == ("30 of the 30 articles with an author have this one",)
    assert "tells nothing" in names(told, "keywords").rows[0].suspicious[0]


def test_fields_tell_how_they_are_filled_and_from_where(tmp_path: Path) -> None:
    other = article(2, TEXT, date=day(2), metadata={"author": "B"})
    by_page = {**other.metadata, "author": (Found(value="B", raw="B", source="html:byline"),)}
    told = counted(tmp_path, article(1, TEXT, metadata={"author": "A"}), replace(other, metadata=by_page), article(3, TEXT))
    author = next(one for one in told.fields if one.field == "author")
    assert author.filled == 2
    assert [(year.year, year.articles, year.filled) for year in author.years] == [(2024, 3, 2)]
    assert {one.name: one.count for one in author.sources} == {"css": 1, "html:byline": 1}


def test_disagreeing_sources_are_told_by_pairs(tmp_path: Path) -> None:
    said = {"datePublished": (Found(value="2023-01-01", raw="", source="html:time"),)}
    told = counted(tmp_path, *(replace(article(n, TEXT), disagreements=said) for n in (1, 2)), article(3, TEXT))
    (pair,) = told.disagreements
    assert (pair.field, pair.chosen, pair.other, pair.articles, len(pair.examples)) == ("datePublished", "css", "html:time", 2, 2)
    assert pair.examples[0].text == f"{day(1)} / 2023-01-01"


@pytest.mark.parametrize(
    ("value", "disagreeing"),
    [
        ("Title 1 - Invented News", 0),
        ("Title 1 | INVENTED NEWS", 0),
        ("Title 1 - Sport", 1),
        ("Title 1 and Invented News", 1),
        ("Other", 1),
    ],
)
def test_a_headline_with_the_name_of_the_portal_behind_it_is_no_other_headline(value: str, disagreeing: int, tmp_path: Path) -> None:
    said = {"headline": (Found(value=value, raw="", source="html:title"),)}
    one = replace(article(1, TEXT, metadata={"headline": "Title 1"}), disagreements=said)
    told = counted(tmp_path, one, more="publisher: {name: Invented News}\n")
    assert (len(told.disagreements), next(one.disagreeing for one in told.fields if one.field == "headline")) == (disagreeing, disagreeing)


def test_headlines_that_go_on_behind_those_of_the_pages_are_a_problem(tmp_path: Path) -> None:
    def listed(number: int, headline: str) -> Article:
        said = {"headline": (Found(value=f"Title {number}", raw="", source="html:h1"),)}
        return replace(article(number, TEXT, metadata={"headline": headline}), disagreements=said)

    told = counted(
        tmp_path,
        *(listed(n, f"Title {n} 8 April 2024") for n in (1, 2, 3)),
        listed(4, "Another"),
        listed(5, "Title 5 - Invented News"),
        more="publisher: {name: Invented News}\n",
    )
    assert next(one.longer for one in told.fields if one.field == "headline") == 3
    (problem,) = (one for one in told.problems if one.reason.startswith("headline"))
    assert (problem.kind, problem.count, "Title 1 8 April 2024 / Title 1" in problem.reason) == ("suspicious", 3, True)
    assert problem.command.startswith("curator try ")


@pytest.mark.parametrize(
    ("date", "why"),
    [
        ("1970-01-01", "1 January 1970"),
        ("2020-01-01", "1 January without a time"),
        ("2020", "no whole day"),
        ("2024-05-09T00:00:00+02:00", "midnight to the second"),
    ],
)
def test_dates_that_nobody_meant_are_told(date: str, why: str, tmp_path: Path) -> None:
    told = counted(tmp_path, article(1, TEXT, date=date), article(2, TEXT))
    assert [(one.why.startswith(why), one.articles) for one in told.dates] == [(True, 1)]


def test_many_articles_of_one_second_are_told(tmp_path: Path) -> None:
    told = counted(tmp_path, *(article(number, TEXT) for number in range(1, 13)))
    assert [(one.articles, day(1) in one.why) for one in told.dates] == [(12, True)]


def test_where_no_words_are_counted_none_are_kept_or_left_out(tmp_path: Path) -> None:
    pieces = (Piece(Fate.DROPPED, "看更多", "nav", "nav"),)
    told = counted(tmp_path, article(1, "水文站的水位。", language="zh", pieces=pieces))
    (year,) = told.coverage
    assert (year.articles, year.kept, year.dropped, told.drops[0].pieces, told.lengths.uncounted) == (1, 0, 0, 1, 1)


def test_dropped_text_is_counted_by_rule_and_coverage_by_year(tmp_path: Path) -> None:
    pieces = (Piece(Fate.DROPPED, "three more words", "p.advert", "p.advert"), Piece(Fate.DROPPED, "one", "aside", "aside"))
    told = counted(tmp_path, article(1, TEXT, pieces=pieces, unknown_tags=(UnknownTag("div.odd", 2, 5),)), article(2, TEXT))
    assert [(one.rule, one.words, one.articles, one.examples[0].text) for one in told.drops] == [
        ("p.advert", 3, 1, "three more words"),
        ("aside", 1, 1, "one"),
    ]
    (year,) = told.coverage
    assert (year.kept, year.dropped, year.undecided, year.articles_undecided) == (2 * len(TEXT.split()), 4, 5, 1)
    assert [(one.tag, one.count, one.words) for one in told.undecided] == [("div.odd", 2, 5)]


def test_layouts_are_told_with_their_days(tmp_path: Path) -> None:
    told = counted(tmp_path, article(1, TEXT, date=day(9), layout="new"), article(2, TEXT, date=day(1, 2010)))
    assert [(one.name, one.articles, one.first) for one in told.layouts] == [(None, 1, "2010-05-01"), ("new", 1, "2024-05-09")]


def test_access_is_declared_and_observed(tmp_path: Path) -> None:
    told = counted(
        tmp_path,
        article(1, TEXT, outcome=PageOutcome.PAYWALL, metadata={"isAccessibleForFree": "false"}),
        article(2, TEXT, metadata={"isAccessibleForFree": "false"}),
        article(3, TEXT, metadata={"isAccessibleForFree": "true"}),
        article(4, TEXT),
    )
    (year,) = told.access
    assert (year.free, year.paid, year.undeclared, year.paywall, year.paid_but_whole) == (1, 2, 1, 1, 1)


def test_posts_are_counted_by_kind(tmp_path: Path) -> None:
    posts = (post("Two words", when=day(2)), post("Me too", reply_to="a"), post("News", kind="liveblog"))
    told = counted(tmp_path, article(1, TEXT, posts=posts), article(2, TEXT))
    comments, liveblog = told.posts
    assert (comments.kind, comments.posts, comments.words, comments.articles, comments.answers, comments.undated) == (
        "comments",
        2,
        4,
        1,
        1,
        1,
    )
    assert (liveblog.kind, liveblog.posts) == ("liveblog", 1)


def test_lengths_are_told_by_class_and_quantile(tmp_path: Path) -> None:
    told = counted(tmp_path, *(article(number, " ".join(["word"] * number * 10)) for number in range(1, 11)))
    assert {one.least: one.articles for one in told.lengths.classes if one.articles} == {1: 4, 50: 5, 100: 1}
    assert told.lengths.quantiles == (10, 30, 50, 80, 100)
    assert (told.lengths.mean, told.lengths.longest[0].url) == (55.0, "https://pelda.example/10")


def test_languages_and_duplicates_come_from_the_analysis(tmp_path: Path) -> None:
    german = "Der Rat der Stadt zählt die Brücken einmal im Jahr und findet beinahe jedes Mal eine mehr als vorher, sagt er. " * 3
    file = built_corpus(tmp_path, [article(1, TEXT * 3), article(2, TEXT * 3), article(3, german)])
    told = statistics(file)
    assert [(one.language, one.identified, one.articles) for one in told.languages if one.disagree] == [("en", "de", 1)]
    assert [(one.kind, one.clusters, one.articles, one.surplus) for one in told.duplicates] == [("exact", 1, 2, 1), ("near", 1, 2, 1)]
    assert [lack.what for lack in told.lacks] == []


def test_a_corpus_that_is_not_built_tells_what_the_ledger_knows(tmp_path: Path) -> None:
    file = built_corpus(tmp_path, [article(1, TEXT)])
    (tmp_path / "corpora/pelda/build.sqlite").unlink()
    told = statistics(file, called="pelda.yaml")
    assert (told.totals.articles, told.totals.urls) == (0, 1)
    assert [(lack.what, lack.command) for lack in told.lacks] == [("articles", "curator build pelda.yaml")]
    assert told.outcomes[0].outcome == "fetched"


def test_a_corpus_without_articles_is_counted(tmp_path: Path) -> None:
    told = counted(tmp_path)
    assert (told.totals.articles, told.years, told.lengths.quantiles, told.gaps) == (0, (), (), ())
    assert "articles" in {lack.what for lack in told.lacks}


def test_a_portal_without_dates_says_so(tmp_path: Path) -> None:
    told = counted(tmp_path, article(1, TEXT, date=None), article(2, TEXT, date="soon"))
    assert "dates" in {lack.what for lack in told.lacks}
    assert [(one.name, one.articles) for one in told.years] == [(None, 2)]


def test_silence_after_the_end_that_the_portal_file_names_is_no_gap(tmp_path: Path) -> None:
    for name, until in (("closed", "2024-05-25"), ("living", "today")):
        folder = tmp_path / name
        folder.mkdir()
        url = "https://pelda.example/{year}/{month}/{day}/"
        more = f'archive: {{url: "{url}", dates: {{from: 2024-01-01, until: {until}}}, item: article}}\n'
        days = [f"2024-{month:02d}-{day:02d}" for month in (1, 2, 3, 4, 5) for day in range(1, 26)]
        file = built_corpus(folder, [article(number, TEXT, date=one) for number, one in enumerate(days, start=1)], more=more)
        with closing(sqlite3.connect(folder / "corpora/pelda/ledger.sqlite")) as ledger, ledger:
            ledger.execute("UPDATE urls SET since = '2024-06-25T00:00:00+00:00'")
        ends = [(gap.first, gap.last) for gap in statistics(file, analysed=False).gaps if gap.column is None]
        assert (("2024-05-26", "2024-06-25") in ends) == (name == "living")


def test_the_silence_of_a_feed_is_no_gap_since_it_need_not_list_everything(tmp_path: Path) -> None:
    days = [f"2024-{month:02d}-{day:02d}" for month in (1, 2, 3, 4) for day in range(1, 29)]
    of_column = [number for number, day in enumerate(days, start=1) if day[:7] != "2024-03"]
    articles = [article(number, TEXT, date=one) for number, one in enumerate(days, start=1)]
    file = built_corpus(tmp_path, articles, columns={"front": of_column, "feed": of_column})
    with closing(sqlite3.connect(tmp_path / "corpora/pelda/ledger.sqlite")) as ledger, ledger:
        ledger.execute("UPDATE urls SET since = ?", (then := "2024-06-01T00:00:00+00:00",))
        walk = "INSERT INTO walks (column, run, started, ended, end, rules, ground) VALUES ('feed', 1, ?, ?, 'proved', 'r', ?)"
        ledger.execute(walk, (then, then, ProofGround.FEED_ALONE))
    assert {gap.column for gap in statistics(file, analysed=False).gaps} == {"front", None}


def test_a_damaged_ledger_leaves_what_is_built(tmp_path: Path) -> None:
    file = built_corpus(tmp_path, [article(1, TEXT)])
    (tmp_path / "corpora/pelda/ledger.sqlite").write_bytes(b"no database at all" * 100)
    told = statistics(file, analysed=False)
    assert (told.totals.articles, told.status) == (1, None)
    assert "ledger" in {lack.what for lack in told.lacks}


def test_without_a_corpus_it_says_where_one_was_looked_for(tmp_path: Path) -> None:
    file = tmp_path / "pelda.yaml"
    file.write_text("portal: pelda\ntitle: Example\nhome: https://pelda.example/\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="There is no corpus of pelda"):
        statistics(file)


def test_the_same_corpus_gives_the_same_numbers(tmp_path: Path) -> None:
    file = built_corpus(
        tmp_path, [article(number, TEXT, date=day(number), metadata={"author": f"A {number % 3}"}) for number in range(1, 9)]
    )
    first, second = (orjson.dumps(statistics(file, analysed=False), default=str, option=orjson.OPT_NON_STR_KEYS) for _ in range(2))
    assert first == second


def test_what_pages_say_stays_as_it_is_and_is_cut(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    told = counted(tmp_path, article(1, TEXT, title=evil, metadata={"author": "x" * 10_000, "keywords": evil}))
    assert names(told, "keywords").rows[0].name == evil
    assert len(names(told, "author").rows[0].name) < 300


def test_problems_are_ranked_and_joined_where_only_numbers_differ(tmp_path: Path) -> None:
    file = built_corpus(tmp_path, [article(1, TEXT)])
    lines = [
        {"url": "https://pelda.example/9", "outcome": "error", "reason": "HTTP 503 after 5 attempts", "since": "2024-06-02"},
        {"url": "https://pelda.example/8", "outcome": "error", "reason": "HTTP 503 after 4 attempts", "since": "2024-06-01"},
        {"url": "https://pelda.example/7", "outcome": "drift", "reason": "no links", "since": "2024-06-01"},
    ]
    path = tmp_path / "corpora/pelda/problems.jsonl"
    path.write_bytes(b"\n".join(map(orjson.dumps, lines)) + b"\nno JSON\n")
    told = statistics(file, analysed=False, called="pelda.yaml")
    assert [(one.kind, one.count, one.since) for one in told.problems] == [("drift", 1, "2024-06-01"), ("error", 2, "2024-06-01")]
    assert told.problems[1].command == "curator crawl pelda.yaml"
    assert any(lack.what == "problems" for lack in told.lacks)


@pytest.fixture
def both(tmp_path: Path) -> Iterator[list[str]]:
    yield [str(built_corpus(tmp_path, [article(1, TEXT, portal=name)], portal=name)) for name in ("one", "two")]


def test_an_overview_has_a_row_for_each_portal_and_one_that_cannot_be_read_hides_no_other(both: list[str]) -> None:
    rows = overview([both[0], "nowhere.yaml", both[1]], next_command=lambda _, typed: f"see {typed}")
    assert [(row.portal, row.articles, row.unreadable is None) for row in rows] == [
        ("one", 1, True),
        ("nowhere.yaml", 0, False),
        ("two", 1, True),
    ]
    assert rows[0].next == f"see {both[0]}"


def test_a_damaged_corpus_is_told_in_its_row(both: list[str]) -> None:
    (Path(both[0]).parent / "corpora/one/ledger.sqlite").write_bytes(b"no database" * 200)
    first, second = overview(both, next_command=lambda _, typed: typed)
    assert first.unreadable is not None and "ledger.sqlite" in first.unreadable
    assert second.unreadable is None


def test_nothing_is_written_into_ledger_and_build(tmp_path: Path) -> None:
    file = built_corpus(tmp_path, [article(1, TEXT)])
    corpus = tmp_path / "corpora/pelda"
    statistics(file, analysed=False)
    for name in ("ledger.sqlite", "build.sqlite"):
        with closing(sqlite3.connect(corpus / name)) as db:
            assert not list(db.execute("SELECT 1 FROM sqlite_master WHERE name IN ('known', 'seen', 'empty')"))
