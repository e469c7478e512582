"""The one walk over an article's container: elements become blocks and inlines by the rules, and every character is accounted for.

Text is collected in runs of flat pieces that know which inlines are open around them. So an inline around blocks is pushed
down into each of them, and white space is settled across all elements of a line, without ever building a tree twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import Budget
from webarticlecurator.extraction.body.footnotes import WAY_BACK, Footnotes, footnotes_in
from webarticlecurator.extraction.body.open_blocks import OpenBlocks
from webarticlecurator.extraction.body.page_blocks import holds_article
from webarticlecurator.extraction.body.structure import standing
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL, MARK, RUBY, VOID_MEDIA, Decision, Lookup, is_own_link, marks_in
from webarticlecurator.extraction.body.targets import (
    LinkTarget,
    emoji_of,
    framed_pictures,
    is_decoration,
    is_tex,
    is_written,
    link_target,
    mail_address,
    media_target,
    noscript_pictures_in,
    tex_of,
)
from webarticlecurator.extraction.body.walked_text import ENTITY, Account, Gap, Mark, Marks
from webarticlecurator.model.article import HOLDS, Block, Content, Inline
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.selectors import Scope
from webarticlecurator.text import UNSEEN, element_text, squeeze, visible

_SHOWN = frozenset({"figure", "embed", "social"})
_NOTE = Decision(blocks=("note",), general=True)
_CONTROLS = frozenset({"button", "meter", "progress", "select", "textarea"})
"""Inlines that a browser shows as boxes of their own."""
STANDS_FOR = "stands for the "
"""How the rules begin by which something goes that is shown as something else."""
_BY_EDITORS = linear_at(r"(?:[A-Za-z]{1,2}\d{1,4}|(?:Spell|Gram)E|(?:Normal)?TextRun|Mso\w{0,40})(?:\s|$)")
"""Classes that word processors give to pieces of text, which may end within a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteContext:
    """What rewriting depends on beside the elements and the rules."""

    base: str
    """What links are joined with."""
    encoding: str = "utf-8"
    headline: str = ""
    """It is metadata: a block that says the same is left out."""
    apart: frozenset[Element] = frozenset()
    """Of the elements, those that a portal's rule may say something of, as it does of all that is in the others."""
    without: Mapping[Element, str] = field(default_factory=dict)
    """Elements that are left out, each with the reason."""
    furniture: Mapping[Element, str] = field(default_factory=dict)
    """Elements that are left out unless a portal's rule says what they are."""
    captions: Mapping[Element, str] = field(default_factory=dict)
    """Elements that are captions or figures, unless a portal's rule says what they are."""
    elsewhere: Mapping[Element, Account] = field(default_factory=dict)
    """Elements that were rewritten by themselves, each with its account."""
    within: frozenset[Element] | None = None
    """Only what is in these elements is wanted; None: all."""
    outside: str = ""
    """The rule that drops the rest."""
    quotation: Callable[[Element], Mapping[str, str]] | None = None
    """What a quotation, or what says whom it quotes, tells of the post that it quotes."""
    budget: Budget = field(default_factory=Budget)
    """Of the page."""


def rewrite(roots: Sequence[Element], lookup: Lookup, context: RewriteContext) -> tuple[list[Block], Account]:
    """What becomes of all that is in these elements, as if they stood behind one another. Raises PatternTimeout for a rule without end.

    Each block fits the content model; `structure.opened` makes them an article.
    """
    leads_within = any("#" in (link.get("href") or "") for root in roots for link in root.iter("a"))
    marks = [mark for root in roots for mark in marks_in(root)] if leads_within else []
    if marks:
        context = replace(context, without={**dict.fromkeys(marks, MARK), **context.without})
    footnotes = footnotes_in(roots, context.base) if leads_within else Footnotes({}, {}, [])
    if footnotes.notes:
        lists = footnotes.lists()
        furniture = {element: why for element, why in context.furniture.items() if element not in lists}
        without = {**dict.fromkeys(footnotes.back, WAY_BACK), **context.without}
        context = replace(context, furniture=furniture, without=without)
    frames = [frame for root in roots if next(root.iter("img"), None) is not None for frame in framed_pictures(root)]
    if frames:
        context = replace(context, captions={**dict.fromkeys(frames, "figure"), **context.captions})
    walk = _Walk(lookup, context, footnotes)
    for root in roots:
        walk.walk(root)
    context.budget.steps = walk.scope.left
    return standing(walk.open_blocks.blocks), walk.account


