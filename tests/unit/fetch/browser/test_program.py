"""Which browser is started, and what is said where there is none."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.browser import program
from webarticlecurator.fetch.browser.shown_page import in_browsers_words


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'webarticlecurator\[browser\]'"):
        program.needed_extra()


def test_without_a_browser_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program.shutil, "which", lambda _: None)
    monkeypatch.setattr(program, "_PLACES", ())
    with pytest.raises(UsageError, match="apt install chromium"):
        program.find_program("/no/such/file")


def test_a_person_may_name_the_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(program.PROGRAM_VARIABLE, str(tmp_path / "chromium"))
    with pytest.raises(UsageError, match="no such file"):
        program.find_program("")
    (tmp_path / "chromium").touch()
    assert program.find_program("") == str(tmp_path / "chromium")


@pytest.mark.parametrize(("user", "sandbox"), [(0, False), (1000, True)])
def test_only_root_goes_without_the_sandbox_of_the_browser(monkeypatch: pytest.MonkeyPatch, user: int, sandbox: bool) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert program.may_be_sandboxed() is sandbox


def test_secrets_of_a_person_are_not_given_to_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_TOKEN", "secret")
    nowhere = program.Nowhere()
    assert "CURATOR_TOKEN" not in program.launch_options("chromium", nowhere)["env"]
    nowhere.close()


def test_the_proxy_of_the_browser_answers_nobody() -> None:
    nowhere = program.Nowhere()
    port = urlsplit(nowhere.url).port
    assert port is not None
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    with pytest.raises(OSError, match="in use"):
        socket.create_server(("127.0.0.1", port))
    nowhere.close()


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        ("a.more", "a.more"),
        ('p:contains("More") > a', 'p:has-text("More") > a'),
        ('[title=":contains(x)"]', '[title=":contains(x)"]'),
        (":not(:contains('x'))", ":not(:has-text('x'))"),
    ],
)
def test_selectors_are_written_as_the_browser_takes_them(selector: str, words: str) -> None:
    assert in_browsers_words(selector) == words
