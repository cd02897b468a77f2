"""Store the new plan as the run's; sources found for the old one count for the new."""

from collections.abc import Mapping

from research.engine.pipeline_registry import JsonObject, StepResult, StepWork
from research.models import Run, Source
from research.models.schemas import Plan
from research.pipelines.report.replanning.report_replanning_prompt import ReplanPromptInput
from research.runs.run_plan_diff import PlanDifference, difference
from research.runs.run_plan_versions import keep_version


def build_replan_result(work: StepWork, prompt_input: ReplanPromptInput, plan: Plan) -> StepResult:
    """Return the result of replanning. Without a difference there is no new version, and no further search."""
    change = difference(prompt_input.plan, plan)
    moved = map_moved_subtopics(change)
    plan = plan.model_copy(update={"division": prompt_input.plan.division})

    def save() -> None:
        if change.is_empty and plan.clarification_questions == prompt_input.plan.clarification_questions:
            return
        run = Run.objects.get(pk=work.run_id)
        keep_version(run, plan, prompt_input.cause.trigger, prompt_input.reason)
        for old, new in moved.items():
            Source.objects.filter(run=run, subtopic=old).update(subtopic=new)

    output: JsonObject = {
        "trigger": prompt_input.cause.trigger.value,
        "subtopics": [subtopic.name for subtopic in plan.subtopics],
        "added": [added_subtopic.name for added_subtopic in change.subtopics.added],
        "removed": [removed_subtopic.name for removed_subtopic in change.subtopics.removed],
        "queries": list(change.added_queries),
        "changed": not change.is_empty,
    }
    return StepResult(output, save=save, activity="Planning the search again")


def map_moved_subtopics(change: PlanDifference) -> Mapping[str, str]:
    """Return, by old subtopic, the one that its sources count for now: its new name, or "" if it is gone."""
    renamed = {
        edit.before.name: edit.after.name for edit in change.subtopics.changed if "name" in edit.fields
    }
    return {**{subtopic.name: "" for subtopic in change.subtopics.removed}, **renamed}
