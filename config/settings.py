"""Settings, all from the environment; docs/settings.md describes each name."""

import logging
import os
import re
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config import (
    environment,
    mail_settings,
    mcp_server_settings,
    region_store_settings,
    search_provider_settings,
)
from config.databases import database_settings
from config.secret_key import MIN_KEY, load_secret_key
from config.services.service_paths import ServicePaths
from config.sign_in_settings import *  # noqa: F403  # settings all of them
from config.spending_settings import *  # noqa: F403  # likewise

BASE_DIR = Path(__file__).resolve().parent.parent

# --- where things are kept ---------------------------------------------------------------------

PLUMBLINE_DATA = environment.folder("PLUMBLINE_DATA", default=BASE_DIR / ".plumbline")
PATHS = ServicePaths(PLUMBLINE_DATA)
MEDIA_ROOT = PATHS.files

DATABASE_URL = environment.text("DATABASE_URL")
DATABASE_OWNER_URL = environment.text("DATABASE_OWNER_URL")
PLUMBLINE_DATABASE_POOL = environment.number("PLUMBLINE_DATABASE_POOL", default=0, lowest=0, highest=100)
EMBEDDED_POSTGRES = not DATABASE_URL
# A pooler such as PgBouncer, which lends connections by transaction, is at DATABASE_URL.
PLUMBLINE_POOLER = environment.flag("PLUMBLINE_POOLER", default=False)
if PLUMBLINE_POOLER and EMBEDDED_POSTGRES:
    raise ImproperlyConfigured("PLUMBLINE_POOLER is set, but DATABASE_URL is not.")
DATABASES = database_settings(
    app_url=DATABASE_URL,
    owner_url=DATABASE_OWNER_URL,
    sockets=PATHS.postgres_sockets,
    pool_size=PLUMBLINE_DATABASE_POOL,
    is_lent=PLUMBLINE_POOLER,
)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = environment.text("REDIS_URL")
EMBEDDED_VALKEY = not REDIS_URL
if REDIS_URL and not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
    raise ImproperlyConfigured("REDIS_URL must start with redis://, rediss:// or unix://.")
REDIS_LOCATION = REDIS_URL or f"unix://{PATHS.valkey_socket}"
CACHES = {
    "default": {
        "BACKEND": "config.cache_settings.ForgetfulRedis",
        "LOCATION": REDIS_LOCATION,
        "KEY_PREFIX": "plumbline",
        # Seconds after which the server counts as unreachable.
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
    }
}

# --- how much at once --------------------------------------------------------------------------

PLUMBLINE_AGENT_THREADS = environment.number("PLUMBLINE_AGENT_THREADS", default=16, lowest=2, highest=64)
_CORES = os.cpu_count() or 1
# Each takes 190 MB; a personal installation has one reader.
_FOR_READERS = 1 + (_CORES > 3) if EMBEDDED_POSTGRES else min(_CORES, 4)
PLUMBLINE_WEB_PROCESSES = environment.processes("PLUMBLINE_WEB_PROCESSES", default=_FOR_READERS)
# Each holds an embedder (about 290 MB), which computes on two cores.
PLUMBLINE_READING_PROCESSES = environment.processes("PLUMBLINE_READING_PROCESSES", default=1 + (_CORES > 3))

# How long a worker may send no heartbeat before others claim its steps; the crash tests shorten it.
PLUMBLINE_LEASE_SECONDS = environment.number("PLUMBLINE_LEASE_SECONDS", default=90, lowest=3, highest=600)

# --- files of reports -----------------------------------------------------------------------------

