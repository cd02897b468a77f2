"""Diagrams of an answer, as Mermaid source: those that the sources have, word for word, and one of the answer itself.

The one of the answer is computed: which source says what kind of thing. Pure.
"""

import re
from collections.abc import Iterator, Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from research.recipes.report.analyzing.storing import Finding
from research.recipes.technical.answer import StoredDiagram
from research.recipes.technical.code.examples import blocks_of_code
from research.recipes.technical.code.languages import language_of
from research.recipes.technical.kinds_of_advice import HEADINGS, Advice, advice_of
from research.recipes.technical.material import Material

MOST = 4
LONGEST_LABEL = 60  # characters
_UNSAFE = re.compile(r"[^\w\s.,:;()%+\-/’]")  # what has a meaning of its own between the quotes of a label


def diagrams_of(material: Material, findings: Sequence[Finding]) -> list[StoredDiagram]:
    own = [overview(material, findings)] if findings else []
    return [*own, *_of_sources(material)][:MOST]


def _of_sources(material: Material) -> Iterator[StoredDiagram]:
    for one in blocks_of_code(material):
        if language_of(one.code) == "mermaid":
            title = one.heading or one.read.source.title
            block = one.block
            yield StoredDiagram(
                title=title, code=one.code, source=one.read.source.pk, start=block.start, end=block.end
            )


def overview(material: Material, findings: Sequence[Finding]) -> StoredDiagram:
    """Question, kinds of advice, sources; as thick as many claims connect them is not drawn: their number is."""
    title = _("Which source says what")
    titles = {one.source.pk: str(one.source) for one in material.read}
    counts = _counts(findings)
    lines = ["flowchart LR", f'    q["{label(material.run.topic)}"]']
    for advice in dict.fromkeys(advice for advice, _source in counts):
        lines.append(f'    {advice.value}("{label(str(HEADINGS[advice]))}")')
        lines.append(f"    q --> {advice.value}")
    numbered = {source: f"s{n}" for n, source in enumerate(dict.fromkeys(s for _a, s in counts), start=1)}
    lines += [f'    {name}["{label(titles.get(source, ""))}"]' for source, name in numbered.items()]
    lines += [f'    {advice.value} -- "{n}" --> {numbered[source]}' for (advice, source), n in counts.items()]
    return StoredDiagram(title=title, code="\n".join(lines) + "\n")


def _counts(findings: Sequence[Finding]) -> dict[tuple[Advice, UUID], int]:
    """Claims by what they are and the source that states them best."""
    counts: dict[tuple[Advice, UUID], int] = {}
    for one in findings:
        key = (advice_of(one.text), one.evidence[0].source)
        counts[key] = counts.get(key, 0) + 1
    return counts


def label(words: str) -> str:
    """Words that mean nothing to Mermaid.

    >>> label('What is `"x"`?')
    'What is x'
    """
    line = " ".join(_UNSAFE.sub(" ", words).split())
    return line if len(line) <= LONGEST_LABEL else line[:LONGEST_LABEL].rsplit(" ", 1)[0] + "…"
