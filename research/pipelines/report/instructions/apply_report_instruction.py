"""Apply an instruction to a run's plan and configuration, and describe the change. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.engine.pipeline_registry import Json
from research.models.schemas import Plan, PlannedSection, Subtopic
from research.pipelines.report.collecting.reword_report_queries import broader
from research.pipelines.report.instructions.read_report_instruction_by_rules import Topic, Wishes
from research.pipelines.report.report_config import ConfigError, ReportConfig, parse_config

MAX_SUBTOPICS = 12  # in a plan with the requested ones
MAX_QUERIES, MAX_QUERY_LENGTH = 3, 300
SOURCES_OF_A_TOPIC = 3  # at least, unless the run wants fewer
SECTION_WORDS = 150


@dataclass(frozen=True, slots=True)
class InstructionEffect:
    """The effect. `config` holds the changed settings; `searched` are the new subtopics."""

    config: Mapping[str, Json] = field(default_factory=dict)
    plan: Plan | None = None  # None: as it was
    searched: tuple[Subtopic, ...] = ()
    sentences: tuple[str, ...] = ()  # the effects in words
    refusals: tuple[str, ...] = ()  # what can't be done


def change_for(wishes: Wishes, config: Mapping[str, Json], plan: Plan, topic: str) -> InstructionEffect:
    """Return the effect of the wishes.

    `topic` is the run's question. A wish that is already fulfilled is reported, and changes nothing.
    """
    settings, of_settings, refused = _settings(wishes, config)
    wanted = int(ReportConfig.model_validate({**config, **settings}).target_sources)
    new_plan, searched, of_plan, too_many = _add_topics_to_plan(wishes.topics, plan, topic, wanted)
    return InstructionEffect(
        settings,
        new_plan if new_plan != plan else None,
        searched,
        (*of_plan, *of_settings),
        (*too_many, *refused, *map(_unclear, wishes.unclear)),
    )


def _unclear(part: str) -> str:
    return _(
        "“%(part)s” could not be understood. A run under way can look for something more, leave out a site, have a"
        " section on something, read more or fewer sources, or keep to a range of dates."
    ) % {"part": part}


# --- settings ----------------------------------------------------------------------------------


def _settings(wishes: Wishes, config: Mapping[str, Json]) -> tuple[dict[str, Json], list[str], list[str]]:
    """Return the changed settings, the changes in words, and what can't be set. Each kind is tried separately."""
    now = ReportConfig.model_validate(config)
    settings: dict[str, Json] = {}
    said: list[str] = []
    refused: list[str] = []
    for update, words in _updates(wishes, now):
        try:
            parse_config({**config, **settings, **update})
        except ConfigError as error:
            refused.append(_("That can’t be set: %(why)s.") % {"why": error})
        else:
            settings |= update
            said.append(words)
    return settings, said, refused


def _updates(wishes: Wishes, now: ReportConfig) -> Iterator[tuple[dict[str, Json], str]]:
    if new := [site for site in wishes.excluded if site not in now.excluded_domains]:
        yield (
            exclude_sites(new, now),
            _("Nothing of %(sites)s is read or cited from now on.") % {"sites": ", ".join(new)},
        )
    if wishes.sources is not None and wishes.sources != now.target_sources:
        words = ngettext(
            "%(new)d source is wanted now, not %(old)d.",
            "%(new)d sources are wanted now, not %(old)d.",
            wishes.sources,
        )
        yield {"target_sources": wishes.sources}, words % {"new": wishes.sources, "old": now.target_sources}
    days = {"published_from": wishes.published_from, "published_to": wishes.published_to}
    if update := {name: day for name, day in days.items() if day and day != getattr(now, name)}:
        yield dict(update), _only(now.model_copy(update=update))


def exclude_sites(sites: Sequence[str], now: SourceSettings) -> dict[str, Json]:
    """Return the settings without the sites.

    Must-read pages of them are dropped too, since this is the later instruction.
    """
    left_out = SourceSettings(excluded_domains=list(sites))
    return {
        "excluded_domains": [*now.excluded_domains, *sites],
        "priority_domains": [domain for domain in now.priority_domains if domain not in sites],
        "urls": [url for url in now.urls if not left_out.site_refusal(url)],
    }


def _only(config: ReportConfig) -> str:
    first, last = config.published_from, config.published_to
    if first and last:
        return _("Only what was published from %(first)s to %(last)s counts from now on.") % {
            "first": first,
            "last": last,
        }
    if first:
        return _("Only what was published from %(first)s on counts from now on.") % {"first": first}
    return _("Only what was published until %(last)s counts from now on.") % {"last": last}


# --- the plan ----------------------------------------------------------------------------------


def _add_topics_to_plan(
    topics: Iterable[Topic], plan: Plan, question: str, wanted: int
) -> tuple[Plan, tuple[Subtopic, ...], list[str], list[str]]:
    """Return the plan with new subtopics and sections, the subtopics, and descriptions of both and of the rest."""
    searched: list[Subtopic] = []
    said: list[str] = []
    refused: list[str] = []
    for topic in topics:
        known = _find(plan, topic.name)
        if known is None and len(plan.subtopics) >= MAX_SUBTOPICS:
            refused.append(_("The plan is full: “%(name)s” finds no room in it.") % {"name": topic.name})
            continue
        if known is None:
            known = _subtopic(topic, question, wanted)
            plan = plan.model_copy(update={"subtopics": [*plan.subtopics, known]})
            searched.append(known)
        plan = _with_section(plan, topic, known)
        said.append(_describe_topic(topic, is_new=known in searched))
    return plan, tuple(searched), said, refused


def _find(plan: Plan, name: str) -> Subtopic | None:
    return next(
        (subtopic for subtopic in plan.subtopics if subtopic.name.casefold() == name.casefold()), None
    )


def _subtopic(topic: Topic, question: str, wanted: int) -> Subtopic:
    queries = [*topic.queries, *_queries(topic.name, question)]
    return Subtopic(
        name=topic.name,
        description=_("Asked for while the run was under way."),
        queries=list(dict.fromkeys(query[:MAX_QUERY_LENGTH] for query in queries))[:MAX_QUERIES],
        target_sources=max(1, min(SOURCES_OF_A_TOPIC, wanted)),
        is_asked=True,
    )


def _queries(name: str, question: str) -> list[str]:
    """Return queries from the topic's words and those that the question is about."""
    about = broader(question)
    return [f"{name} {about}" if about else name]


def _with_section(plan: Plan, topic: Topic, subtopic: Subtopic) -> Plan:
    """Return the plan with a place for the subtopic in its outline; a requested section is marked as such."""
    there = [planned for planned in plan.outline if planned.subtopic == subtopic.name]
    if there and (there[0].is_asked or not topic.is_section):
        return plan
    section = PlannedSection(
        heading=there[0].heading if there else topic.name,
        subtopic=subtopic.name,
        target_words=SECTION_WORDS,
        is_asked=topic.is_section,
    )
    outline = (
        [section if planned in there[:1] else planned for planned in plan.outline]
        if there
        else [*plan.outline, section]
    )
    return plan.model_copy(update={"outline": outline})


def _describe_topic(topic: Topic, *, is_new: bool) -> str:
    name = {"name": topic.name}
    if topic.is_section:
        return _("There will be a section on “%(name)s”, if the sources speak of it.") % name
    if is_new:
        return _("“%(name)s” is looked for too.") % name
    return _("“%(name)s” is in the plan already.") % name
