"""Errors as application/problem+json (RFC 9457), with a stable code."""

import json
from collections.abc import Mapping, Sequence
from typing import Literal

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ConfigDict

MEDIA_TYPE = "application/problem+json"


class FieldFault(BaseModel):
    """An error in one field: its path, as "body.config.depth", and a message."""

    field: str
    message: str


class ProblemOut(BaseModel):
    """The reason why a request failed. `code` is stable; the texts may change."""

    model_config = ConfigDict(title="Problem")

    type: str  # urn:plumbline:problem: with the code
    title: str
    status: int
    code: str
    detail: str
    errors: list[FieldFault]


CODES: Mapping[str, tuple[int, object]] = {
    "malformed": (400, _("The request could not be read.")),
    "not_authenticated": (401, _("A valid token is required.")),
    "missing_scope": (403, _("The token does not allow this.")),
    "read_only": (403, _("The user may read in this workspace, but not start or change anything.")),
    "not_found": (404, _("Not found.")),
    "method_not_allowed": (405, _("This method is not supported here.")),
    "conflict": (409, _("This is not possible in the current state.")),
    "gone": (410, _("The file no longer exists.")),
    "too_large": (413, _("The request is too large.")),
    "unsupported_media_type": (415, _("The request body has an unsupported media type.")),
    "invalid": (422, _("The request is not valid.")),
    "refused": (422, _("The request was refused.")),
    "key_reused": (422, _("This Idempotency-Key belongs to another request.")),
    "too_many_requests": (429, _("Too many requests.")),
    "internal": (500, _("An internal error occurred. It was logged.")),
    "unavailable": (503, _("The service is temporarily unavailable. Try again in a moment.")),
}
BY_STATUS: Mapping[int, str] = {
    400: "malformed",
    401: "not_authenticated",
    403: "missing_scope",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    410: "gone",
    413: "too_large",
    415: "unsupported_media_type",
    422: "invalid",
    429: "too_many_requests",
    500: "internal",
    503: "unavailable",
}
Code = Literal[
    "malformed", "not_authenticated", "missing_scope", "read_only", "not_found", "method_not_allowed", "conflict",
    "gone", "too_large", "unsupported_media_type", "invalid", "refused", "key_reused", "too_many_requests",
    "internal", "unavailable",
]  # fmt: skip


class Problem(Exception):
    """End a request with this error response."""

    def __init__(
        self,
        code: Code,
        detail: str = "",
        *,
        errors: Sequence[FieldFault] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail
        self.errors = errors
        self.headers = dict(headers or {})

    def response(self) -> HttpResponse:
        status, title = CODES[self.code]
        shown = ProblemOut(
            type=f"urn:plumbline:problem:{self.code}",
            title=str(title),
            status=status,
            code=self.code,
            detail=self.detail or str(title),
            errors=list(self.errors),
        )
        text = json.dumps(shown.model_dump(mode="json"), ensure_ascii=False)
        headers = {"WWW-Authenticate": "Bearer"} | self.headers if status == 401 else self.headers
        return HttpResponse(text, status=status, content_type=MEDIA_TYPE, headers=headers)


def problem_for(status: int) -> Problem:
    """Return the problem that replaces an error response of Django or another library."""
    known = BY_STATUS.get(status) or ("internal" if status >= 500 else "malformed")
    return Problem(known)  # type: ignore[arg-type]  # the values of BY_STATUS are codes
