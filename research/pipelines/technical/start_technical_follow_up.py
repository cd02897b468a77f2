"""Start one of the follow-up questions of a technical answer as a separate run linked to it."""

from hashlib import sha256

from django.contrib.auth.models import User

from research.models import Run
from research.pipelines.technical.answer.technical_answer import StoredFollowUp
from research.pipelines.technical.start_technical import TechnicalInput, start_technical
from research.pipelines.technical.technical_config import flat

# Settings that apply only to the first question.
NOT_INHERITED = frozenset({"request_id", "problem", "type", "urls", "dois", "documents", "target_sources"})


def start_follow_up(parent: Run, owner: User, asked: StoredFollowUp, client_key: str | None = None) -> Run:
    """Start a follow-up with the parent's settings and the question's type. A repeated request returns the same run.

    Raises ConfigError, InvalidTopic and StartRefused.
    """
    given = {name: value for name, value in flat(parent.config).items() if name not in NOT_INHERITED}
    return start_technical(
        owner=owner,
        asked=TechnicalInput.model_construct(question=asked.question),
        config={**given, "type": asked.type},
        client_key=client_key or f"follow:{parent.pk}:{asked.type}:{hash_of(asked.question)}",
        parent=parent,
    )


def hash_of(question: str) -> str:
    """Return a hash of the question that is short enough for a key."""
    return sha256(question.encode()).hexdigest()[:16]
