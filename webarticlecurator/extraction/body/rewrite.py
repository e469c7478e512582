"""The one walk over an article's container: elements become blocks and inlines by the rules, and every
character is accounted for.

Text is collected in runs of flat pieces that know which inlines are open around them. So an inline around
blocks is pushed down into each of them, and white space is settled across all elements of a line, without
ever building a tree twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import ClassVar, NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import Budget
from webarticlecurator.extraction.body import field_labels, line_numbers
from webarticlecurator.extraction.body.callouts import callouts_in
from webarticlecurator.extraction.body.field_labels import labels_of_fields
from webarticlecurator.extraction.body.footnotes import WAY_BACK, Footnotes, footnotes_in
from webarticlecurator.extraction.body.formulas import (
    draws_formulas,
    formulas_in,
    is_tex,
    may_hold_formula,
    tex_of,
)
from webarticlecurator.extraction.body.line_numbers import line_numbers_in
from webarticlecurator.extraction.body.open_blocks import OpenBlocks
from webarticlecurator.extraction.body.page_blocks import holds_article
from webarticlecurator.extraction.body.structure import standing
from webarticlecurator.extraction.body.tag_rules import (
    BLOCK_LEVEL,
    MARK,
    RUBY,
    VOID_MEDIA,
    Decision,
    Lookup,
    is_own_link,
    marks_in,
)
from webarticlecurator.extraction.body.targets import (
    LinkTarget,
    emoji_of,
    framed_pictures,
    is_decoration,
    is_written,
    link_target,
    mail_address,
    media_target,
    noscript_pictures_in,
)
from webarticlecurator.extraction.body.walked_text import Account, Gap, Mark, Marks
from webarticlecurator.model.article import HOLDS, Block, Content, Inline
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.selectors import Scope
from webarticlecurator.text import UNSEEN, element_text, squeeze, visible

_SHOWN = frozenset({"figure", "embed", "social"})
_NOTE = Decision(blocks=("note",), general=True)
_MARK_OF_NOTE = Decision(inlines=("superscript", "link"), general=True)
"""The fate of a mark that is no link in the page."""
_QUOTING = frozenset({"quote", "source"})
_CONTROLS = frozenset({"button", "meter", "progress", "select", "textarea"})
"""Inlines that a browser shows as boxes of their own."""
STANDS_FOR = "stands for the "
"""Beginning of the rules by which something goes that is shown as something else."""
_BY_EDITORS = linear_at(r"(?:[A-Za-z]{1,2}\d{1,4}|(?:Spell|Gram)E|(?:Normal)?TextRun|Mso\w{0,40})(?:\s|$)")
"""Classes that word processors give to pieces of text, which may end within a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteContext:
    """The facts that rewriting depends on, beside the elements and the rules."""

    base: str
    """The address that links are joined with."""
    encoding: str = "utf-8"
    headline: str = ""
    """The headline is metadata: a block that says the same is left out."""
    apart: frozenset[Element] = frozenset()
    """The elements that a portal's rule may say something of, as it does of all that is in the others."""
    without: Mapping[Element, str] = field(default_factory=dict)
    """Elements that are left out, each with the reason."""
    furniture: Mapping[Element, str] = field(default_factory=dict)
    """Elements that are left out unless a portal's rule says what they are."""
    captions: Mapping[Element, str] = field(default_factory=dict)
    """Elements whose kind of block is known, captions, figures or the subtitle, unless a portal's rule says
    what they are."""
    elsewhere: Mapping[Element, Account] = field(default_factory=dict)
    """Elements that were rewritten by themselves, each with its account."""
    within: frozenset[Element] | None = None
    """The elements whose content is wanted alone; None: all is."""
    outside: str = ""
    """The rule that drops the rest."""
    quotation: Callable[[Element], Mapping[str, str]] | None = None
    """Reads whom a quotation, or the line beside it, says that it quotes."""
    budget: Budget = field(default_factory=Budget)
    """The time and work that the page may still cost."""


