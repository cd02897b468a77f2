"""Items with pages that were made up, and what is true of them.

Nothing in these worlds exists. Names, values, layouts and traps are drawn from a seed: the same seed, the same world.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from research.parsing.parse_document import read
from research.pipelines.table.convert_table_cell_values import Value, format_value
from research.pipelines.table.finding import ReadText
from research.pipelines.table.table_columns import TableField

Truth = dict[str, Value | None]
Rows = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Made:
    """An item, what its pages say of it (None: they do not), and the pages by name.

    `disputed` are the fields of which a second page says otherwise.
    """

    item: str
    truth: Truth
    pages: Mapping[str, str]
    disputed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class World:
    """`others` are pages that only mention items."""

    fields: tuple[TableField, ...]
    items: tuple[Made, ...]
    others: Mapping[str, str]

    def sources(self, made: Made) -> list[ReadText]:
        return [read_text(name, text) for name, text in (made.pages | self.others).items()]


def read_text(name: str, text: str) -> ReadText:
    found = read(text.encode(), name)
    return ReadText(name, found.text, found.title, "", found.blocks, found.tables)


def names(random: Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[random.choice(_STARTS) + random.choice(_ENDS)] = None
    return list(found)


def person(random: Random) -> str:
    return f"{random.choice(_FIRST)} {random.choice(_LAST)}"


def rows(
    random: Random,
    truth: Truth,
    labels: Mapping[str, str],
    forms: Mapping[str, Callable[[Random, Value], str]],
) -> Rows:
    """Label and value of what is told, as registers and encyclopedias print them; `labels` parted by bars."""
    return [
        (random.choice(labels[name].split("|")), _in_form(random, name, value, forms))
        for name, value in truth.items()
        if value is not None
    ]


def sentences(
    random: Random,
    item: str,
    truth: Truth,
    said: Mapping[str, str],
    forms: Mapping[str, Callable[[Random, Value], str]],
) -> str:
    """A sentence for each thing that is told, in any order; `said` parted by bars, for yes and no by "name=yes"."""
    found = []
    for name, value in truth.items():
        if value is not None:
            key = f"{name}={format_value(value)}" if isinstance(value, bool) else name
            told = _and(value) if isinstance(value, tuple) else _in_form(random, name, value, forms)
            found.append(random.choice(said[key].split("|")).format(v=told, item=item))
    random.shuffle(found)
    return " ".join(found)


def _in_form(
    random: Random, name: str, value: Value, forms: Mapping[str, Callable[[Random, Value], str]]
) -> str:
    return forms[name](random, value) if name in forms else format_value(value)


def _and(value: tuple[Value, ...]) -> str:
    words = [str(one) for one in value]
    return f"{', '.join(words[:-1])} and {words[-1]}" if words[1:] else words[0]


def page(title: str, body: str, lead: str) -> str:
    """A web page with the things around its content that all have."""
    return (
        f"<!doctype html><html lang='en'><head><title>{title}</title></head><body><nav><a href='/'>Start</a></nav>"
        f"<main><p>{lead} It is long enough to be taken for what the page is about.</p>"
        f"{body}</main><footer>2024</footer></body></html>"
    )


def html_rows(told: Rows, form: str) -> str:
    return "".join(form.format(*row) for row in told)


_STARTS = "Bra Kel Tor Mis Vun Zar Quo Fen Lud Hav Ner Pox Syl Dra Wim Yor".split()
_ENDS = "dex lin vora tek mond aria lux sen pra gon tis wick nell by rus".split()
_FIRST = "Ada Bruno Clara Dmitri Elif Farid Greta Hiro Ines Jonas Kavya Leo Mira Nils Oksana Pablo".split()
_LAST = (
    "Abend Brandt Castell Dorn Eklund Fontaine Grau Holm Ivers Jansky Keller Lindqvist Moreau Novak".split()
)
