"""Values in words: dates as known, durations, shares, and a word for every stored value."""

from dataclasses import replace
from urllib.parse import unquote

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from citations import models as citations
from exports.document.document_original_links import original_url, text_fragment
from exports.document.format_document_dates import as_known
from exports.labels import format_document_values
from research import models as research
from research.models.library_models import DocumentStatus
from research.web.report.evidence_mix_view import evidence_mix
from research.web.runs.progress_page_snapshot import stages
from research.web.site.value_labels import VOCABULARY, word
from research.web.templatetags import evidence_tags
from tests.exports.drafting import Draft

ENUMERATIONS = {
    "strength": citations.Strength,
    "state": research.State,
    "kind": research.Kind,
    "source_type": research.SourceType,
    "source_status": research.SourceStatus,
    "document_status": DocumentStatus,
    "match": citations.MatchType,
    "check": citations.ClaimStatus,
    "conflict": citations.ConflictKind,
    "resolution": citations.Resolution,
    "severity": citations.WarningSeverity,
    "step_status": research.StepStatus,
    "role": research.AgentRole,
}


@pytest.mark.parametrize("kind", ENUMERATIONS)
def test_every_stored_value_has_a_word(kind):
    assert set(VOCABULARY[kind]) == set(ENUMERATIONS[kind].values)


def test_a_value_without_a_word_stands_for_itself():
    assert word("/home/ada/papers", "folder") == "/home/ada/papers"


@pytest.mark.parametrize(
    ("iso", "read"),
    [
        ("2017", "2017"),
        ("2017-06", "June 2017"),
        ("2017-06-22", "22 June 2017"),
        ("", ""),
        ("spring", "spring"),
        ("2017-13", "2017-13"),
        ("2017-01-02-03", "2017-01-02-03"),
    ],
)
def test_dates_are_as_precise_as_known(iso, read):
    assert as_known(iso) == read


@pytest.mark.parametrize(
    ("seconds", "read"), [(None, ""), (7.3, "7 s"), (59.6, "1 min 0 s"), (130, "2 min 10 s")]
)
def test_durations_read_in_minutes_and_seconds(seconds, read):
    assert format_document_values.duration(seconds) == read


def test_an_unknown_share_reads_as_nothing():
    assert format_document_values.percent(None) == ""
    assert format_document_values.percent(0.824) == "82%"


def test_numbers_in_drawings_do_not_follow_the_language():
    with translation.override("de"):
        assert evidence_tags.svg_number(33.333) == "33.33"
        assert evidence_tags.svg_number(612) == "612"


def test_dots_are_filled_from_the_left():
    assert evidence_tags.fill_dots("moderate") == [True, True, False]
    assert evidence_tags.fill_dots("unheard of") == [False, False, False]


@given(st.fixed_dictionaries({name: st.integers(0, 500) for name in ("strong", "moderate", "limited")}))
def test_the_bar_is_filled_exactly_when_there_is_a_claim(counts):
    mix = evidence_mix(counts)
    assert mix.total == sum(counts.values())
    assert sum(share.width for share in mix.shares) == pytest.approx(100 if mix.total else 0)
    assert all(
        s.start + s.width == pytest.approx(n.start) for s, n in zip(mix.shares, mix.shares[1:], strict=False)
    )


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://x.example/a",
        "",
        "//x.example",
        "http://[",
        "https:///a",
        "http://[::1",
        "http://\u2100.example/",
    ],
)
def test_only_web_addresses_are_linked(url):
    assert original_url(url) == ""


def test_a_pdf_is_opened_at_its_page_and_a_page_at_its_words():
    assert (
        original_url("https://x.example/a.pdf#old", "application/pdf", "words", 7)
        == "https://x.example/a.pdf#page=7"
    )
    assert (
        original_url("https://x.example/a", "text/html", "two words")
        == "https://x.example/a#:~:text=two%20words"
    )


def test_long_quotes_are_given_by_their_ends():
    fragment = text_fragment(" ".join(f"w{n}" for n in range(20)))
    assert unquote(fragment) == "w0 w1 w2 w3 w4,w15 w16 w17 w18 w19"


@given(st.text(min_size=1, max_size=200))
def test_what_has_a_meaning_in_a_fragment_is_escaped(words):
    fragment = text_fragment(words)
    assert fragment.count(",") <= 1
    assert not set("-&#\n ") & set(fragment)


@pytest.mark.parametrize("state", research.State.values)
def test_the_rail_has_at_most_one_present_stage_and_none_done_after_it(state):
    progress = [stage.progress for stage in stages(state)]
    assert progress.count("now") <= 1
    assert progress == sorted(progress, key=["done", "now", "next"].index)


@pytest.mark.parametrize("kind", [research.Kind.DIGEST, research.Kind.SYNTHESIS])
def test_the_rail_of_what_is_given_has_the_stages_that_such_a_run_goes_through(kind):
    now = [
        (stage.name, stage.progress)
        for state in (research.State.ANALYZING, research.State.SYNTHESIZING)
        for stage in stages(state, kind)
    ]
    assert now == [("Take in", "now"), ("Write", "next"), ("Take in", "done"), ("Write", "now")]
    assert {stage.progress for stage in stages(research.State.COMPLETED, kind)} == {"done"}


@pytest.mark.parametrize(
    ("code", "language", "said"),
    [("de", "en", "German"), ("de", "de", "Deutsch"), ("xx", "en", "xx"), ("", "en", "")],
)
def test_a_language_is_told_by_its_name(code, language, said):
    with translation.override(language):
        assert evidence_tags.tongue(code) == said


@pytest.mark.parametrize(
    ("first", "second", "read"),
    [
        ("[1]", "[3]", "[1][3]"),
        ("[Lind, 2020]", "[Ray, 2022]", "[Lind, 2020] [Ray, 2022]"),
        ("[1]", "[1]", "[1]"),
    ],
)
def test_labels_that_are_names_stand_apart(first, second, read):
    draft = Draft("labels")
    claim = draft.claim("It rose.", draft.source(), draft.source())
    named = zip(claim.citations, (first, second), strict=True)
    assert (
        format_document_values.labels(
            replace(claim, citations=tuple(replace(one, label=name) for one, name in named))
        )
        == read
    )
