"""Lookups, quantifiers and sums in claims: each reading whole."""

import pytest

from citations.table_claims.rules.claimed_cells import lookups
from citations.table_claims.rules.claimed_quantifiers import find_quantifier_readings
from citations.table_claims.rules.claimed_totals import totals
from citations.table_claims.rules.claimed_yes_no import affirmations
from tests.citations.table_claims.passages import BOATS, LIDOS, REGATTA, describe_readings
from tests.citations.telling import parse_expectations

LOOKED_UP = """
Sandhithe opened in 1949
    lookup yes: row “Sandhithe”: Lido “Sandhithe”, Opened “1949” | sandhithe opened 1949 | Sandhithe, 1949 |
  held_2 held_in_named_column
Northgate had 15,656 visitors
    lookup no: row “Northgate”: Lido “Northgate”; Visitors “51,656” ≠ “15,656” | northgate 15,656
  visitors | Northgate, 51,656 | held_1 missing_1 missing_number named_column_unfilled
    lookup yes: row “Northgate”: Lido “Northgate” | northgate | Northgate | without_loose held_1
  named_column_unfilled
The entry fee at Low Ferry was 3.50
    lookup no: row “Low Ferry”: Lido “Low Ferry”; Entry fee “£2.50” ≠ “3.50” | entry fee low ferry
  3.50 | Low Ferry, £2.50 | held_1 missing_1 missing_number named_column_unfilled
    lookup yes: row “Low Ferry”: Lido “Low Ferry” | low ferry | Low Ferry | without_loose held_1
  named_column_unfilled
Low Ferry and Northgate are in Werrow
    lookup no: row “Low Ferry”: Lido “Low Ferry”, County “Werrow”; row “Northgate”: Lido “Northgate”; County
  “Aldermoor” ≠ “Werrow” | low ferry and northgate werrow | Low Ferry, Werrow, Northgate,
  Aldermoor | held_3 missing_1 missing_text several_clauses
Northgate opened in 1927 while Old Quay opened in 1931
    lookup no: row “Northgate”: Lido “Northgate”; Opened “1931” ≠ “1927”; row “Old Quay”: Lido “Old
  Quay”; Opened “1927” ≠ “1931” | northgate opened 1927 old quay opened 1931 | Northgate, 1931, Old
  Quay, 1927 | held_2 missing_2 missing_time several_clauses named_column_unfilled
Millbank Pool is not in Werrow
    negation yes: row “Millbank Pool”: Lido “Millbank Pool”; County “Aldermoor” ≠ “Werrow” | millbank
  pool not werrow | Millbank Pool, Aldermoor | held_1 missing_1 missing_text
Low Ferry isn't in Werrow
    negation no: row “Low Ferry”: Lido “Low Ferry”, County “Werrow” | low ferry isn t werrow | Low Ferry,
  Werrow | held_2
No lido but Low Ferry is not in Werrow
    lookup yes: row “Low Ferry”: Lido “Low Ferry”, County “Werrow” | no lido low ferry not werrow | Low
  Ferry, Werrow | held_2
Low Ferry is not like Quay
    negation no: row “Low Ferry”: Lido “Low Ferry” | low ferry not | Low Ferry | without_loose held_1
Millbank is in Aldermoor and opened in 1949
    lookup no: row “Millbank Pool”: Lido “Millbank Pool”, County “Aldermoor”; Opened “1954” ≠ “1949”
  | millbank aldermoor opened 1949 | Millbank Pool, Aldermoor, 1954 | held_2 missing_1 missing_time
  named_column_unfilled
    lookup no: row “Northgate”: County “Aldermoor”; Opened “1931” ≠ “1949” | aldermoor opened 1949 |
  Aldermoor, 1931 | without_loose held_1 missing_1 missing_time named_column_unfilled
Sandhithe had 1954 visitors
    lookup no: row “Sandhithe”: Lido “Sandhithe”; Opened “1949” ≠ “1954” | sandhithe 1954 |
  Sandhithe, 1949 | held_1 missing_1 missing_number named_column_unfilled
    lookup yes: row “Sandhithe”: Lido “Sandhithe” | sandhithe | Sandhithe | without_loose held_1
  named_column_unfilled
The 5 of Werrow
    lookup yes: row “Sandhithe”: Entry fee “£5.00”, County “Werrow” | 5 werrow | £5.00, Werrow | held_2
    lookup yes: row “Sandhithe”: County “Werrow” | werrow | Werrow | without_loose held_1
Old Quay, Sandhithe and Low Ferry opened after 1949, but Northgate opened before 1940
    lookup no: row “Old Quay”: Lido “Old Quay”; Opened “1927” ≠ “after 1949”; row “Sandhithe”: Lido
  “Sandhithe”; Opened “1949” ≠ “after 1949”; row “Low Ferry”: Lido “Low Ferry”, Opened “1962”; row
  “Northgate”: Lido “Northgate”, Opened “1931” | old quay sandhithe and low ferry opened after 1949
  northgate opened before 1940 | Old Quay, 1927, Sandhithe, 1949, Low Ferry, 1962, Northgate, 1931 |
  held_3 missing_2 missing_bound several_clauses
"""

