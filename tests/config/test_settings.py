"""The settings file as a whole: each case is a process of its own, as at a real start."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

APPS = ("research", "exports")
ROOT = Path(settings.BASE_DIR)
SETTINGS, DOCS = ROOT / "config" / "settings.py", ROOT / "docs" / "settings.md"
SIGNING_IN, SPENDING = SETTINGS.with_name("sign_in_settings.py"), SETTINGS.with_name("spending_settings.py")
APP = "postgresql://app:x@db.example/plumbline"
OWNER = "postgresql://owner:x@db.example/plumbline"
SERVER = {"DATABASE_URL": APP, "DATABASE_OWNER_URL": OWNER, "SECRET_KEY": "k" * 50}
SHOW = "import config.settings as s; print(s.{name})"


def start(tmp_path: Path, code: str, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    own = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PLUMBLINE_DATA": str(tmp_path / "data")}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**own, **environment},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


def value(tmp_path: Path, name: str, **environment: str) -> str:
    done = start(tmp_path, SHOW.format(name=name), **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


NONSENSE = [
    ({"DEBUG": "perhaps"}, "DEBUG must be one of"),
    ({"PLUMBLINE_PORT": "http"}, "PLUMBLINE_PORT must be a whole number"),
    ({"DATABASE_URL": "mysql://a@b/c", "SECRET_KEY": "k" * 50}, "must look like postgresql://"),
    ({"DATABASE_URL": "nonsense", "SECRET_KEY": "k" * 50}, "DATABASE_URL"),
    ({"DATABASE_OWNER_URL": OWNER}, "set both or neither"),
    ({**SERVER, "DATABASE_OWNER_URL": APP}, "two different roles"),
    ({"DATABASE_URL": APP}, "SECRET_KEY is not set"),
    ({"REDIS_URL": "amqp://localhost"}, "REDIS_URL must start with"),
    ({"PLUMBLINE_LOG_LEVEL": "loud"}, "PLUMBLINE_LOG_LEVEL must be one of"),
    ({"PLUMBLINE_EMBEDDINGS": "openai"}, "no server is named"),
    ({"PLUMBLINE_EMBEDDINGS": "local"}, "must be one of builtin, openai"),
    ({"PLUMBLINE_EMBEDDINGS_MODEL": "m" * 71}, "at most 70 characters"),
    ({"PLUMBLINE_PROVIDERS": "gopher"}, "there is no provider 'gopher'"),
    ({"PLUMBLINE_PROVIDERS": "none,searxng"}, "is none, or names"),
    ({"PLUMBLINE_PROVIDERS": "searxng"}, "names searxng, whose address is not set"),
    ({"PLUMBLINE_PROVIDERS": "wikipedia, brave"}, "names brave, whose key is not set"),
    ({"PLUMBLINE_BRAVE_KEY": "schüssel"}, "key of the provider brave holds characters"),
    ({"PLUMBLINE_PROVIDER_URLS": "gopher=https://a.example"}, "must be entries like"),
    ({"PLUMBLINE_PROVIDER_URLS": "searxng=https://me:secret@a.example"}, "without a login"),
    ({"PLUMBLINE_MAIL_URL": "http://mail.example"}, "PLUMBLINE_MAIL_URL must be a URL like smtp+tls://"),
    ({"PLUMBLINE_MAIL_URL": "smtp://me:pass@host:mail"}, "PLUMBLINE_MAIL_URL must be a URL like"),
    ({"PLUMBLINE_MAIL_URL": "smtp://"}, "PLUMBLINE_MAIL_URL must be a URL like"),
    ({"PLUMBLINE_MAIL_FROM": "Plumbline"}, "PLUMBLINE_MAIL_FROM must be an e-mail address"),
    ({"PLUMBLINE_URL": "plumbline.example"}, "PLUMBLINE_URL must be a URL"),
    ({"PLUMBLINE_DATA": "/proc/version"}, "is a file"),
    ({"PLUMBLINE_DATA": "/proc/nowhere"}, "Cannot keep the secret key"),
    ({"PLUMBLINE_IMAGE_SIZE": "large"}, "PLUMBLINE_IMAGE_SIZE must be width and height"),
    ({"PLUMBLINE_IMAGE_SIZE": "١٥x15"}, "PLUMBLINE_IMAGE_SIZE must be width and height"),
    ({"PLUMBLINE_IMAGE_MODEL": "m" * 101}, "at most 100 characters"),
    ({"PLUMBLINE_IMAGE_MODEL": "m"}, "PLUMBLINE_IMAGE_MODEL is set, but no server is named"),
    ({"PLUMBLINE_KEY_ENCRYPTION_KEY": "short"}, "PLUMBLINE_KEY_ENCRYPTION_KEY must have at least"),
    (
        {"PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY": "k"},
        "PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY must have at least",
    ),
    ({"PLUMBLINE_LIMITS": "runs=many"}, "PLUMBLINE_LIMITS"),
    ({"PLUMBLINE_LIMITS": "wishes=3"}, "PLUMBLINE_LIMITS"),
    ({"PLUMBLINE_TIERS": "free"}, "PLUMBLINE_TIERS"),
    (
        {"PLUMBLINE_S3_BUCKET": "https://files.example/papers"},
        "PLUMBLINE_S3_BUCKET must be the name of a bucket",
    ),
    ({"PLUMBLINE_S3_KEY_ID": "AKIA"}, "set both or neither"),
    ({"PLUMBLINE_S3_SECRET_KEY": "s"}, "set both or neither"),
    ({"PLUMBLINE_BUDGET_ROLES": "planner=1/2/3"}, "PLUMBLINE_BUDGET_ROLES"),
]
# Starts the settings again and again, each time with other variables, and says what becomes of it: a value of them.
STARTS = """
import json, os, sys

