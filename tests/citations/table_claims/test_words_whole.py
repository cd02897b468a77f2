"""Words of claims over tables: tokens, cues, and what a reading leaves unexplained."""

import pytest

from citations.table_claims.claim_cues import find_cues
from citations.table_claims.claim_tokens import tokens
from citations.table_claims.score_claim_readings import ballot, features
from citations.table_claims.table_claim_readings import TableOperation, TableReading
from tests.citations.table_claims.passages import link_to_table
from tests.citations.telling import join_parts, parse_expectations

TOKENS = """
about 1,250.5 km
    about, approxim, 0 to 5
    1,250.5, #1250.5, 6 to 13, 1250.5, digits, content
    km, kilomet, 14 to 16, content
2nd second two T24
    2nd, #2, 0 to 3, 2, ordinal, digits, content
    second, #2, 4 to 10, 2, ordinal, content
    two, #2, 11 to 14, 2, content
    t, t, 15 to 16
    24, #24, 16 to 18, 24, digits, content
28–28–11
    28, #28, 0 to 2, 28, digits, content
    28, #28, 3 to 5, 28, digits, content
    11, #11, 6 to 8, 11, digits, content
Gutiérrez won
    gutierrez, gutierrez, 0 to 9, content
    won, win, 10 to 13, content
Sept. 4 visitors
    sept, september, 0 to 4, content
    4, #4, 6 to 7, 4, digits, content
    visitors, visit, 8 to 16, content
the x lido was on 5th
    the, the, 0 to 3
    x, x, 4 to 5
    lido, lido, 6 to 10, content
    was, be, 11 to 14
    on, on, 15 to 17
    5th, #5, 18 to 21, 5, ordinal, digits, content
1,2 and 12,345,678
    1, #1, 0 to 1, 1, digits, content
    2, #2, 2 to 3, 2, digits, content
    and, and, 4 to 7
    12,345,678, #12345678, 8 to 18, 12345678, digits, content
3rdx
    3, #3, 0 to 1, 3, digits, content
    rdx, rdx, 1 to 4, content
7.0
    7.0, #7, 0 to 3, 7, digits, content
"""

CUES = """
the highest fee of all
    extreme, highest, +1
    all, all
most of the visitors
    most, most
most all of them
    most, most
    all, all
most visitors
    extreme, most, +1
as many as the others
    equal, as many
as much as
    equal, as much
many as
the oldest, longest, tallest, heaviest and latest
    extreme, oldest, -1, age air annual birth build date elect establish first found launch open releas
  season
    extreme, longest, +1, distanc durat length spin time
    extreme, tallest, +1, floor height
    extreme, heaviest, +1, mass weight
    extreme, latest, +1, age air annual birth build date elect establish first found launch open releas
  season
shortest fastest slowest earliest
    extreme, shortest, -1, distanc durat height length spin time
    extreme, fastest, -1, durat length time
    extreme, slowest, +1, durat length time
    extreme, earliest, -1, age air annual birth build date elect establish first found launch open releas
  season
more longer taller heavier later less shorter earlier
    comparative, more, +1
    comparative, longer, +1, distanc durat length spin time
    comparative, taller, +1, floor height
    comparative, heavier, +1, mass weight
    comparative, later, +1, age air annual birth build date elect establish first found launch open releas
  season
    comparative, less, -1
    comparative, shorter, -1, distanc durat height length spin time
    comparative, earlier, -1, age air annual birth build date elect establish first found launch open releas
  season
once twice thrice both
    times, once, 1
    times, twice, 2
    times, thrice, 3
    times, both, 2
same equal tied only all no not total average common different or
    equal, same
    equal, equal
    equal, tied
    only, only
    all, all
    none, no
    not, not
    total, total
    mean, average
    frequent, common
    distinct, different
    either, or
isn't and won't but won t-shirts
    not, isn t
    not, won t
    not, won t
don to
"""