LOOKED_UP_IN_RESULTS = """
The club won against Dunlow on April 6, 2008
    lookup yes: row “april 6 , 2008”: result “w 3 - 2”, opponent “Dunlow”, date “april 6 , 2008” | won
  dunlow april 6 2008 | w 3 - 2, Dunlow, april 6 , 2008 | held_3
The club lost to Dunlow at Dunlow lock
    lookup no: row “may 4 , 2008”: opponent “Dunlow”, course “Dunlow lock”; result “w 4 - 0” ≠ “lost”
  | lost dunlow dunlow lock | Dunlow, Dunlow lock, w 4 - 0 | held_2 missing_1 missing_outcome
The crowd was 455 in race 4
    lookup no: row “april 6 , 2008”: crowd “455”; race “3” ≠ “4” | crowd 455 race 4 | 455, 3 | held_1
  missing_1 missing_number held_in_named_column named_column_unfilled
Werrow Rovers were not met on 17 March 2008
    negation yes: row “march 17 , 2008”: date “march 17 , 2008”; opponent “Stane Bridge” ≠ “Werrow
  Rovers” | werrow rovers not 17 march 2008 | march 17 , 2008, Stane Bridge | held_1 missing_1
  missing_text
Water
    lookup yes: row “march 3 , 2008”: course “home water” | water | home water | held_1
"""

AFFIRMED = """
Northgate is heated
    affirmation yes: row “Northgate”: Heated “yes” | northgate heated | yes |
Low Ferry is heated
    affirmation no: row “Low Ferry”: Heated “no” | low ferry heated | no |
Low Ferry is not heated
    affirmation yes: row “Low Ferry”: Heated “no” | low ferry not heated | no |
No lido is not heated in Werrow
    affirmation no: row “Sandhithe”: Heated “yes” | no not heated werrow | yes, no |
The lidos of Werrow are heated
    affirmation no: row “Sandhithe”: Heated “yes” | werrow heated | yes, no |
The lidos with yes are heated
It is heated
Sandhithe opened in 1949
"""

QUANTIFIED = """
All lidos in Werrow opened after 1940
    all no: 2 of 3 rows are “Werrow” | all werrow opened after 1940 | 1954, Werrow, 1949, Werrow, 1962 |
  all_subject_first all_subject_next
    all yes: 2 of 2 rows are “after 1940” | all werrow opened after 1940 | Werrow, 1949, Werrow, 1962 |
  all_subject_last
All lidos in Werrow opened after 1950
    all no: 1 of 2 rows are “Werrow” | all werrow opened after 1950 | 1954, Werrow, 1962 | all_subject_first
  all_subject_next
    all no: 1 of 2 rows are “after 1950” | all werrow opened after 1950 | Werrow, Werrow, 1962 |
  all_subject_last
None of the lidos in Werrow opened before 1940
    none yes: 0 rows | none werrow opened before 1940 | |
No lido in Aldermoor opened before 1930
    none no: 1 rows | no aldermoor opened before 1930 | Aldermoor, 1927 |
No lidos
    none no: 5 rows | no | | none_unconditioned
Most of the lidos in Aldermoor opened after 1930
    most no: 2 of 4 rows are “Aldermoor” | most aldermoor opened after 1930 | Aldermoor, 1931, Aldermoor,
  1954, 1949, 1962 | most_subject_first most_subject_next
    most yes: 2 of 3 rows are “after 1930” | most aldermoor opened after 1930 | Aldermoor, 1931, Aldermoor,
  1954, Aldermoor | most_subject_last
Most of the lidos in Werrow opened after 1950
    most no: 1 of 2 rows are “Werrow” | most werrow opened after 1950 | 1954, Werrow, 1962 |
  most_subject_first most_subject_next
    most no: 1 of 2 rows are “after 1950” | most werrow opened after 1950 | Werrow, Werrow, 1962 |
  most_subject_last
Sandhithe is the only lido with more than 60,000 visitors
    only yes: 1 of 1 rows are “Sandhithe” | sandhithe only lido more than 60,000 visitors | Sandhithe,
  64,900 | only_of_one only_subject_first
The only lido with more than 60,000 visitors is Sandhithe
    only yes: 1 of 1 rows are “Sandhithe” | only lido more than 60,000 visitors sandhithe | 64,900,
  Sandhithe | only_of_one only_subject_last
Only Sandhithe had more than 50,000 visitors
    only no: 1 of 2 rows are “Sandhithe” | only sandhithe more than 50,000 visitors | 51,656, Sandhithe,
  64,900 | only_subject_first only_subject_next
Northgate only is in Aldermoor
    only yes: 1 of 1 rows are “Aldermoor” | northgate only aldermoor | Northgate, Aldermoor | only_of_one
  only_subject_last only_subject_next
Low Ferry was not the only one
    only no: 1 of 5 rows are “Low Ferry” | low ferry only | Low Ferry | only_subject_first only_subject_last
  only_unconditioned
All were in Werrow
    all no: 2 of 5 rows are “Werrow” | all werrow | Werrow, Werrow | all_subject_first all_subject_last
  all_subject_next all_unconditioned
"""

