"""Start a report, for any caller."""

from collections.abc import Mapping
from typing import TypeVar

from django.contrib.auth.models import User
from pydantic import BaseModel, ConfigDict

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.library.library_scope import FolderUnusable, folder_keys
from research.models import Kind, Run
from research.pipelines.pipeline_kinds import RunKind, Topic
from research.pipelines.report.report_config import ConfigError, ReportConfig, SettingProblem, parse_config
from research.pipelines.report.report_required_sources import why_not_read
from research.runs.start_and_cancel import start_run

AnyAllowed = TypeVar("AnyAllowed", bound=SourceSettings)


class ReportInput(BaseModel):
    """The input of a report."""

    model_config = ConfigDict(extra="forbid")

    question: Topic


def start_report(
    *, owner: User, asked: ReportInput, config: Mapping[str, object], client_key: str | None = None
) -> Run:
    """Start a report. Raises ConfigError, InvalidTopic and StartRefused."""
    checked = with_sources_checked(parse_config(config))
    return start_run(
        owner=owner,
        kind=Kind.REPORT,
        topic=asked.question,
        config=checked.model_dump(mode="json", exclude_defaults=True),
        client_key=client_key,
    )


def with_sources_checked(config: AnyAllowed) -> AnyAllowed:
    """Return the configuration with its folders by their keys, whether they were named by key or by name.

    Raises ConfigError that names a folder that can't be searched, or every page that is not available.
    """
    try:
        folders = folder_keys(config.folders) if config.uses_library else config.folders
    except FolderUnusable as unusable:
        raise ConfigError(str(unusable), [SettingProblem("folders", str(unusable))]) from unusable
    faults = [fault for url in config.must_read if (fault := why_not_read(url, config.sources))]
    if faults:
        raise ConfigError(" ".join(faults), [SettingProblem("urls", fault) for fault in faults])
    return config if folders == config.folders else config.model_copy(update={"folders": folders})


KIND = RunKind(
    kind=Kind.REPORT,
    config=ReportConfig,
    input=ReportInput,
    start=start_report,
    question_field="question",
)