PLUMBLINE_EXPORT_DAYS = environment.number("PLUMBLINE_EXPORT_DAYS", default=30, lowest=1, highest=3650)
PLUMBLINE_WEBHOOK_DAYS = environment.number("PLUMBLINE_WEBHOOK_DAYS", default=90, lowest=1, highest=3650)
# Defaults, which a workspace may change; 0: forever (research.ops.retention).
PLUMBLINE_KEEP_RUNS_DAYS = environment.period("PLUMBLINE_KEEP_RUNS_DAYS", lowest=1)
PLUMBLINE_KEEP_CALLS_DAYS = environment.period("PLUMBLINE_KEEP_CALLS_DAYS", lowest=1)
PLUMBLINE_KEEP_TRAIL_DAYS = environment.period("PLUMBLINE_KEEP_TRAIL_DAYS", lowest=90)
# Workspaces that one person may own; 0: nobody can create one on the site.
PLUMBLINE_WORKSPACES = environment.number("PLUMBLINE_WORKSPACES", default=5, lowest=0, highest=1000)
PLUMBLINE_SHARE_LINKS = environment.flag("PLUMBLINE_SHARE_LINKS", default=True)

# --- models (spec: agents-and-tools.md, The model gateway) ---------------------------------------

# Without a base URL or a key no model is used: reports are composed of the sources' own sentences.
PLUMBLINE_MODEL_BASE_URL = environment.address("PLUMBLINE_MODEL_BASE_URL")
PLUMBLINE_MODEL_API_KEY = environment.text("PLUMBLINE_MODEL_API_KEY")
PLUMBLINE_MODEL = environment.text("PLUMBLINE_MODEL", "gpt-5-mini")
PLUMBLINE_ROLE_MODELS = {
    "orchestrator": environment.text("PLUMBLINE_MODEL_ORCHESTRATOR"),
    "planner": environment.text("PLUMBLINE_MODEL_PLANNER"),
    "researcher": environment.text("PLUMBLINE_MODEL_RESEARCHER"),
    "extractor": environment.text("PLUMBLINE_MODEL_EXTRACTOR"),
    "analyzer": environment.text("PLUMBLINE_MODEL_ANALYZER"),
    "writer": environment.text("PLUMBLINE_MODEL_WRITER"),
    "verifier": environment.text("PLUMBLINE_MODEL_VERIFIER"),
    "executor": environment.text("PLUMBLINE_MODEL_EXECUTOR"),
}
PLUMBLINE_MODEL_CALLS_AT_ONCE = environment.number(
    "PLUMBLINE_MODEL_CALLS_AT_ONCE", default=50, lowest=1, highest=1000
)
PLUMBLINE_MODEL_CALLS_A_MINUTE = environment.number(
    "PLUMBLINE_MODEL_CALLS_A_MINUTE", default=100, lowest=1, highest=1_000_000
)
# Below the 300 s that a step may take.
PLUMBLINE_MODEL_TIMEOUT_SECONDS = environment.number(
    "PLUMBLINE_MODEL_TIMEOUT_SECONDS", default=180, lowest=1, highest=280
)
# Draws pictures of slides on request; without a name the pages do not offer it.
PLUMBLINE_IMAGE_MODEL = environment.text("PLUMBLINE_IMAGE_MODEL")
PLUMBLINE_IMAGE_BASE_URL = environment.address("PLUMBLINE_IMAGE_BASE_URL")
PLUMBLINE_IMAGE_API_KEY = environment.text("PLUMBLINE_IMAGE_API_KEY")
PLUMBLINE_IMAGE_SIZE = environment.text("PLUMBLINE_IMAGE_SIZE", "1536x1024")
PLUMBLINE_IMAGE_USD = environment.price("PLUMBLINE_IMAGE_USD")
if len(PLUMBLINE_IMAGE_MODEL) > 100:  # stored with each call
    raise ImproperlyConfigured("PLUMBLINE_IMAGE_MODEL must have at most 100 characters.")
if not re.fullmatch(r"[1-9]\d{1,3}x[1-9]\d{1,3}", PLUMBLINE_IMAGE_SIZE, re.ASCII):
    raise ImproperlyConfigured("PLUMBLINE_IMAGE_SIZE must be width and height in pixels, as 1536x1024.")
