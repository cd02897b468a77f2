"""Roles in a sentence: who does it to whom, and what is more than what."""

import pytest

from tests.citations.grounding.telling import claims, is_carried

TABLE = """
The dog bit the man before the vet arrived.
    + The dog bit the man.
    - The man bit the dog.
Cyclists must give way to pedestrians on shared paths.
    + Cyclists must give way to pedestrians.
    - Pedestrians must give way to cyclists.
Tin and copper are the metals of bronze.
    + Copper and tin are the metals of bronze.
The left valve is closed while the pump starts, the right one stays open.
    + The left valve is closed while the pump starts.
The tenant of the flat pays for small repairs.
    + The tenant pays for small repairs.
    - The landlord pays for small repairs.
Use a short timeout for health checks of the cluster.
    + Use a short timeout for health checks.
    - Use a long timeout for health checks.
Trains on the new line are faster than buses on the old road.
    + The new line's trains are faster than the buses on the old road.
    - Buses on the old road are faster than trains on the new line.
    - Trains on the new line are slower than buses on the old road.
In the trial, copper wire lasted longer than aluminium wire.
    + Copper wire lasted longer than aluminium wire in the trial.
    - Aluminium wire lasted longer than copper wire in the trial.
    - Copper wire lasted shorter than aluminium wire in the trial.
    - Copper wire lasted as long as aluminium wire in the trial.
The northern basin received more rain than the southern basin.
    + More rain fell in the northern basin than in the southern basin.
    + The southern basin received less rain than the northern basin.
    - The southern basin received more rain than the northern basin.
    - The northern basin received less rain than the southern basin.
Team Alder beat Team Birch in the final.
    + In the final Team Alder beat Team Birch.
    + Team Birch was beaten by Team Alder in the final.
    - Team Birch beat Team Alder in the final.
    - Team Alder was beaten by Team Birch in the final.
Revenue exceeded costs for the first time in 2016.
    + In 2016 revenue exceeded costs for the first time.
    - Costs exceeded revenue for the first time in 2016.
    - Revenue exceeded costs for the last time in 2016.
The lake is deeper than the reservoir but smaller than the fjord.
    + The lake is deeper than the reservoir.
    - The reservoir is deeper than the lake.
    - The lake is smaller than the reservoir.
    - The lake is deeper than the fjord.
    - The fjord is smaller than the lake.
Water use fell as prices rose.
    + As prices rose, water use fell.
    - Water use rose as prices fell.
    - Water use rose as prices rose.
Marta Lindqvist designed the library, and Paul Okoro designed the town hall.
    + Marta Lindqvist designed the library.
    + The town hall was designed by Paul Okoro.
    - Paul Okoro designed the library.
    - Marta Lindqvist designed the town hall.
    - The library was designed by Paul Okoro.
Norway sold the ferry to Estonia in 2009.
    + In 2009 the ferry was sold to Estonia by Norway.
    - Estonia sold the ferry to Norway in 2009.
    - Norway bought the ferry from Estonia in 2009.
    - Norway sold the ferry to Latvia in 2009.
    - Sweden sold the ferry to Estonia in 2009.
The teacher praised the pupil for the essay.
    + The pupil was praised by the teacher for the essay.
    - The pupil praised the teacher for the essay.
    - The teacher was praised by the pupil for the essay.
Smoking causes the disease; diet does not.
    + Smoking causes the disease.
    - Diet causes the disease.
    - The disease causes smoking.
    - Smoking does not cause the disease.
Acme Robotics was acquired by Brightline Holdings in June 2020.
    + Brightline Holdings acquired Acme Robotics in June 2020.
    + Brightline acquired Acme Robotics in June 2020.
    - Acme Robotics acquired Brightline Holdings in June 2020.
    - Brightline Holdings was acquired by Acme Robotics in June 2020.
    - Acme Robotics was acquired by Brightline Holdings in July 2020.
The mother of the king was a queen of Denmark.
    - The father of the king was a queen of Denmark.
    - The mother of the king was a queen of Sweden.
The hospital hired the consultant after the audit.
    + The consultant was hired by the hospital after the audit.
    + After the audit, the hospital hired the consultant.
    - The consultant hired the hospital after the audit.
    - The hospital was hired by the consultant after the audit.
Wolves were reintroduced to the park by rangers in 1995.
    + Rangers reintroduced wolves to the park in 1995.
    + In 1995 wolves were reintroduced to the park.
    - Rangers were reintroduced to the park by wolves in 1995.
The senate rejected the bill that the president had signed.
    + The senate rejected the bill.
    + The bill was rejected by the senate.
    - The president rejected the bill.
    - The bill rejected the senate.
In 1918 the treaty was signed in Brest.
    + In Brest the treaty was signed in 1918.
    + The treaty was signed in Brest in 1918.
France and Germany signed the agreement with Poland.
    + Germany and France signed the agreement with Poland.
    + The agreement with Poland was signed by France and Germany.
Gold is heavier than lead, and lead is heavier than iron.
    + Gold is heavier than lead.
    + Lead is heavier than iron.
    - Lead is heavier than gold.
    - Iron is heavier than lead.
Patients treated with the new drug reported less pain than patients who were given a placebo.
    + Patients treated with the new drug reported less pain than those given a placebo.
    + Patients given a placebo reported more pain than patients treated with the new drug.
    - Patients who were given a placebo reported less pain than patients treated with the new drug.
    - Patients treated with the new drug reported more pain than patients who were given a placebo.
The painter Edda Holm taught the sculptor Nils Brandt in Oslo.
    + Nils Brandt was taught by Edda Holm in Oslo.
    + Edda Holm taught Nils Brandt in Oslo.
    - Nils Brandt taught Edda Holm in Oslo.
    - Edda Holm was taught by Nils Brandt in Oslo.
The old mill was converted into a school, and the old school was converted into a museum.
    + The old mill was converted into a school.
    + The old school was converted into a museum.
    - The old mill was converted into a museum.
Cats chase mice.
    + Mice are chased by cats.
    - Mice chase cats.
Wind power produced more electricity than coal in March.
    + In March, wind power produced more electricity than coal.
    + In March coal produced less electricity than wind power.
    - Coal produced more electricity than wind power in March.
    - Wind power produced less electricity than coal in March.
The train runs from Turin to Lyon in four hours.
    + In four hours the train runs from Turin to Lyon.
    - The train runs from Lyon to Turin in four hours.
Bacteria infected by the virus produced the protein.
    + The protein was produced by bacteria infected by the virus.
    - The virus infected by bacteria produced the protein.
Ms Okafor, who founded the firm, sold it to Delta Foods in 2017.
    + In 2017, Okafor sold the firm to Delta Foods.
The judge fined the newspaper because it had insulted the minister.
    + The newspaper was fined by the judge because it had insulted the minister.
    + The judge fined the newspaper.
    - The newspaper fined the judge.
    - The minister fined the newspaper.
Soil moisture is measured by sensors that farmers bury in their fields.
    + Sensors measure soil moisture.
    + Farmers bury sensors in their fields.
    - Soil moisture measures sensors.
"""


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "+"))
def test_what_the_text_says_is_carried(text, claim):
    assert is_carried(claim, text)


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "-"))
def test_what_the_text_does_not_say_is_not_carried(text, claim):
    assert not is_carried(claim, text)
