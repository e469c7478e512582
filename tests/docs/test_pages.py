"""Pages of docs/ say what the program does: what it has is told of, what is told of is there, and links lead somewhere."""

from __future__ import annotations

import configparser
import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from io import StringIO
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml
from scripts import module_at
from seams import main

import webarticlecurator
from examples.sites.variations import KINDS, variations
from webarticlecurator import Outcome, load_portal

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("**/*.md")])
TOLD = [page for page in PAGES if page.name not in ("CHANGELOG.md", "NOTICE.md")]
"""What the pages tell of today's program."""
EXIT_CODES = {0, 1, 2, 3, 4, 5, 70, 130}
_FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


@cache
def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def fences(page: Path, *languages: str) -> list[str]:
    """The blocks in these languages."""
    return [dedent(block) for language, block in _FENCE.findall(text_of(page)) if language in languages]


@cache
def spans(page: Path) -> list[str]:
    """What stands in the sentences as code."""
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", _FENCE.sub("", text_of(page)))


def wrong(pages: list[Path], find: Callable[[Path], Iterator[str]]) -> list[str]:
    """What is wrong, with the page on which it stands."""
    return [f"{page.relative_to(ROOT)}: {found}" for page in pages for found in find(page)]


# --- links, and pages that are made ---


def test_links_lead_somewhere() -> None:
    def dead(page: Path) -> Iterator[str]:
        for target, part in re.findall(r"\]\((?!<?https?:)([^)#]*)#?([^)]*)", _FENCE.sub("", text_of(page))):
            there = page.parent / target if target else page
            if not there.exists() or (part and part not in anchors(there)):
                yield f"{target}#{part}"

    assert wrong(PAGES, dead) == []


def anchors(page: Path) -> set[str]:
    """Those that forges give the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_in_the_index_and_once_in_the_menu_of_the_site() -> None:
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.glob("*/*.md")]
    assert [page for page in pages if f"]({page})" not in text_of(DOCS / "index.md")] == []
    pytest.importorskip("markdown", reason="the site is made by mkdocs (pip install 'webarticlecurator[docs]')")
    outside = [page for name, page in module_at(DOCS / "site_hook.py").OUTSIDE.items() if (ROOT / name).exists()]
    assert sorted(re.findall(r"^ +- (\S+\.md)$", text_of(ROOT / "mkdocs.yml"), re.MULTILINE)) == sorted(["index.md", *pages, *outside])


def test_generated_pages_are_what_the_program_says() -> None:
    pages = module_at(DOCS / "generate.py").PAGES
    old = [name for name, write in pages.items() if text_of(DOCS / name) != write()]
    assert old == [], "these pages of docs/ are out of date: run `make docs`"


def test_one_version_everywhere() -> None:
    version = webarticlecurator.__version__
    assert f"\nversion: {version}\n" in text_of(ROOT / "CITATION.cff")
    assert f"## {version}" in text_of(ROOT / "CHANGELOG.md")


# --- commands ---


@pytest.fixture(scope="module")
def commands() -> dict[str, str]:
    """Command (`crawl`, `warc list`; empty: `curator` itself) -> what its `--help` prints."""
    seen: dict[str, str] = {}
    waiting = [""]
    while waiting:
        name = waiting.pop()
        with redirect_stdout(StringIO()) as shown:
            assert main([*name.split(), "--help"]) == 0
        text = shown.getvalue()
        if text.startswith(f"Usage: {f'curator {name}'.strip()} "):
            seen[name] = text
            below = re.findall(r"^  ([a-z]\w*)(?= |$)", text.partition("\nCommands:\n")[2], re.MULTILINE)
            below += re.findall(rf"^ +curator {name} ([a-z]+) ", text, re.MULTILINE) if name else []  # `curator tags apply`
            waiting += {f"{name} {one}".strip() for one in below} - {*seen, *waiting}
    return seen


def typed(page: Path) -> Iterator[str]:
    """Every call of `curator` on the page, without what the shell does with it."""
    for block in fences(page, "console", "sh", "crontab", "bash"):
        for line in re.findall(r"(?m)^(?! *#).*\bcurator .*$", block.replace("\\\n", " ")):
            yield from re.findall(r"(?:^|\$ |&& |; |\| |\()\s*curator ([^|;>#\n]*)", line)
    yield from (span.removeprefix("curator ") for span in spans(page) if span.startswith("curator "))


def test_every_command_and_option_that_is_typed_or_named_is_there(commands: dict[str, str]) -> None:
    options = {flag for text in commands.values() for flag in _OPTION.findall(text)}
    groups = {name.partition(" ")[0] for name in commands if " " in name}

    def unknown(page: Path) -> Iterator[str]:
        for line in typed(page):
            name, _, rest = line.partition(" ")
            if name in groups and (below := f"{name} {rest.partition(' ')[0]}") in commands:
                name = below
            if name[:1].islower() and name not in commands:
                yield f"curator {name}"
            elif name in commands:
                known = commands[name] + "".join(text for one, text in commands.items() if name in groups and one.startswith(f"{name} "))
                yield from (f"curator {name} {flag}" for flag in _OPTION.findall(rest) if flag not in known)

    def unknown_option(page: Path) -> Iterator[str]:
        named = {flag for span in spans(page) if span.startswith("--") for flag in _OPTION.findall(span)}
        yield from sorted(flag for flag in named - options - of_others(page) if f'"{flag}"' not in scripts)

    scripts = "".join(text_of(file) for folder in ("benchmarks", "soak") for file in (ROOT / folder).rglob("*.py"))
    assert wrong(TOLD, unknown) == []
    assert wrong(TOLD, unknown_option) == []
    for name, text in commands.items():
        examples = re.findall(r"(?m)^ +curator (.*?)(?:\s{2,}.*)?$", text)
        assert [line for line in examples if line.partition(" ")[0] not in {one.partition(" ")[0] for one in commands}] == [], name


def of_others(page: Path) -> set[str]:
    """Options behind another program's name: `podman run --userns`."""
    lines = "\n".join(fences(page, "text", "sh", "bash", "ini", "crontab", "console")).replace("\\\n", " ").splitlines()
    calls = (re.fullmatch(r"(?:\$ )?(?!curator\b)[a-z][\w.-]* .*", line) for line in (*lines, *spans(page)))
    return {flag for call in calls if call for flag in _OPTION.findall(call[0])}


