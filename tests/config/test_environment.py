"""Settings are read strictly."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment


@pytest.mark.parametrize(
    ("word", "value"), [("true", True), ("YES", True), ("1", True), ("off", False), ("0", False)]
)
def test_a_flag_reads_the_usual_words(monkeypatch, word, value):
    monkeypatch.setenv("SOME_FLAG", word)
    assert environment.flag("SOME_FLAG", default=not value) is value


@pytest.mark.parametrize("word", ["maybe", "2", "treu"])
def test_a_flag_refuses_any_other_word(monkeypatch, word):
    monkeypatch.setenv("SOME_FLAG", word)
    with pytest.raises(ImproperlyConfigured, match="SOME_FLAG"):
        environment.flag("SOME_FLAG", default=False)


def test_an_empty_variable_counts_as_not_set(monkeypatch):
    monkeypatch.setenv("SOME_FLAG", "  ")
    assert environment.flag("SOME_FLAG", default=True) is True


@pytest.mark.parametrize("word", ["0", "65536", "-1", "80a", "٣", "1e3", "9" * 5_000])
def test_a_number_outside_its_range_is_refused(monkeypatch, word):
    monkeypatch.setenv("SOME_PORT", word)
    with pytest.raises(ImproperlyConfigured, match="from 1 to 65535"):
        environment.number("SOME_PORT", default=8000, lowest=1, highest=65535)


def test_a_choice_names_what_is_allowed(monkeypatch):
    monkeypatch.setenv("LEVEL", "loud")
    with pytest.raises(ImproperlyConfigured, match="INFO, ERROR"):
        environment.choice("LEVEL", default="INFO", allowed=("INFO", "ERROR"))


def test_a_list_drops_blanks(monkeypatch):
    monkeypatch.setenv("HOSTS", " a.example, ,b.example,")
    assert environment.words("HOSTS") == ["a.example", "b.example"]


def test_a_folder_is_absolute_and_may_be_missing(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLACE", "not/there")
    assert environment.folder("PLACE", default=tmp_path) == tmp_path / "not" / "there"


def test_a_file_is_refused_as_folder(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLACE", str(tmp_path / "file"))
    with pytest.raises(ImproperlyConfigured, match="is a file"):
        environment.folder("PLACE", default=tmp_path)


def test_an_address_loses_its_last_slash(monkeypatch):
    monkeypatch.setenv("SERVER", "http://localhost:11434/v1/")
    assert environment.address("SERVER") == "http://localhost:11434/v1"


@pytest.mark.parametrize(
    "word",
    [
        "localhost:11434",
        "ftp://host/v1",
        "https://",
        "https://me:secret@host/v1",
        "http://[::1",
        "http://h:mail",
        "http://h:99999",
        "http://h:0",
    ],
)
def test_an_address_that_is_no_plain_http_url_is_refused(monkeypatch, word):
    monkeypatch.setenv("SERVER", word)
    with pytest.raises(ImproperlyConfigured):
        environment.address("SERVER")


@pytest.mark.parametrize("word", ["-0.01", "NaN", "Infinity", "four cents", "1e"])
def test_a_price_that_nobody_can_pay_is_refused(monkeypatch, word):
    monkeypatch.setenv("PRICE", word)
    with pytest.raises(ImproperlyConfigured, match="PRICE must be a number of US dollars"):
        environment.price("PRICE")


def test_a_price_is_exact_and_may_be_missing(monkeypatch):
    assert environment.price("PRICE") is None
    monkeypatch.setenv("PRICE", "0.04")
    assert str(environment.price("PRICE")) == "0.04"


@pytest.mark.parametrize("word", ["198.51.100.0/99", "198.51.100.7/24", "host", "::1/129"])
def test_networks_are_named_as_networks(monkeypatch, word):
    monkeypatch.setenv("DENIED", f"203.0.113.0/24, {word}")
    with pytest.raises(ImproperlyConfigured, match="DENIED must be networks like"):
        environment.networks("DENIED")
    monkeypatch.setenv("DENIED", "203.0.113.0/24, 2001:db8::/32")
    assert [str(network) for network in environment.networks("DENIED")] == ["203.0.113.0/24", "2001:db8::/32"]
