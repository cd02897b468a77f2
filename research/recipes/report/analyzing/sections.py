"""How a report is divided: the answer first, then what stands under one heading, then the rest."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from research.agents.extractive.selection import LEADING, Selected

SMALLEST = 3  # claims; a section of fewer joins the rest


def sections_of(claims: Sequence[tuple[UUID, Selected]]) -> list[tuple[str, list[UUID]]]:
    """(heading, claims) in reading order; every claim stands in exactly one section."""
    return _divided([(claim_id, _topic(claim)) for claim_id, claim in claims])


def by_subtopic(
    claims: Sequence[UUID], subtopics: Mapping[UUID, int], headings: Sequence[str]
) -> list[tuple[str, list[UUID]]]:
    """The same, by the plan's headings. `subtopics` counts from 1; a number without a heading is none."""
    known = dict(enumerate(headings, start=1))
    return _divided([(claim, known.get(subtopics[claim], "")) for claim in claims])


def _divided(claims: Sequence[tuple[UUID, str]]) -> list[tuple[str, list[UUID]]]:
    """Claims are given with the heading that they would stand under; empty for none."""
    leading, rest = claims[:LEADING], claims[LEADING:]
    by_topic: dict[str, list[UUID]] = {}
    for claim_id, topic in rest:
        by_topic.setdefault(topic, []).append(claim_id)
    large = [(topic, ids) for topic, ids in by_topic.items() if topic and len(ids) >= SMALLEST]
    kept = {claim_id for _topic_name, ids in large for claim_id in ids}
    remaining = [claim_id for claim_id, _topic_name in rest if claim_id not in kept]
    sections = [(_("What the sources say"), [claim_id for claim_id, _topic_name in leading]), *large]
    return [*sections, (_("Further evidence"), remaining)] if remaining else sections


def _topic(claim: Selected) -> str:
    """The nearest heading that its best sentence stands under."""
    return claim.best.candidate.heading.strip()
