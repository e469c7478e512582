"""The network is made of whole numbers, so that it says the same on every machine, and it can be taught."""

from __future__ import annotations

import numpy as np

from webarticlecurator.labelling.labeller import Labeller, written
from webarticlecurator.labelling.network import Network, around
from webarticlecurator.labelling.training import Example, Plan, train


def invented(number: int) -> Example:
    """A page of 30 blocks: main text is where the first feature is large, and in the midst of such blocks whatever it is."""
    draw = np.random.default_rng(number)
    rows = draw.random((30, 5), np.float32)
    rows[:, 0] = 0
    begin = int(draw.integers(2, 12))
    rows[begin : begin + 11 : 2, 0] = 1
    shares = np.zeros(30, np.float32)
    shares[begin : begin + 11] = 1
    return Example(features=rows, shares=shares, weights=np.ones(30, np.float32))


def trained(seed: int = 1) -> Network:
    return train([invented(number) for number in range(60)], Plan(width=8, rounds=30, pages_at_once=4, seed=seed))


def test_what_is_trained_finds_what_stands_in_the_midst() -> None:
    network = trained()
    right = 0
    for number in range(100, 110):
        page = invented(number)
        right += sum((share > 0.5) == wanted for share, wanted in zip(network.shares(page.features), page.shares, strict=True))
    assert right >= 290


def test_the_same_pages_and_seed_make_the_same_file() -> None:
    assert written(Labeller(network=trained())) == written(Labeller(network=trained()))
    assert written(Labeller(network=trained())) != written(Labeller(network=trained(seed=2)))


def test_every_weight_and_every_sum_is_a_whole_number_that_float32_holds() -> None:
    for layer in trained().layers:
        assert (layer.weights == np.rint(layer.weights)).all()
        assert np.abs(layer.weights).max() <= 127
        assert (np.abs(layer.weights).sum(axis=0) * 127 + np.abs(layer.bias)).max() < 2**24


def test_the_order_in_which_sums_are_made_does_not_matter() -> None:
    network, page = trained(), invented(200)
    turned = np.arange(7, -1, -1)
    layers = [network.layers[0]]
    layers[0] = type(layers[0])(
        weights=layers[0].weights[:, turned], bias=layers[0].bias[turned], scale=layers[0].scale, dilation=layers[0].dilation
    )
    for layer in network.layers[1:-1]:
        weights = np.concatenate([third[turned][:, turned] for third in np.split(layer.weights, 3)])
        layers.append(type(layer)(weights=weights, bias=layer.bias[turned], scale=layer.scale, dilation=layer.dilation))
    last = network.layers[-1]
    layers.append(type(last)(weights=last.weights[turned], bias=last.bias, scale=last.scale, dilation=0))
    other = Network(offsets=network.offsets, factors=network.factors, layers=tuple(layers))
    assert other.shares(page.features) == network.shares(page.features)


def test_a_block_sees_those_before_and_behind_it() -> None:
    flow = np.array([[1], [2], [3]], np.float32)
    assert around(flow, 1).tolist() == [[0, 1, 2], [1, 2, 3], [2, 3, 0]]
    assert around(flow, 8).tolist() == [[0, 1, 0], [0, 2, 0], [0, 3, 0]]


def test_a_page_of_one_block_is_a_page() -> None:
    assert len(trained().shares(invented(1).features[:1])) == 1
