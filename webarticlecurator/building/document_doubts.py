"""Documents that say what can hardly be true. Each question is one query over the build, whose rows are the
documents to look at."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import starmap
from typing import NamedTuple

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_sample import sampled, shown
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import DAY
from webarticlecurator.extraction.metadata.names import NO_NAMES
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import folded, word_count

_FEWEST = 50
"""Documents that a portal's own way can be seen by."""
_MOST_LISTED = 1_000
"""Documents that are listed for one question."""
_ALIKE = 5
"""Documents with one headline, or one sentence, that are no chance."""
_SHARE_ALIKE = 0.01
"""The least share of the documents that were looked at."""
_LOOKED_AT = 1_000
"""Documents whose sentences are compared."""
_LONG = 6
"""Words of a sentence that two authors do not write alike."""
_COMPANIES = 10
"""Documents by several authors of whom one may be no author."""
_SHARE_OF_COMPANIES = 0.5
"""The share of the documents by several authors that one name is beside others in."""
_LEADS = 10
"""Documents with a text at one place above the body that are no chance."""
_SHARE_OF_LEADS = 0.01
"""The least share of all documents."""
_SHARE_ALONE = 0.9
"""The share of the texts at one place that stand on one page alone: those of a site stand on many."""
_SENTENCE_END = linear(r"(?<=[.!?…])\s+")

_DOCUMENTS = "SELECT number, url, headline, published, captured FROM articles WHERE path IS NOT NULL"
_TIMES_OF_AUTHORS = "SELECT author, count(*) FROM authors GROUP BY author"
_OF_SEVERAL = "SELECT article FROM authors GROUP BY article HAVING count(*) > 1"
_ABOVE = f"""
    WITH texts AS (
        SELECT number, url, layout, value AS text, substr(value, 1, instr(value, ': ')) AS place
        FROM articles, json_each(articles.above) WHERE articles.path IS NOT NULL
    ), alone AS (SELECT text FROM texts GROUP BY text HAVING count(DISTINCT number) = 1),
    places AS (
        SELECT layout, place FROM texts GROUP BY layout, place
        HAVING count(*) >= {_LEADS} AND count(*) >= {_SHARE_OF_LEADS} * (SELECT count(path) FROM articles)
            AND sum(text IN alone) >= {_SHARE_ALONE} * count(*)
    )
    SELECT url, text FROM texts JOIN places USING (place)
    WHERE texts.layout IS places.layout AND text IN alone ORDER BY number
"""
_MINUTE = 1 / (24 * 60)
"""In days, as SQLite counts time."""


class Doubtful(NamedTuple):
    """A document to look at, and the value that speaks against it."""

    url: str
    value: str


class Build(NamedTuple):
    """A portal's documents, and what its file says of it."""

    database: BuildDatabase
    portal: Portal


class Question(NamedTuple):
    """One thing that can hardly be true of a document."""

    reason: str
    """The reason as it is told of one document, before the value."""
    of_several: str
    """The reason as it is told of several documents, behind their number."""
    documents: Callable[[Build], Iterator[Doubtful]]
    to_ask: str = ""
    """What to ask when one of them is looked at, or to do."""


class DocumentDoubt(NamedTuple):
    """The documents of which one thing can hardly be true."""

    sentence: str
    reason: str
    documents: list[Doubtful]


_LEAD_LEFT_OUT = "a text above the body that no other page has"
_NAMED = linear(r"\A(?:(\w+[.#][\w.#-]+) above (\w+[.#][\w.#-]+): )?")
"""The places of a lead and a body, by names that stand for them."""
_BY_NAMES = " by their names"
"""Stands behind the reason of what such a rule ends."""
_WITHOUT_AUTHOR = "metadata: {{author: {{drop: [{whole}]}}}}"
_RULES = {
    "signed by the outlet": _WITHOUT_AUTHOR,
    "signed by a word that is no name": _WITHOUT_AUTHOR,
    "an author that most others have beside theirs": _WITHOUT_AUTHOR,
    "a headline of several documents": "metadata: {{headline: {{drop: [{whole}]}}}}",
    f"{_LEAD_LEFT_OUT}{_BY_NAMES}": "body: {{root: {{all_of: [{lead}, {body}]}}}}",
    "a sentence of several documents": "body: {{tags: {{decompose: [{paragraph}]}}}}",
}
"""Rules that end what is doubtful, by its reason."""


