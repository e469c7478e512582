"""Packed bodies are undone within bounds."""

from __future__ import annotations

import gzip
import random
import zlib
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.http.codings import Unpacked, codings_of, stays_small, unpack, unpacked_pieces

CAP = 1 << 20
gzip_of = partial(gzip.compress, mtime=0)  # the name of a test holds its bytes, and must not change with the time
TEXT = b"<p>Egy mondat a lapbol.</p>\n" * 5000


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("header", "codings"),
    [
        ("gzip", ("gzip",)),
        ("X-GZIP", ("gzip",)),
        ("deflate, gzip", ("deflate", "gzip")),
        ("br", ()),
        ("gzip, br", ()),
        ("identity", ()),
        ("", ()),
        (None, ()),
    ],
)
def test_only_codings_that_we_ask_for_are_undone(header: str | None, codings: tuple[str, ...]) -> None:
    assert codings_of(header) == codings


@pytest.mark.parametrize(
    ("body", "codings"),
    [
        (gzip_of(TEXT), ("gzip",)),
        (gzip_of(TEXT[:777]) + gzip_of(TEXT[777:]), ("gzip",)),
        (gzip_of(TEXT) + b"trailing junk", ("gzip",)),
        (zlib.compress(TEXT), ("deflate",)),
        (raw_deflate(TEXT), ("deflate",)),
        (gzip_of(zlib.compress(TEXT)), ("deflate", "gzip")),
    ],
)
def test_every_way_of_packing_is_undone(body: bytes, codings: tuple[str, ...]) -> None:
    unpacked = unpack(body, codings, CAP, keep=True)
    assert (unpacked.data, unpacked.too_big, unpacked.cut) == (TEXT, False, False)


@pytest.mark.parametrize(
    ("body", "codings"),
    [
        (gzip_of(bytes(CAP * 20)), ("gzip",)),
        (gzip_of(gzip_of(bytes(CAP * 50))), ("gzip", "gzip")),
        (b"x", ("gzip",) * 4),
    ],
)
def test_a_bomb_is_too_big_and_never_held(body: bytes, codings: tuple[str, ...]) -> None:
    unpacked = unpack(body, codings, CAP, keep=True)
    assert unpacked.too_big
    assert len(unpacked.data) <= CAP


def test_a_cut_stream_is_noticed_and_read_as_far_as_it_goes() -> None:
    packed = gzip_of(TEXT)
    unpacked = unpack(packed[: len(packed) - 9], ("gzip",), CAP, keep=True)
    assert unpacked.cut
    assert TEXT.startswith(unpacked.data)


@given(st.binary(max_size=500), st.sampled_from([("gzip",), ("deflate",), ("gzip", "deflate")]))
def test_garbage_ends_quietly(body: bytes, codings: tuple[str, ...]) -> None:
    assert len(unpack(body, codings, 1000, keep=True).data) <= 1000


@given(st.integers(0, 3_000_000))
def test_what_is_said_to_stay_small_does(size: int) -> None:
    packed = gzip_of(bytes(size))
    assert not stays_small(len(packed), ("gzip",), CAP) or size <= CAP


def test_a_member_that_ends_where_a_piece_ends_is_followed_by_the_next() -> None:
    noise = random.Random(1).randbytes(70_000)
    first = next(one for size in range(65_400, 65_536) if len(one := gzip_of(noise[:size], compresslevel=0)) == 1 << 16)
    assert unpack(first + gzip_of(b"and more"), ("gzip",), CAP, keep=True).data == gzip.decompress(first) + b"and more"


def test_garbage_within_is_told() -> None:
    assert unpack(gzip_of(TEXT)[:10] + b"\xff" * 100, ("gzip",), CAP).broken
    assert not unpack(gzip_of(TEXT), ("gzip",), CAP).broken


def test_the_pieces_of_a_body_need_not_be_held_together() -> None:
    result = Unpacked()
    sizes = [len(piece) for piece in unpacked_pieces(gzip_of(bytes(CAP)), ("gzip",), CAP, result)]
    assert (sum(sizes), max(sizes) <= 1 << 16, result.too_big) == (CAP, True, False)
