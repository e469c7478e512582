"""Last resort: a date or a byline somewhere in the text around the heading, where nothing marks it as one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.authors import byline_start, connected, names_in, starts_with_by
from webarticlecurator.extraction.metadata.class_hints import LinkKind, link_kind
from webarticlecurator.extraction.metadata.clues import Clue
from webarticlecurator.extraction.metadata.page_parts import PageParts
from webarticlecurator.text import BREAKS, short_text, squeeze

MAX_PIECES, MAX_FOUND = 5_000, 100
_CANDIDATES = 12
_NEAR = 60
"""Characters at the beginning of a text in which a date must stand to be the article's and not a part of its story."""
_LONGEST_SENTENCE = 120
_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "select", "option", "button"})
_YEAR = re.compile(r"(?<!\d)(?:19[89]|20[0-4])\d(?!\d)|\d[./]\d\d?[./]\d\d(?!\d)")
_TWO_DIGITS = re.compile(r"\d\d")
_MOST_BEFORE = 100
_Read = Callable[[Element, str, Element | None], str | None]
"""Of a text as written, in its element and behind another one there, what is wanted of it; None of most texts."""


def text_dates(tree: Element, parts: PageParts) -> Iterable[str]:
    """Lines that begin with a date: behind the heading first, then before it, then outside of the article."""
    return islice(_pieces(tree, parts, _dated), _CANDIDATES)


def text_bylines(tree: Element, parts: PageParts, language: str | None) -> list[tuple[str, bool]]:
    """The first short texts of the article that begin with "By ..." and a name, each with whether it stands close to the heading."""
    may_be = byline_start(language).match
    waiting = ""  # a "By" alone, for the name in the element behind it
    near: set[str] = set()

    def byline(element: Element, written: str, _: Element | None) -> str | None:
        nonlocal waiting
        waiting, text = "", f"{waiting} {written}" if waiting else written
        if not may_be(text) or len(text := squeeze(text)) > _LONGEST_SENTENCE or _leads_to_list(element):
            return None
        if starts_with_by(text, language):
            close = element in parts.near
            if not names_in([Clue(text)], language, visible=True, alone=close and _is_all(element, written)):
                return None
            whole = _with_others(text, element, written, language)
            near.update([whole] if close else [])
            return whole
        alone = starts_with_by(f"{text} x", language) and (text[0].isupper() or element in parts.near)
        waiting = text if alone and short_text(element, _LONGEST_SENTENCE) is not None and element not in parts.samples else ""
        return None

    return [(text, text in near) for text in islice(_pieces(tree, parts, byline, outside=False), _CANDIDATES)]


def _leads_to_list(element: Element) -> bool:
    """Whether it is the name of a section or a topic, which may be a word of bylines: "Haber", of news in Turkish."""
    around = (element, *islice(element.iterancestors(), 2))
    return any(link_kind(one.get("href") or "") in _OTHER_LISTS for one in around if one.tag == "a")


def _with_others(text: str, element: Element, written: str, language: str | None) -> str:
    """With the names behind it in the same line, which may stand in links of their own: "By Ann Lee and [Bo Berg]"."""
    line = next((one for one in (element, *islice(element.iterancestors(), 2)) if one.tag not in _WITHIN_LINES), None)
    if line is None or short_text(line, _LONGEST_SENTENCE) is None:
        return text
    runs, last = line_runs(line), squeeze(written)
    start = runs.index(last) if last in runs else len(runs)
    return " ".join((text, *runs[start + 1 : _end_of_names(runs, start, language)]))


def _is_all(element: Element, written: str) -> bool:
    """Whether a text is all that stands in its element, or all before a date."""
    if len(element):
        return element.text == written and element[0].tag == "time"
    return element.text == written and not (element.tail or "").strip()


# --- a line that holds a name among other words ---

_MOST_RUNS = 40
_WITHIN_LINES = frozenset({"a", "b", "em", "i", "small", "span", "strong"})
_OTHER_LISTS = (LinkKind.SECTION, LinkKind.TOPIC)
_BULLET = re.compile(r"[·•∙⋅]")
_LEAD = re.compile(r"^(?:\S+ ){5}.*[^\W\d_A-Z]{3}[.!?…][\"'”»“]?$")
"""A sentence, which may stand beside a byline and begin with a name."""
_CONNECTS = re.compile(r"(?:,|&|\+|/|\||[^\W\d_]{1,3})")


