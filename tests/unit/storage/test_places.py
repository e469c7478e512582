"""Places on this machine and in object stores, both written as paths."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from webarticlecurator.errors import UsageError
from webarticlecurator.storage.places import check_named, exists, file_size, files_in, is_file, is_folder, is_url, open_file, url_of


@pytest.mark.parametrize(
    ("place", "url"),
    [
        ("s3://bucket/portal", "s3://bucket/portal"),
        ("s3:/bucket/portal", "s3://bucket/portal"),
        ("s3://bucket/portal/", "s3://bucket/portal"),
        ("gs://bucket/a b", "gs://bucket/a b"),
        ("s3://bucket/me@example", "s3://bucket/me@example"),
    ],
)
def test_a_url_survives_being_a_path(place: str, url: str) -> None:
    path = Path(place)
    assert is_url(path)
    assert url_of(path) == url
    assert url_of(Path(str(path))) == url
    assert url_of(pickle.loads(pickle.dumps(path)) / "warc") == f"{url}/warc"


@pytest.mark.parametrize("place", ["", ".", "corpora/portal", "/corpora/portal", "C:/corpora", "warc.gz:old", "./a/s3:/b"])
def test_what_is_on_this_machine_is_no_url(place: str) -> None:
    assert not is_url(Path(place))
    assert url_of(Path(place)) == str(Path(place))


@pytest.mark.parametrize("url", ["s3://key:sesame@bucket/portal", "s3://key:ses/sesame@bucket/portal"])
def test_a_url_with_a_password_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(UsageError) as refused:
        url_of(Path(url))
    assert "AWS_SECRET_ACCESS_KEY" in str(refused.value)
    assert "sesame" not in str(refused.value)


@pytest.mark.parametrize("named", ["S3://key:sesame@bucket/a", "https://bucket/a", "s3:bucket/a", "simplecache::s3://sesame@bucket/a"])
def test_what_is_almost_a_url_makes_no_folder(named: str) -> None:
    with pytest.raises(UsageError, match="is no URL of an object store as it is written") as refused:
        check_named(Path(named))
    assert "sesame" not in str(refused.value)


@pytest.mark.parametrize("named", ["s3://bucket/a", "corpora/pelda", "/s3:/a", "pelda:old", "C:/a", "."])
def test_whatever_else_is_a_folder_or_a_url(named: str) -> None:
    check_named(Path(named))


def test_files_on_this_machine_are_opened_as_ever(tmp_path: Path) -> None:
    file = tmp_path / "a.warc"
    file.write_bytes(b"WARC/1.1")
    with open_file(file) as opened:
        assert opened.read() == b"WARC/1.1"
    assert (file_size(file), is_file(file), is_folder(tmp_path), files_in(tmp_path), exists(tmp_path / "b")) == (
        8,
        True,
        True,
        [file],
        False,
    )
