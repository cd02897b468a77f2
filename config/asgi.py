"""ASGI entry, served by uvicorn."""

import os
from typing import cast

from a2wsgi.wsgi_typing import WSGIApp
from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.garbage_collection import leave_alone
from research.integrations.mcp.mcp_http import WithMcp
from research.integrations.mcp.mcp_wsgi_bridge import OneThreadARequest

BODIES_TOGETHER = 4  # how many requests of the largest size a process buffers on disk at once

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Sets up Django before any setting is read. Its responses are iterable, which its type does not say.
wsgi = cast(WSGIApp, get_wsgi_application())

from research.web.site.page_body_limits import LIBRARY, most_bytes  # noqa: E402 - its limits are those of models, which are there now
from research.web.site.warm_up_pages import warm_up  # noqa: E402 - the same

warm_up()
leave_alone()
application = WithMcp(
    OneThreadARequest(
        wsgi,
        threads=settings.PLUMBLINE_DATABASE_POOL or 10,
        memory=settings.FILE_UPLOAD_MAX_MEMORY_SIZE,
        most_bytes=most_bytes,
        together=BODIES_TOGETHER * most_bytes(LIBRARY),
    )
)
