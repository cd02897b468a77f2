"""Eight results in varied fields: each brief says what the person who ordered it wants."""

import pytest

from tests.briefs.making import Made, make_brief
from tests.briefs.results import BRIEFS, OrderedBrief
from tests.people import Person

named = pytest.mark.parametrize("ordered", BRIEFS, ids=lambda one: one.name)


def brief_of(ada: Person, ordered: OrderedBrief) -> Made:
    return make_brief(ada, ordered.result, **ordered.context)


def by_name(name: str) -> OrderedBrief:
    return next(one for one in BRIEFS if one.name == name)


@named
def test_the_answer_leads_and_its_topics_are_covered(ada: Person, ordered: OrderedBrief) -> None:
    brief = brief_of(ada, ordered).brief
    claims = "\n".join(claim.text for claim in brief.key_claims)
    assert all(words in brief.summary[0] for words in ordered.leads)
    assert [words for words in ordered.covers if words not in claims] == []
    assert [words for words in ordered.never if words in claims] == []
    assert not any(claim.text.startswith(("-", "*", "#")) for claim in brief.key_claims)


@named
def test_edits_are_changes_of_the_prompt(ada: Person, ordered: OrderedBrief) -> None:
    edits = brief_of(ada, ordered).brief.prompt_edits
    assert bool(edits) is bool(ordered.edits)
    for target, action, words in ordered.edits:
        assert any((one.target, one.action) == (target, action) and words in one.value for one in edits)
    assert not any(
        words in one.value.casefold() for one in edits for words in ("recommend", "avoid", "should", "%")
    )
    assert not edits or 3 <= sum(one.confidence > 0.7 for one in edits) <= 5
    assert all("“" in one.reasoning for one in edits)


def test_an_answer_against_something_is_not_turned_round(ada: Person) -> None:
    made = brief_of(ada, by_name("rotation"))
    assert "“No, do not force regular password changes" in made.brief.summary[0]
    assert made.brief.reason != "contradicted"
    [older] = [claim for claim in made.brief.key_claims if "Teleworkers" in claim.text]
    assert older.text.startswith("NIST SP 800-114r1 (2016): ")
    first = made.brief.key_claims[0]
    assert not any("Teleworkers" in evidence.quote for evidence in first.evidence)


def test_what_a_check_found_against_the_answer_stands_in_the_summary(ada: Person) -> None:
    made = brief_of(ada, by_name("contract-law"))
    assert made.brief.reason == "contradicted"
    assert "The claim says “14 days”, the source says “30 days”." in made.brief.summary[0]


def test_a_comment_that_asks_to_keep_something_keeps_it(ada: Person) -> None:
    ordered = by_name("kitchen-image")
    context = {**ordered.context, "user_comments": ["Keep the white tiles, please.", "Less harsh flash."]}
    edits = make_brief(ada, ordered.result, **context).brief.prompt_edits
    assert not any("white tiles" in edit.value for edit in edits)
    [flash] = [edit for edit in edits if edit.value == "harsh flash"]
    assert "Less harsh flash." in flash.reasoning


def test_figures_stand_beside_their_dates(ada: Person) -> None:
    summary = " ".join(brief_of(ada, by_name("kitchen-image")).brief.summary)
    assert "by 62% of viewers (Houzz viewer study 2023)." in summary
