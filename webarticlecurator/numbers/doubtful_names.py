"""Authors, sections, keywords and agencies that may be none: by how many have them, what else is called so, how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Database
from webarticlecurator.text import squeeze
from webarticlecurator.word_lists import read_word_lists

_MOST_SECTIONS = 10_000
"""Names of sections that authors are compared with."""
_NEARLY_ALL = 0.8
_ON_ALL = 0.95
_ENOUGH = 20
"""With fewer articles nothing is said of shares."""
_ENOUGH_FOR_SECTIONS = 200
_LONG_NAME = 60
_MANY_WORDS = 7
_ADDRESS = re.compile(r"https?:|www\.|@|\.(?:com|org|net|hu|de|fr|cz|pl)\b", re.IGNORECASE)
_UNDERSCORE = re.compile(r"[^\W_]_[^\W_]")

_OF_BYLINES = read_word_lists(str(Path(__file__).parents[1] / "extraction" / "metadata" / "authors.py"), "byline_words.txt")
"""The words of the reader of authors, without the reader."""
_AGENCIES = frozenset(_OF_BYLINES["agencies"])
_DESKS = frozenset((*_OF_BYLINES["newsrooms"], *_OF_BYLINES["desks"], *_OF_BYLINES["agency words"]))
# fmt: off
_LOGINS = frozenset((
    "admin", "administrator", "anonymous", "default", "editor", "guest", "n/a", "none", "null", "root", "test", "undefined", "unknown",
    "user", "webmaster",
))
# fmt: on


def mark_suspicious(db: Database, portal: Portal) -> None:
    """Note in the table `names` of each one why it may be none."""
    (articles,) = db.execute("SELECT count(*) FROM documents").fetchone()
    having = dict(db.execute("SELECT field, sum(articles) FROM filled GROUP BY field"))
    sections = db.execute(f"SELECT name FROM names WHERE field = 'articleSection' ORDER BY articles DESC LIMIT {_MOST_SECTIONS}")
    own = frozenset(squeeze(name.casefold()) for name in (portal.title, portal.name, portal.publisher.name) if name)
    names_of_sections = frozenset(squeeze(name.casefold()) for (name,) in sections)

    def doubts(field: str, name: str, number: int) -> Iterator[str]:
        """Why a name that so many articles have may be none."""
        folded, is_author, is_keyword, with_any = squeeze(name.casefold()), field == "author", field == "keywords", having[field]
        if is_author and folded in names_of_sections:
            yield "a section has this name, too"
        if field == "articleSection" and number == 1 and with_any >= _ENOUGH_FOR_SECTIONS:
            yield "only one article stands in it"
        if folded in own:
            yield "it is the portal's own name"
        if len(name) > 2 * _LONG_NAME if is_keyword else len(name) > _LONG_NAME or len(name.split()) > _MANY_WORDS:
            yield f"it is too long for a {'keyword' if is_keyword else 'section' if field == 'articleSection' else 'name'}"
        # Two words joined as nobody joins those of a name; in a script without capitals that may be how names are written.
        is_joined = _UNDERSCORE.search(name) and name.lower() != name.upper() and name.casefold() not in _AGENCIES | _DESKS
        if field in ("author", "articleSection") and _ADDRESS.search(name):
            yield "it holds an address"
        elif is_author and (folded in _LOGINS or (folded not in own and is_joined)):
            yield "it is a login or a placeholder"
        if number < _ENOUGH:
            return
        if is_author and number > _NEARLY_ALL * with_any:
            yield f"{number:,} of the {amount(with_any, 'article')} with an author have this one"
        if field == "articleSection" and number > _ON_ALL * articles:
            yield f"{number:,} of {amount(articles, 'article')} stand in it: it divides nothing"
        if is_keyword and number > _ON_ALL * with_any:
            yield f"{number:,} of the {amount(with_any, 'article')} with keywords have it: it tells nothing of them"

    def why_suspicious(field: str, name: str, number: int) -> str | None:
        reasons = list(doubts(field, name, number))
        return orjson.dumps(reasons).decode() if reasons else None

    db.create_function("why_suspicious", 3, why_suspicious)
    db.execute("UPDATE names SET suspicious = why_suspicious(field, name, articles)")
