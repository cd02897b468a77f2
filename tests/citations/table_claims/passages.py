"""Tables made up for these tests."""

from citations.table_claims import find_tables
from citations.table_claims.table_claim_questions import ask

LIDOS = """Table: Lidos of Lake Aldern, 2019

| Lido | Opened | Visitors | County | Entry fee | Heated |
|---|---:|---:|---|---:|---|
| Northgate | 1931 | 51,656 | Aldermoor | £4.50 | yes |
| Millbank Pool | 1954 | 38,210 | Aldermoor | £3.00 | no |
| Sandhithe | 1949 | 64,900 | Werrow | £5.00 | yes |
| Low Ferry | 1962 | 12,475 | Werrow | £2.50 | no |
| Old Quay | 1927 | 38,999 | Aldermoor | £3.50 | no |
"""

REGATTA = """Table: Aldern Rowing Club, season 2008
race | date | opponent | result | crowd | course
1 | march 3 , 2008 | Werrow Rovers | w 5 - 2 | 310 | home water
2 | march 17 , 2008 | Stane Bridge | l 1 - 4 | 280 | Stane weir
3 | april 6 , 2008 | Dunlow | w 3 - 2 | 455 | home water
4 | april 20 , 2008 | Werrow Rovers | d 2 - 2 | 120 | Werrow reach
5 | may 4 , 2008 | Dunlow | w 4 - 0 | 305 | Dunlow lock
6 | may 18 , 2008 | Hexley | l 0 - 3 | 290 | home water
"""

PLACINGS = """Table: Stane half marathon
rank | runner | club | time | age
1 | Ada Fenn | Dunlow Harriers | 1:12:04 | 31
2 | Bo Carrick | Stane Striders | 1:12:55 | 24
3 | Cy Marsh | Dunlow Harriers | 1:13:40 | 45
4 | Di Thorne | Hexley AC | 1:15:02 | 29
"""


def table(passage):
    (found,) = find_tables(passage)
    return found


def link_to_table(claim, passage=LIDOS):
    return ask(claim, table(passage))


BOATS = """Boats of the Aldern yard
Boat | Launched | Length in metres | Crew | Owner | Top 10
Heron | 12 May 1990 | 8.5 | 4 | Dunlow Sailing Club | 3
Egret | 3 June 1990 | 8.5 | 2 | Dunlow Sailing Club | 1
Teal | - | 6.2 | 2 | Hexley School | 0
Coot | 7 May 1994 | 11 | n/a | Hexley School | 7
Gull | 1988 | 14.25 | 12 | Werrow Trust | 2
"""


def describe_readings(operation, claim, passage):
    """The readings of a claim, each with its answer, reason, words of the claim, cells and traits."""
    linked = link_to_table(claim, passage)
    return [_describe_reading(each, linked, passage) for each in operation(linked)]


def _describe_reading(reading, linked, passage):
    words = " ".join(linked.tokens[at].word for at in sorted(reading.covered))
    cells = ", ".join(span.cut(passage) for span in reading.spans)
    answer = f"{reading.operation.value} {'yes' if reading.holds else 'no'}: {reading.reason}"
    return " ".join(f"{answer} | {words} | {cells} | {' '.join(reading.traits)}".split())