def rewrite(roots: Sequence[Element], lookup: Lookup, context: RewriteContext) -> tuple[list[Block], Account]:
    """Return what becomes of all that is in these elements, as if they stood behind one another. Raises
    PatternTimeout for a rule without end.

    Each block fits the content model; `structure.opened` makes them an article.
    """
    walk = _Walk(lookup, context, SpecialElements.of(roots, context))
    for root in roots:
        walk.walk(root)
    context.budget.steps = walk.scope.left
    return standing(walk.open_blocks.blocks), walk.account


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialElements:
    """The elements of which more is known than the rules say."""

    left_out: Mapping[Element, str]
    """The elements that are left out, each with the reason."""
    gaps: frozenset[Element]
    """The elements that are left out though they are parts of lines: words before and behind them are two."""
    unless_ruled: Mapping[Element, Decision]
    """Decisions on furniture, notes, captions and figures, unless a portal's rule says more of them."""
    footnotes: Footnotes

    @classmethod
    def of(cls, roots: Sequence[Element], context: RewriteContext) -> SpecialElements:
        """Return those below the roots."""
        footnotes = footnotes_in(roots, context.base)
        marks = chain.from_iterable(map(marks_in, roots))
        frames = chain.from_iterable(map(framed_pictures, roots))
        left_out = {
            **dict.fromkeys(footnotes.back, WAY_BACK),
            **dict.fromkeys(marks, MARK),
            **context.without,
        }
        boxes = dict(chain.from_iterable(map(callouts_in, roots)))
        captions = {**boxes, **dict.fromkeys(frames, "figure"), **context.captions}
        no_notes = context.furniture.keys() - footnotes.lists()
        no_text = {
            **dict.fromkeys(line_numbers_in(roots), line_numbers.RULE),
            **dict.fromkeys(labels_of_fields(roots), field_labels.RULE),
            **{element: context.furniture[element] for element in no_notes},
        }
        furniture = {element: Decision(drop=True, rule=rule) for element, rule in no_text.items()}
        return cls(
            left_out=left_out,
            gaps=frozenset((*left_out, *furniture)),
            unless_ruled={
                **{element: Decision(blocks=(name,), general=True) for element, name in captions.items()},
                **{mark: _MARK_OF_NOTE for mark in footnotes.references if mark.tag != "a"},
                **dict.fromkeys(footnotes.notes, _NOTE),
                **furniture,
            },
            footnotes=footnotes,
        )


class _Opened(NamedTuple):
    """The blocks that an element has opened, which end with it."""

    marks_before: Marks = ()
    """The inlines that were open before it."""
    is_line: bool = False
    """True if no line of text goes on behind it."""
    blocks: int = 0
    """The number of its blocks."""
    is_simple: bool = False
    """True if all in it is read as plain text."""
    is_wanted_part: bool = False
    """True if the wanted part of the page ends with it."""


_NOTHING = _Opened()
"""Most elements open nothing, and they are told by this object without a look into it."""
_A_LINE = _Opened(is_line=True)
"""Most other elements are nothing but a line."""


