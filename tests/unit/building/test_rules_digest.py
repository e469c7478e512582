"""The digest of the rules: the same for the same rules, in every process; another for whatever changes a document."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from webarticlecurator.building.rules_digest import rules_digest
from webarticlecurator.config.load import load_portal

HEAD = "portal: pelda\nhome: https://pelda.example/\n"
BODY = "body: {root: div.text, tags: {decompose: [div.ad], bold: [b, strong]}}\n"


def _digest(folder: Path, text: str, documents: str = "") -> str:
    file = folder / "portal.yaml"
    file.write_text(HEAD + text, encoding="utf-8")
    return rules_digest(load_portal(file), documents)


@pytest.mark.parametrize(
    "same",
    [
        "# a comment\n" + BODY,
        "fetch: {delay: 9s, robots: record}\n" + BODY,
        "fetch: {via: browser}\n" + BODY,
        "articles: {fetch: {via: browser, which: truncated}}\n" + BODY,
        "archive: {url: 'https://pelda.example/{page}', link: a, pages: infinite}\n" + BODY,
    ],
)
def test_what_concerns_only_crawling_does_not_count(tmp_path: Path, same: str) -> None:
    assert _digest(tmp_path, same) == _digest(tmp_path, BODY)


@pytest.mark.parametrize(
    "other",
    [
        "",
        BODY.replace("div.ad", "div.ads"),
        BODY.replace("bold: [b, strong]", "bold: [strong, b]"),
        BODY + "language: hu\n",
        BODY + "timezone: Europe/Budapest\n",
        BODY + "metadata: {author: .by}\n",
        BODY + "posts: {comments: {item: li}}\n",
        BODY + "layouts: [{name: old, until: 2010-01-01, body: {root: td}}]\n",
        BODY + "fetch: {encoding: iso-8859-2}\n",
        BODY + "articles: {next: a.next}\n",
    ],
)
def test_what_concerns_documents_counts(tmp_path: Path, other: str) -> None:
    assert _digest(tmp_path, other) != _digest(tmp_path, BODY)


def test_the_template_counts(tmp_path: Path) -> None:
    assert _digest(tmp_path, BODY, "one") != _digest(tmp_path, BODY, "other")


def test_a_table_in_a_file_of_its_own_counts(tmp_path: Path) -> None:
    table = tmp_path / "sections.tsv"
    rules = "metadata: {articleSection: {css: .section, map_file: sections.tsv}}\n"
    table.write_text("a\tA\n", encoding="utf-8")
    before = _digest(tmp_path, rules)
    table.write_text("a\tB\n", encoding="utf-8")

    assert _digest(tmp_path, rules) != before


@pytest.mark.slow
def test_it_is_the_same_in_every_process(tmp_path: Path) -> None:
    rules = BODY + "archive: {url: 'https://pelda.example/', link: a, urls: {hosts: [a.example, b.example, c.example]}}\n"
    mine = _digest(tmp_path, rules)
    program = (
        "import sys; sys.path[:] = sys.argv[2:]\nfrom webarticlecurator.building.rules_digest import rules_digest\n"
        "from webarticlecurator.config.load import load_portal\nprint(rules_digest(load_portal(sys.argv[1]), ''))"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "portal.yaml"), *sys.path]
    other = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"}).stdout.strip()

    assert other == mine
