"""Tell what a build has: its counts, what speaks against it, and rules of the portal file that give
nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.building.article_row import LONGEST
from webarticlecurator.building.build_options import BuildSummary
from webarticlecurator.building.database import DOCUMENTED_IN_SQL, FAILED_IN_SQL, RULE_DOUBTS, BuildDatabase
from webarticlecurator.building.portal_words import noted_words
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.yaml_reading import quoted
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.left_out import NO_COLUMN
from webarticlecurator.corpus.problems import KEPT_DOCUMENTS
from webarticlecurator.extraction.signs_of_more import address_in
from webarticlecurator.model.article import UNCONFIRMED_SIGN
from webarticlecurator.model.metadata import OF_BODY
from webarticlecurator.model.outcome import GoingOn, Kept, KeptDocuments, PageOutcome

_SOME = 10
"""Documents, or posts, that say what a portal is like."""
POST_FIELDS = {
    "author": "author IS NOT NULL",
    "time": "day IS NOT NULL",
    "reply_to": "answers",
    "text": "words > 3",
}
"""Fields that nearly every post has, or some of many, each with the condition in SQL by which one has it."""
_LACKING = f"""
    WITH documents AS (SELECT number FROM articles WHERE outcome IN {DOCUMENTED_IN_SQL}),
    total AS (SELECT count(*) AS documents FROM documents)
    SELECT column1, count(*) AS lacking FROM (VALUES ('headline'), ('author'), ('datePublished')), documents, total
    WHERE total.documents >= {_SOME}
        AND NOT EXISTS (SELECT 1 FROM metadata WHERE article = number AND field = column1 AND NOT disagrees)
    GROUP BY column1 HAVING lacking >= CASE column1 WHEN 'author' THEN total.documents ELSE 0.05 * total.documents END
"""
"""Count the documents that lack what every article has, where these are some of many; of authors, where all
do."""
_SKIPPED = f"""
    SELECT reason, count(*), min(url) FROM articles WHERE outcome = 'not-article'
    AND (reason GLOB 'articles.skip.*' OR reason GLOB 'urls.*' OR reason GLOB '{NO_COLUMN}*')
    GROUP BY reason ORDER BY 2 DESC
"""
_ODD_VALUES = f"""
    SELECT substr(value, 1, instr(value, ': ') - 1), count(*), min(value) FROM articles, json_each(flags)
    WHERE outcome IN {DOCUMENTED_IN_SQL} AND (value GLOB 'date*: *' OR value GLOB 'author*: *') GROUP BY 1
    HAVING count(*) > 2 OR value NOT GLOB '{UNCONFIRMED_SIGN}*' ORDER BY 2 DESC
"""
"""Oddities of dates and authors, in how many documents, and an example; the page's own reading may miss one
author or another."""
_PORTAL_VALUES = f"""
    WITH total AS (SELECT count(*) AS articles FROM articles WHERE outcome IN {DOCUMENTED_IN_SQL})
    SELECT field, value, count(*), max(source) FROM metadata, total
    WHERE field IN ('description', 'image') AND NOT disagrees AND instr(source, ':') AND source NOT GLOB '{OF_BODY}*'
        AND length(value) < {LONGEST}
    GROUP BY field, value HAVING count(*) >= CASE field
        WHEN 'description' THEN max(5, 0.05 * total.articles)
        ELSE max(20, 0.1 * total.articles) END
    ORDER BY field, value
"""
"""Values that so many articles have that they may be the portal's, unless a rule gives them, and how many
articles. No two articles share a summary or a picture by their nature, but a page without one shows its
portal's; the articles of a series may share a picture."""


