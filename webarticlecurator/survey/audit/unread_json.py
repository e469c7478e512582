"""Does an answer in JSON hold far more text than the rules take? No general reader reads it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from webarticlecurator.document.parsed_page import parse_html
from webarticlecurator.survey.audit.audited_page import AuditedPage, FindingKind, PageFinding, is_prose
from webarticlecurator.survey.audit.container import rule_of_container
from webarticlecurator.text import element_text, squeeze, word_count

_MOST_VALUES = 20_000


@FindingKind(
    32,
    "root-too-small",
    "{rule} takes little of the answer: {tag} has far more text",
    "If it is of the article, body.root has to read it, as in `html_in: KEY` with `css: body`.",
    share=0.05,
    variety=0.6,
)
def text_in_json(audited: AuditedPage) -> Iterator[PageFinding]:
    """Tell the longest text of an answer in JSON, where the container is another one, or a part of it."""
    if audited.page.tree is not None or audited.container is None:
        return
    texts = list(_texts(audited.page.json))
    path, longest = max(texts, key=lambda named: len(named[1]), default=("", ""))
    tree = parse_html(longest) if longest else None
    text = squeeze(element_text(tree)) if tree is not None else ""
    if word_count(text) > 2 * audited.kept_words and is_prose(text):
        yield PageFinding(
            rule=rule_of_container(audited), tag=path, words=word_count(text) - audited.kept_words, text=text
        )


def _texts(answer: Any) -> Iterator[tuple[str, str]]:
    """Give the texts of an answer, each with the keys that lead to it."""
    waiting: list[tuple[str, Any]] = [("", answer)]
    for name, value in islice(waiting, _MOST_VALUES):
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, dict):
            waiting += [(f"{name}.{key}".strip("."), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(name, inner) for inner in value]
