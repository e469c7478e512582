"""A portal file, and what it extends, to a portal; every mistake at once."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from io import StringIO
from pathlib import Path

import yaml

from webarticlecurator import resources
from webarticlecurator.budget import Budget
from webarticlecurator.config import scalars, shipped, yaml_reading
from webarticlecurator.config.article_rules import read_articles, read_layouts
from webarticlecurator.config.columns import read_columns
from webarticlecurator.config.fetch_rules import UrlRules, read_fetch
from webarticlecurator.config.keys import check_shape, closest, read_keys
from webarticlecurator.config.merge import merge
from webarticlecurator.config.portal import EXTENDED, PORTAL, Portal, SourceFile
from webarticlecurator.config.sample_urls import sample_url
from webarticlecurator.config.scalars import NodeCompiler
from webarticlecurator.config.template import HOME
from webarticlecurator.config.unlikely_values import warn_of_addresses
from webarticlecurator.config.yaml_reading import (
    FilePlace,
    ListNode,
    MapNode,
    ScalarNode,
    YamlNode,
    entries,
    is_null,
    items,
    mapping,
    text,
)
from webarticlecurator.errors import Mistake, PatternTimeout, PortalFileError, UsageError
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.patterns import Pattern
from webarticlecurator.urls import bare_host, join, site_name

FILE_NAME = "portal.yaml"
_NO_PORTALS = ("tests.yaml", "corrections.yaml")
"""Ends of the names of files that lie beside portal files."""
MOST_FILES = 30
"""Files that one portal may be made of."""
_NAME = linear_at(r"[a-z0-9][a-z0-9._-]*")
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_RESOLVER = yaml.SafeDumper(StringIO())


def load_portal(path_or_name: str | Path, *, content: bytes | None = None) -> Portal:
    """Read a portal file: a path, or the name of a portal in site_configs/. `content` is read as if the file
    at that path held it.

    Raises PortalFileError with all mistakes, and UsageError where there is no file to read.
    """
    path = portal_path(path_or_name) if content is None else Path(path_or_name)
    reading = _Reading(path.parent)
    own = reading.read(path, content)
    if own is None:
        raise PortalFileError(tuple(reading.mistakes))
    root = reading.merged(own, path, ())
    reading.note_lacking_home(own, root)
    compiler = NodeCompiler(lost=reading.lost)
    compiler.language = compiler.parse(root.get("language"), scalars.language)
    compiler.in_json = text(mapping(root.get("articles")).get("format")) == "json"
    name, title = text(root.get("portal")), text(root.get("title"))
    home = compiler.parse(root.get("home"), scalars.web_address) or ""
    # where the file gives none, which it is told, nothing more is to be said of the templates
    compiler.variables = {HOME: join(home or "https://home.invalid/", ".") or home}
    archive, columns = read_columns(compiler, root, own)
    addresses = [*filter(None, [home]), *map(sample_url, columns)]
    portal = read_keys(
        compiler,
        Portal,
        root,
        name=name or "",
        title=title or name or "",
        home=home,
        fetch=read_fetch(compiler, root.get("fetch"), addresses),
        columns=columns,
        archive=archive,
        articles=read_articles(compiler, root.get("articles"), root.get("fetch")),
        article_urls=read_keys(compiler, UrlRules, mapping(root.get("archive")).get("urls")),
        layouts=read_layouts(compiler, root),
        hosts=frozenset(bare_host(url) for url in addresses),
    )
    _check_identity(compiler, portal, root)
    _warn_of_other_site(compiler, root, home, reading.homes)
    warn_of_addresses(compiler, root, portal.hosts)
    reading.add(compiler.mistakes)
    warnings = tuple(sorted(compiler.warnings))
    if reading.mistakes or name is None or not home:
        raise PortalFileError(tuple(reading.mistakes), warnings)
    effective: str = yaml.serialize(_yaml(root), Dumper=_DUMPER, allow_unicode=True, width=160)
    return replace(portal, sources=tuple(reading.sources), effective=effective, warnings=warnings)


def portal_at(address: str, name: str = "site", file: Path = Path("site.yaml")) -> Portal:
    """Return what is known of a portal before it has a file: as if one said its address, its name, and
    nothing else. Raises UsageError."""
    try:
        home = scalars.web_address(address)
    except ValueError as error:
        raise UsageError(
            f"{error}. An address begins with http:// or https://, such as https://pelda.example/"
        ) from None
    return load_portal(file, content=f"portal: {name}\nhome: {json.dumps(home)}\n".encode())


def as_portal(portal: Portal | str | Path) -> Portal:
    """A portal, or the one that such a path or name means."""
    return portal if isinstance(portal, Portal) else load_portal(portal)


def portal_path(path_or_name: str | Path) -> Path:
    """Return where a portal file lies. Raises UsageError where there is none."""
    path, name = Path(path_or_name), str(path_or_name)
    for place in (path, path / FILE_NAME):
        if os.path.isfile(place):  # noqa: PTH113  # unlike Path.is_file, it takes any text
            return place
    came_with_it = resources.shipped_portals()
    if name in came_with_it:
        return came_with_it[name]
    raise _no_portal(path, name)


def _no_portal(path: Path, name: str) -> UsageError:
    """Return why a path or name leads to no portal file, and what may be meant."""
    if name.lower().startswith(("http://", "https://")):
        described = shipped.of_address(name)
        which = (
            f"; {' and '.join(described)}, which came with curator, describes that site" if described else ""
        )
        return UsageError(f"{name[:200]} is an address, and no portal file{which}", advice="new")
    folder = path if (is_folder := os.path.isdir(path)) else path.parent  # noqa: PTH112
    beside = sorted(folder.glob("*.y*ml")) if os.path.isdir(folder) else []  # noqa: PTH112
    near = {file.stem: str(file) for file in beside if not file.name.endswith(_NO_PORTALS)}
    if is_folder:
        advice = (
            f"name the file itself, such as {next(iter(near.values()))}"
            if near
            else "give the path of a portal file"
        )
        return UsageError(f"{path} is a folder without a {FILE_NAME}; {advice}")
    close = near.get(closest(path.stem, tuple(near)) or "")
    if close or path.suffix:
        other = "give the path of a portal file, or the name of a portal that came with curator"
        suggestion = f"did you mean {close}?" if close else other
        return UsageError(f"there is no portal file {name[:200]}; {suggestion}")
    return no_portal_of_name(name, f"there is no portal file {name[:200]}")


def no_portal_of_name(name: str, says: str) -> UsageError:
    """Return what may be meant by a name that no portal has, behind what is said of it."""
    if name in _presets():
        return UsageError(
            f"{says}; {name} is a preset, and no portal: `extends: {name}` in a portal file takes it over"
        )
    named = shipped.named(name)
    if any(named):
        return UsageError(f"{says}; portals {named} may be meant", advice="portals")
    near = shipped.near_names(name)
    return (
        UsageError(f"{says}; did you mean {' or '.join(near)}?") if near else UsageError(says, advice="names")
    )


@dataclass(slots=True)
class _Reading:
    """The files of one portal as they are read."""

    folder: Path
    """The folder of the portal file: every file that it extends by a path lies there or below."""
    mistakes: list[Mistake] = field(default_factory=list)
    sources: list[SourceFile] = field(default_factory=list)
    lost: set[tuple[str | int, ...]] = field(default_factory=set)
    homes: list[str] = field(default_factory=list)
    """Home pages of files that are extended."""

    def add(self, mistakes: Iterable[Mistake]) -> None:
        """Note what one stage of reading found; of a place where an earlier one stumbled it knows nothing
        better."""
        known = {(mistake.file, mistake.line, mistake.column) for mistake in self.mistakes}
        self.mistakes += [
            mistake for mistake in mistakes if (mistake.file, mistake.line, mistake.column) not in known
        ]

    def note_lacking_home(self, own: MapNode, root: MapNode) -> None:
        """Note that neither a file nor what it extends has a home page, where nothing else is wrong."""
        if "extends" in own.entries and "home" not in root.entries and not self.mistakes:
            self.add([own.place.mistake("`home` is missing here, and in what is extended")])

    def read(self, path: Path, content: bytes | None = None, *, extended: bool = False) -> MapNode | None:
        """Read one file, and check its shape. Raises UsageError where it cannot be read."""
        content = yaml_reading.content_of(path) if content is None else content
        self.sources.append(SourceFile(path=path, content=content))
        root, mistakes = yaml_reading.read_document(content, path)
        if root is not None and not is_null(root) and not isinstance(root, MapNode):
            mistakes = [*mistakes, root.place.mistake("a portal file is a mapping: lines of `key: value`")]
        elif not mistakes and (root is None or is_null(root)):
            mistakes = [
                FilePlace(path, 1, 1).mistake(
                    "the file is empty; a portal file needs at least `portal` and `home`"
                )
            ]
        self.add(mistakes)
        if not isinstance(root, MapNode):
            return None
        sound, mistakes_of_shape, lost = check_shape(root, EXTENDED if extended else PORTAL)
        self.add(mistakes_of_shape)
        self.lost |= lost
        home = text(sound.get("home"))
        if extended and home:
            self.homes.append(home)
        return sound

    def merged(self, near: MapNode, path: Path, above: tuple[Path, ...]) -> MapNode:
        """A file with what it extends; the last that it names is the nearest."""
        here = (*above, path.resolve())
        named = [node for node in reversed(items(near.get("extends"))) if isinstance(node, ScalarNode)]
        layers = [farther for node in named if (farther := self._extended(node, path, here)) is not None]
        root = MapNode(near.place, {}, {})
        for layer in (*reversed(layers), near):
            root = merge(root, layer, PORTAL)
        return root

    def _extended(self, node: ScalarNode, by: Path, above: tuple[Path, ...]) -> MapNode | None:
        """Return a file that another extends, with what it extends itself; None if it cannot be read, which
        is noted."""
        name = node.text
        is_path = "/" in name or "\\" in name or name.endswith((".yaml", ".yml"))
        path = by.parent / name if is_path else _shipped_file(name)
        mistake = self._no_file(name, path) if is_path else _no_preset(name, path)
        if not mistake and path.resolve() in above:
            mistake = f"{name} extends, directly or not, the file that extends it; break the circle"
        if not mistake and len(self.sources) >= MOST_FILES:
            mistake = f"a portal is made of {MOST_FILES} files at most"
        if not mistake:
            try:
                root = self.read(path, extended=True)
                return self.merged(root, path, above) if root is not None else None
            except UsageError as error:
                mistake = str(error)
        self.mistakes.append(node.place.mistake(mistake))
        return None

    def _no_file(self, name: str, path: Path) -> str:
        """Return why a path leads to no file that may be read; empty if it does."""
        if not scalars.lies_within(path, self.folder):
            return scalars.leads_out(name)
        is_there = os.path.isfile(path)  # noqa: PTH113
        return "" if is_there else f"there is no file {name}; it is looked for relative to this file"


def _presets() -> list[str]:
    """Return the names of all presets."""
    return sorted(preset.stem for preset in resources.presets().glob("*.yaml"))


def _shipped_file(name: str) -> Path:
    """Return where a preset lies, or a portal that came with the program."""
    preset = resources.presets() / f"{name}.yaml"
    return resources.shipped_portals().get(name, preset)


def _no_preset(name: str, path: Path) -> str:
    """Return why a name is none of a preset or a portal; empty if it is one."""
    if _NAME.fullmatch(name) and path.is_file():
        return ""
    presets = _presets()
    close = closest(name, (*presets, *resources.shipped_portals()))
    meant = f"did you mean `{close}`?" if close else f"there are: {', '.join(presets)}; a path ends in .yaml"
    return f"there is no preset {name!r}; {meant}"


def _warn_of_other_site(compiler: NodeCompiler, root: MapNode, home: str, extended: Sequence[str]) -> None:
    """Warn where a file that is extended has a home page on another site."""
    others = [other for other in extended if site_name(other) != site_name(home)]
    if home and others:
        message = f"`home` is on another site than {others[0]}, the home page of what is extended"
        compiler.warn(root.keys["home"], f"{message}, whose lists and rules for addresses are of that site")


_ANOTHER_DAY = date(2007, 11, 23)
"""A day that is unlike the usual sample day in year, month, day and week."""


def _check_identity(compiler: NodeCompiler, portal: Portal, root: MapNode) -> None:
    """Note an `identity` that finds a date, which makes all articles of that day (or year) one article."""
    identity, dated = portal.articles.identity, [column for column in portal.columns if column.dates]
    if identity is None:
        return
    place = entries(root.get("articles"))["identity"].place
    days = [(sample_url(column, ""), sample_url(column, "", _ANOTHER_DAY)) for column in dated]
    try:
        with Budget():
            for url, of_another_day in days:
                date_found = _date_found(identity, url, of_another_day)
                if date_found:
                    message = (
                        f"`identity` also finds the date in {url} ({date_found}), so that different articles "
                        "would count as one"
                    )
                    compiler.note(place, f"{message}; make it match the article's own number or name")
                    return
    except PatternTimeout as error:
        compiler.note(place, str(error))


def _date_found(identity: Pattern, url: str, of_another_day: str) -> str:
    """Return what `identity` finds in the address of one day and otherwise in that of another; empty if it
    tells articles apart."""
    if _identity_in(identity, join(url, "title")) != _identity_in(identity, join(url, "headline")):
        return ""  # it tells articles of a day from one another
    for first, second in ((url, of_another_day), (join(url, "title"), join(of_another_day, "title"))):
        found, of_other = _identity_in(identity, first), _identity_in(identity, second)
        if found is not None and of_other not in (None, found):
            return found
    return ""


def _identity_in(identity: Pattern, url: str | None) -> str | None:
    """Return the part of an address by which an article is known."""
    match = identity.search(url or "")
    return "/".join(group or "" for group in match.groups() or (match[0],)) if match else None


# --- the effective file: what `check --show` prints, and what is stored with every crawl ---


def _yaml(node: YamlNode) -> yaml.Node:
    """The merged tree as YAML that gives the same portal when it is read again."""
    if isinstance(node, MapNode):
        pairs = [(_text(key), _yaml(value)) for key, value in node.entries.items() if key != "extends"]
        return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=not node.entries)
    if isinstance(node, ListNode):
        return yaml.SequenceNode(
            "tag:yaml.org,2002:seq", [_yaml(item) for item in node.items], flow_style=not node.items
        )
    if isinstance(node.value, str):
        return _text(node.text)
    # a number, a truth value or null as it was written: with the tag that PyYAML expects, so that it writes
    # none
    written = node.text or "null"
    tag: str = _RESOLVER.resolve(yaml.ScalarNode, written, (True, False))  # type: ignore[no-untyped-call]
    return yaml.ScalarNode(tag, written)


def _text(text: str) -> yaml.Node:
    """Return a text as a node, in quotes where YAML 1.2 would read it as something else (PyYAML itself thinks
    of YAML 1.1)."""
    return yaml.ScalarNode(
        "tag:yaml.org,2002:str", text, style=None if isinstance(yaml_reading.resolve(text), str) else '"'
    )