def summary_of(database: BuildDatabase, portal: Portal) -> BuildSummary:
    """Return all that a build knows of what it has; what the run itself did is not in it."""
    counted, next_page = _counted(database), portal.articles.next_in_words
    counted["failures"] += tuple(_lacking_pages(database, next_page))
    counted["portal_values"] += tuple(map(str, noted_words(database)))
    counted["lacking"] = {
        field: number
        for field, number in counted["lacking"].items()
        if not _may_lack(portal.metadata.get(field))
    }
    rules = chain(_rules_for_metadata(database, portal), _rules_for_posts(portal))
    return BuildSummary(
        portal=portal.name,
        not_applied=tuple(f"{url}: {why}" for url, why in database.unapplied_corrections()),
        fruitless=tuple(rule for rule in rules if not _is_given_by(database, rule)),
        doubts=database.noted_doubts(RULE_DOUBTS) | database.noted_document_doubts(),
        going_on=_going_on(database, next_page),
        **counted,
    )


def note_doubts(database: BuildDatabase, corpus: Corpus, portal: Portal, now: str) -> None:
    """Ask what speaks against the rules of the portal file, the corpus and single documents, and keep the
    answers."""
    # imported here: a build with nothing to do needs none of it
    from webarticlecurator.building.corpus_doubts import corpus_doubts
    from webarticlecurator.building.document_doubts import document_doubts
    from webarticlecurator.building.rule_doubts import rule_doubts
    from webarticlecurator.building.said_in_lists import headline_doubts

    sources = {*_rules_for_metadata(database, portal), *_rules_for_lists(portal)}
    told = chain(
        rule_doubts(database, sources),
        corpus_doubts(database, portal),
        headline_doubts(database, corpus, portal),
    )
    database.note_doubts(RULE_DOUBTS, told, now)
    database.note_document_doubts(document_doubts(database, portal), now)


def _may_lack(rule: Picks | None) -> bool:
    """Say whether a rule gives some articles nothing on purpose."""
    return rule is not None and rule.drops("")


def _rules_for_metadata(database: BuildDatabase, portal: Portal) -> list[str]:
    """Return the fields that the portal file itself has rules for, as their values name them as source."""
    used = {layout for (layout,) in database.rows("SELECT DISTINCT layout FROM articles")}
    of_layouts = (layout.metadata for layout in portal.layouts if layout.name in used)
    rules = chain.from_iterable(rules.items() for rules in (portal.metadata, *of_layouts))
    return list(
        dict.fromkeys(
            f"metadata.{name}"
            for name, rule in rules
            if _stands_in_file(portal, rule, if_it_only_drops=False)
        )
    )


def _rules_for_posts(portal: Portal) -> Iterator[str]:
    """Give the rules for posts that the portal file itself has."""
    for kind, posts in portal.posts.items():
        rules: Mapping[str, Picks | None] = {name: getattr(posts, name) for name in POST_FIELDS}
        yield from (f"posts.{kind}.{name}" for name, rule in rules.items() if _stands_in_file(portal, rule))


def _rules_for_lists(portal: Portal) -> Iterator[str]:
    """Give the fields that the portal file itself takes from lists, as their values name them as source."""
    for column in portal.columns:
        yield from (
            f"listing:{name}" for name, rule in column.fields.items() if _stands_in_file(portal, rule)
        )


def _stands_in_file(portal: Portal, rule: Picks | None, *, if_it_only_drops: bool = True) -> bool:
    """Say whether a rule, or an alternative of it, stands in the portal file itself and not in what that
    extends."""
    picks = rule.each() if rule is not None else ()
    in_file = [pick for pick in picks if portal.has_itself(pick.place)]
    return any(if_it_only_drops or not pick.only_drops for pick in in_file)


def _counted(database: BuildDatabase) -> dict[str, Any]:
    """Return what a `BuildSummary` counts, by the names that it has there."""
    failures = database.rows(
        f"SELECT outcome, reason, count(*), min(url) FROM articles WHERE outcome IN {FAILED_IN_SQL} GROUP BY "
        "outcome, reason"
        " ORDER BY count(*) DESC, outcome, reason"
    )
    outcomes = database.rows("SELECT outcome, count(*) FROM articles GROUP BY outcome")
    return {
        "outcomes": {PageOutcome(outcome): number for outcome, number in outcomes},
        "kept": tuple(KeptDocuments(Kept(why), *rest) for why, *rest in database.rows(KEPT_DOCUMENTS)),
        "skipped": {rule: (number, url) for rule, number, url in database.rows(_SKIPPED)},
        "missing_pages": next(database.rows("SELECT count(missing_pages) FROM articles"))[0],
        "portal_values": tuple(_portal_values(database)),
        "lacking": dict(database.rows(_LACKING)),
        "odd_values": {
            odd: (number, example.partition(": ")[2]) for odd, number, example in database.rows(_ODD_VALUES)
        },
        "failures": tuple(
            f"{count:,} {outcome}: {reason} (such as {url})" for outcome, reason, count, url in failures
        ),
    }


