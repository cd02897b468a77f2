"""German questions: their language, their function words, and a rough rendering in English.

The rendering is for machines: it is embedded by an English model, and parsed by rules for English questions. Names and
English words are kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from research.extractive.question.question_english_forms import (
    adverb,
    gerund,
    past_participle,
    plural,
    third_person,
)
from research.extractive.question.question_german_lexicon import (
    SEPARABLE,
    LexiconEntry,
    WordKind,
    find_entries,
    find_verbs,
    fold_sharp_s,
    lexicon,
)
from research.extractive.question.question_word_translation import (
    Vocabulary,
    begins_compound,
    is_english_word,
    sort_by_vocabulary,
    translate_word,
    translate_word_to_german,
)
from research.extractive.terms import STOP_WORDS

__all__ = [
    "detect_language",
    "is_german_stop_word",
    "to_english",
    "translate_word",
    "translate_word_to_german",
]

_ASKS_NAME = re.compile(r"wie (?:heißt|heisst|heißen|heissen|hieß|hiess|nennt man|nennen sich|nennt sich)\b")
_TOKEN = re.compile(r"[^\W_]+(?:[.\-_/’'+,][^\W_]+)*|%|[$€£]|[(),;:?!.]")
_MARK = re.compile(r"[^\w%$€£]")


# --- language ----------------------------------------------------------------------------------------


def detect_language(text: str) -> Literal["de", "en"]:
    """Return the language of most of the question's words; English if they show none.

    Function words weigh more than nouns, which may be names from the other language.

    >>> detect_language("fingerabdruck login sicher oder nicht")
    'de'
    >>> detect_language("Was Django hacked in 2025?")
    'en'
    """
    words = [token for token in _TOKEN.findall(text) if not _MARK.match(token)]
    weights = {"de": 0, "en": 0, "": 0}
    for at, word in enumerate(words):
        weights[_language_of(word)] += _weigh_word(word, at)
    german, english = weights["de"], weights["en"]
    if german == english and german:
        first = next(language for word in words if (language := _language_of(word)))
        return "de" if first == "de" or re.search("[äöüß]", text.lower()) else "en"
    return "de" if german > english else "en"


def _weigh_word(word: str, at: int) -> int:
    """Return the weight of the word as evidence of the question's language; function words at the start weigh most."""
    if not (word.lower() in lexicon().small or word.lower() in STOP_WORDS):
        return 1
    return 4 if at < 2 else 2


def _language_of(word: str) -> str:
    """Return "de" or "en" for a word that only this language has, else ""."""
    lowered = word.lower()
    is_german = lowered in lexicon().small or _is_in_lexicon(lowered)
    is_english = lowered in STOP_WORDS or lowered in lexicon().english_words
    if is_german != is_english:
        return "de" if is_german else "en"
    if is_german:
        return ""
    if is_english_word(lowered):
        return "" if find_entries(word) else "en"
    return "de" if find_entries(word) or re.search("[äöüß]", lowered) else ""


def _is_in_lexicon(lowered: str) -> bool:
    return bool(lexicon().get(fold_sharp_s(lowered)))


def is_german_stop_word(word: str) -> bool:
    return word.lower() in lexicon().small


