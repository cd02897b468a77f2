"""A run served in this process, from its start to its end."""

from research.lifecycle.runner import drive
from research.models import Source, State
from research.tenancy import tenant_context


def test_a_run_goes_through_its_states_to_its_result(start_toy):
    run = start_toy()
    assert drive(run.tenant_id, run.pk) is State.COMPLETED
    with tenant_context(run.tenant_id):
        run.refresh_from_db()
        assert run.outcome["summary"] == ["9 words in 6 parts"]
        assert Source.objects.filter(run=run, status="processed").count() == 6
