"""Nothing that the program has is missing in the documents, and no document speaks of what does not exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml
from typer._click.exceptions import NoSuchOption, UsageError
from written_pages import steps

from examples.sites.variations import KINDS as SITES
from examples.sites.variations import variations
from webarticlecurator.cli.app import COMMANDS, load
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.structure import portal_schema
from webarticlecurator.example_portal import SWITCHES
from webarticlecurator.exporting.formats import FORMATS
from webarticlecurator.model.outcome import FetchOutcome, PageOutcome

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
GENERATED = {"command-line.md", "portal-file.md"}
PAGES = sorted(page for page in (*ROOT.glob("*.md"), *DOCS.glob("**/*.md")) if page.name not in ("CHANGELOG.md", "NOTICE.md"))
FOREIGN = [page for page in PAGES if page.name.startswith("from-")]
"""They speak of other programs, too."""
OURS = [page for page in PAGES if page not in FOREIGN]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
each_page_of_ours = pytest.mark.parametrize("page", OURS, ids=lambda page: page.relative_to(ROOT).as_posix())

_FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


@cache
def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def fences(page: Path, *languages: str) -> list[str]:
    """The blocks in these languages."""
    return [dedent(block) for language, block in _FENCE.findall(text_of(page)) if language in languages]


@cache
def spans(page: Path) -> list[str]:
    """What stands in the sentences as code."""
    return _SPAN.findall(_FENCE.sub("", text_of(page)))


@cache
def command(name: str) -> Any:
    """A command, or one of a group: `warc list`."""
    first, _, below = name.partition(" ")
    return load(first).commands[below] if below else load(first)


def command_names() -> Iterator[str]:
    for name in COMMANDS:
        below = getattr(command(name), "commands", {})
        yield from (f"{name} {one}" for one in below) if below else (name,)


def flags_of(name: str) -> set[str]:
    return {flag for parameter in command(name).params for flag in (*parameter.opts, *parameter.secondary_opts) if flag.startswith("-")}


@cache
def all_flags() -> frozenset[str]:
    return frozenset().union(*map(flags_of, command_names())) | {"--help", "-h", "--version", "--install-completion", "--show-completion"}


# --- what is there is documented ---


@pytest.mark.parametrize("name", list(command_names()))
def test_every_command_and_option_says_what_it_is_for(name: str) -> None:
    """And so do the page of the commands and the man page, which are made of that."""
    assert command(name).help
    assert [one.name for one in command(name).params if not getattr(one, "hidden", False) and not one.help] == [], name


@pytest.mark.parametrize("name", list(command_names()))
def test_every_command_is_told_of_on_a_page_for_people(name: str) -> None:
    assert [page.name for page in PAGES if page.name not in GENERATED and f"curator {name.removesuffix(f' {USUAL}')}" in text_of(page)]


def test_every_switch_of_the_example_portal_and_every_format_of_an_export_is_documented() -> None:
    assert [name for name in SWITCHES if f"`{name}`" not in text_of(DOCS / "reference" / "example-portal.md")] == []
    told = text_of(DOCS / "reference" / "export.md")
    assert [name for name in FORMATS if not re.search(rf"--to {name}\b", told)] == []


@pytest.mark.parametrize("page", sorted([*DOCS.glob("recipes/*.md"), *DOCS.glob("tutorials/*.md")]), ids=lambda page: page.stem)
def test_every_page_that_is_followed_step_by_step_is_run_by_a_test(page: Path) -> None:
    if any(steps(page)):
        tests = (file for file in (ROOT / "tests").rglob("test_*.py"))
        assert any(page.name in file.read_text(encoding="utf-8") for file in tests if file != Path(__file__)), f"no test names {page.name}"


# --- what is documented is there ---


USUAL = "PORTAL"
"""What a group does where none of its commands is named: `curator tags portal.yaml`."""


def typed_lines(page: Path) -> Iterator[tuple[str, bool]]:
    """What a page types: each call of `curator`, and whether it is whole."""
    for block in fences(page, "console", "sh", "crontab", "bash"):
        for line in re.findall(r"(?m)^.*\bcurator .*$", block.replace("\\\n", " ")):
            if not line.lstrip().startswith("#"):
                yield from ((call, True) for call in re.findall(r"(?:^|\$ |&& |; |\| |\()\s*(curator .*)", line))
    yield from ((span, False) for span in spans(page) if span.startswith("curator "))


def wrong(line: str, *, is_whole: bool) -> str | None:
    """What the command line would say of it."""
    try:
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = []
        for word in lexer:
            if set(word) <= set("();<>|&"):
                break
            words.append(word)
    except ValueError as error:
        return str(error) if is_whole else None
    _, *arguments = (word for word in words if word != "...")
    if not arguments or not arguments[0][:1].islower():
        return None if not arguments or arguments[0].isupper() or arguments[0] in all_flags() else f"no option {arguments[0]}"
    name, *rest = arguments
    if name not in COMMANDS:
        return f"no command {name}"
    if below := getattr(command(name), "commands", {}):
        if not rest or rest[0].isupper() or rest[0] in ("--help", "-h"):
            return None
        if rest[0] not in below and USUAL not in below:
            return f"no command {name} {rest[0]}"
        name, rest = (f"{name} {rest[0]}", rest[1:]) if rest[0] in below else (f"{name} {USUAL}", rest)
    return _wrong_arguments(name, rest, is_whole=is_whole)


def _wrong_arguments(name: str, rest: list[str], *, is_whole: bool) -> str | None:
    asked = command(name)
    if {"--help", "-h"} & set(rest):
        return None
    try:
        given, left, _ = asked.make_parser(asked.context_class(asked, info_name=name)).parse_args(list(rest))
    except UsageError as error:
        return str(error.message) if is_whole or isinstance(error, NoSuchOption) else None
    if left:
        return f"too many arguments: {left}"
    if is_whole and (missing := [one.name for one in asked.params if one.required and not given.get(one.name)]):
        return f"missing: {missing}"
    wanted, known = VALUES.get(name, ("", ()))
    value = given.get(wanted) or ()
    return next(
        (f"no {wanted} {one}" for one in ([value] if isinstance(value, str) else value) if one.islower() and one not in known), None
    )


VALUES: dict[str, tuple[str, Collection[str]]] = {"export": ("to", {*FORMATS, "list"}), "demo": ("switch", SWITCHES)}
"""Command -> an option, and what it may be."""


@each_page
def test_every_command_that_a_page_types_is_one(page: Path) -> None:
    assert [(line, reason) for line, is_whole in typed_lines(page) if (reason := wrong(line, is_whole=is_whole))] == []


@pytest.mark.parametrize("name", [*COMMANDS, *(name for name in command_names() if " " in name)])
def test_every_example_of_help_can_be_typed(name: str) -> None:
    lines = re.findall(r"(?m)^ +(curator .*)$", command(name).help or "")
    assert lines or name in COMMANDS
    assert [(line, reason) for line in lines if (reason := wrong(re.sub(r"\s{2,}\S.*", "", line), is_whole=True))] == []


_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def options_of_others(page: Path) -> set[str]:
    """Those that the page types behind another program's name: `podman run --userns`."""
    lines = "\n".join(fences(page, "text", "sh", "bash", "ini", "crontab", "console")).replace("\\\n", " ").splitlines()
    typed = (re.fullmatch(r"(?:\$ )?(?!curator\b)[a-z][\w.-]* .*", line) for line in (*lines, *spans(page)))
    return {flag for one in typed if one for flag in _OPTION.findall(one[0])}


