"""Mapping the columns of a table to the fields of a study, and its rows to studies. Missing values are not guessed."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from research.pipelines.common.input_errors import InputRefused
from research.pipelines.synthesis.directions import direction_of, parse_direction
from research.pipelines.synthesis.studies import MOST_STUDIES, YEARS, Direction, Study, bare_doi

MOST_DIGITS = 18  # of a number of participants
Complain = Callable[[str, str], None]  # with the field, and what is wrong with it
# Names of columns as tables have them; the first that fits is taken.
FIELDS: Mapping[str, str] = {
    "title": "title;study title;paper;article;study;name;t1;ti;titel",
    "authors": "authors;author;author(s);first author;au;a1;autoren;autor",
    "year": "year;publication year;pub year;published;date;py;y1;da;jahr",
    "doi": "doi;digital object identifier;do",
    "journal": "journal;journal name;secondary_title;journaltitle;source;venue;publication;jo;t2;zeitschrift",
    "design": "design;study design;study type;type of study;methodology;method;methods;studiendesign",
    "population": "population;participants;sample;subjects;cohort;patients;population / sample;stichprobe",
    "sample_size": "sample_size;sample size;n;size;number of participants;participants (n);stichprobengröße",
    "outcome": "outcome;outcomes;primary outcome;endpoint;end point;measure;outcome measure;zielgröße",
    "finding": "finding;findings;result;results;main finding;key findings;conclusion;conclusions;ergebnis",
    "direction": "direction;effect direction;direction of effect;effect;richtung",
    "preprint": "preprint;is preprint;preprint?;publication status;status;peer reviewed",
    "url": "url;link;web;ur;urls",
    "evidence": "evidence_sentence;evidence;quote;abstract;n2;ab;notes_abstract;zusammenfassung",
}
_TRUE = frozenset("true yes y 1 x ja preprint wahr".split())
_FALSE = frozenset("false no n 0 - nein published peer-reviewed reviewed falsch".split()) | {
    "",
    "peer reviewed",
}
_UNKNOWN = frozenset(
    {"", "-", "–", "n/a", "na", "nr", "not reported", "not stated", "unknown", "?", "null", "none"}
)
_PREPRINTS = re.compile(
    r"\b(?:arxiv|biorxiv|medrxiv|preprint\w*|ssrn|psyarxiv|osf|research square|10\.1101|10\.48550)\b", re.I
)
_CONCLUSION = re.compile(
    r"(?:^|[.:;]\s+)(?:conclusions?|conclusions? and relevance|interpretation"
    r"|schlussfolgerung(?:en)?)\b[:.]?\s*(?P<said>.+?[.!?])(?=\s|$)",
    re.IGNORECASE,
)
_WE = re.compile(
    r"\b(?:we (?:found|conclude|show|demonstrate)|these (?:results|findings)|our (?:results|findings))\b",
    re.IGNORECASE,
)
_FULL_STOP = re.compile(r"[^!?]*?\.(?=\s|$)")
_STOP = re.compile(r"[!?]")
_MARK, _END = re.compile(r"[.!?]"), re.compile(r"[.!?](?=\s|$)")


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table as it was read: texts, one row like the next."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class CellProblem:
    """Something in a cell that cannot be what its column says. `row` counts from 1."""

    row: int
    field: str
    message: str

    def __str__(self) -> str:
        return f"Row {self.row}, {self.field}: {self.message}"


@dataclass(frozen=True, slots=True)
class MappedStudies:
    studies: tuple[Study, ...]
    problems: tuple[CellProblem, ...]  # cells that were left empty for what they said
    repeated: tuple[int, ...]  # rows about a study that an earlier row is about


def guess_mapping(headers: Sequence[str]) -> dict[str, str]:
    """Field → column. Each column is taken once."""
    left = {_plain(header): header for header in reversed(headers) if header.strip()}
    found: dict[str, str] = {}
    for field, spelled in FIELDS.items():
        for name in spelled.split(";"):
            if _plain(name) in left:
                found[field] = left.pop(_plain(name))
                break
    return found


def _plain(name: str) -> str:
    from citations.text.normalizing import normalize  # brings numpy: only who starts a synthesis

    return re.sub(r"[\s_\-]+", " ", normalize(name)).strip(" .:*")


def map_rows(grid: StudyTable, mapping: Mapping[str, str]) -> MappedStudies:
    """Raises InputRefused: no_title, unknown_column, no_rows, too_many."""
    _check(grid, mapping)
    places = {field: grid.headers.index(column) for field, column in mapping.items()}
    studies: dict[str, Study] = {}
    problems: list[CellProblem] = []
    repeated = []
    for number, row in enumerate(grid.rows, 1):
        if not any(cell.strip() for cell in row):
            continue
        cells = {field: row[place].strip() if place < len(row) else "" for field, place in places.items()}
        study = _study(number, cells, problems)
        if study is None:
            continue
        if study.key in studies:
            repeated.append(number)
        studies.setdefault(study.key, study)
    if not studies:
        raise InputRefused("no_rows", "No row has a title: there is no study in this table.")
    return MappedStudies(tuple(studies.values()), tuple(problems), tuple(repeated))


def _check(grid: StudyTable, mapping: Mapping[str, str]) -> None:
    unknown = [field for field in mapping if field not in FIELDS]
    missing = [column for column in mapping.values() if column not in grid.headers]
    if unknown or missing:
        named = ", ".join([*unknown, *missing])
        raise InputRefused("unknown_column", f"There is no such field or column: {named}.")
    if "title" not in mapping:
        raise InputRefused(
            "no_title",
            f"No column says what the studies are called; there are: {', '.join(grid.headers) or 'none'}.",
        )
    if len(grid.rows) > MOST_STUDIES:
        raise InputRefused(
            "too_many", f"The table has {len(grid.rows)} rows; {MOST_STUDIES} studies can be taken."
        )


def _study(number: int, cells: Mapping[str, str], problems: list[CellProblem]) -> Study | None:
    def complain(field: str, message: str) -> None:
        problems.append(CellProblem(number, field, message))

    if not cells.get("title"):
        complain("title", "it is empty, so the row is left out.")
        return None
    return study_of(dict(_values(cells, complain)), complain)


def study_of(values: dict[str, object], complain: Complain) -> Study | None:
    """Without what it cannot have, of which is complained. None: without its title it is no study."""
    try:
        return Study.model_validate(values)
    except ValidationError as error:
        for one in error.errors(include_url=False):
            field = str(one["loc"][0]) if one["loc"] else "row"
            complain(field, f"{one['msg']}.")
            values.pop(field, None)
        return Study.model_validate(values) if "title" in values else None


def _values(cells: Mapping[str, str], complain: Complain) -> Iterator[tuple[str, object]]:
    for field in ("title", "authors", "journal", "design", "population", "outcome", "url", "evidence"):
        yield field, cells.get(field, "")
    finding = cells.get("finding") or conclusion_of(cells.get("evidence", ""))
    yield "finding", finding
    yield "doi", bare_doi(cells.get("doi", "")) or bare_doi(cells.get("url", ""))
    if cells.get("doi") and not bare_doi(cells["doi"]):
        complain("doi", f"“{cells['doi'][:60]}” is no DOI.")
    yield "year", _year(cells.get("year", ""), complain)
    yield "sample_size", _size(cells.get("sample_size", ""), complain)
    yield "direction", _direction(cells.get("direction", ""), finding, complain)
    yield "preprint", _preprint(cells, complain)


def _year(text: str, complain: Complain) -> int | None:
    if text.casefold() in _UNKNOWN:
        return None
    found = re.search(r"\b(\d{4})\b", text)
    if found and YEARS[0] <= int(found[1]) <= YEARS[1]:
        return int(found[1])
    complain("year", f"“{text[:40]}” is no year.")
    return None


def _size(text: str, complain: Complain) -> int | None:
    """The first number; thousands may be parted.

    >>> _size("n = 1,180 adults", print)
    1180
    """
    if text.casefold() in _UNKNOWN:
        return None
    found = re.search(
        r"(?<![\d.\-])\d{1,3}(?:[,.'’ \u202f]\d{3})+(?!\d)|(?<![\d.\-])\d+(?:\.0+)?(?![\d.]*\d)", text
    )
    digits = "" if found is None else re.sub(r"\D", "", re.sub(r"\.0{1,2}$", "", found[0]))
    if not 0 < len(digits) <= MOST_DIGITS:
        complain("sample_size", f"“{text[:40]}” is no number of participants.")
        return None
    return int(digits)


def _direction(text: str, finding: str, complain: Complain) -> Direction:
    if text.casefold() in _UNKNOWN - {"none", "null"}:
        return direction_of(finding)
    said = parse_direction(text)
    if said is None:
        complain("direction", f"“{text[:40]}” names no direction; the words of the finding decide.")
    return said or direction_of(finding)


def _preprint(cells: Mapping[str, str], complain: Complain) -> bool:
    text = cells.get("preprint", "").casefold()
    if text in _TRUE:
        return True
    if text and text not in _FALSE:
        complain("preprint", f"“{text[:40]}” is neither yes nor no.")
    if text and text in _FALSE:
        return False
    told = " ".join(cells.get(name, "") for name in ("journal", "doi", "url", "design"))
    return bool(_PREPRINTS.search(told))


def conclusion_of(abstract: str) -> str:
    """The sentence of an abstract in which it says what was found, word for word; empty where there is no
    abstract."""
    text = " ".join(abstract.split())
    return (_find_marked_conclusion(text) or _last_sentence(text) or text).strip()[:2_000]


def _find_marked_conclusion(text: str) -> str:
    """Whichever comes first: what stands below a heading, or in a sentence that says “we found” or the like."""
    ends = [one.end() for one in _END.finditer(text)]
    headed = (
        _CONCLUSION.search(text[: ends[-1]]) if ends else None
    )  # without an end each heading is looked for in vain
    start, found = _find_finding_sentence(text)
    return headed["said"] if headed and (not found or headed.start() <= start) else found


def _find_finding_sentence(text: str) -> tuple[int, str]:
    """A sentence and where it starts. What has no end up to some place is not looked at again up to there."""
    begin = tried = 0
    marks = _MARK.finditer(text)
    mark = next(marks, None)
    for told in _WE.finditer(text):
        while mark and mark.start() < told.start():
            begin, mark = mark.end(), next(marks, None)
        if told.start() < tried:
            continue
        if found := _FULL_STOP.match(text, told.end()):
            return begin, text[begin : found.end()]
        stop = _STOP.search(text, told.end())
        tried = stop.start() if stop else len(text)
    return 0, ""


def _last_sentence(text: str) -> str:
    """Empty where the text does not end in one."""
    if len(text) < 2 or not _MARK.match(text[-1]) or _MARK.match(text[-2]):
        return ""
    return text[1 + max(text.rfind(mark, 0, -1) for mark in ".!?") :]
