"""Clean sentences for display, and select those that can be read without their neighbours.

The stored quote keeps every character of the source; only the text of the claim beside it is cleaned.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from exports.document.document_plain_text import MARKDOWN, as_read, plain
from research.parsing.formats.parse_raised_figures import UNITS

MAX_WORDS = 70  # of a claim; with more it would be a paragraph
MIN_WORDS = 4
SENTENCE = 6  # words of a cell that is a sentence by itself

# --- cleaning -----------------------------------------------------------------------------------------

_HYPHENATED = re.compile("[\ufffe\u00ad]\\s*")  # a word divided at the end of a line
_BULLET = re.compile(
    r"^(?:[\u2070-\u2079¹²³]\s*|[•▪◦‣●○■□✓✔➢➤→*+–—-]\s+|(?:\(?[a-zA-Z0-9ivx]{1,3}[.)]|#\.)\s+(?=[A-Z`*\"“]))+"
)
# Before a dash or a bracket the number is a name: "8.4 – released: 2025", "3.6.0 (2024-04-19)".
_ENUMERATION = re.compile(r"^(?:\d{1,3}\s+)?(?:[A-Z]{1,2}\.?)?\d+(?:\.\d+)+\.?\s+(?=[^\s(–—-])")
# Sphinx fields: ":param float timeout: …" documents "timeout", ":returns: …" the result.
_FIELD = re.compile(
    r"^:(?:(?P<named>param|parameter|arg|argument|key|keyword|var|ivar|cvar|attr)\s+(?:[^:\n]*?\s)?"
    r"(?P<name>\*{0,2}[\w.]+)|(?P<verb>returns?|raises?|yields?)(?P<what>\s+[\w.]+)?):\s+"
)
_SYMBOL = re.compile("^(?:[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\ufe0f?\\s*)+")
# Of Markdown: ":white_check_mark:", ":octicons-check-16:".
_SHORTCODE = re.compile(r"(?<![\w:]):(x|[a-z\d]+(?:[_-][a-z\d]+)+):(?![\w:])\s?")
# What is left of a link in brackets: "… remains resistant. ([see](https://…))".
_POINTER_LEFT = re.compile(
    r"\s*\((?:see(?: also)?(?: here| above| below)?(?: for [^()]{1,40})?|cf\.?|via|source|link|details|more)\)"
    r"(?=[.,;\s]|$)",
    re.IGNORECASE,
)
# The end of a sentence, or a sentence after it, that only points elsewhere: "…, see the guide for more information."
_POINTER_AT_END = re.compile(
    r"(?:[,;]| [-–—]+)\s+(?:please )?(?:see|cf\.|refer to)(?: also)? [^,;.!?]{1,80}(?=\.?$)"
    r"|(?<=[.!?)])\s+(?:please )?(?:see|refer to|consult)(?: also)? [^.!?]{1,80}\.?$",
    re.IGNORECASE,
)
# The hash of a commit has letters and digits; a number alone is a figure.
_COMMIT = re.compile(r"^(?=\d*[a-f])(?=[a-f]*\d)(?:[0-9a-f]{40}|[0-9a-f]{7,12}(?=\s+[A-Z]))\s+(?=\S)")
_THANKS = re.compile(r"\s*Thanks (?:to )?@\w+(?:(?:,| and|, and) @\w+)*!?$")
# Issue numbers at the end of an entry: "(#42, #43)", or bare after the full stop in place of a link.
_ISSUES = re.compile(
    r"\s*\((?:#\d+(?:,\s*)?)+\)(?=[.\s]|$)|(?<=[.!?])\s+(?:#\d+|\(?(?!(?:19|20)\d\d\b)\d{3,5}\)?)$"
)
# Issue numbers before an entry: "#42: Fix …", "#42, #43: Fix …".
_ISSUES_FIRST = re.compile(r"^#\d+(?:(?:,| and|, and) #\d+)*(?::\s*|\s+(?=[A-Z]))(?=\S)")
# The end of an entry that GitHub writes: "Fix … by @octocat in https://github.com/…/pull/42".
_CONTRIBUTOR = re.compile(r"\s+by @[\w-]+(?:(?:,| and|, and) @[\w-]+)* in (?:https?://\S+|#\d+)$")
_MARKED_NUMBER = re.compile(r"^\*\*[A-Z]?\d+(?:\.\d+)+\*\*\s*\|?\s*")
_NOTE = re.compile(r"^(?:\.\.\s+[a-z-]+::\s*|:{3,}\s*\{\w+\}\s*|!!!\s*\w+\s+|\[!\w+\]\s*)", re.IGNORECASE)
_LABEL = re.compile(
    r"^(?:note|tip|warning|important|caution|hint|remark)s?\s*[:.]\s+(?=[A-Z])", re.IGNORECASE
)
_FOOTNOTE_NUMBER = re.compile(r"(?<=[a-z)][.,])\d{1,3}(?=\s|$)")  # after a full stop, as in PDF files
_REFERENCE = re.compile(
    r"\s*\[(?:#?[\w.:-]*\d[\w.:-]*|#[\w-]+|[A-Z][\w+.-]{1,24}|citation needed)\](?:_)?(?=[\s.,;:)]|$)"
)
_EMPHASIS = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]{0,80}?[^\s*\\])\*(?![\w*])")
_LINK_MARK = re.compile(r"(\b__\w+__\b)|(?<=\w)_{1,2}(?=[\s.,;:)]|$)")  # keeps "__init__"
_FOOTNOTE_MARK = re.compile(r"\s*[¶§](?=\s|$)|\s*↩")
_RAISED_MARK = re.compile(
    r"([^\W\d_]{0,20}(?<=[a-z]))?([.,)]?)(?<=[a-z.,)])[\u00b9\u00b2\u00b3\u2070-\u2079]+"
)
_ROLE = re.compile(
    r"(?::[a-z][\w.+:-]*:|\{[a-z][\w:+-]*\})`[~!]?\.?(?:/[\w./-]*/)?([^`<]*[^`<\s])(?:\s*<[^>`]*>)?`",
    re.IGNORECASE,
)
# Of reStructuredText: "~LoginManager.login_view".
_SHORTENED_NAME = re.compile(r"(?<!\S)~(?=[A-Za-z_]\w*\.\w)")
_ESCAPED = re.compile(r"\\(?=[\s*_`|\[\]<>#~])\s?")  # escaped markup characters
_MIN_NOTED_LENGTH = 3  # letters of a word with a note mark; variables in formulas are shorter ("mc²")
# The other cells of a row, after its sentence: they begin with a tick, since a number may belong to "max. 64".
_TALLY = re.compile(r"(?<=[.!?)])\s+[✓✔✗✘☐☑](?:\s+(?:[✓✔✗✘☐☑]|[A-Z]?\d+(?:\.\d+)*))*$")
_RST_LINK = re.compile(r"`([^`<]*[^`<\s])\s*<[^>`]*>`_{0,2}")
_MARKDOWN_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
_LINKED_IMAGE = re.compile(  # a badge
    r"\[!\[[^\]]*\](?:\([^()]*\)|\[[^\]]*\])\](?:\([^()]*\)|\[[^\]]*\])"
)
_REFERENCE_LINK = re.compile(r"\[([^\[\]]+)\]\[[^\[\]]*\]")
_ENTITY = re.compile(r"&(?:[a-z]+|#\d+);", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.IGNORECASE)
_CELLS = re.compile(r"(?:\s+\|)+(?:\s+|$)|^\|\s*|\s*\|$")
# Words, figures and ordinary punctuation: most sentences have nothing else, and thus nothing that `clean` removes.
_UNMARKED = re.compile(r"[A-Z][a-z]+(?:,? (?:[A-Za-z][A-Za-z'-]*|\d+(?:[.,]\d+)*%?))*[.!?]?")
# Words that only connect a sentence with the previous one, without changing its meaning.
_CONNECTIVE = re.compile(
    r"^(?:however|therefore|thus|hence|furthermore|moreover|additionally|consequently|accordingly|also|finally|lastly"
    r"|similarly|likewise|nevertheless|nonetheless|in addition|in short|in particular|in summary|to summarize"
    r"|in general"
    r"|in fact|indeed|of course|as a result|as noted above|as mentioned (?:above|earlier)|as discussed(?: above"
    r"| earlier)?"
    r"|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|again|still|besides|note that|please note that|remember that"
    r"|keep in mind that"
    r"|it should be noted that|it is worth noting that|on the other hand|that said|by contrast"
    r"|in contrast)(?! (?:to|of|with|among)\b),?\s+(?=\S)",
    re.IGNORECASE,
)
_NEEDS_COMMA = re.compile(
    r"^(?:also|first|firstly|second|secondly|third|thirdly|next|again|still|besides|indeed|finally|lastly|thus"
    r"|hence|likewise"
    r"|similarly|in general|in particular|in fact)\s+(?!,)",
    re.IGNORECASE,
)


def clean(text: str, media_type: str = "", *, is_row: bool = False, header: str = "") -> str:
    """Return the sentence for display: without bullets, numbers, references and markup.

    `header` is the first row of a row's table, whose cells name those of the row.

    >>> clean("- **Do not** use `md5` [3].", "text/markdown")
    'Do not use md5.'
    >>> clean("However, salts are unique.")
    'Salts are unique.'
    """
    if not is_row and _UNMARKED.fullmatch(text):
        return _without_connective(_without_connective(text))
    shown = _LINKED_IMAGE.sub(" ", _HYPHENATED.sub("", text))
    shown = _FIELD.sub(_name_field, " ".join(shown.split()))
    shown = _MARKED_NUMBER.sub("", shown)
    shown = _NOTE.sub("", shown)
    shown = _COMMIT.sub("", _SYMBOL.sub("", _BULLET.sub("", _BULLET.sub("", shown))))
    shown = _SHORTCODE.sub(_as_tick, shown)
    if is_row:
        shown = _row(shown, header)
    shown = _REFERENCE_LINK.sub(
        r"\1", _MARKDOWN_LINK.sub(r"\1", _RST_LINK.sub(r"\1", _ROLE.sub(r"\1", shown)))
    )
    shown = as_read(shown, (media_type,)) if media_type else shown
    if "`" in shown or "**" in shown or _ENTITY.search(shown):
        shown = plain(shown) if media_type in ("", MARKDOWN, "text/html") else shown
    shown = _TAG.sub(lambda tag: " " if tag.group().lower().startswith("<br") else "", shown)
    shown = _SHORTENED_NAME.sub("", _EMPHASIS.sub(r"\1", shown))
    shown = shown.replace("``", "").replace("`", "").replace("**", "").replace("~~", "")
    shown = _RAISED_MARK.sub(_without_raised_mark, _FOOTNOTE_NUMBER.sub("", _REFERENCE.sub("", shown)))
    shown = _POINTER_LEFT.sub("", _LINK_MARK.sub(lambda mark: mark[1] or "", _FOOTNOTE_MARK.sub("", shown)))
    shown = _without_pointer(shown)
    shown = _ENUMERATION.sub("", _BULLET.sub("", shown.strip()))
    shown = _CONTRIBUTOR.sub("", _ISSUES_FIRST.sub("", shown))
    shown = _TALLY.sub("", _ISSUES.sub("", _THANKS.sub("", _LABEL.sub("", _ESCAPED.sub("", shown)))))
    shown = _without_connective(_without_connective(shown))
    return _trim(shown)


def _without_pointer(shown: str) -> str:
    """Return the sentence without the pointer at its end, unless that is its main clause ("For more, see …")."""
    rest = _POINTER_AT_END.sub("", shown)
    is_main_clause = rest != shown and "," not in rest and _SUBORDINATE.match(rest)
    return shown if is_main_clause else rest


_SUBORDINATE = re.compile(
    r"(?:if|when|whenever|for|to|in order to|unless|while|although|though|since|as|because|where|once|before|after"
    r"|in case|besides|instead|in addition)\b",
    re.IGNORECASE,
)


def end_before_code(shown: str) -> str:
    """Return a sentence that introduces a block of code with a full stop; its colon is kept if it says nothing without
    the code.

    >>> end_before_code("To connect, use the proxy parameter:"), end_before_code("The default is:")
    ('To connect, use the proxy parameter.', 'The default is:')
    """
    said = shown.rstrip(": ")
    if said == shown or _CUT_END.search(said) or _OPEN_END.search(said) or _IS_SUBORDINATE.fullmatch(said):
        return shown
    return f"{said}."


_IS_SUBORDINATE = re.compile(
    r"(?:when(?:ever)?|if|once|after|before|while|until|unless)\b[^,]*", re.IGNORECASE
)


def is_open_clause(line: str) -> bool:
    """Return True for a line before a list whose items complete its clause.

    >>> is_open_clause("The pump does not:"), is_open_clause("To clean the pump:")
    (True, False)
    """
    return bool(_OPEN_CLAUSE.search(line))


_OPEN_CLAUSE = re.compile(
    r"\b(?:not|never|cannot|can['’]t|won['’]t|doesn['’]t|don['’]t|will|would|can|could|may|might|does|do|lets? you"
    r"|allows? (?:you|users) to|helps? (?:you )?to|without|except|avoid)\s*:$",
    re.IGNORECASE,
)


def is_field(text: str) -> bool:
    """Return True for a line of a function's documentation: ":param float timeout: …"."""
    return bool(_FIELD.match(text))


