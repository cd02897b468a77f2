"""The page of contradictions: pairs side by side, why they may differ, how each was settled."""

import pytest

from citations import claim_confidence
from citations.contradictions import MARGIN
from citations.models import Citation, Contradiction, VerificationReport
from research.db.tenancy import tenant_context
from research.models import State
from research.web.report.contradictions_page import NEEDED
from tests.web.pages import fold_spaces, tree, words
from tests.worlds import make_report

GATES = {
    "mine": "12 percent",
    "theirs": "21 percent",
    "circumstances": [
        {"circumstance": "date", "mine": ["2019"], "theirs": [], "standing": "one_sided"},
        {"circumstance": "place", "mine": ["Sweden"], "theirs": ["Norway"], "standing": "apart"},
    ],
}
SCORES = {"authority": 0.8, "recency": 0.5, "corroboration": 0.7, "specificity": 0.6}


def page(client, world):
    return client.get(f"/runs/{world.run.pk}/contradictions/")


def change(world, **columns):
    with tenant_context(world.person.tenant.pk):
        Contradiction.objects.filter(run=world.run).update(**columns)


def check(world):
    with tenant_context(world.person.tenant.pk):
        VerificationReport.objects.create(run=world.run, report_version=1, overall_status="passed")


def test_both_sides_stand_with_their_words_sources_and_ways_on(client, world):
    sides = tree(page(client, world)).xpath("//section[contains(@class, 'pair-side')]")
    first, second = (fold_spaces(side.text_content()) for side in sides)
    assert "A Strong 3 independent sources The seasonal factor stayed above two" in first
    assert "[2] Laborstudie" in first
    assert "Backup heaters ran for forty hours." in second
    links = sides[0].xpath(".//a/@href")
    citation = world.citations[0]
    assert f"/runs/{world.run.pk}/report/#claim-1" in links
    assert f"/sources/{world.trial.pk}/?citation={citation.pk}#passage-{citation.pk}" in links


def test_quotes_beside_the_claims_own_words_carry_their_language(client, world):
    assert tree(page(client, world)).xpath("//section[contains(@class, 'pair-side')]//blockquote/@lang") == [
        "de"
    ]


def test_why_they_may_differ_is_a_table_of_both_sides(client, world):
    change(world, gates=GATES)
    shown = tree(page(client, world))
    assert "“12 percent” against “21 percent”" in shown.xpath("string(//article//h2)")
    rows = shown.xpath("//table[contains(@class, 'circumstances')]/tbody/tr")
    assert [fold_spaces(row.text_content()) for row in rows] == [
        "Time 2019 published March 2024 Only one side says",
        "Place Sweden Norway Differs",
    ]


def test_a_side_without_a_time_shows_when_its_source_was_published(client, world):
    apart = {"circumstance": "date", "mine": [], "theirs": ["2019"], "standing": "apart"}
    change(world, gates={"circumstances": [apart]})
    assert "published March 2024" in words(page(client, world))


def test_an_open_pair_says_that_nothing_is_settled(client, world):
    shown = words(page(client, world))
    assert "1 pair of claims · 1 open" in shown
    assert "Not settled" in shown


def test_what_the_rules_weighed_is_told(client, world):
    change(
        world, resolution="presented_both", margin=0.08, scores_a=SCORES, scores_b=SCORES | {"authority": 0.4}
    )
    shown = words(page(client, world))
    assert "the sides are 0.08 apart, where 0.30 is needed" in shown
    assert "Authority80% 80% 40% 40%" in shown


def test_the_side_that_is_used_is_marked(client, world):
    change(world, resolution="resolved", winner=world.claims[1], margin=0.42, scores_a=SCORES)
    shown = tree(page(client, world))
    assert "side B counts for more by 0.42" in fold_spaces(shown.text_content())
    assert shown.xpath("//section[contains(@class, 'used')]/@aria-label") == ["Side B"]


@pytest.mark.parametrize(
    ("has_winner", "said"), [(True, "ada decided for side A."), (False, "ada decided for neither side.")]
)
def test_a_decision_names_who_made_it(client, world, has_winner, said):
    winner = world.claims[0] if has_winner else None
    change(world, resolution="human", resolved_by=world.person.user, winner=winner, note="Newer study.")
    shown = words(page(client, world))
    assert said in shown
    assert "Newer study." in shown


def test_figures_in_the_words_are_those_of_the_rules():
    assert NEEDED == MARGIN
    assert (claim_confidence.RESOLVED_CAP.limit, claim_confidence.BOTH_SIDES_CAP.limit) == (0.8, 0.6)


def test_without_a_contradiction_the_page_says_what_was_compared(client, world):
    with tenant_context(world.person.tenant.pk):
        Contradiction.objects.all().delete()
    check(world)
    shown = words(page(client, world))
    assert "No contradiction was found." in shown
    assert "All claims rest first of all on one source" in shown


def test_claims_of_several_sources_are_counted(client, world):
    with tenant_context(world.person.tenant.pk):
        Contradiction.objects.all().delete()
        Citation.objects.filter(pk=world.citations[0].pk).update(citation_index=2)
    check(world)
    shown = words(page(client, world))
    assert "3 claims were compared. They stand on 2 sources." in shown
    assert "different figures" in shown


def test_before_the_check_nothing_is_claimed(client, ada):
    world = make_report(ada, state=State.SYNTHESIZING)
    with tenant_context(ada.tenant.pk):
        Contradiction.objects.all().delete()
    shown = words(page(client, world))
    assert "That has not happened." in shown
    assert "This run is still at work" in shown


def test_while_a_person_is_asked_the_page_leads_to_the_question(client, ada):
    world = make_report(ada, state=State.HUMAN_REVIEW_CONFLICTS)
    assert tree(page(client, world)).xpath(f"//a[@href='/review/?run={world.run.pk}']")


def test_words_of_sources_are_never_markup(client, world):
    change(world, note="<b>x</b>", gates={"mine": "<i>1</i>", "theirs": "<i>2</i>"})
    shown = page(client, world).content
    assert b"<b>x</b>" not in shown
    assert b"<i>1</i>" not in shown
