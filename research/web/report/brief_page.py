"""A brief as JSON, as its receivers get it."""

import json
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from research.models import Kind, Run
from research.pipelines.brief.stored_brief import own_of
from research.web.site.view_access import find, members_only


@members_only
@require_safe
def brief_json(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Return the brief as JSON. The same input gives the same bytes, whichever run produced it."""
    run = find(Run.objects.filter(kind=Kind.BRIEF).only("result"), run_id)
    own = own_of(run)
    if own is None or own.brief is None:
        raise Http404
    response = HttpResponse(canonical(own.brief.model_dump(mode="json")), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="brief-{run_id}.json"'
    return response


def canonical(value: object) -> str:
    """Return the canonical spelling, which is the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
