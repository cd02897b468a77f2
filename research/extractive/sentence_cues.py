"""Wording cues of answers to each form of question: definitions, advice, changes and so on. The cues cover only the
wording of English sentences, independent of any subject.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from research.extractive.answer_instances import names_one_of
from research.extractive.candidate_sentences import Candidate
from research.extractive.lettered_names import lacks_lettered_names
from research.extractive.question.answer_forms import AnswerForm
from research.extractive.question.expected_answer_kinds import (
    GIVEN_BY_RELEASE,
    QUANTIFIED,
    AnswerKind,
    answers,
)
from research.extractive.question.parsed_question import ParsedQuestion, find_related_stems
from research.extractive.question.question_word_translation import is_english_word
from research.extractive.standalone_sentences import THIS_THING, is_imperative
from research.extractive.terms import forms, is_stop_word, leave_out_compound_names, term_set, words

ADVISES = re.compile(
    r"\b(?:should|shall|must|ought to|recommend(?:s|ed|ation)?|prefer(?:s|red|able)?|advis(?:e[sd]?|able)"
    r"|suggest(?:s|ed)?|avoid|never|always|do not|don['’]t"
    r"|need(?:s)? to|required?|encourage[sd]?|discourage[sd]?|best|better|instead|permit(?:s|ted)?|allow(?:s"
    r"|ed)?|prohibit(?:s|ed)?|forbidden|acceptable"
    r"|no longer|deprecated|ensure|verify)\b",
    re.IGNORECASE,
)
JUDGES = re.compile(
    r"\b(?:effective|ineffective|secure|insecure|safe|unsafe|weak(?:er|ness|nesses)?|strong(?:er)?|vulnerab\w+"
    r"|risk\w*|better|worse|best|useful|useless|harder|easier"
    r"|more|less|advantage\w*|disadvantage\w*|benefit\w*|drawback\w*|problem\w*|recommended|superior|inferior"
    r"|sufficient|insufficient|faster|slower|reliable|resistant"
    r"|improve\w*|reduce\w*|increase\w*|prevent\w*|protect\w*)\b",
    re.IGNORECASE,
)
_CHOICE = (
    r"(?:good|bad|better|best|poor|safer?|right|wrong|ideal|preferred)"
    r" (?:idea|practice|bet|choice|option|fit|solution)"
)
# Advice on what to do, rather than what a setting permits or needs.
_RECOMMENDS = re.compile(
    r"\b(?:should|shall|must|ought to|(?:is|are) to be|recommend\w*|advis(?:e[sd]?|able)|suggest(?:s|ed)?"
    r"|prefer(?:s|red|able)?|discourage[sd]?|prohibit(?:s|ed)?|forbidden|best practices?"
    rf"|{_CHOICE}"
    r"|(?:well|best|better|ill)[- ]suited|ideal for|worth(?:while)?"
    r"|avoid|never|do not|don['’]t|no longer|deprecated|(?:un)?acceptable)\b",
    re.IGNORECASE,
)
_IS_ABLE = re.compile(
    r"\b(?:support\w*|can(?:not|['’]t)?|able to|unable to|(?:un)?available|provides?|offers?|allows?|permits?|enables?"
    r"|compatible|incompatible|implements?|includes?|runs? on|works? (?:with|on|in|for)|possible|impossible|not yet"
    r"|no way to)\b",
    re.IGNORECASE,
)
_GIVES_REASON = re.compile(
    r"\b(?:because|since|so that|so as to|in order to|due to|therefore|thus|hence|thereby|reasons?|as a result"
    r"|means that|otherwise"
    r"|would (?:otherwise|be able)|this (?:makes|prevents|means|ensures|way)|makes? it|prevent\w*|leads? to"
    r"|vulnerab\w+|allow(?:s|ing)? (?:an )?attackers?)\b",
    re.IGNORECASE,
)
CONTRASTS = re.compile(
    r"\b(?:whereas|unlike|rather than|instead of|compared (?:to|with)|than|both|differ\w*|while|in contrast"
    r"|by contrast|although|only|but|on the other hand|same|similar\w*)\b",
    re.IGNORECASE,
)
# Relations between two things.
_RELATES = re.compile(
    r"\b(?:replace(?:s|ments?)|successors?|supersedes|forks?|forked|alternatives? (?:to|for)|wrappers?|wraps|supersets?"
    r"|variants?|extends|built (?:on|upon|with)|based (?:on|upon)|derived from|compatible with|in favou?r of)\b",
    re.IGNORECASE,
)
_MERITS = re.compile(
    r"\b(?:advantages?|benefits?|faster|better|stronger|easier|simpler|cheaper|efficien\w+|effective\w*|improv\w+"
    r"|reliab\w+|avoids?|reduc(?:es?|ing)|eliminat\w+|enables?|no need|without (?:the need|having)|secure|resist\w+"
    r"|flexib\w+|powerful|scal(?:es?|ab\w+)|strengths?)\b",
    re.IGNORECASE,
)
_DRAWBACKS = re.compile(
    r"\b(?:drawbacks?|disadvantages?|downsides?|problem\w*|risk\w*|slow\w*|worse|weak\w*|vulnerab\w+|unsafe|insecure"
    r"|cannot|can['’]t|does ?n[o'’]t|do ?n[o'’]t|not (?:support\w*|recommended|suitable)|limit(?:ed|ations?)|overhead"
    r"|costly|expensive|complex\w*|harder|difficult\w*|danger\w*|overload\w*|fail\w*|lacks?|harmful)\b",
    re.IGNORECASE,
)
_ASKS_MERITS = re.compile(
    r"\b(?:advantages?|benefits?|upsides?|merits|pros|strengths|good about)\b", re.IGNORECASE
)
_ASKS_DRAWBACKS = re.compile(
    r"\b(?:disadvantages?|drawbacks?|downsides?|cons|weaknesses|limitations"
    r"|(?:wrong|bad|problems?|issues?) (?:with|about)|dangers? of)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:advice|advise|recommend\w*|guidance|guidelines?|requirements?|rules?|polic(?:y|ies)|position|stance"
    r"|standards?)\b",
    re.IGNORECASE,
)
_VERB = (
    r"(?:increased|decreased|raised|lowered|changed|removed|deprecated|added|introduced|dropped|replaced|updated"
    r"|renamed|withdrawn|superseded|revised|reduced|extended|moved|fixed|improved)"
)
# Something has changed, not something that one may change.
CHANGED = re.compile(
    rf"\b(?:is|are|was|were|has been|have been|been|now|newly|also) (?:\w+ly |also |now )?{_VERB}\b"
    rf"|\bfrom \S+(?: \S+)? to \S+|\bno longer\b|\bnow (?:\w+s|\w+ed|is|are|has|have|can)\b"
    rf"|^{_VERB}\b|^(?:add|remove|drop|deprecate|change|increase|decrease|raise|lower|introduce|rename|replace"
    rf"|update|fix|improve|reduce|extend|move)s?\b|\b(?:previously|formerly)\b"
    r"|\b(?:since|starting with|as of|beginning with) (?:version |release |v)?\d",
    re.IGNORECASE,
)
_RELEASE_NOTES = (
    r"release notes?|change ?log|changes|what['’]?s new|history|revision|news|version (?:table|log)"
)
_IS_RELEASE_NOTE = re.compile(_RELEASE_NOTES, re.IGNORECASE)
_TELLS_CHANGES = re.compile(rf"{_RELEASE_NOTES}|migrat|upgrad", re.IGNORECASE)
CHANGES = re.compile(
    r"\b(?:increas\w+|decreas\w+|chang(?:e[sd]?|ing)|remov(?:e[sd]?|al|ing)|deprecat\w+|add(?:s|ed|ition)"
    r"|new(?:ly)?|now|no longer|introduc\w+|dropp?(?:s|ed)|replac\w+|updat\w+"
    r"|previously|formerly|renamed|rais(?:e[sd]?|ing)|lower(?:s|ed)|became|becomes|withdrawn|superseded|revis\w+"
    r"|switch(?:es|ed)|from \S+ to)\b",
    re.IGNORECASE,
)
EXPLAINS = re.compile(
    r"\b(?:because|so that|means that|as a result|results? in|which makes|thereby|in order to|works? by"
    r"|by \w+ing|consists? of|is (?:computed|generated|derived|stored|added|used)"
    r"|are (?:computed|generated|derived|stored|added|used)|prevents?|ensures?|requires?|takes?|each|every|then)\b",
    re.IGNORECASE,
)
# "You can turn it off", "the value can be set by the timeout parameter", "… by passing a session".
_SHOWS_HOW = re.compile(
    r"\byou (?:can|could|may|need to|have to|must|should)\b"
    r"|\b(?:can|could|may) be (?:\w+ly )?(?:\w+(?:ed|en)|set|put|lit|done|made|built|found|sent)\b"
    r"|\bby (?:passing|setting|using|calling|adding|providing|specifying|giving|running|writing|installing|replacing"
    r"|configuring|defining)\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"^(?:(?:is|are|was) (?:\w+ly )?(?:an?|the|any|one|defined|called|known|when|designed (?:to|for)|intended (?:to"
    r"|for)|meant to|used (?:to|for|in|as|when)"
    r"|(?!(?:critical|crucial|essential|fundamental|good|great|helpful|ideal|important|necessary|needed|relevant|required"
    r"|sufficient|suitable|useful|vital) for)[a-z-]+ (?:that|which|of|for|used|designed))"
    r"|means?|refers? to|describes?|denotes?|stands? for|consists? of|aims? to (?:be|provide))\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r",? (?:which|that) (?!is why\b|means\b)[a-z]+|(?:,| [-–—]+) (?:that is|i\.e\.)[, ]", re.IGNORECASE
)
# "… for ReplayGain, a technique for …"
_APPOSITION = re.compile(
    r"(?:,| [-–—]) (?:an?|the) (?:[\w-]+ ){1,3}(?:for|of|that|which|to|used|designed|based)\b", re.IGNORECASE
)
_PREPOSITION = re.compile(
    r"(?:unlike|like|with(?:out|in)?|in|for|as|by|on|at|from|besides|instead of|compared (?:to|with)|to)\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b(?:called|known as|termed|named|referred to as)\s+(?:an? |the )?", re.IGNORECASE)
# What a thing does tells what it is: "An inverted index maps words to documents."
_DOES = re.compile(
    r"(?:adds|allows?|builds|checks|collects|combines|compresses|comprises|computes|connects|contains|controls|converts|covers"
    r"|creates|describes|determines|divides|enables?|encompasses|encrypts|ensures|estimates|generates|groups|handles|helps|identifies|implements|indicates|lets?|links|makes|manages|maps|measures"
    r"|merges|offers|organi[sz]es|partitions|prevents|produces|protects|provides|quantifies|reduces|removes|represents|sends|separates|sorts|specifies|splits"
    r"|stores|tracks|transforms|translates|turns|verifies|works|wraps)$"
)
DOES_SO = 0.6
OF_ANOTHER = 0.3  # a definition of something named after the thing: "the leap second support is …"
_IDENTIFIER = re.compile(r"\b(?:\w+\.)*[^\W_]+_\w+\b")  # names something more special: "ivfflat_probes"
# "passlib.hash.argon2" is not passlib, but "howler.js" is howler.
_MEMBER = re.compile(r"\b[A-Za-z_]\w*(?:\.(?!(?:js|py|io|net|org)\b)[A-Za-z_]\w*)+\b")
_BEFORE_VERB = 8  # words before the verb of a definition that may contain its subject


def cue_of(
    question: ParsedQuestion,
    candidate: Candidate,
    named: frozenset[str] = frozenset(),
    shown: str = "",
) -> float:
    """Return 0-1: how much the wording of the sentence is typical of answers to this form of question.

    `named` are things of the kind that the question asks to name, in lower case. `shown` is the candidate's text with
    the names of the question.
    """
    asks_choice = _WHICH.match(question.text) and not find_wanted_judgement(question.text)
    if question.form is AnswerForm.POSITIONS and asks_choice:
        return _cue_of_choice(question, candidate.shown, named)
    if question.form is AnswerForm.MECHANISM and _ASKS_HOW.search(question.text):
        explains = _EXPLAINS_HOW.search(candidate.section)
        return 1.0 if explains else _cue_of_mechanism(question, candidate.shown, candidate.kind)
    text = candidate.change if question.form is AnswerForm.CHANGE else shown or candidate.shown
    return _CUES.get(question.form, _cue_of_fact)(question, text, candidate.kind)


_ASKS_HOW = re.compile(r"\bhow\b.*\bworks?\b|^\W*how (?:do|does|did)\b", re.IGNORECASE)
_EXPLAINS_HOW = re.compile(
    r"\bhow\b.*\bworks?\b|\b(?:architecture|internals|concepts|principles of operation|algorithms?"
    r"|under the hood|theory|methodology)\b",
    re.IGNORECASE,
)


def _cue_of_definition(question: ParsedQuestion, text: str, _kind: str) -> float:
    return _definition(question, text)


def _cue_of_mechanism(question: ParsedQuestion, text: str, _kind: str) -> float:
    if AnswerKind.REASON in question.kinds:
        return max(1.0 * bool(_GIVES_REASON.search(text)), 0.6 * bool(JUDGES.search(text)))
    return max(0.7 * bool(EXPLAINS.search(text)), 0.6 * _definition(question, text))


def _cue_of_steps(question: ParsedQuestion, text: str, _kind: str) -> float:
    if _denies(text, find_action_asked(question.wording)) and not _DENIAL.search(question.wording):
        return 0.0  # "You can ensure that users are never locked out."
    if is_imperative(text) and not _NAMES_OPTION.match(text):
        return 1.0
    return max(0.8 * bool(_SHOWS_HOW.search(text)), 0.6 * bool(ADVISES.search(text)))


_DENIAL = re.compile(
    r"\b(?:not|never|without|cannot|prevent(?:s|ing)?|avoid(?:s|ing)?)\b|n['’]t\b", re.IGNORECASE
)


def _denies(text: str, action: str) -> bool:
    """Return True if the text says how something is not done, within three words after the denial."""
    asked = term_set((action,))
    return bool(asked) and any(
        not asked.isdisjoint(term_set((word,)))
        for denial in _DENIAL.finditer(text)
        for word in words(text[denial.end() : denial.end() + 60])[:3]
    )


def _cue_of_positions(question: ParsedQuestion, text: str, _kind: str) -> float:
    if find_capability_asked(question.text) or _ASKS_ABILITY.match(question.text):
        return max(1.0 * bool(_IS_ABLE.search(text)), 0.5 * is_imperative(text))
    wanted = find_wanted_judgement(question.text)
    if wanted:
        return max(any(words.search(text) for words in wanted), 0.3 * bool(ADVISES.search(text)))
    if judged := _find_judged_thing(question.text):
        return _cue_of_verdict(judged, text)
    told = is_imperative(text)
    if _ASKS_WHAT_TO_DO.match(question.text):
        advises = 0.5 * bool(ADVISES.search(text) or JUDGES.search(text))
        return max(1.0 * bool(told or _RECOMMENDS.search(text)), advises)
    return max(
        1.0 * bool(_RECOMMENDS.search(text)), 0.7 * bool(ADVISES.search(text) or JUDGES.search(text) or told)
    )


def _cue_of_verdict(judged: str, text: str) -> float:
    """Score a verdict on a thing, which names it: "Is milk still safe?" is not answered by "The milk should be …"."""
    verdict = max(
        1.0 * bool(_VERDICT.search(text)), 0.4 * bool(_RECOMMENDS.search(text) or JUDGES.search(text))
    )
    asked = {forms(word)[0] for word in words(judged) if not is_stop_word(word)}
    return verdict if asked <= term_set((text,)) else 0.5 * verdict


@lru_cache(maxsize=64)  # called for each sentence that is ranked
def _find_judged_thing(question: str) -> str:
    """Return the thing that the question wants to have judged; "" if it wants something else.

    >>> _find_judged_thing("Is raw milk still safe to drink?")
    'raw milk'
    """
    found = _ASKS_VERDICT.match(question)
    return found[1].strip() if found else ""


_ASKS_VERDICT = re.compile(
    r"^\W*(?:is|are)\s+(?!it\b|this\b|that\b|there\b)(?:an? |the )?(.{2,60}?)\s+(?:(?:still|really|actually"
    r"|even|always|ever"
    r"|any|considered|a|an|not) )*(?:safe|secure|okay|ok|good|bad|reliable|recommended|dangerous|insecure"
    r"|unsafe|outdated"
    r"|obsolete|deprecated|acceptable|suitable|effective|harmful|sufficient|enough|worth|advisable|wise)\b",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"\b(?:(?:un)?safe|(?:in)?secure|(?:un)?acceptable|(?:un)?suitable|(?:in)?effective|(?:un)?reliable|(?:in)?sufficient"
    r"|adequate|recommend\w*|prefer\w*|discouraged?|deprecated|obsolete|outdated|legacy|superseded|broken|weak(?:ness\w*)?"
    r"|strong|vulnerab\w+|resistant|dangerous|harmful|risky|no longer|should (?:not|never|only)|shall not"
    r"|must not|avoid"
    r"|never|do not use|not be (?:used|relied)|instead of|stop using|misleading|(?:good|bad) for"
    rf"|{_CHOICE})\b",
    re.IGNORECASE,
)


def asks_for_judgement(question: str) -> bool:
    """Return True if the question asks for a judgement or for advice, which a description does not answer.

    >>> [asks_for_judgement(text) for text in ("Is raw milk safe?", "Should I boil it?", "Is it raw?")]
    [True, True, False]
    """
    patterns = (_ASKS_VERDICT, _ASKS_WHAT_TO_DO, _ASKS_IF_IT_IS_WISE)
    return any(pattern.match(question) for pattern in patterns)


_ASKS_IF_IT_IS_WISE = re.compile(
    r"^\W*is (?:it|this|that) (?:still |really |actually |even )?(?:safe|secure|ok|okay|worth|wise|advisable|sensible"
    r"|recommended|(?:a )?(?:good|bad)(?: idea| practice)?)\b",
    re.IGNORECASE,
)
# An instruction answers it, and a description of what something allows does not.
_ASKS_WHAT_TO_DO = re.compile(
    r"^\W*(?:should|shall|must|ought)\b|^\W*(?:do|does)\b.*\b(?:need|have|has) to\b", re.IGNORECASE
)


@lru_cache(maxsize=64)  # called for each sentence that is ranked
def find_capability_asked(question: str) -> str:
    """Return the capability or feature that the question asks about; "" if it asks for something else.

    >>> find_capability_asked("Does the pump support remote control?")
    'remote control'
    """
    found = _ASKS_CAPABILITY.match(question)
    return found[1].strip(" ?.") if found else ""


def find_deed_asked(question: ParsedQuestion) -> str:
    """Return what a named thing is asked to do or need: "filter water" in "Does Aquapump filter water?"; else ""."""
    found = _ASKS_WHAT_IT_DOES.match(question.wording)
    if not found:
        return ""
    names = {name.surface.lower() for name in question.names}
    if found[1].lower() not in names and is_english_word(found[1]):
        return ""
    deed = found[2].strip(" ?.")
    return deed if len([word for word in words(deed) if not is_stop_word(word)]) in DEED_WORDS else ""


_ASKS_CAPABILITY = re.compile(
    r"^\W*(?:do|does|did|can|could|is|are|has|have|will)\b.{1,60}?\b(?:supported|support|supports|allow|offer|provide|include"
    r"|implement|run on|work (?:with|on|in)|come with|compatible with|handle|have(?! to\b)|able to|ship with)\b (.+)$",
    re.IGNORECASE,
)

# Content words of a deed; of a longer one the sources may have other words.
DEED_WORDS = range(2, 4)
_ASKS_WHAT_IT_DOES = re.compile(
    r"^\W*(?:do|does|can|could|will) (?:the )?([\w.+/-]+) (?!(?:still|now|already|have|be)\b)([a-z][^,;]*)$",
    re.IGNORECASE,
)
# "Can X do Y?" is answered by what X can do, whatever is recommended.
_ASKS_ABILITY = re.compile(
    r"^\W*(?:can|could|is it possible|is there (?:a|any) way)\b"
    r"(?!.*\b(?:safe|secure|good|better|best|recommended|worth)\b)",
    re.IGNORECASE | re.DOTALL,
)


def find_wanted_judgement(question: str) -> list[re.Pattern[str]]:
    """Return the patterns of merits, of drawbacks, or of both, if the question asks for them by name."""
    asked = ((_ASKS_MERITS, _MERITS), (_ASKS_DRAWBACKS, _DRAWBACKS))
    return [words for asks, words in asked if asks.search(question)]


def _cue_of_choice(question: ParsedQuestion, text: str, named: frozenset[str]) -> float:
    """Score answers to "Which … should I use?", which name a thing of the kind, else a name not in the question."""
    advice = _cue_of_positions(question, text, "")
    if named:
        return advice if names_one_of(named, text) else 0.3 * advice
    return advice if _names_an_answer(question, text) else 0.4 * advice


def _cue_of_comparison(question: ParsedQuestion, text: str, _kind: str) -> float:
    defines = max((says_what_it_is(text, side) for side in question.sides), default=0.0)
    names_both = _names_both(question, text) and not _merely_lists_both(question, text)
    said = _OF_BOTH.sub("", text) if _ASKS_DIFFERENCE.search(question.text) else text
    sets_apart = bool(CONTRASTS.search(said) or _RELATES.search(said))
    return max(0.7 * defines, min(1.0, 0.5 * sets_apart + 0.6 * names_both))


_OF_BOTH = re.compile(
    r"\b(?:both|same|similar\w*)\b", re.IGNORECASE
)  # what two things share is no difference
_ASKS_DIFFERENCE = re.compile(r"\bdiffer|\bdistin(?:ction|guish)", re.IGNORECASE)


def _cue_of_change(question: ParsedQuestion, text: str, _kind: str) -> float:
    changed = 1.0 if CHANGED.search(text) else 0.4 * bool(CHANGES.search(text)) * (not is_imperative(text))
    # A change of advice shows in the advice of each time.
    return max(changed, 0.9 * bool(ADVISES.search(text))) if _ADVICE.search(question.text) else changed


def _cue_of_list(_question: ParsedQuestion, text: str, kind: str) -> float:
    if _ENUMERATES.search(text):
        return 1.0
    return 0.6 if kind == "list" or text.count(",") >= 3 else 0.0


_ENUMERATES = re.compile(
    r"\b(?:includ(?:e|es|ing)|are|compris(?:e|es|ing)|consists? of|such as|supports?|offers?|provides?)\b[:\s]"
    r"[^.;]{3,60},[^.;]{3,}(?:,| ) ?(?:and|or)\b",
    re.IGNORECASE,
)


def _cue_of_topic(_question: ParsedQuestion, text: str, _kind: str) -> float:
    return 0.6 * bool(ADVISES.search(text)) + 0.4 * bool(re.search(r"\d", text))


def _cue_of_fact(question: ParsedQuestion, text: str, _kind: str) -> float:
    if not (QUANTIFIED - GIVEN_BY_RELEASE).isdisjoint(question.kinds):
        if _GIVES_EXAMPLE.search(text):
            return 0.0
        if any(asks.search(question.text) and other.search(text) for asks, other in _OPPOSITE_LIMITS):
            return 0.5
        holds_generally = _HOLDS_GENERALLY.search(text) and answers(AnswerKind.COUNT, text, question.text)
        return 1.0 if holds_generally else 0.5
    return 0.4 * bool(ADVISES.search(text) and _asks_advice(question.text))


# A figure that holds unless something else is chosen, or a rule, rather than one of an example.
_HOLDS_GENERALLY = re.compile(
    r"\b(?:defaults?|must|shall|should|recommend\w*|at (?:least|most)|minimum|maximum|limit(?:s|ed)?|up to"
    r"|(?:no|not) (?:more|less|fewer|longer|shorter|larger|smaller) than|usually|typically|generally|normally"
    r"|on average)\b",
    re.IGNORECASE,
)
_MAXIMUM, _MINIMUM = (
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (r"max(?:imum)?|at most", r"min(?:imum)?|at least")
)
_OPPOSITE_LIMITS = ((_MAXIMUM, _MINIMUM), (_MINIMUM, _MAXIMUM))
_GIVES_EXAMPLE = re.compile(
    r"\b(?:e\.g\.|examples?|for instance|suppose|imagine|let['’]?s say)", re.IGNORECASE
)


_CUES: Mapping[AnswerForm, Callable[[ParsedQuestion, str, str], float]] = {
    AnswerForm.DEFINITION: _cue_of_definition,
    AnswerForm.MECHANISM: _cue_of_mechanism,
    AnswerForm.STEPS: _cue_of_steps,
    AnswerForm.POSITIONS: _cue_of_positions,
    AnswerForm.COMPARISON: _cue_of_comparison,
    AnswerForm.CHANGE: _cue_of_change,
    AnswerForm.LIST: _cue_of_list,
    AnswerForm.SOURCE: _cue_of_topic,
    AnswerForm.TOPIC: _cue_of_topic,
}
_WHICH = re.compile(r"^\W*(?:which|what|who)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=[a-z,;:(] )(?:[A-Z][\w+-]*[\w]|[a-z]+\d\w*|[A-Z]{2,}\w*)")


def _names_an_answer(question: ParsedQuestion, text: str) -> bool:
    """Return True if the text has a name that is not in the question."""
    asked = question.text.lower()
    return any(
        name.lower() not in asked for name in _NAME.findall(text) if not name.isupper() or name not in _MODALS
    )


_MODALS = frozenset(
    {"SHALL", "SHOULD", "MUST", "MAY", "NOT", "REQUIRED", "RECOMMENDED", "OPTIONAL", "CAN", "AND", "OR"}
)


def _asks_advice(question: str) -> bool:
    return bool(
        re.search(r"\b(?:should|must|shall|may|can|recommended|minimum|maximum)\b", question, re.IGNORECASE)
    )


@lru_cache(maxsize=1_024)  # the sentences of a section share it
def tells_changes(place: str) -> bool:
    """Return True for the title or heading of release notes, a changelog, an upgrade guide or the like."""
    return bool(_TELLS_CHANGES.search(place))


@lru_cache(maxsize=1_024)
def is_release_note(place: str) -> bool:
    """Return True for the title or heading of release notes; an upgrade guide consists of instructions."""
    return bool(_IS_RELEASE_NOTE.search(place))


# The heading of a setting in a reference: "SESSION_COOKIE_AGE", "lockout_duration". An acronym alone is a subject.
_NAMES_SETTING = re.compile(r"^\W*(?:\w+\.)*\w+_\w+\W*(?:$|[:=–—-]\s)")
_DESCRIBES_SETTING = re.compile(
    r"^\W*(?:defaults?(?: value)?(?:\s*:| to\b| is\b)|the default (?:is|value|setting)\b|optional(?:ly)?\b"
    r"|if (?:this is )?(?:set to )?(?:true|false|none|null)\b|whether (?:or not )?(?:to|the|an?|it)\b"
    r"|(?:callable|boolean|string|integer|list|dict|tuple|int|bool|str|float)\b(?: ?:| (?:that|which)\b)"
    r"|set (?:this|it) to\b|the [\w-]+ (?:option|parameter|setting|argument) (?:for|of)\b"
    r"|[A-Z][^:.]{1,40}: (?:this (?:option|parameter|setting|value|field|check ?box)\b|used (?:by|to|in|when)\b"
    r"|specif(?:y|ies)\b|(?:if|when) (?:enabled|checked|set|this|selected)\b|(?:select|choose|check|enable|toggles?)\b"
    r"|(?:the )?(?:maximum|minimum|number|acceptable|initial|default)\b)"
    r"|(?:if )?this (?:option|parameter|setting|check ?box)\b)",
    re.IGNORECASE,
)
# "… can be turned off by setting sigma_clip=None", "… object to the sigma_clip keyword".
_SETS = re.compile(
    r"\b(?:setting|passing|specifying|inputting|providing|giving|adding|using)\b[^.;]{0,40}?\b\w+ ?= ?[\w\"'\[(-]"
    r"|\bthe \w+_\w+ (?:keyword|parameter|argument|option|setting|flag|attribute|variable|field)s?\b"
    r"|\b(?:keyword|parameter|argument|option|setting|flag)s? (?:named |called )?\w+_\w+",
    re.IGNORECASE,
)
# An entry of a list of options: "delete: Remove …", "-O, --onset METHOD The method …".
_NAMES_OPTION = re.compile(r"\s*(?:[a-z][\w.-]*\s?: |-{1,2}[A-Za-z?][\w-]*[ ,=])")
_GIVES_DEFAULT = re.compile(r"\W*defaults?(?: value)?\s*:", re.IGNORECASE)
# An entry of a reference of functions: "cartesian_to_spherical(x, y, z): Converts …".
_SIGNATURE = re.compile(
    r"^\W*(?:\w+\.)*\w+\([^()]*(?:\([^()]*\)[^()]*)*\)(?:\s*(?:[:–—-]|->|→)\s|\s+(?=[A-Z]))"
)
_ASKS_FOR_FUNCTIONS = re.compile(
    r"\w_\w|\w\.\w|\(\)|\b(?:functions?|methods?|class(?:es)?|calls?|arguments?|parameters?|API)\b",
    re.IGNORECASE,
)
_ASKS_FOR_SETTINGS = re.compile(
    r"\b(?:settings?|options?|parameters?|defaults?|config\w*|enabl\w+|disabl\w+|turn (?:on|off)|values?|set up)\b"
    r"|\w_\w",
    re.IGNORECASE,
)
_ABOUT_MATTERS = (AnswerForm.POSITIONS, AnswerForm.MECHANISM, AnswerForm.COMPARISON, AnswerForm.DEFINITION)


def describes_setting(candidate: Candidate) -> bool:
    """Return True for a sentence of a reference manual that says what a setting of a program does."""
    follows_default = candidate.kind == "paragraph" and _GIVES_DEFAULT.match(candidate.before)
    is_option = _NAMES_OPTION.match(candidate.shown) and candidate.kind == "list"
    is_told = _DESCRIBES_SETTING.search(candidate.shown) or _SETS.search(candidate.shown)
    return bool(follows_default or is_option or is_told) or any(
        _NAMES_SETTING.search(heading) for heading in (candidate.heading, candidate.lead_in) if heading
    )


@lru_cache(maxsize=64)  # called for each sentence that is ranked
def find_action_asked(question: str) -> str:
    """Return the verb of what a question asks how to do; "" if there is none.

    >>> find_action_asked("How do I collimate a Newtonian telescope?")
    'collimate'
    """
    found = _ACTION.search(question)
    return found[1] if found else ""


_ACTION = re.compile(
    r"^\W*how (?:to|(?:do|can|should|could|would|might) (?:i|we|you|one|they|people))"
    r"(?: (?:best|properly|safely|quickly))? (\w+)",
    re.IGNORECASE,
)


def is_unasked_signature(question: ParsedQuestion, candidate: Candidate) -> bool:
    """Return True for an entry of a reference of functions if the question asks for none."""
    return bool(_SIGNATURE.match(candidate.shown)) and not _ASKS_FOR_FUNCTIONS.search(question.wording)


def asks_for_settings(question: ParsedQuestion) -> bool:
    """Return True if the description of a setting may be the answer.

    Definitions, mechanisms, comparisons and advice are about the matter itself, unless the question names settings.
    """
    return question.form not in _ABOUT_MATTERS or bool(_ASKS_FOR_SETTINGS.search(question.wording))


_DEFINIENDUM = re.compile(
    r"^\W*what(?: exactly)?(?:\s+(?:is|are|was|were)|['’]s)(?: meant by)? (?:an? |the )?(.+?)(?:,? and (?:how|why"
    r"|what|when|who|where|which|whether|do|does|should|is|are|can)\b.*)?\W*$"
    r"|^\W*what (?:do|does|did) it mean (?:to |for )?(?!if\b|when\b|that\b)(?:an? |the )?(.+?)\W*$"
    r"|^\W*what (?:do|does|did) (?:an? |the )?(.+?) mean\b|\b(?:definition|meaning) of (?:an? |the )?(.+?)\W*$"
    r"|^\W*define (?:an? |the )?(.+?)\W*$",
    re.IGNORECASE,
)
# "The purpose of a chord in Celery" asks about a chord.
_PLACE = re.compile(r"\s+(?:in|for|with|within|at|under|on)\s+", re.IGNORECASE)
_ASPECT = re.compile(
    r"^(?:(?:main|real|actual) )?(?:purpose|role|point|idea|concept|meaning|use|function|aim|goal|definition|benefit"
    r"|advantage|drawback|reason|principle)s? (?:of|behind|for) (?:an? |the )?",
    re.IGNORECASE,
)
# "The requested amount of the Corvin application": what a named thing has is asked for, and stands beside its label.
_OF_A_NAME = re.compile(r"^([^A-Z]+?) of (?:the |an? )?(?=.*\b[A-Z])")
_ASIDE = re.compile(
    r" \((?:or|also|sometimes|often|formerly)\b[^()]*\)", re.IGNORECASE
)  # "X (also called Y) is"
_GLOSS = re.compile(r":\s+|\s+(?:--|–|—)\s+")  # "salt: random data …", "salt — random data …"
_SUBJECT_WITHIN = 4  # words of a definition within which its subject begins


def _definition(question: ParsedQuestion, text: str) -> float:
    return says_what_it_is(text, find_definiendum(question) or question.wording)


def says_what_is_asked(part: str, text: str) -> float:
    """Return 0-1: how much the sentence defines what a part of a question asks to define; 0 for other parts."""
    thing = _find_thing_to_define(part)
    return says_what_it_is(text, thing) if thing else 0.0


def find_definiendum(question: ParsedQuestion) -> str:
    """Return the thing that "What is a … in …?" asks to define; "" for other wordings."""
    return _find_thing_to_define(question.wording)


def find_subject(question: ParsedQuestion) -> str:
    """Return what the first part of a question asks to define, with its article, else the only thing that it names."""
    names = [name.surface for name in question.names]
    thing = _find_thing_to_define(question.parts[0])
    found = re.search(rf"\b(?:(?:an?|the) )?{re.escape(thing)}", question.wording, re.IGNORECASE)
    if thing and found:
        return found.group()
    return names[0] if len(names) == 1 else ""


def _find_thing_to_define(asked: str) -> str:
    found = _DEFINIENDUM.search(asked)
    thing = next((group for group in found.groups() if group), "") if found else ""
    aspect = _ASPECT.sub("", thing)
    of_a_name = _OF_A_NAME.match(aspect)
    return of_a_name[1] if of_a_name else _PLACE.split(aspect)[0] or thing


def says_what_it_is(text: str, thing: str) -> float:
    """Return 1 if the sentence begins with the thing and says what it is, 0.7-0.9 if it does so in passing, and 0.6 if
    it says what the thing does.
    """
    asked = [forms(word)[0] for word in words(thing) if not is_stop_word(word)]
    if not asked or lacks_lettered_names(thing, text):
        return 0.0
    if _explains_short_form(text, thing) or _defines_noun_of(text, thing):
        return 1.0
    text = text if "-" in thing else leave_out_compound_names(text)
    text = text if "_" in thing else _IDENTIFIER.sub("", text)
    text = text if "." in thing else _MEMBER.sub("", text)
    name, *rest = _GLOSS.split(text, maxsplit=1)
    if rest and len(name.split()) <= len(asked) + 2 and set(asked) <= term_set((name,)):
        return 0.9 if _says_what_this_is(rest[0]) else 0.0
    tokens = _ASIDE.sub("", text).split()
    for place in range(1, min(len(tokens), _BEFORE_VERB + 1)):
        if _DOES.match(tokens[place]) and _is_subject(tokens[:place], asked):
            return DOES_SO
        if _DEFINES.match(" ".join(tokens[place : place + 5])):
            subject = tokens[:place]
            if set(asked) <= term_set((" ".join(subject),)) and not _is_late(tokens, asked):
                return 1.0 if _is_head(subject, asked) else OF_ANOTHER
            break
    is_explained = _is_followed(_RELATIVE, text, asked) or (
        not _PREPOSITION.match(text) and _is_followed(_APPOSITION, text, asked)
    )
    return 0.7 * (is_explained or _is_given_as_a_name(text, asked))


def _says_what_this_is(text: str) -> bool:
    """Return False for "This plugin can be …", which tells something else of what the heading names."""
    subject = THIS_THING.match(text)
    said = text[subject.end() :].split() if subject else []
    return not said or bool(_DEFINES.match(" ".join(said[:5])) or _DOES.match(said[0]))


def _explains_short_form(text: str, thing: str) -> bool:
    """Return True for "Internet Protocol (IP) is …" or "IP (Internet Protocol) is …"."""
    name = re.escape(thing)
    return bool(
        re.match(
            rf"(?:an? |the )?(?:[^().;:]{{3,100}} \({name}\)|{name} \([^()]{{3,100}}\)),? (?:is|are|was|were)\b",
            text,
            re.IGNORECASE,
        )
    )


def _defines_noun_of(text: str, thing: str) -> bool:
    """Return True for "Reconciliation is …" if the question asks what it means to reconcile something."""
    verb, noun = words(thing)[:1], text.split(maxsplit=1)
    nouns = {stem for word in verb for stem in find_related_stems(word)}
    return len(noun) > 1 and not nouns.isdisjoint(term_set(noun[:1])) and bool(_DEFINES.match(noun[1]))


def _is_subject(subject: Sequence[str], asked: Sequence[str]) -> bool:
    """Return True if the subject is the thing alone, or with the noun of its kind: "An IVFFlat index"."""
    said = [token for token in subject if not is_stop_word(token) and not token.startswith("(")]
    return len(said) <= len(asked) + 1 and set(asked) <= term_set(said[: len(asked)])


def _is_head(subject: Sequence[str], asked: Sequence[str]) -> bool:
    """Return True for "a leap second in UTC", but not for "the leap second support", which is about the support."""
    last = max(place for place, token in enumerate(subject) if term_set((token,)) & set(asked))
    if last + 1 == len(subject) or not subject[last][-1].isalnum():
        return True
    following = subject[last + 1]
    return is_stop_word(following.lower()) or not following[0].isalnum()


def _is_followed(explanation: re.Pattern[str], text: str, asked: Sequence[str]) -> bool:
    """Return True if an explanation follows the thing: "memory-hard functions, which require …"."""
    return any(
        set(asked) <= term_set((" ".join(text[: found.start()].split()[-len(asked) - 1 :]),))
        for found in explanation.finditer(text)
    )


def _is_given_as_a_name(text: str, asked: Sequence[str]) -> bool:
    return any(
        set(asked) <= term_set((" ".join(text[found.end() :].split()[: len(asked) + 1]),))
        for found in _CALLED.finditer(text)
    )


def _is_late(tokens: list[str], asked: list[str]) -> bool:
    """Return True if another subject precedes the thing: "Attacks on a salt are …"."""
    first = next((n for n, token in enumerate(tokens) if asked[0] in term_set((token,))), len(tokens))
    return first >= _SUBJECT_WITHIN or bool(_OF_SOMETHING.match(" ".join(tokens[:first])))


# "The acronym for forward secrecy is …" is about the acronym; "the concept of forward secrecy" is the thing itself.
_OF_SOMETHING = re.compile(
    r"^(?:\w+ )?(?!terms?\b|words?\b|concepts?\b|ideas?\b|notions?\b|phrases?\b|process\b|practice\b|kinds?\b"
    r"|types?\b|forms?\b|method\b|technique\b|act\b|use\b)\w+ (?:of|for|in|with|on|behind)(?: an?| the)?$",
    re.IGNORECASE,
)


def _names_both(question: ParsedQuestion, text: str) -> bool:
    found = term_set((leave_out_compound_names(text),)) | term_set(
        word for word in words(text) if any(word.lower() in side.lower() for side in question.sides)
    )
    sides = [{form for word in words(side) for form in forms(word)} for side in question.sides]
    return len(sides) >= 2 and all(side & found for side in sides)


def _merely_lists_both(question: ParsedQuestion, text: str) -> bool:
    """Return True if things are only listed together, without a contrast: "… including A and B"."""
    said = [forms(word) for word in words(text)]
    sides = [{forms(word)[0] for word in words(side)} for side in question.sides]
    shared = set.intersection(*sides) if sides else set()  # "accounts receivable" and "accounts payable"
    apart_from_others = [side - shared or side for side in sides]
    places = [[n for n, own in enumerate(said) if not side.isdisjoint(own)] for side in apart_from_others]
    apart = min((abs(a - b) for a in places[0] for b in places[1]), default=0) if len(places) > 1 else 0
    return 0 < apart <= 4 and not CONTRASTS.search(text) and not _RELATES.search(text)
