"""Countries, continents and some regions and cities, with what contains them.

Enough to tell that Zurich lies in Switzerland and that a figure for Germany is not one for France. A fuller
gazetteer can take its place behind `contains`.
"""

_INSIDE = {
    "europe": "switzerland germany austria france italy spain portugal netherlands belgium "
    "luxembourg denmark sweden "
    "norway finland iceland ireland united_kingdom poland czechia slovakia hungary romania "
    "bulgaria greece croatia "
    "serbia slovenia estonia latvia lithuania ukraine russia european_union",
    "asia": "china japan india south_korea north_korea indonesia vietnam thailand malaysia "
    "singapore philippines "
    "pakistan bangladesh iran iraq israel saudi_arabia turkey taiwan hong_kong kazakhstan nepal "
    "afghanistan syria",
    "africa": "nigeria egypt south_africa kenya ethiopia ghana morocco algeria tunisia uganda "
    "tanzania senegal rwanda "
    "sudan zimbabwe",
    "north america": "united_states canada mexico",
    "south america": "brazil argentina chile colombia peru venezuela ecuador bolivia uruguay paraguay",
    "oceania": "australia new_zealand",
    "united states": "california texas florida new_york chicago los_angeles boston seattle "
    "washington ohio michigan "
    "illinois pennsylvania virginia massachusetts arizona colorado oregon georgia minnesota "
    "wisconsin san_francisco "
    "philadelphia houston detroit alaska hawaii nevada utah",
    "united kingdom": "england scotland wales northern_ireland london manchester liverpool edinburgh glasgow",
    "germany": "berlin munich hamburg bavaria frankfurt cologne",
    "france": "paris lyon marseille",
    "switzerland": "zurich geneva bern basel lausanne",
    "italy": "rome milan venice naples florence",
    "spain": "madrid barcelona seville",
    "austria": "vienna salzburg",
    "canada": "toronto montreal vancouver ontario quebec ottawa",
    "australia": "sydney melbourne queensland brisbane perth",
    "japan": "tokyo osaka kyoto",
    "china": "beijing shanghai shenzhen",
    "india": "mumbai delhi bangalore kolkata",
    "russia": "moscow saint_petersburg",
    "brazil": "rio_de_janeiro sao_paulo",
    "egypt": "cairo",
    "turkey": "istanbul ankara",
    "ireland": "dublin",
    "greece": "athens",
    "hungary": "budapest",
    "poland": "warsaw",
    "sweden": "stockholm",
    "norway": "oslo",
    "denmark": "copenhagen",
}
_ALIASES = {
    "usa": "united states",
    "u.s.": "united states",
    "u.s": "united states",
    "us": "united states",
    "america": "united states",
    "uk": "united kingdom",
    "u.k.": "united kingdom",
    "britain": "united kingdom",
    "great britain": "united kingdom",
    "eu": "european union",
    "zürich": "zurich",
    "genève": "geneva",
    "new york city": "new york",
    "deutschland": "germany",
    "schweiz": "switzerland",
    "prc": "china",
}
_CONTAINER = {
    place.replace("_", " "): container for container, places in _INSIDE.items() for place in places.split()
}
PLACES = frozenset(_CONTAINER) | frozenset(_INSIDE) | frozenset(_ALIASES)


def place_key(name: str) -> str | None:
    """The usual name of a known place; None for anything else."""
    plain = name.casefold().strip()
    known = _ALIASES.get(plain, plain)
    return known if known in _CONTAINER or known in _INSIDE else None


def contains(outer: str, inner: str) -> bool:
    """True when the place `outer` is `inner` or has it inside; both as `place_key` gives them."""
    place: str | None = inner
    while place is not None:
        if place == outer:
            return True
        place = _CONTAINER.get(place)
    return False


def overlap(a: str, b: str) -> bool:
    return contains(a, b) or contains(b, a)
