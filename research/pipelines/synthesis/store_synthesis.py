"""Store the sections of a synthesis, with the weaknesses of its studies; a text of the older form is kept unchanged."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.utils import timezone

from citations.claim_confidence import Conflict
from citations.credibility.evidence_concerns import Concern
from citations.models import Section, SectionStatus, WarningKind, WarningSeverity
from citations.models import Warning as WarningRow
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import JsonObject, StepResult, StepUsage, StepWork
from research.models import Run
from research.models.schemas import LeftOut, RunOutcome
from research.pipelines.common.write_pipeline_claims import (
    SectionDraft,
    StatementDraft,
    WrittenReport,
    statements_of,
    write_parts,
)
from research.pipelines.synthesis.admit_synthesis_claims import SynthesisAnswer, admit_claims
from research.pipelines.synthesis.gather_synthesis_studies import designs, rows_of, study_rows
from research.pipelines.synthesis.store_synthesis_evidence_table import TABLE_HEADING, to_stored_table
from research.pipelines.synthesis.synthesis_config import SynthesisConfig
from research.pipelines.synthesis.synthesis_finding_directions import is_of_doing_without
from research.pipelines.synthesis.synthesis_markdown import parts_of_text
from research.pipelines.synthesis.synthesis_result import Synthesis
from research.pipelines.synthesis.synthesis_study_columns import REPEATED
from research.pipelines.synthesis.synthesis_study_rows import DEFINITE, Direction, Study
from research.pipelines.synthesis.synthesis_study_weaknesses import (
    is_meta_analysis,
    is_randomized,
    weaknesses,
)
from research.pipelines.synthesis.write_synthesis_sections import SINGLE, SourcedStudy, sections_of

OLDER = "This text is of an older form: it names no studies, and nothing in it was checked."
LEFT_EMPTY = "It was left empty in the table."
JOINED = "It is about the same study as an earlier row, and was joined with it."
MERGED = "%(rows)d rows of the table are about %(studies)d studies."
MAX_COUNTED, MAX_HARMS = 3, 2  # statements at the top
MAX_SUMMARY = 4  # statements up to which findings of single studies are added
NO_STUDY = "It names no study that is there."


def write_by_rules(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        config = SynthesisConfig.model_validate(run.config)
        rows = rows_of(run, config)
    if config.text:
        return _older(run, config)
    by_rules = sections_of(rows)
    if not config.sections:
        return build_synthesis_result(work, run, config, rows, by_rules, Synthesis())
    admitted = admit_claims(_build_drafted_answer(config), rows)
    own = Synthesis(
        rejected=list(admitted.rejected), proposed_gaps=list(admitted.gaps), drafted=bool(admitted.parts)
    )
    parts = admitted.parts or by_rules
    return build_synthesis_result(work, run, config, rows, parts, own, instead=by_rules)


def _build_drafted_answer(config: SynthesisConfig) -> SynthesisAnswer:
    return SynthesisAnswer.model_validate(
        {"sections": [section.model_dump() for section in config.sections], "gaps": config.gaps}
    )


def build_synthesis_result(
    work: StepWork,
    run: Run,
    config: SynthesisConfig,
    rows: list[SourcedStudy],
    parts: Sequence[SectionDraft],
    own: Synthesis,
    usage: StepUsage | None = None,
    note: JsonObject | None = None,
    instead: Sequence[SectionDraft] = (),
) -> StepResult:
    """Return the result of a step that stores a synthesis, whoever drafted it.

    `own` holds the data that come from the draft. If none of its claims is kept, `instead` is written, and the draft's
    claims are reported as rejected.
    """
    today = timezone.now().date()
    with tenant_context(work.tenant_id):
        written = write_parts(work.run_id, parts, run.topic, today)
        if instead and not written.kept_results:
            refused_texts = [statement.text for statement, _reason in written.refused_statements]
            own = Synthesis(rejected=[*own.rejected, *refused_texts])
            written = write_parts(work.run_id, instead, run.topic, today)

    def save() -> None:
        written.store(run)
        _store(run, config, rows, written, own)

    output = {"claims": len(written.kept_results), "rejected": len(own.rejected), **(note or {})}
    return StepResult(output, save=save, usage=usage or StepUsage(), activity="Writing the synthesis")


def _store(
    run: Run, config: SynthesisConfig, rows: list[SourcedStudy], written: WrittenReport, own: Synthesis
) -> None:
    """Store the synthesis, inside the step's transaction."""
    claims: dict[str, list[int]] = defaultdict(list)
    for result in written.kept_results:
        for row in result.citations:
            claims[str(row.source_id)].append(result.claim.number or 0)
    table = study_rows(rows, claims)
    Section.objects.create(
        run=run,
        report_version=1,
        index=len(written.parts),
        heading=TABLE_HEADING,
        status=SectionStatus.CITED,
        body={"blocks": [{"type": "table", "sentences": [], "table": to_stored_table(table)}]},
    )
    outcome = RunOutcome.model_validate(Run.objects.values_list("result", flat=True).get(pk=run.pk))
    stored = own.model_copy(update={"studies": table, "counts": designs(config)})
    outcome.own = stored.model_dump(mode="json")
    stated = [result.statement for result in written.kept_results]
    counted = [statement.text for statement in stated if statement.computed]
    repeated = sum(note.endswith(REPEATED) for note in config.notes)
    merged = (
        [MERGED % {"rows": len(config.studies) + repeated, "studies": len(config.studies)}]
        if repeated
        else []
    )
    summary = [*counted[:MAX_COUNTED], *_find_lone_harms(stated, config.studies)[:MAX_HARMS]]
    alone = statements_of(part for part in written.parts if part.heading == SINGLE)
    others = [text for text in _rank_findings(alone, config.studies) if text not in summary]
    outcome.summary = [*merged, *summary, *others[: max(0, MAX_SUMMARY - len(summary))]]
    outcome.left_out = [
        *(LeftOut(text=statement.text, reason=reason) for statement, reason in written.refused_statements),
        *(LeftOut(text=claim_text, reason=NO_STUDY) for claim_text in own.rejected),
        *(
            LeftOut(text=note.removesuffix(f": {REPEATED}"), reason=JOINED)
            if note.endswith(REPEATED)
            else LeftOut(text=note, reason=LEFT_EMPTY)
            for note in config.notes
        ),
    ]
    sections = len(written.parts) + 1
    Run.objects.filter(pk=run.pk).update(
        result=outcome.model_dump(mode="json"), total_sections=sections, sections_completed=sections
    )
    _warn(run, weaknesses(config.studies), own.proposed_gaps)


