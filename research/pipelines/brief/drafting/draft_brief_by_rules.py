"""Draft a brief by rules, from the answer's statements that the evidence supports, and from the evidence. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from citations.contradiction.claim_statement_conflicts import difference
from citations.credibility.credibility_brief_scores import MAX_CLAIMS, MAX_EVIDENCE, MIN_CLAIMS
from citations.dates.find_dates import find_times
from citations.find_quantities import find_quantities
from citations.quantities.quantity_types import LOWER, UPPER
from citations.text.claim_words_and_stems import content_stems
from citations.verification import CitedPassage as Compared
from citations.verification import Verdict, VerdictStatus, VerificationLevel, verify_each
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, TextBlock
from research.pipelines.brief.brief_config import BriefContext
from research.pipelines.brief.brief_evidence import Likeness
from research.pipelines.brief.brief_source_words import EvidenceWords, with_title
from research.pipelines.brief.brief_title import plain_line
from research.pipelines.brief.classify_brief_claims import category_of, is_actionable
from research.pipelines.brief.drafting.brief_prompt_edits import edits_by_rules, shorten_text
from research.pipelines.brief.drafting.opposite_statements import (
    are_of_other_places,
    closest_clause,
    denies,
    find_opposite,
    share_words,
)
from research.pipelines.brief.stored_brief import BriefDraft, BriefDraftClaim, DraftSpan, RefusedSentence

WHOLLY = frozenset({VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE})
SAID = 0.7  # least share of a statement's content words in a passage that says it
SAID_TOGETHER = 0.6  # the same share in sentences of sources that take the place of a statement
ON_IT = 0.25  # the same share in a sentence that is one of these
MAX_QUOTED = 3  # sentences of the evidence that take the place of a statement
SHORTEST, MIN_WORDS = 25, 5  # characters and words of a sentence that is informative on its own
LONG_ENOUGH = 8  # words of a part of a sentence that is informative on its own
MAX_DENIAL_LENGTH = 240  # characters of a sentence that denies a statement
MAX_JOINED = 400  # characters of a sentence with those that depend on it
MIN_CONTAINED = 5  # content words of a sentence that another one may contain
CONTAINED = 0.6  # least share of the words of the longer one that the shorter one then has
SAME = 0.9  # share of common content words from which two sentences say the same
UNCARRIED = "No excerpt of the result supports it."
SAYS = "A source says: “{words}”"  # without a verdict, where a source is near and no rule decides
UNMEASURED = "No excerpt says “{words}”: the claims are what they do say."
NEAR_SHARE = 0.3  # of a statement's content words in a sentence, from which the sentence is near in words
NEAR_MEANING = 0.5  # likeness from which a sentence is near in meaning
HANGS = "It refers to a sentence that is left out."
# Before a capital, German “das” is an article: “Das Umweltbundesamt empfiehlt …”.
_HANGS = re.compile(
    r"(?:after that|it|this|that|these|those|they|he|she|such|otherwise|danach|das\b(?! (?-i:[A-ZÄÖÜ]))|dies\w*|sie|er"
    r"|es|sonst)\b",
    re.IGNORECASE,
)
# Words that join a sentence to the one before it, most often to take a part of it back.
_JOINS = re.compile(
    r"(?:however|but|yet|still|nevertheless|nonetheless|though|instead|also|in addition|moreover"
    r"|furthermore|therefore|thus"
    r"|allerdings|jedoch|aber|doch|dennoch|trotzdem|außerdem|zudem|deshalb|daher)\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:the same|dasselbe|das gleiche)\s*(?:[:.,;]|$)|\b(?:mentioned above|as above|s\. o\.)",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"(?:i|we|my|our|ich|wir|mein\w*|unser\w*)\b", re.IGNORECASE)
_VERDICT = re.compile(
    r"(?:yes|no|ja|nein)\b(?! \w+ (?:is|are|was|were|has|have)\b)", re.IGNORECASE
)  # the answer's own
_PROMISES = re.compile(
    r"\b(?:forever|once and for all|guarantee\w*|never again|100 ?%|completely|instantly|miracle|the best"
    r"|order now|buy now"
    r"|für immer|nie wieder|garantier\w*|ein für alle ?mal|hundertprozentig|sofort|ganz ohne"
    r"|jetzt (?:bestellen|kaufen))",
    re.IGNORECASE,
)
_OWN_OFFER = re.compile(
    r"\b(?:our|with us|unser\w*|bei uns|mit uns|dank unser\w*)\b|^(?:we|wir)\b", re.IGNORECASE
)


def draft(
    answer: str, evidence: Sequence[EvidenceWords], alike: Likeness, context: BriefContext | None = None
) -> BriefDraft:
    """Draft a brief. `evidence`: most relevant first; `context` decides if edits are wanted. Deterministic.

    Sentences of the evidence take the place of a statement that no excerpt says as a whole, in the answer's order.
    """
    turns: list[tuple[int, BriefDraftClaim]] = []
    refused: list[RefusedSentence] = []
    question = context.original_query if context else ""
    for topic in topics(answer):
        for turn, statement in enumerate(topic):
            if turn and refused and refused[-1].text == topic[turn - 1] and _HANGS.match(statement):
                refused.append(RefusedSentence(text=statement, reason=HANGS))
                continue
            found, refusals = _state(statement, evidence, alike, question)
            turns += [(turn + place, claim) for place, claim in enumerate(found)]
            refused += refusals
    texts = list(statements(answer))
    stated = cover_in_turn(turns, MAX_CLAIMS)
    claims = [name_opponent(claim, texts, evidence) for claim in top_up_claims(stated, evidence, alike)]
    edits = edits_by_rules(claims, evidence, context) if context is not None and context.wants_edits else []
    return BriefDraft(
        claims=with_further(claims, evidence, alike),
        edits=edits,
        refused=refused,
    )


def name_opponent(
    claim: BriefDraftClaim, texts: Sequence[str], evidence: Sequence[EvidenceWords]
) -> BriefDraftClaim:
    """Prepend the source's title to a claim that opposes the answer or says “I”, so that it is seen who says it."""
    stems = content_stems(claim.text)
    is_against = any(
        len(stems & content_stems(denied[1])) >= MIN_SHARED and not denies(claim.text)
        for text in texts
        for denied in _DENIED.finditer(text)
    )
    is_personal = bool(_FIRST_PERSON.match(claim.text))
    title = next((words.title for words in evidence if words.source == claim.spans[0].source), "")
    return (
        claim.model_copy(update={"text": with_title(title, claim.text)})
        if is_against or is_personal
        else claim
    )


