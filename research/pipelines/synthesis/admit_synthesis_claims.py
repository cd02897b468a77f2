"""Bind claims proposed by a model or a program to existing rows, which determine their strength. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from research.pipelines.common.report_model_answers import ModelAnswer
from research.pipelines.common.write_pipeline_claims import SectionDraft, StatementDraft, StatementParagraph
from research.pipelines.synthesis.write_synthesis_sections import SourcedStudy

MAX_SECTIONS, MAX_CLAIMS, MAX_GAPS = 6, 60, 5
MAX_CLAIM_LENGTH = 600  # characters


class SynthesisClaimAnswer(ModelAnswer):
    text: str
    rows: list[int] = []


class SynthesisSectionAnswer(ModelAnswer):
    heading: str
    claims: list[SynthesisClaimAnswer]


class SynthesisAnswer(ModelAnswer):
    sections: list[SynthesisSectionAnswer]
    gaps: list[str] = []


@dataclass(frozen=True, slots=True)
class AdmittedSynthesis:
    """The accepted parts of a proposed synthesis. `rejected` are claims that name no existing study."""

    parts: tuple[SectionDraft, ...]
    gaps: tuple[str, ...]
    rejected: tuple[str, ...]


def admit_claims(answer: SynthesisAnswer, rows: Sequence[SourcedStudy]) -> AdmittedSynthesis:
    """Return the parts of a proposed synthesis that name existing studies. Pure.

    A claim keeps those of its rows that exist and have a finding.
    """
    parts, rejected, seen, count = [], [], set[str](), 0
    for section in answer.sections[:MAX_SECTIONS]:
        statements = []
        for claim in section.claims:
            text = " ".join(claim.text.split())[:MAX_CLAIM_LENGTH]
            statement = _statement(text, claim.rows, rows)
            if statement is None:
                rejected.append(text)
            elif text and text.casefold() not in seen and count < MAX_CLAIMS:
                seen.add(text.casefold())
                statements.append(statement)
                count += 1
        if statements:
            heading = " ".join(section.heading.split())[:200] or "Findings"
            parts.append(SectionDraft(heading, (StatementParagraph(tuple(statements)),)))
    gaps = [" ".join(gap.split())[:400] for gap in answer.gaps[:MAX_GAPS]]
    return AdmittedSynthesis(tuple(parts), tuple(filter(None, gaps)), tuple(filter(None, rejected)))


def _statement(text: str, numbers: Sequence[int], rows: Sequence[SourcedStudy]) -> StatementDraft | None:
    named = [rows[number - 1] for number in dict.fromkeys(numbers) if 1 <= number <= len(rows)]
    places = tuple(place for row in named if (place := row.place))
    return StatementDraft(text, places, studies=len(places)) if places else None