if PLUMBLINE_IMAGE_MODEL and not (
    PLUMBLINE_IMAGE_BASE_URL or PLUMBLINE_IMAGE_API_KEY or PLUMBLINE_MODEL_BASE_URL or PLUMBLINE_MODEL_API_KEY
):
    raise ImproperlyConfigured(
        "PLUMBLINE_IMAGE_MODEL is set, but no server is named: set PLUMBLINE_IMAGE_BASE_URL or "
        "PLUMBLINE_IMAGE_API_KEY. See docs/settings.md."
    )
PLUMBLINE_EMBEDDINGS = environment.choice(
    "PLUMBLINE_EMBEDDINGS", default="builtin", allowed=("builtin", "openai")
)
PLUMBLINE_EMBEDDINGS_BASE_URL = environment.address("PLUMBLINE_EMBEDDINGS_BASE_URL")
PLUMBLINE_EMBEDDINGS_API_KEY = environment.text("PLUMBLINE_EMBEDDINGS_API_KEY")
PLUMBLINE_EMBEDDINGS_MODEL = environment.text("PLUMBLINE_EMBEDDINGS_MODEL", "text-embedding-3-small")
if len(PLUMBLINE_EMBEDDINGS_MODEL) > 70:  # stored with each vector
    raise ImproperlyConfigured("PLUMBLINE_EMBEDDINGS_MODEL must have at most 70 characters.")
if PLUMBLINE_EMBEDDINGS == "openai" and not (
    PLUMBLINE_EMBEDDINGS_BASE_URL
    or PLUMBLINE_EMBEDDINGS_API_KEY
    or PLUMBLINE_MODEL_BASE_URL
    or PLUMBLINE_MODEL_API_KEY
):
    raise ImproperlyConfigured(
        "PLUMBLINE_EMBEDDINGS is openai, but no server is named: set PLUMBLINE_EMBEDDINGS_BASE_URL or "
        "PLUMBLINE_EMBEDDINGS_API_KEY. See docs/settings.md."
    )
# Encrypts the tenants' data keys. Empty: a key is generated and stored in the data folder.
PLUMBLINE_KEY_ENCRYPTION_KEY = environment.text("PLUMBLINE_KEY_ENCRYPTION_KEY")
# The former key during a rotation: it decrypts, and encrypts nothing new.
PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY = environment.text("PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY")
for _name, _key in (
    ("PLUMBLINE_KEY_ENCRYPTION_KEY", PLUMBLINE_KEY_ENCRYPTION_KEY),
    ("PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY", PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY),
):
    if _key and len(_key) < MIN_KEY:
        raise ImproperlyConfigured(f"{_name} must have at least {MIN_KEY} characters.")

# A folder outside the database and outside its backups: erasing a workspace destroys its key there.
PLUMBLINE_BACKUP_KEYS = environment.folder("PLUMBLINE_BACKUP_KEYS", default=PATHS.backup_keys)

# The region of this process; empty: it serves workspaces of every region.
PLUMBLINE_REGION = environment.text("PLUMBLINE_REGION")
if not re.fullmatch(r"[a-z0-9-]{0,20}", PLUMBLINE_REGION, re.ASCII):
    raise ImproperlyConfigured(
        "PLUMBLINE_REGION must be up to 20 small letters, figures and hyphens, as eu-west."
    )

# The regions of the model servers and of the file store; empty: unknown, and every workspace is served.
PLUMBLINE_MODEL_REGIONS = environment.regions("PLUMBLINE_MODEL_REGIONS")
PLUMBLINE_EMBEDDINGS_REGIONS = environment.regions("PLUMBLINE_EMBEDDINGS_REGIONS")
PLUMBLINE_IMAGE_REGIONS = environment.regions("PLUMBLINE_IMAGE_REGIONS")
PLUMBLINE_STORE_REGIONS = environment.regions("PLUMBLINE_STORE_REGIONS")

