"""Find who contradicts and who supports whom in a discussion, before a digest chooses its sentences. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from citations.contradiction.claim_statement_conflicts import ConflictKind, difference
from citations.find_quantities import QuantityKind, find_quantities
from citations.text.claim_words_and_stems import content_stems, stem
from research.pipelines.digest.digest_post_texts import Utterance

SHORTEST = 20  # characters of a sentence that is informative on its own
SAME = 0.6  # share of the shorter sentence's content words in the other, from which both say the same
SAME_THREAD = 0.5  # the same share for two comments under one post of which one denies words of the other
MIN_SHARED = 2  # content words
MAX_COMPARED = 60  # pairs of sentences with figures under one post
OUTVOTED = 3  # an answer with this many times the votes of a claim corrects it, even without denying it

_DENIES = re.compile(
    r"^(?:no\b(?! (?:idea|one|problem|need))|nope|nah\b|not (?:true|really|quite|correct|at all|necessarily)"
    r"|wrong|(?:i )?disagree"
    r"|actually|myth|survivorship|on the contrary|citation needed|(?:terrible|bad|awful|dangerous) (?:advice|idea)"
    r"|(?:that|this)(?: is|['’]s| was|) (?:\w+ly )?(?:not|wrong|false|terrible|bad|dangerous|incorrect|nonsense"
    r"|illegal|awful|outdated"
    r"|bullshit|an? (?:myth|bad|terrible|bootleg|dangerous|misconception))"
    r"|(?:please )?(?:do not|don['’]?t|never)\b|nein\b|falsch|unsinn|quatsch|stimmt (?:so )?nicht"
    r"|das (?:ist|war) (?:falsch|nicht|unsinn|quatsch|bis|früher)"
    r"|(?:that|it) (?:used to be|was (?:\w+ ){0,3}(?:until|before))\b"
    r"|im gegenteil)",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\b(?:not|never|no|cannot|\w+n['’]t|void|invalid|but|however|except|unless|fell|dropped|lost|illegal|false"
    r"|outdated|instead"
    r"|unfortunately|no longer|nicht|nie|kein\w*|aber|jedoch|sondern|gefallen|verloren|leider|falsch|unwirksam)\b",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^(?:this\b[.!]?$|same\b|agreed?\b|\+1|yes\b|yep\b|exactly|can confirm|seconded|so true|ja\b|genau"
    r"|stimmt\b(?! (?:so )?nicht)|dito)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|no|cannot|without|\w+n['’]t|nicht|nie|niemals|kein\w*|ohne)((?:\s+[\w'’-]+){1,4})",
    re.IGNORECASE,
)
# Reports that something did not help.
_FAILED = re.compile(
    r"\b(?:(?:does|did|do|done) (?:nothing|no good|not (?:work|help|fix))"
    r"|(?:does|did|do)n['’]t (?:work|help|fix|change)|(?:made|makes) (?:\w+ ){1,2}worse|(?:got"
    r"|became) (?:\w+ )?worse|no (?:difference|effect)"
    r"|(?:was|is|were|turned out) (?:an? )?(?:\w+ )?(?:disaster|mistake|failure|useless)|backfired"
    r"|ruined (?:it|mine|the|my)"
    r"|(?:hat|bringt|brachte) (?:gar )?nichts|half nicht|hilft nicht|ohne wirkung|(?:wurde"
    r"|machte) (?:\w+ ){0,3}schlimmer|war ein(?:e)? (?:katastrophe|fehler))\b",
    re.IGNORECASE,
)
_FORMERLY = re.compile(
    r"\b(?:used to be|(?:was|were) (?:\w+ ){0,3}(?:until|before)|(?:no longer|not any ?more)|outdated"
    r"|das war (?:früher|bis)|war (?:\w+ ){0,2}(?:früher|bis \w*\s?\d{4})|nicht mehr|veraltet)\b",
    re.IGNORECASE,
)
# Someone's own case, and that it went well.
_OWN_CASE = re.compile(r"\b(?:i|me|my|mine|ours?|us|we|ich|mir|uns|mein\w*|unser\w*)\b", re.IGNORECASE)
_WENT_WELL = re.compile(
    r"\b(?:took|takes|accept\w*|work(?:ed|s)|went|got|passed|arrived|let|allow\w*|fixed|helped|paid|solved|approved"
    r"|geklappt|funktionier\w*|genommen|angenommen|ging|gegangen|geholfen|bezahlt|akzeptiert|genehmigt)\b",
    re.IGNORECASE,
)
# How a case went. “Lasted two weeks” is short, “held for two winters” long.
_FARED_WELL = re.compile(
    r"\b(?:better|worked|works (?:fine|well|great|perfectly)|fine|great|perfect\w*|helped|helps|fixed|solved|improved"
    r"|improves|lov(?:e|ed)|happy|as good as|(?:held|holds?|lasted|lasts"
    r"|going strong)\b.{0,20}\b(?:months?|years?|winters?|summers?)"
    r"|biggest difference"
    r"|(?:have|has|had)(?:n['’]t| not) had (?:\w+ ){1,4}since"
    r"|besser|geholfen|hilft|geklappt|klappt|funktioniert\w*|super|begeistert|zufrieden"
    r"|hält seit)\b",
    re.IGNORECASE,
)
_FARED_BADLY = re.compile(
    r"\b(?:worse|even (?:earlier|later|harder|slower|colder)|failed|fails|broke|broken|died|useless"
    r"|pointless|disappointed|regret\w*|disaster|mistake|backfired|collapsed"
    r"|problems?|trouble|returned it|sent it back|went back|gave up|stopped working|too much for"
    r"|(?:usually|always|often) done|no (?:difference|effect)"
    r"|noth?ing (?:changed|happened)|(?:does|did|do)(?:n['’]t| not) (?:\w+ )?(?:work|help|fix|change|do"
    r"|hold|last|make)\w*"
    r"|(?:lasted|held) (?:only |just |barely |\w+ )?(?:\w+ )?(?:hours?|days?|weeks?)|wobbl\w+|leaks?|leaked"
    r"|schlechter|schlimmer|falsch|kaputt|nutzlos|enttäuscht|gebracht hat es nichts"
    r"|(?:hat|brachte|bringt) (?:\w+ ){0,2}nichts"
    r"|hilft nicht|funktioniert nicht|bereu\w+)\b",
    re.IGNORECASE,
)
_UNDENIED = re.compile(
    r"\b(?:no|not|never|without|hardly|isn['’]t|wasn['’]t|aren['’]t|kein\w*|nicht|nie|ohne)\s+(?:\w+\s){0,2}$",
    re.IGNORECASE,
)
_ASKS_EXPERIENCE = re.compile(
    r"\b(?:worth|regrets?|experiences?|any good|good for you|do for (?:you|us)|did it|does it help|helps?"
    r"|stable|reliable|hold up"
    r"|how (?:was|is|did)|lohnt|taugt|erfahrung\w*|zufrieden)\b",
    re.IGNORECASE,
)
_DENIED_FACT = re.compile(
    r"(?<!you )(?<!please )\b(?:(?:do|does|did|will|would|can|could|is|are|was|were)(?:n['’]t| not)|cannot|never)\b"
    r"|\b(?:nicht|kein\w*|nie)\b",
    re.IGNORECASE,
)
DEADLY = re.compile(
    r"\b(?:life-?threatening|deadly|lethal|(?:can|could|will) (?:kill|electrocute)|lebensgefahr|lebensgefährlich\w*"
    r"|tödlich\w*)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ASKS_FIGURE = re.compile(
    r"\b(?:how (?:long|often|much|many|far|high|soon)|wie (?:lange|oft|viele?|weit|hoch))\b", re.IGNORECASE
)
_RATE = re.compile(
    r"\b(?:(?P<times>once|twice|one|two|three|four|five|six|\d+|ein|zwei|drei|vier)(?: times|mal)?"
    r" (?:a|per|each|im|pro|in der)"
    r" |(?:every|jede[ns]?|alle) (?:(?P<units>two|three|four|five|six|\d+|zwei|drei|vier|other) )?)"
    r"(?P<unit>day|week|month|year|tag|woche|monat|jahr)",
    re.IGNORECASE,
)
_PER_YEAR = {"day": 365, "week": 52, "month": 12, "year": 1, "tag": 365, "woche": 52, "monat": 12, "jahr": 1}
_TIMES = {
    "once": 1, "ein": 1, "one": 1, "twice": 2, "two": 2, "zwei": 2, "other": 2,
    "three": 3, "drei": 3, "four": 4, "vier": 4, "five": 5, "six": 6,
}  # fmt: skip
_WHERE = re.compile(
    r"\b(?:in|at|on|under|im|bei|auf|unter)\s+((?:(?:the|an?|der|dem|den|einem)\s+)?\w+)", re.IGNORECASE
)
_CLAUSE = re.compile(r"[,;:.!?](?!\d)")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A claim and the answer that denies it.

    `is_refuted`: the votes are with the answer; `is_on_question`: both answer how long, how often or how much;
    `is_experience`: both report how it went.
    """

    claim: Utterance
    answer: Utterance
    is_refuted: bool
    is_on_question: bool = False
    is_experience: bool = False

    @property
    def is_outdated(self) -> bool:
        """Return True if the answer says that the claim was true once."""
        return bool(_FORMERLY.search(self.answer.text))


