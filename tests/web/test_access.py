"""Access to each page by the anonymous, by its owner, by a stranger of another tenant."""

from gzip import decompress

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from research.db.tenancy import tenant_context
from research.models import Role, Run, State
from research.web import urls
from research.web.account import sign_in_urls
from research.web.ask.run_kind_pages import PAGES
from tests.people import join
from tests.web.tabled import make_table
from tests.worlds import finish

OPEN = {"/help/", "/help/api/", "/help/shortcuts/", "/accessibility/"}
WITHOUT_AN_OBJECT = {
    "/", "/runs/", "/runs/new/", "/runs/new/table/", "/library/", "/knowledge/", "/review/", "/schedules/",
    "/schedules/new/", "/themes/", "/themes/new/", "/account/", "/account/settings/", "/account/password/",
    "/account/webhooks/", "/account/tokens/", "/account/activity/", "/account/activity.csv", "/account/workspace/",
    *(f"/{page.slug}/" for page in PAGES),
}  # fmt: skip
OF_A_RUN = (
    "",
    "progress/",
    "plan/",
    "log/",
    "log.json",
    "report/",
    "claims/1/",
    "sources/",
    "evidence/",
    "contradictions/",
    "warnings/",
    "references.json",
    "changes/",
    "export/",
    "decks/",
)
ACTS = ("cancel/", "pause/", "resume/", "instructions/", "follow-up/", "extend/")


def addresses(world) -> list[str]:
    run = [f"/runs/{world.run.pk}/{page}" for page in OF_A_RUN]
    return [*sorted(WITHOUT_AN_OBJECT), *run, f"/sources/{world.trial.pk}/"]


def test_every_page_is_in_these_lists(world):
    known = {
        "login/local/",
        "display/",
        "sources/<uuid:source_id>/",
        "sources/<uuid:source_id>/pages/<int:number>.png",
    }
    known |= {
        f"sources/<uuid:source_id>/{page}" for page in ("recheck/", "recheck/status/")
    }  # test_rechecks.py
    known |= {"runs/<uuid:run_id>/changes.json"}  # test_changes_page.py
    known |= {"runs/<uuid:run_id>/rerun/"}  # test_asking_again.py
    known |= {"runs/<uuid:run_id>/studies/"}  # test_studies.py
    model = "account/model/"
    known |= {
        f"{model}{page}" for page in ("", "list/", "check/", "check/<uuid:check_id>/")
    }  # test_model_page.py
    table = "runs/<uuid:run_id>/table/"
    known |= {f"{table}{page}" for page in ("", "rows/", "change/", "<int:row>/<slug:field>/")}  # below
    known |= {
        "runs/<uuid:run_id>/brief.json",
        "hooks/parallel/<uuid:tenant_id>/",
        "runs/<uuid:run_id>/claims/mark/",
        "runs/<uuid:run_id>/claims/review/",
    }  # tests/briefs, tests/integrations/webhooks, tests/review
    acts = ("", "pause/", "resume/", "run/", "delete/")
    known |= {f"schedules/<uuid:schedule_id>/{act}" for act in acts}  # test_schedules_page.py
    known |= {"runs/<uuid:run_id>/questions/<uuid:question_id>/"}  # test_questions.py
    document = "library/documents/<uuid:document_id>/"
    known |= {document, *(f"{document}{act}" for act in ("reread/", "move/", "delete/"))}  # test_documents.py
    files = "runs/<uuid:run_id>/export/"
    known |= {
        f"{files}{page}" for page in ("files/", "<uuid:export_id>/", "<uuid:export_id>/again/")
    }  # test_export_page.py
    known |= {f"runs/<uuid:run_id>/share/{act}" for act in ("", "<uuid:link_id>/revoke/")}
    known |= {f"shared/<str:token>/{page}" for page in ("", "claims/<int:number>/")}  # test_share_links.py
    deck_pages = (
        "",
        "state/",
        "again/",
        "delete/",
        "change/",
        "slides/<int:number>/",
        "picture/",
        "files/",
        "files/make/",
    )
    file_of_deck = "files/<uuid:file_id>/"
    known |= {
        f"decks/<uuid:deck_id>/{page}" for page in (*deck_pages, file_of_deck, f"{file_of_deck}again/")
    }  # test_decks.py
    known |= {"themes/preview/<int:number>/", "pictures/<uuid:picture_id>/"}  # test_themes.py
    known |= {f"themes/<uuid:theme_id>/{act}" for act in ("", "delete/")}
    known |= {"account/tokens/<uuid:token_id>/revoke/"}  # test_tokens.py
    people = "account/workspace/"
    known |= {f"{people}{act}" for act in ("name/", "erase/", "leave/", "invitations/")}  # tests/workspaces
    known |= {f"{people}retention/", "runs/<uuid:run_id>/delete/"}  # tests/ops/retention
    known |= {f"{people}members/<uuid:membership_id>/{act}" for act in ("", "remove/")}
    known |= {f"{people}invitations/<uuid:invitation_id>/{act}/" for act in ("again", "revoke")}
    known |= {"workspaces/switch/", "workspaces/new/", "workspaces/first/", "invitations/<str:token>/"}
    known |= {"styles/<slug:mark>.css"}  # test_styles.py
    known |= {"mermaid.js", "runs/<uuid:run_id>/technical.<str:form>"}  # test_technical.py
    known |= {f"runs/<uuid:run_id>/{page}" for page in ("diagrams/<int:number>/", "ask-further/")}
    known |= {"sources/<uuid:source_id>/picture/"}  # tests/tools/test_browse_in_a_browser.py
    known |= {"library/pages/", "library/folders/"}  # test_library.py, test_documents.py
    known |= {page.lstrip("/") for page in OPEN | WITHOUT_AN_OBJECT}
    known |= {f"runs/<uuid:run_id>/{page}" for page in (*OF_A_RUN, *ACTS)}
    known = {page.replace("claims/1/", "claims/<int:number>/") for page in known}
    known = {page.replace("references.json", "references.<str:suffix>") for page in known}
    assert {str(pattern.pattern) for pattern in urls.urlpatterns} == known


