"""Pages that must be read: what becomes of one that is not to be had."""

import pytest

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.engine.states.step_failures import StepError
from research.models import Run, Source
from research.models.base_models import new_id
from research.pipelines.report.collecting.collect_required_sources import take_url
from tests.people import join


def take_page(url: str, sources: str) -> tuple[Run, StepResult]:
    ada = join("ada")
    with tenant_context(ada.tenant.pk):
        run = Run.objects.create(owner=ada.user, topic="Do pumps freeze?", config={"sources": sources})
    work = StepWork(
        step_id=new_id(),
        run_id=run.pk,
        tenant_id=ada.tenant.pk,
        key="2.collecting/url.1",
        handler="report.url",
        input={"url": url},
        attempt=1,
        fence=1,
    )
    return run, take_url(work)


def test_without_the_web_a_page_of_which_there_is_no_copy_is_not_found(db):
    with pytest.raises(StepError, match="no copy of https://example.org/a") as refused:
        take_page("https://example.org/a", "library")
    assert refused.value.code == "PAGE_NOT_FOUND"


def test_with_the_web_it_is_noted_to_be_fetched(db):
    run, result = take_page("https://example.org/a", "both")
    with tenant_context(run.tenant_id):
        result.save()
        assert Source.objects.get(run=run).url == "https://example.org/a"


def test_what_is_no_web_address_is_not_found(db):
    with pytest.raises(StepError, match="not a web address"):
        take_page("mailto:ada", "web")
