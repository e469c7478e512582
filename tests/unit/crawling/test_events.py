"""Events survive the store: what is applied live and what is read back from a WARC are the same."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.crawling.events import (
    ArticleEvent,
    BlockedEvent,
    Event,
    HopEvent,
    PageEvent,
    RightsEvent,
    UnprovedEvent,
    WalkEndEvent,
    decode,
    encode,
)
from webarticlecurator.errors import CorpusError

st.register_type_strategy(int, st.integers(0, 2**53))
_FIELDS = st.dictionaries(st.sampled_from(["headline", "datePublished", "keywords"]), st.lists(st.text(), min_size=1).map(tuple))
_LINKS = st.lists(st.tuples(st.text(), st.none() | st.text(), _FIELDS)).map(tuple)
_KINDS = [PageEvent, WalkEndEvent, UnprovedEvent, ArticleEvent, HopEvent, RightsEvent, BlockedEvent]
_EVENTS = st.one_of([st.builds(kind, links=_LINKS) if kind is PageEvent else st.builds(kind) for kind in _KINDS])


@given(_EVENTS)
def test_an_event_comes_back_from_json_as_it_went_in(event: Event) -> None:
    assert decode(orjson.loads(orjson.dumps(encode(event)))) == event


def test_an_event_of_a_newer_program_is_an_error_and_no_gap() -> None:
    with pytest.raises(CorpusError, match="newer"):
        decode({"kind": "from-the-future", "seq": 1})


def test_an_event_that_lacks_what_it_needs_is_an_error() -> None:
    with pytest.raises(CorpusError, match="not complete"):
        decode({"kind": "rights", "seq": 1})
