"""Answers that look like pages and are none, and pages that have the same marks in them."""

import pytest

from research.fetching.interstitials import SHORT, detect_interstitial

URL = "https://example.com/news/heat-pumps"
TEXT = "Heat pumps were measured over two winters in eleven homes. " * 60
FORM = '<form action="/login"><input name="user"><input type="password" name="pw"></form>'


def html(body: str, title: str = "A page") -> bytes:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode()


def detect_kind(body: bytes, url: str = URL, asked: str = URL, **headers: str) -> str:
    given = detect_interstitial(
        asked, url, {name.replace("_", "-"): value for name, value in headers.items()}, body
    )
    return given[0] if given else ""


@pytest.mark.parametrize(
    "mark",
    [
        '<script src="/cdn-cgi/challenge-platform/h/b.js"></script>Just a moment...',
        "<p>Checking your browser before accessing the site.</p>",
        "<h1>Pardon Our Interruption</h1>",
        "<p>Please verify you are a human</p>",
        "<p>Making sure you&#39;re not a bot!</p>",
        "<p>Our systems have detected unusual traffic from your network.</p>",
        '<script src="https://geo.captcha-delivery.com/c.js"></script>',
    ],
)
def test_a_proof_of_being_human_is_told_from_a_page_that_carries_its_widget(mark):
    assert detect_kind(html(mark)) == "CAPTCHA"
    assert detect_kind(html(mark + TEXT)) == ""


def test_a_header_tells_of_a_challenge_too():
    assert detect_kind(html("wait"), cf_mitigated="challenge") == "CAPTCHA"


@pytest.mark.parametrize(
    "place",
    [
        "https://example.com/login?next=/news", "https://example.com/users/sign_in", "https://login.example.org/",
        "https://example.com/wp-login.php", "https://accounts.example.com/", "https://idp.example.edu/saml2/x",
    ],
)  # fmt: skip
def test_a_redirect_to_a_sign_in_is_no_page_however_much_it_says(place):
    assert detect_kind(html(TEXT), url=place) == "BLOCKED"


@pytest.mark.parametrize("place", ["https://example.com/login", "https://login.example.org/help"])
def test_who_asks_for_a_sign_in_page_gets_it(place):
    assert detect_kind(html(TEXT), url=place, asked=place) == ""


@pytest.mark.parametrize("place", ["https://example.com/authors/ada", "https://example.com/blog/login-forms"])
def test_words_like_those_in_an_address_are_no_sign_in(place):
    assert detect_kind(html(TEXT), url=place) == ""


def test_a_form_for_a_password_alone_is_a_wall_and_beside_a_text_it_is_none():
    assert detect_kind(html(FORM)) == "BLOCKED"
    assert detect_kind(html(FORM + TEXT)) == ""


@pytest.mark.parametrize(
    ("body", "url"),
    [
        ("<p>Before you continue to the site</p><button>Accept all</button>", URL),
        ("<p>Wir benötigen Ihre Zustimmung.</p><a>Alle akzeptieren</a>", URL),
        ("<p>Nosotros y nuestros 920 socios usamos cookies.</p><button>Rechazar todo</button>", URL),
        ("<p>Noi e i nostri 1.744 partner usiamo cookie.</p><a>Accetta tutto</a>", URL),
        ("<p>My i nasi 83 partnerzy używamy plików.</p><a>Odrzuć wszystko</a>", URL),
        (TEXT, "https://consent.example.com/m?continue=x"),
        (TEXT, "https://guce.example.com/copyConsent"),
    ],
)
def test_a_question_for_consent_is_no_page(body, url):
    assert detect_kind(html(body), url=url) == "BLOCKED"


def test_a_short_text_on_partners_is_a_page():
    assert detect_kind(html("<p>The network has 120 partners in nine countries.</p>")) == ""


def test_a_banner_on_a_page_is_only_a_banner():
    assert detect_kind(html(f"<div>We value your privacy <a>Accept all</a></div>{TEXT}")) == ""


def test_an_empty_page_that_loads_a_banner_may_still_be_one_for_a_browser():
    assert (
        detect_kind(html('<script src="https://cdn.example/onetrust.js"></script><div id="app"></div>')) == ""
    )


@pytest.mark.parametrize(
    "title",
    [
        "404 Not Found", "Page not found | Example", "Seite nicht gefunden", "Page introuvable", "Страница не найдена",
        "ページが見つかりません", "Siden blev ikke fundet", "Página não encontrada", "Sayfa bulunamadı",
    ],
)  # fmt: skip
def test_a_page_that_says_it_is_missing_is_missing(title):
    assert detect_kind(html("<p>Sorry.</p>", title)) == "PAGE_NOT_FOUND"
    assert detect_kind(html(f"<h1>{title}</h1>")) == "PAGE_NOT_FOUND"


def test_a_text_about_missing_pages_is_a_page():
    assert detect_kind(html(TEXT, "Why 404 Not Found was chosen")) == ""


@pytest.mark.parametrize(
    ("asked", "url", "code"),
    [
        (URL, "https://www.example.com/", "PAGE_NOT_FOUND"),
        (URL, "https://example.com", "PAGE_NOT_FOUND"),
        ("https://example.com/de", "https://example.com/", ""),
        ("https://short.example/a/b", "https://example.com/", ""),
        ("http://example.com/", "https://example.com/", ""),
    ],
)
def test_a_page_that_leads_to_the_start_of_its_site_is_missing(asked, url, code):
    assert detect_kind(html(TEXT), url=url, asked=asked) == code


def test_nothing_is_looked_for_in_what_scripts_say():
    assert (
        detect_kind(html(f"<script>{'x' * SHORT} before you continue to, accept all</script><p>Hello</p>"))
        == ""
    )
