"""What becomes of each text of a page, element by element, told by the same walk that makes the article of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.footnotes import Footnotes
from webarticlecurator.extraction.body.lookup import Decision, Lookup
from webarticlecurator.extraction.body.rewrite import WALKS, RewriteContext, Undo, Walk
from webarticlecurator.extraction.body.touching_words import TextPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFate:
    """What became of one text."""

    dropped: str = ""
    """By which rule; empty where it is kept."""
    blocks: tuple[str, ...] = ()
    """What it is kept as: the names of its blocks, the outermost first."""
    inlines: tuple[str, ...] = ()
    rule: str = ""
    """Which rule named the innermost block; empty: the general table."""
    post: str = ""
    """The rules for posts by which it is part of one: `posts.comments`."""
    undecided: bool = False
    """No rule says what the element is in which it stands."""


@dataclass(slots=True, eq=False)
class Watch:
    """What is seen while a page is read."""

    texts: dict[TextPlace, TextFate] = field(default_factory=dict)
    dropped: dict[Element, str] = field(default_factory=dict)
    """With all in it, by which rule."""
    shown: dict[Element, str] = field(default_factory=dict)
    """Pictures and players that are kept, each with its block."""
    roots: list[Element] = field(default_factory=list)
    """What was walked through."""
    walks: list[WatchedWalk] = field(default_factory=list)

    def settle(self) -> None:
        """Take in what the walks have seen; of a text that several walked through the last one counts."""
        for walk in self.walks:
            walk.tell(self)
        self.walks.clear()


@contextmanager
def watched() -> Iterator[Watch]:
    """Whatever is rewritten inside is seen."""
    watch = Watch()
    token = WALKS.set(partial(WatchedWalk, watch=watch))
    try:
        yield watch
    finally:
        WALKS.reset(token)
    watch.settle()


class WatchedWalk(Walk):
    """Remembers where each text stood."""

    def __init__(self, lookup: Lookup, context: RewriteContext, footnotes: Footnotes, *, watch: Watch) -> None:
        super().__init__(lookup, context, footnotes)
        self._post = context.outside.partition(":")[0]
        self._decided: dict[Element, Decision] = {}
        self._seen: list[tuple[TextPlace, int, int, TextFate]] = []
        self._roots: list[Element] = []
        watch.walks.append(self)

    def walk(self, root: Element) -> None:
        self._roots.append(root)
        super().walk(root)

    def tell(self, watch: Watch) -> None:
        watch.roots += self._roots
        watch.dropped |= dict(self.account.dropped_elements())
        for place, start, stop, fate in self._seen:
            dropped = self.account.fate_of(start, stop)
            if dropped is not None:
                watch.texts[place] = TextFate(dropped=dropped, post=fate.post) if dropped else fate
        for element, decision in self._decided.items():
            rule = watch.dropped.get(element, "")
            if decision.blocks and rule.startswith("stands for the "):
                watch.shown[element] = decision.blocks[-1]

    def _become(self, element: Element, decision: Decision, boundary: bool) -> Undo | None:
        self._decided[element] = decision
        return super()._become(element, decision, boundary)

    def _text(self, text: str, element: Element, is_tail: bool) -> None:
        start, blocks = len(self.account), self.open_blocks
        super()._text(text, element, is_tail)
        if text.isspace():
            return
        holder = element.getparent() if is_tail else element
        around = self._decided.get(blocks.top.element) if blocks.top.element is not None else None
        own = self._decided.get(holder) if holder is not None else None
        fate = TextFate(
            blocks=blocks.path,
            inlines=tuple(mark.type for mark in self._marks),
            rule=around.rule if around is not None and not around.general else "",
            post=self._post,
            undecided=own is not None and not own.known,
        )
        self._seen.append(((element, is_tail), start, len(self.account), fate))