class _Walk:
    def __init__(self, lookup: Lookup, context: RewriteContext, special: SpecialElements) -> None:
        self.account = Account(context.outside.partition(":")[0])
        self.open_blocks = OpenBlocks(self.account, context.headline)
        self._lookup = lookup
        self._context = context
        self.scope = Scope(None, left=context.budget.steps)
        self._special = special
        self._unless_ruled = special.unless_ruled
        self._has_exceptions = bool(context.elsewhere or special.left_out) or context.within is not None
        self._noscript_pictures: dict[Element, Element] = {}
        self._marks: Marks = ()
        self._within = context.within is None
        self._wanted = context.within or frozenset()
        self._left_out = False
        """True if something that is shown apart was left out since."""

    def walk(self, root: Element) -> None:
        """This is the one loop that sees every element and every text: what most of them need is done here,
        without a call."""
        self.scope.anchor = root
        self.account.roots.append(root)
        self._noscript_pictures = noscript_pictures_in(root)
        open_blocks = self.open_blocks
        begin, begin_inner = self._begin_root, self._begin if self._has_exceptions else self._decide
        walker = etree.iterwalk(root, events=("start", "end"))
        open_elements: list[_Opened] = []
        opened: _Opened | None
        for event, element in walker:
            if event == "start":
                opened = None
                if element.tag in UNSEEN:
                    self._show_unseen(element)
                else:
                    opened = begin(element)
                begin = begin_inner
                if opened is None:
                    open_elements.append(_NOTHING)
                    walker.skip_subtree()
                    continue
                open_elements.append(opened)
                text = element.text
            else:
                opened = open_elements.pop()
                if opened is _A_LINE:
                    if open_blocks.top.run:
                        open_blocks.boundary()
                elif opened is not _NOTHING:
                    self._close(opened)
                if not open_elements:
                    break
                text = element.tail
            # white space before a line shows nothing, and most of it stands there
            if text and (open_blocks.top.run or not text.isspace() or open_blocks.top.exact):
                self._text(text, element, event == "end")
        open_blocks.boundary()

    def _show_unseen(self, element: Element) -> None:
        """Show what a script and the like stand for: a formula, or a picture in `noscript` that may be
        shown nowhere else."""
        if is_tex(element):
            self._show_formula(element)
        elif element in self._noscript_pictures and not self._lookup.decide(element, self.scope).drop:
            opened = self._decide(self._noscript_pictures[element])
            if opened not in (None, _NOTHING):
                self._close(opened)

    def _show_formula(self, element: Element) -> bool:
        """Show a formula in TeX, whatever it is drawn with; False where that is not known."""
        tex = tex_of(element) if self._within else None
        if tex is not None:
            self.open_blocks.added((*self._marks, Mark("formula")), tex, "the TeX of a formula")
        return tex is not None

    def _begin_root(self, element: Element) -> _Opened | None:
        return self._begin(element, is_root=True)

    def _begin(self, element: Element, *, is_root: bool = False) -> _Opened | None:
        """Open what the element becomes; None: it is left out with all in it."""
        around = self._context
        if element in around.elsewhere:
            self.open_blocks.boundary()
            self.account.entries.append(around.elsewhere[element])
            return None
        if element in self._special.left_out:
            self._leave_out(element, self._special.left_out[element])
            return None
        enters = not self._within and element in self._wanted
        if enters or (is_root and self._only_holds(element)):
            self._within |= enters
            self.open_blocks.boundary()
            return _Opened(self._marks, is_line=True, is_wanted_part=enters)
        return self._decide(element)

    def _only_holds(self, root: Element) -> bool:
        """Return True if a root is no more than the place where the text stands: a figure is one by itself,
        too, as the picture above a text."""
        is_figure = root.tag == "figure" or self._context.captions.get(root) == "figure"
        is_ruled = root in self._context.apart and not self._lookup.decide(root, self.scope).general
        return not (is_figure or is_ruled)

    def _decide(self, element: Element) -> _Opened | None:
        decision = self._lookup.decide(element, self.scope)
        if decision.general and element in self._unless_ruled:
            decision = self._unless_ruled[element]
        if decision.drop and not (decision.general and holds_article(element)):
            for link in element.iter("a"):
                self.open_blocks.linked(
                    link_target(link.get("href"), self._context.base, self._context.encoding)
                )
            self._leave_out(element, decision.rule)
            return None
        open_blocks, otherwise = self.open_blocks, _NOTHING
        if element.tag in BLOCK_LEVEL:
            otherwise = _A_LINE
            if open_blocks.top.run:
                open_blocks.boundary()
        if open_blocks.simple or not self._within:
            if element.tag == "br":
                open_blocks.gap(self._marks, Gap.BLANK)
            return otherwise
        if not decision.known:
            self.account.unknown[element] = None
        return self._become(element, decision, otherwise)

    def _become(self, element: Element, decision: Decision, otherwise: _Opened) -> _Opened | None:
        """Open what an element becomes under a rule: its blocks are opened from the outer to the inner one,
        then its inlines.

        `otherwise`: what it has opened if it becomes nothing.
        """
        marks, open_blocks, simple = self._marks, self.open_blocks, decision.simple
        if decision.inlines == ("formula",) and self._show_formula(element):
            self.account.dropped(element, f"{STANDS_FOR}formula")
            return None
        names = decision.blocks
        if not names and simple and otherwise is _A_LINE:
            names = ("paragraph",)
        opened = self._open(element, decision, names) if names else 0
        if opened is None:
            return None
        for name in decision.inlines:
            self._open_inline(name, element, decision)
        if open_blocks.figures and not opened:
            open_blocks.credit(element)
        open_blocks.simple = simple
        if opened or simple or self._marks is not marks:
            return _Opened(marks, otherwise is _A_LINE, opened, simple)
        return otherwise

    def _open(self, element: Element, decision: Decision, names: Sequence[str]) -> int | None:
        """Open the blocks of an element, and return how many; None: another block stands in its place, and
        nothing is open."""
        opened = 0
        for name in names:
            target = media_target(element, decision.url, self._context.base) if name in _SHOWN else None
            if HOLDS[name] is Content.NOTHING or (name in _SHOWN and element.tag in VOID_MEDIA):
                self.account.dropped(element, self._STAND_INS[name](self, element, target, decision))
                self.open_blocks.close(opened)
                return None
            opened += self.open_blocks.open(name, element, target, decision)
        if opened:
            self.open_blocks.top.attributes.update(self._told_of(element, decision))
        return opened

    def _told_of(self, element: Element, decision: Decision) -> Mapping[str, str]:
        """Return what is known of a note, or of whom a quotation quotes."""
        if decision.blocks == _NOTE.blocks:
            return self._special.footnotes.notes.get(element, {})
        if self._context.quotation is not None and not _QUOTING.isdisjoint(decision.blocks[-1:]):
            return self._context.quotation(element)
        return {}

    def _close(self, opened: _Opened) -> None:
        """Close what an element has opened."""
        if opened.is_line:
            self.open_blocks.boundary()
        if opened.is_simple:
            self.open_blocks.simple = False
        self.open_blocks.close(opened.blocks)
        self._marks = opened.marks_before
        self._within = self._within and not opened.is_wanted_part

    def _leave_out(self, element: Element, rule: str) -> None:
        if element.tag == "rt":
            self._read_aloud(element)
        if element.tag in BLOCK_LEVEL:
            self.open_blocks.boundary()
        elif element.tag in _CONTROLS or element in self._special.gaps:
            self._left_out = True
        self.account.dropped(element, rule)

    def _read_aloud(self, element: Element) -> None:
        """Note how the word before an element is read; the next word has a reading of its own."""
        word = _mark_of(RUBY, self._marks)
        if word is not None:
            word.reading = squeeze(f"{word.reading or ''} {element_text(element)}")
            self._marks = tuple([Mark(RUBY) if mark is word else mark for mark in self._marks])

    # --- what stands in the place of an element, whose text is for browsers that cannot show it ---
    # Each returns the rule by which the element goes.

    def _put_divider(self, _element: Element, _target: LinkTarget | None, decision: Decision) -> str:
        self.open_blocks.top.run.append((self._marks, Block(type="divider")))
        return decision.rule

    def _put_player(self, element: Element, target: LinkTarget | None, decision: Decision) -> str:
        if target is None:  # a script feeds it: what is left to show is its still
            return self._put_picture(
                element,
                link_target(element.get("poster"), self._context.base),
                decision,
            )
        self.open_blocks.show(self._marks, "embed", element, target)
        return f"{STANDS_FOR}embed"

    def _put_post(self, element: Element, target: LinkTarget | None, _decision: Decision) -> str:
        if target is not None:
            self.open_blocks.show(self._marks, "social", element, target)
        return f"{STANDS_FOR}social"

    def _put_picture(self, element: Element, target: LinkTarget | None, decision: Decision) -> str:
        emoji = emoji_of(element)
        if emoji:
            self._show_emoji(emoji, target)
        elif target is not None and not (decision.general and is_decoration(element, target.url)):
            self.open_blocks.show(self._marks, "figure", element, target)
        return f"{STANDS_FOR}figure"

    _STAND_INS: ClassVar[Mapping[str, Callable[[_Walk, Element, LinkTarget | None, Decision], str]]] = {
        "divider": _put_divider,
        "embed": _put_player,
        "figure": _put_picture,
        "social": _put_post,
    }

    def _show_emoji(self, emoji: str, target: LinkTarget | None) -> None:
        if is_written(emoji):
            self.open_blocks.added(self._marks, emoji, "the character of a picture")
        else:
            url, original_url = target or (None, None)
            self.open_blocks.top.run.append(
                (self._marks, Inline(type="emoji", url=url, original_url=original_url, alt=emoji)),
            )

    def _open_inline(self, name: str, element: Element, decision: Decision) -> None:
        """Open an inline, but for one that is open already: bold text in bold text is bold."""
        if name == "line-break":
            self.open_blocks.gap(self._marks, Gap.LINE)
        elif _mark_of(name, self._marks) is None:
            mark = Mark(name)
            if name not in self._NAMING or self._NAMING[name](self, mark, element, decision):
                self._marks = (*self._marks, mark)

    def _name_target(self, mark: Mark, link: Element, decision: Decision) -> bool:
        """Give a link the place or the note that it leads to; it is none where it leads nowhere, or to the
        heading that it stands in."""
        address = _hidden_address(link)
        mark.note = self._special.footnotes.references.get(link)
        written = f"mailto:{address}" if address else link.get((decision.url or "href").lower())
        if not is_own_link(link):
            mark.target = link_target(written, self._context.base, self._context.encoding)
            self.open_blocks.linked(mark.target)
        return mark.target is not None or mark.note is not None

    def _name_language(self, mark: Mark, element: Element, _decision: Decision) -> bool:
        mark.language = element.get("lang")
        return bool(mark.language)

    _NAMING: ClassVar[Mapping[str, Callable[[_Walk, Mark, Element, Decision], bool]]] = {
        "link": _name_target,
        "language": _name_language,
    }
    """Inlines that are none without the address or the language that they name."""

    def _text(self, text: str, element: Element, is_tail: bool) -> None:
        block = self.open_blocks.top
        if not is_tail and element.get("data-cfemail") is not None:
            text = _hidden_address(element) or text
        if not text.isspace():
            self.account.places.append((len(self.account.entries), element, is_tail, block, self._marks))
        if not self._within:
            self.account.dropped_text(text, self._context.outside, element)
            return
        shown = visible(text)
        before = block.run[-1][1] if block.run and shown[:1].isalnum() else None
        if isinstance(before, str) and self._are_apart(before, shown, element, is_tail):
            self.open_blocks.gap(self._marks, Gap.BLANK)
        self._left_out = False
        if may_hold_formula(text) and self._is_no_code() and self._draws_formulas:
            self._text_with_formulas(text, element)
        else:
            self.open_blocks.text(self._marks, shown, text)

    def _is_no_code(self) -> bool:
        """Return False where dollars are no signs of formulas: in code, and in a formula itself."""
        return _WITHOUT_FORMULAS.isdisjoint((self.open_blocks.top.type, *_kinds_of(self._marks)))

    @cached_property
    def _draws_formulas(self) -> bool:
        """True if a program of the page draws formulas that are written in its texts."""
        return draws_formulas(self.account.roots[0])

    def _text_with_formulas(self, text: str, element: Element) -> None:
        show, rule = self.open_blocks.text, f"{STANDS_FOR}formula"
        formulas, rest = formulas_in(text)
        for words, opening, tex, closing in formulas:
            show(self._marks, visible(words), words)
            self.account.dropped_text(opening, rule, element)
            show((*self._marks, Mark("formula")), visible(tex), tex)
            self.account.dropped_text(closing, rule, element)
        show(self._marks, visible(rest), rest)

    def _are_apart(self, left: str, right: str, element: Element, is_tail: bool) -> bool:
        """Return True if two words are two, though no white space stands between them; this element begins or
        ends there."""
        if not left[-1].isalnum():
            return False
        joint = _Joint(
            left=left,
            right=right,
            element=element,
            is_tail=is_tail,
            is_exact=self.open_blocks.top.exact,
            has_gap=self._left_out,
            before=self.open_blocks.top.run[-1][0],
            behind=self._marks,
        )
        for applies, are_apart in _JOINTS:
            if applies(joint):
                return are_apart(joint)
        return False