def _going_on(database: BuildDatabase, rule: str) -> GoingOn | None:
    """Return articles with signs of further pages, where `rule` does not lead; a page that is an article
    itself is no sign of any."""
    signs = list(database.rows("SELECT url, goes_on FROM articles WHERE goes_on IS NOT NULL ORDER BY url"))
    addresses = {address for _, sign in signs if (address := address_in(sign)) is not None}
    known = "SELECT url FROM articles WHERE url IN (SELECT value FROM json_each(?))"
    articles = {url for (url,) in database.rows(known, (orjson.dumps(sorted(addresses)).decode(),))}
    left = [(url, sign) for url, sign in signs if address_in(sign) not in articles]
    return GoingOn(len(left), *left[0], rule) if left else None


def _lacking_pages(database: BuildDatabase, rule: str) -> Iterator[str]:
    """Tell of the articles of which a page is not stored in one sentence."""
    number, url, missing = next(
        database.rows(
            "SELECT count(*), min(url), missing_pages FROM articles WHERE missing_pages IS NOT NULL"
        )
    )
    if number:
        lack = f"{amount(number, 'article lacks', 'articles lack')} a page, such as {url}: {missing}"
        yield (
            f"{lack}; a crawl, or one with `--recheck 3650d`, asks for it; if it is none of the article, "
            f"{rule} is wrong"
        )


def _is_shown(database: BuildDatabase, image: str) -> bool:
    """Say whether articles show in their text what they name as their picture; some are looked at."""
    named = (
        "SELECT article FROM metadata WHERE field = 'image' AND value = ? AND NOT disagrees ORDER BY article "
        "LIMIT 5"
    )
    file = image.rpartition("/")[2]
    return any(
        file in str(article.record["blocks"]) for article in database.read(f"a.number IN ({named})", (image,))
    )


def _is_given_by(database: BuildDatabase, rule: str) -> bool:
    """Say whether a rule of `metadata` or for a field of posts gave one document a value at least; or too few
    are there to say."""
    place, _, name = rule.rpartition(".")
    kind = place.partition(".")[2]
    if kind:
        few, given = f"posts WHERE kind = '{kind}'", f"posts WHERE kind = '{kind}' AND {POST_FIELDS[name]}"
    else:
        few, given = (
            f"articles WHERE outcome IN {DOCUMENTED_IN_SQL}",
            f"metadata WHERE field = '{name}' AND source = '{rule}'",
        )
    return (
        any(database.rows(f"SELECT 1 FROM {given} LIMIT 1"))
        or next(database.rows(f"SELECT count(*) < {_SOME} FROM {few}"))[0]
    )


def _portal_values(database: BuildDatabase) -> Iterator[str]:
    """Tell of each field what so many documents have that it may be the portal's, with the line of the portal
    file that leaves it out."""
    for field, rows in groupby(database.rows(_PORTAL_VALUES), key=itemgetter(0)):
        shared = [row for row in rows if field != "image" or not _is_shown(database, row[1])]
        if shared:
            syntax, _, name = shared[0][3].partition(":")
            place = f"meta: {name if syntax == 'meta' else field}"
            rule = (
                f"metadata: {{{field}: {{{place}, drop: "
                f"[{', '.join(quoted(value) for _, value, *_ in shared)}]}}}}"
            )
            listed = ", ".join(
                f"{value} ({amount(articles_with_it, 'document')})"
                for _, value, articles_with_it, _ in shared
            )
            yield f"{field}: {listed}; `{rule}` leaves that out"
