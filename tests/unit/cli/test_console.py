from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from webarticlecurator.cli import console
from webarticlecurator.cli.console import Verbosity
from webarticlecurator.model.outcome import FetchOutcome, Verdict


@pytest.fixture(autouse=True)
def _normal_afterwards() -> object:
    yield
    console.set_verbosity(Verbosity.NORMAL)


def test_data_goes_to_stdout_and_messages_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    console.data("a value")
    console.say("a message")
    console.complain("an error")
    assert capsys.readouterr() == ("a value\n", "a message\nan error\n")


@pytest.mark.parametrize(
    ("verbosity", "heard"),
    [(Verbosity.QUIET, "error"), (Verbosity.NORMAL, "message error"), (Verbosity.VERBOSE, "message error")],
)
def test_what_is_heard_depends_on_what_is_wanted(verbosity: Verbosity, heard: str, capsys: pytest.CaptureFixture[str]) -> None:
    console.set_verbosity(verbosity)
    console.say("message")
    console.complain("error")
    assert capsys.readouterr().err.split() == heard.split()


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("plain, with áccents\tand\nlines", "plain, with áccents\tand\nlines"),
        ("\x1b]0;owned\x07", "\\x1b]0;owned\\x07"),
        ("over\rwritten", "over\\rwritten"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\x9b31m", "\\x9b31m"),
    ],
)
def test_text_from_strangers_cannot_steer_the_terminal(hostile: str, shown: str) -> None:
    assert console.printable(hostile) == shown


def test_json_is_one_line_and_knows_our_shapes(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = Verdict(FetchOutcome.GONE, "HTTP 404")
    console.data_json({"verdict": verdict, "counts": {FetchOutcome.GONE: 3}, "when": datetime(2024, 5, 1, tzinfo=UTC)})
    written = capsys.readouterr().out
    assert written.count("\n") == 1
    assert json.loads(written) == {
        "verdict": {"outcome": "gone", "reason": "HTTP 404"},
        "counts": {"gone": 3},
        "when": "2024-05-01T00:00:00+00:00",
    }


def test_a_terminal_that_is_not_utf8_gets_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii", newline="\n"))
    console.data("Példa")
    assert raw.getvalue() == b"P\\xe9lda\n"


def test_columns_are_aligned_and_numbers_stand_to_the_right() -> None:
    assert console.aligned([("column", "links"), ("belfold", "1,200"), ("k", "7")]) == [
        "  column   links",
        "  belfold  1,200",
        "  k            7",
    ]


TABLE = [
    ("column", "year", "links", "failed", "end"),
    ("belfold", "2024", "1,200", "0", "proved"),
    ("kulfold", "2024", "7", "0", "1 open, 2 ended by the limit of the file"),
]


def test_where_a_terminal_is_a_little_too_narrow_columns_that_say_nothing_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "68")
    assert console.aligned(TABLE, headed=True) == [
        "  column   year  links  end",
        "  belfold  2024  1,200  proved",
        "  kulfold  2024      7  1 open, 2 ended by the limit of the file",
    ]


def test_where_it_is_far_too_narrow_each_row_is_told_in_words_and_nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    assert console.aligned(TABLE, headed=True) == [
        "  belfold: year 2024, links 1,200, end proved",
        "  kulfold: year 2024, links 7, end 1 open, 2 ended",
        "    by the limit of the file",
    ]


def test_a_row_that_begins_with_a_number_says_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "34")
    assert console.aligned([("words", "pages", "rule"), ("3,854", "464", "portal.yaml:114 p.hirlevel")], headed=True) == [
        "  words 3,854, pages 464,",
        "    rule portal.yaml:114",
        "    p.hirlevel",
    ]


def test_rows_without_headings_are_wrapped_at_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    assert console.aligned([("paragraph", "One sentence that is longer than that."), ("list", "x")]) == [
        "  paragraph  One sentence that",
        "    is longer than that.",
        "  list  x",
    ]


def test_a_file_has_room_for_every_table() -> None:
    assert console.aligned([("column", "url"), ("a", "x" * 500)], headed=True)[1] == f"  a       {'x' * 500}"


ADDRESS = f"https://pelda.example/{'long-' * 20}words"


@pytest.mark.parametrize("written", [console.say, console.complain, lambda text: console.report({}, [text], as_json=False)])
def test_on_a_terminal_lines_break_between_words_and_only_there(written: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "60")
    said = f"  Next: `curator crawl well-known-portal.yaml` goes on where it ended; what could not be had is in {ADDRESS} with its reason"
    written(f"short  and   kept\n{said}")
    first, *others = terminal.getvalue().splitlines()
    assert first == "short  and   kept"
    assert " ".join(" ".join(others).split()) == " ".join(said.split())
    assert all(len(line) <= 60 or line.strip() == ADDRESS for line in others)
    assert [len(line) - len(line.lstrip()) for line in others] == [2, 4, 4, 4][: len(others)]


def test_elsewhere_lines_stay_as_they_are(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    console.say("a message that is longer than the terminal would be wide")
    assert capsys.readouterr().err.count("\n") == 1


def test_what_programs_read_is_not_broken_on_a_terminal_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    monkeypatch.setenv("COLUMNS", "20")
    console.data_json({"text": "a text that is longer than the terminal is wide"})
    console.data("--- a file whose name is long\n+++ and its difference")
    assert terminal.getvalue().count("\n") == 3


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True
