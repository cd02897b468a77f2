"""Extremes, counts and comparisons in claims: each reading whole."""

import pytest

from citations.table_claims.rules.claimed_comparisons import comparisons
from citations.table_claims.rules.claimed_counts import counts
from citations.table_claims.rules.claimed_extremes import extremes, frequencies
from tests.citations.table_claims.passages import BOATS, LIDOS, PLACINGS, REGATTA, describe_readings
from tests.citations.telling import parse_expectations

EXTREMES = """
Sandhithe had the most visitors
    superlative yes: most Visitors: “Sandhithe” (64,900) | sandhithe most visitors | 64,900 | column_after
  scope_all
It had the fewest visitors
Old Quay had the second lowest entry fee
    superlative no: lowest Entry fee: “Millbank Pool” (£3.00) | old quay second lowest entry fee | £3.00 |
  column_after scope_all ordinal
Low Ferry had the sixth highest entry fee
The third oldest lido is Sandhithe
    superlative yes: oldest Opened: “Sandhithe” (1949) | third oldest lido sandhithe | 1949 | column_hinted
  scope_all ordinal
    superlative no: oldest Entry fee: “Old Quay” (£3.50) | third oldest lido sandhithe | £3.50 |
  column_guessed scope_all ordinal
Northgate had the most visitors in Aldermoor
    superlative no: most Visitors: “Sandhithe” (64,900) | northgate most visitors aldermoor | 64,900 |
  column_after scope_all
    superlative yes: most Visitors: “Northgate” (51,656) | northgate most visitors aldermoor | 51,656 |
  column_after scope_said
Sandhithe had the most visitors and Low Ferry the fewest visitors
    superlative no: most Visitors: “Sandhithe” (64,900) | sandhithe most visitors low ferry visitors |
  64,900 | column_after scope_all
    superlative no: fewest Visitors: “Low Ferry” (12,475) | sandhithe visitors low ferry fewest visitors |
  12,475 | column_after scope_all
    superlative yes: most Visitors: “Sandhithe” (64,900); fewest Visitors: “Low Ferry” (12,475) | sandhithe
  most visitors low ferry fewest visitors | 64,900, 12,475 | column_after scope_all several_extremes
Sandhithe had the most visitors, followed by Northgate
    superlative no: most Visitors: “Sandhithe” (64,900) | sandhithe most visitors northgate | 64,900 |
  column_after scope_all
    superlative yes: most Visitors: “Sandhithe” (64,900); most Visitors: “Northgate” (51,656) | sandhithe
  most visitors followed northgate | 64,900, 51,656 | column_after scope_all several_extremes
The most visitors
"""

TIED = """
Heron has the second lowest length in metres
    superlative yes: lowest Length in metres: “Heron” (8.5), “Egret” (8.5) | heron second lowest length in
  metres | 8.5, 8.5 | column_after scope_all ordinal tied_extreme
Egret has the third highest length in metres
    superlative yes: highest Length in metres: “Heron” (8.5), “Egret” (8.5) | egret third highest length in
  metres | 8.5, 8.5 | column_after scope_all ordinal tied_extreme
Of all boats of Hexley School Teal has the smallest crew
    superlative yes: smallest Crew: “Egret” (2), “Teal” (2) | boats hexley school teal smallest crew | 2, 2
  | column_after scope_all tied_extreme
Teal has the smallest crew of the Hexley School
    superlative yes: smallest Crew: “Egret” (2), “Teal” (2) | teal smallest crew hexley school | 2, 2 |
  column_after scope_all tied_extreme
Coot was the latest boat
    superlative yes: latest Launched: “Coot” (7 May 1994) | coot latest boat | 7 May 1994 | column_hinted
  scope_all
    superlative yes: latest Top 10: “Coot” (7) | coot latest boat | 7 | column_guessed scope_all
Gull has the most top 10
    superlative no: most Top 10: “Coot” (7) | gull most top 10 | 7 | column_after scope_all
The longest is Gull
    superlative yes: longest Length in metres: “Gull” (14.25) | longest gull | 14.25 | column_hinted
  scope_all
    superlative no: longest Top 10: “Coot” (7) | longest gull | 7 | column_guessed scope_all
Gull is at most the longest boat
    superlative yes: longest Length in metres: “Gull” (14.25) | gull longest boat | 14.25 | column_hinted
  scope_all
    superlative no: longest Top 10: “Coot” (7) | gull longest boat | 7 | column_guessed scope_all
"""

