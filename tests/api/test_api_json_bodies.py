"""A body is read as it is published, without a request."""

import pytest
from pydantic import ValidationError

from research.integrations.api.api_json_bodies import Sent


class Counted(Sent):
    number: int
    share: float = 0.0


@pytest.mark.parametrize("number", [2099, 2099.0])
def test_an_integer_is_one_however_json_spells_it(number):
    read = Counted.model_validate({"number": number, "share": 1})
    assert (read.number, type(read.number), read.share) == (2099, int, 1.0)


@pytest.mark.parametrize("number", [2099.5, "2099", True, None, float("inf"), float("nan"), 1e400, [2099]])
def test_what_is_no_integer_is_refused(number):
    with pytest.raises(ValidationError):
        Counted.model_validate({"number": number})
