"""docs/explanation/long-run.md, made of the table of cases, the targets of the fuzzing, and what the last runs found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from benchmarks.result_pages import footing, markdown_table
from benchmarks.results import Cell, Result
from soak import ROOT
from soak.cases import Case
from soak.fuzz_targets import Target

PAGE = ROOT / "docs" / "explanation" / "long-run.md"
COUNTS = ("disturbed", "lost", "doubled", "invented", "broken")
HEAD = """\
# The long run

What happens when things go wrong: when the machine dies, the disk is full, the network is gone, and when bytes come that nobody meant. Each
case of this page is tried again and again by `make soak`, and what came out is in the tables. This page is written by that command.

After each disturbance the command runs again, as a person would run it, and its corpus is compared with that of a run that nothing
disturbed:

- **lost** is what the undisturbed run has and the other has not: an article, a stored answer, a proof, a document;
- **doubled** is what is stored twice;
- **invented** is what no undisturbed run has;
- **broken** is any other promise: a traceback, an exit code that is not true, a file that is not valid.

```console
$ make soak                              # four hours
$ make soak HOURS=12                     # longer: most of it is for fuzzing
$ make soak HOURS=1 ONLY="kills clocks"  # some kinds alone
$ make soak SHORT=1                      # each case once, in about a minute
```

Kinds are the headings below. A small disk can only be made by root, and is left out for others. Fuzzing is by atheris where that is
installed (`pip install -e '.[fuzz]'`), else by hypothesis. A fault is printed with its place, the exit code is 1, and what was found by
fuzzing lies in `.soak/` with the input.
"""
_TITLES = {
    "kills": ("Kills", "Commands are killed with SIGKILL, as the system does it when memory is short."),
    "power cuts": ("Power cuts", "What a program has written is only on the disk when it has been synced."),
    "full disks": ("Full disks", "No room is left, at any write."),
    "network": ("Network", "Waiting is done by a clock that is moved, so an hour without a network takes a moment."),
    "clocks": ("Clocks", "Time stamps are the machine's, and its clock may be wrong."),
    "databases": ("Databases in use", "SQLite lets one program write at a time."),
    "portal files": ("Portal files that change", "A run reads the portal file once, at its beginning."),
}
_FUZZING = """\
## Fuzzing

Every reader of what others wrote is given inputs that nobody meant: damaged, cut, spliced, or made up to reach what no other input has
reached. No exception may come out of it but those that it declares, and none may take longer than its bound (5 to 20 seconds of CPU, many
times what the worst known takes). Cases that were found have become tests. Inputs and minutes (of CPU) are those of all runs,
what is broken is the last run's.
"""


def long_run_page(results: Mapping[str, Result], cases: Sequence[Case], targets: Mapping[str, Target]) -> str:
    parts = [HEAD]
    for kind, (title, about) in _TITLES.items():
        result = results.get(kind.replace(" ", "_"))
        parts.append(f"## {title}\n\n{about}\n\n" + "\n".join(_cases([case for case in cases if case.kind == kind], result)) + "\n")
    parts.append(f"{_FUZZING}\n" + "\n".join(_fuzzing(targets, results.get("fuzzing"))) + "\n")
    return "\n".join(parts)


def _cases(cases: Sequence[Case], result: Result | None) -> Iterator[str]:
    yield "| case | what is done | what happens |"
    yield "|---|---|---|"
    yield from (f"| {case.name} | {case.done} | {case.happens} |" for case in cases)
    yield ""
    yield from _found(result)


def _fuzzing(targets: Mapping[str, Target], result: Result | None) -> Iterator[str]:
    yield "| reader | what holds for every input |"
    yield "|---|---|"
    yield from (f"| {name} | {target.promise} |" for name, target in targets.items())
    yield ""
    yield from _found(result)


def _found(result: Result | None) -> Iterator[str]:
    if result is None:
        yield "No run has been kept yet."
        return
    (table,) = result.tables
    yield markdown_table(replace(table, rows=(*table.rows, *_sums(table.rows))))
    yield ""
    yield from (f"Not done here: {what}." for what in result.left_out)
    yield footing(result)


def _sums(rows: Sequence[Sequence[Cell]]) -> Iterator[tuple[Cell, ...]]:
    """A row that says what all the others come to, where there are several."""
    if len(rows) > 1:
        yield ("together", *(sum(one for one in column if isinstance(one, int)) for column in list(zip(*rows, strict=True))[1:]))
