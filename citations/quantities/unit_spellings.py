"""Spellings of units of measure in texts, with the name of each in pint's registry.

Only usage is defined here: MB and mb, "tonne" and "ton". "in" means inches only after feet (`combined`), "pm" is an
hour of the day, and "A", "F" and "N" alone too often mean something else.
"""

from collections.abc import Iterator

_PREFIXES = (
    ("n", "nano"),
    ("µ", "micro"),
    ("m", "milli"),
    ("c", "centi"),
    ("d", "deci"),
    ("h", "hecto"),
    ("k", "kilo"),
    ("M", "mega"),
    ("G", "giga"),
    ("T", "tera"),
    ("P", "peta"),
)
# symbol, names, prefixes; the first name is pint's
_PREFIXED = (
    ("m", "meter metre", "nµmcdk"),
    ("g", "gram gramme", "nµmk"),
    ("s", "second", "nµm"),
    ("l", "liter litre", "µmcdh"),
    ("L", "liter litre", "µmcdh"),
    ("Hz", "hertz", "kMGT"),
    ("W", "watt", "µmkMGT"),
    ("Wh", "watt_hour", "mkMGT"),
    ("J", "joule", "mkMGT"),
    ("V", "volt", "µmkM"),
    ("A", "ampere amp", "nµm"),
    ("Ah", "ampere_hour", "m"),
    ("Pa", "pascal", "hkMG"),
    ("N", "newton", "kM"),
    ("eV", "electron_volt", "mkMGT"),
    ("cal", "calorie", "k"),
    ("bar", "bar", "m"),
    ("B", "byte", "kMGTP"),
    ("bit", "bit", "kMGT"),
    ("t", "metric_ton", "kMG"),
    ("Bq", "becquerel", "kMGT"),
    ("Sv", "sievert", "µm"),
    ("pc", "parsec", "kMG"),
    ("mol", "mole", "nµm"),
    ("F", "farad", "nµm"),
    ("Ω", "ohm", "mkM"),
    ("lm", "lumen", ""),
    ("lx", "lux", ""),
)
_LONE_SYMBOLS = "m g s l L Hz W Wh J V Ah Pa eV cal bar B bit t Bq Sv mol Ω lm lx".split()  # not A, F, N

