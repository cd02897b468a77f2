"""Settings of the tests: a data directory that goes away, and no server but our own."""

import os
import tempfile

# Inherited by xdist's workers and by every process that a test starts.
if "PLUMBLINE_TEST_DATA" not in os.environ:
    os.environ["PLUMBLINE_TEST_DATA"] = tempfile.mkdtemp(prefix="plumbline-test-")
TEST_DATA = os.environ["PLUMBLINE_TEST_DATA"]
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "main")

for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY", "DEBUG", "PLUMBLINE_HTTPS"):
    os.environ.pop(name, None)
for name in [name for name in os.environ if name.startswith(("PLUMBLINE_MODEL", "PLUMBLINE_EMBEDDINGS"))]:
    del os.environ[name]  # no test calls a model that someone pays for
os.environ["PLUMBLINE_PROVIDERS"] = "none"  # nor asks a search service
os.environ.pop("PLUMBLINE_MCP_SERVERS", None)
os.environ["PLUMBLINE_DATA"] = os.path.join(TEST_DATA, WORKER)

from config.settings import *  # noqa: E402,F403 - the environment comes first

# A test that names a server of its own has it asked; no other provider ever is.
PLUMBLINE_PROVIDERS = ("searxng",)
# WhiteNoise warns of a missing folder at every start.
os.makedirs(PATHS.static, exist_ok=True)  # noqa: F405
# Few tests need Valkey (fixture `valkey`); the others must not look for it.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
# The default hasher is slow on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
