"""The form's fields on what a report says, as they are sent, and what a page shows of them."""

import pytest

from research.db.tenancy import tenant_context
from research.models import Run
from tests.web.pages import tree, words
from tests.web.test_run_options import ask, complaints, config_of


def test_each_field_becomes_a_setting(client, ada, library_stock):
    ask(
        client,
        subtopics="Costs\nNoise\ncosts",
        excluded_subjects="Air conditioning",
        sources_per_claim="3",
        thin_claims="leave_out",
        words="800",
        commentary="on",
        follow_ups="False",
        slides="on",
    )
    assert config_of(ada) == {
        "subtopics": ["Costs", "Noise"],
        "excluded_subjects": ["Air conditioning"],
        "sources_per_claim": 3,
        "thin_claims": "leave_out",
        "words": 800,
        "commentary": True,
        "follow_ups": False,
        "slides": True,
    }


def test_what_is_left_alone_sets_nothing(client, ada, library_stock):
    ask(client)
    assert config_of(ada) == {}


@pytest.mark.parametrize(
    ("field", "value"), [("words", "20"), ("sources_per_claim", "9"), ("subtopics", "x")]
)
def test_what_cannot_be_is_told_at_its_field(client, library_stock, field, value):
    assert f"#id_{field}" in complaints(ask(client, **{field: value}))


def test_asking_again_shows_them_as_they_were(client, ada, library_stock):
    ask(client, subtopics="Costs\nNoise", sources_per_claim="2", words="300", follow_ups="False")
    with tenant_context(ada.tenant.pk):
        run = Run.objects.get()
    page = tree(client.get(f"/runs/new/?again={run.pk}"))
    assert page.xpath("//textarea[@name='subtopics']")[0].text.split() == ["Costs", "Noise"]
    assert page.xpath("//select[@name='sources_per_claim']/option[@selected]/@value") == ["2"]
    assert page.xpath("//select[@name='follow_ups']/option[@selected]/@value") == ["False"]
    assert page.xpath("//input[@name='words']/@value") == ["300"]


def test_a_follow_up_question_starts_its_run_with_a_click(client, ada, library_stock):
    ask(client)
    with tenant_context(ada.tenant.pk):
        run = Run.objects.get()
        Run.objects.filter(pk=run.pk).update(
            state="completed", result={"follow_ups": ["What do the sources say about salt?"]}
        )
    page = tree(client.get(f"/runs/{run.pk}/report/"))
    [form] = page.xpath("//ul[contains(@class, 'follow-ups')]//form")
    fields = {one.get("name"): one.get("value") for one in form.xpath(".//input|.//button")}
    assert fields["follow-question"] == "What do the sources say about salt?"
    client.post(form.get("action"), fields)
    with tenant_context(ada.tenant.pk):
        child = Run.objects.get(parent=run)
    assert (child.topic, child.relation) == ("What do the sources say about salt?", "follow_up")


def test_the_settings_stand_in_the_report(client, ada, library_stock):
    ask(client, excluded_subjects="Air conditioning", thin_claims="leave_out", sources_per_claim="2")
    with tenant_context(ada.tenant.pk):
        run = Run.objects.get()
        Run.objects.filter(pk=run.pk).update(state="completed", result={})
    said = words(client.get(f"/runs/{run.pk}/report/"))
    assert "Excluded subjects Air conditioning" in said
    assert "Sources wanted per claim 2 Claims with fewer Left out" in said


def test_the_numbers_of_sources_are_told_in_german(client):
    page = tree(client.get("/runs/new/", headers={"Accept-Language": "de"}))
    found = page.xpath("//select[@name='sources_per_claim']/option/text()")
    assert found[:2] == ["1 Quelle", "2 Quellen"]
