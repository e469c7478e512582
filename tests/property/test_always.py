"""What must hold for every input of a reader or writer: the promises that `soak/` fuzzes for hours, with a few examples for everybody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soak.fuzz_targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.data())
def test_the_promise_holds(name: str, data: st.DataObject) -> None:
    TARGETS[name].check(data.draw(TARGETS[name].inputs))