def _state(
    statement: str, evidence: Sequence[EvidenceWords], alike: Likeness, question: str
) -> tuple[list[BriefDraftClaim], list[RefusedSentence]]:
    """Return the claims that a statement gives, and its refusal if the evidence does not say it as a whole.

    If no excerpt says all of it, its clauses are claims if one says each, else sentences of the evidence are.
    """
    if whole := _find_said(statement, evidence, alike):
        return [_claim_with_reservation(statement, whole)], []
    parts = [(part, _find_said(part, evidence, alike)) for part in clauses_of(statement)]
    claims = [_claim(part, said) for part, said in parts if said]
    if parts and len(claims) == len(parts):
        return claims, []
    quoted = _quote_parts(statement, evidence)
    refused = refusal(statement, evidence, alike, question)
    is_verdict = bool(_VERDICT.match(statement))
    if not (refused.contradicted or is_verdict) and _say_it_together(statement, quoted, evidence):
        return quoted, []  # the sources' own words say all of it
    return quoted, [refused]


def _say_it_together(
    statement: str, quoted: Sequence[BriefDraftClaim], evidence: Sequence[EvidenceWords]
) -> bool:
    titles = {words.source: words.title for words in evidence}
    texts = [with_title(titles.get(claim.spans[0].source, ""), claim.text) for claim in quoted]
    return say_together(statement, texts)


def say_together(statement: str, texts: Sequence[str]) -> bool:
    """Return True if the texts together have most words of the statement, all its figures, and as many denials."""
    about = [
        text for text in texts if share_words(statement, text) >= ON_IT and not is_opposite(statement, text)
    ]
    said = " ".join(about)
    has_figures = set(_FIGURE.findall(statement)) <= set(_FIGURE.findall(said))
    is_said = share_words(statement, said) >= SAID_TOGETHER and has_figures
    return is_said and not _list_unmeasured(statement, about)


def _list_unmeasured(statement: str, texts: Iterable[str]) -> list[str]:
    """Return the quantities of the statement, also in words, that no text gives: “two months”."""
    given = [found for text in texts for found in find_quantities(text)]
    return [
        found.text
        for found in find_quantities(statement)
        if found.unit
        and not any(
            other.unit == found.unit and other.low <= found.high and found.low <= other.high
            for other in given
        )
    ]


