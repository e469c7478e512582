"""The blocks that are open during the walk: what they keep of their elements, and how text and further blocks
fill them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from lxml.etree import _Element as Element
from msgspec import field

from webarticlecurator.extraction.body.footnotes import WAY_BACK
from webarticlecurator.extraction.body.signs import Sign, constantly, reason_by
from webarticlecurator.extraction.body.structure import BlockDraft, fitted
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL, EXACT, Decision
from webarticlecurator.extraction.body.targets import KIND_OF_TAG, LinkTarget, best_of, network, signature
from webarticlecurator.extraction.body.walked_text import Account, Gap, Marks, Run, contents_of
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.model.article import HOLDS, Block, Content, Inline, plain_text
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.resources import read_word_lists
from webarticlecurator.text import HEADINGS, element_text, letters_of, squeeze, visible

_LONGEST = 2_000
"""Characters of an attribute."""
_LEVELS = frozenset("123456")
_MOMENT = linear_at(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")
_SEVERAL = linear_at(r"\s*0{0,3}([2-9]|[1-9]\d{1,2}|1000)(?!\d)", re.ASCII)
"""A number of rows or columns that a cell may span."""
_LANGUAGE_OF_CODE = linear(
    r"(?<![^\s_-])(?:lang(?:uage)?-|highlight-(?:source-|text-)?|brush:\s*)(?!default|none|plain|text)([a-z][\w+#.]{0,19})",
    re.IGNORECASE,
)
_CREDITS = linear(
    r"credit|copyright|photographer|courtesy|attribution|photo-?by|image-source|bildquelle|fotogra[fp]",
    re.IGNORECASE,
)


def attributes_of(name: str, element: Element) -> dict[str, str]:
    """Return those of `model.article.ATTRIBUTES` that the element itself tells; empty ones are left out."""
    return {key: value[:_LONGEST] for key, read in _READERS[name].items() if (value := read(element))}


def words_of(element: Element) -> str:
    """Return what is seen of an element, up to a bound."""
    return visible(squeeze(element_text(element)))[:_LONGEST]


def moment_of(element: Element) -> str | None:
    """Return the machine-readable time of an element, or of the first `time` in it."""
    for holder in (element, *element.iter("time")):
        moment = _MOMENT.fullmatch(holder.get("datetime", "").strip())
        if moment is not None:
            return moment[0].replace(" ", "T")
    return None


RIGHT_TO_LEFT = "rtl"
_LEFT_TO_RIGHT = "ltr"
_DIRECTIONS = frozenset({RIGHT_TO_LEFT, _LEFT_TO_RIGHT})


def direction_of(element: Element) -> str:
    """Return in which direction the text of an element runs, as the page says it there or around it."""
    said = (around.get("dir", "").lower() for around in chain((element,), element.iterancestors()))
    return next(filter(_DIRECTIONS.__contains__, said), _LEFT_TO_RIGHT)


def _own_direction(element: Element) -> str | None:
    """Return the direction that an element itself says, if it is another one than that around it."""
    if element.get("dir") is None:  # nearly all
        return None
    own, around = direction_of(element), direction_of(next(element.iterancestors(), element))
    return own if own != around else None


def _level(element: Element) -> str | None:
    level = element.tag[1:] if element.tag in HEADINGS else element.get("aria-level", "").strip()
    return level if level in _LEVELS else None


def _span(attribute: str) -> Callable[[Element], str | None]:
    def read(element: Element) -> str | None:
        number = _SEVERAL.match(element.get(attribute, ""))
        return number[1] if number is not None else None

    return read


def _text(attribute: str) -> Callable[[Element], str | None]:
    return lambda element: visible(squeeze(element.get(attribute, "")))


def _is(tag: str) -> Callable[[Element], str | None]:
    return lambda element: "yes" if element.tag == tag else None


def _programming_language(code: Element) -> str | None:
    """Return the language of a listing that its classes name, or those of the elements right in and around
    it."""
    near = (*islice(code.iter("pre", "code"), 2), *islice(code.iterancestors(), 2))
    named = _LANGUAGE_OF_CODE.search(" ".join(element.get("class", "") for element in near)[:_LONGEST])
    return named[1].lower() if named is not None else None


_OF_KINDS: Mapping[str, Mapping[str, Callable[[Element], str | None]]] = {
    "heading": {"level": _level},
    "list": {"ordered": _is("ol")},
    "item": {"term": _is("dt")},
    "cell": {"rows": _span("rowspan"), "columns": _span("colspan"), "header": _is("th")},
    "figure": {"alt": _text("alt")},
    "embed": {"kind": lambda element: KIND_OF_TAG.get(element.tag), "title": _text("title")},
    "social": {
        "kind": lambda element: network(f"{element.get('class')} {element.tag}"),
        "title": _text("title"),
    },
    "post": {"id": _text("id")},
    "code": {"kind": _programming_language},
}
"""Attributes that blocks of one kind may have, and how an element tells them."""
_OF_ALL: Mapping[str, Callable[[Element], str | None]] = {
    "language": lambda element: squeeze(element.get("lang", "")),
    "direction": _own_direction,
}
"""Attributes that any block may have."""
_READERS = {kind: {**_OF_KINDS.get(kind, {}), **_OF_ALL} for kind in HOLDS}


MAX_DEPTH = 30
"""Blocks in one another; what lies deeper is unwrapped."""
_ONE_LINE = frozenset({"caption", "table-heading", "time", "author"})
"""Blocks in which another block is just another line."""
_SPLITTING = frozenset({"paragraph", "verse"})
"""Blocks that two line breaks divide."""
_SENTENCES = 80
"""Characters of a paragraph with which an article begins."""
_HEADINGS = frozenset({"heading", "subheading"})
_OF_PICTURES = frozenset({"figure", "gallery", "embed"})
_ENDS_WITH_ITS_LINK = frozenset({"embed", "social"})
_TOLD = {"author": ("who", words_of), "time": ("when", moment_of)}


_PHRASES = read_word_lists(__file__, "embed_placeholders.txt", r"\n+")
_BEGINNINGS = tuple(map(letters_of, _PHRASES["beginnings"]))
_LONGEST_PLACEHOLDER = 400
_PLACEHOLDERS = frozenset(map(letters_of, _PHRASES["whole"]))
_FIRST_CHARACTERS = frozenset(phrase[:3].lower() for phrase in chain.from_iterable(_PHRASES.values()))


class _FinishedText(NamedTuple):
    """A text that is about to become a block, with what is asked of it before."""

    run: Run
    texts: Sequence[str]
    """The texts in it."""
    name: str
    """The name of the block."""
    before: Sequence[Block]
    """The blocks before it."""
    headline: str
    """The letters of the article's headline."""
    has_begun: bool
    """The first sentences of the article stand before it."""
    is_of_note: bool
    """It is a paragraph of a note."""

    def has_sentences(self) -> bool:
        return self.is_paragraph() and sum(map(len, self.texts)) >= _SENTENCES

    def may_be_headline(self) -> bool:
        """Return True for what stands before the text begins, and for headings."""
        return not self.has_begun or self.name in _HEADINGS

    def begins_headline(self) -> bool:
        """Return False for most texts, by their first characters."""
        return self.headline.startswith(letters_of(self.texts[0][:10]))

    def is_headline(self) -> bool:
        """Return True if it says no more and no less than the headline, which is metadata."""
        return letters_of("".join(self.texts)) == self.headline != ""

    def is_no_code(self) -> bool:
        return self.name != "code"

    def begins_as_placeholder(self) -> bool:
        """Return False for nearly all texts, by their first characters."""
        first = self.run[0][1]
        return not isinstance(first, str) or first[:3].lower() in _FIRST_CHARACTERS

    def is_as_long_as_placeholder(self) -> bool:
        return sum(map(len, self.texts)) <= _LONGEST_PLACEHOLDER

    def is_placeholder(self) -> bool:
        letters = letters_of("".join(self.texts))
        return letters in _PLACEHOLDERS or letters.startswith(_BEGINNINGS)

    def is_in_note(self) -> bool:
        return self.is_of_note

    def says_nothing(self) -> bool:
        """Return True if it has neither letters nor digits."""
        return letters_of("".join(self.texts)) == ""

    def is_paragraph(self) -> bool:
        return self.name == "paragraph"

    def is_below_figure(self) -> bool:
        return bool(self.before) and self.before[-1].type == "figure"

    def begins_caption(self) -> bool:
        """Return True if it says the caption of the picture before it again, perhaps without its credit."""
        return letters_of(plain_text(self.before[-1])).startswith(letters_of("".join(self.texts)))

    def is_half_of_caption(self) -> bool:
        return 2 * len(letters_of("".join(self.texts))) > len(letters_of(plain_text(self.before[-1])))


