-- Every number that is a query, by its name, over the tables of build.sqlite (building/database.py), what the ledger gives besides
-- (`open_for_numbers` in corpus/ledger_questions.py) and analysis.sqlite. `--- name: its title on the screen [most rows]` begins one; without a
-- title the screen shows nothing of it, without a query code counts it. They are shown and printed in this order.
--
-- The columns of a query are those of `curator stats --json`: one that ends in ? is a yes or a no, one in [] a list, as JSON. An example is the
-- `url` of the first article that shows something, by date and id, with a `text` where there is one.

--- prepared
-- The articles with a document: what nearly every query asks of them. `place`: by date and id, from 1.
CREATE TEMP TABLE documents (
    number INTEGER PRIMARY KEY, place INTEGER, id TEXT, published TEXT, day TEXT, month TEXT, year INTEGER, words INTEGER,
    characters INTEGER, posts INTEGER, type TEXT, layout TEXT, language TEXT, language_declared INTEGER, section TEXT, free INTEGER,
    walled INTEGER,
    in_words INTEGER                     -- 0: in a language that parts no words by blanks
);
INSERT INTO documents
SELECT number, row_number() OVER (ORDER BY coalesce(published, ''), id), id, published, day, month, year, words, characters, posts, type,
    layout, language, language_declared, section, free, outcome = 'paywall', words > 0 OR characters = 0
FROM articles WHERE path IS NOT NULL;
CREATE UNIQUE INDEX documents_place ON documents (place);

CREATE TEMP VIEW shown AS
SELECT d.place, d.day, a.url, coalesce(a.headline, '') AS headline,
    substr(trim(coalesce(d.day, '') || ' ' || coalesce(a.headline, '')), 1, 200) AS text
FROM documents d JOIN articles a ON a.number = d.number;

CREATE TEMP TABLE lengths AS SELECT words, count(*) AS articles FROM documents WHERE in_words GROUP BY words;

CREATE TEMP TABLE column_days AS
SELECT name, day, year, count(*) AS articles, sum(words) AS words
FROM documents LEFT JOIN listed ON listed.article = number GROUP BY name, day, year;

-- What became of addresses and why, those of a year that are told in the same words together.
CREATE TEMP TABLE endings AS
SELECT CAST(substr(day, 1, 4) AS INTEGER) AS year, outcome, failed, reason, count(*) AS number, min(url) AS url
FROM addresses GROUP BY 1, 2, 4;

-- Many articles have the same fields from the same sources: these are counted together, which takes a third of the time.
CREATE TEMP TABLE filled AS
SELECT j.key AS field, year, j.value AS source, sum(articles) AS articles
FROM (
    SELECT said, year, count(*) AS articles
    FROM (
        SELECT article, json_group_object(field, source) AS said FROM metadata WHERE place = 0 AND NOT disagrees GROUP BY article
    ) JOIN documents ON number = article GROUP BY said, year
) JOIN json_each(said) j WHERE place_of_field(j.key) IS NOT NULL GROUP BY j.key, year, j.value;

-- What another source says; a headline with the portal's own name behind it is no other one.
CREATE TEMP TABLE others AS
SELECT d.place, m.field, coalesce(c.source, '') AS chosen, coalesce(c.value, '') AS value, m.source, m.value AS other
FROM metadata m JOIN documents d ON d.number = m.article
    LEFT JOIN metadata c ON c.article = m.article AND c.field = m.field AND NOT c.disagrees AND c.place = 0
WHERE m.disagrees AND place_of_field(m.field) IS NOT NULL
    AND NOT (m.field = 'headline' AND only_adds_name(coalesce(c.value, ''), m.value));

-- Authors, sections, keywords, agencies. `suspicious`: why it may be none, as JSON.
CREATE TEMP TABLE names AS
SELECT field, value AS name, count(*) AS articles, min(day) AS first, max(day) AS last, min(d.place) AS place, NULL AS suspicious
FROM metadata m JOIN documents d ON d.number = m.article
WHERE NOT disagrees AND field IN ('author', 'articleSection', 'keywords', 'source') GROUP BY value, field;

