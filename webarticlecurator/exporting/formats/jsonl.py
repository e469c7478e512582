"""JSON Lines: the object of `curator try --json`, with id and captures, one an article."""

from __future__ import annotations

import orjson

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.export_options import Part, did_you_mean
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.output import Output

_KEYS = (
    *("id", "captures", "url", "kind", "outcome", "reason", "metadata", "next_page", "goes_on", "missing_pages", "text", "blocks"),
    *("comments", "unknown_tags", "dropped", "disagreements", "text_changed", "gone", "language"),
)
"""Of an object. `url` is one of them and a metadata field; here it is the former."""
_COMMENTS = b'"comments":'
"""In JSON, no text can hold this: its quotes would be escaped there. No other key has the name."""


@Format("one JSON object a line: all that is known of each article", ".jsonl", rank=4, ignores=("headline",))
def write(export: Exporter, output: Output) -> None:
    """Passes on the line that the build kept, wherever nothing in it changes."""
    fields = export.options.fields
    for name in fields:
        if name not in _KEYS and name not in FIELDS:
            meant = did_you_mean(name, (*_KEYS, *FIELDS))
            keys = ", ".join(_KEYS)
            raise UsageError(
                f"--fields {name} is unknown. {meant}A line has the keys {keys}, and in `metadata` Schema.org's fields, such as author."
            )
    for article in export.articles():
        hides_comments = Part.COMMENTS not in export.options.with_ and article.built.posts > 0 and _COMMENTS in article.built.line
        if fields or hides_comments or article.change is not None or article.gone is not None:
            record = {**article.record, "language": article.built.language}
            if "comments" in record and Part.COMMENTS not in export.options.with_:
                article.left_out[Part.COMMENTS] = len(record.pop("comments"))
            if fields:  # only these of its keys, and fields of its metadata, which stay in there
                metadata = {name: values for name in fields if name not in _KEYS and (values := record["metadata"].get(name))}
                record = {name: record[name] for name in fields if name in record}
                record |= {"metadata": metadata} if metadata and "metadata" not in record else {}
            line = orjson.dumps(record)
        else:
            line = article.built.line[:-1] + b',"language":' + orjson.dumps(article.built.language) + b"}"
        output.main.write(line + b"\n")
