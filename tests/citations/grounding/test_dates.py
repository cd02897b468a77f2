"""Dates and times: the same day in another form, and another day in the same."""

import pytest

from tests.citations.grounding.telling import claims, is_carried

TABLE = """
The treaty was signed on 3 March 1918 in Brest.
    + The treaty was signed on March 3, 1918.
    + The treaty was signed in March 1918.
    + The treaty was signed in 1918.
    + The treaty was signed on 1918-03-03 in Brest.
    - The treaty was signed on 3 May 1918 in Brest.
    - The treaty was signed on 30 March 1918.
    - The treaty was signed on 3 March 1981.
    - The treaty was signed in April 1918.
    - The treaty was signed before 1918.
    - The treaty was signed on 13 March 1918 in Brest.
The museum opened in the third quarter of 2019 and closed in the spring of 2021.
    + The museum opened in Q3 2019.
    + The museum closed in the spring of 2021.
    - The museum opened in Q2 2019.
    - The museum closed in the third quarter of 2019.
    - The museum closed in the autumn of 2021.
    - The museum opened in the spring of 2021.
Construction began in the 1890s and was finished in 1907.
    + Construction began in the 1890s.
    + Construction was finished in 1907.
    - Construction began in the 1980s.
    - Construction began in 1907.
    - Construction was finished in 1970.
    - Construction began in the 1790s.
The law has been in force since 1 January 2023.
    + The law has been in force since January 2023.
    + Since 1 January 2023 the law has been in force.
    - The law was in force until 1 January 2023.
    - The law has been in force since 1 January 2022.
    - The law has been in force since 1 July 2023.
    - The law has not been in force since 1 January 2023.
In the 18th century the village had three mills.
    + The village had three mills in the eighteenth century.
    - The village had three mills in the nineteenth century.
    - In the 18th century the village had four mills.
"""


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "+"))
def test_what_the_text_says_is_carried(text, claim):
    assert is_carried(claim, text)


@pytest.mark.parametrize(("text", "claim"), claims(TABLE, "-"))
def test_what_the_text_does_not_say_is_not_carried(text, claim):
    assert not is_carried(claim, text)
