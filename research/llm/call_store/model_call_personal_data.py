"""Detection and redaction of personal data in text, by format and check digits. Pure.

Names are found only in salutations and after titles: elsewhere a rule cannot tell them from other words.
"""

import ipaddress
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class PersonalDataKind(StrEnum):
    EMAIL = "email"
    PHONE = "phone"
    IBAN = "iban"
    CARD = "card"
    SOCIAL_SECURITY = "social_security"  # Swiss AHV (EAN-13), US SSN
    PASSPORT = "passport"
    IP_ADDRESS = "ip_address"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class PersonalDataMatch:
    """Personal data in the characters [start, end) of a text."""

    start: int
    end: int
    kind: PersonalDataKind


Check = Callable[[str], bool]

NAME_WORD = r"[A-ZÄÖÜÉÈÀÇŠŽ][\w’'-]*\w"
PARTICLE = r"(?:(?:von|van|de|der|den|di|da|zu|du|le|la|el|bin|al)\s+)*"
NAMES = rf"{PARTICLE}{NAME_WORD}(?:[ \t]+{PARTICLE}{NAME_WORD}){{0,2}}"
TITLE = r"Mr|Mrs|Ms|Miss|Mx|Mister|Madam|Sir|Dr|Prof|Herrn|Herr|Frau|Monsieur|Madame|Mme|Mlle|Signora?|Señora?|Sr|Sra"
GREETING = (
    r"Dear|Hello|Hi|Hey|Good (?:morning|afternoon|evening)|Liebe[rs]?|Hallo|Guten (?:Tag|Morgen|Abend)|Grüezi|"
    r"Cher|Chère|Bonjour|Estimad[oa]|Hola|Gentile|Caro|Cara|Ciao"
)
ADDRESSED = (
    r"Sehr geehrte[rs]? (?:Damen und Herren|Frau|Herr)?|Kind regards|Best regards|Regards|Sincerely|Yours sincerely|"
    r"Yours faithfully|Mit freundlichen Grüssen|Mit freundlichen Grüßen|Freundliche Grüsse|Freundliche Grüße|"
    r"Viele Grüsse|Viele Grüße|Cordialement|Saludos"
)
NOT_A_NAME = frozenset(
    "all everyone everybody team colleague colleagues customer customers sir madam friend friends reader readers "
    "there world hiring manager committee board members member editor editors damen herren kollegen kollegin "
    "kolleginnen zusammen alle kunde kundin freunde leser leserin tous toutes".split()
)
DIGITS = re.compile(r"\D")


