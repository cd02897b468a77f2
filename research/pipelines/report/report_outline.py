"""The outline of a report: the claims of each section, passed from analysis to the writers in `Run.outline`."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from pydantic import BaseModel, JsonValue, TypeAdapter

ANSWER = "answer"  # role of the answer in short


class SectionPlan(BaseModel):
    """A section before its claims are numbered, and its layout."""

    heading: str
    claims: list[UUID]
    level: int = 2
    kind: str = "list"  # list, steps, table
    role: str = ""  # ANSWER, or empty
    layout: dict[str, JsonValue] | None = None  # of a table: its columns and rows of claims

    is_worded: bool = False  # its claims keep their words: a computed figure is shown with its formula

    @property
    def has_list(self) -> bool:
        """True if its claims are neither a table nor steps."""
        return self.kind == "list" and self.layout is None

    @property
    def is_prose(self) -> bool:
        """True if a model may write it. A table, steps and computed figures keep their form."""
        return self.has_list and not self.is_worded


class OutlinedSection(SectionPlan):
    first_number: int  # the reader's number of its first claim, from 1


_OUTLINE = TypeAdapter(list[OutlinedSection])


def read_outline(stored: object) -> list[OutlinedSection]:
    return _OUTLINE.validate_python(stored)


def number_sections(sections: Iterable[SectionPlan | tuple[str, Sequence[UUID]]]) -> list[dict[str, object]]:
    """Return the sections in reading order as they are stored, with their claims numbered through."""
    numbered, next_number = [], 1
    for section in sections:
        plan = (
            section
            if isinstance(section, SectionPlan)
            else SectionPlan(heading=section[0], claims=list(section[1]))
        )
        values = plan.model_dump() | {"first_number": next_number}
        numbered.append(OutlinedSection.model_validate(values))
        next_number += len(plan.claims)
    return [section.model_dump(mode="json") for section in numbered]