# --- sources from elsewhere (spec: security.md, SSRF) ---------------------------------------------

# For tests and stub worlds: pages of this machine, at any port.
PLUMBLINE_ALLOW_LOOPBACK = environment.flag("PLUMBLINE_ALLOW_LOOPBACK", default=False)
PLUMBLINE_DENIED_NETWORKS = environment.networks("PLUMBLINE_DENIED_NETWORKS")
PLUMBLINE_POLITENESS_MS = environment.number("PLUMBLINE_POLITENESS_MS", default=500, lowest=0, highest=60_000)
PLUMBLINE_SEARXNG_URL = environment.address("PLUMBLINE_SEARXNG_URL")
# Chromium, for pages that need a browser: a path or a name, or "none". Empty: whichever is installed.
PLUMBLINE_BROWSER = environment.text("PLUMBLINE_BROWSER")
PLUMBLINE_BROWSER_PAGES = environment.number("PLUMBLINE_BROWSER_PAGES", default=2, lowest=1, highest=8)
# By name, for providers that need one. Keys are sent in headers and never logged.
PLUMBLINE_CONTACT = environment.text("PLUMBLINE_CONTACT")
PLUMBLINE_GITHUB_TOKEN = environment.text("PLUMBLINE_GITHUB_TOKEN")
PLUMBLINE_PROVIDER_KEYS = {
    "brave": environment.text("PLUMBLINE_BRAVE_KEY"),
    "reddit": environment.text("PLUMBLINE_REDDIT_KEY"),
    "openalex": environment.text("PLUMBLINE_OPENALEX_KEY"),
    "crossref": PLUMBLINE_CONTACT,
    "semantic_scholar": environment.text("PLUMBLINE_SEMANTIC_SCHOLAR_KEY"),
    "github": PLUMBLINE_GITHUB_TOKEN,
    "github_code": PLUMBLINE_GITHUB_TOKEN,
    "stackexchange": environment.text("PLUMBLINE_STACKEXCHANGE_KEY"),
}
PLUMBLINE_PROVIDER_URLS = search_provider_settings.addresses("PLUMBLINE_PROVIDER_URLS")
PLUMBLINE_MCP_SERVERS = mcp_server_settings.servers("PLUMBLINE_MCP_SERVERS")
PLUMBLINE_PROVIDERS = search_provider_settings.parse_provider_names(
    "PLUMBLINE_PROVIDERS",
    {**PLUMBLINE_PROVIDER_KEYS, "searxng": PLUMBLINE_SEARXNG_URL},
    mcp_server_settings.tools_of(PLUMBLINE_MCP_SERVERS),
)

# --- who may talk to us ------------------------------------------------------------------------

DEBUG = environment.flag("DEBUG", default=False)
SECRET_KEY = environment.text("SECRET_KEY")
if not SECRET_KEY:
    if not EMBEDDED_POSTGRES:
        raise ImproperlyConfigured(
            "SECRET_KEY is not set; with DATABASE_URL it must be. See docs/settings.md."
        )
    SECRET_KEY = load_secret_key(PATHS.secret_key)

PLUMBLINE_HOST = environment.text("PLUMBLINE_HOST", "127.0.0.1")
# Model servers that owners of workspaces connect may be in this machine's own network. On by default for a personal
# site: an embedded database, and no other machine reaches it.
PLUMBLINE_MODEL_PRIVATE_ADDRESSES = environment.flag(
    "PLUMBLINE_MODEL_PRIVATE_ADDRESSES",
    default=EMBEDDED_POSTGRES and PLUMBLINE_HOST in ("127.0.0.1", "::1", "localhost"),
)
PLUMBLINE_PORT = environment.number("PLUMBLINE_PORT", default=8000, lowest=1, highest=65535)
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS", default=("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = environment.words("CSRF_TRUSTED_ORIGINS")

