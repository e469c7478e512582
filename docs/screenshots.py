"""Takes the pictures of docs/images: pages that the program makes of the example portal, in a browser without a window.

  python docs/screenshots.py

Needs Chromium (Debian and Ubuntu: apt install chromium) and what `pip install -e '.[dev,compare]'` brings; nothing goes over the network.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path += [str(DOCS), str(DOCS.parent), str(DOCS.parent / "tests" / "support")]

import chromium  # noqa: E402
import inspector_pictures  # noqa: E402
import tutorial_pictures  # noqa: E402
from PIL import Image  # noqa: E402
from view_pictures import View, make_pages, take  # noqa: E402
from written_pages import reading, steps  # noqa: E402

WIDTH = 1200
_KEPT = "document.querySelector('#chosen [value=keep]').click()"
_DROPPED = "document.querySelector('iframe').contentDocument.querySelector('.curator-dropped').click()"
MANUAL = (
    ("tag-inventory", 900, View("inventory", "tags.html", "document.getElementById('tags').scrollIntoView();"
                                "document.querySelector('#tags summary').click()")),
    ("highlight", 1000, View("try", "try.html", is_framed=True)),
    ("mend", 700, View("form", "form.html", f"{_DROPPED}; {_KEPT}", is_framed=True)),
    ("report-proof", 700, View("report", "report.html", "document.getElementById('completeness').scrollIntoView()")),
    ("compare", 760, View("compare", "compare.html")),
)  # fmt: skip
"""The pictures of the example portal that the manual shows: name, height, and what is seen."""


def pictures_of_views(program: str) -> None:
    """Take those of the example portal's pages."""
    with tempfile.TemporaryDirectory() as temporary, chromium.browser(program) as browser:
        folder = Path(temporary)
        make_pages(folder)
        page = browser.new_page(folder)
        for name, height, view in MANUAL:
            if not (folder / view.page).exists():
                raise SystemExit(f"{view.page} was not made: `curator compare` needs what the extra `compare` brings.")
            take(view, page, folder, DOCS / "images" / f"{name}.png", WIDTH, "light", height)


def picture_of_drift(program: str) -> None:
    """The pages before and after a new layout, of the commands in docs/how-to/kinds-of-portals.md up to `curator watch`."""
    with tempfile.TemporaryDirectory() as temporary, reading(Path(temporary) / "drift", port="8765") as reader:
        for step in steps(DOCS / "how-to" / "kinds-of-portals.md", "A portal that changed its layout"):
            reader.do(step)
            if "curator watch" in getattr(step, "command", ""):
                break
        with chromium.browser(program) as browser:
            page = browser.new_page(reader.folder)
            page.call("Emulation.setDeviceMetricsOverride", width=1200, height=900, deviceScaleFactor=1, mobile=False)
            page.open(reader.folder / "drift.html")
            page.run("document.querySelector('.three').scrollIntoView()")
            page.screenshot(DOCS / "images" / "drift.png", width=1200, height=900)


def made_smaller(picture: Path) -> None:
    """Text and flat colours need no more than 128 colours: a third of the bytes."""
    with Image.open(picture) as whole:
        if whole.mode != "P":
            whole.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(picture, optimize=True)


if __name__ == "__main__":
    browser_program = chromium.find()
    if browser_program is None:
        raise SystemExit("There is no Chromium here; install it (Debian and Ubuntu: apt install chromium) and try again.")
    (DOCS / "images").mkdir(exist_ok=True)
    pictures_of_views(browser_program)
    picture_of_drift(browser_program)
    inspector_pictures.take(browser_program, DOCS / "images")
    tutorial_pictures.take(browser_program, DOCS / "images")
    for one in (DOCS / "images").glob("*.png"):
        made_smaller(one)
