"""A synthesis as programs give it and get it: sections of claims that name studies, or the text of an older one."""

import io
import json

import jsonschema
import pytest
from django.utils.translation import override
from openpyxl import Workbook

from exports.building.build_document import build_document
from exports.stored.translate_exported_sentences import translate_stored_text
from research.db.tenancy import tenant_context
from research.models import Source, State
from research.pipelines.report.report_config import ConfigError
from research.pipelines.synthesis.start_synthesis import KIND, SynthesisInput, read_file, start_synthesis
from research.pipelines.synthesis.synthesis_narrative import (
    NarrativeSynthesis,
    SynthesisAnswer,
    synthesis_answer,
)
from research.pipelines.synthesis.synthesis_result import Synthesis
from slides.outline import OutlineOptions, outline_deck
from tests.pipelines.stepping import go_on

STUDIES = [
    {"id": "s1", "title": "Tea and sleep", "authors": ["Smith J", "Doe A", "Lee B"], "year": 2020,
     "doi": "10.1000/tea", "studyDesign": "randomised trial", "sampleSize": 120, "outcome": "sleep quality",
     "mainFinding": "Sleep was better after tea.", "peerReviewed": True},
    {"id": "s2", "title": "Tea and Sleep.", "authors": ["Smith J"], "year": 2020, "doi": "https://doi.org/10.1000/TEA",
     "outcome": "sleep", "mainFinding": "Sleep was better.", "peerReviewed": True},
    {"id": "s3", "title": "Light and sleep", "authors": ["Ray C"], "year": 2021, "sampleSize": 80,
     "outcome": "quality of sleep", "mainFinding": "Sleep was better with less light.", "peerReviewed": False},
]  # fmt: skip
NARRATIVE = {
    "sections": [
        {
            "heading": "Areas of agreement",
            "claims": [
                {"text": "Sleep was better after tea.", "studies": ["s2"], "strength": "strong"},
                {"text": "Coffee is worse.", "studies": ["s9"]},
            ],
        }
    ],
    "warnings": [{"type": "gap", "text": "No study looked at children."}],
}
GIVEN = {"title": "Tea", "studies": STUDIES, "narrative_synthesis": NARRATIVE}


def make_synthesis(account, given, **config):
    with tenant_context(account.tenant_id):
        run = start_synthesis(owner=account.user, asked=given, config=config)
    run = go_on(run)
    with tenant_context(account.tenant_id):
        own = Synthesis.model_validate(run.outcome["own"])
        document = build_document(run.pk)
    assert run.state == State.COMPLETED
    return document, own, synthesis_answer(document, own)


@pytest.fixture(scope="module")
def tea_synthesis(account):
    return make_synthesis(account, read_file("tea.json", json.dumps(GIVEN).encode()))


def test_claims_that_were_given_stand_on_the_studies_that_they_name(tea_synthesis):
    document, own, answer = tea_synthesis
    [section] = answer.narrative_synthesis.sections
    [claim] = section.claims
    assert (section.heading, claim.text) == ("Areas of agreement", "Sleep was better after tea.")
    assert claim.studies == ["s1"]  # the row that s2 was joined with
    assert claim.strength == "limited"  # counted, whatever was given
    assert own.rejected == ["Coffee is worse."]
    assert "No study looked at children." in [one.text for one in answer.narrative_synthesis.warnings]
    assert document.status == "done"


def test_rows_about_one_study_are_joined_by_the_api_too(tea_synthesis):
    _document, own, _answer = tea_synthesis
    assert [(row.id, row.label) for row in own.studies] == [("s1", "Smith et al., 2020"), ("s3", "Ray, 2021")]
    assert [row.preprint for row in own.studies] == [False, True]


def test_both_directions_keep_to_their_schema(tea_synthesis):
    _document, _own, answer = tea_synthesis
    jsonschema.validate(GIVEN, KIND.input.model_json_schema())
    told = answer.model_dump(mode="json")
    jsonschema.validate(told, SynthesisAnswer.model_json_schema(mode="serialization"))
    again = SynthesisInput.model_validate(
        {"narrative_synthesis": told["narrative_synthesis"], "studies": STUDIES}
    )
    assert isinstance(again.narrative_synthesis, NarrativeSynthesis)


def test_fields_may_have_the_names_that_others_give_them():
    claim = {"statement": "Sleep was better.", "supportingStudies": ["s1", 3]}
    other = {
        "sections": [{"title": "Agreement", "claims": [claim]}],
        "warnings": [{"message": "Few studies."}],
    }
    found = SynthesisInput.model_validate(
        {"studies": STUDIES, "narrativeSynthesis": other}
    ).narrative_synthesis
    assert found.sections[0].heading == "Agreement"
    assert found.sections[0].claims[0].studies == ["s1", 3]
    assert found.warnings[0].text == "Few studies."


