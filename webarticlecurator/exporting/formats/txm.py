"""TXM, by its import "XTZ + CSV": a folder with a flat XML file a text, and metadata.csv, whose first column names the files.

TXM cuts words and sentences itself, so nothing of the kind is written. It refuses a `text` in a `text`, takes the names of columns
for those of properties, and sorts by them as text.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Mapping
from itertools import groupby

from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.harmless import csv_cell, plain
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import as_text, columns_of, row_of
from webarticlecurator.tei.markup import element, escape, readable

_USUAL = (
    *("headline", "author", "datePublished", "year", "month", "articleSection", "keywords", "type"),
    *("portal", "language", "words", "url"),
)
_OTHER_NAMES = {"headline": "title", "datePublished": "date", "articleSection": "section", "id": "article", "text": "content"}
"""What TXM's users call them; `id` is the first column, whatever else is chosen, and `text` the element."""
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]")
_TAGS = {"title": "head", "head": "head", "p": "p", "li": "item", "cell": "cell", "caption": "p", "quote": "p", "code": "p"}


@Format("a folder for TXM's import XTZ + CSV", "", folder=True)
def write(export: Exporter, output: Output) -> None:
    """One folder, to be given to TXM as it is."""
    columns = columns_of(export.options.fields or _USUAL)
    called = (unicodedata.normalize("NFKD", _OTHER_NAMES.get(column.name, column.name)).lower() for column in columns)
    names = [_NOT_IN_NAMES.sub("", name) or "field" for name in called]
    metadata = io.TextIOWrapper(output.stream("metadata.csv"), encoding="utf-8", newline="")
    rows = csv.writer(metadata, lineterminator="\n", quoting=csv.QUOTE_ALL)
    rows.writerow(["id", *names, "textorder"])
    for number, article in enumerate(export.articles(), start=1):
        values = [" ".join(as_text(value).split()) for value in row_of(article, columns)]
        attributes = dict(zip(names, values, strict=True))
        for name, value in attributes.items():  # TXM sorts as text
            padded = value.zfill(2) if name in ("month", "day") and value else value
            attributes[name] = value[:10] if name == "date" else padded
        # the order of export is that of dates; with noughts before it, it is that of its characters, too
        rows.writerow([article.id, *map(csv_cell, attributes.values()), f"{number:09d}"])
        body: list[str] = []
        for _, together in groupby(article.passages, key=lambda passage: id(passage.post)):
            passages = list(together)
            if (post := passages[0].post) is not None:
                of_post = {"kind": post.get("kind", "post"), "n": post.get("id"), "who": post.get("who"), "when": post.get("when")}
                of_post |= {"title": post.get("title"), "replyto": post.get("reply_to")}
                body.append(f"<post{_attributes(of_post)}>\n")
            for passage in passages:
                content = escape(passage.text).replace("\n", "<lb/>\n")
                rend = passage.kind if passage.kind in ("caption", "quote", "code") else None
                body.append(element(_TAGS[passage.kind], content, rend=rend, lang=passage.language) + "\n")
            body += ["</post>\n"] if post is not None else []
        text = f"<text{_attributes({'id': article.id, **attributes})}>\n<body>\n{''.join(body)}</body>\n</text>"
        document = plain(f'<?xml version="1.0" encoding="UTF-8"?>\n<TEI>\n{text}\n</TEI>\n')
        output.add(f"{article.id}.xml", readable(document)[0].replace(b"\r", b""))
    metadata.close()


def _attributes(values: Mapping[str, str | None]) -> str:
    written = ((name, escape(value).replace('"', "&quot;")) for name, value in values.items() if value)
    return "".join(f' {name}="{value}"' for name, value in written)