CREATE TEMP VIEW ranked_names AS
SELECT field, substr(name, 1, 200) || iif(length(name) > 200, '…', '') AS name, articles, first, last,
    coalesce(suspicious, '[]') AS "suspicious[]", place,
    row_number() OVER (PARTITION BY field ORDER BY articles DESC, name) AS rank,
    row_number() OVER (PARTITION BY field, suspicious IS NULL ORDER BY articles DESC, name) AS rank_of_suspects
FROM names;

CREATE TEMP VIEW members AS
SELECT 'exact' AS kind, exact AS first, id, place FROM analysis.clusters WHERE exact IS NOT NULL
UNION ALL SELECT 'near', near, id, place FROM analysis.clusters;

--- portal
--- lacks
--- capped
--- status
--- proofs
--- totals
SELECT t.*, a.day AS first, a.url AS first_url, a.headline AS first_headline, b.day AS last, b.url AS last_url, b.headline AS last_headline
FROM (
    SELECT (SELECT count(*) FROM addresses) AS urls, count(*) AS articles, coalesce(sum(words), 0) AS words,
        coalesce(sum(characters), 0) AS characters, coalesce(sum(posts), 0) AS posts, coalesce(sum(day IS NULL), 0) AS undated,
        coalesce(sum(NOT in_words), 0) AS uncounted, round(coalesce(avg(words) FILTER (WHERE in_words), 0), 1) AS mean
    FROM documents
) t LEFT JOIN articles a ON a.number = (SELECT number FROM documents WHERE day IS NOT NULL ORDER BY place LIMIT 1)
    LEFT JOIN articles b ON b.number = (SELECT number FROM documents WHERE day IS NOT NULL ORDER BY place DESC LIMIT 1)

--- articles-by-year: Articles by year
-- Years between the first and the last article are there though they have none; not where these lie an age apart.
WITH RECURSIVE counted AS (SELECT year, count(*) AS articles, sum(words) AS words FROM documents GROUP BY year),
    ends AS (SELECT min(year) AS first, max(year) AS last FROM counted),
    span AS (SELECT first AS year, last FROM ends WHERE last - first <= 200 UNION ALL SELECT year + 1, last FROM span WHERE year < last)
SELECT y.year, coalesce(articles, 0) AS articles, coalesce(words, 0) AS words
FROM (SELECT year FROM span UNION SELECT year FROM counted) y LEFT JOIN counted c ON c.year IS y.year
ORDER BY y.year IS NULL, y.year

--- articles-by-month
SELECT month, count(*) AS articles, sum(words) AS words FROM documents GROUP BY month ORDER BY month IS NULL, month

--- columns: Columns of the archive
SELECT name, sum(articles) AS articles, sum(words) AS words, min(day) AS first, max(day) AS last
FROM column_days LEFT JOIN json_each(:columns) o ON o.value = name GROUP BY name ORDER BY name IS NULL, o.key IS NULL, o.key, name

--- columns-by-year
SELECT name, year, sum(articles) AS articles, sum(words) AS words FROM column_days
GROUP BY name, year ORDER BY name IS NULL, name, year IS NULL, year

--- sections: Sections, by the first of each article [25]
SELECT section AS name, count(*) AS articles, sum(words) AS words, min(day) AS first, max(day) AS last FROM documents
GROUP BY section ORDER BY count(*) DESC, section IS NULL, section

--- sections-by-year
WITH of_years AS (SELECT section, year, count(*) AS articles, sum(words) AS words FROM documents GROUP BY section, year),
    largest AS (SELECT section, sum(articles) AS size FROM of_years GROUP BY section ORDER BY 2 DESC, section IS NULL, section LIMIT 25)