# --- rendering ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Word:
    text: str
    is_first: bool = False
    is_verb: bool = False  # read as a verb, whatever else it may be
    is_name: bool = False  # stays as it is
    vocabulary: Vocabulary | None = None  # of the library, whose words are preferred

    @cached_property
    def lower(self) -> str:
        return self.text.lower()

    @cached_property
    def entries(self) -> list[LexiconEntry]:
        if self.is_name:
            return []
        if self.is_verb:
            found = find_verbs(self.text)
        else:
            found = find_entries(self.lower if self.is_first and self.lower in _AUXILIARIES else self.text)
        return [entry._replace(english=sort_by_vocabulary(entry.english, self.vocabulary)) for entry in found]

    @property
    def is_small(self) -> bool:
        return not self.is_verb and self.lower in lexicon().small

    @property
    def is_noun(self) -> bool:
        if self.is_small:
            return False
        if self.is_name and not is_english_word(self.lower):
            return True
        is_known = bool(self.entries) and self.entries[0].kind is WordKind.NOUN
        return is_known or (self.text[:1].isupper() and not self.is_first) or self.text[0].isdigit()

    @cached_property
    def verb(self) -> LexiconEntry | None:
        """The verb of which this is a form; None for a capitalized noun."""
        if self.is_small or (self.text[0].isupper() and not self.is_first):
            return None
        found = self.entries and self.entries[0].kind is WordKind.VERB
        return self.entries[0] if found else None

    @property
    def is_participle(self) -> bool:
        """True for a possible past participle: "behandelt" is also a present form."""
        if self.verb is None:
            return False
        stem = self.verb.german[:-1].removesuffix("e")
        if self.lower in (f"{stem}t", f"{stem}et"):
            return self.lower.startswith(_WITHOUT_GE)
        return not self.is_infinitive

    @property
    def is_proper_name(self) -> bool:
        return self.is_name and self.text[0].isupper() and not is_english_word(self.lower)

    @property
    def is_inflected(self) -> bool:
        """True for an adjective with an ending, which stands before a noun."""
        entry = self.entries[0] if self.entries else None
        return entry is not None and entry.kind is WordKind.OTHER and self.lower != entry.german.lower()

    @property
    def is_plural(self) -> bool:
        return bool(self.entries) and self.lower != self.entries[0].german.lower()

    @property
    def is_with_zu(self) -> bool:
        """True for an infinitive with "zu" inside: "einzurichten"."""
        return self.verb is not None and not self.is_infinitive and bool(re.match(r"\w+zu\w+n$", self.lower))

    @property
    def is_imperative(self) -> bool:
        """True for the form of an order: "zeig", "nenne"."""
        stem = self.verb.german.removesuffix("n").removesuffix("e") if self.verb else ""
        return self.verb is not None and fold_sharp_s(self.lower) in (
            fold_sharp_s(stem),
            fold_sharp_s(stem + "e"),
        )

    @property
    def is_adverbial(self) -> bool:
        """True for an adjective without ending that may be an adverb."""
        entry = self.entries[0] if self.entries else None
        is_plain = entry is not None and entry.kind is WordKind.OTHER and self.lower == entry.german.lower()
        return is_plain and bool(_ADVERBIAL.search(self.lower))

    @property
    def is_infinitive(self) -> bool:
        return self.verb is not None and fold_sharp_s(self.lower) == fold_sharp_s(self.verb.german)


_WITHOUT_GE = ("be", "ent", "emp", "er", "ver", "zer", "über", "unter", "wider")
# Endings of adjectives that are also adverbs.
_ADVERBIAL = re.compile(
    r".(?:lich|\w\wig|isch|bar|sam|haft|ell|iv|al|ant|ent|los|frei|voll|ekt)$|^(?:genau|sicher|einfach)$"
)
_ADVERBS = {"wirklich": "really", "tatsächlich": "actually"}  # never predicates
_GOOD = frozenset(
    "gut schlecht stark leicht".split()
)  # adverbs only after "wie", as they are also parts of verbs
_ARTICLES = frozenset("der die das den dem des".split())
_NO = re.compile("nicht$|kein")
_MODALS = frozenset(
    """kann kannst können könnte könntest könnten konnte konnten darf dürfen dürfte dürften durfte muss muß müssen
    müsste musste mussten soll sollen sollte sollten will wollen möchte möchten würde würden hätte hätten""".split()
)
_BE = {"ist": "is", "sind": "are", "war": "was", "waren": "were", "wäre": "would be", "wären": "would be"}
_HAVE = {"hat": "has", "haben": "have", "hatte": "had", "hatten": "had"}
_BECOME = {"wird": "is", "werden": "are", "wurde": "was", "wurden": "were"}
_AUXILIARIES = _MODALS | _BE.keys() | _HAVE.keys() | _BECOME.keys() | {"lässt", "lassen"}
_END_VERBS = {
    "werden": "be",
    "worden": "been",
    "sein": "be",
    "haben": "have",
    "geworden": "become",
    "können": "can",
}
# Verbs whose perfect has "is" in German and "has" in English.
_MOVING = frozenset(
    """steigen ansteigen sinken fallen wachsen anwachsen gehen zurückgehen kommen entstehen geschehen passieren
    verschwinden sterben bleiben fahren fliegen gelingen auftreten eintreten erscheinen scheitern schrumpfen""".split()
)
_ASKING_HOW = frozenset(
    "wie wann wo warum wieso weshalb wohin woher wozu womit wodurch wofür inwiefern wieviel".split()
)
_GENITIVES = {"der": "of the", "des": "of the", "eines": "of a", "einer": "of a"}
_PREPOSITIONS = frozenset(
    "in ab seit bis mit für von zu nach aus bei unter über auf an um gegen vor durch".split()
)
_MEASURES = frozenset(
    "lange lang oft hoch viel schnell groß weit tief alt stark teuer gut sehr wenig schwer".split()
)
_SUBJECTS = frozenset("ich man wir du sie er es ihr".split())
_DETERMINERS = frozenset(
    """der die das ein eine kein keine mein meine unser unsere ihr ihre sein seine dein deine dieser diese dieses
    alle viele jede jeder jedes einige mehrere""".split()
)
_SINGULAR = frozenset(
    """des eines einem dem einer einen meines seines ihres unseres meinem seinem jedes jedem jeder jeden im am zum vom
    beim""".split()
)
_PLURAL = frozenset("viele vielen wenige alle allen mehrere einige beide".split())
_GIVE = LexiconEntry(
    "geben", WordKind.VERB, ("give",)
)  # "gibt" is among the function words because of "gibt es"
# Verbs whose object is "was": "Was kostet ein Patent?", but "Was beeinflusst den Preis?".
_SAID = frozenset(
    """kosten bedeuten sagen heißen empfehlen fordern verlangen vorschreiben raten meinen tun machen bringen kennen
    verdienen wiegen messen bewirken leisten enthalten regeln vorsehen schreiben bieten wissen halten""".split()
)
_PASSIVE = {"warten": "maintain"}  # senses of the passive, if the usual sense has no object
_REFLEXIVE = {"unterscheiden": "differ", "lohnen": "pay off", "auswirken": "affect", "eignen": "be suitable"}
_PAST = frozenset("hielt galt bat trat litt ritt stritt glitt schritt riet tat".split())
_RELATIVE = frozenset("der die das den dem denen deren dessen welche welcher welches welchen welchem".split())
_RELATIVE_SUBJECTS = frozenset("der die das welche welcher welches".split())
_SUBORDINATE = frozenset("dass daß ob wenn falls weil obwohl bevor nachdem sobald solange damit".split())
_WARDING_OFF = re.compile("schütz|schutz|sicher|bewahr|warn|abwehr|verteidig", re.IGNORECASE)
_CLAUSE_JOINTS = frozenset("und oder aber sondern sowie".split())


