"""A function of Python as a program that annotates: a process of its own, so that nothing it does harms more
than the article that it is at."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from io import TextIOWrapper

_BEGINNING = "# newdoc id"
_START = (
    "import sys; sys.path[:0] = ['', *sys.argv[2:]]; "
    "from webarticlecurator.annotations.python_function import serve; serve(sys.argv[1])"
)


def command_of(name: str) -> list[str]:
    """Return the command that runs a function, named as `module:function`."""
    return [sys.executable, "-c", _START, name, *sys.path]


def serve(name: str) -> None:
    """Give the function the articles that come to stdin, each as CoNLL-U; what it gives of them goes to
    stdout."""
    module, _, function = name.partition(":")
    answers = TextIOWrapper(sys.stdout.buffer, "utf-8", newline="\n")
    sys.stdout = sys.stderr  # what it prints is no answer
    articles = _articles(TextIOWrapper(sys.stdin.buffer, "utf-8", newline="\n"))
    for annotated in getattr(import_module(module), function)(articles):
        answers.write(annotated.rstrip("\n") + "\n\n")
        answers.flush()


def _articles(lines: Iterator[str]) -> Iterator[str]:
    """Give the lines of each article."""
    article: list[str] = []
    for line in lines:
        if line.startswith(_BEGINNING) and article:
            yield "".join(article)
            article = []
        article.append(line)
    yield "".join(article)
