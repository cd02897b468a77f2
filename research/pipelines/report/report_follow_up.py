"""Continue a run that has ended: ask its sources another question, or the same one with more sources.

Both are separate runs, paid and estimated as any. What the parent read is taken over without being fetched or read
again (pipelines/report/collecting/collect_from_parent_run.py). Inside the caller's `tenant_context`.
"""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.engine.pipeline_registry import Json
from research.llm.budgets.budget_limits import most
from research.models import Kind, Relation, Run, Source, SourceStatus
from research.pipelines.report.report_config import ConfigError, parse_config
from research.runs.run_estimate import target_sources
from research.runs.start_and_cancel import StartRefused, start_run

# The parent already tried its required sources, and a wish to review its plan does not extend to follow-ups.
OF_ONE_QUESTION = frozenset({"urls", "dois", "documents", "plan_approval"})
NOT_OF_THIS_KIND = gettext_lazy("A run of this kind can’t be followed up.")
MAX_MORE = 200  # sources of one extension


def start_follow_up(parent: Run, owner: User, topic: str, client_key: str | None = None) -> Run:
    """Ask another question of what the parent read; the search continues only if that does not answer it.

    For a table, the follow-up is a report on the pages that its rows were taken from.

    Raises InvalidTopic and StartRefused.
    """
    _check(parent)
    if parent.kind not in (Kind.REPORT, Kind.TABLE):
        raise StartRefused(str(NOT_OF_THIS_KIND))
    config = {name: value for name, value in _inherit_config(parent).items() if name != "subtopics"}
    return _start(parent, owner, topic, config, Relation.FOLLOW_UP, client_key)


def extend(parent: Run, owner: User, more_sources: int, client_key: str | None = None) -> Run:
    """Ask the same question with `more_sources` more, keeping those of the parent. Raises StartRefused."""
    _check(parent)
    if parent.kind != Kind.REPORT:
        raise StartRefused(str(NOT_OF_THIS_KIND))
    if not 1 <= more_sources <= MAX_MORE:
        message = _("Between 1 and %(most)d more sources can be asked for.") % {"most": MAX_MORE}
        raise StartRefused(message)
    config: dict[str, Json] = {
        **_inherit_config(parent),
        "target_sources": _validate_target(parent, more_sources),
    }
    return _start(parent, owner, parent.topic, config, Relation.EXTENSION, client_key)


def sources_read(parent: Run) -> int:
    """Return the number of sources that a child takes over."""
    read = Source.objects.filter(run=parent, status=SourceStatus.PROCESSED)
    return read.exclude(library_document=None).count()


def _check(parent: Run) -> None:
    if not parent.is_finished:
        raise StartRefused(_("The run is still under way. Tell it what else you want, or wait for its end."))


def _validate_target(parent: Run, more_sources: int) -> int:
    """Return the target, counted from the sources that the parent read, not from those that it wanted."""
    target, limit = sources_read(parent) + more_sources, most("sources")
    if target > limit:
        room = max(0, limit - sources_read(parent))
        words = ngettext(
            "A run has at most %(limit)d sources: this one can get %(room)d more.",
            "A run has at most %(limit)d sources: this one can get %(room)d more.",
            room,
        )
        raise StartRefused(words % {"limit": limit, "room": room})
    return target


def _inherit_config(parent: Run) -> dict[str, Json]:
    """Return the settings that a follow-up inherits; from a table only where to look.

    The columns of a table say nothing about a report.
    """
    names = set(parent.config) if parent.kind == Kind.REPORT else set(SourceSettings.model_fields)
    return {name: value for name, value in parent.config.items() if name in names - OF_ONE_QUESTION}


def _start(
    parent: Run, owner: User, topic: str, config: dict[str, Json], relation: Relation, client_key: str | None
) -> Run:
    """Start the follow-up run with newly checked settings. Raises StartRefused.

    Settings that were valid once may not be any more, for example if a search service is gone.
    """
    try:
        checked = parse_config(config).model_dump(mode="json", exclude_defaults=True)
    except ConfigError as error:
        raise StartRefused(_("It can’t be started with these settings: %(why)s.") % {"why": error}) from error
    return start_run(
        owner=owner,
        kind=Kind.REPORT,
        topic=topic,
        config={**checked, "target_sources": target_sources(config)},
        client_key=client_key,
        parent=parent,
        relation=relation,
    )
