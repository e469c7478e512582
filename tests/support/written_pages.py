"""Pages of docs/, done as they are written, in an empty folder: files are written, commands run in order, and what they print is compared.

What a page may say:

- A block whose first line is only a file name in a comment (`# portal.yaml`, `<!-- header.xml -->`; behind `#!/bin/sh` the second) is
  that file. `# in portal.yaml`: its top-level keys take the place of those in the file, or come to its end.
- `$ ` begins a command in a ```console block; a `\\` at a line's end goes on in the next. The lines below it are what it prints, messages
  and data as they come; `...` alone stands for any lines, inside a line for anything. Without lines, it prints what it likes.
- `# exit code 1` behind a command says how it ends; without that it is 0.
- `cd` and `export` hold for what follows. `curator demo --serve` and `python -m examples.sites NAME` serve until the page ends, or the
  next of them begins. What a page cannot ask of every machine (`pip install`) is only read.

Times, speeds, sizes in bytes and days on which something was made may differ; so may how wide gaps are. `/home/you` is the folder.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from unittest import mock

from scripts import program
from seams import main, without_waiting

from examples.sites import RunningSite
from examples.sites.variations import KINDS, variations
from webarticlecurator.example_portal import ExamplePortal

DOCS = Path(__file__).resolve().parents[2] / "docs"
PORTAL_PORT, SITE_PORT = "8765", "8766"
"""As pages write them."""
HOME = "/home/you"
WIDTH = "100"
"""Characters of the terminal."""
ONLY_READ = frozenset({"pip", "pipx", "python3", "sudo", "apt", "systemctl", "crontab", "xdg-open", "docker", "podman", "source", "."})

_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"(?:#!.*\n)?(?:# |<!-- )(?P<part>in )?(?P<name>[\w./-]*\w\.\w+)(?: -->)?\n")
_DATA = ("text", "csv", "tsv")
"""Blocks in which a comment would be read as data: the line with the name is none of the file's."""
_EXIT = re.compile(r"\s# exit code (\d+)\b.*$")
_COMMENT = re.compile(r"\s+# .*$")
_SECTION = re.compile(r"(?m)^(?=[\w-]+:)")
_LENIENT = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?"), "WHEN"),
    (re.compile(r"\b202[5-9]-\d\d-\d\d\b|\b20[3-9]\d-\d\d-\d\d\b"), "DAY"),  # the example portal ends in 2024
    (re.compile(r"\b\d{14,17}\b"), "STAMP"),  # in the names of WARC files
    (re.compile(r"\b[\d,.]+(/s| (?:ms|s|min|h|seconds?|minutes?)\b)"), r"N\1"),
    (re.compile(r"\b[\d,.]+ ?(B|kB|KB|MB|GB|bytes)\b"), r"N \1"),
    (re.compile(r"\b[0-9a-f]{12,64}\b"), "DIGEST"),
    (re.compile(r"(?<=\S) {2,}"), "  "),
    (re.compile(r"[─━-]{4,}"), "----"),
)


@dataclass(frozen=True, slots=True)
class Typed:
    """A command of a page."""

    place: str
    command: str
    code: int
    shown: str
    """What the page shows of its output; empty where it shows nothing."""


@dataclass(frozen=True, slots=True)
class Written:
    """A file of a page."""

    name: str
    text: str
    is_part: bool
    """It changes what lies there."""


def steps(page: Path, section: str = "") -> Iterator[Typed | Written]:
    """What a reader of the page does, in order; of a page whose sections stand for themselves, in the one of this heading."""
    text = page.read_text(encoding="utf-8")
    part = re.search(rf"(?ms)^## {re.escape(section)}$.*?(?=^## |\Z)" if section else r"(?s).*", text)
    assert part, f"{page} has no section {section}"
    for block in _BLOCK.finditer(text, part.start(), part.end()):
        language, content = block[2], dedent(block[3])
        if language == "console":
            yield from _typed(content, page, text.count("\n", 0, block.start(3)) + 1)
        elif named := _NAMED.match(content):
            yield Written(named["name"], content[named.end() :] if language in _DATA else content, is_part=named["part"] is not None)


