from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from webarticlecurator.cli import arguments
from webarticlecurator.errors import Mistake, PortalFileError, UsageError


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("12h", timedelta(hours=12)),
        ("30d", timedelta(days=30)),
        ("2w", timedelta(days=14)),
        ("6m", timedelta(days=180)),
        ("1 y", timedelta(days=365)),
    ],
)
def test_a_length_of_time_is_a_number_and_a_unit(text: str, length: timedelta) -> None:
    assert arguments.duration(text) == length


@pytest.mark.parametrize("text", ["", "d", "30", "-3d", "3 days", "9999999d", "1.5d"])
def test_anything_else_is_no_length_of_time(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="length of time"):
        arguments.duration(text)


def test_a_day_is_written_year_first() -> None:
    assert arguments.day("2024-05-01") == date(2024, 5, 1)


@pytest.mark.parametrize("text", ["01.05.2024", "2024-02-30", "today", ""])
def test_anything_else_is_no_day(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="2024-05-01"):
        arguments.day(text)


def test_a_pipe_or_device_is_no_file_to_write_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(typer.BadParameter, match="is no plain file"):
        arguments.output_file(str(pipe))

    assert pipe.is_fifo()
    assert arguments.output_file(str(tmp_path / "new.tsv")) == tmp_path / "new.tsv"


def test_the_mistakes_of_all_portal_files_are_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> object:
        raise PortalFileError((Mistake(Path(name), 3, 1, "unknown key"),))

    monkeypatch.setattr("webarticlecurator.config.load.load_portal", load)
    with pytest.raises(PortalFileError) as caught:
        arguments.load_portals(["a.yaml", "b.yaml"])
    assert str(caught.value) == "a.yaml:3:1: unknown key\nb.yaml:3:1: unknown key"


def test_one_portal_named_twice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webarticlecurator.config.load.load_portal", lambda name: SimpleNamespace(name="pelda"))  # noqa: ARG005
    with pytest.raises(UsageError, match="'pelda' is named twice"):
        arguments.load_portals(["pelda", "pelda.yaml"])


@pytest.mark.parametrize(
    ("told", "completed"),
    [
        ("read (`curator audit --archive --fetch` looks)", "read (`curator audit a\\1.yaml --corpus c --archive --fetch` looks)"),
        ("`curator crawl --full`, `curator audit`", "`curator crawl a\\1.yaml --corpus c --full`, `curator audit a\\1.yaml --corpus c`"),
        ("`curator try a.yaml URL`, `curator warc index`", "`curator try a.yaml URL`, `curator warc index`"),
    ],
)
def test_commands_that_are_suggested_without_a_portal_are_given_the_one_that_was_typed(told: str, completed: str) -> None:
    assert arguments.with_portal(told, "a\\1.yaml --corpus c") == completed


@pytest.mark.parametrize("command", [["crawl"], ["check"], ["build"], ["status"], ["try"], ["learn"], ["export", "--to", "csv"], ["open"]])
def test_an_address_in_place_of_a_portal_file_is_told_how_one_is_made(curator: Callable[..., Any], command: list[str]) -> None:
    ended = curator(*command, "https://pelda.example/?a=1&b=2", *(["https://pelda.example/1"] if command == ["try"] else []))
    assert ended.code == 2
    assert "curator new 'https://pelda.example/?a=1&b=2'" in ended.err


def test_of_several_portals_an_address_is_named_in_its_row(curator: Callable[..., Any]) -> None:
    ended = curator("status", "https://pelda.example/", "https://masik.example/")
    assert ended.code == 2
    assert ended.out.count("curator new https://") == 2
