"""Figures are matched to things, and statements to their subjects."""

import pytest

from tests.citations.grounding.telling import claims, is_carried

TABLE = """
Basel has 177,000 inhabitants and Geneva has 203,000 inhabitants.
    + Basel has 177,000 inhabitants.
    + Geneva has 203,000 inhabitants.
    + Geneva has about 203,000 inhabitants.
    - Basel has 203,000 inhabitants.
    - Geneva has 177,000 inhabitants.
Emissions fell by 3 % in 2019, by 9 % in 2020 and by 1 % in 2021.
    + Emissions fell by 3 % in 2019.
    + Emissions fell by 9% in 2020.
    + In 2021 emissions fell by 1 %.
    - Emissions fell by 9 % in 2019.
    - Emissions fell by 1 % in 2020.
The tower is 96 metres high; the dome is 41 metres high.
    + The tower is 96 m high.
    + The dome is 41 m high.
    - The dome is 96 m high.
    - The tower is 41 metres high.
Anna Berg was born in 1901 and died in 1987.
    + Anna Berg was born in 1901.
    + Anna Berg died in 1987.
    - Anna Berg was born in 1987.
    - Anna Berg died in 1901.
The survey asked 1,200 adults in Spain and 900 adults in Portugal.
    + The survey asked 1,200 adults in Spain.
    + The survey asked 900 adults in Portugal.
    - The survey asked 900 adults in Spain.
    - The survey asked 1,200 adults in Portugal.
The battery lasts 11 hours when reading and 5 hours when playing video.
    + The battery lasts 11 hours when reading.
    + The battery lasts 5 hours when playing video.
    - The battery lasts 11 hours when playing video.
    - The battery lasts 5 hours when reading.
Of 60 patients, 45 recovered within a week, 12 within a month and 3 did not recover.
    + 45 of 60 patients recovered within a week.
    + Three patients did not recover.
    - 45 patients did not recover.
    - 12 patients did not recover.
The upper house has 46 members, the lower house 200.
    + The upper house has 46 members.
    + The lower house has 200 members.
    - The upper house has 200 members.
    - The lower house has 46 members.
The first phase ends in June 2024 and the second phase ends in March 2026.
    + The first phase ends in June 2024.
    + The second phase ends in March 2026.
    - The first phase ends in March 2026.
    - The second phase ends in June 2024.
Revenue rose to €2.3 billion while profit fell to €180 million.
    + Revenue rose to €2.3 billion.
    + Profit fell to €180 million.
    + Profit fell to 180 million euros.
    - Profit rose to €2.3 billion.
    - Profit fell to €2.3 billion.
    - Revenue fell to €180 million.
    - Revenue rose to €180 million.
The new engine uses 4.2 litres of fuel per 100 kilometres, compared with 6.1 litres for the old one.
    + The new engine uses 4.2 litres of fuel per 100 kilometres.
    - The new engine uses 6.1 litres of fuel per 100 kilometres.
    - The old engine uses 4.2 litres of fuel per 100 kilometres.
Rice covers 40 percent of the fields, maize covers 25 percent and beans cover the rest.
    + Rice covers 40% of the fields.
    + Maize covers 25% of the fields.
    - Maize covers 40% of the fields.
    - Rice covers 25% of the fields.
    - Beans cover 25% of the fields.
In mice, the compound slowed the growth of tumours.
    + The compound slowed the growth of tumours in mice.
    - The compound slowed the growth of tumours in humans.
    - In children, the compound slowed the growth of tumours.
The tax applies to companies with more than 250 employees.
    + The tax applies to companies with over 250 employees.
    - The tax applies to companies with fewer than 250 employees.
    - The tax applies to companies with more than 25 employees.
Visitors may enter the tower if they book in advance.
    + Visitors who book in advance may enter the tower.
    - Visitors must enter the tower.
    - Visitors may not enter the tower.
The treatment may reduce pain in adults over 60.
    + The treatment may reduce pain in adults over 60.
    - The treatment reduces pain in adults over 60.
    - The treatment may reduce pain in adults under 60.
    - The treatment may reduce pain in children.
According to its critics, the bank hid its losses.
    + Its critics say that the bank hid its losses.
    - The bank hid its losses.
Users should change the default password.
    + Users should change the default password.
    - Users must change the default password.
    - Users should not change the default password.
"""


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "+"))
def test_what_the_text_says_is_carried(text, claim):
    assert is_carried(claim, text)


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "-"))
def test_what_the_text_does_not_say_is_not_carried(text, claim):
    assert not is_carried(claim, text)
