"""Questions of status, problems.jsonl, audits, samples and the statistics to the ledger: each by its name,
answered in rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from webarticlecurator.config.portal import SECTION
from webarticlecurator.corpus.events import PROVED_ENDS
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import FAILURES_IN_SQL, in_sql, key_of
from webarticlecurator.databases import Database, Row, rows_of
from webarticlecurator.model.outcome import ALL_FAILURES, DOCUMENTED, PageOutcome
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import any_spelling, host_and_port

Rows = Iterator[tuple[Any, ...]]
OfText = Callable[[str], str | None]
MOST_REASONS = 50
MOST_NAMED = 50
"""Pages of one reason that could not be had, all of which a person may want to look at."""
_DAY_IN_URL = linear(r"[/=_-]((?:19|20)\d\d)[/_-]?(\d\d)[/_-]?(\d\d)(?!\d)")
_NO_BUILD = (
    "(SELECT NULL AS key, NULL AS identity, NULL AS url, NULL AS outcome, NULL AS reason, NULL AS published, "
    "NULL AS day WHERE 0)"
)
_SHOWN = """
    WITH shown AS (
        SELECT u.*, b.published, b.day, b.outcome AS built, coalesce(b.outcome, CASE WHEN u.parts > 0 THEN u.saw END, u.outcome) AS seen,
            CASE WHEN b.outcome IS NOT NULL THEN b.reason ELSE u.told_reason END AS why
        FROM urls u LEFT JOIN {articles} b ON b.key = u.identity_key AND b.identity = u.identity AND (u.parts > 0 OR b.url = u.url)
    )
"""
"""Every article URL with what people see: the outcome of its page where building or crawling saw one, else
that of fetching."""
_NO_ARTICLE = in_sql((PageOutcome.LISTING, PageOutcome.NOT_ARTICLE))
_ALIKE = f"""
    SELECT ended, reason, pages, nones, url FROM (
        SELECT ended, reason, url, count(*) OVER alike AS pages, sum(none) OVER alike AS nones,
            row_number() OVER (PARTITION BY ended, reason ORDER BY none, url) AS place
        FROM ({{}}) WINDOW alike AS (PARTITION BY ended, reason)
    ) WHERE place <= {MOST_NAMED} ORDER BY pages DESC, ended, reason, place
