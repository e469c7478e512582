"""Site configurations of Full-Text RSS and the programs that share them: a text file a host, `key: value` a line, mostly XPath."""

from __future__ import annotations

import re
from pathlib import Path

from webarticlecurator.config.yaml_reading import content_of
from webarticlecurator.converting.portal_file import Conversion
from webarticlecurator.converting.xpaths import CannotSay, as_pick, attribute
from webarticlecurator.errors import UsageError

PROGRAM = "fivefilters"
_MOST_BYTES = 200_000
_CONDITION = "if_page_contains"
_HOST = re.compile(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)+")
_RULES = {
    "title": "metadata|headline",
    "author": "metadata|author",
    "date": "metadata|datePublished",
    "body": "body|root",
    "next_page_link": "articles|next",
    "strip": "body|tags|decompose",
    "dissolve": "body|tags|unwrap",
}
_NO_ARCHIVE = "It tells how articles are read, and not where they are listed: `curator new {home}` looks for that (`archive`)."


def read_fivefilters(path: Path) -> Conversion:
    """A file called after its host. Raises UsageError."""
    host = path.name.removesuffix(".txt").lower()
    content = content_of(path)
    if not _HOST.fullmatch(host):
        raise UsageError(f"{path}: it is neither called after a host, such as pelda.example.txt, nor a file of another program known here.")
    if len(content) > _MOST_BYTES:
        raise UsageError(f"{path} is larger than {_MOST_BYTES:,} bytes; a page of text is expected.")
    home = f"https://{host.lstrip('.')}/"
    conversion = Conversion(host.lstrip("."), PROGRAM, home, [path.name], remarks=[_NO_ARCHIVE.format(home=home)])
    if host.startswith("."):
        conversion.leave("wildcard", f"{path.name}:1", host)
    numbered = enumerate(content.decode("utf-8-sig", "replace").split("\n"), start=1)
    lines = [(number, text) for number, text in numbered if text.strip() and not text.lstrip().startswith("#")]
    for at, (number, text) in enumerate(lines):
        place = f"{path.name}:{number}"
        beside = any(other.lstrip().startswith(_CONDITION) for _, other in lines[max(at - 1, 0) : at + 2])
        written = text.strip()
        before, _, behind = written.partition(":")
        if beside and before.rstrip().lower() in (_CONDITION, "single_page_link", *_RULES):
            conversion.leave(_CONDITION, place, written)  # nor is a rule said that holds only on some pages
            continue
        key, value = before.partition("(")[0].strip().lower(), behind.strip()
        if not value:
            conversion.leave(key, place, written, kind="unknown", advice="a line is `key: value`")
            continue
        try:
            _read_rule(conversion, place, key, value, written)
        except CannotSay as part:
            conversion.leave(key, place, written, kind="selector", advice=f"it holds {part}")
    return conversion


def _read_rule(conversion: Conversion, place: str, key: str, value: str, written: str) -> None:
    """Raises CannotSay."""
    if key in _RULES:
        pick = as_pick(value)
        if key in ("body", "strip", "dissolve") and not isinstance(pick, str) and (key != "body" or pick.keys() != {"css", "take"}):
            raise CannotSay("what is no element")
        if key == "body" and isinstance(pick, str) and not re.fullmatch(r"[a-z]*#[\w-]+", pick):
            pick = {"css": pick, "take": "all"}
        conversion.say(_RULES[key], pick, place, written)
    elif key == "strip_id_or_class":
        word = value.replace("'", "").replace('"', "")
        if len(word.split()) != 1:
            raise CannotSay("several words")
        for name in ("class", "id"):
            conversion.say("body|tags|decompose", attribute(name, "~=", word), place, written)
    elif key == "strip_image_src":
        conversion.say("body|tags|decompose", f"img{attribute('src', '*=', value.strip(chr(34) + chr(39)))}", place, written)
    elif key == "src_lazy_load_attr":
        conversion.say("body|tags|figure", {"css": f"img{attribute(value)}", "url": value}, place, written)
    else:
        conversion.leave(key, place, written)
