"""Programs that linguists use, as they use them: each annotates a small corpus, and no text becomes another by it."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from published import PublishedPortal, article, post
from seams import Layer
from written_pages import DOCS

PAGES = (
    article(1, "The boats came. The bridge isn't open.", "A boat-house, (new).", title="Boats", posts=(post("Well said!", who="Eve"),)),
    article(2, "A ship came.", title="Ships"),
)
HOW_TO = (DOCS / "how-to" / "annotations.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Annotated:
    """A corpus that a program was asked to annotate."""

    portal: PublishedPortal
    curator: Callable[..., Any]

    def by(self, *flags: str) -> tuple[int, dict[str, Any]]:
        """How `curator annotate` ends, and what it tells."""
        ended = self.curator("annotate", self.portal.file, "--name", "x", "--json", *flags)
        return ended.code, json.loads(ended.out or "{}")

    def words(self) -> dict[str, str]:
        """The lemma of each form; each stands in the text where the layer says it does."""
        said: dict[str, str] = {}
        with Layer.reading(self.portal.corpus, "x") as layer:
            for text in self.texts():
                for page in PAGES:
                    for sentence in layer.passage(page.id, text) or ():
                        for token in sentence.tokens:
                            assert text[token.start : token.end] == token.form
                            said[token.form] = token.lemma
        return said

    def texts(self) -> list[str]:
        """All passages, as they are exported without any layer."""
        lines = self.curator("export", self.portal.file, "--to", "conllu", "--layer", "none", "--with", "comments").out.splitlines()
        sentences = [line.partition(" = ")[2] for line in lines if line.startswith("# text = ")]
        return [*sentences, " ".join(sentences[1:3])]


@pytest.fixture
def corpus(publish: Any, curator: Any) -> Annotated:
    return Annotated(publish(*PAGES), curator)


@pytest.fixture
def python_of_the_how_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Puts a module of the how-to into the folder in which the command is typed."""
    monkeypatch.chdir(tmp_path)

    def put(name: str) -> str:
        (code,) = re.findall(rf"```python\n(# {name}\.py\n.*?)```", HOW_TO, re.DOTALL)
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        return str(code)

    return put


def udapy(*arguments: str) -> str:
    """The command of udapi."""
    pytest.importorskip("udapi", reason="a program that reads CoNLL-U is udapi (pip install udapi)")
    program = shutil.which("udapy", path=str(Path(sys.executable).parent))
    return " ".join((f"{sys.executable} {program}", *arguments))


def test_udapi_gives_lemmas(corpus: Annotated) -> None:
    before = corpus.texts()
    code, told = corpus.by("--with", udapy("-q -s util.Eval node='node.lemma=node.form.lower()'"))
    assert (code, told["asked"], told["counts"]["not_aligned"], told["failures"]) == (0, 2, 0, [])
    words = corpus.words()
    assert (words["Boats"], words["The"], words["Well"]) == ("boats", "the", "well")
    assert corpus.texts() == before


def test_a_tokenizer_of_udapi_cuts_words_otherwise(corpus: Annotated) -> None:
    before = corpus.texts()
    code, told = corpus.by("--plain", "--with", udapy("-q -s read.Sentences ignore_empty_lines=1 tokenize.Simple"))
    assert (code, told["asked"], told["failures"]) == (0, 2, [])
    assert {"isn", "t", "house", "("} <= set(corpus.words())
    assert corpus.texts() == before


def test_udapi_ends_amid_an_article_and_the_others_are_annotated(corpus: Annotated) -> None:
    deadly = 'node.lemma = node.form.index("!") if node.form == "Ships" else node.form'
    code, told = corpus.by("--with", udapy(f"-q -s util.Eval node='{deadly}'"))
    assert (code, [failure.partition(":")[0] for failure in told["failures"]]) == (1, [PAGES[1].id])
    assert "ValueError" in told["failures"][0]
    assert corpus.words()["Boats"] == "Boats"


