"""The admin of every table. Django imports this package when it looks for admins."""

from research.admin import (  # noqa: F401 - imported for what they register
    agents,
    claims,
    decks,
    files,
    labels,
    model_calls,
    operations,
    people,
    registrations,
    spending,
    webhooks,
)
