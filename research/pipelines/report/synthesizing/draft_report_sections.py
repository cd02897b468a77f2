"""The steps that write a report's sections: a step for each, by a model or by rules."""

from collections.abc import Collection, Iterator

from research.engine.pipeline_registry import StepDraft
from research.llm.budgets.budget_degradations import DegradationCode, sections_kept
from research.models import AgentRole, Run
from research.pipelines.common.choose_rules_or_model import Engine, engine_of
from research.pipelines.report.analyzing.assess_report_draft import present_both
from research.pipelines.report.degrading.rewrite_report_by_rules import strict_sections
from research.pipelines.report.degrading.save_report_tokens import give_up
from research.pipelines.report.report_outline import read_outline
from research.pipelines.report.report_step_names import ReportStepName
from research.pipelines.report.synthesizing.report_section_claims import faulty_sections


def draft_sections(run: Run, also: Collection[int] = ()) -> Iterator[StepDraft]:
    """Yield a step for each section; in a revision only for those with a fault, and `also` these.

    If tokens run short, rules arrange the last ones; they always arrange tables and steps.

    Rules rewrite a section that says what no source does, in the sources' own sentences.
    """
    present_both(run)
    outline = read_outline(run.outline)
    total = len(outline)
    strict = strict_sections(run) if run.revision_count else frozenset()
    by_model = total if engine_of(run) is Engine.MODEL else 0
    if by_model and give_up(run, DegradationCode.FEWER_SECTIONS):
        by_model = sections_kept(total)
    for index in sorted(strict.union(faulty_sections(run), also)) if run.revision_count else range(total):
        is_strict = index in strict
        is_by_model = index < by_model and not is_strict and outline[index].is_prose
        handler = ReportStepName.WRITE_BY_MODEL if is_by_model else ReportStepName.WRITE_BY_RULES
        given = {"section": index, **({"strict": True} if is_strict else {})}
        yield StepDraft(f"section.{index}", handler, AgentRole.WRITER, input=given)
