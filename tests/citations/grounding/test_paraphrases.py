"""Sentences in other words: what they keep, and what they change."""

import pytest

from tests.citations.grounding.telling import claims, is_carried

TABLE = """
The city council voted on Monday to close the main bridge for repairs.
    + The council of the city voted on Monday to close the main bridge for repairs.
    + On Monday, the city council voted to close the main bridge for repairs.
    - The city council voted on Tuesday to close the main bridge for repairs.
    - The city council voted on Monday to open the main bridge.
Honeybees communicate the direction of food by dancing.
    + Bees communicate the direction of food by dancing.
    + By dancing, honeybees communicate the direction of food.
The first edition, printed in Leiden in 1638, sold out within weeks.
    + The first edition was printed in Leiden in 1638.
    + The first edition sold out within weeks.
    - The first edition was printed in Leuven in 1638.
    - The second edition was printed in Leiden in 1638.
    - The first edition sold out within days.
Salt marshes store carbon far longer than forests do.
    + Salt marshes store carbon longer than forests.
    - Forests store carbon far longer than salt marshes do.
The lighthouse was built in 1874 and has been automatic since 1989.
    + The lighthouse, built in 1874, has been automatic since 1989.
    + The lighthouse has been automatic since 1989.
    - The lighthouse was automatic until 1989.
Fewer than 300 breeding pairs of the bird remain on the island.
    + Less than 300 breeding pairs of the bird remain on the island.
    - More than 300 breeding pairs of the bird remain on the island.
The court ordered the company to pay $2.5 million in damages.
    + The company was ordered by the court to pay $2.5 million in damages.
    + The court ordered the company to pay 2.5 million dollars in damages.
    - The court ordered the company to pay $25 million in damages.
    - The company ordered the court to pay $2.5 million in damages.
Half a million people visited the exhibition in its first month.
    + 500,000 people visited the exhibition in its first month.
    - Five million people visited the exhibition in its first month.
    - Half a million people visited the exhibition in its first week.
The enzyme works best at 37 °C and stops working above 60 °C.
    + The enzyme works best at 37 °C.
    + Above 60 °C the enzyme stops working.
    - The enzyme works best at 60 °C.
    - The enzyme works best above 60 °C.
The river is about 820 km long, of which 300 km lie in Austria.
    + The river is about 820 km long.
    + 300 km of the river lie in Austria.
    - The river is about 300 km long.
    - 820 km of the river lie in Austria.
Children under six travel free of charge.
    + Children younger than six travel free of charge.
    - Children over six travel free of charge.
    - Children must not travel free of charge.
The vote was 61 to 38, with one abstention.
    + The vote was 61 to 38 with one abstention.
    - The vote was 38 to 61.
Rainfall in the delta has decreased since the 1970s.
    + Rainfall in the delta has fallen since the 1970s.
    + Since the 1970s, rainfall in the delta has declined.
    - Rainfall in the delta has increased since the 1970s.
    - Rainfall in the delta has risen since the 1970s.
The mayor refused to sign the contract.
    + The mayor did not sign the contract.
    + The mayor declined to sign the contract.
    - The mayor signed the contract.
Bread prices rose sharply in April, mainly because wheat became scarce.
    + In April, bread prices rose sharply.
    + Bread prices rose in April because wheat became scarce.
    - Bread prices fell sharply in April.
    - Bread prices rose sharply in May.
No vehicle may stand on the bridge.
    + Vehicles may not stand on the bridge.
    - Vehicles may stand on the bridge.
    - Any vehicle may stand on the bridge.
The club rarely loses at home.
    + At home, the club rarely loses.
    - The club loses at home.
    - The club often loses at home.
    - The club always loses at home.
A few of the letters were opened.
    + Some of the letters were opened.
    - All of the letters were opened.
    - None of the letters were opened.
The glass must be heated slowly to 560 °C.
    + The glass has to be heated slowly to 560 °C.
    + One must heat the glass slowly to 560 °C.
    - The glass must be heated quickly to 560 °C.
    - The glass must not be heated to 560 °C.
Between 1990 and 2015 the forest lost a third of its area.
    + The forest lost one third of its area between 1990 and 2015.
    + From 1990 to 2015 the forest lost a third of its area.
    - Between 1990 and 2015 the forest gained a third of its area.
    - Between 1990 and 2005 the forest lost a third of its area.
    - Between 1990 and 2015 the forest lost two thirds of its area.
The software is free for schools but costs companies 40 euros a month.
    + The software is free for schools.
    + Companies pay 40 euros a month for the software.
    - The software costs schools 40 euros a month.
The Roman aqueduct, which was restored in 1998, still supplies two fountains in the old town.
    + The aqueduct was restored in 1998.
    + The Roman aqueduct still supplies two fountains in the old town.
    - The aqueduct was restored in 1989.
    - The aqueduct supplies three fountains in the old town.
Researchers at the institute found that the beetles avoid light and that the larvae prefer damp soil.
    + The beetles avoid light.
    + The larvae prefer damp soil.
When the dam was opened in 1962, four villages had already been moved to higher ground.
    + The dam was opened in 1962.
    + Four villages had been moved to higher ground before the dam was opened.
The bank that financed the tunnel was bought by a rival in 2011.
    + A rival bought the bank that financed the tunnel in 2011.
    + The bank was bought by a rival in 2011.
    - The bank bought a rival in 2011.
Farmers and millers founded the cooperative in 1894 to sell grain without brokers.
    + The cooperative was founded by farmers and millers in 1894.
    + Farmers founded the cooperative in 1894.
    + Millers founded the cooperative in 1894.
    - The cooperative was founded by brokers in 1894.
    - Brokers founded the cooperative in 1894.
Heavy rain delayed the harvest, and frost later destroyed most of the grapes.
    + Heavy rain delayed the harvest.
    + Most of the grapes were destroyed by frost.
    + Frost destroyed most of the grapes.
    - Frost delayed the harvest.
    - Heavy rain destroyed most of the grapes.
The city of Lund has 94,000 inhabitants, a third of whom are students.
    + Lund has 94,000 inhabitants.
    + A third of the inhabitants of Lund are students.
    - Lund has 49,000 inhabitants.
    - Half of the inhabitants of Lund are students.
Compared with plastic, glass is heavier but easier to recycle.
    + Glass is heavier than plastic.
    + Glass is easier to recycle than plastic.
The parliament elected Mia Sand as its speaker in May after Jon Dahl had resigned.
    + Mia Sand was elected speaker in May.
    + Jon Dahl had resigned.
Prices for rice doubled in Manila between March and June 2008.
    + In Manila, rice prices doubled between March and June 2008.
    - Prices for rice halved in Manila between March and June 2008.
    - Prices for rice doubled in Manila between March and July 2008.
The museum, founded by the painter's widow, shows 300 of his drawings.
    + The painter's widow founded the museum.
    + The museum shows 300 drawings.
    + The museum was founded by the painter's widow.
    - The museum shows 30 drawings.
Salmon migrate up the river in autumn and eels migrate down the river in spring.
    + Salmon migrate up the river in autumn.
    + Eels migrate down the river in spring.
    - Salmon migrate up the river in summer.
The committee, chaired by Ruth Ahlers, recommended that the mine be closed by 2030.
    + The committee recommended closing the mine by 2030.
    + Ruth Ahlers chaired the committee.
    - The committee recommended that the mine be closed by 2013.
Twelve of the nineteen species were new to science.
    + 12 of the 19 species were new to science.
    + Twelve species were new to science.
    - Nineteen species were new to science.
    - 12 of the 20 species were new to science.
The ministry approved the vaccine for adults in March and for children in October.
    + The ministry approved the vaccine for adults in March.
    + The vaccine was approved for children in October.
    - The vaccine was approved for children in March.
    - The ministry approved the vaccine for adults in October.
Solar panels on the roof generate 14 MWh a year, and the heat pump uses 9 MWh a year.
    + Solar panels on the roof generate 14 MWh a year.
    + The heat pump uses 9 MWh a year.
    - The heat pump uses 14 MWh a year.
    - Solar panels on the roof generate 9 MWh a year.
The opera was composed by Ina Falk, who also wrote the words.
    + Ina Falk composed the opera.
    + Ina Falk wrote the words of the opera.
Cyclists, pedestrians and buses may use the bridge; cars may not.
    + Cyclists may use the bridge.
    + Buses and pedestrians may use the bridge.
The comet was discovered by two amateurs in 1995 and seen with the naked eye for 18 months.
    + Two amateurs discovered the comet in 1995.
    + The comet was seen with the naked eye for 18 months.
    - The comet was discovered by three amateurs in 1995.
    - The comet was seen with the naked eye for 18 days.
Because the tide was low, the pilot anchored the ship outside the harbour.
    + The pilot anchored the ship outside the harbour because the tide was low.
    + The ship was anchored outside the harbour by the pilot.
    - The ship anchored the pilot outside the harbour.
Nurses reported the error to the manager, and the manager informed the family.
    + The manager informed the family.
    + Nurses reported the error to the manager.
    + The family was informed by the manager.
    - The family informed the manager.
    - The manager reported the error to the nurses.
More than half of the lamps, 57 percent, failed within a year.
    + 57% of the lamps failed within a year.
    + More than half of the lamps failed within a year.
    - 75% of the lamps failed within a year.
    - Less than half of the lamps failed within a year.
In a trial with 240 volunteers, the new lens reduced glare by 30 percent compared with the old lens.
    + The new lens reduced glare by 30% compared with the old lens.
    + The trial had 240 volunteers.
    - The old lens reduced glare by 30 percent compared with the new lens.
    - The new lens increased glare by 30 percent.
Rust weakened the pillars, so engineers replaced them with steel ones in 2004.
    + Engineers replaced the pillars with steel ones in 2004.
    + The pillars were weakened by rust.
    - The pillars weakened rust.
    - Engineers replaced steel pillars in 2014.
The treaty, signed by nine states, bans the dumping of waste at sea.
    + Nine states signed the treaty.
    + The treaty bans the dumping of waste at sea.
    - The treaty allows the dumping of waste at sea.
    - Ten states signed the treaty.
Older trees store more water than young trees do.
    + Older trees store more water than young trees.
    + Young trees store less water than older trees do.
    - Young trees store more water than older trees do.
Neither of the two samples contained lead.
    + The two samples did not contain lead.
    + Neither sample contained lead.
    - The two samples contained lead.
    - Both of the samples contained lead.
The airline cancelled 40 flights on Friday and 65 on Saturday.
    + The airline cancelled 40 flights on Friday.
    + 40 flights were cancelled on Friday.
    + On Saturday the airline cancelled 65 flights.
    - The airline cancelled 65 flights on Friday.
    - The airline cancelled 40 flights on Saturday.
The engine can be started with a battery that has been charged to at least 20 percent.
    + The engine can be started with a battery charged to at least 20%.
    - The engine can be started with a battery charged to at most 20%.
Water boils at 100 °C at sea level and at about 90 °C at 3,000 metres.
    + At sea level, water boils at 100 °C.
    + Water boils at about 90 °C at 3,000 metres.
    - Water boils at 90 °C at sea level.
"""


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "+"))
def test_what_the_text_says_is_carried(text, claim):
    assert is_carried(claim, text)


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "-"))
def test_what_the_text_does_not_say_is_not_carried(text, claim):
    assert not is_carried(claim, text)
