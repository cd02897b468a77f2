"""Detects responses that are not the page: CAPTCHAs, consent, sign-in, "not found" with status 200."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

SHORT = 1_500  # bytes of text: a shorter page may consist of an interstitial alone
TINY = 600  # bytes: a page this short with a form in it is little more than the form
_LOOKED_AT = 200_000  # bytes

# Signs of CAPTCHA pages; on a page with real text they belong only to a widget.
_CHALLENGE = re.compile(
    rb"cf-chl-|challenge-platform|cf_chl_opt|captcha-delivery\.com|px-captcha|_Incapsula_Resource"
    rb"|geo\.captcha|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|unusual traffic from your"
    rb"|hcaptcha\.com/1/api|google\.com/recaptcha|challenges\.cloudflare\.com|awswaf|pardon our interruption"
    rb"|checking (?:if the site connection is secure|your browser before)|ddos-guard|within\.website/x/cmd/anubis"
    rb"|making sure you(?:'|&#39;|\xe2\x80\x99)re not a bot|enable javascript and cookies to continue",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    "|".join(
        (
            "before you continue to|we value your privacy|accept (?:all )?(?:the )?cookies|(?:accept|reject) all",
            "manage (?:your )?(?:consent|preferences|choices)|(?:we and )?our partners (?:store|process|use)",
            r"\d[\d.,\s]{0,8}(?:partner(?:s|n|i|z[yi]|ów)?|partenaires|socios|parceiros)\b",
            "alle (?:akzeptieren|ablehnen)|ihre zustimmung|(?:tout|continuer sans) (?:accept|refus)er",
            "(?:aceptar|rechazar) (?:todo|todas|(?:todas )?las cookies)|(?:aceitar|rejeitar) (?:tudo|todos)",
            "(?:accetta|rifiuta) tutt[oi]|alles (?:accepteren|weigeren)|(?:acceptera|avvisa|godta|avvis) alle?",
            "(?:accepter|afvis) alle|(?:zaakceptuj|akceptuj|odrzuć) wszystk[oi]e?|принять все|отклонить все",
        )
    ).encode(),
    re.IGNORECASE,
)
_CONSENT_PLACE = re.compile(r"^(?:consent|guce|cmp|privacy-mgmt)\.|/(?:collect)?consent\b", re.IGNORECASE)
_LOGIN_PATH = re.compile(
    r"^(?:login|signin|sso|auth|idp|accounts)\.|/(?:log-?in|sign-?in|sso|saml2?|oauth2?|openid|idp|cas/login|accounts?/(?:log-?in|sign-?in)"
    r"|users?/(?:log_?in|sign_?in)|wp-login\.php|auth(?:enticate|orize)?)(?:[/?.]|$)",
    re.IGNORECASE,
)
_PASSWORD = re.compile(rb"<input[^>]{0,300}type\s*=\s*[\"']?password", re.IGNORECASE)
_MISSING = re.compile(
    rb"\b404\b|not found|(?:page|site|content|article) (?:you (?:requested|are looking for) )?"
    rb"(?:cannot be found|could ?n[o'].?t be found|does ?n[o'].?t exist|no longer (?:exists|available))"
    + (
        "|nicht gefunden|introuvable|no encontrad[ao]|não encontrad[ao]|non trovat[ao]|niet gevonden|ikke fun[dn]et"
        "|hittades inte|ei löydy|nie znaleziono|nenalezena|bulunamadı|не найдена|не знайдено|見つかりません|找不到"
        "|未找到|찾을 수 없"
    ).encode(),
    re.IGNORECASE,
)
# Each pattern passes over a page once, however many of its tags are unclosed.
_NAMED = re.compile(rb"<(title|h1)\b[^<>]{0,500}>(.{0,500}?)</\1>", re.IGNORECASE | re.DOTALL)
_SCRIPTS = re.compile(rb"<(script|style|noscript|svg)\b.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_TAGS = re.compile(rb"<[^<>]*>")


def is_challenge(headers: Mapping[str, str], body: bytes) -> bool:
    """Return True if the page has signs of a CAPTCHA.

    `detect_interstitial` decides whether it has anything else.
    """
    if headers.get("cf-mitigated") == "challenge" or headers.get("x-amzn-waf-action"):
        return True
    return _CHALLENGE.search(body[:_LOOKED_AT]) is not None


def detect_interstitial(
    asked: str, url: str, headers: Mapping[str, str], body: bytes
) -> tuple[str, str] | None:
    """Detect an interstitial shown instead of the page `asked`, which led to `url`.

    Return a failure code of browse and a message; None if it is the page.
    """
    text = _visible(body)
    is_short = len(text) < SHORT
    if is_short and is_challenge(headers, body):
        return "CAPTCHA", "The site asks for a CAPTCHA."
    if _is_redirect_to(asked, url, _LOGIN_PATH) or (len(text) < TINY and _PASSWORD.search(body[:_LOOKED_AT])):
        return "BLOCKED", "The site shows the page only to those who sign in."
    if _is_redirect_to(asked, url, _CONSENT_PLACE) or (is_short and _asks_consent(text)):
        return "BLOCKED", "The site shows the page only to those who consent to its terms or cookies."
    if is_short and _says_missing(body):
        return "PAGE_NOT_FOUND", "The site has no such page: it shows a “not found” message."
    if _is_redirect_home(asked, url):
        return "PAGE_NOT_FOUND", "The site has no such page: it redirects to its home page."
    return None


def _visible(body: bytes) -> bytes:
    return b" ".join(_TAGS.sub(b" ", _SCRIPTS.sub(b" ", body[:_LOOKED_AT])).split())


def _says_missing(body: bytes) -> bool:
    return any(_MISSING.search(name) for _, name in _NAMED.findall(body[:_LOOKED_AT]))


def _asks_consent(text: bytes) -> bool:
    """Return True if the text asks for consent.

    Many pages have a banner; here it is nearly the whole text.
    """
    return len({words.lower() for words in _CONSENT.findall(text)}) >= 2


def _is_redirect_to(asked: str, url: str, pattern: re.Pattern[str]) -> bool:
    return bool(pattern.search(_place(url))) and not pattern.search(_place(asked))


def _is_redirect_home(asked: str, url: str) -> bool:
    """Return True if a page deep within a site redirects to its start page."""
    before, after = urlsplit(asked), urlsplit(url)
    is_same = before.hostname is not None and _plain(before.hostname) == _plain(after.hostname or "")
    return is_same and len([part for part in before.path.split("/") if part]) >= 2 and after.path in ("", "/")


def _plain(host: str) -> str:
    return host.removeprefix("www.")


def _place(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.hostname or ''}{parts.path}"
