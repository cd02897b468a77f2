"""The registry of kinds: what every kind must say so that the command line and programs can start it."""

import json

import pytest
from pydantic import BaseModel

from exports.formats.export_formats import Format
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import pipeline_for
from research.models import Item, Kind, Run
from research.pipelines.pipeline_kinds import REFUSALS, RunKind, kind_of, run_kinds
from research.pipelines.report.report_config import ConfigError
from tests.people import join

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return join("ada")


@pytest.mark.parametrize("kind", run_kinds(), ids=lambda one: one.kind)
def test_every_kind_refuses_what_it_does_not_know(kind: RunKind[BaseModel]):
    with pytest.raises(ConfigError, match="colour"):
        kind.read_input({"colour": "red"})
    assert kind.config.model_config.get("extra") == "forbid"
    assert not kind.question_field or kind.question_field in kind.input.model_fields


@pytest.mark.parametrize("kind", run_kinds(), ids=lambda one: one.kind)
def test_every_kind_has_a_schema_and_a_recipe(kind: RunKind[BaseModel]):
    for model in (kind.input, kind.config):
        assert json.dumps(model.model_json_schema())
    assert pipeline_for(kind.kind).kind == kind.kind


@pytest.mark.parametrize("kind", run_kinds(), ids=lambda one: one.kind)
def test_every_kind_takes_formats_as_json_lists_them(kind: RunKind[BaseModel]):
    read = kind.config.model_validate_json('{"exports": ["pdf", "csv"]}', strict=True)
    assert read.exports == (Format.PDF, Format.CSV)


def test_a_kind_that_nothing_is_registered_for_is_refused():
    with pytest.raises(ConfigError, match="“poem” can't be started here; there are: report, table"):
        kind_of("poem")


def test_a_report_is_started_from_unchecked_input(ada):
    with tenant_context(ada.tenant.pk):
        run = kind_of(Kind.REPORT).start_with(
            ada.user, {"question": "Why is it so?"}, {"depth": "quick"}, "k1"
        )
        again = kind_of(Kind.REPORT).start_with(ada.user, {"question": "Why is it so?"}, {}, "k1")
        assert (run.topic, run.config) == ("Why is it so?", {"depth": "quick", "target_sources": 10})
        assert again == run


def test_a_table_takes_what_is_missing_from_its_prompt(ada):
    with tenant_context(ada.tenant.pk):
        asked = {"prompt": "founding year and headquarters of Acme, Initech and Globex"}
        run = kind_of(Kind.TABLE).start_with(ada.user, asked, {})
        assert [item.input for item in Item.objects.filter(run=run).order_by("index")] == [
            "Acme",
            "Initech",
            "Globex",
        ]
        assert [one["name"] for one in run.config["fields"]] == ["founding_year", "headquarters"]


@pytest.mark.parametrize(
    ("kind", "asked", "config", "complaint"),
    [
        (Kind.REPORT, {"question": "ab"}, {}, "at least 3"),
        (Kind.REPORT, {}, {}, "question: Field required"),
        (Kind.REPORT, {"question": "Why?"}, {"depth": "abyssal"}, "depth"),
        (Kind.REPORT, {"question": "Why?"}, {"urls": ["https://a.example/"]}, "no copy of"),
        (Kind.TABLE, {"prompt": "Everything about nothing"}, {}, "at least one item"),
        (
            Kind.TABLE,
            {"prompt": "Year of each", "items": ["A"], "fields": [{"name": "9"}]},
            {},
            "small letters",
        ),
    ],
)
def test_what_cannot_be_started_is_refused_and_stores_nothing(ada, kind, asked, config, complaint):
    with tenant_context(ada.tenant.pk):
        with pytest.raises(REFUSALS, match=complaint):
            kind_of(kind).start_with(ada.user, asked, config)
        assert not Run.objects.exists()
