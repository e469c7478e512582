"""Mend values of single articles by hand: what a person types becomes a line of corrections.yaml, which every
build heeds; what there is, and whether it holds."""

from __future__ import annotations

import getpass
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.building.article_builder import ArticleBuilder
from webarticlecurator.building.build_job import BuildTask
from webarticlecurator.building.corrected import (
    PortalCorrections,
    Reread,
    digest_of,
    in_clear,
    text_changes,
    values_of,
    with_selectors,
)
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.portal_words import noted_words
from webarticlecurator.config.corrections import (
    OPERATIONS,
    check_value,
    corrections_file,
    field_named,
    is_one_too_many,
    write_corrections,
)
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.yaml_edits import editable
from webarticlecurator.corpus.folder import Corpus, crawled_corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.stored_articles import StoredArticle, StoredArticles
from webarticlecurator.databases import Row
from webarticlecurator.dates import Clock, read_moment
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.metadata.sources import language_tag
from webarticlecurator.model.article import Article
from webarticlecurator.model.metadata import Correction
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.stages.build import builder_of
from webarticlecurator.stages.named_article import source_of, what_is_stored
from webarticlecurator.storage.places import legible
from webarticlecurator.text import squeeze
from webarticlecurator.urls import join
from webarticlecurator.warc.exchanges import CaptureReader
from webarticlecurator.warc.store import utc_now

APPLIED, NEEDLESS, CHANGED = "applied", "needless", "changed"
GONE, WAITING = "gone", "waiting"
"""The states of a correction: it holds; the rules give the value by themselves; they give another one than
was mended; its article is not there; no build has heeded it yet."""
STATES = {
    APPLIED: "applied",
    NEEDLESS: "not needed any more, the rules give it",
    CHANGED: "NOT applied",
    GONE: "NOT applied",
    WAITING: "waits for a build",
}
"""The words for the states of corrections."""
_CHANGE = linear_at(r"(?s)([A-Za-z_]+)(\+=|-=|=)(.*)")
_PARTIAL_DATE = linear_at(r"\d{4}(-\d\d)?")


class Change(NamedTuple):
    """A change of a field, as a person types it: `author+=Kovács Anna`."""

    field: str
    sign: str
    value: str

    @classmethod
    def parse(cls, written: str) -> Change:
        """Read one. Raises UsageError."""
        parts = _CHANGE.fullmatch(written)
        if parts is None:
            raise UsageError(
                f"{written!r} is no change; write FIELD=VALUE, FIELD+=VALUE, FIELD-=VALUE, or FIELD= (none), "
                "such as title='The bridge is open'."
            )
        return cls(field_named(parts[1]), parts[2], parts[3].strip())


def fix(
    portal: Portal,
    address: str,
    changes: Sequence[str],
    *,
    corpus: Path | None = None,
    by: str | None = None,
    because: str = "",
    forget: Sequence[str] = (),
    now: Callable[[], datetime] = utc_now,
) -> list[Correction]:
    """Mend values of one article, and take back those of the fields in `forget`; gives what holds now for the
    article. Raises UsageError, and then nothing is written, and CorpusBusy."""
    folder, typed = crawled_corpus(portal, corpus), list(map(Change.parse, changes))
    with locked(folder.folder / "fix.lock", "fix"):
        file = corrections_file(editable(portal.sources[0].path))
        known, forgotten = PortalCorrections.of(portal), set(map(field_named, forget))
        own = {each.field: each for each in known.named(address, portal)}
        mended: dict[str, Correction] = {}
        if typed:
            about = {"by": legible(by or _whoever()), "because": legible(because)}
            with _article_of(portal, folder, address) as (source, article, reread):
                own |= {each.field: each for each in known.of_article(source)}
                mending = _Mending(portal, article, reread, now())
                for name in dict.fromkeys(change.field for change in typed):
                    of_field = [change for change in typed if change.field == name]
                    before, after = mending.values(name, of_field, own.get(name))
                    when = now().isoformat(timespec="seconds")
                    mended[name] = Correction(
                        article=source.url, field=name, before=before, after=after, when=when, **about
                    )
        for name in sorted(forgotten - own.keys()):
            raise UsageError(f"{name} of {address} is not mended: there is nothing to take back.")
        kept = {name: each for name, each in own.items() if name not in forgotten} | mended
        write_corrections(file, _in_place(known.all, list(own.values()), list(kept.values())))
        return list(kept.values())


