import pytest

from citations.find_quantities import BoundKind, Quantity, QuantityKind, find_quantities


def only(text: str) -> Quantity:
    (found,) = find_quantities(text)
    return found


@pytest.mark.parametrize(
    ("text", "percent"),
    [
        ("one in five adults", 20),
        ("3 in 4 users", 75),
        ("nine out of ten users", 90),
        ("1 out of every 1,000 users", 0.1),
        ("half of them", 50),
        ("half the users", 50),
        ("a third of users", 100 / 3),
        ("two thirds of users", 200 / 3),
        ("a two-thirds majority", 200 / 3),
        ("three-fifths of voters", 60),
        ("¾ of the users", 75),
        ("1/3 of the users", 100 / 3),
        ("3 ‰ of it", 0.3),
        ("3,5 Prozent", 3.5),
    ],
)
def test_shares_are_percentages(text, percent):
    found = only(text)
    assert found.kind is QuantityKind.PERCENT
    assert found.low == pytest.approx(percent)


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("revenue doubled", 2),
        ("it tripled", 3),
        ("costs were halved", 0.5),
        ("twice as fast", 2),
        ("a threefold rise", 3),
        ("a 3-fold rise", 3),
        ("10x faster", 10),
        ("ten times as many", 10),
        ("double the price", 2),
    ],
)
def test_multiples_are_factors(text, factor):
    found = only(text)
    assert (found.kind, found.low) == (QuantityKind.FACTOR, factor)


@pytest.mark.parametrize(
    ("text", "value"), [("a ratio of 3:1", 3), ("at 5:2 odds", 2.5), ("a 4-to-1 margin", 4)]
)
def test_ratios_are_kept_apart_from_shares(text, value):
    found = only(text)
    assert (found.kind, found.low) == (QuantityKind.RATIO, value)


@pytest.mark.parametrize("text", ["the first half was good", "5 in 2020", "the third quarter of 2020"])
def test_halves_of_other_things_are_no_shares_of_them(text):
    assert not any(
        found.kind in (QuantityKind.RATIO, QuantityKind.PERCENT) for found in find_quantities(text)
    )


def test_more_people_than_there_are_is_no_share():
    assert [found.low for found in find_quantities("12 in 5 rooms")] == [12, 5]


def test_a_fall_in_points_is_not_one_in_per_cent():
    kinds = [found.kind for found in find_quantities("5 percentage points, 5 % and 5 basis points")]
    assert kinds == [QuantityKind.POINTS, QuantityKind.PERCENT, QuantityKind.POINTS]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("no fewer than 12 users", BoundKind.AT_LEAST),
        ("500 or more users", BoundKind.AT_LEAST),
        ("500+ users", BoundKind.AT_LEAST),
        ("a minimum of 12 users", BoundKind.AT_LEAST),
        ("well over 500 users", BoundKind.MORE_THAN),
        ("in excess of 500 users", BoundKind.MORE_THAN),
        ("up to 500 users", BoundKind.AT_MOST),
        ("not exceeding 500 users", BoundKind.AT_MOST),
        ("as many as 500 users", BoundKind.AT_MOST),
        ("just under 500 users", BoundKind.LESS_THAN),
        ("an estimated 500 users", BoundKind.ABOUT),
        ("mindestens 500 Nutzer", BoundKind.AT_LEAST),
        ("500 users or so", BoundKind.ABOUT),
    ],
)
def test_bounds_in_many_words(text, bound):
    assert only(text).bound is bound


@pytest.mark.parametrize(
    ("text", "per"),
    [
        ("$50,000 per capita", "person"),
        ("$50,000 a year", "year"),
        ("$50,000 annually", "year"),
        ("50 deaths per 100,000 people", "100000 person"),
        ("5 days a week", "week"),
    ],
)
def test_a_rate_names_what_it_is_per(text, per):
    assert find_quantities(text)[0].per == per


@pytest.mark.parametrize(
    "text", ["50 per 100,000", "50 deaths per 100 000 people", "50 per 1.5 million users", "50 per 12 litres"]
)
def test_of_how_many_a_rate_is_counts_nothing_itself(text):
    assert [found.low for found in find_quantities(text)] == [50]


def test_what_a_percentage_is_of_counts():
    assert [found.low for found in find_quantities("50 per cent of 100,000 users")] == [50, 100_000]


def test_a_range_told_as_a_change_is_two_values():
    old, new = find_quantities("It rose from 10 to 15 percent.")
    assert (old.low, old.kind, old.is_former) == (10, QuantityKind.PERCENT, True)
    assert (new.low, new.is_former) == (15, False)


@pytest.mark.parametrize("text", ["from 10 to 15 percent", "between 10 and 15 percent", "10% to 15%"])
def test_a_range_without_a_change_is_one(text):
    found = only(text)
    assert (found.low, found.high) == (10, 15)


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("12 new users joined", "user"),
        ("12 people", "peopl"),
        ("12 of the users", "user"),
        ("12 elderly people voted", "peopl"),
        ("12 glass doors", "door"),
        ("12 bus stops", "stop"),
        ("12 salt and pepper", "salt"),
        ("12", ""),
        ("12, users say", ""),
    ],
)
def test_the_head_is_what_is_counted(text, head):
    assert only(text).head == head


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("12 users in Paris", {"user"}),
        ("12 red green blue black birds", {"red", "green", "blue"}),
        ("12 users. Servers follow", {"user"}),
        ("12 users 5 doors", {"user"}),
    ],
)
def test_what_follows_is_named_up_to_the_next_break(text, nouns):
    assert find_quantities(text)[0].nouns == nouns


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The salt is long. A hash has 12", {"hash"}),
        ("The list: a hash of 12", {"hash"}),
        ("In 5 tests the hash had 12", {"test", "hash"}),
        ("a hash of at least 12", {"hash"}),
        (
            "one red green blue black white big hash had 12",
            {"red", "green", "blue", "black", "white", "larg", "hash"},
        ),
    ],
)
def test_what_goes_before_is_named_from_the_last_break_on(text, subject):
    assert find_quantities(text)[-1].subject <= subject
    assert "hash" in find_quantities(text)[-1].subject


@pytest.mark.parametrize("text", ["taken from 12 sites", "from 12 users", "ranges from 8 to 12"])
def test_what_comes_from_somewhere_is_no_former_value(text):
    assert not any(found.is_former for found in find_quantities(text))


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("12 users at least", BoundKind.AT_LEAST),
        ("12 users at most", BoundKind.AT_MOST),
        ("12 or fewer users", BoundKind.AT_MOST),
        ("12 users, more than ever", BoundKind.EXACT),
        ("over the years 12 users came", BoundKind.EXACT),
        ("more than the 12 users", BoundKind.MORE_THAN),
        ("(approximately 12 users", BoundKind.ABOUT),
    ],
)
def test_a_bound_stands_beside_its_figure(text, bound):
    assert only(text).bound is bound
