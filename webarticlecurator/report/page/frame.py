"""The file around the content: nothing may be loaded, nothing may run."""

from __future__ import annotations

import base64
from hashlib import sha256
from importlib.resources import files

from webarticlecurator.report.html import Child, Html, element


def page(title: str, content: Child) -> bytes:
    """A whole HTML file."""
    style = files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(sha256(style.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}"/>'),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", " ".join(title[:200].split())),
        element("style", Html(style)),
    )
    skip = element("a", "To the report", href="#main", class_="skip")
    return f"<!DOCTYPE html>\n{element('html', head, element('body', skip, content), lang='en')}\n".encode("utf-8", "replace")
