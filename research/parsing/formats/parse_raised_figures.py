"""Raised and lowered text as plain characters: powers, units, ordinals, formulas, marks of notes.

A raised figure never joins the figure before it. A power gets a caret ("10^6"), that of a unit a raised
character ("cm²"). The mark of a note is put in brackets after a word ("survey[1]") and at the beginning of
its note. After a figure and in a cell or heading it is left out, since it would be read as part of the value.
"""

from __future__ import annotations

import re

from research.parsing.clean_text import squash, word_set

_RAISED = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_MARK = re.compile(r"(?:\d{1,3}|[A-Za-z]{1,2}|[ivxl]{1,6}|[*†‡§¶#✝‖]{1,4})")
_MARKS = re.compile(rf"{_MARK.pattern}(?:\s?[,;–-]\s?{_MARK.pattern})*")
_LIST_OF_MARKS = re.compile(r"\d{1,3}(?:\s?[,;–]\s?\d{1,3})+")  # never an exponent
_SIGNS_OF_DEGREES = frozenset("o0○∘º")
_DEGREES = re.compile(r"\s?[CF](?![^\W\d_])")
_IN_BRACKETS = re.compile(r"[\[(]\s*([^\[\]()]{1,40}?)\s*[\])]")
_SYMBOLS = re.compile(r"[*†‡§¶#✝‖,\s]+")
_EXPONENT = re.compile(r"[+−–-]?\d+(?:[.,/]\d+)?")
_CHARGE = re.compile(r"[+−–-]\d*|\d*[+−–-]")
_BASE_OF_POWER = re.compile(r"(?:^|[\s×·⋅*x^=(<>≤≥~≈±−-])(?:10|e|[a-zA-Z])$|(?<![\d.,])2$")
_ELEMENT = re.compile(r"[A-Z][a-z]?(?![a-z])")
_ORDINALS = word_set("st nd rd th er ers re res e es ème èmes ième ieme o os te ten ter tes de")
_TRADE = {"tm": "™", "sm": "℠"}
UNITS = word_set(
    "m cm mm km dm nm µm μm pm in ft yd mi s ms ns min h hr d yr g kg mg t l ml dl cl hl mol mmol rad sr px pixel",
    "inch inches foot feet yard yards mile miles meter meters metre metres hz khz mhz ghz ha a au pc ly ev kev mev gev",
)
_LAST_WORD = re.compile(r"[^\W\d_]+$")
_UNIT_OF_FIGURE = re.compile(r"(?:[\d/·⋅×(\[]|\bper)\s*([^\W\d_]{1,6})$")
_LENGTH = re.compile(r"(?:^|\W)(?:[kcdmnµμ]m)$")  # of which nothing but an area or a volume is raised
_AREAS = frozenset("234")
_COMPUTED = re.compile(r"\([^()]*[\d+−·×=/^*][^()]*\)$|\(\w\)$|\|$")
_SLASHES = ("/", "⁄", "∕")
_SIGNS_OF_VALUES = "%‰°€$£¥¢"
_WORDS_OF_MARK = 3  # more is a remark in small type


def find_marks(label: str) -> frozenset[str]:
    """Return the marks in the raised text at the beginning of a note: "1", "a", "†"."""
    inside = _IN_BRACKETS.fullmatch(squash(label))
    text = inside[1] if inside else squash(label)
    return frozenset(_MARK.findall(text)) if _MARKS.fullmatch(text) else frozenset()


def write_raised(
    before: str,
    raised: str,
    after: str,
    notes: frozenset[str] = frozenset(),
    *,
    is_link: bool = False,
    is_name: bool = False,
) -> str:
    """Return what stands for a raised text between `before` and `after`, parts of one line.

    `notes` are the marks that notes of the document begin with. `is_link`: it leads to a note; `is_name`: the line is a
    cell or heading, where no mark of a note stands.
    """
    raised = squash(raised)
    base = before.rstrip()
    if not raised:
        return ""
    if raised.isdecimal() and after.startswith(_SLASHES):  # 3 1/2
        return f" {raised}" if before[-1:].isdecimal() else raised
    is_apart = base != before or not base
    if sign := _find_sign(base, raised, after, is_apart=is_apart):
        return sign
    if not base or (is_apart and base[-1] in ".!?;:)]"):
        return _label(raised, after)
    if len(raised.split()) > _WORDS_OF_MARK:
        return raised if is_apart else f" {raised}"
    if not is_link and _is_power(base, raised):
        return f"^{raised}"
    if not is_link and raised in _AREAS and _is_unit(base):
        return raised.translate(_RAISED)
    return _write_behind(base, raised, notes, is_link=is_link, is_name=is_name, is_apart=is_apart)


