"""What of the product's code is reached from the product: a graph of its functions, classes and methods.

Reached is what something reached names: by a name that is imported or of the same module, by an attribute, by a
dotted string, or by a tag of a template. It begins with the statements of modules, and with what is found by a rule.
Methods are told apart by their names alone, so that one may hide behind another of its name.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

PRODUCT = ("research", "citations", "exports", "slides", "config")
TAG = re.compile(r"\{[{%](.*?)[%}]\}", re.DOTALL)
DOTTED = re.compile(r"[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)+")
WORD = re.compile(r"[A-Za-z_]\w*")
# Whoever made another decorator was handed the function, and calls it.
PASSIVE = re.compile(
    r"(\w+\.)*(dataclass|property|cached_property|classmethod|staticmethod|cache|lru_cache|(async)?contextmanager"
    r"|override|overload|abstractmethod|runtime_checkable|final|wraps|setter)"
)
# What frameworks call by a name that they make.
HOOK = re.compile(r"__\w+__|clean_\w+|do_[A-Z]+")
# A process forgets by ending; tests, which share one, call the function whose docstring says so.
AS_RESTARTED = "as a restart "
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
WITH_DOCSTRING = (ast.Module, ast.ClassDef, *FUNCTION)


@dataclass(eq=False)
class CodePart:
    """A module's own statements, a function, a class without its methods, or a method; and what it names."""

    module: str
    name: str
    node: ast.AST
    owner: "CodePart | None" = None
    methods: "list[CodePart]" = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    members: set[tuple[str, str]] = field(default_factory=set)  # `module.name`
    dotted: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)  # strings that are one word

    def __str__(self) -> str:
        owner = f"{self.owner.name}." if self.owner else ""
        return f"{self.module}.{owner}{self.name}"

    @property
    def is_registered(self) -> bool:
        return any(
            not PASSIVE.fullmatch(_decorator_name(one)) for one in getattr(self.node, "decorator_list", ())
        )

    def read(self, *nodes: ast.AST | None) -> None:
        """Note all that stands in the nodes, but for docstrings."""
        waiting: list[ast.AST] = [node for node in nodes if node is not None]
        while waiting:
            node = waiting.pop()
            match node:
                case ast.Name():
                    self.names.add(node.id)
                case ast.Attribute():
                    self.attributes.add(node.attr)
                    if isinstance(node.value, ast.Name):
                        self.members.add((node.value.id, node.attr))
                case ast.Constant(value=str(text)):
                    if WORD.fullmatch(text):
                        self.words.add(text)
                    elif DOTTED.fullmatch(text):
                        self.dotted.add(text.replace(":", "."))
            docstring = _docstring(node)
            waiting.extend(child for child in ast.iter_child_nodes(node) if child is not docstring)


def _decorator_name(decorator: ast.expr) -> str:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _docstring(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, WITH_DOCSTRING) or not node.body:
        return None
    first = node.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return first if is_text else None


class ProductCode:
    """All modules of the product, and what other files of it name."""

    def __init__(self, root: Path, files: Iterable[Path]) -> None:
        self.parts: list[CodePart] = []
        self.by_place: dict[tuple[str, str], CodePart] = {}
        self.modules: dict[str, CodePart] = {}
        self.imports: dict[str, dict[str, tuple[str, str | None]]] = {}
        self.named: set[str] = set()  # in templates
        self.dotted: set[str] = set()  # in all files
        for path in files:
            if path.suffix == ".py":
                self._add_module(path, ast.parse((root / path).read_text(encoding="utf-8")))
            else:
                self._add_text(path, (root / path).read_text(encoding="utf-8", errors="ignore"))
        for part in [*self.modules.values(), *self.parts]:
            self.dotted |= part.dotted

    def _add_text(self, path: Path, text: str) -> None:
        if path.suffix in (".html", ".txt", ".md", ".svg", ".xml"):
            for tag in TAG.findall(text):
                self.named.update(WORD.findall(tag))
        self.dotted.update(found.replace(":", ".") for found in DOTTED.findall(text))

    def _add_module(self, path: Path, tree: ast.Module) -> None:
        names = [*path.with_suffix("").parts]
        package = names[:-1]
        if names[-1] == "__init__":
            names.pop()
        module = ".".join(names)
        self.imports[module] = dict(_imports(tree, package))
        own = self.modules[module] = CodePart(module, "", tree)
        self._add_statements(own, [node for node in tree.body if node is not _docstring(tree)])

    def _add_statements(self, module: CodePart, statements: Iterable[ast.stmt]) -> None:
        for node in statements:
            match node:
                case ast.Import() | ast.ImportFrom():
                    pass
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._add(CodePart(module.module, node.name, node)).read(node)
                case ast.ClassDef():
                    self._add_class(module.module, node)
                case ast.If() | ast.Try() | ast.With():
                    children = [*ast.iter_child_nodes(node)]
                    self._add_statements(module, [one for one in children if isinstance(one, ast.stmt)])
                    module.read(*(one for one in children if not isinstance(one, ast.stmt)))
                case _:
                    module.read(node)

    def _add_class(self, module: str, node: ast.ClassDef) -> None:
        own = self._add(CodePart(module, node.name, node))
        own.read(*node.bases, *node.keywords, *node.decorator_list)
        for child in node.body:
            if isinstance(child, FUNCTION):
                method = CodePart(module, child.name, child, own)
                method.read(child)
                own.methods.append(method)
                self.parts.append(method)
            elif child is not _docstring(node):
                own.read(child)

    def _add(self, part: CodePart) -> CodePart:
        self.parts.append(part)
        self.by_place[part.module, part.name] = part
        return part

    def find(self, module: str, name: str) -> CodePart | None:
        """Return what the name means in the module: its own, or what it imports, from wherever that is."""
        for _step in range(9):
            if (module, name) in self.by_place:
                return self.by_place[module, name]
            module, there = self.imports.get(module, {}).get(name, ("", None))
            if there is None:
                return None
            name = there
        return None

    def find_member(self, module: str, name: str, member: str) -> CodePart | None:
        source, inside = self.imports.get(module, {}).get(name, ("", None))
        return self.by_place.get((source if inside is None else f"{source}.{inside}", member))

    def unreached(self) -> list[CodePart]:
        reached = Reach(self).follow()
        return [part for part in self.parts if part not in reached]


