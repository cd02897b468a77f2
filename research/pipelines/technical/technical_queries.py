"""Build search queries: the question with its technologies, and rephrased in the words of its type. Pure.

They are built from the question, technologies, keywords, recency and source preference (spec: agents-and-tools.md,
Technical search). Terms that only distinguish web pages are left out if only the library is searched, since they would
lower the rank of the passages that answer.
"""

import re
from collections.abc import Iterable, Mapping

from research.pipelines.technical.technical_config import Preference, QuestionType, TechnicalConfig

MAX_QUERY_LENGTH = 300  # characters
QUERIES = {"quick": 1, "standard": 3, "comprehensive": 5}

# Words added by further queries of the type, most specific first.
WORDS: Mapping[QuestionType, tuple[str, ...]] = {
    QuestionType.DOCUMENTATION: ("parameters options default", "usage reference"),
    QuestionType.BEST_PRACTICES: ("recommended should", "avoid warning limitation", "tuning"),
    QuestionType.COMPARISON: ("compared difference", "benchmark performance"),
    QuestionType.ERROR_RESOLUTION: ("error cause fix", "workaround solution"),
    QuestionType.CODE_EXAMPLES: ("example code", "create query usage"),
    QuestionType.PAPER_SUMMARY: ("results findings", "method conclusion"),
    QuestionType.DEPENDENCY: ("requires install version", "supported compatibility breaking change"),
}
SITES: Mapping[Preference, str] = {
    Preference.OFFICIAL: "official documentation",
    Preference.GITHUB: "github",
    Preference.STACKOVERFLOW: "stackoverflow",
    Preference.ACADEMIC: "paper",
    Preference.BLOGS: "blog",
}


def expand_question(question: str, config: TechnicalConfig) -> str:
    """Return the question with the technologies and keywords that it does not contain."""
    return _line((question, *find_missing_words(question, (*config.technologies, *config.keywords))))


def find_missing_words(text: str, words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that a text does not contain.

    >>> find_missing_words("HNSW in pgvector", ["hnsw", "Postgres"])
    ('Postgres',)
    """
    return tuple(word for word in words if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.I))


def query_of(question: str, config: TechnicalConfig, year: int) -> str:
    """Return the main query: question, problem, preferred sites and, for recent sources, the year."""
    hints = [SITES[kind] for kind in config.prefer] if config.uses_web else []
    when = [str(year)] if config.uses_web and config.recency == "latest" else []
    return _line((expand_question(question, config), config.problem, *hints, *when))


def queries_of(question: str, config: TechnicalConfig, year: int) -> list[str]:
    """Return the main query, then the same subject in words common in texts of the question's type."""
    main = query_of(question, config, year)
    about = _line((config.problem or expand_question(question, config),))
    others = [_line((about, words)) for words in WORDS[config.type]]
    sides = [_line((technology, question)) for technology in config.technologies]
    found = dict.fromkeys((main, *(sides if config.type is QuestionType.COMPARISON else ()), *others))
    return list(found)[: QUERIES[config.depth] + len(config.technologies)]


def _line(parts: Iterable[str]) -> str:
    return " ".join(" ".join(parts).split())[:MAX_QUERY_LENGTH].strip()
