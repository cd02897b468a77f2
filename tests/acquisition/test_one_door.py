"""Nothing but the guard opens a connection to a source: every module's imports are walked."""

import ast
from collections.abc import Iterator
from pathlib import Path

import research

ROOT = Path(research.__file__).parent
NETWORK = {
    "socket", "ssl", "urllib.request", "http.client", "ftplib", "smtplib", "telnetlib", "requests", "urllib3", "httpx",
    "httpx2", "httpcore", "httpcore2", "aiohttp", "websockets", "pycurl", "anyio", "playwright", "openai", "mcp",
    "h2", "h11", "smbprotocol", "paramiko", "asyncssh", "feedparser", "xmlrpc.client", "imaplib", "poplib", "nntplib",
}  # fmt: skip
# What may, and why.
ALLOWED = {
    "acquisition/guard.py": "the guard itself",
    "acquisition/door.py": "GET through the guard",
    "acquisition/pool.py": "the connections that the guard opens",
    "acquisition/providers/api.py": "search services through the guard, and the server that the operator named",
    "acquisition/browsing/chromium.py": "drives a browser whose only way out is the egress proxy",
    "acquisition/browsing/egress.py": "the egress proxy: each of its connections is the guard's",
    "acquisition/browsing/launcher.py": "shuts the browser in; its socket listens",
    "acquisition/browsing/open_page.py": "drives the browser",
    "acquisition/browsing/rendering.py": "drives the browser",
    "acquisition/browsing/routes.py": "drives the browser",
    "acquisition/providers/mcp/": "tools that the operator plugged in: programs, and servers through the guard",
    "lifecycle/owners.py": "asks for this machine's name",
    "reading/formats/from_feed.py": "parses the bytes of a feed; a feed is fetched as any page is",
    "llm/": "the model's server that the operator named",
}
CALLS = {"open_connection", "create_connection", "urlopen", "sock_connect", "urlretrieve"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for top in ("research", "citations", "exports"):
        for path in sorted((ROOT.parent / top).rglob("*.py")):
            name = path.relative_to(ROOT.parent / "research").as_posix() if top == "research" else str(path)
            if not name.startswith(tuple(ALLOWED)):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_network(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in NETWORK)


def test_only_the_guard_and_the_operators_own_servers_are_reached_over_the_network():
    found = [(name, one) for name, tree in modules() for one in imported(tree) if is_network(one)]
    assert found == []


def test_nothing_calls_what_opens_a_connection():
    calls = [
        (name, node.attr)
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in CALLS
    ]
    assert calls == []
