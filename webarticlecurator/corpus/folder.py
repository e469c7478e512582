"""The corpus folder: where a portal's corpus lies, what lies where in it, and when it is another portal's."""

from __future__ import annotations

import shlex
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from webarticlecurator import resources, settings
from webarticlecurator.config.load import as_portal, load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.storage.places import check_named, draft_of, is_url, url_of
from webarticlecurator.urls import bare_host, host_and_port, site_name
from webarticlecurator.warc.records import read_records
from webarticlecurator.warc.store import warc_files
from webarticlecurator.warc.stored import warc_fields

_HERE = Path("corpora")
"""The folder of corpora of portal files that came with curator, and beside any other file."""


class Corpus:
    """The folder of a portal's corpus: where each of its files lies."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.warc = folder / "warc"
        """Some of its files may lie elsewhere alone: they are opened by `storage.places.open_file`."""
        self.ledger = folder / "ledger.sqlite"
        self.problems = folder / "problems.jsonl"
        self.unlisted = folder / "audit" / "unlisted.txt"
        self.only_theirs = folder / "coverage" / "only-theirs.cdxj"
        self.build_database = folder / "build.sqlite"
        self.analysis_database = folder / "analysis.sqlite"
        self.survey_database = folder / "survey.sqlite"
        self.search_database = folder / "search.sqlite"
        self.watch_file = folder / "watch.json"
        self.remarks_file = folder / "remarks.json"
        self.crawl_lock = folder / "crawl.lock"
        self.build_lock = folder / "build.lock"
        self.analysis_lock = folder / "analysis.lock"
        self.survey_lock = folder / "survey.lock"
        self.search_lock = folder / "search.lock"
        self.watch_lock = folder / "watch.lock"

    def warc_files(self) -> tuple[Path, ...]:
        return warc_files(self.warc) if self.warc.is_dir() else ()

    @property
    def is_begun(self) -> bool:
        """True if a crawl has left something here."""
        return self.ledger.exists() or bool(self.warc_files())


def corpus_of(portal: Portal, corpus: Path | str | None) -> Corpus:
    """Return where a portal's corpus lies: where it is said, else in the person's folder of corpora, else
    beside the portal file."""
    if corpus is None:
        return Corpus((settings.corpora_folder() or _beside(portal)) / portal.name)
    folder = Path(corpus)
    check_named(folder)
    if is_url(folder):
        raise UsageError(
            f"{url_of(folder)}: a corpus lies in a folder on this machine; its WARC files may be pushed to "
            "an object store."
        )
    return Corpus(folder)


def crawled_corpus(portal: Portal, corpus: Path | str | None) -> Corpus:
    """A portal's corpus, which must have a ledger."""
    folder = corpus_of(portal, corpus)
    if folder.ledger.exists():
        return folder
    if folder.is_begun:
        raise CorpusError(f"{folder.folder.resolve()} has no ledger, only WARC files.", advice="index")
    raise missing(portal, folder)


def portal_and_corpus(portal: Portal | Path | str, corpus: Path | str | None) -> tuple[Portal, Corpus]:
    """A portal and its corpus, of which one may stand for both."""
    if not isinstance(portal, Portal):
        own = Corpus(Path(portal))
        if own.ledger.exists():
            portal, corpus = stored_portal(own), own.folder
    loaded = as_portal(portal)
    return loaded, crawled_corpus(loaded, corpus)


def corpus_to_fill(portal: Portal, corpus: Path | str | None) -> Corpus:
    """The corpus to go on with, or to begin. Raises UsageError where it would be a second one that nobody
    asked for, or is another's."""
    folder, stranger = corpus_of(portal, corpus), None  # the first archive page in it
    with suppress(CorpusError), Ledger.reading(folder.ledger) as ledger:
        stranger = next((url for (url,) in ledger.rows("SELECT url FROM pages ORDER BY id LIMIT 1")), None)
    hosts = chain(portal.article_urls.hosts, *(column.urls.hosts for column in portal.columns))
    own = {portal.home, *(column.template.text for column in portal.columns)}
    own.update(map("http://{}".format, hosts))
    if stranger is not None and not any(_are_of_one_site(stranger, url) for url in own):
        raise UsageError(
            f"{folder.folder} holds the corpus of a portal at {host_and_port(stranger)}, and this one is at "
            f"{host_and_port(portal.home)}: give it another"
            " name (`portal`), or another folder with --corpus. If the portal has moved, name its old host "
            "in `urls: {hosts: [...]}`"
            " under `archive`."
        )
    if corpus is None and not folder.is_begun and (others := _elsewhere(portal, folder)):
        raise UsageError(
            f"The corpus of {portal.name} would begin anew at {folder.folder.resolve()}, but there is one "
            "already."
            f" To go on with it, move it there, or say {others}; to begin a new one all the same, say "
            f"{_flag(folder)}."
        )
    return folder


