"""The kind of statement that a claim is, and the edits of a prompt that claims support."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility.credibility_brief_scores import GOOD_EDIT, MAX_EDITS
from research.pipelines.brief.brief_config import BriefContext
from research.pipelines.brief.classify_brief_claims import category_of, is_actionable
from research.pipelines.brief.drafting.brief_prompt_edits import (
    MAX_VALUE,
    Wish,
    apply_edits,
    comment_wishes,
    edits_by_rules,
    rank_edits,
    shorten_text,
    target_of,
    wishes_of,
)
from research.pipelines.brief.stored_brief import BriefDraftClaim, DraftEdit, DraftSpan, KeyClaim

SPAN = DraftSpan(source="https://a.example", start=0, end=5)


def claim(text: str) -> BriefDraftClaim:
    return BriefDraftClaim(
        text=text, category=category_of(text), actionable=is_actionable(text), spans=[SPAN]
    )


def key_claim(number: int, confidence: float) -> KeyClaim:
    return KeyClaim.model_construct(number=number, confidence=confidence)


def edit(value: str, *claims: int) -> DraftEdit:
    return DraftEdit(target="base_prompt", action="add", value=value, reasoning="So.", claims=list(claims))


@pytest.mark.parametrize(
    ("text", "category", "actionable"),
    [
        ("Use a muted palette with soft light.", "visual", True),
        ("The typeface is a serif.", "visual", False),
        ("The tone is friendly.", "tonal", False),
        ("Its audience is young.", "strategic", False),
        ("Verifiers shall not require rotation.", "factual", True),
        ("At least 8 characters count.", "factual", True),
        ("The guide appeared in 2017.", "factual", False),
        ("A highlight of the delightful voyage.", "factual", False),  # no "light", no "voice"
    ],
)
def test_a_statements_own_words_say_what_it_is(text, category, actionable):
    assert (category_of(text), is_actionable(text)) == (category, actionable)


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("Use linen instead of silk.", [("linen", True, "silk")]),
        ("Viewers prefer wood over tiles.", [("wood", True, "tiles")]),
        ("People trusted real hands over models.", [("real hands", True, "models")]),
        ("A hand-drawn label sold better than a printed one.", [("hand-drawn label", True, "printed one")]),
        ("Diners disliked overhead shots.", [("overhead shots", False, "")]),
        ("Leave out the logo.", [("logo", False, "")]),
        ("Posters must show faces and people are happy.", [("faces", True, "")]),
        ("Passwords must have 8 characters, and frequent rotation of them is poor.", []),
        ("The layout should include white space and it improves reading.", [("white space", True, "")]),
        ("We found warm tones increased appetite.", [("warm tones", True, "")]),
        (
            "Avoid harsh flash and heavy saturation.",
            [("harsh flash", False, ""), ("heavy saturation", False, "")],
        ),
        ("We recommend natural light from a window.", [("natural light from a window", True, "")]),
        ("Never show needles.", [("needles", False, "")]),
        ("Backgrounds should be pale and plain.", [("pale, plain background", True, "")]),
        ("Heavy retouching lowers trust.", [("heavy retouching", False, "")]),
        (
            "Half of them called long corridors and wheelchairs depressing.",
            [("long corridors", False, ""), ("wheelchairs", False, "")],
        ),
        (
            "Viewers rated portraits from a high angle as patronising, while eye level was perceived as respectful.",
            [("high angle", False, ""), ("eye level", True, "")],
        ),
        ("Avoid images that focus on wrinkled hands.", [("wrinkled hands", False, "")]),
        (
            "Glossy, retouched surfaces lowered trust.",
            [("glossy", False, ""), ("retouched surfaces", False, "")],
        ),
        (
            "Ruhige Farben wirken vertrauenswürdiger als grelle Farben.",
            [],
        ),
        (
            "Bei Banken wirken ruhige Farben vertrauenswürdiger als Geldscheine.",
            [("ruhige Farben", True, "Geldscheine")],
        ),
        ("Rote Flächen werden mit Verlust verbunden.", [("rote Flächen", False, "")]),
        ("Dark stairwells are often associated with danger.", [("dark stairwells", False, "")]),
        ("Leere Straßen werden mit Armut und Stress assoziiert.", [("leere Straßen", False, "")]),
        ("Viewers described drawings of empty rooms as sad.", [("empty rooms", False, "")]),
        (
            "Menschen verschiedener Altersgruppen erhöhten die Zustimmung deutlich.",
            [("Menschen verschiedener Altersgruppen", True, "")],
        ),
        (
            "Crust texture in focus was named by most viewers as the reason why the bread looked fresh.",
            [("crust texture in focus", True, "")],
        ),
        (
            "Photos with lit windows and a view of the valley raise bookings.",
            [("lit windows", True, ""), ("view of the valley", True, "")],
        ),
        ("Lit windows sold better compared with midday photos.", []),
        (
            "Pages with people in conversation had 24 % more bookings than pages with empty rooms.",
            [("people in conversation", True, "empty rooms"), ("empty rooms", False, "")],
        ),
        (
            "Offices in daylight were rated as inviting by 69 %, the same rooms under neon tubes by 31 %.",
            [("daylight", True, "under neon tubes"), ("under neon tubes", False, "")],
        ),
        (
            "Seiten mit Personen in Bewegung hatten eine höhere Kaufrate als Seiten mit Studioaufnahmen.",
            [("Personen in Bewegung", True, "Studioaufnahmen"), ("Studioaufnahmen", False, "")],
        ),
        (
            "Gestellte Posen mit Blick in die Kamera wirkten auf die Befragten unglaubwürdig.",
            [("gestellte Posen mit Blick in die Kamera", False, "")],
        ),
        (
            "Show older people as active and with others.",
            [("active and with others", True, "")],
        ),
        (
            "Pages with red buttons had more complaints than pages with blue buttons.",
            [("blue buttons", True, "")],
        ),
        (
            "Shoppers rated pictures that show a person hiking higher than studio shots on white.",
            [("person hiking", True, "on white"), ("on white", False, "")],
        ),
        ("Muddy trails were read as proof of quality.", [("muddy trails", True, "")]),
        (
            "Stock models with perfect teeth looked fake to most respondents.",
            [("stock models with perfect teeth", False, "")],
        ),
        ("It was published in 2017.", []),
    ],
)
def test_a_sentence_wants_phrases_or_refuses_them(text, wishes):
    assert [(wish.phrase, wish.is_wanted, wish.instead) for wish in wishes_of(text)] == wishes


@pytest.mark.parametrize(
    ("phrase", "target"),
    [
        ("mountains on the horizon", "regional_constraint"),
        ("a calm mood", "style_modifier"),
        ("a sleeping cat", "base_prompt"),
    ],
)
def test_a_phrase_goes_where_its_words_say(phrase, target):
    assert target_of(phrase) == target


def test_what_the_prompt_has_is_removed_or_replaced_and_what_it_lacks_is_added():
    texts = (
        "It appeared in 2017.",
        "Avoid neon colours.",
        "Use soft light.",
        "People prefer wood over white tiles.",
    )
    context = BriefContext(content_type="image", existing_content="white tiles, neon colours, wide angle")
    edits = edits_by_rules([claim(text) for text in texts], [], context)
    assert [(edit.action, edit.value, edit.claims) for edit in edits] == [
        ("remove", "neon colours", [1]),
        ("replace", "white tiles → wood", [3]),
        ("add", "soft light", [2]),
    ]


def changes(prompt: str, comments: str, *texts: str) -> list[tuple[str, str]]:
    context = BriefContext(content_type="image", existing_content=prompt, user_comments=comments)
    return [
        (edit.action, edit.value) for edit in edits_by_rules([claim(text) for text in texts], [], context)
    ]


def test_nobody_gives_way_to_people_and_a_second_light_to_the_first():
    edits = changes(
        "Empty office at night, neon tubes, nobody in the picture",
        "",
        "Pages with people in conversation had 24 % more bookings than pages with empty rooms.",
        "Offices in daylight were rated as inviting by 69 %, the same rooms under neon tubes by 31 %.",
    )
    assert ("replace", "nobody in the picture → people in conversation") in edits
    assert ("replace", "neon tubes → daylight") in edits
    assert any(action == "remove" and "at night" in value and "Empty" in value for action, value in edits)


def test_a_comment_on_the_mood_changes_what_the_evidence_leaves():
    edits = changes(
        "a woman, fluorescent light, sad mood", "We need something warmer.", "It appeared in 2017."
    )
    assert edits == [("replace", "fluorescent light → warm light"), ("replace", "sad mood → warm mood")]
    assert changes("eine Frau, grelles Licht", "Bitte freundlicher", "Das Buch ist von 2017.") == [
        ("replace", "grelles Licht → freundliches Licht")
    ]


@pytest.mark.parametrize(
    ("comment", "wishes"),
    [
        ("Can we get rid of the sale banner?", [("sale banner", False, "")]),
        ("I don't like the logo", [("logo", False, "")]),
        ("Remove the watermark and the frame", [("watermark", False, ""), ("frame", False, "")]),
        ("The sky is too much.", [("sky", False, "")]),
        ("Das Logo raus", [("Logo", False, "")]),
        ("Die Blumen können weg", [("Blumen", False, "")]),
        ("Make it early morning with fog instead of the studio light.",
         [("early morning with fog", True, "studio light")]),
        ("Swap the mug for a glass", [("glass", True, "mug")]),
        ("Statt der Küche bitte ein Garten", [("Garten", True, "Küche")]),
        ("Please show somebody actually walking in them.", [("somebody walking", True, "")]),
        ("Could you add a dog?", [("dog", True, "")]),
        ("We want kids in the picture.", [("kids", True, "")]),
        ("How about snow?", [("snow", True, "")]),
        ("We need a wider shot", [("wider shot", True, "")]),
        ("Zeigt bitte eine Familie beim Essen", [("Familie beim Essen", True, "")]),
        ("Love it!", []),
        ("Make it bigger", []),
        ("I want it to feel more premium", []),
        ("Why is there a cat?", []),
        ("Don't change the pose", []),
    ],
)  # fmt: skip
def test_a_comment_asks_for_what_it_names(comment, wishes):
    assert [(wish.phrase, wish.is_wanted, wish.instead) for wish in comment_wishes(comment)] == wishes


def test_each_comment_is_granted_beside_the_evidence():
    edits = changes(
        "brown leather boots on a white background, garish colours, studio lighting, sale banner text",
        "Please show somebody walking in them.\nThe leather should stay brown.\n"
        "Can we get rid of the sale banner?\nMake it early morning with fog instead of the studio light.",
        "Shoppers rated pictures that show a person hiking higher than studio shots on a white background.",
        "Garish colours lowered trust.",
    )
    assert ("replace", "studio lighting → early morning with fog") in edits
    assert ("remove", "sale banner text") in edits
    assert ("add", "person hiking") in edits, "the evidence brings the person that the comment asks for"
    assert not any("somebody" in value or "brown" in value for _action, value in edits)


def test_of_a_phrase_only_the_part_that_is_refused_is_removed():
    assert changes(
        "Elderly woman in wheelchair in hospital corridor, sad mood",
        "Don't change the woman's age.",
        "Pictures of wheelchairs and hospital corridors were rated as depressing.",
    ) == [("remove", "in wheelchair, in hospital corridor")]


def test_a_viewpoint_replaces_another_and_a_light_another():
    assert changes(
        "old man, seen from above, fluorescent light",
        "",
        "Eye level was perceived as respectful.",
        "Use natural daylight.",
    ) == [("replace", "seen from above → eye level"), ("replace", "fluorescent light → natural daylight")]


def test_what_a_replacement_brings_is_not_added_again():
    assert changes(
        "photo of banknotes",
        "",
        "Viewers prefer calm illustrations with few colours over photos of banknotes.",
        "Calm illustrations with two colours were rated as trustworthy.",
    ) == [("replace", "photo of banknotes → calm illustrations with few colours")]


def test_an_edit_that_no_claim_of_the_brief_supports_is_dropped():
    edits = [edit("a", 0), edit("b", 1), edit("c", 7), edit("d"), edit("", 0), edit("A", 0)]
    [found] = rank_edits(edits, [1, None], [key_claim(1, 0.8)])
    assert (found.value, found.confidence, found.supporting_claims) == ("a", 0.8, [1])


def test_an_edits_confidence_is_the_mean_of_its_claims():
    [found] = rank_edits([edit("a", 0, 1, 1)], [1, 2], [key_claim(1, 0.9), key_claim(2, 0.5)])
    assert (found.confidence, found.supporting_claims) == (0.7, [1, 2])


EDITS = st.lists(
    st.builds(
        edit,
        st.text(max_size=300),
        st.integers(-2, 9),
        st.integers(-2, 9),
    ),
    max_size=12,
)


@given(EDITS, st.lists(st.floats(0, 1), max_size=6))
def test_at_most_five_edits_each_with_a_claim_the_surest_first(edits, confidences):
    claims = [key_claim(number, value) for number, value in enumerate(confidences, 1)]
    found = rank_edits(edits, [one.number for one in claims], claims)
    assert len(found) <= MAX_EDITS
    assert all(one.supporting_claims and one.value and len(one.value) <= MAX_VALUE + 2 for one in found)
    assert [one.confidence for one in found] == sorted((one.confidence for one in found), reverse=True)
    weak = [one for one in found if one.confidence <= GOOD_EDIT]
    assert not weak or sum(one.confidence > GOOD_EDIT for one in found) < MAX_EDITS


@given(st.text(max_size=600), st.integers(5, 200))
def test_what_is_shortened_is_a_beginning_and_says_that_it_is_one(text, most):
    flat, found = " ".join(text.split()), shorten_text(text, most)
    assert found == flat or (found.endswith(" …") and flat.startswith(found[:-2]) and len(found) <= most + 2)


@pytest.mark.parametrize(
    ("comment", "wishes"),
    [
        ("An older woman please, not the young couple.", [Wish("older woman", True, "young couple")]),
        ("No fruit bowls, they hide the hob.", [Wish("fruit bowls", False)]),
    ],
)
def test_a_comment_exchanges_with_not_and_gives_its_reason_after_a_comma(comment, wishes):
    assert comment_wishes(comment) == wishes


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        (
            "Cool fluorescent light was rated as clinical, daylight from a window as homely.",
            [("cool fluorescent light", False), ("daylight from a window", True)],
        ),
        (
            "Neon colours were remembered but judged unfit for chamber music; muted blues were judged fitting.",
            [("neon colours", False), ("muted blues", True)],
        ),
        ("Cluttered worktops made it harder to find the product.", [("cluttered worktops", False)]),
        ("Two or more screens made the desk look stressful.", [("screens", False)]),
        (
            "Warm wood surfaces were rated as more inviting than white laminate.",
            [("warm wood surfaces", True)],
        ),
        ("Grelle Farben wurden für Werbung gehalten.", [("grelle Farben", False)]),
        ("Eine einzelne Lichtquelle wirkte glaubwürdiger als Studiolicht.", [("einzelne Lichtquelle", True)]),
    ],
)
def test_judgements_of_two_things_are_wishes_for_and_against(text, wishes):
    assert [(wish.phrase, wish.is_wanted) for wish in wishes_of(text)][: len(wishes)] == wishes


@pytest.mark.parametrize(
    ("prompt", "comments", "edited"),
    [
        (
            "home office, ring light, person with headset, wide angle",
            "No people please. Keep it wide angle. Natural light from a window instead of the ring light.",
            "Home office, natural light from a window, wide angle --no people",
        ),
        (
            "Familie beim Picknick im Wald, Hochformat, Aquarell --ar 2:3",
            "Bitte keine Menschen, stattdessen Morgennebel. Aquarell behalten. Bitte ohne Text im Bild.",
            "Morgennebel im Wald, Hochformat, Aquarell --no Menschen, Text --ar 2:3",
        ),
        (
            "string quartet on stage, bright midday sun, busy collage --ar 3:2",
            "Please the sea at dusk with a small boat instead of the stage. No collage.",
            "Sea at dusk with a small boat --ar 3:2",
        ),
        (
            "woman in the street, rain",
            "A meadow instead of the street.",
            "Woman, rain, meadow",
        ),
    ],
)
def test_comments_change_the_whole_of_what_they_name(prompt, comments, edited):
    context = BriefContext(content_type="image", existing_content=prompt, user_comments=comments)
    edits = rank_edits(edits_by_rules([], [], context), [], [])
    assert apply_edits(prompt, edits) == edited


def test_another_format_turns_the_aspect_ratio():
    text = "Portrait posters were noticed more often than landscape posters."
    context = BriefContext(content_type="image", existing_content="poster, landscape format --ar 3:2")
    edits = rank_edits(edits_by_rules([claim(text)], [], context), [1], [key_claim(1, 0.8)])
    assert apply_edits(context.existing_content, edits).endswith("--ar 2:3")
