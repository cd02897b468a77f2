"""Two times of texts and how they lie to each other."""

import pytest

from citations.dates.find_dates import find_times
from tests.citations.telling import join_parts, parse_expectations

PAIRS = """
in 2017 ~ in May 2017
    overlap, second covers
21 May 2017 ~ in 2017
    overlap, first covers
in 2017 ~ in 2018
    conflict
21 May 2017 ~ 22 May 2017
    conflict
May 21 ~ May 22
    conflict
May 21 ~ 21 May 2017
    overlap, second covers
03/04/2024 ~ 3 April 2024
    overlap, first covers, second covers
03/04/2024 ~ 04/03/2024
    overlap, first covers, second covers
the 1990s ~ in 1995
    overlap, second covers
the 1990s ~ in 2001
    conflict
in 1995 ~ before 2000
    overlap, first covers
in 2000 ~ before 2000
    overlap, second covers
in 2001 ~ after 2000
    overlap, first covers
in 2000 ~ after 2000
    overlap, second covers
since 2016 ~ in 2018
    overlap
since 2016 ~ in 2014
    conflict
since 2016 ~ until 2015
    conflict
since 2016 ~ since 2016
    overlap, first covers, second covers
since 2016 ~ since 2018
    conflict, overlap
until 2015 ~ in 2010
    overlap
until 2015 ~ in 2016
    conflict
2010–2015 ~ in 2012
    overlap
2010–2015 ~ in 2016
    conflict
2010–2015 ~ in 2010
    overlap, first covers
2010–2015 ~ in 2015
    overlap, first covers
2010–2015 ~ 2010–2015
    overlap, first covers, second covers
2010–2015 ~ 2014–2018
    overlap
2010–2015 ~ 2016–2018
    conflict
500–300 BC ~ 44 BC
    conflict
500–300 BC ~ 400 BC
    overlap
500–300 BC ~ 600 BC
    conflict
44 BC ~ 45 BC
    conflict
44 BC ~ 44 BC
    overlap, first covers, second covers
44 BC ~ 44 AD
    conflict
500–300 BC ~ 400–200 BC
    overlap
the third century BC ~ 250 BC
    overlap
the third century BC ~ 150 BC
    conflict
May 12–15 ~ May 13
    overlap
May 12–15 ~ May 17
    conflict
May 12–15 ~ May 2017
    overlap
fiscal 2021 ~ in 2021
    overlap, first covers
fiscal 2021 ~ in 2020
    overlap
fiscal 2021 ~ in 2019
    conflict
fiscal 2021 ~ fiscal 2022
    conflict, overlap
fiscal 2021 ~ spring 2021
    overlap
spring 2020 ~ autumn 2020
    conflict, overlap
spring 2020 ~ spring 2021
    conflict
spring 2020 ~ in 2020
    overlap, first covers
Q3 2021 ~ in August 2021
    overlap, second covers
Q3 2021 ~ in June 2021
    conflict
Q3 2021 ~ Q3 2021
    overlap, first covers, second covers
Q3 2021 ~ in 2021
    overlap, first covers
on 31 February 2019 ~ in 2019
    overlap, first covers
before 1990 ~ before 1990
    overlap, first covers, second covers
before 1990 ~ after 1985
    overlap
"""


def describe_pairs(text):
    (one,), (other,) = map(find_times, text.split(" ~ "))
    return [
        join_parts(
            "conflict" if one.conflicts(other) else "",
            "overlap" if one.overlaps(other) else "",
            "first covers" if one.covers(other) else "",
            "second covers" if other.covers(one) else "",
        )
        or "nothing"
    ] + ["not symmetric"] * (one.conflicts(other) is not other.conflicts(one))


@pytest.mark.parametrize(("text", "lines"), parse_expectations(PAIRS))
def test_two_times_lie_to_each_other(text, lines):
    assert describe_pairs(text) == lines