"""


def _shown(ledger: Ledger, sql: str) -> Rows:
    """The answer to a question of `shown`, and of `other`: the database of what is built, if there is one."""
    return ledger.rows(_SHOWN.format(articles="other.articles" if ledger.has_build else _NO_BUILD) + sql)


def outcomes(ledger: Ledger) -> Rows:
    """Outcome, how many article URLs have it; how many of these are stored and no build has seen them, and
    are gone from the site."""
    is_gone = f"gone IS NOT NULL AND outcome = 'fetched' AND seen NOT IN {_NO_ARTICLE}"
    sql = f"SELECT seen, count(*), sum(built IS NULL AND parts > 0), sum({is_gone}) FROM shown GROUP BY seen"
    return _shown(ledger, f"{sql} UNION ALL SELECT 'refused', count(*), 0, 0 FROM refused_links")


_DAY = """coalesce(s.day, whole_day((
    SELECT json_extract(fields, '$.datePublished[0]') FROM listings WHERE url_id = s.id AND fields LIKE '%datePublished%'
)), whole_day(w.interval), day_in(s.url))"""
_COLUMN = f"substr({{0}}, 1, instr({{0}} || '{SECTION}', '{SECTION}') - 1)"
"""Sections are counted to theirs."""
_NUMBERS = f"""
    CREATE TEMP TABLE addresses AS
        {_SHOWN.format(articles="other.articles")}
        SELECT s.url, {_DAY} AS day, seen AS outcome, why AS reason, s.outcome = 'fetched' AS fetched,
            seen IN {in_sql(ALL_FAILURES)} AS failed, seen IN {in_sql(DOCUMENTED)} AS documented
        FROM shown s LEFT JOIN walks w ON w.id = s.walk
        UNION ALL SELECT url, day_in(url), 'refused', reason, 0, 0, 0 FROM refused_links;
    CREATE TEMP TABLE listed AS
        SELECT DISTINCT {_COLUMN.format("c.name")} AS name, b.number AS article
        FROM other.articles b JOIN urls u ON u.identity_key = b.key AND u.identity = b.identity
            JOIN listings l ON l.url_id = u.id JOIN columns c ON c.id = l.column_id WHERE b.path IS NOT NULL;
    CREATE TEMP VIEW answers AS
        SELECT at, target, status, file FROM responses UNION ALL
        SELECT at, target, 200, file FROM requisites WHERE record IS NOT NULL;
    CREATE TEMP VIEW requests AS
        SELECT day, host(place) AS host, sum(number) AS requests, sum(failed) AS failed FROM (
            SELECT substr(at, 1, 10) AS day, substr(target, 1, instr(substr(target, 9) || '/', '/') + 8) AS place,
                count(*) AS number, sum(status IS NULL OR status >= 400) AS failed
            FROM answers GROUP BY day, place
        ) GROUP BY day, host(place);
    CREATE TEMP VIEW signals AS
        SELECT j.key AS name, j.value AS value, sum(number) AS pages, min(example) AS url FROM (
            SELECT rights AS said, count(*) AS number, min(target) AS example FROM responses WHERE rights IS NOT NULL GROUP BY rights
        ) JOIN json_each(said) j GROUP BY j.key, j.value;
    CREATE TEMP VIEW stored_files AS SELECT file, count(*) AS exchanges, min(at) AS first, max(at) AS last FROM answers GROUP BY file;
