"""What `pip install` puts on a machine is whole: schemas, portals, presets, templates and the example portal come along."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly

TOOLS = {"tei/README.md", "tei/narrow.py", "tei/tei_all.rng.xz", "tei/webarticle.odd"}
"""What makes a schema, and does not run."""
PLACES = {"schemas": "schemas", "tei_templates": "tei_templates", "site_configs": "site_configs", "example_portal": "examples/portal"}


@pytest.fixture(scope="module")
def sdist(repo_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, unpacked; made in a copy, so that nothing is left behind in the checkout."""
    ignored = [line.rstrip("/") for line in (repo_root / ".gitignore").read_text(encoding="utf-8").splitlines()]
    folder = tmp_path_factory.mktemp("dist")
    copy = shutil.copytree(repo_root, folder / "checkout", ignore=shutil.ignore_patterns(".git", *ignored))
    subprocess.run([sys.executable, "-m", "build", "--outdir", folder, copy], check=True, capture_output=True, text=True)
    (made,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(made, folder)
    return folder / made.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(sdist: Path) -> Path:
    """The wheel that is built from the source archive."""
    (built,) = sdist.parent.glob("*.whl")
    return built


def shipped(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def files(folder: Path) -> set[str]:
    """All that lies in a folder but what tools leave there, and how its code is to look."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and path.name != "ruff.toml")
    return {path.as_posix() for path in found if not any(part.startswith((".", "__pycache__")) for part in path.parts)}


def test_the_source_archive_holds_every_file_that_git_tracks(sdist: Path, repo_root: Path) -> None:
    if not (repo_root / ".git").exists():
        pytest.skip("this is no checkout")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=repo_root, check=True, capture_output=True, text=True).stdout
    assert [name for name in tracked.split("\0") if name and not (sdist / name).exists()] == []


def test_the_wheel_holds_every_module(wheel: Path, repo_root: Path) -> None:
    assert {f"webarticlecurator/{name}" for name in files(repo_root / "webarticlecurator")} <= shipped(wheel)


def test_the_wheel_holds_the_folders_beside_the_package_and_nothing_else(wheel: Path, repo_root: Path) -> None:
    names = shipped(wheel)
    for package, folder in PLACES.items():
        assert {f"webarticlecurator/{package}/{name}" for name in files(repo_root / folder) - TOOLS} <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"webarticlecurator"}


def test_an_installed_package_finds_its_files(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")

    def curator(*words: str) -> str:
        environment = {"PYTHONPATH": str(tmp_path / "site"), "HOME": str(tmp_path)}
        command = [sys.executable, "-P", "-m", "webarticlecurator", *words]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    schema = Path(curator("check", "--schema").strip())
    assert schema.is_relative_to(tmp_path / "site") and schema.is_file()
    (tmp_path / "portal.yaml").write_text(curator("demo", "--portal-file"), encoding="utf-8")
    curator("check", "portal.yaml")
    portal = "portal: pelda\nhome: https://pelda.example/\nextends: wordpress\narchive: {url: https://pelda.example/}\n"
    (tmp_path / "portal.yaml").write_text(portal, encoding="utf-8")
    assert "extends" not in curator("check", "--show", "portal.yaml")
