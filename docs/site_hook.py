"""What MkDocs does for our site beside its own work: pages that lie outside docs/ are in it, and links lead where a reader of it can go.

All documents are written to be read as files, too: a link names a file of the checkout. In the site it leads to the page made of that file;
a file of which there is none, such as a module, is named without a link.
"""

from __future__ import annotations

import posixpath
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markdown import Extension, Markdown

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
OUTSIDE = {
    "README.md": "project/readme.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "schemas/tei/README.md": "project/tei-schema.md",
}
"""File of the checkout -> its page in the site."""
PARTS = {
    "reference/command-line.md": ("reference/every-command.md", "Every command"),
    "reference/formats.md": ("reference/every-format.md", "Every format"),
    "reference/outcomes.md": ("reference/every-switch.md", "Every switch"),
    "reference/portal-file.md": ("reference/every-key.md", "Every key"),
    "reference/python.md": ("reference/every-name.md", "Every name for Python"),
    "reference/tei.md": ("reference/every-element.md", "Every element"),
}
"""Long page -> the page that its last part is in the site, which is made of the program, and its title."""
_FIRST = {part: page for page, (part, _) in PARTS.items()}
_WRITTEN_AS = {page: name for name, page in OUTSIDE.items()}
_ROW, _CODE = re.compile(r"^\|.*$", re.MULTILINE), re.compile(r"`[^`\n]+`")
_FENCE = re.compile(r"^ *(```|~~~)")
_LINK = re.compile(
    r"(?P<code>`[^`\n]+`)|(?P<picture>!?)\[(?P<text>(?:`[^`\n]*`|!\[[^\]\n]*\]\([^)\n]*\)|[^\[\]`\n])*)\]\((?P<target>[^)\s]+)\)"
)


class _TwoSpaces(Extension):
    """What is indented by two spaces belongs to the list item above it, as on forges; MkDocs alone wants four."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        md.tab_length = 2
        md.build_parser()


def on_config(config: MkDocsConfig) -> None:
    """Read Markdown as forges do, and put the last parts of long pages into the menu."""
    config.markdown_extensions.insert(0, _TwoSpaces())  # type: ignore[arg-type]
    for section in (config.nav or [])[1:]:  # the first entry is the home page
        for pages in section.values():
            pages[:] = [each for page in pages for each in (page, *PARTS.get(page, ())[:1])]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie outside docs/."""
    from mkdocs.structure.files import File

    for name, page in OUTSIDE.items():
        if (ROOT / name).exists():
            files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    for page, (part, title) in PARTS.items():
        files.append(File.generated(config, part, content=f"# {title}\n\n{_last_part(page)}"))
    return files


@cache
def _last_part(page: str) -> str:
    """The part of a long page that stands on a page of its own."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    mark, made = _made(page)
    return made or text.partition(mark)[2]


@cache
def _anchors(page: str) -> frozenset[str]:
    """Those of the headings of a last part."""
    headings = re.findall(r"^#+ (.*)$", _last_part(page), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)


def _made(page: str) -> tuple[str, str]:
    """What stands in a page for its part that is made of the program, and that part; empty where it stands there."""
    sys.path.append(str(ROOT / "docs"))  # MkDocs puts the path back after it has read this file
    from generate import MADE, MARK
    from portal_reference import BORDER

    return (MARK, MADE[page]()) if page in MADE else (BORDER, "")


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Have the links of a page lead to pages of the site; forges want pipes in code of tables escaped, MkDocs shows the escape."""
    linked = for_the_site(whole(markdown, page.file.src_uri), page.file.src_uri)
    return _ROW.sub(lambda row: _CODE.sub(lambda code: code[0].replace("\\|", "|"), row[0]), linked)


def whole(markdown: str, page: str) -> str:
    """A page with the part that is made of the program, or with a link to that."""
    mark, made = _made(page)
    before, found, behind = markdown.partition(mark)
    if not found:
        return markdown
    if page not in PARTS:
        return f"{before}{made}{behind}"
    part, title = PARTS[page]
    return f"{before}[{title}]({posixpath.basename(part)})\n"


def for_the_site(markdown: str, page: str) -> str:
    """The text of a page with its links as the site needs them; what is code stays as it is."""
    lines, fence = [], ""
    for line in markdown.split("\n"):
        opened = _FENCE.match(line)
        if opened and fence in ("", opened[1]):
            fence = "" if fence else opened[1]
        lines.append(line if fence or opened else _LINK.sub(lambda link: _site_link(link, page), line))
    return "\n".join(lines)


def _site_link(link: re.Match[str], page: str) -> str:
    if link["code"] or re.match(r"[a-z]+:", link["target"]):
        return link[0]
    target, number, anchor = link["target"].partition("#")
    target = target or posixpath.basename(_WRITTEN_AS.get(page, _FIRST.get(page, page)))
    text = for_the_site(link["text"], page)
    written_in = posixpath.dirname(_WRITTEN_AS.get(page, f"docs/{page}"))
    file = posixpath.normpath(posixpath.join(written_in, target))
    leads_to = OUTSIDE.get(file) or (file.removeprefix("docs/") if file.startswith("docs/") and not file.endswith(".py") else None)
    if leads_to is None:
        return text if file in text else f"{text} (`{file}`)"
    if leads_to in PARTS and anchor in _anchors(leads_to):
        leads_to = PARTS[leads_to][0]
    if not link["picture"] and text == posixpath.basename(file):
        text = (ROOT / file).read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    way = posixpath.relpath(leads_to, posixpath.dirname(page) or ".")
    return f"{link['picture']}[{text}]({way}{number}{anchor})"
