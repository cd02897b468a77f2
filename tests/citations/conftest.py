import functools
import gc
import os

import pytest

from citations.entities import entity_gazetteer
from citations.entities.entities import find_entities
from citations.find_quantities import find_quantities
from citations.quantities import units

# Seconds to fill: emptied only where their own modules are changed.
SLOW = {entity_gazetteer.gazetteer: "citations.entities.", units._registry: "citations.quantities.unit"}


@pytest.fixture(scope="session", autouse=True)
def _read_the_data_once() -> None:
    """The places, units and currencies take a second at first use, which is none of any test's business.

    mutmut runs the tests of a changed function in a fork of a process that has run them all unchanged: what the
    caches hold from then would hide the change.
    """
    if changed := os.environ.get("MUTANT_UNDER_TEST", "").replace("stats", ""):
        _empty_caches(changed)
    find_entities("Paris")
    find_quantities("5 km for 5 €")


def _empty_caches(changed: str) -> None:
    gc.unfreeze()  # what was there when the tests were collected
    caches = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    for cached in caches:
        if cached.__module__.startswith("citations.") and changed.startswith(SLOW.get(cached, "")):
            cached.cache_clear()