def _as_tick(shortcode: re.Match[str]) -> str:
    parts = re.split("[_-]", shortcode[1])
    tick = "✓" if "check" in parts else "✗" if {"x", "cross"} & set(parts) else ""
    return f"{tick} " if tick else ""


def _name_field(field: re.Match[str]) -> str:
    if field["named"]:
        return f"{field['name'].lstrip('*')}: "
    verb = field["verb"].rstrip("s").capitalize()
    return f"{verb}s{field['what'] or ''}: "


def _without_raised_mark(found: re.Match[str]) -> str:
    """Return the word before a raised figure: alone if the figure is a note mark rather than a power or unit."""
    word, sign = found[1] or "", found[2]
    is_mark = sign in (".", ",") or (len(word) >= _MIN_NOTED_LENGTH and word.casefold() not in UNITS)
    return word + sign if is_mark else found[0]


def _row(shown: str, header: str) -> str:
    """Return a row as a sentence: its name, then each value with its column."""
    cells = [cell.strip() for cell in _CELLS.split(shown) if cell.strip()]
    telling = [cell for cell in cells if len(cell.split()) >= SENTENCE]
    if len(telling) == 1 and all(len(cell.split()) < 3 for cell in cells if cell not in telling):
        return telling[0]  # a requirement with its number and level
    if len(cells) < 2:
        return cells[0] if cells else ""
    names = [cell.strip() for cell in _CELLS.split(header) if cell.strip()]
    if len(cells) == 2 or len(names) != len(cells) or names == cells:
        return f"{cells[0]}: {'; '.join(cells[1:])}"
    said = "; ".join(
        f"{name} {value}"
        for name, value in zip(names[1:], cells[1:], strict=True)
        if value not in ("-", "–", "—")
    )
    return f"{cells[0]}: {said}"


