"""Joins the stages of an annotation: texts of exports to a program, and what it says of them to a layer."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from threading import Event as Flag
from typing import Any

from webarticlecurator.annotations.annotate_options import AnnotateOptions, AnnotateSummary
from webarticlecurator.annotations.annotating import AnnotateJob, until_hopeless
from webarticlecurator.annotations.answers import Answer, Task
from webarticlecurator.annotations.layer import About, Layer, digest_of, layer_file
from webarticlecurator.annotations.layer_writing import LayerWriter
from webarticlecurator.annotations.program import version_of
from webarticlecurator.building.database import BuiltArticle, BuiltArticles
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import crawled_corpus, portal_and_corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.databases import connect
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.annotated import TokenSentence
from webarticlecurator.exporting.articles import ExportArticle, Passage
from webarticlecurator.exporting.export_options import ExportOptions, Part
from webarticlecurator.exporting.formats.conllu import sentence_lines, sentence_text
from webarticlecurator.exporting.passage_tokens import composed, one_line, tokenized
from webarticlecurator.model.progress import Progress, Work
from webarticlecurator.settings import day_of_making
from webarticlecurator.version import PROGRAM
from webarticlecurator.warc.store import utc_now
from webarticlecurator.workers.pool import Workers, run
from webarticlecurator.written_options import share_named

PHASE = "annotate"
"""The name that progress gives to an annotation."""
_ALL_TEXT = ExportOptions(with_=frozenset({Part.COMMENTS, Part.BOXES, Part.CAPTIONS}))
"""All that any export shows of an article's text."""
_STORED_AT_ONCE, _STORED_AFTER = 200, 2.0
"""Articles, and seconds."""
_LISTED = 3


def annotate(
    portal: Portal | Path | str,
    command: str | None = None,
    *,
    corpus: Path | str | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    **options: Any,
) -> AnnotateSummary:
    """Have the built articles of a portal annotated by a program that reads and writes CoNLL-U.

    The options are those of `curator annotate` by the same names: `python="module:function"`, `processes=2`,
    `name="udpipe"`; `everything=True` annotates every article again.

    >>> from webarticlecurator import annotate, build
    >>> built = build("portal.yaml")
    >>> annotated = annotate("portal.yaml", "cat", name="empty")
    >>> annotated.counts.failed
    0
    """
    loaded, folder = portal_and_corpus(portal, corpus)
    asked = AnnotateOptions(command=command, **options)
    return annotate_portal(loaded, asked, corpus=folder.folder, progress=progress, stop=stop)