Key = tuple[str, str]  # ids of a post and of one of its comments


def find_disagreements(utterances: Sequence[Utterance]) -> list[Disagreement]:
    """Return the disagreements, those with most votes first, each claim once."""
    by_claim: dict[str, Disagreement] = {}
    every = (
        *_denials(utterances),
        *_opposites(utterances),
        *_experiences(utterances),
        *_figures(utterances),
        *_answers_in_figures(utterances),
    )
    for disagreement in sorted(every, key=lambda disagreement: -disagreement.answer.score):
        by_claim.setdefault(disagreement.claim.text, disagreement)
    return list(by_claim.values())


def _denials(utterances: Sequence[Utterance]) -> Iterator[Disagreement]:
    """Yield comments that one of their answers denies, in words or by far more votes."""
    comments: dict[Key, list[Utterance]] = {}
    for utterance in utterances:
        if utterance.comment:
            comments.setdefault((utterance.post, utterance.comment), []).append(utterance)
    for sentences in comments.values():
        first = sentences[0]
        claims = [
            sentence for sentence in comments.get((first.post, first.answers), ()) if _says_enough(sentence)
        ]
        if not claims or first.score < 0 or _AGREES.match(first.text) or first.text.endswith("?"):
            continue
        reason = max(
            (sentence for sentence in sentences if _says_enough(sentence)),
            key=lambda sentence: len(sentence.text),
            default=None,
        )
        claim = max(
            claims, key=lambda sentence: (_count_shared_stems(sentence, sentences), len(sentence.text))
        )
        denies = bool(_DENIES.match(first.text)) or claim.score < 0 or _contradicts(claim, sentences)
        is_set_right = _sets_right(claim, sentences)
        if reason is not None and (denies or is_set_right):
            yield Disagreement(claim, reason, is_refuted=claim.score < 0 or first.score >= claim.score)
        elif reason is not None and any(_went_otherwise(said, reason) for said in claims):
            yield Disagreement(
                claim, reason, is_refuted=False, is_experience=True
            )  # votes decide no experience


