"""Fields of work in which a wrong instruction hurts people, and the words by which a text shows that it is
    about one.

Clear words settle it wherever they stand near a sentence; vague ones only in the sentence itself, its title
    or the
question that was searched for.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache


class DangerArea(StrEnum):
    MAINS = "mains"
    GAS = "gas"
    STRUCTURE = "structure"
    VEHICLE = "vehicle"
    MEDICAL = "medical"
    MATERIAL = "material"  # asbestos, lead, acids
    MACHINERY = "machinery"  # springs, pressure, blades


# What a reader is told was left out, and who does such work.
FIELD_WORDS: Mapping[DangerArea, tuple[str, str]] = {
    DangerArea.MAINS: ("mains electricity", "a qualified electrician"),
    DangerArea.GAS: ("gas and heating appliances", "a licensed gas or heating engineer"),
    DangerArea.STRUCTURE: ("load-bearing structures", "a structural engineer or builder"),
    DangerArea.VEHICLE: ("safety-critical vehicle work", "a qualified mechanic"),
    DangerArea.MEDICAL: ("medical treatment", "a doctor or pharmacist"),
    DangerArea.MATERIAL: ("hazardous materials", "a licensed specialist"),
    DangerArea.MACHINERY: ("dangerous machinery", "a qualified technician"),
}

_CLEAR: Mapping[DangerArea, str] = {
    DangerArea.MAINS: r"""outlets?|receptacles?|breakers?|fuse\s?box(?:es)?|fuses?|mains|re-?wir\w+|wiring
        |live\swires?
        |hot\swires?|gfci|afci|rcd|rcbo|consumer\sunit|electric\w*|junction\sbox(?:es)?|light\sfixtures?
        |dimmers?
        |(?:two|three|2|3)-?\s?prong\w*|un?grounded|back-?feed\w*|suicide\scord|wallbox|\d{2,3}\s?v(?:olts?
        |ac)?
        |steckdosen?|sicherung\w*|stromkreis\w*|\w*strom|null-?leiter|neutral-?leiter|schutz-?leiter|erdung\w*
        |elektr\w+|lichtschalter\w*|fi-?\s?schalter|zählerkasten|verteilerkasten|nullung|herdanschluss\w*
        |lüsterklemme\w*
        """,
    DangerArea.GAS: r"""gas|gas-?(?:line|pipe|valve|leak|meter|stove|hob|heater|boiler|fitting|hose)s?|propane
        |butane|lpg
        |pilot\slight|boilers?|furnaces?|water\sheaters?|flues?|carbon\smonoxide|thermocouples?
        |gas\w*|heizungs?therme\w*|\w*therme|gashahn|brenner|heizkessel\w*|abgas\w*|flüssiggas\w*|propan\w*
        |kohlenmonoxid
        |erdgas\w*""",
    DangerArea.STRUCTURE: r"""load-?\s?bearing|structural\w*|bearing\swalls?|supporting\swalls?|lintels?
        |foundations?|underpin\w*
        |retaining\swalls?|roof\struss(?:es)?|chimney\sbreasts?|ledger\sboards?|main\sbeam
        |tragend\w*|statik\w*|statisch\w*|türsturz|stürze?|fundament\w*|dachstuhl\w*|stützmauer\w*|stützwand
        |wanddurchbr\w*
        """,
    DangerArea.VEHICLE: r"""brak(?:e|es|ing)|calipers?|airbags?|seat-?\s?belts?|steering|tie\srods?|ball\sjoints?
        |jack\sstands?
        |car\sjack|lug\snuts?|wheel\s(?:bearings?|nuts?|studs?)|fuel\s(?:lines?|pumps?|tanks?|injectors?
        |filters?|rail)
        |petrol\stank|catalytic|timing\sbelt|coil\ssprings?|brems\w+|gurtstraffer|sicherheitsgurt\w*
        |lenkung\w*
        |spurstange\w*|federbein\w*|wagenheber|unterstellb\w+|radmuttern?|radbolzen|kraftstoff\w*|benzin\w*
        |hochvolt\w*
        |zahnriemen""",
    DangerArea.MEDICAL: r"""dos(?:e|es|age|ing)|medications?|medicines?|pills?|tablets?|antibiotics?|ibuprofen
        |aspirin|paracetamol
        |acetaminophen|tylenol|insulin|blood\s(?:pressure|thinners?|sugar)|wounds?|stitch(?:es)?|sutures?
        |infect\w+
        |abscess(?:es)?|fractur\w+|dislocat\w+|chest\spain|stroke|heart\sattack|seizures?|diabet\w+|asthma
        |epi-?pen
        |pregnan\w+|antidepress\w+|overdos\w+|tooth|teeth|dental|cysts?|tourniquets?|bleeding|concussion
        |inhalers?
        |painkillers?|opioids?|warts?|moles?|boils?|fever|dosi\w+|tabletten?|medikament\w*|arznei\w*
        |antibiotik\w*
        |blutdruck\w*|blutverdünn\w*|wund\w+|entzünd\w*|abszess\w*|knochenbr\w+|gebrochen\w*|fieber\w*
        |schmerz\w*
        |zahn(?!riemen)\w*|zähne\w*|zyste\w*|brustschmerz\w*|schlaganfall|herzinfarkt|schwanger\w*|spritzen?
        |vergift\w*
        |blutung\w*|warzen?|muttermale?""",
    DangerArea.MATERIAL: r"""asbestos|lead\s(?:paint|pipes?|solder)|bleach|ammonia|muriatic|hydrochloric
        |sulph?uric|caustic|lye
        |drain\scleaner|asbest\w*|bleifarb\w*|bleichmittel|chlorreiniger|salzsäure|schwefelsäure|ammoniak
        |rohrreiniger
        |ätznatron""",
    DangerArea.MACHINERY: r"""garage\sdoor\s(?:spring|opener|cable)s?|torsion\ssprings?|table\ssaws?|chain-?saws?
        |pressure\s(?:tank|vessel|cooker)s?|elevators?|garagentor\w*|torsionsfeder\w*|kreissäge\w*
        |kettensäge\w*
        |druckbehälter|aufzug""",
}
_VAGUE: Mapping[DangerArea, str] = {
    DangerArea.MAINS: r"""wir(?:e|es|ed)|sockets?|plugs?|circuits?|panel|volts?|voltage|amps?|amperes?|neutral
        |ground(?:ed|ing)?|cords?
        |cables?|transformers?|capacitors?|microwaves?|inverters?|generators?|switch(?:es)?|lamps?
        |ceiling\sfan|shock|phase
        |kabel\w*|lampen?|leitung\w*|spannung|stecker\w*|kondensator\w*|draht|drähte""",
    DangerArea.GAS: r"""burners?|regulators?|chimneys?|heizung\w*|kamin\w*|schornstein\w*|kessel""",
    DangerArea.STRUCTURE: r"""joists?|beams?|rafters?|headers?|columns?|studs?|trusse?s?|balcon\w+|sagging|props?
        |scaffold\w*
        |balken|träger|sparren|stützen?|balkon\w*|geländer|gerüst\w*|decken?balken""",
    DangerArea.VEHICLE: r"""cars?|trucks?|vehicles?|motorcycles?|motorbikes?|axles?|wheels?|tires?|tyres?
        |suspension|struts?|exhaust
        |radiators?|coolant|transmission|clutch|rotors?|engine|autos?|pkw|lkw|fahrzeuge?|motorrad|reifen
        |auspuff
        |kupplung|getriebe|kühler|motor|achse|räder""",
    DangerArea.MEDICAL: r"""mg|doctor|hospital|inject\w*|needles?|rash|hernia|ticks?|allerg\w+|poison\w*|vomit\w*
        |burns?|splinters?|sick
        |ill|arzt|krankenhaus|nadel\w*|allergi\w+|splitter|verband|krank""",
    DangerArea.MATERIAL: r"""lead|acids?|blei|säuren?""",
    DangerArea.MACHINERY: r"""springs?|blades?|federn?|sägeblatt""",
}


@cache
def _pattern(field: DangerArea, *, vague: bool) -> re.Pattern[str]:
    words = _CLEAR[field] + ("|" + _VAGUE[field] if vague else "")
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE | re.VERBOSE)


def fields_in(sentence: str, *, near: str = "", around: str = "") -> tuple[DangerArea, ...]:
    """The fields that a sentence belongs to, by its own words and those of its surroundings.

    `near`: the title and the question, read like the sentence; `around`: the texts that it answers, read
    for clear
    words alone.
    """
    told = f"{sentence}\n{near}"
    return tuple(
        field
        for field in DangerArea
        if _pattern(field, vague=True).search(told) or _pattern(field, vague=False).search(around)
    )
