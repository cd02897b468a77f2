"""Each style against works whose entries were written by hand from the style's published rules.

The works are invented (tests/citations/works.py). Beside each expected entry stands the rule that it shows.
"""

from dataclasses import replace

import pytest

from citations.bibliography.bibliography_by_pandoc import (
    PandocError,
    PandocMissing,
    PandocTimeout,
    pandoc_path,
    run_pandoc,
)
from citations.bibliography.csl_references import Name, PartialDate, Reference, WorkType
from citations.citation_styles import (
    CitationStyle,
    UnknownStyle,
    bibtex,
    format_references,
    style_file,
    style_of,
)
from tests.citations.works import (
    ARTICLE,
    BARE_PAGE,
    BOOK,
    DATA,
    GERMAN,
    NEWS,
    PAGE,
    REPORT,
    UNDATED,
    UNTITLED,
    WORKS,
)

EXPECTED = {
    CitationStyle.APA: {
        # 10.1: volume in italics with the issue in brackets; an en dash between pages; the DOI as an address.
        "article": "Müller, A., & van der Berg, J. (2023). Carbon storage in rewetted peat. Journal of Wetland "
        "Studies, 12(3), 101–118. https://doi.org/10.1234/peat.2023.7",
        # 10.16: a page with a date needs no date of retrieval.
        "page": "Lindqvist, A. (2024, June 3). Cold-climate heat pumps: What the trial found. Nordhaus Energy. "
        "https://nordhaus.example/trial",
        # 9.12: without an author the title goes first; 9.16: a date of retrieval for what is undated.
        "bare-page": "About the agency. (n.d.). Agency Website. Retrieved November 2, 2026, from "
        "https://agency.example/about",
        # 9.11: an organization as author is written out.
        "undated": "City Works. (n.d.). How to read a meter. Retrieved November 2, 2026, from "
        "https://works.example/meter",
        # 9.29: a publisher that is the author is not repeated.
        "report": "Ministry of Building. (2023). Heating without oil. https://policy.example/guide",
        # 9.29: no place of publication; 9.8: initials with spaces.
        "book": "Okafor, N. A. (2019). The cold house. Harbour Press.",
        # 10.1 (newspapers): the whole date.
        "news": "Town switches off its last oil boiler. (2025, January 14). The Valley Post. "
        "https://post.example/boiler",
        # 10.9: the kind of work in brackets.
        "data": "Lind, A. (2022). Hourly indoor temperatures, Kiruna homes [Data set]. Nordhaus Data Archive. "
        "https://doi.org/10.1234/data.22",
        # 9.8: up to twenty authors are all named; journals give the year only.
        "four": "Adler, B., Brandt, C., Costa, D., & Dahl, E. (2021). Eleven winters. Annals of Building, 4, 7.",
        # 9.22: a description in brackets in place of the title.
        "untitled": "Reyes, S. (2020, February 1). [Web page]. https://reyes.example/post",
        # 9.17: n.d.; what has no issue and no pages goes without.
        "german": "Vogt, I. (n.d.). Wärme aus dem Boden. Zeitschrift für Baukunde, 8.",
    },
    CitationStyle.MLA: {
        # The second author is not inverted; page ranges are shortened to two figures.
        "article": "Müller, Anton, and Jan van der Berg. “Carbon Storage in Rewetted Peat.” Journal of Wetland "
        "Studies, vol. 12, no. 3, 2023, pp. 101–18, https://doi.org/10.1234/peat.2023.7.",
        # Headline capitals; day, month, year.
        "page": "Lindqvist, Anna. “Cold-Climate Heat Pumps: What the Trial Found.” Nordhaus Energy, 3 June 2024, "
        "https://nordhaus.example/trial.",
        # An undated page gives the date of access last.
        "bare-page": "“About the Agency.” Agency Website, https://agency.example/about. Accessed 2 Nov. 2026.",
        # A work that stands alone is not in quotation marks.
        "undated": "City Works. How to Read a Meter. https://works.example/meter. Accessed 2 Nov. 2026.",
        # An organization that publishes its own work is named as publisher only.
        "report": "Heating Without Oil. Ministry of Building, May 2023, https://policy.example/guide.",
        # Given names in full; no place of publication.
        "book": "Okafor, Ngozi Ada. The Cold House. Harbour Press, 2019.",
        # Long names of months are abbreviated.
        "news": "“Town Switches Off Its Last Oil Boiler.” The Valley Post, 14 Jan. 2025, "
        "https://post.example/boiler.",
        "data": "Lind, A. “Hourly Indoor Temperatures, Kiruna Homes.” Nordhaus Data Archive, 2022, "
        "https://doi.org/10.1234/data.22.",
        # Three authors and more: et al. One page: p.
        "four": "Adler, Bea, et al. “Eleven Winters.” Annals of Building, vol. 4, Sept. 2021, p. 7.",
        # A plain description in place of the title.
        "untitled": "Reyes, Sol. Web page. 1 Feb. 2020, https://reyes.example/post.",
        # A title in another language keeps its own capitals; no date, none given.
        "german": "Vogt, Ida. “Wärme aus dem Boden.” Zeitschrift für Baukunde, vol. 8.",
    },
    CitationStyle.CHICAGO: {
        # Author-date: the year after the names; page ranges are shortened.
        "article": "Müller, Anton, and Jan van der Berg. 2023. “Carbon Storage in Rewetted Peat.” Journal of "
        "Wetland Studies 12 (3): 101–18. https://doi.org/10.1234/peat.2023.7.",
        # Month and day stay behind the source; access dates are given.
        "page": "Lindqvist, Anna. 2024. “Cold-Climate Heat Pumps: What the Trial Found.” Nordhaus Energy, June 3. "
        "Accessed November 2, 2026. https://nordhaus.example/trial.",
        # The owner of a site stands for a missing author.
        "bare-page": "Agency Website. n.d. “About the Agency.” Accessed November 2, 2026. "
        "https://agency.example/about.",
        "undated": "City Works. n.d. “How to Read a Meter.” Accessed November 2, 2026. https://works.example/meter.",
        # An organization may be author and publisher.
        "report": "Ministry of Building. 2023. Heating Without Oil. Ministry of Building. Accessed November 2, 2026. "
        "https://policy.example/guide.",
        # 18th edition: no place of publication.
        "book": "Okafor, Ngozi Ada. 2019. The Cold House. Harbour Press.",
        # An unsigned article goes under its newspaper.
        "news": "The Valley Post. 2025. “Town Switches Off Its Last Oil Boiler.” January 14. Accessed November 2, "
        "2026. https://post.example/boiler.",
        "data": "Lind, A. 2022. “Hourly Indoor Temperatures, Kiruna Homes.” Nordhaus Data Archive. "
        "https://doi.org/10.1234/data.22.",
        # Up to six authors are all named; a month stands for a missing issue.
        "four": "Adler, Bea, Cleo Brandt, Dino Costa, and Eva Dahl. 2021. “Eleven Winters.” Annals of Building 4 "
        "(September): 7.",
        # A description in place of the title.
        "untitled": "Reyes, Sol. 2020. Web page. February 1. Accessed November 2, 2026. https://reyes.example/post.",
        "german": "Vogt, Ida. n.d. “Wärme aus dem Boden.” Zeitschrift für Baukunde 8.",
    },
    CitationStyle.HARVARD: {
        # Cite Them Right: single quotation marks, pp., Available at.
        "article": "Müller, A. and van der Berg, J. (2023) ‘Carbon storage in rewetted peat’, Journal of Wetland "
        "Studies, 12(3), pp. 101–118. Available at: https://doi.org/10.1234/peat.2023.7.",
        # Every page has its date of access; the day before the month.
        "page": "Lindqvist, A. (2024) Cold-climate heat pumps: What the trial found, Nordhaus Energy. Available at: "
        "https://nordhaus.example/trial (Accessed: 2 November 2026).",
        # Without an author the title goes first; “no date” is written out.
        "bare-page": "About the agency (no date) Agency Website. Available at: https://agency.example/about "
        "(Accessed: 2 November 2026).",
        "undated": "City Works (no date) How to read a meter. Available at: https://works.example/meter "
        "(Accessed: 2 November 2026).",
        "report": "Ministry of Building (2023) Heating without oil. Ministry of Building. Available at: "
        "https://policy.example/guide (Accessed: 2 November 2026).",
        # Place: publisher; initials without spaces.
        "book": "Okafor, N.A. (2019) The cold house. Leeds: Harbour Press.",
        # An unsigned article goes under its newspaper; day and month without the year.
        "news": "The Valley Post (2025) ‘Town switches off its last oil boiler’, 14 January. Available at: "
        "https://post.example/boiler (Accessed: 2 November 2026).",
        "data": "Lind, A. (2022) ‘Hourly indoor temperatures, Kiruna homes’. Nordhaus Data Archive. Available at: "
        "https://doi.org/10.1234/data.22.",
        # Four authors and more: et al. One page: p.
        "four": "Adler, B. et al. (2021) ‘Eleven winters’, Annals of Building, 4, p. 7.",
        # Without a title the address identifies the page.
        "untitled": "Reyes, S. (2020). Available at: https://reyes.example/post (Accessed: 2 November 2026).",
        "german": "Vogt, I. (no date) ‘Wärme aus dem Boden’, Zeitschrift für Baukunde, 8.",
    },
    CitationStyle.IEEE: {
        # Numbers in the order of citing; initials first; vol., no., pp.
        "article": "[1] A. Müller and J. van der Berg, “Carbon storage in rewetted peat,” Journal of Wetland Studies, "
        "vol. 12, no. 3, pp. 101–118, 2023, doi: 10.1234/peat.2023.7.",
        # A page gives its date of access and no date of publication.
        "page": "[2] A. Lindqvist, “Cold-climate heat pumps: What the trial found,” Nordhaus Energy. Accessed: "
        "Nov. 02, 2026. [Online]. Available: https://nordhaus.example/trial",
        "bare-page": "[3] “About the agency,” Agency Website. Accessed: Nov. 02, 2026. [Online]. Available: "
        "https://agency.example/about",
        # No date, none given.
        "undated": "[4] City Works, “How to read a meter.” Accessed: Nov. 02, 2026. [Online]. Available: "
        "https://works.example/meter",
        "report": "[5] Ministry of Building, “Heating without oil,” Ministry of Building, May 2023. Accessed: Nov. 02, "
        "2026. [Online]. Available: https://policy.example/guide",
        # Place: publisher, year.
        "book": "[6] N. A. Okafor, The cold house. Leeds: Harbour Press, 2019.",
        "news": "[7] “Town switches off its last oil boiler,” The Valley Post, Jan. 14, 2025. Accessed: Nov. 02, 2026. "
        "[Online]. Available: https://post.example/boiler",
        "data": "[8] A. Lind, “Hourly indoor temperatures, Kiruna homes.” Nordhaus Data Archive, 2022. "
        "doi: 10.1234/data.22.",
        # Up to six authors are all named; the month abbreviated.
        "four": "[9] B. Adler, C. Brandt, D. Costa, and E. Dahl, “Eleven winters,” Annals of Building, vol. 4, p. 7, "
        "Sep. 2021.",
        # A missing title leaves its place empty.
        "untitled": "[10] S. Reyes, Accessed: Nov. 02, 2026. [Online]. Available: https://reyes.example/post",
        "german": "[11] I. Vogt, “Wärme aus dem Boden,” Zeitschrift für Baukunde, vol. 8.",
    },
}
IN_TEXT = {
    CitationStyle.APA: {"article": "(Müller & van der Berg, 2023)", "four": "(Adler et al., 2021)"},
    CitationStyle.MLA: {
        "article": "(Müller and van der Berg)",
        "bare-page": "(“About the Agency”)",
        "four": "(Adler et al.)",
    },
    CitationStyle.CHICAGO: {"article": "(Müller and van der Berg 2023)", "undated": "(City Works, n.d.)"},
    CitationStyle.HARVARD: {"article": "(Müller and van der Berg, 2023)", "undated": "(City Works, no date)"},
    CitationStyle.IEEE: {"article": "[1]", "german": "[11]"},
    CitationStyle.INLINE: {"data": "(Lind, 2022)", "bare-page": "(About the Agency, n.d.)"},
}
CASES = [(style, work) for style, expected in EXPECTED.items() for work in expected]