# pint's expression: symbols, as written | names, in any case, with their plurals
_OTHERS = {
    "minute": "min mins | minute minutes",
    "hour": "h hr hrs | hour hours heure heures stunde stunden",
    "day": "| day days tag tage jour jours",
    "week": "wk wks | week weeks woche wochen semaine semaines",
    "month": "mo | month months monat monate",
    "year": "yr yrs | year years jahr jahre jahren ans années",
    "10*year": "| decade decades",
    "100*year": "| century centuries",
    "1000*year": "| millennium millennia",
    "second": "sec secs | sekunde sekunden",
    "millisecond": "msec",
    "14*day": "| fortnight fortnights",
    "inch": "| inch inches",
    "foot": "ft | foot feet",
    "yard": "yd yds | yard yards",
    "mile": "mi | mile miles",
    "nautical_mile": "nmi | nautical_mile nautical_miles",
    "light_year": "ly | light-year light-years lightyear lightyears light_year light_years",
    "astronomical_unit": "au AU | astronomical_unit astronomical_units",
    "kilometer": "kms",
    "angstrom": "Å | angstrom angstroms",
    "micrometer": "um | micron microns",
    "acre": "| acre acres",
    "hectare": "ha | hectare hectares hektar",
    "meter**2": "m² m2 sqm qm |",
    "kilometer**2": "km² km2 sqkm",
    "centimeter**2": "cm² cm2",
    "millimeter**2": "mm² mm2",
    "foot**2": "ft² ft2 sqft",
    "mile**2": "mi² mi2",
    "inch**2": "in² in2",
    "meter**3": "m³ m3",
    "kilometer**3": "km³ km3",
    "centimeter**3": "cm³ cm3 cc ccm",
    "foot**3": "ft³ ft3 cft",
    "inch**3": "in³ in3 cu.in",
    "pound": "lb lbs | pound pounds",
    "ounce": "oz | ounce ounces",
    "troy_ounce": "ozt | troy_ounce troy_ounces",
    "stone": "| stone",
    "short_ton": "| ton tons short_ton short_tons",
    "long_ton": "| long_ton long_tons",
    "metric_ton": "| tonne tonnes metric_ton metric_tons",
    "megametric_ton": "| megatonne megatonnes megaton megatons",
    "kilometric_ton": "| kilotonne kilotonnes kiloton kilotons",
    "gigametric_ton": "| gigatonne gigatonnes gigaton gigatons",
    "kilogram": "| kilo kilos",
    "carat": "| carat carats",
    "gallon": "gal | gallon gallons us_gallons",
    "imperial_gallon": "| imperial_gallon imperial_gallons",
    "quart": "qt | quart quarts",
    "pint": "| pint pints",
    "cup": "| cup cups",
    "tablespoon": "tbsp | tablespoon tablespoons",
    "teaspoon": "tsp | teaspoon teaspoons",
    "fluid_ounce": "floz | fluid_ounce fluid_ounces fl_oz",
    "oil_barrel": "bbl | barrel barrels",
    "acre_foot": "| acre-foot acre-feet acre_foot acre_feet",
    "kilometer/hour": "kph kmh",
    "mile/hour": "mph",
    "knot": "kn kts | knot knots",
    "revolution/minute": "rpm",
    "byte": "| octet octets",
    "kilobyte": "KB kb kB",
    "megabyte": "MB mb",
    "gigabyte": "GB gb",
    "terabyte": "TB tb",
    "petabyte": "PB",
    "kilobit": "Kb Kbit",
    "megabit": "Mb",
    "gigabit": "Gb",
    "kibibyte": "KiB | kibibyte kibibytes",
    "mebibyte": "MiB | mebibyte mebibytes",
    "gibibyte": "GiB | gibibyte gibibytes",
    "tebibyte": "TiB | tebibyte tebibytes",
    "bit/second": "bps",
    "kilobit/second": "kbps Kbps",
    "megabit/second": "Mbps mbps",
    "gigabit/second": "Gbps gbps",
    "degC": "°C ℃ ºC degC | celsius centigrade degrees_celsius degree_celsius degrees_centigrade degrees_c deg_c",
    "degF": "°F ℉ ºF degF | fahrenheit degrees_fahrenheit degree_fahrenheit degrees_f deg_f",
    "kelvin": "K | kelvin kelvins",
    "degree": "°",
    "horsepower": "hp HP bhp | horsepower",
    "kilocalorie": "Cal | kilocalorie kilocalories kcals",
    "calorie": "| calorie calories",
    "british_thermal_unit": "BTU Btu",
    "watt_hour": "| watt-hour watt-hours",
    "kilowatt_hour": "KWh | kilowatt-hour kilowatt-hours",
    "megawatt_hour": "| megawatt-hour megawatt-hours",
    "gigawatt_hour": "| gigawatt-hour gigawatt-hours",
    "terawatt_hour": "| terawatt-hour terawatt-hours",
    "psi": "psi",
    "atmosphere": "atm | atmospheres",
    "millimeter_Hg": "mmHg",
    "inch_Hg": "inHg",
    "ppm": "ppm | parts_per_million",
    "0.001*ppm": "ppb | parts_per_billion",
}


def _build_prefixed_units() -> Iterator[tuple[str, str, str]]:
    for symbol, names, prefixes in _PREFIXED:
        first, *others = names.split()
        for name in (first, *others):
            yield first, symbol if symbol in _LONE_SYMBOLS else "", name
            for short, long in ((short, long) for short, long in _PREFIXES if short in prefixes):
                yield long + first, short + symbol, long + name


def _plural(name: str) -> str:
    return name if name.endswith(("hertz", "lux")) else name + "s"


def spellings() -> tuple[dict[str, str], dict[str, str]]:
    """Return pint's expression by symbol (as written) and by name (in lower case, words joined by "_")."""
    symbols: dict[str, str] = {}
    names: dict[str, str] = {}
    for expression, symbol, name in _build_prefixed_units():
        names |= dict.fromkeys((name, _plural(name), name.replace("_", "-")), expression)
        if symbol:
            symbols.setdefault(symbol, expression)
            symbols.setdefault(symbol.replace("µ", "μ"), expression)
    for expression, spellings in _OTHERS.items():
        written, _, spelled = spellings.partition("|")
        symbols |= dict.fromkeys(written.split(), expression)
        names |= dict.fromkeys(spelled.split(), expression)
    return symbols, names


SYMBOLS, NAMES = spellings()


def in_any_case() -> dict[str, str]:
    """Return symbols of two letters and more by their lower case, if that leaves one meaning: "ghz", "KM"."""
    meanings: dict[str, set[str]] = {}
    for symbol, expression in SYMBOLS.items():
        meanings.setdefault(symbol.lower(), set()).add(expression)
    return {s: next(iter(found)) for s, found in meanings.items() if len(found) == 1 and len(s) > 1}


_FOLDED = in_any_case()
_AMBIGUOUS_FOLDED = frozenset({"pa", "ha", "bar", "mo"})  # words or names in other cases


def expression_of(written: str) -> str | None:
    """Return pint's expression for a unit as written; None for anything else."""
    if written in SYMBOLS:
        return SYMBOLS[written]
    plain = written.lower()
    if plain in NAMES:
        return NAMES[plain]
    return None if plain in _AMBIGUOUS_FOLDED else _FOLDED.get(plain)
