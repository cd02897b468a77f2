"""Text that runs stored in English is read in the reader's language."""

from datetime import date
from itertools import chain
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import override

from citations.claim_strength import Origin
from citations.claim_warnings import ReportClaim, SourceEvidence, warnings
from exports.stored.exported_sentences import GAP
from exports.stored.translate_exported_sentences import KNOWN, translate_stored_text
from tests.web.sentences import sentences

ROOMS = (
    "citations/claim_confidence.py",
    "citations/contradictions.py",
    "citations/entailment",
    "citations/verification.py",
    "citations/claim_warnings.py",
    "citations/credibility",
    "research/fetching",
    "research/extractive",
    "research/pipelines/brief",
    "research/pipelines/digest",
    "research/llm/budgets",
    "research/integrations/webhooks",
    "research/storage/keys",
    "research/library",
    "research/engine",
    "research/agents/agent_tool_loop.py",
    "research/llm/gateway.py",
    "research/llm/provider",
    "research/llm/send_call.py",
    "research/parsing",
    "research/pipelines",
    "research/library/rechecks",
    "research/pipelines/synthesis",
    "research/pipelines/technical",
)
# Sentences put together from parts that are no words of their own in the code: the examples below are whole ones.
FROM_PARTS = {
    "Sources disagree on 7 7 that could not be settled; both sides are shown.",
    "7 7 on a single source with a credibility under 7 of 10.",
    "A sentence 7: “7”7.",
    "7, and the report does without 7.",
    "7 left out.",
    "The text of 7 comes from OCR that is part of the file.",
    "7, 7 of source.",
    "7 of 7 published 77.",
    "The last 7 sources bring 7 as much new as the first 7.",
    "Scrolled to the bottom (7 7).",
    "Found “7” 7 7.",
    "The page has only 7 7 of text.",
    "7 (= 7).",
    "7 of 7 asked for; 7.",
    "7 rows found, 7; a page speaks of 7.",
    "7 rows found, 7; no page says how many there are.",
    "The next call would exceed the limit of 7 for 7.",
    "7 (7): “7” – 7.",
    "All 7 studies come from one 7.",
    "7 of 7 studies (7 %) 7 not been peer reviewed.",
    "Rate limited: the forum asked for a pause7 (429).",
    "7 et al.",
    "7 HTTP 77.",
    "7 Error 7 in an answer of status 2007.",
}
# Descriptions of fields, for models and programs that fill them in.
OF_SCHEMAS = {
    "Give the answer.",
    "Numbers of the claims that support it, from 1.",
    "Required parts: each is searched for and gets a section of its own.",
    "Excluded subjects: the report contains nothing about them.",
    "Independent sources required per claim. `thin_claims` decides what happens to claims with fewer.",
    "Maximum length of the report. Null: determined by the depth.",
    "Add a section, marked as such, that assesses the evidence as a whole.",
    "Suggest follow-up questions at the end of the report.",
    "Make slides of the report with the run.",
    "The time zone of `cron`, such as Europe/Zurich.",
    "Empty: the beginning of the question.",
    "Instructions for each run, one a line: a report is told them when it starts; runs of other kinds leave out sites"
    " and keep to dates.",
    "As returned by Parallel, or in the flat format of docs/briefs.md.",
}
# Notes and tasks of agents for each other, shown as they are; what whoever installs it reads.
APART = (
    "research/pipelines/report/report_progress_notes.py",
    "research/pipelines/report/delegating/divide_report_among_agents.py",
    "research/pipelines/report/delegating/request_report_evidence.py",
    "research/parsing/vectors/",
    # Said where a run is started, and not stored.
    "research/pipelines/pipeline_in_foreground.py",
    "research/pipelines/pipeline_kinds.py",
    "research/pipelines/report/report_follow_up.py",
)


def files() -> list[Path]:
    roots = [settings.BASE_DIR / room for room in ROOMS]
    found = chain.from_iterable(root.rglob("*.py") if root.is_dir() else [root] for root in roots)
    return sorted(path for path in found if not any(one in path.as_posix() for one in APART))