SELECT y.section AS name, year, articles, words FROM of_years y JOIN largest l ON l.section IS y.section
ORDER BY size DESC, y.section IS NULL, y.section, year IS NULL, year

--- gaps: Days without articles that look like gaps [200]
--- doubts [40]
-- What the last build told to look at: in a sentence, with how many documents say so where it is about documents, and some of them.
WITH told AS (
    SELECT doubt.value ->> 0 AS sentence, page.value AS url, doubt.value ->> 2 AS since, 0 AS of_documents
    FROM other.meta, json_each(meta.value) AS doubt, json_each(coalesce(doubt.value -> 3, json_array(doubt.value ->> 1))) AS page
    WHERE name IN ('doubts', 'container doubts')
    UNION ALL
    SELECT doubt.value ->> 3, doubt.value ->> 1, doubt.value ->> 2, 1
    FROM other.meta, json_each(meta.value) AS doubt WHERE name = 'document doubts'
), placed AS (SELECT *, row_number() OVER (PARTITION BY sentence) AS place FROM told)
SELECT sentence, iif(of_documents, count(*), 1) AS count, min(since) AS since,
    json_group_array(url) FILTER (WHERE place <= 3) AS "pages[]"
FROM placed GROUP BY sentence, of_documents ORDER BY of_documents, count(*) DESC, sentence

--- problems: To look at first [60]
--- days
SELECT day, count(*) AS links, sum(fetched) AS fetched, sum(failed) AS failed, sum(outcome = 'queued') AS waiting,
    sum(documented) AS articles, 0 AS "gap?", 0 AS "silent?"
FROM addresses WHERE day IS NOT NULL GROUP BY day
UNION ALL
SELECT day, count(*), 0, 0, 0, count(*), 0, 0 FROM documents WHERE day IS NOT NULL AND NOT EXISTS (SELECT 1 FROM addresses) GROUP BY day
ORDER BY day

--- outcomes
-- Of a year and outcome the twelve most frequent reasons, those that are alike as one; the others together.
WITH ranked AS (
    SELECT year, outcome, failed, min(reason) AS reason, sum(number) AS number, min(url) AS url,
        row_number() OVER (PARTITION BY year, outcome ORDER BY sum(number) DESC, alike(reason)) AS place
    FROM endings GROUP BY year, outcome, alike(reason)
)
SELECT year, outcome, failed AS "failed?", iif(place <= 12, min(reason), '') AS reason, sum(number) AS count, min(url) AS url
FROM ranked GROUP BY year, outcome, min(place, 13) ORDER BY year IS NULL, year, outcome, min(place, 13)

--- reasons [60]
-- Why addresses are no articles, whatever the year, those that are alike as one; failures first.
WITH ranked AS (
    SELECT *, row_number() OVER (PARTITION BY outcome, alike(reason) ORDER BY year IS NULL, year, url) AS place
    FROM endings WHERE outcome != 'article'
)
SELECT outcome, failed AS "failed?", min(reason) AS reason, sum(number) AS count, json_group_array(DISTINCT year) AS "years[]",
    json_group_array(url) FILTER (WHERE place <= 3) AS "urls[]"
FROM ranked GROUP BY outcome, alike(reason) ORDER BY failed DESC, 4 DESC, outcome, 3

--- fields: Metadata
WITH longer AS MATERIALIZED (
    SELECT count(DISTINCT place) AS number, min(place) AS place, url, substr(value, 1, 90) || ' / ' || substr(other, 1, 90) AS text
    FROM others JOIN shown USING (place)
    WHERE field = 'headline' AND other != '' AND substr(value, 1, length(other)) = other AND NOT only_adds_name(other, value)
), counted AS (
    SELECT field, sum(articles) AS filled, 0 AS disagreeing FROM filled GROUP BY field
    UNION ALL SELECT field, 0, count(DISTINCT place) FROM others GROUP BY field
)
SELECT field, sum(filled) AS filled, sum(disagreeing) AS disagreeing, coalesce(number, 0) AS longer,
    coalesce(number >= 3 AND 2 * number > sum(filled), 0) AS "too_long?",  -- of one portal, most headlines come by the same rule
    url, text
