"""The picture of a slide: what a person uploads, or what a model was asked to draw."""

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _

from research.web.access import person
from slides.deck import SlideImage
from slides.editing import EditRefused
from slides.models import Picture
from slides.pictures import PictureRefused, store_picture

LONGEST_ALT = 500


def picture_sent(request: HttpRequest) -> SlideImage:
    """The picture of the form, kept. Raises EditRefused for one without words, or that is none."""
    given, alt = request.FILES.get("picture"), " ".join(request.POST.get("alt", "").split())
    if not isinstance(given, UploadedFile):
        raise EditRefused(_("Choose a picture from your files."))
    if not alt or len(alt) > LONGEST_ALT or "\x00" in alt:
        raise EditRefused(_("Say in one or two sentences what the picture shows: not everybody can see it."))
    try:
        return image_of(store_picture(given.read(), person(request)), alt)
    except PictureRefused as refused:
        raise EditRefused(str(refused)) from refused


def image_of(picture: Picture, alt: str) -> SlideImage:
    return SlideImage(picture.object_key, alt, picture.media_type, picture.is_generated)
