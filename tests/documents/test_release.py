"""A release holds what its level says, is found out when it was changed, and can be made again."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from published import Publish, PublishedPortal, article, post

bagit = pytest.importorskip("bagit", reason="a release is a bag (pip install 'webarticlecurator[test]')")
USAGE = 2
SENTENCE = "A thousand people walked over the new bridge together."


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setenv("CURATOR_CREATOR", "Kovács Anna")


@pytest.fixture
def release(curator: Any, tmp_path: Path) -> Callable[..., Path]:
    """`curator release` of a portal into a folder of this name."""

    def make(portal: PublishedPortal, name: str, *flags: object, level: str = "texts") -> Path:
        ended = curator("release", portal.file, "-o", tmp_path / name, "--level", level, *flags)
        assert ended.code == 0, ended.err
        assert json.loads((tmp_path / name / "data" / "release.json").read_bytes())["fingerprint"] in ended.err
        return tmp_path / name

    return make


@pytest.fixture
def portal(publish: Publish) -> PublishedPortal:
    rights = {"name": 'Példa | "Kft."', "rights": {"licence": "https://creativecommons.org/licenses/by-sa/4.0/", "statement": "<b>all</b>"}}
    return publish(*(article(number, SENTENCE, title=f"Bridge {number}") for number in range(5)), publisher=rights)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def listed(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "data/articles.jsonl").read_text().splitlines()]


HELD = {
    "ids": {"README.md", "CITATION.cff", "RIGHTS.md", "datacite.json", "datacite.xml", "release.json", "articles.jsonl", "portals"},
    "metadata": {"metadata", "reports"},
    "texts": {"corpus.xml", "schema", "tei"},
}


@pytest.mark.parametrize(("level", "below"), [("ids", 1), ("metadata", 2), ("texts", 3)])
def test_a_level_holds_what_it_says_and_no_word_more(release: Any, curator: Any, portal: PublishedPortal, level: str, below: int) -> None:
    folder = release(portal, "made", "--creator", "Kovács Anna", level=level)
    assert bagit.Bag(str(folder)).is_valid()
    assert curator("release", "verify", folder).code == 0
    held = {path.name for path in (folder / "data").iterdir()} - {"ro-crate-metadata.json"}
    crate = json.loads((folder / "data/ro-crate-metadata.json").read_bytes())["@graph"]
    described = {node["@id"].rstrip("/") for node in crate if "description" in node and node["@id"] != "./"}
    assert held == described == set.union(*list(HELD.values())[:below])
    content = b"".join(files_of(folder).values())
    assert (SENTENCE.encode() in content, b"Bridge 3" in content) == (False, level != "ids"), "texts are packed"


def test_several_portals_are_one_release(curator: Any, publish: Publish, tmp_path: Path) -> None:
    other = publish(*(article(number, SENTENCE) for number in (1, 2)), name="pelda-2", home="https://pelda.example/")
    portal = publish(*(article(number, SENTENCE) for number in (3, 4)))
    ended = curator("release", other.file, portal.file, "-o", tmp_path / "both", "--level", "texts", "--export", "jsonl")
    assert ended.code == 0, ended.err
    ids = [line["id"] for line in listed(tmp_path / "both")]
    assert (len(ids), ids, {name.rpartition("-")[0] for name in ids}) == (4, sorted(ids), {"pelda", "pelda-2"})
    assert curator("release", "verify", tmp_path / "both").code == 0
    warcs = ("--warc", portal.corpus, "--warc", other.corpus)
    ended = curator("release", "rebuild", tmp_path / "both", *warcs, "-o", tmp_path / "again")
    assert (ended.code, ended.out) == (0, ""), ended


def test_descriptions_say_whose_it_is_whatever_stands_in_a_portal_file(release: Any, portal: PublishedPortal) -> None:
    data = release(portal, "made", "--creator", "Kovács Anna", "--creator", "O\nmalley: [x]", level="ids") / "data"
    rights, cite = (data / "RIGHTS.md").read_text(), (data / "CITATION.cff").read_text()
    assert 'Példa \\| "Kft."' in rights
    assert "<b>" not in rights
    assert '- name: "O malley: [x]"' in cite
    told = json.loads((data / "datacite.json").read_bytes())
    assert [creator["name"] for creator in told["creators"]] == ["Kovács Anna", "O malley: [x]"]
    assert told["version"] in cite


def test_who_makes_a_corpus_is_named_by_documents_and_releases(curator: Any, release: Any, publish: Publish) -> None:
    portal = publish(article(1, SENTENCE), article(2, SENTENCE), creator=["Kovács Anna & Co.", "Példa Egyetem"])
    for name, flags, creators in (
        ("made", (), ["Kovács Anna & Co.", "Példa Egyetem"]),
        ("other", ("--creator", "Nagy Béla"), ["Nagy Béla"]),
    ):
        data = release(portal, name, *flags) / "data"
        assert json.loads((data / "release.json").read_bytes())["creators"] == creators
        authority = "<authority>Kovács Anna &amp; Co., Példa Egyetem</authority>"
        assert authority in (data / "corpus.xml").read_text(encoding="utf-8")
        with ZipFile(next((data / "tei").glob("*.zip"))) as documents:
            assert all(authority in documents.read(member).decode() for member in documents.namelist())


def test_a_release_that_nobody_stands_behind_is_not_made(
    curator: Any, portal: PublishedPortal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CURATOR_CREATOR")
    ended = curator("release", portal.file, "-o", tmp_path / "made", "--level", "ids")
    assert (ended.code, (tmp_path / "made").exists()) == (USAGE, False)
    assert "Write `creator: NAME` in the portal file" in ended.err


@pytest.mark.parametrize("rights", [{}, {"licence": "http://rightsstatements.org/vocab/InC/1.0/"}, {"statement": "All rights reserved"}])
def test_a_release_whose_portal_file_says_nothing_of_rights_warns_of_it(
    curator: Any, publish: Publish, tmp_path: Path, rights: dict[str, str]
) -> None:
    portal = publish(article(1, SENTENCE), publisher={"name": "Example", "rights": rights})
    ended = curator("release", portal.file, "-o", tmp_path / "made", "--level", "ids")
    told = "What may be done with pelda is said nowhere: write `rights` under `publisher` in its portal file, build, and release again"
    assert (ended.code, told in ended.err) == (0, not rights)


def test_licences_that_pages_name_are_told_apart_from_that_of_the_portal_file(release: Any, publish: Publish) -> None:
    own, of_portal = (f"https://creativecommons.org/licenses/{name}/4.0/" for name in ("by", "by-nc"))
    portal = publish(
        *(article(number, SENTENCE, license=licence) for number, licence in enumerate((own, own, of_portal))),
        *(article(number, SENTENCE) for number in (3, 4)),
        publisher={"name": "Example", "rights": {"licence": of_portal}},
    )
    of_pages = (release(portal, "made", level="ids") / "data/RIGHTS.md").read_text().partition("## What the pages of articles say")[2]
    assert f"| Example | none is named | 2 |\n| Example | {own} | 2 |\n| Example | {of_portal} | 1 |\n" in of_pages


@pytest.mark.parametrize(
    ("posts", "level", "people"),
    [
        ((), "texts", "their authors, and those whom they write about. Whoever"),
        ((post("Yes.", who="Bob"), post("No.", who="Ann")), "metadata", "their authors, and those whom they write about. Whoever"),
        ((post("Yes.", who="Bob"), post("No.", who="Ann")), "texts", "their authors, those whom they write about, and those who wrote 2 "),
    ],
)
def test_whoever_posts_is_named_among_the_people_in_it_with_the_way_to_pseudonyms(
    release: Any, publish: Publish, posts: Sequence[str], level: str, people: str
) -> None:
    made = release(publish(article(1, SENTENCE, posts=posts)), "made", level=level)
    told = " ".join((made / "data/RIGHTS.md").read_text().partition("Articles name people: ")[2].split())
    assert told.startswith(people)
    assert ("curator export --pseudonymise who" in told) is ("those who wrote" in people)


def test_the_same_corpus_has_the_same_bytes(release: Any, portal: PublishedPortal, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (files_of(release(portal, name, "--export", "jsonl")) for name in ("first", "second"))
    assert first == second
    assert SENTENCE.encode() in first["data/exports/articles.jsonl"]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    later = files_of(release(portal, "later", "--export", "jsonl"))
    assert later["data/articles.jsonl"] == first["data/articles.jsonl"]
    assert later["data/tei/00001.zip"] == first["data/tei/00001.zip"]


def test_the_fingerprint_is_the_digest_of_the_list(release: Any, portal: PublishedPortal) -> None:
    folder = release(portal, "made", level="ids")
    digest = sha256((folder / "data/articles.jsonl").read_bytes()).hexdigest()
    assert json.loads((folder / "data/release.json").read_bytes())["fingerprint"] == f"sha256:{digest}"


def test_the_wacz_holds_the_warc_files_as_they_are_and_says_what_is_in_it(release: Any, portal: PublishedPortal) -> None:
    pytest.importorskip("cdxj_indexer", reason="WACZ needs cdxj-indexer (pip install 'webarticlecurator[release]')")
    with ZipFile(release(portal, "made", level="full") / "data/warc/pelda.wacz") as wacz:
        held = {name: wacz.read(name) for name in wacz.namelist()}
    stored = files_of(portal.corpus / "warc")
    assert {name.removeprefix("archive/"): content for name, content in held.items() if name.startswith("archive/")} == stored
    told = json.loads(held["datapackage.json"])
    for resource in told["resources"]:
        content = held[resource["path"]]
        assert (resource["hash"], resource["bytes"]) == (f"sha256:{sha256(content).hexdigest()}", len(content))
    pages = [json.loads(line) for line in held["pages/pages.jsonl"].splitlines()[1:]]
    assert {page["title"] for page in pages} == {f"Bridge {number}" for number in range(5)}
    assert json.loads(held["datapackage-digest.json"])["hash"] == f"sha256:{sha256(held['datapackage.json']).hexdigest()}"


def test_a_byte_that_was_changed_is_found_and_its_file_named(release: Any, curator: Any, portal: PublishedPortal) -> None:
    folder = release(portal, "made", "--export", "csv")
    for name, content in files_of(folder).items():
        for place in (0, len(content) // 2, len(content) - 1):
            (folder / name).write_bytes(content[:place] + bytes([content[place] ^ 32]) + content[place + 1 :])
            ended = curator("release", "verify", folder)
            assert (ended.code, name.rpartition("/")[2] in ended.out) == (1, True), (name, place, ended)
        (folder / name).write_bytes(content)
    assert curator("release", "verify", folder).code == 0


def pack_again(folder: Path, change: Callable[[str, bytes], list[tuple[str, bytes]]]) -> None:
    """What becomes of each document of a release, which is a sound bag again."""
    with ZipFile(folder / "data/tei/00001.zip") as file:
        documents = {name: file.read(name) for name in file.namelist()}
    with ZipFile(folder / "data/tei/00001.zip", "w", ZIP_DEFLATED) as file:
        for name, document in (one for pair in documents.items() for one in change(*pair)):
            file.writestr(name, document)
    bagit.Bag(str(folder)).save(manifests=True)


def test_documents_are_held_against_the_list_whoever_made_the_bag(release: Any, curator: Any, portal: PublishedPortal) -> None:
    folder = release(portal, "made")
    ids = [line["id"] for line in listed(folder)]
    pack_again(folder, lambda name, document: [(name, document.replace(b"thousand", b"hundred ") if ids[2] in name else document)])
    assert curator("release", "verify", folder).out.startswith(f"{ids[2]}: its document was changed")
    lines = (folder / "data/articles.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "data/articles.jsonl").write_bytes(b"".join(lines[1:]))
    bagit.Bag(str(folder)).save(manifests=True)
    told = curator("release", "verify", folder).out
    assert f"{ids[0]}: there is a document of it" in told
    assert "the list of 4 articles gives sha256:" in told


def test_a_second_document_of_an_article_is_found(release: Any, curator: Any, portal: PublishedPortal) -> None:
    folder = release(portal, "made")
    first, second = (line["id"] for line in listed(folder)[:2])
    other = f"elsewhere/{first}.xml"
    pack_again(folder, lambda name, document: [(other, document + b" ")] * (first in name) + [(name, document)])
    told = curator("release", "verify", folder).out
    assert (first in told, second in told) == (True, False), told


def test_files_that_are_added_or_gone_are_named(release: Any, curator: Any, portal: PublishedPortal) -> None:
    folder = release(portal, "made", level="ids")
    (folder / "data/README.md").rename(folder / "data/READ.me")
    (folder / "more.txt").write_text("more")
    told = curator("release", "verify", folder).out.splitlines()
    (folder / "bagit.txt").unlink()
    told += curator("release", "verify", folder).out.splitlines()[:1]
    assert [sentence.partition(";")[0] for sentence in told] == [
        "more.txt was added",
        "data/READ.me was added",
        "data/README.md is missing",
        "bagit.txt is missing",
    ]


def test_what_leads_out_of_a_release_is_never_read(release: Any, curator: Any, portal: PublishedPortal, tmp_path: Path) -> None:
    folder = release(portal, "made", level="ids")
    (tmp_path / "secret").write_text("secret")
    manifest = folder / "manifest-sha256.txt"
    manifest.write_text(f"{manifest.read_text()}{sha256(b'secret').hexdigest()}  ../made-too/secret\n")
    (tmp_path / "made-too").mkdir()
    (tmp_path / "made-too/secret").write_text("secret")
    bagit.Bag(str(folder)).save(manifests=False)
    assert "../made-too/secret is missing" in curator("release", "verify", folder).out
    (folder / "bagit.txt").write_text("BagIt-Version: 0.97\nTag-File-Character-Encoding: zlib\n")
    assert "bagit.txt, or its checksum in tagmanifest-sha256.txt, was changed" in curator("release", "verify", folder).out
    (folder / "data/link").symlink_to(tmp_path / "secret")
    for command in (["verify", folder], ["rebuild", folder, "--warc", portal.corpus, "-o", tmp_path / "again"]):
        ended = curator("release", *command)
        assert (ended.code, "a link or no plain file" in ended.err) == (2, True)
    assert not (tmp_path / "again").exists()


def bomb(folder: Path) -> None:
    with ZipFile(folder / "data/tei/00001.zip", "w", ZIP_DEFLATED) as file:
        file.writestr(f"undated/{listed(folder)[0]['id']}.xml", bytes(300 << 20))


SPOILT: dict[str, tuple[Callable[[Path], object], str]] = {
    "a huge line": (lambda folder: (folder / "data/articles.jsonl").write_bytes(b'{"id":"' + b"x" * (5 << 20)), "cannot be read"),
    "a bomb": (bomb, "it is too large"),
    "no zip": (lambda folder: (folder / "data/tei/00001.zip").write_bytes(b"PK" * 50), "00001.zip in data/tei cannot be read"),
    "deep JSON": (lambda folder: (folder / "data/release.json").write_bytes(b"[" * 100_000), "release.json cannot be read"),
    "a portal elsewhere": (
        lambda folder: (folder / "data/release.json").write_text(
            (folder / "data/release.json").read_text().replace('"name": "pelda"', '"name": "../../pelda"')
        ),
        "release.json cannot be read",
    ),
}


@pytest.mark.parametrize("what", SPOILT)
def test_what_nobody_writes_by_mistake_is_told_in_a_sentence(release: Any, curator: Any, portal: PublishedPortal, what: str) -> None:
    folder = release(portal, "made")
    spoil, sentence = SPOILT[what]
    spoil(folder)
    bagit.Bag(str(folder)).save(manifests=True)
    ended = curator("release", "verify", folder)
    assert (ended.code, sentence in ended.out) == (1, True), ended


def test_it_is_there_whole_or_not_at_all(curator: Any, portal: PublishedPortal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ZipFile, "writestr", lambda *_: os.kill(os.getpid(), signal.SIGINT))
    ended = curator("release", portal.file, "-o", tmp_path / "made", "--level", "texts")
    assert (ended.code, "nothing was written" in ended.err) == (4, True)
    assert [path.name for path in tmp_path.iterdir()] == ["portals"]
    ended = curator("release", portal.file, "-o", tmp_path / "portals", "--level", "ids")
    assert (ended.code, "name a new folder" in ended.err) == (2, True)


def test_documents_that_other_rules_made_are_not_released_before_they_are_built_again(
    release: Any, curator: Any, portal: PublishedPortal, tmp_path: Path
) -> None:
    portal.more["publisher"] = {"name": "Another"}
    ended = curator("release", portal.file, "-o", tmp_path / "made", "--level", "ids")
    assert (ended.code, (tmp_path / "made").exists()) == (2, False), ended
    assert "5 articles of pelda are not built by the rules (or version) of now" in ended.err
    assert f"`curator build {portal.file}` comes first." in ended.err
    portal.build()
    folder = release(portal, "made", level="ids")
    assert curator("release", "rebuild", folder, "--warc", portal.corpus, "-o", tmp_path / "again").code == 0


def test_documents_by_a_header_of_the_users_are_released_as_they_are(
    release: Any, curator: Any, portal: PublishedPortal, tmp_path: Path
) -> None:
    portal.build("--template", "minimal")
    folder = release(portal, "made", level="ids")
    assert curator("release", "rebuild", folder, "--warc", portal.corpus, "-o", tmp_path / "again").code == 0


def test_a_document_whose_page_was_lost_keeps_no_release_from_being_made(release: Any, curator: Any, portal: PublishedPortal) -> None:
    portal.take_in(article(9, SENTENCE))
    portal.build()
    sorted((portal.corpus / "warc").glob("*-articles-*"))[-1].unlink()
    curator("warc", "index", portal.file)
    portal.more["publisher"] = {"name": "Another"}
    portal.build()
    assert len(listed(release(portal, "made"))) == 6


def test_lists_of_two_releases_differ_in_what_changed(release: Any, portal: PublishedPortal) -> None:
    lines = [{line["id"]: line for line in listed(release(portal, "first", level="ids"))}]
    portal.take_in(article(1, "Another text.", title="Bridge 1", captured="2024-07-01T00:00:00Z"), article(9, SENTENCE))
    portal.build()
    lines.append({line["id"]: line for line in listed(release(portal, "second", level="ids"))})
    first, second = lines
    assert second.keys() - first.keys() == {article(9).id}
    assert [name for name in first if first[name] != second[name]] == [article(1).id]


def test_documents_are_made_again_of_ids(release: Any, curator: Any, portal: PublishedPortal, tmp_path: Path) -> None:
    folder = release(portal, "made", level="ids")
    ended = curator("release", "rebuild", folder, "--warc", portal.corpus, "-o", tmp_path / "again")
    assert (ended.code, "All digests agree" in ended.err) == (0, True), ended
    assert set(files_of(tmp_path / "again/pelda/tei")) == set(files_of(portal.corpus / "tei"))
    portal.take_in(article(1, "Another text.", title="Bridge 1", captured="2024-07-01T00:00:00Z"))
    shutil.rmtree(tmp_path / "again")
    ended = curator("release", "rebuild", folder, "--warc", portal.corpus, "-o", tmp_path / "again")
    assert (ended.code, ended.out) == (1, f"{article(1).id}: the document is another\n")


def test_warc_files_are_exported_with_their_index_without_a_release(portal: PublishedPortal, export: Any, tmp_path: Path) -> None:
    pytest.importorskip("cdxj_indexer", reason="WACZ needs cdxj-indexer (pip install 'webarticlecurator[release]')")
    made = export(portal, "wacz", "pelda.wacz")
    with ZipFile(made.path) as wacz:
        names = set(wacz.namelist())
        pages = [json.loads(line) for line in wacz.read("pages/pages.jsonl").splitlines()][1:]
        warcs = {path.name for path in (portal.corpus / "warc").glob("*.warc.gz")}
    assert {f"archive/{name}" for name in warcs} <= names and "indexes/index.cdx.gz" in names
    lines = export(portal, "cdxj", "pelda.cdxj").text.splitlines()
    assert lines == sorted(lines)
    indexed = {json.loads(line.split(" ", 2)[2])["url"] for line in lines}
    assert pages and {page["url"] for page in pages} <= indexed