def test_every_sentence_that_a_run_may_store_can_be_told_in_german():
    with override("de"):
        unknown = {
            text for path in files() for text in sentences(path) if translate_stored_text(text) == text
        }
    assert unknown == FROM_PARTS | OF_SCHEMAS


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            "This report rests on only 1 independent source.",
            "Dieser Bericht beruht auf nur 1 unabhängigen Quelle.",
        ),
        (
            "This report rests on only 2 independent sources.",
            "Dieser Bericht beruht auf nur 2 unabhängigen Quellen.",
        ),
        (
            "A sentence states a prediction as a fact: “It will rain.”, and 2 more.",
            "Ein Satz gibt eine Vorhersage als Tatsache aus: „It will rain.“, und 2 weitere.",
        ),
        ("Mean quality 0.62, 0.75 wanted.", "Mittlere Qualität 0,62, gewünscht 0,75."),
        ("3 domains, 1 kind of source.", "3 Domains, 1 Art von Quellen."),
        (
            "The last 5 sources bring 12% as much new as the first 5.",
            "Die letzten 5 Quellen bringen 12 % so viel Neues wie die ersten 5.",
        ),
        ("Nothing was found on “Costs”.", "Zu „Costs“ wurde nichts gefunden."),
        (
            "The page could not be fetched: it did not load within 30 s.",
            "Die Seite ließ sich nicht abrufen: sie war nach 30 s noch nicht geladen.",
        ),
        ("The page has only 9 words of text.", "Die Seite hat nur 9 Wörter Text."),
        (
            "2 of 3 published from 2020 to 2024; 1 with unknown date.",
            "2 von 3 zwischen 2020 und 2024 veröffentlicht; 1 mit unbekanntem Datum.",
        ),
        (
            "The model's server asks for a pause. HTTP 429 (rate_limit_error).",
            "Der Server des Modells bittet um eine Pause. HTTP 429 (rate_limit_error).",
        ),
        (
            "The model's server failed. Error 502 in an answer of status 200.",
            "Der Server des Modells hatte einen Fehler. Fehler 502 in einer Antwort mit Status 200.",
        ),
        ("2 sources were set aside.", "2 Quellen wurden beiseitegelegt."),
        ("row “Tarn”: River “Aln”; Otters “55” ≠ “61”", "Zeile „Tarn“: River “Aln”; Otters “55” ≠ “61”"),
        ("2 of 3 rows are “North”", "2 von 3 Zeilen sind „North“"),
        ("mean of “Otters” over 4 rows: 7.5", "Mittelwert von „Otters“ über 4 Zeilen: 7.5"),
        ("The planner is not sure of it (0.42).", "Die Planung ist sich seiner nicht sicher (0,42)."),
        ("It would take 40 % of your credits.", "Er würde 40 % Ihrer Credits verbrauchen."),
        (
            "This is thin evidence: 1 post with 3 comments. Read it as what a few people say.",
            "Das ist eine dünne Grundlage: 1 Beitrag mit 3 Kommentaren. "
            "Lesen Sie es als das, was ein paar Leute sagen.",
        ),
        (
            "Instructions about load-bearing structures are left out here: ask a structural engineer or builder.",
            "Anleitungen zu tragenden Bauteilen sind hier ausgelassen: Fragen Sie ein Büro für Statik oder einen "
            "Baubetrieb.",
        ),
        (
            "A sentence of the model (summary 2) quotes no post of the discussion.",
            "Ein Satz des Modells (Überblick 2) zitiert keinen Beitrag der Diskussion.",
        ),
        (
            "On sleep quality, 4 studies disagree: 2 report a benefit, 1 reports harm, 1 reports no effect.",
            "Bei „sleep quality“ gehen 4 Studien auseinander: 2 berichten einen Nutzen, 1 berichtet Schaden, "
            "1 berichtet keine Wirkung.",
        ),
        (
            "On sleep duration, 2 studies agree: they report harm"
            " (1 found the opposite when the exposure was missing or reduced).",
            "Bei „sleep duration“ stimmen 2 Studien überein: "
            "Sie berichten Schaden (davon 1 mit dem Gegenteil bei fehlender oder verringerter Exposition).",
        ),
        (
            "Is landlocked: no in 153 of 195 rows that have a value.",
            "Is landlocked: nein in 153 von 195 Zeilen mit einem Wert.",
        ),
        ("Row 3, year: “soon” is not a valid year.", "Zeile 3, year: „soon“ ist kein gültiges Jahr."),
        (
            "The answer says “It fell to 3 percent.” Its own source says otherwise. Only one source says so.",
            "Die Antwort sagt „It fell to 3 percent.“ Die eigene Quelle sagt etwas anderes. "
            "Nur eine Quelle sagt das.",
        ),
        (
            "The answer says “Seit dem 1. April 2021 gilt das.” Its own source says otherwise. "
            "The claim says “1. April 2021”, the source says “31. Mai 2011”.",
            "Die Antwort sagt „Seit dem 1. April 2021 gilt das.“ Die eigene Quelle sagt etwas anderes: "
            "Die Aussage nennt „1. April 2021“, die Quelle „31. Mai 2011“.",
        ),
        (
            "1 of 7 studies (14 %) has not been peer reviewed.",
            "1 von 7 Studien (14 %) ist nicht begutachtet.",
        ),
        ("All 3 studies come from one journal.", "Alle 3 Studien stammen aus einer Zeitschrift."),
        (
            "Rate limited: the forum asked for a pause of 30 s (429).",
            "Zu viele Anfragen: Das Forum hat um eine Pause von 30 s gebeten (429).",
        ),
    ],
)
def test_a_stored_sentence_reads_as_if_it_were_written_for_the_reader(english, german):
    with override("de"):
        assert translate_stored_text(english) == german


