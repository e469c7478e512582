"""What belongs to the person who crawls: flag before environment before settings file, and what is wrong with such a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Crawler
from warc_records import records


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's settings file, which is not there yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "curator").mkdir()
    return tmp_path / "curator" / "settings.yaml"


@pytest.mark.parametrize(
    ("file", "environment", "flag", "contact"),
    [
        ("contact: file@example.org\n", None, None, "file@example.org"),
        ("contact: file@example.org\n", "env@example.org", None, "env@example.org"),
        ("contact: file@example.org\n", "env@example.org", "flag@example.org", "flag@example.org"),
        ("contact: file@example.org\n", "", None, "file@example.org"),
        ("contact: https://pelda.example/ki\n", None, None, "https://pelda.example/ki"),
        *((nothing, None, None, None) for nothing in ("", "# only a comment\n", "---\n", "{}\n", "contact:\n")),
    ],
)
def test_a_portal_is_told_who_crawls(
    crawler: Crawler,
    settings: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    environment: str | None,
    flag: str | None,
    contact: str | None,
) -> None:
    settings.write_text(file, encoding="utf-8")
    if environment is not None:
        monkeypatch.setenv("CURATOR_CONTACT", environment)
    crawler.rules = "archive: {url: HOME/l, link: a}\n"
    crawler.crawl(*(("--contact", flag) if flag else ()))
    assert {agent.partition("(+")[2].rstrip(")") or None for agent in user_agents(crawler.corpus)} == {contact}, user_agents(crawler.corpus)


def user_agents(corpus: Path) -> set[str]:
    """Of all requests that were stored."""
    requests = (record for file in corpus.glob("warc/*.warc.gz") for record in records(file) if record.type == "request")
    return {name for request in requests for name in re.findall(r"User-Agent: (.*)\r\n", request.block.decode())}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"contcat: a@example.org\n", "there are: contact"),
        (b"- a\n- b\n", "expected lines such as"),
        (b"contact: [a, b]\n", "expected lines such as"),
        (b"contact: 'open\n", "YAML"),
        (b"contact: \xff\xfe\x00\n", "YAML"),
        (b"!!python/object/apply:os.system [echo]\n", "expected lines such as"),
        (b"corpora: here\n", "absolute path"),
    ],
    ids=range(7),
)
def test_a_settings_file_with_a_mistake_is_refused_by_name(
    curator: Callable[..., Any], settings: Path, tmp_path: Path, content: bytes, told: str
) -> None:
    settings.write_bytes(content)
    portal = tmp_path / "portal.yaml"
    portal.write_text("portal: pelda\nhome: https://pelda.example/\narchive: {url: '{home}', link: a}\n", encoding="utf-8")
    ended = curator("crawl", portal, "--dry-run")
    assert ended.code == 2
    assert told in ended.err and str(settings) in ended.err
