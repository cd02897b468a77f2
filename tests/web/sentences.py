"""The sentences that stand in our code, as they would be stored."""

import ast
from collections.abc import Iterator
from pathlib import Path

TRANSLATED = {"_", "gettext", "ngettext", "noop", "pgettext"}
MADE_FOR_PROGRAMS = {"ValueError", "TypeError", "LookupError", "RuntimeError"}
GAP = "7"  # stands for whatever an f-string fills in: a number, or a word


def sentences(path: Path) -> Iterator[str]:
    """Those that begin and end as sentences do, gaps filled; without docstrings and what is translated already."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    apart = {id(node) for part in _other_words(tree) for node in ast.walk(part)}
    for node in ast.walk(tree):
        if id(node) not in apart and (text := _text(node)) and is_sentence(text):
            yield text


def is_sentence(text: str) -> bool:
    opens = text[:1].isupper() or text[:1] in "“7"
    return opens and text.rstrip("”").endswith((".", "…")) and len(text.split()) > 2 and "\n" not in text


def _other_words(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (one for one in node.body[:1] if isinstance(one, ast.Expr))
        if isinstance(node, ast.Call) and _name(node.func) in TRANSLATED | MADE_FOR_PROGRAMS:
            yield node
        if isinstance(node, ast.JoinedStr):
            yield from node.values


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else GAP for part in node.values]
        return "".join(map(str, parts))
    return ""