def _contradicts(claim: Utterance, answer: Sequence[Utterance]) -> bool:
    """Return True for an answer that negates words of the claim, or that gives another figure of the same unit."""
    stems = content_stems(claim.text)
    return any(
        (find_negated_stems(sentence.text) | _find_denied_subjects(sentence.text))
        & stems - find_negated_stems(claim.text)
        or (
            (_FAILED.search(sentence.text) or _went_badly(sentence.text))
            and not _FAILED.search(claim.text)
            and content_stems(sentence.text) & stems
        )
        or _gives_other_figure(claim.text, sentence.text)
        or _reports_contrary(claim.text, sentence.text)
        or (DEADLY.search(sentence.text) and content_stems(sentence.text) & stems)
        for sentence in answer
    )


def _experiences(utterances: Sequence[Utterance]) -> Iterator[Disagreement]:
    """Yield, of the answers with most votes, two in which a thing went well for one and badly for another.

    They have to share a content word, unless the post asks for experiences.
    """
    posts: dict[str, list[Utterance]] = {}
    for utterance in utterances:
        if utterance.comment and not utterance.answers and utterance.score >= 0 and _says_enough(utterance):
            posts.setdefault(utterance.post, []).append(utterance)
    for answers in posts.values():
        own = sorted(
            (said for said in answers if _OWN_CASE.search(said.text) or _IN_OWN_PLACE.search(said.text)),
            key=lambda said: -said.score,
        )
        pairs = (
            (first, second)
            for first, second in combinations(own[:MAX_COMPARED], 2)
            if first.author != second.author
            and how_it_went(first.text) * how_it_went(second.text) < 0
            and (asks_experience(first.title) or content_stems(first.text) & content_stems(second.text))
        )
        for first, second in islice(pairs, 1):
            weak, strong = second, first
            yield Disagreement(weak, strong, is_refuted=False, is_experience=True)


