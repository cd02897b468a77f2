"""Claims that stand in a text word for word, and what their sentence makes of them."""

import pytest

from tests.citations.grounding.telling import claims, is_carried

TABLE = """
The owner of the mill burned the letters.
    - The mill burned the letters.
None of the witnesses saw the accident.
    + None of the witnesses saw the accident.
    - The witnesses saw the accident.
The ministry doubts that the tunnel will open in time.
    - The tunnel will open in time.
It is a myth that goldfish forget everything within seconds.
    - Goldfish forget everything within seconds.
Goldfish forget everything within seconds is a myth.
    - Goldfish forget everything within seconds.
The repair will cost CHF 3 million.
    + The repair will cost CHF 3 million.
    - The repair will cost CHF 3.
The bank hid its losses, according to its critics.
    - The bank hid its losses.
The study suggests that walking lowers blood pressure.
    + The study suggests that walking lowers blood pressure.
    - Walking lowers blood pressure.
Almost all of the houses have solar panels.
    + Almost all of the houses have solar panels.
    - All of the houses have solar panels.
No evidence shows that the herb cures colds.
    - The herb cures colds.
The herb cures colds only if it is taken early.
    - The herb cures colds.
He said the plant will close in May.
    + The plant will close in May.
Both of the bridges were closed for repairs.
    + The bridges were closed for repairs.
Not all of the bridges were closed for repairs.
    - All of the bridges were closed for repairs.
    - The bridges were closed for repairs.
Hardly any of the shops accept cash.
    - The shops accept cash.
    - All of the shops accept cash.
In the spring of 2020 the border was closed.
    + The border was closed.
Although it was late, the committee approved the budget.
    + The committee approved the budget.
The committee approved the budget, but the council did not.
    + The committee approved the budget.
    - The council approved the budget.
The report was written by the staff of the agency, which is independent.
    + The report was written by the staff of the agency.
One of the two pumps broke down in the night.
    + One of the two pumps broke down in the night.
    - The two pumps broke down in the night.
"""


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "+"))
def test_what_the_text_says_is_carried(text, claim):
    assert is_carried(claim, text)


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "-"))
def test_what_the_text_does_not_say_is_not_carried(text, claim):
    assert not is_carried(claim, text)