def test_a_stored_text_of_the_structured_form_is_read_as_such():
    found = SynthesisInput.model_validate({"studies": STUDIES, "narrative_synthesis": json.dumps(NARRATIVE)})
    assert found.narrative_synthesis.sections[0].claims[0].studies == ["s2"]


@pytest.mark.parametrize("name", ["synthesis", "narrative_synthesis"])
def test_a_text_of_the_older_form_is_shown_as_what_it_is(account, name):
    given = json.dumps({"title": "Tea", name: "# What we know\n\nTea **helps**."}).encode()
    document, own, answer = make_synthesis(account, read_file("old.json", given))
    assert (document.status, own.form) == ("done", "text")
    assert answer.narrative_synthesis == "# What we know\n\nTea **helps**."
    assert [section.heading for section in document.sections] == ["What we know"]


def test_a_claim_in_json_needs_its_text():
    with pytest.raises(ConfigError, match="narrative_synthesis|text"):
        KIND.read_input({"studies": STUDIES, "narrative_synthesis": {"sections": [{"claims": [{}]}]}})


SLEEP = """Title,Authors,Year,Study design,Participants,N,Outcome measure,Main result,Peer reviewed
Restriction,"Smith J, Doe A, Lee B",2018,randomised trial,adults,24,sustained attention (PVT lapses),\
Sleep restriction significantly increased lapses.,yes
One night,"Van Dongen HP, Maislin G",2003,randomised trial,adults,48,attention,Attention lapses increased.,Yes
Nurses,"Okafor C",2020,cohort,nurses,210,psychomotor vigilance,Nurses had more lapses of attention.,yes
Drivers,"Meyer K",2021,crossover,drivers,32,reaction time,Reaction times were slower.,no
Naps,"Rossi P, Bianchi L",2019,randomised trial,workers,60,mean reaction time,Reaction time did not differ.,yes
Restriction.,"Smith J",2018,randomised trial,adults,24,attention,Lapses increased.,yes
"""


def test_a_table_of_a_database_of_papers_is_read_as_a_person_reads_it(account):
    document, own, _answer = make_synthesis(account, read_file("sleep.csv", SLEEP.encode()))
    assert [row.preprint for row in own.studies] == [False, False, False, True, False]
    assert [row.label for row in own.studies][:2] == ["Smith et al., 2018", "Van Dongen & Maislin, 2003"]
    told = [claim.text for claim in document.claims]
    assert "On attention, 3 studies agree: they report harm." in told
    assert "On reaction time, 2 studies disagree: 1 reports harm, 1 reports no effect." in told


def test_a_mixed_study_joins_the_disagreement_that_it_belongs_to(account):
    more = (
        SLEEP
        + 'Both,"Kim S",2022,cohort,students,150,attention,Attention worsened in women but improved in men.,yes\n'
    )
    document, _own, _answer = make_synthesis(account, read_file("sleep.csv", more.encode()))
    told = [claim.text for claim in document.claims]
    assert "On attention, 4 studies disagree: 3 report harm, 1 reports mixed results." in told


def test_a_german_workbook_is_read_by_the_names_of_its_columns(account):
    book, out = Workbook(), io.BytesIO()
    for row in (
        ("Titel", "Verfasser", "Erscheinungsjahr", "Studientyp", "Anzahl", "Zielgröße", "Hauptergebnis", "Begutachtet"),
        ("A", "Müller, Hans", "2015", "Längsschnittstudie", 1200, "Leistung in Mathematik",
         "Hausaufgaben verbesserten die Leistung nicht.", "ja"),
        ("B", "Lang, Ute", "2022", "Befragung", 95, "Mathematikleistung", "Die Leistung nahm ab.", "nein"),
    ):  # fmt: skip
        book.active.append(row)
    book.save(out)
    _document, own, _answer = make_synthesis(account, read_file("studien.xlsx", out.getvalue()))
    assert [(row.year, row.sample_size, row.direction, row.preprint) for row in own.studies] == [
        (2015, 1200, "null", False),
        (2022, 95, "harm", True),
    ]


SCREENS = """Title,Authors,Year,Study design,Participants,N,Outcome measure,Main result
Screens,"Hansen E",2022,cohort,teenagers,3400,sleep duration,More screen time was associated with 42 minutes less sleep.
Phones,"Dubois C",2020,crossover,teenagers,48,sleep duration,Putting the phone away lengthened sleep by 21 minutes.
"""


def test_a_benefit_of_doing_without_a_thing_agrees_with_its_harm(account):
    document, own, _answer = make_synthesis(account, read_file("screens.csv", SCREENS.encode()))
    assert [study.direction for study in own.studies] == ["harm", "benefit"]
    told = [claim.text for claim in document.claims]
    assert (
        "On sleep duration, 2 studies agree: they report harm"
        " (1 of them found a benefit when the exposure was missing or reduced: “Putting the phone away”)."
    ) in told