def test_every_command_switch_format_outcome_and_exit_code_is_told_of(commands: dict[str, str], curator: Any) -> None:
    people = "".join(text_of(page) for page in TOLD if page.name not in ("command-line.md", "portal-file.md"))
    assert [name for name in commands if f"curator {name.removesuffix(' PORTAL')}" not in people] == []
    formats = [line.split()[0] for line in curator("export", "--to", "list").out.splitlines() if line.strip()]
    assert len(formats) > 10
    told = text_of(DOCS / "how-to" / "hand-it-on.md")
    assert [name for name in formats if not re.search(rf"--to {re.escape(name)}\b", told)] == []
    outcomes = re.findall(r"(?m)^\| `?([a-z0-9-]+)`? \|", text_of(DOCS / "reference" / "outcomes.md"))
    assert {str(outcome) for outcome in Outcome} <= set(outcomes)
    assert {int(code) for code in outcomes if code.isdigit()} == EXIT_CODES
    named = [f"{page.name}: {code}" for page in TOLD for code in re.findall(r"exit codes? (\d+)\b", text_of(page))]
    assert [one for one in named if int(one.rpartition(" ")[2]) not in EXIT_CODES] == []


def test_every_public_name_is_told_of_with_all_its_fields_and_imported_by_its_name() -> None:
    page = module_at(DOCS / "generate.py").MADE["reference/python.md"]()
    assert [name for name in webarticlecurator.__all__ if f"`{name}`" not in page] == []
    assert re.findall(r"^.*\|  \|$", page, re.MULTILINE) == []

    def missing(page: Path) -> Iterator[str]:
        blocks = "\n".join(fences(page, "python", "console", "pycon"))
        for module, names in re.findall(r"(?m)^(?:>>> )?from (webarticlecurator[\w.]*) import ([\w, ]+)", blocks):
            yield from (name for name in names.split(", ") if not hasattr(import_module(module), name.split(" as ")[0].strip()))

    assert wrong(TOLD, missing) == []


# --- portal files ---