_IN_OWN_PLACE = re.compile(r"\b(?:here|hier|bei (?:mir|uns))\b", re.IGNORECASE)


def how_it_went(text: str) -> int:
    """Return 1 for a report that something went well, -1 for one that it went badly, 0 for others or for both.

    >>> how_it_went("No wobble at all here."), how_it_went("It made mine worse."), how_it_went("I paid 600.")
    (1, -1, 0)
    """
    signs = set()
    for pattern, sign in ((_FARED_WELL, 1), (_FARED_BADLY, -1)):
        for found in pattern.finditer(text):
            is_denied = _UNDENIED.search(text[: found.start()])
            signs.add(-sign if is_denied else sign)
    if _FAILED.search(text):
        signs.add(-1)
    return signs.pop() if len(signs) == 1 else 0


def _went_badly(text: str) -> bool:
    """Return True for an own case that went badly: “Cutting the nap made ours wake even earlier.”"""
    return bool(_OWN_CASE.search(text)) and how_it_went(text) < 0


def _went_otherwise(claim: Utterance, answer: Utterance) -> bool:
    """Return True if the answer reports an own case that went the other way than the claim."""
    is_own = bool(_OWN_CASE.search(answer.text)) and not _AGREES.match(answer.text)
    return is_own and how_it_went(claim.text) * how_it_went(answer.text) < 0


def _reports_contrary(claim: str, answer: str) -> bool:
    """Return True if the answer tells of an own case that went well where the claim says that nothing does."""
    return bool(
        _DENIED_FACT.search(claim)
        and not _DENIES.match(claim.lower().removeprefix("no, "))
        and _OWN_CASE.search(answer)
        and _WENT_WELL.search(answer)
        and not _NEGATED.search(answer)
        and not _AGREES.match(answer)
    )


@dataclass(frozen=True, slots=True)
class _Figure:
    """A range of one kind of figure. `stems`: the content words of its clause."""

    kind: str  # a unit as the text names it, “%” or “rate”
    low: float
    high: float
    stems: frozenset[str]

    def excludes(self, other: "_Figure") -> bool:
        return self.kind == other.kind and (self.high < other.low or other.high < self.low)


def _find_figures(text: str) -> Iterator[_Figure]:
    rates = list(_RATE.finditer(text))
    for rate in rates:
        times, units = (rate[name] or "1" for name in ("times", "units"))
        each, every = (_TIMES.get(word.casefold()) or float(word) for word in (times, units))
        per_year = each / max(every, 1) * _PER_YEAR[rate["unit"].casefold()]
        yield _Figure("rate", per_year, per_year, _stems_around(text, rate.start()))
    for quantity in find_quantities(text):
        start = quantity.span.start
        is_percent = quantity.kind is QuantityKind.PERCENT
        if (is_percent or quantity.unit) and not any(rate.start() <= start < rate.end() for rate in rates):
            kind = "%" if is_percent else stem(quantity.text.split()[-1].casefold())
            about = _stems_around(text, start) - content_stems(quantity.text)
            yield _Figure(kind, quantity.low, quantity.high, about)


def _stems_around(text: str, at: int) -> frozenset[str]:
    """Return the content words of the clause at this place."""
    cuts = [0, *(cut.end() for cut in _CLAUSE.finditer(text)), len(text)]
    start = max(cut for cut in cuts if cut <= at)
    return content_stems(text[start : min(cut for cut in cuts if cut > at)])