# Some browsers would drop a secure cookie over plain http on the same machine.
PLUMBLINE_HTTPS = environment.flag("PLUMBLINE_HTTPS", default=not EMBEDDED_POSTGRES)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = PLUMBLINE_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if PLUMBLINE_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = PLUMBLINE_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PLUMBLINE_HTTPS else None
SESSION_COOKIE_NAME = "__Host-session" if PLUMBLINE_HTTPS else "session"
CSRF_COOKIE_NAME = "__Host-csrf" if PLUMBLINE_HTTPS else "csrf"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics/$"]  # requested by other services, past the proxy
# The token for the figures of the whole installation at /metrics/; empty: nobody can read them.
PLUMBLINE_METRICS_TOKEN = environment.text("PLUMBLINE_METRICS_TOKEN")
if PLUMBLINE_METRICS_TOKEN and len(PLUMBLINE_METRICS_TOKEN) < 20:
    raise ImproperlyConfigured("PLUMBLINE_METRICS_TOKEN must have at least 20 characters.")
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-src": [SELF],  # slides, each in a sandboxed frame
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# --- mail --------------------------------------------------------------------------------------

MAIL_SERVER = mail_settings.server("PLUMBLINE_MAIL_URL")
EMAIL_BACKEND = MAIL_SERVER.backend
EMAIL_HOST, EMAIL_PORT = MAIL_SERVER.host, MAIL_SERVER.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL_SERVER.user, MAIL_SERVER.password
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL_SERVER.starts_tls, MAIL_SERVER.is_tls
EMAIL_TIMEOUT = 10  # seconds; the mail is sent again later
DEFAULT_FROM_EMAIL = SERVER_EMAIL = mail_settings.sender("PLUMBLINE_MAIL_FROM", "plumbline@localhost")
# Base of links in mail, which is written without a request.
PLUMBLINE_URL = environment.address("PLUMBLINE_URL") or f"http://{PLUMBLINE_HOST}:{PLUMBLINE_PORT}"

# The base URL for fetching finished tasks; another one serves tests only.
PLUMBLINE_PARALLEL_URL = environment.address("PLUMBLINE_PARALLEL_URL") or "https://api.parallel.ai"

# --- the application ---------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "axes",
    "django_celery_beat",  # before the app whose pages it removes from the admin
    "research",
    "citations",
    "exports",
    "slides",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    # Pages shrink to a sixth; files that collectstatic compressed stay as they are.
    "config.response_compression.TextGZipMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "research.web.site.page_trace_middleware.RequestTraceMiddleware",
    "research.web.site.page_metrics_middleware.RequestMetricsMiddleware",
    "csp.middleware.CSPMiddleware",
    "research.web.site.page_rules_middleware.RequestRulesMiddleware",
    "research.integrations.api.api_entry.Gate",  # a client with a token has no session
    "research.web.runs.progress_page_polls.Watchers",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "research.web.site.display_preferences.ChosenLanguage",
    "research.db.tenancy.TenantMiddleware",
    "research.web.site.page_rights.RightsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
    "research.web.site.error_pages.NotAllowedPage",
    "research.web.site.page_audit_middleware.AuditMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "research.web.site.display_preferences.provide_preferences",
                "research.web.site.workspace_switch_view.provide_workspace",
            ],
            "builtins": ["research.web.templatetags.workspace_form_tags"],
            # The templates are beside the pages, not where Django looks for them.
            "libraries": {
                name: f"research.web.templatetags.{name}"
                for name in (
                    "assessment_tags",
                    "api_description_tags",
                    "evidence_tags",
                    "frozen_text_tags",
                    "run_row_tags",
                    "source_row_tags",
                    "stylesheet_tags",
                    "table_tags",
                    "technical_tags",
                )
            },
        },
    }
]

