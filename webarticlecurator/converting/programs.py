"""Which program a file is of, which files are of one portal, and what they are converted to together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from webarticlecurator.config.yaml_reading import content_of, mapping, plain, read_document
from webarticlecurator.converting import elte
from webarticlecurator.converting.fivefilters import read_fivefilters
from webarticlecurator.converting.portal_file import Conversion, home_in
from webarticlecurator.errors import PortalFileError, UsageError
from webarticlecurator.survey.tag_table import HTML2TEI_COLUMNS

_OF_A_PORTAL = re.compile(r"_(?:(?:no)?text_)?(?:tags|bigrams).*$|_(?:specific|functions?|extractors?|site|crawl|schema|config)$")


def grouped(files: Sequence[Path]) -> list[list[Path]]:
    """Files of one portal together: a file of fivefilters is alone, those of ELTE's programs begin with the same name."""
    groups: dict[str, list[Path]] = {}
    for path in files:
        groups.setdefault(str(path) if _is_of_fivefilters(path) else _OF_A_PORTAL.sub("", path.stem.lower()), []).append(path)
    return list(groups.values())


def converted(group: Sequence[Path]) -> tuple[Conversion, str]:
    """What is said of a portal, and its portal file. Raises UsageError, and PortalFileError for what is no YAML."""
    first = group[0]
    if len(group) == 1 and _is_of_fivefilters(first):
        conversion = read_fivefilters(first)
        return conversion, conversion.with_comments(conversion.rules_text())
    name = re.sub(r"[^a-z0-9._-]+", "-", _OF_A_PORTAL.sub("", first.stem.lower())).strip("-._") or "portal"
    conversion = Conversion(name, elte.PROGRAM, sources=[path.name for path in group])
    tables: dict[Path, str] = {}
    for path in group:
        if path.suffix in (".yaml", ".yml"):
            root, mistakes = read_document(content_of(path), path)
            if mistakes:
                raise PortalFileError(tuple(mistakes))
            said, conversion.program = mapping(root), elte.PROGRAM
            if said.entries.keys() >= set(elte.OF_SITES):
                if any(rule.path[0] == "archive" for rule in conversion.rules):
                    raise UsageError(f"{path}: two site schemas have this name: convert them one by one.")
                elte.read_site(conversion, path, said)
            elif said.entries.keys() >= set(elte.OF_CRAWLS):
                for key, node in said.entries.items():
                    conversion.leave(key, f"{path.name}:{node.place.line}", f"{key}: {plain(node)}")
            else:
                kinds = "no site schema (`site_name`, `columns`) and no crawl configuration (`schema`, `output_corpus`)"
                raise UsageError(f"{path}: it is {kinds}.")
            continue
        text, conversion.program = _text(path), elte.TABLES_PROGRAM
        if path.suffix == ".py":
            elte.read_module(conversion, path, text)
        elif elte.is_table(text.partition("\n")[0]):
            tables[path] = text
            conversion.home = conversion.home or home_in(text)
        else:
            raise UsageError(f"{path}: it has not the columns of a tag table ({', '.join(HTML2TEI_COLUMNS)}).")
    rules = conversion.rules_text()
    return conversion, conversion.with_comments(elte.with_tables(conversion, rules, tables) if tables else rules)


def _is_of_fivefilters(path: Path) -> bool:
    return path.suffix == ".txt" and not elte.is_table(_text(path).partition("\n")[0])


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8-sig", errors="replace")
