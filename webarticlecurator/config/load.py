"""A portal file, and what it extends, to a portal; every mistake at once."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from io import StringIO
from pathlib import Path

import yaml

from webarticlecurator import resources
from webarticlecurator.config.merge import merge, nothing
from webarticlecurator.config.node_compiler import NodeCompiler, is_file, items
from webarticlecurator.config.portal import EXTENDED, PORTAL, Portal, SourceFile
from webarticlecurator.config.portal_rules import read_portal
from webarticlecurator.config.structure import check_shape
from webarticlecurator.config.yaml_hints import shortened
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, ScalarNode, YamlNode
from webarticlecurator.config.yaml_reading import content_of, read_yaml, resolve
from webarticlecurator.errors import Mistake, PortalFileError, UsageError

FILE_NAME = "portal.yaml"
MOST_FILES = 30
"""Files that one portal may be made of."""
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_RESOLVER = yaml.SafeDumper(StringIO())


def load_portal(path_or_name: str | Path, *, content: bytes | None = None) -> Portal:
    """Read a portal file: a path, or the name of a portal in site_configs/. `content` is read as if the file at that path held it.

    Raises PortalFileError with all mistakes, and UsageError where there is no file to read.
    """
    path = portal_path(path_or_name) if content is None else Path(path_or_name)
    reading = _Reading()
    own = reading.read(path, None, content)
    if own is None:
        raise PortalFileError(tuple(reading.mistakes))
    root = reading.merged(own, path, ())
    compiler = NodeCompiler()
    portal = read_portal(compiler, root, own, reading.lost_below)
    reading.add(dict.fromkeys(compiler.mistakes))
    warnings = tuple(sorted(set(compiler.warnings)))
    if reading.mistakes or portal is None:
        raise PortalFileError(tuple(reading.mistakes), warnings)
    return replace(portal, sources=tuple(reading.sources), effective=_effective(root), warnings=warnings)


def as_portal(portal: Portal | str | Path) -> Portal:
    """A portal, or the one that such a path or name means."""
    return portal if isinstance(portal, Portal) else load_portal(portal)


def portal_path(path_or_name: str | Path) -> Path:
    """Where a portal file lies. Raises UsageError where there is none."""
    path, name = Path(path_or_name), str(path_or_name)
    places = [path, path / FILE_NAME]
    if _NAME.fullmatch(name):
        places.append(resources.site_configs() / name / FILE_NAME)
    found = next(filter(is_file, places), None)
    if found is not None:
        return found
    if name.lower().startswith(("http://", "https://")):
        raise UsageError(
            f"{name[:200]} is an address, and no portal file; `curator new {shlex.quote(name)}` looks at the site and writes one"
        )
    if os.path.isdir(path):  # noqa: PTH112  # unlike Path.is_dir, it takes any text
        others = _portal_files(path)
        advice = f"name the file itself, such as {others[0]}" if others else "give the path of a portal file"
        raise UsageError(f"{path} is a folder without a {FILE_NAME}; {advice}")
    known = [folder.parent.name for folder in sorted(resources.site_configs().glob(f"*/{FILE_NAME}"))]
    beside = {file.stem: str(file) for file in _portal_files(path.parent)}
    close = get_close_matches(name, known, n=1) or [beside[stem] for stem in get_close_matches(path.stem, beside, n=1)]
    suggestion = f"did you mean {close[0]}?" if close else "give the path of a portal file, or the name of a portal in site_configs/"
    raise UsageError(f"there is no portal file {name[:200]}; {suggestion}")


def _portal_files(folder: Path) -> list[Path]:
    """What may be one, in this very folder."""
    if not os.path.isdir(folder):  # noqa: PTH112  # unlike Path.is_dir, it takes any text
        return []
    return [file for pattern in ("*.yaml", "*.yml") for file in sorted(folder.glob(pattern)) if file.name != "tests.yaml"]


# --- files that belong to the person ---


def editable(portal: str | Path) -> Path:
    """Where the portal file lies. Raises UsageError for one that came with the package."""
    path = portal_path(portal)
    if resources.is_inside_package(path):
        raise UsageError(f"{portal} came with curator, and the next version would replace it: copy {path.parent} to a folder of yours.")
    return path


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file, at once and as a whole; where the path is a link, what it leads to. Raises UsageError for one that is read-only."""
    target = path.resolve()
    if not target.stat().st_mode & stat.S_IWUSR:  # another file in its place would need no permission
        raise UsageError(f"{path} is read-only, and stays as it is; `chmod u+w` lets it be changed.")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(target, draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


# --- reading ---


@dataclass(slots=True)
class _Reading:
    """The files of one portal as they are read."""

    mistakes: list[Mistake] = field(default_factory=list)
    sources: list[SourceFile] = field(default_factory=list)
    lost: set[tuple[str | int, ...]] = field(default_factory=set)

    def add(self, found: Iterable[Mistake]) -> None:
        """Note what one stage of reading found; of a place where an earlier one stumbled it knows nothing better."""
        known = {(mistake.file, mistake.line, mistake.column) for mistake in self.mistakes}
        self.mistakes += [mistake for mistake in found if (mistake.file, mistake.line, mistake.column) not in known]

    def read(self, path: Path, named: FilePlace | None, content: bytes | None = None) -> MapNode | None:
        """One file, with its shape checked; `named`: where another file extends it."""
        try:
            content = content_of(path) if content is None else content
        except UsageError as error:
            if named is None:
                raise
            self.mistakes.append(named.mistake(str(error)))
            return None
        self.sources.append(SourceFile(path=path, content=content))
        root, mistakes = read_yaml(content, path)
        self.add(mistakes)
        if root is None:
            return None
        checked = check_shape(root, PORTAL if named is None else EXTENDED)
        self.add(checked.mistakes)
        self.lost |= checked.lost
        return checked.root

    def merged(self, near: MapNode, path: Path, above: tuple[Path, ...]) -> MapNode:
        """A file with what it extends; the last that it names is the nearest."""
        chain = (*above, path.resolve())
        named = [node for node in reversed(items(near.get("extends"))) if isinstance(node, ScalarNode)]
        layers = [farther for node in named if (farther := self._extended(node, path, chain)) is not None]
        root = nothing(near.place)
        for layer in (*reversed(layers), near):
            root = merge(root, layer, PORTAL)
        return root

    def _extended(self, node: ScalarNode, by: Path, chain: tuple[Path, ...]) -> MapNode | None:
        path = _extended_path(node.text, by)
        if path is None or not is_file(path):
            mistake = _not_there(node.text)
        elif path.resolve() in chain:
            mistake = f"{node.text} extends, directly or not, the file that extends it; break the circle"
        elif len(self.sources) >= MOST_FILES:
            mistake = f"a portal is made of {MOST_FILES} files at most"
        else:
            root = self.read(path, node.place)
            return self.merged(root, path, chain) if root is not None else None
        self.mistakes.append(node.place.mistake(mistake))
        return None

    def lost_below(self, path: tuple[str, ...]) -> bool:
        return any(lost[: len(path)] == path for lost in self.lost)


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.endswith((".yaml", ".yml"))


def _extended_path(name: str, by: Path) -> Path | None:
    if _is_path(name):
        return by.parent / name
    return resources.presets() / f"{name}.yaml" if _NAME.fullmatch(name) else None


def _not_there(name: str) -> str:
    if _is_path(name):
        return f"there is no file {shortened(name)}; it is looked for relative to this file"
    known = sorted(path.stem for path in resources.presets().glob("*.yaml"))
    close = get_close_matches(name, known, n=1)
    return f"there is no preset {name!r}; " + (
        f"did you mean `{close[0]}`?" if close else f"there are: {', '.join(known)}; a path ends in .yaml"
    )


# --- the effective file: what `check --show` prints, and what is stored with every crawl ---


def _effective(root: MapNode) -> str:
    """The merged tree as YAML that gives the same portal when it is read again."""
    text: str = yaml.serialize(_yaml(root), Dumper=_DUMPER, allow_unicode=True, width=160)
    return text


def _yaml(node: YamlNode) -> yaml.Node:
    if isinstance(node, MapNode):
        pairs = [(_text(key), _yaml(value)) for key, value in node.entries.items() if key != "extends"]
        return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=not node.entries)
    if isinstance(node, ListNode):
        return yaml.SequenceNode("tag:yaml.org,2002:seq", [_yaml(item) for item in node.items], flow_style=not node.items)
    return _text(node.text) if isinstance(node.value, str) else _plain(node)


def _plain(node: ScalarNode) -> yaml.Node:
    """A number, a truth value or null as it was written: with the tag that PyYAML expects, so that it writes none."""
    written = node.text or "null"
    tag: str = _RESOLVER.resolve(yaml.ScalarNode, written, (True, False))  # type: ignore[no-untyped-call]
    return yaml.ScalarNode(tag, written)


def _text(text: str) -> yaml.Node:
    """Text, in quotes where YAML 1.2 would read it as something else (PyYAML itself thinks of YAML 1.1)."""
    return yaml.ScalarNode("tag:yaml.org,2002:str", text, style=None if isinstance(resolve(text), str) else '"')
