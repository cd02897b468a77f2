"""Numbers of texts, in figures and in words, each with all that is read of it."""

import pytest

from citations.text.claim_number_words import ordinals
from citations.text.claim_numerals import find_numerals
from tests.citations.telling import join_parts, parse_expectations

NUMERALS = """
1,234,567.8 and 12,34,567.5
    “1,234,567.8”, 1234567.8, ±0.1
    “12,34,567.5”, 1234567.5, ±0.1
1.234.567,8 und 1.234
    “1.234.567,8”, 1234567.8, ±0.1
    “1.234”, 1234, ±1
the sum of 1.234
    “1.234”, 1.234, ±0.001
1,5 Liter und 1.234 Liter
    “1,5”, 1.5, ±0.1
    “1.234”, 1234, ±1
3,14
    “3,14”, 3.14, ±0.01
1'234'567.8
    “1'234'567.8”, 1234567.8, ±0.1
1 234 567,8
    “1 234 567,8”, 1234567.8, ±0.1
1 234,5
    “1 234,5”, 1234.5, ±0.1
1 2345
    “1”, 1, ±1
    “2345”, 2345, ±1
-5 and −7
    “-5”, -5, ±1
    “−7”, -7, ±1
12-5
    “12”, 12, ±1
    “5”, 5, ±1
(-5)
    “-5”, -5, ±1
2½ cups
    “2½”, 2.5, ±0.1
½ of it
    “½”, 0.5, ±0.1
2 1/2 cups
    “2 1/2”, 2.5, ±0.1
1/2 cup
    “1/2”, 0.5, ±0.1
3/2 cups
    “3”, 3, ±1
half a mile
    “half a”, 0.5, ±0.1, word
one half a mile
    “one half a”, 0.5, ±0.1, word
a half million
    “a half”, 0.5, ±0.1, word
three quarters of a mile
    “three quarters of a”, 0.75, ±0.1, word
a quarter of a century
    “a quarter of a”, 0.25, ±0.1, word
one and a half hours
    “one and a half”, 1.5, ±0.1, word
two and a quarter hours
    “two and a quarter”, 2.25, ±0.1, word
twenty-five and a hundred and one
    “twenty-five”, 25, ±1, word
    “a hundred and one”, 101, ±1, word
two thousand and five
    “two thousand and five”, 2005, ±1, word
a hundred thousand
    “a hundred thousand”, 100000, ±1, word
three hundred million two hundred thousand and ten
    “three hundred million two hundred thousand and ten”, 300200010, ±1, word
a thousand billion
    “a thousand billion”, 1e+12, ±1, word
two dozen
    “two dozen”, 24, ±1, word
nine ten
    “nine”, 9, ±1, word
    “ten”, 10, ±1, word
two and three
    “two”, 2, ±1, word
    “three”, 3, ±1, word
twelve hundred
    “twelve hundred”, 1200, ±1, word
two hundred five
    “two hundred five”, 205, ±1, word
five hundred hundred
    “five hundred”, 500, ±1, word
    “hundred”, 100, ±1, word
a million million
    “a million”, 1000000, ±1, word
    “million”, 1000000, ±1, word
thousand
only one way
    “one”, 1, ±1, word
no one came
one in five
    “one”, 1, ±1, word
    “five”, 5, ±1, word
one of them
exactly one.
    “one”, 1, ±1, word
one to three
    “one”, 1, ±1, word
    “three”, 3, ±1, word
the one hour
0.125
    “0.125”, 0.125, ±0.001
0012
    “0012”, 12, ±1
1234567890123456789012345678901234567890
    “1234567890123456789012345678901234567890”, 1.23456789012e+39, ±1
12345678901234567890123456789012345678901
abc12
"""

RANKS = """
the first and the twenty-third
    “first”, 1
    “twenty-third”, 23
41st, 2nd and 1000th
    “41st”, 41
    “2nd”, 2
the thirtieth of the hundredth
    “thirtieth”, 30
    “hundredth”, 100
nineteenth zeroth
    “nineteenth”, 19
    “zeroth”, 0
second-hand twenty third
    “second”, 2
    “twenty third”, 23
none
"""


def describe_numerals(text):
    return [
        join_parts(
            f"“{each.span.cut(text)}”",
            f"{each.value:.12g}",
            f"±{each.step:g}",
            "word" if each.is_word else "",
        )
        for each in find_numerals(text)
    ]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(NUMERALS))
def test_every_number_is_read_whole(text, lines):
    assert describe_numerals(text) == lines


def describe_ranks(text):
    return [join_parts(f"“{each.span.cut(text)}”", f"{each.value:.12g}") for each in ordinals(text)]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(RANKS))
def test_every_rank_is_read_whole(text, lines):
    assert describe_ranks(text) == lines
