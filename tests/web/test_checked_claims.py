"""A reader sees a claim's check on the popover, on its page, and in the report's text."""

import pytest

from citations.models import Citation
from research.db.tenancy import tenant_context
from tests.checked import CheckedWorld, make_checked_report
from tests.web.pages import fold_spaces, tree, words


@pytest.fixture
def world(ada) -> CheckedWorld:
    return make_checked_report(ada)


def claim(client, world, number, **headers):
    return client.get(f"/runs/{world.run.pk}/claims/{number}/", headers=headers)


def popover(client, world, number):
    return claim(client, world, number, **{"HX-Request": "true"})


def read_marks(response, state: str) -> list[str]:
    found = tree(response).xpath(f"//p[contains(@class, 'cited-text')]//*[@class='part {state}']")
    return [fold_spaces(part.text_content()) for part in found]


def legend(response) -> list[str]:
    rows = tree(response).xpath("//dl[contains(@class, 'alignment')]/div")
    return [fold_spaces(row.text_content()) for row in rows]


def test_the_popover_marks_the_words_that_stand_in_the_source(client, world):
    assert "21 percent" in read_marks(popover(client, world, 1), "matched")


def test_a_conflict_is_named_in_words(client, world):
    assert "In conflict: source says “12 percent”, claim says “21 percent”" in legend(
        popover(client, world, 1)
    )


def test_words_that_no_source_has_are_marked_and_listed(client, world):
    page = popover(client, world, 2)
    assert read_marks(page, "missing") == ["Sweden"]
    assert "Not in the source: “Sweden”" in legend(page)


def test_matched_words_are_listed_for_those_who_cannot_see_lines(client, world):
    matched = tree(popover(client, world, 2)).xpath(
        "//dl[contains(@class, 'alignment')]//dd[@class='visually-hidden']"
    )
    assert "“programme”" in matched[0].text_content()


def test_words_taken_over_as_they_stand_are_said_to_be_so(client, world):
    page = popover(client, world, 4)
    assert "Appears in the source Every word, in this order." in words(page)
    assert legend(page) == []
    assert read_marks(page, "matched") == ["The utility of Nordhaus asked its customers in March 2024."]


def test_verbatim_words_under_a_condition_keep_the_legend_and_the_condition(client, world):
    page = popover(client, world, 3)
    assert legend(page) == ["In the source: every word, in this order"]
    assert "If the ground is frozen" in words(page)


def test_a_source_that_says_otherwise_is_tagged(client, world):
    assert "Contradicts" in words(popover(client, world, 1))
    assert "Contradicts" not in words(popover(client, world, 2))


def test_a_close_match_shows_its_share_and_is_not_called_exact(client, world):
    page = words(popover(client, world, 2))
    assert "Close match 94%" in page
    assert "Exact words" not in page


def test_a_close_match_is_never_rounded_up_to_the_whole(client, world):
    with tenant_context(world.person.tenant.pk):
        Citation.objects.update(similarity=0.997)
    assert "Close match 99%" in words(popover(client, world, 2))


def test_the_page_of_a_claim_says_how_it_was_checked(client, world):
    page = words(claim(client, world, 2))
    assert "Partly supported “Sweden” is not in the source." in page
    assert "Level of checking: strict" in page
    assert "Text match" in page


def test_the_page_of_a_claim_gives_all_reasons(client, world):
    assert "Only one source says so." in words(claim(client, world, 4))


def test_every_cap_of_a_claims_confidence_is_shown(client, world):
    assert "Limited bySources disagree; both sides are presented." in words(claim(client, world, 1))


def test_the_report_marks_doubtful_claims_with_a_word(client, world):
    page = tree(client.get(f"/runs/{world.run.pk}/report/"))
    badges = page.xpath("//section[@id='section-1']//button")
    doubts = [fold_spaces(badge.xpath("string(.//*[contains(@class, 'doubt')])")) for badge in badges]
    assert doubts == ["≠ disputed", "◐ partly supported", "◐ partly supported", ""]


def test_the_name_of_a_badge_says_the_doubt_too(client, world):
    page = tree(client.get(f"/runs/{world.run.pk}/report/"))
    name = fold_spaces(page.xpath("string((//section[@id='section-1']//button)[2])"))
    assert "partly supported" in name
    assert name.endswith("Show sources for claim 2")


def test_words_of_sources_are_never_markup(client, world):
    with tenant_context(world.person.tenant.pk):
        row = world.claims[1]
        row.alignment[0]["source"] = "<b>x</b>"
        row.alignment[0]["state"] = "conflicting"
        row.save(update_fields=["alignment"])
    assert b"<b>x</b>" not in popover(client, world, 2).content


def panel(client, world) -> str:
    page = tree(client.get(f"/runs/{world.run.pk}/warnings/"))
    return fold_spaces(page.get_element_by_id("checks").text_content())


def test_the_report_says_in_short_what_was_checked(client, world):
    page = words(client.get(f"/runs/{world.run.pk}/report/"))
    assert (
        "What was checked 5 objections Needs revision Claims checked against their sources: 2 of 4 supported."
        in page
    )


def test_the_warnings_say_what_was_checked(client, world):
    found = panel(client, world)
    assert (
        "What was checked (5 objections) Needs revision Claims checked against their sources: 2 of 4 supported."
        in found
    )
    assert "Level of checking: strict" in found
    assert "2 Left out" in found


def test_each_issue_says_what_the_source_says_and_what_became_of_it(client, world):
    found = panel(client, world)
    assert "Critical Contradicted Sales, claim 6" in found
    assert (
        "The source says “March 2024”, the claim says “May 2024”. The source says: “asked its customers"
        in found
    )
    assert "Left out of the report." in found


def test_an_issue_leads_to_its_claim_where_that_is_in_the_report(client, world):
    page = tree(client.get(f"/runs/{world.run.pk}/warnings/"))
    report = f"/runs/{world.run.pk}/report/"
    assert page.xpath("//*[@id='checks']//a/@href") == [f"{report}#claim-{number}" for number in (1, 2, 3)]


def test_a_source_shows_its_credibility(client, world):
    page = words(client.get(f"/sources/{world.survey.pk}/"))
    assert "Credibility" in page
    assert "/10" in page
