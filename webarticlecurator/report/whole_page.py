"""A self-contained file that runs nothing and asks for nothing, and the frame in it that shows a stranger's page."""

from __future__ import annotations

from html import escape

from webarticlecurator.report.html import Html

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif } body { margin: 0 }
iframe { width: 100%; height: 85vh; border: 1px solid GrayText; background: #fff; color-scheme: light }
table { border-collapse: collapse; width: 100%; font-size: .85rem }
th, td { text-align: left; vertical-align: top; border-top: 1px solid GrayText; padding: .2rem .5rem .2rem 0 }
summary { cursor: pointer; padding: .4rem 0 }
"""
"""What such pages have in common; each adds its own."""


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
        f"<title>{escape(title[:200])}</title><style>{_STYLE}{style}</style>"
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'
