"""Tell whether a sentence of a source says the opposite of a statement, in English and German. Pure.

Two sentences are opposite if they are about the same, and only one of them denies it, judges it well, calls it
necessary, or says that it has an effect. That a word is missing makes nothing the opposite.
"""

import re
from collections.abc import Iterator

from citations.contradiction.claim_statement_conflicts import ConflictKind, difference
from citations.entities.find_place_entities import find_places
from citations.text.claim_polarity import opposites
from citations.text.claim_words_and_stems import content_stems

ABOUT = 0.75  # least share of a statement's content words in a clause that denies it
MOSTLY = 0.6  # the same share if they have more content words in common
JUDGED = 0.5  # the same share in a clause that judges or needs otherwise
MIN_ABOUT = 2  # content words
FAMILY = 5  # letters of a stem that may begin or end another word: “Geräte”, “Außengeräte”

_NOT = re.compile(
    r"\b(?:not|never|no|none|neither|cannot|without|against|\w+n['’]t|nicht|nie|niemals|kein\w*|ohne|gegen)\b",
    re.IGNORECASE,
)
_ANSWERED_NO = re.compile(r"^\W*no[,.;:]", re.IGNORECASE)  # the sentence that follows says what it denies
# These deny a thing, not a sentence: “An hour without screens” and “switching off screens” say the same.
_LACKING = re.compile(r"without|ohne", re.IGNORECASE)
# What a thing does not do: the words before it are the thing.
_NO_EFFECT = re.compile(
    r"\b(?:(?:ma(?:kes?|de)|ha(?:s|ve|d)|show(?:s|ed)) (?:no|little) (?:\w+ )?(?:difference|effect|influence|benefit)"
    r"|(?:does|do|did) (?:nothing|not (?:work|help|change|affect|improve))"
    r"|(?:is|are|was|were) (?:useless|pointless|ineffective)|(?:difference|effect)\b[^.;]{0,20}\bnot significant"
    r"|(?:bring|nütz|nutz|bewirk|ha(?:t|b|tt))\w* (?:\w+ ){0,2}(?:nichts|keine? (?:\w+ )?(?:wirkung"
    r"|effekt|einfluss|nutzen|unterschied))|(?:ist|sind|war|waren) (?:nutzlos|wirkungslos|zwecklos))",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?:prevent\w*|block(?:s|ed)|stopp?(?:s|ed)|avert\w*|protect\w*|fine|safe|harmless|learn|beats?|verhinder\w*|wehr\w*"
    r"|stopp\w*|schütz\w*|halbier\w*)\b",
    re.IGNORECASE,
)
_LACKED = re.compile(r"\b(?:[a-z]+-free|without|ohne|[a-zäöü]{4,}frei(?:e[nrsm]?)?)\b", re.IGNORECASE)
_TAKES_LONGER = re.compile(
    r"\b(?:takes?|took|last(?:s|ed)?|dauer\w*) (?:\w+ ){0,4}?(?:longer|länger)\b", re.IGNORECASE
)
_GOOD = re.compile(
    r"\b(?:best|better|good|effective\w*|efficient|improv\w+|help(?:s|ed|ful)|benefi\w+|useful|works?|worked|protects?"
    r"|beste[mnrs]?|besser\w*|gut|wirksam\w*|wirkungsvoll\w*|hilft|helfen|hilfreich\w*|nützlich\w*|sinnvoll\w*|schützt"
    r"|verbesser\w+)\b",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:worse|worst|bad|harmful|harms?|useless|ineffective\w*|inefficient|pointless|hinder\w*"
    r"|(?:little|hardly|barely) (?:\w+ )?(?:effective|effect|use|help|benefit)|damag\w+"
    r"|schlecht\w*|schädlich\w*|schadet|schaden|nutzlos\w*|unwirksam\w*|wirkungslos\w*|sinnlos\w*|verschlechter\w+"
    r"|(?:wenig|kaum) (?:wirksam\w*|hilfreich\w*|nützlich\w*|sinnvoll\w*))\b",
    re.IGNORECASE,
)
_SUBJECT_END = re.compile(rf"[,;]|\b(?:but|and|aber|und)\b|{_GOOD.pattern}|{_BAD.pattern}", re.IGNORECASE)
_COMPARED = re.compile(r"\b(?:than|compared (?:to|with)|als)\b[^,.;()]*", re.IGNORECASE)
_NEED_WORDS = re.compile(
    r"\b(?:must|necessary|needed|needs?|requires?|required|indispensable|essential|notwendig|nötig|erforderlich|unverzichtbar"
    r"|zwingend|strictly|brauch\w*|muss|müssen|works?|geht)\b",
    re.IGNORECASE,
)
_NOT_WITHOUT = re.compile(
    r"\b(?:without|ohne)\b.*\b(?:not|cannot|no|nicht|nichts|kein\w*)\b|\b(?:not|cannot|nicht|nichts)\b.*\b(?:without|ohne)\b",
    re.IGNORECASE,
)
_UNNEEDED = re.compile(
    r"\b(?:not (?:\w+ )?(?:necessary|needed|required)|unnecessary|no need|optional|(?:do|does|need)(?:n['’]t| not) need"
    r"|(?:nicht|kein\w*) (?:\w+ )?(?:notwendig|nötig|erforderlich)|unnötig\w*|braucht? (?:\w+ ){0,2}(?:kein\w*|nicht)"
    r"|auch ohne)\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[.;:!?](?:\s|$)|,?\s(?:and|but|while|whereas|und|aber|sondern|während)\s")
