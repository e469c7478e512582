"""The other network that a labeller could be: a bidirectional LSTM of the same size, beside ours on the same pages.

    OPENBLAS_NUM_THREADS=1 python benchmarks/labeller_lstm.py

Both are trained on four fifths of the hosts of WCXB and judged on the last fifth. The pages are not part of the project: without them
there is nothing to do.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from labeller import labelled_pages, print_scores
from reader_score import DATA, WCXB

from webarticlecurator.labelling.evaluation import score
from webarticlecurator.labelling.training import Example, Plan, labelled, train

WIDTH, ROUNDS, PAGES_AT_ONCE, RATE, MOST_STEPS = 48, 8, 16, 4e-3, 500
"""Pages of more blocks are cut for training: the gradient goes back through all of them."""
Array = Any


def sigmoid(values: Array) -> Array:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))


def forwards(inputs: Array, weights: Array, bias: Array) -> tuple[Array, list[Any]]:
    """(steps, pages, features) of one direction -> (steps, pages, width), and what going backwards needs."""
    state = cell = np.zeros((inputs.shape[1], WIDTH), np.float32)
    from_inputs = inputs @ weights[:-WIDTH] + bias
    outputs, kept = np.empty((*inputs.shape[:2], WIDTH), np.float32), []
    for step in range(len(inputs)):
        raw = from_inputs[step] + state @ weights[-WIDTH:]
        gates = sigmoid(raw[:, : 3 * WIDTH])
        enter, forget, leave = np.split(gates, 3, axis=1)
        new = np.tanh(raw[:, 3 * WIDTH :])
        before, old = cell, state
        cell = forget * cell + enter * new
        shown = np.tanh(cell)
        state = leave * shown
        outputs[step] = state
        kept.append((old, before, enter, forget, leave, new, shown))
    return outputs, kept


def backwards(inputs: Array, weights: Array, kept: list[Any], gradient: Array) -> tuple[Array, Array]:
    own = weights[-WIDTH:].T.copy()
    raws = np.empty((*inputs.shape[:2], 4 * WIDTH), np.float32)
    states = np.stack([one[0] for one in kept])
    state_back = cell_back = np.zeros((inputs.shape[1], WIDTH), np.float32)
    for step in range(len(inputs) - 1, -1, -1):
        _, before, enter, forget, leave, new, shown = kept[step]
        state_back = state_back + gradient[step]
        cell_back = cell_back + state_back * leave * (1 - shown * shown)
        raw = np.concatenate(
            (
                cell_back * new * enter * (1 - enter),
                cell_back * before * forget * (1 - forget),
                state_back * shown * leave * (1 - leave),
                cell_back * enter * (1 - new * new),
            ),
            axis=1,
        )
        raws[step] = raw
        state_back, cell_back = raw @ own, cell_back * forget
    flat = raws.reshape(-1, 4 * WIDTH)
    of_weights = np.concatenate((inputs.reshape(len(flat), -1).T @ flat, states.reshape(len(flat), -1).T @ flat))
    return of_weights, flat.sum(axis=0)


def passed(weights: list[Array], pages: Sequence[Example]) -> tuple[list[Array], float]:
    """Gradients and loss of a few pages."""
    steps = min(max(len(page.shares) for page in pages), MOST_STEPS)
    inputs = np.zeros((steps, len(pages), pages[0].features.shape[1]), np.float32)
    shares, counts = (np.zeros((steps, len(pages)), np.float32) for _ in range(2))
    for number, page in enumerate(pages):
        some = min(len(page.shares), steps)
        inputs[:some, number], shares[:some, number] = page.features[:some], page.shares[:some]
        counts[:some, number] = page.weights[:some] / page.weights[:some].sum() / len(pages)
    ahead, kept = forwards(inputs, *weights[:2])
    back, kept_back = forwards(inputs[::-1], *weights[2:4])
    both = np.concatenate((ahead, back[::-1]), axis=2)
    chances = sigmoid(both @ weights[4] + weights[5])[:, :, 0]
    loss = -float((counts * (shares * np.log(chances + 1e-9) + (1 - shares) * np.log(1 - chances + 1e-9))).sum())
    error = ((chances - shares) * counts)[:, :, None].astype(np.float32)
    spread = error @ weights[4].T
    gradients = [*backwards(inputs, weights[0], kept, spread[:, :, :WIDTH])]
    gradients += backwards(inputs[::-1], weights[2], kept_back, spread[::-1, :, WIDTH:])
    flat = error.reshape(-1, 1)
    return [*gradients, both.reshape(len(flat), -1).T @ flat, flat.sum(axis=0)], loss


def trained_lstm(examples: Sequence[Example]) -> list[Array]:
    draw = np.random.default_rng(13)
    inputs = examples[0].features.shape[1]
    weights: list[Array] = []
    for _ in range(2):
        weights += [draw.standard_normal((inputs + WIDTH, 4 * WIDTH)).astype(np.float32) * 0.1, np.zeros(4 * WIDTH, np.float32)]
    weights += [draw.standard_normal((2 * WIDTH, 1)).astype(np.float32) * 0.1, np.zeros(1, np.float32)]
    means, squares = [np.zeros_like(one) for one in weights], [np.zeros_like(one) for one in weights]
    by_length = sorted(range(len(examples)), key=lambda index: len(examples[index].shares))
    batches = [by_length[begin : begin + PAGES_AT_ONCE] for begin in range(0, len(examples), PAGES_AT_ONCE)]
    number, total = 0, ROUNDS * len(batches)
    for done in range(ROUNDS):
        losses = 0.0
        for index in draw.permutation(len(batches)):
            number += 1
            gradients, loss = passed(weights, [examples[one] for one in batches[index]])
            size = float(np.sqrt(sum(float((one * one).sum()) for one in gradients)))
            losses += loss
            rate = RATE * min(1, number / (0.1 * total)) * (1 - number / total)
            for weight, mean, square, gradient in zip(weights, means, squares, gradients, strict=True):
                gradient = gradient * min(1.0, 1 / (size + 1e-9))
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient * gradient - square)
                weight -= rate * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.999**number)) + 1e-8)
        print(f"round {done + 1} of {ROUNDS}, loss {losses / len(batches):.4f}", flush=True)
    return weights


def lstm_shares(weights: list[Array], features: Array) -> list[float]:
    inputs = features[:, None]
    ahead, back = forwards(inputs, *weights[:2])[0], forwards(inputs[::-1], *weights[2:4])[0]
    found: list[float] = sigmoid(np.concatenate((ahead, back[::-1]), axis=2) @ weights[4] + weights[5])[:, 0, 0].tolist()
    return found


def main() -> None:
    if not DATA.is_dir():
        raise SystemExit(f"no pages in {DATA}")
    known = [(page, labelled(page.blocks, page.shares)) for page in labelled_pages(DATA, WCXB) if page.blocks]
    learned_from, unseen = ([one for one in known if (one[0].fold != 0) == seen] for seen in (True, False))
    examples = [example for _, example in learned_from]
    every = np.concatenate([example.features for example in examples])
    offsets, spread = every.mean(axis=0), np.maximum(every.std(axis=0), 0.02)

    def scaled(features: Array) -> Array:
        return np.clip((features - offsets) / spread, -4, 4).astype(np.float32)

    weights = trained_lstm([Example(features=scaled(one.features), shares=one.shares, weights=one.weights) for one in examples])
    network = train(examples, Plan())
    sizes = sum(weight.size for weight in weights), sum(layer.weights.size + layer.bias.size for layer in network.layers)
    for label, size, shares in (
        ("LSTM", sizes[0], lambda features: lstm_shares(weights, scaled(features))),
        ("convolutions", sizes[1], network.shares),
    ):
        begin = time.process_time()
        told = [shares(example.features) for _, example in unseen]
        cost = (time.process_time() - begin) / len(unseen) * 1000
        print(f"\n{label}: {size:,} weights, {cost:.2f} ms a page of {sum(map(len, told)) / len(told):.0f} blocks")
        print_scores(label, [(page.type, score(page, one)) for (page, _), one in zip(unseen, told, strict=True)])


if __name__ == "__main__":
    main()
