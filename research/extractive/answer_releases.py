"""Releases of software: those of headings, and those that a question asks about. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

Release = tuple[int, ...]  # "5.0.1" is (5, 0, 1)

_NUMBER = r"v?(\d+(?:\.\d+)+)(?:[a-z]+\d*)?"
_RELEASE = re.compile(rf"(?<![\w.]){_NUMBER}(?![\w-]*\w)", re.IGNORECASE)
_MONTHS = "|".join("jan feb mar apr may jun jul aug sep oct nov dec".split())
_DATE = re.compile(
    rf"\b(?:19|20)\d\d(?:[-./]\d\d?){{0,2}}\b|\b\d\d?(?:st|nd|rd|th)?\b|\b(?:{_MONTHS})[a-z]*\b",
    re.IGNORECASE,
)
_OF_A_RELEASE = re.compile(
    r"\b(?:versions?|releases?|released|unreleased|yanked|final|lts|stable|on|of|the)\b|(?<!\w)[^\w\s]|[^\w\s](?!\w)",
    re.IGNORECASE,
)
# A major release after the name of the software, at the end: "What changed in pytest-cov 7?"
_MAJOR = re.compile(r"\b(?:in|of|with|for|to)\s+[a-z][\w.+-]*\s+v?(\d{1,3})\s*\??\s*$", re.IGNORECASE)
_SPAN = re.compile(
    rf"\b(?:between|from)\s+(?:\w+\s+)?{_NUMBER}\s+(?:and|to|until|up to)\s+(?:\w+\s+)?{_NUMBER}",
    re.IGNORECASE,
)
_SINCE = re.compile(
    rf"\b(?:since|after|from|newer than|later than|starting with)\s+(?:\w+\s+){{0,2}}?{_NUMBER}",
    re.IGNORECASE,
)
_SINCE_MAJOR = re.compile(
    r"\b(?:since|after|from)\s+(?:\w+\s+)?(?:version|release|v)\s*(\d{1,3})\b(?!\.\d)", re.IGNORECASE
)
_UNTIL = re.compile(
    rf"\b(?:before|until|up to|older than|prior to)\s+(?:\w+\s+){{0,2}}?{_NUMBER}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ReleaseRange:
    """Releases from `first` to `last`, inclusive of all that begin with these numbers; None for an open end."""

    first: Release | None
    last: Release | None

    @property
    def is_single(self) -> bool:
        return self.first is not None and self.first == self.last

    def __contains__(self, release: Release) -> bool:
        is_late_enough = self.first is None or release[: len(self.first)] >= self.first
        is_early_enough = self.last is None or release[: len(self.last)] <= self.last
        return is_late_enough and is_early_enough


def find_release_range(question: str) -> ReleaseRange | None:
    """Return the releases that a question about changes asks for; None if it names none.

    >>> find_release_range("How has httpx changed since 0.18?")
    ReleaseRange(first=(0, 18), last=None)
    >>> find_release_range("What is new since version 4?")
    ReleaseRange(first=(4,), last=None)
    >>> find_release_range("What changed in Django 5.2?")
    ReleaseRange(first=(5, 2), last=(5, 2))
    >>> find_release_range("What changed in pytest-cov 7?")
    ReleaseRange(first=(7,), last=(7,))
    """
    if span := _SPAN.search(question):
        return ReleaseRange(_parse(span[1]), _parse(span[2]))
    since = _SINCE.search(question) or _SINCE_MAJOR.search(question)
    until, named = _UNTIL.search(question), _RELEASE.search(question)
    if since or until:
        return ReleaseRange(_parse(since[1]) if since else None, _parse(until[1]) if until else None)
    named = named or _MAJOR.search(question)
    return ReleaseRange(_parse(named[1]), _parse(named[1])) if named else None


@lru_cache(maxsize=20_000)
def find_release(section: str) -> Release | None:
    """Return the release in the innermost of the headings "A > B" that has one; None if none has."""
    found = (_RELEASE.search(heading) for heading in reversed(section.split(" > ")))
    return next((_parse(match[1]) for match in found if match), None)


@lru_cache(maxsize=20_000)
def is_of_release(section: str) -> bool:
    """Return True under a heading that is a release, with at most its date or the name of the software.

    >>> is_of_release("Changes > 1.26.0 (2020-11-10) > Bugfixes"), is_of_release("5.1.1 Memorized Secrets")
    (True, False)
    """
    return any(map(is_release_heading, section.split(" > ")))


@lru_cache(maxsize=1_024)  # the sentences of a section share it
def is_release_heading(heading: str) -> bool:
    """Return True for "2.0.0", "Version 5.2 (April 2025)" or "Django 5.2", but not for a chapter number and title.

    >>> is_release_heading("pytest-xdist 3.6.0 (2024-04-19)"), is_release_heading("5.1 Memorized secrets")
    (True, False)
    """
    number = _RELEASE.search(heading)
    if number is None:
        return False
    before, after = (
        _OF_A_RELEASE.sub(" ", _DATE.sub(" ", part)).split()
        for part in (heading[: number.start()], heading[number.end() :])
    )
    return len(before) <= 1 and not after


def _parse(number: str) -> Release:
    return tuple(map(int, number.split(".")))
