"""CSS selectors of portal files: cssselect's dialect, matched from right to left inside a scope, with a bound on the work."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from cssselect import parser as css
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import allowed
from webarticlecurator.selectors.dialect import Subject, plain_dialect, problem_in_words, specificity_of, subject_of
from webarticlecurator.selectors.matching import Scope, SelectorError, Test, compile_tree

__all__ = ["Alternative", "Scope", "Selector", "SelectorError"]

# Why not cssselect's own translation to XPath: XPath 1.0 cannot say "inside this item", libxml2 gives no bound on time (ten thousand
# siblings took minutes with some axes), and the tag dictionary asks "does this element match?", which a path answers the long way round.

MAX_LENGTH = 2_000
"""Characters of a selector."""
_NAME = r"[A-Za-z_][\w-]*"
_VALUE = rf"(?:{_NAME}|\"[^\"\\\x00-\x1f]*\"|'[^'\\\x00-\x1f]*')"
_COMPOUND = rf"(?:{_NAME}|\*|(?=[.#\[]))(?:[.#]{_NAME}|\[{_NAME}(?:[~|^$*]?={_VALUE})?\])*"
_PLAINLY_RIGHT = re.compile(rf"{_COMPOUND}(?:(?: *[>+~,] *| +){_COMPOUND})*", re.ASCII)
"""Names, classes, ids, attributes and how they stand to each other: what nearly all selectors are, and nothing in it can be wrong."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One selector of a group, for those who ask of an element which of many selectors match it."""

    subject: Subject
    specificity: tuple[int, int, int]
    """`:contains()` counts as a class."""
    matches: Test
    candidates: etree.XPath
    """The elements that are worth a closer look."""

    def select(self, element: Element, scope: Scope) -> list[Element]:
        candidates: list[Element] = self.candidates(element)  # type: ignore[assignment]
        scope.step(len(candidates))
        return [candidate for candidate in candidates if self.matches(candidate, scope)]


@dataclass(frozen=True)
class Selector:
    """A group of selectors, checked at once and compiled when it is first used; equal when written equally."""

    # Without slots, for `cached_property`: a tag dictionary may have tens of thousands of them, of which one run uses few.
    text: str

    @classmethod
    def parse(cls, text: str) -> Selector:
        """Check. Raises SelectorError."""
        if len(text) > MAX_LENGTH:
            raise SelectorError(f"the selector has {len(text)} characters; at most {MAX_LENGTH} are allowed")
        if not _PLAINLY_RIGHT.fullmatch(text):
            _compiled(text)
        return cls(text)

    def __reduce__(self) -> tuple[type[Selector], tuple[str]]:
        # What is compiled cannot travel to another process; its text can.
        return Selector, (self.text,)

    @cached_property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The selectors of the group, one by one."""
        return _compiled(self.text)

    @property
    def specificity(self) -> tuple[int, int, int]:
        """Of the most specific one of the group; `:contains()` counts as a class."""
        return max(one.specificity for one in self.alternatives)

    def select(self, element: Element) -> list[Element]:
        """The element itself and all in it that match, in document order, each once; all of the selector is read inside the element."""
        allowed(self.text)
        scope = Scope(element, element, rule=self.text)
        found = [one.select(element, scope) for one in self.alternatives]
        if len(found) == 1:
            return found[0]
        wanted = {match for matches in found for match in matches}
        return [match for match in element.iter(etree.Element) if match in wanted] if wanted else []

    def matches(self, element: Element) -> bool:
        """Whether this very element matches, seen from the whole page."""
        allowed(self.text)
        scope = Scope(None, element.getroottree().getroot(), rule=self.text)
        return any(one.matches(element, scope) for one in self.alternatives)


def _compiled(text: str) -> tuple[Alternative, ...]:
    try:
        parsed = css.parse(plain_dialect(text))
        pseudo = next((one.pseudo_element for one in parsed if one.pseudo_element), None)
        if pseudo is not None:
            raise SelectorError(f"the pseudo-element ::{pseudo} is no element of a page; use `attr` or the element itself")
        return tuple(map(_alternative, parsed))
    except SelectorError:
        raise
    except (css.SelectorError, etree.XPathError, ValueError) as problem:  # an escape may stand for what no page can hold
        raise SelectorError(f"not a selector: {problem_in_words(str(problem), text)}") from None
    except RecursionError:
        raise SelectorError("the selector is nested too deeply") from None


def _alternative(parsed: css.Selector) -> Alternative:
    test, subject = compile_tree(parsed.parsed_tree), subject_of(parsed.parsed_tree)
    return Alternative(subject, specificity_of(parsed), test, etree.XPath(f"descendant-or-self::{subject.xpath}"))