@each_page_of_ours
def test_every_option_that_a_sentence_names_is_one(page: Path) -> None:
    named = {flag for span in spans(page) if span.startswith("--") for flag in _OPTION.findall(span)}
    scripts = "".join(text_of(file) for folder in ("benchmarks", "soak") for file in (ROOT / folder).rglob("*.py"))
    assert sorted(flag for flag in named - all_flags() - options_of_others(page) if f'"{flag}"' not in scripts) == []


@each_page
def test_every_exit_code_that_a_page_names_is_one(page: Path) -> None:
    assert {int(code) for code in re.findall(r"exit codes? (\d+)\b", text_of(page))} <= {code.value for code in ExitCode}


def test_the_tables_of_outcomes_name_no_others() -> None:
    outcomes = set(re.findall(r"(?m)^\| `([a-z-]+)` \|", text_of(DOCS / "reference" / "outcomes.md")))
    assert outcomes == {*map(str, FetchOutcome), *map(str, PageOutcome)}


def key_pairs(schema: Any, above: str, seen: set[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """Key and key below it, at all places of a portal file."""
    if not isinstance(schema, dict) or (id(schema), above) in seen:
        return
    seen.add((id(schema), above))
    if "$ref" in schema:
        found: Any = portal_schema()
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        yield from key_pairs(found, above, seen)
    for key, below in schema.get("properties", {}).items():
        yield above, key
        yield from key_pairs(below, key, seen)
    for word in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(word, ()):
            yield from key_pairs(part, above, seen)
    for below in (schema.get("items"), schema.get("additionalProperties"), *schema.get("patternProperties", {}).values()):
        yield from key_pairs(below, above, seen)


@pytest.fixture(scope="module")
def keys() -> set[tuple[str, str]]:
    return {*key_pairs(portal_schema(), "", set()), *(("metadata", name) for name in FIELDS), *(("fields", name) for name in FIELDS)}


NO_KEYS = {"body.cikk", "body.galeria", "body.lista", "body.hiba", "archive.paging", "columns.NAME.paging"}
"""Selectors, since `body` is a tag, too; questions of `curator learn`."""
FILES = (".md", ".csv", ".parquet", ".yaml", ".yml", ".json", ".jsonl", ".tsv", ".txt", ".py", ".html", ".xml", ".sqlite", ".lock", ".zip")


@each_page_of_ours
def test_every_key_of_a_portal_file_that_a_sentence_names_is_one(page: Path, keys: set[tuple[str, str]]) -> None:
    first = {key for above, key in keys if above == ""} | {"urls", "pages", "stop", "dates", "request"}
    named = {span for span in spans(page) if re.fullmatch(r"[a-z_]+(\.[A-Za-z_]+)+", span) and span.partition(".")[0] in first}
    named -= {span for span in named if span.endswith(FILES)} | NO_KEYS
    assert sorted(span for span in named if not _is_key(span.split("."), keys)) == []


def _is_key(path: list[str], keys: set[tuple[str, str]]) -> bool:
    """Names in capitals stand for names of one's own."""
    names = [step for step in path if not step.isupper()]
    return all((above, below) in keys for above, below in pairwise(names))


@each_page
def test_every_file_of_the_checkout_that_a_sentence_names_is_there(page: Path) -> None:
    folders = {one.name for one in ROOT.iterdir() if one.is_dir() and one.name not in ("build", "dist")}
    named = {
        span
        for span in spans(page)
        if re.fullmatch(r"[\w./-]+", span) and span.partition("/")[0] in folders and "/" in span and "NAME" not in span
    }
    assert sorted(span for span in named if not (ROOT / span).exists()) == []


@each_page
def test_every_target_of_make_that_a_page_names_is_one(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"(?m)^([a-z-]+):", makefile))
    typed = "\n".join([*spans(page), *(line[2:] for block in fences(page, "console") for line in block.splitlines() if line[:2] == "$ ")])
    assert set(re.findall(r"(?m)^make ([a-z-]+)", typed)) - {"compile"} <= targets  # that is of a corpus manager


@each_page
def test_every_variable_of_the_environment_that_a_page_names_is_read(page: Path) -> None:
    secrets = {name for other in PAGES for name in re.findall(r"env: (CURATOR_[A-Z_]+)", text_of(other))}
    named = set(re.findall(r"\bCURATOR_[A-Z_]+", text_of(page))) - secrets
    assert {name for name in named if not any(name in source for source in sources())} == set()


@cache
def sources() -> list[str]:
    files = (*(ROOT / "webarticlecurator").rglob("*.py"), *(ROOT / "schemas").glob("*.json"))
    return [file.read_text(encoding="utf-8") for file in files]


@each_page
def test_every_site_that_a_page_serves_can_be_served(page: Path) -> None:
    known = {one.name for kind in SITES for one in variations(kind)}
    assert set(re.findall(r"\$ python -m examples\.sites ([\w.-]+)", text_of(page))) <= known


@each_page
def test_every_public_name_that_a_page_imports_is_there(page: Path) -> None:
    blocks = "\n".join(fences(page, "python", "console", "pycon"))
    for module, names in re.findall(r"(?m)^(?:>>> )?from (webarticlecurator[\w.]*) import ([\w, ]+)", blocks):
        assert [name for name in names.split(", ") if not hasattr(import_module(module), name.split(" as ")[0].strip())] == [], module


# --- blocks of YAML ---


def yaml_blocks() -> Iterator[Any]:
    for page in PAGES:
        for number, block in enumerate(fences(page, "yaml"), 1):
            if not re.match(r"# [\w./]+\.cff\n|cff-version", block):
                yield pytest.param(block, id=f"{page.stem} {number}")


@pytest.mark.parametrize("block", list(yaml_blocks()))
def test_every_block_of_yaml_is_a_portal_file_or_a_part_of_one(block: str, tmp_path: Path) -> None:
    """Or of a file of tests, which is a list."""
    value = yaml.safe_load(block)
    if isinstance(value, list):
        assert all(set(one) <= {"url", "as", "expect"} for one in value)
    elif value is not None:
        file = tmp_path / "portal.yaml"
        file.write_text(block if "portal" in value else completed(value), encoding="utf-8")
        load_portal(file)


def completed(part: dict[str, Any]) -> str:
    """With what this part of a portal file leaves to the rest of it."""
    if {"archive", "columns"} & set(part):
        archive = part.get("archive", {})
        has_links = {"link", "item", "ways"} & set(archive) or archive.get("format", "html") != "html"
        link = {} if has_links else {"link": "h2 a"}
        url = {} if {"url", "ways"} & set(archive) else {"url": "https://pelda.example/" + "{date}" * ("dates" in str(part))}
        part = {**part, "archive": {**link, **url, **archive}}
    return yaml.safe_dump({"portal": "pelda", "home": "https://pelda.example/", **part}, allow_unicode=True)
