"""The one walk over an article's container: elements become blocks and inlines by the rules, and every
character is accounted for.

Text is collected in runs of flat pieces that know which inlines are open around them. So an inline around
blocks is pushed down into each of them, and white space is settled across all elements of a line, without
ever building a tree twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import unescape

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import Budget
from webarticlecurator.extraction.body.footnotes import WAY_BACK, Footnotes, footnotes_in
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
_AROUND_NOTES = frozenset({(), _NOTE.blocks})
"""Blocks of the rules that say no more of an element around notes than that it is about a note."""
_AROUND_NOTES_BY_NO_PORTAL = _AROUND_NOTES | {("box",)}
"""Where the general table says it, an `aside` is one of those elements, too."""
_QUOTING = frozenset({"quote", "source"})
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
    """Of the elements, those that a portal's rule may say something of, as it does of all that is in the
    others."""
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
    """Return what becomes of all that is in these elements, as if they stood behind one another. Raises
    PatternTimeout for a rule without end.

    Each block fits the content model; `structure.opened` makes them an article.
    """
    footnotes = Footnotes({}, {}, [])
    if any("#" in link.get("href", "") for root in roots for link in root.iter("a")):
        marks = [mark for root in roots for mark in marks_in(root)]
        context = replace(context, without={**dict.fromkeys(marks, MARK), **context.without})
        footnotes = footnotes_in(roots, context.base)
        context = _with_notes(context, footnotes)
    frames = [frame for root in roots for frame in framed_pictures(root)]
    context = replace(context, captions={**dict.fromkeys(frames, "figure"), **context.captions})
    walk = _Walk(lookup, context, footnotes)
    for root in roots:
        walk.walk(root)
    context.budget.steps = walk.scope.left
    return standing(walk.open_blocks.blocks), walk.account


def _with_notes(context: RewriteContext, footnotes: Footnotes) -> RewriteContext:
    """Notes are no furniture, and the ways back from them no text."""
    lists = footnotes.lists()
    furniture = {element: why for element, why in context.furniture.items() if element not in lists}
    return replace(context, furniture=furniture, without={**dict.fromkeys(footnotes.back, WAY_BACK), **context.without})


_Undo = tuple[Marks, bool, int, bool, bool]
"""What ends with an element: the marks that are open after it, whether a line ends, how many blocks, whether
it was made simple, and whether the wanted part ends. A mere tuple, since there is one for every element of a
page; most need none."""
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
        self._around_notes = footnotes.lists() - self._notes.keys()
        captions = {element: Decision(blocks=(name,), general=True) for element, name in self._captions.items()}
        self._unless_ruled = {**captions, **dict.fromkeys(self._notes, _NOTE)}
        """What becomes of notes, captions and figures, unless a portal's rule says more of them."""
        self._otherwise = frozenset((*self._unless_ruled, *self._around_notes))
        """Elements that may become something else than the rules say."""
        self._has_exceptions = bool(context.elsewhere or context.without) or context.within is not None
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
        open_elements: list[_Undo] = []
        undo: _Undo | None
        for event, element in walker:
            if event == "start":
                undo = None
                if element.tag in UNSEEN:
                    self._show_unseen(element)
                else:
                    undo = begin(element)
                begin = begin_inner
                if undo is None:
                    open_elements.append(_NOTHING)
                    walker.skip_subtree()
                    continue
                open_elements.append(undo)
                text = element.text
            else:
                undo = open_elements.pop()
                if undo is _A_LINE:
                    if open_blocks.top.run:
                        open_blocks.boundary()
                elif undo is not _NOTHING:
                    self._end(undo)
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
            undo = self._decide(self._noscript_pictures[element])
            if undo not in (None, _NOTHING):
                self._end(undo)

    def _show_formula(self, element: Element) -> bool:
        """Show a formula in TeX, whatever it is drawn with; False where that is not known."""
        tex = tex_of(element) if self._within and not self.open_blocks.simple else None
        if tex is not None:
            self.open_blocks.added((*self._marks, Mark("formula")), tex, "the TeX of a formula")
        return tex is not None

    def _begin_root(self, element: Element) -> _Undo | None:
        return self._begin(element, is_root=True)

    def _begin(self, element: Element, *, is_root: bool = False) -> _Undo | None:
        """Open what the element becomes; None: it is left out with all in it."""
        around = self._context
        if element in around.elsewhere:
            self.open_blocks.boundary()
            self.account.entries.append(around.elsewhere[element])
            return None
        if element in around.without:
            self._leave_out(element, around.without[element])
            return None
        enters = not self._within and element in self._wanted
        if enters or (is_root and self._only_holds(element)):
            self._within |= enters
            self.open_blocks.boundary()
            return self._marks, True, 0, False, enters
        return self._decide(element)

    def _only_holds(self, root: Element) -> bool:
        """Return True if a root is no more than the place where the text stands: a figure is one by itself,
        too, as the picture above a text."""
        is_ruled = root in self._context.apart and not self._lookup.decide(root, self.scope).general
        return root.tag != "figure" and not is_ruled

    def _decide(self, element: Element) -> _Undo | None:
        decision = self._lookup.decide(element, self.scope)
        if decision.drop or element in self._furniture:
            why = self._reason_against(element, decision)
            if why is not None:
                self._take_links_of(element)
                self._leave_out(element, why)
                return None
        open_blocks, undo = self.open_blocks, _NOTHING
        if element.tag in BLOCK_LEVEL:
            undo = _A_LINE
            if open_blocks.top.run:
                open_blocks.boundary()
        if open_blocks.simple or not self._within:
            if element.tag == "br":
                open_blocks.gap(self._marks, Gap.BLANK)
            return undo
        if element in self._otherwise:
            decision = self._decided_otherwise(element, decision)
        if not decision.known:
            self.account.unknown[element] = None
        return self._become(element, decision, undo)

    def _reason_against(self, element: Element, decision: Decision) -> str | None:
        """Why an element is left out that a rule drops, or that is furniture unless a portal's rule says what
        it is; None: it is not."""
        if not decision.general:
            return decision.rule if decision.drop else None
        if element in self._furniture:
            return self._furniture[element]
        return None if element in self._captions or holds_article(element) else decision.rule

    def _take_links_of(self, element: Element) -> None:
        """Take the links of what is left out: one may be the address of the post it is left out of."""
        if self.open_blocks.awaiting_links:
            for link in element.iter("a"):
                self.open_blocks.linked(link_target(link.get("href"), self._context.base, self._context.encoding))

    def _decided_otherwise(self, element: Element, decision: Decision) -> Decision:
        """Return what becomes of a note, of what holds notes, and of what is a caption or a figure by what
        stands around it."""
        if decision.general and element in self._unless_ruled:
            return self._unless_ruled[element]
        say_little = _AROUND_NOTES_BY_NO_PORTAL if decision.general else _AROUND_NOTES
        if element in self._around_notes and decision.blocks in say_little:
            return replace(decision, blocks=(), known=True)
        return decision

    def _become(self, element: Element, decision: Decision, undo: _Undo) -> _Undo | None:
        """Open what an element becomes under a rule: its blocks are opened from the outer to the inner one,
        then its inlines.

        `undo`: what it ends if it becomes nothing.
        """
        marks, open_blocks, simple = self._marks, self.open_blocks, decision.simple
        if decision.inlines == ("formula",) and self._show_formula(element):
            self.account.dropped(element, f"{STANDS_FOR}formula")
            return None
        opened: int | None = 0
        names = decision.blocks
        if simple and undo is _A_LINE:
            names = names or ("paragraph",)
        if names:
            opened = self._open(element, decision, names)
        if opened is None:
            return None
        for name in decision.inlines:
            self._open_inline(name, element, decision)
        if open_blocks.figures and not opened:
            open_blocks.credit(element)
        open_blocks.simple = simple
        if opened or simple or self._marks is not marks:
            return marks, undo is _A_LINE, opened, simple, False
        return undo

    def _open(self, element: Element, decision: Decision, names: Sequence[str]) -> int | None:
        """Open the blocks of an element, and return how many; None: another block stands in its place, and
        nothing is open."""
        opened = 0
        for name in names:
            target = media_target(element, decision.url, self._context.base) if name in _SHOWN else None
            if HOLDS[name] is Content.NOTHING or (name in _SHOWN and element.tag in VOID_MEDIA):
                self._stand_in(name, element, target, decision)
                self.open_blocks.close(opened)
                return None
            opened += self.open_blocks.open(name, element, target, decision)
        if opened:
            attributes = self.open_blocks.top.attributes
            attributes.update(self._notes.get(element, {}) if decision.blocks == _NOTE.blocks else {})
            if self._context.quotation is not None and names[-1] in _QUOTING:
                attributes.update(self._context.quotation(element))
        return opened

    def _end(self, undo: _Undo) -> None:
        marks, boundary, blocks, simple, within = undo
        if boundary:
            self.open_blocks.boundary()
        if simple:
            self.open_blocks.simple = False
        if blocks:
            self.open_blocks.close(blocks)
        self._marks = marks
        if within:
            self._within = False

    def _leave_out(self, element: Element, rule: str) -> None:
        if element.tag == "rt":
            self._read_aloud(element)
        if element.tag in BLOCK_LEVEL:
            self.open_blocks.boundary()
        elif element.tag in _CONTROLS or element in self._context.without or element in self._furniture:
            self._left_out = True
        self.account.dropped(element, rule)

    def _read_aloud(self, element: Element) -> None:
        """Note how the word before an element is read; the next word has a reading of its own."""
        run = self.open_blocks.top.run
        word = _mark_of(RUBY, run[-1][0]) if run else None
        if word is not None:
            word.reading = squeeze(f"{word.reading or ''} {element_text(element)}")
            self._marks = tuple([Mark(RUBY) if mark is word else mark for mark in self._marks])

    def _stand_in(self, name: str, element: Element, target: LinkTarget | None, decision: Decision) -> None:
        """Put a divider, a picture or a player in the place of an element; text in it is for browsers that
        cannot show it."""
        if HOLDS[name] is Content.NOTHING:
            self.open_blocks.top.run.append((self._marks, Block(type=name)))
            self.account.dropped(element, decision.rule)
            return
        if target is None and name == "embed":  # a player that a script feeds: what is left to show is its still
            name, target = "figure", link_target(element.get("poster"), self._context.base)
        emoji = emoji_of(element) if element.tag == "img" else None
        if emoji:
            self._show_emoji(emoji, target)
        elif target is not None and not (decision.general and is_decoration(element, target.url)):
            self.open_blocks.show(self._marks, name, element, target)
        self.account.dropped(element, f"{STANDS_FOR}{name}")

    def _show_emoji(self, emoji: str, target: LinkTarget | None) -> None:
        if is_written(emoji):
            self.open_blocks.added(self._marks, emoji, "the character of a picture")
        else:
            url, original_url = target or (None, None)
            self.open_blocks.top.run.append((self._marks, Inline(type="emoji", url=url, original_url=original_url, alt=emoji)))

    def _open_inline(self, name: str, element: Element, decision: Decision) -> None:
        """Open an inline, but for one that is open already: bold text in bold text is bold."""
        if name == "line-break":
            self.open_blocks.gap(self._marks, Gap.LINE)
        elif _mark_of(name, self._marks) is None:
            mark = Mark(name, note=self._references.get(element))
            if name == "link":
                mark.target = self._leads_to(element, decision)
            elif name == "language":
                mark.language = element.get("lang")
            if name not in _NAMING_SOMETHING or mark.target or mark.language:
                self._marks = (*self._marks, mark)

    def _leads_to(self, link: Element, decision: Decision) -> LinkTarget | None:
        """Return where a link leads; None for one to the heading that it stands in, and for one that leads
        nowhere."""
        address = _hidden_address(link)
        if address is not None:
            target = link_target(f"mailto:{address}", self._context.base)
        else:
            written = link.get((decision.url or "href").lower())
            target = link_target(written, self._context.base, self._context.encoding)
        if is_own_link(link):
            return None
        self.open_blocks.linked(target)
        return target

    def _text(self, text: str, element: Element, is_tail: bool) -> None:
        block = self.open_blocks.top
        if not is_tail and element.get("data-cfemail") is not None:
            text = _hidden_address(element) or text
        if not text.isspace():
            self.account.places.append((len(self.account.entries), element, is_tail, block, self._marks))
        if not self._within:
            self.account.dropped_text(text, self._context.outside, element)
            return
        written, run = text, block.run
        is_decoded = "&" in text and not block.exact and ENTITY.search(text) is not None and self._are_entities_written_twice
        text = visible(ENTITY.sub(lambda entity: unescape(entity[0]), text) if is_decoded else text)
        before = run[-1][1] if run and text[:1].isalnum() else None
        if isinstance(before, str) and before[-1].isalnum() and self._are_apart(before, text, element, is_tail):
            self.open_blocks.gap(self._marks, Gap.BLANK)
        self._left_out = False
        self.open_blocks.text(self._marks, text, written, is_decoded=is_decoded)

    @cached_property
    def _are_entities_written_twice(self) -> bool:
        """Return True if the page has no `&` in its text but in the names of characters: `&amp;#8217;`."""
        page = self.account.roots[0].getroottree().getroot()
        said = element_text(page, without=set(page.iter("code", "head", "pre", "textarea")))
        return 1 < said.count("&") == len(ENTITY.findall(said))

    def _are_apart(self, left: str, right: str, element: Element, is_tail: bool) -> bool:
        """Return True if two words are two, though no white space stands between them; this element begins or
        ends there."""
        if self.open_blocks.top.exact or not _WRITTEN_EXACTLY.isdisjoint(_kinds_of(self._marks)):
            return False
        if self._left_out or element.tag in _WITH_A_FRAME:
            return True
        if element.tag == "time":
            return not right[0].islower()  # "the 2010s"
        if max(left[-1], right[0]) >= "\u0e00":  # Thai; most scripts from there on part no words
            return False
        marks = self.open_blocks.top.run[-1][0]
        from_link, to_link = _mark_of("link", marks), _mark_of("link", self._marks)
        if from_link is not None and to_link is not None and from_link is not to_link:
            # pieces of one link lead to one place, and the number of a note belongs to the word before it
            return from_link.target != to_link.target and (_is_raised(marks) or not _is_raised(self._marks))
        return not is_tail and _begins_anew(left, right, element)


_NAMING_SOMETHING = frozenset({"link", "language"})
"""Inlines that are none without the address or the language that they name."""
_WRITTEN_EXACTLY = frozenset({"code-inline", "formula"})
_RAISED = frozenset({"superscript", "subscript"})
_WITH_A_FRAME = frozenset({"button", "label"})


def _begins_anew(left: str, right: str, element: Element) -> bool:
    """Return True if an element begins another word than the element before it ends: "by lineAnna", where a
    designer named one of them."""
    beside = element.getprevious()
    if beside is None or left[-1].isupper() or not right[0].isupper():
        return False
    return _is_designed(beside) or _is_designed(element)


def _is_designed(element: Element) -> bool:
    names = element.get("class")
    return element.tag == "cite" or (names is not None and _BY_EDITORS.match(names) is None)


def _hidden_address(element: Element) -> str | None:
    """Return the mail address that Cloudflare hides from programs."""
    code = element.get("data-cfemail")
    return mail_address(code) if code is not None else None


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
