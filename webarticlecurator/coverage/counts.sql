-- What a corpus and a web archive hold, over `known` and `no_articles` of the ledger (`open_for_coverage` in corpus/ledger_numbers.py) and
-- `captures`: of each article as its address or identity is compared, the captures that are pages, and revisits of such. `--- name` begins a
-- query; the columns are those of `curator coverage --json`.

--- tables
CREATE TEMP TABLE captures (
    article TEXT, at TEXT, revisit INTEGER, url TEXT, original TEXT, mime TEXT, status TEXT, digest TEXT, length TEXT, offset TEXT, filename TEXT,
    PRIMARY KEY (article, at, digest)
) WITHOUT ROWID;

--- take
INSERT OR IGNORE INTO captures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

--- others
-- Archive pages, further pages of articles, and pages that a build found to be no articles.
DELETE FROM captures WHERE article IN (SELECT article FROM no_articles)

--- compared
-- Revisits of what is in none of the sources: nobody knows whether that was a page.
CREATE INDEX captures_digest ON captures (digest) WHERE NOT revisit;
CREATE TEMP TABLE orphans AS SELECT article, at, digest FROM captures c WHERE revisit
    AND NOT EXISTS (SELECT 1 FROM captures p WHERE p.digest = c.digest AND NOT p.revisit)
    AND NOT EXISTS (SELECT 1 FROM captures p WHERE p.article = c.article AND NOT p.revisit);
DELETE FROM captures WHERE (article, at, digest) IN (SELECT article, at, digest FROM orphans);

CREATE TEMP TABLE theirs AS SELECT article, min(at) AS first, url FROM captures GROUP BY article;
CREATE UNIQUE INDEX theirs_article ON theirs (article);

-- The month is that of publication: by the article, the archive or the address; else that of the first capture.
CREATE TEMP TABLE compared AS
SELECT k.column, k.ours, t.article IS NOT NULL AS theirs, substr(coalesce(k.day, t.first), 1, 7) AS month,
    iif(k.ours, CAST(julianday(substr(t.first, 1, 10)) - julianday(k.day) AS INTEGER), NULL) AS days
FROM known k LEFT JOIN theirs t ON t.article = k.article WHERE k.ours OR t.article IS NOT NULL
UNION ALL
SELECT NULL, 0, 1, substr(coalesce(day_in(url), first), 1, 7), NULL FROM theirs t
WHERE NOT EXISTS (SELECT 1 FROM known k WHERE k.article = t.article);

CREATE TEMP VIEW grouped AS
SELECT 'totals' AS by, NULL AS name, * FROM compared
UNION ALL SELECT 'years', substr(month, 1, 4), * FROM compared
UNION ALL SELECT 'columns', column, * FROM compared
UNION ALL SELECT 'months', month, * FROM compared;

CREATE TEMP TABLE counted AS
WITH ranked AS (
    SELECT by, name, days, row_number() OVER (PARTITION BY by, name ORDER BY days) AS place, count(*) OVER (PARTITION BY by, name) AS number
    FROM grouped WHERE theirs AND days >= 0
), medians AS (
    SELECT by, name, avg(days) AS days FROM ranked WHERE place IN ((number + 1) / 2, (number + 2) / 2) GROUP BY by, name
)
SELECT g.by, g.name, sum(ours AND theirs) AS both, sum(ours AND NOT theirs) AS only_ours, sum(theirs AND NOT ours) AS only_theirs, m.days
FROM grouped g LEFT JOIN medians m ON m.by = g.by AND m.name IS g.name GROUP BY g.by, g.name;

--- orphaned
SELECT count(*) FROM orphans

--- counted
-- `days`: from publication to the first capture, the median; captures before the day of publication tell that this is wrong. Months without
-- articles are there between the first and the last that an article on the web may have.
WITH RECURSIVE ends AS (
    SELECT min(name) || '-01' AS day, max(name) AS last FROM counted WHERE by = 'months' AND name BETWEEN '1990' AND '2100'
), span AS (
    SELECT * FROM ends WHERE last IS NOT NULL UNION ALL SELECT date(day, '+1 month'), last FROM span WHERE substr(day, 1, 7) < last
)
SELECT * FROM (
    SELECT * FROM counted
    UNION ALL SELECT 'months', substr(day, 1, 7), 0, 0, 0, NULL FROM span
    WHERE NOT EXISTS (SELECT 1 FROM counted WHERE by = 'months' AND name = substr(day, 1, 7))
) ORDER BY by, name IS NULL, name

--- only-theirs
-- A line of CDXJ for each: the first page of the article, else its first revisit.
SELECT article || strftime(' %Y%m%d%H%M%S ', at) || json_object(
    'url', original, 'mime', mime, 'status', status, 'digest', digest, 'length', length, 'offset', offset, 'filename', filename
), min(revisit || at)
FROM captures c WHERE NOT EXISTS (SELECT 1 FROM known k WHERE k.article = c.article AND k.ours) GROUP BY article ORDER BY 1
