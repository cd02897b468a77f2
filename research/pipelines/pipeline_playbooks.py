"""The playbook of a schedule: instructions for each of its runs, one per line.

A report receives them when it starts, and follows them like any other. Runs of other kinds take no instructions while
they run: their sources are limited before they start.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add

from django.utils.translation import gettext as _

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.engine.pipeline_registry import Json
from research.models import Kind
from research.pipelines.pipeline_kinds import AnyKind
from research.pipelines.report.instructions.apply_report_instruction import exclude_sites
from research.pipelines.report.instructions.read_report_instruction_by_rules import Wishes, read_wishes
from research.pipelines.report.report_config import ConfigError, validate_values
from research.pipelines.report.send_report_instruction import (
    MAX_QUEUED,
    InstructionRefused,
    validate_instruction,
)


def split_playbook(playbook: str) -> list[str]:
    """Return the instructions, one per line. Raises InstructionRefused for an invalid one, or too many."""
    lines = [validate_instruction(line) for line in playbook.splitlines() if line.strip()]
    if len(lines) > MAX_QUEUED:
        message = _("A playbook has at most %(most)d instructions; these are %(count)d.")
        raise InstructionRefused(message % {"most": MAX_QUEUED, "count": len(lines)})
    return lines


def has_playbook(kind: AnyKind) -> bool:
    """Return True for kinds whose runs choose their sources."""
    return issubclass(kind.config, SourceSettings)


def apply_playbook(kind: AnyKind, config: Mapping[str, Json], playbook: str) -> dict[str, Json]:
    """Return the configuration of a run that follows the playbook.

    The configuration of a report is unchanged, since reports receive instructions.

    Raises InstructionRefused for what runs of the kind cannot follow.
    """
    lines = split_playbook(playbook)
    if not lines or kind.kind == Kind.REPORT:
        return dict(config)
    if not has_playbook(kind):
        raise InstructionRefused(_("Runs of this kind choose no sources: leave the playbook empty."))
    update = _read_settings(kind, config, lines)
    try:
        validate_values(kind.config, {**config, **update})
    except ConfigError as error:
        raise InstructionRefused(_("That can’t be set: %(why)s.") % {"why": error}) from error
    return {**config, **update}


def _read_settings(kind: AnyKind, config: Mapping[str, Json], lines: Sequence[str]) -> dict[str, Json]:
    wishes = reduce(add, (read_wishes(line, 0) for line in lines), Wishes())
    if wishes.topics or wishes.sources is not None or wishes.unclear:
        raise InstructionRefused(
            _(
                "Only reports can look for something more. The playbook of other runs leaves out sites and keeps to"
                " dates: “not example.org”, “nothing before 2024”."
            )
        )
    now = validate_values(kind.config, config)
    days = {"published_from": wishes.published_from, "published_to": wishes.published_to}
    update: dict[str, Json] = {name: day for name, day in days.items() if day}
    if wishes.excluded and isinstance(now, SourceSettings):
        update |= exclude_sites(wishes.excluded, now)
    return update
