"""What a person may have meant by a selector that is none, or that names elements which no page can have."""

from __future__ import annotations

import re
from difflib import get_close_matches

# fmt: off
_HTML = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas "
    "caption center cite code col colgroup command data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption "
    "figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ilayer image img input ins isindex "
    "kbd keygen label layer legend li link listing main map mark marquee menu menuitem meta meter multicol nav nobr noembed noframes "
    "noindex nolayer noscript object ol optgroup option output p param picture plaintext pre progress q rb rbc rp rt rtc ruby s samp "
    "script search section select selectedcontent slot small source spacer span strike strong style sub summary sup table tbody td "
    "template textarea tfoot th thead time title tr track tt u ul var video wbr xml xmp"
)
"""Of the HTML standard, its obsolete ones too, and a few that browsers or search machines made up."""
_SVG = (
    "animate animatemotion animatetransform circle clippath cursor defs desc ellipse feblend fecolormatrix fecomponenttransfer "
    "fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg "
    "fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile "
    "feturbulence filter foreignobject g glyph hkern image line lineargradient marker mask metadata mpath path pattern polygon polyline "
    "radialgradient rect set stop svg switch symbol text textpath tref tspan use view vkern"
)
_MATHML = (
    "annotation maction math menclose merror mfenced mfrac mglyph mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom mprescripts "
    "mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics"
)
# fmt: on
ELEMENT_NAMES = frozenset(f"{_HTML} {_SVG} {_MATHML}".split())
_STRING = re.compile(r"""\"[^\"]*\"|'[^']*'""")
_XPATH = re.compile(r"(?<!\\)/[/@*.A-Za-z]|\[@|^\s*@|text\(\)|(?:ancestor|descendant|following|preceding|parent|child|self)[\w-]*::")
_NO_NAME = re.compile(r"\[[^\]]*\]|:(?:contains|lang|nth-[a-z-]+)\([^()]*\)|[.#:](?:[\w-]|\\.)*")
_NAME = re.compile(r"(?:[\w-]|\\.)+")


def advice_on(text: str) -> str:
    """What may be meant by a selector that is none."""
    if text.lstrip().startswith("$"):
        return "; this is JSONPath: a path into JSON is a JMESPath, without `$.` at its start, as in `{json: items[*].url}`"
    if _XPATH.search(_STRING.sub("", text)):
        return '; this is XPath, and selectors are CSS: `//div[@class="x"]//a/@href` is `{css: div.x a, attr: href}`'
    if re.search(r":contains\((?!\s*[\"'])", text):
        return '; the text of :contains() needs quotes: :contains("...")'
    if re.match(r"\s*[+~]", text):
        return "; it would lead out of the element it starts from"
    return ""


def advice_on_names(selector: str) -> list[str]:
    """A sentence about each name in a selector that is no element's; those with a hyphen or a colon are a portal's own."""
    names = dict.fromkeys(_NAME.findall(_NO_NAME.sub(" ", _STRING.sub(" ", selector))))
    return [_advice_on(name) for name in names if name.lower() not in ELEMENT_NAMES and not re.search(r"[-\\]", name)]


def _advice_on(name: str) -> str:
    close = get_close_matches(name.lower(), ELEMENT_NAMES, n=1, cutoff=0.8)
    meant = f"did you mean `{close[0]}`, or the class `.{name}`?" if close else f"a class begins with a dot: `.{name}`"
    return f"no element of HTML is called `{name}`; {meant}"
