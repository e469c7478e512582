-- What a corpus and a web archive hold, over `known` and `no_articles` of the ledger (`open_for_coverage` in corpus/ledger_questions.py) and
-- `theirs`: of each article, as its address or identity is compared, the first capture. `--- name` begins a query; the columns are those of
-- `curator coverage --json`.

--- tables
CREATE TEMP TABLE theirs (article TEXT PRIMARY KEY, at TEXT, url TEXT, line TEXT) WITHOUT ROWID

--- take
INSERT INTO theirs VALUES (?, ?, ?, ?)
ON CONFLICT (article) DO UPDATE SET at = excluded.at, url = excluded.url, line = excluded.line WHERE excluded.at < theirs.at

--- others
-- Archive pages, further pages of articles, and pages that a build found to be no articles.
DELETE FROM theirs WHERE article IN (SELECT article FROM no_articles)

--- compared
-- The year is that of publication: by the article, the archive or the address; else that of the first capture.
CREATE TEMP TABLE compared AS
SELECT k.column, k.ours, t.article IS NOT NULL AS theirs, substr(coalesce(k.day, t.at), 1, 4) AS year,
    iif(k.ours, CAST(julianday(substr(t.at, 1, 10)) - julianday(k.day) AS INTEGER), NULL) AS days
FROM known k LEFT JOIN theirs t ON t.article = k.article WHERE k.ours OR t.article IS NOT NULL
UNION ALL
SELECT NULL, 0, 1, substr(coalesce(day_in(url), at), 1, 4), NULL FROM theirs t
WHERE NOT EXISTS (SELECT 1 FROM known k WHERE k.article = t.article)

--- counted
-- `days`: from publication to the first capture, the median; captures before the day of publication tell that this is wrong.
WITH grouped AS (
    SELECT 'totals' AS by, NULL AS name, * FROM compared
    UNION ALL SELECT 'years', year, * FROM compared
    UNION ALL SELECT 'columns', column, * FROM compared
), ranked AS (
    SELECT by, name, days, row_number() OVER (PARTITION BY by, name ORDER BY days) AS place, count(*) OVER (PARTITION BY by, name) AS number
    FROM grouped WHERE theirs AND days >= 0
), medians AS (
    SELECT by, name, avg(days) AS days FROM ranked WHERE place IN ((number + 1) / 2, (number + 2) / 2) GROUP BY by, name
)
SELECT g.by, g.name, sum(ours AND theirs) AS both, sum(ours AND NOT theirs) AS only_ours, sum(theirs AND NOT ours) AS only_theirs, m.days
FROM grouped g LEFT JOIN medians m ON m.by = g.by AND m.name IS g.name GROUP BY g.by, g.name ORDER BY g.by, g.name IS NULL, g.name

--- only-theirs
SELECT line FROM theirs t WHERE NOT EXISTS (SELECT 1 FROM known k WHERE k.article = t.article AND k.ours) ORDER BY article
