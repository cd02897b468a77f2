"""The length of a report: counted, shared out, kept in reports by rules and by models."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.models import Section
from exports.document.document_tree import Document
from research.db.tenancy import tenant_context
from research.models import Chunk
from research.pipelines.report.report_length import first_within, share, word_count
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.conftest import QUESTION
from tests.pipelines.model_world import model_world
from tests.tools.conftest import limits

TEXTS = ["one", "two words", "three more words"]


@pytest.mark.parametrize(("words", "kept"), [(6, 3), (5, 2), (3, 2), (2, 1), (1, 1), (0, 1)])
def test_the_first_claims_are_kept_and_at_least_one(words: int, kept: int):
    assert first_within(words, TEXTS, str) == TEXTS[:kept]


def test_of_no_claims_none_is_kept():
    assert first_within(10, [], str) == []


def test_a_section_has_its_claims_share_of_the_words():
    assert [share(1_000, own, 40) for own in (10, 30)] == [250, 750]


def test_a_section_may_always_say_its_claims():
    assert share(10, 30, 40) == 30


@given(st.lists(st.integers(1, 300), min_size=1, max_size=30), st.integers(0, 1_000))
def test_the_shares_come_to_no_more_than_the_whole(owns: list[int], spare: int):
    words = sum(owns) + spare
    assert sum(share(words, own, sum(owns)) for own in owns) <= words


# --- in reports ---


def count_words(document: Document) -> int:
    return word_count(claim.text for claim in document.claims)


def test_a_report_by_rules_has_no_more_words_than_the_setting_says(ask_in_library):
    whole = count_words(ask_in_library(QUESTION))
    with limits(words=30):
        short = ask_in_library(QUESTION)
    assert 0 < count_words(short) <= 30 < whole


def test_a_report_with_room_for_nothing_still_has_its_answer(ask_in_library):
    with limits(words=0):
        assert [claim.number for claim in ask_in_library(QUESTION).claims] == [1]


def test_a_source_has_no_more_chunks_than_the_setting_says(ask_in_library, account):
    with limits(chunks=1):
        run_id = ask_in_library(QUESTION).run_id
    with tenant_context(account.tenant_id):
        held = list(Chunk.objects.filter(run=run_id).values_list("source", flat=True))
    assert 0 < len(held) == len(set(held))


@pytest.fixture
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


def test_a_report_by_a_model_has_no_more_words_than_the_setting_says(model, ask_in_library, account):
    with limits(words=40):
        report = ask_in_library(QUESTION)
    assert (report.status, report.engine) == ("done", "model")
    assert 0 < count_words(report) <= 40
    with tenant_context(account.tenant_id):
        sections = Section.objects.filter(run=report.run_id)
        assert all(section.target_words <= 40 for section in sections)
