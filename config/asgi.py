"""ASGI entry, served by uvicorn."""

import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# WhiteNoise's responses are small files of ours, read whole before they are sent: nothing to warn of.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators", Warning)

application = get_asgi_application()