def format_by_id(style: CitationStyle, *references: Reference) -> dict[str, str]:
    return {reference.id: reference.text for reference in format_references(references or WORKS, style)}


@pytest.mark.parametrize(("style", "work"), CASES, ids=lambda value: str(value))
def test_an_entry_is_what_the_styles_rules_make_of_it(style, work):
    assert format_by_id(style)[work] == EXPECTED[style][work]


@pytest.mark.parametrize("style", IN_TEXT)
def test_a_citation_in_the_text_has_the_styles_form(style):
    found = {reference.id: reference.in_text for reference in format_references(WORKS, style)}
    assert {work: found[work] for work in IN_TEXT[style]} == IN_TEXT[style]


def test_author_date_styles_list_by_author_and_ieee_by_order():
    assert list(format_by_id(CitationStyle.APA))[:3] == ["bare-page", "four", "undated"]
    assert list(format_by_id(CitationStyle.IEEE)) == [reference.id for reference in WORKS]


def test_the_inline_style_is_the_citation_in_a_sentence():
    assert format_by_id(CitationStyle.INLINE)["data"] == "(Lind, 2022)"


def test_two_works_of_one_author_and_year_are_told_apart():
    other = replace(DATA, id="other", title="Hourly outdoor temperatures, Kiruna homes")
    found = format_by_id(CitationStyle.APA, DATA, other)
    assert "(2022a)" in found["data"]
    assert "(2022b)" in found["other"]


