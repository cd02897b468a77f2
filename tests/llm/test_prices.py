"""The price of a model, from the operator's table."""

from decimal import Decimal

import pytest
from django.db import IntegrityError

from research.llm import model_prices
from research.llm.call_types import Usage
from research.llm.model_prices import ModelFacts, facts_of
from research.llm.model_settings import Endpoint, embeddings_endpoint, environment_models
from research.llm.provider.model_server_features import StructuredOutputMode
from research.models import AgentRole, LanguageModel

OPENAI = Endpoint("https://api.openai.com/v1", "key")
OTHER = Endpoint("https://models.example/v1", "key")

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh():
    model_prices.forget()
    yield
    model_prices.forget()


def test_the_default_model_has_its_published_price():
    assert facts_of(OPENAI, "gpt-5-mini").cost(Usage(1_000_000, 1_000_000)) == Decimal("2.25")


def test_an_unknown_price_is_unknown_not_zero():
    assert facts_of(OTHER, "gpt-5-mini").cost(Usage(1000, 1000)) is None


def test_half_a_price_is_no_price():
    assert ModelFacts(usd_input=Decimal(1)).cost(Usage(1000, 1000)) is None


@pytest.mark.parametrize(
    "url", ["http://localhost:11434/v1", "http://127.0.0.1:8000/v1", "http://[::1]/v1", "http://10.1.2.3/v1"]
)
def test_a_local_model_costs_no_dollars(url):
    assert facts_of(Endpoint(url, ""), "llama").cost(Usage(1000, 1000)) == 0


def test_the_operator_can_call_a_model_local():
    LanguageModel.objects.create(name="ours", is_local=True)
    assert facts_of(OTHER, "ours").cost(Usage(1, 1)) == 0


def test_the_row_with_the_longest_matching_address_counts():
    LanguageModel.objects.create(name="m", usd_per_million_input=1, usd_per_million_output=1)
    LanguageModel.objects.create(
        name="m", base_url="https://models.example", usd_per_million_input=3, usd_per_million_output=3
    )
    assert facts_of(OTHER, "m").usd_input == 3
    assert facts_of(OPENAI, "m").usd_input == 1


def test_fractions_of_a_cent_are_rounded_up():
    assert ModelFacts(Decimal("0.25"), Decimal(2)).cost(Usage(1, 0)) == Decimal("0.000001")


def test_a_change_counts_once_what_was_kept_is_old():
    assert facts_of(OTHER, "m").usd_input is None
    LanguageModel.objects.create(name="m", usd_per_million_input=1, usd_per_million_output=1)
    assert facts_of(OTHER, "m").usd_input is None
    model_prices.forget()
    assert facts_of(OTHER, "m").usd_input == 1


def test_what_the_operator_knows_of_a_model_is_not_tried_first():
    LanguageModel.objects.create(name="m", json_schema="no", temperature="no")
    known = facts_of(OTHER, "m").features
    assert (known.form, known.temperature) == (StructuredOutputMode.JSON_MODE, False)


def test_a_negative_price_is_refused_by_the_database():
    with pytest.raises(IntegrityError):
        LanguageModel.objects.create(name="m", usd_per_million_input=-1)


# --- settings ---


def test_without_a_base_url_and_a_key_there_is_no_model(settings):
    settings.PLUMBLINE_MODEL_BASE_URL = settings.PLUMBLINE_MODEL_API_KEY = ""
    assert environment_models() is None


def test_a_key_alone_means_openai(settings):
    settings.PLUMBLINE_MODEL_BASE_URL, settings.PLUMBLINE_MODEL_API_KEY = "", "k"
    assert environment_models().endpoint.base_url == "https://api.openai.com/v1"


def test_a_local_server_needs_no_key(settings):
    settings.PLUMBLINE_MODEL_BASE_URL, settings.PLUMBLINE_MODEL_API_KEY = "http://localhost:11434/v1", ""
    assert environment_models().endpoint == Endpoint("http://localhost:11434/v1", "")


def test_embeddings_may_have_a_server_of_their_own(settings):
    settings.PLUMBLINE_MODEL_BASE_URL, settings.PLUMBLINE_MODEL_API_KEY = "http://localhost:1/v1", "a"
    assert embeddings_endpoint() == environment_models().endpoint
    settings.PLUMBLINE_EMBEDDINGS_BASE_URL = "http://localhost:2/v1"
    assert embeddings_endpoint() == Endpoint("http://localhost:2/v1", "")


def test_a_role_without_its_own_model_uses_everyones(settings):
    settings.PLUMBLINE_MODEL, settings.PLUMBLINE_MODEL_API_KEY = "all", "k"
    settings.PLUMBLINE_ROLE_MODELS = {"writer": "poet", "planner": ""}
    models = environment_models()
    assert (models.model_for(AgentRole.WRITER), models.model_for(AgentRole.PLANNER)) == ("poet", "all")
