"""The promises that `soak/` tries for hours, with a few examples for everybody."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soak.__main__ import CASES
from soak.cases import Case, Limits
from soak.full_disks import may_mount
from soak.fuzz_targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.data())
def test_the_promise_holds(name: str, data: st.DataObject) -> None:
    TARGETS[name].check(data.draw(TARGETS[name].inputs))


# --- the short form of `make soak`: every case once ---


@pytest.mark.nightly
@pytest.mark.parametrize("case", [case for case in CASES if case.short], ids=lambda case: f"{case.kind}: {case.name}")
def test_nothing_is_lost_doubled_or_invented(case: Case, tmp_path: Path) -> None:
    if case.needs_mount and not may_mount():
        pytest.skip("only root may make a small disk")
    outcome = case.run(tmp_path, Limits(case.short, time.monotonic() + 60))
    assert outcome.is_clean, outcome
    assert outcome.times or "kill" in case.done, "it was disturbed"
