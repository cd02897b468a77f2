"""Ada with a finished report, and Bob, who must not see it."""

import pytest
from django.test import Client

from tests.people import Person, join
from tests.worlds import ReportWorld, make_report, stock_library


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


@pytest.fixture
def world(ada: Person) -> ReportWorld:
    return make_report(ada)


@pytest.fixture
def client(ada: Person) -> Client:
    """Ada's browser."""
    return ada.sign_in()


@pytest.fixture
def library_stock(ada: Person) -> None:
    """Ada's library has something to answer from."""
    stock_library(ada)


@pytest.fixture
def stranger(db: None) -> Client:
    """Bob's browser: signed in, of another tenant."""
    return join("bob").sign_in()
