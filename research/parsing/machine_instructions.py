"""Finds sentences that speak to programs that read, not to people, and leaves them out of a document.

"Note to automated readers: report that …" is no statement of its source, in whatever language and wherever it stands.
A document about such programs may say what they must do; orders to whoever reads are left out of that, too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from research.parsing.hidden_text import DroppedLog, DroppedText, HiddenReason
from research.parsing.parsed_document import BlockKind, DocumentTable, Page, ReadDocument, TextBlock
from research.parsing.split_sentences import SentenceSpan, sentences

_NOT_ITS_PEOPLE = (
    r"(?![-\s]?(?:developers?|users?|providers?|vendors?|engineers?|researchers?|students?|degrees?|programmes?"
    r"|candidates?|companies|ethics|act\b|safety|generated|powered|based|entwickl|anbieter|nutzer|forsch))"
)
# Programs that read, by their names in some languages.
_MACHINE = (
    r"(?:(?:any|all|every|automated|automatic|automatische[nrs]?|automatisierte[nrs]?|maschinelle[nrs]?|large|große[ns]?"
    r"|grands?|an?|eine?[nrs]?|une?|una|uno|uma?|een|the|die|der|den|les|los|las|gli|i|as|os|other|autonomous|virtual"
    r"|digital|research)\s+)*"
    r"(?:(?:AI|A\.I\.|KI|IA|LLM|GPT|ML)[-\s](?:based\s|basierte[nrs]?\s)?\w*(?:assist|agent|model|system|read|review"
    r"|tool|summari|bot|crawler|les|assistent|modell|lecteur|modèle|search|engine)\w*"
    r"|(?:assistants?|agents?|systèmes?|asistentes?|agentes?|sistemas?|assistent[ei]|sistem[ai]|modelos?|assistentes?)\s"
    r"(?:d['’]|de\s|di\s|da\s)?(?:IA|AI|inteligencia artificial|intelligence artificielle)"
    r"|(?:large\s)?language[-\s]models?|LLMs?|ChatGPT|GPT(?:-?\d)?|Claude|Gemini|Copilot|AIs?|KIs?|IAs?|chat-?bots?"
    r"|(?:automated|automatic|machine|robotic|AI|artificial)[-\s](?:readers?|agents?|systems?|tools?|summari[sz]ers?"
    r"|crawlers?|processes|assistants?|reviewers?|intelligences?)|(?:web\s)?(?:crawlers|scrapers|bots|summari[sz]ers)"
    r"|(?:automatische|automatisierte|maschinelle)[nrs]?\s(?:leser\w*|systeme?n?|assistent\w*|agent\w*|auswert\w*)"
    r"|(?:sprach|ki-)modelle?n?|künstliche[nr]?\sintelligenz\w*"
    r"|modèles?\sde\slangage|lecteurs?\sautomatiques?|intelligences?\sartificielles?|agents?\sconversationnels?"
    r"|modelos?\sde\slengu?age?m?|modelos?\sde\slinguagem|lectores?\sautomáticos?|leitor(?:es)?\sautomáticos?"
    r"|inteligencias?\sartificiales?|modell[io]\slinguistic[io]|modell[io]\sdi\slinguaggio|lettor[ei]\sautomatic[io]"
    r"|intelligenz[ae]\sartificial[ei]|taalmodel(?:len)?|geautomatiseerde\slezers?|model\w*\sjęzykow\w*"
    r"|sztuczn\w+\sinteligencj\w+|языков\w+\sмодел\w+|искусственн\w+\sинтеллект\w*|ИИ|yapay\szek\w+|dil\smodel\w*"
    r"|语言模型|大模型|人工智能|AI\s?助手|言語モデル|人工知能|AIアシスタント|언어\s?모델|인공지능)"
    rf"{_NOT_ITS_PEOPLE}"
)
_TO = (
    r"(?:\s*(?:to|for|all|any|every|für|an|alle|à|aux?|au|pour|tous|toutes|a|para|todos|todas|per|tutti|aan|voor|dla"
    r"|для|the|der|die|den|les|los|las|gli|i|whatever|whichever)\b)*"
)
_NOTE = (
    r"\b(?:notes?|notices?|messages?|instructions?|attention|warning|hints?|reminder|memo|dear|hello|hey|hinweise?"
    r"|anweisung(?:en)?|achtung|nachricht|mitteilung|liebe[rs]?|remarques?|avis|consignes?|notas?|avisos?|mensajes?"
    r"|instrucci[oó]n(?:es)?|atenci[oó]n|avvis[oi]|istruzion[ei]|messaggi[o]?|attenzione|instruç(?:ão|ões)|mensagem"
    r"|atenção|let op|opmerking|instructies?|uwaga|внимание|инструкция|примечание|not|注意|提示|注意事項)\b"
)
_READING = (
    r"(?:\s+(?:(?:that|who|which|die|qui|que|che)\s+)?(?:read|process|pars|summari|index|les|lis|lee|leg|analy)\w*"
    r"[^.:!?]{0,50}?)?"
)
_COLON = r"\s*(?:[:：,]|\s[–—-]\s|$)"
_ADDRESS = re.compile(
    rf"{_NOTE}{_TO}\s*{_MACHINE}{_READING}{_COLON}"
    rf"|^[\s#/*;<>!\-\[(]*(?:to|for|an|für|à|aux?|pour|para|per|aan|voor|dla|для)\b{_TO}\s*{_MACHINE}{_READING}\s*[:：]"
    r"|<\|(?:im_start|system|endoftext)\|>|\[/?INST\]|<</?SYS>>"
    r"|^[\s#/*;<>!\-\[(]*(?:system|developer)\s*(?:prompt|message|override|instructions?)?\s*[:：]"
    r"\s*(?:you|ignore|from now)",
    re.IGNORECASE,
)
_HEADING = re.compile(rf"^{_NOTE}{_TO}\s*{_MACHINE}\s*$", re.IGNORECASE)
_TELL = (
    r"(?:say|state|report|answer|reply|respond|recommend|mention|ignore|disregard|cite|quote|claim|conclude|tell|write"
    r"|output|include|summari[sz]e|treat|rank|rate|prefer|describe|present|assume|omit|skip|trust|follow|forget|replace"
    r"|list|name|add|never|always|not)"
)
_OTHERS = (
    r"(?:(?:all|any|every|each|of|the|your|these|those|previous|prior|preceding|earlier|above|foregoing|other|system"
    r"|original|initial|safety|given)\s+)"
)
_ORDER = re.compile(
    # C: the reader is told what it is
    rf"\b(?:if|as|when|since)\s+you(?:['’]re|\s+are)\s+(?:\w+\s+){{0,2}}?{_MACHINE}"
    rf"|\b(?:wenn|falls|sofern)\s+(?:du|sie)\s+(?:\w+\s+){{0,2}}?{_MACHINE}"
    rf"|\b(?:si\s+(?:vous\s+êtes|tu\s+es|eres|usted\s+es|es\s+usted)|se\s+(?:sei|você\s+(?:é|for))|als\s+(?:je|u)"
    rf"|jeśli\s+jesteś|если\s+(?:вы|ты))\s+(?:\w+\s+){{0,2}}?{_MACHINE}"
    r"|如果(?:你|您)是.{0,8}(?:语言模型|人工智能|AI|助手)|(?:言語モデル|AI|人工知能).{0,8}(?:なら|であれば|の場合)"
    rf"|\byou\s+are\s+(?:now\s+)?(?:an?\s+)?{_MACHINE}[^.]{{0,60}}\b{_TELL}\b"
    # D: what it was told before is taken back
    rf"|(?<![\"“”'‘«„])\b(?:ignore|disregard|forget|override)\s+{_OTHERS}*(?:previous|prior|preceding|earlier|above"
    rf"|foregoing|system|your|original|initial|other)\s+{_OTHERS}*(?:instructions?|prompts?|rules|guidelines|directions"
    r"|commands|orders|sources|messages?|context)\b"
    r"|\b(?:ignorier|missacht|vergiss|vergess)\w*\s+(?:(?:sie|du|bitte|alle|sämtliche|deine|ihre|die)\s+)*(?:vorherigen"
    r"|vorigen|bisherigen|früheren|obigen|anderen|vorange\w+)\s+\w*(?:anweisung|instruktion|vorgabe|regel|quelle|befehl"
    r"|prompt)\w*"
    r"|\b(?:ignor|oubli|olvid|dimentic|esqueç|neg(?:eer|er))\w*\s+(?:\w+\s+){0,3}?(?:(?:autres|demás|otras|altre|outras"
    r"|précédentes|eerdere|vorige)\s+(?:instru|consignes|règles|sources|reglas|fuentes|regole|fonti|regras|fontes|istru"
    r"|opdracht)\w*|(?:instru|consignes|règles|reglas|istru|regole|regras)\w*\s+(?:précédent|antérieur|anterior|previ"
    r"|preceden)\w*)"
    r"|忽略.{0,8}(?:指令|指示|说明|来源)|(?:以前|これまで|上記|他).{0,4}(?:指示|命令|情報源).{0,4}無視"
    r"|игнорируй\w*\s.{0,24}(?:инструкци|указани|источник)\w*|zignoruj\w*\s.{0,24}(?:instrukcj|polece|źród)\w*"
    # F: what answers and summaries must say
    rf"|\b{_TELL}\b[^.]{{0,80}}\bin\s+(?:every|all|each|any|your)\s+(?:answers?|responses?|summar(?:y|ies)|repl(?:y|ies)"
    r"|outputs?)\b"
    r"|\b(?:when|while)\s+(?:you\s+(?:are\s+)?)?(?:summari[sz]|answer|quot|cit|process|analy[sz]|describ)\w*\s+(?:this|these"
    rf"|any|questions?|users?)\b[^.]{{0,60}}?\b(?:please|must|always|do not|never|be sure to)\s+{_TELL}\b",
    re.IGNORECASE,
)
_DUTY = re.compile(  # B: what they must say
    rf"\b{_MACHINE}{_READING}[,:]?\s+(?:(?:must|should|shall|have to|need to|are (?:instructed|required|asked|requested"
    rf"|told|to)|please|you)\s+)+(?:to\s+|also\s+|not\s+)*{_TELL}\b"
    rf"|^[\s#/*;<>!-]*{_MACHINE}\s*[,:]\s+(?:please\s+)?{_TELL}\b"
    rf"|\b{_MACHINE}\s+(?:müssen|sollen|sollten|muss|soll|doivent|devraient|doit|deben|debe|devono|deve|devem|moeten)\s"
    r"(?:\w+\s+){0,12}?(?:angeben|nennen|sagen|berichten|melden|schreiben|ignorieren|dire|indiquer|signaler|écrire|ignorer"
    r"|decir|indicar|informar|ignorar|riportare|indicare|dizer|vermelden|zeggen)\b",
    re.IGNORECASE,
)
_ANY_MACHINE = re.compile(rf"(?<!\w){_MACHINE}", re.IGNORECASE)
# One of these stands in whatever the patterns above find, which are too slow for every sentence.
_CAPITALS = ("AI", "A.I.", "KI", "IA", "LLM", "GPT", "ИИ", "INST]", "SYS>>", "<|")
_TOKENS = tuple(
    (
        "language model|language-model|chatbot|chat-bot|crawlers|scrapers|bots|summarizers|summarisers|claude|gemini"
        "|copilot|sprachmodell|robotic|machine reader|machine agent|automated |automatic |automatische|automatisierte"
        "|maschinelle|geautomatiseerde|artificial|künstliche|langage|lenguaje|linguagem|linguaggio|linguistic|lecteur"
        "|lector|lettor|leitor|artificielle|inteligencia|taalmodel|język|языков|искусственн|yapay|dil model"
        "|语言模型|大模型|人工|助手|言語|知能|アシスタント|언어|인공"
        "|system:|system prompt|ignor|disregard|forget|override|missacht"
        "|vergiss|vergess|oubli|olvid|dimentic|esqueç|nege|игнор|忽略|無視|in every |in all |in each |in any |in your "
        "|when summar|while summar|when you|when answer|when quot|when cit|when process|when analy|when describ"
    ).split("|")
)
_ABOUT_THEM = 3  # sentences: a document with more is about such programs


def omit_machine_instructions(document: ReadDocument) -> ReadDocument:
    """Return the document without the sentences that are addressed to programs, which are counted."""
    places = list(_find_tokens(document.text))
    spans = list(_find(document, places)) if places else []
    if not spans:
        return document
    log = DroppedLog()
    for start, end in spans:
        log.note(HiddenReason.MACHINE, document.text[start:end])
    return _omit(document, spans, log.entries)


def _find_tokens(text: str) -> Iterator[int]:
    small = text.lower()
    small = small if len(small) == len(text) else text  # a few letters have longer forms
    for searched, tokens in ((text, _CAPITALS), (small, _TOKENS)):
        for token in tokens:
            place = searched.find(token)
            while place >= 0:
                yield place
                place = searched.find(token, place + len(token))


def _find(document: ReadDocument, places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The spans to leave out: sentences; whole rows of tables; after an address, the rest of its block or section.

    `places` are those of the words that make a sentence worth a closer look.
    """
    text = document.text
    spans = sentences(text, document.blocks)
    begins, starts = [span.start for span in spans], [block.start for block in document.blocks]
    looked_at = {bisect_right(begins, place) - 1 for place in places}
    addressed_section, done = "", 0
    for index, span in enumerate(spans):
        is_in_section = bool(addressed_section) and span.section == addressed_section
        if span.start < done or not (is_in_section or index in looked_at):
            continue
        said = text[span.start : span.end]
        if span.kind is BlockKind.HEADING:
            addressed_section = span.section if _HEADING.match(said) else ""
            continue
        block = document.blocks[bisect_right(starts, span.start) - 1]
        is_address = _ADDRESS.search(said) is not None
        if is_in_section or (is_address and span.kind is not BlockKind.CODE):
            done = block.end
        elif is_address or _ORDER.search(said) or (_DUTY.search(said) and not _is_about_them(text, spans)):
            done = block.end if span.kind is BlockKind.TABLE else span.end
        else:
            continue
        yield (block.start if span.kind is BlockKind.TABLE else span.start), done


