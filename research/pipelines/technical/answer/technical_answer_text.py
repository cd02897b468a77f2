"""Format a technical answer as Markdown, JSON or plain text. Pure: the same answer gives the same text."""

import re
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from exports.stored.exported_headings import translate_heading
from exports.stored.translate_exported_sentences import translate_stored_text
from research.pipelines.technical.answer.technical_answer_tree import (
    CitedSource,
    CodeExample,
    ComparisonTable,
    Result,
    SynthesisStatement,
    TechnicalAnswer,
)
from research.pipelines.technical.technical_advice_kinds import Advice, order_of
from research.pipelines.technical.technical_config import QuestionType

WIDTH = 78  # characters of a rule in plain text
MEDIA_TYPES = {
    "markdown": "text/markdown; charset=utf-8",
    "json": "application/json",
    "text": "text/plain; charset=utf-8",
}
ENDINGS = {"markdown": "md", "json": "json", "text": "txt"}
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!])")
_FENCE = re.compile(r"`{3,}")


def format_answer(answer: TechnicalAnswer, form: str) -> str:
    """Return the answer as `form`: markdown, json or text. Raises KeyError for another form."""
    writers = {"markdown": _markdown, "json": _json, "text": _text}
    return writers[form](answer)


def _json(answer: TechnicalAnswer) -> str:
    return answer.model_dump_json(indent=2) + "\n"


def advice_of(answer: TechnicalAnswer) -> list[tuple[str, Sequence[SynthesisStatement]]]:
    """Return the kinds of advice that have statements, with their headings, in the order of the question's type."""
    named = {
        Advice.FINDING: (_("Key findings"), answer.key_findings),
        Advice.PRACTICE: (_("Best practices"), answer.best_practices),
        Advice.RECOMMENDATION: (_("Recommendations"), answer.recommendations),
        Advice.WARNING: (_("Warnings"), answer.warnings),
    }
    in_order = (named[advice] for advice in order_of(QuestionType(answer.type)))
    return [(heading, statements) for heading, statements in in_order if statements]


def facts_of(answer: TechnicalAnswer) -> list[tuple[str, str]]:
    seconds = "" if answer.seconds is None else f"{answer.seconds:.1f} s"
    facts = [
        (_("Status"), answer.status),
        (_("Time"), seconds),
        (_("Query"), answer.query_used),
        (_("Searched"), ", ".join(answer.sources_searched)),
        (_("Request"), answer.request_id),
    ]
    return [(name, value) for name, value in facts if value]


# --- Markdown ----------------------------------------------------------------------------------


def _markdown(answer: TechnicalAnswer) -> str:
    return "\n".join(_markdown_lines(answer)).rstrip() + "\n"


def _markdown_lines(answer: TechnicalAnswer) -> Iterator[str]:
    yield from (f"# {plain(answer.question)}", "")
    yield from (f"- **{name}:** {plain(value)}" for name, value in facts_of(answer))
    yield from _paragraphs(list(map(translate_stored_text, answer.reasons)))
    if answer.synthesis and answer.synthesis.comparison:
        yield from ("", f"## {_('Comparison')}", "", *_grid(answer.synthesis.comparison))
    if answer.synthesis and answer.synthesis.takeaways:
        yield from ("", f"## {_('Takeaways')}", "", *map(_item, answer.synthesis.takeaways))
    for heading, statements in advice_of(answer):
        yield from ("", f"## {heading}", "", *map(_item, statements))
    yield from _examples(_("Code examples"), answer.code_examples)
    yield from _examples(_("Left out: code that its parser refuses"), answer.code_left_out)
    for diagram in answer.diagrams:
        yield from ("", f"## {plain(diagram.title)}", "", *_fence_code(diagram.mermaid, "mermaid"))
    yield from ("", f"## {_('Results')}", "")
    for number, result in enumerate(answer.results, 1):
        yield from _result(number, result)
    yield from ("", f"## {_('Citations')}", "")
    for citation in answer.citations:
        yield f"[{citation.number}] {_reference(citation)}  "
    if answer.follow_ups:
        yield from ("", f"## {_('Follow-up questions')}", "")
        yield from (f"- {plain(follow_up.question)} ({follow_up.type})" for follow_up in answer.follow_ups)


def _reference(source: CitedSource) -> str:
    accessed = _("accessed %(day)s") % {"day": source.accessed} if source.accessed is not None else ""
    named = plain(", ".join(filter(None, (source.author, source.title, source.date))))
    return ", ".join(filter(None, (named, f"<{source.url}>" if source.url else "", accessed)))


def plain(words: str) -> str:
    """Escape a source's words, so that nothing in them is read as markup.

    >>> plain("use `m` <b>")
    'use \\\\`m\\\\` \\\\<b\\\\>'
    """
    return _MARKUP.sub(r"\\\1", " ".join(words.split()))


