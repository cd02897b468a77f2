"""Detect the language of a block of code from its own words and those around it. Pure.

Parsing keeps no language labels, and many blocks never had one, so all blocks are treated alike.
"""

import json
import re
from collections.abc import Mapping, Sequence
from re import Pattern

TYPED = 4  # points for TypeScript: a type annotation, which JavaScript lacks
ENOUGH = 2  # points: one weak sign is not sufficient
_NAMED = 1  # points for its name in the surrounding words
# (points, pattern) by language; every pattern counts once.
_SIGNS: Mapping[str, Sequence[tuple[int, str]]] = {
    "python": (
        (3, r"^\s*(?:from [\w.]+ import |import [\w.]+(?: as \w+)?$|import \w+, \w+)"),
        (3, r"^\s*(?:async )?def \w+\(.*\)?(?:\s*->.*)?:?\s*$|^\s*class \w+(?:\(.*\))?:"),
        (2, r"^\s*(?:for .+ in .+|if .+|with .+|while .+|try|else|except.*):\s*(?:#.*)?$"),
        (2, r"^>>> "),
        (2, r"\bprint\(|\bself\.|\bNone\b|\bTrue\b|\bFalse\b|\bnp\.\w+|\blambda \w+:"),
        (2, r"^\s*[A-Za-z_][\w.]* = [\w.]+\(.*\)?$|^\s*[A-Za-z_]\w*(?:\.\w+)+\(.*\)\s*(?:#.*)?$"),
        (1, r"^\s*# |\b\w+=\w+[,)]"),
        (1, r"^\s*(?:\w+ = )?await [\w.]+\("),
        (2, r"^\s*[a-z_]\w*(?:\.\w+)+\($"),
        (4, r"\A\s*[\[{]\s*['\"][\s\S]+,\s*[\]}]\s*\Z"),
        (2, r"^\s*[A-Z][A-Z_]+ = [\[\"'(]"),
    ),
    "sql": (
        (4, r"^\s*(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|WITH \w+ AS)\b"),
        (4, r"^\s*(?:CREATE|ALTER|DROP) (?:UNIQUE )?(?:TABLE|INDEX|EXTENSION|VIEW|FUNCTION|POLICY|TYPE)\b"),
        (3, r"\bORDER BY \w+|^\s*(?:REINDEX|SHOW|ANALYZE) \w+"),
        (3, r"^\s*(?:SET (?:LOCAL )?\w+(?:\.\w+)? (?:=|TO) |EXPLAIN\b|COPY \w+|VACUUM\b|REINDEX\b|BEGIN;|COMMIT;)"),
        (1, r";\s*$"),
    ),
    "bash": (
        (4, r"^\s*(?:\$ |#!/(?:usr/)?bin/(?:env )?(?:ba)?sh)"),
        (
            4,
            r"^\s*(?:sudo|pip3?|python3? (?:-m|-c|[\w./]+\.py)|npm|npx|yarn|git|cd|make|cmake|apt(?:-get)?|yum"
            r"|dnf|brew|docker|conda|curl|wget|export|cargo|go (?:get|install|mod)|uv|chmod|mkdir|tar|psql|pkg|apk)\b",
        ),
        (2, r" \\$|\s--?[a-z][\w-]+(?:[ =]|$)"),
        (2, r"^\s*\./\w|\$\{?\w+\}?|&& "),
    ),
    "nginx": (
        (
            5,
            r"^\s*(?:(?:proxy|fastcgi|ssl|gzip|client|limit|rewrite|real_ip|keepalive|upstream|map_hash)_\w+|server_name|listen"
            r"|add_header|try_files)\s[^:=]+;\s*$|^\s*(?:location|upstream|server|http|events)\b[^;=(]*\{\s*$",
        ),
    ),
    "json": ((3, r"\A\s*[\[{]\s*(?:\"|\]|\}|\{|\[)"), (1, r"^\s*\"[^\"]+\":")),
    "yaml": ((1, r"^[\w.-]+:\s*(?:[\w\"'./-].*)?$"), (2, r"^\s+- \w+"), (2, r"^\s+[a-z][\w-]+:(?: |$)")),
    "toml": ((3, r"^\[[\w.\"-]+\]\s*$"), (1, r"^[\w-]+ = ")),
    "javascript": (
        (3, r"^\s*(?:const|let|var) [\w{\[]"),
        (3, r"\brequire\(['\"]|^\s*import .+ from ['\"]|=> \{?|\bconsole\.log\("),
        (3, r"^\s*(?:async )?function\b.*\{|^\s*export (?:default|const|function)"),
        (1, r"\bawait \w|;\s*$"),
    ),
    "typescript": (
        (4, r"^\s*(?:interface|type|enum) \w+.*[{=]|: (?:string|number|boolean)\b(?:\[\])?[;,)=]"),
        (4, r"\bfunction \w+<\w+|\buse(?:State|Ref|Memo)<\w+|\): (?:Promise<|void\b|\w+(?:\[\])? \{)|\bas const\b"),
        (4, r"^\s*import type |\bimplements \w+|\breadonly \w+:"),
        (2, r"^\s*(?:const|let) \w+: "),
    ),
    "cpp": (
        (4, r"^\s*#include\s*[<\"]|\bstd::|\btemplate\s*<|^\s*using namespace\b"),
        (3, r"^\s*(?:int|void|float|double|size_t|auto|bool|char)\b[\w\s*&:<>]+\(.*\)?\s*\{?"),
        (2, r"->\w+\(|::\w+|\bnew \w+[<(]"),
        (1, r";\s*(?://.*)?$"),
    ),
    "java": ((4, r"^\s*(?:public|private|protected) (?:static |final )*[\w<>\[\]]+ \w+|\bSystem\.out\."),),
    "go": ((4, r"^\s*(?:package \w+$|func (?:\(.*\) )?\w+\(.*|import \()"), (3, r"\b\w+(?:, \w+)* := ")),
    "rust": (
        (4, r"^\s*(?:pub )?fn \w+|^\s*let mut |^\s*use \w+::|\bimpl\b.*\{|#\[derive"),
        (2, r"^\s*let \w+(?:: .+)? = "),
        (4, r"\w!\(|\bvec!\[|= \|\w+: |\.unwrap\(\)"),
    ),
    "ruby": ((3, r"^\s*(?:require ['\"]|gem ['\"]|def \w+[\w?!]*$)"), (2, r"\bdo \|\w+|^\s*end$|\.each\b")),
    "php": ((5, r"<\?php|\$\w+->\w+"),),
    "csharp": ((4, r"^\s*using [\w.]+;|\bnamespace \w+|\bpublic class\b"),),
    "html": ((4, r"<!DOCTYPE|</?(?:html|div|form|body|head|p|span|a|ul|table|script|input)\b[^>]*>"),),
    "xml": ((4, r"^\s*<\?xml |</\w+:\w+>"),),
    "css": ((3, r"^[.#]?[\w-]+(?:[ ,.#:>][\w.#: >-]*)?\s*\{\s*$"), (2, r"^\s+[\w-]+:\s[^;]+;$")),
    "dockerfile": ((5, r"^FROM [\w./:-]+"), (3, r"^(?:RUN|COPY|ENTRYPOINT|CMD|WORKDIR) ")),
    "mermaid": (
        (9, r"\A\s*(?:graph|flowchart) (?:TD|TB|BT|RL|LR)\b"),
        (9, r"\A\s*(?:sequenceDiagram|classDiagram|erDiagram|gantt|pie)\b"),
    ),
}  # fmt: skip
_NOT_CODE = re.compile(
    r"```|^\s*--8<--|^=== \"|^@\w+\{|^(?:NOTICE|ERROR|WARNING|HINT):", re.MULTILINE
)  # markup that was parsed as code
_COMPILED: Mapping[str, Sequence[tuple[int, Pattern[str]]]] = {
    language: tuple((points, re.compile(sign, re.MULTILINE)) for points, sign in signs)
    for language, signs in _SIGNS.items()
}
_NAMES: Mapping[str, Pattern[str]] = {
    language: re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.I)
    for language, names in {
        "python": "python|django|numpy|sqlalchemy|pip",
        "sql": "sql|postgres(?:ql)?|pgvector",
        "bash": "shell|bash|command line|install(?:ing|ation)?|terminal",
        "javascript": r"javascript|js|\w+\.js|react|angular|svelte|vue",
        "typescript": "typescript",
        "cpp": r"c\+\+|cpp",
        "java": "java",
        "go": "golang|go",
        "rust": "rust|cargo",
        "yaml": "ya?ml",
        "toml": "toml",
        "json": "json",
        "html": "html|templates?",
        "css": "css",
        "ruby": "ruby",
        "php": "php",
        "csharp": r"c#|\.net",
    }.items()
}