class _Joint(NamedTuple):
    """A place where two words touch."""

    left: str
    right: str
    element: Element
    """The element that begins or ends there."""
    is_tail: bool
    """True if the element ends there."""
    is_exact: bool
    """White space counts as written."""
    has_gap: bool
    """Something that is shown apart was left out there."""
    before: Marks
    behind: Marks
    """The inlines that are open before and behind it."""

    def is_written_exactly(self) -> bool:
        return self.is_exact or not _WRITTEN_EXACTLY.isdisjoint(_kinds_of(self.behind))

    def is_framed(self) -> bool:
        return self.has_gap or self.element.tag in _WITH_A_FRAME

    def is_at_time(self) -> bool:
        return self.element.tag == "time"

    def begins_no_ending(self) -> bool:
        return not self.right[0].islower()  # "the 2010s"

    def is_of_script_without_blanks(self) -> bool:
        return max(self.left[-1], self.right[0]) >= "\u0e00"  # Thai; most scripts from there on part no words

    def is_between_links(self) -> bool:
        links = (_mark_of("link", self.before), _mark_of("link", self.behind))
        return None not in links and links[0] is not links[1]

    def leads_to_two_places(self) -> bool:
        """Return False for pieces of one link, which lead to one place; the number of a note belongs to the
        word before it."""
        links = (mark for mark in (*self.before, *self.behind) if mark.type == "link")
        places = {link.target for link in links}
        return len(places) > 1 and (_is_raised(self.before) or not _is_raised(self.behind))

    def is_at_beginning(self) -> bool:
        return not self.is_tail

    def begins_anew(self) -> bool:
        """Return True if an element begins another word than the element before it ends: "by lineAnna",
        where a designer named one of them."""
        if self.left[-1].isupper() or not self.right[0].isupper():
            return False
        beside = self.element.getprevious()
        return beside is not None and (_is_designed(beside) or _is_designed(self.element))