def _claim_with_reservation(statement: str, said: Sequence[EvidenceWords]) -> BriefDraftClaim:
    """Return the statement as a claim, or the words of its source if the source takes a part of it back next.

    It does so in a later clause, “; the study was observational”, or in a sentence that depends on this one.
    """
    stems = content_stems(statement)
    for piece in said:
        for sentence in _sentences(piece):
            parts = [clause for part in split_sentences(sentence) for clause in re.split(r";\s", part.text)]
            begins_alike = len(content_stems(parts[0]) & stems) >= SAID * len(stems)
            left_out = [part for part in parts[1:] if not content_stems(part) <= stems]
            if begins_alike and any(map(is_reservation, left_out)):
                others = [other for other in said if other is not piece]
                return _claim(sentence.text, [sentence, *others])
    return _claim(statement, said)


def _find_said(statement: str, evidence: Sequence[EvidenceWords], alike: Likeness) -> list[EvidenceWords]:
    """Return the pieces of evidence each of which says the statement, in its words and with its figures."""
    if other_figure(statement, evidence):
        return []
    each = compare(statement, [words.titled_text for words in evidence], alike)
    return [
        piece
        for piece, verdict in zip(evidence, each, strict=True)
        if verdict.status in WHOLLY and is_said_by(statement, piece.titled_text)
    ]


_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


def is_said_by(statement: str, text: str) -> bool:
    """Return True if the text has the figures of the statement, as they are written, and most of its words.

    >>> is_said_by("Managed services cost 2 to 3 times as much.", "Managed services failed over in 2 to 3 minutes.")
    False
    """
    stems = content_stems(statement)
    shared = sum(any(_is_of_one_word(stem, other) for other in content_stems(text)) for stem in stems)
    return shared >= SAID * len(stems) and set(_FIGURE.findall(statement)) <= set(_FIGURE.findall(text))


def _is_of_one_word(stem: str, other: str) -> bool:
    """Return True for the same stem, also with another ending: “trust”, “trustworthi”."""
    short, long = sorted((stem, other), key=len)
    return short == long or (len(short) >= LONG_STEM and long.startswith(short))


def _quote_parts(statement: str, evidence: Sequence[EvidenceWords]) -> list[BriefDraftClaim]:
    """Return the sentences of the evidence that say parts of a statement, each a part that those before it lack."""
    stems = content_stems(statement)
    measures = {item for item in _measures(statement).items() if item[1]}
    likely: list[tuple[EvidenceWords, set[object]]] = []
    for words in evidence:
        for sentence in _sentences(words):
            theirs = content_stems(sentence.titled_text)
            shared = {stem for stem in stems if any(_is_of_one_word(stem, other) for other in theirs)}
            figures = measures & set(_measures(sentence.text).items())
            if _opposes(statement, sentence.text) or not is_quotable(sentence.text):
                continue
            if len(shared) >= MIN_SHARED or figures:
                likely.append((sentence, {*shared, *figures}))
    chosen: list[EvidenceWords] = []
    while likely and len(chosen) < MAX_QUOTED:
        best = max(likely, key=lambda pair: len(pair[1]))
        chosen.append(best[0])
        rest = [(sentence, parts - best[1]) for sentence, parts in likely if sentence is not best[0]]
        likely = [(sentence, parts) for sentence, parts in rest if len(parts) >= MIN_SHARED]
    return [_claim(sentence.text, [sentence]) for sentence in chosen]


def _opposes(statement: str, text: str) -> bool:
    """Return True if the text is opposite to each clause of the statement that it shares words with."""
    stems = content_stems(text)
    parts = clauses_of(statement) or [statement]
    about = [part for part in parts if len(content_stems(part) & stems) >= MIN_SHARED] or parts
    return all(is_opposite(part, closest_clause(part, text)) for part in about)


def top_up_claims(
    claims: Sequence[BriefDraftClaim], evidence: Sequence[EvidenceWords], alike: Likeness
) -> list[BriefDraftClaim]:
    """Add sentences of the evidence as claims: those not cited by a claim, and others until there are three claims.

    Reservations come first, since a decision depends on them.
    """
    cited = {(span.source, span.start) for claim in claims for span in claim.spans}
    own = sorted(own_words(evidence, alike), key=lambda claim: not is_reservation(claim.text))
    unused = [
        own_claim for own_claim in own if (own_claim.spans[0].source, own_claim.spans[0].start) not in cited
    ]
    found = distinct([*claims, *unused])
    if len(found) < MIN_CLAIMS:
        found = distinct([*found, *own])[: max(MIN_CLAIMS, len(found))]
    return found[:MAX_CLAIMS]