_Undo = tuple[Marks, bool, int, bool, bool]
"""What ends with an element: the marks that are open after it, whether a line ends, how many blocks, whether it was made simple,
and whether the wanted part ends. A mere tuple, since there is one for every element of a page; most need none."""
_NOTHING: _Undo = ((), False, 0, False, False)
_A_LINE: _Undo = ((), True, 0, False, False)
"""Of elements that become nothing: their marks are never looked at."""


class _Walk:
    def __init__(self, lookup: Lookup, context: RewriteContext, footnotes: Footnotes) -> None:
        self.account = Account(context.outside.partition(":")[0])
        self.open_blocks = OpenBlocks(self.account, context.headline)
        self._lookup = lookup
        self._context = context
        self.scope = Scope(None, left=context.budget.steps)
        self._furniture, self._captions = context.furniture, context.captions
        self._notes, self._references = footnotes.notes, footnotes.references
        self._around_notes = footnotes.lists() - self._notes.keys() if self._notes else frozenset()
        self._has_exceptions = bool(context.elsewhere or context.without) or context.within is not None
        self._noscript_pictures: dict[Element, Element] = {}
        self._marks: Marks = ()
        self._within = context.within is None
        self._entities_are_written_twice: bool | None = None
        """`&amp;#8217;`; None: nobody has looked."""
        self._left_out = False
        """Whether something that is shown apart was left out since."""

    def walk(self, root: Element) -> None:
        """This is the one loop that sees every element and every text: what most of them need is done here, without a call."""
        self.scope.anchor = root
        self.account.roots.append(root)
        self._noscript_pictures = noscript_pictures_in(root) if next(root.iter("noscript"), None) is not None else {}
        open_blocks, has_exceptions = self.open_blocks, self._has_exceptions
        walker = etree.iterwalk(root, events=("start", "end"))
        open_elements: list[_Undo | None] = []
        undo: _Undo | None
        for event, element in walker:
            if event == "start":
                if element.tag in UNSEEN:
                    undo = None
                    if element.tag == "script" and is_tex(element):
                        self._show_formula(element)
                    elif element in self._noscript_pictures and not self._lookup.decide(element, self.scope).drop:
                        # nothing in `noscript` is text, but a picture may be shown nowhere else
                        shown = self._decide(self._noscript_pictures[element])
                        if shown is not None and shown is not _NOTHING:
                            self._end(shown)
                elif has_exceptions or element is root:
                    undo = self._begin(element, is_root=element is root)
                else:
                    undo = self._decide(element)
                open_elements.append(undo)
                if undo is None:
                    walker.skip_subtree()
                    continue
                text = element.text
                if text and (code := element.get("data-cfemail")) is not None:
                    text = mail_address(code) or text
            else:
                undo = open_elements.pop()
                if undo is _A_LINE:
                    if open_blocks.top.run:
                        open_blocks.boundary()
                elif undo is not _NOTHING and undo is not None:
                    self._end(undo)
                if not open_elements:
                    break
                text = element.tail
            # white space before a line shows nothing, and most of it stands there
            if text and (open_blocks.top.run or not text.isspace() or open_blocks.top.exact):
                self._text(text, element, event == "end")
        open_blocks.boundary()

    def _show_formula(self, element: Element) -> bool:
        """A formula in TeX, whatever it is drawn with; False where that is not known."""
        tex = tex_of(element) if self._within and not self.open_blocks.simple else None
        if tex is not None:
            self.open_blocks.added((*self._marks, Mark("formula")), tex, "the TeX of a formula")
        return tex is not None

    def _begin(self, element: Element, *, is_root: bool) -> _Undo | None:
        """Open what the element becomes; None: it is left out with all in it."""
        around = self._context
        if around.elsewhere and element in around.elsewhere:
            self.open_blocks.boundary()
            self.account.entries.append(around.elsewhere[element])
            return None
        if around.without and element in around.without:
            self._leave_out(element, around.without[element])
            return None
        enters = not self._within and around.within is not None and element in around.within
        # a figure is one by itself, too: the picture above a text
        is_ruled = is_root and element in around.apart and not self._lookup.decide(element, self.scope).general
        if enters or (is_root and element.tag != "figure" and not is_ruled):
            self._within = self._within or enters
            self.open_blocks.boundary()
            return self._marks, True, 0, False, enters
        return self._decide(element)

    def _decide(self, element: Element) -> _Undo | None:
        decision = self._lookup.decide(element, self.scope)
        why = self._furniture.get(element) if decision.general and self._furniture else None
        if decision.drop and why is None and not (decision.general and (element in self._captions or holds_article(element))):
            why = decision.rule
        if why is not None:
            if self.open_blocks.awaiting_links:  # what is left out may still hold the address of the post it is left out of
                for link in element.iter("a"):
                    target = link_target(link.get("href"), self._context.base, self._context.encoding)
                    if target is not None:
                        self.open_blocks.linked(target)
            self._leave_out(element, why)
            return None
        open_blocks = self.open_blocks
        boundary = element.tag in BLOCK_LEVEL
        if boundary and open_blocks.top.run:
            open_blocks.boundary()
        if open_blocks.simple or not self._within:
            if element.tag == "br":
                open_blocks.gap(self._marks, Gap.BLANK)
            return _A_LINE if boundary else _NOTHING
        if self._notes and decision.general and element in self._notes:
            return self._become(element, _NOTE, boundary)
        if self._around_notes and element in self._around_notes:
            # it holds notes, and is none itself, unless a rule says more of it than that it is a note or an `aside`
            is_plain = not decision.known or decision.blocks == _NOTE.blocks or (decision.general and decision.blocks == ("box",))
            decision = replace(decision, blocks=(), known=True) if is_plain else decision
        if self._captions and decision.general and element in self._captions:
            decision = Decision(blocks=(self._captions[element],), general=True)
        if not decision.known:
            self.account.unknown[element] = None
        return self._become(element, decision, boundary)

    def _become(self, element: Element, decision: Decision, boundary: bool) -> _Undo | None:
        """An element under a rule: its blocks are opened from the outer to the inner one, then its inlines."""
        marks, open_blocks, simple = self._marks, self.open_blocks, decision.simple
        if decision.inlines == ("formula",) and self._show_formula(element):
            self.account.dropped(element, f"{STANDS_FOR}formula")
            return None
        opened = 0
        for name in decision.blocks or (("paragraph",) if simple and boundary else ()):
            target = media_target(element, decision.url, self._context.base) if name in _SHOWN else None
            if HOLDS[name] is Content.NOTHING or (name in _SHOWN and element.tag in VOID_MEDIA):
                self._stand_in(name, element, target, decision)
                for _ in range(opened):
                    open_blocks.close()
                return None
            opened += open_blocks.open(name, element, target, decision)
        if opened and decision.blocks == _NOTE.blocks and element in self._notes:
            open_blocks.top.attributes.update(self._notes[element])
        if opened and self._context.quotation is not None and decision.blocks[-1] in {"quote", "source"}:
            open_blocks.top.attributes.update(self._context.quotation(element))
        for name in decision.inlines:
            self._open_inline(name, element, decision)
        if open_blocks.figures and not opened:
            open_blocks.credit(element)
        if simple:
            open_blocks.simple = True
        elif not opened and self._marks is marks:
            return _A_LINE if boundary else _NOTHING
        return marks, boundary, opened, simple, False

    def _end(self, undo: _Undo) -> None:
        marks, boundary, blocks, simple, within = undo
        if boundary and self.open_blocks.top.run:
            self.open_blocks.boundary()
        if simple:
            self.open_blocks.simple = False
        for _ in range(blocks):
            self.open_blocks.close()
        self._marks = marks
        if within:
            self._within = False

    def _leave_out(self, element: Element, rule: str) -> None:
        run = self.open_blocks.top.run
        if element.tag == "rt" and run and (word := next((mark for mark in run[-1][0] if mark.type == RUBY), None)) is not None:
            word.reading = squeeze(f"{word.reading or ''} {element_text(element)}")
            self._marks = tuple([Mark(RUBY) if mark is word else mark for mark in self._marks])  # the next word has a reading of its own
        if element.tag in BLOCK_LEVEL:
            self.open_blocks.boundary()
        elif element.tag in _CONTROLS or element in self._context.without or element in self._furniture:
            self._left_out = True
        self.account.dropped(element, rule)

    def _stand_in(self, name: str, element: Element, target: LinkTarget | None, decision: Decision) -> None:
        """A divider, a picture, a player: a block instead of the element; text in it is for browsers that cannot show it."""
        if HOLDS[name] is Content.NOTHING:
            self.open_blocks.top.run.append((self._marks, Block(type=name)))
            self.account.dropped(element, decision.rule)
            return
        if target is None and name == "embed":  # a player that a script feeds: what is left to show is its still
            name, target = "figure", link_target(element.get("poster"), self._context.base)
        emoji = emoji_of(element) if element.tag == "img" else None
        if emoji and is_written(emoji):
            self.open_blocks.added(self._marks, emoji, "the character of a picture")
        elif emoji:
            url, original_url = target or (None, None)
            self.open_blocks.top.run.append((self._marks, Inline(type="emoji", url=url, original_url=original_url, alt=emoji)))
        elif target is not None and not (decision.general and is_decoration(element, target.url)):
            self.open_blocks.show(self._marks, name, element, target)
        self.account.dropped(element, f"{STANDS_FOR}{name}")

    def _open_inline(self, name: str, element: Element, decision: Decision) -> None:
        """One that is open already is not opened again: bold text in bold text is bold."""
        if name == "line-break":
            self.open_blocks.gap(self._marks, Gap.LINE)
            return
        if self._marks and any(mark.type == name for mark in self._marks):
            return
        target = None
        if name == "link":
            if (code := element.get("data-cfemail")) is not None and (address := mail_address(code)) is not None:
                target = link_target(f"mailto:{address}", self._context.base)
            else:
                written = element.get(decision.url.lower()) if decision.url else element.get("href")
                target = link_target(written, self._context.base, self._context.encoding)
        language = element.get("lang") if name == "language" else None
        if (name == "link" and (target is None or is_own_link(element))) or (name == "language" and not language):
            return
        if target is not None and self.open_blocks.awaiting_links:
            self.open_blocks.linked(target)
        note = self._references.get(element) if self._references else None
        self._marks = (*self._marks, Mark(name, target, language, note))

    def _text(self, text: str, element: Element, is_tail: bool) -> None:
        block = self.open_blocks.top
        if not text.isspace():
            self.account.places.append((len(self.account.entries), element, is_tail, block, self._marks))
        if not self._within:
            self.account.dropped_text(text, self._context.outside, element)
            return
        written, is_decoded, run = text, "&" in text and not block.exact and self._writes_entities_twice(text), block.run
        text = visible(ENTITY.sub(lambda entity: unescape(entity[0]), text) if is_decoded else text)
        before = run[-1][1] if run and text[:1].isalnum() else None
        if isinstance(before, str) and before[-1].isalnum() and self._are_apart(before, text, element, is_tail):
            self.open_blocks.gap(self._marks, Gap.BLANK)
        self._left_out = False
        self.open_blocks.text(self._marks, text, written, is_decoded=is_decoded)

    def _writes_entities_twice(self, text: str) -> bool:
        """Whether it holds the name of a character, and the page has no `&` in its text but in such names."""
        if ENTITY.search(text) is None or self.scope.anchor is None:
            return False
        if self._entities_are_written_twice is None:
            page = self.scope.anchor.getroottree().getroot()
            said = element_text(page, without=set(page.iter("code", "head", "pre", "textarea")))
            self._entities_are_written_twice = 1 < said.count("&") == len(ENTITY.findall(said))
        return self._entities_are_written_twice

    def _are_apart(self, left: str, right: str, element: Element, is_tail: bool) -> bool:
        """Whether two words are two, though no white space stands between them; this element begins or ends there."""
        if self.open_blocks.top.exact or any(mark.type in {"code-inline", "formula"} for mark in self._marks):
            return False
        if self._left_out or element.tag in ("button", "label"):
            return True
        if element.tag == "time":
            return not right[0].islower()  # "the 2010s"
        if max(left[-1], right[0]) >= "\u0e00":  # Thai; most scripts from there on part no words
            return False
        marks, around = self.open_blocks.top.run[-1][0], self._marks
        from_link, to_link = (next((mark for mark in some if mark.type == "link"), None) for some in (marks, around))
        if from_link is not None and to_link is not None and from_link is not to_link:
            # pieces of one link lead to one place, and the number of a note belongs to the word before it
            return from_link.target != to_link.target and (_is_raised(marks) or not _is_raised(around))
        beside = element.getprevious() if not is_tail else None
        # "by lineAnna": a designer named one of them, and a new word begins
        is_new = beside is not None and right[0].isupper() and not left[-1].isupper()
        return is_new and beside is not None and (_is_designed(beside) or _is_designed(element))


def _is_designed(element: Element) -> bool:
    names = element.get("class")
    return element.tag == "cite" or (names is not None and _BY_EDITORS.match(names) is None)


def _is_raised(marks: Marks) -> bool:
    return any(mark.type in ("superscript", "subscript") for mark in marks)
