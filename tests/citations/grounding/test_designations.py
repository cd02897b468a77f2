"""Things that a letter or a number tells apart: what is said of one supports nothing on another."""

import pytest

from tests.citations.grounding.telling import claims, is_carried

TABLE = """
Hepatitis B is transmitted by blood and can be prevented by a vaccine.
    + Hepatitis B can be prevented by a vaccine.
    + A vaccine can prevent hepatitis B.
    - Hepatitis C can be prevented by a vaccine.
Vitamin D is made in the skin when it is exposed to sunlight.
    + In sunlight the skin makes vitamin D.
    - In sunlight the skin makes vitamin C.
Type A personalities are said to be impatient, type B personalities relaxed.
    + Type B personalities are said to be relaxed.
    - Type D personalities are said to be relaxed.
Vitamins A, D and E dissolve in fat and are stored in the liver.
    + Vitamin E is stored in the liver.
    - Vitamin C is stored in the liver.
HTTP2 reduces latency because it sends several requests over one connection.
    + HTTP2 reduces latency.
    - HTTP3 reduces latency because it sends several requests over one connection.
The parser needs Python3 and runs on Linux and macOS.
    + The parser runs on Linux and needs Python3.
    - The parser needs Python2 and runs on Linux.
Classes were added to the language in ES2015.
    - Classes were added to the language in ES2019.
AAL3 provides very high confidence that the claimant controls authenticators.
    - AAL2: AAL2 provides high confidence that the claimant controls authenticators.
Group A received the drug for six weeks, and group B received a placebo.
    + Group A received the drug for six weeks.
    - Group C received the drug for six weeks.
Sodium nitrite preserves the color of cured meat.
    + Sodium nitrite preserves the color of meat.
    - Sodium nitrate preserves the color of cured meat.
"""


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "+"))
def test_what_is_said_of_it_is_carried(text, claim):
    assert is_carried(claim, text)


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "-"))
def test_what_is_said_of_another_is_not_carried(text, claim):
    assert not is_carried(claim, text)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("John F. Kennedy opened the library in 1962.", "John Kennedy opened the library in 1962."),
        ("John F Kennedy opened the library in 1962.", "John Kennedy opened the library in 1962."),
        ("The engine was written in C and ported later.", "The engine was written in C."),
        ("The virus of type B spreads in winter.", "Type B virus spreads in winter."),
    ],
)
def test_letters_that_tell_nothing_apart_change_nothing(text, claim):
    assert is_carried(claim, text)
