"""A document format that misbehaves on some articles; it lies in a module, so that other processes find it."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from hashlib import sha256

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.article import Article, DocumentLines, Written, plain_text


@dataclass(frozen=True, slots=True)
class OddDocuments:
    """Plain text, but for articles whose URL names something else."""

    digest: str = "odd"

    def render(self, article: Article, portal: Portal, rules: str) -> Written:
        if "kill" in article.url:
            os.kill(os.getpid(), signal.SIGKILL)
        if "exit" in article.url:
            os._exit(3)
        if "signals" in article.url:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                os.kill(os.getpid(), number)
        if "orphan" in article.url:
            os.kill(os.getppid(), signal.SIGKILL)
        if "print" in article.url:
            os.write(1, b"a library that talks\n")
        return Written(plain_text(article.blocks).encode())

    def faults(self, document: bytes) -> tuple[str, ...]:
        return ()

    def article_part(self, document: bytes) -> bytes:
        return document

    def part_digest(self, document: bytes) -> str:
        return sha256(document).hexdigest()

    def lines(self, document: bytes) -> DocumentLines:
        return DocumentLines(text=tuple(f"p: {line}" for line in document.decode().splitlines()))
