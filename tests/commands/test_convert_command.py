"""`curator convert`: what other programs are configured by becomes portal files, exactly or not at all; the rest is told, and counted."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from case_files import FOLDER
from lxml import html
from seams import values_of

CASES = FOLDER / "portal_file" / "cases"
PAGE = (
    "<html><head><title>t0</title><meta name='author' content='m1'></head><body><div id='a' class='x y'><h2>t1</h2><p>t2</p>"
    "<p class='x'>t3 <a href='/1' rel='next'>t4</a></p><p class=' x\n'><b>t5</b></p></div><div class='y' id='b'><p id='c'>t6</p>"
    "<div class='x-y'><p data-k='1'>t7</p><p data-k='2'>t8<img src='/i'></p><ul><li>t9</li><li class='y x z'><a>u1</a></li><li>u2</li></ul>"
    "</div></div><div><h2 class='x'>u3</h2><span>u4</span><p>u5 <a href='/2' class='y'>u6</a></p></div></body></html>"
)
NAMES = ("p", "div", "a", "*", "li", "h2")
ASKED = (
    *("@id", "@class='x'", "@class!='x'", "contains(@class, 'x')", "starts-with(@id, 'a')", "a", ".//p", "a/@href", ".//a[@rel='next']"),
    *("contains(concat(' ', normalize-space(@class), ' '), ' x ')", "contains(concat(' ', @class, ' '), ' y ')", "contains(., 't4')"),
    *("self::p or self::div", "following-sibling::p", "local-name()='li'", ".//a[1]/@href='/1'", "contains(normalize-space(.), 't3 t4')"),
)
NTH = ("1", "2", "last()", "position()>1", "position() <= 2")


def convert(curator: Callable[..., Any], *arguments: object) -> Any:
    return json.loads(curator("convert", *arguments, "--json").out)


def fivefilters(folder: Path) -> Path:
    """The invented configurations, a file each."""
    folder.mkdir()
    for config in (CASES / "fivefilters.txt").read_text(encoding="utf-8").split("=== ")[1:]:
        name, _, content = config.partition("\n")
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def rules(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- fivefilters ---


def test_of_41_site_configurations_all_is_said_or_told_and_every_file_passes_check(curator, desk: Path) -> None:
    made = convert(curator, fivefilters(desk / "ff"), "-o", "made")
    files = sorted(desk.glob("made/*/portal.yaml"))
    assert len(files) == len(made["portals"]) == 41
    assert made["failures"] == {}
    of_bodies = {"body.root": 23, "body.tags.decompose": 31, "body.tags.unwrap": 1, "body.tags.figure": 1}
    of_fields = {"metadata.headline": 8, "metadata.author": 6, "metadata.datePublished": 4}
    of_requests = {"articles.next": 3, "fetch.headers.Referer": 1, "fetch.headers.Accept-Language": 1}
    assert made["said"] == of_bodies | of_fields | of_requests
    assert made["unsaid"] == {"by hand": 15, "needless": 11, "selector": 26, "secret": 6, "refused": 2, "unknown": 4}
    checked = curator("check", *files)
    assert (checked.code, checked.err.count("no mistakes")) == (0, 41)
    everything = "".join(path.read_text(encoding="utf-8") for path in desk.rglob("made/**/*") if path.is_file()) + json.dumps(made)
    assert "TITOK" not in everything
    for portal in made["portals"]:
        text = Path(portal["file"]).read_text(encoding="utf-8")
        assert all(f"# - {left['place']} " in text for left in portal["unsaid"])


def test_a_configuration_becomes_the_lines_that_a_person_would_write(curator, desk: Path) -> None:
    convert(curator, fivefilters(desk / "ff"), "-o", "made")
    alma, nyar = (rules(Path(f"made/{name}.example/portal.yaml")) for name in ("alma", "nyar"))
    assert alma == {
        "portal": "alma.example",
        "home": "https://alma.example/",
        "metadata": {
            "headline": 'h1[class="headline"]',
            "author": 'a[rel="author"]',
            "datePublished": {"css": "time", "attr": "datetime"},
        },
        "body": {"root": {"css": 'div[itemprop="articleBody"]', "take": "all"}},
    }
    assert nyar["articles"]["next"] == ['a:contains("Next")', {"css": 'link[rel="next"]', "attr": "href"}]
    assert rules(Path("made/alma.example/tests.yaml")) == [
        {"url": "https://alma.example/2024/hid", "expect": {"contains": ["The new bridge was opened."]}}
    ]


def test_what_is_said_of_an_xpath_finds_what_the_xpath_finds(curator) -> None:
    chance = random.Random(4)

    def step() -> str:
        first, second = chance.choice(ASKED), chance.choice(ASKED)
        condition = chance.choice(
            (first, f"not({first})", f"({first}) and not({second})", f"{first} or {second}", f"not({first} or {second})")
        )
        nth = f"[{chance.choice(NTH)}]" if chance.random() < 0.25 else ""
        return f"{chance.choice(NAMES)}{nth}{f'[{condition}]' if chance.random() < 0.8 else ''}"

    def path() -> str:
        steps = "".join(f"{chance.choice(('//', '//', '/'))}{step()}" for _ in range(chance.choice((0, 0, 1))))
        return f"//{step()}{steps}{chance.choice(('',) * 6 + ('/..', '/following-sibling::p', '/following-sibling::*[1]', '/@class'))}"

    xpaths = list(dict.fromkeys(path() for _ in range(400)))
    xpaths += [f"{path()} | {path()}" for _ in range(20)] + ["/html/body/div[2]/p", "id('b')//p", "//b/ancestor::div", "//meta/@content"]
    for number, xpath in enumerate(xpaths):
        Path(f"n{number}.example.txt").write_text(f"author: {xpath}\n", encoding="utf-8")
    made = convert(curator, *(f"n{number}.example.txt" for number in range(len(xpaths))))
    tree, wrong, filled = html.fromstring(PAGE), list[Any](), 0
    for xpath, portal in zip(xpaths, made["portals"], strict=True):
        if portal["said"]:
            pick = rules(Path(portal["file"]))["metadata"]["author"]
            found = ("".join(node.itertext()) if hasattr(node, "itertext") else str(node) for node in tree.xpath(xpath))
            expected = list(dict.fromkeys(filter(None, ("".join(text.split()) for text in found))))
            given = ["".join(value.split()) for value in values_of(pick, PAGE, field="author")]
            wrong += [(xpath, pick, expected, given)] if given != expected else []
            filled += bool(expected)
    assert wrong == []
    said = sum(bool(portal["said"]) for portal in made["portals"])
    assert said > 300, said
    assert filled > 100, filled