def _gives_other_figure(first: str, second: str) -> bool:
    """Return True if clauses of both are on one thing and give different figures of one unit for it.

    A reply whose clause names nothing else is on the same thing as what it answers: “Here it is 45 days.”
    """
    pairs = [
        (mine, other)
        for mine in _find_figures(first)
        for other in _find_figures(second)
        if mine.kind == other.kind and (mine.stems & other.stems or not other.stems)
    ]
    return bool(pairs) and all(mine.excludes(other) for mine, other in pairs)


def _sets_right(claim: Utterance, answer: Sequence[Utterance]) -> bool:
    is_outvoted = answer[0].score >= OUTVOTED * max(claim.score, 1)
    return (
        is_outvoted
        and _count_shared_stems(claim, answer) > 0
        and any(_CONTRAST.search(sentence.text) for sentence in answer)
    )


def _opposites(utterances: Sequence[Utterance]) -> Iterator[Disagreement]:
    """Yield pairs of comments in which one affirms what the other denies in the same words."""
    candidates = [
        utterance
        for utterance in utterances
        if utterance.comment and _says_enough(utterance) and utterance.score >= 0
    ]
    for no in (utterance for utterance in candidates if find_negated_stems(utterance.text)):
        for yes in candidates:
            fewest, share = (MIN_SHARED, SAME_THREAD) if no.post == yes.post else (3, SAME)
            if (
                no.author != yes.author
                and _overlaps(no, yes, fewest=fewest, share=share)
                and _deny_each_other(no, yes)
            ):
                weak, strong = sorted((no, yes), key=lambda utterance: utterance.score)
                yield Disagreement(weak, strong, is_refuted=strong.score >= OUTVOTED * max(weak.score, 1))


def _figures(utterances: Sequence[Utterance]) -> Iterator[Disagreement]:
    """Yield pairs of comments under a post with different figures for one thing. Votes decide no figure."""
    for first, second in _pairs_with_figures(utterances):
        conflict = difference(first.text, second.text)
        if (
            conflict is not None
            and conflict.kind in (ConflictKind.NUMERIC, ConflictKind.TEMPORAL)
            and not _gives_figure(second.text, conflict.mine)
            and not _gives_figure(first.text, conflict.theirs)
        ):
            weak, strong = sorted((first, second), key=lambda each: each.score)
            yield Disagreement(weak, strong, is_refuted=False)


def _answers_in_figures(utterances: Sequence[Utterance]) -> Iterator[Disagreement]:
    """Yield pairs of answers to a post that asks how long, how often or how much, if their figures exclude each other.

    Answers for different conditions (in the fridge, at room temperature) do not.
    """
    answers = [
        (utterance, list(_find_figures(utterance.text)))
        for utterance in utterances
        if utterance.comment
        and not utterance.answers
        and utterance.score >= 0
        and _says_enough(utterance)
        and asks_figure(utterance.title)
    ]
    given = [(utterance, figures) for utterance, figures in answers if figures][:MAX_COMPARED]
    for (first, mine), (second, theirs) in combinations(given, 2):
        pairs = [(figure, other) for figure in mine for other in theirs if figure.kind == other.kind]
        if (
            first.post == second.post
            and first.author != second.author
            and pairs
            and all(figure.excludes(other) for figure, other in pairs)
            and _are_of_one_condition(first.text, second.text)
        ):
            weak, strong = sorted((first, second), key=lambda each: each.score)
            yield Disagreement(weak, strong, is_refuted=False, is_on_question=True)


def asks_experience(question: str) -> bool:
    """Return True for a question on how something went: “Is it worth it?”, “Lohnt sich das?”"""
    return bool(_ASKS_EXPERIENCE.search(question))


def agrees(utterance: Utterance) -> bool:
    """Return True for an answer that only agrees: “This.”, “Genau.”"""
    return bool(_AGREES.match(utterance.text))


def asks_figure(question: str) -> bool:
    return bool(_ASKS_FIGURE.search(question))


def _are_of_one_condition(first: str, second: str) -> bool:
    ours, theirs = (
        frozenset[str]().union(*(content_stems(found[1]) for found in _WHERE.finditer(text)))
        for text in (first, second)
    )
    return not ours or not theirs or bool(ours & theirs)