def test_simplemma_as_the_how_to_has_it(corpus: Annotated, python_of_the_how_to: Callable[[str], str], tmp_path: Path) -> None:
    pytest.importorskip("simplemma", reason="ten lines of the how-to are for simplemma (pip install simplemma)")
    code = python_of_the_how_to("mine")
    (tmp_path / "mine.py").write_text(code.replace('lang="hu"', 'lang="en"'), encoding="utf-8")
    assert corpus.by("--python", "mine:lemmas")[0] == 0
    words = corpus.words()
    assert (words["boats"], words["came"]) == ("boat", "come")


@pytest.mark.nightly
def test_spacy_as_the_how_to_has_it(corpus: Annotated, python_of_the_how_to: Callable[[str], str], tmp_path: Path) -> None:
    pytest.importorskip("spacy", reason="a function of the how-to is for spaCy (pip install spacy)")
    rules = dedent(
        """
        nlp = spacy.blank("en")
        ruler = nlp.add_pipe("attribute_ruler")
        ruler.add([[{"LOWER": "came"}]], {"LEMMA": "come", "POS": "VERB", "TAG": "VBD", "MORPH": "Tense=Past"})
        nlp.add_pipe("entity_ruler").add_patterns([{"label": "THING", "pattern": [{"LOWER": "the"}, {"LOWER": "bridge"}]}])
        """
    )
    code = python_of_the_how_to("tagger").replace('nlp = spacy.load("en_core_web_sm")\n', rules)
    assert "spacy.blank" in code
    (tmp_path / "tagger.py").write_text(code, encoding="utf-8")
    assert corpus.by("--python", "tagger:tag")[0] == 0
    assert corpus.words()["came"] == "come"
    with Layer.reading(corpus.portal.corpus, "x") as layer:
        (first, second) = layer.passage(PAGES[0].id, "The boats came. The bridge isn't open.") or ()
    (came,) = [token for token in first.tokens if token.form == "came"]
    assert (came.upos, came.xpos, came.feats) == ("VERB", "VBD", "Tense=Past")
    assert [token.entity for token in second.tokens[:3]] == ["B-THING", "I-THING", ""]


LEARNED = """
# text = The boats came.
1\tThe\tthe\tDET\t_\t_\t0\troot\t_\t_
2\tboats\tboat\tNOUN\t_\tNumber=Plur\t1\tdep\t_\t_
3\tcame\tcome\tVERB\t_\t_\t1\tdep\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t_\t_\t1\tdep\t_\t_

"""


@pytest.mark.nightly
def test_udpipe_with_a_model_of_its_own(corpus: Annotated, tmp_path: Path) -> None:
    udpipe = pytest.importorskip("ufal.udpipe", reason="UDPipe is ufal.udpipe (pip install ufal.udpipe)")
    learned, sentence = udpipe.Sentences(), udpipe.Sentence()
    sentences = udpipe.InputFormat.newConlluInputFormat()
    sentences.setText(LEARNED.lstrip() * 20)
    while sentences.nextSentence(sentence):
        learned.append(sentence)
        sentence = udpipe.Sentence()
    of_tagger = "iterations=2;guesser_suffix_rules=2"
    model = udpipe.Trainer.train("morphodita_parsito", learned, udpipe.Sentences(), "none", of_tagger, "none", udpipe.ProcessingError())
    (tmp_path / "small.udpipe").write_bytes(model)
    (tmp_path / "udpipe.py").write_text(
        dedent(
            """
            import sys
            from ufal.udpipe import Model, Pipeline
            model = Model.load(sys.argv[1])
            pipeline = Pipeline(model, "conllu", Pipeline.DEFAULT, Pipeline.NONE, "conllu")
            print(pipeline.process(sys.stdin.read()), end="")
            """
        ),
        encoding="utf-8",
    )
    code, told = corpus.by("--with", f"{sys.executable} {tmp_path / 'udpipe.py'} {tmp_path / 'small.udpipe'}")
    assert (code, told["asked"], told["counts"]["not_aligned"], told["failures"]) == (0, 2, 0, [])
    assert (corpus.words()["boats"], corpus.words()["came"]) == ("boat", "come")
