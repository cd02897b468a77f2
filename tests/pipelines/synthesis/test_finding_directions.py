"""The direction of a finding: what rises or falls, in English and German, and what it is that changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.synthesis.synthesis_finding_directions import (
    change_of,
    direction_of,
    is_of_doing_without,
)
from research.pipelines.synthesis.synthesis_study_outcomes import is_desirable, is_same_outcome, outcome_terms
from research.pipelines.synthesis.synthesis_study_rows import Direction


@pytest.mark.parametrize(
    ("finding", "outcome", "direction"),
    [
        ("Sleep restriction to 5 hours significantly increased lapses on the PVT.", "attention", "harm"),
        ("Nurses who slept under 6 hours had more lapses of attention.", "", "harm"),
        ("Reaction times were slower after 4 hours of sleep.", "", "harm"),
        ("Reaction time did not differ between the groups.", "", "null"),
        ("Attention worsened in women but improved in men.", "", "mixed"),
        ("Statins were associated with lower all-cause mortality.", "", "benefit"),
        ("Statin therapy is associated with a slightly increased risk of diabetes.", "", "harm"),
        ("We found that overall no-till reduces yields.", "", "harm"),
        ("Soil erosion decreased by 60% under no-till.", "", "benefit"),
        ("Pairs made 7% more correct solutions but effort increased by 84%.", "effort", "mixed"),
        ("Pairs spent 15% more time.", "effort (person hours)", "harm"),
        ("Faster reviews led to an increase in build failures.", "build failures", "harm"),
        ("Anxiety fell after eight weeks.", "", "benefit"),
        ("Screen time was positively associated with BMI.", "BMI", "higher"),
        ("Mortality was similar in both arms.", "mortality", "null"),
        ("TypeScript detected 15% of the bugs.", "defects", "unclear"),
        ("Children with more than 3 hours of screen time slept 35 minutes less.", "sleep duration", "harm"),
        ("Filters shortened sleep onset latency, which was not significant.", "sleep onset latency", "null"),
        ("Anxiety fell; the difference was not statistically significant.", "anxiety", "null"),
        ("Pain fell by 4 points, but this was not significant.", "pain", "null"),
        ("Mothers in the program smoked less and slept more.", "smoking", "benefit"),
        ("Employees sat 84 minutes less per day.", "sitting time", "benefit"),
        ("Employees took fewer sick days.", "sick leave", "benefit"),
        ("Noise levels fell by 3 dB after the ban.", "noise", "benefit"),
        ("Der Lärmpegel sank bei Tempo 30 um 1,9 dB.", "Lärmbelastung", "benefit"),
        ("Die Reisezeit der Busse verlängerte sich um 12 Sekunden.", "Reisezeit", "harm"),
        ("Die Feinstaubkonzentration sank um 8 Prozent.", "Luftqualität", "benefit"),
        ("Hausaufgaben verbesserten die Leistung in Mathematik nicht.", "", "null"),
        ("Die Motivation nahm mit der Menge der Hausaufgaben ab.", "", "harm"),
        ("Zwischen den Gruppen gab es keinen Unterschied.", "", "null"),
        ("Das Sturzrisiko sank um 30 %.", "Stürze", "benefit"),
        ("Die Lesekompetenz nahm zu.", "", "benefit"),
        ("Developers took 19% longer.", "completion time", "harm"),
        ("Participants wrote less secure code.", "vulnerabilities", "harm"),
        ("Progression-free survival was longer.", "", "benefit"),
        ("Self-esteem improved in girls but not in boys.", "", "mixed"),
        ("Relapse was less common after mindfulness training.", "relapse", "benefit"),
        ("Patients on the new drug were less likely to die.", "mortality", "benefit"),
        ("Loss of grip strength was prevented by the protein supplement.", "grip strength", "benefit"),
        ("Bone loss was greater in astronauts.", "bone density", "higher"),
        ("Pain relief lasted longer with the nerve block.", "pain relief", "benefit"),
        ("Exercise slowed cognitive decline.", "cognition", "benefit"),
        ("The reduction in pain was smaller with placebo.", "pain", "harm"),
        ("Deterioration of memory was less pronounced.", "memory", "benefit"),
        ("Removing phones increased attention and reduced cheating.", "attention", "benefit"),
        ("The drug reduced pain and increased mortality.", "", "mixed"),
        ("Staff who slept longer committed fewer errors.", "errors", "benefit"),
        ("The drug increased lower back pain.", "", "harm"),
        ("Memory loss progressed more slowly.", "memory", "benefit"),
        ("Falls increased by 20% on the ward.", "", "harm"),
        ("A higher dose brought no gain in accuracy.", "accuracy", "null"),
        ("Reduced mortality was not observed.", "mortality", "null"),
        ("No fewer infections were seen with the coated catheter.", "infection", "null"),
        ("Higher doses did not translate into greater yields.", "yield", "null"),
        ("People who did not exercise had more falls.", "falls", "harm"),
        ("Cutting class size did little for reading scores.", "reading", "null"),
        ("Cutting sleep to five hours made errors more frequent.", "errors", "harm"),
        ("Increasing screen time lowered attention.", "attention", "harm"),
        ("Putting the phone away an hour before bed lengthened sleep.", "sleep duration", "benefit"),
        ("An Tagen mit spätem Beginn schliefen sie eine Stunde länger.", "Schlafdauer", "benefit"),
        ("Die Schlafdauer nahm um 34 Minuten zu.", "Schlafdauer", "benefit"),
        ("Completed tasks per week rose by 26%.", "completed pull requests", "benefit"),
        ("Patients left the hospital 1.4 days earlier.", "length of stay", "benefit"),
        ("The drug delayed the return of the native flora.", "flora", "harm"),
        ("Sepsis occurred only in patients who had received the drug.", "sepsis", "harm"),
        ("29.5% of the snippets contained security weaknesses.", "vulnerabilities", "harm"),
        ("Die Produktivität sank um 8 Prozent.", "Arbeitsproduktivität", "harm"),
        ("Beschäftigte fühlten sich häufiger einsam.", "Einsamkeit", "harm"),
        ("The drug fell short of placebo on pain.", "pain", "unclear"),
        ("Seedling survival plummeted under drought.", "", "harm"),
        ("Die Zahl der Stürze verringerte sich um ein Viertel.", "Stürze", "benefit"),
        ("Die Sterblichkeit ging um ein Drittel zurück.", "", "benefit"),
        ("Rooms under green roofs were 1.6 °C cooler.", "indoor temperature", "lower"),
        ("Asthma was less common where streets had more trees.", "asthma", "benefit"),
        ("Asthma was more common where streets had fewer trees.", "asthma", "harm"),
        (
            "Districts with more trees had fewer heat-related calls.",
            "heat-related ambulance calls",
            "benefit",
        ),
        ("Fear of falling decreased in the tai chi group.", "fear of falling", "benefit"),
        ("Gait speed increased by 0.07 m/s.", "gait speed", "benefit"),
        ("Stride length was shorter in barefoot runners.", "stride length", "lower"),
        ("A third of the participants had dropped out after a year.", "drop-out", "descriptive"),
        ("12 % of patients in the first year were readmitted.", "readmission", "descriptive"),
        ("Checklist readers found more defects than readers without one.", "defects found", "benefit"),
        ("The second release had more defects.", "post-release defects", "harm"),
        ("Fewer people had at least one infection.", "respiratory infections", "benefit"),
        ("More patients recovered with the new drug.", "", "benefit"),
        ("Green roofs held back half of the rain.", "stormwater runoff", "benefit"),
        ("No effect on falls was found, except in those with a deficiency, who fell less.", "falls", "mixed"),
        ("Der Unkrautdruck nahm am Rand zu.", "Unkrautdruck", "harm"),
        ("Blattläuse waren um 40 Prozent seltener.", "Blattläuse", "benefit"),
        ("Der Ertrag nahm trotz kleinerer Fläche nicht ab.", "Ertrag", "null"),
        ("Landwirte gaben 300 Euro mehr je Hektar aus.", "Kosten", "harm"),
        ("Kopfschmerzen traten bei hellen Lampen häufiger auf.", "Kopfschmerzen", "harm"),
        ("Die Teilnehmer schliefen 20 Minuten früher ein.", "Einschlafzeit", "benefit"),
    ],
)
def test_a_rise_is_judged_by_what_rises(finding, outcome, direction):
    assert direction_of(finding, outcome).value == direction


@pytest.mark.parametrize(
    ("finding", "changed"),
    [
        ("Across 74 sites crop yields were lower under no-till in wet climates.", "crop yields"),
        ("No-till reduced soil erosion by two orders of magnitude.", "soil erosion"),
        ("Statin use was associated with an increased risk of diabetes.", "diabetes"),
        ("Reproductive output did not differ between treatments.", "reproductive output"),
        ("It was done in 2019.", ""),
    ],
)
def test_what_has_changed_is_named_in_the_words_of_the_finding(finding, changed):
    assert change_of(finding) == changed


@pytest.mark.parametrize(
    ("first", "second", "are_one"),
    [
        ("time to fall asleep", "sleep onset latency", True),
        ("sleep onset latency", "sleep duration", False),
        ("attention", "sustained attention (PVT lapses)", True),
        ("attention", "psychomotor vigilance", True),
        ("reaction time", "mean reaction time (ms)", True),
        ("deaths within 30 days", "30-day mortality", True),
        ("Mathematikleistung", "Leistung in Mathematik", True),
        ("depressive symptoms", "risk for depression", True),
        ("depression", "anxiety", False),
        ("cancer mortality", "cardiovascular mortality", False),
        ("reading achievement", "mathematics grades", False),
        ("mathematics achievement", "grades in mathematics", True),
        ("crop yield", "soil erosion", False),
        ("sleep quality", "sleep onset", False),
        ("length of stay", "duration of hospitalization", True),
        ("security vulnerabilities", "vulnerabilities in code", True),
        ("Einsamkeit", "soziale Isolation", True),
        ("task completion time", "completed pull requests", False),
        ("task completion time", "task completion time", True),
        ("time to merge", "merged pull requests", False),
        ("merged pull requests", "comments per pull request", False),
        ("gait speed", "walking speed", True),
        ("gait speed", "gait variability", False),
        ("", "", False),
    ],
)
def test_names_of_one_measurement_are_one_outcome(first, second, are_one):
    assert is_same_outcome(outcome_terms(first), outcome_terms(second)) is are_one


@pytest.mark.parametrize(
    ("outcome", "is_good"),
    [
        ("attention lapses", False),
        ("attention", True),
        ("yield", True),
        ("Hüftfrakturen", False),
        ("height", None),
    ],
)
def test_more_of_an_outcome_is_good_or_bad(outcome, is_good):
    assert is_desirable(outcome) is is_good


@given(st.text(max_size=120), st.text(max_size=40))
def test_any_text_has_a_direction(finding, outcome):
    assert direction_of(finding, outcome) in Direction
    assert len(change_of(finding)) <= len(finding) + 1
    assert is_same_outcome(outcome_terms(finding), outcome_terms(outcome)) == is_same_outcome(
        outcome_terms(outcome), outcome_terms(finding)
    )


@pytest.mark.parametrize(
    ("mine", "theirs", "are_one"),
    [
        ("maths achievement", "achievement in mathematics", True),
        ("Rückenschmerz", "Schmerzen im Rücken", True),
        ("Kopfschmerz", "Schmerzen im Rücken", False),
        ("reading achievement", "maths achievement", False),
    ],
)
def test_an_outcome_is_recognized_in_its_other_spellings(mine, theirs, are_one):
    assert is_same_outcome(outcome_terms(mine), outcome_terms(theirs)) is are_one


@pytest.mark.parametrize(
    ("finding", "is_without"),
    [
        ("Temperature rose by 1.1 °C after the trees had been felled.", True),
        ("Crashes rose after the removal of the cameras.", True),
        ("Components with low review coverage had more defects.", True),
        ("Nach dem Absetzen stieg die Zahl der Rückfälle.", True),
        ("Crashes fell after the cameras had been installed.", False),
        ("Low-income families had fewer books.", False),
        ("Infections fell when hands were washed.", False),
    ],
)
def test_a_finding_is_on_the_lack_of_a_thing_by_its_circumstances(finding, is_without):
    assert is_of_doing_without(finding) is is_without


def test_a_direction_of_an_earlier_run_is_read():
    assert (Direction("positive"), Direction("negative")) == (Direction.HIGHER, Direction.LOWER)
