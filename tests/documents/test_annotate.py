"""What a linguist was promised: a program's lemmas and parts of speech come back to the corpus, whatever the program does."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from own_dask import own_dask
from published import PublishedPortal, article, post, published
from seams import Layer, leave_the_cluster, main

from webarticlecurator import annotate

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
    ended = corpus.curator("annotate", corpus.portal.file, "--python", "mine:none", "--name", "nothing")
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
        ("import os; raise SystemExit(f'no model, process {os.getpid()}')", "it ended with code 1: no model"),
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
    wait = "__import__('time').sleep"  # until what was said is read
    interrupt = f"{wait}(1); __import__('os').kill({os.getpid()}, {signal.SIGINT:d}); {wait}(99)"
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


# --- what is there stays until there is better ---

INTERRUPTED = f"""
import os, sys, time
for line in sys.stdin:
    if "{{word}}" in line:
        time.sleep(1)
        os.kill({os.getpid()}, {signal.SIGINT:d})
        time.sleep(99)
    sys.stdout.write(line.replace("\t_\t", "\tanew\t", 1))
    sys.stdout.flush()
"""


@pytest.mark.parametrize("beside", ["raise SystemExit('no model')", "__import__('os').kill({pid}, 2); __import__('time').sleep(99)"])
def test_all_anew_leaves_what_is_there_until_the_program_answers(annotating: Any, beside: str) -> None:
    corpus = annotating(BRIDGE, BOAT, SHIP)
    corpus.by(LEMMAS.format(beside=""), "--model", "one")
    ended = corpus.by(beside.format(pid=os.getpid()), "--all", "--model", "two")
    assert ended.code in (2, 4)
    assert corpus.words(BOAT.id)[1][1] == ("boat", "boat")
    with Layer.reading(corpus.portal.corpus, "x") as layer:
        assert layer.about.model == "one"


@pytest.mark.parametrize(("model", "left"), [("one", ("ship", "ship")), ("two", None)])
def test_all_anew_that_is_interrupted_keeps_what_the_same_program_said_and_goes_on(annotating: Any, model: str, left: Any) -> None:
    corpus = annotating(BOAT, SHIP)
    corpus.by(LEMMAS.format(beside=""), "--model", "one")
    asked = [page for page in (BOAT, SHIP) if corpus.words(page.id)]
    assert len(asked) == 2
    ended = corpus.by(INTERRUPTED.format(word="Ships"), "--all", "--model", model)
    assert (ended.code, ended.told["asked"]) == (4, 1)
    assert corpus.words(BOAT.id)[1][1] == ("boat", "anew")
    assert corpus.words(SHIP.id)[1:2] == ([[("A", "a"), left, ("came", "came"), (".", ".")]] if left else [])
    with Layer.reading(corpus.portal.corpus, "x") as layer:
        assert layer.about.model == model
    ended = corpus.by(LEMMAS.format(beside=""), "--model", model)
    assert (ended.code, ended.told["asked"], corpus.words(SHIP.id)[1][1]) == (0, 1, ("ship", "ship"))


@pytest.mark.parametrize("share", [[], ["--share", "1/1"]])
def test_sentences_that_are_right_outlast_a_program_that_fails_on_what_is_new(annotating: Any, share: list[str]) -> None:
    corpus = annotating(BOAT)
    corpus.by(LEMMAS.format(beside=""))
    corpus.portal.take_in(article(2, "A boat came.", "More.", title="Boats", captured="2024-08-01T00:00:00Z"))
    corpus.portal.build()
    for flags in dict.fromkeys([tuple(share), ()]):
        ended = corpus.by("raise SystemExit('no memory')", *flags)
        assert (ended.code, len(ended.told["failures"])) == (1, 1)
    assert corpus.words(BOAT.id)[1][1] == ("boat", "boat")
    with Layer.reading(corpus.portal.corpus, "x") as layer:
        assert layer.columns == ("lemma",), "and so do their columns"


def test_a_share_with_nothing_to_do_names_no_file(annotating: Any) -> None:
    corpus = annotating(BOAT)
    program = LEMMAS.format(beside="")
    corpus.by(program)
    nothing = corpus.by(program, "--share", "1/2")
    assert (nothing.code, ".sqlite" in nothing.err) == (0, False)
    assert not list((corpus.portal.corpus / "annotations").glob("x.shares/*.sqlite"))


def test_plain_text_is_another_origin(annotating: Any) -> None:
    corpus = annotating(BOAT)
    program = LEMMAS.format(beside="")
    corpus.by(program)
    refused = corpus.by(program, "--plain")
    assert (refused.code, "another --name" in refused.err) == (2, True)
    corpus.by("import sys; print(sys.stdin.read() and '1\\tBoats\\tboat')", "--plain", name="plain")
    with Layer.reading(corpus.portal.corpus, "x") as layer, Layer.reading(corpus.portal.corpus, "plain") as plain:
        assert (layer.about.command.endswith("program.py"), "(sent plain text)" in plain.about.command) == (True, True)


@pytest.mark.cluster
def test_a_cluster_annotates_as_one_machine_does(annotating: Any, tmp_path: Path) -> None:
    corpus = annotating(BRIDGE, BOAT, SHIP)
    program = LEMMAS.format(beside="if 'ship' in line: sys.exit('no ships')")
    here = corpus.by(program, name="here")
    with own_dask(tmp_path / "dask", workers=2) as dask:
        there = corpus.by(program, "--cluster", dask.address, "--batch", "2", name="there")
        leave_the_cluster()
    assert (there.code, there.told["asked"], there.told["counts"]) == (here.code, here.told["asked"], here.told["counts"])
    assert "no ships" in there.told["failures"][0]
    for page in (BRIDGE, BOAT):
        assert corpus.words(page.id, "there") == corpus.words(page.id, "here") != []
    both = corpus.by(program, "--cluster", "tcp://127.0.0.1:9", "--processes", "2")
    assert (both.code, "--cluster" in both.err) == (2, True)


def test_shares_of_another_program_are_taken_in_by_nobody(annotating: Any) -> None:
    corpus = annotating(BRIDGE, BOAT, SHIP)
    program = LEMMAS.format(beside="")
    corpus.by(program, "--share", "1/2")
    corpus.by(program, "--share", "2/2", "--model", "another", name="y")
    folder = corpus.portal.corpus / "annotations"
    (folder / "y.shares" / "2-of-2.sqlite").rename(folder / "x.shares" / "2-of-2.sqlite")
    for flags in ([], ["--model", "another"], ["--share", "1/2", "--model", "another"]):
        ended = corpus.by(program, *flags)
        assert (ended.code, "made by" in ended.err) == (2, True), ended.err
        assert (sorted(path.name for path in folder.rglob("*.sqlite"))) == ["1-of-2.sqlite", "2-of-2.sqlite"]


@pytest.mark.parametrize("everything", [[], ["--all"]])
def test_a_share_is_made_by_the_program_of_the_layer(annotating: Any, everything: list[str]) -> None:
    corpus = annotating(BRIDGE, BOAT)
    corpus.by(LEMMAS.format(beside=""))
    ended = corpus.by(LEMMAS.format(beside=""), "--share", "1/2", "--model", "another", *everything)
    assert (ended.code, "made by" in ended.err) == (2, True)


def test_shares_may_be_annotated_anew_and_are_never_lost_unread(annotating: Any) -> None:
    corpus = annotating(BRIDGE, BOAT)
    corpus.by(LEMMAS.format(beside=""))
    upper = LEMMAS.format(beside="").replace("lower", "upper")
    ended = corpus.by(upper, "--share", "1/1", "--all")
    assert (ended.code, ended.told["asked"]) == (0, 2)
    refused = corpus.by(upper, "--all")
    assert (refused.code, "shares" in refused.err, "without --all" in refused.err) == (2, True, True)
    assert corpus.by("raise SystemExit('nobody asks')").code == 0
    assert corpus.words(BOAT.id)[1][1] == ("boat", "BOAT")


def test_a_layer_of_another_version_is_made_again_by_all(annotating: Any) -> None:
    corpus = annotating(BOAT)
    corpus.by(LEMMAS.format(beside=""))
    with closing(sqlite3.connect(corpus.portal.corpus / "annotations" / "x.sqlite")) as db:
        db.execute("PRAGMA user_version = 99")
    assert "--all" in corpus.by(LEMMAS.format(beside="")).err
    assert corpus.by(LEMMAS.format(beside=""), "--all").told["asked"] == 1


def test_ctrl_c_is_heard_where_no_text_changed(annotating: Any) -> None:
    corpus = annotating(*(article(number, f"Boat {number} came.") for number in range(10, 30)))
    corpus.by(LEMMAS.format(beside=""))
    corpus.portal.take_in(
        *(article(number, f"Boat {number} came.", author="Ada", captured="2024-08-01T00:00:00Z") for number in range(10, 30))
    )
    corpus.portal.build()
    (stop := Event()).set()
    seen: list[int] = []

    class Watching:
        def show(self, snapshot: Any) -> None:
            seen.append(snapshot.articles)

        def say(self, portal: str, message: str) -> None:
            pass

    command = f"{sys.executable} {corpus.folder / 'program.py'}"
    ended = annotate(corpus.portal.file, command, corpus=corpus.portal.corpus, name="x", stop=stop, progress=Watching())
    assert (ended.incomplete, max(seen)) == ("interrupted", 0)


# --- each word stands where the program says that it stands ---

ELSEWHERE = """
import sys
pieces = sys.stdin.read().split("# {piece} id")
print(pieces[0])
for place in {order}:
    for line in ("# {piece} id" + pieces[place]).split("\\n"):
        columns = line.split("\\t")
        if len(columns) == 10:
            columns[2] = f"{{place}}-{{columns[1]}}"
        print("\\t".join(columns))
    print()
