"""First portal files: `curator new` makes one of an address, `curator convert` of what other programs are
configured by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from webarticlecurator import settings
from webarticlecurator.amounts import amount, part, prefixed, text_if
from webarticlecurator.cli import console
from webarticlecurator.cli.command import (
    STDOUT,
    Call,
    Contact,
    PortalName,
    WarcFiles,
    argument,
    as_typed,
    command,
    option,
    with_advice,
)
from webarticlecurator.cli.page_sources import existing, required_contact
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.cli.tips import first_that_holds
from webarticlecurator.errors import CuratorError, PortalFileError, UsageError, refuse
from webarticlecurator.model.progress import Work
from webarticlecurator.storage.drafts import is_stream, write_new

if TYPE_CHECKING:
    from webarticlecurator.converting.portal_file import Conversion
    from webarticlecurator.databases import Row

_MOST_TOLD = 20
_TOLD_OF = 3
"""The number of portals of which all that is not said is told."""
_INSTALLED = Path("fundus")
"""The name that stands for the program itself, which has no configurations but a table."""
_IS_THERE = "{} is there already, and is not overwritten: name another file with -o, or move it away."
"""The reason why no file is written."""


@command(portals="none")
def new(
    call: Call,
    url: Annotated[
        str | None,
        argument(
            "URL|NAME",
            "The address of the site, or of the part of it that is wanted; or a name of `curator portals`.",
            parse=PortalName(),
        ),
    ] = None,
    output: Annotated[
        Path | None,
        option(
            "--output -o", "Where it goes; - prints it.  [default: portal.yaml; of a NAME, NAME.yaml]", "FILE"
        ),
    ] = None,
    warc: WarcFiles = (),
    contact: Contact = None,
    creator: Annotated[
        tuple[str, ...], option("--creator", "Who makes the corpus, for documents and releases.", "NAME")
    ] = (),
) -> ExitCode:
    """
    \b
    Examples:
      curator new https://pelda.example/                          look at a site, and write portal.yaml
      curator new https://pelda.example/ -o pelda/portal.yaml     the corpus will lie beside that file
      curator new https://pelda.example/essays/                   add this list to the portal.yaml that is there
      curator new --warc pelda.warc.gz                            from stored pages alone
      curator new telex                                           copy the file of a name to telex.yaml

    Look at a site politely, with at most 30 requests, all of them stored in the corpus. Find out what it is made with, where
    it lists its articles and how that goes on from page to page, and write a first portal file: a reason beside each line,
    and alternatives where it is not sure. No file is overwritten; a file of the same site gets one column more, and stays as
    it is otherwise.
    """
    from webarticlecurator.config.load import FILE_NAME, portal_at
    from webarticlecurator.corpus.folder import corpus_of
    from webarticlecurator.learning.site.names import name_of
    from webarticlecurator.new_portal import begin
    from webarticlecurator.resources import shipped_portals

    refuse(
        (
            bool(url) == bool(warc),
            "Say what to look at, in one way: curator new https://pelda.example/, or --warc FILE.",
        ),
        (
            call.as_json and output == STDOUT,
            "--json and -o - both write to stdout: give the portal file a place, -o portal.yaml.",
        ),
    )
    came_with_it = shipped_portals()
    if url in came_with_it:
        return _copy(call, url, came_with_it[url], output or Path(f"{url}.yaml"))
    _refuse_unknown_name(url)
    output = output or Path(FILE_NAME)
    output = output / FILE_NAME if output.is_dir() else output
    to_stream = _is_stream(output)
    if output.exists() and not to_stream:
        return _add_column(call, url, output, contact)
    creators = settings.creators(creator)
    file = (
        Path(FILE_NAME) if to_stream else output
    )  # the corpus lies beside it, and nothing lies beside a stream
    stored: Path | None = None
    if warc:
        made = begin.new_from_warcs(
            [existing(path) for path in warc], file, creators, lambda damage: console.complain(str(damage))
        )
    else:
        assert url is not None
        _say_described(url)
        portal = replace(portal_at(url, name_of(url), file), creator=creators)
        stored = corpus_of(portal, call.corpus).folder
        who = required_contact([portal], contact, command="new")
        with call.work() as (stop, progress):
            made = begin.new_from_web(
                url, portal, corpus=call.corpus, contact=who, progress=progress, stop=stop
            )
    if (text := made.pop("text")) is not None:
        _write(output, text)
    call.tell(
        {**made, "file": str(output) if text is not None else None, "seconds": round(made.seconds, 1)}, ()
    )
    console.say("\n".join(_in_words(made, output, stored, is_written=text is not None)))
    has_articles = any(column.articles for column in made.columns)
    call.next(
        "new",
        _situation(made, text, has_articles),
        typed=as_typed(str(file), call.corpus),
        file=file,
        url=made.source,
    )
    return first_of(
        (ExitCode.BLOCKED, made.blocked is not None),
        (ExitCode.INCOMPLETE, made.interrupted),
        (ExitCode.FAILURES, not has_articles),
    )


def _name_after_copy(name: str, output: Path) -> str:
    """Return what the name of a portal means when its file was copied."""
    from webarticlecurator.config.load import portal_path

    if portal_path(name) == output:
        corpora = output.parent / "corpora"
        return f"Here {name} means this copy from now on, and its corpus lies in {corpora}."
    return f"{name} still means the file that came with curator: call your copy {output}."


def _copy(call: Call, name: str, shipped: Path, output: Path) -> ExitCode:
    """Write a portal file that came with curator to where it can be edited: a file, or into a folder."""
    from webarticlecurator.resources import tests_of

    to_stream = _is_stream(output)
    if output.is_dir():
        output /= f"{name}.yaml"
    refuse((output.exists() and not to_stream, _IS_THERE.format(output)))
    _write(output, shipped.read_text(encoding="utf-8"))
    call.tell({"source": str(shipped), "file": str(output)}, ())
    tests = tests_of(shipped)
    stays = text_if(tests.is_file(), f" Its tests.yaml is not copied: {tests}")
    if not to_stream:
        console.say(
            f"Written: {output}, as it came with curator; newer versions leave your copy as it is.{stays}"
            f"\n{_name_after_copy(name, output)}"
        )
        call.next("new", "copied", typed=as_typed(str(output), call.corpus))
    return ExitCode.OK


def _refuse_unknown_name(name: str | None) -> None:
    """Raises UsageError for what is neither an address nor a name."""
    from webarticlecurator.config.load import no_portal_of_name
    from webarticlecurator.urls import is_http

    if name is not None and not is_http(name):
        error = no_portal_of_name(name, f"{name[:200]} is no address that begins with http:// or https://")
        raise UsageError(with_advice(error, as_typed(name, None)))


def _say_described(url: str) -> None:
    """Tell which portals that came with curator are of the site of an address."""
    from webarticlecurator.config.shipped import of_address

    for name in of_address(url):
        console.say(f"{name}, which came with curator, describes that site: `curator new {name}` copies it.")


def _is_stream(output: Path) -> bool:
    return output == STDOUT or is_stream(output)


def _write(output: Path, text: str) -> None:
    """Write a portal file to its place; `-` is stdout."""
    if output == STDOUT:
        console.data(text.rstrip("\n"))
        return
    try:
        write_new(output, text)
    except PermissionError:
        raise UsageError(
            f"You may not write into the folder {output.absolute().parent}: name another file with -o; its "
            "corpus will lie beside it, or where --corpus says."
        ) from None


def _situation(made: Row, text: str | None, has_articles: bool) -> str:
    """Return by which situation the next command is told."""
    is_written = text is not None
    return first_that_holds(
        {
            "well": is_written and has_articles,
            "empty": is_written,
            "interrupted": made.interrupted,
            "blocked": made.blocked is not None,
            "unread": True,
        }
    )


def _add_column(call: Call, url: str | None, output: Path, contact: str | None) -> ExitCode:
    """Add a list to the portal file that is there, if it is of the same site."""
    from webarticlecurator.config.load import load_portal
    from webarticlecurator.config.yaml_edits import editable, replace_file
    from webarticlecurator.new_portal import begin
    from webarticlecurator.new_portal.further_column import column_at, is_of_portal

    there = _IS_THERE.format(output)
    try:
        portal = load_portal(output)
    except PortalFileError:
        raise UsageError(there) from None
    if url is None or not is_of_portal(url, portal):
        raise UsageError(f"{there} A list of its site can be added to it: curator new ADDRESS of the list.")
    if (name := column_at(url, portal)) is not None:
        call.tell({"source": url, "file": str(output), "added": None, "column": name}, ())
        console.say(f"{output} has a column for {url} already: `{name}`. Nothing was asked.")
        return ExitCode.OK
    editable(output)
    who = required_contact([portal], contact, command="new")
    with call.work() as (stop, progress):
        added = begin.column_from_web(
            url, portal, corpus=call.corpus, contact=who, progress=progress, stop=stop
        )
    if added.after is None or added.seen is None:
        call.tell({"source": url, "file": str(output), "added": None}, ())
        console.say(f"{url}: {added.failed}. {output} stays as it is.")
        return ExitCode.INCOMPLETE if stop.is_set() else ExitCode.FAILURES
    call.tell({"source": url, "file": str(output), "added": added.name}, ())
    replace_file(portal.sources[0].path, added.after)
    console.say(
        f"{url}: {_seen(added.seen)}\n  Added to {output}: the column `{added.name}`. All else in it is as "
        "it was."
    )
    console.say(*prefixed("    - ", added.seen.remarks))
    call.next("new", "well", typed=as_typed(str(output), call.corpus), file=output, url=url)
    return ExitCode.OK


def _in_words(made: Row, output: Path, stored: Path | None, *, is_written: bool) -> Iterator[str]:
    """Tell what was seen of a site, and what was written; `stored`: the corpus in which its answers are."""
    asked = (
        f"{amount(made.requests, 'request')}, {made.seconds:.0f} s" if made.requests else "nothing was asked"
    )
    yield f"{made.source}: {made.portal} ({asked})"
    if made.interrupted:
        yield f"  Interrupted. What was answered is stored in {stored}; no file was written."
    elif not is_written:
        why = f"looked at: {made.blocked}" if made.blocked is not None else f"read: {made.failed or ''}"
        yield f"  The site cannot be {why}. No file was written; what was asked is stored in {stored}."
    else:
        yield from _of_site(made)
        yield from console.listed(
            "  To be looked at by a person:", list(_doubts(made)), _MOST_TOLD, "--json tells all"
        )
        if made.blocked is not None:
            yield f"  Something is kept from us: {made.blocked}"
        yield f"  Written: {'stdout' if output == STDOUT else output}"


def _of_site(made: Row) -> Iterator[str]:
    """Tell the software of a site, and where its articles are listed."""
    if made.system is not None:
        preset = part("; its preset `{}` knows where the articles are", made.preset)
        yield f"  Made with {made.system}{preset}."
    if made.columns:
        yield "  Where its articles are listed, and what the written rules find there:"
        rows = [
            (column.name, column.url, _seen(column))
            for column in made.columns
            if column.articles or made.preset is None
        ]
        yield from console.aligned(rows[:_MOST_TOLD], indent="    ")
        yield from console.more(len(rows) - _MOST_TOLD, "--json tells all")


def _doubts(made: Row) -> Iterator[str]:
    for proposal in made.unsure:
        yield f"    - `{proposal.name}` is not sure: {proposal.question or 'look at it'}"
    yield from prefixed("    - ", made.remarks)
    for column in made.columns:
        yield from prefixed(f"    - {column.name}: ", column.remarks)


def _seen(column: Row) -> str:
    if not column.asked:
        return (
            f"{column.articles} {column.what}, on another of its pages"
            if column.articles
            else "not looked at"
        )
    goes_on, remarks = text_if(column.next, ", goes on"), text_if(column.remarks, ", see below")
    return f"{column.articles} {column.what}{goes_on}{remarks}"


@command(portals="none", corpus=False)
def convert(
    call: Call,
    files: Annotated[list[Path], argument("FILE|FOLDER|fundus", "What the other program reads.")],
    output: Annotated[
        Path, option("--output -o", "A folder, for a folder a portal; or the one portal file.", "DIR|FILE")
    ] = Path("portals"),
) -> ExitCode:
    """
    \b
    Examples:
      curator convert pelda.example.txt                         a site configuration of fivefilters
      curator convert ftr-site-config/ -o portals/              all of a folder, a portal each
      curator convert pelda.yaml -o pelda/portal.yaml           a site schema of WebArticleCurator 1.x
      curator convert pelda.yaml pelda_specific.py              and HTML2TEI's module of that portal
      curator convert fundus -o portals/                        the publishers of fundus, if installed
      curator convert ftr-site-config/ --json                   what is said and what is not, for programs

    Write portal files that `curator check` accepts: what is data becomes rules, exactly or not at all. What could not be said
    stands at the end of each file with what a person may do, is told here, and counted. Python is read and never run. Files
    of ELTE's programs that begin with one name, as above, become one portal. No file is overwritten. The exit code is 1 when
    a file could not be converted.
    """
    groups = _to_convert(files)
    is_file = output.suffix in (".yaml", ".yml") or is_stream(output)
    several = f"{amount(len(groups), 'portal')} are several files"
    refuse((is_file and len(groups) > 1, f"{several}: name a folder with -o, such as -o portals/"))
    account = _Account([], Counter(), Counter(), {})
    are_many = len(groups) > _TOLD_OF
    tells_each = not call.as_json and (console.is_verbose() or not are_many)
    with call.work() as (stop, progress):
        work = Work("convert", "reading", progress, stop, unit="portals")
        for done, (group, read) in enumerate(groups, start=1):
            try:
                conversion = read()
                path = output if is_file else output / conversion.name / "portal.yaml"
                conversion.write(path)
            except CuratorError as error:
                account.failures[group] = str(error)
            else:
                account.add(conversion, path)
                if tells_each:
                    lines = console.listed(
                        "  Not said:", prefixed("    ", conversion.unsaid), 20, f"{path} lists them"
                    )
                    console.data("\n".join([f"{path}: {amount(conversion.said.total(), 'rule')}", *lines]))
            if are_many:
                work.show("", done, len(groups))
            if stop.is_set():
                break
    call.tell(account._asdict(), account.in_words(len(groups)))
    account.complain()
    portals = account.portals
    call.next("convert", "done" if portals else "nothing", file=portals[0]["file"] if portals else "")
    return first_of((ExitCode.INCOMPLETE, stop.is_set()), (ExitCode.FAILURES, account.failures))


class _Account(NamedTuple):
    """The results of reading files of another program."""

    portals: list[dict[str, object]]
    said: Counter[str]
    unsaid: Counter[str]
    failures: dict[str, str]

    def add(self, conversion: Conversion, path: Path) -> None:
        self.unsaid.update(item.kind for item in conversion.unsaid)
        self.said.update(conversion.said)
        left = [item._asdict() for item in conversion.unsaid]
        self.portals.append(
            {"portal": conversion.name, "file": str(path), "said": conversion.said, "unsaid": left}
        )

    def complain(self) -> None:
        for failed, reason in self.failures.items():
            console.complain(f"{failed}: {reason}" if failed not in reason else reason)

    def in_words(self, groups: int) -> list[str]:
        from webarticlecurator.converting.portal_file import KINDS

        rows = [(f"{number:,}", kind, KINDS[kind]) for kind, number in self.unsaid.most_common()]
        files = (
            f"{amount(len(self.portals), 'portal file')} of {amount(groups, 'portal')}: "
            f"{amount(self.said.total(), 'rule')}"
        )
        return [
            files,
            *console.listed(f"Not said: {self.unsaid.total():,}", console.aligned(rows)),
        ]


def _to_convert(files: list[Path]) -> list[tuple[str, Callable[[], Conversion]]]:
    """Return the names of all that is to be converted, and what reads each."""
    from webarticlecurator.converting.programs import conversions, installed_publishers

    if files == [_INSTALLED] and not _INSTALLED.exists():
        return installed_publishers()
    return conversions(list(_all_of(files)))


def _all_of(files: Iterable[Path]) -> Iterator[Path]:
    for path in files:
        if path.is_dir():
            endings = (".txt", ".yaml", ".yml", ".py")
            yield from (
                inner for inner in sorted(path.iterdir()) if inner.suffix in endings and inner.is_file()
            )
        elif path.is_file():
            yield path
        else:
            raise UsageError(f"{path}: there is no such file.")
