"""The one walk over an article's container: elements become blocks and inlines by the rules, and every character is accounted for.

Text is collected in runs of flat pieces that know which inlines are open around them. So an inline around blocks is pushed
down into each of them, and white space is settled across all elements of a line, without ever building a tree twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extract.body.account import Account
from webarticlecurator.extract.body.general_table import BLOCK_LEVEL, EXACT, UNSEEN, VOID_MEDIA
from webarticlecurator.extract.body.links import Target, decoded_address, link_target
from webarticlecurator.extract.body.lookup import Decision, Lookup
from webarticlecurator.extract.body.media import embed_kind, is_decoration, media_target, network
from webarticlecurator.extract.body.runs import Gap, Mark, Marks, Piece, blocks_of
from webarticlecurator.extract.body.structure import Shell, fitted, standing
from webarticlecurator.model.article import HOLDS, Block, Content, UnknownTag
from webarticlecurator.model.article import Piece as Accounted
from webarticlecurator.selectors import Scope
from webarticlecurator.text import element_text, own_text, squeeze

MAX_DEPTH = 30
"""Blocks in one another; what lies deeper is unwrapped."""
_ONE_LINE = frozenset({"caption", "table-heading", "time", "author"})
"""Blocks in which another block is just another line."""
_SPLITTING = frozenset({"paragraph", "verse"})
"""Blocks that two line breaks divide."""
_ADDRESSED = frozenset({"figure", "embed", "social"})
_CREDITS = ("credit", "copyright", "photographer", "courtesy", "attribution", "photo-by", "photoby", "image-source", "bildquelle", "fotograf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What rewriting depends on beside the elements and the rules."""

    base: str
    """What links are joined with."""
    encoding: str = "utf-8"
    headline: str = ""
    """It is metadata; a block that says the same is left out."""
    without: Mapping[Element, str] = field(default_factory=dict)
    """Elements that are left out, each with the reason."""
    elsewhere: Mapping[Element, Sequence[Accounted]] = field(default_factory=dict)
    """Elements that were rewritten by themselves, each with its account."""
    within: frozenset[Element] | None = None
    """Only what is in these elements is wanted."""
    outside: str = ""
    """The rule that drops the rest."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What became of some elements."""

    blocks: list[Block]
    """Each fits the content model; see `structure.opened` for the whole article."""
    pieces: tuple[Accounted, ...]
    unknown_tags: tuple[UnknownTag, ...]


def rewrite(roots: Sequence[Element], lookup: Lookup, surroundings: Surroundings) -> Rewritten:
    """Rewrite everything in these elements, as if they stood behind one another. Raises PatternTimeout for a rule without end."""
    walk = _Walk(lookup, surroundings)
    for root in roots:
        walk.walk(root)
    return Rewritten(standing(walk.finish()), walk.account.pieces(), walk.account.unknown_tags())


@dataclass(slots=True, eq=False)
class _Open:
    """A block that is being filled."""

    name: str
    element: Element | None
    children: list[Block] = field(default_factory=list)
    """Of blocks that hold blocks."""
    run: list[Piece] = field(default_factory=list)
    start: int = 0
    """Where the run begins in the account."""
    exact: bool = False
    attributes: dict[str, str] = field(default_factory=dict)
    target: Target | None = None
    ruled: bool = False
    last_link: Target | None = None

    @property
    def is_leaf(self) -> bool:
        return HOLDS[self.name] is Content.INLINES


@dataclass(frozen=True, slots=True)
class _Undo:
    """What ends with an element."""

    marks: Marks
    blocks: int = 0
    boundary: bool = False
    simple: bool = False
    within: bool = False