RANKED = """
Ada Fenn had the best rank
    superlative yes: best rank: “Ada Fenn” (1) | ada fenn best rank | 1 | column_after scope_all
Cy Marsh is the oldest runner by age
    superlative yes: oldest age: “Cy Marsh” (45) | cy marsh oldest runner age | 45 | column_after scope_all
The youngest was Bo Carrick and the oldest was Cy Marsh
    superlative no: youngest age: “Bo Carrick” (24) | youngest bo carrick cy marsh | 24 | column_hinted
  scope_all
    superlative no: oldest age: “Cy Marsh” (45) | bo carrick oldest cy marsh | 45 | column_hinted scope_all
    superlative yes: youngest age: “Bo Carrick” (24); oldest age: “Cy Marsh” (45) | youngest bo carrick
  oldest cy marsh | 24, 45 | column_hinted scope_all several_extremes
Ada Fenn was the fastest runner in the Dunlow Harriers
    superlative yes: fastest time: “Ada Fenn” (1:12:04) | ada fenn fastest runner dunlow harriers | 1:12:04
  | column_hinted scope_all
    superlative yes: fastest time: “Ada Fenn” (1:12:04) | ada fenn fastest runner dunlow harriers | 1:12:04
  | column_hinted scope_said
    superlative no: fastest age: “Bo Carrick” (24) | ada fenn fastest runner dunlow harriers | 24 |
  column_guessed scope_all
    superlative yes: fastest age: “Ada Fenn” (31) | ada fenn fastest runner dunlow harriers | 31 |
  column_guessed scope_said
"""

FREQUENT = """
The most common county is Aldermoor
    frequency yes: County is so 3 times; the most for one value is 3 | most common county aldermoor |
  Aldermoor, Aldermoor, Aldermoor | frequency_word frequency_whole
The least common county is Werrow
    frequency yes: County is so 2 times; the most for one value is 2 | least common county werrow | Werrow,
  Werrow | frequency_word frequency_whole
More lidos are in Aldermoor than in any other county
    frequency yes: County is so 3 times; the most for one value is 3 | more aldermoor county | Aldermoor,
  Aldermoor, Aldermoor | frequency_only frequency_whole than_any_other
Fewer lidos are in Werrow than in any other county
    frequency yes: County is so 2 times; the most for one value is 2 | fewer werrow county | Werrow, Werrow
  | frequency_only frequency_whole than_any_other
More lidos are in Aldermoor than in Werrow
Most lidos with yes are in Werrow
Sandhithe is the most common lido
"""

