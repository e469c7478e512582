from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from webarticlecurator.cli.contact import checked_contact, is_loopback, require_contact
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.request_rules import UrlRules
from webarticlecurator.errors import UsageError
from webarticlecurator.settings import settings_file

LOCAL = Portal(
    name="own", title="Own", home="http://127.0.0.1:8765/", language=None, timezone=ZoneInfo("UTC"), hosts=frozenset({"127.0.0.1"})
)
FOREIGN = replace(LOCAL, name="pelda", home="https://pelda.example/", hosts=frozenset({"pelda.example"}))


@pytest.mark.parametrize(
    "contact", ["a@example.org", "mailto:a@example.org", "https://example.org/project", "http://example.org", " a@b.hu "]
)
def test_an_address_or_a_web_page_is_a_contact(contact: str) -> None:
    assert checked_contact(contact, source="--contact") == contact.strip()


@pytest.mark.parametrize(
    "contact",
    ["me", "a b@example.org", "a@example.org\r\nX-Header: 1", "ftp://example.org", "javascript:alert(1)", "á@example.org", "a@b" * 90],
)
def test_what_nobody_could_write_to_is_refused_with_its_source(contact: str) -> None:
    with pytest.raises(UsageError, match="CURATOR_CONTACT"):
        checked_contact(contact, source="CURATOR_CONTACT")


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("LOCALHOST.", True),
        ("portal.localhost", True),
        ("pelda.example", False),
        ("10.0.0.1", False),
        ("localhost.example", False),
        ("127.0.0.1.example", False),
        ("0.0.0.0", False),
    ],
)
def test_only_this_machine_is_ours(host: str, ours: bool) -> None:
    assert is_loopback(host) is ours


def test_a_foreign_host_is_not_asked_without_a_contact() -> None:
    with pytest.raises(UsageError) as caught:
        require_contact([LOCAL, FOREIGN], None)
    for told in ("pelda.example", "--contact", "CURATOR_CONTACT", str(settings_file())):
        assert told in str(caught.value)


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("crawl", ("FILE",)),
        ("new", ("https://pelda.example/", "-o", "new.yaml")),
        ("try", ("FILE", "https://pelda.example/c/1", "--fetch")),
        ("check", ("FILE", "--fetch")),
        ("check", ("--detect", "https://pelda.example/")),
        ("audit", ("FILE", "--archive", "--fetch")),
    ],
)
def test_the_contact_is_to_be_typed_with_the_command_that_was_typed(
    curator: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "portal.yaml"
    file.write_text("portal: pelda\nhome: https://pelda.example/\narchive: {url: https://pelda.example/l, item: li}\n", encoding="utf-8")
    ended = curator(command, *(file if one == "FILE" else one for one in arguments))
    assert ended.code == 2
    assert f"\n  curator {command} --contact you@university.example ...\n" in ended.err


def test_articles_on_foreign_hosts_need_a_contact_too() -> None:
    with pytest.raises(UsageError, match=r"other\.example"):
        require_contact([replace(LOCAL, article_urls=UrlRules(hosts=("other.example",)))], None)


def test_this_machine_needs_no_contact_and_a_contact_opens_the_rest() -> None:
    require_contact([LOCAL], None)
    require_contact([LOCAL, FOREIGN], "a@example.org")
