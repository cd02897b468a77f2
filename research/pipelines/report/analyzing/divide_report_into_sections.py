"""Divide a report into sections: the answer first, then a section for each heading, then the rest."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from research.extractive.select_answer_statements import LEADING

SMALLEST = 3  # claims; a section of fewer joins the rest


def sections_of(
    claims: Sequence[tuple[UUID, str]], asked: Collection[str] = ()
) -> list[tuple[str, list[UUID]]]:
    """Return (heading, claims) in reading order; every claim is in exactly one section.

    Claims are given with the heading that they belong under; empty for none. Those under a requested heading stay
    there, however few they are, unless no other claim is left for the first section.
    """
    free = [claim for claim in claims if claim[1] not in asked] or claims[:1]
    leading = free[:LEADING]
    rest = [claim for claim in claims if claim not in leading]
    by_topic: dict[str, list[UUID]] = {}
    for claim_id, topic in rest:
        by_topic.setdefault(topic, []).append(claim_id)
    large = [
        (topic, ids) for topic, ids in by_topic.items() if topic and (len(ids) >= SMALLEST or topic in asked)
    ]
    kept = {claim_id for _topic, ids in large for claim_id in ids}
    remaining = [claim_id for claim_id, _topic in rest if claim_id not in kept]
    sections = [(_("What the sources say"), [claim_id for claim_id, _topic in leading]), *large]
    return [*sections, (_("Further evidence"), remaining)] if remaining else sections