COUNTED = """
Three lidos are in Aldermoor
    count yes: 3 rows meet “Aldermoor” | three aldermoor | Aldermoor, Aldermoor, Aldermoor | count_also_cell
  count_word count_plural count_rows count_conditioned
At least two lidos are in Werrow
    count yes: 2 rows meet “Werrow” | at least two werrow | Werrow, Werrow | count_bound count_rows
  count_conditioned
At most 2 lidos are in Werrow
    count yes: 2 rows meet “Werrow” | at most 2 werrow | Werrow, Werrow | count_bound count_rows
  count_conditioned
More than two lidos are in Werrow
    count no: 2 rows meet “Werrow” | more than two werrow | Werrow, Werrow | count_bound count_rows
  count_conditioned
Less than two lidos are in Werrow
    count no: 2 rows meet “Werrow” | less than two werrow | Werrow, Werrow | count_bound count_rows
  count_conditioned
Three of the five lidos are in Aldermoor
    count yes: 3 rows meet “Aldermoor” | three five aldermoor | Aldermoor, Aldermoor, Aldermoor |
  count_of_whole count_rows count_conditioned
    count no: 3 rows meet “Aldermoor” | five aldermoor | Aldermoor, Aldermoor, Aldermoor | count_also_cell
  count_word count_plural count_rows count_conditioned
    count no: 1 rows meet “Three”, “Aldermoor” | three five aldermoor | £3.00, Aldermoor | count_also_cell
  count_word count_plural count_rows count_conditioned
Three of five lidos are in Aldermoor
    count yes: 3 rows meet “Aldermoor” | three five aldermoor | Aldermoor, Aldermoor, Aldermoor |
  count_of_whole count_rows count_conditioned
    count no: 3 rows meet “Aldermoor” | five aldermoor | Aldermoor, Aldermoor, Aldermoor | count_also_cell
  count_word count_plural count_introduced count_rows count_conditioned
    count no: 1 rows meet “Three”, “Aldermoor” | three five aldermoor | £3.00, Aldermoor | count_also_cell
  count_word count_plural count_introduced count_rows count_conditioned
There are only two different counties
    count no: 5 rows meet (all rows) | only two different | | count_free count_word count_different
  count_introduced count_rows count_unconditioned count_rows_distinct
    count yes: 2 values under “County” | only two different counties | | count_free count_word
  count_different count_introduced count_values count_unconditioned count_values_distinct
There were 5 lidos
    count yes: 5 rows meet (all rows) | 5 | | count_also_cell count_digits count_plural count_introduced
  count_rows count_unconditioned
There were exactly 6 lidos
The first lido had 2.5 visitors
In 1931 and 1927 two opened
    count yes: 2 rows meet “1931 and 1927” | 1931 and 1927 two opened | 1931, 1927 | count_free count_word
  count_rows count_conditioned
    count no: 1 values under “1931 and 1927” | 1931 and 1927 two opened | 1931, 1927 | count_free count_word
  count_each count_conditioned
"""

OFTEN = """
They rowed against four different opponents
    count no: 6 rows meet (all rows) | four different | | count_also_cell count_word count_different
  count_rows count_unconditioned count_rows_distinct
    count yes: 4 values under “opponent” | four different opponents | | count_also_cell count_word
  count_different count_values count_unconditioned count_values_distinct
Dunlow and Werrow Rovers were met twice
    count no: 4 rows meet “Dunlow and Werrow Rovers” | dunlow and werrow rovers twice | Werrow Rovers,
  Dunlow, Werrow Rovers, Dunlow | count_times count_rows count_conditioned
    count yes: 2 values under “Dunlow and Werrow Rovers” | dunlow and werrow rovers twice | Werrow Rovers,
  Dunlow, Werrow Rovers, Dunlow | count_times count_each count_conditioned
Dunlow and Hexley were met twice
    count no: 3 rows meet “Dunlow and Hexley” | dunlow and hexley twice | Dunlow, Dunlow, Hexley |
  count_times count_rows count_conditioned
    count no: 1 values under “Dunlow and Hexley” | dunlow and hexley twice | Dunlow, Dunlow, Hexley |
  count_times count_each count_conditioned
The club won 3 times on home water
    count no: 2 rows meet “won”, “home water” | won 3 home water | w 5 - 2, home water, w 3 - 2, home water
  | count_also_cell count_digits count_times count_rows count_conditioned
The club lost once
    count no: 2 rows meet “lost” | lost once | l 1 - 4, l 0 - 3 | count_times count_rows count_conditioned
Race 2 was one of 3 races with 280
    count no: 6 rows meet (all rows) | 2 | | count_also_cell count_digits count_plural count_rows
  count_unconditioned
    count no: 0 rows meet “one”, “3”, “280” | race 2 one 3 races 280 | | count_also_cell count_digits
  count_plural count_rows count_conditioned count_zero
    count no: 6 rows meet (all rows) | one | | count_also_cell count_word count_of count_introduced
  count_rows count_unconditioned
    count no: 0 rows meet “2”, “3”, “280” | race 2 one 3 races 280 | | count_also_cell count_word count_of
  count_introduced count_rows count_conditioned count_zero
    count no: 6 rows meet (all rows) | 3 | | count_also_cell count_digits count_plural count_introduced
  count_rows count_unconditioned
    count no: 0 rows meet “2”, “one”, “280” | race 2 one 3 races 280 | | count_also_cell count_digits
  count_plural count_introduced count_rows count_conditioned count_zero
No race
"""

