"""The gazetteer, read anew: keys, containers, codes and cities of a dozen places of each kind."""

from citations.entities.entity_gazetteer import City, fold, gazetteer

AROUND = {
    "switzerland": {"europe", "western europe", "central europe"},
    "bolivia": {"south america", "latin america"},
    "turkey": {"asia", "europe", "middle east"},
    "russia": {"asia", "europe", "eastern europe"},
    "gambia": {"africa", "sub saharan africa", "west africa"},
    "netherlands": {"europe", "european union", "benelux", "western europe"},
    "georgia": {"asia", "europe", "united states"},
    "namibia": {"africa", "sub saharan africa", "southern africa"},
    "singapore": {"asia", "southeast asia"},
    "europe": set(),
    "north america": set(),
    "middle east": set(),
    "european union": {"europe"},
    "scandinavia": {"europe"},
    "benelux": {"europe"},
    "balkans": {"europe"},
    "southeast asia": {"asia"},
    "north africa": {"africa"},
    "texas": {"united states"},
    "bavaria": {"germany"},
    "ontario": {"canada"},
    "scotland": {"united kingdom"},
    "los angeles": {"california"},
    "edinburgh": {"scotland"},
    "toronto": {"ontario"},
    "kiel": {"germany"},
    "vaduz": {"liechtenstein"},
    "paris": {"france"},
    "paris, texas": {"texas"},
    "london, ontario": {"ontario"},
    "boston": {"massachusetts"},
}
MEANT = "switzerland europe benelux texas bavaria paris kiel vaduz basel scotland".split()
NOT_MEANT = ["springfield", "paris, texas", "tupelo", "brigadoon"]
KEYS = {
    "schweiz": "switzerland",
    "suisse": "switzerland",
    "deutschland": "germany",
    "allemagne": "germany",
    "hong kong sar china": "hong kong",
    "hong kong": "hong kong",
    "usa": "united states",
    "u s": "united states",
    "holland": "netherlands",
    "cologne": "koln",
    "etats unis": "united states",
    "island": None,
    "brigadoon": None,
    "paris": "paris",
}
LONGEST = {"switzerland": 1, "united": 5, "new": 4, "ho": 4, "sri": 3}


def test_all_kinds_of_places_are_read():
    found = gazetteer.__wrapped__()
    assert {name: set(found.containers[name]) for name in AROUND} == AROUND
    assert {name for name in (*MEANT, *NOT_MEANT) if name in found.known} == set(MEANT)
    assert {name: found.keys.get(name) for name in KEYS} == KEYS
    assert {code: found.codes.get(code) for code in ("DEU", "CHE", "AND", "ARE")} == {
        "DEU": "germany",
        "CHE": "switzerland",
        "AND": None,
        "ARE": None,
    }
    assert {code: found.states.get(code) for code in ("tx", "ny", "dc", "d c", "zz")} == {
        "tx": "texas",
        "ny": "new york",
        "dc": "washington",
        "d c": "washington",
        "zz": None,
    }
    assert {word: found.longest[word] for word in LONGEST} == LONGEST


def test_cities_of_one_name_stand_by_size_under_keys_of_their_own():
    found = gazetteer.__wrapped__()
    keys = [[city.key for city in found.cities[name]] for name in ("paris", "london", "singapore")]
    assert keys == [["paris", "paris, texas"], ["london", "london, ontario"], ["singapore, singapore"]]
    for cities in found.cities.values():
        sizes = [city.population for city in cities]
        assert sizes == sorted(sizes, reverse=True)
    texan = found.cities["paris"][1]
    assert texan == City("paris, texas", texan.population, ("texas", "united states"))
    assert found.cities["kiel"][0].containers == ("germany",)
    assert found.cities["london"][0].containers == ("england", "united kingdom")


def test_names_are_folded_letter_by_letter():
    names = "Gießen, Ærø, Łódź, St. Gallen, L’Aquila, Saint-Denis, A‐B, A‑B,  Two   Words"
    folded = "giessen, æro, lodz, st gallen, l'aquila, saint denis, a b, a b, two words"
    assert [fold(name) for name in names.split(",")] == folded.split(", ")
