import pytest

from citations.naming.entities import find_entities
from citations.quantities import find_quantities


@pytest.fixture(scope="session", autouse=True)
def _read_the_data_once() -> None:
    """The places, units and currencies take a second at first use, which is none of any test's business."""
    find_entities("Paris")
    find_quantities("5 km for 5 €")
