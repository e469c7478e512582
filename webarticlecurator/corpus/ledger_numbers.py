"""What status, problems.jsonl and the statistics ask the ledger: each question by its name, answered in rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from webarticlecurator.config.column_urls import SECTION
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import FAILURES_IN_SQL, LEFT_OUT_IN_SQL, TOLD_REASON, key_of
from webarticlecurator.model.outcome import DOCUMENTED, PageOutcome

Rows = Iterator[tuple[Any, ...]]
MOST_REASONS = 50
MOST_NAMED = 50
"""Pages of one reason that could not be had again, all of which a person may want to look at."""
_NO_BUILD = "(SELECT NULL AS key, NULL AS identity, NULL AS url, NULL AS outcome, NULL AS reason, NULL AS published WHERE 0)"
_SHOWN = f"""
    WITH shown AS (
        SELECT u.*, b.published, b.outcome AS built, coalesce(b.outcome, CASE WHEN u.parts > 0 THEN u.saw END, u.outcome) AS seen,
            CASE WHEN b.outcome IS NOT NULL THEN b.reason ELSE {TOLD_REASON} END AS why
        FROM urls u LEFT JOIN {{articles}} b
        ON b.key = u.identity_key AND b.identity = coalesce(u.identity, u.url) AND (u.parts > 0 OR b.url = u.url)
    ), refused_links AS (
        SELECT url, reason FROM refused r
        WHERE reason NOT IN {LEFT_OUT_IN_SQL} AND NOT EXISTS (SELECT 1 FROM urls u WHERE u.key = key_of(r.url) AND u.url = r.url)
    )
