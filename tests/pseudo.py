"""A language that nobody speaks, made from our strings: 40 % longer, with accents, so that a page shows what it cannot
hold, and what passed the translations by."""

import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

PSEUDO, RIGHT_TO_LEFT = "en-xa", "he"
LONGER = 0.4
ACCENTS = str.maketrans("AEIOUYaeiouycnsz", "ÀÉÎÕÛÝàéîõûýçñšž")
# What is no text: placeholders, elements and entities of HTML, forms of dates.
KEPT = re.compile(r"%\(\w+\)[-.\d]*[a-z]|%[ds%]|\{\w*\}|<[^>]+>|&\w+;")
FORMS = "form of a date"


def lengthen(text: str) -> str:
    """ "Read" → "[Réàd ··]": the brackets show where one string ends and the next begins."""
    more = "·" * round(LONGER * len(KEPT.sub("", text)))
    words = " ".join(more[start : start + 8] for start in range(0, len(more), 8))
    pieces = zip(KEPT.split(text), [*KEPT.findall(text), ""], strict=True)
    return "[" + "".join(piece.translate(ACCENTS) + kept for piece, kept in pieces) + f" {words}]"


def write_pseudo(po: Path, folder: Path) -> None:
    """Catalogues of both languages in `folder`, with the strings that `po` has."""
    with po.open("rb") as source:
        known = read_po(source)
    for locale in ("en_XA", "he"):
        made = Catalog(locale="he" if locale == "he" else "en")
        for message in known:
            if message.id and message.context != FORMS:
                made.add(message.id, _forms(message.id, made.num_plurals), context=message.context)
        target = folder / locale / "LC_MESSAGES" / "django.mo"
        target.parent.mkdir(parents=True)
        with target.open("wb") as written:
            write_mo(written, made)


def _forms(text: str | tuple[str, ...], count: int) -> str | tuple[str, ...]:
    if isinstance(text, str):
        return lengthen(text)
    one, many = map(lengthen, text)
    return (one, *[many] * (count - 1))
