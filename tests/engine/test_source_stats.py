"""The sources of a run as the six checks see them, and what is kept of what they came to."""

from datetime import timedelta

import pytest

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import Policy
from research.engine.states.state_source_stats import check_sufficiency, load_source_stats, store_sufficiency
from research.engine.states.state_source_sufficiency import CheckName, SufficiencyCheck, SufficiencyResult
from research.models import Chunk, Source, State
from research.models.schemas import Subtopic
from tests.engine.rows import fresh, put_into

COSTS, RISKS = Subtopic(name="costs", queries=["q"], target_sources=4), Subtopic(name="risks", queries=["q"])
SEEN = SufficiencyResult(
    (
        SufficiencyCheck(CheckName.COUNT, 0.5, False, "2 found, at least 4 wanted."),
        SufficiencyCheck(CheckName.COVERAGE, 1.0, True, "1 of 1 subtopic has half of the sources wanted."),
        SufficiencyCheck(CheckName.NOVELTY, None, False, "Measured from 20 sources on."),
    )
)


@pytest.fixture
def run(start_toy, tenant):
    run = put_into(start_toy(), State.COLLECTING)
    with tenant_context(tenant.pk):
        yield run


def add(run, name, **columns):
    values = {"domain": f"{name}.example", "status": "extracted", "title": name} | columns
    return Source.objects.create(run=run, canonical_url=f"https://{name}.example/", **values)


def say(source, text, **columns):
    values = {
        "chunk_index": 0,
        "text_hash": "x",
        "start_offset": 0,
        "end_offset": len(text),
        "token_count": 9,
    }
    return Chunk.objects.create(run=source.run, source=source, text=text, **(values | columns))


def origins(run):
    return [stat.origin for stat in load_source_stats(run)]


def detail(run, name, subtopics=(COSTS,), **policy):
    stock = check_sufficiency(run, subtopics, Policy(**policy))
    return next(check.detail for check in stock.checks if check.name is name)


# --- what is seen ------------------------------------------------------------------------------


def test_a_source_is_seen_with_what_the_checks_ask_about(run):
    add(run, "a", subtopic="costs", source_type="news", published_date="2024-05", quality_score=0.7)
    [one] = load_source_stats(run)
    assert (one.subtopic, one.origin, one.kind) == ("costs", "a.example", "news")
    assert (one.published, one.quality) == ("2024-05", 0.7)


def test_a_source_without_a_domain_has_an_origin_of_its_own(run):
    row = add(run, "a", domain="")
    assert origins(run) == [str(row.pk)]


@pytest.mark.parametrize("status", ["duplicate", "excluded", "failed"])
def test_what_was_set_aside_or_failed_is_not_seen(run, status):
    add(run, "a", status=status, error_code="X" if status == "failed" else "")
    add(run, "b", status="pending")
    assert origins(run) == ["b.example"]


def test_sources_come_in_the_order_in_which_they_were_found(run, start_toy):
    first, _second, third = (add(run, name) for name in "abc")
    add(start_toy(), "elsewhere")
    Source.objects.filter(pk=third.pk).update(created_at=first.created_at - timedelta(hours=1))
    assert origins(run) == ["c.example", "a.example", "b.example"]


def test_before_it_is_read_a_source_says_the_longer_words_of_its_title(run):
    say(add(run, "a", title="Ein MASS für die Höhe: 40 m, 400 m"), "Something else entirely.")
    assert load_source_stats(run)[0].words == {"ein", "mass", "für", "die", "höhe", "400"}


def test_once_it_is_read_a_source_says_the_stems_of_its_passages(run):
    run.state = State.READING
    source = add(run, "a", title="Rooms")
    say(source, "Heating the rooms.")
    say(source, "Heated and cooled.", chunk_index=1, start_offset=20, end_offset=38)
    say(add(run, "b", title="Else"), "Something else.")
    first, second = load_source_stats(run)
    assert first.words == {"heat", "room", "cool"}
    assert second.words == {"someth", "els"}


def test_a_source_without_passages_says_its_title_among_others_that_are_read(run):
    run.state = State.READING
    add(run, "a", title="Warm rooms")
    assert load_source_stats(run)[0].words == {"warm", "rooms"}


# --- what it is laid against -------------------------------------------------------------------


def test_the_checks_ask_for_what_the_run_s_configuration_asks_for(run):
    add(run, "a", subtopic="costs", source_type="academic", published_date="2024", quality_score=0.5)
    assert detail(run, CheckName.COUNT, minimum_sources=7) == "1 found, at least 7 wanted."
    assert detail(run, CheckName.QUALITY, source_quality=0.9) == "Mean quality 0.50, 0.90 wanted."
    ranged = detail(run, CheckName.RECENCY, published_from="2025", published_to="2026-03")
    assert ranged == "0 of 1 published from 2025 to 2026-03."


def test_each_subtopic_wants_as_many_sources_as_the_plan_says(run):
    for number in range(2):
        add(run, f"a{number}", subtopic="costs")
    add(run, "b", subtopic="risks")
    assert detail(run, CheckName.COVERAGE, (COSTS, RISKS)) == (
        "1 of 2 subtopics have half of the sources wanted. Thin: risks."
    )


def test_a_run_that_can_have_one_kind_of_source_is_not_asked_for_more(run):
    for number in range(6):
        add(run, f"a{number}", source_type="academic")

    def diversity(kinds):
        stock = check_sufficiency(run, (COSTS,), Policy(source_kinds=kinds))
        return next(check.score for check in stock.checks if check.name is CheckName.DIVERSITY)

    assert (diversity(1), diversity(0)) == (1.0, 0.6667)


# --- what is kept ------------------------------------------------------------------------------


def test_what_was_seen_is_kept_on_the_run(run):
    store_sufficiency(run, SEEN)
    kept = fresh(run).sufficiency
    assert kept == run.sufficiency
    assert (kept["score"], kept["is_enough"], kept["rounds"], kept["state"]) == (0.75, False, 1, "collecting")
    assert kept["checks"][0] == {
        "name": "count",
        "score": 0.5,
        "is_passed": False,
        "detail": "2 found, at least 4 wanted.",
    }
    assert [(one["name"], one["score"], one["is_passed"]) for one in kept["checks"][1:]] == [
        ("coverage", 1.0, True),
        ("novelty", None, False),
    ]


def test_where_nothing_was_looked_at_what_was_seen_before_stays(run):
    store_sufficiency(run, SEEN)
    before = fresh(run).sufficiency
    store_sufficiency(run, None)
    assert fresh(run).sufficiency == before


@pytest.mark.parametrize(("attempt", "rounds"), [(0, 1), (1, 2), (4, 5)])
def test_each_try_of_collecting_is_a_round_of_searches(run, attempt, rounds):
    run.attempt = attempt
    store_sufficiency(run, SEEN)
    assert fresh(run).sufficiency["rounds"] == rounds


def test_reading_keeps_the_rounds_that_were_counted(run):
    run.attempt = 2
    store_sufficiency(run, SEEN)
    run.state, run.attempt = State.READING, 1
    store_sufficiency(run, SEEN)
    kept = fresh(run).sufficiency
    assert (kept["rounds"], kept["state"]) == (3, "reading")


def test_a_run_that_was_not_looked_at_before_it_reads_counts_its_try(run):
    run.state, run.attempt = State.READING, 1
    store_sufficiency(run, SEEN)
    assert fresh(run).sufficiency["rounds"] == 2


def test_of_one_run_alone_it_is_kept(run, start_toy):
    other = start_toy()
    store_sufficiency(run, SEEN)
    assert fresh(other).sufficiency is None