def to_english(question: str, names: Collection[str] = (), vocabulary: Vocabulary | None = None) -> str:
    """Render a German question in English, word by word in English order. English questions come back unchanged.

    `names` are words that stay as they are, whatever else they may mean. Senses of the vocabulary are preferred.

    >>> to_english("Wie schützt man ein Login vor Brute-Force-Angriffen?")
    'How to protect a login against Brute-Force attacks?'
    >>> to_english("Was ist der Unterschied zwischen bcrypt und Argon2?")
    'What is the difference between bcrypt and Argon2?'
    """
    if detect_language(question) == "en":
        return question.strip()
    question = _IMPERATIVE.sub(lambda found: _IMPERATIVES[found[1].lower()], question)
    question = _DECADE.sub(r"\1s", question)
    question = _ELLIPSIS.sub(_complete_compound, question)
    is_warded = bool(_WARDING_OFF.search(question))
    pieces = [
        piece
        if isinstance(piece, str)
        else _QuestionClause(piece, is_warded=is_warded, is_later=at > 0).render()
        for at, piece in enumerate(_clauses(_TOKEN.findall(question), names, vocabulary))
    ]
    text = re.sub(r"\s+([),;:?!.])", r"\1", " ".join(filter(None, pieces)))
    text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
    first = text if text.partition(" ")[0] in names else text[:1].upper() + text[1:]
    return re.sub(r"\(\s+", "(", first)


# Irregular ones, with the form that regular verbs have.
_IMPERATIVES = {"gib": "Gebe", "lies": "Lese", "nimm": "Nehme", "sieh": "Sehe", "hilf": "Helfe"}
_IMPERATIVE = re.compile(rf"^\W*({'|'.join(_IMPERATIVES)})\b", re.IGNORECASE)
_DECADE = re.compile(r"\b((?:18|19|20)?\d0)ern?\b(?:[- ]Jahren?\b)?")
_ELLIPSIS = re.compile(r"\b(\w+)-(?:\s+(und|oder|sowie|bzw\.|bis|&)\s+|/)(-?)(\w{5,})")


def _complete_compound(match: re.Match[str]) -> str:
    """Complete shortened compounds: "Vor- und Nachteile" becomes "Vorteile und Nachteile".

    "Mondauf- und -untergang", where both are shortened, becomes "Mondaufgang und Monduntergang".
    """
    first, joint, hyphen, second = match.groups()
    joint = "und" if joint in (None, "&") else joint
    tails = [
        second[at:]
        for at in range(2, len(second) - 2)
        if begins_compound(second[:at])
        and not second.startswith(first.lower(), at)
        and _is_translated(second[at:].capitalize())
    ]
    wholes = [whole for tail in tails if _is_translated(whole := first + tail)]
    whole = next((whole for whole in wholes if find_entries(whole)), wholes[0] if wholes else "")
    if whole and not hyphen:
        return f"{whole} {joint} {second}"
    others = (first[:at] + second for at in range(3, len(first) - 1) if begins_compound(first[at:]))
    other = next(filter(_is_translated, others), "")
    return f"{whole} {joint} {other}" if whole and other else match.group()


def _is_translated(word: str) -> bool:
    return bool(find_entries(word) or translate_word(word))


