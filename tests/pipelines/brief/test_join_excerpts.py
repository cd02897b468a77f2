"""Statements whose parts stand in several excerpts: joined where they may be, and never more than in part."""

import pytest

from citations.verification import VerdictStatus
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.drafting.draft_brief_by_rules import compare
from research.pipelines.brief.join_brief_excerpts import PARTED, join

NIST = EvidenceWords(
    "https://a.example",
    0,
    "Verifiers SHALL require subscriber-chosen memorized secrets to be at least 8 characters in length.",
    "NIST SP 800-63B Digital Identity Guidelines",
)
OWASP = EvidenceWords(
    "https://b.example",
    0,
    "Verify that user set passwords are at least 12 characters in length",
    "OWASP Application Security Verification Standard",
)
CISA = EvidenceWords(
    "https://c.example",
    0,
    "User password length SHALL be at least 14 characters.",
    "CISA Google Workspace Secure Configuration Baseline",
)


def join_words(statement: str, *words: EvidenceWords):
    alike = NearestSentence(builtin_embedder())
    return join(statement, compare(statement, [word.titled_text for word in words], alike), 3)


def test_figures_of_several_excerpts_are_joined_each_with_whom_it_is_of() -> None:
    found = join_words(
        "NIST SP 800-63B requires 8 characters, OWASP requires 12 characters, and CISA requires 14.",
        NIST,
        OWASP,
        CISA,
    )
    assert found is not None
    assert sorted(found.places) == [0, 1, 2]
    assert (found.verdict.status, found.verdict.reasons[0]) == (VerdictStatus.PARTIALLY_SUPPORTED, PARTED)


def test_what_stands_in_none_of_them_is_named() -> None:
    found = join_words("In 2017 NIST SP 800-63B required 8 characters, and OWASP required 12.", NIST, OWASP)
    assert found is not None
    assert "“2017” is not in the source." in found.verdict.reasons


@pytest.mark.parametrize(
    "statement",
    [
        "NIST SP 800-63B requires 12 characters.",
        "OWASP requires 8 characters.",
        "NIST SP 800-63B requires 12 characters, and OWASP requires 8 characters.",
        "OWASP requires 14 characters and CISA requires 8 characters.",
        "CISA requires 8 characters, OWASP 14, and NIST SP 800-63B 12.",
    ],
)
def test_a_figure_of_another_is_joined_to_nobody(statement: str) -> None:
    assert join_words(statement, NIST, OWASP, CISA) is None


def test_one_excerpt_alone_is_no_join() -> None:
    assert join_words("NIST SP 800-63B requires 8 characters.", NIST) is None
    assert join_words("NIST SP 800-63B requires 8 characters.") is None
