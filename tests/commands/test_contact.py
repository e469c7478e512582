"""Nobody is asked by nobody: a portal that is not on this machine is asked only by somebody who says who they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scripted_portal import listing

FOREIGN = "portal: pelda\nhome: https://pelda.example/\narchive: {url: https://pelda.example/l, item: li}\n"


@pytest.mark.parametrize(
    "line",
    [
        "crawl portal.yaml",
        "new https://pelda.example/ -o new.yaml",
        "try portal.yaml https://pelda.example/c/1 --fetch",
        "check portal.yaml --fetch",
        "check --detect https://pelda.example/",
        "audit portal.yaml --archive --fetch",
    ],
)
def test_who_does_not_say_who_they_are_is_told_how_with_the_command_that_was_typed(line: str, curator: Any, tmp_path: Path) -> None:
    (tmp_path / "portal.yaml").write_text(FOREIGN, encoding="utf-8")
    ended = curator(*(tmp_path / word if word == "portal.yaml" else word for word in line.split()))
    assert ended.code == 2
    assert f"\n  curator {line.split()[0]} --contact you@university.example ...\n" in ended.err
    for told in ("pelda.example", "CURATOR_CONTACT", "settings.yaml"):
        assert told in ended.err


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        *((host, True) for host in ("127.0.0.1", "127.8.9.1", "[::1]", "localhost", "LOCALHOST.", "portal.localhost")),
        *((host, False) for host in ("10.0.0.1", "localhost.example", "127.0.0.1.example", "0.0.0.0")),
    ],
)
def test_only_this_machine_needs_no_contact(host: str, ours: bool, curator: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.yaml").write_text(f"portal: p\nhome: http://{host}:1/\narchive: {{url: 'http://{host}:1/', item: li}}\nfetch: {{retries: 0}}\n")
    assert ("--contact" in curator("crawl", "p.yaml").err) is not ours


def test_articles_on_a_foreign_host_need_a_contact_too(desk: Any) -> None:
    desk.rules("archive: {url: 'https://pelda.example/l/{page}', item: li.t, link: h2 a, urls: {hosts: [other.example]}}\n")
    ended = desk.types("crawl portal.yaml")
    assert (ended.code, "other.example" in ended.err, desk.site.asked) == (2, True, [])


CONTACTS = {
    True: ("a@example.org", "mailto:a@example.org", "https://example.org/project", "http://example.org", " a@b.hu "),
    False: ("me", "a b@example.org", "a@example.org\r\nX-Header: 1", "ftp://example.org", "javascript:x", "á@example.org", "a@b" * 90),
}


@pytest.mark.parametrize(("contact", "is_one"), [(contact, is_one) for is_one, some in CONTACTS.items() for contact in some])
def test_a_contact_is_somebody_whom_one_can_write_to(contact: str, is_one: bool, desk: Any) -> None:
    desk.monkeypatch.setenv("CURATOR_CONTACT", contact)
    desk.rules("archive: {url: 'https://pelda.example/l/{page}', item: li.t, link: h2 a}\n", listing(1), listing())
    ended = desk.types("crawl portal.yaml")
    assert ended.code == (0 if is_one else 2)
    assert is_one or ("CURATOR_CONTACT" in ended.err and desk.site.asked == [])
