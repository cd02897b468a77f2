"""A form, a program or a command may ask more of a report than its question: each changes what is read or said."""

import pytest

from citations.models import Claim
from exports.formats.export_options import ExportOptions
from exports.formats.to_markdown import write
from research.db.tenancy import tenant_context
from research.models import Run, Step
from research.pipelines.report.report_config import ConfigError, parse_config
from slides.models import Deck
from tests.pipelines.conftest import QUESTION

GENERAL = "What do heat pumps need to reach, and what does it cost?"


def texts(document):
    return [claim.text for claim in document.claims]


def headings(document):
    return [section.heading for section in document.sections]


def test_own_subtopics_are_searched_for_and_have_sections(ask_in_library, account):
    document = ask_in_library(QUESTION, subtopics=["Defrosting", "Planting of trees"])
    with tenant_context(account.tenant_id):
        run = Run.objects.get(pk=document.run_id)
        searched = list(
            Step.objects.filter(run=run, handler="report.search").values_list("input__query", flat=True)
        )
    assert [one["name"] for one in run.plan["subtopics"]][-2:] == ["Defrosting", "Planting of trees"]
    assert any("Defrosting" in query for query in searched)
    section = next(section for section in document.sections if section.heading == "Defrosting")
    assert [claim.text for claim in section.claims]
    assert all("efrosting" in c.text for c in section.claims)
    assert "Planting of trees" not in headings(document)
    assert "Planting of trees" in [one.text for one in document.left_out]


def test_an_excluded_subject_stands_nowhere_and_is_listed(ask_in_library):
    before = ask_in_library(QUESTION)
    assert any("subsidy" in text for text in texts(before))
    document = ask_in_library(GENERAL, excluded_subjects=["subsidy"])
    assert not any("subsid" in text.lower() for text in texts(document))
    listed = [one for one in document.left_out if "“subsidy”" in one.reason]
    assert listed
    assert all("subsid" in one.text.lower() for one in listed)


def test_claims_with_too_few_sources_are_marked(ask_in_library):
    document = ask_in_library(QUESTION, sources_per_claim=2)
    assert document.claims
    assert all(claim.is_thin for claim in document.claims)
    page = write(document, ExportOptions(), lambda done: None).decode()
    assert "1 of 2 sources wanted" in page
    assert not any(claim.is_thin for claim in ask_in_library(QUESTION).claims)


def test_claims_with_too_few_sources_are_left_out(ask_in_library, account):
    document = ask_in_library(QUESTION, sources_per_claim=3, thin_claims="leave_out")
    assert all(claim.origins >= 3 for claim in document.claims)
    if not document.claims:
        assert document.status == "insufficient_evidence"
        assert "No claim has as many independent sources as are wanted for one." in document.reasons
    with tenant_context(account.tenant_id):
        assert not Claim.objects.filter(run=document.run_id, section__isnull=False, origins__lt=3).exists()


def test_length_in_words_is_kept(ask_in_library):
    words = [
        sum(len(text.split()) for text in texts(ask_in_library(GENERAL, **config)))
        for config in ({}, {"words": 50})
    ]
    assert words[1] <= 50 < words[0]


@pytest.mark.full
def test_a_deeper_report_says_more(ask_in_library):
    counts = [
        len(ask_in_library(GENERAL, depth=depth).claims) for depth in ("quick", "standard", "exhaustive")
    ]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_a_commentary_is_marked_and_claims_nothing(ask_in_library):
    document = ask_in_library(QUESTION, commentary=True)
    section = document.sections[-1]
    assert (section.heading, section.role, section.claims) == ("Commentary", "commentary", ())
    said = [one.text for block in section.blocks for one in block.sentences]
    assert said[0].startswith("Not a source’s words")
    assert any("rest on a single independent source" in text for text in said)
    assert "commentary" not in [one.role for one in ask_in_library(QUESTION).sections]


def test_follow_up_questions_are_offered_unless_declined(ask_in_library):
    offered = ask_in_library(QUESTION).follow_ups
    assert 0 < len(offered) <= 5
    assert all(text.endswith("?") for text in offered)
    assert QUESTION not in offered
    assert ask_in_library(QUESTION, follow_ups=False).follow_ups == ()


def test_slides_are_made_with_the_run(ask_in_library, account):
    document = ask_in_library(QUESTION, slides=True)
    with tenant_context(account.tenant_id):
        deck = Deck.objects.get(run=document.run_id)
    assert deck.state == "ready"
    with tenant_context(account.tenant_id):
        assert not Deck.objects.filter(run=ask_in_library(QUESTION).run_id).exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("subtopics", [f"topic {number}" for number in range(9)]),
        ("excluded_subjects", ["x"]),
        ("sources_per_claim", 6),
        ("words", 49),
        ("words", 50_001),
        ("thin_claims", "hide"),
    ],
)
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ConfigError) as refused:
        parse_config({name: value})
    assert {one.name.partition(".")[0] for one in refused.value.complaints} == {name}