def luhn(text: str) -> bool:
    """Return True if the ISO/IEC 7812 check digit of 13 to 19 digits, not all the same, is right."""
    digits = [int(digit) for digit in DIGITS.sub("", text)]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def iban(text: str) -> bool:
    """Return True for an IBAN (ISO 13616): the rearranged number is 1 modulo 97."""
    number = re.sub(r"\s", "", text).upper()
    if not 15 <= len(number) <= 34:
        return False
    turned = number[4:] + number[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def ahv(text: str) -> bool:
    """Return True for a Swiss social security number: an EAN-13 that begins with 756."""
    digits = [int(digit) for digit in DIGITS.sub("", text)]
    weighted = sum(digit * (3 if place % 2 else 1) for place, digit in enumerate(digits[:12]))
    return len(digits) == 13 and digits[-1] == -weighted % 10


def us_ssn(text: str) -> bool:
    """Return True for a US number that can exist: no 000, 666 or 9xx area, no zero group or serial."""
    area, group, serial = re.split(r"[- ]", text)
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def ip_address(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not address.is_unspecified


DATE_OR_YEARS = re.compile(r"\d{4}[-/ ]\d{4}|\d{1,2}\.\s?\d{1,2}\.\s?\d{4}|\d{4}-\d{2}-\d{2}")


def phone(text: str) -> bool:
    digits = DIGITS.sub("", text)
    return 7 <= len(digits) <= 15 and len(set(digits)) > 2 and not DATE_OR_YEARS.fullmatch(text)


def is_name(text: str) -> bool:
    return not any(word.lower() in NOT_A_NAME for word in text.split())


def _any(_text: str) -> bool:
    return True


# Tried in this order: characters that one rule matched are not matched by a later one. If a pattern has a
# group `it`, only that group is the personal data.
RULES: tuple[tuple[PersonalDataKind, re.Pattern[str], Check], ...] = (
    (
        PersonalDataKind.EMAIL,
        re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}(?![\w-])"),
        _any,
    ),
    (
        PersonalDataKind.IBAN,
        re.compile(r"\b[A-Z]{2}\d{2}(?:[ \t\xa0]?[A-Z0-9]{4}){2,7}(?:[ \t\xa0]?[A-Z0-9]{1,3})?\b"),
        iban,
    ),
    (
        PersonalDataKind.SOCIAL_SECURITY,
        re.compile(r"(?<!\d)756[. \t]?\d{4}[. \t]?\d{4}[. \t]?\d{2}(?!\d)"),
        ahv,
    ),
    (PersonalDataKind.SOCIAL_SECURITY, re.compile(r"(?<![\d-])\d{3}[- ]\d{2}[- ]\d{4}(?![\d-])"), us_ssn),
    (PersonalDataKind.CARD, re.compile(r"(?<![\d.,])\d(?:[ -]?\d){12,18}(?![\d])"), luhn),
    (
        PersonalDataKind.IP_ADDRESS,
        re.compile(r"(?<![\w.:])\d{1,3}(?:\.\d{1,3}){3}(?![\w:]|\.\d)"),
        ip_address,
    ),
    (
        PersonalDataKind.IP_ADDRESS,
        re.compile(r"(?<![\w:.])(?=[\w:]*::|(?:\w{1,4}:){7})[0-9A-Fa-f:]{3,39}(?![\w:])"),
        ip_address,
    ),
    (
        PersonalDataKind.PASSPORT,
        re.compile(
            r"(?:[Pp]assport|PASSPORT|[Rr]eisepass\w*|\b[Pp]ass(?:nummer|-Nr\.?|nr\.?)|[Pp]asseport|[Pp]asaporte|[Pp]assaporto)"
            r"[^\w\n]{0,3}(?:(?:[Nn]umber|[Nn]um[ée]ro|[Nn]úmero|[Nn]ummer|[Nn]o|[Nn]r|[Nn]°|#|is|ist|lautet)[^\w\n]{0,3}){0,3}"
            r"(?P<it>(?=[A-Z0-9]{0,8}\d)[A-Z0-9]{1,3}\s?\d[A-Z0-9]{4,8})\b"
        ),
        _any,
    ),
    (
        PersonalDataKind.PHONE,
        re.compile(
            r"(?<![\w.,/-])(?:\+|00)\d{1,3}[ \t.\-/]?(?:\(0?\d{0,4}\)[ \t.\-/]?)?\d{1,4}"
            r"(?:[ \t.\-/]?\d{2,4}){1,4}(?![\w]|[.,]\d)"
        ),
        phone,
    ),
    (
        PersonalDataKind.PHONE,
        re.compile(r"(?<![\w.,/+-])\(?0\d{1,4}\)?[ \t./-]\d{2,4}(?:[ \t.-]?\d{2,4}){1,3}(?![\w]|[.,]\d)"),
        phone,
    ),
    (
        PersonalDataKind.PHONE,
        re.compile(r"(?<![\w.,/+-])(?:\(\d{3}\)[ \t]?|\d{3}[-.])\d{3}[-.]\d{4}(?![\w-])"),
        phone,
    ),
    (
        PersonalDataKind.PHONE,
        re.compile(
            r"(?:\b(?:[Tt]el|[Pp]hone|[Tt]elefon|[Mm]obile?|[Ff]ax|[Cc]all|[Hh]andy|Natel|[Tt]éléphone)\b[^\d\n+]{0,15})"
            r"(?P<it>\+?\(?\d[\d \t()./-]{5,18}\d)(?!\w)"
        ),
        phone,
    ),
    (
        PersonalDataKind.NAME,
        re.compile(rf"\b(?:{TITLE})\.?[ \t]+(?:(?:Dr|Prof|med)\.?[ \t]+){{0,3}}(?P<it>{NAMES})"),
        is_name,
    ),
    (
        PersonalDataKind.NAME,
        re.compile(rf"(?:^|\n)[ \t>]*(?:{GREETING})[ \t]+(?P<it>{NAMES})(?=[ \t]*[,!:\n]|[ \t]*$)"),
        is_name,
    ),
    (
        PersonalDataKind.NAME,
        re.compile(rf"(?:{ADDRESSED})[ \t]*+,?\s*+(?P<it>{NAMES})[ \t]*(?=\n|$|,)"),
        is_name,
    ),
)


# One of these is near every match. Searching for them first takes a tenth of the time of trying every rule
# everywhere.
SEED = re.compile(
    r"\d(?:[ \t.()/+-]{0,3}\d){6}|\d\.\d{1,3}\.\d{1,3}\.\d|:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}:|\d\d[ \t]?[A-Z]{4}"
)
# The same for texts with only ASCII digits: searching the output of `_kinds_of_characters` is four times as
# fast.
SEED_IN_KINDS = re.compile(rb"0(?:[ .]{0,3}0){6}|0\.0{1,3}\.0{1,3}\.0|00[ ]?A{4}")
SEED_OF_ADDRESS = re.compile(r":[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}:")
_KINDS = bytes.maketrans(
    b"123456789BCDEFGHIJKLMNOPQRSTUVWXYZ\t()/+-", b"0" * 9 + b"A" * 25 + b" " * 6
)  # a digit becomes 0, a capital A, and what may stand between digits a space
_OTHER_DIGITS = re.compile("[\u0660-\u1fff\u2070-\U0010ffff]")  # digits of other scripts
# The spaces are part of the seeds.
SEED_WORDS = (
    "@|::|assport|ASSPORT|assnummer|asspor|ass-Nr|assnr|eisepass|asseport|assaport|asaporte|Mr |Mr.|"
    "Mrs|Ms |Ms.|Mx |Mx.|Miss |Mister |Mme|Mlle|Madam|Sir |Monsieur|Dr |Dr.|Prof |Prof.|Herr |Herrn |"
    "Frau |Signor|Señor|Sr |Sr.|Sra|Dear |Hello |Hi |Hey |Good morning|Good afternoon|Good evening|"
    "Liebe|Hallo |Guten |Grüezi |Cher |Chère |Bonjour |Estimad|Hola |Gentile |Caro |Cara |Ciao |"
    "egards|Sehr geehrt|incerely|faithfully|Grüss|Grüß|Cordialement|Saludos"
).split("|")
# Seeds that begin with a lower-case letter are found one by one: a regular expression would try each "a" and
# "e".
_SMALL_WORDS = tuple(word for word in SEED_WORDS if word[0].islower())
_OTHER_WORDS = re.compile(
    "|".join(map(re.escape, sorted({*SEED_WORDS} - {*_SMALL_WORDS}, key=lambda word: (-len(word), word))))
)
BEFORE, AFTER = 80, 120  # characters around a seed that the rules look at


def personal_data(text: str) -> list[PersonalDataMatch]:
    """Return the personal data found in a text, in order, without overlaps."""
    found: list[PersonalDataMatch] = []
    taken = bytearray(len(text))
    windows = list(_windows(text))
    for kind, pattern, check in RULES:
        for start, end in _spans(pattern, check, text, windows):
            if taken.find(1, start, end) < 0:
                taken[start:end] = b"\1" * (end - start)
                found.append(PersonalDataMatch(start, end, kind))
    return sorted(found, key=lambda match: match.start)


def _seeds(text: str) -> list[tuple[int, int]]:
    places = [match.span() for match in _OTHER_WORDS.finditer(text)]
    for word in _SMALL_WORDS:
        at = text.find(word)
        while at >= 0:
            places.append((at, at + len(word)))
            at = text.find(word, at + len(word))
    return sorted([*places, *_seeds_of_figures(text)])


def _seeds_of_figures(text: str) -> Iterator[tuple[int, int]]:
    if not text.isascii() and _OTHER_DIGITS.search(text):
        yield from (match.span() for match in SEED.finditer(text))
        return
    yield from (match.span() for match in SEED_IN_KINDS.finditer(_kinds_of_characters(text)))
    yield from (match.span() for match in SEED_OF_ADDRESS.finditer(text))


def _kinds_of_characters(text: str) -> bytes:
    """Return one byte for each character, by its kind."""
    return text.encode("latin-1", "replace").translate(_KINDS)


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Yield stretches of the text that contain a seed.

    They do not overlap, and begin and end between words.
    """
    begin = end = 0
    for first, last in _seeds(text):
        if first - BEFORE > end or not end:
            if end:
                yield begin, end
            begin = max(text.rfind(" ", 0, max(0, first - BEFORE)) + 1, first - 2 * BEFORE, end)
        end = _end_of_word(text, max(end, last + AFTER))
    if end:
        yield begin, end


def _end_of_word(text: str, at: int) -> int:
    space = text.find(" ", at, at + BEFORE)
    return min(len(text), at if space < 0 else space)


def _spans(
    pattern: re.Pattern[str], check: Check, text: str, windows: list[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    group = "it" if "it" in pattern.groupindex else 0
    for begin, end in windows:
        for match in pattern.finditer(text, begin, end):
            if check(match[group]):
                yield match.span(group)


def kinds_of(text: str) -> list[str]:
    """Return the kinds that occur, sorted."""
    return sorted({found.kind.value for found in personal_data(text)})


def redact_personal_data(text: str) -> str:
    """Return the text with personal data replaced by its kind in brackets."""
    parts, at = [], 0
    for found in personal_data(text):
        parts += [text[at : found.start], f"[{found.kind.value}]"]
        at = found.end
    return "".join([*parts, text[at:]])