def with_further(
    claims: Sequence[BriefDraftClaim], evidence: Sequence[EvidenceWords], alike: Likeness
) -> list[BriefDraftClaim]:
    """Add to each claim further evidence that says it without its title, up to three pieces in all.

    Sources that are not cited yet come first.
    """
    return [_with_further(claim, evidence, alike) for claim in claims]


def _with_further(
    claim: BriefDraftClaim, evidence: Sequence[EvidenceWords], alike: Likeness
) -> BriefDraftClaim:
    cited = {span.source for span in claim.spans}
    unused = [words for words in evidence if not any(_overlap(words, span) for span in claim.spans)]
    if len(claim.spans) >= MAX_EVIDENCE or not unused:
        return claim
    each = compare(claim.text, [piece.text for piece in unused], alike)
    further = [
        (piece.source in cited, place)
        for place, (piece, verdict) in enumerate(zip(unused, each, strict=True))
        if verdict.status in WHOLLY and is_said_by(claim.text, piece.text)
    ]
    spans = [*claim.spans, *(unused[place].span() for _order, place in sorted(further))]
    return claim.model_copy(update={"spans": spans[:MAX_EVIDENCE]})


def _overlap(words: EvidenceWords, span: DraftSpan) -> bool:
    return words.source == span.source and words.start < span.end and span.start < words.end


def statements(answer: str) -> Iterator[str]:
    """Yield the sentences of an answer that are informative on their own, without headings and Markdown markup."""
    for given in answer.splitlines():
        line = plain_line(given.strip())
        if not line or is_heading(given):
            continue
        for sentence in sentences(line, [TextBlock(0, len(line), BlockKind.PARAGRAPH)]):
            text = line[sentence.start : sentence.end].strip()
            if len(text) >= SHORTEST and len(text.split()) >= MIN_WORDS:
                yield text


def topics(answer: str) -> list[list[str]]:
    """Return the statements of an answer, grouped by paragraph or list item."""
    return [found for line in answer.splitlines() if (found := list(statements(line)))]


def is_heading(line: str) -> bool:
    """Return True for a Markdown heading, a horizontal rule, or a table row."""
    return bool(re.match(r"\s*(?:#{1,6}\s|[-=_*]{3,}\s*$|\|)", line))


def cover_in_turn(turns: Sequence[tuple[int, BriefDraftClaim]], most: int) -> list[BriefDraftClaim]:
    """Choose the first claim of each topic, then the second of each, and so on; return them in their given order.

    `turns`: each claim with the place of its statement within its topic.
    """
    merged = distinct([claim for _turn, claim in turns])
    places = {claim.text: turn for turn, claim in reversed(turns)}
    chosen = sorted(range(len(merged)), key=lambda place: (places.get(merged[place].text, 0), place))[:most]
    return [merged[place] for place in sorted(chosen)]


_CLAUSES = re.compile(r"(?:[:;]|,\s(?:and|but|while|whereas))\s+")


def clauses_of(statement: str) -> list[str]:
    """Return the parts of a long statement that are informative on their own; none if there are fewer than two.

    >>> clauses_of("Do not force password changes: NIST tells verifiers not to require them, and CISA agrees with it.")
    ['Do not force password changes.', 'NIST tells verifiers not to require them.']
    """
    parts = [part.strip(" ,.") for part in _CLAUSES.split(statement)]
    whole = [part for part in parts if len(part) >= SHORTEST - 5 and len(part.split()) >= MIN_WORDS - 1]
    if len(whole) < 2:
        return []
    return [f"{part[:1].upper()}{part[1:]}." for part in whole]


