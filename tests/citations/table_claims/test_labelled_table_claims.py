"""A claim that is a row behind the names of its columns is known by its words."""

import pytest

from citations.table_claims.labelled_table_claims import is_labelled_row

QUOTE = "North | Tarn | 40 | 55 | - | −2.5 % | 61"
COLUMNS = ("Region", "Otters 2023", "Otters 2024", "Otters 2025", "Change", "Otters 2026")


@pytest.mark.parametrize(
    "claim",
    [
        "Tarn – Region: North; Otters 2023: 40; Otters 2024: 55; Change: −2.5 %; Otters 2026: 61",
        "Tarn – Otters 2024: 55",
        "Tarn: region North, otters 2024 55.",
    ],
)
def test_a_row_behind_the_names_of_its_columns_has_the_words_of_its_source(claim):
    assert is_labelled_row(claim, QUOTE, "Tarn", COLUMNS)


@pytest.mark.parametrize(
    "claim",
    [
        "Tarn – Otters 2023: 55; Otters 2024: 40",
        "Tarn – Otters 2024: 61",
        "Tarn – Otters 2024: 55; Otters 2024: 55",
        "Tarn – Change: 2.5 %",
        "Wold – Otters 2024: 55",
        "Tarn – Otters 2024: 55; most of all",
        "Tarn – Otters 2024: over 55",
        "Tarn",
        "",
    ],
)
def test_any_other_words_are_no_labelled_row(claim):
    assert not is_labelled_row(claim, QUOTE, "Tarn", COLUMNS)


def test_a_row_of_which_not_all_names_are_known_is_none():
    assert not is_labelled_row("Tarn – Otters 2024: 55", QUOTE, "Tarn", COLUMNS[:-1])
    assert not is_labelled_row("Tarn – Otters 2024: 55", QUOTE, "", COLUMNS)


def test_a_row_that_several_columns_name_is_known_too():
    quote, columns = "2023 | Wold | 72", ("otters",)
    assert is_labelled_row("2023, Wold – otters: 72", quote, "2023, Wold", columns)


def test_a_row_whose_name_has_a_comma_is_labelled():
    assert is_labelled_row("IVF, flat – memory: 3 GB", "IVF, flat | 3 GB", "IVF, flat", ["memory"])
    assert is_labelled_row("A, IVF, flat – memory: 3 GB", "A | IVF, flat | 3 GB", "A, IVF, flat", ["memory"])
