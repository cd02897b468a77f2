# ruff: noqa: E501 - a sentence stays in one piece
"""Eight results of tasks in varied fields, each with what the person who ordered the brief would want of it.

`leads`: words that the first claim and the summary's first sentence have to hold. `covers`: words each of which has to
stand in some claim. `never`: words that no claim may hold. `edits`: (target, action, words of the value), each wanted.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class OrderedBrief:
    name: str
    wanted: str
    answer: str
    pages: tuple[tuple[str, str, str], ...]  # address, title, snippet
    confidence: float | str | None = 0.8
    context: dict[str, Any] = field(default_factory=dict)
    leads: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    edits: tuple[tuple[str, str, str], ...] = ()
    contradicted: bool = False

    @property
    def result(self) -> dict[str, Any]:
        return {
            "run_id": f"trun_{self.name}",
            "status": "completed",
            "processor": "core",
            "confidence": self.confidence,
            "reasoning": "",
            "answer": self.answer,
            "citations": [
                {"url": url, "title": title, "snippet": snippet} for url, title, snippet in self.pages
            ],
            "excerpts": [],
        }


BRIEFS: tuple[OrderedBrief, ...] = (
    OrderedBrief(
        "rotation",
        "The answer is against forced changes: it leads; the older guide stands as the other side, not first.",
        "No, do not force regular password changes: NIST (2017) tells verifiers not to require periodic changes, and"
        " Microsoft dropped password expiration from its baseline in 2019. An older telework guide from 2016 still asked"
        " for regular changes.",
        (
            (
                "https://csrc.nist.gov/telework",
                "NIST SP 800-114r1 (2016)",
                "Teleworkers should change their passwords regularly, based on the interval of their organization.",
            ),
            (
                "https://pages.nist.gov/800-63-3",
                "NIST SP 800-63B (2017)",
                "Verifiers SHOULD NOT require memorized secrets to be changed arbitrarily (e.g., periodically).",
            ),
            (
                "https://techcommunity.microsoft.com/baseline",
                "Security baseline for Windows 10 v1903 (2019)",
                "Microsoft is dropping the password expiration policies that require periodic password changes from its baseline.",
            ),
        ),
        context={"original_query": "Should we force employees to change passwords every 90 days?"},
        leads=("not",),
        covers=("Microsoft",),
    ),
    OrderedBrief(
        "statins",
        "Benefit, the age limit of the evidence and side effects, in that order; figures dated; no false contradiction.",
        "**Statins lower the risk of heart attack in people over 70, but evidence above 80 is thin.**\n\n"
        "- A 2019 meta-analysis of 28 trials found a 21% reduction in major vascular events per 1 mmol/L lower LDL.\n"
        "- In people over 75 without vascular disease the effect was not significant.\n"
        "- Muscle pain was as frequent with placebo in blinded trials.",
        (
            (
                "https://www.thelancet.com/ctt2019",
                "CTT Collaboration, Lancet 2019",
                "Overall, statin therapy produced a 21% proportional reduction in major vascular events per 1.0 mmol/L reduction"
                " in LDL cholesterol across 28 trials.",
            ),
            (
                "https://www.thelancet.com/ctt2019",
                "CTT Collaboration, Lancet 2019",
                "Among those older than 75 years without known vascular disease, the reduction in events was not significant.",
            ),
            (
                "https://www.bmj.com/muscle",
                "StatinWISE trial, BMJ 2021",
                "No difference in the frequency or severity of muscle symptoms was found between statin and placebo periods.",
            ),
        ),
        context={"original_query": "Are statins worth it after 70?"},
        leads=("tatin",),
        covers=("21%", "75", "uscle"),
        never=("**",),
    ),
    OrderedBrief(
        "kitchen-image",
        "Edits of the prompt: remove the harsh flash, add natural light from a window, replace the white tiles.",
        "Kitchen images sell better with natural light from a window and visible signs of use such as bread or herbs."
        " Avoid harsh flash and heavy saturation. Warm wooden surfaces are preferred over white tiles by 62% of viewers.",
        (
            (
                "https://www.nngroup.com/kitchen",
                "Nielsen Norman Group: Lifestyle images 2024",
                "We recommend natural light from a window: viewers rated such kitchens 18% more inviting.",
            ),
            (
                "https://www.houzz.com/study",
                "Houzz viewer study 2023",
                "62% of viewers preferred warm wooden surfaces over white tiles in kitchen pictures.",
            ),
            (
                "https://www.adobe.com/stock",
                "Adobe Stock visual trends 2024",
                "Avoid harsh flash and heavy saturation, which viewers associate with cheap catalogues.",
            ),
            (
                "https://www.shutterstock.com/food",
                "Shutterstock food guide 2024",
                "Signs of use such as a loaf of bread or fresh herbs make a kitchen look lived in and raised clicks by 12%.",
            ),
        ),
        context={
            "content_type": "image",
            "existing_content": "modern kitchen, white tiles, harsh flash, wide angle, no people",
            "user_comments": "Looks sterile. Can it feel more homely? Please keep the wide angle.",
        },
        covers=("natural light", "62%", "harsh flash"),
        edits=(
            ("negative_prompt", "add", "heavy saturation"),
            ("base_prompt", "replace", "wood"),
            ("style_modifier", "add", "natural light from a window"),
            ("base_prompt", "remove", "harsh flash"),
        ),
    ),
    OrderedBrief(
        "new-image",
        "An image without an existing prompt: claims, no edits.",
        "Cycling commuters respond to images of ordinary people in everyday clothes. Helmets should be shown in Germany, where"
        " 43% of adults wear them.",
        (
            (
                "https://www.adfc.de/bilder",
                "ADFC Bildsprache 2023",
                "Pictures of ordinary people in everyday clothes appeal to commuters more than athletes in racing dress.",
            ),
            (
                "https://www.bast.de/helm",
                "BASt Helmquote 2023",
                "In 2023, 43% of adult cyclists observed in German towns wore a helmet.",
            ),
        ),
        context={"content_type": "image", "original_query": "What should a bicycle commuting advert show?"},
        leads=("everyday clothes",),
        covers=("43%",),
    ),
    OrderedBrief(
        "skincare-image",
        "Portrait prompt with a negative part and comments: glossy skin out, soft light in, no 'we recommend' in negatives.",
        "Customers trust skincare images with visible skin texture and soft daylight. Heavy retouching lowers trust: 68% of"
        " women say they distrust it. Backgrounds should be pale and plain. Studies advise against showing needles or"
        " laboratory equipment.",
        (
            (
                "https://www.dove.com/report",
                "Dove Self-Esteem Report 2024",
                "68% of women say they distrust brands that use heavy retouching.",
            ),
            (
                "https://www.gettyimages.com/visualgps",
                "Getty Images VisualGPS 2024",
                "Visible skin texture and soft daylight make portraits appear more honest to consumers.",
            ),
            (
                "https://www.mintel.com/beauty",
                "Mintel Beauty 2023",
                "Brands should choose pale, plain backgrounds so that the skin stays the focus.",
            ),
            (
                "https://www.frontiersin.org/beauty",
                "Frontiers in Psychology 2022",
                "The authors advise against showing needles or laboratory equipment because it raises anxiety.",
            ),
        ),
        context={
            "content_type": "image",
            "existing_content": "close-up portrait of a woman, glossy flawless skin, heavy retouching, dark red background --no text",
            "user_comments": "too artificial; the background is too dark",
        },
        covers=("68%", "texture"),
        edits=(
            ("base_prompt", "remove", "heavy retouching"),
            ("negative_prompt", "add", "needles"),
            ("regional_constraint", "replace", "pale"),
            ("style_modifier", "add", "soft daylight"),
        ),
    ),
    OrderedBrief(
        "contract-law",
        "Against its own citation: the answer says 14 days, the source 30; told as contradicted.",
        "Consumers in the United Kingdom have 14 days to reject faulty goods for a full refund. After that the seller may repair"
        " or replace them.",
        (
            (
                "https://www.legislation.gov.uk/cra2015",
                "Consumer Rights Act 2015, section 22",
                "The time limit for exercising the short-term right to reject faulty goods is the end of 30 days.",
            ),
            (
                "https://www.citizensadvice.org.uk/faulty",
                "Citizens Advice: faulty goods",
                "After that time the seller has one chance to repair or replace the goods before you can ask for a refund.",
            ),
        ),
        context={"original_query": "How long can I return faulty goods in the UK?"},
        contradicted=True,
        never=("14 days",),
        covers=("30 days",),
    ),
    OrderedBrief(
        "heat-pump",
        "Six topics in the answer's order, each once; running cost, subsidy, noise, age of house, size, alternatives.",
        "Heat pumps work in unrenovated houses if the flow temperature stays below 55 °C.\n"
        "Running costs are about a quarter below gas at 2024 prices.\n"
        "The German subsidy covers up to 70% of the cost.\n"
        "Noise is limited to 35 dB(A) at night in residential areas.\n"
        "Most houses need no new radiators in every room.\n"
        "Hybrid systems are an option where 55 °C does not suffice.\n"
        "Installation takes three to five days.\n"
        "Waiting times fell to eight weeks in 2024.",
        (
            (
                "https://www.ise.fraunhofer.de/wp",
                "Fraunhofer ISE field test 2023",
                "In unrenovated houses heat pumps reached seasonal factors near 3 as long as the flow temperature stayed below 55 °C."
                " Hybrid systems are an option where 55 °C does not suffice."
                " Most of the houses measured needed no new radiators, or in single rooms only.",
            ),
            (
                "https://www.verbraucherzentrale.de/wp",
                "Verbraucherzentrale 2024",
                "At 2024 prices running costs are about a quarter below those of gas.",
            ),
            (
                "https://www.kfw.de/458",
                "KfW 458, 2024",
                "The subsidy covers up to 70% of the eligible cost of a new heat pump.",
            ),
            (
                "https://www.umweltbundesamt.de/laerm",
                "TA Lärm",
                "In purely residential areas the limit at night is 35 dB(A).",
            ),
            (
                "https://www.waermepumpe.de/bwp",
                "BWP 2024",
                "Installation takes three to five days, and waiting times fell to eight weeks in 2024.",
            ),
        ),
        context={"original_query": "Does a heat pump make sense in an old house?"},
        leads=("unrenovated",),
        covers=("quarter", "70%", "35 dB", "radiators", "Hybrid"),
    ),
    OrderedBrief(
        "thin-travel",
        "Low confidence but above 0.3, one page: what it says, nothing made up.",
        "Trains between Tbilisi and Batumi take about five hours and run twice a day.",
        (
            (
                "https://www.railway.ge/en",
                "Georgian Railway timetable",
                "Tbilisi - Batumi: express trains, travel time 5 hours 10 minutes, departures 08:00 and 17:05.",
            ),
        ),
        confidence="medium",
        context={"original_query": "train Tbilisi Batumi"},
        covers=("Batumi",),
    ),
)
