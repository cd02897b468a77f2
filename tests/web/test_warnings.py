"""The page of warnings: by severity, what is missing, left out, searched in vain, and the checks that passed."""

import re
from pathlib import Path

from citations.models import VerificationReport, Warning
from exports.labels.document_finding_labels import LOOKED_FOR, LOOKED_FOR_OF_KINDS
from research.db.tenancy import tenant_context
from research.engine.states.state_run_authorship import OF_AUTHORSHIP
from research.models import AgentRole, Kind, Run, Step, StepStatus
from tests.web.pages import fold_spaces, tree, words

CODE = re.compile(r'"([BGW]\d{3})"')
OF_THE_PLAN = {"G009"}  # raised while a run plans again, and never of a report
PROPOSED = {"G049"}  # a model's own, which no check looks for


def page(client, world):
    return client.get(f"/runs/{world.run.pk}/warnings/")


def check(world):
    with tenant_context(world.person.tenant.pk):
        VerificationReport.objects.create(
            run=world.run, report_version=1, overall_status="passed", accuracy=1
        )


def list_passed(response) -> list[str]:
    return [fold_spaces(row.text_content()) for row in tree(response).xpath("//*[@id='passed']//li")]


def test_each_warning_has_severity_code_sentence_and_what_to_do(client, world):
    shown = words(page(client, world))
    assert "High Nothing on maintenance. W001" in shown
    assert "Low One publisher dominates. W010 Add others." in shown


def test_warnings_are_counted_by_severity(client, world):
    assert (
        fold_spaces(tree(page(client, world)).get_element_by_id("severities").text_content()) == "1 high1 low"
    )


def test_a_models_proposal_is_called_one(client, world):
    with tenant_context(world.person.tenant.pk):
        Warning.objects.filter(code="W010").update(computed=False)
    assert "proposed by a model" in words(page(client, world))


def test_what_was_left_out_stands_with_its_reason(client, world):
    assert "Electricity rose by 12 percent.Off the question." in words(page(client, world))


def test_searches_in_vain_are_listed_with_their_place(client, world):
    with tenant_context(world.person.tenant.pk):
        Step.objects.create(
            run=world.run,
            step_index=7,
            key="search",
            handler="report.search",
            agent_role=AgentRole.RESEARCHER,
            status=StepStatus.COMPLETED,
            input={"query": "brine pumps"},
            output={"found": 0},
        )
    assert "Searches that found nothing 1 brine pumps in the library" in words(page(client, world))


def test_checks_that_raised_nothing_are_listed(client, world):
    check(world)
    found = list_passed(page(client, world))
    assert "W008 Figures without a source" in found
    assert not any(row.startswith(("W001", "W010")) for row in found)


def test_every_check_that_can_warn_is_among_them(client, world):
    with tenant_context(world.person.tenant.pk):
        Warning.objects.all().delete()
    check(world)
    response = page(client, world)
    assert "No warning and no gap: the checks below raised nothing." in words(response)
    assert [row[:4] for row in list_passed(response)] == list(LOOKED_FOR)
    assert tree(response).xpath("//*[@id='passed']/@open")


def test_the_list_of_checks_is_that_of_the_code():
    places = (Path("citations"), Path("research/pipelines"))
    found = {
        code for place in places for file in place.rglob("*.py") for code in CODE.findall(file.read_text())
    }
    looked_for = set(LOOKED_FOR).union(*LOOKED_FOR_OF_KINDS.values())
    assert looked_for == found - OF_THE_PLAN - PROPOSED


def test_warnings_about_a_run_share_no_code_with_those_about_its_report():
    assert not set(OF_AUTHORSHIP) & set(LOOKED_FOR).union(*LOOKED_FOR_OF_KINDS.values())


def test_of_a_kind_with_checks_of_its_own_those_are_listed(client, world):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(kind=Kind.DIGEST)
        Warning.objects.filter(run=world.run).update(code="W030")
    check(world)
    assert [row[:4] for row in list_passed(page(client, world))] == ["W031", "W032"]


def test_before_the_check_no_check_has_passed(client, world):
    response = page(client, world)
    assert list_passed(response) == []
    assert "The report has not been checked." in words(response)


def test_a_run_without_an_answer_passed_nothing(client, world):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(result={"insufficient": True, "reasons": ["None."]})
    assert "No claim was made, so nothing was checked." in words(page(client, world))


def test_what_the_run_gave_up_and_could_not_have_is_told(client, world):
    lost = [{"code": "stop_collecting", "reason": "Tokens ran short.", "quality_impact": 0.1}]
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(degradations=lost)
        type(world.failed).objects.filter(pk=world.failed.pk).update(must_read=True)
    shown = words(page(client, world))
    assert "The search ended with fewer sources than planned." in shown
    assert "Not available 1 broken.pdf" in shown
    assert "The file ends too early." in shown


def test_the_report_keeps_a_short_form_that_leads_here(client, world):
    check(world)
    shown = tree(client.get(f"/runs/{world.run.pk}/report/"))
    short = shown.xpath("//section[@aria-labelledby='caveats']")[0]
    text = fold_spaces(short.text_content())
    assert "Where sources disagree 1" in text
    assert "Nothing on maintenance." in text
    assert "Off the question." not in text
    base = f"/runs/{world.run.pk}"
    assert {f"{base}/contradictions/", f"{base}/warnings/#gaps", f"{base}/warnings/#left-out"} <= set(
        short.xpath(".//dt/a/@href")
    )


def test_markup_in_a_warning_is_text(client, world):
    with tenant_context(world.person.tenant.pk):
        Warning.objects.update(text="<b>x</b>")
    assert b"<b>x</b>" not in page(client, world).content