def _clauses(
    tokens: Sequence[str], names: Collection[str], vocabulary: Vocabulary | None
) -> Iterator[str | list[_Word]]:
    """Yield punctuation and conjunctions as strings, and the words between them as lists."""
    words: list[_Word] = []
    is_first = True
    for at, token in enumerate(tokens):
        is_joint = token.lower() in _CLAUSE_JOINTS and _begins_clause(tokens[at + 1 : at + 3])
        if not (_MARK.match(token) or is_joint):
            words.append(_Word(token, is_first, is_name=token in names, vocabulary=vocabulary))
            is_first = False
            continue
        if words:
            yield _with_verb(_with_particle(words))
        yield lexicon().small[token.lower()] if is_joint else token
        words, is_first = [], _MARK.match(token) is not None
    if words:
        yield _with_verb(_with_particle(words))


def _with_verb(words: list[_Word]) -> list[_Word]:
    """Read the word before "ich" as a verb, although it may have the form of a noun: "speichere", "schütze"."""
    return [
        replace(word, is_verb=True)
        if after is not None and after.lower == "ich" and word.text[0].islower() and find_verbs(word.text)
        else word
        for word, after in zip(words, [*words[1:], None], strict=True)
    ]


def _with_particle(words: list[_Word]) -> list[_Word]:
    """Join a verb and its final particle: "richtet … ein" becomes "einrichtet …"."""
    particle = words[-1].lower
    if particle not in SEPARABLE or len(words) < 3:
        return words
    for at, word in enumerate(words[:-1]):
        is_verb = not word.is_small or find_verbs(word.text)  # "zeige mir …" has a translation of its own
        if is_verb and (word.is_first or word.text[0].islower()):
            joined = _Word(particle + word.lower, is_verb=True, vocabulary=word.vocabulary)
            if joined.entries:
                return [*words[:at], joined, *words[at + 1 : -1]]
    return words


def _begins_clause(tokens: Sequence[str]) -> bool:
    """Return True at the beginning of a clause: "… und wie", "… und für wen"."""
    words = [token.lower() for token in tokens]
    if not words:
        return False
    if words[0] in _AUXILIARIES:
        return True
    asking = words[-1] if words[0] in _PREPOSITIONS else words[0]
    return asking in _ASKING_HOW or asking in ("was", "wer", "wen", "wem") or asking.startswith("welche")


