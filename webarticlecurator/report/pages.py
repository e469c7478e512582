"""Files of HTML that need nothing else: templates filled in, under a policy by which nothing is loaded and only a script of ours runs."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from webarticlecurator import amounts
from webarticlecurator.report import strangers

_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'"
_OF_FRAMES = f"{_POLICY}; style-src 'unsafe-inline'; img-src data:"
"""A page in a frame is under the policy of the file that frames it, and keeps its own styles."""
_OF_SCRIPTS = "require-trusted-types-for 'script'; trusted-types 'none'"
"""Not even ours may make markup out of text."""


def page(template: str, *, frames: bool = False, script: str = "", **content: object) -> str:
    """The whole file. `frames`: it shows pages of strangers, by the filter `framed`; `script`: the name of the one that runs in it."""
    made = _templates()
    style, code = _part("style.css"), _part(script) if script else Markup("")
    policy = _OF_FRAMES if frames else f"{_POLICY}; style-src '{_digest(style)}'"
    policy += f"; script-src '{_digest(code)}'; {_OF_SCRIPTS}" if script else ""
    return made.get_template(template).render(content, policy=Markup(policy), style=style, script=code) + "\n"


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=strangers.printed,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "count": amounts.count,
        "framed": _framed,
        "link": strangers.link,
        "sentence": strangers.sentence,
        "size": amounts.size,
        "stranger": strangers.stranger,
        "whole": strangers.whole,
    }
    made.globals |= {"amount": amounts.amount, "percent": amounts.percent, "uncounted": amounts.uncounted}
    return made


def _framed(html: str, style: str = "") -> Markup:
    """What stands in the `srcdoc` of a frame: a page that was made harmless, behind a policy that comes before all that it says."""
    return escape(f'<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="{_OF_FRAMES}"><style>{style}</style>{html}')


def _part(name: str) -> Markup:
    """A file of ours as it is."""
    made = _templates()
    assert made.loader is not None
    return Markup(made.loader.get_source(made, name)[0])


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}"
