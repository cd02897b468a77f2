"""Going on from a run that has ended: another question to its sources, or the same one with more of them.

Both are runs of their own, paid and estimated as any; what the parent has read is taken over without being fetched or
read again (pipelines/report/collecting/parent.py). Inside the caller's `tenant_context`.
"""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from research.agents.tools.evidence.allowed_sources import SourceSettings
from research.engine.pipeline_registry import Json
from research.llm.budgets.limits import most
from research.models import Kind, Relation, Run, Source, SourceStatus
from research.pipelines.report.config import ConfigError, parse_config
from research.runs.run_estimate import target_sources
from research.runs.start_and_cancel import StartRefused, start_run

# The parent had its try at what must be read; and whoever saw its plan first did not ask to see each that follows.
OF_ONE_QUESTION = frozenset({"urls", "dois", "documents", "plan_approval"})
NOT_OF_THIS_KIND = gettext_lazy("A run of this kind can’t be followed up.")
MOST_MORE = 200  # sources of one extension


def start_follow_up(parent: Run, owner: User, topic: str, client_key: str | None = None) -> Run:
    """Ask something else of what the parent has read; the search goes further only where that does not answer.

    Of a table it is a report on the pages that its rows were taken from.

    Raises InvalidTopic and StartRefused.
    """
    _check(parent)
    if parent.kind not in (Kind.REPORT, Kind.TABLE):
        raise StartRefused(str(NOT_OF_THIS_KIND))
    config = {name: value for name, value in _inherit_config(parent).items() if name != "subtopics"}
    return _start(parent, owner, topic, config, Relation.FOLLOW_UP, client_key)


def extend(parent: Run, owner: User, more_sources: int, client_key: str | None = None) -> Run:
    """The same question with `more_sources` more, those of the parent kept. Raises StartRefused."""
    _check(parent)
    if parent.kind != Kind.REPORT:
        raise StartRefused(str(NOT_OF_THIS_KIND))
    if not 1 <= more_sources <= MOST_MORE:
        message = _("Between 1 and %(most)d more sources can be asked for.") % {"most": MOST_MORE}
        raise StartRefused(message)
    config: dict[str, Json] = {
        **_inherit_config(parent),
        "target_sources": _validate_target(parent, more_sources),
    }
    return _start(parent, owner, parent.topic, config, Relation.EXTENSION, client_key)


def sources_read(parent: Run) -> int:
    """Those that a child takes over."""
    read = Source.objects.filter(run=parent, status=SourceStatus.PROCESSED)
    return read.exclude(library_document=None).count()


def _check(parent: Run) -> None:
    if not parent.is_finished:
        raise StartRefused(_("The run is still under way. Tell it what else you want, or wait for its end."))


def _validate_target(parent: Run, more_sources: int) -> int:
    """Counted from what it has read, not from what it had hoped for."""
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

    What a table asks of each item says nothing about a report.
    """
    names = set(parent.config) if parent.kind == Kind.REPORT else set(SourceSettings.model_fields)
    return {name: value for name, value in parent.config.items() if name in names - OF_ONE_QUESTION}


def _start(
    parent: Run, owner: User, topic: str, config: dict[str, Json], relation: Relation, client_key: str | None
) -> Run:
    """Start the follow-up run with newly checked settings. Raises StartRefused.

    What was possible once may not be any more, as where a search service is gone.
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
