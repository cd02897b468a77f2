"""Words as they are compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.extractive.terms import forms, stem, term_set, terms, words


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("iterations", "iteration"),
        ("ran", "running"),
        ("won", "winning"),
        ("pbkdf2", "pbkdf2_sha256"),
        ("scrypt", "ScryptPasswordHasher"),
        ("5.0", "v5.0.0"),
        ("50", "50.0.2"),
        ("800-63b", "sp-800-63b"),
        ("600000", "600,000"),
        ("2021", "Conf'21"),
        ("login.gov", "login.gov"),
        ("allauth", "django-allauth"),
        ("PostgreSQL", "Postgres"),
        ("config", "configuration"),
        ("ef_search", "hnsw.ef_search"),
    ],
)
def test_a_question_may_name_a_thing_more_loosely_than_the_text(asked, written):
    assert forms(asked)[0] in term_set((written,))


@pytest.mark.parametrize(
    ("asked", "written"), [("4.0.3", "4.0"), ("5.0", "15.0.1"), ("63b", "63c"), ("v2", "12")]
)
def test_another_version_is_another_term(asked, written):
    assert forms(asked)[0] not in term_set((written,))


def test_a_revision_written_as_a_suffix_is_a_revision():
    assert {"800-171", "rev", "1"} <= term_set(("800-171r1",))


def test_a_possessive_names_its_owner():
    assert words("Django's hasher, the users’ choice") == ["Django", "hasher", "the", "users", "choice"]


def test_short_words_and_identifiers_are_not_stemmed():
    assert [stem("is"), stem("sha256")] == ["is", "sha256"]


@given(st.text())
def test_any_text_has_terms_without_blanks(text):
    assert all(term and " " not in term for term in terms(text))


@given(st.text(), st.text())
def test_the_terms_of_two_texts_are_those_of_each(one, other):
    assert term_set((one, other)) == term_set((one,)) | term_set((other,))


@pytest.mark.parametrize(
    ("asked", "said"), [("SHA-256", "SHA256"), ("utf8", "UTF-8"), ("COVID-19", "Covid-19")]
)
def test_a_name_is_the_same_with_and_without_a_hyphen_before_its_number(asked, said):
    assert forms(asked)[0] == forms(said)[0]
    assert forms(asked)[0] in term_set((f"It is by {said}.",))


@pytest.mark.parametrize("other", ["SHA-512", "SHA", "256"])
def test_numbers_of_names_tell_them_apart(other):
    assert forms("SHA-256")[0] not in term_set((other,))
