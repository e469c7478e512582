"""What a linguist was promised: a program's lemmas and parts of speech come back to the corpus, whatever the program does."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import PublishedPortal, article, post, published
from seams import Layer, main

LEMMAS = """
import sys
for line in sys.stdin:
    columns = line.split("\\t")
    if len(columns) == 10:
        columns[2] = columns[1].lower()
        line = "\\t".join(columns)
    {beside}
    sys.stdout.write(line)
    sys.stdout.flush()
"""
"""A program that tells lemmas, and does something beside that at each line."""
TWICE = "<p>Twice.</p>"


@dataclass(frozen=True)
class Ended:
    """How the command ended: what it tells people, and programs."""

    code: int
    err: str
    told: dict[str, Any]


@dataclass(frozen=True)
class Annotating:
    """A portal whose texts a small program annotates."""

    portal: PublishedPortal
    curator: Callable[..., Any]
    folder: Path

    def by(self, script: str, *flags: object, name: str = "x") -> Ended:
        """How `curator annotate` by a script of Python ends."""
        program = self.folder / "program.py"
        program.write_text(script, encoding="utf-8")
        ended = self.curator("annotate", self.portal.file, "--with", f"{sys.executable} {program}", "--name", name, "--json", *flags)
        return Ended(ended.code, ended.err, json.loads(ended.out or "{}"))

    def words(self, article: str, name: str = "x") -> list[list[tuple[str, str]]]:
        """The sentences of an article: the form and the lemma of each word."""
        with Layer.reading(self.portal.corpus, name) as layer:
            return [[(token.form, token.lemma) for token in each.tokens] for _, passage in layer.article(article) for each in passage]


@pytest.fixture
def annotating(publish: Any, curator: Any, tmp_path: Path) -> Callable[..., Annotating]:
    return lambda *pages: Annotating(publish(*pages), curator, tmp_path)


BRIDGE = article(1, "The Bridge is open. It IS new.", TWICE, TWICE, title="A bridge", posts=(post("Well said!", who="Eve"),))
BOAT = article(2, "A boat came.", title="Boats")
SHIP = article(3, "A ship came.", title="Ships")


def test_all_texts_of_an_article_come_back_with_lemmas(annotating: Any) -> None:
    corpus = annotating(BRIDGE, BOAT)
    ended = corpus.by(LEMMAS.format(beside=""), "--model", "small")
    assert (ended.code, ended.told["asked"], ended.told["counts"]["articles"], ended.told["failures"]) == (0, 2, 2, [])
    assert corpus.words(BRIDGE.id) == [
        [("A", "a"), ("bridge", "bridge")],
        [("The", "the"), ("Bridge", "bridge"), ("is", "is"), ("open", "open"), (".", ".")],
        [("It", "it"), ("IS", "is"), ("new", "new"), (".", ".")],
        [("Twice", "twice"), (".", ".")],
        [("Well", "well"), ("said", "said"), ("!", "!")],
    ]
    with Layer.reading(corpus.portal.corpus, "x") as layer:
        (sentence, second) = layer.passage(BRIDGE.id, "The Bridge is open. It IS new.")
        assert (sentence.start, sentence.end, second.start) == (0, 19, 20)
        assert [(token.start, token.end) for token in second.tokens] == [(20, 22), (23, 25), (26, 29), (29, 30)]
        assert layer.passage(BRIDGE.id, "Another text.") is None
        assert (layer.about.model, layer.columns) == ("small", ("lemma",))
        assert layer.about.command.endswith("program.py")


RETOKENISED = """
import sys
sys.stdin.read()
print("# newdoc id = {id}")
for sentence in ("1\\tBoats\\tboat\\tNOUN\\tN\\tNumber=Plur\\t0\\troot\\t_\\tNER=S-MISC|SpaceAfter=No",
    "1\\tI\\ti\\t_\\t_\\t_\\t3\\tnsubj\\t_\\t_\\n2\\tdo\\tdo\\t_\\t_\\t_\\t3\\taux\\t_\\t_\\n3\\tn't\\tnot\\t_\\t_\\t_\\t0\\troot\\t_\\t_\\n"
    "3.1\\tgo\\tgo\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\n4\\tgoblin\\tx\\t_\\t_\\t_\\t3\\tx\\t_\\t_\\n5-6\\tzum\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\n"
    "5\\tzu\\tzu\\t_\\t_\\t_\\t7\\tcase\\t_\\t_\\n6\\tdem\\tder\\t_\\t_\\t_\\t7\\tdet\\t_\\t_",
    "1\\tHAUS\\tHaus\\t_\\t_\\t_\\t0\\troot\\t_\\t_\\n2\\t.\\n3\\t``\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\n4\\tOb\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\n5\\t''\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\t_"):
    print(sentence + "\\n")
