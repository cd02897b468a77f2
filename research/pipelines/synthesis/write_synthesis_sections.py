"""Write sections of a synthesis by rules: agreements, disagreements, and findings of single studies.

A claim is bound to the rows on which it is based; their number is its strength.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from research.pipelines.synthesis.synthesis_finding_directions import quote_lack
from research.pipelines.synthesis.synthesis_study_rows import Direction, Study

COUNTED = "Counted from the rows of the evidence table."
AGREEMENT, DISAGREEMENT, SINGLE = "Areas of agreement", "Areas of disagreement", "Findings of single studies"
DIFFERENT = "Findings on different exposures"
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

WITHOUT_WORDS: Mapping[Direction, str] = {
    Direction.BENEFIT: "a benefit when the exposure was missing or reduced",
    Direction.HARM: "harm when the exposure was missing or reduced",
    Direction.HIGHER: "higher values when the exposure was missing or reduced",
    Direction.LOWER: "lower values when the exposure was missing or reduced",
}
OPPOSITE = "the opposite when the exposure was missing or reduced"
MAX_QUOTED, MAX_QUOTE_LENGTH = 3, 80  # titles or circumstances that a sentence names, and characters of each

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
        for kind in (Agreement.AGREE, Agreement.DISAGREE, Agreement.UNLIKE)
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
    different = [
        paragraph
        for outcome_group in kinds[Agreement.UNLIKE]
        for paragraph in _describe_different(outcome_group, rows)
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
            or (
                StatementParagraph(
                    ("No two studies of one outcome and exposure point in different directions.",)
                ),
            ),
        ),
        *([SectionDraft(DIFFERENT, tuple(different))] if different else []),
        *(
            [SectionDraft(SINGLE, tuple(_findings(alone, rows)))]
            if any(rows[index].finding for index in alone)
            else []
        ),
    ]


def _describe_agreement(group: StudyGroup, rows: Sequence[SourcedStudy]) -> Iterator[StatementParagraph]:
    sides = group.by_direction([row.study for row in rows])
    members = [place for places in sides.values() for place in places]
    results = (
        _name_side(*next(iter(sides.items())), group, rows) if len(sides) == 1 else _in_both_words(sides)
    )
    text = f"On {_outcome(group)}, {len(members)} studies agree: they report {results}{_tell_turned(group, rows)}."
    yield from _build_paragraphs(text, members, rows, Conflict.NONE)


def _in_both_words(sides: Collection[Direction]) -> str:
    """Return words for directions that count as agreeing because it is unknown whether a rise is good."""
    return next(words for directions, words in BOTH_WORDS if directions >= set(sides))


def _describe_disagreement(group: StudyGroup, rows: Sequence[SourcedStudy]) -> Iterator[StatementParagraph]:
    sides = group.by_direction([row.study for row in rows])
    results = ", ".join(
        f"{_count_reports(places)} {_name_side(direction, places, group, rows)}"
        for direction, places in sides.items()
    )
    members = [place for places in sides.values() for place in places]
    text = f"On {_outcome(group)}, {len(members)} studies disagree: {results}{_tell_turned(group, rows)}."
    yield from _build_paragraphs(text, members, rows, Conflict.PRESENTED_BOTH)


def _describe_different(group: StudyGroup, rows: Sequence[SourcedStudy]) -> Iterator[StatementParagraph]:
    """Set the findings of different exposures side by side, each with the titles that name what was studied."""
    studies = [row.study for row in rows]
    without = group.members_without(studies)
    sides: dict[str, list[int]] = {}
    for place in group.select_telling_members(studies):
        direction = studies[place].direction
        sides.setdefault((WITHOUT_WORDS if place in without else WORDS)[direction], []).append(place)
    results = ", ".join(
        f"{_count_reports(places)} {words} ({_quote(rows[place].study.title for place in places)})"
        for words, places in sides.items()
    )
    members = [place for places in sides.values() for place in places]
    text = (
        f"On {_outcome(group)}, {len(members)} studies looked at different exposures, so their findings are not"
        f" compared: {results}."
    )
    yield from _build_paragraphs(text, members, rows, Conflict.NONE)


def _count_reports(places: Sequence[int]) -> str:
    return f"{len(places)} {'reports' if len(places) == 1 else 'report'}"


def _name_side(
    direction: Direction, places: Collection[int], group: StudyGroup, rows: Sequence[SourcedStudy]
) -> str:
    """Return words for a direction, which say so if all its studies are on doing without something."""
    studies = [row.study for row in rows]
    is_without = set(places) <= group.members_without(studies) - group.turned_members(studies)
    return (WITHOUT_WORDS if is_without else WORDS)[direction]


def _tell_turned(group: StudyGroup, rows: Sequence[SourcedStudy]) -> str:
    """Say how many of the studies are on doing without the thing, what they found, and what was missing."""
    turned = sorted(group.turned_members([row.study for row in rows]))
    if not turned:
        return ""
    own = {rows[place].study.direction for place in turned}
    found = WITHOUT_WORDS[own.pop()] if len(own) == 1 else OPPOSITE
    circumstances = (quote_lack(rows[place].study.finding) or rows[place].study.title for place in turned)
    return f" ({len(turned)} of them found {found}: {_quote(circumstances)})"


def _quote(texts: Iterable[str]) -> str:
    """Return texts in one pair of quotation marks, without those that they contain."""
    plain = [re.sub(r"[“”„]", "'", text).strip() for text in texts]
    short = [
        text if len(text) <= MAX_QUOTE_LENGTH else f"{text[: MAX_QUOTE_LENGTH - 1].rstrip()}…"
        for text in dict.fromkeys(plain)
    ]
    return f"“{'; '.join([*short[:MAX_QUOTED], *(['…'] if len(short) > MAX_QUOTED else [])])}”"


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
