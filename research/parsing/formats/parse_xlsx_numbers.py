"""Formats values of a workbook's cells as displayed: 0.475 under "0.0%" is 47.5%.

ECMA-376, part 1, 18.8.31. Dates are ISO 8601, as precise as the format shows them; groups of digits are parted by
commas and fractions by points, since the format itself leaves the marks to the reader's system.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_.|\*.'
    r"|\[(?P<test>[<>=]+)\s*(?P<limit>-?[\d.]+)\]|\[\$(?P<symbol>[^\]-]*)[^\]]*\]|\[[^\]]*\]"
    r"|(?P<general>General)|(?P<exponent>[Ee][+-])|(?P<digit>[0#?])|(?P<mark>[.,%/])|(?P<end>;)|(?P<plain>.)",
    re.DOTALL,
)
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_NOT_SHOWN = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|AM/PM|A/P|General', re.IGNORECASE)
_MAX_DECIMALS = 30


@dataclass(frozen=True, slots=True)
class _Section:
    """A section of a format: its tokens with their kinds, and the condition on values, if it has one."""

    tokens: tuple[tuple[str, str], ...]
    test: str = ""
    limit: float = 0.0

    @property
    def has_number(self) -> bool:
        return any(kind in ("digit", "general") for kind, _ in self.tokens)

    def holds(self, value: float) -> bool:
        limit = self.limit
        return {
            "<": value < limit, "<=": value <= limit, ">": value > limit, ">=": value >= limit,
            "=": value == limit, "<>": value != limit,
        }.get(self.test, False)  # fmt: skip


def show_value(value: object, code: str) -> str:
    """Return the value as its cell displays it; "" if its format hides it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, timedelta):
        return _show_duration(value, code)
    if isinstance(value, datetime | date | time):
        return _show_moment(value, code)
    if isinstance(value, int | float):
        return _show_number(value, code)
    sections = _sections(code)
    return "" if len(sections) > 3 and not sections[3].tokens else str(value)


def _show_number(value: float, code: str) -> str:
    section = _choose_section(_sections(code), value)
    if not section.has_number:
        return "".join(text for kind, text in section.tokens if kind == "literal").strip()
    if any(kind == "general" for kind, _ in section.tokens):
        return _surround(section, _general(abs(value)), value)
    if ("mark", "/") in section.tokens:
        return _surround(section, _fraction(section, abs(value)), value)
    return _surround(section, _digits(section, abs(value)), value)


def _choose_section(sections: tuple[_Section, ...], value: float) -> _Section:
    """Return the section for this value: by its condition, else by its sign."""
    if any(section.test for section in sections):
        unconditional = next((section for section in sections if not section.test), sections[-1])
        return next((section for section in sections if section.holds(value)), unconditional)
    if value < 0:
        return sections[min(1, len(sections) - 1)]
    return sections[2] if value == 0 and len(sections) > 2 else sections[0]


def _surround(section: _Section, number: str, value: float) -> str:
    """Return the number with the text that its section puts around it.

    A sign replaces brackets and the color red.
    """
    places = [at for at, (kind, _) in enumerate(section.tokens) if kind in ("digit", "general")]
    before = _words(section.tokens[: places[0]])
    after = _words(section.tokens[places[-1] + 1 :])
    if value <= 0:  # the dash of an empty amount is no sign
        before, after = (re.sub(r"[()−-]", "", words) for words in (before, after))
    return f"{'-' if value < 0 else ''}{before}{number}{after}".strip()


def _words(tokens: tuple[tuple[str, str], ...]) -> str:
    return "".join(text for kind, text in tokens if kind == "literal" or (kind, text) == ("mark", "%"))


def _fraction(section: _Section, value: float) -> str:
    """Return the nearest fraction whose denominator has the digits that the section has positions for: "1 1/4"."""
    slash = section.tokens.index(("mark", "/"))
    digits = sum(kind == "digit" for kind, _ in section.tokens[slash:])
    if not digits:  # a fixed denominator
        return _general(value)
    nearest = Fraction(value).limit_denominator(10 ** min(digits, _MAX_DECIMALS) - 1)
    whole, rest = divmod(nearest.numerator, nearest.denominator)
    if ("literal", " ") not in section.tokens[:slash]:
        return f"{nearest.numerator}/{nearest.denominator}"
    return " ".join(
        ([str(whole)] if whole or not rest else []) + ([f"{rest}/{nearest.denominator}"] if rest else [])
    )


