import pytest

from citations.credibility.withdrawn_sources import is_withdrawn


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("RETRACTED: Cost curves of cells", ""),
        ("Retracted Article: Cost curves of cells", ""),
        ("Cost curves of cells [Retracted]", ""),
        ("Guide to wells (superseded)", ""),
        ("Zurückgezogen: Kosten der Zellen", ""),
        ("Cost curves", "This working paper was retracted on 20 January 2025."),
        ("Guide 1.0", "Guide 1.0\n\nThis document has been superseded by Guide 2.0."),
        ("Guide 1.0", "This version is\nreplaced by another."),
        ("Norm 3", "Diese Norm wurde am 1. Mai 2024 zurückgezogen."),
    ],
)
def test_a_source_that_takes_itself_back_is_known_by_its_words(title, text):
    assert is_withdrawn(title, text)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Retracted papers and who cites them", "Of 200 papers that were retracted, 40 are still cited."),
        ("Troops withdrawn from the valley", ""),
        ("Guide 2.0", "This document supersedes Guide 1.0, which was withdrawn."),
        ("Guide 2.0", "The old version was replaced."),
        ("Notes", "x" * 3_000 + " This document has been superseded."),
    ],
)
def test_a_source_that_speaks_of_others_is_not(title, text):
    assert not is_withdrawn(title, text)
