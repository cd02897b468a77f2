"""Tables of claims about small texts: those that a text carries, and those that it must not be said to carry.

A text stands at the left; below it are its claims, "+" before what it carries and "-" before what it does not.
"""

import pytest
from _pytest.mark import ParameterSet

from citations.verification import CitedPassage, VerdictStatus, VerificationLevel, verify

CARRYING = (VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE)


def claims(table: str, sign: str) -> list[ParameterSet]:
    """Text and claim of each line that begins with the sign."""
    found: list[ParameterSet] = []
    text = ""
    for line in table.strip().splitlines():
        if line.startswith("    "):
            mark, claim = line.split(maxsplit=1)
            found += [pytest.param(text, claim, id=claim)] * (mark == sign)
        else:
            text = line
    return found


def is_carried(claim: str, text: str) -> bool:
    return verify(claim, [CitedPassage(text)], level=VerificationLevel.STRICT).status in CARRYING
