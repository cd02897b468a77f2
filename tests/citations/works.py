"""Invented works of many types, several with parts missing, for the tests of citation styles."""

from citations.bibliography.csl_references import Name, PartialDate, Reference, WorkType

SEEN = PartialDate(2026, 11, 2)

ARTICLE = Reference(
    "article",
    WorkType.JOURNAL_ARTICLE,
    "Carbon storage in rewetted peat",
    (Name("Müller", "Anton"), Name("van der Berg", "Jan")),
    PartialDate(2023),
    container_title="Journal of Wetland Studies",
    volume="12",
    issue="3",
    pages="101-118",
    doi="10.1234/peat.2023.7",
)
PAGE = Reference(
    "page",
    WorkType.WEBPAGE,
    "Cold-climate heat pumps: What the trial found",
    (Name("Lindqvist", "Anna"),),
    PartialDate(2024, 6, 3),
    SEEN,
    container_title="Nordhaus Energy",
    url="https://nordhaus.example/trial",
)
BARE_PAGE = Reference(
    "bare-page",
    WorkType.WEBPAGE,
    "About the agency",
    accessed=SEEN,
    container_title="Agency Website",
    url="https://agency.example/about",
)
UNDATED = Reference(
    "undated",
    WorkType.WEBPAGE,
    "How to read a meter",
    (Name(literal="City Works"),),
    accessed=SEEN,
    url="https://works.example/meter",
)
REPORT = Reference(
    "report",
    WorkType.REPORT,
    "Heating without oil",
    (Name(literal="Ministry of Building"),),
    PartialDate(2023, 5),
    SEEN,
    publisher="Ministry of Building",
    url="https://policy.example/guide",
)
BOOK = Reference(
    "book",
    WorkType.BOOK,
    "The cold house",
    (Name("Okafor", "Ngozi Ada"),),
    PartialDate(2019),
    publisher="Harbour Press",
    publisher_place="Leeds",
    isbn="9780000000002",
)
NEWS = Reference(
    "news",
    WorkType.NEWSPAPER_ARTICLE,
    "Town switches off its last oil boiler",
    issued=PartialDate(2025, 1, 14),
    accessed=SEEN,
    container_title="The Valley Post",
    url="https://post.example/boiler",
)
DATA = Reference(
    "data",
    WorkType.DATASET,
    "Hourly indoor temperatures, Kiruna homes",
    (Name("Lind", "A."),),
    PartialDate(2022),
    publisher="Nordhaus Data Archive",
    doi="10.1234/data.22",
)
FOUR_AUTHORS = Reference(
    "four",
    WorkType.JOURNAL_ARTICLE,
    "Eleven winters",
    (Name("Adler", "Bea"), Name("Brandt", "Cleo"), Name("Costa", "Dino"), Name("Dahl", "Eva")),
    PartialDate(2021, 9),
    container_title="Annals of Building",
    volume="4",
    pages="7",
)
UNTITLED = Reference(
    "untitled",
    WorkType.WEBPAGE,
    "",
    (Name("Reyes", "Sol"),),
    PartialDate(2020, 2, 1),
    SEEN,
    url="https://reyes.example/post",
)
GERMAN = Reference(
    "german",
    WorkType.JOURNAL_ARTICLE,
    "Wärme aus dem Boden",
    (Name("Vogt", "Ida"),),
    container_title="Zeitschrift für Baukunde",
    volume="8",
    language="de",
)
WORKS = (ARTICLE, PAGE, BARE_PAGE, UNDATED, REPORT, BOOK, NEWS, DATA, FOUR_AUTHORS, UNTITLED, GERMAN)