"""


def open_for_numbers(ledger: Ledger, *, whole_day: OfText, tables: str = _NUMBERS) -> Database:
    """Return what the numbers of a corpus are asked of: the tables of what is built and, besides

    `addresses`: every known one once, with its outcome, and its day: the article's, else what the archive or
    the address says of it; `listed`: the columns that list an article, sections counted to theirs; `requests`
    by day and host; `signals` of rights, with the pages that have them; `stored_files`: the exchanges of
    each. Or other `tables`.
    """

    def day_in(url: str) -> str | None:
        """The day that stands in an address."""
        day = _DAY_IN_URL.search(url)
        return whole_day("-".join(day.groups())) if day else None

    for name, function in (
        ("whole_day", whole_day),
        ("day_in", day_in),
        ("host", host_and_port),
        ("spelled", any_spelling),
    ):
        ledger._db.create_function(name, 1, function, deterministic=True)
    ledger._db.executescript(tables)
    return ledger._db


def open_for_coverage(ledger: Ledger, *, whole_day: OfText) -> Database:
    """Return what a web archive's captures are held against

    `known`: each article once, by what all spellings of its identity have in common, whatever became of it;
    `no_articles`: what else is known so, archive pages and further pages of articles.
    """
    tables = f"""
        CREATE TEMP TABLE known AS {_SHOWN.format(articles="other.articles" if ledger.has_build else _NO_BUILD)}
            SELECT spelled(s.identity) AS article, min({_DAY}) AS day, min({_COLUMN.format("w.column")}) AS column,
                max(s.parts > 0) AS ours, max(s.parts > 0 AND seen IN {_NO_ARTICLE}) AS is_none
            FROM shown s LEFT JOIN walks w ON w.id = s.walk GROUP BY 1;
        CREATE UNIQUE INDEX known_article ON known (article);
        CREATE TEMP TABLE no_articles AS
            SELECT spelled(url) AS article FROM main.pages UNION SELECT spelled(target) FROM responses WHERE part > 1
            UNION SELECT article FROM known WHERE is_none;
        DELETE FROM known WHERE is_none;
    """
    return open_for_numbers(ledger, whole_day=whole_day, tables=tables)


def stored_anew(ledger: Ledger) -> int:
    """Built articles of which something came after the newest response that the last whole build knew: only
    that is looked at."""
    sql = """
        SELECT count(DISTINCT b.id) FROM other.meta m
        CROSS JOIN captures r ON r.id > CAST(m.value AS INTEGER)
        JOIN urls u ON u.id = r.url_id JOIN other.articles b ON b.key = u.identity_key AND b.identity = u.identity
        WHERE m.name = 'newest response' AND r.part > 0
    """
    return int(next(_shown(ledger, sql))[0]) if ledger.has_build else 0


def not_again(ledger: Ledger) -> Rows:
    """Return how stored pages ended that could not be had a second time, the reason, how many, how many that
    are no articles, and their URLs."""
    which = (
        f"SELECT again AS ended, reason, url, seen IN {_NO_ARTICLE} AS none FROM shown WHERE +outcome = "
        "'fetched' AND again IS NOT NULL"
    )
    return _shown(ledger, _ALIKE.format(which))


def troubles(ledger: Ledger) -> Rows:
    """Return how articles that failed or wait ended, the reason, how many, and their URLs."""
    failed = "(outcome NOT IN ('fetched', 'queued') OR code = 'page-missing') AND code IS NOT 'further-page'"
    which = (
        f"SELECT outcome AS ended, reason, coalesce(next_url, url) AS url, 0 AS none FROM urls WHERE {failed}"
    )
    return ledger.rows(_ALIKE.format(which))


def last_walks(ledger: Ledger, column: str, rules: str | None) -> list[Row]:
    """The last walk of a column, or of each of its date intervals, and the last one that proved it; the
    newest interval first.

    `rules`: those of now, None of a column that the portal file has no more. Gives `interval`, `end` and
    `reason`; `last_page`: of one that is open, the first one that could not be read, if that was its end;
    `is_read`: it has pages, and every one could be read; `is_outdated`: other rules hold now; `is_proved`: by
    the rules that hold now, in this walk or an earlier one; `proved_at`: when the last proof by these rules
    was made, the `ground` that it leans on, the `page` that it was found on, and the `links` there.
    """
    sql = f"""
        WITH of_interval AS (
            SELECT max(id) FILTER (WHERE end IS NOT 'imported') AS last, max(id) FILTER (WHERE end = 'proved' AND is_valid) AS proof,
                coalesce(max(end IN {in_sql(PROVED_ENDS)} AND is_valid), 0) AS is_proved
            FROM (SELECT id, interval, end, rules = coalesce(:rules, rules) AS is_valid FROM walks WHERE column = :column) GROUP BY interval
        )
        SELECT w.interval, w.end, w.reason, CASE WHEN w.end IN {in_sql(PROVED_ENDS)} AND w.rules = coalesce(:rules, w.rules) THEN '' ELSE
                coalesce(
                    CASE w.end WHEN 'failed' THEN (SELECT url FROM pages WHERE walk = w.id AND result = 'failed' ORDER BY id LIMIT 1) END,
                    (SELECT url FROM pages WHERE walk = w.id ORDER BY id DESC LIMIT 1), ''
                ) END AS last_page, w.pages > 0 AND NOT EXISTS (SELECT 1 FROM pages WHERE walk = w.id AND result = 'failed') AS is_read,
            w.rules != coalesce(:rules, w.rules) AS is_outdated, i.is_proved, p.ended AS proved_at, p.ground, p.last_url AS page,
            p.last_links AS links
        FROM of_interval i JOIN walks w ON w.id = i.last LEFT JOIN walks p ON p.id = i.proof ORDER BY w.interval DESC
    """
    return list(rows_of(ledger.rows(sql, {"column": column, "rules": rules})))


def columns_walked(ledger: Ledger) -> Rows:
    """Column, when its last walk began, whether one of them was no import; those that were walked first at
    the beginning."""
    return ledger.rows(
        "SELECT column, max(started), max(end IS NOT 'imported') FROM walks GROUP BY column ORDER BY min(id)"
    )


def by_year(ledger: Ledger) -> Rows:
    """Column, year of the interval; archive pages, links (of a year at most so many different ones), new,
    fetched, failed, waiting."""
    return ledger.rows(f"""
        SELECT column, CAST(year AS INTEGER), sum(pages), CASE WHEN year IS NOT NULL THEN sum(links) ELSE (
                SELECT count(DISTINCT url_id) FROM listings l JOIN columns c ON c.id = l.column_id WHERE c.name = t.column
            ) END, sum(fresh), sum(fetched), sum(failed), sum(waiting)
        FROM (
            SELECT column, substr(interval, 1, 4) AS year, sum(pages) AS pages, max(links) AS links, sum(fresh) AS fresh,
                0 AS fetched, 0 AS failed, 0 AS waiting FROM walks GROUP BY column, interval
            UNION ALL
            SELECT w.column, substr(w.interval, 1, 4), 0, 0, 0, outcome = 'fetched', outcome IN {FAILURES_IN_SQL}, outcome = 'queued'
            FROM urls u JOIN walks w ON w.id = u.walk
        ) t GROUP BY column, year
    """)


def moments(ledger: Ledger) -> Rows:
    """Return when something happened last: one of these is the last of all."""
    return ledger.rows(
        "SELECT max(started) FROM walks UNION SELECT max(ended) FROM walks UNION SELECT max(since) FROM urls"
    )


def pages_of_columns(ledger: Ledger) -> Rows:
    """Column, how many of its pages were read, how many had links."""
    return ledger.rows("""
        SELECT column, count(DISTINCT p.url), count(DISTINCT CASE WHEN p.links > 0 THEN p.url END)
        FROM pages p JOIN walks w ON w.id = p.walk WHERE p.outcome = 'fetched' GROUP BY column ORDER BY column
    """)


def pages_at(ledger: Ledger, column: str, places: Sequence[int], *, with_links: bool) -> list[str]:
    """The pages of a column that stand at these places, in the order of its walk; only those with links
    count, if that is said."""
    sql = f"""
        SELECT url FROM (
            SELECT p.url AS url, row_number() OVER (ORDER BY min(p.id)) - 1 AS place FROM pages p JOIN walks w ON w.id = p.walk
            WHERE w.column = ? AND p.outcome = 'fetched' AND p.links >= ? GROUP BY p.url
        ) WHERE place IN ({", ".join(map(str, places))}) ORDER BY place
    """
    return [url for (url,) in ledger.rows(sql, (column, with_links))]


def looked_at(ledger: Ledger, most: int) -> list[str]:
    """Pages that are no article's and no walk's: what `curator new` has looked at, and archive pages of
    imported files."""
    which = "url_id IS NULL AND request LIKE 'GET %' AND status = 200"
    return [
        url
        for (url,) in ledger.rows(
            f"SELECT DISTINCT substr(request, 5) FROM responses WHERE {which} ORDER BY id LIMIT ?", (most,)
        )
    ]


def runs(ledger: Ledger) -> Rows:
    """Each crawl, the newest first: its number, when it began, how many links it saw, whether a walk with
    links came to an end; the newest page of all crawls before it; what the first proof with links leans on;
    and why a walk is not proved."""
    return ledger.rows("""
        SELECT run, min(started), sum(links), max(links > 0 AND coalesce(end, '') IN ('proved', 'known', 'limit')),
            (SELECT coalesce(max(p.at), '') FROM pages p JOIN walks o ON o.id = p.walk WHERE o.run < w.run),
            (SELECT ground FROM walks o WHERE o.run = w.run AND end = 'proved' AND links > 0 ORDER BY id LIMIT 1),
            (SELECT reason FROM walks o WHERE o.run = w.run AND end IS NOT 'proved'
                ORDER BY links = 0, NOT EXISTS (SELECT 1 FROM pages p WHERE p.walk = o.id AND p.outcome = 'fetched'), id LIMIT 1)
        FROM walks w GROUP BY run ORDER BY run DESC
    """)


def pages_of_run(ledger: Ledger, run: int) -> Rows:
    """URL, outcome, result, reason and moment of the archive pages that a crawl asked for."""
    sql = (
        "SELECT p.url, p.outcome, p.result, p.reason, p.at FROM pages p JOIN walks w ON w.id = p.walk WHERE "
        "w.run = ? ORDER BY p.id"
    )
    return ledger.rows(sql, (run,))


def was_answered(ledger: Ledger, request: str, after: str, until: str) -> bool:
    """True if something came for a request between two moments."""
    sql = (
        "SELECT 1 FROM responses WHERE key = ? AND request = ? AND at > ? AND at <= ? AND status BETWEEN 200 "
        "AND 299 LIMIT 1"
    )
    return any(ledger.rows(sql, (key_of(request), request, after, until)))


def addresses(ledger: Ledger) -> Rows:
    """Return the addresses of articles, whatever became of them, and of their further pages."""
    return ledger.rows("SELECT url FROM urls UNION ALL SELECT target FROM responses WHERE part > 1")


def articles(ledger: Ledger) -> Rows:
    """The addresses of fetched ones."""
    return ledger.rows("SELECT url FROM urls WHERE outcome = 'fetched' AND saw IS NULL")


def problems(ledger: Ledger) -> Rows:
    """URL, outcome, reason, since when; and the column, where it is a problem of only that."""
    return chain.from_iterable(map(ledger.rows, _PROBLEMS))


_PROBLEMS = (
    # articles that failed (of several pages the one that did), with the reason of the last time they were
    # asked for
    "SELECT coalesce(next_url, url), outcome, reason, since, NULL FROM urls WHERE outcome IN "
    f"{FAILURES_IN_SQL} ORDER BY id",
    # articles that were stored, and are lost
    "SELECT url, outcome, CASE outcome WHEN 'queued' THEN reason ELSE 'it was lost with ' || lost || ': ' || "
    "reason END, since, NULL"
    f" FROM urls WHERE lost IS NOT NULL AND outcome NOT IN {FAILURES_IN_SQL} ORDER BY id",
    # archive pages that could not be read, of each column's (and interval's) last walk or import
    "SELECT p.url, p.outcome, p.reason, p.at, w.column FROM pages p JOIN walks w ON w.id = p.walk WHERE "
    "p.result = 'failed' AND w.id ="
    " (SELECT max(id) FROM walks l WHERE l.column = w.column AND l.interval IS w.interval) ORDER BY p.id",
    # walks that ended where a person must look
    "SELECT (SELECT url FROM pages p WHERE p.walk = w.id ORDER BY id DESC LIMIT 1), end,"
    " column || coalesce(' ' || interval, '') || ': ' || reason, ended, column"
    " FROM last_walks w WHERE end IN ('drift', 'limit', 'unproved') OR (end = 'failed' AND NOT EXISTS"
    " (SELECT 1 FROM pages p WHERE p.walk = w.id AND p.result = 'failed')) ORDER BY "
    "id",  # else its pages tell
    # articles that end where `articles.next` was not followed
    "SELECT url, outcome, unfollowed, since, NULL FROM urls WHERE unfollowed IS NOT NULL ORDER BY id",
    # one article, two titles; not where one address got another title, and was looked at both before that and
    # since then
    "SELECT url, 'conflict', reason, since, NULL FROM conflicts c WHERE NOT coalesce((SELECT count(DISTINCT "
    "u.id) = 1 AND min(r.at) <"
    " c.since AND max(r.at) > c.since FROM urls u JOIN listings l ON l.url_id = u.id LEFT JOIN responses r "
    "ON r.url_id = u.id"
    " AND r.part = 1 WHERE u.identity_key = c.key), 0) ORDER BY since, identity",
)
