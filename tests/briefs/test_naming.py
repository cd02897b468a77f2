"""Names of briefs for which no question was asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.brief.brief_title import MAX_NAME, name_of
from research.pipelines.brief.start_brief import title_of

LONG = (
    "Passwords that users choose themselves have to be at least eight characters long and need no special signs, "
    "says the guide."
)


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("Passwords need eight characters. They need no signs.", "Passwords need eight characters"),
        (
            "There is no agreed minimum: NIST requires 8 characters, OWASP requires 12, and CISA 12 or 16 of them.",
            "There is no agreed minimum",
        ),
        (LONG, "Passwords that users choose themselves have to be at least eight characters long and need …"),
        ("# Passwords #\n\nThey need eight characters.", "Passwords"),
        (
            "- **Length:** at least [eight](https://a.example) `characters`",
            "Length: at least eight characters",
        ),
        ("How long? Eight.", "How long?"),
        ("\n\n---\n", ""),
        ("x" * 200, f"{'x' * MAX_NAME} …"),
        ("", ""),
    ],
)
def test_a_name_is_the_first_heading_or_statement_in_short(answer: str, name: str) -> None:
    assert name_of(answer) == name


@given(st.text(max_size=400))
def test_a_name_is_short_printable_and_one_line(answer: str) -> None:
    name = name_of(answer)
    assert len(name) <= MAX_NAME + 2
    assert name == "" or (name.isprintable() and name == name.strip())


def test_what_was_asked_is_its_name_where_that_is_known() -> None:
    assert title_of(" How long? ", "Eight.") == "How long?"
    assert title_of("", "?") == "A brief"