QUANTIFIED_RESULTS = """
All races on home water were won
    all no: 2 of 3 rows are “home water” | all home water won | home water, w 5 - 2, home water, w 3 - 2, w
  4 - 0 | all_subject_first all_subject_next
    all no: 2 of 3 rows are “won” | all home water won | home water, w 5 - 2, home water, w 3 - 2, home
  water | all_subject_last
The club never lost on home water
    none no: 1 rows | never lost home water | l 0 - 3, home water |
The majority of races against Dunlow were won
    most yes: 2 of 3 rows are “Dunlow” | majority dunlow won | w 5 - 2, Dunlow, w 3 - 2, Dunlow, w 4 - 0 |
  most_subject_first most_subject_next
    most yes: 2 of 2 rows are “won” | majority dunlow won | Dunlow, w 3 - 2, Dunlow, w 4 - 0 |
  most_subject_last
"""

SUMMED = """
The average entry fee is £3.70
    total yes: mean of “Entry fee” over 5 rows: 3.7 | average entry fee 3.70 | £4.50, £3.00, £5.00, £2.50,
  £3.50 | column_after total_mean total_all
The average entry fee is £3.68
    total no: mean of “Entry fee” over 5 rows: 3.7 | average entry fee 3.68 | £4.50, £3.00, £5.00, £2.50,
  £3.50 | column_after total_mean total_all
The average entry fee is £3.72
    total no: mean of “Entry fee” over 5 rows: 3.7 | average entry fee 3.72 | £4.50, £3.00, £5.00, £2.50,
  £3.50 | column_after total_mean total_all
The lidos had a total of 206,240 visitors
    total yes: total of “Visitors” over 5 rows: 206240 | total 206,240 visitors | 51,656, 38,210, 64,900,
  12,475, 38,999 | column_after total_total total_all
The lidos had a total of 206,241 visitors
    total no: total of “Visitors” over 5 rows: 206240 | total 206,241 visitors | 51,656, 38,210, 64,900,
  12,475, 38,999 | column_after total_total total_all
In Werrow there were 77,375 visitors in total
    total yes: total of “Visitors” over 2 rows: 77375 | werrow 77,375 visitors total | 64,900, 12,475 |
  column_before total_total total_some
The total of visitors at Sandhithe was 64,900
The mean opened was 1945
The first total of visitors
"""

SUMMED_BOATS = """
The average crew is 5
    total yes: mean of “Crew” over 4 rows: 5 | average crew 5 | 4, 2, 2, n/a, 12 | column_after total_mean
  total_all
The total top 10 of Hexley School was 7
    total yes: total of “Top 10” over 2 rows: 7 | total top 10 hexley school 7 | 0, 7 | column_after
  total_total total_some
The combined length in metres of the boats was 48.45
    total yes: total of “Length in metres” over 5 rows: 48.45 | combined length in metres 48.45 | 8.5, 8.5,
  6.2, 11, 14.25 | column_after total_total total_all
"""


@pytest.mark.parametrize(
    ("claim", "passage", "readings"),
    [
        *((claim, LIDOS, readings) for claim, readings in parse_expectations(LOOKED_UP)),
        *((claim, REGATTA, readings) for claim, readings in parse_expectations(LOOKED_UP_IN_RESULTS)),
    ],
)
def test_every_lookup_is_told_whole(claim, passage, readings):
    assert describe_readings(lookups, claim, passage) == readings


@pytest.mark.parametrize(("claim", "readings"), parse_expectations(AFFIRMED))
def test_every_affirmation_is_told_whole(claim, readings):
    assert describe_readings(affirmations, claim, LIDOS) == readings


@pytest.mark.parametrize(
    ("claim", "passage", "readings"),
    [
        *((claim, LIDOS, readings) for claim, readings in parse_expectations(QUANTIFIED)),
        *((claim, REGATTA, readings) for claim, readings in parse_expectations(QUANTIFIED_RESULTS)),
    ],
)
def test_every_quantifier_is_told_whole(claim, passage, readings):
    assert describe_readings(find_quantifier_readings, claim, passage) == readings


@pytest.mark.parametrize(
    ("claim", "passage", "readings"),
    [
        *((claim, LIDOS, readings) for claim, readings in parse_expectations(SUMMED)),
        *((claim, BOATS, readings) for claim, readings in parse_expectations(SUMMED_BOATS)),
    ],
)
def test_every_total_is_told_whole(claim, passage, readings):
    assert describe_readings(totals, claim, passage) == readings
