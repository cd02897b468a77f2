"""The overview diagram of an answer: which source supports which kind of advice, as Mermaid source and in words. Pure.

It is computed from the links between claims and sources when it is shown, in the reader's language.
"""

import re
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.utils.translation import ngettext

from exports.stored.exported_headings import translate_heading
from research.pipelines.technical.answer.technical_answer import StoredLink
from research.pipelines.technical.technical_advice_kinds import HEADINGS, Advice

OVERVIEW = "Which source says what"
MAX_LABEL_LENGTH = 60  # characters
_UNSAFE = re.compile(r"[^\w\s.,:;?()%+\-−–/’°]")  # characters with a special meaning within a quoted label


def render_flowchart(question: str, links: Sequence[StoredLink], titles: Mapping[UUID, str]) -> str:
    """Return the flowchart of question, kinds of advice and sources; lines are labelled with the number of claims."""
    lines = ["flowchart LR", f'    q["{label(question)}"]']
    for advice in dict.fromkeys(link.advice for link in links):
        lines.append(f'    {advice}("{label(get_heading(advice))}")')
        lines.append(f"    q --> {advice}")
    names = {
        source: f"s{n}" for n, source in enumerate(dict.fromkeys(link.source for link in links), start=1)
    }
    lines += [f'    {name}["{label(titles.get(source, ""))}"]' for source, name in names.items()]
    lines += [f'    {link.advice} -- "{link.claims}" --> {names[link.source]}' for link in links]
    return "\n".join(lines) + "\n"


def in_words(links: Sequence[StoredLink], titles: Mapping[UUID, str]) -> list[str]:
    """Describe the diagram for readers who cannot see it: a sentence for each of its lines."""
    return [
        ngettext(
            "%(kind)s: %(claims)d claim of “%(source)s”",
            "%(kind)s: %(claims)d claims of “%(source)s”",
            link.claims,
        )
        % {"kind": get_heading(link.advice), "claims": link.claims, "source": titles.get(link.source, "–")}
        for link in links
    ]


def get_heading(advice: str) -> str:
    return translate_heading(HEADINGS[Advice(advice)])


def label(words: str) -> str:
    """Return the words without characters that are special in Mermaid.

    >>> label('What is `"x"`?')
    'What is x ?'
    """
    line = " ".join(_UNSAFE.sub(" ", words).split())
    return line if len(line) <= MAX_LABEL_LENGTH else line[:MAX_LABEL_LENGTH].rsplit(" ", 1)[0] + "…"
