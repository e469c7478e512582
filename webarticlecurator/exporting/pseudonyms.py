"""Names of people who post, replaced by stable pseudonyms: a keyed hash, whose key lies apart from the corpus
and from every export."""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.export_options import WHOSE
from webarticlecurator.own_patterns import linear, linear_at, linear_by_properties
from webarticlecurator.text import letters_in_addresses, normalised, squeeze
from webarticlecurator.urls import is_http

WHO, AUTHOR = WHOSE
_BYLINES = ("author", "creator", "contributor", "editor", "translator")
_PEOPLE = ("who", "editor")
"""Fields of posts and of quotes that are names."""
_TEXTS, _IDS, _URLS = {"text", "title", "deleted", "alt"}, {"id", "reply_to", "post"}, {"url", "original_url"}
"""Fields of a post that may hold a name."""
_ID = linear_at(r"[a-z_#-]+|.*\d.*", re.DOTALL)
"""An id of a post: it has digits, or is one word in a language of machines; a name has neither."""
_SHORTEST = 3
"""Characters of a name that is looked for in texts and addresses: a shorter one would be found everywhere."""
_BLANKS = linear(r"[^\S\n]+")
Record = dict[str, Any]


def read_key(path: Path) -> bytes:
    """The key; made, where there is none, so that only the person can read it. Raises UsageError on an empty
    one."""
    try:
        key = path.read_bytes().strip()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{token_hex(32)}\n")
        key = path.read_bytes().strip()
    if len(key) < 16:
        raise UsageError(
            f"{path} is too short for a key (16 bytes or more): whoever guesses it knows every name."
        )
    return key


class Pseudonyms:
    """The pseudonyms of one export. The same name in the same portal has the same one, as long as the key is
    the same."""

    def __init__(self, whose: frozenset[str], key: bytes) -> None:
        self._whose = whose
        self._key = key

    @property
    def key_mark(self) -> str:
        """Return a mark by which one sees that a key is the same; the key does not follow from it."""
        return hmac.new(self._key, b"mark of the key", sha256).hexdigest()[:12]

    def of(self, name: str, portal: str) -> str:
        """The pseudonym of a name; case and blanks do not count."""
        hashed = f"{portal}\0{squeeze(name).casefold()}".encode("utf-8", "replace")
        return "person-" + hmac.new(self._key, hashed, sha256).hexdigest()[:12]

    def of_id(self, text: str) -> str:
        """Return what stands for the id of a post: many portals make it of a name."""
        return (
            "post-" + hmac.new(self._key, b"id\0" + text.encode("utf-8", "replace"), sha256).hexdigest()[:12]
        )

    def names(self, record: Mapping[str, Any], portal: str) -> dict[str, str]:
        """Return the pseudonyms, by name, of everybody in an article who is not to be known."""
        names = (
            _people_in((*record.get("blocks", ()), *record.get("comments", ())))
            if WHO in self._whose
            else set()
        )
        if AUTHOR in self._whose:
            told = [record.get(part, {}) for part in ("metadata", "disagreements")]
            names |= {
                person["value"] for fields in told for name in _BYLINES for person in fields.get(name, ())
            }
        return {name: self.of(name, portal) for name in names}

    def change(self, record: Record, names: Mapping[str, str]) -> Record:
        """The record with pseudonyms wherever it can name somebody.

        What was dropped goes, too: it may be comments that no rule knows; of values mended by hand only their
        fields are told. The texts of posts name other
        posters ("@Ada", "Ada wrote:").
        """
        rename = _Renamer(names, self.of_id)
        record = _without_what_may_name(record)
        # The author of a thread is who posted first; other articles have bylines, which stay unless they were
        # asked for.
        threads = any(one.get("kind") == "forum" for one in record.get("blocks", ()))
        if AUTHOR in self._whose or threads:
            for part in ("metadata", "disagreements"):
                if part in record:
                    record[part] = {
                        name: rename.field(name, values, of_thread=threads)
                        for name, values in record[part].items()
                    }
        if WHO in self._whose:
            record["blocks"] = [
                rename.node(one, in_post=bool(one["type"] == "post")) for one in record.get("blocks", ())
            ]
            if "comments" in record:
                record["comments"] = [rename.node(one, in_post=True) for one in record["comments"]]
            record["text"] = "\n".join([one["text"] for one in record["blocks"] if one["text"]])
        return record


