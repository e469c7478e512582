"""The general table: what usual HTML stands for, in any portal and any language; the farthest layer of every tag dictionary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.selectors import Selector
from webarticlecurator.text import BREAKS, short_text

SOURCE = "general table"
"""What stands for file and line in the rules of this table."""

RUBY = "ruby"
"""What no rule of a portal can make: words with how they are read beside them."""

UNSEEN = frozenset({"script", "style", "template", "noscript"})
"""Never text, whatever a rule says; not counted either."""

# fmt: off
BLOCK_LEVEL = BREAKS - {"br"}
"""Elements that begin a new line in a browser: whatever becomes of them, the words before and after do not grow together."""

SAID_ALOUD = (
    "screen-reader-text", "sr-only", "visually-hidden", "visuallyhidden", "is-sr-only", "is-visually-hidden", "u-visually-hidden",
    "show-for-sr", "usa-sr-only", "elementor-screen-only", "govuk-visually-hidden", "nhsuk-u-visually-hidden", "bx--visually-hidden",
    "cds--visually-hidden",
)
"""Classes of what nobody sees, and machines say to those who do not see: in common style sheets, and design systems."""

NEUTRAL = frozenset(("article", "body", "center", "div", "footer", "header", "html", "main", "section", "span"))
"""Elements without a meaning of their own: unwrapped. One with a class waits for a person's decision, so it counts as unknown."""

EXACT = frozenset(("code", "listing", "plaintext", "pre", "textarea", "xmp"))
"""Elements whose white space is shown as it is written, where they are blocks of code: by every browser, or by what style sheets say."""

VOID_MEDIA = frozenset((
    "amp-anim", "amp-audio", "amp-brightcove", "amp-dailymotion", "amp-facebook", "amp-iframe", "amp-img", "amp-instagram",
    "amp-jwplayer", "amp-soundcloud", "amp-twitter", "amp-video", "amp-vimeo", "amp-youtube", "audio", "embed", "iframe", "img", "object",
    "video",
))
"""Elements that show something from elsewhere; text in them is for browsers that cannot."""

_PLAYERS = tuple(f"div[{name}]:not(:has(p))" for name in (
    "data-youtube-id", "data-youtubeid", "data-youtube-video-id", "data-vimeo-id", "data-vimeoid", "data-dailymotion-id",
))
"""Where a script will put a player: the number of what it shows is told, and the site. What holds paragraphs is more than that."""

_DRAWN_FORMULAS = (
    ".katex-mathml ~ .katex-html", ".MathJax_Preview", "span.MathJax", "div.MathJax", ".MathJax_Display", ".MathJax_CHTML", ".MathJax_SVG",
    ".mwe-math-mathml-a11y ~ img.mwe-math-fallback-image-inline", ".mwe-math-mathml-a11y ~ img.mwe-math-fallback-image-display",
)
"""Formulas as browsers show them, where the page also says what they are."""

_HEADINGS_BETWEEN = tuple(
    f"{tag}.{name}"
    for tag in ("p", "span")
    for name in (
        "crosshead", "cross-head", "zwischentitel", "intertitre", "intertitle", "intertitulo", "ladillo", "kozcim", "tussenkop",
        "mellanrubrik", "mellemrubrik", "mezititulek", "medzititulok", "srodtytul", "valiotsikko",
    )
)
"""Lines that newsrooms call headings between paragraphs, in their languages."""

_HIDDEN = '[hidden]:not([role="tabpanel"], [role="region"], [hidden="until-found"])'
"""Not what a click unfolds, or a search in the page."""

