"""Every number that is a query, by its name: over the fact tables of the build, and what the ledger gives besides (`open_for_numbers`).

The columns of a query are those of `curator stats --json`: one that ends in ? is a yes or a no, one in [] a list, as JSON. An example is
the `url` of the first article that shows something, by date and id, with a `text` where there is one.
"""

from __future__ import annotations

from typing import NamedTuple

from webarticlecurator.corpus.ledger_schema import in_sql
from webarticlecurator.model.outcome import ALL_FAILURES, DOCUMENTED, PageOutcome

LARGEST = 50
"""Rows of a list that may be of any length."""
_EXAMPLES = 3
_REASONS = 12
"""Of one year and outcome; the others stand together."""
_BIGGEST = 10
"""Clusters of articles that say the same."""
_SECTIONS = 25
_SAME_MOMENT = 10
"""So many articles of one and the same second were not published then."""
_LONGEST_SPAN = 200
"""Years between first and last article that are told one by one, with those that have none."""
_LENGTHS = (0, 1, 50, 100, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000)
_QUANTILES = (5, 25, 50, 75, 95)
_CERTAIN = 0.9
_FLAGS = ("datePublished lies before", "datePublished lies after", "datePublished is no date", "dateModified lies before")
_FEWEST_TOO_LONG = 3
NAMES = ("author", "articleSection", "keywords", "source")
"""Fields whose values are names."""

PREPARED = f"""
    -- The articles with a document: what nearly every query asks of them. `place`: by date and id, from 1.
    CREATE TEMP TABLE documents (
        number INTEGER PRIMARY KEY, place INTEGER, id TEXT, published TEXT, day TEXT, month TEXT, year INTEGER, words INTEGER,
        characters INTEGER, posts INTEGER, type TEXT, layout TEXT, language TEXT, section TEXT, free TEXT, declared INTEGER,
        walled INTEGER, in_words INTEGER
    );
    INSERT INTO documents SELECT number, row_number() OVER (ORDER BY coalesce(published, ''), id), id, published, day, month, year, words,
        characters, posts, type, layout, language,
        (SELECT value FROM metadata WHERE article = number AND field = 'articleSection' AND NOT disagrees AND place = 0),
        (SELECT value FROM metadata WHERE article = number AND field = 'isAccessibleForFree' AND NOT disagrees AND place = 0),
        EXISTS (SELECT 1 FROM metadata WHERE article = number AND field = 'inLanguage' AND NOT disagrees),
        outcome = '{PageOutcome.PAYWALL}',
        words > 0 OR characters = 0  -- not so where languages part no words by blanks
        FROM articles WHERE path IS NOT NULL;
    CREATE UNIQUE INDEX documents_place ON documents (place);
    CREATE TEMP VIEW shown AS
        SELECT d.place, d.day, a.url, coalesce(a.headline, '') AS headline, substr(trim(coalesce(d.day, '') || ' ' ||
            coalesce(a.headline, '')), 1, 200) AS text FROM documents d JOIN articles a ON a.number = d.number;

    CREATE TEMP TABLE lengths AS SELECT words, count(*) AS articles FROM documents WHERE in_words GROUP BY words;

    CREATE TEMP TABLE column_days AS
        SELECT name, day, year, count(*) AS articles, sum(words) AS words
        FROM documents LEFT JOIN listed ON listed.article = number GROUP BY name, day, year;

    CREATE TEMP TABLE filled AS
        SELECT field, year, source, count(*) AS articles FROM metadata m JOIN documents ON number = m.article
        WHERE m.place = 0 AND NOT disagrees GROUP BY field, year, source HAVING place_of_field(field) IS NOT NULL;

    -- What another source says; a headline with the portal's own name behind it is no other one.
    CREATE TEMP TABLE others AS
        SELECT d.place, m.field, coalesce(c.source, '') AS chosen, coalesce(c.value, '') AS value, m.source, m.value AS other
        FROM metadata m JOIN documents d ON d.number = m.article
            LEFT JOIN metadata c ON c.article = m.article AND c.field = m.field AND NOT c.disagrees AND c.place = 0
        WHERE m.disagrees AND place_of_field(m.field) IS NOT NULL
            AND NOT (m.field = 'headline' AND only_adds_name(coalesce(c.value, ''), m.value));

    -- Authors, sections, keywords, agencies. `suspicious`: why it may be none, as JSON.
    CREATE TEMP TABLE names AS
        SELECT field, value AS name, count(*) AS articles, min(day) AS first, max(day) AS last, min(d.place) AS place,
            NULL AS suspicious
        FROM metadata m JOIN documents d ON d.number = m.article WHERE NOT disagrees AND field IN {in_sql(NAMES)} GROUP BY field, value;
    CREATE TEMP VIEW ranked_names AS
        SELECT n.*, row_number() OVER (PARTITION BY field ORDER BY articles DESC, name) AS rank,
            row_number() OVER (PARTITION BY field, suspicious IS NULL ORDER BY articles DESC, name) AS rank_of_suspects FROM names n;
"""


