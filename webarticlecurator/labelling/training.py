"""Training of the sequence model: in numpy alone, the same weights again from the same pages on the same
machine.

With several threads numpy adds in another order each time; the program `curator` allows it one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from webarticlecurator.labelling.features import Counts, Matrix, features
from webarticlecurator.labelling.labeller import CEILING, STEPS, TOP, Labeller, Layer, around
from webarticlecurator.labelling.text_blocks import TextBlock

_PER_UNIT = TOP / CEILING
_DILATIONS = (1, 2, 4, 8, 16)
_UNITS = (1, *(1 for _ in _DILATIONS), STEPS / _PER_UNIT)
"""Units of what each layer gives: between the layers the same, of the result others."""
_RATE = 2e-3
_FADING = 0.9
_FADING_OF_SQUARES = 0.999
_LEAST = 1e-8
_WARM = 0.1
"""Share of the steps in which the rate grows; then it falls to nothing."""
_WIDTH = 48
ROUNDS = 24
"""Rounds over all pages."""
AT_ONCE = 16
"""Pages of a step."""
_DROPPED = 0.1
"""Share of what flows that is left out at random, so that nothing leans on one feature."""
SEED = 13


class Example(NamedTuple):
    """A page with labels."""

    features: Matrix
    shares: Matrix
    """The share of main text in each block."""
    weights: Matrix
    """The weight of each block."""


class _Weights:
    """All weights with their gradients and Adam's memory of them, one list each."""

    def __init__(self, draw: np.random.Generator, inputs: int) -> None:
        self.values: list[Matrix] = []
        for rows, columns in ((inputs, _WIDTH), *((3 * _WIDTH, _WIDTH) for _ in _DILATIONS), (_WIDTH, 1)):
            weights = (draw.standard_normal((rows, columns)) * np.sqrt(1.5 / rows)).astype(np.float32)
            self.values += [weights, np.zeros(columns, np.float32)]
        self.means, self.squares = ([np.zeros_like(value) for value in self.values] for _ in range(2))

    def step(self, gradients: Sequence[Matrix], number: int, rate: float) -> None:
        for value, mean, square, gradient in zip(
            self.values,
            self.means,
            self.squares,
            gradients,
            strict=True,
        ):
            mean += (1 - _FADING) * (gradient - mean)
            square += (1 - _FADING_OF_SQUARES) * (gradient * gradient - square)
            fair = mean / (1 - _FADING**number)
            value -= rate * fair / (np.sqrt(square / (1 - _FADING_OF_SQUARES**number)) + _LEAST)


def labelled(blocks: Sequence[TextBlock], shares: Sequence[float]) -> Example:
    """Return a page whose blocks are known to be main text, or not, by so much; long blocks count more, but
    not as much more as they are long."""
    words = np.array([block.text.count(" ") + 1 for block in blocks], np.float32)
    return Example(
        features=features(blocks),
        shares=np.array(shares, np.float32),
        weights=np.sqrt(words) + np.float32(0.2),
    )