own = dict(os.environ)
for line in sys.stdin:
    os.environ.clear()
    given, wanted = json.loads(line)
    os.environ.update(own | given)
    for name in [name for name in sys.modules if name.partition(".")[0] == "config"]:
        del sys.modules[name]
    try:
        import config.settings as s
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    else:
        print(*eval(wanted))
"""


def starts(tmp_path: Path, environments: list[dict[str, str]], wanted: str = "['started']") -> list[str]:
    """Return each result, from one process: the import of Django takes most of a start.

    `wanted`: names what is to be told of the settings `s`.
    """
    given = "".join(f"{json.dumps([environment, wanted])}\n" for environment in environments)
    done = start(tmp_path, STARTS, given)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_nonsense_stops_the_start_with_a_clear_sentence(tmp_path):
    told = starts(tmp_path, [environment for environment, _complaint in NONSENSE])
    assert len(told) == len(NONSENSE)
    wrong = [
        (environment, found)
        for (environment, complaint), found in zip(NONSENSE, told, strict=True)
        if complaint not in found or not found.startswith("ImproperlyConfigured: ")
    ]
    assert wrong == []


BAD = {
    "flag": "perhaps",
    "choice": "perhaps",
    "address": "ftp://host",
    "price": "-1",
    "networks": "everywhere",
    "period": "-1",
    "processes": "33",
    "regions": "!",
}


def bad_values() -> Iterator[tuple[str, str]]:
    """Return bad values of every setting that is read strictly: of another kind, and beside its range."""
    trees = [ast.parse(page.read_text(encoding="utf-8")) for page in (SETTINGS, SIGNING_IN, SPENDING)]
    for call in (node for tree in trees for node in ast.walk(tree)):
        if not isinstance(call, ast.Call) or not ast.unparse(call.func).startswith("environment."):
            continue
        kind, name = ast.unparse(call.func).partition(".")[2], ast.literal_eval(call.args[0])
        limits = {
            keyword.arg: keyword.value for keyword in call.keywords if keyword.arg in ("lowest", "highest")
        }
        if kind in BAD:
            yield name, BAD[kind]
        if kind == "folder":
            yield name, "/proc/version"
        if kind == "number":
            yield name, str(ast.literal_eval(limits["lowest"]) - 1)
            yield name, str(ast.literal_eval(limits["highest"]) + 1)


def test_no_setting_takes_what_it_cannot_be(tmp_path):
    given = list(bad_values())
    assert len(given) > 40
    told = starts(tmp_path, [{"PLUMBLINE_S3_BUCKET": "files", name: value} for name, value in given])
    wrong = [
        (name, value, found)
        for (name, value), found in zip(given, told, strict=True)
        if not found.startswith(f"ImproperlyConfigured: {name} must be ")
    ]
    assert wrong == []


def test_a_mail_url_that_cannot_be_read_keeps_its_password_to_itself(tmp_path):
    done = start(tmp_path, "import config.settings", PLUMBLINE_MAIL_URL="smtp://me:hunter2@host:mail")
    assert done.returncode != 0
    assert "hunter2" not in done.stderr


MAIL_URLS = {
    "": "0 False False",
    "smtp://mail.example": "25 False False mail.example",
    "smtp+tls://me:a%40b@mail.example": "587 True False mail.example a@b",
    "smtp+ssl://me:x@mail.example:4650": "4650 False True mail.example x",
}


def test_a_mail_url_says_server_port_login_and_encryption(tmp_path):
    wanted = "s.EMAIL_PORT, s.EMAIL_USE_TLS, s.EMAIL_USE_SSL, s.EMAIL_HOST, s.EMAIL_HOST_PASSWORD"
    told = starts(tmp_path, [{"PLUMBLINE_MAIL_URL": url} for url in MAIL_URLS], wanted)
    assert [one.strip() for one in told] == list(MAIL_URLS.values())


def test_debug_is_off_unless_asked_for(tmp_path):
    assert value(tmp_path, "DEBUG") == "False"


def test_the_secret_key_is_made_once_and_kept_private(tmp_path):
    first, second = value(tmp_path, "SECRET_KEY"), value(tmp_path, "SECRET_KEY")
    assert first == second
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o777 == 0o600


def test_a_damaged_secret_key_is_reported(tmp_path):
    value(tmp_path, "SECRET_KEY")
    (tmp_path / "data" / "secret_key").write_text("")
    done = start(tmp_path, "import config.settings")
    assert "holds no usable key" in done.stderr.splitlines()[-1]


def test_the_embedded_size_uses_two_roles_on_a_private_socket(tmp_path):
    wanted = "s.DATABASES['default']['USER'], s.DATABASES['owner']['USER'], s.DATABASES['default']['HOST']"
    [told] = starts(tmp_path, [{}], wanted)
    *users, host = told.split(" ", 2)
    assert users == ["plumbline_app", "plumbline_owner"]
    assert host == str(tmp_path / "data" / "run" / "postgres") or host.startswith("/tmp/plumbline-")


def test_a_process_that_never_migrates_needs_no_owner(tmp_path):
    assert (
        value(tmp_path, "DATABASES.keys()", DATABASE_URL=APP, SECRET_KEY="k" * 50) == "dict_keys(['default'])"
    )


def test_behind_https_the_cookies_are_bound_to_the_host(tmp_path):
    told = starts(tmp_path, [SERVER], "s.SESSION_COOKIE_NAME, s.SESSION_COOKIE_SECURE")
    assert told == ["__Host-session True"]


def test_the_content_security_policy_allows_our_own_files_only():
    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert directives["default-src"] == ["'none'"]
    assert {source for name in directives for source in directives[name]} == {"'none'", "'self'"}


def test_every_limit_is_read_somewhere_and_no_other():
    default = re.search(r'"PLUMBLINE_LIMITS",\s+environment[^,]+,\s+((?:"[^"]+"\s*)+)', SPENDING.read_text())
    names = set(re.findall(r"(\w+)=", default[1]))
    sources = [path.read_text(encoding="utf-8") for app in APPS for path in (ROOT / app).rglob("*.py")]
    asked_for = {name for source in sources for name in re.findall(r'\bmost\("(\w+)"\)', source)}
    asked_for |= {name for source in sources for name in re.findall(r'\["(\w+_a_minute)"', source)}
    assert asked_for == names


def test_the_limits_are_documented_with_their_defaults():
    [documented] = re.findall(r"^\| `PLUMBLINE_LIMITS` \| `([^`]+)` \|", DOCS.read_text(), re.MULTILINE)
    given = "".join(f"{name}={number[0]}, " for name, number in settings.PLUMBLINE_LIMITS.items())
    assert documented == given.removesuffix(", ")


def test_a_bucket_is_opened_with_the_settings_for_it(tmp_path):
    given = {
        "PLUMBLINE_S3_BUCKET": "papers",
        "PLUMBLINE_S3_ENDPOINT": "https://s3.example",
        "PLUMBLINE_S3_REGION": "eu-west",
        "PLUMBLINE_S3_KEY_ID": "AKIA",
        "PLUMBLINE_S3_SECRET_KEY": "s",
    }
    wanted = "sorted(s.STORAGES.get('objects', {}).get('OPTIONS', {}).items())"
    told, without = starts(tmp_path, [given, {}], wanted)
    options = {
        "bucket_name": "papers",
        "endpoint_url": "https://s3.example",
        "region_name": "eu-west",
        "access_key": "AKIA",
        "secret_key": "s",
    }
    assert told == " ".join(map(str, sorted(options.items())))
    assert without == ""


def test_no_code_reads_a_variable_that_no_page_documents():
    named = {
        name
        for app in ("config", "research", "citations", "exports", "slides")
        for path in (ROOT / app).rglob("*.py")
        for name in re.findall(r"""["'](PLUMBLINE_[A-Z0-9_]+)["']""", path.read_text(encoding="utf-8"))
    }
    pages = " ".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    documented = set(re.findall(r"PLUMBLINE_[A-Z0-9_]+", pages))
    assert named - documented == set()


def test_every_setting_from_the_environment_is_documented_and_no_other():
    read = re.compile(
        r"(?:environment\.(?:text|flag|number|period|processes|regions|price|choice|words|folder|address|networks)"
        r"|search_provider_settings\.(?:parse_provider_names|addresses)|mcp_server_settings\.servers"
        r'|region_store_settings\.stores|mail_settings\.(?:server|sender))\(\s*"([A-Z_]+)"'
    )
    names = {name for page in (SETTINGS, SIGNING_IN, SPENDING) for name in read.findall(page.read_text())}
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", DOCS.read_text(), re.MULTILINE))
    assert documented == names
