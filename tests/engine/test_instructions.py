"""An instruction that comes too late is refused with the reason, and nothing else is touched."""

import pytest

from research.db.tenancy import tenant_context
from research.engine.states.state_instructions import close_instructions
from research.models import Instruction


@pytest.fixture
def tell(owner, tenant):
    with tenant_context(tenant.pk):
        yield lambda run, **columns: Instruction.objects.create(
            run=run, author=owner, text="More.", **columns
        )


def again(row):
    return Instruction.objects.get(pk=row.pk)


def test_what_still_waits_when_a_run_ends_is_refused_with_the_reason(start_toy, tell):
    run = start_toy()
    first, second = tell(run), tell(run)
    assert close_instructions(run.pk) == 2
    for row in (first, second):
        kept = again(row)
        assert kept.status == "refused"
        assert kept.effects == [
            "The run ended before it came to this. Ask a follow-up question instead.",
        ]
        assert (kept.text, kept.taken_at) == ("More.", None)
        assert kept.updated_at > row.updated_at
    assert close_instructions(run.pk) == 0


def test_what_the_run_has_taken_and_what_others_were_told_stays(start_toy, tell):
    run, other = start_toy(), start_toy()
    taken, elsewhere = tell(run, status="taken", effects=["Done."]), tell(other)
    assert close_instructions(run.pk) == 0
    assert (again(taken).status, again(taken).effects) == ("taken", ["Done."])
    assert again(elsewhere).status == "queued"
