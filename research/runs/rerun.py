"""The same question again, with searches of its own."""

from collections.abc import Mapping

from django.contrib.auth.models import User

from research.engine.pipeline_registry import Json
from research.models import Kind, Relation, Run
from research.runs.start_and_cancel import GIVEN, start_run

LIBRARY = "library"


def rerun(parent: Run, owner: User, client_key: str | None = None) -> Run:
    """Ask a run's question again, as it was configured. What changed is shown when the new run has ended.

    The same `client_key` again gives the run of the first time. Raises what `start_run` raises.
    """
    return start_run(
        owner=owner,
        kind=parent.kind,
        topic=parent.topic,
        config=anew(parent.config, parent.kind),
        client_key=client_key,
        parent=parent,
        relation=Relation.RERUN,
    )


def anew(config: Mapping[str, Json], kind: str = Kind.REPORT) -> dict[str, Json]:
    """The configuration, with pages fetched again where it draws on the web: what was saved would change nothing."""
    is_at_hand = config.get("sources") == LIBRARY or kind in GIVEN or kind == Kind.TABLE
    return {**config} if is_at_hand else {**config, "fresh_pages": True}