def _are_of_one_site(url: str, other: str) -> bool:
    """Return True if two addresses are of one site, or the host of one is a part of the other's."""
    short, long = sorted((bare_host(url), bare_host(other)), key=len)
    return site_name(url) == site_name(other) or long.endswith(f".{short}")


def missing(portal: Portal, folder: Corpus) -> CorpusError:
    """Return the error that there is no corpus where it was looked for, and what may be the one that was
    meant."""
    others = _elsewhere(portal, folder)
    hint = (
        f"There is one elsewhere: say {others}."
        if others
        else "If you have one, name its folder with --corpus."
    )
    sentence = f"There is no corpus of {portal.name} at {folder.folder.resolve()}. {hint}"
    return CorpusError(sentence, advice=None if others else "begin")


def _beside(portal: Portal) -> Path:
    """The corpora beside the portal file; a portal that came with curator has no folder of the person's."""
    file = portal.sources[0].path if portal.sources else None
    return _HERE if file is None or resources.is_shipped(file) else file.parent / _HERE


def _elsewhere(portal: Portal, folder: Corpus) -> str:
    """Return how to say that one of the other places is meant where the portal has a corpus: the person's,
    beside its file, and where that of the file lies which came with curator."""
    folders = [_beside(portal)]
    if portal.name in resources.shipped_portals():
        folders.append(_HERE)
    others = [corpus_of(portal, None), *(Corpus(corpora / portal.name) for corpora in folders)]
    places = {other.folder.resolve(): other for other in others}
    places.pop(folder.folder.resolve(), None)
    return " or ".join(_flag(other) for other in places.values() if other.is_begun)


def _flag(corpus: Corpus) -> str:
    return f"--corpus {shlex.quote(str(corpus.folder))}"


def lost_by_writing(place: Path) -> str | None:
    """Return why nothing may be written in this file's place: it is a portal file, or what a corpus consists
    of."""
    if not place.is_file():
        return None
    if place.suffix in (".yaml", ".yml"):
        return f"{place} is there already and may be a portal file, which would be lost: name another file"
    for folder in place.resolve().parents:
        corpus = Corpus(folder)
        databases = (
            corpus.ledger,
            corpus.build_database,
            corpus.analysis_database,
            corpus.survey_database,
            corpus.search_database,
            corpus.watch_file,
            corpus.remarks_file,
        )
        own = (corpus.warc, folder / "tei", folder / "annotations", corpus.problems, *databases)
        if corpus.ledger.exists() and any(place.resolve().is_relative_to(file) for file in own):
            return f"{place} is a part of the corpus {folder}, which would be lost: name another file"
    return None


def write_whole(place: Path, content: bytes) -> None:
    """All of it or nothing."""
    with draft_of(place) as draft:
        draft.write_bytes(content)


def stored_portal(corpus: Corpus) -> Portal:
    """The portal by the rules that were in force when the last WARC file was begun. Raises CorpusError."""
    for path in reversed(corpus.warc_files()):
        uri = None
        for record in islice(
            read_records(path, on_damage=lambda _: None), 40
        ):  # its portal files stand among the first
            if record.type == "warcinfo":
                uri = warc_fields(record.block).get("curator-effective-file")
            elif record.type == "resource" and record.url == uri:
                with TemporaryDirectory(prefix="curator-") as folder:
                    file = Path(folder) / "portal.yaml"
                    file.write_bytes(record.block)
                    return load_portal(file)
    raise CorpusError(
        "The WARC files of this corpus hold no portal file. Name the portal file instead of the folder."
    )