_JOINTS: tuple[tuple[Callable[[_Joint], bool], Callable[[_Joint], bool]], ...] = (
    (_Joint.is_written_exactly, lambda _: False),
    (_Joint.is_framed, lambda _: True),
    (_Joint.is_at_time, _Joint.begins_no_ending),
    (_Joint.is_of_script_without_blanks, lambda _: False),
    (_Joint.is_between_links, _Joint.leads_to_two_places),
    (_Joint.is_at_beginning, _Joint.begins_anew),
)
"""Kinds of places where words touch, and what tells there that they are two; the first that applies
decides."""
_WRITTEN_EXACTLY = frozenset({"code-inline", "formula"})
_WITHOUT_FORMULAS = _WRITTEN_EXACTLY | {"code"}
_RAISED = frozenset({"superscript", "subscript"})
_WITH_A_FRAME = frozenset({"button", "label"})


def _is_designed(element: Element) -> bool:
    names = element.get("class")
    return element.tag == "cite" or (names is not None and _BY_EDITORS.match(names) is None)


def _hidden_address(element: Element) -> str:
    """Return the mail address that Cloudflare hides from programs; empty where there is none."""
    return mail_address(element.get("data-cfemail", ""))


def _mark_of(kind: str, marks: Marks) -> Mark | None:
    """Return the inline of a kind that is open."""
    for mark in marks:
        if mark.type == kind:
            return mark
    return None


def _kinds_of(marks: Marks) -> set[str]:
    return {mark.type for mark in marks}


def _is_raised(marks: Marks) -> bool:
    return not _RAISED.isdisjoint(_kinds_of(marks))
