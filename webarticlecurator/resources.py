"""The files that come with the program: where they lie, and how lists of words in them are read."""

from __future__ import annotations

import re
from pathlib import Path

from webarticlecurator.own_patterns import linear

_PACKAGE = Path(__file__).resolve().parent


def schema(name: str) -> Path:
    """Return a file of schemas/, such as `portal.schema.json`."""
    return _folder("schemas") / name


def site_configs() -> Path:
    """The folder of presets and portal files that come with the program."""
    return _folder("site_configs")


def shipped_portals() -> dict[str, Path]:
    """Return the portal files that come with the program, by the names that stand for them: a folder each
    where more belongs to a portal, else a file among those of its country."""
    files = {path.stem: path for path in newspapers().glob("*/*.yaml") if path.name != "tests.yaml"}
    folders = {path.parent.name: path for path in site_configs().glob("**/portal.yaml")}
    return dict(sorted({**files, **folders}.items()))


def newspapers() -> Path:
    """The folder of newspapers by country, a portal file each."""
    return site_configs() / "newspapers"


def presets() -> Path:
    """Return what portals of one system have in common, one YAML file a system."""
    return site_configs() / "presets"


def tei_templates() -> Path:
    """The folder of templates of TEI headers that come with the program."""
    return _folder("tei_templates")


def example_portal() -> Path:
    """The folder of the portal that the demo, the tutorial and the tests crawl."""
    return _folder("example_portal", in_checkout="examples/portal")


def is_shipped(path: Path) -> bool:
    """Say whether a portal file came with curator, installed or as a checkout: its folder is no place for a
    person's data."""
    return not {site_configs(), example_portal()}.isdisjoint(path.resolve().parents)


def tests_of(path: Path) -> Path:
    """Return where the tests.yaml of a portal file lies: beside it; of one that came with the program among
    others of its country, in a folder of its name, where its portal file then lies, too."""
    shares_folder = newspapers() in path.resolve().parents and path.name != "portal.yaml"
    return (path.with_suffix("") if shares_folder else path.parent) / "tests.yaml"


def is_inside_package(path: Path) -> bool:
    """Say whether a file came with the installed package: the next version replaces it."""
    return _PACKAGE in path.resolve().parents


def read_word_lists(module: str, file: str, between: str = r",\s+|\n") -> dict[str, tuple[str, ...]]:
    """Return the words under each name of a text file beside a module, whose `__file__` is given: `[name]`
    begins a list."""
    text = linear(r"^#.*\n", re.MULTILINE).sub("", Path(module).with_name(file).read_text(encoding="utf-8"))
    parts = linear(r"^\[(.+)\]$", re.MULTILINE).split(text)[1:]
    return {
        name: tuple(linear(between).split(words.strip()))
        for name, words in zip(parts[::2], parts[1::2], strict=True)
    }


def _folder(name: str, *, in_checkout: str | None = None) -> Path:
    # An installed package carries its folders inside; a checkout (also when installed with `pip install -e`)
    # keeps them beside it. Asking the file system serves both, and a checkout that was never installed, which
    # importlib.resources would not.
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parent / (in_checkout or name)
