"""Currencies by ISO code, symbol and name, from Babel's locale data; always as ISO 4217 codes."""

import re
from functools import lru_cache

# Additions to Babel's English, German and French data, and the meaning of ambiguous signs.
_SIGNS = {
    "$": "USD",
    "US$": "USD",
    "US $": "USD",
    "U.S. $": "USD",
    "C$": "CAD",
    "Can$": "CAD",
    "AU$": "AUD",
    "S$": "SGD",
    "£": "GBP",
    "¥": "JPY",
    "RMB": "CNY",
    "₽": "RUB",
    "₺": "TRY",
    "₴": "UAH",
    "₦": "NGN",
    "฿": "THB",
    "₿": "XBT",
    "zł": "PLN",
    "Kč": "CZK",
    "Ft": "HUF",
    "Rs": "INR",
    "Rs.": "INR",
    "Fr.": "CHF",
    "SFr.": "CHF",
    "sFr.": "CHF",
}
_NAMES = {
    "dollar": "USD",
    "dollars": "USD",
    "euro": "EUR",
    "euros": "EUR",
    "pound sterling": "GBP",
    "pounds sterling": "GBP",
    "sterling": "GBP",
    "yen": "JPY",
    "yuan": "CNY",
    "renminbi": "CNY",
    "franc": "CHF",
    "francs": "CHF",
    "franken": "CHF",
    "rupee": "INR",
    "rupees": "INR",
    "rouble": "RUB",
    "roubles": "RUB",
    "ruble": "RUB",
    "rubles": "RUB",
    "rand": "ZAR",
    "baht": "THB",
    "zloty": "PLN",
    "shekel": "ILS",
    "shekels": "ILS",
    "forint": "HUF",
    "naira": "NGN",
    "hryvnia": "UAH",
    "u.s. dollars": "USD",
    "american dollars": "USD",
    "pfund": "GBP",
}
# Codes that are English words in capitals: a heading "TOP 10" names no Tongan money.
_WORDS = frozenset({"ALL", "TOP", "CUP", "PEN", "SOS", "MAD", "GEL", "BAM", "XXX", "XTS"})
_COMMON = ("USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "AUD")  # also recognized in lower case
_LOCALES = ("en", "de", "fr")
_MAX_SIGN = 6
_TOKEN_BEFORE = re.compile(r"([^\s\d(,;:/–—-]{1,5}(?:\s\$)?)[ \u00a0\u202f]?$")
_NAME_AFTER = re.compile(r"[^\W\d_]+(?:[.'’][^\W\d_]+)*\.?(?:[ -][^\W\d_]+){0,2}")
_SIGN_AFTER = re.compile(r"[^\s\d.,;:()\[\]/+–—-]{1,5}\.?")


@lru_cache(maxsize=1)
def _signs() -> dict[str, str]:
    """Return codes and symbols as written."""
    from babel import Locale  # loaded by the first text that has a number

    english = Locale("en")
    codes = [str(code) for code in english.currencies if code not in _WORDS]
    found = {code: code for code in codes} | {code.lower(): code for code in _COMMON}
    signs = ((str(english.currency_symbols.get(code, code)), code) for code in codes)
    return found | {sign: code for sign, code in signs if not sign.isalpha()} | _SIGNS


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Return names in lower case, singular and plural: "swiss francs", "schweizer franken", "livres sterling"."""
    from babel import Locale
    from babel.numbers import get_currency_name

    names: dict[str, str] = {}
    for locale in map(Locale, _LOCALES):
        for code in map(str, locale.currencies):
            for count in (None, 1, 2):
                names.setdefault(get_currency_name(code, count, locale).lower(), code)
    # Of single words only those above: "gold", "or" and "won" mostly mean something else.
    return {name: code for name, code in names.items() if " " in name} | _NAMES


def currency_before(text: str, end: int) -> tuple[str, int] | None:
    """Return the currency that a sign or code just before `end` names, and where that begins: "US$ ", "CHF "."""
    match = _TOKEN_BEFORE.search(text, max(0, end - _MAX_SIGN - 1), end)
    if match is None:
        return None
    for start in range(match.start(1), match.end(1)):
        sign = text[start : match.end(1)]
        is_inside = sign[0].isalnum() and start > 0 and text[start - 1].isalnum()
        if sign in _signs() and not is_inside:
            return _signs()[sign], start
    return None


def currency_after(text: str, start: int) -> tuple[str, int] | None:
    """Return the currency named from `start` on, and where its name ends: "€", "EUR", "Swiss francs"."""
    match = _NAME_AFTER.match(text, start)
    pieces = match.group().rstrip(".") if match else ""
    while pieces:
        code = _names().get(pieces.lower()) if len(pieces) > 3 or pieces in ("yen", "Yen") else None
        if code or (code := _signs().get(pieces)):
            return code, start + len(pieces)
        pieces = re.sub(r"(?:^|[ -])[^ -]*$", "", pieces)
    sign = _SIGN_AFTER.match(text, start)
    for written in (sign.group(), sign.group().rstrip(".")) if sign else ():
        if written in _signs() and written not in _LEADING_ONLY:
            return _signs()[written], start + len(written)
    return None


_LEADING_ONLY = frozenset({"Rs", "Rs.", "S$", "C$", "Ft"})