def proposed_rule(told: str) -> str:
    """Return the rule that ends a doubt that is told of one document, as a line of a portal file; empty where
    only a person can say it."""
    reason, _, value = told.partition(": ")
    whole, paragraph = f"^{re.escape(value)}$", f"p:contains({json.dumps(value, ensure_ascii=False)})"
    lead, body = _NAMED.findall(value)[0]
    rule = _RULES.get(f"{reason}{_BY_NAMES * bool(lead)}", "")
    parts = {"whole": whole, "paragraph": paragraph, "lead": lead, "body": body}
    return rule.format(**dict(zip(parts, map(_as_yaml, parts.values()), strict=True)))


def _as_yaml(text: str) -> str:
    quoted = text.replace("'", "''")
    return f"'{quoted}'"


def document_doubts(database: BuildDatabase, portal: Portal) -> Iterator[DocumentDoubt]:
    """Give each doubt that at least one document raises, where there are enough to compare them."""
    if database.count() < _FEWEST:
        return
    for question in QUESTIONS:
        documents = list(question.documents(Build(database, portal)))
        if documents:
            number = amount(len(documents), "document")
            example = f", such as {shown(documents[0].value)}" if documents[0].value else ""
            to_ask = f": {question.to_ask}" * bool(question.to_ask)
            told = f"{number} {question.of_several}{example}{to_ask}"
            yield DocumentDoubt(told, question.reason, documents[:_MOST_LISTED])


def _dated_later(build: Build) -> Iterator[Doubtful]:
    """Give documents that were published after their newest capture; a day without time may be that of
    another zone."""
    days = f"CASE WHEN length(published) > {DAY} THEN {10 * _MINUTE} ELSE 1 END"
    later = (
        f"SELECT url, published FROM ({_DOCUMENTS}) WHERE julianday(published) > julianday(captured) + {days}"
    )
    yield from map(Doubtful._make, build.database.rows(later))


def _dated_now(build: Build) -> Iterator[Doubtful]:
    """Give documents that were published in the very minute of their capture, as a clock in the page would
    say."""
    near = f"abs(julianday(published) - julianday(captured)) < {_MINUTE}"
    yield from map(
        Doubtful._make,
        build.database.rows(
            f"SELECT url, published FROM ({_DOCUMENTS}) WHERE length(published) > {DAY} AND {near}"
        ),
    )


def _without_headline(build: Build) -> Iterator[Doubtful]:
    """Give documents without a headline, where most have one: there are blogs that write none."""
    (documents, with_headline), *_ = build.database.rows(
        f"SELECT count(*), count(headline) FROM ({_DOCUMENTS})"
    )
    if 2 * with_headline > documents:
        yield from map(
            Doubtful._make, build.database.rows(f"SELECT url, '' FROM ({_DOCUMENTS}) WHERE headline IS NULL")
        )


def _same_headline(build: Build) -> Iterator[Doubtful]:
    """Give documents of which so many have one headline that it may be the portal's."""
    headlines = (
        f"SELECT headline FROM ({_DOCUMENTS}) WHERE headline IS NOT NULL GROUP BY headline HAVING count(*) "
        f">= {_ALIKE}"
    )
    yield from map(
        Doubtful._make,
        build.database.rows(f"SELECT url, headline FROM ({_DOCUMENTS}) WHERE headline IN ({headlines})"),
    )


def _signed_by_outlet(build: Build) -> Iterator[Doubtful]:
    """Give documents whose author has the name of the outlet, where most are by persons."""
    outlets = {
        folded(name) for name in (build.portal.title, build.portal.publisher.name or build.portal.title)
    }
    times = dict(build.database.rows(_TIMES_OF_AUTHORS))
    of_outlet = [author for author in times if folded(author) in outlets]
    if 2 * sum(map(times.__getitem__, of_outlet)) < sum(times.values()):
        yield from _signed_by(build, of_outlet)


def _signed_by_label(build: Build) -> Iterator[Doubtful]:
    """Give documents whose author is a word that stands beside names, such as "Author"."""
    authors = (author for author, _ in build.database.rows(_TIMES_OF_AUTHORS))
    yield from _signed_by(build, [author for author in authors if folded(author) in NO_NAMES])


def _beside_all_others(build: Build) -> Iterator[Doubtful]:
    """Give documents with an author who is beside others nearly everywhere: who edits or photographs."""
    ((documents,),) = build.database.rows(f"SELECT count(*) FROM ({_OF_SEVERAL})")
    times = dict(
        build.database.rows(
            f"SELECT author, count(*) FROM authors WHERE article IN ({_OF_SEVERAL}) GROUP BY author"
        )
    )
    if documents >= _COMPANIES and len(times) > 2:
        often = [author for author, number in times.items() if number >= _SHARE_OF_COMPANIES * documents]
        yield from _signed_by(build, often, f"article IN ({_OF_SEVERAL})")