def _without_connective(text: str) -> str:
    """Remove a connective to the previous sentence, unless the word belongs to the sentence ("First names …")."""
    found = _CONNECTIVE.match(text)
    if not found or (_NEEDS_COMMA.match(text) and not found.group().rstrip().endswith(",")):
        return text
    rest = text[found.end() :]
    return rest[:1].upper() + rest[1:]


def _trim(text: str) -> str:
    shown = re.sub(r"\s+([.,;:!?)])(?!\w)", r"\1", " ".join(text.split())).strip()
    return re.sub(r"([.!?])[.,;]+$", r"\1", shown)


# --- readable alone -----------------------------------------------------------------------------------

_VERB_AFTER = (
    r"(?:['’]s|\s+(?:also|then|always|often|usually|typically|generally|only|both|in turn|can|could|may|might"
    r"|must|will|would|shall"
    r"|should|is|are|was|were|has|have|had|does|do|did|[a-z]+s|[a-z]+ed))\b"
)
_EXPLETIVE = re.compile(
    r"^it(?:['’]s|\s+(?:is|was|may be|can be|might be|would be|has been|should be))\s+(?:also\s+|not\s+"
    r"|highly\s+|very\s+|strongly\s+|more\s+|often"
    r"\s+|generally\s+|therefore\s+|then\s+)*(?:recommended|important|possible|impossible|essential|necessary"
    r"|common|worth|critical|crucial|mandatory"
    r"|beneficial|good|best|reasonable|useful|likely|unlikely|clear|advised|advisable|easy|hard|difficult|better"
    r"|safe|permitted|allowed"
    r"|up to|believed|known|estimated|expected|assumed|suggested)\b",
    re.IGNORECASE,
)
_UNRESOLVED = re.compile(
    rf"^(?:this|that|these|those|such|both|either|neither|the (?:former|latter|above|following)|here"
    rf"){_VERB_AFTER}|^there,? (?:you|we|they|it|one|he|she)\b"
    r"|^(?:it|they|he|she|its|their|his|her|them|one of (?:these|them)|some of (?:these|them)|(?:all|most|both"
    r"|each|none) of (?:these|them|this|that))\b"
    r"|^(?:in|with|for|on|at|under|by) (?:[\w’'-]+ ){1,4}(?:they|these|this|those)"
    r" (?:is|are|was|were|has|have|can|will)\b"
    r"|^(?:this|that|these|those|such(?: an?)?)\s+\w+"
    r"|^the (?:former|latter)\b|^(?:either|neither) (?!of\b)(?!.*\b(?:or|nor)\b)"
    r"|^both (?!of (?:the|our)\b)(?!.*\band\b)"
    r"|^others (?:may|can|could|are|have|will|might)\b"
    # Of what, said the sentence before: "The default is 8.", "If true, …".
    r"|^(?:the|its) (?:default|minimum|maximum)(?: value)? is\b|^if (?:true|false|none|null|enabled|unset|0), "
    # A clause about something mentioned before, unless "it" stands for nothing: "If it is possible, …".
    r"|^(?:if|when|once|while|although|though|since|because|unless|until) (?:this|that|these|those|it|they)\b"
    r"(?! (?:comes|turns|seems|becomes|takes|is (?:not )?(?:necessary|possible|desired|desirable|important|true"
    r"|required|needed|known|unclear|clear|likely|unlikely|recommended))\b)"
    # Words before the subject, which is only a pronoun: "In many cases, these …", "Despite its age, it …".
    r"|^(?:in|for|on|at|with|under|to|as|from|during|within|even|typically|usually|generally|often|sometimes"
    r"|unfortunately|fortunately|currently|normally|traditionally|historically|similarly)\b[^,;.:]{0,60},"
    r" (?:this|these|those|such)\b"
    r"|^(?:despite|besides|like|unlike|in addition to|instead of|apart from|compared (?:to|with)"
    r"|as (?:with|opposed to))\b[^,;.:]{0,100}, (?:it|they)\b"
    r"(?! (?:is|was|may be|can be) (?:also |not |highly |strongly )?(?:recommended|important|possible|necessary"
    r"|useful|best|better|easy|common|essential|advisable|good)\b)"
    r"|^even (?:with|without|in|for|under) (?:this|that|these|those|such)\b"
    r"|^(?:but|and|or|so|nor|yet|otherwise|instead|then|alternatively|conversely|in (?:this|that|these|those"
    r"|both|either|such|each of these) \w+"
    r"|for (?:example|instance|this|that|these|those)|because of (?:this|that)|due to (?:this|that)|as such"
    r"|to (?:do|address|avoid|solve|prevent|achieve) (?:this|that|these|so)"
    r"|at (?:that|this) (?:time|point)|after (?:this|that)|if (?:so|not)|with (?:this|that|these)|by doing (?:so"
    r"|this)|unlike (?:this|that|these)"
    r"|rather(?! than)|as above|as before|e\.g\.|i\.e\.)\b",
    re.IGNORECASE,
)
_POINTS_ELSEWHERE = re.compile(
    r"\b(?:described|defined|listed|shown|given|mentioned|discussed|noted|outlined|specified|illustrated"
    r"|summarized|explained) "
    r"(?:above|below|earlier|previously|here|next|in the (?:next|previous|following))\b"
    r"|\b(?:the|see) (?:above|below)\b|\bthe following\b[^.]*[:.]?$|\bas follows\b|\bsee (?:also|below|above"
    r"|section|chapter|the (?:section|following))\b"
    r"|\b(?:above|below|following) (?:table|figure|list|example|section|code|diagram|command)\b"
    r"|\bthe previous (?:section|example|step|paragraph)\b"
    r"|\b(?:go ?to|return to|skip to|proceed to|continue with|back to|repeat) steps? \d"
    # The thread of a tutorial: "Above, we used …", "Here we take …", "As you can see, …", "… as computed below."
    r"|^(?:above|below|earlier|here), |^here (?:we|I|you)\b|^let(?:['’]s| us) "
    r"|^(?:as )?(?:you|we) (?:can |may |should )?(?:now |also )?see\b"
    r"|^in (?:the|our) (?:previous |last |first |next )?example\b"
    r"|\b(?:code|snippet|plot|output|listing|command|script)s? (?:above|below)\b"
    r"|(?<!from)(?<!and)(?<! or)(?<! is)(?<!are)[ ,](?:above|below)[.,;:!]?$",
    re.IGNORECASE,
)
# A verb without its subject, a function or setting; the same words are subjects before another verb.
_WITHOUT_SUBJECT = re.compile(
    r"^(?:throws|returns|raises|sets|gets|marks|unmarks|checks|creates|accepts|specifies|indicates|controls|defines"
    r"|enables|disables|allows|defaults|determines|represents|computes|calculates|stores|removes|adds|requires"
    r"|supports|takes|provides|contains|makes|causes|means|works|runs|shows|appears|occurs|happens|prevents|begins|lasts"
    r"|tends|affects|keeps|includes|comes|note (?:it|that it|this|that this))\b"
    r"(?! ?[:(]| (?:of|and|or|are|were|is|was|on|from|that|which|have|had|must|should|shall"
    r"|may|can|could|will|would)\b)"
    # "Will have no effect after …", "Can be a string or …", "Only used for …".
    r"|^(?-i:Will|Would|Can|Could|May|Must|Should|Shall|Is|Are|Was|Were|Has|Does|Cannot)"
    r"(?: not| also| only| always| never)* (?:be|have|been|a|an|the|not|no|used|set|called|only|also|return|raise|take"
    r"|need|apply|cause|affect|contain|include|default|work|use|\w+ed)\b(?!.*\?)"
    r"|^only (?:used|needed|necessary|required|relevant|applies|valid|works|available|useful|if|when|for)\b",
    re.IGNORECASE,
)
_META = re.compile(
    r"^(?:(?:for|more|additional|further|detailed)\b.{0,60}\b(?:information|details?|guidance|reading|background"
    r"|documentation)\b"
    r"|(?:please )?(?:see|refer to|consult|read|visit|check out|cf\.)\b"
    r"|(?:this|the (?:present|current)|these|our)\s+(?:[\w-]+\s+){0,3}(?:document|section|page|chapter|guide"
    r"|guideline|cheat ?sheet|article|paper|post|tutorial|appendix|report"
    r"|publication|book|volume|part|standard|specification|readme|playbook|table|figure|faq|overview|notes?"
    r"|documentation|work|module|library|package)s?\s+"
    r"(?:\w+\s+)?(?:describes?|covers?|provides?|explains?|contains?|discusses?|outlines?|introduces?|presents?"
    r"|lists?|summari[sz]es?|gives?|shows?|addresses|aims|is intended|is organi[sz]ed|was (?:written|prepared"
    r"|developed)"
    r"|will|focus(?:es)?|deals?|has been|includes?|supersedes|replaces|is (?:available|based|meant|divided|about"
    r"|part|a)|defines|specifies|uses|does not)\b"
    r"|(?:the )?(?:remainder|rest) of this\b|in this (?:section|document|chapter|guide|article|paper|post"
    r"|tutorial|cheat ?sheet|page)\b"
    r"|(?:the )?authors? (?:would like|wish|thanks?|gratefully|acknowledges?)\b|we (?:thank|would like to thank"
    r"|acknowledge)\b|(?:special )?thanks to\b"
    r"|(?:the (?:next|previous|following) )?(?:section|chapter|appendix|page|tutorial)\b.{0,60}?"
    r"\b(?:gives?|describes?|explains?|shows?|lists?|covers?|contains?|discuss(?:es)?|presents?|introduces?"
    r"|summari[sz]es?|deals? with)\b"
    r"|before (?:discussing|(?:we )?(?:begin|start|continu|go|turn|look)\w*)\b"
    r"|the (?:terms|steps|examples|instructions|options) (?:(?:presented|listed|described|shown) )?(?:below|above)\b"
    r"|(?:an? )?(?:image|screenshot|picture|photo|illustration|diagram) (?:of|showing|that shows)\b"
    r"|(?:section|chapter|sections|chapters) \d[\d.]* \(|(?:figure|fig\.|table|listing|exhibit|appendix"
    r"|box)\s*[\dA-Z][\w.-]*\b|copyright\b|all rights reserved|click here|back to top|table of contents"
    r"|last (?:updated|modified|reviewed|edited)|edit (?:this|on)|(?:source|photo|image|credit)s?:)",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"\b(?:is|are|can be) (?:available|found|described|documented|explained|discussed|covered|provided"
    r"|listed) (?:here|at|in (?:the|section|sec\.|chapter|appendix|table|figure)\b)"
    r"|\bfor (?:more|further|additional|full|the full|complete) (?:information|details?|guidance|discussion|list"
    r"|description|explanation)\b"
    r"|\bplease (?:see|refer to|consult)\b"
    r"|\b(?:threads?|discussions?|explanations?|details?|write-?ups?)\b[^.]*\bcan be (?:found|read|seen)\b"
    r"|\bneeds? to be (?:said|mentioned|noted)\b"  # what is said follows
    r"|\b(?:see|refer to|check|consult|take a look at|have a look at|check out)"
    r" (?:the|our|sec\.|section|chapter|appendix|table|figure|also"
    r"|https?:)[^.]*\.?$",
    re.IGNORECASE,
)
_BIBLIOGRAPHIC = re.compile(
    r"https?://|\bdoi\b|\bISBN\b|\bISSN\b|\bet al\.|\bavailable (?:at|from)\b|\b(?:pp?|vol|no)\.\s?\d+"
    r"|\b(?:Proceedings|Proc\.|Conference on|Journal of|Press|Retrieved)\b.*\b(?:19|20)\d\d\b"
    r"|,[”\"]\s+(?:in|arXiv|Cryptology|Tech)\b"
    r"|^(?:[A-Z][\w.'’-]*,? (?:and )?){4,}[“\"]"  # names, then a title
    r"|\bby [A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3},? \(?(?:19|20)\d\d\)?\.?$"
    r"|^\s*\[[\w .,+:-]+\]\s+[A-Z]|^[A-Z][\w'-]+, [A-Z]\.,?(?: [A-Z]\.)?(?:,| and)",
)
_CODE = re.compile(
    r"^\s*(?:\$|>>>|\.\.\.\s|import |from \w[\w.]* import|def |class \w+[(:]|SELECT |CREATE |INSERT |ALTER "
    r"|SET \w|DROP |return |pip install|conda install|npm |python3? \S+\.py"
    r"|(?:struct|class|template|enum|typedef|namespace) \w+[:<{]"
    r"|sudo |docker |curl |git |using \w+ =|int \w+ =|std::|#include|<\?|\{|\})|[{};\\]\s*$|\w+\([^)]*\)\s*;"
    r"|\w+\s*=\s*[\w.]+\(|[\w.]+\s*=\s*[\[{\"']|==|&&|\|\||->|=>"
    r"|\w\(\[?\w+\??: \w[^()]*\): ?\w"  # a signature with types
)
# A name in lower case: an identifier, or a noun before a verb ("bcrypt is …", not "which is …").
_SMALL_NAME = re.compile(
    r"^[a-z]+(?:[A-Z0-9_]|\.[a-z]|\(\d\w?\))|^(?!(?:which|that|what|who|this|there|it|and|or|as|he|she|one"
    r"|each)\b)[a-z][\w+-]{2,}\s+"
    r"(?:is|has|does|can|supports|uses|provides|allows|implements|offers|requires|includes|stores|returns)\b"
    r"|^[a-z][\w+-]*(?: [\w+-]+){0,3} (?:--|–|—) (?:an?|the) "  # a glossary's entry
)
_CUT_END = re.compile(
    r"\b(?:the|a|an|of|and|or|to|in|for|with|by|that|is|are|was|were|be|as|on|at|from|which|not|shall|should|may"
    r"|must|its|their|this|than|when|if|can)\s*$",
    re.IGNORECASE,
)

