"""Words of a claim are linked to a table's cells, each with all that is read of it."""

import pytest

from citations.table_claims.claim_bounds import find_bounds
from citations.table_claims.table_claim_questions import linkage
from tests.citations.table_claims.passages import BOATS, LIDOS, REGATTA, link_to_table
from tests.citations.telling import join_parts, parse_expectations

OF_LIDOS = """
Sandhithe is in Werrow
    text, sandhithe, Lido [2] 1
    text, werrow, County [2, 3] 1
    linkage 1
Sandhihte is in Werrow
    text, sandhihte, Lido [2] 1
    text, werrow, County [2, 3] 1
    linkage 1
The entry fee of Millbank Pool, the Old Quay and Northgate
    list, millbank pool the old quay and northgate, Lido [0, 1, 4] 1, 3 members
    column, entry fee, Entry fee, 1
    title of
    linkage 1
Low Ferry or Sandhithe opened in 1962
    list, low ferry or sandhithe, Lido [2, 3] 1, 2 members
    time, 1962, Opened [3] 1
    column, opened, Opened, 1
    linkage 1
Millbank was opened
    text, millbank, Lido [1] 0.5
    column, opened, Opened, 1
    linkage 1
more than 50,000 visitors
    bound, more than 50,000, Visitors [0, 2] 1
    column, visitors, Visitors, 1
    bound, more than 50,000, 1, 50000
    linkage 1
fewer than 38,210 visitors
    bound, fewer than 38,210, Visitors [3] 1
    column, visitors, Visitors, 1
    bound, fewer than 38,210, -1, 38210
    linkage 1
at least 38,210 visitors
    bound, at least 38,210, Visitors [0, 1, 2, 4] 1
    column, visitors, Visitors, 1
    bound, at least 38,210, 1, 38210, inclusive
    linkage 1
at most 38,210 visitors
    bound, at most 38,210, Visitors [1, 3] 1
    column, visitors, Visitors, 1
    bound, at most 38,210, -1, 38210, inclusive
    linkage 1
no more than 38,210 visitors
    bound, no more than 38,210, Visitors [1, 3] 1
    column, visitors, Visitors, 1
    bound, no more than 38,210, -1, 38210, inclusive
    linkage 1
not less than 38,210 visitors
    bound, not less than 38,210, Visitors [0, 1, 2, 4] 1
    column, visitors, Visitors, 1
    bound, not less than 38,210, 1, 38210, inclusive
    linkage 1
51,656 or more visitors
    bound, 51,656 or more, Visitors [0, 2] 1
    column, visitors, Visitors, 1
    bound, 51,656 or more, 1, 51656, inclusive
    linkage 1
51,656 or fewer visitors
    bound, 51,656 or fewer, Visitors [0, 1, 3, 4] 1
    column, visitors, Visitors, 1
    bound, 51,656 or fewer, -1, 51656, inclusive
    linkage 1
opened after 1949
    bound, after 1949, Opened [1, 3] 1
    column, opened, Opened, 1
    bound, after 1949, 1, 725400, time
    bound, after 1949, 1, 1949
    linkage 1
opened since 1949
    bound, since 1949, Opened [1, 2, 3] 1
    column, opened, Opened, 1
    bound, since 1949, 1, 725029, inclusive, time
    bound, since 1949, 1, 1949
    linkage 1
opened until 1949
    bound, until 1949, Opened [0, 2, 4] 1
    column, opened, Opened, 1
    bound, until 1949, -1, 725400, inclusive, time
    bound, until 1949, -1, 1949
    linkage 1
opened before 1931
    bound, before 1931, Opened [4] 1
    column, opened, Opened, 1
    bound, before 1931, -1, 718333, time
    bound, before 1931, -1, 1931
    linkage 1
opened from 1930 to 1950
    time, 1930 to 1950, Opened [0, 2] 1
    column, opened, Opened, 1
    linkage 1
no Werrow
    text, werrow, County [2, 3] 1
    linkage 1
heated yes
    text, yes, Heated [0, 2] 1
    column, heated, Heated, 1
    linkage 1
Northgate had 15,656 visitors
    text, northgate, Lido [0] 1
    number, 15,656, Visitors [] 1
    column, visitors, Visitors, 1
    linkage 1
Northgate had 15,656 visitors in 1931
    text, northgate, Lido [0] 1
    number, 15,656, Visitors [] 1
    time, 1931, Opened [0] 1
    column, visitors, Visitors, 1
    linkage 1
In total there were 206,240 visitors
    column, visitors, Visitors, 1
    linkage 0.5
2.75 was the entry fee
    number, 2.75, Entry fee [] 1
    column, entry fee, Entry fee, 1
    linkage 1
The 7 lidos of Lake Aldern
    column, lidos, Lido, 1
    title lidos of lake aldern
    linkage 1
1949
    time, 1949, Opened [2] 1
    linkage 0
visited on the entry of 5 fees
    number, 5, Entry fee [2] 1
    column, visited, Visitors, 1
    column, entry, Entry fee, 0.5
    column, fees, Entry fee, 0.5
    title of
    linkage 1
more than Sandhithe
    text, sandhithe, Lido [2] 1
    linkage 1
more than just the 50,000 visitors
    bound, more than just the 50,000, Visitors [0, 2] 1
    column, visitors, Visitors, 1
    bound, more than just the 50,000, 1, 50000
    linkage 1
more than only just the 50,000 visitors
    number, 50,000, Visitors [] 1
    column, visitors, Visitors, 1
    linkage 1
more than the first 3 visitors
    number, 3, Entry fee [1] 1
    column, visitors, Visitors, 1
    linkage 1
1949 opened after
    time, 1949, Opened [2] 1
    column, opened, Opened, 1
    linkage 1
under 1949
    time, 1949, Opened [2] 1
    bound, under 1949, -1, 725029, time
    bound, under 1949, -1, 1949
    linkage 0
It rained in Spain
    linkage 0
"""