def refusal(
    statement: str, evidence: Sequence[EvidenceWords], alike: Likeness, question: str = ""
) -> RefusedSentence:
    """Return the refusal of a statement as a claim, or of an answer to a question that begins with yes or no.

    It counts as contradicted only if a passage without its title contradicts it, since a title states nothing, and if
    the two also differ in a negation or in a figure of the same thing: “fewer than five” does not deny “four”.
    """
    if other := other_figure(statement, evidence):
        reason = f"Its own source says otherwise. The claim says “{other.claimed}”, the source says “{other.found}”."
        return RefusedSentence(text=statement, reason=reason, contradicted=True)
    opposed = next((found for words in evidence if (found := _find_opposed(statement, words))), "")
    if opposed and not agrees_elsewhere(statement, evidence):
        reason = f"Its own source says otherwise: “{shorten_text(opposed, MAX_DENIAL_LENGTH)}”"
        return RefusedSentence(text=statement, reason=reason, contradicted=True)
    each = compare(statement, [words.text for words in evidence], alike)
    denied = [
        verdict
        for words, verdict in zip(evidence, each, strict=True)
        if verdict.status is VerdictStatus.CONTRADICTED and _differs(statement, words.text)
    ]
    if denied and not agrees_elsewhere(statement, evidence):
        words = next(words for words, verdict in zip(evidence, each, strict=True) if verdict is denied[0])
        reason = (
            f"Its own source says otherwise: “{shorten_text(_denial(statement, words), MAX_DENIAL_LENGTH)}”"
        )
        return RefusedSentence(text=statement, reason=reason, contradicted=True)
    near = find_near(_ask_with(question, statement), evidence, alike)
    unmeasured = _list_unmeasured(statement, [words.text for words in evidence])
    if not near:
        return RefusedSentence(text=statement, reason=UNCARRIED)
    if unmeasured:
        return RefusedSentence(text=statement, reason=UNMEASURED.format(words="”, “".join(unmeasured)))
    return RefusedSentence(text=statement, reason=SAYS.format(words=shorten_text(near, MAX_DENIAL_LENGTH)))


def _ask_with(question: str, statement: str) -> str:
    """Prepend the question to a statement that is only understood after it: “Yes, but later than most think.”"""
    return f"{question} {statement}" if _VERDICT.match(statement) else statement


def _differs(statement: str, text: str) -> bool:
    """Return True if the clause of the text that is most like the statement denies it or gives another figure."""
    clause = closest_clause(statement, text)
    is_other = is_opposite(statement, clause) or difference(statement, clause) is not None
    return is_other and not are_of_other_places(statement, text)


def _find_opposed(statement: str, words: EvidenceWords) -> str:
    """Return the sentence of a piece of evidence that says the opposite of the statement."""
    return next(
        (part.text for part in split_sentences(words) if find_opposite(statement, part.text, words.title)), ""
    )


def _denial(statement: str, words: EvidenceWords) -> str:
    """Return the sentence of a piece of evidence that has most to do with the statement."""
    stems = content_stems(statement)
    return max(_sentences(words), key=lambda found: len(content_stems(found.text) & stems)).text


def find_near(statement: str, evidence: Iterable[EvidenceWords], alike: Likeness) -> str:
    """Return the sentence of the evidence that is nearest to a statement in words or meaning; empty if none is near.

    A figure in common makes it near as well.
    """
    measures = {item for item in _measures(statement).items() if item[1]}
    near: list[tuple[float, float, str]] = []
    for sentence in (part for words in evidence for part in split_sentences(words)):
        share, likeness = share_words(statement, sentence.text), alike(statement, sentence.text)
        if (
            share >= NEAR_SHARE
            or likeness >= NEAR_MEANING
            or measures & set(_measures(sentence.text).items())
        ):
            near.append((share, likeness, sentence.text))
    return max(near, key=lambda found: found[:2], default=(0.0, 0.0, ""))[2]


@dataclass(frozen=True, slots=True)
class OtherFigure:
    claimed: str
    found: str


_MEASURED = re.compile(r"(?<![\w.,])(\d[\d.,]*\d|\d)[\s-]?([a-zäöü%€$]+)", re.IGNORECASE)
_YEARLIKE = re.compile(r"(?:19|20)\d\d")
_DENIED = re.compile(
    r"\b(?:not|never|no|cannot|\w+n['’]t|nicht|kein\w*)((?:\s+[\w'’-]+){1,5})", re.IGNORECASE
)  # with the denied words
LONG_STEM = 5  # letters of a stem that may begin another word of one family
ROUNDED = 0.1  # share of the larger figure by which a rounded one differs at most
MIN_SHARED = 2  # content words
MIN_ABOUT = 3  # common content words from which two sentences have the same subject


