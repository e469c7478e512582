"""`curator label` as a person or a program sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

Curator = Callable[..., Any]
SENTENCES = [
    f"In the year {1900 + number} the {name} of the harbour was painted {colour}, which nobody in the town had asked for."
    for number, (name, colour) in enumerate(
        (name, colour) for name in ("gate", "crane", "wall") for colour in ("red", "green", "white", "blue")
    )
]


def html(number: int, body: str) -> str:
    menu = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("news", "sports", "weather"))
    return (
        f"<html><body><ul>{menu}</ul><h1>Page {number}</h1>{body}<div><a href=/next>The next page of this newspaper</a></div></body></html>"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twelve pages, each with its main text in a file beside it."""
    for number in range(12):
        texts = SENTENCES[number:] + SENTENCES[:number]
        (tmp_path / f"{number}.html").write_text(html(number, "".join(f"<p>{text}</p>" for text in texts)), encoding="utf-8")
        (tmp_path / f"{number}.txt").write_text("\n".join(texts), encoding="utf-8")
    return tmp_path


def test_pages_with_their_text_beside_them_train_a_labeller_that_labels_such_pages(curator: Curator, folder: Path) -> None:
    trained = curator("label", "train", folder)

    assert trained.code == 0
    assert "12 pages" in trained.err
    assert "curator label eval" in trained.err.splitlines()[-1]
    ended = curator("label", "apply", folder / "3.html", "--model", folder / "labeller.npz", "--json")
    told = json.loads(ended.out)
    assert {block["tag"] for block in told["blocks"] if block["chosen"]} == {"p"}
    assert sum(block["chosen"] for block in told["blocks"]) == len(SENTENCES)


def test_the_same_pages_make_the_same_file(curator: Curator, folder: Path) -> None:
    curator("label", "train", folder, "-o", folder / "one.npz")
    curator("label", "train", folder, "-o", folder / "two.npz")
    assert (folder / "one.npz").read_bytes() == (folder / "two.npz").read_bytes()


@pytest.mark.slow
def test_the_same_pages_make_the_same_file_under_any_hash_seed(folder: Path) -> None:
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "webarticlecurator", "label", "train", folder, "--words", "-o", folder / f"{seed}.npz"]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed})
    assert (folder / "1.npz").read_bytes() == (folder / "2.npz").read_bytes()


def test_ctrl_c_leaves_no_half_labeller_and_says_so(curator: Curator, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("webarticlecurator.corpus_labelling.train", interrupted)
    before = sorted(folder.iterdir())

    ended = curator("label", "train", folder)

    assert ended.code == 130
    assert "no labeller was written" in ended.err
    assert sorted(folder.iterdir()) == before


def test_words_and_tags_may_be_what_is_looked_at(curator: Curator, folder: Path) -> None:
    assert curator("label", "train", folder, "--words").code == 0
    ended = curator("label", "apply", folder / "3.html", "--model", folder / "labeller.npz")
    assert [line.split()[2] for line in ended.out.splitlines() if line.startswith("+")] == ["p"] * len(SENTENCES)


def test_eval_holds_a_trained_labeller_beside_the_general_one(curator: Curator, folder: Path) -> None:
    told = json.loads(curator("label", "eval", folder, "--json").out)
    general, own = told["labellers"]
    assert (general["name"], own["name"]) == ("general labeller", "trained on the other pages")
    assert told["pages"] == 12
    assert own["text"]["low"] <= own["text"]["value"] <= own["text"]["high"] <= 1
    assert own["text"]["value"] > 0.95


def test_pages_with_boilernet_s_marks_need_no_other_file(curator: Curator, folder: Path) -> None:
    for number in range(12):
        (folder / f"{number}.txt").unlink()
        file = folder / f"{number}.html"
        file.write_text(file.read_text(encoding="utf-8").replace("<p>", '<p __boilernet_label="1">'), encoding="utf-8")
    assert curator("label", "train", folder).code == 0


def test_pages_without_labels_are_left_out_and_told(curator: Curator, folder: Path) -> None:
    (folder / "0.txt").unlink()
    ended = curator("label", "train", folder)
    assert "1 page was left out: it has neither a .txt file beside it nor the mark __boilernet_label" in ended.err
    assert "11 pages" in ended.err


def test_too_few_pages_are_told_as_such(curator: Curator, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ended = curator("label", "train", tmp_path / "empty")
    assert ended.code == 2
    assert "too few to train a labeller" in ended.err


def test_what_fits_not_together_is_said(curator: Curator, folder: Path) -> None:
    assert "address of a stored page" in curator("label", "apply", "portal.yaml").err
    assert "go with a portal" in curator("label", "train", folder, "--sample", "3").err
    assert "is no labeller" in curator("label", "apply", folder / "0.html", "--model", folder / "0.txt").err


def test_a_portal_is_learned_from_what_its_rules_keep(curator: Curator, tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, rules="body:\n  root: div.text\n")
    corpus.store(*((f"/cikk/{number}", page(f"Bridge {number}", text=SENTENCES[number], published="2024-05-01")) for number in range(12)))
    portal, flags = corpus.portal.sources[0].path, ("--corpus", corpus.folder)

    assert curator("label", "train", portal, *flags).code == 0
    assert portal.with_name("labeller.npz").is_file()
    told = json.loads(curator("label", "apply", portal, "https://pelda.example/cikk/3", *flags, "--json").out)
    assert told["labeller"].endswith("labeller.npz")
    assert any(block["chosen"] and SENTENCES[3] in block["text"] for block in told["blocks"])


def test_a_page_that_is_not_stored_is_told(curator: Curator, tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path)
    corpus.store(("/cikk/1", page("Bridge", text=SENTENCES[0], published="2024-05-01")))
    ended = curator("label", "apply", corpus.portal.sources[0].path, "https://pelda.example/cikk/9", "--corpus", corpus.folder)
    assert ended.code == 2
    assert "https://pelda.example/cikk/9" in ended.err