# --- language, time, static files --------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 31_536_000
LANGUAGE_COOKIE_SECURE = PLUMBLINE_HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
FORMAT_MODULE_PATH = ["config.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = environment.folder("PLUMBLINE_STATIC", default=PATHS.static)
STATICFILES_DIRS = [BASE_DIR / "static"]
# Without `collectstatic` the files are served from the source tree, under their plain names.
PLUMBLINE_STATIC_COLLECTED = environment.flag("PLUMBLINE_STATIC_COLLECTED", default=False)
WHITENOISE_USE_FINDERS = not PLUMBLINE_STATIC_COLLECTED
_WITH_HASHES = "whitenoise.storage.CompressedManifestStaticFilesStorage"
_AS_THEY_ARE = "django.contrib.staticfiles.storage.StaticFilesStorage"
STORAGES: dict[str, dict[str, object]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _WITH_HASHES if PLUMBLINE_STATIC_COLLECTED else _AS_THEY_ARE},
}
# Without a bucket, documents and files are stored in the data folder.
PLUMBLINE_S3_BUCKET = environment.text("PLUMBLINE_S3_BUCKET")
if not re.fullmatch(r"([a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]|arn:[\w:/.-]+)?", PLUMBLINE_S3_BUCKET):
    raise ImproperlyConfigured(
        "PLUMBLINE_S3_BUCKET must be the name of a bucket; the URL of its server is PLUMBLINE_S3_ENDPOINT."
    )
_BUCKET: dict[str, object] = {
    "endpoint_url": environment.address("PLUMBLINE_S3_ENDPOINT") or None,
    "region_name": environment.text("PLUMBLINE_S3_REGION") or None,
    "access_key": environment.text("PLUMBLINE_S3_KEY_ID") or None,
    "secret_key": environment.text("PLUMBLINE_S3_SECRET_KEY") or None,
}
if bool(_BUCKET["access_key"]) != bool(_BUCKET["secret_key"]):
    raise ImproperlyConfigured(
        "PLUMBLINE_S3_KEY_ID and PLUMBLINE_S3_SECRET_KEY belong together: set both or neither."
    )
if PLUMBLINE_S3_BUCKET:
    STORAGES["objects"] = {
        "BACKEND": "research.storage.s3_object_store.S3Objects",
        "OPTIONS": {"bucket_name": PLUMBLINE_S3_BUCKET, **_BUCKET},
    }
# For workspaces of these regions; those of all others use the default store.
PLUMBLINE_REGION_STORES = region_store_settings.stores("PLUMBLINE_REGION_STORES", _BUCKET)
STORAGES |= {region_store_settings.alias(region): store for region, store in PLUMBLINE_REGION_STORES.items()}

# --- log ---------------------------------------------------------------------------------------

PLUMBLINE_LOG_LEVEL = environment.choice(
    "PLUMBLINE_LOG_LEVEL", default="INFO", allowed=("DEBUG", "INFO", "WARNING", "ERROR")
)
PLUMBLINE_LOG_FORMAT = environment.choice("PLUMBLINE_LOG_FORMAT", default="line", allowed=("line", "json"))
# The OTLP endpoint for OpenTelemetry spans, as http://collector:4318/v1/traces; empty: none are made.
PLUMBLINE_TRACES_URL = environment.address("PLUMBLINE_TRACES_URL")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "config.log_line_formats.LineFormatter",
            "format": "%(levelname)s %(name)s: %(message)s",
        },
        "json": {"()": "config.log_line_formats.JsonFormatter"},
    },
    "filters": {"requests": {"()": "config.log_line_formats.RequestLogFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": PLUMBLINE_LOG_FORMAT,
            "filters": ["requests"],
        }
    },
    # Our loggers at the configured level; libraries (onnxruntime logs each tensor at the root logger) from
    # WARNING on.
    "loggers": {
        name: {"level": PLUMBLINE_LOG_LEVEL}
        for name in ("config", "research", "citations", "exports", "slides")
    },
    "root": {"handlers": ["console"], "level": max(PLUMBLINE_LOG_LEVEL, "WARNING", key=logging.getLevelName)},
}
