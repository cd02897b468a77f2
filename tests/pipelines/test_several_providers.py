"""A report that draws on several search providers: their pages together, and who gave nothing named in the log."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.test import override_settings

from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.models import Kind, Run, Source, Step
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.report.report_config import ConfigError
from research.search.chosen_search_services import list_configured_services
from research.search.providers.search_catalogue import ENTRIES
from research.web.runs.step_notes_view import step_notes
from tests.fetching.site import result, searxng, serve_site
from tests.pipelines.conftest import QUESTION
from tests.pipelines.test_web_report import ANSWER, FIRST
from tests.search.apis import brave, hackernews
from tests.search.apis.server import KEY, Made, run_server


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    """Three services: two find a page each, the third wants a pause. The address of the site."""
    with ExitStack() as stack:
        site = stack.enter_context(serve_site(FIRST)).base
        story = hackernews.raw(Made(f"{site}/trial", "Field trial of heat pumps", ""))
        stories = stack.enter_context(run_server(lambda call: hackernews.answer(call, [story])))
        pause = stack.enter_context(run_server(lambda call: brave.limits("0, 1999", "60, 99")))
        found = searxng(lambda query, page: [result(f"{site}/guide", "Guide")] if page == 1 else [])
        search = stack.enter_context(serve_site({"/search": found}))
        settings = {
            "PLUMBLINE_ALLOW_LOOPBACK": True,
            "PLUMBLINE_POLITENESS_MS": 0,
            "PLUMBLINE_PROVIDERS": ("searxng", "hackernews", "brave"),
            "PLUMBLINE_SEARXNG_URL": search.base,
            "PLUMBLINE_PROVIDER_URLS": {"hackernews": stories.base, "brave": pause.base},
            "PLUMBLINE_PROVIDER_KEYS": {"brave": KEY},
        }
        stack.enter_context(override_settings(**settings))
        close_fetch_process()
        yield site
        close_fetch_process()


@pytest.fixture(scope="module")
def report(account: PersonalAccount, web: str) -> Document:
    return ask(account, Kind.REPORT, QUESTION, {"sources": "web"})


def searches(account: PersonalAccount, document: Document) -> list[Step]:
    with tenant_context(account.tenant_id):
        return list(Step.objects.filter(run=document.run_id, handler="report.web_search"))


def test_the_pages_of_all_providers_become_sources(report, account, web):
    with tenant_context(account.tenant_id):
        addresses = set(Source.objects.filter(run=report.run_id).values_list("url", flat=True))
    assert addresses == {f"{web}/guide", f"{web}/trial"}
    assert (report.status, report.claims[0].text) == ("done", ANSWER)


def test_the_log_says_how_much_each_provider_found_and_who_gave_nothing(report, account):
    steps = searches(account, report)
    assert steps
    for step in steps:
        assert step.output["by_provider"] == {"searxng": 1, "hackernews": 1, "brave": 0}
        [note] = step_notes(step.output)
        # The first search is told so by the provider, later ones know it.
        refused = ("It received too many requests (429).", "Its rate limit is reached;")
        assert note.removeprefix("brave returned nothing: ").startswith(refused)
        assert note.endswith("(RATE_LIMITED)")


def test_a_key_is_in_no_row(report, account):
    with tenant_context(account.tenant_id):
        rows = [
            str(vars(one))
            for one in [*Step.objects.filter(run=report.run_id), Run.objects.get(pk=report.run_id)]
        ]
    assert not any(KEY in row for row in rows)


def test_the_owner_chooses_among_the_providers(account, web):
    document = ask(account, Kind.REPORT, QUESTION, {"sources": "web", "providers": "hackernews"})
    assert {name for step in searches(account, document) for name in step.output["by_provider"]} == {
        "hackernews"
    }


def test_a_provider_that_is_not_set_up_is_refused_before_anything_is_asked(account, web):
    with pytest.raises(ConfigError, match="providers: wikipedia is not set up here"):
        ask(account, Kind.REPORT, QUESTION, {"sources": "web", "providers": ["wikipedia"]})


@pytest.fixture
def offline() -> Iterator[None]:
    """All that need no key, none of which is found: as on a machine without a network."""
    nowhere = {name: f"https://{name.replace('_', '-')}.invalid" for name in ENTRIES}
    own = {"PLUMBLINE_SEARXNG_URL": "", "PLUMBLINE_PROVIDER_KEYS": {}}
    with override_settings(PLUMBLINE_PROVIDERS=("auto",), PLUMBLINE_PROVIDER_URLS=nowhere, **own):
        close_fetch_process()
        yield
    close_fetch_process()


def test_without_a_network_the_library_answers_and_the_log_says_who_was_not_reached(
    account, library, offline
):
    document = ask(account, Kind.REPORT, QUESTION, {"sources": "both", "folders": [library]})
    assert (document.status, document.claims[0].text) == ("done", ANSWER)
    steps = searches(account, document)
    assert len(list_configured_services()) >= 5
    assert all(name in step.error_message for step in steps for name in ("wikipedia", "openalex", "ddgs"))
