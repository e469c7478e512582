"""Is what was read an article: or a listing, the teaser before a paywall, a page that says that it is not there, nothing at all?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.listings import why_listing
from webarticlecurator.model.article import Block, Post, plain_text
from webarticlecurator.model.metadata import Metadata, first_value
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.text import squeeze

_GATE = re.compile(
    r"(?<!no-)(?<!without-)(?:pay-?wall|reg-?wall|piano-(?:offer|container|inline)|tp-container-inner|subscribers?-only|content-gate|article-gate|"
    r"premium-(?:gate|wall|lock|overlay)|locked-content|paid-content|subscription-(?:gate|wall|offer))",
    re.IGNORECASE,
)
_OFFER = re.compile(r"(?<![a-z])(?:abo|abonn\w*|premium|subscri(?:be|ption)\w*|elofizet\w*)(?![a-z])", re.IGNORECASE)
"""Said of much on a page; of what stands behind a text that breaks off, it is a gate."""
_GATES_OF_SOFTWARE = frozenset({"gh-post-upgrade-cta"})
"""Classes of `aside`, each of which one software gives to what it puts in place of the rest of a text, and to nothing else (Ghost)."""
_WHOLE_SENTENCE = re.compile(r"""[.!?:;。！？।۔)][\W\d]*$""")
_BREAKS_OFF = re.compile(r"(?:…|\.\.\.|\[…\])\W*$")


_SAW_ALL, _SAW_TEASER = ("access as observed: full text",), ("access as observed: teaser only",)


def judge(
    page: Page, container: Container | None, blocks: Sequence[Block], posts: Sequence[Post], metadata: Metadata, home: str, length: int
) -> tuple[PageOutcome, str, tuple[str, ...]]:
    """The outcome of a page that could be read, why, and what we saw of the text, where there is anything to say about access.

    That is ours to say, and no field of the publisher's. `length`: of all text, posts included.
    """
    if not posts and (title := _says_not_there(page, metadata, length)):
        return PageOutcome.NOT_ARTICLE, f"it says that what was asked for is not there: “{title}”", ()
    if not posts and (listing := why_listing(page, container, metadata, home=home, length=length)):
        return PageOutcome.LISTING, listing, ()
    asides = (page.outline.elements[row] for row in _around(page, container) if page.outline.tags[row] == "aside")
    names = " ".join(aside.get("class") or "" for aside in asides).split()
    if gate := next((f"aside.{name}" for name in names if name in _GATES_OF_SOFTWARE), None):
        return PageOutcome.PAYWALL, f"the text ends at a gate ({gate}) after {length} characters", _SAW_TEASER
    if not length and not any(_shows(block) for block in blocks):
        missing = (
            "no container of an article's text was found on the page" if page.tree is not None else "body.root finds nothing in the JSON"
        )
        return PageOutcome.EMPTY, f"there is no text in it (container by {container.how})" if container is not None else missing, ()
    declared = first_value(metadata, "isAccessibleForFree")
    if declared == "false" and length >= 1_500:  # no teaser is longer
        return PageOutcome.ARTICLE, "", _SAW_ALL
    if declared != "false" and (declared or length >= 1_000):  # nor one of which nothing is declared
        return PageOutcome.ARTICLE, "", ()
    gate = _gate(page, container, _GATE)
    if gate is None and not posts:  # does the last paragraph break off?
        last = next((plain_text(block).rstrip() for block in reversed(blocks) if block.type == "paragraph"), "")
        if last and (_BREAKS_OFF.search(last) is not None or _WHOLE_SENTENCE.search(last) is None):
            gate = _gate(page, container, _OFFER)
    if not declared and gate is None:
        return PageOutcome.ARTICLE, "", ()
    said = "declared not free" if declared else "declared nothing about access"
    seen = f"and there is a gate ({gate})" if gate else "and no gate was recognised"
    return PageOutcome.PAYWALL, f"{said}; observed {length} characters of text, {seen}", _SAW_TEASER


def _shows(block: Block) -> bool:
    """A gallery without captions is an article, too."""
    return block.type in ("figure", "gallery", "embed", "social") or any(
        isinstance(child, Block) and _shows(child) for child in block.children
    )


def _around(page: Page, container: Container | None) -> range:
    """The rows of the elements around, in and behind the text."""
    last = page.outline.row_of.get(container.elements[-1]) if container is not None else None
    whole = max(page.outline.parents[last], 0) if last is not None else None
    return range(whole, page.outline.ends[whole]) if whole is not None else range(0)


def _gate(page: Page, container: Container | None, names: re.Pattern[str]) -> str | None:
    """The name of what stands in or behind the text and asks for money."""
    outline = page.outline
    for row in _around(page, container):
        tag, element = outline.tags[row], outline.elements[row]
        gate = names.search(f"{element.get('class') or ''} {element.get('id') or ''}") if tag not in ("body", "html") else None
        if gate is not None and outline.length(row) >= 20:
            return f"{tag}.{gate[0]}"
    return None


_ADDRESS = re.compile(r"/404(?:\.[a-z]{3,5}|/)?$")
_PHRASES = "|".join(Path(__file__).with_name("not_there_words.txt").read_text(encoding="utf-8").splitlines()[1:])
_BEFORE = r"(error|fehler|erreur|errore|erro|hiba|błąd|chyba|fout|fel|feil|fejl|virhe|eroare|greška|ошибка|http|oops|sorry|whoops)"
_SAYS_SO = re.compile(rf"({_BEFORE}\W+)*(404( {_BEFORE})?|(404\W+)?({_PHRASES})(\W+404)?)")
"""What a whole title says, lower case, without the site's name and marks around it."""


def _says_not_there(page: Page, metadata: Metadata, length: int) -> str | None:
    """The title by which the page says it, though the server answered as if it were there. One with a date of its own, or with a text, is
    an article, whatever it is called; software that dates all of its pages calls this one 404."""
    dated = any(not date.source.startswith(("listing:", "url")) for date in metadata.get("datePublished", ()))
    if (dated and not _ADDRESS.search(page.url)) or length > 800:  # such a page says what to do instead, and not much
        return None
    rows = (*page.outline.rows("title"), *page.outline.rows("h1"))[:3]
    titles = [squeeze(page.outline.text(row)) for row in rows]
    parts = (part for title in titles for part in (title, *re.split(r"\s+[|–—·»:-]\s+", title)))
    return next((part for part in parts if _SAYS_SO.fullmatch(part.casefold().strip(" .,:;!?…¡¿'\"„“”«»()[]"))), None)