OF_REGATTA = """
The club won against Dunlow on April 6, 2008
    outcome, won, result [0, 2, 4] 1
    text, dunlow, opponent [2, 4] 1
    time, april 6 2008, date [2] 1
    title club 2008
    linkage 0.857
a race in April 2008
    time, april 2008, date [2, 3] 1
    column, race, race, 1
    title 2008
    linkage 1
on 17/03/2008 or 2008-03-17
    time, 17 03 2008, date [1] 1
    time, 2008 03 17, date [1] 1
    title 2008 2008
    linkage 1
races from March 10 to April 10, 2008
    time, march 10 to april 10 2008, date [1, 2] 1
    column, races, race, 1
    title 2008
    linkage 1
in March 2011
    text, march, date [0, 1] 0.33
    linkage 1
It drew once and lost twice
    outcome, drew, result [3] 1
    outcome, lost, result [1, 5] 1
    linkage 1
the crowd was more than 300
    bound, more than 300, crowd [0, 2, 4] 1
    column, crowd, crowd, 1
    bound, more than 300, 1, 300
    linkage 1
before April 2008
    bound, before april 2008, date [0, 1] 1
    bound, before april 2008, -1, 747070, time
    title 2008
    linkage 1
after 6 April 2008
    bound, after 6 april 2008, date [3, 4, 5] 1
    bound, after 6 april 2008, 1, 747075, time
    bound, after 6, 1, 6
    title 2008
    linkage 1
at Stane weir and Werrow reach
    list, stane weir and werrow reach, course [1, 3] 1, 2 members
    linkage 1
home water
    text, home water, course [0, 2, 5] 1
    linkage 1
"""

OF_BOATS = """
Heron and Egret of the Dunlow Sailing Club
    list, heron and egret, Boat [0, 1] 1, 2 members
    text, dunlow sailing club, Owner [0, 1] 1
    title of the
    linkage 1
more than 8.5 length in metres
    bound, more than 8.5, Length in metres [3, 4] 1
    column, length in metres, Length in metres, 1
    bound, more than 8.5, 1, 8.5
    linkage 1
launched after May 1990
    bound, after may 1990, Launched [1, 3] 1
    column, launched, Launched, 1
    bound, after may 1990, 1, 740435, time
    linkage 1
launched since 12 May 1990
    bound, since 12 may 1990, Launched [0, 1, 3] 1
    column, launched, Launched, 1
    bound, since 12 may 1990, 1, 740416, inclusive, time
    bound, since 12, 1, 12
    linkage 1
launched no later than 3 June 1990
    bound, no later than 3 june 1990, Launched [0, 1, 4] 1
    column, launched, Launched, 1
    bound, no later than 3 june 1990, -1, 740438, inclusive, time
    bound, no later than 3, -1, 3, inclusive
    linkage 1
made the top 10
    column, top 10, Top 10, 1
    title the
    linkage 0.667
a crew of 5
    column, crew, Crew, 1
    title of
    linkage 1
Hexley School has 20 crew
    text, hexley school, Owner [2, 3] 1
    number, 20, Crew [] 1
    column, crew, Crew, 1
    linkage 1
"""


def describe_links(text, passage):
    linked = link_to_table(text, passage)
    headers = linked.table.headers
    words = [token.word for token in linked.tokens]
    mentions = [
        join_parts(
            each.kind.value,
            " ".join(words[at] for at in each.positions),
            "; ".join(
                f"{headers[link.column]} {sorted(link.rows)} {link.fullness:.2g}" for link in each.links
            ),
            f"{len(each.members)} members" if each.members else "",
        )
        for each in linked.mentions
    ]
    names = [
        join_parts(
            "column", " ".join(words[name.start : name.end]), headers[name.column], f"{name.share:.2g}"
        )
        for name in linked.names
    ]
    bounds = [
        join_parts(
            "bound",
            " ".join(words[bound.start : bound.end]),
            bound.sign,
            f"{bound.value:.10g}",
            "inclusive" if bound.inclusive else "",
            "time" if bound.is_time else "",
        )
        for bound in find_bounds(linked)
    ]
    title = " ".join(words[at] for at in sorted(linked.title_positions))
    return [
        *mentions,
        *names,
        *bounds,
        *([f"title {title}"] if title else []),
        f"linkage {linkage(linked):.3g}",
    ]


@pytest.mark.parametrize(
    ("claim", "passage", "lines"),
    [
        *((claim, LIDOS, lines) for claim, lines in parse_expectations(OF_LIDOS)),
        *((claim, REGATTA, lines) for claim, lines in parse_expectations(OF_REGATTA)),
        *((claim, BOATS, lines) for claim, lines in parse_expectations(OF_BOATS)),
    ],
)
def test_every_word_is_linked_whole(claim, passage, lines):
    assert describe_links(claim, passage) == lines