def test_sentences_in_a_row_are_told_one_by_one():
    with override("de"):
        told = translate_stored_text("“9 of 11” is not in the source. Only one source says so.")
    assert told == "„9 of 11“ steht nicht in der Quelle. Nur eine Quelle sagt das."


def test_what_no_template_fits_stays_as_it_is():
    with override("de"):
        assert translate_stored_text("Somebody wrote this. Only one source says so.").startswith(
            "Somebody wrote this."
        )
        assert translate_stored_text("") == ""


FAR = "Area: 2 rows lie far from the others, first of all Russia (17,098,242), Rhode Island (4002.5)."


@pytest.mark.parametrize(
    ("stored_words", "english", "german"),
    [
        (
            "Area: from 2.02 (Monaco) to 17,098,242 (Russia), over 195 rows.",
            "Area: from 2.02 (Monaco) to 17,098,242 (Russia), over 195 rows.",
            "Area: von 2,02 (Monaco) bis 17.098.242 (Russia), über 195 Zeilen.",
        ),
        (
            FAR,
            FAR,
            "Area: 2 Zeilen liegen weit von den anderen, zuerst Russia (17.098.242), Rhode Island (4002,5).",
        ),
        (FAR.replace(",098,", "\u202f098\u202f"), FAR, ""),
    ],
)
def test_figures_read_as_the_reader_writes_them(stored_words, english, german):
    assert translate_stored_text(stored_words) == english
    with override("de"):
        assert translate_stored_text(stored_words) == german or not german


def test_in_english_nothing_changes():
    assert translate_stored_text("Only one source says so.") == "Only one source says so."


def test_no_sentence_is_known_by_a_template_before_its_own():
    """A template that is all gaps would take the others' sentences."""
    for known in KNOWN:
        sample = GAP.sub(lambda gap: "7" if gap["name"] else "%", known.words)
        first = next(one for one in KNOWN if one.values(sample) is not None)
        assert first.template == known.template, sample


def test_all_warnings_about_a_body_of_evidence_are_told_in_german():
    evidence = [
        SourceEvidence(
            Origin(str(number), authors=("A. Miller",)),
            4,
            "company",
            is_preprint=True,
            withdrawn="Retracted: wells",
        )
        for number in range(3)
    ]
    claims = [ReportClaim("It is the best of all.", ("1",), ("It is good.",)), ReportClaim("It rose by 3 %.")]
    found = warnings(evidence, claims, today=date(2026, 11, 22), open_contradictions=2)
    assert len({one.code for one in found}) > 6
    with override("de"):
        left = [
            text for one in found for text in (one.text, one.advice) if translate_stored_text(text) == text
        ]
    assert left == []
