"""Rows of an evidence table: what is known of each study, in one spelling."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo

from citations.bibliography.names import names

MOST_STUDIES = 500
LONGEST_TITLE = 2_000  # characters
YEARS = (1500, 2100)


class Direction(StrEnum):
    BENEFIT = "benefit"
    HARM = "harm"
    POSITIVE = "positive"  # an association, or something was found
    NEGATIVE = "negative"  # an inverse association
    NULL = "null"  # looked for and not found
    MIXED = "mixed"
    DESCRIPTIVE = "descriptive"
    UNCLEAR = "unclear"


DEFINITE = frozenset(
    {Direction.BENEFIT, Direction.HARM, Direction.POSITIVE, Direction.NEGATIVE, Direction.NULL}
)


def _text(given: object, info: ValidationInfo) -> object:
    """Cells of files and fields of forms; JSON tells text from what is none itself."""
    if info.mode == "json":
        return " ".join(given.split()) if isinstance(given, str) else given
    if given is None:
        return ""
    return " ".join(str(given).split()) if isinstance(given, str | int | float) else given


Text = Annotated[str, BeforeValidator(_text)]


class Study(BaseModel):
    """One row. What is not known is empty, or None; it is never guessed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Text = Field(min_length=1, max_length=LONGEST_TITLE)
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
    preprint: bool = False
    url: Text = Field(default="", max_length=2_000)
    evidence: Text = Field(default="", max_length=10_000)  # its own words, or its abstract

    @property
    def key(self) -> str:
        """The same for two rows about one study: by DOI, else by title and year."""
        from citations.text.normalizing import normalize  # brings numpy: only who compares studies

        return f"doi:{self.doi.casefold()}" if self.doi else f"{normalize(self.title)}|{self.year or ''}"

    @property
    def address(self) -> str:
        """The URL at which the study can be read; empty if not known."""
        return f"https://doi.org/{self.doi}" if self.doi else self.url


def labels_of(studies: Sequence[Study]) -> list[str]:
    """As a text names them: “Smith et al., 2023”; where two are called the same, a letter tells them apart.

    >>> labels_of([Study(title="T", authors="Smith, Anna; Lee, Bo; Ray, Cy", year=2023)])
    ['Smith et al., 2023']
    """
    plain = [f"{_who(study)}, {study.year or 'n.d.'}" for study in studies]
    seen: dict[str, int] = {}
    found = []
    for label in plain:
        seen[label] = seen.get(label, 0) + 1
        found.append(f"{label}{_letter(seen[label])}" if plain.count(label) > 1 else label)
    return found


def _letter(number: int) -> str:
    """a, b, … z, then aa."""
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def _who(study: Study) -> str:
    persons = [name.family or name.literal for name in names(study.authors) if name.family or name.literal]
    if not persons:
        return " ".join(study.title.split()[:4])
    if len(persons) == 1:
        return persons[0]
    return f"{persons[0]} & {persons[1]}" if len(persons) == 2 else f"{persons[0]} et al."


def bare_doi(text: str) -> str:
    """A DOI without what stands before it; "" for what is none.

    >>> bare_doi("https://doi.org/10.1371/journal.pmed.0020171")
    '10.1371/journal.pmed.0020171'
    """
    found = re.search(r"\b(10\.\d{4,9}/\S+)", text)
    return found[1].rstrip(".,;)").casefold() if found else ""
