"""In which direction a study's finding points: as its table says, else by the words of the finding."""

import re

from research.pipelines.synthesis.studies import Direction

_SAID = {
    Direction.BENEFIT: "benefit beneficial improvement improved better favorable effective protective",
    Direction.HARM: "harm harmful worse adverse detrimental risk unfavourable unfavorable",
    Direction.POSITIVE: "positive increase increased higher up + found detected yes",
    Direction.NEGATIVE: "negative inverse decrease decreased lower down - reduced",
    Direction.NULL: "null none no neutral zero 0 ns n.s. non-significant nonsignificant insignificant",
    Direction.MIXED: "mixed inconsistent both varied partial",
    Direction.DESCRIPTIVE: "descriptive description n/a na neither",
}
_NULL = re.compile(
    r"\bno (?:\w+ ){0,3}(?:association|effect|difference|evidence|support|benefit|relationship|link|change"
    r"|improvement|correlation)"
    r"|\b(?:not|neither|nor|none) (?:\w+ ){0,4}(?:associated|differ\w*|improve\w*|significant|detected"
    r"|found|support\w*|reduce\w*)"
    r"|\bdetected in none\b|\bfail(?:ed|s)? to (?:show|support|find|detect|improve|demonstrate)",
    re.IGNORECASE,
)
_HARM = re.compile(
    r"\b(?:higher|increased?|greater|elevated|more) (?:\w+ ){0,2}(?:mortality|risk|harm|death\w*|adverse"
    r"|complication\w*|relapse\w*|pain)"
    r"|\b(?:worse\w*|harm\w*|hazardous|toxic\w*|detriment\w*)\b",
    re.IGNORECASE,
)
_BENEFIT = re.compile(
    r"\b(?:lower|reduced?|decreased?|fewer|less) (?:\w+ ){0,3}(?:mortality|risk|death\w*|adverse"
    r"|complication\w*|relapse\w*|pain|symptom\w*"
    r"|depression|incidence|infection\w*)|\b(?:better|improv\w+|protective|efficacy|effective|benefi\w+"
    r"|more precise)\b",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\bpositive(?:ly)? (?:associat|correlat)\w+|\b(?:increas\w+|higher|greater|rose)\b", re.IGNORECASE
)
_DOWN = re.compile(
    r"\b(?:negative(?:ly)?|inverse(?:ly)?) (?:associat|correlat)\w+|\b(?:decreas\w+|lower|fell|declin\w+"
    r"|reduc\w+)\b",
    re.IGNORECASE,
)


def parse_direction(text: str) -> Direction | None:
    """Return the direction that a column states, by its first word that names one; None where none does.

    >>> parse_direction("Harmful")
    <Direction.HARM: 'harm'>
    """
    for word in re.findall(r"[\w./+-]+", text.casefold()):
        for direction, words in _SAID.items():
            if word in words.split() or word == direction.value:
                return direction
    return Direction.UNCLEAR if text.strip().casefold() in ("unclear", "unknown", "?") else None


def direction_of(finding: str) -> Direction:
    """By the finding's own words; two directions in one finding are mixed."""
    is_null = bool(_NULL.search(finding))
    rest = _NULL.sub(" ", finding)
    found = [name for name, words in _PATTERNS if words.search(rest)]
    if Direction.BENEFIT in found and Direction.HARM in found:
        return Direction.MIXED
    if is_null:
        return Direction.MIXED if found else Direction.NULL
    return found[0] if found else Direction.UNCLEAR


_PATTERNS = (
    (Direction.HARM, _HARM),
    (Direction.BENEFIT, _BENEFIT),
    (Direction.POSITIVE, _UP),
    (Direction.NEGATIVE, _DOWN),
)
