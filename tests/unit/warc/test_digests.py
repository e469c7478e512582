"""Digests in every spelling that archives use."""

from __future__ import annotations

import pytest

from webarticlecurator.warc.digests import covers, digest


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", True),
        ("SHA1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n", True),
        ("sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", True),
        ("sha-1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D", True),
        ("sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", True),
        ("sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====", True),
        ("md5:5d41402abc4b2a76b9719d911017c592", True),
        ("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2A", False),
        ("sha1:", False),
        ("crc32:3610a686", None),
        ("nonsense", None),
    ],
)
def test_declared_digests_are_understood(declared, expected):
    assert covers(declared, b"hello") is expected


def test_our_own_digest_is_the_one_that_other_tools_compare():
    assert digest(b"hello") == "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"
