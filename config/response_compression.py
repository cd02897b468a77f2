"""Compresses responses, including static files: on a slow connection a page waits for its styles."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = ("text/", "application/json", "application/problem+json", "application/javascript", "image/svg+xml")


class TextGZipMiddleware(GZipMiddleware):
    """Django's middleware for text only, since images and archives do not shrink.

    Partial content must not change, so it is left out too. Against BREACH, Django pads each page by a random
    length, and the pages' only secret, the CSRF token, is masked with a new value each time.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_text = response.headers.get("Content-Type", "").startswith(TEXTS)
        return (
            super().process_response(request, response)
            if is_text and response.status_code != 206
            else response
        )
