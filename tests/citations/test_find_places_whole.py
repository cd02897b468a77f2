"""Places of texts, each with its key."""

import pytest

from citations.entities.find_place_entities import find_places, place_key
from tests.citations.telling import join_parts, parse_expectations

PLACES = """
in the US and in Germany, DEU and CHE
    “US”, united states
    “Germany”, germany
    “DEU”, germany
    “CHE”, switzerland
Zürich wächst in der Schweiz
    “Zürich”, zurich
    “Schweiz”, switzerland
He lives in Paris, Texas.
    “Paris, Texas”, paris, texas
in Washington, D.C., USA
    “Washington”, washington
    “USA”, united states
Springfield, IL, and Portland, ME
    “Springfield, IL”, springfield, illinois
    “Portland, ME”, portland, maine
Springfield, il
in London, Ontario, Canada
    “London, Ontario”, london, ontario
    “Canada”, canada
Tver, Russia
    “Tver, Russia”, tver
Kiel, Germany and Lyon, France
    “Kiel, Germany”, kiel
    “Lyon, France”, lyon
New York City and New York
    “New York City”, new york
    “New York”, new york
the U.S. economy
    “U.S.”, united states
the us army, tell us more
    “us”, united states
the eu and the uk
    “eu”, european union
    “uk”, united kingdom
us and eu
sold in the united states
    “united states”, united states
germany won in basel and lima
    “germany”, germany
    “basel”, basel
    “lima”, lima
born in reading
    “reading”, reading
a trip to new york and los angeles
    “new york”, new york
    “los angeles”, los angeles
Reading is fun, born in Reading
    “Reading”, reading
Nice, Bath and Mobile
a flight to Nice
    “Nice”, nice
Paris Hilton of the Bank of China
George Washington and the University of Zurich
the City of London
    “London”, london
President of France
    “France”, france
Republic of Ireland and South Korea
    “Ireland”, ireland
    “South Korea”, south korea
Southern France and Greater London
    “France”, france
    “London”, london
Anna of Basel and Bern
    “Bern”, bern
from Lucerne to Bruges, Aarhus and Seville
    “Lucerne”, luzern
    “Bruges”, brugge
    “Aarhus”, arhus
    “Seville”, sevilla
Moscow and Tver and Kiel
    “Moscow”, moscow
    “Tver”, tver
    “Kiel”, kiel
Kiel grew. Kiel is big.
    “Kiel”, kiel
    “Kiel”, kiel
It grew. in Kiel
    “Kiel”, kiel
between Greece and Georgia
    “Greece”, greece
    “Georgia”, georgia
Kansas City Chiefs
Texas, Ohio and Bavaria
    “Texas”, texas
    “Ohio”, ohio
    “Bavaria”, bavaria
Dublin, Ohio and Dublin
    “Dublin, Ohio”, dublin, ohio
    “Dublin”, dublin
Paris, Hilton
    “Paris”, paris
St. Gallen and São Paulo
    “St. Gallen”, st gallen
    “São Paulo”, sao paulo
Alabama-based
Chad and Jordan
Vaduz
    “Vaduz”, vaduz
"""

PLACE_KEYS = """
USA
    united states
DEU
    germany
AND
U.S.
    united states
the Netherlands
    netherlands
The Gambia
    gambia
Holland
    netherlands
Köln
    koln
Germany's
    germany
Paris
    paris
Paris, Texas
    paris, texas
Paris, Nowhere
paris, texas
    paris, texas
Kiel
    kiel
Springfield
Springfield, IL
    springfield, illinois
Springfield, il
    springfield, illinois
Reading
London, Ontario
    london, ontario
Bavaria, Germany
    bavaria
Texas, USA
    texas
Washington, D.C.
Southeast Asia
    southeast asia
Georgia
    georgia
Bern
    bern
Nowhere
"""


def describe_places(text):
    return [join_parts(f"“{each.span.cut(text)}”", each.key) for each in find_places(text)]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(PLACES))
def test_every_place_is_read_whole(text, lines):
    assert describe_places(text) == lines


def describe_place_keys(text):
    return [join_parts(place_key(text))] if place_key(text) else []


@pytest.mark.parametrize(("text", "lines"), parse_expectations(PLACE_KEYS))
def test_a_place_has_its_key_or_none(text, lines):
    assert describe_place_keys(text) == lines
