"""The short form of `make soak`: every case once, so that a change that breaks one is seen before the long run sees it."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from benchmarks.results import load_all
from soak.__main__ import CASES, RESULTS, main
from soak.cases import Case, Limits
from soak.full_disks import may_mount
from soak.fuzz_rounds import total_of
from soak.fuzz_targets import TARGETS
from soak.fuzzing import Tally
from soak.page import PAGE, long_run_page

INPUTS = 15
"""Made up for each reader; the long run has millions."""


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case.short], ids=lambda case: f"{case.kind}: {case.name}")
def test_nothing_is_lost_doubled_or_invented(case: Case, tmp_path: Path) -> None:
    if case.needs_mount and not may_mount():
        pytest.skip("only root may make a small disk")
    outcome = case.run(tmp_path, Limits(case.short, time.monotonic() + 60))
    assert outcome.is_clean, outcome
    assert outcome.times or "kill" in case.done, "it was disturbed"


def test_a_kind_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "kills", "power_cuts"])
    assert "there is no kind power_cuts" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=INPUTS, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate], derandomize=True)
@given(data=st.data())
def test_no_input_breaks_what_a_reader_promises(name: str, data: st.DataObject) -> None:
    TARGETS[name].check(data.draw(TARGETS[name].inputs))


def test_what_several_processes_gave_to_a_reader_adds_up(tmp_path: Path) -> None:
    for begun, inputs in ((1000, 5), (2000, 7), (3000, 11)):
        part = tmp_path / f"{begun}-1"
        part.mkdir()
        (part / "JSON-LD.json").write_text(json.dumps(asdict(Tally("JSON-LD", "atheris", inputs, 1.5, []))))
    (tmp_path / "JSON-LD.reached").mkdir()
    assert total_of("JSON-LD", tmp_path, since=2.0) == Tally("JSON-LD", "atheris", 18, 3.0, [])


def test_the_page_of_the_long_run_is_what_the_last_runs_found() -> None:
    assert PAGE.read_text("utf-8") == long_run_page(load_all(RESULTS), CASES, TARGETS), "run `python -m soak --page`"
