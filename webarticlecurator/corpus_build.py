"""Joins the stages that follow a crawl: stored pages in, articles and their TEI documents out; or what that would change, counted."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from threading import Event as Flag
from typing import Any

from webarticlecurator import resources
from webarticlecurator.building.build_options import BuildOptions, BuildSummary, rules_digest
from webarticlecurator.building.builder import INTERRUPTED, Builder, BuildJob
from webarticlecurator.building.database import CONTAINER_DOUBTS, BuildDatabase, BuiltArticles
from webarticlecurator.building.portal_words import noted_words
from webarticlecurator.config.load import as_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, portal_and_corpus, write_whole
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.problems import known_drifts, write_problems
from webarticlecurator.corpus.seen_addresses import going_on
from webarticlecurator.databases import Row
from webarticlecurator.model.article import HOLDS, Article
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.progress import Progress, Work
from webarticlecurator.settings import day_of_making
from webarticlecurator.tei.document import SCHEMA, load_template
from webarticlecurator.text import squeeze
from webarticlecurator.urls import split
from webarticlecurator.warc.store import check_clock, utc_now
from webarticlecurator.workers.pool import Workers

_GLANCED = "glanced at"
"""Names in a build database the rules under which a build has looked whether they take what is the article."""

# What only reads is imported where that is done: a build with nothing to do is over in half the time.


def build(
    portal: Portal | Path | str,
    *,
    corpus: Path | str | None = None,
    options: BuildOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    now: Callable[[], datetime] = utc_now,
) -> BuildSummary:
    """Make the documents of a corpus out of its WARC files: what changed, unless the options ask for everything.

    >>> from webarticlecurator import Outcome, build
    >>> summary = build("portal.yaml")
    >>> summary.written == summary.outcomes[Outcome.ARTICLE]
    True
    """
    loaded = as_portal(portal)
    folder = crawled_corpus(loaded, corpus)
    with locked(folder.build_lock, "build"):
        builder = _builder(loaded, folder, options, progress, stop, now)
        with builder.pool:
            summary = builder.build()
            if summary.written:  # the documents say where the schema lies that they are valid by
                place, schema = folder.folder / SCHEMA, resources.schema(f"tei/{Path(SCHEMA).name}").read_bytes()
                if not place.exists() or place.read_bytes() != schema:
                    write_whole(place, schema)
            unwatched, rules = None, builder.job.rules
            if summary.articles - summary.unchanged + summary.removed and not summary.incomplete:
                from webarticlecurator.corpus_watch import watch_quietly

                unwatched = watch_quietly(loaded, folder, rules=rules, now=now())  # do the articles still look as they did?
            with BuiltArticles(folder.build_database) as built:
                are_new = built.noted(_GLANCED) != rules or 2 * (summary.written + summary.confirmed) > summary.articles
            # do the rules take what is the article? A build before this one may have been cut off
            if summary.articles and are_new and not summary.incomplete:
                from webarticlecurator.corpus_survey import glance

                glanced = dict(glance(loaded, folder.folder, builder.pool))
                with BuildDatabase(folder.build_database) as database:
                    database.note_doubts(CONTAINER_DOUBTS, glanced, builder.now)
                    database.note(_GLANCED, rules)
        with BuiltArticles(folder.build_database) as built:
            doubts = {**summary.doubts, **built.noted_doubts(CONTAINER_DOUBTS)}
        drifts = tuple(f"{drift.url}: {drift.reason}" for drift in known_drifts(folder).drifts)
        with Ledger.reading(folder.ledger, build=folder.build_database) as ledger:
            return replace(
                summary,
                doubts=doubts,
                problems=write_problems(ledger, folder, loaded),
                drifts=drifts,
                unwatched=unwatched,
                going_on=summary.going_on or going_on(loaded, ledger),  # what the last crawl has found, too
            )


def compare_build(
    portal: Portal,
    *,
    corpus: Path | None = None,
    options: BuildOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Row:
    """What `build` would change, with nothing changed.

    Documents that would be `new`, `changed` or `gone`; `same_words`: those of the changed ones whose text neither gains nor loses a word.
    Words are those of articles and posts; what the header says are none.
    """
    builder = _builder(portal, crawled_corpus(portal, corpus), options, progress, stop, utc_now)
    builder.job, earlier = replace(builder.job, only_compare=True), builder.job.corpus.build_database
    numbers = Counter(new=0, changed=0, same_words=0, gone=0, words_gained=0, words_lost=0)
    fields: dict[str, Counter[str]] = {}
    outcomes: Counter[str] = Counter()
    # Each with its rank, and its line of JSON now and then:
    largest: list[tuple[Any, Row, Record, Record]] = []
    with (
        BuildDatabase("") as index_pages,  # a temporary file
        builder.pool,
        closing(builder.sources(index_pages)) as sources,
        BuildDatabase(earlier, read_only=True) if earlier.exists() else BuildDatabase(":memory:") as database,
    ):
        builder.check(sources, database)
        builder.job = replace(builder.job, portal_words=noted_words(database))
        for result in chain.from_iterable(builder.batches(builder.tasks(sources, database))):
            row, known = result.row, database.known(result.row.id)
            if known is not None and known.outcome != row.outcome:
                outcomes[f"{known.outcome.value} -> {row.outcome.value}"] += 1
            if not result.written:
                continue
            built = database.by_id(row.id)
            old, new = built.record if built is not None else {}, result.contents.record() if result.contents is not None else {}
            before, after = _words(old), _words(new)
            gained, lost = (after - before).total(), (before - after).total()
            is_new = known is None or known.path is None
            was, becomes = (_values(old), _values(new)) if not (is_new or result.removed) else ({}, {})
            changed_fields = [name for name in was.keys() | becomes.keys() if was.get(name) != becomes.get(name)]
            for name in changed_fields:
                what = "gained" if name not in was else "lost" if name not in becomes else "changed"
                fields.setdefault(name, Counter(gained=0, lost=0, changed=0))[what] += 1
            numbers["new" if is_new else "gone" if result.removed else "changed"] += 1
            numbers["same_words"] += not (is_new or result.removed or gained or lost)
            numbers["words_gained"] += gained
            numbers["words_lost"] += lost
            change = Row(id=row.id, url=row.url, path=known.path if known is not None else None, gained=gained, lost=lost)
            # New documents come last. Of equals the path decides: an id hangs on the port of the portal, too.
            rank = -(0 if is_new else gained + lost), not changed_fields, -(gained + lost), split(row.url).path, row.id
            largest = sorted([*largest, (rank, change, old, new)], key=itemgetter(0))[:10]
    # Of others only the markup changes, or the pages that they were made of.
    telling = [changed for changed in largest if changed[0][:3] != (0, True, 0)] or largest
    return Row(
        portal=builder.job.portal.name,
        articles=builder.counts["done"],
        **numbers,
        fields={name: dict(changes) for name, changes in sorted(fields.items())},
        outcomes=dict(outcomes.most_common()),
        largest=[Row(change, diff=difference(old, new)) for _, change, old, new in telling],
        incomplete=INTERRUPTED if builder.work.stopped else None,
    )


def read_corpus(portal: Portal | Path | str, *, corpus: Path | str | None = None) -> Iterator[Article]:
    """Every article of a corpus, read out of its WARC files by the portal's rules, in the order in which they lie there.

    `portal` may also be a portal file, the name of a portal that came with curator, or the folder of a corpus: then the rules are those
    of the last crawl.

    >>> from webarticlecurator import read_corpus
    >>> sections = {article.section for article in read_corpus("corpora/kilenchid")}
    """
    from webarticlecurator.building.article_builder import read_source
    from webarticlecurator.building.index_pages import IndexPages
    from webarticlecurator.warc.exchanges import CaptureReader

    loaded, folder = portal_and_corpus(portal, corpus)
    builder = _builder(loaded, folder, None, None, None, utc_now)
    with (
        BuildDatabase("") as index_pages,  # a temporary file
        builder.pool,
        closing(builder.sources(index_pages)) as sources,
        CaptureReader(folder.warc) as captures,
    ):
        pages = IndexPages(folder.warc, loaded)
        for source in (source for source in sources if source.left_out is None):
            article = read_source(source, captures, loaded, pages)
            if article.outcome is PageOutcome.ARTICLE:
                yield article


def _builder(
    portal: Portal, folder: Corpus, options: BuildOptions | None, progress: Progress | None, stop: Flag | None, now: Callable[[], datetime]
) -> Builder:
    check_clock(now())
    options, work = options or BuildOptions(), Work(portal.name, "build", progress, stop)
    with Ledger.reading(folder.ledger):
        template = load_template(options.template)
    rules, day = rules_digest(portal, template.digest), day_of_making(now())
    return Builder(
        job=BuildJob(corpus=Corpus(folder.folder.absolute()), portal=portal, template=template, day=day, rules=rules),
        options=options,
        now=now().isoformat(timespec="seconds"),
        work=work,
        workers=Workers.asked_for(options.jobs, options.cluster).telling(work),
    )


_MOST_LINES = 40
_MOST_COMPARED = 3_000
"""Lines that are set against each other: the time for it grows with their square."""
Record = Mapping[str, Any]


def _values(record: Record) -> dict[str, list[str]]:
    """Field -> its values: metadata, how many posts and comments there are, and what these say of themselves."""
    values = {name: [value["value"] for value in of_field] for name, of_field in record.get("metadata", {}).items()}
    posts = [*(block for block in record.get("blocks", ()) if "kind" in block), *record.get("comments", ())]
    values |= {"posts": [str(len(posts))]} if posts else {}
    of_posts = ((name, [post[name] for post in posts if post.get(name)]) for name in ("who", "when", "title"))
    return values | {f"posts.{name}": said for name, said in of_posts if said}


def difference(old: Record, new: Record) -> list[str]:
    """What changes, in lines that a person can read: of the text, of what the metadata say, of the captures."""
    was, becomes = ([*islice(_text_lines(record), _MOST_COMPARED), *islice(_lines_beside(record), _MOST_COMPARED)] for record in (old, new))
    changed = [line[:400] for line in difflib.unified_diff(was, becomes, lineterm="", n=1)][2:]
    more = len(changed) - _MOST_LINES
    return [*changed[:_MOST_LINES], f"... and {more:,} more lines"] if more > 0 else changed or ["only the markup"]


def _lines_beside(record: Record) -> Iterator[str]:
    for name, values in _values(record).items():
        yield from (f"{name}: {squeeze(value)}" for value in values)
    for capture in record.get("captures", ()):
        yield f"capture: {capture['record_id']} in {capture['file']}, {capture['date']}"


def _text_lines(record: Record) -> Iterator[str]:
    """The blocks of the article, its posts and its comments."""
    waiting = [*record.get("comments", ())[::-1], *record.get("blocks", ())[::-1]]
    while waiting:
        block = waiting.pop()
        if any(child["type"] in HOLDS for child in block["children"]):
            waiting.extend(reversed(block["children"]))
        elif text := squeeze(block["text"]):
            yield f"{block['type']}: {text}"


def _words(record: Record) -> Counter[str]:
    """How often each word is there; the name at the begin of a line is none."""
    return Counter(word for line in _text_lines(record) for word in line.partition(": ")[2].split())