def train(
    examples: Sequence[Example],
    *,
    rounds: int = ROUNDS,
    at_once: int = AT_ONCE,
    told: Callable[[int, float], None] = lambda *_: None,
) -> Labeller:
    """Return a labeller for pages like these; `told` hears of each round and its mean loss."""
    draw = np.random.default_rng(SEED)
    every = np.concatenate([example.features for example in examples])
    offsets = every.mean(axis=0, dtype=np.float64).astype(np.float32)
    factors = (_PER_UNIT / np.maximum(every.std(axis=0, dtype=np.float64), 0.02)).astype(np.float32)
    scaled = (
        np.clip((example.features - offsets) * factors / _PER_UNIT, -CEILING, CEILING) for example in examples
    )
    ready = [
        example._replace(features=values.astype(np.float32))
        for example, values in zip(examples, scaled, strict=True)
    ]
    weights = _Weights(draw, every.shape[1])
    batches = -(-len(ready) // at_once)
    steps, number = rounds * batches, 0
    for round_number in range(rounds):
        order = draw.permutation(len(ready))
        losses = 0.0
        for batch in np.array_split(order, batches):
            number += 1
            loss, gradients = _pass([ready[index] for index in batch], weights.values, draw)
            done = number / steps
            rate = done / _WARM if done < _WARM else 0.5 * (1 + np.cos(np.pi * (done - _WARM) / (1 - _WARM)))
            weights.step(gradients, number, _RATE * rate)
            losses += loss
        told(round_number + 1, losses / batches)
    layers: list[Layer] = []  # of whole numbers, each layer's largest being the largest that there is
    for values, bias, dilation, per_unit in zip(
        weights.values[::2],
        weights.values[1::2],
        (0, *_DILATIONS, 0),
        _UNITS,
        strict=True,
    ):
        unit = float(np.abs(values).max()) / TOP or 1.0
        whole, whole_bias = (
            np.rint(numbers).astype(np.float32) for numbers in (values / unit, bias * _PER_UNIT / unit)
        )
        layers.append(
            Layer(weights=whole, bias=whole_bias, scale=np.float32(unit * per_unit), dilation=dilation),
        )
    return Labeller(offsets=offsets, factors=factors, layers=tuple(layers))


def _behind_one_another(pages: Sequence[Counts], gap: Counts) -> Counts:
    """Return the rows of pages, with a gap behind each that keeps them apart."""
    return np.concatenate([part for page in pages for part in (page, gap)])


def _column(pages: Sequence[Counts], gap: Counts) -> Counts:
    """Return the numbers of pages in one column, with a gap behind each."""
    return _behind_one_another(pages, gap[:, 0])[:, None]


def _pass(
    pages: Sequence[Example],
    weights: Sequence[Matrix],
    draw: np.random.Generator,
) -> tuple[float, list[Matrix]]:
    """Return the loss of a few pages, and by how much each weight makes it: forwards, then backwards."""
    gap = np.zeros((max(_DILATIONS), pages[0].features.shape[1]), np.float32)
    features = _behind_one_another([page.features for page in pages], gap)
    on_page = _column([np.ones(len(page.features), np.float32) for page in pages], gap)
    shares = _column([page.shares for page in pages], gap)
    counts = _column([page.weights / max(page.weights.sum(), 1e-6) for page in pages], gap)
    counts = (counts / len(pages)).astype(np.float32)

    kept = np.float32(1 / (1 - _DROPPED))
    inputs: list[Matrix] = []
    open_gates: list[Matrix] = []
    summed_gates: list[Counts] = []
    flow = features * ((draw.random(features.shape, np.float32) >= _DROPPED) * kept)
    for layer in range(len(_DILATIONS) + 1):
        inputs.append(around(flow, _DILATIONS[layer - 1]) if layer else flow)
        raw = inputs[-1] @ weights[2 * layer] + weights[2 * layer + 1]
        open_gates.append(((raw > 0) & (raw < CEILING) & (on_page > 0)).astype(np.float32))
        made = np.clip(raw, 0, CEILING) * on_page
        if layer:
            drop = (draw.random(made.shape, np.float32) >= _DROPPED) * kept
            made *= drop
            open_gates[-1] *= drop
            summed_gates.append(flow + made < CEILING)
            flow = np.minimum(flow + made, CEILING)
        else:
            flow = made
    chances = 1 / (1 + np.exp(-np.clip(flow @ weights[-2] + weights[-1], -30, 30)))
    loss = -float(
        (counts * (shares * np.log(chances + 1e-9) + (1 - shares) * np.log(1 - chances + 1e-9))).sum(),
    )

    gradients: list[Matrix] = [np.zeros(0, np.float32)] * len(weights)
    back = (chances - shares) * counts
    gradients[-2:] = [flow.T @ back, back.sum(axis=0)]
    back = back @ weights[-2].T
    for layer in range(len(_DILATIONS), -1, -1):
        if layer:
            back = back * summed_gates[layer - 1]
        raw_back = back * open_gates[layer]
        gradients[2 * layer] = inputs[layer].T @ raw_back
        gradients[2 * layer + 1] = raw_back.sum(axis=0)
        if layer:
            before, itself, behind = np.split(raw_back @ weights[2 * layer].T, 3, axis=1)
            dilation = _DILATIONS[layer - 1]
            back = back + itself
            back[:-dilation] += before[dilation:]
            back[dilation:] += behind[:-dilation]
    return loss, gradients
