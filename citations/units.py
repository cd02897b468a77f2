"""Tables for reading quantities: units with their factor to a base unit, scales, currencies, number words.

Factors are exact where the definition is (SI brochure 9th edition; IEC 80000-13 for KiB and kin;
international yard and pound of 1959); a month counts 30.4375 and a year 365.25 days.
"""

# unit as written (case matters where it must) → (base unit, factor)
UNITS: dict[str, tuple[str, float]] = {}


def _unit(base: str, factor: float, spellings: str) -> None:
    UNITS.update(dict.fromkeys(spellings.split(), (base, factor)))


_unit("s", 1e-9, "ns nanosecond nanoseconds")
_unit("s", 1e-6, "µs microsecond microseconds")
_unit("s", 1e-3, "ms msec millisecond milliseconds")
_unit("s", 1, "s sec secs second seconds")
_unit("s", 60, "min mins minute minutes")
_unit("s", 3_600, "h hr hrs hour hours")
_unit("s", 86_400, "day days")
_unit("s", 604_800, "week weeks")
_unit("s", 2_629_800, "month months")
_unit("s", 31_557_600, "yr yrs year years")
_unit("s", 315_576_000, "decade decades")
_unit("s", 3_155_760_000, "century centuries")
_unit("B", 1, "B byte bytes octet octets")
_unit("B", 1e3, "KB kB kb kilobyte kilobytes")
_unit("B", 1e6, "MB mb megabyte megabytes")
_unit("B", 1e9, "GB gb gigabyte gigabytes")
_unit("B", 1e12, "TB tb terabyte terabytes")
_unit("B", 1_024, "KiB kibibyte kibibytes")
_unit("B", 1_048_576, "MiB mebibyte mebibytes")
_unit("B", 1_073_741_824, "GiB gibibyte gibibytes")
_unit("bit", 1, "bit bits")
_unit("bit", 1e3, "kbit kilobit kilobits")
_unit("bit", 1e6, "Mbit megabit megabits")
_unit("bit", 1e9, "Gbit gigabit gigabits")
_unit("m", 1e-9, "nm nanometer nanometers nanometre nanometres")
_unit("m", 1e-6, "µm micrometer micrometers micrometre micrometres")
_unit("m", 1e-3, "mm millimeter millimeters millimetre millimetres")
_unit("m", 1e-2, "cm centimeter centimeters centimetre centimetres")
_unit("m", 1, "m meter meters metre metres")
_unit("m", 1e3, "km kilometer kilometers kilometre kilometres")
_unit("m", 0.0254, "inch inches")
_unit("m", 0.3048, "ft foot feet")
_unit("m", 0.9144, "yd yard yards")
_unit("m", 1_609.344, "mi mile miles")
_unit("m2", 1, "m² m2")
_unit("m2", 1e6, "km² km2")
_unit("m2", 1e4, "ha hectare hectares")
_unit("m2", 4_046.8564224, "acre acres")
_unit("g", 1e-3, "mg milligram milligrams")
_unit("g", 1, "g gram grams gramme grammes")
_unit("g", 1e3, "kg kilogram kilograms kilo kilos")
_unit("g", 1e6, "tonne tonnes")
_unit("g", 907_184.74, "ton tons")
_unit("g", 453.59237, "lb lbs pound pounds")
_unit("g", 28.349523125, "oz ounce ounces")
_unit("l", 1e-3, "ml mL milliliter milliliters millilitre millilitres")
_unit("l", 1, "l L liter liters litre litres")
_unit("l", 3.785411784, "gallon gallons")
_unit("Hz", 1, "Hz hz hertz")
_unit("Hz", 1e3, "kHz kilohertz")
_unit("Hz", 1e6, "MHz mhz megahertz")
_unit("Hz", 1e9, "GHz ghz gigahertz")
_unit("W", 1, "W watt watts")
_unit("W", 1e3, "kW kilowatt kilowatts")
_unit("W", 1e6, "MW megawatt megawatts")
_unit("W", 1e9, "GW gigawatt gigawatts")
_unit("Wh", 1e3, "kWh")
_unit("Wh", 1e6, "MWh")
_unit("Wh", 1e9, "GWh")
_unit("Wh", 1e12, "TWh")
_unit("°C", 1, "°C celsius")
_unit("°F", 1, "°F fahrenheit")
_unit("km/h", 1, "km/h kph")
_unit("km/h", 1.609344, "mph")

SCALES: dict[str, float] = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "K": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "M": 1e6,
    "Mio.": 1e6,
    "Mio": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "Mrd.": 1e9,
    "Mrd": 1e9,
    "trillion": 1e12,
    "tn": 1e12,
}

CURRENCIES: dict[str, str] = {
    "$": "USD",
    "US$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₩": "KRW",
    "C$": "CAD",
    "A$": "AUD",
    "Fr.": "CHF",
    "SFr.": "CHF",
    "dollar": "USD",
    "dollars": "USD",
    "euro": "EUR",
    "euros": "EUR",
    "yen": "JPY",
    "francs": "CHF",
    "rupees": "INR",
    "yuan": "CNY",
}
CURRENCIES |= {
    code: code
    for code in (
        ("USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "PLN")
        + ("CZK", "HUF", "RUB", "TRY", "BRL", "MXN", "ZAR", "KRW", "SGD", "HKD", "THB", "ILS", "AED", "SAR")
    )
}

_ONES = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
) + ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBER_WORDS: dict[str, int] = {word: number for number, word in enumerate(_ONES)}
NUMBER_WORDS |= {word: 20 + 10 * index for index, word in enumerate(_TENS)}
NUMBER_WORDS |= {
    f"{tens}-{ones}": 20 + 10 * t + o
    for t, tens in enumerate(_TENS)
    for o, ones in enumerate(_ONES[:10])
    if o
}
NUMBER_WORDS["dozen"] = 12
del NUMBER_WORDS["one"]  # far more often a pronoun than a count

ORDINAL_WORDS: dict[str, int] = {
    word: number
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), 1
    )
}

SHARES: dict[str, float] = {  # of a whole, in per cent
    "half": 50.0,
    "one half": 50.0,
    "a third": 100 / 3,
    "one third": 100 / 3,
    "one-third": 100 / 3,
    "two thirds": 200 / 3,
    "two-thirds": 200 / 3,
    "a quarter": 25.0,
    "one quarter": 25.0,
    "one-quarter": 25.0,
    "three quarters": 75.0,
    "three-quarters": 75.0,
}
