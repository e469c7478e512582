"""Event records that no program of ours wrote."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from warc_records import edit, records

_STRANGE: tuple[Any, ...] = (None, True, -1, 0, 7, 2**40, 2**63, 1.5, "x", "http://[::1/", "2024-13-45", [], [None], ["x"], {}, {"x": None})
_EVENT = re.compile(rb"curator-event: (.*)\r\n")


def spoil_one_event(path: Path, chance: Random) -> None:
    places = [place for place, record in enumerate(records(path)) if record.type == "metadata" and _EVENT.search(record.block)]
    change_event(path, chance.choice(places), lambda event: _spoilt(event, chance))


def change_event(path: Path, place: int, change: Any) -> None:
    """`change` gives another event for the one of the record at this place."""
    (said,) = _EVENT.findall(records(path)[place].block)
    event = json.dumps(change(json.loads(said))).encode()
    edit(path, place, (rb"curator-event: .*", b"curator-event: " + event.replace(b"\\", rb"\\")))


def _spoilt(value: Any, chance: Random) -> Any:
    """The same with another value somewhere, or without it."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        name = chance.choice(sorted(value))
        rest = {key: inner for key, inner in value.items() if key != name}
        return rest if chance.random() < 0.2 else {**rest, name: _spoilt(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        return [*value[:at], _spoilt(value[at], chance), *value[at + 1 :]]
    return chance.choice(_STRANGE)
