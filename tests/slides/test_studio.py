"""A browser that draws slides: what it draws, and what it refuses."""

import base64
import socket
from collections.abc import Iterator
from io import BytesIO

import pytest
from django.conf import settings
from PIL import Image

from slides.imaging.slide_browser import ScreenshotBrowser, ScreenshotError
from tests.fetching.browsing.world import CHROMIUM

pytestmark = pytest.mark.browser
PAGE = "<!DOCTYPE html><style>body { margin: 0; background: #0066b3 }</style>"


@pytest.fixture(scope="module")
def studio() -> Iterator[ScreenshotBrowser]:
    if not CHROMIUM:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with ScreenshotBrowser() as opened:
        yield opened


def test_a_slide_is_drawn_at_twice_1920_by_1080(studio):
    image = Image.open(BytesIO(studio.png(PAGE)))
    assert (image.format, image.size, image.getpixel((3000, 2000))[:3]) == (
        "PNG",
        (3840, 2160),
        (0, 0x66, 0xB3),
    )


def test_several_are_drawn_in_their_order(studio):
    colours = [(200, 0, shade) for shade in (0, 60, 120)]
    pages = [f"<!DOCTYPE html><style>body {{ background: rgb{colour} }}</style>" for colour in colours]
    images = [Image.open(BytesIO(drawn)) for drawn in studio.pngs(pages)]
    assert [image.getpixel((3000, 2000))[:3] for image in images] == colours


def test_nothing_is_asked_for_outside(studio):
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        style = f'<link rel="stylesheet" href="{address}/a.css">'
        links = f'{style}<img src="{address}/a.png"><iframe src="{address}"></iframe>'
        studio.png(PAGE + links)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_no_file_of_this_machine_is_shown(studio):
    image = settings.BASE_DIR / "docs" / "report.png"
    shown = studio.ask(f'{PAGE}<img src="file://{image}">', "document.images[0].naturalWidth")
    assert shown == 0


def test_no_script_of_a_slide_runs(studio):
    said = studio.ask(
        f"{PAGE}<p>before</p><script>document.querySelector('p').textContent = 'x'</script>",
        "document.body.innerText",
    )
    assert said.strip() == "before"


def test_its_own_fonts_are_there_when_it_is_drawn(studio):
    path = settings.BASE_DIR / "node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2"
    if not path.is_file():
        pytest.skip("the packages of npm are not installed")
    held = base64.b64encode(path.read_bytes()).decode()
    face = (
        f"@font-face {{ font-family: Own; src: url(data:font/woff2;base64,{held}) }} p {{ font-family: Own }}"
    )
    said = studio.ask(
        f"{PAGE}<style>{face}</style><p>words</p>", "[...document.fonts].map(one => one.status)"
    )
    assert said == ["loaded"]


def test_where_there_is_no_browser_it_says_so(settings):
    settings.PLUMBLINE_BROWSER = "none"
    with (
        pytest.raises(ScreenshotError, match="need a browser, and no browser is used, by PLUMBLINE_BROWSER"),
        ScreenshotBrowser(),
    ):
        pass
