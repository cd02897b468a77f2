# ruff: noqa: E501 - a sentence stays in one piece
"""Ten discussions in varied fields, each with what a reader would want of its digest.

`leads`: words of which one has to stand in the summary. `never`: words that may stand nowhere, except where `beside` lets
them stand as the refuted side of a contradiction. `cautions`: words that have to stand among the cautions.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Discussion:
    name: str
    query: str
    posts: tuple[dict[str, Any], ...]
    wanted: str
    leads: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    not_a_highlight: tuple[str, ...] = ()

    @property
    def fetched(self) -> dict[str, Any]:
        return {"query": self.query, "posts": list(self.posts)}


def _post(
    name: str, forum: str, title: str, body: str, *comments: tuple[str, str, int] | str
) -> dict[str, Any]:
    """A comment is (author, words, score); one that begins with ">N " answers the Nth comment."""
    rows = []
    for number, (author, words, score) in enumerate(comments, 1):
        parent = f"t3_{name}"
        if words.startswith(">"):
            answered, _, words = words[1:].partition(" ")
            parent = f"t1_{name}c{answered}"
        rows.append(
            {"id": f"{name}c{number}", "parent_id": parent, "author": author, "body": words, "score": score}
        )
    return {"id": name, "subreddit": forum, "title": title, "selftext": body, "author": "op", "score": 30,
            "url": f"https://forum.example/{name}/", "comments": rows}  # fmt: skip


DISCUSSIONS: tuple[Discussion, ...] = (
    Discussion(
        "wall",
        "can I remove the wall between kitchen and dining room",
        (
            _post(
                "w1",
                "DIY",
                "Removing a wall between kitchen and dining room",
                "1960s bungalow, the wall is about 3 m long and there is an attic above it.",
                (
                    "kim",
                    "Just knock it out with a sledgehammer and put up a temporary 2x4. I did mine in an afternoon.",
                    64,
                ),
                (
                    "lou",
                    ">1 This is terrible advice. If it is load bearing the ceiling comes down on you.",
                    88,
                ),
                (
                    "max",
                    "Hire a structural engineer first. Ours cost 450 and he found that the wall carries the roof.",
                    120,
                ),
                ("nat", "Joists that run across the wall are a sign that it carries load.", 51),
                ("oli", "You will need a permit for a structural wall in most places.", 40),
                ("pat", "We put in an island instead of a wall and love the light.", 22),
            ),
        ),
        "Engineer first, signs of a bearing wall, permit; the sledgehammer nowhere.",
        leads=("structural engineer",),
        cautions=("load bearing",),
        never=("sledgehammer",),
    ),
    Discussion(
        "gas-stove",
        "should I replace my gas stove with induction",
        (
            _post(
                "g1",
                "Cooking",
                "Gas stove or induction?",
                "The stove is from 1978 and the back panel looks like some fibre board.",
                ("ann", "Induction boils a litre in under three minutes, ours took seven on gas.", 77),
                ("bob", "Get it tested for asbestos. Panels of that age often have it.", 90),
                ("cyd", "If you smell gas, leave the house and call the gas company.", 131),
                ("dee", "Check your pans with a magnet, aluminium ones do not work on induction.", 64),
                (
                    "eli",
                    "Undo the union behind it, wrap some tape around the thread and screw in a plug.",
                    12,
                ),
                ("fay", "Induction needs its own circuit, an electrician quoted us 800.", 45),
                ("gus", "I went back to gas because my wok needs a flame.", 18),
            ),
        ),
        "Induction is faster, pans, circuit; asbestos test and gas smell lead the cautions; no instructions on the union.",
        leads=("Induction",),
        cautions=("asbestos", "smell gas"),
        never=("Undo the union",),
    ),
    Discussion(
        "tomatoes",
        "why do my tomatoes have black spots at the bottom",
        (
            _post(
                "t1",
                "gardening",
                "Black spots at the bottom of my tomatoes",
                "Plants are in pots on a south balcony. I water when I remember to.",
                (
                    "ivy",
                    "That is blossom end rot. It comes from uneven watering, the plant cannot move calcium.",
                    210,
                ),
                ("jon", "Spray them with milk, the calcium fixes it.", 35),
                ("kay", ">2 No, calcium on the leaves does not reach the fruit. It is the watering.", 96),
                ("leo", "Blossom end rot here too, a drip line fixed it within two weeks.", 71),
                ("mia", "It is uneven watering, I mulch and the rot is gone.", 66),
                ("ned", "Eggshells never did anything for mine.", 20),
            ),
            _post(
                "t2",
                "vegetablegardening",
                "Blossom end rot in containers",
                "",
                ("oda", "Bigger pots helped me, small ones dry out by noon.", 33),
            ),
        ),
        "Blossom end rot from uneven watering; milk only as the refuted side.",
        leads=("blossom end rot",),
        cautions=("does not reach the fruit",),
        not_a_highlight=("Spray them with milk",),
    ),
    Discussion(
        "postgres",
        "is it safe to upgrade postgres 15 to 17 directly",
        (
            _post(
                "p1",
                "PostgreSQL",
                "Upgrade 15 -> 17 directly?",
                "About 400 GB, one replica.",
                ("rob", "You can go directly from 15 to 17 with pg_upgrade, no stop at 16 is needed.", 58),
                ("sue", "You have to go through 16, skipping a major version corrupts the catalog.", 9),
                (
                    "tom",
                    ">2 That is wrong. pg_upgrade supports upgrades from 9.2 and later to any newer major version.",
                    74,
                ),
                ("uma", "Run it with --check first. It found two extensions that were too old on ours.", 61),
                ("vic", "Remember to run analyze afterwards, statistics are not carried over.", 55),
                ("wes", "Upgraded 15 to 17 directly last month, 400 GB took 4 minutes with --link.", 47),
            ),
        ),
        "Yes, directly; both sides of 'through 16'; --check, analyze; agreement of rob and wes counted.",
        leads=("directly from 15 to 17", "15 to 17 directly"),
        cautions=("9.2 and later",),
        not_a_highlight=("corrupts the catalog",),
    ),
    Discussion(
        "etf",
        "should I sell my ETF before a crash",
        (
            _post(
                "e1",
                "Finanzen",
                "ETF verkaufen vor dem Crash?",
                "Alle reden vom Crash. Ich habe 40.000 im MSCI World und brauche das Geld in 15 Jahren.",
                ("paul", "Bei 15 Jahren Anlagehorizont einfach liegen lassen.", 140),
                ("quin", "Wer 2020 im März verkauft hat, hat die Erholung verpasst.", 92),
                ("rita", "Ich verkaufe alles und kaufe Gold, Gold fällt nie.", 4),
                ("sven", ">3 Gold ist zwischen 2011 und 2015 um 40 % gefallen.", 81),
                ("tina", "Beim Verkauf fallen 26,375 % Steuern auf den Gewinn an.", 66),
                ("udo", "Verkaufen lohnt sich bei 15 Jahren Horizont nicht.", 50),
            ),
        ),
        "Keep at 15 years, tax on sale; 'gold never falls' beside its refutation only.",
        leads=("liegen lassen", "lohnt sich"),
        cautions=("um 40 % gefallen",),
        not_a_highlight=("Gold fällt nie",),
    ),
    Discussion(
        "noise",
        "best tyre pressure for a gravel bike",
        (
            _post(
                "n1",
                "gravelcycling",
                "Tyre pressure?",
                "40 mm tubeless, I weigh 80 kg.",
                ("a", "lol", 120),
                ("b", "This.", 80),
                ("c", "Following!", 44),
                ("d", "Nice bike, what saddle is that?", 60),
                ("e", "I ride 2.2 bar front and 2.4 bar rear at 80 kg on 40 mm.", 15),
                ("f", "Depends on your weight, rims and the ground.", 12),
                (
                    "g",
                    "Sponsored: the new AirMax pump is 20% off with code RIDE20 https://pump.example/?utm_source=x",
                    3,
                ),
                ("h", "I am a bot, and this action was performed automatically.", 1),
                ("i", "At 78 kg 2.3 bar works for me, lower and the rim hits stones.", 10),
            ),
        ),
        "The two figures (2.2–2.4 bar at about 80 kg); no jokes, adverts, bots.",
        leads=("2.2 bar", "2.3 bar"),
        never=("RIDE20", "I am a bot", "Following", "Nice bike"),
    ),
    Discussion(
        "thin",
        "visa for remote work in Georgia the country",
        (
            _post(
                "v1",
                "digitalnomad",
                "Georgia remote work visa",
                "",
                ("zed", "Most passports can stay a year without any visa.", 3),
            ),
        ),
        "The one sentence, told as thin.",
        leads=("stay a year",),
    ),
    Discussion(
        "empty",
        "how to season a carbon steel wok",
        (
            _post(
                "x1", "wok", "How do I season a wok?", "", ("del", "[deleted]", 0), ("rem", "[removed]", 4)
            ),
            _post("x2", "wok", "Wok seasoning?", "Anyone? I could not find anything."),
        ),
        "A clear 'nothing to summarize': nobody answered.",
        never=("Anyone?",),
    ),
    Discussion(
        "baby-fever",
        "baby 8 weeks fever what to do",
        (
            _post(
                "b1",
                "NewParents",
                "8 week old with 38.3",
                "He drinks well and seems fine otherwise.",
                (
                    "doc",
                    "Any fever of 38 or more under three months needs a doctor today, also at night.",
                    300,
                ),
                (
                    "mum",
                    "Ours turned out to be a urine infection. We went to the emergency room at once.",
                    120,
                ),
                ("gran", "Give him 2.5 ml of the syrup every four hours and put him in a cool bath.", 25),
                (
                    "nurse",
                    ">3 Please do not give a newborn medicine without a doctor, and cold baths are dangerous.",
                    150,
                ),
                ("dad", "Take the temperature rectally, ear thermometers are wrong at that age.", 40),
            ),
        ),
        "Doctor today; no dose, no cool bath as advice; refusal leads the cautions.",
        leads=("needs a doctor today",),
        cautions=("do not give a newborn medicine",),
        never=("2.5 ml",),
    ),
    Discussion(
        "tenancy",
        "can my landlord keep the deposit for painting",
        (
            _post(
                "l1",
                "legaladvice",
                "Landlord wants to keep 600 for repainting",
                "Lived there six years, one scuff by the door.",
                ("jo", "Normal wear after six years is the landlord's cost, not yours.", 95),
                (
                    "ka",
                    "Paint has a useful life of about five years in most courts' view, so its value is zero.",
                    60,
                ),
                ("li", "He can keep it, the contract says you must repaint.", 14),
                (
                    "mo",
                    ">3 A clause like that is void in most places if it makes you repaint whatever the state.",
                    70,
                ),
                ("nu", "Ask for an itemised list in writing within 14 days.", 44),
                ("op", "Depends on the state, tell us where you live.", 52),
            ),
        ),
        "Wear and tear is the landlord's; both sides of the clause; itemised list.",
        leads=("wear",),
        cautions=("void",),
        not_a_highlight=("He can keep it",),
    ),
)