def _paragraphs(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        yield from ("", plain(word))


def _item(statement: SynthesisStatement) -> str:
    return f"- {plain(statement.text)} {_numbers(statement)}".rstrip()


def _numbers(statement: SynthesisStatement) -> str:
    return "".join(f"\\[{number}\\]" for number in statement.citations)


def _grid(table: ComparisonTable) -> Iterator[str]:
    yield "| | " + " | ".join(plain(row.thing) for row in table.rows) + " |"
    yield "|---" * (len(table.rows) + 1) + "|"
    for place, aspect in enumerate(table.aspects):
        cells = (
            f"{plain(statement.text)} {_numbers(statement)}"
            if (statement := row.cells[place])
            else plain(translate_stored_text(row.reasons[place]))
            for row in table.rows
        )
        yield f"| **{plain(translate_heading(aspect))}** | " + " | ".join(cells) + " |"


def _examples(heading: str, examples: Sequence[CodeExample]) -> Iterator[str]:
    if examples:
        yield from ("", f"## {heading}")
    for example in examples:
        yield from ("", plain(example.description), "", *_fence_code(example.code, example.language))
        yield from ("", f"*{plain(example.source)}* · {check_words(example)}")


def check_words(example: CodeExample) -> str:
    if example.check == "passed":
        return _("its syntax was checked")
    state = _("not checked") if example.check == "unchecked" else _("its syntax is wrong")
    return f"{state}: {translate_stored_text(example.reason)}" if example.reason else state


def _fence_code(code: str, language: str) -> Iterator[str]:
    """Yield the lines of a code block, whose fence is longer than any fence in the code."""
    longest = max((len(backticks) for backticks in _FENCE.findall(code)), default=2)
    fence = "`" * (longest + 1)
    yield from (f"{fence}{language}", code.rstrip("\n"), fence)


def _result(number: int, result: Result) -> Iterator[str]:
    about = " · ".join(
        filter(None, (result.type, result.date or _("date unknown"), result.author, _link_words(result)))
    )
    title = f"[{plain(result.title)}](<{result.url}>)" if result.url else plain(result.title)
    yield f"{number}. {title} ({result.relevance:.2f})  "
    yield f"   {plain(about)}  "
    yield f"   {plain(result.snippet or result.summary)}"


def _link_words(result: Result) -> str:
    return {"alive": _("link checked"), "dead": _("gone"), "saved": _("saved copy")}.get(result.link, "")


# --- plain text --------------------------------------------------------------------------------


def _text(answer: TechnicalAnswer) -> str:
    return "\n".join(_text_lines(answer)).rstrip() + "\n"


def _text_lines(answer: TechnicalAnswer) -> Iterator[str]:
    yield from (answer.question, "=" * min(WIDTH, len(answer.question)))
    yield from (f"{name}: {value}" for name, value in facts_of(answer))
    yield from ("", *map(translate_stored_text, answer.reasons)) if answer.reasons else ()
    if answer.synthesis and answer.synthesis.comparison:
        yield from (*_format_heading(_("Comparison")), *_format_comparison(answer.synthesis.comparison))
    for heading, statements in advice_of(answer):
        yield from (
            *_format_heading(heading),
            *(f"* {_format_statement(statement)}" for statement in statements),
        )
    yield from _code_lines(answer)
    yield from _format_heading(_("Results"))
    for number, result in enumerate(answer.results, 1):
        yield from (f"{number}. {result.title} ({result.relevance:.2f})", f"   {result.url}".rstrip())
        yield f"   {' '.join((result.snippet or result.summary).split())}".rstrip()
    yield from _format_heading(_("Citations"))
    for source in answer.citations:
        yield " ".join(
            filter(
                None,
                (
                    f"[{source.number}]",
                    source.title,
                    source.url,
                    "" if source.accessed is None else str(source.accessed),
                ),
            )
        )
    yield from (
        *_format_heading(_("Follow-up questions")),
        *(f"* {follow_up.question}" for follow_up in answer.follow_ups),
    )


def _code_lines(answer: TechnicalAnswer) -> Iterator[str]:
    """Yield the code examples, indented to set them apart from the text."""
    for example in answer.code_examples:
        about = f"{example.description} ({example.language}; {check_words(example)}; {example.source})"
        yield from (*_format_heading(_("Code example")), about, "", *_indent_code(example.code))
    for diagram in answer.diagrams:
        yield from (*_format_heading(diagram.title), *_indent_code(diagram.mermaid))


def _indent_code(code: str) -> list[str]:
    return [f"    {line}" for line in code.rstrip("\n").split("\n")]


def _format_heading(words: str) -> tuple[str, ...]:
    return ("", words, "-" * min(WIDTH, len(words)))


def _format_statement(statement: SynthesisStatement) -> str:
    numbers = "".join(f"[{number}]" for number in statement.citations)
    return f"{' '.join(statement.text.split())} {numbers}".rstrip()


def _format_comparison(table: ComparisonTable) -> Iterator[str]:
    """Yield the comparison aspect by aspect, because a table of sentences is wider than a line."""
    for place, aspect in enumerate(table.aspects):
        yield translate_heading(aspect)
        for row in table.rows:
            cell = row.cells[place]
            said = _format_statement(cell) if cell else translate_stored_text(row.reasons[place])
            yield f"  {row.thing}: {said}"
