"""Stored pages of the archive that say of articles something else than their documents: a server may give
another page than the one asked for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_sample import PAGES, Doubt
from webarticlecurator.config.portal import Portal, rules_of
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.model.capture import Request
from webarticlecurator.model.page import Page
from webarticlecurator.program_faults import reason_of
from webarticlecurator.text import folded
from webarticlecurator.warc.exchanges import CaptureReader

_PAGES = 12
"""Of the archive, that are read once more at each kind of place: those that led to documents of one headline,
the newest, any."""
_FEWEST, _FEWEST_COMPARED = 3, 20
_SAME, _OTHER, _NEARLY_ALL = 0.6, 0.25, 0.8
"""Share of a headline that a list has, too, and that it may have by chance; and of the headlines of which it
has most."""
_LETTERS = 4
"""That by chance stand in two texts only now and then, in a script with words or without."""
_WITH_DOCUMENT = "SELECT key FROM articles WHERE path IS NOT NULL"
_WHICH = (
    f"{_WITH_DOCUMENT} AND headline IN (SELECT headline FROM articles WHERE path IS NOT NULL GROUP BY 1 "
    "HAVING count(*) > 1) LIMIT 200",
    f"{_WITH_DOCUMENT} ORDER BY number DESC LIMIT 200",
    f"{_WITH_DOCUMENT} AND number % max(1, (SELECT max(number) FROM articles) / 50) = 0",
)
_BUILT = (
    "SELECT identity, url, headline FROM articles WHERE path IS NOT NULL AND key IN (SELECT value FROM "
    "json_each(?))"
)
_LED_THERE = """
    SELECT via FROM urls WHERE via IS NOT NULL AND identity_key IN (SELECT value FROM json_each(?))
    GROUP BY via ORDER BY max(id) DESC LIMIT ?
"""
_OF_ANOTHER = """
    SELECT count(*), first_urls(a.url), min(a.url), b.url FROM articles b JOIN articles a ON a.canonical = b.url AND a.number != b.number
    WHERE a.path IS NOT NULL AND b.path IS NOT NULL
"""


class _Compared(NamedTuple):
    """The headline of a document beside what a list says of it."""

    share: float
    """The share of the headline that the list has, too."""
    headline: str
    listed: str


def headline_doubts(database: BuildDatabase, corpus: Corpus, portal: Portal) -> Iterator[Doubt]:
    """Tell that some headlines have nothing in common with what a list says of these articles, though nearly
    all others have; else that some pages name the address of another article as theirs."""
    told = next(chain.from_iterable(map(_other_headlines, _compared(database, corpus, portal))), None)
    yield from (told,) if told is not None else _addresses_of_others(database)


def _compared(database: BuildDatabase, corpus: Corpus, portal: Portal) -> Collection[Mapping[str, _Compared]]:
    """Return the headlines of the articles that each column lists beside what it says of them, by address."""
    by_column = defaultdict[str, dict[str, _Compared]](dict)
    texts = list(_said(database, corpus, portal))
    articles_called = Counter(said for _, said in {text[1:] for text in texts})
    identities = {url: identity_of(url, portal) for _, url, _ in texts}
    keys = orjson.dumps(list(map(key_of, identities.values()))).decode()
    built = {identity: (url, headline) for identity, url, headline in database.rows(_BUILT, (keys,))}
    for column, url, said in texts:
        asked, headline = built.get(identities[url], ("", ""))
        if headline and articles_called[said] == 1:  # "Read more" says nothing of an article
            compared = _Compared(_share_of(headline, said), headline, said)
            by_column[column][asked] = max(compared, by_column[column].get(asked, compared))
    return by_column.values()


def _share_of(headline: str, text: str) -> float:
    """Return which share of a headline a text has, too, by every few letters that stand together."""
    whole, other = folded(headline), folded(text)
    parts = {whole[at : at + _LETTERS] for at in range(max(1, len(whole) - _LETTERS + 1))}
    return sum(part in other for part in parts) / len(parts)


def _other_headlines(of_column: Mapping[str, _Compared]) -> Iterator[Doubt]:
    """Tell that some documents have another headline than the list of their column gives, where it gives that
    of most."""
    odd = [(url, compared) for url, compared in of_column.items() if compared.share <= _OTHER]
    if len(odd) < _FEWEST or len(of_column) < _FEWEST_COMPARED:
        return
    agree = sum(compared.share >= _SAME for compared in of_column.values())
    # where lists have titles of their own, many have something in common with the headline, and not most of
    # it
    if agree < _NEARLY_ALL * len(of_column) or len(of_column) - agree >= 2 * len(odd):
        return
    _, (_, headline, said) = odd[0]
    have = f"{amount(len(odd), 'document has', 'documents have')} another headline than the list gives"
    mend = "if another page than the article's came, a recheck asks again"
    yield (
        f"{have}, of {len(of_column):,} looked at, such as {headline[:80]!r} for "
        f"{' '.join(said.split())[:80]!r}; {mend}",
        [url for url, _ in odd[:PAGES]],
    )


def _addresses_of_others(database: BuildDatabase) -> Iterator[Doubt]:
    """Tell that some pages name the address of another article as theirs."""
    (documents, urls, _, named), *_ = database.rows(_OF_ANOTHER)
    if documents >= _FEWEST:
        name = (
            f"{amount(documents, 'document names', 'documents name')} the address of another document as "
            f"theirs, such as {named}"
        )
        mend = (
            "where two are one article, `articles.identity` makes them one; if another page came, a recheck "
            "asks again"
        )
        yield f"{name}; {mend}", orjson.loads(urls)


def _said(database: BuildDatabase, corpus: Corpus, portal: Portal) -> Iterator[tuple[str, str, str]]:
    """Give what the pages of the archive that led to some articles say of them, behind the name of the column
    and the address."""
    from webarticlecurator.extraction.archive_page import (
        said_of_articles,
    )  # a build with nothing to do is over sooner

    with Ledger.reading(corpus.ledger) as ledger, CaptureReader(corpus.warc) as captures:
        keys = (orjson.dumps([key for (key,) in database.rows(sql)]).decode() for sql in _WHICH)
        chosen = list(chain.from_iterable(ledger.rows(_LED_THERE, (some, _PAGES)) for some in keys))
        for url in dict.fromkeys(url for (url,) in chosen):
            column, stored = (
                rules_of(portal, ledger.column_of_page(url)),
                ledger.latest_response(Request(url=url).key),
            )
            if column is None or stored is None:
                continue
            try:
                capture = captures.read(stored.location)
                page = (
                    read_page(capture, encoding=portal.fetch.encoding, format=column.format)
                    if capture is not None
                    else None
                )
                said = said_of_articles(page, column, portal) if isinstance(page, Page) else {}
                yield from ((column.name, *each) for each in said.items())
            except Exception as error:  # a page may be anything, and one of them must never end a build
                reason_of(error)
