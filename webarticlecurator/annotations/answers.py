"""Read what a program answers, sentence by sentence, while it still answers: CoNLL-U, whose words are found
in the articles that it was sent."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, groupby, takewhile
from typing import NamedTuple

from webarticlecurator.annotations.alignment import find, look_ahead, places_as_written
from webarticlecurator.annotations.layer import KeptSentence
from webarticlecurator.own_patterns import linear, linear_at

_UNWANTED = linear("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""The characters that no value may hold."""
_OF_TEXT = linear(r"(?:^|\|)Spaces?(?:After|Before|InToken)=[^|]*")
"""Values of MISC that tell the text, which is known."""
_PLACE = linear_at(r"(.{1,300}-[0-9a-f]{16})(?:-p([0-9]{1,9}))?(?:-s[0-9]{1,9})?")
"""An article's id, perhaps with the number of a passage and of a sentence."""
_KEYS = ("newdoc id", "newpar id", "sent_id")
"""Comments that say where an answer stands."""
_ENTITY = linear(r"(?:^|\|)(?:NER|Entity|ner|NE)=([BIES])-([^|]{1,100})")
_SCHEME = {"S": "B", "E": "I"}
"""Labels of single and of last words of names -> those of the plainer scheme."""
_NUMBER = linear_at("[1-9][0-9]{0,8}")
COLUMNS = 10
"""Those of a word in CoNLL-U."""
_NUMBERS = list(map(str, range(1, 1_000)))
"""The numbers of the words of any sentence but the longest."""
_LONGEST_LINE = 20_000
_LONGEST_WORD = 100
"""Words that one word of the text may be made of."""
_EXAMPLES = 3
_SPARE, _PER_CHARACTER = 1 << 20, 500
"""Characters of an answer on an article: some, and so many for each of its text. More is no answer."""
NOTHING_SAID = "the program said nothing of it"


@dataclass(frozen=True, eq=False)
class Task:
    """An article to be annotated."""

    id: str
    contents: bytes
    """The digest of what the build keeps of it."""
    passages: tuple[tuple[bytes, str], ...]
    """The digest and the text of each different passage, in their order."""
    sent: str
    """The text that a program is sent; empty: there is nothing to ask."""
    is_retried: bool = False
    """True if the program failed on it in an earlier run."""

    @cached_property
    def text(self) -> str:
        """All passages, a line feed between two."""
        return "\n".join(text for _, text in self.passages)

    @cached_property
    def starts(self) -> list[int]:
        """The place in the text at which each passage begins."""
        return list(accumulate((len(text) + 1 for _, text in self.passages[:-1]), initial=0))

    @cached_property
    def last_passage(self) -> int:
        """The number of the last passage that has a letter or a digit; -1: none has."""
        return max(
            (number for number, (_, text) in enumerate(self.passages) if any(map(str.isalnum, text))),
            default=-1,
        )


@dataclass(eq=False)
class Answer:
    """The annotation of an article, or why there is none."""

    task: Task
    sentences: dict[int, list[KeptSentence]] = field(default_factory=dict)
    """The sentences by the number of their passage."""
    not_aligned: int = 0
    empty_nodes: int = 0
    examples: list[str] = field(default_factory=list)
    """The first words that are not in the text."""
    failed: str | None = None


class Unfit(Exception):
    """An answer of a program that can be none; the message says why."""


class _Word(NamedTuple):
    number: int
    columns: Sequence[str]
    start: int
    end: int