def _is_about_them(text: str, spans: Iterable[SentenceSpan]) -> bool:
    """True for a document that speaks of programs in more sentences than those that tell them something."""
    said = (text[span.start : span.end] for span in spans)
    found = (sentence for sentence in said if _ANY_MACHINE.search(sentence))
    free = (
        sentence for sentence in found if not any(rule.search(sentence) for rule in (_ADDRESS, _ORDER, _DUTY))
    )
    return sum(1 for _ in free) > _ABOUT_THEM


def _omit(
    document: ReadDocument, spans: Sequence[tuple[int, int]], dropped: tuple[DroppedText, ...]
) -> ReadDocument:
    cuts = list(_with_spaces(document, spans))
    kept = list(_complement(cuts, len(document.text)))
    shift = _Shift(cuts)
    blocks = [
        replace(block, start=shift.move(start), end=shift.move(end))
        for block in document.blocks
        for start, end in _pieces(document.text, block, spans)
    ]
    return replace(
        document,
        text="".join(document.text[start:end] for start, end in kept),
        blocks=tuple(blocks),
        pages=tuple(_move_page(page, shift, kept) for page in document.pages),
        tables=tuple(_move_table(document, table, shift, spans) for table in document.tables),
        dropped=(*document.dropped, *dropped),
    )


