"""Tables of numbers in one setting."""

from decimal import Decimal

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.limit_settings import table

DEFAULT = "search=5000, model_call=100000/16000"


def test_without_a_value_the_default_counts():
    assert table("X", "", DEFAULT) == {
        "search": (Decimal(5000),),
        "model_call": (Decimal(100000), Decimal(16000)),
    }


def test_only_what_is_named_changes():
    changed = table("X", " model_call = 50/ 8 ,", DEFAULT)
    assert changed == {"search": (Decimal(5000),), "model_call": (Decimal(50), Decimal(8))}


@pytest.mark.parametrize(
    "given", ["page=5", "search=1/2", "search", "search=", "search=-1", "search=NaN", "=", "search=x"]
)
def test_nonsense_is_refused_by_the_settings_name(given):
    with pytest.raises(ImproperlyConfigured, match="X"):
        table("X", given, DEFAULT)
