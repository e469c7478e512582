"""The article's part of a document: what it says about the article, without when and by what it was made."""

from __future__ import annotations

import re

# Text, because documents are written by us: `<` stands for nothing but markup in them, and there is neither CDATA nor a comment.
_MADE_BY = re.compile(rb"<appInfo[ >].*?</appInfo>|<revisionDesc[ >].*?</revisionDesc>", re.DOTALL)
_PUBLISHED = re.compile(rb'<date when="[0-9-]*"/>(?=<idno type="curator">)')


def article_part(document: bytes) -> bytes:
    """The document without `appInfo`, the date in `publicationStmt`, and `revisionDesc`: equal parts need no new file."""
    return _PUBLISHED.sub(b"", _MADE_BY.sub(b"", document), count=1)
