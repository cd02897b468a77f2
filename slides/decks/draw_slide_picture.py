"""Has a model draw a picture for a slide: charged like outlines, checked like uploads, marked as generated.

A job is claimed with a fencing token, like files (`exports.files.export_lease`). The picture, its slide and the end of
the job are stored in one transaction. If a worker is killed between the model's answer and that transaction, the next
worker finds the picture stored with its call (`research.llm.image_client`).
"""

from decimal import Decimal
from uuid import UUID

from exports.files.export_file_state import ExportState
from exports.files.export_lease import SPENT, JobLeases, LostLease, take, work
from research.db.tenancy import tenant_context
from research.llm.budgets.credits import CreditsShort
from research.llm.call_types import Payer
from research.llm.image_client import draw
from research.llm.model_errors import ModelError
from research.models import AgentRole
from slides.decks.deck_pictures import PictureRefused, image_of, keep_picture, reencode_picture
from slides.decks.deck_spending import TOO_FEW_CREDITS, DeckCaller, open_run_budget
from slides.decks.deck_versions import change_slides
from slides.decks.edit_slides import SlideEditRefused, set_slide_image
from slides.models import Change, DeckCode, DeckVersion, DrawnPicture, Picture

ESTIMATE_USD = Decimal("0.25")  # reserved before the call; more is spent if the balance allows it


class PictureError(Exception):
    """Raised when no picture can be drawn; str() is a sentence that says why."""


def draw_picture(tenant_id: UUID, wanted_id: UUID) -> None:
    """Draw the picture, unless it exists or is in progress. Safe to repeat, even late or after a crash."""
    with tenant_context(tenant_id):
        wanted = take(DrawnPicture.objects.all(), wanted_id)
    if wanted is not None:
        taking = JobLeases(wanted)
        work(taking, lambda: _make(taking), DeckCode.BROKEN)


def _make(taking: JobLeases[DrawnPicture]) -> None:
    try:
        if taking.is_spent:
            taking.fail(DeckCode.INTERRUPTED, SPENT)
            return
        _finish(taking)
    except LostLease:
        return
    except PictureError as refused:
        taking.fail(DeckCode.NOT_DRAWN, str(refused))


def _finish(taking: JobLeases[DrawnPicture]) -> None:
    """Store the picture. Raises LostLease and PictureError."""
    wanted = taking.row
    with tenant_context(wanted.tenant_id):
        version = DeckVersion.objects.select_related("deck").get(pk=wanted.version_id)
    data = _generate_picture(wanted, version.deck.run_id)
    taking.tell(0.9)
    try:
        made = reencode_picture(data)
        with tenant_context(wanted.tenant_id):
            picture = keep_picture(made, wanted.asked_by, prompt=wanted.words, is_generated=True)
            is_placed = _is_placed(version, wanted, picture)
            taking.end(state=ExportState.READY, progress=1, picture=picture, is_placed=is_placed)
    except PictureRefused as error:
        raise PictureError(f"The model's picture was not kept. {error}") from error


def _generate_picture(wanted: DrawnPicture, run_id: UUID) -> bytes:
    """Call the model. Raises PictureError."""
    caller = DeckCaller(wanted.tenant_id, run_id, f"picture/{wanted.pk}", wanted.fence)
    try:
        with open_run_budget(caller, ESTIMATE_USD):
            return draw(Payer(caller, AgentRole.EXECUTOR), wanted.words, "picture").data
    except CreditsShort as error:
        raise PictureError(TOO_FEW_CREDITS) from error
    except ModelError as error:
        raise PictureError(f"{error.message} ({error.code.value})") from error


def _is_placed(version: DeckVersion, wanted: DrawnPicture, picture: Picture) -> bool:
    """Put the picture on its slide and return True; return False if the deck has changed since.

    In that case a person decides where the picture goes.
    """
    image = image_of(picture, wanted.words)
    try:
        change_slides(
            version,
            Change.PICTURED,
            lambda slides: set_slide_image(slides, wanted.slide, image),
            wanted.asked_by,
            wanted.slide,
        )
    except SlideEditRefused:
        return False
    return True
