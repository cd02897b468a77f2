"""Which claims stand in which section: what the analysis hands to the writers, stored in `Run.outline`."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from pydantic import BaseModel, TypeAdapter


class OutlinedSection(BaseModel):
    heading: str
    claims: list[UUID]
    first_number: int  # the reader's number of its first claim, from 1


_OUTLINE = TypeAdapter(list[OutlinedSection])


def read_outline(stored: object) -> list[OutlinedSection]:
    return _OUTLINE.validate_python(stored)


def number_sections(sections: Iterable[tuple[str, Sequence[UUID]]]) -> list[dict[str, object]]:
    """Sections in reading order as they are stored, their claims numbered through."""
    numbered, next_number = [], 1
    for heading, claims in sections:
        numbered.append(OutlinedSection(heading=heading, claims=list(claims), first_number=next_number))
        next_number += len(claims)
    return [section.model_dump(mode="json") for section in numbered]