class Answers:
    """The articles that a program was sent and has not answered, and the place that its answer is at."""

    def __init__(self) -> None:
        self._waiting: list[Answer] = []  # another thread adds to it
        self._answered: list[Answer] = []
        self._place = 0
        self._missed = 0
        """The length of the words since the last one that was found."""
        self._taken = 0
        """Characters of answers on the present article."""
        self._names_places = False
        """True if the program says of what article a sentence is."""
        self._words: list[_Word] = []
        """The words of the present sentence, and those of the text that are several of them."""
        self._multiword: list[tuple[int, int, str]] = []
        self._inside = (range(0), (0, 0))
        """The last one of these: the numbers of its words, and its place."""
        self._is_over = False
        """True while it tells of an article or a passage that it has answered already."""

    def expect(self, task: Task) -> None:
        """Note that a program is sent an article."""
        self._waiting.append(Answer(task))

    @property
    def left(self) -> list[Task]:
        """Return the articles without a whole answer."""
        return [answer.task for answer in self._waiting]

    def take(self, block: str) -> list[Answer]:
        """Take the lines of a sentence; gives the articles that are answered now. Raises Unfit."""
        if not self._waiting:  # it greets before it is asked
            return []
        self._taken += len(block)
        if self._taken > _SPARE + _PER_CHARACTER * len(self._waiting[0].task.text):
            raise Unfit("its answer has no end")
        lines = _UNWANTED.sub("", block).split("\n")
        comments = list(takewhile(_is_comment, lines))
        for comment in comments:
            self._follow(comment)
        words = lines[len(comments) :]
        if self._is_over or not self._keep_as_written(words):
            self._keep_word_by_word(words)
        answered, self._answered = self._answered, []
        return answered

    def end(self, *, alone: bool) -> list[Answer]:
        """Take it that the program has said all; gives the last article, where it is answered. `alone`: there
        was no other."""
        if not self._waiting:
            return []
        last = self._waiting[0]
        if max(last.sentences, default=-1) >= last.task.last_passage or (alone and last.sentences):
            self._move(1)
        answered, self._answered = self._answered, []
        return answered

    def _follow(self, comment: str) -> None:
        """Go to the article and the passage that a comment names; what is said of one that is answered
        already is passed over."""
        key, _, value = comment[1:].partition("=")
        place = _PLACE.fullmatch(value.strip()) if key.strip() in _KEYS else None
        if place is None:
            return
        named = (number for number, answer in enumerate(self._waiting) if answer.task.id == place[1])
        number = next(named, None)
        self._is_over = number is None
        if number is None:
            return
        self._names_places = True
        self._end_sentence()
        self._move(number)
        starts = self._waiting[0].task.starts
        passage = int(place[2] or 0)
        if 0 < passage <= len(starts):
            self._go_to(passage - 1, starts)

    def _go_to(self, passage: int, starts: Sequence[int]) -> None:
        """Go to a passage: one that lies ahead, or of which nothing is known yet."""
        start = starts[passage]
        if start > self._place or passage not in self._waiting[0].sentences:
            self._place = start
        self._is_over = passage < bisect_right(starts, self._place) - 1

    def _keep_as_written(self, lines: Sequence[str]) -> bool:
        """Keep a sentence whose words follow one another in the text, written as they are there; False: they
        are to be looked for one by one."""
        rows = [line.split("\t") for line in lines if line]
        is_whole = {len(row) for row in rows} == {COLUMNS} and max(map(len, lines)) <= _LONGEST_LINE
        if not is_whole or [row[0] for row in rows] != _NUMBERS[: len(rows)]:
            return False
        answer = self._waiting[0]
        places = places_as_written(answer.task.text, [row[1] for row in rows], self._place)
        if places is None:
            return False
        starts, ends = places
        passage, last = (bisect_right(answer.task.starts, place) - 1 for place in (starts[0], starts[-1]))
        if passage != last:
            return False
        sentence = _by_columns(rows, starts, ends, answer.task.starts[passage])
        answer.sentences.setdefault(passage, []).append(sentence)
        self._place, self._missed = ends[-1], 0
        return True

    def _keep_word_by_word(self, lines: Sequence[str]) -> None:
        """Look for each word of a sentence, and keep those that are in the text."""
        for line in lines:
            if _is_comment(line):
                self._follow(line)
            elif line and not self._is_over:
                self._read(line)
        self._end_sentence()

    def _read(self, line: str) -> None:
        """Take the line of a word."""
        columns = line.split("\t")
        number, _, last = columns[0].partition("-")
        if len(columns) < 2 or len(line) > _LONGEST_LINE:
            self._miss(line)
        elif _NUMBER.fullmatch(number) is None:
            self._waiting[0].empty_nodes += "." in number
        elif last:
            self._begin_multiword(int(number), last, columns[1])
        else:
            self._add(int(number), columns)

    def _add(self, number: int, columns: list[str]) -> None:
        self._end_before(number)
        numbers, inside = self._inside
        place = inside if number in numbers else self._find(columns[1])
        if place is not None:
            whole = [*columns, *["_"] * COLUMNS][:COLUMNS]
            self._words.append(_Word(number, whole, *place))

    def _begin_multiword(self, first: int, written: str, form: str) -> None:
        """Begin a word of the text that is several words; if it is not there, these are looked for."""
        self._end_before(first)
        last = int(written) if _NUMBER.fullmatch(written) is not None else 0
        is_range = self._inside[0].stop <= first <= last < first + _LONGEST_WORD
        place = self._find(form) if is_range else None
        if place is not None:
            self._inside = range(first, last + 1), place
            self._multiword.append((first, last, form))

    def _end_before(self, number: int) -> None:
        """End the sentence where the next number is of another: a program may set no empty lines."""
        if self._words and number <= self._words[-1].number:
            self._end_sentence()

    def _find(self, form: str) -> tuple[int, int] | None:
        text = self._waiting[0].task.text
        place = find(text, form, self._place, self._missed)
        if place is None and self._may_be_next(form):
            place = find(self._waiting[1].task.text, form, 0)
            if place is not None:
                self._end_sentence()
                self._move(1)
        if place is None:
            self._miss(form)
            return None
        self._place, self._missed = place[1], 0
        return place

    def _may_be_next(self, form: str) -> bool:
        """True if so little is left of the article that the next one may have begun, and nothing else will
        tell that."""
        left = len(self._waiting[0].task.text) - self._place
        return not self._names_places and len(self._waiting) > 1 and left <= look_ahead(self._missed, form)

    def _miss(self, form: str) -> None:
        answer = self._waiting[0]
        answer.not_aligned += 1
        self._missed += len(form)
        if len(answer.examples) < _EXAMPLES:
            before = answer.task.text[max(0, self._place - 30) : self._place]
            answer.examples.append(f"{form[:60]!r} after {before!r}")

    def _move(self, articles: int) -> None:
        """Go on to a later article; those before it are answered."""
        for _ in range(articles):
            answer = self._waiting.pop(0)
            if not answer.sentences and answer.task.last_passage >= 0:
                answer.failed = NOTHING_SAID
            self._answered.append(answer)
            self._place = self._missed = self._taken = 0

    def _end_sentence(self) -> None:
        """Keep the words since the last sentence: one sentence, or where they are of several passages one in
        each."""
        answer, words = self._waiting[0], self._words
        starts = answer.task.starts
        for passage, together in groupby(words, key=lambda word: bisect_right(starts, word.start) - 1):
            made = _kept(list(together), self._multiword, starts[passage])
            answer.sentences.setdefault(passage, []).append(made)
        self._words, self._multiword, self._inside = [], [], (range(0), (0, 0))


