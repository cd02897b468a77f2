"""Additions to the place data: groups of countries, first-level regions, other names, and ambiguous words."""

# Groups of countries by ISO 3166 code. Membership as of 2026 for the European Union.
GROUPS: dict[str, str] = {
    "european union": "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE",
    "scandinavia": "DK NO SE",
    "nordic countries": "DK NO SE FI IS",
    "baltic states": "EE LV LT",
    "benelux": "BE NL LU",
    "western europe": "AT BE FR DE LI LU MC NL CH",
    "eastern europe": "BY BG CZ HU MD PL RO RU SK UA",
    "southern europe": "AL AD BA HR GR IT XK MT ME MK PT SM RS SI ES VA",
    "northern europe": "DK EE FI IS IE LV LT NO SE GB",
    "central europe": "AT CZ DE HU LI PL SK SI CH",
    "balkans": "AL BA BG HR GR XK ME MK RO RS SI",
    "middle east": "BH CY EG IR IQ IL JO KW LB OM PS QA SA SY TR AE YE",
    "north africa": "DZ EG LY MA SD TN EH",
    "sub-saharan africa": "AO BJ BW BF BI CM CV CF TD KM CD CG CI DJ GQ ER SZ ET GA GM GH GN GW KE LS LR MG MW ML "
    "MR MU MZ NA NE NG RW ST SN SC SL SO ZA SS TZ TG UG ZM ZW",
    "west africa": "BJ BF CV CI GM GH GN GW LR ML MR NE NG SN SL TG",
    "east africa": "BI DJ ER ET KE MG MW MZ RW SO SS TZ UG ZM ZW",
    "southern africa": "BW SZ LS NA ZA",
    "central asia": "KZ KG TJ TM UZ",
    "east asia": "CN JP KR KP MN TW HK MO",
    "south asia": "AF BD BT IN MV NP PK LK",
    "southeast asia": "BN KH ID LA MY MM PH SG TH TL VN",
    "central america": "BZ CR SV GT HN NI PA",
    "caribbean": "AG BS BB CU DM DO GD HT JM KN LC VC TT PR",
    "latin america": "AR BO BR CL CO CR CU DO EC SV GT HT HN MX NI PA PY PE UY VE PR",
}
# Countries in two continents; the data name one.
SECOND_CONTINENT = {
    "RU": "asia",
    "TR": "europe",
    "KZ": "europe",
    "EG": "asia",
    "GE": "europe",
    "AZ": "europe",
} | {
    "AM": "europe",
    "CY": "asia",
}
# First-level regions of some countries; those of the United States are in the data.
COUNTRY_REGIONS: dict[str, str] = {
    "GB": "england|scotland|wales|northern ireland|yorkshire|cornwall|kent|essex|sussex|devon|lancashire|cumbria",
    "CA": "ontario|quebec|british columbia|alberta|manitoba|saskatchewan|nova scotia|new brunswick|newfoundland|"
    "prince edward island|yukon|nunavut|northwest territories",
    "DE": "bavaria|saxony|hesse|north rhine-westphalia|lower saxony|baden-wurttemberg|thuringia|brandenburg|"
    "saxony-anhalt|rhineland-palatinate|saarland|schleswig-holstein|mecklenburg-vorpommern",
    "CH": "ticino|valais|vaud|aargau|graubunden|thurgau|st gallen",
    "AT": "tyrol|styria|carinthia|vorarlberg|upper austria|lower austria|burgenland",
    "AU": "queensland|new south wales|tasmania|western australia|south australia|northern territory",
    "FR": "brittany|normandy|provence|alsace|burgundy|corsica|occitanie|aquitaine",
    "IT": "sicily|sardinia|tuscany|lombardy|piedmont|veneto|calabria|apulia|umbria|liguria",
    "ES": "catalonia|andalusia|galicia|basque country|canary islands|balearic islands|mallorca",
    "IN": "kerala|gujarat|maharashtra|tamil nadu|karnataka|uttar pradesh|rajasthan|west bengal|bihar|assam",
    "CN": "guangdong|sichuan|xinjiang|tibet|hubei|hunan|yunnan|fujian|zhejiang|jiangsu|inner mongolia",
    "JP": "hokkaido|okinawa|honshu|kyushu|shikoku",
    "RU": "siberia|chechnya|dagestan|tatarstan",
    "US": "new england|the bronx|manhattan|brooklyn|queens|silicon valley|long island",
    "ID": "java|sumatra|bali|borneo|sulawesi",
}
# The nation of a British city, by the code in the city data.
BRITISH_NATIONS = {"ENG": "england", "SCT": "scotland", "WLS": "wales", "NIR": "northern ireland"}
CANADIAN_PROVINCES = {
    "01": "alberta",
    "02": "british columbia",
    "03": "manitoba",
    "04": "new brunswick",
    "07": "nova scotia",
    "08": "ontario",
    "10": "quebec",
    "11": "saskatchewan",
}
# In "Washington, D.C.", whose name the city shares with the state.
FEDERAL_DISTRICT = {"dc": "washington", "d c": "washington"}

