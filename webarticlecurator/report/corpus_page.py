"""The report of a corpus: its numbers in tables and charts, and on the first screen what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import accumulate
from typing import Any

from markupsafe import Markup

from webarticlecurator.amounts import amount, percent, those_that_hold, uncounted
from webarticlecurator.model.corpus_status import StatusReport, added_up
from webarticlecurator.model.outcome import FetchOutcome, PageOutcome
from webarticlecurator.report.charts import (
    MONTHS,
    TONES,
    ChartSeries,
    Panel,
    calendar,
    columns,
    small_columns,
    thinned,
    toned,
)
from webarticlecurator.report.pages import page, stranger

Row = Any
"""A row of a number: its columns are attributes, and items of a mapping."""
Numbers = Mapping[str, Sequence[Row]]
_UNASKED = (
    "address like an article's that nobody has asked for",
    "addresses like an article's that nobody has asked for",
)
"""The words by which the report counts what a crawl has left to the next."""
_MOST_YEARS = 60
"""Successive years that a chart shows; a wrong date may lie in any."""


def corpus_page(numbers: Numbers, *, made_on: date) -> bytes:
    """The whole file; the same bytes of the same numbers and day."""
    walks, outcomes = _Walks(numbers), numbers["outcomes"]
    kinds = [
        {"name": name, "tone": tone, "rows": [row for row in outcomes if row.outcome in of_kind]}
        for name, tone, of_kind in _KINDS
    ]
    others = [row for row in outcomes if not any(row.outcome in of_kind for _, _, of_kind in _KINDS)]
    capped = {row.number: row.all for row in numbers["capped"]}
    made = page(
        "report.html",
        **_HELPERS,
        numbers=numbers,
        made_on=made_on.isoformat(),
        all_of=lambda name: capped.get(name, len(numbers[name])),
        status=walks.status,
        walks=walks,
        columns_walked=[(column, column.state) for column in added_up(walks.status.completeness)],
        answers=list(_answers(numbers, walks)),
        days=_days(numbers),
        kinds=[kind for kind in (*kinds, {"name": "failed", "tone": "bad", "rows": others}) if kind["rows"]],
        words=_words(numbers["coverage"]),
    )
    return made.encode("utf-8", "replace")


def shown_years(rows: Iterable[Row], what: str = "articles") -> list[int]:
    """The successive years that hold most, without the empty ones at their ends."""
    held = Counter[int]()
    for row in rows:
        if row["year"] is not None:
            held[row["year"]] += row[what]
    held = +held
    if not held:
        return []
    begins = max(
        held,
        key=lambda first: (
            sum(number for year, number in held.items() if first <= year < first + _MOST_YEARS),
            first,
        ),
    )
    return list(range(begins, max(year for year in held if year < begins + _MOST_YEARS) + 1))


def along(
    periods: Iterable[Hashable], rows: Iterable[Row], what: str = "articles", by: str = "year"
) -> list[int]:
    """Return what the rows count in each of these periods."""
    counts = Counter[Hashable]()
    for row in rows:
        counts[row[by]] += row[what]
    return [counts[period] for period in periods]


def shares(years: Sequence[int], rows: Sequence[Row], what: str) -> list[float]:
    """Return what the rows count in each of these years, in percent of all of a year."""
    parts, wholes = along(years, rows, what), along(years, rows, "whole")
    return [round(100 * part / whole, 2) if whole else 0 for part, whole in zip(parts, wholes, strict=True)]


def elsewhere(
    years: Sequence[int],
    rows: Iterable[Row],
    what: str = "articles",
    each: str = "article",
    many: str | None = None,
) -> str:
    """Return what a chart of these years does not show."""
    others = Counter[int | None]()
    for row in rows:
        if row["year"] not in years:
            others[row["year"]] += row[what]
    undated = others.pop(None, 0)
    parts = [f"{amount(undated, each, many)} without a date"] if undated else []
    if years and others.total():
        parts.append(f"{amount(others.total(), each, many)} of years before {years[0]} or after {years[-1]}")
    return f" Not in the chart: {' and '.join(parts)}." if parts else ""


def grouped(rows: Iterable[Row], by: str) -> dict[Any, list[Row]]:
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[by], []).append(row)
    return groups


def year_span(years: Iterable[int | None]) -> str:
    """Return the span from a year to a year, however many are between."""
    known = sorted({year for year in years if year is not None})
    if not known:
        return "no date"
    return str(known[0]) if len(known) == 1 else f"{known[0]}–{known[-1]}"


def zeros_between(counts: Sequence[int]) -> int:
    """Return how many periods without anything are between the first and the last that have some."""
    held = [place for place, number in enumerate(counts) if number]
    return counts[held[0] : held[-1]].count(0) if held else 0


def stacked_by(
    rows: Iterable[Row], by: str, by_year: Iterable[Row], years: Sequence[int], what: str, unnamed: str = ""
) -> Any:
    """A series of each row, in their order."""
    of_year = grouped(by_year, by)
    return toned(
        ChartSeries(row[by] or unnamed, along(years, of_year.get(row[by], ()), what), "") for row in rows
    )


def stacked_sections(numbers: Numbers, years: Sequence[int]) -> list[ChartSeries]:
    """Return what had come together by the end of each year. Each article stands in one section, so that they
    may be stacked; all smaller ones are one, which says how many they are."""
    of_year = grouped(numbers["sections-by-year"], "name")
    series = [
        ChartSeries("no section" if name is None else name, along(years, rows), "")
        for name, rows in of_year.items()
    ]
    series.sort(key=lambda row: -sum(row.values))
    every = next((row.all for row in numbers["capped"] if row.number == "sections"), len(series))
    kept = [
        row._replace(tone=f"t{place}")
        for place, row in enumerate(series[: TONES if every <= TONES else TONES - 1])
    ]
    whole = along(years, numbers["articles-by-year"])
    rest = [
        max(0, all_of_it - sum(row.values[place] for row in kept)) for place, all_of_it in enumerate(whole)
    ]
    kept += [ChartSeries(f"{every - len(kept):,} others", rest, "other")] if every > len(kept) else []
    return [row._replace(values=list(accumulate(row.values))) for row in kept]


def _length_name(row: Row) -> str:
    if row.most is None:
        return f"{row.least:,}+"
    return f"{row.least:,}" if row.most == row.least else f"{row.least:,}–{row.most:,}"


_HELPERS: dict[str, Any] = {
    "every_year": lambda rows: sorted(
        {row["year"] for row in rows}, key=lambda year: year or 9999
    ),  # those without a date last
    "labels_of_years": lambda years: [
        (place * 12 + 5, label) for place, label in thinned([str(year) for year in years])
    ],
    "legend_of": lambda stacked: [(row.tone, row.name) for row in stacked],
    "length_names": lambda rows: [_length_name(row) for row in rows],
    "month_names": MONTHS,
    "months_of": lambda years: [f"{year:04d}-{month:02d}" for year in years for month in range(1, 13)],
    "panel": Panel,
    "series": ChartSeries,
    "untitled": lambda urls: [("", url) for url in urls],
}
_CHARTS, _ROWS = (
    (calendar, columns, small_columns),
    (along, elsewhere, grouped, shares, shown_years, year_span, zeros_between),
)
_HELPERS |= {helper.__name__: helper for helper in (*_CHARTS, *_ROWS, stacked_by, stacked_sections)}
"""The helpers that the templates of reports ask for: functions by their own names, and what is said in a
line."""


class _Walks:
    """The proofs of the columns that are needed."""

    def __init__(self, numbers: Numbers) -> None:
        self.status: StatusReport = numbers["status"][0]
        self.removed = {row.column: row.told_column for row in self.status.completeness if row.removed}
        """Columns that the portal file has no more, as people are told of them."""
        needed = [row for row in self.status.completeness if row.counts]
        self.proved = sum(row.proved for row in needed)
        self.only_read = sum(row.only_read for row in needed)
        """The number of intervals of feeds and sitemaps, which need not list everything."""
        self.intervals = sum(row.intervals for row in needed) - self.only_read
        """The number of intervals of columns that are needed, without those of feeds and sitemaps."""
        self.grounds = Counter[str]()
        """The number of intervals that lean on each ground."""
        self.by_word = 0
        for proof in numbers["proofs"]:
            if proof.column not in self.removed:
                self.grounds[proof.ground] += 0 if proof.only_read else proof.intervals
                self.by_word += proof.intervals if proof.by_word else 0


_STATES = {
    "many": "more articles than on most days",
    "some": "articles",
    "unfetched": "links seen, not fetched or built",
    "failed": "some failed",
    "gap": "no article where the rhythm lets one expect some",
    "silent": "no article, as the lists prove",
}
"""The states of a day of which something is known, with what the legend says."""


def _days(numbers: Numbers) -> dict[str, Any]:
    """Return every day that something is known of: those of the articles, and those around them that only
    links are known of."""
    known: dict[date, Row] = {}
    for row in numbers["days"]:
        with suppress(ValueError):  # a list may name any day
            known[date.fromisoformat(row.day)] = row
    articles = sorted(row.articles for row in known.values() if row.articles)
    often = articles[3 * len(articles) // 4] if articles else 0
    years = _years_of_days(known, shown_years(numbers["articles-by-year"]))
    states = {day: _state(row, often) for day, row in known.items()}
    counts = Counter(states.values())
    shown = [day for day in known if day.year in years]
    return {
        "years": years,
        "states": states,
        "counts": {state: counts[state] for state in _STATES},
        "by_year": Counter((day.year, state) for day, state in states.items()),
        "first": min(shown, default=None),
        "last": max(shown, default=None),
        "length": (max(shown) - min(shown)).days + 1 if shown else 0,
        "told": ", ".join(_told_days(len(articles), counts)),
        "legend": [
            (state, f"{words} ({amount(counts[state], 'day')})")
            for state, words in _STATES.items()
            if counts[state]
        ],
    }


def _told_days(with_articles: int, counts: Mapping[str, int]) -> list[str]:
    """Return what the sentence above the calendar says of its days."""
    failed, unfetched = counts["failed"], counts["unfetched"]
    return those_that_hold(
        (True, amount(with_articles, "has articles", "have articles")),
        (failed, amount(failed, "has failures", "have failures")),
        (unfetched, f"{amount(unfetched, 'has links', 'have links')} not fetched or built"),
        (counts["gap"], amount(counts["gap"], "looks like a gap", "look like gaps")),
        (counts["silent"], f"on {counts['silent']:,} there is none, as the lists prove"),
    )


def _years_of_days(days: Iterable[date], years_of_articles: Sequence[int]) -> Sequence[int]:
    """Return the successive years in which days are shown: near the first articles, where there are any."""
    years = {day.year for day in days}
    if years_of_articles:
        years = {year for year in years if abs(year - years_of_articles[0]) < _MOST_YEARS}
    if not years:
        return []
    return list(range(max(min(years), max(years) - _MOST_YEARS + 1), max(years) + 1))


def _state(day: Row, often: int) -> str:
    """Return the state of a day; `often`: how many articles most days have at most."""
    if day.gap:
        return "gap"
    if day.failed:
        return "failed"
    if day.waiting or (day.links and not day.articles):
        return "unfetched"
    if day.articles > often:
        return "many"
    if day.articles:
        return "some"
    return "silent" if day.silent else "none"


_KINDS: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("articles", "t0", frozenset({PageOutcome.ARTICLE})),
    ("behind a paywall", "t4", frozenset({PageOutcome.PAYWALL})),
    ("pages that are no article", "t7", frozenset({PageOutcome.LISTING, PageOutcome.NOT_ARTICLE})),
    ("gone", "other", frozenset({FetchOutcome.GONE})),
    (
        "refused, duplicate, robots",
        "t2",
        frozenset({FetchOutcome.REFUSED, FetchOutcome.DUPLICATE, FetchOutcome.ROBOTS}),
    ),
    ("waiting or not built", "open", frozenset({FetchOutcome.QUEUED, FetchOutcome.FETCHED})),
)
"""Outcomes that are one colour of the chart; every other one is a failure."""


def _words(coverage: Iterable[Row]) -> dict[str, Any]:
    """Return those that were kept, that were left out, and those kept in tags that no rule decides. That a
    rule decides every tag is not known: a footnote is told by the links from and to it, and its tag is not
    counted."""
    years = [
        {**row, "whole": row.kept + row.dropped, "decided": row.kept - row.undecided}
        for row in coverage
        if row.kept or row.dropped
    ]
    kept, dropped, undecided = (sum(row[what] for row in years) for what in ("kept", "dropped", "undecided"))
    of_undecided = f"{percent(undecided, kept + dropped)} stand in tags that no rule decides"
    return {
        "years": years,
        "kept": kept,
        "dropped": dropped,
        "undecided": undecided,
        "of_undecided": of_undecided if undecided else "tags that no rule decides hold no words of their own",
    }


HeadAnswer = tuple[str, str, str, bool | None]
"""A thing that a reader wants to know first, where more is told of it, what is said here, and whether that is
good; None: neither good nor bad."""


def _answers(numbers: Numbers, walks: _Walks) -> Iterator[HeadAnswer]:
    totals = numbers["totals"][0]
    if totals.first_url and totals.last_url:
        ends = (stranger(f"{totals[end]} {totals[f'{end}_headline']}", 120) for end in ("first", "last"))
        yield "First and last", "growth", Markup("From {} to {}.").format(*ends), None
    yield _complete(walks)
    yield _missing(numbers, walks.status)
    words = _words(numbers["coverage"])
    whole = words["kept"] + words["dropped"]
    if whole:
        share = (
            f"{percent(words['kept'], whole)} of the words in the articles' containers were kept; "
            f"{words['of_undecided']}."
        )
        yield "Text", "rules", share + uncounted(totals.uncounted), 10 * words["undecided"] <= words["kept"]
    if totals.articles and numbers["fields"]:
        yield _metadata(numbers, totals.articles)
    for row in numbers["duplicates"]:
        if row.kind == "near":
            repeat = amount(row.surplus, "article nearly repeats", "articles nearly repeat")
            share = f" ({percent(row.surplus, totals.articles)})" * bool(row.surplus)
            yield "Duplicates", "duplicates", f"{repeat} another{share}.", None


def _metadata(numbers: Numbers, articles: int) -> HeadAnswer:
    filled = Counter[str]({row.field: row.filled for row in numbers["fields"]})
    shares = ", ".join(
        f"{name} {percent(filled[name], articles)}" for name in ("headline", "datePublished", "author")
    )
    suspects = sum(row.suspects for row in numbers["name-counts"])
    names = " No name looks wrong." if filled["author"] else ""
    if suspects:
        names = f" {amount(suspects, 'name looks', 'names look')} wrong."
    are_dated = 100 * filled["datePublished"] >= 95 * articles
    return "Metadata", "metadata", f"{shares}.{names}", are_dated and filled["author"] > 0 and not suspects


def _complete(walks: _Walks) -> HeadAnswer:
    status, by_word = walks.status, amount(walks.by_word, "column is", "columns are")
    lists, unlisted = walks.only_read - walks.by_word, len(status.unlisted)
    listings, articles = (
        status.outcomes.get(PageOutcome.LISTING, 0),
        status.outcomes.get(PageOutcome.ARTICLE, 0),
    )
    of_lists = listings if 3 * listings >= articles else 0
    missing, unasked = sum(gap.number for gap in status.missing), _unasked(status)
    are = "page that it lists is a list itself", "pages that it lists are lists themselves"
    remarks = those_that_hold(
        (
            lists > 0,
            f" {amount(lists, 'feed or sitemap was', 'feeds or sitemaps were')} read to the end, which need "
            "not list everything.",
        ),
        (
            walks.by_word,
            f" {by_word} proved by your word alone (`pages: none`): the page links further ones.",
        ),
        (of_lists, f" {amount(of_lists, *are)}: what these list may be missing."),
        (
            unlisted,
            f" The site's own feeds or sitemaps name {amount(unlisted, 'article')} that no archive page "
            "listed.",
        ),
        (missing, f" Pages of the site lead to {amount(missing, 'article')} that no archive page listed."),
        (unasked, f" Pages of the site lead to {amount(unasked, *_UNASKED)}."),
    )
    read = "".join(remarks)
    if not walks.intervals:
        why = "Nothing proves it" + ("." if walks.by_word else ": no archive was walked.")
        return "Complete?", "completeness", why + read, False
    is_lacking = bool(status.waiting or status.unbuilt or status.lost)
    lacking = " But not every article that it lists is in the corpus." if is_lacking else ""
    doubts = (is_lacking, walks.by_word, unlisted, missing, unasked, of_lists)
    is_whole = walks.proved == walks.intervals and not any(doubts)
    return "Complete?", "completeness", _proved(walks) + read + lacking, is_whole


def _proved(walks: _Walks) -> str:
    """Return how much of the archive is proved, and by what most of all."""
    proved = (
        f"{walks.proved:,} of {amount(walks.intervals, 'archive interval')} "
        f"{'is' if walks.proved == 1 else 'are'} walked"
    )
    proved += f" to a proved end ({percent(walks.proved, walks.intervals)})"
    grounds = (+walks.grounds).most_common()
    if not grounds:
        return f"{proved}."
    leaning = ", ".join(f"{number:,} by {ground}" for ground, number in grounds[:3])
    return f"{proved}: {leaning}{' and other grounds' if len(grounds) > 3 else ''}."


def _unasked(status: StatusReport) -> int:
    return sum(left.number for left in status.unasked)


def _missing(numbers: Numbers, status: StatusReport) -> HeadAnswer:
    totals = numbers["totals"][0]
    if not totals.urls:
        return "Missing", "completeness", "Nobody can tell: no address of the portal is known.", False
    missing = _counted(_parts_missing(numbers, status))
    silent = sum(gap.proved for gap in numbers["gaps"])
    no_gap = "" if silent else ", no gap"
    nothing = (
        f"Nothing that is known of: no failure among {amount(totals.urls, 'address', 'addresses')}, nothing "
        f"waits{no_gap}"
    )
    sentences = [missing or nothing, *_known_of_site(status, silent)]
    return "Missing", "completeness", "".join(f"{sentence}. " for sentence in sentences).rstrip(), not missing


_Part = tuple[int, str, str]
"""The number of things that are missing, the word for one of them, and that for several."""


def _counted(parts: Iterable[_Part]) -> str:
    return ", ".join(amount(number, part, many) for number, part, many in parts if number)


def _parts_missing(numbers: Numbers, status: StatusReport) -> Iterator[_Part]:
    """Give all that may be missing."""
    failed = sum(row["count"] for row in numbers["outcomes"] if row.failed)
    yield failed, "address failed", "addresses failed"
    yield status.waiting, "waits for the next crawl", "wait for the next crawl"
    yield status.unbuilt, "is stored and not built", "are stored and not built"
    otherwise = sum(row.articles for row in numbers["rules"] if not row.current)
    yield (
        otherwise,
        "document was made by other rules or another version",
        "documents were made by other rules or another version",
    )
    yield sum(gap.number for gap in status.missing), "article is in no list", "articles are in no list"
    yield _unasked(status), *_UNASKED
    yield (
        sum(column.gone for column in status.never_there),
        "listed article was never there",
        "listed articles were never there",
    )
    yield (
        status.not_whole,
        "article shows further pages that no rule follows",
        "articles show further pages that no rule follows",
    )
    yield (
        len(status.drift),
        "column seems to have changed its layout",
        "columns seem to have changed their layout",
    )
    yield (
        sum(not gap.proved for gap in numbers["gaps"]),
        "stretch of days looks like a gap",
        "stretches of days look like gaps",
    )
    yield (
        len(status.remarks),
        "remark of the last crawl is to be looked at",
        "remarks of the last crawl are to be looked at",
    )
    yield len(status.lost), "WARC file is missing or cut", "WARC files are missing or cut"
    yield sum(row.waiting for row in status.lost), "article was lost with it", "articles were lost with them"


def _known_of_site(status: StatusReport, silent: int) -> list[str]:
    """Give what the site itself has no more, or has changed; `silent`: stretches of days without an
    article."""
    days = f"In {amount(silent, 'stretch', 'stretches')} of days"
    return those_that_hold(
        (silent, f"{days} the portal seems to have published nothing: the lists are proved"),
        (
            status.gone,
            f"{amount(status.gone, 'article is', 'articles are')} gone from the site, and kept here",
        ),
        (
            status.text_changed,
            f"{amount(status.text_changed, 'article has', 'articles have')} another headline or text than "
            "when first stored",
        ),
    )
