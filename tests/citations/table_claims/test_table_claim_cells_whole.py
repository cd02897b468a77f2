"""Cells of tables, each with all that is read of it."""

import pytest

from citations.table_claims.claim_table import kind_of_cell
from citations.table_claims.table_claim_cells import read_cell
from citations.text.quote_span import Span
from tests.citations.telling import join_parts, parse_expectations

CELLS = """
51,656
    said, amount 51656, number, #51656
£4.50
    said, amount 4.5, number, #4.5
35 chf
    said, amount 35, number, #35 chf
t1
    said, amount 1, number, t #1
us$ 5
    said, amount 5, number, usa #5
chf 5
    said, text, chf #5
platform 9
    said, text, platform #9
platform9
    said, text, platform #9
4th
    said, amount 4, number, #4
- 3
    said, amount -3, number, #3
−3
    said, amount -3, number, #3
1080 (x2)
    said, amount 1080, number, #1080 x #2
1080 [note]
    said, amount 1080, number, #1080 note
15.2 million tonnes
    said, amount 15200000, number, #15.2 million tonn
3 bn
    said, amount 3000000000, number, #3 bn
2 thousand
    said, amount 2000, number, #2 thousand
5 mrd
    said, amount 5000000000, number, #5 mrd
5 trillion
    said, amount 5e+12, number, #5 trillion
1:25.602
    said, amount 85.602, number, #1 #25.602
1:12:04
    said, amount 4324, number, #1 #12 #4
+ 1:02
    said, amount 62, number, #1 #2
4:05 h
    said, amount 245, number, #4 #5 h
72 + 68 = 140
    said, amount 140, number, #72 #68 #140
= -3.5
    said, amount -3.5, number, #3.5
84 - 71
    said, text, #84 #71
12 %
    said, amount 12, number, #12
a b c d 5
    said, text, a b c d #5
5 a b c
    said, amount 5, number, #5 a b c
5 a b c d
    said, text, #5 a b c d
twelve
    said, amount 12, number, #12
twelve men
    said, text, #12 man
1931
    said, amount 1931, moment 1931/?/?, date, #1931
0931
    said, amount 931, number, #931
2101
    said, amount 2101, number, #2101
2099
    said, amount 2099, moment 2099/?/?, date, #2099
march 3 , 2008
    said, moment 2008/3/3, date, march #3 #2008
sun sep 6
    said, moment ?/9/6, date, sun september #6
31 / 05 / 1975
    said, moment 1975/5/31, date, #31 #5 #1975
05/31/1975
    said, moment 1975/5/31, date, #5 #31 #1975
13/13/1975
    said, text, #13 #13 #1975
00/05/1975
    said, text, #0 #5 #1975
1.1.2000
    said, moment 2000/1/1, date, #1.1 #2000
2007 - 04 - 01
    said, moment 2007/4/1, date, #2007 #4 #1
2007-13-01
    said, moment 2007/1/13, date, #2007 #13 #1
1889 - 1907
    said, moment 1889/?/?, date, #1889 #1907
2007–08
    said, moment 2007/?/?, date, #2007 #8
2007-present
    said, moment 2007/?/?, date, #2007 present
jan
    said, text, january
may 5
    said, moment ?/5/5, date, may #5
-
    blank, empty
–
    blank, empty
n/a
    blank, empty, n a
none
    blank, empty, none
tba
    blank, empty, tba
?
    blank, empty
5 5
    said, text, #5 #5
1 000 000 000 000 000 000 000 000 000 000 000 000 000 000 000 000 000 000 000 0 b
    said, text, #1 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 #0 b
henry the fifth
    said, text, henri the #5
"""


def describe_cells(text):
    cell = read_cell(text, Span(0, len(text)))
    moment = cell.moment
    return [
        join_parts(
            "blank" if cell.is_empty else "said",
            f"amount {cell.amount:.10g}" if cell.amount is not None else "",
            f"moment {moment.year or '?'}/{moment.month or '?'}/{moment.day or '?'}" if moment else "",
            kind_of_cell(cell).value,
            " ".join(token.key for token in cell.tokens),
        )
    ]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(CELLS))
def test_every_cell_is_read_whole(text, lines):
    assert describe_cells(text) == lines
