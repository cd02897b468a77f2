"""A run's page and report say whether its sources are enough, and what makes a source's score."""

from datetime import date

import pytest

from citations.credibility.source_recency import RecencyBias
from research.db.tenancy import tenant_context
from research.library.rate_library_source import Judge
from research.models import Run, Source, State
from research.models.schemas import StoredCheck, StoredSufficiency
from tests.web.pages import tree, words

NAMES = ("count", "coverage", "diversity", "recency", "quality", "novelty")


@pytest.fixture
def world_with_checks(world):
    """Return a run with six checks, of which one could not be measured, and with scores of its sources."""
    checks = [
        StoredCheck(name=name, score=0.5, is_passed=False, detail=f"About {name}.") for name in NAMES[:-1]
    ]
    checks.append(
        StoredCheck(name="novelty", score=None, is_passed=False, detail="Measured from 20 sources on.")
    )
    checks[0] = checks[0].model_copy(update={"score": 1.0, "is_passed": True})
    stored = StoredSufficiency(checks=checks, score=0.6, is_enough=False, rounds=2, state="reading")
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(
            sufficiency=stored.model_dump(mode="json"),
            config={"depth": "quick", "regions": ["ch"], "excluded_domains": ["ads.example"]},
        )
        world.trial.relevance_score, world.trial.must_read = 0.7, True
        Judge(RecencyBias.BALANCED, date(2026, 11, 1)).weigh(world.trial).save()
    return world


def bars(page):
    """Name, figure and outcome of each check."""
    rows = tree(page).xpath("//section[contains(@class, 'sufficiency')]//li")
    return [[" ".join(part.text_content().split()) for part in row.xpath("./span")[:3]] for row in rows]


def test_the_six_checks_are_bars_with_words_on_the_runs_page(client, world_with_checks):
    page = client.get(f"/runs/{world_with_checks.run.pk}/")
    assert bars(page) == [
        ["Number of sources", "100%", "reached"],
        ["Subtopics covered", "50%", "not reached"],
        ["Diversity", "50%", "not reached"],
        ["Dates", "50%", "not reached"],
        ["Quality", "50%", "not reached"],
        ["Saturation", "–", "not measured"],
    ]
    assert "About coverage." in words(page)
    assert "They do not say whether the sources answer the question." in words(page)
    assert "Less broad than wanted" in words(page)
    assert "2 rounds of searches." in words(page)


def test_they_stand_in_the_report_beside_what_was_asked(client, world_with_checks):
    page = client.get(f"/runs/{world_with_checks.run.pk}/report/")
    assert len(bars(page)) == 6
    told = " ".join(tree(page).xpath("//*[@id='method']")[0].text_content().split())
    for words_of in ("Depth Quick", "Regions Switzerland", "Excluded sites ads.example"):
        assert words_of in told


def test_sources_that_are_still_looked_for_the_first_time_get_no_verdict(client, world_with_checks):
    with tenant_context(world_with_checks.person.tenant.pk):
        run = Run.objects.get(pk=world_with_checks.run.pk)
        Run.objects.filter(pk=run.pk).update(
            state=State.COLLECTING, sufficiency=run.sufficiency | {"rounds": 1}
        )
    page = client.get(f"/runs/{world_with_checks.run.pk}/")
    assert bars(page) == []
    assert "Less broad than wanted" not in words(page)


def test_a_run_that_has_not_looked_yet_shows_no_bars(client, world):
    assert bars(client.get(f"/runs/{world.run.pk}/")) == []


def test_the_sources_page_opens_what_makes_a_score(client, world_with_checks):
    page = client.get(f"/runs/{world_with_checks.run.pk}/sources/")
    [why] = tree(page).xpath("//details[contains(@class, 'why')]")
    told = " ".join(why.text_content().split())
    for part in (
        "Why this score",
        "Relevance 70% × 36%",
        "+0.30 for its tier",
        "for its references",
        "1 November 2026",
    ):
        assert part in told
    assert "had to be read" in words(page)


def test_a_source_without_scores_shows_none(client, world):
    page = client.get(f"/runs/{world.run.pk}/sources/")
    assert not tree(page).xpath("//details[contains(@class, 'why')]")


def test_an_undated_source_is_marked_wherever_it_shows(client, world):
    for path in (
        f"/runs/{world.run.pk}/sources/",
        f"/sources/{world.study.pk}/",
        f"/runs/{world.run.pk}/report/",
    ):
        assert "date unknown" in words(client.get(path))


def test_a_strangers_checks_are_not_shown(stranger, world_with_checks):
    assert stranger.get(f"/runs/{world_with_checks.run.pk}/").status_code == 404


def test_scores_of_a_source_are_told_on_its_own_page(client, world_with_checks):
    with tenant_context(world_with_checks.person.tenant.pk):
        quality = Source.objects.get(pk=world_with_checks.trial.pk).quality_score
    page = words(client.get(f"/sources/{world_with_checks.trial.pk}/"))
    assert f"{round(100 * quality)}%" in page
    assert "Why this score" in page
