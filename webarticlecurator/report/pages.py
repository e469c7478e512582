"""Files of HTML that need nothing else: templates filled in, under a policy by which nothing is loaded and
only a script of ours runs."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from itertools import chain, repeat

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from webarticlecurator import amounts
from webarticlecurator.own_patterns import linear, linear_at

_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'"
_OF_FRAMES = f"{_POLICY}; style-src 'unsafe-inline'; img-src data:; font-src data:"
"""A page in a frame is under the policy of the file that frames it, and keeps its own styles."""


def page(
    template: str, *, frames: bool = False, script: str = "", sends: bool = False, **content: object
) -> str:
    """The whole file. `frames`: it shows pages of strangers, by the filter `framed`; `script`: the name of
    the one that runs in it; `sends`: its forms are sent to where it came from."""
    made = _templates()
    style, code = _part("style.css"), _part(script) if script else Markup("")
    policy = _OF_FRAMES if frames else f"{_POLICY}; style-src '{_digest(style)}'"
    if sends:
        policy = policy.replace("form-action 'none'", "form-action 'self'")
    if script:  # not even ours may make markup out of text
        policy += f"; script-src '{_digest(code)}'; require-trusted-types-for 'script'; trusted-types 'none'"
    return made.get_template(template).render(content, policy=Markup(policy), style=style, script=code) + "\n"


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader(__package__), autoescape=True, undefined=StrictUndefined, finalize=printed
    )
    made.trim_blocks = made.lstrip_blocks = True
    made.filters |= {
        "link": link,
        "sentence": sentence,
        "told": told,
        "labelled": labelled,
        "stranger": stranger,
        "whole": whole,
        "framed": _framed,
    }
    made.filters |= {"count": amounts.count, "size": amounts.size}
    made.globals |= {"amount": amounts.amount, "percent": amounts.percent, "uncounted": amounts.uncounted}
    return made


def _framed(html: str, style: str = "") -> Markup:
    """Return what stands in the `srcdoc` of a frame: a page that was made harmless, behind a policy that
    comes before all that it says."""
    return escape(
        '<!DOCTYPE html><meta http-equiv="Content-Security-Policy" '
        f'content="{_OF_FRAMES}"><style>{style}</style>{html}'
    )


def _part(name: str) -> Markup:
    """A file of ours as it is."""
    made = _templates()
    assert made.loader is not None
    return Markup(made.loader.get_source(made, name)[0])


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}"


# --- whatever came from a stranger's page stays text, is told where it is cut, and steers nothing around it ---

LONGEST = 160
"""Characters of a stranger's text that are shown."""
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"

# Control characters, marks of direction, line separators, halves of characters, what has no width (but the
# joiners that scripts need).
_UNSEEN = linear(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\uffff"
    "\U000e0000-\U000e0fff]"
)
_WEB = linear_at(r"https?://[^\s<>\"\x00-\x20\x7f-\x9f]+", re.IGNORECASE)
_MANY_MARKS = linear(f"([{_MARKS}]{{4}})[{_MARKS}]+")
"""The combining marks on a letter beyond four: more would grow over the lines around it."""


def named(text: str) -> str:
    """Return a text in which what is not seen is named."""
    return text if text.isprintable() else _UNSEEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def printed(value: object) -> object:
    """Return what a template prints: a text of any kind may stand in an attribute, so nothing but characters
    becomes of it. Sentences of ours are shorter than what is cut."""
    if value is None:
        return ""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return named(value if len(value) <= 1_000 else f"{value[:LONGEST]} … ({len(value):,} characters)")


def whole(text: str) -> Markup:
    """A text of any length: of an article, the source of a document."""
    return escape(named(text))


def stranger(text: str, longest: int = LONGEST) -> Markup:
    """A text out of a page: cut where it is long (which is told), and kept from steering the direction of its
    neighbours."""
    tamed = _MANY_MARKS.sub(r"\1", " ".join(text[: 4 * longest].split()))
    is_cut = len(tamed) > longest or len(text) > 4 * longest
    cut = Markup('<span class="cut"> … ({:,} characters)</span>').format(len(text)) if is_cut else ""
    return Markup("<bdi>{}</bdi>{}").format(named(tamed[:longest]) or "(empty)", cut)


def link(address: str, longest: int = 90) -> Markup:
    """A web address as a link, unless it is longer than browsers take; any other text where one should be is
    shown as text."""
    shown = Markup('<code class="address">{}</code>').format(stranger(address, longest))
    if len(address) > 2_000 or not _WEB.fullmatch(address) or not address.isprintable():
        return shown
    return Markup('<a href="{}" rel="noreferrer noopener">{}</a>').format(address, shown)


_CODE, _CELL = linear(r"`([^`\n]*)`"), linear(r"<t[dh]\b")


def told(text: str, longest: int = LONGEST) -> Markup:
    """Return a sentence of ours that holds words out of a page: cut where it is long, with what stands
    between grave accents as code."""
    shown = str(stranger(text, longest))  # of a Markup, `re` would escape what takes the place
    return Markup(_CODE.sub(r"<code>\1</code>", shown).replace("`", ""))


def labelled(cells: str, headings: Iterable[str]) -> Markup:
    """Return the cells of a row, each with the heading of its column, for screens on which they stand below
    one another."""
    labels = chain(headings, repeat(""))
    return Markup(_CELL.sub(lambda tag: f'{tag[0]} data-label="{escape(next(labels))}"', str(cells)))


def sentence(text: str) -> Markup:
    """Return a sentence as HTML, in which what stands between grave accents is code."""
    pieces = enumerate(text.split("`"))
    return Markup("").join(
        Markup("<code>{}</code>" if place % 2 else "{}").format(named(piece)) for place, piece in pieces
    )
