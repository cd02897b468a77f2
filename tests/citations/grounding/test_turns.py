"""Negations and quantifiers: what a text denies, or says of some, is not claimed of all."""

import pytest

from tests.citations.grounding.telling import claims, is_carried

TABLE = """
The committee did not approve the plan to widen the road.
    + The plan to widen the road was not approved by the committee.
    + The committee did not approve the road-widening plan.
    - The committee approved the plan to widen the road.
    - The plan to widen the road was approved by the committee.
Copper has no known effect on the growth of these mosses.
    + There is no known effect of copper on the growth of these mosses.
    - Copper has a known effect on the growth of these mosses.
    - Copper affects the growth of these mosses.
The drug failed to reduce blood pressure in older patients.
    + The drug did not reduce blood pressure in older patients.
    - The drug reduced blood pressure in older patients.
    - The drug reduces blood pressure in older patients.
Few of the volunteers finished the course.
    + Few volunteers finished the course.
    - Most of the volunteers finished the course.
    - All of the volunteers finished the course.
    - The volunteers finished the course.
    - Many of the volunteers finished the course.
The lake has never frozen completely since records began.
    + Since records began, the lake has never frozen completely.
    - The lake has frozen completely since records began.
    - The lake has always frozen completely since records began.
    - The lake has often frozen completely since records began.
The company denied that it had sold the data of its customers.
    + The company denied selling the data of its customers.
    - The company sold the data of its customers.
    - The company had sold the data of its customers.
    - The company admitted that it had sold the data of its customers.
Neither the mayor nor the council knew of the leak.
    + The mayor and the council did not know of the leak.
    - The mayor knew of the leak.
    - The council knew of the leak.
    - Both the mayor and the council knew of the leak.
Without insulation, the pipes freeze in winter.
    + The pipes freeze in winter without insulation.
    - With insulation, the pipes freeze in winter.
    - The pipes freeze in winter.
The bees survived the winter despite the cold.
    + Despite the cold, the bees survived the winter.
    - The bees did not survive the winter.
    - The bees hardly survived the winter because of the cold.
It is unlikely that the glacier will grow again.
    + The glacier is unlikely to grow again.
    - The glacier is likely to grow again.
    - It is likely that the glacier will grow again.
    - The glacier will grow again.
Residents are no longer allowed to park on the square.
    + Residents may no longer park on the square.
    - Residents are allowed to park on the square.
    - Residents are still allowed to park on the square.
Some of the sensors drift after a year of use.
    + Some sensors drift after a year of use.
    - All of the sensors drift after a year of use.
    - Most of the sensors drift after a year of use.
    - Every sensor drifts after a year of use.
    - None of the sensors drift after a year of use.
    - The sensors always drift after a year of use.
Most farmers in the region irrigate their fields at night.
    + Most farmers of the region irrigate their fields at night.
    + The majority of farmers in the region irrigate their fields at night.
    - All farmers in the region irrigate their fields at night.
    - Few farmers in the region irrigate their fields at night.
    - No farmers in the region irrigate their fields at night.
Nearly all of the seeds germinated within ten days.
    + Almost all of the seeds germinated within ten days.
    - None of the seeds germinated within ten days.
    - All of the seeds germinated within two days.
    - Few of the seeds germinated within ten days.
    - All of the seeds germinated within ten days.
Only members may vote at the assembly.
    + At the assembly only members may vote.
    - Everyone may vote at the assembly.
    - Members may not vote at the assembly.
    - Guests may vote at the assembly.
Many of the paintings were lost in the fire.
    + Many paintings were lost in the fire.
    - All of the paintings were lost in the fire.
    - None of the paintings were lost in the fire.
    - Few of the paintings were lost in the fire.
The method works for small graphs, but not for large ones.
    - The method works for large graphs.
    - The method does not work for small graphs.
Half of the bridges need repair.
    + 50% of the bridges need repair.
    - All of the bridges need repair.
    - A quarter of the bridges need repair.
    - Most of the bridges need repair.
At least three engineers reviewed each change.
    + Three or more engineers reviewed each change.
    - At most three engineers reviewed each change.
    - At least thirteen engineers reviewed each change.
    - Fewer than three engineers reviewed each change.
"""


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "+"))
def test_what_the_text_says_is_carried(text, claim):
    assert is_carried(claim, text)


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "-"))
def test_what_the_text_does_not_say_is_not_carried(text, claim):
    assert not is_carried(claim, text)
