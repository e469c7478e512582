"""Tell what a build has: its counts, what speaks against it, and rules of the portal file that give nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from webarticlecurator.building.build_options import BuildSummary
from webarticlecurator.building.database import POST_FIELDS, RULE_DOUBTS, BuildDatabase
from webarticlecurator.building.portal_words import noted_words
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus


def summary_of(database: BuildDatabase, portal: Portal) -> BuildSummary:
    """Return all that a build knows of what it has; what the run itself did is not in it."""
    counted, next_page = database.summary(), portal.articles.next_in_words
    counted["failures"] += tuple(database.lacking_pages(next_page))
    counted["portal_values"] += tuple(map(str, noted_words(database)))
    counted["lacking"] = {field: number for field, number in counted["lacking"].items() if not _may_lack(portal.metadata.get(field))}
    rules = chain(_rules_for_metadata(database, portal), _rules_for_posts(portal))
    return BuildSummary(
        portal=portal.name,
        fruitless=tuple(rule for rule in rules if not database.is_given_by(rule)),
        doubts=database.noted_doubts(RULE_DOUBTS) | database.noted_document_doubts(),
        going_on=database.going_on(next_page),
        **counted,
    )


def note_doubts(database: BuildDatabase, corpus: Corpus, portal: Portal, now: str) -> None:
    """Ask what speaks against the rules of the portal file, the corpus and single documents, and keep the answers."""
    # imported here: a build with nothing to do needs none of it
    from webarticlecurator.building.corpus_doubts import corpus_doubts
    from webarticlecurator.building.document_doubts import document_doubts
    from webarticlecurator.building.rule_doubts import rule_doubts
    from webarticlecurator.building.said_in_lists import headline_doubts

    sources = {*_rules_for_metadata(database, portal), *_rules_for_lists(portal)}
    told = chain(rule_doubts(database, portal, sources), corpus_doubts(database, portal), headline_doubts(database, corpus, portal))
    database.note_doubts(RULE_DOUBTS, dict(told), now)
    database.note_document_doubts(document_doubts(database, portal), now)


def _may_lack(rule: Picks | None) -> bool:
    """Say whether a rule gives some articles nothing on purpose."""
    return rule is not None and rule.drops("")


def _rules_for_metadata(database: BuildDatabase, portal: Portal) -> list[str]:
    """Return the fields that the portal file itself has rules for, as their values name them as source."""
    used = {layout for (layout,) in database.rows("SELECT DISTINCT layout FROM articles")}
    of_layouts = (layout.metadata for layout in portal.layouts if layout.name in used)
    rules = chain.from_iterable(rules.items() for rules in (portal.metadata, *of_layouts))
    return list(dict.fromkeys(f"metadata.{name}" for name, rule in rules if _stands_in_file(portal, rule, if_it_only_drops=False)))


def _rules_for_posts(portal: Portal) -> Iterator[str]:
    """Give the rules for posts that the portal file itself has."""
    for kind, posts in portal.posts.items():
        rules: Mapping[str, Picks | None] = {name: getattr(posts, name) for name in POST_FIELDS}
        yield from (f"posts.{kind}.{name}" for name, rule in rules.items() if _stands_in_file(portal, rule))


def _rules_for_lists(portal: Portal) -> Iterator[str]:
    """Give the fields that the portal file itself takes from lists, as their values name them as source."""
    for column in portal.columns:
        yield from (f"listing:{name}" for name, rule in column.fields.items() if _stands_in_file(portal, rule))


def _stands_in_file(portal: Portal, rule: Picks | None, *, if_it_only_drops: bool = True) -> bool:
    """Say whether a rule, or an alternative of it, stands in the portal file itself and not in what that extends."""
    picks = rule.each() if rule is not None else ()
    in_file = [pick for pick in picks if portal.has_itself(pick.place)]
    return any(if_it_only_drops or not pick.only_drops for pick in in_file)
