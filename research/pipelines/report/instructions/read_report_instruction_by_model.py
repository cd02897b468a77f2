"""Read an instruction with a model. Its answer is limited to what rules would accept: no more can happen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from research.agents.tools.evidence.agent_named_sources import parse_site
from research.models import AgentRole
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion
from research.pipelines.common.report_model_answers import InstructionAnswer
from research.pipelines.report.instructions.read_report_instruction_by_rules import Topic, Wishes, topic_name
from research.pipelines.report.instructions.report_publication_days import Range, parse_range

MAX_TOKENS = 800
MAX_TOPICS, MAX_SITES, MAX_QUERIES = 5, 20, 3
MAX_QUERY_LENGTH, MAX_PART_LENGTH = 200, 300  # characters


@dataclass(frozen=True, slots=True)
class InstructionPromptInput:
    """The input of the planner's prompt besides the instruction."""

    question: str
    subtopics: tuple[str, ...]
    sources: int
    from_date: str
    to_date: str


def question_for(instruction: str, told: InstructionPromptInput) -> ModelQuestion[InstructionAnswer]:
    """Return the question to the model.

    The owner's words are quoted in the prompt, within marks that they can't close.
    """
    values: Mapping[str, object] = {
        "question": told.question,
        "subtopics": list(told.subtopics),
        "sources": told.sources,
        "from_date": told.from_date,
        "to_date": told.to_date,
        "instruction": instruction.replace("<", "‹").replace(">", "›"),
    }
    return ModelQuestion(AgentRole.PLANNER, "planner/instruction", values, InstructionAnswer, MAX_TOKENS)


def wishes_of(answer: InstructionAnswer, wanted_now: int) -> Wishes:
    """Return the wishes within our limits. Invalid sites and days are reported as unclear."""
    sites, strange = _sites(answer.excluded_sites[:MAX_SITES])
    days = parse_range(answer.published_from.strip(), answer.published_to.strip())
    both_days = f"{answer.published_from} – {answer.published_to}"
    parts = [*answer.not_possible, *strange, *([] if days else [both_days])]
    return Wishes(
        tuple(_topics(answer)),
        sites,
        answer.sources if answer.sources > 0 and answer.sources != wanted_now else None,
        (days or Range()).first,
        (days or Range()).last,
        tuple(part for phrase in parts[:MAX_SITES] if (part := " ".join(phrase.split())[:MAX_PART_LENGTH])),
    )


def _topics(answer: InstructionAnswer) -> Iterator[Topic]:
    for topic in answer.topics[:MAX_TOPICS]:
        queries = (" ".join(query.split())[:MAX_QUERY_LENGTH] for query in topic.queries[:MAX_QUERIES])
        if name := topic_name(" ".join(topic.name.split())):
            yield Topic(name, topic.is_section, tuple(query for query in queries if query))


def _sites(given: list[str]) -> tuple[tuple[str, ...], list[str]]:
    sites: list[str] = []
    strange: list[str] = []
    for site in given:
        try:
            sites.append(parse_site(site.strip()))
        except ValueError:
            strange.append(site)
    return tuple(dict.fromkeys(sites)), strange
