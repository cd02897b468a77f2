"""Map the columns of a table to fields of a study, and its rows to studies. Missing values are not guessed."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from research.pipelines.common.pipeline_input_errors import InputRefused
from research.pipelines.synthesis.synthesis_finding_directions import direction_of, parse_direction
from research.pipelines.synthesis.synthesis_study_rows import (
    MAX_STUDIES,
    YEARS,
    Direction,
    Study,
    bare_doi,
    merge_duplicates,
)

MAX_DIGITS = 18  # of a sample size
Complain = Callable[[str, str], None]  # called with the field and the fault
# Common names of columns: whole names, best first, then patterns for longer names.
FIELDS: Mapping[str, tuple[str, str]] = {
    "title": (
        "title;study title;paper;article;study;name;t1;ti;titel",
        r"\btitle\b|\btitel\b|^(?:name of )?(?:the )?(?:study|paper|article|reference|citation|studie|publikation"
        r"|literatur|quelle)(?: name)?$",
    ),
    "authors": (
        "authors;author;author(s);first author;au;a1;autoren;autor",
        r"\bauthors?\b|\bautor\w*|\bverfasser\w*|\binvestigators?\b|\bresearchers?\b|^by$",
    ),
    "year": (
        "year;publication year;pub year;published;date;py;y1;da;jahr",
        r"\byear\b|jahr\b|^(?:date|published|publication date|date published|veröffentlicht)",
    ),
    "doi": ("doi;digital object identifier;do", r"\bdoi\b"),
    "journal": (
        "journal;journal name;secondary_title;journaltitle;source;venue;publication;jo;t2;zeitschrift",
        r"\bjournal\b|\bvenue\b|\bpublished in\b|\bconference\b|\bzeitschrift\b|^publisher$|\berschienen in\b",
    ),
    "design": (
        "design;study design;study type;type of study;type;methodology;method;methods;studiendesign;art der studie;art",
        r"\bdesign\b|\b(?:study|research) (?:type|kind|method\w*)|\btype of (?:study|research)|\bmethod\w*"
        r"|studien(?:typ|art|design)|\bmethode\b|\buntersuchungs",
    ),
    "population": (
        "population;participants;sample;subjects;cohort;patients;population / sample;stichprobe",
        r"\bpopulations?\b|\bparticipants?\b|\bsubjects?\b|\bpatients?\b|\bcohort\b|\bsample\b|^who\b"
        r"|\bteilnehm\w*|\bproband\w*|\bstichprobe\b|^untersuchte?\w*$|\bsetting\b|\bcrop\b|\bspecies\b",
    ),
    "sample_size": (
        "sample_size;sample size;n;size;number of participants;participants (n);stichprobengröße",
        r"\bsample size\b|^n\b|\bn$|\(n\)|\b(?:number|no|count) of \w+|\bsize\b|\banzahl\b|\bfallzahl\b"
        r"|stichprobengr|\bumfang\b|\btotal n\b|\bparticipants?\b|\bsample\b|\bsubjects?\b"
        r"|\bstichprobe\b|\bteilnehm\w*|\bproband\w*",
    ),
    "finding": (
        "finding;findings;result;results;main finding;key findings;conclusion;conclusions;ergebnis",
        r"\bfindings?\b|\bresults?\b|\bresultate?\b|\bconclusions?\b|\btake-?aways?\b|ergebnis\w*|\bbefund\w*|\bfazit\b"
        r"|schlussfolgerung\w*|\bwhat (?:was|they) found\b|\bmain effects?\b",
    ),
    "outcome": (
        "outcome;outcomes;primary outcome;endpoint;end point;measure;outcome measure;zielgröße",
        r"\boutcomes?\b|\bend ?points?\b|\bmeasures?\b|\bmeasured\b|\bmetrics?\b|\b(?:dependent )?variables?\b"
        r"|\bindicators?\b|zielgr|\bendpunkt\w*|\bzielvariable\b|\bmerkmal\b|\bmessgr",
    ),
    "direction": (
        "direction;effect direction;direction of effect;effect;richtung",
        r"\bdirection\b|richtung\b|^(?:effect|wirkung)$",
    ),
    "preprint": (
        "preprint;is preprint;preprint?;publication status;status;peer reviewed",
        r"\bpreprint\b|\bpeer\b|\breviewed\b|\brefereed\b|\bbegutachtet\b|\bpublication (?:status|type)\b"
        r"|\btype of publication\b|\bpublikations(?:typ|art|status)\b",
    ),
    "url": ("url;link;web;ur;urls", r"\burl\b|\blink\b|\bweb ?(?:site|page|address)\b|\badresse\b"),
    "evidence": (
        "evidence_sentence;evidence;quote;abstract;n2;ab;notes_abstract;zusammenfassung",
        r"\babstract\b|\bquote\b|\bevidence sentence\b|\bsummary\b|\bzitat\b|\bzusammenfassung\b",
    ),
    "id": ("id;study id;paper id;key;record", r"^(?:study|paper|record) (?:id|no|nr|number)$"),
}  # fmt: skip
_PATTERNS = {field: re.compile(pattern, re.IGNORECASE) for field, (_, pattern) in FIELDS.items()}
_NOT_PEOPLE = re.compile(
    r"^\W*\d+ (?:studies|trials|rcts|papers|articles|reviews|cohorts|studien)\W*$", re.IGNORECASE
)
# A column on peer review has the opposite meaning of one on preprints.
_OF_REVIEW = re.compile(r"\bpeer\b|\breviewed\b|\brefereed\b|\bbegutachtet\b", re.IGNORECASE)
SAMPLED = 50  # rows whose cells determine the content of a column
_NUMBER = re.compile(r"\W*(?:n ?= ?)?\d[\d.,'’\s\u202f]*\W*(?:\w+(?: \w+)?)?")
_TRUE = frozenset("true yes y 1 x ja j wahr ✓".split())
_FALSE = frozenset("false no n 0 - nein falsch ✗".split()) | {""}
_NOT_REVIEWED = re.compile(
    r"\bpre-?print\w*|\bworking paper|\bunder review|\bsubmitted|\bunpublished|\bmanuscript|\bin preparation"
    r"|\b(?:not|non|nicht)[ -]+(?:yet )?(?:peer|reviewed|refereed|published|begutachtet)|\bgrey literature",
    re.IGNORECASE,
)
_REVIEWED = re.compile(
    r"\bpeer|\breviewed|\brefereed|\bpublished|\bjournal|\bconference|\bproceedings|\barticle|\bin press|\baccepted"
    r"|\bbegutachtet|\bveröffentlicht",
    re.IGNORECASE,
)
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


# Designs as named in titles and abstracts; the most general first.
_DESIGNS = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        r"\b(?P<design>(?:network |individual patient data )?meta-?analys[ei]s)\b",
        r"\b(?P<design>(?:systematic|scoping|umbrella) review)\b",
        r"\b(?P<design>(?:cluster[- ])?randomi[sz]ed (?:(?:double-blind|placebo-controlled|controlled|clinical"
        r"|crossover)"
        r",? ){0,3}trial|randomly (?:assigned|allocated))\b",
        r"\b(?P<design>(?:prospective |retrospective )?cohort study|case-control study|cross-sectional (?:study|survey)"
        r"|longitudinal study|case series|field (?:trial|experiment)s?|controlled experiment|quasi-experiment)\b",
    )
)


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table as read: cells of text, in rows of equal length."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class CellProblem:
    """A cell whose value is invalid for its column. `row` counts from 1."""

    row: int
    field: str
    message: str

    def __str__(self) -> str:
        return f"Row {self.row}, {self.field}: {self.message}"


@dataclass(frozen=True, slots=True)
class MappedStudies:
    studies: tuple[Study, ...]
    problems: tuple[CellProblem, ...]  # cells that were left empty because of their values
    repeated: tuple[int, ...]  # rows about the study of an earlier row


REPEATED = "an earlier row is about the same study."


def guess_mapping(headers: Sequence[str], rows: Sequence[Sequence[str]] = ()) -> dict[str, str]:
    """Return the column of each field, by the columns' names and, if several fit, by the contents of their cells.

    Each column is used once: matched first by its whole name, then by words in it.
    """
    names = {header: _plain(header) for header in headers if header.strip()}
    cells = {
        header: [row[place].strip() for row in rows[:SAMPLED] if place < len(row) and row[place].strip()]
        for place, header in enumerate(headers)
    }
    mapping: dict[str, str] = {}
    for is_whole in (True, False):
        for field, (spelled, _) in FIELDS.items():
            if field in mapping:
                continue
            left = [header for header in names if header not in mapping.values()]
            fitting = _find_named(spelled, names, left) if is_whole else _find_matching(field, names, left)
            plausible = [header for header in fitting if _can_hold(field, cells[header])]
            if plausible:
                mapping[field] = plausible[0]
    mapping = _with_title(_with_finding(mapping, cells), cells)
    return {field: mapping[field] for field in FIELDS if field in mapping}


def _find_named(spelled: str, names: Mapping[str, str], left: Sequence[str]) -> list[str]:
    return [header for name in spelled.split(";") for header in left if names[header] == _plain(name)]


def _find_matching(field: str, names: Mapping[str, str], left: Sequence[str]) -> list[str]:
    return [header for header in left if _PATTERNS[field].search(names[header])]


def _can_hold(field: str, cells: Sequence[str]) -> bool:
    """Return True if the cells fit the field: numbers are not a population, and words are not sizes.

    An empty column fits any field.
    """
    if not cells or field not in ("population", "sample_size", "finding", "title"):
        return True
    numbers = sum(_NUMBER.fullmatch(cell) is not None for cell in cells)
    if field == "sample_size":
        return (
            numbers + sum(cell.casefold() in _UNKNOWN for cell in cells) >= 0.5 * len(cells)
            or any(any(map(str.isdigit, cell)) for cell in cells)
            and numbers > 0
        )
    return numbers <= 0.5 * len(cells)


def _with_title(mapping: dict[str, str], cells: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Add a column of titles if no name matches: the first whose cells are distinct texts."""
    if "title" in mapping:
        return mapping
    taken = set(mapping.values())
    for column, given in cells.items():
        is_named = column not in taken and _can_hold("title", given) and len(set(given)) == len(given) > 0
        if is_named and sum(len(cell.split()) for cell in given) >= 2 * len(given):
            return {**mapping, "title": column}
    return mapping


