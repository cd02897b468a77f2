"""Check the syntax of code: Python by Python's own parser, other languages by tree-sitter. Pure.

No code is run. Code that a parser rejects is never shown as checked; code that no parser can judge is marked as
unchecked. Malicious texts can crash the process, so code of sources is checked by `check_code_child`.
"""

import ast
import json
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import cast

from tree_sitter import Node, Parser
from tree_sitter_language_pack import SupportedLanguage, get_parser

LONGEST = 20_000  # characters
DEEPEST = 90  # nested brackets: beyond that, Python's parser may crash the process
NO_PARSER = "There is no parser for this language."
TOO_LONG = "It is too long to be checked."
TOO_DEEP = "Its brackets are nested too deeply to be checked."
UNSURE = "The {language} grammar at hand does not take it: a dialect, a placeholder or a fault. {fault}"
SHORTENED = "It leaves parts out (“...”), so it cannot be checked as it stands."

_GRAMMARS: Mapping[str, str] = {
    name: name
    for name in ("sql bash javascript typescript cpp java go rust ruby php csharp html xml css yaml toml "
                 "dockerfile").split()
}  # fmt: skip
# These parsers may reject valid code: SQL has dialects, shell examples have <placeholders>, HTML may be a template.
_LENIENT = frozenset({"sql", "bash", "html", "xml", "css", "yaml", "dockerfile"})
# Excerpts of pages are often statements, which these grammars accept only inside a function or class.
_WRAPPERS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "go": (("package p\nfunc f() {", "}"), ("package p", "")),
    "java": (("class C { void m() {", "} }"), ("class C {", "}")),
    "csharp": (("class C { void M() {", "} }"), ("class C {", "}")),
    "rust": (("fn f() {", "}"),),
    "cpp": (("void f() {", "}"), ("class C {", "};")),
    "php": (("<?php", ""),),
}
_PROMPT = re.compile(r"^(?:\$|>>>|\.\.\.|In \[\d+\]:) ?", re.MULTILINE)
# Operators of extensions: valid by PostgreSQL's lexical rules, but unknown to the grammar.
_OPERATOR = re.compile(r"(?<=[\s)])(?:<[-#=+~%]+>|@@|[@&|]+[<>&|@]+|%>{1,2}|<<%|#>{1,2}|->>?)(?=[\s(])")
_ELLIPSIS = re.compile(r"\.\.\.|…")


class CodeCheckStatus(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class CodeCheck:
    """The result of a check. `reason` is a sentence; empty if the code passed."""

    check: CodeCheckStatus
    reason: str = ""


def check(code: str, language: str) -> CodeCheck:
    """Check the syntax of a block of code in a language.

    >>> check("print(1)", "python").check.value, check("print(1", "python").check.value
    ('passed', 'failed')
    """
    if len(code) > LONGEST:
        return CodeCheck(CodeCheckStatus.UNCHECKED, TOO_LONG)
    if _depth(code) > DEEPEST:
        return CodeCheck(CodeCheckStatus.UNCHECKED, TOO_DEEP)
    checker = _CHECKERS.get(language)
    if checker is None and language not in _GRAMMARS:
        return CodeCheck(CodeCheckStatus.UNCHECKED, NO_PARSER)
    fault = checker(code) if checker else _by_grammar(code, language)
    if not fault:
        return CodeCheck(CodeCheckStatus.PASSED)
    if _ELLIPSIS.search(code):
        return CodeCheck(CodeCheckStatus.UNCHECKED, SHORTENED)
    if language in _LENIENT:
        return CodeCheck(CodeCheckStatus.UNCHECKED, UNSURE.format(language=language, fault=fault))
    return CodeCheck(CodeCheckStatus.FAILED, fault)


def _python(code: str) -> str:
    """Parse Python and return the fault, or "". If there are prompts of a session, the code after them is parsed."""
    typed = [line for line in code.splitlines() if line.startswith((">>>", "..."))]
    source = "\n".join(_PROMPT.sub("", line) for line in typed) if any(
        line.startswith(">>>") for line in typed
    ) else _dedent_code(code)  # fmt: skip
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            ast.parse(source)
    except SyntaxError as error:
        return f"Line {error.lineno or 1}: {error.msg}."
    except (ValueError, RecursionError, MemoryError) as error:
        return f"Python cannot parse it: {str(error) or type(error).__name__}."
    return ""


def _dedent_code(code: str) -> str:
    """Remove the first line's indentation from all lines, since excerpts of longer blocks keep theirs."""
    lines = code.split("\n")
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return "\n".join(line.removeprefix(indent) for line in lines)


def _json(code: str) -> str:
    try:
        json.loads(code)
    except RecursionError:
        return "It is nested too deeply."
    except ValueError as error:
        return f"{error}."
    return ""


def _by_grammar(code: str, language: str) -> str:
    source = _PROMPT.sub("", code) if language == "bash" else code
    source = _OPERATOR.sub("=", source) if language == "sql" else source
    parser = _parser(language)
    tree = parser.parse(source.encode())
    for before, after in _WRAPPERS.get(language, ()) if tree.root_node.has_error else ():
        if not parser.parse(f"{before}\n{source}\n{after}".encode()).root_node.has_error:
            return ""
    fault = _first_fault(tree.root_node) if tree.root_node.has_error else None
    if fault is None or (fault.is_missing and fault.type == "\n"):  # the last line of an excerpt has no end
        return ""
    line, words = fault.start_point.row + 1, (fault.text or b"").decode(errors="replace")
    if fault.is_missing:
        return f"Line {line}: “{fault.type}” is missing."
    return f"Line {line}: the grammar does not know “{_cut(words)}”."


def _cut(words: str) -> str:
    first = " ".join(words.split())
    return first if len(first) <= 40 else first[:40] + "…"


def _first_fault(node: Node) -> Node:
    """Return the first node that the grammar rejects, in reading order."""
    while True:
        inner = next(
            (child for child in node.children if child.is_error or child.is_missing or child.has_error), None
        )
        if inner is None or node.is_error:
            return node
        node = inner


def load_parsers() -> None:
    """Load all grammars from disk, and parse with each once."""
    for language in (*_GRAMMARS, *_CHECKERS):
        check("a", language)


@cache
def _parser(language: str) -> Parser:
    return get_parser(cast(SupportedLanguage, _GRAMMARS[language]))


def _depth(code: str) -> int:
    depth = deepest = 0
    for character in code:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
    return deepest


_CHECKERS: Mapping[str, Callable[[str], str]] = {"python": _python, "json": _json}
