"""Takes the pictures of docs/images: inventory and a marked article of the example portal, in a browser without a window.

  python docs/screenshots.py

Needs Chromium (Debian and Ubuntu: apt install chromium) and what `pip install -e '.[dev]'` brings; nothing goes over the network.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path += [str(DOCS.parent), str(DOCS.parent / "tests" / "support")]

import chromium  # noqa: E402
import inspector_pictures  # noqa: E402
import tutorial_pictures  # noqa: E402
from PIL import Image  # noqa: E402
from written_pages import reading, steps  # noqa: E402

WIDTH, HEIGHT = 1200, 900


def inventory_of_the_example_portal(folder: Path) -> Path:
    """Crawled as `curator demo` does it."""
    inventory = folder / "tags.html"
    for command in (["demo", "."], ["tags", "portal.yaml", "--html", inventory.name]):
        ended = subprocess.run([sys.executable, "-m", "webarticlecurator", *command, "--quiet"], cwd=folder, stdout=subprocess.DEVNULL)
        if not inventory.exists() and command[0] == "tags":
            raise SystemExit(f"curator {' '.join(command)} wrote no inventory (exit code {ended.returncode}).")
    return inventory


def picture(inventory: Path, program: str) -> None:
    """The table of tags, its first row folded out."""
    with chromium.browser(program) as browser:
        page = browser.new_page(inventory.parent)
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        page.open(inventory)
        page.run("document.getElementById('tags').scrollIntoView()")
        page.run("document.querySelector('#tags summary').click()")
        page.screenshot(DOCS / "images" / "tag-inventory.png", width=WIDTH, height=HEIGHT)


HIGHLIGHTED = "/belfold/cikk/89/"
"""In the address of the article that is shown with marks: it has entries of a live blog, an advertisement and a box of links."""


def picture_of_marks(folder: Path, program: str) -> None:
    """An article of the example portal as `curator try --highlight` writes it."""
    sys.path.append(str(DOCS.parent))
    from webarticlecurator import read_corpus

    url = next(article.url for article in read_corpus(folder / "portal.yaml") if HIGHLIGHTED in article.url)
    command = [sys.executable, "-m", "webarticlecurator", "try", "portal.yaml", url, "--highlight", "-o", "marked.html", "--quiet"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with chromium.browser(program) as browser:
        page = browser.new_page(folder)
        page.call("Emulation.setDeviceMetricsOverride", width=1200, height=1000, deviceScaleFactor=1, mobile=False)
        page.open(folder / "marked.html")
        page.screenshot(DOCS / "images" / "highlight.png", width=1200, height=1000)
        page.open(form_of(folder, url))
        page.wait_for("'ready' in document.documentElement.dataset")
        page.run("document.querySelector('iframe').contentDocument.querySelector('.curator-dropped').click()")
        page.run("document.querySelector('#chosen [value=keep]').click()")
        page.screenshot(DOCS / "images" / "mend.png", width=1200, height=700)


def form_of(folder: Path, url: str) -> Path:
    """The view of that article as `curator open --edit` serves it."""
    from webarticlecurator import load_portal
    from webarticlecurator.corpus.folder import Corpus
    from webarticlecurator.stages.article_view import Form, view_article
    from webarticlecurator.stages.named_article import find_article

    portal, file = load_portal(folder / "portal.yaml"), folder / "mend.html"
    corpus = Corpus(folder / "corpora" / portal.name)
    (match, *_), _ = find_article(portal, corpus, url)
    file.write_text(view_article(portal, corpus, match, typed="portal.yaml", form=Form()), encoding="utf-8")
    return file


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
    with tempfile.TemporaryDirectory() as temporary:
        picture(inventory_of_the_example_portal(Path(temporary)), browser_program)
        picture_of_marks(Path(temporary), browser_program)
    picture_of_drift(browser_program)
    inspector_pictures.take(browser_program, DOCS / "images")
    tutorial_pictures.take(browser_program, DOCS / "images")
    for one in (DOCS / "images").glob("*.png"):
        made_smaller(one)