def _signed_by(build: Build, authors: Iterable[str], where: str = "1") -> Iterator[Doubtful]:
    """Give the documents of these authors that fulfil an SQL condition."""
    signed = (
        "SELECT url, author FROM authors JOIN articles ON number = article WHERE author = ? AND path IS NOT "
        f"NULL AND {where}"
    )
    for author in authors:
        yield from map(Doubtful._make, build.database.rows(signed, (author,)))


def _opened_by_another(build: Build) -> Iterator[Doubtful]:
    """Give threads whose first post is by somebody else than the page's own data say of the thread."""
    yield from map(
        Doubtful._make,
        build.database.rows(
            "SELECT url, posts.author FROM posts JOIN articles ON number = article WHERE kind = 'forum' AND "
            "path IS NOT NULL"
            " AND posts.author IS NOT NULL AND place = (SELECT min(place) FROM posts WHERE article = number "
            "AND kind = 'forum')"
            " AND EXISTS (SELECT 1 FROM metadata WHERE article = number AND field = 'author')"
            " AND NOT EXISTS (SELECT 1 FROM metadata WHERE article = number AND field = 'author' AND value = "
            "posts.author)"
        ),
    )


def _flagged(begin: str, build: Build) -> Iterator[Doubtful]:
    """Give documents with a flag that begins so, and what it says behind its colon."""
    said = "substr(value, instr(value, ': ') + 2)"
    flagged = (
        f"SELECT url, {said} FROM articles, json_each(flags) WHERE articles.path IS NOT NULL AND value GLOB ?"
    )
    yield from map(Doubtful._make, build.database.rows(flagged, (begin,)))


def _lead_left_out(build: Build) -> Iterator[Doubtful]:
    """Give documents with a text between headline and body that is not read, at a place where hardly any text
    stands on two pages."""
    yield from map(Doubtful._make, build.database.rows(_ABOVE))


def _same_sentence(build: Build) -> Iterator[Doubtful]:
    """Give documents that end a paragraph with a sentence of many others, as what invites to read on does."""
    documents_of: defaultdict[str, list[str]] = defaultdict(list)
    looked_at = 0
    for article in sampled(build.database, _LOOKED_AT):
        looked_at += 1
        texts = (block["text"] for block in article.record["blocks"] if block["type"] == "paragraph")
        for sentence in dict.fromkeys(_SENTENCE_END.split(text)[-1] for text in texts):
            if word_count(sentence) >= _LONG:
                documents_of[sentence].append(article.url)
    sentence_of: dict[str, str] = {}
    for sentence, urls in documents_of.items():
        if len(urls) >= max(_ALIKE, _SHARE_ALIKE * looked_at):
            sentence_of |= dict.fromkeys(urls, sentence)
    yield from starmap(Doubtful, sentence_of.items())


QUESTIONS: tuple[Question, ...] = (
    Question(
        "dated after the capture", "dated after their capture", _dated_later, "is it the day of an event?"
    ),
    Question(
        "dated in the minute of the capture",
        "dated in the very minute of their capture",
        _dated_now,
        "is it a clock of the page?",
    ),
    Question("no headline", "without a headline, though most have one", _without_headline),
    Question(
        "a headline of several documents",
        "with a headline that others have, too",
        _same_headline,
        "is it the site's, or that of a wall?",
    ),
    Question(
        "signed by the outlet",
        "signed by the outlet, though most are by persons",
        _signed_by_outlet,
        "does the page name one?",
    ),
    Question("signed by a word that is no name", "signed by a word that is no name", _signed_by_label),
    Question(
        "an author that most others have beside theirs",
        "with an author that is beside most others",
        _beside_all_others,
        "is it somebody who edits or photographs?",
    ),
    Question(
        "the first post is by somebody else",
        "with a first post by somebody else than the page says",
        _opened_by_another,
        "is the first post left out?",
    ),
    Question(
        "in another language than its page says",
        "in another language than their pages say",
        partial(_flagged, "inLanguage is not that of the words:*"),
    ),
    Question(
        "a date that cannot be read beside one that can",
        "with a date that cannot be read, beside one that can",
        partial(_flagged, "date* is not read *:*"),
        "a rule with its pattern would read it",
    ),
    Question(
        _LEAD_LEFT_OUT,
        "with a text between headline and body that is left out and stands on no other page",
        _lead_left_out,
        "is it the lead? Then body.root has to name both",
    ),
    Question(
        "a sentence of several documents",
        "with a sentence that others have, too",
        _same_sentence,
        "is it the site that speaks?",
    ),
)
"""The questions to documents, in the order in which the answers are told."""
