"""The corpus folder: what lies where in it, where a portal's corpus is looked for, and the portal file that it keeps itself."""

from __future__ import annotations

import os
import re
import shlex
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from webarticlecurator import resources, settings
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.working_copy import WorkingCopy, working_folder
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.storage.folders import folder_at
from webarticlecurator.storage.places import check_named, is_folder, is_url, url_of
from webarticlecurator.warc.records import read_records
from webarticlecurator.warc.store import Series, warc_files
from webarticlecurator.warc.stored import warc_fields

_NAMED = 3
"""Corpora that a message names at most."""


class Corpus:
    """The files of one portal's corpus: in a folder, or in an object store, with its databases in a working folder on this machine."""

    def __init__(self, place: Path) -> None:
        check_named(place)
        self.place = place
        """The folder, or the URL of an object store written as a path: `s3:/bucket/portal`."""
        self.is_remote = is_url(place)
        self.folder = folder = working_folder(place) if self.is_remote else place
        """On this machine: databases, locks, whatever is made beside the documents."""
        self.warc = place / "warc"
        """Of a corpus in an object store a place there; its files are read by `storage.places.open_file`."""
        self.ledger = folder / "ledger.sqlite"
        self.problems = folder / "problems.jsonl"
        self.unlisted = folder / "audit" / "unlisted.txt"
        self.build_database = folder / "build.sqlite"
        self.analysis_database = folder / "analysis.sqlite"
        self.watch_database = folder / "watch.sqlite"
        self.statistics_database = folder / "statistics.sqlite"
        self.crawl_lock = folder / "crawl.lock"
        self.build_lock = folder / "build.lock"
        self.analysis_lock = folder / "analysis.lock"
        self.watch_lock = folder / "watch.lock"

    @property
    def named(self) -> str:
        """How it is told to people."""
        return url_of(self.place) if self.is_remote else str(self.folder.resolve())

    @property
    def told(self) -> str:
        """The same, as it was named."""
        return url_of(self.place)

    def warc_files(self) -> tuple[Path, ...]:
        return warc_files(self.warc) if is_folder(self.warc) else ()

    def fetch(self) -> None:
        """Have the databases of an object store here as they are there now."""
        if self.is_remote:
            WorkingCopy(self.place, self.folder).fetch()


def corpus_of(portal: Portal, corpus: Path | str | None) -> Corpus:
    """Where a portal's corpus lies: where it is said, else in the person's folder of corpora, else beside the portal file."""
    if corpus is not None:
        folder = Corpus(Path(corpus))
        folder.fetch()
        return folder
    own = settings.corpora_folder()
    return Corpus((own if own is not None else _beside(portal)) / portal.name)


def crawled_corpus(portal: Portal, corpus: Path | str | None) -> Corpus:
    """A portal's corpus, which must have a ledger."""
    folder = corpus_of(portal, corpus)
    if folder.ledger.exists():
        return folder
    if folder.warc_files():
        raise CorpusError(f"{folder.named} has no ledger. `curator warc index` makes it from the WARC files that are there.")
    raise CorpusError(missing(portal, folder))


def corpus_to_fill(portal: Portal, corpus: Path | str | None, nearby: CorporaNearby | None = None) -> Corpus:
    """The corpus to go on with, or to begin. Raises UsageError where it would be a second one that nobody asked for.

    `nearby`: of a command that asks for many portals.
    """
    if corpus is not None and is_url(Path(corpus)):
        there = url_of(Path(corpus))
        raise UsageError(
            f"{there}: a crawl stores what it fetches in a folder on this machine."
            f" Crawl there, then `curator warc push {portal.name} --to {there}` puts what is complete into the object store."
        )
    folder = corpus_of(portal, corpus)
    if corpus is not None or holds_corpus(folder.place):
        return folder
    beside = _beside(portal)
    found = _elsewhere(portal, folder, nearby)
    others = [path for path in found if path.parent == beside or not belongs_to_another_file(path, portal.name)]
    if others:
        raise UsageError(
            f"The corpus of {portal.name} would begin anew at {folder.folder.resolve()}, but there is one already."
            f" To go on with it, move it there, or say {_flags(others)}; to begin a new one all the same, say {_flags([folder.folder])}."
        )
    return folder


def missing(portal: Portal, folder: Corpus) -> str:
    """That there is no corpus where it was looked for, and what may be the one that was meant."""
    found = _elsewhere(portal, folder)
    hint = (
        f"There is one elsewhere: say {_flags(found)}."
        if found
        else "If you have one, name its folder with --corpus; if not, `curator crawl` begins it."
    )
    return f"There is no corpus of {portal.name} at {folder.named}. {hint}"


def _beside(portal: Portal) -> Path:
    """The corpora beside the portal file; a portal that came with curator has no folder of the person's."""
    file = portal.sources[0].path if portal.sources else None
    return (Path() if file is None or resources.is_shipped(file) else file.parent) / "corpora"


def _elsewhere(portal: Portal, folder: Corpus, nearby: CorporaNearby | None = None) -> list[Path]:
    """Other corpora of the portal: at its own places, and under the working directory."""
    nearby = nearby or CorporaNearby()
    own = [path for path in (corpus_of(portal, None).folder, _beside(portal) / portal.name) if holds_corpus(path)]
    looked_at = folder.folder.resolve()
    found = {path.resolve(): path for path in (*nearby.of(portal.name), *own)}
    return [path for place, path in found.items() if place != looked_at]


