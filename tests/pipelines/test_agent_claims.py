"""Findings of agents are proposed as claims where a source says them, and listed where none does."""

import pytest

from research.agents.agent_findings import DataPoint, Excerpt, Findings
from research.models import Content, Source
from research.models.base_models import new_id
from research.pipelines.report.delegating.report_claims_from_agents import (
    COMPUTED,
    CONCLUSION,
    NOT_IN_SOURCE,
    ComputedFigures,
    claims_from,
    format_figure,
)
from tests.worlds import blocks_of

TEXT = (
    "The trial ran in eleven homes. Each installation cost 14,200 euros on average. "
    "The homes saved 30 percent of oil.\n\n"
    "In 2019 the oldest of them was 30 years old."
)


@pytest.fixture
def source() -> Source:
    return Source(pk=new_id(), content=Content(text=TEXT, blocks=blocks_of(TEXT), media_type="text/plain"))


def quotes(found, source: Source) -> list[str]:
    return [claim.quote for claim in found.proposed.get(source.pk, ())]


def point(field: str, value: str | None, *sources: str) -> Findings:
    return Findings(data_points=[DataPoint(field=field, value=value, confidence=0.9, sources=list(sources))])


def test_a_value_becomes_the_sentence_that_says_it(source):
    found = claims_from([point("cost of an installation", "14,200 euros", "src-a")], {"src-a": source})
    assert quotes(found, source) == ["Each installation cost 14,200 euros on average."]
    assert found.dropped == ()


def test_of_two_sentences_with_the_value_the_one_on_its_field_is_taken(source):
    found = claims_from([point("oil_saved", "30", "src-a")], {"src-a": source})
    assert quotes(found, source) == ["The homes saved 30 percent of oil."]


def test_each_proposed_claim_says_where_its_quote_stands(source):
    found = claims_from([point("oil_saved", "30", "src-a")], {"src-a": source})
    [claim] = found.proposed[source.pk]
    assert TEXT[claim.near :].startswith(claim.quote)


@pytest.mark.parametrize(("field", "value"), [("cost", "99 euros"), ("number of cats", "30")])
def test_a_value_that_no_sentence_says_is_listed(field, value, source):
    found = claims_from([point(field, value, "src-a")], {"src-a": source})
    assert found.proposed == {}
    assert [(left.text, left.reason) for left in found.dropped] == [(f"{field}: {value}", NOT_IN_SOURCE)]


def test_what_was_not_found_is_neither_proposed_nor_listed(source):
    found = claims_from([point("cost", None, "src-a")], {"src-a": source})
    assert (found.proposed, found.dropped) == ({}, ())


def test_an_excerpt_becomes_the_whole_sentence(source):
    findings = Findings(excerpts=[Excerpt(source="src-a", quote="cost 14,200 euros", credibility=7)])
    assert quotes(claims_from([findings, findings], {"src-a": source}), source) == [
        "Each installation cost 14,200 euros on average."
    ]


def test_a_computed_figure_is_listed_with_its_formula(source):
    computed = [ComputedFigures(frozenset({format_figure(9940.0)}), "aggregate mean cost")]
    found = claims_from([point("mean cost", "9,940 euros", "src-a")], {"src-a": source}, computed)
    assert [left.reason for left in found.dropped] == [COMPUTED.format("aggregate mean cost")]


def test_a_conclusion_is_listed(source):
    found = claims_from([Findings(insights=["It pays off."])], {"src-a": source})
    assert [(left.text, left.reason) for left in found.dropped] == [("It pays off.", CONCLUSION)]
