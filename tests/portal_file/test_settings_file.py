from __future__ import annotations

from pathlib import Path

import pytest

from webarticlecurator.errors import UsageError
from webarticlecurator.settings import SETTINGS, lookup, read_settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.yaml"


def contact(file: Path, *, flag: str | None = None, **environ: str) -> tuple[str | None, str]:
    value = lookup("contact", flag=flag, environ=environ, file=file)
    return value.text, value.source


def test_flag_before_environment_before_file_before_default(file: Path) -> None:
    assert contact(file) == (None, "default")
    file.write_text("contact: file@example.org\n")
    assert contact(file) == ("file@example.org", str(file))
    assert contact(file, CURATOR_CONTACT="env@example.org") == ("env@example.org", "CURATOR_CONTACT")
    assert contact(file, flag="flag@example.org", CURATOR_CONTACT="env@example.org") == ("flag@example.org", "--contact")


def test_an_empty_value_counts_as_not_given(file: Path) -> None:
    file.write_text("contact:\n")
    assert contact(file, flag="", CURATOR_CONTACT="") == (None, "default")


def test_settings_are_text_whatever_yaml_makes_of_them(file: Path) -> None:
    file.write_text("contact: no\n")
    assert read_settings(file) == {"contact": "no"}


@pytest.mark.parametrize("nothing", ["", "# only a comment\n", "---\n", "{}\n"])
def test_a_file_that_says_nothing_is_fine(file: Path, nothing: str) -> None:
    file.write_text(nothing)
    assert read_settings(file) == {}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"contcat: a@example.org\n", "did you mean 'contact'?"),
        (b"colour: red\n", "there are: contact, corpora"),
        (b"- a\n- b\n", "expected lines such as"),
        (b"contact: [a, b]\n", "expected a text"),
        (b"contact: 'open\n", "not readable as YAML"),
        (b"contact: \xff\xfe\x00\n", "not readable as YAML"),
        (b"!!python/object/apply:os.system [echo]\n", "expected lines such as"),
        (b"contact: " + b"a" * 200_000, "too large"),
    ],
)
def test_a_settings_file_with_a_mistake_is_refused_by_name(file: Path, content: bytes, told: str) -> None:
    file.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        read_settings(file)
    assert told in str(caught.value)
    assert str(file) in str(caught.value)


def test_every_setting_has_a_variable_of_its_own_and_a_help() -> None:
    assert len({setting.env for setting in SETTINGS}) == len(SETTINGS)
    assert all(setting.env == f"CURATOR_{setting.name.upper()}" and setting.help.endswith(".") for setting in SETTINGS)