"""


def test_words_that_a_program_parts_otherwise_lie_on_their_characters(annotating: Any) -> None:
    text = "I don't zum Haus. „Ob”"
    page = article(2, text, title="Boats")
    corpus = annotating(page)
    ended = corpus.by(RETOKENISED.format(id=page.id))
    assert ended.code == 0, ended.err
    assert (ended.told["counts"]["not_aligned"], ended.told["counts"]["empty_nodes"]) == (1, 1)
    assert "'goblin' after \"" in ended.told["not_aligned"][0]
    with Layer.reading(corpus.portal.corpus, "x") as layer:
        ((title,),) = [passage for _, passage in layer.article(page.id)][:1]
        assert (title.tokens[0].entity, title.tokens[0].misc, title.tokens[0].head) == ("B-MISC", "NER=S-MISC", 0)
        first, second = layer.passage(page.id, text)
    assert [(text[token.start : token.end], token.form, token.head) for token in first.tokens] == [
        ("I", "I", 3),
        ("do", "do", 3),
        ("n't", "n't", 0),
        ("zum", "zu", -1),
        ("zum", "dem", -1),
    ]
    assert first.multiword == ((4, 5, "zum"),)
    assert [text[token.start : token.end] for token in second.tokens] == ["Haus", ".", "„", "Ob", "”"]


def test_a_program_may_read_all_before_it_answers_and_keep_no_names(annotating: Any) -> None:
    corpus = annotating(BRIDGE, BOAT, SHIP)
    nameless = "import sys\nsys.stdout.write(''.join(line for line in sys.stdin.readlines() if line[0] != '#'))"
    assert corpus.by(nameless, "--batch", 2).code == 0
    assert [len(corpus.words(page.id)) for page in (BRIDGE, BOAT, SHIP)] == [5, 2, 2]


def test_a_program_may_be_sent_text(annotating: Any) -> None:
    words = """
import sys
for line in sys.stdin:
    for number, word in enumerate(line.split(), 1):
        print(number, word, word.lower(), *"_" * 7, sep="\\t")
    print()
"""
    corpus = annotating(BRIDGE, BOAT)
    assert corpus.by(words, "--plain").code == 0
    assert corpus.words(BOAT.id) == [[("Boats", "boats")], [("A", "a"), ("boat", "boat"), ("came.", "came.")]]
    assert corpus.words(BRIDGE.id)[1][-1] == ("open.", "open.")


FUNCTION = """
def big(articles):
    for text in articles:
        print('no answer')
        yield text.replace('\\tboat\\t_', '\\tboat\\tBOAT')
