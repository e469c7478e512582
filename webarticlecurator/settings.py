"""Settings of the person who crawls rather than of a portal: one table, and where each value comes from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.errors import UsageError


class Setting(NamedTuple):
    """One setting: its key in the settings file, the variable that comes before it, and what both are for."""

    name: str
    env: str
    help: str


SETTINGS = (
    Setting(
        "contact",
        "CURATOR_CONTACT",
        "Who crawls: an e-mail address or a web page, told to every portal in the User-Agent.",
    ),
    Setting(
        "creator", "CURATOR_CREATOR", "Who makes your corpora: `curator new` writes it into portal files."
    ),
    Setting(
        "corpora",
        "CURATOR_CORPORA",
        "The folder for all your corpora, each in a folder named after its portal; without it a corpus lies "
        "beside its portal file.",
    ),
)


def settings_file() -> Path:
    """The person's own settings file; it need not exist."""
    import platformdirs

    return Path(platformdirs.user_config_dir("curator", appauthor=False)) / "settings.yaml"


def lookup(name: str, flag: str | None = None) -> tuple[str | None, str]:
    """A setting's value, and who said so: flag before environment before file; an empty text counts as not
    given. Raises UsageError."""
    setting = next(setting for setting in SETTINGS if setting.name == name)
    in_file = _read(settings_file()).get(name)
    values = (
        (flag, f"--{name}"),
        (os.environ.get(setting.env), setting.env),
        (in_file, str(settings_file())),
    )
    return next((value for value in values if value[0]), (None, "default"))


def creators(names: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return who makes a corpus: these, else the one of the settings, if anybody is named there. Raises
    UsageError."""
    named, _ = lookup("creator")
    return tuple(names or filter(None, (named,)))


def corpora_folder() -> Path | None:
    """Return the folder in which the person wants all corpora to lie, if there is one. Raises UsageError
    where that would depend on the working directory."""
    text, source = lookup("corpora")
    if text is not None and not Path(text).expanduser().is_absolute():
        raise UsageError(
            f"{source}: corpora {text!r} would depend on where you stand: write an absolute path, or ~/..."
        )
    return Path(text).expanduser() if text is not None else None


def day_of_making(now: datetime) -> date:
    """The day that documents name as that of their making; SOURCE_DATE_EPOCH decides where it is set, so that
    builds can be repeated."""
    if (epoch := os.environ.get("SOURCE_DATE_EPOCH")) is None:
        return now.date()
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date()
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"SOURCE_DATE_EPOCH is {epoch!r}; it must be a number of seconds since 1970-01-01."
        ) from None


def _read(file: Path) -> dict[str, str]:
    """Return what the settings file says; nothing where there is none. Raises UsageError on a file that is
    not one."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return {}
    import yaml  # here: whoever has no such file starts without it

    try:
        read = (
            yaml.load(content, Loader=yaml.BaseLoader) or {}
        )  # every scalar stays text, and nothing is ever constructed
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: this is not readable as YAML: {' '.join(str(error).split())}") from None
    if not isinstance(read, dict) or not all(isinstance(value, str) for value in read.values()):
        raise UsageError(f"{file}: expected lines such as `contact: you@example.org`")
    names = [setting.name for setting in SETTINGS]
    if unknown := next((name for name in read if name not in names), None):
        raise UsageError(f"{file}: unknown setting {str(unknown)!r}; there are: {', '.join(names)}")
    return {name: value.strip() for name, value in read.items()}
