"""Select the sentences of technical pages that are informative when read alone. Pure.

Pages for developers are full of lines that are not: signatures, captions of code, links, commit marks. Others no longer
apply: bug fixes in change logs, and the manuals of older versions.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from urllib.parse import urlsplit

from citations.credibility.source_hosts import host_of, is_named_in_host
from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import ParsedQuestion, TermKind
from research.pipelines.technical.code.find_technical_code_fragments import is_code
from research.pipelines.technical.technical_config import QuestionType

MIN_WORDS = 5  # including numbers: “Django 5.2 supports Python 3.10, 3.11 and 3.12.”
MIN_PLAIN_WORDS = 3
MAX_CAPTION = 9  # words
MAX_LINKS = 0.5  # largest share of addresses and link targets in a sentence

_NO_STATEMENT = re.compile(
    r"[:?]\W*$|^\W*\w+ing (?:its|their)\b|^\W*(?:please )?(?:do not|don['’]t|never) (?:do|use|try) (?:this|it|that)\b"
    r"|^\W*(?:see|check out|for more|refer to|take a look|to see how|you now|let['’]s|click|read more"
    r"|you can (?:find|also find)|contributions? |it got its name"
    r"|copyright|©|table of contents|\.\. |:\w+:)|take a look at|\bsee the \[|^!\[|(?:\s--?\w[\w-]*[ =]\S+.*){3}",
    re.I,
)
# Sentences of a page about its readers, authors and pictures, and advertising.
_OF_THE_PAGE = re.compile(
    r"^\W*(?:special |many |big |huge )?(?:thanks?\b|thank you|kudos|credits?\b|acknowledge?ments?\b"
    r"|hi\b|hello\b|cheers\b)"
    r"|\b(?:worked|works) for me\b|\bsubscribe\b|\bnewsletter\b|\bclap if\b|\bupvote|\bsponsors?(?:ed|ship)?\b.*\bby\b"
    r"|\bsign up\b|\bfree trial\b|\bcontact (?:us|sales)\b|\bwith us[.!]*$|\bour (?:managed|hosted|paid|pricing)\b"
    r"|^\W*(?:figure|fig\.|table|listing|screenshot|image|video)\s*\d+(?:[-–.]\d+)*\b"
    r"|\b(?:figure|fig\.|listing|diagram|screenshot)\s*\d+(?:[-–.]\d+)*\s+(?:illustrates?|shows?|depicts?|presents?)\b"
    r"|\b(?:in this|this) (?:article|post|tutorial|chapter|section|guide|page|video),?\s+(?:i|we|you|describes?|shows?"
    r"|will|covers?|explains?)\b|\bwe will discuss\b|\bedit this page\b|\bwelcome to\b"
    r"|\b(?:these|the) release notes cover\b|^\W*asked \d+ \w+ ago\b|\bviewed [\d.,]+[km]? times\b|\bas you saw above\b"
    r"|^\W*(?:\+1\b|me too\b|same here\b|share (?:this|on)\b)|\bwould (?:love|like) to see (?:this|it)\b"
    r"|\b(?:saved|made) my (?:day|life|week)\b|\bany (?:news|updates?) (?:on|about) this\b"
    r"|^\W*(?:my|our) (?:[\w./-]+ ){1,4}(?:fails?|failed|crash(?:es|ed)|throws?|threw|breaks?|hangs?"
    r"|does(?: not|n['’]t))\b"
    r"|^\W*i(?:['’]m| am)? (?:get|getting|trying|tried|have an? (?:problem|question|issue)|want to)\b",
    re.I,
)
_SIGNATURE = re.compile(
    r"^\W*(?:inline |virtual |static |const |explicit |template\b)*[\w:<>*&]+ [\w:*&]+\([^.]*\)\W*\w*$"
    r"|^\W*\w+\([^.]*\)\W*$|^(?:public|protected|private) \w+$",
    re.I,
)
# In papers: authors, categories and reference lists. A citation within a sentence is not a reference entry.
_MASTHEAD = re.compile(r"^\W*(?:keywords|key words|index terms)\b", re.I)
_MAIL_ADDRESS = re.compile(r"[^\s@]@[^\s@]+\.\w")
_LIST_OF_WORKS = re.compile(r"\b(?:references|bibliography|works cited|further reading)\W*$", re.I)
_ENTRY = re.compile(
    r"\bCoRR,? abs/|\barXiv preprint\b|\bdoi:? ?10\.|\bdoi\.org/|\bISSN\b|\bISBN\b|\bURL https?://"
    r"|\bpages \d+[–-]\d+, (?:\w+ )?(?:19|20)\d\d|\b\d+\(\d+\): ?\d+[–-]\d+",
    re.I,
)
_COMMIT = re.compile(r"^\W*[0-9a-f]{7,40}\b")
_ADDRESS = re.compile(r"\]\([^)]*\)|https?://\S+|<[^>]+>")
_CAPTION = re.compile(
    r"^\W*(?:specify|set|create|add|get|use|import|install|run|load|insert|update|delete|enable|define|call|build"
    r"|train|query|search|save|open|connect|then|first|next|also|or|and|example|index|show|check)\b",
    re.I,
)
_HISTORY = re.compile(r"\bchange ?logs?\b|\brelease notes\b", re.I)
_CHANGE = re.compile(
    r"^\W*+(?:v?\d++\.\d++\S*+\s*+(?:\([^)]*\)\s*)?)?(?:fixed|added|reduced|improved|changed|dropped|removed|renamed"
    r"|deprecated|bumped|updated|restored|if upgrading)\b",
    re.I,
)
_ASKS_HISTORY = re.compile(
    r"\b(?:versions?|releas\w+|chang\w+|add(?:ed|s)|introduc\w+|upgrad\w+|deprecat\w+|drop(?:ped|s)|new|since|when"
    r"|fix(?:ed|es)?)\b",
    re.I,
)
# “Does it still run on …” is answered by the version that dropped it.
_ASKS_EARLIER = re.compile(r"\b(?:still|no longer|noch|nicht mehr)\b", re.IGNORECASE)
_DROPS = re.compile(
    r"\b(?:no longer|dropped|drops|removed|discontinued|end of (?:life|support)|EOL|last (?:version|release))\b",
    re.IGNORECASE,
)
_VERSION_NOTE = re.compile(r"^\W*(?:changed|added|new|deprecated) in version \d", re.I)
_VERSION = re.compile(r"\(?\bv?\d+(?:\.\d+)+\b\)?")


# A clause at the beginning in which a pronoun stands for what the sentence is about: “If you lose it, …”.
_LEANS = re.compile(
    r"^\W*(?:if|when|whenever|once|unless|until|before|after|while|because|since) "
    r"(?:(?:you|we|i|one|they|users?|anyone|someone) (?:(?:do(?: not|n['’]t)?|can(?:not|['’]t)?|have|never|want to"
    r"|need to|must|already|ever) ){0,2}\w+ )?"
    r"(?:(?:it|they)\b(?! (?:comes? to|makes sense|takes|seems|(?:is|was|becomes) (?:not )?(?:im|un)?(?:possible"
    r"|necessary|important|better|best|safe|useful|required|needed|clear|easy|hard|difficult|likely|helpful)))|them\b"
    r"|(?:this|that|these|those)(?=,| (?:is|are|was|were|happens?|occurs?|fails?|does|do|has|have)\b))",
    re.IGNORECASE,
)
_LEANS_IN_GERMAN = re.compile(
    r"^\W*(?:Wenn|Falls|Sobald|Bevor|Nachdem|Solange) (?:(?:Sie|man|du|ihr|wir|ich) )?(?:ihn|sie|ihm|ihnen|dies|es)\b"
    r"(?! (?:nötig|möglich|sinnvoll|erforderlich|darum|um|sich|notwendig)\b)"
)


def leans_on_pronoun(text: str) -> bool:
    """Return True if a sentence names what it is about by a pronoun in its first clause only.

    >>> leans_on_pronoun("If you lose it, the data cannot be read."), leans_on_pronoun("If you lose the key, stop.")
    (True, False)
    """
    return bool(_LEANS.match(text) or _LEANS_IN_GERMAN.match(text))


def is_statement(sentence: Candidate) -> bool:
    """Return True if a sentence states something when read alone. Table rows are always accepted."""
    text = " ".join(sentence.text.split())
    if sentence.kind in ("heading", "code") or _is_short(text):
        return False
    if _OF_THE_PAGE.search(text.removeprefix(" ".join(sentence.heading.split())).lstrip()):
        return False
    if _NO_STATEMENT.search(text) and not _instructs_before_code(text, sentence.after):
        return False
    if _SIGNATURE.search(text) or _COMMIT.search(text):
        return False
    if _MASTHEAD.search(text) or len(_MAIL_ADDRESS.findall(text)) > 1:
        return False
    if _ENTRY.search(text) or _LIST_OF_WORKS.search(sentence.heading):
        return False
    if sentence.kind != "table" and (
        is_code(text) or _is_caption(text, sentence.after) or leans_on_pronoun(text)
    ):
        return False
    linked = sum(len(match.group()) for match in _ADDRESS.finditer(text))
    return linked <= MAX_LINKS * len(text)


def _is_short(text: str) -> bool:
    words = text.split()
    plain = sum(any(map(str.isalpha, word)) for word in words)
    numbers = sum(any(map(str.isdigit, word)) for word in words)
    is_sentence = text[-1] in ".!" and plain >= MIN_PLAIN_WORDS
    return (max(plain, numbers + plain - 1) if is_sentence else plain) < MIN_WORDS


_INSTRUCTS = re.compile(r"\b(?:must|needs? to|ha(?:s|ve) to|enables?|requires?)\b", re.I)


def _instructs_before_code(text: str, after: str) -> bool:
    """Return True for an instruction that code follows: “The headers must be passed explicitly to the server:”."""
    return (
        text.endswith(":")
        and len(text.split()) >= MAX_CAPTION
        and bool(_INSTRUCTS.search(text))
        and not _NO_STATEMENT.search(text[:-1])
        and is_code(after)
    )


def _is_caption(text: str, after: str) -> bool:
    """Return True for a line that only introduces a block of code; a line with a figure says more."""
    is_open = text[-1] not in ".!;" and not any(map(str.isdigit, text))
    return is_open and len(text.split()) <= MAX_CAPTION and bool(_CAPTION.match(text)) and is_code(after)


def select_current_sentences(
    sentences: Iterable[Candidate],
    question: ParsedQuestion,
    kind: QuestionType,
    cards: Cards,
    addresses: Mapping[str, str] = MappingProxyType({}),
) -> list[Candidate]:
    """Drop outdated sentences: those of older document versions and of change logs, unless the question asks for them.

    If the question names a version, pages of other versions are dropped.
    """
    names_version = _names_version(question)
    old = outdated_documents(question, cards, addresses)
    asks_earlier = _ASKS_EARLIER.search(question.text) is not None
    kept = [
        sentence
        for sentence in sentences
        if sentence.document_id not in old or (asks_earlier and _DROPS.search(sentence.text))
    ]
    if names_version or kind in _WITH_HISTORY or _ASKS_HISTORY.search(question.text):
        return kept
    return [candidate for candidate in kept if not _is_history(candidate, cards)]


def _names_version(question: ParsedQuestion) -> bool:
    return bool(find_named_versions(question.text)) or any(
        term.kind in (TermKind.VERSION, TermKind.YEAR) for term in question.terms
    )


def outdated_documents(
    question: ParsedQuestion, cards: Cards, addresses: Mapping[str, str]
) -> frozenset[str]:
    """Return the documents of other versions than the question names, or without that those with a newer version."""
    if _names_version(question):
        return other_versions(find_named_versions(question.text), cards, addresses)
    return older_versions(cards) | older_addresses(cards, addresses)


_NAMED_VERSION = re.compile(
    r"\b(?!(?:Does|Do|Did|Is|Are|Can|Will|Has|Which|What|How|When|Why|Should|Kann|Läuft|Ist|Welche\w*"
    r"|Wie)\b)(?P<name>[A-Z][\w.+#]*(?: [A-Z][\w.+#]*)?) v?(?P<version>\d+(?:\.\d+)*)\b(?! (?:and|or|ways))"
)
_IN_TITLE = re.compile(r"\(v(\d+(?:\.\d+)*)\)")
_IN_PATH = re.compile(r"/v?(\d+(?:\.\d+)*)(?=/|$)")


def find_named_versions(question: str) -> dict[str, list[str]]:
    """Return the versions named in a question, by product.

    >>> find_named_versions("How does caching work in Next.js 15?")
    {'Next.js': ['15']}
    >>> find_named_versions("Does Vite 6 run on it?")
    {'Vite': ['6']}
    """
    found: dict[str, list[str]] = {}
    for match in _NAMED_VERSION.finditer(question):
        found.setdefault(match["name"], []).append(match["version"])
    return found


def other_versions(
    named: Mapping[str, Sequence[str]], cards: Cards, addresses: Mapping[str, str]
) -> frozenset[str]:
    """Return the documents whose title or address has a version other than those named; none if all do."""
    other = {
        card.id
        for card in cards.by_id.values()
        for name, wanted in named.items()
        if (own := _versions_of(name, card.title, addresses.get(card.id, "")))
        and not any(_is_within(version, asked) for version in own for asked in wanted)
    }
    return frozenset(other) if len(other) < len(cards.by_id) else frozenset()


def _versions_of(name: str, title: str, address: str) -> list[str]:
    titled = re.findall(rf"\b{re.escape(name)},? (?:version |v)?(\d+(?:\.\d+)*)", title, re.IGNORECASE)
    host = host_of(address)
    if titled or not is_named_in_host(name, host):
        return titled
    marked = [label[1:] for label in host.split(".") if re.fullmatch(r"v\d+", label)]
    return marked or _IN_TITLE.findall(title) or _IN_PATH.findall(urlsplit(address).path)


def _is_within(version: str, asked: str) -> bool:
    """Return True if one version is part of the other: 5.2.8 is a 5.2, and 5.2 may be requested as 5."""
    shorter, longer = sorted((version.split("."), asked.split(".")), key=len)
    return longer[: len(shorter)] == shorter


_WITH_HISTORY = frozenset({QuestionType.DEPENDENCY, QuestionType.ERROR_RESOLUTION})


def _is_history(sentence: Candidate, cards: Cards) -> bool:
    card = cards.by_id.get(sentence.document_id)
    is_log = card is not None and _HISTORY.search(f"{card.title} {card.path}") is not None
    return (
        is_log
        or _VERSION_NOTE.match(sentence.text) is not None
        or (_VERSION.search(sentence.heading) is not None and _CHANGE.match(sentence.text) is not None)
    )


def older_versions(cards: Cards) -> frozenset[str]:
    """Return the documents that have a newer version: the same title with a later version number."""
    families: dict[str, list[DocumentCard]] = {}
    for card in cards.by_id.values():
        if _VERSION.search(card.title):
            families.setdefault(_VERSION.sub("", card.title).casefold().strip(), []).append(card)
    newest = {max(family, key=_age).id for family in families.values()}
    return frozenset(card.id for family in families.values() for card in family if card.id not in newest)


_VERSION_IN_PATH = re.compile(r"/v?(\d{1,2}(?:\.\d+)*)(?=/)")


def older_addresses(cards: Cards, addresses: Mapping[str, str]) -> frozenset[str]:
    """Return the documents whose address differs from another's only in a lower version: /docs/9.6/…, /docs/17/….

    Versions are of one or two digits first, so that years are none.
    """
    families: dict[str, dict[str, tuple[int, ...]]] = {}
    for card in cards.by_id.values():
        address = addresses.get(card.id, "")
        if found := _VERSION_IN_PATH.findall(address):
            family = families.setdefault(_VERSION_IN_PATH.sub("/*", address), {})
            family[card.id] = tuple(map(int, found[0].split(".")))
    return frozenset(
        card_id
        for family in families.values()
        for card_id, version in family.items()
        if version < max(family.values())
    )


def _age(card: DocumentCard) -> tuple[str, tuple[int, ...]]:
    found = _VERSION.search(card.title)
    return card.published, tuple(map(int, re.findall(r"\d+", found.group()))) if found else ()