FROM counted LEFT JOIN longer ON field = 'headline' GROUP BY field ORDER BY place_of_field(field)

--- fields-by-year
SELECT f.field, y.year, y.articles,
    coalesce((SELECT sum(articles) FROM filled w WHERE w.field = f.field AND w.year IS y.year), 0) AS filled
FROM (SELECT field FROM filled UNION SELECT field FROM others) f
    JOIN (SELECT year, count(*) AS articles FROM documents GROUP BY year) y
ORDER BY place_of_field(f.field), y.year IS NULL, y.year

--- sources: Where the values come from
SELECT field, source, sum(articles) AS articles FROM filled GROUP BY field, source ORDER BY place_of_field(field), 3 DESC, source

--- disagreements: Sources that disagree [50]
SELECT field, chosen, other, articles, url, pair AS text
FROM (
    SELECT field, chosen, source AS other, count(DISTINCT place) AS articles, min(place) AS place,
        substr(value, 1, 90) || ' / ' || substr(other, 1, 90) AS pair
    FROM others GROUP BY field, chosen, source
) JOIN shown USING (place) ORDER BY articles DESC, field, chosen, other

--- names: Authors, sections, keywords, agencies
SELECT field, name, articles, first, last, "suspicious[]", url FROM ranked_names JOIN shown USING (place)
WHERE rank <= 50 ORDER BY place_of_field(field), rank

--- suspicious-names: Names that may be none
SELECT field, name, articles, first, last, "suspicious[]", url FROM ranked_names JOIN shown USING (place)
WHERE "suspicious[]" != '[]' AND rank_of_suspects <= 50 ORDER BY place_of_field(field), rank

--- name-counts
SELECT field, count(*) AS "distinct", (SELECT sum(articles) FROM filled f WHERE f.field = n.field) AS articles, count(suspicious) AS suspects
FROM names n GROUP BY field ORDER BY place_of_field(field)

--- odd-dates: Odd dates
WITH moments AS (
    SELECT published, count(*) AS articles, min(place) AS place FROM documents
    WHERE length(published) > 10 GROUP BY published HAVING count(*) >= 10 ORDER BY 2 DESC, 1
), odd AS (
    SELECT place, CASE
        WHEN day IS NULL THEN 'no whole day'
        WHEN day = '1970-01-01' THEN '1 January 1970, which programs write for no date'
        WHEN day LIKE '%-01-01' AND (length(published) = 10 OR published LIKE '%T00:00:00%')
            THEN '1 January without a time, which may stand for the year alone'
        WHEN published LIKE '%T00:00:00%' THEN 'midnight to the second, which programs write for a day alone'
        END AS why
    FROM documents WHERE published IS NOT NULL
    UNION
    SELECT place, 'the day of the capture, and another source says otherwise'
    FROM others JOIN documents d USING (place) JOIN articles a USING (number)
    WHERE field = 'datePublished' AND d.day = substr(a.captured, 1, 10)
    UNION
    SELECT d.place, substr(f.value, 1, instr(f.value || ':', ':') - 1)
    FROM articles a JOIN documents d USING (number) JOIN json_each(a.flags) f
    WHERE a.flags != '[]' AND (f.value GLOB 'datePublished lies*' OR f.value GLOB 'datePublished is no date*'
        OR f.value GLOB 'dateModified lies before*')
), counted AS (
    SELECT why, count(*) AS articles, min(place) AS place FROM odd WHERE why IS NOT NULL GROUP BY why
    UNION ALL
    SELECT 'the same second as at least 9 other articles (most often ' || published || ')', (SELECT sum(articles) FROM moments), place
    FROM (SELECT * FROM moments LIMIT 1)
)
SELECT why, articles, url, text FROM counted JOIN shown USING (place) ORDER BY articles DESC, why

