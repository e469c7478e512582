"""`curator warc`: tools for WARC files, ours or anyone's."""

from __future__ import annotations

import mimetypes
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import amount, size, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, argument, command, option, unprinted_file, with_advice
from webarticlecurator.cli.process import ExitCode, first_of, while_read
from webarticlecurator.cli.tips import first_that_holds
from webarticlecurator.databases import Row
from webarticlecurator.errors import CorpusError, UsageError, refuse
from webarticlecurator.model.capture import Request
from webarticlecurator.own_patterns import linear
from webarticlecurator.protocol.message import mime_of, parse_response, unpacked_body
from webarticlecurator.storage.places import is_file, is_folder, legible, url_of
from webarticlecurator.urls import normalise, split
from webarticlecurator.warc.records import MAX_BLOCK, Damage, read_record
from webarticlecurator.warc.store import warc_paths

if TYPE_CHECKING:
    from webarticlecurator.corpus.stored_pages import LedgerSource
    from webarticlecurator.warc.file_check import WarcFinding
    from webarticlecurator.warc.source import StoredAnswer

Files = Annotated[list[Path], argument("FILES", "WARC or ARC files, folders with such files, or corpora.")]


@command(json=None)
def index(call: Call) -> ExitCode:
    """
    \b
    Examples:
      curator warc index portal.yaml                 after ledger.sqlite was lost or damaged

    Make the ledger of a corpus again from its WARC files alone. The portal is not visited and its rules are not asked: what
    was known of every URL, walk and span lies in the WARC files.
    """
    from webarticlecurator.stages import pipeline

    portal = call.portal
    with call.work() as (_, progress):
        records, lost = pipeline.index(portal, corpus=call.corpus, progress=progress)
    console.say(f"The ledger was made again from {amount(records, 'record')}.")
    for sentence in lost:
        console.complain(f"{sentence} by the next crawl.")
    call.next("warc", "corpus")
    return ExitCode.FAILURES if lost else ExitCode.OK


@command()
def import_(
    call: Call,
    files: Annotated[
        list[Path], argument("FILES", "WARC or ARC files of any program, or folders with such files.")
    ],
) -> ExitCode:
    """
    \b
    Examples:
      curator warc import portal.yaml old/*.warc.gz              files of another crawler
      curator warc import portal.yaml archive.warc.gz articles.warc.gz
      curator warc import portal.yaml CC-MAIN-2024.warc.gz       pages out of Common Crawl
      curator warc import portal.yaml 2008/                      ARC files are read, too

    Take pages out of WARC and ARC files that other programs made into a corpus, with their bytes and dates. Archive pages and articles
    are told apart by the portal's rules; a portal file without `archive` takes everything as articles. Pages that are there
    already are passed over, so importing twice is harmless. Pages of one article are joined, in whatever order they come: where
    articles.next leads from one to the other, or articles.identity and the page's number in the address say so. Where one is missing,
    all others are kept, its document names the missing one, and the next crawl asks for it.
    """
    from webarticlecurator.stages import pipeline

    portal, paths = call.portal, warc_paths(files)
    with call.work() as (stop, progress):
        imported = pipeline.import_warcs(portal, paths, corpus=call.corpus, progress=progress, stop=stop)
    tell_imported(call, imported)
    if imported.damaged:
        console.complain(_damaged(imported.damaged, files))
    call.next("warc", "corpus")
    return first_of((ExitCode.INCOMPLETE, stop.is_set()), (ExitCode.FAILURES, imported.damaged))


def tell_imported(call: Call, imported: Row) -> None:
    """Tell what became of pages that no crawl asked for."""
    call.tell(imported, ())
    archive_pages = amount(imported.archive_pages, "archive page was", "archive pages were")
    console.say(f"{amount(imported.articles, 'page')} of articles and {archive_pages} taken in.")
    if imported.lacking:
        lack = amount(imported.lacking, "article lacks", "articles lack")
        console.say(f"  {lack} a page: the next crawl asks for it, and until then their documents say which")
    for reason, number in sorted(imported.skipped.items(), key=lambda pair: -pair[1]):
        console.say(f"  {number:,} passed over: {reason}")