_OPEN_END = re.compile(
    r"\b(?:like|follows?|following|looks?|this way|so|below|here|examples?|e\.g\.?|namely|such as|means?|using|via"
    r"|(?<!to )(?:run|use|execute|type|enter|call|do|write|try|put|add|say|see|get))\s*$",
    re.IGNORECASE,
)


def is_anaphoric(text: str) -> bool:
    """Return True if the sentence begins with a word that refers to a previous one.

    >>> is_anaphoric("This makes attacks slower."), is_anaphoric("It is important to use salts.")
    (True, False)
    """
    return bool(_UNRESOLVED.match(text) or _WITHOUT_SUBJECT.match(text)) and not _EXPLETIVE.match(text)


# What a whole page is about, and not only a part of it.
THIS_THING = re.compile(
    r"This (?:[\w-]+ )?(plugin|library|package|module|project|tool|toolkit|app|application|extension|program|framework"
    r"|service|utility|product)\b",
    re.IGNORECASE,
)


def flaw(text: str) -> str:
    """Return why a cleaned sentence cannot be read alone; "" if it can.

    >>> flaw("Use a salt of at least 16 bytes."), flaw("They recommend bcrypt to all."), flaw("The options are these:")
    ('', 'refers back', 'introduces a list')
    """
    shown = text.strip()
    count = len(shown.split())
    if count < MIN_WORDS and not _NAMED_FIGURE.match(shown):
        return "too short"
    found = next((name for name, is_flawed in _FLAWS if is_flawed(shown)), "")
    return found or ("too long" if count > MAX_WORDS else "")