"""
"""`shown`: every article URL with what people see: the outcome of its page where building or crawling saw one, else that of fetching.
`refused_links`: those that were not followed, though no rule leaves them out, and that nothing else is known of."""
_NO_ARTICLE = f"('{PageOutcome.LISTING}', '{PageOutcome.NOT_ARTICLE}')"
_DOCUMENTED = "({})".format(", ".join(f"'{outcome}'" for outcome in sorted(DOCUMENTED)))


def _beside(ledger: Ledger, build: Path | None, sql: str, values: Mapping[str, object] | None = None, *, into: str = "") -> Rows:
    """The answer to a question that also asks the database of what is built, if there is one."""
    if build is None:
        return ledger.rows(into + _SHOWN.format(articles=_NO_BUILD) + sql, values or {})
    return iter(list(ledger.beside(build, into + _SHOWN.format(articles="other.articles") + sql, values)))  # it is detached at their end


# --- what became of each address ---


def outcomes(ledger: Ledger, build: Path | None) -> Rows:
    """Outcome, how many article URLs have it; how many of these are stored and no build has seen them, and are gone from the site."""
    is_gone = f"gone IS NOT NULL AND outcome = 'fetched' AND seen NOT IN {_NO_ARTICLE}"
    sql = f"SELECT seen, count(*), sum(built IS NULL AND parts > 0), sum({is_gone}) FROM shown GROUP BY seen"
    ledger.define("key_of", key_of)
    return _beside(ledger, build, f"{sql} UNION ALL SELECT 'refused', count(*), 0, 0 FROM refused_links")


def keep_addresses(ledger: Ledger, build: Path | None) -> None:
    """Every address once, in the temporary table `known`. Its day is the article's, else what the archive or the address says of it:
    `whole_day` and `day_in` must be defined."""
    listed = "(SELECT json_extract(fields, '$.datePublished[0]') FROM listings WHERE url_id = s.id AND fields LIKE '%datePublished%')"
    days = f"coalesce(whole_day(s.published), whole_day({listed}), whole_day(w.interval), day_in(s.url))"
    sql = f"SELECT s.url, {days} AS day, seen AS outcome, why AS reason, s.outcome = 'fetched' AS fetched FROM shown s LEFT JOIN walks w"
    refused = "SELECT url, day_in(url), 'refused', reason, 0 FROM refused_links"
    ledger.define("key_of", key_of)
    list(_beside(ledger, build, f"{sql} ON w.id = s.walk UNION ALL {refused}", into="CREATE TEMP TABLE known AS "))


def stored_anew(ledger: Ledger, build: Path | None) -> int:
    """Built articles of which something came after the newest response that the last whole build knew: only that is looked at."""
    sql = """
        SELECT count(DISTINCT b.id) FROM other.meta m
        CROSS JOIN responses r ON r.id > CAST(substr(m.value, instr(m.value, ' ') + 1) AS INTEGER)
        JOIN urls u ON u.id = r.url_id JOIN other.articles b ON b.key = u.identity_key AND b.identity = coalesce(u.identity, u.url)
        WHERE m.name = 'made of' AND r.part > 0 AND r.kind != 'revisit' AND r.status BETWEEN 200 AND 299
    """
    return _number(_beside(ledger, build, sql)) if build is not None else 0


def not_again(ledger: Ledger, build: Path | None) -> Rows:
    """How stored pages ended that could not be had a second time, the reason, how many, how many that are no articles, and a URL."""
    sql = f"""
        SELECT again, reason, pages, nones, url FROM (
            SELECT again, reason, url, count(*) OVER alike AS pages, sum(none) OVER alike AS nones,
                row_number() OVER (PARTITION BY again, reason ORDER BY none, url) AS place
            FROM (SELECT again, reason, url, seen IN {_NO_ARTICLE} AS none FROM shown WHERE +outcome = 'fetched' AND again IS NOT NULL)
            WINDOW alike AS (PARTITION BY again, reason)
        ) WHERE place <= {MOST_NAMED} ORDER BY pages DESC, again, reason, place
    """
    return _beside(ledger, build, sql)


def troubles(ledger: Ledger) -> Rows:
    """Outcome and reason of articles that failed or wait, how many, and an example."""
    return ledger.rows(
        "SELECT outcome, reason, count(*), min(coalesce(next_url, url)) FROM urls WHERE (outcome NOT IN ('fetched', 'queued')"
        " OR code = 'page-missing') AND code IS NOT 'further-page' GROUP BY outcome, reason ORDER BY count(*) DESC LIMIT ?",
        (MOST_REASONS,),
    )


def articles_by_day(ledger: Ledger, build: Path) -> Rows:
    """Column (None: no archive page lists them), day, documents, words; `whole_day` must be defined."""
    of_identity = "u.identity_key = b.key AND coalesce(u.identity, u.url) = b.identity"
    sql = f"""
        SELECT name, day, count(*), sum(words) FROM (
            SELECT DISTINCT substr(c.name, 1, instr(c.name || :mark, :mark) - 1) AS name, b.id, whole_day(b.published) AS day, b.words
            FROM other.articles b JOIN urls u ON {of_identity}
                JOIN listings l ON l.url_id = u.id JOIN columns c ON c.id = l.column_id WHERE b.outcome IN {_DOCUMENTED}
        ) GROUP BY name, day
        UNION ALL
        SELECT NULL, whole_day(b.published), count(*), sum(b.words) FROM other.articles b WHERE b.outcome IN {_DOCUMENTED}
            AND NOT EXISTS (SELECT 1 FROM urls u JOIN listings l ON l.url_id = u.id WHERE {of_identity}) GROUP BY 2
        ORDER BY 1, 2
    """
    return _beside(ledger, build, sql, {"mark": SECTION})


# --- walks ---


class LastWalk(NamedTuple):
    """The last walk of a column, or of one of its date intervals, and the last one that proved it."""

    interval: str | None
    end: str | None
    reason: str | None
    last_page: str
    """The first one that could not be read, if that was its end."""
    is_outdated: bool
    """Other rules hold now."""
    is_proved: bool
    """By the rules that hold now, in this walk or an earlier one."""
    proved_at: str | None
    """When the last proof by these rules was made; what it leans on, the page that it was found on, and the links there:"""
    ground: str
    page: str
    links: int


def last_walks(ledger: Ledger, column: str, rules: str | None) -> Iterator[LastWalk]:
    """The newest interval first; `rules`: those of now, None of a column that the portal file has no more."""
    sql = """
        SELECT w.interval, w.end, w.reason, coalesce(
                CASE w.end WHEN 'failed' THEN (SELECT url FROM pages WHERE walk = w.id AND result = 'failed' ORDER BY id LIMIT 1) END,
                (SELECT url FROM pages WHERE walk = w.id ORDER BY id DESC LIMIT 1), ''
            ), w.rules != coalesce(:rules, w.rules), EXISTS (
                SELECT 1 FROM proved_walks l WHERE l.column = w.column AND l.interval IS w.interval AND l.rules = coalesce(:rules, l.rules)
            ), p.ended, p.ground, p.last_url, p.last_links
        FROM last_walks w LEFT JOIN walks p ON p.id = (
            SELECT max(l.id) FROM walks l
            WHERE l.column = w.column AND l.interval IS w.interval AND l.end = 'proved' AND l.rules = coalesce(:rules, l.rules)
        ) WHERE w.column = :column ORDER BY w.interval DESC
    """
    return map(LastWalk._make, ledger.rows(sql, {"column": column, "rules": rules}))


def columns_walked(ledger: Ledger) -> Rows:
    """Column, when its last walk began, whether one of them was no import; those that were walked first at the beginning."""
    return ledger.rows("SELECT column, max(started), max(end IS NOT 'imported') FROM walks GROUP BY column ORDER BY min(id)")


def by_year(ledger: Ledger) -> Rows:
    """Column, year of the interval; archive pages, links (of a year at most so many different ones), new, fetched, failed, waiting."""
    return ledger.rows(f"""
        SELECT column, year, sum(pages), CASE WHEN year IS NOT NULL THEN sum(links) ELSE (
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


# --- what is stored, and when ---


def archive_pages(ledger: Ledger) -> int:
    """How many are stored, in all runs."""
    return _number(ledger.rows("SELECT count(*) FROM responses WHERE url_id IS NULL"))


def moments(ledger: Ledger) -> Rows:
    """When something happened last: one of these is the last of all."""
    return ledger.rows("SELECT max(started) FROM walks UNION SELECT max(ended) FROM walks UNION SELECT max(since) FROM urls")


def requests_by_day(ledger: Ledger) -> Rows:
    """Day, host, requests, how many of them failed; `host` must be defined."""
    return ledger.rows(
        "SELECT substr(at, 1, 10) AS day, host(target) AS host, count(*), sum(status IS NULL OR status >= 400) FROM responses"
        " GROUP BY day, host ORDER BY day, host"
    )


def responses_by_file(ledger: Ledger) -> Rows:
    """File, how many there are, the first and the last moment."""
    return ledger.rows("SELECT file, count(*), min(at), max(at) FROM responses GROUP BY file")


def articles_in_file(ledger: Ledger, file: str) -> Rows:
    """Where each response of an article ends, and the article's URL."""
    sql = "SELECT r.offset + r.length, u.url FROM responses r JOIN urls u ON u.id = r.url_id WHERE r.file = ? ORDER BY r.offset"
    return ledger.rows(sql, (file,))


# --- what needs a person ---


def problems(ledger: Ledger) -> Rows:
    """URL, outcome, reason, since when; `is_needed` must be defined, of columns."""
    ledger.define("key_of", key_of)
    for sql in _PROBLEMS:
        yield from ledger.rows(sql)


_PROBLEMS = (
    # articles that failed (of several pages the one that did), with the reason of the last time they were asked for
    f"SELECT coalesce(next_url, url), outcome, reason, since FROM urls WHERE outcome IN {FAILURES_IN_SQL} ORDER BY id",
    # articles that were stored, and are lost
    "SELECT url, outcome, CASE outcome WHEN 'queued' THEN reason ELSE 'it was lost with ' || lost || ': ' || reason END, since"
    f" FROM urls WHERE lost IS NOT NULL AND outcome NOT IN {FAILURES_IN_SQL} ORDER BY id",
    # archive pages that could not be read, of each column's (and interval's) last walk or import
    "SELECT p.url, p.outcome, p.reason, p.at FROM pages p JOIN walks w ON w.id = p.walk WHERE p.result = 'failed' AND w.id ="
    " (SELECT max(id) FROM walks l WHERE l.column = w.column AND l.interval IS w.interval) AND is_needed(w.column) ORDER BY p.id",
    # walks that ended where a person must look
    "SELECT (SELECT url FROM pages p WHERE p.walk = w.id ORDER BY id DESC LIMIT 1), end,"
    " column || coalesce(' ' || interval, '') || ': ' || reason, ended"
    " FROM last_walks w WHERE (end IN ('drift', 'limit', 'unproved') OR (end = 'failed' AND NOT EXISTS"
    " (SELECT 1 FROM pages p WHERE p.walk = w.id AND p.result = 'failed'))) AND is_needed(column) ORDER BY id",  # else its pages tell
    # articles that end where `articles.next` was not followed
    "SELECT u.url, u.outcome, n.reason, n.since FROM unfollowed n JOIN urls u ON u.id = n.url_id ORDER BY u.id",
    # one article, two titles; not where one address got another title, and was looked at both before that and since then
    "SELECT url, 'conflict', reason, since FROM conflicts c WHERE NOT coalesce((SELECT count(DISTINCT u.id) = 1 AND min(r.at) < c.since"
    " AND max(r.at) > c.since FROM urls u JOIN listings l ON l.url_id = u.id LEFT JOIN responses r ON r.url_id = u.id AND r.part = 1"
    " WHERE u.identity_key = key_of(c.identity)), 0) ORDER BY since, identity",
)


def _number(rows: Rows) -> int:
    return next((number or 0 for (number,) in rows), 0)
