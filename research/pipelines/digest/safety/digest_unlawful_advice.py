"""Recognize advice to break the law, in English and German: to deceive an office, to take or damage things. Pure.

Statements that something is unlawful, warnings and refusals are none.
"""

import re


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE | re.VERBOSE)


# What is kept from an office or a contract partner, or told to them untruly.
_DUE = (
    r"(?:tax(?:es)?|income|earnings|insurance|insurer|customs|landlord|employer|council|irs|hmrc|authorit(?:y|ies)|permit"
    r"|licen[cs]e|deposit|benefits?|claim|warranty|guarantee|steuer\w*|einkünfte|finanzamt|versicherung\w*|zoll|vermieter\w*"
    r"|arbeitgeber\w*|behörde\w*|genehmigung\w*|kaution|pauschale\w*|garantie|gewährleistung|marktstammdatenregister"
    r"|netzbetreiber\w*|jobcenter)"
)
_RECORD = (
    r"(?:reports?|receipts?|invoices?|contracts?|leases?|documents?|records?|logs?|signatures?|letters?|certificates?"
    r"|references?|payslips?|readings?|forms?|mileage|odometers?|photos?|dates?|statements?|diplomas?|prescriptions?|plates?"
    r"|ids?|passports?|\w*protokolle?|quittung(?:en)?|rechnung(?:en)?|vertrag|verträge|belege?|unterschrift(?:en)?"
    r"|bescheinigung(?:en)?|zeugnisse?|fahrtenb\w+|tachostand|atteste?|rezepte?|kennzeichen|ausweise?)"
)
# Acts that are unlawful whoever is told to do them.
_ACT = _words(
    rf"""(?:forg(?:e|ed|ing)|falsif\w*|fak(?:e|ed|ing)|doctored|backdat\w*|photoshop\w*)\s
        (?:(?:an?|the|your|his|her|their|some|\w+['’]s)\s){{0,3}}{_RECORD}
    |(?:edit|alter|change|adjust|tweak)\s(?:\w+\s|the\s|your\s|that\s){{0,3}}?
        (?:move-?in\s|inspection\s|medical\s|police\s)?(?:reports?|receipts?|signatures?|certificates?|payslips?|odometers?
        |prescriptions?)(?!\s(?:format|template|title|layout|view|page))
    |make\sup\s(?:an?|some|the)\s(?:\w+\s)?(?:{_RECORD}|theft|accident)
    |(?:lie|lied)\s(?:to|on|about)\b.{{0,30}}\b(?:{_DUE}|{_RECORD})
    |(?:tell|say\sto)\s(?:them|him|her|the\s\w+)\s(?:that\s)?(?:it|you|your\s\w+)\s(?:was|were|got|is)\s(?:stolen|lost|robbed)
    |(?:do\snot|don['’]?t|(?<!you\s)never|without)\s(?:declar|report|register|disclos|pay)\w*\s?(?:\w+\s){{0,4}}?{_DUE}
    |pa(?:y|id)\w*\s(?:\w+\s){{0,4}}?(?:under\sthe\stable|off\sthe\sbooks|cash\sin\shand)
    |take\s(?:his|her|their|the)\s\w+,?\s(?:and|that)\s(?:\w+\s){{0,2}}?makes?\s(?:you|it)\s(?:even|quits|square)
    |let\syourself\sin|pick\sthe\slock|climb\sin\sthrough
    |break\sinto\s(?:his|her|their|the)\s(?:flat|house|home|apartment|room|car|shed|garage|office|shop)
    |(?:slash|key|smash|scratch)\s(?:his|her|their)\s(?:car|tyres?|tires?|windows?)
    |(?:steal(?!\s(?:the|an?)\s(?:idea|look|show|recipe))|shoplift|pirate|torrent|blackmail|bribe)
        \s(?:it|them|him|her|an?|the|some|your|his|their)
    |(?:crack(?:ed)?|pirated)\s(?:version|copy|software|key)
    |drive\s(?:\w+\s){{0,3}}?without\s(?:an?\s|any\s)?(?:licen[cs]e|insurance|plates)
    |fälsch(?:en?|st|t)|zurückdatier\w*|umdatier\w*|schwarz(?:arbeit\w*|fahren|zahlen|bezahlen|beschäftigen)
    |schwarz\s(?:bezahl|arbeit|beschäftig|fahr)\w*|ohne\srechnung\s(?:bezahl|mach)\w*|unter\sder\shand\s(?:bezahl|arbeit)\w*
    |(?:{_RECORD})\s(?:\w+\s){{0,3}}?(?:fälsch|manipulier|frisier|erfind)\w*
    |(?:datum|betrag|stand)\s(?:\w+\s){{0,3}}?{_RECORD}\s(?:ändern|anpassen)
    |(?<!muss\s)(?<!musst\s)(?<!müssen\s)(?:nicht|nichts|gar\snicht)\s(?:(?!zu\s)\w+\s){{0,2}}?(?:versteuer|verzoll)\w*
    |(?:reifen|scheibe\w*)\s(?:zerstech|zerkratz|einschlag)\w*
    |klau(?:en?|t|st)?\s(?:es|ihm|ihr|ihnen|den|die|das|einfach|dir|ein\w*)"""
)
# That nobody will find out; with an act, and a matter that is due to someone, it is an invitation to cheat.
_UNSEEN = _words(
    r"""(?:nobody|no\sone|they)\s(?:(?:ever|will|would|['’]ll|never|really|even)\s)*(?:checks?|audits?|verif(?:y|ies)
        |notices?|knows?|finds?\sout|keeps\sa\scopy|asks?)
    |(?:they|he|she)(?:['’]ll|\swill|\swould)?\snever\s(?:know|check|notice|find\sout)
    |(?:das\s|es\s)?(?:merk|prüf|kontrollier|frag|seh|interessier)\w*\s(?:\w+\s){0,3}?(?:keiner|keinen|niemand(?:en)?)
    |(?:fällt|fliegt)\s(?:\w+\s){0,2}?(?:nicht|keinem|nie)\s(?:auf|raus)"""
)
_CHECKED = _words(r"checks?|audits?|verif(?:y|ies)|keeps\sa\scopy|(?:prüf|kontrollier)\w*")
_OWED = _words(
    rf"{_DUE}|declar\w+|register\w*|tickets?|fares?|rules?|law|legal\w*|an(?:zu)?meld\w*|meld\w*|angeb\w*|angab\w*|frist\w*"
    r"|vorschrift\w*|erlaub\w*"
)
_DOES = re.compile(
    r"^\W*(?:just|simply|put|say|write|claim|enter|use|take|tell|keep|skip|leave|do|go|you (?:can|could)"
    r"|i (?:just|always)|einfach|gib|trag|schreib|sag|mach|lass|nimm|melde?|gar nicht|nicht|bloß nicht)\b"
    r"|\b(?:just|einfach)\b",
    re.IGNORECASE,
)
# It says that the act is unlawful, or has consequences.
_UNLAWFUL = _words(
    r"""fraud\w*|illegal\w*|unlawful\w*|crime|criminal|offen[cs]e|against\sthe\slaw|theft|perjury|prison|jail|fined|fines
    |sued?|lose\s(?:the|a|your)\scase|evict\w*|strafbar\w*|illegal\w*|betrug|hinterziehung\w*|\w+hinterziehung|straftat
    |bußgeld\w*|strafe|verboten|anzeige|urkundenfälschung|diebstahl|riskier\w*"""
)
_NEGATED = re.compile(
    r"^\W*(?:please\s|bitte\s)?(?:do not|don['’]?t|never|you (?:must|should|can)(?:not| not| never)|avoid|nie(?:mals)?"
    r"|auf keinen fall|keinesfalls)\b(?!.*\b(?:declar|report|register|disclos|pay)\w*\b)",
    re.IGNORECASE,
)


def advises_breaking_law(sentence: str) -> bool:
    """Return True if the sentence advises to cheat, to take or damage what is another's, or to break a duty.

    >>> advises_breaking_law("Gib einfach 250 Tage an, das prüft doch keiner.")
    True
    >>> advises_breaking_law("Altering the report is fraud.")
    False
    """
    if _UNLAWFUL.search(sentence) or _NEGATED.match(sentence) or sentence.rstrip().endswith("?"):
        return False
    if _ACT.search(sentence):
        return True
    is_owed = _CHECKED.search(sentence) or _OWED.search(sentence)
    return bool(_UNSEEN.search(sentence) and is_owed and _DOES.search(sentence))
