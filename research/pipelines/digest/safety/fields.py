"""Fields of work in which a wrong instruction kills or maims: their words, and the acts that are dangerous within them.

A field alone withholds nothing. It says what an act in a sentence does harm to (see judging.py).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


class DangerArea(StrEnum):
    MAINS = "mains"
    GAS = "gas"
    STRUCTURE = "structure"
    VEHICLE = "vehicle"
    MEDICAL = "medical"
    MATERIAL = "material"  # asbestos, lead, acids
    MACHINERY = "machinery"  # springs, pressure, blades
    HEIGHT = "height"
    TREES = "trees"
    BATTERY = "battery"
    FIRE = "fire"
    WEAPONS = "weapons"
    WATER = "water"
    FOOD = "food"
    INFANTS = "infants"


# What a reader is told was left out, and who knows more.
FIELD_WORDS: Mapping[DangerArea, tuple[str, str]] = {
    DangerArea.MAINS: ("mains electricity", "a qualified electrician"),
    DangerArea.GAS: ("gas and heating appliances", "a licensed gas or heating engineer"),
    DangerArea.STRUCTURE: ("load-bearing structures", "a structural engineer or builder"),
    DangerArea.VEHICLE: ("safety-critical vehicle work", "a qualified mechanic"),
    DangerArea.MEDICAL: ("medical treatment", "a doctor or pharmacist"),
    DangerArea.MATERIAL: ("hazardous materials", "a licensed specialist"),
    DangerArea.MACHINERY: ("dangerous machinery", "a qualified technician"),
    DangerArea.HEIGHT: ("work at height", "a roofer or scaffolder"),
    DangerArea.TREES: ("felling trees", "an arborist"),
    DangerArea.BATTERY: ("lithium batteries", "a specialist workshop"),
    DangerArea.FIRE: ("open fire and stoves", "a chimney sweep or the fire brigade"),
    DangerArea.WEAPONS: ("weapons and explosives", "the police or a gunsmith"),
    DangerArea.WATER: ("ice and diving", "the local rescue service"),
    DangerArea.FOOD: ("food that can poison", "a food safety authority"),
    DangerArea.INFANTS: ("the care of babies", "a paediatrician or midwife"),
}


@dataclass(frozen=True)
class FieldRules:
    """The words of a field, as regular expressions without spaces, and the dangerous acts in it."""

    clear: str  # words that tell the field wherever they stand
    vague: str = ""  # words that tell it in the sentence, its title and the question alone
    verbs: str = ""  # everyday verbs that are dangerous acts in this field
    risky: str = ""  # what no sentence may advise, whatever its verb
    by_hand: bool = True  # any work by hand is dangerous here: to cut, bridge, solder, …

    @cached_property
    def clear_pattern(self) -> re.Pattern[str]:
        return _whole_words(self.clear)

    @cached_property
    def any_pattern(self) -> re.Pattern[str]:
        return _whole_words(f"{self.clear}|{self.vague}" if self.vague else self.clear)

    @cached_property
    def risky_pattern(self) -> re.Pattern[str] | None:
        return _whole_words(self.risky) if self.risky else None

    @cached_property
    def own_verbs(self) -> frozenset[str]:
        return frozenset(self.verbs.split())


def _whole_words(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE | re.VERBOSE)


FIELDS: Mapping[DangerArea, FieldRules] = {
    DangerArea.MAINS: FieldRules(
        clear=r"""outlets?|receptacles?|breakers?|fuse\s?box(?:es)?|fuses?|mains|re-?wir\w+|wiring
            |(?:live|hot)\swires?|gfci|afci|rcd|rcbo|consumer\sunit|electric(?:al|ity)|junction\sbox(?:es)?
            |light\s(?:fixture|switch)(?:e?s)?|dimmers?|(?:two|three|2|3)-?\s?prong\w*|un?grounded
            |back-?feed\w*|suicide\scord|wallbox|(?:1[12]0|2[234]0|400)\s?v(?:olts?|ac)?
            |steckdosen?|sicherung(?:en|skasten)?|stromkreis\w*|stark?strom|strom(?:leitung|kabel)?\w*
            |null-?leiter|neutral-?leiter|schutz-?leiter|erdung\w*|elektr(?:ik|isch\w*)|lichtschalter\w*
            |fi-?\s?schalter|zählerkasten|verteilerkasten|nullung|herdanschluss\w*|lüsterklemme\w*""",
        vague=r"""wires?|sockets?|neutral|transformers?|capacitors?|microwaves?|inverters?|generators?
            |ceiling\sfan|phasen?|kabel|leitung(?:en)?|kondensator\w*|drähte?|adern?""",
        verbs="wire hold touch measure probe feed",
    ),
    DangerArea.GAS: FieldRules(
        clear=r"""gas|gas-?(?:line|pipe|valve|leak|meter|stove|hob|heater|boiler|fitting|hose)s?|propane|butane
            |lpg|pilot\slight|boilers?|furnaces?|water\sheaters?|flues?|thermocouples?|flame\ssensor
            |gas(?:herd|therme|hahn|leitung|flasche|heizung)\w*|heizungs?therme\w*|\w*therme|heizkessel\w*
            |abgas\w*|flüssiggas\w*|propan\w*|erdgas\w*""",
        vague=r"burners?|regulators?|unions?|flex\slines?|brenner|düsen?|kessel",
        verbs="hold light",
    ),
    DangerArea.STRUCTURE: FieldRules(
        clear=r"""load-?\s?bearing|structural\w*|(?:bearing|supporting)\swalls?|lintels?|foundations?|underpin\w*
            |retaining\swalls?|roof\struss(?:es)?|chimney\sbreasts?|ledger\sboards?|main\sbeam|footings?
            |(?:remov\w+|knock\w*|tak(?:e|ing)|tear\w*|open\w*|cut\w*|demolish\w*)\s(?:\w+\s){0,4}walls?
            |tragend\w*|statik|statisch\w*|türsturz|stürze?|fundament\w*|dachstuhl\w*|stützmauer\w*|stützwand
            |wanddurchbr\w*|(?:wand|wände)\s(?:\w+\s){0,3}(?:entfern\w*|rausnehm\w*|durchbrech\w*)""",
        vague=r"""joists?|beams?|rafters?|headers?|columns?|studs?|trusse?s?|balcon\w+|sagging
            |balken|träger|sparren|pfosten|balkon\w*|decken?balken""",
        verbs="hold crank",
    ),
    DangerArea.VEHICLE: FieldRules(
        clear=r"""brak(?:e|es|ing)|calipers?|airbags?|seat-?\s?belts?|steering|tie\srods?|ball\sjoints?
            |jack\sstands?|(?:car|floor|trunk|bottle|factory|scissor)\sjacks?|lug\snuts?|axle\sstands?
            |wheel\s(?:bearings?|nuts?|studs?)|fuel\s(?:lines?|pumps?|tanks?|injectors?|filters?|rail)
            |petrol\stank|catalytic|timing\sbelt|coil\ssprings?|drain\splug
            |(?:chang\w+|drain\w*)\s(?:\w+\s){0,3}oil|brems\w+|gurtstraffer|sicherheitsgurt\w*|lenkung\w*
            |spurstange\w*|federbein\w*|wagenheber|unterstellb\w+|radmuttern?|radbolzen|radlager|kraftstoff\w*
            |hochvolt\w*|zahnriemen|ölwechsel""",
        vague=r"jacks?|jacked|axles?|suspension|struts?|rotors?|radiator\scap|achse",
        verbs="drive slide crawl lie",
        risky=r"(?:cinder|concrete|breeze)\sblocks?|bricks\sunder",
    ),
    DangerArea.MEDICAL: FieldRules(
        clear=r"""dos(?:e|es|age|ing)|medications?|medicines?|pills?|antibiotics?|ibuprofen|aspirin|paracetamol
            |acetaminophen|tylenol|tramadol|opioids?|insulin|blood\s(?:pressure|thinners?|sugar)|wounds?|sutures?
            |stitches|infected|infections?|abscess(?:es)?|fractur\w+|dislocat\w+|chest\spain|stroke
            |heart\sattack|seizures?|diabet\w+|asthma|epi-?pen|pregnan\w+|antidepress\w+|ssris?|overdos\w+
            |tooth(?:ache)?|dental|cysts?|tourniquets?|bleeding|concussion|inhalers?|painkillers?|warts?
            |fever|fasting|(?:water|dry|can\si|to|days?)\sfast|cold\sturkey|laxatives?|diet\spills?|migraines?
            |dosi\w+|tabletten?|medikament\w*|arznei\w*|antibiotik\w*|blutdruck\w*|blutverdünn\w*
            |wund(?:e|en|heilung)|entzünd\w*|abszess\w*|knochenbr\w+|fieber\w*|\w*schmerz(?:en|mittel)\w*
            |zyste\w*|schlaganfall|herzinfarkt|schwanger\w*|vergift\w*|blutung\w*|warzen?|muttermale?|fasten""",
        vague=r"moles?|boils?|tablets?|inject\w*|needles?|hernia|ticks?|splinters?|nadeln?|spritzen?",
        verbs="share halve double quit",
        risky=r"""(?:stop|quit|skip|halve|double|go\soff|come\soff)\s(?:tak\w+|using|them|the\spills|your\smed\w*
            |(?:your|the|my)\s(?:dose|insulin|tablets|medication)|cold\sturkey)
            |(?:go|last|do)\s(?:\w+\s){1,3}(?:days?|weeks?)\s(?:on\s)?(?:water|nothing|without)\b.{0,20}
            |(?:absetzen|weglassen|doppelte\s(?:menge|dosis))
            |(?:drink|take|swallow|have|eat)\s(?:\w+\s){0,4}(?:salt|vinegar|bleach|alcohol|whisky|whiskey|vodka|turpentine|laxatives)""",
    ),
    DangerArea.MATERIAL: FieldRules(
        clear=r"""asbestos|lead\s(?:paint|pipes?|solder)|bleach|ammonia|muriatic|hydrochloric|sulph?uric|caustic
            |lye|drain\scleaner|asbest\w*|bleifarb\w*|bleichmittel|chlorreiniger|salzsäure|schwefelsäure
            |ammoniak|rohrreiniger|ätznatron|old\s(?:floor\s|vinyl\s|ceiling\s)?(?:tiles?|paint|insulation|lagging)
            |(?:mix|combine|blend|mische?n?)\s(?:\w+\s){0,4}(?:cleaners?|chemicals|\w*reiniger)
            |vermiculite|popcorn\sceiling|chlorine""",
        vague=r"lead|acids?|blei|säuren?",
        verbs="pour sweep vacuum tip",
        risky=r"""(?:mix|combine|blend|mische?n?)\b.{0,40}(?:cleaners?|bleach|ammonia|acid|chemicals|\w*reiniger)
            |bleach\b.{0,40}(?:vinegar|ammonia|acid)|(?:vinegar|ammonia|acid)\b.{0,40}bleach""",
    ),
    DangerArea.MACHINERY: FieldRules(
        clear=r"""garage\sdoor\s?(?:spring|opener|cable)?s?|torsion\ssprings?|(?:table|mitre|miter|band|circular)\s?saws?
            |angle\sgrinders?|lathes?|lawn\s?mowers?|wood\s?chippers?|hydraulic\w*|relief\svalves?
            |pressure\s(?:tank|vessel|cooker|washer)s?|elevators?|garagentor\w*|torsionsfeder\w*|kreissäge\w*
            |winkelschleifer|druckbehälter|aufzug|sicherheitsventil\w*""",
        vague=r"springs?|blades?|federn?|sägeblatt",
        verbs="reach clear wind hold",
    ),
    DangerArea.HEIGHT: FieldRules(
        clear=r"ladders?|roofs?|scaffold\w*|gutters?|rungs?|glazing\sbars?|parapets?|leiter|dach|gerüst|dachrinnen?",
        verbs="climb walk lean hook stand step balance jump prop rest crawl klettere steig kletter",
        risky=r"(?:ladder|leiter)\b.{0,30}(?:truck|pickup|bucket|table|chair|barrel|box(?:es)?|van|tisch|stuhl)",
        by_hand=False,
    ),
    DangerArea.TREES: FieldRules(
        clear=r"""chain-?saws?|felling|fell\s(?:a|the|it)|hinge\scuts?|kettensäge\w*|motorsäge\w*|baum\sfällen
            |(?:trees?|ash|oak|beech|pine|birch|spruce|poplar|willow|fir|maple)\s.{0,30}?(?:lean\w*|fall\w*|cut\w*|down|dead|over)
            |(?:cut\w*|tak\w+)\s(?:down|out)\s(?:\w+\s){0,4}(?:trees?|ash|oak|beech|pine|birch|spruce|poplar|willow)""",
        verbs="climb stand",
    ),
    DangerArea.BATTERY: FieldRules(
        clear=r"""lithium|li-?ion|lipos?|18650s?|(?:e-?bike|scooter|laptop|phone)\s(?:battery|batteries)
            |(?:battery|swollen|bloated)\spacks?|bms|akkus?|akkuzellen?|power-?bank""",
        vague="cells?|packs?|zellen?",
        verbs="give charge jolt",
    ),
    DangerArea.FIRE: FieldRules(
        clear=r"""wood\s?(?:stove|burner)s?|fireplaces?|chimneys?|dampers?|carbon\smonoxide|charcoal
            |lighter\sfluid|fryers?|fireworks?|firecrackers?|bonfires?|kamin\w*|schornstein\w*|holzofen|kohlenmonoxid
            |feuerwerk\w*""",
        vague="petrol|gasoline|benzin|spiritus|grill|barbecue|bbq",
        verbs="leave",
        risky=r"""(?:pour|throw|splash|squirt|spray|add|use|kipp\w*|gieß\w*)\b.{0,30}(?:petrol|gasoline|benzin|spiritus|lighter\sfluid)
            |(?:damper|air\s(?:inlet|vent)s?|flue)\b.{0,15}(?:shut|closed)
            |(?:run|use|light|put|bring)\b.{0,30}(?:generator|charcoal|barbecue|bbq|grill)\b.{0,30}(?:inside|indoors|in\sthe\s(?:house|garage|tent|basement|kitchen))""",
    ),
    DangerArea.WEAPONS: FieldRules(
        clear=r"""rifles?|pistols?|shotguns?|handguns?|guns?|firearms?|ammo|ammunition|gun\s?powder|cartridges?
            |explosives?|pipe\sbombs?|detonators?|gewehr\w*|pistolen?|munition|sprengstoff\w*|schusswaffe\w*""",
        vague=r"trigger|sear|powder|round",
        verbs="rack file fill load aim point pull try dry-fire put",
    ),
    DangerArea.WATER: FieldRules(
        clear=r"""(?:lake|river|sea|thin)\sice|ice\s(?:thick|skat|fishing)\w*|frozen\s(?:lake|river|pond)|on\s(?:the\s)?ice
            |div(?:e|ing|ers?)|apn(?:o?e)a|free-?div\w*|rip\scurrents?|flood(?:ed|\s?water)|zugefroren\w*|tauchen""",
        vague=r"ice|eis",
        verbs="walk drive step keep go swim dive skate jump hyperventilate wade cross run hold",
        by_hand=False,
    ),
    DangerArea.FOOD: FieldRules(
        clear=r"""(?:home\s?-?)?cann(?:ing|er)|botul\w*|forag\w+|wild\smushrooms?|mushrooms?\spick\w*|pilze?\s(?:sammel\w*|such\w*)
            |raw\s(?:chicken|milk|pork)|einkochen|einwecken""",
        risky=r"""(?:scrape|cut|scoop|pick|kratz\w*)\b.{0,20}(?:mou?ld|schimmel)|eat\sthe\srest
            |(?:pick|eat|taste|try|iss|probier\w*)\b.{0,60}(?:woods|forest|wild|mushrooms?|champignons?|pilze?)
            |(?:water\sbath|oven|dishwasher)\b.{0,15}(?:enough|fine|plenty|will\sdo)""",
        by_hand=False,
    ),
    DangerArea.INFANTS: FieldRules(
        clear=r"""newborns?|bab(?:y|ies)|infants?|(?:\d+|one|two|three|four|five|six|eight)[\s-](?:weeks?|months?)[\s-]olds?
            |toddlers?|säugling\w*|neugeboren\w*|kleinkind\w*""",
        risky=r"""on\s(?:her|his|the|their|its)\s(?:belly|tummy|stomach|side|front)|auf\s(?:den|dem)\sbauch
            |(?:drops?|bit|splash|spoon|sip|little)\sof\s(?:whisky|whiskey|rum|brandy|schnapps|wine|beer)
            |(?:half|quarter)\s(?:an?\s)?(?:adult|pill|tablet|sleeping)\w*|antihistamines?|benadryl|melatonin
            |car\sseat\b.{0,30}(?:around|forward\w*)|(?:pillow|blanket|bumper)s?\b.{0,20}(?:crib|cot|bed)
            |(?:crib|cot|bed)\b.{0,20}(?:pillow|blanket|bumper)s?|(?:cold|cool|ice)\sbath|shake\s(?:her|him|it)
            |honey\b.{0,20}(?:dummy|pacifier|bottle|milk)|(?:dummy|pacifier|bottle|milk)\b.{0,20}honey
            |alone\sin\sthe\s(?:bath|car|tub)""",
        by_hand=False,
    ),
}


def fields_in(sentence: str, *, near: str = "", around: str = "") -> tuple[DangerArea, ...]:
    """The fields that a sentence belongs to, by its own words and those of its surroundings.

    `near`: the title and the question, read like the sentence; `around`: the texts that it answers, read for clear
    words alone.
    """
    told = f"{sentence}\n{near}"
    return tuple(
        field
        for field, rules in FIELDS.items()
        if rules.any_pattern.search(told) or rules.clear_pattern.search(around)
    )
