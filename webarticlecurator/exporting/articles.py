"""An article on its way into an export: what was built of it, as far as this export shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson

from webarticlecurator.exporting.options import Part
from webarticlecurator.exporting.passages import Passage, Passages, passages_of

if TYPE_CHECKING:
    from webarticlecurator.building.database import BuiltArticle
    from webarticlecurator.model.analysis import Analysis

Changed = Callable[[dict[str, Any]], dict[str, Any]]
_COMMENTS = b'"comments":'
"""In JSON, no text can hold this: its quotes would be escaped there. No other key has the name."""


@dataclass(frozen=True, kw_only=True)
class ExportArticle:
    """One article of an export. What costs time is made when it is asked for, and once."""

    portal: str
    """Name of its portal."""
    built: BuiltArticle
    """As it is in the corpus: names in it are the real ones, whatever the export replaces. `record` is what may be shown."""
    analysis: Analysis | None = None
    parts: frozenset[Part] = frozenset()
    """What is shown beside the running text."""
    headline: bool = True
    listed_by: Callable[[], tuple[str, ...]] = tuple
    gone: str | None = None
    """When the site said first that it has it no more."""
    change: Changed | None = None
    """Replaces names in the data of the line."""
    pseudonyms: Mapping[str, str] = field(default_factory=dict)
    """Name -> what stands in its place; of whoever is named in this article and is not to be known."""

    @property
    def id(self) -> str:
        return self.built.id

    @cached_property
    def record(self) -> dict[str, Any]:
        """The line of JSON as data, with comments; names are replaced where the export wants that."""
        record = self.change(self.built.record) if self.change is not None else self.built.record
        return record if self.gone is None else {**record, "gone": self.gone}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the archive columns that listed it."""
        return self.listed_by()

    @cached_property
    def line(self) -> bytes:
        """The line of JSON; without comments, unless they are wanted."""
        without_comments = Part.COMMENTS not in self.parts and self.built.posts > 0 and _COMMENTS in self.built.line
        if self.change is None and self.gone is None and not without_comments:
            return self.built.line
        return orjson.dumps(self.shown_record)

    @cached_property
    def shown_record(self) -> dict[str, Any]:
        """`record`, without comments unless they are wanted."""
        if Part.COMMENTS in self.parts or "comments" not in self.record:
            return self.record
        return {name: value for name, value in self.record.items() if name != "comments"}

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Its running text in reading order."""
        return self._passages.shown

    @cached_property
    def text(self) -> str:
        """The passages joined by a line feed, without the headline."""
        return "\n".join(one.text for one in self.passages if one.kind != "title")

    @property
    def left_out(self) -> Mapping[Part, int]:
        """Parts of it that this export does not show -> how many; of passages, where they were made."""
        if "_passages" in self.__dict__:
            return self._passages.left_out
        comments = len(self.record.get("comments", ())) if "shown_record" in self.__dict__ and Part.COMMENTS not in self.parts else 0
        return {Part.COMMENTS: comments} if comments else {}

    @cached_property
    def _passages(self) -> Passages:
        return passages_of(
            self.record,
            parts=self.parts,
            headline=self.headline,
            language=self.built.language,
            languages=dict(self.analysis.parts) if self.analysis is not None else None,
        )