TREES = """Title,Authors,Year,Design,Population,N,Outcome,Finding
Street trees and heat,"Vogt K",2020,field study,streets,24,air temperature,Streets with trees were 1.4 °C cooler.
Felling of trees,"Brandt L",2021,field study,avenues,6,air temperature,Temperature rose after trees had been felled.
Street trees and heat,"Vogt K",2020,field study,streets,24,air temperature,Streets with trees were 1.4 °C cooler.
"""


def test_the_lack_of_a_thing_is_named_and_repeated_rows_are_counted_at_the_top(account, client):
    document, own, _answer = make_synthesis(account, read_file("trees.csv", TREES.encode()))
    counted = (
        "On air temperature, 2 studies agree: they report lower values"
        " (1 of them found higher values when the exposure was missing or reduced: “after trees had been felled”)."
    )
    assert list(document.summary) == ["3 rows of the table are about 2 studies.", counted]
    with override("de"):
        assert [
            f"{translate_stored_text(e.text)}: {translate_stored_text(e.reason)}" for e in document.left_out
        ] == [
            "Zeile 3: Sie handelt von derselben Studie wie eine frühere Zeile und wurde mit ihr zusammengeführt."
        ]
    directions = [row.cells[6].text for row in document.sections[-1].blocks[0].table.rows]
    assert directions == ["lower", "higher (exposure missing or reduced)"]
    client.force_login(account.user)
    for path in ("report", "studies"):
        page = client.get(f"/runs/{document.run_id}/{path}/").content.decode()
        assert 'higher <span class="muted">(exposure missing or reduced)</span>' in page


LIGHT = """Title,Year,Outcome,Finding
Evening screens and melatonin,2015,melatonin,Melatonin was lower after reading on a tablet.
Amber lenses and melatonin,2018,melatonin,Melatonin was higher with amber lenses.
"""


def test_opposite_findings_on_different_things_stand_side_by_side(account):
    document, _own, _answer = make_synthesis(account, read_file("light.csv", LIGHT.encode()))
    told = (
        "On melatonin, 2 studies looked at different exposures, so their findings are not compared: 1 reports lower"
        " values (“Evening screens and melatonin”), 1 reports higher values (“Amber lenses and melatonin”)."
    )
    assert document.summary[0] == told
    different = next(
        section for section in document.sections if section.heading == "Findings on different exposures"
    )
    assert [claim.text for claim in different.claims][0] == told
    with override("de"):
        assert translate_stored_text(told) == (
            "Bei „melatonin“ untersuchten 2 Studien verschiedene Expositionen, daher werden ihre Befunde nicht"
            " verglichen: 1 berichtet niedrigere Werte („Evening screens and melatonin“), 1 berichtet höhere Werte"
            " („Amber lenses and melatonin“)."
        )


def test_one_study_is_told_as_one_with_nothing_to_compare(account):
    one = "\n".join(SLEEP.splitlines()[:2]).encode()
    document, _own, _answer = make_synthesis(account, read_file("one.csv", one))
    assert document.title == "What one study finds"
    first, *_ = document.sections
    assert first.heading == "Findings of single studies"
    assert (
        first.blocks[0].sentences[0].text == "The table has only one study, so there is nothing to compare."
    )
    assert [claim.text for claim in document.claims] == ["Sleep restriction significantly increased lapses."]


LARM = """Titel;Autoren;Jahr;Studiendesign;Stichprobe;Zielgröße;Hauptergebnis
Wohnstraßen;"Huber M, Keller S";2018;Vorher-Nachher-Studie;412;Lärmbelastung;Tempo 30 senkte den Pegel um 2,4 dB.
Messungen;"Brunner T";2020;Beobachtungsstudie;36;Lärmbelastung;Der Lärmpegel sank bei Tempo 30 um 1,9 dB.
"""


def test_a_german_synthesis_is_german_on_its_page_and_its_slides(account, client):
    document, _own, _answer = make_synthesis(account, read_file("larm.csv", LARM.encode()))
    deck = outline_deck(document, OutlineOptions(language="de"))
    titles = {slide.title for slide in deck.slides}
    assert {"Worin Studien übereinstimmen", "Was fehlt"} <= titles
    said = " ".join(passage.text for slide in deck.slides for passage in slide.passages)
    assert "None of" not in said
    client.force_login(account.user)
    page = client.get(f"/runs/{document.run_id}/", headers={"accept-language": "de"}).content.decode()
    assert "Bei „Lärmbelastung“ stimmen 2 Studien überein" in page
    assert "studies agree" not in page
    with tenant_context(account.tenant_id):
        text = Source.objects.filter(run_id=document.run_id).order_by("title").first().text
    assert text.startswith("Messungen")
    assert "Stichprobe: 36" in text
    assert "Richtung: Nutzen" in text
    assert "Sample size" not in text
    assert "Ergebnis\n" in text
