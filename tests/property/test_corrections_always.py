"""Whatever value of whatever field is mended by hand: it survives builds, exports, releases and changed rules, as long as the rules give
the value that was mended; and it is never put in the place of another value."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from lxml import etree
from published import article, published
from seams import faults_of, main

pytest.importorskip("bagit", reason="a release is a bag (pip install 'webarticlecurator[test]')")
TEXT = "The council met on Tuesday and talked for hours about the bridge, the school and the money. "
FIELDS = {
    "headline": ("A bridge", "Été: the 1st — “quoted”", "true", "- a list", "x" * 300),
    "alternativeHeadline": ("Over it", "null", "# no comment"),
    "author": ("Ann Lee", "Bob O'Neil", "Nagy, Béla", "007"),
    "editor": ("Eva Kis", "Zed: Quill"),
    "keywords": ("river", "a|b", "c; d", "{e}"),
    "about": ("A town", "[one]"),
    "articleSection": ("Home", "*", "&x"),
    "description": ("What it cost.", "yes", "%percent"),
    "genre": ("Essay", "!tag"),
    "datePublished": ("2024-05-01T10:00:00+02:00", "2019-12-31", "2021-02-03T04:05:06+00:00", "1999"),
    "dateModified": ("2024-05-02", "2024-05-03T00:00:00+02:00"),
    "inLanguage": ("en", "hu", "sr-Latn-RS"),
    "image": ("https://pelda.example/a.jpg", "https://pelda.example/b.jpg?x=1&y=2"),
    "url": ("https://pelda.example/one", "https://pelda.example/two"),
    "license": ("https://creativecommons.org/licenses/by/4.0/", "https://pelda.example/terms"),
    "copyrightYear": ("2024", "2023"),
    "isAccessibleForFree": ("true", "false"),
    "commentCount": ("1", "22"),
}
SEVERAL = ("author", "editor", "keywords", "about")
TEXTS = ["headline", "alternativeHeadline", "description", "genre"]
PAGES = 3
Line = dict[str, Any]


def drawn(chance: Random, field: str, *, empty: bool = True) -> list[str]:
    most = len(FIELDS[field]) if field in SEVERAL else 1
    return chance.sample(FIELDS[field], chance.randint(0 if empty else 1, most))


def lines_of(file: Path, place: Path) -> dict[str, Line]:
    """What is told of each article."""
    assert main(["export", str(file), "--to", "jsonl", "-o", str(place), "--outcome", "article,paywall", "--quiet"]) == 0
    lines = [json.loads(line) for line in place.read_bytes().splitlines()]
    place.unlink()
    return {line["url"]: line for line in lines}


def values(line: Line, field: str) -> list[str]:
    return [value["value"] for value in line["metadata"].get(field, ())]


@pytest.mark.parametrize("number", [pytest.param(number, marks=[] if number < 2 else [pytest.mark.nightly]) for number in range(30)])
def test_a_correction_survives_and_is_never_applied_to_another_value(tmp_path: Path, number: int) -> None:
    chance = Random(number)
    told = [{field: drawn(chance, field) for field in FIELDS if chance.random() < 0.6} for _ in range(PAGES)]
    pages = [
        article(
            place,
            *[f"{TEXT}{place} {part}." for part in range(4)],
            **{"title": None, "date": None, "language": None, **_named({field: of_page for field, of_page in one.items() if of_page})},
        )
        for place, one in enumerate(told)
    ]
    portal = published(tmp_path / "portal", *pages)
    by_rules = lines_of(portal.file, tmp_path / "a.jsonl")

    # mend
    mended: dict[tuple[str, str], list[str]] = {}
    for page in pages:
        for field in chance.sample(list(FIELDS), 4):
            wanted = drawn(chance, field, empty=field != "inLanguage")
            if wanted == values(by_rules[page.url], field):
                continue
            typed = [f"{field}={value}" for value in wanted] or [f"{field}="]
            code = main(["fix", str(portal.file), page.url, *typed, "--by", "Eve", "--quiet"])
            assert code == 0, (field, wanted, values(by_rules[page.url], field))
            mended[page.url, field] = wanted

    # a build, and one of everything
    for flags in ([], ["--all"]):
        portal.build(*flags)
        lines = lines_of(portal.file, tmp_path / "a.jsonl")
        for page in pages:
            for field in FIELDS:
                wanted = mended.get((page.url, field), values(by_rules[page.url], field))
                assert values(lines[page.url], field) == wanted, (field, page.url)
            fields = [one["field"] for one in lines[page.url].get("corrections", ())]
            assert sorted(fields) == sorted(field for url, field in mended if url == page.url)
    for document in (portal.corpus / "tei").rglob("*.xml"):
        assert faults_of(document.read_bytes()) == ()
        changes = etree.parse(document).findall(".//{*}revisionDesc/{*}change")
        assert len(changes) == 1 + sum(document.stem == page.id for page in pages for url, _ in mended if url == page.url)

    # a release, and its documents made again
    release = tmp_path / "release"
    assert main(["release", str(portal.file), "-o", str(release), "--level", "texts", "--creator", "Eve", "--quiet"]) == 0
    again = ["release", "rebuild", str(release), "--warc", str(portal.corpus), "-o", str(tmp_path / "again"), "--quiet"]
    assert main(again) == 0
    if mended:
        listed = yaml.safe_load((release / "data/portals/pelda/corrections.yaml").read_text("utf-8"))
        assert {(one["article"], one["field"]) for one in listed} == set(mended)

    # other rules: some fields are given no more, others have the values of another field
    gone, swapped = chance.sample(list(FIELDS), 4), dict(zip(TEXTS, chance.sample(TEXTS, len(TEXTS)), strict=True))
    metadata = {field: {"meta": f"x:{swapped.get(field, field)}"} for field in FIELDS}
    portal.more = {"metadata": {**metadata, **{field: {"drop": [".*"]} for field in gone}}}
    corrections = portal.folder / "pelda.corrections.yaml"
    content = corrections.read_bytes() if mended else b""
    corrections.unlink(missing_ok=True)
    portal.build()
    by_other_rules = lines_of(portal.file, tmp_path / "a.jsonl")
    corrections.write_bytes(content)
    portal.build()
    lines = lines_of(portal.file, tmp_path / "a.jsonl")
    for page in pages:
        for field in FIELDS:
            given = values(by_other_rules[page.url], field)
            is_as_it_was = given == values(by_rules[page.url], field)
            wanted = mended.get((page.url, field), given) if is_as_it_was else given
            assert values(lines[page.url], field) == wanted, (field, page.url)


def _named(fields: dict[str, list[str]]) -> dict[str, Any]:
    """Fields as `article` takes them."""
    names = {"headline": "title", "datePublished": "date", "inLanguage": "language"}
    return {names.get(name, name): values if name in SEVERAL else values[0] for name, values in fields.items()}
