"""What a benchmark found is kept whole, and said with what was wanted of it."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.result_pages import as_markdown
from benchmarks.results import Figure, Record, Result, load, load_all, number, said, save, wanted


@pytest.fixture
def result() -> Result:
    record = Record("Baking", "Bread was baked, side by side.")
    record.versions["oven"] = "1.2"
    record.of_rounds("theirs / ours", [2.0, 2.5, 2.25], at_least=2)
    record.figure("memory", 160.0, "MB", at_most=150)
    record.figure("crumbs", 1234567)
    record.table("Loaves", ("kind", "count", "share"), [("rye|oat", 12000, 0.25), ("spelt", None, 0.5)], note="Of one day.")
    record.chart("loaves", "Loaves by kind", "loaves", ("rye", "spelt"), {"ours": (1.0, None)})
    record.leave_out("wheat: there is none")
    return replace(record.result(), name="loaves", command="python benchmarks/loaves.py", date="2026-03-01T10:00:00+00:00", seconds=61.0)


def test_a_result_is_read_as_it_was_saved(result: Result, tmp_path: Path) -> None:
    place = save(result, tmp_path)
    assert place.name == "loaves.json"
    assert load(place) == result
    assert load_all(tmp_path) == {"loaves": result}


@pytest.mark.parametrize(
    ("bounds", "reached"),
    [({}, None), ({"at_least": 2}, True), ({"at_least": 2.1}, False), ({"at_most": 2}, True), ({"at_most": 1}, False)],
)
def test_a_figure_says_whether_it_is_what_was_wanted(bounds: dict[str, float], reached: bool | None) -> None:
    assert Figure(name="ratio", value=2.0, **bounds).reached is reached


def test_a_figure_is_said_with_its_interval_and_its_bound(result: Result) -> None:
    ratio, memory, crumbs = result.figures
    assert (said(ratio), wanted(ratio)) == ("2.25 times (2.00 to 2.50, of 3 rounds)", "at least 2")
    assert (said(memory), wanted(memory)) == ("160 MB", "at most 150")
    assert (said(crumbs), wanted(crumbs)) == ("1,234,567", "")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0123, "0.012"), (1.0, "1.000"), (2.0, "2.00"), (12.345, "12.3"), (123.45, "123"), (98765.4, "98,765"), (3, "3"), (None, "–")],
)
def test_a_number_has_the_digits_that_tell_something(value: float | None, shown: str) -> None:
    assert number(value) == shown


def test_a_section_of_a_page_says_what_was_missed_and_what_is_not_there(result: Result) -> None:
    lines = as_markdown(result, "../images/bench").splitlines()
    assert lines[0] == "## Baking"
    assert "**Not measured here**: wheat: there is none." in lines
    assert "| memory | 160 MB | at most 150 | **missed** |" in lines
    assert "![Loaves by kind](../images/bench/loaves.svg)" in lines
    assert [line for line in lines if "rye" in line] == [r"| rye\|oat | 12,000 | 0.250 |"]
    assert lines[-1].startswith("Measured on 2026-03-01 in 61 seconds, with webarticlecurator ")


def test_a_section_says_what_else_kept_the_machine_busy(result: Result) -> None:
    def footing_of(others: float | None) -> str:
        return as_markdown(replace(result, others=others, machine=replace(result.machine, load=2.5, cores=4)), "").rstrip().splitlines()[-1]

    assert footing_of(0.04).endswith("oven 1.2.")
    assert footing_of(0.75).endswith("Meanwhile other programs kept 0.75 of 4 cores busy.")
    assert footing_of(None).endswith("In the minute before, the load was 2.5 on 4 cores.")


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="no /proc/stat")
def test_work_that_another_program_does_meanwhile_is_counted_and_our_own_is_not() -> None:
    def others(*, waited_for: bool) -> float:
        record = Record("Baking", "Bread was baked.")
        busy = subprocess.Popen(
            [sys.executable, "-c", "import time\nuntil = time.process_time() + 1\nwhile time.process_time() < until: pass"]
        )
        if waited_for:
            busy.wait()
            return record.result().others or 0.0
        os.waitid(os.P_PID, busy.pid, os.WEXITED | os.WNOWAIT)  # ended, and not yet waited for: as a program of somebody else
        found = record.result().others or 0.0
        busy.wait()
        return found

    assert others(waited_for=False) - others(waited_for=True) > 0.3