class _Walk:
    def __init__(self, lookup: Lookup, surroundings: Surroundings) -> None:
        self.account = Account()
        self._lookup = lookup
        self._around = surroundings
        self._scope = Scope(None)
        self._open = [_Open("box", None)]
        self._marks: Marks = ()
        self._simple = False
        """Inside `unwrap-all`."""
        self._within = surroundings.within is None
        self._headline = _letters(surroundings.headline)
        self._undo: list[_Undo | None] = []
        self._walker: etree.iterwalk = etree.iterwalk(etree.Element("p"))

    def walk(self, root: Element) -> None:
        self._walker = etree.iterwalk(root, events=("start", "end"))
        undo = self._undo
        for event, element in self._walker:
            if event == "start":
                begun = self._begin(element, element is root)
                undo.append(begun)
                if begun is None:
                    self._walker.skip_subtree()
                elif element.text:
                    self._text(element.text, element)
            else:
                ended = undo.pop()
                if ended is not None:
                    self._end(ended)
                if element.tail and element is not root:
                    self._text(element.tail, element.getparent())
        self._boundary()

    def finish(self) -> list[Block]:
        return self._open[0].children

    # --- elements ---

    def _begin(self, element: Element, is_root: bool) -> _Undo | None:
        """Open what the element becomes; None: leave it out with all in it."""
        if element.tag in UNSEEN or not isinstance(element.tag, str):
            return None
        undo_within = not self._within and self._around.within is not None and element in self._around.within
        if undo_within:
            self._within = True
            is_root = True
        if self._is_left_out(element):
            return None
        if is_root:
            self._boundary()
            return _Undo(self._marks, boundary=True, within=undo_within)
        decision = self._lookup.decide(element, self._scope)
        if not decision.known:
            self.account.unknown(element)
        boundary = element.tag in BLOCK_LEVEL
        if decision.drop:
            self._leave_out(element, decision.rule)
            return None
        if boundary:
            self._boundary()
        if self._simple or not self._within:
            if element.tag == "br":
                self._gap(Gap.BLANK)
            return _Undo(self._marks, boundary=boundary)
        return self._become(element, decision, boundary)

    def _become(self, element: Element, decision: Decision, boundary: bool) -> _Undo | None:
        marks = self._marks
        if decision.inlines:
            if decision.inlines == ("line-break",):
                self._gap(Gap.LINE)
            else:
                self._mark(element, decision)
        opened = 0
        for name in _names(decision, boundary):
            if HOLDS[name] is Content.NOTHING:
                self._put(fitted(Shell(type=name, children=()))[0])
                self._leave_out(element, decision.rule)
                return None
            if name in _ADDRESSED and element.tag in VOID_MEDIA:
                self._show(name, element, decision)
                return None
            opened += self._open_block(name, element, decision)
        simple = decision.simple and not self._simple
        self._simple = self._simple or simple
        if self._open[-1].name == "figure":
            self._note_credit(element)
        return _Undo(marks, opened, boundary, simple)

    def _end(self, undo: _Undo) -> None:
        if undo.simple:
            self._simple = False
        if undo.boundary:
            self._boundary()
        for _ in range(undo.blocks):
            self._close_block()
        self._marks = undo.marks
        if undo.within:
            self._within = False

    def _is_left_out(self, element: Element) -> bool:
        around = self._around
        if element in around.elsewhere:
            self._boundary()
            self.account.insert(around.elsewhere[element])
            return True
        if element in around.without:
            self._leave_out(element, around.without[element])
            return True
        return False

    def _leave_out(self, element: Element, rule: str) -> None:
        if element.tag in BLOCK_LEVEL:
            self._boundary()
        self.account.dropped(element, rule)

    # --- text ---

    def _text(self, text: str, element: Element) -> None:
        if not self._within:
            self.account.dropped_text(text, self._around.outside, element)
            return
        top = self._open[-1]
        if HOLDS[top.name] is Content.NOTHING:
            return
        if not top.run:
            if text.isspace() and not top.exact:
                return
            top.start = len(self.account)
        code = element.get("data-cfemail")
        if code is not None and (address := decoded_address(code)):
            text = address
        top.run.append((self._marks, text))
        self.account.kept(text)

    def _gap(self, gap: Gap) -> None:
        top = self._open[-1]
        top.run.append((self._marks, gap))
        self.account.blank()

    def _mark(self, element: Element, decision: Decision) -> None:
        """Open inlines; one that is open already is not opened again."""
        for name in decision.inlines:
            if any(mark.type == name for mark in self._marks):
                continue
            if name == "link":
                target = self._link_target(element, decision)
                if target is None:
                    continue
                for block in self._open:
                    if block.name in _ADDRESSED:
                        block.last_link = target
                mark = Mark(name, target.url, target.original)
            else:
                language = element.get("lang") if name == "language" else None
                if name == "language" and not language:
                    continue
                mark = Mark(name, language=language)
            self._marks = (*self._marks, mark)

    def _link_target(self, element: Element, decision: Decision) -> Target | None:
        code = element.get("data-cfemail")
        if code is not None and (address := decoded_address(code)):
            return link_target("mailto:" + address, self._around.base)
        written = element.get(decision.url.lower()) if decision.url else element.get("href")
        return link_target(written, self._around.base, self._around.encoding)

    # --- blocks ---

    def _boundary(self) -> None:
        """The edge of an element that begins a new line."""
        top = self._open[-1]
        if not top.run:
            return
        if self._simple:
            self._gap(Gap.BLANK)
        elif top.is_leaf and top.name not in _SPLITTING:
            if top.run[-1][1] is not Gap.LINE:
                self._gap(Gap.LINE)
        else:
            self._flush(top)
        self.account.blank()

    def _open_block(self, name: str, element: Element, decision: Decision) -> bool:
        """Begin a block; inside one that holds a line of text it may be no more than another line of it."""
        top = self._open[-1]
        if top.is_leaf and (top.name in _ONE_LINE or (name == "paragraph" and top.name not in _SPLITTING)):
            self._boundary()
            return False
        self._flush(top)
        if len(self._open) > MAX_DEPTH:
            return False
        block = _Open(name, element, exact=name == "code" and element.tag in EXACT, attributes=_attributes(name, element))
        if name in _ADDRESSED:
            block.target = media_target(element, decision.url, self._around.base)
            block.ruled = decision.url is not None and block.target is not None
        self._open.append(block)
        return True

    def _close_block(self) -> None:
        block = self._open[-1]
        self._flush(block)
        self._open.pop()
        if not block.is_leaf:
            self._container().children.extend(fitted(_shell(block)))
        self.account.blank()

    def _container(self) -> _Open:
        return next(block for block in reversed(self._open) if not block.is_leaf)

    def _flush(self, block: _Open) -> None:
        """The text collected so far becomes blocks: of the open one's name, or paragraphs."""
        if not block.run:
            return
        name = block.name if block.is_leaf else "paragraph"
        found = blocks_of(block.run, splits=name in _SPLITTING, exact=block.exact)
        block.run = []
        container = self._container()
        for content in found:
            if isinstance(content, Block):
                container.children.append(content)
            elif not self._is_headline(content, block):
                attributes = block.attributes if block.is_leaf else {}
                container.children.append(Block(type=name, children=tuple(content), attributes=attributes))

    def _is_headline(self, content: list[object], block: _Open) -> bool:
        return False

    def _put(self, block: Block) -> None:
        """A block without text: in the middle of a line it waits for the end of that line."""
        self._open[-1].run.append((self._marks, block))

    def _show(self, name: str, element: Element, decision: Decision) -> None:
        """A picture or player, with the text in it that only stands for it."""
        if not is_decoration(element):
            target = media_target(element, decision.url, self._around.base)
            if target is not None or name != "figure":
                shell = Shell(type=name, children=(), target=target, ruled=True, attributes=_attributes(name, element))
                for block in fitted(shell):
                    self._put(block)
        self.account.dropped(element, f"text in place of <{element.tag}>")

    def _note_credit(self, element: Element) -> None:
        """Who made a picture stands in its caption, marked by a class."""
        names = (element.get("class") or "").lower()
        figure = self._open[-1]
        if names and any(word in names for word in _CREDITS) and (credit := squeeze(element_text(element))):
            figure.attributes.setdefault("credit", credit)