SIGNS_OF_REPETITION: dict[str, Sign[_FinishedText]] = {
    "headline": Sign(
        constantly("headline: it is metadata"),
        (_FinishedText.may_be_headline, _FinishedText.begins_headline, _FinishedText.is_headline),
    ),
    "placeholder": Sign(
        constantly("placeholder: of a player or an embed that is not shown"),
        (
            _FinishedText.begins_as_placeholder,
            _FinishedText.is_no_code,
            _FinishedText.is_as_long_as_placeholder,
            _FinishedText.is_placeholder,
        ),
    ),
    "way back": Sign(constantly(WAY_BACK), (_FinishedText.is_in_note, _FinishedText.says_nothing)),
    "caption": Sign(
        constantly("caption: said before"),
        (
            _FinishedText.is_paragraph,
            _FinishedText.is_below_figure,
            _FinishedText.begins_caption,
            _FinishedText.is_half_of_caption,
        ),
    ),
}
"""Signs of texts that stand elsewhere, too, or show nothing; the reason is the rule that drops them. Posts
and the like have no headline."""


def _has_line(run: Run) -> bool:
    """Return True if anything stands behind the last line break."""
    said = (piece for _, piece in reversed(run) if not _is_blank(piece))
    return next(said, Gap.LINE) is not Gap.LINE


