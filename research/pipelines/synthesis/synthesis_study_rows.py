"""Rows of an evidence table: the normalized data of each study."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo

from citations.bibliography.author_names import names

MAX_STUDIES = 500
MAX_TITLE = 2_000  # characters
YEARS = (1500, 2100)


class Direction(StrEnum):
    BENEFIT = "benefit"
    HARM = "harm"
    HIGHER = "higher"  # more of the outcome, where good or bad cannot be told
    LOWER = "lower"
    NULL = "null"  # no effect was found
    MIXED = "mixed"
    DESCRIPTIVE = "descriptive"
    UNCLEAR = "unclear"

    @classmethod
    def _missing_(cls, value: object) -> "Direction | None":
        """Return the direction for the names of earlier runs, and of tables that state a sign."""
        signs = {"positive": cls.HIGHER, "negative": cls.LOWER}
        return signs.get(value) if isinstance(value, str) else None


DEFINITE = frozenset({Direction.BENEFIT, Direction.HARM, Direction.HIGHER, Direction.LOWER, Direction.NULL})


def _text(given: object, info: ValidationInfo) -> object:
    """Clean the text of a cell or form field; other values from JSON are returned unchanged."""
    if info.mode == "json":
        return " ".join(given.split()) if isinstance(given, str) else given
    if given is None:
        return ""
    return " ".join(str(given).split()) if isinstance(given, str | int | float) else given


Text = Annotated[str, BeforeValidator(_text)]


class Study(BaseModel):
    """One row. Unknown values are empty or None, never guessed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Text = Field(default="", max_length=200)  # given by the caller
    title: Text = Field(min_length=1, max_length=MAX_TITLE)
    authors: Text = Field(default="", max_length=20_000)
    year: int | None = Field(default=None, ge=YEARS[0], le=YEARS[1])
    doi: Text = Field(default="", max_length=300)
    journal: Text = Field(default="", max_length=500)
    design: Text = Field(default="", max_length=500)
    population: Text = Field(default="", max_length=2_000)
    sample_size: int | None = Field(default=None, ge=0, le=10_000_000_000)
    outcome: Text = Field(default="", max_length=1_000)
    finding: Text = Field(default="", max_length=5_000)
    direction: Direction = Direction.UNCLEAR
    preprint: bool = False  # or not peer reviewed for another reason
    reviewed: bool | None = None  # as stated; None if nothing says so
    url: Text = Field(default="", max_length=2_000)
    evidence: Text = Field(default="", max_length=10_000)  # quotes of the study, or its abstract

    @property
    def address(self) -> str:
        """The URL of the study; empty if unknown."""
        return f"https://doi.org/{self.doi}" if self.doi else self.url


@dataclass(frozen=True, slots=True)
class DistinctStudies:
    """Each study once. `places`: for each given study, its index among these."""

    studies: tuple[Study, ...]
    places: tuple[int, ...]

    @property
    def repeated_places(self) -> tuple[int, ...]:
        """Return the indexes, from 0, of given studies that repeat an earlier one."""
        return tuple(at for at, place in enumerate(self.places) if place in self.places[:at])


def merge_duplicates(given: Sequence[Study]) -> DistinctStudies:
    """Merge rows about one study: the first keeps its values, and takes missing ones from the others.

    A preprint and the paper that it became are one study, with the values of the paper.
    """
    studies: list[Study] = []
    places = []
    by_doi: dict[str, int] = {}
    by_title: dict[str, list[int]] = {}
    for study in given:
        title = _title_key(study.title)
        place = by_doi.get(study.doi) if study.doi else None
        if place is None:
            place = next((at for at in by_title.get(title, ()) if _is_same_study(studies[at], study)), None)
        if place is None:
            place = len(studies)
            studies.append(study)
        else:
            studies[place] = _complete(studies[place], study)
        if study.doi:
            by_doi.setdefault(study.doi, place)
        if place not in by_title.setdefault(title, []):
            by_title[title].append(place)
        places.append(place)
    return DistinctStudies(tuple(studies), tuple(places))


def _title_key(title: str) -> str:
    from citations.text.quote_normalizing import (
        normalize,  # imports numpy, which is needed only to compare studies
    )

    return " ".join(re.findall(r"\w+", normalize(title)))


