"""Serves a workspace's pictures: logos and images of slides, in our own encoding."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from research.storage.object_store import ObjectError, get_object
from research.web.site.view_access import find, members_only
from slides.models import Picture


@members_only
@require_safe
def picture(request: HttpRequest, picture_id: UUID) -> HttpResponse:
    row = find(Picture.objects.all(), picture_id)
    try:
        data = get_object(row.object_key)
    except ObjectError as error:
        raise Http404(str(error)) from error
    response = HttpResponse(data, content_type=row.media_type)
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response