--- layouts: Layouts
SELECT layout AS name, count(*) AS articles, sum(words) AS words, min(day) AS first, max(day) AS last FROM documents
GROUP BY layout ORDER BY coalesce(min(day), '9'), layout

--- layouts-by-year
SELECT layout AS name, year, count(*) AS articles, sum(words) AS words FROM documents
GROUP BY layout, year ORDER BY coalesce(min(day), '9'), layout, year

--- coverage: Text that the rules kept, in words
WITH left_out AS (
    SELECT year, sum(w.words) AS words FROM dropped w JOIN documents ON number = w.article WHERE in_words GROUP BY year
), unknown AS (
    SELECT year, sum(iif(in_words, u.words, 0)) AS words, count(DISTINCT article) AS articles
    FROM undecided u JOIN documents ON number = u.article GROUP BY year
)
SELECT d.year, count(*) AS articles, sum(d.words) AS kept, coalesce(l.words, 0) AS dropped, coalesce(u.words, 0) AS undecided,
    coalesce(u.articles, 0) AS articles_undecided
FROM documents d LEFT JOIN left_out l ON l.year IS d.year LEFT JOIN unknown u ON u.year IS d.year
GROUP BY d.year ORDER BY d.year IS NULL, d.year

--- dropped: Dropped, by rule [50]
SELECT rule, words, pieces, articles, tag, url, longest AS text
FROM (
    SELECT rule, sum(w.words) AS words, sum(pieces) AS pieces, count(DISTINCT article) AS articles, max(w.words), tag, text AS longest, place
    FROM dropped w JOIN documents ON number = w.article GROUP BY rule
) JOIN shown USING (place) ORDER BY words DESC, rule

--- undecided: Tags that no rule decides [50]
SELECT tag, words, count, articles, url
FROM (
    SELECT tag, sum(u.words) AS words, sum(count) AS count, count(*) AS articles, min(place) AS place
    FROM undecided u JOIN documents ON number = u.article GROUP BY tag
) JOIN shown USING (place) ORDER BY words DESC, tag

--- languages: Languages, declared and identified
WITH counted AS (
    SELECT d.language, language_declared AS declared, g.language AS identified, count(*) AS articles, coalesce(sum(g.certainty >= 0.9), 0) AS certain,
        min(place) AS place
    FROM documents d LEFT JOIN analysis.articles g ON g.id = d.id GROUP BY 1, 2, 3
), judged AS (SELECT *, coalesce(NOT same_language(language, identified), 0) AS disagree FROM counted)
SELECT language, declared AS "declared?", identified, articles, certain, disagree AS "disagree?", iif(disagree, url, NULL) AS url,
    iif(disagree, text, NULL) AS text
FROM judged JOIN shown USING (place) ORDER BY articles DESC, language, declared, identified

--- lengths: Lengths of articles, in words
WITH classes AS (
    SELECT value AS least, lead(value - 1) OVER (ORDER BY value) AS most
    FROM json_each('[0, 1, 50, 100, 200, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 5000, 10000]')
)
SELECT least, most, coalesce(sum(articles), 0) AS articles
FROM classes LEFT JOIN lengths ON words >= least AND (most IS NULL OR words <= most)
WHERE EXISTS (SELECT 1 FROM lengths) GROUP BY least ORDER BY least

--- length-quantiles: Words that so many percent of the articles do not exceed
WITH ordered AS (SELECT words, sum(articles) OVER (ORDER BY words) AS until, sum(articles) OVER () AS number FROM lengths)
SELECT q.value AS percent, min(words) AS words FROM json_each('[5, 25, 50, 75, 95]') q JOIN ordered ON 100 * until >= q.value * number
GROUP BY q.value ORDER BY q.value

--- shortest-articles
SELECT words, url, headline AS text FROM (SELECT words, place FROM documents WHERE in_words ORDER BY words, place LIMIT 3)
JOIN shown USING (place) ORDER BY words, place

