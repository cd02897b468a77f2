"""Pictures of a page: named, never loaded."""

import pytest

from research.fetching.fetched_page_images import Image, images_of

URL = "https://www.example.com/guide/"


def test_pictures_are_named_with_what_is_said_of_them():
    html = (
        "<img src=a.png alt='The  plant'><figure><img src=/b.png><figcaption>Figure 1: <b>Costs</b> &amp; gains"
        "</figcaption></figure><p><img data-src='https://cdn.example.net/c.png' src='data:image/gif;base64,x'>"
    )
    assert images_of(html, URL, 10) == [
        Image("https://www.example.com/guide/a.png", "The plant"),
        Image("https://www.example.com/b.png", "", "Figure 1: Costs & gains"),
        Image("https://cdn.example.net/c.png"),
    ]


@pytest.mark.parametrize(
    "html",
    ["<img>", "<img src=''>", "<img src=x.gif width=1 height=1>", "<!-- <img src=x.png> -->", "<img src=data:x>",
     "<script>'<img src=x.png>'</script>", "<img src='http://user@example.com/x.png'>", "<image src=x.png>"],
)  # fmt: skip
def test_what_shows_nothing_is_no_picture(html):
    assert images_of(html, URL, 10) == []


def test_each_is_named_once_and_no_more_than_wanted():
    assert len(images_of("<img src=a.png>" * 5 + "<img src=b.png><img src=c.png>", URL, 2)) == 2
