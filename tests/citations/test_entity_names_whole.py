"""Names and labels of texts, each with all that is read of it."""

import pytest

from citations.entities.entities import find_entities
from citations.entities.entity_names import entity_key, same_name
from citations.entities.entity_number_labels import find_labels
from tests.citations.telling import join_parts, parse_expectations

ENTITIES = """
Elvis Presley was born in Tupelo.
    “Elvis Presley”, elvis presley
    “Tupelo”, tupelo, place
Use PBKDF2 with SHA-256.
    “PBKDF2”, pbkdf2
    “SHA-256”, sha 256
as NIST SP 800-63B Rev. 4 says
    “NIST SP 800-63B Rev. 4”, sp 800 63b rev 4
see RFC 2104, ISO/IEC 27001 and CVE-2017-1234
    “RFC 2104”, rfc 2104
    “ISO/IEC 27001”, iso iec 27001
    “CVE-2017-1234”, cve 2017 1234
since Django 5.2 it is so
    “Django 5.2”, django 5.2
The University of Zurich and Ann Lee found it.
    “University of Zurich and Ann Lee”, university of zurich and ann lee
Ann Lee and Bob Ray wrote Food and Drug Act.
    “Ann Lee”, ann lee
    “Bob Ray”, bob ray
    “Food and Drug Act”, food and drug act
the Department of Health and Human Services
    “Department of Health and Human Services”, department of health and human services
When Peter came, The Acme Inc. sold iPhone and eBay shares.
    “Peter”, peter
    “Acme Inc”, acme
    “iPhone”, iphone
    “eBay”, ebay
The U.S. and the W3C's WHO
    “U.S.”, united states, place
    “W3C”, w3c
Verifiers SHALL do it and MUST
Passwords are weak. Users know. Users of Users.
    “Users”, users
    “Users of Users”, users of users
on Monday in May 2017
Yeah I saw World War I
    “World War I”, world war i
The President met President Obama
    “President”, president
    “President Obama”, obama
President: Obama came
Apollo 11 and Windows 10 flew
    “Apollo 11”, apollo 11
    “Windows 10”, windows 10
In Paris, Texas it rained
    “Paris, Texas”, paris, texas, place
Name | Acme | Zed
J. R. R. Tolkien met C. S. Lewis
    “Tolkien”, tolkien
    “Lewis”, lewis
X is Y
Q4 2020 of Müller and Ångström
    “Müller and Ångström”, muller and angstrom
Dear Anna, see Bern
    “Anna”, anna
    “Bern”, bern, place
John Smith's dog
    “John Smith's”, john smith
Saying so, Smith said Smith
    “Smith”, smith
    “Smith”, smith
NASA and USGS launched
    “NASA and USGS”, nasa and usgs
three-fold well-known foo_9
    “foo_9”, foo_9
"""

KEYS = """
The W3C's
    w3c
Dr. Müller
    muller
Prof. Dr. Anna Müller
    anna muller
Acme Inc.
    acme
Acme Holdings Group Ltd
    acme
Inc.
    inc
Dr
    dr
U.N.
    un
u.n. council
    un council
NIST SP 800-63B
    sp 800 63b
SHA‑256
    sha 256
Boss'
    boss
the Netherlands
    netherlands
Zürich
    zurich
In Search
    search
Django 5.2
    django 5.2
5. Avenue
    5. avenue
Sir J. Smith, Jr.
    j smith
AT&T
    at t
"""

SAME = """
who = world health organization
    True, True
un = united nations
    True, True
wh = world health organization
    False, False
w = world
    False, False
fbi = federal bureau of investigation
    True, True
fboi = federal bureau of investigation
    True, True
presley = elvis presley
    True, True
lee = ann lee
    False, False
smith = john adam bo smith
    False, False
smith = john adam smith
    True, True
lincoln = lincoln city
    False, False
j smith = john smith
    True, True
j smith = john adam smith
    True, True
john smith = j adam smith
    True, True
jack smith = john smith
    False, False
john smith = john jones
    False, False
paris = paris hilton
    False, False
zurich = zurich
    True, True
2 smith = john smith
    False, False
apollo 11 = a 11
    False, False
abcdefghi = a b c d e f g h i
    False, False
abcdefgh = ab bc cd de ef fg gh hi
    True, True
"""

LABELS = """
version 4 and section 3.2
    'section 3.2'
    'version 4'
NIST SP 800-63B and 4.0.3
    '4.0.3'
    '800-63B'
    'SP 800-63B'
Apollo 11 landed
    'Apollo 11'
Windows 10 has 5 users
    'Windows 10'
No. 5 of 12
    'No. 5'
order 5 pizzas
Order 66 came
    'Order 66'
page 12, pp. 12-15 and Fig. 3
    'Fig. 3'
    'page 12'
    'pp. 12-15'
see [1, 2] and § 12
    '[1, 2]'
    '§ 12'
at 10:30 or 5 pm and 5.30 Uhr
    '10:30'
    '5 pm'
    '5.30 Uhr'
+41 44 123 45 67 or 555-123-4567
    '+41 44 123 45 67'
    '555-123-4567'
a 1920 × 1080 screen
    '1920 × 1080'
https://a.org/12 and ISBN 978-3-16-148410-0
    '978-3-16-148410'
    'ISBN 978-3-16-148410-0'
    'https://a.org/12'
doi:10.1000/182
    '10.1000/182'
    'doi:10'
CVE-2017-1234 and v2
    '2017-1234'
    'CVE-2017-1234'
    'v2'
Q4 and FY23
    'FY23'
24/7 and 9/11
    '24/7'
    '9/11'
in his 60s
    '60s'
12 users
track 3 has 5
chapter 3 percent
    'chapter 3'
room 101
    'room 101'
Boeing 747 flew 12 km
    'Boeing 747'
Chanel No. 5
    'No. 5'
nothing
"""


def describe_entities(text):
    return [
        join_parts(f"“{each.text}”", each.key, "place" if each.is_place else "")
        for each in find_entities(text)
    ]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(ENTITIES))
def test_every_name_is_read_whole(text, lines):
    assert describe_entities(text) == lines


def describe_keys(text):
    return [entity_key(text)]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(KEYS))
def test_a_name_has_its_key(text, lines):
    assert describe_keys(text) == lines


def describe_sameness(text):
    one, other = text.split(" = ")
    return [f"{same_name(one, other)}, {same_name(other, one)}"]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(SAME))
def test_names_of_one_thing_are_known_either_way_round(text, lines):
    assert describe_sameness(text) == lines


def describe_labels(text):
    return sorted({f"{span.cut(text)!r}" for span in find_labels(text)})


@pytest.mark.parametrize(("text", "lines"), parse_expectations(LABELS))
def test_numbers_that_name_are_found(text, lines):
    assert describe_labels(text) == lines
