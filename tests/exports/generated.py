"""Twenty documents made by code: every shape that a file may have to hold. `document(name, kind)` makes one.

Each is the same whenever it is made. Those of `LONG` take seconds in slow formats.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from random import Random

from exports.document.document_tree import (
    BlockEntry,
    ChartEntry,
    CircumstanceEntry,
    ContradictionEntry,
    DegradationEntry,
    Document,
    Factor,
    FolderEntry,
    InstructionEntry,
    IssueEntry,
    LeftOutEntry,
    PointEntry,
    SearchedEntry,
    SettingEntry,
    SourceEntry,
    UnreadEntry,
    VerificationEntry,
    WarningEntry,
)
from tests.exports import hostile, tabled
from tests.exports.answered import build_answer
from tests.exports.drafting import Draft, make_list, prose

KINDS = ("report", "table", "brief", "digest", "synthesis", "technical")
SUBJECTS = ("The seasonal factor", "Backup heating", "The mean cost", "Noise at night", "Demand in January")
VERBS = ("rose by", "fell by", "stayed near", "reached", "differed by")


def document(name: str, kind: str = "report") -> Document:
    """Raises KeyError for a name that is none of `NAMES`."""
    return replace(_make_document(name), kind=kind)


@cache
def _make_document(name: str) -> Document:
    return _MAKERS[name](Draft(name))


def _sentence(random: Random) -> str:
    subject, verb = random.choice(SUBJECTS), random.choice(VERBS)
    share, sites, year = random.randrange(2, 90), random.randrange(2, 40), random.randrange(2005, 2026)
    return f"{subject} {verb} {share} percent at {sites} sites in {year}."


def report_of(draft: Draft, claims: int, sources: int, a_section: int = 12) -> Document:
    """A report of that many claims; each cites one to three sources, the next one while there are new ones."""
    made: list[SourceEntry] = []
    stated = []
    for number in range(claims):
        if len(made) < sources:
            made.append(
                draft.source(
                    f"Field study {number + 1}: heat pumps in the cold", media_type=_MEDIA[number % 3]
                )
            )
        others = draft.random.sample(made[:-1], min(len(made) - 1, number % 3))
        stated.append(
            draft.claim(
                _sentence(draft.random), made[-1] if number < sources else draft.random.choice(made), *others
            )
        )
    for index in range(0, claims, a_section):
        part = stated[index : index + a_section]
        cut = len(part) // 2
        draft.section(
            f"What the studies found, part {index // a_section + 1}",
            prose(*part[:cut]),
            make_list(*part[cut:]),
        )
    return draft.document("Do heat pumps work below −15 °C?", summary=tuple(one.text for one in stated[:3]))


_MEDIA = ("text/html", "application/pdf", "text/csv")


def _empty(draft: Draft) -> Document:
    return draft.document(
        "A question that was never begun", status="partial", made_at=None, cost_usd=None, seconds=None
    )


def _insufficient(draft: Draft) -> Document:
    near = draft.claim("The trial did not look at sites above 900 m.", draft.source())
    draft.section("Nearest passages", prose(near, kind="quote"))
    return draft.document(
        "How loud is the R290 unit at 1 200 m?",
        status="insufficient_evidence",
        reasons=("No passage names the unit.", "No source gives a level in decibel."),
        looked_for=("R290", "1 200 m"),
    )


def _one_claim(draft: Draft) -> Document:
    draft.section("Answer", prose(draft.claim("Oil fell by 30 percent.", draft.source())))
    return draft.document("Did oil fall?", summary=("Oil fell by 30 percent.",))


def _one_source(draft: Draft) -> Document:
    source = draft.source("The only study", media_type="application/pdf")
    draft.section(
        "All from one", make_list(*(draft.claim(_sentence(draft.random), source) for _ in range(9)))
    )
    return draft.document("What does the only study say?")


def _many_citations(draft: Draft) -> Document:
    claim = draft.claim("Nine of eleven sites stayed above two.", *(draft.source() for _ in range(14)))
    twice = replace(
        claim, citations=(*claim.citations, draft.citation(claim.citations[0].source, "It says so twice."))
    )
    draft.section("One claim, many voices", prose("As all of them say:", twice, "And nobody objects."))
    return draft.document("Does everybody agree?")


def _right_to_left(draft: Draft) -> Document:
    source = draft.source(
        "تقرير عن المضخات الحرارية", author="ليلى حداد", publisher="معهد الطاقة", language="ar"
    )
    other = draft.source("משאבות חום בחורף", author="דנה לוי", publisher="המכון", language="he", published="")
    draft.section(
        "النتائج",
        prose(
            draft.claim("انخفض الاستهلاك بنسبة 12% في تسعة مواقع.", source),
            draft.claim("הצריכה ירדה ב־12 אחוזים (Nordhaus Energy, 2024).", source, other),
        ),
        make_list(draft.claim("بلغت التكلفة 1,200 يورو في عام 2024.", other)),
    )
    return draft.document(
        "هل تعمل المضخات الحرارية تحت ١٥ درجة؟", language="ar", summary=("انخفض الاستهلاك.",)
    )


def _scripts(draft: Draft) -> Document:
    texts = (
        "热泵在零下十五度仍能工作。",
        "ヒートポンプは寒冷地でも動く。",
        "Größe, Straße, Öl; naïve façade – “quoted”.",
        "Δ = 5 µm ≤ 10 Å ± ½",
        "👩‍👩‍👧 😀 𝕏",
    )
    draft.section(
        "Scripts 漢字",
        make_list(*(draft.claim(text, draft.source(f"源 {text[:6]}", author="王小明")) for text in texts)),
    )
    return draft.document("漢字 und Größe 😀")


def _contradictions(draft: Draft) -> Document:
    first, second, third = draft.source(), draft.source(), draft.source()
    a = draft.claim("Costs rose by 12 percent.", first, contradiction_status="contested")
    b = draft.claim("Costs rose by 21 percent.", second, contradiction_status="contested")
    outside = replace(draft.claim("Costs fell.", third), number=0)
    draft.claims -= 1
    draft.section("Costs", prose(a, b, draft.claim("Nobody measured 2020.", third)))
    apart = CircumstanceEntry("date", ("2019",), ("2023",), "apart")
    one_sided = CircumstanceEntry("place", (), ("Graz",), "one_sided")
    pair = ContradictionEntry(
        id=draft.id(),
        kind="numeric",
        a=a,
        b=b,
        resolution="presented_both",
        note="Measured in different winters.",
        mine="12 percent",
        theirs="21 percent",
        circumstances=(apart, one_sided),
        scores_a=(Factor("authority", 0.8), Factor("recency", 0.5)),
        scores_b=(Factor("authority", 0.7), Factor("recency", 0.9)),
        margin=0.05,
    )
    settled = ContradictionEntry(
        draft.id(), "polarity", a, outside, "human", "", winner="a", decided_by="Ada"
    )
    return draft.document("Did costs rise?", contradictions=(pair, settled))


def _hostile(draft: Draft) -> Document:
    claims = [
        draft.claim(
            text, draft.source(text, author=text, publisher=text, url=f"https://a.example/?q={index}")
        )
        for index, text in enumerate(hostile.ALL)
    ]
    draft.section(hostile.MARKUP[0], prose(*claims[::2], kind="paragraph"), make_list(*claims[1::2]))
    draft.section(
        hostile.MARKDOWN[0], *(prose(text) for text in hostile.ALL), prose(*hostile.ALL, kind="quote")
    )
    return draft.document(
        f"{hostile.MARKUP[0]} {hostile.FORMULAS[0]} {hostile.MARKDOWN[0]}: 'x' \"y\"",
        summary=hostile.ALL[:3],
        queries=hostile.ALL,
        left_out=tuple(LeftOutEntry(text, text) for text in hostile.ALL),
        gaps=tuple(WarningEntry("W001", "gap", "high", text, text, computed=True) for text in hostile.ALL),
        unread=(UnreadEntry(hostile.FORMULAS[4], hostile.MARKUP[1]),),
    )


def _hostile_sources(draft: Draft) -> Document:
    addresses = (
        "javascript:alert(1)",
        "data:text/html,x",
        'https://a.example/"><script>',
        "https://a.example/a b{}\\_%",
        "",
    )
    sources = [draft.source(f"Source {address}", url=address, domain="", file="") for address in addresses]
    draft.section(
        "Addresses", make_list(*(draft.claim(f"Said by {source.title}.", source) for source in sources))
    )
    return draft.document("Where do the links lead?")


def _charts(draft: Draft) -> Document:
    points = (
        PointEntry("Strong", 5, "strong"),
        PointEntry("<Limited> & more", 2, "limited"),
        PointEntry("None", 0),
    )
    years = tuple(PointEntry(str(year), year % 7 + 0.5) for year in range(2016, 2026))
    draft.section(
        "Figures",
        prose(draft.claim("Five are strong.", draft.source())),
        BlockEntry(
            "chart",
            chart=ChartEntry("Strength of evidence", "Evidence", points, summary=("Most are strong.",)),
        ),
        BlockEntry(
            "chart",
            chart=ChartEntry("By year", "Year", years, kind="columns", unit="%", summary=("It varies.",)),
        ),
        BlockEntry("chart", chart=ChartEntry("Nothing", "Nothing", ())),
    )
    return draft.document("How strong is it?")


def _findings(draft: Draft) -> Document:
    claim = draft.claim("Demand rose.", draft.source(), verification_status="partially_supported")
    draft.section("Demand", prose(claim))
    draft.source("Broken", is_cited=False)
    issue = IssueEntry(
        claim.text,
        1,
        "Demand, 1",
        "inaccurate",
        "major",
        "The source says demand fell.",
        "Say “fell”.",
        "Demand fell.",
        "open",
    )
    return draft.document(
        "What is wrong with it?",
        verification=VerificationEntry(
            "needs_revision", "strict", 0.5, {"partially_supported": 1, "left_out": 1}, (issue,)
        ),
        gaps=(
            WarningEntry(
                "W001", "gap", "high", "No source is from after 2020.", "Search again.", computed=True
            ),
        ),
        warnings=(WarningEntry("W010", "quality", "low", "One publisher.", "", computed=False),),
        left_out=(LeftOutEntry("Electricity rose by 12 percent.", "Off the question."),),
        degradations=(DegradationEntry("shallow_extraction", "Tokens ran short.", 0.2),),
        searched=SearchedEntry((FolderEntry("sample", 59),), is_whole=False, has_web=True),
        settings=(SettingEntry("regions", ("eu", "ch")),),
        unread=(UnreadEntry("https://gone.example", "It is gone."),),
        instructions=(InstructionEntry("Look at Austria.", "taken", ("Two searches were added.",)),),
    )


def _failure(draft: Draft) -> Document:
    draft.section("Finished before", prose(draft.claim("This much was found.", draft.source())))
    draft.section("Never written")
    return draft.document("Why did it fail?", status="failed", cost_usd=None)


def _unknown_works(draft: Draft) -> Document:
    """Sources of which hardly anything is known; a claim that nothing stands on."""
    bare = draft.source(author="", publisher="", published="", url="", domain="", title="x")
    nameless = replace(bare, id=draft.id(), number=2, title="", url="https://nameless.example/")
    draft.sources.append(nameless)
    draft.texts[nameless.id] = ""
    draft.section(
        "",
        prose(
            draft.claim("A.", bare), draft.claim("B.", nameless, bare), draft.claim("C stands on nothing.")
        ),
    )
    return draft.document("?", language="", engine="model")


def _deep(draft: Draft) -> Document:
    """Sections below sections, a quotation, words without a claim."""
    source = draft.source(published="2023-13", file="reports/one.pdf", url="", media_type="application/pdf")
    for level, heading in ((1, "Top"), (2, "Below"), (3, "Further below"), (2, "Below again"), (1, "Top")):
        draft.section(
            heading,
            prose("Words between.", draft.claim(f"{heading} is said.", source), kind="quote"),
            level=level,
        )
    return draft.document("How deep does it go?\nVery deep.")


Maker = Callable[[Draft], Document]
_MAKERS: Mapping[str, Maker] = {
    "empty": _empty,
    "insufficient": _insufficient,
    "one_claim": _one_claim,
    "one_source": _one_source,
    "many_citations": _many_citations,
    "sixty_claims": lambda draft: report_of(draft, 60, 25),
    "three_hundred_claims": lambda draft: report_of(draft, 300, 90),
    "right_to_left": _right_to_left,
    "scripts": _scripts,
    "contradictions": _contradictions,
    "hostile": _hostile,
    "hostile_sources": _hostile_sources,
    "table": lambda draft: tabled.table_of(draft, 40),
    "table_hostile": tabled.hostile_table,
    "table_within": tabled.table_within,
    "table_and_prose": tabled.table_and_prose,
    "table_under_way": tabled.table_under_way,
    "charts": _charts,
    "findings": _findings,
    "failed": _failure,
    "unknown_works": _unknown_works,
    "deep": _deep,
    "answer_tables": build_answer,
}
NAMES = tuple(_MAKERS)
LONG = frozenset({"three_hundred_claims"})
