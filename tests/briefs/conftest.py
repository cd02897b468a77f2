"""Ada, who has results."""

import pytest
from django.test import Client

from research.library.retrieval.library_passage_similarity import NearestSentence
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.drafting.draft_brief_by_rules import draft
from tests.briefs.making import EIGHT, ROTATION, TITLE
from tests.people import Person, join


@pytest.fixture(scope="session", autouse=True)
def _warm() -> None:
    """Load what drafting needs, which takes seconds the first time: not while a test's transaction is open."""
    words = [
        EvidenceWords("https://example.org", 0, EIGHT, TITLE),
        EvidenceWords("https://example.com", 0, ROTATION),
    ]
    draft(f"{EIGHT} {ROTATION}", words, NearestSentence(builtin_embedder()))


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


@pytest.fixture
def client(ada: Person) -> Client:
    return ada.sign_in()
