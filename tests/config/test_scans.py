"""The scans of `make check` for secrets and vulnerabilities find what is planted, and say what they skipped."""

import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

CI = Path(__file__).resolve().parents[2] / ".ci"
# In two parts each, so that this file holds none of them.
PLANTED = {
    "AWS": "AKIA" + "Q7XW3PLM5KZT9RB2",
    "GitHub": "ghp_" + "a8Kd92LmQpX7vTzR4nWy6BcE1fGhJ3sU5oIq",
    "private key": "-----BEGIN RSA PRIVATE" + " KEY-----",
    "Slack": "xoxb-" + "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1",
    "JSON web token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL",
    "ours": "plumb_" + "a8Kd92LmQpX7vTzR4nWy6BcE1fGhJ3sU5oIqw0Z-_xY",
    "webhook": "whsec_" + "a8Kd92LmQpX7vTzR4nWy6BcE1fGhJ3sU5oIq",
    "plain": 'database_password = "' + 'tr0ub4dor3tr0ub4dor3"',
    "address": "postgres://plumbline:" + "tr0ub4dor3tr0ub4dor3@db/plumbline",
}  # fmt: skip


def run_scan(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, CI / "secrets", path], capture_output=True, text=True, check=False)


def script(name: str) -> ModuleType:
    loader = SourceFileLoader(f"ci_{name}", str(CI / name))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_each_planted_secret_is_found_and_none_is_shown(tmp_path):
    file = tmp_path / "settings.py"
    file.write_text("\n".join(f"value = {secret!r}  # {kind}" for kind, secret in PLANTED.items()))
    found = run_scan(file)
    missed = [kind for number, kind in enumerate(PLANTED, 1) if f":{number}: " not in found.stdout]
    assert (found.returncode, missed) == (1, [])
    assert not any(secret in found.stdout + found.stderr for secret in PLANTED.values())


def test_what_is_shown_on_purpose_is_passed_over(tmp_path):
    file = tmp_path / "docs.md"
    file.write_text(
        f"`{PLANTED['AWS']}` <!-- pragma: allowlist secret -->\nNothing here, sha 0123456789abcdef.\n"
    )
    assert run_scan(file).returncode == 0


VULNERABILITY = {"id": "PYSEC-2026-1", "fix_versions": ["2.0"]}


@pytest.mark.parametrize(
    ("packages", "code", "words"),
    [
        ([{"name": "a", "version": "1.0", "vulns": [VULNERABILITY]}], 1, "PYSEC-2026-1"),
        ([{"name": "a", "version": "1.0", "vulns": []}], 0, "no known vulnerability"),
        ([{"name": "a", "skip_reason": "not found"}], 0, "SKIPPED"),
        ([{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "?"}], 0, "1 unknown"),
    ],
)
def test_what_is_known_fails_and_what_was_skipped_is_said(packages, code, words):
    told = script("audit").verdict(packages)
    assert told[0] == code
    assert words in told[1]