@command(portals="none", corpus=False, json="One JSON object a line.")
def list_(call: Call, files: Files) -> ExitCode:
    """
    \b
    Examples:
      curator warc list corpora/pelda                        everything that was stored
      curator warc list CC-MAIN-2024.warc.gz --json          for programs
      curator warc list IAH-2008.arc.gz                      the older format, too
      curator warc list corpora/pelda | cut -f 3 | sort | uniq -c    how many of each status

    List what the files hold, a line an exchange: URL, date, status, type, size, outcome; tab separated.
    """
    from webarticlecurator.warc.exchanges import list_exchanges

    damages = _Damages(files)
    last: str | None = None
    for listed in while_read(
        row for path in warc_paths(files) for row in list_exchanges(path, on_damage=damages)
    ):
        last = str(listed["url"]) or last
        cells = (listed[name] for name in ("url", "date", "status", "type", "size", "outcome"))
        call.tell(
            listed,
            [
                "\t".join(
                    "-" if cell is None or cell == "" else str(cell).replace("\t", " ") for cell in cells
                )
            ],
        )
    return damages.ended(call, "nothing" if last is None else "listed", url=last)


@command(portals="none", corpus=False, json=None)
def cat(
    call: Call,
    what: Annotated[
        list[str], argument("FILES|URL", "Files (or folders), and URLs or byte offsets to show.")
    ],
    payload: Annotated[
        bool, option("--payload", "Only the page, unpacked; as a browser showed it, where one did.")
    ] = False,
    output: Annotated[
        Path | None, option("--output -o --out", "Write files into this folder, and tell their names.", "DIR")
    ] = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator warc cat corpora/pelda https://pelda.example/a.html               as the server sent it
      curator warc cat corpora/pelda https://pelda.example/a.html --payload     the page
      curator warc cat file.warc.gz 48213                                       the record at that byte
      curator warc cat corpora/pelda URL URL URL --payload --out pages/         files

    The newest capture of each URL, byte for byte.
    """
    paths = [Path(name) for name in what if is_file(Path(name)) or is_folder(Path(name))]
    wanted = [legible(name) for name in what if Path(name) not in paths]
    refuse(
        (
            not paths,
            "No WARC file is named, or there is none of that name: give the files first, then URLs or byte "
            "offsets.",
        ),
        (not wanted, "Nothing to show: give one or more URLs, or byte offsets, after the files."),
    )
    damages = _Damages(paths)
    failed = False
    for name, block in _find(paths, wanted, damages):
        if block is None:
            failed = True
            console.complain(f"{name}: not in these files.")
        else:
            _output(block, output, payload=payload)
    return damages.ended(call, "shown", failed=failed)


@command(portals="none", corpus=False, json=None)
def sample(
    call: Call,
    files: Files,
    urls: Annotated[Path, option("--urls", "A text file with a URL a line: these; - is stdin.", "FILE")],
    output: Annotated[
        Path, option("--output -o --out", "The new WARC file (.warc.gz).", "FILE", parse=unprinted_file)
    ],
) -> ExitCode:
    """
    \b
    Examples:
      curator warc sample corpora/pelda --urls wanted.txt --out wanted.warc.gz
      curator warc list corpora/pelda | cut -f 1 | shuf -n 50 | curator warc sample corpora/pelda --urls - --out fifty.warc.gz

    A new WARC with the exchanges of these URLs, and of those that they redirect to, copied byte for byte, with the records that say
    where they come from.
    """
    from webarticlecurator.warc.exchanges import copy_exchanges

    if str(urls) == "-":
        text = sys.stdin.read()
    else:
        refuse(
            (
                not urls.is_file(),
                f"{urls}: there is no such file. --urls wants a text file with a URL a line.",
            )
        )
        text = urls.read_text(encoding="utf-8-sig", errors="replace")
    wanted = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    damages = _Damages(files)
    copied, absent = copy_exchanges(warc_paths(files), output, wanted, on_damage=damages)
    for url in absent:
        console.complain(f"{url}: not in these files")
    if copied:
        console.say(f"{copied} exchanges copied to {output}.")
    else:
        console.complain(f"Nothing was chosen, so {output} was not written.")
    return damages.ended(
        call,
        "chosen" if copied else "none chosen",
        failed=bool(absent) or not copied,
        file=shlex.quote(str(output)),
    )


@command(portals="none", corpus=False, json="One JSON object a line.")
def check(call: Call, files: Files) -> ExitCode:
    """
    \b
    Examples:
      curator warc check corpora/pelda               all files of a corpus, with what they say of each other
      curator warc check crawl.warc.gz --json        for programs

    Find what is wrong with WARC files: cut or foreign bytes, digests, missing parts of exchanges, references to what is nowhere;
    of a corpus also files that its ledger knows and that are missing or cut. Notes are worth knowing, but do not count: exit code 1
    means that there are errors.
    """
    from webarticlecurator.warc.file_check import Checker

    lost = [finding for folder in files for finding in _lost(folder)]
    paths = warc_paths(files, may_be_empty=bool(lost))
    counts = Counter[str]()
    with closing(Checker()) as checker:
        for finding in chain(lost, checker.check(paths)):
            counts[finding.severity] += 1
            is_shown = finding.severity == "error" or console.is_verbose()
            call.tell(asdict(finding), those_that_hold((is_shown, str(finding))))
    errors = counts["error"]
    hidden = text_if(counts["note"] and not console.is_verbose(), " (--verbose shows them)")
    read = f"{amount(len(paths), 'file')}, {amount(checker.records, 'record')}"
    console.say(f"{read}: {amount(errors, 'error')}, {amount(counts['note'], 'note')}{hidden}.")
    call.next("warc", "errors" if errors else "sound", typed=_typed(files))
    return ExitCode.FAILURES if errors else ExitCode.OK


@command()
def push(
    call: Call,
    to: Annotated[Path, option("--to", "The place: s3://BUCKET/PORTAL, or a folder.", "URL")],
    remove: Annotated[
        bool, option("--remove", "Take away here what was found whole there, digest by digest.")
    ] = False,
) -> ExitCode:
    """
    \b
    Examples:
      curator warc push portal.yaml --to s3://bucket/pelda              files that are complete
      curator warc push portal.yaml --to s3://bucket/pelda --remove     and make room here
      curator warc push portal.yaml --to /mnt/archive/pelda             to another disk

    Bring the sealed WARC files of a corpus to an object store, after a crawl or between two. Each file is read back and held against its
    SHA-256; what was found whole is noted, and neither sent nor read again. Crawls and builds go on here: all commands find files that lie
    there alone. Keys come from the environment, never from the URL.
    """
    from webarticlecurator.corpus import shipping

    pushed = call.run(shipping.push, to, remove=remove)
    sent, lie = (
        amount(pushed.sent, "file was", "files were"),
        amount(pushed.removed, "file lies", "files lie"),
    )
    before = f"{amount(pushed.there, 'was', 'were')} before."
    lines = those_that_hold(
        (True, f"{sent} sent to {pushed.to} ({size(pushed.bytes)}) and found whole; {before}"),
        (pushed.removed, f"  {lie} there alone now; curator finds them by warc/pushed.txt: keep that."),
    )
    lines += [f"  {name} is still open: the next crawl completes it." for name in pushed.still_open]
    call.tell(pushed, lines)
    call.next(
        "push",
        first_that_holds({"interrupted": not pushed.finished, "open": pushed.still_open, "well": True}),
    )
    return ExitCode.OK if pushed.finished and not pushed.still_open else ExitCode.INCOMPLETE


def _lost(folder: Path) -> Iterator[WarcFinding]:
    """Give what the ledger of a corpus knows of and its files hold no more."""
    from webarticlecurator.corpus.folder import Corpus
    from webarticlecurator.corpus.ledger import Ledger
    from webarticlecurator.corpus.recovery import lost_files
    from webarticlecurator.warc.file_check import WarcFinding

    corpus = Corpus(folder)
    if not corpus.ledger.is_file():
        return
    try:
        with Ledger.reading(corpus.ledger) as ledger:
            for loss in lost_files(corpus.warc, ledger):
                yield WarcFinding(corpus.warc / loss.file, loss.size, None, "lost", "error", str(loss))
    except CorpusError as error:
        console.complain(
            f"{with_advice(error, 'PORTAL')} Until then nobody knows whether whole files are missing."
        )


@dataclass
class _Damages:
    """Tells of damage while reading goes on, and remembers that there was some."""

    files: Sequence[Path]
    count: int = 0

    def __call__(self, damage: Damage) -> None:
        self.count += 1
        console.complain(str(damage))

    def ended(self, call: Call, situation: str, *, failed: bool = False, **names: object) -> ExitCode:
        """Return what comes of the command, and what to do next."""
        if self.count:
            console.complain(_damaged(self.count, self.files))
        else:
            call.next("warc", situation, typed=_typed(self.files), **names)
        return ExitCode.FAILURES if self.count or failed else ExitCode.OK


def _damaged(places: int, files: Sequence[Path]) -> str:
    return (
        f"{amount(places, 'damaged place')}. Next: `curator warc check {_typed(files)}` lists all that is "
        "wrong"
    )


def _typed(files: Sequence[Path]) -> str:
    """Return how files are named in the commands that we suggest."""
    return shlex.join(map(url_of, files))


Block = tuple[str, bytes, bytes | None]
"""An address, what was received of it, and what a browser made of that."""


def _find(
    places: Sequence[Path], wanted: Sequence[str], on_damage: _Damages
) -> Iterator[tuple[str, Block | None]]:
    """Yield each wanted URL or offset with what was found. Files are read for what no ledger knows:
    robots.txt, redirects, failed attempts."""
    from webarticlecurator.corpus.folder import Corpus
    from webarticlecurator.corpus.stored_pages import LedgerSource
    from webarticlecurator.warc.source import WarcSource

    corpus = Corpus(places[0]) if len(places) == 1 else None
    paths = warc_paths(places)
    with ExitStack() as opened:
        ledger = (
            opened.enter_context(closing(LedgerSource(corpus)))
            if corpus is not None and corpus.ledger.is_file()
            else None
        )
        files: WarcSource | None = None
        for name in wanted:
            if name.isdigit():
                if len(paths) != 1:
                    raise UsageError("A byte offset needs exactly one WARC file.")
                record = read_record(paths[0], int(name))
                yield name, (record.url or name, record.block, None)
                continue
            stored = _in_ledger(ledger, name)
            if stored is None:
                files = files or opened.enter_context(closing(WarcSource(paths, on_damage=on_damage)))
                stored = files.newest(Request(url=name))
            yield name, _block_of(stored) if stored is not None else None


def _in_ledger(ledger: LedgerSource | None, url: str) -> StoredAnswer | None:
    """Return the exchange with a page that a ledger knows; where the ledger is wrong the files may tell
    more."""
    if ledger is None:
        return None
    with suppress(CorpusError):
        stored = ledger.newest(Request(url=url))
        if (
            stored is not None
            and stored.exchange is not None
            and normalise(stored.capture.url) == normalise(url)
        ):
            return stored
    return None


def _block_of(stored: StoredAnswer) -> Block:
    received = stored.exchange.response_bytes if stored.exchange is not None else None
    return stored.capture.url, received or b"", stored.rendered.html if stored.rendered is not None else None


def _output(block: Block, folder: Path | None, *, payload: bool) -> None:
    """Write a block to stdout, or into a file whose name is told."""
    name, received, rendered = block
    http, content, extension = parse_response(received), received, "http"
    if payload and rendered is not None:
        content, extension = rendered, "html"
    elif payload and http is not None:
        content = unpacked_body(http, MAX_BLOCK)
        if len(content) == MAX_BLOCK:
            console.complain(f"{name}: only the first {MAX_BLOCK >> 20} MB of the unpacked body are shown.")
        extension = mimetypes.guess_extension(mime_of(http.headers)) or ".bin"
    if folder is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    folder.mkdir(parents=True, exist_ok=True)
    # Safe on every file system: the end of the URL's path, and a digest that keeps alike ones apart.
    slug = linear(r"[^a-z0-9]+").sub("-", split(name).path.lower()).strip("-")[-60:].strip("-") or "page"
    path = (
        folder
        / f"{slug}-{sha256(name.encode('utf-8', 'replace')).hexdigest()[:10]}.{extension.removeprefix('.')}"
    )
    path.write_bytes(content)
    console.data(f"{path}\t{name}")