def test_html_has_italics_and_links_and_nothing_of_the_sources_own():
    hostile = replace(
        PAGE,
        title="<script>alert(1)</script> & *stars*",
        url='https://x.example/?a="><b>&c=1',
        container_title="",
    )
    [one] = format_references([hostile], CitationStyle.APA)
    assert "<em>&lt;script&gt;alert(1)&lt;/script&gt; &amp; *stars*</em>" in one.html
    assert "<b>" not in one.html
    assert "<script>alert(1)</script> & *stars*" in one.text


def test_an_address_that_is_not_of_the_web_is_not_given():
    [one] = format_references([replace(PAGE, url="javascript:alert(1)")], CitationStyle.HARVARD)
    assert "javascript" not in one.html


@pytest.mark.parametrize(
    "title",
    ["\ud800 lone", "con\x00trol\x1b", "\u202eright to left", "كلمة المرور", "𝔘🙂", "a\nb", "{}%$#_^~\\"],
)
@pytest.mark.parametrize("style", [CitationStyle.APA, CitationStyle.IEEE])
def test_any_title_gets_an_entry(title, style):
    assert format_by_id(style, replace(BOOK, title=title))["book"]


def test_a_huge_title_is_cut():
    assert len(format_by_id(CitationStyle.IEEE, replace(BOOK, title="long " * 2_000_000))["book"]) < 3_000


