import pytest
from hypothesis import settings

from citations.entities import find_entities
from citations.quantities import find_quantities

# How long an example takes depends on what else the machine does: no test of ours tells time.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _read_the_data_once() -> None:
    """The places, units and currencies take a second at first use, which is none of any test's business."""
    find_entities("Paris")
    find_quantities("5 km for 5 €")
