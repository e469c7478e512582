"""What `pip install` puts on a machine is whole: schemas, portals, presets, templates and the example portal come along."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from webarticlecurator import resources

PLACES = {"schemas": "schemas", "tei_templates": "tei_templates", "site_configs": "site_configs", "example_portal": "examples/portal"}


@pytest.fixture(scope="module")
def sdist(repo_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, unpacked; made in a copy, so that nothing is left behind in the checkout."""
    ignored = [line.rstrip("/") for line in (repo_root / ".gitignore").read_text(encoding="utf-8").splitlines()]
    folder = tmp_path_factory.mktemp("dist")
    copy = shutil.copytree(repo_root, folder / "checkout", ignore=shutil.ignore_patterns(".git", *ignored))
    make = f"from setuptools import build_meta; build_meta.build_sdist({str(folder)!r})"
    subprocess.run([sys.executable, "-c", make], cwd=copy, check=True, capture_output=True, text=True)
    (made,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(made, folder)
    return folder / made.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(sdist: Path) -> Path:
    """The wheel that is built from the source archive."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", "wheels", "."]
    subprocess.run(command, cwd=sdist, check=True, capture_output=True, text=True)
    (built,) = (sdist / "wheels").glob("*.whl")
    return built


def shipped(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def files(folder: Path) -> set[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.as_posix() for path in found if not path.name.startswith(".")}


def test_the_source_archive_holds_every_file_that_git_tracks(sdist: Path, repo_root: Path) -> None:
    if not (repo_root / ".git").exists():
        pytest.skip("this is no checkout")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=repo_root, check=True, capture_output=True, text=True).stdout
    assert [name for name in tracked.split("\0") if name and not (sdist / name).exists()] == []


def test_the_wheel_holds_every_module(wheel: Path, repo_root: Path) -> None:
    assert {f"webarticlecurator/{name}" for name in files(repo_root / "webarticlecurator")} <= shipped(wheel)


@pytest.mark.parametrize("package", PLACES)
def test_the_wheel_holds_every_file_of_the_folders_beside_the_package(wheel: Path, repo_root: Path, package: str) -> None:
    assert {f"webarticlecurator/{package}/{name}" for name in files(repo_root / PLACES[package])} <= shipped(wheel)


def test_the_wheel_brings_the_man_page_to_where_man_looks(wheel: Path) -> None:
    assert any(name.endswith(".data/data/share/man/man1/curator.1") for name in shipped(wheel))


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
