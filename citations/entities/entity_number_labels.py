"""Finds numbers that are labels: versions, sections, document numbers, telephone numbers, "Apollo 11"."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from citations.text.claim_vocabulary import digit_runs, vocabulary
from citations.text.claim_words_and_stems import STOPWORDS
from citations.text.quote_span import Span

_NAMING = frozenset(
    "version versions ver release draft rev revision section sections sec chapter chapters chap ch figure figures "
    "fig table tables appendix step steps page pages p pp rfc sp pub num part parts clause article articles art "
    "item items requirement iso iso/iec level levels volume vol episode episodes ep season series scene verse room "
    "suite apartment apt flight route highway interstate platform type phase tier generation gen paragraph para "
    "equation eq theorem lemma algorithm footnote docket resolution directive regulation decree matchday".split()
)
_NAMING_WITH_POINT = frozenset({"no", "nos", "nr", "art", "vol", "p", "pp"})
# Also verbs and common nouns: "order 5 pizzas" counts.
_NAMING_OR_NOT = frozenset(
    "number no nos issue act line gate track lane channel bus class grade stage category day week round heat group "
    "unit model mark question problem example note box lot serial order case title".split()
)
_WORD_BEFORE = re.compile(
    r"(?<![\w/-])(?P<word>[^\W\d_]{1,20}(?:/[^\W\d_]{1,8})?)(?P<point>\.?)[ \u00a0]?\#?$"
)
_NUMBER = re.compile(r"\d[\w.]*+(?:-\d[\w.]*+)*+(?!\s?%|,\d)")
_COUNTED = re.compile(
    r"[.,]\d|\s?%|\s+(?:\w+\s)?[a-z]{2,}s\b"
    r"|\s+(?:people|men|women|children|million|billion|thousand|percent|per|of)\b"
)
_DIGIT_LED = re.compile(
    r"""(?=[\d\[(+\#§])(?:
        \[\d+(?:[,;–-]\s?\d+)*\]  # citation marks
      | §+\s?\d[\d.]* | \#\d+\b
      | \b10\.\d{4,9}/\S+  # digital object identifiers
      | \b(?!\d{1,3}(?:\.\d{3})+(?!\.?\d))\d+(?:\.\d+){2,}\w*  # versions
      | \b(?:19|20)\d\d/\d\d\b | \b(?:24/7|9/11|7/7|50/50)\b
      | \b\d+[-‐‑]\d+[A-Za-z]\w* | \b\d{3,}[-‐‑]\d+(?:[-‐‑]\d+){0,6}(?:\w|(?=\s?(?:rev|\()))  # 800-63B
      | (?<![\w.,])(?:\+|00)\d{1,3}[\s(]\s?\d[\d\s()/-]{5,14}\d\b  # +41 44 123 45 67
      | (?<!\d)\(?\d{3}\)?[-.\s]\d{3}[-.]\d{4}\b | \b1-800-[\w-]+  # telephone numbers
      | \b\d{1,2}(?:[:.]\d\d){0,2}\s?(?:[ap]\.?m\b\.?)
      | \b\d{1,2}[:.]\d\d(?::\d\d)?\s?(?:uhr|hrs?|gmt|utc)\b
      | (?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:])  # a time of day, or of a race
      | \b\d{1,4}\s?[x×]\s?\d{1,4}(?:\s?[x×]\s?\d{1,4})?\b(?!\s?(?:as|faster)))  # 1920 × 1080""",
    re.VERBOSE | re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"""\b(?:
        (?:https?://|www\.)\S+ | arxiv:\s?\d{4}\.\d+
      | (?:isbn|issn|doi|pmid|ean|isin|iban|oclc|orcid)(?:[-\s]?1[03])?:?\s?[\dX][\dX-]*(?:\s[\dX-]+){0,8})""",
    re.VERBOSE | re.IGNORECASE,
)
_ADDRESSING = frozenset("http https www arxiv isbn issn doi pmid ean isin iban oclc orcid".split())
_HYPHENED = re.compile(r"(?<![\w-])[A-Za-z]+(?:-\d+)+\b")  # CVE-2017-1234, sha-256
_PREFIXED = re.compile(r"\b(?:v\d+(?:\.\d+)*|(?:fy|h[12]|q[1-4])\d\d)\b", re.IGNORECASE)  # v2, FY23
_IN_AN_AGE = re.compile(r"\d0s\b")
_AGED = re.compile(r"\b(?:his|her|their|its|my|our|the|early|late|mid)[\s-]$", re.IGNORECASE)
# A capitalized name with a number: "Apollo 11", "Windows 10", "Django 4.2".
_NAME_AND_NUMBER = re.compile(
    r"\b(?P<name>[A-Z][\w’'-]*)[ \u00a0](?P<number>\d{1,4}(?:\.\d+)*[A-Za-z]?)\b"
    r"(?![,.’']?\d|[.,]\d|\s?[%$€£°+]|[-–—/:]\d)"
)
_MEASURED = re.compile(
    r"[\s-]?(?:k|m|b|bn|[kcm]m|kg|ft|%|x|times|hundred|thousand|million|billion|trillion|per|percent|percentage|"
    r"basis|points?|years?|months?|weeks?|days?|hours?|minutes?|seconds?|degrees?|kilo\w+|met(?:er|re)s?|miles?|"
    r"dollars?|euros?|or|to|out|in(?=\s\d)|of(?=\s(?:the|its|their|all|these|those)))\b"
    r"|\s(?:[a-z]+\s)?(?!(?:was|is|has|does|as|its|this|us|goes|says|comes|includes|contains|provides|supports|"
    r"series|lands|runs|gets|takes|makes|plus|versus|across)\b)[a-z]{2,}s\b|\s(?:people|men|women|children)\b"
)
_SCALED = re.compile(
    r"[\s-]?(?:k|m|bn|[kcm]m|kg|ft|x|times|hundred|thousand|million|billion|trillion|per|percent|percentage|"
    r"basis|points?|(?:years?|months?|weeks?|days?|hours?|minutes?|degrees?|dollars?|euros?|people)|to(?=\s\d)|or|%)\b"
)
_OPENING = re.compile(r"(?:^|[.!?:;|•\n-])\s*$")  # of a sentence or cell, where any word is capitalized
_QUANTIFYING = frozenset(
    "nearly roughly approximately only around about almost some over under exactly just another total minimum "
    "maximum least most additional employs has had contains includes comprising another last next first top "
    "average combined scored rs fr euro totalling totaling maybe perhaps circa within every "
    "se sd sem iqr auc md smd hr rr rmse mae".split()  # of statistics
)


@lru_cache(maxsize=1_024)
def find_labels(text: str) -> tuple[Span, ...]:
    """Return the spans of numbers in a text that are labels, not quantities; the spans may overlap."""
    starts = digit_runs(text)
    if not starts:
        return ()
    patterns = [_DIGIT_LED]
    words = vocabulary(text)
    patterns += [_ADDRESS] * (not words.isdisjoint(_ADDRESSING))
    patterns += [_HYPHENED] * ("-" in text)
    patterns += [_PREFIXED] * (not words.isdisjoint(("v", "fy", "h", "q")))
    found = [Span(*match.span()) for pattern in patterns for match in pattern.finditer(text)]
    return (*found, *_words_with_numbers(text, starts), *_names_with_numbers(text))


def _words_with_numbers(text: str, starts: Iterable[int]) -> Iterator[Span]:
    for start in starts:
        near = max(0, start - 32)
        before = text[near:start]
        word = _WORD_BEFORE.search(before)
        number = _NUMBER.match(text, start) if word else None
        if word and number and _names(word, number, text):
            yield Span(near + word.start(), number.end())
        elif (age := _IN_AN_AGE.match(text, start)) and _AGED.search(before):  # "in her 30s"
            yield Span(*age.span())


def _names(before: re.Match[str], number: re.Match[str], text: str) -> bool:
    word = before["word"].lower()
    if word in (_NAMING_WITH_POINT if before["point"] else _NAMING) or word in _NAMING:
        return True
    may_be = word in _NAMING_OR_NOT and number.group().isdecimal() and len(number.group()) < 5
    return may_be and not _COUNTED.match(text, number.end())


def _names_with_numbers(text: str) -> Iterator[Span]:
    for match in _NAME_AND_NUMBER.finditer(text):
        word = match["name"].lower()
        if word in STOPWORDS or word in _QUANTIFYING or match["name"].isupper() and len(word) == 3:
            continue
        counts = _OPENING.search(text[max(0, match.start() - 3) : match.start()])
        if not (_SCALED if not counts or "." in match["number"] else _MEASURED).match(text, match.end()):
            yield Span(*match.span())


def find_numbered_name_ends(text: str) -> frozenset[int]:
    """Return the end offsets of names with a number: "Apollo 11", but not "Table 3"."""
    return frozenset(
        span.end for span in _names_with_numbers(text) if span.cut(text).split()[0].lower() not in _NAMING
    )


def blank_out(text: str, spans: tuple[Span, ...]) -> str:
    """Blank out the spans, keeping offsets."""
    if not spans:
        return text
    parts: list[str] = []
    position = 0
    for span in sorted(spans, key=lambda span: span.start):
        if span.end > position:
            parts += (text[position : span.start], "\0" * (span.end - max(position, span.start)))
            position = span.end
    return "".join((*parts, text[position:]))
