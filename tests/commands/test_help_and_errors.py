from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from webarticlecurator.cli import app
from webarticlecurator.errors import CorpusBusy
from webarticlecurator.version import VERSION


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Make a command that ends with this exception."""

    def arrange(error: BaseException) -> None:
        def fail() -> None:
            raise error

        module = type(sys)("failing_command")
        module.fail = fail  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "failing_command", module)
        monkeypatch.setitem(app.COMMANDS, "fail", app.CommandEntry("failing_command:fail", "Fail."))

    return arrange


@pytest.mark.parametrize("arguments", [["--help"], ["-h"]])
def test_help_lists_every_command_and_opens_with_examples(curator, arguments: list[str]) -> None:
    ended = curator(*arguments)
    assert ended.code == 0
    for name, entry in app.COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(entry.summary)}$", ended.out, re.MULTILINE)
    assert ended.out.index("Examples:") < ended.out.index("Options:")


def every_command() -> list[tuple[str, ...]]:
    """The words that name each command, those of groups included."""
    loaded = {name: app.load(name) for name in app.COMMANDS}
    return [
        (name, *below) for name, command in loaded.items() for below in [(inner,) for inner in getattr(command, "commands", {})] or [()]
    ]


def test_the_help_of_every_command_opens_with_examples_and_ends_with_common_options(curator) -> None:
    for words in every_command():
        ended = curator(*words, "--help")
        assert ended.code == 0, words
        assert ended.out.split("\n\n")[1].split()[0].startswith("Example"), words
        assert {"--quiet", "--verbose", "--help"} <= set(re.findall(r"--[a-z]+", ended.out)), words


def test_the_help_of_a_group_says_of_each_of_its_commands_what_it_does(curator) -> None:
    for group in sorted({words[0] for words in every_command() if len(words) > 1}):
        assert not re.search(r"^  \S+ +Example", curator(group, "--help").out, re.MULTILINE), group


@pytest.mark.slow
def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from webarticlecurator.cli.app import main; main(['--help']);"
        "print([name for name in ('lxml', 'requests', 'jsonschema', 'rich', 'yaml', 'sqlite3', 'regex', 'babel') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.rstrip().endswith("[]")


def test_the_version_is_data(curator) -> None:
    assert curator("--version") == type(curator("--version"))(0, f"webarticlecurator {VERSION}\n", "")


def test_without_a_command_it_shows_the_help_and_says_that_something_was_missing(curator) -> None:
    ended = curator()
    assert ended.code == 2
    assert "Commands:" in ended.out + ended.err


def test_a_misspelt_command_is_a_usage_error_with_a_suggestion(curator) -> None:
    ended = curator("crwal")
    assert ended.code == 2
    assert "Did you mean 'crawl'" in ended.err


def test_an_unknown_option_is_a_usage_error(curator) -> None:
    assert curator("crawl", "--colum", "x").code == 2


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (CorpusBusy("Process 12 has been crawling this corpus since 10:00."), "Process 12 has been crawling this corpus since 10:00.\n"),
        (OSError(28, "No space left on device", "corpora/pelda/warc/x.open"), "No space left on device: corpora/pelda/warc/x.open"),
        (PermissionError(13, "Permission denied", "corpora"), "Permission denied: corpora"),
    ],
)
def test_what_a_person_can_mend_is_one_sentence_and_exit_code_2(curator, failing, error: Exception, told: str) -> None:
    failing(error)
    ended = curator("fail")
    assert ended.code == 2
    assert told in ended.err
    assert ended.out == ""


def test_a_file_name_that_is_no_text_is_a_sentence_too(curator, failing, tmp_path: Path) -> None:
    (tmp_path / "b\udce9ta").touch()
    failing(UnicodeEncodeError("utf-8", str(tmp_path / "b\udce9ta"), 9, 10, "surrogates not allowed"))
    ended = curator("fail")
    assert (ended.code, "LC_ALL=C.UTF-8" in ended.err) == (2, True)


def test_a_text_of_a_page_that_cannot_be_encoded_is_a_bug_however_long_it_is(curator, failing) -> None:
    failing(UnicodeEncodeError("utf-8", "x\udce9" * 9_000, 1, 2, "surrogates not allowed"))
    ended = curator("fail")
    assert (ended.code, "bug of curator" in ended.err) == (70, True)
    Path(re.search(r"details are in (\S+\.log)", ended.err)[1]).unlink()


def test_a_bug_is_called_a_bug_and_its_traceback_goes_to_a_file(curator, failing) -> None:
    failing(RuntimeError("the impossible happened"))
    ended = curator("fail")
    assert ended.code == 70
    assert "bug of curator" in ended.err
    assert "Traceback" not in ended.err
    log = Path(re.search(r"details are in (\S+\.log)", ended.err)[1])
    try:
        assert "the impossible happened" in log.read_text()
        assert "Traceback" in log.read_text()
    finally:
        log.unlink()


def test_ctrl_c_in_a_command_that_does_not_catch_it_is_130(curator, failing) -> None:
    failing(KeyboardInterrupt())
    ended = curator("fail")
    assert ended.code == 130
    assert "Traceback" not in ended.err


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    script = (
        "import itertools, sys; from webarticlecurator.cli import app, console, streams\n"
        "module = type(sys)('flood'); sys.modules['flood'] = module\n"
        "def flood() -> None:\n"
        "    for _ in streams.while_read(itertools.count()): console.data('x' * 1000)\n"
        "module.flood = flood\n"
        "app.COMMANDS['flood'] = app.CommandEntry('flood:flood', 'Flood.')\n"
        "sys.exit(app.main(['flood']))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(20) == 0


@pytest.mark.slow
def test_python_m_is_the_same_command() -> None:
    shown = subprocess.run([sys.executable, "-m", "webarticlecurator", "--version"], capture_output=True, text=True, check=True).stdout
    assert shown == f"webarticlecurator {VERSION}\n"
