"""The database itself refuses these, whatever the application does (spec: data-model.md, principles 1 and 6)."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from citations.models import Citation, Claim, Section
from research.db.tenancy import tenant_context
from research.models import Content, Run, Source, State, Step
from tests.often import often

QUOTE = "Verifiers SHALL require 8 characters."


@pytest.fixture
def inside(world) -> Iterator[None]:
    with tenant_context(world.tenant.pk):
        yield


@contextmanager
def expect_refusal(why: str) -> Iterator[None]:
    """The database says no, and the transaction around it can go on."""
    with pytest.raises(IntegrityError, match=why), transaction.atomic():
        yield


def claim(world, **values: object) -> Claim:
    return Claim.objects.create(run=world.run, text=QUOTE, **values)


def cite(world, quote: str, start: int, *, of: Claim | None = None, source: Source | None = None) -> Citation:
    return Citation.objects.create(
        claim=of or claim(world), source=source or world.source, quote=quote, start_offset=start,
        end_offset=start + len(quote), match_type="exact",
    )  # fmt: skip


def commit() -> None:
    """Make deferred constraints speak now, as a commit would."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def test_a_quote_that_is_the_sources_own_words_is_taken(world, inside):
    assert cite(world, QUOTE, world.content.text.index(QUOTE)).pk


@pytest.mark.parametrize(
    ("quote", "shift"),
    [(QUOTE, 1), (QUOTE.replace("8", "9"), 0), (QUOTE.lower(), 0), ("x" * 500, 0)],
    ids=["wrong place", "another number", "another case", "past the end"],
)
def test_a_quote_that_is_not_the_sources_own_words_is_refused(world, inside, quote, shift):
    with expect_refusal("not what its source says"):
        cite(world, quote, world.content.text.index(QUOTE) + shift)


def test_a_stored_quote_cannot_be_changed_to_other_words(world, inside):
    citation = cite(world, QUOTE, world.content.text.index(QUOTE))
    with expect_refusal("not what its source says"):
        Citation.objects.filter(pk=citation.pk).update(quote="Verifiers SHALL require 9 characters.")


def test_a_source_without_a_text_cannot_be_quoted(world, inside):
    bare = Source.objects.create(run=world.run, canonical_url="library:b.txt")
    with expect_refusal("not what its source says"):
        cite(world, QUOTE, 0, source=bare)


def test_a_source_of_another_run_cannot_be_cited(world, inside):
    elsewhere = Run.objects.create(topic="Another question?", owner=world.owner)
    foreign = Source.objects.create(run=elsewhere, content=world.content, canonical_url="library:a.txt")
    with expect_refusal("not among the sources"):
        cite(world, QUOTE, world.content.text.index(QUOTE), source=foreign)


@pytest.mark.parametrize("column", ["text", "sha256"])
def test_a_text_that_was_read_stays_as_it_was_read(world, inside, column):
    with expect_refusal("frozen"):
        Content.objects.filter(pk=world.content.pk).update(**{column: "changed"})


@often(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=2),
    data=st.data(),
)
def test_offsets_count_code_points_in_any_script(world, text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    with tenant_context(world.tenant.pk):
        Citation.objects.all().delete()
        Source.objects.exclude(pk=world.source.pk).delete()
        content = Content.objects.create(
            raw_sha256=str(hash((text, start, end))),
            extractor="test",
            sha256="s",
            text=text,
            media_type="text/plain",
        )
        source = Source.objects.create(run=world.run, content=content, canonical_url="library:any")
        assert cite(world, text[start:end], start, source=source).pk
        commit()


def place_claim(world) -> Claim:
    return claim(world, section=Section.objects.create(run=world.run, index=0, heading="Answer"))


def complete(world) -> None:
    Run.objects.filter(pk=world.run.pk).update(state=State.COMPLETED)
    commit()


def test_a_run_completes_when_each_placed_claim_is_cited(world, inside):
    cite(world, QUOTE, world.content.text.index(QUOTE), of=place_claim(world))
    complete(world)
    assert Run.objects.get(pk=world.run.pk).state == State.COMPLETED


def test_a_run_cannot_complete_with_a_placed_claim_that_has_no_citation(world, inside):
    place_claim(world)
    with expect_refusal("no claim without a citation"):
        complete(world)


def test_a_claim_that_was_left_out_needs_no_citation(world, inside):
    claim(world)
    complete(world)


def test_a_bare_claim_cannot_be_slipped_into_a_finished_report(world, inside):
    complete(world)
    with expect_refusal("no claim without a citation"):
        place_claim(world)
        commit()


def test_the_last_citation_of_a_finished_reports_claim_cannot_be_removed(world, inside):
    citation = cite(world, QUOTE, world.content.text.index(QUOTE), of=place_claim(world))
    complete(world)
    with expect_refusal("no claim without a citation"):
        citation.delete()
        commit()


def test_the_last_citation_of_a_finished_reports_claim_cannot_go_to_another_claim(world, inside):
    citation = cite(world, QUOTE, world.content.text.index(QUOTE), of=place_claim(world))
    other = claim(world)
    complete(world)
    with expect_refusal("no claim without a citation"):
        Citation.objects.filter(pk=citation.pk).update(claim=other)
        commit()


def test_a_claim_without_a_citation_cannot_be_placed_in_a_finished_report(world, inside):
    left_out = claim(world)
    section = Section.objects.create(run=world.run, index=0, heading="Answer")
    complete(world)
    with expect_refusal("no claim without a citation"):
        Claim.objects.filter(pk=left_out.pk).update(section=section)
        commit()


def test_the_check_at_commit_needs_no_tenant_setting(world):
    with expect_refusal("no claim without a citation"):
        with tenant_context(world.tenant.pk):
            place_claim(world)
            Run.objects.filter(pk=world.run.pk).update(state=State.COMPLETED)
        commit()


@pytest.mark.parametrize("topic", ["", "hm", "x" * 10_001], ids=["empty", "two letters", "10 001 characters"])
def test_a_topic_of_the_wrong_length_is_refused(world, inside, topic):
    with expect_refusal("run_topic_length"):
        Run.objects.create(topic=topic, owner=world.owner)


@pytest.mark.parametrize(
    ("model", "column", "constraint"),
    [(Run, "state", "state_known"), (Run, "kind", "kind_known"), (Claim, "strength", "strength_known")],
)
def test_a_value_outside_its_enumeration_is_refused(world, inside, model, column, constraint):
    row = world.run if model is Run else claim(world)
    with expect_refusal(constraint):
        model.objects.filter(pk=row.pk).update(**{column: "nonsense"})


@pytest.mark.parametrize("confidence", [-0.1, 1.1])
def test_a_confidence_outside_its_range_is_refused(world, inside, confidence):
    with expect_refusal("confidence_range"):
        claim(world, confidence=confidence)


def test_a_failed_run_says_why(world, inside):
    with expect_refusal("run_failure_iff_failed"):
        Run.objects.filter(pk=world.run.pk).update(state=State.FAILED)


def test_a_step_is_stored_once_per_key(world, inside):
    Step.objects.create(run=world.run, step_index=0, key="1.planning", handler="state", agent_role="planner")
    with expect_refusal("one_step_per_key"):
        Step.objects.create(
            run=world.run, step_index=1, key="1.planning", handler="state", agent_role="planner"
        )


def test_a_json_column_of_the_wrong_shape_is_refused_before_it_is_written(world, inside):
    with pytest.raises(ValueError, match=r"Run\.plan"), transaction.atomic():
        Run.objects.create(topic="A question", owner=world.owner, plan={"goal": "no subtopics"})
