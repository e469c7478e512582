"""The fingerprint: the root of a Merkle tree over the lines of articles.jsonl, as RFC 6962 makes it."""

from __future__ import annotations

from functools import reduce
from hashlib import sha256


class MerkleTree:
    """Holds only the roots of its complete subtrees, so that its memory does not grow with the leaves."""

    def __init__(self) -> None:
        self.leaves = 0
        self._roots: list[bytes] = []
        """Of ever smaller subtrees, one for each binary digit of the number of leaves that is 1."""

    def add(self, leaf: bytes) -> None:
        digest, number = sha256(b"\x00" + leaf).digest(), self.leaves
        while number & 1:
            digest, number = _joined(self._roots.pop(), digest), number >> 1
        self._roots.append(digest)
        self.leaves += 1

    @property
    def root(self) -> str:
        """`sha256:` and 64 hexadecimal digits."""
        roots = self._roots[::-1] or [sha256().digest()]
        return f"sha256:{reduce(lambda right, left: _joined(left, right), roots).hex()}"


def _joined(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()
