"""Documents that a question names."""

from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.question.parsed_question import analyse
from research.extractive.term_rarity import Rarity
from research.extractive.terms import term_set

RARE = Rarity(1000, {})


def fits(cards, text):
    return {id: match.fit for id, match in cards.match(analyse(text), RARE).items()}


def parse_name(text):
    (name,) = analyse(text).names
    return name


def test_the_version_tells_two_editions_apart(cards):
    fit = fits(cards, "What depth does the ACME Well Guide 2.0 require?")
    assert fit["guide-2"] == 1.0
    assert fit["guide-1"] < fit["guide-2"]


def test_the_other_edition_is_known_as_such(cards):
    matches = cards.match(analyse("What depth does the ACME Well Guide 2.0 require?"), RARE)
    assert [id for id, match in matches.items() if match.is_other_version] == ["guide-1"]


def test_no_edition_is_wrong_where_none_is_asked_for(cards):
    matches = cards.match(analyse("What depth does the ACME Well Guide require?"), RARE)
    assert not any(match.is_other_version for match in matches.values())


def test_the_year_of_publication_names_a_document(cards):
    fit = fits(cards, "What did the ACME Well Guide (2015) require?")
    assert max(fit, key=fit.get) == "guide-1"


def test_years_between_two_named_ones_fit_a_question_about_change(cards):
    fit = fits(cards, "How has the ACME Well Guide changed from 2014 to 2022?")
    assert fit["guide-1"] == fit["guide-2"]


def test_an_author_names_a_document(cards):
    fit = fits(cards, "What does the Borealis Institute forbid?")
    assert max(fit, key=fit.get) == "manual"


def test_a_common_word_in_a_title_names_little(cards):
    common = Rarity(1000, {"pump": 900})
    matches = cards.match(analyse("How are pumps kept?"), common)
    assert matches["blog"].fit < 0.2


def test_a_card_carries_a_name_with_its_year_of_publication(cards):
    assert cards.by_id["manual"].carries(parse_name("What is in the Borealis Drilling Manual (2019)?"))
    assert not cards.by_id["manual"].carries(parse_name("What is in the Borealis Drilling Manual (2024)?"))


def test_the_year_in_a_title_outweighs_that_of_publication():
    card = DocumentCard("x", "Results of the Well Challenge 2023", published="2024-02-01")
    assert card.carries(parse_name("Who won the Well Challenge 2023?"))
    assert not card.carries(parse_name("Who won the Well Challenge 2024?"))


def test_a_file_name_is_read_as_words():
    card = DocumentCard("x", "", path="pdf/acme-sp-800-63b-guide-2017.pdf")
    assert term_set(("ACME", "800-63B", "2017")) <= card.terms


def test_no_card_fits_a_question_without_words(cards):
    assert Cards(()).match(analyse("?"), RARE) == {}
    assert fits(cards, "?") == {}


def test_a_compound_name_is_found_in_a_file_name():
    card = DocumentCard("x", "", path="txt/pump-kit-too-5.9-configuration.txt")
    assert card.carries(parse_name("What is the default depth of Pump-Kit-Too?"))


def test_what_a_body_says_is_said_in_its_own_documents():
    library = Cards(
        [
            DocumentCard("own", "Borealis pump manual", "Borealis Institute", "2020"),
            DocumentCard("other", "Using Borealis pumps at home", "A. Reader", "2021"),
            DocumentCard("far", "Wells", "A. Reader", "2021"),
        ]
    )
    assert library.find_own_documents("Borealis") == ["own"]
    assert library.find_own_documents("Wells") == ["far"]


def test_a_source_owns_what_it_wrote_and_what_bears_its_name_not_a_longer_word():
    cards = Cards(
        [
            DocumentCard("own", "Modules", "The Go Authors"),
            DocumentCard("named", "Go 1.22 release notes"),
            DocumentCard("other", "Google SRE workbook"),
        ]
    )
    assert cards.find_own_documents("Go") == ["own", "named"]
