"""A labeller: the trained sequence model with what it looks at, kept in one file that can hold nothing but
numbers.

For each text block of a page it tells how much of it is main text, seen in the midst of its neighbours, by
layers of dilated convolutions. All weights and all that flows between the layers are whole numbers small
enough that float32 holds their sums exactly: so the matrix products, whatever library makes them and in
whatever order it adds, and with them the result, are the same on every machine.
"""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from webarticlecurator.errors import UsageError
from webarticlecurator.labelling.features import NAMES, Counts, Matrix, features
from webarticlecurator.labelling.text_blocks import TextBlock

TOP = 127
"""The largest whole number that flows."""
CEILING = 4.0
"""The value that it stands for between the layers, where training sees it."""
STEPS = 16
"""Units of the result, before it becomes a share."""
_SHARES = np.array([round(1 / (1 + math.exp(-step / STEPS)), 4) for step in range(-TOP, TOP + 1)])
FORM = 2
"""Format of the file; another one is of another version."""
MOST_BLOCKS = 20_000
"""Most blocks of a page that are looked at: the longest page of the training has 3,000."""
GENERAL = Path(__file__).with_name("general.npz")
"""The one that ships: which blocks of any page are its main text."""
_MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layer:
    """A layer of the model: whole numbers as float32, and what a sum is multiplied by to be one that flows
    again."""

    weights: Matrix
    """The weights, as (inputs, outputs); of a dilated layer the inputs are those of the block before, the
    block and the block behind."""
    bias: Matrix
    scale: np.float32
    dilation: int
    """Distance to blocks before and behind that it looks at; 0: at the block alone."""


def around(flow: Matrix, dilation: int) -> Matrix:
    """Return each row with so many before and behind it; zeros where there is none."""
    wide = np.zeros((len(flow), 3 * flow.shape[1]), np.float32)
    before, itself, behind = np.split(wide, 3, axis=1)
    before[dilation:] = flow[:-dilation]
    itself[:] = flow
    behind[:-dilation] = flow[dilation:]
    return wide


def _whole(values: Matrix, least: int) -> Matrix:
    rounded: Matrix = np.clip(np.rint(values), np.float32(least), np.float32(TOP))
    return rounded


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labeller:
    """Tells of each text block how much of it is main text."""

    offsets: Matrix
    factors: Matrix
    """A feature becomes a whole number by these."""
    layers: tuple[Layer, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    """A note on what it was trained on, for people."""

    def shares(self, blocks: Sequence[TextBlock]) -> list[float] | None:
        """Return the share of main text from 0 to 1, one a block; None for a page of more than
        `MOST_BLOCKS`."""
        if len(blocks) > MOST_BLOCKS:
            return None
        return self.shares_by(features(blocks)) if blocks else []

    def shares_by(self, features: Matrix) -> list[float]:
        """Return the shares by what the blocks are like."""
        flow = _whole((features - self.offsets) * self.factors, -TOP)
        for layer in self.layers[:-1]:
            if layer.dilation:
                added = _whole((around(flow, layer.dilation) @ layer.weights + layer.bias) * layer.scale, 0)
                flow = np.minimum(flow + added, np.float32(TOP))
            else:
                flow = _whole((flow @ layer.weights + layer.bias) * layer.scale, 0)
        last = self.layers[-1]
        steps = _whole((flow @ last.weights + last.bias) * last.scale, -TOP)[:, 0]
        return [float(share) for share in _SHARES[steps.astype(np.intp) + TOP]]


def chosen(shares: Sequence[float]) -> list[bool]:
    """Return which blocks are main text; on a page of which nothing is sure, those that are at least half as
    sure as the surest."""
    bound = min(0.5, max(shares, default=0.0) / 2)
    return [share >= bound and share > 0 for share in shares]


def written(labeller: Labeller) -> bytes:
    """Return the file: the same bytes for the same labeller."""
    dilations = [layer.dilation for layer in labeller.layers]
    head = {"form": FORM, "features": list(NAMES), "dilations": dilations, "about": dict(labeller.about)}
    text = json.dumps(head, ensure_ascii=False, sort_keys=True).encode("utf-8", "backslashreplace")
    arrays: dict[str, Counts] = {"head": np.frombuffer(text, np.uint8)}
    arrays.update(offsets=labeller.offsets, factors=labeller.factors)
    for number, layer in enumerate(labeller.layers):
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


@cache
def labeller_in(path: Path = GENERAL) -> Labeller:
    """Read once a process. Raises UsageError for what is no labeller, or one of another version: the file may
    be anybody's."""
    try:
        with zipfile.ZipFile(path) as members:
            if sum(member.file_size for member in members.infolist()) > _MOST_BYTES:
                raise ValueError(f"it holds more than {_MOST_BYTES:,} bytes")
        with np.load(path, allow_pickle=False) as arrays:
            head = json.loads(arrays["head"].tobytes())
            if head["form"] != FORM:
                raise ValueError("it is of another version")
            if head["features"] != list(NAMES):
                raise ValueError("it looks at other features")
            layers: list[Layer] = []
            for number, dilation in enumerate(head["dilations"]):
                weights, bias = (arrays[f"{name}{number}"].astype(np.float32) for name in ("weights", "bias"))
                if (
                    np.abs(weights).sum(axis=0) * TOP + np.abs(bias)
                ).max() >= 2**24:  # sums below it are exact in float32
                    raise ValueError("its weights are too large")
                scale = np.float32(_numbers(arrays[f"scale{number}"]))
                layers.append(Layer(weights=weights, bias=bias, scale=scale, dilation=int(dilation)))
            offsets, factors = (_numbers(arrays[name]) for name in ("offsets", "factors"))
            labeller = Labeller(offsets=offsets, factors=factors, layers=tuple(layers), about=head["about"])
            labeller.shares_by(
                np.zeros((1, len(NAMES)), np.float32),
            )  # a ValueError where its layers do not fit one another
            return labeller
    except FileNotFoundError:
        raise UsageError(f"There is no labeller in {path}.", advice="train") from None
    except (OSError, ValueError, KeyError, IndexError, TypeError, EOFError, zipfile.BadZipFile) as problem:
        raise UsageError(
            f"{path} is no labeller that this version of curator can read: {problem}. Train it again.",
        ) from None


def _numbers(array: Any) -> Matrix:
    if array.dtype != np.float32 or not np.isfinite(array).all():
        raise ValueError("its numbers are none")
    numbers: Matrix = array
    return numbers
