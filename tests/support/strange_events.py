"""Event records that no program of ours wrote."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import orjson

from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import read_records
from webarticlecurator.warc.stored import event_of

_STRANGE: tuple[Any, ...] = (None, True, -1, 0, 7, 2**40, 2**63, 1.5, "x", "http://[::1/", "2024-13-45", [], [None], ["x"], {}, {"x": None})


def with_one_spoilt_event(path: Path, chance: Random) -> bytes:
    content = path.read_bytes()
    records = list(read_records(path))
    wanted = chance.choice([record for record in records if record.type == "metadata" and event_of(record) is not None])
    event = _spoilt(dict(event_of(wanted) or {}), chance)
    block = re.sub(rb"curator-event: .*", lambda _: b"curator-event: " + orjson.dumps(event), wanted.block)
    head = re.sub(rb"Content-Length: \d+", b"Content-Length: %d" % len(block), wanted.head)
    return content[: wanted.offset] + pack(head + block + b"\r\n\r\n") + content[wanted.end :]


def _spoilt(value: Any, chance: Random) -> Any:
    """The same with another value somewhere, or without it."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        name = chance.choice(sorted(value))
        rest = {key: one for key, one in value.items() if key != name}
        return rest if chance.random() < 0.2 else {**rest, name: _spoilt(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        return [*value[:at], _spoilt(value[at], chance), *value[at + 1 :]]
    return chance.choice(_STRANGE)