def _in_place(
    known: Sequence[Correction], before: Sequence[Correction], own: Sequence[Correction]
) -> list[Correction]:
    """Return all corrections in the order of the file: those of the article stand where they stood
    before."""
    kept = {correction.field: correction for correction in own}
    wanted: list[Correction] = []
    for correction in known:
        if correction not in before:
            wanted.append(correction)
        elif correction.field in kept:
            wanted.append(kept.pop(correction.field))
    return [*wanted, *kept.values()]


def _whoever() -> str:
    """Return the name of whoever types, as git knows it, else that of the account."""
    if shutil.which("git"):
        told = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, check=False)
        if told.stdout.strip():
            return told.stdout.strip()
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        raise UsageError(
            "Nobody is named who mends it: neither git (user.name) nor this account has a name.", advice="by"
        ) from None


@contextmanager
def _article_of(
    portal: Portal, folder: Corpus, address: str
) -> Iterator[tuple[StoredArticle, Article, Reread]]:
    """Give an article as the rules alone have it. Raises UsageError where nothing is stored under an address,
    or it has no document."""
    job = builder_of(portal, folder).job
    with what_is_stored(portal, folder) as (database, sources), CaptureReader(folder.warc) as captures:
        source = source_of(portal, address, database, sources)
        job = replace(job, portal_words=noted_words(database))
        task = BuildTask(source, database.known(source.id))
        article, reread = ArticleBuilder(job).as_by_rules(task, captures)
        if article.outcome not in DOCUMENTED:
            why = ": ".join(filter(None, (article.outcome, article.reason)))
            raise UsageError(f"{address} has no document whose values could be mended ({why}).")
        yield source, article, reread


