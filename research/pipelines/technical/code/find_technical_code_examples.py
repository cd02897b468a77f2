"""Find code examples: unchanged blocks of code of the sources, those on the question first, each checked."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from research.extractive.sentence_ranking import Embed, Ranker
from research.extractive.terms import term_set
from research.parsing.parsed_document import BlockKind, TextBlock
from research.pipelines.technical.answer.technical_answer import StoredExample
from research.pipelines.technical.answer.technical_answer_material import TechnicalMaterial, TechnicalSource
from research.pipelines.technical.code.check_technical_code import CodeCheckStatus
from research.pipelines.technical.code.check_technical_code_child import CodeChecker
from research.pipelines.technical.code.detect_technical_code_language import is_asked_language, language_of
from research.pipelines.technical.technical_advice_kinds import Advice, advice_of

SHORTEST, LONGEST = 12, 4_000  # characters
EMBEDDED = 24  # best blocks by their words, which are also compared by embeddings
MEANT = 300  # characters of a block that are embedded
OF_ONE_SOURCE = 3
MAX_LEAD_LENGTH = 240  # characters of the introduction of a block
PLAIN = "text"  # the language of settings and commands that no grammar knows
LONG_NAME = 6  # letters of a word of the question that names what settings set
MESSAGE = 0.5  # share of words from the question above which a block is the question's own message
FLOOR = 0.6  # share of the best score below which a block shows something else


@dataclass(frozen=True, slots=True)
class CodeExcerpt:
    """A block of code with the text before it."""

    read: TechnicalSource
    block: TextBlock
    code: str
    lead: str
    heading: str
    match: float = 0.0  # similarity to the question, 0–1


def examples_of(
    material: TechnicalMaterial, most: int, embed: Embed, official: Collection[str] = ()
) -> tuple[list[StoredExample], list[StoredExample]]:
    """Return the examples to show, best first, and those that their parser rejects.

    Those of a project's own pages come first, since others are often a part of what works. `official`: their documents.
    """
    ranked = _rank_blocks(list(blocks_of_code(material)), material.ranker, embed)
    if ranked:
        least = FLOOR * ranked[0].match
        ranked = [excerpt for excerpt in ranked if excerpt.match >= least]
        ranked.sort(key=lambda excerpt: str(excerpt.read.source.library_document_id) not in official)
    question_text = " ".join((material.ranker.question.text, *material.config.technologies))
    kept: list[StoredExample] = []
    broken: list[StoredExample] = []
    counts: dict[str, int] = {}
    with CodeChecker() as checker:
        for excerpt in _of_the_technologies(ranked, material):
            source = str(excerpt.read.source.pk)
            if len(kept) == most:
                break
            if counts.get(source, 0) >= OF_ONE_SOURCE:
                continue
            language = _language_of_excerpt(excerpt) or name_plain_language(excerpt, material.ranker)
            lead = tell_deletion(excerpt) if deletes(excerpt.code, language) else _name_excerpt(excerpt)
            if not lead or not language or not is_asked_language(language, question_text):
                continue
            example = _example(replace(excerpt, lead=lead), language, checker)
            if example.check == CodeCheckStatus.FAILED.value:
                broken.append(example)
            else:
                kept.append(example)
                counts[source] = counts.get(source, 0) + 1
    first = {str(example.source): place for place, example in reversed(list(enumerate(kept)))}
    kept.sort(
        key=lambda example: (first[str(example.source)], example.start)
    )  # a page's code builds on itself
    return kept, broken


def _of_the_technologies(
    excerpts: Sequence[CodeExcerpt], material: TechnicalMaterial
) -> Sequence[CodeExcerpt]:
    """Return the code whose text or page names a technology of the question; all if none does."""
    asked = material.ranker.question.text.casefold()
    named = [
        forms
        for name in material.config.technologies
        if name.casefold() in asked and (forms := term_set((name,)))
    ]
    kept = []
    for excerpt in excerpts:
        card = material.ranker.cards.by_id.get(str(excerpt.read.source.library_document_id))
        around = term_set((excerpt.code, excerpt.lead, excerpt.block.section))
        if any(forms <= around | (card.title_terms if card else frozenset()) for forms in named):
            kept.append(excerpt)
    return kept or excerpts


def blocks_of_code(material: TechnicalMaterial) -> Iterator[CodeExcerpt]:
    """Yield each block of code once, from the first source that has it."""
    seen = set()
    for read in material.read:
        text, blocks = read.source.text, read.blocks
        for before, block, after in zip([None, *blocks], blocks, [*blocks[1:], None], strict=False):
            if block.kind is not BlockKind.CODE or is_warned_of(text, before, after):
                continue
            code = text[block.start : block.end]
            words = " ".join(code.split())
            if len(words) >= SHORTEST and len(code) <= LONGEST and words not in seen:
                seen.add(words)
                lead = _introduction(text, blocks, block)
                yield CodeExcerpt(read, block, code, lead, block.section.rsplit(" > ", 1)[-1])


# Words before code that shows what not to do, and words after it.
_BAD_BEFORE = re.compile(
    r"\b(?:(?:do not|don['’]t|never) (?:do|use|write|copy) (?:this|it|that|the following)"
    r"|(?:bad|wrong|incorrect|insecure|unsafe|vulnerable|not recommended|anti-?pattern)(?: (?:example|way"
    r"|code|approach|version))?)"
    r"\W*$|\b(?:unsuitable|not suitable|inappropriate|discouraged|inefficient)\b[^.:;]*[.:]?$|\b(?:instead of"
    r"|rather than)(?: (?:this|the following))?:$",
    re.IGNORECASE,
)
_BAD_AFTER = re.compile(
    r"^\W*(?:(?:please )?(?:do not|don['’]t|never|avoid) (?:do(?:ing)?|us(?:e|ing)|writ(?:e|ing)"
    r"|copy(?:ing)?) (?:this|it|that)\b"
    r"|(?:this|that|the (?:code|example) above) (?:is|was|would be) (?:wrong|bad|insecure|unsafe|dangerous"
    r"|incorrect|vulnerable"
    r"|not (?:safe|secure|recommended)|an? (?:bad|anti)))",
    re.IGNORECASE,
)


def is_warned_of(text: str, before: TextBlock | None, after: TextBlock | None) -> bool:
    """Return True for code of which the text beside it says that it is wrong: “Do not do this: …”."""
    lead = text[before.start : before.end].strip() if before else ""
    words = text[after.start : after.end].strip() if after else ""
    return bool(_BAD_BEFORE.search(lead) or _BAD_AFTER.match(words))


def _introduction(text: str, blocks: Sequence[TextBlock], code: TextBlock) -> str:
    """Return the text before a block of code; a caution there is preceded by what the code does."""
    before = [block for block in blocks[: blocks.index(code)] if block.kind is not BlockKind.CODE]
    leads = [_lead(text, block) for block in reversed(before[-2:]) if block.section == code.section]
    leads = leads[: leads.index("")] if "" in leads else leads
    return next((lead for lead in leads if advice_of(lead) is not Advice.WARNING), "")


_OF_COMMANDS = frozenset({"bash", "sh", "shell", "console", "powershell", "sql", PLAIN})
_DELETES = re.compile(
    r"(?<![-\w.])(?:rm|rmdir|del)\s|--(?:prune|delete|purge|remove)\b|(?<![-\w./])(?:delete|destroy|prune|purge|forget|wipe"
    r"|truncate|shred)\b|\bdrop (?:table|database|index|schema|column|user)\b|\breset --hard\b|\bclean -\w*[fdx]",
    re.IGNORECASE,
)
_TELLS_DELETION = re.compile(
    r"\b(?:remov|delet|destroy|prun|purg|forget|wip(?:e|ing)|drop|truncat|eras|clean|discard|lösch|gelöscht|entfern|verw[ei]rf)"
    r"\w*",
    re.IGNORECASE,
)
BESIDE_DELETION = 3  # paragraphs before code that deletes which may say so


def deletes(code: str, language: str) -> bool:
    """Return True for commands that delete something.

    >>> deletes("restic forget --keep-daily 7 --prune", "bash"), deletes("docker run --rm alpine", "bash")
    (True, False)
    """
    return language in _OF_COMMANDS and bool(_DELETES.search(code))


def tell_deletion(excerpt: CodeExcerpt) -> str:
    """Return what the page says near the code of what it deletes, also in a caution; "" if it says nothing of that."""
    text, blocks, block = excerpt.read.source.text, excerpt.read.blocks, excerpt.block
    at = blocks.index(block)
    before = [
        other for other in blocks[:at] if other.kind is not BlockKind.CODE and other.section == block.section
    ]
    after = [other for other in blocks[at + 1 : at + 2] if other.section == block.section]
    leads = [_lead(text, other) for other in (*before[-BESIDE_DELETION:], *after)]
    told = [lead for lead in leads if _TELLS_DELETION.search(lead)]
    return " ".join(told) or (excerpt.heading if _TELLS_DELETION.search(excerpt.heading) else "")


def _lead(text: str, before: TextBlock | None) -> str:
    if before is None or before.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST):
        return ""
    words = " ".join(text[before.start : before.end].split())
    return words if len(words) <= MAX_LEAD_LENGTH else "… " + words[-MAX_LEAD_LENGTH:].split(" ", 1)[-1]


def _rank_blocks(blocks: Sequence[CodeExcerpt], ranker: Ranker, embed: Embed) -> list[CodeExcerpt]:
    by_words = sorted(
        ((_compute_term_coverage(block, ranker), block) for block in blocks),
        key=lambda item: (-item[0], str(item[1].read.source.pk), item[1].block.start),
    )[:EMBEDDED]
    if not by_words:
        return []
    vectors = embed([ranker.question.text, *(_in_words(excerpt) for _, excerpt in by_words)])
    close = vectors[1:] @ vectors[0]
    scored = [
        _set_match_score(excerpt, 0.55 * carried + 0.45 * float(np.clip(cosine, 0.0, 1.0)))
        for (carried, excerpt), cosine in zip(by_words, close, strict=True)
    ]
    return sorted(
        scored, key=lambda excerpt: (-excerpt.match, str(excerpt.read.source.pk), excerpt.block.start)
    )


def _set_match_score(excerpt: CodeExcerpt, match: float) -> CodeExcerpt:
    return CodeExcerpt(excerpt.read, excerpt.block, excerpt.code, excerpt.lead, excerpt.heading, match)


def _compute_term_coverage(excerpt: CodeExcerpt, ranker: Ranker) -> float:
    """Return the share of the question's words, weighted by rarity, that an excerpt contains.

    Words in the code, the text before it or its heading count in full, those in higher headings and the title less.
    """
    own = term_set((excerpt.code, excerpt.lead, excerpt.heading))
    around = term_set((excerpt.block.section, excerpt.read.source.title))
    weights = {term.form: ranker.weight(term) for term in ranker.question.terms}
    carried = sum(
        weight * (1.0 if form in own else 0.7 if form in around else 0.0) for form, weight in weights.items()
    )
    return carried / (sum(weights.values()) or 1.0)


def _in_words(excerpt: CodeExcerpt) -> str:
    return ". ".join(filter(None, (excerpt.heading, excerpt.lead, excerpt.code[:MEANT])))


def _language_of_excerpt(excerpt: CodeExcerpt) -> str:
    source, section = excerpt.read.source.title, excerpt.block.section
    return language_of(excerpt.code, f"{source} {section} {excerpt.lead}")


def name_plain_language(excerpt: CodeExcerpt, ranker: Ranker) -> str:
    """Return “text” for settings and commands of no known language that name what the question names.

    Not for the message that the question quotes.
    """
    code = " ".join(excerpt.code.split()).casefold()
    asked = ranker.question.text.casefold()
    named = [term.surface.casefold() for term in ranker.question.terms if len(term.surface) >= LONG_NAME]
    is_message = sum(word in asked for word in code.split()) > MESSAGE * len(code.split())
    is_prose = any(line.rstrip().endswith((".", "!", "?")) for line in excerpt.code.splitlines())
    return PLAIN if any(name in code for name in named) and not (is_message or is_prose) else ""


def _name_excerpt(excerpt: CodeExcerpt) -> str:
    return excerpt.lead or excerpt.heading or excerpt.read.source.title or excerpt.read.source.url


def _example(excerpt: CodeExcerpt, language: str, checker: CodeChecker) -> StoredExample:
    checked = checker.check(excerpt.code, language)
    return StoredExample(
        source=excerpt.read.source.pk,
        start=excerpt.block.start,
        end=excerpt.block.end,
        code=excerpt.code,
        language=language,
        description=excerpt.lead,
        check=checked.check.value,
        reason=checked.reason,
    )
