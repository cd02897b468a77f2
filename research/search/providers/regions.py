"""Countries as search services know them: the language that is spoken there most."""

# Each language with the countries where it is spoken most, of those in which search services have a region.
_COUNTRIES = """
    es:ar,cl,co,es,mx,pe de:at,ch,de en:au,ca,gb,ie,in,nz,ph,sg,us,za nl:be,nl bg:bg pt:br,pt zh:cn,hk,tw
    cs:cz da:dk et:ee fi:fi fr:fr el:gr hr:hr hu:hu id:id he:il it:it ja:jp ko:kr lt:lt lv:lv ms:my no:no
    pl:pl ro:ro ru:ru ar:sa sv:se sl:si sk:sk th:th tr:tr uk:ua vi:vn
"""
_LANGUAGES = {
    country: language
    for language, _, countries in (entry.partition(":") for entry in _COUNTRIES.split())
    for country in countries.split(",")
}


def country_of(region: str) -> str:
    """Two letters in lower case, from "de", "DE" or "de-CH"; "" for what is no country that is known here."""
    word = region.strip().lower().replace("_", "-").rpartition("-")[2]
    word = {"uk": "gb"}.get(word, word)
    return word if word in _LANGUAGES else ""


def language_of(region: str) -> str:
    """Two letters; "" where the country is not known. A language that stands before the country is taken."""
    country = country_of(region)
    spoken, dash, _ = region.strip().lower().replace("_", "-").partition("-")
    return spoken if country and dash and len(spoken) == 2 else _LANGUAGES.get(country, "")