def _digits(section: _Section, value: float) -> str:
    """Return the number in the digits that the section has positions for, rounded as displayed."""
    kinds = section.tokens
    places = [at for at, (kind, _) in enumerate(kinds) if kind == "digit"]
    inside = kinds[places[0] : places[-1] + 1]
    exponent = next((at for at, (kind, _) in enumerate(inside) if kind == "exponent"), len(inside))
    has_exponent, mantissa = exponent < len(inside), inside[:exponent]
    point = next((at for at, token in enumerate(mantissa) if token == ("mark", ".")), len(mantissa))
    whole, decimals = mantissa[:point], [text for kind, text in mantissa[point:] if kind == "digit"]
    most = min(len(decimals), _MAX_DECIMALS)
    least = max((at + 1 for at, text in enumerate(decimals) if text == "0"), default=0)
    if has_exponent:
        return f"{value:.{most}E}"
    scale = 0
    for token in (*kinds[places[-1] + 1 :], ("end", "")):
        if token != ("mark", ","):
            break
        scale -= 3
    scale += 2 * kinds.count(("mark", "%"))
    exact = Decimal(f"{value:.15g}").scaleb(scale).quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP)
    left, _, right = f"{exact:f}".partition(".")
    while len(right) > least and right.endswith("0"):
        right = right[:-1]
    left = left.zfill(sum(text == "0" for kind, text in whole if kind == "digit"))
    if any(kind == "literal" for kind, _ in whole):
        left = _fill_in(whole, left)
    elif ("mark", ",") in whole:
        left = f"{int(left):,}" if not left.startswith("0") else left
    return f"{left}.{right}" if right else left


def _fill_in(tokens: tuple[tuple[str, str], ...], digits: str) -> str:
    """Fill digits into a pattern, from the right: 123456789 under 000-00-0000."""
    filled, left = [], digits
    for kind, text in reversed(tokens):
        if kind == "digit":
            filled.append(left[-1:])
            left = left[:-1]
        elif kind == "literal":
            filled.append(text[::-1])
    return left + "".join(filled)[::-1]


def _general(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    return f"{value:.12g}" if abs(value) < 1e15 else str(value)


@lru_cache(maxsize=1_024)
def _sections(code: str) -> tuple[_Section, ...]:
    sections: list[_Section] = []
    tokens: list[tuple[str, str]] = []
    test, limit = "", 0.0
    for match in _TOKEN.finditer("General" if code == "@" else code):
        kind = match.lastgroup
        if kind == "end":
            sections.append(_Section(tuple(tokens), test, limit))
            tokens, test, limit = [], "", 0.0
        elif match["test"]:
            test, limit = match["test"], _to_number(match["limit"])
        elif kind in ("digit", "mark", "exponent", "general"):
            tokens.append((kind, match[0]))
        elif kind in ("quoted", "escaped", "symbol", "plain"):
            tokens.append(("literal", match[kind]))
    return (*sections, _Section(tuple(tokens), test, limit))


def _to_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _show_duration(value: timedelta, code: str) -> str:
    sign, seconds = ("-", -value.total_seconds()) if value < timedelta() else ("", value.total_seconds())
    whole = int(seconds + 0.5)
    elapsed = _ELAPSED.search(code)
    unit = elapsed[1][0].lower() if elapsed else "h"
    if unit == "s":
        return f"{sign}{whole}"
    minutes, second = divmod(whole, 60)
    if unit == "m":
        return f"{sign}{minutes}:{second:02}" if "s" in code.lower() else f"{sign}{minutes}"
    hours, minute = divmod(minutes, 60)
    shown = _NOT_SHOWN.sub("", code).lower()
    if "m" not in shown and "s" not in shown and elapsed:
        return f"{sign}{hours}"
    return f"{sign}{hours}:{minute:02}" + (f":{second:02}" if "s" in shown or not elapsed else "")


def _show_moment(value: datetime | date | time, code: str) -> str:
    shown = _NOT_SHOWN.sub("", code.partition(";")[0]).lower()
    has_time = "h" in shown or "s" in shown
    if isinstance(value, time):
        return value.isoformat("seconds" if "s" in shown or not has_time else "minutes")
    clock = ""
    if isinstance(value, datetime):
        precision = "seconds" if "s" in shown and value.second else "minutes"
        clock = value.time().isoformat(precision)
        if has_time and "y" not in shown and "d" not in shown:
            return clock
        if not has_time or value.time() == time():
            clock = ""
        value = value.date()
    iso = value.isoformat()
    if not has_time and "d" not in shown:
        iso = iso[:4] if "y" in shown and "m" not in shown else iso[:7] if "m" in shown else iso
    return f"{iso} {clock}".strip()
