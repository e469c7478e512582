"""By what the software of a site is recognised: a row a system, with its signs and how much each weighs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webarticlecurator.config.portal import Kind

Place = Literal["generator", "header", "cookie", "address", "asset", "picture", "link", "script", "css"]
"""Where a sign stands. A pattern is searched in `<meta name=generator>`; in lines `Name: value` of the response's head; in names of
cookies; in the page's address; in the addresses of its scripts and style sheets, of pictures on its own host, of links to elsewhere; in
inline scripts. `css` is a selector that must match."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that a system writes into its pages."""

    place: Place
    what: str
    weight: float
    """How sure the system is if there were no other sign: 0 to 1. Those of one system are taken together as if they were independent."""
    variant: str = ""
    """What kind of that system it tells."""


@dataclass(frozen=True, slots=True)
class System:
    """One software, with the preset to extend, where there is one."""

    name: str
    preset: str | None
    signs: tuple[Sign, ...]
    kind: Kind | None = None
    """What sites are that are made with it; None: of all kinds."""


_SURE = 0.98


def _system(name: str, preset: str | None, *signs: Sign, generator: str | None = None, kind: Kind | None = None) -> System:
    """`generator` is how the meta tag of that name begins."""
    return System(name, preset, (Sign("generator", rf"(?i)^{generator or name}\b", _SURE), *signs), kind)