def _pairs_with_figures(utterances: Sequence[Utterance]) -> Iterator[tuple[Utterance, Utterance]]:
    """Yield pairs of comments by two people that share most words.

    Their number is limited for each post, since a comparison takes some milliseconds.
    """
    posts: dict[str, list[tuple[Utterance, frozenset[str]]]] = {}
    for utterance in utterances:
        if (
            utterance.comment
            and _says_enough(utterance)
            and utterance.score >= 0
            and find_quantities(utterance.text)
        ):
            posts.setdefault(utterance.post, []).append((utterance, content_stems(utterance.text)))
    for sentences in posts.values():
        pairs = [
            (len(stems & others) / min(len(stems), len(others)), first, second)
            for (first, stems), (second, others) in combinations(sentences, 2)
            if first.author != second.author and len(stems & others) >= MIN_SHARED
        ]
        likeliest = sorted(pairs, key=lambda pair: -pair[0])[:MAX_COMPARED]
        yield from ((first, second) for _share, first, second in likeliest)


def _gives_figure(text: str, figure: str) -> bool:
    """Return True if the text contains this figure, with or without its unit, among others."""
    return bool(
        set(_NUMBER.findall(text)) & set(_NUMBER.findall(figure))
        or {(quantity.unit, quantity.low) for quantity in find_quantities(text)}
        & {(quantity.unit, quantity.low) for quantity in find_quantities(figure)}
    )


def find_negated_stems(text: str) -> frozenset[str]:
    """Return the content words that directly follow a negation."""
    return frozenset[str]().union(*(content_stems(found[1]) for found in _NEGATED.finditer(text)))


def _find_denied_subjects(text: str) -> frozenset[str]:
    """Return the content words of which the text says that they do, are or have not: “B-tension does not cause …”."""
    subjects = (
        re.split(r"[,;:.!?]", text[: found.start()])[-1]
        for found in re.finditer(
            r"\b(?:(?:do|does|did|is|are|was|were|has|have)(?:n['’]t| not)|never|(?:ist|hat|sind|war) nicht)\b",
            text,
            re.IGNORECASE,
        )
    )
    return frozenset[str]().union(*map(content_stems, subjects))


def _deny_each_other(first: Utterance, second: Utterance) -> bool:
    if bool(_FAILED.search(first.text)) != bool(_FAILED.search(second.text)):
        return True
    both = content_stems(first.text) & content_stems(second.text)
    return bool((find_negated_stems(first.text) ^ find_negated_stems(second.text)) & both)


def _count_shared_stems(claim: Utterance, sentences: Iterable[Utterance]) -> int:
    return len(content_stems(claim.text) & content_stems(" ".join(sentence.text for sentence in sentences)))


def _says_enough(utterance: Utterance) -> bool:
    return len(utterance.text) >= SHORTEST and not utterance.text.endswith("?")


def _overlaps(first: Utterance, second: Utterance, *, fewest: int, share: float = SAME) -> bool:
    stems, others = content_stems(first.text), content_stems(second.text)
    shared = len(stems & others)
    return shared >= fewest and shared >= share * min(len(stems), len(others))


def say_the_same(first: Utterance, second: Utterance, question_stems: frozenset[str] = frozenset()) -> bool:
    """Return True for the same content words, or most of the question's, if neither text denies what the other says.

    Figures have to agree too: a different figure is a different claim. An answer does not repeat what it answers.
    """
    if first.post == second.post and (first.comment == second.answers or second.comment == first.answers):
        return False  # who agrees with a comment says so, and is counted for it
    figures = [set(re.findall(r"\d+(?:[.,]\d+)?", each.text)) for each in (first, second)]
    are_other = bool(figures[0] and figures[1]) and not (figures[0] <= figures[1] or figures[1] <= figures[0])
    if are_other or _deny_each_other(first, second):
        return False
    on_question = content_stems(first.text) & content_stems(second.text) & question_stems
    answers = len(on_question) >= max(3, len(question_stems) / 2)
    return answers or _overlaps(first, second, fewest=MIN_SHARED)


def count_supporters(utterances: Sequence[Utterance]) -> Mapping[Key, frozenset[str]]:
    """Return, by comment, the authors whose answer only expresses agreement."""
    supporters: dict[Key, frozenset[str]] = {}
    for utterance in utterances:
        if utterance.is_first and utterance.answers and _AGREES.match(utterance.text):
            key = (utterance.post, utterance.answers)
            supporters[key] = supporters.get(key, frozenset()) | {utterance.author}
    return supporters
