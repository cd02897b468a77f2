"""Quantities of texts, each with all that is read of it."""

import pytest

from citations.find_quantities import find_quantities
from tests.citations.telling import join_parts, parse_expectations

QUANTITIES = """
Over 500 users
    “500”, count, more than, 500, ±1, of user, user
at least 12 characters long
    “12”, count, at least, 12, ±1, of charact, charact long
at most 12 users
    “12”, count, at most, 12, ±1, of user, user
no more than 3 users per day
    “3”, count, at most, 3, ±1, of user, per day, day user, after no
no fewer than 12 users
    “12”, count, at least, 12, ±1, of user, user, after fewer no
not below 20 °C
    “20 °C”, measure, at least, 20, ±1, °C
starting at $5
    “$5”, currency, at least, 5, ±1, USD, after begin
up to 8 GB
    “8 GB”, measure, at most, 8e+09, ±1e+09, B
as many as 500 users
    “500”, count, at most, 500, ±1, of user, user
a maximum of 12 items
    “12”, count, at most, 12, ±1, of item, item
the minimum length is 8 characters
    “8”, count, at least, 8, ±1, of charact, charact, after length
under 5 kg
    “5 kg”, measure, less than, 5000, ±1000, g
just under 500 users
    “500”, count, less than, 500, ±1, of user, user
about 12 km
    “12 km”, measure, about, 12000, ±1000, m
approximately 1,200 people
    “1,200”, count, about, 1200, ±1, of peopl, peopl
an estimated 3.2 million users
    “3.2 million”, count, about, 3200000, ±100000, of user, user
500 or more users
    “500”, count, at least, 500, ±1, of user, user
12 or fewer users
    “12”, count, at most, 12, ±1, of user, fewer user
12 users or so
    “12”, count, about, 12, ±1, of user, user
12 users at least
    “12”, count, at least, 12, ±1, of user, user
500+ users
    “500+”, count, at least, 500, ±1, of user, user
5 ± 2 users
    “5 ± 2”, count, exact, 5, ±1, of user, user
$10–15 a day
    “$10–15”, currency, exact, 10–15, ±1, USD, per day
CHF 1'200.50 was paid
    “CHF 1'200.50”, currency, exact, 1200.5, ±0.01, CHF
€1,234.50 per capita
    “€1,234.50”, currency, exact, 1234.5, ±0.01, EUR, per person
5 million Swiss francs a year
    “5 million Swiss francs”, currency, exact, 5000000, ±1e+06, CHF, per year
12 Canadian dollars
    “12 Canadian dollars”, currency, exact, 12, ±1, CAD
5 lakh rupees
    “5 lakh rupees”, currency, exact, 500000, ±100000, INR
Rs 500 crore
    “Rs 500 crore”, currency, exact, 5e+09, ±1e+07, INR
R$ 12 annually
    “R$ 12”, currency, exact, 12, ±1, BRL, per year
200 zł
    “200 zł”, currency, exact, 200, ±1, PLN
£5m of sales
    “£5m”, currency, exact, 5000000, ±1e+06, GBP, of sale, sale
US$ 3.2bn
    “US$ 3.2bn”, currency, exact, 3.2e+09, ±1e+08, USD
between 5 km and 7 km
    “5 km and 7 km”, measure, exact, 5000–7000, ±1000, m
from 8 to 12 percent
    “8 to 12 percent”, percent, exact, 8–12, ±1
It rose from 8 to 12 percent.
    “8”, percent, exact, 8, ±1, former, after rose
    “12 percent”, percent, exact, 12, ±1, after rose
It fell from 5 million to 3 million users.
    “5 million”, count, exact, 5000000, ±1e+06, former, after fall
    “3 million”, count, exact, 3000000, ±1e+06, of user, user, after fall million
10 to 15 users
    “10 to 15”, count, exact, 10–15, ±1, of user, user
5 ft 11 in tall
    “5 ft 11 in”, measure, exact, 1.8034, ±0.0254, m, of tall, tall
5'11" tall
    “5'11"”, measure, exact, 1.8034, ±0.0254, m, of tall, tall
2 hours and 30 minutes
    “2 hours and 30 minutes”, measure, exact, 9000, ±60, s
6 lb 3 oz
    “6 lb 3 oz”, measure, exact, 2806.60279, ±28.3495, g
100 km/h
    “100 km/h”, measure, exact, 100, ±1, km/h
62 miles an hour
    “62 miles an hour”, measure, exact, 99.779328, ±1.60934, km/h
2 square kilometres of forest
    “2 square kilometres”, measure, exact, 2000000, ±1e+06, m², of forest, forest
2 sq km
    “2 sq km”, measure, exact, 2000000, ±1e+06, m²
1 g/cm3
    “1 g/cm3”, measure, exact, 1000, ±1000, g/l
100 mg per dL
    “100 mg per dL”, measure, exact, 1, ±0.01, g/l
a 5-inch screen
    “5-inch”, measure, exact, 0.127, ±0.0254, m, of screen, screen
1,200 kWh per year
    “1,200 kWh”, measure, exact, 4.32e+09, ±3.6e+06, J, per year
50 deaths per 100,000 people
    “50”, count, exact, 50, ±1, of death, per 100000 person, death
5 days a week
    “5 days”, measure, exact, 432000, ±86400, s, per week
a rise of 2 °C
    “2 °C”, measure, exact, 2, ±1, Δ°C, after rise
2 °C warmer
    “2 °C”, measure, exact, 2, ±1, Δ°C, of warmer, warmer
68 °F
    “68 °F”, measure, exact, 20, ±0.555556, °C
273.15 K
    “273.15 K”, measure, exact, 0, ±0.01, °C
45k users
    “45k”, count, exact, 45000, ±1000, of user, user
5m copies
    “5m”, count, exact, 5000000, ±1e+06, of copi, copi
10m waves
    “10m”, measure, exact, 10, ±1, m, of wave, wave
a 70B model
    “70B”, count, exact, 7e+10, ±1e+09, of model, model
5B of RAM
    “5B”, measure, exact, 5, ±1, B, of ram, ram
64 KB
    “64 KB”, measure, exact, 64000, ±1000, B
12 %
    “12 %”, percent, exact, 12, ±1
12 per cent of voters
    “12 per cent”, percent, exact, 12, ±1, of voter, voter
5 percentage points
    “5 percentage points”, points, exact, 5, ±1
50 basis points
    “50 basis points”, points, exact, 0.5, ±0.01
5 ‰ of it
    “5 ‰”, percent, exact, 0.5, ±0.1
3-fold
    “3-fold”, factor, exact, 3, ±1
10x faster
    “10x”, factor, exact, 10, ±1, of faster, faster
ten times as many
    “ten times”, factor, exact, 10, ±1
doubled
    “doubled”, factor, exact, 2, ±1
twice as fast
    “twice”, factor, exact, 2, ±1
twice
    “twice”, count, exact, 2, ±1
one in five adults
    “one in five”, percent, exact, 20, ±1, of adult, adult
9 out of 10 users
    “9 out of 10”, percent, exact, 90, ±1, of user, user
1 out of every 1,000 users
    “1 out of every 1,000”, percent, exact, 0.1, ±1, of user, user
half of them
    “half”, percent, exact, 50, ±1
two thirds of users
    “two thirds”, percent, exact, 66.6666667, ±1, of user, user
a two-thirds majority
    “two-thirds”, percent, exact, 66.6666667, ±1, of major, major
1/3 of the users
    “1/3”, percent, exact, 33.3333333, ±1, of user, user
¾ of the users
    “¾”, percent, exact, 75, ±1, of user, user
a ratio of 3:1
    “3:1”, ratio, exact, 3, ±1, after ratio
at 5:2 odds
    “5:2”, ratio, exact, 2.5, ±1, of odd, odd
a 4-to-1 margin
    “4-to-1”, ratio, exact, 4, ±1, of margin, margin
a threefold rise
    “threefold”, factor, exact, 3, ±1, of rise, rise
the third attempt
    “third”, ordinal, exact, 3, ±1, of attempt, attempt
the 21st century
3rd place
    “3rd”, ordinal, exact, 3, ±1, of place, place
a compound annual growth rate of 5 %
    “5 %”, growth, exact, 5, ±1, after annual compound growth rate
grew by 7 % a year
    “7 %”, percent, exact, 7, ±1, per year, after grow
two and a half hours
    “two and a half hours”, measure, exact, 9000, ±360, s
a dozen eggs
    “a dozen”, count, exact, 12, ±1, of egg, egg
three hundred and five doors
    “three hundred and five”, count, exact, 305, ±1, of door, door
-3 points
    “-3”, count, exact, -3, ±1, of point, point
The hash of the salt has 12 red green blue birds in it
    “12”, count, exact, 12, ±1, of red, blue green red, after hash salt
In 5 tests the hash had 12
    “5”, count, exact, 5, ±1, of test, hash test
    “12”, count, exact, 12, ±1, after hash test
"""


def describe_quantities(text):
    return [describe_quantity(each) for each in find_quantities(text)]


def describe_quantity(quantity):
    low, high = f"{quantity.low:.9g}", f"{quantity.high:.9g}"
    return join_parts(
        f"“{quantity.text}”",
        quantity.kind.value,
        quantity.bound.value,
        low if low == high else f"{low}–{high}",
        f"±{quantity.step:g}",
        quantity.unit,
        f"of {quantity.head}" if quantity.head else "",
        f"per {quantity.per}" if quantity.per else "",
        "former" if quantity.is_former else "",
        " ".join(sorted(quantity.nouns)),
        f"after {' '.join(sorted(quantity.subject))}" if quantity.subject else "",
    )


@pytest.mark.parametrize(("text", "lines"), parse_expectations(QUANTITIES))
def test_every_quantity_is_read_whole(text, lines):
    assert describe_quantities(text) == lines
