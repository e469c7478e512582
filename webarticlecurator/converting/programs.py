"""The program that a file is of, the files that are of one portal, and what they are converted to
together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from webarticlecurator.config.yaml_reading import content_of, mapping, read_document
from webarticlecurator.converting import elte, fundus
from webarticlecurator.converting.fivefilters import read_fivefilters
from webarticlecurator.converting.portal_file import Conversion
from webarticlecurator.errors import UsageError, refuse_mistakes
from webarticlecurator.own_patterns import linear

_OF_A_PORTAL = linear(
    r"_(?:(?:no)?text_)?(?:tags|bigrams).*$|_(?:specific|functions?|extractors?|site|crawl|schema|config)$"
)


def grouped(files: Sequence[Path]) -> list[list[Path]]:
    """Files of one portal together: a file of fivefilters is alone, those of ELTE's programs begin with the
    same name."""
    groups: dict[str, list[Path]] = {}
    for path in files:
        groups.setdefault(
            str(path) if path.suffix == ".txt" else _OF_A_PORTAL.sub("", path.stem.lower()), []
        ).append(path)
    return list(groups.values())


def converted(group: Sequence[Path]) -> Conversion:
    """Return what is said of a portal. Raises UsageError, and PortalFileError for what is no YAML."""
    first = group[0]
    if first.suffix == ".txt":
        return read_fivefilters(first)
    name = (
        linear(r"[^a-z0-9._-]+").sub("-", _OF_A_PORTAL.sub("", first.stem.lower())).strip("-._") or "portal"
    )
    conversion = Conversion(name, elte.PROGRAM, sources=[path.name for path in group])
    taken = {path.resolve() for path in group}
    for path in group:
        if path.suffix in (".yaml", ".yml"):
            conversion.program = elte.PROGRAM
            _read_yaml(conversion, path, taken)
        elif path.suffix == ".py":
            conversion.program = elte.MODULES_PROGRAM
            elte.read_module(conversion, path, path.read_text(encoding="utf-8-sig", errors="replace"))
        else:
            raise UsageError(
                f"{path}: no file of a program known here; a tag table of HTML2TEI becomes rules by `curator "
                f"tags apply {path} PORTAL`."
            )
    return conversion


def _read_yaml(conversion: Conversion, path: Path, taken: set[Path]) -> None:
    """Say what a site schema says, or a crawl configuration and the schema that it names, unless that is one
    of the files that are read anyway."""
    root, mistakes = read_document(content_of(path), path)
    refuse_mistakes(mistakes)
    said = mapping(root)
    if said.entries.keys() >= set(elte.OF_SITES):
        if any(rule.path[0] == "archive" for rule in conversion.rules):
            raise UsageError(f"{path}: two site schemas have this name: convert them one by one.")
        elte.read_site(conversion, path, said)
    elif elte.OF_CRAWLS in said.entries:
        schema = elte.schema_of(path, said)
        elte.read_crawl(conversion, path, said, is_followed=schema is not None)
        if schema is not None and schema.resolve() not in taken:
            taken.add(schema.resolve())
            conversion.sources.append(schema.name)
            _read_yaml(conversion, schema, taken)
    else:
        kinds = "no site schema (`site_name`, `columns`) and no crawl configuration (`schema`)"
        raise UsageError(f"{path}: it is {kinds}.")


def conversions(files: Sequence[Path]) -> list[tuple[str, Callable[[], Conversion]]]:
    """Return what is to be converted, by portal: the names of its files, and what reads them."""
    return [(", ".join(map(str, group)), partial(converted, group)) for group in grouped(files)]


def installed_publishers() -> list[tuple[str, Callable[[], Conversion]]]:
    """Return the same of all publishers of the fundus that is installed. Raises UsageError where there is
    none."""
    collection, source = fundus.installed_fundus()
    publishers = fundus.read_all(collection, source, date.today().isoformat())
    return [(each.conversion.name, partial(_ready, each.conversion)) for each in publishers]


def _ready(conversion: Conversion) -> Conversion:
    return conversion