def _is_same_study(mine: Study, theirs: Study) -> bool:
    """Return True if two studies with the same title are one: the years agree, and of two DOIs one is a preprint's."""
    if mine.doi and theirs.doi and mine.doi != theirs.doi and not (mine.preprint or theirs.preprint):
        return False
    if mine.year is None or theirs.year is None or mine.year == theirs.year:
        return True
    return abs(mine.year - theirs.year) <= 2 and bool(
        _persons(mine)[:1] and _persons(mine)[:1] == _persons(theirs)[:1]
    )


def _complete(mine: Study, other: Study) -> Study:
    """Return the study with the missing values of the other; the reviewed paper's come before those of its preprint."""
    if mine.preprint and not other.preprint and (other.journal or other.doi):
        mine, other = other.model_copy(update={"id": mine.id or other.id}), mine
    empty = {None, "", Direction.UNCLEAR}
    known = {name for name, value in mine if value not in empty}
    missing = {name: value for name, value in other if name not in known and value not in empty}
    if other.preprint:
        missing.pop("reviewed", None)  # it holds for the preprint only
    return mine.model_copy(update=missing)


def labels_of(studies: Sequence[Study]) -> list[str]:
    """Return citation labels of studies: “Smith et al., 2023”; letters distinguish equal labels.

    >>> labels_of([Study(title="T", authors="Smith, Anna; Lee, Bo; Ray, Cy", year=2023)])
    ['Smith et al., 2023']
    """
    plain = [f"{_who(study)}, {study.year or 'n.d.'}" for study in studies]
    seen: dict[str, int] = {}
    labels = []
    for label in plain:
        seen[label] = seen.get(label, 0) + 1
        labels.append(f"{label}{_letter(seen[label])}" if plain.count(label) > 1 else label)
    return labels


def _letter(number: int) -> str:
    """Return the letters for a number: a, b, … z, then aa."""
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


# “Smith J, Doe AB, van den Berg L”, as in PubMed and most tables of studies: family name, then initials.
_FAMILY_AND_INITIALS = re.compile(
    r"(?P<family>[^\W\d_][\w'’.\- ]*?) (?P<given>[^\W\d_a-zß-öø-ÿ]{1,3})(?: (?:Jr|Sr|I{2,3}))?\.?"
)


def separate_authors(authors: str) -> str:
    """Return an author line in the form of bibliographies: “Smith, J.; Doe, A.B.”.

    In a table of studies, family names followed by initials are persons; elsewhere they may not be.

    >>> separate_authors("Smith J, Doe AB, van den Berg L")
    'Smith, J.; Doe, A.B.; van den Berg, L.'
    >>> separate_authors("Ministry of Health")
    'Ministry of Health'
    """
    parts = [
        part for part in re.split(r"\s*[,;]\s*(?:and |& )?|\s+(?:and|&)\s+", authors.strip(" .")) if part
    ]
    others = [part for part in parts if re.fullmatch(r"et al\.?|\.\.\.|…|others", part)]
    matches = [_FAMILY_AND_INITIALS.fullmatch(part) for part in parts if part not in others]
    if not matches or not all(matches):
        return authors
    separated = [f"{match['family']}, {'.'.join(match['given'])}." for match in matches if match]
    return "; ".join([*separated, *others])


def _persons(study: Study) -> list[str]:
    return [
        name.family or name.literal
        for name in names(separate_authors(study.authors))
        if name.family or name.literal
    ]


def _who(study: Study) -> str:
    persons = _persons(study)
    if not persons:
        return " ".join(study.title.split()[:4])
    if re.search(r"\bet al\b|…|\.\.\.", study.authors):
        return f"{persons[0]} et al."
    if len(persons) == 1:
        return persons[0]
    return f"{persons[0]} & {persons[1]}" if len(persons) == 2 else f"{persons[0]} et al."


def bare_doi(text: str) -> str:
    """Return a DOI without its prefix; "" if the text is not a DOI.

    >>> bare_doi("https://doi.org/10.1371/journal.pmed.0020171")
    '10.1371/journal.pmed.0020171'
    """
    found = re.search(r"\b(10\.\d{4,9}/\S+)", text)
    return found[1].rstrip(".,;)").casefold() if found else ""
