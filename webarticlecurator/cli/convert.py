"""`curator convert`: portal files of what other programs are configured by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, argument, command, option
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.errors import CuratorError, UsageError
from webarticlecurator.model.progress import Snapshot

_MOST_TOLD = 3
"""Portals of which all that is not said is told."""
_ENDINGS = (".txt", ".yaml", ".yml", ".py", ".tsv")


@command(portals="none", corpus=False)
def convert(
    call: Call,
    files: Annotated[list[Path], argument("FILE|FOLDER", "What the other program reads.")],
    output: Annotated[Path, option("--output -o", "A folder, for a folder a portal; or the one portal file.", "DIR|FILE")] = Path(
        "portals"
    ),
) -> ExitCode:
    """
    \b
    Examples:
      curator convert pelda.example.txt                         a site configuration of fivefilters
      curator convert ftr-site-config/ -o portals/              all of a folder, a portal each
      curator convert pelda.yaml -o pelda/portal.yaml           a site schema of WebArticleCurator 1.x
      curator convert pelda.yaml pelda_specific.py pelda_*.tsv  and HTML2TEI's module and tag tables of that portal
      curator convert ftr-site-config/ --json                   what is said and what is not, for programs

    Write portal files that `curator check` accepts: what is data becomes rules, exactly or not at all. What could not be said
    stands at the end of each file with what a person may do, is told here, and counted. Python is read and never run. Files
    of ELTE's programs that begin with one name, as above, become one portal. No file is overwritten. The exit code is 1 when
    a file could not be converted.
    """
    from webarticlecurator.converting.portal_file import KINDS
    from webarticlecurator.converting.programs import converted, grouped

    groups = grouped(list(_all_of(files)))
    if not groups:
        raise UsageError(f"There is nothing to convert: names of files end in {', '.join(_ENDINGS)}.")
    is_file = output.suffix in (".yaml", ".yml")
    if is_file and len(groups) > 1:
        raise UsageError(f"{amount(len(groups), 'portal')} are several files: name a folder with -o, such as -o portals/")
    failures: dict[str, str] = {}
    portals: list[dict[str, object]] = []
    said, unsaid = Counter[str](), Counter[str]()
    with call.work() as (stop, progress):
        for done, group in enumerate(groups, start=1):
            try:
                conversion, text = converted(group)
                path = output if is_file else output / conversion.name / "portal.yaml"
                conversion.write(path, text)
            except CuratorError as error:
                failures[", ".join(map(str, group))] = str(error)
            else:
                unsaid.update(item.kind for item in conversion.unsaid)
                said += conversion.said
                left = [item._asdict() for item in conversion.unsaid]
                portals.append({"portal": conversion.name, "file": str(path), "said": conversion.said, "unsaid": left})
                if not call.as_json and (len(groups) <= _MOST_TOLD or console.is_verbose()):
                    lines = console.listed("  Not said:", [f"    {each}" for each in conversion.unsaid], 20, f"{path} lists them")
                    console.lines("\n".join([f"{path}: {amount(conversion.said.total(), 'rule')}", *lines]))
            if len(groups) > _MOST_TOLD:
                progress.show(Snapshot(portal="convert", phase="reading", articles=done, waiting=len(groups) - done, unit="portals"))
            if stop.is_set():
                break
    value = {"portals": portals, "said": said, "unsaid": unsaid, "failures": failures}
    rows = [(f"{number:,}", kind, KINDS[kind]) for kind, number in unsaid.most_common()]
    words = [f"{amount(len(portals), 'portal file')} of {amount(len(groups), 'portal')}: {amount(said.total(), 'rule')}"]
    call.tell(value, [*words, *console.listed(f"Not said: {sum(unsaid.values()):,}", console.aligned(rows) if rows else [])])
    for failed, reason in failures.items():
        console.complain(f"{failed}: {reason}" if failed not in reason else reason)
    call.next("convert", "done" if portals else "nothing", file=portals[0]["file"] if portals else "")
    return first_of((ExitCode.INCOMPLETE, stop.is_set()), (ExitCode.FAILURES, failures))


def _all_of(files: Iterable[Path]) -> Iterator[Path]:
    for path in files:
        if path.is_dir():
            yield from (inner for inner in sorted(path.iterdir()) if inner.suffix in _ENDINGS and inner.is_file())
        elif path.is_file():
            yield path
        else:
            raise UsageError(f"{path}: there is no such file.")
