"""Start or cancel a toy run in a process of its own, which stands for the web and may be told to die.

Usage: python -m tests.crash.starter start TENANT | cancel TENANT RUN
"""

import sys
from uuid import UUID

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402 - Django must be set up first

import tests.lifecycle.toy  # noqa: E402,F401 - registers the recipe
from research.runs import cancel_run, start_run  # noqa: E402
from research.tenancy import tenant_context  # noqa: E402

act, tenant, *rest = sys.argv[1:]
with tenant_context(UUID(tenant)):
    if act == "cancel":
        cancel_run(UUID(rest[0]))
    else:
        start_run(
            owner=User.objects.get(),
            kind="technical",
            topic="How many words?",
            config={"width": 4},
            client_key=rest[0],
        )