def _find_sign(base: str, raised: str, after: str, *, is_apart: bool) -> str:
    """Return what the text behind tells: the sign of degrees or the number of an isotope; else ""."""
    if raised in _SIGNS_OF_DEGREES and base[-1:].isdecimal() and _DEGREES.match(after):
        return "°"
    return raised if is_apart and raised.isdecimal() and _ELEMENT.match(after) else ""


def _write_behind(
    base: str, raised: str, notes: frozenset[str], *, is_link: bool, is_name: bool, is_apart: bool
) -> str:
    marks, last = find_marks(raised), base[-1]
    is_bracketed = bool(_IN_BRACKETS.fullmatch(raised))
    if is_link or is_bracketed or _SYMBOLS.fullmatch(raised) or (marks and marks <= notes):
        return _mark(raised, last, is_bracketed=is_bracketed, is_name=is_name)
    is_base = _BASE_OF_POWER.search(base) or _COMPUTED.search(base)
    if _LIST_OF_MARKS.fullmatch(raised) and not is_apart and not is_base:
        return _mark(raised, last, is_bracketed=False, is_name=is_name)
    if last.isdecimal():
        return _write_behind_figure(raised)
    if last.isalpha():
        return _write_behind_word(base, raised, is_name=is_name)
    if _EXPONENT.fullmatch(raised) and _COMPUTED.search(base):
        return f"^{raised}"
    is_mark = bool(marks) and not is_apart
    return _mark(raised, last, is_bracketed=False, is_name=is_name) if is_mark else raised


def write_lowered(before: str, lowered: str) -> str:
    """Return what stands for a lowered text: as it is ("H2O"), parted from a figure ("1011_2")."""
    lowered = squash(lowered)
    return f"_{lowered}" if lowered and before[-1:].isdecimal() and lowered[0] not in ",;)" else lowered


def _is_unit(base: str) -> bool:
    """Return True if the base ends in a unit after a figure or in brackets, or in one of length: 3 kg/m, (m, in km."""
    found = _UNIT_OF_FIGURE.search(base)
    return found is not None and found[1].lower() in UNITS or bool(_LENGTH.search(base))


def _is_power(base: str, raised: str) -> bool:
    if _EXPONENT.fullmatch(raised) is None:
        return False
    if not raised[0].isdecimal():
        return base[-1].isdecimal()
    return base[-1].isdecimal() and bool(_BASE_OF_POWER.search(base))


def _label(raised: str, after: str) -> str:
    """Return the mark at the beginning of a note."""
    if not find_marks(raised):
        return raised
    inside = _IN_BRACKETS.fullmatch(raised)
    return f"[{inside[1] if inside else raised}]" + ("" if after[:1].isspace() or not after else " ")


def _mark(raised: str, last: str, *, is_bracketed: bool, is_name: bool) -> str:
    if is_name or last.isdecimal() or last in _SIGNS_OF_VALUES:
        return ""
    return raised if is_bracketed else f"[{raised.strip(', ')}]"


def _write_behind_figure(raised: str) -> str:
    if raised.lower() in _ORDINALS:
        return raised
    if re.fullmatch(r"[a-zA-Z](?:\s?,\s?[a-zA-Z])*", raised):
        return ""  # the mark of a note
    return f"^{raised}"


def _write_behind_word(base: str, raised: str, *, is_name: bool) -> str:
    found = _LAST_WORD.search(base)
    word = found[0] if found else ""
    if _CHARGE.fullmatch(raised) or (_EXPONENT.fullmatch(raised) and not raised[0].isdecimal()):
        return raised.translate(_RAISED)
    if raised.isdecimal():
        if len(word) <= 2 or word.lower() in UNITS:
            return raised.translate(_RAISED)
        return _mark(raised, base[-1], is_bracketed=False, is_name=is_name)
    if _EXPONENT.fullmatch(raised) and (len(word) <= 2 or word.lower() in UNITS):  # e^1,5
        return f"^{raised}"
    if raised.lower() in _TRADE:
        return _TRADE[raised.lower()]
    is_mark = bool(find_marks(raised)) and len(raised) == 1 and len(word) > 3
    return _mark(raised, base[-1], is_bracketed=False, is_name=is_name) if is_mark else raised