def other_figure(statement: str, evidence: Sequence[EvidenceWords]) -> OtherFigure | None:
    """Return a figure of the statement, with the different figure that a source on the same subject gives in that unit.

    None if any passage has the statement's own figure, or if either text has several figures of that unit.
    """
    stems = content_stems(statement)
    for unit, value in _measures(statement).items():
        if value is None or any(_measures(words.text).get(unit, "") in (value, None) for words in evidence):
            continue
        for words in evidence:
            found = _measures(words.text).get(unit)
            is_about = len(stems & content_stems(words.text)) >= MIN_ABOUT
            is_near = found and (_is_within_bound(statement, words.text) or _is_rounded(value, found))
            if found and is_about and not is_near:
                return OtherFigure(_with_unit(statement, value), _with_unit(words.text, found))
    return _find_other_range(statement, evidence) or find_other_date(statement, evidence)


# What happens once, or holds from one day on. Of a series, each year has its own sentence: “In 2020 sales rose.”
_ONCE = re.compile(
    r"\b(?:since|seit|as of|ab (?=dem)|in force|into effect|in kraft|(?:found|open|start|launch|introduc|establish"
    r"|abolish|adopt|enact"
    r"|discover|invent)ed|began|built|born|died|gegründet|eröffnet|eingeführt|abgeschafft|verabschiedet|begann|erbaut"
    r"|erfunden|entdeckt|geboren|gestorben)\b",
    re.IGNORECASE,
)


def find_other_date(statement: str, evidence: Sequence[EvidenceWords]) -> OtherFigure | None:
    """Return the date of a statement on what happens once, with the different one of the sentence most like it.

    None if any passage has the statement's own date, or if either text names several.
    """
    stated = [found for found in find_times(statement) if found.start.year is not None]
    if len(stated) != 1 or not _ONCE.search(statement):
        return None
    [mine] = stated
    parts = [part for words in evidence for part in split_sentences(words)]
    dated = [
        (part, [found for found in find_times(part.text) if found.start.year is not None]) for part in parts
    ]
    if any(not found.start.conflicts(mine.start) for _part, times in dated for found in times):
        return None
    about = statement.replace(mine.text, " ")
    near = [
        (share_words(about, part.text), times[0].text)
        for part, times in dated
        if len(times) == 1
        and _ONCE.search(part.text)
        and not is_opposite(statement, part.text)
        and not are_of_other_places(statement, part.text)
    ]
    share, found = max(near, default=(0.0, ""))
    return OtherFigure(mine.text, found) if share >= SAID else None


def _find_other_range(statement: str, evidence: Sequence[EvidenceWords]) -> OtherFigure | None:
    """Return the one quantity of a unit in the statement that no passage has, and that of the passage most like it.

    Ranges and figures in words count: “two years” against “5.2 to 6.8 years”.
    """
    stems = content_stems(statement)
    stated = [
        found for found in find_quantities(statement) if found.unit and found.bound not in LOWER | UPPER
    ]
    for mine in stated:
        if sum(other.unit == mine.unit for other in stated) > 1:
            continue
        given = [
            (words, [other for other in find_quantities(words.text) if other.unit == mine.unit])
            for words in evidence
        ]
        given = [(words, others) for words, others in given if others]
        about = [
            (len(stems & content_stems(words.text)), others[0].text)
            for words, others in given
            if len(stems & content_stems(words.text)) >= max(MIN_ABOUT, len(stems) / 2)
        ]
        is_given = any(
            other.low * (1 - ROUNDED) <= mine.high and mine.low <= other.high * (1 + ROUNDED)
            for _words, others in given
            for other in others
        )
        if about and not is_given:
            return OtherFigure(mine.text, max(about)[1])
    return None


def _is_within_bound(statement: str, text: str) -> bool:
    """Return True if a figure of the text lies within a bound of the statement: “35 to 58” is “under 60”."""
    bounds = [quantity for quantity in find_quantities(statement) if quantity.bound in LOWER | UPPER]
    return any(
        found.unit == stated.unit
        and (found.high <= stated.high if stated.bound in UPPER else found.low >= stated.low)
        for stated in bounds
        for found in find_quantities(text)
    )


def _is_rounded(value: str, found: str) -> bool:
    """Return True for two figures of which one may be the other, rounded."""
    try:
        mine, theirs = (float(figure.replace(",", ".")) for figure in (value, found))
    except ValueError:
        return False
    return abs(mine - theirs) <= ROUNDED * max(mine, theirs)


def _with_unit(text: str, value: str) -> str:
    return next(found[0] for found in _MEASURED.finditer(text) if found[1] == value)