class Number(NamedTuple):
    """What is counted, and how."""

    name: str
    title: str = ""
    """On the screen; empty: nothing is shown of it there."""
    sql: str = ""
    """Empty: code counts it."""
    most: int | None = None
    """Rows; how many there are beyond them is told."""


def _growth(rows: str, name: str, order: str) -> str:
    """When the articles of each name were published; `rows` have articles, words and day."""
    return f"SELECT {name} AS name, sum(articles) AS articles, sum(words) AS words, min(day) AS first, max(day) AS last FROM {rows} {order}"


_EACH = "(SELECT section, layout, day, year, words, 1 AS articles FROM documents)"
_PORTAL_ORDER = "LEFT JOIN json_each(:columns) o ON o.value = name GROUP BY name ORDER BY name IS NULL, o.key IS NULL, o.key, name"
_SHOWN_NAME = 200
"""Characters."""
_NAME = f"""
    SELECT field, substr(name, 1, {_SHOWN_NAME}) || iif(length(name) > {_SHOWN_NAME}, '…', '') AS name, articles, first, last,
        coalesce(suspicious, '[]') AS "suspicious[]", url FROM ranked_names JOIN shown USING (place)
"""
_FIELD_ORDER = "ORDER BY place_of_field(field)"
_ODD_DATES = f"""
    SELECT place, CASE
        WHEN day IS NULL THEN 'no whole day'
        WHEN day = '1970-01-01' THEN '1 January 1970, which programs write for no date'
        WHEN day LIKE '%-01-01' AND (length(published) = 10 OR published LIKE '%T00:00:00%')
            THEN '1 January without a time, which may stand for the year alone'
        WHEN published LIKE '%T00:00:00%' THEN 'midnight to the second, which programs write for a day alone'
        END AS why FROM documents WHERE published IS NOT NULL
    UNION ALL
    SELECT DISTINCT place, 'the day of the capture, and another source says otherwise'
        FROM others JOIN documents d USING (place) JOIN articles a USING (number)
        WHERE field = 'datePublished' AND d.day = substr(a.captured, 1, 10)
    UNION ALL
    SELECT d.place, substr(f.value, 1, instr(f.value || ':', ':') - 1)
        FROM articles a JOIN documents d USING (number) JOIN json_each(a.flags) f
        WHERE a.flags != '[]' AND ({" OR ".join(f"f.value LIKE '{flag}%'" for flag in _FLAGS)})
"""

