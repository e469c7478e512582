"""Which sites there are: by software a line for each theme with its language and its options."""

from __future__ import annotations

from .site import Variation

_TABLE: tuple[tuple[str, str, str, str], ...] = (
    ("wordpress", "twentysixteen", "en", ""),
    ("wordpress", "twentysixteen", "hu", "api-closed comments-newest"),
    ("wordpress", "twentysixteen", "fr", "plain api-closed jetpack seo"),
    ("wordpress", "twentytwentyone", "de", "jetpack comments-newest"),
    ("wordpress", "twentytwentyone", "en", "api-half"),
    ("wordpress", "twentyten", "hu", ""),
    ("wordpress", "twentyten", "en", "comments-oldest plain"),
    ("wordpress", "twentytwentythree", "hu", "static-front"),
    ("wordpress", "twentytwentythree", "de", "api-closed numeric-dates"),
    ("wordpress", "twentytwentyfour", "fr", "static-front api-closed"),
    ("wordpress", "twentytwentyfour", "en", "no-comments seo"),
    ("blogger", "layouts", "hu", "flat-comments"),
    ("blogger", "layouts", "en", "breaks jump no-feed"),
    ("blogger", "designer", "de", "jump"),
    ("blogger", "designer", "fr", "mobile-home"),
    ("blogger", "contempo", "en", ""),
    ("phpbb", "3.0", "en", ""),
    ("phpbb", "3.0", "de", "folder numeric-dates"),
    ("phpbb", "3.2", "fr", ""),
    ("phpbb", "3.3", "hu", "folder"),
    ("discourse", "newer", "en", "related"),
    ("discourse", "newer", "hu", "no-api"),
    ("discourse", "older", "de", ""),
)
_FRESH: tuple[tuple[str, str, str, str], ...] = (
    ("wordpress", "kubrick", "de", ""),
    ("wordpress", "twentytwentyfour", "hu", "api-closed comments-newest jetpack"),
    ("wordpress", "twentytwentyone", "fr", "plain numeric-dates seo"),
    ("blogger", "layouts", "de", "jump flat-comments"),
    ("blogger", "contempo", "fr", "no-feed"),
    ("blogger", "designer", "hu", "breaks no-feed"),
    ("phpbb", "3.0", "hu", ""),
    ("phpbb", "3.2", "de", "folder"),
    ("phpbb", "3.3", "fr", "numeric-dates"),
    ("discourse", "older", "fr", "no-api"),
    ("discourse", "newer", "de", ""),
)


def variations(*, fresh: bool = False) -> tuple[Variation, ...]:
    table = _FRESH if fresh else _TABLE
    return tuple(
        Variation(software, theme, language, frozenset(options.split()), seed=2 if fresh else 1, fresh=fresh)
        for software, theme, language, options in table
    )