def _measures(text: str) -> dict[str, str | None]:
    """Return the value of each unit in the text; None for a unit with several values."""
    found: dict[str, str | None] = {}
    for value, unit in _MEASURED.findall(text):
        name = unit.casefold().removesuffix("s")
        if name in _UNITS and not _YEARLIKE.fullmatch(value):
            found[name] = value if found.get(name, value) == value else None
    return found


_UNITS = frozenset(
    "day week month year hour minute second percent % character euro dollar pound kg gram mg ml km metre meter mile"
    " degree tag woche"
    " monat jahr stunde minute prozent zeichen".split()
)


def is_opposite(statement: str, text: str) -> bool:
    """Return True if only one of the two texts is a denial: then neither supports a part of the other."""
    return denies(statement) != denies(text)


def agrees_elsewhere(statement: str, evidence: Sequence[EvidenceWords]) -> bool:
    """Return True if a passage agrees with the statement in fewer words: then the statement is not what others deny.

    Only passages that share at least half of their content words with the statement count.
    """
    stems = content_stems(statement)
    about = [
        (len(stems & content_stems(words.text)) / max(1, len(content_stems(words.text))), words)
        for words in evidence
    ]
    near = [words for share, words in about if share >= 0.5]
    return any(not is_opposite(statement, words.text) for words in near)


_RESERVED = re.compile(
    r"\b(?:volunteer\w*|self-selected|generali[sz]\w+|carried over|transfer(?:red|able)|unknown|unclear|uncertain\w*"
    r"|certainty|small (?:sample|study|studies)|control group|not (?:randomi[sz]ed|significant|known|tested|reviewed)"
    r"|observational|self-reported|not causal|correlation\w*|beobachtungsstudie\w*|selbstausk\w+"
    r"|only|unless|except|as long as|provided that|at most|limit(?:s|ed|ation)\w*|sponsor\w*|funded|paid for"
    r"|(?:vendor|manufacturer)s? paid|conflicts? of interest|preliminary|short-term|had to|side effects?|risks?"
    r"|however|but|hardly|barely|ineffective|little (?:effect|use|evidence)|quality of (?:the )?evidence|low[- ]quality"
    r"|freiwillig\w*|übertragbar|wenig|kaum|unwirksam|unklar|unbekannt|unsicher\w*|kontrollgruppe|nur|sofern|außer|höchstens"
    r"|finanziert|vorläufig|allerdings|jedoch|nebenwirkung\w*|risik\w+|mussten?)\b",
    re.IGNORECASE,
)


def is_reservation(text: str) -> bool:
    """Return True if the text limits what a result is good for: who took part, who paid, on what it depends.

    >>> is_reservation("All participants had volunteered."), is_reservation("Revenue rose by 1.4 %.")
    (True, False)
    """
    return bool(_RESERVED.search(text))


def compare(statement: str, texts: Sequence[str], alike: Likeness) -> tuple[Verdict, ...]:
    passages = [Compared(text, str(index)) for index, text in enumerate(texts)]
    return verify_each(statement, passages, level=VerificationLevel.STRICT, similarity=alike)


def own_words(evidence: Sequence[EvidenceWords], alike: Likeness) -> Iterator[BriefDraftClaim]:
    """Yield each sentence of the evidence as a claim, with the evidence of other sources that supports it."""
    for words in evidence:
        for sentence in _sentences(words):
            if is_quotable(sentence.text):
                yield _claim(sentence.text, [sentence, *_others(sentence, evidence, alike)])


def _sentences(words: EvidenceWords) -> Iterator[EvidenceWords]:
    """Yield the sentences of a piece of evidence, each with those after it that depend on it."""
    joined: list[EvidenceWords] = []
    for sentence in split_sentences(words):
        last = joined[-1] if joined else None
        end = sentence.start + len(sentence.text)
        if last and hangs(sentence.text) and end - last.start <= MAX_JOINED:
            joined[-1] = replace(last, text=words.text[last.start - words.start : end - words.start])
        else:
            joined.append(sentence)
    yield from joined


def hangs(text: str) -> bool:
    """Return True for a sentence that is only understood after another one: “However, …”, “They …”."""
    return bool(_HANGS.match(text) or _JOINS.match(text))


