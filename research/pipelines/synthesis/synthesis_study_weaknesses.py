"""Weaknesses of a table of studies: counted from its rows, never generated (spec: kinds.md, synthesis)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from citations.bibliography.author_names import author_names
from citations.claim_strength import author_key
from citations.credibility.evidence_concerns import Concern, ConcernKind, Severity
from citations.text.quote_normalizing import normalize
from research.pipelines.synthesis.synthesis_study_rows import Study, separate_authors

PREPRINT_SHARE = 0.30  # share of preprints from which they weaken the synthesis
SMALL = 100  # participants, or whatever was sampled
SMALL_SHARE = 0.5  # among the studies with a known size
_RANDOMIZED = re.compile(
    r"\b(?:randomi[sz]ed|randomi[sz]ation|rct|rcts|randomly (?:assigned|allocated)|randomisiert\w*)\b",
    re.IGNORECASE,
)
_NOT_RANDOMIZED = re.compile(
    r"\b(?:non|not|nicht|quasi)[\s-]*(?:randomi[sz]ed|randomisiert\w*)", re.IGNORECASE
)
_META = re.compile(r"\bmeta[\s-]?anal\w+", re.IGNORECASE)
_NARROW = {
    "women": r"wom[ae]n|females?|girls|mothers|pregnan\w+|frauen",
    "men": r"m[ae]n|males?|boys|männer",
    "children": r"child\w*|infants?|adolescents?|youth|pa?ediatric\w*|newborns?|kinder\w*|jugendliche\w*",
    "older people": r"elderly|older (?:adults?|people)|geriatric\w*|aged 6[05]\b.*|senior\w*|ältere\w*",
    "students": r"students?|undergraduates?|studierende\w*",
}


def weaknesses(studies: Sequence[Study]) -> list[Concern]:
    """Return the weaknesses in the order of their codes. Pure: equal rows give equal results."""
    return [
        *_preprints(studies),
        *_designs(studies),
        *_single_origin(studies),
        *_small(studies),
        *_narrow(studies),
    ]


def is_randomized(design: str) -> bool:
    """Return True for a randomized design.

    >>> is_randomized("randomised double-blind trial"), is_randomized("non-randomized trial")
    (True, False)
    """
    return bool(_RANDOMIZED.search(_NOT_RANDOMIZED.sub(" ", design)))


def is_meta_analysis(design: str) -> bool:
    return bool(_META.search(design))


def _preprints(studies: Sequence[Study]) -> Iterator[Concern]:
    count, total = sum(study.preprint for study in studies), len(studies)
    if count:
        is_much = count / total >= PREPRINT_SHARE
        severity = Severity.MEDIUM if is_much else Severity.LOW
        text = (
            "The study has not been peer reviewed."
            if total == 1
            else f"{count} of {total} studies ({100 * count / total:.0f} %) {'has' if count == 1 else 'have'} not been"
            " peer reviewed."
        )
        yield Concern("W040", ConcernKind.QUALITY, severity, text, "Look for the reviewed versions.")


def _designs(studies: Sequence[Study]) -> Iterator[Concern]:
    """Yield gaps in the designs. Nothing is concluded from a table in which few designs are given."""
    is_alone = len(studies) == 1
    if 2 * sum(bool(study.design) for study in studies) < max(1, len(studies)):
        return
    if not any(is_randomized(study.design) for study in studies):
        text = (
            "The study is not a randomized trial."
            if is_alone
            else f"None of {len(studies)} studies is a randomized trial."
        )
        advice = "Read what they find as associations, or look for trials."
        yield Concern("G040", ConcernKind.GAP, Severity.MEDIUM, text, advice)
    if not any(is_meta_analysis(study.design) for study in studies):
        text = (
            "The study is not a meta-analysis."
            if is_alone
            else f"None of {len(studies)} studies is a meta-analysis."
        )
        yield Concern(
            "G041",
            ConcernKind.GAP,
            Severity.MEDIUM,
            text,
            "Look for a review that puts the studies together.",
        )


def find_shared_origin(studies: Sequence[Study]) -> str:
    """Return what all studies have in common: "author", "journal", or "" if neither."""
    if len(studies) < 2:
        return ""
    authors = [
        {author_key(name) for name in author_names(separate_authors(study.authors))} - {""}
        for study in studies
    ]
    if set.intersection(*authors):
        return "author"
    journals = {normalize(study.journal) for study in studies}
    return "journal" if len(journals) == 1 and "" not in journals else ""


def _single_origin(studies: Sequence[Study]) -> Iterator[Concern]:
    if origin := find_shared_origin(studies):
        text = f"All {len(studies)} studies come from one {origin}."
        yield Concern("W041", ConcernKind.DIVERSITY, Severity.HIGH, text, "Look for studies by others.")


def _small(studies: Sequence[Study]) -> Iterator[Concern]:
    sizes = [study.sample_size for study in studies if study.sample_size is not None]
    small = sum(size < SMALL for size in sizes)
    if sizes and small / len(sizes) >= SMALL_SHARE:
        text = f"{small} of {len(sizes)} studies of known size have a sample smaller than {SMALL}."
        yield Concern(
            "W042", ConcernKind.QUALITY, Severity.MEDIUM, text, "Give more weight to the larger ones."
        )
    unknown = len(studies) - len(sizes)
    if unknown:
        text = f"{unknown} of {len(studies)} studies do not say how many took part."
        yield Concern(
            "W043", ConcernKind.QUALITY, Severity.LOW, text, "Look the sizes up before weighing the studies."
        )


def find_shared_population(studies: Sequence[Study]) -> str:
    """Return the common population of all studies that name one; "" if they differ."""
    named = [study.population for study in studies if study.population]
    if len(named) < 2:
        return ""
    if len(set(map(normalize, named))) == 1:
        return named[0]
    counts = Counter(
        group
        for text in named
        for group, words in _NARROW.items()
        if re.search(rf"\b(?:{words})\b", text, re.IGNORECASE)
    )
    return next((group for group in _NARROW if counts[group] == len(named)), "")


def _narrow(studies: Sequence[Study]) -> Iterator[Concern]:
    if group := find_shared_population(studies):
        text = f"All studies that name a population looked at the same one: {group}."
        yield Concern(
            "W044", ConcernKind.BIAS, Severity.MEDIUM, text, "Do not carry the findings over to other people."
        )
