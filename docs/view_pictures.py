"""Takes a picture of every page that the program makes, as a desk and a phone show it, by day and at night.

  python docs/view_pictures.py FOLDER

For whoever changes how these pages look. `screenshots.py` takes those of the manual by the same rows.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parent
sys.path += [str(DOCS.parent), str(DOCS.parent / "tests" / "support")]

import chromium  # noqa: E402

WIDTHS, SCHEMES = (1280, 390), ("light", "dark")
TALLEST = 4_000
"""Pixels of a page that are shown."""
ARTICLE = "/belfold/cikk/89/"
"""In the address of the article that is shown: it has entries of a live blog, an advertisement and a box of links."""
TAGGER = """
import sys
for line in sys.stdin:
    columns = line.split("\\t")
    if len(columns) == 10:
        columns[2:4] = columns[1].lower(), "PROPN" if columns[1].istitle() else "X"
    sys.stdout.write("\\t".join(columns))
"""


class View(NamedTuple):
    """A page of the program, and what is done there before its picture is taken."""

    name: str
    page: str
    prepare: str = ""
    is_framed: bool = False
    """True if it fills the window, however high that is."""


def _tab(name: str) -> str:
    return f"document.querySelector('input[name=tab][value={name}]').click()"


VIEWS = (
    View("report", "report.html"),
    View("report-unfolded", "report.html", "document.querySelectorAll('details').forEach(each => { each.open = true })"),
    View("article", "article.html", is_framed=True),
    *(View(f"article-{name}", "article.html", _tab(name), is_framed=True) for name in ("values", "left-out", "tei", "history")),
    View("form", "form.html", _tab("values"), is_framed=True),
    View("try", "try.html", is_framed=True),
    View("inventory", "tags.html"),
    View("compare", "compare.html"),
)


def curator(folder: Path, *arguments: str, may_fail: bool = False) -> str:
    """What a command prints that is typed in a folder."""
    command = [sys.executable, "-m", "webarticlecurator", *arguments, "--quiet"]
    ended = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    if ended.returncode and not may_fail:
        raise SystemExit(f"curator {' '.join(arguments)}: exit code {ended.returncode}")
    return ended.stdout.strip()


def make_pages(folder: Path) -> None:
    """Make every page of the example portal, crawled as `curator demo` does it, annotated, one value mended."""
    from webarticlecurator import read_corpus

    curator(folder, "demo", ".", may_fail=True)  # some of its lists are not proved, by intent
    (folder / "tagger.py").write_text(TAGGER, encoding="utf-8")
    curator(folder, "annotate", "portal.yaml", "--with", f"{sys.executable} tagger.py", "--name", "small")
    url = next(article.url for article in read_corpus(folder / "portal.yaml") if ARTICLE in article.url)
    mended = ("author=Kompár Mária", "--because", "as the printed paper has it", "--by", "Kossuth Anna")
    curator(folder, "fix", "portal.yaml", url, *mended)
    curator(folder, "build", "portal.yaml", may_fail=True)
    curator(folder, "open", "portal.yaml", url, "-o", "article.html")
    curator(folder, "try", "portal.yaml", url, "--highlight", "-o", "try.html")
    curator(folder, "tags", "portal.yaml", "--html", "tags.html", may_fail=True)
    curator(folder, "compare", "portal.yaml", "--sample", "40", "-o", "compare.html", may_fail=True)
    curator(folder, "report", "portal.yaml", "-o", "report.html", may_fail=True)
    form_of(folder, url)


def form_of(folder: Path, url: str) -> Path:
    """Write the view of an article as `curator open --edit` serves it."""
    from webarticlecurator import load_portal
    from webarticlecurator.corpus.folder import Corpus
    from webarticlecurator.stages.article_view import Form, view_article
    from webarticlecurator.stages.named_article import find_article

    portal, file = load_portal(folder / "portal.yaml"), folder / "form.html"
    corpus = Corpus(folder / "corpora" / portal.name)
    (match, *_), _ = find_article(portal, corpus, url)
    file.write_text(view_article(portal, corpus, match, typed="portal.yaml", form=Form()), encoding="utf-8")
    return file


def take(view: View, page: chromium.Page, folder: Path, picture: Path, width: int, scheme: str, height: int = 0) -> None:
    """Take the picture of a view; `height`: 0 for all of a page."""
    page.seen(width, scheme)
    page.call("Emulation.setDeviceMetricsOverride", width=width, height=height or 844, deviceScaleFactor=1, mobile=width <= 400)
    page.open(folder / view.page)
    if view.is_framed:
        page.wait_for("!document.querySelector('iframe') || 'ready' in document.documentElement.dataset")
    page.run(view.prepare or "0")
    whole = 844 if view.is_framed else min(TALLEST, page.run("document.documentElement.scrollHeight"))
    page.screenshot(picture, width=width, height=height or whole)


def main(pictures: Path) -> None:
    """Take all pictures of all views."""
    program = chromium.find()
    if program is None:
        raise SystemExit("There is no Chromium here; install it (Debian and Ubuntu: apt install chromium) and try again.")
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, chromium.browser(program) as browser:
        make_pages(Path(temporary))
        page = browser.new_page(Path(temporary))
        for view, width, scheme in product(VIEWS, WIDTHS, SCHEMES):
            if (Path(temporary) / view.page).exists():
                take(view, page, Path(temporary), pictures / f"{view.name}-{width}-{scheme}.png", width, scheme)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
