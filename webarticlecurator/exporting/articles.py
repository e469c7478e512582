"""An article on its way into an export: what was built of it, as far as this export shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from webarticlecurator.exporting.export_options import ExportOptions, Part
from webarticlecurator.exporting.passages import Passage, passages_of

if TYPE_CHECKING:
    from webarticlecurator.building.database import BuiltArticle
    from webarticlecurator.model.analysis import Analysis


@dataclass(frozen=True, kw_only=True)
class ExportArticle:
    """One article of an export. What costs time is made when it is asked for, and once."""

    portal: str
    """Name of its portal."""
    built: BuiltArticle
    """As it is in the corpus: names in it are the real ones, whatever the export replaces. `record` is what may be shown."""
    options: ExportOptions
    analysis: Analysis | None = None
    listed_by: Callable[[], tuple[str, ...]] = tuple
    rights: str | None = None
    """What the portal file says of rights."""
    gone: str | None = None
    """When the site said first that it has it no more."""
    change: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """Replaces names in the data of the line."""
    pseudonyms: Mapping[str, str] = field(default_factory=dict)
    """Name -> what stands in its place; of whoever is named in this article and is not to be known."""
    left_out: dict[Part, int] = field(default_factory=dict)
    """Parts of it that this export does not show -> how many; told by what makes its text or its line."""

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
    def passages(self) -> tuple[Passage, ...]:
        """Its running text in reading order."""
        shown, left_out = passages_of(
            self.record,
            parts=self.options.with_,
            headline=self.options.headline,
            language=self.built.language,
            languages=dict(self.analysis.parts) if self.analysis is not None else {},
        )
        self.left_out.update(left_out)
        return shown

    @cached_property
    def text(self) -> str:
        """The passages joined by a line feed, without the headline."""
        return "\n".join(passage.text for passage in self.passages if passage.kind != "title")
