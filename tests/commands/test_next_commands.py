"""Every command ends by naming the next useful one, and what it names works as it stands there, whatever files are called."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

URL = "https://pelda.example/a?x=1&y=2"
LISTED = "https://pelda.example/lista/1"
ARCHIVE = 'archive: {url: "https://pelda.example/lista/{page}", item: li}\n'
_COMMAND = re.compile(r"`curator ([^`]+)`|Next: curator ([^`]+)$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\b(?:URL|FILES|PORTAL)\b")
"""What only a person can fill in."""
COMMANDS = {
    "check": "check {portal}",
    "schema": "check --schema",
    "try": "try {portal} --corpus {corpus} {url}",
    "try archive": "try {portal} --corpus {corpus} {listed} --as archive",
    "try html": "try {portal} {url} --html {html}",
    "try html again": "try {portal} --corpus {corpus} {url} --html {html}",
    "try warc": "try {portal} {url} --warc {warc}",
    "dry run": "crawl {portal} --corpus {corpus} --dry-run --limit 3",
    "crawl": "crawl {portal} --corpus {corpus} --offline",
    "status": "status {portal} --corpus {corpus}",
    "status json": "status {portal} --corpus {corpus} --json",
    "build": "build {portal} --corpus {corpus} --jobs 1",
    "annotate": "annotate {portal} --corpus {corpus} --with cat",
    "compare": "build {portal} --corpus {corpus} --compare --jobs 1",
    "tags": "tags {portal} --corpus {corpus} --jobs 1",
    "tags warc": "tags {portal} --warc {warc} --jobs 1 --sample 1",
    "audit": "audit {portal} --corpus {corpus} --jobs 1",
    "audit warc": "audit {portal} --warc {warc} --jobs 1",
    "watch": "watch {portal} --corpus {corpus}",
    "accept": "test {portal} --corpus {corpus} --accept {url}",
    "test": "test {portal} --corpus {corpus}",
    "list": "warc list {corpus}",
    "cat": "warc cat {corpus} {url}",
    "cat nothing": "warc cat {corpus} https://pelda.example/nincs",
    "warc check": "warc check {corpus}",
    "sample": "warc sample {corpus} --urls {urls} --out {new}",
    "index": "warc index {portal} --corpus {corpus}",
    "search": "search {portal} bridge --corpus {corpus}",
    "search nothing": "search {portal} 'no such words' --corpus {corpus}",
    "import": "warc import {portal} {warc} --corpus {corpus}",
}


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """A portal and its corpus whose names a shell would take apart."""
    base = tmp_path / "my portal's"
    base.mkdir()
    small = SmallCorpus(base, rules=ARCHIVE)
    small.store(("/a?x=1&y=2", page()), ("/lista/1", b"<ul><li><a href='/a?x=1&amp;y=2'>A bridge</a></ul>"))
    small.build()
    (base / "saved page.html").write_bytes(page())
    (base / "wanted urls.txt").write_text(URL, encoding="utf-8")
    (base / "tests.yaml").write_text(f"- url: {URL}\n  expect: {{paragraphs: 99}}\n", encoding="utf-8")
    files = {
        "portal": "portal.yaml",
        "corpus": "corpus",
        "html": "saved page.html",
        "warc": "in-1.warc.gz",
        "new": "new one.warc.gz",
        "urls": "wanted urls.txt",
    }
    return {"url": shlex.quote(URL), "listed": LISTED, **{name: shlex.quote(str(base / file)) for name, file in files.items()}}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_next_command_is_named_and_works_as_it_stands(name: str, places: dict[str, str], curator: Callable[..., Any]) -> None:
    ended = curator(*shlex.split(COMMANDS[name].format(**places)))
    assert ended.code in (0, 1, 4), ended.err
    last = ended.err.partition("Next: ")[2]
    assert last and "Next: " not in last, ended.err
    named = [one or other for one, other in _COMMAND.findall(f"Next: {last}")]
    assert named, ended.err
    for command in named:
        if not _PLACEHOLDER.search(command) and "--fetch" not in command:  # nobody is asked here
            again = curator(*shlex.split(command), *(["--dry-run"] if command.startswith("crawl ") else []))
            assert again.code in (0, 1, 4), f"{command}: {again.err}"