GENERAL_TABLE: Mapping[str, tuple[str, ...]] = {
    "decompose": (
        "button", "canvas", "datalist", "dialog", "head", "input", "link", "meta", "nav", "option", "param", "progress", "meter", "select",
        "rp", "rt", "rtc", "svg", "textarea", "title", "form:not(:has(p + p + p))", "amp-ad", "amp-analytics", "ins.adsbygoogle",
        *(f".{name}" for name in SAID_ALOUD), _HIDDEN, *_DRAWN_FORMULAS,
        # what forum software puts into a post: buttons, and a few words of each page that it links to
        ".bbCodeBlock-expandLink", ".bbCodeBlock-shrinkLink", ".quoteExpand", ".quote-controls", ".codebox > p", ".onebox-body > p",
        ".bbCodeBlock--unfurl .contentRow-snippet",
        # the numbers of lines that Hugo puts beside code
        "td.lntd:has(.lnt)",
    ),
    "unwrap": (
        "a", "abbr", "acronym", "address", "area", "bdi", "bdo", "big", "col", "colgroup", "data", "details", "fieldset", "font", "form",
        "hgroup", "label", "legend", "map", "nobr", "noindex", "output", "picture", "rb", "search",
        "small", "source", "tbody", "tfoot", "thead", "time", "track", "wbr", "pre code", "pre samp", "pre kbd",
        "pre div", "pre span", "code span",
        "aside.quote > blockquote",
        # what unfolds a text is its heading
        *(f"h{level} > button" for level in range(2, 7)),
    ),
    "paragraph": ("p",),
    "heading": ("h1", "h2", "h3", "h4", "h5", "h6", '[role="heading"]', *_HEADINGS_BETWEEN),
    "subheading": ("summary",),
    "list": ("ul", "ol", "dl", "menu", "dir"),
    "item": ("li", "dd", "dt"),
    "table": ("table",),
    "table-heading": ("caption",),
    "row": ("tr",),
    "cell": ("td", "th"),
    "quote": ("blockquote", "aside.quote", ".bbcode_quote"),
    "source": (
        "blockquote > footer", "blockquote > cite", "blockquote > figcaption", "aside.quote > .title", "blockquote > .bbCodeBlock-title",
        "blockquote > .ipsQuote_citation",
    ),
    "box": ("aside",),
    "figure": ("figure", "img", "amp-img", "amp-anim"),
    "caption": ("figcaption", ".wp-caption-text"),
    "embed": (
        "iframe", "video", "audio", "object", "embed", "amp-audio", "amp-brightcove", "amp-dailymotion", "amp-iframe", "amp-jwplayer",
        "amp-soundcloud", "amp-video", "amp-vimeo", "amp-youtube", "lite-vimeo", "lite-youtube", *_PLAYERS,
    ),
    "social": (
        "blockquote.twitter-tweet", "blockquote.twitter-video", "blockquote.instagram-media", "blockquote.tiktok-embed",
        "blockquote.reddit-card", "blockquote.reddit-embed-bq", "blockquote.bluesky-embed", "blockquote.mastodon-embed",
        "blockquote.text-post-media", "blockquote.imgur-embed-pub", ".fb-post", ".fb-video", "amp-facebook", "amp-instagram",
        "amp-twitter",
    ),
    "code": ("pre", "listing", "xmp", "plaintext", "td.code > code", "textarea.spip_cadre"),
    "divider": ("hr",),
    "bold": ("b", "strong"),
    "italic": ("i", "cite", "dfn", "var"),
    "emphasis": ("em", "mark"),
    "underline": ("u", "ins"),
    "strike": ("s", "strike", "del"),
    "superscript": ("sup",),
    "subscript": ("sub",),
    "link": ("a[href]", "a[data-cfemail]"),
    "inline-quote": ("q",),
    "formula": (
        *("math", "mjx-container", "img.latex", "img.tex"),
        *("img.mwe-math-fallback-image-inline", "img.mwe-math-fallback-image-display"),
    ),
    "code-inline": ("code", "kbd", "samp", "tt"),
    "line-break": ("br",),
    RUBY: ("ruby",),
    "language": ("span[lang]",),
}
# fmt: on


@cache
def general_layer() -> TagLayer:
    """The table as a layer like any other."""
    return TagLayer(
        rules=tuple(
            TagRule(operation=operation, css=Selector.parse(css), source=SOURCE)
            for operation, selectors in GENERAL_TABLE.items()
            for css in selectors
        )
    )


# --- the mark at a heading or a caption that is a link to just that, such as ¶: software writes it, and says it aloud at most ---

MARK = "heading: the link to itself"
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "caption", "figcaption"))
_CLASS = "headerlink"
"""Of Sphinx and Python-Markdown, at whatever they number: listings, formulas, terms."""
_OF_NOTES = frozenset("*†‡")
_HIGHEST, _LONGEST = 4, 4
"""Levels between a mark and its heading; characters of a mark."""


def marks_in(element: Element) -> Iterator[Element]:
    """All in the headings of an element, or of a heading."""
    return filter(is_mark, element.iter("a"))


def is_mark(link: Element) -> bool:
    """Whether it is a link within the page without a letter or a digit that is seen, in a heading or beside one, and not to a note."""
    if not (link.get("href") or "").startswith("#"):
        return False
    aloud = [span for span in link.iterchildren("span") if not set(SAID_ALOUD).isdisjoint((span.get("class") or "").split())]
    text = short_text(link, _LONGEST, aloud)
    if text is None or not _OF_NOTES.isdisjoint(text) or any(map(str.isalnum, text)):
        return False
    near = (*islice(link.iterancestors(), _HIGHEST), link.getprevious(), link.getnext())
    return _CLASS in (link.get("class") or "").split() or any(element is not None and element.tag in _HEADINGS for element in near)
