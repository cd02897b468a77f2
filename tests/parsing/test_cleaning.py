from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from research.parsing.clean_text import clean, squash, tidy_code

ANY_TEXT = st.text(st.characters(), max_size=200)


@given(ANY_TEXT)
def test_a_clean_text_can_be_stored(text: str) -> None:
    cleaned = clean(text)
    assert "\0" not in cleaned
    cleaned.encode("utf-8")  # no lone surrogates


@given(ANY_TEXT)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(ANY_TEXT)
def test_a_clean_text_is_in_nfc_with_line_feeds_only(text: str) -> None:
    cleaned = clean(text)
    assert unicodedata.is_normalized("NFC", cleaned)
    assert "\r" not in cleaned


@given(ANY_TEXT)
def test_squashed_text_has_single_spaces_and_no_ends(text: str) -> None:
    assert squash(text) == squash(squash(text)).strip()
    assert "  " not in squash(text)


def test_letters_and_digits_survive() -> None:
    assert clean("Größe 10 µm\t½\n日本語") == "Größe 10 µm\t½\n日本語"


def test_invisible_instructions_are_removed() -> None:
    assert clean("a\U000e0049\U000e0067b\u200b\u2060c\ufeff") == "abc"


def test_no_break_spaces_become_spaces() -> None:
    assert squash("10\u00a0characters\u2009long") == "10 characters long"


def test_code_keeps_its_indentation() -> None:
    assert tidy_code("\n\n  if x:  \n\treturn y\n\n") == "  if x:\n    return y"
