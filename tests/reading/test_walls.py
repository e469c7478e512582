"""Walls in place of a page are recognised, and articles that merely look like one are not taken for it."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from webarticlecurator import Capture, extract

URL = "https://pelda.example/2024/05/01/cikk"
SENTENCE = "A városi tanács kedden tartott ülésén hosszas vita után elfogadta a jövő évi költségvetést. "
BANNER = '<div id="cookie-banner"><h2>We value your privacy</h2><button>Accept all</button><a href="/suti">Sütik</a></div>'


BLOCK, CAPTCHA, CONSENT = "block", "challenge", "consent"
SIGN = re.compile(r"[\w -]+ (challenge|block)|(captcha|consent|block) page|redirect to .+")


def wall_in(
    body: str | bytes = b"", status: int = 200, headers: tuple[tuple[str, str], ...] = (), url: str = URL, requested_url: str = URL
) -> str | None:
    """What stands in the place of an article."""
    entity = body.encode() if isinstance(body, str) else body
    date = datetime(2024, 5, 1, tzinfo=UTC)
    article = extract(Capture(url=url, requested_url=requested_url, status=status, headers=headers, entity=entity, date=date))
    sign = SIGN.fullmatch(article.reason)
    if sign is None:
        return None
    kind = "consent" if article.outcome == "consent" else str(sign[1] or sign[2] or "challenge").replace("captcha", "challenge")
    assert article.outcome == ("consent" if kind == CONSENT else "not-article")
    return kind


def small(title: str, body: str, head: str = "") -> str:
    return f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def old_article(title: str, extra: str = "", paragraphs: int = 30) -> str:
    """A page without any modern markup: only its text and its menus say that it is an article."""
    menu = "".join(f'<a href="/rovat/{number}">Rovat {number}</a>' for number in range(40))
    return small(title, f"<div>{menu}</div><h1>{title}</h1>{extra}" + f"<p>{SENTENCE}</p>" * paragraphs)


WALLS = [
    (small("Just a moment...", "<noscript>Enable JavaScript</noscript><script>window._cf_chl_opt={cType:'x'};</script>"), CAPTCHA),
    (small("Attention Required! | Cloudflare", '<div id="cf-error-details">You have been blocked</div>Cloudflare Ray ID'), BLOCK),
    (small("pelda.example", "<script>var dd={'rt':'c','host':'geo.captcha-delivery.com/captcha/'}</script>"), CAPTCHA),
    ('{"url":"https://geo.captcha-delivery.com/captcha/?initialCid=x"}', CAPTCHA),
    (small("Access to this page has been denied", '<script>window._pxAppId="PX1"</script><div id="px-captcha"></div>'), CAPTCHA),
    ('<html><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"><iframe src="/_Incapsula_Resource?CWUDNSAI=2"></iframe></html>', CAPTCHA),
    ("<HTML><TITLE>Access Denied</TITLE><BODY><H1>Access Denied</H1>https://errors.edgesuite.net/18.1</BODY></HTML>", BLOCK),
    (small("Request Rejected", "The requested URL was rejected. Please consult with your administrator. ID: 1"), BLOCK),
    (small("Making sure you're not a bot!", '<script id="anubis_challenge" type="application/json">{}</script>'), CAPTCHA),
    (small("403 Forbidden", "<center><h1>403 Forbidden</h1></center><hr>nginx"), BLOCK),
    (small("Hozzáférés megtagadva", "<p>Túl sok kérés érkezett.</p>"), BLOCK),
    (small("Are you a robot?", '<form><div class="g-recaptcha" data-sitekey="x"></div></form>'), CAPTCHA),
    (small("Verify you are human", '<div class="cf-turnstile"></div>'), CAPTCHA),
    (small("Példa Hírek | Biztonsági ellenőrzés", '<form><img src="/captcha.png"></form>'), CAPTCHA),
    (small("", '<h1>Human verification</h1><div class="h-captcha"></div>'), CAPTCHA),
    (small("Before you continue", "<form><button>Accept all</button><button>Reject all</button></form>"), CONSENT),
    (small("Cookie consent - Pelda", f"<p>{SENTENCE * 20}</p><button>I agree</button>"), CONSENT),
    (small("Hozzájárulás", '<form method="post"><button>Elfogadom</button></form>'), CONSENT),
    (small("DER BOTE | Zustimmung erforderlich", "<button>Akzeptieren</button>"), CONSENT),
    (small("Példa Hírek", "<h1>We value your privacy</h1><p>We and our partners...</p><button>Accept</button>"), CONSENT),
]

CLOUDFLARE = WALLS[0][0]
REFUSALS = [body for body, wall in WALLS if wall == BLOCK]
PACKED = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
ANSWERS: list[tuple[str | None, str | bytes, dict[str, Any]]] = [
    *((None, body, {"status": status}) for body in REFUSALS for status in (400, 403)),  # an error like others
    *((CAPTCHA, CLOUDFLARE, {"status": status}) for status in (200, 403, 429, 503)),
    *((None, CLOUDFLARE, {"status": status}) for status in (404, 410)),
    (CAPTCHA, gzip.compress(CLOUDFLARE.encode()), {"headers": PACKED}),
    (CAPTCHA, "", {"status": 403, "headers": (("CF-Mitigated", "challenge"),)}),
    (CONSENT, "", {"status": 302, "headers": (("Location", "https://consent.elsewhere.example/?u=x"),)}),
    (CONSENT, "", {"status": 302, "headers": (("Location", "/consent"),)}),
    (None, "", {"status": 302, "headers": (("Location", "/masik"),)}),
    (None, "", {"url": "https://pelda.example/consent/", "requested_url": "https://pelda.example/consent"}),
]

ARTICLES = [
    old_article("Elfogadták a költségvetést", BANNER),
    small("Elfogadták a költségvetést", BANNER + f"<p>{SENTENCE}</p>"),
    old_article(
        "Hozzászólások", '<form><div class="g-recaptcha"></div><script src="https://www.google.com/recaptcha/api.js"></script></form>'
    ),
    old_article("Access denied"),
    old_article("Before you continue", BANNER),
    small("Access denied: how portals keep crawlers out", f"<p>{SENTENCE}</p>"),
    small("Just a moment", f"<article><p>{SENTENCE}</p></article><script>window._cf_chl_opt</script>"),
    small("Security check", f"<p>{SENTENCE * 20}</p>", '<meta property="og:type" content="article">'),
    small("Consent", f'<script type="application/ld+json">{{"@type": "NewsArticle"}}</script><p>{SENTENCE}</p><button>Accept</button>'),
    old_article("Kaptafa", "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>"),
    old_article("Kaptafa", "<script src='/_Incapsula_Resource?SWJIYLWA=1'></script>"),
    old_article("Sütik", "<script src='https://js.datadome.co/tags.js'></script><script>window._pxAppId='PX1'</script>"),
    small("Consent", f"<form><input name='kereses'></form><p>They agree to continue. {SENTENCE}</p>"),
    small("Robotok ellen", f"<p>{SENTENCE} A lapban anubis_challenge nevű elem áll.</p>"),
    "",
    "{}",
]

REDIRECTS = [
    (CONSENT, "https://consent.pelda.example/?url=x"),
    (CONSENT, "https://myprivacy.pelda.example/consent"),
    (CONSENT, "https://pelda.example/cookie-consent?back=/cikk"),
    (CONSENT, "https://pelda.example/hozzajarulas?vissza=/cikk"),
    (CAPTCHA, "https://pelda.example/captcha?u=1"),
    (None, "https://pelda.example/2024/05/01/consent-under-law"),
    (None, "https://pelda.example/2024/05/01/cikk?consent=1"),
    (None, "https://www.pelda.example/2024/05/01/cikk"),
    (None, "https://["),
]


@pytest.mark.parametrize(
    ("wall", "body", "answer"),
    [
        *((wall, body, {}) for body, wall in WALLS),
        *((None, body, {}) for body in ARTICLES),
        *ANSWERS,
        *((wall, "", {"url": target}) for wall, target in REDIRECTS),
    ],
)
def test_a_wall_is_told_by_what_it_says_its_status_headers_and_where_it_leads(
    wall: str | None, body: str | bytes, answer: dict[str, Any]
) -> None:
    assert wall_in(body, **answer) == wall


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.nightly)])
def test_no_real_article_or_archive_page_is_a_wall(shared_data: Path, every: int) -> None:
    files = sorted((shared_data / "extraction" / "data").glob("*/pages/*.gz"))[::every]
    assert len(files) > 300 / every
    for file in files:
        assert wall_in(gzip.decompress(file.read_bytes())) is None, file