# Other name → the name in the data, folded.
OTHER_NAMES: dict[str, str] = {
    "usa": "united states",
    "us": "united states",
    "america": "united states",
    "united states of america": "united states",
    "u s": "united states",
    "u s a": "united states",
    "uk": "united kingdom",
    "u k": "united kingdom",
    "britain": "united kingdom",
    "great britain": "united kingdom",
    "eu": "european union",
    "europaische union": "european union",
    "union europeenne": "european union",
    "uae": "united arab emirates",
    "prc": "china",
    "people's republic of china": "china",
    "republic of korea": "south korea",
    "drc": "democratic republic of the congo",
    "holland": "netherlands",
    "czech republic": "czechia",
    "burma": "myanmar",
    "palestine": "palestinian territory",
    "swaziland": "eswatini",
    "east timor": "timor leste",
    "new york city": "new york",
    "nyc": "new york",
    "washington dc": "washington",
    "washington d c": "washington",
    "sudamerika": "south america",
    "nordamerika": "north america",
    "afrika": "africa",
    "asien": "asia",
    "europa": "europe",
    "cologne": "koln",
    "mailand": "milan",
    "genf": "geneva",
    "geneve": "geneva",
    "bale": "basel",
    "berne": "bern",
    "basle": "basel",
    "lucerne": "luzern",
    "bruges": "brugge",
    "aarhus": "arhus",
    "seville": "sevilla",
    "mecca": "makkah",
    "cracow": "krakow",
    "marrakech": "marrakesh",
    "rangoon": "yangon",
    "munchen": "munich",
    "wien": "vienna",
    "prag": "prague",
    "warschau": "warsaw",
    "moskau": "moscow",
    "rom": "rome",
    "venedig": "venice",
    "florenz": "florence",
    "neapel": "naples",
    "brussel": "brussels",
    "bruxelles": "brussels",
    "athen": "athens",
    "lissabon": "lisbon",
    "kopenhagen": "copenhagen",
    "den haag": "the hague",
    "kiev": "kyiv",
    "bombay": "mumbai",
    "calcutta": "kolkata",
    "madras": "chennai",
    "bangalore": "bengaluru",
    "peking": "beijing",
    "saigon": "ho chi minh city",
    "st petersburg": "saint petersburg",
    "francfort": "frankfurt am main",
    "frankfurt": "frankfurt am main",
    "londres": "london",
    "ghent": "gent",
    "odessa": "odesa",
    "bayern": "bavaria",
    "tessin": "ticino",
    "latin american countries": "latin america",
    "baltics": "baltic states",
    "nordics": "nordic countries",
    "south east asia": "southeast asia",
    "northern africa": "north africa",
    "western africa": "west africa",
    "eastern africa": "east africa",
    "near east": "middle east",
    "nordrhein-westfalen": "north rhine westphalia",
}
# Also ordinary words or personal names: a place only after "in" and the like, or before a comma and its container.
DOUBTFUL = frozenset(
    "reading nice mobile bath split cork orange tours man of same most hull derby sale lens nancy florence victoria "
    "charlotte jackson lincoln madison sydney austin phoenix buffalo cleveland aurora mesa "
    "independence providence hope union enterprise eagle surprise corona orlando henderson paradise centennial "
    "liberty normal brest bari date are male chad jordan hamilton lexington raleigh chandler brent "
    "islington preston surrey vaughan newcastle irvine arlington columbus stockton plymouth gary troy angola jersey "
    "georgia virginia carolina washington marina santiago leon cordoba merida van osh ota bimbo boma goma golfe "
    "konak natal pest perm samba sari seeb serra singa tula minna bello imus ica juba fes java kent essex "
    "devon queens como lucca manta salta mary dunes june march kobe sale cali ufa "
    "ganja adana batman sham salem eugene denton tyler garland carson everett warren vernon clinton burbank roswell "
    "anderson allen carlos garcia diego cristobal hyde alexandria bristol chelsea kingston lancaster "
    "allentown bedford milton newton nigel norman gilbert irving elizabeth alexandra darwin edison montgomery".split()
)
# Countries whose names in a text without capitals often mean something else.
DOUBTFUL_IN_LOWER_CASE = frozenset("turkey china guinea niger mali oman cuba".split())
# Cities below the size limit that are well known.
KNOWN_CITIES = frozenset(
    "geneva basel lausanne luzern salzburg innsbruck graz venice oxford cambridge strasbourg brugge gent "
    "heidelberg mainz ottawa basel padua pisa reims lille avignon cannes toulouse bordeaux bergen trondheim malmo "
    "uppsala arhus turku tampere maastricht eindhoven leiden delft utrecht antwerp leuven liege porto coimbra "
    "granada toledo bilbao salamanca dubrovnik zagreb ljubljana maribor brno ostrava bratislava debrecen gdansk "
    "lviv tartu kaunas reykjavik haifa hobart dunedin canberra honolulu anchorage juneau galway limerick belfast "
    "aberdeen dundee swansea cardiff".split()
)
# Names of countries in German and French that are words or first names in English.
NOT_IN_ENGLISH = frozenset({"island", "maurice", "dominique", "grenade"})