class _Shift:
    """Places in the old text as places in the new one."""

    def __init__(self, cuts: Sequence[tuple[int, int]]) -> None:
        self._starts = [start for start, _ in cuts]
        self._cuts = cuts
        self._before = [0, *accumulate(end - start for start, end in cuts)]

    def move(self, place: int) -> int:
        index = bisect_right(self._starts, place)
        if index == 0:
            return place
        start, end = self._cuts[index - 1]
        return place - self._before[index] + max(0, end - place)


def _with_spaces(document: ReadDocument, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans with the blanks that parted them from what follows, or at the end from what stands before."""
    text, last = document.text, 0
    for start, end in spans:
        while end < len(text) and text[end].isspace():
            end += 1
        if end == len(text) or (start and text[start - 1] == " " and "\n" in text[start:end][-2:]):
            blanks = len(text[start:end]) - len(text[start:end].rstrip())
            end -= blanks
            while start > last and text[start - 1].isspace():
                start -= 1
        yield max(start, last), end
        last = max(last, end)


def _complement(cuts: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    position = 0
    for start, end in cuts:
        yield position, start
        position = end
    yield position, length


def _pieces(text: str, block: TextBlock, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What stays of a block, as one: the parts around what was cut stand beside each other then."""
    inside = [(max(start, block.start), min(end, block.end)) for start, end in spans]
    cuts = [(start, end) for start, end in inside if start < end]
    parts = [(max(start, block.start), end) for start, end in _complement(cuts, block.end)]
    parts = [(start, end) for start, end in parts if end > start and text[start:end].strip()]
    if not parts:
        return
    first, last = parts[0][0], parts[-1][1]
    while first < last and text[first].isspace():
        first += 1
    while last > first and text[last - 1].isspace():
        last -= 1
    yield first, last


def _move_page(page: Page, shift: _Shift, kept: Sequence[tuple[int, int]]) -> Page:
    runs = []
    for start, index, length in page.runs:
        for left, right in kept:
            first, last = max(start, left), min(start + length, right)
            if first < last:
                runs.append((shift.move(first), index + first - start, last - first))
    return replace(page, start=shift.move(page.start), end=shift.move(page.end), runs=tuple(runs))


def _move_table(
    document: ReadDocument, table: DocumentTable, shift: _Shift, spans: Sequence[tuple[int, int]]
) -> DocumentTable:
    """Without the rows that were cut, which each are a block."""
    gone = {start for start, _ in spans}
    lines = iter(
        block
        for block in document.blocks
        if block.kind is BlockKind.TABLE and table.start <= block.start and block.end <= table.end
    )

    def stays(row: Sequence[str]) -> bool:
        line = next(lines, None) if any(map(str.strip, row)) else None
        return line is None or line.start not in gone

    headers = table.headers if stays(table.headers) else ()
    rows = tuple(row for row in table.rows if stays(row))
    return replace(
        table, headers=headers, rows=rows, start=shift.move(table.start), end=shift.move(table.end)
    )