--- longest-articles
SELECT words, url, headline AS text FROM (SELECT words, place FROM documents WHERE in_words ORDER BY words DESC, place LIMIT 3)
JOIN shown USING (place) ORDER BY words DESC, place

--- duplicates: Duplicates
SELECT k.value AS kind, count(DISTINCT first) AS clusters, count(first) AS articles, count(first) - count(DISTINCT first) AS surplus
FROM json_each('["exact", "near"]') k LEFT JOIN members ON kind = k.value WHERE :analysed GROUP BY k.value ORDER BY k.key

--- largest-clusters
WITH largest AS (  -- each by its first article, and the next one
    SELECT kind, first, count(*) + 1 AS articles, min(place), id AS other FROM members WHERE id != first GROUP BY kind, first
), ranked AS (SELECT *, row_number() OVER (PARTITION BY kind ORDER BY articles DESC, first) AS rank FROM largest)
SELECT kind, articles, f.url, f.text, o.url AS other_url, o.text AS other_text FROM ranked r
    JOIN documents a ON a.id = r.first JOIN shown f ON f.place = a.place
    JOIN documents b ON b.id = r.other JOIN shown o ON o.place = b.place
WHERE rank <= 10 ORDER BY kind, rank

--- access: Access, as declared and as seen
SELECT year, count(*) AS whole, sum(free IS 1) AS free, sum(free IS 0) AS paid, sum(free IS NULL) AS undeclared, sum(walled) AS paywall,
    sum(free IS 0 AND NOT walled) AS paid_but_whole
FROM documents GROUP BY year ORDER BY year IS NULL, year

--- types: Kinds of articles
SELECT type, count(*) AS articles FROM documents GROUP BY type ORDER BY 2 DESC, type

--- posts: Posts
SELECT kind, count(*) AS posts, sum(p.words) AS words, count(DISTINCT article) AS articles, sum(answers) AS answers, sum(deleted) AS deleted,
    sum(p.day IS NULL) AS undated
FROM posts p JOIN documents ON number = article GROUP BY kind ORDER BY 2 DESC, kind

--- posts-by-year
SELECT kind, CAST(substr(p.day, 1, 4) AS INTEGER) AS year, count(*) AS posts, sum(p.words) AS words
FROM posts p JOIN documents ON number = article GROUP BY 1, 2 ORDER BY kind, year IS NULL, year

--- largest-threads
WITH threads AS (SELECT kind, article, count(*) AS number FROM posts GROUP BY kind, article),
    ranked AS (
        SELECT kind, t.number, place, row_number() OVER (PARTITION BY kind ORDER BY t.number DESC, place) AS rank
        FROM threads t JOIN documents d ON d.number = article
    )
SELECT kind, number AS posts, url, headline AS text FROM ranked JOIN shown USING (place) WHERE rank <= 3 ORDER BY kind, rank

--- annotations: Annotations, by layer
--- lemmas-by-year
--- changed: Articles with another text than when first stored [40]
SELECT a.url, coalesce(a.headline, '') AS headline, a.text_changed, json_array_length(c.beside, '$.versions') + 1 AS captures
FROM articles a JOIN contents c ON c.id = a.id WHERE a.text_changed IS NOT NULL ORDER BY a.text_changed DESC, a.url

--- requests
SELECT * FROM requests ORDER BY day, host

--- hosts
SELECT host, sum(requests) AS requests FROM requests GROUP BY host ORDER BY 2 DESC, host

--- signals: Rights signals [50]
SELECT * FROM signals ORDER BY pages DESC, name, value

--- rules: Documents by the rules that made them
-- A document that a build found to be right is left as it is, so it names the rules that made it for ever.
SELECT coalesce(made_by, rules) AS digest, count(*) AS articles, rules = :rules AS "current?" FROM articles
WHERE path IS NOT NULL GROUP BY 1, 3 ORDER BY 2 DESC, 1, 3

--- warc-files