"""


def test_a_function_of_python_gets_articles(annotating: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = annotating(BRIDGE, BOAT)
    monkeypatch.chdir(corpus.folder)
    Path("mine.py").write_text(FUNCTION, encoding="utf-8")
    ended = corpus.curator("annotate", corpus.portal.file, "--python", "mine:big")
    assert ended.code == 0, ended.err
    assert corpus.words(BOAT.id, "mine")[1][1] == ("boat", "BOAT")
    assert "curator export" in ended.err
    ended = corpus.curator("annotate", corpus.portal.file, "--python", "mine:none", "--name", "none")
    assert (ended.code, "has no attribute 'none'" in ended.err) == (1, True)


FAILING = {
    "crashes": ("if 'boat' in line: sys.exit('no boats')", "it ended with code 1: no boats"),
    "hangs": ("if 'boat' in line: __import__('time').sleep(99)", "no answer within 6 seconds"),
    "is killed": ("if 'boat' in line: __import__('os').kill(__import__('os').getpid(), 9)", "illed"),
    "ends amid a line": ("if 'boat' in line: sys.stdout.write('1\\tA\\t'); sys.exit()", "breaks off amid a line"),
    "has no end": ("while 'boat' in line: sys.stdout.write('1\\tx\\n\\n' * 9999)", "its answer has no end"),
    "has no end of a line": ("while 'boat' in line: sys.stdout.write('x' * 99999)", "a sentence of its answer has no end"),
    "says nothing": ("if 'boat' in line: sys.exit()", "it ended before it had answered"),
}


@pytest.mark.parametrize("how", FAILING)
def test_an_article_on_which_a_program_fails_is_told_and_costs_no_other(how: str, annotating: Any) -> None:
    beside, reason = FAILING[how]
    corpus = annotating(BRIDGE, BOAT, SHIP)
    ended = corpus.by(LEMMAS.format(beside=beside), "--time-limit", 6)
    assert ended.code == 1
    assert (ended.told["asked"], len(ended.told["failures"])) == (2, 1)
    assert ended.told["failures"][0].startswith(BOAT.id)
    assert reason in ended.told["failures"][0]
    assert corpus.words(SHIP.id)[1][1] == ("ship", "ship")
    assert corpus.words(BOAT.id) == []
    again = corpus.by(LEMMAS.format(beside=""))
    assert (again.code, again.told["asked"], corpus.words(BOAT.id)[1][1]) == (0, 1, ("boat", "boat"))


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import os\nwhile True: os.write(1, os.urandom(9999))", "alike"),
        ("print('hello'); raise SystemExit('no model')", "it ended with code 1: no model"),
        ("", "it ended before it had answered"),
    ],
)
def test_a_program_that_fails_from_the_beginning_is_not_asked_for_ever(script: str, reason: str, annotating: Any) -> None:
    corpus = annotating(BRIDGE, BOAT, SHIP, article(4, "A raft."))
    ended = corpus.by(script)
    assert ended.code == 2
    assert reason in ended.err
    assert not list(corpus.portal.corpus.glob("annotations/*.sqlite"))


def test_articles_that_fail_always_are_told_by_each_run(annotating: Any) -> None:
    corpus = annotating(SHIP, BOAT)
    program = LEMMAS.format(beside=FAILING["crashes"][0])
    corpus.by(program)
    corpus.portal.take_in(article(11, "A boat."), article(12, "A boat."))
    corpus.portal.build()
    for _ in range(2):
        ended = corpus.by(program)
        assert (ended.code, ended.told["asked"], len(ended.told["failures"])) == (1, 0, 3), ended.err


def test_a_rerun_asks_for_what_is_new_or_changed_alone(annotating: Any) -> None:
    corpus = annotating(BRIDGE, BOAT)
    log = "open('asked', 'a').write(line) if line.startswith('# newdoc') else None"
    program = LEMMAS.format(beside=log.replace("asked", str(corpus.folder / "asked")))
    corpus.by(program)
    assert corpus.by(program).told["unchanged"] == 2
    corpus.portal.take_in(SHIP, article(2, "A boat came late.", title="Boats", captured="2024-08-01T00:00:00Z"))
    corpus.portal.build()
    ended = corpus.by(program)
    assert (ended.told["asked"], ended.told["unchanged"]) == (2, 1)
    asked = (corpus.folder / "asked").read_text().split("# newdoc id = ")[1:]
    assert sorted(asked) == sorted(f"{page.id}\n" for page in (BRIDGE, BOAT, BOAT, SHIP))
    assert [form for form, _ in corpus.words(BOAT.id)[1]] == ["A", "boat", "came", "late", "."]
    assert corpus.by(program, "--all").told["asked"] == 3


def test_what_changes_no_text_is_not_asked_again_and_what_is_gone_goes(annotating: Any) -> None:
    corpus = annotating(BRIDGE, BOAT)
    corpus.by(LEMMAS.format(beside=""))
    corpus.portal.take_in(article(2, "A boat came.", title="Boats", author="Ada", captured="2024-08-01T00:00:00Z"))
    corpus.portal.more = {"articles": {"skip": {"url": ["/1$"]}}}
    corpus.portal.build()
    ended = corpus.by("raise SystemExit('nobody asks')")
    assert (ended.code, ended.told["asked"], ended.told["gone"], ended.told["counts"]["articles"]) == (0, 0, 1, 1)
    assert corpus.words(BRIDGE.id) == []


def test_another_program_needs_another_layer(annotating: Any) -> None:
    corpus = annotating(BOAT)
    corpus.by(LEMMAS.format(beside=""), "--model", "one")
    ended = corpus.by(LEMMAS.format(beside=""), "--model", "two")
    assert (ended.code, "--all" in ended.err, "'one'" in ended.err) == (2, True, True)
    assert corpus.by(LEMMAS.format(beside=""), "--model", "two", "--all").code == 0


def test_ctrl_c_keeps_what_is_annotated(annotating: Any) -> None:
    corpus = annotating(*(article(number, f"Boat {number} came.") for number in range(10, 30)))
    interrupt = f"__import__('os').kill({os.getpid()}, {signal.SIGINT:d}); __import__('time').sleep(99)"
    twelfth = f"seen += line.startswith('# newdoc')\n    if seen == 12: {interrupt}"
    script = LEMMAS.replace("import sys", "import sys\nseen = 0").format(beside=twelfth)
    began = time.monotonic()
    ended = corpus.by(script)
    assert (ended.code, ended.told["incomplete"], ended.told["counts"]["articles"]) == (4, "interrupted", 10)
    assert time.monotonic() - began < 60
    assert corpus.by(LEMMAS.format(beside="")).told["unchanged"] == 10


def test_shares_are_put_together(annotating: Any) -> None:
    corpus = annotating(BRIDGE, BOAT, SHIP)
    program = LEMMAS.format(beside="")
    shares = [corpus.by(program, "--share", f"{number}/2").told["asked"] for number in (1, 2)]
    assert sorted(shares) == [1, 2]
    other = corpus.by(program, "--model", "another")
    assert (other.code, "made by" in other.err) == (2, True)
    whole = corpus.by("raise SystemExit('nobody asks')")
    assert (whole.code, whole.told["counts"]["articles"], whole.told["asked"]) == (0, 3, 0)
    assert corpus.words(BOAT.id)[1][1] == ("boat", "boat")
    assert corpus.by(program, "--share", "1/2").told["asked"] == 0


def test_several_processes_annotate_the_same(annotating: Any) -> None:
    corpus = annotating(*(article(number, f"Boat {number} came.") for number in range(10, 30)))
    ended = corpus.by(LEMMAS.format(beside=""), "--processes", 2, "--batch", 3)
    assert (ended.code, ended.told["asked"], ended.told["counts"]["tokens"]) == (0, 20, 20 * 6)


# --- whatever a program answers ---

TEXT = "The Bridge isn't open; „Ob” zum Haus… 10 000 naïve ﬁsh"
CELLS = st.sampled_from(
    ["1", "2", "1-2", "1.1", "0", "9" * 30, "_", "The", "Bridge", "n't", "zu", "dem", "``", "\x00", "\ud7ff", "-", "=", "NER=B-X"]
)
LINES = st.lists(CELLS | st.text(max_size=5), max_size=12).map("\t".join) | st.text(max_size=30)


@settings(max_examples=max(2, settings.default.max_examples // 10), deadline=None)
@given(st.lists(LINES, max_size=30), st.binary(max_size=50))
def test_no_text_changes_and_every_word_lies_on_its_characters(lines: list[str], end: bytes) -> None:
    with TemporaryDirectory() as folder:
        portal = published(Path(folder), article(1, TEXT, TEXT[4:], "Other words.", title="A boat"))
        before = {path: path.read_bytes() for path in portal.corpus.rglob("*.xml")}
        answer = Path(folder, "answer")
        answer.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass") + end)
        main(["annotate", str(portal.file), "--with", f"cat {answer}", "--name", "x", "--quiet"])
        assert before == {path: path.read_bytes() for path in portal.corpus.rglob("*.xml")}
        if not (portal.corpus / "annotations" / "x.sqlite").exists():  # there is not one word in it
            return
        with Layer.reading(portal.corpus, "x") as layer:
            for text in (TEXT, TEXT[4:], "Other words.", "A boat"):
                for sentence in layer.passage(article(1).id, text) or ():
                    tokens = sentence.tokens
                    covered = {number for first, last, _ in sentence.multiword for number in range(first, last + 1)}
                    for number, token in enumerate(tokens, start=1):
                        assert sentence.start <= token.start < token.end <= sentence.end <= len(text)
                        assert token.head <= len(tokens)
                        if number not in covered:
                            assert loose(text[token.start : token.end]) == loose(token.form)
                    for first, last, form in sentence.multiword:
                        assert loose(text[tokens[first - 1].start : tokens[last - 1].end]) == loose(form)


def loose(word: str) -> str:
    """What a word has in common with others that are written otherwise."""
    for mark, plain in {"``": '"', "''": '"', "„": '"', "”": '"', "`": "'", "---": "-", "--": "-", "_": ""}.items():
        word = word.replace(mark, plain)
    return "".join(normalize("NFKC", word).casefold().split())