def _without_what_may_name(record: Record) -> Record:
    """Return a record without what was dropped; of what was mended by hand, only which fields."""
    record = {name: value for name, value in record.items() if name != "dropped"}
    if "corrections" in record:
        record["corrections"] = [{"field": mended["field"]} for mended in record["corrections"]]
    return record


class _Renamer:
    def __init__(self, names: Mapping[str, str], of_id: Callable[[str], str]) -> None:
        long = [name for name in map(_as_in_texts, names) if len(name) >= _SHORTEST]
        words = {
            letters_in_addresses(word)
            for name in long
            for word in (name, *name.split())
            if len(word) > _SHORTEST
        }
        self._names = names
        self._of_id = of_id
        self._folded = {_as_in_texts(name).casefold(): pseudonym for name, pseudonym in names.items()}
        # A named list is looked up, not tried one after the other: a thread may have ten thousand posters.
        pattern = r"(?<=@)(?i:\L<names>)(?!\w)|(?<!\w)(?:(?i:\L<no_words>)|\L<exact>)(?!\w)"
        no_words, exact = [name for name in long if not name.isalpha()], [*long, *map(str.upper, long)]
        self._in_texts = (
            linear_by_properties(pattern, names=long, no_words=no_words, exact=exact) if long else None
        )
        self._in_addresses = (
            linear_by_properties(r"\L<words>", words=sorted(filter(None, words))) if any(words) else None
        )

    def text(self, text: str) -> str:
        """Replace names that stand in a text as whole words.

        In whatever case after an @, and where they are no single word: Will and Rose may post, and both are
        words, too.
        """
        if self._in_texts is None:
            return text
        return self._in_texts.sub(
            lambda match: self._folded.get(match[0].casefold(), match[0]), _as_in_texts(text)
        )

    def field(self, name: str, values: list[Record], *, of_thread: bool) -> list[Record]:
        """Return values of the metadata without names; `of_thread`: they may name who began it."""
        if name in _BYLINES:
            return self.bylines(values)
        return self.told(values) if of_thread else values

    def told(self, values: list[Record]) -> list[Record]:
        """Return what else is told of a thread, whose headline and address may name who began it."""
        kept = [value for value in values if not (is_http(value["value"]) and self._is_named(value["value"]))]
        return [
            {**value, "value": self.text(value["value"]), "raw": self.text(value["raw"])} for value in kept
        ]

    def bylines(self, values: list[Record]) -> list[Record]:
        named = [(value, self._names.get(value["value"])) for value in values]
        return [value if name is None else {**value, "value": name, "raw": name} for value, name in named]

    def node(self, node: Record, *, in_post: bool) -> Record:
        """A block, an inline or a post, with all in it."""
        in_post = (
            in_post or node["type"] in ("social", "post") or (node["type"] == "quote" and "post" in node)
        )
        changed = dict(node)
        for name in node.keys() & set(_PEOPLE):
            changed[name] = self._names.get(node[name], node[name])
        if in_post:
            self._change_post(changed)
        if node["children"]:
            changed["children"] = [self.node(child, in_post=in_post) for child in node["children"]]
        return changed

    def _change_post(self, node: Record) -> None:
        """Rename where a post names somebody: in its texts, in ids, in addresses of profiles."""
        for name in node.keys() & _TEXTS:
            node[name] = self.text(node[name])
        for name in node.keys() & _IDS:
            node[name] = self._names.get(node[name]) or self._of_id(
                node[name]
            )  # a reply may name whom it answers
        for name in node.keys() & _URLS:
            if node["type"] == "social" or self._is_named(node[name]):
                del node[name]

    def _is_named(self, address: str) -> bool:
        """An address too many that goes is no harm, one that names somebody is."""
        return (
            self._in_addresses is not None
            and self._in_addresses.search(letters_in_addresses(address)) is not None
        )


def _people_in(blocks: Iterable[Record]) -> set[str]:
    """Return the names of whoever posts, comments, edits, or is quoted."""
    names: set[str] = set()
    waiting = list(blocks)
    while waiting:
        node = waiting.pop()
        if node["type"] not in ("question", "answer"):  # who speaks in an interview is no poster
            names |= {node[name] for name in _PEOPLE if node.get(name)}
        target = node.get("reply_to") if node.get("kind") else None
        if target and _ID.fullmatch(target) is None:
            names.add(target)
        waiting.extend(node["children"])
    return names


def _as_in_texts(text: str) -> str:
    """Return a name with one blank between words, and composed characters: so it is found however it is
    written."""
    return _BLANKS.sub(" ", normalised("NFC", text))
