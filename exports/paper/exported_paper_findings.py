"""What readers should know before they rely on a paper: disagreements, verification issues, warnings, omissions."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from exports.building.build_document_authorship import describe_unjudged_answer
from exports.document.document_tree import (
    ClaimEntry,
    ContradictionEntry,
    Document,
    IssueEntry,
    VerificationEntry,
    WarningEntry,
)
from exports.labels.document_labels import VERDICTS, word
from exports.labels.format_document_values import describe_check, quoted
from exports.paper.exported_paper_citations import Citing, at_place, short
from exports.paper.exported_paper_nodes import (
    Bullets,
    Grid,
    Heading,
    Inline,
    Line,
    Node,
    Paragraph,
    StyledText,
    words,
)
from exports.stored.translate_exported_sentences import translate_stored_text

SAID = 300  # characters of a source's words beside an objection


def findings(document: Document, citing: Citing) -> Iterator[Node]:
    parts = [
        *_disagreements(document.contradictions, citing),
        *(
            _build_check_nodes(document, document.verification, citing)
            if document.verification and document.claims
            else ()
        ),
        *_build_warning_nodes(document.gaps, _("What is missing"), "gaps"),
        *_build_warning_nodes(document.warnings, _("Warnings"), "warnings"),
        *_build_omission_nodes(document),
    ]
    if parts:
        yield Heading(1, _("Before you rely on this"), "caveats")
        yield from parts


def _disagreements(pairs: Sequence[ContradictionEntry], citing: Citing) -> Iterator[Node]:
    if pairs:
        yield Heading(2, _("Where sources disagree"), "contradictions")
    for pair in pairs:
        yield Paragraph(
            (StyledText(_name(pair), "strong"), StyledText(f" – {word(pair.resolution, 'resolution')}"))
        )
        yield Bullets((_side(pair.a, citing), _side(pair.b, citing)))
        apart = ", ".join(
            word(circumstance.name, "circumstance")
            for circumstance in pair.circumstances
            if circumstance.standing == "apart"
        )
        if apart:
            yield Paragraph(
                words(_("They differ in: %(circumstances)s.") % {"circumstances": apart}), "small"
            )
        if pair.note:
            yield Paragraph(words(translate_stored_text(pair.note)), "small")


def _name(pair: ContradictionEntry) -> str:
    if pair.mine and pair.theirs:
        return _("“%(mine)s” against “%(theirs)s”") % {"mine": pair.mine, "theirs": pair.theirs}
    return word(pair.kind, "conflict")


def _side(claim: ClaimEntry, citing: Citing) -> Line:
    """Return a side of a contradiction with a link to its evidence, or with its sources if the report does not state
    it.
    """
    if claim.number:
        return citing.cite_in_text(claim)
    labels = dict.fromkeys(
        f"{citation.label} {short(citation.source.title, SAID)}{at_place(citation)}".strip()
        for citation in claim.citations
    )
    return (StyledText(claim.plain_text), StyledText(f" ({'; '.join(labels)})", "quiet"))


def _build_check_nodes(document: Document, check: VerificationEntry, citing: Citing) -> Iterator[Node]:
    yield Heading(2, _("What was checked"), "checks")
    verdict = f"{word(check.status, 'verdict')}." if check.status in VERDICTS else ""
    unjudged = describe_unjudged_answer(document)
    yield Paragraph(words(" ".join(filter(None, (verdict, describe_check(check), unjudged)))))
    level = _("Level of checking: %(level)s") % {"level": word(check.level, "level")}
    yield Paragraph(words(level, "quiet"), "small")
    counts = [
        (word(status, "check"), count) for status, count in check.counts.items() if status != "left_out"
    ]
    if "left_out" in check.counts:
        counts.append((_("Left out"), check.counts["left_out"]))
    rows = tuple((words(name), words(str(count))) for name, count in counts)
    if len(rows) > 1:
        yield Grid(
            _("Claims by outcome of their check"), (_("Outcome"), _("Claims")), rows, (3, 1), frozenset({1})
        )
    if check.issues:
        yield Bullets(tuple(_issue(issue, citing) for issue in check.issues))


def _issue(issue: IssueEntry, citing: Citing) -> Line:
    kind = f"{word(issue.severity, 'issue_severity')}, {word(issue.kind, 'issue')}: "
    line: list[Inline] = [StyledText(kind, "strong")]
    if issue.claim_text:
        number = f" ({_('Claim %(number)s') % {'number': issue.claim_number}})" if issue.claim_number else ""
        line.append(StyledText(f"{quoted(short(issue.claim_text, SAID))}{number}. "))
    line.append(StyledText(translate_stored_text(issue.explanation)))
    if issue.source_says:
        line.append(StyledText(f" {_('The source says:')} {quoted(short(issue.source_says, SAID))}", "quiet"))
    return tuple(line)


def _build_warning_nodes(warnings: Sequence[WarningEntry], title: str, anchor: str) -> Iterator[Node]:
    if warnings:
        yield Heading(2, title, anchor)
        yield Bullets(tuple(_warning(warning) for warning in warnings))


def _warning(warning: WarningEntry) -> Line:
    line: list[Inline] = [
        StyledText(f"{word(warning.severity, 'severity')}: ", "strong"),
        StyledText(translate_stored_text(warning.text)),
    ]
    if warning.advice:
        line.append(StyledText(f" {translate_stored_text(warning.advice)}", "quiet"))
    return (*line, StyledText(f" ({warning.code})", "quiet"))


def _build_omission_nodes(document: Document) -> Iterator[Node]:
    if document.set_aside:
        yield Heading(2, _("Left out"), "left-out")
        yield Paragraph(words(_("Sentences that were considered but are not in the report, and why.")))
        yield Bullets(
            tuple(
                (
                    StyledText(f"{quoted(short(translate_stored_text(sentence.text), SAID))} "),
                    StyledText(translate_stored_text(sentence.reason), "quiet"),
                )
                for sentence in document.set_aside
            )
        )
