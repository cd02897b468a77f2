from __future__ import annotations

import io

import pytest
from PIL import Image

from research.parsing.formats.parse_pdf import read_pdf
from research.parsing.formats.pdf.locate_quotes_in_pdf import page_png, quote_boxes
from tests.parsing.documents import Words, pdf, prose

SENTENCE = "The minimum length of a password is eight characters for every subscriber of the service in use."
PAGE = prose("Some words stand before it. " + SENTENCE + " And others come after the sentence that counts.")


def test_a_quotation_gets_one_rectangle_for_each_line() -> None:
    data = pdf([PAGE])
    document = read_pdf(data, "a.pdf")
    start = document.text.index(SENTENCE)
    boxes = quote_boxes(data, document.pages[0], start, start + len(SENTENCE))
    assert len(boxes) == 2
    assert boxes[0].y < boxes[1].y


def test_rectangles_stand_where_the_words_are_printed() -> None:
    data = pdf([[Words("Password", x=100, y=600, size=20)]])
    document = read_pdf(data, "a.pdf")
    (box,) = quote_boxes(data, document.pages[0], 0, 8)
    assert 99 <= box.x <= 103
    assert 792 - 600 - 20 < box.y < 792 - 600  # origin top left, above the baseline
    assert 80 < box.width < 100


def test_a_rectangle_covers_only_the_quoted_words() -> None:
    data = pdf([[Words("Alpha Beta Gamma", x=100, y=600, size=20)]])
    document = read_pdf(data, "a.pdf")
    whole = quote_boxes(data, document.pages[0], 0, 16)[0]
    beta = quote_boxes(data, document.pages[0], 6, 10)[0]
    assert whole.x < beta.x
    assert beta.x + beta.width < whole.x + whole.width


def test_a_rotated_page_is_measured_as_it_is_shown() -> None:
    data = pdf([[Words("Password", x=100, y=600, size=20)]], rotate=90)
    page = read_pdf(data, "a.pdf").pages[0]
    (box,) = quote_boxes(data, page, 0, 8)
    assert (page.width, page.height) == (792, 612)
    assert box.height > box.width


def test_words_of_another_page_have_no_rectangle_here() -> None:
    data = pdf([prose("First page says this."), prose("Second page says that.")])
    document = read_pdf(data, "a.pdf")
    start = document.text.index("Second")
    assert quote_boxes(data, document.pages[0], start, start + 6) == []
    assert quote_boxes(data, document.pages[1], start, start + 6) != []


def test_a_page_becomes_an_image_of_its_size() -> None:
    image = Image.open(io.BytesIO(page_png(pdf([PAGE]), 1, scale=0.5)))
    assert (image.format, image.size) == ("PNG", (306, 396))


def test_a_huge_scale_is_lowered_to_the_pixel_limit() -> None:
    image = Image.open(io.BytesIO(page_png(pdf([PAGE]), 1, scale=100)))
    assert image.width * image.height <= 40_100_000


def test_a_page_that_is_not_there_is_an_error() -> None:
    with pytest.raises(IndexError, match="no page 2"):
        page_png(pdf([PAGE]), 2)