COMPARED = """
Sandhithe had more visitors than Northgate
    comparison yes: “Sandhithe” 64,900 against “Northgate” 51,656 in “Visitors” | sandhithe more visitors
  northgate | 64,900, 51,656 | by_cell column_after
Sandhithe had fewer visitors than Northgate
    comparison no: “Sandhithe” 64,900 against “Northgate” 51,656 in “Visitors” | sandhithe fewer visitors
  northgate | 64,900, 51,656 | by_cell column_after
Sandhithe had 13,244 more visitors than Northgate
    difference yes: “Sandhithe” 64,900 against “Northgate” 51,656 in “Visitors” | sandhithe 13,244 more
  visitors northgate | 64,900, 51,656 | by_cell column_after difference_stated
Sandhithe had 13,245 more visitors than Northgate
    difference no: “Sandhithe” 64,900 against “Northgate” 51,656 in “Visitors” | sandhithe 13,245 more
  visitors northgate | 64,900, 51,656 | by_cell column_after difference_stated
Sandhithe opened 13 years before Low Ferry
    difference yes: “Sandhithe” 1949 against “Low Ferry” 1962 in “Opened” | sandhithe opened 13 before low
  ferry | 1949, 1962 | by_cell column_hinted comparative_hinted difference_stated
    difference no: 1 rows against 1 | sandhithe 13 before low ferry | | by_count no_column
  comparative_hinted difference_stated
Low Ferry opened after Sandhithe
    comparison yes: “Low Ferry” 1962 against “Sandhithe” 1949 in “Opened” | low ferry opened after sandhithe
  | 1962, 1949 | by_cell column_hinted comparative_hinted
    comparison no: 1 rows against 1 | low ferry after sandhithe | | by_count no_column comparative_hinted
Northgate and Sandhithe had the same entry fee
    same no: “Northgate” £4.50 against “Sandhithe” £5.00 in “Entry fee” | northgate sandhithe same entry fee
  | £4.50, £5.00 | by_cell column_after
Millbank Pool and Old Quay had the same county
    same no: “Millbank Pool” £3.00 against “Old Quay” £3.50 in “Entry fee” | millbank pool old quay same |
  £3.00, £3.50 | by_cell column_guessed
    same yes: 1 rows against 1 | millbank pool old quay same | | by_count no_column
The entry fee at Sandhithe was double, higher than at Low Ferry
    difference yes: “Sandhithe” £5.00 against “Low Ferry” £2.50 in “Entry fee” | entry fee sandhithe double
  higher low ferry | £5.00, £2.50 | by_cell column_before factor_stated
    difference no: 1 rows against 1 | sandhithe double higher low ferry | | by_count no_column factor_stated
More lidos are in Aldermoor than in Werrow
    comparison yes: a sum of 11 against a sum of 7.5 in “Entry fee” | more aldermoor werrow | £4.50, £3.00,
  £3.50, £5.00, £2.50 | by_sum column_guessed
    comparison yes: 3 rows against 2 | more aldermoor werrow | | by_count no_column
Lidos in Aldermoor had more visitors than those in Werrow
    comparison yes: a sum of 128865 against a sum of 77375 in “Visitors” | aldermoor more visitors werrow |
  51,656, 38,210, 38,999, 64,900, 12,475 | by_sum column_after
As many lidos are in Werrow as in Aldermoor
    same no: a sum of 7.5 against a sum of 11 in “Entry fee” | as many werrow aldermoor | £5.00, £2.50,
  £4.50, £3.00, £3.50 | by_sum column_guessed
    same no: 2 rows against 3 | as many werrow aldermoor | | by_count no_column
Northgate had more visitors
"""

