"""Figures, units and currencies: another number is another statement, however it is written."""

import pytest

from tests.citations.grounding.telling import claims, is_carried

TABLE = """
The ferry can carry 1,240 passengers and 310 cars on its upper and lower decks.
    + The ferry can carry 1240 passengers and 310 cars.
    - The ferry can carry 1,420 passengers.
    - The ferry can carry 310 passengers.
    - The ferry can carry 1,240 cars.
    - The ferry can carry 12,400 passengers.
    - The ferry can carry 130 cars.
Of the 48 wells that the survey tested, 17 were above the limit for arsenic.
    + 17 of the 48 wells tested were above the arsenic limit.
    + Seventeen wells were above the limit for arsenic.
    + The survey tested 48 wells.
    - 48 wells were above the limit for arsenic.
    - The survey tested 17 wells.
    - 71 of the 48 wells were above the arsenic limit.
    - Eighteen wells were above the limit for arsenic.
The orchestra gave its first concert with twenty-three musicians.
    + The orchestra gave its first concert with 23 musicians.
    - The orchestra gave its first concert with 32 musicians.
    - The orchestra gave its first concert with twenty-four musicians.
    - The orchestra gave its third concert with twenty-three musicians.
The dam holds back 3.4 million cubic metres of water.
    + The dam holds back 3,400,000 cubic metres of water.
    + The dam holds back 3.4 million cubic meters of water.
    - The dam holds back 3.4 billion cubic metres of water.
    - The dam holds back 34 million cubic metres of water.
    - The dam holds back 3.4 million litres of water.
    - The dam holds back 3.4 thousand cubic metres of water.
    - The dam holds back 4.3 million cubic metres of water.
The telescope's mirror measures 6.5 metres across and weighs 705 kilograms.
    + The mirror of the telescope is 6.5 m across.
    + The telescope's mirror weighs 705 kg.
    - The telescope's mirror measures 6.5 feet across.
    - The telescope's mirror weighs 705 grams.
    - The telescope's mirror weighs 750 kilograms.
    - The telescope's mirror measures 5.6 metres across.
Between 12 and 15 species of bat roost in the cave.
    + The cave has 12 to 15 species of bat roosting in it.
    + 12–15 species of bat roost in the cave.
    - Between 12 and 50 species of bat roost in the cave.
    - Between 2 and 15 species of bat roost in the cave.
    - More than 15 species of bat roost in the cave.
    - 25 species of bat roost in the cave.
Temperatures in the valley fell to −18 °C in January.
    + Temperatures in the valley fell to minus 18 °C in January.
    + In January, temperatures in the valley fell to -18 °C.
    - Temperatures in the valley fell to 18 °C in January.
    - Temperatures in the valley fell to −8 °C in January.
    - Temperatures in the valley rose to −18 °C in January.
The virus spreads at 2.5 × 10^6 particles per millilitre.
    - The virus spreads at 2.5 × 10^9 particles per millilitre.
    - The virus spreads at 2.5 particles per millilitre.
The chip has a supply voltage of 1.8 V and draws 250 mA.
    + The chip draws 250 mA.
    + The chip's supply voltage is 1.8 V.
    - The chip draws 250 A.
    - The chip draws 250 µA.
    - The chip has a supply voltage of 18 V.
    - The chip has a supply voltage of 1.8 mV.
Henry VIII founded the college in 1546.
    + The college was founded by Henry VIII in 1546.
    - Henry VII founded the college in 1546.
    - Henry VIII founded the college in 1564.
    - Henry VI founded the college in 1546.
The reactor reached 150 million degrees Celsius for 30 seconds.
    + The reactor held 150 million degrees Celsius for 30 seconds.
    - The reactor reached 150 million degrees Celsius for 30 minutes.
    - The reactor reached 150 million degrees Celsius for 13 seconds.
    - The reactor reached 150 million degrees Fahrenheit for 30 seconds.
One in five trees in the park is an oak.
    + 20% of the trees in the park are oaks.
    + One fifth of the trees in the park are oaks.
    + A fifth of the park's trees are oaks.
    - One in four trees in the park is an oak.
    - One in fifty trees in the park is an oak.
    - Half of the trees in the park are oaks.
    - Four in five trees in the park are oaks.
Unemployment in the canton rose from 2.1 percent to 2.9 percent within a year.
    + Unemployment in the canton rose to 2.9 percent.
    + Unemployment in the canton rose from 2.1% to 2.9% within a year.
    - Unemployment in the canton rose by 2.9 percent.
    - Unemployment in the canton fell from 2.1 percent to 2.9 percent.
    - Unemployment in the canton rose from 2.9 percent to 2.1 percent.
    - Unemployment in the canton rose from 2.1 percentage points to 2.9 percentage points.
The central bank raised its key rate by 0.25 percentage points to 1.75 percent.
    + The central bank raised its key rate by 25 basis points.
    + The central bank raised its key rate to 1.75%.
    + The key rate was raised by the central bank by 0.25 percentage points.
    - The central bank raised its key rate by 0.25 percent.
    - The central bank raised its key rate by 1.75 percentage points.
    - The central bank lowered its key rate by 0.25 percentage points.
    - The central bank raised its key rate by 25 percentage points.
    - The central bank raised its key rate to 0.25 percent.
Sales of bicycles grew by 14 % in 2022 while sales of cars shrank by 6 %.
    + Sales of bicycles grew by 14% in 2022.
    + Sales of cars shrank by 6% in 2022.
    - Sales of cars grew by 14% in 2022.
    - Sales of bicycles shrank by 14% in 2022.
    - Sales of bicycles grew by 6% in 2022.
    - Sales of bicycles shrank by 6% in 2022.
    - Sales of cars grew by 6% in 2022.
    - Sales of bicycles grew by 14% in 2023.
About two thirds of the respondents said that they trust their doctor.
    + About 67% of the respondents said that they trust their doctor.
    + Some two-thirds of respondents said they trust their doctor.
    - About one third of the respondents said that they trust their doctor.
    - About three quarters of the respondents said that they trust their doctor.
    - About 76% of the respondents said that they trust their doctor.
The vaccine was 91 percent effective against severe illness and 64 percent effective against infection.
    + The vaccine was 91% effective against severe illness.
    - The vaccine was 91% effective against infection.
    - The vaccine was 64% effective against severe illness.
    - The vaccine was 19% effective against severe illness.
Prices doubled between 2010 and 2020.
    + Between 2010 and 2020, prices doubled.
    - Prices tripled between 2010 and 2020.
    - Prices halved between 2010 and 2020.
    - Prices doubled between 2010 and 2012.
The bridge cost CHF 42 million, of which the city paid CHF 9 million.
    + The bridge cost 42 million Swiss francs.
    + The city paid CHF 9 million of the cost of the bridge.
    - The bridge cost EUR 42 million.
    - The bridge cost CHF 24 million.
    - The bridge cost CHF 42 billion.
    - The bridge cost $42 million.
    - The city paid CHF 42 million.
    - The bridge cost CHF 9 million.
A monthly pass is €49, up from €9 in 2022.
    + A monthly pass costs €49.
    + A monthly pass is 49 euros.
    - A monthly pass is £49.
    - A monthly pass costs €94.
    - A yearly pass is €49.
    - A monthly pass is €9.
The start-up raised $3.5bn from investors in 2021.
    + The start-up raised 3.5 billion dollars from investors in 2021.
    + Investors gave the start-up $3.5 billion in 2021.
    - The start-up raised $3.5m from investors in 2021.
    - The start-up raised $5.3bn from investors in 2021.
    - The start-up raised $3.5bn from investors in 2012.
    - The start-up raised ¥3.5bn from investors in 2021.
"""


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "+"))
def test_what_the_text_says_is_carried(text, claim):
    assert is_carried(claim, text)


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "-"))
def test_what_the_text_does_not_say_is_not_carried(text, claim):
    assert not is_carried(claim, text)
