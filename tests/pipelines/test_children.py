"""A follow-up and an extension: what the run before has read is taken over; only what is missing is searched for."""

import pytest

from citations.models import Citation
from research.db.tenancy import tenant_context
from research.models import Chunk, Relation, Run, Source, SourceStatus, State, Step
from research.pipelines.report.report_follow_up import MAX_MORE, extend, sources_read, start_follow_up
from research.pipelines.report.report_step_names import ReportStepName
from research.runs.start_and_cancel import InvalidTopic, StartRefused, cancel_run
from tests.pipelines.conftest import QUESTION
from tests.pipelines.stepping import begin, go_on, now

KNOWN = "What seasonal performance factor must a heat pump reach under Building Policy Guide 1.0?"
UNKNOWN = "How many hours of sun do tomatoes need?"


@pytest.fixture(scope="module")
def parent(account, library):
    """It read the two guides alone."""
    run = begin(account, QUESTION, folders=[library], target_sources=2)
    run = go_on(run)
    assert run.state == State.COMPLETED
    return run


@pytest.fixture
def follow(account, parent):
    """A follow-up, to its end."""

    def ask(question):
        with tenant_context(account.tenant_id):
            run = start_follow_up(parent, account.user, question)
        return go_on(run)

    return ask


def rows(run, model, **which):
    with tenant_context(run.tenant_id):
        return list(model.objects.filter(run=run, **which))


def texts(run):
    """Return the frozen text of each of its sources."""
    return {row.canonical_url: row.content_id for row in rows(run, Source, status=SourceStatus.PROCESSED)}


def test_a_follow_up_is_answered_from_the_sources_that_were_read(follow, parent):
    run = follow(KNOWN)
    assert (run.state, run.is_insufficient) == (State.COMPLETED, False)
    assert not rows(
        run,
        Step,
        handler__in=[ReportStepName.SEARCH_LIBRARY, ReportStepName.READ_DOCUMENT, ReportStepName.READ_PAGE],
    )
    [took] = rows(run, Step, handler=ReportStepName.TAKE_FROM_PARENT)
    assert took.output["suffices"]
    assert texts(run).items() <= texts(parent).items()


def test_its_quotes_are_the_same_texts_own_words(follow):
    run = follow(KNOWN)
    with tenant_context(run.tenant_id):
        cited = list(Citation.objects.filter(claim__run=run).select_related("source__content"))
        assert cited
        assert all(one.quote == one.source.text[one.start_offset : one.end_offset] for one in cited)
        assert {one.source.run_id for one in cited} == {run.pk}
        assert any("at least 2.5" in one.quote for one in cited)


def test_it_knows_its_parent_and_the_parent_knows_it(follow, parent):
    run = follow(KNOWN)
    assert (run.parent_id, run.relation) == (parent.pk, Relation.FOLLOW_UP)
    with tenant_context(parent.tenant_id):
        assert run in parent.children.all()


def test_where_those_sources_do_not_answer_the_search_goes_further(follow, parent):
    run = follow(UNKNOWN)
    [took] = rows(run, Step, handler=ReportStepName.TAKE_FROM_PARENT)
    assert not took.output["suffices"]
    assert rows(run, Step, handler=ReportStepName.SEARCH_LIBRARY)
    assert not run.is_insufficient
    assert rows(run, Source, title="Gardening notes")
    assert not texts(parent).keys() & {
        row.canonical_url for row in rows(run, Source, title="Gardening notes")
    }


def test_a_parent_without_an_answer_can_be_followed_up(account, library):
    asked = go_on(
        begin(account, "Who won the chess championship of 1921?", folders=[library], target_sources=2)
    )
    assert asked.is_insufficient
    with tenant_context(account.tenant_id):
        run = start_follow_up(asked, account.user, QUESTION)
    assert not go_on(run).is_insufficient


def test_an_extension_keeps_what_was_read_and_reads_more(account, parent):
    with tenant_context(account.tenant_id):
        run = extend(parent, account.user, 2)
    assert (run.relation, run.topic) == (Relation.EXTENSION, parent.topic)
    run = go_on(run)
    assert run.state == State.COMPLETED
    before, after = texts(parent), texts(run)
    assert before.items() <= after.items()
    assert len(after) > len(before)
    read = {step.input["source"] for step in rows(run, Step, handler=ReportStepName.READ_DOCUMENT)}
    taken = {str(row.pk) for row in rows(run, Source, canonical_url__in=list(before))}
    assert not read & taken


def test_what_is_taken_over_has_its_passages(account, parent):
    with tenant_context(account.tenant_id):
        run = extend(parent, account.user, 1)
    run = go_on(run)
    for url in texts(parent):
        [source] = rows(run, Source, canonical_url=url)
        assert rows(run, Chunk, source=source)
        assert source.subtopic in {one["name"] for one in run.plan["subtopics"]}


def test_it_wants_as_many_more_as_were_asked_for(account, parent):
    with tenant_context(account.tenant_id):
        run = extend(parent, account.user, 5)
        assert run.config["target_sources"] == sources_read(parent) + 5
        assert run.config["folders"] == parent.config["folders"]
        cancel_run(run.pk)


def test_a_plan_that_was_wished_for_is_not_waited_for_again(account, parent):
    with tenant_context(account.tenant_id):
        Run.objects.filter(pk=parent.pk).update(config={**parent.config, "plan_approval": "ask"})
        parent.refresh_from_db()
        run = start_follow_up(parent, account.user, "What do guides say of passphrases?")
        assert "plan_approval" not in run.config
        cancel_run(run.pk)


@pytest.mark.parametrize("more", [0, -1, MAX_MORE + 1])
def test_an_impossible_number_is_refused(account, parent, more):
    with tenant_context(account.tenant_id), pytest.raises(StartRefused, match="Between 1 and 200"):
        extend(parent, account.user, more)


def test_no_more_than_a_run_may_have(account, parent, settings):
    with tenant_context(account.tenant_id):
        held = settings.PLUMBLINE_LIMITS
        settings.PLUMBLINE_LIMITS = {**held, "sources": (sources_read(parent) + 1, *held["sources"][1:])}
        with pytest.raises(StartRefused, match="can get 1 more"):
            extend(parent, account.user, 2)


def test_a_run_under_way_cannot_be_followed_up(account, library):
    run = begin(account, QUESTION, folders=[library])
    with tenant_context(account.tenant_id):
        with pytest.raises(StartRefused, match="still in progress"):
            start_follow_up(run, account.user, KNOWN)
        cancel_run(run.pk)
        assert not Run.objects.filter(parent=run).exists()


def test_a_question_that_is_none_is_refused(account, parent):
    with tenant_context(account.tenant_id), pytest.raises(InvalidTopic, match="at least 3"):
        start_follow_up(parent, account.user, "?")


def test_the_same_form_twice_is_one_run(account, parent):
    with tenant_context(account.tenant_id):
        first = start_follow_up(parent, account.user, KNOWN, "form-7")
        assert start_follow_up(parent, account.user, KNOWN, "form-7") == first
        cancel_run(first.pk)


def test_a_child_whose_parent_is_gone_searches_by_itself(account, library):
    gone = go_on(begin(account, QUESTION, folders=[library], target_sources=1))
    with tenant_context(account.tenant_id):
        run = start_follow_up(gone, account.user, QUESTION)
        Run.objects.filter(pk=run.pk).update(parent=None)
    assert go_on(run).state == State.COMPLETED
    assert not rows(now(run), Step, handler=ReportStepName.TAKE_FROM_PARENT)
