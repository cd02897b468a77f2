"""The admin of all tables. Django imports this package when it looks for admins."""

from research.admin import (  # noqa: F401 - imported to register the admins
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