def _typed(block: str, page: Path, first: int) -> Iterator[Typed]:
    for found in re.finditer(r"(?m)^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block):
        line = found[1].replace("\\\n", "")
        code = _EXIT.search(line)
        place = f"{page.name}:{first + block.count(chr(10), 0, found.start())}"
        yield Typed(place, _COMMENT.sub("", line).strip(), int(code[1]) if code else 0, found[2])


@dataclass(frozen=True, slots=True)
class Demo:
    """What `curator demo` made and said, once for all pages."""

    folder: Path
    port: str
    said: str


def made_demo(folder: Path) -> Demo:
    """Has it made."""
    with reading(folder) as reader:
        code, said = reader.run("curator demo")
        assert code == 0, said
        reader.run("curator report curator-demo/portal.yaml -o report.html")  # counts and compares all texts, which no page then waits for
        return Demo(folder / "curator-demo", reader.port, said)


@dataclass(slots=True)
class Reader:
    """Somebody who does what pages say; one portal and one site run at a time."""

    folder: Path
    port: str
    articles: int
    demo: Demo | None
    outputs: list[str] = field(default_factory=list)
    """What was printed, command by command."""
    portal: ExamplePortal | None = None
    _served: ExitStack = field(default_factory=ExitStack)
    _site: ExitStack = field(default_factory=ExitStack)
    _site_port: str = field(default_factory=lambda: _free_port(7000))

    def follow(self, page: Path, section: str = "") -> None:
        """Does all that it says, or its section."""
        for step in steps(page, section):
            self.do(step)

    def do(self, step: Typed | Written) -> None:
        if isinstance(step, Written):
            self._write(step)
            return
        code, output = self.run(step.command)
        self.outputs.append(output)
        assert code == step.code, f"{step.place}: $ {step.command}\nended with {code}, not {step.code}:\n{output}"
        if step.shown.strip() and not is_as_shown(output, self._here(step.shown)):
            raise AssertionError(
                f"{step.place}: $ {step.command}\n--- printed ---\n{self._there(output)}--- but the page shows ---\n{step.shown}"
            )

    def run(self, command: str) -> tuple[int, str]:
        """Exit code, and what a terminal shows."""
        words = shlex.split(self._here(command), comments=True)
        for known, act in _ACTS:
            if words[: len(known)] == known and (act is Reader.keep_portal_file or not _is_for_a_shell(command)):
                return act(self, words[len(known) :])
        if words and words[0] in ONLY_READ:
            return 0, ""
        done = subprocess.run(
            ["bash", "-c", self._here(command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
        )
        return done.returncode, done.stdout

    def curator(self, arguments: list[str]) -> tuple[int, str]:
        """In this process."""
        with io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) as stream:
            with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
                code = int(main(arguments))
            raw = stream.buffer
            assert isinstance(raw, io.BytesIO)
            return code, raw.getvalue().decode()

    def serve(self, arguments: list[str]) -> tuple[int, str]:
        self._served.close()
        switches = [name for option, name in zip(arguments[::2], arguments[1::2], strict=True) if option == "--switch"]
        self.portal = self._served.enter_context(ExamplePortal(articles=self.articles, port=int(self.port), switches=switches))
        return 0, f"The example portal is at {self.portal.url} (only this machine can see it). Ctrl-C ends it.\n"

    def serve_site(self, arguments: list[str]) -> tuple[int, str]:
        self._site.close()
        known = {one.name: one for kind in reversed(KINDS) for one in variations(kind)}
        site = self._site.enter_context(RunningSite(known[arguments[0]], int(self._site_port)))
        return 0, f"# {site.home} until Ctrl-C; its portal file:\n{site.portal_file()}"

    def crawl_demo(self, arguments: list[str]) -> tuple[int, str]:
        if arguments or self.demo is None or Path("curator-demo").exists():
            return self.curator(["demo", *arguments, "--port", self.port])
        shutil.copytree(self.demo.folder, "curator-demo")
        return 0, self.demo.said

    def keep_portal_file(self, arguments: list[str]) -> tuple[int, str]:
        """`> portal.yaml`"""
        *options, _, name = arguments
        code, text = self.curator(["demo", "--portal-file", "--port", self.port, *options])
        Path(name).write_text(self._here(text), encoding="utf-8")
        return code, ""

    def go_to(self, arguments: list[str]) -> tuple[int, str]:
        os.chdir(arguments[0])
        return 0, ""

    def set_variable(self, arguments: list[str]) -> tuple[int, str]:
        os.environ.update(dict(one.split("=", 1) for one in arguments))
        return 0, ""

    def close(self) -> None:
        self._served.close()
        self._site.close()

    def _write(self, step: Written) -> None:
        path, text = Path(step.name), self._here(step.text)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(changed(path.read_text(encoding="utf-8"), text) if step.is_part else text, encoding="utf-8")

    def _here(self, text: str) -> str:
        text = text.replace(PORTAL_PORT, self.port).replace(SITE_PORT, self._site_port).replace(HOME, str(self.folder))
        return text.replace("delay: 0.01s", "delay: 0s")

    def _there(self, text: str) -> str:
        return text.replace(self.port, PORTAL_PORT).replace(self._site_port, SITE_PORT).replace(str(self.folder), HOME)


_Act = Callable[[Reader, list[str]], tuple[int, str]]
_ACTS: tuple[tuple[list[str], _Act], ...] = (
    (["curator", "demo", "--serve"], Reader.serve),
    (["curator", "demo", "--portal-file"], Reader.keep_portal_file),
    (["curator", "demo"], Reader.crawl_demo),
    (["curator"], Reader.curator),
    (["python", "-m", "examples.sites"], Reader.serve_site),
    (["cd"], Reader.go_to),
    (["export"], Reader.set_variable),
)
"""How a command begins, and who does it; the first that fits. All others are a shell's."""


@contextmanager
def reading(folder: Path, *, articles: int = 600, demo: Demo | None = None, port: str | None = None) -> Iterator[Reader]:
    """A reader in this folder, with nothing running yet; `articles`: how many the example portal has; `port`: its own."""
    folder.mkdir(exist_ok=True)
    programs = folder.parent / f"{folder.name}-programs"
    path = f"{DOCS.parent}:{DOCS.parent}/tests/support"
    program(programs / "curator", f'#!/bin/sh\nPYTHONPATH="{path}" exec "{sys.executable}" "{__file__}" "$@"\n')
    program(programs / "python", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    variables = {"PATH": f"{programs}:{os.environ['PATH']}", "COLUMNS": WIDTH, "NO_COLOR": "1", "HOME": str(folder)}
    reader = Reader(folder, port or (demo.port if demo else _free_port()), articles, demo)
    with ExitStack() as stack:
        stack.enter_context(contextlib.chdir(folder))
        stack.enter_context(mock.patch.dict(os.environ, variables))
        stack.enter_context(mock.patch.object(os, "cpu_count", lambda: 1))  # more processes cost more to begin than they save
        stack.enter_context(without_waiting())
        yield stack.enter_context(contextlib.closing(reader))


def changed(file: str, part: str) -> str:
    """The file with these top-level keys in the place of its own."""
    sections = {_key(one): one for one in _SECTION.split(file)}
    news = {_key(one): one for one in _SECTION.split(part)}
    sections.update({key: f"{one.rstrip()}\n" for key, one in news.items() if key})
    return "".join(one if one.endswith("\n") or not one else f"{one}\n" for one in sections.values())


def _key(section: str) -> str:
    return section.partition(":")[0] if _SECTION.match(section) else ""


def is_as_shown(printed: str, shown: str) -> bool:
    """Whether a page may show this of what was printed."""
    lines = ["(?:.*\n)*?" if line.strip() == "..." else re.escape(line).replace(re.escape("..."), ".*") + "\n" for line in _lenient(shown)]
    return re.fullmatch("".join(lines), "".join(f"{line}\n" for line in _lenient(printed))) is not None


def _lenient(text: str) -> list[str]:
    for pattern, replacement in _LENIENT:
        text = pattern.sub(replacement, text)
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def _is_for_a_shell(command: str) -> bool:
    """Whether there is a pipe, a redirection, another command, a pattern of file names or a variable."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    unquoted = (word for word in shlex.split(command, posix=False) if word[0] not in "'\"")
    return any(word and set(word) <= set("();<>|&") for word in lexer) or any("*" in word or "$" in word for word in unquoted)


def _free_port(first: int = 3000) -> str:
    """One of four digits, so that what is aligned stays so."""
    for port in range(first + os.getpid() % 3000, 10_000):
        with socket.socket() as tried:
            if str(port) not in (PORTAL_PORT, SITE_PORT) and tried.connect_ex(("127.0.0.1", port)) != 0:
                return str(port)
    raise AssertionError("no port of four digits is free")


if __name__ == "__main__":  # `curator` in a pipe: another process, as patient as this one
    with without_waiting():
        raise SystemExit(main())
