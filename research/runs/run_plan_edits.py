"""Edits of a plan by a person; each returns a new plan. Pure functions; `research.runs.run_plan_versions` stores it.

The outline follows the subtopics: a subtopic's section is renamed, moved and removed with it.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from research.models.schemas import Plan, PlannedSection, Subtopic

MAX_STEPS = 30


class PlanEditRefused(ValueError):
    """The edit is impossible; str(error) tells the user why."""


def with_goal(plan: Plan, goal: str) -> Plan:
    return plan.model_copy(update={"goal": goal})


def with_step(plan: Plan, step: Subtopic) -> Plan:
    """Return the plan with another step at its end. Raises PlanEditRefused."""
    if len(plan.subtopics) >= MAX_STEPS:
        raise PlanEditRefused(_("A plan has at most %d steps.") % MAX_STEPS)
    _check_name(plan.subtopics, step.name)
    sections = [PlannedSection(heading=step.name, subtopic=step.name)] if plan.outline else []
    return _replace_parts(plan, [*plan.subtopics, step], [*plan.outline, *sections])


def with_changed_step(plan: Plan, index: int, step: Subtopic) -> Plan:
    """Return the plan with one step replaced. Raises PlanEditRefused."""
    was = _step(plan, index)
    _check_name([subtopic for subtopic in plan.subtopics if subtopic is not was], step.name)
    steps = [step if subtopic is was else subtopic for subtopic in plan.subtopics]
    return _replace_parts(
        plan, steps, [_rename_subtopic(section, was.name, step.name) for section in plan.outline]
    )


def without_step(plan: Plan, index: int) -> Plan:
    """Return the plan without one step. Raises PlanEditRefused for the last one."""
    gone = _step(plan, index)
    if len(plan.subtopics) == 1:
        raise PlanEditRefused(_("A plan needs at least one step."))
    outline = [section for section in plan.outline if section.subtopic != gone.name]
    return _replace_parts(plan, [subtopic for subtopic in plan.subtopics if subtopic is not gone], outline)


def with_moved_step(plan: Plan, index: int, by: int) -> Plan:
    """Return the plan with one step moved up (`by` -1) or down (1). Raises PlanEditRefused at the end of the list."""
    step, to = _step(plan, index), index + by
    if not 0 <= to < len(plan.subtopics):
        raise PlanEditRefused(_("The step is already at the end."))
    steps = [subtopic for subtopic in plan.subtopics if subtopic is not step]
    steps.insert(to, step)
    return _replace_parts(plan, steps, _sort_outline(plan.outline, [subtopic.name for subtopic in steps]))


def with_steps(plan: Plan, steps: Sequence[Subtopic]) -> Plan:
    """Return the plan with these steps in place of its own, matched by name. Raises PlanEditRefused."""
    if not 1 <= len(steps) <= MAX_STEPS:
        raise PlanEditRefused(_("A plan has between 1 and %d steps.") % MAX_STEPS)
    for place, step in enumerate(steps):
        _check_name(steps[:place], step.name)
    names = [step.name for step in steps]
    gone = {step.name for step in plan.subtopics} - set(names)
    kept = [section for section in plan.outline if section.subtopic not in gone]
    known = {section.subtopic for section in kept}
    new = [PlannedSection(heading=name, subtopic=name) for name in names if name not in known]
    outline = _sort_outline([*kept, *new], names) if plan.outline else []
    return _replace_parts(plan, list(steps), outline)


def _step(plan: Plan, index: int) -> Subtopic:
    if not 0 <= index < len(plan.subtopics):
        raise PlanEditRefused(_("The plan no longer has this step."))
    return plan.subtopics[index]


def _check_name(others: Sequence[Subtopic], name: str) -> None:
    """Raise PlanEditRefused if the name is not valid or not unique: sources belong to a step by its name."""
    if name.casefold() in {other.name.casefold() for other in others}:
        raise PlanEditRefused(_("Another step already has this name."))


def _rename_subtopic(section: PlannedSection, was: str, name: str) -> PlannedSection:
    if section.subtopic != was:
        return section
    heading = name if section.heading == was else section.heading
    return section.model_copy(update={"subtopic": name, "heading": heading})


def _sort_outline(outline: Sequence[PlannedSection], names: Sequence[str]) -> list[PlannedSection]:
    """Sort sections into the order of their steps; others, such as an introduction, keep their places."""
    bound = sorted(
        (section for section in outline if section.subtopic in names),
        key=lambda section: names.index(section.subtopic),
    )
    rest = iter(bound)
    return [next(rest) if section.subtopic in names else section for section in outline]


def _replace_parts(plan: Plan, steps: list[Subtopic], outline: list[PlannedSection]) -> Plan:
    return plan.model_copy(
        update={"subtopics": steps, "outline": outline, "estimated_sources": _sources_of(plan, steps)}
    )


def _sources_of(plan: Plan, steps: Sequence[Subtopic]) -> int:
    """Return the number of sources that the steps need, minus the number that the plan counts as shared.

    Sources for the whole question answer its parts as well.
    """
    wanted, before = (sum(step.target_sources for step in some) for some in (steps, plan.subtopics))
    shared = max(0, before - plan.estimated_sources) if plan.estimated_sources else 0
    return max(wanted - shared, max((step.target_sources for step in steps), default=0))
