"""The article's part of a document: what it says about the article, without when and by what it was made."""

from __future__ import annotations

import re

# Text, because documents are written by us: `<` stands for nothing but markup in them, and there is neither CDATA nor a comment.
_MADE_BY = re.compile(rb"<appInfo[ >].*?</appInfo>|<revisionDesc[ >].*?</revisionDesc>", re.DOTALL)
_PUBLISHED = re.compile(rb"(<publicationStmt[ >].*?)<date [^>]*/>(.*?</publicationStmt>)", re.DOTALL)


def article_part(document: bytes) -> bytes:
    """The document without `appInfo`, `publicationStmt/date` and `revisionDesc`: equal parts need no new file."""
    return _PUBLISHED.sub(rb"\1\2", _MADE_BY.sub(b"", document), count=1)