def annotate_portal(
    portal: Portal,
    options: AnnotateOptions,
    *,
    corpus: Path | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> AnnotateSummary:
    """Annotate what is new or changed in a corpus, or all. Raises UsageError where the layer is another
    program's, or the program fails from the beginning."""
    folder, work = crawled_corpus(portal, corpus), Work(portal.name, PHASE, progress, stop)
    whole = layer_file(folder.folder, options.layer)
    share = number, of = share_named(options.share or "1/1")
    path = whole if options.share is None else _shares(whole) / f"{number}-of-{of}.sqlite"
    with ExitStack() as stack:
        built = stack.enter_context(BuiltArticles.of(folder.build_database, portal.name))
        stack.enter_context(locked(_lock(path), "annotation"))
        layer = stack.enter_context(LayerWriter(path, folder.build_database, anew=options.everything))
        _check_origins(path, whole, options)
        if path == whole:
            _take_in_shares(layer, whole)
        if options.everything:
            layer.ask_again()
        gone = layer.forget_gone()
        of_whole = whole if path != whole and whole.exists() and not options.everything else None
        waiting = layer.waiting(share, of_whole)
        known = stack.enter_context(Layer(connect(path, read_only=True), options.layer))
        failed = layer.failed()
        taken = _Taken(layer, work, len(waiting), _origin(layer.about, options))
        tasks = (
            replace(_task(portal.name, article, known, plain=options.plain), is_retried=article.id in failed)
            for article in map(built.by_id, waiting)
            if article is not None
        )
        taken.take(until_hopeless(_answers(tasks, options, work)))
        counts = layer.counts()
        return AnnotateSummary(
            portal=portal.name,
            layer=options.layer,
            path=path,
            asked=taken.asked,
            unchanged=counts.articles - taken.asked,
            gone=gone,
            counts=counts,
            failures=tuple(taken.failures),
            not_aligned=tuple(taken.examples),
            incomplete="interrupted" if work.stopped else None,
        )


def _answers(tasks: Iterator[Task], options: AnnotateOptions, work: Work) -> Generator[Answer, None, None]:
    """Give the answers of the program, on this machine or by the workers of a cluster."""
    job = AnnotateJob(
        command=options.command,
        python=options.python,
        time_limit=options.time_limit,
        program=options.program,
    )
    if options.cluster is None:
        yield from job.annotator(work, processes=options.processes, batch=options.batch).answers(tasks)
        return
    workers = Workers.asked_for(cluster=options.cluster).telling(work)
    wanted = takewhile(lambda _: not work.stopped, tasks)
    seconds = options.batch * options.time_limit  # the job itself looks after its program
    for answers in run(job, wanted, workers=workers, batch=options.batch, seconds=seconds):
        yield from answers


def _shares(whole: Path) -> Path:
    """Return the folder of the shares of a layer that are not taken in yet."""
    return whole.with_suffix(".shares")


def _lock(path: Path) -> Path:
    return path.with_suffix(".lock")


def _shares_of(whole: Path) -> list[Path]:
    return sorted(_shares(whole).glob("*.sqlite"))


def _take_in_shares(layer: LayerWriter, whole: Path) -> None:
    """Take in what other processes annotated, each a share of the articles. Raises CorpusBusy where one still
    does."""
    for path in _shares_of(whole):
        with locked(_lock(path), "annotation"):
            layer.take_in(path)
            for file in path.parent.glob(f"{path.name}*"):
                file.unlink()


def _check_origins(path: Path, whole: Path, options: AnnotateOptions) -> None:
    """Raises UsageError where the layer or a share of it is made by another program than the one that is
    asked for, or shares would be lost unread. `path`: the one of these files that is written."""
    shares = _shares_of(whole)
    if options.everything and path == whole and shares:
        raise UsageError(
            f"There are shares of the layer in {_shares(whole)}: put them together by a run without --all "
            "first, or delete them."
        )
    files = {*shares, *filter(Path.exists, (whole,))} - ({path} if options.everything else set())
    for file in sorted(files):
        with Layer.in_file(file, options.layer) as known:
            about = known.about
        if about.command and about.origin != (options.origin, options.model):
            raise UsageError(
                f"{file} is made by {about.command!r}, with the model {about.model!r}. Give the same, "
                "another --name, or annotate every article again with --all, not in shares."
            )


def _origin(before: About, options: AnnotateOptions) -> About:
    """Return what a layer is made by from now on, given what it was made by."""
    version = version_of(options.program) if options.program else ""
    versions = dict.fromkeys(filter(None, (*before.version.split("; "), version)))
    day = day_of_making(utc_now()).isoformat()
    return About(options.origin, "; ".join(versions), options.model, day, PROGRAM)


@dataclass
class _Taken:
    """The answers that were stored, some at a time."""

    layer: LayerWriter
    work: Work
    total: int
    origin: About
    """Where they come from; noted when the program has answered once."""
    asked: int = 0
    """Articles that the program has answered."""
    done: int = 0
    failures: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)

    def take(self, answers: Iterator[Answer]) -> None:
        """Store answers as they come; whatever ends that, those that came stay."""
        waiting, stored_at = list[Answer](), time.monotonic()
        self.work.show("", 0, self.total)
        try:
            for answer in answers:
                waiting.append(answer)
                if len(waiting) >= _STORED_AT_ONCE or time.monotonic() - stored_at > _STORED_AFTER:
                    self._store(waiting)
                    waiting, stored_at = [], time.monotonic()
        finally:
            self._store(waiting)

    def _store(self, answers: list[Answer]) -> None:
        answered = sum(bool(answer.task.sent) and answer.failed is None for answer in answers)
        if answered and not self.asked:
            self.layer.note(self.origin)
        self.layer.store(answers)
        self.asked += answered
        for answer in answers:
            article = answer.task.id
            self.failures += [f"{article}: {answer.failed}"] if answer.failed is not None else []
            self.examples += [f"{article}: {example}" for example in answer.examples]
        del self.examples[_LISTED:]
        self.done += len(answers)
        self.work.show("", self.done, self.total)


# --- what a program is sent ---


def _task(portal: str, built: BuiltArticle, known: Layer, *, plain: bool) -> Task:
    """Return an article as it is annotated."""
    article = ExportArticle(portal=portal, built=built, options=_ALL_TEXT)
    texts: dict[bytes, str] = {}
    pieces = [f"# newdoc id = {article.id}\n# doc_lang = {built.language or 'und'}\n"] if not plain else []
    for passage, _, sentences in tokenized(article):
        text = composed(passage.text)
        digest = digest_of(text)
        if digest not in texts:
            texts[digest] = text
            name = f"{article.id}-p{len(texts)}"
            pieces += _plain_lines(sentences) if plain else _conllu_lines(name, passage, sentences)
    is_known = known.digests(article.id).issuperset(texts)
    return Task(article.id, built.contents.digest, tuple(texts.items()), "" if is_known else "".join(pieces))


def _plain_lines(sentences: Iterable[TokenSentence]) -> Iterator[str]:
    """Give the sentences of a passage, a line each, and an empty line."""
    for sentence in sentences:
        yield f"{sentence_text(sentence)}\n"
    yield "\n"


def _conllu_lines(name: str, passage: Passage, sentences: Iterable[TokenSentence]) -> Iterator[str]:
    """Give the sentences of a passage in CoNLL-U."""
    yield f"# newpar id = {name}\n"
    language = f"# lang = {one_line(passage.language)}\n" if passage.language is not None else ""
    whole = list(sentences)
    for number, sentence in enumerate(whole, start=1):
        yield f"# sent_id = {name}-s{number}\n{language}"
        yield sentence_lines(sentence, ends_paragraph=number == len(whole))
