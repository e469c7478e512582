"""`curator label` as a person or a program sees it."""

from __future__ import annotations

import json
import pickle
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from seams import main, training_is_interrupted
from small_corpus import SmallCorpus, page

from webarticlecurator import Portal, PortalFileError, UsageError, extract, load_portal

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


def write_pages(folder: Path) -> Path:
    """Twelve pages, each with its main text in a file beside it."""
    for number in range(12):
        texts = SENTENCES[number:] + SENTENCES[:number]
        (folder / f"{number}.html").write_text(html(number, "".join(f"<p>{text}</p>" for text in texts)), encoding="utf-8")
        (folder / f"{number}.txt").write_text("\n".join(texts), encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_pages(tmp_path)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What twelve pages teach: made once, as it takes seconds."""
    folder = write_pages(tmp_path_factory.mktemp("trained"))
    assert main(["label", "train", str(folder), "-q"]) == 0
    return folder / "labeller.npz"


def test_pages_with_their_text_beside_them_train_a_labeller_that_labels_such_pages(curator: Any, folder: Path, trained: Path) -> None:
    told = json.loads(curator("label", "apply", folder / "3.html", "--model", trained, "--json").out)
    assert {block["tag"] for block in told["blocks"] if block["chosen"]} == {"p"}
    assert sum(block["chosen"] for block in told["blocks"]) == len(SENTENCES)


def test_the_same_pages_make_the_same_file_whatever_white_space_and_case_their_texts_have(curator: Any, folder: Path) -> None:
    ended = curator("label", "train", folder, "-o", folder / "first.npz")
    assert (ended.code, "12 pages" in ended.err, "curator label eval" in ended.err.splitlines()[-1]) == (0, True, True)
    for number in range(12):
        file = folder / f"{number}.txt"
        file.write_text(file.read_text(encoding="utf-8").upper().replace(" ", "\n").replace(".", " …"), encoding="utf-8")
    curator("label", "train", folder, "-o", folder / "second.npz")
    assert (folder / "first.npz").read_bytes() == (folder / "second.npz").read_bytes()


def test_ctrl_c_leaves_no_half_labeller(curator: Any, folder: Path) -> None:
    before = sorted(folder.iterdir())
    with training_is_interrupted():
        ended = curator("label", "train", folder)
    assert (ended.code, "Traceback" in ended.err) == (130, False)
    assert sorted(folder.iterdir()) == before


@pytest.mark.nightly
def test_eval_holds_a_trained_labeller_beside_the_general_one(curator: Any, folder: Path) -> None:
    told = json.loads(curator("label", "eval", folder, "--json").out)
    general, own = told["labellers"]
    assert (general["name"], own["name"]) == ("general labeller", "trained on the other pages")
    assert told["pages"] == 12
    assert own["text"]["low"] <= own["text"]["value"] <= own["text"]["high"] <= 1
    assert own["text"]["value"] > 0.95


@pytest.mark.nightly
def test_pages_with_boilernet_s_marks_need_no_other_file(curator: Any, folder: Path) -> None:
    for number in range(12):
        (folder / f"{number}.txt").unlink()
        file = folder / f"{number}.html"
        file.write_text(file.read_text(encoding="utf-8").replace("<p>", '<p __boilernet_label="1">'), encoding="utf-8")
    assert curator("label", "train", folder).code == 0


def test_pages_without_labels_are_left_out_and_told(curator: Any, folder: Path) -> None:
    for number in range(11):
        (folder / f"{number}.txt").unlink()
    ended = curator("label", "train", folder)
    assert "11 pages were left out" in ended.err and "__boilernet_label" in ended.err


def test_what_fits_not_together_is_said(curator: Any, folder: Path) -> None:
    assert "address of a stored page" in curator("label", "apply", "portal.yaml").err
    assert "go with a portal" in curator("label", "train", folder, "--sample", "3").err
    assert "is no labeller" in curator("label", "apply", folder / "0.html", "--model", folder / "0.txt").err
    assert "curator label train" in curator("label", "apply", folder / "0.html", "--model", folder / "none.npz").err


@pytest.mark.nightly
def test_a_portal_is_learned_from_what_its_rules_keep(curator: Any, tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, rules="body:\n  root: div.text\n")
    corpus.store(*((f"/cikk/{number}", page(f"Bridge {number}", text=SENTENCES[number], published="2024-05-01")) for number in range(12)))
    portal, flags = corpus.portal.sources[0].path, ("--corpus", corpus.folder)
    assert curator("label", "train", portal, *flags).code == 0
    assert portal.with_name("labeller.npz").is_file()
    told = json.loads(curator("label", "apply", portal, "https://pelda.example/cikk/3", *flags, "--json").out)
    assert told["labeller"].endswith("labeller.npz")
    assert any(block["chosen"] and SENTENCES[3] in block["text"] for block in told["blocks"])


def test_a_portal_is_read_by_the_labeller_that_its_file_names(curator: Any, folder: Path, trained: Path) -> None:
    file = folder / "portal.yaml"

    def portal(labeller: str) -> Portal:
        file.write_text(f"portal: pelda\nhome: https://pelda.example/\nbody: {{labeller: {labeller}}}\n", encoding="utf-8")
        return load_portal(file)

    (folder / "own.npz").write_bytes(trained.read_bytes())
    page = (folder / "3.html").read_text(encoding="utf-8")
    assert SENTENCES[3] in extract(page, "https://pelda.example/3", portal("own.npz")).text
    with pytest.raises(UsageError, match="is no labeller"):
        extract(page, "https://pelda.example/3", portal("0.txt"))
    with pytest.raises(PortalFileError, match=r"there is no file nothing\.npz"):
        portal("nothing.npz")


def blocks(curator: Any, folder: Path, body: str, *flags: object) -> list[dict[str, Any]]:
    file = folder / "page.html"
    file.write_text(f"<html><head><meta charset=utf-8><title>Not this</title></head><body>{body}</body></html>", encoding="utf-8")
    ended = curator("label", "apply", file, "--json", *flags)
    assert ended.code == 0, ended.err
    return list(json.loads(ended.out)["blocks"])


BLOCKS = {
    "<p>One <b>bold</b> <a href=x>link</a>.</p><p>Two</p>": ["p: One bold link.", "p: Two"],
    "<div>Before<p>Inside <i>it</i></p>behind</div>": ["div: Before", "p: Inside it", "div: behind"],
    "<p>One line<br>and its second<br> <br>Another": ["p: One line and its second", "p: Another"],
    "<script>var a</script><p>Seen<style>p{}</style>, too</p><noscript>Not</noscript>": ["p: Seen, too"],
    "<p> </p><div><br></div>": [],
    "<div>" * 1_500 + "down here": ["div: down here"],
}


@pytest.mark.parametrize(("body", "found"), BLOCKS.items())
def test_a_block_is_what_a_person_sees_as_one_piece_of_text(curator: Any, tmp_path: Path, body: str, found: list[str]) -> None:
    assert [f"{block['tag']}: {block['text']}" for block in blocks(curator, tmp_path, body)] == found


FERRY = "The ferry to the island was late again this morning, and nobody at the pier could say when the next one would leave."
MENU = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("News", "Sports", "Culture", "Weather"))
ARTICLE = (
    f"<header><nav><ul>{MENU}</ul></nav></header><main><article><h1>The ferry is late again</h1><div class=share><a href=/f>Share</a></div>"
    f"<p>{FERRY}</p><p>{FERRY[::-1].capitalize()}.</p><p>It was, {FERRY.lower()}</p><p>Later, {FERRY.lower()}</p>"
    "<div class=related><h3>Related</h3><ul><li><a href=/1>The bridge is closed</a></li></ul></div></article></main>"
    "<footer><p>All rights reserved.</p><a href=/imprint>Imprint</a></footer>"
)


def test_what_ships_finds_the_article_of_an_invented_page(curator: Any, tmp_path: Path) -> None:
    told = blocks(curator, tmp_path, ARTICLE)
    assert [block["tag"] for block in told if block["chosen"] and block["tag"] != "h1"] == ["p"] * 4
    assert all(0 <= block["share"] <= 1 for block in told)


def model(**arrays: object) -> bytes:
    file = BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


NO_LABELLERS = {
    "empty": b"",
    "pickle": pickle.dumps({"weights": 1}),
    "objects": model(weights0=np.array([{"a": 1}], dtype=object)),
    "other arrays": model(weights0=np.zeros((3, 3), np.int8)),
    "another version": model(head=np.frombuffer(b'{"form": 99}', np.uint8)),
    "much": model(head=np.frombuffer(b"{}", np.uint8), more=np.zeros(30_000_000, np.int8)),
}


@pytest.mark.parametrize("content", NO_LABELLERS.values(), ids=NO_LABELLERS)
def test_what_is_no_labeller_is_refused_with_a_sentence(curator: Any, folder: Path, content: bytes) -> None:
    (folder / "mine.npz").write_bytes(content)
    ended = curator("label", "apply", folder / "0.html", "--model", folder / "mine.npz")
    assert (ended.code, "is no labeller" in ended.err) == (2, True)


@pytest.mark.parametrize(("name", "array"), [("bias1", np.full(48, 2**24, np.int32)), ("factors", np.full(96, np.nan, np.float32))])
def test_a_labeller_whose_numbers_were_changed_is_refused(curator: Any, folder: Path, trained: Path, name: str, array: Any) -> None:
    with np.load(trained) as arrays:
        known = {key: arrays[key] for key in arrays.files}
    (folder / "mine.npz").write_bytes(model(**{**known, name: np.resize(array, known[name].shape)}))
    ended = curator("label", "apply", folder / "0.html", "--model", folder / "mine.npz")
    assert (ended.code, "is no labeller" in ended.err) == (2, True)
