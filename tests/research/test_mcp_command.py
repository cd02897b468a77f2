"""The server of tools on standard input and output, as a command."""

import threading
from uuid import uuid4

import pytest
from django.db import connection, connections

from research.management.commands import mcp


@pytest.mark.django_db(transaction=True)
def test_a_run_that_was_worked_on_beside_the_conversation_leaves_no_connection(monkeypatch):
    used = []

    def drive(*_run):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        used.append(connections["default"])

    monkeypatch.setattr(mcp, "drive", drive)
    run_id = uuid4()
    mcp._work_on(uuid4(), run_id)
    for thread in threading.enumerate():
        if thread.name == f"run-{run_id}":
            thread.join(10)
    assert used[0].connection is None
