"""What `pip install` puts on a machine is whole: schemas, portals, presets, templates and the example portal come along."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from webarticlecurator import resources

SOURCES = (
    "webarticlecurator",
    "schemas",
    "tei_templates",
    "site_configs",
    "examples",
    "setup.cfg",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
PLACES = {"schemas": "schemas", "tei_templates": "tei_templates", "site_configs": "site_configs", "example_portal": "examples/portal"}
NOT_SHIPPED = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")


@pytest.fixture(scope="module")
def wheel(repo_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built from a copy so that nothing is left behind in the checkout."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in SOURCES:
        source = repo_root / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=NOT_SHIPPED)
        else:
            shutil.copy(source, copy / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", "wheels", "."]
    subprocess.run(command, cwd=copy, check=True, capture_output=True, text=True)
    (built,) = (copy / "wheels").glob("*.whl")
    return built


def shipped(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def files(folder: Path) -> set[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.as_posix() for path in found if not path.name.startswith(".")}


def test_the_wheel_holds_every_module(wheel: Path, repo_root: Path) -> None:
    assert {f"webarticlecurator/{name}" for name in files(repo_root / "webarticlecurator")} <= shipped(wheel)


@pytest.mark.parametrize("package", PLACES)
def test_the_wheel_holds_every_file_of_the_folders_beside_the_package(wheel: Path, repo_root: Path, package: str) -> None:
    assert {f"webarticlecurator/{package}/{name}" for name in files(repo_root / PLACES[package])} <= shipped(wheel)


def test_the_wheel_holds_nothing_outside_the_package(wheel: Path) -> None:
    assert {name.split("/")[0].split("-")[0] for name in shipped(wheel)} == {"webarticlecurator"}


def test_an_installed_package_finds_its_files(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    script = (
        "from webarticlecurator import resources as r\n"
        "for place in (r.schema('portal.schema.json'), r.site_configs(), r.presets(), r.tei_templates(), r.example_portal()):\n"
        "    print(place.exists(), place)\n"
    )
    shown = subprocess.run(
        [sys.executable, "-P", "-c", script], env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True
    ).stdout
    for line in shown.splitlines():
        assert line.startswith(f"True {tmp_path}")


def test_a_checkout_finds_its_files() -> None:
    for place in (resources.schema("portal.schema.json"), resources.site_configs(), resources.presets(), resources.tei_templates()):
        assert place.exists()
    assert (resources.example_portal() / "portal.yaml").is_file()
