"""A finished run goes with all that hangs on it, and with nothing else."""

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, transaction

from exports.export_share_links import make_link
from exports.models import ShareLink
from research.db.tenancy import tenant_context
from research.models import (
    Act,
    AuditEntry,
    BriefRecord,
    Content,
    CreditEntry,
    LibraryDocument,
    Relation,
    Role,
    Run,
    Schedule,
    State,
)
from research.ops.retention import delete_run_after_retention as deleting
from research.ops.retention.delete_run_after_retention import RunNotDeleted, delete_run
from tests.budgets.test_erasing import rows_of
from tests.people import join
from tests.web.asked import ask_about_claims
from tests.web.growing import fill_admin, grow
from tests.web.test_statements import decide_some
from tests.worlds import finish, make_report

pytestmark = pytest.mark.django_db
# What is the workspace's and not its runs'.
STAYS = {
    "citations_domainrule", "research_auditentry", "research_content", "research_creditaccount",
    "research_creditentry", "research_librarychunk", "research_librarydocument", "research_membership",
    "research_schedule", "research_webhookevent", "slides_decktheme", "slides_picture",
}  # fmt: skip


@pytest.fixture
def world():
    return make_report(join("ada"))


def in_tenant(world):
    return tenant_context(world.person.tenant.pk)


def delete(world):
    with in_tenant(world):
        delete_run(world.run.pk)


def test_nothing_that_hangs_on_a_run_is_left_in_any_table(world, client):
    grow(world, 1)
    fill_admin(world, 1)
    decide_some(client, ask_about_claims(make_report(world.person), 2), 1)
    before = rows_of(world.person.tenant.pk)
    assert len(set(before) - STAYS) > 30
    with in_tenant(world):
        Run.objects.exclude(state=State.COMPLETED).update(state=State.CANCELLED)
        for run_id in list(Run.objects.values_list("pk", flat=True)):
            delete_run(run_id)
        assert set(Content.objects.values_list("pk", flat=True)) == set(
            LibraryDocument.objects.exclude(content=None).values_list("content", flat=True)
        )
    after = rows_of(world.person.tenant.pk)
    assert set(after) - STAYS == set()
    assert after["research_creditentry"] == before["research_creditentry"]


def test_others_keep_all_of_theirs_and_the_texts_that_they_share(world):
    other, stranger = make_report(world.person), make_report(join("bob"))
    before = rows_of(stranger.person.tenant.pk)
    delete(world)
    with in_tenant(world):
        assert Run.objects.get().pk == other.run.pk
        assert other.run.sources.exclude(content=None).count() == 3
    delete(other)
    with in_tenant(world):
        assert not Content.objects.exists()
    assert rows_of(stranger.person.tenant.pk) == before


def test_a_run_at_work_and_one_that_another_goes_on_from_stay(world):
    with in_tenant(world):
        child = Run.objects.create(
            owner=world.person.user, topic="And in summer?", parent=world.run, relation=Relation.FOLLOW_UP
        )
        schedule = Schedule.objects.create(
            name="weekly", topic="Again", kind="report", interval_seconds=600, last_run=world.run
        )
        with pytest.raises(RunNotDeleted, match="still in progress"):
            delete_run(child.pk)
        with pytest.raises(RunNotDeleted, match="continues from this"):
            delete_run(world.run.pk)
        finish(child, State.CANCELLED)
        delete_run(world.run.pk)
        assert Run.objects.get().parent_id is None
        schedule.refresh_from_db()
        assert schedule.last_run_id is None
        with pytest.raises(RunNotDeleted, match="no longer exists"):
            delete_run(world.run.pk)


def test_what_still_points_to_it_refuses_and_nothing_is_lost(world, monkeypatch):
    """A table is left out, as if it had been forgotten: the database refuses, and all is as it was."""
    before = rows_of(world.person.tenant.pk)
    real = deleting._paths()
    missing = {model: path for model, path in real.items() if model.__name__ != "Citation"}
    monkeypatch.setattr(deleting, "_paths", lambda: missing)
    with pytest.raises(IntegrityError), transaction.atomic():
        delete(world)
    assert rows_of(world.person.tenant.pk) == before


def test_what_the_admins_log_and_a_brief_repeat_goes_too(world):
    LogEntry.objects.create(
        user=world.person.user, content_type=ContentType.objects.get_for_model(Run), object_id=str(world.run.pk),
        object_repr=world.run.topic, action_flag=CHANGE,
    )  # fmt: skip
    with in_tenant(world):
        Run.objects.update(result={**world.run.result, "own": {"input_hash": "abc"}})
        twin = make_report(world.person).run
        Run.objects.filter(pk=twin.pk).update(result={**twin.result, "own": {"input_hash": "abc"}})
        BriefRecord.objects.create(input_hash="abc", draft={}, brief={})
        delete_run(twin.pk)
        assert BriefRecord.objects.exists()
    delete(world)
    with in_tenant(world):
        assert not BriefRecord.objects.exists()
    assert not LogEntry.objects.exists()


def test_who_asked_deletes_it_by_its_page_and_its_link_opens_nothing(world):
    client = world.person.sign_in()
    with in_tenant(world):
        _link, token = make_link(world.run, world.person.user, days=3)
        charged = CreditEntry.objects.count()
    page = f"/runs/{world.run.pk}/"
    assert b"Delete permanently" in client.get(page).content
    answer = client.post(f"{page}delete/", follow=True)
    assert answer.redirect_chain[-1][0] == "/runs/"
    assert b"with its report" in answer.content
    claim = f"{page}claims/1/"
    assert {client.get(path).status_code for path in (page, claim, f"{page}report/", f"{page}export/")} == {
        404
    }
    assert client.get(f"/shared/{token}/").status_code == 404
    with in_tenant(world):
        assert not ShareLink.objects.exists()
        assert CreditEntry.objects.count() == charged
        row = AuditEntry.objects.get(act=Act.RUN_DELETE)
        assert (row.who, row.object_name) == ("ada", world.run.topic)


def test_another_member_deletes_nothing_of_hers_and_an_owner_may(world):
    page = f"/runs/{world.run.pk}/"
    member = join("bea", role=Role.MEMBER, tenant=world.person.tenant).sign_in()
    assert b"Delete permanently" not in member.get(page).content
    assert b"Only the person who asked" in member.post(f"{page}delete/", follow=True).content
    viewer = join("vic", role=Role.VIEWER, tenant=world.person.tenant).sign_in()
    assert viewer.post(f"{page}delete/").status_code == 403
    owner = join("olga", tenant=world.person.tenant).sign_in()
    assert owner.post(f"{page}delete/").headers["Location"] == "/runs/"
    with in_tenant(world):
        assert not Run.objects.exists()