_LITTLE = re.compile(
    r"\b(?:der|die|das|den|dem|des|ein\w{0,2}|ist|sind|war|waren|es|er|sie|man|geht|im|in|an|auf|für|mit|von|zu|dein\w*|ihr\w*"
    r"|always|never|immer|alle\w*|every|all|should|shall|sollte\w*|steh\w+|keep|kept|using|used)\b",
    re.IGNORECASE,
)


_FALLS = re.compile(
    r"\b(?:fell|falls?|decreas\w+|declin\w+|dropp?(?:ed|s)?|reduc\w+|lower(?:s|ed)?|shrank|sank\w*|sinkt|gesunken|verringer\w+"
    r"|senk\w+|gesenkt|zurückgegangen|abgenommen)\b|\bg(?:ing|ingen|eht)\b.*\bzurück\b|\bn(?:ahm|ahmen|immt)\b.*\bab\b",
    re.IGNORECASE,
)
_RISES = re.compile(
    r"\b(?:rose|rises?|risen|increas\w+|grew|grows?|raise[sd]?|climb\w*|doubl\w+|stieg\w*|steig\w+|gestiegen|erhöh\w+"
    r"|zugenommen|verdoppel\w+)\b|\bn(?:ahm|ahmen|immt)\b.*\bzu\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    rf"{_FALLS.pattern}|{_RISES.pattern}|\b(?:ging|gingen|geht|nahm|nahmen|nimmt|zurück|ab|zu|nicht|messbar)\b|\d[\d.,]*"
    r"|\b(?:percent|prozent|above|below|over|under|x|significantly|markedly|slightly|deutlich|leicht|um)\b",
    re.IGNORECASE,
)


def find_opposite(statement: str, text: str, title: str = "") -> str:
    """Return the clause of a text that says the opposite of the statement; empty if none does.

    `title`: that of the page, which names the subject of its sentences.

    >>> find_opposite("The fans make no noise.", "The outdoor fans make noise and need room.", "Fans")
    'The outdoor fans make noise'
    >>> find_opposite("Tilted windows are the best remedy.", "Tilted windows are of little use, and cool the walls.")
    'Tilted windows are of little use'
    >>> find_opposite("It does not work without a boiler.", "A boiler is not strictly necessary.")
    'A boiler is not strictly necessary'
    >>> find_opposite("Soap is better than tilted windows.", "Tilted windows are of little use.")
    ''
    """
    if (
        _changes(statement) * _changes(text) < 0
        and share_words(statement, text, but=(_CHANGES, _NOT)) >= MOSTLY
    ):
        return text
    if _differ_in_effect(statement, text):
        return text
    found = next((clause for clause in _clauses(text) if _is_opposite(statement, clause, title)), "")
    # The clause that is most like the statement decides: “with four loads it was recovered; with one it was not”.
    share = share_words(statement, found, title) if found else 0.0
    others = (clause for clause in _clauses(text) if clause != found)
    return "" if any(share_words(statement, other, title) > max(share, JUDGED) for other in others) else found


def closest_clause(statement: str, text: str) -> str:
    """Return the clause of a text that shares most words with the statement."""
    return max(_clauses(text), key=lambda clause: share_words(statement, clause), default=text)


def _clauses(text: str) -> Iterator[str]:
    start = 0
    for cut in [*(found.span() for found in _CLAUSES.finditer(text)), (len(text), len(text))]:
        clause = text[start : cut[0]].strip(" ,")
        start = cut[1]
        if clause:
            yield clause


def _is_opposite(statement: str, clause: str, title: str) -> bool:
    is_demanded = _NOT_WITHOUT.search(clause) and not denies(statement)  # it demands what the other does
    if is_demanded or are_of_other_places(statement, clause):
        return False
    found = difference(statement, clause)
    if (
        _differ_in_effect(statement, clause)
        or _differ_in_effect(clause, statement)
        or _are_contrary(statement, clause, title)
        or (found is not None and found.kind is ConflictKind.POLARITY)
    ):
        return True
    if _says_needed(statement) and _UNNEEDED.search(clause):
        return share_words(statement, clause, title, but=(_UNNEEDED, _NEED_WORDS, _NOT)) >= JUDGED
    if _changes(statement) * _changes(clause) < 0:
        return share_words(statement, clause, but=(_CHANGES, _NOT)) >= MOSTLY
    if denies(statement) != denies(clause) and not _judges(statement):
        shared = len(_subject(statement, _NOT) & _subject(clause, _NOT))
        share = share_words(statement, clause, title, but=(_NOT,))
        return shared >= MIN_ABOUT and share >= (ABOUT if shared == MIN_ABOUT else MOSTLY)
    judged = _judges(_COMPARED.sub(" ", statement)) * _judges(_COMPARED.sub(" ", clause))
    return judged < 0 and _is_judged_alike(statement, clause, title)


