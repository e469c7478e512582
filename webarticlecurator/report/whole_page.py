"""A self-contained file that runs nothing and asks for nothing, and the frame in it that shows a stranger's page."""

from __future__ import annotations

from html import escape

from webarticlecurator.report.html import Html

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"


def framed(html: str, title: str) -> Html:
    """A page that was made harmless, in a frame where nothing of it can do anything; the policy comes before all that the page says."""
    inside = f'<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="{POLICY}">{html}'
    return Html(f'<iframe sandbox="" referrerpolicy="no-referrer" title="{escape(title)}" srcdoc="{escape(inside)}"></iframe>')


def whole_page(title: str, style: str, body: Html) -> str:
    """A self-contained file under the same policy."""
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><meta name="referrer" content="no-referrer">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title[:200])}</title><style>{style}</style>"
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'