def _is_blank(piece: str | Gap | Inline | Block) -> bool:
    return piece is Gap.BLANK or (isinstance(piece, str) and piece.isspace())


class OpenBlock(BlockDraft, eq=False):
    """A block that is being filled."""

    element: Element | None = None
    names: tuple[str, ...] = ()
    """The names of the blocks around it and its own, the outermost first; the article has none."""
    rule: str = ""
    """The portal's rule that makes its element this block; empty: the general table."""
    container: OpenBlock | None = None
    """The block that its text goes into: the innermost that holds blocks; None: itself."""
    run: Run = field(default_factory=list)
    start: int | None = None
    """The place in the account at which the run's text begins."""
    exact: bool = False
    """White space counts as written."""
    in_line: bool = False
    """It stands in the middle of a line, and waits for the end of that."""

    @property
    def holder(self) -> OpenBlock:
        """The block that takes in what stands in this one."""
        return self.container or self

    @property
    def path(self) -> tuple[str, ...]:
        """Return what text in it becomes: the names of the blocks around the text, the outermost first."""
        return self.names if self.container is not None else (*self.names, "paragraph")


def _signature_of(blocks: Iterable[Block], element: Element) -> Mapping[str, str]:
    """Return who signed a post of a network, and when: in the language of its button, or of the page."""
    language_of_page = element.getroottree().getroot().get("lang")
    return signature(plain_text(tuple(blocks)).split("\n"), element.get("data-lang", language_of_page))


