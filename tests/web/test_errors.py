"""What somebody sees who comes to an address in a way that it has no answer for."""

import pytest

from tests.web.pages import words


@pytest.mark.parametrize("address", ["/runs/{run}/cancel/", "/logout/", "/display/"])
def test_an_address_that_only_takes_buttons_says_so(client, world, address):
    answer = client.get(address.format(run=world.run.pk))
    assert answer.status_code == 405
    assert "POST" in answer["Allow"]
    assert "It only takes what a button sends." in words(answer)


def test_a_program_that_asks_with_the_wrong_method_is_told_which_are_right(client, world):
    answer = client.delete(f"/runs/{world.run.pk}/")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
