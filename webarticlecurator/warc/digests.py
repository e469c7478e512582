"""Digests as WARC writes them: `algorithm:value`, the value in base32 or hexadecimal."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

ALGORITHMS = frozenset({"md5", "sha1", "sha224", "sha256", "sha384", "sha512"})


def digest(data: bytes) -> str:
    """The digest that we write: SHA-1 in base32, which every other tool compares."""
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def hasher(declared: str | None) -> Any | None:
    """What computes a digest of the declared kind; None when nothing is declared or nobody knows the algorithm."""
    algorithm = _split(declared or "")[0]
    return hashlib.new(algorithm, usedforsecurity=False) if algorithm in ALGORITHMS else None


def agrees(declared: str, computed: bytes) -> bool:
    """Whether the declared digest is this one, however it is spelled."""
    value = _split(declared)[1]
    if value.lower() == computed.hex():
        return True
    return value.upper().rstrip("=") == base64.b32encode(computed).decode().rstrip("=")


def covers(declared: str, data: bytes) -> bool | None:
    """Whether the declared digest is that of the data; None when nobody knows the algorithm."""
    engine = hasher(declared)
    if engine is None:
        return None
    engine.update(data)
    return agrees(declared, engine.digest())


def _split(declared: str) -> tuple[str, str]:
    algorithm, _, value = declared.strip().partition(":")
    return algorithm.lower().replace("-", ""), value.strip()
