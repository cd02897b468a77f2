"""Subtopics that the run was started with: each is searched for, and has its own section. Pure."""

from collections.abc import Sequence

from research.models.schemas import Plan, PlannedSection, Subtopic
from research.pipelines.report.analyzing.report_excluded_subjects import ExcludedSubjects
from research.pipelines.report.collecting.reword_report_queries import broader
from research.pipelines.report.report_config import ReportConfig

MAX_SUBTOPICS = 10  # more would ask the owner first
SOURCES, SECTION_WORDS = 3, 150
DESCRIPTION = "Asked for when the run was started."


def apply_wishes(plan: Plan, config: ReportConfig, question: str) -> Plan:
    """Return the plan with the requested subtopics, and without those on excluded subjects."""
    plan = ExcludedSubjects.of(config.excluded_subjects).without(plan)
    return with_own_subtopics(plan, config.subtopics, question, config.target_sources)


def with_own_subtopics(plan: Plan, names: Sequence[str], question: str, wanted: int) -> Plan:
    """Return the plan with these subtopics.

    They replace the planner's if there is no room for all, but never the question itself.
    """
    if not names:
        return plan
    own_names = {name.casefold() for name in names}
    first, *others = [
        subtopic
        for number, subtopic in enumerate(plan.subtopics)
        if not number or subtopic.name.casefold() not in own_names
    ]
    kept = [first, *others[: max(0, MAX_SUBTOPICS - 1 - len(names))]]
    own = [_subtopic(name, question, wanted) for name in names]
    there = {subtopic.name for subtopic in kept}
    outline = [section for section in plan.outline if (section.subtopic or section.heading) in there]
    sections = [
        PlannedSection(heading=name, subtopic=name, target_words=SECTION_WORDS, is_asked=True)
        for name in names
    ]
    return plan.model_copy(update={"subtopics": [*kept, *own], "outline": [*outline, *sections]})


def _subtopic(name: str, question: str, wanted: int) -> Subtopic:
    about = broader(question)
    return Subtopic(
        name=name,
        description=DESCRIPTION,
        queries=list(dict.fromkeys([f"{name} {about}".strip(), name])),
        target_sources=max(1, min(SOURCES, wanted)),
        is_asked=True,
    )
