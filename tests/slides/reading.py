"""What a PPTX says of its deck, read back with python-pptx."""

from io import BytesIO

from pptx import Presentation
from pptx.presentation import Presentation as PresentationType


def opened(data: bytes) -> PresentationType:
    return Presentation(BytesIO(data))