def _is_comment(line: str) -> bool:
    return line[:1] == "#"


def _kept(words: list[_Word], multiword: Sequence[tuple[int, int, str]], start: int) -> KeptSentence:
    """Return a sentence of a passage that begins at a place of the text."""
    sentence = _by_columns(
        [word.columns for word in words],
        [word.start for word in words],
        [word.end for word in words],
        start,
    )
    places = {word.number: place for place, word in enumerate(words, start=1)}
    inside = (
        ([places[number] for number in range(first, last + 1) if number in places], form)
        for first, last, form in multiword
    )
    kept = [(numbers[0], numbers[-1], form) for numbers, form in inside if numbers]
    return sentence._replace(multiword=tuple(kept))


def _by_columns(
    rows: Sequence[Sequence[str]], starts: Sequence[int], ends: Sequence[int], start: int
) -> KeptSentence:
    """Return the words of a sentence as they are kept: column by column, which is what makes it fast.

    `starts` and `ends`: their places in the text; `start`: that of the passage.
    """
    numbers, forms, *cells, miscs = zip(*rows, strict=True)
    lemmas, upos, xpos, feats, heads, deprels, deps = map(_values, cells)
    places = {number: place for place, number in enumerate(("0", *numbers))}
    is_whole = numbers[-1] == str(len(numbers))  # else a number is not what it was
    deps = ["" if "." in value else value for value in deps] if is_whole else ()  # no empty node is kept
    said = {misc: _said_in(misc) for misc in set(miscs)}
    columns = (
        [place - start for place in starts],
        [place - start for place in ends],
        forms,
        lemmas,
        upos,
        xpos,
        feats,
        _unless_nothing([places.get(head, -1) for head in heads]),
        deprels,
        deps,
        _unless_nothing([said[misc][0] for misc in miscs]),
        _unless_nothing([said[misc][1] for misc in miscs]),
    )
    return KeptSentence(starts[0] - start, ends[-1] - start, columns)


def _values(cells: Sequence[str]) -> Sequence[str]:
    """Return the values of a column; nothing where no word has one."""
    return ["" if cell == "_" else cell for cell in cells] if set(cells) != {"_"} else ()


def _unless_nothing(values: Sequence[int | str]) -> Sequence[int | str]:
    """Return a column as it is, or an empty one where it says nothing of any word."""
    return values if set(values) - {"", -1} else ()


def _said_in(misc: str) -> tuple[str, str]:
    """Return what a cell of MISC says that the text does not, and the label of a name in it."""
    said = _OF_TEXT.sub("", "" if misc == "_" else misc).removeprefix("|")
    label = _ENTITY.search(said)
    return said, f"{_SCHEME.get(label[1], label[1])}-{label[2]}" if label is not None else ""
