"""Write sections of a synthesis by rules: agreements, disagreements, and findings of single studies.

A claim is bound to the rows on which it is based; their number is its strength.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.anchoring import Span
from citations.claim_confidence import Conflict
from research.pipelines.common.write_pipeline_claims import (
    QuotedSpan,
    SectionDraft,
    StatementDraft,
    StatementParagraph,
)
from research.pipelines.synthesis.group_synthesis_studies import Agreement, StudyGroup, group_studies
from research.pipelines.synthesis.synthesis_study_rows import Direction, Study

COUNTED = "Counted from the rows of the evidence table."
AGREEMENT, DISAGREEMENT, SINGLE = "Areas of agreement", "Areas of disagreement", "Findings of single studies"
WORDS: Mapping[Direction, str] = {
    Direction.BENEFIT: "a benefit",
    Direction.HARM: "harm",
    Direction.HIGHER: "higher values",
    Direction.LOWER: "lower values",
    Direction.NULL: "no effect",
    Direction.MIXED: "mixed results",
    Direction.DESCRIPTIVE: "a description",
    Direction.UNCLEAR: "an unclear result",
}

ONE_STUDY = "The table has only one study, so there is nothing to compare."

UNLIKE = "The titles of these studies name different things, which may explain the difference."

BOTH_WORDS = (
    ({Direction.BENEFIT, Direction.HIGHER}, "a benefit or higher values"),
    ({Direction.HARM, Direction.LOWER}, "harm or lower values"),
)


@dataclass(frozen=True, slots=True)
class SourcedStudy:
    """A study with its source. `finding` is the span of its finding in the source's text; None if it has none."""

    study: Study
    label: str
    source: UUID
    finding: Span | None

    @property
    def place(self) -> QuotedSpan | None:
        return None if self.finding is None else QuotedSpan(self.source, self.finding, f"[{self.label}]")


def sections_of(rows: Sequence[SourcedStudy]) -> list[SectionDraft]:
    """Return the sections. Pure. A study without a finding appears only in the table."""
    if len(rows) == 1:
        only = StatementParagraph((ONE_STUDY,))
        return [SectionDraft(SINGLE, (only, *_findings([0], rows)))]
    studies = [row.study for row in rows]
    groups = group_studies(studies)
    kinds = {kind: [group for group in groups if group.agreement(studies) is kind] for kind in Agreement}
    grouped = {
        place
        for kind in (Agreement.AGREE, Agreement.DISAGREE)
        for outcome_group in kinds[kind]
        for place in outcome_group.select_telling_members(studies)
    }
    alone = [place for place in range(len(rows)) if place not in grouped]
    agree = [
        paragraph
        for outcome_group in kinds[Agreement.AGREE]
        for paragraph in _describe_agreement(outcome_group, rows)
    ]
    disagree = [
        paragraph
        for outcome_group in kinds[Agreement.DISAGREE]
        for paragraph in _describe_disagreement(outcome_group, rows)
    ]
    return [
        SectionDraft(
            AGREEMENT,
            tuple(agree)
            or (StatementParagraph(("There is no outcome on which two or more studies all agree.",)),),
        ),
        SectionDraft(
            DISAGREEMENT,
            tuple(disagree)
            or (StatementParagraph(("No two studies of one outcome point in different directions.",)),),
        ),
        *(
            [SectionDraft(SINGLE, tuple(_findings(alone, rows)))]
            if any(rows[index].finding for index in alone)
            else []
        ),
    ]


def _describe_agreement(group: StudyGroup, rows: Sequence[SourcedStudy]) -> Iterator[StatementParagraph]:
    sides = group.by_direction([row.study for row in rows])
    members = [place for places in sides.values() for place in places]
    results = WORDS[next(iter(sides))] if len(sides) == 1 else _in_both_words(sides)
    text = f"On {_outcome(group)}, {len(members)} studies agree: they report {results}{_tell_turned(group, rows)}."
    yield from _build_paragraphs(text, members, rows, Conflict.NONE)


def _in_both_words(sides: Collection[Direction]) -> str:
    """Return words for directions that count as agreeing because it is unknown whether a rise is good."""
    return next(words for directions, words in BOTH_WORDS if directions >= set(sides))


def _describe_disagreement(group: StudyGroup, rows: Sequence[SourcedStudy]) -> Iterator[StatementParagraph]:
    sides = group.by_direction([row.study for row in rows])
    results = ", ".join(
        f"{len(places)} {'reports' if len(places) == 1 else 'report'} {WORDS[direction]}"
        for direction, places in sides.items()
    )
    members = [place for places in sides.values() for place in places]
    text = f"On {_outcome(group)}, {len(members)} studies disagree: {results}{_tell_turned(group, rows)}."
    yield from _build_paragraphs(text, members, rows, Conflict.PRESENTED_BOTH)
    if group.compares_unlike([row.study for row in rows]):
        yield StatementParagraph((UNLIKE,))


def _tell_turned(group: StudyGroup, rows: Sequence[SourcedStudy]) -> str:
    """Say how many of the studies are on doing without the thing."""
    turned = group.turned_members([row.study for row in rows])
    return f" ({len(turned)} found the opposite when the exposure was missing or reduced)" if turned else ""


def _outcome(group: StudyGroup) -> str:
    return group.outcome or "an outcome that the table does not name"


def _build_paragraphs(
    text: str, members: Sequence[int], rows: Sequence[SourcedStudy], conflict: Conflict
) -> Iterator[StatementParagraph]:
    places = tuple(place for member in members if (place := rows[member].place))
    if places:
        yield StatementParagraph((StatementDraft(text, places, COUNTED, len(members), conflict),))
        yield from _findings(members, rows, conflict)


def _findings(
    members: Sequence[int], rows: Sequence[SourcedStudy], conflict: Conflict = Conflict.NONE
) -> Iterator[StatementParagraph]:
    stated = tuple(
        StatementDraft(row.study.finding, (place,), "", 1, conflict)
        for member in members
        if (place := (row := rows[member]).place)
    )
    if stated:
        yield StatementParagraph(stated, kind="list")