def line_runs(element: Element) -> list[str]:
    """The stretches of text in it, each as far as the next tag or point between; not those that lead to a section or to a topic."""
    written = islice(_written(element), _MOST_RUNS)
    runs = [run for one, run, _ in written if link_kind(one.get("href") or "") not in _OTHER_LISTS]
    return [text for run in runs for piece in _BULLET.split(run) if (text := squeeze(piece))]


def name_in_line(runs: Sequence[str], language: str | None) -> str | None:
    """The first stretches that are a name, with the words before it and the names that it is connected with."""
    for start, run in enumerate(runs):
        if _LEAD.search(run) and not starts_with_by(run, language):
            continue
        end = start + 2 if starts_with_by(f"{run} x", language) and not starts_with_by(run, language) else start + 1
        if names_in([Clue(" ".join(runs[start:end]))], language, visible=True):
            return " ".join(runs[start : _end_of_names(runs, end - 1, language)])
    return None


def _end_of_names(runs: Sequence[str], last: int, language: str | None) -> int:
    """Behind the last of the stretches that are connected with one that is a name."""
    end = last + 1
    while end < len(runs):
        following = "".join(runs[end + 1 : end + 2])
        if following and _CONNECTS.fullmatch(runs[end]):
            end += 2
        elif _go_together(runs[end - 1], runs[end], following, language) and names_in([Clue(runs[end])], language, visible=True):
            end += 1
        else:
            break
    return end


def _go_together(text: str, behind: str, following: str, language: str | None) -> bool:
    """A comma may part a name from a place, but not where a word behind it connects what it parts with others."""
    if connected(text, behind, language):
        return True
    return (text.endswith(",") or behind.startswith(",")) and connected(behind, following, language)


def _dated(_: Element, text: str, behind: Element | None) -> str | None:
    if len(text) <= _NEAR and not _TWO_DIGITS.search(text):  # by far most texts of a page
        return None
    beginning = " ".join(text.split(None, _NEAR // 2)[: _NEAR // 2])[:_NEAR]  # so many words at least are as long as that
    return beginning if _YEAR.search(beginning) and (behind is None or _begins_line(behind)) else None


def _begins_line(behind: Element) -> bool:
    """Whether hardly anything stands in the line before the text behind this element: "Posted by [Ann Lee] on 5 May 2024"."""
    length = 0
    for text in islice(_backwards(behind), _MOST_BEFORE):
        length += _NEAR + 1 if text is None else len(squeeze(text))
        if length > _NEAR:
            return False
    return True


def _backwards(element: Element) -> Iterator[str | None]:
    """The texts of a line from this element back to where the line begins; None for a long one."""
    one, is_around = element, False
    while one.tag not in BREAKS:
        if not is_around and isinstance(one.tag, str):
            yield short_text(one, _NEAR)
        before, parent = one.getprevious(), one.getparent()
        if before is not None:
            yield before.tail or ""
            one, is_around = before, False
        elif parent is not None:
            yield parent.text or ""
            one, is_around = parent, True
        else:
            return


def _pieces(tree: Element, parts: PageParts, read: _Read, *, outside: bool = True) -> Iterator[str]:
    before: list[str] = []
    others: list[str] = []
    heading = frozenset() if parts.heading is None else frozenset(islice(parts.heading.iter(etree.Element), MAX_PIECES))
    passed = not heading
    found = 0
    for element, written, behind in islice(_written(tree), MAX_PIECES):
        passed = passed or element in heading
        text = read(element, written, behind)
        if text is None or parts.leads_out(element) or element in parts.samples:
            continue
        found += 1
        if found > MAX_FOUND:
            break
        if parts.is_outside(element):
            others.append(text)
        elif passed:
            yield text
        else:
            before.append(text)
    yield from (*reversed(before), *(others if outside else ()))


def _written(tree: Element) -> Iterator[tuple[Element, str, Element | None]]:
    """Every stretch of text as written, with the element it stands in, and the one that it stands behind there."""
    for element in tree.iter(etree.Element):
        if (text := element.text) and not text.isspace() and element.tag not in _UNSEEN:
            yield element, text, None
        if (text := element.tail) and not text.isspace() and (parent := element.getparent()) is not None and parent.tag not in _UNSEEN:
            yield parent, text, element
