"""Layers of annotations in an export: which one is shown, what it says of a passage, and how many passages it
does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from webarticlecurator.amounts import amount
from webarticlecurator.annotations.layer import COLUMNS, NO_LAYER, About, Layer, Sentence, layer_names
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.export_options import ExportOptions, did_you_mean
from webarticlecurator.exporting.exporter import ExportedPortal
from webarticlecurator.exporting.harmless import one_line


class ShownLayer:
    """The layer of this name, of each portal that has it."""

    def __init__(self, name: str, by_portal: Mapping[str, Layer]) -> None:
        self.name = name
        self._by_portal = by_portal
        known = {column for layer in by_portal.values() for column in layer.columns}
        self.columns = tuple(column for column in COLUMNS if column in known)
        """The columns that it has any value in."""
        self._passages: Counter[bool] = Counter()
        """The number of passages that it knows, and that it does not know."""

    def about(self, portal: str) -> About | None:
        """Return where it comes from."""
        layer = self._by_portal.get(portal)
        return layer.about if layer is not None else None

    def passage(self, portal: str, article: str, text: str) -> tuple[Sentence, ...]:
        """Return the sentences of a passage, given its composed text; none where it is not annotated."""
        layer = self._by_portal.get(portal)
        sentences = (layer.passage(article, text) if layer is not None else None) or ()
        self._passages[bool(sentences)] += 1
        return sentences

    @property
    def notes(self) -> list[str]:
        """Return what is to be told in the end: where it comes from, and how much of the text it knows."""
        known, unknown = self._passages[True], self._passages[False]
        origins = {origin_of(layer.about) for layer in self._by_portal.values()}
        rest = amount(unknown, "passage is not annotated", "passages are not annotated")
        has_lack = f"; {rest}, and without lemmas and the like" if unknown else ""
        made_by = " and ".join(sorted(origins))
        return [f"Layer {self.name}, by {made_by}: {amount(known, 'passage')} annotated{has_lack}."]


def origin_of(about: About) -> str:
    """Return the program, its version, the model and the day on one line."""
    told = (f"`{about.command}`", about.version, about.model, about.day)
    return one_line(", ".join(filter(None, told)))


def open_layer(
    stack: ExitStack, portals: Sequence[ExportedPortal], options: ExportOptions
) -> ShownLayer | None:
    """Open the layer that a person names, else the only one that there is. Raises UsageError where none has
    that name, or nobody says which."""
    by_portal = {portal.name: layer_names(portal.corpus.folder) for portal in portals}
    there_are = sorted({name for names in by_portal.values() for name in names})
    if options.layer == NO_LAYER:
        return None
    if options.layer is not None and options.layer not in there_are:
        raise UsageError(
            f"--layer {options.layer}: there is no such layer. {did_you_mean(options.layer, there_are)}"
            f"There are: {', '.join((*there_are, NO_LAYER))}."
        )
    if options.layer is None and len(there_are) > 1:
        raise UsageError(
            f"There are several layers of annotations: {', '.join(there_are)}. Name one with --layer; "
            f"--layer {NO_LAYER} leaves them out."
        )
    if not there_are:
        return None
    name = options.layer or there_are[0]
    opened = {
        portal.name: stack.enter_context(Layer.reading(portal.corpus.folder, name))
        for portal in portals
        if name in by_portal[portal.name]
    }
    return ShownLayer(name, opened)
