"""Readers of the written forms of a time, part by part. None adds a part that is not written."""

import re
from dataclasses import dataclass

from citations.dates.date_types import Moment
from citations.text.claim_number_words import ordinal_value

_ENGLISH = "january february march april may june july august september october november december".split()
_GERMAN = "januar februar märz april mai juni juli august september oktober november dezember".split()
_FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
MONTHS: dict[str, int] = {
    name: number for names in (_FRENCH, _GERMAN, _ENGLISH) for number, name in enumerate(names, 1)
}
MONTHS |= {name[:3]: number for number, name in enumerate(_ENGLISH, 1)} | {"sept": 9, "jänner": 1}
QUARTERS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "final": 4,
}


@dataclass(frozen=True, slots=True)
class TimeReading:
    """The reading of a written form of a time; the fields are those of `moments.TimeMention`."""

    start: Moment
    end: Moment | None = None
    is_unit: bool = False
    readings: tuple[Moment, ...] = ()
    label: str = ""
    is_bare: bool = False


def _number(text: str | None) -> int | None:
    return int(text) if text else None


def _month(name: str | None) -> int | None:
    return None if name is None else MONTHS[name.lower()]


def date(match: re.Match[str]) -> TimeReading | None:
    """Read year, month and day from the groups of these names; "day2", "month2" and "year2" are the end of a range."""
    groups = match.groupdict()
    start = Moment(_number(groups.get("year")), _month(groups.get("month")), _number(groups.get("day")))
    if not _is_date(start):
        return None
    later = [groups.get(name) for name in ("year2", "month2", "day2")]
    if not any(later):
        return TimeReading(start)
    end = Moment(_number(later[0]) or start.year, _month(later[1]) or start.month, _number(later[2]))
    if start.year is None:
        start = Moment(end.year, start.month, start.day)
    return TimeReading(start, end) if _is_date(end) else None


def _is_date(moment: Moment) -> bool:
    return (moment.month is None or 1 <= moment.month <= 12) and (moment.day is None or 1 <= moment.day <= 31)


def iso(match: re.Match[str]) -> TimeReading | None:
    moment = Moment(int(match["year"]), int(match["number"]), _number(match["day"]))
    return TimeReading(moment) if _is_date(moment) else None


def numeric(match: re.Match[str]) -> TimeReading | None:
    """Read 03/04/2024 as 3 April or March 4; 13/04/2024 and 03.04.2024 have one reading."""
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    day_first, month_first = Moment(year, second, first), Moment(year, first, second)
    possible = [moment for moment in (day_first, month_first) if _is_date(moment)]
    if match["mark"] == ".":
        possible = [day_first] if _is_date(day_first) else []
    if not possible:
        return None
    if len(set(possible)) == 1:
        return TimeReading(possible[0])
    return TimeReading(Moment(year), readings=(day_first, month_first))


def quarter(match: re.Match[str]) -> TimeReading:
    number = QUARTERS.get(match["part"].lower()) or int(match["part"])
    year = _year(match)
    return TimeReading(Moment(year, number * 3 - 2), Moment(year, number * 3), is_unit=True)


def half(match: re.Match[str]) -> TimeReading:
    number = QUARTERS.get(match["part"].lower()) or int(match["part"])
    year = _year(match)
    return TimeReading(Moment(year, number * 6 - 5), Moment(year, number * 6), is_unit=True)


def _year(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    if groups.get("short"):
        return 2_000 + int(groups["short"])
    return _number(groups.get("year"))


def season(match: re.Match[str]) -> TimeReading:
    name = match["season"].lower()
    return TimeReading(Moment(int(match["year"])), label="autumn" if name == "fall" else name)


def fiscal(match: re.Match[str]) -> TimeReading:
    return TimeReading(Moment(_year(match)), label="fiscal")


def years(match: re.Match[str]) -> TimeReading | None:
    """Read 2010–2015, 2010–15 and 2010/11."""
    first = int(match["year"])
    last = int(match["year2"]) if len(match["year2"]) == 4 else first - first % 100 + int(match["year2"])
    if len(match["year2"]) == 2 and last <= first:
        return None
    return TimeReading(Moment(first), Moment(last))


def decade(match: re.Match[str]) -> TimeReading:
    # '90s; the century of the '00s to '20s is ambiguous
    first = int(match["decade"] or 0) or 1_900 + int(match["short"])
    length = 99 if first % 100 == 0 and match["decade"] and first < 2_000 else 9  # "the 1800s"
    return TimeReading(Moment(first), Moment(first + length), is_unit=True)


def century(match: re.Match[str]) -> TimeReading:
    written = match["century"]
    number = int(re.sub(r"\D", "", written)) if written[0].isdecimal() else ordinal_value(written)
    if match["era"]:
        return TimeReading(Moment(-100 * number), Moment(-100 * number + 99), is_unit=True)
    return TimeReading(Moment(100 * number - 99), Moment(100 * number), is_unit=True)


def era(match: re.Match[str]) -> TimeReading:
    """Read 44 BC, 500–300 BC, AD 79."""
    groups = match.groupdict()
    year, last = int(groups.get("year") or groups.get("after") or 0), groups.get("last")
    sign = -1 if groups.get("bc") else 1
    return TimeReading(Moment(sign * year), Moment(sign * int(last)) if last else None)


def month_alone(match: re.Match[str]) -> TimeReading:
    return TimeReading(Moment(None, _month(match["month"])), is_bare=True)


def bare_year(match: re.Match[str]) -> TimeReading:
    return TimeReading(Moment(int(match["year"])), is_bare=True)
