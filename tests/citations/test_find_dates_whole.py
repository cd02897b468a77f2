"""Times of texts, each with all that is read of it."""

import pytest

from citations.dates.find_dates import find_times, parse_iso
from tests.citations.telling import join_parts, parse_expectations

TIMES = """
It was on 21 May 2017.
    “21 May 2017”, 2017/5/21, at, 2017-05-21 – 2017-05-21
in May 2017
    “May 2017”, 2017/5/?, at, 2017-05-01 – 2017-05-31
since 2016
    “2016”, 2016/?/?, since, 2016-01-01 – 2016-12-31
until the end of March 2020
    “March 2020”, 2020/3/?, at, 2020-03-01 – 2020-03-31
by 2030
    “2030”, 2030/?/?, until, 2030-01-01 – 2030-12-31
before 1990 and after 2000
    “1990”, 1990/?/?, before, 1990-01-01 – 1990-12-31
    “2000”, 2000/?/?, after, 2000-01-01 – 2000-12-31
as of 1 June 2021
    “1 June 2021”, 2021/6/1, as of, 2021-06-01 – 2021-06-01
on 2017-06-22
    “2017-06-22”, 2017/6/22, at, 2017-06-22 – 2017-06-22
on 2017-06-22T10:15:00Z
    “2017-06-22T10:15:00Z”, 2017/6/22, at, 2017-06-22 – 2017-06-22
in 2017-06
    “2017-06”, 2017/6/?, at, 2017-06-01 – 2017-06-30
on 2017-13-02
on 2017/06/22
    “2017/06/22”, 2017/6/22, at, 2017-06-22 – 2017-06-22
on 03/04/2024
    “03/04/2024”, 2024/?/?, at, 2024/4/3 or 2024/3/4, 2024-01-01 – 2024-12-31
on 13/04/2024
    “13/04/2024”, 2024/4/13, at, 2024-04-13 – 2024-04-13
on 04/13/2024
    “04/13/2024”, 2024/4/13, at, 2024-04-13 – 2024-04-13
on 03.04.2024
    “03.04.2024”, 2024/4/3, at, 2024-04-03 – 2024-04-03
on 13.13.2024
on 05/05/2024
    “05/05/2024”, 2024/5/5, at, 2024-05-05 – 2024-05-05
12–15 May 2019
    “12–15 May 2019”, 2019/5/12, to 2019/5/15, at, 2019-05-12 – 2019-05-15
28 May to 3 June 2019
    “28 May to 3 June 2019”, 2019/5/28, to 2019/6/3, at, 2019-05-28 – 2019-06-03
May 12–15, 2019
    “May 12–15, 2019”, 2019/5/12, to 2019/5/15, at, 2019-05-12 – 2019-05-15
May 28 to June 3, 2019
    “May 28 to June 3, 2019”, 2019/5/28, to 2019/6/3, at, 2019-05-28 – 2019-06-03
May 28, 2019
    “May 28, 2019”, 2019/5/28, at, 2019-05-28 – 2019-05-28
May 2018 to June 2019
    “May 2018 to June 2019”, 2018/5/?, to 2019/6/?, at, 2018-05-01 – 2019-06-30
May 28
    “May 28”, ?/5/28, at
on 31 February 2019
    “31 February 2019”, 2019/2/31, at
on 45 May 2019
    “May 2019”, 2019/5/?, at, 2019-05-01 – 2019-05-31
Q3 2021
    “Q3 2021”, 2021/7/?, to 2021/9/?, at, unit, 2021-07-01 – 2021-09-30
Q1 '22
    “Q1 '22”, 2022/1/?, to 2022/3/?, at, unit, 2022-01-01 – 2022-03-31
2021 Q4
    “2021 Q4”, 2021/10/?, to 2021/12/?, at, unit, 2021-10-01 – 2021-12-31
the third quarter of 2021
    “third quarter of 2021”, 2021/7/?, to 2021/9/?, at, unit, 2021-07-01 – 2021-09-30
the final quarter of fiscal 2021
    “final quarter of fiscal 2021”, 2021/10/?, to 2021/12/?, at, unit, 2021-10-01 – 2021-12-31
the first half of 2020
    “first half of 2020”, 2020/1/?, to 2020/6/?, at, unit, 2020-01-01 – 2020-06-30
H2 2020
    “H2 2020”, 2020/7/?, to 2020/12/?, at, unit, 2020-07-01 – 2020-12-31
H1 21
    “H1 21”, 2021/1/?, to 2021/6/?, at, unit, 2021-01-01 – 2021-06-30
2020 H2
    “2020 H2”, 2020/7/?, to 2020/12/?, at, unit, 2020-07-01 – 2020-12-31
fiscal 2021
    “fiscal 2021”, 2021/?/?, at, fiscal, 2020-01-01 – 2021-12-31
FY22
    “FY22”, 2022/?/?, at, fiscal, 2021-01-01 – 2022-12-31
FY2021/22
    “FY2021/22”, 2021/?/?, at, fiscal, 2020-01-01 – 2021-12-31
spring 2020
    “spring 2020”, 2020/?/?, at, spring, 2020-01-01 – 2020-12-31
fall of 2019
    “fall of 2019”, 2019/?/?, at, autumn, 2019-01-01 – 2019-12-31
between 2010 and 2015
    “between 2010 and 2015”, 2010/?/?, to 2015/?/?, at, 2010-01-01 – 2015-12-31
2010–2015
    “2010–2015”, 2010/?/?, to 2015/?/?, at, 2010-01-01 – 2015-12-31
2010-15
    “2010-15”, 2010/?/?, to 2015/?/?, at, 2010-01-01 – 2015-12-31
2010/11
    “2010/11”, 2010/?/?, to 2011/?/?, at, 2010-01-01 – 2011-12-31
2015-10
    “2015-10”, 2015/10/?, at, 2015-10-01 – 2015-10-31
from 2010 to 2015
    “2010 to 2015”, 2010/?/?, to 2015/?/?, at, 2010-01-01 – 2015-12-31
the 1990s
    “1990s”, 1990/?/?, to 1999/?/?, at, unit, 1990-01-01 – 1999-12-31
the '90s
    “90s”, 1990/?/?, to 1999/?/?, at, unit, 1990-01-01 – 1999-12-31
the 1800s
    “1800s”, 1800/?/?, to 1899/?/?, at, unit, 1800-01-01 – 1899-12-31
the 2000s
    “2000s”, 2000/?/?, to 2009/?/?, at, unit, 2000-01-01 – 2009-12-31
the 19th century
    “19th century”, 1801/?/?, to 1900/?/?, at, unit, 1801-01-01 – 1900-12-31
the twenty-first century
    “twenty-first century”, 2001/?/?, to 2100/?/?, at, unit, 2001-01-01 – 2100-12-31
the nineteenth century
    “nineteenth century”, 1801/?/?, to 1900/?/?, at, unit, 1801-01-01 – 1900-12-31
the third century BC
    “third century BC”, -300/?/?, to -201/?/?, at, unit
44 BC
    “44 BC”, -44/?/?, at
500–300 BC
    “500–300 BC”, -500/?/?, to -300/?/?, at
AD 79
    “AD 79”, 79/?/?, at, 0079-01-01 – 0079-12-31
79 AD
    “79 AD”, 79/?/?, at, 0079-01-01 – 0079-12-31
1200 CE
    “1200 CE”, 1200/?/?, at, 1200-01-01 – 1200-12-31
2000 iterations
RFC 2104
in 2016 cups were sold
    “2016”, 2016/?/?, at, 2016-01-01 – 2016-12-31
In 2016 it rose
    “2016”, 2016/?/?, at, 2016-01-01 – 2016-12-31
room 2016
2000 cm
they may 5 times
it may rain
in May
    “May”, ?/5/?, at
in march
    “march”, ?/3/?, at
last March
    “March”, ?/3/?, at
the march of 12 men
am 3. Oktober 1990
    “3. Oktober 1990”, 1990/10/3, at, 1990-10-03 – 1990-10-03
le 14 juillet 1789
    “14 juillet 1789”, 1789/7/14, at, 1789-07-14 – 1789-07-14
in Januar 2020
    “Januar 2020”, 2020/1/?, at, 2020-01-01 – 2020-01-31
seit 2015
    “2015”, 2015/?/?, since, 2015-01-01 – 2015-12-31
depuis 1990
    “1990”, 1990/?/?, since, 1990-01-01 – 1990-12-31
vor 1990
    “1990”, 1990/?/?, before, 1990-01-01 – 1990-12-31
sept. 4, 2019
    “sept. 4, 2019”, 2019/9/4, at, 2019-09-04 – 2019-09-04
Sept 2019
    “Sept 2019”, 2019/9/?, at, 2019-09-01 – 2019-09-30
2016 was good
    “2016”, 2016/?/?, at, 2016-01-01 – 2016-12-31
over 2016
about 1950
(2014)
    “2014”, 2014/?/?, at, 2014-01-01 – 2014-12-31
over 2000 men
nothing here
"""