@dataclass(frozen=True)
class _QuestionClause:
    words: list[_Word]
    is_warded: bool
    is_later: bool  # it is not the first clause of the question

    def render(self) -> str:
        if self.asks_distance and any(word.lower == "entfernt" for word in self.words):
            return replace(self, words=[word for word in self.words if word.lower != "entfernt"]).render()
        if self.is_later and self._ends_with_infinitive():
            return self._without_finite_verb()
        if joint := self._length_of_joint():
            return self._subordinate(joint)
        if asked := _ASKS_NAME.match(" ".join(word.lower for word in self.words)):
            return _join("what is", self._phrase(self.words[len(asked[0].split()) :]), "called")
        at = self._finite_verb()
        if at is None:
            return self._without_finite_verb()
        opening, verb, rest = self.words[:at], self.words[at], self.words[at + 1 :]
        if verb.lower == "gibt" and rest and rest[0].lower == "es":
            is_single = len(rest) > 1 and rest[1].lower in ("ein", "eine", "einen", "das")
            return _join(
                self._phrase(opening), "is there" if is_single else "are there", self._phrase(rest[1:])
            )
        if verb.lower in _AUXILIARIES:
            return self._with_auxiliary(opening, verb, rest)
        return self._with_full_verb(opening, verb, rest)

    def _length_of_joint(self) -> int:
        """Return the number of words that join the clause to the previous one, such as "ob", "mit denen".

        0 for a main clause.
        """
        first = self.words[0].lower
        if first in _SUBORDINATE:
            return 1
        ends_in_verb = self.words[-1].verb is not None or self.words[-1].lower in _AUXILIARIES
        if not self.is_later or not ends_in_verb or len(self.words) < 3:
            return 0
        if first in _ASKING_HOW:
            is_measured = first == "wie" and not self.words[1].is_noun and not self.words[1].is_small
            return 2 if is_measured else 1
        if first in _RELATIVE:
            return 1
        return 2 if first in _PREPOSITIONS and self.words[1].lower in _RELATIVE else 0

    def _without_finite_verb(self) -> str:
        """Render a phrase, or an infinitive with its objects: "um Passwörter zu speichern"."""
        words, last = self.words[1:] if self.words[0].lower == "um" else self.words, self.words[-1]
        if last.verb and self._ends_with_infinitive():
            rest = words[:-1] if last.is_with_zu else words[:-2]
            return _join("to", last.verb.english[0], self._phrase(rest))
        return self._phrase(self.words)

    def _ends_with_infinitive(self) -> bool:
        """Return True for "den Drucker laufen zu lassen" and "ihn abzuschalten"."""
        *before, last = self.words
        return last.verb is not None and (last.is_with_zu or bool(before and before[-1].lower == "zu"))

    def _finite_verb(self) -> int | None:
        places = range(min(len(self.words), 10))
        auxiliary = next((at for at in places if self.words[at].lower in _AUXILIARIES), None)
        if auxiliary is not None and (auxiliary < len(self.words) - 1 or auxiliary == 1):
            return auxiliary
        return next((at for at in places if self._is_finite(at)), None)

    def _is_finite(self, at: int) -> bool:
        word = self.words[at]
        if word.lower == "gibt":
            return True
        if word.verb is None or word.is_with_zu or (at and self.words[at - 1].lower == "zu"):
            return False
        is_followed_by_noun = at + 1 < len(self.words) and self.words[at + 1].is_noun
        is_attribute = word.is_participle and is_followed_by_noun and not word.lower.endswith("t")
        return not is_attribute and (at > 0 or not word.is_infinitive)

    @property
    def asks_distance(self) -> bool:
        return len(self.words) > 2 and [word.lower for word in self.words[:2]] == ["wie", "weit"]

    @property
    def asks_difference(self) -> bool:
        return any(word.verb is not None and word.verb.german == "unterscheiden" for word in self.words)

    @property
    def has_full_verb(self) -> bool:
        return any(word.verb is not None for word in self.words)

    @property
    def is_passive(self) -> bool:
        return any(word.lower in _BECOME for word in self.words) or self.words[-1].lower == "betroffen"

    # --- clauses with an auxiliary

    def _with_auxiliary(self, opening: list[_Word], verb: _Word, rest: list[_Word]) -> str:
        middle, tail = _split_tail(rest)
        if verb.lower in _BECOME and not tail and middle and find_verbs(middle[-1].text):
            middle, tail = middle[:-1], [_Word(middle[-1].text, is_verb=True)]  # "wurde verboten"
        auxiliary, end = _auxiliary(verb.lower, tail, is_reflexive=any(word.lower == "sich" for word in rest))
        if auxiliary in _HAVE.values() and not tail:
            auxiliary, end = {"has": "does", "have": "do", "had": "did"}[auxiliary], "have"
        middle = [word for word in middle if word.lower != "sich"]
        if end == "say" and any(word.lower in ("mir", "uns") for word in middle):
            end = "tell"
        if self._asks_for_subject(opening, middle) and end != "have":
            return _join(self._phrase(opening), auxiliary, end, self._phrase(_adjective_first(middle, end)))
        middle, negation = _without_negation(middle) if end else (middle, "")
        if end == "be" and middle and not middle[-1].is_noun:
            return _join(
                self._phrase(opening),
                auxiliary,
                self._phrase(middle[:-1]),
                negation,
                end,
                self._phrase(middle[-1:]),
            )
        subject, others = _split_subject(middle)
        if not end:
            subject, others = middle, []
        return _join(
            self._phrase(opening), auxiliary, self._phrase(subject), negation, end, self._phrase(others)
        )

    def _asks_for_subject(self, opening: list[_Word], middle: list[_Word]) -> bool:
        """Return True if the question asks for the subject: "Wer hat …", "Welche Firmen haben Daten verloren"."""
        if not opening or opening[0].lower in _PREPOSITIONS:
            return False
        if opening[0].lower == "wer":
            return True
        is_named = opening[-1].is_noun and opening[0].lower not in _MEASURES
        begins = middle[0].lower if middle else ""
        return is_named and begins not in _SUBJECTS and begins not in _DETERMINERS

    # --- clauses with a full verb

    def _with_full_verb(self, opening: list[_Word], verb: _Word, rest: list[_Word]) -> str:
        entry = verb.verb or _GIVE
        is_reflexive = any(word.lower == "sich" for word in rest)
        rest = [word for word in rest if word.lower != "sich"]
        english = (is_reflexive and _REFLEXIVE.get(entry.german)) or entry.english[0]
        if not opening and not self.is_later and verb.is_imperative and not _begins_with_subject(rest):
            is_told = english == "say" and bool(rest) and rest[0].lower in ("mir", "uns")
            return _join("tell" if is_told else english, self._phrase(rest))
        asks_how = bool(opening) and opening[0].lower == "wie" and len(opening) == 1
        if asks_how and rest and rest[0].lower in ("man", "ich", "wir"):
            return _join("how to", english, self._phrase(rest[1:]))
        is_past = _is_past(verb.lower, entry.german)
        if self._needs_do(opening, verb, entry, rest):
            subject, others = _split_subject(rest)
            if self.asks_difference:  # "… von Scrypt" belongs to the verb, not to the subject
                at = next(
                    (at for at, word in enumerate(subject) if word.lower in ("von", "vom")), len(subject)
                )
                subject, others = subject[:at], [*subject[at:], *others]
            others, negation = _without_negation(others, after=0)
            is_plural = verb.lower.endswith("n") or (bool(rest) and rest[0].lower in ("ich", "wir"))
            if english.startswith("be "):
                finite = ("were" if is_plural else "was") if is_past else "are" if is_plural else "is"
                return _join(
                    self._phrase(opening),
                    finite,
                    self._phrase(subject),
                    negation,
                    english[3:],
                    self._phrase(others),
                )
            do = "did" if is_past else "do" if is_plural else "does"
            return _join(
                self._phrase(opening), do, self._phrase(subject), negation, english, self._phrase(others)
            )
        is_plural = verb.lower.endswith("n")
        finite = re.sub("^be ", "are ", english) if is_plural else third_person(english)
        return _join(
            self._phrase(opening), past_participle(english) if is_past else finite, self._phrase(rest)
        )

    def _needs_do(self, opening: list[_Word], verb: _Word, entry: LexiconEntry, rest: list[_Word]) -> bool:
        if not opening:
            return True
        first = opening[0].lower
        if rest and rest[0].lower in _SUBJECTS:
            return True
        if first == "wie" and len(opening) == 2 and not opening[1].is_noun:
            return True  # "Wie genau misst die Uhr?"
        if first == "was":
            return entry.german in _SAID
        if first in _PREPOSITIONS or all(word.lower in _MEASURES | _ASKING_HOW for word in opening):
            return True
        is_amount = first == "wie" and opening[1].lower in ("viel", "wenig")
        begins = rest[0].lower if rest else ""
        if not opening[-1].is_noun or begins not in _DETERMINERS:
            return False
        return (
            begins in ("der", "ein") or is_amount or (opening[-1].is_plural and not verb.lower.endswith("n"))
        )

    def _subordinate(self, joint: int) -> str:
        """Render a subordinate clause, with its verbs last in German: "ob man Passwörter ändern sollte"."""
        words = self.words[joint:]
        if words and words[-1].lower in _AUXILIARIES:
            middle, tail = _split_tail(words[:-1])
            verbs = _join(*_auxiliary(words[-1].lower, tail, is_reflexive=False))
        else:
            middle, tail = _split_tail(words)
            middle, negation = _without_negation(middle)
            verbs = _join(*(word.verb.english[0] for word in tail if word.verb))
            is_single = bool(tail) and tail[-1].lower.endswith("t")
            if negation:
                verbs = _join("does" if is_single else "do", negation, verbs)
            elif is_single:
                verbs = third_person(verbs)
        subject, others = _split_subject([word for word in middle if word.lower != "sich"])
        is_subject = self.words[0].lower in _RELATIVE_SUBJECTS and joint == 1  # "die Daten verloren haben"
        if is_subject and not (subject and subject[0].lower in _SUBJECTS | _DETERMINERS):
            subject, others = [], middle
        if self.words[0].lower == "wie" and joint == 1 and subject and subject[0].lower == "man" and others:
            return _join(
                "how to", *(word.verb.english[0] for word in tail if word.verb), self._phrase(others)
            )
        joined = " ".join(
            "which" if word.lower in _RELATIVE else self._word(self.words[:joint], at)
            for at, word in enumerate(self.words[:joint])
        )
        if all(word.is_small or word.lower in _ADVERBS for word in others):
            return _join(joined, self._phrase(subject), self._phrase(others), verbs)
        return _join(joined, self._phrase(subject), verbs, self._phrase(others))

    # --- words

    def _phrase(self, words: Sequence[_Word]) -> str:
        return _join(*(self._word(words, at) for at in range(len(words))))

    def _word(self, words: Sequence[_Word], at: int) -> str:
        word = words[at]
        before = words[at - 1] if at else None
        if word.is_small:
            return self._small(words, at)
        if word.verb and not word.is_participle and (before is not None and before.lower == "zu"):
            return word.verb.english[0]
        if word.verb and word.is_with_zu:
            return f"to {word.verb.english[0]}"
        if word.verb:
            english = word.verb.english[0]
            return english if word.is_infinitive else past_participle(english)
        following = words[at + 1] if at + 1 < len(words) else None
        if word.is_adverbial and (following is None or not (following.is_noun or following.is_inflected)):
            return self._adverb(word, before, following)
        if _is_how(before) and (
            word.lower == "weit" or (word.lower in _GOOD and word.entries and self.has_full_verb)
        ):
            return "far" if word.lower == "weit" else adverb(word.entries[0].english[0])
        return _content_word(word, before)

    def _adverb(self, word: _Word, before: _Word | None, following: _Word | None) -> str:
        """Render an adjective without ending: a predicate after "is", an adverb of any other verb."""
        is_before_noun_phrase = following is not None and following.lower in _DETERMINERS
        if word.lower in _ADVERBS or self.has_full_verb or (is_before_noun_phrase and not _is_how(before)):
            return _ADVERBS.get(word.lower) or adverb(word.entries[0].english[0])
        if word.lower == "genau" and _is_how(before):
            return "accurate"
        return word.entries[0].english[0]

    def _small(self, words: Sequence[_Word], at: int) -> str:
        word, before = words[at], words[at - 1] if at else None
        following = words[at + 1].lower if at + 1 < len(words) else ""
        special = self._small_of_clause(word, before, words[at + 1] if at + 1 < len(words) else None)
        if special is not None:
            return special
        if word.lower == "als" and any(_is_comparative(other.lower) for other in words[:at]):
            return "than"
        if word.lower == "alle" and following[:1].isdigit():
            return "every"
        if word.lower == "am" and following.endswith("sten"):
            return ""
        is_first = before is None or before.text[0].isdigit() or not before.is_noun
        if word.lower == "von" and is_first and self.is_passive:
            return "by"
        is_after_noun = before is not None and before.is_noun and not before.text[0].isdigit()
        if is_after_noun and word.lower in _GENITIVES:
            return _GENITIVES[word.lower]
        if word.lower == "für" and before is not None and before.lower == "was":
            return "kind of"
        return lexicon().small[word.lower]

    def _small_of_clause(self, word: _Word, before: _Word | None, following: _Word | None) -> str | None:
        """Return what a function word is in this clause; None if it is the same in others."""
        if word.lower in _ARTICLES and following is not None and following.is_proper_name:
            is_genitive = word.lower == "des" or (
                word.lower == "der" and before is not None and before.is_noun
            )
            return "of" if is_genitive else ""
        if word.lower == "vor" and self.is_warded:
            return "against"
        if word.lower in ("von", "vom") and (self.asks_distance or self.asks_difference):
            return "from" if word.lower == "von" else "from the"
        if word.lower == "mehr" and any(_NO.match(other.lower) for other in self.words):
            return "anymore"
        return "as" if word.lower == "wie" and before is not None else None