@pytest.mark.parametrize("style", list(CitationStyle))
def test_a_work_of_which_nothing_is_known_has_an_entry_all_the_same(style):
    assert format_by_id(style, Reference("nothing", WorkType.DOCUMENT))["nothing"]


def test_no_references_make_an_empty_list_without_pandoc(monkeypatch):
    monkeypatch.setattr("citations.citation_styles.run_pandoc", None)
    assert format_references([], CitationStyle.APA) == ()


def test_the_same_list_is_formatted_once(monkeypatch):
    first = format_references([BOOK, NEWS], CitationStyle.MLA)
    monkeypatch.setattr("citations.citation_styles.run_pandoc", None)
    assert format_references([BOOK, NEWS], CitationStyle.MLA) == first


def test_the_words_of_the_style_can_be_in_another_language():
    [one] = format_references([UNDATED], CitationStyle.APA, "de-DE")
    assert "o.\u00a0J." in one.text


def test_two_references_of_one_id_are_refused():
    with pytest.raises(ValueError, match="one id"):
        format_references([BOOK, BOOK], CitationStyle.APA)


def test_an_unknown_style_is_named():
    with pytest.raises(UnknownStyle, match="turabian"):
        style_of("turabian")


def test_a_style_file_that_is_not_installed_is_named():
    with pytest.raises(UnknownStyle, match="no-such-style"):
        style_file("no-such-style")