_NUMBERS = re.compile(r"(?<![\w.])v?\d+(?:\.\d+)*\b,?")


def _is_code(text: str) -> bool:
    return bool(_CODE.search(text)) or _has_few_letters(text)


def _has_few_letters(text: str) -> bool:
    plain = _NUMBERS.sub("", text)  # lists of versions are not code: "supports Python 3.10, 3.11 and 3.12"
    letters = sum(map(str.isalpha, plain)) + sum(map(str.isspace, plain))
    return letters < 0.7 * len(plain) or sum(map(str.isalpha, text)) < 0.35 * len(text)


def _speaks_of_document(text: str) -> bool:
    return bool(_META.match(text) or _POINTER.search(text))


def _is_reference(text: str) -> bool:
    return bool(_BIBLIOGRAPHIC.search(text) or _QUOTED_TITLE.match(text))


def _refers_back(text: str) -> bool:
    return is_anaphoric(text) or bool(_POINTS_ELSEWHERE.search(text))


def _ends(text: str) -> bool:
    """Return True if the sentence ends with a closing mark."""
    return text[-1] in ".!)]”\"’'%"


def _is_cut(text: str) -> bool:
    first = text.lstrip("\"“'‘(")[:1]
    is_begun_late = first.islower() and not _SMALL_NAME.match(text)
    return (
        is_begun_late
        or text[0] == "?"
        or (bool(_PHRASE.fullmatch(text)) and not _says_something(text))
        or text.startswith("![")  # an image, whose text has a full stop
        or text[-1] in ",;-–—…\\("
        or (not _ends(text) and bool(_CUT_END.search(text)))
    )