def _flags(corpora: Sequence[Path]) -> str:
    return " or ".join(f"--corpus {shlex.quote(str(path))}" for path in corpora[:_NAMED])


_MOST_FOLDERS = 2_000
_DEEPEST = 4
_PORTAL_FILES = ("*.yaml", "*.yml")
_SERIES = re.compile(f"-(?=(?:{'|'.join(Series)})-)")
"""Where in the name of a WARC file that of its portal ends."""
_HEAD = 10_000
"""Bytes of a portal file in which its name is looked for."""


class CorporaNearby:
    """The corpora below a folder, looked for once, however many portals they are asked for; several threads may ask."""

    def __init__(self, folder: Path = Path()) -> None:
        self._folder = folder
        self._found: list[tuple[Path, frozenset[str]]] | None = None
        self._looking = threading.Lock()

    def of(self, portal: str) -> list[Path]:
        """Those of this portal, the nearest first."""
        with self._looking:
            if self._found is None:
                self._found = list(_corpora_under(self._folder))
        return [place for place, portals in self._found if portal in portals]


def _corpora_under(folder: Path) -> Iterator[tuple[Path, frozenset[str]]]:
    """Each corpus and whose it may be, the nearest first: not too deep, and not for ever."""
    waiting = deque([(folder, 0)])
    for _ in range(_MOST_FOLDERS):
        if not waiting:
            return
        place, depth = waiting.popleft()
        try:
            portals = _portals_of(place) if holds_corpus(place) else frozenset()
            below = [] if portals or depth == _DEEPEST else _folders(place)
        except OSError:  # a folder of somebody else
            continue
        if portals:
            yield place, portals
        waiting.extend((folder, depth + 1) for folder in below)


def holds_corpus(folder: Path) -> bool:
    """Whether a crawl has left something in this folder."""
    corpus = Corpus(folder)
    return corpus.ledger.exists() or bool(corpus.warc_files())


def lost_by_writing(place: Path) -> str | None:
    """Why nothing may be written in this file's place: it is a portal file, or what a corpus consists of."""
    if not place.is_file():
        return None
    if any(place.match(pattern) for pattern in _PORTAL_FILES):
        return f"{place} is there already and may be a portal file, which would be lost: name another file"
    for folder in place.resolve().parents:
        corpus = Corpus(folder)
        databases = (corpus.ledger, corpus.build_database, corpus.analysis_database, corpus.watch_database)
        own = (corpus.warc, folder / "tei", corpus.problems, *databases)
        if corpus.ledger.exists() and any(place.resolve().is_relative_to(one) for one in own):
            return f"{place} is a part of the corpus {folder}, which would be lost: name another file"
    return None


def write_whole(place: Path, content: bytes) -> None:
    """All of it or nothing: nobody ever reads half a file."""
    if is_url(place):
        folder_at(place.parent).put(place.name, content)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = place.with_name(f"{place.name}.{os.getpid()}.new")
    try:
        draft.write_bytes(content)
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


def belongs_to_another_file(corpus: Path, portal: str) -> bool:
    """Whether a corpus lies where that of some portal file beside it lies."""
    if corpus.parent.name != "corpora":
        return False
    named = re.compile(rb"(?m)^portal:\s*[\"']?%s[\"']?\s*(#|$)" % re.escape(portal.encode()))
    files = (path for pattern in _PORTAL_FILES for path in corpus.parent.parent.glob(pattern) if path.is_file())
    return any(named.search(_head(path)) for path in files)


def _portals_of(corpus: Path) -> frozenset[str]:
    """The names that its portal may have: its own, and those with which its WARC files begin."""
    files = (path.name for path in Corpus(corpus).warc_files())
    return frozenset((corpus.name, *(name[: series.start()] for name in files for series in _SERIES.finditer(name))))


def _folders(place: Path) -> list[Path]:
    with os.scandir(place) as entries:
        names = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."))
    return [place / name for name in names]


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


_EFFECTIVE = "curator-effective-file"
_FIRST_RECORDS = 40
"""Of a file; its portal files stand among them."""


def stored_portal(files: Iterable[Path]) -> Portal:
    """The portal by the rules that were in force when the last of these WARC files was begun. Raises CorpusError."""
    newest_first = sorted(files, key=lambda path: (not is_url(path), 0 if is_url(path) else path.stat().st_mtime, path.name), reverse=True)
    for path in newest_first:
        content = _effective_file(path)
        if content is not None:
            return _load(content)
    raise CorpusError("The WARC files of this corpus hold no portal file. Name the portal file instead of the folder.")


def _effective_file(path: Path) -> bytes | None:
    uri = None
    for record in islice(read_records(path, on_damage=lambda _: None), _FIRST_RECORDS):
        if record.type == "warcinfo":
            uri = warc_fields(record.block).get(_EFFECTIVE)
        elif record.type == "resource" and record.url == uri:
            return record.block
    return None


def _load(content: bytes) -> Portal:
    with TemporaryDirectory(prefix="curator-") as folder:
        file = Path(folder) / "portal.yaml"
        file.write_bytes(content)
        return load_portal(file)
