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
    ("blogger", "designer", "en", "mixed no-feed"),
    ("blogger", "contempo", "en", ""),
    ("phpbb", "3.0", "en", ""),
    ("phpbb", "3.0", "de", "folder numeric-dates"),
    ("phpbb", "3.2", "fr", ""),
    ("phpbb", "3.3", "hu", "folder"),
    ("discourse", "newer", "en", "related"),
    ("discourse", "newer", "hu", "no-api"),
    ("discourse", "older", "de", ""),
    ("ghost", "casper-5", "en", "signup two-authors"),
    ("ghost", "casper-2", "de", "pager"),
    ("drupal", "bartik-7", "en", "rdf"),
    ("drupal", "bartik-7", "hu", "aliases"),
    ("drupal", "olivero", "de", "rdf aliases"),
    ("drupal", "olivero", "fr", ""),
    ("typo3-news", "v7", "de", ""),
    ("typo3-news", "v11", "en", "folder teaser"),
    ("smf", "2.0", "en", ""),
    ("smf", "2.1", "de", ""),
    ("mybb", "1.8", "en", ""),
    ("mybb", "classic", "de", "relative"),
    ("xenforo", "1", "en", ""),
    ("xenforo", "2", "hu", ""),
    ("sitemap", "index-gz", "hu", ""),
    ("sitemap", "news", "en", ""),
    ("sitemap", "robots", "de", ""),
    ("feed", "atom", "hu", ""),
    ("feed", "rss", "en", ""),
    ("feed", "json", "fr", ""),
    ("live-blog", "microdata", "en", ""),
    ("live-blog", "plugin", "hu", "oldest-first"),
    ("live-blog", "data", "de", ""),
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
    ("ghost", "casper-2", "hu", "two-authors"),
    ("ghost", "casper-5", "fr", "pager"),
    ("drupal", "bartik-7", "fr", "rdf aliases"),
    ("drupal", "olivero", "hu", "aliases"),
    ("typo3-news", "v11", "de", ""),
    ("smf", "2.0", "hu", ""),
    ("smf", "2.1", "fr", ""),
    ("mybb", "1.8", "hu", "relative"),
    ("xenforo", "1", "de", ""),
    ("xenforo", "2", "fr", ""),
    ("sitemap", "news", "fr", ""),
    ("feed", "atom", "de", ""),
    ("live-blog", "microdata", "fr", "oldest-first"),
    ("live-blog", "plugin", "de", ""),
)


def variations(*, fresh: bool = False) -> tuple[Variation, ...]:
    table = _FRESH if fresh else _TABLE
    return tuple(
        Variation(software, theme, language, frozenset(options.split()), seed=2 if fresh else 1, fresh=fresh)
        for software, theme, language, options in table
    )