def test_without_pandoc_the_error_says_so(monkeypatch, tmp_path):
    pandoc_path.cache_clear()
    monkeypatch.setattr("citations.bibliography.bibliography_by_pandoc.find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        with pytest.raises(PandocMissing, match="not installed"):
            format_references([replace(BOOK, title="Without a program")], CitationStyle.APA)
    finally:
        pandoc_path.cache_clear()


def test_a_program_that_hangs_is_stopped():
    with pytest.raises(PandocTimeout, match="seconds"):
        run_pandoc({}, limit_s=0.0)


def test_what_pandoc_refuses_is_an_error_with_its_reason():
    with pytest.raises(PandocError, match="pandoc could not"):
        run_pandoc({"no": "document"}, "-t", "json")


def test_a_program_that_cannot_be_started_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(
        "citations.bibliography.bibliography_by_pandoc.pandoc_path", lambda: str(tmp_path / "gone")
    )
    with pytest.raises(PandocMissing, match="started"):
        run_pandoc({}, "-t", "json")


def test_bibtex_keeps_the_doi_and_the_date_of_access():
    text = bibtex([ARTICLE, REPORT])
    assert "@article{article," in text
    assert "url = {https://doi.org/10.1234/peat.2023.7}" in text
    assert "author = {{Ministry of Building}}" in text
    assert "note = {Accessed 2026-11-02}" in text


def test_bibtex_escapes_what_is_special_in_it():
    assert "\\&" in bibtex([replace(BOOK, title="Warm & dry")])


@pytest.mark.parametrize("title", ["}} @article{planted,", "{", "a {b} c"])
def test_braces_in_bibtex_are_balanced_whatever_the_text_holds(title):
    text = bibtex([replace(BOOK, title=title, url="https://a.example/{x")])
    depths = [text[:end].count("{") - text[:end].count("}") for end in range(len(text) + 1)]
    assert min(depths) == depths[-1] == 0
    assert 0 not in depths[text.index("{") + 1 : text.rindex("}") + 1]


def test_no_references_make_no_bibtex():
    assert bibtex([]) == ""


def test_an_organization_beside_a_person_keeps_its_publisher():
    both = replace(REPORT, authors=(Name("Lind", "A."), Name(literal="Ministry of Building")))
    assert "Ministry of Building. https" in format_by_id(CitationStyle.APA, both)["report"]


def test_an_untitled_work_and_a_bare_page_keep_to_their_own_rules_side_by_side():
    assert set(format_by_id(CitationStyle.APA, UNTITLED, BARE_PAGE, GERMAN)) == {
        "untitled",
        "bare-page",
        "german",
    }


@pytest.mark.parametrize("parts", [(0,), (2024, 13), (2024, 2, 32), (2024, None, 3), (10_000,)])
def test_an_impossible_date_is_refused(parts):
    with pytest.raises(ValueError, match="not a date"):
        PartialDate(*parts)
