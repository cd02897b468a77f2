"""Runs the same question again, with new searches."""

from collections.abc import Mapping

from django.contrib.auth.models import User

from research.engine.pipeline_registry import Json
from research.models import Kind, Relation, Run
from research.runs.start_and_cancel import GIVEN, start_run

LIBRARY = "library"


def rerun(parent: Run, owner: User, client_key: str | None = None) -> Run:
    """Start a run of the same question and configuration. The page shows the changes when the new run has ended.

    The same `client_key` again returns the same run. Raises what `start_run` raises.
    """
    return start_run(
        owner=owner,
        kind=parent.kind,
        topic=parent.topic,
        config=configure_rerun(parent.config, parent.kind),
        client_key=client_key,
        parent=parent,
        relation=Relation.RERUN,
    )


def configure_rerun(config: Mapping[str, Json], kind: str = Kind.REPORT) -> dict[str, Json]:
    """Return the configuration with web pages fetched again, if it uses the web: saved copies would show no change."""
    is_at_hand = config.get("sources") == LIBRARY or kind in GIVEN or kind == Kind.TABLE
    return {**config} if is_at_hand else {**config, "fresh_pages": True}
