"""Verbs for work: English verbs with their forms, and stems of German verbs."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

# Manual work, which is dangerous whenever its object is.
_BY_HAND = """
    backfeed bash bend bleed bodge boil bolt bond bore break bridge bypass cap carve chip chisel chop clamp combine
    connect crank crawl crimp crush cut daisy-chain defeat detach dig dilute disable disarm disassemble disconnect
    dismantle drain drill dump epoxy excavate exceed feed flex flush force ground grind hacksaw halve hammer hit
    hook-up hot-wire hotwire ignite inject insert jack jam jolt jump jumper knock knot lance loosen lubricate melt mix
    nail notch overtighten patch pierce pinch plug poke pop pour prise press prick pry pump punch puncture push ream
    reattach reconnect re-energise re-energize refit reroute rewire rig rip rout rub sand saw scrape screw scuff
    seal sever shave shim short short-circuit sister slap slice slit smash smear snap snip solder splice split
    squeeze squirt stab stitch stretch stuff suck superglue swab swallow swap sweat swap tamp tap tape tear tie tighten
    tilt top twist unbolt uncap unclip undo unfasten unhook unscrew unseal unseat untwist unwind vent wedge weld wind
    wire wrap wrench yank zip-tie slide replace remove pull strip shove drag lift lower open patch rack reach
    dissolve gargle glue grease massage oil oversize soak spray stack steam unwire reverse reset re-seat
"""
# Everyday verbs, dangerous only if the dangerous thing itself is their object.
_EVERYDAY = """
    add adjust align apply attach blow brush burn change clean clear clip close cover double drive drop fill fit fix
    flip fold get give go grab hang hold hook increase install join keep kick lay leave light load loop make
    mount move pack pick place point prop put raise rest rinse roll rotate route run set shift shut skip slip
    spread spin stand step stick stop support switch take test throw thread toss touch treat trim try tuck turn
    unplug use walk wash wipe work climb lean drink eat quit share dose exceed file aim charge measure probe swim dive
    skate cross wade hyperventilate balance sweep vacuum tip jump crouch lie
"""
# Harmless common advice.
_HARMLESS = """
    ask avoid be book bring buy call check choose compare consider contact count do enjoy ensure expect find get google
    go have hire hope imagine join keep know learn let like list listen look love make mind need note order pay plan
    read realise realize remember report rest save search see send show sleep speak start stay tell thank think treat
    try visit wait watch wear wonder write want believe guess mean say seem feel hear talk trust walk photograph
    film park mark phone back breathe google compare discuss describe return recycle rent borrow donate sell
"""
_IRREGULAR = """
    bend:bent bleed:bled blow:blew,blown break:broke,broken cut:cut dig:dug drink:drank,drunk drive:drove,driven
    eat:ate,eaten feed:fed fit:fit get:got give:gave,given go:went,gone grind:ground hang:hung hit:hit hold:held
    keep:kept lay:laid lean:leant leave:left lie:lay let:let light:lit make:made put:put run:ran,run set:set shut:shut
    slide:slid slit:slit spin:spun split:split spread:spread stand:stood stick:stuck swim:swam take:took,taken
    tear:tore,torn throw:threw,thrown undo:undid,undone wind:wound saw:sawn quit:quit dive:dove
"""
# Stems of German verbs, which occur within lower-case words, or at the beginning of a sentence.
_GERMAN = """
    abdicht abdreh abklemm abknips ablass abschalt abschneid abzieh anbohr anklemm anschließ anschweiß
    anzieh aufbohr aufbock aufdreh aufschneid aufstech ausbau ausdrück auslass ausschalt biege bieg bohr
    brück dreh drill drück durchschneid durchtrenn einbau einnehm einnimm einreib einsetz entfern entlüft
    entnehm ersetz feil flex fräs füll gieß hämmer häng halbier herausnehm hereinsteck hinkleb isolier
    kapp kipp kleb klemm klopf knips knot kürz kupfer lass leg lockern löse lösen lös löt manipulier misch
    montier nagel näh nehm nimm öffn press quetsch raus rausdreh rausnehm rausreiß rausschlag rausschneid
    reib rein reinsteck reiß rüttel säg schalt schieb schlag schleif schlepp schließ schlitz schluck
    schmier schneid schraub schütt schweiß setz spann spreiz sprüh spül stech steck stell stemm stopf stoß
    streich stütz tausch tränk trenn trink tropf tupf überbrück umgeh umklemm umwickel unterleg unterstütz
    verbind verdopp verdrill verkleb verklemm verleg verlöt verschließ verschraub versteif wechsel weglass
    wegreiß wegschlag wickel zerleg zieh zudreh zukleb zünd zusammen zuschweiß
"""
_PREFIXES = (
    "ab|an|auf|aus|ein|um|durch|raus|rein|heraus|herein|weg|los|fest|hoch|zusammen|ver|zer|be|ent|über|unter"
    "|vor|nach|hin|her|ge|zu"
)
_VOWELS = frozenset("aeiou")


def _forms(verb: str) -> Iterator[tuple[str, bool]]:
    """Yield each form of a verb, and True if it is only a past form."""
    stem = verb[:-1] if verb.endswith("e") else verb
    doubled = verb + verb[-1] if len(verb) > 2 and verb[-1] not in _VOWELS and verb[-2] in _VOWELS else verb
    third = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"
    yield from (
        (verb, False),
        (third, False),
        (f"{stem}ing", False),
        (f"{doubled}ing", False),
        (f"{verb}in'", False),
    )
    yield from ((f"{stem}ed", True), (f"{doubled}ed", True))
    if verb.endswith("y"):
        yield from ((f"{verb[:-1]}ies", False), (f"{verb[:-1]}ied", True))


@cache
def by_hand() -> frozenset[str]:
    return frozenset(_BY_HAND.split())


@cache
def everyday() -> frozenset[str]:
    return frozenset(_EVERYDAY.split())


@cache
def harmless() -> frozenset[str]:
    """Return the verbs that are harmless in every field that does not name them."""
    return frozenset(_HARMLESS.split()) - orders()


@cache
def orders() -> frozenset[str]:
    """Return the base forms of the verbs, which imperatives use."""
    return by_hand() | everyday()


@cache
def _bases() -> Mapping[str, tuple[str, bool]]:
    irregular = dict(entry.split(":") for entry in _IRREGULAR.split())
    pasts = {past: (verb, past != verb) for verb, forms in irregular.items() for past in forms.split(",")}
    regular = {form: (verb, is_past) for verb in orders() for form, is_past in _forms(verb)}
    return {**pasts, **regular}


def base_of(form: str) -> str:
    """Return the verb of a form; empty if it is not one of these verbs."""
    return _bases().get(form, ("", False))[0]


def is_past(form: str) -> bool:
    return _bases().get(form, ("", False))[1]


@cache
def german_acts() -> re.Pattern[str]:
    stems = "|".join(sorted(_GERMAN.split(), key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:(?:{_PREFIXES})(?:ge|zu)?)?(?:{stems})[a-zäöüß]*(?!\w)")
