"""The twelve results of the shared inputs, and those in the current shape: each as its name says."""

import json
from pathlib import Path

import pytest

from research.pipelines.brief.start_brief import BriefRefused, read_file
from research.pipelines.brief.tasks.brief_task_result import BriefErrorCode
from tests.briefs.making import Made, make_brief
from tests.people import Person

INPUTS = Path(__file__).parents[3] / "shared" / "data" / "inputs" / "parallel"
needs_inputs = pytest.mark.skipif(not INPUTS.is_dir(), reason="the shared inputs are not here")


def make_brief_of(ada: Person, name: str) -> Made:
    [path] = INPUTS.glob(f"{name}*.json")
    return make_brief(ada, read_file(path.name, path.read_bytes()).result)


def fault_of(ada: Person, name: str) -> BriefRefused:
    with pytest.raises(BriefRefused) as refused:
        make_brief_of(ada, name)
    return refused.value


def codes(made: Made) -> set[str]:
    return {warning.code for warning in made.document.warnings}


@needs_inputs
def test_a_good_result_gives_three_claims_that_open_onto_exact_words(ada: Person) -> None:
    made = make_brief_of(ada, "01")
    assert 3 <= len(made.brief.key_claims) <= 7
    assert made.brief.quality.evidence_ratio is not None
    assert not made.brief.manual_review
    assert made.own.answer.startswith("Current US guidance advises")
    for claim in made.document.claims:
        assert 1 <= len(claim.citations) <= 3
        assert all(citation.quote for citation in claim.citations)


@needs_inputs
def test_one_page_at_three_dates_keeps_all_that_it_said(ada: Person) -> None:
    made = make_brief_of(ada, "02")
    assert {"310,000", "600,000"} <= {
        figure for claim in made.brief.key_claims for figure in ("310,000", "600,000") if figure in claim.text
    }
    assert len({one.source for one in made.own.evidence}) == 2


@needs_inputs
def test_a_result_that_trusts_itself_little_ends_early(ada: Person) -> None:
    made = make_brief_of(ada, "03")
    assert (made.brief.key_claims, made.brief.manual_review, made.brief.reason) == (
        [],
        True,
        "low_confidence",
    )
    assert made.brief.confidence == 0.22
    assert len(" ".join(made.brief.summary)) >= 100
    assert "Manual review recommended" in " ".join(made.brief.summary)


@needs_inputs
def test_an_answer_without_citations_gives_no_claim(ada: Person) -> None:
    made = make_brief_of(ada, "04")
    assert (made.brief.key_claims, made.brief.reason) == ([], "no_evidence")
    assert made.document.status == "insufficient_evidence"


@needs_inputs
def test_one_text_under_many_addresses_is_one_authority(ada: Person) -> None:
    made = make_brief_of(ada, "05")
    assert len({one.source for one in made.own.evidence}) == 2
    assert max(claim.authorities for claim in made.brief.key_claims) == 1
    assert max(claim.confidence for claim in made.brief.key_claims) <= 0.9


@needs_inputs
def test_malformed_results_are_refused_by_name(ada: Person) -> None:
    types, truncated = fault_of(ada, "06"), fault_of(ada, "07")
    assert types.code is BriefErrorCode.NOT_A_RESULT
    for field in ("run_id", "answer", "citations", "reasoning"):
        assert f"“{field}”" in str(types)
    assert truncated.code is BriefErrorCode.NOT_JSON
    assert "line 9" in str(truncated)


@needs_inputs
def test_an_answer_that_its_own_citation_denies_is_set_aside_and_told(ada: Person) -> None:
    made = make_brief_of(ada, "08")
    assert "B002" in codes(made)
    assert made.brief.reason == "contradicted"
    assert not any("12 characters" in claim.text for claim in made.brief.key_claims)
    assert any("at least 8 characters" in claim.text for claim in made.brief.key_claims)


@needs_inputs
def test_a_quote_that_nobody_has_read_is_told_as_such(ada: Person) -> None:
    made = make_brief_of(ada, "09")
    assert "B004" in codes(made)
    assert not any("NIST forbids" in claim.text for claim in made.brief.key_claims)


@needs_inputs
def test_a_task_that_failed_is_refused_with_its_reason(ada: Person) -> None:
    refused = fault_of(ada, "10")
    assert refused.code is BriefErrorCode.TASK_FAILED
    assert "Task execution failed" in str(refused)


@needs_inputs
def test_an_instruction_in_a_snippet_is_no_evidence(ada: Person) -> None:
    made = make_brief_of(ada, "11")
    assert not any("blog.example.com" in one.source for one in made.own.evidence)
    assert not any("gnore previous" in claim.text for claim in made.brief.key_claims)


@needs_inputs
def test_sources_that_disagree_are_shown_side_by_side(ada: Person) -> None:
    made = make_brief_of(ada, "12")
    assert len(made.document.contradictions) >= 1
    assert max(claim.confidence for claim in made.brief.key_claims) <= 0.6


@needs_inputs
@pytest.mark.parametrize("name", ["sdk-shape/result-text", "sdk-shape/result-json-per-element-basis"])
def test_the_current_interfaces_results_are_read_too(ada: Person, name: str) -> None:
    made = make_brief_of(ada, name)
    assert len(made.brief.key_claims) >= 2
    assert made.own.given_confidence is not None


@needs_inputs
def test_the_same_input_gives_the_same_bytes(ada: Person) -> None:
    for name in ("01", "05", "12"):
        first, second = make_brief_of(ada, name), make_brief_of(ada, name)
        assert json.dumps(first.brief.model_dump()) == json.dumps(second.brief.model_dump())


@needs_inputs
@pytest.mark.parametrize("name", ["01", "02", "08", "12", "sdk-shape/result-json-per-element-basis"])
def test_where_nothing_was_asked_the_name_is_short_and_nothing_asked_for_is_missed(
    ada: Person, name: str
) -> None:
    made = make_brief_of(ada, name)
    assert len(made.document.title) <= 92
    assert not [gap.text for gap in made.document.gaps if "which the question names" in gap.text]


def test_where_something_was_asked_what_it_names_is_looked_for(ada: Person) -> None:
    made = make_brief(ada, original_query="How long must passwords be in Norway?")
    assert made.document.title == "How long must passwords be in Norway?"
    assert [gap.text for gap in made.document.gaps if "“Norway”" in gap.text]
