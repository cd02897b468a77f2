"""Fields of work in which a wrong instruction kills or maims: their words, and the acts that are dangerous within them.

A field by itself withholds nothing. It determines which acts in a sentence are dangerous (see judge_safety.py).
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
    SUBSTANCE = "substance"  # fuels, solvents, poisons
    CONFINED = "confined"  # spaces without air, or that can bury people
    LAW = "law"  # advice to break it (unlawful_advice.py)
    OTHER = "other"  # found by meaning (dangerous_meaning.py), not by words


# The name of a field as readers see it, and the professional to ask.
FIELD_WORDS: Mapping[DangerArea, tuple[str, str]] = {
    DangerArea.MAINS: ("mains electricity", "a qualified electrician"),
    DangerArea.GAS: ("gas and heating appliances", "a licensed gas or heating engineer"),
    DangerArea.STRUCTURE: ("load-bearing structures", "a structural engineer or builder"),
    DangerArea.VEHICLE: ("safety-critical vehicle work", "a qualified mechanic"),
    DangerArea.MEDICAL: ("medical treatment", "a doctor, pharmacist or vet"),
    DangerArea.MATERIAL: ("hazardous materials", "a licensed specialist"),
    DangerArea.MACHINERY: ("dangerous machinery", "a qualified technician"),
    DangerArea.HEIGHT: ("work at height", "a roofer or scaffolder"),
    DangerArea.TREES: ("felling trees", "an arborist"),
    DangerArea.BATTERY: ("batteries", "a specialist workshop"),
    DangerArea.FIRE: ("open fire and stoves", "a chimney sweep or the fire brigade"),
    DangerArea.WEAPONS: ("weapons and explosives", "the police or a gunsmith"),
    DangerArea.WATER: ("ice and diving", "the local rescue service"),
    DangerArea.FOOD: ("food that can poison", "a food safety authority"),
    DangerArea.INFANTS: ("the care of babies", "a paediatrician or midwife"),
    DangerArea.SUBSTANCE: ("flammable or poisonous substances", "a specialist or poison control"),
    DangerArea.CONFINED: ("confined spaces", "a specialist company or the fire brigade"),
    DangerArea.LAW: ("breaking the law or a contract", "a lawyer or an advice centre"),
    DangerArea.OTHER: ("other dangerous activities", "an expert in them"),
}


@dataclass(frozen=True)
class FieldRules:
    """The words of a field, as regular expressions without spaces, and the dangerous acts in it."""

    clear: str  # words that identify the field wherever they occur
    vague: str = ""  # words that identify it only in the sentence, its title and the question
    verbs: str = ""  # everyday verbs that are dangerous acts in this field
    risky: str = ""  # what no sentence may advise, with any verb
    by_hand: bool = True  # any manual work is dangerous here: to cut, bridge, solder, …

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
            |(?:mehrfach)?steckdosen?(?:leisten?)?|sicherung(?:en|skasten)?|stromkreis\w*|stark?strom|strom(?:leitung|kabel)?\w*
            |null-?leiter|neutral-?leiter|schutz-?leiter|erdung\w*|elektr(?:ik|isch\w*)|lichtschalter\w*
            |(?:induction|ceramic|electric)\s(?:hobs?|cooktops?|stoves?|ovens?)|cooktops?
            |(?:glaskeramik)?kochfeld\w*|ceranfeld\w*|induktions(?:feld|herd)\w*|elektroherd\w*|stromschlag\w*
            |(?:unter|an\s(?:die\s)?)\s?spannung|fi-?\s?schalter|zählerkasten|verteilerkasten|nullung|herdanschluss\w*|lüsterklemme\w*""",
        vague=r"""wires?|(?:power|wall|usb|light|plug)\ssockets?|neutral|capacitors?|inverters?|generators?
            |lamps?|chandeliers?
            |wire\snuts?|extension\scords?|ceiling\sfan|doorbells?|trips?\sthe|fi|lampen?|kabel
            |(?:die|der|eine?r?|auf|zwei|drei|und)\sphasen?|phasenprüfer|kondensator\w*|drähte?|adern?""",
        verbs="wire hold touch measure probe feed",
    ),
    DangerArea.GAS: FieldRules(
        clear=r"""gas|gas-?(?:line|pipe|valve|leak|meter|stove|hob|heater|boiler|fitting|hose)s?|propane
            |butane
            |lpg|pilot\slight|boilers?|furnaces?|water\sheaters?|flues?|thermocouples?|flame\ssensor
            |gas(?:herd|therme|hahn|leitung|flasche|heizung)\w*|heizungs?therme\w*|\w*therme|heizkessel\w*
            |abgas\w*|flüssiggas\w*|propan\w*|erdgas\w*""",
        vague=r"""burners?|flex\slines?|heaters?|vents?|camping\sstoves?|gas\s(?:bottle|cylinder)s?|canisters?
            |brenner|düsen?|kessel|heizung\w*|heizlüfter""",
        verbs="hold light warm heat",
    ),
    DangerArea.STRUCTURE: FieldRules(
        clear=r"""load-?\s?bearing|structural\w*|(?:bearing|supporting)\swalls?|lintels?|underpin\w*
            |(?:house|concrete|the|block|my)\sfoundations?|foundations?\s(?:walls?|cracks?|slab)
            |collar\sties?|loft\sconversions?
            |cracks?\s(?:\w+\s){0,3}(?:window|wall|ceiling|door|house)
            |retaining\swalls?|roof\struss(?:es)?|chimney\sbreasts?|ledger\sboards?|main\sbeam|footings?
            |(?:remov\w+|knock\w*|tak(?:e|ing)|tear\w*|open\w*|cut\w*|demolish\w*)\s(?:\w+\s){0,4}walls?
            |tragend\w*|statik|statisch\w*|türsturz|stürze?|fundament\w*|dachstuhl\w*|stützmauer\w*|stützwand
            |wanddurchbr\w*|(?:wand|wände)\s(?:\w+\s){0,3}(?:entfern\w*|rausnehm\w*|durchbrech\w*)""",
        vague=r"""widen\w*\s(?:\w+\s){0,3}(?:doorway|opening|window)|excavations?|trench(?:es)?|joists?
            |beams?|rafters?|studs?
            |trusse?s?|balcon\w+|sagging|balken|träger|sparren|pfosten|balkon(?:e[ns]?|s|platten?|stützen?)?|decken?balken""",
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
        vague=r"""jacked|(?:a|the|on)\sjack|axles?|suspension|struts?|rotors?|radiator\scap|hand-?brakes?
            |tow(?:ing)?|winch
            |fuel|wheels?\s(?:wobbl\w*|nuts?|bolts?|came|falls?|fell|loose)|achse|radmutter\w*""",
        verbs="drive slide crawl lie torque",
        risky=r"(?:cinder|concrete|breeze)\sblocks?|bricks\sunder",
    ),
    DangerArea.MEDICAL: FieldRules(
        clear=r"""dos(?:e|es|age|ing)|medications?|medicines?|pills?|antibiotics?|ibuprofen|aspirin
            |paracetamol
            |acetaminophen|tylenol|tramadol|opioids?|opiates?|codeine|sedatives?|diuretics?|statins?|insulin|blood\s(?:pressure|thinners?|sugar)|wounds?
            |sutures?
            |stitches|infected|infections?|abscess(?:es)?|fractur\w+|dislocat\w+|chest\spain|stroke
            |heart\sattack|seizures?|diabet\w+|asthma|epi-?pen|pregnan\w+|antidepress\w+|ssris?|overdos\w+
            |tooth(?:ache)?|dental|cysts?|tourniquets?|bleeding|concussion|inhalers?|painkillers?|warts?
            |fever|fasting|(?:water|dry|can\si|to|days?)\sfast|cold\sturkey|laxatives?|diet\spills?|migraines?
            |dosi\w+|tabletten?|medikament\w*|arznei\w*|antibiotik\w*|blutdruck\w*|blutverdünn\w*
            |wund(?:e|en|heilung)|entzünd\w*|abszess\w*|knochenbr\w+|fieber\w*|\w*schmerz(?:en|mittel)\w*
            |zyste\w*|schlaganfall|herzinfarkt|schwanger\w*|vergift\w*|blutung\w*|warzen?|muttermale?
            |fasten""",
        vague=r"""inject\w*|hernia|splinters?|painful|\w+aches?|(?:back|chest|knee|joint|nerve)\spain
            |toe-?nails?|blisters?
            |kidney\sstones?|thyroid|swollen\s(?:knee|foot|hand|gum|eye)|rash(?:es)?|sprain\w*|ear\s?wax
            |tonsil\w*|xanax|valium|(?:dog|cat|pupp|kitten|rabbit)\w*\s(?:\w+\s){0,3}(?:ate|eats?|eaten|limp\w*|sick|vomit\w*
            |swallow\w*|poison\w*)
            |panic\sattacks?|anxiety|depress(?:ion|ed)|swallowed|poisoning|allerg(?:y|ic)|stings?|bites?
            |spritzen?
            |zahn(?!riemen)\w*|zähne|gelenkschm\w*|ausschlag|verbrennung\w*""",
        by_hand=False,
        verbs="""share halve double quit cut lance pierce dig pull pop squeeze inject stitch glue superglue prick
            combine mix drill shave swallow crush snap poke push scrape slice stab yank freeze file snort insert hang
            numb slit reset bleed""",
        risky=r"""(?:leave|left)\s(?:it|them|out)\s(?:out|off)\b|(?:stop|quit|skip|halve|double|go\soff
            |come\soff)\s(?:tak\w+|using|them|the\spills|your\smed\w*
            |(?:your|the|my)\s(?:dose|insulin|tablets|medication)|cold\sturkey)
            |(?:go|last|do)\s(?:\w+\s){1,3}(?:days?|weeks?)\s(?:on\s)?(?:water|nothing|without)\b.{0,20}
            |(?:absetzen|weglassen|doppelte\s(?:menge|dosis))
            |mak\w+\s(?:her|him|them|yourself)\s(?:vomit|throw\sup)|suck\b.{0,20}(?:poison|venom)
            |(?:xanax|valium|pills?|tramadol)\b.{0,30}(?:gin|wine|beer|whisky|vodka|alcohol)
            |(?:drink|take|swallow|have|eat)\s(?:\w+\s){0,4}(?:salt|vinegar|bleach|alcohol|whisky|whiskey
            |vodka|turpentine|laxatives)""",
    ),
    DangerArea.MATERIAL: FieldRules(
        clear=r"""asbestos|lead\s(?:paint|pipes?|solder)|bleach|ammonia|muriatic|hydrochloric|sulph?uric
            |caustic
            |lye|drain\scleaner|asbest\w*|bleifarb\w*|bleichmittel|chlorreiniger|salzsäure|schwefelsäure
            |ammoniak|rohrreiniger|ätznatron|old\s(?:floor\s|vinyl\s|ceiling\s)?(?:tiles?|paint|insulation
            |lagging)
            |(?:mix|combine|blend|mische?n?)\s(?:\w+\s){0,4}(?:cleaners?|chemicals|\w*reiniger)
            |vermiculite|popcorn\sceiling|chlorine""",
        vague=r"""(?:battery|pool|strong|concentrated|the)\sacid|acid\s(?:wash|to|in)|solvents?|pesticides?
            |weed-?killers?
            |paint\sstrippers?|(?:oven|toilet|pool)\scleaners?|descalers?|limescale\sremover|säuren?
            |lösungsmittel|entkalker""",
        verbs="pour sweep vacuum tip",
        risky=r"""(?:mix|combine|blend|mische?n?)\b.{0,40}(?:cleaners?|bleach|ammonia|acid|chemicals
            |\w*reiniger)
            |bleach\b.{0,40}(?:vinegar|ammonia|acid)|(?:vinegar|ammonia|acid)\b.{0,40}bleach""",
    ),
    DangerArea.MACHINERY: FieldRules(
        clear=r"""garage\sdoor\s?(?:spring|opener|cable)?s?|torsion\ssprings?|(?:table|mitre|miter|band
            |circular)\s?saws?
            |angle\sgrinders?|lathes?|lawn\s?mowers?|wood\s?chippers?|snow\s?blowers?|mowers?|augers?
            |nail\sguns?|hydraulic\w*|relief\svalves?
            |pressure\s(?:tank|vessel|cooker|washer)s?|elevators?|garagentor\w*|torsionsfeder\w*|kreissäge\w*
            |winkelschleifer|druckbehälter|aufzug|sicherheitsventil\w*""",
        vague=r"garage\sdoors?|sägeblatt",
        verbs="reach clear wind hold prop stand",
    ),
    DangerArea.HEIGHT: FieldRules(
        clear=r"""ladders?|roofs?|scaffold\w*|gutters?|rungs?|glazing\sbars?|parapets?|gables?|facades?
            |steeples?|rooftops?
            |abseil\w*|belay\w*|skylights?|leiter|dach|gerüst|dachrinnen?|giebel|fassade""",
        vague=r"second[-\s]floor|upstairs\swindow|antennas?|solar\spanels?|stairwells?",
        verbs="climb walk lean hook stand step balance jump prop rest crawl stack straddle hang clip untie",
        risky=r"(?:ladder|leiter)\b.{0,30}(?:truck|pickup|bucket|table|chair|barrel|box(?:es)?|van|tisch|stuhl)",
        by_hand=False,
    ),
    DangerArea.TREES: FieldRules(
        clear=r"""chain-?saws?|felling|fell\s(?:a|the|it)|hinge\scuts?|kettensäge\w*|motorsäge\w*|baum\sfällen
            |(?:trees?|ash|oak|beech|pine|birch|spruce|poplar|willow|fir|maple)\s.{0,30}?(?:lean\w*|fall\w*
            |cut\w*|down|dead|over)
            |(?:cut\w*|tak\w+)\s(?:down|out)\s(?:\w+\s){0,4}(?:trees?|ash|oak|beech|pine|birch|spruce
            |poplar|willow)""",
        vague=r"""(?:storm[-\s]damaged|overhanging|dead|fallen|rotten)\s(?:\w+\s)?(?:trees?|branch(?:es)?|limbs?|trunks?
            |wood|crowns?|ash|oak|beech|pine|birch|spruce|poplar|willow|fir|maple)|branch\shangs
            |(?:large|big|heavy)\s(?:branch|limb)s?""",
        verbs="climb stand sit fell undercut",
    ),
    DangerArea.BATTERY: FieldRules(
        clear=r"""lithium|li-?ion|lipos?|18650s?|(?:e-?bike|scooter|laptop|phone)\s(?:battery|batteries)
            |(?:battery|swollen|bloated)\spacks?|bms|akkus?|akkuzellen?|power[-\s]?banks?""",
        vague=r"""batter(?:y|ies)\b.{0,25}(?:swell\w*|swollen|wet|hot|leak\w*|open|dead)|(?:swollen|dead
            |wet)\sbatter(?:y|ies)|\b(?:lifting|bulg\w+|swell\w*|swollen|puff\w+)\b.{0,40}\bbatter(?:y|ies)
            |vapes?|(?:new|old)\scells|the\s(?:pack|cells)|zellen""",
        verbs="give charge jolt peel heat dry bake",
        risky=r"(?:put|lay|place|dry|bake|warm|heat|leave|stick)\b.{0,30}(?:freezer|fridge|oven|microwave|radiator)",
    ),
    DangerArea.FIRE: FieldRules(
        clear=r"""wood\s?(?:stove|burner)s?|fireplaces?|chimneys?|dampers?|carbon\smonoxide|charcoal
            |lighter\sfluid|fryers?|fireworks?|firecrackers?|bonfires?|kamin\w*|schornstein\w*|holzofen
            |kohlenmonoxid|(?:bio-?)?ethanol\s(?:burner|fire\w*)
            |feuerwerk\w*""",
        vague=r"""petrol|gasoline|benzin|spiritus|grills?|barbecue|bbq|candles?|coals|embers|frying|chip\span|glut|kerzen?
            |(?:fat|oil|grease)\sfire""",
        verbs="leave block shut plug seal top refill",
        by_hand=False,
        risky=r"""(?:throw|pour|put|splash)\s(?:\w+\s){0,4}water\b.{0,15}\b(?:it|fire|fat|oil|grease|pan)
            |(?:pour|throw|splash|squirt|spray|add|use|kipp\w*|gieß\w*)\b.{0,30}(?:petrol|gasoline|benzin
            |spiritus|lighter\sfluid)
            |(?:damper|air\s(?:inlet|vent)s?|flue)\b.{0,15}(?:shut|closed)
            |(?:run|use|light|put|bring|move|keep|set\sup|have)\b.{0,30}(?:generator|charcoal|barbecue|bbq
            |grill)\b.{0,30}(?:inside|indoors|in\sthe\s(?:house|garage|tent|basement|kitchen))""",
    ),
    DangerArea.WEAPONS: FieldRules(
        clear=r"""rifles?|pistols?|shotguns?|handguns?|(?<!glue\s)(?<!caulk\s)(?<!heat\s)(?<!nail\s)(?<!spray\s)guns?
            |firearms?
            |ammo|ammunition|gun\s?powder|grenades?|old\sshells?|reload\w*|explosives?|pipe\sbombs?
            |detonators?|gewehr\w*|pistolen?|munition|sprengstoff\w*|schusswaffe\w*""",
        vague=r"sear|granaten?",
        verbs="rack file fill load aim point pull try dry-fire put",
    ),
    DangerArea.WATER: FieldRules(
        clear=r"""(?:lake|river|sea|thin)\sice|ice\s(?:thick|skat|fishing)\w*|frozen\s(?:lake|river|pond)
            |on\s(?:the\s)?ice
            |scuba\w*|spear-?fish\w*|apno?ea|free-?div\w*|diving|underwater|rip\scurrents?|flood(?:ed
            |\s?water)|zugefroren\w*|tauchen""",
        vague=r"each\sdive|you\sdive|icy\slake",
        risky=r"(?:deep|quick|fast)\s(?:\w+\s)?breaths",
        verbs="walk drive step keep go swim dive skate jump hyperventilate wade cross run hold",
        by_hand=False,
    ),
    DangerArea.FOOD: FieldRules(
        clear=r"""(?:home\s?-?)?cann(?:ing|er)|botul\w*|forag\w+|wild\smushrooms?|mushrooms?\spick\w*
            |pilze?\s(?:sammel\w*|such\w*)
            |raw\s(?:chicken|milk|pork)|einkochen|einwecken|garlic\sin\soil|(?:swollen|bulging|dented
            |bloated)\s(?:tins?|cans?|jars?|lids?)|left-?overs?|sous\svide""",
        vague=r"mou?ld(?:y)?|jars?|shelf|preserv\w+|ferment\w*|thaw\w*|sushi|schimm\w+|berries|rohmilch",
        verbs="boil eat taste",
        risky=r"""(?:scrape|cut|scoop|pick|kratz\w*)\b.{0,20}(?:mou?ld|schimmel)|eat\sthe\srest
            |(?:pick|eat|taste|try|iss|probier\w*)\b.{0,60}(?:woods|forest|wild|mushrooms?|champignons?
            |pilze?)
            |(?:keep|store|leave|leaving)\b.{0,25}\b(?:shelf|counter|room\stemperature|out\sover\s?night
            |for\smonths)
            |(?:water\sbath|oven|dishwasher)\b.{0,15}(?:enough|fine|plenty|will\sdo)""",
        by_hand=False,
    ),
    DangerArea.INFANTS: FieldRules(
        clear=r"""newborns?|bab(?:y|ies)|infants?|(?:\d+|one|two|three|four|five|six|eight)[\s-](?:weeks?
            |months?)[\s-]olds?|(?:[1-4]|one|two|three|four)[\s-]years?[\s-]olds?
            |toddlers?|car\sseats?|cribs?|säugling\w*|neugeboren\w*|kleinkind\w*""",
        risky=r"""on\s(?:her|his|the|their|its)\s(?:belly|tummy|stomach|side|front)|auf\s(?:den|dem)\sbauch
            |(?:drops?|bit|splash|spoon|sip|little)\sof\s(?:whisky|whiskey|rum|brandy|schnapps|wine|beer)
            |(?:half|quarter)\s(?:an?\s)?(?:adult|pill|tablet|sleeping)\w*|antihistamines?|benadryl|melatonin
            |car\sseat\b.{0,30}(?:around|forward\w*)|(?:pillow|blanket|bumper)s?\b.{0,20}(?:crib|cot|bed)
            |(?:crib|cot|bed)\b.{0,20}(?:pillow|blanket|bumper)s?|(?:cold|cool|ice)\sbath|shake\s(?:her|him
            |it)
            |honey\b.{0,20}(?:dummy|pacifier|bottle|milk)|(?:dummy|pacifier|bottle|milk)\b.{0,20}honey
            |honey\sto\b|vomit|alone\sin\sthe\s(?:bath|car|tub)""",
        verbs="loosen unbuckle unstrap wedge prop dose shake",
        by_hand=False,
    ),
    DangerArea.SUBSTANCE: FieldRules(
        clear=r"""paraffin|kerosene|diesel|ether|methanol|ethanol|naphtha|acetone|turpentine|white\sspirit
            |petroleum|benzene|toluene|xylene|acetylene|aerosols?|starting\sfluid|brake\scleaner
            |cyanide\S*|arsenic|mercury|strychnine|phosphides?|organophosph\w+|antifreeze|peroxide
            |permanganate|thermite|fumigant\w*|insecticid\w+|rodenticid\w+|herbicid\w+|paraquat
            |(?:rat|mouse|slug|ant|wasp)\s(?:poison|bait|killer|powder)|\w*dinitrophenol|dnp|ephedrine|ghb|gbl
            |terpentin|aceton|äther|quecksilber|arsen|zyanid\w*|cyanid\w*|frostschutz\w*
            |(?:ratten|mäuse|schnecken|ameisen|wespen)gift\w*|insektizid\w*|herbizid\w*|wasserstoffperoxid""",
        vague=r"petrol|gasoline|benzin|solvents?|lösungsmittel",
        verbs="""pour tip mist spray squirt puff light ignite burn heat warm boil toss throw splash drop drip inhale
            sniff smell swallow drink gargle mix blend dissolve soak sprinkle dust scatter inject streu streue""",
        by_hand=False,
        risky=r"""(?:streu|kipp|gieß|schütt|sprüh|misch|trink|schluck|zünd)\w*\s.{0,40}|hol\sdir\s.{0,30}
            |bloßen\shänden|bare\shands""",
    ),
    DangerArea.CONFINED: FieldRules(
        clear=r"""manholes?|septic\stanks?|cesspits?|cesspools?|slurry|manure\spits?|silo\w*|grain\s(?:bin|elevator)s?
            |wells?\s(?:shaft|pump|casing)|(?:storage|ballast|fermentation|water|oil)\stanks?|crawl\s?spaces?|sewers?
            |culverts?|mine\sshafts?|abandoned\smines?|gärkeller|jauchegruben?|güllegruben?|klärgruben?|schächte?
            |brunnenschacht|sickergruben?""",
        verbs="climb enter crawl go get hop jump step walk stand lower squeeze slip dive stomp poke reach lean",
        by_hand=False,
        risky=r"(?:steig|kletter|kriech|spring)\w*\s.{0,20}(?:rein|hinein|hinunter|runter|ein)|hold\syour\sbreath",
    ),
}


def fields_in(sentence: str, *, near: str = "", around: str = "") -> tuple[DangerArea, ...]:
    """Return the fields that a sentence belongs to, by its own words and those of its surroundings.

    `near`: the title and the question, searched like the sentence; `around`: the texts that it answers, searched only
    for clear words.
    """
    text = f"{sentence}\n{near}"
    return tuple(
        field
        for field, rules in FIELDS.items()
        if rules.any_pattern.search(text) or rules.clear_pattern.search(around)
    )
