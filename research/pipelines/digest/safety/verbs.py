"""Words that tell of work being done: English verbs with their forms, stems of German ones."""

import re
from collections.abc import Iterator
from functools import cache

# Whatever their form, these tell of an act.
_ACTS = """
    activate add adjust align anchor apply attach backfeed bash bend blow bodge boil bolt bond bore break
    bridge burn bypass carve chew chip chisel chop clip close combine compress connect crank crawl crimp
    crush cut dab daisy-chain defeat depress detach dig dilute dip disable disarm disassemble disconnect
    dismantle dissolve dose double drag drain dribble drink drive drop dump eat eliminate engage epoxy
    excavate exceed extend extract fashion feed fill fit fix flip flush fold force gargle glue grab grease
    grind hacksaw halve hammer hammer hang hammer-drill heat hit hold hook hot-wire hotwire hook-up hook
    ignite increase inhale inject insert install join jam jump jumper keep knock knot lance lay lift
    light-up loop loosen lower lubricate mash massage melt mix mount move notch nudge open override
    overtighten pack parallel peel pierce pinch pivot plug-in poke pop pour prise press prick probe prop
    pry pull pump punch puncture push put raise rap ream reattach reconnect re-energise re-energize refill
    refit reinstall relight remove replace reroute reset reuse rewire rig rinse rip roll rotate rout rub
    run sand saw scrape screw-in scuff set sever shave shift shim short-circuit shove shut sister skip
    slap slice slide slip slit smash smear smoke snap snip solder spin splice split spray spread sprinkle
    squeeze squirt stab stack stick stir stitch stop strap stretch strip stuff suck swab swallow swap take
    tamp tape-up taper tear thread throw thrust tie tighten tilt toss triple trim turn tuck twist unbolt
    uncap unclip undo unfasten unhook uninstall unplug unscrew unseal unseat untwist use vent wedge weld
    wiggle wipe wrap wrench yank zip-tie
"""
# Names of things as well: these tell of an act only where a verb is expected.
_ALSO_THINGS = """
    block box brace brush cap channel charge check clamp clean coat cover crack disconnect drill fuse
    ground guard hose isolate jack joint leave level light line load lock loop make nail patch plaster
    plug prime relay repair route screw seal ship ship-lap shore short splint spring start support switch
    tap tape test tip touch treat try wire work
"""
_IRREGULAR = """
    bent blew blown broke burnt cut drank drove dug fed fitted hung hit laid put ran sawn shut slid slit
    split spread stuck took taken tore torn threw thrown wound
"""
# In whoever's hands, and whatever does it.
_ALWAYS = """
    bypasses bridges defeats disables overrides jumps cuts removes short-circuits disconnects unscrews
    lances swallows
"""
# Stems of German verbs, as they stand within a word that begins small, or a sentence.
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


def _forms(verb: str) -> Iterator[str]:
    stem = verb[:-1] if verb.endswith("e") else verb
    doubled = verb + verb[-1] if len(verb) > 2 and verb[-1] not in _VOWELS and verb[-2] in _VOWELS else verb
    yield from (verb, f"{stem}ed", f"{stem}ing", f"{doubled}ed", f"{doubled}ing", f"{verb}in'")
    if verb.endswith("y"):
        yield f"{verb[:-1]}ied"


@cache
def acts() -> frozenset[str]:
    """Every form of the English verbs that always tell of an act."""
    return frozenset(form for verb in _ACTS.split() for form in _forms(verb)) | frozenset(
        [*_IRREGULAR.split(), *_ALWAYS.split()]
    )


@cache
def base_forms() -> frozenset[str]:
    """Verbs as an order uses them, names of things among them."""
    return frozenset([*_ACTS.split(), *_ALSO_THINGS.split()])


@cache
def participles() -> frozenset[str]:
    """Forms in “-ing” of the verbs that name things as well."""
    return frozenset(form for verb in _ALSO_THINGS.split() for form in _forms(verb) if form.endswith("ing"))


@cache
def pasts() -> frozenset[str]:
    """Forms in “-ed” of the same."""
    return frozenset(form for verb in _ALSO_THINGS.split() for form in _forms(verb) if form.endswith("ed"))


@cache
def german_acts() -> re.Pattern[str]:
    stems = "|".join(sorted(_GERMAN.split(), key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:(?:{_PREFIXES})(?:ge|zu)?)?(?:{stems})[a-zäöüß]*(?!\w)")