FEATURES = """
Northgate drew 777 people
    count_holds=1 count_rows=1 count_rows_holds=1 left_mentions=1 left_mentions_but_holds=1 left_numbers=1
  left_numbers_but_holds=1 left_share=0.75 left_share_but_holds=0.75 left_words=0.75
  left_words_but_holds=0.75
    count_fails=1 count_rows=1 count_rows_fails=1 left_numbers=1 left_share=0.5 left_words=0.5
    count_holds=1 count_rows=1 count_rows_holds=1
    none_holds=1 none_left_mentions=1 none_left_numbers=1 none_left_share=0.75 none_left_words=0.75
Northgate is the only one of the 3 lidos of Aldern
    count_holds=1 count_rows=1 count_rows_holds=1 left_mentions=2 left_mentions_but_holds=2 left_numbers=2
  left_numbers_but_holds=2 left_only=1 left_only_but_holds=1 left_share=0.2 left_share_but_holds=0.2
  left_words=0.25 left_words_but_holds=0.25
    count_fails=1 count_rows=1 count_rows_fails=1 left_mentions=1 left_numbers=2 left_only=1
    count_holds=1 count_rows=1 count_rows_holds=1
    none_holds=1 none_left_mentions=2 none_left_numbers=2 none_left_only=1 none_left_share=0.2
  none_left_words=0.25
The most heated of all the same not on average
    count_holds=1 count_rows=1 count_rows_holds=1 left_all=1 left_all_but_holds=1 left_equal=1
  left_equal_but_holds=1 left_extreme=1 left_extreme_but_holds=1 left_mean=1 left_mean_but_holds=1
  left_not=1 left_not_but_holds=1 left_share=0.5 left_share_but_holds=0.5 left_words=0.25
  left_words_but_holds=0.25
    count_fails=1 count_rows=1 count_rows_fails=1 left_all=1 left_equal=1 left_extreme=1 left_mean=1
  left_not=1 left_share=0.5 left_words=0.25
    count_holds=1 count_rows=1 count_rows_holds=1
    none_holds=1 none_left_all=1 none_left_equal=1 none_left_extreme=1 none_left_mean=1 none_left_not=1
  none_left_share=0.5 none_left_words=0.25
Old Quay and Sandhithe had 1 2 3 cats, dogs, hens, cows and pigs
    count_holds=1 count_rows=1 count_rows_holds=1 left_mentions=2 left_mentions_but_holds=2 left_numbers=2
  left_numbers_but_holds=2 left_share=0.727 left_share_but_holds=0.727 left_words=1 left_words_but_holds=1
    count_fails=1 count_rows=1 count_rows_fails=1 left_mentions=1 left_numbers=2 left_share=0.636
  left_words=1
    count_holds=1 count_rows=1 count_rows_holds=1
    none_holds=1 none_left_mentions=2 none_left_numbers=2 none_left_share=0.727 none_left_words=1
First and fewer
    count_holds=1 count_rows=1 count_rows_holds=1 left_comparative=1 left_comparative_but_holds=1
  left_extreme=1 left_extreme_but_holds=1 left_numbers=1 left_numbers_but_holds=1
    count_fails=1 count_rows=1 count_rows_fails=1 left_comparative=1
    count_holds=1 count_rows=1 count_rows_holds=1
    none_holds=1 none_left_comparative=1 none_left_extreme=1 none_left_numbers=1
"""


def describe_tokens(text):
    return [
        join_parts(
            each.word,
            each.key,
            f"{each.start} to {each.end}",
            "" if each.number is None else f"{each.number:.10g}",
            "ordinal" if each.is_ordinal else "",
            "digits" if each.is_digits else "",
            "content" if each.is_content else "",
        )
        for each in tokens(text)
    ]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(TOKENS))
def test_every_token_is_read_whole(text, lines):
    assert describe_tokens(text) == lines


def describe_cues(text):
    found = tokens(text)
    return [
        join_parts(
            cue.kind.value,
            " ".join(found[at].word for at in cue.positions),
            f"{cue.sign:+}" if cue.sign else "",
            f"{cue.value:g}" if cue.value else "",
            " ".join(sorted(cue.hints)),
        )
        for cue in find_cues(found)
    ]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(CUES))
def test_every_cue_is_read_whole(text, lines):
    assert describe_cues(text) == lines


def describe_features(text):
    linked = link_to_table(text)
    told = []
    for holds, covered in ((True, ()), (False, (0,)), (True, range(len(linked.tokens)))):
        reading = TableReading(TableOperation.COUNT, holds, frozenset(covered), "", (), ("count_rows",))
        told.append(
            " ".join(f"{name}={value:.3g}" for name, value in sorted(features(linked, reading).items()))
        )
    empty = ballot(linked, ()).readings[0].features
    return [*told, " ".join(f"{name}={value:.3g}" for name, value in sorted(empty.items()))]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(FEATURES))
def test_what_a_reading_leaves_is_weighed_whole(text, lines):
    assert describe_features(text) == lines
