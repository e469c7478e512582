"""Events survive the store: what is applied live and what is read back from a WARC are the same; anything else is refused by its name."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webarticlecurator.corpus.events import (
    ArticleEvent,
    BlockedEvent,
    DriftEvent,
    Event,
    HopEvent,
    LookedAtEvent,
    PageEvent,
    RightsEvent,
    UnprovedEvent,
    WalkEndEvent,
    decode,
    encode,
)
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import Location
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.warc.stored import Stored

st.register_type_strategy(int, st.integers(0, 2**53))
_FIELDS = st.dictionaries(st.sampled_from(["headline", "datePublished", "keywords"]), st.lists(st.text(), min_size=1).map(tuple))
_AS_THE_CRAWL_WRITES_THEM = {
    "at": st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat),
    "interval": st.none() | st.sampled_from(["2024", "2024-05", "2024-W18", "2024-05-01"]),
    "outcome": st.sampled_from(FetchOutcome).map(str),
    "request": st.sampled_from(["GET https://pelda.example/", "POST https://pelda.example/api 0123456789abcdef"]),
    "links": st.lists(st.tuples(st.text(), st.none() | st.text(), _FIELDS)).map(tuple),
}
_KINDS = [PageEvent, WalkEndEvent, UnprovedEvent, DriftEvent, ArticleEvent, HopEvent, RightsEvent, LookedAtEvent, BlockedEvent]
_EVENTS = st.one_of(
    [
        st.builds(kind, **{one.name: _AS_THE_CRAWL_WRITES_THEM[one.name] for one in fields(kind) if one.name in _AS_THE_CRAWL_WRITES_THEM})
        for kind in _KINDS
    ]
)
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_RIGHTS = {"kind": "rights", "seq": 1, "run": 1, "at": "2024-05-01T12:00:00+00:00", "url": "https://pelda.example/robots.txt"}


def stored(event: dict[str, Any]) -> Stored:
    place = Location(file="pelda-articles-20240501T120000Z-00001.warc.gz", offset=4711, length=1)
    return Stored(location=place, event=event, response=None)


def as_json(event: Event) -> dict[str, Any]:
    read: dict[str, Any] = orjson.loads(orjson.dumps(encode(event)))
    return read


@given(_EVENTS)
def test_an_event_comes_back_from_json_as_it_went_in(event: Event) -> None:
    assert decode(stored(as_json(event))) == event


@pytest.mark.slow
@settings(max_examples=1000)
@given(_EVENTS, st.data())
def test_whatever_is_done_to_a_record_it_is_refused_or_means_what_it_says(event: Event, data: st.DataObject) -> None:
    record = as_json(event)
    for _ in range(data.draw(st.integers(1, 3))):
        _spoil(record, data)
    try:
        read = decode(stored(record))
    except CorpusError as refusal:
        assert "pelda-articles-20240501T120000Z-00001.warc.gz: byte 4711" in str(refusal)
        return
    known = [one.name for one in fields(read) if one.name in record]
    assert orjson.dumps([getattr(read, name) for name in known]) == orjson.dumps([record[name] for name in known])


def _spoil(value: Any, data: st.DataObject) -> None:
    """Change one place in it, however deep."""
    places = list(value) if isinstance(value, dict) else range(len(value))
    if not places:
        return
    place = data.draw(st.sampled_from(sorted(places, key=str)))
    inner = value[place]
    if isinstance(inner, dict | list) and data.draw(st.booleans()):
        _spoil(inner, data)
    elif isinstance(value, dict) and data.draw(st.booleans()):
        del value[place]
    else:
        value[place] = data.draw(_ANYTHING)


def test_an_event_of_a_newer_program_is_an_error_and_no_gap() -> None:
    with pytest.raises(CorpusError, match="newer"):
        decode(stored({"kind": "from-the-future", "seq": 1}))


def test_a_field_that_a_newer_program_added_is_passed_over() -> None:
    assert decode(stored({**_RIGHTS, "mood": "good"})) == decode(stored(_RIGHTS))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seq": "1"}, "seq"),
        ({"seq": True}, "seq"),
        ({"seq": 2**63}, "seq"),
        ({"run": -1}, "run"),
        ({"at": "yesterday"}, "at"),
        ({"at": "2024-05-01T12:00:00"}, "at"),
        ({"url": None}, "url"),
        ({"kind": "blocked", "urls": "https://pelda.example/", "reason": ""}, "urls"),
        ({"kind": "blocked", "urls": [["https://pelda.example/"]], "reason": ""}, "urls"),
        ({"kind": "article", "asked": "", "part": 1, "outcome": "fetched", "reason": "", "request": "GET"}, "request"),
        ({"kind": "article", "asked": "", "part": 1, "outcome": "burnt", "reason": "", "request": "GET https://pelda.example/"}, "outcome"),
        ({"kind": "walk-end", "walk": 1, "column": "a", "interval": "2024-99", "end": "", "reason": ""}, "interval"),
    ],
)
def test_a_refusal_names_file_offset_kind_and_field(change: dict[str, Any], field: str) -> None:
    record = {**_RIGHTS, **change}
    with pytest.raises(CorpusError, match=f"byte 4711: .*{record['kind']}.* `{field}`"):
        decode(stored(record))


@pytest.mark.parametrize("missing", ["seq", "at", "url"])
def test_what_is_missing_is_named(missing: str) -> None:
    with pytest.raises(CorpusError, match=f"`{missing}`"):
        decode(stored({name: value for name, value in _RIGHTS.items() if name != missing}))