NUMBERS = (
    Number("portal"),
    Number("lacks"),
    Number("capped"),
    Number("status"),
    Number("proofs"),
    Number(
        "totals",
        "",
        """
        SELECT t.*, a.day AS first, a.url AS first_url, a.headline AS first_headline,
            b.day AS last, b.url AS last_url, b.headline AS last_headline
        FROM (
            SELECT (SELECT count(*) FROM addresses) AS urls, count(*) AS articles, coalesce(sum(words), 0) AS words,
                coalesce(sum(characters), 0) AS characters, coalesce(sum(posts), 0) AS posts, coalesce(sum(day IS NULL), 0) AS undated,
                coalesce(sum(NOT in_words), 0) AS uncounted, round(coalesce(avg(words) FILTER (WHERE in_words), 0), 1) AS mean
            FROM documents
        ) t LEFT JOIN articles a ON a.number = (SELECT number FROM documents WHERE day IS NOT NULL ORDER BY place LIMIT 1)
            LEFT JOIN articles b ON b.number = (SELECT number FROM documents WHERE day IS NOT NULL ORDER BY place DESC LIMIT 1)
        """,
    ),
    Number(
        "articles-by-year",
        "Articles by year",
        f"""
        WITH RECURSIVE counted AS (SELECT year, count(*) AS articles, sum(words) AS words FROM documents GROUP BY year),
            ends AS (SELECT min(year) AS first, max(year) AS last FROM counted),
            span AS (
                SELECT first AS year, last FROM ends WHERE last - first <= {_LONGEST_SPAN}
                UNION ALL SELECT year + 1, last FROM span WHERE year < last
            )
        SELECT y.year, coalesce(articles, 0) AS articles, coalesce(words, 0) AS words
        FROM (SELECT year FROM span UNION SELECT year FROM counted) y LEFT JOIN counted c ON c.year IS y.year
        ORDER BY y.year IS NULL, y.year
        """,
    ),
    Number(
        "articles-by-month",
        "",
        "SELECT month, count(*) AS articles, sum(words) AS words FROM documents GROUP BY month ORDER BY month IS NULL, month",
    ),
    Number("columns", "Columns of the archive", _growth("column_days", "name", _PORTAL_ORDER)),
    Number(
        "columns-by-year",
        "",
        "SELECT name, year, sum(articles) AS articles, sum(words) AS words FROM column_days"
        " GROUP BY name, year ORDER BY name IS NULL, name, year IS NULL, year",
    ),
    Number(
        "sections",
        "Sections, by the first of each article",
        _growth(_EACH, "section", "GROUP BY section ORDER BY sum(articles) DESC, section IS NULL, section"),
        _SECTIONS,
    ),
    Number(
        "sections-by-year",
        "",
        f"""
        WITH largest AS (
            SELECT section, count(*) AS size FROM documents GROUP BY section ORDER BY 2 DESC, section IS NULL, section LIMIT {_SECTIONS}
        )
        SELECT d.section AS name, year, count(*) AS articles, sum(words) AS words FROM documents d JOIN largest l ON l.section IS d.section
        GROUP BY d.section, year ORDER BY max(size) DESC, d.section IS NULL, d.section, year IS NULL, year
        """,
    ),
    Number("gaps", "Days without articles that look like gaps"),
    Number("problems", "To look at first"),
    Number(
        "days",
        "",
        f"""
        SELECT day, count(*) AS links, sum(fetched) AS fetched, sum(outcome IN {in_sql(ALL_FAILURES)}) AS failed,
            sum(outcome = 'queued') AS waiting, sum(outcome IN {in_sql(DOCUMENTED)}) AS articles, 0 AS "gap?"
        FROM addresses WHERE day IS NOT NULL GROUP BY day
        UNION ALL
        SELECT day, count(*), 0, 0, 0, count(*), 0 FROM documents
            WHERE day IS NOT NULL AND NOT EXISTS (SELECT 1 FROM addresses) GROUP BY day ORDER BY day
        """,
    ),
    Number(
        "outcomes",
        "",
        f"""
        WITH reasons AS (
            SELECT substr(day, 1, 4) AS year, outcome, reason, count(*) AS number, min(url) AS url FROM addresses GROUP BY 1, 2, 3
        ), ranked AS (
            SELECT year, outcome, min(reason) AS reason, sum(number) AS number, min(url) AS url,
                row_number() OVER (PARTITION BY year, outcome ORDER BY sum(number) DESC, alike(reason)) AS place
            FROM reasons GROUP BY year, outcome, alike(reason)
        )
        SELECT CAST(year AS INTEGER) AS year, outcome, outcome IN {in_sql(ALL_FAILURES)} AS "failed?",
            CASE WHEN place <= {_REASONS} THEN min(reason) ELSE '' END AS reason, sum(number) AS count, min(url) AS url
        FROM ranked GROUP BY year, outcome, min(place, {_REASONS + 1}) ORDER BY year IS NULL, year, outcome, min(place, {_REASONS + 1})
        """,
    ),
    Number(
        "fields",
        "Metadata",
        f"""
        WITH longer AS MATERIALIZED (
            SELECT count(DISTINCT place) AS number, min(place) AS place, url, substr(value, 1, 90) || ' / ' || substr(other, 1, 90) AS text
            FROM others JOIN shown USING (place) WHERE field = 'headline' AND other != '' AND substr(value, 1, length(other)) = other
                AND NOT only_adds_name(other, value)
        ), counted AS (
            SELECT field, sum(articles) AS filled, 0 AS disagreeing FROM filled GROUP BY field
            UNION ALL SELECT field, 0, count(DISTINCT place) FROM others GROUP BY field
        )
        SELECT field, sum(filled) AS filled, sum(disagreeing) AS disagreeing, coalesce(number, 0) AS longer,
            coalesce(number >= {_FEWEST_TOO_LONG} AND 2 * number > sum(filled), 0) AS "too_long?", url, text
        FROM counted LEFT JOIN longer ON field = 'headline' GROUP BY field {_FIELD_ORDER}
        """,
    ),
    Number(
        "fields-by-year",
        "",
        f"""
        SELECT f.field, y.year, y.articles, coalesce((
            SELECT sum(articles) FROM filled w WHERE w.field = f.field AND w.year IS y.year
        ), 0) AS filled FROM (SELECT DISTINCT field FROM filled UNION SELECT DISTINCT field FROM others) f
            JOIN (SELECT year, count(*) AS articles FROM documents GROUP BY year) y {_FIELD_ORDER}, y.year IS NULL, y.year
        """,
    ),
    Number(
        "sources",
        "Where the values come from",
        f"SELECT field, source, sum(articles) AS articles FROM filled GROUP BY field, source {_FIELD_ORDER}, 3 DESC, source",
    ),
    Number(
        "disagreements",
        "Sources that disagree",
        """
        SELECT field, chosen, other, articles, url, pair AS text FROM (
            SELECT field, chosen, source AS other, count(DISTINCT place) AS articles, min(place) AS place,
                substr(value, 1, 90) || ' / ' || substr(other, 1, 90) AS pair FROM others GROUP BY field, chosen, source
        ) JOIN shown USING (place) ORDER BY articles DESC, field, chosen, other
        """,
        LARGEST,
    ),
    Number("names", "Authors, sections, keywords, agencies", f"{_NAME} WHERE rank <= {LARGEST} {_FIELD_ORDER}, rank"),
    Number(
        "suspicious-names",
        "Names that may be none",
        f"{_NAME} WHERE suspicious IS NOT NULL AND rank_of_suspects <= {LARGEST} {_FIELD_ORDER}, rank",
    ),
    Number(
        "name-counts",
        "",
        f"""
        SELECT field, count(*) AS "distinct", (SELECT sum(articles) FROM filled f WHERE f.field = n.field) AS articles,
            count(suspicious) AS suspects FROM names n GROUP BY field {_FIELD_ORDER}
        """,
    ),
    Number(
        "odd-dates",
        "Odd dates",
        f"""
        WITH moments AS (
            SELECT published, count(*) AS articles, min(place) AS place FROM documents WHERE length(published) > 10
            GROUP BY published HAVING count(*) >= {_SAME_MOMENT} ORDER BY 2 DESC, 1
        ), odd AS (
            SELECT why, count(*) AS articles, min(place) AS place FROM ({_ODD_DATES}) WHERE why IS NOT NULL GROUP BY why
            UNION ALL
            SELECT 'the same second as at least {_SAME_MOMENT - 1} other articles (most often ' || published || ')',
                (SELECT sum(articles) FROM moments), place FROM (SELECT * FROM moments LIMIT 1)
        )
        SELECT why, articles, url, text FROM odd JOIN shown USING (place) ORDER BY articles DESC, why
        """,
    ),
    Number("layouts", "Layouts", _growth(_EACH, "layout", "GROUP BY layout ORDER BY coalesce(min(day), '9'), layout")),
    Number(
        "layouts-by-year",
        "",
        "SELECT layout AS name, year, count(*) AS articles, sum(words) AS words FROM documents"
        " GROUP BY layout, year ORDER BY coalesce(min(day), '9'), layout, year",
    ),
    Number(
        "coverage",
        "Text that the rules kept, in words",
        """
        WITH left_out AS (
            SELECT year, sum(w.words) AS words FROM dropped w JOIN documents ON number = w.article WHERE in_words GROUP BY year
        ), unknown AS (
            SELECT year, sum(CASE WHEN in_words THEN u.words END) AS words, count(DISTINCT article) AS articles
            FROM undecided u JOIN documents ON number = u.article GROUP BY year
        )
        SELECT d.year, count(*) AS articles, sum(d.words) AS kept, coalesce(l.words, 0) AS dropped, coalesce(u.words, 0) AS undecided,
            coalesce(u.articles, 0) AS articles_undecided
        FROM documents d LEFT JOIN left_out l ON l.year IS d.year LEFT JOIN unknown u ON u.year IS d.year
        GROUP BY d.year ORDER BY d.year IS NULL, d.year
        """,
    ),
    Number(
        "dropped",
        "Dropped, by rule",
        """
        SELECT rule, words, pieces, articles, tag, url, longest AS text FROM (
            SELECT rule, sum(w.words) AS words, sum(pieces) AS pieces, count(DISTINCT article) AS articles,
                max(w.words), tag, text AS longest, place
            FROM dropped w JOIN documents ON number = w.article GROUP BY rule
        ) JOIN shown USING (place) ORDER BY words DESC, rule
        """,
        LARGEST,
    ),
    Number(
        "undecided",
        "Tags that no rule decides",
        """
        SELECT tag, words, count, articles, url FROM (
            SELECT tag, sum(u.words) AS words, sum(count) AS count, count(*) AS articles, min(place) AS place
            FROM undecided u JOIN documents ON number = u.article GROUP BY tag
        ) JOIN shown USING (place) ORDER BY words DESC, tag
        """,
        LARGEST,
    ),
    Number(
        "languages",
        "Languages, declared and identified",
        f"""
        WITH counted AS (
            SELECT d.language, declared, g.language AS identified, count(*) AS articles,
                coalesce(sum(g.certainty >= {_CERTAIN}), 0) AS certain, min(place) AS place
            FROM documents d LEFT JOIN analysis.articles g ON g.id = d.id GROUP BY 1, 2, 3
        ), judged AS (SELECT *, NOT same_language(language, identified) AS disagree FROM counted)
        SELECT language, declared AS "declared?", identified, articles, certain, coalesce(disagree, 0) AS "disagree?",
            iif(disagree, url, NULL) AS url, iif(disagree, text, NULL) AS text
        FROM judged JOIN shown USING (place) ORDER BY articles DESC, language, declared, identified
        """,
    ),
    Number(
        "lengths",
        "Lengths of articles, in words",
        f"""
        WITH classes AS (
            SELECT value AS least, lead(value - 1) OVER (ORDER BY value) AS most FROM json_each('{[*_LENGTHS]}')
        )
        SELECT least, most, coalesce(sum(articles), 0) AS articles
        FROM classes LEFT JOIN lengths ON words >= least AND (most IS NULL OR words <= most) GROUP BY least ORDER BY least
        """,
    ),
    Number(
        "length-quantiles",
        "Words that so many percent of the articles do not exceed",
        f"""
        WITH ordered AS (SELECT words, sum(articles) OVER (ORDER BY words) AS until, sum(articles) OVER () AS number FROM lengths)
        SELECT q.value AS percent, min(words) AS words FROM json_each('{[*_QUANTILES]}') q JOIN ordered ON 100 * until >= q.value * number
        GROUP BY q.value ORDER BY q.value
        """,
    ),
    *(
        Number(
            f"{name}-articles",
            "",
            "SELECT words, url, headline AS text FROM (SELECT words, place FROM documents WHERE in_words"
            f" ORDER BY words {order}, place LIMIT {_EXAMPLES}) JOIN shown USING (place) ORDER BY words {order}, place",
        )
        for name, order in (("shortest", "ASC"), ("longest", "DESC"))
    ),
    Number(
        "duplicates",
        "Duplicates",
        " UNION ALL ".join(
            f"SELECT '{kind}' AS kind, count(DISTINCT {kind}) AS clusters, count({kind}) AS articles,"
            f" count({kind}) - count(DISTINCT {kind}) AS surplus FROM analysis.clusters WHERE :analysed"
            for kind in ("exact", "near")
        ),
    ),
    Number(
        "largest-clusters",
        "",
        f"""
        WITH members AS (
            SELECT 'exact' AS kind, exact AS first, id, place FROM analysis.clusters WHERE exact IS NOT NULL
            UNION ALL SELECT 'near', near, id, place FROM analysis.clusters
        ), largest AS (
            SELECT kind, first, count(*) AS articles, min(place), id AS other FROM members WHERE id != first GROUP BY kind, first
        ), ranked AS (
            SELECT *, row_number() OVER (PARTITION BY kind ORDER BY articles DESC, first) AS rank FROM largest
        )
        SELECT kind, articles + 1 AS articles, f.url, f.text, o.url AS other_url, o.text AS other_text FROM ranked r
            JOIN documents a ON a.id = r.first JOIN shown f ON f.place = a.place
            JOIN documents b ON b.id = r.other JOIN shown o ON o.place = b.place
        WHERE rank <= {_BIGGEST} ORDER BY kind, rank
        """,
    ),
    Number(
        "access",
        "Access, as declared and as seen",
        """
        SELECT year, sum(free IS 'true') AS free, sum(free IS 'false') AS paid,
            sum(free IS NOT 'true' AND free IS NOT 'false') AS undeclared, sum(walled) AS paywall,
            sum(free IS 'false' AND NOT walled) AS paid_but_whole
        FROM documents GROUP BY year ORDER BY year IS NULL, year
        """,
    ),
    Number("types", "Kinds of articles", "SELECT type, count(*) AS articles FROM documents GROUP BY type ORDER BY 2 DESC, type"),
    Number(
        "posts",
        "Posts",
        """
        SELECT kind, count(*) AS posts, sum(p.words) AS words, count(DISTINCT article) AS articles, sum(answers) AS answers,
            sum(deleted) AS deleted, sum(p.day IS NULL) AS undated
        FROM posts p JOIN documents ON number = article GROUP BY kind ORDER BY 2 DESC, kind
        """,
    ),
    Number(
        "posts-by-year",
        "",
        """
        SELECT kind, CAST(substr(p.day, 1, 4) AS INTEGER) AS year, count(*) AS posts, sum(p.words) AS words
        FROM posts p JOIN documents ON number = article GROUP BY 1, 2 ORDER BY kind, year IS NULL, year
        """,
    ),
    Number(
        "largest-threads",
        "",
        f"""
        WITH threads AS (
            SELECT kind, article, count(*) AS posts FROM posts GROUP BY kind, article
        ), ranked AS (
            SELECT kind, t.posts, place, row_number() OVER (PARTITION BY kind ORDER BY t.posts DESC, place) AS rank
            FROM threads t JOIN documents ON number = article
        )
        SELECT kind, r.posts, url, headline AS text FROM ranked r JOIN shown USING (place) WHERE rank <= {_EXAMPLES} ORDER BY kind, rank
        """,
    ),
    Number("requests", "", "SELECT * FROM requests ORDER BY day, host"),
    Number("signals", "Rights signals", "SELECT * FROM signals ORDER BY pages DESC, name, value", LARGEST),
    Number(
        "rules",
        "Documents by the rules that made them",
        """
        SELECT coalesce(made_by, rules) AS digest, count(*) AS articles, rules = :rules AS "current?" FROM articles
        WHERE path IS NOT NULL GROUP BY 1, 3 ORDER BY 2 DESC, 1, 3
        """,  # a document that a build found to be right is left as it is, so it names the rules that made it for ever
    ),
    Number("warc-files"),
)
