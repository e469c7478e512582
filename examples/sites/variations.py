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
    ("wordpress", "twentysixteen", "de", "api-closed folder more pages sticky"),
    ("wordpress", "twentysixteen", "hu", "names own-letters comments-oldest"),
    ("wordpress", "twentyten", "fr", "numbers untitled more"),
    ("wordpress", "twentytwentyfour", "de", "api-closed names pages sticky comments-newest"),
    ("wordpress", "twentytwenty", "en", ""),
    ("wordpress", "twentytwenty", "de", "api-closed"),
    ("wordpress", "astra", "hu", "comments-newest"),
    ("wordpress", "genesis", "fr", "api-closed jetpack"),
    ("blogger", "layouts", "hu", "flat-comments"),
    ("blogger", "layouts", "fr", "untitled no-feed"),
    ("blogger", "layouts", "en", "breaks jump no-feed"),
    ("blogger", "designer", "de", "jump"),
    ("blogger", "designer", "fr", "mobile-home"),
    ("blogger", "designer", "en", "mixed no-feed"),
    ("blogger", "contempo", "en", ""),
    ("phpbb", "3.0", "en", ""),
    ("phpbb", "3.0", "de", "folder numeric-dates"),
    ("phpbb", "3.2", "fr", ""),
    ("phpbb", "3.3", "hu", "folder"),
    ("phpbb", "3.0", "hu", "rough"),
    ("phpbb", "3.2", "en", "rough numeric-dates"),
    ("discourse", "newer", "en", "related"),
    ("discourse", "newer", "fr", "rough"),
    ("discourse", "newer", "hu", "no-api"),
    ("discourse", "older", "de", ""),
    ("ghost", "casper-5", "en", "signup two-authors"),
    ("ghost", "casper-2", "de", "pager"),
    ("ghost", "source", "en", "two-authors"),
    ("drupal", "bartik-7", "en", "rdf"),
    ("drupal", "bartik-7", "hu", "aliases"),
    ("drupal", "olivero", "de", "rdf aliases"),
    ("drupal", "olivero", "fr", ""),
    ("drupal", "bartik-9", "de", ""),
    ("typo3-news", "v7", "de", ""),
    ("typo3-news", "v11", "en", "folder teaser"),
    ("smf", "2.0", "en", ""),
    ("smf", "2.1", "de", ""),
    ("mybb", "1.8", "en", ""),
    ("mybb", "classic", "de", "relative"),
    ("xenforo", "1", "en", ""),
    ("xenforo", "2", "hu", ""),
    ("smf", "2.0", "fr", "rough"),
    ("smf", "2.1", "en", "rough"),
    ("mybb", "1.8", "fr", "rough"),
    ("xenforo", "1", "hu", "rough"),
    ("xenforo", "2", "de", "rough"),
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
    ("wordpress", "twentyeleven", "hu", ""),
    ("wordpress", "generatepress", "de", "api-closed"),
    ("wordpress", "newspaper", "en", ""),
    ("wordpress", "twentyten", "en", "folder more pages"),
    ("wordpress", "twentysixteen", "fr", "api-closed own-letters untitled sticky"),
    ("wordpress", "twentytwentyfour", "hu", "api-closed comments-newest jetpack"),
    ("wordpress", "twentytwentyone", "fr", "plain numeric-dates seo"),
    ("blogger", "layouts", "de", "jump flat-comments"),
    ("blogger", "contempo", "fr", "no-feed"),
    ("blogger", "designer", "hu", "breaks no-feed"),
    ("phpbb", "3.0", "fr", "rough folder"),
    ("phpbb", "3.2", "de", "folder"),
    ("phpbb", "3.3", "fr", "rough numeric-dates"),
    ("discourse", "older", "fr", "no-api rough"),
    ("discourse", "newer", "de", "related"),
    ("ghost", "casper-2", "hu", "two-authors"),
    ("ghost", "casper-5", "fr", "pager"),
    ("ghost", "source", "hu", "pager"),
    ("drupal", "bartik-9", "en", "aliases"),
    ("drupal", "bartik-7", "fr", "rdf aliases"),
    ("drupal", "olivero", "hu", "aliases"),
    ("typo3-news", "v11", "de", ""),
    ("smf", "2.0", "hu", "rough"),
    ("smf", "2.1", "fr", "rough"),
    ("mybb", "1.8", "hu", "relative rough"),
    ("xenforo", "1", "de", "rough"),
    ("xenforo", "2", "fr", "rough"),
    ("sitemap", "news", "fr", ""),
    ("feed", "atom", "de", ""),
    ("live-blog", "microdata", "fr", "oldest-first"),
    ("live-blog", "plugin", "de", ""),
)


_NEXT_LANGUAGE = {"hu": "de", "de": "en", "en": "fr", "fr": "hu"}
KINDS = ("usual", "fresh", "last")


def variations(kind: str = "usual") -> tuple[Variation, ...]:
    """`usual`: looked at while rules are written; `fresh`: other themes and options; `last`: all of both, each in another language."""
    seed = 1 + KINDS.index(kind)
    if kind == "last":
        rows = [(software, theme, _NEXT_LANGUAGE[language], options) for software, theme, language, options in (*_TABLE, *_FRESH)]
    else:
        rows = list({"usual": _TABLE, "fresh": _FRESH}[kind])
    return tuple(Variation(software, theme, language, frozenset(options.split()), seed) for software, theme, language, options in rows)