def test_the_site_has_no_urls_beside_pages_admin_and_accounts():
    tops = {str(entry.pattern) for entry in get_resolver().url_patterns if isinstance(entry, URLResolver)}
    singles = {str(entry.pattern) for entry in get_resolver().url_patterns if isinstance(entry, URLPattern)}
    assert tops == {"admin/", "api/v1/", ""}
    assert singles == {
        *("admin/review/", "admin/installation/", "i18n/setlang/", "api/v1/docs"),
        *("health/live/", "health/ready/", "metrics/"),  # tests/ops/test_probes.py
    }
    assert {str(entry.pattern) for entry in sign_in_urls.urlpatterns} == {
        *("login/", "login/closed/", "login/second-step/", "logout/"),
        *(f"password/reset/{page}" for page in ("", "sent/", "done/")),
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        *(f"account/{page}/" for page in ("confirm", "confirm/code", "sessions")),
        *(f"account/second-step/{page}" for page in ("", "on/", "off/", "codes/", "codes/new/")),
    }  # test_sign_in.py, test_sign_in_safety.py


def test_the_owner_sees_every_page(client, world):
    for address in addresses(world):
        if not address.endswith("progress/"):
            assert client.get(address).status_code == 200, address


def test_the_anonymous_are_sent_to_the_login(world):
    for address in addresses(world):
        response = Client().get(address)
        assert response.status_code == 302, address
        assert response["Location"] == f"/login/?next={address}"


def test_a_stranger_meets_nothing_of_another_tenant(stranger, world):
    for address in addresses(world):
        if address not in WITHOUT_AN_OBJECT:
            assert stranger.get(address).status_code == 404, address


def test_a_strangers_lists_are_empty(stranger, world):
    for address in WITHOUT_AN_OBJECT:
        response = stranger.get(address)
        assert response.status_code == 200
        assert b"heat pumps" not in response.content, address


@pytest.fixture
def table(ada):
    return make_table(ada)


TABLE_PAGES = ("table/", "table/rows/?rows=1", "table/1/capital/")


def test_a_table_is_seen_by_its_owner_alone(client, stranger, table):
    for page in TABLE_PAGES:
        address = f"/runs/{table.run.pk}/{page}"
        seen = client.get(address, headers={"HX-Request": "true"})
        assert (seen.status_code, stranger.get(address).status_code) == (200, 404), page
        assert Client().get(address).status_code == 302, page


@pytest.mark.parametrize("page", ["table/change/", "table/1/capital/"])
def test_a_table_is_changed_by_its_owner_alone(ada, stranger, table, page):
    address, act = f"/runs/{table.run.pk}/{page}", {"act": "retry"}
    viewer = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    assert stranger.post(address, act).status_code == 404
    assert viewer.post(address, act).status_code == 403
    assert b"Add rows" not in viewer.get(table.address).content
    with tenant_context(ada.tenant.pk):
        assert Run.objects.get(pk=table.run.pk).state == State.COMPLETED


@pytest.mark.parametrize("act", ACTS)
def test_a_stranger_cannot_act_on_a_run(stranger, world, act):
    with tenant_context(world.person.tenant.pk):
        finish(world.run, State.READING)
    assert stranger.post(f"/runs/{world.run.pk}/{act}").status_code == 404
    with tenant_context(world.person.tenant.pk):
        run = Run.objects.get(pk=world.run.pk)
    assert (run.cancel_at, run.paused_at) == (None, None)


@pytest.mark.parametrize("act", ACTS)
def test_acts_are_not_done_by_following_a_link(client, world, act):
    assert client.get(f"/runs/{world.run.pk}/{act}").status_code == 405


def test_a_viewer_reads_but_does_not_start_or_stop(ada, world):
    viewer = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    assert viewer.get(f"/runs/{world.run.pk}/report/").status_code == 200
    assert viewer.post("/runs/new/", {"question": "May I ask this?"}).status_code == 403
    for act in ACTS:
        assert viewer.post(f"/runs/{world.run.pk}/{act}").status_code == 403, act
    assert viewer.post("/library/", {}).status_code == 403


def test_a_user_without_a_tenant_is_told_so(db, django_user_model):
    client = Client()
    client.force_login(django_user_model.objects.create_user("carl"))
    response = client.get("/runs/")
    assert response.status_code == 403
    assert b"does not belong to a workspace" in response.content
    assert b"/workspaces/first/" in response.content


def test_open_pages_need_no_account():
    for address in OPEN:
        assert Client().get(address).status_code == 200, address


def test_a_page_that_is_not_there_says_so_in_words(client):
    response = client.get("/nothing/")
    assert response.status_code == 404
    assert b"There is nothing here" in response.content


def test_pages_carry_a_strict_content_security_policy(client):
    policy = client.get("/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_pages_are_sent_compressed_to_those_who_take_it(client, world):
    address = f"/runs/{world.run.pk}/report/"
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert b"Backup heaters ran" in decompress(packed.content)


def test_no_page_holds_inline_script_or_style(client, world):
    for address in [*addresses(world), *OPEN, "/login/"]:
        page = b"".join(client.get(address)).decode()
        assert " style=" not in page, address
        assert "<style" not in page, address
        assert "onclick" not in page, address
        assert "<script>" not in page, address
