"""Plan again by rules: thin subtopics are asked in other words; names in the question that were not searched for, and
the owner's wishes, become subtopics. What was planned stays.
"""

from collections.abc import Iterator

from citations.credibility.credibility_evidence_gaps import unsought
from research.engine.pipeline_registry import StepResult, StepWork
from research.extractive.question.parsed_question import analyse
from research.models.schemas import Plan, PlannedSection, Subtopic
from research.pipelines.report.collecting.further_report_searches import MAX_ROUNDS
from research.pipelines.report.collecting.reword_report_queries import broader, further_query
from research.pipelines.report.replanning.report_replanning_prompt import ReplanPromptInput, load_replan_input
from research.pipelines.report.replanning.store_new_report_plan import build_replan_result

MAX_SUBTOPICS = 10  # more would ask the owner first
NEW_QUERIES = 2  # for each subtopic that is thin
TARGET, WORDS = 3, 150  # sources and words for a new subtopic
MAX_NAME, MAX_QUERY_LENGTH = 150, 300  # characters


def replan(work: StepWork) -> StepResult:
    told = load_replan_input(work)
    return build_replan_result(work, told, widen_plan(told))


def widen_plan(prompt_input: ReplanPromptInput) -> Plan:
    """Return the widened plan; the same one if nothing else is left to look for. Pure."""
    thin = {thin_subtopic.name for thin_subtopic in prompt_input.thin}
    kept = [
        _add_reworded_queries(subtopic, prompt_input) if subtopic.name in thin else subtopic
        for subtopic in prompt_input.plan.subtopics
    ]
    room = max(0, MAX_SUBTOPICS - len(kept))
    new = list(_new_subtopics(prompt_input))[:room]
    return prompt_input.plan.model_copy(
        update={
            "clarification_questions": [],  # answered, by this instruction or by going on
            "subtopics": [*kept, *new],
            "outline": [*prompt_input.plan.outline, *(_section(new_subtopic) for new_subtopic in new)],
            "estimated_sources": prompt_input.plan.estimated_sources
            + sum(new_subtopic.target_sources for new_subtopic in new),
        }
    )


def _add_reworded_queries(subtopic: Subtopic, prompt_input: ReplanPromptInput) -> Subtopic:
    """Return the subtopic with queries that were not asked yet."""
    known = prompt_input.asked | {query.casefold() for query in subtopic.queries}
    others = dict.fromkeys(
        query for query in _other_words(subtopic, prompt_input) if query.casefold() not in known
    )
    return subtopic.model_copy(update={"queries": [*subtopic.queries, *list(others)[:NEW_QUERIES]]})


def _other_words(subtopic: Subtopic, prompt_input: ReplanPromptInput) -> Iterator[str]:
    titles = prompt_input.titles.get(subtopic.name) or [
        title for group in prompt_input.titles.values() for title in group
    ]
    for query in subtopic.queries:
        yield from filter(None, [broader(query)])
        for number in range(1, MAX_ROUNDS + 2):  # the wordings of further rounds were asked already
            yield from filter(None, [further_query(query, titles, number)])
    yield from filter(None, [broader(f"{subtopic.name} {subtopic.description}")])


def _new_subtopics(prompt_input: ReplanPromptInput) -> Iterator[Subtopic]:
    names = {subtopic.name.casefold() for subtopic in prompt_input.plan.subtopics}
    looked_for = [query for subtopic in prompt_input.plan.subtopics for query in subtopic.queries]
    about = analyse(prompt_input.topic).matter
    wishes = (
        [(prompt_input.cause.note, "What the person who asked wants looked for.")]
        if prompt_input.cause.note
        else []
    )
    named = [(name, f"What is said about {name}.") for name in unsought(prompt_input.topic, looked_for)]
    for text, description in (*wishes, *named):
        name = " ".join(text.split())[:MAX_NAME].strip()
        if name and name.casefold() not in names:
            names.add(name.casefold())
            queries = [name, f"{name} {about}"[:MAX_QUERY_LENGTH].strip()]
            yield Subtopic(
                name=name,
                description=description,
                queries=list(dict.fromkeys(queries)),
                target_sources=TARGET,
            )


def _section(subtopic: Subtopic) -> PlannedSection:
    return PlannedSection(heading=subtopic.name, subtopic=subtopic.name, target_words=WORDS)