def _imports(tree: ast.Module, package: list[str]) -> Iterator[tuple[str, tuple[str, str | None]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            for name in node.names:
                yield name.asname or name.name, (source, name.name)
        elif isinstance(node, ast.Import):
            for name in node.names:
                if name.asname:
                    yield name.asname, (name.name, None)
                else:
                    first = name.name.partition(".")[0]
                    yield first, (first, None)


class Reach:
    """A walk along the names, from what begins by itself."""

    def __init__(self, code: ProductCode) -> None:
        self.code = code
        self.reached: set[CodePart] = set()
        self.waiting: list[CodePart] = []
        self.attributes: set[str] = set(code.named)
        self.members: dict[str, list[CodePart]] = defaultdict(list)
        for part in code.parts:
            if part.owner:
                self.members[part.name].append(part)

    def follow(self) -> set[CodePart]:
        for part in self.code.modules.values():
            self._reach(part)
        for part in self.code.by_place.values():
            if part.is_registered or self._is_named_by_string(part) or begins_by_itself(part):
                self._reach(part)
            elif part.module in self.code.dotted:  # loaded by its name; what is taken of it is an attribute
                self.members[part.name].append(part)
        while self.waiting:
            self._follow_names(self.waiting.pop())
        return self.reached

    def _reach(self, part: CodePart | None) -> None:
        if part is not None and part not in self.reached:
            self.reached.add(part)
            self.waiting.append(part)

    def _is_named_by_string(self, part: CodePart) -> bool:
        """By its whole path, or by module and name where a registry knows the package."""
        return {
            f"{part.module}.{part.name}",
            f"{part.module.rpartition('.')[2]}.{part.name}",
        } & self.code.dotted != set()

    def _follow_names(self, part: CodePart) -> None:
        for name in part.names:
            self._reach(self.code.find(part.module, name))
        for name, member in part.members:
            self._reach(self.code.find_member(part.module, name, member))
        for attribute in (part.attributes | part.words) - self.attributes:
            self.attributes.add(attribute)
            for member in self.members[attribute]:
                if member.owner is None or member.owner in self.reached:
                    self._reach(member)
        is_given_away = bool(part.methods) and self._is_named_by_string(part)
        for method in part.methods:
            if (
                is_given_away
                or method.name in self.attributes
                or method.is_registered
                or HOOK.fullmatch(method.name)
                or self._overrides_framework(part, method.name)
            ):
                self._reach(method)

    def _overrides_framework(self, part: CodePart, name: str) -> bool:
        """Return True if a class above it, or beside it in a class below it, has the name and is not of the product."""
        own = getattr(import_module(part.module), part.name)
        family = {above for one in [own, *_below(own)] for above in one.__mro__}
        return any(name in vars(one) for one in family if one.__module__ not in self.code.modules)


def begins_by_itself(part: CodePart) -> bool:
    """Return True for what Django looks for by file and name, and for what tests need to begin anew."""
    is_command = ".management.commands." in part.module and part.name == "Command"
    is_reset = (
        AS_RESTARTED in (ast.get_docstring(part.node) or "") if isinstance(part.node, FUNCTION) else False
    )
    return is_command or is_reset or part.module.endswith(".apps") or ".migrations." in part.module


def _below(one: type) -> Iterator[type]:
    for child in type.__subclasses__(one):
        yield child
        yield from _below(child)