_PHRASE = re.compile(r"(?:about|at|by|for|from|in|of|on|via|with)(?: [\w.'-]+){1,4}\.", re.IGNORECASE)


def _is_heading(text: str) -> bool:
    return (
        (not _ends(text) and not _says_something(text))
        or _is_title(text)
        or _NUMBERED_LABEL.fullmatch(text) is not None
    )


_NUMBERED_LABEL = re.compile(
    r"[A-Z]\w+ (?:\d+|[A-Z])[.:]? \([^()]*\)\.?"
)  # "Technique 2 (hash with a salt)."
_FLAWS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("introduces a list", lambda text: text.endswith(":")),
    ("asks", lambda text: text.endswith("?")),
    ("code", _is_code),
    ("speaks of the document", _speaks_of_document),
    ("a reference", _is_reference),
    ("refers back", _refers_back),
    ("cut", _is_cut),
    ("a heading", _is_heading),
)
_QUOTED_TITLE = re.compile(r"^[“\"][^”\"]+[”\"]\.?$")


def _is_title(text: str) -> bool:
    """Return True if nearly all longer words begin with capitals, and there is no verb between them."""
    if text.endswith((".", "!")) and _STATES.search(text):
        return False  # "The Horizontal Coordinate System is fixed to the Earth."
    long = re.findall(r"[^\W\d_]{4,}", text)
    return 3 <= len(long) <= 14 and sum(
        word[0].isupper() and not word.isupper() for word in long
    ) >= 0.8 * len(long)


_STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|may|must|shall|should|will)\b"
)  # titles write "Is"
_NAMED_FIGURE = re.compile(r"^[\w.+/-]+(?: [\w.+/-]+)?: .*\d.*\w")  # "PBKDF2: 600,000 iterations"
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|may|might|must|shall|should|will|would|does|do|did|cannot"
    r"|need(?:s|ed)?|uses?|used|requires?|required"
    r"|supports?|provides?|allows?|increased|changed|removed|added|becomes?|became|means?|contains?|includes?)\b|:\s",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"^(?:use|set|open|choose|select|click|enter|ensure|create|go|navigate|run|add|configure|make|provide|return"
    r"|send|do|don['’]t|allow|avoid|verify|store"
    r"|generate|require|limit|implement|enable|disable|install|change|follow|press|type|sign|review|consider"
    r"|check|apply|assign|never|always|keep|give|take"
    r"|turn|put|remove|replace|update|test|start|stop|build|copy|move|save|wait|write|read|pass|call|increase"
    r"|decrease|reduce|prefer|include|exclude|support"
    r"|invalidate|notify|inform|log|monitor|encrypt|hash|salt|validate|block|permit|prohibit|randomly|drop|mix"
    r"|heat|cut|measure|fill|place|connect|download|upload)\b(?!-)"
    # A noun: "Salt is …", "Use of …".
    r"(?! (?:is|are|was|were|has|have|had|can|may|might|must|should|will|would|of)\b)",
    re.IGNORECASE,
)
# Any other verb in its base form: only a verb precedes an article at the beginning of a sentence.
_PLAIN_VERB = re.compile(
    r"^(?!(?i:in|for|with|after|when|if|on|at|by|from|to|as|while|since|because|unlike|although|though|is|are|was|were"
    r"|does|did|do|has|have|had|not|only|even|both|most|such|like|under|over|between|through|until|once|before|whether"
    r"|where|via|despite|without|within|per|than|that|and|but|or|what|how|which|who|why|among|about|across|against"
    r"|along|behind|below|above|beyond|during|except|inside|into|near|of|off|onto|out|outside|till|toward|towards|up"
    r"|upon|so|yet|nor|all|each|every|any|some|many|few|half|quite|rather|also|then|thus|now|here|there|these|this"
    r"|those|given|including|unless|instead|today|often|usually|sometimes|perhaps|maybe|almost|nearly|can|could|should"
    r"|would|will|may|might|must|shall)\b)(?!\w+(?:ing|ed|ly|s)\b)[A-Z][a-z]+ (?:the|an?|your|all|each|any|it|them)\b"
)


def _says_something(text: str) -> bool:
    return bool(_FINITE.search(text) or _IMPERATIVE.match(text))


def is_sentence(text: str) -> bool:
    """Return True for a cleaned list item that is informative on its own: an instruction, or a subject with a verb."""
    return is_imperative(text) or (
        len(text.split()) >= 6 and bool(_FINITE.search(text)) and text[:1].isupper()
    )


def is_imperative(text: str) -> bool:
    """Return True for an instruction: "Use a salt …", also after a label or a purpose: "To be sure, use …"."""
    label, colon, rest = text.partition(": ")
    is_labelled = bool(colon) and len(label.split()) <= 4 and len(rest.split()) > 4
    is_labelled = is_labelled and not is_open_clause(f"{label}:")
    purpose = _PURPOSE.match(text)
    behind = [*([rest] if is_labelled else []), *([text[purpose.end() :]] if purpose else [])]
    return any(
        _IMPERATIVE.match(said) or _PLAIN_VERB.match(said[:1].upper() + said[1:]) for said in (text, *behind)
    )


_PURPOSE = re.compile(r"^(?:in order to|to|for|if|when|before|after)\b[^,.;:]{2,80},\s+", re.IGNORECASE)
