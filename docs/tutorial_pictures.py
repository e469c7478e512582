"""Takes the pictures of docs/start/first-portal.md while it does what that page says; `screenshots.py` calls it."""

from __future__ import annotations

import io
import re
import tempfile
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import chromium
from rich.console import Console, RenderableType
from rich.syntax import Syntax
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from written_pages import PORTAL_PORT, Reader, Typed, reading, steps

WIDTH, HEIGHT, COLUMNS = 1200, 820, 110
FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Letters that a drawn terminal would ask the network for."""


@dataclass(frozen=True, slots=True)
class Studio:
    """Where pictures are taken."""

    reader: Reader
    page: chromium.Page
    images: Path

    def shown(self, name: str, file: Path, prepare: str = "") -> None:
        """A file in the browser."""
        self.page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        self.page.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)
        self.page.open(file)
        self.page.run(prepare or "scrollTo(0, 0)")
        self.page.screenshot(self.images / f"{name}.png", width=WIDTH, height=HEIGHT)

    def portal(self, name: str) -> None:
        """The first page of the section; the browser reaches no network, so what is served lies in a file."""
        assert self.reader.portal is not None
        page = Path("belfold.html")
        for address, place in (("belfold/", page), ("stilus.css", Path("stilus.css"))):
            with urllib.request.urlopen(f"{self.reader.portal.url}{address}") as answer:
                place.write_bytes(answer.read().replace(b'"/stilus.css"', b'"stilus.css"'))
        self.shown(name, page.absolute())

    def document(self, name: str) -> None:
        """The newest document, as an editor shows it: the beginning, the header, the text."""
        file = sorted(Path("corpora").glob("*/tei/*/*/*/*.xml"))[-1]
        lines = file.read_text(encoding="utf-8").splitlines()
        source, text = lines.index("<sourceDesc>"), lines.index("<body>")
        parts = (f"{shown}\n" for shown in ("\n".join(lines[:7]), "\n".join(lines[source : source + 4]), "\n".join(lines[text : text + 9])))
        self.drawn(
            name, file.name, DEFAULT_TERMINAL_THEME, *(Syntax(part, "xml", theme="default", word_wrap=True) for part in parts), between="⋮"
        )

    def drawn(self, name: str, title: str, theme: object, *shown: RenderableType, between: str = "") -> None:
        console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor", highlight=False)
        for number, one in enumerate(shown):
            if number and between:
                console.print(between)
            console.print(one)
        svg = console.export_svg(title=title, theme=theme, unique_id=name)  # type: ignore[arg-type]
        (self.images / f"{name}.svg").write_text(FONTS.sub("", svg), encoding="utf-8")


Shot = Callable[[Studio], None]
SHOTS: tuple[tuple[str, Shot], ...] = (
    ("curator demo --serve", lambda studio: studio.portal("tutorial-portal")),
    ("--highlight", lambda studio: studio.shown("tutorial-marked", Path("marked.html").absolute())),
    ("curator build", lambda studio: studio.document("tutorial-tei")),
    ("curator open", lambda studio: studio.shown("tutorial-article", Path(studio.reader.outputs[-1].strip()).absolute())),
    ("curator report", lambda studio: studio.shown("tutorial-report", Path(studio.reader.outputs[-1].split()[0]).absolute())),
)
"""Behind the first command that has this in it, this picture is taken."""


def take(program: str, images: Path) -> None:
    waiting = list(SHOTS)
    with (
        tempfile.TemporaryDirectory() as temporary,
        chromium.browser(program) as browser,
        reading(Path(temporary) / "you", port=PORTAL_PORT) as reader,
    ):
        studio = Studio(reader, browser.new_page(reader.folder), images)
        for step in steps(images.parent / "start" / "first-portal.md"):
            reader.do(step)
            if isinstance(step, Typed):
                due = next((shot for shot in waiting if shot[0] in step.command), None)
                if due is not None:
                    waiting.remove(due)
                    due[1](studio)
    assert not waiting, waiting
