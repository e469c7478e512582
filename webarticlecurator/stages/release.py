"""Joins the stages of a release: built corpora in, a folder for an archive out; and what is asked of such
folders."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from heapq import merge
from pathlib import Path
from threading import Event as Flag
from typing import Any

import msgspec

from webarticlecurator import settings
from webarticlecurator.amounts import amount, those_that_hold
from webarticlecurator.annotations.layer import NO_LAYER, layer_names
from webarticlecurator.building.build_options import BuildOptions
from webarticlecurator.building.builder import CORRECTIONS
from webarticlecurator.building.corrected import digest_of, hashed
from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.config.corrections import corrections_file, load_corrections, write_corrections
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, portal_and_corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.errors import CorpusError, UsageError, refuse
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.exporter import ExportedPortal
from webarticlecurator.exporting.formats import format_of
from webarticlecurator.exporting.formats.web_archives import pack_wacz
from webarticlecurator.exporting.output import folder_draft
from webarticlecurator.exporting.table import COLUMNS, OF_ANALYSIS
from webarticlecurator.model.metadata import BY_HAND
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.model.progress import Progress, Stopped, Work
from webarticlecurator.releasing import contents
from webarticlecurator.releasing.packing import describe, pack_articles, write_bag
from webarticlecurator.stages import pipeline
from webarticlecurator.stages.build import build
from webarticlecurator.stages.export import export_portals, not_in_exports, opened_portals
from webarticlecurator.stages.portal_tests import tests_file
from webarticlecurator.stages.report import report
from webarticlecurator.storage.places import OPEN, open_file
from webarticlecurator.tei.document import Template
from webarticlecurator.version import PROGRAM
from webarticlecurator.warc.store import utc_now, warc_files, warc_paths

_OUTCOMES = tuple(sorted(DOCUMENTED))
_METADATA = ExportOptions(
    to="csv", fields=tuple(name for name in COLUMNS if name not in ("text", *OF_ANALYSIS)), outcome=_OUTCOMES
)
"""The table of metadata: without what only an analysis tells."""


def release(
    portals: Sequence[Portal | Path | str], *, output: Path | str, level: str = "full", exports: Sequence[str] = (),
    creators: Sequence[str] = (), key: Path | None = None, corpus: Path | str | None = None, progress: Progress | None = None,
    stop: Flag | None = None,
) -> contents.Release:  # fmt: skip
    """Hand the built articles of portals to an archive, as one folder: whole or not at all. Raises Stopped.

    >>> from webarticlecurator.stages.release import release
    >>> release(["portal.yaml"], output="release", level="texts").articles
    600
    """
    _check(level, exports, key)
    corpora = sorted((portal_and_corpus(portal, corpus) for portal in portals), key=lambda pair: pair[0].name)
    placed = [(loaded, folder.folder) for loaded, folder in corpora]
    creators = creators or _creators_of([loaded for loaded, _ in placed])
    day, work = (
        settings.day_of_making(utc_now()).isoformat(),
        Work(corpora[0][0].name, "release", progress, stop),
    )
    has_warc = level == "full"
    with ExitStack() as stack:
        for _, folder in corpora:
            stack.enter_context(_unchanging(folder, warc=has_warc))
        opened = stack.enter_context(opened_portals(placed))
        total = sum(portal.built.count() for portal in opened)
        if not total:
            raise CorpusError(
                f"Nothing of {corpora[0][0].name} is built that could be released.", advice="build"
            )
        for portal in opened:
            _check_built(portal, replace(work, portal=portal.name))
        draft = stack.enter_context(folder_draft(Path(output)))
        has_texts, has_metadata = contents.holds(level, "texts"), contents.holds(level, "metadata")
        fingerprint, header = pack_articles(
            draft, opened, texts=has_texts, step=partial(work.step, "documents", total=total)
        )
        export = partial(export_portals, placed, progress=progress, stop=stop)
        for portal in opened:
            _write_rules(draft, portal)
            _copy_corrections(draft, portal, texts=has_texts)
            if has_metadata:
                place = draft / "reports" / f"{portal.name}.html"
                report(portal.file, corpus=portal.corpus.folder, output=place, progress=progress, stop=stop)
                _copy_tests(draft, portal.file)
            if has_warc:
                _pack_warc(draft, portal, day, key, work)
        if has_metadata:
            export(_METADATA, output=draft / "metadata" / "articles.csv")
        layer = _layer(opened)
        for to in exports:
            export(
                ExportOptions(to=to, outcome=_OUTCOMES, layer=layer),
                output=f"{draft / 'exports'}/{_export_name(to)}",
            )
        work.step("checksums")
        account = {
            "program": PROGRAM,
            "made": day,
            "level": level,
            "fingerprint": fingerprint,
            "articles": total,
        }
        made = msgspec.convert(
            {**account, "portals": _accounts(opened), "creators": list(creators)}, contents.Release
        )
        describe(draft, made, header, [portal.built for portal in opened])
        write_bag(draft, made)
        return made


def _accounts(portals: Sequence[ExportedPortal]) -> list[dict[str, Any]]:
    mended = "SELECT count(*) FROM articles WHERE path IS NOT NULL AND corrections != ''"
    return [
        {**portal.told, "articles": portal.built.count(), "corrected": next(portal.built.rows(mended))[0]}
        for portal in portals
    ]


@contextmanager
def _unchanging(corpus: Corpus, *, warc: bool) -> Iterator[None]:
    """Let nobody change meanwhile what is read several times."""
    with locked(corpus.build_lock, "build"), locked(corpus.crawl_lock, "crawl") if warc else nullcontext():
        yield


def _layer(portals: Sequence[ExportedPortal]) -> str | None:
    """Return which annotations the exports show: of several layers none, since nobody says which."""
    names = {name for portal in portals for name in layer_names(portal.corpus.folder)}
    return NO_LAYER if len(names) > 1 else None


def _export_name(to: str) -> str:
    return f"articles-{to}/" if format_of(to).folder else f"articles{format_of(to).suffix}"


def _write_rules(draft: Path, portal: ExportedPortal) -> None:
    rules = draft / "portals" / portal.name
    rules.mkdir(parents=True)
    (rules / "portal.yaml").write_text(portal.file.effective, encoding="utf-8")
    (rules / "header.xml").write_text(Template(portal.template).file, encoding="utf-8")


def _copy_corrections(draft: Path, portal: ExportedPortal, *, texts: bool) -> None:
    """Copy what was mended by hand: documents are made again with it; without texts, hashes stand for what
    the portal wrote. Raises CorpusError where the last build has not heeded it."""
    sources = portal.file.sources
    known = load_corrections(corrections_file(sources[0].path)) if sources else ()
    if digest_of(known) != (portal.built.noted(CORRECTIONS) or ""):
        raise CorpusError(
            f"What was mended by hand of {portal.name} is not what the last build has heeded. Nothing was "
            "written.",
            advice="build",
        )
    copy = draft / "portals" / portal.name / BY_HAND
    if known:
        write_corrections(copy, known if texts else list(map(hashed, known)))


def _pack_warc(draft: Path, portal: ExportedPortal, day: str, key: Path | None, work: Work) -> None:
    (draft / "warc").mkdir(exist_ok=True)
    place, warcs = draft / "warc" / f"{portal.name}.wacz", list(warc_files(portal.corpus.warc))
    articles = portal.built.read(order="a.id")
    pack_wacz(place, portal.file.title, warcs, articles, day=day, key=key, step=work.step)


def _copy_tests(draft: Path, portal: Portal) -> None:
    if portal.sources and tests_file(portal).exists():
        tests = tests_file(portal)
        (draft / "tests" / portal.name).mkdir(parents=True)
        shutil.copyfile(tests, draft / "tests" / portal.name / tests.name)


def _check_built(portal: ExportedPortal, work: Work) -> None:
    """Say how many articles are not built. Raises CorpusError where documents do not follow from the rules
    beside them."""
    numbers = not_in_exports([portal])
    outdated, not_built = numbers["outdated"], numbers["not_built"]
    if outdated:
        are = amount(outdated, f"article of {portal.name} is", f"articles of {portal.name} are")
        raise CorpusError(
            f"{are} not built by the rules (or version) of now, which a release holds. Nothing was written.",
            advice="build",
        )
    if not_built:
        work.say(f"{amount(not_built, 'article is', 'articles are')} not built, and not in it.")


def _creators_of(portals: Sequence[Portal]) -> Sequence[str]:
    """Return who makes these corpora. Raises UsageError where nobody is named."""
    creators = (
        tuple(dict.fromkeys(name for portal in portals for name in portal.creator)) or settings.creators()
    )
    if not creators:
        raise UsageError(
            "Nobody is named as who releases it, whom archives and citations ask for. Write `creator: NAME` "
            "in the portal file, so that documents name them too, or say --creator NAME."
        )
    return creators


def _check(level: str, exports: Sequence[str], key: Path | None) -> None:
    """Raises UsageError for what could not be made, before hours of work."""
    levels = ", ".join(contents.LEVELS)
    if level not in contents.LEVELS:
        raise UsageError(f"There is no level {level!r}; there are: {levels}.")
    for to in exports:
        format_of(to)
    is_full, has_key = level == "full", key is not None
    no_texts = f"--export puts texts into the release, and the level {level} has none"
    refuse(
        (
            exports and not contents.holds(level, "texts"),
            f"{no_texts}: say --level texts, or full.",
        ),
        (has_key and not is_full, "--key signs the WACZ, which only the level full has."),
    )
    for name in those_that_hold((True, "bagit"), (is_full, "cdxj_indexer"), (has_key, "cryptography")):
        contents.library(name)


def verify_release(
    folder: Path | str, *, progress: Progress | None = None, stop: Flag | None = None
) -> list[str]:
    """Return what of a release is not as it was made, a sentence each, with nothing but its folder. Raises
    Stopped.

    >>> from webarticlecurator.stages.release import verify_release
    >>> verify_release("release")
    []
    """
    return list(contents.verify(Path(folder), Work(str(folder), "release", progress, stop)))


def rebuild_release(
    folder: Path | str,
    warc: Sequence[Path],
    *,
    output: Path | str,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> dict[str, str]:
    """Make the documents again, a corpus a portal, of a release's rules and WARC files; gives those that are
    not the same. Raises Stopped.

    Only files that curator wrote will do: in others nothing says what the archive pages listed.
    """
    account = contents.account_of(Path(folder))
    with folder_draft(Path(output)) as draft, ExitStack() as stack:
        for portal in account.portals:
            rules, corpus = (
                Path(folder) / contents.PAYLOAD / "portals" / portal.name,
                Corpus(draft / portal.name),
            )
            loaded, header = (
                load_portal(rules / "portal.yaml"),
                BuildOptions(template=str(rules / "header.xml")),
            )
            corpus.warc.mkdir(parents=True)
            for path in warc_paths(
                warc
            ):  # copied: to make a ledger of them may cut off what a crash left in one
                if path.name.startswith((f"{portal.name}-archive-", f"{portal.name}-articles-")):
                    with (
                        open_file(path) as file,
                        (corpus.warc / path.name.removesuffix(OPEN)).open("wb") as copy,
                    ):
                        shutil.copyfileobj(file, copy)
            problem = f"None of these is a file that curator wrote of {portal.name}"
            if not corpus.warc_files():
                raise UsageError(f"{problem}: they are called {portal.name}-articles-...")
            pipeline.index(loaded, corpus=corpus.folder, progress=progress)
            if build(loaded, corpus=corpus.folder, options=header, progress=progress, stop=stop).incomplete:
                raise Stopped
        built = [
            stack.enter_context(BuiltArticles(Corpus(draft / portal.name).build_database))
            for portal in account.portals
        ]
        made = merge(
            *(of.rows("SELECT id, part FROM articles WHERE path IS NOT NULL ORDER BY id") for of in built)
        )
        listed = ((article.id, article.document) for _, article in contents.released_articles(Path(folder)))
        unlike = (
            (name, released, own)
            for name, released, own in contents.side_by_side(listed, made)
            if released != own
        )
        return {name: _unlike(released, own) for name, released, own in unlike}


def _unlike(released: str | None, made: str | None) -> str:
    """Return in which way a document is not the one that was released; None: there is none."""
    if released is None:
        return "was not released"
    return "was not made" if made is None else "is another"
