"""A report says who made it by what a model answered; one whose model never answered says so first, everywhere."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import StringIO

import pypdfium2
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.translation import override
from openpyxl import load_workbook

from citations.models import Warning
from exports.building.build_document import build_document
from exports.building.build_document_authorship import describe_authorship, stages, without_model
from exports.document.document_tree import Document
from exports.export_answer_json import answer
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from research.db.tenancy import tenant_context
from research.llm.model_process import close_model_process
from research.management.commands.research import readable
from research.models import Degradation, Run
from tests.fakes import openai_answers as fake
from tests.fakes.openai_server import FakeOpenAI
from tests.often import IS_FULL
from tests.pipelines.conftest import QUESTION
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import get_form_name, scribe

NEVER = re.compile(
    r"written by a model|a language model wrote|a model wrote|von einem modell geschrieben", re.I
)
NO_MODEL = "No model wrote this"
QUICK = (Format.HTML, Format.MARKDOWN, Format.JSON)
SLOW = (Format.PDF, Format.DOCX, Format.XLSX)  # each is written for one cause, unless all are


def no_deployment(request) -> fake.Wire:
    said = {"error": {"code": "DeploymentNotFound", "message": "The API deployment does not exist."}}
    return fake.Wire(404, json.dumps(said).encode())


def sign_in_page(request) -> fake.Wire:
    return fake.Wire(200, b"<!doctype html><title>Sign in</title>", {"Content-Type": "text/html"})


def no_credit(request) -> fake.Wire:
    return fake.Wire(200, json.dumps({"error": {"message": "Insufficient credits", "code": 402}}).encode())


DEAD = {
    "no such model": no_deployment,
    "a page to sign in": sign_in_page,
    "no choices": fake.empty_choices(),
    "no credit, in a 200": no_credit,
}


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture(autouse=True)
def fresh_model_process(model) -> None:
    """Forget refusals of the test before, so that their services are asked again."""
    close_model_process()


@dataclass(frozen=True)
class Told:
    name: str
    document: Document
    run: Run


@pytest.fixture(scope="module", params=list(DEAD))
def dead(request, ask_in_library, model, account) -> Told:
    close_model_process()
    model.default = DEAD[request.param]
    document = ask_in_library(QUESTION, target_sources=2)
    with tenant_context(account.tenant_id):
        return Told(request.param, document, Run.objects.get(pk=document.run_id))


def write_document(document: Document, form: Format, language: str = "en") -> bytes:
    return WRITERS[form].write(document, ExportOptions(language=language), lambda share: None)


def words_of(data: bytes, form: Format) -> str:
    match form:
        case Format.PDF:
            with pypdfium2.PdfDocument(data) as file:
                return " ".join(page.get_textpage().get_text_bounded() for page in file)
        case Format.DOCX:
            inside = zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode()
            return re.sub(r"<[^>]+>", " ", inside)
        case Format.XLSX:
            book = load_workbook(io.BytesIO(data), read_only=True)
            return " ".join(str(cell) for sheet in book for row in sheet.values for cell in row if cell)
        case Format.HTML:
            return re.sub(r"<[^>]+>", " ", data.decode())
        case _:
            return data.decode()


def fold_spaces(text: str) -> str:
    return " ".join(text.split())


# --- a model that never answers ---


def test_every_file_says_that_no_model_wrote_it(dead):
    slow = SLOW if IS_FULL else SLOW[list(DEAD).index(dead.name) :: len(DEAD)]
    for form in (*QUICK, *slow):
        text = fold_spaces(words_of(write_document(dead.document, form), form))
        assert NO_MODEL in text, form
        assert not NEVER.search(text), form


def test_it_says_so_first_with_the_cause_and_what_to_do(dead):
    text = fold_spaces(words_of(write_document(dead.document, Format.MARKDOWN), Format.MARKDOWN))
    body = text.partition("# ")[2]
    assert body.index(NO_MODEL) < body.index("In short")
    assert dead.document.authorship.cause in text
    assert dead.document.authorship.advice.endswith("then ask again.")


def test_the_json_has_it_in_authorship_degradations_and_warnings(dead):
    report = json.loads(write_document(dead.document, Format.JSON))
    assert report["engine"] == "extractive"
    assert {stage["by"] for stage in report["authorship"]["stages"]} == {"rules"}
    assert "model_unanswered" in [one["code"] for one in report["degradations"]]
    assert "W021" in [one["code"] for one in report["warnings"]]
    assert all(report["authorship"][name] for name in ("words", "cause", "advice"))


def test_the_command_line_says_so_in_words_and_in_json(dead):
    lines = readable(dead.document)
    assert any(line.startswith(NO_MODEL) for line in lines[:4])
    printed = answer(dead.document)
    assert printed["engine"] == "extractive"
    assert printed["authorship"]["words"].startswith(NO_MODEL)
    assert not NEVER.search("\n".join(lines))


def test_the_page_says_so_above_the_answer(dead, account):
    client = Client()
    client.force_login(account.user)
    page = fold_spaces(re.sub(r"<[^>]+>", " ", client.get(f"/runs/{dead.run.pk}/report/").content.decode()))
    assert page.index(NO_MODEL) < page.index("In short")
    assert not NEVER.search(page)


def test_it_is_kept_in_the_database(dead, account):
    with tenant_context(account.tenant_id):
        assert Degradation.objects.filter(run=dead.run, code="model_unanswered").count() == 1
        [warning] = Warning.objects.filter(run=dead.run, code="W021")
    assert dead.document.authorship.cause in warning.text
    assert dead.run.result["authorship"]["cause"].startswith("LLM_")


def test_a_german_reader_reads_it_in_german(dead):
    with override("de"):
        text = without_model(dead.document)
    assert text.startswith("Diesen Bericht hat kein Modell geschrieben.")
    assert "model" not in text.replace("Modell", "")


def test_the_cause_is_named_for_what_it_is(ask_in_library, model):
    model.default = no_deployment
    document = ask_in_library(QUESTION, target_sources=2)
    assert document.authorship.cause_code == "LLM_NOT_FOUND"
    assert "no such model" in without_model(document)


def test_the_command_ends_with_it(model, library, account, monkeypatch):
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)
    model.default = no_deployment
    out, errors = StringIO(), StringIO()
    with pytest.raises(SystemExit):
        call_command("research", QUESTION, "--library", library, "--json", stdout=out, stderr=errors)
    assert NO_MODEL in errors.getvalue()
    assert json.loads(out.getvalue())["engine"] == "extractive"


# --- a model that does a part ---


def only(*forms: str):
    """Answers these forms alone."""
    well, refused = scribe(), fake.error(404)
    return lambda request: (well if get_form_name(request) in forms else refused)(request)


@pytest.mark.parametrize(
    ("forms", "words"),
    [
        (("PlanAnswer",), "A model planned; sentences are quoted word for word"),
        (("PlanAnswer", "ClaimsAnswer"), "A model planned and read; sentences are quoted word for word"),
        (("ClaimsAnswer",), "A model read; sentences are quoted word for word"),
    ],
)
def test_what_a_model_did_is_told_for_what_it_is(forms, words, ask_in_library, model):
    model.default = only(*forms)
    document = ask_in_library(QUESTION, target_sources=2)
    assert describe_authorship(document) == words
    assert document.engine == "extractive"
    assert "model_partly" in [degradation.code for degradation in document.degradations]


def test_a_report_that_a_model_wrote_says_who_did_what(ask_in_library, model):
    model.default = scribe()
    document = ask_in_library(QUESTION, target_sources=2)
    told = dict(stages(document))
    assert describe_authorship(document) == "Written by a model, checked by rules"
    assert all(
        re.fullmatch(r"a model · [\d,.]+ tokens", told[name]) for name in ("Planning", "Reading", "Writing")
    )
    assert {section.by for section in document.sections} == {"model"}
    assert not [degradation for degradation in document.degradations if degradation.code.startswith("model_")]


def test_a_writer_of_whom_nothing_could_be_kept_did_not_write(ask_in_library, model):
    model.default = scribe(section=lambda request: {"paragraphs": []})
    document = ask_in_library(QUESTION, target_sources=2)
    assert document.engine == "extractive"
    assert document.authorship.cause_code == "MODEL_UNUSABLE"


# --- reports from before ---


def test_a_report_from_before_is_told_from_its_calls(dead, account):
    with tenant_context(account.tenant_id):
        Run.objects.filter(pk=dead.run.pk).update(result=dead.run.result | {"authorship": None})
        assert without_model(build_document(dead.run.pk)).startswith(NO_MODEL)


def test_while_a_run_is_under_way_nobody_is_said_to_have_written_or_failed(dead):
    under_way = replace(dead.document, status="partial")
    assert (describe_authorship(under_way), without_model(under_way)) == ("A model takes part", "")
