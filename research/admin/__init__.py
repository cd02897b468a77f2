"""The admin of all tables. Django imports this package when it looks for admins."""

from research.admin import (  # noqa: F401 - imported to register the admins
    admin_labels,
    agents_admin,
    claims_admin,
    decks_admin,
    files_admin,
    model_calls_admin,
    operations_admin,
    people_admin,
    register_admins,
    spending_admin,
    webhooks_admin,
)
