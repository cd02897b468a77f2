"""Countries and their main languages, for the region settings of search services."""

# Each language with the countries in which it is the main one, limited to regions of search services.
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
    """Return a two-letter country code in lower case from "de", "DE" or "de-CH"; "" if it is unknown."""
    word = region.strip().lower().replace("_", "-").rpartition("-")[2]
    word = {"uk": "gb"}.get(word, word)
    return word if word in _LANGUAGES else ""


def language_of(region: str) -> str:
    """Return the two-letter language: that before the country, else its main one; "" if the country is unknown."""
    country = country_of(region)
    spoken, dash, _ = region.strip().lower().replace("_", "-").partition("-")
    return spoken if country and dash and len(spoken) == 2 else _LANGUAGES.get(country, "")