PERIODS = """
2017
    2017-01-01 – 2017-12-31
2017-06
    2017-06-01 – 2017-06-30
2017-02
    2017-02-01 – 2017-02-28
2016-02
    2016-02-01 – 2016-02-29
2017-06-22
    2017-06-22 – 2017-06-22
2017-06-22T10:15
    2017-06-22 – 2017-06-22
2017-06-22 10:15
    2017-06-22 – 2017-06-22
2017-12
    2017-12-01 – 2017-12-31
2017-13
2017-00
2017-06-00
2017-06-31
0000
0001
    0001-01-01 – 0001-12-31
2017-6
17
2017-06-22x
June 2017
"""


def describe_times(text):
    return [describe_time(each) for each in find_times(text)]


def describe_time(time):
    return join_parts(
        f"“{time.text}”",
        describe_moment(time.start),
        f"to {describe_moment(time.end)}" if time.end else "",
        time.role.value,
        "unit" if time.is_unit else "",
        " or ".join(map(describe_moment, time.readings)),
        time.label,
        f"{time.period.first} – {time.period.last}" if time.period else "",
    )


def describe_moment(moment):
    return f"{moment.year or '?'}/{moment.month or '?'}/{moment.day or '?'}"


@pytest.mark.parametrize(("text", "lines"), parse_expectations(TIMES))
def test_every_time_is_read_whole(text, lines):
    assert describe_times(text) == lines


def describe_periods(text):
    period = parse_iso(text)
    return [f"{period.first} – {period.last}"] if period else []


@pytest.mark.parametrize(("text", "lines"), parse_expectations(PERIODS))
def test_a_date_in_figures_is_a_period(text, lines):
    assert describe_periods(text) == lines
