"""Find code among sentences: on pages that do not mark it up, or in the middle of a line. Pure."""

import re

PLAIN = 0.3  # least share of plain words in a sentence: prose has more, however many names it quotes

_QUOTED = re.compile(r"`[^`]*`|\[([^\]]*)\]\([^)]*\)")  # names in backticks, and links, are prose
_PLAIN = re.compile(r"[(\"'“‘*\[]*[A-Za-z][A-Za-z’'/-]*[)\"',.;:!?”’*\]]*$")
_PROMPT = re.compile(r"^\W*(?:>>>|\$ [a-z]|#!/|In \[\d*\]:)")
_STATEMENT = re.compile(
    r"^(?:class \w+(?:\([^)]*\))?:|(?:async )?(?:def|fn|func|function) \w+\s*\(|from [\w.]+ import \w"
    r"|import [\w.]+(?: as \w+)?(?:;|$| (?:import|from) \w)|#include\b"
    r"|(?:const |let |var |static |final |auto )?[\w.\[\]'\"]+\s*(?::=|[-+*/]?=)\s*[^\s(]"
    r"|(?:if|for|while|switch|try|else)\s*[({].*[;{}])"
)
_SQL = re.compile(
    r"^(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|SET|WITH|EXPLAIN|BEGIN|COPY|VACUUM)\b.*"
    r"(?:;$|\bFROM \w+ (?:WHERE|ORDER|LIMIT|JOIN)\b|\bON \w+ USING\b|\w+ = \S+$)"
)
_END = re.compile(r"(?:\w\([^)]*\)\s*;|\{|\}[;,)]*|=>|->|\$\w+;)$|^\w+_\w+ [^.!?]*;$")


def is_code(sentence: str) -> bool:
    """Return True for code rather than prose. Names in backticks count as words of prose.

    >>> is_code("index = faiss.IndexFlatL2(d) index.add(xb)")
    True
    >>> is_code("Call `index.add(xb)` before `index.search(xq, k)`.")
    False
    """
    text = " ".join(_QUOTED.sub(lambda found: found[1] or "name", sentence).split())
    if any(pattern.search(text) for pattern in (_PROMPT, _STATEMENT, _SQL, _END)):
        return True
    words = [word for word in text.split() if any(map(str.isalpha, word))]
    return sum(bool(_PLAIN.match(word)) for word in words) < PLAIN * len(words)