class OpenBlocks:
    """A stack of open blocks; the lowest is the article itself."""

    def __init__(self, account: Account, headline: str) -> None:
        self.simple = False
        """Inside `unwrap-all`: all blocks are only gaps between words."""
        self.figures = 0
        """Number of figures that are open."""
        self.top = OpenBlock("box")
        """The innermost open block."""
        self.blocks = self.top.children
        """The blocks of the article itself, all of them when all is closed again."""
        self._account = account
        self._open = [self.top]
        self._headline = letters_of(headline)
        self._has_begun = False

    def text(self, marks: Marks, text: str, written: str) -> None:
        """Add text; white space before a line would be text too, but shows nothing.

        `written`: as the page has it, with what has no width.
        """
        top = self.top
        if text:
            if top.start is None:
                top.start = len(self._account.entries)
            top.run.append((marks, text))
        if text is written:
            self._account.kept(text)
        else:
            self._account.partly_kept(written)

    def added(self, marks: Marks, text: str, rule: str) -> None:
        """Add text that is none in the page."""
        if self.top.start is None:
            self.top.start = len(self._account.entries)
        self.top.run.append((marks, text))
        self._account.added(text, rule)

    def gap(self, marks: Marks, gap: Gap) -> None:
        self.top.run.append((marks, gap))
        self._account.blank()

    def boundary(self) -> None:
        """Note the edge of an element that begins a new line."""
        top = self.top
        if not top.run:
            return
        if self.simple:
            self.gap((), Gap.BLANK)
        elif top.container is not None and top.type != "paragraph":
            if _has_line(top.run):
                self.gap((), Gap.LINE)
        else:
            self._flush(top)
        self._account.blank()

    def show(self, marks: Marks, name: str, element: Element, target: LinkTarget) -> None:
        draft = BlockDraft(name, target=target, ruled=True, attributes=attributes_of(name, element))
        # in the middle of a line they wait for the end of that line
        self.top.run += [(marks, block) for block in fitted(draft)]

    def linked(self, target: LinkTarget | None) -> None:
        """Note that a link begins: embedded posts end with the link to themselves."""
        for block in self._open:
            if block.type in _ENDS_WITH_ITS_LINK:
                block.last_link = best_of((target, block.last_link))

    def credit(self, element: Element) -> None:
        """Note who made a picture, if an element in its figure is the one that says who made the picture."""
        is_credit = _CREDITS.search(element.get("class", "")) is not None
        if is_credit and self._tell("figure", "credit", words_of, element) and self.top.run:
            self.gap((), Gap.BLANK)  # a style sheet parts it from the words before it

    def _tell(self, kind: str, key: str, read: Callable[[Element], str | None], element: Element) -> bool:
        """Give the innermost open block of a kind an attribute that an element in it tells; False if there is
        none to tell, or it was told before."""
        block = next((block for block in reversed(self._open) if block.type == kind), None)
        if block is None or key in block.attributes:
            return False
        value = read(element)
        if value:
            block.attributes[key] = value
        return bool(value)

    def open(self, name: str, element: Element, target: LinkTarget | None, decision: Decision) -> bool:
        """Begin a block; inside one that holds a line of text it may be no more than another line of it: then
        False."""
        top = self.top
        if self._is_another_line(name):
            self.boundary()
            return False
        in_line = name == "note" and element.tag not in BLOCK_LEVEL
        if top.run and not in_line:
            self._flush(top)
        is_next_stanza = (top.type, name) == ("verse", "paragraph")
        if is_next_stanza or len(self._open) > MAX_DEPTH:
            return False
        if name in _TOLD:
            self._tell("post", *_TOLD[name], element)
        self.figures += name == "figure"
        self.top = OpenBlock(
            name,
            target=target,
            ruled=decision.url is not None,
            attributes=attributes_of(name, element),
            element=element,
            names=(*top.names, name),
            rule="" if decision.general else decision.rule,
            container=top.holder if HOLDS[name] is Content.INLINES else None,
            exact=name == "code" and element.tag in EXACT,
            in_line=in_line,
        )
        self._open.append(self.top)
        return True

    def _is_another_line(self, name: str) -> bool:
        top = self.top
        takes_lines = top.type in _ONE_LINE or (name == "paragraph" and top.type not in _SPLITTING)
        return top.container is not None and takes_lines

    def close(self, count: int) -> None:
        """End so many of the innermost blocks."""
        for _ in range(count):
            self._close()

    def _close(self) -> None:
        """End the innermost block: what it holds is made to fit, and goes into the one around it."""
        block = self._open.pop()
        if block.run:
            self._flush(block)
        self.top = top = self._open[-1]
        self.figures -= block.type == "figure"
        if block.type == "social" and block.element is not None:
            block.attributes |= _signature_of(block.children, block.element)
        if block.in_line:
            top.run += [((), inside) for inside in fitted(block)]
        elif block.container is None:
            top.holder.children.extend(fitted(block))
        self._account.blank()

    def _flush(self, block: OpenBlock) -> None:
        """Make blocks of the text so far: of the open one's name, or paragraphs."""
        run, start = block.run, block.start
        block.run, block.start = [], None
        container, name, attributes = block.holder, block.type, block.attributes
        if container is block:
            name, attributes = "paragraph", {}
        children = container.children
        if start is not None:
            texts = [piece for _, piece in run if isinstance(piece, str)]
            is_of_note = container.type == "note"
            text = _FinishedText(run, texts, name, children, self._headline, self._has_begun, is_of_note)
            run = self._unrepeated(run, start, text, block)
        splits, is_picture = name in _SPLITTING, container.type in _OF_PICTURES
        for content in contents_of(run, splits=splits, exact=block.exact, apart=is_picture):
            if isinstance(content, list):
                content = Block(type=name, children=tuple(content), attributes=attributes)
            children.append(content)

    def _unrepeated(self, run: Run, start: int, text: _FinishedText, block: OpenBlock) -> Run:
        """Return a run without its text where that stands elsewhere, too, or shows nothing; it begins at
        `start` in the account."""
        rule = reason_by(SIGNS_OF_REPETITION.values(), text)
        # a note that stands in the line is text, whatever the line is
        if rule is None or "note" in [getattr(content, "type", "") for _, content in run]:
            self._has_begun = self._has_begun or text.has_sentences()
            return run
        tag = tag_of(block.element).text if block.element is not None else text.name
        self._account.drop_again(start, rule, tag)
        return [piece for piece in run if isinstance(piece[1], Block)]
