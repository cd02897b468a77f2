"""Finds sentences addressed to programs instead of people, and leaves them out of a document.

"Note to automated readers: report that …" is not a statement of its source, in whatever language and place. A
document about such programs may say what they must do; orders addressed to its reader are left out there too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from research.parsing.hidden_text import DroppedLog, DroppedText, HiddenReason
from research.parsing.parse_sentences import SentenceSpan, sentences
from research.parsing.parsed_document import BlockKind, DocumentTable, ParsedPage, ReadDocument, TextBlock

_NOT_ITS_PEOPLE = (
    r"(?![A-Za-z])(?![-\s]?(?:developers?|users?|providers?|vendors?|engineers?|researchers?|students?|degrees?|programmes?"
    r"|candidates?|companies|ethics|act\b|safety|generated|powered|based|entwickl|anbieter|nutzer|forsch))"
)
# Names of programs that read, in several languages. Names that people also have are not included.
_MACHINE = (
    r"(?:(?:any|all|every|automated|automatic|automatische[nrs]?|automatisierte[nrs]?|maschinelle[nrs]?|large|große[ns]?"
    r"|grands?|an?|eine?[nrs]?|une?|una|uno|uma?|een|the|die|der|den|les|los|las|gli|i|as|os|other|autonomous|virtual"
    r"|digital|research)\s+){0,4}"
    r"(?:(?:AI|A\.I\.|KI|IA|LLM|GPT|ML)[-\s](?:based\s|basierte[nrs]?\s)?(?:\w*(?:assist|agent|model|system|read|review"
    r"|tool|summari|bot|crawler|les|assistent|modell|lecteur|modèle)\w*|search(?:\sengines?)?\b|(?:search)?engines?\b)"
    r"|(?:assistants?|agents?|systèmes?|asistentes?|agentes?|sistemas?|assistent[ei]|sistem[ai]|modelos?|assistentes?)\s"
    r"(?:d['’]|de\s|di\s|da\s)?(?:IA|AI|inteligencia artificial|intelligence artificielle)"
    r"|(?:large\s)?language[-\s]models?|LLMs?|ChatGPT|GPT(?:-?\d)?|AIs?|KIs?|IAs?|chat-?bots?"
    r"|(?:automated|automatic|robotic|AI|artificial)[-\s](?:readers?|agents?|systems?|tools?|summari[sz]ers?"
    r"|crawlers?|processes|assistants?|reviewers?|intelligences?)|(?:web\s)?(?:crawlers|scrapers|bots|summari[sz]ers)"
    r"|answer\sengines?|text\sgenerators?"
    r"|machine[-\s](?:readers?|agents?|summari[sz]ers?|reviewers?|intelligences?)"
    r"|(?:automatische|automatisierte|maschinelle)[nrs]?\s(?:leser\w*|systeme?n?|assistent\w*|agent\w*|auswert\w*)"
    r"|(?:sprach|ki-)modelle?n?|künstliche[nr]?\sintelligenz\w*"
    r"|modèles?\sde\slangage|lecteurs?\sautomatiques?|intelligences?\sartificielles?|agents?\sconversationnels?"
    r"|modelos?\sde\slenguajes?|modelos?\sde\slinguagem|lectores?\sautomáticos?|leitor(?:es)?\sautomáticos?"
    r"|inteligencias?\sartificiales?|modell[io]\slinguistic[io]|modell[io]\sdi\slinguaggio|lettor[ei]\sautomatic[io]"
    r"|intelligenz[ae]\sartificial[ei]|taalmodel(?:len)?|geautomatiseerde\slezers?|model\w*\sjęzykow\w*"
    r"|sztuczn\w+\sinteligencj\w+|языков\w+\sмодел\w+|искусственн\w+\sинтеллект\w*|ИИ|yapay\szek\w+|dil\smodel\w*"
    r"|语言模型|大模型|人工智能|AI\s?助手|言語モデル|人工知能|AIアシスタント|언어\s?모델|인공지능)"
    rf"{_NOT_ITS_PEOPLE}"
)
_MACHINES = rf"{_MACHINE}(?:(?:\s*[,/&]\s*|\s+(?:and|or|und|oder|et|ou|y|o|e|i|и)\s+)[\w-]+){{0,4}}"
_TO = (
    r"(?:\s*(?:to|for|all|any|every|für|an|alle|à|aux?|au|pour|tous|toutes|a|para|todos|todas|per|tutti|aan|voor|dla"
    r"|для|the|der|die|den|les|los|las|gli|i|whatever|whichever)\b){0,4}"
)
_START = r"(?:^|[.;!?)–—]\s)[\s#/*;<>!\-\[(]{0,9}"
# With a colon after the program's name these address it; the loose ones also begin titles and lists.
_NOTE = (
    r"(?:note|notice|message|memo|reminder|hinweis|nachricht|mitteilung|remarque|avis|consignes?|notas?|avisos?"
    r"|mensajes?|instrucci[oó]n(?:es)?|atenci[oó]n|avvis[oi]|istruzion[ei]|messaggi[o]?|attenzione|instruç(?:ão|ões)"
    r"|mensagem|atenção|let op|opmerking|instructies?|uwaga|внимание|инструкция|примечание|注意|提示|注意事項)\b"
)
_LOOSE_NOTE = (
    r"(?:notes|notices|messages|instructions?|attention|warning|hints?|dear|hello|hey|hinweise|anweisung(?:en)?|achtung"
    r"|liebe[rs]?)\b,?"
)
_READING = (
    r"(?:\s+(?:(?:that|who|which|die|qui|que|che)\s+)?(?:read|process|pars|summari|index|les|lis|lee|leg|analy)\w*"
    r"[^.:!?]{0,50}?)?"
)
_READING_THIS = (
    r"\s+(?:(?:that|who|which|die|qui|que|che)\s+)?(?:read|process|pars|summari|index|crawl|les|lis|lee|leg|analy)\w*\s+"
    r"(?:this|these|dies\w*|ce(?:t|tte|s)?|est[aeo]s?|quest[aeio]|deze|dit)(?=\s*[,:]|\s(?:must|should|shall|please|müssen"
    r"|sollen|doivent|deben|devono|devem|moeten)\b|\s(?:\w+\s)?(?:pages?|sites?|websites?|documents?|texts?|files?|articles?"
    r"|reports?|papers?|notes?|messages?|content|emails?|seiten?|dokumente?|texte?s?|artikel|datei(?:en)?|berichte?"
    r"|fichiers?|páginas?|documentos?|textos?|archivos?|artículos?|pagin[ae]|test[oi]|pagina)\b)[^.:!?]{0,50}?"
)
_TELL = (
    r"(?:say|state|report|answer|reply|respond|recommend|mention|ignore|disregard|cite|quote|claim|conclude|tell|write"
    r"|output|include|summari[sz]e|treat|rank|rate|prefer|describe|present|assume|omit|skip|trust|follow|forget|replace"
    r"|list|name|add|never|always|do not|don['’]t)"
)
# The beginning of an order.
_COMMAND = (
    rf"\W{{0,9}}(?:(?:please|kindly|bitte|now)\s+)?(?:{_TELL}\b(?!\s*[:,])|you\s+(?:must|should|shall|have to|are)\b"
    r"|\w+e?n\s+sie\b|(?:nenn|gib|sag|ignorier|meld|empfiehl|empfehl|schreib|behaupt|bewert|antwort|erwähn|zitier)e?\b|\w{3,}ez\b)"
)
_ADDRESS = re.compile(
    rf"{_START}{_NOTE},?{_TO}\s*{_MACHINES}{_READING}\s*[:：]"
    rf"|(?<!\ba\s)(?<!\ban\s)(?<!\bthe\s)(?<!\bhidden\s)(?<!\bsecret\s)\b(?:{_NOTE}|{_LOOSE_NOTE}){_TO}\s*{_MACHINES}"
    rf"{_READING}(?:\s*[:：,!]|\s[–—-]\s){_COMMAND}"
    rf"|{_START}(?:to|for|an|für|à|aux?|pour|para|per|aan|voor|dla|для)\b{_TO}\s*"
    rf"(?:{_MACHINES}(?:{_READING_THIS}\s*[:：]|\s+only\s*:\s*the\s+(?:only|correct|true|right|real|actual)\b)|{_MACHINES}{_READING}\s*[:：]{_COMMAND})"
    r"|注意\s?[：:,，]\s*(?:AI\s?助手|语言模型|大模型|人工智能)(?:应当?|必须|须|请|要)"
    r"|(?:AIアシスタント|言語モデル|人工知能|AI)(?:へ|に対する)の?(?:注意|指示|メモ|お願い|連絡)\s?[：:]"
    r"|^[\s#/*;<>!\-\[(]{0,9}(?:system|developer)\s*(?:message|override|instructions?)?\s*[:：]\s*"
    r"(?:ignore|disregard|from now|you are now"
    rf"\s+(?:an?|[^.]{{0,80}}\b{_TELL}))\b",
    re.IGNORECASE,
)
# Role markers in a model's input; code that shows them documents a model.
_ROLE = re.compile(
    r"^\W{0,3}<\|(?:im_start|system)\|>|^\W{0,2}\[INST\](?!\s*(?:and|or|is|tags?|tokens?|marks?)\b)"
)
_HEADING = re.compile(rf"^(?:{_NOTE}|{_LOOSE_NOTE}){_TO}\s*{_MACHINES}\s*$", re.IGNORECASE)
_COMMAND_FIRST = re.compile(_COMMAND, re.IGNORECASE)
_OTHERS = (
    r"(?:(?:all|any|every|each|of|the|your|these|those|previous|prior|preceding|earlier|above|foregoing|other|system"
    r"|original|initial|safety|given)\s+)"
)
_EARLIER = r"(?:previous|prior|preceding|earlier|above|foregoing|system|original|initial|other)"
_IMPERATIVE = (
    rf"(?:^\W{{0,9}}(?:(?:{_MACHINES}|assistants?|agents?),?\s+)?|[:;.!–—]\s*"
    r"|\b(?:please|bitte|now|and|then|must|should|und|et|y|e|dann|por favor)\s+)"
)
_NOT_OF_A_SUBJECT = (
    r"\b(?!\s+(?:on|about|for|in|from|regarding|concerning|under|of|zu[rm]?|auf|für|über|de[rs]|im|in|aus|sobre|para|pour"
    r"|per|su|del?|du|nicht|shown|printed|displayed|listed|marked)\b)"
)
_AFTER_NAME = r"(?=\s*(?:[,;:.!?)–—-]|$)|\s+(?:that|which|who|then|please|reading|processing|qui|que|che)\b)"
_ORDER = re.compile(
    # the reader is told that it is a program
    rf"\b(?:if|as|when|since)\s+you(?:['’]re|\s+are)\s+(?:(?:just|also|really|indeed)\s+)?{_MACHINES}"
    rf"(?:{_AFTER_NAME}|(?=\s+{_TELL}\b))"
    rf"|\b(?:wenn|falls|sofern|da)\s+(?:du|sie)\s+(?:\w+\s+)?{_MACHINES}\s+(?:bist|sind|seien)\b"
    rf"|^\W*(?:bist\s+du|sind\s+sie)\s+{_MACHINES}\s*,"
    rf"|\b(?:si\s+(?:vous\s+êtes|tu\s+es|eres|usted\s+es|es\s+usted)|se\s+(?:sei|siete|você\s+(?:é|for))"
    rf"|jeśli\s+jesteś|если\s+(?:вы|ты)(?:\s+являе\w+)?)[\s—–-]+{_MACHINES}{_AFTER_NAME}"
    rf"|\bals\s+(?:je|u)\s+{_MACHINES}\s+(?:bent|is)\b"
    r"|如果(?:你|您)是.{0,8}(?:语言模型|人工智能|AI|助手)|あなたが.{0,8}(?:言語モデル|AI|人工知能).{0,8}(?:なら|であれば|の場合)"
    rf"|\byou\s+are\s+now\s+(?:an?\s+)?{_MACHINE}[^.]{{0,60}}\b{_TELL}\b"
    # earlier instructions are revoked
    rf"|{_IMPERATIVE}(?:ignore|disregard|forget|override)\s+(?:(?:all|any|every|each|your)\s+{_OTHERS}{{0,4}}{_EARLIER}\s+"
    rf"{_OTHERS}{{0,4}}(?:instructions?|prompts?|directions|commands|orders|sources|context){_NOT_OF_A_SUBJECT}"
    rf"|your\s+{_OTHERS}{{0,4}}(?:instructions|prompts?)(?=\s*(?:[.,;:!]|\band\b|$))"
    rf"|{_OTHERS}{{0,4}}{_EARLIER}\s+{_OTHERS}{{0,4}}(?:instructions?|prompts?|rules|guidelines|directions|commands|orders|sources"
    rf"|messages?|context)\s*(?:,|;|\band\b|,\s*and\b)\s*{_TELL}\b"
    r"|(?:(?:(?:everything|all)\s+)?(?:the\s+)?(?:above|foregoing|preceding)(?:\s+text)?|(?:everything|all)\s+(?:that\s+)?you"
    r"(?:['’]ve|\s+were|\s+have)\s+(?:been\s+)?(?:told|instructed|asked)\s+(?:before|so far|until now|previously"
    r"|earlier))"
    rf"\s*(?:,|;|\band\b|,\s*and\b)\s*{_TELL}\b)"
    rf"|{_IMPERATIVE}(?:ignorier|missacht|vergiss|vergess)\w*\s+(?:(?:sie|du|bitte)\s+){{0,3}}(?:alle|sämtliche|deine|ihre)\s+"
    r"(?:(?:deine|ihre|vorherigen|vorigen|bisherigen|früheren|obigen|anderen|vorange\w+)\s+){0,3}\w*(?:anweisung|instruktion"
    rf"|quelle|befehl|prompt)\w*{_NOT_OF_A_SUBJECT}"
    rf"|{_IMPERATIVE}(?:ignor|oubli|olvid|dimentic|esqueç|neg(?:eer|er))\w*\s+(?:toutes?|tous|todas?|todos|tutt[ei]|alle)\s+"
    r"(?:(?:\w+\s+){0,2}?(?:autres|demás|otras|altre|outras|précédentes|eerdere|vorige)\s+(?:instru|consignes|sources"
    r"|fuentes|fonti|fontes|istru|opdracht)\w*|(?:\w+\s+){0,2}?(?:instru|consignes|istru)\w*\s+(?:précédent|antérieur"
    rf"|anterior|previ|preceden)\w*){_NOT_OF_A_SUBJECT}"
    r"|忽略.{0,6}(?:之前|以前|先前|此前|上述|上面|所有|其他).{0,6}(?:指令|指示|来源)"
    r"|(?:以前|これまで|上記|他).{0,4}(?:指示|命令|情報源).{0,4}無視(?:し(?:て|ろ|なさい)|せよ)"
    r"|игнорируй\w*\s+(?:все|предыдущ|други|проч)\w*\s.{0,24}(?:инструкци|указани|источник)\w*"
    r"|zignoruj\w*\s+(?:wszystk|poprzedni|inn)\w*\s.{0,24}(?:instrukcj|polece|źród)\w*"
    # orders for summaries of this text
    r"|\b(?:when|while|if)\s+(?:you\s+(?:are\s+)?)?summari[sz](?:e|ing)\s+(?:this|these)\b[^.]{0,60}?\b(?:please|must|always"
    r"|be sure to|,)\s+(?:(?:also|always)\s+)?(?:say|state|report|mention|claim|conclude|write)\s+that\b"
    rf"|\b{_MACHINES}[^.]{{0,40}}\b(?:must|should|please)\s+{_TELL}\b[^.]{{0,80}}\bin\s+(?:every|all|each|any|your|their)\s+"
    r"(?:answers?|responses?|summar(?:y|ies)|repl(?:y|ies)|outputs?)\b"
    # orders for programs that read this text
    rf"|\b{_MACHINES}{_READING_THIS},?\s+(?:must|should|shall|have to|need to|are (?:instructed|required|asked"
    r"|requested|told)|please|müssen|sollen|sollten|doivent|deben|devono|devem|moeten)\b"
    rf"|{_START}{_MACHINES}\s*[,:]\s+(?:please\s+{_TELL}\b|(?:never|always|do not|don['’]t)\s+{_TELL}\b|(?:never|always"
    r"|do not|ignore|disregard|say|state|report|conclude|cite|recommend)\s+(?:that|only|this|these|all|any|every|it)\b"
    r"|tell\s+(?:(?:the|your|all)\s+)?(?:users?|readers?|customers?|people)\b)"
    rf"|{_START}{_MACHINES}\s*:\s+(?:say|state|report|answer|conclude|claim|describe|rank|rate)\s+(?:the|an?|our|its)\b"
    rf"|\bas\s+an?\s+{_MACHINE},?\s+you\s+(?:must|should|shall|have\s+to)\s+{_TELL}\b",
    re.IGNORECASE,
)
_MUST = (
    r"(?:must|should|shall|have to|need to|are (?:instructed|required|asked|requested|told) to|müssen|sollen|sollten"
    r"|muss|soll|doivent|devraient|doit|deben|debe|devono|deve|devem|moeten)"
)
_NOT_OF_THEMSELVES = (
    r"(?![^.]*\b(?:they|their|them"
    r"|themselves|e[sr]|humans?|persons?|machines?|AI|uncertain\w*|users?|answers?|outputs?|responses?|antworten?|ausgaben?"
    r"|réponses?|respuestas?|respostas?|rispost[ae]|sie|ihre?[nrms]?|sich|ils|elles|leurs?|sus?|ellos|ellas|loro"
    r"|suas?|seus?|eles|elas|hun|ze|zij)\b)"
)
# They must state something that is not about themselves, unlike the duties in laws and policies.
_DUTY = re.compile(
    rf"(?<!that\s)(?<!dass\s)(?<!que\s)(?<!che\s)\b{_MACHINES}\s+{_MUST}\s+"
    r"(?:(?:\w+\s+){0,6}?(?:say|state|report|answer|reply|claim|conclude|write|angeben|sagen|berichten|melden|schreiben"
    r"|dire|indiquer|signaler|écrire|decir|indicar|informar|riportare|indicare|dizer|vermelden|zeggen),?"
    rf"\s+(?:that|dass|que|che|dat)\b{_NOT_OF_THEMSELVES}"
    r"|(?:recommend|name|prefer|rank|empfehlen|recommander|recomendar|raccomandare|aanbevelen)\s+(?-i:[A-Z]\w+)"
    r"|(?:say|state|report|answer|give)\s+(?:the\s+\w+\s+)?\d[\d.,]*(?:\s?[%\w]{1,7})?\s*(?:as\b|[.;]|$)"
    r"|(?:describe|report|present|list|call|rate|give|décrire|présenter|describir|presentar|descrivere|descrever"
    r"|beschrijven)\s+(?:the|this|our|l['’]\w+|l[ea]s?|el|los|il|lo|gli|os?|as?|het|de|dit|(?-i:[A-Z]\w+))\s+"
    rf"(?:\S+\s+){{0,6}}?(?:as|comme|como|come|als)\s+(?:\w+\s+){{0,2}}?(?<!as of )\d{_NOT_OF_THEMSELVES}"
    r"|(?:\w+\s+){0,6}?(?:als|mit|den|die|das)\s+(?:\w+\s+){0,2}?\d[\d.,]*(?:\s?[%\w]{1,7}){0,2}\s+"
    r"(?:nennen|angeben|melden|berichten|beschreiben|bezeichnen)\s*(?:[.;]|$))",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|(?<!\w)\"[^\"]*\"|(?<!\w)‘[^’]*’(?!\w)|(?<!\w)'[^']*'(?!\w)|「[^」]*」"
)
_ANY_MACHINE = re.compile(rf"(?<!\w){_MACHINE}", re.IGNORECASE)
# Orders that need not name a program, and scripts without spaces between words.
_NAMELESS = re.compile(
    r"ignor|disregard|forget|overrid|missacht|verg[ei]ss|oubli|olvid|dimentic|esqueç|nege|summari[sz]|(?:system|developer)\b"
    r"|INST\]|<\||[^\x00-\u024f\u1e00-\u22ff]",
    re.IGNORECASE,
)
# Everything the patterns above match contains one of these; the patterns are too slow for every sentence.
_CAPITALS = ("AI", "A.I.", "KI", "IA", "LLM", "GPT", "ИИ", "INST]", "<|")
_TOKENS = tuple(
    (
        "language model|language-model|answer engine|text generator|chatbot|chat-bot|crawlers|scrapers|bots"
        "|summarizers|summarisers"
        "|sprachmodell|robotic|machine reader|machine agent|automated |automatic |automatische|automatisierte"
        "|maschinelle|geautomatiseerde|artificial|künstliche|langage|lenguaje|linguagem|linguaggio|linguistic|lecteur"
        "|lector|lettor|leitor|artificielle|inteligencia|taalmodel|język|языков|искусственн|yapay|dil model"
        "|语言模型|大模型|人工|助手|言語|知能|アシスタント|언어|인공"
        "|system:|ignor|disregard|forget|override|missacht"
        "|vergiss|vergess|oubli|olvid|dimentic|esqueç|nege|игнор|忽略|無視|summarizing|summarising|summarize|summarise"
    ).split("|")
)
_ABOUT_THEM = 1  # sentences: a document with more of them is about such programs


def omit_machine_instructions(document: ReadDocument) -> ReadDocument:
    """Return the document without the sentences addressed to programs, which are logged."""
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
    """Yield the spans to leave out: sentences, whole table rows, or after an address the rest of its block or
    section.

    `places` are the positions of words that make a sentence worth examining.
    """
    text = document.text
    starts = [block.start for block in document.blocks]
    near = {bisect_right(starts, place) - 1 for place in places}
    if not any(map(_is_suspect, _sentences_of(document, near))):
        return  # as with nearly all documents, which then need not be split completely
    spans = sentences(text, document.blocks)
    begins = [span.start for span in spans]
    looked_at = {bisect_right(begins, place) - 1 for place in places}
    addressed_section, done = "", 0
    for index, span in enumerate(spans):
        is_in_section = bool(addressed_section) and span.section == addressed_section
        if span.start < done or not (is_in_section or index in looked_at):
            continue
        masked = _mask_quotes(text[span.start : span.end])
        is_address = bool(_ADDRESS.search(masked))
        if span.kind is BlockKind.HEADING and not is_address:
            is_addressed = _HEADING.match(masked) and _begins_with_command(text, spans, index + 1)
            addressed_section = span.section if is_addressed else ""
            continue
        block = document.blocks[bisect_right(starts, span.start) - 1]
        is_code = span.kind is BlockKind.CODE
        is_address = is_address or (not is_code and bool(_ROLE.search(masked)))
        if is_in_section or (is_address and not is_code):
            done = block.end
        elif (
            is_address or _ORDER.search(masked) or (_DUTY.search(masked) and not _is_about_them(text, spans))
        ):
            done = block.end if span.kind is BlockKind.TABLE else span.end
        else:
            continue
        yield (block.start if span.kind is BlockKind.TABLE else span.start), done


def _sentences_of(document: ReadDocument, numbers: Iterable[int]) -> Iterator[str]:
    blocks = [document.blocks[number] for number in sorted(numbers) if number >= 0]
    for span in sentences(document.text, blocks):
        yield _mask_quotes(document.text[span.start : span.end])


def _is_suspect(said: str) -> bool:
    names_them = _ANY_MACHINE.search(said) or _NAMELESS.search(said)
    return bool(names_them) and any(rule.search(said) for rule in (_ADDRESS, _ORDER, _DUTY, _ROLE, _HEADING))


def _mask_quotes(said: str) -> str:
    """Return the sentence with its quotations masked: a report of an order is not one."""
    return _QUOTED.sub("…", said)


def _begins_with_command(text: str, spans: Sequence[SentenceSpan], index: int) -> bool:
    return index < len(spans) and bool(_COMMAND_FIRST.match(text[spans[index].start : spans[index].end]))


def _is_about_them(text: str, spans: Iterable[SentenceSpan]) -> bool:
    """Return True if more sentences mention programs than address them: the document is about programs."""
    said = (_mask_quotes(text[span.start : span.end]) for span in spans)
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
    """Maps positions in the old text to positions in the new one."""

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
    """Yield the spans extended by the whitespace that follows them or, at the end, precedes them."""
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
    """Yield the span of what stays of a block, if anything; the parts around a cut are then adjacent."""
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


def _move_page(page: ParsedPage, shift: _Shift, kept: Sequence[tuple[int, int]]) -> ParsedPage:
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
    """Return the table without the rows that were cut; each row is one block."""
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