def are_of_other_places(statement: str, clause: str) -> bool:
    """Return True if both name places, and none of the same: what holds in Austria denies nothing of Germany."""
    ours, theirs = ({found.key for found in find_places(text)} for text in (statement, clause))
    return bool(ours and theirs) and not ours & theirs


def _differ_in_effect(claiming: str, denying: str) -> bool:
    """Return True if one text says that a thing has an effect, and the other that the same thing has none."""
    none = _NO_EFFECT.search(denying)
    if none is None or _NO_EFFECT.search(claiming) or denies(claiming):
        return False
    has_effect = any(pattern.search(claiming) for pattern in (_GOOD, _FALLS, _RISES, _EFFECT))
    thing = _words(_SUBJECT_END.split(denying[: none.start()], maxsplit=1)[0])
    said = _words(claiming)
    is_named = all(any(_are_of_family(word, other) for other in said.items()) for word in thing.items())
    return has_effect and is_named and bool(thing)


def _are_contrary(statement: str, clause: str, title: str) -> bool:
    """Return True if the two differ in words of contrary meaning: “dries faster”, “takes longer to dry”."""
    ours, theirs = (content_stems(_TAKES_LONGER.sub("slower", text)) for text in (statement, clause))
    contrary = {stem for stem in ours if opposites(stem) & theirs and not opposites(stem) & ours}
    is_lacked = bool(_LACKED.search(statement)) != bool(_LACKED.search(clause))
    if not contrary or is_lacked or denies(statement) != denies(clause):
        return False
    rest = " ".join(word for word in statement.split() if not content_stems(word) <= contrary)
    return (
        len(_subject(rest) & _subject(f"{clause} {title}")) >= MIN_ABOUT
        and share_words(rest, clause, title) >= JUDGED
    )


def denies(text: str) -> bool:
    """Return True for one denial; “not without” is none, and “without” alone denies only a thing.

    >>> denies("No, it is not recommended."), denies("It is not without risk."), denies("An hour without screens.")
    (True, False, False)
    """
    found = _NOT.findall(_ANSWERED_NO.sub("", text))
    return len(found) % 2 == 1 and not all(map(_LACKING.fullmatch, found))


def _changes(text: str) -> int:
    """Return 1 for a text in which something rises, -1 for one in which it falls; 0 for others and for both."""
    signs = [sign for pattern, sign in ((_FALLS, -1), (_RISES, 1)) if pattern.search(text)]
    if len(signs) != 1:
        return 0
    return -signs[0] if denies(text) else signs[0]


def _says_needed(text: str) -> bool:
    return bool(_NEED_WORDS.search(text) or _NOT_WITHOUT.search(text)) and not _UNNEEDED.search(text)


def _is_judged_alike(statement: str, clause: str, title: str) -> bool:
    about = _COMPARED.sub(" ", statement)
    shared = _subject(about, _GOOD, _BAD, _NOT) & _subject(clause, _GOOD, _BAD, _NOT)
    return bool(shared) and share_words(about, clause, title, but=(_GOOD, _BAD, _NOT)) >= JUDGED


def _judges(text: str) -> int:
    """Return 1 for a text that judges something well, -1 for one that judges it badly; 0 for others and for both."""
    signs = {sign for pattern, sign in ((_BAD, -1), (_GOOD, 1)) if pattern.search(text)}
    if _BAD.search(text) and not _GOOD.search(_BAD.sub(" ", text)):
        signs = {-1}  # “little effective”
    if len(signs) != 1:
        return 0
    return -signs.pop() if denies(text) else signs.pop()


def share_words(
    statement: str, clause: str, title: str = "", *, but: tuple[re.Pattern[str], ...] = ()
) -> float:
    """Return the share of the statement's content words that the clause or its title has, without the given words."""
    mine, theirs = _words(statement, *but), _words(f"{clause} {title}", *but)
    shared = sum(any(_are_of_family(word, other) for other in theirs.items()) for word in mine.items())
    return shared / len(mine) if mine else 0.0


def _subject(text: str, *but: re.Pattern[str]) -> frozenset[str]:
    return frozenset(_words(text, *but).values())


def _words(text: str, *but: re.Pattern[str]) -> dict[str, str]:
    """Return the stem of each content word of the text without the given words."""
    for pattern in (*but, _LITTLE):
        text = pattern.sub(" ", text)
    return {word: stem for word in re.findall(r"\w+", text.casefold()) for stem in content_stems(word)}


def _are_of_family(first: tuple[str, str], second: tuple[str, str]) -> bool:
    """Return True for equal stems, and for words of which one begins or ends with the other: “Außengeräte”."""
    (short, _), (long, _) = sorted((first, second), key=lambda word: len(word[0]))
    is_part = len(short) >= FAMILY and (long.startswith(short) or long.endswith(short))
    return first[1] == second[1] or is_part
