"""Copies: the same text is read once, nearly the same text is marked."""

from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.db.tenancy import tenant_context
from research.library.duplicate_library_documents import NEAR, KnownSignatures, similarities, text_groups
from research.library.import_library_folder import import_folder
from research.library.scan_library_folder import Scan, ScanProblem, scan_folder
from research.models import Content, DocumentStatus
from research.parsing.parsed_near_duplicates import signature
from tests.library.conftest import RULES

LONG = " ".join(f"Rule number {number} says that door {number * 7} stays shut." for number in range(200))


def test_the_same_text_twice_in_a_folder_is_one_document_and_a_copy(import_now, rows, folder):
    (folder / "second.md").write_text(RULES)
    report = import_now()
    assert [(copy.path, copy.of) for copy in report.duplicates] == [("second.md", "rules.md")]
    copy = rows()["second.md"]
    assert copy.status == DocumentStatus.DUPLICATE
    assert copy.duplicate_of == rows()["rules.md"]
    assert len(copy.chunks.all()) == 0


def test_known_signatures_find_all_that_are_alike(tenant):
    variants = [LONG.replace("door", "gate", times) for times in range(0, 60, 3)]
    signatures = [signature(text).tobytes() for text in [*variants, "", "Quite other words stand here."]]
    ids = [uuid4() for _ in signatures]
    with tenant_context(tenant):
        known = KnownSignatures("empty folder")
    for document_id, minhash in zip(ids, signatures, strict=True):
        known.add(document_id, minhash)
    for minhash in signatures:
        alike = similarities(minhash, signatures)
        assert known.find_alike(minhash) == [
            each for each, share in zip(ids, alike, strict=True) if share >= NEAR
        ]


def test_a_copy_takes_the_place_of_its_removed_original(import_now, rows, folder):
    (folder / "second.md").write_text(RULES)
    import_now()
    (folder / "rules.md").unlink()
    import_now()
    row = rows()["second.md"]
    assert (row.status, row.duplicate_of) == (DocumentStatus.READY, None)
    assert len(row.chunks.all()) > 0


def test_a_copy_whose_original_changed_stands_on_its_own(import_now, rows, folder):
    (folder / "second.md").write_text(RULES)
    import_now()
    (folder / "rules.md").write_text(
        "# Other\n\nQuite other words stand here by now, about something else.\n"
    )
    import_now()
    assert rows()["second.md"].status == DocumentStatus.READY


def test_a_copy_in_a_folder_that_cannot_be_opened_now_stays_as_it_is(
    import_now, rows, folder, monkeypatch: pytest.MonkeyPatch
):
    (folder / "shut").mkdir()
    (folder / "shut" / "second.md").write_text(RULES)
    import_now()
    assert rows()["shut/second.md"].status == DocumentStatus.DUPLICATE
    (folder / "rules.md").write_text("# Other\n\nQuite other words stand here by now.\n")
    files = tuple(file for file in scan_folder(folder).files if not file.path.startswith("shut/"))
    shut = Scan(files, (ScanProblem("shut", "no_access", "It cannot be opened."),))
    monkeypatch.setattr("research.library.import_library_folder.scan_folder", lambda _: shut)
    import_now()
    assert rows()["shut/second.md"].status == DocumentStatus.DUPLICATE


def test_nearly_the_same_text_stays_and_is_marked(import_now, rows, folder):
    (folder / "a.txt").write_text(LONG)
    (folder / "b.txt").write_text(f"{LONG} One rule more.")
    report = import_now()
    assert [(copy.path, copy.of) for copy in report.near_duplicates] == [("b.txt", "a.txt")]
    row = rows()["b.txt"]
    assert (row.status, row.duplicate_of) == (DocumentStatus.READY, rows()["a.txt"])
    assert len(row.chunks.all()) > 0


def test_different_texts_are_no_copies(import_now, rows):
    report = import_now()
    assert (report.duplicates, report.near_duplicates) == ((), ())
    assert {row.duplicate_of for row in rows().values()} == {None}


def test_a_copy_in_another_folder_is_read_there_too(import_now, tenant, tmp_path):
    import_now()
    other = tmp_path / "other"
    other.mkdir()
    (other / "rules.md").write_text(RULES)
    report = import_folder(tenant, other)
    assert (report.imported, report.duplicates) == (("rules.md",), ())


def test_a_copy_in_another_folder_is_not_embedded_again(import_now, tenant, tmp_path, embedder):
    import_now()
    other = tmp_path / "other"
    other.mkdir()
    (other / "rules.md").write_text(RULES)
    embedder.texts = []
    import_folder(tenant, other)
    assert embedder.texts == []


def content(number: int, text: str) -> Content:
    return Content(id=UUID(int=number), minhash=signature(text).tobytes() if text else b"")


def test_near_copies_are_one_group_also_by_way_of_a_third():
    texts = [
        content(1, LONG),
        content(2, "Other words altogether, about tomatoes."),
        content(3, f"{LONG} More."),
    ]
    groups = text_groups(texts)
    assert groups[UUID(int=1)] == groups[UUID(int=3)] != groups[UUID(int=2)]


def test_a_chain_of_near_copies_is_one_group():
    words = LONG.split()
    chain = [" ".join(words[cut:]) for cut in (0, 60, 120, 180)]
    links = [content(number, text) for number, text in enumerate(chain, start=1)]
    assert len(set(text_groups(links).values())) == 1


def test_texts_without_a_signature_are_groups_of_their_own():
    assert len(set(text_groups([content(1, ""), content(2, "")]).values())) == 2


def test_no_texts_have_no_groups():
    assert text_groups([]) == {}


def test_a_single_text_is_a_group_and_its_signature_is_not_loaded():
    lone = Content(id=UUID(int=1))
    del lone.__dict__["minhash"]  # as where it was left out: asking for it would ask the database
    assert text_groups([lone]) == {UUID(int=1): str(UUID(int=1))}


@given(st.lists(st.sampled_from(["a b c d e f", "x y z", LONG]), max_size=6))
def test_equal_texts_are_always_in_one_group(texts):
    groups = text_groups([content(number, text) for number, text in enumerate(texts)])
    assert len(set(groups.values())) == len(set(texts))


@pytest.mark.parametrize("others", [[], [b""], [b"", signature("a b").tobytes()]])
def test_a_text_without_a_signature_is_like_nothing(others):
    assert not similarities(b"", others).any()


def story(text: str) -> Content:
    return Content(text=text, minhash=signature(text).tobytes(), word_count=len(text.split()))


def sentences(first: int, last: int) -> str:
    days = range(first, last)
    return " ".join(
        f"On day {n} the gauge at weir {n * 3} read {n * 17} centimetres above its mark." for n in days
    )


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        (sentences(0, 40), sentences(0, 16), True),  # a site prints the beginning only
        (sentences(0, 40), f"{sentences(100, 130)} {sentences(0, 40)}", True),  # among words of its own
        (sentences(0, 40), f"{sentences(0, 10)} {sentences(100, 130)}", False),  # a longer quotation
        (sentences(0, 40), sentences(50, 90), False),
    ],
)
def test_a_story_that_was_cut_or_wrapped_is_one_voice_with_the_whole(one, other, is_one):
    first, second = story(one), story(other)
    groups = text_groups([first, second])
    assert (groups[first.pk] == groups[second.pk]) == is_one
