"""CSS selectors of portal files: cssselect's dialect, matched from right to left inside a scope, with a bound on the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from cssselect import parser as css
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import allowed
from webarticlecurator.selectors.dialect import Subject, advice_on, hint_of, plain_dialect, specificity_of, subject_of
from webarticlecurator.selectors.relations import compile_tree
from webarticlecurator.selectors.scope import Scope, SelectorError, Test

__all__ = ["Alternative", "Scope", "Selector", "SelectorError"]

# Why not cssselect's own translation to XPath: XPath 1.0 cannot say "inside this item", libxml2 gives no bound on time (ten thousand
# siblings took minutes with some axes), and the tag dictionary asks "does this element match?", which a path answers the long way round.

MAX_LENGTH = 2_000
"""Characters of a selector."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One selector of a group, for those who ask of an element which of many selectors match it."""

    subject: Subject
    specificity: tuple[int, int, int]
    """`:contains()` counts as a class."""
    matches: Test


@dataclass(frozen=True, slots=True)
class Selector:
    """A group of selectors, compiled once; equal when written equally."""

    text: str
    _tests: tuple[Test, ...] = field(compare=False, repr=False)
    _hints: tuple[etree.XPath, ...] = field(compare=False, repr=False)
    specificity: tuple[int, int, int] = field(compare=False, repr=False)
    """Of the most specific one of the group; `:contains()` counts as a class."""
    alternatives: tuple[Alternative, ...] = field(compare=False, repr=False)
    """The selectors of the group, one by one."""

    @classmethod
    def parse(cls, text: str) -> Selector:
        """Compile. Raises SelectorError."""
        if len(text) > MAX_LENGTH:
            raise SelectorError(f"the selector has {len(text)} characters; at most {MAX_LENGTH} are allowed")
        try:
            parsed = css.parse(plain_dialect(text))
            pseudo = next((one.pseudo_element for one in parsed if one.pseudo_element), None)
            if pseudo is not None:
                raise SelectorError(f"the pseudo-element ::{pseudo} is no element of a page; use `attr` or the element itself")
            tests = tuple(compile_tree(one.parsed_tree) for one in parsed)
            hints = tuple(etree.XPath(f"descendant-or-self::{hint_of(one.parsed_tree)}") for one in parsed)
        except (css.SelectorError, etree.XPathError) as problem:
            raise SelectorError(f"not a selector: {problem}{advice_on(text)}") from None
        except RecursionError:
            raise SelectorError("the selector is nested too deeply") from None
        alternatives = tuple(
            Alternative(subject_of(one.parsed_tree), specificity_of(one), test) for one, test in zip(parsed, tests, strict=True)
        )
        return cls(text, tests, hints, max(one.specificity for one in alternatives), alternatives)

    def __reduce__(self) -> tuple[Callable[[str], Selector], tuple[str]]:
        # What is compiled cannot travel to another process; its text can.
        return Selector.parse, (self.text,)

    def select(self, element: Element) -> list[Element]:
        """The element itself and all in it that match, in document order, each once; all of the selector is read inside the element."""
        allowed(self.text)
        scope = Scope(element, element, rule=self.text)
        found = [self._select_one(test, hint, element, scope) for test, hint in zip(self._tests, self._hints, strict=True)]
        if len(found) == 1:
            return found[0]
        wanted = {match for matches in found for match in matches}
        return [match for match in element.iter(etree.Element) if match in wanted] if wanted else []

    def matches(self, element: Element) -> bool:
        """Whether this very element matches, seen from the whole page."""
        allowed(self.text)
        scope = Scope(None, element.getroottree().getroot(), rule=self.text)
        return any(test(element, scope) for test in self._tests)

    @staticmethod
    def _select_one(test: Test, hint: etree.XPath, element: Element, scope: Scope) -> list[Element]:
        candidates: list[Element] = hint(element)  # type: ignore[assignment]
        scope.step(len(candidates))
        return [candidate for candidate in candidates if test(candidate, scope)]
