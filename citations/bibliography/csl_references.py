"""A bibliographic reference in CSL's terms, and exchange formats that need no style.

CSL 1.0.2 (docs.citationstyles.org) for types and variables; RIS as Reference Manager and its successors read it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

MAX_FIELD_LENGTH = 2_000  # characters of a title or a name; longer text is cut
# Characters that no field may hold: controls, lone surrogates, and bidirectional controls.
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]+")

CslValue = str | list["CslValue"] | dict[str, "CslValue"] | int
CslItem = dict[str, CslValue]


class WorkType(StrEnum):
    ARTICLE = "article"
    BOOK = "book"
    DATASET = "dataset"
    DOCUMENT = "document"
    JOURNAL_ARTICLE = "article-journal"
    NEWSPAPER_ARTICLE = "article-newspaper"
    POST = "post-weblog"
    REPORT = "report"
    SOFTWARE = "software"
    WEBPAGE = "webpage"


@dataclass(frozen=True, slots=True)
class Name:
    """A person (family and given name, a suffix such as "Jr.") or, with `literal` alone, an organization."""

    family: str = ""
    given: str = ""
    literal: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date as precise as it is known. Raises ValueError for a day without a month and for impossible figures."""

    year: int
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        is_complete = self.month is not None or self.day is None
        month, day = (1 if part is None else part for part in (self.month, self.day))
        try:
            date(self.year, month, day)
        except ValueError:
            is_complete = False
        if not is_complete:
            raise ValueError(f"not a date: {self}")

    @property
    def parts(self) -> tuple[int, ...]:
        return tuple(part for part in (self.year, self.month, self.day) if part is not None)


@dataclass(frozen=True, slots=True)
class Reference:
    """The bibliographic data of a work; unknown fields are empty or None. `id` is unique within a list."""

    id: str
    type: WorkType = WorkType.WEBPAGE
    title: str = ""
    authors: tuple[Name, ...] = ()
    issued: PartialDate | None = None
    accessed: PartialDate | None = None
    container_title: str = ""  # the journal, newspaper or site that it is part of
    publisher: str = ""
    publisher_place: str = ""
    url: str = ""
    doi: str = ""
    pages: str = ""  # "101-118"
    volume: str = ""
    issue: str = ""
    isbn: str = ""
    language: str = ""  # BCP 47; English titles are set in title case if a style wants it
    annotation: str = ""  # the list owner's note, which no style shows


def clean(text: str) -> str:
    """Return one line without control characters, cut to the length of a field."""
    plain = " ".join(_FORBIDDEN.sub(" ", text[: 4 * MAX_FIELD_LENGTH]).split())
    return plain if len(plain) <= MAX_FIELD_LENGTH else plain[: MAX_FIELD_LENGTH - 1] + "…"


def _web(url: str) -> str:
    """Return the URL if it is http(s); no other is ever linked."""
    return url if url.startswith(("http://", "https://")) else ""


def csl_item(reference: Reference) -> CslItem:
    """Return the reference as CSL-JSON, without unknown fields."""
    fields: Mapping[str, str] = {
        "title": reference.title,
        "container-title": reference.container_title,
        "publisher": reference.publisher,
        "publisher-place": reference.publisher_place,
        "URL": _web(reference.url),
        "DOI": reference.doi,
        "page": reference.pages,
        "volume": reference.volume,
        "issue": reference.issue,
        "ISBN": reference.isbn,
        "language": reference.language,
        "annote": reference.annotation,
    }
    item: CslItem = {"id": reference.id, "type": reference.type.value}
    item |= {name: value for name, text in fields.items() if (value := clean(text))}
    authors: list[CslValue] = [_csl_name(name) for name in reference.authors]
    if authors:
        item["author"] = authors
    for field, day in (("issued", reference.issued), ("accessed", reference.accessed)):
        if day is not None:
            item[field] = {"date-parts": [list(day.parts)]}
    return item


def _csl_name(name: Name) -> CslValue:
    fields = ("family", "given", "suffix", "literal")
    parts = {field: clean(getattr(name, field)) for field in fields}
    return {key: value for key, value in parts.items() if value}


def csl_json(references: Sequence[Reference]) -> str:
    return json.dumps([csl_item(reference) for reference in references], ensure_ascii=False, indent=2) + "\n"


_RIS_TYPES = {
    WorkType.ARTICLE: "GEN",
    WorkType.BOOK: "BOOK",
    WorkType.DATASET: "DATA",
    WorkType.DOCUMENT: "GEN",
    WorkType.JOURNAL_ARTICLE: "JOUR",
    WorkType.NEWSPAPER_ARTICLE: "NEWS",
    WorkType.POST: "BLOG",
    WorkType.REPORT: "RPRT",
    WorkType.SOFTWARE: "COMP",
    WorkType.WEBPAGE: "ELEC",
}


def ris(references: Iterable[Reference]) -> str:
    """Return the references as RIS records, with the format's line ends."""
    return "".join(f"{tag}  - {value}\r\n" for each in references for tag, value in _ris_lines(each))


def _ris_lines(reference: Reference) -> Iterator[tuple[str, str]]:
    yield "TY", _RIS_TYPES[reference.type]
    yield "ID", clean(reference.id)
    yield from (("AU", _ris_name(name)) for name in reference.authors)
    first, _, last = reference.pages.partition("-")
    fields = {
        "TI": reference.title,
        "T2": reference.container_title,
        "PB": reference.publisher,
        "CY": reference.publisher_place,
        "VL": reference.volume,
        "IS": reference.issue,
        "SP": first,
        "EP": last,
        "SN": reference.isbn,
        "DO": reference.doi,
        "UR": _web(reference.url),
        "LA": reference.language,
        "N1": reference.annotation,
    }
    yield from ((tag, clean(value)) for tag, value in fields.items() if clean(value))
    if reference.issued is not None:
        yield "PY", f"{reference.issued.year:04}"
        yield "DA", _ris_date(reference.issued)
    if reference.accessed is not None:
        yield "Y2", _ris_date(reference.accessed)
    yield "ER", ""


def _ris_name(name: Name) -> str:
    parts = map(clean, (name.family, name.given, name.suffix))
    return clean(name.literal) or ", ".join(part for part in parts if part)


def _ris_date(day: PartialDate) -> str:
    """Return YYYY/MM/DD/, with unknown parts empty."""
    month, of_month = (f"{part:02}" if part else "" for part in (day.month, day.day))
    return f"{day.year:04}/{month}/{of_month}/"