def _find_lone_harms(statements: Iterable[StatementDraft], studies: Iterable[Study]) -> list[str]:
    """Return the findings of harm that no other study of the same outcome contradicts: they are told at the top."""
    harms = {
        study.finding
        for study in studies
        if study.direction is Direction.HARM and not is_of_doing_without(study.finding)
    }
    return [
        statement.text
        for statement in statements
        if not statement.computed and statement.text in harms and statement.conflict is Conflict.NONE
    ]


def _rank_findings(statements: Iterable[StatementDraft], studies: Iterable[Study]) -> list[str]:
    """Return the findings that point somewhere: those of the strongest designs and largest samples first."""
    texts = {statement.text for statement in statements}
    ranked = sorted(
        (study for study in studies if study.direction in DEFINITE and study.finding in texts),
        key=lambda study: (
            not is_meta_analysis(study.design),
            not is_randomized(study.design),
            study.preprint,
            -(study.sample_size or 0),
        ),
    )
    return [study.finding for study in ranked]


def _warn(run: Run, concerns: Sequence[Concern], proposed: Sequence[str]) -> None:
    WarningRow.objects.filter(run=run).delete()
    WarningRow.objects.bulk_create(
        WarningRow(
            run=run,
            code=concern.code,
            kind=concern.kind.value,
            severity=concern.severity.value,
            text=concern.text,
            advice=concern.advice,
        )
        for concern in concerns
    )
    WarningRow.objects.bulk_create(
        WarningRow(
            run=run,
            code="G049",
            kind=WarningKind.GAP,
            severity=WarningSeverity.LOW,
            text=text,
            computed=False,
        )
        for text in dict.fromkeys(proposed)
    )


def _older(run: Run, config: SynthesisConfig) -> StepResult:
    parts = parts_of_text(config.text)

    def save() -> None:
        Section.objects.filter(run=run).delete()
        Section.objects.bulk_create(
            Section(
                run=run,
                report_version=1,
                index=index,
                heading=heading,
                status=SectionStatus.CITED,
                body={"blocks": blocks},
            )
            for index, (heading, blocks) in enumerate(parts)
        )
        WarningRow.objects.filter(run=run).delete()
        WarningRow.objects.create(
            run=run, code="W045", kind=WarningKind.QUALITY, severity=WarningSeverity.HIGH, text=OLDER
        )
        Run.objects.filter(pk=run.pk).update(
            report_version=1, total_sections=len(parts), sections_completed=len(parts)
        )

    return StepResult({"sections": len(parts)}, save=save)
