"""Claims laid against passages, part by part: each part with its state, the passage's words for it and their start."""

import pytest

from citations.entailment.claim_alignment import Alignment, align
from tests.citations.telling import parse_expectations
from tests.citations.test_claim_alignment import PASSAGE

TABLE = """
Sales of the Argon2 book rose by 21 % in France in June 2017.
    conflicting quantity: 21 % | 12 % | 76
    conflicting time: June 2017 | 21 May 2017 | 19
    matched name: Argon2 | Argon2 | 45
    conflicting name: France | Germany
    matched word: Sales | Sales | 32
    matched word: book | book | 52
    matched word: rose | rose | 68
    nearest: Sales of the Argon2 book in Germany rose by 12 % to 4,500 copies.
    coverage: 1.0
Sales of the Argon2 book in Europe fell to 4500 copies.
    matched quantity: 4500 | 4,500 | 84
    matched name: Argon2 | Argon2 | 45
    matched name: Europe | Germany
    matched word: Sales | Sales | 32
    matched word: book | book | 52
    conflicting word: fell | rose | 68
    matched word: copies | copies | 90
    nearest: Sales of the Argon2 book in Germany rose by 12 % to 4,500 copies.
    coverage: 1.0
Critics were amused by 300 copies.
    missing quantity: 300
    matched word: Critics | Critics | 98
    matched word: amused | amused | 115
    matched word: copies | copies | 90
    conflicting polarity: amused | Critics were not amused. | 98
    nearest: Critics were not amused.
    coverage: 1.0
The council did not meet on 22 May 2017.
    matched time: 22 May 2017 | 21 May 2017 | 19
    matched word: council | council | 4
    matched word: meet | met | 12
    nearest: The council met on 21 May 2017.
    coverage: 1.0
The National Security Agency said it works.
    in: Staff of the NSA said that it works.
    matched name: National Security Agency | NSA | 13
    matched word: said | said | 17
    matched word: works | works | 30
    nearest: Staff of the NSA said that it works.
    coverage: 1.0
The NSA said it works.
    in: Staff of the National Security Agency said that it works.
    matched name: NSA | National Security Agency | 13
    matched word: said | said | 38
    matched word: works | works | 51
    nearest: Staff of the National Security Agency said that it works.
    coverage: 1.0
Ada Holm is an American painter.
    in: Ada Holm is a Canadian painter of still lifes.
    matched name: Ada Holm | Ada Holm | 0
    conflicting name: American | Canadian | 14
    matched word: painter | painter | 23
    nearest: Ada Holm is a Canadian painter of still lifes.
    coverage: 1.0
Ada Holm is not an American painter.
    in: Ada Holm is a Canadian painter of still lifes.
    matched name: Ada Holm | Ada Holm | 0
    matched name: American | Canadian | 14
    matched word: painter | painter | 23
    nearest: Ada Holm is a Canadian painter of still lifes.
    coverage: 1.0
Ada Holm is not an American painter.
    in: Ada Holm is not a Canadian painter.
    matched name: Ada Holm | Ada Holm | 0
    conflicting name: American | Canadian | 18
    matched word: painter | painter | 27
    nearest: Ada Holm is not a Canadian painter.
    coverage: 1.0
Northwind is a film by Ada Holm.
    in: Ada Holm is proud. Northwind is an album by Ada Holm.
    matched name: Ada Holm | Ada Holm | 44
    matched word: Northwind | Northwind | 19
    conflicting word: film | album | 35
    nearest: Northwind is an album by Ada Holm.
    coverage: 1.0
The prize of the year went to Ada Holm for her violin concerto.
    in: Applause. The prize of the year went to Bo Lind for her violin concerto.
    conflicting name: Ada Holm | Bo Lind | 40
    matched word: prize | prize | 14
    matched word: year | year | 27
    matched word: went | went | 32
    matched word: violin | violin | 56
    matched word: concerto | concerto | 63
    nearest: The prize of the year went to Bo Lind for her violin concerto.
    coverage: 1.0
The prize of the year went to Quito for her violin concerto.
    in: The prize of the year went to merit for her violin concerto.
    conflicting name: Quito | merit | 30
    matched word: prize | prize | 4
    matched word: year | year | 17
    matched word: went | went | 22
    matched word: violin | violin | 44
    matched word: concerto | concerto | 51
    nearest: The prize of the year went to merit for her violin concerto.
    coverage: 1.0
It ends with part 3 of 16 and 3,000 stones.
    in: It ends with part three of the 16 stones.
    matched quantity: 16 | 16 | 31
    conflicting quantity: 3,000 | 16 | 31
    matched word: ends | ends | 3
    matched word: part | part | 13
    matched word: stones | stones | 34
    nearest: It ends with part three of the 16 stones.
    coverage: 1.0
It ends with the story of the stone, part 3 and 3.
    in: It ends with the story of the stone, part 3.
    missing quantity: 3
    matched word: ends | ends | 3
    matched word: story | story | 17
    matched word: stone | stone | 30
    matched word: part | part | 37
    nearest: It ends with the story of the stone, part 3.
    coverage: 1.0
The well-known mill burned.
    in: The mill that is known so well burned.
    matched word: well-known | well-known
    matched word: mill | mill | 4
    matched word: burned | burned | 31
    nearest: The mill that is known so well burned.
    coverage: 1.0
The well-worn mill burned.
    in: The mill that is known so well burned.
    missing word: well-worn
    matched word: mill | mill | 4
    matched word: burned | burned | 31
    nearest: The mill that is known so well burned.
    coverage: 0.6667
The family returns to Chicago before a long trip through Africa.
    in: The family returns to Chicago after a long trip through Africa.
    matched name: Chicago | Chicago | 22
    matched name: Africa | Africa | 56
    matched word: family | family | 4
    matched word: returns | returns | 11
    matched word: long | long | 38
    matched word: trip | trip | 43
    conflicting polarity: before | after | 30
    nearest: The family returns to Chicago after a long trip through Africa.
    coverage: 1.0
The phrase is not used for cheese, though there are not some with a tint.
    in: The phrase is not used for cheese, though there are some with a tint.
    matched word: phrase | phrase | 4
    matched word: used | used | 18
    matched word: cheese | cheese | 27
    matched word: tint | tint | 64
    conflicting polarity: tint | The phrase is not used for cheese, though there are some with a tint. | 0
    nearest: The phrase is not used for cheese, though there are some with a tint.
    coverage: 1.0
She works for the Zurich Opera House.
    in: She declined to work for the Zurich Opera House.
    matched name: Zurich Opera House | Zurich Opera House | 29
    matched word: works | work | 16
    conflicting polarity: works | She declined to work for the Zurich Opera House. | 0
    nearest: She declined to work for the Zurich Opera House.
    coverage: 1.0
Swift 3 has closures.
    in: Swift 4 has closures.
    conflicting quantity: 3 | 4 | 6
    matched word: Swift | Swift | 0
    matched word: closures | closures | 12
    nearest: Swift 4 has closures.
    coverage: 1.0
Mr. Holm of Oslo sold boats.
    in: Boats were sold. The man from Oslo in Norway named Holm had been rich.
    matched name: Holm of Oslo | Oslo … Holm
    missing word: Mr
    matched word: sold | sold | 11
    matched word: boats | Boats | 0
    nearest: Boats were sold.
    coverage: 0.8
The firm sold boats in Norway.
    in: The firm sold boats in Oslo.
    matched name: Norway | Oslo
    matched word: firm | firm | 4
    matched word: sold | sold | 9
    matched word: boats | boats | 14
    nearest: The firm sold boats in Oslo.
    coverage: 1.0
The firm sold boats in Oslo.
    in: The firm sold boats in Norway.
    conflicting name: Oslo | Norway | 23
    matched word: firm | firm | 4
    matched word: sold | sold | 9
    matched word: boats | boats | 14
    nearest: The firm sold boats in Norway.
    coverage: 1.0
The firm sold boats in Oslo.
    in: The firm sold boats in Norway and in Chile.
    missing name: Oslo
    matched word: firm | firm | 4
    matched word: sold | sold | 9
    matched word: boats | boats | 14
    nearest: The firm sold boats in Norway and in Chile.
    coverage: 0.6
The firm sold boats in Chile.
    in: The firm sold boats in Norway and in Oslo.
    conflicting name: Chile | Norway
    matched word: firm | firm | 4
    matched word: sold | sold | 9
    matched word: boats | boats | 14
    nearest: The firm sold boats in Norway and in Oslo.
    coverage: 1.0
Sales rose.
    in: Sales fell and costs dropped.
    matched word: Sales | Sales | 0
    conflicting word: rose | fell | 6
    nearest: Sales fell and costs dropped.
    coverage: 1.0
Sales rose and fell.
    in: Sales fell and fell.
    matched word: Sales | Sales | 0
    missing word: rose
    matched word: fell | fell | 6
    conflicting polarity: rose | fell | 6
    nearest: Sales fell and fell.
    coverage: 0.6667
The firm opened in March 1987.
    in: The firm opened in 1987.
    missing time: March 1987
    matched word: firm | firm | 4
    matched word: opened | opened | 9
    nearest: The firm opened in 1987.
    coverage: 1.0
The firm opened between 1987 and 1990.
    in: The firm opened in 1988.
    missing time: between 1987 and 1990
    matched word: firm | firm | 4
    matched word: opened | opened | 9
    nearest: The firm opened in 1988.
    coverage: 1.0
The key is 1 KiB long.
    in: The key is 1,024 bytes long.
    matched quantity: 1 KiB | 1,024 bytes | 11
    matched word: key | key | 4
    matched word: long | long | 23
    nearest: The key is 1,024 bytes long.
    coverage: 1.0
The park is to the north of a red barn.
    in: The park is to the south of a red barn.
    matched word: park | park | 4
    conflicting word: north | south | 19
    matched word: red | red | 30
    matched word: barn | barn | 34
    nearest: The park is to the south of a red barn.
    coverage: 1.0
The king sold the red barn.
    in: The barn was red. A queen sold it to him.
    missing word: king
    matched word: sold | sold | 26
    matched word: red | red | 13
    matched word: barn | barn | 4
    nearest: The barn was red.
    coverage: 0.75
My brother is a singer.
    in: A sister of his is a singer.
    conflicting word: brother | sister | 2
    matched word: singer | singer | 21
    nearest: A sister of his is a singer.
    coverage: 1.0
"""


def _describe_alignment(found: Alignment, passage: str) -> list[str]:
    lines = []
    for part in found.parts:
        words = [part.source] if part.source else []
        start = [str(part.source_span.start)] if part.source_span else []
        lines.append(" | ".join([f"{part.state} {part.kind}: {part.text}", *words, *start]))
    return [*lines, f"nearest: {found.nearest.cut(passage)}", f"coverage: {round(found.coverage, 4)}"]


def _cases():
    for claim, lines in parse_expectations(TABLE):
        passage = lines.pop(0).removeprefix("in: ") if lines[0].startswith("in: ") else PASSAGE
        yield pytest.param(claim, passage, lines, id=claim[:40])


@pytest.mark.parametrize(("claim", "passage", "lines"), list(_cases()))
def test_each_part_of_a_claim_is_laid_against_what_the_passage_has_for_it(claim, passage, lines):
    found = align(claim, passage)
    assert found is not None
    assert _describe_alignment(found, passage) == lines
    assert all(part.span.cut(claim) == part.text for part in found.parts)
    assert all(part.source_span.cut(passage) == part.source for part in found.parts if part.source_span)
