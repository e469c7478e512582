"""The sequence model: for each text block of a page, how much of it is main text, seen in the midst of its neighbours.

Layers of dilated convolutions. All weights and all that flows between the layers are whole numbers small enough that float32 holds their
sums exactly: so the matrix products, whatever library makes them and in whatever order it adds, and with them the result, are the same on
every machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix: TypeAlias = NDArray[np.float32]

TOP = 127
"""The largest whole number that flows."""
CEILING = 4.0
"""What it stands for between the layers, where training sees it."""
STEPS = 16
"""Of a unit of the result, before it becomes a share."""
_SHARES = np.array([round(1 / (1 + math.exp(-step / STEPS)), 4) for step in range(-TOP, TOP + 1)])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layer:
    """Whole numbers as float32, and what a sum is multiplied by to be one that flows again."""

    weights: Matrix
    """(inputs, outputs); of a dilated layer the inputs are those of the block before, the block and the block behind."""
    bias: Matrix
    scale: np.float32
    dilation: int
    """How far before and behind it looks; 0: at the block alone."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Network:
    """What is trained, as it is used."""

    offsets: Matrix
    factors: Matrix
    """A feature becomes a whole number by these."""
    layers: tuple[Layer, ...]

    def shares(self, features: Matrix) -> list[float]:
        """For each row how much of the block is main text, from 0 to 1."""
        flow = _whole((features - self.offsets) * self.factors, -TOP)
        for layer in self.layers[:-1]:
            if layer.dilation:
                flow = np.minimum(
                    flow + _whole((around(flow, layer.dilation) @ layer.weights + layer.bias) * layer.scale, 0), np.float32(TOP)
                )
            else:
                flow = _whole((flow @ layer.weights + layer.bias) * layer.scale, 0)
        last = self.layers[-1]
        steps = _whole((flow @ last.weights + last.bias) * last.scale, -TOP)[:, 0]
        return [float(share) for share in _SHARES[steps.astype(np.intp) + TOP]]


def around(flow: Matrix, dilation: int) -> Matrix:
    """Each row with those so many before and behind it; zeros where there is none."""
    wide = np.zeros((len(flow), 3 * flow.shape[1]), np.float32)
    before, itself, behind = np.split(wide, 3, axis=1)
    before[dilation:] = flow[:-dilation]
    itself[:] = flow
    behind[:-dilation] = flow[dilation:]
    return wide


def _whole(values: Matrix, least: int) -> Matrix:
    rounded: Matrix = np.clip(np.rint(values), np.float32(least), np.float32(TOP))
    return rounded
