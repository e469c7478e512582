"""A labeller: a trained network with what it looks at, kept in one file that can hold nothing but numbers."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from webarticlecurator.errors import UsageError
from webarticlecurator.labelling.features import NAMES, features
from webarticlecurator.labelling.network import TOP, Layer, Network
from webarticlecurator.labelling.text_blocks import TextBlock
from webarticlecurator.labelling.words_and_tags import Vocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix: TypeAlias = NDArray[np.float32]

FORM = 1
"""Of the file; another one is of another version."""
MOST_BLOCKS = 20_000
"""Of a page that is looked at: the longest that any was trained on has 3,000."""
_MOST_BYTES = 20_000_000
_EXACT = 2**24
"""Sums of whole numbers below this are exact in float32."""
_NAME_OF_FORM = "form"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labeller:
    """Tells of each text block how much of it is main text."""

    network: Network
    vocabulary: Vocabulary | None = None
    """Of one that looks at words and tags instead of the features of blocks."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What it was trained on, for people."""

    def shares(self, blocks: Sequence[TextBlock]) -> list[float] | None:
        """From 0 to 1, one a block; None for a page of more than `MOST_BLOCKS`."""
        if len(blocks) > MOST_BLOCKS:
            return None
        return self.network.shares(seen(blocks, self.vocabulary)) if blocks else []


def seen(blocks: Sequence[TextBlock], vocabulary: Vocabulary | None) -> Matrix:
    """What a labeller looks at: the features of blocks, or with a vocabulary their words and tags."""
    return features(blocks) if vocabulary is None else vocabulary.counts(blocks)


def chosen(shares: Sequence[float], least: float = 0.5) -> list[bool]:
    """Which blocks are main text; on a page of which nothing is sure, those that are at least half as sure as the surest."""
    bound = min(least, max(shares, default=0.0) / 2)
    return [share >= bound and share > 0 for share in shares]


def written(labeller: Labeller) -> bytes:
    """The file: the same bytes for the same labeller."""
    network, words = labeller.network, labeller.vocabulary
    told = {
        _NAME_OF_FORM: FORM,
        "features": list(NAMES) if words is None else None,
        "tags": None if words is None else list(words.tags),
        "words": None if words is None else list(words.words),
        "dilations": [layer.dilation for layer in network.layers],
        "about": dict(labeller.about),
    }
    arrays: dict[str, NDArray[Any]] = {"told": np.frombuffer(json.dumps(told, ensure_ascii=False, sort_keys=True).encode(), np.uint8)}
    arrays.update(offsets=network.offsets, factors=network.factors)
    for number, layer in enumerate(network.layers):
        arrays[f"weights{number}"] = layer.weights.astype(np.int8)
        arrays[f"bias{number}"] = layer.bias.astype(np.int32)
        arrays[f"scale{number}"] = np.array(layer.scale, np.float32)
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as members:
        for name, array in arrays.items():
            content = BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            # with all sizes known beforehand every Python writes the same bytes, which `numpy.savez` does not
            members.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getvalue())
    return file.getvalue()


def read(path: Path) -> Labeller:
    """Raises UsageError for what is no labeller, or one of another version: the file may be anybody's."""
    try:
        with zipfile.ZipFile(path) as members:
            if sum(member.file_size for member in members.infolist()) > _MOST_BYTES:
                raise ValueError(f"it holds more than {_MOST_BYTES:,} bytes")
        with np.load(path, allow_pickle=False) as arrays:
            return _of_arrays({name: arrays[name] for name in arrays.files})
    except FileNotFoundError:
        raise UsageError(f"There is no labeller in {path}.", advice="train") from None
    except (OSError, ValueError, KeyError, IndexError, TypeError, EOFError, zipfile.BadZipFile) as problem:
        raise UsageError(f"{path} is no labeller that this version of curator can read: {problem}. Train it again.") from None


def _of_arrays(arrays: Mapping[str, Any]) -> Labeller:
    told = json.loads(arrays["told"].tobytes())
    if not isinstance(told, dict) or told.get(_NAME_OF_FORM) != FORM:
        raise ValueError("it is of another version")
    vocabulary = None
    if told["words"] is not None:
        vocabulary = Vocabulary(tags=tuple(map(str, told["tags"])), words=tuple(map(str, told["words"])))
    elif told["features"] != list(NAMES):
        raise ValueError("it looks at other features")
    layers = tuple(_layer(arrays, number, int(dilation)) for number, dilation in enumerate(told["dilations"]))
    network = Network(offsets=_numbers(arrays["offsets"]), factors=_numbers(arrays["factors"]), layers=layers)
    width = len(NAMES) if vocabulary is None else vocabulary.width
    network.shares(np.zeros((1, width), np.float32))  # a ValueError where its layers do not fit one another
    return Labeller(network=network, vocabulary=vocabulary, about=told["about"])


def _layer(arrays: Mapping[str, Any], number: int, dilation: int) -> Layer:
    weights, bias = arrays[f"weights{number}"].astype(np.float32), arrays[f"bias{number}"].astype(np.float32)
    if (np.abs(weights).sum(axis=0) * TOP + np.abs(bias)).max() >= _EXACT:
        raise ValueError("its weights are too large")
    return Layer(weights=weights, bias=bias, scale=np.float32(_numbers(arrays[f"scale{number}"])), dilation=dilation)


def _numbers(array: Any) -> Matrix:
    if array.dtype != np.float32 or not np.isfinite(array).all():
        raise ValueError("its numbers are none")
    numbers: Matrix = array
    return numbers


# --- the general one, which ships: which blocks of any page are its main text ---

FILE = Path(__file__).with_name("general.npz")


@cache
def labeller_in(file: Path = FILE) -> Labeller:
    """Read once a process. Raises UsageError for what is no labeller."""
    return read(file)


def content_shares(blocks: Sequence[TextBlock], file: Path = FILE) -> list[float] | None:
    """For each block how much of it is taken for main text, from 0 to 1; None for a page of too many blocks: callers fall back.

    `file`: a labeller of one's own.
    """
    return labeller_in(file).shares(blocks)
