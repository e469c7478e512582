"""What belongs to the person who crawls rather than to a portal: one table, and where each value comes from."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import yaml

from webarticlecurator.errors import UsageError

_SIZE_LIMIT = 100_000


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    """Its key in the settings file."""
    env: str
    default: str | None
    help: str


SETTINGS: tuple[Setting, ...] = (
    Setting(
        name="contact",
        env="CURATOR_CONTACT",
        default=None,
        help="Who crawls: an e-mail address or a web page, told to every portal in the User-Agent.",
    ),
    Setting(
        name="corpora",
        env="CURATOR_CORPORA",
        default=None,
        help="The folder for all your corpora, each in a folder named after its portal; without it a corpus lies beside its portal file.",
    ),
)


@dataclass(frozen=True, slots=True)
class Value:
    """A setting's value, and who said so."""

    text: str | None
    source: str


def settings_file() -> Path:
    """The person's own settings file; it need not exist."""
    return Path(platformdirs.user_config_dir("curator", appauthor=False)) / "settings.yaml"


def lookup(name: str, *, flag: str | None, environ: Mapping[str, str], file: Path) -> Value:
    """The value of one setting: flag before environment before file before default; an empty text counts as not given."""
    setting = next(setting for setting in SETTINGS if setting.name == name)
    candidates = (
        Value(flag, f"--{name}"),
        Value(environ.get(setting.env), setting.env),
        Value(read_settings(file).get(name), str(file)),
    )
    return next((value for value in candidates if value.text), Value(setting.default, "default"))


def corpora_folder() -> Path | None:
    """Where the person wants all corpora to lie, if anywhere. Raises UsageError where that would depend on the working directory."""
    value = lookup("corpora", flag=None, environ=os.environ, file=settings_file())
    if not value.text:
        return None
    folder = Path(value.text).expanduser()
    if not folder.is_absolute():
        raise UsageError(f"{value.source}: corpora {value.text!r} would depend on where you stand: write an absolute path, or ~/...")
    return folder


def read_settings(file: Path) -> dict[str, str]:
    """What the settings file says; nothing where there is none. Raises UsageError on a file that is not one."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return {}
    if len(content) > _SIZE_LIMIT:
        raise UsageError(f"{file}: this is too large for a settings file")
    try:
        read = yaml.load(content, Loader=yaml.BaseLoader)  # every scalar stays text, and nothing is ever constructed
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: this is not readable as YAML: {' '.join(str(error).split())}") from None
    if not isinstance(read, dict):
        if not read:
            return {}
        raise UsageError(f"{file}: expected lines such as `contact: you@example.org`")
    names = [setting.name for setting in SETTINGS]
    for name, value in read.items():
        if name not in names:
            close = difflib.get_close_matches(str(name), names, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(names)}"
            raise UsageError(f"{file}: unknown setting {str(name)!r}; {hint}")
        if not isinstance(value, str):
            raise UsageError(f"{file}: {name}: expected a text")
    return {name: value.strip() for name, value in read.items()}
