"""Name a brief that has no query by the first heading or statement of its answer, in short. Pure."""

import re
from collections.abc import Iterator

from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, TextBlock

MAX_NAME, MIN_NAME_LENGTH = 90, 3  # characters
MIN_CLAUSE_LENGTH = 20  # characters before the colon of a long statement that suffice as its title
MAX_LOOKED_AT_LENGTH = 2_000  # characters of a line

_HEADING = re.compile(r"#{1,6}\s+")
_LINK = re.compile(r"!?\[(?P<words>[^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"^(?:[-*+•>]|\d+[.)])\s+|[*_`]{2,3}|(?<!\w)[*_`]|[*_`](?!\w)")
_CLAUSE_ENDS = re.compile(r"(?:[:;]| [–—-])\s")


def name_of(answer: str) -> str:
    """Return at most 90 characters and an ellipsis, cut at a word; empty if the answer has no words for a name.

    >>> name_of("Current guidance advises against forced changes: two newer guides agree, and an older one differs.")
    'Current guidance advises against forced changes'
    >>> name_of("## **Passwords**\\n\\nThey need eight characters.")
    'Passwords'
    """
    return next(
        (
            candidate
            for candidate in _candidates(answer)
            if len(candidate) >= MIN_NAME_LENGTH and re.search(r"\w", candidate)
        ),
        "",
    )


def _candidates(answer: str) -> Iterator[str]:
    for line in (
        splitline.strip()[:MAX_LOOKED_AT_LENGTH] for splitline in answer.splitlines() if splitline.strip()
    ):
        heading = _HEADING.match(line)
        if heading:
            yield in_short(_plain(line[heading.end() :].rstrip("#")))
        else:
            plain = _plain(line)
            for sentence in sentences(plain, [TextBlock(0, len(plain), BlockKind.PARAGRAPH)]):
                yield in_short(plain[sentence.start : sentence.end])


def plain_line(line: str) -> str:
    """Return a line of Markdown without its markup, including that of a heading."""
    heading = _HEADING.match(line)
    return _plain(line[heading.end() :].rstrip("#") if heading else line)


def _plain(line: str) -> str:
    words = _MARKS.sub("", _LINK.sub(r"\g<words>", line.strip()))
    return " ".join("".join(word for word in words if word.isprintable() and word != "\ufffd").split())


def in_short(statement: str) -> str:
    """Shorten a statement to a title.

    A short statement loses its full stop; a long one is cut to the part before a colon, else to its first words.
    """
    words = statement.strip()
    if len(words) <= MAX_NAME:
        return words.removesuffix(".") if not words.endswith("..") else words
    clause = _CLAUSE_ENDS.split(words, maxsplit=1)[0].strip()
    if MIN_CLAUSE_LENGTH <= len(clause) <= MAX_NAME:
        return clause
    head = words[: MAX_NAME + 1].rsplit(" ", 1)[0] if " " in words[:MAX_NAME] else words[:MAX_NAME]
    return f"{head[:MAX_NAME].rstrip(' ,;:–—-')} …"