"""


def test_passages_may_come_in_any_order(annotating: Any) -> None:
    page = article(1, "The boat came.", "A ship came.", "The boat came late.", title="Ones")
    corpus = annotating(page)
    assert corpus.by(ELSEWHERE.format(piece="newpar", order="1, 3, 2, 4")).code == 0
    said = {tuple(form for form, _ in each): {lemma.split("-")[0] for _, lemma in each} for each in corpus.words(page.id)}
    assert said == {
        ("Ones",): {"1"},
        ("The", "boat", "came", "."): {"2"},
        ("A", "ship", "came", "."): {"3"},
        ("The", "boat", "came", "late", "."): {"4"},
    }


def test_what_is_said_of_an_article_that_is_over_goes_to_no_other(annotating: Any) -> None:
    pages = [article(number, "A boat came.", title="Boats") for number in (1, 2)]
    corpus = annotating(*pages)
    second_begins = "print('# newdoc id' + pieces[2].split(chr(10))[0])"
    ended = corpus.by(ELSEWHERE.format(piece="newdoc", order="1, 2").replace("print(pieces[0])", second_begins))
    assert (ended.code, len(ended.told["failures"])) == (1, 1)
    said = [{lemma.split("-")[0] for sentence in corpus.words(page.id) for _, lemma in sentence} for page in pages]
    assert sorted(map(sorted, said)) == [[], ["2"]]


@pytest.mark.parametrize(
    ("text", "words", "kept"),
    [
        ("It isn't a big nothing here.", "It is not a big nothing here .", "It is a big nothing here ."),
        ("Don't go, notes are there.", "Do not go , notes are there .", "Do go , notes are there ."),
        ("He cannot another not.", "He do not .", "He not ."),
    ],
)
def test_a_word_that_is_found_further_on_is_a_whole_word(annotating: Any, text: str, words: str, kept: str) -> None:
    page = article(2, text, title=None)
    corpus = annotating(page)
    rows = "".join(f"{number}\t{word}\tl\n" for number, word in enumerate(words.split(), start=1))
    corpus.by(f"import sys\nsys.stdin.read()\nprint({f'# newdoc id = {page.id}' + chr(10) + rows!r})")
    assert " ".join(form for sentence in corpus.words(page.id) for form, _ in sentence) == kept


def test_many_words_that_are_several_take_a_time_that_grows_with_them(annotating: Any) -> None:
    corpus = annotating(article(1, "zum " * 8_000))
    parted = """