def language_of(code: str, around: str = "") -> str:
    """Return the language's name as used by parsers and Pygments; "" if the evidence is insufficient.

    `around`: heading, title and the words before it, which decide between languages that fit equally well.

    >>> language_of("SELECT * FROM items ORDER BY embedding <-> '[3,1,2]' LIMIT 5;")
    'sql'
    >>> language_of("R@1  R@10\\n0.17 0.29")
    ''
    """
    if _NOT_CODE.search(code):
        return ""
    if _is_json(code):
        return "json"
    points = {language: _points(language, code) for language in _COMPILED}
    named = {
        language: _NAMED for language, names in _NAMES.items() if points[language] and names.search(around)
    }
    totals = {language: value + named.get(language, 0) for language, value in points.items()}
    best = max(totals, key=lambda language: totals[language])
    if best == "javascript" and points["typescript"] >= TYPED:
        best = "typescript"  # it is JavaScript with types
    return best if totals[best] >= ENOUGH else ""


# Shown with code of any language, whose environment they set up, query or configure.
_BESIDE = frozenset("bash sql json yaml toml dockerfile html css xml".split())
_FAMILIES = (frozenset({"javascript", "typescript"}),)


def is_asked_language(language: str, question: str) -> bool:
    """Return True unless the question is about another programming language than the code's.

    >>> is_asked_language("python", "How do I debounce an input in React?")
    False
    >>> is_asked_language("typescript", "How do I debounce an input in React?")
    True
    """
    named = {name for name, names in _NAMES.items() if name not in _BESIDE and names.search(question)}
    family = next((related for related in _FAMILIES if language in related), frozenset({language}))
    return not named or language in _BESIDE or bool(family & named)


def _points(language: str, code: str) -> int:
    return sum(points for points, sign in _COMPILED[language] if sign.search(code))


def _is_json(code: str) -> bool:
    if code.lstrip()[:1] not in ("{", "["):
        return False
    try:
        found = json.loads(code)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) or (isinstance(found, list) and bool(found))