def _join(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _adjective_first(middle: list[_Word], end: str) -> list[_Word]:
    """Put the predicate first, as in English: "… waren 2025 von Lecks betroffen"."""
    is_adjective = bool(middle) and not middle[-1].is_noun and not middle[-1].is_small
    return [middle[-1], *middle[:-1]] if is_adjective and not end else middle


def _without_negation(words: list[_Word], after: int = 1) -> tuple[list[_Word], str]:
    """Return the words without "nicht", and "not" if it denies the clause and not only the words after it.

    It is looked for from the index `after`: at the beginning of a subject ("nicht alle") it denies only that.
    """
    at = next((at for at in range(after, len(words)) if words[at].lower == "nicht"), len(words))
    if not words or at == len(words) or (at + 1 < len(words) and words[at + 1].lower == "nur"):
        return words, ""
    return [*words[:at], *words[at + 1 :]], "not"


def _begins_with_subject(words: Sequence[_Word]) -> bool:
    return bool(words) and words[0].lower in _SUBJECTS


def _split_tail(rest: list[_Word]) -> tuple[list[_Word], list[_Word]]:
    """Return the words before the final verbs, and these verbs."""
    at = len(rest)
    while at > 0 and (rest[at - 1].lower in _END_VERBS or rest[at - 1].verb is not None):
        at -= 1
    if at and rest[at - 1].lower == "zu":
        at -= 1
    return rest[:at], rest[at:]


def _auxiliary(verb: str, tail: Sequence[_Word], *, is_reflexive: bool) -> tuple[str, str]:
    """Return the English auxiliary, and the final verbs in the form that follows it."""
    full = next((word for word in tail if word.verb), None)
    end = _end_verbs(tail)
    if verb in ("lässt", "lassen"):
        passive = full.verb.english[0] if full and full.verb else ""
        return ("can", _join("be", past_participle(passive))) if is_reflexive and full else ("lets", end)
    if verb in _BE:
        is_moved = full is not None and full.verb is not None and full.verb.german in _MOVING
        return {"is": "has", "are": "have"}.get(_BE[verb], "had") if is_moved else _BE[verb], end
    if verb in _BECOME:
        if full is None:
            return {"wird": "becomes", "werden": "become"}.get(verb, "became"), end
        is_future = full.is_infinitive and verb in ("wird", "werden") and not full.is_participle
        return ("will", end) if is_future else (_BECOME[verb], _past_of(full))
    if verb in _HAVE:
        return _HAVE[verb], _past_of(full) if full else end
    return lexicon().small[verb], end


def _past_of(word: _Word) -> str:
    if word.verb is None:
        return ""
    return past_participle(_PASSIVE.get(word.verb.german, word.verb.english[0]))


def _end_verbs(tail: Sequence[_Word]) -> str:
    helper = next((_END_VERBS[word.lower] for word in reversed(tail) if word.lower in _END_VERBS), "")
    full = next((word for word in tail if word.verb), None)
    if full is None or full.verb is None:
        return helper
    is_past = bool(helper) or (full.is_participle and not full.is_infinitive)
    to = "to" if tail and tail[0].lower == "zu" else ""
    return _join(helper, to, _past_of(full) if is_past else full.verb.english[0])


def _split_subject(words: list[_Word]) -> tuple[list[_Word], list[_Word]]:
    """Return the first noun phrase, with its genitive and coordinated phrases, and the rest."""
    if (
        words
        and words[0].lower in _SUBJECTS
        and not (words[0].lower == "ihr" and words[1:] and words[1].is_noun)
    ):
        return words[:1], words[1:]
    at = _end_of_noun_phrase(words, 0)
    while (
        at
        and at + 1 < len(words)
        and words[at].lower in ("der", "des", "eines", "einer", "von", "und", "oder")
    ):
        end = _end_of_noun_phrase(words, at + 1)
        if not end:
            break
        at = end
    return words[:at], words[at:]


def _end_of_noun_phrase(words: Sequence[_Word], start: int) -> int:
    """Return the index after the noun phrase that begins at `start`; 0 if none begins there."""
    for at in range(start, len(words)):
        if words[at].is_noun:
            return at + 1 + sum(1 for _ in _names_after(words, at + 1))
        if words[at].is_small and words[at].lower not in _DETERMINERS | {
            "den",
            "dem",
            "des",
            "einen",
            "einem",
        }:
            return 0
    return 0


def _names_after(words: Sequence[_Word], start: int) -> Iterator[_Word]:
    for word in words[start:]:
        if word.is_small or word.entries or not (word.text[0].isupper() or word.text[0].isdigit()):
            return
        yield word


def _is_past(form: str, infinitive: str) -> bool:
    stem = infinitive[:-1].removesuffix("e")
    if form in (f"{stem}te", f"{stem}ten", f"{stem}ete", f"{stem}eten"):
        return True
    is_irregular = form in lexicon().verb_forms or form.removesuffix("en") in lexicon().verb_forms
    return (is_irregular and form != infinitive and not form.endswith("t")) or form in _PAST


def _is_comparative(word: str) -> bool:
    return word in ("mehr", "weniger", "besser") or (
        word.endswith(("er", "ere", "eren")) and bool(find_entries(word))
    )


def _content_word(word: _Word, before: _Word | None) -> str:
    is_loan = word.text[1:].islower() and is_english_word(word.lower) and _is_determiner(before)
    if word.is_name:
        return word.lower if is_loan else word.text
    if (
        word.lower in lexicon().english_words
        and not word.text[0].isupper()
        and not _is_in_lexicon(word.lower)
    ):
        return word.text
    senses = translate_word(word.text, word.vocabulary)
    if not senses or senses == (word.text,):
        return word.lower if is_loan else word.text
    entry = word.entries[0] if word.entries else None
    if entry is not None and entry.kind is WordKind.VERB:
        return gerund(senses[0])  # "das Rauchen", "beim Zurücksetzen"
    if entry is not None and entry.kind is WordKind.OTHER:
        return _translate_superlative(word.lower, entry)
    return plural(senses[0]) if _is_plural(word, entry, before) else senses[0]


def _is_how(word: _Word | None) -> bool:
    return word is not None and word.lower == "wie"


def _is_determiner(word: _Word | None) -> bool:
    return word is not None and (word.lower in _DETERMINERS | _SINGULAR | _PLURAL | {"den", "keinen"})


def _translate_superlative(word: str, entry: LexiconEntry) -> str:
    is_superlative = bool(re.search(r"ste[nrms]?$", word)) and not entry.german.endswith("st")
    sense = entry.english[0]
    return f"most {sense}" if is_superlative and not re.search("(?:est|most)$", sense) else sense


def _is_plural(word: _Word, entry: LexiconEntry | None, before: _Word | None) -> bool:
    if before is not None and before.lower in _SINGULAR:
        return False
    if before is not None and (before.lower in _PLURAL or before.text[0].isdigit()):
        return bool(re.search(r"(?:en|er|n|e|s|el)$", word.lower))
    if entry is None:
        return bool(re.search(r"(?:ungen|eiten|ionen|innen|täten|en)$", word.lower))
    return word.lower != entry.german.lower() and entry.kind is WordKind.NOUN
