"""Parts of a finished run's pages are made once, and never shown to whom or when they are not true."""

import re
import time

import pytest
from django.test import Client
from django.utils import timezone

from citations.models import Citation, Claim, Recheck, RecheckedCitation, RecheckState, Section, Warning
from research.db.tenancy import tenant_context
from research.models import Role, Run, Source, State
from research.ops.retention import delete_run_after_retention
from research.web.report import report_page, source_list_page
from research.web.site import page_fragment_cache
from research.web.site.page_fragment_cache import READ, FragmentCache
from tests.people import join
from tests.worlds import make_report

# Of a run, and shown by none of the parts that are kept.
NOT_READ = {
    "exports_export",
    "exports_sharelink",
    "research_agentmessage",
    "research_budget",
    "research_chunk",  # never changes
    "research_claimlink",
    "research_degradation",  # the run has what pages show of it
    "research_entitymention",
    "research_item",  # of tables
    "research_modelcall",
    "research_outbox",
    "research_planversion",
    "research_reservation",
    "research_runknowledge",
    "research_usageentry",
    "research_webhookdelivery",
    "research_workspaceentry",
    "slides_deck",
    "slides_deckfile",
    "slides_deckversion",
    "slides_drawnpicture",
    "slides_renderedslide",
}
TOKENS = re.compile(r'name="(?:csrfmiddlewaretoken|follow-client_key)" value="([^"]+)"')


@pytest.fixture(autouse=True)
def _empty_cache():
    page_fragment_cache.parts.forget()
    yield
    page_fragment_cache.parts.forget()


@pytest.fixture
def builds(monkeypatch):
    """Count how often the parts were made."""
    found: list[str] = []
    body, listed = report_page._body, source_list_page._build_context
    monkeypatch.setattr(report_page, "_body", lambda *a: found.append("report") or body(*a))
    monkeypatch.setattr(source_list_page, "_build_context", lambda *a: found.append("sources") or listed(*a))
    return found


def text(client: Client, world, page: str = "report", **headers: str) -> str:
    answer = client.get(f"/runs/{world.run.pk}/{page}/", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_table_of_a_run_is_either_in_the_mark_or_shown_by_nothing_that_is_kept():
    of_run = {model._meta.db_table for model in delete_run_after_retention._paths()}
    assert of_run - set(READ) == NOT_READ
    assert set(READ) - of_run == {"research_librarydocument"}


@pytest.mark.parametrize("page", ["report", "sources"])
def test_a_page_that_nothing_changed_is_made_once(client, world, builds, page):
    first, second = text(client, world, page), text(client, world, page)
    assert builds == [page]
    assert TOKENS.sub("", first) == TOKENS.sub("", second)


def test_no_token_and_no_form_is_anybody_elses(client, world, ada, builds):
    other = join("eve", tenant=ada.tenant).sign_in()
    mine, theirs = text(client, world), text(other, world)
    assert builds == ["report"]
    assert TOKENS.findall(mine)
    assert not set(TOKENS.findall(mine)) & set(TOKENS.findall(theirs))
    assert "<strong>eve</strong>" in theirs
    assert "<strong>eve</strong>" not in mine
    assert "<strong>ada</strong>" not in theirs


def test_each_language_and_theme_has_its_own(client, world, ada):
    english, german = text(client, world), text(client, world, **{"Accept-Language": "de"})
    assert "In short" in english
    assert "In short" not in german
    assert "How this was made" not in german
    client.post("/display/", {"theme": "dark"})
    assert 'data-theme="dark"' in text(client, world)
    other = join("eve", tenant=ada.tenant).sign_in()
    assert 'data-theme="dark"' not in text(other, world)


def test_who_may_do_something_else_gets_a_part_of_their_own(client, world, ada, builds):
    reader = join("rita", tenant=ada.tenant, role=Role.VIEWER).sign_in()
    for visitor in (client, reader, client, reader):
        text(visitor, world)
    assert builds == ["report", "report"]


def test_what_is_kept_opens_for_no_other_tenant_and_not_after_the_run_is_gone(client, world, stranger):
    for page in ("report", "sources"):
        text(client, world, page)
        assert stranger.get(f"/runs/{world.run.pk}/{page}/").status_code == 404
    assert client.get("/runs/").status_code == 200
    with tenant_context(world.person.tenant.pk):
        delete_run_after_retention.delete_run(world.run.pk)
    for page in ("report", "sources"):
        assert client.get(f"/runs/{world.run.pk}/{page}/").status_code == 404


def retitle(world) -> str:
    Source.objects.filter(pk=world.trial.pk).update(title="A trial by another name")
    return "A trial by another name"


def rename_section(world) -> str:
    section = Section.objects.filter(run=world.run).order_by("index").first()
    Section.objects.filter(pk=section.pk).update(heading="Another heading")
    return "Another heading"


def dispute(world) -> str:
    Claim.objects.filter(pk=world.claims[2].pk).update(contradiction_status="none")
    Claim.objects.filter(pk=world.claims[0].pk).update(contradiction_status="none")
    Claim.objects.filter(pk=world.claims[1].pk).update(contradiction_status="none")
    return ""


def warn(world) -> str:
    kinds = dict.fromkeys(("text", "advice"), "Mind the gap of the seventh kind.")
    Warning.objects.create(run=world.run, code="W999", kind="gap", severity="high", **kinds)
    return "Mind the gap of the seventh kind."


def relabel(world) -> str:
    Citation.objects.filter(pk=world.citations[0].pk).update(citation_key="[Miller 24]")
    return "[Miller 24]"


def look_again(world) -> str:
    citation = world.citations[0]
    looked = Recheck.objects.create(
        source=citation.source, state=RecheckState.DONE, finished_at=timezone.now()
    )
    RecheckedCitation.objects.create(recheck=looked, citation=citation, outcome="gone", now="")
    return "Since this report was written"


@pytest.mark.parametrize("change", [retitle, rename_section, dispute, warn, relabel, look_again])
def test_whatever_changes_is_on_the_next_page(client, world, change):
    before = text(client, world)
    with tenant_context(world.person.tenant.pk):
        shown = change(world)
    after = text(client, world)
    assert TOKENS.sub("", after) != TOKENS.sub("", before)
    assert not shown or (shown in after and shown not in before)


def test_a_report_that_is_still_written_is_made_each_time(client, ada, builds):
    world = make_report(ada, state=State.VERIFYING)
    text(client, world)
    text(client, world)
    assert builds == ["report", "report"]


def test_a_list_of_references_that_failed_is_tried_again(client, world, builds):
    for _ in range(2):
        client.get(f"/runs/{world.run.pk}/sources/?style=apa")
    assert builds == ["sources", "sources"]


def test_a_run_that_is_opened_again_is_read_as_it_is(client, world, builds):
    text(client, world)
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(snapshot_version=99)
    text(client, world)
    assert builds == ["report", "report"]


def test_no_more_is_kept_than_there_is_room_for_and_not_for_long(monkeypatch):
    kept = FragmentCache(most_characters=5, seconds=10)
    for key in "abc":
        kept.keep(key, "xx")
    assert [kept.get(key) for key in "abc"] == [None, "xx", "xx"]
    kept.keep("b", "xxx")
    assert [kept.get(key) for key in "bc"] == ["xxx", "xx"]
    kept.keep("huge", "x" * 6)
    assert [kept.get(key) for key in ("b", "c", "huge")] == [None, None, None]
    kept.keep("d", "x")
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 11)
    assert kept.get("d") is None