# fmt: off
SYSTEMS: tuple[System, ...] = (
    _system(
        "WordPress", "wordpress",
        Sign("css", "link[rel='https://api.w.org/']", _SURE),
        Sign("header", r"(?i)^link:.*api\.w\.org", _SURE),
        Sign("header", r"(?i)^x-pingback:.*/xmlrpc\.php", 0.85),
        Sign("header", r"(?i)^x-redirect-by: *wordpress", _SURE),
        Sign("cookie", r"^wordpress_|^wp-settings-", 0.9),
        Sign("address", r"^https?://[^/]+\.wordpress\.com/", 0.95),
        Sign("asset", r"/wp-content/(?:themes|plugins|mu-plugins|cache|uploads)/", 0.9),
        Sign("asset", r"/wp-includes/", 0.95),
        Sign("picture", r"/wp-content/uploads/", 0.6),
        Sign("script", r"_wpemojiSettings|/wp-admin\\?/admin-ajax\.php", 0.95),
        Sign("css", "link[rel=EditURI][href*='xmlrpc.php?rsd'], link[rel=wlwmanifest]", 0.9),
        Sign("css", "link[rel=shortlink][href*='?p=']", 0.7),
        Sign("css", "article[id^=post-].hentry, div[id^=post-].hentry, body.single-post[class*=postid-]", 0.6, "classic theme"),
        Sign("css", "img[class*=wp-image-]", 0.4),
        Sign("css", "ol.commentlist li.comment, ol.comment-list li.comment", 0.4, "classic theme"),
        Sign("css", ".wp-site-blocks, .wp-block-post-content, .wp-block-template-part", 0.85, "block theme"),
        kind=Kind.BLOG,
    ),
    _system(
        "Blogger", "blogger",
        Sign("header", r"(?i)^server: *blogger-renderd", _SURE),
        Sign("address", r"^https?://[^/]+\.blogspot\.[a-z.]+/", 0.97),
        Sign("asset", r"//www\.blogger\.com/(?:static|dyn-css)/|resources\.blogblog\.com/", 0.9),
        Sign("script", r"_WidgetManager\._", 0.95),
        Sign("css", "link[rel='service.post'][href*='blogger.com/feeds']", 0.95),
        Sign("css", "link[rel=alternate][href*='/feeds/posts/default']", 0.9),
        Sign("css", ".widget.Blog, #Blog1", 0.85),
        Sign("css", ".post-outer .post.hentry", 0.5),
        Sign("css", "h2.date-header, .mobile-date-outer", 0.3),
        Sign("css", ".mobile-post-outer, .mobile-desktop-link", 0.6, "mobile pages"),
        kind=Kind.BLOG,
    ),
    _system(
        "Ghost", "ghost",
        Sign("header", r"(?i)^x-ghost-", 0.95),
        Sign("asset", r"/public/cards\.min\.(?:css|js)|@tryghost/|ghost/portal", 0.95),
        Sign("css", "script[data-ghost], link[href*='/ghost/api/']", 0.95),
        Sign("css", ".gh-content, .gh-canvas, .gh-head", 0.7),
        Sign("css", ".kg-card, .kg-image", 0.6),
        Sign("css", "article.post-card .post-card-content-link", 0.6),
        Sign("picture", r"/content/images/(?:size/w\d+/)?\d{4}/\d\d/", 0.4),
        kind=Kind.BLOG,
    ),
    _system(
        "Drupal", "drupal",
        Sign("generator", r"(?i)^drupal 7\b", _SURE, "7"),
        Sign("generator", r"(?i)^drupal (?:[89]|1\d)\b", _SURE, "8 or later"),
        Sign("header", r"(?i)^x-generator: *drupal", _SURE),
        Sign("header", r"(?i)^x-drupal-(?:dynamic-)?cache:", _SURE),
        Sign("script", r"jQuery\.extend\(Drupal\.settings", 0.97, "7"),
        Sign("css", "script[data-drupal-selector=drupal-settings-json]", 0.97, "8 or later"),
        Sign("css", "[data-drupal-link-system-path], [data-history-node-id]", 0.9, "8 or later"),
        Sign("asset", r"/core/(?:misc|modules|themes|assets/vendor)/", 0.7, "8 or later"),
        Sign("asset", r"/sites/(?:default|all|[\w.-]+)/(?:files|themes|modules)/", 0.85),
        Sign("picture", r"/sites/(?:default|[\w.-]+)/files/", 0.7),
        Sign("css", "[class*=node--type-], [class*=node--view-mode-]", 0.7, "8 or later"),
        Sign("css", "body[class*=page-node-], body[class*=node-type-]", 0.7),
        Sign("css", ".field-name-body, .field-item.even", 0.7, "7"),
        Sign("css", ".field--name-body, .field--type-text-with-summary", 0.7),
        Sign("css", "link[rel=shortlink][href*='/node/'], [about^='/node/']", 0.7),
    ),
    _system(
        "TYPO3", "typo3-news",
        Sign("asset", r"/?typo3temp/|/?typo3conf/", 0.95),
        Sign("asset", r"/_assets/[0-9a-f]{32}/", 0.8),
        Sign("asset", r"/fileadmin/", 0.6),
        Sign("picture", r"/fileadmin/", 0.5),
        Sign("css", "[id^=c][class*=frame-type-], .csc-default, .csc-frame-default", 0.8),
        Sign("css", ".news-single, .news-single-item, .tx-news, .news-list-view", 0.6, "with the extension news"),
        Sign("css", "[class*=tx-ttnews], .news-list-container", 0.7, "with the extension tt_news"),
        generator="TYPO3",
    ),
    _system(
        "phpBB", "phpbb",
        Sign("cookie", r"^phpbb", 0.95),
        Sign("css", "body#phpbb", _SURE),
        Sign("asset", r"/styles/(?:prosilver|subsilver2)/|assets/javascript/core\.js\?assets_version", 0.9),
        Sign("css", "a[href*='ucp.php?mode='], a[href*='memberlist.php?mode=']", 0.85),
        Sign("css", "dl.postprofile, .postbody .signature", 0.8),
        Sign("css", "ul.topiclist.topics a.topictitle", 0.8),
        Sign("link", r"//(?:www\.)?phpbb\.com", 0.5),
        Sign("css", "td.postdetails, span.postdetails, a.postlink", 0.5, "2"),
        kind=Kind.FORUM,
    ),
    _system(
        "Discourse", "discourse",
        Sign("header", r"(?i)^x-discourse-", _SURE),
        Sign("css", "meta[name=discourse_theme_id], meta[name=discourse-base-uri], #data-discourse-setup", 0.97),
        Sign("css", ".crawler-post, .crawler-post-meta", 0.9),
        Sign("css", ".topic-post .cooked, .topic-list-item .raw-topic-link", 0.7),
        Sign("link", r"//(?:www\.)?discourse\.org", 0.4),
        kind=Kind.FORUM,
    ),
    _system(
        "Simple Machines Forum", "smf",
        Sign("cookie", r"^SMFCookie", 0.95),
        Sign("script", r"\bsmf_(?:scripturl|theme_url|default_theme_url|iso_case_folding)\b", 0.97),
        Sign("css", ".post_wrapper .poster, .windowbg .post_wrapper", 0.8),
        Sign("css", "a[href*='index.php?topic='], a[href*='index.php/topic,']", 0.4),
        Sign("link", r"//(?:www\.)?simplemachines\.org", 0.6),
        generator="SMF",
        kind=Kind.FORUM,
    ),
    _system(
        "MyBB", "mybb",
        Sign("cookie", r"^mybb\[", 0.97),
        Sign("script", r"\bmy_post_key\b|\bMyBB\.", 0.95),
        Sign("asset", r"/cache/themes/theme\d+/|/jscripts/general\.js", 0.9),
        Sign("css", "[id^=pid_].post_body, .post_body.scaleimages", 0.85),
        Sign("link", r"//(?:www\.)?mybb\.com", 0.6),
        kind=Kind.FORUM,
    ),
    _system(
        "XenForo", "xenforo",
        Sign("cookie", r"^xf_(?:session|csrf)", 0.97),
        Sign("css", "html#XF, html#XenForo, html[data-xf]", _SURE),
        Sign("asset", r"/js/xf/|css\.php\?css=public", 0.95),
        Sign("css", ".message-body .bbWrapper, .structItem-title", 0.85),
        Sign("css", ".messageText.ugc", 0.8, "1"),
        Sign("link", r"//(?:www\.)?xenforo\.com", 0.5),
        kind=Kind.FORUM,
    ),
    _system(
        "NodeBB", "nodebb",
        Sign("header", r"(?i)^x-powered-by: *nodebb", _SURE),
        Sign("asset", r"/assets/nodebb\.min\.js|/assets/client\.css\?v=", 0.8),
        Sign("css", "[component='post/content'], [component='topic']", 0.95),
        kind=Kind.FORUM,
    ),
    # no preset yet
    _system(
        "Joomla", None,
        Sign("css", "script.joomla-script-options", 0.97),
        Sign("asset", r"/media/(?:jui|system/js|com_[a-z]+|vendor/joomla)/|/components/com_", 0.85),
        Sign("css", ".com-content-article, [class*=view-article][class*=com_content]", 0.85),
    ),
    _system("Hugo", None),
    _system("Jekyll", None, Sign("css", "a.site-title[rel=author]", 0.5), kind=Kind.BLOG),
    _system("Pelican", None, Sign("link", r"//(?:blog|docs)?\.?getpelican\.com", 0.7), kind=Kind.BLOG),
    _system("Hexo", None, kind=Kind.BLOG),
    _system("Eleventy", None),
    _system("Gatsby", None, Sign("css", "#___gatsby", 0.97)),
    _system("Nikola", None, kind=Kind.BLOG),
    _system("Publii", None, kind=Kind.BLOG),
    _system("Movable Type", None, generator="(?:Movable Type|https?://www.movabletype)", kind=Kind.BLOG),
    _system("TypePad", None, Sign("address", r"^https?://[^/]+\.typepad\.com/", 0.95), generator="https?://www.typepad", kind=Kind.BLOG),
    _system("Serendipity", None, kind=Kind.BLOG),
    _system("SPIP", None, Sign("header", r"(?i)^composed-by: *spip", _SURE)),
    _system("Contao", None),
    _system("Plone", None),
    _system("concrete5", None, generator="(?:concrete5|Concrete CMS)"),
    _system("Webflow", None, Sign("css", "html[data-wf-site]", 0.97)),
    _system("Wix", None, Sign("asset", r"static\.(?:parastorage|wixstatic)\.com/", 0.85), Sign("header", r"(?i)^x-wix-request-id:", _SURE)),
    _system("Shopify", None, Sign("asset", r"//cdn\.shopify\.com/", 0.6)),
    _system("Arc Publishing", None, Sign("css", "#fusion-app, script#fusion-metadata", 0.9)),
    _system(
        "Medium", None,
        Sign("address", r"^https?://(?:[^/]+\.)?medium\.com/", 0.95),
        Sign("asset", r"//cdn-client\.medium\.com/|//glyph\.medium\.com/", 0.9),
        Sign("css", "meta[property='al:ios:app_name'][content=Medium]", 0.9),
        kind=Kind.BLOG,
    ),
    _system(
        "Substack", None,
        Sign("address", r"^https?://[^/]+\.substack\.com/", 0.97),
        Sign("header", r"(?i)^x-served-by: *substack", 0.97),
        Sign("asset", r"//substackcdn\.com/", 0.9),
        Sign("css", ".available-content .body.markup", 0.85),
        kind=Kind.BLOG,
    ),
    _system(
        "Squarespace", None,
        Sign("header", r"(?i)^server: *squarespace", _SURE),
        Sign("asset", r"//(?:static1|assets)\.(?:squarespace|sqspcdn)\.com/", 0.9),
        Sign("script", r"Static\.SQUARESPACE_CONTEXT", 0.97),
        Sign("css", "body[id^=collection-], .sqs-block", 0.6),
    ),
    _system(
        "Tumblr", None,
        Sign("address", r"^https?://[^/]+\.tumblr\.com/", 0.95),
        Sign("asset", r"//assets\.tumblr\.com/", 0.85),
        Sign("css", "meta[property='al:ios:app_name'][content=Tumblr]", 0.9),
        kind=Kind.BLOG,
    ),
    _system(
        "LiveJournal", None,
        Sign("address", r"\.livejournal\.com/", 0.95),
        Sign("asset", r"//l-stat\.livejournal\.", 0.85),
        kind=Kind.BLOG,
    ),
    _system(
        "vBulletin", None,
        Sign("cookie", r"^bb_?lastvisit$|^vb_", 0.7),
        Sign("script", r"\bvBulletin\b|\bvB_", 0.9),
        Sign("asset", r"/clientscript/vbulletin|vbulletin[-_]", 0.95),
        Sign("css", "[id^=post_message_], .b-post__content .js-post__content-text", 0.8),
        kind=Kind.FORUM,
    ),
    _system(
        "Flarum", None,
        Sign("cookie", r"^flarum_session$", 0.97),
        Sign("css", "#flarum-content, #flarum-loading, script#flarum-json-payload", 0.97),
        kind=Kind.FORUM,
    ),
    _system("Invision Community", None, Sign("cookie", r"^ips4_", 0.95), Sign("css", "body.ipsApp, [data-ipshook]", 0.9), kind=Kind.FORUM),
    _system("Vanilla", None, Sign("css", "body[class*=Vanilla], .ItemDiscussion .Message", 0.8), generator="Vanilla", kind=Kind.FORUM),
    _system("FluxBB", None, Sign("css", "body#punviewtopic, div#punwrap, .pun .blockpost", 0.9), kind=Kind.FORUM),
    _system(
        "MediaWiki", None,
        Sign("css", "body.mediawiki, #mw-content-text", 0.95),
        Sign("css", "link[rel=EditURI][href*='api.php']", 0.9),
        Sign("asset", r"/load\.php\?(?:lang|debug|modules)=", 0.8),
    ),
    _system("DokuWiki", None, Sign("css", "#dokuwiki__site", 0.97)),
)
# fmt: on
"""The order decides nothing: the weights do."""
