"""How politely the corpus was collected, and what it was made with: requests, robots.txt, rights signals, rules, programs, files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.building.documents import DocumentStore
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus import ledger_numbers as numbers
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.statistics import OutcomeCount, Provenance, RequestDay, RulesVersion, Signal, WarcFile
from webarticlecurator.statistics.urls import KnownUrls
from webarticlecurator.statistics.warc_facts import WarcFacts, united
from webarticlecurator.version import NAME, VERSION
from webarticlecurator.warc.store import OPEN, sizes

_RULES = """
    SELECT coalesce(made_by, rules), rules = ?, count(*), min(path) FROM articles WHERE path IS NOT NULL
    GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2
"""
"""A document that a build found to be right is left as it is, so it names the rules that made it for ever."""
_MOST_SIGNALS = 60
_PROGRAM = re.compile(rb'<application\b[^>]*\bident="([^"]{1,100})"[^>]*\bversion="([^"]{1,100})"')
Show = Callable[[int, int], None]
"""Takes how many WARC files are read, of how many."""


def provenance(
    portal: Portal,
    corpus: Corpus,
    known: KnownUrls | None,
    built: BuiltArticles | None,
    outcomes: Iterable[OutcomeCount],
    rules_now: str,
    show: Show | None,
) -> tuple[Provenance, tuple[str, ...]]:
    """And what could not be read, in sentences. `show` is None where the WARC files are not to be read."""
    files: tuple[WarcFile, ...] = ()
    signals: tuple[Signal, ...] = ()
    faults: list[str] = []
    if known is not None:
        files, signals = _files(corpus, known, show, faults)
    return (
        Provenance(
            requests=tuple(_requests(known)) if known is not None else (),
            robots=tuple(one for one in outcomes if one.outcome == "robots"),
            robots_policy=portal.fetch.robots,
            signals=signals[:_MOST_SIGNALS],
            signals_distinct=len(signals),
            rules=tuple(_rules(corpus, built, rules_now)) if built is not None else (),
            program=f"{NAME} {VERSION}",
            warc_files=files,
        ),
        tuple(faults),
    )


def _requests(known: KnownUrls) -> Iterator[RequestDay]:
    for day, host, requests, failed in numbers.requests_by_day(known.ledger):
        yield RequestDay(day=day, host=host, requests=requests, failed=failed)


def _files(corpus: Corpus, known: KnownUrls, show: Show | None, faults: list[str]) -> tuple[tuple[WarcFile, ...], tuple[Signal, ...]]:
    counted = {name: told for name, *told in numbers.responses_by_file(known.ledger)}
    there, listed = sizes(corpus.warc), {path.name for path in corpus.warc_files()}
    names = sorted(counted.keys() | {name.removesuffix(OPEN) for name in listed})
    files: list[WarcFile] = []
    signals: list[Signal] = []
    with closing(WarcFacts(corpus)) as reader:
        for number, name in enumerate(names, 1):
            exchanges, first, last = counted.get(name, (0, None, None))
            sha256 = software = None
            if show is not None:
                try:
                    facts = reader.of(name, lambda name=name: numbers.articles_in_file(known.ledger, name))  # type: ignore[misc]
                    sha256, software = facts.sha256, facts.software
                    signals += facts.signals
                except (OSError, CorpusError) as error:
                    faults.append(f"{name}: {error}")
                show(number, len(names))
            files.append(
                WarcFile(
                    file=name,
                    bytes=there.get(name, 0),
                    open=name + OPEN in listed,
                    sha256=sha256,
                    exchanges=exchanges,
                    first=first,
                    last=last,
                    software=software,
                )
            )
    return tuple(files), united(signals)


def _rules(corpus: Corpus, built: BuiltArticles, now: str) -> Iterator[RulesVersion]:
    with closing(DocumentStore(corpus.folder)) as documents:
        for digest, current, articles, path in built.rows(_RULES, (now,)):
            found = _PROGRAM.search(documents.read(path) or b"")
            program = b" ".join(found.groups()).decode("utf-8", "replace") if found else None
            yield RulesVersion(digest=digest, program=program, articles=articles, current=bool(current))
