"""Event records that no program of ours wrote: a file of a stranger is refused in a sentence, whatever it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from crawling import Crawling, crawling, exit_code

from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import read_records
from webarticlecurator.warc.stored import event_of

CORPORA = 40
"""Of each one event is spoilt."""
_STRANGE: tuple[Any, ...] = (None, True, -1, 0, 7, 2**40, 2**63, 1.5, "x", "http://[::1/", "2024-13-45", [], [None], ["x"], {}, {"x": None})


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawling:
    with crawling(tmp_path_factory.mktemp("crawled"), articles=16, columns=("belfold", "regi")) as site:
        summary = site.crawl()
    assert exit_code(summary) is ExitCode.OK
    return site


@pytest.mark.parametrize("number", range(CORPORA))
def test_an_event_that_is_not_what_it_should_be_is_refused_or_makes_no_difference(
    crawled: Crawling, number: int, curator: Callable[..., Any], tmp_path: Path
) -> None:
    chance = Random(number)
    path = chance.choice(crawled.warcs)
    (tmp_path / "corpus" / "warc").mkdir(parents=True)
    for one in crawled.warcs:
        content = _with_one_spoilt_event(one, chance) if one == path else one.read_bytes()
        (tmp_path / "corpus" / "warc" / one.name).write_bytes(content)
    (file,) = crawled.folder.glob("*.yaml")
    for command in (("warc", "index"), ("status",), ("build", "--jobs", 1), ("status", "--json")):
        ended = curator(*command, file, "--corpus", tmp_path / "corpus")
        assert ended.code in (ExitCode.OK, ExitCode.FAILURES, ExitCode.USAGE), ended.err
        if ended.code == ExitCode.USAGE:
            assert re.search(rf"{re.escape(path.name)}: byte \d+: ", ended.err)
            return


def _with_one_spoilt_event(path: Path, chance: Random) -> bytes:
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