def key_pairs(whole: Any, schema: Any, above: str, seen: set[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """Key and key below it, at all places of a portal file."""
    if not isinstance(schema, dict) or (id(schema), above) in seen:
        return
    seen.add((id(schema), above))
    if "$ref" in schema:
        named = whole
        for step in schema["$ref"].removeprefix("#/").split("/"):
            named = named[step]
        yield from key_pairs(whole, named, above, seen)
    for key, below in schema.get("properties", {}).items():
        yield above, key
        yield from key_pairs(whole, below, key, seen)
    parts = [part for word in ("anyOf", "oneOf", "allOf") for part in schema.get(word, ())]
    for below in (*parts, schema.get("items"), schema.get("additionalProperties"), *schema.get("patternProperties", {}).values()):
        yield from key_pairs(whole, below, above, seen)


NO_KEYS = {"body.cikk", "body.galeria", "body.lista", "body.hiba", "archive.paging", "columns.NAME.paging"}
"""Selectors, since `body` is a tag, too; questions of `curator learn`."""
FILES = (".md", ".csv", ".parquet", ".yaml", ".yml", ".json", ".jsonl", ".tsv", ".txt", ".py", ".html", ".xml", ".sqlite", ".lock", ".zip")


def test_every_key_of_a_portal_file_that_a_sentence_names_is_one(curator: Any) -> None:
    schema = json.loads(Path(curator("check", "--schema").out.strip()).read_text(encoding="utf-8"))
    keys = set(key_pairs(schema, schema, "", set()))
    first = {key for above, key in keys if above == ""} | {"urls", "pages", "stop", "dates", "request"}

    def unknown(page: Path) -> Iterator[str]:
        named = {span for span in spans(page) if re.fullmatch(r"[a-z_]+(\.[A-Za-z_]+)+", span) and span.partition(".")[0] in first}
        for span in sorted(named - NO_KEYS):
            path = [step for step in span.split(".") if not step.isupper()]  # names in capitals stand for names of one's own
            if not span.endswith(FILES) and not all(pair in keys for pair in pairwise(path)):
                yield span

    assert wrong(TOLD, unknown) == []


def test_every_block_of_yaml_is_a_portal_file_or_a_part_of_one_or_a_list_of_tests(tmp_path: Path) -> None:
    for page in TOLD:
        for block in fences(page, "yaml"):
            value = None if re.match(r"# [\w./]+\.cff\n|cff-version", block) else yaml.safe_load(block)
            if isinstance(value, list):
                assert all(set(one) <= {"url", "as", "expect"} for one in value), page
            elif value is not None:
                (tmp_path / "portal.yaml").write_text(block if "portal" in value else completed(value), encoding="utf-8")
                load_portal(tmp_path / "portal.yaml")


def completed(part: dict[str, Any]) -> str:
    """With what this part of a portal file leaves to the rest of it."""
    if {"archive", "columns"} & set(part):
        archive = part.get("archive", {})
        has_links = {"link", "item", "ways"} & set(archive) or archive.get("format", "html") != "html"
        link = {} if has_links else {"link": "h2 a"}
        url = {} if {"url", "ways"} & set(archive) else {"url": "https://pelda.example/" + "{date}" * ("dates" in str(part))}
        part = {**part, "archive": {**link, **url, **archive}}
    return yaml.safe_dump({"portal": "pelda", "home": "https://pelda.example/", **part}, allow_unicode=True)


# --- the checkout ---


def test_every_file_target_of_make_variable_and_site_that_a_page_names_is_there() -> None:
    folders = {one.name for one in ROOT.iterdir() if one.is_dir()} - {"build", "dist", "tests"}
    targets = {*re.findall(r"(?m)^([a-z-]+):", text_of(ROOT / "Makefile")), "compile"}  # the last one is of a corpus manager
    read = "".join(text_of(file) for file in (*(ROOT / "webarticlecurator").rglob("*.py"), *(ROOT / "schemas").glob("*.json")))
    secrets = {name for page in TOLD for name in re.findall(r"env: (CURATOR_[A-Z_]+)", text_of(page))}
    sites = {one.name for kind in KINDS for one in variations(kind)}

    def missing(page: Path) -> Iterator[str]:
        for span in spans(page):
            if re.fullmatch(r"[\w./-]+/[\w./-]*", span) and span.partition("/")[0] in folders and "NAME" not in span:
                yield from () if (ROOT / span).exists() else (span,)
        commands = "\n".join([*spans(page), *(line[2:] for block in fences(page, "console") for line in block.splitlines())])
        yield from (f"make {name}" for name in re.findall(r"(?m)^make ([a-z-]+)", commands) if name not in targets)
        yield from (name for name in set(re.findall(r"\bCURATOR_[A-Z_]+", text_of(page))) - secrets if name not in read)
        yield from (name for name in re.findall(r"\$ python -m examples\.sites ([\w.-]+)", text_of(page)) if name not in sites)

    assert wrong(TOLD, missing) == []


def test_every_dependency_is_explained_where_it_is_required() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    required = {re.split(r"[^\w.-]", line)[0].lower() for line in setup["options"]["install_requires"].split("\n") if line}
    explained = re.findall(r"(?m)^    # [A-Z`].*\.\n    ([\w.-]+)", text_of(ROOT / "setup.cfg"))
    assert {name.lower() for name in explained} == required
    extras = {name: set(lines.split()) for name, lines in setup["options.extras_require"].items()}
    (others,) = (line for line in extras["nightly"] if line.startswith("webarticlecurator["))
    assert {"test", "browser", "cluster", "cloud"} <= set(re.findall(r"\w+", others))