def split_sentences(words: EvidenceWords) -> Iterator[EvidenceWords]:
    block = TextBlock(0, len(words.text), BlockKind.PARAGRAPH)
    for sentence in sentences(words.text, [block]):
        yield EvidenceWords(
            words.source, words.start + sentence.start, words.text[sentence.start : sentence.end], words.title
        )


def is_quotable(text: str) -> bool:
    """Return True for a statement that is understood alone and is no seller's promise."""
    return is_statement(text) and not (hangs(text) or _REFERS.search(text) or is_promise(text))


def is_promise(text: str) -> bool:
    """Return True for a seller's promise about the own product.

    >>> is_promise("With our paint mould is gone forever."), is_promise("Our trial lasted two years.")
    (True, False)
    """
    return bool(_OWN_OFFER.search(text) and _PROMISES.search(text))


def is_statement(text: str) -> bool:
    """Return True for text without markup that begins like a sentence or has many words.

    >>> is_statement("at least 10,000 rounds of it"), is_statement("Passwords need at least eight characters.")
    (False, True)
    """
    begins = (
        text[:1].isupper() or text[:1].isdigit() or text[:1] in "“\"'(" or len(text.split()) >= LONG_ENOUGH
    )
    is_marked_up = bool(re.search(r"</?\w+[^>]*>|\]\[|__\[", text))
    return begins and len(text) >= SHORTEST and len(text.split()) >= MIN_WORDS and not is_marked_up


def _others(
    sentence: EvidenceWords, evidence: Sequence[EvidenceWords], alike: Likeness
) -> Iterator[EvidenceWords]:
    others = [words for words in evidence if words.source != sentence.source]
    each = compare(sentence.text, [other.text for other in others], alike)
    for piece, verdict in zip(others, each, strict=True):
        if verdict.status in WHOLLY and is_said_by(sentence.text, piece.text):
            yield next((part for part in _sentences(piece) if part.text == sentence.text), piece)


def _claim(text: str, words: Iterable[EvidenceWords]) -> BriefDraftClaim:
    """Return a claim that cites one piece of each source first, since several of one page prove less."""
    pieces = list(words)
    firsts = list({piece.source: piece for piece in reversed(pieces)}.values())[::-1]
    ordered = sorted(firsts, key=pieces.index) + [piece for piece in pieces if piece not in firsts]
    spans = [chosen.span() for chosen in ordered[:MAX_EVIDENCE]]
    return BriefDraftClaim(text=text, category=category_of(text), actionable=is_actionable(text), spans=spans)


def distinct(claims: Iterable[BriefDraftClaim]) -> list[BriefDraftClaim]:
    """Merge claims that say the same: keep the first, with the evidence of all of them."""
    kept: list[BriefDraftClaim] = []
    for claim in claims:
        keep(kept, claim)
    return kept


def keep(kept: list[BriefDraftClaim], claim: BriefDraftClaim) -> int:
    """Append the claim, or add its evidence to a claim that says the same; return its index."""
    same = next(
        (
            index
            for index, kept_claim in enumerate(kept)
            if _same(kept_claim.text, claim.text) or _repeats(kept_claim, claim)
        ),
        None,
    )
    if same is None:
        kept.append(claim)
        return len(kept) - 1
    spans = [*kept[same].spans, *(span for span in claim.spans if span not in kept[same].spans)]
    kept[same] = kept[same].model_copy(update={"spans": spans[:MAX_EVIDENCE]})
    return same


def _same(a: str, b: str) -> bool:
    """Return True for nearly the same content words and the same figures: a different figure is a different claim."""
    first, second = content_stems(a), content_stems(b)
    figures = [re.findall(r"\d[\d.,]*", text) for text in (a, b)]
    together = len(first | second)
    return bool(together) and len(first & second) / together >= SAME and figures[0] == figures[1]


def _repeats(mine: BriefDraftClaim, other: BriefDraftClaim) -> bool:
    """Return True for two claims from one source of which one has all words and figures of the other, and no more
    reservation or negation.
    """
    if not {span.source for span in mine.spans} & {span.source for span in other.spans}:
        return False
    shorter, longer = sorted((content_stems(mine.text), content_stems(other.text)), key=len)
    return (
        len(shorter) >= MIN_CONTAINED
        and shorter <= longer
        and len(shorter) >= CONTAINED * len(longer)
        and re.findall(r"\d[\d.,]*", mine.text) == re.findall(r"\d[\d.,]*", other.text)
        and not is_opposite(mine.text, other.text)
        and is_reservation(mine.text) == is_reservation(other.text)
    )
