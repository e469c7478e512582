"""Lines that repeat what the metadata have: who wrote an article, and on which day it appeared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from webarticlecurator.model.metadata import Metadata
from webarticlecurator.survey.audit.text import is_prose, word_count

_LONGEST = 15
"""Words; a longer line tells something of the author."""
_SHORTEST_NAME = 7
_NUMBER = re.compile(r"(?<!\d)[0-9]{1,4}(?!\d)")


@dataclass(frozen=True, slots=True)
class Byline:
    """What a line of one article must hold to be a byline."""

    names: tuple[str, ...]
    day: frozenset[int]
    """The numbers of the year and the day of publication, which are in every date, however it is written."""

    @classmethod
    def of(cls, metadata: Metadata) -> Byline:
        """What the metadata of an article make a byline."""
        names = tuple(found.value for found in metadata.get("author", ()) if len(found.value) >= _SHORTEST_NAME)
        published = metadata.get("datePublished")
        try:
            day = date.fromisoformat(published[0].value[:10]) if published else None
        except ValueError:
            day = None
        return cls(names, frozenset({day.year, day.day} if day else ()))

    def is_in(self, text: str) -> bool:
        """Whether a text is a byline."""
        if word_count(text) > _LONGEST or is_prose(text):
            return False
        dated = bool(self.day) and self.day <= {int(digits) for digits in _NUMBER.findall(text)}
        return dated or any(name in text for name in self.names)
