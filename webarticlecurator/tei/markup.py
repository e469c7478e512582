"""Text, addresses, dates and names in the forms that XML and TEI's data types allow."""

from __future__ import annotations

from datetime import date, datetime
from ipaddress import IPv6Address

from babel import Locale

from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import primary
from webarticlecurator.urls import WHOLE_ESCAPES, percent_encoded

NAMESPACE = "http://www.tei-c.org/ns/1.0"
_ENGLISH = Locale("en")
_CONTROLS = bytes(code for code in range(0x20) if code not in b"\t\n\r")
_NONCHARACTERS = ("\ufffe".encode(), "\uffff".encode())
_BEFORE_NONCHARACTERS = _NONCHARACTERS[0][:2]
_SPECIAL = linear('[&<>"\n\t\r]')
_IN_ATTRIBUTES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
)
# What libxml2 and jing both take as anyURI: RFC 3986 as it is written, and neither an empty host nor an empty
# port.
_NAMED = r"A-Za-z0-9\-._~!$&'()*+,;=%"
_URI = linear_at(
    rf"{WHOLE_ESCAPES}[A-Za-z][A-Za-z0-9+.\-]*:"
    rf"(?://(?:[{_NAMED}:]*@)?(?:\[([0-9A-Fa-f:.]+)\]|[{_NAMED}]+)(?::[0-9]{{1,5}})?(?=[/?#]|\Z)|(?!//)(?=[^?#]))"
    rf"[{_NAMED}:@/]*(?:\?[{_NAMED}:@/?]*)?(?:#[{_NAMED}:@/?]*)?"
)
_NOT_IN_URI = linear(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?#%\[\]]")
_MOMENT = linear_at(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00)?"
)
_MONTH_OR_YEAR = linear_at(r"(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?")


def escape(text: str) -> str:
    """Return a text as content of an element; characters that XML cannot hold are left for `readable`."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(name: str, value: str | None) -> str:
    """An attribute with the blank before it; nothing where there is no value."""
    if not value:
        return ""
    return f' {name}="{value.translate(_IN_ATTRIBUTES) if _SPECIAL.search(value) else value}"'


def element(name: str, content: str, own: str | None = None, **attributes: str | None) -> str:
    """An element around finished content; `own` are attributes that are written already, of others `xml_id`
    is written `xml:id`."""
    opening = name + (own or "")
    for key, value in attributes.items():
        if value:
            opening = f"{opening}{attribute(key.replace('xml_', 'xml:'), value)}"
    return f"<{opening}>{content}</{name}>" if content else f"<{opening}/>"


def text_element(name: str, text: str | None, **attributes: str | None) -> str:
    """Return an element around a text; nothing where there is no text."""
    return element(name, escape(text), **attributes) if text else ""


def filled(name: str, content: str, **attributes: str | None) -> str:
    """Return an element around finished content; nothing where there is no content."""
    return element(name, content, **attributes) if content else ""


def readable(text: str) -> tuple[bytes, int]:
    """Return a text as UTF-8 without the characters that XML cannot hold, and how many there were."""
    removed = 0
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        text, removed = linear("[\ud800-\udfff]").subn("", text)
        encoded = text.encode()
    # Every one of the 20,000 characters of a document passes here; a regular expression would take ten times
    # as long.
    cleaned = encoded.translate(None, _CONTROLS)
    removed += len(encoded) - len(cleaned)
    if _BEFORE_NONCHARACTERS in cleaned:
        for character in _NONCHARACTERS:
            removed += cleaned.count(character)
            cleaned = cleaned.replace(character, b"")
    return cleaned, removed


def uri(address: str | None) -> str | None:
    """The address as a valid anyURI, percent-encoded where it has to be; None where it can be none."""
    if not address:
        return None
    if _is_uri(address):
        return address
    encoded = _NOT_IN_URI.sub(percent_encoded, address.strip())
    start = linear_at(r"[A-Za-z][A-Za-z0-9+.\-]*://[^/?#]*").match(encoded)
    at = start.end() if start else 0
    rest, hash_mark, fragment = linear(r"[\[\]]").sub(percent_encoded, encoded[at:]).partition("#")
    encoded = encoded[:at] + rest + hash_mark + fragment.replace("#", "%23")
    return encoded if _is_uri(encoded) else None


def _is_uri(address: str) -> bool:
    match = _URI.fullmatch(address)
    if match is not None and match[1] is not None:
        try:
            IPv6Address(match[1])
        except ValueError:
            return False
    return match is not None


def moment(value: str | None) -> str | None:
    """An ISO 8601 date or time as TEI's `@when` takes it: with seconds, and a colon in the offset; None where
    it is none."""
    if not value:
        return None
    if _MONTH_OR_YEAR.fullmatch(value):
        return value
    try:
        if "T" in value or " " in value:
            written = datetime.fromisoformat(value).isoformat().replace("+00:00", "Z")
            return written if _MOMENT.fullmatch(written) else None
        return date.fromisoformat(value).isoformat()
    except ValueError:
        return None


UNKNOWN_LANGUAGE = "und"


def language(tag: str | None) -> str | None:
    """A BCP 47 tag, or None."""
    written = (tag or "").strip().replace("_", "-")
    return written if linear_at(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*").fullmatch(written) else None


def language_name(tag: str) -> str:
    """Return what the language of a tag is called in English."""
    return str(_ENGLISH.languages.get(primary(tag), ""))


def name(text: str | None, default: str) -> str:
    """A single word for `@type` and the like."""
    return linear(r"[^A-Za-z0-9._\-]+").sub("-", text or "").strip("-.") or default


def visible_ascii(text: str) -> str:
    """A single word for `@subtype` that may hold signs, as the names of programming languages do (c++,
    f#)."""
    return linear(r"[^!-~]+").sub("-", text.strip())


def xml_id(text: str) -> str:
    """An identifier that may stand in `xml:id`, which never begins with a digit."""
    written = name(text, "article")
    return written if written[0].isalpha() or written[0] == "_" else f"id-{written}"


# A table of our own: the standard library's depends on the machine, and the same article has to give the same
# bytes everywhere.
_TYPES = {
    **{ending: f"image/{ending}" for ending in ("jpeg", "png", "gif", "webp", "avif")},
    **{ending: f"video/{ending}" for ending in ("mp4", "webm")},
    **{ending: f"audio/{ending}" for ending in ("ogg", "wav")},
    "jpg": "image/jpeg",
    "svg": "image/svg+xml",
    "mp3": "audio/mpeg",
    "pdf": "application/pdf",
}


def media_type(address: str | None) -> str | None:
    """Return the media type of an address by the ending of its path; None where it tells none."""
    match = linear(r"\.([A-Za-z0-9]{2,5})(?:[?#]|\Z)").search(address or "")
    return _TYPES.get(match[1].lower()) if match else None
