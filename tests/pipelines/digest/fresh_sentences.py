"""Forty sentences that were written after the safety rules and that no rule was tuned on (see safety_sentences.py)."""

from tests.pipelines.digest.safety_sentences import SafetyCase

_D, _S = True, False

SENTENCES: tuple[SafetyCase, ...] = tuple(
    SafetyCase(*row)
    for row in (
        ("mains", "Ceiling lamp flickers", "Strip the ends a bit longer and twist both wires together under the old nut.", _D),
        ("mains", "Ceiling lamp flickers", "Flickering is often a loose neutral, and that can start a fire.", _S),
        ("mains", "Ceiling lamp flickers", "Try another bulb before you spend money.", _S),
        ("mains", "Waschmaschine löst FI aus", "Den FI kannst du ruhig gegen einen normalen Schalter tauschen.", _D),
        ("mains", "Waschmaschine löst FI aus", "Meist ist es der Heizstab, das misst jeder Kundendienst in fünf Minuten.", _S),
        ("gas", "Water heater pilot keeps going out", "Just tape the safety button down and forget about it.", _D),
        ("gas", "Water heater pilot keeps going out", "A dirty thermocouple was the cause on ours, the technician cleaned it for 90.", _S),
        ("gas", "Caravan heater on holiday", "Sleeping with the heater on and the vents taped up nearly killed us.", _S),
        ("gas", "Caravan heater on holiday", "Tape up the vents, otherwise you freeze.", _D),
        ("structure", "Widening a doorway", "You can take six inches off the lintel with an angle grinder.", _D),
        ("structure", "Widening a doorway", "Building control here wants drawings for any opening over a metre.", _S),
        ("structure", "Widening a doorway", "Measure the doorway before you order the door.", _S),
        ("vehicle", "Flat tyre on the motorway", "Stay behind the barrier and call the breakdown service.", _S),
        ("vehicle", "Flat tyre on the motorway", "Lie down next to the lane and have the jack under the sill in one go.", _D),
        ("vehicle", "Handbrake does not hold", "Loosen the nut at the cable and take up the slack until it bites.", _D),
        ("vehicle", "Handbrake does not hold", "Leave it in gear when you park on a hill.", _S),
        ("medical", "Kidney stone pain", "Six of the orange pills at once knocks it out.", _D),
        ("medical", "Kidney stone pain", "If you have a fever with it, go to the emergency room.", _S),
        ("medical", "Kidney stone pain", "Drinking more water is what my urologist told me.", _S),
        ("medical", "Thyroid tablets make me nervous", "I simply leave them out on weekends.", _D),
        ("medical", "Thyroid tablets make me nervous", "Get your levels checked before changing anything.", _S),
        ("medical", "Ingrown toenail", "Dig under the corner with a pair of nail scissors and pull it out.", _D),
        ("medical", "Ingrown toenail", "A podiatrist did mine in ten minutes and it did not hurt.", _S),
        ("chemicals", "Pool turned green", "Dump the shock granules and the acid in together.", _D),
        ("chemicals", "Pool turned green", "Always add acid to water, never the other way round.", _S),
        ("chemicals", "Pool turned green", "Run the pump day and night until it clears.", _S),
        ("height", "Painting the gable", "Stack two pallets and put the steps on top.", _D),
        ("height", "Painting the gable", "We rented a cherry picker for 140 a day.", _S),
        ("trees", "Branch hangs over the garage", "Sit on the branch and saw between yourself and the trunk.", _D),
        ("trees", "Branch hangs over the garage", "Our insurance paid for the tree surgeon.", _S),
        ("battery", "Vape battery got wet", "Peel off the wrap, dry it in the oven and charge it.", _D),
        ("battery", "Vape battery got wet", "Don't charge it again, put it outside in a bucket of sand.", _S),
        ("fire", "BBQ in the rain", "Move the charcoal grill into the garage and leave the door a little open.", _D),
        ("fire", "BBQ in the rain", "Put up a pavilion over it, but keep it two metres from the coals.", _S),
        ("food", "Garlic in oil", "Keep it on the shelf for months, oil preserves everything.", _D),
        ("food", "Garlic in oil", "Garlic in oil grows botulism at room temperature, so keep it in the fridge for a week at most.", _S),
        ("babies", "Toddler will not swallow medicine", "Mix it into a spoon of yoghurt, our pharmacist said that is fine.", _S),
        ("babies", "Baby cries in the car seat", "Loosen the straps so she can move.", _D),
        ("machines", "Mower blade is blunt", "Prop it up while it is running and hold the file against the edge.", _D),
        ("machines", "Mower blade is blunt", "Pull the spark plug lead before you go anywhere near the blade.", _S),
    )
)  # fmt: skip