class _Mending:
    """Makes corrections of the changes that a person typed, by what the rules give."""

    def __init__(self, portal: Portal, article: Article, reread: Reread, now: datetime) -> None:
        self._portal, self._article, self._reread = portal, article, reread
        self._clock = Clock(portal.timezone, portal.language, now)

    def values(
        self, name: str, changes: Sequence[Change], known: Correction | None
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what the rules give for a field, and what is right; `known`: how it was mended before.
        Raises UsageError."""
        if name in OPERATIONS:
            return self._selectors(name, changes, known)
        before = values_of(self._article.metadata.get(name, ()))
        known = in_clear(known, before) if known is not None else None
        after = list(known.after if known is not None and known.before == before else before)
        if any(change.sign == "=" for change in changes):
            after = []
        for change in changes:
            self._change(after, change)
        if is_one_too_many(name, before, after):
            raise UsageError(f"{name} has one value, and these are {len(after)}: {', '.join(after)}.")
        if tuple(after) == before:
            raise UsageError(f"The rules give {_told(before)} for {name} already: nothing is to be mended.")
        return before, tuple(after)

    def _change(self, after: list[str], change: Change) -> None:
        """Change values as one change wants it. Raises UsageError."""
        if change.sign == "-=":
            unknown = f"{change.field} has no value {change.value!r}"
            if change.value not in after:
                raise UsageError(f"{unknown}; it has {_told(after)}.")
            after.remove(change.value)
        elif change.value:
            value = self._value(change.field, change.value)
            if value in after:
                raise UsageError(f"{change.field} has {value!r} already.")
            after.append(value)

    def _value(self, name: str, written: str) -> str:
        """Return a value as documents have it: dates as the program reads dates everywhere. Raises
        UsageError."""
        read = self._read(FIELDS[name].holds, written)
        try:
            check_value(name, read or written)
        except ValueError as error:
            raise UsageError(f"{name}: {error}.") from None
        return legible(read or written)

    def _read(self, holds: Holds, written: str) -> str | None:
        """Return what a text says, None if that cannot be read."""
        readers: dict[Holds, Callable[[str], str | None]] = {
            Holds.DATE: self._day,
            Holds.URL: partial(join, self._article.url),
            Holds.LANGUAGE: language_tag,
            Holds.YES_NO: _yes_or_no,
            Holds.TEXT: squeeze,
        }
        return readers.get(holds, str)(written)

    def _day(self, written: str) -> str | None:
        """Return a day or moment; a year or month alone stays what it is."""
        return written if _PARTIAL_DATE.fullmatch(written) else read_moment(written, self._clock)

    def _selectors(
        self, name: str, changes: Sequence[Change], known: Correction | None
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what selectors change in the text, and the selectors. Raises UsageError where they change
        nothing."""
        after = [] if known is None else list(known.after)
        for change in changes:
            if change.sign != "=" or not change.value:
                raise UsageError(
                    f"Of {name} selectors are added, one after the other, or all are taken back.",
                    advice="selectors",
                )
            try:
                check_value(name, change.value)
            except ValueError as error:
                raise UsageError(f"{name}: {error}.") from None
            if not self._changed(name, [change.value]):
                raise UsageError(
                    f"{name}: {change.value} changes nothing in the text of this article.", advice="try"
                )
            after.append(legible(change.value))
        selectors = tuple(dict.fromkeys(after))
        return self._changed(name, selectors), selectors

    def _changed(self, name: str, selectors: Sequence[str]) -> tuple[str, ...]:
        """Return the lines of the text that selectors change."""
        correction = Correction(article=self._article.url, field=name, after=tuple(selectors))
        trial = with_selectors(self._article, [correction], self._portal, self._reread)
        return text_changes(self._article, trial)


def _yes_or_no(written: str) -> str:
    return {"yes": "true", "no": "false"}.get(written.lower(), written.lower())


def _told(values: Sequence[str]) -> str:
    return ", ".join(map(repr, values)) or "nothing"


# --- what there is ---


def corrections_with_states(
    portal: Portal, *, corpus: Path | None = None, article: str | None = None
) -> list[Row]:
    """Return all corrections of a portal, or those of one article, each with its `state` by the last build
    and with `why` it is not applied."""
    known, folder = PortalCorrections.of(portal), crawled_corpus(portal, corpus)
    chosen = known.all if article is None else known.named(article, portal)
    if not chosen:  # a large corpus is not opened in vain
        return []
    with what_is_stored(portal, folder) as (database, sources):
        return [
            Row({**asdict(correction), **_state(correction, known, portal, database, sources)})
            for correction in chosen
        ]


def _state(
    correction: Correction,
    known: PortalCorrections,
    portal: Portal,
    database: BuildDatabase,
    sources: StoredArticles,
) -> dict[str, str]:
    """Return the state of a correction, and why it is not applied."""
    try:
        source = source_of(portal, correction.article, database, sources)
    except UsageError:
        return {"state": GONE, "why": "nothing is stored of this article"}
    row, built = database.known(source.id), database.by_id(source.id)
    if row is None or row.corrections != digest_of(known.of_article(source)):
        return {"state": WAITING, "why": ""}
    doubts = [told for told in row.unapplied if told.startswith(f"{correction.field}: ")]
    if doubts:
        return {"state": CHANGED, "why": doubts[0].removeprefix(f"{correction.field}: ")}
    applied = built.record.get("corrections", ()) if built is not None else ()
    is_applied = any(told["field"] == correction.field for told in applied)
    return {"state": APPLIED if is_applied else NEEDLESS, "why": ""}
