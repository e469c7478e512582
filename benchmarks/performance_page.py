"""The page of docs/ that says what crawling, building, reading and looking cost, made of results and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks.result_pages import as_markdown, figures_table, machine_said
from benchmarks.results import Result

HEAD = """\
# Performance

What crawling, building, reading and looking cost, beside published programs, as `make bench` measured it. This page is written by that
command: no figure in it was typed. [benchmarks/](../../benchmarks/README.md) says what each script does and how to run one of them alone.

Ratios carry over to other machines, seconds do not. Run `make bench` to see yours, or `make bench QUICK=1` first, which shows in about ten
minutes that all of it runs. Each figure that was wanted stands with what was wanted of it, and a figure that is worse is called missed.
Where other programs kept the machine busy meanwhile, the section says how much; an older one says the load of the minute before instead.
"""


def performance_page(results: Sequence[Result]) -> str:
    return "\n".join([HEAD, *_summary(results), *(as_markdown(result) for result in results)])


def _summary(results: Sequence[Result]) -> Iterator[str]:
    """Where it was measured, and all that was missed in one table."""
    for machine in {replace(result.machine, load=0.0): None for result in results}:
        yield f"Machine: {machine_said(machine)}.\n"
    if any(result.quick for result in results):
        yield "**Some sections are of a quick run**, whose sizes are too small for figures to be relied on; each says so at its end.\n"
    figures = [figure for result in results for figure in result.figures if figure.reached is not None]
    missed = [figure for figure in figures if not figure.reached]
    reached = len(figures) - len(missed)
    yield f"{len(figures)} figures have a mark to reach; {reached} of them reached it.\n"
    if missed:
        yield f"## What is missed\n\n{figures_table(missed)}\n"
        yield from (f"- {why}" for why in dict.fromkeys(figure.why for figure in missed if figure.why))
        yield ""
