"""An owner erases the workspace, by its name."""

from research.accounts.audit.read_audit_trail import site_rows
from research.db.tenancy import tenant_context, tenant_ids
from research.models import Act, Erasure, Membership, Role, Run, SiteAuditEntry
from research.ops.retention.delete_workspace import carry_on_all
from tests.people import join
from tests.workspaces.test_switching import words
from tests.worlds import make_report

PAGE = "/account/workspace/"


def erase(person, name: str):
    return person.sign_in().post(f"{PAGE}erase/", {"erase-name": name}, follow=True)


def test_another_name_erases_nothing(ada):
    for name in ("", "ada", "Bob’s"):
        page = erase(ada, name)
        assert page.status_code == 422
        assert "name" in words(page)
    assert not Erasure.objects.exists()


def test_nobody_is_let_in_from_then_on_and_all_of_it_goes(ada):
    mia, run = join("mia", role=Role.MEMBER, tenant=ada.tenant), make_report(ada).run
    theirs = mia.sign_in()
    assert "nobody can open the workspace any more" in words(erase(ada, ada.tenant.name))
    assert theirs.get(f"/runs/{run.pk}/").status_code in (302, 403, 404)
    carry_on_all()
    assert ada.tenant.pk not in tenant_ids()
    with tenant_context(ada.tenant.pk):
        assert not Run.objects.exists()
        assert not Membership.objects.exists()


def test_the_sites_trail_says_who_did_it_and_not_what_it_was_called(ada):
    erase(ada, ada.tenant.name)
    carry_on_all()
    with site_rows():
        row = SiteAuditEntry.objects.get(act=Act.WORKSPACE_DELETE)
    assert (row.who, row.object_id, row.object_name) == ("ada", str(ada.tenant.pk), "")


def test_who_has_another_workspace_works_there(ada, bob, both):
    both.post(f"{PAGE}erase/", {"erase-name": ada.tenant.name, "workspace": str(ada.tenant.pk)})
    carry_on_all()
    assert both.get("/").status_code == 200


def test_only_owners_are_offered_it(ada):
    mia = join("mia", role=Role.MEMBER, tenant=ada.tenant)
    assert "Erase the workspace" not in words(mia.sign_in().get(PAGE))
    assert erase(mia, ada.tenant.name).status_code == 403
    assert "Erase the workspace" in words(ada.sign_in().get(PAGE))