BOATS_COMPARED = """
Heron has the same length in metres as Egret
    same yes: “Heron” 8.5 against “Egret” 8.5 in “Length in metres” | heron same length in metres egret |
  8.5, 8.5 | by_cell column_after
Heron has a crew twice as large as that of Egret, more than Egret
    comparison yes: a sum of 6 against “Egret” 2 in “Crew” | heron crew egret more egret | 4, 2, 2 | by_sum
  column_before
    comparison no: 0 rows against 1 | heron egret more egret | | by_count no_column
Coot has a larger crew than Heron
Teal has a lower crew than Heron
    comparison yes: “Teal” 2 against “Heron” 4 in “Crew” | teal lower crew heron | 2, 4 | by_cell
  column_after
Gull was launched before Teal
    comparison no: 1 rows against 1 | gull before teal | | by_count no_column comparative_hinted
Coot was launched 6 years after Gull
    difference no: “Coot” 7 May 1994 against “Gull” 1988 in “Launched” | coot launched 6 after gull | 7 May
  1994, 1988 | by_cell column_hinted comparative_hinted difference_stated
    difference no: 1 rows against 1 | coot 6 after gull | | by_count no_column comparative_hinted
  difference_stated
Heron was launched before Egret
    comparison yes: “Heron” 12 May 1990 against “Egret” 3 June 1990 in “Launched” | heron launched before
  egret | 12 May 1990, 3 June 1990 | by_cell column_hinted comparative_hinted
    comparison no: 1 rows against 1 | heron before egret | | by_count no_column comparative_hinted
"""

RANKS_COMPARED = """
Ada Fenn had a better rank than Bo Carrick
    comparison yes: “Ada Fenn” 1 against “Bo Carrick” 2 in “rank” | ada fenn better rank bo carrick | 1, 2 |
  by_cell column_after
Cy Marsh is older than Di Thorne
    comparison yes: “Cy Marsh” 45 against “Di Thorne” 29 in “age” | cy marsh older di thorne | 45, 29 |
  by_cell column_hinted comparative_hinted
    comparison no: 1 rows against 1 | cy marsh older di thorne | | by_count no_column comparative_hinted
Cy Marsh is 16 years older than Di Thorne
    difference yes: “Cy Marsh” 45 against “Di Thorne” 29 in “age” | cy marsh 16 older di thorne | 45, 29 |
  by_cell column_hinted comparative_hinted difference_stated
    difference no: 1 rows against 1 | cy marsh 16 older di thorne | | by_count no_column comparative_hinted
  difference_stated
Bo Carrick was faster than Ada Fenn
    comparison no: “Bo Carrick” 1:12:55 against “Ada Fenn” 1:12:04 in “time” | bo carrick faster ada fenn |
  1:12:55, 1:12:04 | by_cell column_hinted comparative_hinted
    comparison yes: “Bo Carrick” 24 against “Ada Fenn” 31 in “age” | bo carrick faster ada fenn | 24, 31 |
  by_cell column_guessed comparative_hinted
    comparison no: 1 rows against 1 | bo carrick faster ada fenn | | by_count no_column comparative_hinted
"""


@pytest.mark.parametrize(
    ("claim", "passage", "readings"),
    [
        *((claim, LIDOS, readings) for claim, readings in parse_expectations(EXTREMES)),
        *((claim, BOATS, readings) for claim, readings in parse_expectations(TIED)),
        *((claim, PLACINGS, readings) for claim, readings in parse_expectations(RANKED)),
    ],
)
def test_every_extreme_is_told_whole(claim, passage, readings):
    assert describe_readings(extremes, claim, passage) == readings


@pytest.mark.parametrize(("claim", "readings"), parse_expectations(FREQUENT))
def test_every_frequency_is_told_whole(claim, readings):
    assert describe_readings(frequencies, claim, LIDOS) == readings


@pytest.mark.parametrize(
    ("claim", "passage", "readings"),
    [
        *((claim, LIDOS, readings) for claim, readings in parse_expectations(COUNTED)),
        *((claim, REGATTA, readings) for claim, readings in parse_expectations(OFTEN)),
    ],
)
def test_every_count_is_told_whole(claim, passage, readings):
    assert describe_readings(counts, claim, passage) == readings


@pytest.mark.parametrize(
    ("claim", "passage", "readings"),
    [
        *((claim, LIDOS, readings) for claim, readings in parse_expectations(COMPARED)),
        *((claim, BOATS, readings) for claim, readings in parse_expectations(BOATS_COMPARED)),
        *((claim, PLACINGS, readings) for claim, readings in parse_expectations(RANKS_COMPARED)),
    ],
)
def test_every_comparison_is_told_whole(claim, passage, readings):
    assert describe_readings(comparisons, claim, passage) == readings
