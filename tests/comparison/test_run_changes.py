"""Changes between two runs in the database."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from citations.claim_diff.claim_differences import Aspect
from citations.models import Claim
from research.db.tenancy import tenant_context
from research.models import Run, SourceStatus
from research.runs.comparison.run_changes import Absence, ChangeCounts, changes_between, counts_between
from research.runs.comparison.summarize_run_changes import changes_since, counts_in_words
from tests.comparison.runs import two_reports
from tests.people import join
from tests.worlds import add_content, add_source, cite


@pytest.fixture
def ada(db):
    return join("ada")


@pytest.fixture
def two(ada):
    return two_reports(ada)


def look(two, *, back: bool = False):
    ids = (two.old.run.pk, two.new.run.pk)
    with tenant_context(two.new.person.tenant.pk):
        return changes_between(*(reversed(ids) if back else ids))


def test_a_run_that_says_the_same_has_no_change(two):
    found = look(two)
    assert found.counts == ChangeCounts(same=3)
    assert not found.sources.are_any


def test_claims_are_compared_by_the_vectors_that_the_database_keeps(two):
    with tenant_context(two.new.person.tenant.pk):
        for number, pair in enumerate(zip(two.old.claims, two.new.claims, strict=True)):
            vector = [float(place == number) for place in range(384)]
            Claim.objects.filter(pk__in=[claim.pk for claim in pair]).update(embedding=vector)
    two.change(3, text="Oil fell by 40 percent.")
    assert look(two).counts == ChangeCounts(same=2, changed=1)


def test_another_figure_is_a_change_with_both_figures_and_both_sides_evidence(two):
    two.change(3, text="Oil fell by 40 percent.")
    [pair] = look(two).changed
    [difference] = pair.differences
    assert (difference.aspect, difference.old, difference.new) == (Aspect.FIGURE, "30 percent", "40 percent")
    assert (pair.old.number, pair.new.number) == (3, 3)
    assert [source.title for source in pair.new.sources] == ["Cold field trial"]
    assert pair.says_otherwise


def test_what_stands_otherwise_comes_after_what_says_otherwise(two):
    two.change(1, strength="limited")
    two.change(3, text="Oil fell by 40 percent.")
    assert [pair.says_otherwise for pair in look(two).changed] == [True, False]


def test_a_claim_that_was_left_out_says_why(two):
    two.leave_out(2, "Its source does not support it.")
    found = look(two)
    [gone] = found.gone
    assert (gone.claim.number, gone.absence) == (2, Absence.LEFT_OUT)
    assert gone.note == "Its source does not support it."
    assert found.counts == ChangeCounts(gone=1, same=2)


def test_a_claim_whose_source_could_not_be_read_says_so(two):
    two.leave_out(2)
    failed = {
        "status": SourceStatus.FAILED,
        "error_code": "timeout",
        "error_message": "The site did not answer.",
    }
    two.change_source(two.new.trial, **failed)
    [gone] = look(two).gone
    assert (gone.absence, gone.note) == (Absence.NOT_READ, "The site did not answer.")


def test_a_claim_whose_source_was_not_met_says_so(two):
    two.leave_out(2)
    two.change_source(two.new.trial, canonical_url="library:other.txt")
    assert look(two).gone[0].absence is Absence.NOT_FOUND


def test_a_claim_whose_source_has_another_text_says_so(two, ada):
    two.leave_out(2)
    with tenant_context(ada.tenant.pk):
        cite(two.old.claims[1], two.old.note, "A note that nobody cites")
        two.new.note.content = add_content("This page was rewritten.")
        two.new.note.save()
    found = look(two)
    assert found.gone[0].absence is Absence.SOURCE_CHANGED
    assert [one.id for one in found.sources.changed] == [two.new.note.pk]


def test_a_claim_whose_source_was_read_again_but_not_taken_up_says_so(two):
    two.leave_out(2)
    assert look(two).gone[0].absence is Absence.NOT_CHOSEN


def test_sources_that_came_and_went_are_named(two, ada):
    with tenant_context(ada.tenant.pk):
        add_source(two.new.run, "fresh.txt", "A fresh page.", title="Fresh")
    two.change_source(
        two.new.note, status=SourceStatus.FAILED, error_code="gone", error_message="There is no such page."
    )
    found = look(two).sources
    assert [one.title for one in found.new] == ["Fresh"]
    [(before, now)] = found.gone
    assert (before.title, now.problem) == ("A <b>note</b>", "There is no such page.")


def test_looking_back_turns_new_and_gone_round(two):
    two.leave_out(2)
    there, back = look(two), look(two, back=True)
    assert [one.number for one in back.added] == [one.claim.number for one in there.gone] == [2]


def test_it_takes_as_many_queries_for_more_claims(two, ada):
    def queries():
        with tenant_context(ada.tenant.pk), CaptureQueriesContext(connection) as seen:
            changes_between(two.old.run.pk, two.new.run.pk)
        return len(seen)

    before = queries()
    with tenant_context(ada.tenant.pk):
        for number in range(5):
            add_source(two.new.run, f"more{number}.txt", f"More {number}.", title=f"More {number}")
    assert queries() == before == 4


def test_another_tenants_run_is_not_there(two):
    bob = join("bob")
    with tenant_context(bob.tenant.pk), pytest.raises(Run.DoesNotExist):
        changes_between(two.old.run.pk, two.new.run.pk)
    with tenant_context(two.new.person.tenant.pk), pytest.raises(Run.DoesNotExist):
        changes_between(two.old.run.pk, uuid4())


def test_counts_are_those_of_the_rows_as_they_are_now(two, ada):
    def counts():
        with tenant_context(ada.tenant.pk):
            return counts_between(*(Run.objects.get(pk=one.run.pk) for one in (two.old, two.new)))

    assert counts() == ChangeCounts(same=3)
    two.leave_out(2)
    assert counts() == ChangeCounts(gone=1, same=2)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (ChangeCounts(), ""),
        (ChangeCounts(new=1), "1 claim new"),
        (ChangeCounts(new=3, changed=1, gone=2), "3 claims new, 1 claim changed, 2 claims gone"),
    ],
)
def test_counts_in_words_leave_out_what_is_nought(counts, words):
    assert counts_in_words(counts) == words


def test_the_sentence_names_the_day(two):
    day = two.old.run.created_at
    assert changes_since(ChangeCounts(), day).startswith("No claim has changed since ")
    assert changes_since(ChangeCounts(gone=2), day).startswith("2 claims gone since ")
