"""Execute requests with an `Idempotency-Key` once: a repeated request gets the same response.

The row is written in the request's own transaction, so a concurrent repetition waits for the first request, and a
first request that fails leaves nothing behind.
"""

import re
from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from research.accounts.api_tokens import ANSWERS_FOR, ApiCaller
from research.integrations.api.api_problems import Problem
from research.models import KeptAnswer

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
MAX_KEY = 128
KEY = re.compile(r"[!-~]+")


def key_of(request: HttpRequest) -> str:
    """Return the key; "" if there is none. Raises Problem for one that cannot be stored."""
    key = request.headers.get(HEADER)
    if key is None:
        return ""
    if len(key) > MAX_KEY or not KEY.fullmatch(key):
        words = _("An Idempotency-Key must have 1 to %(most)d printable ASCII characters and no spaces.")
        raise Problem("invalid", words % {"most": MAX_KEY})
    return key


def hash_of(request: HttpRequest) -> str:
    """Return a hash of the request. Files are hashed by their content, since form boundaries change every time."""
    digest = sha256(f"{request.method} {request.get_full_path()}\n".encode())
    if request.content_type != "multipart/form-data":
        digest.update(request.body)
        return digest.hexdigest()
    for name, values in sorted(request.POST.lists()):
        digest.update(repr((name, values)).encode())
    for name, files in sorted(request.FILES.lists()):
        for file in files:
            digest.update(repr((name, file.name)).encode())
            for chunk in file.chunks():
                digest.update(chunk)
            file.seek(0)
    return digest.hexdigest()


class Once:
    """One request with its key, within the transaction of its tenant."""

    def __init__(self, caller: ApiCaller, key: str, request_hash: str) -> None:
        self._row = KeptAnswer(token_id=caller.token_id, key=key, request_hash=request_hash)
        self._same = KeptAnswer.objects.filter(token_id=caller.token_id, key=key)

    def answer(self) -> HttpResponse | None:
        """Return the response to the first request with this key; None if this is the first.

        Raises Problem if the key belongs to another request.
        """
        self._same.filter(created_at__lt=timezone.now() - ANSWERS_FOR).delete()
        KeptAnswer.objects.bulk_create([self._row], ignore_conflicts=True)  # waits for a concurrent one
        kept = self._same.get()
        if kept.pk == self._row.pk:
            return None
        if kept.request_hash != self._row.request_hash:
            raise Problem("key_reused", _("This Idempotency-Key has already been sent with another request."))
        headers = {REPLAYED: "true"} | ({"Location": kept.location} if kept.location else {})
        return HttpResponse(kept.body, status=kept.status, content_type="application/json", headers=headers)

    def keep(self, response: HttpResponse) -> None:
        """Store the response, but not that of a refused request, which may be sent again."""
        mine = KeptAnswer.objects.filter(pk=self._row.pk)
        if response.status_code >= 400:
            mine.delete()
            return
        mine.update(
            status=response.status_code,
            location=response.headers.get("Location", ""),
            body=response.content.decode(),
        )