import sys
number = 1
for line in sys.stdin:
    if "\\tzum" in line:
        print(f"{number}-{number + 1}\\tzum\\n{number}\\tzu\\tzu\\n{number + 1}\\tdem\\tder")
        number += 2
    elif line[0] == "#" and "sent_id" not in line:
        print(line, end="")
"""
    began = time.monotonic()
    ended = corpus.by(parted)
    assert (ended.code, ended.told["counts"]["tokens"]) == (0, 16_000), ended.err
    assert time.monotonic() - began < 8


def test_a_last_line_that_is_whole_needs_no_end(annotating: Any) -> None:
    corpus = annotating(BOAT)
    assert corpus.by("import sys\nsys.stdout.write(sys.stdin.read().rstrip('\\n'))").code == 0
    assert len(corpus.words(BOAT.id)[1]) == 4


# --- what is written down of it, and what cannot be ---


def test_settings_before_the_program_are_told_nobody(annotating: Any) -> None:
    corpus = annotating(BOAT)
    corpus.by(LEMMAS.format(beside=""))
    program = f"{sys.executable} {corpus.folder / 'program.py'}"
    ended = corpus.curator("annotate", corpus.portal.file, "--with", f"KEY=secret OTHER='a secret' {program}")
    assert ended.code == 0, ended.err
    (name,) = [path.stem for path in (corpus.portal.corpus / "annotations").glob("*.sqlite") if path.stem != "x"]
    assert "secret" not in name
    with Layer.reading(corpus.portal.corpus, name) as layer:
        assert layer.about.command == program


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--with", "cat", "--name", "none"], "'none' is no name of a layer"),
        (["--with", "prog 'a"], "--with names no program"),
        (["--with", ""], "--with names no program"),
        (["--with", "KEY=value"], "--with names no program"),
        (["--with", "cat", "--python", "mine:lemmas"], "--with or --python, not both"),
        ([], "By what?"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(annotating: Any, flags: list[str], said: str) -> None:
    corpus = annotating(BOAT)
    ended = corpus.curator("annotate", corpus.portal.file, *flags)
    assert (ended.code, said in " ".join(ended.err.split())) == (2, True), ended.err


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
