"""Words and sentences of running text: no model, nothing to download, and nothing of the text is lost.

`tokenize` gives sentences of tokens. Every token says which white space follows it, so that joining them gives the text back exactly.
"""

from __future__ import annotations

from webarticlecurator.tokens.sentences import Sentence, text_of, tokenize
from webarticlecurator.tokens.words import Token

__all__ = ["Sentence", "Token", "text_of", "tokenize"]
