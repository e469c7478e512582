"""How much of our text does another reader have, how much more, which words has only one of both, and are its metadata right?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from unicodedata import normalize

from webarticlecurator.comparing.tools import ToolReading, Values
from webarticlecurator.databases import Row
from webarticlecurator.labelling.truth import words_of
from webarticlecurator.text import folded, visible, word_count

ALL = "all there is"
VERSIONS = ("page", "container", "kept")
"""What a reader is given: the whole page, the container of the article alone, and what we kept alone."""
FIELDS = ("author", "headline", "keywords", "datePublished")
_SHARES, _KINDS = ("precision", "recall", "f1"), ("surplus", "lacking")
_MOST_WORDS, _TOLD = 100_000, 12
"""Different words that are counted, beyond which the rarer half is forgotten; and those that are told."""


class ComparedReaders:
    """Sums over pages, of ourselves (or of whoever is `right`) and of readers."""

    def __init__(self, right: str, readers: Sequence[str]) -> None:
        self.pages = 0
        self._right, self._readers = right, readers
        self._words = {name: Counter[str]() for name in (ALL, right, *readers)}
        self._shares: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._only = {(name, kind): Counter[str]() for name in readers for kind in _KINDS}
        self._values = {(name, field): Counter[str]() for name in (right, *readers) for field in FIELDS}

    def add(
        self, ours: ToolReading, texts: Sequence[str], readings: Mapping[str, Sequence[ToolReading]], known: Values
    ) -> dict[str, float]:
        """One page: `texts` is all that its versions have, `known` what its metadata are. Gives the F1 of each reader's text."""
        own = {ALL: [ours._replace(text=text) for text in texts], self._right: [ours] * len(texts)}
        for name, versions in {**own, **readings}.items():
            for version, reading in zip(VERSIONS, versions, strict=False):
                beside = filter(None, chain.from_iterable(reading.metadata.values()))
                words, more = word_count(reading.text), word_count(" ".join(beside))
                self._words[name].update({version: words, f"{version}_with_metadata": words + more})
        judged = readings if known is ours.metadata else {self._right: [ours], **readings}
        for name, versions in judged.items():
            for field in known.keys() & set(FIELDS):
                both = (filter(None, values.get(field, ())) for values in (versions[0].metadata, known))
                # of dates the day, of other values letters and digits
                said, right = ({value[:10] if field == "datePublished" else folded(value) for value in values} for values in both)
                self._values[name, field].update(right=len(said & right), said=len(said), wanted=len(right))
        self.pages += 1
        f1, wanted = dict[str, float](), _bag(ours.text)
        for name, versions in readings.items():  # words, whatever their order; two empty texts are the same
            bag = _bag(versions[0].text)
            wholes = (bag.total(), wanted.total(), (bag.total() + wanted.total()) / 2)
            for share, whole in zip(_SHARES, wholes, strict=True):
                f1[name] = (bag & wanted).total() / whole if whole else float(not (bag or wanted))
                self._shares[name, share] += f1[name]
            for kind, surplus in zip(_KINDS, (bag - wanted, wanted - bag), strict=True):
                self._only[name, kind].update(surplus)
                if len(self._only[name, kind]) > _MOST_WORDS:
                    self._only[name, kind] = Counter(dict(self._only[name, kind].most_common(_MOST_WORDS // 2)))
        return f1

    def tables(self) -> dict[str, list[Row]]:
        """Means over the pages for texts, sums for words and metadata; without the fields that a reader does not read."""
        text, metadata = [], []
        for name in self._readers:
            shares = {share: round(self._shares[name, share] / self.pages, 4) for share in _SHARES}
            text.append(Row(reader=name, **shares, **{kind: self._only[name, kind].most_common(_TOLD) for kind in _KINDS}))
        for (name, field), row in self._values.items():
            if row["said"]:
                shares = {share: round(row["right"] / (row[of] or 1), 4) for share, of in zip(_SHARES, ("said", "wanted"), strict=False)}
                metadata.append(Row(reader=name, field=field, **shares, **row))
        return {"words": [Row(reader=name, **words) for name, words in self._words.items()], "text": text, "metadata": metadata}


def _bag(text: str) -> Counter[str]:
    return Counter(words_of(normalize("NFKC", visible(text))))