def _with_finding(mapping: dict[str, str], cells: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Add a column of findings if no name matches: one in which most cells state a direction.

    It may be named “outcome”, which is ambiguous.
    """
    if "finding" in mapping or "evidence" in mapping:
        return mapping
    taken = {column for field, column in mapping.items() if field != "outcome"}
    for column in (column for column in cells if column not in taken):
        has_direction = [direction_of(cell) is not Direction.UNCLEAR for cell in cells[column]]
        if has_direction and sum(has_direction) > 0.5 * len(has_direction):
            kept = {field: name for field, name in mapping.items() if name != column}
            return {**kept, "finding": column}
    return mapping


def _plain(name: str) -> str:
    from citations.text.quote_normalizing import normalize  # imports numpy, needed only to start a run

    apart = re.sub(r"(?<=[a-zß-ÿ])(?=[A-ZÄÖÜ])|[_\-‐‑–]", " ", name)  # sampleSize, peer-reviewed
    return " ".join(normalize(apart).split()).strip(" .:*")


def map_rows(grid: StudyTable, mapping: Mapping[str, str], *, is_joined: bool = True) -> MappedStudies:
    """Map the rows of a table to studies; rows about one study are joined unless `is_joined` is False.

    Raises InputRefused: no_title, unknown_column, no_rows, too_many.
    """
    _check(grid, mapping)
    places = {field: grid.headers.index(column) for field, column in mapping.items()}
    is_review = bool(_OF_REVIEW.search(_plain(mapping.get("preprint", ""))))
    studies: list[Study] = []
    numbers = []
    problems: list[CellProblem] = []
    for number, row in enumerate(grid.rows, 1):
        if not any(cell.strip() for cell in row):
            continue
        cells = {field: row[place].strip() if place < len(row) else "" for field, place in places.items()}
        if is_review and cells["preprint"]:
            cells["preprint"] = _flip(cells["preprint"])
        study = _study(number, cells, problems)
        if study is not None:
            studies.append(study)
            numbers.append(number)
    if not studies:
        raise InputRefused("no_rows", "No row has a title: there is no study in this table.")
    if not is_joined:
        return MappedStudies(tuple(studies), tuple(problems), ())
    distinct = merge_duplicates(studies)
    repeated = tuple(numbers[at] for at in distinct.repeated_places)
    return MappedStudies(distinct.studies, tuple(problems), repeated)


def _flip(text: str) -> str:
    """Convert an answer to “peer reviewed” to that of a status: yes to “peer reviewed”, no to a preprint's “yes”."""
    word = text.casefold().strip(" .!")
    return "peer reviewed" if word in _TRUE else "yes" if word in _FALSE else text


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
    if len(grid.rows) > MAX_STUDIES:
        raise InputRefused(
            "too_many", f"The table has {len(grid.rows)} rows; the limit is {MAX_STUDIES} studies."
        )


def _study(number: int, cells: Mapping[str, str], problems: list[CellProblem]) -> Study | None:
    def complain(field: str, message: str) -> None:
        problems.append(CellProblem(number, field, message))

    if not cells.get("title"):
        complain("title", "it is empty, so the row is left out.")
        return None
    return study_of(dict(_values(cells, complain)), complain)


def study_of(values: dict[str, object], complain: Complain) -> Study | None:
    """Return a study without invalid values, which are reported to `complain`; None without a title."""
    try:
        return Study.model_validate(values)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            field = str(fault["loc"][0]) if fault["loc"] else "row"
            complain(field, f"{fault['msg']}.")
            values.pop(field, None)
        return Study.model_validate(values) if "title" in values else None


def _values(cells: Mapping[str, str], complain: Complain) -> Iterator[tuple[str, object]]:
    for field in ("id", "title", "authors", "journal", "population", "outcome", "url", "evidence"):
        yield field, cells.get(field, "")
    design = "" if _BIBLIOGRAPHIC.fullmatch(cells.get("design", "")) else cells.get("design")
    yield "design", design or find_stated_design(cells["title"], cells.get("evidence", ""))
    finding = cells.get("finding") or conclusion_of(cells.get("evidence", ""))
    yield "finding", finding
    yield "doi", bare_doi(cells.get("doi", "")) or bare_doi(cells.get("url", ""))
    if cells.get("doi") and not bare_doi(cells["doi"]):
        complain("doi", f"“{cells['doi'][:60]}” is not a valid DOI.")
    yield "year", _year(cells.get("year", ""), complain)
    yield "sample_size", _size(cells.get("sample_size", ""), complain)
    yield "direction", _direction(cells, finding, complain)
    is_preprint = _preprint(cells, complain)
    yield "preprint", is_preprint
    yield "reviewed", False if is_preprint else _reviewed(cells)


# Types of publications in a column “type”, which are no designs.
_BIBLIOGRAPHIC = re.compile(
    r"\s*(?:JOUR|CONF|CPAPER|CHAP|THES|RPRT|BOOK|GEN|ELEC|UNPB|(?:journal |research |original |conference )?"
    r"(?:article|paper)|inproceedings|misc|thesis)\s*",
    re.IGNORECASE,
)


def find_stated_design(title: str, abstract: str) -> str:
    """Return the design of a study in the words of its title or abstract; "" if neither names it.

    >>> find_stated_design("Statins and diabetes: a collaborative meta-analysis of randomised trials", "")
    'meta-analysis'
    """
    for text in (title, abstract):
        for words in _DESIGNS:
            if found := words.search(text):
                return found["design"]
    return ""


def _year(text: str, complain: Complain) -> int | None:
    if text.casefold() in _UNKNOWN:
        return None
    found = re.search(r"\b(\d{4})\b", text)
    if found and YEARS[0] <= int(found[1]) <= YEARS[1]:
        return int(found[1])
    complain("year", f"“{text[:40]}” is not a valid year.")
    return None


def _size(text: str, complain: Complain) -> int | None:
    """Return the first number, which may have thousands separators.

    >>> _size("n = 1,180 adults", print)
    1180
    """
    if text.casefold() in _UNKNOWN:
        return None
    if _NOT_PEOPLE.search(text):
        complain("sample_size", f"“{text[:40]}” counts studies, not those who took part.")
        return None
    found = re.search(
        r"(?<![\d.\-])\d{1,3}(?:[,.'’ \u202f]\d{3})+(?!\d)|(?<![\d.\-])\d+(?:\.0+)?(?![\d.]*\d)", text
    )
    digits = "" if found is None else re.sub(r"\D", "", re.sub(r"\.0{1,2}$", "", found[0]))
    if not 0 < len(digits) <= MAX_DIGITS:
        complain("sample_size", f"“{text[:40]}” is not a valid sample size.")
        return None
    return int(digits)


def _direction(cells: Mapping[str, str], finding: str, complain: Complain) -> Direction:
    text, outcome = cells.get("direction", ""), cells.get("outcome", "")
    if text.casefold() in _UNKNOWN - {"none", "null"}:
        return direction_of(finding, outcome)
    stated = parse_direction(text)
    if stated is None:
        complain("direction", f"“{text[:40]}” names no direction; the words of the finding decide.")
    return stated or direction_of(finding, outcome)


def _preprint(cells: Mapping[str, str], complain: Complain) -> bool:
    text = cells.get("preprint", "").casefold().strip(" .!")
    if text in _TRUE or _NOT_REVIEWED.search(text):
        return True
    if text and (text in _FALSE or _REVIEWED.search(text)):
        return False
    if text and text not in _UNKNOWN:
        complain("preprint", f"“{text[:40]}” is neither yes nor no.")
    provenance = " ".join(cells.get(name, "") for name in ("journal", "doi", "url", "design"))
    return bool(_PREPRINTS.search(provenance))


def _reviewed(cells: Mapping[str, str]) -> bool | None:
    """Return True if the table says that a study was reviewed; that it is no preprint does not say so."""
    return True if _OF_REVIEW.search(cells.get("preprint", "")) else None


def conclusion_of(abstract: str) -> str:
    """Return the sentence of an abstract that states the finding, verbatim; empty without an abstract."""
    text = " ".join(abstract.split())
    return (_find_marked_conclusion(text) or _last_sentence(text) or text).strip()[:2_000]


def _find_marked_conclusion(text: str) -> str:
    """Return whichever comes first: the text after a conclusion heading, or a sentence with “we found” or the like."""
    ends = [match.end() for match in _END.finditer(text)]
    headed = _CONCLUSION.search(text[: ends[-1]]) if ends else None  # no heading can match without one
    start, found = _find_finding_sentence(text)
    return headed["said"] if headed and (not found or headed.start() <= start) else found


def _find_finding_sentence(text: str) -> tuple[int, str]:
    """Return the first sentence with “we found” or the like, and its start.

    A stretch of text that was searched for a sentence end in vain is not searched again.
    """
    begin = tried = 0
    marks = _MARK.finditer(text)
    mark = next(marks, None)
    for phrase in _WE.finditer(text):
        while mark and mark.start() < phrase.start():
            begin, mark = mark.end(), next(marks, None)
        if phrase.start() < tried:
            continue
        if found := _FULL_STOP.match(text, phrase.end()):
            return begin, text[begin : found.end()]
        stop = _STOP.search(text, phrase.end())
        tried = stop.start() if stop else len(text)
    return 0, ""


def _last_sentence(text: str) -> str:
    """Return the last sentence; empty if the text does not end in one."""
    if len(text) < 2 or not _MARK.match(text[-1]) or _MARK.match(text[-2]):
        return ""
    return text[1 + max(text.rfind(mark, 0, -1) for mark in ".!?") :]
