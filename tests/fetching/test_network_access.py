"""Nothing but the guard opens a connection to a source: every module's imports are walked."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import research

ROOT = Path(research.__file__).parent
NETWORK = {
    "socket", "ssl", "urllib.request", "http.client", "ftplib", "smtplib", "telnetlib", "requests", "urllib3", "httpx",
    "httpx2", "httpcore", "httpcore2", "aiohttp", "websockets", "pycurl", "anyio", "playwright", "openai", "mcp",
    "h2", "h11", "smbprotocol", "paramiko", "asyncssh", "feedparser", "xmlrpc.client", "imaplib", "poplib", "nntplib",
}  # fmt: skip
# What may, and why.
ALLOWED = {
    "fetching/ssrf_guard.py": "the guard itself",
    "fetching/http_client.py": "GET through the guard",
    "fetching/http_connection_pool.py": "the connections that the guard opens",
    "search/search_service_client.py": "search services through the guard, and the server that the operator named",
    "fetching/browser/chromium.py": "drives a browser whose only way out is the egress proxy",
    "fetching/browser/browser_egress_proxy.py": "the egress proxy: each of its connections is the guard's",
    "fetching/browser/browser_launcher.py": "shuts the browser in; its socket listens",
    "fetching/browser/browse_open_page.py": "drives the browser",
    "fetching/browser/browser_rendering.py": "drives the browser",
    "fetching/browser/browser_routes.py": "drives the browser",
    "search/mcp_tools/": "tools that the operator plugged in: programs, and servers through the guard",
    "parsing/formats/parse_feed.py": "reads the bytes of a feed that is there, in the child that has no network",
    "pipelines/brief/tasks/parallel_client.py": "Parallel's own client, over the guard's connections",
    "management/soaking/soak_workload.py": "looks at the pages of the site that it started itself",
    "integrations/webhooks/send_webhooks.py": "messages to consumers, over the guard's connections",
    "integrations/mcp/": "answers agents: it listens, and asks nobody",
    "runtime/process_names.py": "asks for this machine's name",
    "accounts/notification_mail.py": "the mail server that the operator named, through Django",
    "management/commands/bench_polling.py": "asks a site of its own on this machine, to measure it",
    "management/commands/bench_load.py": "asks a site of its own on this machine, to measure it",
    "management/bench_watched_run.py": "asks that site as its viewers do",
    "management/bench_stub_site.py": "asks the stub world that it started how often it was asked",
    "management/commands/serve.py": "asks for this machine's name",
    "management/commands/lighthouse.py": "opens pages of a site of its own on this machine, to measure them",
    "evaluation/evaluation_proxy.py": "counts what goes to the model's server that the operator named",
    "llm/": "the model's server that the operator named",
}
CALLS = {
    "open_connection", "create_connection", "open_unix_connection", "create_unix_connection", "sock_connect",
    "create_datagram_endpoint", "connect_tcp", "urlopen", "urlretrieve", "getaddrinfo", "gethostbyname", "start_tls",
}  # fmt: skip
LATE = {"import_module", "__import__", "find_spec", "run_module"}  # what names a module in a string
PROGRAMS = {"curl", "wget", "nc", "ssh", "ncat", "socat", "telnet", "ftp"}
# A text without any of these words has nothing that is looked for, and is not read further: that takes seconds.
SUSPICIOUS = re.compile(
    rf"\b(?:{'|'.join(name.rpartition('.')[2] for name in NETWORK | CALLS | LATE | PROGRAMS)})\b"
)


@pytest.fixture(scope="module")
def nodes() -> list[tuple[str, ast.AST]]:
    """Return the nodes of all modules, with their names, that may say something of the network."""
    telling = (ast.Import, ast.ImportFrom, ast.Call, ast.List)
    return [
        (name, node)
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, telling) or get_last_name(node) in CALLS
    ]


def modules() -> Iterator[tuple[str, ast.Module]]:
    for top in ("research", "citations", "exports"):
        for path in sorted((ROOT.parent / top).rglob("*.py")):
            name = path.relative_to(ROOT.parent / "research").as_posix() if top == "research" else str(path)
            text = path.read_text(encoding="utf-8")
            if not name.startswith(tuple(ALLOWED)) and SUSPICIOUS.search(text):
                yield name, ast.parse(text)


def list_imports(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_network(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in NETWORK)


def test_only_the_guard_and_the_operators_own_servers_are_reached_over_the_network(nodes):
    found = [(name, one) for name, node in nodes for one in list_imports(node) if is_network(one)]
    assert found == []


def get_last_name(node: ast.AST) -> str:
    """The last name of what is called or mentioned; "" for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def test_nothing_calls_what_opens_a_connection(nodes):
    calls = [(name, get_last_name(node)) for name, node in nodes if get_last_name(node) in CALLS]
    assert calls == []


def test_no_module_of_the_network_is_imported_by_its_name_in_a_string(nodes):
    named = [
        (name, argument.value)
        for name, node in nodes
        if isinstance(node, ast.Call) and get_last_name(node.func) in LATE
        for argument in node.args
        if isinstance(argument, ast.Constant) and is_network(str(argument.value))
    ]
    assert named == []


def test_no_program_is_started_that_opens_connections_for_us(nodes):
    started = [
        (name, first.value)
        for name, node in nodes
        if isinstance(node, ast.List)
        for first in node.elts[:1]
        if isinstance(first, ast.Constant) and first.value in PROGRAMS
    ]
    assert started == []


def test_every_exception_is_still_there_and_still_one():
    for name in ALLOWED:
        paths = list((ROOT / name).rglob("*.py")) if name.endswith("/") else [ROOT / name]
        trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
        assert any(
            is_network(one) for tree in trees for node in ast.walk(tree) for one in list_imports(node)
        ), name


@pytest.mark.parametrize(
    "line",
    [
        "import httpx2",
        "from urllib import request",
        "from urllib.request import urlopen",
        "import httpcore2._api",
    ],
)
def test_the_walk_sees_what_it_looks_for(line):
    assert any(is_network(one) for node in ast.walk(ast.parse(line)) for one in list_imports(node))
