"""Pages without a container; and which elements around a text say that it is none of an article."""

from __future__ import annotations

from collections.abc import Iterator

from lxml.etree import _Element as Element

from webarticlecurator.labelling.element_names import PagePart, role_of
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Outline
from webarticlecurator.survey.audit.audited_page import ROOT, AuditedPage, FindingKind, PageFinding
from webarticlecurator.text import element_text, squeeze, word_count

_NEVER = frozenset((
    "a", "aside", "button", "figcaption", "footer", "form", "h1", "head", "label", "nav", "noscript", "option", "script", "select", "style",
    "svg", "table", "template", "textarea", "title",
))  # fmt: skip
"""Article text outside of the container stands in none of these; a layout of tables is known by its container
standing in one."""


@FindingKind(
    10,
    "no-root",
    "{rule} finds no container: nothing of these pages is kept",
    "Look at one of the pages: body.root needs another alternative, or the pages a layout of their own.",
    share=0.01,
)
def no_container(audited: AuditedPage) -> Iterator[PageFinding]:
    """The rule of the container matches nothing; what the general finder takes for the article is shown."""
    if audited.article.outcome is PageOutcome.EMPTY and audited.container is None:
        located = audited.found_generally
        text = squeeze(" ".join(map(element_text, located.elements))) if located is not None else ""
        yield PageFinding(rule=rule_of_container(audited), words=word_count(text), text=text)


def rule_of_container(audited: AuditedPage) -> str:
    """Return the rule of the container, without its place; empty where the general finder looks for it."""
    return ROOT if audited.reading.rules.body.root is not None else ""


def is_no_text(around: list[Element]) -> bool:
    """True if what stands in these elements is no text of an article, by their tags or their names."""
    return any(element.tag in _NEVER for element in around) or any(map(_is_named, around))


def is_teaser(outline: Outline, own: list[int], linked: dict[int, bool]) -> bool:
    """Say whether links are much of it, or of what it stands in together with few other things. `linked`
    remembers what was asked before."""
    for row in own[:4]:  # levels on which a headline that is a link makes a teaser of it
        if row not in linked:
            linked[row] = sum(map(outline.length, outline.rows_in(row, "a"))) > 0.2 * outline.length(row)
        if linked[row]:
            return True
    return False


def _is_named(element: Element) -> bool:
    """Say whether its name says that it is something else than the article's text: a caption, a byline, a
    teaser."""
    role = role_of(element.get("class"), element.get("id"))
    if role is None or role.part in (PagePart.BODY, PagePart.LEAD):
        return False
    # a lead often stands in a "header", which may also be that of the site
    return role.certain or role.part is not PagePart.NAVIGATION
